/* Elements, or slices along an axis, at integer positions: see PS__WORK_TAKE in work.h. */
#include "backend/cpu/cpu.h"

#include "base/atomic.h"
#include "memory/memory.h"

#include <inttypes.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { RESOLVED = 256 /* positions that are looked at together */ };

typedef struct taking {
    const ps__lane *lane;
    const ps__work_take *work;
    const ps__operand *operands;
    const int64_t *offsets; /* of all positions, or NULL: found piece by piece */
    _Atomic(int64_t) bad;   /* the first position that is out of range, or INT64_MAX */
} taking;

static void note_bad(taking *t, int64_t position)
{
    int64_t old = ps__load(&t->bad); /* only the least counts; read when all pieces are done */
    while (position < old && !ps__cas(&t->bad, &old, position))
        ;
}

/* Positions [first, first + n) as distances in bytes. False if one is out of range. */
static bool resolve_positions(taking *t, int64_t first, int64_t n, int64_t *offsets)
{
    const ps__work_take *work = t->work;
    int64_t bad =
        ps__positions_resolve(&t->operands[2], first, n, work->length, work->step, offsets);
    if (bad >= 0)
        note_bad(t, bad);
    for (int64_t i = 0; work->per != 0 && bad < 0 && i < n; i++)
        offsets[i] += (first + i) / work->per * work->line;
    return bad < 0;
}

/* The number of a position among the user's, whose axis need not be the last. */
static int64_t number_of(const ps__work_take *work, int64_t position)
{
    if (work->per == 0)
        return position;
    int64_t line = position / work->per, place = position % work->per;
    return (line / work->behind * work->per + place) * work->behind + line % work->behind;
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
        if (!resolve_positions(t, at, n, offsets))
            return PS_OK; /* said at the end, for the first position of all */
        gather_any(t->operands[0].data + at * bytes, t->operands[1].data, offsets, n,
                   (size_t)bytes);
    }
    return PS_OK;
}

/* Slices before the axis, all positions of each. */
static ps_status take_outer(size_t begin, size_t end, void *arg)
{
    const taking *t = arg;
    const ps__work_take *work = t->work;
    for (int64_t o = (int64_t)begin; o < (int64_t)end; o++)
        gather_any(t->operands[0].data + o * work->count * work->bytes,
                   t->operands[1].data + o * work->outer_step, t->offsets, work->count,
                   (size_t)work->bytes);
    return PS_OK;
}

/* Positions, all of the slice at each: x without the axis, the result without the dimensions of the
 * positions. */
static ps_status take_slices(size_t begin, size_t end, void *arg)
{
    const taking *t = arg;
    const ps__operand *out = &t->operands[0], *x = &t->operands[1];
    int64_t shape[PS_DIMS_MAX], to[PS_DIMS_MAX], from[PS_DIMS_MAX];
    int ndim = 0, axis = t->work->axis, skipped = t->operands[2].ndim;
    for (int i = 0; i < x->ndim; i++) {
        if (i == axis)
            continue;
        shape[ndim] = x->shape[i];
        from[ndim] = x->strides[i];
        to[ndim++] = out->strides[i < axis ? i : i - 1 + skipped];
    }
    ps_status status = PS_OK;
    for (size_t i = begin; i < end && status == PS_OK; i++)
        status = ps__copy_strided(t->lane, ps__dtype_bytes(x->dtype), ndim, shape,
                                  out->data + (int64_t)i * t->work->bytes, to,
                                  x->data + t->offsets[i], from);
    return status;
}

static size_t take_grain(int64_t bytes)
{
    return bytes >= PS__COPY_PIECE ? 1 : (size_t)(PS__COPY_PIECE / (bytes > 4 ? bytes : 4));
}

/* All positions first. */
static ps_status take_resolved(taking *t)
{
    const ps__work_take *work = t->work;
    size_t room = (size_t)work->head.scratch;
    void *offsets;
    if (ps_memory_alloc(room, &offsets) != PS_OK)
        return ps_task_fail(t->lane->self, PS_ERR_MEMORY, "%s: no memory for %" PRId64 " positions",
                            t->lane->name, work->count);
    ps_status status = PS_OK;
    t->offsets = offsets;
    if (resolve_positions(t, 0, work->count, offsets)) {
        if (work->slices)
            status =
                ps__split(t->lane, (size_t)work->count, take_grain(work->bytes), take_slices, t);
        else
            status = ps__split(t->lane, (size_t)work->outer, take_grain(work->count * work->bytes),
                               take_outer, t);
    }
    ps_memory_free(offsets, room);
    return status;
}

PS__CPU_RUN(take)
{
    (void)count;
    const ps__work_take *w = (const ps__work_take *)work;
    taking t = {.lane = lane, .work = w, .operands = operands, .bad = INT64_MAX};
    ps_status status;
    if (w->count == 0 || w->outer == 0)
        return PS_OK;
    if (w->outer == 1 && !w->slices)
        status = ps__split(lane, (size_t)w->count, take_grain(w->bytes), take_positions, &t);
    else
        status = take_resolved(&t);
    int64_t bad = ps__load(&t.bad); /* all pieces are done */
    if (bad == INT64_MAX)
        return status;
    return ps__positions_fail(lane, &operands[2], bad, number_of(w, bad), w->axis, w->length);
}
