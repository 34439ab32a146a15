// clang-format off
// Made from the table of operations by `make generate`; do not edit.
//
// For each operation a function: required arguments, then a struct of the others, which have
// defaults, as sum(x, {.axis = 0}). Rows with several results give a std::array of them.
#ifndef PENSTOCK_OPS_HPP
#define PENSTOCK_OPS_HPP

#include <penstock/array.hpp>
#include <penstock/index.hpp>

namespace penstock
{

namespace detail
{
inline constinit row row_of_abs{"abs"};
inline constinit row row_of_acos{"acos"};
inline constinit row row_of_acosh{"acosh"};
inline constinit row row_of_adadelta_update{"adadelta_update"};
inline constinit row row_of_adagrad_update{"adagrad_update"};
inline constinit row row_of_adam_update{"adam_update"};
inline constinit row row_of_add{"add"};
inline constinit row row_of_all{"all"};
inline constinit row row_of_allclose{"allclose"};
inline constinit row row_of_any{"any"};
inline constinit row row_of_arange{"arange"};
inline constinit row row_of_argmax{"argmax"};
inline constinit row row_of_argmin{"argmin"};
inline constinit row row_of_argsort{"argsort"};
inline constinit row row_of_array_equal{"array_equal"};
inline constinit row row_of_asin{"asin"};
inline constinit row row_of_asinh{"asinh"};
inline constinit row row_of_assign{"assign"};
inline constinit row row_of_atan{"atan"};
inline constinit row row_of_atan2{"atan2"};
inline constinit row row_of_atanh{"atanh"};
inline constinit row row_of_average{"average"};
inline constinit row row_of_avg_pool2d{"avg_pool2d"};
inline constinit row row_of_avg_pool2d_data{"avg_pool2d_data"};
inline constinit row row_of_batch_norm{"batch_norm"};
inline constinit row row_of_batch_norm_back{"batch_norm_back"};
inline constinit row row_of_batch_norm_train{"batch_norm_train"};
inline constinit row row_of_bce_logits{"bce_logits"};
inline constinit row row_of_bce_logits_weighted{"bce_logits_weighted"};
inline constinit row row_of_bce_probabilities{"bce_probabilities"};
inline constinit row row_of_bce_probabilities_weighted{"bce_probabilities_weighted"};
inline constinit row row_of_bilinear{"bilinear"};
inline constinit row row_of_bitwise_and{"bitwise_and"};
inline constinit row row_of_bitwise_invert{"bitwise_invert"};
inline constinit row row_of_bitwise_left_shift{"bitwise_left_shift"};
inline constinit row row_of_bitwise_or{"bitwise_or"};
inline constinit row row_of_bitwise_right_shift{"bitwise_right_shift"};
inline constinit row row_of_bitwise_xor{"bitwise_xor"};
inline constinit row row_of_broadcast_to{"broadcast_to"};
inline constinit row row_of_cast{"cast"};
inline constinit row row_of_ceil{"ceil"};
inline constinit row row_of_clip{"clip"};
inline constinit row row_of_concatenate{"concatenate"};
inline constinit row row_of_conj{"conj"};
inline constinit row row_of_conv1d{"conv1d"};
inline constinit row row_of_conv2d{"conv2d"};
inline constinit row row_of_conv2d_data{"conv2d_data"};
inline constinit row row_of_conv2d_transpose{"conv2d_transpose"};
inline constinit row row_of_conv2d_weight{"conv2d_weight"};
inline constinit row row_of_copy{"copy"};
inline constinit row row_of_copysign{"copysign"};
inline constinit row row_of_cos{"cos"};
inline constinit row row_of_cosh{"cosh"};
inline constinit row row_of_count_nonzero{"count_nonzero"};
inline constinit row row_of_cross{"cross"};
inline constinit row row_of_cross_entropy_back{"cross_entropy_back"};
inline constinit row row_of_cross_entropy_rows{"cross_entropy_rows"};
inline constinit row row_of_cumulative_prod{"cumulative_prod"};
inline constinit row row_of_cumulative_sum{"cumulative_sum"};
inline constinit row row_of_diag{"diag"};
inline constinit row row_of_diagonal{"diagonal"};
inline constinit row row_of_diff{"diff"};
inline constinit row row_of_divide{"divide"};
inline constinit row row_of_dot{"dot"};
inline constinit row row_of_dropout{"dropout"};
inline constinit row row_of_dropout_by_key{"dropout_by_key"};
inline constinit row row_of_elu{"elu"};
inline constinit row row_of_embedding{"embedding"};
inline constinit row row_of_empty{"empty"};
inline constinit row row_of_equal{"equal"};
inline constinit row row_of_erf{"erf"};
inline constinit row row_of_erfc{"erfc"};
inline constinit row row_of_exp{"exp"};
inline constinit row row_of_exp2{"exp2"};
inline constinit row row_of_expand_dims{"expand_dims"};
inline constinit row row_of_expm1{"expm1"};
inline constinit row row_of_eye{"eye"};
inline constinit row row_of_flip{"flip"};
inline constinit row row_of_floor{"floor"};
inline constinit row row_of_floor_divide{"floor_divide"};
inline constinit row row_of_fmod{"fmod"};
inline constinit row row_of_ftrl_update{"ftrl_update"};
inline constinit row row_of_full{"full"};
inline constinit row row_of_gelu{"gelu"};
inline constinit row row_of_gelu_tanh{"gelu_tanh"};
inline constinit row row_of_global_avg_pool2d{"global_avg_pool2d"};
inline constinit row row_of_global_max_pool2d{"global_max_pool2d"};
inline constinit row row_of_global_norm{"global_norm"};
inline constinit row row_of_greater{"greater"};
inline constinit row row_of_greater_equal{"greater_equal"};
inline constinit row row_of_group_norm{"group_norm"};
inline constinit row row_of_group_norm_back{"group_norm_back"};
inline constinit row row_of_group_norm_channels{"group_norm_channels"};
inline constinit row row_of_gru_gates{"gru_gates"};
inline constinit row row_of_hard_sigmoid{"hard_sigmoid"};
inline constinit row row_of_hard_swish{"hard_swish"};
inline constinit row row_of_hinge_loss{"hinge_loss"};
inline constinit row row_of_huber_loss{"huber_loss"};
inline constinit row row_of_hypot{"hypot"};
inline constinit row row_of_imag{"imag"};
inline constinit row row_of_inner{"inner"};
inline constinit row row_of_instance_norm{"instance_norm"};
inline constinit row row_of_isclose{"isclose"};
inline constinit row row_of_isfinite{"isfinite"};
inline constinit row row_of_isin{"isin"};
inline constinit row row_of_isinf{"isinf"};
inline constinit row row_of_isnan{"isnan"};
inline constinit row row_of_kl_div_loss{"kl_div_loss"};
inline constinit row row_of_kl_divergence{"kl_divergence"};
inline constinit row row_of_kron{"kron"};
inline constinit row row_of_l1_loss{"l1_loss"};
inline constinit row row_of_l2_loss{"l2_loss"};
inline constinit row row_of_layer_norm{"layer_norm"};
inline constinit row row_of_layer_norm_back{"layer_norm_back"};
inline constinit row row_of_layer_norm_back_all{"layer_norm_back_all"};
inline constinit row row_of_layer_norm_rows{"layer_norm_rows"};
inline constinit row row_of_leaky_relu{"leaky_relu"};
inline constinit row row_of_less{"less"};
inline constinit row row_of_less_equal{"less_equal"};
inline constinit row row_of_linear{"linear"};
inline constinit row row_of_linspace{"linspace"};
inline constinit row row_of_log{"log"};
inline constinit row row_of_log10{"log10"};
inline constinit row row_of_log1p{"log1p"};
inline constinit row row_of_log2{"log2"};
inline constinit row row_of_log_softmax{"log_softmax"};
inline constinit row row_of_logaddexp{"logaddexp"};
inline constinit row row_of_logical_and{"logical_and"};
inline constinit row row_of_logical_not{"logical_not"};
inline constinit row row_of_logical_or{"logical_or"};
inline constinit row row_of_logical_xor{"logical_xor"};
inline constinit row row_of_logistic_loss{"logistic_loss"};
inline constinit row row_of_logsumexp{"logsumexp"};
inline constinit row row_of_lstm_gates{"lstm_gates"};
inline constinit row row_of_masked_fill{"masked_fill"};
inline constinit row row_of_masked_put{"masked_put"};
inline constinit row row_of_masked_select{"masked_select"};
inline constinit row row_of_matmul{"matmul"};
inline constinit row row_of_matrix_norm{"matrix_norm"};
inline constinit row row_of_matrix_power{"matrix_power"};
inline constinit row row_of_max{"max"};
inline constinit row row_of_max_pool2d{"max_pool2d"};
inline constinit row row_of_max_pool2d_data{"max_pool2d_data"};
inline constinit row row_of_max_pool2d_pick{"max_pool2d_pick"};
inline constinit row row_of_maximum{"maximum"};
inline constinit row row_of_mean{"mean"};
inline constinit row row_of_min{"min"};
inline constinit row row_of_minimum{"minimum"};
inline constinit row row_of_mish{"mish"};
inline constinit row row_of_modulo{"modulo"};
inline constinit row row_of_momentum_update{"momentum_update"};
inline constinit row row_of_moveaxis{"moveaxis"};
inline constinit row row_of_msra_prelu{"msra_prelu"};
inline constinit row row_of_multiply{"multiply"};
inline constinit row row_of_nan_to_num{"nan_to_num"};
inline constinit row row_of_negative{"negative"};
inline constinit row row_of_nesterov_update{"nesterov_update"};
inline constinit row row_of_nextafter{"nextafter"};
inline constinit row row_of_nonzero{"nonzero"};
inline constinit row row_of_norm{"norm"};
inline constinit row row_of_not_equal{"not_equal"};
inline constinit row row_of_one_hot{"one_hot"};
inline constinit row row_of_ones{"ones"};
inline constinit row row_of_orthogonal{"orthogonal"};
inline constinit row row_of_outer{"outer"};
inline constinit row row_of_pad{"pad"};
inline constinit row row_of_permute{"permute"};
inline constinit row row_of_pick{"pick"};
inline constinit row row_of_positive{"positive"};
inline constinit row row_of_pow{"pow"};
inline constinit row row_of_prod{"prod"};
inline constinit row row_of_ptp{"ptp"};
inline constinit row row_of_put{"put"};
inline constinit row row_of_random_bernoulli{"random_bernoulli"};
inline constinit row row_of_random_choice{"random_choice"};
inline constinit row row_of_random_exponential{"random_exponential"};
inline constinit row row_of_random_gumbel{"random_gumbel"};
inline constinit row row_of_random_integers{"random_integers"};
inline constinit row row_of_random_laplace{"random_laplace"};
inline constinit row row_of_random_logistic{"random_logistic"};
inline constinit row row_of_random_lognormal{"random_lognormal"};
inline constinit row row_of_random_normal{"random_normal"};
inline constinit row row_of_random_permutation{"random_permutation"};
inline constinit row row_of_random_uniform{"random_uniform"};
inline constinit row row_of_real{"real"};
inline constinit row row_of_reciprocal{"reciprocal"};
inline constinit row row_of_relu{"relu"};
inline constinit row row_of_relu6{"relu6"};
inline constinit row row_of_remainder{"remainder"};
inline constinit row row_of_repeat{"repeat"};
inline constinit row row_of_reshape{"reshape"};
inline constinit row row_of_rms_norm{"rms_norm"};
inline constinit row row_of_rmsprop_centered_update{"rmsprop_centered_update"};
inline constinit row row_of_rmsprop_momentum_update{"rmsprop_momentum_update"};
inline constinit row row_of_rmsprop_update{"rmsprop_update"};
inline constinit row row_of_rnn{"rnn"};
inline constinit row row_of_rnn_backward{"rnn_backward"};
inline constinit row row_of_roll{"roll"};
inline constinit row row_of_round{"round"};
inline constinit row row_of_round_to{"round_to"};
inline constinit row row_of_rsqrt{"rsqrt"};
inline constinit row row_of_searchsorted{"searchsorted"};
inline constinit row row_of_sgd_update{"sgd_update"};
inline constinit row row_of_sigmoid{"sigmoid"};
inline constinit row row_of_sigmoid_bce_loss{"sigmoid_bce_loss"};
inline constinit row row_of_sign{"sign"};
inline constinit row row_of_signbit{"signbit"};
inline constinit row row_of_silu{"silu"};
inline constinit row row_of_sin{"sin"};
inline constinit row row_of_sinh{"sinh"};
inline constinit row row_of_softmax{"softmax"};
inline constinit row row_of_softmax_cross_entropy{"softmax_cross_entropy"};
inline constinit row row_of_softplus{"softplus"};
inline constinit row row_of_softsign{"softsign"};
inline constinit row row_of_sort{"sort"};
inline constinit row row_of_sqrt{"sqrt"};
inline constinit row row_of_square{"square"};
inline constinit row row_of_squared_hinge_loss{"squared_hinge_loss"};
inline constinit row row_of_squeeze{"squeeze"};
inline constinit row row_of_stack{"stack"};
inline constinit row row_of_std{"std"};
inline constinit row row_of_subtract{"subtract"};
inline constinit row row_of_sum{"sum"};
inline constinit row row_of_swapaxes{"swapaxes"};
inline constinit row row_of_take{"take"};
inline constinit row row_of_take_along_axis{"take_along_axis"};
inline constinit row row_of_tan{"tan"};
inline constinit row row_of_tanh{"tanh"};
inline constinit row row_of_tensordot{"tensordot"};
inline constinit row row_of_tile{"tile"};
inline constinit row row_of_to_device{"to_device"};
inline constinit row row_of_topk{"topk"};
inline constinit row row_of_trace{"trace"};
inline constinit row row_of_tri{"tri"};
inline constinit row row_of_tril{"tril"};
inline constinit row row_of_triu{"triu"};
inline constinit row row_of_trunc{"trunc"};
inline constinit row row_of_unique_counts{"unique_counts"};
inline constinit row row_of_unique_indices{"unique_indices"};
inline constinit row row_of_unique_inverse{"unique_inverse"};
inline constinit row row_of_unique_values{"unique_values"};
inline constinit row row_of_var{"var"};
inline constinit row row_of_vecdot{"vecdot"};
inline constinit row row_of_vector_norm{"vector_norm"};
inline constinit row row_of_where{"where"};
inline constinit row row_of_xavier{"xavier"};
inline constinit row row_of_zeros{"zeros"};
} // namespace detail

// abs(x)
// Absolute value.
inline penstock::array abs(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_abs, args, 1, at, x_);
}

