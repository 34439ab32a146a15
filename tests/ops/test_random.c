/* Random generators and the operations that draw from them: what an operation gives is settled by
 * the generator's state at the call, whoever runs it and when. */
#include "help.h"

#include <pthread.h>

#include "kernels/random.h"

enum { MANY = 100003 }; /* several pieces, the last one odd */

#define G(x) ((ps_arg){.kind = PS_ARG_GENERATOR, .as.generator = (x)})

static ps_generator *seeded(uint64_t seed)
{
    ps_generator *generator;
    CHECK_OK(ps_generator_create(seed, &generator));
    return generator;
}

static ps_generator_state state_of(ps_generator *generator)
{
    ps_generator_state state = {.size = sizeof state};
    CHECK_OK(ps_generator_get_state(generator, &state));
    return state;
}

static bool same_bytes(ps_tensor *a, ps_tensor *b)
{
    size_t bytes, other;
    void *x = bytes_of(a, &bytes), *y = bytes_of(b, &other);
    bool same = bytes == other && memcmp(x, y, bytes) == 0;
    free(x);
    free(y);
    return same;
}

/* ---- the same numbers -------------------------------------------------------------------- */

enum { KINDS = 8 };

static ps_tensor *draw(int kind, ps_generator *g)
{
    switch (kind) {
    case 0:
        return CALL("random_uniform", INTS(MANY), F(-1), F(2), D(PS_FLOAT32), G(g));
    case 1:
        return CALL("random_uniform", INTS(7, 11, 13), NONE, NONE, D(PS_FLOAT64), G(g));
    case 2:
        return CALL("random_normal", INTS(MANY), F(1), F(3), NONE, G(g));
    case 3:
        return CALL("random_normal", INTS(333, 101), NONE, NONE, D(PS_BFLOAT16), G(g));
    case 4:
        return CALL("random_integers", INTS(MANY), I(-5), I(1000), NONE, G(g));
    case 5:
        return CALL("random_integers", INTS(MANY), I(0), I(256), D(PS_UINT8), G(g));
    case 6:
        return CALL("random_bernoulli", INTS(MANY), F(0.3), G(g));
    default:
        return CALL("random_permutation", I(5001), G(g));
    }
}

static void draw_all(ps_tensor **drawn)
{
    ps_generator *g = seeded(42);
    for (int i = 0; i < KINDS; i++)
        drawn[i] = draw(i, g);
    ps_generator_release(g); /* what is queued does not need it */
}

static void release_all(ps_tensor **drawn)
{
    for (int i = 0; i < KINDS; i++)
        ps_tensor_release(drawn[i]);
}

static void workers_do_not_change_the_numbers(void **unused)
{
    (void)unused;
    static const unsigned workers[] = {1, 2, 3, 8};
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    ps_tensor *first[KINDS], *now[KINDS];
    draw_all(first);
    for (int w = 0; w <= 4; w++) {
        if (w < 4)
            CHECK_OK(ps_engine_set_workers(engine, workers[w]));
        else
            CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
        draw_all(now);
        for (int i = 0; i < KINDS; i++)
            if (!same_bytes(first[i], now[i]))
                fail_msg("draw %d differs in run %d", i, w);
        release_all(now);
    }
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    CHECK_OK(ps_engine_set_workers(engine, 2));
    release_all(first);
}

/* An operation gives what the kernel gives for the state before it, in one piece. */
static void numbers_follow_from_the_state(void **unused)
{
    (void)unused;
    ps_generator *g = seeded(7);
    for (int skip = 0; skip < 3; skip++) {
        ps_generator_state at = state_of(g);
        ps_tensor *x = CALL("random_normal", INTS(MANY), NONE, NONE, NONE, G(g));
        ps__random state = {at.key, {at.counter[0], at.counter[1]}};
        ps__random_spec spec = {.distribution = PS__RANDOM_NORMAL,
                                .dtype = PS_FLOAT32,
                                .normal = {0, 1}};
        float *wanted = calloc(MANY, sizeof *wanted);
        size_t bytes;
        float *found = bytes_of(x, &bytes);
        ps__random_fill(&state, &spec, 0, MANY, wanted);
        assert_memory_equal(found, wanted, bytes);
        ps__random_advance(&state, ps__random_blocks(PS__RANDOM_NORMAL, PS_FLOAT32, MANY));
        ps_generator_state after = state_of(g);
        assert_int_equal(after.counter[0], state.counter[0]);
        assert_int_equal(after.key, state.key);
        free(wanted);
        free(found);
        ps_tensor_release(x);
    }
    ps_generator_release(g);
}

