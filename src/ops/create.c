/* New tensors: of one value, of a series, with ones on a diagonal. */
#include "base/error.h"
#include "ops/calls.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct create_work {
    int64_t count;
    unsigned log; /* of the bytes of an element */
    ps__element value, step;
    int64_t diagonal;
    double from, by;
    int64_t last; /* linspace: the place that is `to` exactly; -1: none */
    double to;
} create_work;

/* A task that writes one output and reads nothing. */
static ps_status create(const ps__bound_call *call, ps_dtype dtype, int ndim, const int64_t *shape,
                        ps_status (*run)(ps__task *, ps_task *), const create_work *work)
{
    int64_t count, *dims;
    const ps__place *place;
    ps__result result;
    ps__launch launch;
    ps_status status = ps__shape_check(call->op->row.name, dtype, ndim, shape, &count);
    if (status == PS_OK)
        status = ps__place_of(call->call->device, &place);
    if (status == PS_OK && call->call->outputs[0] != NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s makes a new tensor; use assign to fill one",
                        call->op->row.name);
    if (status == PS_OK)
        status = ps__result_begin(call, 0, place, dtype, ndim, shape, &result);
    if (status != PS_OK)
        return status;
    status = ps__task_new(call->op, place, 1, 1, 2 * (unsigned)ndim, sizeof *work, &launch, &dims);
    if (status != PS_OK)
        return ps__result_end(&result, status);
    ps__task_operand(&launch, 0, result.tensor, result.use, &dims);
    create_work *own = launch.task->extra;
    *own = *work;
    own->count = count;
    own->log = (unsigned)__builtin_ctzll(ps__dtype_bytes(dtype));
    launch.task->run = run;
    launch.brief = true;
    launch.location = call->call->location;
    launch.cost_ns = 20 + (uint64_t)((double)count * (double)ps__dtype_bytes(dtype) * 0.03);
    return ps__result_end(&result, ps__task_push(&launch));
}

/* ---- one value --------------------------------------------------------------------------- */

enum { GRAIN = 1 << 17 };

typedef struct filling {
    const create_work *work;
    char *data;
} filling;

static ps_status fill_piece(size_t begin, size_t end, void *arg)
{
    const filling *f = arg;
    ps__kernels_get()->fill[f->work->log](end - begin, f->data + (begin << f->work->log),
                                          &f->work->value);
    return PS_OK;
}

static ps_status run_fill(ps__task *task, ps_task *self)
{
    (void)self;
    const create_work *work = task->extra;
    filling f = {work, task->operands[0].data};
    return ps__split((size_t)work->count, GRAIN, fill_piece, &f);
}

static ps_status run_nothing(ps__task *task, ps_task *self)
{
    (void)task;
    (void)self;
    return PS_OK;
}

static ps_status fill_with(const ps__bound_call *call, ps_dtype dtype, ps_scalar value)
{
    create_work work = {0};
    if (!ps__scalar_store(value, dtype, &work.value))
        return ps__scalar_refuse(call->op->row.name, value, dtype);
    return create(call, dtype, (int)call->args[0].count, call->args[0].as.ints, run_fill, &work);
}

ps_status ps__op_empty(const ps__bound_call *call)
{
    return create(call, call->args[1].as.dtype, (int)call->args[0].count, call->args[0].as.ints,
                  run_nothing, &(create_work){0});
}

static ps_dtype type_of_scalar(ps_scalar scalar)
{
    static const ps_dtype types[] = {PS_BOOL, PS_INT64, PS_UINT64, PS_FLOAT32, PS_COMPLEX64};
    return types[scalar.tag];
}

ps_status ps__op_full(const ps__bound_call *call)
{
    ps_scalar value = call->args[1].as.scalar;
    ps_dtype dtype =
        call->args[2].kind == PS_ARG_DTYPE ? call->args[2].as.dtype : type_of_scalar(value);
    return fill_with(call, dtype, value);
}

