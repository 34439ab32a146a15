/* Memory runs out at every point in turn: errors, never a crash, a leak or a wrong figure. */
#include "test_memory_help.h"

#ifdef PENSTOCK_TESTING

#include <pthread.h>

static const size_t sizes[] = {64, 64, 3000, 20000, 32768, 40000, 200000, 524288, 1 << 20, 5 << 20};
enum { SIZES = sizeof sizes / sizeof sizes[0], EACH = 30 };

typedef struct outcome {
    unsigned failures;
    bool wrong; /* a failure of the wrong kind, a spoilt block or a figure that is off */
} outcome;

static bool figures_match(uint64_t live)
{
    ps_memory_stats stats = {.size = sizeof stats};
    return ps_memory_get_stats(&stats) == PS_OK && stats.live == live;
}

/* On a thread of its own, so that its cache has to be made too. */
static void *scenario(void *arg)
{
    outcome *result = arg;
    static unsigned char *blocks[SIZES * EACH];
    uint64_t live = 0;
    for (int i = 0; i < SIZES * EACH; i++) {
        void *block = NULL;
        size_t bytes = sizes[i % SIZES];
        ps_status status = ps_memory_alloc(bytes, &block);
        result->failures += status != PS_OK;
        result->wrong |= status != PS_OK && status != PS_ERR_MEMORY;
        blocks[i] = status == PS_OK ? block : NULL;
        if (!blocks[i])
            continue;
        live += counted(bytes);
        blocks[i][0] = blocks[i][bytes - 1] = (unsigned char)i;
    }
    result->wrong |= !figures_match(live);
    for (int i = 0; i < SIZES * EACH; i++) {
        size_t bytes = sizes[i % SIZES];
        if (blocks[i] &&
            (blocks[i][0] != (unsigned char)i || blocks[i][bytes - 1] != (unsigned char)i))
            result->wrong = true;
        ps_memory_free(blocks[i], bytes);
    }
    return NULL;
}

static outcome run_scenario(void)
{
    outcome result = {0, false};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, scenario, &result), 0);
    pthread_join(thread, NULL);
    return result;
}

/* Until the scenario makes fewer calls than that. */
static void fail_each_in_turn(bool sticky)
{
    unsigned long nth = 1;
    bool failed = false;
    for (;; nth++) {
        ps__fault_set(nth, sticky);
        outcome result = run_scenario();
        unsigned long calls = ps__fault_count();
        ps__fault_set(0, false);
        assert_false(result.wrong);
        assert_nothing_left();
        failed |= result.failures > 0;
        if (calls < nth)
            break;
    }
    /* The scenario has slabs, their records, lists that grow, large blocks and a cache. */
    assert_true(nth > 40);
    /* A single refusal is got over by trimming and asking again; lasting ones are not. */
    assert_int_equal(failed, sticky);
}

static void one_refusal_is_survived(void **state)
{
    (void)state;
    fail_each_in_turn(false);
}

static void lasting_refusals_are_errors(void **state)
{
    (void)state;
    fail_each_in_turn(true);
}

static void a_pool_that_cannot_be_made_is_an_error(void **state)
{
    (void)state;
    ps__pool *pool = NULL;
    ps__fault_set(1, false);
    assert_int_equal(ps__pool_create(ps__device_cpu(), &pool), PS_ERR_MEMORY);
    ps__fault_set(0, false);
    assert_null(pool);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_refusal_is_survived),
        cmocka_unit_test(lasting_refusals_are_errors),
        cmocka_unit_test(a_pool_that_cannot_be_made_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
int main(void)
{
    puts("skipped: needs the testing build");
    return 0;
}
#endif
