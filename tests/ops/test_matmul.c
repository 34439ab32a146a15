/* matmul: NumPy's rules for shapes and types, outputs that are given, errors; and the same bits
 * whatever the number of workers, over random shapes, layouts and element types. */
#include <complex.h>
#undef I /* means an integer argument here */

#include "ops/help.h"

/* ---- helpers ----------------------------------------------------------------------------- */

static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static int64_t below(int64_t n)
{
    return (int64_t)(next() % (uint64_t)n);
}

static bool is_float(ps_dtype dtype)
{
    return dtype >= PS_FLOAT16;
}

static ps_tensor *random_tensor(ps_dtype dtype, int ndim, const int64_t *shape)
{
    bool two = dtype == PS_COMPLEX64 || dtype == PS_COMPLEX128;
    size_t count = two ? 2 : 1;
    for (int i = 0; i < ndim; i++)
        count *= (size_t)shape[i];
    double *values = calloc(count + 1, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = is_float(dtype) ? (double)(next() >> 11) / 4503599627370496.0 - 1
                                    : (double)(next() % 15) - (dtype == PS_INT32 ? 7 : 0);
    ps_tensor *wide;
    CHECK_OK(ps_tensor_from_host(two ? PS_COMPLEX128 : PS_FLOAT64, ndim, shape, NULL, values, NULL,
                                 &wide));
    free(values);
    ps_tensor *result = CALL("cast", T(wide), D(dtype));
    ps_tensor_release(wide);
    return result;
}

enum { PLAIN, SWAPPED, WIDE, STEPS, BACKWARD, REPEATED, LAYOUTS };

static ps_tensor *index_of(ps_tensor *base, const ps_index *rows, const ps_index *columns)
{
    ps_tensor *view;
    ps_index indices[3] = {{.kind = PS_INDEX_ELLIPSIS}, *rows, *columns};
    CHECK_OK(ps_tensor_index(base, indices, 3, &view));
    return view;
}

static ps_index range(int64_t start, int64_t stop, int64_t step)
{
    return (ps_index){PS_INDEX_RANGE, start, stop, step};
}

static ps_tensor *swapped(ps_tensor *base)
{
    int axes[PS_DIMS_MAX], ndim = ps_tensor_ndim(base);
    for (int i = 0; i < ndim; i++)
        axes[i] = i < ndim - 2 ? i : 2 * ndim - 3 - i;
    ps_tensor *view;
    CHECK_OK(ps_tensor_permute(base, axes, ndim, &view));
    return view;
}

/* A view of that shape whose last two dimensions lie in memory as the layout says. */
static ps_tensor *laid_out(ps_dtype dtype, int layout, int ndim, const int64_t *shape)
{
    int64_t room[PS_DIMS_MAX];
    memcpy(room, shape, (size_t)ndim * sizeof room[0]);
    int64_t *rows = &room[ndim - 2], *columns = &room[ndim - 1];
    const int64_t m = *rows, n = *columns;
    ps_index all = range(PS_INDEX_NONE, PS_INDEX_NONE, PS_INDEX_NONE);
    ps_index backward = range(PS_INDEX_NONE, PS_INDEX_NONE, -1);
    ps_index odd = range(1, PS_INDEX_NONE, 2), some = range(2, n + 2, 1);
    if (layout == SWAPPED) {
        *rows = n;
        *columns = m;
    } else if (layout == WIDE) {
        *columns = n + 5;
    } else if (layout == STEPS) {
        *rows = 2 * m;
        *columns = 2 * n;
    } else if (layout == REPEATED) {
        *rows = 1;
    }
    ps_tensor *base = random_tensor(dtype, ndim, room), *view = NULL;
    if (layout == PLAIN)
        return base;
    if (layout == SWAPPED)
        view = swapped(base);
    else if (layout == WIDE)
        view = index_of(base, &all, &some);
    else if (layout == STEPS)
        view = index_of(base, &odd, &odd);
    else if (layout == BACKWARD)
        view = index_of(base, &backward, &all);
    else
        CHECK_OK(ps_tensor_broadcast(base, ndim, shape, &view));
    ps_tensor_release(base);
    check_shape(view, ndim, shape, __FILE__, __LINE__);
    return view;
}

static double complex *complex_values(ps_tensor *tensor)
{
    size_t count = (size_t)ps_tensor_count(tensor);
    ps_tensor *wide = CALL("cast", T(tensor), D(PS_COMPLEX128));
    double complex *values = calloc(count + 1, sizeof *values);
    CHECK_OK(ps_tensor_to_host(wide, values, count * sizeof *values));
    ps_tensor_release(wide);
    return values;
}

static bool same_bytes(ps_tensor *a, ps_tensor *b)
{
    size_t bytes, other;
    void *x = bytes_of(a, &bytes), *y = bytes_of(b, &other);
    bool same = bytes == other && memcmp(x, y, bytes) == 0;
    free(x);
    free(y);
    return same;
}

static void set_workers(unsigned workers)
{
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_engine_set_workers(engine, workers));
}

