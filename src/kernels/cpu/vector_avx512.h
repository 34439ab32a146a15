/* The few vector operations that the kernels are written in, for AVX-512: vf is sixteen floats, vd
 * eight doubles, vi integers of 32 bits, vfm and vdm the results of comparisons.
 * vector_avx2.h has the same names. */
#ifndef PS_KERNELS_CPU_VECTOR_AVX512_H
#define PS_KERNELS_CPU_VECTOR_AVX512_H

#include <immintrin.h>
#include <stdint.h>
#include <stddef.h>

#define PS__SLEEF_ISA avx512f
#define PS__SLEEF_F f16
#define PS__SLEEF_D d8

typedef __m512 vf;
typedef __m512d vd;
typedef __m512i vi;
typedef __mmask16 vfm;
typedef __mmask8 vdm;

enum { VF_LANES = 16, VD_LANES = 8 };

static inline __mmask16 part_f(size_t k)
{
    return (__mmask16)((1u << k) - 1);
}

static inline __mmask8 part_d(size_t k)
{
    return (__mmask8)((1u << k) - 1);
}

/* The first k elements, the rest 0. */
static inline vf vf_load_part(const float *p, size_t k)
{
    return _mm512_maskz_loadu_ps(part_f(k), p);
}

static inline void vf_store_part(float *p, vf a, size_t k)
{
    _mm512_mask_storeu_ps(p, part_f(k), a);
}

static inline vd vd_load_part(const double *p, size_t k)
{
    return _mm512_maskz_loadu_pd(part_d(k), p);
}

static inline void vd_store_part(double *p, vd a, size_t k)
{
    _mm512_mask_storeu_pd(p, part_d(k), a);
}

