/* Fusion: that a chain runs as one group, that its temporaries are never stored, that what somebody
 * still holds is, and that groups end where they must. What they compute is tested by the random
 * programs. */
#include "engine_help.h"

#include "aside.h"
#include "support/sanitized.h"
#include "support/workers.h"

enum { LENGTH = 100000, STEPS = 8 };

static ps_tensor *input(int64_t count)
{
    float *values = malloc((size_t)count * sizeof *values);
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)(i % 1000) / 250 - 2;
    ps_tensor *b = from_floats(1, &count, values);
    free(values);
    return b;
}

/* ---- the chain --------------------------------------------------------------------------- */

typedef struct chain_step {
    const char *name;
    double number; /* NAN: b; otherwise a number, where the operation has a second operand */
} chain_step;

static const chain_step steps[STEPS] = {{"multiply", NAN}, {"add", 2},        {"relu", 0},
                                        {"multiply", 0.5}, {"subtract", NAN}, {"multiply", 0.01},
                                        {"exp", 0},        {"add", NAN}};

static bool unary(const char *name)
{
    return strcmp(name, "relu") == 0 || strcmp(name, "exp") == 0;
}

/* y = relu(b*b + 2) * 0.5 - b; y = exp(y * 0.01) + b. Handles go as soon as they can; that of the
 * result of step `keep` is put into *kept. */
static ps_tensor *chain(ps_tensor *b, int keep, ps_tensor **kept)
{
    ps_tensor *y = b;
    CHECK_OK(ps_tensor_retain(b));
    for (int i = 0; i < STEPS; i++) {
        ps_arg args[2] = {T(y), isnan(steps[i].number) ? T(b) : F(steps[i].number)};
        ps_tensor *next = call(steps[i].name, unary(steps[i].name) ? 1 : 2, args);
        if (i == keep + 1 && kept != NULL)
            *kept = y;
        else
            ps_tensor_release(y);
        y = next;
    }
    return y;
}

static void check_same(ps_tensor *a, ps_tensor *b)
{
    size_t bytes = (size_t)ps_tensor_count(a) * ps_dtype_bytes(ps_tensor_dtype(a));
    void *x = malloc(bytes), *y = malloc(bytes);
    CHECK_OK(ps_tensor_to_host(a, x, bytes));
    CHECK_OK(ps_tensor_to_host(b, y, bytes));
    assert_memory_equal(x, y, bytes);
    free(x);
    free(y);
}

/* ---- groups ------------------------------------------------------------------------------ */

/* What the trace has: groups of exactly STEPS members, and members of any group. */
typedef struct found {
    unsigned chains, members;
} found;

static found read_trace(void)
{
    size_t count;
    uint64_t lost;
    found f = {0, 0};
    CHECK_OK(ps_trace_read(engine(), NULL, 0, &count, &lost));
    assert_int_equal(lost, 0);
    ps_trace_event *events = calloc(count + 1, sizeof *events);
    CHECK_OK(ps_trace_read(engine(), events, count, &count, &lost));
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind != PS_TRACE_GROUP)
            continue;
        f.members++;
        if (events[i].other != events[i].sequence)
            continue;
        unsigned own = 0; /* members are recorded one after the other by one thread */
        for (size_t k = i; k < count && k < i + 1000; k++)
            own += events[k].kind == PS_TRACE_GROUP && events[k].other == events[i].sequence;
        f.chains += own == STEPS;
    }
    free(events);
    return f;
}

enum { RUNS = SANITIZED ? 200 : 1000, ROUNDS = 100 };

/* The workers stand still while a chain is queued, so that no preempted thread can cut it. */
static void the_chain_is_one_group(void **state)
{
    (void)state;
    ps_tensor *b = input(LENGTH);
    workers_stop();
    CHECK_OK(ps_trace_start(engine(), 1 << 18));
    for (int i = 0; i < RUNS; i++) {
        ps_tensor *y = chain(b, -2, NULL);
        CHECK_OK(ps_tensor_wait(y, NULL));
        ps_tensor_release(y);
    }
    CHECK_OK(ps_trace_stop(engine()));
    workers_go_on();
    found f = read_trace();
    assert_int_equal(f.chains, RUNS);
    assert_int_equal(f.members, RUNS * STEPS);
    ps_tensor_release(b);
}

/* A worker that comes by takes all of the chain. This thread asks, and does not wait: it would help.
 * A second worker would ask the first for a part, and get it if that was held up before it began. */
