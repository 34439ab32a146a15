// Every row of the table: from C++ with its defaults and with each option, against the call by name.
// Results agree in type, shape and bits, or both fail with one text.
#include <penstock.hpp>

#include <doctest/doctest.h>
#include <cstring>
#include <set>

namespace
{

struct sample {
    ps::array x, places, mask;
    ps::ints lengths;
    std::vector<ps::array> list;
};

// Any first choice of an option.
struct {
    template <class Enum> operator std::optional<Enum>() const
    {
        return Enum{};
    }
} const first;

std::vector<ps::array> list(const ps::array &x)
{
    return {x};
}

template <size_t N> std::vector<ps::array> list(const std::array<ps::array, N> &all)
{
    return {all.begin(), all.end()};
}

std::string bytes(const ps::array &x)
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

std::set<std::string> succeeded;

// What a call gives, as one text; its error without the place.
template <class Call> std::string outcome(const char *name, Call call)
{
    ps::generator::shared().seed(5);
    try {
        std::string text;
        for (const ps::array &x : call())
            text += std::strcmp(name, "empty") == 0 ? std::to_string(x.size()) : bytes(x);
        succeeded.insert(name);
        return text;
    } catch (const ps::error &error) {
        std::string text = error.what();
        return "error: " + text.substr(0, text.find(" (in "));
    }
}

template <class Function, class ByName>
void compare(const char *name, const char *option, Function function, ByName by_name)
{
    CAPTURE(name);
    CAPTURE(option);
    CHECK(outcome(name, function) == outcome(name, by_name));
}

#include "rows.inc"

sample make(const ps::array &x, ps::ints lengths)
{
    return {x, ps::array{0, 1}, x > 0, lengths, {x, x}};
}

} // namespace

TEST_CASE("every row gives from C++ what it gives by name")
{
    auto numbers = ps::arange(32, {.dtype = ps::float32});
    const sample samples[] = {make((numbers(ps::slice(0, 4)) - 1.5).reshape({2, 2}), {1, 1}),
                              make(numbers.reshape({2, 1, 4, 4}) / 8, {2, 2}),
                              make(ps::array{3, 1}, {2}), make(ps::array{0.25, 0.5, 0.75}, {3})};
    for (const sample &one : samples)
        for (auto row : rows)
            row(one);
    // Rows whose arguments fit together in no sample are few.
    CHECK(succeeded.size() > ps_op_count() * 8 / 10);
    MESSAGE(succeeded.size(), " of ", ps_op_count(), " rows ran");
}
