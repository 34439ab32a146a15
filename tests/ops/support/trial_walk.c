/* Trials of all rows: see trial.h. */
#include "trial.h"

#include "ops/help.h"

bool trial_is_stated(const table_row *row)
{
    return row->info.gradient != NULL && strncmp(row->info.gradient, "no: ", 4) != 0;
}

/* ---- where the row has values -------------------------------------------------------------- */

static double as_given(double x)
{
    return x;
}

static double within_one(double x)
{
    return x / 2.5;
}

static double between(double x)
{
    return fabs(x) / 2.5;
}

static double above_one(double x)
{
    return 1.1 + fabs(x);
}

/* Functions have their values in one of these. */
static double (*const domains[])(double) = {as_given, fabs, within_one, between, above_one};

/* A mean of nothing is not. */
static bool is_finite(const trial *t, ps_tensor *y)
{
    if (ps_tensor_count(t->slots[0].value) == 0)
        return true;
    double *numbers = trial_numbers(y);
    bool finite = true;
    for (int64_t i = 0; i < trial_count(y); i++)
        finite &= isfinite(numbers[i]) != 0;
    free(numbers);
    return finite;
}

static void move_slots(trial *t, double (*domain)(double))
{
    for (unsigned i = 0; i < t->nslots; i++) {
        ps_tensor *value = t->slots[i].value;
        double *numbers = trial_numbers(value);
        for (int64_t k = 0; k < trial_count(value); k++)
            numbers[k] = domain(numbers[k]);
        t->slots[i].value = trial_tensor(ps_tensor_dtype(value), ps_tensor_ndim(value),
                                         ps_tensor_shape(value), numbers);
        free(numbers);
        ps_tensor_release(value);
    }
}

/* Moves what is given to where the result is finite; or what the row says if it does not take it. */
static ps_status find_domain(trial *t)
{
    for (size_t i = 0; i < sizeof domains / sizeof domains[0]; i++) {
        ps_tensor *y;
        trial_slots_end(t);
        trial_slots(t);
        move_slots(t, domains[i]);
        ps_tensor *values[TRIAL_SLOTS];
        for (unsigned k = 0; k < t->nslots; k++)
            values[k] = t->slots[k].value;
        ps_status status = trial_call(t, values, &y);
        bool finite = status == PS_OK && is_finite(t, y);
        ps_tensor_release(y);
        if (finite || status != PS_OK)
            return status;
    }
    fail_msg("%s: no values at which it is finite", t->about);
    return PS_ERR_STATE;
}

/* ---- arguments with defaults --------------------------------------------------------------- */

/* The word that comes after `choice` others; false if there are no more. */
static bool choose(const char *choices, unsigned choice, char *text, ps_arg *arg)
{
    for (; choice > 0 && *choices != '\0'; choice--) {
        choices += strcspn(choices, " ");
        choices += strspn(choices, " ");
    }
    snprintf(text, 32, "%.*s", (int)strcspn(choices, " "), choices);
    *arg = S(text);
    return *choices != '\0';
}

/* Something else than the default of an argument; `choice` counts where there are several. False if
 * nothing is left. */
static bool vary(ps_arg *arg, const ps_op_arg_info *info, const table_given *given, unsigned choice,
                 char *text)
{
    static const int64_t first = 0;
    const char *stated = info->default_text;
    double number = strtod(stated, NULL);
    if (info->role == PS_ROLE_CHOICE)
        return choose(info->choices, choice, text, arg);
    switch (info->kind) {
    case PS_ARG_TENSOR:
        *arg = T(choice == 0 ? given->operands[2] : choice == 1 ? given->line : given->row);
        return choice < 3 && info->role == PS_ROLE_NONE;
    case PS_ARG_BOOL:
        *arg = B(strcmp(stated, "false") == 0);
        break;
    case PS_ARG_INT:
        *arg = I(info->role == PS_ROLE_AXIS ? 0 : (int64_t)number + 1);
        break;
    case PS_ARG_INTS:
        *arg = (ps_arg){.kind = PS_ARG_INTS, .count = 1, .as.ints = &first};
        break;
    case PS_ARG_DOUBLE:
    case PS_ARG_SCALAR:
        *arg = F(number + 1);
        break;
    case PS_ARG_DTYPE:
        *arg = D(PS_COMPLEX128);
        break;
    case PS_ARG_TEXT:
        *arg = S("tanh");
        break;
    default:
        return false;
    }
    return choice == 0;
}

/* ---- the walk ------------------------------------------------------------------------------ */

static void visit(trial_walk *walk, trial *t)
{
    ps_status status = find_domain(t);
    if (status == PS_OK) {
        walk->visited++;
        walk->visit(t);
    }
    walk->refused += status == PS_ERR_TYPE;
    trial_slots_end(t);
}

static void visit_variants(trial_walk *walk, const trial *plain, const table_given *given)
{
    unsigned tensors = 0;
    trial all = *plain, rows = *plain;
    for (unsigned i = 0; i < plain->row.info.nargs; i++) {
        const ps_op_arg_info *info = &plain->row.info.args[i];
        for (unsigned k = 0; !info->required; k++) {
            char text[32];
            trial t = *plain;
            if (!vary(&t.args[i], info, given, k, text))
                break;
            snprintf(t.about, sizeof t.about, "%.90s with %s %u", plain->about, info->name, k);
            visit(walk, &t);
        }
        if (!info->required && info->kind == PS_ARG_TENSOR && info->role == PS_ROLE_NONE) {
            all.args[i] = T(given->operands[++tensors % TABLE_OPERANDS]);
            rows.args[i] = T(tensors % 2 != 0 ? given->row : given->squares);
            snprintf(all.about, sizeof all.about, "%.90s with all tensors", plain->about);
            snprintf(rows.about, sizeof rows.about, "%.90s with rows as tensors", plain->about);
        }
    }
    if (tensors > 1) {
        visit(walk, &all);
        visit(walk, &rows);
    }
}

void trial_walk_rows(trial_walk *walk)
{
    table_given given;
    table_give(walk->dtype, TABLE_AROUND_ONE, walk->ndim, walk->shape, &given);
    for (size_t i = 0; i < ps_op_count(); i++) {
        trial t = {.form = &trial_forms[TRIAL_PLAIN]};
        table_row_at(i, &t.row);
        if (!trial_is_stated(&t.row))
            continue;
        walk->stated++;
        snprintf(t.about, sizeof t.about, "%s of %s", t.row.info.name, ps_dtype_name(walk->dtype));
        if (!table_arguments(&t.row, &given, t.args))
            fail_msg("%s: no arguments come to mind", t.about);
        if (walk->variants)
            visit_variants(walk, &t, &given);
        else
            visit(walk, &t);
    }
    table_take_back(&given);
    trial_nothing_is_left();
}
