// array: one pointer to a handle of the library. Copies share their elements, moves are free. All
// functions queue and return at once unless they say that they wait.
//
// An array that was default-constructed or moved from is empty: all it can do is be assigned to,
// copied, asked and destroyed. Anything else throws penstock::invalid.
#ifndef PENSTOCK_ARRAY_HPP
#define PENSTOCK_ARRAY_HPP

#include <penstock/methods.hpp>
#include <penstock/types.hpp>

#include <array>
#include <string>
#include <vector>

struct DLManagedTensorVersioned;

namespace penstock
{

class view;
class selection;
class literal;
template <element T> class snapshot;

namespace detail
{

template <class T>
concept element_range = requires(const T &range)
{
    range.begin();
    range.end();
    requires element<std::remove_cvref_t<decltype(*range.begin())>>;
}
|| (std::is_array_v<T> && element<std::remove_extent_t<T>>);

struct plain_subscript;
struct array_subscript;

template <class T> inline constexpr bool is_subscript_array = false;
template <> inline constexpr bool is_subscript_array<array> = true;
template <> inline constexpr bool is_subscript_array<view> = true;
template <> inline constexpr bool is_subscript_array<selection> = true;
template <class... Items>
using indexed = std::conditional_t<(is_subscript_array<Items> || ...), selection, view>;

} // namespace detail

class array : public methods<array>
{
  public:
    array() noexcept = default;
    array(const array &other) noexcept : handle_(other.handle_)
    {
        if (handle_ != nullptr)
            ps_tensor_retain(handle_);
    }
    array(array &&other) noexcept : handle_(other.handle_)
    {
        other.handle_ = nullptr;
    }
    array &operator=(const array &other) &noexcept
    {
        array copy(other);
        swap(copy);
        return *this;
    }
    array &operator=(array &&other) &noexcept
    {
        array taken(static_cast<array &&>(other));
        swap(taken);
        return *this;
    }
    ~array()
    {
        if (handle_ != nullptr)
            ps_tensor_release(handle_);
    }

    // {{1, 2}, {3, 4}}: integers become int64, numbers with a point float32 (with a std::complex
    // complex64), true and false bool. All lists of a level must have one length.
    array(std::initializer_list<literal> values, location at = location());
    // The same in a type; a number that does not fit an integer type is an error.
    array(std::initializer_list<literal> values, penstock::dtype type, location at = location());
    // One number, without dimensions, by the same rules.
    template <detail::plain_number Number> explicit array(Number value, location at = location());

    // A copy of elements in their own type, taken before the call returns: a vector, span, array or
    // any other range, with one dimension or in a shape of as many elements.
    template <detail::element_range Range>
    explicit array(const Range &elements, location at = location());
    template <detail::element_range Range>
    array(const Range &elements, const ints &shape, location at = location());

    // Takes over a DLPack struct. Without `copy` the elements are used where they are: nobody may
    // write there as long as the array is used.
    static array from_dlpack(DLManagedTensorVersioned *managed, bool copy = false,
                             location at = location())
    {
        ps_tensor *made = nullptr;
        detail::check(ps_tensor_from_dlpack(managed, copy, &made), at.id());
        return adopt(made);
    }
    // Waits. A snapshot that later writes do not change; its deleter frees it.
    DLManagedTensorVersioned *to_dlpack(location at = location()) const
    {
        DLManagedTensorVersioned *managed = nullptr;
        detail::check(ps_tensor_to_dlpack(checked(at), &managed), at.id());
        return managed;
    }

    // The handle, for calls of the C interface; nullptr if the array is empty.
    ps_tensor *handle() const noexcept
    {
        return handle_;
    }
    // An array for a handle, which it then owns; or for one that is shared.
    static array adopt(ps_tensor *handle) noexcept
    {
        array made;
        made.handle_ = handle;
        return made;
    }
    static array share(ps_tensor *handle) noexcept
    {
        if (handle != nullptr)
            ps_tensor_retain(handle);
        return adopt(handle);
    }
    bool is_empty_handle() const noexcept
    {
        return handle_ == nullptr;
    }
    ps_tensor *checked(location at = location()) const
    {
        if (handle_ == nullptr) [[unlikely]]
            detail::raise_own(PS_ERROR_VALUE, empty_text, nullptr, at.id());
        return handle_;
    }

