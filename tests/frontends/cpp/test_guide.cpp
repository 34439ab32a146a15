// The programs of docs/cpp.md print what the page says.
#include <penstock.hpp>
#include <penstock/future.hpp>

#include <doctest/doctest.h>
#include <chrono>
#include <iostream>
#include <sstream>

namespace
{
#include "guide.inc"
} // namespace

TEST_CASE("the guide's programs")
{
    for (const auto &program : guide) {
        std::ostringstream printed;
        std::streambuf *before = std::cout.rdbuf(printed.rdbuf());
        try {
            program.run();
        } catch (...) {
            std::cout.rdbuf(before);
            throw;
        }
        std::cout.rdbuf(before);
        CHECK(printed.str() == std::string(program.prints));
    }
    CHECK(std::size(guide) >= 9);
}
