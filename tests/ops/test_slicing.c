/* Reading and writing through views of one storage: what is observed is as if every operation had
 * run before the next was called. */
#include "help.h"

enum { N = 3000, ROUNDS = 200 };

static ps_tensor *slice(ps_tensor *x, int64_t start, int64_t stop, int64_t step)
{
    ps_tensor *view;
    CHECK_OK(ps_tensor_index(x, &(ps_index){PS_INDEX_RANGE, start, stop, step}, 1, &view));
    return view;
}

static void call_onto(const char *name, size_t nargs, const ps_arg *args, ps_tensor *out)
{
    ps_tensor *slot = out;
    CHECK_OK(call_into(name, nargs, args, &slot));
    assert_ptr_equal(slot, out);
}

#define ONTO(out, name, ...) call_onto(name, ARGS(__VA_ARGS__), out)

/* x[1:] = x[:-1] + 1 */
static void shifted_onto_itself(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(N)), *to = slice(x, 1, PS_INDEX_NONE, 1);
    ps_tensor *from = slice(x, PS_INDEX_NONE, -1, 1);
    ps_tensor *sum = CALL("add", T(from), F(1));
    ONTO(to, "assign", T(sum));
    ONTO(to, "add", T(from), F(10)); /* without a name for the sum */
    double *values = values_of(x);
    assert_true(values[0] == 0);
    for (int i = 1; i < N; i++)
        assert_true(values[i] == i - 1 + 10);
    free(values);
    ONTO(to, "assign", T(from)); /* and as a plain copy */
    ONTO(from, "assign", T(to));
    values = values_of(x);
    assert_true(values[0] == 0 && values[N - 1] == N - 3 + 10);
    for (int i = 1; i < N - 1; i++)
        assert_true(values[i] == i - 1 + 10);
    free(values);
    ps_tensor *all[] = {x, to, from, sum};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

/* x += x.T; x *= x.T[::-1] */
static void turned_onto_itself(void **state)
{
    (void)state;
    enum { SIDE = 70 };
    double wanted[SIDE][SIDE], sums[SIDE][SIDE];
    ps_tensor *x = counted(PS_FLOAT64, SHAPE(SIDE, SIDE)), *turned = CALL("permute", T(x));
    ps_tensor *flipped = CALL("flip", T(turned), I(0));
    ONTO(x, "add", T(x), T(turned));
    ONTO(x, "multiply", T(x), T(flipped));
    for (int r = 0; r < SIDE; r++)
        for (int c = 0; c < SIDE; c++)
            sums[r][c] = r * SIDE + c + c * SIDE + r;
    for (int r = 0; r < SIDE; r++)
        for (int c = 0; c < SIDE; c++)
            wanted[r][c] = sums[r][c] * sums[c][SIDE - 1 - r];
    check_values(x, SIDE * SIDE, &wanted[0][0], __FILE__, __LINE__);
    ps_tensor *all[] = {x, turned, flipped};
    for (int i = 0; i < 3; i++)
        ps_tensor_release(all[i]);
}

/* Many overlapping slices, read and written one after the other without waiting, against the same
 * steps on an array. */
static void overlapping_slices(void **state)
{
    (void)state;
    static double shadow[N], old[N];
    static const int64_t steps[] = {1, 2, 3, -1, -2};
    uint32_t random = 7;
    ps_tensor *x = counted(PS_FLOAT64, SHAPE(N));
    for (int i = 0; i < N; i++)
        shadow[i] = i;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t at[2], by[2], count = 900;
        for (int k = 0; k < 2; k++) {
            random = random * 1664525u + 1013904223u;
            by[k] = steps[(random >> 8) % 5];
            int64_t span = (count - 1) * (by[k] < 0 ? -by[k] : by[k]);
            at[k] = (random >> 12) % (uint32_t)(N - span) + (by[k] < 0 ? span : 0);
        }
        ps_tensor *views[2];
        for (int k = 0; k < 2; k++) {
            int64_t stop = at[k] + count * by[k];
            views[k] = slice(x, at[k], stop < 0 ? PS_INDEX_NONE : stop, by[k]);
            assert_int_equal(ps_tensor_count(views[k]), count);
        }
        memcpy(old, shadow, sizeof old);
        if (round % 3 == 0) {
            ONTO(views[0], "assign", T(views[1]));
            for (int64_t i = 0; i < count; i++)
                shadow[at[0] + i * by[0]] = old[at[1] + i * by[1]];
        } else if (round % 3 == 1) {
            ONTO(views[0], "subtract", T(views[0]), T(views[1]));
            for (int64_t i = 0; i < count; i++)
                shadow[at[0] + i * by[0]] -= old[at[1] + i * by[1]];
        } else {
            ONTO(views[0], "add", T(views[0]), F(round));
            for (int64_t i = 0; i < count; i++)
                shadow[at[0] + i * by[0]] += round;
        }
        ps_tensor_release(views[0]);
        ps_tensor_release(views[1]);
    }
    check_values(x, N, shadow, __FILE__, __LINE__);
    ps_tensor_release(x);
}

