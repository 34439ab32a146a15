/* Walks: gradients from heads back to leaves.
 *
 * A walk runs on the thread that asks for it and only queues operations. Nodes are taken by falling
 * serial: a node's serial is above those of all that it has edges to, so when its turn comes all that
 * flows to it has arrived. Contributions are added up in that order, and for one node in the order of
 * its operands: the bits depend on nothing else. What a walk knows of a node is in a table of its own,
 * so several may walk one graph; only dropping the saves is claimed by one. It has references to all
 * that it uses, so functions and hooks of the program, which run in it, may do anything. */
#include "autograd/counts.h"
#include "autograd/custom.h"
#include "autograd/hook.h"
#include "autograd/leaf.h"
#include "autograd/rule.h"
#include "autograd/view.h"
#include "autograd/visits.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "base/twofold.h"
#include "ops/gradient.h"

#include <inttypes.h>
#include <string.h>

typedef struct asked {
    ps__edge edge; /* a reference */
    ps_tensor **result;
} asked;

/* The location of work for the gradient of an operation, as it was found last. */
typedef struct known_line {
    const char *of; /* NULL: none was asked for */
    uint64_t forward, location;
} known_line;

enum { LINES = 32 };

typedef struct walk {
    ps__visits visits;
    const asked *asked; /* of ps_grad: what stops here; else NULL: all leaves get theirs */
    size_t nasked;
    bool retain, create, scalars;
    ps__remade remade;
    uint64_t location;
    known_line lines[LINES]; /* by `forward` and `of` */
    ps_status status;
} walk;

/* Stands for a row where a walk calls others by itself. */
static const ps_op walking = {.row = {.name = "backward"}};

/* The visit of a node; NULL after a failure. */
static ps__visit *visit_of(walk *w, ps__node *node)
{
    ps__visit *v = w->status == PS_OK ? ps__visits_add(&w->visits, node) : NULL;
    if (v == NULL && w->status == PS_OK)
        w->status = PS_ERR_MEMORY;
    return v;
}

/* ---- sums -------------------------------------------------------------------------------- */

/* Where work for the gradient of an operation was queued: by two lines. */
static uint64_t line_of(walk *w, uint64_t forward, const char *of)
{
    uint64_t mixed = (forward ^ (uintptr_t)of >> 3) * UINT64_C(0x9E3779B97F4A7C15);
    known_line *known = &w->lines[mixed >> 59];
    if (known->of == of && known->forward == forward)
        return known->location;
    ps__twofold lines;
    (void)ps__twofold_lines(forward, &lines); /* it may be the work of another walk */
    lines.backward = w->location;
    lines.of = of;
    *known = (known_line){of, forward, ps__twofold_location(&lines)};
    return known->location;
}

/* The same for a node; a leaf has only the line of the walk. */
static uint64_t line_of_node(walk *w, const ps__recorded *node)
{
    switch (node->kind) {
    case PS__NODE_LEAF:
        return w->location;
    case PS__NODE_OP:
        return line_of(w, node->location, ((const ps__op_node *)node)->op->row.name);
    case PS__NODE_CUSTOM:
        return line_of(w, node->location, "a function of the program");
    case PS__NODE_VIEW:
        return line_of(w, node->location, "a view");
    default:
        return line_of(w, node->location, "a write in place");
    }
}

/* A failure of a node's turn gets the lines; that of a task has them. */
static void name_lines(uint64_t location)
{
    ps_error_info told = {.size = offsetof(ps_error_info, kind)};
    if (ps_last_error_info(&told) != PS_OK || told.operation != NULL)
        return;
    told.operation = "backward";
    told.location = location;
    (void)ps__fail_info(&told);
}

/* The calls that a walk makes by itself, for a node. */
static void turn_begin(ps__compose *c, ps__bound_call *bound, ps_call *call, const ps_op *op,
                       const ps_tensor *like, uint64_t location)
{
    *call = (ps_call){.size = sizeof *call, .device = like->home->device, .location = location};
    bound->op = op;
    bound->call = call;
    c->call = bound; /* one by one: the whole is large, and this is done for every node */
    c->on = *call;
    c->home = like->home;
    c->count = 0;
    c->status = PS_OK;
}