ps_status ps__op_zeros(const ps__bound_call *call)
{
    return fill_with(call, call->args[1].as.dtype, (ps_scalar){PS_SCALAR_BOOL, {.b = false}});
}

ps_status ps__op_ones(const ps__bound_call *call)
{
    return fill_with(call, call->args[1].as.dtype, (ps_scalar){PS_SCALAR_BOOL, {.b = true}});
}

/* ---- series ------------------------------------------------------------------------------ */

/* Elements are made as float64 or int64 from their place alone, then converted. */
static ps_status series_piece(size_t begin, size_t end, void *arg)
{
    const ps__task *task = arg;
    const create_work *work = task->extra;
    const ps__operand *out = &task->operands[0];
    bool integer = ps__dtype_is_integer(out->dtype);
    double numbers[256];
    int64_t integers[256], first, step;
    memcpy(&first, &work->value, sizeof first);
    memcpy(&step, &work->step, sizeof step);
    ps__cast_fn cast = ps__kernels_get()->cast[integer ? PS_INT64 : PS_FLOAT64][out->dtype];
    for (size_t at = begin; at < end;) {
        size_t n = end - at < 256 ? end - at : 256;
        for (size_t i = 0; i < n; i++) {
            int64_t place = (int64_t)(at + i);
            integers[i] = (int64_t)((uint64_t)first + (uint64_t)place * (uint64_t)step);
            numbers[i] = place == work->last ? work->to : work->from + (double)place * work->by;
        }
        char *to = out->data + (at << work->log);
        const void *from = integer ? (const void *)integers : (const void *)numbers;
        if (out->dtype == PS_INT64 || out->dtype == PS_FLOAT64)
            memcpy(to, from, n * 8);
        else
            cast(n, to, from);
        at += n;
    }
    return PS_OK;
}

static ps_status run_series(ps__task *task, ps_task *self)
{
    (void)self;
    const create_work *work = task->extra;
    return ps__split((size_t)work->count, GRAIN / 4, series_piece, task);
}

static double as_double(ps_scalar scalar)
{
    switch (scalar.tag) {
    case PS_SCALAR_BOOL:
        return scalar.as.b;
    case PS_SCALAR_INT64:
        return (double)scalar.as.i;
    case PS_SCALAR_UINT64:
        return (double)scalar.as.u;
    default:
        return scalar.as.d;
    }
}

static int64_t as_integer(ps_scalar scalar)
{
    return scalar.tag == PS_SCALAR_BOOL ? scalar.as.b : scalar.as.i;
}

static ps_status integer_range(const ps__bound_call *call, ps_dtype dtype, int64_t start,
                               int64_t stop, int64_t step)
{
    if (step == 0)
        return ps__fail(PS_ERR_ARGUMENT, "arange: the step is 0");
    bool some = step > 0 ? stop > start : stop < start;
    uint64_t span = step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop;
    uint64_t size = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    int64_t count = some ? (int64_t)((span - 1) / size + 1) : 0;
    create_work work = {.last = -1, .from = (double)start, .by = (double)step};
    memcpy(&work.value, &start, sizeof start);
    memcpy(&work.step, &step, sizeof step);
    return create(call, dtype, 1, &count, run_series, &work);
}

static ps_status number_range(const ps__bound_call *call, ps_dtype dtype, double start, double stop,
                              double step)
{
    double count = ceil((stop - start) / step);
    if (step == 0 || !(fabs(start) < HUGE_VAL) || !(fabs(step) < HUGE_VAL) || isnan(count) ||
        count > 0x1p60)
        return ps__fail(PS_ERR_ARGUMENT, "arange: no series from %g to %g by %g", start, stop,
                        step);
    int64_t length = count > 0 ? (int64_t)count : 0;
    create_work work = {.last = -1, .from = start, .by = step};
    return create(call, dtype, 1, &length, run_series, &work);
}

