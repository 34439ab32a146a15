/* ref/casts.inc compiled for AVX-512; float16 by the processor's own conversion. */
#include "kernels/cpu/independent.h"

#define FILL ps__fill_plain_casts_floats_avx512
#define FROM_FLOATS
#include "kernels/ref/casts.inc"

#include "kernels/cpu/fill.h"
#include "kernels/cpu/vector_avx512.h"

static void odd_floats(size_t n, void *out, const void *in)
{
    const double *a = in;
    float *o = out;
    for (size_t i = 0; i < n; i++)
        o[i] = ps__double_to_odd_float(a[i]);
}

#define STAGES "kernels/cpu/halves_floats.def"
#include "kernels/cpu/halves.inc"

static void half_to_float(size_t n, void *out, const void *in)
{
    halves_to_floats(n, out, in);
}

static void half_of_float(size_t n, void *out, const void *in)
{
    floats_to_halves(n, out, in);
}

void ps__fill_casts_floats_avx512(ps__kernel_set *set)
{
    ps__fill_plain_casts_floats_avx512(set);
    enter_halves(set);
    set->cast[PS_FLOAT16][PS_FLOAT32] = half_to_float;
    set->cast[PS_FLOAT32][PS_FLOAT16] = half_of_float;
}
