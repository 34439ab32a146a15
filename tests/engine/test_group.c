/* Groups: neighbouring tasks that run as one. With a marked input, or when the group fails, its
 * members run one by one, so that only true dependents are marked and the right member is named.
 *
 * The one worker stands at a gate while tasks are pushed, so that they all stay in this thread's
 * window until it waits; then the window is shown to the join hook as a whole. */
#include "fixture.h"

#include "engine/grouping.h"

typedef struct member {
    ps_status result;
    tally alone;   /* its own function ran */
    tally grouped; /* a group ran for it */
    tally dropped;
} member;

typedef struct joiner {
    size_t at_most;   /* how many tasks a group may have */
    ps_status result; /* of the group's function */
    tally asked, ran, dropped;
    size_t shown;        /* most tasks ever shown; by whoever takes a window */
    member *members[16]; /* of the last group */
    size_t count;
} joiner;

static ps_status run_alone(ps_task *self, void *arg)
{
    member *m = arg;
    tally_add(&m->alone);
    return m->result == PS_OK ? PS_OK : ps_task_fail(self, m->result, "the member itself");
}

static void drop_member(void *arg)
{
    tally_add(&((member *)arg)->dropped);
}

static ps_status run_group(void *state)
{
    joiner *j = state;
    for (size_t i = 0; i < j->count; i++)
        tally_add(&j->members[i]->grouped);
    tally_add(&j->ran);
    return j->result;
}

static void drop_group(void *state)
{
    tally_add(&((joiner *)state)->dropped);
}

static size_t join_all(void *context, ps_task *const *tasks, size_t count, ps__group *group)
{
    joiner *j = context;
    tally_add(&j->asked);
    if (count > j->shown)
        j->shown = count;
    j->count = count < j->at_most ? count : j->at_most;
    if (j->count < 2)
        return 0;
    for (size_t i = 0; i < j->count; i++)
        j->members[i] = ps__task_arg(tasks[i]);
    *group = (ps__group){.run = run_group, .drop = drop_group, .state = j};
    return j->count;
}

/* The hook of tasks that more than one thread takes at a time: it only counts. */
static size_t join_none(void *context, ps_task *const *tasks, size_t count, ps__group *group)
{
    (void)tasks;
    (void)count;
    (void)group;
    tally_add(context);
    return 0;
}

/* An engine whose one worker is held, with the hook in place. */
static ps_engine *held_engine_with(gate *g, ps__grouping_fn hook, void *context)
{
    ps_engine *engine = fixture_engine(1);
    CHECK_OK(ps__engine_set_grouping(engine, hook, context));
    CHECK_OK(fixture_push(engine, gate_task, g, NULL, NULL));
    gate_wait_inside(g, 1);
    return engine;
}

static ps_engine *held_engine(gate *g, joiner *j)
{
    return held_engine_with(g, join_all, j);
}

static ps_status push_member(ps_engine *engine, member *m, ps_var *read, ps_var *write,
                             const char *name)
{
    return PUSH(engine, .run = run_alone, .arg = m, .drop = drop_member, .reads = &read,
                .nreads = read != NULL, .writes = &write, .nwrites = write != NULL, .name = name,
                .cost_ns = 100, .flags = PS_TASK_FUSABLE);
}

/* One that reads all `outputs`: a wait for `total` takes them all from the window. */
static ps_status push_sum(ps_engine *engine, member *m, ps_var **outputs, size_t count,
                          ps_var *total)
{
    return PUSH(engine, .run = run_alone, .arg = m, .drop = drop_member, .reads = outputs,
                .nreads = count, WRITES(total), .name = "sum", .cost_ns = 100,
                .flags = PS_TASK_FUSABLE);
}

static void close_held(ps_engine *engine, gate *g)
{
    gate_open(g);
    while (ps_wait_all(engine, NULL) != PS_OK)
        continue; /* failures made on purpose */
    CHECK_OK(ps_engine_destroy(engine));
}