static void release(size_t count, ps_tensor **tensors)
{
    for (size_t i = 0; i < count; i++)
        ps_tensor_release(tensors[i]);
}

#define RELEASE(...)                                                                               \
    release(sizeof((ps_tensor *[]){__VA_ARGS__}) / sizeof(ps_tensor *),                            \
            (ps_tensor *[]){__VA_ARGS__})

/* ---- shapes ------------------------------------------------------------------------------ */

static void vectors_and_matrices(void **unused)
{
    (void)unused;
    ps_tensor *v = counted(PS_FLOAT32, SHAPE(3)), *a = counted(PS_FLOAT32, SHAPE(2, 3));
    ps_tensor *b = counted(PS_FLOAT32, SHAPE(3, 2));
    ps_tensor *vv = CALL("matmul", T(v), T(v)), *av = CALL("matmul", T(a), T(v));
    ps_tensor *vb = CALL("matmul", T(v), T(b)), *ab = CALL("matmul", T(a), T(b));
    assert_int_equal(ps_tensor_ndim(vv), 0);
    CHECK_VALUES(vv, 5);
    CHECK_SHAPE(av, 2);
    CHECK_VALUES(av, 5, 14);
    CHECK_SHAPE(vb, 2);
    CHECK_VALUES(vb, 10, 13);
    CHECK_SHAPE(ab, 2, 2);
    CHECK_VALUES(ab, 10, 13, 28, 40);
    RELEASE(v, a, b, vv, av, vb, ab);
}

static void transposes(void **unused)
{
    (void)unused;
    ps_tensor *a = counted(PS_INT32, SHAPE(2, 3)), *b = counted(PS_INT32, SHAPE(3, 2));
    ps_tensor *tn = CALL("matmul", T(a), T(a), B(true)),
              *nt = CALL("matmul", T(a), T(a), B(false), B(true));
    ps_tensor *tt = CALL("matmul", T(a), T(b), B(true), B(true));
    CHECK_VALUES(tn, 9, 12, 15, 12, 17, 22, 15, 22, 29);
    CHECK_VALUES(nt, 5, 14, 14, 50);
    CHECK_VALUES(tt, 3, 9, 15, 4, 14, 24, 5, 19, 33);
    RELEASE(a, b, tn, nt, tt);
}

static void batches(void **unused)
{
    (void)unused;
    ps_tensor *a = counted(PS_FLOAT64, SHAPE(2, 1, 1, 2)), *b = counted(PS_FLOAT64, SHAPE(3, 2, 1));
    ps_tensor *ab = CALL("matmul", T(a), T(b));
    CHECK_SHAPE(ab, 2, 3, 1, 1);
    CHECK_VALUES(ab, 1, 3, 5, 3, 13, 23);
    ps_tensor *v = counted(PS_FLOAT64, SHAPE(2)), *bv = CALL("matmul", T(v), T(b));
    CHECK_SHAPE(bv, 3, 1);
    CHECK_VALUES(bv, 1, 3, 5);
    ps_tensor *av = CALL("matmul", T(a), T(v));
    CHECK_SHAPE(av, 2, 1, 1);
    CHECK_VALUES(av, 1, 3);
    RELEASE(a, b, ab, v, bv, av);
}

