/* sort, argsort, topk and searchsorted: every element type against a plain merge sort, long and
 * short rows, every axis, views, both directions, NaN and zeros; tiles of every instruction set;
 * numbers of workers; errors. */
/* Before the short words for arguments. */
#include "kernels/order.h"

#include "positions_help.h"

#include "base/alloc.h"
#include "dtype/dtype.h"
#include "support/sanitized.h"

/* ---- what is right ------------------------------------------------------------------- */

/* NaN as the largest; 0 if they are alike. */
static int compare_reals(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a > b) - (a < b);
}

static int compare_complex(const double *a, const double *b)
{
    int a_class = 2 * isnan(a[0]) + isnan(a[1]), b_class = 2 * isnan(b[0]) + isnan(b[1]);
    if (a_class != b_class)
        return a_class - b_class;
    int order = compare_reals(a[0], b[0]);
    return order != 0 ? order : compare_reals(a[1], b[1]);
}

static int compare(ps_dtype dtype, const char *a, const char *b)
{
    ps_scalar left = ps__scalar_load(dtype, a), right = ps__scalar_load(dtype, b);
    switch (left.tag) {
    case PS_SCALAR_COMPLEX:
        return compare_complex(left.as.z, right.as.z);
    case PS_SCALAR_DOUBLE:
        return compare_reals(left.as.d, right.as.d);
    case PS_SCALAR_UINT64:
        return (left.as.u > right.as.u) - (left.as.u < right.as.u);
    case PS_SCALAR_INT64:
        return (left.as.i > right.as.i) - (left.as.i < right.as.i);
    default:
        return left.as.b - right.as.b;
    }
}

/* Places of n elements that begin `step` bytes apart, in order; what is alike in the order of
 * places. By merging: it must do for long rows too. */
static void order(ps_dtype dtype, bool descending, int64_t n, const char *x, int64_t step,
                  int64_t *places)
{
    int64_t *other = malloc((size_t)n * sizeof *other + 1);
    for (int64_t i = 0; i < n; i++)
        places[i] = i;
    for (int64_t run = 1; run < n; run *= 2) {
        for (int64_t at = 0; at < n; at += 2 * run) {
            int64_t middle = at + run < n ? at + run : n, end = middle + run < n ? middle + run : n;
            for (int64_t i = at, j = middle, k = at; k < end; k++) {
                int sign = i < middle && j < end
                               ? compare(dtype, x + places[j] * step, x + places[i] * step)
                               : 0;
                bool second = i == middle || (j < end && (descending ? sign > 0 : sign < 0));
                other[k] = second ? places[j++] : places[i++];
            }
        }
        memcpy(places, other, (size_t)n * sizeof *places);
    }
    free(other);
}

/* ---- elements ------------------------------------------------------------------------ */

static uint64_t state_of_random;

static uint64_t random_bits(void)
{
    state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
    return state_of_random >> 32 ^ state_of_random << 32;
}

/* Of every kind: any bits, small numbers that repeat, zeros of both signs, infinities, NaN. */
static ps_scalar random_scalar(ps_dtype dtype)
{
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.5};
    bool inexact = ps__dtype_is_inexact(dtype), few = random_bits() % 2;
    double parts[2];
    for (int i = 0; i < 2; i++)
        parts[i] = random_bits() % 4 == 0 ? special[random_bits() % 6]
                   : few                  ? (double)(random_bits() % 7) - 3
                                          : (double)(int64_t)random_bits() * 0x1p-40;
    if (ps__dtype_kind_of(dtype) == PS__KIND_COMPLEX)
        return (ps_scalar){PS_SCALAR_COMPLEX, {.z = {parts[0], parts[1]}}};
    if (inexact)
        return (ps_scalar){PS_SCALAR_DOUBLE, {.d = parts[0]}};
    return (ps_scalar){PS_SCALAR_UINT64, {.u = few ? random_bits() % 5 : random_bits()}};
}

