/* Every row with a gradient, recorded and walked back while one allocation after the other fails: calls
 * say so, and the graph is gone afterwards. */
#include "support/trial.h"

#include "base/alloc.h"

#include "help.h"

static unsigned long failures;

/* What one run makes. */
typedef struct run {
    ps_tensor *leaves[TRIAL_SLOTS + 1], *y, *gradients[TRIAL_SLOTS];
} run;

static ps_status go(trial *t, run *r, bool create)
{
    ps_arg args[TABLE_ARGS];
    ps_tensor *list[TRIAL_SLOTS];
    trial_arguments(t, r->leaves, args, list);
    ps_backward_options options = {.size = sizeof options,
                                   .gradients = &r->leaves[TRIAL_SLOTS],
                                   .create = create};
    ps_status status = table_call(t->row.op, args, t->row.info.nargs, &r->y);
    if (status == PS_OK)
        status = ps_grad(&r->y, 1, r->leaves, t->nslots, &options, r->gradients);
    for (unsigned i = 0; i < t->nslots && status == PS_OK; i++)
        if (r->gradients[i] != NULL)
            status = ps_tensor_wait(r->gradients[i], NULL);
    return status;
}

/* The run again, with the nth allocation failing; false: there are not so many. */
static bool fails_at(trial *t, unsigned long nth, bool create)
{
    run r = {.y = NULL};
    trial_leaves(t, true, r.leaves);
    uint64_t state = ps_thread_state();
    CHECK_OK(ps_thread_set_state(state | PS_STATE_RECORDING));
    ps__fault_set(nth, false);
    ps_status status = go(t, &r, create);
    unsigned long calls = ps__fault_count();
    ps__fault_set(0, false);
    CHECK_OK(ps_thread_set_state(state));
    if (status != PS_OK && status != PS_ERR_MEMORY)
        fail_msg("%s: %s: %s", t->about, ps_status_name(status), ps_last_error());
    failures += status == PS_ERR_MEMORY;
    ps_tensor_release(r.y);
    for (unsigned i = 0; i < TRIAL_SLOTS; i++)
        ps_tensor_release(r.gradients[i]);
    trial_drop(r.leaves);
    trial_nothing_is_left();
    return calls >= nth;
}

static void visit(trial *t)
{
    if (strcmp(t->row.info.name, "assign") == 0)
        return; /* has nothing to write to here */
    for (int create = 0; create < 2; create++)
        for (unsigned long nth = 1; fails_at(t, nth, create); nth++)
            assert_true(nth < 1000);
}

static void memory_that_is_not_there(void **state)
{
    (void)state;
    for (int variants = 0; variants < 2; variants++) {
        trial_walk w = {.dtype = PS_FLOAT64, 2, {3, 3}, .variants = variants, .visit = visit};
        trial_walk_rows(&w);
        print_message("%lu failures of %u calls\n", failures, w.visited);
    }
    assert_true(failures > 0);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
