/* Memory does not grow with what has been queued in the past: readers of a variable that is never
 * written, chains of overwrites, variables that come and go, threads that come and go.
 *
 * Two measures: resident memory where the build allows it, and in every build the engine's calls
 * for memory, of which there must be none once it has what it needs. */
#include "process.h"

#include "base/alloc.h"

/* FEW: what tasks of other kinds, or variables, may take when they fill the queue that tasks of all
 * kinds filled before. */
enum { FLAT = 4 << 20, FEW = 40, QUEUE = 3900 /* nearly as many as the bound lets in */ };

typedef struct measure {
    uint64_t resident;
} measure;

static measure measure_begin(void)
{
    ps__fault_set(0, false); /* fails nothing, counts from 0 */
    return (measure){process_resident()};
}

static void measure_end(measure before)
{
    unsigned long calls = ps__fault_count();
    if (calls > FEW)
        print_error("%lu calls for memory\n", calls);
    assert_true(calls <= FEW);
    if (!FIXTURE_SANITIZED)
        assert_true(process_resident() < before.resident + FLAT);
}

static void read_it(ps_engine *engine, ps_var *x, int count)
{
    for (int i = 0; i < count; i++)
        CHECK_OK(PUSH(engine, .run = fixture_nothing, .reads = &x, .nreads = 1, .cost_ns = 50));
    CHECK_OK(ps_wait_all(engine, NULL));
}

/* Behind a gate, so that all are unfinished at once. How far a program gets ahead of the workers
 * depends on what else the machine does; what the longest queue takes is kept from then on. */
static void fill_with_reads(ps_engine *engine, ps_var *x)
{
    gate g = {0};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
    gate_wait_inside(&g, 1);
    for (int i = 0; i < QUEUE; i++)
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, x, NULL));
    assert_int_equal(fixture_stats(engine).unfinished, QUEUE + 1);
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, NULL));
}

static void ten_million_reads_of_one_variable(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine);
    fill_with_reads(engine, x);
    read_it(engine, x, FIXTURE_SCALED(100000));
    measure before = measure_begin();
    read_it(engine, x, FIXTURE_SCALED(10000000));
    measure_end(before);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Three tasks in each round. */
static void push_mix(ps_engine *engine, ps_var **vars, int count)
{
    for (int i = 0; i < count; i++) {
        ps_var *fresh = fixture_var(engine);
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, vars[i % 8], fresh));
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, fresh, vars[i / 8 % 8]));
        CHECK_OK(PUSH(engine, .run = fixture_nothing, .reads = vars, .nreads = 8,
                      .writes = VARS(vars[i % 8], fresh), .nwrites = 2));
        ps_var_release(fresh);
    }
}

static void fill_with_mix(ps_engine *engine, ps_var **vars)
{
    gate g = {0};
    CHECK_OK(PUSH(engine, .run = gate_task, .arg = &g, .writes = vars, .nwrites = 8));
    gate_wait_inside(&g, 1);
    push_mix(engine, vars, QUEUE / 3);
    assert_int_equal(fixture_stats(engine).unfinished, QUEUE + 1);
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, NULL));
}

static void a_mixture_of_tasks(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *vars[8];
    for (int i = 0; i < 8; i++)
        vars[i] = fixture_var(engine);
    fill_with_mix(engine, vars);
    push_mix(engine, vars, FIXTURE_SCALED(20000) + 10000);
    CHECK_OK(ps_wait_all(engine, NULL));
    measure before = measure_begin();
    push_mix(engine, vars, FIXTURE_SCALED(200000));
    CHECK_OK(ps_wait_all(engine, NULL));
    measure_end(before);
    for (int i = 0; i < 8; i++)
        ps_var_release(vars[i]);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Readers pile up behind a writer that does not end, then go; many times. */
static void read_in_bursts(ps_engine *engine, ps_var *x, int bursts)
{
    for (int burst = 0; burst < bursts; burst++) {
        gate g = {0};
        CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
        gate_wait_inside(&g, 1);
        for (int i = 0; i < 1000; i++)
            CHECK_OK(fixture_push(engine, fixture_nothing, NULL, x, NULL));
        gate_open(&g);
        CHECK_OK(ps_wait_write(x, NULL));
    }
}

static void bursts_of_readers(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    read_in_bursts(engine, x, FIXTURE_SCALED(40));
    measure before = measure_begin();
    read_in_bursts(engine, x, FIXTURE_SCALED(200));
    measure_end(before);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void *push_a_little(void *arg)
{
    fixture_push(arg, fixture_nothing, NULL, NULL, NULL);
    return NULL;
}

static void come_and_go(ps_engine *engine, int threads)
{
    for (int i = 0; i < threads; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, push_a_little, engine), 0);
        pthread_join(thread, NULL);
    }
}

/* Each thread may need a record of its own while it lives; none of it may stay. */
static void threads_that_come_and_go(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    come_and_go(engine, FIXTURE_SCALED(200));
    uint64_t before = process_resident();
    come_and_go(engine, FIXTURE_SCALED(5000));
    CHECK_OK(ps_wait_all(engine, NULL));
    if (!FIXTURE_SANITIZED)
        assert_true(process_resident() < before + FLAT);
    CHECK_OK(ps_engine_destroy(engine));
}

/* A closed engine stays a valid handle, and so may cost a little; what it queued does not. */
static void engines_that_come_and_go(void **state)
{
    (void)state;
    uint64_t before = 0;
    enum { ENGINES = 300 };
    for (int i = 0; i < FIXTURE_SCALED(ENGINES); i++) {
        if (i == 50)
            before = process_resident();
        ps_engine *engine = fixture_engine(1);
        ps_var *x = fixture_var(engine);
        for (int push = 0; push < 500; push++)
            CHECK_OK(fixture_push(engine, fixture_nothing, NULL, x, x));
        ps_var_release(x);
        CHECK_OK(ps_engine_destroy(engine));
    }
    if (!FIXTURE_SANITIZED)
        assert_true(process_resident() < before + FLAT + ENGINES * 8192);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_million_reads_of_one_variable),
        cmocka_unit_test(a_mixture_of_tasks),
        cmocka_unit_test(bursts_of_readers),
        cmocka_unit_test(threads_that_come_and_go),
        cmocka_unit_test(engines_that_come_and_go),
    };
    return FIXTURE_RUN(tests);
}
