/* Views: which elements they show, against plain loops; what they share; what is refused. The views
 * that are operations (reshape, flip, ...) are tested in tests/ops. */
#include "ops/help.h"

static void release_all(ps_tensor **tensors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ps_tensor_release(tensors[i]);
}

#define RELEASE(...)                                                                               \
    release_all((ps_tensor *[]){__VA_ARGS__},                                                      \
                sizeof((ps_tensor *[]){__VA_ARGS__}) / sizeof(ps_tensor *))

#define RANGE(start, stop, step) ((ps_index){PS_INDEX_RANGE, (start), (stop), (step)})
#define AT(place) ((ps_index){PS_INDEX_AT, (place), 0, 0})
#define NEW ((ps_index){PS_INDEX_NEW, 0, 0, 0})
#define ELLIPSIS ((ps_index){PS_INDEX_ELLIPSIS, 0, 0, 0})
#define ABSENT PS_INDEX_NONE
#define INDICES(...) (ps_index[]){__VA_ARGS__}, sizeof((ps_index[]){__VA_ARGS__}) / sizeof(ps_index)

/* ---- slices ------------------------------------------------------------------------------ */

/* The places that a slice of Python's names, by its definition; returns how many. */
static int64_t places(int64_t length, ps_index slice, int64_t *out)
{
    __int128 step = slice.step == ABSENT ? 1 : slice.step, count = 0;
    __int128 low = step > 0 ? 0 : -1, high = step > 0 ? length : length - 1;
    __int128 start = slice.start == ABSENT ? (step > 0 ? low : high) : slice.start;
    __int128 stop = slice.stop == ABSENT ? (step > 0 ? high : low) : slice.stop;
    if (slice.start != ABSENT && start < 0)
        start += length;
    if (slice.stop != ABSENT && stop < 0)
        stop += length;
    start = start < low ? low : start > high ? high : start;
    stop = stop < low ? low : stop > high ? high : stop;
    for (; step > 0 ? start < stop : start > stop; start += step)
        out[count++] = (int64_t)start;
    return (int64_t)count;
}

static void check_slice(ps_tensor *x, int64_t length, ps_index slice)
{
    int64_t wanted[8], got[8], count = places(length, slice, wanted);
    ps_tensor *view;
    CHECK_OK(ps_tensor_index(x, &slice, 1, &view));
    if (ps_tensor_count(view) != count)
        fail_msg("%lld:%lld:%lld of %lld: %lld elements, not %lld", (long long)slice.start,
                 (long long)slice.stop, (long long)slice.step, (long long)length,
                 (long long)ps_tensor_count(view), (long long)count);
    CHECK_OK(ps_tensor_to_host(view, got, sizeof got));
    if (count != 0)
        assert_memory_equal(got, wanted, (size_t)count * sizeof got[0]);
    ps_tensor_release(view);
}

static void every_slice_of_short_lines(void **state)
{
    (void)state;
    static const int64_t bounds[] = {ABSENT, -7, -6, -5, -4, -3, -2, -1,        0,
                                     1,      2,  3,  4,  5,  6,  7,  INT64_MAX, INT64_MIN + 1};
    static const int64_t steps[] = {ABSENT, 1, 2, 3, 7, -1, -2, -3, -7, INT64_MAX, INT64_MIN + 1};
    for (int64_t length = 0; length < 6; length++) {
        ps_tensor *x = counted(PS_INT64, 1, &length);
        for (size_t a = 0; a < sizeof bounds / sizeof bounds[0]; a++)
            for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++)
                for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++)
                    check_slice(x, length, RANGE(bounds[a], bounds[b], steps[s]));
        ps_tensor_release(x);
    }
}