/* Negative NaN too, and NaN of other bits: quiet ones, which stay as they are where a float16 passes
 * through a float32. */
static void vary(ps_dtype dtype, size_t item, char *element)
{
    ps_scalar value = ps__scalar_load(dtype, element);
    if (value.tag == PS_SCALAR_COMPLEX ? !isnan(value.as.z[0]) : !isnan(value.as.d))
        return;
    element[item - 1] ^= (char)(random_bits() % 2 ? 0x80 : 0);
    element[0] ^= random_bits() % 2;
}

static char *random_elements(ps_dtype dtype, int64_t count)
{
    size_t item = ps__dtype_bytes(dtype);
    char *elements = malloc((size_t)count * item + 16);
    for (int64_t i = 0; i < count; i++) {
        char *element = elements + (size_t)i * item;
        ps__scalar_cast(random_scalar(dtype), dtype, element);
        if (ps__dtype_is_inexact(dtype))
            vary(dtype, item, element);
    }
    return elements;
}

static void *elements_of(ps_tensor *tensor)
{
    size_t bytes;
    return bytes_of(tensor, &bytes);
}

/* ---- rows against the oracle --------------------------------------------------------- */

typedef struct rows {
    ps_dtype dtype;
    int64_t outer, length, inner;
    char *elements;
    int64_t *places[2]; /* of all elements of each row, up and down; row after row */
} rows;

static const char *row_of(const rows *r, int64_t row)
{
    int64_t at = row / r->inner * r->length * r->inner + row % r->inner;
    return r->elements + at * (int64_t)ps__dtype_bytes(r->dtype);
}

static void rows_begin(rows *r)
{
    int64_t step = r->inner * (int64_t)ps__dtype_bytes(r->dtype), count = r->outer * r->inner;
    for (int down = 0; down < 2; down++) {
        r->places[down] = malloc((size_t)(count * r->length) * sizeof(int64_t) + 1);
        for (int64_t i = 0; i < count; i++)
            order(r->dtype, down, r->length, row_of(r, i), step, r->places[down] + i * r->length);
    }
}

static void rows_end(rows *r)
{
    free(r->elements);
    free(r->places[0]);
    free(r->places[1]);
}

/* One row of results, from `at` on: places, and with them the elements' bits. */
static void check_row(const rows *r, int64_t row, bool descending, int64_t wanted, int64_t at,
                      const int64_t *got, const char *sorted)
{
    int64_t item = (int64_t)ps__dtype_bytes(r->dtype);
    const int64_t *places = r->places[descending] + row * r->length;
    const char *x = row_of(r, row);
    for (int64_t k = 0; k < wanted; k++, at += r->inner) {
        if (got != NULL && got[at] != places[k])
            fail_msg("%s %s, %lld elements: place %lld is %lld, not %lld", ps_dtype_name(r->dtype),
                     descending ? "down" : "up", (long long)r->length, (long long)k,
                     (long long)got[at], (long long)places[k]);
        if (sorted != NULL &&
            memcmp(sorted + at * item, x + places[k] * r->inner * item, (size_t)item) != 0)
            fail_msg("%s %s, %lld elements: element %lld has other bits", ps_dtype_name(r->dtype),
                     descending ? "down" : "up", (long long)r->length, (long long)k);
    }
}

static void check_rows(const rows *r, bool descending, int64_t wanted, ps_tensor *places,
                       ps_tensor *elements)
{
    assert_int_equal(ps_tensor_dtype(places), PS_INT64);
    int64_t *got = elements_of(places);
    char *sorted = elements != NULL ? elements_of(elements) : NULL;
    for (int64_t i = 0; i < r->outer * r->inner; i++)
        check_row(r, i, descending, wanted, i / r->inner * wanted * r->inner + i % r->inner, got,
                  sorted);
    free(got);
    free(sorted);
}

