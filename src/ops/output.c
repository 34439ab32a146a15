/* Outputs of calls: see output.h. */
#include "ops/output.h"

#include "base/error.h"
#include "ops/calls.h"

/* ---- tensors of a call -------------------------------------------------------------------- */

/* What the argument holds: none, one tensor or a list of them. */
static inline unsigned tensors_of(const ps_arg *arg, ps_tensor *const **tensors)
{
    bool list = arg->kind == PS_ARG_TENSORS;
    *tensors = list ? arg->as.tensors : &arg->as.tensor;
    return list ? arg->count : arg->kind == PS_ARG_TENSOR;
}

ps_status ps__new_home(const ps__bound_call *call, const ps__home **home)
{
    const ps_tensor *out = call->call->outputs[0];
    if (PS_LIKELY(out == NULL))
        return ps__home_of_new(call->call->device, home);
    *home = out->home;
    return PS_OK;
}

ps_status ps__common_home(const ps__bound_call *call, const ps__home **home)
{
    const ps_tensor *first = NULL;
    ps_tensor *const *tensors;
    for (unsigned a = 0; a < call->op->nargs; a++)
        for (unsigned i = 0, count = tensors_of(&call->args[a], &tensors); i < count; i++) {
            if (first == NULL)
                first = tensors[i];
            if (!ps__homes_meet(tensors[i]->home, first->home))
                return ps__fail(PS_ERR_ARGUMENT, "%s: operands on devices %s and %s",
                                call->op->row.name, first->home->device->name,
                                tensors[i]->home->device->name);
        }
    if (first == NULL)
        return ps__new_home(call, home);
    *home = first->home;
    return PS_OK;
}

/* ---- checks ------------------------------------------------------------------------------- */

bool ps__output_repeats(const ps_tensor *out)
{
    for (int i = 0; i < out->ndim; i++)
        if (ps__shape(out)[i] > 1 && ps__strides(out)[i] == 0)
            return true;
    return false;
}

ps_status ps__output_type(const ps__bound_call *call, ps_dtype from, ps_dtype to)
{
    if (ps__dtype_kind_of(to) >= ps__dtype_kind_of(from) ||
        (ps__dtype_is_integer(from) && ps__dtype_is_integer(to)))
        return PS_OK;
    return ps__fail(PS_ERR_TYPE, "%s: a result of %s cannot be written into %s", call->op->row.name,
                    ps__dtypes[from].name, ps__dtypes[to].name);
}

ps_dtype ps__output_decides(const ps__bound_call *call, unsigned at, ps_dtype otherwise)
{
    const ps_call *given = call->call;
    bool chosen = at < given->nargs && given->args[at].kind != PS_ARG_NONE;
    return chosen || given->outputs[0] == NULL ? otherwise : (ps_dtype)given->outputs[0]->dtype;
}

ps_status ps__output_none(const ps__bound_call *call)
{
    if (call->call->outputs[0] == NULL)
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "%s gives a view and takes no output; use assign to write one",
                    call->op->row.name);
}

bool ps__output_overlaps(const ps_tensor *a, const ps_tensor *b)
{
    if (a->storage != b->storage)
        return false;
    int64_t a_first, a_end, b_first, b_end;
    ps__tensor_extent(a, &a_first, &a_end);
    ps__tensor_extent(b, &b_first, &b_end);
    return a_first < b_end && b_first < a_end;
}

static ps_status check_others(const ps__bound_call *call, unsigned index, const ps_tensor *out)
{
    for (size_t i = 0; i < index; i++)
        if (call->call->outputs[i] != NULL && ps__output_overlaps(call->call->outputs[i], out))
            return ps__fail(PS_ERR_ARGUMENT, "%s: outputs %zu and %u share elements",
                            call->op->row.name, i, index);
    return PS_OK;
}

ps_status ps__output_check(const ps__bound_call *call, unsigned index, const ps__home *home,
                           ps_dtype dtype, int ndim, const int64_t *shape)
{
    const ps_tensor *out = call->call->outputs[index];
    const char *name = call->op->row.name;
    if (!ps__homes_meet(out->home, home))
        return ps__fail(PS_ERR_ARGUMENT, "%s: the output is on device %s, the operands on %s", name,
                        out->home->device->name, home->device->name);
    if (!ps__shape_equal(out->ndim, ps__shape(out), ndim, shape))
        return ps__fail(PS_ERR_ARGUMENT, "%s: the output has shape %s, the result %s", name,
                        ps__shape_text(out->ndim, ps__shape(out)), ps__shape_text(ndim, shape));
    if (!out->contiguous && ps__output_repeats(out))
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: the output, of shape %s and strides %s, has elements that repeat",
                        name, ps__shape_text(ndim, shape), ps__shape_text(ndim, ps__strides(out)));
    ps_status status = PS_OK;
    if (out->dtype != (uint8_t)dtype)
        status = ps__output_type(call, dtype, (ps_dtype)out->dtype);
    return status == PS_OK && index != 0 ? check_others(call, index, out) : status;
}

