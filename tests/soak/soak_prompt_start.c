/* Prompt start: a task of 10 ms, pushed by a thread that then sleeps without calling again, is done
 * within 12 ms of its push.
 *
 * This measures time, so it is a soak and not a test: it prints the worst and the share of those
 * that took longer, and fails when that share is more than 5 %. Two kinds of push are measured: to
 * workers that have just worked, and to workers that have been asleep for a while. */
#include "engine/fixture.h"

enum { TASK_MS = 10, LIMIT_MS = 12, ROUNDS = 200, PERCENT = 5 };

typedef struct sample {
    int64_t ended; /* written before `done` is raised */
    tally done;
} sample;

static ps_status work(ps_task *self, void *arg)
{
    sample *s = arg;
    (void)self;
    fixture_spin(TASK_MS * INT64_C(1000000));
    s->ended = ps__now_ns();
    tally_add(&s->done);
    return PS_OK;
}

static void nap(int64_t nanoseconds)
{
    struct timespec t = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    nanosleep(&t, NULL);
}

/* How long from the push to the end, in nanoseconds. */
static int64_t push_and_sleep(ps_engine *engine, uint64_t cost_ns)
{
    sample s = {0};
    int64_t begin = ps__now_ns();
    CHECK_OK(PUSH(engine, .run = work, .arg = &s, .cost_ns = cost_ns));
    nap((TASK_MS + 5) * INT64_C(1000000));
    tally_wait(&s.done, 1);
    return s.ended - begin;
}

static void measure(const char *name, int64_t pause_ns, uint64_t cost_ns)
{
    ps_engine *engine = fixture_engine(0);
    int64_t worst = 0;
    int late = 0;
    push_and_sleep(engine, cost_ns); /* starts the threads */
    for (int i = 0; i < ROUNDS; i++) {
        nap(pause_ns);
        int64_t took = push_and_sleep(engine, cost_ns);
        worst = took > worst ? took : worst;
        late += took > LIMIT_MS * INT64_C(1000000);
    }
    print_message("%-40s worst %.3f ms, %d of %d over %d ms\n", name, (double)worst / 1e6, late,
                  ROUNDS, LIMIT_MS);
    CHECK_OK(ps_engine_destroy(engine));
    assert_true(late * 100 <= ROUNDS * PERCENT);
}

static void workers_that_have_just_worked(void **state)
{
    (void)state;
    measure("just worked, cost unknown", 0, 0);
    measure("just worked, cost known", 0, TASK_MS * UINT64_C(1000000));
    measure("just worked, cost said to be tiny", 0, 50);
}

static void workers_that_were_asleep(void **state)
{
    (void)state;
    measure("asleep, cost unknown", 20000000, 0);
    measure("asleep, cost known", 20000000, TASK_MS * UINT64_C(1000000));
    measure("asleep, cost said to be tiny", 20000000, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_that_have_just_worked),
        cmocka_unit_test(workers_that_were_asleep),
    };
    return FIXTURE_RUN(tests);
}
