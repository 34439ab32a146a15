/* Rules: how gradients flow through the nodes of rows. */
#ifndef PS_AUTOGRAD_RULE_H
#define PS_AUTOGRAD_RULE_H

#include "autograd/recipe.h"
#include "ops/compose.h"

/* One node's turn in a walk. Tensors that a rule makes with `c` last until the turn is over. */
typedef struct ps__flow {
    ps__compose c;
    ps__bound_call bound; /* the row and its arguments; tensors that were not saved are NULL */
    ps_call call;
    ps__op_node *node;
    ps__remade *remade; /* of the walk */
    bool create;        /* the walk is recorded */
    ps_tensor *y, *dy;  /* the result, if the rule needs it; its gradient, of the same shape */
    ps_tensor *ys[PS__MAP_OUTPUTS]; /* the same of rows with several outputs; a gradient is NULL */
    ps_tensor *const *dys;          /* where none flows, and `dy` is dys[0] */
    const ps__like *likes;          /* of each edge */
    const bool *wanted;             /* whether something flows along it */
    ps_tensor **to; /* what does: of a shape that can be added up to the operand's; owned */
    unsigned edges;
    int edge[PS__ARGS +
             1]; /* the first of each argument, and behind the last; see ps__flow_wants */
} ps__flow;

/* What a rule is given: bits of arguments and of outputs. */
typedef struct ps__needs {
    uint32_t args, y;
} ps__needs;

typedef void (*ps__rule_fn)(ps__flow *flow);

typedef struct ps__rule {
    const char *name; /* as in "by NAME" */
    ps__needs needs;
    uint32_t from; /* bits of the outputs that something flows from */
    int with;      /* the argument without which no output is needed; -1: they always are */
    ps__rule_fn run;
} ps__rule;

/* Whether a gradient is wanted of argument `index`, a tensor. */
static inline bool ps__flow_wants(const ps__flow *flow, unsigned index)
{
    return flow->edge[index] < flow->edge[index + 1] && flow->wanted[flow->edge[index]];
}

/* What flows to it; NULL after a failure. */
static inline void ps__flow_give(ps__flow *flow, unsigned index, ps_tensor *gradient)
{
    if (gradient != NULL && ps_tensor_retain(gradient) == PS_OK)
        flow->to[flow->edge[index]] = gradient;
}

static inline const ps__like *ps__flow_like(const ps__flow *flow, unsigned index)
{
    return &flow->likes[flow->edge[index]];
}

/* rules.c: that of a row whose gradient is a function; NULL if there is none. */
const ps__rule *ps__rule_find(const ps_op *op);
/* Whether a call is not recorded itself, but the rows that it is made of. */
bool ps__rule_by_parts(const ps__bound_call *call);

/* walk.c: a saved value as what the edge leads to made it, where the walk makes a graph. */
ps_tensor *ps__flow_recall(ps__flow *flow, ps_tensor *saved, const ps__edge *edge);

/* expression.c of this layer: rows whose gradient is an expression. */
ps_status ps__expression_needs(const ps_op *op, uint32_t wanted, ps__needs *needs);
void ps__expression_flow(ps__flow *flow);
/* What would flow to the only operand of a row with that result, of whose gradient the operand is no part:
 * for activations that are part of another row. */
ps_tensor *ps__expression_back(ps__flow *flow, const char *row);

/* x, some dimensions of which were broadcast from a shape, added up to that shape; cast to its type.
 * A temporary of the composition, or x itself. */
ps_tensor *ps__flow_fit(ps__compose *c, ps_tensor *x, const ps__like *like);

#endif