/* x has the rows along axis 1 of three. */
static void check_tensor(const rows *r, ps_tensor *x)
{
    for (int down = 0; down < 2; down++) {
        ps_tensor *places = CALL("argsort", T(x), I(1), B(down));
        ps_tensor *sorted = CALL("sort", T(x), I(-2), B(down));
        check_rows(r, down, r->length, places, sorted);
        RELEASE(places, sorted);
        for (int64_t wanted = 0; wanted <= r->length; wanted = wanted * 5 + 1) {
            places = CALL("topk", T(x), I(wanted), I(1), B(down));
            CHECK_SHAPE(places, r->outer, wanted, r->inner);
            check_rows(r, down, wanted, places, NULL);
            ps_tensor_release(places);
        }
    }
}

/* As it lies, and as a view with other strides. */
static void check_both(ps_dtype dtype, int64_t outer, int64_t length, int64_t inner)
{
    rows r = {dtype, outer, length, inner, random_elements(dtype, outer * length * inner), {NULL}};
    ps_tensor *x, *turned, *back, *view;
    rows_begin(&r);
    CHECK_OK(ps_tensor_from_host(dtype, SHAPE(outer, length, inner), NULL, r.elements, NULL, &x));
    check_tensor(&r, x);
    turned = CALL("permute", T(x), INTS(1, 2, 0));
    back = CALL("copy", T(turned));
    view = CALL("permute", T(back), INTS(2, 0, 1));
    check_tensor(&r, view);
    RELEASE(x, turned, back, view);
    rows_end(&r);
}

static void every_type(void **state)
{
    (void)state;
    for (int dtype = 0; dtype < PS__DTYPES; dtype++) {
        check_both((ps_dtype)dtype, 1, 700, 1); /* by bytes */
        check_both((ps_dtype)dtype, 2, 45, 1);  /* by merging, unless narrow */
        check_both((ps_dtype)dtype, 3, 45, 5);  /* in tiles that are not full */
        check_both((ps_dtype)dtype, 40, 7, 1);
        check_both((ps_dtype)dtype, 2, 150, 19); /* more than one tile in a line */
        check_both((ps_dtype)dtype, 5, 2100, 1); /* too long for tiles */
        check_both((ps_dtype)dtype, 2, 1, 3);
        check_both((ps_dtype)dtype, 2, 0, 3);
        check_both((ps_dtype)dtype, 0, 3, 2);
    }
}

static void long_rows(void **state)
{
    (void)state;
    static const ps_dtype types[] = {PS_FLOAT32, PS_FLOAT64, PS_COMPLEX64, PS_UINT8};
    for (int i = 0; i < 4; i++)
        check_both(types[i], 1, SANITIZED ? 6000 : 20000, 1);
}

/* Neighbours along several dimensions, which follow each other or do not. */
static void rows_of_many_dimensions(void **state)
{
    (void)state;
    enum { A = 3, B = 5, LENGTH = 11, C = 2 };
    rows r = {PS_FLOAT32, A * B, LENGTH, C, random_elements(PS_FLOAT32, A * B * LENGTH * C),
              {NULL}};
    ps_tensor *x, *turned, *back, *last;
    rows_begin(&r);
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, SHAPE(A, B, LENGTH, C), NULL, r.elements, NULL, &x));
    turned = CALL("permute", T(x), INTS(0, 1, 3, 2));  /* the axis last, elements apart */
    back = CALL("copy", T(turned));                    /* side by side, all rows follow */
    last = CALL("permute", T(back), INTS(1, 0, 2, 3)); /* and some do not */
    ps_tensor *of[] = {turned, back, last};
    for (int i = 0; i < 3; i++) {
        ps_tensor *sorted = CALL("sort", T(of[i])), *places = CALL("argsort", T(of[i]));
        ps_tensor *as[] = {CALL("permute", T(sorted), i < 2 ? INTS(0, 1, 3, 2) : INTS(1, 0, 3, 2)),
                           CALL("permute", T(places), i < 2 ? INTS(0, 1, 3, 2) : INTS(1, 0, 3, 2))};
        check_rows(&r, false, LENGTH, as[1], as[0]);
        RELEASE(sorted, places, as[0], as[1]);
    }
    RELEASE(x, turned, back, last);
    rows_end(&r);
}

