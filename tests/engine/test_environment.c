/* Malformed environment variables are errors of the call that reads them, with a text that names
 * the variable and its value; empty means the default. */
#include "process.h"

typedef struct setting {
    const char *name, *value;
} setting;

static const setting malformed[] = {
    {"PENSTOCK_WORKERS", "two"},
    {"PENSTOCK_WORKERS", "-1"},
    {"PENSTOCK_WORKERS", "3x"},
    {"PENSTOCK_WORKERS", " 3"},
    {"PENSTOCK_WORKERS", "1e2"},
    {"PENSTOCK_WORKERS", "0x10"},
    {"PENSTOCK_WORKERS", "1025"},
    {"PENSTOCK_WORKERS", "4294967297"},
    {"PENSTOCK_WORKERS", "99999999999999999999999"},
    {"PENSTOCK_ENGINE", "fast"},
    {"PENSTOCK_ENGINE", "SYNC"},
    {"PENSTOCK_ENGINE", "sync "},
    {"PENSTOCK_QUEUE_SOFT_BYTES", "12Q"},
    {"PENSTOCK_QUEUE_SOFT_BYTES", "-5"},
    {"PENSTOCK_QUEUE_BYTES", "1.5G"},
    {"PENSTOCK_QUEUE_BYTES", "99999999999T"},
    {"PENSTOCK_QUEUE_OPS", "many"},
    {"PENSTOCK_QUEUE_OPS", "12K2"},
};
enum { MALFORMED = sizeof malformed / sizeof malformed[0] };

static const char *const names[] = {"PENSTOCK_WORKERS", "PENSTOCK_ENGINE",
                                    "PENSTOCK_QUEUE_SOFT_BYTES", "PENSTOCK_QUEUE_BYTES",
                                    "PENSTOCK_QUEUE_OPS"};

static void clear_environment(void)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
}

static void malformed_values_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < MALFORMED; i++) {
        ps_engine *engine = NULL;
        clear_environment();
        setenv(malformed[i].name, malformed[i].value, 1);
        ps_status status = ps_engine_create(NULL, &engine);
        if (status != PS_ERR_ENVIRONMENT)
            print_error("%s=\"%s\"\n", malformed[i].name, malformed[i].value);
        CHECK_STATUS(status, PS_ERR_ENVIRONMENT);
        assert_null(engine);
        assert_non_null(strstr(ps_last_error(), malformed[i].name));
        assert_non_null(strstr(ps_last_error(), malformed[i].value));
    }
    clear_environment();
    ps_engine *engine = NULL;
    CHECK_OK(ps_engine_create(NULL, &engine));
    CHECK_OK(ps_engine_destroy(engine));
}

static void empty_means_the_default(void **state)
{
    (void)state;
    ps_engine *engine = NULL;
    ps_bound wanted = {.size = sizeof wanted}, bound = {.size = sizeof bound};
    clear_environment();
    CHECK_OK(ps_engine_create(NULL, &engine));
    CHECK_OK(ps_engine_bound(engine, &wanted));
    CHECK_OK(ps_engine_destroy(engine));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        setenv(names[i], "", 1);
    CHECK_OK(ps_engine_create(NULL, &engine));
    CHECK_OK(ps_engine_bound(engine, &bound));
    assert_memory_equal(&bound, &wanted, sizeof bound);
    CHECK_OK(ps_engine_destroy(engine));
    clear_environment();
}

/* The default engine reads it too, at the first call; a call after it was mended succeeds. */
static int use_default_engine(void *arg)
{
    (void)arg;
    ps_engine *engine = NULL;
    setenv("PENSTOCK_WORKERS", "none", 1);
    CHILD_CHECK(ps_engine_default(&engine) == PS_ERR_ENVIRONMENT);
    CHILD_CHECK(strstr(ps_last_error(), "PENSTOCK_WORKERS") != NULL);
    CHILD_CHECK(strstr(ps_last_error(), "none") != NULL);
    setenv("PENSTOCK_WORKERS", "2", 1);
    unsigned workers = 0;
    CHILD_CHECK(ps_engine_default(&engine) == PS_OK);
    CHILD_CHECK(ps_engine_workers(engine, &workers) == PS_OK && workers == 2);
    return 0;
}

static void the_default_engine_refuses_too(void **state)
{
    (void)state;
    clear_environment();
    assert_int_equal(child_run(use_default_engine, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_values_are_refused),
        cmocka_unit_test(empty_means_the_default),
        cmocka_unit_test(the_default_engine_refuses_too),
    };
    return FIXTURE_RUN(tests);
}
