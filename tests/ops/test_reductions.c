/* Reductions: sums follow the fixed tree of kernels.h bit by bit, whatever the layout and the axes;
 * the others against plain loops; types, empty axes, NaN, given outputs, errors. */
#include "kernels/kernels.h" /* before help.h, which has short names of its own */

#include "help.h"
#include "tensor/tensor.h"

static void release_all(ps_tensor **tensors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ps_tensor_release(tensors[i]);
}

#define RELEASE(...)                                                                               \
    release_all((ps_tensor *[]){__VA_ARGS__},                                                      \
                sizeof((ps_tensor *[]){__VA_ARGS__}) / sizeof(ps_tensor *))

/* ---- the tree ---------------------------------------------------------------------------- */

static float leaf_sum(const float *x, int64_t n)
{
    float lanes[PS__LANES] = {0};
    int64_t used = n < PS__LANES ? n : PS__LANES;
    for (int64_t i = 0; i < n; i++)
        lanes[i % PS__LANES] = i < PS__LANES ? x[i] : lanes[i % PS__LANES] + x[i];
    for (int64_t half = PS__LANES / 2; half >= 1; half /= 2)
        for (int64_t i = 0; i < half && i + half < used; i++)
            lanes[i] = lanes[i] + lanes[i + half];
    return lanes[0];
}

/* As kernels.h states it: leaves, then neighbours in pairs until one is left. */
static float tree_sum(const float *x, int64_t n)
{
    int64_t leaves = (n + PS__LEAF - 1) / PS__LEAF;
    if (leaves == 0)
        return 0;
    float *sums = malloc((size_t)leaves * sizeof *sums);
    for (int64_t i = 0; i < leaves; i++)
        sums[i] = leaf_sum(x + i * PS__LEAF, i == leaves - 1 ? n - i * PS__LEAF : PS__LEAF);
    while (leaves > 1) {
        for (int64_t i = 0; i < leaves / 2; i++)
            sums[i] = sums[2 * i] + sums[2 * i + 1];
        if (leaves % 2)
            sums[leaves / 2] = sums[leaves - 1];
        leaves = (leaves + 1) / 2;
    }
    float sum = sums[0];
    free(sums);
    return sum;
}

/* ---- a reference for any axes ------------------------------------------------------------ */

typedef struct cube {
    int ndim;
    int64_t shape[4];
    float *values; /* the last dimension fastest */
    int64_t count;
} cube;

static cube make_cube(int ndim, const int64_t *shape)
{
    cube c = {.ndim = ndim, .count = 1};
    for (int i = 0; i < ndim; i++)
        c.count *= c.shape[i] = shape[i];
    c.values = malloc((size_t)(c.count + 1) * sizeof *c.values);
    uint32_t random = 12345;
    for (int64_t i = 0; i < c.count; i++) {
        random = random * 1664525u + 1013904223u;
        c.values[i] = (float)(int32_t)random / (float)(1 << 28) + 0.01f;
    }
    return c;
}

static int64_t place(const cube *c, const int64_t *index)
{
    int64_t at = 0;
    for (int i = 0; i < c->ndim; i++)
        at = at * c->shape[i] + index[i];
    return at;
}

/* Puts the elements for output `output` in order into `line`; returns how many. */
static int64_t sequence(const cube *c, unsigned axes, int64_t output, float *line)
{
    int64_t index[4] = {0}, length = 1, n;
    for (int i = c->ndim; i-- > 0;) {
        if (axes >> i & 1) {
            length *= c->shape[i];
            continue;
        }
        index[i] = output % c->shape[i];
        output /= c->shape[i];
    }
    for (n = 0; n < length; n++) {
        int64_t rest = n;
        for (int i = c->ndim; i-- > 0;)
            if (axes >> i & 1) {
                index[i] = rest % c->shape[i];
                rest /= c->shape[i];
            }
        line[n] = c->values[place(c, index)];
    }
    return length;
}