/* ---- tiles --------------------------------------------------------------------------- */

/* A tile is one outer dimension with as many inner elements as it has lanes. */
static void check_tile(const rows *r, const ps__kernel_set *set, bool down)
{
    enum { LANES = PS__ORDER_LANES };
    size_t count = (size_t)r->length * LANES;
    char *sorted = aligned_alloc(64, count * 8), *records = aligned_alloc(64, count * 16);
    int64_t *places = aligned_alloc(64, count * sizeof *places);
    ps__lanes lanes;
    for (int with_places = 0; with_places < 2; with_places++) {
        if (!ps__order_lanes(set, r->dtype, down, with_places, (size_t)r->length, &lanes))
            continue;
        if (with_places)
            lanes.argsort(&lanes, r->elements, places, records);
        else
            lanes.sort(&lanes, r->elements, sorted);
        for (int64_t i = 0; i < LANES; i++)
            check_row(r, i, down, r->length, i, with_places ? places : NULL,
                      with_places ? NULL : sorted);
    }
    free(sorted);
    free(records);
    free(places);
}

static void check_tiles(ps_dtype dtype, int64_t length)
{
    static const char *const names[] = {"ref", "avx2", "avx512"};
    rows r = {dtype, 1, length, PS__ORDER_LANES, NULL, {NULL}};
    r.elements = random_elements(dtype, length * PS__ORDER_LANES);
    rows_begin(&r);
    for (int i = 0; i < 3; i++)
        for (int down = 0; down < 2 && ps__kernels_find(names[i]) != NULL; down++)
            check_tile(&r, ps__kernels_find(names[i]), down);
    rows_end(&r);
}

static void tiles_of_every_set(void **state)
{
    (void)state;
    static const int64_t longer[] = {63, 64, 65, 100, 129, 250, 256, 257, 1000};
    for (int dtype = 0; dtype < PS__DTYPES; dtype++) {
        for (int64_t length = 2; length < 40; length += SANITIZED ? 3 : 1)
            check_tiles((ps_dtype)dtype, length);
        for (size_t i = 0; i < sizeof longer / sizeof longer[0] - SANITIZED; i++)
            check_tiles((ps_dtype)dtype, longer[i]);
    }
}

static void tiles_only_where_there_are_some(void **state)
{
    (void)state;
    ps__lanes lanes;
    const ps__kernel_set *set = ps__kernels_get();
    assert_true(ps__order_lanes(set, PS_FLOAT32, false, false, 10, &lanes));
    assert_true(ps__order_lanes(set, PS_INT64, true, true, 10, &lanes));
    assert_false(ps__order_lanes(set, PS_FLOAT32, false, false, 1, &lanes));
    assert_false(ps__order_lanes(set, PS_FLOAT32, false, false, 1 << 20, &lanes));
    assert_false(ps__order_lanes(set, PS_BOOL, false, false, 10, &lanes));
    assert_false(ps__order_lanes(set, PS_COMPLEX64, false, true, 10, &lanes));
}

/* Rows that are sorted already, or the other way round, or all alike. */
static void rows_with_an_order(void **state)
{
    (void)state;
    enum { N = 1000 };
    for (int kind = 0; kind < 3; kind++) {
        rows r = {PS_INT32, 1, N, 1, malloc(N * sizeof(int32_t)), {NULL}};
        for (int i = 0; i < N; i++)
            ((int32_t *)(void *)r.elements)[i] = kind == 0 ? i - 500 : kind == 1 ? 500 - i : 7;
        ps_tensor *x;
        rows_begin(&r);
        CHECK_OK(ps_tensor_from_host(PS_INT32, SHAPE(1, N, 1), NULL, r.elements, NULL, &x));
        check_tensor(&r, x);
        ps_tensor_release(x);
        rows_end(&r);
    }
}

