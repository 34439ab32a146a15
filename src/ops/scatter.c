/* Writing at many places of a tensor: see scatter.h.
 *
 * First all positions become distances in bytes; only when every one of them is known to be in range
 * is anything written. Then for each part of the slices, which are divided among threads, the
 * positions are gone through in order: so the last of equal ones wins, and sums have one order. */
#include "ops/scatter.h"

#include "dtype/half.h"
#include "kernels/kernels.h"
#include "ops/map.h"
#include "ops/positions.h"
#include "ops/strided.h"

#include <inttypes.h>
#include <string.h>

enum { RESOLVED = 256 /* positions that are looked at together */ };

#define INLINE static inline __attribute__((always_inline))

/* ---- one row of every slice ---------------------------------------------------------------- */

typedef struct rows {
    int64_t count;          /* of positions */
    const int64_t *offsets; /* of them in x */
    int64_t step;           /* between their values */
    int64_t n, to, from;    /* elements at each, and their strides */
    size_t bytes;           /* moving: of what is moved in one go */
} rows;

typedef void (*rows_fn)(const rows *r, char *x, const char *values);

INLINE void move_n(const rows *r, char *x, const char *values, int64_t n, size_t bytes)
{
    for (int64_t i = 0; i < r->count; i++) {
        char *to = x + r->offsets[i];
        const char *from = values + i * r->step;
        for (int64_t j = 0; j < n; j++)
            memcpy(to + j * r->to, from + j * r->from, bytes);
    }
}

/* Single elements have no inner loop. */
INLINE void move(const rows *r, char *x, const char *values, size_t bytes)
{
    if (r->n == 1)
        move_n(r, x, values, 1, bytes);
    else
        move_n(r, x, values, r->n, bytes);
}

static void move_rows(const rows *r, char *x, const char *values)
{
    switch (r->bytes) { /* as constants they are single moves */
    case 1:
        move(r, x, values, 1);
        return;
    case 2:
        move(r, x, values, 2);
        return;
    case 4:
        move(r, x, values, 4);
        return;
    case 8:
        move(r, x, values, 8);
        return;
    case 16:
        move(r, x, values, 16);
        return;
    default:
        move(r, x, values, r->bytes);
    }
}

#define JOIN(a, b) JOIN_EXPANDED(a, b)
#define JOIN_EXPANDED(a, b) a##b
#define EITHER(a, b) ((a) != 0 || (b) != 0)
#define PLUS(a, b) ((a) + (b))
#define FLOAT16(a, b) ps__float16_from_float(ps__float16_to_float(a) + ps__float16_to_float(b))
#define BFLOAT16(a, b) ps__bfloat16_from_float(ps__bfloat16_to_float(a) + ps__bfloat16_to_float(b))

#define NAME add_bool
#define ELEMENT uint8_t
#define PARTS 1
#define SUM EITHER
#include "ops/scatter_add.inc"

/* Unsigned: sums wrap around, and their bits are those of signed ones. */
#define NAME add_8
#define ELEMENT uint8_t
#define PARTS 1
#define SUM PLUS
#include "ops/scatter_add.inc"

#define NAME add_16
#define ELEMENT uint16_t
#define PARTS 1
#define SUM PLUS
#include "ops/scatter_add.inc"

#define NAME add_32
#define ELEMENT uint32_t
#define PARTS 1
#define SUM PLUS
#include "ops/scatter_add.inc"

#define NAME add_64
#define ELEMENT uint64_t
#define PARTS 1
#define SUM PLUS
#include "ops/scatter_add.inc"

#define NAME add_float16
#define ELEMENT uint16_t
#define PARTS 1
#define SUM FLOAT16
#include "ops/scatter_add.inc"

#define NAME add_bfloat16
#define ELEMENT uint16_t
#define PARTS 1
#define SUM BFLOAT16
#include "ops/scatter_add.inc"

#define NAME add_float32
#define ELEMENT float
#define PARTS 1
#define SUM PLUS
#include "ops/scatter_add.inc"

#define NAME add_float64
#define ELEMENT double
#define PARTS 1
#define SUM PLUS
#include "ops/scatter_add.inc"

#define NAME add_complex64
#define ELEMENT float
#define PARTS 2
#define SUM PLUS
#include "ops/scatter_add.inc"

#define NAME add_complex128
#define ELEMENT double
#define PARTS 2
#define SUM PLUS
#include "ops/scatter_add.inc"

