/* take: elements, or slices along an axis, at integer positions. Positions are looked at while
 * running: the first that is out of range fails the task. */
#include "base/atomic.h"
#include "base/error.h"
#include "ops/map.h"
#include "ops/positions.h"
#include "ops/strided.h"

#include <inttypes.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* ---- take: running ------------------------------------------------------------------------ */

enum { RESOLVED = 256 /* positions that are looked at together */ };

typedef struct take_work {
    int axis;                  /* for messages; -1: x was flattened */
    int64_t count;             /* of positions */
    int64_t length, step;      /* of the axis, step in bytes */
    int64_t outer, outer_step; /* slices before the axis */
    int64_t bytes;             /* side by side at each position; slices: in the result */
    bool slices;               /* what is at one position does not lie side by side */
} take_work;

typedef struct taking {
    const ps__task *task;
    const take_work *work;
    const int64_t *offsets; /* of all positions, or NULL: found piece by piece */
    _Atomic(int64_t) bad;   /* the first position that is out of range, or INT64_MAX */
} taking;

static void note_bad(taking *t, int64_t place)
{
    int64_t old = ps__load(&t->bad); /* only the least counts; read when all pieces are done */
    while (place < old && !ps__cas(&t->bad, &old, place))
        ;
}

/* Positions [first, first + n) as distances in bytes. False if one is out of range. */
static bool resolve(taking *t, int64_t first, int64_t n, int64_t *offsets)
{
    const take_work *work = t->work;
    int64_t bad =
        ps__positions_resolve(&t->task->operands[2], first, n, work->length, work->step, offsets);
    if (bad >= 0)
        note_bad(t, bad);
    return bad < 0;
}

INLINE void gather(char *to, const char *from, const int64_t *offsets, int64_t n, size_t bytes)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(to + (size_t)i * bytes, from + offsets[i], bytes);
}

static void gather_any(char *to, const char *from, const int64_t *offsets, int64_t n, size_t bytes)
{
    switch (bytes) { /* as constants they are single moves */
    case 0:
        return;
    case 1:
        gather(to, from, offsets, n, 1);
        return;
    case 2:
        gather(to, from, offsets, n, 2);
        return;
    case 4:
        gather(to, from, offsets, n, 4);
        return;
    case 8:
        gather(to, from, offsets, n, 8);
        return;
    case 16:
        gather(to, from, offsets, n, 16);
        return;
    default:
        gather(to, from, offsets, n, bytes);
    }
}

/* One slice before the axis: positions are resolved as they are needed. */
static ps_status take_positions(size_t begin, size_t end, void *arg)
{
    taking *t = arg;
    int64_t offsets[RESOLVED], bytes = t->work->bytes;
    for (int64_t at = (int64_t)begin; at < (int64_t)end; at += RESOLVED) {
        int64_t n = (int64_t)end - at < RESOLVED ? (int64_t)end - at : RESOLVED;
        if (!resolve(t, at, n, offsets))
            return PS_OK; /* said at the end, for the first position of all */
        gather_any(t->task->operands[0].data + at * bytes, t->task->operands[1].data, offsets, n,
                   (size_t)bytes);
    }
    return PS_OK;
}

/* Slices before the axis, all positions of each. */
static ps_status take_outer(size_t begin, size_t end, void *arg)
{
    const taking *t = arg;
    const take_work *work = t->work;
    for (int64_t o = (int64_t)begin; o < (int64_t)end; o++)
        gather_any(t->task->operands[0].data + o * work->count * work->bytes,
                   t->task->operands[1].data + o * work->outer_step, t->offsets, work->count,
                   (size_t)work->bytes);
    return PS_OK;
}

/* Positions, all of the slice at each: x without the axis, the result without the dimensions of the
 * positions. */
static ps_status take_slices(size_t begin, size_t end, void *arg)
{
    const taking *t = arg;
    const ps__operand *out = &t->task->operands[0], *x = &t->task->operands[1];
    int64_t shape[PS_DIMS_MAX], to[PS_DIMS_MAX], from[PS_DIMS_MAX];
    int ndim = 0, axis = t->work->axis, skipped = t->task->operands[2].ndim;
    for (int i = 0; i < x->ndim; i++) {
        if (i == axis)
            continue;
        shape[ndim] = x->shape[i];
        from[ndim] = x->strides[i];
        to[ndim++] = out->strides[i < axis ? i : i - 1 + skipped];
    }
    ps_status status = PS_OK;
    for (size_t i = begin; i < end && status == PS_OK; i++)
        status = ps__copy_strided(ps__dtype_bytes(x->dtype), ndim, shape,
                                  out->data + (int64_t)i * t->work->bytes, to,
                                  x->data + t->offsets[i], from);
    return status;
}

static size_t grain_of(int64_t bytes)
{
    return bytes >= PS__COPY_PIECE ? 1 : (size_t)(PS__COPY_PIECE / (bytes > 4 ? bytes : 4));
}

/* All positions first. */
static ps_status take_resolved(taking *t, ps_task *self)
{
    const take_work *work = t->work;
    size_t room = (size_t)work->count * sizeof(int64_t);
    void *offsets;
    if (ps_memory_alloc(room, &offsets) != PS_OK)
        return ps_task_fail(self, PS_ERR_MEMORY, "take: no memory for %" PRId64 " positions",
                            work->count);
    ps_status status = PS_OK;
    t->offsets = offsets;
    if (resolve(t, 0, work->count, offsets)) {
        if (work->slices)
            status = ps__split((size_t)work->count, grain_of(work->bytes), take_slices, t);
        else
            status =
                ps__split((size_t)work->outer, grain_of(work->count * work->bytes), take_outer, t);
    }
    ps_memory_free(offsets, room);
    return status;
}