    void swap(array &other) noexcept
    {
        ps_tensor *mine = handle_;
        handle_ = other.handle_;
        other.handle_ = mine;
    }
    friend void swap(array &a, array &b) noexcept
    {
        a.swap(b);
    }

    // What is read with indices, or written if it is assigned to: integers, slices, newaxis, ellipsis,
    // arrays of positions, masks. Without arrays it is a view, which shares the elements.
    detail::indexed<> operator()(location at = location()) const;
    template <class A> detail::indexed<A> operator()(const A &a, location at = location()) const;
    template <class A, class B>
    detail::indexed<A, B> operator()(const A &a, const B &b, location at = location()) const;
    template <class A, class B, class C>
    detail::indexed<A, B, C> operator()(const A &a, const B &b, const C &c,
                                        location at = location()) const;
    template <class A, class B, class C, class D>
    detail::indexed<A, B, C, D> operator()(const A &a, const B &b, const C &c, const D &d,
                                           location at = location()) const;
    template <class A, class B, class C, class D, class E>
    detail::indexed<A, B, C, D, E> operator()(const A &a, const B &b, const C &c, const D &d,
                                              const E &e, location at = location()) const;
    template <class A, class B, class C, class D, class E, class F>
    detail::indexed<A, B, C, D, E, F> operator()(const A &a, const B &b, const C &c, const D &d,
                                                 const E &e, const F &f,
                                                 location at = location()) const;
    // Of seven and more the first has the line.
    template <class B, class C, class D, class E, class F, class G, class... More>
    detail::indexed<B, C, D, E, F, G, More...>
    operator()(const detail::plain_subscript &a, const B &b, const C &c, const D &d, const E &e,
               const F &f, const G &g, const More &...more) const;
    template <class B, class C, class D, class E, class F, class G, class... More>
    selection operator()(const detail::array_subscript &a, const B &b, const C &c, const D &d,
                         const E &e, const F &f, const G &g, const More &...more) const;
    view operator[](const detail::plain_subscript &one) const;
    selection operator[](const detail::array_subscript &one) const;
#if defined(__cpp_multidimensional_subscript)
    template <class B, class... More>
    detail::indexed<B, More...> operator[](const detail::plain_subscript &a, const B &b,
                                           const More &...more) const;
    template <class B, class... More>
    selection operator[](const detail::array_subscript &a, const B &b, const More &...more) const;
#endif

  private:
    friend struct members<array, array>;

    const array &self(location) const noexcept
    {
        return *this;
    }

    static constexpr const char *empty_text =
        "the array is empty: it was never given a value, or was moved from";

    ps_tensor *handle_ = nullptr;
};

static_assert(sizeof(array) == sizeof(void *));

// An array or a number as an operand, and the line that it stands in. It is for parameters: it does
// not keep the array.
class operand
{
  public:
    operand(const array &x, location at = location()) : arg_(ps_arg_tensor(x.handle())), at_(at) {}
    // What is given up, such as the value of another operation in the same expression, goes as soon
    // as the call is queued. The language would keep it until the expression ends, and what can be
    // seen has to be stored when operations are joined.
    operand(array &&x, location at = location())
        : arg_(ps_arg_tensor(x.handle())), at_(at), given_(&x)
    {
    }
    operand(const selection &x, location at = location());
    template <detail::plain_number T> operand(T x, location at = location()) : at_(at)
    {
        if constexpr (std::is_same_v<T, bool>) {
            arg_ = ps_arg_bool(x);
        } else if constexpr (std::is_floating_point_v<T>) {
            arg_ = ps_arg_double(static_cast<double>(x));
        } else if constexpr (std::is_integral_v<T> && (std::is_signed_v<T> || sizeof(T) < 8)) {
            arg_ = ps_arg_int(static_cast<int64_t>(x));
        } else {
            arg_.kind = PS_ARG_SCALAR;
            arg_.count = 0;
            arg_.as.scalar = number(x).scalar();
        }
    }

