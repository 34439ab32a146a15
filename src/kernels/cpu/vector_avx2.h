/* The few vector operations that the kernels are written in, for AVX2 with FMA: vf is eight floats,
 * vd four doubles, vi integers of 32 bits, vfm and vdm the results of comparisons.
 * vector_avx512.h has the same names. */
#ifndef PS_KERNELS_CPU_VECTOR_AVX2_H
#define PS_KERNELS_CPU_VECTOR_AVX2_H

#include <immintrin.h>
#include <stdint.h>
#include <stddef.h>

#define PS__SLEEF_ISA avx2
#define PS__SLEEF_F f8
#define PS__SLEEF_D d4

typedef __m256 vf;
typedef __m256d vd;
typedef __m256i vi;
typedef __m256 vfm;
typedef __m256d vdm;

enum { VF_LANES = 8, VD_LANES = 4 };

static inline vi part_f(size_t k)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)k), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline vi part_d(size_t k)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)k), _mm256_setr_epi64x(0, 1, 2, 3));
}

/* The first k elements, the rest 0. */
static inline vf vf_load_part(const float *p, size_t k)
{
    return _mm256_maskload_ps(p, part_f(k));
}

static inline void vf_store_part(float *p, vf a, size_t k)
{
    _mm256_maskstore_ps(p, part_f(k), a);
}

static inline vd vd_load_part(const double *p, size_t k)
{
    return _mm256_maskload_pd(p, part_d(k));
}

static inline void vd_store_part(double *p, vd a, size_t k)
{
    _mm256_maskstore_pd(p, part_d(k), a);
}

