/* argmin and argmax.
 *
 * The sequence of an output is searched in blocks; what does not lie side by side is gathered
 * first. The first best place wins, whatever the blocks. */
#include "base/error.h"
#include "ops/calls.h"
#include "ops/map.h"

#include <string.h>

enum { BLOCK = 1024 };

typedef struct search {
    ps__arg_fn find;
    unsigned log, compute; /* of the elements; the type that is compared */
    ps__cast_fn cast;      /* to that, or NULL */
    ps__map_fn better;     /* less or greater */
    const ps__operand *x;
    int axis;
    int64_t length, stride;
    int64_t *out;
} search;

typedef struct best {
    ps__element value;
    int64_t place;
    bool any, nan;
} best;

static bool is_nan(const search *s, const void *value)
{
    bool nan = false;
    ps__map_fn test = ps__kernels_get()->map[PS__PRIM_isnan][s->compute][PS__FORM_ALL];
    if (test != NULL)
        test(1, &nan, (const void *[]){value});
    return nan;
}

/* `elements` follow what was seen so far, from place `at` on. */
static void look(const search *s, best *b, int64_t at, size_t n, const char *elements)
{
    _Alignas(64) char converted[BLOCK * 16];
    if (b->nan)
        return;
    if (s->cast != NULL) {
        s->cast(n, converted, elements);
        elements = converted;
    }
    ps__element value;
    int64_t place;
    s->find(n, elements, &value, &place);
    bool wins = !b->any || is_nan(s, &value);
    if (!wins)
        s->better(1, &wins, (const void *[]){&value, &b->value});
    if (wins)
        *b = (best){value, at + place, true, is_nan(s, &value)};
}

/* Where the elements of output `index` begin: all dimensions but the axis. */
static const char *start_of(const search *s, int64_t index)
{
    const char *at = s->x->data;
    for (int i = s->x->ndim - 1; i >= 0; i--) {
        if (i == s->axis)
            continue;
        at += index % s->x->shape[i] * s->x->strides[i];
        index /= s->x->shape[i];
    }
    return at;
}

static ps_status search_outputs(size_t begin, size_t end, void *arg)
{
    const search *s = arg;
    const ps__kernel_set *kernels = ps__kernels_get();
    _Alignas(64) char block[BLOCK * 16];
    for (size_t output = begin; output < end; output++) {
        const char *from = start_of(s, (int64_t)output);
        best b = {.any = false};
        for (int64_t at = 0; at < s->length; at += BLOCK) {
            size_t n = (size_t)(s->length - at < BLOCK ? s->length - at : BLOCK);
            const char *elements = from + at * s->stride;
            if (s->stride != (int64_t)1 << s->log) {
                kernels->gather[s->log](n, block, elements, (ptrdiff_t)s->stride);
                elements = block;
            }
            look(s, &b, at, n, elements);
        }
        s->out[output] = b.place;
    }
    return PS_OK;
}

static ps_status run(ps__task *task, ps_task *self, bool largest)
{
    (void)self;
    const ps__kernel_set *kernels = ps__kernels_get();
    const ps__operand *x = &task->operands[1];
    int axis = *(int *)task->extra;
    unsigned compute = ps__dtypes[x->dtype].compute;
    search s = {.find = (largest ? kernels->argmax : kernels->argmin)[compute],
                .log = (unsigned)__builtin_ctz(ps__dtypes[x->dtype].bytes),
                .compute = compute,
                .cast = compute != x->dtype ? kernels->cast[x->dtype][compute] : NULL,
                .better = kernels->map[largest ? PS__PRIM_greater : PS__PRIM_less][compute][0],
                .x = x,
                .axis = axis,
                .length = x->shape[axis],
                .stride = x->strides[axis],
                .out = (int64_t *)task->operands[0].data};
    int64_t outputs = 1;
    for (int i = 0; i < x->ndim; i++)
        outputs *= i == axis ? 1 : x->shape[i];
    int64_t grain = 65536 / (s.length + 1);
    return ps__split((size_t)outputs, grain < 1 ? 1 : (size_t)grain, search_outputs, &s);
}

