/* Workers that cannot be started: the engine goes on with those that could; if there is none the push
 * says so, and nothing was queued; a later call tries again. The threads are refused by the testing
 * build, and by the system itself (RLIMIT_NPROC).
 *
 * Gates count the workers: as many are inside at once as there are, since nobody helps. */
#include "engine/process.h"

#include "base/alloc.h"

#include <dirent.h>
#include <sys/resource.h>

enum { WORKERS = 16, SKIPPED = 77 };

static const unsigned long moments[] = {1, 2, 7, WORKERS};
enum { MOMENTS = sizeof moments / sizeof moments[0] };

static unsigned worker_count(ps_engine *engine)
{
    unsigned workers = 0;
    CHECK_OK(ps_engine_workers(engine, &workers));
    return workers;
}

static void push_gates(ps_engine *engine, gate *g, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        CHECK_OK(fixture_push(engine, gate_task, g, NULL, NULL));
}

/* A push for which there is nobody: nothing of it is left. */
static void assert_refused(ps_engine *engine)
{
    tally touched = {0};
    CHECK_STATUS(PUSH(engine, .run = tally_task, .arg = &touched, .drop = tally_drop),
                 PS_ERR_THREAD);
    assert_non_null(strstr(ps_last_error(), "worker"));
    assert_int_equal(fixture_stats(engine).pushed, 0);
    assert_int_equal(tally_read(&touched), 0);
}

/* All threads from the nth on are refused. Then they are not, and what is queued gets them. */
static void the_rest_go_on(unsigned long nth)
{
    ps_engine *engine = fixture_engine(WORKERS);
    gate g = {0};
    ps__fault_set_threads(nth, true);
    if (nth == 1) {
        assert_refused(engine);
        assert_refused(engine);
        ps__fault_set_threads(0, false);
    }
    push_gates(engine, &g, WORKERS);
    gate_wait_inside(&g, nth == 1 ? WORKERS : (uint32_t)nth - 1);
    assert_int_equal(worker_count(engine), WORKERS);
    ps__fault_set_threads(0, false);
    CHECK_OK(ps_engine_set_workers(engine, WORKERS));
    gate_wait_inside(&g, WORKERS);
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

static void all_from_the_nth_on(void **state)
{
    (void)state;
    for (int i = 0; i < MOMENTS; i++)
        the_rest_go_on(moments[i]);
}

/* One alone is refused: if it was the first the push may be, too. */
static void the_nth_alone(void **state)
{
    (void)state;
    for (int i = 0; i < MOMENTS; i++) {
        ps_engine *engine = fixture_engine(WORKERS);
        gate g = {0};
        tally ran = {0};
        ps__fault_set_threads(moments[i], false);
        ps_status status = fixture_push(engine, tally_task, &ran, NULL, NULL);
        if (moments[i] != 1 || status != PS_ERR_THREAD)
            CHECK_OK(status);
        CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, NULL));
        tally_wait(&ran, 1u + (status == PS_OK));
        CHECK_OK(ps_engine_set_workers(engine, WORKERS));
        push_gates(engine, &g, WORKERS);
        gate_wait_inside(&g, WORKERS);
        gate_open(&g);
        CHECK_OK(ps_engine_destroy(engine));
        ps__fault_set_threads(0, false);
    }
}

/* More are asked for than can be had: the old number stays, and works. */
static void refuse_more(unsigned long nth, bool sticky)
{
    enum { FEW = 4 };
    ps_engine *engine = fixture_engine(FEW);
    gate few = {0}, all = {0};
    tally behind = {0};
    push_gates(engine, &few, FEW);
    gate_wait_inside(&few, FEW);
    ps__fault_set_threads(nth, sticky);
    CHECK_STATUS(ps_engine_set_workers(engine, WORKERS), PS_ERR_THREAD);
    ps__fault_set_threads(0, false);
    assert_int_equal(worker_count(engine), FEW);
    CHECK_OK(fixture_push(engine, tally_task, &behind, NULL, NULL));
    gate_open(&few);
    tally_wait(&behind, 1);
    CHECK_OK(ps_engine_set_workers(engine, WORKERS));
    push_gates(engine, &all, WORKERS);
    gate_wait_inside(&all, WORKERS);
    gate_open(&all);
    CHECK_OK(ps_engine_destroy(engine));
}

static void more_than_can_be_had(void **state)
{
    (void)state;
    static const unsigned long refused[] = {1, 2, 7, 12};
    for (int i = 0; i < 8; i++)
        refuse_more(refused[i % 4], i / 4);
}

/* The same again and again, with tasks in between: none is lost. */
static void refused_all_the_time(void **state)
{
    (void)state;
    enum { ROUNDS = FIXTURE_SCALED(400) };
    ps_engine *engine = fixture_engine(2);
    tally ran = {0};
    for (uint32_t i = 1; i <= ROUNDS; i++) {
        unsigned wanted = 1 + i * 7 % WORKERS;
        ps__fault_set_threads(1 + i % 5, i % 3 == 0);
        ps_status status = ps_engine_set_workers(engine, wanted);
        assert_true(status == PS_OK || status == PS_ERR_THREAD);
        assert_true(worker_count(engine) == wanted || status == PS_ERR_THREAD);
        ps__fault_set_threads(0, false);
        CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, NULL));
        tally_wait(&ran, i);
    }
    CHECK_OK(ps_engine_destroy(engine));
}

/* ---- after a fork ------------------------------------------------------------------------ */

enum { PENDING = 50 };

