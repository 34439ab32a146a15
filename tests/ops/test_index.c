/* take, masked_select, masked_fill, nonzero. */
#include "positions_help.h"

/* ---- take ---------------------------------------------------------------------------------- */

static void take_along_each_axis(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3, 4)), *at = INDICES(PS_INT64, 2, 0, -1);
    ps_tensor *rows = CALL("take", T(x), T(at), I(0)), *columns = CALL("take", T(x), T(at), I(-1));
    ps_tensor *flat = CALL("take", T(x), T(at));
    CHECK_SHAPE(rows, 3, 4);
    CHECK_VALUES(rows, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11);
    CHECK_SHAPE(columns, 3, 3);
    CHECK_VALUES(columns, 2, 0, 3, 6, 4, 7, 10, 8, 11);
    CHECK_SHAPE(flat, 3);
    CHECK_VALUES(flat, 2, 0, 11);
    RELEASE(x, at, rows, columns, flat);
}

static void take_shapes(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT16, SHAPE(2, 3, 2)), *square, *out = NULL;
    int64_t values[] = {0, 2, 1, 1};
    square = indices_of(PS_UINT8, SHAPE(2, 2), values);
    ps_tensor *y = CALL("take", T(x), T(square), I(1));
    CHECK_SHAPE(y, 2, 2, 2, 2);
    CHECK_VALUES(y, 0, 1, 4, 5, 2, 3, 2, 3, 6, 7, 10, 11, 8, 9, 8, 9);
    ps_tensor *one = CALL("take", T(x), I(-2), I(1)), *none, *empty;
    CHECK_SHAPE(one, 2, 2);
    CHECK_VALUES(one, 2, 3, 8, 9);
    none = CALL("zeros", INTS(0, 3), D(PS_INT32));
    empty = CALL("take", T(x), T(none), I(0));
    CHECK_SHAPE(empty, 0, 3, 3, 2);
    ps_tensor *turned = CALL("permute", T(x)), *part = CALL("take", T(turned), T(square), I(1));
    CHECK_SHAPE(part, 2, 2, 2, 2);
    CHECK_VALUES(part, 0, 6, 4, 10, 2, 8, 2, 8, 1, 7, 5, 11, 3, 9, 3, 9);
    int64_t ones[32] = {0};
    for (int i = 0; i < 32; i++)
        ones[i] = 1;
    ps_tensor *deep = counted(PS_FLOAT32, 32, ones), *same = CALL("take", T(deep), I(0), I(31));
    assert_int_equal(ps_tensor_ndim(same), 31);
    CHECK_FAILS(PS_ERR_ARGUMENT, "33 dimensions",
                call_into("take", ARGS(T(deep), T(square), I(0)), &out));
    RELEASE(x, square, y, one, none, empty, turned, part, deep, same);
}

/* Every type of index, every size of element, views on both sides. */
static void take_types(void **state)
{
    (void)state;
    static const ps_dtype types[] = {PS_BOOL,    PS_INT8,    PS_FLOAT16,
                                     PS_FLOAT32, PS_FLOAT64, PS_COMPLEX64};
    for (int dtype = PS_INT8; dtype <= PS_UINT64; dtype++)
        for (int t = 0; t < 6; t++) {
            ps_tensor *x = counted(types[t], SHAPE(6)), *back = CALL("flip", T(x));
            ps_tensor *at = INDICES((ps_dtype)dtype, 5, 1, 3), *to = CALL("flip", T(at));
            ps_tensor *y = CALL("take", T(back), T(to));
            ps_tensor *wanted = CALL("cast", T(y), D(PS_FLOAT64));
            if (types[t] == PS_BOOL)
                CHECK_VALUES(wanted, 1, 1, 0);
            else
                CHECK_VALUES(wanted, 2, 4, 0);
            RELEASE(x, back, at, to, y, wanted);
        }
}

