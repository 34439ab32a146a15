/* The 16-bit floats as bits: float16 (5 bits of exponent, 10 of fraction) and bfloat16 (8 and 7,
 * the upper half of a float32).
 *
 * Everything rounds once, to nearest, ties to even; a NaN stays a NaN with the upper bits of its
 * fraction and becomes quiet, as the processors' own conversions do it. The functions have no
 * branches that a vectoriser could not turn into selections. */
#ifndef PS_DTYPE_HALF_H
#define PS_DTYPE_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint32_t ps__bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float ps__float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The fraction and exponent move to their places; then the exponent's bias is corrected. What was
 * subnormal is read as 2^-14 * (1 + fraction), and the 2^-14 taken off. */
static inline float ps__float16_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t moved = (uint32_t)(half & 0x7FFF) << 13;
    uint32_t normal = moved + ((127u - 15u) << 23);
    uint32_t special = (moved | 0x7F800000) | (moved > 0x0F800000 ? 0x00400000 : 0);
    uint32_t small = ps__bits_of_float(ps__float_of_bits(moved + (113u << 23)) - 0x1p-14f);
    uint32_t bits = moved >= 0x0F800000 ? special : normal;
    return ps__float_of_bits(sign | (moved < 0x00800000 ? small : bits));
}

/* Below 2^-14 the sum with 0.5, whose last place is worth 2^-24, does the rounding. */
static inline uint16_t ps__float16_from_float(float value)
{
    uint32_t bits = ps__bits_of_float(value);
    uint32_t sign = (bits & 0x80000000) >> 16;
    uint32_t size = bits & 0x7FFFFFFF;
    uint32_t normal = (size - ((127u - 15u) << 23) + 0xFFF + (size >> 13 & 1)) >> 13;
    uint32_t small = ps__bits_of_float(ps__float_of_bits(size) + 0.5f) - 0x3F000000;
    uint32_t nan = 0x7E00 | (size >> 13 & 0x1FF);
    uint32_t large = size > 0x7F800000 ? nan : 0x7C00;
    uint32_t half = size < 0x38800000 ? small : normal;
    return (uint16_t)(sign | (size >= 0x47800000 ? large : half));
}

static inline float ps__bfloat16_to_float(uint16_t half)
{
    return ps__float_of_bits((uint32_t)half << 16);
}

static inline uint16_t ps__bfloat16_from_float(float value)
{
    uint32_t bits = ps__bits_of_float(value);
    uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
    uint32_t nan = bits >> 16 | 0x40;
    return (uint16_t)((bits & 0x7FFFFFFF) > 0x7F800000 ? nan : rounded);
}

/* Rounded to odd: of the two neighbours the one whose last bit is set, unless the value is exact.
 * Rounding that to fewer bits gives what rounding the value itself would have given. */
static inline float ps__double_to_odd_float(double value)
{
    float near = (float)value;
    uint32_t bits = ps__bits_of_float(near);
    bits -= __builtin_fabs((double)near) > __builtin_fabs(value);
    bits |= (double)near != value && value == value;
    return ps__float_of_bits(bits);
}

/* The same for integers that have more bits than a double. */
static inline double ps__int64_to_odd_double(int64_t value)
{
    int64_t cut = (value & ~(int64_t)0x7FF) | (int64_t)((value & 0x7FF) != 0) << 11;
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return (double)(size >> 53 ? cut : value);
}

static inline double ps__uint64_to_odd_double(uint64_t value)
{
    uint64_t cut = (value & ~(uint64_t)0x7FF) | (uint64_t)((value & 0x7FF) != 0) << 11;
    return (double)(value >> 53 ? cut : value);
}

static inline uint16_t ps__float16_from_double(double value)
{
    return ps__float16_from_float(ps__double_to_odd_float(value));
}

static inline uint16_t ps__bfloat16_from_double(double value)
{
    return ps__bfloat16_from_float(ps__double_to_odd_float(value));
}

#endif
