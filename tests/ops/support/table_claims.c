/* What rows say of their arguments and results, against what they do. */
#include "table.h"

#include "ops/help.h"

/* Calls `check` for every row that can be called, with arguments that suit it. */
static void walk(void (*check)(const table_row *row, ps_arg *args))
{
    static const int64_t shape[] = {3, 3};
    table_given given;
    table_give(PS_FLOAT32, TABLE_AROUND_ONE, 2, shape, &given);
    unsigned called = 0;
    for (size_t i = 0; i < ps_op_count(); i++) {
        table_row row;
        ps_arg args[TABLE_ARGS];
        table_row_at(i, &row);
        if (!table_arguments(&row, &given, args))
            continue;
        check(&row, args);
        called++;
    }
    assert_true(called + 5 > ps_op_count());
    table_take_back(&given);
}

static ps_status try_row(const table_row *row, const ps_arg *args, ps_tensor **out)
{
    *out = NULL;
    return table_call(row->op, args, row->info.nargs, out);
}

/* ---- numbers for tensors ------------------------------------------------------------------- */

static void check_number(const table_row *row, ps_arg *args)
{
    for (size_t i = 0; i < row->info.nargs; i++) {
        const ps_op_arg_info *arg = &row->info.args[i];
        if (arg->kind != PS_ARG_TENSOR)
            assert_false(arg->scalar);
        if (arg->kind != PS_ARG_TENSOR)
            continue;
        ps_arg before = args[i];
        ps_tensor *out;
        args[i] = I(1);
        bool refused = try_row(row, args, &out) == PS_ERR_TYPE &&
                       strstr(ps_last_error(), "must be a tensor") != NULL;
        if (refused == arg->scalar)
            fail_msg("%s: a number for %s is %s, but the table says otherwise: %s", row->info.name,
                     arg->name, refused ? "refused" : "taken", ps_last_error());
        ps_tensor_release(out);
        args[i] = before;
    }
}

void table_test_numbers(void **state)
{
    (void)state;
    walk(check_number);
}

/* ---- views, positions ----------------------------------------------------------------------- */

static void check_result(const table_row *row, ps_arg *args)
{
    ps_tensor *out;
    if (strcmp(row->info.name, "diag") == 0) /* a view of a matrix only */
        return;
    if (row->info.noutputs != 1 || try_row(row, args, &out) != PS_OK)
        return;
    bool first = row->info.nargs > 0 && args[0].kind == PS_ARG_TENSOR;
    bool view = first && ps_tensor_shares(out, args[0].as.tensor);
    if (view != ((row->info.flags & PS_OP_VIEW) != 0))
        fail_msg("%s: the result is %s view", row->info.name, view ? "a" : "no");
    if ((row->info.flags & PS_OP_POSITIONS) && ps_tensor_dtype(out) != PS_INT64)
        fail_msg("%s: positions of %s", row->info.name, ps_dtype_name(ps_tensor_dtype(out)));
    ps_tensor_release(out);
}

void table_test_results(void **state)
{
    (void)state;
    walk(check_result);
}

/* ---- axes, choices -------------------------------------------------------------------------- */

static void refuse_value(const table_row *row, ps_arg *args, size_t index, ps_arg value)
{
    ps_arg before = args[index];
    ps_tensor *out;
    args[index] = value;
    ps_status status = try_row(row, args, &out);
    if (status == PS_OK)
        fail_msg("%s: what makes no sense is taken for %s", row->info.name,
                 row->info.args[index].name);
    args[index] = before;
}

static void check_roles(const table_row *row, ps_arg *args)
{
    static const int64_t far[] = {99};
    for (size_t i = 0; i < row->info.nargs; i++) {
        const ps_op_arg_info *arg = &row->info.args[i];
        bool named = strncmp(arg->name, "axis", 4) == 0 || strncmp(arg->name, "axes", 4) == 0;
        bool axes = arg->role == PS_ROLE_AXIS || arg->role == PS_ROLE_AXES;
        if (named && !axes)
            fail_msg("%s: %s is no axis", row->info.name, arg->name);
        if (arg->role == PS_ROLE_AXIS)
            refuse_value(row, args, i, I(99));
        if (arg->role == PS_ROLE_AXES)
            refuse_value(row, args, i, (ps_arg){.kind = PS_ARG_INTS, .count = 1, .as.ints = far});
        if ((arg->role == PS_ROLE_CHOICE) != (arg->choices != NULL))
            fail_msg("%s: %s has choices, or has none", row->info.name, arg->name);
        if (arg->role == PS_ROLE_CHOICE)
            refuse_value(row, args, i, (ps_arg){.kind = PS_ARG_TEXT, .as.text = "nonsense"});
        assert_int_equal(arg->reserved, 0);
    }
}

void table_test_roles(void **state)
{
    (void)state;
    walk(check_roles);
}

/* ---- flags ---------------------------------------------------------------------------------- */

void table_test_flags(void **state)
{
    unsigned symbols = 0;
    (void)state;
    for (size_t i = 0; i < ps_op_count(); i++) {
        table_row row;
        table_row_at(i, &row);
        uint32_t flags = row.info.flags;
        if ((flags & (PS_OP_MAIN | PS_OP_NN | PS_OP_LINALG | PS_OP_RANDOM | PS_OP_OPTIM)) == 0)
            fail_msg("%s is in no name space", row.info.name);
        assert_true(((flags & PS_OP_WAITS) != 0) == row.info.blocks);
        symbols += row.info.symbol != NULL;
    }
    assert_int_equal(symbols, 23);
}