static void members_run_as_one(void **state)
{
    (void)state;
    gate g = {0};
    joiner j = {.at_most = 16};
    ps_engine *engine = held_engine(&g, &j);
    ps_var *x = fixture_var(engine);
    member members[5];
    memset(members, 0, sizeof members);
    for (int i = 0; i < 5; i++)
        CHECK_OK(push_member(engine, &members[i], i > 0 ? x : NULL, x, "member"));
    CHECK_OK(ps_wait_read(x, NULL));
    assert_int_equal(j.shown, 5);
    assert_int_equal(tally_read(&j.ran), 1);
    assert_int_equal(tally_read(&j.dropped), 1);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(tally_read(&members[i].alone), 0);
        assert_int_equal(tally_read(&members[i].grouped), 1);
        assert_int_equal(tally_read(&members[i].dropped), 1);
    }
    assert_int_equal(fixture_stats(engine).groups, 1);
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(fixture_stats(engine).executed, 6); /* and the gate */
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* The hook takes two at a time: what it leaves is offered again. */
static void the_hook_may_take_a_part(void **state)
{
    (void)state;
    gate g = {0};
    joiner j = {.at_most = 2};
    ps_engine *engine = held_engine(&g, &j);
    ps_var *x = fixture_var(engine);
    member members[7];
    memset(members, 0, sizeof members);
    for (int i = 0; i < 7; i++)
        CHECK_OK(push_member(engine, &members[i], x, x, "member"));
    CHECK_OK(ps_wait_read(x, NULL));
    for (int i = 0; i < 7; i++) {
        assert_int_equal(tally_read(&members[i].alone) + tally_read(&members[i].grouped), 1);
        assert_int_equal(tally_read(&members[i].dropped), 1);
    }
    assert_int_equal(tally_read(&j.ran), tally_read(&j.dropped));
    assert_int_equal(tally_read(&j.ran), 3);
    ps_var_release(x);
    close_held(engine, &g);
}

/* Tasks without PS_TASK_FUSABLE are never shown. */
static void other_tasks_are_left_alone(void **state)
{
    (void)state;
    gate g = {0};
    joiner j = {.at_most = 16};
    ps_engine *engine = held_engine(&g, &j);
    ps_var *x = fixture_var(engine);
    member first = {0}, last = {0};
    tally between = {0};
    CHECK_OK(push_member(engine, &first, NULL, x, "first"));
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &between, READS(x), WRITES(x), .cost_ns = 100));
    CHECK_OK(push_member(engine, &last, x, x, "last"));
    CHECK_OK(ps_wait_read(x, NULL));
    assert_true(j.shown <= 1);
    assert_int_equal(tally_read(&j.ran), 0);
    assert_int_equal(tally_read(&first.alone), 1);
    assert_int_equal(tally_read(&between), 1);
    assert_int_equal(tally_read(&last.alone), 1);
    ps_var_release(x);
    close_held(engine, &g);
}

/* Two outputs, one bad input: the output that was computed from it is marked, the other not. The
 * input is marked before the group is pushed. */
static void one_bad_input_of_two(void **state)
{
    (void)state;
    for (int bad_member = 0; bad_member < 2; bad_member++) {
        gate g = {0};
        joiner j = {.at_most = 16};
        ps_engine *engine = held_engine(&g, &j);
        ps_var *bad = fixture_var(engine), *good = fixture_var(engine);
        ps_var *out[] = {fixture_var(engine), fixture_var(engine)};
        ps_var *total = fixture_var(engine);
        member members[2], sum = {0};
        memset(members, 0, sizeof members);
        CHECK_OK(PUSH(engine, .run = fixture_failing, WRITES(bad), .name = "root"));
        CHECK_STATUS(ps_wait_read(bad, NULL), PS_ERR_TASK);
        for (int i = 0; i < 2; i++)
            CHECK_OK(
                push_member(engine, &members[i], i == bad_member ? bad : good, out[i], "member"));
        CHECK_OK(push_sum(engine, &sum, out, 2, total));
        CHECK_STATUS(ps_wait_read(total, NULL), PS_ERR_TASK);
        CHECK_STATUS(ps_wait_read(out[bad_member], NULL), PS_ERR_TASK);
        ps_error_info info = {.size = sizeof info};
        CHECK_OK(ps_last_error_info(&info));
        assert_string_equal(info.operation, "root");
        CHECK_OK(ps_wait_read(out[1 - bad_member], NULL));
        assert_int_equal(tally_read(&members[bad_member].alone), 0);
        assert_int_equal(tally_read(&members[bad_member].grouped), 0);
        assert_int_equal(tally_read(&members[1 - bad_member].alone), 1);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(tally_read(&members[i].dropped), 1);
            ps_var_release(out[i]);
        }
        ps_var_release(bad);
        ps_var_release(good);
        ps_var_release(total);
        close_held(engine, &g);
    }
}

