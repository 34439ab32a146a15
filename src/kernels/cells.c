/* Which recurrent cells: those of the set of kernels that was chosen, or the reference's. */
#include "kernels/cells.h"

#include <string.h>

const ps__cell_set *ps__cells_find(const char *name)
{
#if defined __x86_64__ && defined PENSTOCK_SLEEF
    if (strcmp(name, "avx512") == 0)
        return &ps__cells_avx512;
    if (strcmp(name, "avx2") == 0)
        return &ps__cells_avx2;
#endif
    return strcmp(name, "ref") == 0 ? &ps__cells_ref : NULL;
}

const ps__cell_set *ps__cells_get(void)
{
    const ps__cell_set *found = ps__cells_find(ps__kernels_get()->name);
    return found != NULL ? found : &ps__cells_ref;
}
