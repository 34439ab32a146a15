/* concatenate and stack. */
#include "help.h"

enum { MANY = 100 };

#define TENSORS(...)                                                                               \
    ((ps_arg){.kind = PS_ARG_TENSORS,                                                              \
              .count = sizeof((ps_tensor *[]){__VA_ARGS__}) / sizeof(ps_tensor *),                 \
              .as.tensors = (ps_tensor *[]){__VA_ARGS__}})

static void behind_each_other(void **state)
{
    (void)state;
    ps_tensor *a = counted(PS_INT32, SHAPE(2, 3)), *b = counted(PS_INT32, SHAPE(1, 3));
    ps_tensor *down = CALL("concatenate", TENSORS(a, b, a));
    CHECK_SHAPE(down, 5, 3);
    assert_int_equal(ps_tensor_dtype(down), PS_INT32);
    CHECK_VALUES(down, 0, 1, 2, 3, 4, 5, 0, 1, 2, 0, 1, 2, 3, 4, 5);
    ps_tensor *c = counted(PS_INT32, SHAPE(2, 1)), *none = counted(PS_INT32, SHAPE(2, 0));
    ps_tensor *right = CALL("concatenate", TENSORS(c, none, a), I(-1));
    CHECK_SHAPE(right, 2, 4);
    CHECK_VALUES(right, 0, 0, 1, 2, 1, 3, 4, 5);
    ps_tensor *all[] = {a, b, down, c, none, right};
    for (int i = 0; i < 6; i++)
        ps_tensor_release(all[i]);
}

static void side_by_side(void **state)
{
    (void)state;
    ps_tensor *a = counted(PS_FLOAT32, SHAPE(3)), *b = CALL("flip", T(a));
    ps_tensor *rows = CALL("stack", TENSORS(a, b)), *columns = CALL("stack", TENSORS(a, b), I(-1));
    CHECK_SHAPE(rows, 2, 3);
    CHECK_VALUES(rows, 0, 1, 2, 2, 1, 0);
    CHECK_SHAPE(columns, 3, 2);
    CHECK_VALUES(columns, 0, 2, 1, 1, 2, 0);
    ps_tensor *p = CALL("sum", T(a)), *line = CALL("stack", TENSORS(p, p, p));
    CHECK_SHAPE(line, 3);
    CHECK_VALUES(line, 3, 3, 3);
    ps_tensor *all[] = {a, b, rows, columns, p, line};
    for (int i = 0; i < 6; i++)
        ps_tensor_release(all[i]);
}

static void types_promote(void **state)
{
    (void)state;
    ps_tensor *a = counted(PS_INT32, SHAPE(2)), *b = counted(PS_FLOAT32, SHAPE(2));
    ps_tensor *c = counted(PS_BOOL, SHAPE(2)), *d = counted(PS_UINT8, SHAPE(2));
    ps_tensor *x = CALL("concatenate", TENSORS(c, a)), *y = CALL("concatenate", TENSORS(a, b, c));
    assert_int_equal(ps_tensor_dtype(x), PS_INT32);
    CHECK_VALUES(x, 0, 1, 0, 1);
    assert_int_equal(ps_tensor_dtype(y), PS_FLOAT32);
    CHECK_VALUES(y, 0, 1, 0, 1, 0, 1);
    ps_tensor *e = counted(PS_INT8, SHAPE(2)), *z = CALL("stack", TENSORS(d, e));
    assert_int_equal(ps_tensor_dtype(z), PS_INT16);
    CHECK_VALUES(z, 0, 1, 0, 1);
    ps_tensor *all[] = {a, b, c, d, e, x, y, z};
    for (int i = 0; i < 8; i++)
        ps_tensor_release(all[i]);
}