/* A slice of a slice of a slice. */
static void slices_of_slices(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(20)), *a, *b, *c;
    CHECK_OK(ps_tensor_index(x, INDICES(RANGE(2, ABSENT, 3)), &a));       /* 2 5 8 11 14 17 */
    CHECK_OK(ps_tensor_index(a, INDICES(RANGE(ABSENT, ABSENT, -2)), &b)); /* 17 11 5 */
    CHECK_OK(ps_tensor_index(b, INDICES(RANGE(1, 9, 1)), &c));            /* 11 5 */
    CHECK_VALUES(a, 2, 5, 8, 11, 14, 17);
    CHECK_VALUES(b, 17, 11, 5);
    CHECK_VALUES(c, 11, 5);
    assert_int_equal(ps_tensor_strides(c)[0], -6);
    RELEASE(x, a, b, c);
}

/* ---- several dimensions ------------------------------------------------------------------ */

static void positions_new_dimensions_and_the_rest(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3, 4)), *v;
    CHECK_OK(ps_tensor_index(x, INDICES(AT(1)), &v));
    CHECK_SHAPE(v, 3, 4);
    CHECK_VALUES(v, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23);
    RELEASE(v);
    CHECK_OK(ps_tensor_index(x, INDICES(ELLIPSIS, AT(-1)), &v));
    CHECK_SHAPE(v, 2, 3);
    CHECK_VALUES(v, 3, 7, 11, 15, 19, 23);
    RELEASE(v);
    CHECK_OK(ps_tensor_index(x, INDICES(NEW, AT(0), ELLIPSIS, NEW, RANGE(3, ABSENT, 1)), &v));
    CHECK_SHAPE(v, 1, 3, 1, 1);
    CHECK_VALUES(v, 3, 7, 11);
    RELEASE(v);
    CHECK_OK(ps_tensor_index(x, INDICES(AT(1), AT(2), AT(3)), &v));
    assert_int_equal(ps_tensor_ndim(v), 0);
    CHECK_VALUES(v, 23);
    RELEASE(v);
    CHECK_OK(ps_tensor_index(x, NULL, 0, &v));
    CHECK_SHAPE(v, 2, 3, 4);
    RELEASE(x, v);
}

static void permuted_dimensions(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT16, SHAPE(2, 3, 4)), *v;
    CHECK_OK(ps_tensor_permute(x, (int[]){2, 0, -2}, 3, &v));
    CHECK_SHAPE(v, 4, 2, 3);
    double *values = values_of(v);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            for (int m = 0; m < 3; m++)
                assert_true(values[(i * 2 + k) * 3 + m] == k * 12 + m * 4 + i);
    free(values);
    RELEASE(x, v);
}

static void broadcast_dimensions(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 1)), *v, *w, *same;
    CHECK_OK(ps_tensor_broadcast(x, SHAPE(3, 2, 2), &v));
    CHECK_VALUES(v, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1);
    CHECK_OK(ps_tensor_broadcast(x, SHAPE(2, 0), &w));
    assert_int_equal(ps_tensor_count(w), 0);
    CHECK_OK(ps_tensor_broadcast(x, SHAPE(2, 1), &same));
    CHECK_VALUES(same, 0, 1);
    RELEASE(x, v, w, same);
}

/* Of a tensor that many elements long it would be impossible; of a view it costs nothing. */
static void broadcast_beyond_memory(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT8, SHAPE(1)), *wide, *part;
    CHECK_OK(ps_tensor_broadcast(x, SHAPE(INT64_C(1) << 60), &wide));
    assert_int_equal(ps_tensor_count(wide), INT64_C(1) << 60);
    CHECK_OK(
        ps_tensor_index(wide, INDICES(RANGE(INT64_C(1) << 59, (INT64_C(1) << 59) + 3, 1)), &part));
    CHECK_VALUES(part, 0, 0, 0);
    RELEASE(x, wide, part);
}