static void a_chain_that_a_worker_takes_is_one_group(void **state)
{
    (void)state;
    ps_tensor *b = input(LENGTH);
    unsigned workers;
    CHECK_OK(ps_engine_workers(engine(), &workers));
    CHECK_OK(ps_engine_set_workers(engine(), 1));
    CHECK_OK(ps_trace_start(engine(), 1 << 18));
    for (int i = 0; i < ROUNDS; i++) {
        workers_stop();
        ps_tensor *y = chain(b, -2, NULL);
        workers_go_on();
        while (!ps_tensor_is_ready(y))
            step_aside();
        ps_tensor_release(y);
    }
    CHECK_OK(ps_trace_stop(engine()));
    found f = read_trace();
    assert_int_equal(f.chains, ROUNDS);
    assert_int_equal(f.members, ROUNDS * STEPS);
    CHECK_OK(ps_engine_set_workers(engine(), workers));
    ps_tensor_release(b);
}

/* Several chains may be one group then. This thread runs them when its window is full, and waits
 * for those that can still be there at the end: idle workers would ask for a part of what is being
 * run, and get it operation by operation. */
static void chains_that_nobody_waits_for_are_fused(void **state)
{
    (void)state;
    enum { LAST = 1024 / STEPS }; /* what a window holds */
    ps_tensor *b = input(LENGTH), *last[LAST];
    workers_stop();
    CHECK_OK(ps_trace_start(engine(), 1 << 18));
    for (int i = 0; i < RUNS; i++)
        ps_tensor_release(chain(b, -2, NULL));
    for (int i = 0; i < LAST; i++)
        last[i] = chain(b, -2, NULL);
    for (int i = 0; i < LAST; i++)
        CHECK_OK(ps_tensor_wait(last[i], NULL));
    CHECK_OK(ps_trace_stop(engine()));
    workers_go_on();
    assert_int_equal(read_trace().members, (RUNS + LAST) * STEPS);
    for (int i = 0; i < LAST; i++)
        ps_tensor_release(last[i]);
    ps_tensor_release(b);
}

static void nothing_is_fused_when_off(void **state)
{
    (void)state;
    ps_tensor *b = input(LENGTH), *with = chain(b, -2, NULL);
    wait_all();
    ps_fusion_set(false);
    assert_false(ps_fusion());
    uint64_t before = stats().groups;
    ps_tensor *without = chain(b, -2, NULL);
    CHECK_OK(ps_tensor_wait(without, NULL));
    assert_int_equal(stats().groups, before);
    ps_fusion_set(true);
    check_same(with, without);
    ps_tensor *all[] = {b, with, without};
    for (int i = 0; i < 3; i++)
        ps_tensor_release(all[i]);
}

static void small_tensors_are_not_fused(void **state)
{
    (void)state;
    ps_tensor *b = input(2047);
    wait_all();
    uint64_t before = stats().groups;
    ps_tensor *y = chain(b, -2, NULL);
    CHECK_OK(ps_tensor_wait(y, NULL));
    assert_int_equal(stats().groups, before);
    ps_tensor_release(b);
    ps_tensor_release(y);
}

/* ---- memory ------------------------------------------------------------------------------ */

/* The most memory that fn(b)'s work took at once, beyond what there was, if this thread does it:
 * a worker could begin before all of it is queued. */
static uint64_t peak_of(ps_tensor *(*fn)(ps_tensor *b), ps_tensor *b)
{
    ps_memory_stats memory = {.size = sizeof memory};
    CHECK_OK(ps_tensor_wait(b, NULL));
    wait_all();
    workers_stop();
    ps_memory_reset_peak();
    CHECK_OK(ps_memory_get_stats(&memory));
    uint64_t before = memory.live;
    ps_tensor *y = fn(b);
    CHECK_OK(ps_tensor_wait(y, NULL));
    CHECK_OK(ps_memory_get_stats(&memory));
    workers_go_on();
    ps_tensor_release(y);
    return memory.peak - before;
}

static ps_tensor *run_chain(ps_tensor *b)
{
    return chain(b, -2, NULL);
}

static ps_tensor *run_chain_and_sum(ps_tensor *b)
{
    ps_tensor *y = chain(b, -2, NULL), *s = CALL("sum", T(y));
    ps_tensor_release(y);
    return s;
}