// acos(x)
// Inverse cosine.
inline penstock::array acos(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_acos, args, 1, at, x_);
}

// acosh(x)
// Inverse hyperbolic cosine.
inline penstock::array acosh(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_acosh, args, 1, at, x_);
}

// add(x1, x2)
// Sum of the operands.
inline penstock::array add(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_add, args, 2, at, x1_, x2_);
}

struct all_options {
    ints axis = none;
    bool keepdims = false;
};

// all(x, axis: axes = none, keepdims: bool = false)
// Whether no element is 0.
inline penstock::array all(const penstock::array &x_, const all_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_all, args, 3, at);
}

struct allclose_options {
    double rtol = 1e-05;
    double atol = 1e-08;
    bool equal_nan = false;
};

// allclose(x1, x2, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = false)
// Whether isclose is true of all elements.
inline penstock::array allclose(const penstock::array &x1_, const penstock::array &x2_, const allclose_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_), detail::arg(options.rtol), detail::arg(options.atol), detail::arg(options.equal_nan)};
    return detail::queue(detail::row_of_allclose, args, 5, at);
}

struct any_options {
    ints axis = none;
    bool keepdims = false;
};

// any(x, axis: axes = none, keepdims: bool = false)
// Whether one element is not 0.
inline penstock::array any(const penstock::array &x_, const any_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_any, args, 3, at);
}

struct arange_options {
    std::optional<number> stop = {};
    std::optional<number> step = {}; // 1
    std::optional<penstock::dtype> dtype = {};
};

// arange(start: scalar, stop: scalar = none, step: scalar = 1, dtype: dtype = none)
// start, start + step, ... before stop; with one number from 0 to it.
inline penstock::array arange(const number &start_, const arange_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(start_), detail::arg(options.stop), detail::arg(options.step), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_arange, args, 4, at);
}

struct argmax_options {
    std::optional<integer> axis = {};
    bool keepdims = false;
};

// argmax(x, axis: axis = none, keepdims: bool = false)
// Place of the first largest element, along the axis or in all of x.
inline penstock::array argmax(const penstock::array &x_, const argmax_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_argmax, args, 3, at);
}

struct argmin_options {
    std::optional<integer> axis = {};
    bool keepdims = false;
};

// argmin(x, axis: axis = none, keepdims: bool = false)
// Place of the first smallest element, along the axis or in all of x.
inline penstock::array argmin(const penstock::array &x_, const argmin_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_argmin, args, 3, at);
}

struct argsort_options {
    integer axis = -1;
    bool descending = false;
    bool stable = true;
};

// argsort(x, axis: axis = -1, descending: bool = false, stable: bool = true)
// Positions along the axis of the elements in order, as int64; the order is that of sort.
inline penstock::array argsort(const penstock::array &x_, const argsort_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.descending), detail::arg(options.stable)};
    return detail::queue(detail::row_of_argsort, args, 4, at);
}

// array_equal(x1, x2)
// Whether shapes and elements are the same.
inline penstock::array array_equal(const penstock::array &x1_, const penstock::array &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_array_equal, args, 2, at);
}

// asin(x)
// Inverse sine.
inline penstock::array asin(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_asin, args, 1, at, x_);
}

// asinh(x)
// Inverse hyperbolic sine.
inline penstock::array asinh(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_asinh, args, 1, at, x_);
}

// assign(x)
// Writes x, broadcast and converted, into the output tensor, which must be given.
inline penstock::array assign(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_assign, args, 1, at, x_);
}

// atan(x)
// Inverse tangent.
inline penstock::array atan(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_atan, args, 1, at, x_);
}

// atan2(x1, x2)
// Angle of the point (x2, x1).
inline penstock::array atan2(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_atan2, args, 2, at, x1_, x2_);
}

// atanh(x)
// Inverse hyperbolic tangent.
inline penstock::array atanh(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_atanh, args, 1, at, x_);
}

struct average_options {
    ints axis = none;
    std::optional<penstock::array> weights = {};
    bool keepdims = false;
};

// average(x, axis: axes = none, weights: tensor = none, keepdims: bool = false)
// Mean over the axes; with weights, one for each element or for each place along one axis, weighted by them.
inline penstock::array average(const penstock::array &x_, const average_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.weights), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_average, args, 4, at);
}

// bitwise_and(x1, x2)
// Bits that are set in both.
inline penstock::array bitwise_and(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_bitwise_and, args, 2, at, x1_, x2_);
}

// bitwise_invert(x)
// All bits changed.
inline penstock::array bitwise_invert(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_bitwise_invert, args, 1, at, x_);
}

// bitwise_left_shift(x1, x2)
// Bits moved up; a count of the width or more gives 0.
inline penstock::array bitwise_left_shift(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_bitwise_left_shift, args, 2, at, x1_, x2_);
}

// bitwise_or(x1, x2)
// Bits that are set in one or both.
inline penstock::array bitwise_or(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_bitwise_or, args, 2, at, x1_, x2_);
}

// bitwise_right_shift(x1, x2)
// Bits moved down; the sign stays.
inline penstock::array bitwise_right_shift(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_bitwise_right_shift, args, 2, at, x1_, x2_);
}

// bitwise_xor(x1, x2)
// Bits that are set in just one.
inline penstock::array bitwise_xor(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_bitwise_xor, args, 2, at, x1_, x2_);
}

// broadcast_to(x, shape: ints)
// A view of the given shape in which elements repeat.
inline penstock::array broadcast_to(const penstock::array &x_, const ints &shape_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(shape_)};
    return detail::queue(detail::row_of_broadcast_to, args, 2, at);
}

// cast(x, dtype: dtype)
// The elements as another type. Floats are cut toward zero; NaN becomes 0; out of range saturates.
inline penstock::array cast(const operand &x_, penstock::dtype dtype_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(dtype_)};
    return detail::queue(detail::row_of_cast, args, 2, at, x_);
}

// ceil(x)
// Rounded up.
inline penstock::array ceil(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_ceil, args, 1, at, x_);
}

struct clip_options {
    std::optional<value> min = {};
    std::optional<value> max = {};
};

// clip(x: tensor or number, min: tensor or number = none, max: tensor or number = none)
// The operand, but at least min and at most max.
inline penstock::array clip(const operand &x_, const clip_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.min), detail::arg(options.max)};
    return detail::queue(detail::row_of_clip, args, 3, at, x_);
}

struct concatenate_options {
    integer axis = 0;
};

// concatenate(tensors: tensors, axis: axis = 0)
// The tensors one behind the other along the axis.
inline penstock::array concatenate(const arrays &tensors_, const concatenate_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(tensors_), detail::arg(options.axis)};
    return detail::queue(detail::row_of_concatenate, args, 2, at);
}

// conj(x)
// Complex conjugate.
inline penstock::array conj(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_conj, args, 1, at, x_);
}

// copy(x)
// The same elements in a storage of their own.
inline penstock::array copy(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_copy, args, 1, at, x_);
}

// copysign(x1, x2)
// The magnitude of the first operand with the sign of the second.
inline penstock::array copysign(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_copysign, args, 2, at, x1_, x2_);
}

// cos(x)
// Cosine.
inline penstock::array cos(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_cos, args, 1, at, x_);
}

// cosh(x)
// Hyperbolic cosine.
inline penstock::array cosh(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_cosh, args, 1, at, x_);
}

struct count_nonzero_options {
    ints axis = none;
    bool keepdims = false;
};

// count_nonzero(x, axis: axes = none, keepdims: bool = false)
// How many elements are not 0, over the axes.
inline penstock::array count_nonzero(const penstock::array &x_, const count_nonzero_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_count_nonzero, args, 3, at);
}

struct cumulative_prod_options {
    std::optional<integer> axis = {};
    std::optional<penstock::dtype> dtype = {};
    bool initial = false;
};

// cumulative_prod(x, axis: axis = none, dtype: dtype = none, initial: bool = false)
// Product of the elements up to each, along the axis or over all of x as one dimension; types as for cumulative_sum. With initial a 1 comes before them.
inline penstock::array cumulative_prod(const penstock::array &x_, const cumulative_prod_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.dtype), detail::arg(options.initial)};
    return detail::queue(detail::row_of_cumulative_prod, args, 4, at);
}

struct cumulative_sum_options {
    std::optional<integer> axis = {};
    std::optional<penstock::dtype> dtype = {};
    bool initial = false;
};

// cumulative_sum(x, axis: axis = none, dtype: dtype = none, initial: bool = false)
// Sum of the elements up to each, along the axis or over all of x as one dimension; small integers and bool add up as int64 or uint64, 16-bit floats as float32. With initial a 0 comes before them.
inline penstock::array cumulative_sum(const penstock::array &x_, const cumulative_sum_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.dtype), detail::arg(options.initial)};
    return detail::queue(detail::row_of_cumulative_sum, args, 4, at);
}

struct diag_options {
    integer diagonal = 0;
};

// diag(x, diagonal: int = 0)
// Of one dimension a matrix with the elements on a diagonal, else 0; of a matrix a view of that diagonal.
inline penstock::array diag(const penstock::array &x_, const diag_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.diagonal)};
    return detail::queue(detail::row_of_diag, args, 2, at);
}

struct diagonal_options {
    integer offset = 0;
    integer axis1 = 0;
    integer axis2 = 1;
};

// diagonal(x, offset: int = 0, axis1: axis = 0, axis2: axis = 1)
// A view of the elements on a diagonal of two axes, along a last axis.
inline penstock::array diagonal(const penstock::array &x_, const diagonal_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.offset), detail::arg(options.axis1), detail::arg(options.axis2)};
    return detail::queue(detail::row_of_diagonal, args, 4, at);
}

struct diff_options {
    integer n = 1;
    integer axis = -1;
    std::optional<penstock::array> prepend = {};
    std::optional<penstock::array> append = {};
};

// diff(x, n: int = 1, axis: axis = -1, prepend: tensor = none, append: tensor = none)
// Differences of neighbours along the axis, n times, perhaps of x with elements before and behind it; of bool whether neighbours differ.
inline penstock::array diff(const penstock::array &x_, const diff_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.n), detail::arg(options.axis), detail::arg(options.prepend), detail::arg(options.append)};
    return detail::queue(detail::row_of_diff, args, 5, at);
}

// divide(x1, x2)
// Quotient of the operands; integers are divided as float32.
inline penstock::array divide(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_divide, args, 2, at, x1_, x2_);
}

// dot(x1: tensor or number, x2: tensor or number)
// Sum of products over the last dimension of x1 and the second to last (or only) one of x2.
inline penstock::array dot(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_dot, args, 2, at, x1_, x2_);
}

struct empty_options {
    penstock::dtype dtype = penstock::dtype::float32;
};

// empty(shape: ints, dtype: dtype = float32)
// Elements of no particular value.
inline penstock::array empty(const ints &shape_, const empty_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_empty, args, 2, at);
}

// equal(x1, x2)
// Whether the operands are equal.
inline penstock::array equal(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_equal, args, 2, at, x1_, x2_);
}

// erf(x)
// Error function.
inline penstock::array erf(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_erf, args, 1, at, x_);
}

// erfc(x)
// 1 - erf(x), accurate where that is small.
inline penstock::array erfc(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_erfc, args, 1, at, x_);
}

// exp(x)
// e to the power of the operand.
inline penstock::array exp(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_exp, args, 1, at, x_);
}

// exp2(x)
// 2 to the power of the operand.
inline penstock::array exp2(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_exp2, args, 1, at, x_);
}

// expand_dims(x, axis: axis)
// A view with a new dimension of length 1.
inline penstock::array expand_dims(const penstock::array &x_, integer axis_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(axis_)};
    return detail::queue(detail::row_of_expand_dims, args, 2, at);
}

// expm1(x)
// exp(x) - 1, accurate near 0.
inline penstock::array expm1(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_expm1, args, 1, at, x_);
}

struct eye_options {
    std::optional<integer> columns = {};
    integer diagonal = 0;
    penstock::dtype dtype = penstock::dtype::float32;
};

// eye(rows: int, columns: int = none, diagonal: int = 0, dtype: dtype = float32)
// 1 on a diagonal, else 0.
inline penstock::array eye(integer rows_, const eye_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(rows_), detail::arg(options.columns), detail::arg(options.diagonal), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_eye, args, 4, at);
}

struct flip_options {
    ints axis = none;
};

// flip(x, axis: axes = none)
// A view with the order along the axes reversed; all axes if none is given.
inline penstock::array flip(const penstock::array &x_, const flip_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis)};
    return detail::queue(detail::row_of_flip, args, 2, at);
}

// floor(x)
// Rounded down.
inline penstock::array floor(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_floor, args, 1, at, x_);
}

// floor_divide(x1, x2)
// Quotient rounded down. Integer division by zero gives 0.
inline penstock::array floor_divide(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_floor_divide, args, 2, at, x1_, x2_);
}

// fmod(x1, x2)
// What division rounded toward zero leaves; it has the dividend's sign.
inline penstock::array fmod(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_fmod, args, 2, at, x1_, x2_);
}

struct full_options {
    std::optional<penstock::dtype> dtype = {};
};

// full(shape: ints, value: scalar, dtype: dtype = none)
// All elements equal to value; its type decides the element type if none is given.
inline penstock::array full(const ints &shape_, const number &value_, const full_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(value_), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_full, args, 3, at);
}

// greater(x1, x2)
// Whether x1 > x2.
inline penstock::array greater(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_greater, args, 2, at, x1_, x2_);
}

// greater_equal(x1, x2)
// Whether x1 >= x2.
inline penstock::array greater_equal(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_greater_equal, args, 2, at, x1_, x2_);
}

// hypot(x1, x2)
// Square root of the sum of squares, without overflow on the way.
inline penstock::array hypot(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_hypot, args, 2, at, x1_, x2_);
}

// imag(x)
// Imaginary part, as a new tensor.
inline penstock::array imag(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_imag, args, 1, at, x_);
}

// inner(x1, x2)
// Sum of products over the last dimension of both.
inline penstock::array inner(const penstock::array &x1_, const penstock::array &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_inner, args, 2, at);
}

struct isclose_options {
    double rtol = 1e-05;
    double atol = 1e-08;
    bool equal_nan = false;
};

// isclose(x1, x2, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = false)
// Whether |x1 - x2| <= atol + rtol * |x2|, for each element; integers are compared as float64.
inline penstock::array isclose(const penstock::array &x1_, const penstock::array &x2_, const isclose_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_), detail::arg(options.rtol), detail::arg(options.atol), detail::arg(options.equal_nan)};
    return detail::queue(detail::row_of_isclose, args, 5, at);
}

