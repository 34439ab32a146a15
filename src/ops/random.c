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

enum { GRAIN = 1 << 15 }; /* elements: a multiple of every tile */

_Static_assert(GRAIN % PS__RANDOM_TILE_MAX == 0, "pieces are whole tiles");

typedef struct random_work {
    ps__random state;
    ps__random_spec spec;
    uint64_t count;
    bool permutation; /* of 0 .. count - 1; the spec only says how much of the stream that uses */
} random_work;

/* ---- running ----------------------------------------------------------------------------- */

static ps_status fill_piece(size_t begin, size_t end, void *arg)
{
    const ps__task *task = arg;
    const random_work *work = task->extra;
    ps__random_fill(&work->state, &work->spec, begin, end,
                    task->operands[0].data + begin * ps__dtype_bytes(work->spec.dtype));
    return PS_OK;
}

static ps_status run_random(ps__task *task, ps_task *self)
{
    (void)self;
    const random_work *work = task->extra;
    if (!work->permutation)
        return ps__split((size_t)work->count, GRAIN, fill_piece, task);
    ps__random_permutation(&work->state, (int64_t)work->count, (int64_t *)task->operands[0].data);
    return PS_OK;
}

/* Instead of numbers, the check that failed at the call. */
static ps_status run_refusal(ps__task *task, ps_task *self)
{
    return ps_task_fail(self, PS_ERR_ARGUMENT, "%s", (const char *)task->extra);
}

/* Nanoseconds for an element, on one core. */
static double element_ns(const random_work *work)
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
    random_work work;
    char refusal[200]; /* why there are no such numbers, if that is to be said while running */
} drawing;

/* The task does nothing but fail; the generator stays as it is. */
static ps_status queue_refusal(const drawing *d, const ps__result *result)
{
    const ps_tensor *out = result->tensor;
    ps__launch launch;
    int64_t *dims;
    ps_status status = ps__task_new(d->call->op, out->place, 1, 1, 2u * out->ndim,
                                    sizeof d->refusal, &launch, &dims);
    if (status != PS_OK)
        return status;
    ps__task_operand(&launch, 0, out, result->use, &dims);
    memcpy(launch.task->extra, d->refusal, sizeof d->refusal);
    launch.task->run = run_refusal;
    launch.flags = PS_TASK_CAN_FAIL;
    launch.location = d->call->call->location;
    launch.cost_ns = 50;
    return ps__task_push(&launch);
}

/* The result lies side by side and has the type drawn. */
static ps_status queue_fill(drawing *d, const ps__result *result)
{
    const ps_tensor *out = result->tensor;
    random_work *work = &d->work;
    ps__launch launch;
    int64_t *dims;
    if (d->refusal[0] != 0)
        return queue_refusal(d, result);
    ps_status status =
        ps__task_new(d->call->op, out->place, 1, 1, 2u * out->ndim, sizeof *work, &launch, &dims);
    if (status != PS_OK)
        return status;
    work->count = (uint64_t)out->count;
    uint64_t blocks = ps__random_blocks(work->spec.distribution, work->spec.dtype, work->count);
    status = ps__generator_take(d->generator, blocks, &work->state);
    if (status != PS_OK) {
        ps__task_discard(launch.task);
        return status;
    }
    ps__task_operand(&launch, 0, out, result->use, &dims);
    *(random_work *)launch.task->extra = *work;
    launch.task->run = run_random;
    launch.brief = true;
    launch.location = d->call->call->location;
    launch.cost_ns = 50 + (uint64_t)((double)work->count * element_ns(work));
    return ps__task_push(&launch);
}

/* A given tensor whose elements have gaps between them gets a copy. */
static ps_status fill_through_temporary(drawing *d, ps_tensor *into)
{
    ps__result result = {.use = PS__NEW};
    ps_status status =
        ps__tensor_create(into->place, d->work.spec.dtype, d->ndim, d->shape, &result.tensor);
    if (status != PS_OK)
        return status;
    status = queue_fill(d, &result);
    ps_arg value = ps__arg_tensor(result.tensor);
    if (status == PS_OK)
        status = ps__assign(d->call, into, &value);
    ps_tensor_release(result.tensor);
    return status;
}

static ps_status draw(drawing *d)
{
    const char *name = d->call->op->row.name;
    ps_dtype dtype = d->work.spec.dtype;
    ps_tensor *into = d->call->call->outputs[0];
    const ps__place *place;
    int64_t count;
    ps_status status = ps__shape_check(name, dtype, d->ndim, d->shape, &count);
    if (status != PS_OK)
        return status;
    if (into != NULL && into->dtype != (uint8_t)dtype)
        return ps__fail(PS_ERR_TYPE, "%s: numbers of type %s, but the output given has %s", name,
                        ps__dtypes[dtype].name, ps__dtypes[into->dtype].name);
    if (into != NULL)
        place = into->place;
    else if ((status = ps__place_of(d->call->call->device, &place)) != PS_OK)
        return status;
    ps__result result;
    status = ps__result_begin(d->call, 0, place, dtype, d->ndim, d->shape, &result);
    if (status != PS_OK)
        return status;
    if (!result.tensor->contiguous)
        return fill_through_temporary(d, into);
    return ps__result_end(&result, queue_fill(d, &result));
}

/* After the checks of the numbers given: a failure is the call's, or the task's if the caller wants
 * it so. */
static ps_status draw_checked(drawing *d, ps_status checked)
{
    if (checked == PS_ERR_ARGUMENT && (d->call->call->flags & PS_CALL_CHECK_LATE)) {
        snprintf(d->refusal, sizeof d->refusal, "%s", ps_last_error());
        return draw(d);
    }
    return checked == PS_OK ? draw(d) : checked;
}

/* ---- arguments --------------------------------------------------------------------------- */

/* A call whose shape is its first argument; `at` is the place of the dtype, or -1. A given output
 * decides the type if the caller does not. */
static ps_status begin(const ps__bound_call *call, ps__distribution distribution, int at,
                       ps_dtype otherwise, drawing *d)
{
    const ps_call *given = call->call;
    const ps_arg *generator = &call->args[call->op->nargs - 1];
    bool chosen = at >= 0 && (size_t)at < given->nargs && given->args[at].kind != PS_ARG_NONE;
    ps_dtype dtype = at >= 0 ? call->args[at].as.dtype : otherwise;
    if (at >= 0 && !chosen && given->outputs[0] != NULL)
        dtype = (ps_dtype)given->outputs[0]->dtype;
    *d =
        (drawing){.call = call,
                  .generator = generator->kind == PS_ARG_GENERATOR ? generator->as.generator : NULL,
                  .ndim = (int)call->args[0].count,
                  .shape = call->args[0].as.ints,
                  .work.spec = {.distribution = distribution, .dtype = dtype}};
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
    ps_status status = begin(call, PS__RANDOM_UNIFORM, 3, PS_FLOAT32, &d);
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
    ps_status status = begin(call, PS__RANDOM_NORMAL, 3, PS_FLOAT32, &d);
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
    ps_status status = begin(call, PS__RANDOM_INTEGERS, 3, PS_INT64, &d);
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
    ps_status status = begin(call, PS__RANDOM_BERNOULLI, -1, PS_BOOL, &d);
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
    ps_status status = begin(call, PS__RANDOM_INTEGERS, -1, PS_INT64, &d);
    if (status != PS_OK)
        return status;
    if (count < 0)
        return ps__fail(PS_ERR_ARGUMENT, "random_permutation: a count of %" PRId64, count);
    d.ndim = 1;
    d.shape = &count;
    d.work.permutation = true;
    return draw(&d);
}
