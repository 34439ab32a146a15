/* What names.def says of an operation. */
#ifndef PYPS_NAMES_H
#define PYPS_NAMES_H

#include "core.h"

typedef struct pyps_names {
    const char *operation, *names, *traits, *signature;
} pyps_names;

int pyps_names_setup(void);
/* NULL: nothing, all follows from the table. */
const pyps_names *pyps_names_of(const ps_op *op);

static inline bool pyps_has_trait(const pyps_names *names, char trait)
{
    return names != NULL && strchr(names->traits, trait) != NULL;
}

/* How its result selects elements, a pyps_form; -1 if it does not. */
int pyps_names_form(const pyps_names *names);

#endif
