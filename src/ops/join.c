/* Tensors put together into one: behind each other along an axis, or along a new one.
 *
 * One task copies up to GROUP tensors to their places. Those of another type than the result's are
 * converted first, by an operation of their own. */
#include "base/error.h"
#include "ops/strided.h"

#include <inttypes.h>

enum { GROUP = PS__OPERANDS - 1 };

typedef struct joining {
    const ps__bound_call *call;
    ps_tensor *const *tensors;
    unsigned count;
    int axis;
    bool stack; /* the axis is new */
    ps_dtype dtype;
    int ndim;
    int64_t shape[PS_DIMS_MAX];
} joining;

static ps_status refuse_shapes(const joining *j, unsigned index)
{
    const ps_tensor *first = j->tensors[0], *other = j->tensors[index];
    return ps__fail(PS_ERR_ARGUMENT, "%s: tensor %u has shape %s, which does not fit %s%s",
                    j->call->op->row.name, index, ps__shape_text(other->ndim, ps__shape(other)),
                    ps__shape_text(first->ndim, ps__shape(first)),
                    j->stack ? "" : " along the other axes");
}

/* All shapes are equal, but for the axis along which they are joined. */
static ps_status check_shapes(joining *j)
{
    const ps_tensor *first = j->tensors[0];
    int64_t total = 0;
    j->dtype = (ps_dtype)first->dtype;
    for (unsigned t = 0; t < j->count; t++) {
        const ps_tensor *tensor = j->tensors[t];
        bool fits = tensor->ndim == first->ndim;
        for (int i = 0; fits && i < first->ndim; i++)
            fits = ps__shape(tensor)[i] == ps__shape(first)[i] || (!j->stack && i == j->axis);
        if (!fits)
            return refuse_shapes(j, t);
        if (__builtin_add_overflow(total, j->stack ? 1 : ps__shape(tensor)[j->axis], &total))
            return ps__fail(PS_ERR_ARGUMENT, "%s: the lengths add up to more than 2^63",
                            j->call->op->row.name);
        j->dtype = ps__promote(j->dtype, (ps_dtype)tensor->dtype);
    }
    j->ndim = first->ndim + j->stack;
    for (int i = 0, from = 0; i < j->ndim; i++) {
        j->shape[i] = i == j->axis ? total : ps__shape(first)[from];
        from += i != j->axis || !j->stack;
    }
    return PS_OK;
}

/* Where one tensor goes: all of it, from position `at` of the axis. */
static void add_region(const joining *j, ps__launch *launch, unsigned source, int64_t at,
                       int64_t **dims)
{
    const ps__operand *out = &launch->task->operands[0], *in = &launch->task->operands[source];
    ps__region *r = ps__regions_add(launch, source, in->ndim, dims);
    r->to = at * out->strides[j->axis];
    for (int i = 0; i < in->ndim; i++) {
        r->shape[i] = in->shape[i];
        r->to_strides[i] = out->strides[i + (j->stack && i >= j->axis)];
        r->from_strides[i] = in->strides[i];
    }
}

/* One task for tensors of the result's type. *at is where the next one goes. */
static ps_status queue_group(const joining *j, const ps__result *result, ps_tensor *const *tensors,
                             unsigned count, int64_t *at)
{
    ps__launch launch;
    int64_t *dims;
    ps_status status =
        ps__regions_begin(j->call, result, count, tensors, count, j->ndim, &launch, &dims);
    if (status != PS_OK)
        return status;
    for (unsigned t = 0; t < count; t++) {
        add_region(j, &launch, 1 + t, *at, &dims);
        *at += j->stack ? 1 : ps__shape(tensors[t])[j->axis];
    }
    launch.cost_ns /= j->count / count;
    launch.brief = count == j->count;
    return ps__task_push(&launch);
}

/* As the type, retained. */
static ps_status converted(const joining *j, ps_tensor *tensor, ps_tensor **result)
{
    if (tensor->dtype == (uint8_t)j->dtype) {
        *result = tensor;
        return ps_tensor_retain(tensor);
    }
    ps_arg args[2] = {ps__arg_tensor(tensor), {.kind = PS_ARG_DTYPE, .as.dtype = j->dtype}};
    *result = NULL;
    return ps__call("cast", j->call->call, args, 2, result);
}

static ps_status join_group(const joining *j, const ps__result *result, unsigned first,
                            unsigned count, int64_t *at)
{
    ps_tensor *tensors[GROUP];
    unsigned made = 0;
    ps_status status = PS_OK;
    for (; made < count && status == PS_OK; made += status == PS_OK)
        status = converted(j, j->tensors[first + made], &tensors[made]);
    if (status == PS_OK)
        status = queue_group(j, result, tensors, count, at);
    while (made > 0)
        ps_tensor_release(tensors[--made]);
    return status;
}

static ps_status join(joining *j)
{
    ps__result result;
    const ps__place *place;
    int64_t count, at = 0;
    ps_status status = check_shapes(j);
    if (status == PS_OK)
        status = ps__shape_check(j->call->op->row.name, j->dtype, j->ndim, j->shape, &count);
    if (status == PS_OK)
        status = ps__common_place(j->call, &place);
    if (status != PS_OK)
        return status;
    /* Several tasks would leave half a result if one cannot be queued: not in the user's tensor. */
    if (ps__needs_detour(j->call, j->dtype) ||
        (j->call->call->outputs[0] != NULL && j->count > GROUP))
        return ps__detour(j->call);
    status = ps__result_begin(j->call, 0, place, j->dtype, j->ndim, j->shape, &result);
    if (status != PS_OK)
        return status;
    for (unsigned first = 0; first < j->count && status == PS_OK; first += GROUP) {
        unsigned left = j->count - first;
        status = join_group(j, &result, first, left < GROUP ? left : GROUP, &at);
        result.use = PS__PART;
    }
    return ps__result_end(&result, status);
}

static ps_status begin(joining *j, const ps__bound_call *call)
{
    j->call = call;
    j->tensors = call->args[0].as.tensors;
    j->count = call->args[0].count;
    if (j->count == 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: no tensors are given", call->op->row.name);
    return PS_OK;
}

ps_status ps__op_concatenate(const ps__bound_call *call)
{
    joining j = {.stack = false};
    ps_status status = begin(&j, call);
    if (status == PS_OK && j.tensors[0]->ndim == 0)
        status = ps__fail(PS_ERR_ARGUMENT, "concatenate: tensors of 0 dimensions; use stack");
    if (status == PS_OK)
        status = ps__axis("concatenate", call->args[1].as.integer, j.tensors[0]->ndim, &j.axis);
    return status == PS_OK ? join(&j) : status;
}

ps_status ps__op_stack(const ps__bound_call *call)
{
    joining j = {.stack = true};
    ps_status status = begin(&j, call);
    if (status == PS_OK && j.tensors[0]->ndim == PS_DIMS_MAX)
        status = ps__fail(PS_ERR_ARGUMENT, "stack: %d dimensions, at most %d", PS_DIMS_MAX + 1,
                          PS_DIMS_MAX);
    if (status == PS_OK)
        status = ps__axis("stack", call->args[1].as.integer, j.tensors[0]->ndim + 1, &j.axis);
    return status == PS_OK ? join(&j) : status;
}
