/* What tensors know of gradients: that a value was made by a node of a graph. The layer above makes
 * the nodes (autograd/), and tells this one by a table what to do with them.
 *
 * A handle names the node that made its elements, and which of the node's outputs they are. Writes
 * in place make a storage's elements new: whoever writes raises the storage's generation, and handles
 * of an older one ask the table for their node again.
 *
 * Invariants
 *   1. A handle's node, output and generation change together, under ps__graph_lock; the handle has a
 *      reference to its node.
 *   2. ps__graph_hooks is NULL until the first node is made, and constant then. */
#ifndef PS_TENSOR_GRAPH_H
#define PS_TENSOR_GRAPH_H

#include "base/atomic.h"
#include "base/fork_lock.h"
#include "penstock.h"

enum { PS__DETACHED = UINT32_MAX }; /* as the generation of a handle: it is in no graph, ever */

typedef struct ps__node ps__node;
typedef struct ps__bound_call ps__bound_call;
typedef struct ps__layout ps__layout;

/* The beginning of every node. */
struct ps__node {
    _Atomic uint32_t references;
    uint32_t outputs;
    uint64_t serial; /* above those of all nodes that it has edges to */
    void (*destroy)(ps__node *node);
};

typedef struct ps__graph_table {
    /* The call of an operation on a thread that records. False: nothing to record, call it. */
    bool (*call)(const ps__bound_call *call, ps_status *status);
    /* A view was made of a base that has a node, or whose storage was written in a graph. */
    ps_status (*view)(ps_tensor *base, const ps__layout *layout, ps_tensor *view);
    /* A tensor is about to be written by a thread that records: whether that may be, and whether it
     * is part of what is recorded. */
    ps_status (*write)(ps_tensor *tensor, bool *recorded);
} ps__graph_table;

/* Whether there is something that is recorded unless the thread is paused. Set before the first, and
 * constant then. */
extern _Atomic uint32_t ps__graph_eager;

/* Whether the thread records something. */
static inline bool ps__may_record(void)
{
    uint64_t state = ps_thread_state();
    /* Pairs with nothing: who was handed such a tensor also sees this. */
    return (state & PS_STATE_RECORDING) ||
           (ps__load(&ps__graph_eager) && !(state & PS_STATE_PAUSED));
}

extern _Atomic(const ps__graph_table *) ps__graph_hooks;
extern ps__fork_lock ps__graph_lock;

static inline void ps__node_retain(ps__node *node)
{
    ps__add(&node->references, 1u); /* the caller has one, or the lock of a handle that has */
}

static inline void ps__node_release(ps__node *node)
{
    if (ps__count_end(&node->references))
        node->destroy(node);
}

#endif
