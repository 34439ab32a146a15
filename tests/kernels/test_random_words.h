/* What the tests of random fills share: an independent Philox, also backwards, so that a test can
 * ask for the state whose first block has the words it wants; and the list of fills. */
#ifndef TEST_RANDOM_WORDS_H
#define TEST_RANDOM_WORDS_H

#include <stdlib.h>

#include "kernels/random.h"

static const char *const set_names[] = {"ref", "avx2", "avx512"};
enum { SETS = 3, SPECS_MAX = 64 };

typedef struct block {
    uint32_t word[4];
} block;

static inline block counter_of(const ps__random *state)
{
    return (block){{(uint32_t)state->counter[0], (uint32_t)(state->counter[0] >> 32),
                    (uint32_t)state->counter[1], (uint32_t)(state->counter[1] >> 32)}};
}

/* Philox4x32-10 as it is published, a block at a time. */
static inline block philox_block(uint64_t key, block x)
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t p = UINT64_C(0xD2511F53) * x.word[0], q = UINT64_C(0xCD9E8D57) * x.word[2];
        x = (block){{(uint32_t)(q >> 32) ^ x.word[1] ^ k0, (uint32_t)q,
                     (uint32_t)(p >> 32) ^ x.word[3] ^ k1, (uint32_t)p}};
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    return x;
}

/* The inverse of an odd number modulo 2^32: each step doubles the bits that are right. */
static inline uint32_t inverse(uint32_t odd)
{
    uint32_t x = odd;
    for (int i = 0; i < 5; i++)
        x *= 2 - odd * x;
    return x;
}

/* The state whose first block is `x`. */
static inline ps__random state_with_block(uint64_t key, block x)
{
    uint32_t k0 = (uint32_t)key + 9 * 0x9E3779B9U, k1 = (uint32_t)(key >> 32) + 9 * 0xBB67AE85U;
    for (int round = 0; round < 10; round++) {
        uint32_t c0 = x.word[3] * inverse(0xD2511F53), c2 = x.word[1] * inverse(0xCD9E8D57);
        uint32_t p = (uint32_t)(UINT64_C(0xD2511F53) * c0 >> 32);
        uint32_t q = (uint32_t)(UINT64_C(0xCD9E8D57) * c2 >> 32);
        x = (block){{c0, x.word[0] ^ q ^ k0, c2, x.word[2] ^ p ^ k1}};
        k0 -= 0x9E3779B9;
        k1 -= 0xBB67AE85;
    }
    return (
        ps__random){key,
                    {(uint64_t)x.word[1] << 32 | x.word[0], (uint64_t)x.word[3] << 32 | x.word[2]}};
}

/* Every distribution with every type that it has, and parameters that are not the simplest. */
static inline int all_specs(ps__random_spec specs[SPECS_MAX])
{
    int n = 0;
    for (int distribution = 0; distribution < PS__DISTRIBUTIONS; distribution++) {
        for (int dtype = 0; dtype < PS__DTYPES; dtype++) {
            if (!ps__random_supports((ps__distribution)distribution, (ps_dtype)dtype))
                continue;
            ps__random_spec spec = {(ps__distribution)distribution, (ps_dtype)dtype, {{0, 0}}};
            if (distribution == PS__RANDOM_UNIFORM || distribution == PS__RANDOM_NORMAL) {
                spec.uniform.low = -1.25; /* or the mean */
                spec.uniform.high = 3.1;  /* or the deviation */
            } else if (distribution == PS__RANDOM_EXPONENTIAL) {
                spec.exponential.scale = 2.7;
            } else if (distribution == PS__RANDOM_BERNOULLI) {
                spec.bernoulli.probability = 0.3;
            } else if (distribution == PS__RANDOM_INTEGERS) {
                spec.integers.low = (uint64_t)-50;
                spec.integers.span = 98;
                specs[n++] = spec; /* and once with the whole range of the type */
                spec.integers.low = 0;
                spec.integers.span = UINT64_MAX >> (64 - 8 * ps__dtype_bytes((ps_dtype)dtype));
                specs[n++] = spec;
                spec.integers.span -= spec.integers.span / 3; /* and with most of it */
            }
            specs[n++] = spec;
        }
    }
    return n;
}

#endif
