#include "workers.h"

#include "../help.h"

#include <semaphore.h>

static unsigned stopped; /* how many workers are held; of the thread that stops them */
static sem_t inside, leave, left;

static ps_status stand_still(ps_task *self, void *unused)
{
    (void)self;
    (void)unused;
    sem_post(&inside);
    while (sem_wait(&leave) != 0)
        ;
    sem_post(&left);
    return PS_OK;
}

static void wait_for(sem_t *semaphore, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        while (sem_wait(semaphore) != 0)
            ;
}

static ps_engine *default_engine(void)
{
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    return engine;
}

static ps_status nothing(ps_task *self, void *unused)
{
    (void)self;
    (void)unused;
    return PS_OK;
}

/* A worker that was idle may have asked this thread for a part of what it runs. This thread answers
 * before it begins with the next task, here before one that is no part of a test. */
static void answer_pokes(ps_engine *engine)
{
    ps_var *var;
    CHECK_OK(ps_var_create(engine, &var));
    CHECK_OK(ps_push(engine, &(ps_task_spec){.size = sizeof(ps_task_spec),
                                             .run = nothing,
                                             .writes = &var,
                                             .nwrites = 1,
                                             .cost_ns = 100}));
    CHECK_OK(ps_wait_read(var, NULL));
    ps_var_release(var);
}

void workers_stop(void)
{
    assert_int_equal(stopped, 0);
    ps_engine *engine = default_engine();
    CHECK_OK(ps_engine_workers(engine, &stopped));
    assert_int_equal(sem_init(&inside, 0, 0) | sem_init(&leave, 0, 0) | sem_init(&left, 0, 0), 0);
    /* Of unknown cost: each goes to a worker of its own, and at once. */
    for (unsigned i = 0; i < stopped; i++)
        CHECK_OK(ps_push(engine, &(ps_task_spec){.size = sizeof(ps_task_spec),
                                                 .run = stand_still,
                                                 .name = "stand still"}));
    wait_for(&inside, stopped);
    answer_pokes(engine);
}

void workers_go_on(void)
{
    for (unsigned i = 0; i < stopped; i++)
        sem_post(&leave);
    wait_for(&left, stopped);
    stopped = 0;
}