/* What was read before a write keeps its values; what is read after sees them. */
static void reads_around_writes(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(N)), *head = slice(x, 0, 2, 1);
    ps_tensor *before = CALL("multiply", T(x), F(2)), *copy = CALL("copy", T(head));
    ONTO(head, "assign", F(-1));
    ps_tensor *after = CALL("multiply", T(x), F(2));
    ONTO(x, "assign", F(5));
    ps_tensor *a = slice(before, 0, 3, 1), *b = slice(after, 0, 3, 1);
    CHECK_VALUES(copy, 0, 1);
    CHECK_VALUES(a, 0, 2, 4);
    CHECK_VALUES(b, -2, -2, 4);
    CHECK_VALUES(head, 5, 5);
    ps_tensor *all[] = {x, head, before, copy, after, a, b};
    for (int i = 0; i < 7; i++)
        ps_tensor_release(all[i]);
}

/* Taking values out and writing a slice in turn: each reading is of its own moment. */
static void readings_between_writes(void **state)
{
    (void)state;
    float values[4];
    ps_tensor *x = CALL("zeros", INTS(4)), *odd = slice(x, 1, PS_INDEX_NONE, 2);
    for (int i = 1; i <= 50; i++) {
        ONTO(odd, "add", T(odd), F(1));
        CHECK_OK(ps_tensor_to_host(x, values, sizeof values));
        assert_true(values[0] == 0 && values[1] == i && values[2] == 0 && values[3] == i);
    }
    ps_tensor_release(x);
    ps_tensor_release(odd);
}

/* A view outlives the handle that it was made from. */
static void views_outlive(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(6)), *back = slice(x, PS_INDEX_NONE, PS_INDEX_NONE, -2);
    ps_tensor_release(x);
    CHECK_VALUES(back, 5, 3, 1);
    ps_tensor *part = slice(back, 1, PS_INDEX_NONE, 1);
    ps_tensor_release(back);
    ONTO(part, "add", T(part), I(1));
    CHECK_VALUES(part, 4, 2);
    ps_tensor_release(part);
}

static void empty_and_zero_dimensions(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(4)), *none = slice(x, 3, 1, 1), *point;
    CHECK_SHAPE(none, 0);
    ONTO(none, "assign", F(9));
    ONTO(none, "add", T(none), T(none));
    CHECK_VALUES(x, 0, 1, 2, 3);
    CHECK_OK(ps_tensor_index(x, &(ps_index){.kind = PS_INDEX_AT, .start = -1}, 1, &point));
    assert_int_equal(ps_tensor_ndim(point), 0);
    ONTO(point, "assign", F(9));
    ONTO(point, "multiply", T(point), T(point));
    CHECK_VALUES(x, 0, 1, 2, 81);
    ps_tensor *wrong = slice(x, 0, 3, 1), *out = wrong;
    CHECK_FAILS(PS_ERR_ARGUMENT, "(4,)", call_into("assign", ARGS(T(x)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(3,)", call_into("add", ARGS(T(x), F(1)), &out));
    ps_tensor *all[] = {x, none, point, wrong};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

/* x[mask] = v in turn with slices, without waiting. */
static void masks_and_slices(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(6)), *mask = CALL("greater", T(x), F(2));
    ps_tensor *half = slice(x, PS_INDEX_NONE, PS_INDEX_NONE, 2);
    ps_tensor *odd = slice(mask, PS_INDEX_NONE, PS_INDEX_NONE, 2);
    ONTO(x, "masked_fill", T(x), T(mask), F(-1));     /* 0 1 2 -1 -1 -1 */
    ONTO(half, "add", T(half), F(10));                /* 10 1 12 -1 9 -1 */
    ONTO(half, "masked_fill", T(half), T(odd), F(7)); /* 10 1 12 -1 7 -1 */
    ONTO(mask, "less", T(x), F(0));
    ps_tensor *y = CALL("masked_select", T(x), T(mask));
    ONTO(x, "assign", F(0));
    CHECK_VALUES(y, -1, -1);
    ps_tensor *all[] = {x, mask, half, odd, y};
    for (int i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shifted_onto_itself),       cmocka_unit_test(turned_onto_itself),
        cmocka_unit_test(overlapping_slices),        cmocka_unit_test(reads_around_writes),
        cmocka_unit_test(readings_between_writes),   cmocka_unit_test(views_outlive),
        cmocka_unit_test(empty_and_zero_dimensions), cmocka_unit_test(masks_and_slices),
    };
    return cmocka_run_group_tests_name("slicing", tests, NULL, NULL);
}
