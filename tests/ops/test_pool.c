/* Pooling and what flows back through it, against plain loops: strides, padding, ceil_mode, what a mean
 * counts; NaN and ties; views, layouts, types; the same bits whatever the number of workers. What is
 * refused. */
#include "image_help.h"

typedef struct config {
    int64_t n, c, h, w, kernel[2], stride[2], padding[2];
    bool up;
} config;

static const config configs[] = {
    {1, 1, 4, 4, {2, 2}, {2, 2}, {0, 0}, false},
    {2, 3, 7, 5, {3, 2}, {2, 1}, {1, 1}, false},
    {1, 2, 7, 8, {3, 3}, {2, 2}, {1, 1}, true},
    {1, 2, 5, 6, {3, 3}, {1, 1}, {2, 2}, false},
    {2, 2, 6, 6, {2, 3}, {3, 4}, {0, 2}, true},
    {1, 3, 1, 40, {1, 5}, {1, 3}, {0, 0}, false},
    {1, 1, 9, 7, {9, 7}, {1, 1}, {0, 0}, false},
    {3, 70, 16, 16, {3, 3}, {2, 2}, {1, 1}, false},
    {1, 1, 5, 5, {2, 2}, {7, 7}, {1, 1}, true},
    {2, 2, 7, 9, {2, 2}, {2, 2}, {0, 0}, false},
    {1, 2, 9, 7, {2, 2}, {3, 2}, {0, 0}, true},
    {1, 1, 50, 50, {3, 3}, {1, 1}, {1, 1}, false},
    {1, 1, 96, 94, {2, 2}, {2, 2}, {1, 0}, false},
    /* two by two, side by side: rows of 1, 3, 4, 7, 8, 13, 16 and more windows, many rows of them */
    {2, 2, 4, 2, {2, 2}, {2, 2}, {0, 0}, false},
    {2, 3, 2, 6, {2, 2}, {2, 2}, {0, 0}, false},
    {1, 5, 6, 8, {2, 2}, {2, 2}, {0, 0}, false},
    {3, 4, 14, 14, {2, 2}, {2, 2}, {0, 0}, false},
    {2, 2, 4, 16, {2, 2}, {2, 2}, {0, 0}, false},
    {1, 2, 8, 26, {2, 2}, {2, 2}, {0, 0}, false},
    {5, 6, 28, 32, {2, 2}, {2, 2}, {0, 0}, false},
    {1, 1, 130, 74, {2, 2}, {2, 2}, {0, 0}, false},
    {1, 1, 2, 2100, {2, 2}, {2, 2}, {0, 0}, false},
};
enum { CONFIGS = sizeof configs / sizeof configs[0] };

static int64_t windows(const config *k, int axis)
{
    int64_t length = axis == 0 ? k->h : k->w;
    int64_t last = length + 2 * k->padding[axis] - k->kernel[axis];
    int64_t count = last / k->stride[axis] + 1;
    if (k->up && last % k->stride[axis] != 0 && count * k->stride[axis] < length + k->padding[axis])
        count++;
    return count;
}

/* A window as [low, high) of each axis, and how many elements it has with the padding's. */
typedef struct frame {
    int64_t low[2], high[2], padded;
} frame;

static frame frame_of(const config *k, int64_t i, int64_t j)
{
    frame f = {.padded = 1};
    const int64_t at[] = {i, j}, length[] = {k->h, k->w};
    for (int a = 0; a < 2; a++) {
        int64_t first = at[a] * k->stride[a] - k->padding[a], end = first + k->kernel[a];
        f.low[a] = first < 0 ? 0 : first;
        f.high[a] = end < length[a] ? end : length[a];
        f.padded *= (end < length[a] + k->padding[a] ? end : length[a] + k->padding[a]) - first;
    }
    return f;
}

/* Where x is first largest; NaN is larger than all. */
static int64_t place_of(const double *plane, int64_t width, const frame *f)
{
    int64_t place = f->low[0] * width + f->low[1];
    for (int64_t i = f->low[0]; i < f->high[0]; i++)
        for (int64_t j = f->low[1]; j < f->high[1]; j++) {
            double now = plane[i * width + j], most = plane[place];
            if (now > most || (isnan(now) && !isnan(most)))
                place = i * width + j;
        }
    return place;
}

/* What loops make of x, of z and of what flows. */
enum { LARGEST, PICK, SPREAD, AVERAGE, AVERAGE_BARE, SHARE, SHARE_BARE, RESULTS };

typedef struct given {
    const config *k;
    int64_t large[4], small[4];
    double *x, *z, *dy, *wanted[RESULTS];
} given;

static bool is_large(int which)
{
    return which == SPREAD || which == SHARE || which == SHARE_BARE;
}

static const int64_t *shape_of(const given *g, int which)
{
    return is_large(which) ? g->large : g->small;
}

