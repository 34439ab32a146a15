// What arrays, views and selections can be asked beside the operations of the table.
#ifndef PENSTOCK_MEMBERS_HPP
#define PENSTOCK_MEMBERS_HPP

#include <penstock/types.hpp>

#include <array>
#include <string>
#include <vector>

namespace penstock
{

class array;
class operand;
class arrays;
class value;
template <element T> class snapshot;

inline array cast(const operand &x_, penstock::dtype dtype_, location at); // in ops.hpp

namespace detail
{

template <class Options, class Self> struct no_options {
    static Options make()
    {
        return {};
    }
};

template <class Array> struct future_of; // in <penstock/future.hpp>

// Of std::chrono, whose header is long: a duration in nanoseconds.
template <class Duration> int64_t nanoseconds(const Duration &duration)
{
    using period = typename Duration::period;
    auto exact = static_cast<double>(duration.count()) * 1e9 * static_cast<double>(period::num) /
                 static_cast<double>(period::den);
    return exact <= 0 ? 0 : exact >= 9e18 ? INT64_MAX : static_cast<int64_t>(exact);
}

template <class T> void check_type(ps_tensor *tensor, const char *what, location at)
{
    ps_dtype type = ps_tensor_dtype(tensor);
    if (type != static_cast<ps_dtype>(dtype_of<T>)) [[unlikely]]
        raise_own(PS_ERROR_TYPE,
                  std::string(what) + "<T>: T is " + name(dtype_of<T>) + ", the elements are " +
                      ps_dtype_name(type),
                  what, at.id());
}

} // namespace detail

template <class Self, class Array> struct members {
    // ---- What is known without waiting ----
    penstock::dtype dtype(location at = location()) const
    {
        return static_cast<penstock::dtype>(ps_tensor_dtype(tensor(at)));
    }
    int ndim(location at = location()) const
    {
        return ps_tensor_ndim(tensor(at));
    }
    std::vector<int64_t> shape(location at = location()) const
    {
        ps_tensor *x = tensor(at);
        const int64_t *lengths = ps_tensor_shape(x);
        return std::vector<int64_t>(lengths, lengths + ps_tensor_ndim(x));
    }
    // The length of one dimension; negative ones count from the end.
    int64_t shape(integer axis, location at = location()) const
    {
        ps_tensor *x = tensor(at);
        int64_t ndim = ps_tensor_ndim(x), place = axis < 0 ? axis + ndim : int64_t(axis);
        if (place < 0 || place >= ndim) [[unlikely]]
            detail::raise_own(PS_ERROR_AXIS,
                              "axis " + std::to_string(int64_t(axis)) +
                                  " is out of range for an array of " + std::to_string(ndim) +
                                  " dimensions",
                              "shape", at.id());
        return ps_tensor_shape(x)[place];
    }
    // How many elements.
    int64_t size(location at = location()) const
    {
        return ps_tensor_count(tensor(at));
    }
    // Whether both are views of the same elements' memory.
    bool shares(const Array &other, location at = location()) const
    {
        return ps_tensor_shares(tensor(at), other.checked(at));
    }

    // ---- Views and copies ----
    // All dimensions reversed: a view.
    Array T(location at = location()) const
    {
        ps_tensor *made = nullptr;
        detail::check(ps_tensor_permute(tensor(at), nullptr, 0, &made), at.id());
        return Array::adopt(made);
    }
    // A copy in another element type.
    Array astype(penstock::dtype type, location at = location()) const
    {
        return penstock::cast(me(at), type, at);
    }

    // ---- Gradients: see grad.hpp ----
    // Asks for the gradient: each backward() writes it, or adds to it.
    void attach_grad(bool add = false, location at = location()) const
    {
        detail::check(ps_grad_attach(tensor(at), add ? PS_GRAD_ADD : PS_GRAD_WRITE, nullptr),
                      at.id());
    }
    // The gradient; empty if none was asked for.
    Array grad(location at = location()) const
    {
        ps_tensor *found = nullptr;
        detail::check(ps_grad_get(tensor(at), &found), at.id());
        return Array::adopt(found);
    }
    // The same elements outside of any graph.
    Array detach(location at = location()) const
    {
        ps_tensor *made = nullptr;
        detail::check(ps_tensor_detach(tensor(at), &made), at.id());
        return Array::adopt(made);
    }
    // Gradients of the sum of the elements to all that have one attached.
    void backward(location at = location()) const
    {
        ps_tensor *head = tensor(at);
        ps_backward_options options = {};
        options.size = sizeof options;
        options.location = at.id();
        detail::check(ps_backward(&head, 1, &options), at.id(), "backward");
    }

    // ---- Waiting ----
    // Until the value is there; throws what went wrong in making it.
    void wait(location at = location()) const
    {
        detail::check(ps_tensor_wait(tensor(at), nullptr), at.id());
    }
    // The same for so long at most: false if it is not there then.
    template <class Duration> bool wait_for(const Duration &time, location at = location()) const
    {
        ps_wait_options options = {sizeof options, detail::nanoseconds(time)};
        ps_status status = ps_tensor_wait(tensor(at), &options);
        if (status == PS_ERR_TIMEOUT)
            return false;
        detail::check(status, at.id());
        return true;
    }
    bool is_ready(location at = location()) const
    {
        return ps_tensor_is_ready(tensor(at));
    }

    // A std::future of it. Needs <penstock/future.hpp>.
    template <class Future = Array> auto future(location at = location()) const
    {
        return detail::future_of<Future>::make(me(at), at);
    }

    // ---- Reading, which waits. T must be the element type ----
    // The only element.
    template <element Element> Element item(location at = location()) const
    {
        ps_tensor *x = tensor(at);
        detail::check_type<Element>(x, "item", at);
        if (ps_tensor_count(x) != 1) [[unlikely]] {
            ps_scalar scalar;
            detail::check(ps_tensor_item(x, &scalar), at.id(), "item");
        }
        Element element;
        detail::check(ps_tensor_to_host(x, &element, sizeof element), at.id());
        return element;
    }
    // All elements, the last dimension fastest.
    template <element Element> std::vector<Element> to_vector(location at = location()) const
    {
        ps_tensor *x = tensor(at);
        detail::check_type<Element>(x, "to_vector", at);
        auto count = static_cast<size_t>(ps_tensor_count(x));
        if constexpr (std::is_same_v<Element, bool>) {
            std::string bytes(count, '\0'); // a vector of bool has no memory to copy to
            detail::check(ps_tensor_to_host(x, bytes.data(), count), at.id());
            return std::vector<bool>(bytes.begin(), bytes.end());
        } else {
            std::vector<Element> elements(count);
            detail::check(ps_tensor_to_host(x, elements.data(), count * sizeof(Element)), at.id());
            return elements;
        }
    }
    // The elements as they are now, as a std::span: later writes do not change them.
    template <element Element> snapshot<Element> read(location at = location()) const
    {
        return snapshot<Element>(me(at), at);
    }
    // The library's text of the elements, as NumPy's str().
    std::string text(location at = location()) const
    {
        ps_tensor *x = tensor(at);
        size_t length = 0;
        detail::check(ps_tensor_format(x, nullptr, nullptr, 0, &length), at.id());
        std::string text(length + 1, '\0');
        detail::check(ps_tensor_format(x, nullptr, text.data(), length + 1, &length), at.id());
        text.resize(length < text.size() ? length : text.size() - 1);
        return text;
    }
    // Whether the only element is not zero.
    explicit operator bool() const
    {
        ps_scalar scalar;
        detail::check(ps_tensor_item(tensor(location::unknown()), &scalar));
        switch (scalar.tag) {
        case PS_SCALAR_BOOL:
            return scalar.as.b;
        case PS_SCALAR_DOUBLE:
            return scalar.as.d != 0;
        case PS_SCALAR_COMPLEX:
            return scalar.as.z[0] != 0 || scalar.as.z[1] != 0;
        default:
            return scalar.as.i != 0;
        }
    }

  protected:
    const Array &me(location at) const
    {
        return static_cast<const Self &>(*this).self(at);
    }
    ps_tensor *tensor(location at) const
    {
        return me(at).checked(at);
    }
};

} // namespace penstock

#endif
