/* Gradients of rows of images against differences, with channels, groups and windows that overlap:
 * more than the walk over the table gives them. First and second order, in all uses. */
#include "support/trial.h"

#include "help.h"

enum { TENSORS = 3 };

/* A call: shapes of its tensors, then its other arguments. */
typedef struct example {
    const char *row;
    int tensors;
    int64_t shapes[TENSORS][4];
    int ndims[TENSORS];
    unsigned nargs;
    const ps_arg *args;
} example;

#define LIST(...)                                                                                  \
    .nargs = sizeof((ps_arg[]){__VA_ARGS__}) / sizeof(ps_arg), .args = (ps_arg[])                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static const double *numbers(int64_t count)
{
    static double all[400];
    uint64_t seed = (uint64_t)count * 77 + 5;
    assert_true(count <= 400);
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        all[i] = (double)(seed >> 40) / (1 << 24) * 2 - 1;
    }
    return all;
}

static void give(trial *t, const example *e)
{
    *t = (trial){.form = &trial_forms[TRIAL_PLAIN]};
    for (size_t i = 0; i < ps_op_count(); i++) {
        table_row_at(i, &t->row);
        if (strcmp(t->row.info.name, e->row) == 0)
            break;
    }
    assert_string_equal(t->row.info.name, e->row);
    snprintf(t->about, sizeof t->about, "%s", e->row);
    for (unsigned i = 0; i < TABLE_ARGS; i++)
        t->args[i] = NONE;
    for (int i = 0; i < e->tensors; i++) {
        int64_t count = 1;
        for (int k = 0; k < e->ndims[i]; k++)
            count *= e->shapes[i][k];
        t->args[i] = T(trial_tensor(PS_FLOAT64, e->ndims[i], e->shapes[i], numbers(count)));
    }
    memcpy(t->args + e->tensors, e->args, e->nargs * sizeof t->args[0]);
    trial_slots(t);
}

static void take_back(trial *t, const example *e)
{
    trial_slots_end(t);
    for (int i = 0; i < e->tensors; i++)
        ps_tensor_release(t->args[i].as.tensor);
}

static void check_example(const example *e)
{
    trial t;
    give(&t, e);
    for (int form = 0; form < TRIAL_PART; form++) {
        t.form = &trial_forms[form];
        t.wanted = (1u << t.nslots) - 1;
        bool fits = trial_fits(&t);
        if (!fits && form != TRIAL_ONTO)
            fail_msg("%s, %s: %s", t.about, t.form->name, ps_last_error());
        if (!fits)
            continue;
        if (form == TRIAL_PLAIN)
            trial_check_each(&t);
        else
            trial_check(&t);
    }
    t.form = &trial_forms[TRIAL_PLAIN];
    for (t.of = 0; t.of < t.nslots; t.of++)
        (void)trial_check_again(&t);
    take_back(&t, e);
    trial_nothing_is_left();
}

static void convolutions(void **state)
{
    (void)state;
    check_example(&(example){"conv2d",
                             3,
                             {{2, 4, 4, 3}, {2, 2, 2, 2}, {2}},
                             {4, 4, 1},
                             LIST(INTS(2, 1), INTS(1, 0), INTS(1, 2), I(2))});
    check_example(&(example){"conv2d",
                             3,
                             {{1, 3, 4, 2}, {3, 2, 3, 2}, {3}},
                             {4, 4, 1},
                             LIST(I(1), I(1), I(1), I(1), S("NHWC"))});
    check_example(&(example){"conv2d_data",
                             2,
                             {{1, 2, 2, 4}, {2, 2, 3, 2}},
                             {4, 4},
                             LIST(INTS(1, 2, 4, 4), INTS(2, 1), I(1), INTS(1, 2))});
    check_example(&(example){"conv2d_weight",
                             2,
                             {{2, 2, 4, 3}, {2, 2, 2, 3}},
                             {4, 4},
                             LIST(INTS(2, 1, 3, 1), INTS(2, 1), INTS(1, 0), I(1), I(2))});
    check_example(&(example){"conv2d_transpose",
                             3,
                             {{1, 2, 2, 3}, {2, 2, 2, 2}, {4}},
                             {4, 4, 1},
                             LIST(I(2), INTS(0, 1), INTS(1, 0), I(1), I(2))});
    check_example(&(example){"conv1d",
                             3,
                             {{2, 2, 5}, {2, 1, 2}, {2}},
                             {3, 3, 1},
                             LIST(I(2), I(1), I(2), I(2))});
}

static void pools(void **state)
{
    (void)state;
    static const ps_arg none = {.kind = PS_ARG_NONE};
    check_example(&(example){"max_pool2d",
                             1,
                             {{1, 2, 4, 5}},
                             {4},
                             LIST(INTS(3, 2), INTS(2, 1), I(1), B(true))});
    check_example(
        &(example){"max_pool2d_data", 2, {{1, 2, 2, 2}, {1, 2, 4, 4}}, {4, 4}, LIST(I(3), I(1))});
    check_example(&(example){"max_pool2d_pick",
                             2,
                             {{1, 4, 4, 2}, {1, 4, 4, 2}},
                             {4, 4},
                             LIST(I(3), I(1), none, B(false), S("NHWC"))});
    check_example(&(example){"avg_pool2d",
                             1,
                             {{1, 2, 4, 5}},
                             {4},
                             LIST(INTS(3, 2), INTS(2, 1), I(1), B(true), B(false))});
    check_example(
        &(example){"avg_pool2d_data",
                   1,
                   {{1, 4, 4, 2}},
                   {4},
                   LIST(INTS(1, 4, 4, 2), I(3), I(1), I(1), B(false), B(true), S("NHWC"))});
    check_example(&(example){"global_avg_pool2d", 1, {{1, 2, 3, 2}}, {4}, LIST(none)});
    check_example(&(example){"global_max_pool2d", 1, {{1, 2, 3, 2}}, {4}, LIST(none)});
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutions),
        cmocka_unit_test(pools),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
