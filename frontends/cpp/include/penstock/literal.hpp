// Arrays from lists in braces and from ranges of the program.
#ifndef PENSTOCK_LITERAL_HPP
#define PENSTOCK_LITERAL_HPP

#include <penstock/array.hpp>

namespace penstock
{

// A number, or a list of such; made by the compiler from braces, and gone after the call.
class literal
{
  public:
    template <detail::plain_number T> literal(T x) : number_(x) {}
    literal(std::initializer_list<literal> list) : number_(0), count_(list.size()), is_list_(true)
    {
        items_ = list.begin(); // lives as long as the call that this is made for
    }

    bool is_list() const noexcept
    {
        return is_list_;
    }
    const literal *begin() const noexcept
    {
        return items_;
    }
    const literal *end() const noexcept
    {
        return items_ + count_;
    }
    size_t size() const noexcept
    {
        return count_;
    }
    const ps_scalar &scalar() const noexcept
    {
        return number_.scalar();
    }

  private:
    number number_;
    const literal *items_ = nullptr;
    size_t count_ = 0;
    bool is_list_ = false;
};

namespace detail
{

// The shape of nested lists, which kinds of numbers there are, and the numbers in a row.
class literals
{
  public:
    literals(const literal *list, size_t count, uint64_t id) : id_(id)
    {
        shape_.push_back(static_cast<int64_t>(count));
        if (count != 0)
            find_shape(list[0]);
        collect(list, count, 0);
    }

    array make(const dtype *type) const
    {
        int kind = greatest();
        if (type != nullptr && type_is_integer(*type))
            return cast_checked(*type, kind);
        if (kind == PS_SCALAR_BOOL)
            return converted<bool>([](const ps_scalar &x) { return x.as.b; }, type);
        if (kind == PS_SCALAR_INT64 && type == nullptr)
            return converted<int64_t>([this](const ps_scalar &x) { return to_int64(x); }, type);
        if (kind == PS_SCALAR_COMPLEX)
            return type == nullptr ? complex_of<float>(type) : complex_of<double>(type);
        if (type != nullptr)
            return converted<double>(to_double, type);
        return converted<float>([](const ps_scalar &x) { return static_cast<float>(to_double(x)); },
                                type);
    }

  private:
    static bool type_is_integer(dtype type)
    {
        return type >= dtype::int8 && type <= dtype::uint64;
    }

    void find_shape(const literal &first)
    {
        if (!first.is_list())
            return;
        shape_.push_back(static_cast<int64_t>(first.size()));
        if (first.size() != 0)
            find_shape(*first.begin());
    }

    void collect(const literal *list, size_t count, size_t level)
    {
        if (static_cast<int64_t>(count) != shape_[level])
            raise_own(PS_ERROR_VALUE,
                      "lists in braces of dimension " + std::to_string(level) + " have " +
                          std::to_string(shape_[level]) + " and " + std::to_string(count) +
                          " elements: all must have one length",
                      "array", id_);
        for (size_t i = 0; i < count; i++) {
            bool deeper = level + 1 < shape_.size();
            if (list[i].is_list() != deeper)
                raise_own(PS_ERROR_VALUE,
                          "a list in braces of dimension " + std::to_string(level) +
                              " has numbers and lists beside each other",
                          "array", id_);
            if (deeper)
                collect(list[i].begin(), list[i].size(), level + 1);
            else
                numbers_.push_back(list[i].scalar());
        }
    }

    // Which of bool, int64, double and complex holds all.
    int greatest() const
    {
        if (numbers_.empty())
            return PS_SCALAR_DOUBLE;
        int kind = PS_SCALAR_BOOL;
        for (const ps_scalar &x : numbers_) {
            int one = x.tag == PS_SCALAR_UINT64 ? PS_SCALAR_INT64 : static_cast<int>(x.tag);
            kind = one > kind ? one : kind;
        }
        return kind;
    }

