/* Recording and walking back: small programs whose gradients are known. */
#include "autograd_help.h"

#include "base/alloc.h"
#include "support/workers.h"

#include <pthread.h>

static void a_chain(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(3));
    record();
    ps_tensor *a = CALL("multiply", T(x), T(x)), *b = CALL("add", T(a), F(2));
    ps_tensor *y = CALL("multiply", T(b), T(x));
    pause_it();
    ps_tensor_release(a);
    ps_tensor_release(b);
    backward(y);
    CHECK_GRAD(x, 2, 5, 14); /* 3 x^2 + 2 */
    CHECK_FAILS(PS_ERR_STATE, "walked before", ps_backward(&y, 1, NULL));
    ps_tensor_release(y);
    ps_tensor *alone = CALL("ones", INTS(2));
    CHECK_FAILS(PS_ERR_STATE, "in no graph", ps_backward(&alone, 1, NULL));
    ps_tensor_release(alone);
    ps_tensor_release(x);
    nothing_is_left();
}

static void broadcast_and_sum(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2, 3)), *b = leaf(SHAPE(3));
    record();
    ps_tensor *y = CALL("multiply", T(x), T(b)), *s = CALL("sum", T(y));
    pause_it();
    backward(s);
    CHECK_GRAD(b, 3, 5, 7);
    CHECK_GRAD(x, 0, 1, 2, 0, 1, 2);
    ps_tensor_release(y);
    ps_tensor_release(s);
    ps_tensor_release(x);
    ps_tensor_release(b);
    nothing_is_left();
}

static void what_was_read_is_kept(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(3));
    record();
    ps_tensor *a = CALL("exp", T(x)), *y = CALL("multiply", T(a), T(a));
    pause_it();
    CHECK_OK(call_into("multiply", ARGS(T(a), F(0)), &a));
    CHECK_OK(call_into("add", ARGS(T(x), F(7)), &x));
    backward(y);
    CHECK_GRAD(x, 2, 2 * exp(2), 2 * exp(4));
    ps_tensor_release(a);
    ps_tensor_release(y);
    ps_tensor_release(x);
    nothing_is_left();
}

static void views(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2, 3)), *part;
    record();
    ps_index items[] = {{.kind = PS_INDEX_AT, .start = 1},
                        {.kind = PS_INDEX_RANGE, .start = 0, .stop = PS_INDEX_NONE, .step = 2}};
    CHECK_OK(ps_tensor_index(x, items, 2, &part));
    ps_tensor *turned = CALL("permute", T(x)), *flat = CALL("reshape", T(turned), INTS(6));
    ps_tensor *a = CALL("multiply", T(part), T(part)), *s = CALL("sum", T(a));
    ps_tensor *b = CALL("multiply", T(flat), T(flat)), *t = CALL("sum", T(b));
    ps_tensor *y = CALL("add", T(s), T(t));
    pause_it();
    backward(y);
    CHECK_GRAD(x, 0, 2, 4, 12, 8, 20);
    ps_tensor *all[] = {part, turned, flat, a, s, b, t, y, x};
    for (size_t i = 0; i < 9; i++)
        ps_tensor_release(all[i]);
    nothing_is_left();
}

/* Of no elements, of one. */
static void empty_views(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(1)), *one, *none;
    record();
    ps_index as_row[] = {{.kind = PS_INDEX_NEW}, {.kind = PS_INDEX_AT, .start = 0}};
    ps_index nothing = {.kind = PS_INDEX_RANGE, .start = 0, .stop = 0, .step = 2};
    CHECK_OK(ps_tensor_index(x, as_row, 2, &one));
    CHECK_OK(ps_tensor_index(one, &nothing, 1, &none));
    ps_tensor *y = CALL("sum", T(none)), *z = CALL("multiply", T(x), F(3));
    pause_it();
    CHECK_OK(ps_backward((ps_tensor *[]){y, z}, 2, NULL));
    CHECK_GRAD(x, 3);
    RELEASE_ALL(x, one, none, y, z);
    nothing_is_left();
}

/* Elements that are there several times are added up once, however many views there are of them. */
static void views_of_repeated_elements(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *row;
    record();
    ps_tensor *spread = CALL("broadcast_to", T(x), INTS(3, 2)),
              *turned = CALL("permute", T(spread));
    CHECK_OK(ps_tensor_index(turned, &(ps_index){.kind = PS_INDEX_AT, .start = 1}, 1, &row));
    ps_tensor *y = CALL("multiply", T(turned), F(10)), *z = CALL("multiply", T(row), T(row));
    pause_it();
    CHECK_OK(ps_backward((ps_tensor *[]){y, z}, 2, NULL));
    CHECK_GRAD(x, 30, 30 + 6); /* x = 0 1 */
    RELEASE_ALL(x, spread, turned, row, y, z);
    nothing_is_left();
}