static void find_window(given *g, int64_t channel, int64_t i, int64_t j)
{
    const config *k = g->k;
    int64_t base = channel * k->h * k->w, y = (channel * windows(k, 0) + i) * windows(k, 1) + j;
    frame f = frame_of(k, i, j);
    int64_t place = base + place_of(g->x + base, k->w, &f);
    double bare = (double)((f.high[0] - f.low[0]) * (f.high[1] - f.low[1])), sum = 0;
    g->wanted[LARGEST][y] = g->x[place];
    g->wanted[PICK][y] = g->z[place];
    g->wanted[SPREAD][place] += g->dy[y];
    for (int64_t a = f.low[0]; a < f.high[0]; a++)
        for (int64_t b = f.low[1]; b < f.high[1]; b++) {
            sum += g->x[base + a * k->w + b];
            g->wanted[SHARE][base + a * k->w + b] += g->dy[y] / (double)f.padded;
            g->wanted[SHARE_BARE][base + a * k->w + b] += g->dy[y] / bare;
        }
    g->wanted[AVERAGE][y] = sum / (double)f.padded;
    g->wanted[AVERAGE_BARE][y] = sum / bare;
}

static void begin(given *g, const config *k)
{
    *g = (given){.k = k,
                 .large = {k->n, k->c, k->h, k->w},
                 .small = {k->n, k->c, windows(k, 0), windows(k, 1)}};
    g->x = numbers_of(1, product_of(g->large, 4));
    g->z = numbers_of(2, product_of(g->large, 4));
    g->dy = numbers_of(3, product_of(g->small, 4));
    for (int i = 0; i < RESULTS; i++)
        g->wanted[i] = calloc((size_t)product_of(shape_of(g, i), 4) + 1, sizeof(double));
    for (int64_t channel = 0; channel < k->n * k->c; channel++)
        for (int64_t i = 0; i < windows(k, 0); i++)
            for (int64_t j = 0; j < windows(k, 1); j++)
                find_window(g, channel, i, j);
}

static void end(given *g)
{
    free(g->x);
    free(g->z);
    free(g->dy);
    for (int i = 0; i < RESULTS; i++)
        free(g->wanted[i]);
}

enum { X, Z, DY, OPERANDS };

static void make(const given *g, ps_dtype dtype, ps_tensor **t)
{
    t[X] = tensor_of(dtype, g->x, g->large);
    t[Z] = tensor_of(dtype, g->z, g->large);
    t[DY] = tensor_of(dtype, g->dy, g->small);
}

static void drop(ps_tensor **t, int count)
{
    for (int i = 0; i < count; i++)
        ps_tensor_release(t[i]);
}

static ps_tensor *run(const given *g, int which, ps_tensor *const *t, bool last)
{
    const config *k = g->k;
    int64_t turned_shape[4] = {k->n, k->h, k->w, k->c};
    ps_arg kernel = lengths(k->kernel, 2), stride = lengths(k->stride, 2);
    ps_arg padding = lengths(k->padding, 2), up = B(k->up), layout = last ? S("NHWC") : NONE;
    ps_arg shape = lengths(last ? turned_shape : g->large, 4);
    bool bare = which == AVERAGE_BARE || which == SHARE_BARE;
    switch (which) {
    case LARGEST:
        return CALL("max_pool2d", T(t[X]), kernel, stride, padding, up, layout);
    case PICK:
        return CALL("max_pool2d_pick", T(t[Z]), T(t[X]), kernel, stride, padding, up, layout);
    case SPREAD:
        return CALL("max_pool2d_data", T(t[DY]), T(t[X]), kernel, stride, padding, up, layout);
    case AVERAGE:
    case AVERAGE_BARE:
        return CALL("avg_pool2d", T(t[X]), kernel, stride, padding, up, B(!bare), layout);
    default:
        return CALL("avg_pool2d_data", T(t[DY]), shape, kernel, stride, padding, up, B(!bare),
                    layout);
    }
}

/* ---- tests --------------------------------------------------------------------------------- */

static void values(void **state)
{
    (void)state;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64, PS_FLOAT16};
    static const double room[] = {2e-6, 1e-14, 4e-3};
    for (int i = 0; i < CONFIGS; i++)
        for (int d = 0; d < 3; d++) {
            given g;
            ps_tensor *t[OPERANDS];
            begin(&g, &configs[i]);
            make(&g, dtypes[d], t);
            for (int which = 0; which < RESULTS; which++) {
                char about[80];
                snprintf(about, sizeof about, "configuration %d, result %d", i, which);
                ps_tensor *found = run(&g, which, t, false);
                assert_int_equal(ps_tensor_dtype(found), dtypes[d]);
                check_near(found, shape_of(&g, which), g.wanted[which], NULL, room[d], about);
                ps_tensor_release(found);
            }
            drop(t, OPERANDS);
            end(&g);
        }
}

