/* cumulative_sum and cumulative_prod.
 *
 * Every output is combined with the next element in the order of the axis, so its bits depend on
 * nothing but that row: not on strides, nor on how rows are divided among threads. Rows are walked
 * in blocks: gathered, brought into the type that is added up in, combined, brought into the
 * result's type. Where many rows lie side by side, across the axis, they are combined as vectors
 * instead: the same operations on the same elements. */
#include "base/error.h"
#include "kernels/scan.h"
#include "ops/map.h"
#include "ops/strided.h"

#include <string.h>

enum {
    BLOCK = 512,    /* elements of a row that are taken at a time */
    ACROSS = 8,     /* rows side by side from which on they are combined as vectors */
    PIECE = 1 << 15 /* elements; work is divided among threads in pieces of about these */
};

typedef struct scan_work {
    int axis;
    uint8_t prim, compute; /* a ps__prim; the type that is added up in */
} scan_work;

typedef struct scanning {
    const ps__operand *x, *out;
    int axis;
    int64_t length, inner;       /* of a row; rows side by side in the result */
    size_t item, out_item, wide; /* bytes of an element: of x, the result, what is added up in */
    unsigned log;                /* of x's item */
    ps__cast_fn in, to;          /* to the type that is added up in and from it, or NULL */
    ps__scan_fn combine;         /* along a row, or NULL: by `step` */
    ps__map_fn step;
} scanning;

/* ---- along a row --------------------------------------------------------------------- */

static void combine(const scanning *s, size_t n, char *out, const char *in, ps__element *carry)
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
    combine(s, n, out, in, carry);
}

static void scan_row(const scanning *s, const char *from, int64_t stride, char *to, int64_t step)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    _Alignas(64) char raw[BLOCK * 16], values[BLOCK * 16], rounded[BLOCK * 16];
    unsigned out_log = (unsigned)__builtin_ctzll(s->out_item);
    bool straight = step == (int64_t)s->out_item;
    ps__element carry;
    for (int64_t at = 0; at < s->length; at += BLOCK) {
        size_t n = (size_t)(s->length - at < BLOCK ? s->length - at : BLOCK);
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
static char *start_of(const ps__operand *operand, int axis, int64_t index)
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
        scan_row(s, start_of(s->x, s->axis, (int64_t)row), s->x->strides[s->axis],
                 start_of(s->out, s->axis, (int64_t)row), s->out->strides[s->axis]);
    return PS_OK;
}

/* ---- rows side by side --------------------------------------------------------------- */

/* Columns [first, first + n) of x as one slice before the axis has them. x lies side by side. */
static void scan_columns(const scanning *s, const char *from, char *to, size_t n)
{
    _Alignas(64) char values[BLOCK * 16], sums[BLOCK * 16];
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
    int64_t count = (s->inner + BLOCK - 1) / BLOCK;
    for (int64_t at = (int64_t)begin; at < (int64_t)end; at++) {
        int64_t slice = at / count, first = at % count * BLOCK;
        int64_t n = s->inner - first < BLOCK ? s->inner - first : BLOCK;
        int64_t start = slice * s->length * s->inner + first;
        scan_columns(s, s->x->data + start * (int64_t)s->item,
                     s->out->data + start * (int64_t)s->out_item, (size_t)n);
    }
    return PS_OK;
}

static size_t grain_of(int64_t elements)
{
    return elements >= PIECE ? 1 : (size_t)(PIECE / (elements > 0 ? elements : 1));
}

static ps_status run(ps__task *task, ps_task *self)
{
    (void)self;
    const ps__kernel_set *kernels = ps__kernels_get();
    const scan_work *work = task->extra;
    const ps__operand *out = &task->operands[0], *x = &task->operands[1];
    scanning s = {.x = x,
                  .out = out,
                  .axis = work->axis,
                  .length = x->shape[work->axis],
                  .inner = 1,
                  .item = ps__dtype_bytes((ps_dtype)x->dtype),
                  .out_item = ps__dtype_bytes((ps_dtype)out->dtype),
                  .wide = ps__dtype_bytes((ps_dtype)work->compute),
                  .in = x->dtype != work->compute ? kernels->cast[x->dtype][work->compute] : NULL,
                  .to =
                      out->dtype != work->compute ? kernels->cast[work->compute][out->dtype] : NULL,
                  .combine = ps__scan_get((ps__prim)work->prim, (ps_dtype)work->compute),
                  .step = kernels->map[work->prim][work->compute][PS__FORM_ALL]};
    int64_t outer = 1;
    s.log = (unsigned)__builtin_ctzll(s.item);
    for (int i = 0; i < x->ndim; i++)
        *(i < work->axis ? &outer : &s.inner) *= i == work->axis ? 1 : x->shape[i];
    if (outer == 0 || s.inner == 0 || s.length == 0)
        return PS_OK;
    if (s.inner < ACROSS)
        return ps__split((size_t)(outer * s.inner), grain_of(s.length), scan_rows, &s);
    int64_t blocks = outer * ((s.inner + BLOCK - 1) / BLOCK);
    int64_t wide = s.inner < BLOCK ? s.inner : BLOCK;
    return ps__split((size_t)blocks, grain_of(s.length * wide), scan_blocks, &s);
}

