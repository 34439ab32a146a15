// Exceptions: their classes, texts, operations and lines, from wherever something was queued.
#include <penstock.hpp>

#include <doctest/doctest.h>

namespace
{

template <class T> ps::array take_in_template(const ps::array &x, T position)
{
    ps::array places(std::vector<T>{position});
    return ps::take(x, places); // line 12
}

struct at_exit_of_scope {
    ps::array x;
    ~at_exit_of_scope()
    {
        x = ps::array(); // an array with an error goes like any other
    }
};

template <class Call> void expect(unsigned line, const char *operation, Call call)
{
    try {
        call();
        FAIL("nothing was thrown");
    } catch (const ps::error &error) {
        CHECK(error.line() == line);
        CHECK(std::string(error.file()).ends_with("test_errors.cpp"));
        CHECK(std::string(error.operation()) == operation);
    }
}

const ps::array &nine()
{
    static const ps::array places{9};
    return places;
}

} // namespace

TEST_CASE("the line of an operator, a function, a method, at the call")
{
    ps::array x{1.0, 2.0}, y{1.0, 2.0, 3.0};
    expect(__LINE__, "add", [&] { x + y; });
    expect(__LINE__, "subtract", [&] { 1 + x - y; });
    expect(__LINE__, "multiply", [&] { x *= y; });
    expect(__LINE__, "maximum", [&] { ps::maximum(x, y); });
    expect(__LINE__, "sum", [&] { x.sum({.axis = 3}); });
    expect(__LINE__, "assignment", [&] { x() = y; });
    expect(__LINE__, "reshape", [&] { ps::call("reshape", x, ps::ints{5}); });
}

TEST_CASE("the line of what fails while running")
{
    ps::array x{1.0, 2.0};
    unsigned line = __LINE__ + 1;
    auto taken = ps::take(x, nine());
    auto later = taken + 1;
    auto sum = later.sum();
    for (int i = 0; i < 2; i++)
        expect(line, "take", [&] { sum.item<float>(); });
    expect(line, "take", [&] { later.wait(); });
    expect(12, "take", [&] { take_in_template(x, 7).wait(); });
    expect(12, "take", [&] { take_in_template(x, short(7)).wait(); });
    auto lambda = [](const ps::array &of) { return of(nine()) * 2; };
    expect(__LINE__ - 1, "take", [&] { lambda(x).wait(); });
    {
        at_exit_of_scope scope{taken};
    }
    auto at_once = [&] {
        ps::synchronous mode;
        ps::take(x, nine());
    };
    expect(__LINE__ - 2, "take", at_once);
}

TEST_CASE("classes")
{
    ps::array x{1.0, 2.0};
    CHECK_THROWS_AS(x + ps::ones({3}), std::invalid_argument);
    CHECK_THROWS_AS(ps::take(x, nine()).wait(), std::out_of_range);
    CHECK_THROWS_AS(x.sum({.axis = 1}), ps::wrong_axis);
    CHECK_THROWS_AS(x << 1, ps::wrong_type);
    CHECK_THROWS_AS(ps::ones({int64_t(1) << 40, 1 << 10}).wait(), std::bad_alloc);
    CHECK_THROWS_AS(x(2), std::exception);
    ps::wait_all();
}

TEST_CASE("exceptions are copied, assigned, and outlive what threw")
{
    std::exception_ptr kept;
    try {
        ps::take(ps::array{1}, nine()).wait();
    } catch (const ps::out_of_range &error) {
        ps::out_of_range copy = error;
        copy = error;
        kept = std::make_exception_ptr(copy);
    }
    try {
        ps::array{1} + ps::ones({2, 3})(0, ps::slice(5));
    } catch (const ps::error &) {
    }
    try {
        std::rethrow_exception(kept);
    } catch (const std::exception &error) {
        CHECK(std::string(error.what()).starts_with("take: index 9 is out of range"));
    }
}

TEST_CASE("wait_all tells what nobody has seen")
{
    {
        auto x = ps::take(ps::array{1}, nine());
    }
    expect(__LINE__ - 2, "take", [&] { ps::wait_all(); });
    CHECK_NOTHROW(ps::wait_all());
    for (int i = 0; i < 3; i++)
        ps::take(ps::array{1}, nine());
    try {
        ps::wait_all();
        FAIL("nothing was thrown");
    } catch (const ps::error &error) {
        CHECK(error.more() == 2);
    }
}
