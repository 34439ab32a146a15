/* Functions of the program's own: what they are given, what they may give, when they go. */
#include "autograd_help.h"

#include "base/alloc.h"
#include "tensor/tensor.h"

#include <pthread.h>
#include <sys/wait.h>

/* What a function does in its turn, and what became of it. */
typedef struct function {
    ps_node_fn run;
    int calls, drops;
    ps_tensor *other; /* something that it uses */
    ps_status status; /* what it found, or what it returns */
} function;

static void dropped(void *context)
{
    ((function *)context)->drops++;
}

static ps_status turn_of(void *context, ps_node_turn *turn)
{
    function *f = context;
    __atomic_fetch_add(&f->calls, 1, __ATOMIC_RELAXED); /* several threads may walk */
    return f->run(context, turn);
}

static ps_node_spec spec_of(function *f, ps_tensor **inputs, size_t ninputs, ps_tensor **outputs,
                            size_t noutputs)
{
    return (ps_node_spec){.size = sizeof(ps_node_spec),
                          .name = "square",
                          .inputs = inputs,
                          .ninputs = ninputs,
                          .outputs = outputs,
                          .noutputs = noutputs,
                          .backward = turn_of,
                          .context = f,
                          .drop = dropped};
}

/* dx = 2 x dy, where x is saved. */
static ps_status square_backward(void *context, ps_node_turn *turn)
{
    ps_tensor *twice = NULL;
    (void)context;
    ps_status status = call_into("multiply", ARGS(T(turn->saved[0]), F(2)), &twice);
    if (status == PS_OK)
        status = call_into("multiply", ARGS(T(twice), T(turn->gradients[0])), &turn->results[0]);
    ps_tensor_release(twice);
    return status;
}

static ps_status square_into(function *f, ps_tensor *x, ps_tensor **y)
{
    ps_status status = call_into("multiply", ARGS(T(x), T(x)), y);
    if (status != PS_OK)
        return status;
    ps_node_spec spec = spec_of(f, &x, 1, y, 1);
    spec.saved = &x;
    spec.nsaved = 1;
    return ps_node_create(&spec);
}

/* x * x as a function. */
static ps_tensor *square(function *f, ps_tensor *x)
{
    ps_tensor *y = NULL;
    if (f->run == NULL)
        f->run = square_backward;
    CHECK_OK(square_into(f, x, &y));
    return y;
}

/* Passes the gradient on. */
static ps_status same_backward(void *context, ps_node_turn *turn)
{
    (void)context;
    turn->results[0] = turn->gradients[0];
    return ps_tensor_retain(turn->gradients[0]);
}

/* A copy of x as a function that saves nothing. */
static ps_tensor *same(function *f, ps_tensor *x)
{
    ps_tensor *y = CALL("copy", T(x));
    if (f->run == NULL)
        f->run = same_backward;
    ps_node_spec spec = spec_of(f, &x, 1, &y, 1);
    CHECK_OK(ps_node_create(&spec));
    return y;
}

static void a_function(void **state)
{
    (void)state;
    function f = {0};
    ps_tensor *x = leaf(SHAPE(3)), *y = square(&f, x);
    assert_true(ps_tensor_is_recorded(y));
    record();
    ps_tensor *z = CALL("multiply", T(y), T(x));
    pause_it();
    ps_tensor_release(y);
    backward(z);
    CHECK_GRAD(x, 0, 3, 12);
    assert_int_equal(f.calls, 1);
    assert_int_equal(f.drops, 0);
    ps_tensor_release(z);
    assert_int_equal(f.drops, 1);
    ps_tensor_release(x);
    nothing_is_left();
}

static void where_nothing_flows(void **state)
{
    (void)state;
    function f = {0};
    ps_tensor *x = counted(PS_FLOAT64, SHAPE(3)), *y = square(&f, x);
    assert_false(ps_tensor_is_recorded(y));
    assert_int_equal(f.drops, 1);
    nothing_is_left();
    f = (function){0};
    ps_tensor *whole = counted(PS_INT32, SHAPE(3)), *z = square(&f, whole);
    assert_int_equal(f.drops, 1);
    RELEASE_ALL(x, y, whole, z);
    nothing_is_left();
}

/* ---- several ------------------------------------------------------------------------------ */