/* Two calls whose lengths are whole tiles give what one call of both lengths gives. */
static void calls_follow_one_another(void **unused)
{
    (void)unused;
    ps_generator *g = seeded(3);
    ps_tensor *whole = CALL("random_uniform", INTS(96), NONE, NONE, NONE, G(g));
    CHECK_OK(ps_generator_seed(g, 3));
    ps_tensor *parts[2] = {CALL("random_uniform", INTS(32), NONE, NONE, NONE, G(g)),
                           CALL("random_uniform", INTS(64), NONE, NONE, NONE, G(g))};
    size_t bytes;
    float *all = bytes_of(whole, &bytes), *a = bytes_of(parts[0], &bytes),
          *b = bytes_of(parts[1], &bytes);
    assert_memory_equal(all, a, 32 * sizeof *a);
    assert_memory_equal(all + 32, b, 64 * sizeof *b);
    free(all);
    free(a);
    free(b);
    ps_tensor_release(whole);
    ps_tensor_release(parts[0]);
    ps_tensor_release(parts[1]);
    ps_generator_release(g);
}

/* ---- seeds and states -------------------------------------------------------------------- */

/* Nothing runs before the last seed: what was drawn before it is not changed by it. */
static void seeding_acts_in_program_order(void **unused)
{
    (void)unused;
    ps_generator *g = seeded(1), *other = seeded(2);
    ps_tensor *x[4];
    x[0] = CALL("random_uniform", INTS(1000), NONE, NONE, NONE, G(g));
    CHECK_OK(ps_generator_seed(g, 2));
    x[1] = CALL("random_uniform", INTS(1000), NONE, NONE, NONE, G(g));
    CHECK_OK(ps_generator_seed(g, 1));
    x[2] = CALL("random_uniform", INTS(1000), NONE, NONE, NONE, G(g));
    x[3] = CALL("random_uniform", INTS(1000), NONE, NONE, NONE, G(other));
    assert_true(same_bytes(x[0], x[2]));
    assert_true(same_bytes(x[1], x[3]));
    assert_false(same_bytes(x[0], x[1]));
    for (int i = 0; i < 4; i++)
        ps_tensor_release(x[i]);
    ps_generator_release(g);
    ps_generator_release(other);
}

static void a_state_can_be_set_again(void **unused)
{
    (void)unused;
    ps_generator *g = seeded(9), *other = seeded(0);
    ps_tensor_release(draw(4, g));
    ps_generator_state state = state_of(g);
    ps_tensor *x = draw(2, g), *y, *z;
    CHECK_OK(ps_generator_set_state(g, &state));
    CHECK_OK(ps_generator_set_state(other, &state));
    y = draw(2, g);
    z = draw(2, other);
    assert_true(same_bytes(x, y));
    assert_true(same_bytes(x, z));
    ps_generator_state last = {.size = sizeof last, .key = 5, .counter = {UINT64_MAX, 6}}, now;
    CHECK_OK(ps_generator_set_state(g, &last));
    ps_tensor_release(draw(0, g));
    now = state_of(g);
    assert_int_equal(now.counter[1], 7); /* carried over */
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(z);
    ps_generator_release(g);
    ps_generator_release(other);
}

static void there_is_a_default_generator(void **unused)
{
    (void)unused;
    ps_generator *shared = NULL, *again = NULL;
    CHECK_OK(ps_generator_default(&shared));
    CHECK_OK(ps_generator_default(&again));
    assert_ptr_equal(shared, again);
    CHECK_OK(ps_generator_retain(shared));
    ps_generator_release(shared);
    ps_generator_release(again);
    CHECK_OK(ps_generator_seed(NULL, 11));
    ps_tensor *x = CALL("random_uniform", INTS(100)), *y, *z;
    CHECK_OK(ps_generator_seed(shared, 11));
    y = CALL("random_uniform", INTS(100));
    z = CALL("random_uniform", INTS(100));
    assert_true(same_bytes(x, y));
    assert_false(same_bytes(y, z));
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(z);
    ps_generator_release(NULL);
}

enum { DRAWERS = 2, EACH = 200, LENGTH = 64 };

typedef struct drawer {
    ps_generator *generator;
    float numbers[EACH][LENGTH];
    bool failed;
} drawer;