/* A shared second operand: the batch is one product of many rows. */
static void shared_operand(void **unused)
{
    (void)unused;
    ps_tensor *a = random_tensor(PS_FLOAT32, SHAPE(5, 4, 30, 40));
    ps_tensor *b = random_tensor(PS_FLOAT32, SHAPE(40, 50)), *flat, *joined;
    CHECK_OK(ps_tensor_view_as(a, SHAPE(600, 40), &flat));
    ps_tensor *one = CALL("matmul", T(a), T(b)), *other = CALL("matmul", T(flat), T(b));
    CHECK_SHAPE(one, 5, 4, 30, 50);
    CHECK_OK(ps_tensor_view_as(other, SHAPE(5, 4, 30, 50), &joined));
    assert_true(same_bytes(one, joined));
    RELEASE(a, b, flat, one, other, joined);
}

static void many_dimensions(void **unused)
{
    (void)unused;
    int64_t left[22], right[22], whole[22];
    for (int i = 0; i < 20; i++) {
        left[i] = i % 4 == 0 ? 2 : 1;
        right[i] = i % 4 == 2 ? 2 : 1;
        whole[i] = i % 2 == 0 ? 2 : 1;
    }
    left[20] = left[21] = right[20] = right[21] = whole[20] = whole[21] = 2;
    ps_tensor *a = counted(PS_FLOAT32, 22, left), *b = counted(PS_FLOAT32, 22, right);
    ps_tensor *ab = CALL("matmul", T(a), T(b));
    check_shape(ab, 22, whole, __FILE__, __LINE__);
    double *x = values_of(a), *y = values_of(b), *z = values_of(ab);
    for (int64_t i = 0; i < 1024; i++) {
        int64_t p = 0, q = 0; /* every other bit of the place */
        for (int bit = 0; bit < 5; bit++) {
            p |= (i >> (2 * bit + 1) & 1) << bit;
            q |= (i >> (2 * bit) & 1) << bit;
        }
        assert_true(z[4 * i + 1] == x[4 * p] * y[4 * q + 1] + x[4 * p + 1] * y[4 * q + 3]);
    }
    free(x);
    free(y);
    free(z);
    RELEASE(a, b, ab);
}

static void nothing_to_sum(void **unused)
{
    (void)unused;
    ps_tensor *a = counted(PS_FLOAT32, SHAPE(2, 0)), *b = counted(PS_FLOAT32, SHAPE(0, 3));
    ps_tensor *bias = from_floats(SHAPE(3), (float[]){1, -2, 3});
    ps_tensor *zero = CALL("matmul", T(a), T(b));
    ps_tensor *biased = CALL("matmul", T(a), T(b), NONE, NONE, T(bias), S("relu"));
    CHECK_VALUES(zero, 0, 0, 0, 0, 0, 0);
    CHECK_VALUES(biased, 1, 0, 3, 1, 0, 3);
    ps_tensor *none = CALL("matmul", T(b), T(bias));
    CHECK_SHAPE(none, 0);
    ps_tensor *c = counted(PS_FLOAT32, SHAPE(0, 4, 5)), *d = counted(PS_FLOAT32, SHAPE(5, 6));
    ps_tensor *empty = CALL("matmul", T(c), T(d));
    CHECK_SHAPE(empty, 0, 4, 6);
    CHECK_OK(ps_tensor_wait(empty, NULL));
    RELEASE(a, b, bias, zero, biased, none, c, d, empty);
}

/* ---- types, bias, activation ------------------------------------------------------------- */

