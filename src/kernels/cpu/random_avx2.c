/* Random kernels with AVX2, FMA and F16C. The operations are defined in ref/random.c. */
#ifdef __x86_64__
#include <immintrin.h>

#include "kernels/random.h"

enum { WIDTH64 = 4, WIDTH32 = 8, INTERLEAVE = 2 };
typedef __m256i vu;
typedef __m256i vi;
typedef __m256d vd;
typedef __m256 vf;

/* Shifts are macros because their counts have to be constants, also where nothing is inlined. */
#define vu_shl(a, n) _mm256_slli_epi64(a, n)
#define vu_shr(a, n) _mm256_srli_epi64(a, n)
#define vi_shl(a, n) _mm256_slli_epi32(a, n)
#define vi_shr(a, n) _mm256_srli_epi32(a, n)

static inline vu vu_load(const uint64_t *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

static inline void vu_store(uint64_t *p, vu a)
{
    _mm256_storeu_si256((__m256i *)p, a);
}

static inline vu vu_set(uint64_t a)
{
    return _mm256_set1_epi64x((long long)a);
}

static inline vu vu_count(void)
{
    return _mm256_set_epi64x(3, 2, 1, 0);
}

static inline vu vu_add(vu a, vu b)
{
    return _mm256_add_epi64(a, b);
}

static inline vu vu_sub(vu a, vu b)
{
    return _mm256_sub_epi64(a, b);
}

static inline vu vu_mul32(vu a, vu b)
{
    return _mm256_mul_epu32(a, b);
}

static inline vu vu_xor3(vu a, vu b, vu c)
{
    return _mm256_xor_si256(_mm256_xor_si256(a, b), c);
}

static inline vu vu_below(vu a, vu b)
{
    vu sign = vu_set((uint64_t)1 << 63); /* the comparison is a signed one */
    return _mm256_cmpgt_epi64(_mm256_xor_si256(b, sign), _mm256_xor_si256(a, sign));
}

static inline vu vu_join(vu high, vu low)
{
    return _mm256_blend_epi32(low, vu_shl(high, 32), 0xAA);
}

static inline vu vu_xor_sign(vu a, vu b)
{
    return _mm256_xor_si256(a, _mm256_and_si256(b, vu_set((uint64_t)1 << 63)));
}

/* The halves become the fractions of 2^52 + low and 2^84 + 2^63 + 2^32 high: exact. Taking off the
 * two large numbers is exact too, and the sum rounds once. */
static inline vd vd_of_int(vu a)
{
    vu low = _mm256_blend_epi32(a, vu_set(0x4330000000000000), 0xAA);
    vu high = _mm256_xor_si256(vu_shr(a, 32), vu_set(0x4530000080000000));
    vd rest = _mm256_sub_pd(_mm256_castsi256_pd(high), _mm256_set1_pd(0x1.00000801p84));
    return _mm256_add_pd(rest, _mm256_castsi256_pd(low));
}

static inline vd vd_pick(vu sign, vd a, vd b)
{
    return _mm256_blendv_pd(b, a, _mm256_castsi256_pd(sign));
}

static inline vd vd_of_bits(vu a)
{
    return _mm256_castsi256_pd(a);
}

static inline vu vd_bits(vd a)
{
    return _mm256_castpd_si256(a);
}

static inline void vd_store(double *p, vd a)
{
    _mm256_storeu_pd(p, a);
}

static inline vd vd_set(double a)
{
    return _mm256_set1_pd(a);
}

static inline vd vd_add(vd a, vd b)
{
    return _mm256_add_pd(a, b);
}

static inline vd vd_sub(vd a, vd b)
{
    return _mm256_sub_pd(a, b);
}

static inline vd vd_mul(vd a, vd b)
{
    return _mm256_mul_pd(a, b);
}

static inline vd vd_div(vd a, vd b)
{
    return _mm256_div_pd(a, b);
}

static inline vd vd_min(vd a, vd b)
{
    return _mm256_min_pd(a, b);
}

static inline vd vd_max(vd a, vd b)
{
    return _mm256_max_pd(a, b);
}

static inline vd vd_fma(vd a, vd b, vd c)
{
    return _mm256_fmadd_pd(a, b, c);
}

static inline vd vd_sqrt(vd a)
{
    return _mm256_sqrt_pd(a);
}

static inline vi vi_load(const uint32_t *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

static inline vi vi_set(uint32_t a)
{
    return _mm256_set1_epi32((int)a);
}

static inline vi vi_add(vi a, vi b)
{
    return _mm256_add_epi32(a, b);
}

static inline vi vi_sub(vi a, vi b)
{
    return _mm256_sub_epi32(a, b);
}

static inline vi vi_xor_sign(vi a, vi b)
{
    return _mm256_xor_si256(a, _mm256_and_si256(b, vi_set(0x80000000U)));
}

static inline vf vf_pick(vi sign, vf a, vf b)
{
    return _mm256_blendv_ps(b, a, _mm256_castsi256_ps(sign));
}

static inline vf vf_of_bits(vi a)
{
    return _mm256_castsi256_ps(a);
}

static inline vi vf_bits(vf a)
{
    return _mm256_castps_si256(a);
}

static inline vf vf_of_int(vi a)
{
    return _mm256_cvtepi32_ps(a);
}

static inline vf vf_load(const float *p)
{
    return _mm256_loadu_ps(p);
}

static inline void vf_store(float *p, vf a)
{
    _mm256_storeu_ps(p, a);
}

static inline void vf_store_half(uint16_t *p, vf a)
{
    _mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT));
}

static inline vf vf_set(float a)
{
    return _mm256_set1_ps(a);
}

static inline vf vf_add(vf a, vf b)
{
    return _mm256_add_ps(a, b);
}

static inline vf vf_sub(vf a, vf b)
{
    return _mm256_sub_ps(a, b);
}

static inline vf vf_mul(vf a, vf b)
{
    return _mm256_mul_ps(a, b);
}

static inline vf vf_min(vf a, vf b)
{
    return _mm256_min_ps(a, b);
}

static inline vf vf_max(vf a, vf b)
{
    return _mm256_max_ps(a, b);
}

static inline vf vf_fma(vf a, vf b, vf c)
{
    return _mm256_fmadd_ps(a, b, c);
}

static inline vf vf_sqrt(vf a)
{
    return _mm256_sqrt_ps(a);
}

#include "kernels/ref/random_fill.inc"

const ps__random_set ps__random_avx2 = {"avx2", make_words, fill};

#endif
