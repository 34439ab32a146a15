/* Rules of rows whose gradient is an expression.
 *
 * The expression is an elementwise operation (ops/gradient.h), so a node is one call of that, with an
 * output for each operand; of small tensors a call for each operand, since what has one output can be
 * done at the call. What flows unchanged is handed on. Where the walk itself is recorded its steps are
 * called as rows, one by one, which have gradients in turn. */
#include "autograd/rule.h"

#include "base/error.h"
#include "ops/gradient.h"

#include <string.h>

ps_status ps__expression_needs(const ps_op *op, uint32_t wanted, ps__needs *needs)
{
    const ps_op *gradient;
    *needs = (ps__needs){0, 0};
    ps_status status = ps__gradient_op(op, wanted, &gradient);
    if (status == PS_OK && gradient != NULL)
        *needs = (ps__needs){gradient->names & ((1u << op->nargs) - 1),
                             gradient->names >> op->nargs & 1}; /* y comes next */
    return status;
}

/* There is one: `tie`. */
static ps_arg parameter_of(const ps__flow *f)
{
    return f->node->r.policy & PS_GRAD_TIES_FIRST ? ps__arg_int(1) : (ps_arg){.kind = PS_ARG_NONE};
}

/* An argument, or behind the last the result, that was not saved itself: by the node's recipe. */
static ps_tensor *make_again(ps__flow *f, unsigned index)
{
    ps__op_node *node = f->node;
    ps__edge self = {&node->r.head, 0};
    ps_tensor *made = NULL;
    if (f->c.status != PS_OK)
        return NULL;
    if (index == node->op->nargs)
        f->c.status = ps__remake(f->remade, node->recipe, f->call.location, &made);
    else
        f->c.status = ps__remake_operand(f->remade, node->recipe, index, f->call.location, &made);
    made = ps__compose_own(&f->c, made);
    return ps__flow_recall(f, made,
                           index == node->op->nargs ? &self : &node->r.edges[f->edge[index]]);
}

/* Of a tensor, if the gradient mentions it; else 0 stands for it. */
static ps_arg argument(ps__flow *f, const ps_op *gradient, unsigned index, ps_tensor *saved)
{
    if (saved == NULL && f->node->recipe != NULL && gradient->names >> index & 1)
        saved = make_again(f, index);
    return saved != NULL ? ps__arg_tensor(saved) : ps__arg_int(0);
}

/* The arguments of the gradient's operation. */
static unsigned fill_arguments(ps__flow *f, const ps_op *gradient, ps_arg *args)
{
    unsigned n = f->node->op->nargs;
    for (unsigned i = 0; i < n; i++) {
        args[i] = f->bound.args[i];
        if (args[i].kind == PS_ARG_TENSOR)
            args[i] = argument(f, gradient, i, args[i].as.tensor);
    }
    args[n] = argument(f, gradient, n, f->y);
    args[++n] = ps__arg_tensor(f->dy);
    n++;
    while (n < gradient->nargs)
        args[n++] = parameter_of(f);
    return n;
}

/* ---- as one operation -------------------------------------------------------------------- */

static void call_whole(ps__flow *f, const ps_op *gradient, const ps_arg *args, unsigned n,
                       ps_tensor **outputs)
{
    ps_call call = f->c.on;
    call.args = args;
    call.nargs = n;
    call.outputs = outputs;
    call.noutputs = (size_t)gradient->row.outputs;
    f->c.status = ps_op_call(gradient, &call);
}

/* ---- step by step ------------------------------------------------------------------------ */

static ps_status plan_of(const ps_op *gradient, const ps_arg *args, const ps__plan **plan)
{
    ps__operand_type types[PS__ARGS];
    for (unsigned i = 0; i < gradient->nargs; i++) {
        ps_scalar scalar = gradient->defaults[i];
        bool tensor = args[i].kind == PS_ARG_TENSOR;
        if (!tensor && args[i].kind != PS_ARG_NONE)
            (void)ps__arg_number(&args[i], &scalar);
        types[i] = (ps__operand_type){!tensor, (uint8_t)(tensor ? (int)args[i].as.tensor->dtype
                                                                : (int)scalar.tag)};
    }
    return ps__plan_get(gradient, types, -1, plan);
}

static ps_arg literal_of(const ps__program *p, unsigned index)
{
    ps_dtype dtype = (ps_dtype)p->types[p->inputs + index];
    return (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = ps__scalar_load(dtype, &p->literal[index])};
}

/* A number as a tensor without dimensions, of the type that the program has it in. */
static ps_arg number_of(ps__flow *f, const ps__program *p, unsigned value, ps_arg number)
{
    return PS__MADE(&f->c, "cast", number, ps__arg_dtype((ps_dtype)p->types[value]));
}

/* Whether no tensor has a say in the type of the result: numbers, and perhaps a condition. */
static bool only_numbers(const ps__program *p, const ps__instruction *i, const ps_arg *args)
{
    for (unsigned k = 0; k < i->arity; k++)
        if (args[k].kind == PS_ARG_TENSOR && p->types[i->args[k]] != PS_BOOL)
            return false;
    return args[i->arity - 1].kind != PS_ARG_TENSOR;
}