// isfinite(x)
// Whether it is neither infinite nor NaN.
inline penstock::array isfinite(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_isfinite, args, 1, at, x_);
}

struct isin_options {
    bool invert = false;
};

// isin(x1, x2, invert: bool = false)
// Whether each element of x1 is among those of x2; with invert whether it is not.
inline penstock::array isin(const penstock::array &x1_, const penstock::array &x2_, const isin_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_), detail::arg(options.invert)};
    return detail::queue(detail::row_of_isin, args, 3, at);
}

// isinf(x)
// Whether it is infinite.
inline penstock::array isinf(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_isinf, args, 1, at, x_);
}

// isnan(x)
// Whether it is NaN.
inline penstock::array isnan(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_isnan, args, 1, at, x_);
}

// kron(x1, x2)
// The Kronecker product: each element of x1 times x2, as blocks in its place.
inline penstock::array kron(const penstock::array &x1_, const penstock::array &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_kron, args, 2, at);
}

// less(x1, x2)
// Whether x1 < x2.
inline penstock::array less(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_less, args, 2, at, x1_, x2_);
}

// less_equal(x1, x2)
// Whether x1 <= x2.
inline penstock::array less_equal(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_less_equal, args, 2, at, x1_, x2_);
}

struct linspace_options {
    bool endpoint = true;
    penstock::dtype dtype = penstock::dtype::float32;
};

// linspace(start: float, stop: float, count: int, endpoint: bool = true, dtype: dtype = float32)
// count numbers at equal distances from start to stop.
inline penstock::array linspace(double start_, double stop_, integer count_, const linspace_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(start_), detail::arg(stop_), detail::arg(count_), detail::arg(options.endpoint), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_linspace, args, 5, at);
}

// log(x)
// Natural logarithm.
inline penstock::array log(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_log, args, 1, at, x_);
}

// log10(x)
// Logarithm to base 10.
inline penstock::array log10(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_log10, args, 1, at, x_);
}

// log1p(x)
// log(1 + x), accurate near 0.
inline penstock::array log1p(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_log1p, args, 1, at, x_);
}

// log2(x)
// Logarithm to base 2.
inline penstock::array log2(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_log2, args, 1, at, x_);
}

// logaddexp(x1, x2)
// log(exp(x1) + exp(x2)), without overflow on the way.
inline penstock::array logaddexp(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_logaddexp, args, 2, at, x1_, x2_);
}

// logical_and(x1: mask, x2: mask)
// Whether both are true; numbers are true unless 0.
inline penstock::array logical_and(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_logical_and, args, 2, at, x1_, x2_);
}

// logical_not(x: mask)
// Whether it is false; numbers are true unless 0.
inline penstock::array logical_not(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_logical_not, args, 1, at, x_);
}

// logical_or(x1: mask, x2: mask)
// Whether one is true; numbers are true unless 0.
inline penstock::array logical_or(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_logical_or, args, 2, at, x1_, x2_);
}

// logical_xor(x1: mask, x2: mask)
// Whether just one is true; numbers are true unless 0.
inline penstock::array logical_xor(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_logical_xor, args, 2, at, x1_, x2_);
}

// masked_fill(x, mask: mask, value: scalar)
// x with a value where the mask is true.
inline penstock::array masked_fill(const penstock::array &x_, const penstock::array &mask_, const number &value_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(mask_), detail::arg(value_)};
    return detail::queue(detail::row_of_masked_fill, args, 3, at);
}

// masked_put(x, mask: mask, values: tensor or number)
// x with values where the mask is true: one for all, or one for each in order. With x as the output it is changed in place. A wrong number of values is found while running.
inline penstock::array masked_put(const penstock::array &x_, const penstock::array &mask_, const operand &values_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(mask_), detail::arg(values_)};
    return detail::queue(detail::row_of_masked_put, args, 3, at, values_);
}

// masked_select(x, mask: mask)
// The elements where the mask is true, in one dimension. Waits for the mask.
inline penstock::array masked_select(const penstock::array &x_, const penstock::array &mask_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(mask_)};
    return detail::queue(detail::row_of_masked_select, args, 2, at);
}

struct matmul_options {
    bool transpose1 = false;
    bool transpose2 = false;
    std::optional<penstock::array> bias = {};
    std::optional<penstock::activation> activation = {};
};

// matmul(x1, x2, transpose1: bool = false, transpose2: bool = false, bias: tensor = none, activation: choice(relu) = none)
// Matrix product of the last two dimensions, the others broadcast; then bias is added and the activation (relu) applied.
inline penstock::array matmul(const penstock::array &x1_, const penstock::array &x2_, const matmul_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_), detail::arg(options.transpose1), detail::arg(options.transpose2), detail::arg(options.bias), detail::arg(options.activation)};
    return detail::queue(detail::row_of_matmul, args, 6, at);
}

struct max_options {
    ints axis = none;
    bool keepdims = false;
};

// max(x, axis: axes = none, keepdims: bool = false)
// Largest element over the axes; NaN if there is one.
inline penstock::array max(const penstock::array &x_, const max_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_max, args, 3, at);
}

// maximum(x1, x2)
// The larger operand; NaN if either is NaN.
inline penstock::array maximum(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_maximum, args, 2, at, x1_, x2_);
}

struct mean_options {
    ints axis = none;
    bool keepdims = false;
};

// mean(x, axis: axes = none, keepdims: bool = false)
// Mean over the axes; integers as float32.
inline penstock::array mean(const penstock::array &x_, const mean_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_mean, args, 3, at);
}

struct min_options {
    ints axis = none;
    bool keepdims = false;
};

// min(x, axis: axes = none, keepdims: bool = false)
// Smallest element over the axes; NaN if there is one.
inline penstock::array min(const penstock::array &x_, const min_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_min, args, 3, at);
}

// minimum(x1, x2)
// The smaller operand; NaN if either is NaN.
inline penstock::array minimum(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_minimum, args, 2, at, x1_, x2_);
}

// modulo(x1, x2)
// As remainder, but 0 where the divisor is 0.
inline penstock::array modulo(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_modulo, args, 2, at, x1_, x2_);
}

// moveaxis(x, source: axes, destination: axes)
// A view with dimensions moved to other places; the others keep their order.
inline penstock::array moveaxis(const penstock::array &x_, const ints &source_, const ints &destination_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(source_), detail::arg(destination_)};
    return detail::queue(detail::row_of_moveaxis, args, 3, at);
}

// multiply(x1, x2)
// Product of the operands.
inline penstock::array multiply(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_multiply, args, 2, at, x1_, x2_);
}

struct nan_to_num_options {
    std::optional<number> nan = {}; // 0.0
    std::optional<number> posinf = {};
    std::optional<number> neginf = {};
};

// nan_to_num(x, nan: scalar = 0.0, posinf: scalar = none, neginf: scalar = none)
// x with numbers in the place of NaN and infinities: if none is given 0, and the largest and smallest number of the type.
inline penstock::array nan_to_num(const penstock::array &x_, const nan_to_num_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.nan), detail::arg(options.posinf), detail::arg(options.neginf)};
    return detail::queue(detail::row_of_nan_to_num, args, 4, at);
}

// negative(x)
// The operand with its sign changed.
inline penstock::array negative(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_negative, args, 1, at, x_);
}

// nextafter(x1, x2)
// The next number after the first operand toward the second.
inline penstock::array nextafter(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_nextafter, args, 2, at, x1_, x2_);
}

// nonzero(x)
// Positions of the elements that are not 0, one row for each. Waits for x.
inline penstock::array nonzero(const penstock::array &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_nonzero, args, 1, at);
}

struct norm_options {
    ints axis = none;
    bool keepdims = false;
};

// norm(x, axis: axes = none, keepdims: bool = false)
// Square root of the sum of squared absolute values.
inline penstock::array norm(const penstock::array &x_, const norm_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_norm, args, 3, at);
}

// not_equal(x1, x2)
// Whether the operands differ.
inline penstock::array not_equal(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_not_equal, args, 2, at, x1_, x2_);
}

struct ones_options {
    penstock::dtype dtype = penstock::dtype::float32;
};

// ones(shape: ints, dtype: dtype = float32)
// All elements 1.
inline penstock::array ones(const ints &shape_, const ones_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_ones, args, 2, at);
}

// outer(x1, x2)
// All products of an element of x1 and one of x2, as a matrix.
inline penstock::array outer(const penstock::array &x1_, const penstock::array &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_outer, args, 2, at);
}

struct pad_options {
    std::optional<number> value = {}; // 0
    std::optional<penstock::pad_mode> mode = {};
};

// pad(x, before: ints, after: ints, value: scalar = 0, mode: choice(constant edge reflect symmetric wrap) = none)
// Elements added before and after along each dimension: of a value (mode constant, also if none is given), or those of x: the outermost one (edge), from the other end (wrap), or backwards with the outermost one again (symmetric) or without (reflect).
inline penstock::array pad(const penstock::array &x_, const ints &before_, const ints &after_, const pad_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(before_), detail::arg(after_), detail::arg(options.value), detail::arg(options.mode)};
    return detail::queue(detail::row_of_pad, args, 5, at);
}

struct permute_options {
    ints axes = none;
};

// permute(x, axes: axes = none)
// A view with the dimensions in another order; reversed if none is given.
inline penstock::array permute(const penstock::array &x_, const permute_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axes)};
    return detail::queue(detail::row_of_permute, args, 2, at);
}

// positive(x)
// The operand itself, as a new tensor.
inline penstock::array positive(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_positive, args, 1, at, x_);
}

// pow(x1, x2)
// The first operand raised to the power of the second.
inline penstock::array pow(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_pow, args, 2, at, x1_, x2_);
}

struct prod_options {
    ints axis = none;
    bool keepdims = false;
    std::optional<penstock::dtype> dtype = {};
};

// prod(x, axis: axes = none, keepdims: bool = false, dtype: dtype = none)
// Product over the axes; small integers and bool multiply as int64 or uint64.
inline penstock::array prod(const penstock::array &x_, const prod_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_prod, args, 4, at);
}

struct ptp_options {
    ints axis = none;
    bool keepdims = false;
};

// ptp(x, axis: axes = none, keepdims: bool = false)
// The largest element minus the smallest, over the axes.
inline penstock::array ptp(const penstock::array &x_, const ptp_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_ptp, args, 3, at);
}

struct put_options {
    bool accumulate = false;
    std::optional<integer> axis = {};
};

// put(x, indices: positions or number, values: tensor or number, accumulate: bool = false, axis: axis = none)
// x with values, broadcast, at integer positions of its elements, or of slices along the axis. Of equal positions the last counts; with accumulate all are added, in order. With x as the output it is changed in place. A position out of range is found while running.
inline penstock::array put(const penstock::array &x_, const operand &indices_, const operand &values_, const put_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(indices_), detail::arg(values_), detail::arg(options.accumulate), detail::arg(options.axis)};
    return detail::queue(detail::row_of_put, args, 5, at, indices_, values_);
}

// real(x)
// Real part, as a new tensor.
inline penstock::array real(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_real, args, 1, at, x_);
}

// reciprocal(x)
// One over the operand.
inline penstock::array reciprocal(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_reciprocal, args, 1, at, x_);
}

// remainder(x1, x2)
// What floor_divide leaves; it has the divisor's sign.
inline penstock::array remainder(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_remainder, args, 2, at, x1_, x2_);
}

struct repeat_options {
    std::optional<integer> axis = {};
};

// repeat(x, repeats: int, axis: axis = none)
// Each element several times, one behind the other.
inline penstock::array repeat(const penstock::array &x_, integer repeats_, const repeat_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(repeats_), detail::arg(options.axis)};
    return detail::queue(detail::row_of_repeat, args, 3, at);
}

// reshape(x, shape: ints)
// The same elements in another shape: a view if possible, else a copy. One length may be -1.
inline penstock::array reshape(const penstock::array &x_, const ints &shape_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(shape_)};
    return detail::queue(detail::row_of_reshape, args, 2, at);
}

struct roll_options {
    ints axis = none;
};

// roll(x, shift: ints, axis: axes = none)
// Elements moved along the axes; what leaves at one end enters at the other.
inline penstock::array roll(const penstock::array &x_, const ints &shift_, const roll_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(shift_), detail::arg(options.axis)};
    return detail::queue(detail::row_of_roll, args, 3, at);
}

// round(x)
// Rounded to the nearest integer, halves to the even one.
inline penstock::array round(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_round, args, 1, at, x_);
}

struct round_to_options {
    integer decimals = 0;
};

// round_to(x, decimals: int = 0)
// Rounded to the nearest number with so many decimals, halves to the even one; below 0 to tens, hundreds and so on.
inline penstock::array round_to(const penstock::array &x_, const round_to_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.decimals)};
    return detail::queue(detail::row_of_round_to, args, 2, at);
}

// rsqrt(x)
// One over the square root.
inline penstock::array rsqrt(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_rsqrt, args, 1, at, x_);
}

struct searchsorted_options {
    std::optional<penstock::side> side = {};
};

// searchsorted(x1, x2: tensor or number, side: choice(left right) = none)
// Where in x1, which is sorted and has one dimension, each element of x2 belongs: before equal elements (side left, also if none is given) or behind them (right).
inline penstock::array searchsorted(const penstock::array &x1_, const operand &x2_, const searchsorted_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_), detail::arg(options.side)};
    return detail::queue(detail::row_of_searchsorted, args, 3, at, x2_);
}

// sign(x)
// -1, 0 or 1 by the sign; of a complex number x / |x|.
inline penstock::array sign(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_sign, args, 1, at, x_);
}

// signbit(x)
// Whether its sign is minus; true for -0.
inline penstock::array signbit(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_signbit, args, 1, at, x_);
}

// sin(x)
// Sine.
inline penstock::array sin(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_sin, args, 1, at, x_);
}

// sinh(x)
// Hyperbolic sine.
inline penstock::array sinh(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_sinh, args, 1, at, x_);
}

struct sort_options {
    integer axis = -1;
    bool descending = false;
    bool stable = true;
};

// sort(x, axis: axis = -1, descending: bool = false, stable: bool = true)
// The elements along the axis in order. NaN counts as the largest, -0 equals 0, complex numbers go by their real parts first. Equal elements always stay in their order.
inline penstock::array sort(const penstock::array &x_, const sort_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.descending), detail::arg(options.stable)};
    return detail::queue(detail::row_of_sort, args, 4, at);
}

// sqrt(x)
// Square root.
inline penstock::array sqrt(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_sqrt, args, 1, at, x_);
}

