// Arrays that are there when the test says so: nothing depends on time.
#ifndef GATE_HPP
#define GATE_HPP

#include <penstock.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>

// One array whose value is there after open(). A worker is in its task until then, so that nobody who
// waits runs it: tests with several set the number of workers.
class gate
{
  public:
    explicit gate(float value = 1) : x_(ps::empty({1}))
    {
        ps::push({}, {x_}, [shared = shared_, value](auto, auto writes) {
            set(shared->begun);
            shared->opened.wait(false);
            if (value < 0)
                throw std::domain_error("negative");
            writes[0].template span<float>()[0] = value;
        });
        shared_->begun.wait(false);
    }
    gate(const gate &) = delete;
    gate &operator=(const gate &) = delete;
    ~gate()
    {
        open();
    }

    const ps::array &array() const
    {
        return x_;
    }
    void open()
    {
        set(shared_->opened);
    }

  private:
    struct flags {
        std::atomic<bool> begun = false, opened = false;
    };
    static void set(std::atomic<bool> &flag)
    {
        flag = true;
        flag.notify_all();
    }

    std::shared_ptr<flags> shared_ = std::make_shared<flags>();
    ps::array x_;
};

#endif
