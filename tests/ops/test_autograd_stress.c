/* Gradients under load: graphs of millions of nodes, memory during a walk, memory that is not there,
 * many threads. After each test nothing of a graph is left. */
#include "autograd_help.h"
#include "engine_help.h"

#include "base/alloc.h"
#include "support/sanitized.h"
#include "support/workers.h"

#include <pthread.h>

static uint64_t live_bytes(void)
{
    ps_memory_stats memory = {.size = sizeof memory};
    CHECK_OK(ps_memory_get_stats(&memory));
    return memory.live;
}

static ps_graph_stats graph(void)
{
    ps_graph_stats found = {.size = sizeof found};
    CHECK_OK(ps_graph_get_stats(&found));
    return found;
}

/* ---- long chains -------------------------------------------------------------------------- */

enum {
    LONG = SANITIZED ? 1000000 : 10000000,
    SAVED = SANITIZED ? 100000 : 1000000,
    SAMPLE = 10000,
    SMALL_STACK = 256 << 10
};

/* What `name` makes of x and an operand, again and again; only the last result has a handle. */
static ps_tensor *chain(ps_tensor *x, const char *name, ps_arg with, long steps)
{
    ps_tensor *y = x;
    CHECK_OK(ps_tensor_retain(x));
    record();
    for (long i = 0; i < steps; i++) {
        ps_tensor *next = CALL(name, T(y), with);
        ps_tensor_release(y);
        y = next;
    }
    pause_it();
    return y;
}

/* As many as half of the free memory holds. */
static long affordable(ps_tensor *x)
{
    uint64_t before = live_bytes();
    ps_tensor *y = chain(x, "add", F(1), SAMPLE);
    uint64_t each = (live_bytes() - before) / SAMPLE;
    ps_tensor_release(y);
    uint64_t room = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
    long count = room / each < LONG ? (long)(room / each) : LONG;
    print_message("%ju bytes a node, %ld nodes\n", (uintmax_t)each, count);
    return count;
}

static void *record_and_release(void *unused)
{
    ps_tensor *x = leaf(SHAPE(1));
    long count = affordable(x);
    ps_tensor *y = chain(x, "add", F(1), count);
    assert_int_equal(graph().nodes, count + 1);
    CHECK_VALUES(y, (double)count);
    ps_tensor_release(y);
    assert_int_equal(graph().nodes, 1);
    ps_tensor_release(x);
    return unused;
}

/* Each step saves an operand; the walk drops them all, while the handle of the end is there. */
static void *record_and_walk(void *unused)
{
    ps_tensor *x = leaf(SHAPE(1)), *one = CALL("ones", INTS(1), D(PS_FLOAT64));
    ps_tensor *y = chain(x, "multiply", T(one), SAVED);
    assert_int_equal(graph().saves, SAVED);
    backward(y);
    assert_int_equal(graph().saves, 0);
    assert_int_equal(graph().nodes, SAVED + 1);
    CHECK_GRAD(x, 1);
    RELEASE_ALL(x, y, one);
    return unused;
}

