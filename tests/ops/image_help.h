/* Images for the tests of convolutions and pooling: numbers, and loops that say what is right. */
#ifndef PS_TEST_OPS_IMAGE_HELP_H
#define PS_TEST_OPS_IMAGE_HELP_H

#include "engine_help.h"

static inline int64_t product_of(const int64_t *shape, int ndim)
{
    int64_t count = 1;
    for (int i = 0; i < ndim; i++)
        count *= shape[i];
    return count;
}

static inline ps_arg lengths(const int64_t *shape, int ndim)
{
    return (ps_arg){.kind = PS_ARG_INTS, .count = (uint32_t)ndim, .as.ints = shape};
}

/* Numbers between -1 and 1 that float32 and float16 have, the same for the same seed. */
static inline double *numbers_of(uint64_t seed, int64_t count)
{
    double *numbers = calloc((size_t)count + 1, sizeof *numbers);
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        numbers[i] = (double)((int64_t)(seed >> 54) - 512) / 512;
    }
    return numbers;
}

static inline ps_tensor *tensor_of(ps_dtype dtype, const double *numbers, const int64_t *shape)
{
    ps_tensor *wide;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT64, 4, shape, NULL, numbers, NULL, &wide));
    ps_tensor *made = CALL("cast", T(wide), D(dtype));
    ps_tensor_release(wide);
    return made;
}

/* The same elements, in memory by another order of the dimensions. */
static inline ps_tensor *turned(ps_tensor *x, const int64_t *order)
{
    int64_t back[4];
    for (int64_t i = 0; i < 4; i++)
        back[order[i]] = i;
    ps_tensor *view = CALL("permute", T(x), lengths(order, 4)), *copy = CALL("copy", T(view));
    ps_tensor *made = CALL("permute", T(copy), lengths(back, 4));
    ps_tensor_release(view);
    ps_tensor_release(copy);
    return made;
}

static inline ps_tensor *permuted_copy(ps_tensor *x, const int64_t *order)
{
    ps_tensor *view = CALL("permute", T(x), lengths(order, 4)), *copy = CALL("copy", T(view));
    ps_tensor_release(view);
    return copy;
}

static const int64_t to_last[4] = {0, 2, 3, 1}, to_first[4] = {0, 3, 1, 2};

/* Elements that lie apart from wanted ones by more than the room, times the size of what was added. */
static inline void check_near(ps_tensor *found, const int64_t *shape, const double *wanted,
                              const double *sizes, double room, const char *about)
{
    check_shape(found, 4, shape, about, 0);
    double *values = values_of(found);
    for (int64_t i = 0; i < product_of(shape, 4); i++)
        if (!(fabs(values[i] - wanted[i]) <= room * (1 + (sizes != NULL ? sizes[i] : 0))))
            fail_msg("%s: element %lld is %.17g, not %.17g", about, (long long)i, values[i],
                     wanted[i]);
    free(values);
}

static inline void set_workers(unsigned workers)
{
    CHECK_OK(ps_engine_set_workers(engine(), workers));
}

#endif
