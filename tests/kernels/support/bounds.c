/* The bounds of primitives that are rounded, against the value nearest to the true result, which is
 * itself up to half a unit from it. They hold for every set. Of complex results the larger part
 * counts (see error_ulp): the smaller one may have lost digits to cancellation. */
#include "kernels/support/bounds.h"

typedef struct bound {
    ps__prim prim;
    double real, complex; /* in units in the last place */
} bound;

static const bound bounds[] = {
    /* One function of libm or SLEEF: within 1 unit of the truth, so at most 1 from the nearest
     * value; where glibc documents 2, or SLEEF 1.5, that is 2. Complex ones are made of several real
     * ones and products of them. */
    {PS__PRIM_exp, 1, 3},
    {PS__PRIM_exp2, 1, 0},
    {PS__PRIM_expm1, 1, 3},
    {PS__PRIM_log, 1, 3},
    {PS__PRIM_log1p, 1, 3},
    {PS__PRIM_log2, 1, 3},
    {PS__PRIM_log10, 2, 3},
    {PS__PRIM_sin, 1, 3},
    {PS__PRIM_cos, 1, 3},
    {PS__PRIM_tan, 1, 4},
    {PS__PRIM_asin, 1, 3},
    {PS__PRIM_acos, 1, 3},
    {PS__PRIM_atan, 1, 3},
    {PS__PRIM_sinh, 2, 3},
    {PS__PRIM_cosh, 2, 3},
    {PS__PRIM_tanh, 2, 4},
    {PS__PRIM_asinh, 2, 3},
    {PS__PRIM_acosh, 2, 3},
    {PS__PRIM_atanh, 2, 3},
    {PS__PRIM_erf, 1, 0},
    {PS__PRIM_erfc, 3, 0}, /* glibc documents 3 for float32 */
    {PS__PRIM_atan2, 1, 0},
    {PS__PRIM_hypot, 1, 0},
    /* Complex: exp(w log z), whose error grows with |w log z|, in the vectors up to 60. */
    {PS__PRIM_pow, 1, 128},
    /* A sum of two terms of which one may be negative: the vectors' cases, not a general bound. */
    {PS__PRIM_logaddexp, 4, 0},
    /* Exact only in that every set gives the same bits. Real ones are rounded correctly. */
    {PS__PRIM_abs, 0, 1},
    {PS__PRIM_sign, 0, 2},
    {PS__PRIM_sqrt, 0, 2},
    {PS__PRIM_divide, 0, 4},
    {PS__PRIM_reciprocal, 0, 4},
};

enum { BOUNDS = sizeof bounds / sizeof *bounds };

double bound_of(ps__prim prim, ps_dtype dtype)
{
    for (int i = 0; i < BOUNDS; i++) {
        if (bounds[i].prim != prim || !ps__dtype_is_inexact(dtype))
            continue;
        return ps__dtype_kind_of(dtype) == PS__KIND_COMPLEX ? bounds[i].complex : bounds[i].real;
    }
    return 0;
}