static void views_and_layouts(void **state)
{
    (void)state;
    static const int64_t order[4] = {3, 1, 0, 2};
    for (int i = 0; i < CONFIGS; i++) {
        given g;
        ps_tensor *t[OPERANDS], *views[OPERANDS], *last[OPERANDS];
        begin(&g, &configs[i]);
        make(&g, PS_FLOAT32, t);
        for (int k = 0; k < OPERANDS; k++) {
            views[k] = turned(t[k], order);
            last[k] = permuted_copy(t[k], to_last);
        }
        for (int which = 0; which < RESULTS; which++) {
            ps_tensor *plain = run(&g, which, t, false), *view = run(&g, which, views, false);
            ps_tensor *made = run(&g, which, last, true), *back = permuted_copy(made, to_first);
            check_same_bits(plain, view, "a view");
            check_same_bits(plain, back, "channels last");
            drop((ps_tensor *[]){plain, view, made, back}, 4);
        }
        drop(t, OPERANDS);
        drop(views, OPERANDS);
        drop(last, OPERANDS);
        end(&g);
    }
}

static void workers(void **state)
{
    (void)state;
    static const unsigned counts[] = {1, 2, 3, 8};
    for (int i = 0; i < CONFIGS; i++) {
        given g;
        ps_tensor *t[OPERANDS], *first[RESULTS];
        begin(&g, &configs[i]);
        make(&g, PS_FLOAT32, t);
        for (int k = 0; k < 4; k++) {
            set_workers(counts[k]);
            for (int which = 0; which < RESULTS; which++) {
                ps_tensor *found = run(&g, which, t, false);
                CHECK_OK(ps_tensor_wait(found, NULL));
                if (k == 0)
                    first[which] = found;
                else
                    check_same_bits(first[which], found, "other workers");
                if (k != 0)
                    ps_tensor_release(found);
            }
        }
        drop(first, RESULTS);
        drop(t, OPERANDS);
        end(&g);
    }
}

/* The first of equal elements gets what flows; a NaN is the largest. */
static void ties_and_nan(void **state)
{
    (void)state;
    float nan = NAN;
    ps_tensor *x = from_floats(SHAPE(1, 1, 2, 4), (float[]){1, 1, 3, nan, 1, 1, nan, 2});
    ps_tensor *low = from_floats(SHAPE(1, 1, 1, 2), (float[]){-INFINITY, -INFINITY});
    ps_tensor *dy = from_floats(SHAPE(1, 1, 1, 2), (float[]){5, 7});
    ps_tensor *y = CALL("max_pool2d", T(x), I(2)), *dx = CALL("max_pool2d_data", T(dy), T(x), I(2));
    CHECK_VALUES(y, 1, NAN);
    CHECK_VALUES(dx, 5, 0, 0, 7, 0, 0, 0, 0);
    ps_tensor *least = CALL("max_pool2d", T(low), INTS(1, 2), NONE, INTS(0, 1));
    CHECK_VALUES(least, -INFINITY, -INFINITY);
    drop((ps_tensor *[]){x, low, dy, y, dx, least}, 6);
}

/* Many ties, NaN and zeros of both signs: windows that lie side by side as those in a view. */
static void ties_side_by_side(void **state)
{
    (void)state;
    static const int64_t order[4] = {3, 1, 0, 2}, widths[] = {2, 6, 8, 14, 16, 26, 40};
    static const float few[] = {0, -0.0f, 1, -1, NAN, -INFINITY, 1, 0};
    enum { MOST = 2 * 3 * 8 * 40 };
    float x_values[MOST], dy_values[MOST];
    for (int i = 0; i < MOST; i++) {
        x_values[i] = few[(unsigned)i * 2654435761u >> 29];
        dy_values[i] = (float)(i % 17) - 8;
    }
    for (unsigned k = 0; k < sizeof widths / sizeof widths[0]; k++) {
        ps_tensor *x = from_floats(SHAPE(2, 3, 8, widths[k]), x_values);
        ps_tensor *dy = from_floats(SHAPE(2, 3, 4, widths[k] / 2), dy_values);
        ps_tensor *view = turned(x, order);
        ps_tensor *y = CALL("max_pool2d", T(x), I(2)), *other = CALL("max_pool2d", T(view), I(2));
        ps_tensor *dx = CALL("max_pool2d_data", T(dy), T(x), I(2));
        ps_tensor *other_dx = CALL("max_pool2d_data", T(dy), T(view), I(2));
        check_same_bits(other, y, "the largest");
        check_same_bits(other_dx, dx, "its place");
        drop((ps_tensor *[]){x, dy, view, y, other, dx, other_dx}, 7);
    }
}

