// Element types, numbers, integers and lists of integers, as arguments of operations.
#ifndef PENSTOCK_TYPES_HPP
#define PENSTOCK_TYPES_HPP

#include <penstock/error.hpp>

#include <concepts>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

namespace penstock
{

enum class dtype : int {
    bool_ = PS_BOOL,
    int8 = PS_INT8,
    int16 = PS_INT16,
    int32 = PS_INT32,
    int64 = PS_INT64,
    uint8 = PS_UINT8,
    uint16 = PS_UINT16,
    uint32 = PS_UINT32,
    uint64 = PS_UINT64,
    float16 = PS_FLOAT16,
    bfloat16 = PS_BFLOAT16,
    float32 = PS_FLOAT32,
    float64 = PS_FLOAT64,
    complex64 = PS_COMPLEX64,
    complex128 = PS_COMPLEX128
};

using enum dtype; // penstock::float32 and so on

// "float32"
inline const char *name(dtype type)
{
    return ps_dtype_name(static_cast<ps_dtype>(type));
}

// Elements of 16 bits, for which C++20 has no type.
struct half_bits {
    uint16_t bits;
    bool operator==(const half_bits &) const = default;
};
struct bfloat_bits {
    uint16_t bits;
    bool operator==(const bfloat_bits &) const = default;
};

namespace detail
{

// std::complex, whose header is long, by what it is.
template <class T>
concept complex_number = requires(const T &x)
{
    typename T::value_type;
    {
        x.real()
        } -> std::same_as<typename T::value_type>;
    {
        x.imag()
        } -> std::same_as<typename T::value_type>;
}
&&std::floating_point<typename T::value_type> && sizeof(T) == 2 * sizeof(typename T::value_type);

template <class T>
concept arithmetic_number = std::is_arithmetic_v<T>;

template <class T>
concept plain_number = arithmetic_number<T> || complex_number<T>;

template <class T> consteval int dtype_number()
{
    if constexpr (std::is_same_v<T, bool>)
        return PS_BOOL;
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
        return sizeof(T) == 1   ? PS_INT8
               : sizeof(T) == 2 ? PS_INT16
               : sizeof(T) == 4 ? PS_INT32
               : sizeof(T) == 8 ? PS_INT64
                                : -1;
    else if constexpr (std::is_integral_v<T>)
        return sizeof(T) == 1   ? PS_UINT8
               : sizeof(T) == 2 ? PS_UINT16
               : sizeof(T) == 4 ? PS_UINT32
               : sizeof(T) == 8 ? PS_UINT64
                                : -1;
    else if constexpr (std::is_same_v<T, float>)
        return PS_FLOAT32;
    else if constexpr (std::is_same_v<T, double>)
        return PS_FLOAT64;
    else if constexpr (std::is_same_v<T, half_bits>)
        return PS_FLOAT16;
    else if constexpr (std::is_same_v<T, bfloat_bits>)
        return PS_BFLOAT16;
    else if constexpr (complex_number<T>)
        return sizeof(T) == 8 ? PS_COMPLEX64 : sizeof(T) == 16 ? PS_COMPLEX128 : -1;
    else
        return -1;
}

} // namespace detail

// Types that elements of an array can have, as they lie in memory.
template <class T>
concept element = detail::dtype_number<std::remove_cv_t<T>>()
>= 0;

template <element T>
inline constexpr dtype dtype_of = static_cast<dtype>(detail::dtype_number<std::remove_cv_t<T>>());

// A number of the program. Beside an array it is weak: it takes the array's element type where that
// can hold its kind.
class number
{
  public:
    template <detail::plain_number T> number(T x) noexcept
    {
        if constexpr (detail::complex_number<T>) {
            scalar_.tag = PS_SCALAR_COMPLEX;
            scalar_.as.z[0] = static_cast<double>(x.real());
            scalar_.as.z[1] = static_cast<double>(x.imag());
        } else if constexpr (std::is_same_v<T, bool>) {
            scalar_.tag = PS_SCALAR_BOOL;
            scalar_.as.b = x;
        } else if constexpr (std::is_floating_point_v<T>) {
            scalar_.tag = PS_SCALAR_DOUBLE;
            scalar_.as.d = static_cast<double>(x);
        } else if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) {
            // The library takes what fits int64 as such, so that it beside an array is like any other.
            scalar_.tag = x > static_cast<uint64_t>(INT64_MAX) ? PS_SCALAR_UINT64 : PS_SCALAR_INT64;
            scalar_.as.u = x;
        } else {
            scalar_.tag = PS_SCALAR_INT64;
            scalar_.as.i = static_cast<int64_t>(x);
        }
    }
    explicit number(const ps_scalar &scalar) noexcept : scalar_(scalar) {}

