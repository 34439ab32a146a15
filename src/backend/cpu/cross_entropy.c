/* Cross-entropy of rows: see PS__WORK_CROSS_ENTROPY in work.h.
 *
 * A row is worked on in blocks that stay in the first-level cache. Sums of blocks are added up in
 * float64, in order, so the bits depend on the row alone. */
#include "backend/cpu/cross_entropy.h"

#include "engine/origin.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    PIECE = 1 << 14, /* elements; rows are divided among threads in pieces of about these */
    BLOCK = 512      /* elements that are worked on at a time */
};

_Static_assert((int)BLOCK <= (int)PS__LEAF, "a block is a leaf");

static size_t block_at(const ps__crossing *c, size_t at)
{
    return c->length - at < BLOCK ? c->length - at : BLOCK;
}

/* What is subtracted before exp: the largest element, or 0 where that is infinite or NaN. */
static double find_largest(const ps__crossing *c, const char *x)
{
    double most = -INFINITY;
    for (size_t at = 0; at < c->length; at += BLOCK) {
        ps__element found;
        c->largest(block_at(c, at), x + at * c->item, &found);
        double number = ps__crossing_number(c, &found);
        most = isnan(number) || number > most ? number : most;
    }
    return isfinite(most) ? most : 0;
}

static double add_up(const ps__crossing *c, const char *x)
{
    double sum = 0;
    for (size_t at = 0; at < c->length; at += BLOCK) {
        ps__element found;
        c->total(block_at(c, at), x + at * c->item, &found);
        sum += ps__crossing_number(c, &found);
    }
    return sum;
}

/* exp(x - shift), in one go where the set can. */
static void exponentials_of(const ps__crossing *c, size_t n, const char *x,
                            const ps__element *shift, char *to)
{
    ps__run_step steps[2] = {{.code = PS__RUN_SUBTRACT, .one = true}, {.code = PS__RUN_EXP}};
    if (c->kernels->run != NULL && c->dtype == PS_FLOAT32) {
        memcpy(&steps[0].same, shift, sizeof steps[0].same);
        c->kernels->run(n, to, x, false, steps, 2);
    } else {
        c->less(n, to, (const void *[]){x, shift});
        c->exp(n, to, (const void *[]){to});
    }
}

/* The sum of exp(x - most), each of which goes to `out`, or without it nowhere. */
static double exponentials(const ps__crossing *c, const char *x, double most, char *out)
{
    _Alignas(64) char room[BLOCK * sizeof(double)];
    ps__element shift = ps__crossing_element(c, most), found;
    double sum = 0;
    for (size_t at = 0; at < c->length; at += BLOCK) {
        size_t n = block_at(c, at);
        char *to = out != NULL ? out + at * c->item : room;
        exponentials_of(c, n, x + at * c->item, &shift, to);
        c->total(n, to, &found);
        sum += ps__crossing_number(c, &found);
    }
    return sum;
}

static void give_loss(const ps__crossing *c, const char *x, int64_t label, void *out)
{
    double smoothing = c->work->smoothing, most = find_largest(c, x);
    double total = log(exponentials(c, x, most, NULL)) + most;
    double picked = ps__crossing_number(c, x + (size_t)label * c->item);
    if (smoothing != 0)
        picked = (1 - smoothing) * picked + smoothing / (double)c->length * add_up(c, x);
    ps__element loss = ps__crossing_element(c, total - picked);
    memcpy(out, &loss, c->item);
}

/* (softmax(x) - t) * flow. */
static void give_gradient(const ps__crossing *c, const char *x, int64_t label, double flow,
                          char *out)
{
    double smoothing = c->work->smoothing;
    double total = exponentials(c, x, find_largest(c, x), out);
    char *at = out + (size_t)label * c->item;
    ps__element factor = ps__crossing_element(c, flow / total);
    c->by(c->length, out, (const void *[]){out, &factor});
    if (smoothing != 0) {
        ps__element share = ps__crossing_element(c, flow * smoothing / (double)c->length);
        c->less(c->length, out, (const void *[]){out, &share});
    }
    ps__element own = ps__crossing_element(c, ps__crossing_number(c, at) - (1 - smoothing) * flow);
    memcpy(at, &own, c->item);
}

static ps_status cross_rows(size_t begin, size_t end, void *arg)
{
    const ps__crossing *c = arg;
    size_t row = c->length * c->item, step = c->work->back ? row : c->item;
    if (c->length <= PS__CROSSING_SHORT)
        return ps__crossing_short(c, begin, end);
    for (size_t i = begin; i < end; i++) {
        const char *x = c->operands[1].data + i * row;
        char *out = c->operands[0].data + i * step;
        if (ps__crossing_ignores(c, c->labels[i]))
            memset(out, 0, step);
        else if (c->work->back)
            give_gradient(c, x, c->labels[i],
                          ps__crossing_number(c, c->operands[3].data + i * c->item), out);
        else
            give_loss(c, x, c->labels[i], out);
    }
    return PS_OK;
}

/* The first label that is out of range; `rows` if there is none. */
static size_t find_bad(const ps__crossing *c, size_t rows)
{
    size_t i = 0;
    while (i < rows &&
           ((uint64_t)c->labels[i] < c->length || ps__crossing_ignores(c, c->labels[i])))
        i++;
    return i;
}

static ps_status refuse_label(const ps__lane *lane, const ps__crossing *c, size_t bad)
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
    ps__crossing c = {.work = (const ps__work_cross_entropy *)work,
                      .operands = operands,
                      .labels = (const int64_t *)(const void *)operands[2].data,
                      .kernels = kernels,
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
    if (bad < rows)
        return refuse_label(lane, &c, bad);
    ps_status status = ps__split_or_wait(lane, rows, grain, cross_rows, &c);
    return status == PS_OK
               ? PS_OK
               : ps_task_fail(lane->self, status, "%s: %s", lane->name, ps_last_error());
}
