/* Moving elements: transposing copies in register blocks, every second element, fill, and stores
 * that go around the caches. AVX-512 would not make them faster; its set takes these. */
#include "kernels/cpu/fill.h"
#include "kernels/ref/elements.h"

#include <immintrin.h>
#include <string.h>

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t size_of(ptrdiff_t step)
{
    return (size_t)(step < 0 ? -step : step);
}

static void copy_rows(size_t rows, size_t bytes, char *out, ptrdiff_t out_step, const char *in,
                      ptrdiff_t in_step)
{
    if (out_step == in_step && out_step == (ptrdiff_t)bytes) {
        memcpy(out, in, rows * bytes);
        return;
    }
    for (size_t r = 0; r < rows; r++)
        memcpy(out + (ptrdiff_t)r * out_step, in + (ptrdiff_t)r * in_step, bytes);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

enum {
    LINE = 64,      /* bytes of a cache line */
    CROWDED = 2048, /* bytes; lines in steps of a multiple of it share few places of the cache */
    TILE = 256,     /* elements; a multiple of those in a line */
    AROUND = 8 * 1024 * 1024 /* bytes; copies from here on go around the caches if they can */
};

#define INLINE static inline __attribute__((always_inline))

/* Only whole lines can. */
static bool goes_around(size_t bytes, ptrdiff_t out_step)
{
    return bytes >= AROUND && out_step % LINE == 0;
}

INLINE void put(char *out, __m256 v, bool around)
{
    if (around)
        _mm256_stream_ps((float *)out, v);
    else
        _mm256_storeu_ps((float *)out, v);
}

INLINE __m256 two_rows(const char *low, const char *high)
{
    __m256 v = _mm256_castps128_ps256(_mm_loadu_ps((const float *)low));
    return _mm256_insertf128_ps(v, _mm_loadu_ps((const float *)high), 1);
}

/* Four times the same step: interleave the first half of the rows with the second. */
INLINE void block_u8(char *out, ptrdiff_t out_step, const char *in, ptrdiff_t in_step, bool around)
{
    (void)around;
    __m128i a[16], b[16];
    for (int i = 0; i < 16; i++)
        a[i] = _mm_loadu_si128((const __m128i *)(in + i * in_step));
    for (int step = 0; step < 4; step++) {
        for (int i = 0; i < 8; i++) {
            b[2 * i] = _mm_unpacklo_epi8(a[i], a[i + 8]);
            b[2 * i + 1] = _mm_unpackhi_epi8(a[i], a[i + 8]);
        }
        memcpy(a, b, sizeof a);
    }
    for (int i = 0; i < 16; i++)
        _mm_storeu_si128((__m128i *)(out + i * out_step), a[i]);
}

INLINE void block_u16(char *out, ptrdiff_t out_step, const char *in, ptrdiff_t in_step, bool around)
{
    (void)around;
    __m128i a[8], b[8];
    for (int i = 0; i < 8; i++)
        a[i] = _mm_loadu_si128((const __m128i *)(in + i * in_step));
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 4; i++) {
            b[2 * i] = _mm_unpacklo_epi16(a[i], a[i + 4]);
            b[2 * i + 1] = _mm_unpackhi_epi16(a[i], a[i + 4]);
        }
        memcpy(a, b, sizeof a);
    }
    for (int i = 0; i < 8; i++)
        _mm_storeu_si128((__m128i *)(out + i * out_step), a[i]);
}

/* Eight rows of four: rows r and r + 4 share a register. */
INLINE void turn_u32(char *out, ptrdiff_t out_step, const char *in, ptrdiff_t in_step, bool around)
{
    __m256 a[4];
    for (int i = 0; i < 4; i++)
        a[i] = two_rows(in + i * in_step, in + (i + 4) * in_step);
    __m256 b0 = _mm256_unpacklo_ps(a[0], a[1]), b1 = _mm256_unpackhi_ps(a[0], a[1]);
    __m256 b2 = _mm256_unpacklo_ps(a[2], a[3]), b3 = _mm256_unpackhi_ps(a[2], a[3]);
    put(out, _mm256_shuffle_ps(b0, b2, 0x44), around);
    put(out + out_step, _mm256_shuffle_ps(b0, b2, 0xee), around);
    put(out + 2 * out_step, _mm256_shuffle_ps(b1, b3, 0x44), around);
    put(out + 3 * out_step, _mm256_shuffle_ps(b1, b3, 0xee), around);
}

INLINE void part_u32(char *out, ptrdiff_t out_step, const char *in, ptrdiff_t in_step, bool around)
{
    turn_u32(out, out_step, in, in_step, around);
    turn_u32(out + 32, out_step, in + 8 * in_step, in_step, around);
}

INLINE void block_u32(char *out, ptrdiff_t out_step, const char *in, ptrdiff_t in_step, bool around)
{
    for (int c = 0; c < 16; c += 4)
        part_u32(out + c * out_step, out_step, in + c * 4, in_step, around);
}

/* Four rows of two: rows r and r + 2 share a register. */
INLINE void turn_u64(char *out, ptrdiff_t out_step, const char *in, ptrdiff_t in_step, bool around)
{
    __m256d a = _mm256_castps_pd(two_rows(in, in + 2 * in_step));
    __m256d b = _mm256_castps_pd(two_rows(in + in_step, in + 3 * in_step));
    put(out, _mm256_castpd_ps(_mm256_unpacklo_pd(a, b)), around);
    put(out + out_step, _mm256_castpd_ps(_mm256_unpackhi_pd(a, b)), around);
}

