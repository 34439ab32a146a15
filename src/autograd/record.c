/* Recording: the calls of operations on a thread that records. */
#include "autograd/rule.h"

#include "autograd/recipe.h"
#include "autograd/view.h"
#include "base/alloc.h"
#include "base/error.h"
#include "engine/internal.h"
#include "ops/gradient.h"

#include <string.h>

typedef struct recording {
    const ps__bound_call *given;
    ps__bound_call call; /* with snapshots where the rule needs an operand */
    ps__needs needs;
    uint32_t from;     /* bits of the outputs that something flows from, */
    uint32_t into;     /* and of those that were given */
    bool alone;        /* only new tensors that nobody else has know the node */
    ps__op_node *node; /* NULL: nothing flows to the operands */
    unsigned nedges, dims;
    uint32_t policy; /* of the edges */
    ps__edge *edges;
    ps__edge few[4];
} recording;

/* Sets what is read later, and no more: the whole is large. */
static void recording_begin(recording *r, const ps__bound_call *call)
{
    r->given = call;
    r->call.op = call->op;
    r->call.call = call->call;
    memcpy(r->call.args, call->args, call->op->nargs * sizeof call->args[0]);
    r->needs = (ps__needs){0, 0};
    r->from = 1;
    r->into = 0;
    r->alone = false;
    r->node = NULL;
    r->nedges = r->dims = 0;
    r->edges = r->few;
    memset(r->few, 0, sizeof r->few);
}

/* ---- operands ---------------------------------------------------------------------------- */

static unsigned tensors_of(const ps_arg *arg)
{
    return arg->kind == PS_ARG_TENSOR ? 1 : arg->kind == PS_ARG_TENSORS ? arg->count : 0;
}

static ps_tensor *tensor_at(const ps_arg *arg, unsigned index)
{
    return arg->kind == PS_ARG_TENSOR ? arg->as.tensor : arg->as.tensors[index];
}

/* The edge of an operand, if the thread records what is computed of it. */
static ps_status take_edge(recording *r, ps_tensor *x, unsigned at, bool first)
{
    ps__edge *edge = &r->edges[at];
    ps_status status = ps__edge_of(x, edge);
    if (status != PS_OK || edge->node == NULL)
        return status;
    if (!ps__records(edge->node)) {
        ps__node_release(edge->node);
        edge->node = NULL;
        return PS_OK;
    }
    return ps__policy_meet(r->given->op->row.name, at, edge->node, first, &r->policy);
}

/* The edges of all operands; *wants is whether something flows along one of them. */
static ps_status take_edges(recording *r, bool *wants)
{
    const ps__bound_call *call = r->given;
    ps_status status = PS_OK;
    unsigned at = 0;
    *wants = false;
    for (unsigned i = 0; i < call->op->nargs; i++)
        for (unsigned j = 0; j < tensors_of(&call->args[i]); j++, at++) {
            ps_tensor *x = tensor_at(&call->args[i], j);
            r->dims += x->ndim;
            if (status == PS_OK)
                status = take_edge(r, x, at, !*wants);
            *wants |= r->edges[at].node != NULL;
        }
    return status;
}

static void drop_edges(recording *r)
{
    for (unsigned i = 0; i < r->nedges; i++)
        if (r->edges[i].node != NULL)
            ps__node_release(r->edges[i].node);
}

static ps_status edges_begin(recording *r, bool *wants)
{
    for (unsigned i = 0; i < r->given->op->nargs; i++)
        r->nedges += tensors_of(&r->given->args[i]);
    r->edges = r->few;
    if (r->nedges > sizeof r->few / sizeof r->few[0])
        r->edges = ps__calloc(r->nedges, sizeof r->edges[0]);
    if (r->edges == NULL) {
        r->nedges = 0;
        return ps__fail(PS_ERR_MEMORY, "no memory to record %s", r->given->op->row.name);
    }
    return take_edges(r, wants);
}

static void edges_end(recording *r)
{
    drop_edges(r);
    if (r->edges != r->few)
        ps__free(r->edges);
}

/* ---- the node ----------------------------------------------------------------------------- */