/* The cube as a tensor; `which` is how it lies in memory. */
static ps_tensor *cube_tensor(const cube *c, int which)
{
    ps_tensor *x = from_floats(c->ndim, c->shape, c->values), *base, *view;
    int64_t shape[4];
    int axes[4];
    ps_index indices[4];
    if (which == 0)
        return x;
    for (int i = 0; i < c->ndim; i++) {
        int to = which == 1 ? c->ndim - 1 - i : (i + 1) % c->ndim; /* reversed, rotated */
        shape[to] = c->shape[i];
        axes[i] = to;
        indices[i] = (ps_index){PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, -1};
    }
    if (which == 3) { /* every second one, backward */
        for (int i = 0; i < c->ndim; i++) {
            shape[i] = 2 * c->shape[i];
            indices[i] = (ps_index){PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, -2};
        }
    }
    base = call("zeros", 1, (ps_arg[]){{PS_ARG_INTS, (uint32_t)c->ndim, {.ints = shape}}});
    if (which == 3)
        CHECK_OK(ps_tensor_index(base, indices, (size_t)c->ndim, &view));
    else
        CHECK_OK(ps_tensor_permute(base, axes, c->ndim, &view));
    CHECK_OK(call_into("assign", ARGS(T(x)), &view));
    ps_tensor_release(x);
    ps_tensor_release(base);
    return view;
}

static ps_tensor *reduce(const char *name, ps_tensor *x, unsigned axes, bool keepdims)
{
    int64_t ints[4];
    uint32_t count = 0;
    for (int i = 0; i < ps_tensor_ndim(x); i++)
        if (axes >> i & 1)
            ints[count++] = i % 2 ? i - ps_tensor_ndim(x) : i; /* some from the end */
    ps_arg args[4] = {T(x), {.kind = PS_ARG_INTS, .count = count, .as.ints = ints}};
    size_t keep = strcmp(name, "var") == 0 || strcmp(name, "std") == 0 ? 3 : 2;
    args[keep] = B(keepdims);
    return call(name, keep + 1, args);
}

static void check_shape_of(const cube *c, unsigned axes, bool keepdims, const ps_tensor *y)
{
    int64_t shape[4];
    int ndim = 0;
    for (int i = 0; i < c->ndim; i++)
        if (!(axes >> i & 1) || keepdims)
            shape[ndim++] = axes >> i & 1 ? 1 : c->shape[i];
    check_shape(y, ndim, shape, __FILE__, __LINE__);
}

static void check_sums(const cube *c, int which, unsigned axes, bool keepdims)
{
    ps_tensor *x = cube_tensor(c, which), *y = reduce("sum", x, axes, keepdims);
    check_shape_of(c, axes, keepdims, y);
    int64_t outputs = ps_tensor_count(y);
    float *sums = malloc((size_t)(outputs + 1) * sizeof *sums);
    float *line = malloc((size_t)(c->count + 1) * sizeof *line);
    CHECK_OK(ps_tensor_to_host(y, sums, (size_t)outputs * sizeof *sums));
    for (int64_t i = 0; i < outputs; i++) {
        float wanted = tree_sum(line, sequence(c, axes, i, line));
        if (memcmp(&sums[i], &wanted, sizeof wanted) != 0)
            fail_msg("layout %d, axes %x: sum %lld is %.9g, not %.9g", which, axes, (long long)i,
                     (double)sums[i], (double)wanted);
    }
    free(sums);
    free(line);
    RELEASE(x, y);
}

static void sums_over_every_set_of_axes(void **state)
{
    (void)state;
    cube c = make_cube(SHAPE(5, 6, 9, 40));
    for (int which = 0; which < 4; which++)
        for (unsigned axes = 0; axes < 16; axes++)
            check_sums(&c, which, axes, axes % 3 == 0);
    free(c.values);
}

