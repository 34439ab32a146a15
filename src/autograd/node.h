/* The graph of what was recorded.
 *
 * A node is made by an operation on a thread that records, if something flows to one of its operands.
 * Its edges lead to the nodes that made these operands, and were taken when it was made: what is
 * written later moves none of them. A node is constant once made, but for its saves, which a walk may
 * drop (saves.h), and its hooks (hook.h).
 *
 *   OP      a row; its rule is the row's
 *   LEAF    a tensor that a gradient was asked for (leaf.c)
 *   VIEW    elements of another value, by a layout (view.c)
 *   WRITE   a value of which a part was overwritten (view.c)
 *   CUSTOM  a function of the program's own (custom.c)
 *
 * A node holds no handle whose node it is: saves are snapshots, which name no node. So there are no
 * cycles, and a graph goes with the last handle that names it. */
#ifndef PS_AUTOGRAD_NODE_H
#define PS_AUTOGRAD_NODE_H

#include "autograd/saves.h"
#include "ops/calls.h"

typedef struct ps__recipe ps__recipe; /* recipe.h */

typedef enum ps__node_kind {
    PS__NODE_OP,
    PS__NODE_LEAF,
    PS__NODE_VIEW,
    PS__NODE_WRITE,
    PS__NODE_CUSTOM
} ps__node_kind;

/* What made a value: NULL if nothing flows there. */
typedef struct ps__edge {
    ps__node *node; /* a reference */
    uint32_t output;
} ps__edge;

/* The type, shape and place of a tensor. */
typedef struct ps__like {
    uint8_t dtype, ndim;
    const int64_t *shape;
    const ps__home *home;
} ps__like;

/* What all kinds of nodes begin with. */
typedef struct ps__recorded {
    ps__node head;
    ps__node_kind kind;
    unsigned nedges;
    uint32_t policy; /* what libraries differ in: see ps_grad_attach; as of all its edges */
    ps__edge *edges;
    ps__like *likes; /* of the operands, in the order of the edges; of LEAF: its own */
    size_t bytes;    /* of all of it */
    int64_t *room;   /* for the shape of the next like */
    uint64_t location;
    void (*end)(struct ps__recorded *node); /* of what the kind adds; or NULL */
    _Atomic(ps_hook *) hooks;               /* see hook.h; changed under ps__graph_lock */
    _Atomic bool walked;                    /* PS_GRAD_ONCE: and not retained */
    ps__node *next;                         /* in a list of those to be freed; see node.c */
} ps__recorded;

/* An output behind the first. */
typedef struct ps__op_more {
    ps__like y;
    ps_tensor *result; /* a snapshot, if the rule needs it */
} ps__op_more;

typedef struct ps__op_node {
    ps__recorded r;
    const ps_op *op;
    ps__like y;        /* of output 0 */
    ps__op_more *more; /* of the others; NULL: there are none */
    ps__saves_word users;
    bool saves;         /* there are some, or were */
    uint64_t *versions; /* PS_GRAD_CHECK: of each argument and each output, PS__SNAPSHOT of what the
                           call overwrites; else NULL */
    ps_tensor *result;  /* a snapshot of output 0, if the rule needs it */
    ps__recipe
        *recipe;   /* has the operands that the rule needs, and serves for output 0 if it is cheap;
                           or NULL. A reference; guarded by ps__graph_lock once the node is ready, until
                           a walk has claimed the saves */
    ps_arg args[]; /* as bound; tensors are snapshots, or NULL where the rule needs none, or by the
                           recipe */
} ps__op_node;

#define PS__SNAPSHOT UINT64_MAX /* in place of a version: what is saved cannot change */

static inline ps__recorded *ps__recorded_of(ps__node *node)
{
    return (ps__recorded *)node;
}

static inline ps__like *ps__op_like(ps__op_node *node, unsigned output)
{
    return output == 0 ? &node->y : &node->more[output - 1].y;
}

static inline ps_tensor **ps__op_result(ps__op_node *node, unsigned output)
{
    return output == 0 ? &node->result : &node->more[output - 1].result;
}

/* A node of `bytes`, with room for its edges and for likes of `dims` dimensions in all. NULL, with
 * an error noted, if there is no memory. */
ps__recorded *ps__node_new(size_t bytes, ps__node_kind kind, unsigned nedges, unsigned dims,
                           uint64_t location);
/* Fills in a like of the node's; shapes go one behind the other. */
void ps__like_set(ps__recorded *node, ps__like *like, const ps_tensor *tensor);
/* Gives it a serial, after all edges are there. Nothing may change then. */
void ps__node_ready(ps__recorded *node, unsigned outputs);

/* The edge to what made a tensor; with a reference, which the caller gives up. A tensor whose storage
 * was written in the graph since is looked up anew. */
ps_status ps__edge_of(ps_tensor *tensor, ps__edge *edge);
/* Makes an output of a node what made a tensor; retains the node. NULL: nothing did. */
void ps__edge_set(ps_tensor *tensor, ps__node *node, uint32_t output);

/* The policy of an operand's maker, which must be that of those before it. */
ps_status ps__policy_meet(const char *name, unsigned operand, ps__node *maker, bool first,
                          uint32_t *policy);

/* The type and shape of an output. */
ps__like ps__output_like(ps__node *node, uint32_t output);

/* A snapshot of a tensor, counted; and its end. NULL does nothing. With a place for its version it is
 * the tensor's elements as they will be instead. */
ps_status ps__save(ps_tensor *tensor, uint64_t *version, ps_tensor **saved);
void ps__save_end(ps_tensor *saved);
/* The error that the saves of a node of that name are gone. */
ps_status ps__saves_gone(const char *name);

/* A thread's state with recording, for all kinds of calls, on or off. */
static inline uint64_t ps__state_recording(uint64_t state, bool on)
{
    uint64_t neither = state & ~(PS_STATE_RECORDING | PS_STATE_PAUSED);
    return neither | (on ? PS_STATE_RECORDING : PS_STATE_PAUSED);
}

/* record.c: makes the table known to tensors. */
void ps__graph_begin(void);

#define PS__GRAD_REQUEST 0xFFu   /* of what ps_grad_attach is given, */
#define PS__GRAD_POLICY 0x1FF00u /* and the rest */

/* Whether a gradient can flow to tensors of the type. */
static inline bool ps__flows_to(unsigned dtype, uint32_t policy)
{
    return ps__dtype_is_inexact((ps_dtype)dtype) ||
           ((policy & PS_GRAD_INTEGERS) && dtype != PS_BOOL);
}

/* Whether the thread records what is computed of it. */
static inline bool ps__records(const ps__node *node)
{
    uint32_t policy = ((const ps__recorded *)node)->policy;
    uint64_t state = ps_thread_state();
    return policy & PS_GRAD_UNLESS_PAUSED ? !(state & PS_STATE_PAUSED)
                                          : (state & PS_STATE_RECORDING) != 0;
}

#endif