static void add_to_sum(walk *w, ps__compose *c, const ps__edge *edge, ps_tensor *gradient)
{
    ps__visit *v = visit_of(w, edge->node);
    ps__like like = ps__output_like(edge->node, edge->output);
    gradient = ps__flow_fit(c, gradient, &like);
    if (v == NULL || gradient == NULL)
        return;
    ps_tensor **sum = &v->sums[edge->output];
    if (*sum != NULL)
        gradient = PS__MAKE(c, "add", ps__arg_tensor(*sum), ps__arg_tensor(gradient));
    if (gradient == NULL)
        return;
    ps_tensor_release(*sum);
    *sum = gradient;
    c->status = ps_tensor_retain(gradient);
}

/* Adds what flows along an edge, which is on the device of the operand. What that needs on the way
 * lasts no longer: a node may have more edges than a composition has room. */
static void contribute(walk *w, ps__compose *c, const ps__edge *edge, ps_tensor *gradient)
{
    unsigned count = c->count;
    add_to_sum(w, c, edge, gradient);
    ps__compose_return(c, count);
}

/* ---- nodes ------------------------------------------------------------------------------- */

static bool leads(const walk *w, ps__node *node)
{
    if (w->asked == NULL)
        return true;
    const ps__visit *v = node != NULL ? ps__visits_find(&w->visits, node) : NULL;
    return v != NULL && v->leads;
}

static ps_status claim(walk *w, ps__op_node *node)
{
    bool there = !node->saves || ps__saves_enter(&node->users, w->retain);
    return there ? PS_OK : ps__saves_gone(node->op->row.name);
}

/* A saved value, argument `index` or behind them an output, must be what it was. */
static void check_version(ps__flow *f, unsigned index, const ps_tensor *saved)
{
    const ps__op_node *node = f->node;
    if (PS_LIKELY(node->versions == NULL) || f->c.status != PS_OK)
        return;
    uint64_t now = ps_tensor_version(saved), then = node->versions[index];
    if (now == then || then == PS__SNAPSHOT)
        return;
    f->c.status =
        ps__fail(PS_ERR_STATE,
                 "%s of %s, which its gradient needs, was written in place: it had version "
                 "%" PRIu64 " and has %" PRIu64,
                 index < node->op->nargs ? node->op->args[index].name : "the result",
                 node->op->row.name, then, now);
}

ps_tensor *ps__flow_recall(ps__flow *f, ps_tensor *saved, const ps__edge *edge)
{
    ps_tensor *handle = NULL;
    ps__layout layout;
    if (saved == NULL || !f->create || edge->node == NULL || f->c.status != PS_OK)
        return saved;
    ps__layout_of(saved, &layout);
    f->c.status = ps__view(saved, (ps_dtype)saved->dtype, &layout, &handle);
    if (handle != NULL)
        ps__edge_set(handle, edge->node, edge->output);
    return ps__compose_own(&f->c, handle);
}

/* The outputs that the rule needs, and what flowed to each. */
static void flow_outputs(ps__flow *f, ps__op_node *node, ps_tensor *const *dys)
{
    f->dys = dys;
    f->dy = dys[0];
    if (f->dy != NULL && !ps__dtype_is_inexact((ps_dtype)f->dy->dtype))
        f->dy = ps__compose_cast(&f->c, f->dy, PS_FLOAT64); /* PS_GRAD_INTEGERS: it is rounded */
    for (unsigned i = 0; i < node->r.head.outputs; i++) {
        ps_tensor *result = *ps__op_result(node, i);
        if (result != NULL)
            check_version(f, node->op->nargs + i, result);
        f->ys[i] = ps__flow_recall(f, result, &(ps__edge){&node->r.head, i});
    }
    f->y = f->ys[0];
}