/* A bit for each argument that something flows to; of an elementwise row none is a list. */
static uint32_t wanted_arguments(const recording *r)
{
    uint32_t wanted = 0;
    for (unsigned i = 0, at = 0; i < r->given->op->nargs; i++)
        if (r->given->args[i].kind == PS_ARG_TENSOR)
            wanted |= (uint32_t)(r->edges[at++].node != NULL) << i;
    return wanted;
}

static ps_status find_needs(recording *r)
{
    const ps_op *op = r->given->op;
    if (ps__gradient_kind_of(op) == PS__GRADIENT_EXPRESSION)
        return ps__expression_needs(op, wanted_arguments(r), &r->needs);
    const ps__rule *rule = ps__rule_find(op);
    if (rule == NULL)
        return ps__fail(PS_ERR_UNSUPPORTED, "%s: its gradient (%s) is not there", op->row.name,
                        op->row.gradient);
    r->needs = rule->needs;
    if (rule->with >= 0 && r->given->args[rule->with].kind == PS_ARG_NONE)
        r->needs.y = 0;
    r->from = rule->from;
    return PS_OK;
}

/* Whether the call writes what a tensor has. */
static bool is_overwritten(const recording *r, const ps_tensor *tensor)
{
    for (unsigned i = 0; r->into >> i != 0; i++)
        if (r->into >> i & 1 && r->given->call->outputs[i]->storage == tensor->storage)
            return true;
    return false;
}

/* Where the version of an argument, or of an output behind them, is kept; NULL: it is saved as a
 * snapshot. What the call itself overwrites is: it is needed as it was, and a storage whose root leads
 * to the node must not be kept by that. */
static uint64_t *version_at(const recording *r, unsigned index, const ps_tensor *saved)
{
    if (r->node->versions == NULL)
        return NULL;
    uint64_t *version = &r->node->versions[index];
    *version = PS__SNAPSHOT;
    return is_overwritten(r, saved) ? NULL : version;
}

/* A tensor that the rule needs, unless the recipe has it. */
static ps_status save_argument(recording *r, unsigned index, ps_tensor **saved)
{
    r->node->saves = true;
    if (r->node->recipe != NULL)
        return PS_OK;
    ps_tensor *tensor = r->given->args[index].as.tensor;
    uint64_t *version = version_at(r, index, tensor);
    ps_status status = ps__save(tensor, version, saved);
    if (status == PS_OK && version == NULL)
        r->call.args[index].as.tensor = *saved;
    return status;
}

/* A copy of an argument for the node, which owns what it points to. */
static ps_status keep_argument(recording *r, unsigned index)
{
    const ps_arg *from = &r->given->args[index];
    ps_arg *to = &r->node->args[index];
    *to = *from;
    if (from->kind == PS_ARG_INTS) {
        size_t bytes = from->count * sizeof(int64_t);
        int64_t *ints = ps__calloc(1, bytes + 1);
        to->as.ints = ints;
        if (ints == NULL)
            return ps__fail(PS_ERR_MEMORY, "no memory to record %s", r->given->op->row.name);
        if (bytes != 0)
            memcpy(ints, from->as.ints, bytes);
    } else if (from->kind == PS_ARG_TEXT) {
        char *text = ps__calloc(1, strlen(from->as.text) + 1);
        to->as.text = text;
        if (text == NULL)
            return ps__fail(PS_ERR_MEMORY, "no memory to record %s", r->given->op->row.name);
        memcpy(text, from->as.text, strlen(from->as.text));
    } else if (from->kind == PS_ARG_TENSORS) {
        to->as.tensors = NULL;
    } else if (from->kind == PS_ARG_TENSOR) {
        to->as.tensor = NULL;
        if (r->needs.args >> index & 1)
            return save_argument(r, index, &to->as.tensor);
    }
    return PS_OK;
}

/* How many dimensions an output has at most: those of a given output; a list of lengths or repeats has
 * one for each of them; others have no more than all operands together, and one. */
static unsigned output_dims(const recording *r)
{
    const ps__bound_call *call = r->given;
    unsigned most = r->dims + 1;
    for (unsigned i = 0; i < call->op->nargs; i++)
        if (call->args[i].kind == PS_ARG_INTS && call->args[i].count > most)
            most = call->args[i].count < PS_DIMS_MAX ? call->args[i].count : PS_DIMS_MAX;
    for (unsigned i = 0; i < call->call->noutputs; i++) {
        const ps_tensor *out = call->call->outputs[i];
        if (out != NULL && out->ndim > most)
            most = out->ndim;
    }
    return most;
}

