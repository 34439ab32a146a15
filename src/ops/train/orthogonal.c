/* orthogonal: matrices whose rows, or columns if these are fewer, are orthogonal and of one
 * length. */
#include "base/error.h"
#include "ops/compose.h"

#include <math.h>

enum { SHAPE, SCALE, DTYPE, GENERATOR };

/* The matrix that a parameter is seen as: its first dimension, and all others. */
typedef struct matrix {
    int64_t rows, columns;
} matrix;

static ps_status read_shape(const ps__bound_call *call, ps_dtype dtype, matrix *m)
{
    const char *name = call->op->row.name;
    int ndim = (int)call->args[SHAPE].count;
    const int64_t *shape = call->args[SHAPE].as.ints;
    int64_t count;
    if (!(PS__SET_FLOAT >> dtype & 1))
        return ps__fail(PS_ERR_TYPE, "%s: no rule for %s", name, ps__dtypes[dtype].name);
    ps_status status = ps__shape_check(name, dtype, ndim, shape, &count);
    if (status != PS_OK)
        return status;
    if (ndim < 2)
        return ps__fail(PS_ERR_ARGUMENT, "%s: shape %s has %d dimensions, at least 2 are needed",
                        name, ps__shape_text(ndim, shape), ndim);
    if (!isfinite(call->args[SCALE].as.number))
        return ps__fail(PS_ERR_ARGUMENT, "%s: scale is %g, not finite", name,
                        call->args[SCALE].as.number);
    *m = (matrix){shape[0], count > 0 ? count / shape[0] : 0};
    return PS_OK;
}

/* Reflections of one column after the other: four operations for each element and column. */
static uint64_t cost_of(const matrix *m)
{
    double least = (double)(m->rows < m->columns ? m->rows : m->columns);
    double ns = 1000 + 4 * (double)m->rows * (double)m->columns * least / 4;
    return ns < 1e18 ? (uint64_t)ns : (uint64_t)1e18;
}

static void submit(ps__compose *c, const matrix *m, ps_tensor *numbers, ps__output *output)
{
    int64_t least = m->rows < m->columns ? m->rows : m->columns;
    ps__work_orthogonal work = {
        .head = PS__WORK_HEAD(ORTHOGONAL, ps__work_orthogonal),
        .rows = m->rows,
        .columns = m->columns,
        .scale = c->call->args[SCALE].as.number,
    };
    work.head.scratch = (uint64_t)(2 * m->rows * m->columns + 2 * least) * sizeof(double);
    if (ps__compose_fine(c))
        c->status = ps__submit(&(ps__job){.call = c->call,
                                          .home = c->home,
                                          .work = &work.head,
                                          .output = output,
                                          .outputs = 1,
                                          .input = &numbers,
                                          .inputs = 1,
                                          .cost_ns = cost_of(m)});
}

ps_status ps__op_orthogonal(const ps__bound_call *call)
{
    ps__compose c;
    ps__output output;
    matrix m = {0, 0};
    ps_dtype dtype = ps__output_decides(call, DTYPE, call->args[DTYPE].as.dtype);
    ps__compose_begin(&c, call);
    if (ps__compose_fine(&c))
        c.status = read_shape(call, dtype, &m);
    if (ps__compose_fine(&c))
        c.status = ps__output_begin(call, 0, c.home, dtype, (int)call->args[SHAPE].count,
                                    call->args[SHAPE].as.ints, 0, &output);
    if (!ps__compose_fine(&c))
        return ps__compose_end(&c);
    ps_tensor *numbers =
        PS__MAKE(&c, "random_normal", ps__arg_ints(2, (int64_t[]){m.rows, m.columns}),
                 ps__arg_double(0), ps__arg_double(1), ps__arg_dtype(PS_FLOAT64),
                 call->args[GENERATOR]);
    submit(&c, &m, numbers, &output);
    c.status = ps__output_end(call, &output, c.status);
    return ps__compose_end(&c);
}