static void flow_begin(walk *w, ps__flow *f, ps__op_node *node, ps_tensor *const *dys)
{
    const ps_tensor *like = dys[0];
    for (unsigned i = 1; like == NULL; i++)
        like = dys[i];
    f->node = node;
    f->remade = &w->remade;
    f->create = w->create;
    f->likes = node->r.likes;
    f->edges = node->r.nedges;
    turn_begin(&f->c, &f->bound, &f->call, node->op, like,
               line_of(w, node->r.location, node->op->row.name));
    int at = 0;
    for (unsigned i = 0; i < node->op->nargs; i++) {
        const ps_arg *arg = &node->args[i];
        f->bound.args[i] = *arg;
        f->edge[i] = at;
        if (arg->kind == PS_ARG_TENSOR && arg->as.tensor != NULL)
            check_version(f, i, arg->as.tensor);
        if (arg->kind == PS_ARG_TENSOR)
            f->bound.args[i].as.tensor = ps__flow_recall(f, arg->as.tensor, &node->r.edges[at]);
        at += arg->kind == PS_ARG_TENSOR ? 1 : arg->kind == PS_ARG_TENSORS ? (int)arg->count : 0;
    }
    f->edge[node->op->nargs] = at;
    flow_outputs(f, node, dys);
}

static void run_rule(ps__flow *f)
{
    if (ps__gradient_kind_of(f->node->op) == PS__GRADIENT_EXPRESSION)
        ps__expression_flow(f);
    else
        ps__rule_find(f->node->op)->run(f);
}

static void drop_saves(ps__op_node *node)
{
    if (!node->saves || !ps__saves_leave(&node->users))
        return;
    for (unsigned i = 0; i < node->op->nargs; i++)
        if (node->args[i].kind == PS_ARG_TENSOR) {
            ps__save_end(node->args[i].as.tensor);
            node->args[i].as.tensor = NULL;
        }
    for (unsigned i = 0; i < node->r.head.outputs; i++) {
        ps__save_end(*ps__op_result(node, i));
        *ps__op_result(node, i) = NULL;
    }
    ps__recipe_release(ps__recipe_take(node));
}

static bool any_flows(ps_tensor *const *sums, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (sums[i] != NULL)
            return true;
    return false;
}

/* The turn of a node whose saves are this walk's; `to` has room for what flows along each edge. */
static void flow(walk *w, ps__op_node *node, ps_tensor *const *dys, const bool *wanted,
                 ps_tensor **to)
{
    ps__flow f;
    unsigned n = node->r.nedges;
    flow_begin(w, &f, node, dys);
    f.wanted = wanted;
    f.to = to;
    if (f.c.status == PS_OK)
        run_rule(&f);
    for (unsigned i = 0; i < n && f.c.status == PS_OK && w->status == PS_OK; i++)
        if (wanted[i] && to[i] != NULL)
            contribute(w, &f.c, &node->r.edges[i], to[i]);
    for (unsigned i = 0; i < n; i++)
        ps_tensor_release(to[i]);
    ps_status status = ps__compose_end(&f.c);
    w->status = w->status != PS_OK ? w->status : status;
    ps__remade_forget(&w->remade, node->recipe);
    drop_saves(node);
}

/* `dys` is what flowed to each output, or NULL. */
static void run_op(walk *w, ps__op_node *node, ps_tensor *const *dys)
{
    enum { FEW = 16 };
    ps_tensor *few[FEW] = {NULL}, **to = few;
    bool wanted_few[FEW], *wanted = wanted_few;
    unsigned n = node->r.nedges;
    if (!any_flows(dys, node->r.head.outputs))
        return;
    if (n > FEW) {
        to = ps__calloc(n, sizeof to[0] + sizeof wanted[0]);
        wanted = (bool *)(void *)(to + n);
        if (to == NULL) {
            w->status = ps__fail(PS_ERR_MEMORY, "no memory for the gradients of %u operands", n);
            return;
        }
    }
    bool any = false; /* not so of what was asked for and leads no further: it keeps its saves */
    for (unsigned i = 0; i < n; i++)
        any |= wanted[i] = node->r.edges[i].node != NULL && leads(w, node->r.edges[i].node);
    if (any)
        w->status = claim(w, node);
    if (any && w->status == PS_OK)
        flow(w, node, dys, wanted, to);
    if (to != few)
        ps__free(to);
}

