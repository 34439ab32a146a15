/* A completion queue told about tensors: the tag comes when the operations queued so far that write
 * the tensor are complete, with the mark on it. */
#include "ops/help.h"

#include <poll.h>
#include <semaphore.h>

static ps_engine *engine;
static sem_t inside, open_gate; /* of the operation `gated` */

static ps_status gated_rule(void *context, const ps_view *inputs, size_t ninputs,
                            const ps_scalar *numbers, size_t nnumbers, ps_dtype *dtype, int *ndim,
                            int64_t *shape)
{
    (void)context, (void)ninputs, (void)numbers, (void)nnumbers;
    *dtype = inputs[0].dtype;
    *ndim = inputs[0].ndim;
    memcpy(shape, inputs[0].shape, (size_t)*ndim * sizeof *shape);
    return PS_OK;
}

/* Stays inside until the test lets it go on. */
static ps_status gated_kernel(void *context, const ps_view *inputs, size_t ninputs,
                              const ps_scalar *numbers, size_t nnumbers, const ps_view *output)
{
    (void)context, (void)inputs, (void)ninputs, (void)numbers, (void)nnumbers;
    sem_post(&inside);
    sem_wait(&open_gate);
    memset(output->data, 0, (size_t)output->shape[0] * ps_dtype_bytes(output->dtype));
    return PS_OK;
}

static int set_up(void **state)
{
    (void)state;
    const ps_op *op;
    sem_init(&inside, 0, 0);
    sem_init(&open_gate, 0, 0);
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_op_register(&(ps_op_def){.size = sizeof(ps_op_def),
                                         .name = "gated",
                                         .signature = "x",
                                         .rule = gated_rule,
                                         .kernel = gated_kernel},
                            &op));
    return 0;
}

static ps_completions *open_queue(void)
{
    ps_completions *completions = NULL;
    CHECK_OK(ps_completions_create(engine, &completions));
    return completions;
}

static bool readable(ps_completions *completions, int timeout_ms)
{
    struct pollfd fd = {.fd = ps_completions_fd(completions), .events = POLLIN};
    return poll(&fd, 1, timeout_ms) == 1 && (fd.revents & POLLIN) != 0;
}

/* Waits for the next; its status. */
static ps_status next(ps_completions *completions, uint64_t *tag)
{
    ps_status status = PS_ERR_EMPTY;
    assert_true(readable(completions, -1));
    CHECK_OK(ps_completions_pop(completions, tag, &status));
    return status;
}

static ps_tensor *failing(void)
{
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3)), *y = CALL("take", T(x), I(7));
    ps_tensor_release(x);
    return y;
}

static void what_is_there_comes_at_once(void **state)
{
    (void)state;
    ps_completions *completions = open_queue();
    ps_tensor *x = from_floats(SHAPE(2), (float[]){1, 2});
    uint64_t tag = 0;
    CHECK_OK(ps_completions_watch_tensor(completions, x, 5));
    assert_int_equal(next(completions, &tag), PS_OK);
    assert_int_equal(tag, 5);
    ps_tensor_release(x);
    ps_completions_destroy(completions);
}

static void what_is_not_there_comes_later(void **state)
{
    (void)state;
    ps_completions *completions = open_queue();
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(4)), *y = CALL("gated", T(x));
    ps_tensor *z = CALL("add", T(y), F(1));
    uint64_t tag = 0;
    ps_status status;
    CHECK_OK(ps_completions_watch_tensor(completions, z, 9));
    sem_wait(&inside);
    assert_false(readable(completions, 0));
    assert_int_equal(ps_completions_pop(completions, &tag, &status), PS_ERR_EMPTY);
    sem_post(&open_gate);
    assert_int_equal(next(completions, &tag), PS_OK);
    assert_int_equal(tag, 9);
    assert_true(ps_tensor_is_ready(z));
    CHECK_VALUES(z, 1, 1, 1, 1);
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(z);
    ps_completions_destroy(completions);
}