static void types(void **unused)
{
    (void)unused;
    ps_tensor *a = counted(PS_INT32, SHAPE(2, 2)), *b = counted(PS_FLOAT32, SHAPE(2, 2));
    ps_tensor *ab = CALL("matmul", T(a), T(b)), *big = CALL("full", INTS(2, 2), I(100), D(PS_INT8));
    assert_int_equal(ps_tensor_dtype(ab), PS_FLOAT32);
    CHECK_VALUES(ab, 2, 3, 6, 11);
    ps_tensor *wrapped = CALL("matmul", T(big), T(big));
    assert_int_equal(ps_tensor_dtype(wrapped), PS_INT8);
    CHECK_VALUES(wrapped, 32, 32, 32, 32); /* 20000 - 78 * 256 */
    ps_tensor *yes = CALL("cast", T(a), D(PS_BOOL)), *both = CALL("matmul", T(yes), T(yes));
    assert_int_equal(ps_tensor_dtype(both), PS_BOOL);
    CHECK_VALUES(both, 1, 1, 1, 1);
    ps_tensor *eye = CALL("eye", I(2), NONE, NONE, D(PS_BOOL)),
              *kept = CALL("matmul", T(eye), T(yes));
    CHECK_VALUES(kept, 0, 1, 1, 1);
    ps_tensor *mixed = CALL("matmul", T(yes), T(big));
    assert_int_equal(ps_tensor_dtype(mixed), PS_INT8);
    CHECK_VALUES(mixed, 100, 100, -56, -56);
    RELEASE(a, b, ab, big, wrapped, yes, both, eye, kept, mixed);
}

static void bias_and_relu(void **unused)
{
    (void)unused;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64, PS_INT32, PS_FLOAT16, PS_BFLOAT16};
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        ps_tensor *a = random_tensor(dtypes[i], SHAPE(3, 70, 50));
        ps_tensor *b = random_tensor(dtypes[i], SHAPE(50, 300));
        ps_tensor *bias = random_tensor(dtypes[i], SHAPE(300));
        ps_tensor *fused = CALL("matmul", T(a), T(b), NONE, NONE, T(bias), S("relu"));
        ps_tensor *product = CALL("matmul", T(a), T(b)), *sum = CALL("add", T(product), T(bias));
        ps_tensor *result = CALL("relu", T(sum));
        assert_true(same_bytes(fused, result));
        RELEASE(a, b, bias, fused, product, sum, result);
    }
    ps_tensor *a = counted(PS_FLOAT32, SHAPE(2, 2)), *bias = counted(PS_INT8, SHAPE(4)), *odd;
    CHECK_OK(ps_tensor_index(bias, (ps_index[]){range(1, PS_INDEX_NONE, 2)}, 1, &odd));
    ps_tensor *y = CALL("matmul", T(a), T(a), NONE, NONE, T(odd));
    CHECK_VALUES(y, 3, 6, 7, 14);
    RELEASE(a, bias, odd, y);
}

/* ---- given outputs ----------------------------------------------------------------------- */

static void into_given(void **unused)
{
    (void)unused;
    ps_tensor *a = counted(PS_FLOAT32, SHAPE(2, 2));
    ps_tensor *plain = CALL("zeros", INTS(2, 2)), *wide = CALL("zeros", INTS(2, 2), D(PS_FLOAT64));
    ps_tensor *base = CALL("zeros", INTS(2, 4)), *odd;
    CHECK_OK(ps_tensor_index(base,
                             (ps_index[]){{.kind = PS_INDEX_ELLIPSIS}, range(1, PS_INDEX_NONE, 2)},
                             2, &odd));
    CHECK_OK(call_into("matmul", ARGS(T(a), T(a)), &plain));
    CHECK_OK(call_into("matmul", ARGS(T(a), T(a)), &wide));
    CHECK_OK(call_into("matmul", ARGS(T(a), T(a)), &odd));
    CHECK_VALUES(plain, 2, 3, 6, 11);
    CHECK_VALUES(wide, 2, 3, 6, 11);
    CHECK_VALUES(base, 0, 2, 0, 3, 0, 6, 0, 11);
    CHECK_OK(call_into("matmul", ARGS(T(a), T(a)), &a));
    CHECK_VALUES(a, 2, 3, 6, 11);
    RELEASE(a, plain, wide, base, odd);
}

