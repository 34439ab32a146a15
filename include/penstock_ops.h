/* clang-format off */
/* Made from the table of operations by `make generate`; do not edit.
 *
 * For each operation a function with its required arguments, and where there are others a
 * second one, ps_NAME_with, whose options struct has them: those left zero are defaults. If
 * *result is NULL a new tensor is put there; else the result is written into that tensor.
 *
 * Calls are macros, so that errors of what is queued name their line: ps_NAME_at is the function
 * that they call, which takes the location first. */
#ifndef PENSTOCK_OPS_H
#define PENSTOCK_OPS_H

#include "penstock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Finds the operation at the first call. Threads that meet here find the same one. */
static inline ps_status ps_ops_call_several(const ps_op **op, const char *name,
                                            const ps_arg *args, size_t nargs,
                                            uint64_t location, ps_tensor **results,
                                            size_t noutputs)
{
    const ps_op *found = __atomic_load_n(op, __ATOMIC_RELAXED);
    ps_call call;
    if (found == NULL) {
        ps_status status = ps_op_find(name, &found);
        if (status != PS_OK)
            return status;
        __atomic_store_n(op, found, __ATOMIC_RELAXED);
    }
    call.size = sizeof call;
    call.args = args;
    call.nargs = nargs;
    call.outputs = results;
    call.noutputs = noutputs;
    call.device = NULL;
    call.location = location;
    call.flags = 0;
    return ps_op_call(found, &call);
}

static inline ps_status ps_ops_call(const ps_op **op, const char *name, const ps_arg *args,
                                    size_t nargs, uint64_t location, ps_tensor **result)
{
    return ps_ops_call_several(op, name, args, nargs, location, result, 1);
}

/* abs(x)
 * Absolute value. */
static inline ps_status ps_abs_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "abs", args, 1, location, result);
}
static inline ps_status ps_abs(ps_arg x, ps_tensor **result)
{
    return ps_abs_at(0, x, result);
}
#define ps_abs(...) ps_abs_at(PS_HERE, __VA_ARGS__)

/* acos(x)
 * Inverse cosine. */
static inline ps_status ps_acos_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "acos", args, 1, location, result);
}
static inline ps_status ps_acos(ps_arg x, ps_tensor **result)
{
    return ps_acos_at(0, x, result);
}
#define ps_acos(...) ps_acos_at(PS_HERE, __VA_ARGS__)

/* acosh(x)
 * Inverse hyperbolic cosine. */
static inline ps_status ps_acosh_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "acosh", args, 1, location, result);
}
static inline ps_status ps_acosh(ps_arg x, ps_tensor **result)
{
    return ps_acosh_at(0, x, result);
}
#define ps_acosh(...) ps_acosh_at(PS_HERE, __VA_ARGS__)

/* adadelta_update(w, v, d, g, rate: tensor or number = 1.0, gain: tensor or number = 0.1, inside: tensor or number = 1e-06, shrink: tensor or number = 0.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
 * AdaDelta: h = clip(rescale * g, -clip, clip) + decay * w; v = v + gain * (h * h - v); x = sqrt(d + inside) / sqrt(v + inside) * h; d = d + gain * (x * x - d); w - rate * (shrink * w + x).
 * results has room for 3 tensors */
static inline ps_status ps_adadelta_update_at(uint64_t location, ps_arg w, ps_arg v, ps_arg d, ps_arg g, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[11];
    args[0] = w;
    args[1] = v;
    args[2] = d;
    args[3] = g;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    args[8].kind = PS_ARG_NONE;
    args[9].kind = PS_ARG_NONE;
    args[10].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "adadelta_update", args, 11, location, results, 3);
}
static inline ps_status ps_adadelta_update(ps_arg w, ps_arg v, ps_arg d, ps_arg g, ps_tensor **results)
{
    return ps_adadelta_update_at(0, w, v, d, g, results);
}
#define ps_adadelta_update(...) ps_adadelta_update_at(PS_HERE, __VA_ARGS__)

typedef struct ps_adadelta_update_options {
    ps_arg rate; /* 1.0 */
    ps_arg gain; /* 0.1 */
    ps_arg inside; /* 1e-06 */
    ps_arg shrink; /* 0.0 */
    ps_arg rescale; /* 1.0 */
    ps_arg clip; /* inf */
    ps_arg decay; /* 0.0 */
} ps_adadelta_update_options;

static inline ps_status ps_adadelta_update_with_at(uint64_t location, ps_arg w, ps_arg v, ps_arg d, ps_arg g, const ps_adadelta_update_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[11];
    args[0] = w;
    args[1] = v;
    args[2] = d;
    args[3] = g;
    args[4] = options->rate;
    args[5] = options->gain;
    args[6] = options->inside;
    args[7] = options->shrink;
    args[8] = options->rescale;
    args[9] = options->clip;
    args[10] = options->decay;
    return ps_ops_call_several(&op, "adadelta_update", args, 11, location, results, 3);
}
static inline ps_status ps_adadelta_update_with(ps_arg w, ps_arg v, ps_arg d, ps_arg g, const ps_adadelta_update_options *options, ps_tensor **results)
{
    return ps_adadelta_update_with_at(0, w, v, d, g, options, results);
}
#define ps_adadelta_update_with(...) ps_adadelta_update_with_at(PS_HERE, __VA_ARGS__)

/* adagrad_update(w, v, g, rate, epsilon: tensor or number = 1e-10, inside: tensor or number = 0.0, shrink: tensor or number = 0.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
 * AdaGrad: h = clip(rescale * g, -clip, clip) + decay * w; v = v + h * h; w - rate * (shrink * w + h / (sqrt(v + inside) + epsilon)).
 * results has room for 2 tensors */
static inline ps_status ps_adagrad_update_at(uint64_t location, ps_arg w, ps_arg v, ps_arg g, ps_arg rate, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[10];
    args[0] = w;
    args[1] = v;
    args[2] = g;
    args[3] = rate;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    args[8].kind = PS_ARG_NONE;
    args[9].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "adagrad_update", args, 10, location, results, 2);
}
static inline ps_status ps_adagrad_update(ps_arg w, ps_arg v, ps_arg g, ps_arg rate, ps_tensor **results)
{
    return ps_adagrad_update_at(0, w, v, g, rate, results);
}
#define ps_adagrad_update(...) ps_adagrad_update_at(PS_HERE, __VA_ARGS__)

typedef struct ps_adagrad_update_options {
    ps_arg epsilon; /* 1e-10 */
    ps_arg inside; /* 0.0 */
    ps_arg shrink; /* 0.0 */
    ps_arg rescale; /* 1.0 */
    ps_arg clip; /* inf */
    ps_arg decay; /* 0.0 */
} ps_adagrad_update_options;

static inline ps_status ps_adagrad_update_with_at(uint64_t location, ps_arg w, ps_arg v, ps_arg g, ps_arg rate, const ps_adagrad_update_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[10];
    args[0] = w;
    args[1] = v;
    args[2] = g;
    args[3] = rate;
    args[4] = options->epsilon;
    args[5] = options->inside;
    args[6] = options->shrink;
    args[7] = options->rescale;
    args[8] = options->clip;
    args[9] = options->decay;
    return ps_ops_call_several(&op, "adagrad_update", args, 10, location, results, 2);
}
static inline ps_status ps_adagrad_update_with(ps_arg w, ps_arg v, ps_arg g, ps_arg rate, const ps_adagrad_update_options *options, ps_tensor **results)
{
    return ps_adagrad_update_with_at(0, w, v, g, rate, options, results);
}
#define ps_adagrad_update_with(...) ps_adagrad_update_with_at(PS_HERE, __VA_ARGS__)

/* adam_update(w, m, v, g, rate, gain1: tensor or number = 0.1, gain2: tensor or number = 0.001, epsilon: tensor or number = 1e-08, inside: tensor or number = 0.0, correct1: tensor or number = 1.0, correct2: tensor or number = 1.0, shrink: tensor or number = 0.0, early: tensor or number = 0.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
 * Adam and AdamW: h = clip(rescale * g + early * w, -clip, clip) + decay * w; m = m + gain1 * (h - m); v = v + gain2 * (h * h - v); w - rate * (shrink * w + correct1 * m / (sqrt(correct2 * v + inside) + epsilon)). In step t with gains 1 - beta: correct1 = 1 / (1 - beta1^t) and correct2 = 1 / (1 - beta2^t); for an uncorrected epsilon correct1 = sqrt(1 - beta2^t) / (1 - beta1^t) and correct2 = 1. AdamW has shrink instead of decay.
 * results has room for 3 tensors */
static inline ps_status ps_adam_update_at(uint64_t location, ps_arg w, ps_arg m, ps_arg v, ps_arg g, ps_arg rate, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[16];
    args[0] = w;
    args[1] = m;
    args[2] = v;
    args[3] = g;
    args[4] = rate;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    args[8].kind = PS_ARG_NONE;
    args[9].kind = PS_ARG_NONE;
    args[10].kind = PS_ARG_NONE;
    args[11].kind = PS_ARG_NONE;
    args[12].kind = PS_ARG_NONE;
    args[13].kind = PS_ARG_NONE;
    args[14].kind = PS_ARG_NONE;
    args[15].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "adam_update", args, 16, location, results, 3);
}
static inline ps_status ps_adam_update(ps_arg w, ps_arg m, ps_arg v, ps_arg g, ps_arg rate, ps_tensor **results)
{
    return ps_adam_update_at(0, w, m, v, g, rate, results);
}
#define ps_adam_update(...) ps_adam_update_at(PS_HERE, __VA_ARGS__)

typedef struct ps_adam_update_options {
    ps_arg gain1; /* 0.1 */
    ps_arg gain2; /* 0.001 */
    ps_arg epsilon; /* 1e-08 */
    ps_arg inside; /* 0.0 */
    ps_arg correct1; /* 1.0 */
    ps_arg correct2; /* 1.0 */
    ps_arg shrink; /* 0.0 */
    ps_arg early; /* 0.0 */
    ps_arg rescale; /* 1.0 */
    ps_arg clip; /* inf */
    ps_arg decay; /* 0.0 */
} ps_adam_update_options;

static inline ps_status ps_adam_update_with_at(uint64_t location, ps_arg w, ps_arg m, ps_arg v, ps_arg g, ps_arg rate, const ps_adam_update_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[16];
    args[0] = w;
    args[1] = m;
    args[2] = v;
    args[3] = g;
    args[4] = rate;
    args[5] = options->gain1;
    args[6] = options->gain2;
    args[7] = options->epsilon;
    args[8] = options->inside;
    args[9] = options->correct1;
    args[10] = options->correct2;
    args[11] = options->shrink;
    args[12] = options->early;
    args[13] = options->rescale;
    args[14] = options->clip;
    args[15] = options->decay;
    return ps_ops_call_several(&op, "adam_update", args, 16, location, results, 3);
}
static inline ps_status ps_adam_update_with(ps_arg w, ps_arg m, ps_arg v, ps_arg g, ps_arg rate, const ps_adam_update_options *options, ps_tensor **results)
{
    return ps_adam_update_with_at(0, w, m, v, g, rate, options, results);
}
#define ps_adam_update_with(...) ps_adam_update_with_at(PS_HERE, __VA_ARGS__)

/* add(x1, x2)
 * Sum of the operands. */
static inline ps_status ps_add_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "add", args, 2, location, result);
}
static inline ps_status ps_add(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_add_at(0, x1, x2, result);
}
#define ps_add(...) ps_add_at(PS_HERE, __VA_ARGS__)

/* all(x, axis: axes = none, keepdims: bool = false)
 * Whether no element is 0. */
static inline ps_status ps_all_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "all", args, 3, location, result);
}
static inline ps_status ps_all(ps_arg x, ps_tensor **result)
{
    return ps_all_at(0, x, result);
}
#define ps_all(...) ps_all_at(PS_HERE, __VA_ARGS__)

typedef struct ps_all_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
} ps_all_options;

static inline ps_status ps_all_with_at(uint64_t location, ps_arg x, const ps_all_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    return ps_ops_call(&op, "all", args, 3, location, result);
}
static inline ps_status ps_all_with(ps_arg x, const ps_all_options *options, ps_tensor **result)
{
    return ps_all_with_at(0, x, options, result);
}
#define ps_all_with(...) ps_all_with_at(PS_HERE, __VA_ARGS__)

/* allclose(x1, x2, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = false)
 * Whether isclose is true of all elements. */
static inline ps_status ps_allclose_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x1;
    args[1] = x2;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "allclose", args, 5, location, result);
}
static inline ps_status ps_allclose(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_allclose_at(0, x1, x2, result);
}
#define ps_allclose(...) ps_allclose_at(PS_HERE, __VA_ARGS__)

typedef struct ps_allclose_options {
    ps_arg rtol; /* 1e-05 */
    ps_arg atol; /* 1e-08 */
    ps_arg equal_nan; /* false */
} ps_allclose_options;

static inline ps_status ps_allclose_with_at(uint64_t location, ps_arg x1, ps_arg x2, const ps_allclose_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x1;
    args[1] = x2;
    args[2] = options->rtol;
    args[3] = options->atol;
    args[4] = options->equal_nan;
    return ps_ops_call(&op, "allclose", args, 5, location, result);
}
static inline ps_status ps_allclose_with(ps_arg x1, ps_arg x2, const ps_allclose_options *options, ps_tensor **result)
{
    return ps_allclose_with_at(0, x1, x2, options, result);
}
#define ps_allclose_with(...) ps_allclose_with_at(PS_HERE, __VA_ARGS__)

/* any(x, axis: axes = none, keepdims: bool = false)
 * Whether one element is not 0. */
static inline ps_status ps_any_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "any", args, 3, location, result);
}
static inline ps_status ps_any(ps_arg x, ps_tensor **result)
{
    return ps_any_at(0, x, result);
}
#define ps_any(...) ps_any_at(PS_HERE, __VA_ARGS__)

typedef struct ps_any_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
} ps_any_options;

static inline ps_status ps_any_with_at(uint64_t location, ps_arg x, const ps_any_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    return ps_ops_call(&op, "any", args, 3, location, result);
}
static inline ps_status ps_any_with(ps_arg x, const ps_any_options *options, ps_tensor **result)
{
    return ps_any_with_at(0, x, options, result);
}
#define ps_any_with(...) ps_any_with_at(PS_HERE, __VA_ARGS__)

/* arange(start: scalar, stop: scalar = none, step: scalar = 1, dtype: dtype = none)
 * start, start + step, ... before stop; with one number from 0 to it. */
static inline ps_status ps_arange_at(uint64_t location, ps_arg start, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = start;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "arange", args, 4, location, result);
}
static inline ps_status ps_arange(ps_arg start, ps_tensor **result)
{
    return ps_arange_at(0, start, result);
}
#define ps_arange(...) ps_arange_at(PS_HERE, __VA_ARGS__)

typedef struct ps_arange_options {
    ps_arg stop; /* none */
    ps_arg step; /* 1 */
    ps_arg dtype; /* none */
} ps_arange_options;

static inline ps_status ps_arange_with_at(uint64_t location, ps_arg start, const ps_arange_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = start;
    args[1] = options->stop;
    args[2] = options->step;
    args[3] = options->dtype;
    return ps_ops_call(&op, "arange", args, 4, location, result);
}
static inline ps_status ps_arange_with(ps_arg start, const ps_arange_options *options, ps_tensor **result)
{
    return ps_arange_with_at(0, start, options, result);
}
#define ps_arange_with(...) ps_arange_with_at(PS_HERE, __VA_ARGS__)

/* argmax(x, axis: axis = none, keepdims: bool = false)
 * Place of the first largest element, along the axis or in all of x. */
static inline ps_status ps_argmax_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "argmax", args, 3, location, result);
}
static inline ps_status ps_argmax(ps_arg x, ps_tensor **result)
{
    return ps_argmax_at(0, x, result);
}
#define ps_argmax(...) ps_argmax_at(PS_HERE, __VA_ARGS__)

typedef struct ps_argmax_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
} ps_argmax_options;

static inline ps_status ps_argmax_with_at(uint64_t location, ps_arg x, const ps_argmax_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    return ps_ops_call(&op, "argmax", args, 3, location, result);
}
static inline ps_status ps_argmax_with(ps_arg x, const ps_argmax_options *options, ps_tensor **result)
{
    return ps_argmax_with_at(0, x, options, result);
}
#define ps_argmax_with(...) ps_argmax_with_at(PS_HERE, __VA_ARGS__)

/* argmin(x, axis: axis = none, keepdims: bool = false)
 * Place of the first smallest element, along the axis or in all of x. */
static inline ps_status ps_argmin_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "argmin", args, 3, location, result);
}
static inline ps_status ps_argmin(ps_arg x, ps_tensor **result)
{
    return ps_argmin_at(0, x, result);
}
#define ps_argmin(...) ps_argmin_at(PS_HERE, __VA_ARGS__)

typedef struct ps_argmin_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
} ps_argmin_options;

static inline ps_status ps_argmin_with_at(uint64_t location, ps_arg x, const ps_argmin_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    return ps_ops_call(&op, "argmin", args, 3, location, result);
}
static inline ps_status ps_argmin_with(ps_arg x, const ps_argmin_options *options, ps_tensor **result)
{
    return ps_argmin_with_at(0, x, options, result);
}
#define ps_argmin_with(...) ps_argmin_with_at(PS_HERE, __VA_ARGS__)

/* argsort(x, axis: axis = -1, descending: bool = false, stable: bool = true)
 * Positions along the axis of the elements in order, as int64; the order is that of sort. */
static inline ps_status ps_argsort_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "argsort", args, 4, location, result);
}
static inline ps_status ps_argsort(ps_arg x, ps_tensor **result)
{
    return ps_argsort_at(0, x, result);
}
#define ps_argsort(...) ps_argsort_at(PS_HERE, __VA_ARGS__)

typedef struct ps_argsort_options {
    ps_arg axis; /* -1 */
    ps_arg descending; /* false */
    ps_arg stable; /* true */
} ps_argsort_options;

static inline ps_status ps_argsort_with_at(uint64_t location, ps_arg x, const ps_argsort_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->descending;
    args[3] = options->stable;
    return ps_ops_call(&op, "argsort", args, 4, location, result);
}
static inline ps_status ps_argsort_with(ps_arg x, const ps_argsort_options *options, ps_tensor **result)
{
    return ps_argsort_with_at(0, x, options, result);
}
#define ps_argsort_with(...) ps_argsort_with_at(PS_HERE, __VA_ARGS__)

/* array_equal(x1, x2)
 * Whether shapes and elements are the same. */
static inline ps_status ps_array_equal_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "array_equal", args, 2, location, result);
}
static inline ps_status ps_array_equal(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_array_equal_at(0, x1, x2, result);
}
#define ps_array_equal(...) ps_array_equal_at(PS_HERE, __VA_ARGS__)

/* asin(x)
 * Inverse sine. */
static inline ps_status ps_asin_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "asin", args, 1, location, result);
}
static inline ps_status ps_asin(ps_arg x, ps_tensor **result)
{
    return ps_asin_at(0, x, result);
}
#define ps_asin(...) ps_asin_at(PS_HERE, __VA_ARGS__)

/* asinh(x)
 * Inverse hyperbolic sine. */
static inline ps_status ps_asinh_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "asinh", args, 1, location, result);
}
static inline ps_status ps_asinh(ps_arg x, ps_tensor **result)
{
    return ps_asinh_at(0, x, result);
}
#define ps_asinh(...) ps_asinh_at(PS_HERE, __VA_ARGS__)

/* assign(x)
 * Writes x, broadcast and converted, into the output tensor, which must be given. */
static inline ps_status ps_assign_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "assign", args, 1, location, result);
}
static inline ps_status ps_assign(ps_arg x, ps_tensor **result)
{
    return ps_assign_at(0, x, result);
}
#define ps_assign(...) ps_assign_at(PS_HERE, __VA_ARGS__)

/* atan(x)
 * Inverse tangent. */
static inline ps_status ps_atan_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "atan", args, 1, location, result);
}
static inline ps_status ps_atan(ps_arg x, ps_tensor **result)
{
    return ps_atan_at(0, x, result);
}
#define ps_atan(...) ps_atan_at(PS_HERE, __VA_ARGS__)

/* atan2(x1, x2)
 * Angle of the point (x2, x1). */
static inline ps_status ps_atan2_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "atan2", args, 2, location, result);
}
static inline ps_status ps_atan2(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_atan2_at(0, x1, x2, result);
}
#define ps_atan2(...) ps_atan2_at(PS_HERE, __VA_ARGS__)

/* atanh(x)
 * Inverse hyperbolic tangent. */
static inline ps_status ps_atanh_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "atanh", args, 1, location, result);
}
static inline ps_status ps_atanh(ps_arg x, ps_tensor **result)
{
    return ps_atanh_at(0, x, result);
}
#define ps_atanh(...) ps_atanh_at(PS_HERE, __VA_ARGS__)

/* average(x, axis: axes = none, weights: tensor = none, keepdims: bool = false)
 * Mean over the axes; with weights, one for each element or for each place along one axis, weighted by them. */
static inline ps_status ps_average_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "average", args, 4, location, result);
}
static inline ps_status ps_average(ps_arg x, ps_tensor **result)
{
    return ps_average_at(0, x, result);
}
#define ps_average(...) ps_average_at(PS_HERE, __VA_ARGS__)

typedef struct ps_average_options {
    ps_arg axis; /* none */
    ps_arg weights; /* none */
    ps_arg keepdims; /* false */
} ps_average_options;

static inline ps_status ps_average_with_at(uint64_t location, ps_arg x, const ps_average_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->weights;
    args[3] = options->keepdims;
    return ps_ops_call(&op, "average", args, 4, location, result);
}
static inline ps_status ps_average_with(ps_arg x, const ps_average_options *options, ps_tensor **result)
{
    return ps_average_with_at(0, x, options, result);
}
#define ps_average_with(...) ps_average_with_at(PS_HERE, __VA_ARGS__)

/* avg_pool2d(x, kernel: ints, stride: ints = none, padding: ints = none, ceil_mode: bool = false, count_include_pad: bool = true, layout: choice(NCHW NHWC) = none)
 * The mean of each window of each channel, with the zeros of the padding unless count_include_pad is false; windows as for max_pool2d. */
static inline ps_status ps_avg_pool2d_at(uint64_t location, ps_arg x, ps_arg kernel, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[7];
    args[0] = x;
    args[1] = kernel;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "avg_pool2d", args, 7, location, result);
}
static inline ps_status ps_avg_pool2d(ps_arg x, ps_arg kernel, ps_tensor **result)
{
    return ps_avg_pool2d_at(0, x, kernel, result);
}
#define ps_avg_pool2d(...) ps_avg_pool2d_at(PS_HERE, __VA_ARGS__)

typedef struct ps_avg_pool2d_options {
    ps_arg stride; /* none */
    ps_arg padding; /* none */
    ps_arg ceil_mode; /* false */
    ps_arg count_include_pad; /* true */
    ps_arg layout; /* none */
} ps_avg_pool2d_options;

static inline ps_status ps_avg_pool2d_with_at(uint64_t location, ps_arg x, ps_arg kernel, const ps_avg_pool2d_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[7];
    args[0] = x;
    args[1] = kernel;
    args[2] = options->stride;
    args[3] = options->padding;
    args[4] = options->ceil_mode;
    args[5] = options->count_include_pad;
    args[6] = options->layout;
    return ps_ops_call(&op, "avg_pool2d", args, 7, location, result);
}
static inline ps_status ps_avg_pool2d_with(ps_arg x, ps_arg kernel, const ps_avg_pool2d_options *options, ps_tensor **result)
{
    return ps_avg_pool2d_with_at(0, x, kernel, options, result);
}
#define ps_avg_pool2d_with(...) ps_avg_pool2d_with_at(PS_HERE, __VA_ARGS__)

/* avg_pool2d_data(dy, shape: ints, kernel: ints, stride: ints = none, padding: ints = none, ceil_mode: bool = false, count_include_pad: bool = true, layout: choice(NCHW NHWC) = none)
 * What flows back through avg_pool2d to an x of that shape, if dy flows to the result. */
static inline ps_status ps_avg_pool2d_data_at(uint64_t location, ps_arg dy, ps_arg shape, ps_arg kernel, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[8];
    args[0] = dy;
    args[1] = shape;
    args[2] = kernel;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "avg_pool2d_data", args, 8, location, result);
}
static inline ps_status ps_avg_pool2d_data(ps_arg dy, ps_arg shape, ps_arg kernel, ps_tensor **result)
{
    return ps_avg_pool2d_data_at(0, dy, shape, kernel, result);
}
#define ps_avg_pool2d_data(...) ps_avg_pool2d_data_at(PS_HERE, __VA_ARGS__)

typedef struct ps_avg_pool2d_data_options {
    ps_arg stride; /* none */
    ps_arg padding; /* none */
    ps_arg ceil_mode; /* false */
    ps_arg count_include_pad; /* true */
    ps_arg layout; /* none */
} ps_avg_pool2d_data_options;

static inline ps_status ps_avg_pool2d_data_with_at(uint64_t location, ps_arg dy, ps_arg shape, ps_arg kernel, const ps_avg_pool2d_data_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[8];
    args[0] = dy;
    args[1] = shape;
    args[2] = kernel;
    args[3] = options->stride;
    args[4] = options->padding;
    args[5] = options->ceil_mode;
    args[6] = options->count_include_pad;
    args[7] = options->layout;
    return ps_ops_call(&op, "avg_pool2d_data", args, 8, location, result);
}
static inline ps_status ps_avg_pool2d_data_with(ps_arg dy, ps_arg shape, ps_arg kernel, const ps_avg_pool2d_data_options *options, ps_tensor **result)
{
    return ps_avg_pool2d_data_with_at(0, dy, shape, kernel, options, result);
}
#define ps_avg_pool2d_data_with(...) ps_avg_pool2d_data_with_at(PS_HERE, __VA_ARGS__)

/* batch_norm(x, gamma: tensor = none, beta: tensor = none, running_mean: tensor = none, running_var: tensor = none, momentum: float = 0.9, eps: float = 1e-05, axis: axis = 1, training: bool = true, correction: float = 0.0)
 * (x - mean) / sqrt(variance + eps) * gamma + beta, for each place along the axis; and the statistics to keep: running = momentum running + (1 - momentum) batch, of the mean and of the variance, which is divided by count - correction there. With training mean and variance are the batch's, and without running statistics these are given; else they are the running ones. Nothing flows from the statistics.
 * results has room for 3 tensors */
static inline ps_status ps_batch_norm_at(uint64_t location, ps_arg x, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[10];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    args[8].kind = PS_ARG_NONE;
    args[9].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "batch_norm", args, 10, location, results, 3);
}
static inline ps_status ps_batch_norm(ps_arg x, ps_tensor **results)
{
    return ps_batch_norm_at(0, x, results);
}
#define ps_batch_norm(...) ps_batch_norm_at(PS_HERE, __VA_ARGS__)

typedef struct ps_batch_norm_options {
    ps_arg gamma; /* none */
    ps_arg beta; /* none */
    ps_arg running_mean; /* none */
    ps_arg running_var; /* none */
    ps_arg momentum; /* 0.9 */
    ps_arg eps; /* 1e-05 */
    ps_arg axis; /* 1 */
    ps_arg training; /* true */
    ps_arg correction; /* 0.0 */
} ps_batch_norm_options;

static inline ps_status ps_batch_norm_with_at(uint64_t location, ps_arg x, const ps_batch_norm_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[10];
    args[0] = x;
    args[1] = options->gamma;
    args[2] = options->beta;
    args[3] = options->running_mean;
    args[4] = options->running_var;
    args[5] = options->momentum;
    args[6] = options->eps;
    args[7] = options->axis;
    args[8] = options->training;
    args[9] = options->correction;
    return ps_ops_call_several(&op, "batch_norm", args, 10, location, results, 3);
}
static inline ps_status ps_batch_norm_with(ps_arg x, const ps_batch_norm_options *options, ps_tensor **results)
{
    return ps_batch_norm_with_at(0, x, options, results);
}
#define ps_batch_norm_with(...) ps_batch_norm_with_at(PS_HERE, __VA_ARGS__)

/* batch_norm_back(x, flow, mean, var, gamma: tensor = none, eps: float = 1e-05)
 * What flows back to x, gamma and beta from batch_norm_train, if flow does to its first result.
 * results has room for 3 tensors */
static inline ps_status ps_batch_norm_back_at(uint64_t location, ps_arg x, ps_arg flow, ps_arg mean, ps_arg var, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[6];
    args[0] = x;
    args[1] = flow;
    args[2] = mean;
    args[3] = var;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "batch_norm_back", args, 6, location, results, 3);
}
static inline ps_status ps_batch_norm_back(ps_arg x, ps_arg flow, ps_arg mean, ps_arg var, ps_tensor **results)
{
    return ps_batch_norm_back_at(0, x, flow, mean, var, results);
}
#define ps_batch_norm_back(...) ps_batch_norm_back_at(PS_HERE, __VA_ARGS__)

typedef struct ps_batch_norm_back_options {
    ps_arg gamma; /* none */
    ps_arg eps; /* 1e-05 */
} ps_batch_norm_back_options;

