/* The end of a reduction: see work.h. */
#include "backend/work.h"
#include "kernels/kernels.h"

#include <string.h>

void ps__reduce_end(const ps__reduce_spec *spec, size_t n, char *results, char *to)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    if (spec->divide) {
        ps__element divisor;
        ps__scalar_cast((ps_scalar){PS_SCALAR_DOUBLE, {.d = spec->divisor}},
                        (ps_dtype)spec->accumulator, &divisor);
        const void *in[2] = {results, &divisor};
        kernels->map[PS__PRIM_divide][spec->accumulator][PS__FORM_SECOND_ONE](n, results, in);
    }
    if (spec->root) {
        const void *in[1] = {results};
        kernels->map[PS__PRIM_sqrt][spec->accumulator][PS__FORM_ALL](n, results, in);
    }
    if (spec->result != spec->accumulator)
        kernels->cast[spec->accumulator][spec->result](n, to, results);
    else if (to != results)
        memcpy(to, results, n * ps__dtype_bytes((ps_dtype)spec->result));
}