/* What is known before the call. */
static ps_status node_begin(recording *r)
{
    const ps__bound_call *call = r->given;
    ps_status status = find_needs(r);
    if (status != PS_OK)
        return status;
    bool checks = r->policy & PS_GRAD_CHECK;
    size_t args = sizeof(ps__op_node) + call->op->nargs * sizeof(ps_arg);
    unsigned outputs = (unsigned)call->call->noutputs;
    size_t more = args + (checks ? (call->op->nargs + outputs) * sizeof(uint64_t) : 0);
    ps__recorded *made =
        ps__node_new(more + (outputs - 1) * sizeof(ps__op_more), PS__NODE_OP, r->nedges,
                     r->dims + outputs * output_dims(r), call->call->location);
    r->node = (ps__op_node *)made;
    if (made == NULL)
        return PS_ERR_MEMORY;
    r->node->op = call->op;
    made->head.outputs = outputs;
    if (outputs > 1)
        r->node->more = (ps__op_more *)(void *)((char *)made + more);
    made->policy = r->policy;
    if (checks)
        r->node->versions = (uint64_t *)(void *)((char *)made + args);
    for (unsigned i = 0; i < call->op->nargs; i++)
        r->node->args[i].kind = PS_ARG_NONE;
    for (unsigned i = 0, at = 0; i < call->op->nargs; i++)
        for (unsigned j = 0; j < tensors_of(&call->args[i]); j++, at++) {
            made->edges[at] = r->edges[at]; /* with the reference */
            r->edges[at].node = NULL;
            ps__like_set(made, &made->likes[at], tensor_at(&call->args[i], j));
        }
    if (!checks) /* else the very tensors must be the same */
        status = ps__recipe_of(&r->call, made->edges, r->needs.args, &r->node->recipe);
    for (unsigned i = 0; i < call->op->nargs && status == PS_OK; i++)
        status = keep_argument(r, i);
    return status;
}

/* The call, of which nothing is recorded. */
static ps_status call_quietly(const ps__bound_call *call)
{
    uint64_t state = ps_thread_state(), during = ps__state_recording(state, false);
    ps_status status = ps__thread_current != NULL ? PS_OK : ps_thread_set_state(during);
    if (status != PS_OK)
        return status;
    ps__thread_current->state = during;
    status = ps__call_bound(call);
    ps__thread_current->state = state;
    return status;
}

/* Keeps an output for the rule, or its recipe. */
static ps_status save_output(recording *r, unsigned index)
{
    ps_tensor *made = r->given->call->outputs[index];
    ps__recipe *recipe = r->node->recipe;
    if (recipe != NULL)
        ps__recipe_made(recipe, made);
    if (!(r->needs.y >> index & 1))
        return PS_OK;
    r->node->saves = true;
    if (recipe == NULL || !ps__recipe_is_cheap(recipe))
        return ps__save(made, version_at(r, r->given->op->nargs + index, made),
                        ps__op_result(r->node, index));
    ps__recipe_want(recipe);
    return PS_OK;
}

/* What made an output: the node, or nothing. */
static ps__node *maker_of(const recording *r, unsigned index)
{
    bool flows =
        r->from >> index & 1 && ps__flows_to(r->given->call->outputs[index]->dtype, r->policy);
    return flows && r->node != NULL ? &r->node->r.head : NULL;
}

/* Whether the node holds an output itself, rather than a snapshot of it. */
static bool is_held(const recording *r, unsigned index)
{
    return r->node->versions != NULL && *ps__op_result(r->node, index) != NULL;
}

/* A storage that the node holds does not name it as its root, or neither would ever go: see view.h. */
static void set_new(recording *r, unsigned index, ps__node *maker)
{
    ps_tensor *made = r->given->call->outputs[index];
    bool held = is_held(r, index);
    if (!held && ps__made_alone(made, maker, index))
        return;
    r->alone = false;
    if (held)
        ps__edge_set(made, maker, index);
    else
        ps__made(made, maker, index);
}

