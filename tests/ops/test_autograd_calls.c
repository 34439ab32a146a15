/* Gradients of calls whose arguments the walk over the table does not come to: of more dimensions, with
 * several axes, with lists of many tensors. First and second order, in several uses. */
#include "support/trial.h"

#include "help.h"

static ps_dtype dtype;
static unsigned calls;

/* Numbers of the type, of other sizes in each tensor. */
static ps_tensor *filled(int ndim, const int64_t *shape)
{
    static uint64_t seed = 1;
    double numbers[256];
    table_fill(PS_FLOAT64, TABLE_AROUND_ONE, seed++, 256, numbers);
    return trial_tensor(dtype, ndim, shape, numbers);
}

#define X(...) T(filled(SHAPE(__VA_ARGS__)))
#define NUMBER T(filled(0, NULL))

static ps_arg positions(int ndim, const int64_t *shape, const int64_t *values)
{
    ps_tensor *made;
    CHECK_OK(ps_tensor_from_host(PS_INT64, ndim, shape, NULL, values, NULL, &made));
    return T(made);
}

static ps_arg mask(int ndim, const int64_t *shape, const bool *values)
{
    ps_tensor *made;
    CHECK_OK(ps_tensor_from_host(PS_BOOL, ndim, shape, NULL, values, NULL, &made));
    return T(made);
}

static void find_row(const char *name, table_row *row)
{
    size_t at = 0;
    do
        table_row_at(at++, row);
    while (strcmp(row->info.name, name) != 0);
}

/* Complex numbers have no order. */
static bool takes_type(const trial *t)
{
    ps_tensor *y = NULL;
    ps_status status = table_call(t->row.op, t->args, t->row.info.nargs, &y);
    ps_tensor_release(y);
    if (status != PS_OK && (status != PS_ERR_TYPE || dtype == PS_FLOAT64))
        fail_msg("%s: %s", t->about, ps_last_error());
    return status == PS_OK;
}

static void try_forms(trial *t)
{
    static const int forms[] = {TRIAL_PLAIN, TRIAL_TURNED, TRIAL_WRITTEN_BEFORE, TRIAL_INTO};
    for (int i = 0; i < 4; i++) {
        t->form = &trial_forms[forms[i]];
        if (trial_check_each(t) == 0 && !t->form->into)
            fail_msg("%s: nothing was compared", t->about);
    }
    t->form = &trial_forms[TRIAL_STEP];
    for (t->of = 0; t->of < t->nslots; t->of++)
        (void)trial_check_again(t);
}

static void attempt(const char *name, size_t nargs, const ps_arg *args)
{
    trial t = {.form = &trial_forms[TRIAL_PLAIN]};
    find_row(name, &t.row);
    memcpy(t.args, args, nargs * sizeof args[0]);
    snprintf(t.about, sizeof t.about, "%s of %s, call %u", name, ps_dtype_name(dtype), ++calls);
    if (takes_type(&t)) {
        trial_slots(&t);
        try_forms(&t);
        trial_slots_end(&t);
    }
    for (size_t i = 0; i < nargs; i++)
        for (unsigned k = 0; k < (args[i].kind == PS_ARG_TENSORS ? args[i].count : 0); k++)
            ps_tensor_release(args[i].as.tensors[k]);
    for (size_t i = 0; i < nargs; i++)
        if (args[i].kind == PS_ARG_TENSOR)
            ps_tensor_release(args[i].as.tensor);
    trial_nothing_is_left();
}

#define ATTEMPT(name, ...) attempt(name, ARGS(__VA_ARGS__))

static void products(void)
{
    ATTEMPT("matmul", X(2, 1, 3, 2), X(2, 2, 2));
    ATTEMPT("matmul", X(3), X(2, 3, 2));
    ATTEMPT("matmul", X(2, 2, 3), X(3));
    ATTEMPT("matmul", X(3), X(3));
    ATTEMPT("matmul", X(2, 3, 2), X(3, 2), B(true));
    ATTEMPT("matmul", X(3, 2), X(2, 3, 2), B(false), B(true));
    ATTEMPT("matmul", X(2, 3), X(4, 2), B(true), B(true));
    ATTEMPT("matmul", X(2, 2, 3), X(3, 4), B(false), B(false), X(4));
    ATTEMPT("matmul", X(2, 3), X(3, 2), B(false), B(false), X(2), S("relu"));
    ATTEMPT("linear", X(2, 2, 3), X(4, 3), X(4), S("tanh"));
    ATTEMPT("dot", X(2, 3), X(2, 3, 2));
    ATTEMPT("dot", X(2, 3), X(3));
    ATTEMPT("dot", X(3), X(3));
    ATTEMPT("dot", NUMBER, X(2, 2));
    ATTEMPT("dot", X(2, 2), NUMBER);
    ATTEMPT("tensordot", X(2, 3, 2), X(2, 3, 2), INTS(1, 2), INTS(1, 0));
    ATTEMPT("tensordot", X(2, 3), X(3, 2), INTS(-1, -2), INTS(0, 1));
    ATTEMPT("inner", X(2, 3), X(2, 3));
    ATTEMPT("outer", X(2, 2), X(3));
    ATTEMPT("kron", X(2), X(2, 3));
    ATTEMPT("kron", X(2, 1, 2), X(2));
    ATTEMPT("vecdot", X(2, 3), X(3));
    ATTEMPT("vecdot", X(3, 1), X(3, 2), I(0));
    ATTEMPT("cross", X(2, 3), X(3));
    ATTEMPT("cross", X(3, 2), X(3, 2), I(0));
    for (int power = 1; power <= 5; power++)
        ATTEMPT("matrix_power", X(2, 2, 2), I(power));
}