static void writes_in_place(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(3)), *part;
    record();
    ps_tensor *h = CALL("multiply", T(x), F(3)), *first;
    ps_index at1 = {.kind = PS_INDEX_AT, .start = 1}, at0 = {.kind = PS_INDEX_AT, .start = 0};
    CHECK_OK(ps_tensor_index(h, &at0, 1, &first));
    CHECK_OK(ps_tensor_index(h, &at1, 1, &part));
    CHECK_OK(call_into("multiply", ARGS(T(first), T(first)), &part)); /* h[1] = h[0] * h[0] */
    CHECK_OK(call_into("multiply", ARGS(T(h), T(h)), &h));
    ps_tensor *y = CALL("sum", T(h));
    pause_it();
    backward(y);
    /* h = (9 x0^2, (9 x0^2)^2, 9 x2^2), x = 0 1 2 */
    CHECK_GRAD(x, 0, 0, 36);
    record();
    CHECK_FAILS(PS_ERR_STATE, "gradient attached", call_into("add", ARGS(T(x), F(1)), &x));
    pause_it();
    ps_tensor *all[] = {h, first, part, y, x};
    for (size_t i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
    nothing_is_left();
}

static uint64_t bytes_copied(void)
{
    ps_graph_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_graph_get_stats(&stats));
    return stats.copied;
}

static ps_tensor *row_of(ps_tensor *x, int64_t at)
{
    ps_tensor *row;
    CHECK_OK(ps_tensor_index(x, (ps_index[]){{.kind = PS_INDEX_AT, .start = at}}, 1, &row));
    return row;
}

/* h[t] = h[t - 1] * h[t - 1]: what is saved is in another row than what is written. */
static void rows_after_rows(void **state)
{
    (void)state;
    enum { ROWS = 12 };
    ps_tensor *x = leaf(SHAPE(3)), *h = CALL("zeros", INTS(ROWS, 3), D(PS_FLOAT64));
    uint64_t before = bytes_copied();
    record();
    ps_tensor *first = row_of(h, 0);
    CHECK_OK(call_into("add", ARGS(T(x), F(-1)), &first));
    for (int t = 1; t < ROWS; t++) {
        ps_tensor *last = row_of(h, t - 1), *row = row_of(h, t);
        CHECK_OK(call_into("multiply", ARGS(T(last), T(last)), &row));
        RELEASE_ALL(last, row);
    }
    ps_tensor *y = row_of(h, 2); /* (x - 1)^4 */
    pause_it();
    assert_int_equal(bytes_copied() - before, 0);
    CHECK_OK(call_into("add", ARGS(T(y), F(1)), &y));
    assert_int_equal(bytes_copied() - before, 8 * 3 * ROWS); /* that one is saved */
    backward(y);
    CHECK_GRAD(x, -4, 0, 4);
    RELEASE_ALL(x, h, first, y);
    nothing_is_left();
}

static void gradients_of_gradients(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(3)), *first, *second;
    record();
    ps_tensor *a = CALL("multiply", T(x), T(x)), *y = CALL("multiply", T(a), T(x));
    ps_backward_options create = {.size = sizeof create, .create = true};
    CHECK_OK(ps_grad(&y, 1, &x, 1, &create, &first));
    pause_it();
    check_values(first, 3, (double[]){0, 3, 12}, __FILE__, __LINE__);
    CHECK_OK(ps_grad(&first, 1, &x, 1, NULL, &second));
    check_values(second, 3, (double[]){0, 6, 12}, __FILE__, __LINE__);
    ps_tensor *all[] = {a, y, first, second, x};
    for (size_t i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
    nothing_is_left();
}

static void products_and_rows(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2, 3)), *w = leaf(SHAPE(3, 2));
    record();
    ps_tensor *z = CALL("matmul", T(x), T(w)), *p = CALL("softmax", T(z));
    ps_tensor *m = CALL("max", T(z), I(1)), *s = CALL("sum", T(p)), *u = CALL("sum", T(m));
    ps_tensor *y = CALL("add", T(s), T(u));
    pause_it();
    backward(y);
    CHECK_GRAD(w, 0, 3, 0, 5, 0, 7);
    ps_tensor *all[] = {z, p, m, s, u, y, x, w};
    for (size_t i = 0; i < 8; i++)
        ps_tensor_release(all[i]);
    nothing_is_left();
}

