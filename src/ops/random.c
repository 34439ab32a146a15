/* Random numbers: tasks that fill a tensor from the state that a generator had at the call.
 *
 * Everything that may be refused is found out before the state is taken, so a call that fails leaves
 * the generator as it was; only a push that the engine itself refuses (no memory, closed) uses up
 * its part. */
#include "base/error.h"
#include "ops/calls.h"
#include "ops/generator.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Nanoseconds for an element, on one core. */
static double element_ns(const ps__work_random *work)
{
    bool wide = ps__dtype_bytes(work->spec.dtype) == 8;
    if (work->permutation)
        return 4.6;
    if (work->spec.distribution == PS__RANDOM_INTEGERS)
        return wide ? 1.7 : 0.9;
    if (work->spec.distribution == PS__RANDOM_NORMAL)
        return wide ? 1.6 : 0.7;
    return wide ? 0.9 : 0.45;
}

/* ---- queueing ---------------------------------------------------------------------------- */

typedef struct drawing {
    const ps__bound_call *call;
    ps_generator *generator; /* NULL: the default one */
    int ndim;
    const int64_t *shape;
    ps__work_random work;
    char refusal[200]; /* why there are no such numbers, if that is to be said while running */
} drawing;

static ps_status submit_work(const drawing *d, const ps__output *output, const ps__work *work,
                             uint64_t cost_ns)
{
    return ps__submit(&(ps__job){.call = d->call,
                                 .work = work,
                                 .output = output,
                                 .outputs = 1,
                                 .cost_ns = cost_ns});
}

/* The task does nothing but fail; the generator stays as it is. */
static ps_status submit_refusal(const drawing *d, const ps__output *output)
{
    ps__work_refuse work = {.head = PS__WORK_HEAD(REFUSE, ps__work_refuse),
                            .status = PS_ERR_ARGUMENT};
    memcpy(work.text, d->refusal, sizeof work.text);
    return submit_work(d, output, &work.head, 50);
}

/* The result lies side by side and has the type drawn. */
static ps_status submit_drawing(drawing *d, const ps__output *output)
{
    ps__work_random *work = &d->work;
    if (d->refusal[0] != 0)
        return submit_refusal(d, output);
    work->count = output->tensor->count;
    uint64_t blocks =
        ps__random_blocks(work->spec.distribution, work->spec.dtype, (uint64_t)work->count);
    ps_status status = ps__generator_take(d->generator, blocks, &work->state);
    if (status != PS_OK)
        return status;
    return submit_work(d, output, &work->head,
                       50 + (uint64_t)((double)work->count * element_ns(work)));
}

static ps_status submit_checked(drawing *d)
{
    const char *name = d->call->op->row.name;
    ps_dtype dtype = d->work.spec.dtype;
    const ps_tensor *into = d->call->call->outputs[0];
    const ps__home *home;
    int64_t count;
    ps__output output;
    ps_status status = ps__shape_check(name, dtype, d->ndim, d->shape, &count);
    if (status != PS_OK)
        return status;
    if (into != NULL && into->dtype != (uint8_t)dtype)
        return ps__fail(PS_ERR_TYPE, "%s: numbers of type %s, but the output given has %s", name,
                        ps__dtypes[dtype].name, ps__dtypes[into->dtype].name);
    status = ps__new_home(d->call, &home);
    if (status == PS_OK)
        status = ps__output_begin(d->call, 0, home, dtype, d->ndim, d->shape, 0, &output);
    if (status != PS_OK)
        return status;
    return ps__output_end(d->call, &output, submit_drawing(d, &output));
}

/* After the checks of the numbers given: a failure is the call's, or the task's if the caller wants
 * it so. */
static ps_status draw_checked(drawing *d, ps_status checked)
{
    if (checked == PS_ERR_ARGUMENT && (d->call->call->flags & PS_CALL_CHECK_LATE)) {
        snprintf(d->refusal, sizeof d->refusal, "%s", ps_last_error());
        return submit_checked(d);
    }
    return checked == PS_OK ? submit_checked(d) : checked;
}

/* ---- arguments --------------------------------------------------------------------------- */

/* A call whose shape is its first argument; `at` is the place of the dtype, or -1. A given output
 * decides the type if the caller does not. */
static ps_status draw_begin(const ps__bound_call *call, ps__distribution distribution, int at,
                            ps_dtype otherwise, drawing *d)
{
    const ps_arg *generator = &call->args[call->op->nargs - 1];
    ps_dtype dtype = otherwise;
    if (at >= 0)
        dtype = ps__output_decides(call, (unsigned)at, call->args[at].as.dtype);
    *d =
        (drawing){.call = call,
                  .generator = generator->kind == PS_ARG_GENERATOR ? generator->as.generator : NULL,
                  .ndim = (int)call->args[0].count,
                  .shape = call->args[0].as.ints,
                  .work = {.head = PS__WORK_HEAD(RANDOM, ps__work_random),
                           .spec = {.distribution = distribution, .dtype = dtype}}};
    if (!ps__random_supports(distribution, dtype))
        return ps__fail(PS_ERR_TYPE, "%s: no rule for %s", call->op->row.name,
                        ps__dtypes[dtype].name);
    return PS_OK;
}

