/* Out of memory and out of threads at every point of a program over tensors: the Nth call for memory
 * or a thread fails, for N = 1, 2, 3 ... until none is left to fail; once with only that call
 * failing, once with all after it failing too. And programs under a hard limit on memory.
 *
 * What must hold each time: no crash, no hang, no leak (AddressSanitizer's build looks); each call
 * that failed says PS_ERR_MEMORY or PS_ERR_THREAD; so does each wait for a tensor that could not be
 * made; a value that is given out is the right one; when there is memory again, all works again.
 *
 * Each run is a child process, so that nothing is left over from the run before. */
#include "engine/faults.h"

enum { LAST_FAULT = 3000, LENGTH = 4096, SIDE = 64 };

/* ---- short ways -------------------------------------------------------------------------- */

static ps_arg tensor_arg(ps_tensor *x)
{
    return (ps_arg){.kind = PS_ARG_TENSOR, .as.tensor = x};
}

static ps_arg number_arg(double x)
{
    return (ps_arg){.kind = PS_ARG_DOUBLE, .as.number = x};
}

/* NULL if the call failed, or an argument is missing since an earlier one did. */
static ps_tensor *call(const char *name, size_t nargs, const ps_arg *args)
{
    const ps_op *op;
    ps_tensor *out = NULL;
    for (size_t i = 0; i < nargs; i++)
        if (args[i].kind == PS_ARG_TENSOR && args[i].as.tensor == NULL)
            return NULL;
    if (!fine(ps_op_find(name, &op)))
        return NULL;
    bool made = fine(ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                               .args = args,
                                               .nargs = nargs,
                                               .outputs = &out,
                                               .noutputs = 1}));
    CHILD_CHECK(made == (out != NULL));
    return out;
}

#define CALL(name, ...)                                                                            \
    call(name, sizeof((ps_arg[]){__VA_ARGS__}) / sizeof(ps_arg), (ps_arg[]){__VA_ARGS__})

static ps_tensor *host(int ndim, const int64_t *shape, const float *values)
{
    ps_tensor *x = NULL;
    bool made = fine(ps_tensor_from_host(PS_FLOAT32, ndim, shape, NULL, values, NULL, &x));
    CHILD_CHECK(made == (x != NULL));
    return x;
}

