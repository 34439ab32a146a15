/* Short operations are done at the call. Nothing but the time tells: not the values, the counts,
 * the errors, the snapshots that others hold, nor what other threads do meanwhile. */
#include "tensor/tensor.h" /* before help.h, which has short names of its own */

#include "engine_help.h"

#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>

#include "support/sanitized.h"

static ps_tensor *ones(int64_t count)
{
    ps_tensor *made = CALL("ones", INTS(count));
    CHECK_OK(ps_tensor_wait(made, NULL));
    return made;
}

/* x = op(x, value), in place. */
static void update(const char *name, ps_tensor *x, ps_arg value)
{
    CHECK_OK(call_into(name, ARGS(T(x), value), &x));
}

/* ---- an operation that waits, one that fails ----------------------------------------------- */

static sem_t gate;

static ps_status same_rule(void *context, const ps_view *inputs, size_t ninputs,
                           const ps_scalar *numbers, size_t nnumbers, ps_dtype *dtype, int *ndim,
                           int64_t *shape)
{
    (void)context, (void)ninputs, (void)numbers, (void)nnumbers;
    *dtype = inputs[0].dtype;
    *ndim = inputs[0].ndim;
    for (int i = 0; i < inputs[0].ndim; i++)
        shape[i] = inputs[0].shape[i];
    return PS_OK;
}

/* Copies a line of float32 once the gate is open. */
static ps_status gate_kernel(void *context, const ps_view *inputs, size_t ninputs,
                             const ps_scalar *numbers, size_t nnumbers, const ps_view *output)
{
    (void)context, (void)ninputs, (void)numbers, (void)nnumbers;
    while (sem_wait(&gate) != 0)
        ;
    for (int64_t i = 0; i < output->shape[0]; i++)
        ((float *)output->data)[i] =
            *(const float *)((const char *)inputs[0].data + i * inputs[0].strides[0]);
    return PS_OK;
}

static ps_status broken_kernel(void *context, const ps_view *inputs, size_t ninputs,
                               const ps_scalar *numbers, size_t nnumbers, const ps_view *output)
{
    (void)context, (void)inputs, (void)ninputs, (void)numbers, (void)nnumbers, (void)output;
    return ps_op_fail(PS_ERR_ARGUMENT, "broken on purpose");
}

static int set_up(void **state)
{
    (void)state;
    alarm(LIMIT_S);
    ps_op_def def = {.size = sizeof def,
                     .name = "gate",
                     .signature = "x",
                     .doc = "Waits.",
                     .rule = same_rule,
                     .kernel = gate_kernel};
    CHECK_OK(ps_op_register(&def, NULL));
    def.name = "broken";
    def.kernel = broken_kernel;
    CHECK_OK(ps_op_register(&def, NULL));
    return sem_init(&gate, 0, 0);
}

/* ---- what is done at once ------------------------------------------------------------------ */

static void it_is_there_when_the_call_returns(void **state)
{
    (void)state;
    ps_tensor *x = ones(2);
    wait_all();
    ps_engine_stats before = stats();
    ps_tensor *y = CALL("add", T(x), I(1));
    assert_true(ps_tensor_is_ready(y));
    update("multiply", y, F(3));
    ps_engine_stats after = stats();
    assert_int_equal(after.pushed - before.pushed, 2);
    assert_int_equal(after.executed - before.executed, 2);
    assert_int_equal(after.helped - before.helped, 2);
    assert_int_equal(after.unfinished, 0);
    assert_int_equal(ps_tensor_version(y), 1);
    CHECK_VALUES(y, 6, 6);
    ps_tensor_release(x);
    ps_tensor_release(y);
}

/* Not elementwise: a creation, reductions, a copy of regions, a choice, a product, a scan. */
enum { TASKS = 8 };

