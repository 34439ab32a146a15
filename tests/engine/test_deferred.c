/* Tasks that finish later than their function: complete once the function has returned and the
 * completion call has come, in either order, exactly once. */
#include "fixture.h"

#include "base/atomic.h"

typedef struct late_task {
    ps_token token; /* written before `deferred` is raised */
    tally deferred; /* ps_task_defer has returned PS_OK */
    tally refused;  /* it returned anything else */
    gate *hold;     /* stays in the function until this opens; NULL: returns at once */
    bool complete;  /* calls ps_complete itself, before it returns */
    ps_status completed_with;
    ps_status result; /* what the function returns */
} late_task;

static ps_status run_late(ps_task *self, void *arg)
{
    late_task *l = arg;
    tally_add(ps_task_defer(self, &l->token) == PS_OK ? &l->deferred : &l->refused);
    if (l->complete && ps_complete(l->token, l->completed_with, "inside") != PS_OK)
        tally_add(&l->refused);
    if (l->hold != NULL)
        gate_task(self, l->hold);
    return l->result == PS_OK ? PS_OK : ps_task_fail(self, l->result, "returned");
}

static void complete_after_return(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    late_task l = {0};
    tally successor = {0}, beside = {0};
    CHECK_OK(fixture_push(engine, run_late, &l, NULL, x));
    CHECK_OK(fixture_push(engine, tally_task, &successor, x, NULL));
    tally_wait(&l.deferred, 1);
    CHECK_OK(fixture_push(engine, tally_task, &beside, NULL, y));
    CHECK_OK(ps_wait_read(y, NULL));
    assert_int_equal(tally_read(&successor), 0);
    assert_false(ps_var_is_ready(x));
    CHECK_STATUS(ps_wait_read(x, LOOK), PS_ERR_TIMEOUT);
    CHECK_OK(ps_complete(l.token, PS_OK, NULL));
    CHECK_OK(ps_wait_write(x, NULL));
    assert_int_equal(tally_read(&successor), 1);
    assert_true(ps_var_is_ready(x));
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

/* The task is not complete until its function has returned, whoever called ps_complete. */
static void complete_before_return(bool from_inside)
{
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    gate g = {0};
    late_task l = {.hold = &g, .complete = from_inside};
    tally successor = {0};
    CHECK_OK(fixture_push(engine, run_late, &l, NULL, x));
    CHECK_OK(fixture_push(engine, tally_task, &successor, x, NULL));
    gate_wait_inside(&g, 1);
    if (!from_inside)
        CHECK_OK(ps_complete(l.token, PS_OK, NULL));
    CHECK_STATUS(ps_complete(l.token, PS_OK, NULL), PS_ERR_STATE);
    CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, y));
    CHECK_OK(ps_wait_read(y, NULL));
    assert_int_equal(tally_read(&successor), 0);
    CHECK_STATUS(ps_wait_read(x, LOOK), PS_ERR_TIMEOUT);
    gate_open(&g);
    CHECK_OK(ps_wait_write(x, NULL));
    assert_int_equal(tally_read(&successor), 1);
    assert_int_equal(tally_read(&l.refused), 0);
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

static void complete_before_the_function_returns(void **state)
{
    (void)state;
    complete_before_return(false);
    complete_before_return(true);
}

