/* Elements without their repetitions: unique_values, unique_indices, unique_inverse, unique_counts.
 *
 * All are made of other operations: the elements in order, a mask that is true where one differs
 * from the one before it, and what that mask selects. Sorting is stable, so of equal elements the
 * first is the one that counts. Who wants several of these gives `order`, the result of argsort over
 * all of x, so that it is sorted once. */
#include "base/error.h"
#include "ops/calls.h"

typedef struct finding {
    const ps__bound_call *call;
    ps_call on;   /* where to make tensors: on x's device */
    ps_tensor *x; /* not ours */
    ps_tensor *flat, *order, *sorted, *mask;
} finding;

static ps_status call_2(const finding *f, const char *name, ps_tensor *a, ps_tensor *b,
                        ps_tensor **result)
{
    ps_arg args[2] = {ps__arg_tensor(a), ps__arg_tensor(b)};
    *result = NULL;
    return ps__call(name, &f->on, args, 2, result);
}

static ps_status call_1(const finding *f, const char *name, ps_tensor *x, ps_tensor **result)
{
    ps_arg arg = ps__arg_tensor(x);
    *result = NULL;
    return ps__call(name, &f->on, &arg, 1, result);
}

/* One dimension with one element. */
static ps_status single_element(const finding *f, ps_scalar value, ps_tensor **result)
{
    int64_t one = 1;
    ps_arg args[2] = {{.kind = PS_ARG_INTS, .count = 1, .as.ints = &one},
                      {.kind = PS_ARG_SCALAR, .as.scalar = value}};
    *result = NULL;
    return ps__call("full", &f->on, args, 2, result);
}

/* Elements [first, first + n) of one dimension, as a view. */
static ps_status part_of(ps_tensor *x, int64_t first, int64_t n, ps_tensor **view)
{
    ps__layout to;
    ps__layout_narrow(x, 0, first, n, &to);
    return ps__view(x, (ps_dtype)x->dtype, &to, view);
}

/* ---- the elements in order ----------------------------------------------------------- */

static ps_status check_order(const finding *f, ps_tensor *order)
{
    if (order->ndim == 1 && order->dtype == PS_INT64 && order->count == f->x->count)
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "%s: order must be %lld places of int64, not %s of shape %s",
                    f->call->op->row.name, (long long)f->x->count, ps__dtypes[order->dtype].name,
                    ps__shape_text(order->ndim, ps__shape(order)));
}

/* What argsort gives, or was given. */
static ps_status find_order(finding *f)
{
    const ps_arg *given = &f->call->args[1];
    if (given->kind == PS_ARG_NONE)
        return call_1(f, "argsort", f->flat, &f->order);
    f->order = given->as.tensor;
    ps_status status = check_order(f, f->order);
    if (status == PS_OK)
        return ps_tensor_retain(f->order);
    f->order = NULL;
    return status;
}

static ps_status sort_elements(finding *f, bool positions)
{
    if (!positions && f->call->args[1].kind == PS_ARG_NONE)
        return call_1(f, "sort", f->flat, &f->sorted);
    ps_status status = find_order(f);
    return status == PS_OK ? call_2(f, "take", f->flat, f->order, &f->sorted) : status;
}

/* ---- the mask ------------------------------------------------------------------------ */

/* differ, but not where both are NaN. */
static ps_status same_nans(const finding *f, ps_tensor *a, ps_tensor *b, ps_tensor **differ)
{
    ps_tensor *numbers[2] = {NULL, NULL}, *either = NULL, *merged = NULL;
    ps_status status = call_2(f, "equal", a, a, &numbers[0]); /* false for NaN */
    if (status == PS_OK)
        status = call_2(f, "equal", b, b, &numbers[1]);
    if (status == PS_OK)
        status = call_2(f, "logical_or", numbers[0], numbers[1], &either);
    if (status == PS_OK)
        status = call_2(f, "logical_and", *differ, either, &merged);
    if (status == PS_OK) {
        ps_tensor_release(*differ);
        *differ = merged;
    }
    ps_tensor_release(numbers[0]);
    ps_tensor_release(numbers[1]);
    ps_tensor_release(either);
    return status;
}

/* Whether elements 1 .. n - 1 differ from those before them. */
static ps_status find_differences(const finding *f, ps_tensor **differ)
{
    int64_t n = f->sorted->count;
    ps_tensor *before = NULL, *here = NULL;
    bool equal_nans =
        f->call->args[2].as.boolean && ps__dtype_is_inexact((ps_dtype)f->sorted->dtype);
    ps_status status = part_of(f->sorted, 0, n - 1, &before);
    if (status == PS_OK)
        status = part_of(f->sorted, 1, n - 1, &here);
    if (status == PS_OK)
        status = call_2(f, "not_equal", before, here, differ);
    if (status == PS_OK && equal_nans)
        status = same_nans(f, before, here, differ);
    ps_tensor_release(before);
    ps_tensor_release(here);
    return status;
}

static ps_status concatenate(const finding *f, ps_tensor *first, ps_tensor *second,
                             ps_tensor **result)
{
    ps_tensor *both[2] = {first, second};
    ps_arg arg = {.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = both};
    *result = NULL;
    return ps__call("concatenate", &f->on, &arg, 1, result);
}