static void call_tasks(ps_tensor *x, ps_tensor **out)
{
    ps_tensor *list[] = {x, x};
    out[0] = CALL("zeros", INTS(2, 2));
    out[1] = CALL("sum", T(x));
    out[2] = CALL("argmax", T(x), I(0));
    out[3] =
        CALL("concatenate", ((ps_arg){.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = list}));
    out[4] = CALL("take", T(x), T(out[2]));
    out[5] = CALL("matmul", T(x), T(x));
    out[6] = CALL("cumulative_sum", T(x));
    out[7] = CALL("tile", T(x), INTS(2));
}

static void tasks_of_other_kinds_too(void **state)
{
    (void)state;
    ps_tensor *x = ones(2), *out[TASKS];
    wait_all();
    ps_engine_stats before = stats();
    call_tasks(x, out);
    ps_engine_stats after = stats();
    assert_int_equal(after.pushed - before.pushed, TASKS);
    assert_int_equal(after.helped - before.helped, TASKS);
    assert_int_equal(after.unfinished, 0);
    for (int i = 0; i < TASKS; i++) {
        assert_true(ps_tensor_is_ready(out[i]));
        assert_int_equal(ps_tensor_version(out[i]), 0);
        ps_tensor_release(out[i]);
    }
    ps_tensor_release(x);
}

/* Behind what is not there yet they wait their turn, and nobody waits for them. */
static void tasks_of_other_kinds_are_queued_behind_others(void **state)
{
    (void)state;
    ps_tensor *x = ones(2), *late = CALL("gate", T(x)), *out[TASKS];
    call_tasks(late, out);
    assert_true(ps_tensor_is_ready(out[0])); /* it needs nothing */
    for (int i = 1; i < TASKS; i++)
        assert_false(ps_tensor_is_ready(out[i]));
    sem_post(&gate);
    CHECK_VALUES(out[1], 2);
    CHECK_VALUES(out[3], 1, 1, 1, 1);
    CHECK_VALUES(out[5], 2);
    CHECK_VALUES(out[6], 1, 2);
    for (int i = 0; i < TASKS; i++)
        ps_tensor_release(out[i]);
    ps_tensor_release(x);
    ps_tensor_release(late);
}

/* It was tried at the call and then queued: that is one task, and no write in place. Comes
 * before other failures: what has the variable of a failed result again is not tried at all. */
static void a_task_that_fails_is_counted_once(void **state)
{
    (void)state;
    ps_tensor *x = ones(2), *far = CALL("full", INTS(1), I(9));
    wait_all();
    ps_engine_stats before = stats();
    ps_tensor *bad = CALL("take", T(x), T(far));
    CHECK_FAILS(PS_ERR_INDEX, "take: index 9", ps_tensor_wait(bad, NULL));
    ps_engine_stats after = stats();
    assert_int_equal(after.pushed - before.pushed, 1);
    assert_int_equal(after.executed - before.executed, 1);
    assert_int_equal(after.failed - before.failed, 1);
    assert_in_range(after.helped - before.helped, 0, 1); /* a worker may have run it */
    assert_int_equal(ps_tensor_version(bad), 0);
    ps_tensor_release(x);
    ps_tensor_release(far);
    ps_tensor_release(bad);
    wait_all();
}

