/* Tensors put together into one: behind each other along an axis, or along a new one.
 *
 * One task copies all tensors to where they belong. Those of another type than the result's are
 * converted first, by an operation of their own. What is short is copied at the call. */
#include "base/error.h"
#include "ops/at_once.h"
#include "ops/regions.h"

#include <inttypes.h>
#include <string.h>

typedef struct concatenation {
    const ps__bound_call *call;
    ps_tensor *const *tensors;
    unsigned count;
    int axis;
    bool stack; /* the axis is new */
    ps_dtype dtype;
    int ndim;
    int64_t shape[PS_DIMS_MAX];
} concatenation;

static ps_status refuse_tensor(const concatenation *c, unsigned index)
{
    const ps_tensor *first = c->tensors[0], *other = c->tensors[index];
    return ps__fail(PS_ERR_ARGUMENT, "%s: tensor %u has shape %s, which does not fit %s%s",
                    c->call->op->row.name, index, ps__shape_text(other->ndim, ps__shape(other)),
                    ps__shape_text(first->ndim, ps__shape(first)),
                    c->stack ? "" : " along the other axes");
}

/* All shapes are equal, but for the axis along which they follow each other. */
static ps_status check_shapes(concatenation *c)
{
    const ps_tensor *first = c->tensors[0];
    int64_t total = 0;
    c->dtype = (ps_dtype)first->dtype;
    for (unsigned t = 0; t < c->count; t++) {
        const ps_tensor *tensor = c->tensors[t];
        bool fits = tensor->ndim == first->ndim;
        for (int i = 0; fits && i < first->ndim; i++)
            fits = ps__shape(tensor)[i] == ps__shape(first)[i] || (!c->stack && i == c->axis);
        if (!fits)
            return refuse_tensor(c, t);
        if (__builtin_add_overflow(total, c->stack ? 1 : ps__shape(tensor)[c->axis], &total))
            return ps__fail(PS_ERR_ARGUMENT, "%s: the lengths add up to more than 2^63",
                            c->call->op->row.name);
        if (PS_UNLIKELY(tensor->dtype != (uint8_t)c->dtype))
            c->dtype = ps__promote(c->dtype, (ps_dtype)tensor->dtype);
    }
    c->ndim = first->ndim + c->stack;
    for (int i = 0, from = 0; i < c->ndim; i++) {
        c->shape[i] = i == c->axis ? total : ps__shape(first)[from];
        from += i != c->axis || !c->stack;
    }
    return PS_OK;
}

/* Where one tensor goes: all of it, from position `at` of the axis. */
static void add_tensor(const concatenation *c, ps__regions *regions, unsigned source,
                       const ps__layout_bytes *out, const ps_tensor *tensor, int64_t at)
{
    ps__layout_bytes in = ps__layout_bytes_of(tensor);
    ps__region_fill r = ps__regions_add(regions, source, in.ndim);
    r.region->to = at * out->strides[c->axis];
    for (int i = 0; i < in.ndim; i++) {
        r.shape[i] = in.shape[i];
        r.to_strides[i] = out->strides[i + (c->stack && i >= c->axis)];
        r.from_strides[i] = in.strides[i];
    }
}

/* The tensors have the result's type. */
static ps_status submit_regions(const concatenation *c, const ps__output *output,
                                ps_tensor *const *tensors)
{
    ps__regions regions;
    ps__layout_bytes out = ps__layout_bytes_of(output->tensor);
    int64_t at = 0;
    ps_status status = ps__regions_begin(&regions, c->count, c->ndim);
    if (status != PS_OK)
        return status;
    for (unsigned t = 0; t < c->count; t++) {
        add_tensor(c, &regions, 1 + t, &out, tensors[t], at);
        at += c->stack ? 1 : ps__shape(tensors[t])[c->axis];
    }
    return ps__regions_submit(&regions, c->call, output, tensors, c->count);
}

/* As the type, retained. */
static ps_status converted(const concatenation *c, ps_tensor *tensor, ps_tensor **result)
{
    if (tensor->dtype == (uint8_t)c->dtype) {
        *result = tensor;
        return ps_tensor_retain(tensor);
    }
    ps_arg args[2] = {ps__arg_tensor(tensor), {.kind = PS_ARG_DTYPE, .as.dtype = c->dtype}};
    *result = NULL;
    return ps__call("cast", c->call->call, args, 2, result);
}

static ps_status convert_all(const concatenation *c, const ps__output *output, ps_tensor **tensors)
{
    unsigned made = 0;
    ps_status status = PS_OK;
    for (; made < c->count && status == PS_OK; made += status == PS_OK)
        status = converted(c, c->tensors[made], &tensors[made]);
    if (status == PS_OK)
        status = submit_regions(c, output, tensors);
    while (made > 0)
        ps_tensor_release(tensors[--made]);
    return status;
}

static bool are_of_one_type(const concatenation *c)
{
    for (unsigned t = 0; t < c->count; t++)
        if (c->tensors[t]->dtype != (uint8_t)c->dtype)
            return false;
    return true;
}