/* On the pool: rows, single elements, slices in pieces. */
static void take_large(void **state)
{
    (void)state;
    enum { N = 3000, M = 300 };
    int64_t *values = malloc(N * sizeof *values), shape = N;
    for (int i = 0; i < N; i++)
        values[i] = (i * 37) % M - (i % 2 ? M : 0);
    ps_tensor *at = indices_of(PS_INT32, 1, &shape, values), *x = counted(PS_INT32, SHAPE(M, M));
    ps_tensor *turned = CALL("permute", T(x)), *both[] = {x, turned};
    for (int k = 0; k < 4; k++) {
        int axis = k % 2;
        ps_tensor *y = CALL("take", T(both[k / 2]), T(at), I(axis));
        double *got = values_of(y);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) {
                int pick = (i * 37) % M, down = (axis == 0) != (k / 2 == 1);
                double wanted = down ? pick * M + j : j * M + pick;
                assert_true(got[axis == 0 ? i * M + j : j * N + i] == wanted);
            }
        free(got);
        ps_tensor_release(y);
    }
    ps_tensor *line = CALL("reshape", T(x), INTS(M * M)),
              *single = CALL("take", T(line), T(at), I(0));
    double *got = values_of(single);
    for (int i = 0; i < N; i++)
        assert_true(got[i] == (values[i] < 0 ? values[i] + M * M : values[i]));
    free(got);
    free(values);
    RELEASE(at, x, turned, line, single);
}

/* So few slices of a view that its other elements are left alone. */
static void take_few_slices(void **state)
{
    (void)state;
    enum { A = 40, B = 50, C = 60 };
    ps_tensor *x = counted(PS_INT32, SHAPE(A, B, C)), *view = CALL("permute", T(x), INTS(2, 0, 1));
    int64_t values[] = {7, -1, 0, 3};
    ps_tensor *at = indices_of(PS_INT16, SHAPE(2, 2), values);
    ps_tensor *first = CALL("take", T(view), T(at), I(0)),
              *middle = CALL("take", T(view), T(at), I(1));
    CHECK_SHAPE(first, 2, 2, A, B);
    CHECK_SHAPE(middle, C, 2, 2, B);
    double *f = values_of(first), *m = values_of(middle);
    for (int i = 0; i < 4; i++) {
        int c = (int)(values[i] < 0 ? values[i] + C : values[i]);
        int a = (int)(values[i] < 0 ? values[i] + A : values[i]);
        for (int k = 0; k < A * B; k++)
            assert_true(f[i * A * B + k] == k * C + c);
        for (int k = 0; k < C * B; k++)
            assert_true(m[(k / B * 4 + i) * B + k % B] == (a * B + k % B) * C + k / B);
    }
    free(f);
    free(m);
    RELEASE(x, view, at, first, middle);
}

/* Found while running: the wait says so. In synchronous mode the call does. */
static void check_out_of_range(ps_tensor *x, ps_arg at, ps_arg axis, const char *text)
{
    ps_tensor *y = NULL;
    ps_status status = call_into("take", ARGS(T(x), at, axis), &y);
    CHECK_FAILS(PS_ERR_INDEX, text, status == PS_OK ? ps_tensor_wait(y, NULL) : status);
    ps_tensor_release(y);
}

static void take_out_of_range(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3, 4)), *at = INDICES(PS_INT8, 0, 3, -4, 1);
    ps_tensor *low = INDICES(PS_INT64, -5), *flat = INDICES(PS_INT64, 12);
    ps_tensor *huge = INDICES(PS_UINT64, -1), *nothing = counted(PS_FLOAT32, SHAPE(0, 4));
    ps_tensor *turned = CALL("permute", T(nothing));
    check_out_of_range(x, T(at), I(0), "index 3 is out of range for axis 0 with length 3");
    check_out_of_range(x, T(low), I(1), "index -5 is out of range for axis 1 with length 4");
    check_out_of_range(x, T(flat), NONE,
                       "index 12 is out of range for the flattened tensor with length 12");
    check_out_of_range(x, T(huge), I(0), "index 18446744073709551615 is out of range");
    check_out_of_range(nothing, I(0), I(0), "index 0 is out of range for axis 0 with length 0");
    check_out_of_range(turned, I(4), I(0), "index 4 is out of range for axis 0 with length 4");
    CHECK_OK(ps_tensor_wait(x, NULL)); /* nothing else suffers */
    RELEASE(x, at, low, flat, huge, nothing, turned);
}