/* What fails is found as ever: at the wait, by whoever depends on it, with its name. */
static void a_task_that_fails_is_queued(void **state)
{
    (void)state;
    ps_tensor *x = ones(2), *far = CALL("full", INTS(1), I(9));
    ps_tensor *bad = CALL("take", T(x), T(far)), *more = CALL("sum", T(bad));
    CHECK_FAILS(PS_ERR_INDEX, "take: index 9", ps_tensor_wait(more, NULL));
    ps_tensor *fine = CALL("sum", T(x));
    CHECK_VALUES(fine, 2);
    ps_tensor *all[] = {x, far, bad, more, fine};
    for (int i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
    wait_all();
}

static void long_ones_are_queued(void **state)
{
    (void)state;
    ps_tensor *x = CALL("ones", INTS(2, 4000)), *y;
    CHECK_OK(ps_tensor_wait(x, NULL));
    ps_engine_stats before = stats();
    y = CALL("add", T(x), I(1));
    assert_int_equal(stats().pushed - before.pushed, 1);
    CHECK_OK(ps_tensor_wait(y, NULL));
    assert_int_equal(stats().unfinished, 0);
    ps_tensor_release(x);
    ps_tensor_release(y);
}

enum { LAYOUTS = 15 };

/* A program over layouts: strided, broadcast, reversed and transposed inputs, outputs that are
 * parts, conversions, numbers, several steps in one row, what is joined. Puts its results one after the
 * other. */
static size_t layouts(double *results)
{
    ps_index back = {PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, -2};
    ps_index inner[2] = {{PS_INDEX_RANGE, 1, 3, PS_INDEX_NONE}, {.kind = PS_INDEX_AT, .start = 2}};
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(4, 5)), *line = counted(PS_INT16, SHAPE(5));
    ps_tensor *turned, *reversed, *part, *out[LAYOUTS];
    CHECK_OK(ps_tensor_permute(x, NULL, 0, &turned));
    CHECK_OK(ps_tensor_index(x, &back, 1, &reversed));
    out[0] = CALL("add", T(x), T(line));
    out[1] = CALL("multiply", T(turned), T(turned));
    out[2] = CALL("subtract", T(reversed), F(0.5));
    out[3] = CALL("sigmoid", T(reversed));
    out[4] = CALL("less", T(line), I(3));
    out[5] = CALL("where", T(out[4]), T(reversed), F(-1));
    out[6] = CALL("cast", T(turned), D(PS_FLOAT16));
    out[7] = CALL("copy", T(turned));
    out[8] = CALL("copy", T(x));
    CHECK_OK(ps_tensor_index(out[8], inner, 2, &part));
    update("add", part, F(100));
    CHECK_OK(call_into("assign", ARGS(I(7)), &part));
    update("add", out[8], T(x));
    ps_tensor *whole[] = {x, out[8], x}, *turns[] = {x, reversed};
    ps_arg three = {.kind = PS_ARG_TENSORS, .count = 3, .as.tensors = whole};
    ps_arg gaps = {.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = turns};
    for (int axis = 0; axis < 2; axis++)
        out[9 + axis] = CALL("concatenate", three, I(axis));
    for (int axis = 0; axis < 3; axis++)
        out[11 + axis] = CALL("stack", three, I(axis));
    out[14] = CALL("concatenate", gaps, I(0));
    size_t count = 0;
    for (int i = 0; i < LAYOUTS; i++) {
        double *values = values_of(out[i]);
        for (int64_t k = 0; k < ps_tensor_count(out[i]); k++)
            results[count++] = values[k];
        free(values);
        ps_tensor_release(out[i]);
    }
    ps_tensor_release(part);
    ps_tensor_release(reversed);
    ps_tensor_release(turned);
    ps_tensor_release(line);
    ps_tensor_release(x);
    return count;
}

static void every_layout_gives_the_same(void **state)
{
    (void)state;
    double at_once[640], queued[640];
    ps__at_once_set(false);
    size_t wanted = layouts(queued);
    ps__at_once_set(true);
    assert_int_equal(layouts(at_once), wanted);
    assert_memory_equal(at_once, queued, wanted * sizeof queued[0]);
}

static void synchronous_mode_and_traces_go_the_usual_way(void **state)
{
    (void)state;
    ps_tensor *x = ones(3);
    wait_all();
    CHECK_OK(ps_trace_start(engine(), 100));
    ps_tensor *y = CALL("add", T(x), I(1));
    CHECK_OK(ps_tensor_wait(y, NULL));
    CHECK_OK(ps_trace_stop(engine()));
    ps_trace_event events[100];
    size_t count = 0, queued = 0;
    CHECK_OK(ps_trace_read(engine(), events, 100, &count, NULL));
    for (size_t i = 0; i < count; i++)
        queued += events[i].kind == PS_TRACE_QUEUED && strcmp(events[i].name, "add") == 0;
    assert_int_equal(queued, 1);
    CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
    update("add", y, I(1));
    assert_true(ps_tensor_is_ready(y));
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    CHECK_VALUES(y, 3, 3, 3);
    ps_tensor_release(x);
    ps_tensor_release(y);
}

