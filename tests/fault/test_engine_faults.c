/* Out of memory, and out of threads, at every point: whole scenarios are run with the Nth call for
 * memory or a thread failing, for N = 1, 2, 3 ... until none is left to fail; once with only that
 * call failing, once with all after it failing too.
 *
 * What must hold each time: no crash, no hang, no leak (AddressSanitizer's build looks); each call
 * that failed says PS_ERR_MEMORY or PS_ERR_THREAD; a task whose push failed never ran and was not
 * dropped; a task whose push succeeded was dropped once and ran once, unless a wait reported the
 * error that kept it from running; the engine can be destroyed once there is memory again.
 *
 * Each run is a child process, so that nothing is left over from the run before: the first run
 * must meet the first allocation ever made. */
#include "engine/faults.h"

#include "device/late/late.h"

enum { MANY = 700, SLOTS = 64, LAST_FAULT = 2000 };

/* What happened to one push. */
typedef struct slot {
    bool pushed;
    tally ran, dropped;
} slot;

typedef struct run {
    ps_engine *engine;
    slot slots[SLOTS];
    int used;
    bool reported; /* a wait returned an error */
    ps_token token;
    tally deferred;
    ps_device *device;
    ps_queue *queue;
    tally on_device;
    tally called; /* by callbacks */
    int registered;
} run;

/* A wait may also raise what kept a task from running, which is the same two. */
static void waited(run *r, ps_status status)
{
    if (!fine(status))
        r->reported = true;
}

static ps_status slot_run(ps_task *self, void *arg)
{
    (void)self;
    tally_add(&((slot *)arg)->ran);
    return PS_OK;
}

static void slot_drop(void *arg)
{
    tally_add(&((slot *)arg)->dropped);
}

static slot *next_slot(run *r)
{
    CHILD_CHECK(r->used < SLOTS);
    return &r->slots[r->used++];
}

#define PUSH_SLOT(r, ...)                                                                          \
    do {                                                                                           \
        slot *pushed_slot = next_slot(r);                                                          \
        pushed_slot->pushed =                                                                      \
            fine(PUSH((r)->engine, .arg = pushed_slot, .drop = slot_drop, __VA_ARGS__));           \
    } while (0)

/* ---- scenarios --------------------------------------------------------------------------- */

static ps_var *make_var(run *r)
{
    ps_var *x = NULL;
    return fine(ps_var_create(r->engine, &x)) ? x : NULL;
}

static void push_chain(run *r)
{
    ps_var *x = make_var(r);
    if (x == NULL)
        return;
    for (int i = 0; i < 5; i++)
        PUSH_SLOT(r, .run = slot_run, READS(x), WRITES(x), .priority = i % 2);
    waited(r, ps_wait_read(x, NULL));
    waited(r, ps_wait_write(x, NULL));
    ps_var_release(x);
}

/* If the push succeeded there is somebody to run the task, although nobody calls again. */
static void push_and_leave(run *r)
{
    PUSH_SLOT(r, .run = slot_run);
    CHILD_CHECK(!r->slots[0].pushed || tally_reaches(&r->slots[0].ran, 1));
}

static void push_many_variables(run *r)
{
    static ps_var *vars[MANY];
    int made = 0;
    while (made < MANY && (vars[made] = make_var(r)) != NULL)
        made++;
    for (int i = 0; i < 4; i++)
        PUSH_SLOT(r, .run = slot_run, .reads = vars, .nreads = (size_t)made, .writes = vars,
                  .nwrites = (size_t)(i % 2 ? made : 0));
    waited(r, ps_wait_all(r->engine, NULL));
    while (made > 0)
        ps_var_release(vars[--made]);
}

static ps_status push_nested(ps_task *self, void *arg)
{
    run *r = arg;
    (void)self;
    for (int i = 0; i < 3; i++)
        PUSH_SLOT(r, .run = slot_run);
    return PS_OK;
}

static void nested(run *r)
{
    fine(PUSH(r->engine, .run = push_nested, .arg = r));
    waited(r, ps_wait_all(r->engine, NULL));
}

static ps_status defer_slot(ps_task *self, void *arg)
{
    run *r = arg;
    ps_status status = ps_task_defer(self, &r->token);
    if (fine(status))
        tally_add(&r->deferred);
    return status;
}

static void deferred(run *r)
{
    ps_var *x = make_var(r);
    if (x == NULL)
        return;
    bool pushed = fine(PUSH(r->engine, .run = defer_slot, .arg = r, WRITES(x)));
    PUSH_SLOT(r, .run = slot_run, READS(x));
    if (pushed && tally_reaches(&r->deferred, 1))
        CHILD_CHECK(ps_complete(r->token, PS_OK, "done") == PS_OK);
    waited(r, ps_wait_write(x, NULL));
    ps_var_release(x);
}

