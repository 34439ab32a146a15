/* Every row that says it has a gradient, against differences: each operand by itself, the others being
 * constants, and all of them; in float64 and complex128; of shapes that are broadcast, or have no
 * elements; with every argument that has a default given in turn. */
#include "support/trial.h"

#include "help.h"

static const ps_dtype dtypes[] = {PS_FLOAT64, PS_COMPLEX128};

static unsigned count; /* of what a visit counts */

/* ---- what rows say ------------------------------------------------------------------------- */

/* A row without a gradient gives the reason, and its result is in no graph. */
static void check_none(const table_row *row, const table_given *given)
{
    ps_arg args[TABLE_ARGS];
    ps_tensor *y = NULL, *leaves[TABLE_ARGS] = {NULL};
    const char *reason = row->info.gradient + strlen("no: ");
    assert_non_null(strchr(reason, ' ')); /* some words */
    assert_true(strlen(reason) >= 10);
    if (!table_arguments(row, given, args))
        return; /* of numbers alone */
    for (size_t i = 0; i < row->info.nargs; i++)
        if (args[i].kind == PS_ARG_TENSOR && ps_tensor_dtype(args[i].as.tensor) == given->dtype) {
            leaves[i] = CALL("copy", args[i]);
            args[i] = T(leaves[i]);
            CHECK_OK(ps_grad_attach(leaves[i], PS_GRAD_WRITE, NULL));
        }
    CHECK_OK(ps_thread_set_state(ps_thread_state() | PS_STATE_RECORDING));
    ps_status status = table_call(row->op, args, row->info.nargs, &y);
    CHECK_OK(ps_thread_set_state(ps_thread_state() & ~PS_STATE_RECORDING));
    if (status == PS_OK && ps_tensor_is_recorded(y))
        fail_msg("%s: recorded, but it says \"%s\"", row->info.name, row->info.gradient);
    ps_tensor_release(y);
    for (size_t i = 0; i < TABLE_ARGS; i++)
        ps_tensor_release(leaves[i]);
}

static void the_others_say_why(void **state)
{
    (void)state;
    table_given given;
    table_give(PS_FLOAT64, TABLE_AROUND_ONE, 2, (int64_t[]){3, 3}, &given);
    for (size_t i = 0; i < ps_op_count(); i++) {
        table_row row;
        table_row_at(i, &row);
        if (!trial_is_stated(&row))
            check_none(&row, &given);
    }
    table_take_back(&given);
    trial_nothing_is_left();
}

/* ---- walks --------------------------------------------------------------------------------- */

static void each_operand(trial *t)
{
    if (trial_check_each(t) == 0)
        fail_msg("%s: nothing was compared", t->about);
}

static trial_walk walk(ps_dtype dtype, int ndim, const int64_t *shape, void (*visit)(trial *t))
{
    trial_walk w = {.dtype = dtype, .ndim = ndim, .visit = visit};
    memcpy(w.shape, shape, (size_t)ndim * sizeof shape[0]);
    count = 0;
    trial_walk_rows(&w);
    return w;
}

/* All that state a gradient have one. */
static void matrices(void **state)
{
    (void)state;
    trial_walk w = walk(PS_FLOAT64, SHAPE(3, 3), each_operand);
    assert_int_equal(w.visited, w.stated);
    w = walk(PS_COMPLEX128, SHAPE(3, 3), each_operand);
    print_message("%u rows state a gradient; %u for complex numbers\n", w.stated, w.visited);
    assert_int_equal(w.visited + w.refused, w.stated);
}

/* More than half of those that take the type have one dimension too. */
static void lines(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        trial_walk w = walk(dtypes[i], SHAPE(3), each_operand);
        assert_true(w.visited > (w.stated - w.refused) / 2);
    }
}

static void variants(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        trial_walk w = {.dtype = dtypes[i], 2, {3, 3}, .variants = true, .visit = each_operand};
        trial_walk_rows(&w);
        print_message("%u variants\n", w.visited);
        assert_true(w.visited > 60);
    }
}

