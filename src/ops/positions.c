/* Positions and masks: see positions.h. */
#include "ops/positions.h"

#include "base/error.h"
#include "kernels/kernels.h"
#include "ops/strided.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- arguments --------------------------------------------------------------------------- */

ps_status ps__positions_of(const ps__bound_call *call, unsigned index, const ps_tensor *x,
                           ps_tensor **positions)
{
    const char *name = call->op->row.name;
    const ps_arg *arg = &call->args[index];
    if (arg->kind == PS_ARG_TENSOR) {
        ps_tensor *given = arg->as.tensor;
        if (!ps__dtype_is_integer((ps_dtype)given->dtype))
            return ps__fail(PS_ERR_TYPE, "%s: indices of %s, they must be integers", name,
                            ps__dtypes[given->dtype].name);
        return ps__contiguous(call, given, positions);
    }
    if (arg->as.scalar.tag != PS_SCALAR_INT64)
        return ps__fail(PS_ERR_TYPE, "%s: the index must be an integer", name);
    return ps_tensor_from_host(PS_INT64, 0, NULL, NULL, &arg->as.scalar.as.i, x->place->device,
                               positions);
}

ps_status ps__mask_of(const ps__bound_call *call, unsigned index, const ps_tensor *x,
                      ps_tensor **mask)
{
    const char *name = call->op->row.name;
    ps_status status = ps__tensor_of(call, index, mask);
    if (status != PS_OK)
        return status;
    const ps_tensor *m = *mask;
    if (m->dtype != PS_BOOL)
        return ps__fail(PS_ERR_TYPE, "%s: a mask of %s, it must be bool", name,
                        ps__dtypes[m->dtype].name);
    if (m->ndim > x->ndim || !ps__shape_equal(m->ndim, ps__shape(m), m->ndim, ps__shape(x)))
        return ps__fail(PS_ERR_ARGUMENT, "%s: a mask of shape %s for a tensor of shape %s", name,
                        ps__shape_text(m->ndim, ps__shape(m)),
                        ps__shape_text(x->ndim, ps__shape(x)));
    return PS_OK;
}

/* ---- running ----------------------------------------------------------------------------- */

int64_t ps__positions_resolve(const ps__operand *indices, int64_t first, int64_t n, int64_t length,
                              int64_t step, int64_t *distances)
{
    int64_t item = (int64_t)ps__dtype_bytes(indices->dtype);
    int64_t from_end = indices->dtype == PS_UINT64 ? 0 : length; /* what is huge wraps around */
    bool bad = false;
    ps__kernels_get()->cast[indices->dtype][PS_INT64]((size_t)n, distances,
                                                      indices->data + first * item);
    for (int64_t i = 0; i < n; i++) {
        int64_t at = distances[i] + (distances[i] < 0 ? from_end : 0);
        bool out = at < 0 || at >= length;
        bad |= out;
        distances[i] = out ? INT64_MIN : at * step;
    }
    for (int64_t i = 0; bad && i < n; i++)
        if (distances[i] == INT64_MIN)
            return first + i;
    return -1;
}

ps_status ps__positions_fail(ps_task *self, const char *name, const ps__operand *indices,
                             int64_t place, int axis, int64_t length)
{
    char along[32] = "the flattened tensor", number[32];
    ps_scalar value =
        ps__scalar_load(indices->dtype,
                        indices->data + place * (int64_t)ps__dtype_bytes(indices->dtype));
    if (value.tag == PS_SCALAR_UINT64)
        snprintf(number, sizeof number, "%" PRIu64, value.as.u);
    else
        snprintf(number, sizeof number, "%" PRId64, value.as.i);
    if (axis >= 0)
        snprintf(along, sizeof along, "axis %d", axis);
    return ps_task_fail(self, PS_ERR_INDEX,
                        "%s: index %s is out of range for %s with length %" PRId64
                        "; it is number %" PRId64 " of the indices",
                        name, number, along, length, place);
}