static void device_work(void *arg)
{
    tally_add(&((run *)arg)->on_device);
}

static ps_status issue(ps_task *self, void *arg)
{
    run *r = arg;
    (void)self;
    return r->device->table->launch(r->device, 0, device_work, r);
}

static void on_device(run *r)
{
    ps_var *x = make_var(r);
    if (x == NULL)
        return;
    if (fine(ps__late_create(&r->device)) &&
        fine(ps_queue_create(r->engine, r->device, 0, &r->queue))) {
        int pushed = 0;
        for (int i = 0; i < 5; i++)
            pushed += fine(
                PUSH(r->engine, .run = issue, .arg = r, READS(x), WRITES(x), .queue = r->queue));
        PUSH_SLOT(r, .run = slot_run, READS(x));
        waited(r, ps_wait_write(x, NULL));
        waited(r, ps_wait_all(r->engine, NULL));
        CHILD_CHECK(r->reported || tally_read(&r->on_device) == (uint32_t)pushed);
    }
    ps_var_release(x);
}

static ps_status fail_with_text(ps_task *self, void *arg)
{
    tally_add(&((slot *)arg)->ran);
    return ps_task_fail(self, PS_ERR_MEMORY, "a text of its own");
}

/* A failure is never lost for want of memory to note it; its text may be. */
static void failing(run *r)
{
    ps_var *x = make_var(r);
    if (x == NULL)
        return;
    slot *failed = next_slot(r), *skipped = next_slot(r);
    failed->pushed = fine(PUSH(r->engine, .run = fail_with_text, .arg = failed, .drop = slot_drop,
                               WRITES(x), .name = "failing"));
    skipped->pushed =
        fine(PUSH(r->engine, .run = slot_run, .arg = skipped, .drop = slot_drop, READS(x)));
    ps_status status = ps_wait_read(x, NULL);
    fine(status);
    CHILD_CHECK(!failed->pushed || status != PS_OK);
    waited(r, ps_wait_all(r->engine, NULL));
    r->reported = true; /* `skipped` did not run */
    ps_var_release(x);
}

static void called_back(void *arg, ps_status status)
{
    (void)status;
    tally_add(arg);
}

static void callbacks(run *r)
{
    ps_var *x = make_var(r);
    ps_completions *completions = NULL;
    if (x == NULL)
        return;
    PUSH_SLOT(r, .run = slot_run, WRITES(x));
    for (int i = 0; i < 3; i++)
        r->registered += fine(ps_var_on_ready(x, called_back, &r->called));
    int watched = 0, popped = 0;
    if (fine(ps_completions_create(r->engine, &completions)))
        for (uint64_t i = 0; i < 3; i++)
            watched += fine(ps_completions_watch(completions, x, i));
    waited(r, ps_wait_all(r->engine, NULL));
    for (uint64_t tag; popped < watched;) {
        ps_status mark, status = ps_completions_pop(completions, &tag, &mark);
        popped += status == PS_OK;
        CHILD_CHECK(status == PS_OK || status == PS_ERR_EMPTY);
    }
    CHILD_CHECK(tally_reaches(&r->called, (uint32_t)r->registered));
    ps_completions_destroy(completions);
    ps_var_release(x);
}

static ps_status loop_body(size_t begin, size_t end, void *arg)
{
    for (size_t i = begin; i < end; i++)
        tally_add(arg);
    return PS_OK;
}

static void loops(run *r)
{
    tally visited = {0};
    if (fine(ps_parallel_for(r->engine, 100, 7, loop_body, &visited)))
        CHILD_CHECK(tally_read(&visited) == 100);
    else
        CHILD_CHECK(tally_read(&visited) == 0);
}

static void traced(run *r)
{
    bool started = fine(ps_trace_start(r->engine, 256));
    push_chain(r);
    if (started) {
        size_t count;
        uint64_t lost;
        fine(ps_trace_stop(r->engine));
        fine(ps_trace_read(r->engine, NULL, 0, &count, &lost));
    }
}

static void more_workers(run *r)
{
    unsigned before = 0, after = 0;
    PUSH_SLOT(r, .run = slot_run);
    CHILD_CHECK(ps_engine_workers(r->engine, &before) == PS_OK);
    bool changed = fine(ps_engine_set_workers(r->engine, before + 3));
    CHILD_CHECK(ps_engine_workers(r->engine, &after) == PS_OK);
    CHILD_CHECK(after == (changed ? before + 3 : before));
    PUSH_SLOT(r, .run = slot_run);
    fine(ps_engine_set_workers(r->engine, 1));
    waited(r, ps_wait_all(r->engine, NULL));
}

