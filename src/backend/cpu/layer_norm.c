/* Normalised rows and their gradients: see PS__WORK_LAYER_NORM in work.h. A row is read from memory
 * once: what follows finds it in the cache. */
#include "backend/cpu/cpu.h"

#include "kernels/norm.h"
#include "memory/memory.h"

#include <math.h>
#include <string.h>

enum { PIECE = 1 << 14 }; /* elements; rows are divided among threads in pieces of about these */

typedef struct rows {
    const ps__norm_kernels *kernels;
    size_t count, length, item; /* of rows; of a row; bytes of an element */
    double eps;
    const char *x, *gamma, *beta, *flow; /* NULL: there is none */
    char *out;
    char *sums; /* of columns: two rows for each group; NULL: none are wanted */
    size_t group;
} rows;

static rows rows_of(const ps__operand *x, double eps)
{
    ps_dtype dtype = (ps_dtype)x->dtype;
    rows r = {.kernels = ps__norm_kernels_of(ps__kernels_get(), dtype),
              .count = 1,
              .length = (size_t)x->shape[x->ndim - 1],
              .item = ps__dtype_bytes(dtype),
              .eps = eps,
              .x = x->data};
    for (int i = 0; i < x->ndim - 1; i++)
        r.count *= (size_t)x->shape[i];
    return r;
}

static size_t grain_of(const rows *r)
{
    return r->length >= PIECE ? 1 : PIECE / r->length;
}

static ps__norm_part normalise(const rows *r, size_t row)
{
    ps__norm_part part = {.n = r->length, .x = r->x + row * r->length * r->item};
    double count = (double)r->length;
    part.mean = r->kernels->sum(part.n, part.x) / count;
    part.scale = 1 / sqrt(r->kernels->squares(part.n, part.x, part.mean) / count + r->eps);
    return part;
}

static ps_status norm_rows(size_t begin, size_t end, void *arg)
{
    const rows *r = arg;
    for (size_t i = begin; i < end; i++) {
        ps__norm_part part = normalise(r, i);
        r->kernels->by_elements(&part, r->gamma, r->beta, r->out + i * r->length * r->item);
    }
    return PS_OK;
}

PS__CPU_RUN(layer_norm)
{
    (void)count;
    const ps__work_layer_norm *w = (const ps__work_layer_norm *)work;
    rows r = rows_of(&operands[1], w->eps);
    r.out = operands[0].data;
    r.gamma = w->gamma != 0 ? operands[w->gamma].data : NULL;
    r.beta = w->beta != 0 ? operands[w->beta].data : NULL;
    return ps__split(lane, r.count, grain_of(&r), norm_rows, &r);
}

/* ---- back -------------------------------------------------------------------------------- */

static ps__norm_part back_row(const rows *r, size_t row)
{
    ps__norm_part part = normalise(r, row);
    size_t at = row * r->length * r->item;
    double means[2];
    r->kernels->back_sums(&part, r->flow + at, r->gamma, means);
    means[0] /= (double)r->length;
    means[1] /= (double)r->length;
    r->kernels->back(&part, r->flow + at, r->gamma, means, part.scale, r->out + at);
    return part;
}

static ps_status back_rows(size_t begin, size_t end, void *arg)
{
    for (size_t i = begin; i < end; i++)
        (void)back_row(arg, i);
    return PS_OK;
}

static ps_status back_groups(size_t begin, size_t end, void *arg)
{
    const rows *r = arg;
    size_t bytes = r->length * r->item;
    for (size_t g = begin; g < end; g++) {
        char *sums = r->sums + 2 * g * bytes;
        size_t last = (g + 1) * r->group < r->count ? (g + 1) * r->group : r->count;
        memset(sums, 0, 2 * bytes);
        for (size_t i = g * r->group; i < last; i++) {
            ps__norm_part part = back_row(r, i);
            r->kernels->back_columns(&part, r->flow + i * bytes, sums, sums + bytes);
        }
    }
    return PS_OK;
}

/* The sums of groups, in order. */
static void join_groups(const rows *r, size_t groups, char *dgamma, char *dbeta)
{
    size_t bytes = r->length * r->item;
    memcpy(dgamma, r->sums, bytes);
    memcpy(dbeta, r->sums + bytes, bytes);
    for (size_t g = 1; g < groups; g++) {
        r->kernels->add(r->length, r->sums + 2 * g * bytes, dgamma);
        r->kernels->add(r->length, r->sums + (2 * g + 1) * bytes, dbeta);
    }
}

static ps_status back_columns(const ps__lane *lane, rows *r, size_t room, char *dgamma, char *dbeta)
{
    size_t groups = (r->count + r->group - 1) / r->group;
    void *sums;
    if (r->count == 0) {
        memset(dgamma, 0, r->length * r->item);
        memset(dbeta, 0, r->length * r->item);
        return PS_OK;
    }
    if (ps_memory_alloc(room, &sums) != PS_OK)
        return ps_task_fail(lane->self, PS_ERR_MEMORY, "%s: no memory for sums of %zu columns",
                            lane->name, r->length);
    r->sums = sums;
    ps_status status = ps__split(lane, groups, 1, back_groups, r);
    if (status == PS_OK)
        join_groups(r, groups, dgamma, dbeta);
    ps_memory_free(sums, room);
    return status;
}

PS__CPU_RUN(layer_norm_back)
{
    (void)count;
    const ps__work_layer_norm_back *w = (const ps__work_layer_norm_back *)work;
    const ps__operand *x = &operands[w->columns ? 3 : 1];
    rows r = rows_of(x, w->eps);
    r.out = operands[0].data;
    r.flow = x[1].data;
    r.gamma = w->gamma ? x[2].data : NULL;
    r.group = (size_t)w->group;
    if (!w->columns)
        return ps__split(lane, r.count, grain_of(&r), back_rows, &r);
    return back_columns(lane, &r, (size_t)work->scratch, operands[1].data, operands[2].data);
}