static inline ps_status ps_batch_norm_back_with_at(uint64_t location, ps_arg x, ps_arg flow, ps_arg mean, ps_arg var, const ps_batch_norm_back_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[6];
    args[0] = x;
    args[1] = flow;
    args[2] = mean;
    args[3] = var;
    args[4] = options->gamma;
    args[5] = options->eps;
    return ps_ops_call_several(&op, "batch_norm_back", args, 6, location, results, 3);
}
static inline ps_status ps_batch_norm_back_with(ps_arg x, ps_arg flow, ps_arg mean, ps_arg var, const ps_batch_norm_back_options *options, ps_tensor **results)
{
    return ps_batch_norm_back_with_at(0, x, flow, mean, var, options, results);
}
#define ps_batch_norm_back_with(...) ps_batch_norm_back_with_at(PS_HERE, __VA_ARGS__)

/* batch_norm_train(x, gamma: tensor = none, beta: tensor = none, eps: float = 1e-05)
 * batch_norm along the second axis by the batch's own mean and variance; and these.
 * results has room for 3 tensors */
static inline ps_status ps_batch_norm_train_at(uint64_t location, ps_arg x, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "batch_norm_train", args, 4, location, results, 3);
}
static inline ps_status ps_batch_norm_train(ps_arg x, ps_tensor **results)
{
    return ps_batch_norm_train_at(0, x, results);
}
#define ps_batch_norm_train(...) ps_batch_norm_train_at(PS_HERE, __VA_ARGS__)

typedef struct ps_batch_norm_train_options {
    ps_arg gamma; /* none */
    ps_arg beta; /* none */
    ps_arg eps; /* 1e-05 */
} ps_batch_norm_train_options;

static inline ps_status ps_batch_norm_train_with_at(uint64_t location, ps_arg x, const ps_batch_norm_train_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->gamma;
    args[2] = options->beta;
    args[3] = options->eps;
    return ps_ops_call_several(&op, "batch_norm_train", args, 4, location, results, 3);
}
static inline ps_status ps_batch_norm_train_with(ps_arg x, const ps_batch_norm_train_options *options, ps_tensor **results)
{
    return ps_batch_norm_train_with_at(0, x, options, results);
}
#define ps_batch_norm_train_with(...) ps_batch_norm_train_with_at(PS_HERE, __VA_ARGS__)

/* bce_logits(x, target)
 * With p = sigmoid(x): -target log(p) - (1 - target) log(1 - p). */
static inline ps_status ps_bce_logits_at(uint64_t location, ps_arg x, ps_arg target, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = target;
    return ps_ops_call(&op, "bce_logits", args, 2, location, result);
}
static inline ps_status ps_bce_logits(ps_arg x, ps_arg target, ps_tensor **result)
{
    return ps_bce_logits_at(0, x, target, result);
}
#define ps_bce_logits(...) ps_bce_logits_at(PS_HERE, __VA_ARGS__)

/* bce_logits_weighted(x, target, weight)
 * With p = sigmoid(x): -weight target log(p) - (1 - target) log(1 - p). */
static inline ps_status ps_bce_logits_weighted_at(uint64_t location, ps_arg x, ps_arg target, ps_arg weight, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = target;
    args[2] = weight;
    return ps_ops_call(&op, "bce_logits_weighted", args, 3, location, result);
}
static inline ps_status ps_bce_logits_weighted(ps_arg x, ps_arg target, ps_arg weight, ps_tensor **result)
{
    return ps_bce_logits_weighted_at(0, x, target, weight, result);
}
#define ps_bce_logits_weighted(...) ps_bce_logits_weighted_at(PS_HERE, __VA_ARGS__)

/* bce_probabilities(x, target)
 * -target log(x) - (1 - target) log(1 - x), logarithms being at least -100. */
static inline ps_status ps_bce_probabilities_at(uint64_t location, ps_arg x, ps_arg target, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = target;
    return ps_ops_call(&op, "bce_probabilities", args, 2, location, result);
}
static inline ps_status ps_bce_probabilities(ps_arg x, ps_arg target, ps_tensor **result)
{
    return ps_bce_probabilities_at(0, x, target, result);
}
#define ps_bce_probabilities(...) ps_bce_probabilities_at(PS_HERE, __VA_ARGS__)

/* bce_probabilities_weighted(x, target, weight)
 * -weight target log(x) - (1 - target) log(1 - x), logarithms being at least -100. */
static inline ps_status ps_bce_probabilities_weighted_at(uint64_t location, ps_arg x, ps_arg target, ps_arg weight, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = target;
    args[2] = weight;
    return ps_ops_call(&op, "bce_probabilities_weighted", args, 3, location, result);
}
static inline ps_status ps_bce_probabilities_weighted(ps_arg x, ps_arg target, ps_arg weight, ps_tensor **result)
{
    return ps_bce_probabilities_weighted_at(0, x, target, weight, result);
}
#define ps_bce_probabilities_weighted(...) ps_bce_probabilities_weighted_at(PS_HERE, __VA_ARGS__)

/* bilinear(shape: ints, dtype: dtype = float32)
 * Weights of a transposed convolution (any, any, height, width) that enlarges pictures by linear interpolation. */
static inline ps_status ps_bilinear_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "bilinear", args, 2, location, result);
}
static inline ps_status ps_bilinear(ps_arg shape, ps_tensor **result)
{
    return ps_bilinear_at(0, shape, result);
}
#define ps_bilinear(...) ps_bilinear_at(PS_HERE, __VA_ARGS__)

typedef struct ps_bilinear_options {
    ps_arg dtype; /* float32 */
} ps_bilinear_options;

static inline ps_status ps_bilinear_with_at(uint64_t location, ps_arg shape, const ps_bilinear_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = shape;
    args[1] = options->dtype;
    return ps_ops_call(&op, "bilinear", args, 2, location, result);
}
static inline ps_status ps_bilinear_with(ps_arg shape, const ps_bilinear_options *options, ps_tensor **result)
{
    return ps_bilinear_with_at(0, shape, options, result);
}
#define ps_bilinear_with(...) ps_bilinear_with_at(PS_HERE, __VA_ARGS__)

/* bitwise_and(x1, x2)
 * Bits that are set in both. */
static inline ps_status ps_bitwise_and_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "bitwise_and", args, 2, location, result);
}
static inline ps_status ps_bitwise_and(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_bitwise_and_at(0, x1, x2, result);
}
#define ps_bitwise_and(...) ps_bitwise_and_at(PS_HERE, __VA_ARGS__)

/* bitwise_invert(x)
 * All bits changed. */
static inline ps_status ps_bitwise_invert_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "bitwise_invert", args, 1, location, result);
}
static inline ps_status ps_bitwise_invert(ps_arg x, ps_tensor **result)
{
    return ps_bitwise_invert_at(0, x, result);
}
#define ps_bitwise_invert(...) ps_bitwise_invert_at(PS_HERE, __VA_ARGS__)

/* bitwise_left_shift(x1, x2)
 * Bits moved up; a count of the width or more gives 0. */
static inline ps_status ps_bitwise_left_shift_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "bitwise_left_shift", args, 2, location, result);
}
static inline ps_status ps_bitwise_left_shift(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_bitwise_left_shift_at(0, x1, x2, result);
}
#define ps_bitwise_left_shift(...) ps_bitwise_left_shift_at(PS_HERE, __VA_ARGS__)

/* bitwise_or(x1, x2)
 * Bits that are set in one or both. */
static inline ps_status ps_bitwise_or_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "bitwise_or", args, 2, location, result);
}
static inline ps_status ps_bitwise_or(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_bitwise_or_at(0, x1, x2, result);
}
#define ps_bitwise_or(...) ps_bitwise_or_at(PS_HERE, __VA_ARGS__)

/* bitwise_right_shift(x1, x2)
 * Bits moved down; the sign stays. */
static inline ps_status ps_bitwise_right_shift_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "bitwise_right_shift", args, 2, location, result);
}
static inline ps_status ps_bitwise_right_shift(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_bitwise_right_shift_at(0, x1, x2, result);
}
#define ps_bitwise_right_shift(...) ps_bitwise_right_shift_at(PS_HERE, __VA_ARGS__)

/* bitwise_xor(x1, x2)
 * Bits that are set in just one. */
static inline ps_status ps_bitwise_xor_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "bitwise_xor", args, 2, location, result);
}
static inline ps_status ps_bitwise_xor(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_bitwise_xor_at(0, x1, x2, result);
}
#define ps_bitwise_xor(...) ps_bitwise_xor_at(PS_HERE, __VA_ARGS__)

/* broadcast_to(x, shape: ints)
 * A view of the given shape in which elements repeat. */
static inline ps_status ps_broadcast_to_at(uint64_t location, ps_arg x, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = shape;
    return ps_ops_call(&op, "broadcast_to", args, 2, location, result);
}
static inline ps_status ps_broadcast_to(ps_arg x, ps_arg shape, ps_tensor **result)
{
    return ps_broadcast_to_at(0, x, shape, result);
}
#define ps_broadcast_to(...) ps_broadcast_to_at(PS_HERE, __VA_ARGS__)

/* cast(x, dtype: dtype)
 * The elements as another type. Floats are cut toward zero; NaN becomes 0; out of range saturates. */
static inline ps_status ps_cast_at(uint64_t location, ps_arg x, ps_arg dtype, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = dtype;
    return ps_ops_call(&op, "cast", args, 2, location, result);
}
static inline ps_status ps_cast(ps_arg x, ps_arg dtype, ps_tensor **result)
{
    return ps_cast_at(0, x, dtype, result);
}
#define ps_cast(...) ps_cast_at(PS_HERE, __VA_ARGS__)

/* ceil(x)
 * Rounded up. */
static inline ps_status ps_ceil_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "ceil", args, 1, location, result);
}
static inline ps_status ps_ceil(ps_arg x, ps_tensor **result)
{
    return ps_ceil_at(0, x, result);
}
#define ps_ceil(...) ps_ceil_at(PS_HERE, __VA_ARGS__)

/* clip(x: tensor or number, min: tensor or number = none, max: tensor or number = none)
 * The operand, but at least min and at most max. */
static inline ps_status ps_clip_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "clip", args, 3, location, result);
}
static inline ps_status ps_clip(ps_arg x, ps_tensor **result)
{
    return ps_clip_at(0, x, result);
}
#define ps_clip(...) ps_clip_at(PS_HERE, __VA_ARGS__)

typedef struct ps_clip_options {
    ps_arg min; /* none */
    ps_arg max; /* none */
} ps_clip_options;

static inline ps_status ps_clip_with_at(uint64_t location, ps_arg x, const ps_clip_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->min;
    args[2] = options->max;
    return ps_ops_call(&op, "clip", args, 3, location, result);
}
static inline ps_status ps_clip_with(ps_arg x, const ps_clip_options *options, ps_tensor **result)
{
    return ps_clip_with_at(0, x, options, result);
}
#define ps_clip_with(...) ps_clip_with_at(PS_HERE, __VA_ARGS__)

/* concatenate(tensors: tensors, axis: axis = 0)
 * The tensors one behind the other along the axis. */
static inline ps_status ps_concatenate_at(uint64_t location, ps_arg tensors, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = tensors;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "concatenate", args, 2, location, result);
}
static inline ps_status ps_concatenate(ps_arg tensors, ps_tensor **result)
{
    return ps_concatenate_at(0, tensors, result);
}
#define ps_concatenate(...) ps_concatenate_at(PS_HERE, __VA_ARGS__)

typedef struct ps_concatenate_options {
    ps_arg axis; /* 0 */
} ps_concatenate_options;

static inline ps_status ps_concatenate_with_at(uint64_t location, ps_arg tensors, const ps_concatenate_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = tensors;
    args[1] = options->axis;
    return ps_ops_call(&op, "concatenate", args, 2, location, result);
}
static inline ps_status ps_concatenate_with(ps_arg tensors, const ps_concatenate_options *options, ps_tensor **result)
{
    return ps_concatenate_with_at(0, tensors, options, result);
}
#define ps_concatenate_with(...) ps_concatenate_with_at(PS_HERE, __VA_ARGS__)

/* conj(x)
 * Complex conjugate. */
static inline ps_status ps_conj_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "conj", args, 1, location, result);
}
static inline ps_status ps_conj(ps_arg x, ps_tensor **result)
{
    return ps_conj_at(0, x, result);
}
#define ps_conj(...) ps_conj_at(PS_HERE, __VA_ARGS__)

/* conv1d(x, weight, bias: tensor = none, stride: int = 1, padding: int = 0, dilation: int = 1, groups: int = 1)
 * Convolution of lines of the layout NCW with weights of the shape (channels of the result, channels of x / groups, W), plus bias for each channel. */
static inline ps_status ps_conv1d_at(uint64_t location, ps_arg x, ps_arg weight, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[7];
    args[0] = x;
    args[1] = weight;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "conv1d", args, 7, location, result);
}
static inline ps_status ps_conv1d(ps_arg x, ps_arg weight, ps_tensor **result)
{
    return ps_conv1d_at(0, x, weight, result);
}
#define ps_conv1d(...) ps_conv1d_at(PS_HERE, __VA_ARGS__)

typedef struct ps_conv1d_options {
    ps_arg bias; /* none */
    ps_arg stride; /* 1 */
    ps_arg padding; /* 0 */
    ps_arg dilation; /* 1 */
    ps_arg groups; /* 1 */
} ps_conv1d_options;

static inline ps_status ps_conv1d_with_at(uint64_t location, ps_arg x, ps_arg weight, const ps_conv1d_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[7];
    args[0] = x;
    args[1] = weight;
    args[2] = options->bias;
    args[3] = options->stride;
    args[4] = options->padding;
    args[5] = options->dilation;
    args[6] = options->groups;
    return ps_ops_call(&op, "conv1d", args, 7, location, result);
}
static inline ps_status ps_conv1d_with(ps_arg x, ps_arg weight, const ps_conv1d_options *options, ps_tensor **result)
{
    return ps_conv1d_with_at(0, x, weight, options, result);
}
#define ps_conv1d_with(...) ps_conv1d_with_at(PS_HERE, __VA_ARGS__)

/* conv2d(x, weight, bias: tensor = none, stride: ints = none, padding: ints = none, dilation: ints = none, groups: int = 1, layout: choice(NCHW NHWC) = none)
 * Convolution of images, in the layout NCHW unless given, with weights of the shape (channels of the result, channels of x / groups, H, W), plus bias for each channel. stride and dilation, 1 unless given, and padding, 0 unless given, are one number, or two for H and W. */
static inline ps_status ps_conv2d_at(uint64_t location, ps_arg x, ps_arg weight, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[8];
    args[0] = x;
    args[1] = weight;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "conv2d", args, 8, location, result);
}
static inline ps_status ps_conv2d(ps_arg x, ps_arg weight, ps_tensor **result)
{
    return ps_conv2d_at(0, x, weight, result);
}
#define ps_conv2d(...) ps_conv2d_at(PS_HERE, __VA_ARGS__)

typedef struct ps_conv2d_options {
    ps_arg bias; /* none */
    ps_arg stride; /* none */
    ps_arg padding; /* none */
    ps_arg dilation; /* none */
    ps_arg groups; /* 1 */
    ps_arg layout; /* none */
} ps_conv2d_options;

static inline ps_status ps_conv2d_with_at(uint64_t location, ps_arg x, ps_arg weight, const ps_conv2d_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[8];
    args[0] = x;
    args[1] = weight;
    args[2] = options->bias;
    args[3] = options->stride;
    args[4] = options->padding;
    args[5] = options->dilation;
    args[6] = options->groups;
    args[7] = options->layout;
    return ps_ops_call(&op, "conv2d", args, 8, location, result);
}
static inline ps_status ps_conv2d_with(ps_arg x, ps_arg weight, const ps_conv2d_options *options, ps_tensor **result)
{
    return ps_conv2d_with_at(0, x, weight, options, result);
}
#define ps_conv2d_with(...) ps_conv2d_with_at(PS_HERE, __VA_ARGS__)

/* conv2d_data(dy, weight, shape: ints, stride: ints = none, padding: ints = none, dilation: ints = none, groups: int = 1, layout: choice(NCHW NHWC) = none)
 * What flows back through conv2d to an x of that shape, if dy flows to the result. */
static inline ps_status ps_conv2d_data_at(uint64_t location, ps_arg dy, ps_arg weight, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[8];
    args[0] = dy;
    args[1] = weight;
    args[2] = shape;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "conv2d_data", args, 8, location, result);
}
static inline ps_status ps_conv2d_data(ps_arg dy, ps_arg weight, ps_arg shape, ps_tensor **result)
{
    return ps_conv2d_data_at(0, dy, weight, shape, result);
}
#define ps_conv2d_data(...) ps_conv2d_data_at(PS_HERE, __VA_ARGS__)

typedef struct ps_conv2d_data_options {
    ps_arg stride; /* none */
    ps_arg padding; /* none */
    ps_arg dilation; /* none */
    ps_arg groups; /* 1 */
    ps_arg layout; /* none */
} ps_conv2d_data_options;

static inline ps_status ps_conv2d_data_with_at(uint64_t location, ps_arg dy, ps_arg weight, ps_arg shape, const ps_conv2d_data_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[8];
    args[0] = dy;
    args[1] = weight;
    args[2] = shape;
    args[3] = options->stride;
    args[4] = options->padding;
    args[5] = options->dilation;
    args[6] = options->groups;
    args[7] = options->layout;
    return ps_ops_call(&op, "conv2d_data", args, 8, location, result);
}
static inline ps_status ps_conv2d_data_with(ps_arg dy, ps_arg weight, ps_arg shape, const ps_conv2d_data_options *options, ps_tensor **result)
{
    return ps_conv2d_data_with_at(0, dy, weight, shape, options, result);
}
#define ps_conv2d_data_with(...) ps_conv2d_data_with_at(PS_HERE, __VA_ARGS__)

/* conv2d_transpose(x, weight, bias: tensor = none, stride: ints = none, padding: ints = none, output_padding: ints = none, dilation: ints = none, groups: int = 1, layout: choice(NCHW NHWC) = none)
 * The transpose of a convolution: an image whose windows x has one element for, with weights of the shape (channels of x, channels of the result / groups, H, W), plus bias. output_padding, less than the stride, is added to the result's lengths. */
static inline ps_status ps_conv2d_transpose_at(uint64_t location, ps_arg x, ps_arg weight, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[9];
    args[0] = x;
    args[1] = weight;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    args[8].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "conv2d_transpose", args, 9, location, result);
}
static inline ps_status ps_conv2d_transpose(ps_arg x, ps_arg weight, ps_tensor **result)
{
    return ps_conv2d_transpose_at(0, x, weight, result);
}
#define ps_conv2d_transpose(...) ps_conv2d_transpose_at(PS_HERE, __VA_ARGS__)

typedef struct ps_conv2d_transpose_options {
    ps_arg bias; /* none */
    ps_arg stride; /* none */
    ps_arg padding; /* none */
    ps_arg output_padding; /* none */
    ps_arg dilation; /* none */
    ps_arg groups; /* 1 */
    ps_arg layout; /* none */
} ps_conv2d_transpose_options;

static inline ps_status ps_conv2d_transpose_with_at(uint64_t location, ps_arg x, ps_arg weight, const ps_conv2d_transpose_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[9];
    args[0] = x;
    args[1] = weight;
    args[2] = options->bias;
    args[3] = options->stride;
    args[4] = options->padding;
    args[5] = options->output_padding;
    args[6] = options->dilation;
    args[7] = options->groups;
    args[8] = options->layout;
    return ps_ops_call(&op, "conv2d_transpose", args, 9, location, result);
}
static inline ps_status ps_conv2d_transpose_with(ps_arg x, ps_arg weight, const ps_conv2d_transpose_options *options, ps_tensor **result)
{
    return ps_conv2d_transpose_with_at(0, x, weight, options, result);
}
#define ps_conv2d_transpose_with(...) ps_conv2d_transpose_with_at(PS_HERE, __VA_ARGS__)

/* conv2d_weight(x, dy, shape: ints, stride: ints = none, padding: ints = none, dilation: ints = none, groups: int = 1, layout: choice(NCHW NHWC) = none)
 * What flows back through conv2d to weights of that shape, if dy flows to the result. */
static inline ps_status ps_conv2d_weight_at(uint64_t location, ps_arg x, ps_arg dy, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[8];
    args[0] = x;
    args[1] = dy;
    args[2] = shape;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "conv2d_weight", args, 8, location, result);
}
static inline ps_status ps_conv2d_weight(ps_arg x, ps_arg dy, ps_arg shape, ps_tensor **result)
{
    return ps_conv2d_weight_at(0, x, dy, shape, result);
}
#define ps_conv2d_weight(...) ps_conv2d_weight_at(PS_HERE, __VA_ARGS__)

typedef struct ps_conv2d_weight_options {
    ps_arg stride; /* none */
    ps_arg padding; /* none */
    ps_arg dilation; /* none */
    ps_arg groups; /* 1 */
    ps_arg layout; /* none */
} ps_conv2d_weight_options;

static inline ps_status ps_conv2d_weight_with_at(uint64_t location, ps_arg x, ps_arg dy, ps_arg shape, const ps_conv2d_weight_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[8];
    args[0] = x;
    args[1] = dy;
    args[2] = shape;
    args[3] = options->stride;
    args[4] = options->padding;
    args[5] = options->dilation;
    args[6] = options->groups;
    args[7] = options->layout;
    return ps_ops_call(&op, "conv2d_weight", args, 8, location, result);
}
static inline ps_status ps_conv2d_weight_with(ps_arg x, ps_arg dy, ps_arg shape, const ps_conv2d_weight_options *options, ps_tensor **result)
{
    return ps_conv2d_weight_with_at(0, x, dy, shape, options, result);
}
#define ps_conv2d_weight_with(...) ps_conv2d_weight_with_at(PS_HERE, __VA_ARGS__)

/* copy(x)
 * The same elements in a storage of their own. */
static inline ps_status ps_copy_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "copy", args, 1, location, result);
}
static inline ps_status ps_copy(ps_arg x, ps_tensor **result)
{
    return ps_copy_at(0, x, result);
}
#define ps_copy(...) ps_copy_at(PS_HERE, __VA_ARGS__)

/* copysign(x1, x2)
 * The magnitude of the first operand with the sign of the second. */
static inline ps_status ps_copysign_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "copysign", args, 2, location, result);
}
static inline ps_status ps_copysign(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_copysign_at(0, x1, x2, result);
}
#define ps_copysign(...) ps_copysign_at(PS_HERE, __VA_ARGS__)

/* cos(x)
 * Cosine. */
static inline ps_status ps_cos_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "cos", args, 1, location, result);
}
static inline ps_status ps_cos(ps_arg x, ps_tensor **result)
{
    return ps_cos_at(0, x, result);
}
#define ps_cos(...) ps_cos_at(PS_HERE, __VA_ARGS__)

/* cosh(x)
 * Hyperbolic cosine. */
static inline ps_status ps_cosh_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "cosh", args, 1, location, result);
}
static inline ps_status ps_cosh(ps_arg x, ps_tensor **result)
{
    return ps_cosh_at(0, x, result);
}
#define ps_cosh(...) ps_cosh_at(PS_HERE, __VA_ARGS__)

/* count_nonzero(x, axis: axes = none, keepdims: bool = false)
 * How many elements are not 0, over the axes. */
static inline ps_status ps_count_nonzero_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "count_nonzero", args, 3, location, result);
}
static inline ps_status ps_count_nonzero(ps_arg x, ps_tensor **result)
{
    return ps_count_nonzero_at(0, x, result);
}
#define ps_count_nonzero(...) ps_count_nonzero_at(PS_HERE, __VA_ARGS__)

typedef struct ps_count_nonzero_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
} ps_count_nonzero_options;

static inline ps_status ps_count_nonzero_with_at(uint64_t location, ps_arg x, const ps_count_nonzero_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    return ps_ops_call(&op, "count_nonzero", args, 3, location, result);
}
static inline ps_status ps_count_nonzero_with(ps_arg x, const ps_count_nonzero_options *options, ps_tensor **result)
{
    return ps_count_nonzero_with_at(0, x, options, result);
}
#define ps_count_nonzero_with(...) ps_count_nonzero_with_at(PS_HERE, __VA_ARGS__)

/* cross(x1, x2, axis: axis = -1)
 * The cross product of vectors of length 3 along an axis. */
static inline ps_status ps_cross_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x1;
    args[1] = x2;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "cross", args, 3, location, result);
}
static inline ps_status ps_cross(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_cross_at(0, x1, x2, result);
}
#define ps_cross(...) ps_cross_at(PS_HERE, __VA_ARGS__)

typedef struct ps_cross_options {
    ps_arg axis; /* -1 */
} ps_cross_options;

static inline ps_status ps_cross_with_at(uint64_t location, ps_arg x1, ps_arg x2, const ps_cross_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x1;
    args[1] = x2;
    args[2] = options->axis;
    return ps_ops_call(&op, "cross", args, 3, location, result);
}
static inline ps_status ps_cross_with(ps_arg x1, ps_arg x2, const ps_cross_options *options, ps_tensor **result)
{
    return ps_cross_with_at(0, x1, x2, options, result);
}
#define ps_cross_with(...) ps_cross_with_at(PS_HERE, __VA_ARGS__)

/* cross_entropy_back(x, labels: positions, flow, ignore_label: int = none, smoothing: float = 0.0)
 * What flows back to x from cross_entropy_rows, if flow does to its result: (softmax(x) - t) flow. */
static inline ps_status ps_cross_entropy_back_at(uint64_t location, ps_arg x, ps_arg labels, ps_arg flow, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = labels;
    args[2] = flow;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "cross_entropy_back", args, 5, location, result);
}
static inline ps_status ps_cross_entropy_back(ps_arg x, ps_arg labels, ps_arg flow, ps_tensor **result)
{
    return ps_cross_entropy_back_at(0, x, labels, flow, result);
}
#define ps_cross_entropy_back(...) ps_cross_entropy_back_at(PS_HERE, __VA_ARGS__)

typedef struct ps_cross_entropy_back_options {
    ps_arg ignore_label; /* none */
    ps_arg smoothing; /* 0.0 */
} ps_cross_entropy_back_options;

static inline ps_status ps_cross_entropy_back_with_at(uint64_t location, ps_arg x, ps_arg labels, ps_arg flow, const ps_cross_entropy_back_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = labels;
    args[2] = flow;
    args[3] = options->ignore_label;
    args[4] = options->smoothing;
    return ps_ops_call(&op, "cross_entropy_back", args, 5, location, result);
}
static inline ps_status ps_cross_entropy_back_with(ps_arg x, ps_arg labels, ps_arg flow, const ps_cross_entropy_back_options *options, ps_tensor **result)
{
    return ps_cross_entropy_back_with_at(0, x, labels, flow, options, result);
}
#define ps_cross_entropy_back_with(...) ps_cross_entropy_back_with_at(PS_HERE, __VA_ARGS__)

/* cross_entropy_rows(x, labels: positions, ignore_label: int = none, smoothing: float = 0.0)
 * softmax_cross_entropy of integers along the last axis. */
static inline ps_status ps_cross_entropy_rows_at(uint64_t location, ps_arg x, ps_arg labels, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = labels;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "cross_entropy_rows", args, 4, location, result);
}
static inline ps_status ps_cross_entropy_rows(ps_arg x, ps_arg labels, ps_tensor **result)
{
    return ps_cross_entropy_rows_at(0, x, labels, result);
}
#define ps_cross_entropy_rows(...) ps_cross_entropy_rows_at(PS_HERE, __VA_ARGS__)

typedef struct ps_cross_entropy_rows_options {
    ps_arg ignore_label; /* none */
    ps_arg smoothing; /* 0.0 */
} ps_cross_entropy_rows_options;

static inline ps_status ps_cross_entropy_rows_with_at(uint64_t location, ps_arg x, ps_arg labels, const ps_cross_entropy_rows_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = labels;
    args[2] = options->ignore_label;
    args[3] = options->smoothing;
    return ps_ops_call(&op, "cross_entropy_rows", args, 4, location, result);
}
static inline ps_status ps_cross_entropy_rows_with(ps_arg x, ps_arg labels, const ps_cross_entropy_rows_options *options, ps_tensor **result)
{
    return ps_cross_entropy_rows_with_at(0, x, labels, options, result);
}
#define ps_cross_entropy_rows_with(...) ps_cross_entropy_rows_with_at(PS_HERE, __VA_ARGS__)

/* cumulative_prod(x, axis: axis = none, dtype: dtype = none, initial: bool = false)
 * Product of the elements up to each, along the axis or over all of x as one dimension; types as for cumulative_sum. With initial a 1 comes before them. */
static inline ps_status ps_cumulative_prod_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "cumulative_prod", args, 4, location, result);
}
static inline ps_status ps_cumulative_prod(ps_arg x, ps_tensor **result)
{
    return ps_cumulative_prod_at(0, x, result);
}
#define ps_cumulative_prod(...) ps_cumulative_prod_at(PS_HERE, __VA_ARGS__)

