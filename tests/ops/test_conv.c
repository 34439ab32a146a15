/* Convolutions and what flows back through them, against plain loops: strides, padding, dilation,
 * groups; images that make one tile and many; views, layouts, types; on every instruction set.
 * The same bits whatever the number of workers. What is refused. */
#include "kernels/kernels.h" /* before help.h, which has short names of its own */

#include "image_help.h"

#include <sys/wait.h>

/* ---- plain loops --------------------------------------------------------------------------- */

typedef struct config {
    int64_t n, c, h, w, o, kernel[2], stride[2], padding[2], dilation[2], groups;
} config;

static const config configs[] = {
    {1, 1, 1, 1, 1, {1, 1}, {1, 1}, {0, 0}, {1, 1}, 1},
    {2, 3, 7, 5, 4, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 1},
    {1, 2, 9, 11, 3, {3, 2}, {2, 3}, {1, 2}, {1, 1}, 1},
    {2, 4, 12, 10, 6, {3, 3}, {1, 1}, {2, 2}, {2, 2}, 2},
    {1, 4, 13, 9, 4, {3, 5}, {2, 1}, {0, 3}, {3, 2}, 4},
    {2, 6, 8, 8, 12, {1, 1}, {1, 1}, {0, 0}, {1, 1}, 3},
    {1, 5, 9, 9, 29, {1, 1}, {2, 2}, {0, 0}, {1, 1}, 1},
    {1, 3, 31, 33, 17, {7, 7}, {2, 2}, {3, 3}, {1, 1}, 1},
    {3, 19, 14, 14, 33, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 1},
    {1, 8, 20, 40, 15, {2, 3}, {3, 2}, {4, 5}, {2, 3}, 1},
    /* one window, the whole image */
    {1, 3, 5, 4, 2, {5, 4}, {1, 1}, {0, 0}, {1, 1}, 1},
    {6, 7, 6, 9, 20, {6, 9}, {3, 2}, {0, 0}, {1, 1}, 1},
    {4, 6, 3, 3, 8, {3, 3}, {1, 1}, {0, 0}, {1, 1}, 2},
    {2, 2, 6, 6, 2, {2, 2}, {5, 7}, {1, 0}, {1, 1}, 1},
    {1, 70, 40, 45, 20, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 1},
    {1, 1, 3, 200, 1, {1, 9}, {1, 1}, {0, 4}, {1, 1}, 1},
    {2, 16, 7, 7, 16, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 16},
    /* small images that meet many channels */
    {3, 8, 7, 7, 160, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 1},
    {3, 160, 7, 7, 8, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 1},
    {5, 4, 9, 9, 240, {3, 3}, {2, 2}, {1, 1}, {1, 1}, 2},
    {5, 240, 9, 9, 4, {3, 3}, {2, 2}, {1, 1}, {1, 1}, 2},
    {7, 3, 6, 5, 150, {2, 3}, {3, 1}, {2, 3}, {1, 2}, 1},
    {7, 150, 6, 5, 3, {3, 2}, {1, 2}, {2, 1}, {2, 1}, 1},
    {6, 5, 3, 7, 100, {1, 1}, {1, 1}, {0, 0}, {1, 1}, 1},
    {6, 90, 5, 3, 90, {1, 1}, {2, 1}, {0, 1}, {1, 1}, 1},
    /* tiles of one row of many low images, for which rows of taps, or all, are in the padding */
    {9, 20, 14, 14, 40, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 1},
    {12, 6, 4, 7, 100, {3, 3}, {1, 1}, {3, 2}, {1, 1}, 1},
    {12, 100, 4, 7, 6, {3, 3}, {1, 1}, {3, 2}, {1, 1}, 1},
    {8, 9, 7, 7, 64, {3, 3}, {1, 1}, {2, 2}, {2, 2}, 1},
    {17, 3, 1, 1, 30, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 1},
    /* every second pixel */
    {3, 5, 24, 24, 70, {1, 1}, {2, 2}, {0, 0}, {1, 1}, 1},
};
enum { CONFIGS = sizeof configs / sizeof configs[0] };

