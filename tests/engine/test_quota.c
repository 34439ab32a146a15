/* Workers under quotas: whatever the files of a cgroup say, a new engine has at least one worker and
 * no more than the quota allows, and what is pushed is done. tests/unit/test_topology.c has the rules
 * by which the files are read. */
#include "fixture.h"

#include "base/topology.h"

#include <sys/stat.h>

static char folder[] = "/tmp/penstock-quota-XXXXXX";
static char proc[64], root[64], quota[64];

static int tree_create(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(proc, sizeof proc, "%s/proc", folder);
    snprintf(root, sizeof root, "%s/cgroup", folder);
    snprintf(quota, sizeof quota, "%s/cgroup/cpu.max", folder);
    ps__topology_pretend(proc, root);
    return mkdir(root, 0700);
}

static int tree_remove(void **state)
{
    (void)state;
    ps__topology_pretend(NULL, NULL);
    remove(quota);
    remove(proc);
    return rmdir(root) | rmdir(folder);
}

static void write_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void set_quota(const char *text)
{
    write_file(proc, "0::/\n", 5);
    write_file(quota, text, strlen(text));
}

/* How many workers a new engine says that it has; all of them are there, and work. */
static unsigned workers_of_new(void)
{
    ps_engine *engine = fixture_engine(0);
    unsigned workers = 0;
    gate g = {0};
    CHECK_OK(ps_engine_workers(engine, &workers));
    assert_true(workers >= 1);
    for (unsigned i = 0; i < workers; i++)
        CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, workers);
    gate_open(&g);
    CHECK_OK(ps_engine_destroy(engine));
    return workers;
}

static void less_than_a_processor_is_one_worker(void **state)
{
    (void)state;
    static const char *const texts[] = {"50000 100000\n", "10000 100000\n", "1000 1000000\n",
                                        "1 18446744073709551615\n", "100000 100000\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        set_quota(texts[i]);
        assert_int_equal(workers_of_new(), 1);
    }
}

static void what_is_no_quota_leaves_the_processors(void **state)
{
    (void)state;
    static const char *const texts[] = {"max 100000\n",
                                        "max\n",
                                        "",
                                        "\n",
                                        "0 100000\n",
                                        "-1 100000\n",
                                        "0 0",
                                        "x",
                                        "50000\n",
                                        "50000 0\n",
                                        "0.5 1\n",
                                        " 1 1",
                                        "1",
                                        "1  1",
                                        "1 1 1",
                                        "99999999999999999999999 1"};
    set_quota("max 100000\n");
    unsigned all = workers_of_new();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        set_quota(texts[i]);
        assert_int_equal(workers_of_new(), all);
    }
}

/* A folder in the place of a file cannot be read, by root neither. */
static void what_cannot_be_read_leaves_the_processors(void **state)
{
    (void)state;
    set_quota("max 100000\n");
    unsigned all = workers_of_new();
    remove(quota);
    assert_int_equal(workers_of_new(), all);
    assert_int_equal(mkdir(quota, 0700), 0);
    assert_int_equal(workers_of_new(), all);
    remove(proc);
    assert_int_equal(workers_of_new(), all);
    assert_int_equal(mkdir(proc, 0700), 0);
    assert_int_equal(workers_of_new(), all);
    remove(proc);
    remove(quota);
    set_quota("100000 100000\n");
    assert_int_equal(chmod(quota, 0), 0);
    assert_int_equal(workers_of_new(), geteuid() == 0 ? 1 : all);
}

/* Bytes of any kind in both files. */
static void garbage_leaves_at_least_one(void **state)
{
    (void)state;
    static const char kinds[] = "0123456789 \n:/,.-max\0\xff"
                                "cpu";
    uint64_t dice = 1;
    for (int i = 0; i < FIXTURE_SCALED(2000); i++) {
        char text[40];
        for (size_t k = 0; k < sizeof text; k++) {
            dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407;
            text[k] = kinds[(dice >> 33) % (sizeof kinds - 1)];
        }
        set_quota("");
        write_file(i % 2 ? proc : quota, text, (dice >> 40) % sizeof text);
        assert_true(ps__topology_processors() >= 1);
    }
}

/* A quota that is set while the engine runs counts when the default is asked for again. */
static void a_quota_that_changes(void **state)
{
    (void)state;
    set_quota("max 100000\n");
    ps_engine *engine = fixture_engine(0);
    unsigned all = 0, workers = 0;
    tally ran = {0};
    CHECK_OK(ps_engine_workers(engine, &all));
    for (uint32_t i = 1; i <= 20; i++) {
        set_quota(i % 2 ? "10000 100000\n" : "max 100000\n");
        CHECK_OK(ps_engine_set_workers(engine, 0));
        CHECK_OK(ps_engine_workers(engine, &workers));
        assert_int_equal(workers, i % 2 ? 1 : all);
        CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, NULL));
        tally_wait(&ran, i);
    }
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    unsetenv("PENSTOCK_WORKERS");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(less_than_a_processor_is_one_worker),
        cmocka_unit_test(what_is_no_quota_leaves_the_processors),
        cmocka_unit_test(what_cannot_be_read_leaves_the_processors),
        cmocka_unit_test(garbage_leaves_at_least_one),
        cmocka_unit_test(a_quota_that_changes),
    };
    alarm(LIMIT_S);
    return cmocka_run_group_tests(tests, tree_create, tree_remove);
}