static ps_tensor *ramp(void)
{
    float values[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        values[i] = (float)(i % 16);
    return host(1, (int64_t[]){LENGTH}, values);
}

/* Element i of x is wanted(i), if x can be had. */
static void check(ps_tensor *x, float (*wanted)(int i))
{
    float values[LENGTH];
    if (x == NULL || !fine(ps_tensor_to_host(x, values, sizeof values)))
        return;
    for (int i = 0; i < ps_tensor_count(x); i++)
        CHILD_CHECK(values[i] == wanted(i));
}

static void release_all(size_t count, ps_tensor **tensors)
{
    for (size_t i = 0; i < count; i++)
        ps_tensor_release(tensors[i]);
}

#define RELEASE(...)                                                                               \
    release_all(sizeof((ps_tensor *[]){__VA_ARGS__}) / sizeof(ps_tensor *),                        \
                (ps_tensor *[]){__VA_ARGS__})

/* ---- scenarios --------------------------------------------------------------------------- */

static float chain_value(int i)
{
    float x = (float)(i % 16);
    return (x * x + 2) * 0.5f - x;
}

/* As one group, its temporaries dropped. */
static void chain(void)
{
    ps_tensor *x = ramp(), *a = CALL("multiply", tensor_arg(x), tensor_arg(x));
    ps_tensor *b = CALL("add", tensor_arg(a), number_arg(2));
    ps_tensor *c = CALL("multiply", tensor_arg(b), number_arg(0.5));
    ps_tensor *d = CALL("subtract", tensor_arg(c), tensor_arg(x));
    RELEASE(a, b, c);
    check(d, chain_value);
    RELEASE(x, d);
}

static float sum_value(int i)
{
    (void)i;
    return LENGTH / 16 * 120;
}

static float row_value(int i)
{
    return (float)(SIDE * (i % 16));
}

static void reductions(void)
{
    ps_tensor *x = ramp(), *sum = CALL("sum", tensor_arg(x)), *matrix = NULL;
    check(sum, sum_value);
    if (x != NULL)
        fine(ps_tensor_view_as(x, 2, (int64_t[]){SIDE, SIDE}, &matrix));
    ps_tensor *rows = CALL("sum", tensor_arg(matrix), {.kind = PS_ARG_INT, .as.integer = 0});
    check(rows, row_value);
    ps_tensor *spread = CALL("var", tensor_arg(matrix)), *top = CALL("argmax", tensor_arg(matrix));
    if (spread != NULL)
        fine(ps_tensor_wait(spread, NULL));
    if (top != NULL)
        fine(ps_tensor_wait(top, NULL));
    RELEASE(x, sum, matrix, rows, spread, top);
}

/* A sum long enough to be made in chunks, with memory of its own. */
static void long_sum(void)
{
    ps_tensor *x = CALL("ones", {.kind = PS_ARG_INTS, .count = 1, .as.ints = (int64_t[]){400000}});
    ps_tensor *y = CALL("add", tensor_arg(x), number_arg(1)), *sum = CALL("sum", tensor_arg(y));
    ps_scalar value;
    if (sum != NULL && fine(ps_tensor_item(sum, &value)))
        CHILD_CHECK(value.as.d == 800000);
    RELEASE(x, y, sum);
}

static float product_value(int i)
{
    return (float)(i % 16);
}

static void product(void)
{
    ps_tensor *x = ramp(), *matrix = NULL;
    if (x != NULL)
        fine(ps_tensor_view_as(x, 2, (int64_t[]){SIDE, SIDE}, &matrix));
    ps_tensor *one = CALL("eye", {.kind = PS_ARG_INT, .as.integer = SIDE});
    ps_tensor *y = CALL("matmul", tensor_arg(matrix), tensor_arg(one));
    check(y, product_value);
    RELEASE(x, matrix, one, y);
}

static float updated_value(int i)
{
    return i % 2 == 0 ? -1 : 2 * (float)(i % 16);
}

/* Renaming behind a reader, a part of a tensor, an export. */
static void updates(void)
{
    ps_tensor *x = ramp(), *y = CALL("multiply", tensor_arg(x), number_arg(2)), *part = NULL;
    bool done = x != NULL && y != NULL;
    const ps_op *assign, *add;
    ps_arg minus = number_arg(-1), sum[2] = {tensor_arg(x), tensor_arg(x)};
    if (done && fine(ps_op_find("assign", &assign)) && fine(ps_op_find("add", &add))) {
        done = fine(ps_op_call(add, &(ps_call){.size = sizeof(ps_call),
                                               .args = sum,
                                               .nargs = 2,
                                               .outputs = &x,
                                               .noutputs = 1}));
        if (done && fine(ps_tensor_index(x, &(ps_index){PS_INDEX_RANGE, 0, LENGTH, 2}, 1, &part)) &&
            fine(ps_op_call(assign, &(ps_call){.size = sizeof(ps_call),
                                               .args = &minus,
                                               .nargs = 1,
                                               .outputs = &part,
                                               .noutputs = 1})))
            check(x, updated_value);
    }
    if (y != NULL)
        fine(ps_tensor_wait(y, NULL));
    RELEASE(x, y, part);
}

static ps_arg list_arg(ps_tensor **tensors)
{
    return (ps_arg){.kind = PS_ARG_TENSORS, .count = 3, .as.tensors = tensors};
}

static float stepped_value(int i)
{
    return (float)(i % 16) - 0.5f * 2 * (float)(i % 16);
}

/* A step for three weights, whose gradients are rescaled; and their norm. */
static void steps(void)
{
    ps_tensor *w[3] = {ramp(), ramp(), ramp()}, *m[3], *g[3], *norm = NULL;
    const ps_op *op;
    bool made = true;
    for (int i = 0; i < 3; i++) {
        g[i] = ramp();
        m[i] = CALL("multiply", tensor_arg(g[i]), number_arg(0));
        made &= w[i] != NULL && m[i] != NULL;
    }
    ps_arg args[] = {list_arg(w),     list_arg(m),   list_arg(g),  number_arg(0.5),
                     number_arg(0.9), number_arg(1), number_arg(2)};
    if (made && fine(ps_op_find("momentum_update", &op)) &&
        fine(ps_op_update(
            op, &(ps_update){.size = sizeof(ps_update), .count = 3, .args = args, .nargs = 7})))
        check(w[2], stepped_value);
    if (made && (norm = CALL("global_norm", list_arg(g))) != NULL)
        fine(ps_tensor_wait(norm, NULL));
    for (int i = 0; i < 3; i++)
        RELEASE(w[i], m[i], g[i]);
    ps_tensor_release(norm);
}

static float taken_value(int i)
{
    return (float)(i % 5);
}

static void indexing(void)
{
    int64_t positions[50], count = 50;
    for (int i = 0; i < 50; i++)
        positions[i] = i % 5;
    ps_tensor *x = ramp(), *places = NULL;
    fine(ps_tensor_from_host(PS_INT64, 1, &count, NULL, positions, NULL, &places));
    ps_tensor *taken = CALL("take", tensor_arg(x), tensor_arg(places));
    check(taken, taken_value);
    ps_tensor *mask = CALL("greater", tensor_arg(x), number_arg(14));
    ps_tensor *chosen = CALL("masked_select", tensor_arg(x), tensor_arg(mask));
    if (chosen != NULL)
        CHILD_CHECK(ps_tensor_count(chosen) == LENGTH / 16);
    RELEASE(x, places, taken, mask, chosen);
}

static void text(void)
{
    char room[256];
    size_t length;
    ps_tensor *x = ramp();
    if (x != NULL && fine(ps_tensor_format(x, NULL, room, sizeof room, &length)))
        CHILD_CHECK(strncmp(room, "[", 1) == 0);
    ps_tensor_release(x);
}

static void added_row(void)
{
    const ps_op *op;
    if (!fine(ps_op_register(&(ps_op_def){.size = sizeof(ps_op_def),
                                          .name = "fault_row",
                                          .signature = "x, slope: scalar = 2.0",
                                          .dtypes = "numeric",
                                          .result = "same",
                                          .expression = "slope * x"},
                             &op)))
        return;
    ps_tensor *x = ramp(), *y = CALL("fault_row", tensor_arg(x));
    if (y != NULL)
        fine(ps_tensor_wait(y, NULL));
    RELEASE(x, y);
}

static void random_numbers(void)
{
    ps_generator *generator = NULL;
    if (!fine(ps_generator_create(7, &generator)))
        return;
    ps_tensor *x =
        CALL("random_normal", {.kind = PS_ARG_INTS, .count = 1, .as.ints = (int64_t[]){5000}},
             number_arg(0), number_arg(1), {.kind = PS_ARG_DTYPE, .as.dtype = PS_FLOAT32},
             {.kind = PS_ARG_GENERATOR, .as.generator = generator});
    if (x != NULL)
        fine(ps_tensor_wait(x, NULL));
    ps_tensor_release(x);
    ps_generator_release(generator);
}

/* Walked back twice, the second time through the first walk. */
static void walk_twice(ps_tensor *x)
{
    ps_tensor *dx = NULL, *ddx = NULL;
    ps_tensor *y = CALL("exp", tensor_arg(x)), *z = CALL("multiply", tensor_arg(y), tensor_arg(x));
    ps_backward_options create = {.size = sizeof create, .create = true};
    if (z != NULL && fine(ps_grad(&z, 1, &x, 1, &create, &dx)) &&
        fine(ps_grad(&dx, 1, &x, 1, NULL, &ddx)))
        fine(ps_tensor_wait(ddx, NULL));
    RELEASE(dx, ddx, y, z);
}

static void gradients(void)
{
    uint64_t before = ps_thread_state();
    ps_tensor *x = ramp();
    if (x != NULL && fine(ps_grad_attach(x, PS_GRAD_WRITE, NULL)) &&
        fine(ps_thread_set_state(before | PS_STATE_RECORDING))) {
        walk_twice(x);
        CHILD_CHECK(ps_thread_set_state(before) == PS_OK);
    }
    ps_tensor_release(x);
    ps_graph_stats left = {.size = sizeof left};
    CHILD_CHECK(ps_graph_get_stats(&left) == PS_OK && left.nodes == 0 && left.saves == 0);
}

/* Gradients that the first of two walks makes, and what is known of them. */
static void lazy_gradients(void)
{
    uint64_t before = ps_thread_state();
    ps_tensor *x = ramp(), *y = NULL, *dx = NULL;
    if (x != NULL && fine(ps_grad_attach(x, PS_GRAD_ADD | PS_GRAD_LAZY, NULL)) &&
        fine(ps_thread_set_state(before | PS_STATE_RECORDING))) {
        y = CALL("multiply", tensor_arg(x), tensor_arg(x));
        CHILD_CHECK(ps_thread_set_state(before) == PS_OK);
    }
    ps_grad_info info = {.size = sizeof info};
    ps_backward_options retain = {.size = sizeof retain, .retain = true};
    if (y != NULL && fine(ps_grad_get_info(y, &info)) && fine(ps_backward(&y, 1, &retain)) &&
        fine(ps_backward(&y, 1, NULL)) && fine(ps_grad_get(x, &dx)) && fine(ps_grad_set(x, NULL)))
        fine(ps_tensor_wait(dx, NULL));
    RELEASE(x, y, dx);
    ps_graph_stats left = {.size = sizeof left};
    CHILD_CHECK(ps_graph_get_stats(&left) == PS_OK && left.nodes == 0 && left.saves == 0);
}

static float conv_value(int i)
{
    int row = i / SIDE, column = i % SIDE, rows = row == 0 || row == SIDE - 1 ? 2 : 3;
    return (float)(rows * (column == 0 || column == SIDE - 1 ? 2 : 3));
}

static float pool_value(int i)
{
    (void)i;
    return 9;
}

/* A convolution, a pooling, and back through both. */
static void convolution(void)
{
    uint64_t before = ps_thread_state();
    ps_arg shape = {.kind = PS_ARG_INTS, .count = 4, .as.ints = (int64_t[]){1, 1, SIDE, SIDE}};
    ps_arg kernel = {.kind = PS_ARG_INTS, .count = 4, .as.ints = (int64_t[]){1, 1, 3, 3}};
    ps_arg one = {.kind = PS_ARG_INT, .as.integer = 1}, two = {.kind = PS_ARG_INT, .as.integer = 4};
    ps_arg none = {.kind = PS_ARG_NONE};
    ps_tensor *x = CALL("ones", shape), *weight = CALL("ones", kernel), *y = NULL, *z = NULL;
    if (x != NULL && weight != NULL && fine(ps_grad_attach(x, PS_GRAD_WRITE, NULL)) &&
        fine(ps_grad_attach(weight, PS_GRAD_WRITE, NULL)) &&
        fine(ps_thread_set_state(before | PS_STATE_RECORDING))) {
        y = CALL("conv2d", tensor_arg(x), tensor_arg(weight), none, one, one);
        z = CALL("max_pool2d", tensor_arg(y), two);
        CHILD_CHECK(ps_thread_set_state(before) == PS_OK);
    }
    check(y, conv_value);
    check(z, pool_value);
    if (z != NULL)
        fine(ps_backward(&z, 1, NULL));
    RELEASE(x, weight, y, z);
}

static void synchronous(void)
{
    if (!fine(ps_thread_set_mode(PS_MODE_SYNC)))
        return;
    chain();
    reductions();
    CHILD_CHECK(ps_thread_set_mode(PS_MODE_DEFAULT) == PS_OK);
}

static void everything(void)
{
    chain();
    reductions();
    product();
    updates();
    indexing();
    text();
    random_numbers();
    synchronous();
}

/* ---- one run ----------------------------------------------------------------------------- */

typedef struct scenario {
    void (*play)(void);
    bool cold; /* the first allocations of the process fail too: engine, table of operations */
} scenario;

static void drain(void)
{
    ps_engine *engine;
    if (ps_engine_default(&engine) != PS_OK)
        return;
    for (int i = 0; i < 200 && ps_wait_all(engine, NULL) != PS_OK; i++)
        ;
}

static float next_value(int i)
{
    return (float)(i % 16 + 1);
}

/* With memory everything is as if nothing had happened. */
static void check_alive(void)
{
    float values[LENGTH];
    ps_tensor *x = ramp(), *y = CALL("add", tensor_arg(x), number_arg(1));
    CHILD_CHECK(x != NULL && y != NULL);
    CHILD_CHECK(ps_tensor_to_host(y, values, sizeof values) == PS_OK);
    check(y, next_value);
    RELEASE(x, y);
}

static int play_once(void *arg)
{
    const fault *f = arg;
    const scenario *s = f->scenario;
    const ps_op *op;
    setenv("PENSTOCK_WORKERS", "2", 1);
    if (!s->cold)
        CHILD_CHECK(ps_op_find("add", &op) == PS_OK);
    fault_begin(f);
    s->play();
    drain();
    int code = fault_end(f);
    drain();
    check_alive();
    return code;
}

static void play_all(const char *name, void (*play)(void), bool sticky, bool cold)
{
    (void)faults_play(name, play_once, &(scenario){play, cold}, sticky, LAST_FAULT);
}

#define SCENARIO(name)                                                                             \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        play_all(#name, name, false, false);                                                       \
        play_all(#name, name, true, false);                                                        \
    }

SCENARIO(chain)
SCENARIO(reductions)
SCENARIO(long_sum)
SCENARIO(product)
SCENARIO(updates)
SCENARIO(steps)
SCENARIO(indexing)
SCENARIO(text)
SCENARIO(added_row)
SCENARIO(random_numbers)
SCENARIO(gradients)
SCENARIO(lazy_gradients)
SCENARIO(convolution)
SCENARIO(synchronous)

/* With all failing after the Nth, what follows the first scenario would have nothing to do. */
static void test_everything(void **state)
{
    (void)state;
    play_all("everything", everything, false, false);
}

static void test_from_the_very_first(void **state)
{
    (void)state;
    play_all("chain", chain, true, true);
}

/* ---- a hard limit ------------------------------------------------------------------------ */

enum { MEGABYTE = 1 << 20 };

static ps_tensor *block(int megabytes)
{
    return CALL("ones", {.kind = PS_ARG_INTS,
                         .count = 1,
                         .as.ints = (int64_t[]){(int64_t)megabytes * MEGABYTE / 4}});
}

/* Far more work than memory, but each step fits, and so does what the queue may run ahead: nothing
 * fails. */
static int fits_step_by_step(void *unused)
{
    (void)unused;
    ps_engine *engine;
    ps_bound bound = {.size = sizeof bound,
                      .soft_bytes = 4 * MEGABYTE,
                      .soft_ops_per_worker = 1,
                      .hard_bytes = 8 * MEGABYTE,
                      .ops = 64};
    CHILD_CHECK(ps_engine_default(&engine) == PS_OK);
    CHILD_CHECK(ps_engine_set_bound(engine, &bound) == PS_OK);
    CHILD_CHECK(ps_memory_set_limit(24 * MEGABYTE) == PS_OK);
    ps_tensor *total = CALL("zeros", {.kind = PS_ARG_INTS, .count = 0});
    for (int i = 0; i < 100; i++) {
        ps_tensor *x = block(3), *y = CALL("add", tensor_arg(x), number_arg(i));
        ps_tensor *top = CALL("max", tensor_arg(y)),
                  *next = CALL("add", tensor_arg(total), tensor_arg(top));
        CHILD_CHECK(next != NULL);
        RELEASE(x, y, top, total);
        total = next;
    }
    ps_scalar value;
    CHILD_CHECK(ps_tensor_item(total, &value) == PS_OK);
    CHILD_CHECK(value.as.d == 100 + 99 * 50);
    ps_memory_stats stats = {.size = sizeof stats};
    CHILD_CHECK(ps_memory_get_stats(&stats) == PS_OK && stats.peak <= 24 * MEGABYTE);
    ps_tensor_release(total);
    return 0;
}

/* What does not fit is marked; what is held stays right; with more room it can be had. */
static int does_not_fit(void *unused)
{
    (void)unused;
    ps_tensor *held = ramp(), *first = block(4);
    CHILD_CHECK(held != NULL && first != NULL && ps_tensor_wait(first, NULL) == PS_OK);
    CHILD_CHECK(ps_memory_set_limit(16 * MEGABYTE) == PS_OK);
    ps_tensor *large = block(40), *more = CALL("add", tensor_arg(large), number_arg(1));
    ps_tensor *small = CALL("add", tensor_arg(held), number_arg(1));
    CHILD_CHECK(large != NULL && more != NULL && small != NULL);
    CHILD_CHECK(ps_tensor_wait(large, NULL) == PS_ERR_MEMORY);
    CHILD_CHECK(ps_tensor_wait(more, NULL) == PS_ERR_MEMORY);
    check(small, next_value);
    CHILD_CHECK(ps_tensor_wait(small, NULL) == PS_OK);
    ps_tensor *held_ones[8] = {0}; /* together they do not fit: the last ones fail */
    int failed = 0;
    for (int i = 0; i < 8; i++)
        held_ones[i] = block(4);
    for (int i = 0; i < 8; i++)
        failed += held_ones[i] == NULL || ps_tensor_wait(held_ones[i], NULL) != PS_OK;
    CHILD_CHECK(failed >= 4 && failed < 8);
    release_all(8, held_ones);
    CHILD_CHECK(ps_memory_set_limit(0) == PS_OK);
    ps_tensor *again = block(40);
    CHILD_CHECK(again != NULL && ps_tensor_wait(again, NULL) == PS_OK);
    RELEASE(held, first, large, more, small, again);
    drain();
    return 0;
}

/* Copies from the host, too, are refused at the call. */
static int copies_are_limited(void *unused)
{
    (void)unused;
    ps_tensor *x = ramp(), *y = NULL;
    CHILD_CHECK(x != NULL);
    float *values = calloc(8 * MEGABYTE, 1);
    CHILD_CHECK(ps_memory_set_limit(4 * MEGABYTE) == PS_OK);
    CHILD_CHECK(ps_tensor_from_host(PS_FLOAT32, 1, (int64_t[]){2 * MEGABYTE}, NULL, values, NULL,
                                    &y) == PS_ERR_MEMORY);
    CHILD_CHECK(y == NULL);
    check(x, product_value);
    CHILD_CHECK(ps_memory_set_limit(0) == PS_OK);
    CHILD_CHECK(ps_tensor_from_host(PS_FLOAT32, 1, (int64_t[]){2 * MEGABYTE}, NULL, values, NULL,
                                    &y) == PS_OK);
    RELEASE(x, y);
    free(values);
    return 0;
}

static void test_limit_fits_step_by_step(void **state)
{
    (void)state;
    assert_int_equal(child_run(fits_step_by_step, NULL), 0);
}

static void test_limit_does_not_fit(void **state)
{
    (void)state;
    assert_int_equal(child_run(does_not_fit, NULL), 0);
}

static void test_limit_of_copies(void **state)
{
    (void)state;
    assert_int_equal(child_run(copies_are_limited, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_long_sum),
        cmocka_unit_test(test_product),
        cmocka_unit_test(test_updates),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_indexing),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_added_row),
        cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_gradients),
        cmocka_unit_test(test_lazy_gradients),
        cmocka_unit_test(test_convolution),
        cmocka_unit_test(test_synchronous),
        cmocka_unit_test(test_everything),
        cmocka_unit_test(test_from_the_very_first),
        cmocka_unit_test(test_limit_fits_step_by_step),
        cmocka_unit_test(test_limit_does_not_fit),
        cmocka_unit_test(test_limit_of_copies),
    };
    return FIXTURE_RUN(tests);
}