// square(x)
// The operand times itself.
inline penstock::array square(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_square, args, 1, at, x_);
}

struct squeeze_options {
    ints axis = none;
};

// squeeze(x, axis: axes = none)
// A view without the dimensions of length 1, or without the given ones.
inline penstock::array squeeze(const penstock::array &x_, const squeeze_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis)};
    return detail::queue(detail::row_of_squeeze, args, 2, at);
}

struct stack_options {
    integer axis = 0;
};

// stack(tensors: tensors, axis: axis = 0)
// The tensors side by side along a new axis.
inline penstock::array stack(const arrays &tensors_, const stack_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(tensors_), detail::arg(options.axis)};
    return detail::queue(detail::row_of_stack, args, 2, at);
}

struct std_options {
    ints axis = none;
    double correction = 0.0;
    bool keepdims = false;
};

// std(x, axis: axes = none, correction: float = 0.0, keepdims: bool = false)
// Square root of the variance.
inline penstock::array std(const penstock::array &x_, const std_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.correction), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_std, args, 4, at);
}

// subtract(x1, x2)
// Difference of the operands.
inline penstock::array subtract(const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_subtract, args, 2, at, x1_, x2_);
}

struct sum_options {
    ints axis = none;
    bool keepdims = false;
    std::optional<penstock::dtype> dtype = {};
};

// sum(x, axis: axes = none, keepdims: bool = false, dtype: dtype = none)
// Sum over the axes; small integers and bool add up as int64 or uint64.
inline penstock::array sum(const penstock::array &x_, const sum_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_sum, args, 4, at);
}

// swapaxes(x, axis1: axis, axis2: axis)
// A view with two dimensions swapped.
inline penstock::array swapaxes(const penstock::array &x_, integer axis1_, integer axis2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(axis1_), detail::arg(axis2_)};
    return detail::queue(detail::row_of_swapaxes, args, 3, at);
}

struct take_options {
    std::optional<integer> axis = {};
};

// take(x, indices: positions or number, axis: axis = none)
// Elements, or slices along the axis, at integer positions. A position out of range is found while running.
inline penstock::array take(const penstock::array &x_, const operand &indices_, const take_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(indices_), detail::arg(options.axis)};
    return detail::queue(detail::row_of_take, args, 3, at, indices_);
}

struct take_along_axis_options {
    integer axis = -1;
};

// take_along_axis(x, indices: positions, axis: axis = -1)
// Elements at integer positions that are given for each line along the axis; the other axes are broadcast. A position out of range is found while running.
inline penstock::array take_along_axis(const penstock::array &x_, const penstock::array &indices_, const take_along_axis_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(indices_), detail::arg(options.axis)};
    return detail::queue(detail::row_of_take_along_axis, args, 3, at);
}

// tan(x)
// Tangent.
inline penstock::array tan(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_tan, args, 1, at, x_);
}

// tanh(x)
// Hyperbolic tangent.
inline penstock::array tanh(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_tanh, args, 1, at, x_);
}

// tensordot(x1, x2, axes1: axes, axes2: axes)
// Sum of products over the given axes of both.
inline penstock::array tensordot(const penstock::array &x1_, const penstock::array &x2_, const ints &axes1_, const ints &axes2_, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_), detail::arg(axes1_), detail::arg(axes2_)};
    return detail::queue(detail::row_of_tensordot, args, 4, at);
}

// tile(x, repeats: ints)
// The whole tensor several times along each dimension.
inline penstock::array tile(const penstock::array &x_, const ints &repeats_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(repeats_)};
    return detail::queue(detail::row_of_tile, args, 2, at);
}

// to_device(x)
// A copy on the device of the call; x itself if it is there already.
inline penstock::array to_device(const penstock::array &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_to_device, args, 1, at);
}

struct topk_options {
    integer axis = -1;
    bool largest = true;
};

// topk(x, k: int, axis: axis = -1, largest: bool = true)
// Positions along the axis of the k largest elements, or smallest, in order, as int64. Of equal elements the first ones.
inline penstock::array topk(const penstock::array &x_, integer k_, const topk_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(k_), detail::arg(options.axis), detail::arg(options.largest)};
    return detail::queue(detail::row_of_topk, args, 4, at);
}

struct trace_options {
    integer offset = 0;
    integer axis1 = 0;
    integer axis2 = 1;
    std::optional<penstock::dtype> dtype = {};
};

// trace(x, offset: int = 0, axis1: axis = 0, axis2: axis = 1, dtype: dtype = none)
// Sum of a diagonal of two axes; types as for sum.
inline penstock::array trace(const penstock::array &x_, const trace_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.offset), detail::arg(options.axis1), detail::arg(options.axis2), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_trace, args, 5, at);
}

struct tri_options {
    std::optional<integer> columns = {};
    integer diagonal = 0;
    penstock::dtype dtype = penstock::dtype::float32;
};

// tri(rows: int, columns: int = none, diagonal: int = 0, dtype: dtype = float32)
// 1 on and below a diagonal, else 0.
inline penstock::array tri(integer rows_, const tri_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(rows_), detail::arg(options.columns), detail::arg(options.diagonal), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_tri, args, 4, at);
}

struct tril_options {
    integer diagonal = 0;
};

// tril(x, diagonal: int = 0)
// The elements on and below a diagonal of the last two dimensions, else 0.
inline penstock::array tril(const penstock::array &x_, const tril_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.diagonal)};
    return detail::queue(detail::row_of_tril, args, 2, at);
}

struct triu_options {
    integer diagonal = 0;
};

// triu(x, diagonal: int = 0)
// The elements on and above a diagonal of the last two dimensions, else 0.
inline penstock::array triu(const penstock::array &x_, const triu_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.diagonal)};
    return detail::queue(detail::row_of_triu, args, 2, at);
}

// trunc(x)
// Rounded toward zero.
inline penstock::array trunc(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_trunc, args, 1, at, x_);
}

struct unique_counts_options {
    std::optional<penstock::array> order = {};
    bool equal_nan = false;
};

// unique_counts(x, order: positions = none, equal_nan: bool = false)
// How often each of the elements of unique_values is in x. Waits for x.
inline penstock::array unique_counts(const penstock::array &x_, const unique_counts_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.order), detail::arg(options.equal_nan)};
    return detail::queue(detail::row_of_unique_counts, args, 3, at);
}

struct unique_indices_options {
    std::optional<penstock::array> order = {};
    bool equal_nan = false;
};

// unique_indices(x, order: positions = none, equal_nan: bool = false)
// Where in the flattened x each of the elements of unique_values is first. Waits for x.
inline penstock::array unique_indices(const penstock::array &x_, const unique_indices_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.order), detail::arg(options.equal_nan)};
    return detail::queue(detail::row_of_unique_indices, args, 3, at);
}

struct unique_inverse_options {
    std::optional<penstock::array> order = {};
    bool equal_nan = false;
};

// unique_inverse(x, order: positions = none, equal_nan: bool = false)
// Which of the elements of unique_values each element of x is, in the shape of x.
inline penstock::array unique_inverse(const penstock::array &x_, const unique_inverse_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.order), detail::arg(options.equal_nan)};
    return detail::queue(detail::row_of_unique_inverse, args, 3, at);
}

struct unique_values_options {
    std::optional<penstock::array> order = {};
    bool equal_nan = false;
};

// unique_values(x, order: positions = none, equal_nan: bool = false)
// The different elements of x, sorted, in one dimension. Every NaN differs from the others unless equal_nan. order: positions of the flattened x by argsort, if they are known. Waits for x.
inline penstock::array unique_values(const penstock::array &x_, const unique_values_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.order), detail::arg(options.equal_nan)};
    return detail::queue(detail::row_of_unique_values, args, 3, at);
}

struct var_options {
    ints axis = none;
    double correction = 0.0;
    bool keepdims = false;
};

// var(x, axis: axes = none, correction: float = 0.0, keepdims: bool = false)
// Variance over the axes: squared distances from the mean, divided by count - correction.
inline penstock::array var(const penstock::array &x_, const var_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.correction), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_var, args, 4, at);
}

struct vecdot_options {
    integer axis = -1;
};

// vecdot(x1, x2, axis: axis = -1)
// Sum of products over one axis, the others broadcast; of complex numbers x1 is conjugated.
inline penstock::array vecdot(const penstock::array &x1_, const penstock::array &x2_, const vecdot_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_), detail::arg(options.axis)};
    return detail::queue(detail::row_of_vecdot, args, 3, at);
}

// where(condition: mask, x1, x2)
// x1 where the condition is true, else x2.
inline penstock::array where(const operand &condition_, const operand &x1_, const operand &x2_, location at = location())
{
    const ps_arg args[] = {detail::arg(condition_), detail::arg(x1_), detail::arg(x2_)};
    return detail::queue(detail::row_of_where, args, 3, at, condition_, x1_, x2_);
}

struct zeros_options {
    penstock::dtype dtype = penstock::dtype::float32;
};

// zeros(shape: ints, dtype: dtype = float32)
// All elements 0.
inline penstock::array zeros(const ints &shape_, const zeros_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_zeros, args, 2, at);
}

namespace nn
{

struct avg_pool2d_options {
    ints stride = none;
    ints padding = none;
    bool ceil_mode = false;
    bool count_include_pad = true;
    std::optional<penstock::layout> layout = {};
};

// avg_pool2d(x, kernel: ints, stride: ints = none, padding: ints = none, ceil_mode: bool = false, count_include_pad: bool = true, layout: choice(NCHW NHWC) = none)
// The mean of each window of each channel, with the zeros of the padding unless count_include_pad is false; windows as for max_pool2d.
inline penstock::array avg_pool2d(const penstock::array &x_, const ints &kernel_, const avg_pool2d_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(kernel_), detail::arg(options.stride), detail::arg(options.padding), detail::arg(options.ceil_mode), detail::arg(options.count_include_pad), detail::arg(options.layout)};
    return detail::queue(detail::row_of_avg_pool2d, args, 7, at);
}

struct avg_pool2d_data_options {
    ints stride = none;
    ints padding = none;
    bool ceil_mode = false;
    bool count_include_pad = true;
    std::optional<penstock::layout> layout = {};
};

// avg_pool2d_data(dy, shape: ints, kernel: ints, stride: ints = none, padding: ints = none, ceil_mode: bool = false, count_include_pad: bool = true, layout: choice(NCHW NHWC) = none)
// What flows back through avg_pool2d to an x of that shape, if dy flows to the result.
inline penstock::array avg_pool2d_data(const penstock::array &dy_, const ints &shape_, const ints &kernel_, const avg_pool2d_data_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(dy_), detail::arg(shape_), detail::arg(kernel_), detail::arg(options.stride), detail::arg(options.padding), detail::arg(options.ceil_mode), detail::arg(options.count_include_pad), detail::arg(options.layout)};
    return detail::queue(detail::row_of_avg_pool2d_data, args, 8, at);
}

struct batch_norm_options {
    std::optional<penstock::array> gamma = {};
    std::optional<penstock::array> beta = {};
    std::optional<penstock::array> running_mean = {};
    std::optional<penstock::array> running_var = {};
    double momentum = 0.9;
    double eps = 1e-05;
    integer axis = 1;
    bool training = true;
    double correction = 0.0;
};

// batch_norm(x, gamma: tensor = none, beta: tensor = none, running_mean: tensor = none, running_var: tensor = none, momentum: float = 0.9, eps: float = 1e-05, axis: axis = 1, training: bool = true, correction: float = 0.0)
// (x - mean) / sqrt(variance + eps) * gamma + beta, for each place along the axis; and the statistics to keep: running = momentum running + (1 - momentum) batch, of the mean and of the variance, which is divided by count - correction there. With training mean and variance are the batch's, and without running statistics these are given; else they are the running ones. Nothing flows from the statistics.
inline std::array<penstock::array, 3> batch_norm(const penstock::array &x_, const batch_norm_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.gamma), detail::arg(options.beta), detail::arg(options.running_mean), detail::arg(options.running_var), detail::arg(options.momentum), detail::arg(options.eps), detail::arg(options.axis), detail::arg(options.training), detail::arg(options.correction)};
    return detail::queue_several<3>(detail::row_of_batch_norm, args, 10, at);
}

struct batch_norm_back_options {
    std::optional<penstock::array> gamma = {};
    double eps = 1e-05;
};

// batch_norm_back(x, flow, mean, var, gamma: tensor = none, eps: float = 1e-05)
// What flows back to x, gamma and beta from batch_norm_train, if flow does to its first result.
inline std::array<penstock::array, 3> batch_norm_back(const penstock::array &x_, const penstock::array &flow_, const penstock::array &mean_, const penstock::array &var_, const batch_norm_back_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(flow_), detail::arg(mean_), detail::arg(var_), detail::arg(options.gamma), detail::arg(options.eps)};
    return detail::queue_several<3>(detail::row_of_batch_norm_back, args, 6, at);
}

struct batch_norm_train_options {
    std::optional<penstock::array> gamma = {};
    std::optional<penstock::array> beta = {};
    double eps = 1e-05;
};

// batch_norm_train(x, gamma: tensor = none, beta: tensor = none, eps: float = 1e-05)
// batch_norm along the second axis by the batch's own mean and variance; and these.
inline std::array<penstock::array, 3> batch_norm_train(const penstock::array &x_, const batch_norm_train_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.gamma), detail::arg(options.beta), detail::arg(options.eps)};
    return detail::queue_several<3>(detail::row_of_batch_norm_train, args, 4, at);
}

// bce_logits(x, target)
// With p = sigmoid(x): -target log(p) - (1 - target) log(1 - p).
inline penstock::array bce_logits(const operand &x_, const operand &target_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_)};
    return detail::queue(detail::row_of_bce_logits, args, 2, at, x_, target_);
}

// bce_logits_weighted(x, target, weight)
// With p = sigmoid(x): -weight target log(p) - (1 - target) log(1 - p).
inline penstock::array bce_logits_weighted(const operand &x_, const operand &target_, const operand &weight_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_), detail::arg(weight_)};
    return detail::queue(detail::row_of_bce_logits_weighted, args, 3, at, x_, target_, weight_);
}

// bce_probabilities(x, target)
// -target log(x) - (1 - target) log(1 - x), logarithms being at least -100.
inline penstock::array bce_probabilities(const operand &x_, const operand &target_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_)};
    return detail::queue(detail::row_of_bce_probabilities, args, 2, at, x_, target_);
}

