/* Random fills: how much they use, parameters worked out, ranges cut into tiles, the choice of an
 * instruction set. The generator and the distributions are in ref/random_*.inc, once for all
 * instruction sets. */
#include "kernels/random.h"

#include <stdatomic.h>
#include <string.h>

#include "base/atomic.h"
#include "kernels/kernels.h"

static const ps__dtype_set supported[PS__DISTRIBUTIONS] = {
    [PS__RANDOM_BITS] = PS__DTYPE_BIT(PS_UINT32) | PS__DTYPE_BIT(PS_UINT64),
    [PS__RANDOM_UNIFORM] = PS__SET_FLOAT,
    [PS__RANDOM_NORMAL] = PS__SET_FLOAT,
    [PS__RANDOM_EXPONENTIAL] = PS__SET_FLOAT,
    [PS__RANDOM_INTEGERS] = PS__SET_INTEGER,
    [PS__RANDOM_BERNOULLI] = PS__SET_BOOL,
};

bool ps__random_supports(ps__distribution distribution, ps_dtype dtype)
{
    return (unsigned)distribution < PS__DISTRIBUTIONS && ps__dtype_valid((int)dtype) &&
           (supported[distribution] & PS__DTYPE_BIT(dtype));
}

static unsigned elements_per_tile(ps__distribution distribution, ps_dtype dtype)
{
    bool wide = ps__dtype_bytes(dtype) == 8;
    if (distribution == PS__RANDOM_INTEGERS)
        return wide ? 8 : 16;
    return wide ? 16 : 32;
}

uint64_t ps__random_blocks(ps__distribution distribution, ps_dtype dtype, uint64_t count)
{
    unsigned per_tile = elements_per_tile(distribution, dtype);
    uint64_t tiles = count / per_tile + (count % per_tile != 0);
    return tiles * PS__RANDOM_TILE_BLOCKS;
}

/* ---- Plans ----------------------------------------------------------------------------- */

/* A parameter as the element type has it. */
static double rounded(double value, ps_dtype dtype)
{
    uint64_t element = 0;
    ps_scalar scalar = {.tag = PS_SCALAR_DOUBLE, .as.d = value};
    ps__scalar_cast(scalar, dtype, &element);
    return ps__scalar_load(dtype, &element).as.d;
}

/* The value of the element type before this one. All floats are a sign and a magnitude whose order
 * is that of its bits. */
static double value_below(double value, ps_dtype dtype)
{
    uint64_t element = 0, sign = (uint64_t)1 << (8 * ps__dtype_bytes(dtype) - 1);
    ps_scalar scalar = {.tag = PS_SCALAR_DOUBLE, .as.d = value};
    ps__scalar_cast(scalar, dtype, &element);
    if (element == 0 || element == sign)
        element = sign + 1;
    else if (element & sign)
        element++;
    else
        element--;
    return ps__scalar_load(dtype, &element).as.d;
}

static void plan_uniform(ps__random_plan *plan, double low, double high)
{
    plan->wide[0] = rounded(low, plan->dtype);
    plan->wide[1] = rounded(high, plan->dtype);
    plan->wide[2] = value_below(plan->wide[1], plan->dtype);
    if (plan->wide[1] <= plan->wide[0])
        plan->wide[1] = plan->wide[2] = plan->wide[0];
}

static void plan_bernoulli(ps__random_plan *plan, double probability)
{
    uint64_t below = (uint64_t)(probability * 0x1p32 + 0.5);
    plan->possible = below > 0;
    plan->last = (uint32_t)(below - plan->possible);
}

static ps__random_plan plan_make(const ps__random_spec *spec)
{
    ps__random_plan plan = {.distribution = spec->distribution, .dtype = spec->dtype};
    switch (spec->distribution) {
    case PS__RANDOM_UNIFORM:
        plan_uniform(&plan, spec->uniform.low, spec->uniform.high);
        break;
    case PS__RANDOM_NORMAL:
        plan.wide[0] = spec->normal.mean;
        plan.wide[1] = spec->normal.deviation;
        break;
    case PS__RANDOM_EXPONENTIAL:
        plan.wide[0] = 0.5 * spec->exponential.scale;
        break;
    case PS__RANDOM_INTEGERS:
        plan.low = spec->integers.low;
        plan.span = spec->integers.span;
        break;
    case PS__RANDOM_BERNOULLI:
        plan_bernoulli(&plan, spec->bernoulli.probability);
        break;
    default:
        break;
    }
    for (int i = 0; i < 3; i++)
        plan.narrow[i] = (float)plan.wide[i];
    return plan;
}