/* ---- what is not --------------------------------------------------------------------------- */

static void behind_what_is_not_there_yet(void **state)
{
    (void)state;
    ps_tensor *x = ones(2), *late = CALL("gate", T(x));
    ps_tensor *y = CALL("add", T(late), I(1)), *z = CALL("add", T(x), T(y));
    assert_false(ps_tensor_is_ready(late));
    assert_false(ps_tensor_is_ready(y));
    assert_false(ps_tensor_is_ready(z));
    sem_post(&gate);
    CHECK_VALUES(z, 3, 3);
    ps_tensor_release(x);
    ps_tensor_release(late);
    ps_tensor_release(y);
    ps_tensor_release(z);
}

/* What is queued to read a tensor reads what was there before later writes. */
static void writes_leave_queued_readers_alone(void **state)
{
    (void)state;
    ps_tensor *x = ones(4), *late = CALL("gate", T(x)), *part;
    ps_index first = {.kind = PS_INDEX_AT, .start = 0};
    update("add", x, I(1)); /* all of it: moves on to a fresh buffer */
    CHECK_OK(ps_tensor_wait(x, NULL));
    update("add", x, I(1));
    ps_tensor *after = CALL("gate", T(x));
    CHECK_OK(ps_tensor_index(x, &first, 1, &part));
    CHECK_OK(call_into("assign", ARGS(I(9)), &part)); /* a part of it: after the reader */
    sem_post(&gate);
    sem_post(&gate);
    CHECK_VALUES(late, 1, 1, 1, 1);
    CHECK_VALUES(after, 3, 3, 3, 3);
    CHECK_VALUES(x, 9, 3, 3, 3);
    ps_tensor_release(x);
    ps_tensor_release(late);
    ps_tensor_release(after);
    ps_tensor_release(part);
}

static void exports_do_not_change(void **state)
{
    (void)state;
    ps_tensor *x = ones(3);
    ps__host_read read;
    CHECK_OK(ps__host_begin(x, &read));
    update("add", x, I(1));
    ps_index first = {.kind = PS_INDEX_AT, .start = 0};
    ps_tensor *part;
    CHECK_OK(ps_tensor_index(x, &first, 1, &part));
    CHECK_OK(call_into("assign", ARGS(I(9)), &part));
    CHECK_VALUES(x, 9, 2, 2);
    for (int i = 0; i < 3; i++)
        assert_true(((const float *)read.data)[i] == 1);
    ps__host_end(&read);
    ps_tensor_release(part);
    ps_tensor_release(x);
}

