// A thousand operations on different lines, of which one fails: the exception names its line.
#include <penstock.hpp>

#include <doctest/doctest.h>

namespace
{

// The line of the call, in a template: that of its own one.
template <class T>
ps::array taken(const ps::array &x, const ps::array &places, ps::location at = ps::location())
{
    return ps::take(x, places, {}, at);
}

#include "lines.inc"

} // namespace

TEST_CASE("the line of the one that fails, a hundred times of a hundred")
{
    const ps::array x{1.0, 2.0, 3.0}, good{0, 2}, bad{0, 7};
    for (int run = 0; run < 100; run++) {
        const int failing = (run * 379 + 13) % 1000;
        unsigned counted = 0;
        try {
            many(
                x, [&](int i) -> const ps::array & { return i == failing ? bad : good; },
                [&](int) { counted++; });
            FAIL("nothing was thrown");
        } catch (const ps::out_of_range &error) {
            CHECK(error.line() == static_cast<unsigned>(failing) + 6);
            CHECK(std::string(error.file()).ends_with("lines.inc"));
        }
        CHECK(counted == 1000);
        CHECK_NOTHROW(ps::wait_all()); // it was seen
    }
}
