/* The gradients of every row in other types than float64: those of a walk that is recorded, in which
 * rules are called row by row, have the bits of one that is not; narrow types are near float64. */
#include "support/trial.h"

#include "help.h"

static ps_dtype dtype;
static unsigned compared;

/* ---- compiled rules and rows --------------------------------------------------------------- */

/* A unit in the last place of 1. */
static double unit_of(ps_dtype type)
{
    if (type == PS_FLOAT64)
        return 0x1p-52;
    return type == PS_BFLOAT16 ? 0x1p-7 : type == PS_FLOAT16 ? 0x1p-10 : 0x1p-23;
}

/* Rows whose way back is work of its own, which adds up in another order than rows do; and which divide
 * by the distance of three numbers from their mean. A blank before and behind each. */
static bool is_work(const trial *t)
{
    static const char rows[] = " layer_norm layer_norm_rows layer_norm_back layer_norm_back_all "
                               "group_norm group_norm_channels group_norm_back instance_norm "
                               "batch_norm batch_norm_train "
                               "batch_norm_back softmax_cross_entropy cross_entropy_rows ";
    char word[64];
    snprintf(word, sizeof word, " %s ", t->row.info.name);
    return strstr(rows, word) != NULL;
}

enum { ROUNDED = 1, NEAR = 16, FAR = 128 }; /* units */

/* Within some units of the largest number. */
static void compare_near(const trial *t, const double *wanted, const double *found, int64_t count,
                         double units)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(wanted[i]));
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(found[i] - wanted[i]) <= units * unit_of(dtype) * largest))
            fail_msg("%s: number %lld of slot %u is %.9g, not %.9g (%g units)", t->about,
                     (long long)i, t->of, found[i], wanted[i],
                     fabs(found[i] - wanted[i]) / unit_of(dtype) / largest);
}

/* What a walk goes through by one row, and one that is recorded by those that it stands for. */
static bool has_two_ways(const trial *t)
{
    return strcmp(t->row.info.name, "rnn") == 0;
}

/* Rows round to 16 bits where a program does not. */
static void compare_rounded(trial *t, ps_tensor *compiled, ps_tensor *by_rows)
{
    double *x = trial_numbers(compiled), *y = trial_numbers(by_rows);
    compare_near(t, x, y, trial_count(compiled), is_work(t) ? FAR : has_two_ways(t) ? 4 : ROUNDED);
    free(x);
    free(y);
}

static void compare_bits(trial *t, ps_tensor *compiled, ps_tensor *by_rows)
{
    assert_int_equal(ps_tensor_dtype(compiled), ps_tensor_dtype(by_rows));
    assert_int_equal(ps_tensor_count(compiled), ps_tensor_count(by_rows));
    char *a = table_read(compiled, t->about), *b = table_read(by_rows, t->about);
    int64_t at = table_difference(ps_tensor_dtype(compiled), ps_tensor_count(compiled), a, b);
    if (at >= 0) {
        double *x = trial_numbers(compiled), *y = trial_numbers(by_rows);
        fail_msg("%s: element %lld of slot %u is %.17g, row by row %.17g", t->about, (long long)at,
                 t->of, x[at], y[at]);
    }
    free(a);
    free(b);
}

static void check_both_ways(trial *t)
{
    ps_tensor *leaves[TRIAL_SLOTS + 1];
    trial_leaves(t, true, leaves);
    ps_tensor *compiled = trial_gradient(t, leaves, false);
    ps_tensor *by_rows = trial_gradient(t, leaves, true);
    assert_int_equal(compiled != NULL, by_rows != NULL);
    bool narrow = dtype == PS_FLOAT16 || dtype == PS_BFLOAT16 || has_two_ways(t);
    if (compiled != NULL)
        (narrow || is_work(t) ? compare_rounded : compare_bits)(t, compiled, by_rows);
    compared += compiled != NULL;
    ps_tensor_release(compiled);
    ps_tensor_release(by_rows);
    trial_drop(leaves);
}

/* Of each slot; beside tensors that are wanted too, and beside numbers. */
static void both_ways(trial *t)
{
    for (t->of = 0; t->of < t->nslots; t->of++) {
        t->numbers = false;
        t->wanted = (1u << t->nslots) - 1;
        check_both_ways(t);
        t->numbers = true;
        t->wanted = 1u << t->of;
        if (trial_fits(t))
            check_both_ways(t);
    }
}

