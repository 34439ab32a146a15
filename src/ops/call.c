/* ps_op_call: brings the arguments into the kinds that the signature states, and hands them on. */
#include "base/error.h"
#include "base/fpmode.h"
#include "base/sized.h"
#include "engine/origin.h"
#include "ops/calls.h"

#include <inttypes.h>
#include <string.h>

#define PUBLIC_FLAGS PS_CALL_CHECK_LATE

static const char *kind_text(ps_arg_kind kind)
{
    static const char *const texts[] = {
        [PS_ARG_NONE] = "nothing",          [PS_ARG_TENSOR] = "a tensor",
        [PS_ARG_SCALAR] = "a number",       [PS_ARG_BOOL] = "a bool",
        [PS_ARG_INT] = "an integer",        [PS_ARG_DOUBLE] = "a number",
        [PS_ARG_INTS] = "integers",         [PS_ARG_TENSORS] = "tensors",
        [PS_ARG_DTYPE] = "an element type", [PS_ARG_TEXT] = "a text",
        [PS_ARG_GENERATOR] = "a generator",
    };
    bool known = (unsigned)kind < sizeof texts / sizeof texts[0] && texts[kind] != NULL;
    return known ? texts[kind] : "no kind of argument";
}

static ps_status refuse(const ps_op *op, unsigned index, const ps_arg *arg)
{
    return ps__fail(PS_ERR_TYPE, "%s: argument %s must be %s, not %s", op->row.name,
                    op->args[index].name, kind_text(op->args[index].kind), kind_text(arg->kind));
}

bool ps__arg_number(const ps_arg *arg, ps_scalar *scalar)
{
    switch (arg->kind) {
    case PS_ARG_SCALAR:
        *scalar = arg->as.scalar;
        return (unsigned)scalar->tag <= PS_SCALAR_COMPLEX;
    case PS_ARG_BOOL:
        *scalar = (ps_scalar){PS_SCALAR_BOOL, {.b = arg->as.boolean}};
        return true;
    case PS_ARG_INT:
        *scalar = (ps_scalar){PS_SCALAR_INT64, {.i = arg->as.integer}};
        return true;
    case PS_ARG_DOUBLE:
        *scalar = (ps_scalar){PS_SCALAR_DOUBLE, {.d = arg->as.number}};
        return true;
    default:
        return false;
    }
}

static bool to_number(ps_scalar scalar, ps_arg_kind kind, ps_arg *to)
{
    if (kind == PS_ARG_BOOL) {
        to->as.boolean = scalar.tag == PS_SCALAR_BOOL ? scalar.as.b : scalar.as.i != 0;
        return scalar.tag <= PS_SCALAR_INT64;
    }
    if (kind == PS_ARG_INT) {
        to->as.integer = scalar.tag == PS_SCALAR_BOOL ? scalar.as.b : scalar.as.i;
        return scalar.tag <= PS_SCALAR_INT64;
    }
    to->as.number = scalar.tag == PS_SCALAR_DOUBLE   ? scalar.as.d
                    : scalar.tag == PS_SCALAR_INT64  ? (double)scalar.as.i
                    : scalar.tag == PS_SCALAR_UINT64 ? (double)scalar.as.u
                                                     : (double)scalar.as.b;
    return scalar.tag <= PS_SCALAR_DOUBLE;
}

static bool convert_number(const ps_arg *from, ps_arg_kind kind, bool tensor, ps_arg *to)
{
    ps_scalar scalar;
    if (!ps__arg_number(from, &scalar))
        return false;
    if (tensor || kind == PS_ARG_SCALAR) {
        *to = (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = scalar};
        return true;
    }
    to->kind = kind;
    return to_number(scalar, kind, to);
}

static bool has_count(ps_arg_kind kind)
{
    return kind == PS_ARG_INTS || kind == PS_ARG_TENSORS;
}

/* No more of anything: a count beyond it was never set. */
enum { COUNT_MOST = 1 << 20 };

static bool is_valid(const ps_arg *arg)
{
    switch (arg->kind) {
    case PS_ARG_TENSOR:
        return arg->as.tensor != NULL;
    case PS_ARG_TENSORS:
        for (unsigned i = 0; i < arg->count; i++)
            if (arg->as.tensors == NULL || arg->as.tensors[i] == NULL)
                return false;
        return true;
    case PS_ARG_INTS:
        return arg->count == 0 || arg->as.ints != NULL;
    case PS_ARG_TEXT:
        return arg->as.text != NULL;
    case PS_ARG_DTYPE:
        return ps__dtype_valid((int)arg->as.dtype);
    case PS_ARG_GENERATOR:
        return arg->as.generator != NULL;
    case PS_ARG_SCALAR:
        return (unsigned)arg->as.scalar.tag <= PS_SCALAR_COMPLEX;
    default:
        return true;
    }
}