// bce_probabilities_weighted(x, target, weight)
// -weight target log(x) - (1 - target) log(1 - x), logarithms being at least -100.
inline penstock::array bce_probabilities_weighted(const operand &x_, const operand &target_, const operand &weight_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_), detail::arg(weight_)};
    return detail::queue(detail::row_of_bce_probabilities_weighted, args, 3, at, x_, target_, weight_);
}

struct bilinear_options {
    penstock::dtype dtype = penstock::dtype::float32;
};

// bilinear(shape: ints, dtype: dtype = float32)
// Weights of a transposed convolution (any, any, height, width) that enlarges pictures by linear interpolation.
inline penstock::array bilinear(const ints &shape_, const bilinear_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_bilinear, args, 2, at);
}

struct conv1d_options {
    std::optional<penstock::array> bias = {};
    integer stride = 1;
    integer padding = 0;
    integer dilation = 1;
    integer groups = 1;
};

// conv1d(x, weight, bias: tensor = none, stride: int = 1, padding: int = 0, dilation: int = 1, groups: int = 1)
// Convolution of lines of the layout NCW with weights of the shape (channels of the result, channels of x / groups, W), plus bias for each channel.
inline penstock::array conv1d(const penstock::array &x_, const penstock::array &weight_, const conv1d_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(weight_), detail::arg(options.bias), detail::arg(options.stride), detail::arg(options.padding), detail::arg(options.dilation), detail::arg(options.groups)};
    return detail::queue(detail::row_of_conv1d, args, 7, at);
}

struct conv2d_options {
    std::optional<penstock::array> bias = {};
    ints stride = none;
    ints padding = none;
    ints dilation = none;
    integer groups = 1;
    std::optional<penstock::layout> layout = {};
};

// conv2d(x, weight, bias: tensor = none, stride: ints = none, padding: ints = none, dilation: ints = none, groups: int = 1, layout: choice(NCHW NHWC) = none)
// Convolution of images, in the layout NCHW unless given, with weights of the shape (channels of the result, channels of x / groups, H, W), plus bias for each channel. stride and dilation, 1 unless given, and padding, 0 unless given, are one number, or two for H and W.
inline penstock::array conv2d(const penstock::array &x_, const penstock::array &weight_, const conv2d_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(weight_), detail::arg(options.bias), detail::arg(options.stride), detail::arg(options.padding), detail::arg(options.dilation), detail::arg(options.groups), detail::arg(options.layout)};
    return detail::queue(detail::row_of_conv2d, args, 8, at);
}

struct conv2d_data_options {
    ints stride = none;
    ints padding = none;
    ints dilation = none;
    integer groups = 1;
    std::optional<penstock::layout> layout = {};
};

// conv2d_data(dy, weight, shape: ints, stride: ints = none, padding: ints = none, dilation: ints = none, groups: int = 1, layout: choice(NCHW NHWC) = none)
// What flows back through conv2d to an x of that shape, if dy flows to the result.
inline penstock::array conv2d_data(const penstock::array &dy_, const penstock::array &weight_, const ints &shape_, const conv2d_data_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(dy_), detail::arg(weight_), detail::arg(shape_), detail::arg(options.stride), detail::arg(options.padding), detail::arg(options.dilation), detail::arg(options.groups), detail::arg(options.layout)};
    return detail::queue(detail::row_of_conv2d_data, args, 8, at);
}

struct conv2d_transpose_options {
    std::optional<penstock::array> bias = {};
    ints stride = none;
    ints padding = none;
    ints output_padding = none;
    ints dilation = none;
    integer groups = 1;
    std::optional<penstock::layout> layout = {};
};

// conv2d_transpose(x, weight, bias: tensor = none, stride: ints = none, padding: ints = none, output_padding: ints = none, dilation: ints = none, groups: int = 1, layout: choice(NCHW NHWC) = none)
// The transpose of a convolution: an image whose windows x has one element for, with weights of the shape (channels of x, channels of the result / groups, H, W), plus bias. output_padding, less than the stride, is added to the result's lengths.
inline penstock::array conv2d_transpose(const penstock::array &x_, const penstock::array &weight_, const conv2d_transpose_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(weight_), detail::arg(options.bias), detail::arg(options.stride), detail::arg(options.padding), detail::arg(options.output_padding), detail::arg(options.dilation), detail::arg(options.groups), detail::arg(options.layout)};
    return detail::queue(detail::row_of_conv2d_transpose, args, 9, at);
}

struct conv2d_weight_options {
    ints stride = none;
    ints padding = none;
    ints dilation = none;
    integer groups = 1;
    std::optional<penstock::layout> layout = {};
};

// conv2d_weight(x, dy, shape: ints, stride: ints = none, padding: ints = none, dilation: ints = none, groups: int = 1, layout: choice(NCHW NHWC) = none)
// What flows back through conv2d to weights of that shape, if dy flows to the result.
inline penstock::array conv2d_weight(const penstock::array &x_, const penstock::array &dy_, const ints &shape_, const conv2d_weight_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(dy_), detail::arg(shape_), detail::arg(options.stride), detail::arg(options.padding), detail::arg(options.dilation), detail::arg(options.groups), detail::arg(options.layout)};
    return detail::queue(detail::row_of_conv2d_weight, args, 8, at);
}

struct cross_entropy_back_options {
    std::optional<integer> ignore_label = {};
    double smoothing = 0.0;
};

// cross_entropy_back(x, labels: positions, flow, ignore_label: int = none, smoothing: float = 0.0)
// What flows back to x from cross_entropy_rows, if flow does to its result: (softmax(x) - t) flow.
inline penstock::array cross_entropy_back(const penstock::array &x_, const penstock::array &labels_, const penstock::array &flow_, const cross_entropy_back_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(labels_), detail::arg(flow_), detail::arg(options.ignore_label), detail::arg(options.smoothing)};
    return detail::queue(detail::row_of_cross_entropy_back, args, 5, at);
}

struct cross_entropy_rows_options {
    std::optional<integer> ignore_label = {};
    double smoothing = 0.0;
};

// cross_entropy_rows(x, labels: positions, ignore_label: int = none, smoothing: float = 0.0)
// softmax_cross_entropy of integers along the last axis.
inline penstock::array cross_entropy_rows(const penstock::array &x_, const penstock::array &labels_, const cross_entropy_rows_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(labels_), detail::arg(options.ignore_label), detail::arg(options.smoothing)};
    return detail::queue(detail::row_of_cross_entropy_rows, args, 4, at);
}

struct dropout_options {
    double p = 0.5;
    ints axes = none;
    std::optional<penstock::generator> generator = {};
};

// dropout(x, p: float = 0.5, axes: axes = none, generator: generator = none)
// x with each element 0 with probability p, else divided by 1 - p; with axes the same along these. Which ones are 0 is not stored: the way back finds it out again.
inline penstock::array dropout(const penstock::array &x_, const dropout_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.p), detail::arg(options.axes), detail::arg(options.generator)};
    return detail::queue(detail::row_of_dropout, args, 4, at);
}

struct dropout_by_key_options {
    double p = 0.5;
    integer key = 0;
    integer counter = 0;
    integer high = 0;
};

// dropout_by_key(x, p: float = 0.5, key: int = 0, counter: int = 0, high: int = 0)
// dropout with the numbers that a generator with this key makes from this counter on; high is the upper half of the counter.
inline penstock::array dropout_by_key(const penstock::array &x_, const dropout_by_key_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.p), detail::arg(options.key), detail::arg(options.counter), detail::arg(options.high)};
    return detail::queue(detail::row_of_dropout_by_key, args, 5, at);
}

struct elu_options {
    std::optional<number> alpha = {}; // 1.0
};

// elu(x, alpha: scalar = 1.0)
// The operand where it is positive, else alpha * (exp(x) - 1).
inline penstock::array elu(const operand &x_, const elu_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.alpha)};
    return detail::queue(detail::row_of_elu, args, 2, at, x_);
}

// embedding(indices: positions, weight)
// The rows of weight at integer positions. A position out of range is found while running.
inline penstock::array embedding(const penstock::array &indices_, const penstock::array &weight_, location at = location())
{
    const ps_arg args[] = {detail::arg(indices_), detail::arg(weight_)};
    return detail::queue(detail::row_of_embedding, args, 2, at);
}

// gelu(x)
// x times the normal distribution function of x.
inline penstock::array gelu(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_gelu, args, 1, at, x_);
}

// gelu_tanh(x)
// gelu by its approximation with tanh.
inline penstock::array gelu_tanh(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_gelu_tanh, args, 1, at, x_);
}

struct global_avg_pool2d_options {
    std::optional<penstock::layout> layout = {};
};

// global_avg_pool2d(x, layout: choice(NCHW NHWC) = none)
// The mean of each channel of each image, as images of one pixel.
inline penstock::array global_avg_pool2d(const penstock::array &x_, const global_avg_pool2d_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.layout)};
    return detail::queue(detail::row_of_global_avg_pool2d, args, 2, at);
}

struct global_max_pool2d_options {
    std::optional<penstock::layout> layout = {};
};

// global_max_pool2d(x, layout: choice(NCHW NHWC) = none)
// The largest element of each channel of each image, as images of one pixel.
inline penstock::array global_max_pool2d(const penstock::array &x_, const global_max_pool2d_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.layout)};
    return detail::queue(detail::row_of_global_max_pool2d, args, 2, at);
}

struct group_norm_options {
    std::optional<penstock::array> gamma = {};
    std::optional<penstock::array> beta = {};
    integer groups = 1;
    double eps = 1e-05;
};

// group_norm(x, gamma: tensor = none, beta: tensor = none, groups: int = 1, eps: float = 1e-05)
// (x - mean) / sqrt(variance + eps) * gamma + beta, mean and variance being those of each group of channels, which are along the second axis, for each place along the first; gamma and beta have a number for each channel.
inline penstock::array group_norm(const penstock::array &x_, const group_norm_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.gamma), detail::arg(options.beta), detail::arg(options.groups), detail::arg(options.eps)};
    return detail::queue(detail::row_of_group_norm, args, 5, at);
}

struct group_norm_back_options {
    std::optional<penstock::array> gamma = {};
    integer groups = 1;
    double eps = 1e-05;
};

// group_norm_back(x, flow, gamma: tensor = none, groups: int = 1, eps: float = 1e-05)
// What flows back to x, gamma and beta from group_norm_channels, if flow does to its result.
inline std::array<penstock::array, 3> group_norm_back(const penstock::array &x_, const penstock::array &flow_, const group_norm_back_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(flow_), detail::arg(options.gamma), detail::arg(options.groups), detail::arg(options.eps)};
    return detail::queue_several<3>(detail::row_of_group_norm_back, args, 5, at);
}

struct group_norm_channels_options {
    std::optional<penstock::array> gamma = {};
    std::optional<penstock::array> beta = {};
    integer groups = 1;
    double eps = 1e-05;
};

// group_norm_channels(x, gamma: tensor = none, beta: tensor = none, groups: int = 1, eps: float = 1e-05)
// group_norm as one task, channel by channel.
inline penstock::array group_norm_channels(const penstock::array &x_, const group_norm_channels_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.gamma), detail::arg(options.beta), detail::arg(options.groups), detail::arg(options.eps)};
    return detail::queue(detail::row_of_group_norm_channels, args, 5, at);
}

// gru_gates(gates, sent, state)
// The state after one step of a GRU. What the input (gates) and the state (sent) bring to the gates, reset, update and candidate, lies one behind the other along the last axis, before their sigmoid or tanh; the reset is applied inside the candidate.
inline penstock::array gru_gates(const penstock::array &gates_, const penstock::array &sent_, const penstock::array &state_, location at = location())
{
    const ps_arg args[] = {detail::arg(gates_), detail::arg(sent_), detail::arg(state_)};
    return detail::queue(detail::row_of_gru_gates, args, 3, at);
}

// hard_sigmoid(x)
// A sigmoid of straight lines.
inline penstock::array hard_sigmoid(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_hard_sigmoid, args, 1, at, x_);
}

// hard_swish(x)
// x * hard_sigmoid(x).
inline penstock::array hard_swish(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_hard_swish, args, 1, at, x_);
}

struct hinge_loss_options {
    std::optional<number> margin = {}; // 1.0
};

// hinge_loss(x, target, margin: scalar = 1.0)
// max(0, margin - x * target), for targets -1 and 1.
inline penstock::array hinge_loss(const operand &x_, const operand &target_, const hinge_loss_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_), detail::arg(options.margin)};
    return detail::queue(detail::row_of_hinge_loss, args, 3, at, x_, target_);
}

struct huber_loss_options {
    std::optional<number> rho = {}; // 1.0
};

// huber_loss(x, target, rho: scalar = 1.0)
// With d = |x - target|: d^2 / (2 rho) where d < rho, else d - rho / 2.
inline penstock::array huber_loss(const operand &x_, const operand &target_, const huber_loss_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_), detail::arg(options.rho)};
    return detail::queue(detail::row_of_huber_loss, args, 3, at, x_, target_);
}

struct instance_norm_options {
    std::optional<penstock::array> gamma = {};
    std::optional<penstock::array> beta = {};
    double eps = 1e-05;
};

// instance_norm(x, gamma: tensor = none, beta: tensor = none, eps: float = 1e-05)
// group_norm with as many groups as there are channels.
inline penstock::array instance_norm(const penstock::array &x_, const instance_norm_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.gamma), detail::arg(options.beta), detail::arg(options.eps)};
    return detail::queue(detail::row_of_instance_norm, args, 4, at);
}

struct kl_div_loss_options {
    bool from_logits = true;
    integer axis = -1;
};

// kl_div_loss(x, target, from_logits: bool = true, axis: axis = -1)
// target * (log(target) - x), 0 where target is 0; x is logarithms of probabilities, or without from_logits what log_softmax along the axis makes them of.
inline penstock::array kl_div_loss(const penstock::array &x_, const penstock::array &target_, const kl_div_loss_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_), detail::arg(options.from_logits), detail::arg(options.axis)};
    return detail::queue(detail::row_of_kl_div_loss, args, 4, at);
}

// kl_divergence(x, target)
// target * (log(target) - x), 0 where target is 0; x is logarithms of probabilities.
inline penstock::array kl_divergence(const operand &x_, const operand &target_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_)};
    return detail::queue(detail::row_of_kl_divergence, args, 2, at, x_, target_);
}

// l1_loss(x, target)
// |x - target|.
inline penstock::array l1_loss(const operand &x_, const operand &target_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_)};
    return detail::queue(detail::row_of_l1_loss, args, 2, at, x_, target_);
}

// l2_loss(x, target)
// (x - target)^2 / 2.
inline penstock::array l2_loss(const operand &x_, const operand &target_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_)};
    return detail::queue(detail::row_of_l2_loss, args, 2, at, x_, target_);
}

