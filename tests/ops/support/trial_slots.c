/* What rows are given in a trial, and how they are called: see trial.h. */
#include "trial.h"

#include "ops/help.h"

/* ---- numbers ------------------------------------------------------------------------------- */

int64_t trial_count(const ps_tensor *tensor)
{
    return ps_tensor_count(tensor) * (table_is_complex(ps_tensor_dtype(tensor)) ? 2 : 1);
}

static ps_dtype widest(ps_dtype dtype)
{
    return table_is_complex(dtype) ? PS_COMPLEX128 : PS_FLOAT64;
}

double *trial_numbers(ps_tensor *tensor)
{
    size_t count = (size_t)trial_count(tensor);
    ps_tensor *wide = CALL("cast", T(tensor), D(widest(ps_tensor_dtype(tensor))));
    double *numbers = calloc(count + 1, sizeof *numbers);
    CHECK_OK(ps_tensor_to_host(wide, numbers, count * sizeof *numbers));
    ps_tensor_release(wide);
    return numbers;
}

ps_tensor *trial_tensor(ps_dtype dtype, int ndim, const int64_t *shape, const double *numbers)
{
    ps_tensor *wide;
    CHECK_OK(ps_tensor_from_host(widest(dtype), ndim, shape, NULL, numbers, NULL, &wide));
    ps_tensor *made = CALL("cast", T(wide), D(dtype));
    ps_tensor_release(wide);
    return made;
}

double trial_weight(int64_t index)
{
    return 1 + (double)(index * 7 % 11) / 10;
}

ps_tensor *trial_weights(const ps_tensor *y)
{
    int64_t count = trial_count(y);
    double *numbers = calloc((size_t)count + 1, sizeof *numbers);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = trial_weight(i);
    ps_tensor *made =
        trial_tensor(ps_tensor_dtype(y), ps_tensor_ndim(y), ps_tensor_shape(y), numbers);
    free(numbers);
    return made;
}

/* ---- slots --------------------------------------------------------------------------------- */

static bool has_numbers(const ps_tensor *tensor)
{
    return table_is_float(ps_tensor_dtype(tensor)) || table_is_complex(ps_tensor_dtype(tensor));
}

static void add_slot(trial *t, unsigned arg, int member, ps_tensor *tensor)
{
    assert_true(t->nslots < TRIAL_SLOTS);
    t->slots[t->nslots++] = (trial_slot){arg, member, CALL("copy", T(tensor))};
}

/* Nothing flows to what is kept from one call to the next. */
static bool is_kept(const trial *t, unsigned arg)
{
    return strncmp(t->row.info.args[arg].name, "running_", 8) == 0;
}

void trial_slots(trial *t)
{
    for (unsigned i = 0; i < t->row.info.nargs; i++) {
        const ps_arg *arg = &t->args[i];
        if (arg->kind == PS_ARG_TENSOR && has_numbers(arg->as.tensor) && !is_kept(t, i))
            add_slot(t, i, -1, arg->as.tensor);
        for (unsigned k = 0; arg->kind == PS_ARG_TENSORS && k < arg->count; k++)
            add_slot(t, i, (int)k, arg->as.tensors[k]);
    }
    t->wanted = (1u << t->nslots) - 1;
}

void trial_slots_end(trial *t)
{
    while (t->nslots > 0)
        ps_tensor_release(t->slots[--t->nslots].value);
}

void trial_give(trial *t, unsigned slot, ps_dtype dtype, int ndim, const int64_t *shape)
{
    ps_tensor *before = t->slots[slot].value;
    int64_t had = trial_count(before), count = table_is_complex(dtype) ? 2 : 1;
    int step = table_is_complex(ps_tensor_dtype(before)) && !table_is_complex(dtype) ? 2 : 1;
    for (int i = 0; i < ndim; i++)
        count *= shape[i];
    double *from = trial_numbers(before), *to = calloc((size_t)count + 1, sizeof *to);
    for (int64_t i = 0; i < count && had > 0; i++)
        to[i] = from[i * step % had]; /* of complex numbers the real parts */
    t->slots[slot].value = trial_tensor(dtype, ndim, shape, to);
    free(from);
    free(to);
    ps_tensor_release(before);
}

/* ---- calls --------------------------------------------------------------------------------- */

static ps_tensor *retained(ps_tensor *tensor)
{
    CHECK_OK(ps_tensor_retain(tensor));
    return tensor;
}

static void operands_begin(trial *t, ps_tensor *const *leaves, ps_tensor **operands)
{
    for (unsigned i = 0; i < t->nslots; i++)
        if (t->same && i > 0)
            operands[i] = retained(operands[0]);
        else if (!trial_is_leaf(t, i))
            operands[i] = retained(t->slots[i].value);
        else
            operands[i] =
                t->form->operand != NULL ? t->form->operand(leaves[i]) : retained(leaves[i]);
}

/* The first element of a tensor as a number. */
static ps_arg number_of(ps_tensor *tensor)
{
    double *numbers = trial_numbers(tensor);
    ps_scalar z = {PS_SCALAR_COMPLEX, {.z = {numbers[0], numbers[1]}}};
    ps_arg arg = F(numbers[0]);
    if (table_is_complex(ps_tensor_dtype(tensor)))
        arg = (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = z};
    free(numbers);
    return arg;
}

