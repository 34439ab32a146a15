/* sort, argsort, topk and searchsorted: every element type against a plain merge sort, long and
 * short rows, every axis, views, both directions, NaN and zeros; numbers of workers; errors. */
#include "positions_help.h"

#include "base/alloc.h"
#include "dtype/dtype.h"

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

static char *random_elements(ps_dtype dtype, int64_t count)
{
    size_t item = ps__dtype_bytes(dtype);
    char *elements = malloc((size_t)count * item + 16);
    for (int64_t i = 0; i < count; i++)
        ps__scalar_cast(random_scalar(dtype), dtype, elements + (size_t)i * item);
    return elements;
}

static void *bytes_of(ps_tensor *tensor)
{
    size_t bytes = (size_t)ps_tensor_count(tensor) * ps__dtype_bytes(ps_tensor_dtype(tensor));
    void *all = malloc(bytes + 1);
    CHECK_OK(ps_tensor_to_host(tensor, all, bytes));
    return all;
}

/* ---- rows against the oracle --------------------------------------------------------- */

typedef struct rows {
    ps_dtype dtype;
    int64_t outer, length, inner;
    char *elements;
} rows;

/* Row (o, i) of results: places, and with them the elements' bits. */
static void check_row(const rows *r, int64_t o, int64_t i, bool descending, int64_t wanted,
                      const int64_t *got, const char *sorted)
{
    int64_t item = (int64_t)ps__dtype_bytes(r->dtype), *places;
    const char *x = r->elements + (o * r->length * r->inner + i) * item;
    places = malloc((size_t)r->length * sizeof *places + 1);
    order(r->dtype, descending, r->length, x, r->inner * item, places);
    for (int64_t k = 0; k < wanted; k++) {
        int64_t at = (o * wanted + k) * r->inner + i;
        if (got[at] != places[k])
            fail_msg("%s %s, %lld elements: place %lld is %lld, not %lld", ps_dtype_name(r->dtype),
                     descending ? "down" : "up", (long long)r->length, (long long)k,
                     (long long)got[at], (long long)places[k]);
        if (sorted != NULL &&
            memcmp(sorted + at * item, x + places[k] * r->inner * item, (size_t)item) != 0)
            fail_msg("%s, %lld elements: element %lld has other bits", ps_dtype_name(r->dtype),
                     (long long)r->length, (long long)k);
    }
    free(places);
}

static void check_rows(const rows *r, bool descending, int64_t wanted, ps_tensor *places,
                       ps_tensor *elements)
{
    assert_int_equal(ps_tensor_dtype(places), PS_INT64);
    int64_t *got = bytes_of(places);
    char *sorted = elements != NULL ? bytes_of(elements) : NULL;
    for (int64_t o = 0; o < r->outer; o++)
        for (int64_t i = 0; i < r->inner; i++)
            check_row(r, o, i, descending, wanted, got, sorted);
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
    rows r = {dtype, outer, length, inner, random_elements(dtype, outer * length * inner)};
    ps_tensor *x, *turned, *back, *view;
    CHECK_OK(ps_tensor_from_host(dtype, SHAPE(outer, length, inner), NULL, r.elements, NULL, &x));
    check_tensor(&r, x);
    turned = CALL("permute", T(x), INTS(1, 2, 0));
    back = CALL("copy", T(turned));
    view = CALL("permute", T(back), INTS(2, 0, 1));
    check_tensor(&r, view);
    RELEASE(x, turned, back, view);
    free(r.elements);
}

static void every_type(void **state)
{
    (void)state;
    for (int dtype = 0; dtype < PS__DTYPES; dtype++) {
        check_both((ps_dtype)dtype, 1, 700, 1); /* by bytes */
        check_both((ps_dtype)dtype, 3, 45, 5);  /* by merging, unless narrow */
        check_both((ps_dtype)dtype, 40, 7, 1);
        check_both((ps_dtype)dtype, 2, 300, 19); /* more than one group of lanes */
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
        check_both(types[i], 1, 20000, 1);
}

/* Rows that are sorted already, or the other way round, or all alike. */
static void rows_with_an_order(void **state)
{
    (void)state;
    enum { N = 1000 };
    for (int kind = 0; kind < 3; kind++) {
        rows r = {PS_INT32, 1, N, 1, malloc(N * sizeof(int32_t))};
        for (int i = 0; i < N; i++)
            ((int32_t *)(void *)r.elements)[i] = kind == 0 ? i - 500 : kind == 1 ? 500 - i : 7;
        ps_tensor *x;
        CHECK_OK(ps_tensor_from_host(PS_INT32, SHAPE(1, N, 1), NULL, r.elements, NULL, &x));
        check_tensor(&r, x);
        ps_tensor_release(x);
        free(r.elements);
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
        check_both(PS_FLOAT32, 50, 400, 1);
        check_both(PS_FLOAT32, 3, 400, 40);
        check_both(PS_INT16, 1, 70000, 1);
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
    in = bytes_of(sorted);
    for (int right = 0; right < 2; right++) {
        ps_tensor *y = CALL("searchsorted", T(sorted), T(values), S(right ? "right" : "left"));
        int64_t *places = bytes_of(y);
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
    CHECK_FAILS(PS_ERR_ARGUMENT, "left or right, not \"up\"",
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
    for (unsigned long nth = 1, calls = nth; calls >= nth; nth++) {
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
        cmocka_unit_test(every_type),         cmocka_unit_test(long_rows),
        cmocka_unit_test(rows_with_an_order), cmocka_unit_test(workers_change_nothing),
        cmocka_unit_test(searches),           cmocka_unit_test(searches_across_types),
        cmocka_unit_test(into_an_output),     cmocka_unit_test(what_is_refused),
        cmocka_unit_test(on_the_null_device), cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