static void released_later(run *r)
{
    PUSH_SLOT(r, .run = slot_run, .flags = PS_TASK_FRONTEND_ARG);
    PUSH_SLOT(r, .run = slot_run, .flags = PS_TASK_FRONTEND_ARG);
    waited(r, ps_wait_all(r->engine, NULL));
    ps_releases_run(r->engine);
}

static void *push_elsewhere(void *arg)
{
    push_chain(arg);
    return NULL;
}

static void from_a_new_thread(run *r)
{
    pthread_t thread;
    CHILD_CHECK(pthread_create(&thread, NULL, push_elsewhere, r) == 0);
    pthread_join(thread, NULL);
}

static void synchronous(run *r)
{
    if (fine(ps_thread_set_mode(PS_MODE_SYNC))) {
        push_chain(r);
        CHILD_CHECK(ps_thread_set_mode(PS_MODE_DEFAULT) == PS_OK);
    }
}

/* A hundred small blocks, then nothing of it left. */
static void memory(run *r)
{
    void *blocks[100] = {0};
    (void)r;
    for (int i = 0; i < 100; i++)
        fine(ps_memory_alloc((size_t)1 << (i % 22), &blocks[i]));
    for (int i = 0; i < 100; i++)
        if (blocks[i] != NULL)
            ps_memory_free(blocks[i], (size_t)1 << (i % 22));
}

/* One after the other on one engine: what a failure left behind meets all that follows. */
static void everything(run *r)
{
    push_chain(r);
    push_many_variables(r);
    nested(r);
    deferred(r);
    failing(r);
    callbacks(r);
    loops(r);
    traced(r);
    more_workers(r);
    released_later(r);
    from_a_new_thread(r);
    synchronous(r);
    on_device(r);
}

/* ---- one run ----------------------------------------------------------------------------- */

typedef struct scenario {
    const char *name;
    void (*play)(run *r);
} scenario;

static void check_slots(const run *r)
{
    for (int i = 0; i < r->used; i++) {
        slot *s = (slot *)&r->slots[i];
        uint32_t ran = tally_read(&s->ran), dropped = tally_read(&s->dropped);
        CHILD_CHECK(dropped == s->pushed);
        CHILD_CHECK(ran <= dropped);
        CHILD_CHECK(ran == dropped || r->reported);
    }
}

static int play_once(void *arg)
{
    const fault *f = arg;
    const scenario *s = f->scenario;
    static run r;
    ps_engine_options options = {.size = sizeof options, .workers = 2, .mode = PS_MODE_ASYNC};
    fault_begin(f);
    if (fine(ps_engine_create(&options, &r.engine))) {
        s->play(&r);
        bool closed = fine(ps_engine_destroy(r.engine));
        int code = fault_end(f);
        if (!closed)
            CHILD_CHECK(ps_engine_destroy(r.engine) == PS_OK);
        CHILD_CHECK(ps_queue_destroy(r.queue) == PS_OK);
        check_slots(&r);
        return code;
    }
    return FAULT_MET;
}

static void play_all(const scenario *s, bool sticky)
{
    (void)faults_play(s->name, play_once, s, sticky, LAST_FAULT);
}

#define SCENARIO(name)                                                                             \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        play_all(&(scenario){#name, name}, false);                                                 \
        play_all(&(scenario){#name, name}, true);                                                  \
    }

SCENARIO(push_chain)
SCENARIO(push_and_leave)
SCENARIO(push_many_variables)
SCENARIO(nested)
SCENARIO(deferred)
SCENARIO(on_device)
SCENARIO(failing)
SCENARIO(callbacks)
SCENARIO(loops)
SCENARIO(traced)
SCENARIO(more_workers)
SCENARIO(released_later)
SCENARIO(from_a_new_thread)
SCENARIO(synchronous)
SCENARIO(memory)

/* With all failing after the Nth, what follows the first scenario would have nothing to do. */
static void test_everything(void **state)
{
    (void)state;
    play_all(&(scenario){"everything", everything}, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_push_chain),
        cmocka_unit_test(test_push_and_leave),
        cmocka_unit_test(test_push_many_variables),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_deferred),
        cmocka_unit_test(test_on_device),
        cmocka_unit_test(test_failing),
        cmocka_unit_test(test_callbacks),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_traced),
        cmocka_unit_test(test_more_workers),
        cmocka_unit_test(test_released_later),
        cmocka_unit_test(test_from_a_new_thread),
        cmocka_unit_test(test_synchronous),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_everything),
    };
    return FIXTURE_RUN(tests);
}
