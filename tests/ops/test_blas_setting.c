/* PENSTOCK_BLAS names no library: each call of a product says so, and nothing else is the worse for
 * it. */
#include "ops/help.h"

#include <stdlib.h>

#include "penstock_ops.h"

static void check_refused(ps_status status, const ps_tensor *result)
{
    assert_int_equal(status, PS_ERR_ENVIRONMENT);
    assert_null(result);
    assert_non_null(strstr(ps_last_error(), "PENSTOCK_BLAS is \"/nonexistent/blas\""));
    assert_non_null(strstr(ps_last_error(), "No such file or directory"));
}

/* Of any size and type: those that would not need the library as well. */
static void every_product_is_refused(void **unused)
{
    (void)unused;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT16, PS_INT32};
    for (size_t i = 0; i < 3; i++) {
        for (int64_t side = 1; side <= 64; side *= 8) {
            ps_tensor *x = counted(dtypes[i], SHAPE(side, side)), *y = NULL;
            check_refused(ps_matmul(PS_ARG(x), PS_ARG(x), &y), y);
            check_refused(ps_dot(PS_ARG(x), PS_ARG(x), &y), y);
            check_refused(ps_tensordot(PS_ARG(x), PS_ARG(x), PS_INTS(1), PS_INTS(0), &y), y);
            ps_tensor_release(x);
        }
    }
    ps_engine *engine;
    assert_int_equal(ps_engine_default(&engine), PS_OK);
    assert_int_equal(ps_wait_all(engine, NULL), PS_OK); /* nothing was queued that fails */
}

static void a_given_result_is_left_alone(void **unused)
{
    (void)unused;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 2));
    assert_int_equal(ps_matmul(PS_ARG(x), PS_ARG(x), &x), PS_ERR_ENVIRONMENT);
    CHECK_VALUES(x, 0, 1, 2, 3);
    ps_tensor_release(x);
}

static void other_operations_go_on(void **unused)
{
    (void)unused;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 2)), *y = NULL;
    assert_int_equal(ps_add(PS_ARG(x), PS_ARG(x), &y), PS_OK);
    CHECK_VALUES(y, 0, 2, 4, 6);
    ps_tensor_release(x);
    ps_tensor_release(y);
}

int main(void)
{
    if (setenv("PENSTOCK_BLAS", "/nonexistent/blas", 1) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_product_is_refused),
        cmocka_unit_test(a_given_result_is_left_alone),
        cmocka_unit_test(other_operations_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