static void joins(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2, 2)), *w = leaf(SHAPE(1, 2)), *both[] = {x, w, x};
    record();
    ps_arg list = {.kind = PS_ARG_TENSORS, .count = 3, .as.tensors = both};
    ps_tensor *all = CALL("concatenate", list), *a = CALL("multiply", T(all), T(all));
    ps_tensor *pair[] = {w, w};
    list = (ps_arg){.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = pair};
    ps_tensor *two = CALL("stack", list, I(2)), *b = CALL("exp", T(two));
    pause_it();
    CHECK_OK(ps_backward((ps_tensor *[]){a, b}, 2, NULL));
    CHECK_GRAD(x, 0, 4, 8, 12);
    CHECK_GRAD(w, 2, 2 + 2 * exp(1));
    RELEASE_ALL(all, a, two, b, x, w);
    nothing_is_left();
}

/* More operands than a walk has room for temporaries. */
static void many_operands(void **state)
{
    (void)state;
    enum { MANY = 50 };
    ps_tensor *x = leaf(SHAPE(2)), *list[MANY];
    for (int i = 0; i < MANY; i++)
        list[i] = x;
    ps_arg all = {.kind = PS_ARG_TENSORS, .count = MANY, .as.tensors = list};
    record();
    ps_tensor *joined = CALL("concatenate", all), *stacked = CALL("stack", all);
    pause_it();
    CHECK_OK(ps_backward((ps_tensor *[]){joined, stacked}, 2, NULL));
    CHECK_GRAD(x, 2 * MANY, 2 * MANY);
    RELEASE_ALL(x, joined, stacked);
    nothing_is_left();
}

/* Whatever happens to its elements: here they are also those of something that is written. */
static void a_leaf_stays_one(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *y;
    record();
    ps_tensor *a = CALL("multiply", T(x), F(3)); /* 0 3 */
    CHECK_OK(ps_tensor_detach(a, &y));
    CHECK_OK(ps_grad_attach(y, PS_GRAD_WRITE, NULL));
    CHECK_OK(call_into("multiply", ARGS(T(a), F(2)), &a)); /* 0 6, and so is y */
    ps_tensor *z = CALL("multiply", T(y), T(a));
    pause_it();
    backward(z);
    CHECK_GRAD(y, 0, 6);
    CHECK_GRAD(x, 0, 36);
    RELEASE_ALL(x, y, a, z);
    nothing_is_left();
}

/* What is queued: one operation for each node, none to move the gradient to its place. */
static void nothing_is_copied(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(300, 300)), *before, *after;
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_grad_get(x, &before));
    record();
    ps_tensor *y = CALL("multiply", T(x), T(x)), *s = CALL("sum", T(y));
    pause_it();
    CHECK_OK(ps_wait_all(engine, NULL));
    ps_engine_stats first = {.size = sizeof first}, last = first;
    CHECK_OK(ps_engine_get_stats(engine, &first));
    backward(s);
    CHECK_OK(ps_engine_get_stats(engine, &last));
    /* ones, the two gradients of the product, their sum */
    assert_int_equal(last.pushed - first.pushed, 3);
    CHECK_OK(ps_grad_get(x, &after));
    assert_ptr_equal(before, after); /* who had it before sees it */
    double *values = values_of(before);
    assert_true(values[7] == 14);
    free(values);
    RELEASE_ALL(x, y, s, before, after);
    nothing_is_left();
}

/* The way back through a product is two products, straight into their places; what a sum spreads is
 * put into memory once for both. */
static void products_are_not_copied(void **state)
{
    (void)state;
    static const char *const names[] = {"matmul", "dot"};
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    for (int i = 0; i < 2; i++) {
        ps_tensor *x = leaf(SHAPE(20, 30)), *w = leaf(SHAPE(30, 40));
        record();
        ps_tensor *y = CALL(names[i], T(x), T(w)), *s = CALL("sum", T(y));
        pause_it();
        CHECK_OK(ps_wait_all(engine, NULL));
        ps_engine_stats first = {.size = sizeof first}, last = first;
        CHECK_OK(ps_engine_get_stats(engine, &first));
        backward(s);
        CHECK_OK(ps_engine_get_stats(engine, &last));
        assert_int_equal(last.pushed - first.pushed, 4); /* a one, what is spread, two products */
        RELEASE_ALL(x, w, y, s);
    }
    nothing_is_left();
}

