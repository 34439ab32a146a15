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

/* Whether nobody else can see the elements of a gradient, which the caller has one reference to. */
bool ps__gradient_is_own(const ps_tensor *gradient);

/* What has flowed to a leaf goes to its gradient, as was asked. */
void ps__leaf_receive(ps__compose *c, ps__leaf_node *leaf, ps_tensor *gradient);

#endif
