// A shared object that queues, and is closed before anybody waits.
#include "plugin.hpp"

#include "../lines.hpp"

namespace
{

std::vector<ps::array> queue(const ps::array &x, const ps::array &good, const ps::array &bad,
                             int failing)
{
    return many(x, [&](int i) -> const ps::array & { return i == failing ? bad : good; });
}

struct own_error : std::exception {
    const char *what() const noexcept override
    {
        return "the plugin's own error";
    }
};

void push(const ps::array &x, const ps::array &y)
{
    ps::push({x}, {y}, [](auto reads, auto writes) {
        writes[0].template span<float>()[0] = reads[0].template span<const float>()[0] + 1;
    });
}

void push_throwing(const ps::array &x, const ps::array &y)
{
    ps::push({x}, {y}, [](auto, auto) { throw own_error(); });
}

void add_row(const char *name)
{
    ps::register_op(
        name, "x",
        [](auto inputs, auto) {
            return ps::result_form{inputs[0].dtype(), ps::ints(inputs[0].shape())};
        },
        [](auto inputs, auto, ps::block output) {
            output.span<float>()[0] = inputs[0].template span<const float>()[0] * 10;
        });
}

} // namespace

extern "C" [[gnu::visibility("default")]] const plugin_functions plugin = {queue, many_lines, push,
                                                                           push_throwing, add_row};
