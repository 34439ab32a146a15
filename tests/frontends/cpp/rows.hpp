// A row called from C++ and by name: both give the same type, shape and bits, or fail with one text.
#ifndef ROWS_HPP
#define ROWS_HPP

#include <penstock.hpp>

#include <doctest/doctest.h>
#include <cstring>
#include <set>

namespace rows
{

inline std::vector<ps::array> list(const ps::array &x)
{
    return {x};
}

template <size_t N> std::vector<ps::array> list(const std::array<ps::array, N> &all)
{
    return {all.begin(), all.end()};
}

inline std::string bytes(const ps::array &x)
{
    if (x.is_empty_handle())
        return "none";
    std::string text = ps::name(x.dtype());
    for (int64_t length : x.shape())
        text += ' ' + std::to_string(length);
    std::string elements(static_cast<size_t>(x.size()) *
                             ps_dtype_bytes(static_cast<ps_dtype>(x.dtype())),
                         '\0');
    ps::detail::check(ps_tensor_to_host(x.handle(), elements.data(), elements.size()));
    return text + '\n' + elements;
}

// "row" with its defaults and "row.option", of all that was tried, and of what gave a result.
inline std::set<std::string> tried, succeeded;

// What a call gives, as one text; its error without the place.
template <class Call> std::string outcome(const char *name, const std::string &what, Call call)
{
    ps::generator::shared().seed(5);
    try {
        std::string text;
        for (const ps::array &x : call())
            text += std::strcmp(name, "empty") == 0 ? std::to_string(x.size()) : bytes(x);
        succeeded.insert(what);
        return text;
    } catch (const ps::error &error) {
        std::string text = error.what();
        return "error: " + text.substr(0, text.find(" (in "));
    }
}

template <class Function, class ByName>
void compare(const char *name, const char *option, Function function, ByName by_name)
{
    std::string what = std::string(name) + (*option != '\0' ? "." : "") + option;
    CAPTURE(what);
    tried.insert(what);
    CHECK(outcome(name, what, function) == outcome(name, what, by_name));
}

} // namespace rows

// Calls with arguments that fit together, for rows and options that have no such among the samples.
void call_fitting_rows();

#endif