/* Arguments that make a row do something else. */
static void variants(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(3));
    record();
    ps_tensor *sums = CALL("cumulative_sum", T(x), I(0), NONE, B(true)); /* 0 0 1 3 */
    ps_tensor *products = CALL("cumulative_prod", T(x), NONE, NONE, B(true));
    ps_tensor *edges = CALL("pad", T(x), I(1), I(2), NONE, S("edge"));
    ps_tensor *y = CALL("multiply", T(sums), T(sums));
    pause_it();
    CHECK_OK(ps_backward((ps_tensor *[]){y, products, edges}, 3, NULL));
    /* sums: 2 (0 + 1 + 3), 2 (1 + 3), 2 3; products: 1 + 1 + 2, 0, 0; edges: 2, 1, 3 */
    CHECK_GRAD(x, 8 + 4 + 2, 8 + 1, 6 + 3);
    RELEASE_ALL(x, sums, products, edges, y);
    nothing_is_left();
}

static void requests(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *sum = CALL("ones", INTS(2), D(PS_FLOAT64)), *grad;
    CHECK_OK(ps_grad_attach(x, PS_GRAD_ADD, sum));
    for (int i = 0; i < 3; i++) {
        record();
        ps_tensor *y = CALL("multiply", T(x), T(x));
        pause_it();
        backward(y);
        ps_tensor_release(y);
    }
    CHECK_GRAD(x, 1, 7);
    check_values(sum, 2, (double[]){1, 7}, __FILE__, __LINE__);
    CHECK_OK(ps_grad_attach(x, PS_GRAD_NULL, NULL));
    CHECK_OK(ps_grad_get(x, &grad));
    assert_null(grad);
    ps_tensor *whole = CALL("ones", INTS(2), D(PS_INT32));
    CHECK_FAILS(PS_ERR_TYPE, "int32 has no gradient", ps_grad_attach(whole, PS_GRAD_WRITE, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "shape (2,)", ps_grad_attach(sum, PS_GRAD_WRITE, whole));
    CHECK_FAILS(PS_ERR_ARGUMENT, "0x7 is no request", ps_grad_attach(x, 7, NULL));
    RELEASE_ALL(x, sum, whole);
    nothing_is_left();
}

/* What ps_grad gives is nobody else's: not what was given for a head, nor shared between results. */
static void results_are_new(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *g = counted(PS_FLOAT64, SHAPE(2)), *found[2], *spread;
    record();
    ps_tensor *y = CALL("reshape", T(x), INTS(2)), *s = CALL("sum", T(x));
    pause_it();
    ps_backward_options given = {.size = sizeof given, .gradients = &g};
    CHECK_OK(ps_grad(&y, 1, (ps_tensor *[]){x, y}, 2, &given, found));
    CHECK_OK(ps_grad(&s, 1, &x, 1, NULL, &spread));
    ps_tensor *all[] = {g, found[0], found[1], spread};
    for (int i = 0; i < 4; i++)
        CHECK_OK(call_into("add", ARGS(T(all[i]), F(10 * (i + 1))), &all[i]));
    CHECK_VALUES(g, 10, 11);
    CHECK_VALUES(found[0], 20, 21);
    CHECK_VALUES(found[1], 30, 31);
    CHECK_VALUES(spread, 41, 41);
    RELEASE_ALL(x, g, found[0], found[1], y, s, spread);
    nothing_is_left();
}

static void detached(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *apart;
    record();
    ps_tensor *a = CALL("multiply", T(x), F(3));
    CHECK_OK(ps_tensor_detach(a, &apart));
    assert_false(ps_tensor_is_recorded(apart));
    ps_tensor *y = CALL("multiply", T(apart), T(a)), *view = CALL("reshape", T(apart), INTS(2, 1));
    assert_false(ps_tensor_is_recorded(view));
    pause_it();
    backward(y);
    CHECK_GRAD(x, 0, 9);
    RELEASE_ALL(x, a, apart, y, view);
    nothing_is_left();
}

static void heads(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *g = counted(PS_FLOAT64, SHAPE(2)),
              *wrong = counted(PS_FLOAT64, SHAPE(3));
    ps_tensor *single = counted(PS_FLOAT32, SHAPE(2)), *none;
    record();
    ps_tensor *y = CALL("multiply", T(x), F(5)), *z = CALL("exp", T(x));
    pause_it();
    ps_backward_options options = {.size = sizeof options, .gradients = &wrong, .retain = true};
    CHECK_FAILS(PS_ERR_ARGUMENT, "shape (3,), the head (2,)", ps_backward(&y, 1, &options));
    options.gradients = &single;
    CHECK_FAILS(PS_ERR_TYPE, "float32, the head of float64", ps_backward(&y, 1, &options));
    options.gradients = &g;
    CHECK_OK(ps_backward(&y, 1, &options));
    CHECK_GRAD(x, 0, 5);
    CHECK_OK(ps_grad(&z, 1, &y, 1, NULL, &none));
    assert_null(none); /* z was not made of y */
    CHECK_FAILS(PS_ERR_STATE, "wanted 0 is in no graph", ps_grad(&z, 1, &g, 1, NULL, &none));
    CHECK_FAILS(PS_ERR_ARGUMENT, "heads 0 is NULL", ps_backward(&(ps_tensor *){NULL}, 1, NULL));
    RELEASE_ALL(x, g, wrong, single, y, z);
    nothing_is_left();
}

/* What ps_grad gives can be written, and nobody else sees that. */
static void results_are_the_callers(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *w = leaf(SHAPE(2)), *g = counted(PS_FLOAT64, SHAPE(2, 1));
    ps_tensor *both[2], *one;
    record();
    ps_tensor *y = CALL("add", T(x), T(w)), *turned = CALL("reshape", T(x), INTS(2, 1));
    ps_tensor *s = CALL("sum", T(x));
    pause_it();
    CHECK_OK(ps_grad(&y, 1, (ps_tensor *[]){x, w}, 2, NULL, both));
    CHECK_OK(call_into("add", ARGS(T(both[0]), F(7)), &both[0]));
    check_values(both[0], 2, (double[]){8, 8}, __FILE__, __LINE__);
    check_values(both[1], 2, (double[]){1, 1}, __FILE__, __LINE__);
    ps_backward_options options = {.size = sizeof options, .gradients = &g};
    CHECK_OK(ps_grad(&turned, 1, &x, 1, &options, &one));
    CHECK_OK(call_into("add", ARGS(T(one), F(7)), &one));
    check_values(one, 2, (double[]){7, 8}, __FILE__, __LINE__);
    check_values(g, 2, (double[]){0, 1}, __FILE__, __LINE__);
    ps_tensor_release(one);
    CHECK_OK(ps_grad(&s, 1, &x, 1, NULL, &one));
    CHECK_OK(call_into("multiply", ARGS(T(one), T(both[0])), &one));
    check_values(one, 2, (double[]){8, 8}, __FILE__, __LINE__);
    RELEASE_ALL(x, w, g, both[0], both[1], one, y, turned, s);
    nothing_is_left();
}

/* Sums hand on what flows; small gradients are done at the call, one for each operand. */
static void what_is_queued_for_small_tensors(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(4)), *w = leaf(SHAPE(4));
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    record();
    ps_tensor *a = CALL("add", T(x), T(w)), *b = CALL("add", T(a), F(1));
    ps_tensor *y = CALL("multiply", T(b), T(w));
    pause_it();
    CHECK_OK(ps_wait_all(engine, NULL));
    workers_stop();
    ps_engine_stats first = {.size = sizeof first}, last = first;
    CHECK_OK(ps_engine_get_stats(engine, &first));
    backward(y);
    CHECK_OK(ps_engine_get_stats(engine, &last));
    workers_go_on();
    /* ones, the two gradients of the product, the sum to w */
    assert_int_equal(last.pushed - first.pushed, 4);
    assert_int_equal(last.executed - first.executed, 4);
    CHECK_GRAD(x, 0, 1, 2, 3);
    CHECK_GRAD(w, 1, 4, 7, 10);
    RELEASE_ALL(x, w, a, b, y);
    nothing_is_left();
}

