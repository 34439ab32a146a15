/* Positions, masks and their release, for the tests of indexing. */
#ifndef TESTS_OPS_POSITIONS_HELP_H
#define TESTS_OPS_POSITIONS_HELP_H

#include "help.h"

static inline ps_tensor *indices_of(ps_dtype dtype, int ndim, const int64_t *shape,
                                    const int64_t *values)
{
    ps_tensor *wide, *typed;
    CHECK_OK(ps_tensor_from_host(PS_INT64, ndim, shape, NULL, values, NULL, &wide));
    typed = CALL("cast", T(wide), D(dtype));
    ps_tensor_release(wide);
    return typed;
}

#define INDICES(dtype, ...) indices_of(dtype, SHAPE_OF(__VA_ARGS__), (int64_t[]){__VA_ARGS__})
#define SHAPE_OF(...)                                                                              \
    1, (int64_t[])                                                                                 \
    {                                                                                              \
        sizeof((int64_t[]){__VA_ARGS__}) / 8                                                       \
    }

static inline ps_tensor *mask_of(int ndim, const int64_t *shape, const char *text)
{
    unsigned char bytes[256];
    ps_tensor *mask;
    for (size_t i = 0; i < strlen(text); i++)
        bytes[i] = text[i] == '1';
    CHECK_OK(ps_tensor_from_host(PS_BOOL, ndim, shape, NULL, bytes, NULL, &mask));
    return mask;
}

static inline void release_all(ps_tensor **tensors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ps_tensor_release(tensors[i]);
}

#define RELEASE(...)                                                                               \
    release_all((ps_tensor *[]){__VA_ARGS__},                                                      \
                sizeof((ps_tensor *[]){__VA_ARGS__}) / sizeof(ps_tensor *))

#endif
