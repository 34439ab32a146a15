// Subscripts: x(0, slice(1, 3), newaxis, ellipsis), x(mask), x(places).
//
// Without arrays among them the result is a view: an array that shares the elements. With arrays it is
// a selection, which is read at its first use and is then a copy. Assigning to either where it stands
// writes; assigning to a name that holds a view rebinds the name:
//
//     x(0) = 7;              // writes
//     auto row = x(0);
//     row += 1;              // writes: row and x share
//     row = y;               // row is y now, x stays
#ifndef PENSTOCK_INDEX_HPP
#define PENSTOCK_INDEX_HPP

#include <penstock/array.hpp>
#include <penstock/literal.hpp>

namespace penstock
{

namespace detail
{
struct indexer;
}

struct newaxis_t {
};
struct ellipsis_t {
};
inline constexpr newaxis_t newaxis{};   // a new dimension of length 1
inline constexpr ellipsis_t ellipsis{}; // all dimensions that the other subscripts leave

// slice(): all; slice(start): from there on; slice(start, stop); slice(start, stop, step). Each may be
// `none`, and is then what it is if left out; negative ones count from the end, as in Python.
class slice
{
  public:
    class bound
    {
      public:
        bound(none_t) noexcept : value_(PS_INDEX_NONE) {}
        template <std::integral T>
        requires(!std::is_same_v<T, bool>) bound(T x) : value_(integer(x)) {}
        int64_t value() const noexcept
        {
            return value_;
        }

      private:
        int64_t value_;
    };

    slice(bound start = none, bound stop = none, bound step = none)
        : item_{PS_INDEX_RANGE, start.value(), stop.value(), step.value()}
    {
    }
    const ps_index &item() const noexcept
    {
        return item_;
    }

  private:
    ps_index item_;
};

class view : public array
{
  public:
    explicit view(array &&x) noexcept : array(static_cast<array &&>(x)) {}
    view(const view &) = default;
    view(view &&) = default;
    ~view() = default;

    // A name: rebinds.
    view &operator=(const array &x) &noexcept
    {
        array::operator=(x);
        return *this;
    }
    view &operator=(array &&x) &noexcept
    {
        array::operator=(static_cast<array &&>(x));
        return *this;
    }
    view &operator=(const view &x) &noexcept
    {
        array::operator=(x);
        return *this;
    }
    view &operator=(view &&x) &noexcept
    {
        array::operator=(static_cast<array &&>(x));
        return *this;
    }

    // Where it stands: writes the elements.
    void operator=(const operand &x) &&
    {
        write(x);
    }
    void operator=(const view &x) &&
    {
        write(x);
    }
    void operator=(std::initializer_list<literal> values) &&
    {
        write(array(values));
    }

  private:
    void write(const operand &x)
    {
        if (x.arg().kind == PS_ARG_TENSOR && x.arg().as.tensor == nullptr) [[unlikely]]
            array().checked(x.at());
        detail::check(ps_tensor_set(checked(x.at()), nullptr, 0, x.arg(), x.at().id()), x.at().id(),
                      "assignment");
    }
};

class selection : public methods<selection>
{
  public:
    // The elements, read at the first use.
    operator const array &() const
    {
        return self(at_);
    }

    // A part of what is read; it cannot be assigned to, since that would write to a copy.
    template <class... Items> array operator()(const Items &...items) const;

    // Where it stands: writes the elements.
    void operator=(const operand &x) &&
    {
        write(x);
    }
    void operator=(const selection &x) &&
    {
        write(x);
    }
    void operator=(std::initializer_list<literal> values) &&
    {
        write(array(values));
    }
    selection(const selection &) = default;
    selection(selection &&) = default;
    ~selection() = default;

  private:
    friend class array;
    friend struct members<selection, array>;
    friend class operand;
    friend class value;
    friend struct detail::indexer;

    selection(const array &base, location at)
        : base_(base), version_(ps_tensor_version(base.checked(at))), at_(at)
    {
    }

    void add(const ps_index &item)
    {
        items_.push_back(item);
    }
    void add(const array &x)
    {
        ps_tensor *tensor = x.checked(at_);
        arrays_.push_back(x);
        items_.push_back(
            ps_index_tensor(ps_tensor_dtype(tensor) == PS_BOOL ? PS_INDEX_MASK : PS_INDEX_ARRAY,
                            tensor));
    }

    const array &self(location) const
    {
        if (value_.handle() != nullptr)
            return value_;
        if (ps_tensor_version(base_.handle()) != version_) [[unlikely]]
            detail::raise_own(
                PS_ERROR_RUNTIME,
                "elements that arrays or masks select are read at the first use, and the "
                "array was written before that: keep them with `array y = x(...)`",
                "selection", at_.id());
        ps_tensor *made = nullptr;
        detail::check(ps_tensor_get(base_.handle(), items_.data(), items_.size(), at_.id(), &made),
                      at_.id(), "selection");
        value_ = array::adopt(made);
        return value_;
    }

    void write(const operand &x)
    {
        if (x.arg().kind == PS_ARG_TENSOR && x.arg().as.tensor == nullptr) [[unlikely]]
            array().checked(x.at());
        detail::check(ps_tensor_set(base_.handle(), items_.data(), items_.size(), x.arg(),
                                    x.at().id()),
                      x.at().id(), "assignment");
    }