static void into_overlapping(void **unused)
{
    (void)unused;
    ps_tensor *base = counted(PS_FLOAT32, SHAPE(4, 2)), *low, *middle, *high;
    CHECK_OK(ps_tensor_index(base, (ps_index[]){range(0, 2, 1)}, 1, &low));
    CHECK_OK(ps_tensor_index(base, (ps_index[]){range(1, 3, 1)}, 1, &middle));
    CHECK_OK(ps_tensor_index(base, (ps_index[]){range(2, 4, 1)}, 1, &high));
    CHECK_OK(call_into("matmul", ARGS(T(low), T(low)), &high)); /* side by side */
    CHECK_VALUES(base, 0, 1, 2, 3, 2, 3, 6, 11);
    CHECK_OK(call_into("matmul", ARGS(T(low), T(high)), &middle));
    CHECK_VALUES(base, 0, 1, 6, 11, 22, 39, 6, 11);
    ps_tensor *flipped = swapped(low);
    CHECK_OK(call_into("matmul", ARGS(T(low), T(flipped)), &flipped));
    CHECK_VALUES(low, 1, 11, 11, 157);
    RELEASE(base, low, middle, high, flipped);
}

/* ---- errors ------------------------------------------------------------------------------ */

#define REFUSED(part, ...) REFUSED_AS(PS_ERR_ARGUMENT, part, __VA_ARGS__)
#define REFUSED_AS(status, part, ...)                                                              \
    do {                                                                                           \
        ps_tensor *none_ = NULL;                                                                   \
        CHECK_FAILS(status, part, call_into("matmul", ARGS(__VA_ARGS__), &none_));                 \
        assert_null(none_);                                                                        \
    } while (0)

static void errors(void **unused)
{
    (void)unused;
    ps_tensor *a = counted(PS_FLOAT32, SHAPE(2, 3)), *b = counted(PS_FLOAT32, SHAPE(4, 5));
    ps_tensor *one = CALL("full", INTS(), F(1)), *v = counted(PS_FLOAT32, SHAPE(3));
    ps_tensor *c = counted(PS_FLOAT32, SHAPE(2, 2, 3)), *d = counted(PS_FLOAT32, SHAPE(5, 3, 2));
    ps_tensor *z = CALL("cast", T(v), D(PS_COMPLEX64)),
              *out = CALL("zeros", INTS(2, 2), D(PS_INT32));
    REFUSED("matmul: shapes (2, 3) and (4, 5) do not fit: 3 != 4", T(a), T(b));
    REFUSED("shapes (2, 3) transposed and (2, 3) transposed do not fit: 2 != 3", T(a), T(a),
            B(true), B(true));
    REFUSED("shapes (2, 2, 3) and (5, 3, 2) do not fit: batches (2,) and (5,)", T(c), T(d));
    REFUSED("x2 has no dimensions", T(a), T(one));
    REFUSED("transpose1 of shape (3,)", T(v), T(v), B(true));
    REFUSED("bias has shape (3,), the rows of (2, 3) @ (2, 3) need (2,)", T(a), T(a), NONE, B(true),
            T(v));
    REFUSED("bias of shape (3,), but x2 is a vector (3,)", T(a), T(v), NONE, NONE, T(v));
    REFUSED_AS(PS_ERR_TYPE, "bias of complex64 does not fit a product of float32", T(a), T(a),
               B(true), NONE, T(z));
    REFUSED("activation must be one of: relu; not \"tanh\"", T(a), T(a), NONE, B(true), NONE,
            S("tanh"));
    REFUSED_AS(PS_ERR_TYPE, "relu of complex64", T(z), T(z), NONE, NONE, NONE, S("relu"));
    CHECK_FAILS(PS_ERR_ARGUMENT, "the output has shape (2, 2), the result (3, 3)",
                call_into("matmul", ARGS(T(a), T(a), B(true)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "a result of float32 cannot be written into int32",
                call_into("matmul", ARGS(T(a), T(a), NONE, B(true)), &out));
    RELEASE(a, b, one, v, c, d, z, out);
}

/* 16-bit floats need working memory. */
static void no_memory(void **unused)
{
    (void)unused;
    ps_tensor *a = random_tensor(PS_FLOAT16, SHAPE(900, 900)), *b, *wide;
    CHECK_OK(ps_tensor_wait(a, NULL));
    ps_memory_trim();
    ps_memory_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_memory_get_stats(&stats));
    CHECK_OK(ps_memory_set_limit(stats.live + stats.cached + (3 << 20)));
    b = CALL("matmul", T(a), T(a));
    CHECK_FAILS(PS_ERR_MEMORY, "matmul: ", ps_tensor_wait(b, NULL));
    CHECK_OK(ps_memory_set_limit(0));
    CHECK_OK(call_into("matmul", ARGS(T(a), T(a)), &b));
    CHECK_OK(ps_tensor_wait(b, NULL));
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_wait_all(engine, NULL));
    wide = CALL("matmul", T(a), T(a));
    assert_true(same_bytes(b, wide));
    RELEASE(a, b, wide);
}

