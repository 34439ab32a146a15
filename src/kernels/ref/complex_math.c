/* Functions of complex numbers, by C's own. */
#include "kernels/ref/fill.h"
#include "kernels/ref/names.inc"

#define T ps__complex64
#define TAG c64
#define P float
#define C float _Complex
#define LIBM(name) __builtin_##name##f
#include "kernels/ref/complex_math.inc"

#define T ps__complex128
#define TAG c128
#define P double
#define C double _Complex
#define LIBM(name) __builtin_##name
#include "kernels/ref/complex_math.inc"

void ps__fill_complex_math_ref(ps__kernel_set *set)
{
    enter_c64(set, PS_COMPLEX64);
    enter_c128(set, PS_COMPLEX128);
}
