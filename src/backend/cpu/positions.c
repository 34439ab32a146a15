/* Positions while running: see cpu.h. */
#include "backend/cpu/cpu.h"

#include "engine/origin.h"

#include <inttypes.h>
#include <stdio.h>

int64_t ps__positions_resolve(const ps__operand *indices, int64_t first, int64_t n, int64_t length,
                              int64_t step, int64_t *distances)
{
    int64_t item = (int64_t)ps__dtype_bytes((ps_dtype)indices->dtype);
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

ps_status ps__positions_fail(const ps__lane *lane, const ps__operand *indices, int64_t position,
                             int64_t number, int axis, int64_t length)
{
    char along[32] = "the flattened tensor", stated[32];
    ps_scalar value = ps__scalar_load((ps_dtype)indices->dtype,
                                      indices->data + position * (int64_t)ps__dtype_bytes(
                                                                     (ps_dtype)indices->dtype));
    if (value.tag == PS_SCALAR_UINT64 && value.as.u > INT64_MAX)
        snprintf(stated, sizeof stated, "%" PRIu64, value.as.u);
    else
        snprintf(stated, sizeof stated, "%" PRId64, ps__task_stated(lane->self, value.as.i));
    if (axis >= 0)
        snprintf(along, sizeof along, "axis %" PRId64, ps__task_stated(lane->self, axis));
    return ps_task_fail(lane->self, PS_ERR_INDEX,
                        "%s: index %s is out of range for %s with length %" PRId64
                        "; it is number %" PRId64 " of the indices",
                        lane->name, stated, along, length, ps__task_stated(lane->self, number));
}