static const rows_fn adders[PS__DTYPES] = {
    [PS_BOOL] = add_bool,
    [PS_INT8] = add_8,
    [PS_INT16] = add_16,
    [PS_INT32] = add_32,
    [PS_INT64] = add_64,
    [PS_UINT8] = add_8,
    [PS_UINT16] = add_16,
    [PS_UINT32] = add_32,
    [PS_UINT64] = add_64,
    [PS_FLOAT16] = add_float16,
    [PS_BFLOAT16] = add_bfloat16,
    [PS_FLOAT32] = add_float32,
    [PS_FLOAT64] = add_float64,
    [PS_COMPLEX64] = add_complex64,
    [PS_COMPLEX128] = add_complex128,
};

/* ---- all rows ------------------------------------------------------------------------------ */

typedef struct scattering {
    const ps__task *task;
    const ps__scatter *work;
    int outer;    /* dimensions of a slice that are not in a row */
    int64_t many; /* rows in a slice */
    rows rows;
    rows_fn write;
} scattering;

/* Rows [begin, end) of every slice. */
static ps_status write_rows(size_t begin, size_t end, void *arg)
{
    const scattering *s = arg;
    const ps__scatter *work = s->work;
    for (size_t row = begin; row < end; row++) {
        int64_t rest = (int64_t)row, to = 0, from = 0;
        for (int i = s->outer - 1; i >= 0; i--) {
            to += rest % work->shape[i] * work->strides[0][i];
            from += rest % work->shape[i] * work->strides[1][i];
            rest /= work->shape[i];
        }
        s->write(&s->rows, s->task->operands[0].data + to, s->task->operands[2].data + from);
    }
    return PS_OK;
}

/* The last dimension of a slice, if it has any, is a row; moved in one go if it lies side by side. */
static void choose_rows(scattering *s)
{
    const ps__scatter *work = s->work;
    rows *r = &s->rows;
    int64_t item = (int64_t)ps__dtype_bytes(s->task->operands[0].dtype);
    r->n = 1;
    r->bytes = (size_t)item;
    s->outer = work->slice;
    if (s->outer == 0)
        return;
    int last = --s->outer;
    r->n = work->shape[last];
    r->to = work->strides[0][last];
    r->from = work->strides[1][last];
    if (!work->accumulate && r->to == item && r->from == item) {
        r->bytes *= (size_t)r->n;
        r->n = 1;
    }
}

static void scattering_begin(const ps__task *task, scattering *s)
{
    const ps__scatter *work = task->extra;
    *s = (scattering){.task = task,
                      .work = work,
                      .rows = {.step = work->step},
                      .write = work->accumulate ? adders[task->operands[0].dtype] : move_rows};
    choose_rows(s);
    s->many = 1;
    for (int i = 0; i < s->outer; i++)
        s->many *= work->shape[i];
}

static ps_status scatter(scattering *s, const int64_t *offsets, int64_t count)
{
    s->rows.count = count;
    s->rows.offsets = offsets;
    int64_t bytes = count * s->rows.n * (int64_t)s->rows.bytes;
    if (s->many == 0 || bytes == 0)
        return PS_OK;
    size_t grain = bytes >= PS__COPY_PIECE ? 1 : (size_t)(PS__COPY_PIECE / bytes);
    return ps__split((size_t)s->many, grain, write_rows, s);
}

/* ---- places -------------------------------------------------------------------------------- */

/* Positions that count through several dimensions, or none, as distances in bytes. */
static void locate(const ps__scatter *work, int64_t count, int64_t *positions)
{
    for (int64_t p = 0; p < count; p++) {
        int64_t rest = positions[p], distance = 0;
        for (int i = work->places - 1; i >= 0; i--) {
            distance += rest % work->place_shape[i] * work->place_strides[i];
            rest /= work->place_shape[i];
        }
        positions[p] = distance;
    }
}

static ps_status room_for(ps_task *self, const char *name, int64_t count, void **offsets)
{
    if (ps_memory_alloc((size_t)count * sizeof(int64_t), offsets) == PS_OK)
        return PS_OK;
    return ps_task_fail(self, PS_ERR_MEMORY, "%s: no memory for %" PRId64 " positions", name,
                        count);
}

/* Positions [first, first + n) as distances; as ps__positions_resolve. */
static int64_t resolve(const ps__task *task, int64_t first, int64_t n, int64_t *offsets)
{
    const ps__scatter *work = task->extra;
    bool one = work->places == 1;
    int64_t bad = ps__positions_resolve(&task->operands[1], first, n, work->length,
                                        one ? work->place_strides[0] : 1, offsets);
    if (!one && bad < 0)
        locate(work, n, offsets);
    return bad;
}