/* Of (x + c, the sum of x as float32, positions): only the second or the first flows. */
static ps_status several_backward(void *context, ps_node_turn *turn)
{
    function *f = context;
    ps_tensor *wide = NULL;
    ps_status status = PS_OK;
    assert_int_equal(turn->ngradients, 3);
    assert_int_equal(turn->nresults, 3);
    assert_int_equal(turn->nsaved, 0);
    assert_true(turn->wanted[0] && !turn->wanted[1] && !turn->wanted[2]);
    assert_null(turn->gradients[2]);
    assert_int_equal(turn->gradients[0] != NULL, f->other == NULL);
    if (turn->gradients[1] != NULL) {
        assert_int_equal(ps_tensor_dtype(turn->gradients[1]), PS_FLOAT32);
        assert_int_equal(ps_tensor_ndim(turn->gradients[1]), 0);
        status = call_into("cast", ARGS(T(turn->gradients[1]), D(PS_FLOAT64)), &wide);
    }
    if (status == PS_OK && wide != NULL)
        status = call_into("broadcast_to", ARGS(T(wide), INTS(2, 3)), &turn->results[0]);
    else if (status == PS_OK)
        status = same_backward(context, turn);
    turn->results[1] = wide; /* of a shape that nobody looks at: it is not wanted */
    return status;
}

static void several_outputs(void **state)
{
    (void)state;
    function f = {.run = several_backward};
    ps_tensor *x = leaf(SHAPE(2, 3)), *c = counted(PS_FLOAT64, SHAPE(2, 3));
    ps_tensor *whole = counted(PS_INT64, SHAPE(2));
    ps_tensor *y = CALL("add", T(x), T(c)), *sum = CALL("sum", T(x));
    ps_tensor *narrow = CALL("cast", T(sum), D(PS_FLOAT32)), *at = CALL("argmax", T(x));
    ps_node_spec spec =
        spec_of(&f, (ps_tensor *[]){x, c, whole}, 3, (ps_tensor *[]){y, narrow, at}, 3);
    CHECK_OK(ps_node_create(&spec));
    assert_false(ps_tensor_is_recorded(at));
    backward(y);
    CHECK_GRAD(x, 1, 1, 1, 1, 1, 1);
    record();
    f.other = CALL("multiply", T(narrow), F(5)); /* nothing flows to the first output */
    pause_it();
    backward(f.other);
    CHECK_GRAD(x, 5, 5, 5, 5, 5, 5);
    assert_int_equal(f.calls, 2); /* it saved nothing: it can be walked again */
    RELEASE_ALL(x, c, whole, y, sum, narrow, at, f.other);
    assert_int_equal(f.drops, 1);
    nothing_is_left();
}

/* A view that was made before the node is in the graph as well; so are two parts of one storage. */
static void views_of_outputs(void **state)
{
    (void)state;
    function f = {0};
    ps_tensor *x = leaf(SHAPE(4)), *y = CALL("copy", T(x)), *first, *last;
    ps_index head = {.stop = 1, .start = PS_INDEX_NONE, .step = PS_INDEX_NONE};
    ps_index tail = {.start = 1, .stop = PS_INDEX_NONE, .step = PS_INDEX_NONE};
    CHECK_OK(ps_tensor_index(y, &head, 1, &first));
    f.run = same_backward;
    ps_node_spec spec = spec_of(&f, &x, 1, &y, 1);
    CHECK_OK(ps_node_create(&spec));
    record();
    ps_tensor *z = CALL("multiply", T(first), F(7));
    pause_it();
    backward(z);
    CHECK_GRAD(x, 7, 0, 0, 0);
    RELEASE_ALL(y, first, z);
    assert_int_equal(f.drops, 1);

    y = CALL("copy", T(x));
    CHECK_OK(ps_tensor_index(y, &tail, 1, &last));
    ps_tensor *shorter;
    CHECK_OK(ps_tensor_index(x, &tail, 1, &shorter));
    CHECK_OK(ps_grad_attach(shorter, PS_GRAD_WRITE, NULL));
    spec = spec_of(&f, &shorter, 1, &last, 1); /* a part of what nobody else needs */
    CHECK_OK(ps_node_create(&spec));
    backward(last);
    CHECK_GRAD(shorter, 1, 1, 1);
    RELEASE_ALL(x, y, last, shorter);
    nothing_is_left();
}

/* ---- refused ------------------------------------------------------------------------------ */