/* What has flowed to an output so far, as elements of the walk's own side by side; zeros at first. */
static ps_tensor *own_sum(walk *w, ps__compose *c, const ps__edge *edge)
{
    ps__visit *v = visit_of(w, edge->node);
    ps_tensor **sum = v != NULL ? &v->sums[edge->output] : NULL, *made = NULL;
    if (v == NULL || (*sum != NULL && ps__gradient_is_own(*sum)))
        return v != NULL ? *sum : NULL;
    ps__like like = ps__output_like(edge->node, edge->output);
    if (*sum != NULL)
        made = PS__MAKE(c, "copy", ps__arg_tensor(*sum));
    else
        made = PS__MAKE(c, "zeros", ps__arg_ints(like.ndim, like.shape),
                        ps__arg_dtype((ps_dtype)like.dtype));
    if (made == NULL)
        return NULL;
    c->status = ps_tensor_retain(made);
    ps__compose_drop(c, made);
    ps_tensor_release(*sum);
    *sum = made;
    return made;
}

/* Slices add to a part of what flowed to the whole, and writes take one out: at the cost of the part.
 * False if that cannot be: where the walk is recorded, for one. */
static bool run_part(walk *w, ps__compose *c, ps__view_node *node, ps_tensor *dy)
{
    const ps__edge *edges = node->r.edges;
    if (w->create)
        return false;
    if (ps__view_adds(node) && leads(w, edges[0].node)) {
        ps_tensor *sum = own_sum(w, c, &edges[0]);
        if (sum != NULL)
            ps__view_add(c, node, sum, dy);
        return true;
    }
    if (!ps__write_splits(node) || edges[1].node == NULL || !ps__gradient_is_own(dy) ||
        !leads(w, edges[0].node) || !leads(w, edges[1].node))
        return false;
    ps_tensor *part;
    ps__write_split(c, node, dy, &part);
    if (part != NULL) {
        contribute(w, c, &edges[1], part);
        contribute(w, c, &edges[0], dy);
    }
    return true;
}

static void run_other(walk *w, ps__recorded *node, ps_tensor *dy)
{
    ps__compose c;
    ps__bound_call bound;
    ps_call call;
    if (dy == NULL)
        return;
    turn_begin(&c, &bound, &call, &walking, dy, line_of_node(w, node));
    if (node->kind == PS__NODE_LEAF && w->asked == NULL)
        ps__leaf_receive(&c, (ps__leaf_node *)node, dy);
    bool done = node->kind != PS__NODE_LEAF && run_part(w, &c, (ps__view_node *)node, dy);
    for (unsigned i = 0; i < node->nedges && !done && c.status == PS_OK && w->status == PS_OK;
         i++) {
        const ps__edge *edge = &node->edges[i];
        if (edge->node == NULL || !leads(w, edge->node))
            continue;
        ps_tensor *gradient = ps__view_flow(&c, (ps__view_node *)node, i, dy);
        if (gradient != NULL)
            contribute(w, &c, edge, gradient);
    }
    ps_status status = ps__compose_end(&c);
    w->status = w->status != PS_OK ? w->status : status;
}

/* What the program's own function gives for an operand. */
static void contribute_custom(walk *w, const ps__custom_turn *t, unsigned index)
{
    ps__compose c;
    ps__bound_call bound;
    ps_call call;
    const ps__recorded *node = &t->node->r;
    turn_begin(&c, &bound, &call, &walking, t->results[index], line_of_node(w, node));
    contribute(w, &c, &node->edges[index], t->results[index]);
    ps_status status = ps__compose_end(&c);
    w->status = w->status != PS_OK ? w->status : status;
}

