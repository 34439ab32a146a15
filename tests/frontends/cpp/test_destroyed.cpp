// What is destroyed while it waits: coroutines, loops; nobody resumes them, and nothing of them stays.
#include "gate.hpp"

#include <penstock/future.hpp>

#include <doctest/doctest.h>

namespace
{

// Counts how many live.
struct counted {
    explicit counted(int &where) : count(where)
    {
        ++count;
    }
    counted(const counted &) = delete;
    ~counted()
    {
        --count;
    }
    int &count;
};

ps::task<> holding(int &count, ps::array x)
{
    counted one(count);
    co_await x;
}

template <class Executor> ps::task<> holding_on(Executor &executor, int &count, ps::array x)
{
    counted one(count);
    co_await ps::on(executor, x);
}

// A loop as an executor that tells when it was called.
struct told_loop {
    void operator()(std::coroutine_handle<> handle)
    {
        home.post(handle);
        called = true;
        called.notify_all();
    }
    void forget(std::coroutine_handle<> handle) noexcept
    {
        forgotten++;
        home.forget(handle);
    }
    ps::loop home;
    std::atomic<bool> called = false;
    int forgotten = 0;
};

} // namespace

TEST_CASE("a loop that goes destroys what waits there")
{
    int count = 0;
    gate closed;
    {
        ps::loop loop;
        for (int i = 0; i < 3; i++)
            loop.spawn(holding(count, closed.array()));
        CHECK(count == 3);
    }
    CHECK(count == 0);
    {
        auto never = holding(count, closed.array()); // never begun
    }
    CHECK(count == 0);
}

TEST_CASE("an array that is there after its coroutine has gone resumes nobody")
{
    int count = 0;
    gate closed;
    ps::array x = closed.array();
    {
        ps::loop loop;
        loop.spawn(holding_on(loop, count, x));
        CHECK(count == 1);
    }
    CHECK(count == 0);
    closed.open();
    x.future().wait(); // the thread that watches arrays has been through all that was there before
}

TEST_CASE("a coroutine that goes between its posting and its turn is not resumed")
{
    int count = 0;
    told_loop executor;
    {
        ps::loop owner;
        gate closed;
        owner.spawn(holding_on(executor, count, closed.array()));
        closed.open();
        executor.called.wait(false);
        CHECK(count == 1);
    }
    CHECK(count == 0);
    CHECK(executor.forgotten == 1);
    auto one = [](ps::loop &home, ps::array x) -> ps::task<> { co_await ps::on(home, x); };
    executor.home.run(one(executor.home, ps::array{1})); // what is posted has its turn
    CHECK(executor.forgotten == 1);
}

TEST_CASE("a coroutine that the loop does not own outlives it, suspended")
{
    int count = 0;
    gate closed;
    {
        auto outer = holding(count, closed.array());
        {
            ps::loop loop;
            auto awaiting = [](ps::task<> &one) -> ps::task<> { co_await one; };
            loop.spawn(awaiting(outer));
            CHECK(count == 1);
        }
        CHECK(count == 1);
        closed.open();
        closed.array().wait();
    }
    CHECK(count == 0);
}

TEST_CASE("an exception that is thrown while others wait leaves them")
{
    int count = 0;
    gate closed;
    ps::loop loop;
    loop.spawn(holding(count, closed.array()));
    auto two = ps::ones({2});
    loop.spawn([](ps::array x) -> ps::task<> {
        co_await (x + 1);
        throw std::runtime_error("thrown");
    }(two));
    CHECK_THROWS_WITH_AS(loop.run(), "thrown", std::runtime_error);
    CHECK(count == 1);
    closed.open();
    loop.run();
    CHECK(count == 0);
}
