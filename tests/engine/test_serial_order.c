/* Tasks that share a variable run in the order of their pushes: read after write, write after
 * read, write after write; with repeated variables, and with many variables on one task.
 *
 * The tasks work on plain, unprotected numbers, so that ThreadSanitizer sees it too when two of
 * them are not ordered. */
#include "fixture.h"

typedef struct cell {
    long value;  /* guarded by the order that is tested */
    tally wrong; /* tasks that saw another value than they should */
} cell;

typedef struct step {
    cell *cell;
    long expected;
} step;

static ps_status read_cell(ps_task *self, void *arg)
{
    step *s = arg;
    (void)self;
    if (s->cell->value != s->expected)
        tally_add(&s->cell->wrong);
    return PS_OK;
}

static ps_status write_cell(ps_task *self, void *arg)
{
    step *s = arg;
    read_cell(self, s);
    if (s->expected % 16 == 0)
        fixture_spin(2000);
    s->cell->value = s->expected + 1;
    return PS_OK;
}

/* Rounds of one write and a few reads of the same variable. */
static void rounds_with(unsigned workers)
{
    enum { ROUNDS = 2000, READERS = 3 };
    ps_engine *engine = fixture_engine(workers);
    ps_var *x = fixture_var(engine);
    cell c = {0};
    static step writes[ROUNDS], reads[ROUNDS];
    for (long i = 0; i < ROUNDS; i++) {
        writes[i] = (step){&c, i};
        reads[i] = (step){&c, i + 1};
        CHECK_OK(fixture_push(engine, write_cell, &writes[i], NULL, x));
        for (int reader = 0; reader < READERS; reader++)
            CHECK_OK(fixture_push(engine, read_cell, &reads[i], x, NULL));
    }
    CHECK_OK(ps_wait_write(x, NULL));
    assert_int_equal(c.value, ROUNDS);
    assert_int_equal(tally_read(&c.wrong), 0);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void writes_and_reads_alternate(void **state)
{
    (void)state;
    rounds_with(1);
    rounds_with(2);
    rounds_with(8);
}

static ps_var *if_asked(ps_var *x, bool wanted)
{
    return wanted ? x : NULL;
}

/* The second task waits while the first is inside its function, although a worker is free. */
static void second_waits(ps_engine *engine, bool first_writes, bool second_writes)
{
    ps_var *x = fixture_var(engine), *other = fixture_var(engine);
    gate g = {0};
    tally second = {0}, beside = {0};
    CHECK_OK(
        fixture_push(engine, gate_task, &g, if_asked(x, !first_writes), if_asked(x, first_writes)));
    gate_wait_inside(&g, 1);
    CHECK_OK(fixture_push(engine, tally_task, &second, if_asked(x, !second_writes),
                          if_asked(x, second_writes)));
    CHECK_OK(fixture_push(engine, tally_task, &beside, NULL, other));
    tally_wait(&beside, 1);
    assert_int_equal(tally_read(&second), 0);
    CHECK_STATUS(ps_wait_write(x, LOOK), PS_ERR_TIMEOUT);
    gate_open(&g);
    CHECK_OK(ps_wait_write(x, NULL));
    assert_int_equal(tally_read(&second), 1);
    ps_var_release(x);
    ps_var_release(other);
}

static void each_hazard_holds_the_second_back(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    for (int i = 0; i < 20; i++) {
        second_waits(engine, true, false); /* read after write */
        second_waits(engine, false, true); /* write after read */
        second_waits(engine, true, true);  /* write after write */
    }
    CHECK_OK(ps_engine_destroy(engine));
}

static void readers_run_side_by_side(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(3);
    ps_var *x = fixture_var(engine);
    gate g = {0};
    for (int i = 0; i < 3; i++)
        CHECK_OK(fixture_push(engine, gate_task, &g, x, NULL));
    gate_wait_inside(&g, 3);
    gate_open(&g);
    CHECK_OK(ps_wait_write(x, NULL));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void repeated_variables_are_one(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    cell c = {0};
    enum { ROUNDS = 300 };
    static step steps[ROUNDS];
    for (long i = 0; i < ROUNDS; i++) {
        steps[i] = (step){&c, i};
        CHECK_OK(
            PUSH(engine, .run = write_cell, .arg = &steps[i], READS(x, y, x, x), WRITES(x, x, x)));
        CHECK_OK(PUSH(engine, .run = fixture_nothing, READS(x, x, y, y)));
    }
    CHECK_OK(ps_wait_write(x, NULL));
    assert_int_equal(c.value, ROUNDS);
    assert_int_equal(tally_read(&c.wrong), 0);
    uint64_t version = 0;
    CHECK_OK(ps_var_version(x, &version));
    assert_int_equal(version, ROUNDS);
    CHECK_OK(ps_var_version(y, &version));
    assert_int_equal(version, 0);
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

enum { MANY = 5000 };

typedef struct row {
    long values[MANY]; /* values[i] is guarded by the order on variable i */
    size_t count;
    long sum;
} row;

typedef struct slot {
    row *row;
    size_t index;
} slot;

static ps_status raise_one(ps_task *self, void *arg)
{
    slot *s = arg;
    (void)self;
    s->row->values[s->index]++;
    return PS_OK;
}

static ps_status sum_all(ps_task *self, void *arg)
{
    row *r = arg;
    (void)self;
    r->sum = 0;
    for (size_t i = 0; i < r->count; i++)
        r->sum += r->values[i];
    return PS_OK;
}

static ps_status double_all(ps_task *self, void *arg)
{
    row *r = arg;
    (void)self;
    for (size_t i = 0; i < r->count; i++)
        r->values[i] *= 2;
    return PS_OK;
}

/* One task writes what `count` tasks wrote, one reads it, and `count` tasks follow. */
static void one_task_with(size_t count)
{
    ps_engine *engine = fixture_engine(2);
    static row r;
    static slot slots[MANY];
    static ps_var *vars[MANY];
    r = (row){.count = count};
    ps_var *total = fixture_var(engine);
    for (size_t i = 0; i < count; i++) {
        vars[i] = fixture_var(engine);
        slots[i] = (slot){&r, i};
        CHECK_OK(fixture_push(engine, raise_one, &slots[i], NULL, vars[i]));
    }
    CHECK_OK(PUSH(engine, .run = double_all, .arg = &r, .reads = vars, .nreads = count,
                  .writes = vars, .nwrites = count));
    CHECK_OK(
        PUSH(engine, .run = sum_all, .arg = &r, .reads = vars, .nreads = count, WRITES(total)));
    for (size_t i = 0; i < count; i++)
        CHECK_OK(fixture_push(engine, raise_one, &slots[i], vars[i], vars[i]));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(r.sum, 2 * (long)count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(r.values[i], 3);
        ps_var_release(vars[i]);
    }
    ps_var_release(total);
    CHECK_OK(ps_engine_destroy(engine));
}

static void one_task_with_many_variables(void **state)
{
    (void)state;
    one_task_with(100);
    one_task_with(MANY);
}

static void one_variable_many_times(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    static ps_var *vars[MANY];
    ps_var *x = fixture_var(engine);
    for (size_t i = 0; i < MANY; i++)
        vars[i] = x;
    cell c = {0};
    step steps[4];
    for (long i = 0; i < 4; i++) {
        steps[i] = (step){&c, i};
        CHECK_OK(PUSH(engine, .run = write_cell, .arg = &steps[i], .reads = vars,
                      .nreads = i % 2 ? MANY : 0, .writes = vars, .nwrites = MANY));
    }
    CHECK_OK(ps_wait_read(x, NULL));
    assert_int_equal(c.value, 4);
    assert_int_equal(tally_read(&c.wrong), 0);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* A variable whose handle is gone still orders the tasks that name it. */
static void released_variables_keep_order(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    enum { CHAINS = 50, LENGTH = 20 };
    static cell cells[CHAINS];
    static step steps[CHAINS][LENGTH];
    for (int chain = 0; chain < CHAINS; chain++) {
        ps_var *x = fixture_var(engine);
        cells[chain] = (cell){0};
        for (long i = 0; i < LENGTH; i++) {
            steps[chain][i] = (step){&cells[chain], i};
            CHECK_OK(fixture_push(engine, write_cell, &steps[chain][i], NULL, x));
        }
        ps_var_release(x);
    }
    CHECK_OK(ps_wait_all(engine, NULL));
    for (int chain = 0; chain < CHAINS; chain++) {
        assert_int_equal(cells[chain].value, LENGTH);
        assert_int_equal(tally_read(&cells[chain].wrong), 0);
    }
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_and_reads_alternate),
        cmocka_unit_test(each_hazard_holds_the_second_back),
        cmocka_unit_test(readers_run_side_by_side),
        cmocka_unit_test(repeated_variables_are_one),
        cmocka_unit_test(one_task_with_many_variables),
        cmocka_unit_test(one_variable_many_times),
        cmocka_unit_test(released_variables_keep_order),
    };
    return FIXTURE_RUN(tests);
}
