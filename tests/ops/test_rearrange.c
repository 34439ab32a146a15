/* roll, repeat, tile, pad: small cases by hand, and many shapes, types and views against plain loops
 * over indices. */
#include "backend/cpu/cpu.h"
#include "tensor/storage.h"

#include "help.h"

enum { ROUNDS = 60, DIMS = 4 };

static uint32_t seed = 12345;

static int draw(int below)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)below);
}

/* An input, as a view of some kind, with its elements. */
typedef struct input {
    ps_tensor *tensor;
    int ndim;
    int64_t shape[DIMS];
    double *values;
} input;

static ps_tensor *replace(ps_tensor *old, ps_tensor *new)
{
    ps_tensor_release(old);
    return new;
}

static input draw_input(void)
{
    static const ps_dtype types[] = {PS_UINT8, PS_INT16, PS_FLOAT32, PS_FLOAT64, PS_COMPLEX128};
    input in = {.ndim = 1 + draw(DIMS)};
    for (int i = 0; i < in.ndim; i++)
        in.shape[i] = draw(8) == 0 ? 0 : 1 + draw(5);
    in.tensor = counted(types[draw(4)], in.ndim, in.shape); /* not complex: compared as doubles */
    if (draw(2))
        in.tensor = replace(in.tensor, CALL("flip", T(in.tensor), I(draw(in.ndim))));
    if (draw(2))
        in.tensor = replace(in.tensor, CALL("permute", T(in.tensor)));
    for (int i = 0; i < in.ndim; i++)
        in.shape[i] = ps_tensor_shape(in.tensor)[i];
    in.values = values_of(in.tensor);
    return in;
}

static void done(input *in, ps_tensor *result, double *values)
{
    ps_tensor_release(in->tensor);
    ps_tensor_release(result);
    free(in->values);
    free(values);
}

/* Index of flat position `at` in the shape, and back. */
static void unravel(int64_t at, int ndim, const int64_t *shape, int64_t *index)
{
    for (int i = ndim - 1; i >= 0; i--) {
        index[i] = at % shape[i];
        at /= shape[i];
    }
}

static int64_t ravel(int ndim, const int64_t *shape, const int64_t *index)
{
    int64_t at = 0;
    for (int i = 0; i < ndim; i++)
        at = at * shape[i] + index[i];
    return at;
}

static void roll_by_hand(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3));
    ps_tensor *a = CALL("roll", T(x), I(1)), *b = CALL("roll", T(x), I(1), I(1));
    ps_tensor *c = CALL("roll", T(x), INTS(1, -1), INTS(0, 1));
    ps_tensor *d = CALL("roll", T(x), INTS(1, 1, 2), I(-1)); /* 4 in all: once around and 1 */
    CHECK_VALUES(a, 5, 0, 1, 2, 3, 4);
    CHECK_SHAPE(a, 2, 3);
    CHECK_VALUES(b, 2, 0, 1, 5, 3, 4);
    CHECK_VALUES(c, 4, 5, 3, 1, 2, 0);
    CHECK_VALUES(d, 2, 0, 1, 5, 3, 4);
    ps_tensor *p = CALL("sum", T(x)), *e = CALL("roll", T(p), I(7));
    assert_int_equal(ps_tensor_ndim(e), 0);
    CHECK_VALUES(e, 15);
    ps_tensor *out = x; /* onto itself */
    CHECK_OK(call_into("roll", ARGS(T(x), I(-1), I(1)), &out));
    CHECK_VALUES(x, 1, 2, 0, 4, 5, 3);
    CHECK_OK(call_into("roll", ARGS(T(x), I(1)), &out));
    CHECK_VALUES(x, 3, 1, 2, 0, 4, 5);
    ps_tensor *all[] = {x, a, b, c, d, p, e};
    for (int i = 0; i < 7; i++)
        ps_tensor_release(all[i]);
}