static int64_t windows(const config *k, int axis)
{
    int64_t length = axis == 0 ? k->h : k->w;
    return (length + 2 * k->padding[axis] - k->dilation[axis] * (k->kernel[axis] - 1) - 1) /
               k->stride[axis] +
           1;
}

/* Places in x, the weights and y that belong together. */
typedef void (*term_fn)(void *arg, int64_t x, int64_t weight, int64_t y);

static void walk_taps(const config *k, int64_t n, int64_t o, int64_t i, int64_t j, term_fn term,
                      void *arg)
{
    int64_t each = k->c / k->groups, group = o / (k->o / k->groups);
    int64_t y = ((n * k->o + o) * windows(k, 0) + i) * windows(k, 1) + j;
    for (int64_t c = 0; c < each; c++)
        for (int64_t a = 0; a < k->kernel[0]; a++)
            for (int64_t b = 0; b < k->kernel[1]; b++) {
                int64_t row = i * k->stride[0] - k->padding[0] + a * k->dilation[0];
                int64_t column = j * k->stride[1] - k->padding[1] + b * k->dilation[1];
                if (row >= 0 && row < k->h && column >= 0 && column < k->w)
                    term(arg, ((n * k->c + group * each + c) * k->h + row) * k->w + column,
                         ((o * each + c) * k->kernel[0] + a) * k->kernel[1] + b, y);
            }
}

static void walk_terms(const config *k, term_fn term, void *arg)
{
    for (int64_t n = 0; n < k->n; n++)
        for (int64_t o = 0; o < k->o; o++)
            for (int64_t i = 0; i < windows(k, 0); i++)
                for (int64_t j = 0; j < windows(k, 1); j++)
                    walk_taps(k, n, o, i, j, term, arg);
}

/* ---- one configuration --------------------------------------------------------------------- */

/* x, the weights and what flows to y as numbers; what loops make of them, and the sizes of what
 * they add. */
typedef struct given {
    const config *k;
    int64_t shapes[3][4];
    double *numbers[3], *wanted[3], *sizes[3];
} given;

static void add(given *g, int to, int64_t place, double term)
{
    g->wanted[to][place] += term;
    g->sizes[to][place] += fabs(term);
}

static void add_term(void *arg, int64_t x, int64_t weight, int64_t y)
{
    given *g = arg;
    add(g, 0, x, g->numbers[1][weight] * g->numbers[2][y]);
    add(g, 1, weight, g->numbers[0][x] * g->numbers[2][y]);
    add(g, 2, y, g->numbers[0][x] * g->numbers[1][weight]);
}

static void begin(given *g, const config *k)
{
    *g = (given){.k = k,
                 .shapes = {{k->n, k->c, k->h, k->w},
                            {k->o, k->c / k->groups, k->kernel[0], k->kernel[1]},
                            {k->n, k->o, windows(k, 0), windows(k, 1)}}};
    for (int i = 0; i < 3; i++) {
        int64_t count = product_of(g->shapes[i], 4);
        g->numbers[i] = numbers_of((uint64_t)i + 7, count);
        g->wanted[i] = calloc((size_t)count + 1, sizeof(double));
        g->sizes[i] = calloc((size_t)count + 1, sizeof(double));
    }
    walk_terms(k, add_term, g);
}

static void end(given *g)
{
    for (int i = 0; i < 3; i++) {
        free(g->numbers[i]);
        free(g->wanted[i]);
        free(g->sizes[i]);
    }
}

/* One of the three rows; with channels last the images are. */
static ps_tensor *run(const given *g, int which, ps_tensor *const *t, bool last)
{
    static const char *const names[] = {"conv2d_data", "conv2d_weight", "conv2d"};
    const config *k = g->k;
    int64_t x_last[4] = {k->n, k->h, k->w, k->c};
    const int64_t *shape = which == 0 && last ? x_last : g->shapes[which];
    return CALL(names[which], T(t[which == 0 ? 2 : 0]), T(t[which == 1 ? 2 : 1]),
                which == 2 ? NONE : lengths(shape, 4), lengths(k->stride, 2),
                lengths(k->padding, 2), lengths(k->dilation, 2), I(k->groups),
                last ? S("NHWC") : NONE);
}

