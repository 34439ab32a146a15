// clang-format off
// Made from the table of operations by `make generate`; do not edit.
//
// Choices that operations offer, as enums; and the methods of arrays.
#ifndef PENSTOCK_METHODS_HPP
#define PENSTOCK_METHODS_HPP

#include <penstock/members.hpp>

namespace penstock
{

enum class layout { NCHW, NHWC };
namespace detail
{
inline ps_arg arg(layout x)
{
    static const char *const texts[] = {"NCHW", "NHWC"};
    return ps_arg_text(static_cast<unsigned>(x) < 2 ? texts[static_cast<unsigned>(x)] : "?");
}
} // namespace detail

enum class activation { relu };
namespace detail
{
inline ps_arg arg(activation x)
{
    static const char *const texts[] = {"relu"};
    return ps_arg_text(static_cast<unsigned>(x) < 1 ? texts[static_cast<unsigned>(x)] : "?");
}
} // namespace detail

enum class factor { avg, in, out };
namespace detail
{
inline ps_arg arg(factor x)
{
    static const char *const texts[] = {"avg", "in", "out"};
    return ps_arg_text(static_cast<unsigned>(x) < 3 ? texts[static_cast<unsigned>(x)] : "?");
}
} // namespace detail

enum class pad_mode { constant, edge, reflect, symmetric, wrap };
namespace detail
{
inline ps_arg arg(pad_mode x)
{
    static const char *const texts[] = {"constant", "edge", "reflect", "symmetric", "wrap"};
    return ps_arg_text(static_cast<unsigned>(x) < 5 ? texts[static_cast<unsigned>(x)] : "?");
}
} // namespace detail

enum class pick_mode { clip, wrap };
namespace detail
{
inline ps_arg arg(pick_mode x)
{
    static const char *const texts[] = {"clip", "wrap"};
    return ps_arg_text(static_cast<unsigned>(x) < 2 ? texts[static_cast<unsigned>(x)] : "?");
}
} // namespace detail

enum class rnn_mode { rnn_relu, rnn_tanh, lstm, gru };
namespace detail
{
inline ps_arg arg(rnn_mode x)
{
    static const char *const texts[] = {"rnn_relu", "rnn_tanh", "lstm", "gru"};
    return ps_arg_text(static_cast<unsigned>(x) < 4 ? texts[static_cast<unsigned>(x)] : "?");
}
} // namespace detail

enum class side { left, right };
namespace detail
{
inline ps_arg arg(side x)
{
    static const char *const texts[] = {"left", "right"};
    return ps_arg_text(static_cast<unsigned>(x) < 2 ? texts[static_cast<unsigned>(x)] : "?");
}
} // namespace detail

enum class distribution { uniform, gaussian };
namespace detail
{
inline ps_arg arg(distribution x)
{
    static const char *const texts[] = {"uniform", "gaussian"};
    return ps_arg_text(static_cast<unsigned>(x) < 2 ? texts[static_cast<unsigned>(x)] : "?");
}
} // namespace detail

inline array abs(const operand &x_, location at);
struct all_options;
inline array all(const penstock::array &x_, const all_options &options, location at);
struct any_options;
inline array any(const penstock::array &x_, const any_options &options, location at);
struct argmax_options;
inline array argmax(const penstock::array &x_, const argmax_options &options, location at);
struct argmin_options;
inline array argmin(const penstock::array &x_, const argmin_options &options, location at);
struct argsort_options;
inline array argsort(const penstock::array &x_, const argsort_options &options, location at);
struct clip_options;
inline array clip(const operand &x_, const clip_options &options, location at);
inline array conj(const operand &x_, location at);
inline array copy(const operand &x_, location at);
struct cumulative_prod_options;
inline array cumulative_prod(const penstock::array &x_, const cumulative_prod_options &options, location at);
struct cumulative_sum_options;
inline array cumulative_sum(const penstock::array &x_, const cumulative_sum_options &options, location at);
struct diagonal_options;
inline array diagonal(const penstock::array &x_, const diagonal_options &options, location at);
inline array dot(const operand &x1_, const operand &x2_, location at);
inline array floor_divide(const operand &x1_, const operand &x2_, location at);
struct matmul_options;
inline array matmul(const penstock::array &x1_, const penstock::array &x2_, const matmul_options &options, location at);
struct max_options;
inline array max(const penstock::array &x_, const max_options &options, location at);
struct mean_options;
inline array mean(const penstock::array &x_, const mean_options &options, location at);
struct min_options;
inline array min(const penstock::array &x_, const min_options &options, location at);
struct permute_options;
inline array permute(const penstock::array &x_, const permute_options &options, location at);
inline array pow(const operand &x1_, const operand &x2_, location at);
struct prod_options;
inline array prod(const penstock::array &x_, const prod_options &options, location at);
struct repeat_options;
inline array repeat(const penstock::array &x_, integer repeats_, const repeat_options &options, location at);
inline array reshape(const penstock::array &x_, const ints &shape_, location at);
struct round_to_options;
inline array round_to(const penstock::array &x_, const round_to_options &options, location at);
struct squeeze_options;
inline array squeeze(const penstock::array &x_, const squeeze_options &options, location at);
struct std_options;
inline array std(const penstock::array &x_, const std_options &options, location at);
struct sum_options;
inline array sum(const penstock::array &x_, const sum_options &options, location at);
inline array swapaxes(const penstock::array &x_, integer axis1_, integer axis2_, location at);
struct take_options;
inline array take(const penstock::array &x_, const operand &indices_, const take_options &options, location at);
struct trace_options;
inline array trace(const penstock::array &x_, const trace_options &options, location at);
struct var_options;
inline array var(const penstock::array &x_, const var_options &options, location at);

template <class Self, class Array = array> struct methods : members<Self, Array> {
    // abs(x)
    // Absolute value.
    Array abs(location at = location()) const
    {
        return penstock::abs(this->me(at), at);
    }

    // all(x, axis: axes = none, keepdims: bool = false)
    // Whether no element is 0.
    Array all(const all_options &options, location at = location()) const
    {
        return penstock::all(this->me(at), options, at);
    }
    Array all(location at = location()) const
    {
        return penstock::all(this->me(at), detail::no_options<all_options, Self>::make(), at);
    }

    // any(x, axis: axes = none, keepdims: bool = false)
    // Whether one element is not 0.
    Array any(const any_options &options, location at = location()) const
    {
        return penstock::any(this->me(at), options, at);
    }
    Array any(location at = location()) const
    {
        return penstock::any(this->me(at), detail::no_options<any_options, Self>::make(), at);
    }

    // argmax(x, axis: axis = none, keepdims: bool = false)
    // Place of the first largest element, along the axis or in all of x.
    Array argmax(const argmax_options &options, location at = location()) const
    {
        return penstock::argmax(this->me(at), options, at);
    }
    Array argmax(location at = location()) const
    {
        return penstock::argmax(this->me(at), detail::no_options<argmax_options, Self>::make(), at);
    }

    // argmin(x, axis: axis = none, keepdims: bool = false)
    // Place of the first smallest element, along the axis or in all of x.
    Array argmin(const argmin_options &options, location at = location()) const
    {
        return penstock::argmin(this->me(at), options, at);
    }
    Array argmin(location at = location()) const
    {
        return penstock::argmin(this->me(at), detail::no_options<argmin_options, Self>::make(), at);
    }

    // argsort(x, axis: axis = -1, descending: bool = false, stable: bool = true)
    // Positions along the axis of the elements in order, as int64; the order is that of sort.
    Array argsort(const argsort_options &options, location at = location()) const
    {
        return penstock::argsort(this->me(at), options, at);
    }
    Array argsort(location at = location()) const
    {
        return penstock::argsort(this->me(at), detail::no_options<argsort_options, Self>::make(), at);
    }

    // clip(x: tensor or number, min: tensor or number = none, max: tensor or number = none)
    // The operand, but at least min and at most max.
    Array clip(const clip_options &options, location at = location()) const
    {
        return penstock::clip(this->me(at), options, at);
    }
    Array clip(location at = location()) const
    {
        return penstock::clip(this->me(at), detail::no_options<clip_options, Self>::make(), at);
    }

    // conj(x)
    // Complex conjugate.
    Array conj(location at = location()) const
    {
        return penstock::conj(this->me(at), at);
    }

    // copy(x)
    // The same elements in a storage of their own.
    Array copy(location at = location()) const
    {
        return penstock::copy(this->me(at), at);
    }

    // cumulative_prod(x, axis: axis = none, dtype: dtype = none, initial: bool = false)
    // Product of the elements up to each, along the axis or over all of x as one dimension; types as for cumulative_sum. With initial a 1 comes before them.
    Array cumulative_prod(const cumulative_prod_options &options, location at = location()) const
    {
        return penstock::cumulative_prod(this->me(at), options, at);
    }
    Array cumulative_prod(location at = location()) const
    {
        return penstock::cumulative_prod(this->me(at), detail::no_options<cumulative_prod_options, Self>::make(), at);
    }

    // cumulative_sum(x, axis: axis = none, dtype: dtype = none, initial: bool = false)
    // Sum of the elements up to each, along the axis or over all of x as one dimension; small integers and bool add up as int64 or uint64, 16-bit floats as float32. With initial a 0 comes before them.
    Array cumulative_sum(const cumulative_sum_options &options, location at = location()) const
    {
        return penstock::cumulative_sum(this->me(at), options, at);
    }
    Array cumulative_sum(location at = location()) const
    {
        return penstock::cumulative_sum(this->me(at), detail::no_options<cumulative_sum_options, Self>::make(), at);
    }

    // diagonal(x, offset: int = 0, axis1: axis = 0, axis2: axis = 1)
    // A view of the elements on a diagonal of two axes, along a last axis.
    Array diagonal(const diagonal_options &options, location at = location()) const
    {
        return penstock::diagonal(this->me(at), options, at);
    }
    Array diagonal(location at = location()) const
    {
        return penstock::diagonal(this->me(at), detail::no_options<diagonal_options, Self>::make(), at);
    }

    // dot(x1: tensor or number, x2: tensor or number)
    // Sum of products over the last dimension of x1 and the second to last (or only) one of x2.
    Array dot(const operand &x2_, location at = location()) const
    {
        return penstock::dot(this->me(at), x2_, at);
    }

    // floor_divide(x1, x2)
    // Quotient rounded down. Integer division by zero gives 0.
    Array floor_divide(const operand &x2_, location at = location()) const
    {
        return penstock::floor_divide(this->me(at), x2_, at);
    }

    // matmul(x1, x2, transpose1: bool = false, transpose2: bool = false, bias: tensor = none, activation: choice(relu) = none)
    // Matrix product of the last two dimensions, the others broadcast; then bias is added and the activation (relu) applied.
    Array matmul(const penstock::array &x2_, const matmul_options &options, location at = location()) const
    {
        return penstock::matmul(this->me(at), x2_, options, at);
    }
    Array matmul(const penstock::array &x2_, location at = location()) const
    {
        return penstock::matmul(this->me(at), x2_, detail::no_options<matmul_options, Self>::make(), at);
    }

    // max(x, axis: axes = none, keepdims: bool = false)
    // Largest element over the axes; NaN if there is one.
    Array max(const max_options &options, location at = location()) const
    {
        return penstock::max(this->me(at), options, at);
    }
    Array max(location at = location()) const
    {
        return penstock::max(this->me(at), detail::no_options<max_options, Self>::make(), at);
    }

    // mean(x, axis: axes = none, keepdims: bool = false)
    // Mean over the axes; integers as float32.
    Array mean(const mean_options &options, location at = location()) const
    {
        return penstock::mean(this->me(at), options, at);
    }
    Array mean(location at = location()) const
    {
        return penstock::mean(this->me(at), detail::no_options<mean_options, Self>::make(), at);
    }

    // min(x, axis: axes = none, keepdims: bool = false)
    // Smallest element over the axes; NaN if there is one.
    Array min(const min_options &options, location at = location()) const
    {
        return penstock::min(this->me(at), options, at);
    }
    Array min(location at = location()) const
    {
        return penstock::min(this->me(at), detail::no_options<min_options, Self>::make(), at);
    }

    // permute(x, axes: axes = none)
    // A view with the dimensions in another order; reversed if none is given.
    Array permute(const permute_options &options, location at = location()) const
    {
        return penstock::permute(this->me(at), options, at);
    }
    Array permute(location at = location()) const
    {
        return penstock::permute(this->me(at), detail::no_options<permute_options, Self>::make(), at);
    }

    // pow(x1, x2)
    // The first operand raised to the power of the second.
    Array pow(const operand &x2_, location at = location()) const
    {
        return penstock::pow(this->me(at), x2_, at);
    }

    // prod(x, axis: axes = none, keepdims: bool = false, dtype: dtype = none)
    // Product over the axes; small integers and bool multiply as int64 or uint64.
    Array prod(const prod_options &options, location at = location()) const
    {
        return penstock::prod(this->me(at), options, at);
    }
    Array prod(location at = location()) const
    {
        return penstock::prod(this->me(at), detail::no_options<prod_options, Self>::make(), at);
    }

    // repeat(x, repeats: int, axis: axis = none)
    // Each element several times, one behind the other.
    Array repeat(integer repeats_, const repeat_options &options, location at = location()) const
    {
        return penstock::repeat(this->me(at), repeats_, options, at);
    }
    Array repeat(integer repeats_, location at = location()) const
    {
        return penstock::repeat(this->me(at), repeats_, detail::no_options<repeat_options, Self>::make(), at);
    }

    // reshape(x, shape: ints)
    // The same elements in another shape: a view if possible, else a copy. One length may be -1.
    Array reshape(const ints &shape_, location at = location()) const
    {
        return penstock::reshape(this->me(at), shape_, at);
    }

    // round_to(x, decimals: int = 0)
    // Rounded to the nearest number with so many decimals, halves to the even one; below 0 to tens, hundreds and so on.
    Array round_to(const round_to_options &options, location at = location()) const
    {
        return penstock::round_to(this->me(at), options, at);
    }
    Array round_to(location at = location()) const
    {
        return penstock::round_to(this->me(at), detail::no_options<round_to_options, Self>::make(), at);
    }

    // squeeze(x, axis: axes = none)
    // A view without the dimensions of length 1, or without the given ones.
    Array squeeze(const squeeze_options &options, location at = location()) const
    {
        return penstock::squeeze(this->me(at), options, at);
    }
    Array squeeze(location at = location()) const
    {
        return penstock::squeeze(this->me(at), detail::no_options<squeeze_options, Self>::make(), at);
    }

    // std(x, axis: axes = none, correction: float = 0.0, keepdims: bool = false)
    // Square root of the variance.
    Array std(const std_options &options, location at = location()) const
    {
        return penstock::std(this->me(at), options, at);
    }
    Array std(location at = location()) const
    {
        return penstock::std(this->me(at), detail::no_options<std_options, Self>::make(), at);
    }

    // sum(x, axis: axes = none, keepdims: bool = false, dtype: dtype = none)
    // Sum over the axes; small integers and bool add up as int64 or uint64.
    Array sum(const sum_options &options, location at = location()) const
    {
        return penstock::sum(this->me(at), options, at);
    }
    Array sum(location at = location()) const
    {
        return penstock::sum(this->me(at), detail::no_options<sum_options, Self>::make(), at);
    }

    // swapaxes(x, axis1: axis, axis2: axis)
    // A view with two dimensions swapped.
    Array swapaxes(integer axis1_, integer axis2_, location at = location()) const
    {
        return penstock::swapaxes(this->me(at), axis1_, axis2_, at);
    }

    // take(x, indices: positions or number, axis: axis = none)
    // Elements, or slices along the axis, at integer positions. A position out of range is found while running.
    Array take(const operand &indices_, const take_options &options, location at = location()) const
    {
        return penstock::take(this->me(at), indices_, options, at);
    }
    Array take(const operand &indices_, location at = location()) const
    {
        return penstock::take(this->me(at), indices_, detail::no_options<take_options, Self>::make(), at);
    }

    // trace(x, offset: int = 0, axis1: axis = 0, axis2: axis = 1, dtype: dtype = none)
    // Sum of a diagonal of two axes; types as for sum.
    Array trace(const trace_options &options, location at = location()) const
    {
        return penstock::trace(this->me(at), options, at);
    }
    Array trace(location at = location()) const
    {
        return penstock::trace(this->me(at), detail::no_options<trace_options, Self>::make(), at);
    }

    // var(x, axis: axes = none, correction: float = 0.0, keepdims: bool = false)
    // Variance over the axes: squared distances from the mean, divided by count - correction.
    Array var(const var_options &options, location at = location()) const
    {
        return penstock::var(this->me(at), options, at);
    }
    Array var(location at = location()) const
    {
        return penstock::var(this->me(at), detail::no_options<var_options, Self>::make(), at);
    }

};

} // namespace penstock

#endif
