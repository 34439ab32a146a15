/* Division of floats with a rest for AVX-512. */
#include "kernels/cpu/fill.h"
#include "kernels/ref/names.inc"

#define T float
#define TAG f32
#define TYPE PS_FLOAT32
#define LIBM(name) __builtin_##name##f
#define WIDE double
#define LIMIT 0x1p28
#include "kernels/cpu/division.inc"

#define T double
#define TAG f64
#define TYPE PS_FLOAT64
#define LIBM(name) __builtin_##name
#define LIMIT 0x1p52
#include "kernels/cpu/division.inc"

void ps__fill_division_avx512(ps__kernel_set *set)
{
    enter_division_f32(set);
    enter_division_f64(set);
}