static void make(const given *g, ps_dtype dtype, ps_tensor **t)
{
    for (int i = 0; i < 3; i++)
        t[i] = tensor_of(dtype, g->numbers[i], g->shapes[i]);
}

static void drop(ps_tensor **t, int count)
{
    for (int i = 0; i < count; i++)
        ps_tensor_release(t[i]);
}

/* ---- values -------------------------------------------------------------------------------- */

static void check_rows(const given *g, ps_tensor *const *t, double room, int index)
{
    char about[80];
    for (int which = 0; which < 3; which++) {
        ps_tensor *found = run(g, which, t, false);
        snprintf(about, sizeof about, "configuration %d, row %d", index, which);
        check_near(found, g->shapes[which], g->wanted[which], g->sizes[which], room, about);
        ps_tensor_release(found);
    }
}

static void values(void **state)
{
    (void)state;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64};
    static const double room[] = {1e-6, 1e-14};
    for (int i = 0; i < CONFIGS; i++)
        for (int d = 0; d < 2; d++) {
            given g;
            ps_tensor *t[3];
            begin(&g, &configs[i]);
            make(&g, dtypes[d], t);
            check_rows(&g, t, room[d], i);
            drop(t, 3);
            end(&g);
        }
}

/* Operands that lie in memory by other orders, and with channels last. */
static void views_and_layouts(void **state)
{
    (void)state;
    static const int64_t orders[3][4] = {{3, 1, 0, 2}, {1, 0, 3, 2}, {2, 3, 1, 0}};
    for (int i = 0; i < CONFIGS; i++) {
        given g;
        ps_tensor *t[3], *views[3], *last[3];
        begin(&g, &configs[i]);
        make(&g, PS_FLOAT32, t);
        for (int k = 0; k < 3; k++) {
            views[k] = turned(t[k], orders[k]);
            last[k] = k == 1 ? turned(t[k], orders[k]) : permuted_copy(t[k], to_last);
        }
        for (int which = 0; which < 3; which++) {
            ps_tensor *plain = run(&g, which, t, false), *view = run(&g, which, views, false);
            ps_tensor *made = run(&g, which, last, true);
            ps_tensor *back = which == 1 ? CALL("copy", T(made)) : permuted_copy(made, to_first);
            check_same_bits(plain, view, "a view");
            check_same_bits(plain, back, "channels last");
            drop((ps_tensor *[]){plain, view, made, back}, 4);
        }
        drop(t, 3);
        drop(views, 3);
        drop(last, 3);
        end(&g);
    }
}

static void workers_and_modes(void **state)
{
    (void)state;
    static const unsigned workers[] = {2, 3, 8};
    for (int i = 0; i < CONFIGS; i++) {
        given g;
        ps_tensor *t[3], *first[3];
        begin(&g, &configs[i]);
        make(&g, PS_FLOAT32, t);
        set_workers(1);
        for (int which = 0; which < 3; which++) {
            first[which] = run(&g, which, t, false);
            CHECK_OK(ps_tensor_wait(first[which], NULL));
        }
        for (int k = 0; k <= 3; k++) {
            set_workers(workers[k % 3]);
            CHECK_OK(ps_thread_set_mode(k < 3 ? PS_MODE_DEFAULT : PS_MODE_SYNC));
            for (int which = 0; which < 3; which++) {
                ps_tensor *found = run(&g, which, t, false);
                check_same_bits(first[which], found, "other workers");
                ps_tensor_release(found);
            }
        }
        CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
        drop(t, 3);
        drop(first, 3);
        end(&g);
    }
}

/* ---- bias, types, outputs ------------------------------------------------------------------ */

static ps_tensor *image(ps_dtype dtype, int ndim, const int64_t *shape)
{
    return counted(dtype, ndim, shape);
}

