/* Normalised channels that lie side by side, each a column of a table: see PS__WORK_BATCH_NORM in
 * work.h. Blocks of rows are divided among threads; what is found of them is joined in order. */
#include "backend/cpu/batch_norm.h"

#include "kernels/norm.h"
#include "memory/memory.h"

#include <math.h>
#include <string.h>

enum { PIECE = 1 << 15 }; /* elements; rows are divided among threads in pieces of about these */

/* Lines of the scratch behind those of blocks, each with a number for each channel. */
enum { SCALE, PLAIN, SLOPE, FACTOR, WIDE, LINES };

typedef struct table {
    const ps__norm_kernels *kernels;
    const ps__work_batch_norm *work;
    const ps__operand *operands;
    ps_dtype dtype;
    size_t rows, columns, block, blocks, item;
    const char *x, *flow, *mean; /* flow: on the way back */
    char *out, *scratch;
} table;

static table table_of(const ps__work_batch_norm *work, const ps__operand *operands)
{
    ps_dtype dtype = (ps_dtype)operands[0].dtype;
    return (table){.kernels = ps__norm_kernels_of(ps__kernels_get(), dtype),
                   .work = work,
                   .operands = operands,
                   .dtype = dtype,
                   .rows = (size_t)work->outer,
                   .columns = (size_t)work->channels,
                   .block = (size_t)work->block,
                   .blocks = (size_t)((work->outer + work->block - 1) / work->block),
                   .item = ps__dtype_bytes(dtype),
                   .x = operands[3].data,
                   .out = operands[0].data};
}

/* Two lines for each block, then the others. */
static double *line_at(const table *t, size_t line)
{
    return (double *)(void *)t->scratch + line * t->columns;
}

static double *other_line(const table *t, size_t line)
{
    return line_at(t, 2 * t->blocks + line);
}

/* Numbers of channels as the table's type, and the other way. */
static void narrow(const table *t, void *to, const double *from)
{
    ps__kernels_get()->cast[PS_FLOAT64][t->dtype](t->columns, to, from);
}

static const double *widen(const table *t, const void *from)
{
    ps__kernels_get()->cast[t->dtype][PS_FLOAT64](t->columns, other_line(t, WIDE), from);
    return other_line(t, WIDE);
}

static ps__norm_table rows_at(const table *t, size_t begin, size_t end)
{
    size_t at = begin * t->columns * t->item;
    return (ps__norm_table){end - begin, t->columns, t->x + at,
                            t->flow != NULL ? t->flow + at : NULL};
}

static ps__norm_table block_at(const table *t, size_t block)
{
    size_t end = (block + 1) * t->block;
    return rows_at(t, block * t->block, end < t->rows ? end : t->rows);
}

/* With memory for the lines. */
static ps_status with_lines(const ps__lane *lane, table *t,
                            ps_status (*run)(const ps__lane *lane, table *t))
{
    size_t bytes = (size_t)t->work->head.scratch + LINES * t->columns * sizeof(double);
    void *lines;
    if (ps_memory_alloc(bytes, &lines) != PS_OK)
        return ps_task_fail(lane->self, PS_ERR_MEMORY, "%s: no memory for sums of %zu channels",
                            lane->name, t->columns);
    t->scratch = lines;
    memset(lines, 0, 2 * t->blocks * t->columns * sizeof(double));
    ps_status status = run(lane, t);
    ps_memory_free(lines, bytes);
    return status;
}

static ps_status split_rows(const ps__lane *lane, table *t, ps_loop_fn body)
{
    size_t grain = t->columns >= PIECE ? 1 : PIECE / t->columns;
    return ps__split(lane, t->rows, grain, body, t);
}

/* ---- forward ----------------------------------------------------------------------------- */

static ps_status find_moments(size_t begin, size_t end, void *arg)
{
    const table *t = arg;
    for (size_t i = begin; i < end; i++) {
        ps__norm_table part = block_at(t, i);
        t->kernels->column_moments(&part, line_at(t, 2 * i), line_at(t, 2 * i + 1));
    }
    return PS_OK;
}

/* The moments of all blocks, to the first one's. */
static void join_blocks(const table *t)
{
    double *means = line_at(t, 0), *squares = line_at(t, 1), before = (double)block_at(t, 0).rows;
    for (size_t i = 1; i < t->blocks; i++) {
        const double *mean = line_at(t, 2 * i), *square = line_at(t, 2 * i + 1);
        double rows = (double)block_at(t, i).rows, share = rows / (before + rows);
        for (size_t j = 0; j < t->columns; j++) {
            double distance = mean[j] - means[j];
            squares[j] += square[j] + distance * distance * before * share;
            means[j] += distance * share;
        }
        before += rows;
    }
}

