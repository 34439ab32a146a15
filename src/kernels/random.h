/* Random numbers by counter: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011).
 *
 * A state is a 64-bit key and a 128-bit counter; the counter is at a block of four 32-bit words,
 * and block b of a state is Philox(key, counter + b). Nothing here keeps or changes a state but
 * ps__random_advance.
 *
 * Rules
 *   1. A fill of n elements uses ps__random_blocks blocks: a function of the distribution, the
 *      element type and n, never of the values or the parameters.
 *   2. The bits of element i follow from the key, the counter, i and the spec alone: they are the
 *      same whichever range [begin, end) it is computed in, and on every instruction set. What is
 *      not exact is therefore done by polynomials of our own in fused multiply-adds, in one order.
 *   3. Nothing is rejected: an element needs one word, or two, and always the same ones. The two
 *      normals of a pair share their two words, which are of one block.
 *
 * Which words are an element's. Blocks are taken in tiles of 8. A tile is 16 words of 64 bits: word
 * q < 8 is words 0 (low half) and 1 (high half) of the tile's block q, word q + 8 is words 2 and 3
 * of block q. As 32-bit words these are numbered the same way, low half first, 0 to 31.
 *   32 elements a tile   one 32-bit word each: floats of at most 32 bits, bool, uint32 bits
 *   16 elements a tile   one 64-bit word each: float64, uint64 bits, integers of at most 32 bits
 *    8 elements a tile   words q and q + 8, as one number of 128 bits: 64-bit integers */
#ifndef PS_KERNELS_RANDOM_H
#define PS_KERNELS_RANDOM_H

#include "dtype/dtype.h"

typedef struct ps__random {
    uint64_t key;
    uint64_t counter[2]; /* low half first */
} ps__random;

typedef enum ps__distribution {
    /* All bits random: uint32, uint64. */
    PS__RANDOM_BITS,
    /* [low, high), for floats. low and high are rounded to the element type first. The element is
     * low + u (high - low), u a multiple of 2^-24 (float64: 2^-53) in [0, 1), computed in float32
     * (float64), and then rounded to nearest, but never above the last value below high. If high
     * is not above low, every element is low. */
    PS__RANDOM_UNIFORM,
    /* mean + deviation * z, for floats. z is from Box and Muller's method: it reaches 6.7 (float64:
     * 9.4). The 16-bit floats are rounded from float32. */
    PS__RANDOM_NORMAL,
    /* scale * -log(u), for floats, u in (0, 1); never negative. */
    PS__RANDOM_EXPONENTIAL,
    /* low, low + 1, ... low + span, for integers: the integer part of x (span + 1), where x in
     * [0, 1) has 64 bits, or 128 for the 64-bit types. The probability of a value is wrong by less
     * than 2^-64, or 2^-128, and by nothing if span + 1 is a power of two. */
    PS__RANDOM_INTEGERS,
    /* True with the probability given, rounded to a multiple of 2^-32; bool. 0 and 1 are exact. */
    PS__RANDOM_BERNOULLI,
    PS__DISTRIBUTIONS
} ps__distribution;

/* Parameters are finite, and in range for the element type; a probability is in [0, 1]. */
typedef struct ps__random_spec {
    ps__distribution distribution;
    ps_dtype dtype;
    union {
        struct {
            double low, high;
        } uniform;
        struct {
            double mean, deviation;
        } normal;
        struct {
            double scale;
        } exponential;
        struct {
            uint64_t low;  /* of a signed type: converted to uint64_t */
            uint64_t span; /* the last value less the first; all ones: all of 64 bits */
        } integers;
        struct {
            double probability;
        } bernoulli;
    };
} ps__random_spec;

bool ps__random_supports(ps__distribution distribution, ps_dtype dtype);

/* How far the state of a fill of `count` elements is to be advanced. */
uint64_t ps__random_blocks(ps__distribution distribution, ps_dtype dtype, uint64_t count);

static inline void ps__random_advance(ps__random *state, uint64_t blocks)
{
    state->counter[0] += blocks;
    state->counter[1] += state->counter[0] < blocks;
}

/* Elements [begin, end) of the fill; `out` is where element `begin` goes. */
void ps__random_fill(const ps__random *state, const ps__random_spec *spec, uint64_t begin,
                     uint64_t end, void *out);
/* The same by the instruction set of that name; false if there is none such here. For tests. */
bool ps__random_fill_with(const char *name, const ps__random *state, const ps__random_spec *spec,
                          uint64_t begin, uint64_t end, void *out);

/* A random order of 0 .. n-1, each as likely as the others to within 2^-64. Uses as many blocks as
 * n integers of type int64. */
void ps__random_permutation(const ps__random *state, int64_t n, int64_t *out);

/* ---- What an instruction set implements ------------------------------------------------ */

enum {
    PS__RANDOM_TILE_BLOCKS = 8,
    PS__RANDOM_TILE_WORDS = 16, /* of 64 bits */
    PS__RANDOM_TILE_MAX = 32,   /* elements */
    PS__RANDOM_GROUP = 4,       /* tiles of which a set makes the words together */
    PS__RANDOM_CHUNK = 16 /* tiles that are made at a time: their words stay in the L1 cache */
};

/* A spec worked out: the parameters in the type that the arithmetic is done in. */
typedef struct ps__random_plan {
    ps__distribution distribution;
    ps_dtype dtype;
    /* uniform: low, high, the largest value allowed; normal: mean, deviation; exponential: half
     * the scale. `narrow` are the same for arithmetic in float32. */
    double wide[3];
    float narrow[3];
    uint64_t low, span; /* integers */
    uint32_t last;      /* bernoulli: true for words up to this one, */
    bool possible;      /* if at all */
} ps__random_plan;

typedef struct ps__random_set {
    const char *name;
    /* The 64-bit words of `tiles` tiles of a state. There is room for a multiple of
     * PS__RANDOM_GROUP tiles. */
    void (*words)(const ps__random *state, size_t tiles, uint64_t *words);
    /* The elements of `tiles` whole tiles of a state. */
    void (*fill)(const ps__random *state, const ps__random_plan *plan, size_t tiles, void *out);
} ps__random_set;

extern const ps__random_set ps__random_ref;
#ifdef __x86_64__
extern const ps__random_set ps__random_avx2, ps__random_avx512;
#endif

/* floor(x (span + 1) / 2^128), where x is the number of 128 bits. */
static inline uint64_t ps__random_scale(uint64_t x_high, uint64_t x_low, uint64_t span)
{
    if (span == UINT64_MAX)
        return x_high;
    unsigned __int128 range = span + 1;
    uint64_t carry = (uint64_t)(range * x_low >> 64);
    return (uint64_t)((range * x_high + carry) >> 64);
}

#endif