static void roll_against_loops(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        input in = draw_input();
        int64_t shift[DIMS], axes[DIMS], index[DIMS], from[DIMS];
        for (int i = 0; i < in.ndim; i++) {
            shift[i] = draw(21) - 10;
            axes[i] = i;
        }
        ps_tensor *y =
            CALL("roll", T(in.tensor), (ps_arg){PS_ARG_INTS, (uint32_t)in.ndim, {.ints = shift}},
                 (ps_arg){PS_ARG_INTS, (uint32_t)in.ndim, {.ints = axes}});
        double *values = values_of(y);
        for (int64_t at = 0; at < ps_tensor_count(y); at++) {
            unravel(at, in.ndim, in.shape, index);
            for (int i = 0; i < in.ndim; i++)
                from[i] = ((index[i] - shift[i]) % in.shape[i] + in.shape[i]) % in.shape[i];
            assert_true(values[at] == in.values[ravel(in.ndim, in.shape, from)]);
        }
        done(&in, y, values);
    }
}

/* More axes than one task rolls. */
static void roll_of_many_axes(void **state)
{
    (void)state;
    int64_t shape[10], axes[10], ones[10];
    for (int i = 0; i < 10; i++) {
        shape[i] = 2;
        axes[i] = i;
        ones[i] = 1;
    }
    ps_tensor *x = counted(PS_INT64, 10, shape);
    ps_arg args[3] = {T(x), {PS_ARG_INTS, 10, {.ints = ones}}, {PS_ARG_INTS, 10, {.ints = axes}}};
    ps_tensor *y = call("roll", 3, args);
    double *values = values_of(y);
    for (int i = 0; i < 1024; i++)
        assert_true(values[i] == 1023 - i);
    free(values);
    ps_tensor_release(x);
    ps_tensor_release(y);
}

static void repeat_by_hand(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 2)), *turned = CALL("permute", T(x));
    ps_tensor *a = CALL("repeat", T(x), I(2)), *b = CALL("repeat", T(x), I(2), I(0));
    ps_tensor *c = CALL("repeat", T(turned), I(2)), *d = CALL("repeat", T(x), I(0), I(1));
    CHECK_SHAPE(a, 8);
    CHECK_VALUES(a, 0, 0, 1, 1, 2, 2, 3, 3);
    CHECK_SHAPE(b, 4, 2);
    CHECK_VALUES(b, 0, 1, 0, 1, 2, 3, 2, 3);
    CHECK_VALUES(c, 0, 0, 2, 2, 1, 1, 3, 3);
    CHECK_SHAPE(d, 2, 0);
    ps_tensor *p = CALL("sum", T(x)), *e = CALL("repeat", T(p), I(3));
    CHECK_VALUES(e, 6, 6, 6);
    ps_tensor *all[] = {x, turned, a, b, c, d, p, e};
    for (int i = 0; i < 8; i++)
        ps_tensor_release(all[i]);
}

static void repeat_against_loops(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        input in = draw_input();
        int axis = draw(in.ndim), repeats = draw(40);
        ps_tensor *y = CALL("repeat", T(in.tensor), I(repeats), I(axis - in.ndim));
        double *values = values_of(y);
        int64_t index[DIMS];
        for (int64_t at = 0; at < ps_tensor_count(y); at++) {
            unravel(at, in.ndim, ps_tensor_shape(y), index);
            index[axis] /= repeats;
            assert_true(values[at] == in.values[ravel(in.ndim, in.shape, index)]);
        }
        done(&in, y, values);
    }
}

static void tile_by_hand(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2)), *a = CALL("tile", T(x), INTS(2, 3));
    CHECK_SHAPE(a, 2, 6);
    CHECK_VALUES(a, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1);
    ps_tensor *m = counted(PS_FLOAT32, SHAPE(2, 2)), *b = CALL("tile", T(m), I(2));
    CHECK_SHAPE(b, 2, 4);
    CHECK_VALUES(b, 0, 1, 0, 1, 2, 3, 2, 3);
    ps_tensor *none = CALL("tile", T(m), INTS(0, 2)), *p = CALL("sum", T(x)),
              *c = CALL("tile", T(p), I(2));
    CHECK_SHAPE(none, 0, 4);
    CHECK_VALUES(c, 1, 1);
    ps_tensor *same = call("tile", 2, (ps_arg[]){T(m), {PS_ARG_INTS, 0, {0}}});
    CHECK_VALUES(same, 0, 1, 2, 3);
    ps_tensor *all[] = {x, a, m, b, none, p, c, same};
    for (int i = 0; i < 8; i++)
        ps_tensor_release(all[i]);
}

