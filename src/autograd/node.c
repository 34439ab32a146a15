/* Making and freeing nodes.
 *
 * Freeing never recurses: a node that goes gives up its edges, and what goes by that is put into a
 * list of the thread's, which the outermost call works off. */
#include "autograd/node.h"

#include "autograd/counts.h"
#include "autograd/custom.h"
#include "autograd/hook.h"
#include "autograd/recipe.h"
#include "autograd/view.h"

#include "base/alloc.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

static __thread ps__node *dead __attribute__((tls_model("initial-exec")));
static __thread bool freeing __attribute__((tls_model("initial-exec")));
static __thread uint64_t last_serial __attribute__((tls_model("initial-exec")));

/* ---- saves ------------------------------------------------------------------------------- */

ps_status ps__save(ps_tensor *tensor, uint64_t *version, ps_tensor **saved)
{
    if (version != NULL)
        *version = ps_tensor_version(tensor);
    ps_status status =
        version == NULL ? ps__snapshot(tensor, saved) : ps_tensor_detach(tensor, saved);
    if (status == PS_OK)
        ps__count(PS__COUNT_SAVES, 1);
    return status;
}

void ps__save_end(ps_tensor *saved)
{
    if (saved == NULL)
        return;
    ps__count(PS__COUNT_SAVES, -1);
    ps_tensor_release(saved);
}

ps_status ps__saves_gone(const char *name)
{
    return ps__fail(PS_ERR_STATE,
                    "the graph was walked before, and what %s saved is gone; ask to retain it",
                    name);
}

/* ---- the end ------------------------------------------------------------------------------ */

static void end_op(ps__op_node *node)
{
    for (unsigned i = 0; i < node->op->nargs; i++) {
        ps_arg *arg = &node->args[i];
        if (arg->kind == PS_ARG_TENSOR)
            ps__save_end(arg->as.tensor);
        else if (arg->kind == PS_ARG_INTS)
            ps__free((void *)arg->as.ints);
        else if (arg->kind == PS_ARG_TEXT)
            ps__free((void *)arg->as.text);
    }
    for (unsigned i = 0; i < node->r.head.outputs; i++)
        ps__save_end(*ps__op_result(node, i));
    ps__recipe_release(node->recipe);
}

static void node_free(ps__node *head)
{
    ps__recorded *node = ps__recorded_of(head);
    ps__hooks_end(node);
    if (node->kind == PS__NODE_OP)
        end_op((ps__op_node *)node);
    if (node->end != NULL)
        node->end(node);
    for (unsigned i = 0; i < node->nedges; i++)
        if (node->edges[i].node != NULL)
            ps__node_release(node->edges[i].node);
    ps__count(PS__COUNT_NODES, -1);
    ps_memory_free(node, node->bytes);
}

static void node_destroy(ps__node *node)
{
    ps__recorded_of(node)->next = dead;
    dead = node;
    if (freeing)
        return;
    freeing = true;
    while (dead != NULL) {
        ps__node *first = dead;
        dead = ps__recorded_of(first)->next;
        node_free(first);
    }
    freeing = false;
}

/* ---- making ------------------------------------------------------------------------------ */

static size_t aligned(size_t bytes)
{
    return (bytes + 15) & ~(size_t)15;
}

ps__recorded *ps__node_new(size_t bytes, ps__node_kind kind, unsigned nedges, unsigned dims,
                           uint64_t location)
{
    size_t likes = nedges + (kind == PS__NODE_LEAF);
    size_t edges = aligned(bytes), like = edges + aligned(nedges * sizeof(ps__edge));
    size_t shapes = like + aligned(likes * sizeof(ps__like));
    size_t all = shapes + dims * sizeof(int64_t);
    void *block;
    if (ps_memory_alloc(all, &block) != PS_OK)
        return NULL;
    memset(block, 0, shapes);
    ps__recorded *node = block;
    node->bytes = all;
    node->kind = kind;
    node->nedges = nedges;
    node->edges = (ps__edge *)(void *)((char *)block + edges);
    node->likes = (ps__like *)(void *)((char *)block + like);
    node->room = (int64_t *)(void *)((char *)block + shapes);
    node->location = location;
    node->head.destroy = node_destroy;
    ps__store(&node->head.references, 1u); /* nobody else knows it yet */
    ps__count(PS__COUNT_NODES, 1);
    return node;
}

void ps__like_set(ps__recorded *node, ps__like *like, const ps_tensor *tensor)
{
    memcpy(node->room, ps__shape(tensor), tensor->ndim * sizeof node->room[0]);
    *like = (ps__like){tensor->dtype, tensor->ndim, node->room, tensor->home};
    node->room += tensor->ndim;
}

void ps__node_ready(ps__recorded *node, unsigned outputs)
{
    uint64_t most = last_serial;
    for (unsigned i = 0; i < node->nedges; i++)
        if (node->edges[i].node != NULL && node->edges[i].node->serial > most)
            most = node->edges[i].node->serial;
    node->head.outputs = outputs;
    node->head.serial = last_serial = most + 1;
}

ps__like ps__output_like(ps__node *head, uint32_t output)
{
    const ps__recorded *node = ps__recorded_of(head);
    switch (node->kind) { /* others have one output, or several that are alike */
    case PS__NODE_OP:
        return *ps__op_like((ps__op_node *)head, output);
    case PS__NODE_LEAF:
        return node->likes[0];
    case PS__NODE_CUSTOM:
        return ((const ps__custom_node *)node)->outputs[output];
    default:
        return ((const ps__view_node *)node)->like;
    }
}

ps_status ps__policy_meet(const char *name, unsigned operand, ps__node *maker, bool first,
                          uint32_t *policy)
{
    uint32_t its = ps__recorded_of(maker)->policy;
    if (first)
        *policy = its;
    if (its == *policy)
        return PS_OK;
    return ps__fail(PS_ERR_STATE,
                    "%s: operand %u belongs to a graph with the rules 0x%" PRIx32
                    ", one before it to one with 0x%" PRIx32 ": graphs of two libraries do not mix",
                    name, operand, its, *policy);
}

/* ---- edges ------------------------------------------------------------------------------- */

void ps__edge_set(ps_tensor *tensor, ps__node *node, uint32_t output)
{
    if (node != NULL)
        ps__node_retain(node);
    ps__lock_take(&ps__graph_lock.lock);
    ps__node *before = ps__load(&tensor->node); /* this and the others: under the lock */
    tensor->output = output;
    /* What is written through an alias is the alias's own, whatever made the elements of others. */
    tensor->generation = tensor->alias ? PS__DETACHED : ps__load(&tensor->storage->generation);
    ps__store(&tensor->node, node);
    ps__unlock(&ps__graph_lock.lock);
    if (before != NULL)
        ps__node_release(before);
}