/* ---- calls --------------------------------------------------------------------------- */

static ps_status queue(const ps__bound_call *call, const ps__result *result, const ps_tensor *x,
                       const scan_work *work)
{
    ps__launch launch;
    int64_t *dims;
    ps_status status =
        ps__task_new(call->op, x->place, 1, 2, 4u * x->ndim, sizeof *work, &launch, &dims);
    if (status != PS_OK)
        return status;
    ps__task_operand(&launch, 0, result->tensor, result->use, &dims);
    ps__task_operand(&launch, 1, x, PS__READ, &dims);
    *(scan_work *)launch.task->extra = *work;
    launch.task->run = run;
    launch.brief = true;
    launch.location = call->call->location;
    launch.cost_ns = 60 + (uint64_t)x->count;
    return ps__task_push(&launch);
}

static int64_t rows_side_by_side(const ps_tensor *x, int axis)
{
    int64_t inner = 1;
    for (int i = axis + 1; i < x->ndim; i++)
        inner *= ps__shape(x)[i];
    return inner;
}

static ps_status scan(const ps__bound_call *call, ps_tensor *x, const scan_work *work,
                      ps_dtype dtype)
{
    ps__result result;
    ps_tensor *packed = NULL;
    int64_t count;
    ps_status status = ps__shape_check(call->op->row.name, dtype, x->ndim, ps__shape(x), &count);
    if (status == PS_OK)
        status = ps__result_begin(call, 0, x->place, dtype, x->ndim, ps__shape(x), &result);
    if (status != PS_OK)
        return status;
    if (rows_side_by_side(x, work->axis) >= ACROSS)
        status = ps__contiguous(call, x, &packed);
    if (status == PS_OK)
        status = queue(call, &result, packed != NULL ? packed : x, work);
    ps_tensor_release(packed);
    return ps__result_end(&result, status);
}

/* As for sums: small integers grow, so that they rarely overflow. */
static ps_status result_type(const ps__bound_call *call, ps_dtype from, ps_dtype *result)
{
    const ps_arg *given = &call->args[2];
    if (given->kind == PS_ARG_DTYPE)
        *result = given->as.dtype;
    else if (from == PS_BOOL || PS__SET_SIGNED >> from & 1)
        *result = PS_INT64;
    else
        *result = PS__SET_UNSIGNED >> from & 1 ? PS_UINT64 : from;
    bool complex = ps__dtype_kind_of(from) == PS__KIND_COMPLEX;
    if (*result == PS_BOOL || (complex && ps__dtype_kind_of(*result) != PS__KIND_COMPLEX))
        return ps__fail(PS_ERR_TYPE, "%s: no rule for %s as %s", call->op->row.name,
                        ps__dtypes[from].name, ps__dtypes[*result].name);
    return PS_OK;
}

static ps_status cumulate(const ps__bound_call *call, ps__prim prim)
{
    ps_tensor *x, *flat = NULL;
    ps_dtype dtype;
    scan_work work = {.prim = (uint8_t)prim};
    const ps_tensor *out = call->call->outputs[0];
    bool whole = call->args[1].kind == PS_ARG_NONE;
    ps_status status = ps__tensor_of(call, 0, &x);
    if (status == PS_OK && !whole)
        status = ps__axis(call->op->row.name, call->args[1].as.integer, x->ndim, &work.axis);
    if (status == PS_OK)
        status = result_type(call, (ps_dtype)x->dtype, &dtype);
    if (status != PS_OK)
        return status;
    if (ps__needs_detour(call, dtype) || (out != NULL && !out->contiguous))
        return ps__detour(call);
    work.compute = ps__dtypes[dtype].compute;
    if (whole && x->ndim != 1)
        status = ps__flattened(call, x, &flat);
    if (status == PS_OK)
        status = scan(call, flat != NULL ? flat : x, &work, dtype);
    ps_tensor_release(flat);
    return status;
}

ps_status ps__op_cumulative_sum(const ps__bound_call *call)
{
    return cumulate(call, PS__PRIM_add);
}

ps_status ps__op_cumulative_prod(const ps__bound_call *call)
{
    return cumulate(call, PS__PRIM_multiply);
}