static void bias(void **state)
{
    (void)state;
    ps_tensor *x = image(PS_FLOAT32, SHAPE(1, 1, 2, 2)), *w = image(PS_FLOAT32, SHAPE(2, 1, 1, 1));
    ps_tensor *b = image(PS_FLOAT32, SHAPE(2, 2)), *column;
    CHECK_OK(ps_tensor_index(b, (ps_index[]){{PS_INDEX_RANGE, 0, 2, 1}, {PS_INDEX_AT, 1, 0, 0}}, 2,
                             &column));
    ps_tensor *y = CALL("conv2d", T(x), T(w), T(column)); /* 1 and 3, with a gap between them */
    CHECK_VALUES(y, 1, 1, 1, 1, 3, 4, 5, 6);
    drop((ps_tensor *[]){x, w, b, column, y}, 5);
}

static void types(void **state)
{
    (void)state;
    ps_tensor *x = image(PS_FLOAT16, SHAPE(1, 1, 2, 2)), *w = image(PS_FLOAT32, SHAPE(1, 1, 1, 2));
    ps_tensor *h = image(PS_FLOAT16, SHAPE(1, 1, 1, 2)), *d = image(PS_FLOAT64, SHAPE(1, 1, 1, 2));
    ps_tensor *a = CALL("conv2d", T(x), T(w)), *b = CALL("conv2d", T(x), T(h));
    ps_tensor *c = CALL("conv2d", T(x), T(d));
    assert_int_equal(ps_tensor_dtype(a), PS_FLOAT32);
    assert_int_equal(ps_tensor_dtype(b), PS_FLOAT16);
    assert_int_equal(ps_tensor_dtype(c), PS_FLOAT64);
    CHECK_VALUES(a, 1, 3);
    CHECK_VALUES(b, 1, 3);
    CHECK_VALUES(c, 1, 3);
    drop((ps_tensor *[]){x, w, h, d, a, b, c}, 7);
}

static void into_given(void **state)
{
    (void)state;
    ps_tensor *x = image(PS_FLOAT32, SHAPE(1, 1, 2, 3)), *w = image(PS_FLOAT32, SHAPE(1, 1, 1, 1));
    ps_tensor *wide = CALL("zeros", INTS(1, 1, 2, 3), D(PS_FLOAT64));
    ps_tensor *base = CALL("zeros", INTS(3, 2, 1, 1)), *part;
    w = (ps_tensor_release(w), CALL("ones", INTS(1, 1, 1, 1)));
    CHECK_OK(ps_tensor_permute(base, NULL, 0, &part));
    CHECK_OK(call_into("conv2d", ARGS(T(x), T(w)), &wide));
    CHECK_OK(call_into("conv2d", ARGS(T(x), T(w)), &part));
    CHECK_VALUES(wide, 0, 1, 2, 3, 4, 5);
    CHECK_VALUES(base, 0, 3, 1, 4, 2, 5);
    CHECK_OK(call_into("conv2d", ARGS(T(x), T(w)), &x));
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5);
    CHECK_FAILS(PS_ERR_ARGUMENT,
                "conv2d: the output has shape (3, 2, 1, 1), the result (1, 1, 2, 3)",
                call_into("conv2d", ARGS(T(x), T(w)), &base));
    drop((ps_tensor *[]){x, w, wide, base, part}, 5);
}

/* ---- others made of it --------------------------------------------------------------------- */

static void transposed(void **state)
{
    (void)state;
    ps_tensor *x = image(PS_FLOAT32, SHAPE(1, 2, 1, 2)), *w = CALL("ones", INTS(2, 1, 1, 3));
    ps_tensor *b = CALL("ones", INTS(2)), *last = permuted_copy(x, to_last);
    ps_tensor *y = CALL("conv2d_transpose", T(x), T(w), NONE, INTS(1, 2), INTS(0, 1), INTS(0, 1));
    CHECK_SHAPE(y, 1, 1, 1, 4);
    CHECK_VALUES(y, 2, 6, 4, 4);
    ps_tensor *z = CALL("conv2d_transpose", T(x), T(w), T(b), INTS(1, 2), NONE, NONE, NONE, I(2));
    CHECK_SHAPE(z, 1, 2, 1, 5);
    CHECK_VALUES(z, 1, 1, 2, 2, 2, 3, 3, 6, 4, 4);
    ps_tensor *c = CALL("conv2d_transpose", T(last), T(w), T(b), INTS(1, 2), NONE, NONE, NONE, I(2),
                        S("NHWC"));
    ps_tensor *back = permuted_copy(c, to_first);
    check_same_bits(z, back, "channels last");
    drop((ps_tensor *[]){x, w, b, last, y, z, c, back}, 8);
}