/* The null device computes nothing, but shapes are as ever. */
static void null_device(void **unused)
{
    (void)unused;
    ps_device *device;
    CHECK_OK(ps_device_find("null", &device));
    float values[6] = {1, 2, 3, 4, 5, 6};
    ps_tensor *a, *plain = from_floats(SHAPE(2, 3), values), *none = NULL;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, SHAPE(2, 3), NULL, values, device, &a));
    ps_tensor *c = CALL("matmul", T(a), T(a), B(true));
    CHECK_SHAPE(c, 3, 3);
    CHECK_OK(ps_tensor_wait(c, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "matmul: operands on devices",
                call_into("matmul", ARGS(T(a), T(plain), B(true)), &none));
    RELEASE(a, plain, c);
}

/* ---- the same bits ----------------------------------------------------------------------- */

typedef struct sample {
    ps_dtype dtype;
    int64_t m, n, k;
    int64_t batch1, batch2; /* 0: no such dimension */
    bool transpose1, transpose2, bias;
    int layout1, layout2;
} sample;

static ps_tensor *operand(const sample *s, int64_t batch, int64_t rows, int64_t columns, int layout)
{
    int64_t shape[3] = {batch, rows, columns};
    int skip = batch == 0;
    return laid_out(s->dtype, layout, 3 - skip, shape + skip);
}

/* Sums of k products of numbers up to 1, and the rounding of 16-bit results. */
static double tolerance(const sample *s, double value)
{
    double eps = s->dtype == PS_FLOAT64 ? 2.3e-16 : 1.2e-7;
    double half = s->dtype == PS_FLOAT16 ? 2e-3 : 0;
    return is_float(s->dtype) ? eps * (8 + (double)s->k) + half * (1 + value) : 0;
}

/* One product of the batch by the definition. */
static void check_product(const sample *s, const double complex *a, const double complex *b,
                          const double *bias, const double complex *c)
{
    int64_t a_row = s->transpose1 ? 1 : s->k, a_column = s->transpose1 ? s->m : 1;
    int64_t b_row = s->transpose2 ? 1 : s->n, b_column = s->transpose2 ? s->k : 1;
    int64_t step = s->m * s->n > 20000 ? 17 : 1; /* a part of the large ones */
    for (int64_t at = 0; at < s->m * s->n; at += step) {
        int64_t i = at / s->n, j = at % s->n;
        double complex sum = bias != NULL ? bias[j] : 0;
        for (int64_t p = 0; p < s->k; p++)
            sum += a[i * a_row + p * a_column] * b[p * b_row + j * b_column];
        if (!(cabs(c[at] - sum) <= tolerance(s, cabs(sum))))
            fail_msg("element (%lld, %lld) of %lld x %lld x %lld %s: %g, not %g", (long long)i,
                     (long long)j, (long long)s->m, (long long)s->n, (long long)s->k,
                     ps_dtype_name(s->dtype), creal(c[at]), creal(sum));
    }
}