static ps_status run_min(ps__task *task, ps_task *self)
{
    return run(task, self, false);
}

static ps_status run_max(ps__task *task, ps_task *self)
{
    return run(task, self, true);
}

/* ---- calls ------------------------------------------------------------------------------- */

static ps_status check(const ps__bound_call *call)
{
    const ps_arg *x = &call->args[0];
    const char *name = call->op->row.name;
    if (x->kind != PS_ARG_TENSOR)
        return ps__fail(PS_ERR_TYPE, "%s: x must be a tensor, not a number", name);
    if (ps__dtype_kind_of((ps_dtype)x->as.tensor->dtype) == PS__KIND_COMPLEX)
        return ps__fail(PS_ERR_TYPE, "%s: %s has no order", name,
                        ps__dtypes[x->as.tensor->dtype].name);
    if (call->call->outputs[0] != NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s makes a new tensor; use assign to fill one", name);
    return PS_OK;
}

static ps_status queue(const ps__bound_call *call, ps_tensor *x, int axis, int ndim,
                       const int64_t *shape, bool largest)
{
    ps__result result;
    ps__launch launch;
    int64_t *dims;
    ps_status status = ps__result_begin(call, 0, x->place, PS_INT64, ndim, shape, &result);
    if (status != PS_OK)
        return status;
    status = ps__task_new(call->op, x->place, 1, 2, 2 * (unsigned)(ndim + x->ndim), sizeof(int),
                          &launch, &dims);
    if (status != PS_OK)
        return ps__result_end(&result, status);
    ps__task_operand(&launch, 0, result.tensor, result.use, &dims);
    ps__task_operand(&launch, 1, x, PS__READ, &dims);
    *(int *)launch.task->extra = axis;
    launch.task->run = largest ? run_max : run_min;
    launch.brief = true;
    launch.location = call->call->location;
    launch.cost_ns = 60 + (uint64_t)((double)x->count * 0.3);
    return ps__result_end(&result, ps__task_push(&launch));
}

/* Over all of x: as one long row. */
static ps_status over_all(const ps__bound_call *call, bool keepdims, bool largest)
{
    ps_tensor *x = call->args[0].as.tensor, *flat = NULL;
    ps_arg args[2] = {call->args[0], {.kind = PS_ARG_INTS, .count = 1, .as.ints = (int64_t[]){-1}}};
    if (x->count == 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: no elements in shape %s", call->op->row.name,
                        ps__shape_text(x->ndim, ps__shape(x)));
    ps_status status = ps__call("reshape", call->call, args, 2, &flat);
    if (status != PS_OK)
        return status;
    int64_t ones[PS_DIMS_MAX];
    for (int i = 0; i < x->ndim; i++)
        ones[i] = 1;
    status = queue(call, flat, 0, keepdims ? x->ndim : 0, ones, largest);
    ps_tensor_release(flat);
    return status;
}

static ps_status arg_reduce(const ps__bound_call *call, bool largest)
{
    ps_status status = check(call);
    if (status != PS_OK)
        return status;
    bool keepdims = call->args[2].as.boolean;
    if (call->args[1].kind == PS_ARG_NONE)
        return over_all(call, keepdims, largest);
    ps_tensor *x = call->args[0].as.tensor;
    int axis, ndim = 0;
    status = ps__axis(call->op->row.name, call->args[1].as.integer, x->ndim, &axis);
    if (status != PS_OK)
        return status;
    if (ps__shape(x)[axis] == 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: no elements along axis %d of shape %s",
                        call->op->row.name, axis, ps__shape_text(x->ndim, ps__shape(x)));
    int64_t shape[PS_DIMS_MAX];
    for (int i = 0; i < x->ndim; i++)
        if (i != axis || keepdims)
            shape[ndim++] = i == axis ? 1 : ps__shape(x)[i];
    return queue(call, x, axis, ndim, shape, largest);
}

ps_status ps__op_argmin(const ps__bound_call *call)
{
    return arg_reduce(call, false);
}

ps_status ps__op_argmax(const ps__bound_call *call)
{
    return arg_reduce(call, true);
}
