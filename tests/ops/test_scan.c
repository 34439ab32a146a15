/* cumulative_sum and cumulative_prod: every element type against a plain loop, every axis, views,
 * types that are asked for; the same bits on any number of workers; errors. */
#include "positions_help.h"

#include "base/alloc.h"
#include "dtype/dtype.h"

static void by_hand(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT8, SHAPE(2, 3)), *down, *along, *all, *product;
    down = CALL("cumulative_sum", T(x), I(0));
    along = CALL("cumulative_sum", T(x), I(-1));
    all = CALL("cumulative_sum", T(x));
    assert_int_equal(ps_tensor_dtype(down), PS_INT64);
    CHECK_VALUES(down, 0, 1, 2, 3, 5, 7);
    CHECK_VALUES(along, 0, 1, 3, 3, 7, 12);
    CHECK_SHAPE(all, 6);
    CHECK_VALUES(all, 0, 1, 3, 6, 10, 15);
    product = CALL("cumulative_prod", T(x), I(0), D(PS_FLOAT32));
    assert_int_equal(ps_tensor_dtype(product), PS_FLOAT32);
    CHECK_VALUES(product, 0, 1, 2, 0, 4, 10);
    RELEASE(x, down, along, all, product);
}

static void types(void **state)
{
    (void)state;
    static const ps_dtype given[] = {PS_BOOL,  PS_INT8,    PS_UINT8,    PS_UINT32,
                                     PS_INT64, PS_FLOAT16, PS_BFLOAT16, PS_COMPLEX64};
    static const ps_dtype wanted[] = {PS_INT64, PS_INT64,   PS_UINT64,   PS_UINT64,
                                      PS_INT64, PS_FLOAT16, PS_BFLOAT16, PS_COMPLEX64};
    for (int i = 0; i < 8; i++) {
        ps_tensor *x = CALL("ones", INTS(3), D(given[i])), *y = CALL("cumulative_sum", T(x));
        assert_int_equal(ps_tensor_dtype(y), wanted[i]);
        ps_tensor *real = CALL("cast", T(y), D(PS_COMPLEX128)), *part = CALL("real", T(real));
        CHECK_VALUES(part, 1, 2, 3);
        RELEASE(x, y, real, part);
    }
    /* 200 wraps as int8 before it is added up, and the sum wraps too. */
    ps_tensor *x = INDICES(PS_INT16, 200, 100, 100),
              *y = CALL("cumulative_sum", T(x), NONE, D(PS_INT8));
    CHECK_VALUES(y, -56, 44, -112);
    RELEASE(x, y);
}

/* 16-bit floats add up as float32 and are rounded only when they are stored. */
static void halves(void **state)
{
    (void)state;
    enum { N = 3000 };
    ps_tensor *x = CALL("ones", INTS(N), D(PS_FLOAT16)), *y = CALL("cumulative_sum", T(x));
    double *values = values_of(y);
    assert_true(values[2047] == 2048);
    assert_true(values[2049] == 2050); /* adding 1 to 2048 in float16 leaves 2048 */
    assert_true(values[N - 1] == N);
    free(values);
    RELEASE(x, y);
}

static void the_first_element_stays(void **state)
{
    (void)state;
    ps_tensor *x = from_floats(SHAPE(3), (float[]){-0.0f, -0.0f, 1}), *y;
    y = CALL("cumulative_sum", T(x));
    float got[3];
    CHECK_OK(ps_tensor_to_host(y, got, sizeof got));
    assert_true(signbit(got[0]) && signbit(got[1]) && got[2] == 1);
    RELEASE(x, y);
}

/* ---- against a plain loop ------------------------------------------------------------ */

static float element(int64_t i)
{
    return (float)((i * 7919 + 13) % 1000 - 500) / 257.0f;
}

static void check_scan(const float *x, int64_t outer, int64_t length, int64_t inner, bool product,
                       ps_tensor *y)
{
    float *got = malloc((size_t)(outer * length * inner) * sizeof *got + 1);
    CHECK_OK(ps_tensor_to_host(y, got, (size_t)(outer * length * inner) * sizeof *got));
    for (int64_t o = 0; o < outer; o++)
        for (int64_t i = 0; i < inner; i++) {
            float sum = 0;
            for (int64_t k = 0; k < length; k++) {
                int64_t at = (o * length + k) * inner + i;
                sum = k == 0 ? x[at] : product ? sum * x[at] : sum + x[at];
                if (memcmp(&got[at], &sum, sizeof sum) != 0)
                    fail_msg("(%lld, %lld, %lld): element %lld is %.9g, not %.9g", (long long)outer,
                             (long long)length, (long long)inner, (long long)at, (double)got[at],
                             (double)sum);
            }
        }
    free(got);
}

static void check_both(int64_t outer, int64_t length, int64_t inner)
{
    int64_t count = outer * length * inner;
    float *values = malloc((size_t)count * sizeof *values + 1);
    for (int64_t i = 0; i < count; i++)
        values[i] = element(i);
    ps_tensor *x = from_floats(SHAPE(outer, length, inner), values), *turned, *back, *view;
    turned = CALL("permute", T(x), INTS(2, 0, 1));
    back = CALL("copy", T(turned));
    view = CALL("permute", T(back), INTS(1, 2, 0));
    for (int product = 0; product < 2; product++) {
        const char *name = product ? "cumulative_prod" : "cumulative_sum";
        ps_tensor *y = CALL(name, T(x), I(1)), *z = CALL(name, T(view), I(-2));
        check_scan(values, outer, length, inner, product, y);
        check_scan(values, outer, length, inner, product, z);
        RELEASE(y, z);
    }
    RELEASE(x, turned, back, view);
    free(values);
}