static void workers_change_nothing(void **state)
{
    (void)state;
    ps_engine *engine;
    unsigned before;
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_engine_workers(engine, &before));
    for (unsigned workers = 1; workers <= 4; workers++) {
        CHECK_OK(ps_engine_set_workers(engine, workers));
        check_both(PS_FLOAT32, 50, 400, 1); /* in tiles: more than a piece each */
        check_both(PS_FLOAT32, 3, 200, 40);
        check_both(PS_INT16, 10, 2000, 1); /* row by row */
    }
    CHECK_OK(ps_engine_set_workers(engine, before));
}

/* ---- searchsorted -------------------------------------------------------------------- */

static void check_search(ps_dtype dtype, int64_t n, int64_t count)
{
    size_t item = ps__dtype_bytes(dtype);
    char *elements = random_elements(dtype, n), *wanted = random_elements(dtype, count), *in;
    ps_tensor *x, *sorted, *values;
    CHECK_OK(ps_tensor_from_host(dtype, SHAPE(n), NULL, elements, NULL, &x));
    CHECK_OK(ps_tensor_from_host(dtype, SHAPE(count), NULL, wanted, NULL, &values));
    sorted = CALL("sort", T(x));
    in = elements_of(sorted);
    for (int right = 0; right < 2; right++) {
        ps_tensor *y = CALL("searchsorted", T(sorted), T(values), S(right ? "right" : "left"));
        int64_t *places = elements_of(y);
        for (int64_t i = 0; i < count; i++) {
            int64_t place = 0;
            while (place < n &&
                   compare(dtype, in + (size_t)place * item, wanted + (size_t)i * item) < right)
                place++;
            assert_int_equal(places[i], place);
        }
        free(places);
        ps_tensor_release(y);
    }
    RELEASE(x, sorted, values);
    free(elements);
    free(wanted);
    free(in);
}

static void searches(void **state)
{
    (void)state;
    for (int dtype = 0; dtype < PS__DTYPES; dtype++) {
        check_search((ps_dtype)dtype, 300, 50);
        check_search((ps_dtype)dtype, 0, 3);
        check_search((ps_dtype)dtype, 5, 0);
    }
    check_search(PS_FLOAT32, 100, 5000); /* on the pool */
}

static void searches_across_types(void **state)
{
    (void)state;
    ps_tensor *x = INDICES(PS_INT8, 1, 2, 2, 5), *at, *view, *y;
    at = from_floats(SHAPE(2, 2), (float[]){2, 1.5f, 9, 0});
    view = CALL("permute", T(at));
    y = CALL("searchsorted", T(x), T(view));
    CHECK_SHAPE(y, 2, 2);
    CHECK_VALUES(y, 1, 4, 1, 0);
    ps_tensor *one = CALL("searchsorted", T(x), I(2), S("right")),
              *high = CALL("searchsorted", T(x), F(2.5));
    assert_int_equal(ps_tensor_ndim(one), 0);
    CHECK_VALUES(one, 3);
    CHECK_VALUES(high, 3);
    RELEASE(x, at, view, y, one, high);
}

/* ---- outputs, errors, memory --------------------------------------------------------- */

static void into_an_output(void **state)
{
    (void)state;
    ps_tensor *x = from_floats(SHAPE(2, 3), (float[]){3, 1, 2, 6, 5, 4}), *y, *turned, *same = x;
    y = CALL("zeros", INTS(2, 3), D(PS_FLOAT64));
    CHECK_OK(call_into("sort", ARGS(T(x)), &y)); /* another type */
    CHECK_VALUES(y, 1, 2, 3, 4, 5, 6);
    turned = CALL("permute", T(x));
    CHECK_OK(call_into("sort", ARGS(T(x), I(0), B(true)), &same)); /* in place */
    assert_ptr_equal(same, x);
    CHECK_VALUES(x, 6, 5, 4, 3, 1, 2);
    same = turned;
    CHECK_OK(call_into("sort", ARGS(T(turned), I(0)), &same)); /* through a view */
    CHECK_VALUES(x, 4, 5, 6, 1, 2, 3);
    RELEASE(x, y, turned);
}