static void on_a_small_stack(void *(*body)(void *unused))
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, SMALL_STACK);
    assert_int_equal(pthread_create(&thread, &attributes, body, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    nothing_is_left();
}

static void a_chain_of_millions_is_released(void **state)
{
    (void)state;
    on_a_small_stack(record_and_release);
}

static void a_chain_of_a_million_saves_is_walked(void **state)
{
    (void)state;
    on_a_small_stack(record_and_walk);
}

/* ---- memory ------------------------------------------------------------------------------- */

enum { LAYERS = 200, ELEMENTS = 1 << 17, SLACK = 256 << 10 /* handles, nodes, chunks */ };

/* Who runs what a walk queues. */
typedef enum runner { BY_WORKERS, BY_THIS_THREAD, AT_ONCE } runner;

static ps_tensor *deep(ps_tensor *x)
{
    ps_tensor *y = x;
    CHECK_OK(ps_tensor_retain(x));
    record();
    for (int i = 0; i < LAYERS; i++) {
        ps_tensor *next = CALL("tanh", T(y));
        ps_tensor_release(y);
        y = next;
    }
    pause_it();
    wait_all();
    return y;
}

/* Walks back while something else is as asked; the most memory there was then. */
static ps_memory_stats walk_by(runner who, ps_tensor *y)
{
    ps_memory_stats memory = {.size = sizeof memory};
    CHECK_OK(ps_thread_set_mode(who == AT_ONCE ? PS_MODE_SYNC : PS_MODE_ASYNC));
    if (who == BY_THIS_THREAD)
        workers_stop();
    ps_memory_reset_peak();
    backward(y);
    if (who == BY_THIS_THREAD)
        workers_go_on();
    wait_all();
    CHECK_OK(ps_memory_get_stats(&memory));
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    return memory;
}

/* No more than so many layers are there beside one for each step, of which each goes as soon as it has
 * been used. Where steps are fused fewer are kept, and made again. */
static void layers_above(unsigned most, unsigned workers, runner who, bool fused)
{
    const uint64_t layer = ELEMENTS * sizeof(double);
    uint64_t state = ps_thread_state();
    CHECK_OK(ps_thread_set_state(state | (fused ? PS_STATE_FUSION_ON : PS_STATE_FUSION_OFF)));
    CHECK_OK(ps_engine_set_workers(engine(), workers));
    ps_tensor *x = leaf(SHAPE(ELEMENTS));
    wait_all();
    uint64_t start = live_bytes();
    ps_tensor *y = deep(x);
    uint64_t kept = live_bytes() - start, all = start + LAYERS * layer;
    if (!fused)
        assert_in_range(kept, LAYERS * layer, LAYERS * layer + SLACK);
    ps_memory_stats memory = walk_by(who, y);
    print_message("%u workers, fused %d: %.1f layers kept, %.2f more than all\n", workers, fused,
                  (double)kept / (double)layer,
                  ((double)memory.peak - (double)all) / (double)layer);
    if (memory.peak > all + most * layer + SLACK)
        fail_msg("%u workers: %ju bytes above forward, a layer has %ju", workers,
                 (uintmax_t)(memory.peak - all), (uintmax_t)layer);
    assert_true(memory.live <= start + 2 * layer + SLACK); /* y and the gradient */
    RELEASE_ALL(x, y);
    CHECK_OK(ps_engine_set_workers(engine(), 0));
    CHECK_OK(ps_thread_set_state(state));
    nothing_is_left();
}

/* A gradient and the one that is made of it. Workers may take a group of tasks while the walk still
 * has the last result but one in hand, which is then stored besides. */
static void a_walk_needs_two_layers(void **state)
{
    (void)state;
    for (int fused = 0; fused < 2; fused++) {
        layers_above(2, 2, AT_ONCE, fused);
        layers_above(2, 2, BY_THIS_THREAD, fused);
        layers_above(3, 1, BY_WORKERS, fused);
        layers_above(3, 2, BY_WORKERS, fused);
        layers_above(3, 8, BY_WORKERS, fused);
    }
}

/* ---- memory that is not there -------------------------------------------------------------- */

/* Tensors of one run; after the first failure nothing more is made. */
typedef struct bag {
    ps_status status;
    unsigned count;
    ps_tensor *all[24];
} bag;

static ps_tensor *keep(bag *b, ps_tensor *made)
{
    b->all[b->count++] = made;
    return made;
}

static ps_tensor *then(bag *b, const char *name, size_t nargs, const ps_arg *args)
{
    ps_tensor *made = NULL;
    if (b->status == PS_OK)
        b->status = call_into(name, nargs, args, &made);
    assert_true((b->status == PS_OK) == (made != NULL));
    return keep(b, made);
}

#define THEN(b, name, ...) then(b, name, ARGS(__VA_ARGS__))

static ps_tensor *first_of(bag *b, ps_tensor *x)
{
    ps_tensor *view = NULL;
    ps_index at = {.kind = PS_INDEX_AT, .start = 0};
    if (b->status == PS_OK)
        b->status = ps_tensor_index(x, &at, 1, &view);
    return keep(b, view);
}

static void release_bag(bag *b)
{
    for (unsigned i = 0; i < b->count; i++)
        ps_tensor_release(b->all[i]);
    b->count = 0;
}

/* What a run works on, and what it must give. */
typedef struct trial trial;
typedef ps_status (*walk_fn)(bag *b, trial *t, ps_tensor *head, ps_tensor **dx, ps_tensor **dw);
struct trial {
    ps_tensor *x, *w, *at;
    double wanted[6];
    walk_fn walk;
};

/* Rows by expression and by function, a view, a write in place, several operands. */
static ps_tensor *forward(bag *b, trial *t)
{
    ps_tensor *a = THEN(b, "exp", T(t->x)), *c = THEN(b, "matmul", T(a), T(t->w));
    ps_tensor *first = first_of(b, c);
    if (b->status == PS_OK)
        b->status = call_into("multiply", ARGS(T(first), F(0.5)), &first);
    ps_tensor *parts[] = {c, a};
    ps_arg list = {.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = parts};
    ps_tensor *both = THEN(b, "concatenate", list), *taken = THEN(b, "take", T(both), T(t->at));
    ps_tensor *square = THEN(b, "multiply", T(taken), T(taken));
    return THEN(b, "sum", T(square));
}

static ps_status grads_of(ps_tensor *x, ps_tensor *w, ps_tensor **dx, ps_tensor **dw)
{
    ps_status status = ps_grad_get(x, dx);
    return status == PS_OK ? ps_grad_get(w, dw) : status;
}

static ps_status by_backward(bag *b, trial *t, ps_tensor *head, ps_tensor **dx, ps_tensor **dw)
{
    (void)b;
    ps_status status = ps_backward(&head, 1, NULL);
    return status == PS_OK ? grads_of(t->x, t->w, dx, dw) : status;
}

/* Gradients that the walk makes. */
static ps_status by_lazy_backward(bag *b, trial *t, ps_tensor *head, ps_tensor **dx, ps_tensor **dw)
{
    ps_status status = ps_grad_set(t->x, NULL);
    if (status == PS_OK)
        status = ps_grad_set(t->w, NULL);
    return status == PS_OK ? by_backward(b, t, head, dx, dw) : status;
}

static ps_status by_grad(bag *b, trial *t, ps_tensor *head, ps_tensor **dx, ps_tensor **dw)
{
    (void)b;
    ps_tensor *found[2];
    ps_status status = ps_grad(&head, 1, (ps_tensor *[]){t->x, t->w}, 2, NULL, found);
    if (status == PS_OK) {
        *dx = found[0];
        *dw = found[1];
    }
    return status;
}

/* The gradients of the sum of a gradient. */
static ps_status by_second_grad(bag *b, trial *t, ps_tensor *head, ps_tensor **dx, ps_tensor **dw)
{
    ps_tensor *first = NULL;
    ps_backward_options create = {.size = sizeof create, .create = true};
    ps_status status = ps_grad(&head, 1, &t->x, 1, &create, &first);
    if (status != PS_OK)
        return status;
    return by_grad(b, t, keep(b, first), dx, dw);
}

/* The six elements that both gradients have. */
static ps_status values_into(ps_tensor *dx, ps_tensor *dw, double *values)
{
    ps_status status = ps_tensor_to_host(dx, values, 2 * sizeof values[0]);
    return status == PS_OK ? ps_tensor_to_host(dw, values + 2, 4 * sizeof values[0]) : status;
}

/* One run with the nth allocation failing, or none; how many there were. */
static unsigned long run_once(trial *t, unsigned long nth, bool sticky, ps_status *status,
                              double *values)
{
    bag b = {.status = PS_OK};
    ps_tensor *dx = NULL, *dw = NULL;
    record();
    ps__fault_set(nth, sticky);
    ps_tensor *head = forward(&b, t);
    if (b.status == PS_OK)
        b.status = t->walk(&b, t, head, &dx, &dw);
    unsigned long calls = ps__fault_count();
    ps__fault_set(0, false);
    pause_it();
    *status = b.status == PS_OK ? values_into(dx, dw, values) : b.status;
    RELEASE_ALL(dx, dw);
    release_bag(&b);
    while (ps_wait_all(engine(), NULL) != PS_OK)
        continue; /* tasks that found no memory, and whose results nobody read */
    return calls;
}

static void check_run(trial *t, unsigned long nth, ps_status status, const double *values)
{
    if (status != PS_OK && (nth == 0 || status != PS_ERR_MEMORY))
        fail_msg("allocation %lu fails: %s", nth, ps_status_name(status));
    if (status == PS_OK && memcmp(values, t->wanted, sizeof t->wanted) != 0)
        fail_msg("allocation %lu fails: other gradients", nth);
    assert_int_equal(graph().nodes, 2); /* the leaves */
    assert_int_equal(graph().saves, 0);
}

static void each_allocation_fails(trial *t, bool sticky)
{
    double values[6];
    ps_status status;
    (void)run_once(t, 0, false, &status, t->wanted);
    check_run(t, 0, status, t->wanted);
    for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
        calls = run_once(t, nth, sticky, &status, values);
        check_run(t, nth, status, values);
        (void)run_once(t, 0, false, &status, values);
        check_run(t, 0, status, values);
    }
}

