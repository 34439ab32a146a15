/* Functions of the program's own: see custom.h. */
#include "autograd/custom.h"

#include "autograd/foreign.h"
#include "autograd/view.h"
#include "base/error.h"
#include "base/sized.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 1 << 15 }; /* inputs, outputs, saves: a count beyond it was never set */

/* ---- checks ------------------------------------------------------------------------------ */

static ps_status check_list(const char *name, const char *noun, ps_tensor *const *list,
                            size_t count)
{
    if (count > MOST)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %zu %s, at most %d", name, count, noun, MOST);
    if (list == NULL && count != 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %s is NULL", name, noun);
    for (size_t i = 0; i < count; i++)
        if (list[i] == NULL)
            return ps__fail(PS_ERR_ARGUMENT, "%s: %s %zu is NULL", name, noun, i);
    return PS_OK;
}

/* The first of some tensors that is the same handle; `count` if there is none. */
static size_t place_of(const ps_tensor *tensor, ps_tensor *const *list, size_t count)
{
    size_t i = 0;
    while (i < count && list[i] != tensor)
        i++;
    return i;
}

/* A leaf, or a view of one, would be cut off from its gradient. */
static ps_status check_leaf(const ps_node_spec *spec, size_t index)
{
    ps__edge edge;
    ps_status status = ps__edge_of(spec->outputs[index], &edge);
    if (status != PS_OK || edge.node == NULL)
        return status;
    const ps__recorded *node = ps__recorded_of(edge.node);
    while (node->kind == PS__NODE_VIEW)
        node = ps__recorded_of(node->edges[0].node);
    if (node->kind == PS__NODE_LEAF)
        status = ps__fail(PS_ERR_STATE,
                          "%s: output %zu has a gradient attached, or is a view of such a tensor",
                          spec->name, index);
    ps__node_release(edge.node);
    return status;
}

static ps_status check_output(const ps_node_spec *spec, size_t index)
{
    ps_tensor *output = spec->outputs[index];
    for (size_t i = 0; i < spec->ninputs; i++)
        if (ps_tensor_shares(output, spec->inputs[i]))
            return ps__fail(PS_ERR_ARGUMENT,
                            "%s: output %zu shares its elements with input %zu: it must be a new "
                            "tensor, or a copy",
                            spec->name, index, i);
    size_t first = place_of(output, spec->outputs, index);
    if (first < index)
        return ps__fail(PS_ERR_ARGUMENT, "%s: outputs %zu and %zu are one tensor", spec->name,
                        first, index);
    return check_leaf(spec, index);
}

static ps_status check(const ps_node_spec *spec)
{
    ps_status status = check_list(spec->name, "inputs", spec->inputs, spec->ninputs);
    if (status == PS_OK)
        status = check_list(spec->name, "outputs", spec->outputs, spec->noutputs);
    if (status == PS_OK)
        status = check_list(spec->name, "saved", spec->saved, spec->nsaved);
    if (status == PS_OK && spec->backward == NULL)
        status = ps__fail(PS_ERR_ARGUMENT, "%s: backward is NULL", spec->name);
    for (size_t i = 0; i < spec->noutputs && status == PS_OK; i++)
        status = check_output(spec, i);
    return status;
}

/* ---- making ------------------------------------------------------------------------------ */

static void drop_saves(ps__custom_node *node)
{
    for (unsigned i = 0; i < node->nsaved; i++) {
        ps__save_end(node->saved[i].tensor);
        node->saved[i].tensor = NULL;
    }
}

static void node_end(ps__recorded *recorded)
{
    ps__custom_node *node = (ps__custom_node *)recorded;
    drop_saves(node);
    if (node->drop != NULL)
        node->drop(node->context);
}

/* Room for all there is, behind the struct; from here on the context is the node's. */
static ps__custom_node *node_new(const ps_node_spec *spec)
{
    size_t likes = sizeof(ps__custom_node), saves = likes + spec->noutputs * sizeof(ps__like);
    size_t name = saves + spec->nsaved * sizeof(ps__custom_save);
    unsigned dims = 0;
    for (size_t i = 0; i < spec->ninputs; i++)
        dims += spec->inputs[i]->ndim;
    for (size_t i = 0; i < spec->noutputs; i++)
        dims += spec->outputs[i]->ndim;
    ps__recorded *made = ps__node_new(name + strlen(spec->name) + 1, PS__NODE_CUSTOM,
                                      (unsigned)spec->ninputs, dims, spec->location);
    if (made == NULL)
        return NULL;
    ps__custom_node *node = (ps__custom_node *)made;
    node->outputs = (ps__like *)(void *)((char *)made + likes);
    node->saved = (ps__custom_save *)(void *)((char *)made + saves);
    node->name = memcpy((char *)made + name, spec->name, strlen(spec->name) + 1);
    node->noutputs = (unsigned)spec->noutputs;
    node->nsaved = (unsigned)spec->nsaved;
    node->backward = spec->backward;
    node->context = spec->context;
    node->drop = spec->drop;
    made->end = node_end;
    return node;
}

/* *flows is whether something flows to an input. */
static ps_status take_inputs(ps__custom_node *node, const ps_node_spec *spec, bool *flows)
{
    ps_status status = PS_OK;
    for (size_t i = 0; i < spec->ninputs && status == PS_OK; i++) {
        ps__edge *edge = &node->r.edges[i];
        ps__like_set(&node->r, &node->r.likes[i], spec->inputs[i]);
        status = ps__edge_of(spec->inputs[i], edge);
        if (status == PS_OK && edge->node != NULL)
            status = ps__policy_meet(node->name, (unsigned)i, edge->node, !*flows, &node->r.policy);
        *flows |= edge->node != NULL;
    }
    return status;
}

static ps_status take_saves(ps__custom_node *node, const ps_node_spec *spec)
{
    ps_status status = PS_OK;
    for (size_t i = 0; i < spec->nsaved && status == PS_OK; i++) {
        size_t value = place_of(spec->saved[i], spec->inputs, spec->ninputs);
        if (value == spec->ninputs)
            value += place_of(spec->saved[i], spec->outputs, spec->noutputs);
        node->saved[i].value = (unsigned)value;
        status = ps__save(spec->saved[i], NULL, &node->saved[i].tensor);
    }
    return status;
}

/* A tensor that others share elements with counts as written, so that they are in the graph too. */
static ps_status give_output(ps__custom_node *node, const ps_node_spec *spec, unsigned index)
{
    ps_tensor *output = spec->outputs[index];
    if (!ps__flows_to(output->dtype, node->r.policy))
        return PS_OK;
    /* The caller has a handle: nobody else can make the first one of others. */
    if (!output->whole || ps__load_acquire(&output->storage->handles) != 1)
        return ps__written(output, &node->r.head, index, spec->location);
    ps__made(output, &node->r.head, index);
    return PS_OK;
}

static ps_status node_fill(ps__custom_node *node, const ps_node_spec *spec)
{
    bool flows = false;
    ps_status status = take_inputs(node, spec, &flows);
    if (status != PS_OK || !flows)
        return status;
    for (unsigned i = 0; i < node->noutputs; i++)
        ps__like_set(&node->r, &node->outputs[i], spec->outputs[i]);
    status = take_saves(node, spec);
    if (status != PS_OK)
        return status;
    ps__node_ready(&node->r, node->noutputs);
    for (unsigned i = 0; i < node->noutputs && status == PS_OK; i++)
        status = give_output(node, spec, i);
    return status;
}

ps_status ps_node_create(const ps_node_spec *spec)
{
    ps_node_spec full;
    ps__custom_node *node = NULL;
    ps_status status = ps__sized_read("ps_node_create: spec", &full, sizeof full, spec,
                                      PS__SIZE_TO(ps_node_spec, location));
    if (status != PS_OK)
        return status;
    full.name = full.name != NULL ? full.name : "function";
    status = check(&full);
    if (status == PS_OK && (node = node_new(&full)) == NULL)
        status = PS_ERR_MEMORY;
    if (status == PS_OK)
        status = node_fill(node, &full);
    if (node != NULL)
        ps__node_release(&node->r.head);
    else if (full.drop != NULL)
        full.drop(full.context);
    return status;
}

/* ---- a turn ------------------------------------------------------------------------------ */

static size_t turn_bytes(const ps__custom_turn *t)
{
    return t->handles * sizeof(ps_tensor *) + t->node->r.nedges * sizeof(bool);
}

ps_status ps__custom_begin(ps__custom_turn *t, ps_tensor *const *sums)
{
    const ps__custom_node *node = t->node;
    void *block;
    t->handles = (size_t)node->r.nedges + node->noutputs + node->nsaved;
    ps_status status = ps_memory_alloc(turn_bytes(t), &block);
    if (status != PS_OK)
        return status;
    t->results = memset(block, 0, turn_bytes(t));
    t->gradients = t->results + node->r.nedges;
    t->saved = t->gradients + node->noutputs;
    t->wanted = (bool *)(void *)(t->saved + node->nsaved);
    for (unsigned i = 0; i < node->noutputs && status == PS_OK; i++)
        if (sums[i] != NULL)
            status = ps__foreign_value(sums[i], &t->gradients[i]);
    return status;
}

/* What made a saved value; without a reference. */
static ps__edge edge_of(ps__custom_node *node, unsigned value)
{
    if (value < node->r.nedges)
        return node->r.edges[value];
    unsigned output = value - node->r.nedges;
    bool flows =
        output < node->noutputs && ps__flows_to(node->outputs[output].dtype, node->r.policy);
    return flows ? (ps__edge){&node->r.head, output} : (ps__edge){NULL, 0};
}

/* A handle of the function's own; part of the graph, if the walk makes one. */
static ps_status recall(ps__custom_turn *t, unsigned index)
{
    const ps__custom_save *save = &t->node->saved[index];
    ps__edge edge = edge_of(t->node, save->value);
    ps_status status = ps__snapshot(save->tensor, &t->saved[index]);
    if (status == PS_OK && t->create && edge.node != NULL)
        ps__edge_set(t->saved[index], edge.node, edge.output);
    return status;
}

static ps_status check_results(const ps__custom_turn *t)
{
    char what[160];
    ps_status status = PS_OK;
    for (unsigned i = 0; i < t->node->r.nedges && status == PS_OK; i++) {
        if (!t->wanted[i] || t->results[i] == NULL)
            continue;
        (void)snprintf(what, sizeof what, "%s: the gradient of input %u", t->node->name, i);
        status = ps__foreign_check(what, t->results[i], &t->node->r.likes[i]);
    }
    return status;
}

static ps_status call(ps__custom_turn *t)
{
    ps_node_turn given = {.size = sizeof given,
                          .gradients = t->gradients,
                          .ngradients = t->node->noutputs,
                          .saved = t->saved,
                          .nsaved = t->node->nsaved,
                          .wanted = t->wanted,
                          .results = t->results,
                          .nresults = t->node->r.nedges,
                          .create = t->create};
    ps__foreign before = ps__foreign_begin();
    ps_status status = t->node->backward(t->node->context, &given);
    status = ps__foreign_end(&before, t->node->name, status);
    return status == PS_OK ? check_results(t) : status;
}

ps_status ps__custom_run(ps__custom_turn *t)
{
    ps__custom_node *node = t->node;
    bool saves = node->nsaved != 0;
    ps_status status = PS_OK;
    if (saves && !ps__saves_enter(&node->users, t->retain))
        return ps__saves_gone(node->name);
    for (unsigned i = 0; i < node->nsaved && status == PS_OK; i++)
        status = recall(t, i);
    if (status == PS_OK)
        status = call(t);
    if (saves && ps__saves_leave(&node->users))
        drop_saves(node);
    return status;
}

void ps__custom_end(ps__custom_turn *t)
{
    if (t->results == NULL)
        return;
    for (size_t i = 0; i < t->handles; i++)
        ps_tensor_release(t->results[i]);
    ps_memory_free(t->results, turn_bytes(t));
}
