/* Several arrays of positions as one, by arithmetic that is queued like any other. Whether they are
 * in range is found by reading a table of multiples at them: the error names axis and position. */
#include "ops/index.h"

static ps_status multiply(const ps__pick *pick, ps_tensor *at, int64_t stride, ps_tensor **product)
{
    ps_arg args[] = {ps_arg_tensor(at), ps_arg_int(stride)};
    return ps__call("multiply", pick->on, args, 2, product);
}

/* 0, stride, 2 stride, ... along the axis, all dimensions before which have length 1. */
static ps_status make_table(const ps__pick *pick, int axis, int64_t stride, ps_tensor **table)
{
    int64_t shape[PS_DIMS_MAX], length = ps__shape(pick->view)[axis];
    ps_arg args[] = {ps_arg_int(0), ps_arg_int(length * stride), ps_arg_int(stride),
                     ps_arg_dtype(PS_INT64)};
    ps_tensor *line = NULL;
    ps_status status = ps__call("arange", pick->on, args, 4, &line);
    if (status != PS_OK)
        return status;
    for (int i = 0; i < axis; i++)
        shape[i] = 1;
    shape[axis] = length;
    status = ps_tensor_view_as(line, axis + 1, shape, table);
    ps_tensor_release(line);
    return status;
}

/* The table's elements at the positions. Takes it over. */
static ps_status look_up(const ps__pick *pick, const ps__positions *positions, ps_tensor *table,
                         ps_tensor **scaled)
{
    ps_tensor *found = NULL;
    ps_arg args[] = {ps_arg_tensor(table), ps_arg_tensor(positions->at),
                     ps_arg_int(positions->axis)};
    ps_status status = ps__call("take", pick->on, args, 3, &found);
    ps_tensor_release(table);
    if (status != PS_OK)
        return status;
    status = ps_tensor_view_as(found, positions->at->ndim, ps__shape(positions->at), scaled);
    ps_tensor_release(found);
    return status;
}

/* Positions of one array times the stride, all counted from the start. Those of masks are so. */
static ps_status scale(const ps__pick *pick, const ps__positions *positions, int64_t stride,
                       ps_tensor **scaled)
{
    ps_tensor *table;
    *scaled = NULL;
    if (positions->given->dtype == PS_BOOL)
        return multiply(pick, positions->at, stride, scaled);
    ps_status status = make_table(pick, positions->axis, stride, &table);
    return status == PS_OK ? look_up(pick, positions, table, scaled) : status;
}

ps_status ps__pick_add(const ps__pick *pick, ps_tensor **sum, ps_tensor *summand)
{
    ps_tensor *more = NULL;
    if (*sum == NULL) {
        *sum = summand;
        return PS_OK;
    }
    ps_arg args[] = {ps_arg_tensor(*sum), ps_arg_tensor(summand)};
    ps_status status = ps__call("add", pick->on, args, 2, &more);
    ps_tensor_release(summand);
    if (status != PS_OK)
        return status;
    ps_tensor_release(*sum);
    *sum = more;
    return PS_OK;
}

ps_status ps__pick_offsets(const ps__pick *pick, const int64_t *strides, ps_tensor **offsets)
{
    ps_tensor *sum = NULL, *next;
    ps_status status = PS_OK;
    for (int i = 0; i < pick->narrays && status == PS_OK; i++) {
        /* Where an axis has no elements a stride may be 0, and nothing be selected. */
        status = scale(pick, &pick->arrays[i], strides[i] > 0 ? strides[i] : 1, &next);
        if (status == PS_OK)
            status = ps__pick_add(pick, &sum, next);
    }
    if (status == PS_OK)
        *offsets = sum;
    else
        ps_tensor_release(sum);
    return status;
}