/* The same, with the failing task queued in the window before them. */
static void one_input_goes_bad_meanwhile(void **state)
{
    (void)state;
    gate g = {0};
    joiner j = {.at_most = 16};
    ps_engine *engine = held_engine(&g, &j);
    ps_var *bad = fixture_var(engine), *x = fixture_var(engine), *y = fixture_var(engine);
    ps_var *total = fixture_var(engine);
    member first = {0}, second = {0}, sum = {0};
    member root = {.result = PS_ERR_SYSTEM};
    CHECK_OK(push_member(engine, &root, NULL, bad, "root"));
    CHECK_OK(push_member(engine, &first, NULL, x, "first"));
    CHECK_OK(push_member(engine, &second, bad, y, "second"));
    CHECK_OK(push_sum(engine, &sum, VARS(x, y), 2, total));
    j.result = PS_ERR_TASK; /* as a group that contains the root must fail */
    CHECK_STATUS(ps_wait_read(total, NULL), PS_ERR_SYSTEM);
    assert_int_equal(tally_read(&j.ran), 1);
    CHECK_STATUS(ps_wait_read(y, NULL), PS_ERR_SYSTEM);
    ps_error_info info = {.size = sizeof info};
    CHECK_OK(ps_last_error_info(&info));
    assert_string_equal(info.operation, "root");
    CHECK_OK(ps_wait_read(x, NULL));
    assert_int_equal(tally_read(&first.alone), 1);
    assert_int_equal(tally_read(&second.alone), 0);
    assert_int_equal(tally_read(&sum.alone), 0);
    assert_int_equal(tally_read(&root.alone), 1);
    ps_var_release(bad);
    ps_var_release(x);
    ps_var_release(y);
    ps_var_release(total);
    close_held(engine, &g);
}

/* The group fails and one of its members does: that one is named, by its own text. */
static void the_failing_member_is_named(void **state)
{
    (void)state;
    static const char *const names[] = {"red", "green", "blue"};
    for (int culprit = 0; culprit < 3; culprit++) {
        gate g = {0};
        joiner j = {.at_most = 16, .result = PS_ERR_TASK};
        ps_engine *engine = held_engine(&g, &j);
        ps_var *out[3], *total = fixture_var(engine);
        member members[3], sum = {0};
        memset(members, 0, sizeof members);
        members[culprit].result = PS_ERR_SYSTEM;
        for (int i = 0; i < 3; i++) {
            out[i] = fixture_var(engine);
            CHECK_OK(push_member(engine, &members[i], NULL, out[i], names[i]));
        }
        CHECK_OK(push_sum(engine, &sum, out, 3, total));
        CHECK_STATUS(ps_wait_read(total, NULL), PS_ERR_SYSTEM);
        assert_int_equal(tally_read(&j.ran), 1);
        for (int i = 0; i < 3; i++)
            CHECK_STATUS(ps_wait_read(out[i], NULL), i == culprit ? PS_ERR_SYSTEM : PS_OK);
        CHECK_STATUS(ps_wait_read(out[culprit], NULL), PS_ERR_SYSTEM);
        ps_error_info info = {.size = sizeof info};
        CHECK_OK(ps_last_error_info(&info));
        assert_string_equal(info.operation, names[culprit]);
        assert_non_null(strstr(info.message, "the member itself"));
        assert_int_equal(fixture_stats(engine).failed, 1);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(tally_read(&members[i].alone), 1);
            assert_int_equal(tally_read(&members[i].dropped), 1);
            ps_var_release(out[i]);
        }
        assert_int_equal(tally_read(&sum.alone), 0);
        assert_int_equal(tally_read(&j.dropped), 1);
        ps_var_release(total);
        close_held(engine, &g);
    }
}