static void run_custom(walk *w, ps__custom_node *node, ps_tensor *const *sums)
{
    ps__custom_turn t = {.node = node, .retain = w->retain, .create = w->create};
    bool any = false, flows = any_flows(sums, node->noutputs);
    if (flows)
        w->status = ps__custom_begin(&t, sums);
    for (unsigned i = 0; i < node->r.nedges && flows && w->status == PS_OK; i++)
        any |= t.wanted[i] = node->r.edges[i].node != NULL && leads(w, node->r.edges[i].node);
    if (any)
        w->status = ps__custom_run(&t);
    for (unsigned i = 0; i < node->r.nedges && any && w->status == PS_OK; i++)
        if (t.wanted[i] && t.results[i] != NULL)
            contribute_custom(w, &t, i);
    ps__custom_end(&t);
}

/* A gradient as a tensor of the caller's own: not one that was given for a head, nor part of another. */
static ps_status give(const walk *w, ps_tensor *gradient, ps_tensor **result)
{
    ps__compose c;
    ps__bound_call bound;
    ps_call call;
    turn_begin(&c, &bound, &call, &walking, gradient, w->location);
    if (!ps__is_alone(gradient))
        gradient = PS__MAKE(&c, "copy", ps__arg_tensor(gradient));
    if (gradient != NULL && (c.status = ps_tensor_retain(gradient)) == PS_OK)
        *result = gradient;
    return ps__compose_end(&c);
}

/* What was asked for is what has arrived at the node. */
static void answer(walk *w, const ps__visit *v)
{
    for (size_t i = 0; i < w->nasked && w->status == PS_OK; i++) {
        const asked *a = &w->asked[i];
        if (a->edge.node == v->node && v->sums[a->edge.output] != NULL)
            w->status = give(w, v->sums[a->edge.output], a->result);
    }
}

/* Of a graph that may be walked once; leaves may be reached from several. */
static ps_status check_once(const walk *w, ps__recorded *node)
{
    if (PS_LIKELY(!(node->policy & PS_GRAD_ONCE)) || node->kind == PS__NODE_LEAF)
        return PS_OK;
    /* Nothing follows from it but an error: it pairs with itself. */
    bool before = w->retain ? ps__load(&node->walked) : ps__exchange(&node->walked, true);
    return before ? ps__fail(PS_ERR_STATE, "the graph was walked before; ask to retain it") : PS_OK;
}

/* Hooks that see what a leaf's gradient is now; they may set another. */
static ps_status run_accumulated(ps__leaf_node *leaf)
{
    if (!ps__hooks_any(&leaf->r))
        return PS_OK;
    ps_tensor *grad = ps__leaf_grad(leaf);
    ps_status status = ps__hooks_call(&leaf->r, PS_HOOK_ACCUMULATED, &grad);
    ps_tensor_release(grad);
    return status;
}

static void turn(walk *w, ps__visit *v)
{
    ps__recorded *node = ps__recorded_of(v->node);
    w->status = check_once(w, node);
    if (w->status == PS_OK)
        w->status = ps__hooks_run(node, PS_HOOK_GRADIENT, v->sums);
    answer(w, v);
    if (w->status == PS_OK && node->kind == PS__NODE_OP)
        run_op(w, (ps__op_node *)node, v->sums);
    else if (w->status == PS_OK && node->kind == PS__NODE_CUSTOM)
        run_custom(w, (ps__custom_node *)node, v->sums);
    else if (w->status == PS_OK)
        run_other(w, node, v->sums[0]);
    bool written = node->kind == PS__NODE_LEAF && w->asked == NULL && v->sums[0] != NULL;
    if (w->status == PS_OK && written)
        w->status = run_accumulated((ps__leaf_node *)node);
    if (PS_UNLIKELY(w->status != PS_OK))
        name_lines(line_of_node(w, node));
    for (uint32_t i = 0; i < v->node->outputs; i++) {
        ps_tensor_release(v->sums[i]);
        v->sums[i] = NULL;
    }
}