static void temporaries_are_never_stored(void **state)
{
    (void)state;
    ps_tensor *b = input(LENGTH);
    uint64_t peak = peak_of(run_chain, b);
    if (peak > LENGTH * 4 * 5 / 4 + 65536)
        fail_msg("the peak was %ju bytes", (uintmax_t)peak);
    peak = peak_of(run_chain_and_sum, b); /* not even the chain's result */
    if (peak > 131072)
        fail_msg("with a sum at the end the peak was %ju bytes", (uintmax_t)peak);
    ps_tensor_release(b);
}

/* ---- what is seen ------------------------------------------------------------------------ */

static void a_result_that_is_held_is_stored(void **state)
{
    (void)state;
    ps_tensor *b = input(LENGTH);
    for (int keep = 0; keep < STEPS - 1; keep++) {
        ps_tensor *kept, *wanted_kept, *y = chain(b, keep, &kept);
        CHECK_OK(ps_tensor_wait(y, NULL));
        ps_fusion_set(false);
        ps_tensor *wanted = chain(b, keep, &wanted_kept);
        ps_fusion_set(true);
        check_same(y, wanted);
        check_same(kept, wanted_kept);
        ps_tensor *all[] = {kept, wanted_kept, y, wanted};
        for (int i = 0; i < 4; i++)
            ps_tensor_release(all[i]);
    }
    ps_tensor_release(b);
}

static void a_view_of_a_temporary_keeps_it(void **state)
{
    (void)state;
    ps_tensor *b = input(LENGTH), *t = CALL("multiply", T(b), F(3)), *view;
    CHECK_OK(ps_tensor_index(t, &(ps_index){PS_INDEX_RANGE, 5, 9, 1}, 1, &view));
    ps_tensor *y = CALL("add", T(t), F(1));
    ps_tensor_release(t);
    CHECK_OK(ps_tensor_wait(y, NULL));
    double *values = values_of(view), *source = values_of(b);
    for (int i = 0; i < 4; i++)
        assert_true(values[i] == (double)((float)source[5 + i] * 3));
    free(values);
    free(source);
    ps_tensor *all[] = {b, view, y};
    for (int i = 0; i < 3; i++)
        ps_tensor_release(all[i]);
}

/* An update in place in the middle: those before it saw the old elements, those after it the new. */
static void updates_inside_a_group(void **state)
{
    (void)state;
    ps_tensor *results[2][3];
    for (int fusion = 0; fusion < 2; fusion++) {
        ps_fusion_set(fusion);
        ps_tensor *x = input(LENGTH), *before = CALL("multiply", T(x), F(2));
        CHECK_OK(call_into("add", ARGS(T(x), F(1)), &x));
        ps_tensor *after = CALL("multiply", T(x), T(before));
        CHECK_OK(call_into("subtract", ARGS(T(x), T(after)), &x));
        results[fusion][0] = x;
        results[fusion][1] = before;
        results[fusion][2] = after;
        CHECK_OK(ps_tensor_wait(x, NULL));
    }
    ps_fusion_set(true);
    for (int i = 0; i < 3; i++) {
        check_same(results[0][i], results[1][i]);
        ps_tensor_release(results[0][i]);
        ps_tensor_release(results[1][i]);
    }
}