static void against_a_plain_loop(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{1, 5000, 1}, {7, 1300, 1}, {3, 40, 3},   {2, 600, 7},
                                        {2, 30, 8},   {3, 20, 600}, {1, 1, 1000}, {300, 2, 1},
                                        {0, 3, 2},    {2, 0, 3},    {2, 0, 30},   {2, 3, 0}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        check_both(shapes[i][0], shapes[i][1], shapes[i][2]);
}

static void workers_change_nothing(void **state)
{
    (void)state;
    ps_engine *engine;
    unsigned before;
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_engine_workers(engine, &before));
    for (unsigned workers = 1; workers <= 4; workers++) {
        CHECK_OK(ps_engine_set_workers(engine, workers));
        check_both(1, 150000, 1);
        check_both(90, 1000, 1);
        check_both(2, 100, 2000);
    }
    CHECK_OK(ps_engine_set_workers(engine, before));
}

/* Rows of complex numbers one by one, and side by side as vectors: the same bits. */
static void complex_products(void **state)
{
    (void)state;
    enum { N = 40, M = 20 };
    double *values = malloc(2 * N * M * sizeof *values), *got[2];
    for (int i = 0; i < 2 * N * M; i++)
        values[i] = (double)element(i) + 0.7;
    values[41] = INFINITY; /* infinities survive, as in a product of two */
    for (int turned = 0; turned < 2; turned++) {
        ps_tensor *x, *view, *y, *plain;
        CHECK_OK(ps_tensor_from_host(PS_COMPLEX128, SHAPE(N, M), NULL, values, NULL, &x));
        view = CALL("permute", T(x));
        y = CALL("cumulative_prod", T(turned ? view : x), I(turned));
        plain = turned ? CALL("permute", T(y)) : CALL("copy", T(y));
        got[turned] = malloc(2 * N * M * sizeof **got);
        CHECK_OK(ps_tensor_to_host(plain, got[turned], 2 * N * M * sizeof **got));
        RELEASE(x, view, y, plain);
    }
    for (int i = 0; i < 2 * N * M; i++)
        assert_true(got[0][i] == got[1][i] || (isnan(got[0][i]) && isnan(got[1][i])));
    assert_true(got[0][2] != 0);
    free(values);
    free(got[0]);
    free(got[1]);
}

/* ---- outputs, errors, memory --------------------------------------------------------- */

static void into_an_output(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT64, SHAPE(2, 3)), *y = CALL("zeros", INTS(2, 3), D(PS_FLOAT32));
    ps_tensor *same = x, *turned = CALL("permute", T(y));
    CHECK_OK(call_into("cumulative_sum", ARGS(T(x), I(1)), &y)); /* another type */
    CHECK_VALUES(y, 0, 1, 3, 3, 7, 12);
    CHECK_OK(call_into("cumulative_sum", ARGS(T(x), I(0)), &same)); /* in place */
    CHECK_VALUES(x, 0, 1, 2, 3, 5, 7);
    same = turned;
    CHECK_OK(call_into("cumulative_sum", ARGS(T(turned), I(0)), &same)); /* through a view */
    CHECK_VALUES(y, 0, 1, 4, 3, 10, 22);
    RELEASE(x, y, turned);
}

static void what_is_refused(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_COMPLEX64, SHAPE(2, 3)), *out = NULL, *point = CALL("sum", T(x));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 2 is out of range",
                call_into("cumulative_sum", ARGS(T(x), I(2)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "no rule for complex64 as float32",
                call_into("cumulative_sum", ARGS(T(x), I(0), D(PS_FLOAT32)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "no rule for complex64 as bool",
                call_into("cumulative_prod", ARGS(T(x), I(0), D(PS_BOOL)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "must be a tensor", call_into("cumulative_sum", ARGS(F(1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "0 dimensions",
                call_into("cumulative_sum", ARGS(T(point), I(0)), &out));
    assert_null(out);
    ps_tensor *one = CALL("cumulative_sum", T(point));
    CHECK_SHAPE(one, 1);
    RELEASE(x, point, one);
}

/* Each allocation fails in turn: the call or the wait says so, or all is as it should be. */
static void memory_that_is_not_there(void **state)
{
    (void)state;
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 8)), *turned = CALL("permute", T(x));
    CHECK_OK(ps_wait_all(engine, NULL));
    for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
        ps_tensor *y = NULL, *z = NULL;
        float got[16];
        ps__fault_set(nth, false);
        ps_status status = call_into("cumulative_sum", ARGS(T(turned)), &y);
        if (status == PS_OK)
            status = call_into("cumulative_prod", ARGS(T(x), I(0)), &z);
        if (status == PS_OK)
            status = ps_tensor_to_host(y, got, sizeof got);
        if (status == PS_OK)
            status = ps_tensor_wait(z, NULL);
        calls = ps__fault_count();
        ps__fault_set(0, false);
        if (status == PS_OK)
            assert_true(got[1] == 8 && got[2] == 9 && got[15] == 120);
        else
            assert_int_equal(status, PS_ERR_MEMORY);
        RELEASE(y, z);
        while (ps_wait_all(engine, NULL) != PS_OK)
            continue;
    }
    RELEASE(x, turned);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(types),
        cmocka_unit_test(halves),
        cmocka_unit_test(the_first_element_stays),
        cmocka_unit_test(against_a_plain_loop),
        cmocka_unit_test(workers_change_nothing),
        cmocka_unit_test(complex_products),
        cmocka_unit_test(into_an_output),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
