/* New tensors: of one value, of a series, with ones on a diagonal. */
#include "base/error.h"
#include "ops/at_once.h"
#include "ops/calls.h"

#include <inttypes.h>
#include <math.h>

/* What is short is done at the call, without a description of it: it reads nothing, and cannot fail. */
static inline bool create_at_once(const ps__output *output, const ps__work *work, uint64_t cost_ns,
                                  const ps__home *home)
{
    const ps_tensor *tensor = output->tensor;
    if (output->use != PS__NEW || !home->host || cost_ns > PS__AT_ONCE_LOCKED_NS || !ps__at_once())
        return false;
    ps__opening o; /* its lists are large, and mostly unused */
    o.count = 1;
    o.operands = &tensor;
    o.use = PS__NEW;
    o.cost_ns = (float)cost_ns;
    if (!ps__at_once_open(&o))
        return false;
    ps__operand operand = {.data = o.data[0],
                           .old = o.data[0],
                           .shape = ps__shape(tensor),
                           .strides = ps__strides(tensor), /* nobody looks: it lies side by side */
                           .dtype = tensor->dtype,
                           .ndim = tensor->ndim};
    ps__lane lane = {.engine = ps__tensor_engine(), .device = home->device};
    (void)home->backend->run[work->kind](&lane, work, &operand, 1);
    ps__at_once_close(&o);
    return true;
}

/* Work that writes one output and reads nothing. */
PS_HOT static ps_status submit_creation(const ps__bound_call *call, ps_dtype dtype, int ndim,
                                        const int64_t *shape, ps__work *work, int64_t *count)
{
    const ps__home *home;
    ps_status status = ps__shape_check(call->op->row.name, dtype, ndim, shape, count);
    if (status == PS_OK)
        status = ps__new_home(call, &home);
    if (status != PS_OK)
        return status;
    ps__output output;
    status = ps__output_begin(call, 0, home, dtype, ndim, shape, 0, &output);
    if (status != PS_OK)
        return status;
    uint64_t cost_ns = 20 + (uint64_t)*count * ps__dtype_bytes(dtype) / 32;
    if (!create_at_once(&output, work, cost_ns, home))
        status = ps__submit(&(ps__job){.call = call,
                                       .work = work,
                                       .cost_ns = cost_ns,
                                       .home = home,
                                       .output = &output,
                                       .outputs = 1});
    return ps__output_end(call, &output, status);
}

/* ---- one value --------------------------------------------------------------------------- */

static ps_status submit_fill(const ps__bound_call *call, ps_dtype dtype, ps__work_fill *work)
{
    return submit_creation(call, dtype, (int)call->args[0].count, call->args[0].as.ints,
                           &work->head, &work->count);
}

ps_status ps__op_empty(const ps__bound_call *call)
{
    int64_t count;
    return submit_creation(call, ps__output_decides(call, 1, call->args[1].as.dtype),
                           (int)call->args[0].count, call->args[0].as.ints,
                           &(ps__work)PS__WORK_HEAD(EMPTY, ps__work), &count);
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
    dtype = ps__output_decides(call, 2, dtype);
    ps__work_fill work = {.head = PS__WORK_HEAD(FILL, ps__work_fill)};
    if (!ps__scalar_store(value, dtype, &work.value))
        return ps__scalar_refuse(call->op->row.name, value, dtype);
    return submit_fill(call, dtype, &work);
}

ps_status ps__op_zeros(const ps__bound_call *call)
{
    ps__work_fill work = {.head = PS__WORK_HEAD(FILL, ps__work_fill)}; /* of every type */
    return submit_fill(call, ps__output_decides(call, 1, call->args[1].as.dtype), &work);
}

/* 1 as an element. */
static const ps__element one_of[PS__DTYPES] = {
    [PS_BOOL] = {{1}},
    [PS_INT8] = {{1}},
    [PS_INT16] = {{1}},
    [PS_INT32] = {{1}},
    [PS_INT64] = {{1}},
    [PS_UINT8] = {{1}},
    [PS_UINT16] = {{1}},
    [PS_UINT32] = {{1}},
    [PS_UINT64] = {{1}},
    [PS_FLOAT16] = {{0, 0x3c}},
    [PS_BFLOAT16] = {{0x80, 0x3f}},
    [PS_FLOAT32] = {{0, 0, 0x80, 0x3f}},
    [PS_FLOAT64] = {{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
    [PS_COMPLEX64] = {{0, 0, 0x80, 0x3f}},
    [PS_COMPLEX128] = {{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
};

ps_status ps__op_ones(const ps__bound_call *call)
{
    ps_dtype dtype = ps__output_decides(call, 1, call->args[1].as.dtype);
    ps__work_fill work = {.head = PS__WORK_HEAD(FILL, ps__work_fill), .value = one_of[dtype]};
    return submit_fill(call, dtype, &work);
}

/* ---- series ------------------------------------------------------------------------------ */

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
    ps__work_series work = {.head = PS__WORK_HEAD(SERIES, ps__work_series),
                            .first = start,
                            .step = step,
                            .from = (double)start,
                            .by = (double)step,
                            .last = -1};
    return submit_creation(call, dtype, 1, &count, &work.head, &work.count);
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
    ps__work_series work = {.head = PS__WORK_HEAD(SERIES, ps__work_series),
                            .from = start,
                            .by = step,
                            .last = -1};
    return submit_creation(call, dtype, 1, &length, &work.head, &work.count);
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
    dtype = ps__output_decides(call, 3, dtype);
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
    ps_dtype dtype = ps__output_decides(call, 4, call->args[4].as.dtype);
    if (count < 0)
        return ps__fail(PS_ERR_ARGUMENT, "linspace: a count of %" PRId64, count);
    if (!(PS__SET_FLOAT >> dtype & 1))
        return ps__fail(PS_ERR_TYPE, "linspace: no rule for %s", ps__dtypes[dtype].name);
    double steps = (double)(endpoint ? count - 1 : count);
    ps__work_series work = {.head = PS__WORK_HEAD(SERIES, ps__work_series),
                            .from = start,
                            .by = steps > 0 ? (stop - start) / steps : 0,
                            .to = stop,
                            .last = endpoint && count > 1 ? count - 1 : -1};
    return submit_creation(call, dtype, 1, &count, &work.head, &work.count);
}

/* ---- eye --------------------------------------------------------------------------------- */

ps_status ps__op_eye(const ps__bound_call *call)
{
    int64_t rows = call->args[0].as.integer;
    int64_t shape[2] = {rows, call->args[1].kind == PS_ARG_INT ? call->args[1].as.integer : rows};
    ps_dtype dtype = ps__output_decides(call, 3, call->args[3].as.dtype);
    ps__work_eye work = {.head = PS__WORK_HEAD(EYE, ps__work_eye),
                         .diagonal = call->args[2].as.integer};
    if (work.diagonal < -((int64_t)1 << 61) || work.diagonal > (int64_t)1 << 61)
        return ps__fail(PS_ERR_ARGUMENT, "eye: diagonal %" PRId64 " is too far out", work.diagonal);
    ps__scalar_cast((ps_scalar){PS_SCALAR_BOOL, {.b = true}}, dtype, &work.value);
    return submit_creation(call, dtype, 2, shape, &work.head, &work.count);
}
