/* put and masked_put: a tensor with some of its elements, or slices, replaced or added to. Into x
 * itself they write in place; else into a copy of it. */
#include "base/error.h"
#include "ops/positions.h"

#include <string.h>

typedef struct putting {
    const ps__bound_call *call;
    ps_tensor *x;
    bool in_place;     /* the output is x */
    int begin, end;    /* the dimensions of x that positions count through */
    ps_tensor *where;  /* positions or a mask, side by side; retained */
    ps_tensor *values; /* of x's type, side by side: one, or as many as `shape` says; retained */
    int ndim;
    int64_t shape[PS_DIMS_MAX];
} putting;

/* x, and whether it is updated in place. */
static ps_status put_begin(const ps__bound_call *call, putting *p)
{
    const ps__home *home;
    *p = (putting){.call = call,
                   .x = call->args[0].as.tensor,
                   .in_place = call->call->outputs[0] != NULL};
    return ps__common_home(call, &home);
}

/* An output that is not x itself takes the result of a call without one. */
static bool goes_elsewhere(const putting *p)
{
    return p->in_place && !ps__tensor_same_view(p->call->call->outputs[0], p->x);
}

static void put_end(putting *p)
{
    ps_tensor_release(p->where);
    ps_tensor_release(p->values);
}

static bool would_be_overwritten(const putting *p, const ps_tensor *tensor)
{
    return p->in_place && tensor->storage == p->x->storage;
}

/* What is written must not be what says where. */
static ps_status keep_places(putting *p)
{
    if (!would_be_overwritten(p, p->where))
        return PS_OK;
    ps_arg arg = ps__arg_tensor(p->where);
    ps_tensor *copy = NULL;
    ps_status status = ps__call("copy", p->call->call, &arg, 1, &copy);
    if (status != PS_OK)
        return status;
    ps_tensor_release(p->where);
    p->where = copy;
    return PS_OK;
}

/* ---- values -------------------------------------------------------------------------------- */

static ps_status number_value(putting *p, ps_scalar number)
{
    ps__element element = {{0}};
    ps_dtype dtype = (ps_dtype)p->x->dtype;
    if (dtype == PS_BOOL)
        ps__scalar_cast(number, dtype, &element);
    else if (!ps__scalar_store(number, dtype, &element))
        return ps__scalar_refuse(p->call->op->row.name, number, dtype);
    return ps_tensor_from_host(dtype, 0, NULL, NULL, &element, p->x->home->device, &p->values);
}

static ps_status convert_values(putting *p, const ps_arg *arg)
{
    const ps_tensor *given = arg->as.tensor;
    bool single = given->count == 1;
    ps_status status =
        ps__tensor_create(p->x->home, (ps_dtype)p->x->dtype, single ? given->ndim : p->ndim,
                          single ? ps__shape(given) : p->shape, &p->values);
    return status == PS_OK ? ps__assign(p->call, p->values, arg) : status;
}

/* p->shape is what the values are broadcast to. */
static ps_status put_values(putting *p)
{
    const ps_arg *arg = &p->call->args[2];
    if (arg->kind != PS_ARG_TENSOR)
        return number_value(p, arg->as.scalar);
    ps_tensor *given = arg->as.tensor;
    int64_t common[PS_DIMS_MAX];
    int ndim = p->ndim;
    memcpy(common, p->shape, (size_t)ndim * sizeof common[0]);
    if (!ps__shape_broadcast(&ndim, common, given->ndim, ps__shape(given)) ||
        !ps__shape_equal(ndim, common, p->ndim, p->shape))
        return ps__fail(PS_ERR_ARGUMENT, "%s: values of shape %s cannot be broadcast to %s",
                        p->call->op->row.name, ps__shape_text(given->ndim, ps__shape(given)),
                        ps__shape_text(p->ndim, p->shape));
    bool all =
        given->count == 1 || ps__shape_equal(given->ndim, ps__shape(given), p->ndim, p->shape);
    if (!all || given->dtype != p->x->dtype || !given->contiguous || would_be_overwritten(p, given))
        return convert_values(p, arg);
    p->values = given;
    return ps_tensor_retain(given);
}

/* ---- work ---------------------------------------------------------------------------------- */

/* Describes x, of which positions count through the dimensions [begin, end), and values for that
 * many positions. `single`: one element is the value of all. */
static void describe_places(const ps_tensor *x, int begin, int end, int64_t values, bool single,
                            ps__work_put *work)
{
    int64_t item = (int64_t)ps__dtype_bytes(x->dtype), run = item;
    int slice = x->ndim - (end - begin), counted = end - begin;
    work->length = 1;
    work->step = 0;
    for (int i = x->ndim - 1, k = slice - 1; i >= 0; i--) {
        int64_t length = ps__shape(x)[i], stride = ps__strides(x)[i] * item;
        if (i + 1 == end) { /* behind the slices' last dimensions come the positions */
            work->step = run;
            run *= values;
        }
        if (i >= begin && i < end) {
            work->length *= length;
            work->counted_shape[i - begin] = length;
            work->counted_strides[i - begin] = stride;
        } else {
            work->shape[k] = length;
            work->strides[0][k] = stride;
            work->strides[1][k--] = single ? 0 : run;
            run *= length;
        }
    }
    if (end == 0)
        work->step = run;
    if (single)
        work->step = 0;
    work->counted = ps__space_collapse(counted, work->counted_shape, 1, &work->counted_strides);
    work->slice = ps__space_collapse(slice, work->shape, 2, work->strides);
}

