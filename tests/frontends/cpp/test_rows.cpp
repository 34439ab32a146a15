// Every row of the table: from C++ with its defaults and with each option, against the call by name.
#include "rows.hpp"

namespace
{

using rows::compare, rows::list;

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
        for (auto row : all_rows)
            row(one);
    call_fitting_rows();
    std::set<std::string> never;
    for (const std::string &one : rows::tried)
        if (!rows::succeeded.contains(one))
            never.insert(one);
    // It only writes into an array that there is: see call_into in test_operators.cpp.
    CHECK(never == std::set<std::string>{"assign"});
    CHECK(std::size(all_rows) == ps_op_count());
}
