/* Rows that are made of other rows: see compose.h. */
#include "ops/compose.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

void ps__compose_begin(ps__compose *c, const ps__bound_call *call)
{
    c->call = call;
    c->on = *call->call;
    c->count = 0;
    c->status = ps__common_home(call, &c->home);
    if (c->status == PS_OK)
        c->on.device = c->home->device;
}

ps_status ps__compose_end(ps__compose *c)
{
    while (c->count > 0)
        ps_tensor_release(c->made[--c->count]);
    return c->status;
}

ps_tensor *ps__compose_tensor(ps__compose *c, unsigned index)
{
    return c->status == PS_OK ? c->call->args[index].as.tensor : NULL;
}

bool ps__compose_result_at(ps__compose *c, unsigned index, ps_dtype dtype, int ndim,
                           const int64_t *shape)
{
    if (c->status == PS_OK && c->call->call->outputs[index] != NULL)
        c->status = ps__output_check(c->call, index, c->home, dtype, ndim, shape);
    return c->status == PS_OK;
}

bool ps__compose_result(ps__compose *c, ps_dtype dtype, int ndim, const int64_t *shape)
{
    return ps__compose_result_at(c, 0, dtype, ndim, shape);
}

/* ---- calls ------------------------------------------------------------------------------- */

/* The text behind the name of a row that it begins with. */
static const char *without_name(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && strncmp(text + length, ": ", 2) == 0 ? text + length + 2 : text;
}

/* What was refused, in the name of the composition; other failures are those of a task. */
static ps_status in_own_name(const ps__compose *c, ps_status status)
{
    if (status != PS_ERR_ARGUMENT && status != PS_ERR_TYPE)
        return status;
    return ps__fail(status, "%s: %s", c->call->op->row.name, without_name(ps_last_error()));
}

static void call_row(ps__compose *c, const char *name, unsigned nargs, const ps_arg *args,
                     ps_tensor **out, unsigned count)
{
    if (c->status != PS_OK)
        return;
    ps_status status = ps__call_several(name, &c->on, args, nargs, out, count);
    if (PS_UNLIKELY(status != PS_OK))
        c->status = in_own_name(c, status);
}

ps_tensor *ps__compose_keep(ps__compose *c, ps_tensor *tensor)
{
    if (tensor != NULL)
        c->made[c->count++] = tensor;
    return tensor;
}

void ps__compose_return(ps__compose *c, unsigned count)
{
    while (c->count > count)
        ps_tensor_release(c->made[--c->count]);
}

static bool has_room_for(ps__compose *c, unsigned count)
{
    if (c->status == PS_OK && c->count + count > PS__COMPOSE_ROOM)
        c->status = ps__fail(PS_ERR_STATE, "%s: more than %d temporaries", c->call->op->row.name,
                             PS__COMPOSE_ROOM);
    return c->status == PS_OK;
}

static bool has_room(ps__compose *c)
{
    return has_room_for(c, 1);
}

ps_tensor *ps__compose_make(ps__compose *c, const char *name, unsigned nargs, const ps_arg *args)
{
    ps_tensor *made = NULL;
    if (has_room(c))
        call_row(c, name, nargs, args, &made, 1);
    return ps__compose_keep(c, made);
}

void ps__compose_several(ps__compose *c, const char *name, unsigned nargs, const ps_arg *args,
                         unsigned count, ps_tensor **made)
{
    for (unsigned i = 0; i < count; i++)
        made[i] = NULL;
    if (has_room_for(c, count))
        call_row(c, name, nargs, args, made, count);
    for (unsigned i = 0; i < count; i++)
        (void)ps__compose_keep(c, made[i]);
}

ps_tensor *ps__compose_own(ps__compose *c, ps_tensor *tensor)
{
    if (tensor == NULL || !has_room(c)) {
        ps_tensor_release(tensor);
        return NULL;
    }
    return ps__compose_keep(c, tensor);
}

void ps__compose_into(ps__compose *c, const char *name, unsigned nargs, const ps_arg *args,
                      ps_tensor *out)
{
    call_row(c, name, nargs, args, &out, 1);
}

void ps__compose_give(ps__compose *c, const char *name, unsigned nargs, const ps_arg *args)
{
    call_row(c, name, nargs, args, c->call->call->outputs, 1);
}

void ps__compose_hand(ps__compose *c, ps_tensor *made)
{
    ps_tensor **out = c->call->call->outputs;
    if (c->status != PS_OK || *out != NULL) {
        PS__GIVE(c, "assign", ps__arg_tensor(made));
        return;
    }
    c->status = ps_tensor_retain(made);
    if (c->status == PS_OK)
        *out = made;
}

void ps__compose_hand_all(ps__compose *c, ps_tensor *const *made)
{
    ps_tensor **out = c->call->call->outputs;
    size_t count = c->call->call->noutputs, handed = 0;
    uint32_t given = 0;
    for (; handed < count && c->status == PS_OK; handed++) {
        given |= (uint32_t)(out[handed] != NULL) << handed;
        if (given >> handed & 1)
            call_row(c, "assign", PS__ARG_LIST(ps__arg_tensor(made[handed])), &out[handed], 1);
        else if ((c->status = ps_tensor_retain(made[handed])) == PS_OK)
            out[handed] = made[handed];
    }
    for (size_t i = 0; i < handed && c->status != PS_OK; i++)
        if (!(given >> i & 1)) {
            ps_tensor_release(out[i]);
            out[i] = NULL;
        }
}