/* The first of several bad ones is named, however the work is divided. */
static void take_names_the_first(void **state)
{
    (void)state;
    enum { N = 400000 };
    int64_t *values = calloc(N, sizeof *values), shape = N;
    for (int i = 100000; i < N; i += 1000)
        values[i] = 1000000 + i;
    ps_tensor *at = indices_of(PS_INT64, 1, &shape, values), *x = counted(PS_FLOAT32, SHAPE(10));
    for (int round = 0; round < 5; round++)
        check_out_of_range(x, T(at), I(0), "index 1100000 is out of range");
    free(values);
    RELEASE(at, x);
}

static void take_refuses(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3, 4)), *out = NULL;
    CHECK_FAILS(PS_ERR_TYPE, "float32", call_into("take", ARGS(T(x), T(x), I(0)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 2", call_into("take", ARGS(T(x), I(0), I(2)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "integer", call_into("take", ARGS(T(x), F(1), I(0)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "not a number", call_into("take", ARGS(F(1), I(0)), &out));
    assert_null(out);
    ps_tensor *at = INDICES(PS_INT64, 2, 1, 0), *self = x; /* onto itself */
    CHECK_OK(call_into("take", ARGS(T(x), T(at), I(0)), &self));
    CHECK_VALUES(x, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    RELEASE(x, at);
}

/* ---- masks --------------------------------------------------------------------------------- */

static void select_by_hand(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *mask = mask_of(SHAPE(2, 3), "101010");
    ps_tensor *y = CALL("masked_select", T(x), T(mask));
    CHECK_SHAPE(y, 3);
    CHECK_VALUES(y, 0, 2, 4);
    ps_tensor *turned = CALL("permute", T(x)), *other = CALL("permute", T(mask));
    ps_tensor *z = CALL("masked_select", T(turned), T(other));
    CHECK_VALUES(z, 0, 4, 2);
    ps_tensor *rows = mask_of(SHAPE(2), "01"), *row = CALL("masked_select", T(x), T(rows));
    CHECK_SHAPE(row, 1, 3);
    CHECK_VALUES(row, 3, 4, 5);
    ps_tensor *no = mask_of(SHAPE(2, 3), "000000"), *none = CALL("masked_select", T(x), T(no));
    CHECK_SHAPE(none, 0);
    ps_tensor *yes = mask_of(0, NULL, "1"), *all = CALL("masked_select", T(x), T(yes));
    CHECK_SHAPE(all, 1, 2, 3);
    CHECK_VALUES(all, 0, 1, 2, 3, 4, 5);
    ps_tensor *empty = counted(PS_FLOAT32, SHAPE(0, 3)), *nothing = mask_of(SHAPE(0, 3), "");
    ps_tensor *still = CALL("masked_select", T(empty), T(nothing));
    CHECK_SHAPE(still, 0);
    RELEASE(x, mask, y, turned, other, z, rows, row, no, none, yes, all, empty, nothing, still);
}

/* All sizes of elements, densities and lengths around those of words and pieces. */
static void select_against_loops(void **state)
{
    (void)state;
    static const ps_dtype types[] = {PS_UINT8, PS_INT16, PS_FLOAT32, PS_FLOAT64};
    static const int lengths[] = {1, 63, 64, 65, 1000, 65535, 65536, 65537, 200001};
    for (int l = 0; l < 9; l++)
        for (int density = 1; density <= 10; density += 3) {
            int64_t n = lengths[l], count = 0;
            unsigned char *bytes = malloc((size_t)n);
            uint32_t random = 99u + (uint32_t)l;
            for (int64_t i = 0; i < n; i++) {
                random = random * 1664525u + 1013904223u;
                bytes[i] = (random >> 16) % 10 < (uint32_t)density;
                count += bytes[i];
            }
            ps_tensor *mask, *x = counted(types[(l + density) % 4], 1, &n);
            CHECK_OK(ps_tensor_from_host(PS_BOOL, 1, &n, NULL, bytes, NULL, &mask));
            ps_tensor *y = CALL("masked_select", T(x), T(mask)), *at = CALL("nonzero", T(mask));
            CHECK_SHAPE(y, count);
            CHECK_SHAPE(at, count, 1);
            double *all = values_of(x), *got = values_of(y), *places = values_of(at);
            for (int64_t i = 0, k = 0; i < n; i++)
                if (bytes[i]) {
                    assert_true(places[k] == (double)i);
                    assert_true(got[k++] == all[i]);
                }
            free(bytes);
            free(all);
            free(got);
            free(places);
            RELEASE(x, mask, y, at);
        }
}

static void select_rows_of_any_size(void **state)
{
    (void)state;
    for (int64_t width = 0; width < 12; width++) {
        ps_tensor *x = counted(PS_INT16, SHAPE(150, width)), *line = counted(PS_INT32, SHAPE(150));
        ps_tensor *mask = CALL("greater_equal", T(line), I(50)),
                  *y = CALL("masked_select", T(x), T(mask));
        CHECK_SHAPE(y, 100, width);
        double *got = values_of(y);
        for (int64_t i = 0; i < 100 * width; i++)
            assert_true(got[i] == (double)(50 * width + i));
        free(got);
        RELEASE(x, line, mask, y);
    }
}

/* The mask is found at the call: later writes to it or to x change nothing. */
static void select_is_a_snapshot(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(4)), *mask = CALL("greater", T(x), F(1));
    ps_tensor *y = CALL("masked_select", T(x), T(mask));
    CHECK_OK(call_into("assign", ARGS(B(true)), &mask));
    CHECK_OK(call_into("assign", ARGS(F(9)), &x));
    CHECK_VALUES(y, 2, 3);
    ps_tensor *into = CALL("zeros", INTS(4), D(PS_FLOAT64)), *small = CALL("zeros", INTS(3));
    CHECK_OK(call_into("masked_select", ARGS(T(x), T(mask)), &into));
    CHECK_VALUES(into, 9, 9, 9, 9);
    CHECK_FAILS(PS_ERR_ARGUMENT, "(3,), the result (4,)",
                call_into("masked_select", ARGS(T(x), T(mask)), &small));
    RELEASE(x, mask, y, into, small);
}

static void nonzero_by_hand(void **state)
{
    (void)state;
    float numbers[] = {0, 1, NAN, -0.0f, 0, 5};
    ps_tensor *x = from_floats(SHAPE(2, 3), numbers), *y = CALL("nonzero", T(x));
    CHECK_SHAPE(y, 3, 2);
    assert_int_equal(ps_tensor_dtype(y), PS_INT64);
    CHECK_VALUES(y, 0, 1, 0, 2, 1, 2);
    ps_tensor *turned = CALL("permute", T(x)), *z = CALL("nonzero", T(turned));
    CHECK_VALUES(z, 1, 0, 2, 0, 2, 1);
    ps_tensor *point = mask_of(0, NULL, "1"), *p = CALL("nonzero", T(point));
    CHECK_SHAPE(p, 1, 0);
    ps_tensor *empty = counted(PS_INT8, SHAPE(3, 0, 2)), *e = CALL("nonzero", T(empty));
    CHECK_SHAPE(e, 0, 3);
    ps_tensor *cube = CALL("ones", INTS(2, 2, 2), D(PS_INT8)), *c = CALL("nonzero", T(cube));
    CHECK_VALUES(c, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1);
    RELEASE(x, y, turned, z, point, p, empty, e, cube, c);
}

static void fill_by_hand(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(2, 3)), *mask = mask_of(SHAPE(2, 3), "011001");
    ps_tensor *y = CALL("masked_fill", T(x), T(mask), I(-7)), *out = NULL;
    assert_int_equal(ps_tensor_dtype(y), PS_INT32);
    CHECK_VALUES(y, 0, -7, -7, 3, 4, -7);
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5);
    ps_tensor *self = x, *rows = mask_of(SHAPE(2), "10"); /* x[mask] = 2 */
    CHECK_OK(call_into("masked_fill", ARGS(T(x), T(rows), F(2.0)), &self));
    CHECK_VALUES(x, 2, 2, 2, 3, 4, 5);
    CHECK_FAILS(PS_ERR_ARGUMENT, "int32",
                call_into("masked_fill", ARGS(T(x), T(mask), F(0.5)), &out));
    ps_tensor *half = counted(PS_FLOAT16, SHAPE(2)),
              *h = CALL("masked_fill", T(half), T(rows), F(0.5));
    assert_int_equal(ps_tensor_dtype(h), PS_FLOAT16);
    CHECK_VALUES(h, 0.5, 1);
    ps_tensor *point = CALL("sum", T(half)), *yes = mask_of(0, NULL, "1");
    ps_tensor *p = CALL("masked_fill", T(point), T(yes), F(3));
    CHECK_VALUES(p, 3);
    RELEASE(x, mask, y, rows, half, h, point, yes, p);
}