void trial_arguments(const trial *t, ps_tensor *const *operands, ps_arg *args, ps_tensor **list)
{
    memcpy(args, t->args, sizeof t->args);
    for (unsigned i = 0; i < t->nslots; i++) {
        const trial_slot *slot = &t->slots[i];
        bool number = t->numbers && !trial_is_leaf(t, i) && t->row.info.args[slot->arg].scalar;
        if (slot->member < 0) {
            args[slot->arg] = number ? number_of(operands[i]) : T(operands[i]);
            continue;
        }
        list[slot->member] = operands[i];
        args[slot->arg].as.tensors = list;
    }
}

/* The only row that has nothing to write but into what is given. */
static bool needs_output(const trial *t)
{
    return strcmp(t->row.info.name, "assign") == 0;
}

/* Rows that draw numbers draw the same at each call. */
static ps_status call_op(const trial *t, const ps_arg *args, ps_tensor **y)
{
    CHECK_OK(ps_generator_seed(NULL, 42));
    return table_call(t->row.op, args, t->row.info.nargs, y);
}

/* What the call gives, while nothing is recorded. */
static ps_status call_quietly(const trial *t, const ps_arg *args, ps_tensor **y)
{
    uint64_t state = ps_thread_state();
    if (needs_output(t)) {
        *y = retained(t->slots[0].value);
        return PS_OK;
    }
    CHECK_OK(ps_thread_set_state(state & ~PS_STATE_RECORDING));
    ps_status status = call_op(t, args, y);
    CHECK_OK(ps_thread_set_state(state));
    return status;
}

/* Every second element of zeros. */
static ps_tensor *output_like(const ps_tensor *y)
{
    int ndim = ps_tensor_ndim(y);
    int64_t shape[PS_DIMS_MAX] = {0};
    memcpy(shape, ps_tensor_shape(y), (size_t)ndim * sizeof shape[0]);
    shape[ndim] = 2;
    ps_arg lengths = {.kind = PS_ARG_INTS, .count = (uint32_t)ndim + 1, .as.ints = shape};
    ps_tensor *zeros = CALL("zeros", lengths, D(ps_tensor_dtype(y))), *part;
    ps_index items[] = {{.kind = PS_INDEX_ELLIPSIS}, {.kind = PS_INDEX_AT, .start = 0}};
    CHECK_OK(ps_tensor_index(zeros, items, 2, &part));
    ps_tensor_release(zeros);
    return part;
}

static ps_status call_row(trial *t, ps_tensor *const *operands, ps_tensor **y)
{
    ps_arg args[TABLE_ARGS];
    ps_tensor *list[TRIAL_SLOTS], *like = NULL;
    trial_arguments(t, operands, args, list);
    *y = NULL;
    if (t->form->onto) {
        *y = retained(operands[0]);
    } else if (t->form->into || needs_output(t)) {
        ps_status status = call_quietly(t, args, &like);
        if (status != PS_OK)
            return status;
        *y = output_like(like);
        ps_tensor_release(like);
    }
    return call_op(t, args, y);
}

/* Of a view something must be left, or it is in no graph. */
static void overwrite(const trial *t, ps_tensor *operand)
{
    if (t->row.info.flags & PS_OP_VIEW)
        CHECK_OK(call_into("multiply", ARGS(T(operand), F(0.5)), &operand));
    else
        CHECK_OK(call_into("assign", ARGS(F(0)), &operand));
}

ps_status trial_call(trial *t, ps_tensor *const *leaves, ps_tensor **y)
{
    ps_tensor *operands[TRIAL_SLOTS];
    operands_begin(t, leaves, operands);
    ps_status status = call_row(t, operands, y);
    for (unsigned i = 0; i < t->nslots && status == PS_OK && t->form->after; i++)
        if (trial_is_leaf(t, i))
            overwrite(t, operands[i]);
    if (status != PS_OK) {
        ps_tensor_release(*y);
        *y = NULL;
    }
    for (unsigned i = 0; i < t->nslots; i++)
        ps_tensor_release(operands[i]);
    return status;
}

bool trial_is_alike(const ps_tensor *a, const ps_tensor *b)
{
    bool same = ps_tensor_dtype(a) == ps_tensor_dtype(b) && ps_tensor_ndim(a) == ps_tensor_ndim(b);
    for (int i = 0; same && i < ps_tensor_ndim(a); i++)
        same = ps_tensor_shape(a)[i] == ps_tensor_shape(b)[i];
    return same;
}

bool trial_fits(trial *t)
{
    ps_arg args[TABLE_ARGS];
    ps_tensor *list[TRIAL_SLOTS], *operands[TRIAL_SLOTS], *y = NULL;
    const trial_form *form = t->form;
    for (unsigned i = 0; i < t->nslots; i++)
        operands[i] = t->slots[t->same ? 0 : i].value;
    trial_arguments(t, operands, args, list);
    if (call_quietly(t, args, &y) != PS_OK)
        return false;
    bool fits = ps_tensor_wait(y, NULL) == PS_OK; /* a position may be out of range */
    fits &= !(form->into || form->onto) || !(t->row.info.flags & PS_OP_VIEW);
    if (form->onto)
        fits =
            fits && trial_is_leaf(t, 0) && t->slots[0].member < 0 && trial_is_alike(y, operands[0]);
    if (form->after)
        fits = y != operands[0] ||
               needs_output(t); /* to_device gives it itself, and it is then what was written */
    ps_tensor_release(y);
    return fits;
}