typedef struct ps_cumulative_prod_options {
    ps_arg axis; /* none */
    ps_arg dtype; /* none */
    ps_arg initial; /* false */
} ps_cumulative_prod_options;

static inline ps_status ps_cumulative_prod_with_at(uint64_t location, ps_arg x, const ps_cumulative_prod_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->dtype;
    args[3] = options->initial;
    return ps_ops_call(&op, "cumulative_prod", args, 4, location, result);
}
static inline ps_status ps_cumulative_prod_with(ps_arg x, const ps_cumulative_prod_options *options, ps_tensor **result)
{
    return ps_cumulative_prod_with_at(0, x, options, result);
}
#define ps_cumulative_prod_with(...) ps_cumulative_prod_with_at(PS_HERE, __VA_ARGS__)

/* cumulative_sum(x, axis: axis = none, dtype: dtype = none, initial: bool = false)
 * Sum of the elements up to each, along the axis or over all of x as one dimension; small integers and bool add up as int64 or uint64, 16-bit floats as float32. With initial a 0 comes before them. */
static inline ps_status ps_cumulative_sum_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "cumulative_sum", args, 4, location, result);
}
static inline ps_status ps_cumulative_sum(ps_arg x, ps_tensor **result)
{
    return ps_cumulative_sum_at(0, x, result);
}
#define ps_cumulative_sum(...) ps_cumulative_sum_at(PS_HERE, __VA_ARGS__)

typedef struct ps_cumulative_sum_options {
    ps_arg axis; /* none */
    ps_arg dtype; /* none */
    ps_arg initial; /* false */
} ps_cumulative_sum_options;

static inline ps_status ps_cumulative_sum_with_at(uint64_t location, ps_arg x, const ps_cumulative_sum_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->dtype;
    args[3] = options->initial;
    return ps_ops_call(&op, "cumulative_sum", args, 4, location, result);
}
static inline ps_status ps_cumulative_sum_with(ps_arg x, const ps_cumulative_sum_options *options, ps_tensor **result)
{
    return ps_cumulative_sum_with_at(0, x, options, result);
}
#define ps_cumulative_sum_with(...) ps_cumulative_sum_with_at(PS_HERE, __VA_ARGS__)

/* diag(x, diagonal: int = 0)
 * Of one dimension a matrix with the elements on a diagonal, else 0; of a matrix a view of that diagonal. */
static inline ps_status ps_diag_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "diag", args, 2, location, result);
}
static inline ps_status ps_diag(ps_arg x, ps_tensor **result)
{
    return ps_diag_at(0, x, result);
}
#define ps_diag(...) ps_diag_at(PS_HERE, __VA_ARGS__)

typedef struct ps_diag_options {
    ps_arg diagonal; /* 0 */
} ps_diag_options;

static inline ps_status ps_diag_with_at(uint64_t location, ps_arg x, const ps_diag_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->diagonal;
    return ps_ops_call(&op, "diag", args, 2, location, result);
}
static inline ps_status ps_diag_with(ps_arg x, const ps_diag_options *options, ps_tensor **result)
{
    return ps_diag_with_at(0, x, options, result);
}
#define ps_diag_with(...) ps_diag_with_at(PS_HERE, __VA_ARGS__)

/* diagonal(x, offset: int = 0, axis1: axis = 0, axis2: axis = 1)
 * A view of the elements on a diagonal of two axes, along a last axis. */
static inline ps_status ps_diagonal_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "diagonal", args, 4, location, result);
}
static inline ps_status ps_diagonal(ps_arg x, ps_tensor **result)
{
    return ps_diagonal_at(0, x, result);
}
#define ps_diagonal(...) ps_diagonal_at(PS_HERE, __VA_ARGS__)

typedef struct ps_diagonal_options {
    ps_arg offset; /* 0 */
    ps_arg axis1; /* 0 */
    ps_arg axis2; /* 1 */
} ps_diagonal_options;

static inline ps_status ps_diagonal_with_at(uint64_t location, ps_arg x, const ps_diagonal_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->offset;
    args[2] = options->axis1;
    args[3] = options->axis2;
    return ps_ops_call(&op, "diagonal", args, 4, location, result);
}
static inline ps_status ps_diagonal_with(ps_arg x, const ps_diagonal_options *options, ps_tensor **result)
{
    return ps_diagonal_with_at(0, x, options, result);
}
#define ps_diagonal_with(...) ps_diagonal_with_at(PS_HERE, __VA_ARGS__)

/* diff(x, n: int = 1, axis: axis = -1, prepend: tensor = none, append: tensor = none)
 * Differences of neighbours along the axis, n times, perhaps of x with elements before and behind it; of bool whether neighbours differ. */
static inline ps_status ps_diff_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "diff", args, 5, location, result);
}
static inline ps_status ps_diff(ps_arg x, ps_tensor **result)
{
    return ps_diff_at(0, x, result);
}
#define ps_diff(...) ps_diff_at(PS_HERE, __VA_ARGS__)

typedef struct ps_diff_options {
    ps_arg n; /* 1 */
    ps_arg axis; /* -1 */
    ps_arg prepend; /* none */
    ps_arg append; /* none */
} ps_diff_options;

static inline ps_status ps_diff_with_at(uint64_t location, ps_arg x, const ps_diff_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = options->n;
    args[2] = options->axis;
    args[3] = options->prepend;
    args[4] = options->append;
    return ps_ops_call(&op, "diff", args, 5, location, result);
}
static inline ps_status ps_diff_with(ps_arg x, const ps_diff_options *options, ps_tensor **result)
{
    return ps_diff_with_at(0, x, options, result);
}
#define ps_diff_with(...) ps_diff_with_at(PS_HERE, __VA_ARGS__)

/* divide(x1, x2)
 * Quotient of the operands; integers are divided as float32. */
static inline ps_status ps_divide_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "divide", args, 2, location, result);
}
static inline ps_status ps_divide(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_divide_at(0, x1, x2, result);
}
#define ps_divide(...) ps_divide_at(PS_HERE, __VA_ARGS__)

/* dot(x1: tensor or number, x2: tensor or number)
 * Sum of products over the last dimension of x1 and the second to last (or only) one of x2. */
static inline ps_status ps_dot_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "dot", args, 2, location, result);
}
static inline ps_status ps_dot(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_dot_at(0, x1, x2, result);
}
#define ps_dot(...) ps_dot_at(PS_HERE, __VA_ARGS__)

/* dropout(x, p: float = 0.5, axes: axes = none, generator: generator = none)
 * x with each element 0 with probability p, else divided by 1 - p; with axes the same along these. Which ones are 0 is not stored: the way back finds it out again. */
static inline ps_status ps_dropout_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "dropout", args, 4, location, result);
}
static inline ps_status ps_dropout(ps_arg x, ps_tensor **result)
{
    return ps_dropout_at(0, x, result);
}
#define ps_dropout(...) ps_dropout_at(PS_HERE, __VA_ARGS__)

typedef struct ps_dropout_options {
    ps_arg p; /* 0.5 */
    ps_arg axes; /* none */
    ps_arg generator; /* none */
} ps_dropout_options;

static inline ps_status ps_dropout_with_at(uint64_t location, ps_arg x, const ps_dropout_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->p;
    args[2] = options->axes;
    args[3] = options->generator;
    return ps_ops_call(&op, "dropout", args, 4, location, result);
}
static inline ps_status ps_dropout_with(ps_arg x, const ps_dropout_options *options, ps_tensor **result)
{
    return ps_dropout_with_at(0, x, options, result);
}
#define ps_dropout_with(...) ps_dropout_with_at(PS_HERE, __VA_ARGS__)

/* dropout_by_key(x, p: float = 0.5, key: int = 0, counter: int = 0, high: int = 0)
 * dropout with the numbers that a generator with this key makes from this counter on; high is the upper half of the counter. */
static inline ps_status ps_dropout_by_key_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "dropout_by_key", args, 5, location, result);
}
static inline ps_status ps_dropout_by_key(ps_arg x, ps_tensor **result)
{
    return ps_dropout_by_key_at(0, x, result);
}
#define ps_dropout_by_key(...) ps_dropout_by_key_at(PS_HERE, __VA_ARGS__)

typedef struct ps_dropout_by_key_options {
    ps_arg p; /* 0.5 */
    ps_arg key; /* 0 */
    ps_arg counter; /* 0 */
    ps_arg high; /* 0 */
} ps_dropout_by_key_options;

static inline ps_status ps_dropout_by_key_with_at(uint64_t location, ps_arg x, const ps_dropout_by_key_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = options->p;
    args[2] = options->key;
    args[3] = options->counter;
    args[4] = options->high;
    return ps_ops_call(&op, "dropout_by_key", args, 5, location, result);
}
static inline ps_status ps_dropout_by_key_with(ps_arg x, const ps_dropout_by_key_options *options, ps_tensor **result)
{
    return ps_dropout_by_key_with_at(0, x, options, result);
}
#define ps_dropout_by_key_with(...) ps_dropout_by_key_with_at(PS_HERE, __VA_ARGS__)

/* elu(x, alpha: scalar = 1.0)
 * The operand where it is positive, else alpha * (exp(x) - 1). */
static inline ps_status ps_elu_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "elu", args, 2, location, result);
}
static inline ps_status ps_elu(ps_arg x, ps_tensor **result)
{
    return ps_elu_at(0, x, result);
}
#define ps_elu(...) ps_elu_at(PS_HERE, __VA_ARGS__)

typedef struct ps_elu_options {
    ps_arg alpha; /* 1.0 */
} ps_elu_options;

static inline ps_status ps_elu_with_at(uint64_t location, ps_arg x, const ps_elu_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->alpha;
    return ps_ops_call(&op, "elu", args, 2, location, result);
}
static inline ps_status ps_elu_with(ps_arg x, const ps_elu_options *options, ps_tensor **result)
{
    return ps_elu_with_at(0, x, options, result);
}
#define ps_elu_with(...) ps_elu_with_at(PS_HERE, __VA_ARGS__)

/* embedding(indices: positions, weight)
 * The rows of weight at integer positions. A position out of range is found while running. */
static inline ps_status ps_embedding_at(uint64_t location, ps_arg indices, ps_arg weight, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = indices;
    args[1] = weight;
    return ps_ops_call(&op, "embedding", args, 2, location, result);
}
static inline ps_status ps_embedding(ps_arg indices, ps_arg weight, ps_tensor **result)
{
    return ps_embedding_at(0, indices, weight, result);
}
#define ps_embedding(...) ps_embedding_at(PS_HERE, __VA_ARGS__)

/* empty(shape: ints, dtype: dtype = float32)
 * Elements of no particular value. */
static inline ps_status ps_empty_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "empty", args, 2, location, result);
}
static inline ps_status ps_empty(ps_arg shape, ps_tensor **result)
{
    return ps_empty_at(0, shape, result);
}
#define ps_empty(...) ps_empty_at(PS_HERE, __VA_ARGS__)

typedef struct ps_empty_options {
    ps_arg dtype; /* float32 */
} ps_empty_options;

static inline ps_status ps_empty_with_at(uint64_t location, ps_arg shape, const ps_empty_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = shape;
    args[1] = options->dtype;
    return ps_ops_call(&op, "empty", args, 2, location, result);
}
static inline ps_status ps_empty_with(ps_arg shape, const ps_empty_options *options, ps_tensor **result)
{
    return ps_empty_with_at(0, shape, options, result);
}
#define ps_empty_with(...) ps_empty_with_at(PS_HERE, __VA_ARGS__)

/* equal(x1, x2)
 * Whether the operands are equal. */
static inline ps_status ps_equal_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "equal", args, 2, location, result);
}
static inline ps_status ps_equal(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_equal_at(0, x1, x2, result);
}
#define ps_equal(...) ps_equal_at(PS_HERE, __VA_ARGS__)

/* erf(x)
 * Error function. */
static inline ps_status ps_erf_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "erf", args, 1, location, result);
}
static inline ps_status ps_erf(ps_arg x, ps_tensor **result)
{
    return ps_erf_at(0, x, result);
}
#define ps_erf(...) ps_erf_at(PS_HERE, __VA_ARGS__)

/* erfc(x)
 * 1 - erf(x), accurate where that is small. */
static inline ps_status ps_erfc_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "erfc", args, 1, location, result);
}
static inline ps_status ps_erfc(ps_arg x, ps_tensor **result)
{
    return ps_erfc_at(0, x, result);
}
#define ps_erfc(...) ps_erfc_at(PS_HERE, __VA_ARGS__)

/* exp(x)
 * e to the power of the operand. */
static inline ps_status ps_exp_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "exp", args, 1, location, result);
}
static inline ps_status ps_exp(ps_arg x, ps_tensor **result)
{
    return ps_exp_at(0, x, result);
}
#define ps_exp(...) ps_exp_at(PS_HERE, __VA_ARGS__)

/* exp2(x)
 * 2 to the power of the operand. */
static inline ps_status ps_exp2_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "exp2", args, 1, location, result);
}
static inline ps_status ps_exp2(ps_arg x, ps_tensor **result)
{
    return ps_exp2_at(0, x, result);
}
#define ps_exp2(...) ps_exp2_at(PS_HERE, __VA_ARGS__)

/* expand_dims(x, axis: axis)
 * A view with a new dimension of length 1. */
static inline ps_status ps_expand_dims_at(uint64_t location, ps_arg x, ps_arg axis, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = axis;
    return ps_ops_call(&op, "expand_dims", args, 2, location, result);
}
static inline ps_status ps_expand_dims(ps_arg x, ps_arg axis, ps_tensor **result)
{
    return ps_expand_dims_at(0, x, axis, result);
}
#define ps_expand_dims(...) ps_expand_dims_at(PS_HERE, __VA_ARGS__)

/* expm1(x)
 * exp(x) - 1, accurate near 0. */
static inline ps_status ps_expm1_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "expm1", args, 1, location, result);
}
static inline ps_status ps_expm1(ps_arg x, ps_tensor **result)
{
    return ps_expm1_at(0, x, result);
}
#define ps_expm1(...) ps_expm1_at(PS_HERE, __VA_ARGS__)

/* eye(rows: int, columns: int = none, diagonal: int = 0, dtype: dtype = float32)
 * 1 on a diagonal, else 0. */
static inline ps_status ps_eye_at(uint64_t location, ps_arg rows, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = rows;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "eye", args, 4, location, result);
}
static inline ps_status ps_eye(ps_arg rows, ps_tensor **result)
{
    return ps_eye_at(0, rows, result);
}
#define ps_eye(...) ps_eye_at(PS_HERE, __VA_ARGS__)

typedef struct ps_eye_options {
    ps_arg columns; /* none */
    ps_arg diagonal; /* 0 */
    ps_arg dtype; /* float32 */
} ps_eye_options;

static inline ps_status ps_eye_with_at(uint64_t location, ps_arg rows, const ps_eye_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = rows;
    args[1] = options->columns;
    args[2] = options->diagonal;
    args[3] = options->dtype;
    return ps_ops_call(&op, "eye", args, 4, location, result);
}
static inline ps_status ps_eye_with(ps_arg rows, const ps_eye_options *options, ps_tensor **result)
{
    return ps_eye_with_at(0, rows, options, result);
}
#define ps_eye_with(...) ps_eye_with_at(PS_HERE, __VA_ARGS__)

/* flip(x, axis: axes = none)
 * A view with the order along the axes reversed; all axes if none is given. */
static inline ps_status ps_flip_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "flip", args, 2, location, result);
}
static inline ps_status ps_flip(ps_arg x, ps_tensor **result)
{
    return ps_flip_at(0, x, result);
}
#define ps_flip(...) ps_flip_at(PS_HERE, __VA_ARGS__)

typedef struct ps_flip_options {
    ps_arg axis; /* none */
} ps_flip_options;

static inline ps_status ps_flip_with_at(uint64_t location, ps_arg x, const ps_flip_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->axis;
    return ps_ops_call(&op, "flip", args, 2, location, result);
}
static inline ps_status ps_flip_with(ps_arg x, const ps_flip_options *options, ps_tensor **result)
{
    return ps_flip_with_at(0, x, options, result);
}
#define ps_flip_with(...) ps_flip_with_at(PS_HERE, __VA_ARGS__)

/* floor(x)
 * Rounded down. */
static inline ps_status ps_floor_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "floor", args, 1, location, result);
}
static inline ps_status ps_floor(ps_arg x, ps_tensor **result)
{
    return ps_floor_at(0, x, result);
}
#define ps_floor(...) ps_floor_at(PS_HERE, __VA_ARGS__)

/* floor_divide(x1, x2)
 * Quotient rounded down. Integer division by zero gives 0. */
static inline ps_status ps_floor_divide_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "floor_divide", args, 2, location, result);
}
static inline ps_status ps_floor_divide(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_floor_divide_at(0, x1, x2, result);
}
#define ps_floor_divide(...) ps_floor_divide_at(PS_HERE, __VA_ARGS__)

/* fmod(x1, x2)
 * What division rounded toward zero leaves; it has the dividend's sign. */
static inline ps_status ps_fmod_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "fmod", args, 2, location, result);
}
static inline ps_status ps_fmod(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_fmod_at(0, x1, x2, result);
}
#define ps_fmod(...) ps_fmod_at(PS_HERE, __VA_ARGS__)

/* ftrl_update(w, z, n, g, rate, l1: tensor or number = 0.01, beta: tensor or number = 1.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
 * FTRL-proximal: h = clip(rescale * g, -clip, clip); k = n + h * h; z = z + h - (sqrt(k) - sqrt(n)) * w / rate; n = k; (sign(z) * l1 - z) / ((beta + sqrt(n)) / rate + decay) where |z| > l1, else 0.
 * results has room for 3 tensors */
static inline ps_status ps_ftrl_update_at(uint64_t location, ps_arg w, ps_arg z, ps_arg n, ps_arg g, ps_arg rate, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[10];
    args[0] = w;
    args[1] = z;
    args[2] = n;
    args[3] = g;
    args[4] = rate;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    args[8].kind = PS_ARG_NONE;
    args[9].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "ftrl_update", args, 10, location, results, 3);
}
static inline ps_status ps_ftrl_update(ps_arg w, ps_arg z, ps_arg n, ps_arg g, ps_arg rate, ps_tensor **results)
{
    return ps_ftrl_update_at(0, w, z, n, g, rate, results);
}
#define ps_ftrl_update(...) ps_ftrl_update_at(PS_HERE, __VA_ARGS__)

typedef struct ps_ftrl_update_options {
    ps_arg l1; /* 0.01 */
    ps_arg beta; /* 1.0 */
    ps_arg rescale; /* 1.0 */
    ps_arg clip; /* inf */
    ps_arg decay; /* 0.0 */
} ps_ftrl_update_options;

static inline ps_status ps_ftrl_update_with_at(uint64_t location, ps_arg w, ps_arg z, ps_arg n, ps_arg g, ps_arg rate, const ps_ftrl_update_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[10];
    args[0] = w;
    args[1] = z;
    args[2] = n;
    args[3] = g;
    args[4] = rate;
    args[5] = options->l1;
    args[6] = options->beta;
    args[7] = options->rescale;
    args[8] = options->clip;
    args[9] = options->decay;
    return ps_ops_call_several(&op, "ftrl_update", args, 10, location, results, 3);
}
static inline ps_status ps_ftrl_update_with(ps_arg w, ps_arg z, ps_arg n, ps_arg g, ps_arg rate, const ps_ftrl_update_options *options, ps_tensor **results)
{
    return ps_ftrl_update_with_at(0, w, z, n, g, rate, options, results);
}
#define ps_ftrl_update_with(...) ps_ftrl_update_with_at(PS_HERE, __VA_ARGS__)

/* full(shape: ints, value: scalar, dtype: dtype = none)
 * All elements equal to value; its type decides the element type if none is given. */
static inline ps_status ps_full_at(uint64_t location, ps_arg shape, ps_arg value, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = shape;
    args[1] = value;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "full", args, 3, location, result);
}
static inline ps_status ps_full(ps_arg shape, ps_arg value, ps_tensor **result)
{
    return ps_full_at(0, shape, value, result);
}
#define ps_full(...) ps_full_at(PS_HERE, __VA_ARGS__)

typedef struct ps_full_options {
    ps_arg dtype; /* none */
} ps_full_options;

static inline ps_status ps_full_with_at(uint64_t location, ps_arg shape, ps_arg value, const ps_full_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = shape;
    args[1] = value;
    args[2] = options->dtype;
    return ps_ops_call(&op, "full", args, 3, location, result);
}
static inline ps_status ps_full_with(ps_arg shape, ps_arg value, const ps_full_options *options, ps_tensor **result)
{
    return ps_full_with_at(0, shape, value, options, result);
}
#define ps_full_with(...) ps_full_with_at(PS_HERE, __VA_ARGS__)

/* gelu(x)
 * x times the normal distribution function of x. */
static inline ps_status ps_gelu_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "gelu", args, 1, location, result);
}
static inline ps_status ps_gelu(ps_arg x, ps_tensor **result)
{
    return ps_gelu_at(0, x, result);
}
#define ps_gelu(...) ps_gelu_at(PS_HERE, __VA_ARGS__)

/* gelu_tanh(x)
 * gelu by its approximation with tanh. */
static inline ps_status ps_gelu_tanh_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "gelu_tanh", args, 1, location, result);
}
static inline ps_status ps_gelu_tanh(ps_arg x, ps_tensor **result)
{
    return ps_gelu_tanh_at(0, x, result);
}
#define ps_gelu_tanh(...) ps_gelu_tanh_at(PS_HERE, __VA_ARGS__)

/* global_avg_pool2d(x, layout: choice(NCHW NHWC) = none)
 * The mean of each channel of each image, as images of one pixel. */
static inline ps_status ps_global_avg_pool2d_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "global_avg_pool2d", args, 2, location, result);
}
static inline ps_status ps_global_avg_pool2d(ps_arg x, ps_tensor **result)
{
    return ps_global_avg_pool2d_at(0, x, result);
}
#define ps_global_avg_pool2d(...) ps_global_avg_pool2d_at(PS_HERE, __VA_ARGS__)

typedef struct ps_global_avg_pool2d_options {
    ps_arg layout; /* none */
} ps_global_avg_pool2d_options;

static inline ps_status ps_global_avg_pool2d_with_at(uint64_t location, ps_arg x, const ps_global_avg_pool2d_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->layout;
    return ps_ops_call(&op, "global_avg_pool2d", args, 2, location, result);
}
static inline ps_status ps_global_avg_pool2d_with(ps_arg x, const ps_global_avg_pool2d_options *options, ps_tensor **result)
{
    return ps_global_avg_pool2d_with_at(0, x, options, result);
}
#define ps_global_avg_pool2d_with(...) ps_global_avg_pool2d_with_at(PS_HERE, __VA_ARGS__)

/* global_max_pool2d(x, layout: choice(NCHW NHWC) = none)
 * The largest element of each channel of each image, as images of one pixel. */
static inline ps_status ps_global_max_pool2d_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "global_max_pool2d", args, 2, location, result);
}
static inline ps_status ps_global_max_pool2d(ps_arg x, ps_tensor **result)
{
    return ps_global_max_pool2d_at(0, x, result);
}
#define ps_global_max_pool2d(...) ps_global_max_pool2d_at(PS_HERE, __VA_ARGS__)

typedef struct ps_global_max_pool2d_options {
    ps_arg layout; /* none */
} ps_global_max_pool2d_options;

static inline ps_status ps_global_max_pool2d_with_at(uint64_t location, ps_arg x, const ps_global_max_pool2d_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->layout;
    return ps_ops_call(&op, "global_max_pool2d", args, 2, location, result);
}
static inline ps_status ps_global_max_pool2d_with(ps_arg x, const ps_global_max_pool2d_options *options, ps_tensor **result)
{
    return ps_global_max_pool2d_with_at(0, x, options, result);
}
#define ps_global_max_pool2d_with(...) ps_global_max_pool2d_with_at(PS_HERE, __VA_ARGS__)

/* global_norm(x: tensors)
 * The norm of all elements of some tensors: the norm of their norms. */
static inline ps_status ps_global_norm_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "global_norm", args, 1, location, result);
}
static inline ps_status ps_global_norm(ps_arg x, ps_tensor **result)
{
    return ps_global_norm_at(0, x, result);
}
#define ps_global_norm(...) ps_global_norm_at(PS_HERE, __VA_ARGS__)

/* greater(x1, x2)
 * Whether x1 > x2. */
static inline ps_status ps_greater_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "greater", args, 2, location, result);
}
static inline ps_status ps_greater(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_greater_at(0, x1, x2, result);
}
#define ps_greater(...) ps_greater_at(PS_HERE, __VA_ARGS__)

/* greater_equal(x1, x2)
 * Whether x1 >= x2. */
static inline ps_status ps_greater_equal_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "greater_equal", args, 2, location, result);
}
static inline ps_status ps_greater_equal(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_greater_equal_at(0, x1, x2, result);
}
#define ps_greater_equal(...) ps_greater_equal_at(PS_HERE, __VA_ARGS__)

/* group_norm(x, gamma: tensor = none, beta: tensor = none, groups: int = 1, eps: float = 1e-05)
 * (x - mean) / sqrt(variance + eps) * gamma + beta, mean and variance being those of each group of channels, which are along the second axis, for each place along the first; gamma and beta have a number for each channel. */
static inline ps_status ps_group_norm_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "group_norm", args, 5, location, result);
}
static inline ps_status ps_group_norm(ps_arg x, ps_tensor **result)
{
    return ps_group_norm_at(0, x, result);
}
#define ps_group_norm(...) ps_group_norm_at(PS_HERE, __VA_ARGS__)

typedef struct ps_group_norm_options {
    ps_arg gamma; /* none */
    ps_arg beta; /* none */
    ps_arg groups; /* 1 */
    ps_arg eps; /* 1e-05 */
} ps_group_norm_options;

static inline ps_status ps_group_norm_with_at(uint64_t location, ps_arg x, const ps_group_norm_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = options->gamma;
    args[2] = options->beta;
    args[3] = options->groups;
    args[4] = options->eps;
    return ps_ops_call(&op, "group_norm", args, 5, location, result);
}
static inline ps_status ps_group_norm_with(ps_arg x, const ps_group_norm_options *options, ps_tensor **result)
{
    return ps_group_norm_with_at(0, x, options, result);
}
#define ps_group_norm_with(...) ps_group_norm_with_at(PS_HERE, __VA_ARGS__)

/* group_norm_back(x, flow, gamma: tensor = none, groups: int = 1, eps: float = 1e-05)
 * What flows back to x, gamma and beta from group_norm_channels, if flow does to its result.
 * results has room for 3 tensors */
static inline ps_status ps_group_norm_back_at(uint64_t location, ps_arg x, ps_arg flow, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = flow;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "group_norm_back", args, 5, location, results, 3);
}
static inline ps_status ps_group_norm_back(ps_arg x, ps_arg flow, ps_tensor **results)
{
    return ps_group_norm_back_at(0, x, flow, results);
}
#define ps_group_norm_back(...) ps_group_norm_back_at(PS_HERE, __VA_ARGS__)

typedef struct ps_group_norm_back_options {
    ps_arg gamma; /* none */
    ps_arg groups; /* 1 */
    ps_arg eps; /* 1e-05 */
} ps_group_norm_back_options;

static inline ps_status ps_group_norm_back_with_at(uint64_t location, ps_arg x, ps_arg flow, const ps_group_norm_back_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = flow;
    args[2] = options->gamma;
    args[3] = options->groups;
    args[4] = options->eps;
    return ps_ops_call_several(&op, "group_norm_back", args, 5, location, results, 3);
}
static inline ps_status ps_group_norm_back_with(ps_arg x, ps_arg flow, const ps_group_norm_back_options *options, ps_tensor **results)
{
    return ps_group_norm_back_with_at(0, x, flow, options, results);
}
#define ps_group_norm_back_with(...) ps_group_norm_back_with_at(PS_HERE, __VA_ARGS__)

/* group_norm_channels(x, gamma: tensor = none, beta: tensor = none, groups: int = 1, eps: float = 1e-05)
 * group_norm as one task, channel by channel. */
static inline ps_status ps_group_norm_channels_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "group_norm_channels", args, 5, location, result);
}
static inline ps_status ps_group_norm_channels(ps_arg x, ps_tensor **result)
{
    return ps_group_norm_channels_at(0, x, result);
}
#define ps_group_norm_channels(...) ps_group_norm_channels_at(PS_HERE, __VA_ARGS__)

typedef struct ps_group_norm_channels_options {
    ps_arg gamma; /* none */
    ps_arg beta; /* none */
    ps_arg groups; /* 1 */
    ps_arg eps; /* 1e-05 */
} ps_group_norm_channels_options;

static inline ps_status ps_group_norm_channels_with_at(uint64_t location, ps_arg x, const ps_group_norm_channels_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = options->gamma;
    args[2] = options->beta;
    args[3] = options->groups;
    args[4] = options->eps;
    return ps_ops_call(&op, "group_norm_channels", args, 5, location, result);
}
static inline ps_status ps_group_norm_channels_with(ps_arg x, const ps_group_norm_channels_options *options, ps_tensor **result)
{
    return ps_group_norm_channels_with_at(0, x, options, result);
}
#define ps_group_norm_channels_with(...) ps_group_norm_channels_with_at(PS_HERE, __VA_ARGS__)

