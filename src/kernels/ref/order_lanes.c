/* Sorting many short rows at once: see order.h.
 *
 * A tile has PS__ORDER_LANES rows side by side: element k of row i is tile[k][i]. One exchange of
 * two elements is then one of whole vectors, and a network of exchanges sorts all rows without a
 * branch. Which exchanges there are depends on the length alone.
 *
 * The network: blocks of eight are sorted; then pairs of neighbours are joined until one block is
 * left. To join, the first is compared with the last, the second with the last but one and so on;
 * then each half by itself, elements half its length apart, and so on down to neighbours. All
 * exchanges put the lesser element first. So a length may be thought to be a power of two with
 * elements beyond that are behind all others: they never move. Three steps at a time are done with
 * eight vectors that are loaded and stored once.
 *
 * Keys are signed numbers. An integer is its own key but for the bits that `turn` changes; of a
 * float see order_lanes.inc. A network is not stable, so places are part of what is compared.
 *
 * The loops are compiled for several instruction sets (order_lanes_set.inc), with the same results
 * from each: the order is total. */
#include "kernels/order.h"
#include "kernels/ref/names.inc"

#undef NAME /* here a name has the word of the instruction set too */

/* Before a loop over lanes, which have nothing to do with each other. Eight rows are too many for
 * Clang to check. */
#ifdef __clang__
#undef INDEPENDENT
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#endif

enum { LANES = PS__ORDER_LANES };

/* What is done with eight rows: they are sorted, or it is three steps of a longer network. */
typedef enum exchanges { SORT, FLIP, SPREAD } exchanges;

typedef int8_t __attribute__((may_alias)) lane_8;
typedef int16_t __attribute__((may_alias)) lane_16;
typedef int32_t __attribute__((may_alias)) lane_32;
typedef int64_t __attribute__((may_alias)) lane_64;

typedef struct lane_kernels {
    /* By the logarithm of the element's bytes. */
    ps__sort_lanes_fn sort[4], sort_floats[4];
    ps__argsort_lanes_fn argsort[4], argsort_floats[4];
} lane_kernels;

#define EACH_SET "kernels/ref/order_lanes_set.inc"
#include "kernels/ref/each_set.inc"

typedef struct lane_set {
    const lane_kernels *kernels;
    size_t most[2][4]; /* elements of a row beyond which other ways are quicker: sort, argsort */
} lane_set;

static const lane_set plain = {&kernels_plain, {{64, 128, 256, 256}, {64, 64, 128, 128}}};
#ifdef __x86_64__
static const lane_set avx2 = {&kernels_avx2, {{256, 1024, 2048, 1024}, {64, 256, 1024, 512}}};
static const lane_set avx512 = {&kernels_avx512, {{256, 1024, 2048, 1024}, {64, 256, 1024, 1024}}};
#endif

static const lane_set *set_of(const ps__kernel_set *set)
{
#ifdef __x86_64__
    if (strcmp(set->name, "avx512") == 0)
        return &avx512;
    if (strcmp(set->name, "avx2") == 0)
        return &avx2;
#endif
    (void)set;
    return &plain;
}

/* The bits of infinity. */
static uint64_t infinity_of(ps_dtype dtype)
{
    switch (dtype) {
    case PS_FLOAT16:
        return 0x7C00;
    case PS_BFLOAT16:
        return 0x7F80;
    case PS_FLOAT32:
        return 0x7F800000u;
    default:
        return UINT64_C(0x7FF) << 52;
    }
}

bool ps__order_lanes(const ps__kernel_set *set, ps_dtype dtype, bool descending, bool places,
                     size_t n, ps__lanes *lanes)
{
    ps__dtype_kind kind = ps__dtype_kind_of(dtype);
    if (kind == PS__KIND_BOOL || kind == PS__KIND_COMPLEX || n < 2)
        return false;
    const lane_set *in = set_of(set);
    const lane_kernels *kernels = in->kernels;
    size_t bytes = ps__dtype_bytes(dtype), log = (size_t)__builtin_ctzll(bytes);
    bool floats = kind == PS__KIND_FLOAT;
    uint64_t sign = kind == PS__KIND_UNSIGNED ? UINT64_C(1) << (8 * bytes - 1) : 0;
    *lanes = (ps__lanes){.n = n,
                         .turn = sign ^ (descending ? UINT64_MAX : 0),
                         .infinity = floats ? infinity_of(dtype) : 0,
                         .sort = (floats ? kernels->sort_floats : kernels->sort)[log],
                         .argsort = (floats ? kernels->argsort_floats : kernels->argsort)[log]};
    return n <= in->most[places][log];
}