static void lines(void **state)
{
    (void)state;
    ps_tensor *x = image(PS_FLOAT32, SHAPE(1, 2, 4)), *w = image(PS_FLOAT32, SHAPE(2, 1, 2));
    ps_tensor *b = CALL("ones", INTS(2)), *out = CALL("zeros", INTS(1, 2, 3));
    ps_tensor *y = CALL("conv1d", T(x), T(w), T(b), I(1), I(0), I(1), I(2));
    CHECK_SHAPE(y, 1, 2, 3);
    CHECK_VALUES(y, 2, 3, 4, 24, 29, 34);
    CHECK_OK(call_into("conv1d", ARGS(T(x), T(w), T(b), I(1), I(0), I(1), I(2)), &out));
    CHECK_VALUES(out, 2, 3, 4, 24, 29, 34);
    CHECK_FAILS(PS_ERR_ARGUMENT, "conv1d: the output has shape (2,), the result (1, 2, 3)",
                call_into("conv1d", ARGS(T(x), T(w), T(b), I(1), I(0), I(1), I(2)), &b));
    drop((ps_tensor *[]){x, w, b, out, y}, 5);
}

/* ---- nothing, and what is wrong ------------------------------------------------------------ */

static void empty(void **state)
{
    (void)state;
    ps_tensor *none = CALL("zeros", INTS(0, 2, 3, 3)), *w = CALL("ones", INTS(4, 2, 2, 2));
    ps_tensor *y = CALL("conv2d", T(none), T(w)),
              *x = CALL("conv2d_data", T(y), T(w), INTS(0, 2, 3, 3));
    CHECK_SHAPE(y, 0, 4, 2, 2);
    CHECK_SHAPE(x, 0, 2, 3, 3);
    ps_tensor *dw = CALL("conv2d_weight", T(none), T(y), INTS(4, 2, 2, 2)),
              *sum = CALL("sum", T(dw));
    CHECK_SHAPE(dw, 4, 2, 2, 2);
    CHECK_VALUES(sum, 0);
    ps_tensor *bare = CALL("zeros", INTS(1, 0, 2, 2)), *bare_w = CALL("zeros", INTS(1, 0, 1, 1));
    ps_tensor *two = CALL("full", INTS(1), F(2)),
              *filled = CALL("conv2d", T(bare), T(bare_w), T(two));
    CHECK_VALUES(filled, 2, 2, 2, 2); /* sums of nothing, and the bias */
    drop((ps_tensor *[]){none, w, y, x, dw, sum, bare, bare_w, two, filled}, 10);
}

#define REFUSED(status, text, name, ...)                                                           \
    CHECK_FAILS(status, text, call_into(name, ARGS(__VA_ARGS__), &out))