/* Writes that are queued after the watch are not waited for, be they to the same memory or not. */
static void only_what_was_queued_before(void **state)
{
    (void)state;
    ps_completions *completions = open_queue();
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(4)), *late = CALL("gated", T(x));
    uint64_t tag = 0;
    CHECK_OK(ps_completions_watch_tensor(completions, x, 1));
    CHECK_OK(call_into("assign", ARGS(T(late)), &x));
    CHECK_OK(ps_completions_watch_tensor(completions, x, 2));
    assert_int_equal(next(completions, &tag), PS_OK);
    assert_int_equal(tag, 1);
    sem_wait(&inside);
    assert_false(readable(completions, 0));
    sem_post(&open_gate);
    assert_int_equal(next(completions, &tag), PS_OK);
    assert_int_equal(tag, 2);
    ps_tensor_release(x);
    ps_tensor_release(late);
    ps_completions_destroy(completions);
}

/* A view is written when its storage is. */
static void through_a_view(void **state)
{
    (void)state;
    ps_completions *completions = open_queue();
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(4)), *y = CALL("gated", T(x)), *half;
    uint64_t tag = 0;
    CHECK_OK(ps_tensor_index(y, &(ps_index){.start = 0, .stop = 2, .step = 1}, 1, &half));
    CHECK_OK(ps_completions_watch_tensor(completions, half, 3));
    sem_wait(&inside);
    assert_false(readable(completions, 0));
    sem_post(&open_gate);
    assert_int_equal(next(completions, &tag), PS_OK);
    assert_int_equal(tag, 3);
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(half);
    ps_completions_destroy(completions);
}

/* The status is the mark; it counts as seen only when a wait raises it. */
static void failures_are_told(void **state)
{
    (void)state;
    ps_completions *completions = open_queue();
    ps_tensor *x = failing(), *y = CALL("add", T(x), F(1));
    uint64_t tag = 0;
    CHECK_OK(ps_completions_watch_tensor(completions, y, 4));
    assert_int_equal(next(completions, &tag), PS_ERR_INDEX);
    assert_int_equal(tag, 4);
    CHECK_FAILS(PS_ERR_INDEX, "index 7", ps_engine_take_error(engine));
    CHECK_OK(ps_engine_take_error(engine));
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_completions_destroy(completions);
}

/* Handles go right after the watch; cells and variables are used again meanwhile. */
static void handles_may_go_at_once(void **state)
{
    (void)state;
    enum { TENSORS = 2000 };
    ps_completions *completions = open_queue();
    static int seen[TENSORS];
    for (uint64_t i = 0; i < TENSORS; i++) {
        ps_tensor *x = i % 100 == 7 ? failing() : CALL("full", INTS(3), F((double)i));
        CHECK_OK(ps_completions_watch_tensor(completions, x, i));
        ps_tensor_release(x);
    }
    for (int left = TENSORS; left > 0; left--) {
        uint64_t tag = 0;
        ps_status status = next(completions, &tag);
        assert_true(tag < TENSORS);
        assert_int_equal(status, tag % 100 == 7 ? PS_ERR_INDEX : PS_OK);
        seen[tag]++;
    }
    for (int i = 0; i < TENSORS; i++)
        assert_int_equal(seen[i], 1);
    for (int i = 0; i < TENSORS / 100; i++)
        CHECK_FAILS(PS_ERR_INDEX, "index 7", ps_engine_take_error(engine));
    CHECK_OK(ps_engine_take_error(engine));
    ps_completions_destroy(completions);
}

static void what_it_refuses(void **state)
{
    (void)state;
    ps_completions *completions = open_queue(), *others = NULL;
    ps_engine *other;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor is NULL",
                ps_completions_watch_tensor(completions, NULL, 0));
    CHECK_FAILS(PS_ERR_ARGUMENT, "completions is NULL", ps_completions_watch_tensor(NULL, x, 0));
    CHECK_OK(ps_engine_create(NULL, &other));
    CHECK_OK(ps_completions_create(other, &others));
    CHECK_FAILS(PS_ERR_ARGUMENT, "another engine", ps_completions_watch_tensor(others, x, 0));
    ps_completions_destroy(others);
    CHECK_OK(ps_engine_destroy(other));
    ps_tensor_release(x);
    ps_completions_destroy(completions);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_there_comes_at_once),
        cmocka_unit_test(what_is_not_there_comes_later),
        cmocka_unit_test(only_what_was_queued_before),
        cmocka_unit_test(through_a_view),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(handles_may_go_at_once),
        cmocka_unit_test(what_it_refuses),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
