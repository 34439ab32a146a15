/* Steps of programs: a fork between them, after which parent and child go on by themselves, each from
 * where the weights were; and the functions of penstock_ops.h. */
#include "engine/process.h"

#include "penstock_ops.h"

enum { SETS = 3, LENGTH = 5000, FORKS = FIXTURE_SANITIZED ? 10 : 60 };

/* w -= m, where m = m / 2 + 1, for all. */
static bool step(ps_tensor **w, ps_tensor **m, ps_tensor **g)
{
    const ps_op *op;
    ps_arg args[] = {ps_arg_tensors(w, SETS), ps_arg_tensors(m, SETS), ps_arg_tensors(g, SETS),
                     ps_arg_double(1), ps_arg_double(0.5)};
    ps_update update = {.size = sizeof update, .count = SETS, .args = args, .nargs = 5};
    return ps_op_find("momentum_update", &op) == PS_OK && ps_op_update(op, &update) == PS_OK;
}

static bool all_are(ps_tensor *x, float wanted)
{
    static float values[LENGTH];
    bool same = ps_tensor_to_host(x, values, sizeof values) == PS_OK;
    for (int i = 0; same && i < LENGTH; i++)
        same = values[i] == wanted;
    return same;
}

static void both_go_on(void **state)
{
    (void)state;
    for (int i = 0; i < FORKS; i++) {
        ps_tensor *w[SETS] = {NULL}, *m[SETS] = {NULL}, *g[SETS] = {NULL};
        for (int s = 0; s < SETS; s++)
            assert_true(ps_zeros(PS_INTS(LENGTH), &w[s]) == PS_OK &&
                        ps_zeros(PS_INTS(LENGTH), &m[s]) == PS_OK &&
                        ps_ones(PS_INTS(LENGTH), &g[s]) == PS_OK);
        assert_true(step(w, m, g));
        pid_t child = fork_flushed();
        if (child == 0) {
            child_begin();
            CHILD_CHECK(step(w, m, g) && step(w, m, g));
            CHILD_CHECK(all_are(w[1], -4.25f));
            _exit(0);
        }
        assert_true(step(w, m, g));
        assert_true(all_are(w[2], -2.5f));
        assert_int_equal(child_result(child), 0);
        for (int s = 0; s < SETS; s++) {
            ps_tensor_release(w[s]);
            ps_tensor_release(m[s]);
            ps_tensor_release(g[s]);
        }
    }
}

/* The functions of penstock_ops.h have a place for each output. */
static void rows_as_functions(void **state)
{
    (void)state;
    ps_tensor *w = NULL, *g = NULL;
    float value;
    assert_true(ps_zeros(PS_INTS(1), &w) == PS_OK && ps_ones(PS_INTS(1), &g) == PS_OK);
    ps_tensor *made[2] = {NULL, NULL}, *kept[2] = {w, NULL};
    assert_int_equal(ps_momentum_update(PS_ARG(w), PS_ARG(g), PS_ARG(g), PS_ARG(0.5), made), PS_OK);
    assert_true(ps_tensor_to_host(made[0], &value, sizeof value) == PS_OK && value == -0.95f);
    assert_int_equal(ps_momentum_update_with(PS_ARG(w), PS_ARG(g), PS_ARG(g), PS_ARG(0.5),
                                             &(ps_momentum_update_options){.decay = PS_ARG(1),
                                                                           .momentum = PS_ARG(2)},
                                             kept),
                     PS_OK);
    assert_true(ps_tensor_to_host(w, &value, sizeof value) == PS_OK && value == -1.5f);
    assert_true(ps_tensor_to_host(kept[1], &value, sizeof value) == PS_OK && value == 3);
    ps_tensor *all[] = {w, g, made[0], made[1], kept[1]};
    for (int i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
}

int main(void)
{
#ifdef FORK_IS_UNSAFE
    print_message("skipped: " FORK_IS_UNSAFE "\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_go_on),
        cmocka_unit_test(rows_as_functions),
    };
    return FIXTURE_RUN(tests);
}