/* ---- where to write ----------------------------------------------------------------------- */

/* How `out` may be written beside argument `arg`, of its own storage. False: not straight away. */
static bool use_beside(const ps_tensor *out, const ps_tensor *input, unsigned arg,
                       unsigned abilities, ps__output *output)
{
    if ((abilities & PS__OUT_IN_PLACE) && ps__tensor_same_view(out, input)) {
        output->use = out->whole ? PS__UPDATE : PS__PART;
        output->same |= 1u << arg;
        return true;
    }
    output->use = PS__PART; /* it is not all of the storage: there is something beside it to read */
    return !ps__output_overlaps(out, input);
}

/* How `out` may be written straight away beside all that is read. False: not at all. */
static bool find_use(const ps__bound_call *call, const ps_tensor *out, unsigned abilities,
                     ps__output *output)
{
    ps_tensor *const *tensors;
    output->use = out->whole ? PS__WHOLE : PS__PART;
    output->same = 0;
    for (unsigned a = 0; a < call->op->nargs; a++) {
        if (call->args[a].kind == PS_ARG_SCALAR || call->args[a].kind == PS_ARG_NONE)
            continue;
        for (unsigned i = 0, count = tensors_of(&call->args[a], &tensors); i < count; i++)
            if (PS_UNLIKELY(tensors[i]->storage == out->storage) &&
                !use_beside(out, tensors[i], a, abilities, output))
                return false;
    }
    return true;
}

/* Nothing to say against it, as far as one output alone can tell. */
static inline bool just_right(const ps_tensor *out, const ps__home *home, ps_dtype dtype, int ndim,
                              const int64_t *shape)
{
    return out->home == home && out->dtype == (uint8_t)dtype && out->contiguous &&
           ps__shape_equal(out->ndim, ps__shape(out), ndim, shape);
}

ps_status ps__output_given(const ps__bound_call *call, unsigned index, const ps__home *home,
                           ps_dtype dtype, int ndim, const int64_t *shape, unsigned abilities,
                           ps__output *output)
{
    ps_tensor *out = call->call->outputs[index];
    if (PS_UNLIKELY(!just_right(out, home, dtype, ndim, shape) || index != 0)) {
        ps_status status = ps__output_check(call, index, home, dtype, ndim, shape);
        if (status != PS_OK)
            return status;
    }
    output->tensor = out;
    output->given = NULL;
    output->slot = NULL;
    if (PS_LIKELY(out->dtype == (uint8_t)dtype) &&
        (out->contiguous || (abilities & PS__OUT_STRIDED)) &&
        find_use(call, out, abilities, output))
        return PS_OK;
    output->given = out;
    output->use = PS__NEW;
    output->same = 0;
    return ps__tensor_create(out->home, dtype, ndim, shape, &output->tensor);
}

void ps__output_adopt(const ps__bound_call *call, unsigned index, ps_tensor *tensor,
                      ps__output *output)
{
    *output = (ps__output){.tensor = tensor, .slot = &call->call->outputs[index], .use = PS__PART};
}

ps_status ps__output_settle(const ps__bound_call *call, ps__output *output, ps_status status)
{
    ps_arg value = ps__arg_tensor(output->tensor);
    if (status == PS_OK)
        status = ps__assign(call, output->given, &value);
    ps_tensor_release(output->tensor);
    return status;
}

/* What is made is handed out when all that is given has what belongs there. */
ps_status ps__outputs_end(const ps__bound_call *call, ps__output *outputs, unsigned count,
                          ps_status status)
{
    for (unsigned i = 0; i < count; i++)
        if (outputs[i].given != NULL)
            status = ps__output_settle(call, &outputs[i], status);
    for (unsigned i = 0; i < count; i++)
        if (outputs[i].slot != NULL)
            status = ps__output_end(call, &outputs[i], status);
    return status;
}

/* ---- operations made of others ------------------------------------------------------------ */

ps_status ps__output_apart(const ps__bound_call *call)
{
    ps_tensor *temporary = NULL, *out = call->call->outputs[0];
    ps_call inner = *call->call;
    inner.outputs = &temporary;
    ps__bound_call again = *call;
    again.call = &inner;
    ps_status status = call->op->row.call(&again);
    if (status != PS_OK)
        return status;
    status = ps__output_check(call, 0, temporary->home, (ps_dtype)temporary->dtype, temporary->ndim,
                              ps__shape(temporary));
    if (status == PS_OK) {
        ps_arg value = ps__arg_tensor(temporary);
        status = ps__assign(call, out, &value);
    }
    ps_tensor_release(temporary);
    return status;
}