/* Released without recursion, by a thread with a small stack. */
static void *long_chain(void *unused)
{
    enum { STEPS = 1000000 };
    ps_tensor *x = leaf(SHAPE(1)), *y = x;
    CHECK_OK(ps_tensor_retain(x));
    record();
    for (int i = 0; i < STEPS; i++) {
        ps_tensor *next = CALL("add", T(y), F(1));
        ps_tensor_release(y);
        y = next;
    }
    pause_it();
    backward(y);
    CHECK_GRAD(x, 1);
    ps_tensor_release(x);
    ps_tensor_release(y);
    return unused;
}

static void a_long_chain(void **state)
{
    (void)state;
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    assert_int_equal(pthread_create(&thread, &attributes, long_chain, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    nothing_is_left();
}

/* Two threads record into the graph of one leaf, and walk it. */
static void *record_alone(void *arg)
{
    ps_tensor *x = arg;
    for (int i = 0; i < 200; i++) {
        ps_tensor *dx;
        record();
        ps_tensor *a = CALL("exp", T(x)), *b = CALL("multiply", T(a), T(x));
        ps_index first = {.kind = PS_INDEX_AT, .start = 0};
        ps_tensor *part;
        CHECK_OK(ps_tensor_index(b, &first, 1, &part));
        CHECK_OK(call_into("multiply", ARGS(T(part), F(2)), &part));
        pause_it();
        CHECK_OK(ps_grad(&b, 1, &x, 1, NULL, &dx));
        check_values(dx, 2, (double[]){2, 2 * exp(1)}, __FILE__, __LINE__);
        RELEASE_ALL(a, b, part, dx);
    }
    return NULL;
}

static void threads(void **state)
{
    (void)state;
    pthread_t thread[4];
    ps_tensor *x = leaf(SHAPE(2));
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, record_alone, x), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    ps_tensor_release(x);
    nothing_is_left();
}

/* Each allocation fails in turn: calls say so, and nothing is left. */
static void memory_that_is_not_there(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2));
    for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
        ps_tensor *a = NULL, *b = NULL, *part = NULL, *dx = NULL;
        ps_index first = {.kind = PS_INDEX_AT, .start = 0};
        record();
        ps__fault_set(nth, false);
        ps_status status = call_into("exp", ARGS(T(x)), &a);
        if (status == PS_OK)
            status = call_into("multiply", ARGS(T(a), T(x)), &b);
        if (status == PS_OK)
            status = ps_tensor_index(b, &first, 1, &part);
        if (status == PS_OK)
            status = call_into("multiply", ARGS(T(part), F(2)), &part);
        if (status == PS_OK)
            status = ps_grad(&b, 1, &x, 1, NULL, &dx);
        calls = ps__fault_count();
        ps__fault_set(0, false);
        pause_it();
        if (status == PS_OK)
            check_values(dx, 2, (double[]){2, 2 * exp(1)}, __FILE__, __LINE__);
        else
            assert_int_equal(status, PS_ERR_MEMORY);
        RELEASE_ALL(a, b, part, dx);
    }
    ps_tensor_release(x);
    nothing_is_left();
}