static void masks_refuse(void **state)
{
    (void)state;
    static const char *const names[] = {"masked_select", "masked_fill"};
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *bad = mask_of(SHAPE(3), "101"), *out = NULL;
    ps_tensor *deep = mask_of(SHAPE(2, 3, 1), "101010");
    for (int i = 0; i < 2; i++) {
        ps_arg args[3] = {T(x), T(x), F(0)};
        CHECK_FAILS(PS_ERR_TYPE, "a mask of float32",
                    call_into(names[i], (size_t)(2 + i), args, &out));
        args[1] = T(bad);
        CHECK_FAILS(PS_ERR_ARGUMENT, "shape (3,) for a tensor of shape (2, 3)",
                    call_into(names[i], (size_t)(2 + i), args, &out));
        args[1] = T(deep);
        CHECK_FAILS(PS_ERR_ARGUMENT, "(2, 3, 1)", call_into(names[i], (size_t)(2 + i), args, &out));
        args[1] = B(true);
        CHECK_FAILS(PS_ERR_TYPE, "mask must be a tensor",
                    call_into(names[i], (size_t)(2 + i), args, &out));
    }
    assert_null(out);
    RELEASE(x, bad, deep);
}

/* What marks the mask is said at the call; what marks x, by a wait on the result. In synchronous
 * mode nothing is ever marked. */