struct layer_norm_options {
    std::optional<penstock::array> gamma = {};
    std::optional<penstock::array> beta = {};
    ints axis = none;
    double eps = 1e-05;
};

// layer_norm(x, gamma: tensor = none, beta: tensor = none, axis: axes = none, eps: float = 1e-05)
// (x - mean) / sqrt(variance + eps) * gamma + beta, mean and variance being those along the last axis, or one axis, or all of several last axes; gamma and beta have the shape of these.
inline penstock::array layer_norm(const penstock::array &x_, const layer_norm_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.gamma), detail::arg(options.beta), detail::arg(options.axis), detail::arg(options.eps)};
    return detail::queue(detail::row_of_layer_norm, args, 5, at);
}

struct layer_norm_back_options {
    std::optional<penstock::array> gamma = {};
    double eps = 1e-05;
};

// layer_norm_back(x, flow, gamma: tensor = none, eps: float = 1e-05)
// What flows back to x from layer_norm_rows, if flow does to its result.
inline penstock::array layer_norm_back(const penstock::array &x_, const penstock::array &flow_, const layer_norm_back_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(flow_), detail::arg(options.gamma), detail::arg(options.eps)};
    return detail::queue(detail::row_of_layer_norm_back, args, 4, at);
}

struct layer_norm_back_all_options {
    std::optional<penstock::array> gamma = {};
    double eps = 1e-05;
};

// layer_norm_back_all(x, flow, gamma: tensor = none, eps: float = 1e-05)
// What flows back to x, gamma and beta from layer_norm_rows, if flow does to its result.
inline std::array<penstock::array, 3> layer_norm_back_all(const penstock::array &x_, const penstock::array &flow_, const layer_norm_back_all_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(flow_), detail::arg(options.gamma), detail::arg(options.eps)};
    return detail::queue_several<3>(detail::row_of_layer_norm_back_all, args, 4, at);
}

struct layer_norm_rows_options {
    std::optional<penstock::array> gamma = {};
    std::optional<penstock::array> beta = {};
    double eps = 1e-05;
};

// layer_norm_rows(x, gamma: tensor = none, beta: tensor = none, eps: float = 1e-05)
// layer_norm along the last axis.
inline penstock::array layer_norm_rows(const penstock::array &x_, const layer_norm_rows_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.gamma), detail::arg(options.beta), detail::arg(options.eps)};
    return detail::queue(detail::row_of_layer_norm_rows, args, 4, at);
}

struct leaky_relu_options {
    std::optional<number> slope = {}; // 0.01
};

// leaky_relu(x, slope: scalar = 0.01)
// The operand where it is positive, else a fraction of it.
inline penstock::array leaky_relu(const operand &x_, const leaky_relu_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.slope)};
    return detail::queue(detail::row_of_leaky_relu, args, 2, at, x_);
}

struct linear_options {
    std::optional<penstock::array> bias = {};
    std::optional<const char *> activation = {};
};

// linear(x, weight, bias: tensor = none, activation: text = none)
// The product of x and the transposed weight, plus bias, then an activation: an elementwise operation by its name.
inline penstock::array linear(const penstock::array &x_, const penstock::array &weight_, const linear_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(weight_), detail::arg(options.bias), detail::arg(options.activation)};
    return detail::queue(detail::row_of_linear, args, 4, at);
}

struct log_softmax_options {
    integer axis = -1;
};

// log_softmax(x, axis: axis = -1)
// The logarithm of softmax, without overflow on the way.
inline penstock::array log_softmax(const penstock::array &x_, const log_softmax_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis)};
    return detail::queue(detail::row_of_log_softmax, args, 2, at);
}

// logistic_loss(x, target)
// log(1 + exp(-x * target)), for targets -1 and 1.
inline penstock::array logistic_loss(const operand &x_, const operand &target_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_)};
    return detail::queue(detail::row_of_logistic_loss, args, 2, at, x_, target_);
}

struct logsumexp_options {
    ints axis = none;
    bool keepdims = false;
};

// logsumexp(x, axis: axes = none, keepdims: bool = false)
// The logarithm of the sum of exp(x) over the axes, without overflow on the way.
inline penstock::array logsumexp(const penstock::array &x_, const logsumexp_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_logsumexp, args, 3, at);
}

// lstm_gates(gates, cell)
// The state and the cell after one step of an LSTM. The gates, input, forget, candidate and output, lie one behind the other along the last axis, before their sigmoid or tanh.
inline std::array<penstock::array, 2> lstm_gates(const penstock::array &gates_, const penstock::array &cell_, location at = location())
{
    const ps_arg args[] = {detail::arg(gates_), detail::arg(cell_)};
    return detail::queue_several<2>(detail::row_of_lstm_gates, args, 2, at);
}

struct max_pool2d_options {
    ints stride = none;
    ints padding = none;
    bool ceil_mode = false;
    std::optional<penstock::layout> layout = {};
};

// max_pool2d(x, kernel: ints, stride: ints = none, padding: ints = none, ceil_mode: bool = false, layout: choice(NCHW NHWC) = none)
// The largest element of each window of each channel; NaN if there is one. Windows are as far apart as they are long unless a stride is given. With ceil_mode the last one may reach beyond the padding, if it begins before it.
inline penstock::array max_pool2d(const penstock::array &x_, const ints &kernel_, const max_pool2d_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(kernel_), detail::arg(options.stride), detail::arg(options.padding), detail::arg(options.ceil_mode), detail::arg(options.layout)};
    return detail::queue(detail::row_of_max_pool2d, args, 6, at);
}

struct max_pool2d_data_options {
    ints stride = none;
    ints padding = none;
    bool ceil_mode = false;
    std::optional<penstock::layout> layout = {};
};

// max_pool2d_data(dy, x, kernel: ints, stride: ints = none, padding: ints = none, ceil_mode: bool = false, layout: choice(NCHW NHWC) = none)
// What flows back through max_pool2d to x, if dy flows to the result: to the first largest element of each window.
inline penstock::array max_pool2d_data(const penstock::array &dy_, const penstock::array &x_, const ints &kernel_, const max_pool2d_data_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(dy_), detail::arg(x_), detail::arg(kernel_), detail::arg(options.stride), detail::arg(options.padding), detail::arg(options.ceil_mode), detail::arg(options.layout)};
    return detail::queue(detail::row_of_max_pool2d_data, args, 7, at);
}

struct max_pool2d_pick_options {
    ints stride = none;
    ints padding = none;
    bool ceil_mode = false;
    std::optional<penstock::layout> layout = {};
};

// max_pool2d_pick(z, x, kernel: ints, stride: ints = none, padding: ints = none, ceil_mode: bool = false, layout: choice(NCHW NHWC) = none)
// Of each window the element of z that is where x has its first largest element.
inline penstock::array max_pool2d_pick(const penstock::array &z_, const penstock::array &x_, const ints &kernel_, const max_pool2d_pick_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(z_), detail::arg(x_), detail::arg(kernel_), detail::arg(options.stride), detail::arg(options.padding), detail::arg(options.ceil_mode), detail::arg(options.layout)};
    return detail::queue(detail::row_of_max_pool2d_pick, args, 7, at);
}

// mish(x)
// x * tanh(softplus(x)).
inline penstock::array mish(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_mish, args, 1, at, x_);
}

struct msra_prelu_options {
    std::optional<penstock::factor> factor = {};
    double slope = 0.25;
    penstock::dtype dtype = penstock::dtype::float32;
    std::optional<penstock::generator> generator = {};
};

// msra_prelu(shape: ints, factor: choice(avg in out) = none, slope: float = 0.25, dtype: dtype = float32, generator: generator = none)
// Normal numbers for a parameter before a leaky relu of that slope: as xavier with a magnitude of 2 / (1 + slope * slope).
inline penstock::array msra_prelu(const ints &shape_, const msra_prelu_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.factor), detail::arg(options.slope), detail::arg(options.dtype), detail::arg(options.generator)};
    return detail::queue(detail::row_of_msra_prelu, args, 5, at);
}

struct one_hot_options {
    integer axis = -1;
    penstock::dtype dtype = penstock::dtype::float32;
};

// one_hot(x: positions, count: int, axis: axis = -1, dtype: dtype = float32)
// 1 at the place that each integer names along a new axis of that length, else 0.
inline penstock::array one_hot(const penstock::array &x_, integer count_, const one_hot_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(count_), detail::arg(options.axis), detail::arg(options.dtype)};
    return detail::queue(detail::row_of_one_hot, args, 4, at);
}

struct orthogonal_options {
    double scale = 1.414;
    penstock::dtype dtype = penstock::dtype::float32;
    std::optional<penstock::generator> generator = {};
};

// orthogonal(shape: ints, scale: float = 1.414, dtype: dtype = float32, generator: generator = none)
// scale times a random matrix whose rows, or columns if these are fewer, are orthogonal and have length 1; dimensions behind the first count as columns. All such matrices are equally likely.
inline penstock::array orthogonal(const ints &shape_, const orthogonal_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.scale), detail::arg(options.dtype), detail::arg(options.generator)};
    return detail::queue(detail::row_of_orthogonal, args, 4, at);
}

struct pick_options {
    integer axis = -1;
    bool keepdims = false;
    std::optional<penstock::pick_mode> mode = {};
};

// pick(x, index: positions, axis: axis = -1, keepdims: bool = false, mode: choice(clip wrap) = none)
// For each line along the axis the element at its position. A position out of range is found while running, or is the nearest one (mode clip), or counts on from the other end (wrap).
inline penstock::array pick(const penstock::array &x_, const penstock::array &index_, const pick_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(index_), detail::arg(options.axis), detail::arg(options.keepdims), detail::arg(options.mode)};
    return detail::queue(detail::row_of_pick, args, 5, at);
}

// relu(x)
// The operand where it is positive, else 0.
inline penstock::array relu(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_relu, args, 1, at, x_);
}

// relu6(x)
// relu, but at most 6.
inline penstock::array relu6(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_relu6, args, 1, at, x_);
}

struct rms_norm_options {
    std::optional<penstock::array> gamma = {};
    double eps = 1e-05;
};

// rms_norm(x, gamma: tensor = none, eps: float = 1e-05)
// x / sqrt(mean of x^2 + eps) * gamma, along the last axis.
inline penstock::array rms_norm(const penstock::array &x_, const rms_norm_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.gamma), detail::arg(options.eps)};
    return detail::queue(detail::row_of_rms_norm, args, 3, at);
}

struct rnn_options {
    std::optional<penstock::array> cell = {};
    std::optional<penstock::array> mask = {};
    bool bidirectional = false;
};

// rnn(x, parameters, state, mode: choice(rnn_relu rnn_tanh lstm gru), cell: tensor = none, mask: tensor = none, bidirectional: bool = false)
// Recurrent layers over a sequence x (steps, batch, inputs), from states (layers x directions, batch, hidden) and, of lstm, cells like them: y (steps, batch, directions x hidden) of the last layer, the last states, the last cells (lstm; else no elements), and a reserve that only the gradient reads. The parameters are all weights, by layer and direction those of the input and of the state, then in the same order all biases; gates in the order input, forget, candidate, output (lstm) or reset, update, candidate (gru, with the reset inside the candidate). The mask (layers - 1, steps, batch, directions x hidden) is multiplied with what goes from a layer to the next: dropout.
inline std::array<penstock::array, 4> rnn(const penstock::array &x_, const penstock::array &parameters_, const penstock::array &state_, penstock::rnn_mode mode_, const rnn_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(parameters_), detail::arg(state_), detail::arg(mode_), detail::arg(options.cell), detail::arg(options.mask), detail::arg(options.bidirectional)};
    return detail::queue_several<4>(detail::row_of_rnn, args, 7, at);
}

struct rnn_backward_options {
    std::optional<penstock::array> cell = {};
    std::optional<penstock::array> mask = {};
    std::optional<penstock::array> dy = {};
    std::optional<penstock::array> dstate = {};
    std::optional<penstock::array> dcell = {};
    bool bidirectional = false;
    bool input = true;
};

// rnn_backward(x, parameters, state, reserve, mode: choice(rnn_relu rnn_tanh lstm gru), cell: tensor = none, mask: tensor = none, dy: tensor = none, dstate: tensor = none, dcell: tensor = none, bidirectional: bool = false, input: bool = true)
// What flows back through rnn: to x (no elements unless input), the parameters, the state, the cell and the mask (no elements where there is none), from what flows to y, the last states and the last cells.
inline std::array<penstock::array, 5> rnn_backward(const penstock::array &x_, const penstock::array &parameters_, const penstock::array &state_, const penstock::array &reserve_, penstock::rnn_mode mode_, const rnn_backward_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(parameters_), detail::arg(state_), detail::arg(reserve_), detail::arg(mode_), detail::arg(options.cell), detail::arg(options.mask), detail::arg(options.dy), detail::arg(options.dstate), detail::arg(options.dcell), detail::arg(options.bidirectional), detail::arg(options.input)};
    return detail::queue_several<5>(detail::row_of_rnn_backward, args, 12, at);
}

// sigmoid(x)
// 1 / (1 + exp(-x)).
inline penstock::array sigmoid(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_sigmoid, args, 1, at, x_);
}

struct sigmoid_bce_loss_options {
    std::optional<value> pos_weight = {};
    bool from_sigmoid = false;
};

// sigmoid_bce_loss(x, target, pos_weight: tensor or number = none, from_sigmoid: bool = false)
// With p = sigmoid(x), or with from_sigmoid p = x: -pos_weight target log(p) - (1 - target) log(1 - p); pos_weight is 1 unless given, and is broadcast. Of p itself logarithms are at least -100.
inline penstock::array sigmoid_bce_loss(const penstock::array &x_, const penstock::array &target_, const sigmoid_bce_loss_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_), detail::arg(options.pos_weight), detail::arg(options.from_sigmoid)};
    return detail::queue(detail::row_of_sigmoid_bce_loss, args, 4, at);
}

// silu(x)
// x * sigmoid(x).
inline penstock::array silu(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_silu, args, 1, at, x_);
}

struct softmax_options {
    integer axis = -1;
};

// softmax(x, axis: axis = -1)
// exp(x) divided by its sum along the axis.
inline penstock::array softmax(const penstock::array &x_, const softmax_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.axis)};
    return detail::queue(detail::row_of_softmax, args, 2, at);
}

struct softmax_cross_entropy_options {
    integer axis = -1;
    std::optional<integer> ignore_label = {};
    double smoothing = 0.0;
    std::optional<penstock::array> weights = {};
};

