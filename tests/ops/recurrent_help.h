/* What the tests of recurrent layers share: operands of some sizes, and calls of rnn. */
#ifndef PS_TEST_OPS_RECURRENT_HELP_H
#define PS_TEST_OPS_RECURRENT_HELP_H

#include "autograd_help.h"

typedef struct sizes {
    const char *mode;
    int64_t steps, batch, inputs, hidden, layers, directions;
    bool masked;
} sizes;

/* Arguments of rnn that are tensors; cell and mask may be NULL. */
enum { X, PARAMETERS, STATE, CELL, MASK, OPERANDS };
enum { Y, LAST, LAST_CELL, RESERVE, RESULTS };

static inline int64_t gates_of(const sizes *s)
{
    return strcmp(s->mode, "lstm") == 0 ? 4 : strcmp(s->mode, "gru") == 0 ? 3 : 1;
}

static inline int64_t parameters_of(const sizes *s)
{
    int64_t rows = gates_of(s) * s->hidden, count = 0;
    for (int64_t layer = 0; layer < s->layers; layer++) {
        int64_t inputs = layer == 0 ? s->inputs : s->directions * s->hidden;
        count += s->directions * rows * (inputs + s->hidden + 2);
    }
    return count;
}

static inline ps_tensor *normal(ps_dtype dtype, int ndim, const int64_t *shape)
{
    ps_arg to = {.kind = PS_ARG_INTS, .count = (uint32_t)ndim, .as.ints = shape};
    return CALL("random_normal", to, F(0), F(0.6), D(dtype));
}

static inline void operands_of(const sizes *s, ps_dtype dtype, ps_tensor *operands[OPERANDS])
{
    int64_t tracks = s->layers * s->directions;
    ps_generator_seed(NULL, 7);
    operands[X] = normal(dtype, SHAPE(s->steps, s->batch, s->inputs));
    operands[PARAMETERS] = normal(dtype, SHAPE(parameters_of(s)));
    operands[STATE] = normal(dtype, SHAPE(tracks, s->batch, s->hidden));
    operands[CELL] = operands[MASK] = NULL;
    if (gates_of(s) == 4)
        operands[CELL] = normal(dtype, SHAPE(tracks, s->batch, s->hidden));
    if (s->masked)
        operands[MASK] =
            normal(dtype, SHAPE(s->layers - 1, s->steps, s->batch, s->directions * s->hidden));
}

static inline void release_operands(ps_tensor **operands, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ps_tensor_release(operands[i]);
}

static inline ps_arg optional(ps_tensor *x)
{
    return x != NULL ? T(x) : NONE;
}

static inline ps_status call_several(const char *name, size_t nargs, const ps_arg *args,
                                     ps_tensor **outputs, size_t count)
{
    const ps_op *op;
    ps_status status = ps_op_find(name, &op);
    if (status != PS_OK)
        return status;
    return ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                     .args = args,
                                     .nargs = nargs,
                                     .outputs = outputs,
                                     .noutputs = count});
}

static inline ps_status try_rnn(const sizes *s, ps_tensor *const *o, ps_tensor **results)
{
    return call_several("rnn",
                        ARGS(T(o[X]), T(o[PARAMETERS]), T(o[STATE]), S(s->mode), optional(o[CELL]),
                             optional(o[MASK]), B(s->directions == 2)),
                        results, RESULTS);
}

static inline void rnn(const sizes *s, ps_tensor *const *operands, ps_tensor *results[RESULTS])
{
    memset(results, 0, RESULTS * sizeof results[0]);
    CHECK_OK(try_rnn(s, operands, results));
}

/* Every kind of cell; one and two layers, one and both directions, with and without a mask. */
static const sizes all_sizes[] = {
    {"rnn_tanh", 4, 2, 3, 5, 1, 1, false}, {"rnn_relu", 3, 2, 3, 4, 2, 2, true},
    {"lstm", 4, 2, 3, 5, 1, 1, false},     {"lstm", 3, 2, 3, 4, 2, 1, true},
    {"lstm", 3, 2, 2, 3, 2, 2, false},     {"lstm", 1, 1, 1, 1, 1, 1, false},
    {"gru", 4, 2, 3, 5, 1, 1, false},      {"gru", 3, 2, 3, 4, 2, 2, true},
    {"gru", 3, 1, 2, 3, 1, 2, false},      {"rnn_tanh", 1, 1, 1, 1, 2, 1, false},
};
enum { ALL_SIZES = sizeof all_sizes / sizeof all_sizes[0] };

#endif
