/* Where results go: every row by the same rules, without a detour where there is a straight way;
 * several outputs, several of them updated in place, any number of operands. */
#include "tensor/tensor.h"

#include "engine_help.h"
#include "support/workers.h"

/* Tasks queued so far, or done at the call. */
static uint64_t pushed(void)
{
    return stats().pushed;
}

static void check_all(ps_tensor *tensor, double wanted)
{
    double *values = values_of(tensor);
    for (int64_t i = 0; i < ps_tensor_count(tensor); i++)
        if (values[i] != wanted)
            fail_msg("element %d is %g, not %g", (int)i, values[i], wanted);
    free(values);
}

static ps_tensor *filled(ps_dtype dtype, int64_t length, double value)
{
    return CALL("full", INTS(length), F(value), D(dtype));
}

/* Every other element. */
static ps_tensor *with_gaps(ps_tensor *x)
{
    ps_tensor *view;
    ps_index index = {.kind = PS_INDEX_RANGE, .start = 0, .stop = PS_INDEX_NONE, .step = 2};
    CHECK_OK(ps_tensor_index(x, &index, 1, &view));
    return view;
}

static void creation_fills_what_is_given(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double first, last;
    } rows[] = {{"zeros", 0, 0}, {"ones", 1, 1}, {"arange", 0, 5}};
    for (unsigned r = 0; r < 3; r++)
        for (int dtype = PS_INT32; dtype <= PS_FLOAT64; dtype++) {
            if (dtype == PS_FLOAT16 || dtype == PS_BFLOAT16)
                continue;
            ps_tensor *room = filled((ps_dtype)dtype, 12, 9), *gaps = with_gaps(room);
            ps_tensor *given[] = {filled((ps_dtype)dtype, 6, 9), gaps};
            for (int g = 0; g < 2; g++) {
                ps_tensor *out = given[g];
                ps_arg shape = r < 2 ? INTS(6) : I(6);
                CHECK_OK(call_into(rows[r].name, 1, &shape, &out));
                assert_ptr_equal(out, given[g]);
                double *values = values_of(out);
                assert_true(values[0] == rows[r].first && values[5] == rows[r].last);
                free(values);
            }
            double *all = values_of(room);
            for (int i = 1; i < 12; i += 2)
                assert_true(all[i] == 9);
            free(all);
            ps_tensor_release(given[0]);
            ps_tensor_release(gaps);
            ps_tensor_release(room);
        }
    ps_tensor *out = filled(PS_INT32, 4, 0);
    CHECK_FAILS(PS_ERR_TYPE, "a result of float32 cannot be written into int32",
                call_into("full", ARGS(INTS(4), F(1.5), D(PS_FLOAT32)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "the output has shape (4,), the result (5,)",
                call_into("zeros", ARGS(INTS(5)), &out));
    ps_tensor_release(out);
}

static void places_of_extremes_go_into_what_is_given(void **state)
{
    (void)state;
    float values[] = {3, 1, 2, 0, 5, 4};
    ps_tensor *x = from_floats(SHAPE(2, 3), values);
    ps_tensor *places = filled(PS_INT64, 2, 9), *wide = filled(PS_FLOAT64, 2, 9);
    ps_tensor *narrow = CALL("full", INTS(2), B(true));
    CHECK_OK(call_into("argmax", ARGS(T(x), I(1)), &places));
    CHECK_OK(call_into("argmin", ARGS(T(x), I(1)), &wide));
    double *at = values_of(places), *low = values_of(wide);
    assert_true(at[0] == 0 && at[1] == 1 && low[0] == 1 && low[1] == 0);
    CHECK_FAILS(PS_ERR_TYPE, "cannot be written into bool",
                call_into("argmax", ARGS(T(x), I(1)), &narrow));
    free(at);
    free(low);
    ps_tensor *all[] = {x, places, wide, narrow};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

static ps_status twice_rule(void *context, const ps_view *inputs, size_t ninputs,
                            const ps_scalar *numbers, size_t nnumbers, ps_dtype *dtype, int *ndim,
                            int64_t *shape)
{
    (void)context;
    (void)ninputs;
    (void)numbers;
    (void)nnumbers;
    *dtype = PS_FLOAT32;
    *ndim = 1;
    shape[0] = inputs[0].shape[0];
    return PS_OK;
}

static ps_status twice_kernel(void *context, const ps_view *inputs, size_t ninputs,
                              const ps_scalar *numbers, size_t nnumbers, const ps_view *output)
{
    (void)context;
    (void)ninputs;
    (void)numbers;
    (void)nnumbers;
    for (int64_t i = 0; i < inputs[0].shape[0]; i++) {
        float x = *(const float *)((char *)inputs[0].data + i * inputs[0].strides[0]);
        *(float *)((char *)output->data + i * output->strides[0]) = 2 * x;
    }
    return PS_OK;
}

/* Also into its own operand, and into a more general type. */
static void added_kernels_fill_what_is_given(void **state)
{
    (void)state;
    CHECK_OK(ps_op_register(&(ps_op_def){.size = sizeof(ps_op_def),
                                         .name = "twice",
                                         .signature = "x",
                                         .rule = twice_rule,
                                         .kernel = twice_kernel},
                            NULL));
    ps_tensor *x = filled(PS_FLOAT32, 5, 3), *out = filled(PS_FLOAT32, 5, 0);
    ps_tensor *wide = filled(PS_COMPLEX128, 5, 0);
    CHECK_OK(call_into("twice", ARGS(T(x)), &out));
    CHECK_OK(call_into("twice", ARGS(T(x)), &wide));
    CHECK_OK(call_into("twice", ARGS(T(x)), &x));
    check_all(out, 6);
    check_all(x, 6);
    ps_tensor *real = CALL("real", T(wide));
    check_all(real, 6);
    ps_tensor *all[] = {x, out, wide, real};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

/* Results that fit are written by the one task that makes them. */
static void no_detour_where_there_is_a_straight_way(void **state)
{
    (void)state;
    ps_tensor *x = CALL("ones", INTS(40, 40)), *row = filled(PS_FLOAT32, 40, 0);
    ps_tensor *square = CALL("zeros", INTS(40, 40));
    ps_tensor *places = filled(PS_INT64, 40, 0);
    wait_all();
    const struct {
        const char *name;
        size_t nargs;
        ps_arg args[3];
        ps_tensor **out;
    } calls[] = {
        {"sum", 2, {T(x), INTS(0)}, &row},
        {"max", 2, {T(x), INTS(1)}, &row},
        {"matmul", 2, {T(x), T(x)}, &square},
        {"argmax", 2, {T(x), I(0)}, &places},
        {"sort", 1, {T(x)}, &square},
        {"cumulative_sum", 2, {T(x), I(1)}, &square},
        {"roll", 3, {T(x), INTS(1), INTS(0)}, &square},
        {"take", 3, {T(x), T(places), I(0)}, &square},
        {"full", 2, {INTS(40), F(2)}, &row},
        {"add", 2, {T(x), F(1)}, &square},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        uint64_t before = pushed();
        check_ok(call_into(calls[i].name, calls[i].nargs, calls[i].args, calls[i].out),
                 calls[i].name, __FILE__, __LINE__);
        if (pushed() - before != 1)
            fail_msg("%s: %d tasks", calls[i].name, (int)(pushed() - before));
    }
    ps_tensor *all[] = {x, row, square, places};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

/* Elements that overlap what is read come from a temporary, whatever the row. */
static void overlaps(void **state)
{
    (void)state;
    for (int row = 0; row < 4; row++) {
        ps_tensor *x = counted(PS_FLOAT32, SHAPE(9)), *low, *high;
        ps_index front = {.kind = PS_INDEX_RANGE, .start = 0, .stop = 8, .step = 1};
        ps_index back = {.kind = PS_INDEX_RANGE, .start = 1, .stop = 9, .step = 1};
        CHECK_OK(ps_tensor_index(x, &front, 1, &low));
        CHECK_OK(ps_tensor_index(x, &back, 1, &high));
        static const char *const names[] = {"negative", "cumulative_sum", "sort", "roll"};
        static const double wanted[][9] = {{0, 0, -1, -2, -3, -4, -5, -6, -7},
                                           {0, 0, 1, 3, 6, 10, 15, 21, 28},
                                           {0, 0, 1, 2, 3, 4, 5, 6, 7},
                                           {0, 7, 0, 1, 2, 3, 4, 5, 6}};
        ps_arg args[3] = {T(low), INTS(1), INTS(0)};
        CHECK_OK(call_into(names[row], row == 3 ? 3 : 1, args, &high));
        double *values = values_of(x);
        for (int i = 0; i < 9; i++)
            if (values[i] != wanted[row][i])
                fail_msg("%s: element %d is %g", names[row], i, values[i]);
        free(values);
        ps_tensor_release(low);
        ps_tensor_release(high);
        ps_tensor_release(x);
    }
}

/* ---- several outputs ------------------------------------------------------------------------ */

static const ps_op *step_op(void)
{
    static const ps_op *op;
    if (op == NULL)
        CHECK_OK(ps_op_register(
            &(ps_op_def){.size = sizeof(ps_op_def),
                         .name = "momentum_step",
                         .signature = "weight, mean, spread, gradient, rate: scalar, keep: scalar",
                         .dtypes = "real floating-point",
                         .result = "same",
                         .expression =
                             "weight - rate * (keep * mean + gradient); keep * mean + gradient; "
                             "keep * spread + gradient * gradient"},
            &op));
    return op;
}

static ps_status step(ps_tensor **weight, ps_tensor **mean, ps_tensor **spread, ps_tensor *gradient,
                      ps_tensor **outputs)
{
    return ps_op_call(step_op(), &(ps_call){.size = sizeof(ps_call),
                                            .args = (ps_arg[]){T(*weight), T(*mean), T(*spread),
                                                               T(gradient), F(0.5), F(0.25)},
                                            .nargs = 6,
                                            .outputs = outputs,
                                            .noutputs = 3});
}

/* Small ones and such as may be fused; new outputs, and all three updated in place. */
static void several_outputs(void **state)
{
    (void)state;
    for (int round = 0; round < 4; round++) {
        int64_t length = round < 2 ? 7 : 5000;
        ps_tensor *p[3] = {filled(PS_FLOAT32, length, 8), filled(PS_FLOAT32, length, 4),
                           filled(PS_FLOAT32, length, 2)};
        ps_tensor *gradient = filled(PS_FLOAT32, length, 3), *outputs[3] = {NULL};
        if (round % 2)
            memcpy(outputs, p, sizeof outputs);
        uint64_t before = pushed();
        CHECK_OK(step(&p[0], &p[1], &p[2], gradient, outputs));
        assert_int_equal(pushed() - before, 1);
        check_all(outputs[0], 8 - 0.5 * 4);
        check_all(outputs[1], 4);
        check_all(outputs[2], 9.5);
        check_all(p[0], round % 2 ? 6 : 8);
        for (int i = 0; i < 3; i++) {
            if (round % 2 == 0)
                ps_tensor_release(outputs[i]);
            ps_tensor_release(p[i]);
        }
        ps_tensor_release(gradient);
    }
}

/* Each storage that is overwritten while somebody looks at it moves on by itself. */
static void each_update_has_its_own_spare(void **state)
{
    (void)state;
    for (unsigned seen = 0; seen < 8; seen++) {
        ps_tensor *p[3] = {filled(PS_FLOAT32, 3000, 8), filled(PS_FLOAT32, 3000, 4),
                           filled(PS_FLOAT32, 3000, 2)};
        ps_tensor *gradient = filled(PS_FLOAT32, 3000, 3), *outputs[3];
        ps__buffer *buffers[3];
        memcpy(outputs, p, sizeof outputs);
        wait_all();
        for (unsigned i = 0; i < 3; i++)
            buffers[i] =
                seen >> i & 1 ? ps__storage_pin(p[i]->storage) : ps__load(&p[i]->storage->buffer);
        CHECK_OK(step(&p[0], &p[1], &p[2], gradient, outputs));
        for (unsigned i = 0; i < 3; i++) {
            bool moved = ps__load(&p[i]->storage->buffer) != buffers[i];
            assert_int_equal(moved, seen >> i & 1);
        }
        check_all(p[0], 6);
        check_all(p[1], 4);
        check_all(p[2], 9.5);
        for (unsigned i = 0; i < 3; i++) {
            if (seen >> i & 1) { /* what was seen is still there */
                assert_true(*(float *)buffers[i]->data == (i == 0 ? 8 : i == 1 ? 4 : 2));
                ps__buffer_unpin(buffers[i]);
            }
            ps_tensor_release(p[i]);
        }
        ps_tensor_release(gradient);
    }
}

/* Steps, and what comes before and after them, as one pass. */
static void several_outputs_are_fused(void **state)
{
    (void)state;
    ps_tensor *p[3] = {filled(PS_FLOAT32, 5000, 8), filled(PS_FLOAT32, 5000, 4),
                       filled(PS_FLOAT32, 5000, 2)};
    ps_tensor *x = filled(PS_FLOAT32, 5000, 6), *outputs[3];
    memcpy(outputs, p, sizeof outputs);
    wait_all();
    ps_engine_stats before = {.size = sizeof before}, after = {.size = sizeof after};
    workers_stop();
    CHECK_OK(ps_engine_get_stats(engine(), &before));
    ps_tensor *gradient = CALL("multiply", T(x), F(0.5));
    CHECK_OK(step(&p[0], &p[1], &p[2], gradient, outputs));
    CHECK_OK(step(&p[0], &p[1], &p[2], gradient, outputs));
    ps_tensor_release(gradient);
    CHECK_OK(ps_tensor_wait(p[0], NULL));
    CHECK_OK(ps_engine_get_stats(engine(), &after));
    workers_go_on();
    assert_int_equal(after.groups - before.groups, 1);
    check_all(p[0], 6 - 0.5 * 4);
    check_all(p[1], 4);
    check_all(p[2], 0.25 * 9.5 + 9);
    for (int i = 0; i < 3; i++)
        ps_tensor_release(p[i]);
    ps_tensor_release(x);
}

static void outputs_that_share_elements_are_refused(void **state)
{
    (void)state;
    ps_tensor *p[3] = {filled(PS_FLOAT32, 6, 8), filled(PS_FLOAT32, 6, 4),
                       filled(PS_FLOAT32, 6, 2)};
    ps_tensor *gradient = filled(PS_FLOAT32, 6, 3), *twice[3] = {p[0], p[1], p[0]};
    CHECK_FAILS(PS_ERR_ARGUMENT, "outputs 0 and 2 share elements",
                step(&p[0], &p[1], &p[2], gradient, twice));
    ps_tensor *few[3] = {NULL};
    const ps_op *op = step_op();
    ps_arg args[] = {T(p[0]), T(p[1]), T(p[2]), T(gradient), F(1), F(1)};
    CHECK_FAILS(PS_ERR_ARGUMENT, "2 outputs given, it has 3",
                ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                          .args = args,
                                          .nargs = 6,
                                          .outputs = few,
                                          .noutputs = 2}));
    for (int i = 0; i < 3; i++)
        ps_tensor_release(p[i]);
    ps_tensor_release(gradient);
}

static void limits_are_checked_when_a_row_is_prepared(void **state)
{
    (void)state;
    ps_op_def def = {.size = sizeof def,
                     .name = "too_many_outputs",
                     .signature = "x",
                     .dtypes = "numeric",
                     .result = "same",
                     .expression = "x; x; x; x; x; x; x"};
    CHECK_FAILS(PS_ERR_ARGUMENT, "1 operands and 7 outputs", ps_op_register(&def, NULL));
    def.name = "too_many_operands";
    def.signature = "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q";
    def.expression = "a";
    CHECK_FAILS(PS_ERR_ARGUMENT, "more than 16 arguments", ps_op_register(&def, NULL));
    def.name = "missing_expression";
    def.signature = "a, b";
    def.expression = "a + b;";
    CHECK_FAILS(PS_ERR_ARGUMENT, "something unexpected", ps_op_register(&def, NULL));
    def.name = "sixteen";
    def.signature = "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p";
    def.expression = "a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p";
    CHECK_OK(ps_op_register(&def, NULL));
    ps_tensor *x = filled(PS_FLOAT32, 3, 2);
    ps_tensor *y = CALL("sixteen", T(x), F(1), T(x), F(2), T(x), F(3), T(x), F(4), T(x), F(5), T(x),
                        F(6), T(x), F(7), F(8), T(x));
    check_all(y, 52);
    ps_tensor_release(y);
    ps_tensor *wide = filled(PS_FLOAT64, 3, 2); /* the last operand's type alone differs */
    y = CALL("sixteen", T(x), F(1), T(x), F(2), T(x), F(3), T(x), F(4), T(x), F(5), T(x), F(6),
             T(x), F(7), F(8), T(wide));
    assert_int_equal(ps_tensor_dtype(y), PS_FLOAT64);
    check_all(y, 52);
    ps_tensor_release(wide);
    ps_tensor_release(x);
    ps_tensor_release(y);
}

/* A list of any length is one task. */
static void many_operands_are_one_task(void **state)
{
    (void)state;
    enum { MANY = 300 };
    ps_tensor *parts[MANY];
    for (int i = 0; i < MANY; i++)
        parts[i] = filled(PS_FLOAT32, 2, i);
    wait_all();
    ps_arg list = {.kind = PS_ARG_TENSORS, .count = MANY, .as.tensors = parts};
    uint64_t before = pushed();
    ps_tensor *all = CALL("concatenate", list);
    assert_int_equal(pushed() - before, 1);
    double *values = values_of(all);
    for (int i = 0; i < MANY; i++)
        assert_true(values[2 * i] == i && values[2 * i + 1] == i);
    free(values);
    for (int i = 0; i < MANY; i++)
        ps_tensor_release(parts[i]);
    ps_tensor_release(all);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creation_fills_what_is_given),
        cmocka_unit_test(places_of_extremes_go_into_what_is_given),
        cmocka_unit_test(added_kernels_fill_what_is_given),
        cmocka_unit_test(no_detour_where_there_is_a_straight_way),
        cmocka_unit_test(overlaps),
        cmocka_unit_test(several_outputs),
        cmocka_unit_test(each_update_has_its_own_spare),
        cmocka_unit_test(several_outputs_are_fused),
        cmocka_unit_test(outputs_that_share_elements_are_refused),
        cmocka_unit_test(limits_are_checked_when_a_row_is_prepared),
        cmocka_unit_test(many_operands_are_one_task),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