static void marks_go_on(void **state)
{
    (void)state;
    ps_tensor *x = ones(2), *bad = CALL("broken", T(x));
    CHECK_FAILS(PS_ERR_ARGUMENT, "broken on purpose", ps_tensor_wait(bad, NULL));
    ps_tensor *y = CALL("add", T(bad), I(1)), *fine = CALL("add", T(x), I(1));
    CHECK_FAILS(PS_ERR_ARGUMENT, "broken on purpose", ps_tensor_wait(y, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "broken on purpose",
                ps_tensor_item(bad, &(ps_scalar){0}) == PS_ERR_ARGUMENT ? ps_tensor_wait(bad, NULL)
                                                                        : PS_OK);
    CHECK_VALUES(fine, 2, 2);
    update("add", y, I(1)); /* an update keeps the mark */
    CHECK_FAILS(PS_ERR_ARGUMENT, "broken on purpose", ps_tensor_wait(y, NULL));
    CHECK_OK(call_into("assign", ARGS(I(5)), &y)); /* a complete overwrite takes it off */
    CHECK_VALUES(y, 5, 5);
    update("add", y, I(1));
    CHECK_VALUES(y, 6, 6);
    ps_tensor_release(bad);
    for (int i = 0; i < 200; i++) { /* cells whose last task failed are used again */
        ps_tensor *failed = CALL("broken", T(x));
        ps_tensor_release(failed);
        ps_tensor *again = CALL("add", T(x), I(i));
        if (i % 8 == 0)
            CHECK_VALUES(again, 1 + i, 1 + i);
        CHECK_OK(ps_tensor_wait(again, NULL));
        ps_tensor_release(again);
    }
    ps_status status;
    do /* what nobody has seen */
        status = ps_wait_all(engine(), NULL);
    while (status == PS_ERR_ARGUMENT);
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(fine);
}

/* ---- memory -------------------------------------------------------------------------------- */

enum { HELD = 4096 };

/* Operations until there is no more memory. The handle or the elements may be what there is no room
 * for: then the call fails, or the wait. */
static void fill_memory(ps_tensor *x)
{
    static ps_tensor *held[HELD];
    ps_memory_stats memory = {.size = sizeof memory};
    CHECK_OK(ps_memory_get_stats(&memory));
    CHECK_OK(ps_memory_set_limit(memory.live + memory.cached + (4 << 20)));
    ps_status status = PS_OK;
    int count = 0;
    while (count < HELD && status == PS_OK) {
        held[count] = NULL;
        status = call_into("add", ARGS(T(x), I(1)), &held[count]);
        if (status == PS_OK)
            status = ps_tensor_wait(held[count++], NULL);
    }
    CHECK_FAILS(PS_ERR_MEMORY, "over the limit", status);
    CHECK_OK(ps_memory_set_limit(0));
    while (count-- > 0)
        ps_tensor_release(held[count]);
    ps_tensor *after = CALL("add", T(x), I(1));
    CHECK_OK(ps_tensor_wait(after, NULL));
    ps_tensor_release(after);
    while (ps_wait_all(engine(), NULL) == PS_ERR_MEMORY)
        ;
}

static void at_the_limit_errors_are_the_same(void **state)
{
    (void)state;
    ps_tensor *x = ones(2000);
    fill_memory(x);
    ps__at_once_set(false);
    fill_memory(x);
    ps__at_once_set(true);
    ps_tensor_release(x);
}

static void memory_stays_flat(void **state)
{
    (void)state;
    ps_tensor *x = ones(100);
    ps_memory_stats before = {.size = sizeof before}, after = before;
    CHECK_OK(ps_memory_get_stats(&before));
    for (int i = 0; i < 20000; i++)
        ps_tensor_release(CALL("add", T(x), I(1)));
    CHECK_OK(ps_memory_get_stats(&after));
    assert_true(after.live <= before.live + 65536);
    ps_tensor_release(x);
}

/* ---- threads ------------------------------------------------------------------------------- */

enum { WIDE = 96, ROUNDS = SANITIZED ? 1000 : 10000 };

static ps_tensor *shared;
static pthread_barrier_t start;

static void check_even(ps_tensor *tensor)
{
    float values[WIDE];
    if (ps_tensor_to_host(tensor, values, sizeof values) != PS_OK)
        abort();
    for (int i = 1; i < WIDE; i++)
        if (values[i] != values[0])
            abort();
}

static void *read_shared(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&start);
    for (int i = 0; i < ROUNDS; i++) {
        ps_tensor *y = NULL, *z = NULL;
        if (call_into("multiply", ARGS(T(shared), F(2)), &y) != PS_OK ||
            call_into("subtract", ARGS(T(shared), T(y)), &z) != PS_OK)
            abort();
        check_even(y);
        check_even(z);
        if (ps_tensor_wait(shared, NULL) != PS_OK)
            abort();
        ps_tensor_release(y);
        ps_tensor_release(z);
    }
    return NULL;
}