static void refused(void **state)
{
    (void)state;
    function f = {.run = same_backward};
    ps_tensor *x = leaf(SHAPE(2, 2)), *y = CALL("copy", T(x)), *turned = CALL("permute", T(x));
    ps_tensor *nothing = NULL, *other = leaf(SHAPE(2)), *twice[] = {y, turned, y};
    ps_node_spec spec = spec_of(&f, &x, 1, &turned, 1);
    int drops = 0;
    CHECK_FAILS(PS_ERR_ARGUMENT, "square: output 0 shares its elements with input 0",
                ps_node_create(&spec));
    assert_int_equal(f.drops, ++drops);
    spec.outputs = &x;
    CHECK_FAILS(PS_ERR_ARGUMENT, "output 0 shares", ps_node_create(&spec));
    spec.outputs = &nothing;
    CHECK_FAILS(PS_ERR_ARGUMENT, "square: outputs 0 is NULL", ps_node_create(&spec));
    twice[1] = CALL("copy", T(x));
    spec.outputs = twice;
    spec.noutputs = 3;
    CHECK_FAILS(PS_ERR_ARGUMENT, "outputs 0 and 2 are one tensor", ps_node_create(&spec));
    spec.noutputs = (size_t)1 << 40;
    CHECK_FAILS(PS_ERR_ARGUMENT, "1099511627776 outputs", ps_node_create(&spec));
    spec.outputs = &other;
    spec.noutputs = 1;
    CHECK_FAILS(PS_ERR_STATE, "square: output 0 has a gradient attached", ps_node_create(&spec));
    spec = spec_of(&f, NULL, 1, &y, 1);
    spec.name = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "function: inputs is NULL", ps_node_create(&spec));
    spec = spec_of(&f, &x, 1, &y, 1);
    spec.nsaved = 1;
    CHECK_FAILS(PS_ERR_ARGUMENT, "saved is NULL", ps_node_create(&spec));
    spec.nsaved = 0;
    spec.backward = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "backward is NULL", ps_node_create(&spec));
    assert_int_equal(f.drops, drops += 8);
    CHECK_FAILS(PS_ERR_ARGUMENT, "spec is NULL", ps_node_create(NULL));
    spec.size = 3;
    CHECK_FAILS(PS_ERR_ARGUMENT, "spec.size is 3", ps_node_create(&spec));
    assert_int_equal(f.drops, drops);
    assert_false(ps_tensor_is_recorded(y));
    RELEASE_ALL(x, y, turned, other, twice[1]);
    nothing_is_left();
}

static ps_status wrong_result(void *context, ps_node_turn *turn)
{
    turn->results[0] = ((function *)context)->other;
    return ps_tensor_retain(turn->results[0]);
}

static ps_status failing(void *context, ps_node_turn *turn)
{
    const function *f = context;
    if (f->other != NULL)
        return ps_op_fail(f->status, "%s", "no gradient today");
    /* What was put there before is released. */
    return same_backward(context, turn) == PS_OK ? f->status : PS_OK;
}

static void what_functions_give(void **state)
{
    (void)state;
    function f = {.run = wrong_result};
    ps_tensor *x = leaf(SHAPE(2)), *y = same(&f, x);
    ps_tensor *longer = counted(PS_FLOAT64, SHAPE(3)), *narrow = counted(PS_FLOAT32, SHAPE(2));
    f.other = longer;
    CHECK_FAILS(PS_ERR_ARGUMENT,
                "square: the gradient of input 0 is of float64 of shape (3,), not of float64 of "
                "shape (2,)",
                ps_backward(&y, 1, NULL));
    f.other = narrow;
    CHECK_FAILS(PS_ERR_TYPE, "float32 of shape (2,), not of float64", ps_backward(&y, 1, NULL));
    f.run = failing;
    f.status = PS_ERR_INDEX;
    CHECK_FAILS(PS_ERR_INDEX, "no gradient today", ps_backward(&y, 1, NULL));
    f.other = NULL;
    CHECK_FAILS(PS_ERR_INDEX, "square: its function failed: position out of range",
                ps_backward(&y, 1, NULL));
    f.status = (ps_status)4711;
    CHECK_FAILS(PS_ERR_TASK, "square: its function failed", ps_backward(&y, 1, NULL));
    CHECK_GRAD(x, 0, 0);
    RELEASE_ALL(x, y, longer, narrow);
    assert_int_equal(f.drops, 1);
    nothing_is_left();
}

