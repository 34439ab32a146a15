/* Functions of real numbers that are libm's here, division of floats with a rest, and powers. */
#include <math.h>

#include "kernels/ref/fill.h"
#include "kernels/ref/names.inc"

/* log(exp(a) + exp(b)) without leaving the range. Equal ones apart, as infinities have no
 * difference. */
static inline float log_of_sum_f32(float a, float b)
{
    if (a == b)
        return a + (float)M_LN2;
    float size = fabsf(a - b);
    return size == size ? fmaxf(a, b) + log1pf(expf(-size)) : a + b;
}

static inline double log_of_sum_f64(double a, double b)
{
    if (a == b)
        return a + M_LN2;
    double size = fabs(a - b);
    return size == size ? fmax(a, b) + log1p(exp(-size)) : a + b;
}

#define T float
#define TAG f32
#define WIDE double
#define LIBM(name) __builtin_##name##f
#include "kernels/ref/division.inc"
#define ROWS "kernels/ref/rows_math.inc"
#include "kernels/ref/type.inc"
#undef LIBM

#define T double
#define TAG f64
#define LIBM(name) __builtin_##name
#include "kernels/ref/division.inc"
#define ROWS "kernels/ref/rows_math.inc"
#include "kernels/ref/type.inc"
#undef LIBM

#define WIDTH 8
#define U uint8_t
#define S int8_t
#define M uint32_t
#include "kernels/ref/power.inc"

#define WIDTH 16
#define U uint16_t
#define S int16_t
#define M uint32_t
#include "kernels/ref/power.inc"

#define WIDTH 32
#define U uint32_t
#define S int32_t
#define M uint32_t
#include "kernels/ref/power.inc"

#define WIDTH 64
#define U uint64_t
#define S int64_t
#define M uint64_t
#include "kernels/ref/power.inc"

void ps__fill_math_ref(ps__kernel_set *set)
{
    enter_f32(set, PS_FLOAT32);
    enter_f64(set, PS_FLOAT64);
    enter_i_8(set, PS_INT8);
    enter_i_16(set, PS_INT16);
    enter_i_32(set, PS_INT32);
    enter_i_64(set, PS_INT64);
    enter_u_8(set, PS_UINT8);
    enter_u_16(set, PS_UINT16);
    enter_u_32(set, PS_UINT32);
    enter_u_64(set, PS_UINT64);
}
