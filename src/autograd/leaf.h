/* Leaves: tensors that a gradient was asked for. */
#ifndef PS_AUTOGRAD_LEAF_H
#define PS_AUTOGRAD_LEAF_H

#include "autograd/node.h"
#include "ops/compose.h"

typedef struct ps__leaf_node {
    ps__recorded r;
    ps_grad_request request; /* constant */
    ps_tensor *grad;         /* owned; constant: its elements are written */
} ps__leaf_node;

/* Whether a tensor that a walk has is seen by nobody else, and has each element of its storage once. */
bool ps__is_alone(const ps_tensor *tensor);

/* What has flowed to a leaf goes to its gradient, as was asked. */
void ps__leaf_receive(ps__compose *c, ps__leaf_node *leaf, ps_tensor *gradient);

#endif
