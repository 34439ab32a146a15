/* Products over given axes: both tensors are brought into the form of matrices, whose product is
 * the result in another shape. What can be done by views is; the rest is copied by `reshape`.
 *
 * Everything is checked before anything is queued. */
#include "base/error.h"
#include "engine/origin.h"
#include "ops/calls.h"

#include <inttypes.h>

/* A shape in words, for as long as the block lasts. */
#define TEXT(tensor) ps__shape_text((tensor)->ndim, ps__shape(tensor))

/* A product over the axes axes[0][i] of the first and axes[1][i] of the second tensor. */
typedef struct contraction {
    const ps__bound_call *call;
    const ps__home *home;
    ps_tensor *x[2];
    int axes[2][PS_DIMS_MAX]; /* those that are summed over, then the others */
    int summed;
    int64_t k, outer[2]; /* products of the lengths of these and of those */
    ps_dtype dtype;
    int ndim; /* of the result */
    int64_t shape[PS_DIMS_MAX];
} contraction;

static const char *name_of(const contraction *c)
{
    return c->call->op->row.name;
}

/* ---- reading ----------------------------------------------------------------------------- */

static ps_status contraction_begin(const ps__bound_call *call, contraction *c)
{
    c->call = call;
    for (int side = 0; side < 2; side++)
        c->x[side] = call->args[side].as.tensor;
    c->dtype = ps__promote(c->x[0]->dtype, c->x[1]->dtype);
    return ps__common_home(call, &c->home);
}

/* The axes of one tensor as they are given, then the others in order. */
static ps_status read_axes(contraction *c, int side, unsigned count, const int64_t *given)
{
    uint32_t seen = 0;
    int ndim = c->x[side]->ndim, at = 0;
    for (unsigned i = 0; i < count; i++) {
        int axis;
        ps_status status = ps__axis(name_of(c), given[i], ndim, &axis);
        if (status != PS_OK)
            return status;
        if (seen >> axis & 1)
            return ps__fail(PS_ERR_ARGUMENT, "%s: axis %" PRId64 " of x%d is given twice",
                            name_of(c), ps__stated(axis), side + 1);
        seen |= 1u << axis;
        c->axes[side][at++] = axis;
    }
    for (int axis = 0; axis < ndim; axis++)
        if (!(seen >> axis & 1))
            c->axes[side][at++] = axis;
    return PS_OK;
}

static int64_t length_of_axis(const contraction *c, int side, int index)
{
    return ps__shape(c->x[side])[c->axes[side][index]];
}

static ps_status check_lengths(const contraction *c)
{
    for (int i = 0; i < c->summed; i++)
        if (length_of_axis(c, 0, i) != length_of_axis(c, 1, i))
            return ps__fail(PS_ERR_ARGUMENT,
                            "%s: shapes %s and %s do not fit: axis %" PRId64
                            " of x1 has length %" PRId64 ", axis %" PRId64 " of x2 %" PRId64,
                            name_of(c), TEXT(c->x[0]), TEXT(c->x[1]), ps__stated(c->axes[0][i]),
                            length_of_axis(c, 0, i), ps__stated(c->axes[1][i]),
                            length_of_axis(c, 1, i));
    return PS_OK;
}

static ps_status find_shape(contraction *c)
{
    int64_t count;
    int free1 = c->x[0]->ndim - c->summed, free2 = c->x[1]->ndim - c->summed;
    if (free1 + free2 > PS_DIMS_MAX)
        return ps__fail(PS_ERR_ARGUMENT, "%s: shapes %s and %s give %d dimensions, at most %d",
                        name_of(c), TEXT(c->x[0]), TEXT(c->x[1]), free1 + free2, PS_DIMS_MAX);
    c->ndim = 0;
    c->k = 1;
    for (int i = 0; i < c->summed; i++)
        c->k *= length_of_axis(c, 0, i);
    for (int side = 0; side < 2; side++) {
        c->outer[side] = 1;
        for (int i = c->summed; i < c->x[side]->ndim; i++) {
            c->shape[c->ndim++] = length_of_axis(c, side, i);
            c->outer[side] *= length_of_axis(c, side, i);
        }
    }
    return ps__shape_check(name_of(c), c->dtype, c->ndim, c->shape, &count);
}

/* ---- multiplying ------------------------------------------------------------------------- */

