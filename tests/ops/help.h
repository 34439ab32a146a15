/* What the tests of operations share: short ways to make tensors, call operations and compare. */
#ifndef PS_TEST_OPS_HELP_H
#define PS_TEST_OPS_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "limit.h"
#include "penstock.h"

static inline void check_ok(ps_status status, const char *what, const char *file, int line)
{
    if (status != PS_OK)
        fail_msg("%s:%d: %s: %s: %s", file, line, what, ps_status_name(status), ps_last_error());
}

#define CHECK_OK(expression) check_ok((expression), #expression, __FILE__, __LINE__)

/* The expression fails with that status, and its text contains `part`. */
#define CHECK_FAILS(wanted, part, expression)                                                      \
    do {                                                                                           \
        ps_status status_ = (expression);                                                          \
        if (status_ != (wanted) || strstr(ps_last_error(), (part)) == NULL)                        \
            fail_msg("%s:%d: %s: %s: \"%s\"", __FILE__, __LINE__, #expression,                     \
                     ps_status_name(status_), ps_last_error());                                    \
    } while (0)

#define SHAPE(...)                                                                                 \
    (int)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (int64_t[])                                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

#define T(x) ((ps_arg){.kind = PS_ARG_TENSOR, .as.tensor = (x)})
#define F(x) ((ps_arg){.kind = PS_ARG_DOUBLE, .as.number = (x)})
#define I(x) ((ps_arg){.kind = PS_ARG_INT, .as.integer = (x)})
#define B(x) ((ps_arg){.kind = PS_ARG_BOOL, .as.boolean = (x)})
#define D(x) ((ps_arg){.kind = PS_ARG_DTYPE, .as.dtype = (x)})
#define S(x) ((ps_arg){.kind = PS_ARG_TEXT, .as.text = (x)})
#define NONE ((ps_arg){.kind = PS_ARG_NONE})
#define INTS(...)                                                                                  \
    ((ps_arg){.kind = PS_ARG_INTS,                                                                 \
              .count = sizeof((int64_t[]){__VA_ARGS__}) / 8,                                       \
              .as.ints = (int64_t[]){__VA_ARGS__}})
#define ARGS(...)                                                                                  \
    sizeof((ps_arg[]){__VA_ARGS__}) / sizeof(ps_arg), (ps_arg[])                                   \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Calls an operation with one output. */
static inline ps_status call_into(const char *name, size_t nargs, const ps_arg *args,
                                  ps_tensor **out)
{
    const ps_op *op;
    ps_status status = ps_op_find(name, &op);
    if (status != PS_OK)
        return status;
    return ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                     .args = args,
                                     .nargs = nargs,
                                     .outputs = out,
                                     .noutputs = 1});
}

static inline ps_tensor *call(const char *name, size_t nargs, const ps_arg *args)
{
    ps_tensor *out = NULL;
    check_ok(call_into(name, nargs, args, &out), name, __FILE__, __LINE__);
    return out;
}

#define CALL(name, ...) call(name, ARGS(__VA_ARGS__))

static inline ps_tensor *from_floats(int ndim, const int64_t *shape, const float *values)
{
    ps_tensor *tensor;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, ndim, shape, NULL, values, NULL, &tensor));
    return tensor;
}

/* 0, 1, 2, ... in the shape, as the type. */
static inline ps_tensor *counted(ps_dtype dtype, int ndim, const int64_t *shape)
{
    int64_t count = 1;
    for (int i = 0; i < ndim; i++)
        count *= shape[i];
    ps_tensor *line = CALL("arange", I(count)), *typed = CALL("cast", T(line), D(dtype));
    ps_arg to = {.kind = PS_ARG_INTS, .count = (uint32_t)ndim, .as.ints = shape};
    ps_tensor *result = CALL("reshape", T(typed), to);
    ps_tensor_release(line);
    ps_tensor_release(typed);
    return result;
}

/* The elements as doubles; the caller frees them. */
static inline double *values_of(ps_tensor *tensor)
{
    int64_t count = ps_tensor_count(tensor);
    ps_tensor *wide = CALL("cast", T(tensor), D(PS_FLOAT64));
    double *values = calloc((size_t)count + 1, sizeof *values);
    CHECK_OK(ps_tensor_to_host(wide, values, (size_t)count * sizeof *values));
    ps_tensor_release(wide);
    return values;
}

static inline void check_values(ps_tensor *tensor, size_t count, const double *wanted,
                                const char *file, int line)
{
    if ((size_t)ps_tensor_count(tensor) != count)
        fail_msg("%s:%d: %lld elements, not %zu", file, line, (long long)ps_tensor_count(tensor),
                 count);
    double *values = values_of(tensor);
    for (size_t i = 0; i < count; i++)
        if (!(values[i] == wanted[i] || (isnan(values[i]) && isnan(wanted[i]))))
            fail_msg("%s:%d: element %zu is %.17g, not %.17g", file, line, i, values[i], wanted[i]);
    free(values);
}

/* The tensor's elements are exactly these. */
#define CHECK_VALUES(tensor, ...)                                                                  \
    check_values(tensor, sizeof((double[]){__VA_ARGS__}) / sizeof(double),                         \
                 (double[]){__VA_ARGS__}, __FILE__, __LINE__)

/* All elements, side by side; how many bytes they have. */
static inline void *bytes_of(ps_tensor *x, size_t *count)
{
    *count = (size_t)ps_tensor_count(x) * ps_dtype_bytes(ps_tensor_dtype(x));
    void *bytes = calloc(*count + 1, 1);
    CHECK_OK(ps_tensor_to_host(x, bytes, *count));
    return bytes;
}

static inline void check_same_bits(ps_tensor *a, ps_tensor *b, const char *what)
{
    size_t na, nb;
    void *x = bytes_of(a, &na), *y = bytes_of(b, &nb);
    if (na != nb || memcmp(x, y, na) != 0)
        fail_msg("%s: other bits", what);
    free(x);
    free(y);
}

static inline void check_shape(const ps_tensor *tensor, int ndim, const int64_t *shape,
                               const char *file, int line)
{
    bool same = ps_tensor_ndim(tensor) == ndim;
    for (int i = 0; same && i < ndim; i++)
        same = ps_tensor_shape(tensor)[i] == shape[i];
    if (!same)
        fail_msg("%s:%d: another shape", file, line);
}

#define CHECK_SHAPE(tensor, ...) check_shape(tensor, SHAPE(__VA_ARGS__), __FILE__, __LINE__)

#endif
