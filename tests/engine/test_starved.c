/* A process that gets a fifth of the time, in small pieces, as under a quota below one processor: all
 * of its threads stop wherever they are and go on later. Random programs in a child, which is stopped
 * and continued, end as their serial runs do. */
#include "process.h"
#include "rest.h"

#include "support/program.h"

#include <sys/mman.h>
#include <sys/prctl.h>

enum {
    RUN_MS = 5,
    STOPPED_MS = 20,
    CYCLES = 2000 / (RUN_MS + STOPPED_MS),
    SEED = 600000,
    SPAN = 1000 /* seeds of one child */
};

typedef struct shared {
    tally began, over; /* in both processes */
} shared;

/* At least one program, and further ones until it is told that it is over. */
static int run_programs(void *arg)
{
    shared *s = arg;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a stopped process would outlive the test */
    tally_add(&s->began);
    unsigned count = 0;
    do {
        CHILD_CHECK(program_run(SEED + count++, NULL));
    } while (tally_read(&s->over) == 0 && count < SPAN);
    printf("%u programs\n", count);
    return 0;
}

/* Stops it, and waits until it has stopped: a child that has ended does not. */
static bool stop_child(pid_t child)
{
    siginfo_t info = {0};
    if (kill(child, SIGSTOP) != 0 ||
        waitid(P_PID, (id_t)child, &info, WSTOPPED | WEXITED | WNOWAIT) != 0)
        return false;
    return info.si_code == CLD_STOPPED;
}

static int starve(pid_t child, tally *over)
{
    for (int i = 0; i < CYCLES && stop_child(child); i++) {
        rest_ms(STOPPED_MS);
        kill(child, SIGCONT);
        rest_ms(RUN_MS);
    }
    tally_add(over);
    kill(child, SIGCONT);
    return child_result(child);
}

static void run_starved(int (*body)(void *arg))
{
    shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(s != MAP_FAILED);
    pid_t child = child_start(body, s);
    while (tally_read(&s->began) == 0) /* futexes of the library are private to a process */
        rest_ms(1);
    assert_int_equal(starve(child, &s->over), 0);
    munmap(s, sizeof *s);
}

static void programs_end_as_their_serial_runs(void **state)
{
    (void)state;
    run_starved(run_programs);
}

/* The same with workers that sleep, wake and work all the time. */
static int wake_and_work(void *arg)
{
    shared *s = arg;
    ps_engine *engine = NULL;
    ps_engine_options options = {.size = sizeof options, .workers = 16, .mode = PS_MODE_ASYNC};
    tally ran = {0};
    uint32_t pushed = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    CHILD_CHECK(ps_engine_create(&options, &engine) == PS_OK);
    tally_add(&s->began);
    while (tally_read(&s->over) == 0) {
        for (int i = 0; i < 20; i++, pushed++)
            CHILD_CHECK(fixture_push(engine, tally_task, &ran, NULL, NULL) == PS_OK);
        CHILD_CHECK(tally_reaches(&ran, pushed)); /* nobody helps */
        rest_ms(3);                               /* long enough to fall asleep */
    }
    CHILD_CHECK(ps_engine_destroy(engine) == PS_OK);
    CHILD_CHECK(tally_read(&ran) == pushed);
    return 0;
}

static void every_wake_up_arrives(void **state)
{
    (void)state;
    run_starved(wake_and_work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_end_as_their_serial_runs),
        cmocka_unit_test(every_wake_up_arrives),
    };
    return FIXTURE_RUN(tests);
}