static void sums_longer_than_a_leaf(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{3, 5000, 1},   {5000, 1, 3}, {5000, 30, 1}, {1025, 200, 1},
                                        {1, 300000, 1}, {70, 70, 3},  {2, 3000, 9},  {1024, 8, 1},
                                        {1, 1023, 1},   {17, 1, 130}, {2, 66000, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        cube c = make_cube(3, shapes[i]);
        for (int which = 0; which < 4; which++)
            for (unsigned axes = 1; axes < 8; axes += i % 2 + 1)
                check_sums(&c, which, axes, false);
        free(c.values);
    }
}

static void sums_do_not_depend_on_workers(void **state)
{
    (void)state;
    ps_engine *engine;
    unsigned before;
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_engine_workers(engine, &before));
    cube c = make_cube(SHAPE(3, 70000));
    for (unsigned workers = 1; workers <= 4; workers++) {
        CHECK_OK(ps_engine_set_workers(engine, workers));
        check_sums(&c, 0, 2, false);
        check_sums(&c, 1, 3, false);
    }
    CHECK_OK(ps_engine_set_workers(engine, before));
    free(c.values);
}

/* ---- the other reductions ---------------------------------------------------------------- */

static float reference(const char *name, float *line, int64_t n)
{
    float result = tree_sum(line, n) / (float)n, top = line[0], bottom = line[0];
    for (int64_t i = 0; i < n; i++) {
        top = line[i] > top ? line[i] : top;
        bottom = line[i] < bottom ? line[i] : bottom;
    }
    if (strcmp(name, "max") == 0)
        return top;
    if (strcmp(name, "min") == 0)
        return bottom;
    if (strcmp(name, "mean") == 0)
        return result;
    float mean = strcmp(name, "norm") == 0 ? 0 : result;
    for (int64_t i = 0; i < n; i++)
        line[i] = (line[i] - mean) * (line[i] - mean);
    result = tree_sum(line, n);
    if (strcmp(name, "norm") == 0)
        return sqrtf(result);
    return strcmp(name, "var") == 0 ? result / (float)n : sqrtf(result / (float)n);
}

static void the_others_over_every_set_of_axes(void **state)
{
    (void)state;
    static const char *const names[] = {"mean", "max", "min", "norm", "var", "std"};
    cube c = make_cube(SHAPE(5, 4, 3, 70));
    float *line = malloc((size_t)c.count * sizeof *line);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        for (unsigned axes = 0; axes < 16; axes++) {
            ps_tensor *x = cube_tensor(&c, (int)(axes + n) % 4);
            ps_tensor *y = reduce(names[n], x, axes, axes % 2);
            check_shape_of(&c, axes, axes % 2, y);
            double *values = values_of(y);
            for (int64_t i = 0; i < ps_tensor_count(y); i++) {
                int64_t length = sequence(&c, axes, i, line);
                float wanted = reference(names[n], line, length);
                if ((float)values[i] != wanted)
                    fail_msg("%s, axes %x: %.9g, not %.9g", names[n], axes, values[i],
                             (double)wanted);
            }
            free(values);
            RELEASE(x, y);
        }
    free(line);
    free(c.values);
}

static void truth_and_products(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(2, 3)), *any = CALL("any", T(x), I(0));
    ps_tensor *all = CALL("all", T(x), I(0)), *some = CALL("any", T(x)), *whole = CALL("all", T(x));
    ps_tensor *product = CALL("prod", T(x), I(0)), *everything = CALL("prod", T(x));
    assert_int_equal(ps_tensor_dtype(any), PS_BOOL);
    assert_int_equal(ps_tensor_dtype(product), PS_INT64);
    CHECK_VALUES(any, 1, 1, 1);
    CHECK_VALUES(all, 0, 1, 1);
    CHECK_VALUES(some, 1);
    CHECK_VALUES(whole, 0);
    CHECK_VALUES(product, 0, 4, 10);
    CHECK_VALUES(everything, 0);
    RELEASE(x, any, all, some, whole, product, everything);
}

