/* Fork between forward and backward: parent and child both walk the graph, each on its own copy of
 * it. And beside threads that record: whatever they are in the middle of, the child can record and
 * walk. */
#include "engine/process.h"

#include "penstock_ops.h"

enum { SIDE = 64, FORKS = FIXTURE_SANITIZED ? 10 : 80, THREADS = 3 };

static bool set_recording(bool on)
{
    uint64_t others = ps_thread_state() & ~(uint64_t)PS_STATE_RECORDING;
    return ps_thread_set_state(others | (on ? PS_STATE_RECORDING : 0)) == PS_OK;
}

/* Ones, with a gradient attached. */
static ps_tensor *new_leaf(uint32_t request)
{
    ps_tensor *x = NULL;
    if (ps_ones(PS_INTS(SIDE, SIDE), &x) == PS_OK && ps_grad_attach(x, request, NULL) == PS_OK)
        return x;
    ps_tensor_release(x);
    return NULL;
}

/* The sum of the elements of x @ x, doubled in place: 4 SIDE is the gradient of each of x. */
static ps_tensor *forward(ps_tensor *x)
{
    ps_tensor *y = NULL, *sum = NULL;
    bool done = set_recording(true) && ps_matmul(PS_ARG(x), PS_ARG(x), &y) == PS_OK &&
                ps_multiply(PS_ARG(y), PS_ARG(2), &y) == PS_OK && ps_sum(PS_ARG(y), &sum) == PS_OK;
    ps_tensor_release(y);
    if (set_recording(false) && done)
        return sum;
    ps_tensor_release(sum);
    return NULL;
}

static bool gradient_is_right(ps_tensor *x)
{
    static __thread float values[SIDE * SIDE];
    ps_tensor *grad = NULL;
    bool read = ps_grad_get(x, &grad) == PS_OK && grad != NULL &&
                ps_tensor_to_host(grad, values, sizeof values) == PS_OK;
    ps_tensor_release(grad);
    for (int i = 0; read && i < SIDE * SIDE; i++)
        read = values[i] == 4 * SIDE;
    return read;
}

static bool walk(ps_tensor *x, ps_tensor *head)
{
    return head != NULL && ps_backward(&head, 1, NULL) == PS_OK && gradient_is_right(x);
}

static uint64_t nodes(void)
{
    ps_graph_stats stats = {.size = sizeof stats};
    return ps_graph_get_stats(&stats) == PS_OK ? stats.nodes + stats.saves : UINT64_MAX;
}

static bool step_of(uint32_t request)
{
    ps_tensor *x = new_leaf(request), *head = x != NULL ? forward(x) : NULL;
    bool right = walk(x, head);
    ps_tensor_release(head);
    ps_tensor_release(x);
    return right;
}

static bool whole_step(void)
{
    return step_of(PS_GRAD_WRITE) && step_of(PS_GRAD_ADD | PS_GRAD_LAZY);
}

static void both_walk(void **state)
{
    (void)state;
    for (int i = 0; i < FORKS; i++) {
        ps_tensor *x = new_leaf(i % 2 ? PS_GRAD_WRITE : PS_GRAD_ADD | PS_GRAD_LAZY);
        ps_tensor *head = forward(x);
        assert_non_null(head);
        pid_t child = fork_flushed();
        if (child == 0) {
            child_begin();
            CHILD_CHECK(walk(x, head));
            ps_tensor_release(head);
            ps_tensor_release(x);
            CHILD_CHECK(nodes() == 0);
            CHILD_CHECK(whole_step());
            _exit(0);
        }
        assert_true(walk(x, head));
        assert_int_equal(child_result(child), 0);
        ps_tensor_release(head);
        ps_tensor_release(x);
        assert_int_equal(nodes(), 0);
    }
}

typedef struct recorder {
    tally *stop, *failed;
    pthread_t thread;
} recorder;

static void *keep_recording(void *arg)
{
    recorder *r = arg;
    while (tally_read(r->stop) == 0)
        if (!whole_step())
            tally_add(r->failed);
    return NULL;
}

static void beside_threads_that_record(void **state)
{
    (void)state;
#ifdef FORK_BESIDE_PUSHERS_IS_UNSAFE
    print_message("skipped: " FORK_BESIDE_PUSHERS_IS_UNSAFE "\n");
    skip();
#endif
    tally stop = {0}, failed = {0};
    recorder recorders[THREADS];
    for (int i = 0; i < THREADS; i++) {
        recorders[i] = (recorder){.stop = &stop, .failed = &failed};
        assert_int_equal(pthread_create(&recorders[i].thread, NULL, keep_recording, &recorders[i]),
                         0);
    }
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork_flushed();
        if (child == 0) {
            child_begin();
            CHILD_CHECK(whole_step());
            _exit(0);
        }
        assert_int_equal(child_result(child), 0);
    }
    tally_add(&stop);
    for (int i = 0; i < THREADS; i++)
        pthread_join(recorders[i].thread, NULL);
    assert_int_equal(tally_read(&failed), 0);
    assert_int_equal(nodes(), 0);
}

int main(void)
{
#ifdef FORK_IS_UNSAFE
    print_message("skipped: " FORK_IS_UNSAFE "\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_walk),
        cmocka_unit_test(beside_threads_that_record),
    };
    return FIXTURE_RUN(tests);
}