static void reductions(void)
{
    static const char *const names[] = {"sum", "prod", "min", "max", "mean", "norm", "logsumexp"};
    for (int i = 0; i < 7; i++) {
        ATTEMPT(names[i], X(2, 3, 2), INTS(0, 2));
        ATTEMPT(names[i], X(2, 3, 2), INTS(-2), B(true));
        ATTEMPT(names[i], NUMBER);
        ATTEMPT(names[i], X(1, 3), INTS(0));
    }
    ATTEMPT("var", X(2, 3, 2), INTS(0, 2), F(1), B(true));
    ATTEMPT("std", X(2, 3, 2), INTS(1), F(1));
    ATTEMPT("ptp", X(2, 3, 2), INTS(0, 2));
    ATTEMPT("average", X(2, 3), INTS(1), X(3));
    ATTEMPT("average", X(2, 3), INTS(0, 1), X(2, 3), B(true));
    for (int i = -3; i <= 4; i++) /* orders from -1.5 to 2 */
        ATTEMPT("vector_norm", X(2, 3, 2), F(i / 2.), INTS(0, 2), B(i % 2 == 0));
    ATTEMPT("vector_norm", X(2, 3), F(INFINITY), INTS(1));
    ATTEMPT("vector_norm", X(2, 3), F(-INFINITY));
    ATTEMPT("matrix_norm", X(2, 2, 3));
    ATTEMPT("matrix_norm", X(2, 2, 3), F(1), B(true));
    ATTEMPT("matrix_norm", X(2, 3), F(-INFINITY));
    ATTEMPT("softmax", X(2, 3, 2), I(1));
    ATTEMPT("log_softmax", X(2, 3, 2), I(0));
}

static void scans_and_order(void)
{
    static const char *const scans[] = {"cumulative_sum", "cumulative_prod"};
    for (int i = 0; i < 2; i++) {
        ATTEMPT(scans[i], X(2, 5, 2), I(1));
        ATTEMPT(scans[i], X(2, 3), I(-2), NONE, B(true));
        ATTEMPT(scans[i], X(2, 3));
        ATTEMPT(scans[i], X(2, 1), I(1));
        ATTEMPT(scans[i], X(7), NONE, NONE, B(true));
    }
    ATTEMPT("diff", X(2, 4), I(2));
    ATTEMPT("diff", X(2, 3), I(1), I(0), X(1, 3), X(2, 3));
    ATTEMPT("sort", X(2, 3, 2), I(1), B(true));
    ATTEMPT("sort", X(2, 3), I(0));
    ATTEMPT("unique_values", X(2, 3));
}

static void shapes(void)
{
    ATTEMPT("repeat", X(2, 3), I(2), I(-1));
    ATTEMPT("repeat", X(2, 3), I(2));
    ATTEMPT("tile", X(2, 3), INTS(2, 1, 2));
    ATTEMPT("tile", X(2, 3), INTS(2));
    ATTEMPT("tile", X(2), INTS(1, 2, 1, 1, 2));
    ATTEMPT("tile", NUMBER, INTS(2, 1, 1, 2));
    ATTEMPT("roll", X(2, 3), INTS(1, -2), INTS(0, 1));
    ATTEMPT("roll", X(2, 3), INTS(2));
    ATTEMPT("pad", X(2, 3), INTS(1, 2), INTS(0, 1), F(7));
    static const char *const modes[] = {"edge", "reflect", "symmetric", "wrap"};
    for (int i = 0; i < 4; i++)
        ATTEMPT("pad", X(3, 3), INTS(1, 2), INTS(0, 1), NONE, S(modes[i]));
    ATTEMPT("moveaxis", X(2, 3, 2), INTS(0, 1), INTS(2, 0));
    ATTEMPT("permute", X(2, 3, 2), INTS(1, 2, 0));
    ATTEMPT("diagonal", X(2, 3, 3), I(1), I(1), I(2));
    ATTEMPT("trace", X(3, 2, 3), I(-1), I(0), I(2));
    ATTEMPT("diag", X(3), I(-1));
    ATTEMPT("diag", X(3, 3), I(1));
    ATTEMPT("triu", X(2, 3, 3), I(1));
    ATTEMPT("tril", X(2, 3), I(-1));
    ATTEMPT("flip", X(2, 3, 2), INTS(0, 2));
    ATTEMPT("broadcast_to", X(2, 1), INTS(2, 2, 3));
    ATTEMPT("squeeze", X(1, 3, 1), INTS(0));
    ATTEMPT("where", mask(SHAPE(2, 1), (bool[]){true, false}), X(3), X(2, 3));
    ATTEMPT("clip", X(2, 3), X(3), X(2, 1));
}