/* gru_gates(gates, sent, state)
 * The state after one step of a GRU. What the input (gates) and the state (sent) bring to the gates, reset, update and candidate, lies one behind the other along the last axis, before their sigmoid or tanh; the reset is applied inside the candidate. */
static inline ps_status ps_gru_gates_at(uint64_t location, ps_arg gates, ps_arg sent, ps_arg state, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = gates;
    args[1] = sent;
    args[2] = state;
    return ps_ops_call(&op, "gru_gates", args, 3, location, result);
}
static inline ps_status ps_gru_gates(ps_arg gates, ps_arg sent, ps_arg state, ps_tensor **result)
{
    return ps_gru_gates_at(0, gates, sent, state, result);
}
#define ps_gru_gates(...) ps_gru_gates_at(PS_HERE, __VA_ARGS__)

/* hard_sigmoid(x)
 * A sigmoid of straight lines. */
static inline ps_status ps_hard_sigmoid_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "hard_sigmoid", args, 1, location, result);
}
static inline ps_status ps_hard_sigmoid(ps_arg x, ps_tensor **result)
{
    return ps_hard_sigmoid_at(0, x, result);
}
#define ps_hard_sigmoid(...) ps_hard_sigmoid_at(PS_HERE, __VA_ARGS__)

/* hard_swish(x)
 * x * hard_sigmoid(x). */
static inline ps_status ps_hard_swish_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "hard_swish", args, 1, location, result);
}
static inline ps_status ps_hard_swish(ps_arg x, ps_tensor **result)
{
    return ps_hard_swish_at(0, x, result);
}
#define ps_hard_swish(...) ps_hard_swish_at(PS_HERE, __VA_ARGS__)

/* hinge_loss(x, target, margin: scalar = 1.0)
 * max(0, margin - x * target), for targets -1 and 1. */
static inline ps_status ps_hinge_loss_at(uint64_t location, ps_arg x, ps_arg target, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = target;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "hinge_loss", args, 3, location, result);
}
static inline ps_status ps_hinge_loss(ps_arg x, ps_arg target, ps_tensor **result)
{
    return ps_hinge_loss_at(0, x, target, result);
}
#define ps_hinge_loss(...) ps_hinge_loss_at(PS_HERE, __VA_ARGS__)

typedef struct ps_hinge_loss_options {
    ps_arg margin; /* 1.0 */
} ps_hinge_loss_options;

static inline ps_status ps_hinge_loss_with_at(uint64_t location, ps_arg x, ps_arg target, const ps_hinge_loss_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = target;
    args[2] = options->margin;
    return ps_ops_call(&op, "hinge_loss", args, 3, location, result);
}
static inline ps_status ps_hinge_loss_with(ps_arg x, ps_arg target, const ps_hinge_loss_options *options, ps_tensor **result)
{
    return ps_hinge_loss_with_at(0, x, target, options, result);
}
#define ps_hinge_loss_with(...) ps_hinge_loss_with_at(PS_HERE, __VA_ARGS__)

/* huber_loss(x, target, rho: scalar = 1.0)
 * With d = |x - target|: d^2 / (2 rho) where d < rho, else d - rho / 2. */
static inline ps_status ps_huber_loss_at(uint64_t location, ps_arg x, ps_arg target, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = target;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "huber_loss", args, 3, location, result);
}
static inline ps_status ps_huber_loss(ps_arg x, ps_arg target, ps_tensor **result)
{
    return ps_huber_loss_at(0, x, target, result);
}
#define ps_huber_loss(...) ps_huber_loss_at(PS_HERE, __VA_ARGS__)

typedef struct ps_huber_loss_options {
    ps_arg rho; /* 1.0 */
} ps_huber_loss_options;

static inline ps_status ps_huber_loss_with_at(uint64_t location, ps_arg x, ps_arg target, const ps_huber_loss_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = target;
    args[2] = options->rho;
    return ps_ops_call(&op, "huber_loss", args, 3, location, result);
}
static inline ps_status ps_huber_loss_with(ps_arg x, ps_arg target, const ps_huber_loss_options *options, ps_tensor **result)
{
    return ps_huber_loss_with_at(0, x, target, options, result);
}
#define ps_huber_loss_with(...) ps_huber_loss_with_at(PS_HERE, __VA_ARGS__)

/* hypot(x1, x2)
 * Square root of the sum of squares, without overflow on the way. */
static inline ps_status ps_hypot_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "hypot", args, 2, location, result);
}
static inline ps_status ps_hypot(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_hypot_at(0, x1, x2, result);
}
#define ps_hypot(...) ps_hypot_at(PS_HERE, __VA_ARGS__)

/* imag(x)
 * Imaginary part, as a new tensor. */
static inline ps_status ps_imag_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "imag", args, 1, location, result);
}
static inline ps_status ps_imag(ps_arg x, ps_tensor **result)
{
    return ps_imag_at(0, x, result);
}
#define ps_imag(...) ps_imag_at(PS_HERE, __VA_ARGS__)

/* inner(x1, x2)
 * Sum of products over the last dimension of both. */
static inline ps_status ps_inner_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "inner", args, 2, location, result);
}
static inline ps_status ps_inner(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_inner_at(0, x1, x2, result);
}
#define ps_inner(...) ps_inner_at(PS_HERE, __VA_ARGS__)

/* instance_norm(x, gamma: tensor = none, beta: tensor = none, eps: float = 1e-05)
 * group_norm with as many groups as there are channels. */
static inline ps_status ps_instance_norm_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "instance_norm", args, 4, location, result);
}
static inline ps_status ps_instance_norm(ps_arg x, ps_tensor **result)
{
    return ps_instance_norm_at(0, x, result);
}
#define ps_instance_norm(...) ps_instance_norm_at(PS_HERE, __VA_ARGS__)

typedef struct ps_instance_norm_options {
    ps_arg gamma; /* none */
    ps_arg beta; /* none */
    ps_arg eps; /* 1e-05 */
} ps_instance_norm_options;

static inline ps_status ps_instance_norm_with_at(uint64_t location, ps_arg x, const ps_instance_norm_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->gamma;
    args[2] = options->beta;
    args[3] = options->eps;
    return ps_ops_call(&op, "instance_norm", args, 4, location, result);
}
static inline ps_status ps_instance_norm_with(ps_arg x, const ps_instance_norm_options *options, ps_tensor **result)
{
    return ps_instance_norm_with_at(0, x, options, result);
}
#define ps_instance_norm_with(...) ps_instance_norm_with_at(PS_HERE, __VA_ARGS__)

/* isclose(x1, x2, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = false)
 * Whether |x1 - x2| <= atol + rtol * |x2|, for each element; integers are compared as float64. */
static inline ps_status ps_isclose_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x1;
    args[1] = x2;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "isclose", args, 5, location, result);
}
static inline ps_status ps_isclose(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_isclose_at(0, x1, x2, result);
}
#define ps_isclose(...) ps_isclose_at(PS_HERE, __VA_ARGS__)

typedef struct ps_isclose_options {
    ps_arg rtol; /* 1e-05 */
    ps_arg atol; /* 1e-08 */
    ps_arg equal_nan; /* false */
} ps_isclose_options;

static inline ps_status ps_isclose_with_at(uint64_t location, ps_arg x1, ps_arg x2, const ps_isclose_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x1;
    args[1] = x2;
    args[2] = options->rtol;
    args[3] = options->atol;
    args[4] = options->equal_nan;
    return ps_ops_call(&op, "isclose", args, 5, location, result);
}
static inline ps_status ps_isclose_with(ps_arg x1, ps_arg x2, const ps_isclose_options *options, ps_tensor **result)
{
    return ps_isclose_with_at(0, x1, x2, options, result);
}
#define ps_isclose_with(...) ps_isclose_with_at(PS_HERE, __VA_ARGS__)

/* isfinite(x)
 * Whether it is neither infinite nor NaN. */
static inline ps_status ps_isfinite_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "isfinite", args, 1, location, result);
}
static inline ps_status ps_isfinite(ps_arg x, ps_tensor **result)
{
    return ps_isfinite_at(0, x, result);
}
#define ps_isfinite(...) ps_isfinite_at(PS_HERE, __VA_ARGS__)

/* isin(x1, x2, invert: bool = false)
 * Whether each element of x1 is among those of x2; with invert whether it is not. */
static inline ps_status ps_isin_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x1;
    args[1] = x2;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "isin", args, 3, location, result);
}
static inline ps_status ps_isin(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_isin_at(0, x1, x2, result);
}
#define ps_isin(...) ps_isin_at(PS_HERE, __VA_ARGS__)

typedef struct ps_isin_options {
    ps_arg invert; /* false */
} ps_isin_options;

static inline ps_status ps_isin_with_at(uint64_t location, ps_arg x1, ps_arg x2, const ps_isin_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x1;
    args[1] = x2;
    args[2] = options->invert;
    return ps_ops_call(&op, "isin", args, 3, location, result);
}
static inline ps_status ps_isin_with(ps_arg x1, ps_arg x2, const ps_isin_options *options, ps_tensor **result)
{
    return ps_isin_with_at(0, x1, x2, options, result);
}
#define ps_isin_with(...) ps_isin_with_at(PS_HERE, __VA_ARGS__)

/* isinf(x)
 * Whether it is infinite. */
static inline ps_status ps_isinf_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "isinf", args, 1, location, result);
}
static inline ps_status ps_isinf(ps_arg x, ps_tensor **result)
{
    return ps_isinf_at(0, x, result);
}
#define ps_isinf(...) ps_isinf_at(PS_HERE, __VA_ARGS__)

/* isnan(x)
 * Whether it is NaN. */
static inline ps_status ps_isnan_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "isnan", args, 1, location, result);
}
static inline ps_status ps_isnan(ps_arg x, ps_tensor **result)
{
    return ps_isnan_at(0, x, result);
}
#define ps_isnan(...) ps_isnan_at(PS_HERE, __VA_ARGS__)

/* kl_div_loss(x, target, from_logits: bool = true, axis: axis = -1)
 * target * (log(target) - x), 0 where target is 0; x is logarithms of probabilities, or without from_logits what log_softmax along the axis makes them of. */
static inline ps_status ps_kl_div_loss_at(uint64_t location, ps_arg x, ps_arg target, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = target;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "kl_div_loss", args, 4, location, result);
}
static inline ps_status ps_kl_div_loss(ps_arg x, ps_arg target, ps_tensor **result)
{
    return ps_kl_div_loss_at(0, x, target, result);
}
#define ps_kl_div_loss(...) ps_kl_div_loss_at(PS_HERE, __VA_ARGS__)

typedef struct ps_kl_div_loss_options {
    ps_arg from_logits; /* true */
    ps_arg axis; /* -1 */
} ps_kl_div_loss_options;

static inline ps_status ps_kl_div_loss_with_at(uint64_t location, ps_arg x, ps_arg target, const ps_kl_div_loss_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = target;
    args[2] = options->from_logits;
    args[3] = options->axis;
    return ps_ops_call(&op, "kl_div_loss", args, 4, location, result);
}
static inline ps_status ps_kl_div_loss_with(ps_arg x, ps_arg target, const ps_kl_div_loss_options *options, ps_tensor **result)
{
    return ps_kl_div_loss_with_at(0, x, target, options, result);
}
#define ps_kl_div_loss_with(...) ps_kl_div_loss_with_at(PS_HERE, __VA_ARGS__)

/* kl_divergence(x, target)
 * target * (log(target) - x), 0 where target is 0; x is logarithms of probabilities. */
static inline ps_status ps_kl_divergence_at(uint64_t location, ps_arg x, ps_arg target, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = target;
    return ps_ops_call(&op, "kl_divergence", args, 2, location, result);
}
static inline ps_status ps_kl_divergence(ps_arg x, ps_arg target, ps_tensor **result)
{
    return ps_kl_divergence_at(0, x, target, result);
}
#define ps_kl_divergence(...) ps_kl_divergence_at(PS_HERE, __VA_ARGS__)

/* kron(x1, x2)
 * The Kronecker product: each element of x1 times x2, as blocks in its place. */
static inline ps_status ps_kron_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "kron", args, 2, location, result);
}
static inline ps_status ps_kron(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_kron_at(0, x1, x2, result);
}
#define ps_kron(...) ps_kron_at(PS_HERE, __VA_ARGS__)

/* l1_loss(x, target)
 * |x - target|. */
static inline ps_status ps_l1_loss_at(uint64_t location, ps_arg x, ps_arg target, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = target;
    return ps_ops_call(&op, "l1_loss", args, 2, location, result);
}
static inline ps_status ps_l1_loss(ps_arg x, ps_arg target, ps_tensor **result)
{
    return ps_l1_loss_at(0, x, target, result);
}
#define ps_l1_loss(...) ps_l1_loss_at(PS_HERE, __VA_ARGS__)

/* l2_loss(x, target)
 * (x - target)^2 / 2. */
static inline ps_status ps_l2_loss_at(uint64_t location, ps_arg x, ps_arg target, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = target;
    return ps_ops_call(&op, "l2_loss", args, 2, location, result);
}
static inline ps_status ps_l2_loss(ps_arg x, ps_arg target, ps_tensor **result)
{
    return ps_l2_loss_at(0, x, target, result);
}
#define ps_l2_loss(...) ps_l2_loss_at(PS_HERE, __VA_ARGS__)

/* layer_norm(x, gamma: tensor = none, beta: tensor = none, axis: axes = none, eps: float = 1e-05)
 * (x - mean) / sqrt(variance + eps) * gamma + beta, mean and variance being those along the last axis, or one axis, or all of several last axes; gamma and beta have the shape of these. */
static inline ps_status ps_layer_norm_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "layer_norm", args, 5, location, result);
}
static inline ps_status ps_layer_norm(ps_arg x, ps_tensor **result)
{
    return ps_layer_norm_at(0, x, result);
}
#define ps_layer_norm(...) ps_layer_norm_at(PS_HERE, __VA_ARGS__)

typedef struct ps_layer_norm_options {
    ps_arg gamma; /* none */
    ps_arg beta; /* none */
    ps_arg axis; /* none */
    ps_arg eps; /* 1e-05 */
} ps_layer_norm_options;

static inline ps_status ps_layer_norm_with_at(uint64_t location, ps_arg x, const ps_layer_norm_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = options->gamma;
    args[2] = options->beta;
    args[3] = options->axis;
    args[4] = options->eps;
    return ps_ops_call(&op, "layer_norm", args, 5, location, result);
}
static inline ps_status ps_layer_norm_with(ps_arg x, const ps_layer_norm_options *options, ps_tensor **result)
{
    return ps_layer_norm_with_at(0, x, options, result);
}
#define ps_layer_norm_with(...) ps_layer_norm_with_at(PS_HERE, __VA_ARGS__)

/* layer_norm_back(x, flow, gamma: tensor = none, eps: float = 1e-05)
 * What flows back to x from layer_norm_rows, if flow does to its result. */
static inline ps_status ps_layer_norm_back_at(uint64_t location, ps_arg x, ps_arg flow, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = flow;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "layer_norm_back", args, 4, location, result);
}
static inline ps_status ps_layer_norm_back(ps_arg x, ps_arg flow, ps_tensor **result)
{
    return ps_layer_norm_back_at(0, x, flow, result);
}
#define ps_layer_norm_back(...) ps_layer_norm_back_at(PS_HERE, __VA_ARGS__)

typedef struct ps_layer_norm_back_options {
    ps_arg gamma; /* none */
    ps_arg eps; /* 1e-05 */
} ps_layer_norm_back_options;

static inline ps_status ps_layer_norm_back_with_at(uint64_t location, ps_arg x, ps_arg flow, const ps_layer_norm_back_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = flow;
    args[2] = options->gamma;
    args[3] = options->eps;
    return ps_ops_call(&op, "layer_norm_back", args, 4, location, result);
}
static inline ps_status ps_layer_norm_back_with(ps_arg x, ps_arg flow, const ps_layer_norm_back_options *options, ps_tensor **result)
{
    return ps_layer_norm_back_with_at(0, x, flow, options, result);
}
#define ps_layer_norm_back_with(...) ps_layer_norm_back_with_at(PS_HERE, __VA_ARGS__)

/* layer_norm_back_all(x, flow, gamma: tensor = none, eps: float = 1e-05)
 * What flows back to x, gamma and beta from layer_norm_rows, if flow does to its result.
 * results has room for 3 tensors */
static inline ps_status ps_layer_norm_back_all_at(uint64_t location, ps_arg x, ps_arg flow, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = flow;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "layer_norm_back_all", args, 4, location, results, 3);
}
static inline ps_status ps_layer_norm_back_all(ps_arg x, ps_arg flow, ps_tensor **results)
{
    return ps_layer_norm_back_all_at(0, x, flow, results);
}
#define ps_layer_norm_back_all(...) ps_layer_norm_back_all_at(PS_HERE, __VA_ARGS__)

typedef struct ps_layer_norm_back_all_options {
    ps_arg gamma; /* none */
    ps_arg eps; /* 1e-05 */
} ps_layer_norm_back_all_options;

static inline ps_status ps_layer_norm_back_all_with_at(uint64_t location, ps_arg x, ps_arg flow, const ps_layer_norm_back_all_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = flow;
    args[2] = options->gamma;
    args[3] = options->eps;
    return ps_ops_call_several(&op, "layer_norm_back_all", args, 4, location, results, 3);
}
static inline ps_status ps_layer_norm_back_all_with(ps_arg x, ps_arg flow, const ps_layer_norm_back_all_options *options, ps_tensor **results)
{
    return ps_layer_norm_back_all_with_at(0, x, flow, options, results);
}
#define ps_layer_norm_back_all_with(...) ps_layer_norm_back_all_with_at(PS_HERE, __VA_ARGS__)

/* layer_norm_rows(x, gamma: tensor = none, beta: tensor = none, eps: float = 1e-05)
 * layer_norm along the last axis. */
static inline ps_status ps_layer_norm_rows_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "layer_norm_rows", args, 4, location, result);
}
static inline ps_status ps_layer_norm_rows(ps_arg x, ps_tensor **result)
{
    return ps_layer_norm_rows_at(0, x, result);
}
#define ps_layer_norm_rows(...) ps_layer_norm_rows_at(PS_HERE, __VA_ARGS__)

typedef struct ps_layer_norm_rows_options {
    ps_arg gamma; /* none */
    ps_arg beta; /* none */
    ps_arg eps; /* 1e-05 */
} ps_layer_norm_rows_options;

static inline ps_status ps_layer_norm_rows_with_at(uint64_t location, ps_arg x, const ps_layer_norm_rows_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->gamma;
    args[2] = options->beta;
    args[3] = options->eps;
    return ps_ops_call(&op, "layer_norm_rows", args, 4, location, result);
}
static inline ps_status ps_layer_norm_rows_with(ps_arg x, const ps_layer_norm_rows_options *options, ps_tensor **result)
{
    return ps_layer_norm_rows_with_at(0, x, options, result);
}
#define ps_layer_norm_rows_with(...) ps_layer_norm_rows_with_at(PS_HERE, __VA_ARGS__)

/* leaky_relu(x, slope: scalar = 0.01)
 * The operand where it is positive, else a fraction of it. */
static inline ps_status ps_leaky_relu_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "leaky_relu", args, 2, location, result);
}
static inline ps_status ps_leaky_relu(ps_arg x, ps_tensor **result)
{
    return ps_leaky_relu_at(0, x, result);
}
#define ps_leaky_relu(...) ps_leaky_relu_at(PS_HERE, __VA_ARGS__)

typedef struct ps_leaky_relu_options {
    ps_arg slope; /* 0.01 */
} ps_leaky_relu_options;

static inline ps_status ps_leaky_relu_with_at(uint64_t location, ps_arg x, const ps_leaky_relu_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->slope;
    return ps_ops_call(&op, "leaky_relu", args, 2, location, result);
}
static inline ps_status ps_leaky_relu_with(ps_arg x, const ps_leaky_relu_options *options, ps_tensor **result)
{
    return ps_leaky_relu_with_at(0, x, options, result);
}
#define ps_leaky_relu_with(...) ps_leaky_relu_with_at(PS_HERE, __VA_ARGS__)

/* less(x1, x2)
 * Whether x1 < x2. */
static inline ps_status ps_less_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "less", args, 2, location, result);
}
static inline ps_status ps_less(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_less_at(0, x1, x2, result);
}
#define ps_less(...) ps_less_at(PS_HERE, __VA_ARGS__)

/* less_equal(x1, x2)
 * Whether x1 <= x2. */
static inline ps_status ps_less_equal_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "less_equal", args, 2, location, result);
}
static inline ps_status ps_less_equal(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_less_equal_at(0, x1, x2, result);
}
#define ps_less_equal(...) ps_less_equal_at(PS_HERE, __VA_ARGS__)

/* linear(x, weight, bias: tensor = none, activation: text = none)
 * The product of x and the transposed weight, plus bias, then an activation: an elementwise operation by its name. */
static inline ps_status ps_linear_at(uint64_t location, ps_arg x, ps_arg weight, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = weight;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "linear", args, 4, location, result);
}
static inline ps_status ps_linear(ps_arg x, ps_arg weight, ps_tensor **result)
{
    return ps_linear_at(0, x, weight, result);
}
#define ps_linear(...) ps_linear_at(PS_HERE, __VA_ARGS__)

typedef struct ps_linear_options {
    ps_arg bias; /* none */
    ps_arg activation; /* none */
} ps_linear_options;

static inline ps_status ps_linear_with_at(uint64_t location, ps_arg x, ps_arg weight, const ps_linear_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = weight;
    args[2] = options->bias;
    args[3] = options->activation;
    return ps_ops_call(&op, "linear", args, 4, location, result);
}
static inline ps_status ps_linear_with(ps_arg x, ps_arg weight, const ps_linear_options *options, ps_tensor **result)
{
    return ps_linear_with_at(0, x, weight, options, result);
}
#define ps_linear_with(...) ps_linear_with_at(PS_HERE, __VA_ARGS__)

/* linspace(start: float, stop: float, count: int, endpoint: bool = true, dtype: dtype = float32)
 * count numbers at equal distances from start to stop. */
static inline ps_status ps_linspace_at(uint64_t location, ps_arg start, ps_arg stop, ps_arg count, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = start;
    args[1] = stop;
    args[2] = count;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "linspace", args, 5, location, result);
}
static inline ps_status ps_linspace(ps_arg start, ps_arg stop, ps_arg count, ps_tensor **result)
{
    return ps_linspace_at(0, start, stop, count, result);
}
#define ps_linspace(...) ps_linspace_at(PS_HERE, __VA_ARGS__)

typedef struct ps_linspace_options {
    ps_arg endpoint; /* true */
    ps_arg dtype; /* float32 */
} ps_linspace_options;

static inline ps_status ps_linspace_with_at(uint64_t location, ps_arg start, ps_arg stop, ps_arg count, const ps_linspace_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = start;
    args[1] = stop;
    args[2] = count;
    args[3] = options->endpoint;
    args[4] = options->dtype;
    return ps_ops_call(&op, "linspace", args, 5, location, result);
}
static inline ps_status ps_linspace_with(ps_arg start, ps_arg stop, ps_arg count, const ps_linspace_options *options, ps_tensor **result)
{
    return ps_linspace_with_at(0, start, stop, count, options, result);
}
#define ps_linspace_with(...) ps_linspace_with_at(PS_HERE, __VA_ARGS__)

/* log(x)
 * Natural logarithm. */
static inline ps_status ps_log_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "log", args, 1, location, result);
}
static inline ps_status ps_log(ps_arg x, ps_tensor **result)
{
    return ps_log_at(0, x, result);
}
#define ps_log(...) ps_log_at(PS_HERE, __VA_ARGS__)

/* log10(x)
 * Logarithm to base 10. */
static inline ps_status ps_log10_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "log10", args, 1, location, result);
}
static inline ps_status ps_log10(ps_arg x, ps_tensor **result)
{
    return ps_log10_at(0, x, result);
}
#define ps_log10(...) ps_log10_at(PS_HERE, __VA_ARGS__)

/* log1p(x)
 * log(1 + x), accurate near 0. */
static inline ps_status ps_log1p_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "log1p", args, 1, location, result);
}
static inline ps_status ps_log1p(ps_arg x, ps_tensor **result)
{
    return ps_log1p_at(0, x, result);
}
#define ps_log1p(...) ps_log1p_at(PS_HERE, __VA_ARGS__)

/* log2(x)
 * Logarithm to base 2. */
static inline ps_status ps_log2_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "log2", args, 1, location, result);
}
static inline ps_status ps_log2(ps_arg x, ps_tensor **result)
{
    return ps_log2_at(0, x, result);
}
#define ps_log2(...) ps_log2_at(PS_HERE, __VA_ARGS__)

/* log_softmax(x, axis: axis = -1)
 * The logarithm of softmax, without overflow on the way. */
static inline ps_status ps_log_softmax_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "log_softmax", args, 2, location, result);
}
static inline ps_status ps_log_softmax(ps_arg x, ps_tensor **result)
{
    return ps_log_softmax_at(0, x, result);
}
#define ps_log_softmax(...) ps_log_softmax_at(PS_HERE, __VA_ARGS__)

typedef struct ps_log_softmax_options {
    ps_arg axis; /* -1 */
} ps_log_softmax_options;

static inline ps_status ps_log_softmax_with_at(uint64_t location, ps_arg x, const ps_log_softmax_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->axis;
    return ps_ops_call(&op, "log_softmax", args, 2, location, result);
}
static inline ps_status ps_log_softmax_with(ps_arg x, const ps_log_softmax_options *options, ps_tensor **result)
{
    return ps_log_softmax_with_at(0, x, options, result);
}
#define ps_log_softmax_with(...) ps_log_softmax_with_at(PS_HERE, __VA_ARGS__)

/* logaddexp(x1, x2)
 * log(exp(x1) + exp(x2)), without overflow on the way. */
static inline ps_status ps_logaddexp_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "logaddexp", args, 2, location, result);
}
static inline ps_status ps_logaddexp(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_logaddexp_at(0, x1, x2, result);
}
#define ps_logaddexp(...) ps_logaddexp_at(PS_HERE, __VA_ARGS__)

/* logical_and(x1: mask, x2: mask)
 * Whether both are true; numbers are true unless 0. */
static inline ps_status ps_logical_and_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "logical_and", args, 2, location, result);
}
static inline ps_status ps_logical_and(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_logical_and_at(0, x1, x2, result);
}
#define ps_logical_and(...) ps_logical_and_at(PS_HERE, __VA_ARGS__)

/* logical_not(x: mask)
 * Whether it is false; numbers are true unless 0. */
static inline ps_status ps_logical_not_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "logical_not", args, 1, location, result);
}
static inline ps_status ps_logical_not(ps_arg x, ps_tensor **result)
{
    return ps_logical_not_at(0, x, result);
}
#define ps_logical_not(...) ps_logical_not_at(PS_HERE, __VA_ARGS__)

/* logical_or(x1: mask, x2: mask)
 * Whether one is true; numbers are true unless 0. */
static inline ps_status ps_logical_or_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "logical_or", args, 2, location, result);
}
static inline ps_status ps_logical_or(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_logical_or_at(0, x1, x2, result);
}
#define ps_logical_or(...) ps_logical_or_at(PS_HERE, __VA_ARGS__)

/* logical_xor(x1: mask, x2: mask)
 * Whether just one is true; numbers are true unless 0. */
static inline ps_status ps_logical_xor_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "logical_xor", args, 2, location, result);
}
static inline ps_status ps_logical_xor(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_logical_xor_at(0, x1, x2, result);
}
#define ps_logical_xor(...) ps_logical_xor_at(PS_HERE, __VA_ARGS__)

/* logistic_loss(x, target)
 * log(1 + exp(-x * target)), for targets -1 and 1. */
static inline ps_status ps_logistic_loss_at(uint64_t location, ps_arg x, ps_arg target, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = target;
    return ps_ops_call(&op, "logistic_loss", args, 2, location, result);
}
static inline ps_status ps_logistic_loss(ps_arg x, ps_arg target, ps_tensor **result)
{
    return ps_logistic_loss_at(0, x, target, result);
}
#define ps_logistic_loss(...) ps_logistic_loss_at(PS_HERE, __VA_ARGS__)

/* logsumexp(x, axis: axes = none, keepdims: bool = false)
 * The logarithm of the sum of exp(x) over the axes, without overflow on the way. */
static inline ps_status ps_logsumexp_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "logsumexp", args, 3, location, result);
}
static inline ps_status ps_logsumexp(ps_arg x, ps_tensor **result)
{
    return ps_logsumexp_at(0, x, result);
}
#define ps_logsumexp(...) ps_logsumexp_at(PS_HERE, __VA_ARGS__)

typedef struct ps_logsumexp_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
} ps_logsumexp_options;

