/* Random kernels in plain C: vectors of one element. The comments here are the definition of the
 * operations that every instruction set has; each is exact or rounded to nearest once. */
#include <math.h>
#include <string.h>

#include "dtype/half.h"
#include "kernels/random.h"

enum { WIDTH64 = 1, WIDTH32 = 1, INTERLEAVE = 1 };
typedef uint64_t vu;
typedef uint32_t vi;
typedef double vd;
typedef float vf;

static inline vu vu_load(const uint64_t *p)
{
    return *p;
}

static inline void vu_store(uint64_t *p, vu a)
{
    *p = a;
}

static inline vu vu_set(uint64_t a)
{
    return a;
}

/* 0, 1, 2, ... */
static inline vu vu_count(void)
{
    return 0;
}

static inline vu vu_add(vu a, vu b)
{
    return a + b;
}

static inline vu vu_sub(vu a, vu b)
{
    return a - b;
}

static inline vu vu_shl(vu a, int n)
{
    return a << n;
}

static inline vu vu_shr(vu a, int n)
{
    return a >> n;
}

/* The product of the low halves. */
static inline vu vu_mul32(vu a, vu b)
{
    return (uint64_t)(uint32_t)a * (uint32_t)b;
}

static inline vu vu_xor3(vu a, vu b, vu c)
{
    return a ^ b ^ c;
}

/* All ones where a < b. */
static inline vu vu_below(vu a, vu b)
{
    return -(uint64_t)(a < b);
}

/* The low halves of two, the first one's on top. */
static inline vu vu_join(vu high, vu low)
{
    return high << 32 | (uint32_t)low;
}

/* a, its sign bit flipped where b has one. */
static inline vu vu_xor_sign(vu a, vu b)
{
    return a ^ (b & (uint64_t)1 << 63);
}

static inline vd vd_of_bits(vu a)
{
    vd d;
    memcpy(&d, &a, sizeof d);
    return d;
}

static inline vu vd_bits(vd a)
{
    vu u;
    memcpy(&u, &a, sizeof u);
    return u;
}

static inline vd vd_of_int(vu a)
{
    return (double)(int64_t)a;
}

/* a where the sign bit is set, else b. */
static inline vd vd_pick(vu sign, vd a, vd b)
{
    return sign >> 63 ? a : b;
}

static inline void vd_store(double *p, vd a)
{
    *p = a;
}

static inline vd vd_set(double a)
{
    return a;
}

static inline vd vd_add(vd a, vd b)
{
    return a + b;
}

static inline vd vd_sub(vd a, vd b)
{
    return a - b;
}

static inline vd vd_mul(vd a, vd b)
{
    return a * b;
}

static inline vd vd_div(vd a, vd b)
{
    return a / b;
}

static inline vd vd_fma(vd a, vd b, vd c)
{
    return fma(a, b, c);
}

static inline vd vd_sqrt(vd a)
{
    return sqrt(a);
}

/* Of equals the second. */
static inline vd vd_min(vd a, vd b)
{
    return a < b ? a : b;
}

static inline vd vd_max(vd a, vd b)
{
    return a > b ? a : b;
}

static inline vi vi_load(const uint32_t *p)
{
    return *p;
}

static inline vi vi_set(uint32_t a)
{
    return a;
}

static inline vi vi_add(vi a, vi b)
{
    return a + b;
}

static inline vi vi_sub(vi a, vi b)
{
    return a - b;
}

static inline vi vi_shl(vi a, int n)
{
    return a << n;
}

static inline vi vi_shr(vi a, int n)
{
    return a >> n;
}

static inline vi vi_xor_sign(vi a, vi b)
{
    return a ^ (b & 0x80000000U);
}

static inline vf vf_of_bits(vi a)
{
    vf f;
    memcpy(&f, &a, sizeof f);
    return f;
}

static inline vi vf_bits(vf a)
{
    vi i;
    memcpy(&i, &a, sizeof i);
    return i;
}

static inline vf vf_of_int(vi a)
{
    return (float)(int32_t)a;
}

static inline vf vf_pick(vi sign, vf a, vf b)
{
    return sign >> 31 ? a : b;
}

static inline vf vf_load(const float *p)
{
    return *p;
}

static inline void vf_store(float *p, vf a)
{
    *p = a;
}

/* Rounded to float16. */
static inline void vf_store_half(uint16_t *p, vf a)
{
    *p = ps__float16_from_float(a);
}

static inline vf vf_set(float a)
{
    return a;
}

static inline vf vf_add(vf a, vf b)
{
    return a + b;
}

static inline vf vf_sub(vf a, vf b)
{
    return a - b;
}

static inline vf vf_mul(vf a, vf b)
{
    return a * b;
}

static inline vf vf_fma(vf a, vf b, vf c)
{
    return fmaf(a, b, c);
}

static inline vf vf_sqrt(vf a)
{
    return sqrtf(a);
}

static inline vf vf_min(vf a, vf b)
{
    return a < b ? a : b;
}

static inline vf vf_max(vf a, vf b)
{
    return a > b ? a : b;
}

#include "kernels/ref/random_fill.inc"

const ps__random_set ps__random_ref = {"ref", make_words, fill};
