/* One trial: see trial.h. */
#include "trial.h"

#include "ops/help.h"

static const double STEP = 1e-5, ROOM = 2e-6;

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

static double weighted(ps_tensor *x)
{
    double *numbers = trial_numbers(x), sum = 0;
    for (int64_t i = 0; i < trial_count(x); i++)
        sum += numbers[i] * trial_weight(i);
    free(numbers);
    return sum;
}

static ps_tensor *retained(ps_tensor *tensor)
{
    CHECK_OK(ps_tensor_retain(tensor));
    return tensor;
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

static bool is_leaf(const trial *t, unsigned slot)
{
    return t->wanted >> slot & 1;
}

static void operands_begin(trial *t, ps_tensor *const *leaves, ps_tensor **operands)
{
    for (unsigned i = 0; i < t->nslots; i++)
        if (t->same && i > 0)
            operands[i] = retained(operands[0]);
        else if (!is_leaf(t, i))
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

/* The arguments with the operands; `list` has room for those of a list. */
static void fill_args(const trial *t, ps_tensor *const *operands, ps_arg *args, ps_tensor **list)
{
    memcpy(args, t->args, sizeof t->args);
    for (unsigned i = 0; i < t->nslots; i++) {
        const trial_slot *slot = &t->slots[i];
        bool number = t->numbers && !is_leaf(t, i) && t->row.info.args[slot->arg].scalar;
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

/* What the call gives, while nothing is recorded. */
static ps_status call_quietly(const trial *t, const ps_arg *args, ps_tensor **y)
{
    uint64_t state = ps_thread_state();
    if (needs_output(t)) {
        *y = retained(t->slots[0].value);
        return PS_OK;
    }
    CHECK_OK(ps_thread_set_state(state & ~PS_STATE_RECORDING));
    ps_status status = table_call(t->row.op, args, t->row.info.nargs, y);
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
    fill_args(t, operands, args, list);
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
    return table_call(t->row.op, args, t->row.info.nargs, y);
}

ps_status trial_call(trial *t, ps_tensor *const *leaves, ps_tensor **y)
{
    ps_tensor *operands[TRIAL_SLOTS];
    operands_begin(t, leaves, operands);
    ps_status status = call_row(t, operands, y);
    for (unsigned i = 0; i < t->nslots && status == PS_OK && t->form->after; i++)
        if (is_leaf(t, i))
            CHECK_OK(call_into("assign", ARGS(F(0)), &operands[i]));
    if (status != PS_OK) {
        ps_tensor_release(*y);
        *y = NULL;
    }
    for (unsigned i = 0; i < t->nslots; i++)
        ps_tensor_release(operands[i]);
    return status;
}

static bool is_alike(const ps_tensor *a, const ps_tensor *b)
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
    fill_args(t, operands, args, list);
    if (call_quietly(t, args, &y) != PS_OK)
        return false;
    bool fits = ps_tensor_wait(y, NULL) == PS_OK; /* a position may be out of range */
    fits &= !(form->into || form->onto) || !(t->row.info.flags & PS_OP_VIEW);
    if (form->onto)
        fits = fits && is_leaf(t, 0) && t->slots[0].member < 0 && is_alike(y, operands[0]);
    if (form->after)
        fits = y != operands[0] ||
               needs_output(t); /* to_device gives it itself, and it is then what was written */
    ps_tensor_release(y);
    return fits;
}

/* ---- gradients ----------------------------------------------------------------------------- */

static void start(void)
{
    CHECK_OK(ps_thread_set_state(ps_thread_state() | PS_STATE_RECORDING));
}

static void stop(void)
{
    CHECK_OK(ps_thread_set_state(ps_thread_state() & ~PS_STATE_RECORDING));
}

/* A refusal says of what. */
static void check(const trial *t, ps_status status)
{
    if (status != PS_OK)
        fail_msg("%s: %s", t->about, ps_last_error());
}

/* What is tried now, for messages. */
static void write_about(trial *t)
{
    size_t end = strcspn(t->about, ";");
    snprintf(t->about + end, sizeof t->about - end, "; %s, leaves %#x%s%s", t->form->name,
             t->wanted, t->same ? ", all the same" : "", t->numbers ? ", numbers" : "");
}

void trial_leaves(trial *t, bool weights, ps_tensor **leaves)
{
    write_about(t);
    memset(leaves, 0, (TRIAL_SLOTS + 1) * sizeof leaves[0]);
    for (unsigned i = 0; i < t->nslots; i++) {
        ps_tensor *value = t->slots[i].value;
        if (!is_leaf(t, i))
            continue;
        leaves[i] = t->form->leaf != NULL ? t->form->leaf(value) : CALL("copy", T(value));
        CHECK_OK(ps_grad_attach(leaves[i], PS_GRAD_WRITE, NULL));
    }
    if (!weights)
        return;
    ps_tensor *y;
    check(t, trial_call(t, leaves, &y));
    leaves[TRIAL_SLOTS] = trial_weights(y);
    CHECK_OK(ps_grad_attach(leaves[TRIAL_SLOTS], PS_GRAD_WRITE, NULL));
    ps_tensor_release(y);
}

void trial_drop(ps_tensor **leaves)
{
    for (unsigned i = 0; i <= TRIAL_SLOTS; i++)
        ps_tensor_release(leaves[i]);
}

static ps_tensor *recorded(trial *t, ps_tensor *const *leaves)
{
    ps_tensor *y;
    start();
    ps_status status = trial_call(t, leaves, &y);
    stop();
    check(t, status);
    if (!ps_tensor_is_recorded(y))
        fail_msg("%s: not recorded", t->about);
    return y;
}

void trial_backward(trial *t, ps_tensor *const *leaves, ps_tensor **gradients)
{
    ps_tensor *y = recorded(t, leaves), *weights = trial_weights(y);
    ps_backward_options options = {.size = sizeof options, .gradients = &weights};
    memset(gradients, 0, (TRIAL_SLOTS + 1) * sizeof gradients[0]);
    check(t, ps_backward(&y, 1, &options));
    for (unsigned i = 0; i < t->nslots; i++)
        if (leaves[i] != NULL) {
            CHECK_OK(ps_grad_get(leaves[i], &gradients[i]));
            if (!is_alike(gradients[i], leaves[i]))
                fail_msg("%s: slot %u: a gradient of another type or shape", t->about, i);
        }
    ps_tensor_release(weights);
    ps_tensor_release(y);
}

ps_tensor *trial_gradient(trial *t, ps_tensor *const *leaves, bool create)
{
    ps_tensor *y = recorded(t, leaves), *x = leaves[t->of], *made;
    ps_backward_options options = {.size = sizeof options,
                                   .gradients = &leaves[TRIAL_SLOTS],
                                   .create = create};
    check(t, ps_grad(&y, 1, &x, 1, &options, &made));
    ps_tensor_release(y);
    return made;
}

/* ---- differences --------------------------------------------------------------------------- */

double trial_value(trial *t, ps_tensor *const *leaves)
{
    ps_tensor *y;
    check(t, trial_call(t, leaves, &y));
    double sum = weighted(y);
    ps_tensor_release(y);
    return sum;
}

double trial_first(trial *t, ps_tensor *const *leaves)
{
    ps_tensor *gradient = trial_gradient(t, leaves, false);
    double sum = gradient != NULL ? weighted(gradient) : 0;
    ps_tensor_release(gradient);
    return sum;
}

/* The function with number `at` of a leaf moved. */
static double moved(trial *t, trial_function f, ps_tensor **leaves, unsigned slot, int64_t at,
                    double by)
{
    ps_tensor *before = leaves[slot];
    double *numbers = trial_numbers(before);
    numbers[at] += by;
    leaves[slot] = trial_tensor(ps_tensor_dtype(before), ps_tensor_ndim(before),
                                ps_tensor_shape(before), numbers);
    CHECK_OK(ps_grad_attach(leaves[slot], PS_GRAD_WRITE, NULL));
    double found = f(t, leaves);
    ps_tensor_release(leaves[slot]);
    leaves[slot] = before;
    free(numbers);
    return found;
}

static unsigned compare_leaf(trial *t, trial_function f, ps_tensor **leaves, unsigned slot,
                             ps_tensor *gradient)
{
    int64_t count = trial_count(leaves[slot]);
    double *found =
        gradient != NULL ? trial_numbers(gradient) : calloc((size_t)count + 1, sizeof *found);
    for (int64_t i = 0; i < count; i++) {
        double above = moved(t, f, leaves, slot, i, STEP);
        double below = moved(t, f, leaves, slot, i, -STEP);
        double wanted = (above - below) / (2 * STEP);
        if (!(fabs(found[i] - wanted) <= ROOM * (1 + fabs(wanted) + fabs(above))))
            fail_msg("%s: by number %lld of slot %u the gradient is %.12g, differences are %.12g",
                     t->about, (long long)i, slot, found[i], wanted);
    }
    free(found);
    return (unsigned)count;
}

unsigned trial_compare(trial *t, trial_function f, ps_tensor **leaves, ps_tensor *const *gradients)
{
    unsigned compared = 0;
    for (unsigned i = 0; i <= TRIAL_SLOTS; i++)
        if (leaves[i] != NULL)
            compared += compare_leaf(t, f, leaves, i, gradients[i]);
    return compared;
}

unsigned trial_check(trial *t)
{
    ps_tensor *leaves[TRIAL_SLOTS + 1], *gradients[TRIAL_SLOTS + 1];
    trial_leaves(t, false, leaves);
    trial_backward(t, leaves, gradients);
    unsigned compared = trial_compare(t, trial_value, leaves, gradients);
    trial_drop(gradients);
    trial_drop(leaves);
    return compared;
}

unsigned trial_check_each(trial *t)
{
    unsigned compared = 0;
    uint32_t all = (1u << t->nslots) - 1;
    for (unsigned i = 0; i < t->nslots && t->nslots > 1; i++) {
        t->wanted = 1u << i;
        compared += trial_fits(t) ? trial_check(t) : 0;
    }
    t->wanted = all;
    return compared + (trial_fits(t) ? trial_check(t) : 0);
}

void trial_nothing_is_left(void)
{
    ps_graph_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_graph_get_stats(&stats));
    assert_int_equal(stats.nodes, 0);
    assert_int_equal(stats.saves, 0);
}