/* A parameter must be a finite number, also once it is rounded to the element type. */
static ps_status check_number(const drawing *d, const char *what, double number)
{
    ps__element element;
    ps_dtype dtype = d->work.spec.dtype;
    ps__scalar_cast((ps_scalar){PS_SCALAR_DOUBLE, {.d = number}}, dtype, &element);
    if (isfinite(ps__scalar_load(dtype, &element).as.d))
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "%s: %s is %g, which is no finite %s", d->call->op->row.name,
                    what, number, ps__dtypes[dtype].name);
}

ps_status ps__op_random_uniform(const ps__bound_call *call)
{
    drawing d;
    double low = call->args[1].as.number, high = call->args[2].as.number;
    ps_status status = draw_begin(call, PS__RANDOM_UNIFORM, 3, PS_FLOAT32, &d);
    if (status == PS_OK)
        status = check_number(&d, "low", low);
    if (status == PS_OK)
        status = check_number(&d, "high", high);
    if (status == PS_OK && low > high)
        status = ps__fail(PS_ERR_ARGUMENT, "random_uniform: low is %g, above high, which is %g",
                          low, high);
    d.work.spec.uniform.low = low;
    d.work.spec.uniform.high = high;
    return draw_checked(&d, status);
}

ps_status ps__op_random_normal(const ps__bound_call *call)
{
    drawing d;
    double mean = call->args[1].as.number, std = call->args[2].as.number;
    ps_status status = draw_begin(call, PS__RANDOM_NORMAL, 3, PS_FLOAT32, &d);
    if (status == PS_OK)
        status = check_number(&d, "mean", mean);
    if (status == PS_OK)
        status = check_number(&d, "std", std);
    if (status == PS_OK && std < 0)
        status = ps__fail(PS_ERR_ARGUMENT, "random_normal: std is %g, below 0", std);
    d.work.spec.normal.mean = mean;
    d.work.spec.normal.deviation = std;
    return draw_checked(&d, status);
}

static bool integer_fits(int64_t value, ps_dtype dtype)
{
    ps__element element;
    return ps__scalar_store((ps_scalar){PS_SCALAR_INT64, {.i = value}}, dtype, &element);
}

ps_status ps__op_random_integers(const ps__bound_call *call)
{
    drawing d;
    int64_t low = call->args[1].as.integer, high = call->args[2].as.integer;
    ps_status status = draw_begin(call, PS__RANDOM_INTEGERS, 3, PS_INT64, &d);
    if (status != PS_OK)
        return status;
    ps_dtype dtype = d.work.spec.dtype;
    if (low >= high)
        status = ps__fail(PS_ERR_ARGUMENT,
                          "random_integers: there is no integer from %" PRId64 " to below %" PRId64,
                          low, high);
    else if (!integer_fits(low, dtype) || !integer_fits(high - 1, dtype))
        status = ps__fail(PS_ERR_ARGUMENT,
                          "random_integers: %" PRId64 " to below %" PRId64 " does not fit into %s",
                          low, high, ps__dtypes[dtype].name);
    d.work.spec.integers.low = (uint64_t)low;
    d.work.spec.integers.span = (uint64_t)high - (uint64_t)low - 1;
    return draw_checked(&d, status);
}

ps_status ps__op_random_bernoulli(const ps__bound_call *call)
{
    drawing d;
    double p = call->args[1].as.number;
    ps_status status = draw_begin(call, PS__RANDOM_BERNOULLI, -1, PS_BOOL, &d);
    if (status != PS_OK)
        return status;
    if (!(p >= 0 && p <= 1))
        status = ps__fail(PS_ERR_ARGUMENT, "random_bernoulli: p is %g, not in [0, 1]", p);
    d.work.spec.bernoulli.probability = p;
    return draw_checked(&d, status);
}

ps_status ps__op_random_permutation(const ps__bound_call *call)
{
    drawing d;
    int64_t count = call->args[0].as.integer;
    ps_status status = draw_begin(call, PS__RANDOM_INTEGERS, -1, PS_INT64, &d);
    if (status != PS_OK)
        return status;
    if (count < 0)
        return ps__fail(PS_ERR_ARGUMENT, "random_permutation: a count of %" PRId64, count);
    d.ndim = 1;
    d.shape = &count;
    d.work.permutation = 1;
    return submit_checked(&d);
}
