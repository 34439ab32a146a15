/* Gradients through views of views that repeat elements: each element gets what flows to all of its
 * repeats, once. */
#include "help.h"

/* What makes a view of the repeated tensor, of shape (2, 3). */
typedef ps_tensor *(*maker)(ps_tensor *x);

static ps_tensor *turned(ps_tensor *x)
{
    return CALL("permute", T(x));
}

static ps_tensor *backward(ps_tensor *x)
{
    return CALL("flip", T(x));
}

static ps_tensor *expanded(ps_tensor *x)
{
    return CALL("reshape", T(x), INTS(2, 1, 3));
}

static ps_tensor *second_row(ps_tensor *x)
{
    ps_tensor *row;
    CHECK_OK(ps_tensor_index(x, &(ps_index){.kind = PS_INDEX_AT, .start = 1}, 1, &row));
    return row;
}

static ps_tensor *twice_more(ps_tensor *x)
{
    return CALL("broadcast_to", T(x), INTS(2, 2, 3));
}

static void record(bool on)
{
    uint64_t others = ps_thread_state() & ~PS_STATE_RECORDING;
    CHECK_OK(ps_thread_set_state(others | (on ? PS_STATE_RECORDING : 0)));
}

/* The sum of the view times 1, 2, 3, ...: what flows to x, of two or three elements, or of one. */
static void check(int ndim, const int64_t *shape, maker make, const double *wanted)
{
    ps_tensor *x = counted(PS_FLOAT64, ndim, shape), *dx;
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
    record(true);
    ps_tensor *all = CALL("broadcast_to", T(x), INTS(2, 3)), *view = make(all);
    ps_tensor *from_0 = counted(PS_FLOAT64, ps_tensor_ndim(view), ps_tensor_shape(view));
    ps_tensor *factors = CALL("add", T(from_0), I(1)), *y = CALL("multiply", T(view), T(factors));
    record(false);
    CHECK_OK(ps_backward(&y, 1, NULL));
    CHECK_OK(ps_grad_get(x, &dx));
    check_values(dx, (size_t)ps_tensor_count(x), wanted, __FILE__, __LINE__);
    ps_tensor *made[] = {x, dx, all, view, from_0, factors, y};
    for (int i = 0; i < 7; i++)
        ps_tensor_release(made[i]);
    ps_graph_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_graph_get_stats(&stats));
    assert_int_equal(stats.nodes, 0);
}

static void rows(void **state)
{
    (void)state;
    check(SHAPE(3), turned, (double[]){1 + 2, 3 + 4, 5 + 6});
    check(SHAPE(3), backward, (double[]){3 + 6, 2 + 5, 1 + 4});
    check(SHAPE(3), expanded, (double[]){1 + 4, 2 + 5, 3 + 6});
    check(SHAPE(3), second_row, (double[]){1, 2, 3});
    check(SHAPE(3), twice_more, (double[]){1 + 4 + 7 + 10, 2 + 5 + 8 + 11, 3 + 6 + 9 + 12});
}

static void columns(void **state)
{
    (void)state;
    check(SHAPE(2, 1), turned, (double[]){1 + 3 + 5, 2 + 4 + 6});
    check(SHAPE(2, 1), backward, (double[]){4 + 5 + 6, 1 + 2 + 3});
    check(SHAPE(2, 1), expanded, (double[]){1 + 2 + 3, 4 + 5 + 6});
    check(SHAPE(2, 1), second_row, (double[]){0, 1 + 2 + 3});
    check(SHAPE(2, 1), twice_more, (double[]){1 + 2 + 3 + 7 + 8 + 9, 4 + 5 + 6 + 10 + 11 + 12});
}

static void numbers(void **state)
{
    (void)state;
    check(SHAPE(1), turned, (double[]){21});
    check(SHAPE(1, 1), backward, (double[]){21});
    check(SHAPE(1), expanded, (double[]){21});
    check(0, NULL, second_row, (double[]){6});
    check(0, NULL, twice_more, (double[]){78});
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(columns),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
