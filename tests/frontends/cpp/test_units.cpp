// Two translation units that include the header; arrays that live longer than everything else.
#include "units.hpp"

#include <doctest/doctest.h>

static ps::array kept; // destroyed after the engine

TEST_CASE("both units work on the same arrays")
{
    kept = ps::ones({100, 100}) + 1;
    CHECK(other_sum(ps::array{1.0, -2.0}).item<float>() == 0.0f);
    CHECK((other_static + 1).to_vector<int64_t>() == std::vector<int64_t>{2, 3, 4});
}

TEST_CASE("an error names the file and line of the other unit")
{
    auto x = other_failure();
    try {
        x.wait();
        FAIL("nothing was thrown");
    } catch (const ps::error &error) {
        CHECK(error.line() == other_failure_line);
        CHECK(std::string(error.file()).ends_with("units_other.cpp"));
        CHECK(std::string(error.operation()) == "take");
    }
}
