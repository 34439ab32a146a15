// x.future(): a std::future of the array. In a file of its own, since <future> is long.
#ifndef PENSTOCK_FUTURE_HPP
#define PENSTOCK_FUTURE_HPP

#include <penstock/async.hpp>

#include <future>

namespace penstock::detail
{

struct future_watched final : watched {
    explicit future_watched(const array &of) : x(of) {}
    void fire(ps_status status) noexcept override
    {
        try {
            if (status != PS_OK)
                x.wait(location::unknown()); // throws what marks it
            promise.set_value(std::move(x));
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
    }
    array x;
    std::promise<array> promise;
};

template <class Array> struct future_of {
    static std::future<Array> make(const Array &x, location at)
    {
        auto *what = new future_watched(x);
        std::future<Array> made = what->promise.get_future();
        try {
            watching::instance().add(x, what, at);
        } catch (...) {
            delete what;
            throw;
        }
        return made;
    }
};

} // namespace penstock::detail

#endif
