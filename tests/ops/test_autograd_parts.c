/* Gradients through the real and the imaginary part of complex tensors, which are views of another
 * type: of reading and of writing them. */
#include "help.h"

#include "base/alloc.h"

static ps_tensor *leaf(int64_t count, const double *parts)
{
    ps_tensor *z;
    CHECK_OK(ps_tensor_from_host(PS_COMPLEX128, 1, &count, NULL, parts, NULL, &z));
    CHECK_OK(ps_grad_attach(z, PS_GRAD_WRITE, NULL));
    return z;
}

static void record(bool on)
{
    uint64_t others = ps_thread_state() & ~PS_STATE_RECORDING;
    CHECK_OK(ps_thread_set_state(others | (on ? PS_STATE_RECORDING : 0)));
}

static ps_tensor *part_of(ps_tensor *z, bool imaginary)
{
    ps_tensor *part;
    CHECK_OK(ps_tensor_part(z, imaginary, &part));
    return part;
}

static void check_parts(ps_tensor *z, size_t count, const double *wanted)
{
    double found[16];
    assert_int_equal(ps_tensor_dtype(z), PS_COMPLEX128);
    assert_int_equal(ps_tensor_count(z) * 2, count);
    CHECK_OK(ps_tensor_to_host(z, found, count * sizeof found[0]));
    for (size_t i = 0; i < count; i++)
        if (!(fabs(found[i] - wanted[i]) <= 1e-12 * fabs(wanted[i])))
            fail_msg("part %zu is %.17g, not %.17g", i, found[i], wanted[i]);
}

static void release_all(size_t count, ps_tensor *const *tensors)
{
    ps_graph_stats stats = {.size = sizeof stats};
    for (size_t i = 0; i < count; i++)
        ps_tensor_release(tensors[i]);
    CHECK_OK(ps_graph_get_stats(&stats));
    assert_int_equal(stats.nodes, 0);
    assert_int_equal(stats.saves, 0);
}

static void reading(void **state)
{
    (void)state;
    ps_tensor *z = leaf(2, (double[]){1, 2, 3, 4}), *dz;
    record(true);
    ps_tensor *re = part_of(z, false), *im = part_of(z, true);
    ps_tensor *a = CALL("multiply", T(re), T(re)), *b = CALL("multiply", T(im), F(3));
    ps_tensor *y = CALL("multiply", T(a), T(b));
    record(false);
    assert_true(ps_tensor_is_recorded(im));
    CHECK_OK(ps_backward(&y, 1, NULL));
    CHECK_OK(ps_grad_get(z, &dz));
    check_parts(dz, 4, (double[]){12, 3, 72, 27}); /* 6 re im, 3 re^2 */
    release_all(7, (ps_tensor *[]){z, dz, re, im, a, b, y});
}

/* Of one element, of an element in the middle, of every second one. */
static void of_views(void **state)
{
    (void)state;
    ps_tensor *z = leaf(4, (double[]){1, 2, 3, 4, 5, 6, 7, 8}), *dz, *some, *one;
    ps_index odd = {PS_INDEX_RANGE, 1, PS_INDEX_NONE, 2}, at = {.kind = PS_INDEX_AT, .start = -1};
    record(true);
    CHECK_OK(ps_tensor_index(z, &odd, 1, &some));
    ps_tensor *im = part_of(some, true), *re = part_of(some, false), *flipped = CALL("flip", T(re));
    ps_tensor *y = CALL("multiply", T(im), T(flipped)); /* 4 * 7, 8 * 3 */
    CHECK_OK(ps_tensor_index(im, &at, 1, &one));
    ps_tensor *cube = CALL("pow", T(one), F(3));
    record(false);
    CHECK_OK(ps_backward((ps_tensor *[]){y, cube}, 2, NULL));
    CHECK_OK(ps_grad_get(z, &dz));
    check_parts(dz, 8, (double[]){0, 0, 8, 7, 0, 0, 4, 3 + 3 * 64});
    release_all(9, (ps_tensor *[]){z, dz, some, im, re, flipped, y, one, cube});
}

