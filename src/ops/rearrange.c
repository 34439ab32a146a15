/* Elements in other places, several times, or with others around them. All are one task that copies
 * regions of x. */
#include "base/error.h"
#include "engine/origin.h"
#include "ops/pad.h"
#include "ops/regions.h"

#include <inttypes.h>
#include <string.h>

enum { ROLLED = 5 /* axes at a time: each doubles the number of regions */ };

/* The result of a call that reads x only, and the work for it. */
typedef struct making {
    const ps__bound_call *call;
    ps_tensor *x;
    int ndim;
    int64_t shape[PS_DIMS_MAX];
    ps__output output;
    ps__regions regions;
    ps__layout_bytes out, in;
} making;

static ps_status making_begin(making *m, unsigned regions, int region_ndim)
{
    int64_t count;
    ps_dtype dtype = (ps_dtype)m->x->dtype;
    ps_status status = ps__shape_check(m->call->op->row.name, dtype, m->ndim, m->shape, &count);
    if (status == PS_OK)
        status = ps__output_begin(m->call, 0, m->x->home, dtype, m->ndim, m->shape, PS__OUT_STRIDED,
                                  &m->output);
    if (status != PS_OK)
        return status;
    m->out = ps__layout_bytes_of(m->output.tensor);
    m->in = ps__layout_bytes_of(m->x);
    status = ps__regions_begin(&m->regions, regions, region_ndim);
    return status == PS_OK ? PS_OK : ps__output_end(m->call, &m->output, status);
}

static ps_status making_end(making *m)
{
    ps_status status = ps__regions_submit(&m->regions, m->call, &m->output, &m->x, 1);
    return ps__output_end(m->call, &m->output, status);
}

/* A new length, checked. */
static ps_status lengthen(const ps__bound_call *call, int64_t *length, int64_t by)
{
    if (by < 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: repeats is %" PRId64 ", must not be negative",
                        call->op->row.name, by);
    int64_t product;
    if (__builtin_mul_overflow(*length, by, &product))
        return ps__fail(PS_ERR_ARGUMENT, "%s: length %" PRId64 " times %" PRId64 " is too large",
                        call->op->row.name, *length, by);
    *length = product;
    return PS_OK;
}

/* ---- roll -------------------------------------------------------------------------------- */

/* How far each axis moves: at least 0 and below its length. */
static ps_status roll_amounts(const ps__bound_call *call, const ps_tensor *x, int64_t *amount)
{
    const ps_arg *shift = &call->args[1], *axes = &call->args[2];
    memset(amount, 0, PS_DIMS_MAX * sizeof amount[0]);
    if (shift->count != axes->count && shift->count != 1 && axes->count != 1)
        return ps__fail(PS_ERR_ARGUMENT, "roll: %u shifts for %u axes", shift->count, axes->count);
    unsigned count = shift->count == 1 ? axes->count : shift->count;
    for (unsigned i = 0; i < count; i++) {
        int axis;
        ps_status status =
            ps__axis("roll", axes->as.ints[axes->count == 1 ? 0 : i], x->ndim, &axis);
        if (status != PS_OK)
            return status;
        int64_t length = ps__shape(x)[axis];
        if (length == 0)
            continue;
        int64_t by = shift->as.ints[shift->count == 1 ? 0 : i] % length;
        amount[axis] = (amount[axis] + (by < 0 ? by + length : by)) % length;
    }
    return PS_OK;
}

/* Bit i of `parts` says whether, of the i-th axis that moves, it is the part that leaves at the end
 * and enters at the start. */
static void add_rolled(making *m, const int64_t *amount, unsigned parts)
{
    const ps__layout_bytes *out = &m->out, *in = &m->in;
    ps__region_fill r = ps__regions_add(&m->regions, 1, m->ndim);
    for (int i = 0; i < m->ndim; i++) {
        int64_t length = m->shape[i], by = amount[i];
        r.shape[i] = length;
        r.to_strides[i] = out->strides[i];
        r.from_strides[i] = in->strides[i];
        if (by == 0)
            continue;
        if (parts & 1)
            r.region->from += (length - by) * in->strides[i];
        else
            r.region->to += by * out->strides[i];
        r.shape[i] = parts & 1 ? by : length - by;
        parts >>= 1;
    }
}

/* The first axes that move, and then the others. */
static ps_status roll_in_steps(const ps__bound_call *call, ps_tensor *x, const int64_t *amount)
{
    int64_t axes[PS_DIMS_MAX], shifts[PS_DIMS_MAX];
    uint32_t count = 0;
    for (int i = 0; i < x->ndim; i++)
        if (amount[i] != 0) {
            axes[count] = i;
            shifts[count++] = amount[i];
        }
    ps_arg args[3] = {ps__arg_tensor(x),
                      {.kind = PS_ARG_INTS, .count = ROLLED, .as.ints = shifts},
                      {.kind = PS_ARG_INTS, .count = ROLLED, .as.ints = axes}};
    ps_tensor *half = NULL;
    ps_status status = ps__call("roll", call->call, args, 3, &half);
    if (status != PS_OK)
        return status;
    args[0] = ps__arg_tensor(half);
    args[1] = (ps_arg){PS_ARG_INTS, count - ROLLED, {.ints = shifts + ROLLED}};
    args[2] = (ps_arg){PS_ARG_INTS, count - ROLLED, {.ints = axes + ROLLED}};
    status = ps__call("roll", call->call, args, 3, call->call->outputs);
    ps_tensor_release(half);
    return status;
}