static void nan_wins(void **state)
{
    (void)state;
    float values[] = {1, NAN, 3, 4, -INFINITY, 6};
    ps_tensor *x = from_floats(SHAPE(2, 3), values), *most = CALL("max", T(x), I(1));
    ps_tensor *least = CALL("min", T(x), I(1)), *sum = CALL("sum", T(x), I(1));
    ps_tensor *place = CALL("argmax", T(x), I(1)), *any = CALL("any", T(x));
    CHECK_VALUES(most, NAN, 6);
    CHECK_VALUES(least, NAN, -INFINITY);
    CHECK_VALUES(sum, NAN, -INFINITY);
    CHECK_VALUES(place, 1, 2);
    CHECK_VALUES(any, 1);
    RELEASE(x, most, least, sum, place, any);
    float *long_values = calloc(5000, sizeof *long_values); /* in any lane of any leaf */
    for (int at = 0; at < 5000; at += 611) {
        long_values[at] = NAN;
        ps_tensor *y = from_floats(SHAPE(5000), long_values), *top = CALL("max", T(y));
        CHECK_VALUES(top, NAN);
        RELEASE(y, top);
        long_values[at] = 0;
    }
    free(long_values);
}

static void places_of_extremes(void **state)
{
    (void)state;
    int32_t values[] = {3, 9, 1, 9, 2, 1};
    ps_tensor *x;
    CHECK_OK(ps_tensor_from_host(PS_INT32, SHAPE(2, 3), NULL, values, NULL, &x));
    ps_tensor *top = CALL("argmax", T(x)), *low = CALL("argmin", T(x));
    ps_tensor *rows = CALL("argmax", T(x), I(-1)), *columns = CALL("argmin", T(x), I(0), B(true));
    assert_int_equal(ps_tensor_dtype(top), PS_INT64);
    CHECK_VALUES(top, 1);
    CHECK_VALUES(low, 2);
    CHECK_VALUES(rows, 1, 0);
    CHECK_SHAPE(columns, 1, 3);
    CHECK_VALUES(columns, 0, 1, 0);
    RELEASE(x, top, low, rows, columns);
}

/* ---- types ------------------------------------------------------------------------------- */

static void types_of_sums(void **state)
{
    (void)state;
    static const ps_dtype sums[] = {PS_INT64,   PS_INT64,     PS_INT64,     PS_INT64,
                                    PS_INT64,   PS_UINT64,    PS_UINT64,    PS_UINT64,
                                    PS_UINT64,  PS_FLOAT16,   PS_BFLOAT16,  PS_FLOAT32,
                                    PS_FLOAT64, PS_COMPLEX64, PS_COMPLEX128};
    for (int d = 0; d < 15; d++) {
        ps_dtype dtype = (ps_dtype)d;
        ps_tensor *x = counted(dtype, SHAPE(3, 6)), *sum = CALL("sum", T(x), I(1));
        ps_tensor *mean = CALL("mean", T(x), I(1)),
                  *typed = CALL("sum", T(x), I(1), B(false), D(PS_COMPLEX128));
        assert_int_equal(ps_tensor_dtype(sum), sums[d]);
        assert_int_equal(ps_tensor_dtype(mean), d >= PS_FLOAT16 ? dtype : PS_FLOAT32);
        assert_int_equal(ps_tensor_dtype(typed), PS_COMPLEX128);
        if (d == PS_BOOL) {
            CHECK_VALUES(sum, 5, 6, 6);
        } else {
            CHECK_VALUES(sum, 15, 51, 87);
            CHECK_VALUES(mean, 2.5, 8.5, 14.5);
            CHECK_VALUES(typed, 15, 51, 87);
        }
        if (d < PS_COMPLEX64) {
            ps_tensor *top = CALL("max", T(x), I(0));
            assert_int_equal(ps_tensor_dtype(top), dtype);
            RELEASE(top);
        }
        RELEASE(x, sum, mean, typed);
    }
}

