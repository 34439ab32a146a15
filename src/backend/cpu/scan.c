/* Cumulative sums and products: see PS__WORK_SCAN in work.h.
 *
 * Every output is combined with the next element in the order of the axis, so its bits depend on
 * nothing but that row: not on strides, nor on how rows are divided among threads. Rows are walked
 * in blocks: gathered, brought into the type that is added up in, combined, brought into the
 * result's type. Where many rows lie side by side, across the axis, they are combined as vectors
 * instead: the same operations on the same elements. */
#include "backend/cpu/cpu.h"

#include "kernels/scan.h"

#include <string.h>

enum {
    BLOCK_BYTES = 2048, /* what is taken at a time, in the widest of the types */
    PIECE = 1 << 15     /* elements; work is divided among threads in pieces of about these */
};

typedef struct scanning {
    const ps__operand *x, *out;
    int axis;
    int64_t length, inner;       /* of a row; rows side by side in the result */
    size_t item, out_item, wide; /* bytes of an element: of x, the result, what is added up in */
    unsigned log;                /* of x's item */
    ps__cast_fn in, to;          /* to the type that is added up in and from it, or NULL */
    int64_t block;               /* elements that are taken at a time */
    ps__scan_fn combine;         /* along a row, or NULL: by `step` */
    ps__map_fn step;
} scanning;

/* ---- along a row --------------------------------------------------------------------- */

static void combine_block(const scanning *s, size_t n, char *out, const char *in,
                          ps__element *carry)
{
    if (s->combine != NULL) {
        s->combine(n, out, in, carry);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        s->step(1, carry, (const void *[]){carry, in + i * s->wide});
        memcpy(out + i * s->wide, carry, s->wide);
    }
}

/* The first element of a row is taken as it is: 0 plus -0 would be 0. */
static void combine_from(const scanning *s, bool first, size_t n, char *out, const char *in,
                         ps__element *carry)
{
    if (first) {
        memcpy(carry, in, s->wide);
        memmove(out, in, s->wide);
        n--;
        out += s->wide;
        in += s->wide;
    }
    combine_block(s, n, out, in, carry);
}

static void scan_row(const scanning *s, const char *from, int64_t stride, char *to, int64_t step)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    _Alignas(64) char raw[BLOCK_BYTES], values[BLOCK_BYTES], rounded[BLOCK_BYTES];
    unsigned out_log = (unsigned)__builtin_ctzll(s->out_item);
    bool straight = step == (int64_t)s->out_item;
    ps__element carry;
    for (int64_t at = 0; at < s->length; at += s->block) {
        size_t n = (size_t)(s->length - at < s->block ? s->length - at : s->block);
        const char *in = from + at * stride;
        char *out = to + at * step, *sums = s->to == NULL && straight ? out : values;
        if (stride != (int64_t)s->item) {
            kernels->gather[s->log](n, raw, in, (ptrdiff_t)stride);
            in = raw;
        }
        if (s->in != NULL) {
            s->in(n, values, in);
            in = values;
        }
        combine_from(s, at == 0, n, sums, in, &carry);
        if (s->to != NULL) {
            char *results = straight ? out : rounded;
            s->to(n, results, sums);
            sums = results;
        }
        if (!straight)
            kernels->scatter[out_log](n, out, (ptrdiff_t)step, sums);
    }
}

/* Where row `index` begins in an operand: all dimensions but the axis. */
static char *row_start(const ps__operand *operand, int axis, int64_t index)
{
    char *at = operand->data;
    for (int i = operand->ndim - 1; i >= 0; i--) {
        if (i == axis)
            continue;
        at += index % operand->shape[i] * operand->strides[i];
        index /= operand->shape[i];
    }
    return at;
}

static ps_status scan_rows(size_t begin, size_t end, void *arg)
{
    const scanning *s = arg;
    for (size_t row = begin; row < end; row++)
        scan_row(s, row_start(s->x, s->axis, (int64_t)row), s->x->strides[s->axis],
                 row_start(s->out, s->axis, (int64_t)row), s->out->strides[s->axis]);
    return PS_OK;
}

/* ---- rows side by side --------------------------------------------------------------- */