static ps_status run_take(ps__task *task, ps_task *self)
{
    const take_work *work = task->extra;
    taking t = {.task = task, .work = work, .bad = INT64_MAX};
    ps_status status;
    if (work->count == 0 || work->outer == 0)
        return PS_OK;
    if (work->outer == 1 && !work->slices)
        status = ps__split((size_t)work->count, grain_of(work->bytes), take_positions, &t);
    else
        status = take_resolved(&t, self);
    if (t.bad == INT64_MAX)
        return status;
    return ps__positions_fail(self, "take", &task->operands[2], t.bad, work->axis, work->length);
}

/* ---- take: calling ------------------------------------------------------------------------ */

/* How slices of x along the axis lie. */
static void describe_slices(const ps_tensor *x, int axis, take_work *work)
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

static ps_status take_shape(const ps_tensor *x, const ps_tensor *indices, int axis, int *ndim,
                            int64_t *shape)
{
    int64_t count;
    *ndim = x->ndim - 1 + indices->ndim;
    if (*ndim > PS_DIMS_MAX)
        return ps__fail(PS_ERR_ARGUMENT, "take: shapes %s and %s make %d dimensions, at most %d",
                        ps__shape_text(x->ndim, ps__shape(x)),
                        ps__shape_text(indices->ndim, ps__shape(indices)), *ndim, PS_DIMS_MAX);
    int at = 0;
    for (int i = 0; i < axis; i++)
        shape[at++] = ps__shape(x)[i];
    for (int i = 0; i < indices->ndim; i++)
        shape[at++] = ps__shape(indices)[i];
    for (int i = axis + 1; i < x->ndim; i++)
        shape[at++] = ps__shape(x)[i];
    return ps__shape_check("take", (ps_dtype)x->dtype, *ndim, shape, &count);
}

static ps_status queue_take(const ps__bound_call *call, const ps__result *result,
                            const ps_tensor *x, const ps_tensor *indices, const take_work *work)
{
    ps__launch launch;
    int64_t *dims;
    unsigned numbers = 2u * (result->tensor->ndim + x->ndim + indices->ndim);
    ps_status status =
        ps__task_new(call->op, result->tensor->place, 1, 3, numbers, sizeof *work, &launch, &dims);
    if (status != PS_OK)
        return status;
    ps__task_operand(&launch, 0, result->tensor, result->use, &dims);
    ps__task_operand(&launch, 1, x, PS__READ, &dims);
    ps__task_operand(&launch, 2, indices, PS__READ, &dims);
    *(take_work *)launch.task->extra = *work;
    launch.task->run = run_take;
    launch.brief = true;
    launch.flags = PS_TASK_CAN_FAIL;
    launch.location = call->call->location;
    launch.cost_ns = ps__copy_cost(result->tensor) + (uint64_t)work->count;
    return ps__task_push(&launch);
}

/* `named` is the axis for messages. */
static ps_status take(const ps__bound_call *call, ps_tensor *x, ps_tensor *indices, int axis,
                      int named)
{
    take_work work = {.count = indices->count};
    int64_t shape[PS_DIMS_MAX];
    int ndim;
    ps__result result;
    ps_status status = take_shape(x, indices, axis, &ndim, shape);
    if (status == PS_OK)
        status = ps__result_begin(call, 0, x->place, (ps_dtype)x->dtype, ndim, shape, &result);
    if (status != PS_OK)
        return status;
    ps_tensor *packed = NULL;
    describe_slices(x, axis, &work);
    /* Slices in pieces cost more than moving all of x, unless they are large and few. */
    if (work.slices && (work.outer * work.bytes < 1024 || result.tensor->count > x->count / 8)) {
        status = ps__contiguous(call, x, &packed);
        if (status != PS_OK)
            return ps__result_end(&result, status);
        describe_slices(packed, axis, &work);
    }
    work.axis = named;
    status = queue_take(call, &result, packed != NULL ? packed : x, indices, &work);
    ps_tensor_release(packed);
    return ps__result_end(&result, status);
}

ps_status ps__op_take(const ps__bound_call *call)
{
    ps_tensor *x, *indices, *flat = NULL;
    const ps__place *place;
    const ps_tensor *out = call->call->outputs[0];
    bool whole = call->args[2].kind == PS_ARG_NONE;
    int axis = 0;
    ps_status status = ps__tensor_of(call, 0, &x);
    if (status == PS_OK && !whole)
        status = ps__axis("take", call->args[2].as.integer, x->ndim, &axis);
    if (status == PS_OK)
        status = ps__common_place(call, &place);
    if (status != PS_OK)
        return status;
    if (ps__needs_detour(call, (ps_dtype)x->dtype) || (out != NULL && !out->contiguous))
        return ps__detour(call);
    status = ps__positions_of(call, 1, x, &indices);
    if (status != PS_OK)
        return status;
    if (whole)
        status = ps__flattened(call, x, &flat);
    if (status == PS_OK)
        status = take(call, whole ? flat : x, indices, axis, whole ? -1 : axis);
    ps_tensor_release(flat);
    ps_tensor_release(indices);
    return status;
}
