/* Functions of the program's own: see ps_node_create. */
#ifndef PS_AUTOGRAD_CUSTOM_H
#define PS_AUTOGRAD_CUSTOM_H

#include "autograd/node.h"
#include "autograd/saves.h"

/* A saved tensor, and which value it is: of the inputs, then of the outputs; beyond: another. An
 * output is known by its number alone, since a reference to the node itself would be a cycle. */
typedef struct ps__custom_save {
    ps_tensor *tensor; /* NULL once dropped */
    unsigned value;
} ps__custom_save;

typedef struct ps__custom_node {
    ps__recorded r;
    ps_node_fn backward;
    void *context;
    void (*drop)(void *context);
    ps__saves_word users;
    unsigned noutputs, nsaved;
    ps__like *outputs;
    ps__custom_save *saved;
    char *name;
} ps__custom_node;

/* One turn in a walk. */
typedef struct ps__custom_turn {
    ps__custom_node *node;
    bool retain, create;
    bool *wanted;          /* of each edge: filled in by the walk */
    ps_tensor **results;   /* of each edge; these and the others are references of the turn's */
    ps_tensor **gradients; /* of each output */
    ps_tensor **saved;
    size_t handles; /* in all */
} ps__custom_turn;

/* A turn whose first members are set, with what has flowed to each output. */
ps_status ps__custom_begin(ps__custom_turn *turn, ps_tensor *const *sums);
/* Calls the function; what it gives is checked. */
ps_status ps__custom_run(ps__custom_turn *turn);
/* To be called also after a failure. */
void ps__custom_end(ps__custom_turn *turn);

#endif