static void all_pixels(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(1, 2, 2, 2)), *last = permuted_copy(x, to_last);
    ps_tensor *top = CALL("global_max_pool2d", T(x)), *mean = CALL("global_avg_pool2d", T(x));
    ps_tensor *top_last = CALL("global_max_pool2d", T(last), S("NHWC"));
    ps_tensor *mean_last = CALL("global_avg_pool2d", T(last), S("NHWC"));
    CHECK_SHAPE(top, 1, 2, 1, 1);
    CHECK_VALUES(top, 3, 7);
    CHECK_VALUES(mean, 1.5, 5.5);
    CHECK_SHAPE(mean_last, 1, 1, 1, 2);
    CHECK_VALUES(top_last, 3, 7);
    CHECK_VALUES(mean_last, 1.5, 5.5);
    drop((ps_tensor *[]){x, last, top, mean, top_last, mean_last}, 6);
}

static void into_given(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(1, 1, 2, 4)), *base = CALL("zeros", INTS(2, 1, 1, 1));
    ps_tensor *part;
    CHECK_OK(ps_tensor_permute(base, NULL, 0, &part));
    CHECK_OK(call_into("max_pool2d", ARGS(T(x), I(2)), &part));
    CHECK_VALUES(base, 5, 7);
    CHECK_OK(call_into("max_pool2d", ARGS(T(x), I(1)), &x));
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5, 6, 7);
    drop((ps_tensor *[]){x, base, part}, 3);
}

static void empty(void **state)
{
    (void)state;
    ps_tensor *x = CALL("zeros", INTS(0, 2, 4, 4)), *y = CALL("max_pool2d", T(x), I(2));
    ps_tensor *mean = CALL("avg_pool2d", T(x), I(3)),
              *dx = CALL("max_pool2d_data", T(y), T(x), I(2));
    CHECK_SHAPE(y, 0, 2, 2, 2);
    CHECK_SHAPE(mean, 0, 2, 1, 1);
    CHECK_SHAPE(dx, 0, 2, 4, 4);
    drop((ps_tensor *[]){x, y, mean, dx}, 4);
}

#define REFUSED(status, text, name, ...)                                                           \
    CHECK_FAILS(status, text, call_into(name, ARGS(__VA_ARGS__), &out))

static void refusals(void **state)
{
    (void)state;
    ps_tensor *x = CALL("zeros", INTS(1, 1, 4, 5)), *flat = CALL("zeros", INTS(4, 5)), *out = NULL;
    ps_tensor *whole = CALL("zeros", INTS(1, 1, 4, 5), D(PS_BOOL));
    ps_tensor *thin = CALL("zeros", INTS(1, 1, 0, 5));
    REFUSED(PS_ERR_TYPE, "max_pool2d: x must be floating-point numbers, not bool", "max_pool2d",
            T(whole), I(2));
    REFUSED(PS_ERR_ARGUMENT, "avg_pool2d: x has shape (4, 5), it must have 4 dimensions",
            "avg_pool2d", T(flat), I(2));
    REFUSED(PS_ERR_ARGUMENT, "max_pool2d: kernel is 0, it must be 1 to", "max_pool2d", T(x),
            INTS(2, 0));
    REFUSED(PS_ERR_ARGUMENT, "max_pool2d: stride is 0, it must be 1 to", "max_pool2d", T(x), I(2),
            I(0));
    REFUSED(PS_ERR_ARGUMENT, "max_pool2d: padding 2 is not less than the kernel, 2", "max_pool2d",
            T(x), I(2), NONE, I(2));
    REFUSED(PS_ERR_ARGUMENT,
            "a kernel of 7 with dilation 1 is larger than the input of 4 with padding 1 along H",
            "avg_pool2d", T(x), I(7), NONE, I(1));
    REFUSED(PS_ERR_ARGUMENT, "max_pool2d: there are no pixels in shape (1, 1, 0, 5)", "max_pool2d",
            T(thin), I(1));
    REFUSED(PS_ERR_ARGUMENT, "max_pool2d_data: dy has shape (1, 1, 4, 5), the others ask for",
            "max_pool2d_data", T(x), T(x), I(2));
    REFUSED(PS_ERR_ARGUMENT, "avg_pool2d_data: shape is (4, 5), it must have 4 lengths",
            "avg_pool2d_data", T(x), INTS(4, 5), I(2));
    REFUSED(PS_ERR_ARGUMENT, "global_avg_pool2d: x has shape (4, 5)", "global_avg_pool2d", T(flat));
    drop((ps_tensor *[]){x, flat, whole, thin}, 4);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),       cmocka_unit_test(views_and_layouts),
        cmocka_unit_test(ties_and_nan), cmocka_unit_test(ties_side_by_side),
        cmocka_unit_test(all_pixels),   cmocka_unit_test(into_given),
        cmocka_unit_test(empty),        cmocka_unit_test(refusals),
        cmocka_unit_test(workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