/* As one long row, and back. */
static ps_status roll_flat(const ps__bound_call *call, ps_tensor *x)
{
    ps_tensor *flat, *rolled = NULL;
    ps_status status = ps__flattened(call, x, &flat);
    if (status != PS_OK)
        return status;
    ps_arg args[3] = {ps__arg_tensor(flat),
                      call->args[1],
                      {.kind = PS_ARG_INTS, .count = 1, .as.ints = (int64_t[]){0}}};
    status = ps__call("roll", call->call, args, 3, &rolled);
    ps_tensor_release(flat);
    if (status != PS_OK)
        return status;
    status = ps_tensor_view_as(rolled, x->ndim, ps__shape(x), call->call->outputs);
    ps_tensor_release(rolled);
    return status;
}

ps_status ps__op_roll(const ps__bound_call *call)
{
    making m = {.call = call, .x = call->args[0].as.tensor};
    int64_t amount[PS_DIMS_MAX];
    unsigned moving = 0;
    ps_status status = PS_OK;
    bool flat = call->args[2].kind == PS_ARG_NONE;
    if (flat && call->call->outputs[0] != NULL)
        return ps__output_apart(call);
    if (flat)
        return roll_flat(call, m.x);
    status = roll_amounts(call, m.x, amount);
    if (status != PS_OK)
        return status;
    m.ndim = m.x->ndim;
    for (int i = 0; i < m.ndim; i++) {
        m.shape[i] = ps__shape(m.x)[i];
        moving += amount[i] != 0;
    }
    if (moving > ROLLED)
        return roll_in_steps(call, m.x, amount);
    status = making_begin(&m, 1u << moving, m.ndim);
    if (status != PS_OK)
        return status;
    for (unsigned parts = 0; parts < 1u << moving; parts++)
        add_rolled(&m, amount, parts);
    return making_end(&m);
}

/* ---- repeat and tile ---------------------------------------------------------------------- */

static ps_status repeat(const ps__bound_call *call, ps_tensor *x, int axis)
{
    making m = {.call = call, .x = x, .ndim = x->ndim};
    int64_t repeats = call->args[1].as.integer;
    memcpy(m.shape, ps__shape(x), (size_t)x->ndim * sizeof m.shape[0]);
    ps_status status = lengthen(call, &m.shape[axis], repeats);
    if (status == PS_OK)
        status = making_begin(&m, 1, m.ndim + 1);
    if (status != PS_OK)
        return status;
    if (x->count == 0)
        repeats = 0; /* any number of nothing; a large one would make strides overflow */
    const ps__layout_bytes *out = &m.out, *in = &m.in;
    ps__region_fill r = ps__regions_add(&m.regions, 1, m.ndim + 1);
    for (int i = 0; i < m.ndim; i++) {
        r.shape[i] = in->shape[i];
        r.to_strides[i] = out->strides[i] * (i == axis ? repeats : 1);
        r.from_strides[i] = in->strides[i];
    }
    r.shape[m.ndim] = repeats;
    r.to_strides[m.ndim] = out->strides[axis];
    r.from_strides[m.ndim] = 0;
    return making_end(&m);
}

ps_status ps__op_repeat(const ps__bound_call *call)
{
    ps_tensor *x = call->args[0].as.tensor, *flat;
    ps_status status;
    int axis;
    if (call->args[2].kind != PS_ARG_NONE) {
        status = ps__axis("repeat", call->args[2].as.integer, x->ndim, &axis);
        return status == PS_OK ? repeat(call, x, axis) : status;
    }
    status = ps__flattened(call, x, &flat);
    if (status != PS_OK)
        return status;
    status = repeat(call, flat, 0);
    ps_tensor_release(flat);
    return status;
}

/* Every axis is walked as two: which copy, and where in it. */
static void add_tiles(making *m, const int64_t *repeats)
{
    const ps__layout_bytes *out = &m->out, *in = &m->in;
    ps__region_fill r = ps__regions_add(&m->regions, 1, 2 * m->ndim);
    int lead = m->ndim - in->ndim;
    for (int i = 0; i < m->ndim; i++) {
        int64_t length = i < lead ? 1 : in->shape[i - lead];
        r.shape[2 * i] = repeats[i];
        r.to_strides[2 * i] = out->strides[i] * length;
        r.from_strides[2 * i] = 0;
        r.shape[2 * i + 1] = length;
        r.to_strides[2 * i + 1] = out->strides[i];
        r.from_strides[2 * i + 1] = i < lead ? 0 : in->strides[i - lead];
    }
}

