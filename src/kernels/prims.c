/* The table of primitives, from prims.def. */
#include <string.h>

#include "kernels/kernels.h"

const ps__prim_info ps__prims[PS__PRIMS] = {
#define PRIM(name, arity, dtypes, result, exact) {#name, arity, PS__RESULT_##result, exact, dtypes},
#include "kernels/prims.def"
#undef PRIM
};

bool ps__prim_from_name(const char *name, size_t length, ps__prim *prim)
{
    for (int i = 0; i < PS__PRIMS; i++) {
        if (strlen(ps__prims[i].name) == length && memcmp(ps__prims[i].name, name, length) == 0) {
            *prim = (ps__prim)i;
            return true;
        }
    }
    return false;
}

ps__prim ps__reduce_prim(ps__reduce reduce)
{
    static const ps__prim prims[PS__REDUCES] = {
        [PS__REDUCE_SUM] = PS__PRIM_add,        [PS__REDUCE_PROD] = PS__PRIM_multiply,
        [PS__REDUCE_MIN] = PS__PRIM_minimum,    [PS__REDUCE_MAX] = PS__PRIM_maximum,
        [PS__REDUCE_ANY] = PS__PRIM_bitwise_or, [PS__REDUCE_ALL] = PS__PRIM_bitwise_and,
    };
    return prims[reduce];
}
