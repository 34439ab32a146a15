/* ref/casts.inc compiled for AVX-512; float16 by the processor's own conversion. */
#include "kernels/cpu/independent.h"

#define FILL ps__fill_plain_casts_integers_avx512
#define FROM_INTEGERS
#include "kernels/ref/casts.inc"

#include "kernels/cpu/fill.h"
#include "kernels/cpu/vector_avx512.h"

#define STAGES "kernels/cpu/halves_integers.def"
#include "kernels/cpu/halves.inc"

void ps__fill_casts_integers_avx512(ps__kernel_set *set)
{
    ps__fill_plain_casts_integers_avx512(set);
    enter_halves(set);
}