typedef struct pending {
    ps_engine *engine;
    ps_var *x;
    long value; /* guarded by the order on x */
} pending;

static ps_status raise_value(ps_task *self, void *arg)
{
    (void)self;
    ((pending *)arg)->value++;
    return PS_OK;
}

/* The child of a fork has no workers and gets none: what was queued is done by the thread that waits,
 * or is left until there are some. */
static int go_on_without_workers(void *arg)
{
    pending *p = arg;
    ps__fault_set_threads(1, true);
    ps_status status = ps_wait_read(p->x, NULL);
    CHILD_CHECK(status == PS_OK || status == PS_ERR_THREAD);
    CHILD_CHECK(fixture_push(p->engine, raise_value, p, NULL, p->x) == PS_ERR_THREAD);
    ps__fault_set_threads(0, false);
    CHILD_CHECK(fixture_push(p->engine, raise_value, p, NULL, p->x) == PS_OK);
    CHILD_CHECK(ps_wait_read(p->x, NULL) == PS_OK);
    CHILD_CHECK(p->value == PENDING + 1);
    return 0;
}

static void a_child_without_workers(void **state)
{
    (void)state;
#ifdef FORK_IS_UNSAFE
    print_message("skipped: " FORK_IS_UNSAFE "\n");
    skip();
#endif
    pending p = {.engine = fixture_engine(2)};
    p.x = fixture_var(p.engine);
    for (int i = 0; i < PENDING; i++)
        CHECK_OK(fixture_push(p.engine, raise_value, &p, NULL, p.x));
    assert_int_equal(child_run(go_on_without_workers, &p), 0);
    CHECK_OK(ps_wait_read(p.x, NULL));
    assert_int_equal(p.value, PENDING);
    ps_var_release(p.x);
    CHECK_OK(ps_engine_destroy(p.engine));
}

/* ---- refused by the system --------------------------------------------------------------- */

static unsigned threads_now(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/task");
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    if (folder != NULL)
        closedir(folder);
    return count;
}

static void *nothing(void *arg)
{
    return arg;
}

static bool limit_threads(rlim_t count)
{
    struct rlimit limit = {0};
    if (getrlimit(RLIMIT_NPROC, &limit) != 0)
        return false;
    limit.rlim_cur = count < limit.rlim_max ? count : limit.rlim_max;
    return setrlimit(RLIMIT_NPROC, &limit) == 0;
}

/* Whether threads are refused now, as far as one can tell by asking for one. */
static bool is_limited(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) != 0)
        return true;
    pthread_join(thread, NULL);
    return false;
}

/* A user who has no other processes: threads of this one are all that counts. */
static bool become_a_user_alone(void)
{
    const uid_t user = 54321;
    return geteuid() == 0 && setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0;
}

static ps_engine *child_engine(void)
{
    ps_engine *engine = NULL;
    ps_engine_options options = {.size = sizeof options, .workers = WORKERS, .mode = PS_MODE_ASYNC};
    CHILD_CHECK(ps_engine_create(&options, &engine) == PS_OK);
    return engine;
}

/* `more` threads, and not one beyond; then as many as are wanted. */
static int live_with(unsigned more)
{
    pthread_t thread; /* some runtimes start one of their own with the first */
    CHILD_CHECK(pthread_create(&thread, NULL, nothing, NULL) == 0);
    pthread_join(thread, NULL);
    bool alone = become_a_user_alone();
    if ((more != 0 && !alone) || !limit_threads(threads_now()) || !is_limited())
        return SKIPPED;
    CHILD_CHECK(limit_threads(threads_now() + more));
    ps_engine *engine = child_engine();
    gate g = {0};
    if (more == 0) {
        CHILD_CHECK(fixture_push(engine, gate_task, &g, NULL, NULL) == PS_ERR_THREAD);
        CHILD_CHECK(strstr(ps_last_error(), "worker") != NULL);
        CHILD_CHECK(limit_threads(RLIM_INFINITY));
    }
    for (unsigned i = 0; i < WORKERS; i++)
        CHILD_CHECK(fixture_push(engine, gate_task, &g, NULL, NULL) == PS_OK);
    CHILD_CHECK(tally_reaches(&g.inside, more));
    CHILD_CHECK(limit_threads(RLIM_INFINITY));
    CHILD_CHECK(ps_engine_set_workers(engine, WORKERS) == PS_OK);
    CHILD_CHECK(tally_reaches(&g.inside, WORKERS));
    gate_open(&g);
    CHILD_CHECK(ps_engine_destroy(engine) == PS_OK);
    return 0;
}

static int live_with_none(void *arg)
{
    (void)arg;
    return live_with(0);
}

static int live_with_three(void *arg)
{
    (void)arg;
    return live_with(3);
}

static void assert_lives(int (*body)(void *arg))
{
    int result = child_run(body, NULL);
    if (result == SKIPPED) {
        print_message("skipped: this user's threads cannot be limited here\n");
        skip();
    }
    assert_int_equal(result, 0);
}

static void the_system_refuses_all(void **state)
{
    (void)state;
    assert_lives(live_with_none);
}

static void the_system_refuses_some(void **state)
{
    (void)state;
    assert_lives(live_with_three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_system_refuses_all), /* first: no other thread has been started */
        cmocka_unit_test(the_system_refuses_some), cmocka_unit_test(all_from_the_nth_on),
        cmocka_unit_test(the_nth_alone),           cmocka_unit_test(more_than_can_be_had),
        cmocka_unit_test(refused_all_the_time),    cmocka_unit_test(a_child_without_workers),
    };
    return FIXTURE_RUN(tests);
}