static inline ps_status ps_logsumexp_with_at(uint64_t location, ps_arg x, const ps_logsumexp_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    return ps_ops_call(&op, "logsumexp", args, 3, location, result);
}
static inline ps_status ps_logsumexp_with(ps_arg x, const ps_logsumexp_options *options, ps_tensor **result)
{
    return ps_logsumexp_with_at(0, x, options, result);
}
#define ps_logsumexp_with(...) ps_logsumexp_with_at(PS_HERE, __VA_ARGS__)

/* lstm_gates(gates, cell)
 * The state and the cell after one step of an LSTM. The gates, input, forget, candidate and output, lie one behind the other along the last axis, before their sigmoid or tanh.
 * results has room for 2 tensors */
static inline ps_status ps_lstm_gates_at(uint64_t location, ps_arg gates, ps_arg cell, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = gates;
    args[1] = cell;
    return ps_ops_call_several(&op, "lstm_gates", args, 2, location, results, 2);
}
static inline ps_status ps_lstm_gates(ps_arg gates, ps_arg cell, ps_tensor **results)
{
    return ps_lstm_gates_at(0, gates, cell, results);
}
#define ps_lstm_gates(...) ps_lstm_gates_at(PS_HERE, __VA_ARGS__)

/* masked_fill(x, mask: mask, value: scalar)
 * x with a value where the mask is true. */
static inline ps_status ps_masked_fill_at(uint64_t location, ps_arg x, ps_arg mask, ps_arg value, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = mask;
    args[2] = value;
    return ps_ops_call(&op, "masked_fill", args, 3, location, result);
}
static inline ps_status ps_masked_fill(ps_arg x, ps_arg mask, ps_arg value, ps_tensor **result)
{
    return ps_masked_fill_at(0, x, mask, value, result);
}
#define ps_masked_fill(...) ps_masked_fill_at(PS_HERE, __VA_ARGS__)

/* masked_put(x, mask: mask, values: tensor or number)
 * x with values where the mask is true: one for all, or one for each in order. With x as the output it is changed in place. A wrong number of values is found while running. */
static inline ps_status ps_masked_put_at(uint64_t location, ps_arg x, ps_arg mask, ps_arg values, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = mask;
    args[2] = values;
    return ps_ops_call(&op, "masked_put", args, 3, location, result);
}
static inline ps_status ps_masked_put(ps_arg x, ps_arg mask, ps_arg values, ps_tensor **result)
{
    return ps_masked_put_at(0, x, mask, values, result);
}
#define ps_masked_put(...) ps_masked_put_at(PS_HERE, __VA_ARGS__)

/* masked_select(x, mask: mask)
 * The elements where the mask is true, in one dimension. Waits for the mask. */
static inline ps_status ps_masked_select_at(uint64_t location, ps_arg x, ps_arg mask, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = mask;
    return ps_ops_call(&op, "masked_select", args, 2, location, result);
}
static inline ps_status ps_masked_select(ps_arg x, ps_arg mask, ps_tensor **result)
{
    return ps_masked_select_at(0, x, mask, result);
}
#define ps_masked_select(...) ps_masked_select_at(PS_HERE, __VA_ARGS__)

/* matmul(x1, x2, transpose1: bool = false, transpose2: bool = false, bias: tensor = none, activation: choice(relu) = none)
 * Matrix product of the last two dimensions, the others broadcast; then bias is added and the activation (relu) applied. */
static inline ps_status ps_matmul_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[6];
    args[0] = x1;
    args[1] = x2;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "matmul", args, 6, location, result);
}
static inline ps_status ps_matmul(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_matmul_at(0, x1, x2, result);
}
#define ps_matmul(...) ps_matmul_at(PS_HERE, __VA_ARGS__)

typedef struct ps_matmul_options {
    ps_arg transpose1; /* false */
    ps_arg transpose2; /* false */
    ps_arg bias; /* none */
    ps_arg activation; /* none */
} ps_matmul_options;

static inline ps_status ps_matmul_with_at(uint64_t location, ps_arg x1, ps_arg x2, const ps_matmul_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[6];
    args[0] = x1;
    args[1] = x2;
    args[2] = options->transpose1;
    args[3] = options->transpose2;
    args[4] = options->bias;
    args[5] = options->activation;
    return ps_ops_call(&op, "matmul", args, 6, location, result);
}
static inline ps_status ps_matmul_with(ps_arg x1, ps_arg x2, const ps_matmul_options *options, ps_tensor **result)
{
    return ps_matmul_with_at(0, x1, x2, options, result);
}
#define ps_matmul_with(...) ps_matmul_with_at(PS_HERE, __VA_ARGS__)

/* matrix_norm(x, ord: float = none, keepdims: bool = false)
 * A norm of the matrices in the last two dimensions: the largest sum of a column (ord 1) or row (inf), the smallest (-1, -inf), or if none is given the square root of the sum of squares. */
static inline ps_status ps_matrix_norm_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "matrix_norm", args, 3, location, result);
}
static inline ps_status ps_matrix_norm(ps_arg x, ps_tensor **result)
{
    return ps_matrix_norm_at(0, x, result);
}
#define ps_matrix_norm(...) ps_matrix_norm_at(PS_HERE, __VA_ARGS__)

typedef struct ps_matrix_norm_options {
    ps_arg ord; /* none */
    ps_arg keepdims; /* false */
} ps_matrix_norm_options;

static inline ps_status ps_matrix_norm_with_at(uint64_t location, ps_arg x, const ps_matrix_norm_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->ord;
    args[2] = options->keepdims;
    return ps_ops_call(&op, "matrix_norm", args, 3, location, result);
}
static inline ps_status ps_matrix_norm_with(ps_arg x, const ps_matrix_norm_options *options, ps_tensor **result)
{
    return ps_matrix_norm_with_at(0, x, options, result);
}
#define ps_matrix_norm_with(...) ps_matrix_norm_with_at(PS_HERE, __VA_ARGS__)

/* matrix_power(x, power: int)
 * The product of so many copies of the square matrices in the last two dimensions. */
static inline ps_status ps_matrix_power_at(uint64_t location, ps_arg x, ps_arg power, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = power;
    return ps_ops_call(&op, "matrix_power", args, 2, location, result);
}
static inline ps_status ps_matrix_power(ps_arg x, ps_arg power, ps_tensor **result)
{
    return ps_matrix_power_at(0, x, power, result);
}
#define ps_matrix_power(...) ps_matrix_power_at(PS_HERE, __VA_ARGS__)

/* max(x, axis: axes = none, keepdims: bool = false)
 * Largest element over the axes; NaN if there is one. */
static inline ps_status ps_max_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "max", args, 3, location, result);
}
static inline ps_status ps_max(ps_arg x, ps_tensor **result)
{
    return ps_max_at(0, x, result);
}
#define ps_max(...) ps_max_at(PS_HERE, __VA_ARGS__)

typedef struct ps_max_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
} ps_max_options;

static inline ps_status ps_max_with_at(uint64_t location, ps_arg x, const ps_max_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    return ps_ops_call(&op, "max", args, 3, location, result);
}
static inline ps_status ps_max_with(ps_arg x, const ps_max_options *options, ps_tensor **result)
{
    return ps_max_with_at(0, x, options, result);
}
#define ps_max_with(...) ps_max_with_at(PS_HERE, __VA_ARGS__)

/* max_pool2d(x, kernel: ints, stride: ints = none, padding: ints = none, ceil_mode: bool = false, layout: choice(NCHW NHWC) = none)
 * The largest element of each window of each channel; NaN if there is one. Windows are as far apart as they are long unless a stride is given. With ceil_mode the last one may reach beyond the padding, if it begins before it. */
static inline ps_status ps_max_pool2d_at(uint64_t location, ps_arg x, ps_arg kernel, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[6];
    args[0] = x;
    args[1] = kernel;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "max_pool2d", args, 6, location, result);
}
static inline ps_status ps_max_pool2d(ps_arg x, ps_arg kernel, ps_tensor **result)
{
    return ps_max_pool2d_at(0, x, kernel, result);
}
#define ps_max_pool2d(...) ps_max_pool2d_at(PS_HERE, __VA_ARGS__)

typedef struct ps_max_pool2d_options {
    ps_arg stride; /* none */
    ps_arg padding; /* none */
    ps_arg ceil_mode; /* false */
    ps_arg layout; /* none */
} ps_max_pool2d_options;

static inline ps_status ps_max_pool2d_with_at(uint64_t location, ps_arg x, ps_arg kernel, const ps_max_pool2d_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[6];
    args[0] = x;
    args[1] = kernel;
    args[2] = options->stride;
    args[3] = options->padding;
    args[4] = options->ceil_mode;
    args[5] = options->layout;
    return ps_ops_call(&op, "max_pool2d", args, 6, location, result);
}
static inline ps_status ps_max_pool2d_with(ps_arg x, ps_arg kernel, const ps_max_pool2d_options *options, ps_tensor **result)
{
    return ps_max_pool2d_with_at(0, x, kernel, options, result);
}
#define ps_max_pool2d_with(...) ps_max_pool2d_with_at(PS_HERE, __VA_ARGS__)

/* max_pool2d_data(dy, x, kernel: ints, stride: ints = none, padding: ints = none, ceil_mode: bool = false, layout: choice(NCHW NHWC) = none)
 * What flows back through max_pool2d to x, if dy flows to the result: to the first largest element of each window. */
static inline ps_status ps_max_pool2d_data_at(uint64_t location, ps_arg dy, ps_arg x, ps_arg kernel, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[7];
    args[0] = dy;
    args[1] = x;
    args[2] = kernel;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "max_pool2d_data", args, 7, location, result);
}
static inline ps_status ps_max_pool2d_data(ps_arg dy, ps_arg x, ps_arg kernel, ps_tensor **result)
{
    return ps_max_pool2d_data_at(0, dy, x, kernel, result);
}
#define ps_max_pool2d_data(...) ps_max_pool2d_data_at(PS_HERE, __VA_ARGS__)

typedef struct ps_max_pool2d_data_options {
    ps_arg stride; /* none */
    ps_arg padding; /* none */
    ps_arg ceil_mode; /* false */
    ps_arg layout; /* none */
} ps_max_pool2d_data_options;

static inline ps_status ps_max_pool2d_data_with_at(uint64_t location, ps_arg dy, ps_arg x, ps_arg kernel, const ps_max_pool2d_data_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[7];
    args[0] = dy;
    args[1] = x;
    args[2] = kernel;
    args[3] = options->stride;
    args[4] = options->padding;
    args[5] = options->ceil_mode;
    args[6] = options->layout;
    return ps_ops_call(&op, "max_pool2d_data", args, 7, location, result);
}
static inline ps_status ps_max_pool2d_data_with(ps_arg dy, ps_arg x, ps_arg kernel, const ps_max_pool2d_data_options *options, ps_tensor **result)
{
    return ps_max_pool2d_data_with_at(0, dy, x, kernel, options, result);
}
#define ps_max_pool2d_data_with(...) ps_max_pool2d_data_with_at(PS_HERE, __VA_ARGS__)

/* max_pool2d_pick(z, x, kernel: ints, stride: ints = none, padding: ints = none, ceil_mode: bool = false, layout: choice(NCHW NHWC) = none)
 * Of each window the element of z that is where x has its first largest element. */
static inline ps_status ps_max_pool2d_pick_at(uint64_t location, ps_arg z, ps_arg x, ps_arg kernel, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[7];
    args[0] = z;
    args[1] = x;
    args[2] = kernel;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "max_pool2d_pick", args, 7, location, result);
}
static inline ps_status ps_max_pool2d_pick(ps_arg z, ps_arg x, ps_arg kernel, ps_tensor **result)
{
    return ps_max_pool2d_pick_at(0, z, x, kernel, result);
}
#define ps_max_pool2d_pick(...) ps_max_pool2d_pick_at(PS_HERE, __VA_ARGS__)

typedef struct ps_max_pool2d_pick_options {
    ps_arg stride; /* none */
    ps_arg padding; /* none */
    ps_arg ceil_mode; /* false */
    ps_arg layout; /* none */
} ps_max_pool2d_pick_options;

static inline ps_status ps_max_pool2d_pick_with_at(uint64_t location, ps_arg z, ps_arg x, ps_arg kernel, const ps_max_pool2d_pick_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[7];
    args[0] = z;
    args[1] = x;
    args[2] = kernel;
    args[3] = options->stride;
    args[4] = options->padding;
    args[5] = options->ceil_mode;
    args[6] = options->layout;
    return ps_ops_call(&op, "max_pool2d_pick", args, 7, location, result);
}
static inline ps_status ps_max_pool2d_pick_with(ps_arg z, ps_arg x, ps_arg kernel, const ps_max_pool2d_pick_options *options, ps_tensor **result)
{
    return ps_max_pool2d_pick_with_at(0, z, x, kernel, options, result);
}
#define ps_max_pool2d_pick_with(...) ps_max_pool2d_pick_with_at(PS_HERE, __VA_ARGS__)

/* maximum(x1, x2)
 * The larger operand; NaN if either is NaN. */
static inline ps_status ps_maximum_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "maximum", args, 2, location, result);
}
static inline ps_status ps_maximum(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_maximum_at(0, x1, x2, result);
}
#define ps_maximum(...) ps_maximum_at(PS_HERE, __VA_ARGS__)

/* mean(x, axis: axes = none, keepdims: bool = false)
 * Mean over the axes; integers as float32. */
static inline ps_status ps_mean_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "mean", args, 3, location, result);
}
static inline ps_status ps_mean(ps_arg x, ps_tensor **result)
{
    return ps_mean_at(0, x, result);
}
#define ps_mean(...) ps_mean_at(PS_HERE, __VA_ARGS__)

typedef struct ps_mean_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
} ps_mean_options;

static inline ps_status ps_mean_with_at(uint64_t location, ps_arg x, const ps_mean_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    return ps_ops_call(&op, "mean", args, 3, location, result);
}
static inline ps_status ps_mean_with(ps_arg x, const ps_mean_options *options, ps_tensor **result)
{
    return ps_mean_with_at(0, x, options, result);
}
#define ps_mean_with(...) ps_mean_with_at(PS_HERE, __VA_ARGS__)

/* min(x, axis: axes = none, keepdims: bool = false)
 * Smallest element over the axes; NaN if there is one. */
static inline ps_status ps_min_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "min", args, 3, location, result);
}
static inline ps_status ps_min(ps_arg x, ps_tensor **result)
{
    return ps_min_at(0, x, result);
}
#define ps_min(...) ps_min_at(PS_HERE, __VA_ARGS__)

typedef struct ps_min_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
} ps_min_options;

static inline ps_status ps_min_with_at(uint64_t location, ps_arg x, const ps_min_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    return ps_ops_call(&op, "min", args, 3, location, result);
}
static inline ps_status ps_min_with(ps_arg x, const ps_min_options *options, ps_tensor **result)
{
    return ps_min_with_at(0, x, options, result);
}
#define ps_min_with(...) ps_min_with_at(PS_HERE, __VA_ARGS__)

/* minimum(x1, x2)
 * The smaller operand; NaN if either is NaN. */
static inline ps_status ps_minimum_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "minimum", args, 2, location, result);
}
static inline ps_status ps_minimum(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_minimum_at(0, x1, x2, result);
}
#define ps_minimum(...) ps_minimum_at(PS_HERE, __VA_ARGS__)

/* mish(x)
 * x * tanh(softplus(x)). */
static inline ps_status ps_mish_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "mish", args, 1, location, result);
}
static inline ps_status ps_mish(ps_arg x, ps_tensor **result)
{
    return ps_mish_at(0, x, result);
}
#define ps_mish(...) ps_mish_at(PS_HERE, __VA_ARGS__)

/* modulo(x1, x2)
 * As remainder, but 0 where the divisor is 0. */
static inline ps_status ps_modulo_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "modulo", args, 2, location, result);
}
static inline ps_status ps_modulo(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_modulo_at(0, x1, x2, result);
}
#define ps_modulo(...) ps_modulo_at(PS_HERE, __VA_ARGS__)

/* momentum_update(w, m, g, rate, momentum: tensor or number = 0.9, factor: tensor or number = 1.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
 * Gradient descent with momentum: h = clip(rescale * g, -clip, clip) + decay * w; m = momentum * m + factor * h; w - rate * m. The learning rate is `rate`, outside of the momentum, or `factor`, inside of it.
 * results has room for 2 tensors */
static inline ps_status ps_momentum_update_at(uint64_t location, ps_arg w, ps_arg m, ps_arg g, ps_arg rate, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[9];
    args[0] = w;
    args[1] = m;
    args[2] = g;
    args[3] = rate;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    args[8].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "momentum_update", args, 9, location, results, 2);
}
static inline ps_status ps_momentum_update(ps_arg w, ps_arg m, ps_arg g, ps_arg rate, ps_tensor **results)
{
    return ps_momentum_update_at(0, w, m, g, rate, results);
}
#define ps_momentum_update(...) ps_momentum_update_at(PS_HERE, __VA_ARGS__)

typedef struct ps_momentum_update_options {
    ps_arg momentum; /* 0.9 */
    ps_arg factor; /* 1.0 */
    ps_arg rescale; /* 1.0 */
    ps_arg clip; /* inf */
    ps_arg decay; /* 0.0 */
} ps_momentum_update_options;

static inline ps_status ps_momentum_update_with_at(uint64_t location, ps_arg w, ps_arg m, ps_arg g, ps_arg rate, const ps_momentum_update_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[9];
    args[0] = w;
    args[1] = m;
    args[2] = g;
    args[3] = rate;
    args[4] = options->momentum;
    args[5] = options->factor;
    args[6] = options->rescale;
    args[7] = options->clip;
    args[8] = options->decay;
    return ps_ops_call_several(&op, "momentum_update", args, 9, location, results, 2);
}
static inline ps_status ps_momentum_update_with(ps_arg w, ps_arg m, ps_arg g, ps_arg rate, const ps_momentum_update_options *options, ps_tensor **results)
{
    return ps_momentum_update_with_at(0, w, m, g, rate, options, results);
}
#define ps_momentum_update_with(...) ps_momentum_update_with_at(PS_HERE, __VA_ARGS__)

/* moveaxis(x, source: axes, destination: axes)
 * A view with dimensions moved to other places; the others keep their order. */
static inline ps_status ps_moveaxis_at(uint64_t location, ps_arg x, ps_arg source, ps_arg destination, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = source;
    args[2] = destination;
    return ps_ops_call(&op, "moveaxis", args, 3, location, result);
}
static inline ps_status ps_moveaxis(ps_arg x, ps_arg source, ps_arg destination, ps_tensor **result)
{
    return ps_moveaxis_at(0, x, source, destination, result);
}
#define ps_moveaxis(...) ps_moveaxis_at(PS_HERE, __VA_ARGS__)

/* msra_prelu(shape: ints, factor: choice(avg in out) = none, slope: float = 0.25, dtype: dtype = float32, generator: generator = none)
 * Normal numbers for a parameter before a leaky relu of that slope: as xavier with a magnitude of 2 / (1 + slope * slope). */
static inline ps_status ps_msra_prelu_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "msra_prelu", args, 5, location, result);
}
static inline ps_status ps_msra_prelu(ps_arg shape, ps_tensor **result)
{
    return ps_msra_prelu_at(0, shape, result);
}
#define ps_msra_prelu(...) ps_msra_prelu_at(PS_HERE, __VA_ARGS__)

typedef struct ps_msra_prelu_options {
    ps_arg factor; /* none */
    ps_arg slope; /* 0.25 */
    ps_arg dtype; /* float32 */
    ps_arg generator; /* none */
} ps_msra_prelu_options;

static inline ps_status ps_msra_prelu_with_at(uint64_t location, ps_arg shape, const ps_msra_prelu_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1] = options->factor;
    args[2] = options->slope;
    args[3] = options->dtype;
    args[4] = options->generator;
    return ps_ops_call(&op, "msra_prelu", args, 5, location, result);
}
static inline ps_status ps_msra_prelu_with(ps_arg shape, const ps_msra_prelu_options *options, ps_tensor **result)
{
    return ps_msra_prelu_with_at(0, shape, options, result);
}
#define ps_msra_prelu_with(...) ps_msra_prelu_with_at(PS_HERE, __VA_ARGS__)

/* multiply(x1, x2)
 * Product of the operands. */
static inline ps_status ps_multiply_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "multiply", args, 2, location, result);
}
static inline ps_status ps_multiply(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_multiply_at(0, x1, x2, result);
}
#define ps_multiply(...) ps_multiply_at(PS_HERE, __VA_ARGS__)

/* nan_to_num(x, nan: scalar = 0.0, posinf: scalar = none, neginf: scalar = none)
 * x with numbers in the place of NaN and infinities: if none is given 0, and the largest and smallest number of the type. */
static inline ps_status ps_nan_to_num_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "nan_to_num", args, 4, location, result);
}
static inline ps_status ps_nan_to_num(ps_arg x, ps_tensor **result)
{
    return ps_nan_to_num_at(0, x, result);
}
#define ps_nan_to_num(...) ps_nan_to_num_at(PS_HERE, __VA_ARGS__)

typedef struct ps_nan_to_num_options {
    ps_arg nan; /* 0.0 */
    ps_arg posinf; /* none */
    ps_arg neginf; /* none */
} ps_nan_to_num_options;

static inline ps_status ps_nan_to_num_with_at(uint64_t location, ps_arg x, const ps_nan_to_num_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->nan;
    args[2] = options->posinf;
    args[3] = options->neginf;
    return ps_ops_call(&op, "nan_to_num", args, 4, location, result);
}
static inline ps_status ps_nan_to_num_with(ps_arg x, const ps_nan_to_num_options *options, ps_tensor **result)
{
    return ps_nan_to_num_with_at(0, x, options, result);
}
#define ps_nan_to_num_with(...) ps_nan_to_num_with_at(PS_HERE, __VA_ARGS__)

/* negative(x)
 * The operand with its sign changed. */
static inline ps_status ps_negative_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "negative", args, 1, location, result);
}
static inline ps_status ps_negative(ps_arg x, ps_tensor **result)
{
    return ps_negative_at(0, x, result);
}
#define ps_negative(...) ps_negative_at(PS_HERE, __VA_ARGS__)

/* nesterov_update(w, m, g, rate, momentum: tensor or number = 0.9, factor: tensor or number = 1.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
 * As momentum_update, a step ahead: h = clip(rescale * g, -clip, clip) + decay * w; m = momentum * m + factor * h; w - rate * (momentum * m + factor * h).
 * results has room for 2 tensors */
static inline ps_status ps_nesterov_update_at(uint64_t location, ps_arg w, ps_arg m, ps_arg g, ps_arg rate, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[9];
    args[0] = w;
    args[1] = m;
    args[2] = g;
    args[3] = rate;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    args[8].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "nesterov_update", args, 9, location, results, 2);
}
static inline ps_status ps_nesterov_update(ps_arg w, ps_arg m, ps_arg g, ps_arg rate, ps_tensor **results)
{
    return ps_nesterov_update_at(0, w, m, g, rate, results);
}
#define ps_nesterov_update(...) ps_nesterov_update_at(PS_HERE, __VA_ARGS__)

typedef struct ps_nesterov_update_options {
    ps_arg momentum; /* 0.9 */
    ps_arg factor; /* 1.0 */
    ps_arg rescale; /* 1.0 */
    ps_arg clip; /* inf */
    ps_arg decay; /* 0.0 */
} ps_nesterov_update_options;

static inline ps_status ps_nesterov_update_with_at(uint64_t location, ps_arg w, ps_arg m, ps_arg g, ps_arg rate, const ps_nesterov_update_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[9];
    args[0] = w;
    args[1] = m;
    args[2] = g;
    args[3] = rate;
    args[4] = options->momentum;
    args[5] = options->factor;
    args[6] = options->rescale;
    args[7] = options->clip;
    args[8] = options->decay;
    return ps_ops_call_several(&op, "nesterov_update", args, 9, location, results, 2);
}
static inline ps_status ps_nesterov_update_with(ps_arg w, ps_arg m, ps_arg g, ps_arg rate, const ps_nesterov_update_options *options, ps_tensor **results)
{
    return ps_nesterov_update_with_at(0, w, m, g, rate, options, results);
}
#define ps_nesterov_update_with(...) ps_nesterov_update_with_at(PS_HERE, __VA_ARGS__)

/* nextafter(x1, x2)
 * The next number after the first operand toward the second. */
static inline ps_status ps_nextafter_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "nextafter", args, 2, location, result);
}
static inline ps_status ps_nextafter(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_nextafter_at(0, x1, x2, result);
}
#define ps_nextafter(...) ps_nextafter_at(PS_HERE, __VA_ARGS__)

/* nonzero(x)
 * Positions of the elements that are not 0, one row for each. Waits for x. */
static inline ps_status ps_nonzero_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "nonzero", args, 1, location, result);
}
static inline ps_status ps_nonzero(ps_arg x, ps_tensor **result)
{
    return ps_nonzero_at(0, x, result);
}
#define ps_nonzero(...) ps_nonzero_at(PS_HERE, __VA_ARGS__)

/* norm(x, axis: axes = none, keepdims: bool = false)
 * Square root of the sum of squared absolute values. */
static inline ps_status ps_norm_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "norm", args, 3, location, result);
}
static inline ps_status ps_norm(ps_arg x, ps_tensor **result)
{
    return ps_norm_at(0, x, result);
}
#define ps_norm(...) ps_norm_at(PS_HERE, __VA_ARGS__)

typedef struct ps_norm_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
} ps_norm_options;

static inline ps_status ps_norm_with_at(uint64_t location, ps_arg x, const ps_norm_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    return ps_ops_call(&op, "norm", args, 3, location, result);
}
static inline ps_status ps_norm_with(ps_arg x, const ps_norm_options *options, ps_tensor **result)
{
    return ps_norm_with_at(0, x, options, result);
}
#define ps_norm_with(...) ps_norm_with_at(PS_HERE, __VA_ARGS__)

/* not_equal(x1, x2)
 * Whether the operands differ. */
static inline ps_status ps_not_equal_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "not_equal", args, 2, location, result);
}
static inline ps_status ps_not_equal(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_not_equal_at(0, x1, x2, result);
}
#define ps_not_equal(...) ps_not_equal_at(PS_HERE, __VA_ARGS__)

/* one_hot(x: positions, count: int, axis: axis = -1, dtype: dtype = float32)
 * 1 at the place that each integer names along a new axis of that length, else 0. */
static inline ps_status ps_one_hot_at(uint64_t location, ps_arg x, ps_arg count, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = count;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "one_hot", args, 4, location, result);
}
static inline ps_status ps_one_hot(ps_arg x, ps_arg count, ps_tensor **result)
{
    return ps_one_hot_at(0, x, count, result);
}
#define ps_one_hot(...) ps_one_hot_at(PS_HERE, __VA_ARGS__)

typedef struct ps_one_hot_options {
    ps_arg axis; /* -1 */
    ps_arg dtype; /* float32 */
} ps_one_hot_options;

static inline ps_status ps_one_hot_with_at(uint64_t location, ps_arg x, ps_arg count, const ps_one_hot_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = count;
    args[2] = options->axis;
    args[3] = options->dtype;
    return ps_ops_call(&op, "one_hot", args, 4, location, result);
}
static inline ps_status ps_one_hot_with(ps_arg x, ps_arg count, const ps_one_hot_options *options, ps_tensor **result)
{
    return ps_one_hot_with_at(0, x, count, options, result);
}
#define ps_one_hot_with(...) ps_one_hot_with_at(PS_HERE, __VA_ARGS__)

/* ones(shape: ints, dtype: dtype = float32)
 * All elements 1. */
static inline ps_status ps_ones_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "ones", args, 2, location, result);
}
static inline ps_status ps_ones(ps_arg shape, ps_tensor **result)
{
    return ps_ones_at(0, shape, result);
}
#define ps_ones(...) ps_ones_at(PS_HERE, __VA_ARGS__)

typedef struct ps_ones_options {
    ps_arg dtype; /* float32 */
} ps_ones_options;

static inline ps_status ps_ones_with_at(uint64_t location, ps_arg shape, const ps_ones_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = shape;
    args[1] = options->dtype;
    return ps_ops_call(&op, "ones", args, 2, location, result);
}
static inline ps_status ps_ones_with(ps_arg shape, const ps_ones_options *options, ps_tensor **result)
{
    return ps_ones_with_at(0, shape, options, result);
}
#define ps_ones_with(...) ps_ones_with_at(PS_HERE, __VA_ARGS__)

/* orthogonal(shape: ints, scale: float = 1.414, dtype: dtype = float32, generator: generator = none)
 * scale times a random matrix whose rows, or columns if these are fewer, are orthogonal and have length 1; dimensions behind the first count as columns. All such matrices are equally likely. */
static inline ps_status ps_orthogonal_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "orthogonal", args, 4, location, result);
}
static inline ps_status ps_orthogonal(ps_arg shape, ps_tensor **result)
{
    return ps_orthogonal_at(0, shape, result);
}
#define ps_orthogonal(...) ps_orthogonal_at(PS_HERE, __VA_ARGS__)

typedef struct ps_orthogonal_options {
    ps_arg scale; /* 1.414 */
    ps_arg dtype; /* float32 */
    ps_arg generator; /* none */
} ps_orthogonal_options;