static ps_status nothing_backward(void *context, ps_node_turn *turn)
{
    (void)context;
    (void)turn;
    return PS_OK;
}

static void nothing_given(void **state)
{
    (void)state;
    function f = {.run = nothing_backward};
    ps_tensor *x = leaf(SHAPE(2)), *y = same(&f, x), *dx;
    CHECK_OK(ps_grad(&y, 1, &x, 1, NULL, &dx));
    assert_null(dx);
    RELEASE_ALL(x, y);
    nothing_is_left();
}

/* ---- the thread's state ------------------------------------------------------------------- */

static ps_status meddling(void *context, ps_node_turn *turn)
{
    function *f = context;
    uint64_t state = ps_thread_state();
    assert_int_equal((state & PS_STATE_RECORDING) != 0, turn->create);
    CHECK_OK(ps_thread_set_state(PS_MODE_SYNC | PS_STATE_TRAINING | PS_STATE_FUSION_OFF |
                                 (~state & PS_STATE_RECORDING)));
    return f->status != PS_OK ? f->status : same_backward(context, turn);
}

static void the_state_is_put_back(void **state)
{
    (void)state;
    function f = {.run = meddling}, g = {.run = meddling};
    ps_tensor *x = leaf(SHAPE(2)), *h = same(&g, x), *y = same(&f, h), *dx;
    ps_backward_options create = {.size = sizeof create, .create = true};
    uint64_t before = PS_STATE_FUSION_ON | PS_STATE_RECORDING;
    CHECK_OK(ps_thread_set_state(before));
    backward(y);
    assert_int_equal(ps_thread_state(), before);
    CHECK_OK(ps_grad(&y, 1, &x, 1, &create, &dx));
    assert_int_equal(ps_thread_state(), before);
    g.status = PS_ERR_STATE;
    assert_int_equal(ps_backward(&y, 1, NULL), PS_ERR_STATE);
    assert_int_equal(ps_thread_state(), before);
    CHECK_OK(ps_thread_set_state(0));
    RELEASE_ALL(x, h, y, dx);
    nothing_is_left();
}

/* ---- saves -------------------------------------------------------------------------------- */

static void saves(void **state)
{
    (void)state;
    function f = {0}, g = {0};
    ps_graph_stats stats = {.size = sizeof stats};
    ps_tensor *x = leaf(SHAPE(3)), *y = square(&f, x), *z = same(&g, x);
    ps_backward_options retain = {.size = sizeof retain, .retain = true};
    CHECK_OK(call_into("add", ARGS(T(x), F(7)), &x)); /* what was saved stays */
    CHECK_OK(ps_backward(&y, 1, &retain));
    CHECK_GRAD(x, 0, 2, 4);
    CHECK_OK(ps_graph_get_stats(&stats));
    assert_int_equal(stats.saves, 1);
    backward(y);
    CHECK_OK(ps_graph_get_stats(&stats));
    assert_int_equal(stats.saves, 0);
    CHECK_FAILS(PS_ERR_STATE, "what square saved is gone", ps_backward(&y, 1, &retain));
    backward(z);
    backward(z);
    assert_int_equal(f.calls + g.calls, 4);
    RELEASE_ALL(x, y, z);
    nothing_is_left();
}

/* dx = y dy, where y = exp(x) is saved; and x once more, for an intermediate that is a constant. */
static ps_status exp_backward(void *context, ps_node_turn *turn)
{
    (void)context;
    for (size_t i = 0; i < turn->nsaved; i++)
        assert_int_equal(ps_tensor_is_recorded(turn->saved[i]), turn->create && i < 2);
    return call_into("multiply", ARGS(T(turn->gradients[0]), T(turn->saved[0])), &turn->results[0]);
}

static void gradients_of_gradients(void **state)
{
    (void)state;
    function f = {.run = exp_backward}, g = {0};
    ps_tensor *x = leaf(SHAPE(2)), *s = square(&g, x), *y = CALL("exp", T(s)), *first, *second;
    ps_tensor *constant = CALL("ones", INTS(2));
    ps_node_spec spec = spec_of(&f, &s, 1, &y, 1);
    spec.saved = (ps_tensor *[]){y, s, constant};
    spec.nsaved = 3;
    CHECK_OK(ps_node_create(&spec));
    ps_backward_options create = {.size = sizeof create, .create = true};
    CHECK_OK(ps_grad(&y, 1, &x, 1, &create, &first)); /* exp(x^2): 2 x y */
    assert_true(ps_tensor_is_recorded(first));
    check_values(first, 2, (double[]){0, 2 * exp(1)}, __FILE__, __LINE__);
    CHECK_OK(ps_grad(&first, 1, &x, 1, NULL, &second)); /* (2 + 4 x^2) y */
    double *found = values_of(second);
    assert_true(fabs(found[0] - 2) < 1e-12 && fabs(found[1] - 6 * exp(1)) < 1e-12);
    free(found);
    RELEASE_ALL(x, s, y, first, second, constant);
    assert_int_equal(f.drops + g.drops, 2);
    nothing_is_left();
}

