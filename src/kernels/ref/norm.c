/* Normalising: see norm.h. The loops are compiled for several instruction sets (norm_set.inc), with
 * the same bits from each: there is no fused multiplication and addition, and the number of lanes is
 * that of 64 bytes on all. */
#include "kernels/norm.h"
#include "kernels/ref/names.inc"

#undef NAME /* here a name has the word of the instruction set too */

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

enum {
    NORM_BYTES = 64, /* of a vector */
    NORM_STRIP = 4,  /* vectors of a row that are worked on together */
    NORM_GROUP = 32  /* rows likewise */
};

typedef struct norm_set {
    ps__norm_kernels single, wide; /* float32, float64 */
} norm_set;

#define EACH_SET "kernels/ref/norm_set.inc"
#include "kernels/ref/each_set.inc"

static const norm_set *set_of(const ps__kernel_set *set)
{
#ifdef __x86_64__
    if (strcmp(set->name, "avx512") == 0)
        return &norms_avx512;
    if (strcmp(set->name, "avx2") == 0)
        return &norms_avx2;
#endif
    (void)set;
    return &norms_plain;
}

const ps__norm_kernels *ps__norm_kernels_of(const ps__kernel_set *set, ps_dtype dtype)
{
    const norm_set *in = set_of(set);
    return dtype == PS_FLOAT32 ? &in->single : &in->wide;
}