    const ps_arg &arg() const noexcept
    {
        return arg_;
    }
    location at() const noexcept
    {
        return at_;
    }
    // After the call: what was given up is empty then.
    void let_go() const noexcept
    {
        if (given_ != nullptr)
            *given_ = array();
    }

  private:
    ps_arg arg_;
    location at_;
    array *given_ = nullptr;
};

// The same for options, which may be kept: it holds the array.
class value
{
  public:
    value(const array &x) : array_(x)
    {
        arg_ = ps_arg_tensor(x.handle());
    }
    value(const selection &x);
    template <detail::plain_number T> value(T x) : arg_(operand(x).arg()) {}

    const ps_arg &arg() const noexcept
    {
        return arg_;
    }

  private:
    array array_;
    ps_arg arg_;
};

// Several arrays: a list in braces, a span, a vector. It is for parameters: it does not keep them.
class arrays
{
  public:
    arrays(std::initializer_list<array> list) noexcept : count_(list.size())
    {
        data_ = list.begin(); // lives as long as the call that this is made for
    }
    arrays(std::span<const array> list) noexcept : data_(list.data()), count_(list.size()) {}
    arrays(const std::vector<array> &list) noexcept : data_(list.data()), count_(list.size()) {}
    template <size_t N>
    arrays(const std::array<array, N> &list) noexcept : data_(list.data()), count_(N)
    {
    }

    size_t size() const noexcept
    {
        return count_;
    }
    const array *begin() const noexcept
    {
        return data_;
    }
    const array *end() const noexcept
    {
        return data_ + count_;
    }
    const array &operator[](size_t i) const noexcept
    {
        return data_[i];
    }
    // An array is a pointer to a handle, and nothing else.
    ps_tensor *const *handles() const noexcept
    {
        return reinterpret_cast<ps_tensor *const *>(data_);
    }

