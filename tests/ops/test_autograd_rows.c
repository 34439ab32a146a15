/* Every row that says it has a gradient, against differences: the walk finds the rows. */
#include "support/table.h"

#include "help.h"

#define STEP 1e-5

typedef struct trial {
    table_row row;
    ps_arg args[TABLE_ARGS];
    double weights[64]; /* of the elements of the result: what is differentiated is their sum */
} trial;

static double evaluate(trial *t)
{
    ps_tensor *y = NULL;
    ps_status status = table_call(t->row.op, t->args, t->row.info.nargs, &y);
    if (status != PS_OK)
        return NAN;
    double *values = values_of(y), sum = 0;
    for (int64_t i = 0; i < ps_tensor_count(y); i++)
        sum += values[i] * t->weights[i % 64];
    free(values);
    ps_tensor_release(y);
    return sum;
}

static ps_tensor *changed(ps_tensor *x, int64_t at, double by)
{
    double *values = values_of(x);
    ps_tensor *made;
    values[at] += by;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT64, ps_tensor_ndim(x), ps_tensor_shape(x), NULL, values,
                                 NULL, &made));
    free(values);
    return made;
}

static double difference(trial *t, size_t index, int64_t at)
{
    ps_arg before = t->args[index];
    double found[2];
    for (int side = 0; side < 2; side++) {
        ps_tensor *x = changed(before.as.tensor, at, side ? STEP : -STEP);
        t->args[index] = T(x);
        found[side] = evaluate(t);
        ps_tensor_release(x);
    }
    t->args[index] = before;
    return (found[1] - found[0]) / (2 * STEP);
}

static bool is_leaf(const trial *t, size_t i)
{
    return t->args[i].kind == PS_ARG_TENSOR && ps_tensor_dtype(t->args[i].as.tensor) == PS_FLOAT64;
}

static ps_tensor *head_gradient(const trial *t, ps_tensor *y)
{
    int64_t count = ps_tensor_count(y);
    double *values = malloc((size_t)(count + 1) * sizeof *values);
    ps_tensor *made;
    for (int64_t i = 0; i < count; i++)
        values[i] = t->weights[i % 64];
    CHECK_OK(ps_tensor_from_host(PS_FLOAT64, ps_tensor_ndim(y), ps_tensor_shape(y), NULL, values,
                                 NULL, &made));
    free(values);
    return made;
}

static void compare(trial *t, size_t index)
{
    ps_tensor *x = t->args[index].as.tensor, *grad;
    CHECK_OK(ps_grad_get(x, &grad));
    double *found = values_of(grad);
    for (int64_t i = 0; i < ps_tensor_count(x); i++) {
        double wanted = difference(t, index, i);
        if (isfinite(wanted) && !(fabs(found[i] - wanted) <= 1e-6 * (1 + fabs(wanted))))
            fail_msg("%s: the gradient of %s at %lld is %.12g, differences say %.12g",
                     t->row.info.name, t->row.info.args[index].name, (long long)i, found[i],
                     wanted);
    }
    free(found);
    ps_tensor_release(grad);
}

/* Whether it was recorded: rows may refuse the arguments, and lists of tensors are no leaves here. */
static bool check_row(trial *t)
{
    ps_tensor *y = NULL, *copies[TABLE_ARGS] = {NULL};
    uint64_t state = ps_thread_state();
    for (size_t i = 0; i < t->row.info.nargs; i++)
        if (is_leaf(t, i)) {
            copies[i] = CALL("copy", t->args[i]);
            t->args[i] = T(copies[i]);
            CHECK_OK(ps_grad_attach(copies[i], PS_GRAD_WRITE, NULL));
        }
    CHECK_OK(ps_thread_set_state(state | PS_STATE_RECORDING));
    ps_status status = table_call(t->row.op, t->args, t->row.info.nargs, &y);
    CHECK_OK(ps_thread_set_state(state));
    bool recorded = status == PS_OK && ps_tensor_is_recorded(y);
    bool leaves = false;
    for (size_t i = 0; i < t->row.info.nargs; i++)
        leaves |= copies[i] != NULL;
    if (status == PS_ERR_UNSUPPORTED || (status == PS_OK && leaves && !recorded))
        fail_msg("%s was not recorded: %s", t->row.info.name, ps_last_error());
    if (recorded) {
        ps_tensor *gradient = head_gradient(t, y);
        ps_backward_options options = {.size = sizeof options, .gradients = &gradient};
        if (ps_backward(&y, 1, &options) != PS_OK)
            fail_msg("%s: %s", t->row.info.name, ps_last_error());
        for (size_t i = 0; i < t->row.info.nargs; i++)
            if (copies[i] != NULL)
                compare(t, i);
        ps_tensor_release(gradient);
    }
    ps_tensor_release(y);
    for (size_t i = 0; i < t->row.info.nargs; i++)
        ps_tensor_release(copies[i]);
    return recorded;
}

/* ---- second order ------------------------------------------------------------------------- */

/* The weighted sum of the gradients of all leaves; *first is that of leaf `index`, or NULL if none is
 * recorded. The caller has the leaves in t->args. */