static void check_result(const sample *s, ps_tensor *x1, ps_tensor *x2, ps_tensor *bias,
                         ps_tensor *y)
{
    double complex *a = complex_values(x1), *b = complex_values(x2), *c = complex_values(y);
    double *add = bias != NULL ? values_of(bias) : NULL;
    int64_t most = s->batch1 > s->batch2 ? s->batch1 : s->batch2;
    for (int64_t i = 0; i < (most == 0 ? 1 : most); i++)
        check_product(s, a + (s->batch1 > 1 ? i : 0) * s->m * s->k,
                      b + (s->batch2 > 1 ? i : 0) * s->k * s->n, add, c + i * s->m * s->n);
    free(a);
    free(b);
    free(c);
    free(add);
}

static void check_sample(const sample *s)
{
    static const unsigned workers[] = {1, 2, 3, 8};
    ps_tensor *x1 =
        operand(s, s->batch1, s->transpose1 ? s->k : s->m, s->transpose1 ? s->m : s->k, s->layout1);
    ps_tensor *x2 =
        operand(s, s->batch2, s->transpose2 ? s->n : s->k, s->transpose2 ? s->k : s->n, s->layout2);
    ps_tensor *bias = s->bias ? random_tensor(s->dtype, 1, &s->n) : NULL;
    ps_arg args[5] = {T(x1), T(x2), B(s->transpose1), B(s->transpose2), NONE};
    if (bias != NULL)
        args[4] = T(bias);
    CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
    ps_tensor *first = call("matmul", 5, args);
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    check_result(s, x1, x2, bias, first);
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        set_workers(workers[i]);
        ps_tensor *again = call("matmul", 5, args);
        if (!same_bytes(first, again))
            fail_msg("other bits with %u workers: %lld x %lld x %lld %s, layouts %d %d", workers[i],
                     (long long)s->m, (long long)s->n, (long long)s->k, ps_dtype_name(s->dtype),
                     s->layout1, s->layout2);
        ps_tensor_release(again);
    }
    RELEASE(x1, x2, first);
    ps_tensor_release(bias);
}

static sample random_sample(int64_t most)
{
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64, PS_COMPLEX64, PS_INT32, PS_FLOAT16};
    sample s = {.dtype = dtypes[below(5)],
                .m = 1 + below(most),
                .n = 1 + below(most),
                .k = below(most),
                .layout1 = (int)below(LAYOUTS),
                .layout2 = (int)below(LAYOUTS),
                .transpose1 = below(2),
                .transpose2 = below(2)};
    s.bias = s.dtype != PS_COMPLEX64 && below(3) == 0;
    return s;
}

static void same_bits_small(void **unused)
{
    (void)unused;
    for (int i = 0; i < 120; i++) {
        sample s = random_sample(i % 2 ? 12 : 70);
        check_sample(&s);
    }
}

static void same_bits_batches(void **unused)
{
    (void)unused;
    for (int i = 0; i < 60; i++) {
        sample s = random_sample(40);
        int64_t count = 1 + below(i % 10 == 0 ? 60 : 9);
        s.batch1 = below(3) == 0 ? below(2) : count;
        s.batch2 = s.batch1 == count && below(2) ? below(2) : count;
        check_sample(&s);
    }
}

static void same_bits_large(void **unused)
{
    (void)unused;
    for (int i = 0; i < 24; i++) {
        sample s = random_sample(700);
        if (s.dtype == PS_INT32)
            s.k = 1 + s.k / 4;
        check_sample(&s);
    }
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_and_matrices),
        cmocka_unit_test(transposes),
        cmocka_unit_test(batches),
        cmocka_unit_test(shared_operand),
        cmocka_unit_test(many_dimensions),
        cmocka_unit_test(nothing_to_sum),
        cmocka_unit_test(types),
        cmocka_unit_test(bias_and_relu),
        cmocka_unit_test(into_given),
        cmocka_unit_test(into_overlapping),
        cmocka_unit_test(errors),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(null_device),
        cmocka_unit_test(same_bits_small),
        cmocka_unit_test(same_bits_batches),
        cmocka_unit_test(same_bits_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