static void in_both_modes(walk_fn walk)
{
    static const ps_mode modes[] = {PS_MODE_SYNC, PS_MODE_ASYNC};
    trial t = {.x = leaf(SHAPE(2)), .w = leaf(SHAPE(2, 2)), .walk = walk};
    t.at = CALL("full", INTS(3), I(1), D(PS_INT64));
    for (int i = 0; i < 4; i++) {
        CHECK_OK(ps_thread_set_mode(modes[i / 2]));
        each_allocation_fails(&t, i % 2 != 0);
    }
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    RELEASE_ALL(t.x, t.w, t.at);
    nothing_is_left();
}

/* ---- threads ------------------------------------------------------------------------------ */

enum { OWN_GRAPHS = 16, WALKERS = 4, ROUNDS = SANITIZED ? 10 : 100, DEPTH = 20 };

static void run_threads(unsigned count, void *(*body)(void *arg), void *arg)
{
    pthread_t threads[OWN_GRAPHS];
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, arg), 0);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* y = (y + x) + y: 2^DEPTH of x in all, and as much again but one. */
static void *own_graph(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        ps_tensor *x = leaf(SHAPE(3)), *y = x;
        CHECK_OK(ps_tensor_retain(x));
        record();
        for (int k = 0; k < DEPTH; k++) {
            ps_tensor *a = CALL("add", T(y), T(x)), *b = CALL("add", T(a), T(y));
            ps_tensor_release(a);
            ps_tensor_release(y);
            y = b;
        }
        pause_it();
        backward(y);
        double wanted = ldexp(1, DEPTH + 1) - 1;
        CHECK_GRAD(x, wanted, wanted, wanted);
        RELEASE_ALL(x, y);
    }
    return unused;
}