ps_status ps__op_tile(const ps__bound_call *call)
{
    making m = {.call = call, .x = call->args[0].as.tensor};
    const ps_arg *given = &call->args[1];
    int64_t repeats[PS_DIMS_MAX];
    ps_status status = PS_OK;
    if (given->count > PS_DIMS_MAX)
        return ps__fail(PS_ERR_ARGUMENT, "tile: %u repeats, at most %d", given->count, PS_DIMS_MAX);
    int count = (int)given->count, ndim = m.x->ndim;
    m.ndim = count > ndim ? count : ndim;
    for (int i = 0; i < m.ndim && status == PS_OK; i++) {
        int at = i - (m.ndim - count), from = i - (m.ndim - ndim);
        repeats[i] = at < 0 ? 1 : given->as.ints[at];
        m.shape[i] = from < 0 ? 1 : ps__shape(m.x)[from];
        status = lengthen(call, &m.shape[i], repeats[i]);
    }
    if (status == PS_OK)
        status = making_begin(&m, 1, 2 * m.ndim);
    if (status != PS_OK)
        return status;
    add_tiles(&m, repeats);
    return making_end(&m);
}

/* ---- pad ---------------------------------------------------------------------------------- */

/* How many elements are added at each axis; one number stands for all axes. */
ps_status ps__pad_amounts(const ps__bound_call *call, unsigned index, int64_t *amount)
{
    const ps_arg *arg = &call->args[index];
    const char *name = call->op->args[index].name;
    int ndim = call->args[0].as.tensor->ndim;
    if (arg->count != 1 && (int)arg->count != ndim)
        return ps__fail(PS_ERR_ARGUMENT, "pad: %u numbers for %s, the tensor has %d dimensions",
                        arg->count, name, ndim);
    for (int i = 0; i < ndim; i++) {
        amount[i] = arg->as.ints[arg->count == 1 ? 0 : i];
        if (amount[i] < 0)
            return ps__fail(PS_ERR_ARGUMENT, "pad: %s is %" PRId64 ", must not be negative", name,
                            amount[i]);
    }
    return PS_OK;
}

ps_status ps__pad_shape(const ps_tensor *x, const int64_t *before, const int64_t *after,
                        int64_t *shape)
{
    for (int i = 0; i < x->ndim; i++)
        if (__builtin_add_overflow(ps__shape(x)[i], before[i], &shape[i]) ||
            __builtin_add_overflow(shape[i], after[i], &shape[i]))
            return ps__fail(PS_ERR_ARGUMENT, "pad: axis %" PRId64 " becomes too long",
                            ps__stated(i));
    return PS_OK;
}

/* A slab of the value, `length` long at position `at` of the axis: of the axes before it only where
 * x is, since their own slabs have the rest; of those after it everything. */
static void add_slab(making *m, const int64_t *before, int axis, int64_t at, int64_t length)
{
    const ps__layout_bytes *out = &m->out, *in = &m->in;
    ps__region_fill r = ps__regions_add(&m->regions, 0, m->ndim);
    r.region->to = at * out->strides[axis];
    for (int i = 0; i < m->ndim; i++) {
        r.shape[i] = i < axis ? in->shape[i] : i == axis ? length : out->shape[i];
        r.to_strides[i] = out->strides[i];
        r.from_strides[i] = 0;
        if (i < axis)
            r.region->to += before[i] * out->strides[i];
    }
}

static void add_middle(making *m, const int64_t *before)
{
    const ps__layout_bytes *out = &m->out, *in = &m->in;
    ps__region_fill r = ps__regions_add(&m->regions, 1, m->ndim);
    for (int i = 0; i < m->ndim; i++) {
        r.region->to += before[i] * out->strides[i];
        r.shape[i] = in->shape[i];
        r.to_strides[i] = out->strides[i];
        r.from_strides[i] = in->strides[i];
    }
}

static ps_status pad_with_value(const ps__bound_call *call)
{
    making m = {.call = call, .x = call->args[0].as.tensor};
    int64_t before[PS_DIMS_MAX], after[PS_DIMS_MAX];
    ps__element value = {{0}};
    m.ndim = m.x->ndim;
    if (!ps__scalar_store(call->args[3].as.scalar, (ps_dtype)m.x->dtype, &value))
        return ps__scalar_refuse("pad", call->args[3].as.scalar, (ps_dtype)m.x->dtype);
    ps_status status = ps__pad_amounts(call, 1, before);
    if (status == PS_OK)
        status = ps__pad_amounts(call, 2, after);
    if (status == PS_OK)
        status = ps__pad_shape(m.x, before, after, m.shape);
    if (status == PS_OK)
        status = making_begin(&m, 1 + 2 * (unsigned)m.ndim, m.ndim);
    if (status != PS_OK)
        return status;
    m.regions.work->value = value;
    add_middle(&m, before);
    for (int i = 0; i < m.ndim; i++) {
        add_slab(&m, before, i, 0, before[i]);
        add_slab(&m, before, i, m.shape[i] - after[i], after[i]);
    }
    return making_end(&m);
}

ps_status ps__op_pad(const ps__bound_call *call)
{
    const ps_arg *mode = &call->args[4];
    bool plain = mode->kind == PS_ARG_NONE || strcmp(mode->as.text, "constant") == 0;
    return plain ? pad_with_value(call) : ps__pad_by_places(call);
}