static ps_status find_mask(finding *f)
{
    ps_tensor *first = NULL, *differ = NULL;
    if (f->sorted->count == 0)
        return call_2(f, "not_equal", f->sorted, f->sorted, &f->mask);
    ps_status status = single_element(f, (ps_scalar){PS_SCALAR_BOOL, {.b = true}}, &first);
    if (status == PS_OK)
        status = find_differences(f, &differ);
    if (status == PS_OK)
        status = concatenate(f, first, differ, &f->mask);
    ps_tensor_release(first);
    ps_tensor_release(differ);
    return status;
}

/* On failure the caller still ends it. */
static ps_status finding_begin(finding *f, const ps__bound_call *call, bool positions)
{
    const ps__home *home;
    *f = (finding){.call = call, .on = *call->call, .x = call->args[0].as.tensor};
    ps_status status = ps__common_home(call, &home);
    if (status != PS_OK)
        return status;
    f->on.device = home->device;
    status = ps__flattened(call, f->x, &f->flat);
    if (status == PS_OK)
        status = sort_elements(f, positions);
    return status == PS_OK ? find_mask(f) : status;
}

static ps_status finding_end(finding *f, ps_status status)
{
    ps_tensor_release(f->flat);
    ps_tensor_release(f->order);
    ps_tensor_release(f->sorted);
    ps_tensor_release(f->mask);
    return status;
}

/* ---- the operations ------------------------------------------------------------------ */

ps_status ps__op_unique_values(const ps__bound_call *call)
{
    finding f;
    if (call->call->outputs[0] != NULL)
        return ps__output_apart(call);
    ps_status status = finding_begin(&f, call, false);
    if (status == PS_OK)
        status = call_2(&f, "masked_select", f.sorted, f.mask, call->call->outputs);
    return finding_end(&f, status);
}

ps_status ps__op_unique_indices(const ps__bound_call *call)
{
    finding f;
    if (call->call->outputs[0] != NULL)
        return ps__output_apart(call);
    ps_status status = finding_begin(&f, call, true);
    if (status == PS_OK)
        status = call_2(&f, "masked_select", f.order, f.mask, call->call->outputs);
    return finding_end(&f, status);
}

/* Which of the unique ones each element in order is: as many as began up to it, less one. */
static ps_status ranks_of(const finding *f, ps_tensor **ranks)
{
    ps_tensor *sums;
    ps_status status = call_1(f, "cumulative_sum", f->mask, &sums);
    if (status != PS_OK)
        return status;
    ps_arg args[2] = {ps__arg_tensor(sums),
                      {.kind = PS_ARG_SCALAR, .as.scalar = {PS_SCALAR_INT64, {.i = 1}}}};
    *ranks = NULL;
    status = ps__call("subtract", &f->on, args, 2, ranks);
    ps_tensor_release(sums);
    return status;
}

/* ranks, at the places from which the elements came. */
static ps_status put_back(const finding *f, ps_tensor *ranks, ps_tensor **result)
{
    ps_tensor *line = NULL;
    ps_arg args[3] = {ps__arg_tensor(ranks), ps__arg_tensor(f->order), ps__arg_tensor(ranks)};
    ps_status status = ps__call("put", &f->on, args, 3, &line);
    if (status != PS_OK)
        return status;
    status = ps_tensor_view_as(line, f->x->ndim, ps__shape(f->x), result);
    ps_tensor_release(line);
    return status;
}

ps_status ps__op_unique_inverse(const ps__bound_call *call)
{
    finding f;
    ps_tensor *ranks = NULL;
    if (call->call->outputs[0] != NULL)
        return ps__output_apart(call);
    ps_status status = finding_begin(&f, call, true);
    if (status == PS_OK)
        status = ranks_of(&f, &ranks);
    if (status == PS_OK)
        status = put_back(&f, ranks, call->call->outputs);
    ps_tensor_release(ranks);
    return finding_end(&f, status);
}

/* Distances between the places where the mask is true, and from the last of them to the end. */
static ps_status distances_between(const finding *f, ps_tensor *starts, ps_tensor **result)
{
    ps_tensor *line = NULL, *rest = NULL, *last = NULL, *ends = NULL;
    int64_t n = starts->count;
    ps_status status = ps__flattened(f->call, starts, &line);
    if (status == PS_OK && n == 0)
        return *result = line, PS_OK;
    if (status == PS_OK)
        status = part_of(line, 1, n - 1, &rest);
    if (status == PS_OK)
        status = single_element(f, (ps_scalar){PS_SCALAR_INT64, {.i = f->x->count}}, &last);
    if (status == PS_OK)
        status = concatenate(f, rest, last, &ends);
    if (status == PS_OK)
        status = call_2(f, "subtract", ends, line, result);
    ps_tensor_release(line);
    ps_tensor_release(rest);
    ps_tensor_release(last);
    ps_tensor_release(ends);
    return status;
}

ps_status ps__op_unique_counts(const ps__bound_call *call)
{
    finding f;
    ps_tensor *starts = NULL;
    if (call->call->outputs[0] != NULL)
        return ps__output_apart(call);
    ps_status status = finding_begin(&f, call, false);
    if (status == PS_OK)
        status = call_1(&f, "nonzero", f.mask, &starts);
    if (status == PS_OK)
        status = distances_between(&f, starts, call->call->outputs);
    ps_tensor_release(starts);
    return finding_end(&f, status);
}
