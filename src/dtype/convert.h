/* Floats to integers as every cast here does it: towards zero, NaN gives 0, and what is out of
 * range the nearest integer there is. ps__float_to_int8(a), ps__double_to_uint64(a) and so on. */
#ifndef PS_DTYPE_CONVERT_H
#define PS_DTYPE_CONVERT_H

#include <stdint.h>

/* In [low, high), and 0 for what is not below high: the caller deals with that. */
static inline float ps__within_float(float a, float low, float high)
{
    return a < high ? (a > low ? a : low) : 0;
}

static inline double ps__within_double(double a, double low, double high)
{
    return a < high ? (a > low ? a : low) : 0;
}

/* clang-format off */
#define SATURATE(F, I, low, high, max) SATURATE_HEAD(F, I) { SATURATE_BODY(F, I, low, high, max) }
#define SATURATE_HEAD(F, I) static inline I##_t ps__##F##_to_##I(F a)
#define SATURATE_BODY(F, I, low, high, max) return a >= high ? max : WITHIN(F, I, low, high);
#define WITHIN(F, I, low, high) (I##_t)ps__within_##F(a, low, high)
SATURATE(float, int8, -0x1p7f, 0x1p7f, INT8_MAX)
SATURATE(float, int16, -0x1p15f, 0x1p15f, INT16_MAX)
SATURATE(float, int32, -0x1p31f, 0x1p31f, INT32_MAX)
SATURATE(float, int64, -0x1p63f, 0x1p63f, INT64_MAX)
SATURATE(float, uint8, 0.0f, 0x1p8f, UINT8_MAX)
SATURATE(float, uint16, 0.0f, 0x1p16f, UINT16_MAX)
SATURATE(float, uint32, 0.0f, 0x1p32f, UINT32_MAX)
SATURATE(float, uint64, 0.0f, 0x1p64f, UINT64_MAX)
SATURATE(double, int8, -0x1p7, 0x1p7, INT8_MAX)
SATURATE(double, int16, -0x1p15, 0x1p15, INT16_MAX)
SATURATE(double, int32, -0x1p31, 0x1p31, INT32_MAX)
SATURATE(double, int64, -0x1p63, 0x1p63, INT64_MAX)
SATURATE(double, uint8, 0.0, 0x1p8, UINT8_MAX)
SATURATE(double, uint16, 0.0, 0x1p16, UINT16_MAX)
SATURATE(double, uint32, 0.0, 0x1p32, UINT32_MAX)
SATURATE(double, uint64, 0.0, 0x1p64, UINT64_MAX)
/* clang-format on */
#undef SATURATE
#undef SATURATE_HEAD
#undef SATURATE_BODY
#undef WITHIN

#endif