static double first_order(trial *t, size_t index, bool create, ps_tensor **first)
{
    ps_tensor *y = NULL, *x = t->args[index].as.tensor, *gradient;
    uint64_t state = ps_thread_state();
    double sum = NAN;
    *first = NULL;
    CHECK_OK(ps_thread_set_state(state | PS_STATE_RECORDING));
    if (table_call(t->row.op, t->args, t->row.info.nargs, &y) == PS_OK &&
        ps_tensor_is_recorded(y)) {
        gradient = head_gradient(t, y);
        ps_backward_options options = {.size = sizeof options,
                                       .gradients = &gradient,
                                       .create = create};
        if (ps_grad(&y, 1, &x, 1, &options, first) != PS_OK)
            fail_msg("%s: %s", t->row.info.name, ps_last_error());
        ps_tensor_release(gradient);
    }
    CHECK_OK(ps_thread_set_state(state));
    ps_tensor_release(y);
    if (*first == NULL)
        return sum;
    double *values = values_of(*first);
    sum = 0;
    for (int64_t i = 0; i < ps_tensor_count(*first); i++)
        sum += values[i] * t->weights[(i + 3) % 64];
    free(values);
    return sum;
}

static double second_difference(trial *t, size_t index, int64_t at)
{
    ps_arg before = t->args[index];
    double found[2];
    for (int side = 0; side < 2; side++) {
        ps_tensor *first, *x = changed(before.as.tensor, at, side ? STEP : -STEP);
        CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
        t->args[index] = T(x);
        found[side] = first_order(t, index, false, &first);
        ps_tensor_release(first);
        ps_tensor_release(x);
    }
    t->args[index] = before;
    return (found[1] - found[0]) / (2 * STEP);
}

/* Whether the gradient of argument `index` could be differentiated again. */
static bool check_second(trial *t, size_t index)
{
    ps_arg before = t->args[index];
    ps_tensor *x = CALL("copy", before), *first, *second = NULL;
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
    t->args[index] = T(x);
    (void)first_order(t, index, true, &first);
    bool again = first != NULL && ps_tensor_is_recorded(first);
    if (again) {
        trial weights = *t;
        for (int i = 0; i < 64; i++)
            weights.weights[i] = t->weights[(i + 3) % 64];
        ps_tensor *gradient = head_gradient(&weights, first);
        ps_backward_options options = {.size = sizeof options, .gradients = &gradient};
        if (ps_grad(&first, 1, &x, 1, &options, &second) != PS_OK)
            fail_msg("%s, again: %s", t->row.info.name, ps_last_error());
        ps_tensor_release(gradient);
    }
    double *found = second != NULL ? values_of(second) : NULL;
    for (int64_t i = 0; found != NULL && i < ps_tensor_count(x); i++) {
        double wanted = second_difference(t, index, i);
        if (isfinite(wanted) && !(fabs(found[i] - wanted) <= 1e-5 * (1 + fabs(wanted))))
            fail_msg("%s: the second gradient of %s at %lld is %.12g, differences say %.12g",
                     t->row.info.name, t->row.info.args[index].name, (long long)i, found[i],
                     wanted);
    }
    free(found);
    ps_tensor_release(second);
    ps_tensor_release(first);
    ps_tensor_release(x);
    t->args[index] = before;
    return again;
}

static void again(void **state)
{
    table_given given;
    unsigned count = 0;
    (void)state;
    table_give(PS_FLOAT64, TABLE_AROUND_ONE, 2, (int64_t[]){3, 3}, &given);
    for (size_t i = 0; i < ps_op_count(); i++) {
        trial t = {.weights = {0}};
        for (int k = 0; k < 64; k++)
            t.weights[k] = 1 + (k * 7 % 11) / 10.0;
        table_row_at(i, &t.row);
        if (strncmp(t.row.info.gradient, "no: ", 4) == 0 ||
            !table_arguments(&t.row, &given, t.args))
            continue;
        for (size_t k = 0; k < t.row.info.nargs; k++)
            if (is_leaf(&t, k))
                count += check_second(&t, k);
    }
    table_take_back(&given);
    print_message("%u gradients have gradients\n", count);
    assert_true(count >= 55);
    ps_graph_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_graph_get_stats(&stats));
    assert_int_equal(stats.nodes, 0);
    assert_int_equal(stats.saves, 0);
}

static void walk(int ndim, const int64_t *shape)
{
    table_given given;
    unsigned recorded = 0, rows = 0;
    table_give(PS_FLOAT64, TABLE_AROUND_ONE, ndim, shape, &given);
    for (size_t i = 0; i < ps_op_count(); i++) {
        trial t = {.weights = {0}};
        for (int k = 0; k < 64; k++)
            t.weights[k] = 1 + (k * 7 % 11) / 10.0;
        table_row_at(i, &t.row);
        if (strncmp(t.row.info.gradient, "no: ", 4) == 0 ||
            !table_arguments(&t.row, &given, t.args))
            continue;
        rows++;
        recorded += check_row(&t);
    }
    table_take_back(&given);
    print_message("%u of %u rows\n", recorded, rows);
    assert_true(recorded >= 110);
    ps_graph_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_graph_get_stats(&stats));
    assert_int_equal(stats.nodes, 0);
    assert_int_equal(stats.saves, 0);
}

static void matrices(void **state)
{
    (void)state;
    walk(2, (int64_t[]){3, 3});
}

static void lines(void **state)
{
    (void)state;
    walk(1, (int64_t[]){3});
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices),
        cmocka_unit_test(lines),
        cmocka_unit_test(again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