static void walk_end(walk *w)
{
    ps__visits_end(&w->visits);
    ps__remade_end(&w->remade);
}

/* ---- heads ------------------------------------------------------------------------------- */

static ps_status check_head(const walk *w, size_t index, const ps_tensor *head,
                            const ps_tensor *gradient)
{
    if (gradient == NULL && w->scalars && head->count != 1)
        return ps__fail(PS_ERR_ARGUMENT, "head %zu has shape %s, no gradient is given", index,
                        ps__shape_text(head->ndim, ps__shape(head)));
    if (gradient == NULL)
        return PS_OK;
    if (gradient->dtype != head->dtype)
        return ps__fail(PS_ERR_TYPE, "the gradient of head %zu is of %s, the head of %s", index,
                        ps__dtypes[gradient->dtype].name, ps__dtypes[head->dtype].name);
    if (!ps__shape_equal(gradient->ndim, ps__shape(gradient), head->ndim, ps__shape(head)))
        return ps__fail(PS_ERR_ARGUMENT, "the gradient of head %zu has shape %s, the head %s",
                        index, ps__shape_text(gradient->ndim, ps__shape(gradient)),
                        ps__shape_text(head->ndim, ps__shape(head)));
    return PS_OK;
}

static void add_head(walk *w, size_t index, ps_tensor *head, ps_tensor *gradient)
{
    ps__compose c;
    ps__bound_call bound;
    ps_call call;
    ps__edge edge;
    w->status = check_head(w, index, head, gradient);
    if (w->status == PS_OK)
        w->status = ps__edge_of(head, &edge);
    if (w->status != PS_OK)
        return;
    if (edge.node == NULL) {
        w->status = ps__fail(PS_ERR_STATE,
                             "head %zu is in no graph: it was not computed from a tensor with a "
                             "gradient attached while operations were recorded",
                             index);
        return;
    }
    turn_begin(&c, &bound, &call, &walking, head, w->location);
    if (gradient == NULL)
        gradient =
            PS__MAKE(&c, "ones",
                     (ps_arg){.kind = PS_ARG_INTS, .count = head->ndim, .as.ints = ps__shape(head)},
                     (ps_arg){.kind = PS_ARG_DTYPE, .as.dtype = (ps_dtype)head->dtype});
    if (gradient != NULL)
        contribute(w, &c, &edge, gradient);
    ps_status status = ps__compose_end(&c);
    w->status = w->status != PS_OK ? w->status : status;
    ps__node_release(edge.node);
}

/* Which nodes lead to what is asked for: all that can be reached, then back from the lowest serial. */
static void mark_leading(walk *w)
{
    ps__visit *lowest = NULL;
    while (w->visits.waiting > 0 && w->status == PS_OK) {
        ps__visit *v = ps__visits_next(&w->visits);
        const ps__recorded *node = ps__recorded_of(v->node);
        v->higher = lowest;
        lowest = v;
        for (unsigned i = 0; i < node->nedges; i++)
            if (node->edges[i].node != NULL)
                (void)visit_of(w, node->edges[i].node);
    }
    for (ps__visit *v = lowest; v != NULL && w->status == PS_OK; v = v->higher) {
        const ps__recorded *node = ps__recorded_of(v->node);
        for (size_t i = 0; i < w->nasked; i++)
            v->leads |= w->asked[i].edge.node == v->node;
        for (unsigned i = 0; i < node->nedges; i++)
            v->leads |= node->edges[i].node != NULL && leads(w, node->edges[i].node);
        if (v->leads)
            ps__visits_wait(&w->visits, v);
    }
}

/* ---- the calls --------------------------------------------------------------------------- */

