/* random_choice and random_logistic: which positions there are, how often, each once, what is
 * refused and leaves the generator alone. */
#include "positions_help.h"

#define G(x) ((ps_arg){.kind = PS_ARG_GENERATOR, .as.generator = (x)})

static ps_generator *seeded(uint64_t seed)
{
    ps_generator *generator;
    CHECK_OK(ps_generator_create(seed, &generator));
    return generator;
}

/* How often each of four is there. */
static void check_shares(ps_tensor *drawn, const double *wanted)
{
    int64_t often[4] = {0}, count = ps_tensor_count(drawn);
    double *at = values_of(drawn);
    for (int64_t i = 0; i < count; i++) {
        assert_true(at[i] >= 0 && at[i] < 4);
        often[(int)at[i]]++;
    }
    free(at);
    for (int i = 0; i < 4; i++) {
        double share = (double)often[i] / (double)count;
        if (!(fabs(share - wanted[i]) < 0.02) || (wanted[i] == 0 && often[i] > 0))
            fail_msg("share %d is %g, not %g", i, share, wanted[i]);
    }
}

static void shares(void **state)
{
    (void)state;
    ps_generator *g = seeded(11);
    ps_tensor *even = CALL("random_choice", INTS(100, 200), I(4), NONE, NONE, G(g));
    ps_tensor *p = from_floats(SHAPE(4), (float[]){1, 0, 5, 2}); /* relative to their sum */
    ps_tensor *odd = CALL("random_choice", INTS(20000), I(4), B(true), T(p), G(g));
    assert_int_equal(ps_tensor_dtype(even), PS_INT64);
    CHECK_SHAPE(even, 100, 200);
    check_shares(even, (double[]){0.25, 0.25, 0.25, 0.25});
    assert_int_equal(ps_tensor_dtype(odd), PS_INT64);
    check_shares(odd, (double[]){0.125, 0, 0.625, 0.25});
    ps_tensor *weights = INDICES(PS_UINT8, 0, 0, 0, 9);
    ps_tensor *last = CALL("random_choice", INTS(3), I(4), NONE, T(weights), G(g));
    CHECK_VALUES(last, 3, 3, 3);
    RELEASE(even, p, odd, weights, last);
    ps_generator_release(g);
}

static void each_once(void **state)
{
    (void)state;
    ps_tensor *all = CALL("random_choice", INTS(10, 10), I(100), B(false));
    ps_tensor *flat = CALL("reshape", T(all), I(100)), *sorted = CALL("sort", T(flat));
    ps_tensor *line = counted(PS_INT64, SHAPE(100)),
              *same = CALL("array_equal", T(sorted), T(line));
    CHECK_SHAPE(all, 10, 10);
    CHECK_VALUES(same, 1);
    ps_tensor *some = CALL("random_choice", INTS(5), I(100), B(false));
    ps_tensor *unique = CALL("unique_values", T(some));
    CHECK_SHAPE(unique, 5);
    ps_tensor *none = CALL("random_choice", INTS(0), I(3), B(false));
    CHECK_SHAPE(none, 0);
    RELEASE(all, flat, sorted, line, same, some, unique, none);
}

/* The same state gives the same, into an output as well. */
static void repeated(void **state)
{
    (void)state;
    ps_tensor *p = from_floats(SHAPE(3), (float[]){0.2f, 0.3f, 0.5f});
    for (int kind = 0; kind < 3; kind++) {
        ps_arg weights = kind == 2 ? T(p) : NONE;
        ps_generator *g = seeded(5), *h = seeded(5);
        ps_tensor *a = CALL("random_choice", INTS(3), I(3), B(kind != 1), weights, G(g));
        ps_tensor *b = CALL("zeros", INTS(3), D(PS_INT64));
        CHECK_OK(call_into("random_choice", ARGS(INTS(3), I(3), B(kind != 1), weights, G(h)), &b));
        ps_tensor *same = CALL("array_equal", T(a), T(b));
        CHECK_VALUES(same, 1);
        RELEASE(a, b, same);
        ps_generator_release(g);
        ps_generator_release(h);
    }
    ps_tensor_release(p);
}

static void refusals(void **state)
{
    (void)state;
    ps_generator *g = seeded(1);
    ps_generator_state before = {.size = sizeof before}, after = {.size = sizeof after};
    CHECK_OK(ps_generator_get_state(g, &before));
    ps_tensor *p = CALL("ones", INTS(3)), *z = CALL("ones", INTS(3), D(PS_COMPLEX64));
    ps_tensor *out = NULL, *given = CALL("zeros", INTS(2), D(PS_INT64));
#define REFUSED(part, result, ...)                                                                 \
    CHECK_FAILS(PS_ERR_ARGUMENT, "random_choice: " part,                                           \
                call_into("random_choice", ARGS(__VA_ARGS__, G(g)), result))
    REFUSED("there is nothing to choose from: count is 0", &out, INTS(2), I(0), NONE, NONE);
    REFUSED("p cannot be given with replace false", &out, INTS(2), I(3), B(false), T(p));
    REFUSED("4 of 3 things without repeating one", &out, INTS(2, 2), I(3), B(false), NONE);
    REFUSED("p of shape (3,) and type float32 for 4 things", &out, INTS(2), I(4), NONE, T(p));
    REFUSED("p of shape (3,) and type complex64 for 3 things", &out, INTS(2), I(3), NONE, T(z));
    REFUSED("", &given, INTS(3), I(3), NONE, NONE);
#undef REFUSED
    CHECK_OK(ps_generator_get_state(g, &after));
    assert_memory_equal(&before, &after, sizeof before);
    RELEASE(p, z, given);
    ps_generator_release(g);
}

static void logistic(void **state)
{
    (void)state;
    ps_generator *g = seeded(3);
    ps_tensor *x = CALL("random_logistic", INTS(200000), F(1), F(2), D(PS_FLOAT64), G(g)),
              *out = NULL;
    ps_tensor *mean = CALL("mean", T(x)), *variance = CALL("var", T(x));
    double *m = values_of(mean), *v = values_of(variance);
    assert_true(fabs(m[0] - 1) < 0.05 && fabs(v[0] / (4 * M_PI * M_PI / 3) - 1) < 0.05);
    free(m);
    free(v);
    CHECK_FAILS(PS_ERR_ARGUMENT, "random_logistic: scale is -1, below 0",
                call_into("random_logistic", ARGS(INTS(2), F(0), F(-1)), &out));
    RELEASE(x, mean, variance);
    ps_generator_release(g);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares),   cmocka_unit_test(each_once), cmocka_unit_test(repeated),
        cmocka_unit_test(refusals), cmocka_unit_test(logistic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
