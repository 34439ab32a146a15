/* What the tests of training rows share. */
#ifndef PS_TEST_OPS_TRAIN_HELP_H
#define PS_TEST_OPS_TRAIN_HELP_H

#include "autograd_help.h"
#include "engine_help.h"

/* Numbers from -2 to 2 that do not repeat soon, in the shape. */
static inline ps_tensor *waves(ps_dtype dtype, int ndim, const int64_t *shape)
{
    ps_tensor *n = counted(PS_FLOAT64, ndim, shape), *part = CALL("multiply", T(n), F(0.7));
    ps_tensor *sine = CALL("sin", T(part)), *wide = CALL("multiply", T(sine), F(2));
    ps_tensor *x = CALL("cast", T(wide), D(dtype));
    RELEASE_ALL(n, part, sine, wide);
    return x;
}

/* The same with a gradient attached. */
static inline ps_tensor *wavy_leaf(ps_dtype dtype, int ndim, const int64_t *shape)
{
    ps_tensor *x = waves(dtype, ndim, shape);
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
    return x;
}

static inline ps_tensor *gradient_of(ps_tensor *x)
{
    ps_tensor *gradient;
    CHECK_OK(ps_grad_get(x, &gradient));
    assert_non_null(gradient);
    return gradient;
}

/* Calls a row with several outputs. */
static inline ps_status call_several(const char *name, size_t nargs, const ps_arg *args,
                                     size_t count, ps_tensor **outputs)
{
    const ps_op *op;
    CHECK_OK(ps_op_find(name, &op));
    return ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                     .args = args,
                                     .nargs = nargs,
                                     .outputs = outputs,
                                     .noutputs = count});
}

enum { TRAIN_RESULTS = 8 };

/* Makes tensors from nothing but what it says itself; those that it leaves NULL are none. */
typedef void (*train_program)(ps_tensor **results);

static inline void check_again(train_program program, ps_tensor *const *wanted, const char *what)
{
    ps_tensor *results[TRAIN_RESULTS] = {NULL};
    program(results);
    for (int i = 0; i < TRAIN_RESULTS; i++) {
        if (wanted[i] != NULL)
            check_same_bits(results[i], wanted[i], what);
        ps_tensor_release(results[i]);
    }
}

/* The program gives the same bits on any number of workers, synchronously, and unfused. */
static inline void check_everywhere(train_program program)
{
    static const unsigned workers[] = {2, 3, 8};
    ps_tensor *wanted[TRAIN_RESULTS] = {NULL};
    unsigned before;
    uint64_t state = ps_thread_state();
    CHECK_OK(ps_engine_workers(engine(), &before));
    CHECK_OK(ps_engine_set_workers(engine(), 1));
    program(wanted);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(ps_engine_set_workers(engine(), workers[i]));
        check_again(program, wanted, "other workers");
    }
    CHECK_OK(ps_engine_set_workers(engine(), before));
    CHECK_OK(ps_thread_set_state(state | PS_STATE_FUSION_OFF));
    check_again(program, wanted, "unfused");
    CHECK_OK(ps_thread_set_state((state & ~PS_STATE_MODE) | PS_MODE_SYNC));
    check_again(program, wanted, "synchronously");
    CHECK_OK(ps_thread_set_state(state));
    for (int i = 0; i < TRAIN_RESULTS; i++)
        ps_tensor_release(wanted[i]);
}

#endif