/* Writes to all that it is given. */
static ps_status scribbling(void *context, ps_node_turn *turn)
{
    ps_tensor *saved = turn->saved[0], *gradient = turn->gradients[0];
    ps_status status = square_backward(context, turn);
    if (status == PS_OK)
        status = call_into("multiply", ARGS(T(saved), F(0)), &saved);
    if (status == PS_OK)
        status = call_into("multiply", ARGS(T(gradient), F(0)), &gradient);
    return status;
}

static void what_is_given_is_their_own(void **state)
{
    (void)state;
    function f = {.run = scribbling};
    ps_tensor *x = leaf(SHAPE(3)), *y = square(&f, x), *ones = CALL("ones", INTS(3), D(PS_FLOAT64));
    ps_backward_options retain = {.size = sizeof retain, .retain = true, .gradients = &ones};
    record();
    ps_tensor *z = CALL("add", T(y), T(x)); /* both get the same gradient */
    pause_it();
    for (int i = 0; i < 2; i++) {
        CHECK_OK(ps_backward(&z, 1, &retain));
        CHECK_GRAD(x, 1, 3, 5);
    }
    CHECK_VALUES(ones, 1, 1, 1);
    CHECK_VALUES(x, 0, 1, 2);
    RELEASE_ALL(y, z);
    assert_int_equal(ps__load(&ps__load(&x->storage->buffer)->pins), 0); /* nobody needs it */
    RELEASE_ALL(x, ones);
    nothing_is_left();
}

/* ---- anything ----------------------------------------------------------------------------- */

/* Walks another graph, and its own, which drops what is saved there; waits. */
static ps_status walking(void *context, ps_node_turn *turn)
{
    function *f = context;
    ps_engine *engine;
    if (f->calls == 1) {
        CHECK_OK(ps_backward(&f->other, 1, NULL));
        CHECK_OK(ps_engine_default(&engine));
        CHECK_OK(ps_wait_all(engine, NULL));
    }
    return square_backward(context, turn);
}

static void walks_inside_of_walks(void **state)
{
    (void)state;
    function f = {.run = walking}, g = {.run = walking};
    ps_tensor *x = leaf(SHAPE(3)), *y = square(&f, x), *u = leaf(SHAPE(2)), *v = square(&g, u);
    ps_backward_options retain = {.size = sizeof retain, .retain = true};
    f.other = y;
    CHECK_OK(ps_backward(&y, 1, &retain));
    assert_int_equal(f.calls, 2);
    CHECK_GRAD(x, 0, 2, 4);
    CHECK_FAILS(PS_ERR_STATE, "what square saved is gone", ps_backward(&y, 1, &retain));
    f.calls = 0;
    ps_tensor_release(y);
    y = square(&f, x);
    f.other = v;
    g.calls = 1; /* walks no further */
    backward(y);
    CHECK_GRAD(u, 0, 2);
    RELEASE_ALL(x, y, u, v);
    nothing_is_left();
}

static ps_status releasing(void *context, ps_node_turn *turn)
{
    function *f = context;
    ps_tensor_release(f->other);
    f->other = NULL;
    return square_backward(context, turn);
}

/* The head itself goes while it is walked. */
static void a_graph_that_goes(void **state)
{
    (void)state;
    function f = {.run = releasing}, g = {0};
    ps_tensor *x = leaf(SHAPE(3)), *h = square(&g, x), *y = square(&f, h);
    ps_tensor_release(h);
    f.other = y;
    CHECK_OK(ps_backward(&y, 1, NULL));
    assert_int_equal(f.drops + g.drops, 2);
    CHECK_GRAD(x, 0, 4, 32);
    ps_tensor_release(x);
    nothing_is_left();
}

static ps_status forking(void *context, ps_node_turn *turn)
{
    ((function *)context)->calls = (int)fork();
    return square_backward(context, turn);
}