    static double to_double(const ps_scalar &x)
    {
        switch (x.tag) {
        case PS_SCALAR_BOOL:
            return x.as.b;
        case PS_SCALAR_INT64:
            return static_cast<double>(x.as.i);
        case PS_SCALAR_UINT64:
            return static_cast<double>(x.as.u);
        case PS_SCALAR_DOUBLE:
            return x.as.d;
        default:
            return x.as.z[0];
        }
    }

    int64_t to_int64(const ps_scalar &x) const
    {
        if (x.tag == PS_SCALAR_UINT64)
            raise_own(PS_ERROR_VALUE, std::to_string(x.as.u) + " does not fit int64", "array", id_);
        return x.tag == PS_SCALAR_BOOL ? x.as.b : x.as.i;
    }

    template <class T> array from(const T *elements) const
    {
        ps_tensor *made = nullptr;
        check(ps_tensor_from_host(static_cast<ps_dtype>(dtype_of<T>),
                                  static_cast<int>(shape_.size()), shape_.data(), nullptr, elements,
                                  nullptr, &made),
              id_, "array");
        return array::adopt(made);
    }

    array cast_to(const array &x, const dtype *type) const
    {
        static constinit row cast{"cast"};
        if (type == nullptr || static_cast<ps_dtype>(*type) == ps_tensor_dtype(x.handle()))
            return x;
        const ps_arg args[] = {arg(x), arg(*type)};
        ps_tensor *made = nullptr;
        queue_into(cast, args, 2, id_, &made, 1);
        return array::adopt(made);
    }

    template <class T, class F> array converted(F convert, const dtype *type) const
    {
        T *elements = new T[numbers_.size() + 1];
        struct guard {
            T *elements;
            ~guard()
            {
                delete[] elements;
            }
        } owner{elements};
        for (size_t i = 0; i < numbers_.size(); i++)
            elements[i] = convert(numbers_[i]);
        return cast_to(from(elements), type);
    }

    template <class T> array complex_of(const dtype *type) const
    {
        std::vector<T> parts;
        parts.reserve(2 * numbers_.size());
        for (const ps_scalar &x : numbers_) {
            parts.push_back(static_cast<T>(to_double(x)));
            parts.push_back(x.tag == PS_SCALAR_COMPLEX ? static_cast<T>(x.as.z[1]) : T(0));
        }
        ps_tensor *made = nullptr;
        check(ps_tensor_from_host(sizeof(T) == 4 ? PS_COMPLEX64 : PS_COMPLEX128,
                                  static_cast<int>(shape_.size()), shape_.data(), nullptr,
                                  parts.data(), nullptr, &made),
              id_, "array");
        return cast_to(array::adopt(made), type);
    }

    [[noreturn]] void does_not_fit(const std::string &value, dtype type) const
    {
        raise_own(PS_ERROR_VALUE, value + " does not fit " + name(type), "array", id_);
    }

    void check_fits(const ps_scalar &x, dtype type) const
    {
        if (x.tag >= PS_SCALAR_DOUBLE)
            does_not_fit(std::to_string(to_double(x)), type);
        bool is_unsigned = type >= dtype::uint8;
        unsigned bits = 8u * static_cast<unsigned>(ps_dtype_bytes(static_cast<ps_dtype>(type)));
        uint64_t greatest = UINT64_MAX >> (64 - bits + (is_unsigned ? 0 : 1));
        bool negative = x.tag == PS_SCALAR_INT64 && x.as.i < 0;
        if (negative ? is_unsigned || x.as.i < -static_cast<int64_t>(greatest) - 1
                     : x.tag != PS_SCALAR_BOOL && x.as.u > greatest)
            does_not_fit(negative ? std::to_string(x.as.i) : std::to_string(x.as.u), type);
    }