/* ---- Instruction sets ------------------------------------------------------------------ */

static const ps__random_set *set_find(const char *name)
{
#ifdef __x86_64__
    if (!strcmp(name, ps__random_avx512.name))
        return &ps__random_avx512;
    if (!strcmp(name, ps__random_avx2.name))
        return &ps__random_avx2;
#endif
    return strcmp(name, ps__random_ref.name) ? NULL : &ps__random_ref;
}

/* The set in use. Every thread that finds it missing puts the same one here, and what it points to
 * is constant, so no order is needed. */
static const ps__random_set *_Atomic chosen;

static const ps__random_set *set_get(void)
{
    const ps__random_set *set = ps__load(&chosen);
    if (PS_UNLIKELY(!set)) {
        set = set_find(ps__kernels_get()->name);
        if (!set)
            set = &ps__random_ref;
        ps__store(&chosen, set);
    }
    return set;
}

/* ---- Fills ----------------------------------------------------------------------------- */

static void fill_range(const ps__random_set *set, const ps__random *state,
                       const ps__random_spec *spec, uint64_t begin, uint64_t end, void *out)
{
    ps__random_plan plan = plan_make(spec);
    unsigned per_tile = elements_per_tile(spec->distribution, spec->dtype);
    size_t bytes = ps__dtype_bytes(spec->dtype);
    char *to = out;
    while (begin < end) {
        ps__random at = *state;
        ps__random_advance(&at, begin / per_tile * PS__RANDOM_TILE_BLOCKS);
        unsigned skip = (unsigned)(begin % per_tile);
        uint64_t n = end - begin;
        if (skip || n < per_tile) { /* a part of a tile: make all of it */
            _Alignas(64) char tile[8 * PS__RANDOM_TILE_MAX];
            set->fill(&at, &plan, 1, tile);
            n = n < per_tile - skip ? n : per_tile - skip;
            memcpy(to, tile + skip * bytes, n * bytes);
        } else {
            set->fill(&at, &plan, n / per_tile, to);
            n -= n % per_tile;
        }
        begin += n;
        to += n * bytes;
    }
}

void ps__random_fill(const ps__random *state, const ps__random_spec *spec, uint64_t begin,
                     uint64_t end, void *out)
{
    fill_range(set_get(), state, spec, begin, end, out);
}

bool ps__random_fill_with(const char *name, const ps__random *state, const ps__random_spec *spec,
                          uint64_t begin, uint64_t end, void *out)
{
    const ps__random_set *set = ps__kernels_find(name) ? set_find(name) : NULL;
    if (!set)
        return false;
    fill_range(set, state, spec, begin, end, out);
    return true;
}

/* Fisher and Yates: place i, from the first to the last, takes i and changes with a place up to its
 * own, chosen by element i of the stream. */
void ps__random_permutation(const ps__random *state, int64_t n, int64_t *out)
{
    enum { PER_TILE = 8, PER_CHUNK = PER_TILE * PS__RANDOM_CHUNK };
    _Alignas(64) uint64_t words[PS__RANDOM_TILE_WORDS * PS__RANDOM_CHUNK];
    const ps__random_set *set = set_get();
    ps__random at = *state;
    for (int64_t i = 0; i < n; i++) {
        if (i % PER_CHUNK == 0) {
            set->words(&at, PS__RANDOM_CHUNK, words);
            ps__random_advance(&at, PS__RANDOM_CHUNK * PS__RANDOM_TILE_BLOCKS);
        }
        const uint64_t *x = words + i % PER_CHUNK / PER_TILE * PS__RANDOM_TILE_WORDS + i % PER_TILE;
        uint64_t j = ps__random_scale(x[0], x[PER_TILE], (uint64_t)i);
        out[i] = i;
        int64_t other = out[j];
        out[j] = i;
        out[i] = other;
    }
}