/* Whether the text is one of those that the row lists. */
static ps_status check_choice(const ps_op *op, unsigned index, const char *text)
{
    const char *at = op->args[index].choices;
    size_t length = strlen(text);
    while (*at != '\0') {
        size_t next = strcspn(at, " ");
        if (next == length && memcmp(at, text, next) == 0)
            return PS_OK;
        at += next + (at[next] != '\0');
    }
    return ps__fail(PS_ERR_ARGUMENT, "%s: argument %s must be one of: %s; not \"%s\"", op->row.name,
                    op->args[index].name, op->args[index].choices, text);
}

static ps_status bind(ps__bound_call *bound, unsigned index, const ps_arg *given)
{
    const ps_op *op = bound->op;
    ps_arg *to = &bound->args[index];
    ps_arg_kind kind = op->args[index].kind;
    to->count = 0;
    if (PS_LIKELY(kind == PS_ARG_TENSOR && given->count == 0)) { /* nearly always */
        to->kind = PS_ARG_TENSOR;
        to->as.tensor = given->as.tensor;
        if (PS_LIKELY(given->kind == PS_ARG_TENSOR && given->as.tensor != NULL))
            return PS_OK;
        to->kind = PS_ARG_SCALAR;
        to->as.scalar = (ps_scalar){PS_SCALAR_DOUBLE, {.d = given->as.number}};
        bool scalar = op->args[index].scalar;
        if (PS_LIKELY(given->kind == PS_ARG_DOUBLE && scalar))
            return PS_OK;
        to->as.scalar = (ps_scalar){PS_SCALAR_INT64, {.i = given->as.integer}};
        if (PS_LIKELY(given->kind == PS_ARG_INT && scalar))
            return PS_OK;
    }
    if (PS_LIKELY(kind == PS_ARG_INTS && given->kind == PS_ARG_INTS &&
                  given->count <= PS_DIMS_MAX && given->as.ints != NULL)) {
        *to = *given;
        return PS_OK;
    }
    if (PS_LIKELY(kind == PS_ARG_DTYPE && given->kind == PS_ARG_DTYPE && given->count == 0 &&
                  ps__dtype_valid((int)given->as.dtype))) {
        to->kind = PS_ARG_DTYPE;
        to->as.dtype = given->as.dtype;
        return PS_OK;
    }
    if (PS_UNLIKELY(given->count != 0 && !has_count(given->kind)))
        return ps__fail(PS_ERR_ARGUMENT, "%s: argument %s is %s and has a count, %u", op->row.name,
                        op->args[index].name, kind_text(given->kind), (unsigned)given->count);
    if (given->kind == kind || (given->kind == PS_ARG_INT && kind == PS_ARG_INTS)) {
        *to = *given;
        if (given->kind != kind) /* one integer for several */
            *to = (ps_arg){.kind = PS_ARG_INTS, .count = 1, .as.ints = &given->as.integer};
        if (to->count > COUNT_MOST || !is_valid(to))
            return ps__fail(PS_ERR_ARGUMENT, "%s: argument %s is NULL or invalid", op->row.name,
                            op->args[index].name);
        return op->args[index].choices == NULL ? PS_OK : check_choice(op, index, to->as.text);
    }
    bool number = kind == PS_ARG_TENSOR ? op->args[index].scalar
                                        : kind >= PS_ARG_SCALAR && kind <= PS_ARG_DOUBLE;
    if (number && convert_number(given, kind, kind == PS_ARG_TENSOR, to))
        return PS_OK;
    return refuse(op, index, given);
}

/* Numbers have their default, the rest is PS_ARG_NONE. */
ps_arg ps__arg_omitted(const ps_op *op, unsigned index)
{
    const ps_op_arg_info *info = &op->args[index];
    const char *text = info->default_text;
    ps_arg arg = {.kind = PS_ARG_NONE};
    if (text == NULL)
        return arg;
    if (info->kind == PS_ARG_DTYPE) {
        if (op->defaults[index].as.i >= 0)
            arg = (ps_arg){.kind = PS_ARG_DTYPE, .as.dtype = (ps_dtype)op->defaults[index].as.i};
    } else if (info->kind == PS_ARG_BOOL) {
        arg = (ps_arg){.kind = PS_ARG_BOOL, .as.boolean = text[0] == 't'};
    } else if (info->kind >= PS_ARG_SCALAR && info->kind <= PS_ARG_DOUBLE && text[0] != 'n') {
        ps_arg number = {.kind = PS_ARG_SCALAR, .as.scalar = op->defaults[index]};
        (void)convert_number(&number, info->kind, false, &arg); /* our own text: it fits */
    } else if (ps__number_is_default(op, index)) {
        arg = (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = op->defaults[index]};
    }
    return arg;
}

static ps_status refuse_missing(const ps_op *op, unsigned index)
{
    return ps__fail(PS_ERR_ARGUMENT, "%s: argument %s is missing", op->row.name,
                    op->args[index].name);
}