static void *draw_many(void *arg)
{
    drawer *d = arg;
    const ps_op *op;
    d->failed = ps_op_find("random_uniform", &op) != PS_OK;
    for (int i = 0; i < EACH && !d->failed; i++) {
        ps_tensor *x = NULL;
        ps_arg args[] = {INTS(LENGTH), NONE, NONE, NONE, G(d->generator)};
        d->failed = call_into("random_uniform", 5, args, &x) != PS_OK ||
                    ps_tensor_to_host(x, d->numbers[i], sizeof d->numbers[i]) != PS_OK;
        ps_tensor_release(x);
    }
    return NULL;
}

/* Each draw is one of those that a single thread would get, and none is drawn twice. */
static void threads_get_separate_parts(void **unused)
{
    (void)unused;
    static drawer drawers[DRAWERS];
    static float wanted[DRAWERS * EACH][LENGTH];
    bool found[DRAWERS * EACH] = {false};
    pthread_t threads[DRAWERS];
    ps_generator *g = seeded(77);
    for (int i = 0; i < DRAWERS; i++) {
        drawers[i].generator = g;
        assert_int_equal(pthread_create(&threads[i], NULL, draw_many, &drawers[i]), 0);
    }
    for (int i = 0; i < DRAWERS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(drawers[i].failed);
    }
    ps__random state = {.key = 77};
    ps__random_spec spec = {.distribution = PS__RANDOM_UNIFORM,
                            .dtype = PS_FLOAT32,
                            .uniform = {0, 1}};
    ps__random_fill(&state, &spec, 0, DRAWERS * EACH * LENGTH, wanted);
    for (int i = 0; i < DRAWERS * EACH; i++) {
        const float *numbers = drawers[i / EACH].numbers[i % EACH];
        int at = 0;
        while (at < DRAWERS * EACH &&
               (found[at] || memcmp(wanted[at], numbers, sizeof wanted[at]) != 0))
            at++;
        assert_true(at < DRAWERS * EACH);
        found[at] = true;
    }
    ps_generator_release(g);
}

/* ---- values ------------------------------------------------------------------------------ */

static void numbers_are_in_their_range(void **unused)
{
    (void)unused;
    ps_generator *g = seeded(5);
    ps_tensor *u = draw(0, g), *n = draw(2, g), *i = draw(4, g), *b = draw(6, g), *p = draw(7, g);
    double *uv = values_of(u), *nv = values_of(n), *iv = values_of(i), *bv = values_of(b),
           *pv = values_of(p);
    double mean = 0, square = 0, hits = 0;
    bool seen[5001] = {false};
    for (int k = 0; k < MANY; k++) {
        assert_true(uv[k] >= -1 && uv[k] < 2);
        assert_true(iv[k] >= -5 && iv[k] < 1000);
        mean += nv[k] / MANY;
        square += (nv[k] - 1) * (nv[k] - 1) / MANY;
        hits += bv[k] / MANY;
    }
    assert_true(fabs(mean - 1) < 0.05 && fabs(square - 9) < 0.2 && fabs(hits - 0.3) < 0.01);
    for (int k = 0; k < 5001; k++) {
        assert_false(seen[(int)pv[k]]);
        seen[(int)pv[k]] = true;
    }
    CHECK_SHAPE(p, 5001);
    assert_int_equal(ps_tensor_dtype(b), PS_BOOL);
    free(uv);
    free(nv);
    free(iv);
    free(bv);
    free(pv);
    ps_tensor *all[] = {u, n, i, b, p};
    for (int k = 0; k < 5; k++)
        ps_tensor_release(all[k]);
    ps_generator_release(g);
}