/* 1 / sqrt(variance + eps), perhaps times gamma. */
static void find_scales(const table *t, const double *variance, const char *gamma, double *scale)
{
    for (size_t j = 0; j < t->columns; j++)
        scale[j] = 1 / sqrt(variance[j] + t->work->eps);
    if (gamma == NULL)
        return;
    const double *by = widen(t, gamma);
    for (size_t j = 0; j < t->columns; j++)
        scale[j] *= by[j];
}

static const char *operand_or_null(const table *t, int32_t operand)
{
    return operand != 0 ? t->operands[operand].data : NULL;
}

static ps_status norm_rows(size_t begin, size_t end, void *arg)
{
    const table *t = arg;
    ps__norm_table part = rows_at(t, begin, end);
    t->kernels->by_columns(&part, t->mean, other_line(t, SCALE), operand_or_null(t, t->work->beta),
                           t->out + begin * t->columns * t->item);
    return PS_OK;
}

static ps_status norm_table(const ps__lane *lane, table *t)
{
    ps_status status = ps__split(lane, t->blocks, 1, find_moments, t);
    if (status != PS_OK)
        return status;
    join_blocks(t);
    double *variance = line_at(t, 1), *scale = other_line(t, FACTOR);
    for (size_t j = 0; j < t->columns; j++)
        variance[j] /= (double)t->rows;
    find_scales(t, variance, operand_or_null(t, t->work->gamma), scale);
    narrow(t, other_line(t, SCALE), scale);
    narrow(t, t->operands[1].data, line_at(t, 0));
    narrow(t, t->operands[2].data, variance);
    t->mean = t->operands[1].data;
    return split_rows(lane, t, norm_rows);
}

ps_status ps__batch_norm_columns(const ps__lane *lane, const ps__work_batch_norm *work,
                                 const ps__operand *operands)
{
    table t = table_of(work, operands);
    return with_lines(lane, &t, norm_table);
}

/* ---- back -------------------------------------------------------------------------------- */

static ps_status find_flows(size_t begin, size_t end, void *arg)
{
    const table *t = arg;
    for (size_t i = begin; i < end; i++) {
        ps__norm_table part = block_at(t, i);
        t->kernels->column_flows(&part, t->mean, line_at(t, 2 * i), line_at(t, 2 * i + 1));
    }
    return PS_OK;
}

static void add_blocks(const table *t)
{
    double *plain = line_at(t, 0), *along = line_at(t, 1);
    for (size_t i = 1; i < t->blocks; i++)
        for (size_t j = 0; j < t->columns; j++) {
            plain[j] += line_at(t, 2 * i)[j];
            along[j] += line_at(t, 2 * i + 1)[j];
        }
}

/* What rows need of the sums: the lines, in the table's type. */
static void find_numbers(const table *t, const char *gamma)
{
    double *plain = line_at(t, 0), *along = line_at(t, 1), *scale = other_line(t, SCALE);
    double count = (double)t->rows;
    find_scales(t, widen(t, t->operands[PS__NORM_VAR].data), NULL, scale);
    for (size_t j = 0; j < t->columns; j++)
        along[j] *= scale[j];
    narrow(t, t->operands[1].data, along);
    narrow(t, t->operands[2].data, plain);
    for (size_t j = 0; j < t->columns; j++) {
        plain[j] /= count;
        along[j] *= scale[j] / count;
    }
    narrow(t, other_line(t, PLAIN), plain);
    narrow(t, other_line(t, SLOPE), along);
    const double *by = gamma != NULL ? widen(t, gamma) : NULL;
    for (size_t j = 0; by != NULL && j < t->columns; j++)
        scale[j] *= by[j];
    narrow(t, other_line(t, FACTOR), scale);
}

static ps_status back_rows(size_t begin, size_t end, void *arg)
{
    const table *t = arg;
    ps__norm_table part = rows_at(t, begin, end);
    t->kernels->back_by_columns(&part, t->mean, other_line(t, PLAIN), other_line(t, SLOPE),
                                other_line(t, FACTOR), t->out + begin * t->columns * t->item);
    return PS_OK;
}

static ps_status back_table(const ps__lane *lane, table *t)
{
    ps_status status = ps__split(lane, t->blocks, 1, find_flows, t);
    if (status != PS_OK)
        return status;
    add_blocks(t);
    find_numbers(t, operand_or_null(t, t->work->gamma));
    return split_rows(lane, t, back_rows);
}

ps_status ps__batch_norm_columns_back(const ps__lane *lane, const ps__work_batch_norm *work,
                                      const ps__operand *operands)
{
    table t = table_of(work, operands);
    t.flow = operands[PS__NORM_FLOW].data;
    t.mean = operands[PS__NORM_MEAN].data;
    return with_lines(lane, &t, back_table);
}
