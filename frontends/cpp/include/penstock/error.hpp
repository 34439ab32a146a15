// Exceptions. Each derives from penstock::error, which knows the operation and its line, and from
// what C++ has for its kind:
//
//   invalid         std::invalid_argument   a value that cannot be right
//     wrong_type                            an element type
//     wrong_axis                            a dimension that there is not
//   out_of_range    std::out_of_range       a position
//   out_of_memory   std::bad_alloc
//   timed_out       std::runtime_error
//   failure         std::runtime_error      all others
#ifndef PENSTOCK_ERROR_HPP
#define PENSTOCK_ERROR_HPP

#include <penstock/location.hpp>

#include <new>
#include <stdexcept>
#include <string>

namespace penstock
{

namespace detail
{

// What copies of an exception share: copying one must not fail.
struct error_data {
    std::string text, operation, file;
    unsigned line = 0;
    uint64_t more = 0;
    ps_status status = PS_ERR_ARGUMENT;
    ps_error_kind kind = PS_ERROR_VALUE;
    int references = 1;
};

} // namespace detail

class error
{
  public:
    explicit error(detail::error_data *data) noexcept : data_(data) {}
    error(const error &other) noexcept : data_(other.data_)
    {
        __atomic_fetch_add(&data_->references, 1, __ATOMIC_RELAXED);
    }
    error &operator=(const error &other) noexcept
    {
        __atomic_fetch_add(&other.data_->references, 1, __ATOMIC_RELAXED);
        give_up();
        data_ = other.data_;
        return *this;
    }
    virtual ~error()
    {
        give_up();
    }

    // The library's text, the same in all languages: for what failed while running it ends with the
    // operation and the line that queued it.
    virtual const char *what() const noexcept
    {
        return data_->text.c_str();
    }
    // Of what failed while running those of the task, else those of the call; "" and 0 if they are not
    // known.
    const char *operation() const noexcept
    {
        return data_->operation.c_str();
    }
    const char *file() const noexcept
    {
        return data_->file.c_str();
    }
    unsigned line() const noexcept
    {
        return data_->line;
    }
    // Failures that this one stands for besides: see wait_all.
    uint64_t more() const noexcept
    {
        return data_->more;
    }
    ps_status status() const noexcept
    {
        return data_->status;
    }
    ps_error_kind kind() const noexcept
    {
        return data_->kind;
    }

  private:
    void give_up() noexcept
    {
        if (__atomic_sub_fetch(&data_->references, 1, __ATOMIC_ACQ_REL) == 0)
            delete data_;
    }

    detail::error_data *data_;
};

class invalid : public error, public std::invalid_argument
{
  public:
    explicit invalid(detail::error_data *data) : error(data), std::invalid_argument("") {}
    const char *what() const noexcept override
    {
        return error::what();
    }
};

class wrong_type : public invalid
{
  public:
    using invalid::invalid;
};

class wrong_axis : public invalid
{
  public:
    using invalid::invalid;
};

class out_of_range : public error, public std::out_of_range
{
  public:
    explicit out_of_range(detail::error_data *data) : error(data), std::out_of_range("") {}
    const char *what() const noexcept override
    {
        return error::what();
    }
};

class out_of_memory : public error, public std::bad_alloc
{
  public:
    using error::error;
    const char *what() const noexcept override
    {
        return error::what();
    }
};

class failure : public error, public std::runtime_error
{
  public:
    explicit failure(detail::error_data *data) : error(data), std::runtime_error("") {}
    const char *what() const noexcept override
    {
        return error::what();
    }
};

class timed_out : public failure
{
  public:
    using failure::failure;
};

namespace detail
{

[[noreturn, gnu::cold, gnu::noinline]] inline void raise_data(error_data *data)
{
    switch (data->kind) {
    case PS_ERROR_VALUE:
        throw invalid(data);
    case PS_ERROR_TYPE:
        throw wrong_type(data);
    case PS_ERROR_AXIS:
        throw wrong_axis(data);
    case PS_ERROR_INDEX:
        throw out_of_range(data);
    case PS_ERROR_MEMORY:
        throw out_of_memory(data);
    case PS_ERROR_TIMEOUT:
        throw timed_out(data);
    default:
        throw failure(data);
    }
}

// Where the call was.
inline void set_place(error_data *data, uint64_t id)
{
    ps_place place = {};
    place.size = sizeof place;
    if (id == 0 || !ps_location_resolve(id, &place))
        return;
    if (place.file != nullptr)
        data->file = place.file;
    data->line = static_cast<unsigned>(place.line);
}

// The exception for what the library has said last on this thread.
[[noreturn, gnu::cold, gnu::noinline]] inline void raise(const char *operation, uint64_t id)
{
    ps_error_info info = {};
    info.size = sizeof info;
    ps_last_error_info(&info);
    auto *data = new error_data;
    data->text = info.text != nullptr ? info.text : "";
    data->status = info.status;
    data->kind = info.kind;
    data->more = info.more;
    if (info.operation != nullptr)
        data->operation = info.operation;
    else if (operation != nullptr)
        data->operation = operation;
    if (info.file != nullptr) {
        data->file = info.file;
        data->line = info.line;
    }
    if (info.sequence == 0) // else the call only waited: the line is the task's, or not known
        set_place(data, id);
    raise_data(data);
}

// An exception with a text of this header's own.
[[noreturn, gnu::cold, gnu::noinline]] inline void
raise_own(ps_error_kind kind, std::string text, const char *operation = nullptr, uint64_t id = 0)
{
    auto *data = new error_data;
    data->text = std::move(text);
    data->kind = kind;
    data->status = kind == PS_ERROR_INDEX     ? PS_ERR_INDEX
                   : kind == PS_ERROR_TYPE    ? PS_ERR_TYPE
                   : kind == PS_ERROR_RUNTIME ? PS_ERR_STATE
                                              : PS_ERR_ARGUMENT;
    if (operation != nullptr)
        data->operation = operation;
    set_place(data, id);
    raise_data(data);
}

inline void check(ps_status status, uint64_t id = 0, const char *operation = nullptr)
{
    if (status != PS_OK) [[unlikely]]
        raise(operation, id);
}

} // namespace detail
} // namespace penstock

#endif