static void extremes_are_allowed(void **unused)
{
    (void)unused;
    ps_generator *g = seeded(6);
    ps_tensor *x = CALL("random_uniform", INTS(3), F(2.5), F(2.5), NONE, G(g));
    CHECK_VALUES(x, 2.5, 2.5, 2.5);
    ps_tensor_release(x);
    x = CALL("random_normal", INTS(2), F(-1), F(0), NONE, G(g));
    CHECK_VALUES(x, -1, -1);
    ps_tensor_release(x);
    x = CALL("random_integers", INTS(2), I(INT64_MAX - 1), I(INT64_MAX), D(PS_UINT64), G(g));
    CHECK_VALUES(x, 0x1p63, 0x1p63);
    ps_tensor_release(x);
    x = CALL("random_integers", INTS(1000), I(INT64_MIN), I(INT64_MAX), NONE, G(g));
    CHECK_OK(ps_tensor_wait(x, NULL));
    ps_tensor_release(x);
    x = CALL("random_integers", INTS(64), I(-128), I(128), D(PS_INT8), G(g));
    CHECK_OK(ps_tensor_wait(x, NULL));
    ps_tensor_release(x);
    x = CALL("random_bernoulli", INTS(4), F(1), G(g));
    CHECK_VALUES(x, 1, 1, 1, 1);
    ps_tensor_release(x);
    ps_generator_state before = state_of(g);
    x = CALL("random_normal", INTS(0, 5), NONE, NONE, NONE, G(g));
    CHECK_SHAPE(x, 0, 5);
    ps_tensor_release(x);
    x = CALL("random_permutation", I(0), G(g));
    CHECK_SHAPE(x, 0);
    ps_tensor_release(x);
    assert_int_equal(state_of(g).counter[0], before.counter[0]);
    x = CALL("random_uniform", (ps_arg){.kind = PS_ARG_INTS}, NONE, NONE, NONE, G(g));
    assert_int_equal(ps_tensor_ndim(x), 0);
    ps_tensor_release(x);
    ps_generator_release(g);
}

static ps_status try(const char *name, size_t nargs, const ps_arg *args)
{
    ps_tensor *out = NULL;
    ps_status status = call_into(name, nargs, args, &out);
    ps_tensor_release(out);
    return status;
}

#define REFUSES_AS(status, part, name, ...) CHECK_FAILS(status, part, try(name, ARGS(__VA_ARGS__)))
#define REFUSES(part, name, ...) REFUSES_AS(PS_ERR_ARGUMENT, part, name, __VA_ARGS__)