void ps__compose_drop(ps__compose *c, ps_tensor *tensor)
{
    for (unsigned i = 0; i < c->count; i++)
        if (c->made[i] == tensor) {
            c->made[i] = c->made[--c->count];
            ps_tensor_release(tensor);
            return;
        }
}

/* ---- short ways -------------------------------------------------------------------------- */

ps_tensor *ps__compose_narrow(ps__compose *c, ps_tensor *x, int axis, int64_t first, int64_t length)
{
    ps_tensor *view = NULL;
    ps__layout to;
    if (!has_room(c))
        return NULL;
    ps__layout_narrow(x, axis, first, length, &to);
    c->status = ps__view(x, (ps_dtype)x->dtype, &to, &view);
    return ps__compose_keep(c, view);
}

ps_tensor *ps__compose_at(ps__compose *c, ps_tensor *x, int axis, int64_t at)
{
    ps_tensor *view = NULL;
    ps__layout to;
    if (!has_room(c))
        return NULL;
    ps__layout_narrow(x, axis, at, 1, &to);
    to.ndim--;
    for (int i = axis; i < to.ndim; i++) {
        to.shape[i] = to.shape[i + 1];
        to.strides[i] = to.strides[i + 1];
    }
    c->status = ps__view(x, (ps_dtype)x->dtype, &to, &view);
    return ps__compose_keep(c, view);
}

ps_tensor *ps__compose_cast(ps__compose *c, ps_tensor *x, ps_dtype dtype)
{
    if (c->status != PS_OK || x->dtype == (uint8_t)dtype)
        return x;
    return PS__MAKE(c, "cast", ps__arg_tensor(x), ps__arg_dtype(dtype));
}

ps_tensor *ps__compose_packed(ps__compose *c, ps_tensor *x)
{
    if (c->status != PS_OK || x->contiguous)
        return c->status == PS_OK ? x : NULL;
    return PS__MAKE(c, "copy", ps__arg_tensor(x));
}

bool ps__compose_line(ps__compose *c, const char *what, const ps_tensor *line, int64_t length)
{
    if (c->status == PS_OK && line != NULL && (line->ndim != 1 || line->count != length))
        c->status = ps__fail(PS_ERR_ARGUMENT, "%s: %s of shape %s for %" PRId64 " elements",
                             c->call->op->row.name, what,
                             ps__shape_text(line->ndim, ps__shape(line)), length);
    return c->status == PS_OK;
}

bool ps__compose_type(ps__compose *c, unsigned count, ps_tensor *const *tensors, ps_dtype *dtype)
{
    ps__operand_type types[PS__ARGS];
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++)
        if (tensors[i] != NULL) /* after a failure all are NULL */
            types[n++] = (ps__operand_type){.type = tensors[i]->dtype};
    if (c->status == PS_OK)
        c->status = ps__common_type(c->call->op, types, n, dtype);
    return c->status == PS_OK;
}

bool ps__compose_broadcast(ps__compose *c, const ps_tensor *x1, const ps_tensor *x2, int *ndim,
                           int64_t *shape)
{
    *ndim = 0;
    if (c->status == PS_OK && (!ps__shape_broadcast(ndim, shape, x1->ndim, ps__shape(x1)) ||
                               !ps__shape_broadcast(ndim, shape, x2->ndim, ps__shape(x2))))
        c->status = ps__fail(PS_ERR_ARGUMENT, "%s: shapes %s and %s cannot be broadcast together",
                             c->call->op->row.name, ps__shape_text(x1->ndim, ps__shape(x1)),
                             ps__shape_text(x2->ndim, ps__shape(x2)));
    return c->status == PS_OK;
}

/* Not in line: the shape takes stack that what follows needs. */
__attribute__((noinline)) bool ps__compose_reduced(ps__compose *c, const ps_tensor *x,
                                                   const ps_arg *axis, bool keepdims, bool some,
                                                   ps_dtype dtype)
{
    uint32_t axes;
    int ndim = 0;
    int64_t shape[PS_DIMS_MAX], length = 1;
    if (c->status == PS_OK)
        c->status = ps__axes(c->call, axis, x->ndim, &axes);
    if (c->status != PS_OK)
        return false;
    for (int i = 0; i < x->ndim; i++) {
        bool goes = axes >> i & 1;
        if (goes)
            length *= ps__shape(x)[i];
        if (!goes || keepdims)
            shape[ndim++] = goes ? 1 : ps__shape(x)[i];
    }
    if (some && length == 0)
        c->status = ps__fail(PS_ERR_ARGUMENT, "%s: no elements along the axes of shape %s",
                             c->call->op->row.name, ps__shape_text(x->ndim, ps__shape(x)));
    return ps__compose_result(c, dtype, ndim, shape);
}