/* Columns [first, first + n) of x as one slice before the axis has them. x lies side by side. */
static void scan_columns(const scanning *s, const char *from, char *to, size_t n)
{
    _Alignas(64) char values[BLOCK_BYTES], sums[BLOCK_BYTES];
    const char *last = sums;
    for (int64_t i = 0; i < s->length; i++) {
        const char *in = from + i * s->inner * (int64_t)s->item;
        char *out = to + i * s->inner * (int64_t)s->out_item;
        char *now = s->to == NULL ? out : sums;
        if (s->in != NULL) {
            s->in(n, values, in);
            in = values;
        }
        if (i == 0)
            memcpy(now, in, n * s->wide);
        else
            s->step(n, now, (const void *[]){last, in});
        last = now;
        if (s->to != NULL)
            s->to(n, out, now);
    }
}

/* Blocks of columns, `count` for each slice. */
static ps_status scan_blocks(size_t begin, size_t end, void *arg)
{
    const scanning *s = arg;
    int64_t count = (s->inner + s->block - 1) / s->block;
    for (int64_t at = (int64_t)begin; at < (int64_t)end; at++) {
        int64_t slice = at / count, first = at % count * s->block;
        int64_t n = s->inner - first < s->block ? s->inner - first : s->block;
        int64_t start = slice * s->length * s->inner + first;
        scan_columns(s, s->x->data + start * (int64_t)s->item,
                     s->out->data + start * (int64_t)s->out_item, (size_t)n);
    }
    return PS_OK;
}

static size_t scan_grain(int64_t elements)
{
    return elements >= PIECE ? 1 : (size_t)(PIECE / (elements > 0 ? elements : 1));
}

static size_t widest(const scanning *s)
{
    size_t bytes = s->item > s->out_item ? s->item : s->out_item;
    return bytes > s->wide ? bytes : s->wide;
}

static bool is_packed(const ps__operand *x)
{
    int64_t step = (int64_t)ps__dtype_bytes((ps_dtype)x->dtype);
    for (int i = x->ndim - 1; i >= 0; i--) {
        if (x->shape[i] != 1 && x->strides[i] != step)
            return false;
        step *= x->shape[i];
    }
    return true;
}

PS__CPU_RUN(scan)
{
    (void)count;
    const ps__kernel_set *kernels = ps__kernels_get();
    const ps__work_scan *w = (const ps__work_scan *)work;
    const ps__operand *out = &operands[0], *x = &operands[1];
    scanning s = {.x = x,
                  .out = out,
                  .axis = w->axis,
                  .length = x->shape[w->axis],
                  .inner = 1,
                  .item = ps__dtype_bytes((ps_dtype)x->dtype),
                  .out_item = ps__dtype_bytes((ps_dtype)out->dtype),
                  .wide = ps__dtype_bytes((ps_dtype)w->compute),
                  .in = x->dtype != w->compute ? kernels->cast[x->dtype][w->compute] : NULL,
                  .to = out->dtype != w->compute ? kernels->cast[w->compute][out->dtype] : NULL,
                  .combine = ps__scan_get((ps__prim)w->prim, (ps_dtype)w->compute),
                  .step = kernels->map[w->prim][w->compute][PS__FORM_ALL]};
    int64_t outer = 1;
    s.log = (unsigned)__builtin_ctzll(s.item);
    for (int i = 0; i < x->ndim; i++)
        *(i < w->axis ? &outer : &s.inner) *= i == w->axis ? 1 : x->shape[i];
    if (outer == 0 || s.inner == 0 || s.length == 0)
        return PS_OK;
    s.block = BLOCK_BYTES / (int64_t)widest(&s);
    if (s.inner < PS__SCAN_ACROSS || !is_packed(x))
        return ps__split(lane, (size_t)(outer * s.inner), scan_grain(s.length), scan_rows, &s);
    int64_t blocks = outer * ((s.inner + s.block - 1) / s.block);
    int64_t wide = s.inner < s.block ? s.inner : s.block;
    return ps__split(lane, (size_t)blocks, scan_grain(s.length * wide), scan_blocks, &s);
}