// softmax_cross_entropy(x, labels, axis: axis = -1, ignore_label: int = none, smoothing: float = 0.0, weights: tensor = none)
// The sum over the axis of -weights t log_softmax(x). Labels are integers, counted from 0, one for each line along the axis: t is 1 at the label, else 0; or they are t itself, of the shape of x. With smoothing s of n classes t becomes (1 - s) t + s / n. Where a label is ignore_label the result is 0. A label out of range is found while running.
inline penstock::array softmax_cross_entropy(const penstock::array &x_, const penstock::array &labels_, const softmax_cross_entropy_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(labels_), detail::arg(options.axis), detail::arg(options.ignore_label), detail::arg(options.smoothing), detail::arg(options.weights)};
    return detail::queue(detail::row_of_softmax_cross_entropy, args, 6, at);
}

// softplus(x)
// log(1 + exp(x)).
inline penstock::array softplus(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_softplus, args, 1, at, x_);
}

// softsign(x)
// x / (1 + |x|).
inline penstock::array softsign(const operand &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_softsign, args, 1, at, x_);
}

struct squared_hinge_loss_options {
    std::optional<number> margin = {}; // 1.0
};

// squared_hinge_loss(x, target, margin: scalar = 1.0)
// max(0, margin - x * target)^2, for targets -1 and 1.
inline penstock::array squared_hinge_loss(const operand &x_, const operand &target_, const squared_hinge_loss_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(target_), detail::arg(options.margin)};
    return detail::queue(detail::row_of_squared_hinge_loss, args, 3, at, x_, target_);
}

using penstock::tanh;

struct xavier_options {
    std::optional<penstock::distribution> distribution = {};
    std::optional<penstock::factor> factor = {};
    double magnitude = 3.0;
    penstock::dtype dtype = penstock::dtype::float32;
    std::optional<penstock::generator> generator = {};
};

// xavier(shape: ints, distribution: choice(uniform gaussian) = none, factor: choice(avg in out) = none, magnitude: float = 3.0, dtype: dtype = float32, generator: generator = none)
// Random numbers for a parameter (outputs, inputs, ...): spread evenly over [-s, s) (uniform, also if none is given) or normal with deviation s, s = sqrt(magnitude / f). f is the number of inputs of a unit (in), of outputs (out), or their mean (avg, also if none is given); each counts the elements of the dimensions behind the second.
inline penstock::array xavier(const ints &shape_, const xavier_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.distribution), detail::arg(options.factor), detail::arg(options.magnitude), detail::arg(options.dtype), detail::arg(options.generator)};
    return detail::queue(detail::row_of_xavier, args, 6, at);
}

} // namespace nn

namespace linalg
{

struct cross_options {
    integer axis = -1;
};

// cross(x1, x2, axis: axis = -1)
// The cross product of vectors of length 3 along an axis.
inline penstock::array cross(const penstock::array &x1_, const penstock::array &x2_, const cross_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x1_), detail::arg(x2_), detail::arg(options.axis)};
    return detail::queue(detail::row_of_cross, args, 3, at);
}

using penstock::matmul;

struct matrix_norm_options {
    std::optional<double> ord = {};
    bool keepdims = false;
};

// matrix_norm(x, ord: float = none, keepdims: bool = false)
// A norm of the matrices in the last two dimensions: the largest sum of a column (ord 1) or row (inf), the smallest (-1, -inf), or if none is given the square root of the sum of squares.
inline penstock::array matrix_norm(const penstock::array &x_, const matrix_norm_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.ord), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_matrix_norm, args, 3, at);
}

// matrix_power(x, power: int)
// The product of so many copies of the square matrices in the last two dimensions.
inline penstock::array matrix_power(const penstock::array &x_, integer power_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(power_)};
    return detail::queue(detail::row_of_matrix_power, args, 2, at);
}

using penstock::vecdot;

struct vector_norm_options {
    double ord = 2.0;
    ints axis = none;
    bool keepdims = false;
};

// vector_norm(x, ord: float = 2.0, axis: axes = none, keepdims: bool = false)
// The norm of an order over the axes: the sum of the absolute values to that power, to the power of one over it; for 0 how many are not 0, for inf the largest, for -inf the smallest.
inline penstock::array vector_norm(const penstock::array &x_, const vector_norm_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(x_), detail::arg(options.ord), detail::arg(options.axis), detail::arg(options.keepdims)};
    return detail::queue(detail::row_of_vector_norm, args, 4, at);
}

} // namespace linalg

namespace random
{

struct bernoulli_options {
    double p = 0.5;
    std::optional<penstock::generator> generator = {};
};

// random_bernoulli(shape: ints, p: float = 0.5, generator: generator = none)
// True with probability p.
inline penstock::array bernoulli(const ints &shape_, const bernoulli_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.p), detail::arg(options.generator)};
    return detail::queue(detail::row_of_random_bernoulli, args, 3, at);
}

struct choice_options {
    bool replace = true;
    std::optional<penstock::array> p = {};
    std::optional<penstock::generator> generator = {};
};

// random_choice(shape: ints, count: int, replace: bool = true, p: tensor = none, generator: generator = none)
// Positions of 0 .. count - 1, equally likely or as p says relative to its sum; without replace each at most once.
inline penstock::array choice(const ints &shape_, integer count_, const choice_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(count_), detail::arg(options.replace), detail::arg(options.p), detail::arg(options.generator)};
    return detail::queue(detail::row_of_random_choice, args, 5, at);
}

struct exponential_options {
    double scale = 1.0;
    penstock::dtype dtype = penstock::dtype::float32;
    std::optional<penstock::generator> generator = {};
};

// random_exponential(shape: ints, scale: float = 1.0, dtype: dtype = float32, generator: generator = none)
// Numbers above 0 of the exponential distribution with mean scale.
inline penstock::array exponential(const ints &shape_, const exponential_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.scale), detail::arg(options.dtype), detail::arg(options.generator)};
    return detail::queue(detail::row_of_random_exponential, args, 4, at);
}

struct gumbel_options {
    double loc = 0.0;
    double scale = 1.0;
    penstock::dtype dtype = penstock::dtype::float32;
    std::optional<penstock::generator> generator = {};
};

// random_gumbel(shape: ints, loc: float = 0.0, scale: float = 1.0, dtype: dtype = float32, generator: generator = none)
// Numbers of the Gumbel distribution.
inline penstock::array gumbel(const ints &shape_, const gumbel_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.loc), detail::arg(options.scale), detail::arg(options.dtype), detail::arg(options.generator)};
    return detail::queue(detail::row_of_random_gumbel, args, 5, at);
}

struct integers_options {
    penstock::dtype dtype = penstock::dtype::int64;
    std::optional<penstock::generator> generator = {};
};

// random_integers(shape: ints, low: int, high: int, dtype: dtype = int64, generator: generator = none)
// Integers of [low, high), all equally likely.
inline penstock::array integers(const ints &shape_, integer low_, integer high_, const integers_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(low_), detail::arg(high_), detail::arg(options.dtype), detail::arg(options.generator)};
    return detail::queue(detail::row_of_random_integers, args, 5, at);
}

struct laplace_options {
    double loc = 0.0;
    double scale = 1.0;
    penstock::dtype dtype = penstock::dtype::float32;
    std::optional<penstock::generator> generator = {};
};

// random_laplace(shape: ints, loc: float = 0.0, scale: float = 1.0, dtype: dtype = float32, generator: generator = none)
// Numbers of the Laplace distribution: the difference of two exponential ones.
inline penstock::array laplace(const ints &shape_, const laplace_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.loc), detail::arg(options.scale), detail::arg(options.dtype), detail::arg(options.generator)};
    return detail::queue(detail::row_of_random_laplace, args, 5, at);
}

struct logistic_options {
    double loc = 0.0;
    double scale = 1.0;
    penstock::dtype dtype = penstock::dtype::float32;
    std::optional<penstock::generator> generator = {};
};

// random_logistic(shape: ints, loc: float = 0.0, scale: float = 1.0, dtype: dtype = float32, generator: generator = none)
// Numbers of the logistic distribution.
inline penstock::array logistic(const ints &shape_, const logistic_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.loc), detail::arg(options.scale), detail::arg(options.dtype), detail::arg(options.generator)};
    return detail::queue(detail::row_of_random_logistic, args, 5, at);
}

struct lognormal_options {
    double mean = 0.0;
    double sigma = 1.0;
    penstock::dtype dtype = penstock::dtype::float32;
    std::optional<penstock::generator> generator = {};
};

// random_lognormal(shape: ints, mean: float = 0.0, sigma: float = 1.0, dtype: dtype = float32, generator: generator = none)
// Numbers whose logarithms are normal with that mean and deviation.
inline penstock::array lognormal(const ints &shape_, const lognormal_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.mean), detail::arg(options.sigma), detail::arg(options.dtype), detail::arg(options.generator)};
    return detail::queue(detail::row_of_random_lognormal, args, 5, at);
}

struct normal_options {
    double mean = 0.0;
    double std = 1.0;
    penstock::dtype dtype = penstock::dtype::float32;
    std::optional<penstock::generator> generator = {};
};

// random_normal(shape: ints, mean: float = 0.0, std: float = 1.0, dtype: dtype = float32, generator: generator = none)
// Numbers of a normal distribution.
inline penstock::array normal(const ints &shape_, const normal_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.mean), detail::arg(options.std), detail::arg(options.dtype), detail::arg(options.generator)};
    return detail::queue(detail::row_of_random_normal, args, 5, at);
}

struct permutation_options {
    std::optional<penstock::generator> generator = {};
};

// random_permutation(count: int, generator: generator = none)
// 0 .. count - 1 in random order.
inline penstock::array permutation(integer count_, const permutation_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(count_), detail::arg(options.generator)};
    return detail::queue(detail::row_of_random_permutation, args, 2, at);
}

struct uniform_options {
    double low = 0.0;
    double high = 1.0;
    penstock::dtype dtype = penstock::dtype::float32;
    std::optional<penstock::generator> generator = {};
};

// random_uniform(shape: ints, low: float = 0.0, high: float = 1.0, dtype: dtype = float32, generator: generator = none)
// Numbers spread evenly over [low, high).
inline penstock::array uniform(const ints &shape_, const uniform_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(shape_), detail::arg(options.low), detail::arg(options.high), detail::arg(options.dtype), detail::arg(options.generator)};
    return detail::queue(detail::row_of_random_uniform, args, 5, at);
}

} // namespace random

namespace optim
{

struct adadelta_update_options {
    std::optional<value> rate = {}; // 1.0
    std::optional<value> gain = {}; // 0.1
    std::optional<value> inside = {}; // 1e-06
    std::optional<value> shrink = {}; // 0.0
    std::optional<value> rescale = {}; // 1.0
    std::optional<value> clip = {}; // inf
    std::optional<value> decay = {}; // 0.0
};

// adadelta_update(w, v, d, g, rate: tensor or number = 1.0, gain: tensor or number = 0.1, inside: tensor or number = 1e-06, shrink: tensor or number = 0.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
// AdaDelta: h = clip(rescale * g, -clip, clip) + decay * w; v = v + gain * (h * h - v); x = sqrt(d + inside) / sqrt(v + inside) * h; d = d + gain * (x * x - d); w - rate * (shrink * w + x).
inline std::array<penstock::array, 3> adadelta_update(const operand &w_, const operand &v_, const operand &d_, const operand &g_, const adadelta_update_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(w_), detail::arg(v_), detail::arg(d_), detail::arg(g_), detail::arg(options.rate), detail::arg(options.gain), detail::arg(options.inside), detail::arg(options.shrink), detail::arg(options.rescale), detail::arg(options.clip), detail::arg(options.decay)};
    return detail::queue_several<3>(detail::row_of_adadelta_update, args, 11, at, w_, v_, d_, g_);
}

struct adagrad_update_options {
    std::optional<value> epsilon = {}; // 1e-10
    std::optional<value> inside = {}; // 0.0
    std::optional<value> shrink = {}; // 0.0
    std::optional<value> rescale = {}; // 1.0
    std::optional<value> clip = {}; // inf
    std::optional<value> decay = {}; // 0.0
};

// adagrad_update(w, v, g, rate, epsilon: tensor or number = 1e-10, inside: tensor or number = 0.0, shrink: tensor or number = 0.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
// AdaGrad: h = clip(rescale * g, -clip, clip) + decay * w; v = v + h * h; w - rate * (shrink * w + h / (sqrt(v + inside) + epsilon)).
inline std::array<penstock::array, 2> adagrad_update(const operand &w_, const operand &v_, const operand &g_, const operand &rate_, const adagrad_update_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(w_), detail::arg(v_), detail::arg(g_), detail::arg(rate_), detail::arg(options.epsilon), detail::arg(options.inside), detail::arg(options.shrink), detail::arg(options.rescale), detail::arg(options.clip), detail::arg(options.decay)};
    return detail::queue_several<2>(detail::row_of_adagrad_update, args, 10, at, w_, v_, g_, rate_);
}

struct adam_update_options {
    std::optional<value> gain1 = {}; // 0.1
    std::optional<value> gain2 = {}; // 0.001
    std::optional<value> epsilon = {}; // 1e-08
    std::optional<value> inside = {}; // 0.0
    std::optional<value> correct1 = {}; // 1.0
    std::optional<value> correct2 = {}; // 1.0
    std::optional<value> shrink = {}; // 0.0
    std::optional<value> early = {}; // 0.0
    std::optional<value> rescale = {}; // 1.0
    std::optional<value> clip = {}; // inf
    std::optional<value> decay = {}; // 0.0
};

// adam_update(w, m, v, g, rate, gain1: tensor or number = 0.1, gain2: tensor or number = 0.001, epsilon: tensor or number = 1e-08, inside: tensor or number = 0.0, correct1: tensor or number = 1.0, correct2: tensor or number = 1.0, shrink: tensor or number = 0.0, early: tensor or number = 0.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
// Adam and AdamW: h = clip(rescale * g + early * w, -clip, clip) + decay * w; m = m + gain1 * (h - m); v = v + gain2 * (h * h - v); w - rate * (shrink * w + correct1 * m / (sqrt(correct2 * v + inside) + epsilon)). In step t with gains 1 - beta: correct1 = 1 / (1 - beta1^t) and correct2 = 1 / (1 - beta2^t); for an uncorrected epsilon correct1 = sqrt(1 - beta2^t) / (1 - beta1^t) and correct2 = 1. AdamW has shrink instead of decay.
inline std::array<penstock::array, 3> adam_update(const operand &w_, const operand &m_, const operand &v_, const operand &g_, const operand &rate_, const adam_update_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(w_), detail::arg(m_), detail::arg(v_), detail::arg(g_), detail::arg(rate_), detail::arg(options.gain1), detail::arg(options.gain2), detail::arg(options.epsilon), detail::arg(options.inside), detail::arg(options.correct1), detail::arg(options.correct2), detail::arg(options.shrink), detail::arg(options.early), detail::arg(options.rescale), detail::arg(options.clip), detail::arg(options.decay)};
    return detail::queue_several<3>(detail::row_of_adam_update, args, 16, at, w_, m_, v_, g_, rate_);
}

