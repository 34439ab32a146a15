/* The chains of the scaling benchmark on OpenMP tasks: each step is a plain loop and a task, and a
 * step depends on the one before it. Answers as ../common/answer.h says, in microseconds.
 *
 * Rows are table.chain.COUNT.ELEMENTS.WAY.wTHREADS. WAY `each` waits after every chain, others for all
 * chains together. A chain's memory is allocated by its first step and freed by its last, so that it
 * lies in the cache of who works on it; what is computed is always stored.
 *
 * The measuring thread is the `single` of a parallel region, whose other threads run tasks
 * meanwhile, as it does itself while it waits. */
#include <malloc.h>
#include <omp.h>

#include "../common/answer.h"
#include "../common/inputs.h"

enum { STEPS = 8, PLACES = 64 };

struct row {
    int count;        /* of chains */
    int64_t elements; /* of each */
    bool waits;       /* after each chain */
    float *x;         /* PLACES arrays: chains that follow each other read one of their own */
    float **y;        /* of each chain; what its tasks depend on */
    double *digest;   /* of the last chain; NULL if nobody asks */
};

/* ---- The chain: y = relu(x * x + 2) * 0.5 - x; y = exp(y * 0.01) + x ------------------------ */

static float *allocate(int64_t elements)
{
    float *memory = malloc((size_t)elements * sizeof *memory);
    if (memory == NULL)
        exit(1);
    return memory;
}

#define EACH_ELEMENT for (int64_t i = 0; i < n; i++)

static void step_square(float *y, const float *x, int64_t n)
{
    EACH_ELEMENT y[i] = x[i] * x[i];
}

static void step_add(float *y, int64_t n, float value)
{
    EACH_ELEMENT y[i] += value;
}

static void step_relu(float *y, int64_t n)
{
    EACH_ELEMENT y[i] = y[i] > 0 ? y[i] : 0;
}

static void step_multiply(float *y, int64_t n, float value)
{
    EACH_ELEMENT y[i] *= value;
}

static void step_subtract(float *y, const float *x, int64_t n)
{
    EACH_ELEMENT y[i] -= x[i];
}

static void step_exp(float *y, int64_t n)
{
    EACH_ELEMENT y[i] = expf(y[i]);
}

static void step_end(float *y, const float *x, int64_t n)
{
    EACH_ELEMENT y[i] += x[i];
}

static double digest_of(const float *y, int64_t n)
{
    double total = 0;
    EACH_ELEMENT total += (double)y[i] * digest_weight(i);
    return total / (double)n;
}

/* One of the eight. */
static void do_step(const struct row *row, int chain, int step)
{
    int64_t n = row->elements;
    float **y = &row->y[chain], *x = row->x + chain % PLACES * n;
    switch (step) {
    case 0:
        *y = allocate(n);
        step_square(*y, x, n);
        break;
    case 1:
        step_add(*y, n, 2);
        break;
    case 2:
        step_relu(*y, n);
        break;
    case 3:
        step_multiply(*y, n, 0.5f);
        break;
    case 4:
        step_subtract(*y, x, n);
        break;
    case 5:
        step_multiply(*y, n, 0.01f);
        break;
    case 6:
        step_exp(*y, n);
        break;
    default:
        step_end(*y, x, n);
        if (row->digest != NULL && chain == row->count - 1)
            *row->digest = digest_of(*y, n);
        free(*y);
    }
}

/* ---- Tasks --------------------------------------------------------------------------------- */

/* (Laid out by hand: clang-format tears the pragmas apart.) */
/* clang-format off */
static void run_chains(const void *arg)
{
    const struct row *row = arg;
    float **y = row->y;
    (void)y; /* named by the directive alone */
    for (int chain = 0; chain < row->count; chain++) {
        for (int step = 0; step < STEPS; step++) {
#pragma omp task firstprivate(row, chain, step) depend(inout : y[chain])
            do_step(row, chain, step);
        }
        if (row->waits) {
#pragma omp taskwait
        }
    }
#pragma omp taskwait
}
/* clang-format on */

static bool parse_row(struct row *row, const char *name)
{
    char way[16];
    long long elements;
    *row = (struct row){.count = 0};
    if (sscanf(name, "table.chain.%d.%lld.%15[a-z]", &row->count, &elements, way) != 3)
        return false;
    row->elements = elements;
    row->waits = strcmp(way, "each") == 0;
    return row->count > 0 && elements > 0;
}

static void prepare(struct row *row)
{
    int64_t n = row->elements;
    row->x = allocate(PLACES * n);
    row->y = calloc((size_t)row->count, sizeof *row->y);
    if (row->y == NULL)
        exit(1);
    for (int64_t i = 0; i < PLACES * n; i++)
        row->x[i] = (float)(0.5 + input_unit(0, i % n));
}

static bool find_value(bool checks, const char *name, double *value)
{
    struct row row;
    if (!parse_row(&row, name))
        return false;
    prepare(&row);
    row.digest = checks ? value : NULL;
#pragma omp parallel
#pragma omp single
    {
        if (checks)
            run_chains(&row);
        else
            *value = best_run_ns(run_chains, &row) / 1e3;
    }
    free(row.x);
    free(row.y);
    return true;
}

int main(int argc, char **argv)
{
    char about[64];
    parse_seconds(argc, argv);
    omp_set_dynamic(0);
    mallopt(M_MMAP_THRESHOLD, 1 << 30); /* memory is used again, not returned to the system */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    snprintf(about, sizeof about, "GNU OpenMP tasks, %d threads", omp_get_max_threads());
    answer_lines(about, find_value);
    return 0;
}
