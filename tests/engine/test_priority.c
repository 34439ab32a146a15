/* Among the tasks that can run, the one with the highest priority goes first, and of several the
 * oldest. One worker is held at a gate while all of them are queued, so that it alone decides. */
#include "fixture.h"

enum { TASKS = 64 };

typedef struct record {
    int order[TASKS]; /* written by the one worker */
    int count;
    tally done;
} record;

typedef struct entry {
    record *record;
    int index;
} entry;

static ps_status note(ps_task *self, void *arg)
{
    entry *e = arg;
    (void)self;
    e->record->order[e->record->count++] = e->index;
    tally_add(&e->record->done);
    return PS_OK;
}

static int32_t priority_of(int index)
{
    static const int32_t some[] = {0, 5, -3, 5, INT32_MAX, 0, INT32_MIN, 1};
    return some[index % 8];
}

static void check_order(const record *r)
{
    for (int i = 1; i < TASKS; i++) {
        int before = r->order[i - 1], after = r->order[i];
        assert_true(priority_of(before) >= priority_of(after));
        if (priority_of(before) == priority_of(after))
            assert_true(before < after);
    }
}

/* `cost_ns` decides whether tasks are handed over at once or stay in their pusher's window. */
static void order_with_cost(uint64_t cost_ns)
{
    ps_engine *engine = fixture_engine(1);
    gate g = {0};
    record r = {0};
    entry entries[TASKS];
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 1);
    for (int i = 0; i < TASKS; i++) {
        entries[i] = (entry){&r, i};
        CHECK_OK(PUSH(engine, .run = note, .arg = &entries[i], .cost_ns = cost_ns,
                      .priority = priority_of(i)));
    }
    gate_open(&g);
    tally_wait(&r.done, TASKS); /* not an engine's wait: this thread must not help */
    check_order(&r);
    CHECK_OK(ps_engine_destroy(engine));
}

static void costly_tasks_go_by_priority(void **state)
{
    (void)state;
    order_with_cost(1000000);
}

static void tasks_of_unknown_cost_go_by_priority(void **state)
{
    (void)state;
    order_with_cost(0);
}

/* What becomes ready only when the gate opens is chosen by the same rule. */
static void released_tasks_go_by_priority(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    gate g = {0};
    record r = {0};
    entry entries[TASKS];
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
    for (int i = 0; i < TASKS; i++) {
        entries[i] = (entry){&r, i};
        CHECK_OK(PUSH(engine, .run = note, .arg = &entries[i], READS(x), .cost_ns = 1000000,
                      .priority = priority_of(i)));
    }
    gate_wait_inside(&g, 1);
    gate_open(&g);
    tally_wait(&r.done, TASKS);
    check_order(&r);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Priority never overrules the order that variables ask for. */
static void order_on_a_variable_comes_first(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    gate g = {0};
    record r = {0};
    entry entries[TASKS];
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 1);
    for (int i = 0; i < TASKS; i++) {
        entries[i] = (entry){&r, i};
        CHECK_OK(PUSH(engine, .run = note, .arg = &entries[i], WRITES(x), .priority = i));
    }
    gate_open(&g);
    tally_wait(&r.done, TASKS);
    for (int i = 0; i < TASKS; i++)
        assert_int_equal(r.order[i], i);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costly_tasks_go_by_priority),
        cmocka_unit_test(tasks_of_unknown_cost_go_by_priority),
        cmocka_unit_test(released_tasks_go_by_priority),
        cmocka_unit_test(order_on_a_variable_comes_first),
    };
    return FIXTURE_RUN(tests);
}
