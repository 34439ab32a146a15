/* Calls of the program's own functions out of a walk. */
#ifndef PS_AUTOGRAD_FOREIGN_H
#define PS_AUTOGRAD_FOREIGN_H

#include "autograd/node.h"

/* What is looked at again when the function has returned. */
typedef struct ps__foreign {
    uint64_t state;    /* the thread's, which is put back */
    uint64_t failures; /* how many texts there were: whether it has noted one */
} ps__foreign;

ps__foreign ps__foreign_begin(void);
/* The status of the call; a failure has a text: the function's own, or one with the name. */
ps_status ps__foreign_end(const ps__foreign *before, const char *name, ps_status status);

/* A handle of the function's own on a value, in the same graph: what it writes there nobody else
 * sees. */
ps_status ps__foreign_value(ps_tensor *value, ps_tensor **handle);

/* Whether a tensor that it gave is like that; `what` begins the text, as "f: the gradient of x". */
ps_status ps__foreign_check(const char *what, const ps_tensor *given, const ps__like *like);

#endif