  private:
    const array *data_;
    size_t count_;
};

namespace detail
{

// ---- Arguments of calls ----------------------------------------------------------------------

inline ps_arg arg(const operand &x)
{
    return x.arg();
}
inline ps_arg arg(const array &x)
{
    return ps_arg_tensor(x.handle());
}
inline ps_arg arg(const value &x)
{
    return x.arg();
}
inline ps_arg arg(const number &x)
{
    ps_arg made;
    made.kind = PS_ARG_SCALAR;
    made.count = 0;
    made.as.scalar = x.scalar();
    return made;
}
inline ps_arg arg(integer x)
{
    return ps_arg_int(x);
}
inline ps_arg arg(bool x)
{
    return ps_arg_bool(x);
}
inline ps_arg arg(double x)
{
    return ps_arg_double(x);
}
inline ps_arg arg(const ints &x)
{
    ps_arg made = ps_arg_ints(x.data(), x.size());
    if (x.is_none())
        made.kind = PS_ARG_NONE, made.count = 0;
    return made;
}
inline ps_arg arg(const arrays &x)
{
    return ps_arg_tensors(x.handles(), x.size());
}
inline ps_arg arg(dtype x)
{
    return ps_arg_dtype(static_cast<ps_dtype>(x));
}
inline ps_arg arg(const char *x)
{
    return ps_arg_text(x);
}
inline ps_arg arg(const generator &x)
{
    ps_arg made;
    made.kind = PS_ARG_GENERATOR;
    made.count = 0;
    made.as.generator = x.handle();
    return made;
}
template <class T> ps_arg arg(const std::optional<T> &x)
{
    if (x)
        return arg(*x);
    ps_arg made;
    made.kind = PS_ARG_NONE;
    made.count = 0;
    return made;
}

// ---- Calls -----------------------------------------------------------------------------------

// A row of the table: found at the first call. Threads that meet here find the same one.
struct row {
    const char *name;
    const ps_op *op = nullptr;
};

[[gnu::cold, gnu::noinline]] inline const ps_op *find(row &at_row, uint64_t id)
{
    const ps_op *found = nullptr;
    check(ps_op_find(at_row.name, &found), id, at_row.name);
    __atomic_store_n(&at_row.op, found, __ATOMIC_RELAXED);
    return found;
}

// The library names an argument that is no array by its place alone; here it can be said why.
inline void refuse_empty(const char *name, const ps_op *op, const ps_arg *args, size_t nargs,
                         uint64_t id)
{
    ps_op_info info = {};
    info.size = sizeof info;
    ps_op_get_info(op, &info);
    for (size_t i = 0; i < nargs; i++) {
        bool empty = args[i].kind == PS_ARG_TENSOR && args[i].as.tensor == nullptr;
        for (size_t k = 0; args[i].kind == PS_ARG_TENSORS && k < args[i].count; k++)
            empty = empty || args[i].as.tensors[k] == nullptr;
        if (empty)
            raise_own(PS_ERROR_VALUE,
                      std::string(name) + ": " + (i < info.nargs ? info.args[i].name : "argument") +
                          " is an empty array: it was never given a value, or was moved from",
                      name, id);
    }
}

[[noreturn, gnu::cold, gnu::noinline]] inline void
raise_call(const char *name, const ps_op *op, const ps_arg *args, size_t nargs, uint64_t id)
{
    refuse_empty(name, op, args, nargs, id);
    raise(name, id);
}

inline void queue_into(row &at_row, const ps_arg *args, size_t nargs, uint64_t id,
                       ps_tensor **results, size_t count)
{
    const ps_op *op = __atomic_load_n(&at_row.op, __ATOMIC_RELAXED);
    if (op == nullptr) [[unlikely]]
        op = find(at_row, id);
    ps_call call;
    call.size = sizeof call;
    call.args = args;
    call.nargs = nargs;
    call.outputs = results;
    call.noutputs = count;
    call.device = nullptr;
    call.location = id;
    call.flags = 0;
    if (ps_op_call(op, &call) != PS_OK) [[unlikely]]
        raise_call(at_row.name, op, args, nargs, id);
}

// The operands among the arguments follow, to be let go.
template <class... Operands>
array queue(row &at_row, const ps_arg *args, size_t nargs, location at, const Operands &...operands)
{
    ps_tensor *result = nullptr;
    queue_into(at_row, args, nargs, at.id(), &result, 1);
    (operands.let_go(), ...);
    return array::adopt(result);
}

template <size_t N, class... Operands>
std::array<array, N> queue_several(row &at_row, const ps_arg *args, size_t nargs, location at,
                                   const Operands &...operands)
{
    ps_tensor *results[N] = {};
    queue_into(at_row, args, nargs, at.id(), results, N);
    (operands.let_go(), ...);
    std::array<array, N> made;
    for (size_t i = 0; i < N; i++)
        made[i] = array::adopt(results[i]);
    return made;
}

inline array queue_binary(row &at_row, const operand &a, const operand &b)
{
    const ps_arg args[] = {a.arg(), b.arg()};
    return queue(at_row, args, 2, a.at(), a, b);
}

inline array queue_unary(row &at_row, const operand &a)
{
    return queue(at_row, &a.arg(), 1, a.at(), a);
}

// Into the first operand's elements.
inline void queue_update(row &at_row, const array &x, const operand &b)
{
    const ps_arg args[] = {ps_arg_tensor(x.handle()), b.arg()};
    ps_tensor *result = x.checked(b.at());
    queue_into(at_row, args, 2, b.at().id(), &result, 1);
    b.let_go();
}

} // namespace detail
} // namespace penstock

#endif
