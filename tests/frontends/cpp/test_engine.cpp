// Waiting with limits, modes of a thread, settings, memory, traces.
#include <penstock.hpp>

#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

TEST_CASE("waiting")
{
    auto x = ps::ones({64, 64});
    for (int i = 0; i < 20; i++)
        x = x.matmul(x) * 1e-2;
    x.wait();
    CHECK(x.is_ready());
    CHECK(x.wait_for(1s));
    auto slow = ps::empty({1});
    std::atomic<bool> begun = false, let_go = false;
    ps::push({x}, {slow}, [&](auto, auto writes) {
        begun = true;
        while (!let_go)
            std::this_thread::sleep_for(1ms);
        writes[0].template span<float>()[0] = 1;
    });
    while (!begun) // a worker has it: nobody who waits runs it
        std::this_thread::sleep_for(1ms);
    CHECK_FALSE(slow.is_ready());
    CHECK_FALSE(slow.wait_for(1ms));
    CHECK_FALSE(slow.wait_for(-1ms));
    CHECK_FALSE(ps::wait_all_for(1us));
    let_go = true;
    CHECK(slow.wait_for(1h));
    CHECK(slow.item<float>() == 1.0f);
    CHECK(ps::wait_all_for(1h));
}

TEST_CASE("guards of a thread's mode")
{
    ps::array x{1, 2}, nine{9};
    {
        ps::synchronous outer;
        CHECK_THROWS_AS(ps::take(x, nine), ps::out_of_range);
        CHECK((x + 1).is_ready());
        {
            ps::asynchronous inner;
            CHECK(ps_thread_mode() == PS_MODE_ASYNC);
        }
        ps::unfused one_by_one;
        CHECK(ps_thread_mode() == PS_MODE_SYNC);
        std::thread([] { CHECK(ps_thread_mode() == PS_MODE_DEFAULT); }).join();
    }
    CHECK(ps_thread_state() == 0);
    auto late = ps::take(x, nine);
    CHECK_THROWS_AS(late.wait(), ps::out_of_range);
}

TEST_CASE("settings")
{
    unsigned before = ps::workers();
    ps::set_workers(2);
    CHECK(ps::workers() == 2);
    ps::set_workers(0);
    CHECK(ps::workers() == before);
    CHECK_THROWS_AS(ps::set_workers(5000), ps::invalid);
    auto bound = ps::bound();
    bound.ops = 100;
    ps::set_bound(bound);
    CHECK(ps::bound().ops == 100);
    CHECK(ps::engine_stats().pushed > 0);
    CHECK(ps::memory_stats().live <= ps::memory_stats().peak);
    ps::memory_trim();
}

TEST_CASE("a trace has what was queued")
{
    ps::tracing trace;
    auto x = ps::ones({1000, 1000}).matmul(ps::ones({1000, 1000}));
    x.wait();
    bool found = false;
    for (const ps_trace_event &event : trace.stop())
        found = found || (event.name != nullptr && std::string(event.name) == "matmul");
    CHECK(found);
    CHECK(trace.lost() == 0);
}

TEST_CASE("a trace that is never stopped ends where it goes")
{
    {
        ps::tracing trace;
    }
    (ps::ones({2}) + 1).wait();
    ps::tracing again;
    CHECK(again.stop().empty());
}

TEST_CASE("many operations leave memory flat")
{
    const int count = 100000;
    ps::array x{1.0, 2.0};
    auto run = [&] {
        for (int i = 0; i < count; i++) {
            auto y = x + 1;
            y(0) = y(1) * 2;
            if (i % 1000 == 0)
                y.wait();
        }
        ps::wait_all();
    };
    run();
    auto before = ps::memory_stats().live;
    run();
    CHECK(ps::memory_stats().live <= before + (1 << 20));
}