/* ---- shapes -------------------------------------------------------------------------------- */

static ps_dtype dtype_of(const trial *t, unsigned slot)
{
    return ps_tensor_dtype(t->slots[slot].value);
}

static void check_if_it_fits(trial *t)
{
    t->wanted = (1u << t->nslots) - 1;
    if (trial_fits(t)) {
        trial_check(t);
        count++;
    }
}

/* One operand of a shape that could be broadcast to the others'; two that only both together have all
 * dimensions of. */
static void broadcast(trial *t)
{
    static const int64_t shapes[][2] = {{3, 1}, {1, 3}, {1, 1}, {3, 3}, {3}, {1}, {0}};
    static const int ndims[] = {2, 2, 2, 2, 1, 1, 0};
    trial_slot given[TRIAL_SLOTS];
    memcpy(given, t->slots, sizeof given);
    for (unsigned i = 0; i < t->nslots; i++)
        for (int k = 0; k < 7; k++) {
            CHECK_OK(ps_tensor_retain(given[i].value));
            trial_give(t, i, dtype_of(t, i), ndims[k], shapes[k]);
            check_if_it_fits(t);
            ps_tensor_release(t->slots[i].value);
            t->slots[i] = given[i];
        }
    for (unsigned i = 0; i < t->nslots && ps_tensor_count(given[i].value) == 9; i++)
        trial_give(t, i, dtype_of(t, i), 2, shapes[i % 2]);
    check_if_it_fits(t);
}

static void shapes_that_are_broadcast(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        (void)walk(dtypes[i], SHAPE(3, 3), broadcast);
        print_message("%u trials\n", count);
        assert_true(count > 500);
    }
}

static void without_elements(trial *t)
{
    for (int i = 0; i < TRIAL_PART; i++) {
        t->form = &trial_forms[i];
        check_if_it_fits(t);
    }
}

static void nothing_at_all(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        (void)walk(dtypes[i], SHAPE(0), without_elements);
        assert_true(count > 300);
        (void)walk(dtypes[i], SHAPE(0, 3), without_elements);
        assert_true(count > 300);
    }
}

/* ---- one tensor, numbers, other types ------------------------------------------------------ */

static void one_tensor(trial *t)
{
    if (t->nslots < 2)
        return;
    t->same = true;
    t->wanted = 1;
    if (trial_fits(t)) {
        trial_check(t);
        count++;
    }
}

static void one_tensor_as_all_operands(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        (void)walk(dtypes[i], SHAPE(3, 3), one_tensor);
        print_message("%u rows\n", count);
        assert_true(count > 15);
    }
}

/* Constants that are numbers. */
static void beside_numbers(trial *t)
{
    t->numbers = true;
    for (unsigned i = 0; i < t->nslots && t->nslots > 1; i++) {
        t->wanted = 1u << i;
        if (trial_fits(t)) {
            trial_check(t);
            count++;
        }
    }
}

static void numbers(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        (void)walk(dtypes[i], SHAPE(3, 3), beside_numbers);
        assert_true(count > 20);
    }
}

/* A real operand among complex ones gets a real gradient. */
static void real_among_complex(trial *t)
{
    for (unsigned i = 0; i < t->nslots && t->nslots > 1; i++) {
        ps_tensor *complex = t->slots[i].value;
        CHECK_OK(ps_tensor_retain(complex));
        trial_give(t, i, PS_FLOAT64, ps_tensor_ndim(complex), ps_tensor_shape(complex));
        check_if_it_fits(t);
        ps_tensor_release(t->slots[i].value);
        t->slots[i].value = complex;
    }
}

static void mixed(void **state)
{
    (void)state;
    (void)walk(PS_COMPLEX128, SHAPE(3, 3), real_among_complex);
    assert_true(count > 20);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_others_say_why),
        cmocka_unit_test(matrices),
        cmocka_unit_test(lines),
        cmocka_unit_test(variants),
        cmocka_unit_test(shapes_that_are_broadcast),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(one_tensor_as_all_operands),
        cmocka_unit_test(numbers),
        cmocka_unit_test(mixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