static void bad_arguments_are_refused_and_draw_nothing(void **unused)
{
    (void)unused;
    ps_generator *g = seeded(8);
    REFUSES("low is 3, above high, which is 2", "random_uniform", INTS(4), F(3), F(2), NONE, G(g));
    REFUSES("high is 70000, which is no finite float16", "random_uniform", INTS(4), F(0), F(70000),
            D(PS_FLOAT16), G(g));
    REFUSES("low is nan", "random_uniform", INTS(4), F(NAN), F(2), NONE, G(g));
    REFUSES("high is inf", "random_uniform", INTS(4), F(0), F(INFINITY), NONE, G(g));
    REFUSES_AS(PS_ERR_TYPE, "no rule for int32", "random_uniform", INTS(4), F(0), F(2), D(PS_INT32),
               G(g));
    REFUSES("std is -1, below 0", "random_normal", INTS(4), F(0), F(-1), NONE, G(g));
    REFUSES_AS(PS_ERR_TYPE, "no rule for complex64", "random_normal", INTS(4), F(0), F(1),
               D(PS_COMPLEX64), G(g));
    REFUSES("from 5 to below 5", "random_integers", INTS(4), I(5), I(5), NONE, G(g));
    REFUSES("0 to below 257 does not fit into uint8", "random_integers", INTS(4), I(0), I(257),
            D(PS_UINT8), G(g));
    REFUSES("-1 to below 3 does not fit into uint64", "random_integers", INTS(4), I(-1), I(3),
            D(PS_UINT64), G(g));
    REFUSES_AS(PS_ERR_TYPE, "no rule for float32", "random_integers", INTS(4), I(0), I(3),
               D(PS_FLOAT32), G(g));
    REFUSES("p is 1.5, not in [0, 1]", "random_bernoulli", INTS(4), F(1.5), G(g));
    REFUSES("p is nan", "random_bernoulli", INTS(4), F(NAN), G(g));
    REFUSES("a count of -2", "random_permutation", I(-2), G(g));
    REFUSES("-1", "random_normal", INTS(4, -1), NONE, NONE, NONE, G(g));
    assert_int_equal(state_of(g).counter[0], 0);
    ps_generator_state small = {.size = 3};
    CHECK_FAILS(PS_ERR_ARGUMENT, "size is 3", ps_generator_get_state(g, &small));
    CHECK_FAILS(PS_ERR_ARGUMENT, "size is 3", ps_generator_set_state(g, &small));
    CHECK_FAILS(PS_ERR_ARGUMENT, "NULL", ps_generator_create(1, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "NULL", ps_generator_default(NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "NULL", ps_generator_retain(NULL));
    ps_generator_release(g);
}

/* With PS_CALL_CHECK_LATE the call succeeds, and the wait has the error. */
static void numbers_can_be_checked_late(void **unused)
{
    (void)unused;
    ps_generator *g = seeded(11);
    ps_generator_state before = state_of(g);
    const struct {
        const char *name, *part;
        ps_arg args[5];
        size_t nargs;
    } calls[] = {
        {"random_normal", "std is -1", {INTS(4), F(0), F(-1), NONE, G(g)}, 5},
        {"random_uniform", "above high", {INTS(4), F(3), F(2), NONE, G(g)}, 5},
        {"random_integers", "no integer from 5", {INTS(4), I(5), I(5), NONE, G(g)}, 5},
        {"random_bernoulli", "p is 2", {INTS(4), F(2), G(g)}, 3},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        ps_tensor *out = NULL;
        ps_call call = {.size = sizeof call,
                        .args = calls[i].args,
                        .nargs = calls[i].nargs,
                        .outputs = &out,
                        .noutputs = 1,
                        .flags = PS_CALL_CHECK_LATE};
        const ps_op *op;
        CHECK_OK(ps_op_find(calls[i].name, &op));
        CHECK_OK(ps_op_call(op, &call));
        CHECK_FAILS(PS_ERR_ARGUMENT, calls[i].part, ps_tensor_wait(out, NULL));
        ps_tensor_release(out);
    }
    assert_int_equal(state_of(g).counter[0], before.counter[0]);
    ps_generator_release(g);
}

/* ---- given outputs ----------------------------------------------------------------------- */

static void given_outputs_are_filled(void **unused)
{
    (void)unused;
    ps_generator *g = seeded(12);
    ps_tensor *wanted = CALL("random_normal", INTS(6, 4), NONE, NONE, D(PS_FLOAT64), G(g));
    ps_tensor *whole = CALL("zeros", INTS(6, 4), D(PS_FLOAT64));
    ps_tensor *base = CALL("zeros", INTS(4, 6), D(PS_FLOAT64)), *turned;
    ps_tensor *big = CALL("zeros", INTS(9, 4), D(PS_FLOAT64)), *rows;
    CHECK_OK(ps_tensor_permute(base, NULL, 0, &turned));
    CHECK_OK(ps_tensor_index(big, &(ps_index){PS_INDEX_RANGE, 2, 8, 1}, 1, &rows));
    ps_tensor *outputs[] = {whole, turned, rows};
    ps_arg args[] = {INTS(6, 4), NONE, NONE, NONE, G(g)}; /* the output decides the type */
    for (int i = 0; i < 3; i++) {
        CHECK_OK(ps_generator_seed(g, 12));
        CHECK_OK(call_into("random_normal", 5, args, &outputs[i]));
        double *a = values_of(wanted), *b = values_of(outputs[i]);
        assert_memory_equal(a, b, 24 * sizeof *a);
        free(a);
        free(b);
    }
    double *edges = values_of(big);
    for (int i = 0; i < 36; i++)
        assert_true((edges[i] == 0) == (i < 8 || i >= 32));
    free(edges);
    args[3] = D(PS_FLOAT32);
    CHECK_FAILS(PS_ERR_TYPE, "float64", call_into("random_normal", 5, args, &whole));
    args[0] = INTS(6, 5);
    args[3] = NONE;
    CHECK_FAILS(PS_ERR_ARGUMENT, "(6, 5)", call_into("random_normal", 5, args, &whole));
    ps_tensor *all[] = {wanted, whole, base, turned, big, rows};
    for (int i = 0; i < 6; i++)
        ps_tensor_release(all[i]);
    ps_generator_release(g);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_do_not_change_the_numbers),
        cmocka_unit_test(numbers_follow_from_the_state),
        cmocka_unit_test(calls_follow_one_another),
        cmocka_unit_test(seeding_acts_in_program_order),
        cmocka_unit_test(a_state_can_be_set_again),
        cmocka_unit_test(there_is_a_default_generator),
        cmocka_unit_test(threads_get_separate_parts),
        cmocka_unit_test(numbers_are_in_their_range),
        cmocka_unit_test(extremes_are_allowed),
        cmocka_unit_test(bad_arguments_are_refused_and_draw_nothing),
        cmocka_unit_test(numbers_can_be_checked_late),
        cmocka_unit_test(given_outputs_are_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
