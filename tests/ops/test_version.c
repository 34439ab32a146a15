/* Versions: one more for each operation that writes in place, the same for all views. */
#include "support/table.h"

#include "engine_help.h"

#define RELEASE(...) release_all((ps_tensor *[]){__VA_ARGS__, NULL})

static void release_all(ps_tensor **list)
{
    for (; *list != NULL; list++)
        ps_tensor_release(*list);
}

static void set_all(ps_tensor *x, ps_arg value)
{
    ps_index all = {PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, PS_INDEX_NONE};
    CHECK_OK(ps_tensor_set(x, &all, 1, value, 0));
}

static void writes_count(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) { /* at the call, queued, and synchronously */
        CHECK_OK(ps_thread_set_mode(i == 2 ? PS_MODE_SYNC : PS_MODE_DEFAULT));
        int64_t length = i == 1 ? 1 << 18 : 2;
        ps_tensor *x = CALL("ones", INTS(length)), *part, *mask = CALL("greater", T(x), F(0));
        ps_index first = {.kind = PS_INDEX_AT, .start = 0};
        CHECK_OK(ps_tensor_index(x, &first, 1, &part));
        assert_int_equal(ps_tensor_version(x), 0);
        CHECK_OK(call_into("add", ARGS(T(x), F(1)), &x));
        assert_int_equal(ps_tensor_version(x), 1);
        set_all(x, F(3));
        assert_int_equal(ps_tensor_version(x), 2);
        CHECK_OK(call_into("assign", ARGS(F(4)), &x));
        assert_int_equal(ps_tensor_version(part), 3);
        CHECK_OK(call_into("multiply", ARGS(T(part), F(2)), &part)); /* through a view */
        assert_int_equal(ps_tensor_version(x), 4);
        ps_index by_mask = ps_index_tensor(PS_INDEX_MASK, mask);
        CHECK_OK(ps_tensor_set(x, &by_mask, 1, F(7), 0));
        assert_int_equal(ps_tensor_version(x), 5);
        ps_tensor *y = CALL("exp", T(x));
        assert_true(ps_tensor_version(x) == 5 && ps_tensor_version(y) == 0); /* reading is none */
        RELEASE(x, part, mask, y);
    }
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    wait_all();
}

/* Made of a copy and of a write to that, which counts. */
static bool is_copied_and_written(const char *name)
{
    static const char *const names[] = {"put", "masked_put", "unique_inverse"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void of_what_is_made(const table_row *row, const table_given *given, unsigned *made)
{
    ps_arg args[TABLE_ARGS];
    ps_tensor *out = NULL;
    if (row->info.flags & PS_OP_VIEW || !table_arguments(row, given, args) ||
        table_call(row->op, args, row->info.nargs, &out) != PS_OK)
        return;
    if (ps_tensor_version(out) != is_copied_and_written(row->info.name))
        fail_msg("%s: %llu writes to a new result", row->info.name,
                 (unsigned long long)ps_tensor_version(out));
    ++*made;
    ps_tensor_release(out);
}

/* The operation that makes a result does not count. */
static void what_rows_make_has_none(void **state)
{
    (void)state;
    unsigned made = 0;
    for (int lengths = 0; lengths < 2; lengths++) {
        table_given given;
        int64_t shape[] = {lengths ? 300 : 3, lengths ? 300 : 3};
        table_give(PS_FLOAT32, TABLE_SMALL, 2, shape, &given);
        for (size_t i = 0; i < ps_op_count(); i++) {
            table_row row;
            table_row_at(i, &row);
            of_what_is_made(&row, &given, &made);
        }
        table_take_back(&given);
    }
    while (ps_wait_all(engine(), NULL) != PS_OK)
        continue; /* values that a row does not take */
    assert_true(made > 200);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_count),
        cmocka_unit_test(what_rows_make_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