static void tile_against_loops(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        input in = draw_input();
        int64_t repeats[DIMS], index[DIMS];
        for (int i = 0; i < in.ndim; i++)
            repeats[i] = 1 + draw(3);
        ps_tensor *y =
            CALL("tile", T(in.tensor), (ps_arg){PS_ARG_INTS, (uint32_t)in.ndim, {.ints = repeats}});
        double *values = values_of(y);
        for (int64_t at = 0; at < ps_tensor_count(y); at++) {
            unravel(at, in.ndim, ps_tensor_shape(y), index);
            for (int i = 0; i < in.ndim; i++)
                index[i] %= in.shape[i];
            assert_true(values[at] == in.values[ravel(in.ndim, in.shape, index)]);
        }
        done(&in, y, values);
    }
}

static void pad_by_hand(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(1, 2));
    ps_tensor *a = CALL("pad", T(x), INTS(1, 0), INTS(0, 2), I(9)),
              *b = CALL("pad", T(x), I(1), I(0));
    CHECK_SHAPE(a, 2, 4);
    CHECK_VALUES(a, 9, 9, 9, 9, 0, 1, 9, 9);
    CHECK_SHAPE(b, 2, 3);
    CHECK_VALUES(b, 0, 0, 0, 0, 0, 1);
    ps_tensor *empty = counted(PS_INT32, SHAPE(0, 2)), *c = CALL("pad", T(empty), I(1), I(1), I(5));
    CHECK_SHAPE(c, 2, 4);
    CHECK_VALUES(c, 5, 5, 5, 5, 5, 5, 5, 5);
    ps_tensor *all[] = {x, a, b, empty, c};
    for (int i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
}

static void pad_against_loops(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        input in = draw_input();
        int64_t before[DIMS], after[DIMS], index[DIMS];
        for (int i = 0; i < in.ndim; i++) {
            before[i] = draw(3);
            after[i] = draw(20);
        }
        ps_tensor *y =
            CALL("pad", T(in.tensor), (ps_arg){PS_ARG_INTS, (uint32_t)in.ndim, {.ints = before}},
                 (ps_arg){PS_ARG_INTS, (uint32_t)in.ndim, {.ints = after}}, I(77));
        double *values = values_of(y);
        for (int64_t at = 0; at < ps_tensor_count(y); at++) {
            bool inside = true;
            unravel(at, in.ndim, ps_tensor_shape(y), index);
            for (int i = 0; i < in.ndim; i++) {
                index[i] -= before[i];
                inside &= index[i] >= 0 && index[i] < in.shape[i];
            }
            assert_true(values[at] == (inside ? in.values[ravel(in.ndim, in.shape, index)] : 77));
        }
        done(&in, y, values);
    }
}

/* Enough for the pool, in each of the ways that copies are cut. */
static void large_ones(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(600, 700)), *turned = CALL("permute", T(x));
    ps_tensor *a = CALL("roll", T(turned), INTS(3, 5), INTS(0, 1));
    ps_tensor *b = CALL("pad", T(turned), I(2), I(2)), *c = CALL("repeat", T(x), I(2), I(1));
    double *values = values_of(a), *padded = values_of(b), *twice = values_of(c);
    for (int r = 0; r < 700; r++)
        for (int k = 0; k < 600; k++) {
            assert_true(values[r * 600 + k] == ((k + 595) % 600) * 700 + (r + 697) % 700);
            assert_true(padded[(r + 2) * 604 + k + 2] == k * 700 + r);
            assert_true(twice[k * 1400 + 2 * r + 1] == k * 700 + r);
        }
    free(values);
    free(padded);
    free(twice);
    ps_tensor *all[] = {x, turned, a, b, c};
    for (int i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
}