INLINE void part_u64(char *out, ptrdiff_t out_step, const char *in, ptrdiff_t in_step, bool around)
{
    turn_u64(out, out_step, in, in_step, around);
    turn_u64(out + 32, out_step, in + 4 * in_step, in_step, around);
}

INLINE void block_u64(char *out, ptrdiff_t out_step, const char *in, ptrdiff_t in_step, bool around)
{
    for (int c = 0; c < 8; c += 2)
        part_u64(out + c * out_step, out_step, in + c * 8, in_step, around);
}

INLINE void block_pair(char *out, ptrdiff_t out_step, const char *in, ptrdiff_t in_step,
                       bool around)
{
    for (int c = 0; c < 4; c++) {
        const char *from = in + c * 16;
        put(out + c * out_step, two_rows(from, from + in_step), around);
        put(out + c * out_step + 32, two_rows(from + 2 * in_step, from + 3 * in_step), around);
    }
}

#define T ps__element8
#define N(name) name##_u8
#define BLOCK 16
#define PART 16
#include "kernels/cpu/transpose.inc"

#define T ps__element16
#define N(name) name##_u16
#define BLOCK 8
#define PART 8
#include "kernels/cpu/transpose.inc"

#define T ps__element32
#define N(name) name##_u32
#define BLOCK 16
#define PART 4
#include "kernels/cpu/transpose.inc"

#define T ps__element64
#define N(name) name##_u64
#define BLOCK 8
#define PART 2
#include "kernels/cpu/transpose.inc"

#define T ps__element128
#define N(name) name##_pair
#define BLOCK 4
#define PART 4
#include "kernels/cpu/transpose.inc"

/* ---- Gather ------------------------------------------------------------------------------- */

/* Eight elements of sixteen, of which the last one need not be there in the end. */
INLINE void every_second(char *out, const char *in)
{
    __m256 a = _mm256_loadu_ps((const float *)in), b = _mm256_loadu_ps((const float *)in + 8);
    __m256d v = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0x88));
    put(out, _mm256_castpd_ps(_mm256_permute4x64_pd(v, 0xd8)), false);
}

static void gather_u32(size_t n, void *out, const void *in, ptrdiff_t stride)
{
    char *to = out;
    const char *from = in;
    size_t i = 0;
    if (stride == 8 && n > 8) {
        for (; i + 8 < n; i += 8)
            every_second(to + 4 * i, from + 8 * i);
        every_second(to + 4 * (n - 9), from + 8 * (n - 9));
        i = n - 1;
    }
    for (; i < n; i++)
        *(ps__element32 *)(to + 4 * i) = *(const ps__element32 *)(from + (ptrdiff_t)i * stride);
}

/* ---- Fill and stream --------------------------------------------------------------------- */

static void fill_vector(size_t bytes, char *out, __m256i v)
{
    size_t i = 0;
    for (; i + 32 <= bytes; i += 32)
        _mm256_storeu_si256((__m256i *)(out + i), v);
    if (i < bytes) {
        char last[32];
        _mm256_storeu_si256((__m256i *)last, v);
        memcpy(out + i, last, bytes - i);
    }
}

static void fill_u8(size_t n, void *out, const void *element)
{
    if (n)
        memset(out, *(const unsigned char *)element, n);
}

static void fill_u16(size_t n, void *out, const void *element)
{
    short v;
    memcpy(&v, element, 2);
    fill_vector(n * 2, out, _mm256_set1_epi16(v));
}

static void fill_u32(size_t n, void *out, const void *element)
{
    int v;
    memcpy(&v, element, 4);
    fill_vector(n * 4, out, _mm256_set1_epi32(v));
}

static void fill_u64(size_t n, void *out, const void *element)
{
    long long v;
    memcpy(&v, element, 8);
    fill_vector(n * 8, out, _mm256_set1_epi64x(v));
}

static void fill_pair(size_t n, void *out, const void *element)
{
    __m128i v = _mm_loadu_si128(element);
    fill_vector(n * 16, out, _mm256_broadcastsi128_si256(v));
}

static void stream(void *out, const void *in, size_t bytes)
{
    char *to = out;
    const char *from = in;
    size_t head = (size_t)(-(uintptr_t)to % LINE);
    if (bytes < 4096) {
        memcpy(out, in, bytes);
        return;
    }
    memcpy(to, from, head);
    size_t i = head;
    for (; i + LINE <= bytes; i += LINE) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(from + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(from + i + 32));
        _mm256_stream_si256((__m256i *)(to + i), a);
        _mm256_stream_si256((__m256i *)(to + i + 32), b);
    }
    memcpy(to + i, from + i, bytes - i);
    _mm_sfence(); /* these stores are not ordered with what says that the data are ready */
}

void ps__fill_move_avx2(ps__kernel_set *set)
{
    set->gather[2] = gather_u32;
    set->copy2d[0] = copy2d_u8;
    set->copy2d[1] = copy2d_u16;
    set->copy2d[2] = copy2d_u32;
    set->copy2d[3] = copy2d_u64;
    set->copy2d[4] = copy2d_pair;
    set->fill[0] = fill_u8;
    set->fill[1] = fill_u16;
    set->fill[2] = fill_u32;
    set->fill[3] = fill_u64;
    set->fill[4] = fill_pair;
    set->stream = stream;
}
