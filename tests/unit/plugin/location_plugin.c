/* A library that names a line of its own and can be unloaded: see test_frontend.c. */
#include "penstock.h"

PS_API uint64_t plugin_here(void);

uint64_t plugin_here(void)
{
    return PS_HERE;
}