/* The same for operands that have no room on the stack. */
static void memory_for_many_operands(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *many[] = {x, x, x, x, x, x};
    ps_arg list = {.kind = PS_ARG_TENSORS, .count = 6, .as.tensors = many};
    for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
        ps_tensor *all = NULL;
        record();
        ps__fault_set(nth, false);
        ps_status status = call_into("concatenate", 1, &list, &all);
        if (status == PS_OK)
            status = ps_backward(&all, 1, NULL);
        calls = ps__fault_count();
        ps__fault_set(0, false);
        pause_it();
        if (status != PS_OK)
            assert_int_equal(status, PS_ERR_MEMORY);
        ps_tensor_release(all);
    }
    CHECK_GRAD(x, 6, 6);
    ps_tensor_release(x);
    nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain),
        cmocka_unit_test(broadcast_and_sum),
        cmocka_unit_test(what_was_read_is_kept),
        cmocka_unit_test(views),
        cmocka_unit_test(empty_views),
        cmocka_unit_test(views_of_repeated_elements),
        cmocka_unit_test(writes_in_place),
        cmocka_unit_test(rows_after_rows),
        cmocka_unit_test(gradients_of_gradients),
        cmocka_unit_test(products_and_rows),
        cmocka_unit_test(joins),
        cmocka_unit_test(many_operands),
        cmocka_unit_test(a_leaf_stays_one),
        cmocka_unit_test(nothing_is_copied),
        cmocka_unit_test(products_are_not_copied),
        cmocka_unit_test(variants),
        cmocka_unit_test(requests),
        cmocka_unit_test(results_are_new),
        cmocka_unit_test(detached),
        cmocka_unit_test(heads),
        cmocka_unit_test(results_are_the_callers),
        cmocka_unit_test(what_is_queued_for_small_tensors),
        cmocka_unit_test(a_long_chain),
        cmocka_unit_test(threads),
        cmocka_unit_test(memory_that_is_not_there),
        cmocka_unit_test(memory_for_many_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