/* The tensor as a matrix: its other axes by those summed over, or for the second the reverse. */
static ps_status matrix_of(const contraction *c, int side, ps_tensor **matrix)
{
    ps_tensor *x = c->x[side], *view;
    int order[PS_DIMS_MAX], ndim = x->ndim;
    int shift = side == 0 ? c->summed : 0;
    for (int i = 0; i < ndim; i++)
        order[i] = c->axes[side][(i + shift) % ndim];
    ps_status status = ps_tensor_permute(x, order, ndim, &view);
    if (status != PS_OK)
        return status;
    int64_t shape[2] = {side == 0 ? c->outer[0] : c->k, side == 0 ? c->k : c->outer[1]};
    ps_arg args[2] = {ps__arg_tensor(view), {.kind = PS_ARG_INTS, .count = 2, .as.ints = shape}};
    *matrix = NULL;
    status = ps__call("reshape", c->call->call, args, 2, matrix);
    ps_tensor_release(view);
    return status;
}

static ps_status multiply_matrices(const contraction *c, ps_tensor **out)
{
    ps_tensor *a, *b;
    ps_status status = matrix_of(c, 0, &a);
    if (status != PS_OK)
        return status;
    status = matrix_of(c, 1, &b);
    if (status == PS_OK) {
        ps_arg args[2] = {ps__arg_tensor(a), ps__arg_tensor(b)};
        status = ps__call("matmul", c->call->call, args, 2, out);
        ps_tensor_release(b);
    }
    ps_tensor_release(a);
    return status;
}

static ps_status make_contraction(const contraction *c, ps_tensor **out)
{
    ps_tensor *flat = NULL;
    ps_status status = multiply_matrices(c, &flat);
    if (status != PS_OK)
        return status;
    status = ps_tensor_view_as(flat, c->ndim, c->shape, out);
    ps_tensor_release(flat);
    return status;
}

/* Into the output as a matrix. */
static ps_status write_into(const contraction *c, ps_tensor *out)
{
    ps_tensor *matrix;
    ps_status status = ps_tensor_view_as(out, 2, c->outer, &matrix);
    if (status != PS_OK)
        return status;
    status = multiply_matrices(c, &matrix);
    ps_tensor_release(matrix);
    return status;
}

static ps_status contract(contraction *c)
{
    ps__output output;
    ps_status status = check_lengths(c);
    if (status == PS_OK)
        status = find_shape(c);
    if (status != PS_OK)
        return status;
    if (c->call->call->outputs[0] == NULL)
        return make_contraction(c, c->call->call->outputs);
    status = ps__output_begin(c->call, 0, c->home, c->dtype, c->ndim, c->shape, 0, &output);
    if (status != PS_OK)
        return status;
    return ps__output_end(c->call, &output, write_into(c, output.tensor));
}

/* ---- the calls --------------------------------------------------------------------------- */

ps_status ps__op_tensordot(const ps__bound_call *call)
{
    contraction c;
    const ps_arg *axes1 = &call->args[2], *axes2 = &call->args[3];
    ps_status status = contraction_begin(call, &c);
    if (status == PS_OK && axes1->count != axes2->count)
        status = ps__fail(PS_ERR_ARGUMENT, "tensordot: %u axes of x1 but %u of x2", axes1->count,
                          axes2->count);
    if (status == PS_OK)
        status = read_axes(&c, 0, axes1->count, axes1->as.ints);
    if (status == PS_OK)
        status = read_axes(&c, 1, axes2->count, axes2->as.ints);
    if (status != PS_OK)
        return status;
    c.summed = (int)axes1->count;
    return contract(&c);
}

static bool is_number(const ps_arg *arg)
{
    return arg->kind != PS_ARG_TENSOR || arg->as.tensor->ndim == 0;
}

/* The result is that of matmul unless both have dimensions to spare: those of x2 then follow those
 * of x1 instead of being paired with them. */
ps_status ps__op_dot(const ps__bound_call *call)
{
    contraction c;
    const ps_call *outer = call->call;
    if (is_number(&call->args[0]) || is_number(&call->args[1]))
        return ps__call("multiply", outer, call->args, 2, &outer->outputs[0]);
    ps_status status = contraction_begin(call, &c);
    if (status != PS_OK)
        return status;
    int ndim1 = c.x[0]->ndim, ndim2 = c.x[1]->ndim;
    c.summed = 1;
    status = read_axes(&c, 0, 1, (int64_t[]){-1});
    if (status == PS_OK)
        status = read_axes(&c, 1, 1, (int64_t[]){ndim2 == 1 ? 0 : -2});
    if (status == PS_OK)
        status = check_lengths(&c);
    if (status != PS_OK)
        return status;
    if (ndim1 == 1 || ndim2 <= 2)
        return ps__call("matmul", outer, call->args, 2, &outer->outputs[0]);
    return contract(&c);
}