/* Overwrites, updates and, through what is not there yet, queued writes. */
static void *write_shared(void *arg)
{
    int64_t wide = WIDE, many = 100 * WIDE;
    ps_tensor *large;
    ps_arg to = {.kind = PS_ARG_INTS, .count = 1, .as.ints = &many};
    CHECK_OK(call_into("zeros", ARGS(to), (large = NULL, &large)));
    ps_index head = {PS_INDEX_RANGE, 0, wide, PS_INDEX_NONE};
    pthread_barrier_wait(&start);
    for (int i = 0; i < ROUNDS; i++) {
        ps_tensor *y = NULL, *part = NULL, *out = shared;
        ps_status status = PS_OK;
        if (i % 3 == 0)
            status = call_into("assign", ARGS(I(i)), &out);
        else if (i % 3 == 1)
            status = call_into("add", ARGS(T(out), I(1)), &out);
        else if (call_into("add", ARGS(T(large), I(i)), &y) != PS_OK ||
                 ps_tensor_index(y, &head, 1, &part) != PS_OK ||
                 call_into("assign", ARGS(T(part)), &out) != PS_OK)
            abort();
        if (status != PS_OK)
            abort();
        ps_tensor_release(y);
        ps_tensor_release(part);
    }
    ps_tensor_release(large);
    return arg;
}

/* Nobody ever sees a half-written tensor. */
static void threads_that_read_and_write(void **state)
{
    (void)state;
    pthread_t threads[4];
    shared = ones(WIDE);
    pthread_barrier_init(&start, NULL, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, i < 2 ? read_shared : write_shared,
                                        NULL),
                         0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    wait_all();
    check_even(shared);
    ps_tensor_release(shared);
}

static void *count_up(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&start);
    for (int i = 0; i < ROUNDS; i++)
        update("add", shared, I(1));
    return NULL;
}

/* No update is lost, whoever makes it and whichever way it goes. */
static void threads_that_update(void **state)
{
    (void)state;
    pthread_t threads[3];
    shared = CALL("zeros", INTS(WIDE));
    pthread_barrier_init(&start, NULL, 3);
    uint64_t before = stats().pushed;
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_up, NULL), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    assert_int_equal(stats().pushed - before, 3 * ROUNDS);
    float values[WIDE];
    CHECK_OK(ps_tensor_to_host(shared, values, sizeof values));
    for (int i = 0; i < WIDE; i++)
        assert_true(values[i] == 3 * ROUNDS);
    ps_tensor_release(shared);
}

/* ---- fork ---------------------------------------------------------------------------------- */

static int child(ps_tensor *x)
{
    ps_tensor *y = NULL;
    ps_scalar value;
    ps_index first = {.kind = PS_INDEX_AT, .start = 0};
    ps_tensor *element;
    if (call_into("add", ARGS(T(x), I(1)), &y) != PS_OK || !ps_tensor_is_ready(y) ||
        ps_tensor_index(y, &first, 1, &element) != PS_OK ||
        ps_tensor_item(element, &value) != PS_OK)
        return 1;
    return value.as.d == 2 ? 0 : 2;
}

static void in_a_child(void **state)
{
    (void)state;
    ps_tensor *x = ones(2);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(child(x));
    int ended;
    assert_int_equal(waitpid(pid, &ended, 0), pid);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
    ps_tensor_release(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_there_when_the_call_returns),
        cmocka_unit_test(tasks_of_other_kinds_too),
        cmocka_unit_test(tasks_of_other_kinds_are_queued_behind_others),
        cmocka_unit_test(a_task_that_fails_is_counted_once),
        cmocka_unit_test(a_task_that_fails_is_queued),
        cmocka_unit_test(long_ones_are_queued),
        cmocka_unit_test(every_layout_gives_the_same),
        cmocka_unit_test(synchronous_mode_and_traces_go_the_usual_way),
        cmocka_unit_test(behind_what_is_not_there_yet),
        cmocka_unit_test(writes_leave_queued_readers_alone),
        cmocka_unit_test(exports_do_not_change),
        cmocka_unit_test(marks_go_on),
        cmocka_unit_test(at_the_limit_errors_are_the_same),
        cmocka_unit_test(memory_stays_flat),
        cmocka_unit_test(threads_that_read_and_write),
        cmocka_unit_test(threads_that_update),
        cmocka_unit_test(in_a_child),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