/* A sum behind a chain gives the same bits as of the stored result, along any axis. */
static void reductions_at_the_end(void **state)
{
    (void)state;
    ps_tensor *line = input(96 * 1100), *b = CALL("reshape", T(line), INTS(96, 1100));
    static const char *const names[] = {"sum", "max", "mean", "norm", "prod", "var"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        for (int axes = 0; axes < 4; axes++) {
            ps_tensor *sums[2];
            for (int fusion = 0; fusion < 2; fusion++) {
                ps_fusion_set(fusion);
                ps_tensor *y = chain(b, -2, NULL);
                ps_arg axis = axes == 0 ? NONE : axes == 3 ? INTS(0, 1) : INTS(axes - 1);
                sums[fusion] = call(names[n], 2, (ps_arg[]){T(y), axis});
                ps_tensor_release(y);
            }
            check_same(sums[0], sums[1]);
            ps_tensor_release(sums[0]);
            ps_tensor_release(sums[1]);
        }
    ps_fusion_set(true);
    ps_tensor_release(line);
    ps_tensor_release(b);
}

/* More steps than a group can hold, and more values alive than there are tiles. */
static void groups_that_are_too_large_are_cut(void **state)
{
    (void)state;
    enum { MANY = 40 };
    ps_tensor *sums[2], *b = input(4096);
    for (int fusion = 0; fusion < 2; fusion++) {
        ps_fusion_set(fusion);
        ps_tensor *terms[MANY];
        for (int i = 0; i < MANY; i++)
            terms[i] = CALL("multiply", T(b), F(i + 0.5));
        ps_tensor *sum = CALL("copy", T(b));
        for (int i = MANY; i-- > 0;) {
            ps_tensor *next = CALL("add", T(sum), T(terms[i]));
            ps_tensor_release(sum);
            ps_tensor_release(terms[i]);
            sum = next;
        }
        sums[fusion] = sum;
        CHECK_OK(ps_tensor_wait(sum, NULL));
    }
    ps_fusion_set(true);
    check_same(sums[0], sums[1]);
    ps_tensor *all[] = {b, sums[0], sums[1]};
    for (int i = 0; i < 3; i++)
        ps_tensor_release(all[i]);
}

/* Spaces that are divided differently: rows, a broadcast row, a transposed operand. */
static void broadcast_and_turned_operands(void **state)
{
    (void)state;
    ps_tensor *line = input(60 * 70), *a = CALL("reshape", T(line), INTS(60, 70));
    ps_tensor *other = CALL("reshape", T(line), INTS(70, 60)), *turned = CALL("permute", T(other));
    ps_tensor *short_line = input(70), *column_line = input(60);
    ps_tensor *row = CALL("reshape", T(short_line), INTS(1, 70));
    ps_tensor *column = CALL("reshape", T(column_line), INTS(60, 1)), *sums[2];
    for (int fusion = 0; fusion < 2; fusion++) {
        ps_fusion_set(fusion);
        ps_tensor *p = CALL("add", T(a), F(1)), *q = CALL("multiply", T(p), T(row));
        ps_tensor *r = CALL("subtract", T(q), T(turned)), *s = CALL("maximum", T(r), T(column));
        sums[fusion] = CALL("multiply", T(s), F(2));
        ps_tensor *all[] = {p, q, r, s};
        for (int i = 0; i < 4; i++)
            ps_tensor_release(all[i]);
        CHECK_OK(ps_tensor_wait(sums[fusion], NULL));
    }
    ps_fusion_set(true);
    check_same(sums[0], sums[1]);
    ps_tensor *all[] = {line,        a,   other,  turned,  short_line,
                        column_line, row, column, sums[0], sums[1]};
    for (int i = 0; i < 10; i++)
        ps_tensor_release(all[i]);
}

/* Operations that were added at run time are fused as those of the table are. */
static void added_operations_join(void **state)
{
    (void)state;
    const ps_op *op;
    CHECK_OK(ps_op_register(&(ps_op_def){.size = sizeof(ps_op_def),
                                         .name = "test_scaled_square",
                                         .signature = "x, scale: scalar = 3.0",
                                         .dtypes = "numeric",
                                         .result = "same",
                                         .expression = "scale * x * x"},
                            &op));
    ps_tensor *b = input(LENGTH), *sums[2];
    wait_all();
    workers_stop();
    uint64_t before = stats().groups;
    for (int fusion = 0; fusion < 2; fusion++) {
        ps_fusion_set(fusion);
        ps_tensor *y = CALL("test_scaled_square", T(b)), *z = CALL("add", T(y), T(b));
        ps_tensor_release(y);
        CHECK_OK(ps_tensor_wait(z, NULL));
        sums[fusion] = z;
    }
    ps_fusion_set(true);
    workers_go_on();
    assert_int_equal(stats().groups, before + 1);
    check_same(sums[0], sums[1]);
    ps_tensor *all[] = {b, sums[0], sums[1]};
    for (int i = 0; i < 3; i++)
        ps_tensor_release(all[i]);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chain_is_one_group),
        cmocka_unit_test(a_chain_that_a_worker_takes_is_one_group),
        cmocka_unit_test(chains_that_nobody_waits_for_are_fused),
        cmocka_unit_test(nothing_is_fused_when_off),
        cmocka_unit_test(small_tensors_are_not_fused),
        cmocka_unit_test(temporaries_are_never_stored),
        cmocka_unit_test(a_result_that_is_held_is_stored),
        cmocka_unit_test(a_view_of_a_temporary_keeps_it),
        cmocka_unit_test(updates_inside_a_group),
        cmocka_unit_test(reductions_at_the_end),
        cmocka_unit_test(groups_that_are_too_large_are_cut),
        cmocka_unit_test(broadcast_and_turned_operands),
        cmocka_unit_test(added_operations_join),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
