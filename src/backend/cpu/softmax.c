/* softmax and log_softmax of rows: see PS__WORK_SOFTMAX in work.h.
 *
 * A row is worked on in blocks of a leaf, in the place of the result: as long as it stays in the
 * cache, memory is read and written once. The operations on each element, and the order in which
 * a row is added up, are those of the rows that softmax is made of elsewhere (max, subtract, exp,
 * sum, divide), so the bits are the same. */
#include "backend/cpu/cpu.h"

#include <math.h>
#include <string.h>

enum {
    PIECE = 1 << 14, /* elements; rows are divided among threads in pieces of about these */
    GATHERED = 256,  /* elements that are gathered at a time */
    LEVELS = 16      /* of the tree that adds up leaves */
};

typedef struct softening {
    const ps__operand *x, *out;
    int64_t length;
    size_t item, from_item; /* bytes of an element: of the result, of x */
    ps__cast_fn cast;       /* from x's type, or NULL */
    bool logarithm;
    ps__leaf_fn largest, total;
    ps__map_fn larger, add, less, exp, log, divide; /* less, divide: by one element for all */
} softening;

/* The same row of both operands. */
typedef struct soft_row {
    const softening *s;
    const char *from;
    int64_t stride; /* of x along the row */
    char *to;
} soft_row;

static size_t leaf_at(const softening *s, int64_t at)
{
    return (size_t)(s->length - at < PS__LEAF ? s->length - at : PS__LEAF);
}

static void map_two(ps__map_fn map, size_t n, void *out, const void *a, const void *b)
{
    map(n, out, (const void *[]){a, b});
}

/* Elements of x that do not lie side by side, in another type. */
static void gather_cast(const soft_row *row, const char *in, size_t n, char *out)
{
    const softening *s = row->s;
    unsigned log = (unsigned)__builtin_ctzll(s->from_item);
    _Alignas(64) char raw[GATHERED * 8];
    for (size_t at = 0; at < n; at += GATHERED) {
        size_t part = n - at < GATHERED ? n - at : GATHERED;
        ps__kernels_get()->gather[log](part, raw, in + (int64_t)at * row->stride,
                                       (ptrdiff_t)row->stride);
        s->cast(part, out + at * s->item, raw);
    }
}

/* A block of x in the result's type: where it is, or brought into the result's place. */
static const char *bring(const soft_row *row, int64_t at, size_t n)
{
    const softening *s = row->s;
    const char *in = row->from + at * row->stride;
    char *out = row->to + at * (int64_t)s->item;
    bool straight = row->stride == (int64_t)s->from_item;
    if (straight && s->cast == NULL)
        return in;
    if (straight)
        s->cast(n, out, in);
    else if (s->cast != NULL)
        gather_cast(row, in, n, out);
    else
        ps__kernels_get()->gather[(unsigned)__builtin_ctzll(s->item)](n, out, in,
                                                                      (ptrdiff_t)row->stride);
    return out;
}

/* What is subtracted: the largest element of the row; 0 where that is infinite or NaN. */
static void find_largest(const soft_row *row, ps__element *most)
{
    const softening *s = row->s;
    ps__element next;
    for (int64_t at = 0; at < s->length; at += PS__LEAF) {
        size_t n = leaf_at(s, at);
        s->largest(n, bring(row, at, n), at == 0 ? most : &next);
        if (at != 0)
            map_two(s->larger, 1, most, most, &next);
    }
    float single;
    double number;
    memcpy(&single, most, sizeof single);
    memcpy(&number, most, sizeof number);
    if (!isfinite(s->item == sizeof single ? (double)single : number))
        memset(most, 0, sizeof *most);
}

/* Sums of subtrees, the largest first: one for each digit that is 1 in the number of leaves. Rows
 * of this work have less than 2^(LEVELS - 1). */
typedef struct sums {
    ps__element at[LEVELS];
    unsigned count;
    uint64_t leaves;
} sums;

static void join_last(const softening *s, sums *all)
{
    all->count--;
    map_two(s->add, 1, &all->at[all->count - 1], &all->at[all->count - 1], &all->at[all->count]);
}

