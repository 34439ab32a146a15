// Gradients. While a `recording` lives, operations on arrays that attach_grad() was called for, and on
// what is made of them, are recorded; backward() walks back and queues what computes the gradients.
//
//     w.attach_grad();
//     ps::array loss;
//     {
//         ps::recording on;
//         loss = ps::nn::l2_loss(x.matmul(w), y).mean();
//     }
//     loss.backward();
//     w -= 0.1 * w.grad();
#ifndef PENSTOCK_GRAD_HPP
#define PENSTOCK_GRAD_HPP

#include <penstock/engine.hpp>

namespace penstock
{

class recording : public thread_setting
{
  public:
    recording() : thread_setting(PS_STATE_PAUSED, PS_STATE_RECORDING | PS_STATE_TRAINING) {}
};

// Inside of a `recording`: nothing is recorded.
class paused : public thread_setting
{
  public:
    paused() : thread_setting(PS_STATE_RECORDING, PS_STATE_PAUSED) {}
};

inline bool is_recording() noexcept
{
    return (ps_thread_state() & PS_STATE_RECORDING) != 0;
}

struct backward_options {
    std::vector<array> gradients = {}; // of the heads; left out: ones
    bool retain = false;               // what was saved stays, for another walk
    bool create = false;               // the walk is recorded: for gradients of gradients
};

namespace detail
{

inline ps_backward_options walk(const arrays &heads, const backward_options &options, location at)
{
    if (!options.gradients.empty() && options.gradients.size() != heads.size())
        raise_own(PS_ERROR_VALUE,
                  "backward: " + std::to_string(heads.size()) + " heads and " +
                      std::to_string(options.gradients.size()) + " gradients",
                  "backward", at.id());
    for (const array &head : heads)
        head.checked(at);
    ps_backward_options made = {};
    made.size = sizeof made;
    made.gradients = options.gradients.empty() ? nullptr : arrays(options.gradients).handles();
    made.retain = options.retain;
    made.create = options.create;
    made.location = at.id();
    return made;
}

} // namespace detail

// Gradients of the sum of the heads to all that have one attached. Queues, and never waits.
inline void backward(const arrays &heads, const backward_options &options = {},
                     location at = location())
{
    ps_backward_options walk = detail::walk(heads, options, at);
    detail::check(ps_backward(heads.handles(), heads.size(), &walk), at.id(), "backward");
}

// Gradients to what is wanted instead, as results; empty where nothing flows.
inline std::vector<array> grad(const arrays &heads, const arrays &wanted,
                               const backward_options &options = {}, location at = location())
{
    ps_backward_options walk = detail::walk(heads, options, at);
    for (const array &one : wanted)
        one.checked(at);
    std::vector<ps_tensor *> results(wanted.size(), nullptr);
    detail::check(ps_grad(heads.handles(), heads.size(), wanted.handles(), wanted.size(), &walk,
                          results.data()),
                  at.id(), "grad");
    std::vector<array> made(results.size());
    for (size_t i = 0; i < made.size(); i++)
        made[i] = array::adopt(results[i]);
    return made;
}

} // namespace penstock

#endif