/* ---- the copies that all are made of -------------------------------------------------------- */

/* Elements in some order of the dimensions, some of them backwards, with gaps. Returns the bytes
 * that they span and sets where the first one is. */
static int64_t draw_strides(int64_t item, int ndim, const int64_t *shape, int64_t *strides,
                            int64_t *first)
{
    bool used[DIMS] = {false};
    int64_t step = item * (1 + draw(2));
    *first = 0;
    for (int i = 0; i < ndim; i++) {
        int dim = draw(ndim);
        while (used[dim])
            dim = (dim + 1) % ndim;
        used[dim] = true;
        strides[dim] = step;
        step *= shape[dim];
        step += draw(2) * item;
        if (draw(4) == 0) {
            *first += (shape[dim] - 1) * strides[dim];
            strides[dim] = -strides[dim];
        }
    }
    return step;
}

static void check_copy(int64_t item, int ndim, const int64_t *shape, bool repeats)
{
    int64_t to[DIMS], from[DIMS], to_first, from_first, index[DIMS], count = 1;
    int64_t to_bytes = draw_strides(item, ndim, shape, to, &to_first);
    int64_t from_bytes = draw_strides(item, ndim, shape, from, &from_first);
    char *source = malloc((size_t)from_bytes), *result = calloc((size_t)to_bytes, 1);
    char *wanted = calloc((size_t)to_bytes, 1);
    for (int64_t i = 0; i < from_bytes; i++)
        source[i] = (char)((i * 2654435761u) >> 13);
    int zero = repeats ? draw(ndim) : -1;
    if (zero >= 0 && from[zero] < 0)
        from_first += (shape[zero] - 1) * from[zero];
    if (zero >= 0)
        from[zero] = 0;
    for (int i = 0; i < ndim; i++)
        count *= shape[i];
    for (int64_t at = 0; at < count; at++) {
        int64_t to_at = to_first, from_at = from_first;
        unravel(at, ndim, shape, index);
        for (int i = 0; i < ndim; i++) {
            to_at += index[i] * to[i];
            from_at += index[i] * from[i];
        }
        memcpy(wanted + to_at, source + from_at, (size_t)item);
    }
    ps__lane lane = {.engine = ps__tensor_engine()};
    CHECK_OK(ps__copy_strided(&lane, (size_t)item, ndim, shape, result + to_first, to,
                              source + from_first, from));
    assert_memory_equal(result, wanted, (size_t)to_bytes);
    free(source);
    free(result);
    free(wanted);
}

static void copies_of_any_strides(void **state)
{
    (void)state;
    for (int round = 0; round < 20 * ROUNDS; round++) {
        int64_t shape[DIMS];
        int ndim = 1 + draw(DIMS);
        for (int i = 0; i < ndim; i++)
            shape[i] = 1 + draw(draw(4) == 0 ? 70 : 6);
        check_copy((int64_t)1 << draw(5), ndim, shape, draw(3) == 0);
    }
}

/* From one side to the other in all layouts, divided among threads; the last also around caches. */
static void copies_of_many_elements(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = {{600, 700}, {17, 40000}, {40000, 17}, {1, 300000}};
    for (int round = 0; round < 24; round++)
        check_copy((int64_t)1 << round % 5, 2, shapes[round % 4], round % 3 == 0);
    enum { ROWS = 4608, COLUMNS = 1024 };
    float *source = malloc(sizeof(float) * ROWS * COLUMNS), *result = calloc(ROWS * COLUMNS, 4);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        source[i] = (float)i;
    ps__lane lane = {.engine = ps__tensor_engine()};
    CHECK_OK(ps__copy_strided(&lane, 4, 2, (int64_t[]){COLUMNS, ROWS}, result,
                              (int64_t[]){4 * ROWS, 4}, source, (int64_t[]){4, 4 * COLUMNS}));
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            if (result[c * ROWS + r] != source[r * COLUMNS + c])
                fail_msg("element (%d, %d)", r, c);
    free(source);
    free(result);
}

