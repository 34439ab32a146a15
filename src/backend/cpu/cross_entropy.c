/* Cross-entropy of rows: see PS__WORK_CROSS_ENTROPY in work.h.
 *
 * A row is worked on in blocks that stay in the first-level cache. Sums of blocks are added up in
 * float64, in order, so the bits depend on the row alone. */
#include "backend/cpu/cpu.h"

#include "engine/origin.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    PIECE = 1 << 14, /* elements; rows are divided among threads in pieces of about these */
    BLOCK = 512      /* elements that are worked on at a time */
};

_Static_assert((int)BLOCK <= (int)PS__LEAF, "a block is a leaf");

typedef struct crossing {
    const ps__work_cross_entropy *work;
    const ps__operand *operands;
    const int64_t *labels;
    ps_dtype dtype;
    size_t length, item; /* of a row; bytes of an element */
    ps__leaf_fn largest, total;
    ps__map_fn less, by, exp; /* less, by: one element for all */
} crossing;

static double number_at(const crossing *c, const void *element)
{
    return ps__scalar_load(c->dtype, element).as.d;
}

static void element_of(const crossing *c, double number, ps__element *element)
{
    ps__scalar_cast((ps_scalar){PS_SCALAR_DOUBLE, {.d = number}}, c->dtype, element);
}

static size_t block_at(const crossing *c, size_t at)
{
    return c->length - at < BLOCK ? c->length - at : BLOCK;
}

/* What is subtracted before exp: the largest element, or 0 where that is infinite or NaN. */
static double find_largest(const crossing *c, const char *x)
{
    double most = -INFINITY;
    for (size_t at = 0; at < c->length; at += BLOCK) {
        ps__element found;
        c->largest(block_at(c, at), x + at * c->item, &found);
        double number = number_at(c, &found);
        most = isnan(number) || number > most ? number : most;
    }
    return isfinite(most) ? most : 0;
}

static double add_up(const crossing *c, const char *x)
{
    double sum = 0;
    for (size_t at = 0; at < c->length; at += BLOCK) {
        ps__element found;
        c->total(block_at(c, at), x + at * c->item, &found);
        sum += number_at(c, &found);
    }
    return sum;
}

/* The sum of exp(x - most), each of which goes to `out`, or without it nowhere. */
static double exponentials(const crossing *c, const char *x, double most, char *out)
{
    _Alignas(64) char room[BLOCK * sizeof(double)];
    ps__element shift, found;
    double sum = 0;
    element_of(c, most, &shift);
    for (size_t at = 0; at < c->length; at += BLOCK) {
        size_t n = block_at(c, at);
        char *to = out != NULL ? out + at * c->item : room;
        c->less(n, to, (const void *[]){x + at * c->item, &shift});
        c->exp(n, to, (const void *[]){to});
        c->total(n, to, &found);
        sum += number_at(c, &found);
    }
    return sum;
}

static void give_loss(const crossing *c, const char *x, int64_t label, void *out)
{
    double smoothing = c->work->smoothing, most = find_largest(c, x);
    double total = log(exponentials(c, x, most, NULL)) + most;
    double picked = number_at(c, x + (size_t)label * c->item);
    ps__element loss;
    if (smoothing != 0)
        picked = (1 - smoothing) * picked + smoothing / (double)c->length * add_up(c, x);
    element_of(c, total - picked, &loss);
    memcpy(out, &loss, c->item);
}

/* (softmax(x) - t) * flow. */
static void give_gradient(const crossing *c, const char *x, int64_t label, double flow, char *out)
{
    double smoothing = c->work->smoothing;
    double total = exponentials(c, x, find_largest(c, x), out);
    ps__element factor, share, own;
    char *at = out + (size_t)label * c->item;
    element_of(c, flow / total, &factor);
    c->by(c->length, out, (const void *[]){out, &factor});
    if (smoothing != 0) {
        element_of(c, flow * smoothing / (double)c->length, &share);
        c->less(c->length, out, (const void *[]){out, &share});
    }
    element_of(c, number_at(c, at) - (1 - smoothing) * flow, &own);
    memcpy(at, &own, c->item);
}

static bool is_ignored(const crossing *c, int64_t label)
{
    return c->work->ignores && label == c->work->ignored;
}

static ps_status cross_rows(size_t begin, size_t end, void *arg)
{
    const crossing *c = arg;
    size_t row = c->length * c->item, step = c->work->back ? row : c->item;
    for (size_t i = begin; i < end; i++) {
        const char *x = c->operands[1].data + i * row;
        char *out = c->operands[0].data + i * step;
        if (is_ignored(c, c->labels[i]))
            memset(out, 0, step);
        else if (c->work->back)
            give_gradient(c, x, c->labels[i], number_at(c, c->operands[3].data + i * c->item), out);
        else
            give_loss(c, x, c->labels[i], out);
    }
    return PS_OK;
}

/* The first label that is out of range; `rows` if there is none. */
static size_t find_bad(const crossing *c, size_t rows)
{
    size_t i = 0;
    while (i < rows && ((uint64_t)c->labels[i] < c->length || is_ignored(c, c->labels[i])))
        i++;
    return i;
}

static ps_status refuse_label(const ps__lane *lane, const crossing *c, size_t bad)
{
    return ps_task_fail(lane->self, PS_ERR_INDEX,
                        "%s: label %" PRId64 " is out of range for %zu classes; it is number "
                        "%" PRId64 " of the labels",
                        lane->name, ps__task_stated(lane->self, c->labels[bad]), c->length,
                        ps__task_stated(lane->self, (int64_t)bad));
}

PS__CPU_RUN(cross_entropy)
{
    (void)count;
    const ps__kernel_set *kernels = ps__kernels_get();
    const ps__operand *x = &operands[1];
    ps_dtype dtype = (ps_dtype)x->dtype;
    crossing c = {.work = (const ps__work_cross_entropy *)work,
                  .operands = operands,
                  .labels = (const int64_t *)(const void *)operands[2].data,
                  .dtype = dtype,
                  .length = (size_t)x->shape[x->ndim - 1],
                  .item = ps__dtype_bytes(dtype),
                  .largest = kernels->leaf[PS__REDUCE_MAX][dtype],
                  .total = kernels->leaf[PS__REDUCE_SUM][dtype],
                  .less = kernels->map[PS__PRIM_subtract][dtype][PS__FORM_SECOND_ONE],
                  .by = kernels->map[PS__PRIM_multiply][dtype][PS__FORM_SECOND_ONE],
                  .exp = kernels->map[PS__PRIM_exp][dtype][PS__FORM_ALL]};
    size_t rows = 1, grain = c.length >= PIECE ? 1 : PIECE / c.length;
    for (int i = 0; i < x->ndim - 1; i++)
        rows *= (size_t)x->shape[i];
    size_t bad = find_bad(&c, rows);
    return bad < rows ? refuse_label(lane, &c, bad) : ps__split(lane, rows, grain, cross_rows, &c);
}