    array base_;
    uint64_t version_;
    location at_;
    std::vector<ps_index> items_;
    std::vector<array> arrays_;
    mutable array value_;
};

inline operand::operand(const selection &x, location at)
    : arg_(ps_arg_tensor(x.self(at).handle())), at_(at)
{
}

inline value::value(const selection &x) : value(x.self(location())) {}

namespace detail
{

template <class T> decltype(auto) subscript(const T &x)
{
    if constexpr (is_subscript_array<T>) {
        return static_cast<const array &>(x);
    } else if constexpr (std::is_same_v<T, slice>) {
        return x.item();
    } else if constexpr (std::is_same_v<T, newaxis_t>) {
        return ps_index{PS_INDEX_NEW, 0, 0, 0};
    } else if constexpr (std::is_same_v<T, ellipsis_t>) {
        return ps_index{PS_INDEX_ELLIPSIS, 0, 0, 0};
    } else {
        static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>,
                      "a subscript is an integer, a slice, newaxis, ellipsis or an array");
        return ps_index{PS_INDEX_AT, integer(x), 0, 0};
    }
}

// Brackets have no defaults, so that their first operand is made into what has the line.
struct plain_subscript {
    template <class T>
    requires(!is_subscript_array<T>) plain_subscript(const T &x, location where = location())
        : item(subscript(x)), at(where)
    {
    }
    ps_index item;
    location at;
};
struct array_subscript {
    template <class T>
    requires(is_subscript_array<T>) array_subscript(const T &x, location where = location())
        : item(x), at(where)
    {
    }
    const array &item;
    location at;
};

inline const ps_index &subscript(const plain_subscript &x)
{
    return x.item;
}

inline view make_view(const array &x, const ps_index *items, size_t count, location at)
{
    ps_tensor *made = nullptr;
    check(ps_tensor_index(x.checked(at), items, count, &made), at.id(), "index");
    return view(array::adopt(made));
}

} // namespace detail

namespace detail
{

struct indexer {
    template <class... Items>
    static indexed<Items...> get(const array &x, location at, const Items &...items)
    {
        if constexpr (std::is_same_v<indexed<Items...>, view>) {
            const ps_index list[sizeof...(Items) + 1] = {subscript(items)...};
            return make_view(x, list, sizeof...(Items), at);
        } else {
            selection made(x, at);
            (made.add(subscript(items)), ...);
            return made;
        }
    }

    static void update(row &at_row, view &place, const operand &x)
    {
        queue_update(at_row, place, x);
    }
    static void update(row &at_row, selection &place, const operand &x)
    {
        const array &read = place.self(x.at()); // a copy: written in place, as a view is
        queue_update(at_row, read, x);
        place.write(operand(read, x.at()));
    }
};

// x(...) += y
template <class T>
concept written = std::is_same_v<T, view> || std::is_same_v<T, selection>;

template <class Place> void update_place(row &at_row, Place &place, const operand &x)
{
    indexer::update(at_row, place, x);
}

} // namespace detail

template <class... Items> array selection::operator()(const Items &...items) const
{
    return detail::indexer::get(self(at_), at_, items...);
}

inline detail::indexed<> array::operator()(location at) const
{
    return detail::indexer::get(*this, at);
}

template <class A> detail::indexed<A> array::operator()(const A &a, location at) const
{
    return detail::indexer::get(*this, at, a);
}

template <class A, class B>
detail::indexed<A, B> array::operator()(const A &a, const B &b, location at) const
{
    return detail::indexer::get(*this, at, a, b);
}

template <class A, class B, class C>
detail::indexed<A, B, C> array::operator()(const A &a, const B &b, const C &c, location at) const
{
    return detail::indexer::get(*this, at, a, b, c);
}

template <class A, class B, class C, class D>
detail::indexed<A, B, C, D> array::operator()(const A &a, const B &b, const C &c, const D &d,
                                              location at) const
{
    return detail::indexer::get(*this, at, a, b, c, d);
}

template <class A, class B, class C, class D, class E>
detail::indexed<A, B, C, D, E> array::operator()(const A &a, const B &b, const C &c, const D &d,
                                                 const E &e, location at) const
{
    return detail::indexer::get(*this, at, a, b, c, d, e);
}

template <class A, class B, class C, class D, class E, class F>
detail::indexed<A, B, C, D, E, F> array::operator()(const A &a, const B &b, const C &c, const D &d,
                                                    const E &e, const F &f, location at) const
{
    return detail::indexer::get(*this, at, a, b, c, d, e, f);
}

template <class B, class C, class D, class E, class F, class G, class... More>
detail::indexed<B, C, D, E, F, G, More...>
array::operator()(const detail::plain_subscript &a, const B &b, const C &c, const D &d, const E &e,
                  const F &f, const G &g, const More &...more) const
{
    return detail::indexer::get(*this, a.at, a, b, c, d, e, f, g, more...);
}
template <class B, class C, class D, class E, class F, class G, class... More>
selection array::operator()(const detail::array_subscript &a, const B &b, const C &c, const D &d,
                            const E &e, const F &f, const G &g, const More &...more) const
{
    return detail::indexer::get(*this, a.at, a.item, b, c, d, e, f, g, more...);
}

inline view array::operator[](const detail::plain_subscript &one) const
{
    return detail::indexer::get(*this, one.at, one);
}
inline selection array::operator[](const detail::array_subscript &one) const
{
    return detail::indexer::get(*this, one.at, one.item);
}
#if defined(__cpp_multidimensional_subscript)
template <class B, class... More>
detail::indexed<B, More...> array::operator[](const detail::plain_subscript &a, const B &b,
                                              const More &...more) const
{
    return detail::indexer::get(*this, a.at, a, b, more...);
}
template <class B, class... More>
selection array::operator[](const detail::array_subscript &a, const B &b, const More &...more) const
{
    return detail::indexer::get(*this, a.at, a.item, b, more...);
}
#endif

} // namespace penstock

#endif