/* clang-format off */
static inline vf vf_load(const float *p) { return _mm512_loadu_ps(p); }
static inline void vf_store(float *p, vf a) { _mm512_storeu_ps(p, a); }
static inline vf vf_set1(float a) { return _mm512_set1_ps(a); }
static inline vf vf_add(vf a, vf b) { return _mm512_add_ps(a, b); }
static inline vf vf_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
static inline vf vf_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
static inline vf vf_div(vf a, vf b) { return _mm512_div_ps(a, b); }
static inline vf vf_fma(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
/* c - a * b */
static inline vf vf_fnma(vf a, vf b, vf c) { return _mm512_fnmadd_ps(a, b, c); }
/* Where one is NaN or both are zeros: b. */
static inline vf vf_min(vf a, vf b) { return _mm512_min_ps(a, b); }
static inline vf vf_max(vf a, vf b) { return _mm512_max_ps(a, b); }
static inline vf vf_and(vf a, vf b) { return _mm512_and_ps(a, b); }
static inline vf vf_or(vf a, vf b) { return _mm512_or_ps(a, b); }
static inline vf vf_xor(vf a, vf b) { return _mm512_xor_ps(a, b); }
static inline vf vf_abs(vf a) { return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), a); }
static inline vf vf_sign_of(vf a) { return _mm512_and_ps(_mm512_set1_ps(-0.0f), a); }
static inline vfm vf_lt(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static inline vfm vf_le(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
static inline vfm vf_eq(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
static inline vfm vf_mask_and(vfm a, vfm b) { return (vfm)(a & b); }
static inline unsigned vf_mask_bits(vfm a) { return a; }
/* Where m: a, else b. */
static inline vf vf_select(vfm m, vf a, vf b) { return _mm512_mask_blend_ps(m, b, a); }
static inline vf vf_floor(vf a) { return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
static inline vi vf_bits(vf a) { return _mm512_castps_si512(a); }
static inline vf vf_of_bits(vi a) { return _mm512_castsi512_ps(a); }
static inline vf vf_of_int(vi a) { return _mm512_cvtepi32_ps(a); }

static inline vi vi_set1(int32_t a) { return _mm512_set1_epi32(a); }
static inline vi vi_sub(vi a, vi b) { return _mm512_sub_epi32(a, b); }
static inline vi vi_and(vi a, vi b) { return _mm512_and_si512(a, b); }
#define vi_right(a, count) _mm512_srai_epi32(a, count)

static inline vd vd_load(const double *p) { return _mm512_loadu_pd(p); }
static inline void vd_store(double *p, vd a) { _mm512_storeu_pd(p, a); }
static inline vd vd_set1(double a) { return _mm512_set1_pd(a); }
static inline vd vd_add(vd a, vd b) { return _mm512_add_pd(a, b); }
static inline vd vd_sub(vd a, vd b) { return _mm512_sub_pd(a, b); }
static inline vd vd_mul(vd a, vd b) { return _mm512_mul_pd(a, b); }
static inline vd vd_div(vd a, vd b) { return _mm512_div_pd(a, b); }
static inline vd vd_fma(vd a, vd b, vd c) { return _mm512_fmadd_pd(a, b, c); }
static inline vd vd_fnma(vd a, vd b, vd c) { return _mm512_fnmadd_pd(a, b, c); }
static inline vd vd_min(vd a, vd b) { return _mm512_min_pd(a, b); }
static inline vd vd_max(vd a, vd b) { return _mm512_max_pd(a, b); }
static inline vd vd_and(vd a, vd b) { return _mm512_and_pd(a, b); }
static inline vd vd_or(vd a, vd b) { return _mm512_or_pd(a, b); }
static inline vd vd_xor(vd a, vd b) { return _mm512_xor_pd(a, b); }
static inline vd vd_abs(vd a) { return _mm512_andnot_pd(_mm512_set1_pd(-0.0), a); }
static inline vd vd_sign_of(vd a) { return _mm512_and_pd(_mm512_set1_pd(-0.0), a); }
static inline vdm vd_lt(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
static inline vdm vd_le(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
static inline vdm vd_eq(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
static inline vdm vd_mask_and(vdm a, vdm b) { return (vdm)(a & b); }
static inline unsigned vd_mask_bits(vdm a) { return a; }
static inline vd vd_select(vdm m, vd a, vd b) { return _mm512_mask_blend_pd(m, b, a); }

/* a * 2^n with one rounding; n whole, |n| < 2^10, a in [0.5, 2) or NaN. */
static inline vf vf_scale(vf a, vf n) { return _mm512_scalef_ps(a, n); }
/* clang-format on */

/* The lesser and the larger with the bits of ref/float.inc: -0 is less than 0, of NaN the sum. */
static inline vf vf_lesser(vf a, vf b)
{
    return _mm512_mask_add_ps(_mm512_range_ps(a, b, 4), _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q), a,
                              b);
}

static inline vf vf_larger(vf a, vf b)
{
    return _mm512_mask_add_ps(_mm512_range_ps(a, b, 5), _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q), a,
                              b);
}

/* Sixteen-bit floats, as many as vf has lanes. */
static inline vf vf_load_half(const uint16_t *p)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}

static inline void vf_store_half(uint16_t *p, vf a)
{
    __m256i half = _mm512_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm256_storeu_si256((__m256i *)p, half);
}

/* All lanes combined by f, for which their order does not matter. */
static inline __attribute__((always_inline)) float vf_fold(vf a, vf (*f)(vf, vf))
{
    a = f(a, _mm512_shuffle_f32x4(a, a, 0x4e));
    a = f(a, _mm512_shuffle_f32x4(a, a, 0xb1));
    a = f(a, _mm512_permute_ps(a, 0x4e));
    a = f(a, _mm512_permute_ps(a, 0xb1));
    return _mm512_cvtss_f32(a);
}

static inline __attribute__((always_inline)) double vd_fold(vd a, vd (*f)(vd, vd))
{
    a = f(a, _mm512_shuffle_f64x2(a, a, 0x4e));
    a = f(a, _mm512_shuffle_f64x2(a, a, 0xb1));
    a = f(a, _mm512_permute_pd(a, 0x55));
    return _mm512_cvtsd_f64(a);
}

#endif