/* It failed as a group, and each member succeeds: nothing has failed. */
static void a_group_that_fails_for_no_member(void **state)
{
    (void)state;
    gate g = {0};
    joiner j = {.at_most = 16, .result = PS_ERR_MEMORY};
    ps_engine *engine = held_engine(&g, &j);
    ps_var *x = fixture_var(engine);
    member members[4];
    memset(members, 0, sizeof members);
    for (int i = 0; i < 4; i++)
        CHECK_OK(push_member(engine, &members[i], x, x, "member"));
    CHECK_OK(ps_wait_read(x, NULL));
    for (int i = 0; i < 4; i++)
        assert_int_equal(tally_read(&members[i].alone), 1);
    assert_int_equal(fixture_stats(engine).failed, 0);
    ps_var_release(x);
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

/* The hook comes while workers run what was queued before. */
static void a_hook_that_comes_late(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    member m = {.result = PS_OK};
    tally asked = {0};
    ps_var *x = fixture_var(engine);
    for (int i = 0; i < 2000; i++) {
        CHECK_OK(push_member(engine, &m, x, x, "member"));
        if (i == 1000)
            CHECK_OK(ps__engine_set_grouping(engine, join_none, &asked));
    }
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&m.alone), 2000);
    gate g = {0}; /* with both workers held, this thread takes what it queues, as one piece */
    for (int i = 0; i < 2; i++)
        CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 2);
    for (int i = 0; i < 4; i++)
        CHECK_OK(push_member(engine, &m, x, x, "member"));
    CHECK_OK(ps_wait_read(x, NULL));
    assert_true(tally_read(&asked) > 0);
    ps_var_release(x);
    close_held(engine, &g);
}

/* ---- groups that wait ------------------------------------------------------------------------ */

typedef struct waiting_joiner {
    joiner j; /* first */
    ps_engine *engine;
    ps_var *other;
} waiting_joiner;

/* Something that is queued behind the members must be done first. */
static ps_status run_and_wait(void *state)
{
    waiting_joiner *w = state;
    ps_status status = ps_wait_read(w->other, NULL);
    return status == PS_OK ? run_group(state) : status;
}

static size_t join_and_wait(void *context, ps_task *const *tasks, size_t count, ps__group *group)
{
    size_t members = join_all(context, tasks, count, group);
    if (members != 0)
        group->run = run_and_wait;
    return members;
}

/* Its members stay its own: nobody runs them besides. */
static void a_group_that_waits_keeps_its_members(void **state)
{
    (void)state;
    gate g = {0};
    waiting_joiner w = {.j = {.at_most = 16}};
    ps_engine *engine = held_engine_with(&g, join_and_wait, &w);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    member members[3], other = {.result = PS_OK};
    memset(members, 0, sizeof members);
    w.engine = engine;
    w.other = y;
    CHECK_OK(PUSH(engine, .run = run_alone, .arg = &other, WRITES(y), .priority = 1));
    for (int i = 0; i < 3; i++)
        CHECK_OK(push_member(engine, &members[i], i > 0 ? x : NULL, x, "member"));
    CHECK_OK(ps_wait_read(x, NULL));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tally_read(&members[i].grouped), 1);
        assert_int_equal(tally_read(&members[i].alone), 0);
        assert_int_equal(tally_read(&members[i].dropped), 1);
    }
    assert_int_equal(tally_read(&other.alone), 1);
    ps_var_release(x);
    ps_var_release(y);
    close_held(engine, &g);
}

/* ---- full windows ----------------------------------------------------------------------- */

/* A pusher whose window is full helps, but not with what would take it for long. */
static void what_takes_long_is_for_the_workers(void **state)
{
    (void)state;
    enum { MORE = 3000 };
    gate g = {0};
    tally asked = {0};
    ps_engine *engine = held_engine_with(&g, join_none, &asked);
    member dear = {.result = PS_OK}, m = dear;
    ps_var *x = fixture_var(engine);
    CHECK_OK(PUSH(engine, .run = run_alone, .arg = &dear, WRITES(x), .cost_ns = UINT64_MAX,
                  .flags = PS_TASK_FUSABLE));
    for (int i = 0; i < MORE; i++)
        CHECK_OK(push_member(engine, &m, NULL, NULL, "short"));
    assert_int_equal(tally_read(&dear.alone), 0);
    assert_true(tally_read(&m.alone) > 0);
    close_held(engine, &g);
    ps_var_release(x);
    assert_int_equal(tally_read(&dear.alone), 1);
    assert_int_equal(tally_read(&m.alone), MORE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_run_as_one),
        cmocka_unit_test(the_hook_may_take_a_part),
        cmocka_unit_test(other_tasks_are_left_alone),
        cmocka_unit_test(one_bad_input_of_two),
        cmocka_unit_test(one_input_goes_bad_meanwhile),
        cmocka_unit_test(the_failing_member_is_named),
        cmocka_unit_test(a_group_that_fails_for_no_member),
        cmocka_unit_test(a_hook_that_comes_late),
        cmocka_unit_test(a_group_that_waits_keeps_its_members),
        cmocka_unit_test(what_takes_long_is_for_the_workers),
    };
    return FIXTURE_RUN(tests);
}