static ps_status explain_bad_call(const ps_op *op, const ps_call *call)
{
    if (call->nargs > op->nargs)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %zu arguments given, it takes %d", op->row.name,
                        call->nargs, op->nargs);
    if (call->noutputs != (size_t)op->row.outputs)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %zu outputs given, it has %d", op->row.name,
                        call->noutputs, op->row.outputs);
    if (call->flags & ~(uint64_t)PUBLIC_FLAGS)
        return ps__fail(PS_ERR_ARGUMENT, "%s: call.flags has unknown bits: 0x%llx", op->row.name,
                        (unsigned long long)call->flags);
    return ps__fail(PS_ERR_ARGUMENT, "%s: call.%s is NULL but its count is not 0", op->row.name,
                    call->outputs == NULL ? "outputs" : "args");
}

static inline bool bad_call(const ps_op *op, const ps_call *call)
{
    return op == NULL || call == NULL || call->size != sizeof *call || call->nargs > op->nargs ||
           call->noutputs != (size_t)op->row.outputs || call->outputs == NULL ||
           (call->args == NULL && call->nargs != 0) || (call->flags & ~(uint64_t)PUBLIC_FLAGS);
}

/* A call of another size, or one that is wrong. */
static ps_status call_unusual(const ps_op *op, const ps_call *call)
{
    ps_call full;
    if (op == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_op_call: op is NULL");
    ps_status status = ps__sized_read("ps_op_call: call", &full, sizeof full, call,
                                      PS__SIZE_TO(ps_call, noutputs));
    if (status != PS_OK)
        return status;
    return bad_call(op, &full) ? explain_bad_call(op, &full) : ps_op_call(op, &full);
}

PS_HOT ps_status ps_op_call(const ps_op *op, const ps_call *call)
{
    if (PS_UNLIKELY(bad_call(op, call)))
        return call_unusual(op, call);
    ps_status status;
    ps__bound_call bound;
    bound.op = op;
    bound.call = call;
    for (unsigned i = 0; i < op->nargs; i++) {
        if (i >= call->nargs || call->args[i].kind == PS_ARG_NONE) {
            if (PS_UNLIKELY(op->args[i].required))
                return refuse_missing(op, i);
            bound.args[i] = op->omitted[i];
            continue;
        }
        status = bind(&bound, i, &call->args[i]);
        if (PS_UNLIKELY(status != PS_OK))
            return status;
    }
    /* Pairs with the release where it is set. */
    const ps__graph_table *graph = ps__load_acquire(&ps__graph_hooks);
    if (PS_UNLIKELY(graph != NULL) && ps__may_record() && graph->call(&bound, &status))
        return status;
    return ps__call_bound(&bound);
}

PS_HOT ps_status ps__call_bound(const ps__bound_call *bound)
{
    const ps_op *op = bound->op;
    uint64_t mode = ps__fpmode_enter(); /* numbers are rounded here too */
    ps_status status =
        op->row.call != NULL ? op->row.call(bound) : ps__elementwise(bound, &(ps__map_options){0});
    ps__fpmode_leave(mode);
    return status;
}

ps_status ps__call(const char *name, const ps_call *outer, const ps_arg *args, size_t nargs,
                   ps_tensor **out)
{
    return ps__call_several(name, outer, args, nargs, out, 1);
}

ps_status ps__call_several(const char *name, const ps_call *outer, const ps_arg *args, size_t nargs,
                           ps_tensor **out, size_t count)
{
    const ps_op *op;
    ps_status status = ps_op_find(name, &op);
    if (status != PS_OK)
        return status;
    ps_call call = {.size = sizeof call,
                    .args = args,
                    .nargs = nargs,
                    .outputs = out,
                    .noutputs = count,
                    .device = outer->device,
                    .location = outer->location,
                    .flags = outer->flags};
    return ps_op_call(op, &call);
}

ps_status ps__axes(const ps__bound_call *call, const ps_arg *arg, int ndim, uint32_t *set)
{
    *set = ndim == 32 ? UINT32_MAX : (1u << ndim) - 1;
    if (arg->kind == PS_ARG_NONE)
        return PS_OK;
    *set = 0;
    for (unsigned i = 0; i < arg->count; i++) {
        int axis;
        ps_status status = ps__axis(call->op->row.name, arg->as.ints[i], ndim, &axis);
        if (status != PS_OK)
            return status;
        if (*set >> axis & 1)
            return ps__fail(PS_ERR_ARGUMENT, "%s: axis %" PRId64 " is given twice",
                            call->op->row.name, ps__stated(axis));
        *set |= 1u << axis;
    }
    return PS_OK;
}

ps_status ps__flattened(const ps__bound_call *call, ps_tensor *x, ps_tensor **flat)
{
    ps_arg args[2] = {ps__arg_tensor(x),
                      {.kind = PS_ARG_INTS, .count = 1, .as.ints = (int64_t[]){x->count}}};
    *flat = NULL;
    return ps__call("reshape", call->call, args, 2, flat);
}