/* More than one task has operands; views and types are mixed in. */
static void many_tensors(void **state)
{
    (void)state;
    ps_tensor *tensors[MANY];
    for (int i = 0; i < MANY; i++) {
        tensors[i] = CALL("full", INTS(2, i % 3), I(i), D(i % 7 == 0 ? PS_INT16 : PS_INT64));
        if (i % 5 == 0) {
            ps_tensor *turned = CALL("flip", T(tensors[i]));
            ps_tensor_release(tensors[i]);
            tensors[i] = turned;
        }
    }
    ps_arg list = {.kind = PS_ARG_TENSORS, .count = MANY, .as.tensors = tensors};
    ps_tensor *x = CALL("concatenate", list, I(1));
    CHECK_SHAPE(x, 2, MANY - 1);
    double *values = values_of(x);
    for (int row = 0, at = 0; row < 2; row++)
        for (int i = 0; i < MANY; i++)
            for (int k = 0; k < i % 3; k++)
                assert_true(values[at++] == i);
    free(values);
    ps_tensor *into = CALL("zeros", INTS(2, MANY - 1), D(PS_FLOAT32)), *same = into;
    CHECK_OK(call_into("concatenate", ARGS(list, I(1)), &same));
    ps_tensor *equal = CALL("equal", T(into), T(x)), *sure = CALL("all", T(equal));
    CHECK_VALUES(sure, 1);
    for (int i = 0; i < MANY; i++)
        ps_tensor_release(tensors[i]);
    ps_tensor *all[] = {x, into, equal, sure};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

/* Large enough for the pool, and turned. */
static void large_ones(void **state)
{
    (void)state;
    ps_tensor *a = counted(PS_FLOAT32, SHAPE(700, 500)), *b = CALL("permute", T(a));
    ps_tensor *c = counted(PS_FLOAT32, SHAPE(500, 300));
    ps_tensor *x = CALL("concatenate", TENSORS(b, c, b), I(1));
    CHECK_SHAPE(x, 500, 1700);
    double *values = values_of(x);
    for (int r = 0; r < 500; r++)
        for (int k = 0; k < 1700; k++) {
            double want = k < 700    ? k * 500 + r
                          : k < 1000 ? r * 300 + k - 700
                                     : (k - 1000) * 500 + r;
            assert_true(values[r * 1700 + k] == want);
        }
    free(values);
    ps_tensor *all[] = {a, b, c, x};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

/* Into a tensor that is given, also one that is read: x[:] = concatenate(x[2:], x[:2]). */
static void into_an_output(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(5)), *head, *tail, *out = x;
    CHECK_OK(ps_tensor_index(x, &(ps_index){PS_INDEX_RANGE, PS_INDEX_NONE, 2, 1}, 1, &head));
    CHECK_OK(ps_tensor_index(x, &(ps_index){PS_INDEX_RANGE, 2, PS_INDEX_NONE, 1}, 1, &tail));
    CHECK_OK(call_into("concatenate", ARGS(TENSORS(tail, head)), &out));
    CHECK_VALUES(x, 2, 3, 4, 0, 1);
    ps_tensor *wide = CALL("zeros", INTS(5, 2), D(PS_FLOAT64)), *column;
    CHECK_OK(ps_tensor_index(wide,
                             (ps_index[]){{.kind = PS_INDEX_ELLIPSIS},
                                          {.kind = PS_INDEX_AT, .start = 1}},
                             2, &column));
    out = column;
    CHECK_OK(call_into("concatenate", ARGS(TENSORS(head, tail)), &out));
    CHECK_VALUES(wide, 0, 2, 0, 3, 0, 4, 0, 0, 0, 1);
    ps_tensor *small = CALL("zeros", INTS(4), D(PS_FLOAT32)),
              *bits = CALL("zeros", INTS(5), D(PS_INT32));
    CHECK_FAILS(PS_ERR_ARGUMENT, "shape (4,), the result (5,)",
                call_into("concatenate", ARGS(TENSORS(head, tail)), &small));
    CHECK_FAILS(PS_ERR_TYPE, "float32 cannot be written into int32",
                call_into("concatenate", ARGS(TENSORS(head, tail)), &bits));
    ps_tensor *all[] = {x, head, tail, wide, column, small, bits};
    for (int i = 0; i < 7; i++)
        ps_tensor_release(all[i]);
}

static void refusals(void **state)
{
    (void)state;
    ps_tensor *a = counted(PS_FLOAT32, SHAPE(2, 3)), *b = counted(PS_FLOAT32, SHAPE(2, 4));
    ps_tensor *c = counted(PS_FLOAT32, SHAPE(3)), *out = NULL, *p = CALL("sum", T(c));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor 1 has shape (2, 4), which does not fit (2, 3)",
                call_into("concatenate", ARGS(TENSORS(a, b)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(3,)", call_into("concatenate", ARGS(TENSORS(a, c)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 2 is out of range for 2",
                call_into("concatenate", ARGS(TENSORS(a, a), I(2)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "use stack", call_into("concatenate", ARGS(TENSORS(p, p)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(2, 4)", call_into("stack", ARGS(TENSORS(a, b)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 3", call_into("stack", ARGS(TENSORS(a, a), I(3)), &out));
    ps_arg none = {.kind = PS_ARG_TENSORS, .count = 0, .as.tensors = &a};
    CHECK_FAILS(PS_ERR_ARGUMENT, "no tensors", call_into("stack", 1, &none, &out));
    assert_null(out);
    ps_tensor *all[] = {a, b, c, p};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behind_each_other), cmocka_unit_test(side_by_side),
        cmocka_unit_test(types_promote),     cmocka_unit_test(many_tensors),
        cmocka_unit_test(large_ones),        cmocka_unit_test(into_an_output),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("join", tests, NULL, NULL);
}
