/* Gradients of gradients of every row: by all operands, and by the weights of the result, of which a
 * first gradient is a sum. */
#include "support/sanitized.h"
#include "support/trial.h"

#include "help.h"

/* Rows of real numbers whose gradient is the same wherever the operands are, and why. A blank before
 * and behind each. */
static const struct {
    const char *why, *rows;
} flat[] = {
    {"the row is linear",
     " add subtract negative positive conj real imag copy cast assign sum mean reshape permute "
     "broadcast_to expand_dims squeeze flip concatenate stack roll repeat tile pad moveaxis "
     "swapaxes diagonal trace diag tril triu take take_along_axis masked_select masked_fill put "
     "masked_put cumulative_sum diff average to_device where dropout dropout_by_key embedding pick "
     "avg_pool2d avg_pool2d_data global_avg_pool2d "},
    {"between its corners the row is linear",
     " minimum maximum relu relu6 leaky_relu clip min max ptp sort unique_values copysign "
     "nextafter remainder modulo fmod hard_sigmoid nan_to_num "
     "max_pool2d max_pool2d_data max_pool2d_pick global_max_pool2d "},
    {"between its jumps the row is constant", " floor ceil trunc round round_to floor_divide "},
};

static bool is_flat(const char *name)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    for (size_t i = 0; i < sizeof flat / sizeof flat[0]; i++)
        if (strstr(flat[i].rows, word) != NULL)
            return true;
    return false;
}

static const trial_form *form;
static unsigned rows;

static void visit(trial *t)
{
    bool curved = false;
    t->form = form;
    rows += trial_fits(t) || form->after;
    if (!trial_fits(t))
        return;
    for (t->of = 0; t->of < t->nslots; t->of++)
        curved |= trial_check_again(t);
    if (ps_tensor_dtype(t->slots[0].value) == PS_FLOAT64 && curved == is_flat(t->row.info.name))
        fail_msg("%s: its gradient depends on %s operands", t->about, curved ? "the" : "no");
}

static void try_all(int which, ps_dtype dtype)
{
    trial_walk w = {.dtype = dtype, .ndim = 2, .shape = {3, 3}, .visit = visit};
    form = &trial_forms[which];
    rows = 0;
    trial_walk_rows(&w);
    if (!form->into && !form->onto)
        assert_int_equal(rows, w.visited);
    if (!form->into && !form->onto && dtype == PS_FLOAT64)
        assert_int_equal(w.visited, w.stated);
    print_message("%s, %s: %u rows\n", form->name, ps_dtype_name(dtype), rows);
}

/* A sanitizer takes its time: there some forms are enough. */
static const int each = SANITIZED ? 4 : 1;

static void real(void **state)
{
    (void)state;
    for (int i = TRIAL_PLAIN; i <= TRIAL_PART; i += each)
        try_all(i, PS_FLOAT64);
}

static void complex(void **state)
{
    (void)state;
    for (int i = TRIAL_PLAIN; i < TRIAL_PART; i += each)
        try_all(i, PS_COMPLEX128);
    try_all(TRIAL_PARTS_WRITTEN, PS_COMPLEX128);
}

/* Slots by themselves; then one tensor for all of them. */
static void visit_variant(trial *t)
{
    for (t->of = 0; t->of < t->nslots; t->of++)
        (void)trial_check_again(t);
    t->of = 0;
    t->same = true;
    t->wanted = 1;
    if (t->nslots > 1 && trial_fits(t))
        (void)trial_check_again(t);
}

static void variants(void **state)
{
    (void)state;
    static const ps_dtype dtypes[] = {PS_FLOAT64, PS_COMPLEX128};
    for (int i = 0; i < 4; i++) {
        trial_walk w = {.dtype = dtypes[i % 2], 2, {3, 3}, i >= 2, .visit = visit_variant};
        trial_walk_rows(&w);
        print_message("%u calls of %s\n", w.visited, ps_dtype_name(w.dtype));
        assert_true(w.visited > 60);
    }
}

/* ---- zeros --------------------------------------------------------------------------------- */

/* 0 in the place of every second element of a slot. */
static void put_zeros(trial *t, unsigned slot)
{
    ps_tensor *value = t->slots[slot].value;
    double *numbers = trial_numbers(value);
    int parts = table_is_complex(ps_tensor_dtype(value)) ? 2 : 1;
    for (int64_t i = 0; i < trial_count(value); i++)
        if (i / parts % 2 == 0)
            numbers[i] = 0;
    t->slots[slot].value = trial_tensor(ps_tensor_dtype(value), ps_tensor_ndim(value),
                                        ps_tensor_shape(value), numbers);
    free(numbers);
    ps_tensor_release(value);
}

/* One slot after the other, so that in the end all have zeros at the same places. Rows whose shape
 * depends on which elements are equal are left out. */
static void visit_zeros(trial *t)
{
    t->corners = true;
    for (unsigned i = 0; i < t->nslots && !t->row.info.blocks; i++) {
        put_zeros(t, i);
        if (!trial_fits(t))
            return;
        for (t->of = 0; t->of < t->nslots; t->of++)
            (void)trial_check_again(t);
        rows++;
    }
}

/* Rows are smooth at 0 or have a corner: rules that choose there must choose right. */
static void at_zeros(void **state)
{
    (void)state;
    static const ps_dtype dtypes[] = {PS_FLOAT64, PS_COMPLEX128};
    for (int i = 0; i < 2; i++) {
        trial_walk w = {.dtype = dtypes[i], .ndim = 2, .shape = {3, 3}, .visit = visit_zeros};
        rows = 0;
        trial_walk_rows(&w);
        print_message("zeros, %s: %u calls\n", ps_dtype_name(dtypes[i]), rows);
        assert_true(rows >= w.visited);
    }
}

/* Each row that is said to be flat is one. */
static void every_name_is_a_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof flat / sizeof flat[0]; i++)
        for (const char *at = flat[i].rows + 1; *at != '\0'; at += strcspn(at, " ") + 1) {
            char name[64];
            const ps_op *op;
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " "), at);
            CHECK_OK(ps_op_find(name, &op));
        }
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real),
        cmocka_unit_test(complex),
        cmocka_unit_test(variants),
        cmocka_unit_test(at_zeros),
        cmocka_unit_test(every_name_is_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
