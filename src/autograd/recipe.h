/* Recipes: how a value is made again, where a node would otherwise keep it for the way back.
 *
 * Keeping a value of a fused group means storing it, and loading it again later. What an elementwise
 * row made can be had for less if its operands are there anyway: the row is called again and becomes
 * part of the group that needs the value. The same kernels give the same bits.
 *
 * Operands are there anyway if the rule needs them, if they are leaves, if they are small, or if there
 * is a recipe for them in turn. A recipe holds these as snapshots and as references to other recipes,
 * so it does not depend on what walks do to nodes. It is constant once its value is made. */
#ifndef PS_AUTOGRAD_RECIPE_H
#define PS_AUTOGRAD_RECIPE_H

#include "autograd/node.h"

typedef struct ps__ingredient {
    ps_arg arg;       /* as bound; a tensor is a snapshot, or NULL: */
    ps__recipe *from; /* made by this; a reference */
} ps__ingredient;

struct ps__recipe {
    _Atomic uint32_t references;
    _Atomic uint32_t wanted; /* 1: a rule needs the value, perhaps after others */
    unsigned steps;          /* rows that are called */
    float cost;              /* of their programs, for elements of 4 bytes */
    const ps_op *op;
    uint64_t version; /* of the storage, when the value was in it */
    ps__ingredient ingredients[];
};

/* The recipe of a call whose operands have these edges. *recipe is NULL if there is none: the call does
 * not suit, or what it needs is not kept. Else operands of the call that the recipe has become its
 * snapshots. `needs` are the arguments that the row's rule needs. */
ps_status ps__recipe_of(ps__bound_call *call, const ps__edge *edges, uint32_t needs,
                        ps__recipe **recipe);
/* The call has given the value. */
void ps__recipe_made(ps__recipe *recipe, const ps_tensor *value);
/* Whether making the value again costs less than keeping it. */
bool ps__recipe_is_cheap(const ps__recipe *recipe);
/* A rule needs the value. */
void ps__recipe_want(ps__recipe *recipe);
/* Does nothing for NULL. */
void ps__recipe_release(ps__recipe *recipe);
/* The recipe of a node, which has none from then on; or NULL. */
ps__recipe *ps__recipe_take(ps__op_node *node);

/* ---- Making again --------------------------------------------------------------------------- */

/* What was made again and is wanted later in the same walk; all zero at first. */
typedef struct ps__remade {
    struct ps__remade_value {
        ps__recipe *recipe; /* a reference */
        ps_tensor *value;   /* likewise */
    } * values;
    size_t count, room;
} ps__remade;

/* The value, with a reference for the caller. Nothing of it is recorded. The location is that of what
 * needs it. */
ps_status ps__remake(ps__remade *remade, ps__recipe *recipe, uint64_t location, ps_tensor **value);
/* The same for operand `index` of the recipe's row. */
ps_status ps__remake_operand(ps__remade *remade, ps__recipe *recipe, unsigned index,
                             uint64_t location, ps_tensor **value);
/* The value of a recipe, or NULL, is not wanted any more; nor is any. */
void ps__remade_forget(ps__remade *remade, const ps__recipe *recipe);
void ps__remade_end(ps__remade *remade);

#endif
