// Coroutines on a loop and on executors, futures; what is destroyed while it waits.
#include <penstock.hpp>
#include <penstock/future.hpp>

#include <doctest/doctest.h>
#include <chrono>
#include <memory>
#include <thread>

namespace
{

// An array that is there after some time.
ps::array slowly(float value, int milliseconds = 30)
{
    auto made = ps::empty({1});
    ps::push({}, {made}, [value, milliseconds](auto, auto writes) {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        if (value < 0)
            throw std::domain_error("negative");
        writes[0].template span<float>()[0] = value;
    });
    return made;
}

ps::task<float> doubled(float value)
{
    ps::array x = co_await (slowly(value) * 2);
    co_return x.item<float>();
}

ps::task<float> sum_of(int count)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += co_await doubled(static_cast<float>(i));
    co_return sum;
}

ps::task<> append(std::vector<float> &to, float value, int milliseconds)
{
    auto x = co_await slowly(value, milliseconds);
    to.push_back(x.item<float>());
}

ps::task<> resumed_on(std::thread::id expected)
{
    for (int i = 0; i < 5; i++) {
        co_await slowly(1, 5);
        CHECK(std::this_thread::get_id() == expected);
    }
}

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

ps::task<> holding(int &count)
{
    counted one(count);
    co_await slowly(1, 100);
}

} // namespace

TEST_CASE("tasks await arrays and tasks")
{
    ps::loop loop;
    CHECK(loop.run(doubled(4)) == 8.0f);
    CHECK(loop.run(sum_of(4)) == 12.0f);
    loop.run(resumed_on(std::this_thread::get_id()));
    std::thread([] {
        ps::loop other;
        other.run(resumed_on(std::this_thread::get_id()));
    }).join();
}

TEST_CASE("spawned tasks go on beside each other")
{
    ps::loop loop;
    std::vector<float> order;
    ps::set_workers(3);
    loop.spawn(append(order, 2, 150));
    loop.spawn(append(order, 1, 10));
    loop.run();
    ps::set_workers(0);
    CHECK(order == std::vector<float>{1, 2});
}

TEST_CASE("errors come out where they are awaited, with their line")
{
    ps::loop loop;
    CHECK_THROWS_AS(loop.run(doubled(-1)), ps::failure);
    auto line_of = [](unsigned &line) -> ps::task<> {
        ps::array x{1, 2}, places{9};
        auto taken = ps::take(x, places);
        line = __LINE__ - 1;
        co_await taken;
    };
    unsigned line = 0;
    try {
        loop.run(line_of(line));
        FAIL("nothing was thrown");
    } catch (const ps::out_of_range &error) {
        CHECK(error.line() == line);
    }
    loop.spawn([]() -> ps::task<> {
        co_await slowly(1);
        throw 5;
    }());
    CHECK_THROWS_AS(loop.run(), int);
    loop.run();
    CHECK(loop.run(doubled(1)) == 2.0f);
    CHECK_THROWS_AS(loop.run([]() -> ps::task<> { co_await ps::array(); }()), ps::invalid);
}

TEST_CASE("a loop that goes destroys what waits there")
{
    int count = 0;
    {
        ps::loop loop;
        for (int i = 0; i < 3; i++)
            loop.spawn(holding(count));
        CHECK(count == 3);
    }
    CHECK(count == 0);
    {
        auto never = holding(count); // never begun
    }
    CHECK(count == 0);
    ps::wait_all();
}

TEST_CASE("without a loop an await says so")
{
    ps::loop loop;
    bool told = false;
    auto outside = [](bool &seen) -> ps::task<> {
        try {
            co_await slowly(1);
        } catch (const ps::failure &) {
            seen = true;
        }
    };
    struct thread_executor {
        void operator()(std::coroutine_handle<> handle)
        {
            thread = std::thread([handle] { handle.resume(); });
        }
        std::thread thread;
    } executor;
    auto elsewhere = [&](bool &seen, ps::loop &home) -> ps::task<> {
        co_await ps::on(executor, slowly(1));
        co_await outside(seen); // this thread is in no loop
        co_await ps::on(home, slowly(1));
    };
    loop.run(elsewhere(told, loop));
    executor.thread.join();
    CHECK(told);
}

TEST_CASE("executors: where to go on, errors, and what is destroyed meanwhile")
{
    ps::loop loop;
    auto failing = [](ps::loop &home) -> ps::task<> { co_await ps::on(home, slowly(-1)); };
    CHECK_THROWS_AS(loop.run(failing(loop)), ps::failure);
    auto inline_executor = [](std::coroutine_handle<> handle) { handle.resume(); };
    auto hopping = [&](ps::loop &home) -> ps::task<std::thread::id> {
        co_await ps::on(inline_executor, slowly(1));
        auto there = std::this_thread::get_id();
        co_await ps::on(home, slowly(1));
        co_return there;
    };
    CHECK(loop.run(hopping(loop)) != std::this_thread::get_id());
    int count = 0;
    {
        ps::loop gone;
        auto waiting = [](ps::loop &home, int &where) -> ps::task<> {
            counted one(where);
            co_await ps::on(home, slowly(1, 100));
        };
        gone.spawn(waiting(gone, count));
        CHECK(count == 1);
    }
    CHECK(count == 0);
    ps::wait_all();
}

TEST_CASE("futures")
{
    auto later = slowly(3).future();
    auto failing = slowly(-1).future();
    CHECK(later.get().item<float>() == 3.0f);
    CHECK_THROWS_AS(failing.get(), ps::failure);
    CHECK_THROWS_AS(ps::array().future(), ps::invalid);
    {
        auto dropped = slowly(1).future();
    }
    ps::wait_all();
}
