// Coroutines. `co_await x` goes on when the value of x is there, and throws what went wrong in making it.
//
//     ps::task<float> norm(ps::array x)
//     {
//         ps::array sum = co_await (x * x).sum();
//         co_return std::sqrt(sum.item<float>());
//     }
//
//     ps::loop loop;
//     float n = loop.run(norm(x));
//
// A loop resumes coroutines on the thread that is in its run(). `co_await ps::on(executor, x)` needs no
// loop: it calls executor(handle) on a thread of the frontend's own, which is to see to it that the
// handle is resumed. Neither ever resumes on a worker of the library, where waiting is forbidden.
//
// Invariants:
//  1. A coroutine that waits is in one place of a loop, or in one watch; its awaiter takes it out when
//     its frame is destroyed. What completes after that resumes nobody.
//  2. A loop destroys the coroutines that it was given and that have not ended. Others that wait there
//     are let go: nobody resumes them, and their awaiters do not know the loop any more.
//  3. Locks: that of the watching thread, then that of an executor_wait, then a loop's; nobody takes an
//     earlier one with a later one held. The first two are held while an executor is called, and a fork
//     takes the first.
#ifndef PENSTOCK_ASYNC_HPP
#define PENSTOCK_ASYNC_HPP

#include <penstock/engine.hpp>

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace penstock
{

class loop;
class array_awaiter;

namespace detail
{

// std::recursive_mutex, whose header is long.
class mutex
{
  public:
    mutex() noexcept
    {
        renew();
    }
    mutex(const mutex &) = delete;
    mutex &operator=(const mutex &) = delete;
    ~mutex()
    {
        pthread_mutex_destroy(&mutex_);
    }
    void lock() noexcept
    {
        pthread_mutex_lock(&mutex_);
    }
    void unlock() noexcept
    {
        pthread_mutex_unlock(&mutex_);
    }
    // At first, and in the child of a fork: nobody holds it.
    void renew() noexcept
    {
        pthread_mutexattr_t recursive;
        pthread_mutexattr_init(&recursive);
        pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(&mutex_, &recursive);
        pthread_mutexattr_destroy(&recursive);
    }

  private:
    pthread_mutex_t mutex_;
};

class locked
{
  public:
    explicit locked(mutex &which) noexcept : mutex_(which)
    {
        mutex_.lock();
    }
    locked(const locked &) = delete;
    locked &operator=(const locked &) = delete;
    ~locked()
    {
        mutex_.unlock();
    }

  private:
    mutex &mutex_;
};

// What tasks of any type have in common.
struct promise_base {
    std::coroutine_handle<> continuation = nullptr;
    std::exception_ptr error = nullptr;

    struct final_awaiter {
        bool await_ready() noexcept
        {
            return false;
        }
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept
        {
            std::coroutine_handle<> next = self.promise().continuation;
            return next ? next : std::noop_coroutine();
        }
        void await_resume() noexcept {}
    };
    std::suspend_always initial_suspend() noexcept
    {
        return {};
    }
    final_awaiter final_suspend() noexcept
    {
        return {};
    }
    void unhandled_exception() noexcept
    {
        error = std::current_exception();
    }
};

template <class T> struct promise_value : promise_base {
    std::optional<T> result;

    template <class From> void return_value(From &&from)
    {
        result.emplace(std::forward<From>(from));
    }
    T take()
    {
        if (error)
            std::rethrow_exception(error);
        return std::move(*result);
    }
};

template <> struct promise_value<void> : promise_base {
    void return_void() noexcept {}
    void take()
    {
        if (error)
            std::rethrow_exception(error);
    }
};

} // namespace detail

// A coroutine that begins when it is awaited, or given to a loop. Its result, or its exception, is that
// of the co_await, or of run().
template <class T = void> class task
{
  public:
    struct promise_type : detail::promise_value<T> {
        task get_return_object() noexcept
        {
            return task(std::coroutine_handle<promise_type>::from_promise(*this));
        }
    };

    task(task &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    task &operator=(task &&other) noexcept
    {
        if (this != &other) {
            destroy();
            handle_ = std::exchange(other.handle_, nullptr);
        }
        return *this;
    }
    ~task()
    {
        destroy();
    }

    struct awaiter {
        std::coroutine_handle<promise_type> handle;

        bool await_ready() const noexcept
        {
            return handle.done();
        }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<> continuation) const noexcept
        {
            handle.promise().continuation = continuation;
            return handle;
        }
        T await_resume() const
        {
            return handle.promise().take();
        }
    };
    awaiter operator co_await() const
    {
        if (!handle_)
            detail::raise_own(PS_ERROR_VALUE, "the task was moved from");
        return {handle_};
    }

  private:
    friend class loop;

    explicit task(std::coroutine_handle<promise_type> handle) noexcept : handle_(handle) {}
    void destroy() noexcept
    {
        if (handle_)
            handle_.destroy();
    }

    std::coroutine_handle<promise_type> handle_;
};

// One thread's coroutines: resumes those whose arrays are there.
class loop
{
  public:
    loop()
    {
        detail::check(ps_completions_create(detail::engine(), &completions_));
        wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (wake_ < 0) {
            ps_completions_destroy(completions_);
            detail::raise_own(PS_ERROR_RUNTIME, "loop: the system has no descriptor left");
        }
    }
    loop(const loop &) = delete;
    loop &operator=(const loop &) = delete;
    // Coroutines that were given to it and have not ended are destroyed where they wait.
    ~loop()
    {
        for (std::vector<task<>> last; !spawned_.empty(); last.clear())
            last.swap(spawned_);
        let_go();
        ps_completions_destroy(completions_);
        close(wake_);
    }

    // Until the task has ended: gives its result, or throws its exception. Others that were spawned go
    // on meanwhile.
    template <class T> T run(task<T> main)
    {
        check_process();
        auto handle = std::exchange(main.handle_, nullptr);
        task<T> owner(handle);
        if (!handle)
            detail::raise_own(PS_ERROR_VALUE, "loop: the task was moved from");
        entered inside(this);
        handle.resume();
        while (!handle.done())
            step();
        return handle.promise().take();
    }
    // Until all that was spawned has ended. Throws the first exception that left one of them.
    void run()
    {
        check_process();
        entered inside(this);
        for (remove_ended(); !spawned_.empty(); remove_ended())
            step();
    }
    // Begins a task at once, as far as it comes, and goes on with it in run().
    void spawn(task<> one)
    {
        check_process();
        if (!one.handle_)
            detail::raise_own(PS_ERROR_VALUE, "loop: the task was moved from");
        auto handle = one.handle_;
        spawned_.push_back(std::move(one));
        entered inside(this);
        handle.resume();
    }
    // From any thread: resumes a coroutine in run(). As an executor: see on().
    void post(std::coroutine_handle<> handle)
    {
        {
            detail::locked lock(mutex_);
            posted_.push_back(handle);
        }
        const uint64_t one = 1;
        while (write(wake_, &one, sizeof one) < 0 && errno == EINTR) {
        }
    }
    void operator()(std::coroutine_handle<> handle)
    {
        post(handle);
    }
    // A coroutine that was posted, has not been resumed, and is about to be destroyed.
    void forget(std::coroutine_handle<> handle) noexcept
    {
        detail::locked lock(mutex_);
        std::erase(posted_, handle);
    }

    // The loop that the calling thread is in; nullptr if it is in none.
    static loop *current() noexcept
    {
        return current_;
    }

  private:
    friend class array_awaiter;

    struct entered {
        explicit entered(loop *self) noexcept : before(std::exchange(current_, self)) {}
        ~entered()
        {
            current_ = before;
        }
        loop *before;
    };

    struct place {
        std::coroutine_handle<> handle = nullptr;
        array_awaiter *awaiter = nullptr;
        uint32_t turn = 0; // which wait it is in: completions of earlier ones are passed over
    };

    void let_go() noexcept;
    // Parent and child of a fork would wake each other.
    void check_process() const
    {
        if (process_ != getpid())
            detail::raise_own(PS_ERROR_RUNTIME,
                              "loop: it was made before this process was forked: make another");
    }
    uint64_t watch(const array &x, std::coroutine_handle<> handle, array_awaiter *awaiter)
    {
        size_t i = 0;
        while (i < places_.size() && places_[i].handle)
            i++;
        if (i == places_.size())
            places_.emplace_back();
        uint64_t tag = static_cast<uint64_t>(++places_[i].turn) << 32 | i;
        detail::check(ps_completions_watch_tensor(completions_, x.handle(), tag));
        places_[i].handle = handle;
        places_[i].awaiter = awaiter;
        return tag;
    }
    void leave(uint64_t tag) noexcept
    {
        place &one = places_[tag & UINT32_MAX];
        if (one.turn == tag >> 32)
            one.handle = nullptr;
    }

    void resume_complete();
    size_t posted()
    {
        detail::locked lock(mutex_);
        return posted_.size();
    }
    std::coroutine_handle<> take_posted()
    {
        detail::locked lock(mutex_);
        if (posted_.empty())
            return nullptr;
        auto next = posted_.front();
        posted_.erase(posted_.begin());
        return next;
    }
    void resume_posted()
    {
        size_t count = posted(); // later ones have their turn after arrays that are there
        for (; count != 0; count--)
            if (auto next = take_posted())
                next.resume();
    }
    void step()
    {
        pollfd files[] = {{ps_completions_fd(completions_), POLLIN, 0}, {wake_, POLLIN, 0}};
        // What a coroutine of another kind left behind by throwing out of resume() is still there.
        if (poll(files, 2, posted() != 0 ? 0 : -1) < 0 && errno != EINTR)
            detail::raise_own(PS_ERROR_RUNTIME, "loop: poll failed");
        uint64_t count;
        if (files[1].revents != 0)
            while (read(wake_, &count, sizeof count) < 0 && errno == EINTR) {
            }
        resume_complete();
        resume_posted();
    }
    void remove_ended()
    {
        std::exception_ptr error;
        for (size_t i = 0; i < spawned_.size() && !error;) {
            if (!spawned_[i].handle_.done()) {
                i++;
                continue;
            }
            error = spawned_[i].handle_.promise().error;
            spawned_.erase(spawned_.begin() + static_cast<std::ptrdiff_t>(i));
        }
        if (error)
            std::rethrow_exception(error);
    }

    static inline thread_local loop *current_ = nullptr;

    ps_completions *completions_ = nullptr;
    int wake_ = -1;
    pid_t process_ = getpid();
    std::vector<place> places_;
    std::vector<task<>> spawned_;
    detail::mutex mutex_;
    std::vector<std::coroutine_handle<>> posted_; // guarded by mutex_
};

class array_awaiter
{
  public:
    array_awaiter(const array &x, location at) : x_(x), at_(at)
    {
        x.checked(at);
    }
    array_awaiter(const array_awaiter &) = delete;
    array_awaiter &operator=(const array_awaiter &) = delete;
    ~array_awaiter()
    {
        if (loop_ != nullptr)
            loop_->leave(tag_);
    }

    bool await_ready() const
    {
        return x_.is_ready(at_);
    }
    void await_suspend(std::coroutine_handle<> handle)
    {
        loop *current = loop::current();
        if (current == nullptr)
            detail::raise_own(PS_ERROR_RUNTIME,
                              "co_await: this thread is in no loop: run the task by loop::run, or "
                              "await on(executor, x)",
                              "co_await", at_.id());
        tag_ = current->watch(x_, handle, this);
        loop_ = current;
    }
    array await_resume()
    {
        loop_ = nullptr;
        if (status_ != PS_OK || x_.is_ready(at_))
            x_.wait(at_); // throws what marks it; there is nothing to wait for
        return std::move(x_);
    }

  private:
    friend class loop;

    array x_;
    location at_;
    loop *loop_ = nullptr; // while it is suspended
    uint64_t tag_ = 0;
    ps_status status_ = PS_OK;
};

inline void loop::let_go() noexcept
{
    for (const place &one : places_)
        if (one.handle)
            one.awaiter->loop_ = nullptr;
}

inline void loop::resume_complete()
{
    uint64_t tag;
    ps_status status;
    while (ps_completions_pop(completions_, &tag, &status) == PS_OK) {
        place &one = places_[tag & UINT32_MAX];
        if (one.turn != tag >> 32 || !one.handle)
            continue;
        one.awaiter->status_ = status;
        std::exchange(one.handle, nullptr).resume();
    }
}

inline array_awaiter operator co_await(const array &x)
{
    return array_awaiter(x, location::unknown());
}

namespace detail
{

// Something to be done when an array is there, on the watching thread.
struct watched {
    virtual ~watched() = default;
    virtual void fire(ps_status status) noexcept = 0;
};

// A thread that sleeps until arrays are there. It is made at the first use and lives as long as the
// process. A fork waits until what it took has been fired; the child has a thread of its own.
class watching
{
  public:
    static watching &instance()
    {
        static watching *self = new watching;
        return *self;
    }
    // Takes `what` over if it does not throw.
    void add(const array &x, watched *what, location at)
    {
        if (!__atomic_load_n(&running_, __ATOMIC_ACQUIRE)) [[unlikely]]
            start(at);
        check(ps_completions_watch_tensor(completions_, x.checked(at),
                                          static_cast<uint64_t>(reinterpret_cast<uintptr_t>(what))),
              at.id());
    }

  private:
    watching()
    {
        check(ps_completions_create(engine(), &completions_));
        self_ = this;
        static const int noted = pthread_atfork(before_fork, after_fork, in_child);
        forks_noted_ = noted == 0;
    }
    void start(location at)
    {
        locked hold(turn_);
        if (!running_ && (!forks_noted_ || !try_start()))
            raise_own(PS_ERROR_RUNTIME, "the thread that watches arrays could not be started",
                      nullptr, at.id());
    }
    // Under the lock, or where there is one thread alone.
    bool try_start() noexcept
    {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, run, this) != 0)
            return false;
        pthread_detach(thread);
        __atomic_store_n(&running_, true, __ATOMIC_RELEASE); // pairs with add()
        return true;
    }
    static void *run(void *arg)
    {
        auto *self = static_cast<watching *>(arg);
        is_here_ = true;
        for (;;) {
            pollfd file = {ps_completions_fd(self->completions_), POLLIN, 0};
            poll(&file, 1, -1);
            self->fire_complete();
        }
        return nullptr;
    }
    void fire_complete()
    {
        locked hold(turn_);
        uint64_t tag;
        ps_status status;
        while (ps_completions_pop(completions_, &tag, &status) == PS_OK) {
            auto *what = reinterpret_cast<watched *>(static_cast<uintptr_t>(tag));
            what->fire(status);
            delete what;
        }
    }

    static void before_fork()
    {
        self_->turn_.lock();
    }
    static void after_fork()
    {
        self_->turn_.unlock();
    }
    // The library's own handler has run before: it was there first.
    static void in_child()
    {
        self_->turn_.renew(); // it knows its thread by a number that is another one here
        if (!is_here_) {      // else it was a function that this thread calls that forked
            self_->running_ = false;
            self_->try_start(); // or the next that is added says that it cannot
        }
    }

    static inline watching *self_ = nullptr;
    static inline thread_local bool is_here_ = false; // the thread is the one that watches

    ps_completions *completions_ = nullptr;
    bool forks_noted_ = false;
    bool running_ = false; // written under the lock, or in a new child
    mutex turn_;           // held while what is complete is taken and fired
};