/* Small integers do not overflow on the way; 16-bit floats add up as float32. */
static void sums_are_made_wide(void **state)
{
    (void)state;
    ps_tensor *bytes = CALL("full", INTS(1000), I(200), D(PS_UINT8)), *sum = CALL("sum", T(bytes));
    CHECK_VALUES(sum, 200000);
    ps_tensor *halves = CALL("full", INTS(5000), F(1), D(PS_FLOAT16)),
              *half = CALL("sum", T(halves));
    CHECK_VALUES(half, 5000); /* counting by ones in float16 ends at 2048 */
    ps_tensor *brains = CALL("full", INTS(5000), F(1), D(PS_BFLOAT16)),
              *mean = CALL("mean", T(brains));
    CHECK_VALUES(mean, 1);
    ps_tensor *narrow = CALL("sum", T(bytes), NONE, B(false), D(PS_UINT8));
    CHECK_VALUES(narrow, 200000 % 256);
    ps_tensor *ints = CALL("full", INTS(3), I(INT32_MAX), D(PS_INT32)),
              *average = CALL("mean", T(ints));
    CHECK_VALUES(average, (double)(float)INT32_MAX);
    RELEASE(bytes, sum, halves, half, brains, mean, narrow, ints, average);
}

static void complex_numbers(void **state)
{
    (void)state;
    float parts[] = {3, 4, 0, -1, 1, 1};
    ps_tensor *x;
    CHECK_OK(ps_tensor_from_host(PS_COMPLEX64, SHAPE(3), NULL, parts, NULL, &x));
    ps_tensor *sum = CALL("sum", T(x)), *real, *imaginary, *out = NULL, *norm = CALL("norm", T(x));
    CHECK_OK(ps_tensor_part(sum, false, &real));
    CHECK_OK(ps_tensor_part(sum, true, &imaginary));
    CHECK_VALUES(real, 4);
    CHECK_VALUES(imaginary, 4);
    assert_int_equal(ps_tensor_dtype(norm), PS_FLOAT32);
    double *values = values_of(norm);
    assert_true(fabs(values[0] - sqrt(28)) < 1e-5);
    free(values);
    CHECK_FAILS(PS_ERR_TYPE, "max: complex64 has no order", call_into("max", ARGS(T(x)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "sum: no rule for complex64 as float32",
                call_into("sum", ARGS(T(x), NONE, B(false), D(PS_FLOAT32)), &out));
    RELEASE(x, sum, real, imaginary, norm);
}

/* ---- nothing to combine ------------------------------------------------------------------ */

static void sequences_without_elements(void **state)
{
    (void)state;
    ps_tensor *x = CALL("zeros", INTS(2, 0)), *out = NULL;
    const struct {
        const char *name;
        double value;
    } cases[] = {{"sum", 0},    {"prod", 1}, {"any", 0},  {"all", 1},
                 {"mean", NAN}, {"norm", 0}, {"var", NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ps_tensor *y = CALL(cases[i].name, T(x), I(1)), *z = CALL(cases[i].name, T(x), I(0));
        CHECK_VALUES(y, cases[i].value, cases[i].value);
        CHECK_SHAPE(z, 0);
        CHECK_OK(ps_tensor_wait(z, NULL));
        RELEASE(y, z);
    }
    CHECK_FAILS(PS_ERR_ARGUMENT, "max: no elements along the axes of shape (2, 0)",
                call_into("max", ARGS(T(x)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(2, 0)", call_into("argmin", ARGS(T(x), I(1)), &out));
    ps_tensor *nothing = CALL("max", T(x), I(0)); /* no outputs, so nothing is missing */
    CHECK_SHAPE(nothing, 0);
    RELEASE(x, nothing);
}

static void no_axes_and_no_dimensions(void **state)
{
    (void)state;
    ps_arg no_axes = {.kind = PS_ARG_INTS};
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 2)), *same = CALL("sum", T(x), no_axes);
    ps_tensor *point = counted(PS_FLOAT32, 0, NULL), *out = NULL;
    CHECK_SHAPE(same, 2, 2);
    CHECK_VALUES(same, 0, 1, 2, 3);
    ps_tensor *sum = CALL("sum", T(point)), *spread = CALL("var", T(x), no_axes);
    assert_int_equal(ps_tensor_ndim(sum), 0);
    CHECK_VALUES(sum, 0);
    CHECK_VALUES(spread, 0, 0, 0, 0);
    CHECK_FAILS(PS_ERR_ARGUMENT, "sum: axis 0 is out of range for 0 dimensions",
                call_into("sum", ARGS(T(point), I(0)), &out));
    RELEASE(x, same, point, sum, spread);
}

static void corrected_variance(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT64, SHAPE(5)), *y = CALL("var", T(x), NONE, F(1));
    ps_tensor *none = CALL("var", T(x), NONE, F(5)), *root = CALL("std", T(x), NONE, F(1));
    CHECK_VALUES(y, 2.5);
    CHECK_VALUES(none, INFINITY);
    CHECK_VALUES(root, sqrt(2.5));
    RELEASE(x, y, none, root);
}

/* ---- outputs that are given, and errors --------------------------------------------------- */

static void given_outputs(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *out = CALL("zeros", INTS(3)), *row;
    CHECK_OK(call_into("sum", ARGS(T(x), I(0)), &out));
    CHECK_VALUES(out, 3, 5, 7);
    CHECK_OK(ps_tensor_index(x, &(ps_index){PS_INDEX_AT, 0, 0, 0}, 1, &row));
    CHECK_OK(call_into("sum", ARGS(T(x), I(0)), &row)); /* into what is being summed */
    CHECK_VALUES(x, 3, 5, 7, 3, 4, 5);
    CHECK_FAILS(PS_ERR_ARGUMENT, "the output has shape (3,), the result (2,)",
                call_into("sum", ARGS(T(x), I(1)), &out));
    RELEASE(x, out, row);
}

static void given_outputs_of_a_lesser_kind(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3)), *whole = CALL("zeros", INTS(1), D(PS_INT32));
    ps_tensor *point = CALL("reshape", T(whole), (ps_arg){.kind = PS_ARG_INTS});
    CHECK_FAILS(PS_ERR_TYPE, "mean: a result of float32 cannot be written into int32",
                call_into("mean", ARGS(T(x)), &point));
    RELEASE(x, whole, point);
}

static void axes_are_checked(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "sum: axis 2 is out of range for 2 dimensions",
                call_into("sum", ARGS(T(x), I(2)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis -3", call_into("mean", ARGS(T(x), INTS(0, -3)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "sum: axis 1 is given twice",
                call_into("sum", ARGS(T(x), INTS(1, -1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "var: axis 7", call_into("var", ARGS(T(x), I(7)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "argmax: axis 4", call_into("argmax", ARGS(T(x), I(4)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "sum: argument x must be a tensor",
                call_into("sum", ARGS(I(2)), &out));
    assert_null(out);
    RELEASE(x);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_over_every_set_of_axes),
        cmocka_unit_test(sums_longer_than_a_leaf),
        cmocka_unit_test(sums_do_not_depend_on_workers),
        cmocka_unit_test(the_others_over_every_set_of_axes),
        cmocka_unit_test(truth_and_products),
        cmocka_unit_test(nan_wins),
        cmocka_unit_test(places_of_extremes),
        cmocka_unit_test(types_of_sums),
        cmocka_unit_test(sums_are_made_wide),
        cmocka_unit_test(complex_numbers),
        cmocka_unit_test(sequences_without_elements),
        cmocka_unit_test(no_axes_and_no_dimensions),
        cmocka_unit_test(corrected_variance),
        cmocka_unit_test(given_outputs),
        cmocka_unit_test(given_outputs_of_a_lesser_kind),
        cmocka_unit_test(axes_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