/* x itself, or a copy of it. */
static ps_status put_target(const putting *p, ps__output *output)
{
    ps_tensor *copy = NULL;
    ps_arg arg = ps__arg_tensor(p->x);
    if (p->in_place) {
        *output = (ps__output){.tensor = p->call->call->outputs[0], .use = PS__PART};
        return ps__output_check(p->call, 0, p->x->home, (ps_dtype)p->x->dtype, p->x->ndim,
                                ps__shape(p->x));
    }
    ps_status status = ps__call("copy", p->call->call, &arg, 1, &copy);
    if (status == PS_OK)
        ps__output_adopt(p->call, 0, copy, output);
    return status;
}

/* `work` says what no tensor does. */
static ps_status submit_put(const putting *p, ps__work_put *work, int64_t values)
{
    ps__output output;
    ps_tensor *inputs[2] = {p->where, p->values};
    ps_status status = put_target(p, &output);
    if (status != PS_OK)
        return status;
    describe_places(output.tensor, p->begin, p->end, values, p->values->count == 1, work);
    if (values == 1)
        work->step = 0;
    work->count = p->where->count;
    work->head.scratch = (uint64_t)work->count * sizeof(int64_t);
    status =
        ps__submit(&(ps__job){.call = p->call,
                              .work = &work->head,
                              .output = &output,
                              .outputs = 1,
                              .input = inputs,
                              .inputs = 2,
                              .cost_ns = ps__copy_cost(p->values) + 2 * (uint64_t)work->count});
    return ps__output_end(p->call, &output, status);
}

/* ---- put ----------------------------------------------------------------------------------- */

/* Which dimensions positions count through, and the shape of the values. */
static ps_status put_shape(putting *p, bool whole, int axis)
{
    const ps_tensor *x = p->x, *at = p->where;
    int64_t count;
    p->begin = whole ? 0 : axis;
    p->end = whole ? x->ndim : axis + 1;
    int rest = x->ndim - (p->end - p->begin);
    if (rest + at->ndim > PS_DIMS_MAX)
        return ps__fail(PS_ERR_ARGUMENT, "put: shapes %s and %s make %d dimensions, at most %d",
                        ps__shape_text(x->ndim, ps__shape(x)),
                        ps__shape_text(at->ndim, ps__shape(at)), rest + at->ndim, PS_DIMS_MAX);
    for (int i = 0; i < p->begin; i++)
        p->shape[p->ndim++] = ps__shape(x)[i];
    for (int i = 0; i < at->ndim; i++)
        p->shape[p->ndim++] = ps__shape(at)[i];
    for (int i = p->end; i < x->ndim; i++)
        p->shape[p->ndim++] = ps__shape(x)[i];
    return ps__shape_check("put", (ps_dtype)x->dtype, p->ndim, p->shape, &count);
}

ps_status ps__op_put(const ps__bound_call *call)
{
    putting p;
    bool whole = call->args[4].kind == PS_ARG_NONE;
    int axis = 0;
    ps_status status = put_begin(call, &p);
    if (status == PS_OK && !whole)
        status = ps__axis("put", call->args[4].as.integer, p.x->ndim, &axis);
    if (status != PS_OK)
        return status;
    if (goes_elsewhere(&p))
        return ps__output_apart(call);
    ps__work_put work = {.head = PS__WORK_HEAD(PUT, ps__work_put),
                         .axis = whole ? -1 : axis,
                         .accumulate = call->args[3].as.boolean};
    status = ps__positions_of(call, 1, p.x, &p.where);
    if (status == PS_OK)
        status = keep_places(&p);
    if (status == PS_OK)
        status = put_shape(&p, whole, axis);
    if (status == PS_OK)
        status = put_values(&p);
    if (status == PS_OK)
        status = submit_put(&p, &work, p.where->count);
    put_end(&p);
    return status;
}

/* ---- masked_put ---------------------------------------------------------------------------- */

/* The values have a dimension for what is true in the mask, or not; then x's dimensions behind those
 * of the mask. */
static ps_status masked_shape(putting *p)
{
    const ps_arg *arg = &p->call->args[2];
    int rest = p->x->ndim - p->end;
    if (rest + 1 > PS_DIMS_MAX)
        return ps__fail(
            PS_ERR_ARGUMENT,
            "masked_put: the values for %d dimensions behind the mask have one more, at "
            "most %d",
            rest, PS_DIMS_MAX);
    bool each = arg->kind == PS_ARG_TENSOR && arg->as.tensor->ndim == rest + 1;
    p->shape[p->ndim++] = each ? ps__shape(arg->as.tensor)[0] : 1;
    for (int i = p->end; i < p->x->ndim; i++)
        p->shape[p->ndim++] = ps__shape(p->x)[i];
    return PS_OK;
}

ps_status ps__op_masked_put(const ps__bound_call *call)
{
    putting p;
    ps_tensor *mask;
    ps_status status = put_begin(call, &p);
    if (status == PS_OK)
        status = ps__mask_of(call, 1, p.x, &mask);
    if (status != PS_OK)
        return status;
    if (goes_elsewhere(&p))
        return ps__output_apart(call);
    p.end = mask->ndim;
    if ((status = masked_shape(&p)) != PS_OK)
        return status;
    ps__work_put work = {.head = PS__WORK_HEAD(MASKED_PUT, ps__work_put),
                         .axis = -1,
                         .given = p.shape[0] == 1 ? -1 : p.shape[0]};
    status = ps__contiguous(call, mask, &p.where);
    if (status == PS_OK)
        status = keep_places(&p);
    if (status == PS_OK)
        status = put_values(&p);
    if (status == PS_OK)
        status = submit_put(&p, &work, p.shape[0]);
    put_end(&p);
    return status;
}