// What an awaiter and its watch share; the awaiter may go first.
struct executor_wait {
    mutex lock;
    std::coroutine_handle<> handle = nullptr; // nullptr: nobody waits any more
    ps_status status = PS_OK;
    std::exception_ptr error = nullptr; // of the executor
    bool destroyed = false;             // the frame is going, without the lock
    int references = 1;

    executor_wait *share() noexcept
    {
        __atomic_fetch_add(&references, 1, __ATOMIC_RELAXED);
        return this;
    }
    void release() noexcept
    {
        if (__atomic_sub_fetch(&references, 1, __ATOMIC_ACQ_REL) == 0)
            delete this;
    }
};

template <class Executor> struct executor_watched final : watched {
    executor_watched(Executor &to, executor_wait *shared) : executor(to), wait(shared->share()) {}
    ~executor_watched() override
    {
        wait->release();
    }
    void fire(ps_status status) noexcept override
    {
        // Held until the executor has returned, so that a frame which is destroyed meanwhile, and the
        // executor with it, waits for that. An executor may resume, and so destroy, in the call.
        locked hold(wait->lock);
        wait->status = status;
        auto handle = std::exchange(wait->handle, nullptr);
        if (!handle)
            return;
        try {
            executor(handle);
        } catch (...) { // nobody else will resume it
            wait->error = std::current_exception();
            if (!__atomic_load_n(&wait->destroyed, __ATOMIC_RELAXED))
                handle.resume();
        }
    }
    Executor &executor;
    executor_wait *wait;
};

