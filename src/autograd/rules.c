/* Rules that are functions, by the names that rows state: "by NAME". */
#include "autograd/rule.h"
#include "autograd/rules.h"

#include "base/error.h"

#include <string.h>

static const ps__rule rules[] = {
#define RULE_WITH(name, args, y, from, with) {#name, {args, y}, from, with, ps__rule_##name},
#define RULE(name, args, y, from) RULE_WITH(name, args, y, from, -1)
#include "autograd/rules.def"
#undef RULE
#undef RULE_WITH
};

const ps__rule *ps__rule_find(const ps_op *op)
{
    const char *name = op->row.gradient;
    if (name == NULL || strncmp(name, "by ", 3) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strcmp(rules[i].name, name + 3) == 0)
            return &rules[i];
    return NULL;
}

/* Margins of x's own elements are taken at positions. */
static bool pads_by_taking(const ps__bound_call *call)
{
    const ps_arg *mode = &call->args[4];
    return call->op->row.call == ps__op_pad && mode->kind == PS_ARG_TEXT &&
           strcmp(mode->as.text, "constant") != 0;
}

bool ps__rule_by_parts(const ps__bound_call *call)
{
    bool composed = call->op->row.flags & PS_OP_COMPOSED;
    return (composed && ps__rule_find(call->op) == NULL) || pads_by_taking(call);
}

/* ---- fitting ----------------------------------------------------------------------------- */

static int64_t count_of(const ps__like *like)
{
    int64_t count = 1;
    for (int i = 0; i < like->ndim; i++)
        count *= like->shape[i];
    return count;
}

/* Whether the shape was broadcast to that of x. */
static bool was_broadcast(const ps_tensor *x, const ps__like *like)
{
    int more = x->ndim - like->ndim;
    for (int i = 0; more >= 0 && i < like->ndim; i++)
        if (like->shape[i] != 1 && like->shape[i] != ps__shape(x)[i + more])
            return false;
    return more >= 0;
}

/* Added up over the dimensions that x has and the shape has not, or has with length 1. */
static ps_tensor *add_up(ps__compose *c, ps_tensor *x, const ps__like *like)
{
    int64_t axes[PS_DIMS_MAX];
    unsigned count = 0;
    int more = x->ndim - like->ndim;
    for (int i = 0; i < x->ndim; i++)
        if (i < more || (like->shape[i - more] == 1 && ps__shape(x)[i] != 1))
            axes[count++] = i;
    if (count == 0)
        return x;
    return PS__MAKE(c, "sum", ps__arg_tensor(x), ps__arg_ints((int)count, axes), ps__arg_bool(true),
                    ps__arg_dtype((ps_dtype)x->dtype));
}

/* A complex gradient of a real operand: its real part. */
static ps_tensor *as_type(ps__compose *c, ps_tensor *x, ps_dtype dtype)
{
    bool complex = ps__dtype_kind_of((ps_dtype)x->dtype) == PS__KIND_COMPLEX;
    if (complex && ps__dtype_kind_of(dtype) != PS__KIND_COMPLEX)
        x = PS__MAKE(c, "real", ps__arg_tensor(x));
    return x != NULL ? ps__compose_cast(c, x, dtype) : NULL;
}

/* On the device of the operand. */
static ps_tensor *at_home(ps__compose *c, ps_tensor *x, const ps__home *home)
{
    ps_tensor *copy = NULL;
    if (ps__homes_meet(x->home, home))
        return x;
    c->status = ps__tensor_to_home(x, home, &copy);
    return ps__compose_own(c, copy);
}

ps_tensor *ps__flow_fit(ps__compose *c, ps_tensor *x, const ps__like *like)
{
    if (c->status != PS_OK)
        return NULL;
    if (was_broadcast(x, like))
        x = add_up(c, x, like);
    else if (x->count != count_of(like)) /* the same everywhere */
        x = PS__MAKE(c, "broadcast_to", ps__arg_tensor(x), ps__arg_ints(like->ndim, like->shape));
    if (x != NULL && !ps__shape_equal(x->ndim, ps__shape(x), like->ndim, like->shape))
        x = PS__MAKE(c, "reshape", ps__arg_tensor(x), ps__arg_ints(like->ndim, like->shape));
    x = x != NULL ? as_type(c, x, (ps_dtype)like->dtype) : NULL;
    return x != NULL ? at_home(c, x, like->home) : NULL;
}
