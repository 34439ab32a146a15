/* Writing at many places of a tensor: see PS__WORK_PUT in work.h.
 *
 * First all positions become distances in bytes; only when every one of them is known to be in range
 * is anything written. Then for each part of the slices, which are divided among threads, the
 * positions are gone through in order: so the last of equal ones wins, and sums have one order. */
#include "backend/cpu/cpu.h"

#include "dtype/half.h"
#include "memory/memory.h"

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
INLINE void move_row(const rows *r, char *x, const char *values, size_t bytes)
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
        move_row(r, x, values, 1);
        return;
    case 2:
        move_row(r, x, values, 2);
        return;
    case 4:
        move_row(r, x, values, 4);
        return;
    case 8:
        move_row(r, x, values, 8);
        return;
    case 16:
        move_row(r, x, values, 16);
        return;
    default:
        move_row(r, x, values, r->bytes);
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
#include "backend/cpu/put_add.inc"

/* Unsigned: sums wrap around, and their bits are those of signed ones. */
#define NAME add_8
#define ELEMENT uint8_t
#define PARTS 1
#define SUM PLUS
#include "backend/cpu/put_add.inc"

#define NAME add_16
#define ELEMENT uint16_t
#define PARTS 1
#define SUM PLUS
#include "backend/cpu/put_add.inc"

#define NAME add_32
#define ELEMENT uint32_t
#define PARTS 1
#define SUM PLUS
#include "backend/cpu/put_add.inc"

#define NAME add_64
#define ELEMENT uint64_t
#define PARTS 1
#define SUM PLUS
#include "backend/cpu/put_add.inc"

#define NAME add_float16
#define ELEMENT uint16_t
#define PARTS 1
#define SUM FLOAT16
#include "backend/cpu/put_add.inc"

#define NAME add_bfloat16
#define ELEMENT uint16_t
#define PARTS 1
#define SUM BFLOAT16
#include "backend/cpu/put_add.inc"

#define NAME add_float32
#define ELEMENT float
#define PARTS 1
#define SUM PLUS
#include "backend/cpu/put_add.inc"

#define NAME add_float64
#define ELEMENT double
#define PARTS 1
#define SUM PLUS
#include "backend/cpu/put_add.inc"

#define NAME add_complex64
#define ELEMENT float
#define PARTS 2
#define SUM PLUS
#include "backend/cpu/put_add.inc"

#define NAME add_complex128
#define ELEMENT double
#define PARTS 2
#define SUM PLUS
#include "backend/cpu/put_add.inc"

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
    const ps__lane *lane;
    const ps__work_put *work;
    const ps__operand *operands;
    int outer;    /* dimensions of a slice that are not in a row */
    int64_t many; /* rows in a slice */
    rows rows;
    rows_fn write;
} scattering;

/* Rows [begin, end) of every slice. */
static ps_status write_rows(size_t begin, size_t end, void *arg)
{
    const scattering *s = arg;
    const ps__work_put *work = s->work;
    for (size_t row = begin; row < end; row++) {
        int64_t rest = (int64_t)row, to = 0, from = 0;
        for (int i = s->outer - 1; i >= 0; i--) {
            to += rest % work->shape[i] * work->strides[0][i];
            from += rest % work->shape[i] * work->strides[1][i];
            rest /= work->shape[i];
        }
        s->write(&s->rows, s->operands[0].data + to, s->operands[2].data + from);
    }
    return PS_OK;
}