    array cast_checked(dtype type, int) const
    {
        for (const ps_scalar &x : numbers_)
            check_fits(x, type);
        if (type == dtype::uint64)
            return converted<uint64_t>(
                [](const ps_scalar &x) { return x.tag == PS_SCALAR_BOOL ? x.as.b : x.as.u; },
                &type);
        return converted<int64_t>([this](const ps_scalar &x) { return to_int64(x); }, &type);
    }

    std::vector<int64_t> shape_;
    std::vector<ps_scalar> numbers_;
    uint64_t id_;
};

template <class T>
array from_elements(const T *elements, size_t count, const ints *shape, location at)
{
    int64_t product = 1, flat = static_cast<int64_t>(count);
    const int64_t *lengths = shape != nullptr ? shape->data() : &flat;
    int ndim = shape != nullptr ? static_cast<int>(shape->size()) : 1;
    std::string text;
    bool negative = false;
    for (int i = 0; i < ndim; i++) {
        text += (i != 0 ? ", " : "") + std::to_string(lengths[i]);
        negative = negative || lengths[i] < 0;
        if (__builtin_mul_overflow(product, lengths[i], &product))
            negative = true;
    }
    if (negative || product != flat)
        raise_own(PS_ERROR_VALUE,
                  std::to_string(count) + " elements cannot have the shape (" + text + ")", "array",
                  at.id());
    ps_tensor *made = nullptr;
    check(ps_tensor_from_host(static_cast<ps_dtype>(dtype_of<T>), ndim, lengths, nullptr, elements,
                              nullptr, &made),
          at.id(), "array");
    return array::adopt(made);
}

template <class Range> array from_range(const Range &range, const ints *shape, location at)
{
    if constexpr (requires {
                      {
                          range.data()
                          } -> std::convertible_to<const void *>;
                      range.size();
                  }) {
        return from_elements(range.data(), range.size(), shape, at);
    } else if constexpr (std::is_array_v<Range>) {
        return from_elements(range, std::extent_v<Range>, shape, at);
    } else {
        using T = std::remove_cvref_t<decltype(*range.begin())>;
        if constexpr (std::is_same_v<T, bool> || !element<T>) {
            std::string bytes; // a vector of bool has no memory to copy
            for (bool x : range)
                bytes.push_back(x);
            return from_elements(reinterpret_cast<const bool *>(bytes.data()), bytes.size(), shape,
                                 at);
        } else {
            std::vector<T> elements;
            for (const auto &x : range)
                elements.push_back(x);
            return from_elements(elements.data(), elements.size(), shape, at);
        }
    }
}

} // namespace detail

inline array::array(std::initializer_list<literal> values, location at)
    : array(detail::literals(values.begin(), values.size(), at.id()).make(nullptr))
{
}

inline array::array(std::initializer_list<literal> values, penstock::dtype type, location at)
    : array(detail::literals(values.begin(), values.size(), at.id()).make(&type))
{
}

template <detail::plain_number Number> array::array(Number value, location at)
{
    static constinit detail::row full{"full"};
    const bool is_float = std::is_floating_point_v<Number>;
    ps_arg args[] = {ps_arg_ints(nullptr, 0), detail::arg(number(value)), ps_arg()};
    args[2].kind = PS_ARG_NONE;
    if (detail::complex_number<Number> || is_float || std::is_same_v<Number, bool>)
        args[2] = ps_arg_dtype(is_float                       ? PS_FLOAT32
                               : std::is_same_v<Number, bool> ? PS_BOOL
                                                              : PS_COMPLEX64);
    else
        args[2] = ps_arg_dtype(PS_INT64);
    detail::queue_into(full, args, 3, at.id(), &handle_, 1);
}

template <detail::element_range Range>
array::array(const Range &elements, location at) : array(detail::from_range(elements, nullptr, at))
{
}

template <detail::element_range Range>
array::array(const Range &elements, const ints &shape, location at)
    : array(detail::from_range(elements, &shape, at))
{
}

} // namespace penstock

#endif