static void refusals(void **state)
{
    (void)state;
    ps_tensor *x = CALL("zeros", INTS(1, 4, 5, 6)), *w = CALL("zeros", INTS(2, 4, 3, 3));
    ps_tensor *whole = CALL("zeros", INTS(1, 4, 5, 6), D(PS_INT32)), *out = NULL;
    ps_tensor *flat = CALL("zeros", INTS(5, 6)), *b = CALL("zeros", INTS(3));
    ps_tensor *complex = CALL("zeros", INTS(1, 4, 5, 6), D(PS_COMPLEX64));
    REFUSED(PS_ERR_TYPE, "conv2d: x must be floating-point numbers, not int32", "conv2d", T(whole),
            T(w));
    REFUSED(PS_ERR_TYPE, "conv2d: x must be floating-point numbers, not complex64", "conv2d",
            T(complex), T(w));
    REFUSED(PS_ERR_ARGUMENT, "conv2d: x has shape (5, 6), it must have 4 dimensions", "conv2d",
            T(flat), T(w));
    REFUSED(PS_ERR_ARGUMENT, "conv2d: stride is 0, it must be 1 to 2147483647", "conv2d", T(x),
            T(w), NONE, I(0));
    REFUSED(PS_ERR_ARGUMENT, "conv2d: padding is -1, it must be 0 to", "conv2d", T(x), T(w), NONE,
            NONE, INTS(1, -1));
    REFUSED(PS_ERR_ARGUMENT, "conv2d: dilation has 3 numbers, it takes one, or two", "conv2d", T(x),
            T(w), NONE, NONE, NONE, INTS(1, 1, 1));
    REFUSED(PS_ERR_ARGUMENT, "conv2d: groups is 0", "conv2d", T(x), T(w), NONE, NONE, NONE, NONE,
            I(0));
    REFUSED(PS_ERR_ARGUMENT, "4 channels, and weights for 2, do not divide into 3 groups", "conv2d",
            T(x), T(w), NONE, NONE, NONE, NONE, I(3));
    REFUSED(PS_ERR_ARGUMENT, "are for 4 channels in each of 2 groups, not for 2 of 4", "conv2d",
            T(x), T(w), NONE, NONE, NONE, NONE, I(2));
    REFUSED(PS_ERR_ARGUMENT,
            "a kernel of 3 with dilation 4 is larger than the input of 5 with padding 1 along H",
            "conv2d", T(x), T(w), NONE, NONE, I(1), I(4));
    REFUSED(PS_ERR_ARGUMENT, "conv2d: bias has shape (3,), for 2 channels", "conv2d", T(x), T(w),
            T(b));
    REFUSED(PS_ERR_ARGUMENT,
            "conv2d_data: dy has shape (1, 4, 5, 6), the others ask for (1, 2, 7, 7)",
            "conv2d_data", T(x), T(w), INTS(1, 4, 9, 9));
    REFUSED(PS_ERR_ARGUMENT, "conv2d_data: shape is (1, 4, -9, 9), it must have 4 lengths",
            "conv2d_data", T(x), T(w), INTS(1, 4, -9, 9));
    REFUSED(PS_ERR_ARGUMENT, "conv2d_weight: dy has shape (2, 4, 3, 3), the others ask for",
            "conv2d_weight", T(x), T(w), INTS(2, 4, 3, 3));
    REFUSED(PS_ERR_ARGUMENT, "output_padding is 2, it must be less than the stride, 2",
            "conv2d_transpose", T(x), T(x), NONE, I(2), NONE, I(2));
    REFUSED(PS_ERR_ARGUMENT, "conv1d: stride is 0", "conv1d", T(x), T(w), NONE, I(0));
    REFUSED(PS_ERR_ARGUMENT, "conv1d: x has shape (1, 4, 5, 6), it must have 3 dimensions",
            "conv1d", T(x), T(w));
    drop((ps_tensor *[]){x, w, whole, flat, b, complex}, 6);
}

/* ---- instruction sets ---------------------------------------------------------------------- */

/* The program runs itself with PENSTOCK_ISA in its environment. */
static void other_sets(void **state)
{
    (void)state;
    static const char *const sets[] = {"ref", "avx2", "avx512"};
    for (int i = 0; i < 3; i++) {
        int status;
        if (ps__kernels_find(sets[i]) == NULL)
            continue;
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            setenv("PENSTOCK_ISA", sets[i], 1);
            execl("/proc/self/exe", "test_conv", "values", (char *)NULL);
            _exit(127);
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (status != 0)
            fail_msg("%s: status %x", sets[i], (unsigned)status);
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    alarm(LIMIT_S);
    const struct CMUnitTest only[] = {cmocka_unit_test(values)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(views_and_layouts),
        cmocka_unit_test(bias),
        cmocka_unit_test(types),
        cmocka_unit_test(into_given),
        cmocka_unit_test(transposed),
        cmocka_unit_test(lines),
        cmocka_unit_test(empty),
        cmocka_unit_test(refusals),
        cmocka_unit_test(other_sets),
        cmocka_unit_test(workers_and_modes),
    };
    return argc > 1 ? cmocka_run_group_tests(only, NULL, NULL)
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
