/* Places of maxima: see places.h. The loops are compiled for several instruction sets
 * (places_set.inc), with the same bits from each. */
#include "kernels/places.h"
#include "kernels/ref/names.inc"

#undef NAME /* here a name has the word of the instruction set too */

typedef struct place_set {
    ps__place_kernels single, wide; /* float32, float64 */
} place_set;

#define EACH_SET "kernels/ref/places_set.inc"
#include "kernels/ref/each_set.inc"

static const place_set *set_of(const ps__kernel_set *set)
{
#ifdef __x86_64__
    if (strcmp(set->name, "avx512") == 0)
        return &places_avx512;
    if (strcmp(set->name, "avx2") == 0)
        return &places_avx2;
#endif
    (void)set;
    return &places_plain;
}

const ps__place_kernels *ps__place_kernels_of(const ps__kernel_set *set, ps_dtype dtype)
{
    const place_set *in = set_of(set);
    return dtype == PS_FLOAT32 ? &in->single : &in->wide;
}