static void other_shapes(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(4, 6)), *v, *turned, *cut;
    CHECK_OK(ps_tensor_view_as(x, SHAPE(2, -1, 3), &v));
    CHECK_SHAPE(v, 2, 4, 3);
    RELEASE(v);
    CHECK_OK(ps_tensor_permute(x, NULL, 0, &turned));
    CHECK_FAILS(PS_ERR_STATE,
                "no view of shape (24,) on a tensor of shape (6, 4) and strides (1, 6)",
                ps_tensor_view_as(turned, SHAPE(24), &v));
    CHECK_OK(ps_tensor_view_as(turned, SHAPE(2, 3, 1, 2, 2), &v)); /* each dimension divided */
    CHECK_VALUES(v, 0, 6, 12, 18, 1, 7, 13, 19, 2, 8, 14, 20, 3, 9, 15, 21, 4, 10, 16, 22, 5, 11,
                 17, 23);
    RELEASE(v);
    CHECK_OK(ps_tensor_index(x, INDICES(ELLIPSIS, RANGE(0, 3, 1)), &cut));
    CHECK_OK(ps_tensor_view_as(cut, SHAPE(2, 2, 3), &v));
    CHECK_VALUES(v, 0, 1, 2, 6, 7, 8, 12, 13, 14, 18, 19, 20);
    RELEASE(x, turned, cut, v);
}

static void parts_of_complex_numbers(void **state)
{
    (void)state;
    float numbers[] = {1, 2, 3, 4, 5, 6};
    ps_tensor *z, *real, *imaginary, *backward, *part;
    CHECK_OK(ps_tensor_from_host(PS_COMPLEX64, SHAPE(3), NULL, numbers, NULL, &z));
    CHECK_OK(ps_tensor_part(z, false, &real));
    CHECK_OK(ps_tensor_part(z, true, &imaginary));
    assert_int_equal(ps_tensor_dtype(real), PS_FLOAT32);
    CHECK_VALUES(real, 1, 3, 5);
    CHECK_VALUES(imaginary, 2, 4, 6);
    CHECK_OK(ps_tensor_index(z, INDICES(RANGE(ABSENT, ABSENT, -1)), &backward));
    CHECK_OK(ps_tensor_part(backward, true, &part));
    CHECK_VALUES(part, 6, 4, 2);
    CHECK_OK(call_into("multiply", ARGS(T(imaginary), I(10)), &imaginary)); /* written through */
    CHECK_OK(ps_tensor_to_host(z, numbers, sizeof numbers));
    assert_true(numbers[0] == 1 && numbers[1] == 20 && numbers[4] == 5 && numbers[5] == 60);
    CHECK_FAILS(PS_ERR_TYPE, "float32 has no parts", ps_tensor_part(real, true, &part));
    RELEASE(z, real, imaginary, backward, part);
}

/* ---- sharing ----------------------------------------------------------------------------- */

static void writes_are_seen_through_all_views(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3, 4)), *turned, *row, *copy = CALL("copy", T(x));
    CHECK_OK(ps_tensor_permute(x, NULL, 0, &turned));
    CHECK_OK(ps_tensor_index(turned, INDICES(AT(1)), &row)); /* a column of x */
    assert_true(ps_tensor_shares(x, row));
    assert_false(ps_tensor_shares(x, copy));
    CHECK_OK(call_into("assign", ARGS(I(-1)), &row));
    CHECK_VALUES(x, 0, -1, 2, 3, 4, -1, 6, 7, 8, -1, 10, 11);
    CHECK_OK(call_into("assign", ARGS(I(7)), &x)); /* all of it: may move to other memory */
    CHECK_VALUES(row, 7, 7, 7);
    CHECK_VALUES(copy, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    ps_tensor_release(x); /* the views keep it */
    CHECK_VALUES(turned, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7);
    RELEASE(turned, row, copy);
}

/* A view is made without waiting, of a value that is not there yet. */
static void views_of_what_is_queued(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(100000)), *y = CALL("add", T(x), I(1)), *v;
    CHECK_OK(ps_tensor_index(y, INDICES(RANGE(99998, ABSENT, 1)), &v));
    ps_tensor_release(y);
    CHECK_VALUES(v, 99999, 100000);
    RELEASE(x, v);
}

/* ---- refusals ---------------------------------------------------------------------------- */