/* The last dimension of a slice, if it has any, is a row; moved in one go if it lies side by side. */
static void choose_rows(scattering *s)
{
    const ps__work_put *work = s->work;
    rows *r = &s->rows;
    int64_t item = (int64_t)ps__dtype_bytes(s->operands[0].dtype);
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

static void scattering_begin(const ps__lane *lane, const ps__work_put *work,
                             const ps__operand *operands, scattering *s)
{
    *s = (scattering){.lane = lane,
                      .work = work,
                      .operands = operands,
                      .rows = {.step = work->step},
                      .write = work->accumulate ? adders[operands[0].dtype] : move_rows};
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
    return ps__split(s->lane, (size_t)s->many, grain, write_rows, s);
}

/* ---- places -------------------------------------------------------------------------------- */

/* Positions that count through several dimensions, or none, as distances in bytes. */
static void locate(const ps__work_put *work, int64_t count, int64_t *positions)
{
    for (int64_t p = 0; p < count; p++) {
        int64_t rest = positions[p], distance = 0;
        for (int i = work->counted - 1; i >= 0; i--) {
            distance += rest % work->counted_shape[i] * work->counted_strides[i];
            rest /= work->counted_shape[i];
        }
        positions[p] = distance;
    }
}

static ps_status room_for(const ps__lane *lane, int64_t count, void **offsets)
{
    if (ps_memory_alloc((size_t)count * sizeof(int64_t), offsets) == PS_OK)
        return PS_OK;
    return ps_task_fail(lane->self, PS_ERR_MEMORY, "%s: no memory for %" PRId64 " positions",
                        lane->name, count);
}

/* Positions [first, first + n) as distances; as ps__positions_resolve. */
static int64_t resolve_places(const scattering *s, int64_t first, int64_t n, int64_t *offsets)
{
    const ps__work_put *work = s->work;
    bool one = work->counted == 1;
    int64_t bad = ps__positions_resolve(&s->operands[1], first, n, work->length,
                                        one ? work->counted_strides[0] : 1, offsets);
    if (!one && bad < 0)
        locate(work, n, offsets);
    return bad;
}

/* Slices of several rows: each goes through the distances, so that all are kept. */
static ps_status scatter_resolved(scattering *s, int64_t *bad)
{
    int64_t count = s->work->count;
    void *offsets;
    ps_status status = room_for(s->lane, count, &offsets);
    if (status != PS_OK)
        return status;
    *bad = resolve_places(s, 0, count, offsets);
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
    char *x = s->operands[0].data;
    const char *values = s->operands[2].data;
    for (int64_t at = 0; at < count && *bad < 0; at += RESOLVED)
        *bad = resolve_places(s, at, count - at < RESOLVED ? count - at : RESOLVED, offsets);
    r.offsets = offsets;
    for (int64_t at = 0; at < count && *bad < 0; at += RESOLVED) {
        r.count = count - at < RESOLVED ? count - at : RESOLVED;
        (void)resolve_places(s, at, r.count, offsets);
        s->write(&r, x, values + at * r.step);
    }
}

PS__CPU_RUN(put)
{
    (void)count;
    scattering s;
    int64_t bad = -1;
    ps_status status = PS_OK;
    scattering_begin(lane, (const ps__work_put *)work, operands, &s);
    if (s.work->count == 0)
        return PS_OK;
    if (s.many == 1)
        scatter_row(&s, &bad);
    else
        status = scatter_resolved(&s, &bad);
    if (bad < 0)
        return status;
    return ps__positions_fail(lane, &operands[1], bad, bad, s.work->axis, s.work->length);
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

PS__CPU_RUN(masked_put)
{
    (void)count;
    const ps__work_put *w = (const ps__work_put *)work;
    const char *mask = operands[1].data;
    int64_t found = count_true(mask, w->count);
    void *offsets;
    if (w->given >= 0 && w->given != found)
        return ps_task_fail(lane->self, PS_ERR_ARGUMENT,
                            "%s: %" PRId64 " values for %" PRId64 " places where the mask is true",
                            lane->name, w->given, found);
    if (found == 0)
        return PS_OK;
    ps_status status = room_for(lane, found, &offsets);
    if (status != PS_OK)
        return status;
    list_true(mask, w->count, offsets);
    locate(w, found, offsets);
    scattering s;
    scattering_begin(lane, w, operands, &s);
    status = scatter(&s, offsets, found);
    ps_memory_free(offsets, (size_t)found * sizeof(int64_t));
    return status;
}