static void add_leaf(const softening *s, sums *all, size_t n, const char *values)
{
    s->total(n, values, &all->at[all->count++]);
    for (uint64_t digits = ++all->leaves; (digits & 1) == 0; digits >>= 1)
        join_last(s, all);
}

/* The result becomes exp of x less the largest; its sum is the total. */
static void exponentials(const soft_row *row, const ps__element *most, ps__element *total)
{
    const softening *s = row->s;
    sums all = {.count = 0};
    for (int64_t at = 0; at < s->length; at += PS__LEAF) {
        size_t n = leaf_at(s, at);
        char *out = row->to + at * (int64_t)s->item;
        map_two(s->less, n, out, bring(row, at, n), most);
        s->exp(n, out, (const void *[]){out});
        add_leaf(s, &all, n, out);
    }
    while (all.count > 1)
        join_last(s, &all);
    *total = all.at[0];
}

/* x less the largest, less the logarithm of the total. */
static void logarithms(const soft_row *row, const ps__element *most, ps__element *total)
{
    const softening *s = row->s;
    s->log(1, total, (const void *[]){total});
    for (int64_t at = 0; at < s->length; at += PS__LEAF) {
        size_t n = leaf_at(s, at);
        char *out = row->to + at * (int64_t)s->item;
        map_two(s->less, n, out, bring(row, at, n), most);
        map_two(s->less, n, out, out, total);
    }
}

static void soften(const soft_row *row)
{
    const softening *s = row->s;
    ps__element most, total;
    find_largest(row, &most);
    exponentials(row, &most, &total);
    if (s->logarithm)
        logarithms(row, &most, &total);
    else
        map_two(s->divide, (size_t)s->length, row->to, row->to, &total);
}

static ps_status soften_rows(size_t begin, size_t end, void *arg)
{
    const softening *s = arg;
    const ps__operand *x = s->x;
    int last = x->ndim - 1;
    for (size_t i = begin; i < end; i++) {
        const char *from = x->data;
        for (int64_t d = last - 1, place = (int64_t)i; d >= 0; place /= x->shape[d--])
            from += place % x->shape[d] * x->strides[d];
        soften(&(soft_row){s, from, x->strides[last],
                           s->out->data + (int64_t)(i * s->item) * s->length});
    }
    return PS_OK;
}

PS__CPU_RUN(softmax)
{
    (void)count;
    const ps__kernel_set *kernels = ps__kernels_get();
    const ps__work_softmax *w = (const ps__work_softmax *)work;
    const ps__operand *out = &operands[0], *x = &operands[1];
    ps_dtype type = (ps_dtype)out->dtype;
    softening s = {.x = x,
                   .out = out,
                   .length = x->shape[x->ndim - 1],
                   .item = ps__dtype_bytes(type),
                   .from_item = ps__dtype_bytes((ps_dtype)x->dtype),
                   .cast = x->dtype != out->dtype ? kernels->cast[x->dtype][type] : NULL,
                   .logarithm = w->logarithm != 0,
                   .largest = kernels->leaf[PS__REDUCE_MAX][type],
                   .total = kernels->leaf[PS__REDUCE_SUM][type],
                   .larger = kernels->map[PS__PRIM_maximum][type][PS__FORM_ALL],
                   .add = kernels->map[PS__PRIM_add][type][PS__FORM_ALL],
                   .less = kernels->map[PS__PRIM_subtract][type][PS__FORM_SECOND_ONE],
                   .exp = kernels->map[PS__PRIM_exp][type][PS__FORM_ALL],
                   .log = kernels->map[PS__PRIM_log][type][PS__FORM_ALL],
                   .divide = kernels->map[PS__PRIM_divide][type][PS__FORM_SECOND_ONE]};
    size_t rows = 1, grain = s.length >= PIECE ? 1 : (size_t)(PIECE / s.length);
    for (int i = 0; i < x->ndim - 1; i++)
        rows *= (size_t)x->shape[i];
    return ps__split(lane, rows, grain, soften_rows, &s);
}