static ps_status options_read(const char *what, const ps_backward_options *options,
                              ps_backward_options *full)
{
    *full = (ps_backward_options){.size = sizeof *full};
    return options == NULL ? PS_OK
                           : ps__sized_read(what, full, sizeof *full, options,
                                            PS__SIZE_TO(ps_backward_options, gradients));
}

static ps_status go(walk *w, ps_tensor *const *heads, size_t count,
                    const ps_backward_options *options)
{
    uint64_t state = ps_thread_state();
    w->status = ps_thread_set_state(ps__state_recording(state, options->create));
    ps__gathering(ps__tensor_engine(), true); /* what is queued here had better meet */
    w->retain = options->retain || options->create;
    w->create = options->create;
    w->scalars = options->scalars;
    w->location = options->location;
    for (size_t i = 0; i < count && w->status == PS_OK; i++)
        add_head(w, i, heads[i], options->gradients != NULL ? options->gradients[i] : NULL);
    if (w->asked != NULL && w->status == PS_OK)
        mark_leading(w);
    while (w->visits.waiting > 0 && w->status == PS_OK)
        turn(w, ps__visits_next(&w->visits));
    walk_end(w);
    ps__gathering(ps__tensor_engine(), false);
    (void)ps_thread_set_state(state); /* it was so before */
    return w->status;
}

static ps_status check_list(const char *what, const char *name, ps_tensor *const *list,
                            size_t count)
{
    if (list == NULL && count != 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %s is NULL", what, name);
    for (size_t i = 0; i < count; i++)
        if (list[i] == NULL)
            return ps__fail(PS_ERR_ARGUMENT, "%s: %s %zu is NULL", what, name, i);
    return PS_OK;
}

ps_status ps_backward(ps_tensor *const *heads, size_t count, const ps_backward_options *options)
{
    ps_backward_options full;
    walk w = {.asked = NULL};
    ps_status status = check_list("ps_backward", "heads", heads, count);
    if (status == PS_OK)
        status = options_read("ps_backward: options", options, &full);
    return status == PS_OK ? go(&w, heads, count, &full) : status;
}

ps_status ps_grad(ps_tensor *const *heads, size_t count, ps_tensor *const *wanted, size_t nwanted,
                  const ps_backward_options *options, ps_tensor **results)
{
    ps_backward_options full;
    ps_status status = check_list("ps_grad", "heads", heads, count);
    if (status == PS_OK)
        status = check_list("ps_grad", "wanted", wanted, nwanted);
    if (status == PS_OK && results == NULL)
        status = ps__fail(PS_ERR_ARGUMENT, "ps_grad: results is NULL");
    if (status == PS_OK)
        status = options_read("ps_grad: options", options, &full);
    if (status != PS_OK)
        return status;
    asked *list = ps__calloc(nwanted + 1, sizeof *list);
    if (list == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for %zu gradients", nwanted);
    size_t found = 0;
    for (; found < nwanted && status == PS_OK; found++) {
        list[found].result = &results[found];
        results[found] = NULL;
        status = ps__edge_of(wanted[found], &list[found].edge);
        if (status == PS_OK && list[found].edge.node == NULL)
            status = ps__fail(PS_ERR_STATE, "wanted %zu is in no graph", found);
    }
    walk w = {.asked = list, .nasked = nwanted};
    if (status == PS_OK)
        status = go(&w, heads, count, &full);
    for (size_t i = 0; i < found; i++) {
        if (list[i].edge.node != NULL)
            ps__node_release(list[i].edge.node);
        if (status != PS_OK) {
            ps_tensor_release(results[i]);
            results[i] = NULL;
        }
    }
    ps__free(list);
    return status;
}

ps_status ps_graph_get_stats(ps_graph_stats *stats)
{
    ps_graph_stats full = {.nodes = (uint64_t)ps__counted(PS__COUNT_NODES),
                           .saves = (uint64_t)ps__counted(PS__COUNT_SAVES),
                           .copied = ps__load(&ps__parts_copied)};
    return ps__sized_write("ps_graph_get_stats: stats", stats, &full, sizeof full);
}
