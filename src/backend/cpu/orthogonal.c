/* Orthogonal matrices: see PS__WORK_ORTHOGONAL in work.h.
 *
 * The longer side of the matrix is the height. It is turned into an upper triangle by one
 * reflection for each column (Householder); the same reflections turn unit vectors into the
 * columns of the result. Columns do not depend on each other, so they are divided among threads.
 * A column has the sign that makes the diagonal of the triangle positive: so there is one
 * result. */
#include "backend/cpu/cpu.h"

#include "memory/memory.h"

#include <math.h>
#include <string.h>

enum { PIECE = 1 << 14 }; /* elements that are worth a thread */

typedef struct reflecting {
    int64_t height, width;
    double *columns; /* of the matrix, then of reflections: column j is zero before element j */
    double *result;  /* columns of the result */
    double *factor;  /* 2 / |v|^2 of each reflection, */
    double *sign;    /* of the diagonal */
    int64_t at;      /* the reflection under way */
} reflecting;

static double dot(int64_t n, const double *a, const double *b)
{
    double lane[8] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++)
            lane[k] += a[i + k] * b[i + k];
    for (int k = 0; k < 8; k++)
        sum += lane[k];
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Reflection k of a column, whose elements before k stay as they are. */
static void reflect(const reflecting *r, int64_t k, double *column)
{
    const double *v = r->columns + k * r->height + k;
    int64_t n = r->height - k;
    double by = r->factor[k] * dot(n, v, column + k);
    for (int64_t i = 0; i < n; i++)
        column[k + i] -= by * v[i];
}

/* Column k becomes a reflection that leaves of it its first element alone. */
static void find_reflection(reflecting *r, int64_t k)
{
    double *v = r->columns + k * r->height + k;
    int64_t n = r->height - k;
    double size = sqrt(dot(n, v, v));
    r->sign[k] = v[0] > 0 ? -1 : 1; /* of what is left: the other one than that of v[0] */
    v[0] -= r->sign[k] * size;
    double square = dot(n, v, v);
    r->factor[k] = square > 0 ? 2 / square : 0;
}

static ps_status reflect_rest(size_t begin, size_t end, void *arg)
{
    const reflecting *r = arg;
    for (size_t j = begin; j < end; j++)
        reflect(r, r->at, r->columns + (r->at + 1 + (int64_t)j) * r->height);
    return PS_OK;
}

static ps_status make_columns(size_t begin, size_t end, void *arg)
{
    const reflecting *r = arg;
    for (int64_t j = (int64_t)begin; j < (int64_t)end; j++) {
        double *column = r->result + j * r->height;
        memset(column, 0, (size_t)r->height * sizeof column[0]);
        column[j] = r->sign[j];
        for (int64_t k = j; k >= 0; k--)
            reflect(r, k, column);
    }
    return PS_OK;
}

static ps_status factorise(const ps__lane *lane, reflecting *r)
{
    size_t grain = r->height >= PIECE ? 1 : (size_t)(PIECE / r->height);
    ps_status status = PS_OK;
    for (r->at = 0; r->at < r->width && status == PS_OK; r->at++) {
        find_reflection(r, r->at);
        status = ps__split(lane, (size_t)(r->width - r->at - 1), grain, reflect_rest, r);
    }
    return status == PS_OK ? ps__split(lane, (size_t)r->width, 1, make_columns, r) : status;
}

/* The numbers by columns of the longer side. */
static void load(reflecting *r, const ps__work_orthogonal *w, const double *numbers)
{
    size_t item = sizeof(double), row = item * (size_t)w->columns;
    if (w->rows < w->columns)
        memcpy(r->columns, numbers, (size_t)w->rows * row);
    else
        ps__kernels_get()->copy2d[3]((size_t)w->columns, (size_t)w->rows, r->columns,
                                     (ptrdiff_t)(item * (size_t)w->rows), (ptrdiff_t)item, numbers,
                                     (ptrdiff_t)item, (ptrdiff_t)row);
}

static void store(const reflecting *r, const ps__work_orthogonal *w, const ps__operand *out)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    size_t item = sizeof(double), count = (size_t)(w->rows * w->columns);
    const double *from = r->result;
    for (size_t i = 0; i < count; i++)
        r->result[i] *= w->scale;
    if (w->rows >= w->columns) {
        kernels->copy2d[3]((size_t)w->rows, (size_t)w->columns, r->columns,
                           (ptrdiff_t)(item * (size_t)w->columns), (ptrdiff_t)item, r->result,
                           (ptrdiff_t)item, (ptrdiff_t)(item * (size_t)w->rows));
        from = r->columns;
    }
    kernels->cast[PS_FLOAT64][out->dtype](count, out->data, from);
}

PS__CPU_RUN(orthogonal)
{
    (void)count;
    const ps__work_orthogonal *w = (const ps__work_orthogonal *)work;
    bool wide = w->rows < w->columns;
    reflecting r = {.height = wide ? w->columns : w->rows, .width = wide ? w->rows : w->columns};
    size_t room = (size_t)work->scratch;
    void *scratch;
    if (r.width == 0)
        return PS_OK;
    if (ps_memory_alloc(room, &scratch) != PS_OK)
        return ps_task_fail(lane->self, PS_ERR_MEMORY, "%s: %s", lane->name, ps_last_error());
    r.columns = scratch;
    r.result = r.columns + r.height * r.width;
    r.factor = r.result + r.height * r.width;
    r.sign = r.factor + r.width;
    load(&r, w, (const double *)(const void *)operands[1].data);
    ps_status status = factorise(lane, &r);
    if (status == PS_OK)
        store(&r, w, &operands[0]);
    ps_memory_free(scratch, room);
    return status;
}