/* 32 dimensions: copies have up to twice as many. */
static void deep_ones(void **state)
{
    (void)state;
    int64_t shape[32], repeats[32], ones[32];
    for (int i = 0; i < 32; i++) {
        shape[i] = i % 8 == 0 ? 2 : 1;
        repeats[i] = i % 8 == 1 || i % 8 == 0 ? 2 : 1;
        ones[i] = 0;
    }
    ps_tensor *x = counted(PS_FLOAT32, 32, shape), *turned = CALL("permute", T(x));
    ps_tensor *a = CALL("tile", T(x), (ps_arg){PS_ARG_INTS, 32, {.ints = repeats}});
    assert_int_equal(ps_tensor_count(a), 16 * 256);
    ps_tensor *b = CALL("repeat", T(turned), I(2), I(31)), *out = NULL;
    CHECK_VALUES(b, 0, 0, 8, 8, 4, 4, 12, 12, 2, 2, 10, 10, 6, 6, 14, 14, 1, 1, 9, 9, 5, 5, 13, 13,
                 3, 3, 11, 11, 7, 7, 15, 15);
    ones[31] = 1;
    ps_tensor *c = CALL("pad", T(x), (ps_arg){PS_ARG_INTS, 32, {.ints = ones}}, I(0), I(3));
    assert_int_equal(ps_tensor_count(c), 32);
    int64_t many[33] = {0};
    CHECK_FAILS(PS_ERR_ARGUMENT, "33 repeats",
                call_into("tile", ARGS(T(x), (ps_arg){PS_ARG_INTS, 33, {.ints = many}}), &out));
    ps_tensor *all[] = {x, turned, a, b, c};
    for (int i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
}

static void refusals(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(2, 3)), *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 2", call_into("roll", ARGS(T(x), I(1), I(2)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "3 shifts for 2 axes",
                call_into("roll", ARGS(T(x), INTS(1, 2, 3), INTS(0, 1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "-1", call_into("repeat", ARGS(T(x), I(-1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "3 times 4611686018427387904",
                call_into("repeat", ARGS(T(x), I((int64_t)1 << 62), I(1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "too large",
                call_into("repeat", ARGS(T(x), I((int64_t)1 << 57), I(1)), &out));
    ps_tensor *nothing = CALL("zeros", INTS(0, 3)), *still = NULL;
    CHECK_OK(call_into("repeat", ARGS(T(nothing), I((int64_t)1 << 62), I(0)), &still));
    CHECK_SHAPE(still, 0, 3);
    ps_tensor_release(nothing);
    ps_tensor_release(still);
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis -3", call_into("repeat", ARGS(T(x), I(1), I(-3)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "-2", call_into("tile", ARGS(T(x), INTS(1, -2)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "too large",
                call_into("tile", ARGS(T(x), INTS((int64_t)1 << 60)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "before is -1", call_into("pad", ARGS(T(x), I(-1), I(0)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "3 numbers for after",
                call_into("pad", ARGS(T(x), I(0), INTS(1, 2, 3)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "int32", call_into("pad", ARGS(T(x), I(0), I(0), F(0.5)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "must be a tensor", call_into("tile", ARGS(I(1), I(0)), &out));
    assert_null(out);
    ps_tensor_release(x);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roll_by_hand),
        cmocka_unit_test(roll_against_loops),
        cmocka_unit_test(roll_of_many_axes),
        cmocka_unit_test(repeat_by_hand),
        cmocka_unit_test(repeat_against_loops),
        cmocka_unit_test(tile_by_hand),
        cmocka_unit_test(tile_against_loops),
        cmocka_unit_test(pad_by_hand),
        cmocka_unit_test(pad_against_loops),
        cmocka_unit_test(large_ones),
        cmocka_unit_test(deep_ones),
        cmocka_unit_test(refusals),
        cmocka_unit_test(copies_of_any_strides),
        cmocka_unit_test(copies_of_many_elements),
    };
    return cmocka_run_group_tests_name("rearrange", tests, NULL, NULL);
}