static void threads_with_graphs_of_their_own(void **state)
{
    (void)state;
    run_threads(OWN_GRAPHS, own_graph, NULL);
    nothing_is_left();
}

/* One graph that several threads walk. */
typedef struct shared {
    ps_tensor *x, *y;
} shared;

/* y = x tanh(x), with a write in place between; x = 0, 1, 2. */
static shared shared_graph(uint32_t request)
{
    shared s = {.x = counted(PS_FLOAT64, SHAPE(3))};
    CHECK_OK(ps_grad_attach(s.x, request, NULL));
    record();
    ps_tensor *h = CALL("tanh", T(s.x));
    CHECK_OK(call_into("multiply", ARGS(T(h), F(2)), &h));
    s.y = CALL("multiply", T(h), T(s.x));
    pause_it();
    ps_tensor_release(h);
    return s;
}

static double wanted_at(double x)
{
    double t = tanh(x);
    return 2 * t + 2 * x * (1 - t * t);
}

static void *walk_retaining(void *arg)
{
    shared *s = arg;
    ps_backward_options retain = {.size = sizeof retain, .retain = true};
    for (int i = 0; i < ROUNDS; i++) {
        ps_tensor *dx;
        CHECK_OK(ps_grad(&s->y, 1, &s->x, 1, &retain, &dx));
        double *found = values_of(dx);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(found[k] - wanted_at(k)) < 1e-12);
        free(found);
        ps_tensor_release(dx);
        CHECK_OK(ps_backward(&s->y, 1, &retain));
    }
    return NULL;
}

