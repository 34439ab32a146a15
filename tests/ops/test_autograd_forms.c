/* Every row with a gradient, in other uses than a plain call: operands that are views of larger leaves,
 * that were written in place before the call, or are overwritten after it; outputs that are given. */
#include "support/trial.h"

#include "help.h"

static const trial_form *form;
static unsigned trials;

static void visit(trial *t)
{
    t->form = form;
    trials += trial_check_each(t) > 0;
}

/* All rows, and with each argument that has a default. Rows that are views have no outputs that are
 * given; for the others there must be some. */
static void try_all(int which, ps_dtype dtype)
{
    form = &trial_forms[which];
    for (int variants = 0; variants < 2; variants++) {
        trial_walk w = {.dtype = dtype, 2, {3, 3}, .variants = variants, .visit = visit};
        trials = 0;
        trial_walk_rows(&w);
        print_message("%s: %u calls of %s\n", form->name, trials, ps_dtype_name(dtype));
        if (form->after && !variants)
            trials++; /* to_device */
        if (form->into || form->onto)
            assert_true(trials > w.visited / (form->into ? 2 : 4));
        else
            assert_int_equal(trials, w.visited);
    }
}

static void try_both(int first, int last)
{
    for (int i = first; i <= last; i++) {
        try_all(i, PS_FLOAT64);
        try_all(i, PS_COMPLEX128);
    }
}

static void views(void **state)
{
    (void)state;
    try_both(TRIAL_TURNED, TRIAL_STEP);
}

static void writes(void **state)
{
    (void)state;
    try_both(TRIAL_WRITTEN_BEFORE, TRIAL_WRITTEN_AFTER);
}

static void outputs(void **state)
{
    (void)state;
    try_both(TRIAL_INTO, TRIAL_ONTO);
}

static void parts_of_complex_numbers(void **state)
{
    (void)state;
    try_all(TRIAL_PART, PS_FLOAT64);
    try_all(TRIAL_PARTS_WRITTEN, PS_COMPLEX128);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views),
        cmocka_unit_test(writes),
        cmocka_unit_test(parts_of_complex_numbers),
        cmocka_unit_test(outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