/* Slices of several rows: each goes through the distances, so that all are kept. */
static ps_status scatter_resolved(scattering *s, ps_task *self, int64_t *bad)
{
    int64_t count = s->work->count;
    void *offsets;
    ps_status status = room_for(self, s->task->op->row.name, count, &offsets);
    if (status != PS_OK)
        return status;
    *bad = resolve(s->task, 0, count, offsets);
    if (*bad < 0)
        status = scatter(s, offsets, count);
    ps_memory_free(offsets, (size_t)count * sizeof(int64_t));
    return status;
}

/* One row: a few positions at a time, after a look at all of them. */
static void scatter_row(const scattering *s, int64_t *bad)
{
    int64_t offsets[RESOLVED], count = s->work->count;
    rows r = s->rows;
    char *x = s->task->operands[0].data;
    const char *values = s->task->operands[2].data;
    for (int64_t at = 0; at < count && *bad < 0; at += RESOLVED)
        *bad = resolve(s->task, at, count - at < RESOLVED ? count - at : RESOLVED, offsets);
    r.offsets = offsets;
    for (int64_t at = 0; at < count && *bad < 0; at += RESOLVED) {
        r.count = count - at < RESOLVED ? count - at : RESOLVED;
        (void)resolve(s->task, at, r.count, offsets);
        s->write(&r, x, values + at * r.step);
    }
}

ps_status ps__scatter_positions(ps__task *task, ps_task *self)
{
    scattering s;
    int64_t bad = -1;
    ps_status status = PS_OK;
    scattering_begin(task, &s);
    if (s.work->count == 0)
        return PS_OK;
    if (s.many == 1)
        scatter_row(&s, &bad);
    else
        status = scatter_resolved(&s, self, &bad);
    if (bad < 0)
        return status;
    return ps__positions_fail(self, task->op->row.name, &task->operands[1], bad, s.work->axis,
                              s.work->length);
}

/* Positions of what is true; anything but 0 is. */
static void list_true(const char *mask, int64_t count, int64_t *positions)
{
    for (int64_t i = 0; i < count; i++)
        if (mask[i] != 0)
            *positions++ = i;
}

static int64_t count_true(const char *mask, int64_t count)
{
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++)
        found += mask[i] != 0;
    return found;
}

ps_status ps__scatter_mask(ps__task *task, ps_task *self)
{
    const ps__scatter *work = task->extra;
    const char *mask = task->operands[1].data, *name = task->op->row.name;
    int64_t count = count_true(mask, work->count);
    void *offsets;
    if (work->given >= 0 && work->given != count)
        return ps_task_fail(self, PS_ERR_ARGUMENT,
                            "%s: %" PRId64 " values for %" PRId64 " places where the mask is true",
                            name, work->given, count);
    if (count == 0)
        return PS_OK;
    ps_status status = room_for(self, name, count, &offsets);
    if (status != PS_OK)
        return status;
    list_true(mask, work->count, offsets);
    locate(work, count, offsets);
    scattering s;
    scattering_begin(task, &s);
    status = scatter(&s, offsets, count);
    ps_memory_free(offsets, (size_t)count * sizeof(int64_t));
    return status;
}

/* ---- describing ---------------------------------------------------------------------------- */

void ps__scatter_describe(const ps_tensor *x, int begin, int end, int64_t values, bool single,
                          ps__scatter *work)
{
    int64_t item = (int64_t)ps__dtype_bytes(x->dtype), run = item;
    int slice = x->ndim - (end - begin), places = end - begin;
    work->length = 1;
    work->step = 0;
    for (int i = x->ndim - 1, k = slice - 1; i >= 0; i--) {
        int64_t length = ps__shape(x)[i], stride = ps__strides(x)[i] * item;
        if (i + 1 == end) { /* behind the slices' last dimensions come the positions */
            work->step = run;
            run *= values;
        }
        if (i >= begin && i < end) {
            work->length *= length;
            work->place_shape[i - begin] = length;
            work->place_strides[i - begin] = stride;
        } else {
            work->shape[k] = length;
            work->strides[0][k] = stride;
            work->strides[1][k--] = single ? 0 : run;
            run *= length;
        }
    }
    if (end == 0)
        work->step = run;
    if (single)
        work->step = 0;
    work->places = ps__space_collapse(places, work->place_shape, 1, &work->place_strides);
    work->slice = ps__space_collapse(slice, work->shape, 2, work->strides);
}
