/* Affinity masks that change while the engine runs: whoever moves the threads of a process, a batch
 * system or a container, does not ask. Each thread is put on one processor, on the other, on both, all
 * the time, while random programs are judged by the serial oracle. */
#include "support/program.h"

#include <dirent.h>
#include <sched.h>

enum { PROGRAMS = FIXTURE_SANITIZED ? 50 : 150, SEED = 500000, MASKS = 3 };

/* One processor, another, both. */
typedef struct masks {
    cpu_set_t before, sets[MASKS];
} masks;

/* False if this process has but one processor. */
static bool masks_find(masks *m)
{
    unsigned found = 0;
    memset(m, 0, sizeof *m);
    if (sched_getaffinity(0, sizeof m->before, &m->before) != 0)
        return false;
    for (int i = 0; i < CPU_SETSIZE && found < 2; i++) {
        if (!CPU_ISSET(i, &m->before))
            continue;
        CPU_SET(i, &m->sets[found++]);
        CPU_SET(i, &m->sets[2]);
    }
    return found == 2;
}

/* Every thread of the process; one that has ended meanwhile cannot be moved and need not be. */
static void move_all(const cpu_set_t *set)
{
    DIR *folder = opendir("/proc/self/task");
    if (folder == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.')
            sched_setaffinity(atoi(entry->d_name), sizeof *set, set);
    closedir(folder);
}

typedef struct mover {
    masks masks;
    tally stop, moves;
    pthread_t thread;
} mover;

static void *move_on(void *arg)
{
    mover *m = arg;
    for (unsigned i = 0; tally_read(&m->stop) == 0; i++) {
        move_all(&m->masks.sets[i % MASKS]);
        tally_add(&m->moves);
        step_aside();
    }
    return NULL;
}

static void mover_start(mover *m)
{
    memset(m, 0, sizeof *m);
    if (!masks_find(&m->masks)) {
        print_message("skipped: this process may use one processor only\n");
        skip();
    }
    assert_int_equal(pthread_create(&m->thread, NULL, move_on, m), 0);
    tally_wait(&m->moves, 1);
}

static void mover_end(mover *m)
{
    tally_add(&m->stop);
    pthread_join(m->thread, NULL);
    move_all(&m->masks.before);
}

static void programs_read_the_same(void **state)
{
    (void)state;
    mover m;
    mover_start(&m);
    for (uint64_t i = 0; i < PROGRAMS; i++)
        assert_true(program_run(SEED + i, NULL));
    print_message("%u moves during %u programs\n", tally_read(&m.moves), (unsigned)PROGRAMS);
    mover_end(&m);
}

/* The default number of workers follows the mask of the thread that asks; whatever it is at each
 * moment, there is at least one, and what is queued is done. */
static void the_default_is_asked_for_meanwhile(void **state)
{
    (void)state;
    enum { CHANGES = FIXTURE_SCALED(400) };
    mover m;
    mover_start(&m);
    ps_engine *engine = fixture_engine(0);
    ps_var *x = fixture_var(engine);
    tally ran = {0};
    for (uint32_t i = 1; i <= CHANGES; i++) {
        unsigned workers = 0;
        CHECK_OK(ps_engine_set_workers(engine, 0));
        CHECK_OK(ps_engine_workers(engine, &workers));
        assert_in_range(workers, 1, 2);
        CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, i % 2 ? x : NULL));
        if (i % 8 == 0)
            tally_wait(&ran, i); /* nobody helps: workers run them */
    }
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), CHANGES);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
    mover_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_read_the_same),
        cmocka_unit_test(the_default_is_asked_for_meanwhile),
    };
    return FIXTURE_RUN(tests);
}