static void check_child(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void forks(void **state)
{
    (void)state;
    function f = {.run = forking};
    ps_tensor *x = leaf(SHAPE(3)), *y = square(&f, x);
    backward(y);
    CHECK_GRAD(x, 0, 2, 4); /* in both */
    if (f.calls == 0)
        _exit(0);
    check_child(f.calls);
    RELEASE_ALL(x, y);
    nothing_is_left();
}

/* ---- threads ------------------------------------------------------------------------------ */

typedef struct race {
    pthread_barrier_t *start;
    ps_tensor *head, *x;
    bool retain;
    int done, gone;
} race;

static void *walk_once(void *arg)
{
    race *r = arg;
    ps_tensor *dx;
    ps_backward_options options = {.size = sizeof options, .retain = r->retain};
    pthread_barrier_wait(r->start);
    if (ps_grad(&r->head, 1, &r->x, 1, &options, &dx) == PS_OK) {
        CHECK_VALUES(dx, 0, 4);
        ps_tensor_release(dx);
        r->done++;
    } else {
        assert_non_null(strstr(ps_last_error(), "saved is gone"));
        r->gone++;
    }
    return NULL;
}

/* One walk drops what another uses that came before: each gets it all, or is told. */
static void walks_that_drop_saves(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2));
    for (int i = 0; i < 300; i++) {
        function f = {0};
        pthread_barrier_t start;
        pthread_t thread[3];
        record();
        ps_tensor *y = square(&f, x), *z = CALL("multiply", T(x), T(x)),
                  *s = CALL("add", T(y), T(z));
        pause_it();
        assert_int_equal(pthread_barrier_init(&start, NULL, 3), 0);
        race races[3];
        for (int k = 0; k < 3; k++) {
            races[k] = (race){&start, s, x, k != 1, 0, 0};
            assert_int_equal(pthread_create(&thread[k], NULL, walk_once, &races[k]), 0);
        }
        for (int k = 0; k < 3; k++)
            pthread_join(thread[k], NULL);
        assert_int_equal(races[1].done, 1);
        pthread_barrier_destroy(&start);
        RELEASE_ALL(y, z, s);
        assert_int_equal(f.drops, 1);
    }
    ps_tensor_release(x);
    nothing_is_left();
}

/* ---- memory ------------------------------------------------------------------------------- */

static void memory_that_is_not_there(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2));
    for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
        function f = {.run = square_backward}, g = {.run = square_backward};
        ps_tensor *h = NULL, *y = NULL, *first = NULL, *dx = NULL, *view = NULL;
        ps_backward_options create = {.size = sizeof create, .create = true};
        ps_index at = {.kind = PS_INDEX_AT, .start = 1};
        ps__fault_set(nth, false);
        ps_status status = square_into(&f, x, &h);
        if (status == PS_OK)
            status = square_into(&g, h, &y);
        if (status == PS_OK)
            status = ps_tensor_index(y, &at, 1, &view);
        if (status == PS_OK)
            status = ps_grad(&y, 1, &x, 1, &create, &first);
        if (status == PS_OK)
            status = ps_grad(&first, 1, &x, 1, NULL, &dx);
        calls = ps__fault_count();
        ps__fault_set(0, false);
        if (status == PS_OK)
            CHECK_VALUES(dx, 0, 12); /* x^4: 12 x^2 */
        else
            assert_int_equal(status, PS_ERR_MEMORY);
        RELEASE_ALL(h, y, first, dx, view);
        assert_true(f.drops <= 1 && g.drops <= 1);
        assert_int_equal(f.drops, h != NULL);
    }
    ps_tensor_release(x);
    nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function),
        cmocka_unit_test(where_nothing_flows),
        cmocka_unit_test(several_outputs),
        cmocka_unit_test(views_of_outputs),
        cmocka_unit_test(refused),
        cmocka_unit_test(what_functions_give),
        cmocka_unit_test(nothing_given),
        cmocka_unit_test(the_state_is_put_back),
        cmocka_unit_test(saves),
        cmocka_unit_test(gradients_of_gradients),
        cmocka_unit_test(what_is_given_is_their_own),
        cmocka_unit_test(walks_inside_of_walks),
        cmocka_unit_test(a_graph_that_goes),
        cmocka_unit_test(forks),
        cmocka_unit_test(walks_that_drop_saves),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