ps_status ps__op_arange(const ps__bound_call *call)
{
    ps_scalar zero = {PS_SCALAR_INT64, {.i = 0}}, start = call->args[0].as.scalar,
              stop = call->args[1].as.scalar, step = call->args[2].as.scalar;
    if (call->args[1].kind == PS_ARG_NONE) {
        stop = start;
        start = zero;
    }
    if (start.tag > PS_SCALAR_DOUBLE || stop.tag > PS_SCALAR_DOUBLE || step.tag > PS_SCALAR_DOUBLE)
        return ps__fail(PS_ERR_ARGUMENT, "arange: complex numbers have no order");
    bool integers =
        start.tag <= PS_SCALAR_INT64 && stop.tag <= PS_SCALAR_INT64 && step.tag <= PS_SCALAR_INT64;
    bool given = call->args[3].kind == PS_ARG_DTYPE;
    ps_dtype dtype = given ? call->args[3].as.dtype : integers ? PS_INT64 : PS_FLOAT32;
    if (ps__dtype_kind_of(dtype) == PS__KIND_COMPLEX || dtype == PS_BOOL)
        return ps__fail(PS_ERR_TYPE, "arange: no rule for %s", ps__dtypes[dtype].name);
    if (integers && ps__dtype_is_integer(dtype))
        return integer_range(call, dtype, as_integer(start), as_integer(stop), as_integer(step));
    return number_range(call, dtype, as_double(start), as_double(stop), as_double(step));
}

ps_status ps__op_linspace(const ps__bound_call *call)
{
    double start = call->args[0].as.number, stop = call->args[1].as.number;
    int64_t count = call->args[2].as.integer;
    bool endpoint = call->args[3].as.boolean;
    ps_dtype dtype = call->args[4].as.dtype;
    if (count < 0)
        return ps__fail(PS_ERR_ARGUMENT, "linspace: a count of %" PRId64, count);
    if (!(PS__SET_FLOAT >> dtype & 1))
        return ps__fail(PS_ERR_TYPE, "linspace: no rule for %s", ps__dtypes[dtype].name);
    double steps = (double)(endpoint ? count - 1 : count);
    create_work work = {.from = start,
                        .by = steps > 0 ? (stop - start) / steps : 0,
                        .to = stop,
                        .last = endpoint && count > 1 ? count - 1 : -1};
    return create(call, dtype, 1, &count, run_series, &work);
}

/* ---- eye --------------------------------------------------------------------------------- */

static ps_status run_eye(ps__task *task, ps_task *self)
{
    (void)self;
    const create_work *work = task->extra;
    const ps__operand *out = &task->operands[0];
    memset(out->data, 0, (size_t)work->count << work->log);
    int64_t rows = out->shape[0], columns = out->shape[1];
    for (int64_t row = work->diagonal < 0 ? -work->diagonal : 0; row < rows; row++) {
        if (row + work->diagonal >= columns)
            break;
        memcpy(out->data + ((row * columns + row + work->diagonal) << work->log), &work->value,
               (size_t)1 << work->log);
    }
    return PS_OK;
}

ps_status ps__op_eye(const ps__bound_call *call)
{
    int64_t rows = call->args[0].as.integer;
    int64_t shape[2] = {rows, call->args[1].kind == PS_ARG_INT ? call->args[1].as.integer : rows};
    ps_dtype dtype = call->args[3].as.dtype;
    create_work work = {.diagonal = call->args[2].as.integer};
    if (work.diagonal < -((int64_t)1 << 61) || work.diagonal > (int64_t)1 << 61)
        return ps__fail(PS_ERR_ARGUMENT, "eye: diagonal %" PRId64 " is too far out", work.diagonal);
    ps__scalar_cast((ps_scalar){PS_SCALAR_BOOL, {.b = true}}, dtype, &work.value);
    return create(call, dtype, 2, shape, run_eye, &work);
}
