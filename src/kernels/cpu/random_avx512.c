/* Random kernels with AVX-512 (F, BW, DQ, VL). The operations are defined in ref/random.c. */
#ifdef __x86_64__
#include <immintrin.h>

#include "kernels/random.h"

enum { WIDTH64 = 8, WIDTH32 = 16, INTERLEAVE = 4 };
typedef __m512i vu;
typedef __m512i vi;
typedef __m512d vd;
typedef __m512 vf;

/* Shifts are macros because their counts have to be constants, also where nothing is inlined. */
#define vu_shl(a, n) _mm512_slli_epi64(a, n)
#define vu_shr(a, n) _mm512_srli_epi64(a, n)
#define vi_shl(a, n) _mm512_slli_epi32(a, n)
#define vi_shr(a, n) _mm512_srli_epi32(a, n)

static inline vu vu_load(const uint64_t *p)
{
    return _mm512_loadu_si512(p);
}

static inline void vu_store(uint64_t *p, vu a)
{
    _mm512_storeu_si512(p, a);
}

static inline vu vu_set(uint64_t a)
{
    return _mm512_set1_epi64((long long)a);
}

static inline vu vu_count(void)
{
    return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
}

static inline vu vu_add(vu a, vu b)
{
    return _mm512_add_epi64(a, b);
}

static inline vu vu_sub(vu a, vu b)
{
    return _mm512_sub_epi64(a, b);
}

static inline vu vu_mul32(vu a, vu b)
{
    return _mm512_mul_epu32(a, b);
}

static inline vu vu_xor3(vu a, vu b, vu c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

static inline vu vu_below(vu a, vu b)
{
    return _mm512_movm_epi64(_mm512_cmplt_epu64_mask(a, b));
}

static inline vu vu_join(vu high, vu low)
{
    return _mm512_mask_blend_epi32(0xAAAA, low, vu_shl(high, 32));
}

static inline vu vu_xor_sign(vu a, vu b)
{
    return _mm512_ternarylogic_epi64(a, b, vu_set((uint64_t)1 << 63), 0x78); /* a ^ (b & c) */
}

static inline vd vd_of_int(vu a)
{
    return _mm512_cvtepi64_pd(a);
}

static inline vd vd_pick(vu sign, vd a, vd b)
{
    return _mm512_mask_blend_pd(_mm512_movepi64_mask(sign), b, a);
}

static inline vd vd_of_bits(vu a)
{
    return _mm512_castsi512_pd(a);
}

static inline vu vd_bits(vd a)
{
    return _mm512_castpd_si512(a);
}

static inline void vd_store(double *p, vd a)
{
    _mm512_storeu_pd(p, a);
}

static inline vd vd_set(double a)
{
    return _mm512_set1_pd(a);
}

static inline vd vd_add(vd a, vd b)
{
    return _mm512_add_pd(a, b);
}

static inline vd vd_sub(vd a, vd b)
{
    return _mm512_sub_pd(a, b);
}

static inline vd vd_mul(vd a, vd b)
{
    return _mm512_mul_pd(a, b);
}

static inline vd vd_div(vd a, vd b)
{
    return _mm512_div_pd(a, b);
}

static inline vd vd_min(vd a, vd b)
{
    return _mm512_min_pd(a, b);
}

static inline vd vd_max(vd a, vd b)
{
    return _mm512_max_pd(a, b);
}

static inline vd vd_fma(vd a, vd b, vd c)
{
    return _mm512_fmadd_pd(a, b, c);
}

static inline vd vd_sqrt(vd a)
{
    return _mm512_sqrt_pd(a);
}

static inline vi vi_load(const uint32_t *p)
{
    return _mm512_loadu_si512(p);
}

static inline vi vi_set(uint32_t a)
{
    return _mm512_set1_epi32((int)a);
}

static inline vi vi_add(vi a, vi b)
{
    return _mm512_add_epi32(a, b);
}

static inline vi vi_sub(vi a, vi b)
{
    return _mm512_sub_epi32(a, b);
}

static inline vi vi_xor_sign(vi a, vi b)
{
    return _mm512_ternarylogic_epi32(a, b, vi_set(0x80000000U), 0x78); /* a ^ (b & c) */
}

static inline vf vf_pick(vi sign, vf a, vf b)
{
    return _mm512_mask_blend_ps(_mm512_movepi32_mask(sign), b, a);
}

static inline vf vf_of_bits(vi a)
{
    return _mm512_castsi512_ps(a);
}

static inline vi vf_bits(vf a)
{
    return _mm512_castps_si512(a);
}

static inline vf vf_of_int(vi a)
{
    return _mm512_cvtepi32_ps(a);
}

static inline vf vf_load(const float *p)
{
    return _mm512_loadu_ps(p);
}

static inline void vf_store(float *p, vf a)
{
    _mm512_storeu_ps(p, a);
}

static inline void vf_store_half(uint16_t *p, vf a)
{
    _mm256_storeu_si256((__m256i *)p, _mm512_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT));
}

static inline vf vf_set(float a)
{
    return _mm512_set1_ps(a);
}

static inline vf vf_add(vf a, vf b)
{
    return _mm512_add_ps(a, b);
}

static inline vf vf_sub(vf a, vf b)
{
    return _mm512_sub_ps(a, b);
}

static inline vf vf_mul(vf a, vf b)
{
    return _mm512_mul_ps(a, b);
}

static inline vf vf_min(vf a, vf b)
{
    return _mm512_min_ps(a, b);
}

static inline vf vf_max(vf a, vf b)
{
    return _mm512_max_ps(a, b);
}

static inline vf vf_fma(vf a, vf b, vf c)
{
    return _mm512_fmadd_ps(a, b, c);
}

static inline vf vf_sqrt(vf a)
{
    return _mm512_sqrt_ps(a);
}

#include "kernels/ref/random_fill.inc"

const ps__random_set ps__random_avx512 = {"avx512", make_words, fill};

#endif