/* What a step makes, retained. One whose operands are all numbers makes a tensor without dimensions. */
static ps_tensor *step(ps__flow *f, const ps__program *p, const ps__instruction *i,
                       const ps_arg *values)
{
    ps_arg args[3] = {values[i->args[0]], values[i->args[1]], values[i->args[2]]};
    const char *name = i->prim == PS__CAST ? "cast" : ps__prims[i->prim].name;
    unsigned count = i->arity, last = count - 1;
    ps_tensor *made = NULL;
    if (i->prim == PS__CAST)
        args[count++] = ps__arg_dtype((ps_dtype)i->result);
    else if (only_numbers(p, i, args))
        args[last] = number_of(f, p, i->args[last], args[last]);
    if (f->c.status == PS_OK)
        f->c.status = ps__call(name, &f->c.on, args, count, &made);
    return made;
}

static void call_steps(ps__flow *f, const ps_op *gradient, const ps_arg *args, ps_tensor **outputs)
{
    const ps__plan *plan;
    ps_arg values[PS__VALUES];
    ps_tensor *made[PS__INSTRUCTIONS];
    unsigned count = 0;
    f->c.status = plan_of(gradient, args, &plan);
    if (f->c.status != PS_OK)
        return;
    const ps__program *p = &plan->program;
    memset(values, 0, sizeof values);
    for (unsigned i = 0; i < p->inputs; i++)
        values[i] = args[i].kind == PS_ARG_NONE
                        ? (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = gradient->defaults[i]}
                        : args[i];
    for (unsigned i = 0; i < p->literals; i++)
        values[p->inputs + i] = literal_of(p, i);
    for (unsigned i = 0; i < p->instructions && f->c.status == PS_OK; i++) {
        made[i] = step(f, p, &p->instruction[i], values);
        values[ps__program_value(p, i)] = ps__arg_tensor(made[i]);
        count += made[i] != NULL;
    }
    for (unsigned i = 0; i < p->stores && f->c.status == PS_OK; i++) {
        ps_arg *value = &values[p->store[i].value];
        if (value->kind != PS_ARG_TENSOR)
            *value = number_of(f, p, p->store[i].value, *value);
        outputs[i] = value->as.tensor;
        if (outputs[i] != NULL)
            f->c.status = ps_tensor_retain(outputs[i]);
    }
    while (count > 0)
        ps_tensor_release(made[--count]);
}

/* ---- flowing ----------------------------------------------------------------------------- */

static void call_gradient(ps__flow *f, const ps_op *gradient, const ps_arg *args, unsigned n,
                          ps_tensor **outputs)
{
    if (f->create)
        call_steps(f, gradient, args, outputs);
    else
        call_whole(f, gradient, args, n, outputs);
}

ps_tensor *ps__expression_back(ps__flow *f, const char *row)
{
    const ps_op *op, *gradient = NULL;
    ps_arg args[] = {ps__arg_int(0), ps__arg_tensor(f->y), ps__arg_tensor(f->dy)};
    ps_tensor *made = NULL;
    if (f->c.status == PS_OK)
        f->c.status = ps_op_find(row, &op);
    if (f->c.status == PS_OK)
        f->c.status = ps__gradient_op(op, 1, &gradient);
    if (f->c.status == PS_OK)
        call_gradient(f, gradient, args, sizeof args / sizeof args[0], &made);
    return ps__compose_own(&f->c, made);
}

/* To the arguments of a set. */
static void flow_together(ps__flow *f, uint32_t set)
{
    const ps_op *gradient;
    ps_arg args[PS__ARGS];
    ps_tensor *outputs[PS__MAP_OUTPUTS] = {NULL};
    f->c.status = ps__gradient_op(f->node->op, set, &gradient);
    if (f->c.status != PS_OK)
        return;
    unsigned n = fill_arguments(f, gradient, args);
    if (f->c.status == PS_OK)
        call_gradient(f, gradient, args, n, outputs);
    for (unsigned i = 0, at = 0; i < f->node->op->nargs; i++)
        if (gradient->flows >> i & 1) {
            ps_tensor *made = ps__compose_own(&f->c, outputs[at++]);
            if (set >> i & 1)
                ps__flow_give(f, i, made);
        }
}

void ps__expression_flow(ps__flow *f)
{
    const ps_op *gradient;
    uint32_t wanted = 0;
    for (unsigned i = 0; i < f->node->op->nargs; i++)
        wanted |= (uint32_t)ps__flow_wants(f, i) << i;
    f->c.status = ps__gradient_op(f->node->op, wanted, &gradient);
    if (f->c.status != PS_OK || gradient == NULL)
        return;
    uint32_t rest = wanted & gradient->flows & ~gradient->passes;
    for (unsigned i = 0; i < f->node->op->nargs; i++)
        if (wanted & gradient->passes & 1u << i)
            ps__flow_give(f, i, f->dy);
    bool small = f->dy->count < PS__FUSE_LEAST;
    while (rest != 0 && f->c.status == PS_OK) {
        uint32_t set = small ? rest & -rest : rest;
        flow_together(f, set);
        rest &= ~set;
    }
}
