/* take: elements, or slices along an axis, at integer positions. Positions are looked at while
 * running: the first that is out of range fails the task. */
#include "base/error.h"
#include "ops/along.h"
#include "ops/positions.h"

#include <string.h>

/* How slices of x along the axis lie. */
static void describe_slices(const ps_tensor *x, int axis, ps__work_take *work)
{
    int64_t shape[PS_DIMS_MAX], strides[1][PS_DIMS_MAX], item = (int64_t)ps__dtype_bytes(x->dtype);
    int64_t inner = 1;
    for (int i = axis + 1; i < x->ndim; i++)
        inner *= ps__shape(x)[i];
    work->length = ps__shape(x)[axis];
    work->step = ps__strides(x)[axis] * item;
    work->bytes = inner * item;
    memcpy(shape, ps__shape(x), (size_t)axis * sizeof shape[0]);
    memcpy(strides[0], ps__strides(x), (size_t)axis * sizeof shape[0]);
    int before = ps__space_collapse(axis, shape, 1, strides);
    work->outer = 1;
    for (int i = 0; i < axis; i++)
        work->outer *= ps__shape(x)[i];
    work->outer_step = before == 1 ? strides[0][0] * item : 0;
    work->slices = before > 1 || !ps__shape_contiguous(x->ndim - axis - 1, ps__shape(x) + axis + 1,
                                                       ps__strides(x) + axis + 1);
}

static ps_status take_shape(const char *row, const ps_tensor *x, const ps_tensor *indices, int axis,
                            int *ndim, int64_t *shape)
{
    int64_t count;
    *ndim = x->ndim - 1 + indices->ndim;
    if (*ndim > PS_DIMS_MAX)
        return ps__fail(PS_ERR_ARGUMENT, "%s: shapes %s and %s make %d dimensions, at most %d", row,
                        ps__shape_text(x->ndim, ps__shape(x)),
                        ps__shape_text(indices->ndim, ps__shape(indices)), *ndim, PS_DIMS_MAX);
    int at = 0;
    for (int i = 0; i < axis; i++)
        shape[at++] = ps__shape(x)[i];
    for (int i = 0; i < indices->ndim; i++)
        shape[at++] = ps__shape(indices)[i];
    for (int i = axis + 1; i < x->ndim; i++)
        shape[at++] = ps__shape(x)[i];
    return ps__shape_check(row, (ps_dtype)x->dtype, *ndim, shape, &count);
}

static ps_status submit_take(const ps__bound_call *call, const ps__output *output, ps_tensor *x,
                             ps_tensor *indices, ps__work_take *work)
{
    ps_tensor *inputs[2] = {x, indices};
    if (work->slices || work->outer != 1)
        work->head.scratch = (uint64_t)work->count * sizeof(int64_t);
    return ps__submit(&(ps__job){.call = call,
                                 .work = &work->head,
                                 .output = output,
                                 .outputs = 1,
                                 .input = inputs,
                                 .inputs = 2,
                                 .cost_ns = ps__copy_cost(output->tensor) + (uint64_t)work->count});
}

/* `named` is the axis for messages. */
static ps_status take_along(const ps__bound_call *call, ps_tensor *x, ps_tensor *indices, int axis,
                            int named)
{
    ps__work_take work = {.head = PS__WORK_HEAD(TAKE, ps__work_take), .count = indices->count};
    int64_t shape[PS_DIMS_MAX];
    int ndim;
    ps__output output;
    ps_status status = take_shape(call->op->row.name, x, indices, axis, &ndim, shape);
    if (status == PS_OK)
        status = ps__output_begin(call, 0, x->home, (ps_dtype)x->dtype, ndim, shape, 0, &output);
    if (status != PS_OK)
        return status;
    ps_tensor *packed = NULL;
    describe_slices(x, axis, &work);
    /* Slices in pieces cost more than moving all of x, unless they are large and few. */
    if (work.slices && (work.outer * work.bytes < 1024 || output.tensor->count > x->count / 8)) {
        status = ps__contiguous(call, x, &packed);
        if (status != PS_OK)
            return ps__output_end(call, &output, status);
        describe_slices(packed, axis, &work);
    }
    work.axis = named;
    status = submit_take(call, &output, packed != NULL ? packed : x, indices, &work);
    ps_tensor_release(packed);
    return ps__output_end(call, &output, status);
}

ps_status ps__op_take(const ps__bound_call *call)
{
    ps_tensor *x = call->args[0].as.tensor, *indices, *flat = NULL;
    const ps__home *home;
    bool whole = call->args[2].kind == PS_ARG_NONE;
    int axis = 0;
    ps_status status =
        whole ? PS_OK : ps__axis(call->op->row.name, call->args[2].as.integer, x->ndim, &axis);
    if (status == PS_OK)
        status = ps__common_home(call, &home);
    if (status != PS_OK)
        return status;
    status = ps__positions_of(call, 1, x, &indices);
    if (status != PS_OK)
        return status;
    if (whole)
        status = ps__flattened(call, x, &flat);
    if (status == PS_OK)
        status = take_along(call, whole ? flat : x, indices, axis, whole ? -1 : axis);
    ps_tensor_release(flat);
    ps_tensor_release(indices);
    return status;
}

ps_status ps__take_lines(const ps__bound_call *call, ps_tensor *x, ps_tensor *indices, int axis,
                         int64_t behind, ps_tensor **made)
{
    int64_t item = (int64_t)ps__dtype_bytes(x->dtype), length = ps__shape(x)[x->ndim - 1];
    ps__work_take work = {.head = PS__WORK_HEAD(TAKE, ps__work_take),
                          .axis = axis,
                          .count = indices->count,
                          .length = length,
                          .step = item,
                          .outer = 1,
                          .bytes = item,
                          .per = ps__shape(indices)[indices->ndim - 1],
                          .line = length * item,
                          .behind = behind};
    ps_call into = *call->call;
    ps__bound_call own; /* its arguments are not read */
    ps__output output;
    into.outputs = made;
    into.noutputs = 1;
    own.op = call->op;
    own.call = &into;
    ps_status status = ps__output_begin(&own, 0, x->home, (ps_dtype)x->dtype, indices->ndim,
                                        ps__shape(indices), 0, &output);
    if (status != PS_OK)
        return status;
    return ps__output_end(&own, &output, submit_take(&own, &output, x, indices, &work));
}