static inline ps_status ps_orthogonal_with_at(uint64_t location, ps_arg shape, const ps_orthogonal_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = shape;
    args[1] = options->scale;
    args[2] = options->dtype;
    args[3] = options->generator;
    return ps_ops_call(&op, "orthogonal", args, 4, location, result);
}
static inline ps_status ps_orthogonal_with(ps_arg shape, const ps_orthogonal_options *options, ps_tensor **result)
{
    return ps_orthogonal_with_at(0, shape, options, result);
}
#define ps_orthogonal_with(...) ps_orthogonal_with_at(PS_HERE, __VA_ARGS__)

/* outer(x1, x2)
 * All products of an element of x1 and one of x2, as a matrix. */
static inline ps_status ps_outer_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "outer", args, 2, location, result);
}
static inline ps_status ps_outer(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_outer_at(0, x1, x2, result);
}
#define ps_outer(...) ps_outer_at(PS_HERE, __VA_ARGS__)

/* pad(x, before: ints, after: ints, value: scalar = 0, mode: choice(constant edge reflect symmetric wrap) = none)
 * Elements added before and after along each dimension: of a value (mode constant, also if none is given), or those of x: the outermost one (edge), from the other end (wrap), or backwards with the outermost one again (symmetric) or without (reflect). */
static inline ps_status ps_pad_at(uint64_t location, ps_arg x, ps_arg before, ps_arg after, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = before;
    args[2] = after;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "pad", args, 5, location, result);
}
static inline ps_status ps_pad(ps_arg x, ps_arg before, ps_arg after, ps_tensor **result)
{
    return ps_pad_at(0, x, before, after, result);
}
#define ps_pad(...) ps_pad_at(PS_HERE, __VA_ARGS__)

typedef struct ps_pad_options {
    ps_arg value; /* 0 */
    ps_arg mode; /* none */
} ps_pad_options;

static inline ps_status ps_pad_with_at(uint64_t location, ps_arg x, ps_arg before, ps_arg after, const ps_pad_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = before;
    args[2] = after;
    args[3] = options->value;
    args[4] = options->mode;
    return ps_ops_call(&op, "pad", args, 5, location, result);
}
static inline ps_status ps_pad_with(ps_arg x, ps_arg before, ps_arg after, const ps_pad_options *options, ps_tensor **result)
{
    return ps_pad_with_at(0, x, before, after, options, result);
}
#define ps_pad_with(...) ps_pad_with_at(PS_HERE, __VA_ARGS__)

/* permute(x, axes: axes = none)
 * A view with the dimensions in another order; reversed if none is given. */
static inline ps_status ps_permute_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "permute", args, 2, location, result);
}
static inline ps_status ps_permute(ps_arg x, ps_tensor **result)
{
    return ps_permute_at(0, x, result);
}
#define ps_permute(...) ps_permute_at(PS_HERE, __VA_ARGS__)

typedef struct ps_permute_options {
    ps_arg axes; /* none */
} ps_permute_options;

static inline ps_status ps_permute_with_at(uint64_t location, ps_arg x, const ps_permute_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->axes;
    return ps_ops_call(&op, "permute", args, 2, location, result);
}
static inline ps_status ps_permute_with(ps_arg x, const ps_permute_options *options, ps_tensor **result)
{
    return ps_permute_with_at(0, x, options, result);
}
#define ps_permute_with(...) ps_permute_with_at(PS_HERE, __VA_ARGS__)

/* pick(x, index: positions, axis: axis = -1, keepdims: bool = false, mode: choice(clip wrap) = none)
 * For each line along the axis the element at its position. A position out of range is found while running, or is the nearest one (mode clip), or counts on from the other end (wrap). */
static inline ps_status ps_pick_at(uint64_t location, ps_arg x, ps_arg index, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = index;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "pick", args, 5, location, result);
}
static inline ps_status ps_pick(ps_arg x, ps_arg index, ps_tensor **result)
{
    return ps_pick_at(0, x, index, result);
}
#define ps_pick(...) ps_pick_at(PS_HERE, __VA_ARGS__)

typedef struct ps_pick_options {
    ps_arg axis; /* -1 */
    ps_arg keepdims; /* false */
    ps_arg mode; /* none */
} ps_pick_options;

static inline ps_status ps_pick_with_at(uint64_t location, ps_arg x, ps_arg index, const ps_pick_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = index;
    args[2] = options->axis;
    args[3] = options->keepdims;
    args[4] = options->mode;
    return ps_ops_call(&op, "pick", args, 5, location, result);
}
static inline ps_status ps_pick_with(ps_arg x, ps_arg index, const ps_pick_options *options, ps_tensor **result)
{
    return ps_pick_with_at(0, x, index, options, result);
}
#define ps_pick_with(...) ps_pick_with_at(PS_HERE, __VA_ARGS__)

/* positive(x)
 * The operand itself, as a new tensor. */
static inline ps_status ps_positive_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "positive", args, 1, location, result);
}
static inline ps_status ps_positive(ps_arg x, ps_tensor **result)
{
    return ps_positive_at(0, x, result);
}
#define ps_positive(...) ps_positive_at(PS_HERE, __VA_ARGS__)

/* pow(x1, x2)
 * The first operand raised to the power of the second. */
static inline ps_status ps_pow_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "pow", args, 2, location, result);
}
static inline ps_status ps_pow(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_pow_at(0, x1, x2, result);
}
#define ps_pow(...) ps_pow_at(PS_HERE, __VA_ARGS__)

/* prod(x, axis: axes = none, keepdims: bool = false, dtype: dtype = none)
 * Product over the axes; small integers and bool multiply as int64 or uint64. */
static inline ps_status ps_prod_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "prod", args, 4, location, result);
}
static inline ps_status ps_prod(ps_arg x, ps_tensor **result)
{
    return ps_prod_at(0, x, result);
}
#define ps_prod(...) ps_prod_at(PS_HERE, __VA_ARGS__)

typedef struct ps_prod_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
    ps_arg dtype; /* none */
} ps_prod_options;

static inline ps_status ps_prod_with_at(uint64_t location, ps_arg x, const ps_prod_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    args[3] = options->dtype;
    return ps_ops_call(&op, "prod", args, 4, location, result);
}
static inline ps_status ps_prod_with(ps_arg x, const ps_prod_options *options, ps_tensor **result)
{
    return ps_prod_with_at(0, x, options, result);
}
#define ps_prod_with(...) ps_prod_with_at(PS_HERE, __VA_ARGS__)

/* ptp(x, axis: axes = none, keepdims: bool = false)
 * The largest element minus the smallest, over the axes. */
static inline ps_status ps_ptp_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "ptp", args, 3, location, result);
}
static inline ps_status ps_ptp(ps_arg x, ps_tensor **result)
{
    return ps_ptp_at(0, x, result);
}
#define ps_ptp(...) ps_ptp_at(PS_HERE, __VA_ARGS__)

typedef struct ps_ptp_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
} ps_ptp_options;

static inline ps_status ps_ptp_with_at(uint64_t location, ps_arg x, const ps_ptp_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    return ps_ops_call(&op, "ptp", args, 3, location, result);
}
static inline ps_status ps_ptp_with(ps_arg x, const ps_ptp_options *options, ps_tensor **result)
{
    return ps_ptp_with_at(0, x, options, result);
}
#define ps_ptp_with(...) ps_ptp_with_at(PS_HERE, __VA_ARGS__)

/* put(x, indices: positions or number, values: tensor or number, accumulate: bool = false, axis: axis = none)
 * x with values, broadcast, at integer positions of its elements, or of slices along the axis. Of equal positions the last counts; with accumulate all are added, in order. With x as the output it is changed in place. A position out of range is found while running. */
static inline ps_status ps_put_at(uint64_t location, ps_arg x, ps_arg indices, ps_arg values, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = indices;
    args[2] = values;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "put", args, 5, location, result);
}
static inline ps_status ps_put(ps_arg x, ps_arg indices, ps_arg values, ps_tensor **result)
{
    return ps_put_at(0, x, indices, values, result);
}
#define ps_put(...) ps_put_at(PS_HERE, __VA_ARGS__)

typedef struct ps_put_options {
    ps_arg accumulate; /* false */
    ps_arg axis; /* none */
} ps_put_options;

static inline ps_status ps_put_with_at(uint64_t location, ps_arg x, ps_arg indices, ps_arg values, const ps_put_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = indices;
    args[2] = values;
    args[3] = options->accumulate;
    args[4] = options->axis;
    return ps_ops_call(&op, "put", args, 5, location, result);
}
static inline ps_status ps_put_with(ps_arg x, ps_arg indices, ps_arg values, const ps_put_options *options, ps_tensor **result)
{
    return ps_put_with_at(0, x, indices, values, options, result);
}
#define ps_put_with(...) ps_put_with_at(PS_HERE, __VA_ARGS__)

/* random_bernoulli(shape: ints, p: float = 0.5, generator: generator = none)
 * True with probability p. */
static inline ps_status ps_random_bernoulli_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "random_bernoulli", args, 3, location, result);
}
static inline ps_status ps_random_bernoulli(ps_arg shape, ps_tensor **result)
{
    return ps_random_bernoulli_at(0, shape, result);
}
#define ps_random_bernoulli(...) ps_random_bernoulli_at(PS_HERE, __VA_ARGS__)

typedef struct ps_random_bernoulli_options {
    ps_arg p; /* 0.5 */
    ps_arg generator; /* none */
} ps_random_bernoulli_options;

static inline ps_status ps_random_bernoulli_with_at(uint64_t location, ps_arg shape, const ps_random_bernoulli_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = shape;
    args[1] = options->p;
    args[2] = options->generator;
    return ps_ops_call(&op, "random_bernoulli", args, 3, location, result);
}
static inline ps_status ps_random_bernoulli_with(ps_arg shape, const ps_random_bernoulli_options *options, ps_tensor **result)
{
    return ps_random_bernoulli_with_at(0, shape, options, result);
}
#define ps_random_bernoulli_with(...) ps_random_bernoulli_with_at(PS_HERE, __VA_ARGS__)

/* random_choice(shape: ints, count: int, replace: bool = true, p: tensor = none, generator: generator = none)
 * Positions of 0 .. count - 1, equally likely or as p says relative to its sum; without replace each at most once. */
static inline ps_status ps_random_choice_at(uint64_t location, ps_arg shape, ps_arg count, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1] = count;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "random_choice", args, 5, location, result);
}
static inline ps_status ps_random_choice(ps_arg shape, ps_arg count, ps_tensor **result)
{
    return ps_random_choice_at(0, shape, count, result);
}
#define ps_random_choice(...) ps_random_choice_at(PS_HERE, __VA_ARGS__)

typedef struct ps_random_choice_options {
    ps_arg replace; /* true */
    ps_arg p; /* none */
    ps_arg generator; /* none */
} ps_random_choice_options;

static inline ps_status ps_random_choice_with_at(uint64_t location, ps_arg shape, ps_arg count, const ps_random_choice_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1] = count;
    args[2] = options->replace;
    args[3] = options->p;
    args[4] = options->generator;
    return ps_ops_call(&op, "random_choice", args, 5, location, result);
}
static inline ps_status ps_random_choice_with(ps_arg shape, ps_arg count, const ps_random_choice_options *options, ps_tensor **result)
{
    return ps_random_choice_with_at(0, shape, count, options, result);
}
#define ps_random_choice_with(...) ps_random_choice_with_at(PS_HERE, __VA_ARGS__)

/* random_exponential(shape: ints, scale: float = 1.0, dtype: dtype = float32, generator: generator = none)
 * Numbers above 0 of the exponential distribution with mean scale. */
static inline ps_status ps_random_exponential_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "random_exponential", args, 4, location, result);
}
static inline ps_status ps_random_exponential(ps_arg shape, ps_tensor **result)
{
    return ps_random_exponential_at(0, shape, result);
}
#define ps_random_exponential(...) ps_random_exponential_at(PS_HERE, __VA_ARGS__)

typedef struct ps_random_exponential_options {
    ps_arg scale; /* 1.0 */
    ps_arg dtype; /* float32 */
    ps_arg generator; /* none */
} ps_random_exponential_options;

static inline ps_status ps_random_exponential_with_at(uint64_t location, ps_arg shape, const ps_random_exponential_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = shape;
    args[1] = options->scale;
    args[2] = options->dtype;
    args[3] = options->generator;
    return ps_ops_call(&op, "random_exponential", args, 4, location, result);
}
static inline ps_status ps_random_exponential_with(ps_arg shape, const ps_random_exponential_options *options, ps_tensor **result)
{
    return ps_random_exponential_with_at(0, shape, options, result);
}
#define ps_random_exponential_with(...) ps_random_exponential_with_at(PS_HERE, __VA_ARGS__)

/* random_gumbel(shape: ints, loc: float = 0.0, scale: float = 1.0, dtype: dtype = float32, generator: generator = none)
 * Numbers of the Gumbel distribution. */
static inline ps_status ps_random_gumbel_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "random_gumbel", args, 5, location, result);
}
static inline ps_status ps_random_gumbel(ps_arg shape, ps_tensor **result)
{
    return ps_random_gumbel_at(0, shape, result);
}
#define ps_random_gumbel(...) ps_random_gumbel_at(PS_HERE, __VA_ARGS__)

typedef struct ps_random_gumbel_options {
    ps_arg loc; /* 0.0 */
    ps_arg scale; /* 1.0 */
    ps_arg dtype; /* float32 */
    ps_arg generator; /* none */
} ps_random_gumbel_options;

static inline ps_status ps_random_gumbel_with_at(uint64_t location, ps_arg shape, const ps_random_gumbel_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1] = options->loc;
    args[2] = options->scale;
    args[3] = options->dtype;
    args[4] = options->generator;
    return ps_ops_call(&op, "random_gumbel", args, 5, location, result);
}
static inline ps_status ps_random_gumbel_with(ps_arg shape, const ps_random_gumbel_options *options, ps_tensor **result)
{
    return ps_random_gumbel_with_at(0, shape, options, result);
}
#define ps_random_gumbel_with(...) ps_random_gumbel_with_at(PS_HERE, __VA_ARGS__)

/* random_integers(shape: ints, low: int, high: int, dtype: dtype = int64, generator: generator = none)
 * Integers of [low, high), all equally likely. */
static inline ps_status ps_random_integers_at(uint64_t location, ps_arg shape, ps_arg low, ps_arg high, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1] = low;
    args[2] = high;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "random_integers", args, 5, location, result);
}
static inline ps_status ps_random_integers(ps_arg shape, ps_arg low, ps_arg high, ps_tensor **result)
{
    return ps_random_integers_at(0, shape, low, high, result);
}
#define ps_random_integers(...) ps_random_integers_at(PS_HERE, __VA_ARGS__)

typedef struct ps_random_integers_options {
    ps_arg dtype; /* int64 */
    ps_arg generator; /* none */
} ps_random_integers_options;

static inline ps_status ps_random_integers_with_at(uint64_t location, ps_arg shape, ps_arg low, ps_arg high, const ps_random_integers_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1] = low;
    args[2] = high;
    args[3] = options->dtype;
    args[4] = options->generator;
    return ps_ops_call(&op, "random_integers", args, 5, location, result);
}
static inline ps_status ps_random_integers_with(ps_arg shape, ps_arg low, ps_arg high, const ps_random_integers_options *options, ps_tensor **result)
{
    return ps_random_integers_with_at(0, shape, low, high, options, result);
}
#define ps_random_integers_with(...) ps_random_integers_with_at(PS_HERE, __VA_ARGS__)

/* random_laplace(shape: ints, loc: float = 0.0, scale: float = 1.0, dtype: dtype = float32, generator: generator = none)
 * Numbers of the Laplace distribution: the difference of two exponential ones. */
static inline ps_status ps_random_laplace_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "random_laplace", args, 5, location, result);
}
static inline ps_status ps_random_laplace(ps_arg shape, ps_tensor **result)
{
    return ps_random_laplace_at(0, shape, result);
}
#define ps_random_laplace(...) ps_random_laplace_at(PS_HERE, __VA_ARGS__)

typedef struct ps_random_laplace_options {
    ps_arg loc; /* 0.0 */
    ps_arg scale; /* 1.0 */
    ps_arg dtype; /* float32 */
    ps_arg generator; /* none */
} ps_random_laplace_options;

static inline ps_status ps_random_laplace_with_at(uint64_t location, ps_arg shape, const ps_random_laplace_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1] = options->loc;
    args[2] = options->scale;
    args[3] = options->dtype;
    args[4] = options->generator;
    return ps_ops_call(&op, "random_laplace", args, 5, location, result);
}
static inline ps_status ps_random_laplace_with(ps_arg shape, const ps_random_laplace_options *options, ps_tensor **result)
{
    return ps_random_laplace_with_at(0, shape, options, result);
}
#define ps_random_laplace_with(...) ps_random_laplace_with_at(PS_HERE, __VA_ARGS__)

/* random_logistic(shape: ints, loc: float = 0.0, scale: float = 1.0, dtype: dtype = float32, generator: generator = none)
 * Numbers of the logistic distribution. */
static inline ps_status ps_random_logistic_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "random_logistic", args, 5, location, result);
}
static inline ps_status ps_random_logistic(ps_arg shape, ps_tensor **result)
{
    return ps_random_logistic_at(0, shape, result);
}
#define ps_random_logistic(...) ps_random_logistic_at(PS_HERE, __VA_ARGS__)

typedef struct ps_random_logistic_options {
    ps_arg loc; /* 0.0 */
    ps_arg scale; /* 1.0 */
    ps_arg dtype; /* float32 */
    ps_arg generator; /* none */
} ps_random_logistic_options;

static inline ps_status ps_random_logistic_with_at(uint64_t location, ps_arg shape, const ps_random_logistic_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1] = options->loc;
    args[2] = options->scale;
    args[3] = options->dtype;
    args[4] = options->generator;
    return ps_ops_call(&op, "random_logistic", args, 5, location, result);
}
static inline ps_status ps_random_logistic_with(ps_arg shape, const ps_random_logistic_options *options, ps_tensor **result)
{
    return ps_random_logistic_with_at(0, shape, options, result);
}
#define ps_random_logistic_with(...) ps_random_logistic_with_at(PS_HERE, __VA_ARGS__)

/* random_lognormal(shape: ints, mean: float = 0.0, sigma: float = 1.0, dtype: dtype = float32, generator: generator = none)
 * Numbers whose logarithms are normal with that mean and deviation. */
static inline ps_status ps_random_lognormal_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "random_lognormal", args, 5, location, result);
}
static inline ps_status ps_random_lognormal(ps_arg shape, ps_tensor **result)
{
    return ps_random_lognormal_at(0, shape, result);
}
#define ps_random_lognormal(...) ps_random_lognormal_at(PS_HERE, __VA_ARGS__)

typedef struct ps_random_lognormal_options {
    ps_arg mean; /* 0.0 */
    ps_arg sigma; /* 1.0 */
    ps_arg dtype; /* float32 */
    ps_arg generator; /* none */
} ps_random_lognormal_options;

static inline ps_status ps_random_lognormal_with_at(uint64_t location, ps_arg shape, const ps_random_lognormal_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1] = options->mean;
    args[2] = options->sigma;
    args[3] = options->dtype;
    args[4] = options->generator;
    return ps_ops_call(&op, "random_lognormal", args, 5, location, result);
}
static inline ps_status ps_random_lognormal_with(ps_arg shape, const ps_random_lognormal_options *options, ps_tensor **result)
{
    return ps_random_lognormal_with_at(0, shape, options, result);
}
#define ps_random_lognormal_with(...) ps_random_lognormal_with_at(PS_HERE, __VA_ARGS__)

/* random_normal(shape: ints, mean: float = 0.0, std: float = 1.0, dtype: dtype = float32, generator: generator = none)
 * Numbers of a normal distribution. */
static inline ps_status ps_random_normal_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "random_normal", args, 5, location, result);
}
static inline ps_status ps_random_normal(ps_arg shape, ps_tensor **result)
{
    return ps_random_normal_at(0, shape, result);
}
#define ps_random_normal(...) ps_random_normal_at(PS_HERE, __VA_ARGS__)

typedef struct ps_random_normal_options {
    ps_arg mean; /* 0.0 */
    ps_arg std; /* 1.0 */
    ps_arg dtype; /* float32 */
    ps_arg generator; /* none */
} ps_random_normal_options;

static inline ps_status ps_random_normal_with_at(uint64_t location, ps_arg shape, const ps_random_normal_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1] = options->mean;
    args[2] = options->std;
    args[3] = options->dtype;
    args[4] = options->generator;
    return ps_ops_call(&op, "random_normal", args, 5, location, result);
}
static inline ps_status ps_random_normal_with(ps_arg shape, const ps_random_normal_options *options, ps_tensor **result)
{
    return ps_random_normal_with_at(0, shape, options, result);
}
#define ps_random_normal_with(...) ps_random_normal_with_at(PS_HERE, __VA_ARGS__)

/* random_permutation(count: int, generator: generator = none)
 * 0 .. count - 1 in random order. */
static inline ps_status ps_random_permutation_at(uint64_t location, ps_arg count, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = count;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "random_permutation", args, 2, location, result);
}
static inline ps_status ps_random_permutation(ps_arg count, ps_tensor **result)
{
    return ps_random_permutation_at(0, count, result);
}
#define ps_random_permutation(...) ps_random_permutation_at(PS_HERE, __VA_ARGS__)

typedef struct ps_random_permutation_options {
    ps_arg generator; /* none */
} ps_random_permutation_options;

static inline ps_status ps_random_permutation_with_at(uint64_t location, ps_arg count, const ps_random_permutation_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = count;
    args[1] = options->generator;
    return ps_ops_call(&op, "random_permutation", args, 2, location, result);
}
static inline ps_status ps_random_permutation_with(ps_arg count, const ps_random_permutation_options *options, ps_tensor **result)
{
    return ps_random_permutation_with_at(0, count, options, result);
}
#define ps_random_permutation_with(...) ps_random_permutation_with_at(PS_HERE, __VA_ARGS__)

/* random_uniform(shape: ints, low: float = 0.0, high: float = 1.0, dtype: dtype = float32, generator: generator = none)
 * Numbers spread evenly over [low, high). */
static inline ps_status ps_random_uniform_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "random_uniform", args, 5, location, result);
}
static inline ps_status ps_random_uniform(ps_arg shape, ps_tensor **result)
{
    return ps_random_uniform_at(0, shape, result);
}
#define ps_random_uniform(...) ps_random_uniform_at(PS_HERE, __VA_ARGS__)

typedef struct ps_random_uniform_options {
    ps_arg low; /* 0.0 */
    ps_arg high; /* 1.0 */
    ps_arg dtype; /* float32 */
    ps_arg generator; /* none */
} ps_random_uniform_options;

static inline ps_status ps_random_uniform_with_at(uint64_t location, ps_arg shape, const ps_random_uniform_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = shape;
    args[1] = options->low;
    args[2] = options->high;
    args[3] = options->dtype;
    args[4] = options->generator;
    return ps_ops_call(&op, "random_uniform", args, 5, location, result);
}
static inline ps_status ps_random_uniform_with(ps_arg shape, const ps_random_uniform_options *options, ps_tensor **result)
{
    return ps_random_uniform_with_at(0, shape, options, result);
}
#define ps_random_uniform_with(...) ps_random_uniform_with_at(PS_HERE, __VA_ARGS__)

/* real(x)
 * Real part, as a new tensor. */
static inline ps_status ps_real_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "real", args, 1, location, result);
}
static inline ps_status ps_real(ps_arg x, ps_tensor **result)
{
    return ps_real_at(0, x, result);
}
#define ps_real(...) ps_real_at(PS_HERE, __VA_ARGS__)

/* reciprocal(x)
 * One over the operand. */
static inline ps_status ps_reciprocal_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "reciprocal", args, 1, location, result);
}
static inline ps_status ps_reciprocal(ps_arg x, ps_tensor **result)
{
    return ps_reciprocal_at(0, x, result);
}
#define ps_reciprocal(...) ps_reciprocal_at(PS_HERE, __VA_ARGS__)

/* relu(x)
 * The operand where it is positive, else 0. */
static inline ps_status ps_relu_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "relu", args, 1, location, result);
}
static inline ps_status ps_relu(ps_arg x, ps_tensor **result)
{
    return ps_relu_at(0, x, result);
}
#define ps_relu(...) ps_relu_at(PS_HERE, __VA_ARGS__)

/* relu6(x)
 * relu, but at most 6. */
static inline ps_status ps_relu6_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "relu6", args, 1, location, result);
}
static inline ps_status ps_relu6(ps_arg x, ps_tensor **result)
{
    return ps_relu6_at(0, x, result);
}
#define ps_relu6(...) ps_relu6_at(PS_HERE, __VA_ARGS__)

/* remainder(x1, x2)
 * What floor_divide leaves; it has the divisor's sign. */
static inline ps_status ps_remainder_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "remainder", args, 2, location, result);
}
static inline ps_status ps_remainder(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_remainder_at(0, x1, x2, result);
}
#define ps_remainder(...) ps_remainder_at(PS_HERE, __VA_ARGS__)

/* repeat(x, repeats: int, axis: axis = none)
 * Each element several times, one behind the other. */
static inline ps_status ps_repeat_at(uint64_t location, ps_arg x, ps_arg repeats, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = repeats;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "repeat", args, 3, location, result);
}
static inline ps_status ps_repeat(ps_arg x, ps_arg repeats, ps_tensor **result)
{
    return ps_repeat_at(0, x, repeats, result);
}
#define ps_repeat(...) ps_repeat_at(PS_HERE, __VA_ARGS__)

typedef struct ps_repeat_options {
    ps_arg axis; /* none */
} ps_repeat_options;

static inline ps_status ps_repeat_with_at(uint64_t location, ps_arg x, ps_arg repeats, const ps_repeat_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = repeats;
    args[2] = options->axis;
    return ps_ops_call(&op, "repeat", args, 3, location, result);
}
static inline ps_status ps_repeat_with(ps_arg x, ps_arg repeats, const ps_repeat_options *options, ps_tensor **result)
{
    return ps_repeat_with_at(0, x, repeats, options, result);
}
#define ps_repeat_with(...) ps_repeat_with_at(PS_HERE, __VA_ARGS__)

/* reshape(x, shape: ints)
 * The same elements in another shape: a view if possible, else a copy. One length may be -1. */
static inline ps_status ps_reshape_at(uint64_t location, ps_arg x, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = shape;
    return ps_ops_call(&op, "reshape", args, 2, location, result);
}
static inline ps_status ps_reshape(ps_arg x, ps_arg shape, ps_tensor **result)
{
    return ps_reshape_at(0, x, shape, result);
}
#define ps_reshape(...) ps_reshape_at(PS_HERE, __VA_ARGS__)

/* rms_norm(x, gamma: tensor = none, eps: float = 1e-05)
 * x / sqrt(mean of x^2 + eps) * gamma, along the last axis. */
static inline ps_status ps_rms_norm_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "rms_norm", args, 3, location, result);
}
static inline ps_status ps_rms_norm(ps_arg x, ps_tensor **result)
{
    return ps_rms_norm_at(0, x, result);
}
#define ps_rms_norm(...) ps_rms_norm_at(PS_HERE, __VA_ARGS__)

typedef struct ps_rms_norm_options {
    ps_arg gamma; /* none */
    ps_arg eps; /* 1e-05 */
} ps_rms_norm_options;

static inline ps_status ps_rms_norm_with_at(uint64_t location, ps_arg x, const ps_rms_norm_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->gamma;
    args[2] = options->eps;
    return ps_ops_call(&op, "rms_norm", args, 3, location, result);
}
static inline ps_status ps_rms_norm_with(ps_arg x, const ps_rms_norm_options *options, ps_tensor **result)
{
    return ps_rms_norm_with_at(0, x, options, result);
}
#define ps_rms_norm_with(...) ps_rms_norm_with_at(PS_HERE, __VA_ARGS__)

/* rmsprop_centered_update(w, v, a, m, g, rate, momentum: tensor or number = 0.0, factor: tensor or number = 1.0, gain: tensor or number = 0.01, epsilon: tensor or number = 1e-08, inside: tensor or number = 0.0, bound: tensor or number = inf, early: tensor or number = 0.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
 * RMSProp by the spread of gradients: h = clip(rescale * g + early * w, -clip, clip) + decay * w; v = v + gain * (h * h - v); a = a + gain * (h - a); m = momentum * m + factor * h / (sqrt(v - a * a + inside) + epsilon); clip(w - rate * m, -bound, bound).
 * results has room for 4 tensors */
static inline ps_status ps_rmsprop_centered_update_at(uint64_t location, ps_arg w, ps_arg v, ps_arg a, ps_arg m, ps_arg g, ps_arg rate, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[16];
    args[0] = w;
    args[1] = v;
    args[2] = a;
    args[3] = m;
    args[4] = g;
    args[5] = rate;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    args[8].kind = PS_ARG_NONE;
    args[9].kind = PS_ARG_NONE;
    args[10].kind = PS_ARG_NONE;
    args[11].kind = PS_ARG_NONE;
    args[12].kind = PS_ARG_NONE;
    args[13].kind = PS_ARG_NONE;
    args[14].kind = PS_ARG_NONE;
    args[15].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "rmsprop_centered_update", args, 16, location, results, 4);
}
static inline ps_status ps_rmsprop_centered_update(ps_arg w, ps_arg v, ps_arg a, ps_arg m, ps_arg g, ps_arg rate, ps_tensor **results)
{
    return ps_rmsprop_centered_update_at(0, w, v, a, m, g, rate, results);
}
#define ps_rmsprop_centered_update(...) ps_rmsprop_centered_update_at(PS_HERE, __VA_ARGS__)