/* h = 2 z, its real part squared in place; y = |h|^2. */
static void writing(void **state)
{
    (void)state;
    ps_tensor *z = leaf(2, (double[]){1, 2, 3, 4}), *dz;
    record(true);
    ps_tensor *h = CALL("multiply", T(z), F(2)), *re = part_of(h, false);
    CHECK_OK(call_into("multiply", ARGS(T(re), T(re)), &re));
    ps_tensor *bar = CALL("conj", T(h)), *y = CALL("multiply", T(h), T(bar));
    record(false);
    CHECK_OK(ps_backward(&y, 1, NULL));
    CHECK_OK(ps_grad_get(z, &dz));
    /* (4 re^2)^2 + (2 im)^2: 64 re^3, 8 im */
    check_parts(dz, 4, (double[]){64, 16, 64 * 27, 32});
    release_all(6, (ps_tensor *[]){z, dz, h, re, bar, y});
}

/* A part is overwritten by a constant, and the other read through a handle from before. */
static void overwriting(void **state)
{
    (void)state;
    ps_tensor *z = leaf(1, (double[]){3, 5}), *dz;
    record(true);
    ps_tensor *h = CALL("multiply", T(z), F(2)), *re = part_of(h, false), *im = part_of(h, true);
    CHECK_OK(call_into("assign", ARGS(F(7)), &re));
    ps_tensor *y = CALL("multiply", T(im), T(re)); /* 2 im 7 */
    record(false);
    CHECK_OK(ps_backward(&y, 1, NULL));
    CHECK_OK(ps_grad_get(z, &dz));
    check_parts(dz, 2, (double[]){0, 14});
    release_all(6, (ps_tensor *[]){z, dz, h, re, im, y});
}

static void again(void **state)
{
    (void)state;
    ps_tensor *z = leaf(2, (double[]){1, 2, 3, 4}), *first, *second;
    ps_backward_options create = {.size = sizeof create, .create = true};
    record(true);
    ps_tensor *im = part_of(z, true), *y = CALL("pow", T(im), F(3));
    record(false);
    CHECK_OK(ps_grad(&y, 1, &z, 1, &create, &first));
    check_parts(first, 4, (double[]){0, 12, 0, 48});
    record(true);
    ps_tensor *slope = part_of(first, true);
    record(false);
    CHECK_OK(ps_grad(&slope, 1, &z, 1, NULL, &second));
    check_parts(second, 4, (double[]){0, 12, 0, 24});
    release_all(6, (ps_tensor *[]){z, im, y, first, slope, second});
}

/* Each allocation fails in turn. */
static void memory_that_is_not_there(void **state)
{
    (void)state;
    ps_tensor *z = leaf(2, (double[]){1, 2, 3, 4});
    for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
        ps_tensor *h = NULL, *re = NULL, *dz = NULL;
        record(true);
        ps__fault_set(nth, false);
        ps_status status = call_into("multiply", ARGS(T(z), F(2)), &h);
        if (status == PS_OK)
            status = ps_tensor_part(h, false, &re);
        if (status == PS_OK)
            status = call_into("multiply", ARGS(T(re), T(re)), &re);
        if (status == PS_OK)
            status = ps_grad(&h, 1, &z, 1, NULL, &dz);
        calls = ps__fault_count();
        ps__fault_set(0, false);
        record(false);
        if (status == PS_OK)
            check_parts(dz, 4, (double[]){8, 0, 24, 0});
        else
            assert_int_equal(status, PS_ERR_MEMORY);
        ps_tensor *all[] = {h, re, dz};
        for (int i = 0; i < 3; i++)
            ps_tensor_release(all[i]);
    }
    release_all(1, &z);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading), cmocka_unit_test(of_views),
        cmocka_unit_test(writing), cmocka_unit_test(overwriting),
        cmocka_unit_test(again),   cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
