/* ref/arithmetic.inc compiled for AVX2. */
#include "kernels/cpu/independent.h"

#define FILL ps__fill_plain_narrow_avx2
#define WITH_NARROW
#include "kernels/ref/arithmetic.inc"

#include "kernels/cpu/fill.h"

/* Choices of narrow elements are not made vectors of unless said in bits. */
static void choose_8(MAP_ARGS)
{
    const uint8_t *which = in[0], *a = in[1], *b = in[2];
    uint8_t *o = out;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        uint8_t mask = (uint8_t) - (which[i] != 0);
        o[i] = (uint8_t)((a[i] & mask) | (b[i] & ~mask));
    }
}

static void choose_16(MAP_ARGS)
{
    const uint8_t *which = in[0];
    const uint16_t *a = in[1], *b = in[2];
    uint16_t *o = out;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        uint16_t mask = (uint16_t) - (which[i] != 0);
        o[i] = (uint16_t)((a[i] & mask) | (b[i] & ~mask));
    }
}

void ps__fill_narrow_avx2(ps__kernel_set *set)
{
    ps__fill_plain_narrow_avx2(set);
    set->map[PS__PRIM_where][PS_BOOL][PS__FORM_ALL] = choose_8;
    set->map[PS__PRIM_where][PS_INT8][PS__FORM_ALL] = choose_8;
    set->map[PS__PRIM_where][PS_UINT8][PS__FORM_ALL] = choose_8;
    set->map[PS__PRIM_where][PS_INT16][PS__FORM_ALL] = choose_16;
    set->map[PS__PRIM_where][PS_UINT16][PS__FORM_ALL] = choose_16;
}