struct ftrl_update_options {
    std::optional<value> l1 = {}; // 0.01
    std::optional<value> beta = {}; // 1.0
    std::optional<value> rescale = {}; // 1.0
    std::optional<value> clip = {}; // inf
    std::optional<value> decay = {}; // 0.0
};

// ftrl_update(w, z, n, g, rate, l1: tensor or number = 0.01, beta: tensor or number = 1.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
// FTRL-proximal: h = clip(rescale * g, -clip, clip); k = n + h * h; z = z + h - (sqrt(k) - sqrt(n)) * w / rate; n = k; (sign(z) * l1 - z) / ((beta + sqrt(n)) / rate + decay) where |z| > l1, else 0.
inline std::array<penstock::array, 3> ftrl_update(const operand &w_, const operand &z_, const operand &n_, const operand &g_, const operand &rate_, const ftrl_update_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(w_), detail::arg(z_), detail::arg(n_), detail::arg(g_), detail::arg(rate_), detail::arg(options.l1), detail::arg(options.beta), detail::arg(options.rescale), detail::arg(options.clip), detail::arg(options.decay)};
    return detail::queue_several<3>(detail::row_of_ftrl_update, args, 10, at, w_, z_, n_, g_, rate_);
}

// global_norm(x: tensors)
// The norm of all elements of some tensors: the norm of their norms.
inline penstock::array global_norm(const arrays &x_, location at = location())
{
    const ps_arg args[] = {detail::arg(x_)};
    return detail::queue(detail::row_of_global_norm, args, 1, at);
}

struct momentum_update_options {
    std::optional<value> momentum = {}; // 0.9
    std::optional<value> factor = {}; // 1.0
    std::optional<value> rescale = {}; // 1.0
    std::optional<value> clip = {}; // inf
    std::optional<value> decay = {}; // 0.0
};

// momentum_update(w, m, g, rate, momentum: tensor or number = 0.9, factor: tensor or number = 1.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
// Gradient descent with momentum: h = clip(rescale * g, -clip, clip) + decay * w; m = momentum * m + factor * h; w - rate * m. The learning rate is `rate`, outside of the momentum, or `factor`, inside of it.
inline std::array<penstock::array, 2> momentum_update(const operand &w_, const operand &m_, const operand &g_, const operand &rate_, const momentum_update_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(w_), detail::arg(m_), detail::arg(g_), detail::arg(rate_), detail::arg(options.momentum), detail::arg(options.factor), detail::arg(options.rescale), detail::arg(options.clip), detail::arg(options.decay)};
    return detail::queue_several<2>(detail::row_of_momentum_update, args, 9, at, w_, m_, g_, rate_);
}

struct nesterov_update_options {
    std::optional<value> momentum = {}; // 0.9
    std::optional<value> factor = {}; // 1.0
    std::optional<value> rescale = {}; // 1.0
    std::optional<value> clip = {}; // inf
    std::optional<value> decay = {}; // 0.0
};

// nesterov_update(w, m, g, rate, momentum: tensor or number = 0.9, factor: tensor or number = 1.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
// As momentum_update, a step ahead: h = clip(rescale * g, -clip, clip) + decay * w; m = momentum * m + factor * h; w - rate * (momentum * m + factor * h).
inline std::array<penstock::array, 2> nesterov_update(const operand &w_, const operand &m_, const operand &g_, const operand &rate_, const nesterov_update_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(w_), detail::arg(m_), detail::arg(g_), detail::arg(rate_), detail::arg(options.momentum), detail::arg(options.factor), detail::arg(options.rescale), detail::arg(options.clip), detail::arg(options.decay)};
    return detail::queue_several<2>(detail::row_of_nesterov_update, args, 9, at, w_, m_, g_, rate_);
}

struct rmsprop_centered_update_options {
    std::optional<value> momentum = {}; // 0.0
    std::optional<value> factor = {}; // 1.0
    std::optional<value> gain = {}; // 0.01
    std::optional<value> epsilon = {}; // 1e-08
    std::optional<value> inside = {}; // 0.0
    std::optional<value> bound = {}; // inf
    std::optional<value> early = {}; // 0.0
    std::optional<value> rescale = {}; // 1.0
    std::optional<value> clip = {}; // inf
    std::optional<value> decay = {}; // 0.0
};

// rmsprop_centered_update(w, v, a, m, g, rate, momentum: tensor or number = 0.0, factor: tensor or number = 1.0, gain: tensor or number = 0.01, epsilon: tensor or number = 1e-08, inside: tensor or number = 0.0, bound: tensor or number = inf, early: tensor or number = 0.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
// RMSProp by the spread of gradients: h = clip(rescale * g + early * w, -clip, clip) + decay * w; v = v + gain * (h * h - v); a = a + gain * (h - a); m = momentum * m + factor * h / (sqrt(v - a * a + inside) + epsilon); clip(w - rate * m, -bound, bound).
inline std::array<penstock::array, 4> rmsprop_centered_update(const operand &w_, const operand &v_, const operand &a_, const operand &m_, const operand &g_, const operand &rate_, const rmsprop_centered_update_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(w_), detail::arg(v_), detail::arg(a_), detail::arg(m_), detail::arg(g_), detail::arg(rate_), detail::arg(options.momentum), detail::arg(options.factor), detail::arg(options.gain), detail::arg(options.epsilon), detail::arg(options.inside), detail::arg(options.bound), detail::arg(options.early), detail::arg(options.rescale), detail::arg(options.clip), detail::arg(options.decay)};
    return detail::queue_several<4>(detail::row_of_rmsprop_centered_update, args, 16, at, w_, v_, a_, m_, g_, rate_);
}

struct rmsprop_momentum_update_options {
    std::optional<value> momentum = {}; // 0.9
    std::optional<value> factor = {}; // 1.0
    std::optional<value> gain = {}; // 0.01
    std::optional<value> epsilon = {}; // 1e-08
    std::optional<value> inside = {}; // 0.0
    std::optional<value> bound = {}; // inf
    std::optional<value> early = {}; // 0.0
    std::optional<value> rescale = {}; // 1.0
    std::optional<value> clip = {}; // inf
    std::optional<value> decay = {}; // 0.0
};

// rmsprop_momentum_update(w, v, m, g, rate, momentum: tensor or number = 0.9, factor: tensor or number = 1.0, gain: tensor or number = 0.01, epsilon: tensor or number = 1e-08, inside: tensor or number = 0.0, bound: tensor or number = inf, early: tensor or number = 0.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
// RMSProp with momentum: h = clip(rescale * g + early * w, -clip, clip) + decay * w; v = v + gain * (h * h - v); m = momentum * m + factor * h / (sqrt(v + inside) + epsilon); clip(w - rate * m, -bound, bound).
inline std::array<penstock::array, 3> rmsprop_momentum_update(const operand &w_, const operand &v_, const operand &m_, const operand &g_, const operand &rate_, const rmsprop_momentum_update_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(w_), detail::arg(v_), detail::arg(m_), detail::arg(g_), detail::arg(rate_), detail::arg(options.momentum), detail::arg(options.factor), detail::arg(options.gain), detail::arg(options.epsilon), detail::arg(options.inside), detail::arg(options.bound), detail::arg(options.early), detail::arg(options.rescale), detail::arg(options.clip), detail::arg(options.decay)};
    return detail::queue_several<3>(detail::row_of_rmsprop_momentum_update, args, 15, at, w_, v_, m_, g_, rate_);
}

struct rmsprop_update_options {
    std::optional<value> gain = {}; // 0.01
    std::optional<value> epsilon = {}; // 1e-08
    std::optional<value> inside = {}; // 0.0
    std::optional<value> bound = {}; // inf
    std::optional<value> early = {}; // 0.0
    std::optional<value> rescale = {}; // 1.0
    std::optional<value> clip = {}; // inf
    std::optional<value> decay = {}; // 0.0
};

// rmsprop_update(w, v, g, rate, gain: tensor or number = 0.01, epsilon: tensor or number = 1e-08, inside: tensor or number = 0.0, bound: tensor or number = inf, early: tensor or number = 0.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
// RMSProp: h = clip(rescale * g + early * w, -clip, clip) + decay * w; v = v + gain * (h * h - v); clip(w - rate * h / (sqrt(v + inside) + epsilon), -bound, bound).
inline std::array<penstock::array, 2> rmsprop_update(const operand &w_, const operand &v_, const operand &g_, const operand &rate_, const rmsprop_update_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(w_), detail::arg(v_), detail::arg(g_), detail::arg(rate_), detail::arg(options.gain), detail::arg(options.epsilon), detail::arg(options.inside), detail::arg(options.bound), detail::arg(options.early), detail::arg(options.rescale), detail::arg(options.clip), detail::arg(options.decay)};
    return detail::queue_several<2>(detail::row_of_rmsprop_update, args, 12, at, w_, v_, g_, rate_);
}

struct sgd_update_options {
    std::optional<value> rescale = {}; // 1.0
    std::optional<value> clip = {}; // inf
    std::optional<value> decay = {}; // 0.0
};

// sgd_update(w, g, rate, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
// A step of gradient descent: h = clip(rescale * g, -clip, clip) + decay * w; w - rate * h.
inline penstock::array sgd_update(const operand &w_, const operand &g_, const operand &rate_, const sgd_update_options &options = {}, location at = location())
{
    const ps_arg args[] = {detail::arg(w_), detail::arg(g_), detail::arg(rate_), detail::arg(options.rescale), detail::arg(options.clip), detail::arg(options.decay)};
    return detail::queue(detail::row_of_sgd_update, args, 6, at, w_, g_, rate_);
}

} // namespace optim

inline array operator+(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_add, x1, x2);
}
inline array &operator+=(array &x1, const operand &x2)
{
    detail::queue_update(detail::row_of_add, x1, x2);
    return x1;
}
template <detail::written Place> void operator+=(Place &&x1, const operand &x2)
{
    detail::update_place(detail::row_of_add, x1, x2);
}
inline array operator&(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_bitwise_and, x1, x2);
}
inline array &operator&=(array &x1, const operand &x2)
{
    detail::queue_update(detail::row_of_bitwise_and, x1, x2);
    return x1;
}
template <detail::written Place> void operator&=(Place &&x1, const operand &x2)
{
    detail::update_place(detail::row_of_bitwise_and, x1, x2);
}
inline array operator~(const operand &x)
{
    return detail::queue_unary(detail::row_of_bitwise_invert, x);
}
inline array operator<<(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_bitwise_left_shift, x1, x2);
}
inline array &operator<<=(array &x1, const operand &x2)
{
    detail::queue_update(detail::row_of_bitwise_left_shift, x1, x2);
    return x1;
}
template <detail::written Place> void operator<<=(Place &&x1, const operand &x2)
{
    detail::update_place(detail::row_of_bitwise_left_shift, x1, x2);
}
inline array operator|(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_bitwise_or, x1, x2);
}
inline array &operator|=(array &x1, const operand &x2)
{
    detail::queue_update(detail::row_of_bitwise_or, x1, x2);
    return x1;
}
template <detail::written Place> void operator|=(Place &&x1, const operand &x2)
{
    detail::update_place(detail::row_of_bitwise_or, x1, x2);
}
inline array operator>>(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_bitwise_right_shift, x1, x2);
}
inline array &operator>>=(array &x1, const operand &x2)
{
    detail::queue_update(detail::row_of_bitwise_right_shift, x1, x2);
    return x1;
}
template <detail::written Place> void operator>>=(Place &&x1, const operand &x2)
{
    detail::update_place(detail::row_of_bitwise_right_shift, x1, x2);
}
inline array operator^(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_bitwise_xor, x1, x2);
}
inline array &operator^=(array &x1, const operand &x2)
{
    detail::queue_update(detail::row_of_bitwise_xor, x1, x2);
    return x1;
}
template <detail::written Place> void operator^=(Place &&x1, const operand &x2)
{
    detail::update_place(detail::row_of_bitwise_xor, x1, x2);
}
inline array operator/(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_divide, x1, x2);
}
inline array &operator/=(array &x1, const operand &x2)
{
    detail::queue_update(detail::row_of_divide, x1, x2);
    return x1;
}
template <detail::written Place> void operator/=(Place &&x1, const operand &x2)
{
    detail::update_place(detail::row_of_divide, x1, x2);
}
inline array operator==(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_equal, x1, x2);
}
inline array operator>(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_greater, x1, x2);
}
inline array operator>=(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_greater_equal, x1, x2);
}
inline array operator<(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_less, x1, x2);
}
inline array operator<=(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_less_equal, x1, x2);
}
inline array operator*(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_multiply, x1, x2);
}
inline array &operator*=(array &x1, const operand &x2)
{
    detail::queue_update(detail::row_of_multiply, x1, x2);
    return x1;
}
template <detail::written Place> void operator*=(Place &&x1, const operand &x2)
{
    detail::update_place(detail::row_of_multiply, x1, x2);
}
inline array operator-(const operand &x)
{
    return detail::queue_unary(detail::row_of_negative, x);
}
inline array operator!=(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_not_equal, x1, x2);
}
inline array operator+(const operand &x)
{
    return detail::queue_unary(detail::row_of_positive, x);
}
inline array operator%(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_remainder, x1, x2);
}
inline array &operator%=(array &x1, const operand &x2)
{
    detail::queue_update(detail::row_of_remainder, x1, x2);
    return x1;
}
template <detail::written Place> void operator%=(Place &&x1, const operand &x2)
{
    detail::update_place(detail::row_of_remainder, x1, x2);
}
inline array operator-(const operand &x1, const operand &x2)
{
    return detail::queue_binary(detail::row_of_subtract, x1, x2);
}
inline array &operator-=(array &x1, const operand &x2)
{
    detail::queue_update(detail::row_of_subtract, x1, x2);
    return x1;
}
template <detail::written Place> void operator-=(Place &&x1, const operand &x2)
{
    detail::update_place(detail::row_of_subtract, x1, x2);
}

} // namespace penstock

#endif