static void lists(void)
{
    ps_tensor *few[3], *many[20];
    for (int i = 0; i < 3; i++)
        few[i] = filled(SHAPE(2, i + 1));
    ATTEMPT("concatenate", (ps_arg){.kind = PS_ARG_TENSORS, .count = 3, .as.tensors = few}, I(-1));
    for (int i = 0; i < 20; i++)
        many[i] = filled(SHAPE(1 + i % 2));
    ATTEMPT("concatenate", (ps_arg){.kind = PS_ARG_TENSORS, .count = 20, .as.tensors = many});
    for (int i = 0; i < 3; i++)
        few[i] = filled(SHAPE(2, 2));
    ATTEMPT("stack", (ps_arg){.kind = PS_ARG_TENSORS, .count = 3, .as.tensors = few}, I(1));
}

static void places(void)
{
    ps_arg scattered = positions(SHAPE(2, 2), (int64_t[]){2, -1, 0, 2});
#define AGAIN(arg) (CHECK_OK(ps_tensor_retain((arg).as.tensor)), (arg))
    ATTEMPT("take", X(2, 3), AGAIN(scattered), I(1));
    ATTEMPT("take", X(2, 3), AGAIN(scattered));
    ATTEMPT("take", X(2, 3), I(-1), I(1));
    ATTEMPT("take_along_axis", X(2, 3), AGAIN(scattered), I(1));
    for (int adds = 0; adds < 2; adds++) {
        ATTEMPT("put", X(2, 3), AGAIN(scattered), X(2, 2, 2), B(adds), I(1));
        ATTEMPT("put", X(3, 2), AGAIN(scattered), X(2), B(adds), I(0));
        ATTEMPT("put", X(2, 3), AGAIN(scattered), X(2, 2), B(adds));
        ATTEMPT("put", X(2, 3), I(1), X(2), B(adds), I(-1));
    }
    ps_arg some = mask(SHAPE(2, 3), (bool[]){true, false, false, true, true, false});
    ATTEMPT("masked_select", X(2, 3), AGAIN(some));
    ATTEMPT("masked_fill", X(2, 3), AGAIN(some), F(5));
    ATTEMPT("masked_put", X(2, 3), AGAIN(some), X(3));
    ATTEMPT("masked_put", X(2, 3), some, NUMBER);
    ps_tensor_release(scattered.as.tensor);
}

static void all_calls(void)
{
    calls = 0;
    products();
    reductions();
    scans_and_order();
    shapes();
    lists();
    places();
    print_message("%u calls\n", calls);
}

static void real(void **state)
{
    (void)state;
    dtype = PS_FLOAT64;
    all_calls();
}

static void complex(void **state)
{
    (void)state;
    dtype = PS_COMPLEX128;
    all_calls();
}

/* What is written has fewer dimensions than what it is written to. */
static void assigned(void **state)
{
    (void)state;
    dtype = PS_FLOAT64;
    ps_tensor *x = filled(SHAPE(2)), *dx, *y = CALL("zeros", INTS(2, 1, 3, 1, 1, 1, 2), D(dtype));
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
    CHECK_OK(ps_thread_set_state(ps_thread_state() | PS_STATE_RECORDING));
    CHECK_OK(call_into("assign", ARGS(T(x)), &y));
    CHECK_OK(ps_thread_set_state(ps_thread_state() & ~PS_STATE_RECORDING));
    CHECK_OK(ps_backward(&y, 1, NULL));
    CHECK_OK(ps_grad_get(x, &dx));
    CHECK_VALUES(dx, 6, 6);
    ps_tensor_release(x);
    ps_tensor_release(dx);
    ps_tensor_release(y);
    trial_nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real),
        cmocka_unit_test(complex),
        cmocka_unit_test(assigned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
