/* Inputs and digests that are the same in all programs: inputs.py, in C. */
#ifndef BENCH_INPUTS_H
#define BENCH_INPUTS_H

#include <stdint.h>

enum { INPUT_PERIOD = 1 << 20, DIGEST_PERIOD = 61 };

/* Element i of input number `which`, in [0, 1). */
static inline double input_unit(uint32_t which, int64_t i)
{
    uint32_t bits = (uint32_t)(i % INPUT_PERIOD) + which * INPUT_PERIOD;
    bits = (bits ^ (bits >> 15)) * UINT32_C(0x2c1b3c6d);
    bits = (bits ^ (bits >> 12)) * UINT32_C(0x297a2d39);
    bits = bits ^ (bits >> 15);
    return (bits >> 9) * 0x1p-23;
}

/* How much element i counts in a digest. */
static inline double digest_weight(int64_t i)
{
    return (double)(i % DIGEST_PERIOD + 1) / (double)DIGEST_PERIOD;
}

#endif
