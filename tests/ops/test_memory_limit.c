/* A hard limit on memory far below what the queue may hold by default: programs whose steps fit one
 * by one run to their end, however far ahead they are pushed and on however many workers. */
#include "autograd_help.h"
#include "support/workers.h"

enum { ELEMENTS = 1 << 18, STEPS = 100, MB = 1 << 20 };

static float elements[ELEMENTS];

static uint64_t in_use(void)
{
    ps_memory_stats stats = {.size = sizeof stats};
    ps_memory_trim();
    CHECK_OK(ps_memory_get_stats(&stats));
    return stats.live + stats.cached;
}

static ps_tensor *release_and(ps_tensor *old, ps_tensor *fresh)
{
    ps_tensor_release(old);
    return fresh;
}

/* Copied in at the call, by the pushing thread itself. */
static ps_tensor *copied_in(int step)
{
    elements[0] = (float)step;
    return from_floats(SHAPE(ELEMENTS), elements);
}

/* Made by a task: the pushing thread needs no memory for it. */
static ps_tensor *made_there(int step)
{
    ps_tensor *zeros = CALL("zeros", INTS(ELEMENTS)), *one = CALL("full", INTS(1), F(step));
    ps_tensor *first[2] = {one, NULL}, *rest;
    CHECK_OK(ps_tensor_index(zeros, &(ps_index){PS_INDEX_RANGE, 1, ELEMENTS, 1}, 1, &rest));
    first[1] = rest;
    ps_arg parts = {.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = first};
    ps_tensor *result = CALL("concatenate", parts);
    ps_tensor_release(zeros);
    ps_tensor_release(one);
    ps_tensor_release(rest);
    return result;
}

/* Several large tensors a step, some with scratch memory beside them; one number is kept. */
static double run(ps_tensor *(*source)(int step))
{
    ps_tensor *total = CALL("zeros", (ps_arg){.kind = PS_ARG_INTS});
    for (int i = 0; i < STEPS; i++) {
        ps_tensor *x = source(i);
        x = release_and(x, CALL("multiply", T(x), I(2)));
        x = release_and(x, CALL("sort", T(x)));
        x = release_and(x, CALL("cumulative_sum", T(x)));
        x = release_and(x, CALL("max", T(x)));
        total = release_and(total, CALL("add", T(total), T(x)));
        ps_tensor_release(x);
    }
    ps_scalar value;
    CHECK_OK(ps_tensor_item(total, &value));
    ps_tensor_release(total);
    return value.as.d;
}

static void each_step_fits(ps_tensor *(*source)(int step))
{
    static const unsigned workers[] = {1, 2, 8};
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        CHECK_OK(ps_engine_set_workers(engine, workers[i]));
        CHECK_OK(ps_memory_set_limit(in_use() + 7 * MB));
        ps_memory_reset_peak();
        double total = run(source);
        if (total != (double)STEPS * (STEPS - 1))
            fail_msg("%u workers: %.17g", workers[i], total);
        ps_memory_stats stats = {.size = sizeof stats};
        CHECK_OK(ps_memory_get_stats(&stats));
        assert_true(stats.peak <= stats.limit);
        CHECK_OK(ps_wait_all(engine, NULL));
        CHECK_OK(ps_memory_set_limit(0));
    }
    CHECK_OK(ps_engine_set_workers(engine, 0));
}

static void what_is_copied_in(void **state)
{
    (void)state;
    each_step_fits(copied_in);
}

static void what_tasks_make(void **state)
{
    (void)state;
    each_step_fits(made_there);
}

/* A part of what did not fit was saved for a gradient: that it is needed is known as long as the graph
 * is there. */
static void what_a_graph_needs_a_part_of(void **state)
{
    (void)state;
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    ps_tensor *x = leaf(SHAPE(ELEMENTS)), *part, *grad;
    CHECK_OK(ps_tensor_wait(x, NULL));
    workers_stop();
    record();
    ps_tensor *y = CALL("cumulative_sum", T(x));
    CHECK_OK(ps_tensor_index(y, &(ps_index){PS_INDEX_RANGE, 1, 3, 1}, 1, &part));
    ps_tensor *square = CALL("multiply", T(part), T(part));
    pause_it();
    CHECK_OK(ps_memory_set_limit(in_use() + 1 * MB));
    workers_go_on();
    assert_int_equal(ps_tensor_wait(y, NULL), PS_ERR_MEMORY);
    CHECK_OK(ps_memory_set_limit(0));
    CHECK_OK(call_into("assign", ARGS(F(3)), &y)); /* elsewhere than what is saved */
    CHECK_OK(ps_backward(&square, 1, NULL));
    CHECK_OK(ps_grad_get(x, &grad));
    assert_int_equal(ps_tensor_wait(grad, NULL), PS_ERR_MEMORY);
    RELEASE_ALL(x, y, part, square, grad);
    (void)ps_wait_all(engine, NULL); /* the error is known */
    nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_copied_in),
        cmocka_unit_test(what_tasks_make),
        cmocka_unit_test(what_a_graph_needs_a_part_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