static void completing_twice_is_refused(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    late_task l = {0};
    CHECK_OK(fixture_push(engine, run_late, &l, NULL, x));
    tally_wait(&l.deferred, 1);
    CHECK_OK(ps_complete(l.token, PS_OK, NULL));
    CHECK_STATUS(ps_complete(l.token, PS_OK, NULL), PS_ERR_STATE);
    CHECK_OK(ps_wait_read(x, NULL));
    CHECK_STATUS(ps_complete(l.token, PS_ERR_TASK, "too late"), PS_ERR_STATE);
    CHECK_OK(ps_wait_read(x, NULL));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* A token names one task for ever, also when another one lives in its record. */
static void a_stale_token_is_refused(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine);
    late_task old = {0};
    CHECK_OK(fixture_push(engine, run_late, &old, NULL, x));
    tally_wait(&old.deferred, 1);
    CHECK_OK(ps_complete(old.token, PS_OK, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    enum { LATER = 200 };
    static late_task later[LATER];
    for (int i = 0; i < LATER; i++) {
        later[i] = (late_task){0};
        CHECK_OK(fixture_push(engine, run_late, &later[i], NULL, NULL));
    }
    for (int i = 0; i < LATER; i++) {
        tally_wait(&later[i].deferred, 1);
        CHECK_STATUS(ps_complete(old.token, PS_OK, NULL), PS_ERR_STATE);
    }
    CHECK_STATUS(ps_wait_all(engine, WITHIN_MS(1)), PS_ERR_TIMEOUT);
    for (int i = 0; i < LATER; i++)
        CHECK_OK(ps_complete(later[i].token, PS_OK, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    for (int i = 0; i < LATER; i++)
        CHECK_STATUS(ps_complete(later[i].token, PS_OK, NULL), PS_ERR_STATE);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static ps_status forge_token(ps_task *self, void *arg)
{
    /* A token that nobody was given: the task is not deferred. */
    ps_token token = {.engine = arg, .task = self, .sequence = ps_task_sequence(self)};
    ps_status status = ps_complete(token, PS_OK, NULL);
    if (status != PS_ERR_STATE)
        return ps_task_fail(self, PS_ERR_TASK, "completing gave %s", ps_status_name(status));
    return PS_OK;
}

static void a_task_that_is_not_deferred_cannot_be_completed(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    CHECK_OK(fixture_push(engine, forge_token, engine, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_STATUS(ps_complete((ps_token){.sequence = 1}, PS_OK, NULL), PS_ERR_ARGUMENT);
    CHECK_OK(ps_engine_destroy(engine));
}

static void a_bad_status_changes_nothing(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    late_task l = {0};
    CHECK_OK(fixture_push(engine, run_late, &l, NULL, x));
    tally_wait(&l.deferred, 1);
    CHECK_STATUS(ps_complete(l.token, (ps_status)999, NULL), PS_ERR_ARGUMENT);
    CHECK_STATUS(ps_complete(l.token, (ps_status)-1, NULL), PS_ERR_ARGUMENT);
    CHECK_STATUS(ps_wait_read(x, LOOK), PS_ERR_TIMEOUT);
    CHECK_OK(ps_complete(l.token, PS_OK, NULL));
    CHECK_OK(ps_wait_read(x, NULL));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Function and completion call both fail: the first of the two failures counts. */
static void the_first_failure_counts(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);

    late_task after = {.result = PS_ERR_TASK};
    gate g = {0}, behind = {0};
    CHECK_OK(fixture_push(engine, run_late, &after, NULL, x));
    CHECK_OK(fixture_push(engine, gate_task, &behind, NULL, NULL));
    gate_wait_inside(&behind, 1); /* on the one worker: the first function has returned */
    CHECK_STATUS(ps_wait_read(x, LOOK), PS_ERR_TIMEOUT);
    CHECK_OK(ps_complete(after.token, PS_ERR_SYSTEM, "completed"));
    gate_open(&behind);
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_TASK);
    assert_non_null(strstr(ps_last_error(), "returned"));

    late_task before = {.result = PS_ERR_TASK, .hold = &g};
    CHECK_OK(fixture_push(engine, run_late, &before, NULL, x));
    gate_wait_inside(&g, 1);
    CHECK_OK(ps_complete(before.token, PS_ERR_SYSTEM, "completed"));
    gate_open(&g);
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_SYSTEM);
    assert_non_null(strstr(ps_last_error(), "completed"));

    late_task none = {.complete = true, .completed_with = PS_ERR_SYSTEM};
    CHECK_OK(fixture_push(engine, run_late, &none, NULL, x));
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_SYSTEM);
    assert_non_null(strstr(ps_last_error(), "inside"));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

typedef struct continuation {
    ps_engine *engine;
    ps_var *part;
    ps_token token;
    tally ran, completed;
} continuation;

static ps_status last_part(ps_task *self, void *arg)
{
    continuation *c = arg;
    (void)self;
    if (ps_complete(c->token, PS_OK, NULL) == PS_OK)
        tally_add(&c->completed);
    return PS_OK;
}

static ps_status push_parts(ps_task *self, void *arg)
{
    continuation *c = arg;
    ps_status status = ps_task_defer(self, &c->token);
    for (int i = 0; i < 10 && status == PS_OK; i++)
        status = fixture_push(c->engine, tally_task, &c->ran, NULL, c->part);
    return status == PS_OK ? fixture_push(c->engine, last_part, c, c->part, NULL) : status;
}

/* The way for a task to go on after work that it pushed itself. */
static void work_pushed_by_the_task_completes_it(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 2; workers++) {
        continuation c = {.engine = fixture_engine(workers)};
        c.part = fixture_var(c.engine);
        ps_var *x = fixture_var(c.engine);
        for (uint32_t i = 1; i <= 100; i++) {
            CHECK_OK(fixture_push(c.engine, push_parts, &c, NULL, x));
            CHECK_OK(ps_wait_read(x, NULL));
            assert_int_equal(tally_read(&c.ran), 10 * i);
            tally_wait(&c.completed, i);
        }
        ps_var_release(c.part);
        ps_var_release(x);
        CHECK_OK(ps_engine_destroy(c.engine));
    }
}

typedef struct rivals {
    ps_token token;
    tally start, won, lost, odd;
} rivals;

static void *complete_once(void *arg)
{
    rivals *r = arg;
    tally_reaches(&r->start, 1);
    ps_status status = ps_complete(r->token, PS_OK, NULL);
    tally_add(status == PS_OK ? &r->won : status == PS_ERR_STATE ? &r->lost : &r->odd);
    return NULL;
}

static void one_of_many_completions_wins(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    for (int round = 0; round < FIXTURE_SCALED(200); round++) {
        late_task l = {0};
        rivals r = {0};
        pthread_t threads[3];
        CHECK_OK(fixture_push(engine, run_late, &l, NULL, NULL));
        tally_wait(&l.deferred, 1);
        r.token = l.token;
        for (int i = 0; i < 3; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, complete_once, &r), 0);
        tally_add(&r.start);
        CHECK_OK(ps_wait_all(engine, NULL));
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
        assert_int_equal(tally_read(&r.won), 1);
        assert_int_equal(tally_read(&r.lost), 2);
    }
    CHECK_OK(ps_engine_destroy(engine));
}

/* ---- in a piece ------------------------------------------------------------------------- */

enum { TURNS = 4000 };

/* Completes each task as soon as it is deferred, while its function returns. */
static void *complete_at_once(void *arg)
{
    late_task *l = arg;
    for (uint32_t i = 1; i <= FIXTURE_SCALED(TURNS); i++) {
        while (tally_read(&l->deferred) < i)
            continue;
        if (ps_complete(l->token, PS_OK, NULL) != PS_OK)
            tally_add(&l->refused);
    }
    return NULL;
}

/* A thread that waits runs the reader and the deferred writer as one piece; the writer may be
 * completed before the piece is, and still comes after the reader. */
static void a_deferred_task_follows_its_piece(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    late_task l = {0};
    tally reader = {0}, successor = {0};
    pthread_t thread;
    ps__step_configure(7, 1); /* threads meet in most orders */
    assert_int_equal(pthread_create(&thread, NULL, complete_at_once, &l), 0);
    for (uint32_t i = 1; i <= FIXTURE_SCALED(TURNS); i++) {
        CHECK_OK(PUSH(engine, .run = tally_task, .arg = &reader, READS(x), .cost_ns = 100));
        CHECK_OK(PUSH(engine, .run = run_late, .arg = &l, WRITES(x), .cost_ns = 100));
        CHECK_OK(PUSH(engine, .run = tally_task, .arg = &successor, WRITES(x), .cost_ns = 100));
        CHECK_OK(ps_wait_read(x, NULL));
        assert_int_equal(tally_read(&successor), i);
    }
    pthread_join(thread, NULL);
    ps__step_configure(0, 0);
    assert_int_equal(tally_read(&l.refused), 0);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complete_after_return),
        cmocka_unit_test(complete_before_the_function_returns),
        cmocka_unit_test(completing_twice_is_refused),
        cmocka_unit_test(a_stale_token_is_refused),
        cmocka_unit_test(a_task_that_is_not_deferred_cannot_be_completed),
        cmocka_unit_test(a_bad_status_changes_nothing),
        cmocka_unit_test(the_first_failure_counts),
        cmocka_unit_test(work_pushed_by_the_task_completes_it),
        cmocka_unit_test(one_of_many_completions_wins),
        cmocka_unit_test(a_deferred_task_follows_its_piece),
    };
    return FIXTURE_RUN(tests);
}
