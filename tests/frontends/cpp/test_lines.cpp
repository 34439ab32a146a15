// A thousand operations on different lines, of which one fails: the exception names its line.
#include "lines.hpp"

#include <doctest/doctest.h>

namespace
{

const ps::array &numbers()
{
    static const ps::array x{1.0, 2.0, 3.0};
    return x;
}

// The positions for each operation: one is out of range.
auto all_but(int failing)
{
    return [failing, good = ps::array{0, 2}, bad = ps::array{0, 7}](int i) -> const ps::array & {
        return i == failing ? bad : good;
    };
}

// Calls it a hundred times, and each time another operation fails.
template <class Run> void expect_lines(const unsigned (&lines)[1000], Run run)
{
    for (int i = 0; i < 100; i++) {
        const int failing = (i * 379 + 49) % 1000;
        CAPTURE(failing);
        try {
            run(all_but(failing));
            FAIL("nothing was thrown");
        } catch (const ps::out_of_range &error) {
            CHECK(error.line() == lines[failing]);
            CHECK(std::string(error.file()).ends_with("lines.inc"));
        }
        CHECK_NOTHROW(ps::wait_all()); // it was seen
    }
}

} // namespace

TEST_CASE("the line of the one that fails, a hundred times of a hundred")
{
    expect_lines(many_lines, [](auto places) {
        arrays all = many(numbers(), places);
        CHECK(all.size() == 1000);
        for (const ps::array &one : all)
            one.wait();
    });
}

TEST_CASE("the same in coroutines")
{
    ps::loop loop;
    expect_lines(awaited_lines, [&](auto places) { loop.run(awaited(numbers(), places)); });
}