/* New tensors first: as long as there are no others nobody else knows the node. */
static ps_status set_makers(recording *r, ps_tensor *const *before)
{
    const ps_call *call = r->given->call;
    ps_status status = PS_OK;
    r->alone = true;
    for (unsigned i = 0; i < call->noutputs; i++) {
        ps__node *maker = maker_of(r, i);
        if (before[i] == NULL && maker != NULL)
            set_new(r, i, maker);
    }
    for (unsigned i = 0; i < call->noutputs && status == PS_OK; i++)
        if (before[i] != NULL) {
            r->alone = false;
            status = ps__written(call->outputs[i], maker_of(r, i), i, call->location);
        }
    return status;
}

/* Gives up the reference that the recording has had. */
static void release_node(const recording *r)
{
    ps__node *node = &r->node->r.head;
    uint32_t others = ps__load(&node->references) - 1;
    if (r->alone && others != 0)
        ps__store(&node->references, others); /* only what this thread has made knows it */
    else
        ps__node_release(node);
}

/* What was made is the node's, or if there is none nobody's. */
static ps_status outputs_end(recording *r, ps_tensor *const *before)
{
    const ps_call *call = r->given->call;
    ps_status status = PS_OK;
    for (unsigned i = 0; i < call->noutputs && r->node != NULL && status == PS_OK; i++) {
        status = save_output(r, i);
        ps__like_set(&r->node->r, ps__op_like(r->node, i), call->outputs[i]);
    }
    if (status == PS_OK && r->node != NULL)
        ps__node_ready(&r->node->r, (unsigned)call->noutputs);
    return status == PS_OK ? set_makers(r, before) : status;
}

/* ---- calls ------------------------------------------------------------------------------- */

/* Given outputs that are part of a graph must leave it, even if nothing flows to them any more. */
static ps_status check_outputs(const ps_call *call, bool *recorded)
{
    for (unsigned i = 0; i < call->noutputs; i++) {
        if (call->outputs[i] == NULL)
            continue;
        ps_status status = ps__check_write(call->outputs[i], recorded);
        if (status != PS_OK)
            return status;
    }
    return PS_OK;
}

/* A call that fails gives nothing. */
static void take_back(const ps_call *call, ps_tensor *const *before)
{
    for (unsigned i = 0; i < call->noutputs; i++)
        if (before[i] == NULL) {
            ps_tensor_release(call->outputs[i]);
            call->outputs[i] = NULL;
        }
}

static ps_status record(recording *r, bool wants)
{
    ps_tensor *before[PS__MAP_OUTPUTS] = {NULL};
    const ps_call *call = r->given->call;
    ps_status status = PS_OK;
    memcpy(before, call->outputs, call->noutputs * sizeof before[0]);
    for (unsigned i = 0; i < call->noutputs; i++)
        r->into |= (uint32_t)(before[i] != NULL) << i;
    if (wants)
        status = node_begin(r);
    if (status == PS_OK)
        status = call_quietly(&r->call);
    if (status == PS_OK) {
        status = outputs_end(r, before);
        if (status != PS_OK)
            take_back(call, before);
    }
    if (r->node != NULL)
        release_node(r);
    return status;
}

static bool record_call(const ps__bound_call *call, ps_status *status)
{
    if (call->op->row.flags & PS_OP_VIEW)
        return false; /* ps__view records */
    if (ps__rule_by_parts(call))
        return false; /* what it is made of does */
    recording r;
    recording_begin(&r, call);
    bool wants = false, written = false;
    *status = check_outputs(call->call, &written);
    if (*status == PS_OK && ps__gradient_kind_of(call->op) != PS__GRADIENT_NONE) {
        *status = edges_begin(&r, &wants);
    }
    bool recorded = *status != PS_OK || wants || written;
    if (*status == PS_OK && recorded)
        *status = record(&r, wants);
    edges_end(&r);
    return recorded;
}

static const ps__graph_table table = {.call = record_call,
                                      .view = ps__record_view,
                                      .write = ps__check_write};

void ps__graph_begin(void)
{
    ps__store_release(&ps__graph_hooks, &table); /* pairs with the acquire where it is used */
}
