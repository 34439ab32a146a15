/* What the tests of gradients share. */
#ifndef PS_TEST_OPS_AUTOGRAD_HELP_H
#define PS_TEST_OPS_AUTOGRAD_HELP_H

#include "help.h"

#define RELEASE_ALL(...)                                                                           \
    do {                                                                                           \
        ps_tensor *list_[] = {__VA_ARGS__};                                                        \
        for (size_t i_ = 0; i_ < sizeof list_ / sizeof list_[0]; i_++)                             \
            ps_tensor_release(list_[i_]);                                                          \
    } while (0)

static inline void record(void)
{
    CHECK_OK(ps_thread_set_state(ps_thread_state() | PS_STATE_RECORDING));
}

static inline void pause_it(void)
{
    CHECK_OK(ps_thread_set_state(ps_thread_state() & ~PS_STATE_RECORDING));
}

static inline ps_tensor *leaf(int ndim, const int64_t *shape)
{
    ps_tensor *x = counted(PS_FLOAT64, ndim, shape);
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
    return x;
}

static inline void backward(ps_tensor *head)
{
    CHECK_OK(ps_backward(&head, 1, NULL));
}

static inline void check_grad(ps_tensor *x, size_t count, const double *wanted, const char *file,
                              int line)
{
    ps_tensor *grad;
    CHECK_OK(ps_grad_get(x, &grad));
    assert_non_null(grad);
    assert_int_equal(ps_tensor_count(grad), count);
    double *found = values_of(grad);
    for (size_t i = 0; i < count; i++)
        if (!(fabs(found[i] - wanted[i]) <= 1e-12 * (1 + fabs(wanted[i]))))
            fail_msg("%s:%d: element %zu is %.17g, not %.17g", file, line, i, found[i], wanted[i]);
    free(found);
    ps_tensor_release(grad);
}

#define CHECK_GRAD(x, ...)                                                                         \
    check_grad(x, sizeof((double[]){__VA_ARGS__}) / 8, (double[]){__VA_ARGS__}, __FILE__, __LINE__)

static inline void nothing_is_left(void)
{
    ps_graph_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_graph_get_stats(&stats));
    assert_int_equal(stats.nodes, 0);
    assert_int_equal(stats.saves, 0);
}

#endif
