/* Leaves: tensors that a gradient was asked for.
 *
 * Invariants
 *   1. leaf->grad changes under ps__graph_lock: from NULL to what the first walk that comes there has
 *      made, or by ps_grad_set. Whoever reads it retains it under the lock, so a walk goes on with the
 *      tensor that it found, whatever is set meanwhile.
 *   2. No operation is queued under the lock. Of two walks that find NULL both make a tensor; the one
 *      that comes second finds the other's there and adds to that. Operations that add to one tensor are
 *      put in order by the engine, so nothing is lost. */
#ifndef PS_AUTOGRAD_LEAF_H
#define PS_AUTOGRAD_LEAF_H

#include "autograd/node.h"
#include "ops/compose.h"

typedef struct ps__leaf_node {
    ps__recorded r;
    uint32_t request; /* PS_GRAD_WRITE or PS_GRAD_ADD; constant */
    ps_tensor *grad;  /* a reference; NULL: the next walk makes one. Guarded by ps__graph_lock */
} ps__leaf_node;

/* Whether a tensor that a walk has is seen by nobody else, and has each element of its storage once. */
bool ps__is_alone(const ps_tensor *tensor);
/* The same of a gradient whose elements lie side by side, in the order of memory. */
bool ps__gradient_is_own(const ps_tensor *gradient);

/* The gradient, retained; NULL if there is none yet. */
ps_tensor *ps__leaf_grad(const ps__leaf_node *leaf);

/* What has flowed to a leaf goes to its gradient, as was asked. */
void ps__leaf_receive(ps__compose *c, ps__leaf_node *leaf, ps_tensor *gradient);

#endif
