// Coroutines on a loop and on executors, futures.
#include "gate.hpp"

#include <penstock/future.hpp>

#include "ops/support/sanitized.h"
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <thread>

namespace
{

// An array that is not there before the loop waits; an error if the value is negative.
ps::array computed(float value)
{
    auto made = ps::empty({1});
    ps::push({}, {made}, [value](auto, auto writes) {
        if (value < 0)
            throw std::domain_error("negative");
        writes[0].template span<float>()[0] = value;
    });
    return made;
}

ps::task<float> doubled(float value)
{
    ps::array x = co_await (computed(value) * 2);
    co_return x.item<float>();
}

ps::task<float> sum_of(int count)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += co_await doubled(static_cast<float>(i));
    co_return sum;
}

ps::task<> resumed_on(std::thread::id expected)
{
    for (int i = 0; i < 5; i++) {
        gate one;
        ps::array x = one.array();
        one.open();
        co_await x;
        CHECK(std::this_thread::get_id() == expected);
    }
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
    ps::set_workers(3);
    {
        ps::loop loop;
        gate early(1), late(2);
        std::vector<float> order;
        auto append = [&order](gate &mine, gate *next) -> ps::task<> {
            ps::array x = co_await mine.array();
            order.push_back(x.item<float>());
            if (next != nullptr)
                next->open();
        };
        loop.spawn(append(late, nullptr));
        loop.spawn(append(early, &late));
        early.open();
        loop.run();
        CHECK(order == std::vector<float>{1, 2});
    }
    ps::set_workers(0);
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
        co_await computed(1);
        throw 5;
    }());
    CHECK_THROWS_AS(loop.run(), int);
    loop.run();
    CHECK(loop.run(doubled(1)) == 2.0f);
    CHECK_THROWS_AS(loop.run([]() -> ps::task<> { co_await ps::array(); }()), ps::invalid);
}

TEST_CASE("tasks that were moved from are refused")
{
    ps::loop loop;
    auto one = doubled(1), other = std::move(one);
    CHECK_THROWS_WITH_AS(loop.run(std::move(one)), "loop: the task was moved from", ps::invalid);
    auto awaiting = [](ps::task<float> &gone) -> ps::task<> { co_await gone; };
    CHECK_THROWS_AS(loop.run(awaiting(one)), ps::invalid);
    CHECK(loop.run(std::move(other)) == 2.0f);
    auto nothing = []() -> ps::task<> { co_return; };
    auto moved = nothing();
    loop.spawn(std::move(moved));
    CHECK_THROWS_AS(loop.spawn(std::move(moved)), ps::invalid);
    loop.run();
}

TEST_CASE("without a loop an await says so")
{
    ps::loop loop;
    bool told = false;
    auto outside = [](bool &seen) -> ps::task<> {
        gate closed;
        try {
            co_await closed.array();
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
        co_await ps::on(executor, computed(1));
        co_await outside(seen); // this thread is in no loop
        co_await ps::on(home, computed(1));
    };
    loop.run(elsewhere(told, loop));
    executor.thread.join();
    CHECK(told);
}

TEST_CASE("executors: where to go on, and errors")
{
    ps::loop loop;
    auto failing = [](ps::loop &home) -> ps::task<> { co_await ps::on(home, computed(-1)); };
    CHECK_THROWS_AS(loop.run(failing(loop)), ps::failure);
    auto inline_executor = [](std::coroutine_handle<> handle) { handle.resume(); };
    auto hopping = [&](ps::loop &home) -> ps::task<std::thread::id> {
        co_await ps::on(inline_executor, computed(1));
        auto there = std::this_thread::get_id();
        co_await ps::on(home, computed(1));
        co_return there;
    };
    CHECK(loop.run(hopping(loop)) != std::this_thread::get_id());
}

TEST_CASE("an executor that throws: co_await throws the same")
{
    ps::loop loop;
    auto refusing = [](std::coroutine_handle<>) { throw std::length_error("no thread left"); };
    auto trying = [&](ps::loop &home) -> ps::task<std::string> {
        std::string seen;
        try {
            co_await ps::on(refusing, computed(1));
        } catch (const std::length_error &error) {
            seen = error.what();
        }
        co_await ps::on(home, computed(1));
        co_return seen;
    };
    for (int i = 0; i < 100; i++)
        CHECK(loop.run(trying(loop)) == "no thread left");
}

TEST_CASE("futures")
{
    auto later = computed(3).future();
    auto failing = computed(-1).future();
    CHECK(later.get().item<float>() == 3.0f);
    CHECK_THROWS_AS(failing.get(), ps::failure);
    CHECK_THROWS_AS(ps::array().future(), ps::invalid);
    {
        auto dropped = computed(1).future();
    }
    ps::wait_all();
}

namespace
{

// What a child of a fork returns from `inside`: its exit code.
template <class Inside> int in_a_child(Inside inside)
{
    int result = -1;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        try {
            _exit(inside());
        } catch (...) {
            _exit(99);
        }
    }
    REQUIRE(waitpid(child, &result, 0) == child);
    return WIFEXITED(result) ? WEXITSTATUS(result) : -1;
}

int seven()
{
    return static_cast<int>(computed(7).future().get().item<float>());
}

} // namespace

TEST_CASE("the child of a fork has a watching thread of its own")
{
    CHECK(computed(7).future().get().item<float>() == 7.0f); // the parent has one
    CHECK(in_a_child(seven) == 7);
    if (!SANITIZED) // the child's thread may have begun: a sanitizer's allocator is not made for that
        CHECK(in_a_child([] { return in_a_child(seven); }) == 7);
    auto queued = computed(5) + 1; // before the fork, and nobody has waited
    CHECK(in_a_child([&] { return static_cast<int>(queued.future().get().item<float>()); }) == 6);
    CHECK(seven() == 7);
}

TEST_CASE("what the watching thread calls may fork")
{
    ps::loop loop;
    int result = 0;
    auto forking = [&](std::coroutine_handle<> handle) {
        result = in_a_child([] { return static_cast<int>(computed(6).item<float>()); });
        loop.post(handle);
    };
    loop.run([](auto &executor) -> ps::task<> { co_await ps::on(executor, computed(1)); }(forking));
    CHECK(result == 6);
    CHECK(seven() == 7);
}

TEST_CASE("a loop is its process's")
{
    ps::loop loop;
    CHECK(loop.run(doubled(4)) == 8.0f);
    CHECK(in_a_child([&] {
              try {
                  loop.run(doubled(4));
              } catch (const ps::failure &error) {
                  ps::loop another;
                  return std::string(error.what()).find("forked") == std::string::npos
                             ? 0
                             : static_cast<int>(another.run(doubled(4)));
              }
              return 0;
          }) == 8);
    CHECK(loop.run(doubled(4)) == 8.0f);
}