typedef struct ps_rmsprop_centered_update_options {
    ps_arg momentum; /* 0.0 */
    ps_arg factor; /* 1.0 */
    ps_arg gain; /* 0.01 */
    ps_arg epsilon; /* 1e-08 */
    ps_arg inside; /* 0.0 */
    ps_arg bound; /* inf */
    ps_arg early; /* 0.0 */
    ps_arg rescale; /* 1.0 */
    ps_arg clip; /* inf */
    ps_arg decay; /* 0.0 */
} ps_rmsprop_centered_update_options;

static inline ps_status ps_rmsprop_centered_update_with_at(uint64_t location, ps_arg w, ps_arg v, ps_arg a, ps_arg m, ps_arg g, ps_arg rate, const ps_rmsprop_centered_update_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[16];
    args[0] = w;
    args[1] = v;
    args[2] = a;
    args[3] = m;
    args[4] = g;
    args[5] = rate;
    args[6] = options->momentum;
    args[7] = options->factor;
    args[8] = options->gain;
    args[9] = options->epsilon;
    args[10] = options->inside;
    args[11] = options->bound;
    args[12] = options->early;
    args[13] = options->rescale;
    args[14] = options->clip;
    args[15] = options->decay;
    return ps_ops_call_several(&op, "rmsprop_centered_update", args, 16, location, results, 4);
}
static inline ps_status ps_rmsprop_centered_update_with(ps_arg w, ps_arg v, ps_arg a, ps_arg m, ps_arg g, ps_arg rate, const ps_rmsprop_centered_update_options *options, ps_tensor **results)
{
    return ps_rmsprop_centered_update_with_at(0, w, v, a, m, g, rate, options, results);
}
#define ps_rmsprop_centered_update_with(...) ps_rmsprop_centered_update_with_at(PS_HERE, __VA_ARGS__)

/* rmsprop_momentum_update(w, v, m, g, rate, momentum: tensor or number = 0.9, factor: tensor or number = 1.0, gain: tensor or number = 0.01, epsilon: tensor or number = 1e-08, inside: tensor or number = 0.0, bound: tensor or number = inf, early: tensor or number = 0.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
 * RMSProp with momentum: h = clip(rescale * g + early * w, -clip, clip) + decay * w; v = v + gain * (h * h - v); m = momentum * m + factor * h / (sqrt(v + inside) + epsilon); clip(w - rate * m, -bound, bound).
 * results has room for 3 tensors */
static inline ps_status ps_rmsprop_momentum_update_at(uint64_t location, ps_arg w, ps_arg v, ps_arg m, ps_arg g, ps_arg rate, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[15];
    args[0] = w;
    args[1] = v;
    args[2] = m;
    args[3] = g;
    args[4] = rate;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    args[8].kind = PS_ARG_NONE;
    args[9].kind = PS_ARG_NONE;
    args[10].kind = PS_ARG_NONE;
    args[11].kind = PS_ARG_NONE;
    args[12].kind = PS_ARG_NONE;
    args[13].kind = PS_ARG_NONE;
    args[14].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "rmsprop_momentum_update", args, 15, location, results, 3);
}
static inline ps_status ps_rmsprop_momentum_update(ps_arg w, ps_arg v, ps_arg m, ps_arg g, ps_arg rate, ps_tensor **results)
{
    return ps_rmsprop_momentum_update_at(0, w, v, m, g, rate, results);
}
#define ps_rmsprop_momentum_update(...) ps_rmsprop_momentum_update_at(PS_HERE, __VA_ARGS__)

typedef struct ps_rmsprop_momentum_update_options {
    ps_arg momentum; /* 0.9 */
    ps_arg factor; /* 1.0 */
    ps_arg gain; /* 0.01 */
    ps_arg epsilon; /* 1e-08 */
    ps_arg inside; /* 0.0 */
    ps_arg bound; /* inf */
    ps_arg early; /* 0.0 */
    ps_arg rescale; /* 1.0 */
    ps_arg clip; /* inf */
    ps_arg decay; /* 0.0 */
} ps_rmsprop_momentum_update_options;

static inline ps_status ps_rmsprop_momentum_update_with_at(uint64_t location, ps_arg w, ps_arg v, ps_arg m, ps_arg g, ps_arg rate, const ps_rmsprop_momentum_update_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[15];
    args[0] = w;
    args[1] = v;
    args[2] = m;
    args[3] = g;
    args[4] = rate;
    args[5] = options->momentum;
    args[6] = options->factor;
    args[7] = options->gain;
    args[8] = options->epsilon;
    args[9] = options->inside;
    args[10] = options->bound;
    args[11] = options->early;
    args[12] = options->rescale;
    args[13] = options->clip;
    args[14] = options->decay;
    return ps_ops_call_several(&op, "rmsprop_momentum_update", args, 15, location, results, 3);
}
static inline ps_status ps_rmsprop_momentum_update_with(ps_arg w, ps_arg v, ps_arg m, ps_arg g, ps_arg rate, const ps_rmsprop_momentum_update_options *options, ps_tensor **results)
{
    return ps_rmsprop_momentum_update_with_at(0, w, v, m, g, rate, options, results);
}
#define ps_rmsprop_momentum_update_with(...) ps_rmsprop_momentum_update_with_at(PS_HERE, __VA_ARGS__)

/* rmsprop_update(w, v, g, rate, gain: tensor or number = 0.01, epsilon: tensor or number = 1e-08, inside: tensor or number = 0.0, bound: tensor or number = inf, early: tensor or number = 0.0, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
 * RMSProp: h = clip(rescale * g + early * w, -clip, clip) + decay * w; v = v + gain * (h * h - v); clip(w - rate * h / (sqrt(v + inside) + epsilon), -bound, bound).
 * results has room for 2 tensors */
static inline ps_status ps_rmsprop_update_at(uint64_t location, ps_arg w, ps_arg v, ps_arg g, ps_arg rate, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[12];
    args[0] = w;
    args[1] = v;
    args[2] = g;
    args[3] = rate;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    args[8].kind = PS_ARG_NONE;
    args[9].kind = PS_ARG_NONE;
    args[10].kind = PS_ARG_NONE;
    args[11].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "rmsprop_update", args, 12, location, results, 2);
}
static inline ps_status ps_rmsprop_update(ps_arg w, ps_arg v, ps_arg g, ps_arg rate, ps_tensor **results)
{
    return ps_rmsprop_update_at(0, w, v, g, rate, results);
}
#define ps_rmsprop_update(...) ps_rmsprop_update_at(PS_HERE, __VA_ARGS__)

typedef struct ps_rmsprop_update_options {
    ps_arg gain; /* 0.01 */
    ps_arg epsilon; /* 1e-08 */
    ps_arg inside; /* 0.0 */
    ps_arg bound; /* inf */
    ps_arg early; /* 0.0 */
    ps_arg rescale; /* 1.0 */
    ps_arg clip; /* inf */
    ps_arg decay; /* 0.0 */
} ps_rmsprop_update_options;

static inline ps_status ps_rmsprop_update_with_at(uint64_t location, ps_arg w, ps_arg v, ps_arg g, ps_arg rate, const ps_rmsprop_update_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[12];
    args[0] = w;
    args[1] = v;
    args[2] = g;
    args[3] = rate;
    args[4] = options->gain;
    args[5] = options->epsilon;
    args[6] = options->inside;
    args[7] = options->bound;
    args[8] = options->early;
    args[9] = options->rescale;
    args[10] = options->clip;
    args[11] = options->decay;
    return ps_ops_call_several(&op, "rmsprop_update", args, 12, location, results, 2);
}
static inline ps_status ps_rmsprop_update_with(ps_arg w, ps_arg v, ps_arg g, ps_arg rate, const ps_rmsprop_update_options *options, ps_tensor **results)
{
    return ps_rmsprop_update_with_at(0, w, v, g, rate, options, results);
}
#define ps_rmsprop_update_with(...) ps_rmsprop_update_with_at(PS_HERE, __VA_ARGS__)

/* rnn(x, parameters, state, mode: choice(rnn_relu rnn_tanh lstm gru), cell: tensor = none, mask: tensor = none, bidirectional: bool = false)
 * Recurrent layers over a sequence x (steps, batch, inputs), from states (layers x directions, batch, hidden) and, of lstm, cells like them: y (steps, batch, directions x hidden) of the last layer, the last states, the last cells (lstm; else no elements), and a reserve that only the gradient reads. The parameters are all weights, by layer and direction those of the input and of the state, then in the same order all biases; gates in the order input, forget, candidate, output (lstm) or reset, update, candidate (gru, with the reset inside the candidate). The mask (layers - 1, steps, batch, directions x hidden) is multiplied with what goes from a layer to the next: dropout.
 * results has room for 4 tensors */
static inline ps_status ps_rnn_at(uint64_t location, ps_arg x, ps_arg parameters, ps_arg state, ps_arg mode, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[7];
    args[0] = x;
    args[1] = parameters;
    args[2] = state;
    args[3] = mode;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "rnn", args, 7, location, results, 4);
}
static inline ps_status ps_rnn(ps_arg x, ps_arg parameters, ps_arg state, ps_arg mode, ps_tensor **results)
{
    return ps_rnn_at(0, x, parameters, state, mode, results);
}
#define ps_rnn(...) ps_rnn_at(PS_HERE, __VA_ARGS__)

typedef struct ps_rnn_options {
    ps_arg cell; /* none */
    ps_arg mask; /* none */
    ps_arg bidirectional; /* false */
} ps_rnn_options;

static inline ps_status ps_rnn_with_at(uint64_t location, ps_arg x, ps_arg parameters, ps_arg state, ps_arg mode, const ps_rnn_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[7];
    args[0] = x;
    args[1] = parameters;
    args[2] = state;
    args[3] = mode;
    args[4] = options->cell;
    args[5] = options->mask;
    args[6] = options->bidirectional;
    return ps_ops_call_several(&op, "rnn", args, 7, location, results, 4);
}
static inline ps_status ps_rnn_with(ps_arg x, ps_arg parameters, ps_arg state, ps_arg mode, const ps_rnn_options *options, ps_tensor **results)
{
    return ps_rnn_with_at(0, x, parameters, state, mode, options, results);
}
#define ps_rnn_with(...) ps_rnn_with_at(PS_HERE, __VA_ARGS__)

/* rnn_backward(x, parameters, state, reserve, mode: choice(rnn_relu rnn_tanh lstm gru), cell: tensor = none, mask: tensor = none, dy: tensor = none, dstate: tensor = none, dcell: tensor = none, bidirectional: bool = false, input: bool = true)
 * What flows back through rnn: to x (no elements unless input), the parameters, the state, the cell and the mask (no elements where there is none), from what flows to y, the last states and the last cells.
 * results has room for 5 tensors */
static inline ps_status ps_rnn_backward_at(uint64_t location, ps_arg x, ps_arg parameters, ps_arg state, ps_arg reserve, ps_arg mode, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[12];
    args[0] = x;
    args[1] = parameters;
    args[2] = state;
    args[3] = reserve;
    args[4] = mode;
    args[5].kind = PS_ARG_NONE;
    args[6].kind = PS_ARG_NONE;
    args[7].kind = PS_ARG_NONE;
    args[8].kind = PS_ARG_NONE;
    args[9].kind = PS_ARG_NONE;
    args[10].kind = PS_ARG_NONE;
    args[11].kind = PS_ARG_NONE;
    return ps_ops_call_several(&op, "rnn_backward", args, 12, location, results, 5);
}
static inline ps_status ps_rnn_backward(ps_arg x, ps_arg parameters, ps_arg state, ps_arg reserve, ps_arg mode, ps_tensor **results)
{
    return ps_rnn_backward_at(0, x, parameters, state, reserve, mode, results);
}
#define ps_rnn_backward(...) ps_rnn_backward_at(PS_HERE, __VA_ARGS__)

typedef struct ps_rnn_backward_options {
    ps_arg cell; /* none */
    ps_arg mask; /* none */
    ps_arg dy; /* none */
    ps_arg dstate; /* none */
    ps_arg dcell; /* none */
    ps_arg bidirectional; /* false */
    ps_arg input; /* true */
} ps_rnn_backward_options;

static inline ps_status ps_rnn_backward_with_at(uint64_t location, ps_arg x, ps_arg parameters, ps_arg state, ps_arg reserve, ps_arg mode, const ps_rnn_backward_options *options, ps_tensor **results)
{
    static const ps_op *op;
    ps_arg args[12];
    args[0] = x;
    args[1] = parameters;
    args[2] = state;
    args[3] = reserve;
    args[4] = mode;
    args[5] = options->cell;
    args[6] = options->mask;
    args[7] = options->dy;
    args[8] = options->dstate;
    args[9] = options->dcell;
    args[10] = options->bidirectional;
    args[11] = options->input;
    return ps_ops_call_several(&op, "rnn_backward", args, 12, location, results, 5);
}
static inline ps_status ps_rnn_backward_with(ps_arg x, ps_arg parameters, ps_arg state, ps_arg reserve, ps_arg mode, const ps_rnn_backward_options *options, ps_tensor **results)
{
    return ps_rnn_backward_with_at(0, x, parameters, state, reserve, mode, options, results);
}
#define ps_rnn_backward_with(...) ps_rnn_backward_with_at(PS_HERE, __VA_ARGS__)

/* roll(x, shift: ints, axis: axes = none)
 * Elements moved along the axes; what leaves at one end enters at the other. */
static inline ps_status ps_roll_at(uint64_t location, ps_arg x, ps_arg shift, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = shift;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "roll", args, 3, location, result);
}
static inline ps_status ps_roll(ps_arg x, ps_arg shift, ps_tensor **result)
{
    return ps_roll_at(0, x, shift, result);
}
#define ps_roll(...) ps_roll_at(PS_HERE, __VA_ARGS__)

typedef struct ps_roll_options {
    ps_arg axis; /* none */
} ps_roll_options;

static inline ps_status ps_roll_with_at(uint64_t location, ps_arg x, ps_arg shift, const ps_roll_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = shift;
    args[2] = options->axis;
    return ps_ops_call(&op, "roll", args, 3, location, result);
}
static inline ps_status ps_roll_with(ps_arg x, ps_arg shift, const ps_roll_options *options, ps_tensor **result)
{
    return ps_roll_with_at(0, x, shift, options, result);
}
#define ps_roll_with(...) ps_roll_with_at(PS_HERE, __VA_ARGS__)

/* round(x)
 * Rounded to the nearest integer, halves to the even one. */
static inline ps_status ps_round_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "round", args, 1, location, result);
}
static inline ps_status ps_round(ps_arg x, ps_tensor **result)
{
    return ps_round_at(0, x, result);
}
#define ps_round(...) ps_round_at(PS_HERE, __VA_ARGS__)

/* round_to(x, decimals: int = 0)
 * Rounded to the nearest number with so many decimals, halves to the even one; below 0 to tens, hundreds and so on. */
static inline ps_status ps_round_to_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "round_to", args, 2, location, result);
}
static inline ps_status ps_round_to(ps_arg x, ps_tensor **result)
{
    return ps_round_to_at(0, x, result);
}
#define ps_round_to(...) ps_round_to_at(PS_HERE, __VA_ARGS__)

typedef struct ps_round_to_options {
    ps_arg decimals; /* 0 */
} ps_round_to_options;

static inline ps_status ps_round_to_with_at(uint64_t location, ps_arg x, const ps_round_to_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->decimals;
    return ps_ops_call(&op, "round_to", args, 2, location, result);
}
static inline ps_status ps_round_to_with(ps_arg x, const ps_round_to_options *options, ps_tensor **result)
{
    return ps_round_to_with_at(0, x, options, result);
}
#define ps_round_to_with(...) ps_round_to_with_at(PS_HERE, __VA_ARGS__)

/* rsqrt(x)
 * One over the square root. */
static inline ps_status ps_rsqrt_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "rsqrt", args, 1, location, result);
}
static inline ps_status ps_rsqrt(ps_arg x, ps_tensor **result)
{
    return ps_rsqrt_at(0, x, result);
}
#define ps_rsqrt(...) ps_rsqrt_at(PS_HERE, __VA_ARGS__)

/* searchsorted(x1, x2: tensor or number, side: choice(left right) = none)
 * Where in x1, which is sorted and has one dimension, each element of x2 belongs: before equal elements (side left, also if none is given) or behind them (right). */
static inline ps_status ps_searchsorted_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x1;
    args[1] = x2;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "searchsorted", args, 3, location, result);
}
static inline ps_status ps_searchsorted(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_searchsorted_at(0, x1, x2, result);
}
#define ps_searchsorted(...) ps_searchsorted_at(PS_HERE, __VA_ARGS__)

typedef struct ps_searchsorted_options {
    ps_arg side; /* none */
} ps_searchsorted_options;

static inline ps_status ps_searchsorted_with_at(uint64_t location, ps_arg x1, ps_arg x2, const ps_searchsorted_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x1;
    args[1] = x2;
    args[2] = options->side;
    return ps_ops_call(&op, "searchsorted", args, 3, location, result);
}
static inline ps_status ps_searchsorted_with(ps_arg x1, ps_arg x2, const ps_searchsorted_options *options, ps_tensor **result)
{
    return ps_searchsorted_with_at(0, x1, x2, options, result);
}
#define ps_searchsorted_with(...) ps_searchsorted_with_at(PS_HERE, __VA_ARGS__)

/* sgd_update(w, g, rate, rescale: tensor or number = 1.0, clip: tensor or number = inf, decay: tensor or number = 0.0)
 * A step of gradient descent: h = clip(rescale * g, -clip, clip) + decay * w; w - rate * h. */
static inline ps_status ps_sgd_update_at(uint64_t location, ps_arg w, ps_arg g, ps_arg rate, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[6];
    args[0] = w;
    args[1] = g;
    args[2] = rate;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "sgd_update", args, 6, location, result);
}
static inline ps_status ps_sgd_update(ps_arg w, ps_arg g, ps_arg rate, ps_tensor **result)
{
    return ps_sgd_update_at(0, w, g, rate, result);
}
#define ps_sgd_update(...) ps_sgd_update_at(PS_HERE, __VA_ARGS__)

typedef struct ps_sgd_update_options {
    ps_arg rescale; /* 1.0 */
    ps_arg clip; /* inf */
    ps_arg decay; /* 0.0 */
} ps_sgd_update_options;

static inline ps_status ps_sgd_update_with_at(uint64_t location, ps_arg w, ps_arg g, ps_arg rate, const ps_sgd_update_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[6];
    args[0] = w;
    args[1] = g;
    args[2] = rate;
    args[3] = options->rescale;
    args[4] = options->clip;
    args[5] = options->decay;
    return ps_ops_call(&op, "sgd_update", args, 6, location, result);
}
static inline ps_status ps_sgd_update_with(ps_arg w, ps_arg g, ps_arg rate, const ps_sgd_update_options *options, ps_tensor **result)
{
    return ps_sgd_update_with_at(0, w, g, rate, options, result);
}
#define ps_sgd_update_with(...) ps_sgd_update_with_at(PS_HERE, __VA_ARGS__)

/* sigmoid(x)
 * 1 / (1 + exp(-x)). */
static inline ps_status ps_sigmoid_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "sigmoid", args, 1, location, result);
}
static inline ps_status ps_sigmoid(ps_arg x, ps_tensor **result)
{
    return ps_sigmoid_at(0, x, result);
}
#define ps_sigmoid(...) ps_sigmoid_at(PS_HERE, __VA_ARGS__)

/* sigmoid_bce_loss(x, target, pos_weight: tensor or number = none, from_sigmoid: bool = false)
 * With p = sigmoid(x), or with from_sigmoid p = x: -pos_weight target log(p) - (1 - target) log(1 - p); pos_weight is 1 unless given, and is broadcast. Of p itself logarithms are at least -100. */
static inline ps_status ps_sigmoid_bce_loss_at(uint64_t location, ps_arg x, ps_arg target, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = target;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "sigmoid_bce_loss", args, 4, location, result);
}
static inline ps_status ps_sigmoid_bce_loss(ps_arg x, ps_arg target, ps_tensor **result)
{
    return ps_sigmoid_bce_loss_at(0, x, target, result);
}
#define ps_sigmoid_bce_loss(...) ps_sigmoid_bce_loss_at(PS_HERE, __VA_ARGS__)

typedef struct ps_sigmoid_bce_loss_options {
    ps_arg pos_weight; /* none */
    ps_arg from_sigmoid; /* false */
} ps_sigmoid_bce_loss_options;

static inline ps_status ps_sigmoid_bce_loss_with_at(uint64_t location, ps_arg x, ps_arg target, const ps_sigmoid_bce_loss_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = target;
    args[2] = options->pos_weight;
    args[3] = options->from_sigmoid;
    return ps_ops_call(&op, "sigmoid_bce_loss", args, 4, location, result);
}
static inline ps_status ps_sigmoid_bce_loss_with(ps_arg x, ps_arg target, const ps_sigmoid_bce_loss_options *options, ps_tensor **result)
{
    return ps_sigmoid_bce_loss_with_at(0, x, target, options, result);
}
#define ps_sigmoid_bce_loss_with(...) ps_sigmoid_bce_loss_with_at(PS_HERE, __VA_ARGS__)

/* sign(x)
 * -1, 0 or 1 by the sign; of a complex number x / |x|. */
static inline ps_status ps_sign_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "sign", args, 1, location, result);
}
static inline ps_status ps_sign(ps_arg x, ps_tensor **result)
{
    return ps_sign_at(0, x, result);
}
#define ps_sign(...) ps_sign_at(PS_HERE, __VA_ARGS__)

/* signbit(x)
 * Whether its sign is minus; true for -0. */
static inline ps_status ps_signbit_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "signbit", args, 1, location, result);
}
static inline ps_status ps_signbit(ps_arg x, ps_tensor **result)
{
    return ps_signbit_at(0, x, result);
}
#define ps_signbit(...) ps_signbit_at(PS_HERE, __VA_ARGS__)

/* silu(x)
 * x * sigmoid(x). */
static inline ps_status ps_silu_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "silu", args, 1, location, result);
}
static inline ps_status ps_silu(ps_arg x, ps_tensor **result)
{
    return ps_silu_at(0, x, result);
}
#define ps_silu(...) ps_silu_at(PS_HERE, __VA_ARGS__)

/* sin(x)
 * Sine. */
static inline ps_status ps_sin_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "sin", args, 1, location, result);
}
static inline ps_status ps_sin(ps_arg x, ps_tensor **result)
{
    return ps_sin_at(0, x, result);
}
#define ps_sin(...) ps_sin_at(PS_HERE, __VA_ARGS__)

/* sinh(x)
 * Hyperbolic sine. */
static inline ps_status ps_sinh_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "sinh", args, 1, location, result);
}
static inline ps_status ps_sinh(ps_arg x, ps_tensor **result)
{
    return ps_sinh_at(0, x, result);
}
#define ps_sinh(...) ps_sinh_at(PS_HERE, __VA_ARGS__)

/* softmax(x, axis: axis = -1)
 * exp(x) divided by its sum along the axis. */
static inline ps_status ps_softmax_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "softmax", args, 2, location, result);
}
static inline ps_status ps_softmax(ps_arg x, ps_tensor **result)
{
    return ps_softmax_at(0, x, result);
}
#define ps_softmax(...) ps_softmax_at(PS_HERE, __VA_ARGS__)

typedef struct ps_softmax_options {
    ps_arg axis; /* -1 */
} ps_softmax_options;

static inline ps_status ps_softmax_with_at(uint64_t location, ps_arg x, const ps_softmax_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->axis;
    return ps_ops_call(&op, "softmax", args, 2, location, result);
}
static inline ps_status ps_softmax_with(ps_arg x, const ps_softmax_options *options, ps_tensor **result)
{
    return ps_softmax_with_at(0, x, options, result);
}
#define ps_softmax_with(...) ps_softmax_with_at(PS_HERE, __VA_ARGS__)

/* softmax_cross_entropy(x, labels, axis: axis = -1, ignore_label: int = none, smoothing: float = 0.0, weights: tensor = none)
 * The sum over the axis of -weights t log_softmax(x). Labels are integers, counted from 0, one for each line along the axis: t is 1 at the label, else 0; or they are t itself, of the shape of x. With smoothing s of n classes t becomes (1 - s) t + s / n. Where a label is ignore_label the result is 0. A label out of range is found while running. */
static inline ps_status ps_softmax_cross_entropy_at(uint64_t location, ps_arg x, ps_arg labels, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[6];
    args[0] = x;
    args[1] = labels;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "softmax_cross_entropy", args, 6, location, result);
}
static inline ps_status ps_softmax_cross_entropy(ps_arg x, ps_arg labels, ps_tensor **result)
{
    return ps_softmax_cross_entropy_at(0, x, labels, result);
}
#define ps_softmax_cross_entropy(...) ps_softmax_cross_entropy_at(PS_HERE, __VA_ARGS__)

typedef struct ps_softmax_cross_entropy_options {
    ps_arg axis; /* -1 */
    ps_arg ignore_label; /* none */
    ps_arg smoothing; /* 0.0 */
    ps_arg weights; /* none */
} ps_softmax_cross_entropy_options;

static inline ps_status ps_softmax_cross_entropy_with_at(uint64_t location, ps_arg x, ps_arg labels, const ps_softmax_cross_entropy_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[6];
    args[0] = x;
    args[1] = labels;
    args[2] = options->axis;
    args[3] = options->ignore_label;
    args[4] = options->smoothing;
    args[5] = options->weights;
    return ps_ops_call(&op, "softmax_cross_entropy", args, 6, location, result);
}
static inline ps_status ps_softmax_cross_entropy_with(ps_arg x, ps_arg labels, const ps_softmax_cross_entropy_options *options, ps_tensor **result)
{
    return ps_softmax_cross_entropy_with_at(0, x, labels, options, result);
}
#define ps_softmax_cross_entropy_with(...) ps_softmax_cross_entropy_with_at(PS_HERE, __VA_ARGS__)

/* softplus(x)
 * log(1 + exp(x)). */
static inline ps_status ps_softplus_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "softplus", args, 1, location, result);
}
static inline ps_status ps_softplus(ps_arg x, ps_tensor **result)
{
    return ps_softplus_at(0, x, result);
}
#define ps_softplus(...) ps_softplus_at(PS_HERE, __VA_ARGS__)

/* softsign(x)
 * x / (1 + |x|). */
static inline ps_status ps_softsign_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "softsign", args, 1, location, result);
}
static inline ps_status ps_softsign(ps_arg x, ps_tensor **result)
{
    return ps_softsign_at(0, x, result);
}
#define ps_softsign(...) ps_softsign_at(PS_HERE, __VA_ARGS__)

/* sort(x, axis: axis = -1, descending: bool = false, stable: bool = true)
 * The elements along the axis in order. NaN counts as the largest, -0 equals 0, complex numbers go by their real parts first. Equal elements always stay in their order. */
static inline ps_status ps_sort_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "sort", args, 4, location, result);
}
static inline ps_status ps_sort(ps_arg x, ps_tensor **result)
{
    return ps_sort_at(0, x, result);
}
#define ps_sort(...) ps_sort_at(PS_HERE, __VA_ARGS__)

typedef struct ps_sort_options {
    ps_arg axis; /* -1 */
    ps_arg descending; /* false */
    ps_arg stable; /* true */
} ps_sort_options;

static inline ps_status ps_sort_with_at(uint64_t location, ps_arg x, const ps_sort_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->descending;
    args[3] = options->stable;
    return ps_ops_call(&op, "sort", args, 4, location, result);
}
static inline ps_status ps_sort_with(ps_arg x, const ps_sort_options *options, ps_tensor **result)
{
    return ps_sort_with_at(0, x, options, result);
}
#define ps_sort_with(...) ps_sort_with_at(PS_HERE, __VA_ARGS__)

/* sqrt(x)
 * Square root. */
static inline ps_status ps_sqrt_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "sqrt", args, 1, location, result);
}
static inline ps_status ps_sqrt(ps_arg x, ps_tensor **result)
{
    return ps_sqrt_at(0, x, result);
}
#define ps_sqrt(...) ps_sqrt_at(PS_HERE, __VA_ARGS__)

/* square(x)
 * The operand times itself. */
static inline ps_status ps_square_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "square", args, 1, location, result);
}
static inline ps_status ps_square(ps_arg x, ps_tensor **result)
{
    return ps_square_at(0, x, result);
}
#define ps_square(...) ps_square_at(PS_HERE, __VA_ARGS__)

/* squared_hinge_loss(x, target, margin: scalar = 1.0)
 * max(0, margin - x * target)^2, for targets -1 and 1. */