/* How often, and how many bytes, a tensor has in one go: it lies side by side. */
typedef struct runs {
    int64_t count;
    size_t one; /* of a tensor whose length along the axis is 1, or of any that is stacked */
} runs;

static runs find_runs(const concatenation *c)
{
    runs r = {.count = 1, .one = ps__dtype_bytes(c->dtype)};
    for (int i = 0; i < c->axis; i++)
        r.count *= c->shape[i];
    for (int i = c->axis + 1; i < c->ndim; i++)
        r.one *= (size_t)c->shape[i];
    return r;
}

/* Copies what was opened: the result, and the tensors behind it. */
static void copy_runs(const concatenation *c, const runs *r, const ps__opening *o)
{
    size_t stride = r->one * (size_t)c->shape[c->axis], at = 0;
    for (unsigned t = 0; t < c->count; t++) {
        size_t run = c->stack ? r->one : r->one * (size_t)ps__shape(c->tensors[t])[c->axis];
        for (int64_t i = 0; i < r->count; i++)
            memcpy(o->data[0] + at + (size_t)i * stride, o->data[1 + t] + (size_t)i * run, run);
        at += run;
    }
}

/* Tensors of the result's type that lie side by side, few bytes: they are copied without a description of
 * that, which cannot fail. */
static bool copy_at_once(const concatenation *c, const ps__output *output, const ps__home *home)
{
    const ps_tensor *tensor = output->tensor;
    if (output->use != PS__NEW || !home->host || c->count >= PS__AT_ONCE_MOST ||
        tensor->count == 0 || tensor->count > PS__AT_ONCE_TASK_NS || !ps__at_once())
        return false;
    const ps_tensor *operands[PS__AT_ONCE_MOST];
    operands[0] = tensor;
    for (unsigned t = 0; t < c->count; t++) {
        operands[1 + t] = c->tensors[t];
        if (!c->tensors[t]->contiguous)
            return false;
    }
    runs r = find_runs(c);
    ps__opening o; /* its lists are large, and mostly unused */
    o.count = 1 + c->count;
    o.operands = operands;
    o.use = PS__NEW;
    o.cost_ns = 20 + 5 * (float)(r.count * c->count) +
                (float)tensor->count * (float)ps__dtype_bytes(c->dtype) / 32;
    if (o.cost_ns > PS__AT_ONCE_TASK_NS || !ps__at_once_open(&o))
        return false;
    copy_runs(c, &r, &o);
    ps__at_once_close(&o);
    return true;
}

static ps_status put_together(const concatenation *c, const ps__output *output,
                              const ps__home *home)
{
    bool alike = are_of_one_type(c);
    if (alike && copy_at_once(c, output, home))
        return PS_OK;
    if (alike)
        return submit_regions(c, output, c->tensors);
    void *tensors;
    size_t bytes = c->count * sizeof(ps_tensor *);
    ps_status status = ps_memory_alloc(bytes, &tensors);
    if (status != PS_OK)
        return status;
    status = convert_all(c, output, tensors);
    ps_memory_free(tensors, bytes);
    return status;
}

static ps_status concatenate(concatenation *c)
{
    ps__output output;
    const ps__home *home;
    int64_t count;
    ps_status status = check_shapes(c);
    if (status == PS_OK)
        status = ps__shape_check(c->call->op->row.name, c->dtype, c->ndim, c->shape, &count);
    if (status == PS_OK)
        status = ps__common_home(c->call, &home);
    if (status == PS_OK)
        status = ps__output_begin(c->call, 0, home, c->dtype, c->ndim, c->shape, PS__OUT_STRIDED,
                                  &output);
    if (status != PS_OK)
        return status;
    return ps__output_end(c->call, &output, put_together(c, &output, home));
}

static ps_status concatenation_begin(concatenation *c, const ps__bound_call *call, bool stack)
{
    c->call = call;
    c->stack = stack;
    c->tensors = call->args[0].as.tensors;
    c->count = call->args[0].count;
    if (c->count == 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: no tensors are given", call->op->row.name);
    return PS_OK;
}

ps_status ps__op_concatenate(const ps__bound_call *call)
{
    concatenation c; /* its shape is large, and mostly unused */
    ps_status status = concatenation_begin(&c, call, false);
    if (status == PS_OK && c.tensors[0]->ndim == 0)
        status = ps__fail(PS_ERR_ARGUMENT, "concatenate: tensors of 0 dimensions; use stack");
    if (status == PS_OK)
        status = ps__axis("concatenate", call->args[1].as.integer, c.tensors[0]->ndim, &c.axis);
    return status == PS_OK ? concatenate(&c) : status;
}

ps_status ps__op_stack(const ps__bound_call *call)
{
    concatenation c;
    ps_status status = concatenation_begin(&c, call, true);
    if (status == PS_OK && c.tensors[0]->ndim == PS_DIMS_MAX)
        status = ps__fail(PS_ERR_ARGUMENT, "stack: %d dimensions, at most %d", PS_DIMS_MAX + 1,
                          PS_DIMS_MAX);
    if (status == PS_OK)
        status = ps__axis("stack", call->args[1].as.integer, c.tensors[0]->ndim + 1, &c.axis);
    return status == PS_OK ? concatenate(&c) : status;
}