static void what_is_refused(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *v = NULL;
    CHECK_FAILS(PS_ERR_INDEX, "index 2 is out of bounds for axis 0 with size 2",
                ps_tensor_index(x, INDICES(AT(2)), &v));
    CHECK_FAILS(PS_ERR_INDEX, "index -4 is out of bounds for axis 1 with size 3",
                ps_tensor_index(x, INDICES(AT(0), AT(-4)), &v));
    CHECK_FAILS(PS_ERR_INDEX, "out of bounds", ps_tensor_index(x, INDICES(AT(INT64_MIN)), &v));
    CHECK_FAILS(PS_ERR_INDEX, "array is 2-dimensional, but 3 were indexed",
                ps_tensor_index(x, INDICES(AT(0), AT(0), AT(0)), &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "step of a slice is 0",
                ps_tensor_index(x, INDICES(RANGE(0, 1, 0)), &v));
    CHECK_FAILS(PS_ERR_INDEX, "a single ellipsis",
                ps_tensor_index(x, INDICES(ELLIPSIS, ELLIPSIS), &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "9 is no kind of index",
                ps_tensor_index(x, INDICES({(ps_index_kind)9, 0, 0, 0}), &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "ps_tensor_get reads with them",
                ps_tensor_index(x, INDICES({PS_INDEX_ARRAY, 0, 0, 0}), &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "ps_tensor_get reads with them",
                ps_tensor_index(x, INDICES({PS_INDEX_MASK, 0, 0, 0}), &v));
    ps_index many[31];
    for (int i = 0; i < 31; i++)
        many[i] = NEW;
    CHECK_FAILS(PS_ERR_INDEX, "the index makes 33 dimensions, at most 32",
                ps_tensor_index(x, many, 31, &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "1 axes for 2 dimensions",
                ps_tensor_permute(x, (int[]){0}, 1, &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 2", ps_tensor_permute(x, (int[]){0, 2}, 2, &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 1 is named twice",
                ps_tensor_permute(x, (int[]){1, -1}, 2, &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(2, 3) cannot be broadcast to (3,)",
                ps_tensor_broadcast(x, SHAPE(3), &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(4, 3)", ps_tensor_broadcast(x, SHAPE(4, 3), &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "negative length", ps_tensor_broadcast(x, SHAPE(-1, 3), &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "6 elements of shape (2, 3) into (5,)",
                ps_tensor_view_as(x, SHAPE(5), &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(-1, -1)", ps_tensor_view_as(x, SHAPE(-1, -1), &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "", ps_tensor_view_as(x, SHAPE(INT64_MAX, INT64_MAX, 6), &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor is NULL", ps_tensor_index(NULL, NULL, 0, &v));
    CHECK_FAILS(PS_ERR_ARGUMENT, "view is NULL", ps_tensor_index(x, NULL, 0, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "indices is NULL", ps_tensor_index(x, NULL, 1, &v));
    assert_null(v);
    RELEASE(x);
}

/* A broadcast view cannot be written: its elements are several at once. */
static void broadcast_views_cannot_be_written(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 1)), *wide, *same;
    CHECK_OK(ps_tensor_broadcast(x, SHAPE(2, 3), &wide));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(2, 3)", call_into("add", ARGS(T(wide), I(1)), &wide));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(2, 3)", call_into("assign", ARGS(I(1)), &wide));
    CHECK_OK(ps_tensor_broadcast(x, SHAPE(2, 1), &same)); /* nothing repeats here */
    CHECK_OK(call_into("assign", ARGS(I(5)), &same));
    CHECK_VALUES(wide, 5, 5, 5, 5, 5, 5);
    RELEASE(x, wide, same);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_slice_of_short_lines),
        cmocka_unit_test(slices_of_slices),
        cmocka_unit_test(positions_new_dimensions_and_the_rest),
        cmocka_unit_test(permuted_dimensions),
        cmocka_unit_test(broadcast_dimensions),
        cmocka_unit_test(broadcast_beyond_memory),
        cmocka_unit_test(other_shapes),
        cmocka_unit_test(parts_of_complex_numbers),
        cmocka_unit_test(writes_are_seen_through_all_views),
        cmocka_unit_test(views_of_what_is_queued),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(broadcast_views_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