static inline ps_status ps_squared_hinge_loss_at(uint64_t location, ps_arg x, ps_arg target, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = target;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "squared_hinge_loss", args, 3, location, result);
}
static inline ps_status ps_squared_hinge_loss(ps_arg x, ps_arg target, ps_tensor **result)
{
    return ps_squared_hinge_loss_at(0, x, target, result);
}
#define ps_squared_hinge_loss(...) ps_squared_hinge_loss_at(PS_HERE, __VA_ARGS__)

typedef struct ps_squared_hinge_loss_options {
    ps_arg margin; /* 1.0 */
} ps_squared_hinge_loss_options;

static inline ps_status ps_squared_hinge_loss_with_at(uint64_t location, ps_arg x, ps_arg target, const ps_squared_hinge_loss_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = target;
    args[2] = options->margin;
    return ps_ops_call(&op, "squared_hinge_loss", args, 3, location, result);
}
static inline ps_status ps_squared_hinge_loss_with(ps_arg x, ps_arg target, const ps_squared_hinge_loss_options *options, ps_tensor **result)
{
    return ps_squared_hinge_loss_with_at(0, x, target, options, result);
}
#define ps_squared_hinge_loss_with(...) ps_squared_hinge_loss_with_at(PS_HERE, __VA_ARGS__)

/* squeeze(x, axis: axes = none)
 * A view without the dimensions of length 1, or without the given ones. */
static inline ps_status ps_squeeze_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "squeeze", args, 2, location, result);
}
static inline ps_status ps_squeeze(ps_arg x, ps_tensor **result)
{
    return ps_squeeze_at(0, x, result);
}
#define ps_squeeze(...) ps_squeeze_at(PS_HERE, __VA_ARGS__)

typedef struct ps_squeeze_options {
    ps_arg axis; /* none */
} ps_squeeze_options;

static inline ps_status ps_squeeze_with_at(uint64_t location, ps_arg x, const ps_squeeze_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->axis;
    return ps_ops_call(&op, "squeeze", args, 2, location, result);
}
static inline ps_status ps_squeeze_with(ps_arg x, const ps_squeeze_options *options, ps_tensor **result)
{
    return ps_squeeze_with_at(0, x, options, result);
}
#define ps_squeeze_with(...) ps_squeeze_with_at(PS_HERE, __VA_ARGS__)

/* stack(tensors: tensors, axis: axis = 0)
 * The tensors side by side along a new axis. */
static inline ps_status ps_stack_at(uint64_t location, ps_arg tensors, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = tensors;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "stack", args, 2, location, result);
}
static inline ps_status ps_stack(ps_arg tensors, ps_tensor **result)
{
    return ps_stack_at(0, tensors, result);
}
#define ps_stack(...) ps_stack_at(PS_HERE, __VA_ARGS__)

typedef struct ps_stack_options {
    ps_arg axis; /* 0 */
} ps_stack_options;

static inline ps_status ps_stack_with_at(uint64_t location, ps_arg tensors, const ps_stack_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = tensors;
    args[1] = options->axis;
    return ps_ops_call(&op, "stack", args, 2, location, result);
}
static inline ps_status ps_stack_with(ps_arg tensors, const ps_stack_options *options, ps_tensor **result)
{
    return ps_stack_with_at(0, tensors, options, result);
}
#define ps_stack_with(...) ps_stack_with_at(PS_HERE, __VA_ARGS__)

/* std(x, axis: axes = none, correction: float = 0.0, keepdims: bool = false)
 * Square root of the variance. */
static inline ps_status ps_std_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "std", args, 4, location, result);
}
static inline ps_status ps_std(ps_arg x, ps_tensor **result)
{
    return ps_std_at(0, x, result);
}
#define ps_std(...) ps_std_at(PS_HERE, __VA_ARGS__)

typedef struct ps_std_options {
    ps_arg axis; /* none */
    ps_arg correction; /* 0.0 */
    ps_arg keepdims; /* false */
} ps_std_options;

static inline ps_status ps_std_with_at(uint64_t location, ps_arg x, const ps_std_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->correction;
    args[3] = options->keepdims;
    return ps_ops_call(&op, "std", args, 4, location, result);
}
static inline ps_status ps_std_with(ps_arg x, const ps_std_options *options, ps_tensor **result)
{
    return ps_std_with_at(0, x, options, result);
}
#define ps_std_with(...) ps_std_with_at(PS_HERE, __VA_ARGS__)

/* subtract(x1, x2)
 * Difference of the operands. */
static inline ps_status ps_subtract_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x1;
    args[1] = x2;
    return ps_ops_call(&op, "subtract", args, 2, location, result);
}
static inline ps_status ps_subtract(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_subtract_at(0, x1, x2, result);
}
#define ps_subtract(...) ps_subtract_at(PS_HERE, __VA_ARGS__)

/* sum(x, axis: axes = none, keepdims: bool = false, dtype: dtype = none)
 * Sum over the axes; small integers and bool add up as int64 or uint64. */
static inline ps_status ps_sum_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "sum", args, 4, location, result);
}
static inline ps_status ps_sum(ps_arg x, ps_tensor **result)
{
    return ps_sum_at(0, x, result);
}
#define ps_sum(...) ps_sum_at(PS_HERE, __VA_ARGS__)

typedef struct ps_sum_options {
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
    ps_arg dtype; /* none */
} ps_sum_options;

static inline ps_status ps_sum_with_at(uint64_t location, ps_arg x, const ps_sum_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->keepdims;
    args[3] = options->dtype;
    return ps_ops_call(&op, "sum", args, 4, location, result);
}
static inline ps_status ps_sum_with(ps_arg x, const ps_sum_options *options, ps_tensor **result)
{
    return ps_sum_with_at(0, x, options, result);
}
#define ps_sum_with(...) ps_sum_with_at(PS_HERE, __VA_ARGS__)

/* swapaxes(x, axis1: axis, axis2: axis)
 * A view with two dimensions swapped. */
static inline ps_status ps_swapaxes_at(uint64_t location, ps_arg x, ps_arg axis1, ps_arg axis2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = axis1;
    args[2] = axis2;
    return ps_ops_call(&op, "swapaxes", args, 3, location, result);
}
static inline ps_status ps_swapaxes(ps_arg x, ps_arg axis1, ps_arg axis2, ps_tensor **result)
{
    return ps_swapaxes_at(0, x, axis1, axis2, result);
}
#define ps_swapaxes(...) ps_swapaxes_at(PS_HERE, __VA_ARGS__)

/* take(x, indices: positions or number, axis: axis = none)
 * Elements, or slices along the axis, at integer positions. A position out of range is found while running. */
static inline ps_status ps_take_at(uint64_t location, ps_arg x, ps_arg indices, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = indices;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "take", args, 3, location, result);
}
static inline ps_status ps_take(ps_arg x, ps_arg indices, ps_tensor **result)
{
    return ps_take_at(0, x, indices, result);
}
#define ps_take(...) ps_take_at(PS_HERE, __VA_ARGS__)

typedef struct ps_take_options {
    ps_arg axis; /* none */
} ps_take_options;

static inline ps_status ps_take_with_at(uint64_t location, ps_arg x, ps_arg indices, const ps_take_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = indices;
    args[2] = options->axis;
    return ps_ops_call(&op, "take", args, 3, location, result);
}
static inline ps_status ps_take_with(ps_arg x, ps_arg indices, const ps_take_options *options, ps_tensor **result)
{
    return ps_take_with_at(0, x, indices, options, result);
}
#define ps_take_with(...) ps_take_with_at(PS_HERE, __VA_ARGS__)

/* take_along_axis(x, indices: positions, axis: axis = -1)
 * Elements at integer positions that are given for each line along the axis; the other axes are broadcast. A position out of range is found while running. */
static inline ps_status ps_take_along_axis_at(uint64_t location, ps_arg x, ps_arg indices, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = indices;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "take_along_axis", args, 3, location, result);
}
static inline ps_status ps_take_along_axis(ps_arg x, ps_arg indices, ps_tensor **result)
{
    return ps_take_along_axis_at(0, x, indices, result);
}
#define ps_take_along_axis(...) ps_take_along_axis_at(PS_HERE, __VA_ARGS__)

typedef struct ps_take_along_axis_options {
    ps_arg axis; /* -1 */
} ps_take_along_axis_options;

static inline ps_status ps_take_along_axis_with_at(uint64_t location, ps_arg x, ps_arg indices, const ps_take_along_axis_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = indices;
    args[2] = options->axis;
    return ps_ops_call(&op, "take_along_axis", args, 3, location, result);
}
static inline ps_status ps_take_along_axis_with(ps_arg x, ps_arg indices, const ps_take_along_axis_options *options, ps_tensor **result)
{
    return ps_take_along_axis_with_at(0, x, indices, options, result);
}
#define ps_take_along_axis_with(...) ps_take_along_axis_with_at(PS_HERE, __VA_ARGS__)

/* tan(x)
 * Tangent. */
static inline ps_status ps_tan_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "tan", args, 1, location, result);
}
static inline ps_status ps_tan(ps_arg x, ps_tensor **result)
{
    return ps_tan_at(0, x, result);
}
#define ps_tan(...) ps_tan_at(PS_HERE, __VA_ARGS__)

/* tanh(x)
 * Hyperbolic tangent. */
static inline ps_status ps_tanh_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "tanh", args, 1, location, result);
}
static inline ps_status ps_tanh(ps_arg x, ps_tensor **result)
{
    return ps_tanh_at(0, x, result);
}
#define ps_tanh(...) ps_tanh_at(PS_HERE, __VA_ARGS__)

/* tensordot(x1, x2, axes1: axes, axes2: axes)
 * Sum of products over the given axes of both. */
static inline ps_status ps_tensordot_at(uint64_t location, ps_arg x1, ps_arg x2, ps_arg axes1, ps_arg axes2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x1;
    args[1] = x2;
    args[2] = axes1;
    args[3] = axes2;
    return ps_ops_call(&op, "tensordot", args, 4, location, result);
}
static inline ps_status ps_tensordot(ps_arg x1, ps_arg x2, ps_arg axes1, ps_arg axes2, ps_tensor **result)
{
    return ps_tensordot_at(0, x1, x2, axes1, axes2, result);
}
#define ps_tensordot(...) ps_tensordot_at(PS_HERE, __VA_ARGS__)

/* tile(x, repeats: ints)
 * The whole tensor several times along each dimension. */
static inline ps_status ps_tile_at(uint64_t location, ps_arg x, ps_arg repeats, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = repeats;
    return ps_ops_call(&op, "tile", args, 2, location, result);
}
static inline ps_status ps_tile(ps_arg x, ps_arg repeats, ps_tensor **result)
{
    return ps_tile_at(0, x, repeats, result);
}
#define ps_tile(...) ps_tile_at(PS_HERE, __VA_ARGS__)

/* to_device(x)
 * A copy on the device of the call; x itself if it is there already. */
static inline ps_status ps_to_device_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "to_device", args, 1, location, result);
}
static inline ps_status ps_to_device(ps_arg x, ps_tensor **result)
{
    return ps_to_device_at(0, x, result);
}
#define ps_to_device(...) ps_to_device_at(PS_HERE, __VA_ARGS__)

/* topk(x, k: int, axis: axis = -1, largest: bool = true)
 * Positions along the axis of the k largest elements, or smallest, in order, as int64. Of equal elements the first ones. */
static inline ps_status ps_topk_at(uint64_t location, ps_arg x, ps_arg k, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = k;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "topk", args, 4, location, result);
}
static inline ps_status ps_topk(ps_arg x, ps_arg k, ps_tensor **result)
{
    return ps_topk_at(0, x, k, result);
}
#define ps_topk(...) ps_topk_at(PS_HERE, __VA_ARGS__)

typedef struct ps_topk_options {
    ps_arg axis; /* -1 */
    ps_arg largest; /* true */
} ps_topk_options;

static inline ps_status ps_topk_with_at(uint64_t location, ps_arg x, ps_arg k, const ps_topk_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = k;
    args[2] = options->axis;
    args[3] = options->largest;
    return ps_ops_call(&op, "topk", args, 4, location, result);
}
static inline ps_status ps_topk_with(ps_arg x, ps_arg k, const ps_topk_options *options, ps_tensor **result)
{
    return ps_topk_with_at(0, x, k, options, result);
}
#define ps_topk_with(...) ps_topk_with_at(PS_HERE, __VA_ARGS__)

/* trace(x, offset: int = 0, axis1: axis = 0, axis2: axis = 1, dtype: dtype = none)
 * Sum of a diagonal of two axes; types as for sum. */
static inline ps_status ps_trace_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "trace", args, 5, location, result);
}
static inline ps_status ps_trace(ps_arg x, ps_tensor **result)
{
    return ps_trace_at(0, x, result);
}
#define ps_trace(...) ps_trace_at(PS_HERE, __VA_ARGS__)

typedef struct ps_trace_options {
    ps_arg offset; /* 0 */
    ps_arg axis1; /* 0 */
    ps_arg axis2; /* 1 */
    ps_arg dtype; /* none */
} ps_trace_options;

static inline ps_status ps_trace_with_at(uint64_t location, ps_arg x, const ps_trace_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[5];
    args[0] = x;
    args[1] = options->offset;
    args[2] = options->axis1;
    args[3] = options->axis2;
    args[4] = options->dtype;
    return ps_ops_call(&op, "trace", args, 5, location, result);
}
static inline ps_status ps_trace_with(ps_arg x, const ps_trace_options *options, ps_tensor **result)
{
    return ps_trace_with_at(0, x, options, result);
}
#define ps_trace_with(...) ps_trace_with_at(PS_HERE, __VA_ARGS__)

/* tri(rows: int, columns: int = none, diagonal: int = 0, dtype: dtype = float32)
 * 1 on and below a diagonal, else 0. */
static inline ps_status ps_tri_at(uint64_t location, ps_arg rows, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = rows;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "tri", args, 4, location, result);
}
static inline ps_status ps_tri(ps_arg rows, ps_tensor **result)
{
    return ps_tri_at(0, rows, result);
}
#define ps_tri(...) ps_tri_at(PS_HERE, __VA_ARGS__)

typedef struct ps_tri_options {
    ps_arg columns; /* none */
    ps_arg diagonal; /* 0 */
    ps_arg dtype; /* float32 */
} ps_tri_options;

static inline ps_status ps_tri_with_at(uint64_t location, ps_arg rows, const ps_tri_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = rows;
    args[1] = options->columns;
    args[2] = options->diagonal;
    args[3] = options->dtype;
    return ps_ops_call(&op, "tri", args, 4, location, result);
}
static inline ps_status ps_tri_with(ps_arg rows, const ps_tri_options *options, ps_tensor **result)
{
    return ps_tri_with_at(0, rows, options, result);
}
#define ps_tri_with(...) ps_tri_with_at(PS_HERE, __VA_ARGS__)

/* tril(x, diagonal: int = 0)
 * The elements on and below a diagonal of the last two dimensions, else 0. */
static inline ps_status ps_tril_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "tril", args, 2, location, result);
}
static inline ps_status ps_tril(ps_arg x, ps_tensor **result)
{
    return ps_tril_at(0, x, result);
}
#define ps_tril(...) ps_tril_at(PS_HERE, __VA_ARGS__)

typedef struct ps_tril_options {
    ps_arg diagonal; /* 0 */
} ps_tril_options;

static inline ps_status ps_tril_with_at(uint64_t location, ps_arg x, const ps_tril_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->diagonal;
    return ps_ops_call(&op, "tril", args, 2, location, result);
}
static inline ps_status ps_tril_with(ps_arg x, const ps_tril_options *options, ps_tensor **result)
{
    return ps_tril_with_at(0, x, options, result);
}
#define ps_tril_with(...) ps_tril_with_at(PS_HERE, __VA_ARGS__)

/* triu(x, diagonal: int = 0)
 * The elements on and above a diagonal of the last two dimensions, else 0. */
static inline ps_status ps_triu_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "triu", args, 2, location, result);
}
static inline ps_status ps_triu(ps_arg x, ps_tensor **result)
{
    return ps_triu_at(0, x, result);
}
#define ps_triu(...) ps_triu_at(PS_HERE, __VA_ARGS__)

typedef struct ps_triu_options {
    ps_arg diagonal; /* 0 */
} ps_triu_options;

static inline ps_status ps_triu_with_at(uint64_t location, ps_arg x, const ps_triu_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = x;
    args[1] = options->diagonal;
    return ps_ops_call(&op, "triu", args, 2, location, result);
}
static inline ps_status ps_triu_with(ps_arg x, const ps_triu_options *options, ps_tensor **result)
{
    return ps_triu_with_at(0, x, options, result);
}
#define ps_triu_with(...) ps_triu_with_at(PS_HERE, __VA_ARGS__)

/* trunc(x)
 * Rounded toward zero. */
static inline ps_status ps_trunc_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[1];
    args[0] = x;
    return ps_ops_call(&op, "trunc", args, 1, location, result);
}
static inline ps_status ps_trunc(ps_arg x, ps_tensor **result)
{
    return ps_trunc_at(0, x, result);
}
#define ps_trunc(...) ps_trunc_at(PS_HERE, __VA_ARGS__)

/* unique_counts(x, order: positions = none, equal_nan: bool = false)
 * How often each of the elements of unique_values is in x. Waits for x. */
static inline ps_status ps_unique_counts_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "unique_counts", args, 3, location, result);
}
static inline ps_status ps_unique_counts(ps_arg x, ps_tensor **result)
{
    return ps_unique_counts_at(0, x, result);
}
#define ps_unique_counts(...) ps_unique_counts_at(PS_HERE, __VA_ARGS__)

typedef struct ps_unique_counts_options {
    ps_arg order; /* none */
    ps_arg equal_nan; /* false */
} ps_unique_counts_options;

static inline ps_status ps_unique_counts_with_at(uint64_t location, ps_arg x, const ps_unique_counts_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->order;
    args[2] = options->equal_nan;
    return ps_ops_call(&op, "unique_counts", args, 3, location, result);
}
static inline ps_status ps_unique_counts_with(ps_arg x, const ps_unique_counts_options *options, ps_tensor **result)
{
    return ps_unique_counts_with_at(0, x, options, result);
}
#define ps_unique_counts_with(...) ps_unique_counts_with_at(PS_HERE, __VA_ARGS__)

/* unique_indices(x, order: positions = none, equal_nan: bool = false)
 * Where in the flattened x each of the elements of unique_values is first. Waits for x. */
static inline ps_status ps_unique_indices_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "unique_indices", args, 3, location, result);
}
static inline ps_status ps_unique_indices(ps_arg x, ps_tensor **result)
{
    return ps_unique_indices_at(0, x, result);
}
#define ps_unique_indices(...) ps_unique_indices_at(PS_HERE, __VA_ARGS__)

typedef struct ps_unique_indices_options {
    ps_arg order; /* none */
    ps_arg equal_nan; /* false */
} ps_unique_indices_options;

static inline ps_status ps_unique_indices_with_at(uint64_t location, ps_arg x, const ps_unique_indices_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->order;
    args[2] = options->equal_nan;
    return ps_ops_call(&op, "unique_indices", args, 3, location, result);
}
static inline ps_status ps_unique_indices_with(ps_arg x, const ps_unique_indices_options *options, ps_tensor **result)
{
    return ps_unique_indices_with_at(0, x, options, result);
}
#define ps_unique_indices_with(...) ps_unique_indices_with_at(PS_HERE, __VA_ARGS__)

/* unique_inverse(x, order: positions = none, equal_nan: bool = false)
 * Which of the elements of unique_values each element of x is, in the shape of x. */
static inline ps_status ps_unique_inverse_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "unique_inverse", args, 3, location, result);
}
static inline ps_status ps_unique_inverse(ps_arg x, ps_tensor **result)
{
    return ps_unique_inverse_at(0, x, result);
}
#define ps_unique_inverse(...) ps_unique_inverse_at(PS_HERE, __VA_ARGS__)

typedef struct ps_unique_inverse_options {
    ps_arg order; /* none */
    ps_arg equal_nan; /* false */
} ps_unique_inverse_options;

static inline ps_status ps_unique_inverse_with_at(uint64_t location, ps_arg x, const ps_unique_inverse_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->order;
    args[2] = options->equal_nan;
    return ps_ops_call(&op, "unique_inverse", args, 3, location, result);
}
static inline ps_status ps_unique_inverse_with(ps_arg x, const ps_unique_inverse_options *options, ps_tensor **result)
{
    return ps_unique_inverse_with_at(0, x, options, result);
}
#define ps_unique_inverse_with(...) ps_unique_inverse_with_at(PS_HERE, __VA_ARGS__)

/* unique_values(x, order: positions = none, equal_nan: bool = false)
 * The different elements of x, sorted, in one dimension. Every NaN differs from the others unless equal_nan. order: positions of the flattened x by argsort, if they are known. Waits for x. */
static inline ps_status ps_unique_values_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "unique_values", args, 3, location, result);
}
static inline ps_status ps_unique_values(ps_arg x, ps_tensor **result)
{
    return ps_unique_values_at(0, x, result);
}
#define ps_unique_values(...) ps_unique_values_at(PS_HERE, __VA_ARGS__)

typedef struct ps_unique_values_options {
    ps_arg order; /* none */
    ps_arg equal_nan; /* false */
} ps_unique_values_options;

static inline ps_status ps_unique_values_with_at(uint64_t location, ps_arg x, const ps_unique_values_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x;
    args[1] = options->order;
    args[2] = options->equal_nan;
    return ps_ops_call(&op, "unique_values", args, 3, location, result);
}
static inline ps_status ps_unique_values_with(ps_arg x, const ps_unique_values_options *options, ps_tensor **result)
{
    return ps_unique_values_with_at(0, x, options, result);
}
#define ps_unique_values_with(...) ps_unique_values_with_at(PS_HERE, __VA_ARGS__)

/* var(x, axis: axes = none, correction: float = 0.0, keepdims: bool = false)
 * Variance over the axes: squared distances from the mean, divided by count - correction. */
static inline ps_status ps_variance_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "var", args, 4, location, result);
}
static inline ps_status ps_variance(ps_arg x, ps_tensor **result)
{
    return ps_variance_at(0, x, result);
}
#define ps_variance(...) ps_variance_at(PS_HERE, __VA_ARGS__)

typedef struct ps_variance_options {
    ps_arg axis; /* none */
    ps_arg correction; /* 0.0 */
    ps_arg keepdims; /* false */
} ps_variance_options;

static inline ps_status ps_variance_with_at(uint64_t location, ps_arg x, const ps_variance_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->axis;
    args[2] = options->correction;
    args[3] = options->keepdims;
    return ps_ops_call(&op, "var", args, 4, location, result);
}
static inline ps_status ps_variance_with(ps_arg x, const ps_variance_options *options, ps_tensor **result)
{
    return ps_variance_with_at(0, x, options, result);
}
#define ps_variance_with(...) ps_variance_with_at(PS_HERE, __VA_ARGS__)

/* vecdot(x1, x2, axis: axis = -1)
 * Sum of products over one axis, the others broadcast; of complex numbers x1 is conjugated. */
static inline ps_status ps_vecdot_at(uint64_t location, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x1;
    args[1] = x2;
    args[2].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "vecdot", args, 3, location, result);
}
static inline ps_status ps_vecdot(ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_vecdot_at(0, x1, x2, result);
}
#define ps_vecdot(...) ps_vecdot_at(PS_HERE, __VA_ARGS__)

typedef struct ps_vecdot_options {
    ps_arg axis; /* -1 */
} ps_vecdot_options;

static inline ps_status ps_vecdot_with_at(uint64_t location, ps_arg x1, ps_arg x2, const ps_vecdot_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = x1;
    args[1] = x2;
    args[2] = options->axis;
    return ps_ops_call(&op, "vecdot", args, 3, location, result);
}
static inline ps_status ps_vecdot_with(ps_arg x1, ps_arg x2, const ps_vecdot_options *options, ps_tensor **result)
{
    return ps_vecdot_with_at(0, x1, x2, options, result);
}
#define ps_vecdot_with(...) ps_vecdot_with_at(PS_HERE, __VA_ARGS__)

/* vector_norm(x, ord: float = 2.0, axis: axes = none, keepdims: bool = false)
 * The norm of an order over the axes: the sum of the absolute values to that power, to the power of one over it; for 0 how many are not 0, for inf the largest, for -inf the smallest. */
static inline ps_status ps_vector_norm_at(uint64_t location, ps_arg x, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "vector_norm", args, 4, location, result);
}
static inline ps_status ps_vector_norm(ps_arg x, ps_tensor **result)
{
    return ps_vector_norm_at(0, x, result);
}
#define ps_vector_norm(...) ps_vector_norm_at(PS_HERE, __VA_ARGS__)

typedef struct ps_vector_norm_options {
    ps_arg ord; /* 2.0 */
    ps_arg axis; /* none */
    ps_arg keepdims; /* false */
} ps_vector_norm_options;

static inline ps_status ps_vector_norm_with_at(uint64_t location, ps_arg x, const ps_vector_norm_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[4];
    args[0] = x;
    args[1] = options->ord;
    args[2] = options->axis;
    args[3] = options->keepdims;
    return ps_ops_call(&op, "vector_norm", args, 4, location, result);
}
static inline ps_status ps_vector_norm_with(ps_arg x, const ps_vector_norm_options *options, ps_tensor **result)
{
    return ps_vector_norm_with_at(0, x, options, result);
}
#define ps_vector_norm_with(...) ps_vector_norm_with_at(PS_HERE, __VA_ARGS__)

/* where(condition: mask, x1, x2)
 * x1 where the condition is true, else x2. */
static inline ps_status ps_where_at(uint64_t location, ps_arg condition, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[3];
    args[0] = condition;
    args[1] = x1;
    args[2] = x2;
    return ps_ops_call(&op, "where", args, 3, location, result);
}
static inline ps_status ps_where(ps_arg condition, ps_arg x1, ps_arg x2, ps_tensor **result)
{
    return ps_where_at(0, condition, x1, x2, result);
}
#define ps_where(...) ps_where_at(PS_HERE, __VA_ARGS__)

/* xavier(shape: ints, distribution: choice(uniform gaussian) = none, factor: choice(avg in out) = none, magnitude: float = 3.0, dtype: dtype = float32, generator: generator = none)
 * Random numbers for a parameter (outputs, inputs, ...): spread evenly over [-s, s) (uniform, also if none is given) or normal with deviation s, s = sqrt(magnitude / f). f is the number of inputs of a unit (in), of outputs (out), or their mean (avg, also if none is given); each counts the elements of the dimensions behind the second. */
static inline ps_status ps_xavier_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[6];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    args[2].kind = PS_ARG_NONE;
    args[3].kind = PS_ARG_NONE;
    args[4].kind = PS_ARG_NONE;
    args[5].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "xavier", args, 6, location, result);
}
static inline ps_status ps_xavier(ps_arg shape, ps_tensor **result)
{
    return ps_xavier_at(0, shape, result);
}
#define ps_xavier(...) ps_xavier_at(PS_HERE, __VA_ARGS__)

typedef struct ps_xavier_options {
    ps_arg distribution; /* none */
    ps_arg factor; /* none */
    ps_arg magnitude; /* 3.0 */
    ps_arg dtype; /* float32 */
    ps_arg generator; /* none */
} ps_xavier_options;

static inline ps_status ps_xavier_with_at(uint64_t location, ps_arg shape, const ps_xavier_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[6];
    args[0] = shape;
    args[1] = options->distribution;
    args[2] = options->factor;
    args[3] = options->magnitude;
    args[4] = options->dtype;
    args[5] = options->generator;
    return ps_ops_call(&op, "xavier", args, 6, location, result);
}
static inline ps_status ps_xavier_with(ps_arg shape, const ps_xavier_options *options, ps_tensor **result)
{
    return ps_xavier_with_at(0, shape, options, result);
}
#define ps_xavier_with(...) ps_xavier_with_at(PS_HERE, __VA_ARGS__)

/* zeros(shape: ints, dtype: dtype = float32)
 * All elements 0. */
static inline ps_status ps_zeros_at(uint64_t location, ps_arg shape, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = shape;
    args[1].kind = PS_ARG_NONE;
    return ps_ops_call(&op, "zeros", args, 2, location, result);
}
static inline ps_status ps_zeros(ps_arg shape, ps_tensor **result)
{
    return ps_zeros_at(0, shape, result);
}
#define ps_zeros(...) ps_zeros_at(PS_HERE, __VA_ARGS__)

typedef struct ps_zeros_options {
    ps_arg dtype; /* float32 */
} ps_zeros_options;

static inline ps_status ps_zeros_with_at(uint64_t location, ps_arg shape, const ps_zeros_options *options, ps_tensor **result)
{
    static const ps_op *op;
    ps_arg args[2];
    args[0] = shape;
    args[1] = options->dtype;
    return ps_ops_call(&op, "zeros", args, 2, location, result);
}
static inline ps_status ps_zeros_with(ps_arg shape, const ps_zeros_options *options, ps_tensor **result)
{
    return ps_zeros_with_at(0, shape, options, result);
}
#define ps_zeros_with(...) ps_zeros_with_at(PS_HERE, __VA_ARGS__)

#ifdef __cplusplus
}
#endif
#endif