/* clang-format off */
static inline vf vf_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void vf_store(float *p, vf a) { _mm256_storeu_ps(p, a); }
static inline vf vf_set1(float a) { return _mm256_set1_ps(a); }
static inline vf vf_add(vf a, vf b) { return _mm256_add_ps(a, b); }
static inline vf vf_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
static inline vf vf_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
static inline vf vf_div(vf a, vf b) { return _mm256_div_ps(a, b); }
static inline vf vf_fma(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
/* c - a * b */
static inline vf vf_fnma(vf a, vf b, vf c) { return _mm256_fnmadd_ps(a, b, c); }
/* Where one is NaN or both are zeros: b. */
static inline vf vf_min(vf a, vf b) { return _mm256_min_ps(a, b); }
static inline vf vf_max(vf a, vf b) { return _mm256_max_ps(a, b); }
static inline vf vf_and(vf a, vf b) { return _mm256_and_ps(a, b); }
static inline vf vf_or(vf a, vf b) { return _mm256_or_ps(a, b); }
static inline vf vf_xor(vf a, vf b) { return _mm256_xor_ps(a, b); }
static inline vf vf_abs(vf a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
static inline vf vf_sign_of(vf a) { return _mm256_and_ps(_mm256_set1_ps(-0.0f), a); }
static inline vfm vf_lt(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
static inline vfm vf_le(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
static inline vfm vf_eq(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
static inline vfm vf_mask_and(vfm a, vfm b) { return _mm256_and_ps(a, b); }
static inline unsigned vf_mask_bits(vfm a) { return (unsigned)_mm256_movemask_ps(a); }
/* Where m: a, else b. */
static inline vf vf_select(vfm m, vf a, vf b) { return _mm256_blendv_ps(b, a, m); }
static inline vf vf_floor(vf a) { return _mm256_floor_ps(a); }
static inline vi vf_bits(vf a) { return _mm256_castps_si256(a); }
static inline vf vf_of_bits(vi a) { return _mm256_castsi256_ps(a); }
static inline vf vf_of_int(vi a) { return _mm256_cvtepi32_ps(a); }

static inline vi vi_set1(int32_t a) { return _mm256_set1_epi32(a); }
static inline vi vi_sub(vi a, vi b) { return _mm256_sub_epi32(a, b); }
static inline vi vi_and(vi a, vi b) { return _mm256_and_si256(a, b); }
#define vi_right(a, count) _mm256_srai_epi32(a, count)

static inline vd vd_load(const double *p) { return _mm256_loadu_pd(p); }
static inline void vd_store(double *p, vd a) { _mm256_storeu_pd(p, a); }
static inline vd vd_set1(double a) { return _mm256_set1_pd(a); }
static inline vd vd_add(vd a, vd b) { return _mm256_add_pd(a, b); }
static inline vd vd_sub(vd a, vd b) { return _mm256_sub_pd(a, b); }
static inline vd vd_mul(vd a, vd b) { return _mm256_mul_pd(a, b); }
static inline vd vd_div(vd a, vd b) { return _mm256_div_pd(a, b); }
static inline vd vd_fma(vd a, vd b, vd c) { return _mm256_fmadd_pd(a, b, c); }
static inline vd vd_fnma(vd a, vd b, vd c) { return _mm256_fnmadd_pd(a, b, c); }
static inline vd vd_min(vd a, vd b) { return _mm256_min_pd(a, b); }
static inline vd vd_max(vd a, vd b) { return _mm256_max_pd(a, b); }
static inline vd vd_and(vd a, vd b) { return _mm256_and_pd(a, b); }
static inline vd vd_or(vd a, vd b) { return _mm256_or_pd(a, b); }
static inline vd vd_xor(vd a, vd b) { return _mm256_xor_pd(a, b); }
static inline vd vd_abs(vd a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
static inline vd vd_sign_of(vd a) { return _mm256_and_pd(_mm256_set1_pd(-0.0), a); }
static inline vdm vd_lt(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
static inline vdm vd_le(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_LE_OQ); }
static inline vdm vd_eq(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_EQ_OQ); }
static inline vdm vd_mask_and(vdm a, vdm b) { return _mm256_and_pd(a, b); }
static inline unsigned vd_mask_bits(vdm a) { return (unsigned)_mm256_movemask_pd(a); }
static inline vd vd_select(vdm m, vd a, vd b) { return _mm256_blendv_pd(b, a, m); }
/* clang-format on */

/* The lesser and the larger with the bits of ref/float.inc: -0 is less than 0, of NaN the sum. */
static inline vf vf_lesser(vf a, vf b)
{
    vf number = vf_or(vf_min(a, b), vf_min(b, a));
    return vf_select(_mm256_cmp_ps(a, b, _CMP_UNORD_Q), vf_add(a, b), number);
}

static inline vf vf_larger(vf a, vf b)
{
    vf number = vf_and(vf_max(a, b), vf_max(b, a));
    return vf_select(_mm256_cmp_ps(a, b, _CMP_UNORD_Q), vf_add(a, b), number);
}

/* a * 2^n with one rounding; n whole, |n| < 2^10, a in [0.5, 2) or NaN. */
static inline vf vf_scale(vf a, vf n)
{
    vi whole = _mm256_cvtps_epi32(n), half = _mm256_srai_epi32(whole, 1);
    vi bias = _mm256_set1_epi32(127);
    vi first = _mm256_slli_epi32(_mm256_add_epi32(half, bias), 23);
    vi second = _mm256_slli_epi32(_mm256_add_epi32(_mm256_sub_epi32(whole, half), bias), 23);
    return vf_mul(vf_mul(a, _mm256_castsi256_ps(first)), _mm256_castsi256_ps(second));
}

/* Sixteen-bit floats, as many as vf has lanes. */
static inline vf vf_load_half(const uint16_t *p)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
}

static inline void vf_store_half(uint16_t *p, vf a)
{
    __m128i half = _mm256_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm_storeu_si128((__m128i *)p, half);
}

/* All lanes combined by f, for which their order does not matter. */
static inline __attribute__((always_inline)) float vf_fold(vf a, vf (*f)(vf, vf))
{
    a = f(a, _mm256_permute2f128_ps(a, a, 1));
    a = f(a, _mm256_permute_ps(a, 0x4e));
    a = f(a, _mm256_permute_ps(a, 0xb1));
    return _mm256_cvtss_f32(a);
}

static inline __attribute__((always_inline)) double vd_fold(vd a, vd (*f)(vd, vd))
{
    a = f(a, _mm256_permute2f128_pd(a, a, 1));
    a = f(a, _mm256_permute_pd(a, 5));
    return _mm256_cvtsd_f64(a);
}

#endif