static void what_is_refused(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *none = CALL("zeros", INTS(0)), *out = NULL;
    ps_tensor *point = CALL("sum", T(x));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 2 is out of range",
                call_into("sort", ARGS(T(x), I(2)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "0 dimensions", call_into("argsort", ARGS(T(point)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "must be a tensor", call_into("sort", ARGS(F(1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "k is 4, must be from 0 to 3",
                call_into("topk", ARGS(T(x), I(4)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "k is -1", call_into("topk", ARGS(T(x), I(-1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "one dimension, not shape (2, 3)",
                call_into("searchsorted", ARGS(T(x), T(x)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "side must be one of: left right; not \"up\"",
                call_into("searchsorted", ARGS(T(none), T(x), S("up")), &out));
    assert_null(out);
    RELEASE(x, none, point);
}

static void on_the_null_device(void **state)
{
    (void)state;
    ps_device *null;
    CHECK_OK(ps_device_find("null", &null));
    ps_tensor *x, *here = counted(PS_FLOAT32, SHAPE(3)), *out = NULL;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, SHAPE(3), NULL, (float[]){1, 2, 3}, null, &x));
    ps_tensor *sorted = CALL("sort", T(x)), *places = CALL("searchsorted", T(x), F(2));
    assert_ptr_equal(ps_tensor_device(sorted), null);
    assert_ptr_equal(ps_tensor_device(places), null);
    CHECK_OK(ps_tensor_wait(sorted, NULL));
    CHECK_OK(ps_tensor_wait(places, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "null", call_into("searchsorted", ARGS(T(here), T(x)), &out));
    RELEASE(x, here, sorted, places);
}

/* Each allocation fails in turn: the call or the wait says so, or all is as it should be. */
static void memory_that_is_not_there(void **state)
{
    (void)state;
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    ps_tensor *x = from_floats(SHAPE(2, 3), (float[]){3, 1, 2, 6, 4, 5});
    ps_tensor *at = INDICES(PS_INT32, 2, 9);
    CHECK_OK(ps_wait_all(engine, NULL));
    for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
        ps_tensor *y = NULL, *z = NULL, *line = NULL, *found = NULL;
        int64_t got[4], where[2];
        ps__fault_set(nth, false);
        ps_status status = call_into("sort", ARGS(T(x), I(0)), &y);
        if (status == PS_OK)
            status = call_into("topk", ARGS(T(y), I(2)), &z);
        if (status == PS_OK)
            status = call_into("sum", ARGS(T(y), I(0)), &line);
        if (status == PS_OK)
            status = call_into("searchsorted", ARGS(T(line), T(at)), &found);
        if (status == PS_OK)
            status = ps_tensor_to_host(z, got, sizeof got);
        if (status == PS_OK)
            status = ps_tensor_to_host(found, where, sizeof where);
        calls = ps__fault_count();
        ps__fault_set(0, false);
        if (status == PS_OK) {
            assert_memory_equal(got, ((int64_t[]){0, 2, 0, 2}), sizeof got);
            assert_memory_equal(where, ((int64_t[]){0, 3}), sizeof where);
        } else {
            assert_int_equal(status, PS_ERR_MEMORY);
        }
        RELEASE(y, z, line, found);
        while (ps_wait_all(engine, NULL) != PS_OK)
            continue;
    }
    RELEASE(x, at);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type),
        cmocka_unit_test(long_rows),
        cmocka_unit_test(rows_of_many_dimensions),
        cmocka_unit_test(tiles_of_every_set),
        cmocka_unit_test(tiles_only_where_there_are_some),
        cmocka_unit_test(rows_with_an_order),
        cmocka_unit_test(workers_change_nothing),
        cmocka_unit_test(searches),
        cmocka_unit_test(searches_across_types),
        cmocka_unit_test(into_an_output),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(on_the_null_device),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