    const ps_scalar &scalar() const noexcept
    {
        return scalar_;
    }

  private:
    ps_scalar scalar_;
};

// An integer argument, from any type of integers.
class integer
{
  public:
    template <std::integral T>
    requires(!std::is_same_v<T, bool>) constexpr integer(T x) : value_(static_cast<int64_t>(x))
    {
        if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 8)
            if (x > static_cast<T>(INT64_MAX)) [[unlikely]]
                detail::raise_own(PS_ERROR_VALUE,
                                  std::to_string(x) + " is too large for an integer of 64 bits");
    }
    constexpr operator int64_t() const noexcept
    {
        return value_;
    }

  private:
    int64_t value_;
};

struct none_t {
    explicit constexpr none_t(int) {}
};
inline constexpr none_t none{0}; // an argument that is left out

// Some integers: axes, a shape. From one, from a list in braces, from a span, vector or array.
class ints
{
  public:
    ints() noexcept : count_(0) {}
    ints(none_t) noexcept : count_(0), none_(true) {}
    template <std::integral T>
    requires(!std::is_same_v<T, bool>) ints(T one) : count_(1)
    {
        values_[0] = integer(one);
    }
    ints(std::initializer_list<integer> list)
    {
        fill(list.begin(), list.size());
    }
    template <class Range>
    requires requires(const Range &range)
    {
        {
            std::data(range)
            } -> std::convertible_to<const void *>;
        {
            *std::data(range)
            } -> std::convertible_to<integer>;
        std::size(range);
    }
    ints(const Range &range)
    {
        fill(std::data(range), std::size(range));
    }

    bool is_none() const noexcept
    {
        return none_;
    }
    size_t size() const noexcept
    {
        return count_;
    }
    const int64_t *data() const noexcept
    {
        return values_;
    }
    const int64_t *begin() const noexcept
    {
        return values_;
    }
    const int64_t *end() const noexcept
    {
        return values_ + count_;
    }

  private:
    template <class T> void fill(const T *values, size_t count)
    {
        if (count > PS_DIMS_MAX) [[unlikely]]
            detail::raise_own(PS_ERROR_VALUE, std::to_string(count) + " integers, where at most " +
                                                  std::to_string(PS_DIMS_MAX) +
                                                  " dimensions are possible");
        count_ = static_cast<uint32_t>(count);
        for (size_t i = 0; i < count; i++)
            values_[i] = integer(values[i]);
    }

    int64_t values_[PS_DIMS_MAX];
    uint32_t count_;
    bool none_ = false;
};

// Where random numbers come from: a key and a counter. Copies share both.
class generator
{
  public:
    explicit generator(uint64_t seed)
    {
        detail::check(ps_generator_create(seed, &handle_));
    }
    // The one that everybody shares.
    static generator shared()
    {
        ps_generator *handle = nullptr;
        detail::check(ps_generator_default(&handle));
        detail::check(ps_generator_retain(handle));
        return generator(handle, 0);
    }
    generator(const generator &other) noexcept : handle_(other.handle_)
    {
        ps_generator_retain(handle_);
    }
    generator(generator &&other) noexcept : handle_(other.handle_)
    {
        ps_generator_retain(handle_);
    }
    generator &operator=(const generator &other) noexcept
    {
        ps_generator_retain(other.handle_);
        ps_generator_release(handle_);
        handle_ = other.handle_;
        return *this;
    }
    ~generator()
    {
        ps_generator_release(handle_);
    }

    void seed(uint64_t seed)
    {
        detail::check(ps_generator_seed(handle_, seed));
    }
    ps_generator_state state() const
    {
        ps_generator_state state = {};
        state.size = sizeof state;
        detail::check(ps_generator_get_state(handle_, &state));
        return state;
    }
    void set_state(const ps_generator_state &state)
    {
        detail::check(ps_generator_set_state(handle_, &state));
    }
    ps_generator *handle() const noexcept
    {
        return handle_;
    }

  private:
    generator(ps_generator *handle, int) noexcept : handle_(handle) {}

    ps_generator *handle_ = nullptr;
};

} // namespace penstock

#endif
