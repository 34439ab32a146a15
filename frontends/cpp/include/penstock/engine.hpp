// The engine that runs what is queued: waiting for all, modes of a thread, workers, the bound, memory,
// traces.
#ifndef PENSTOCK_ENGINE_HPP
#define PENSTOCK_ENGINE_HPP

#include <penstock/array.hpp>

namespace penstock
{

namespace detail
{

inline ps_engine *engine()
{
    ps_engine *found = nullptr;
    check(ps_engine_default(&found));
    return found;
}

} // namespace detail

// Until everything queued before is complete. Throws the oldest failure that nobody has seen yet; call
// again for the next.
inline void wait_all(location at = location())
{
    detail::check(ps_wait_all(detail::engine(), nullptr), at.id());
}
// The same for so long at most: false if something is left then.
template <class Duration> bool wait_all_for(const Duration &time, location at = location())
{
    ps_wait_options options = {sizeof options, detail::nanoseconds(time)};
    ps_status status = ps_wait_all(detail::engine(), &options);
    if (status == PS_ERR_TIMEOUT)
        return false;
    detail::check(status, at.id());
    return true;
}

// While one of these lives, the calling thread has another setting; then the old one is back. They must
// end on the thread that made them, in the reverse order.
class thread_setting
{
  public:
    thread_setting(const thread_setting &) = delete;
    thread_setting &operator=(const thread_setting &) = delete;
    ~thread_setting()
    {
        ps_thread_set_state(before_);
    }

  protected:
    thread_setting(uint64_t cleared, uint64_t set) : before_(ps_thread_state())
    {
        detail::check(ps_thread_set_state((before_ & ~cleared) | set));
    }

  private:
    uint64_t before_;
};

// Each operation runs before its call returns, which throws its error.
class synchronous : public thread_setting
{
  public:
    synchronous() : thread_setting(PS_STATE_MODE, PS_MODE_SYNC) {}
};

class asynchronous : public thread_setting
{
  public:
    asynchronous() : thread_setting(PS_STATE_MODE, PS_MODE_ASYNC) {}
};

// Elementwise operations run one by one.
class unfused : public thread_setting
{
  public:
    unfused() : thread_setting(PS_STATE_FUSION_ON | PS_STATE_FUSION_OFF, PS_STATE_FUSION_OFF) {}
};

inline unsigned workers()
{
    unsigned count = 0;
    detail::check(ps_engine_workers(detail::engine(), &count));
    return count;
}
// 0: as many as there are processors.
inline void set_workers(unsigned count)
{
    detail::check(ps_engine_set_workers(detail::engine(), count));
}

// How far the queue may run ahead: see ps_bound.
inline ps_bound bound()
{
    ps_bound answer = {};
    answer.size = sizeof answer;
    detail::check(ps_engine_bound(detail::engine(), &answer));
    return answer;
}
inline void set_bound(const ps_bound &bound)
{
    detail::check(ps_engine_set_bound(detail::engine(), &bound));
}

// Counts of tasks; see ps_engine_stats.
inline ps_engine_stats engine_stats()
{
    ps_engine_stats answer = {};
    answer.size = sizeof answer;
    detail::check(ps_engine_get_stats(detail::engine(), &answer));
    return answer;
}

// Bytes in use; see ps_memory_stats.
inline ps_memory_stats memory_stats()
{
    ps_memory_stats answer = {};
    answer.size = sizeof answer;
    detail::check(ps_memory_get_stats(&answer));
    return answer;
}
// Gives what is kept for reuse back to the system: how many bytes.
inline uint64_t memory_trim()
{
    return ps_memory_trim();
}
// A hard limit; 0: none.
inline void set_memory_limit(uint64_t bytes)
{
    detail::check(ps_memory_set_limit(bytes));
}

// Records when each task was queued, ready, started and finished, from here to stop().
class tracing
{
  public:
    explicit tracing(size_t events_per_thread = 65536)
    {
        detail::check(ps_trace_start(engine_, events_per_thread));
    }
    tracing(const tracing &) = delete;
    tracing &operator=(const tracing &) = delete;
    ~tracing()
    {
        if (running_)
            ps_trace_stop(engine_);
    }
    // In the order of time.
    std::vector<ps_trace_event> stop()
    {
        size_t count = 0;
        detail::check(ps_trace_stop(engine_));
        running_ = false;
        detail::check(ps_trace_read(engine_, nullptr, 0, &count, &lost_));
        std::vector<ps_trace_event> events(count);
        detail::check(ps_trace_read(engine_, events.data(), events.size(), &count, &lost_));
        events.resize(count < events.size() ? count : events.size());
        return events;
    }
    // How many events were overwritten by later ones.
    uint64_t lost() const noexcept
    {
        return lost_;
    }

  private:
    ps_engine *engine_ = detail::engine();
    bool running_ = true;
    uint64_t lost_ = 0;
};

} // namespace penstock

#endif