static void try_both_ways(ps_dtype of, bool variants)
{
    trial_walk w = {.dtype = of, 2, {3, 3}, .variants = variants, .visit = both_ways};
    dtype = of;
    compared = 0;
    trial_walk_rows(&w);
    print_message("%s: %u gradients of %u calls\n", ps_dtype_name(of), compared, w.visited);
    assert_true(compared > (variants ? 40 : 80));
}

static void the_same_bits(void **state)
{
    (void)state;
    static const ps_dtype dtypes[] = {PS_FLOAT64,  PS_FLOAT32,   PS_FLOAT16,
                                      PS_BFLOAT16, PS_COMPLEX64, PS_COMPLEX128};
    for (int i = 0; i < 6; i++) {
        try_both_ways(dtypes[i], false);
        try_both_ways(dtypes[i], true);
    }
}

/* ---- narrow types -------------------------------------------------------------------------- */

/* The gradient of slot t->of for the weights 1.0, 1.7, ...; as numbers. */
static double *gradient_of(trial *t)
{
    ps_tensor *leaves[TRIAL_SLOTS + 1];
    trial_leaves(t, true, leaves);
    ps_tensor *gradient = trial_gradient(t, leaves, false);
    double *numbers = gradient != NULL ? trial_numbers(gradient) : NULL;
    ps_tensor_release(gradient);
    trial_drop(leaves);
    return numbers;
}

static void give_type(trial *t, unsigned slot, ps_dtype to)
{
    ps_tensor *value = t->slots[slot].value;
    trial_give(t, slot, to, ps_tensor_ndim(value), ps_tensor_shape(value));
}

/* The gradients of all slots against those with the same numbers in float64. */
static void check_near(trial *t)
{
    double *found[TRIAL_SLOTS], *wanted;
    for (t->of = 0; t->of < t->nslots; t->of++)
        found[t->of] = gradient_of(t);
    for (unsigned i = 0; i < t->nslots; i++)
        give_type(t, i, PS_FLOAT64);
    for (t->of = 0; t->of < t->nslots; t->of++) {
        wanted = gradient_of(t);
        assert_int_equal(found[t->of] != NULL, wanted != NULL);
        if (wanted != NULL)
            compare_near(t, wanted, found[t->of], trial_count(t->slots[t->of].value),
                         is_work(t) ? FAR : NEAR);
        compared += wanted != NULL;
        free(wanted);
        free(found[t->of]);
    }
}

/* One operand of the type among others of float64. */
static void check_mixed(trial *t)
{
    for (unsigned i = 0; i < t->nslots && t->nslots > 1; i++) {
        give_type(t, i, dtype);
        check_near(t);
    }
}

static void narrow_types(void **state)
{
    (void)state;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT16, PS_BFLOAT16};
    for (int i = 0; i < 3; i++) {
        dtype = dtypes[i];
        compared = 0;
        trial_walk w = {.dtype = dtype, 2, {3, 3}, .visit = check_near};
        trial_walk_rows(&w);
        w = (trial_walk){.dtype = PS_FLOAT64, 2, {3, 3}, .visit = check_mixed};
        trial_walk_rows(&w);
        print_message("%s: %u gradients\n", ps_dtype_name(dtype), compared);
        assert_true(compared > 100);
    }
}

/* More equal elements than the type has numbers for. */
static void many_ties(void **state)
{
    (void)state;
    ps_tensor *x = CALL("zeros", INTS(70000), D(PS_FLOAT16)), *dx;
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
    CHECK_OK(ps_thread_set_state(ps_thread_state() | PS_STATE_RECORDING));
    ps_tensor *y = CALL("max", T(x));
    CHECK_OK(ps_thread_set_state(ps_thread_state() & ~PS_STATE_RECORDING));
    CHECK_OK(ps_backward(&y, 1, NULL));
    CHECK_OK(ps_grad_get(x, &dx));
    double *found = values_of(dx);
    for (int i = 0; i < 70000; i++)
        assert_true(fabs(found[i] - 1 / 70000.) < 0x1p-24);
    free(found);
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(dx);
    trial_nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bits),
        cmocka_unit_test(narrow_types),
        cmocka_unit_test(many_ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
