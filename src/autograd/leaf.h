/* Leaves: tensors that a gradient was asked for. */
#ifndef PS_AUTOGRAD_LEAF_H
#define PS_AUTOGRAD_LEAF_H

#include "autograd/node.h"
#include "ops/compose.h"

typedef struct ps__leaf_node {
    ps__recorded r;
    uint32_t request; /* PS_GRAD_WRITE or PS_GRAD_ADD; constant */
    ps_tensor *grad;  /* owned; constant: its elements are written */
} ps__leaf_node;

/* Whether a tensor that a walk has is seen by nobody else, and has each element of its storage once. */
bool ps__is_alone(const ps_tensor *tensor);
/* The same of a gradient whose elements lie side by side, in the order of memory. */
bool ps__gradient_is_own(const ps_tensor *gradient);

/* What has flowed to a leaf goes to its gradient, as was asked. */
void ps__leaf_receive(ps__compose *c, ps__leaf_node *leaf, ps_tensor *gradient);

#endif