static void threads_that_walk_one_graph(void **state)
{
    (void)state;
    shared s = shared_graph(PS_GRAD_ADD);
    run_threads(WALKERS, walk_retaining, &s);
    double all = WALKERS * ROUNDS;
    CHECK_GRAD(s.x, 0, all * wanted_at(1), all * wanted_at(2));
    RELEASE_ALL(s.x, s.y);
    nothing_is_left();
}

/* Until somebody has dropped what was saved. */
static void *walk_until_gone(void *arg)
{
    shared *s = arg;
    ps_backward_options retain = {.size = sizeof retain, .retain = true};
    ps_status status;
    do {
        ps_tensor *dx = NULL;
        status = ps_grad(&s->y, 1, &s->x, 1, &retain, &dx);
        if (status == PS_OK) {
            double *found = values_of(dx);
            assert_true(fabs(found[2] - wanted_at(2)) < 1e-12);
            free(found);
        }
        ps_tensor_release(dx);
    } while (status == PS_OK);
    assert_int_equal(status, PS_ERR_STATE);
    return NULL;
}

static void a_walk_that_drops_beside_others_that_do_not(void **state)
{
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_t threads[WALKERS];
        shared s = shared_graph(PS_GRAD_WRITE);
        for (int k = 0; k < WALKERS; k++)
            assert_int_equal(pthread_create(&threads[k], NULL, walk_until_gone, &s), 0);
        CHECK_OK(ps_backward(&s.y, 1, NULL));
        for (int k = 0; k < WALKERS; k++)
            pthread_join(threads[k], NULL);
        assert_int_equal(graph().saves, 0);
        CHECK_GRAD(s.x, 0, wanted_at(1), wanted_at(2));
        RELEASE_ALL(s.x, s.y);
        nothing_is_left();
    }
}

/* ---- all of it ---------------------------------------------------------------------------- */

static void no_memory_for_backward(void **state)
{
    (void)state;
    in_both_modes(by_backward);
}

static void no_memory_for_gradients_that_are_not_there(void **state)
{
    (void)state;
    in_both_modes(by_lazy_backward);
}

static void no_memory_for_grad(void **state)
{
    (void)state;
    in_both_modes(by_grad);
}

static void no_memory_for_gradients_of_gradients(void **state)
{
    (void)state;
    in_both_modes(by_second_grad);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_millions_is_released),
        cmocka_unit_test(a_chain_of_a_million_saves_is_walked),
        cmocka_unit_test(a_walk_needs_two_layers),
        cmocka_unit_test(no_memory_for_backward),
        cmocka_unit_test(no_memory_for_gradients_that_are_not_there),
        cmocka_unit_test(no_memory_for_grad),
        cmocka_unit_test(no_memory_for_gradients_of_gradients),
        cmocka_unit_test(threads_with_graphs_of_their_own),
        cmocka_unit_test(threads_that_walk_one_graph),
        cmocka_unit_test(a_walk_that_drops_beside_others_that_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