template <class Executor> class executor_awaiter
{
  public:
    executor_awaiter(Executor &executor, const array &x, location at)
        : executor_(executor), x_(x), at_(at)
    {
        x.checked(at);
    }
    executor_awaiter(const executor_awaiter &) = delete;
    executor_awaiter &operator=(const executor_awaiter &) = delete;
    ~executor_awaiter()
    {
        if (wait_ == nullptr)
            return;
        bool fired;
        __atomic_store_n(&wait_->destroyed, true, __ATOMIC_RELAXED);
        {
            locked hold(wait_->lock);
            fired = !std::exchange(wait_->handle, nullptr);
        }
        if constexpr (requires { executor_.forget(handle_); })
            if (fired && !resumed_)
                executor_.forget(handle_);
        wait_->release();
    }
    bool await_ready() const noexcept
    {
        return false; // it is to go on where the executor says
    }
    void await_suspend(std::coroutine_handle<> handle)
    {
        wait_ = new executor_wait;
        wait_->handle = handle_ = handle;
        auto *what = new executor_watched<Executor>(executor_, wait_);
        array x = x_; // the coroutine may go on, and end, before this returns
        location at = at_;
        try {
            watching::instance().add(x, what, at);
        } catch (...) {
            delete what;
            throw;
        }
    }
    array await_resume()
    {
        resumed_ = true;
        if (wait_->error)
            std::rethrow_exception(wait_->error);
        if (wait_->status != PS_OK || x_.is_ready(at_))
            x_.wait(at_);
        return std::move(x_);
    }

  private:
    Executor &executor_;
    array x_;
    location at_;
    executor_wait *wait_ = nullptr;
    std::coroutine_handle<> handle_ = nullptr;
    bool resumed_ = false;
};

} // namespace detail

// To be awaited: goes on when the value of x is there, wherever executor(handle) has it resumed. The
// executor must live until then, be callable from another thread, and not wait for the coroutine, which
// may be resumed at once but gets beyond the expression with co_await only when the call has returned.
// If it throws, which it may only do before it has passed the handle on, the coroutine goes on at once,
// and co_await throws the same. A coroutine that is destroyed after the executor was called and before
// it is resumed is told to executor.forget(handle), where there is one. A loop is an executor.
template <class Executor>
detail::executor_awaiter<Executor> on(Executor &executor, const array &x, location at = location())
{
    return detail::executor_awaiter<Executor>(executor, x, at);
}

} // namespace penstock

#endif