static void marks_flow(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3)), *bad = NULL, *out = NULL;
    ps_tensor *yes = mask_of(0, NULL, "1");
    if (call_into("take", ARGS(T(x), I(3), I(0)), &bad) == PS_OK) {
        ps_tensor *mask = CALL("greater", T(bad), F(0)), *y = CALL("masked_select", T(bad), T(yes));
        CHECK_FAILS(PS_ERR_INDEX, "index 3",
                    call_into("masked_select", ARGS(T(bad), T(mask)), &out));
        CHECK_FAILS(PS_ERR_INDEX, "index 3", call_into("nonzero", ARGS(T(bad)), &out));
        CHECK_FAILS(PS_ERR_INDEX, "index 3", ps_tensor_wait(y, NULL));
        assert_null(out);
        RELEASE(mask, y);
    }
    RELEASE(x, bad, yes);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(take_along_each_axis),
        cmocka_unit_test(take_shapes),
        cmocka_unit_test(take_types),
        cmocka_unit_test(take_large),
        cmocka_unit_test(take_few_slices),
        cmocka_unit_test(take_out_of_range),
        cmocka_unit_test(take_names_the_first),
        cmocka_unit_test(take_refuses),
        cmocka_unit_test(select_by_hand),
        cmocka_unit_test(select_against_loops),
        cmocka_unit_test(select_rows_of_any_size),
        cmocka_unit_test(select_is_a_snapshot),
        cmocka_unit_test(nonzero_by_hand),
        cmocka_unit_test(fill_by_hand),
        cmocka_unit_test(masks_refuse),
        cmocka_unit_test(marks_flow),
    };
    return cmocka_run_group_tests_name("index", tests, NULL, NULL);
}
