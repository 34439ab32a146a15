/* Gradients of gradients: see trial.h. */
#include "trial.h"

#include "ops/help.h"

/* What flows back from the gradient of slot t->of to each leaf; NULL where nothing does. */
static void second_order(trial *t, ps_tensor *const *leaves, ps_tensor **gradients)
{
    ps_tensor *first = trial_gradient(t, leaves, true), *wanted[TRIAL_SLOTS + 1];
    ps_tensor *found[TRIAL_SLOTS + 1] = {NULL};
    memset(gradients, 0, (TRIAL_SLOTS + 1) * sizeof gradients[0]);
    if (first != NULL && ps_tensor_is_recorded(first)) {
        ps_tensor *weights = trial_weights(first);
        ps_backward_options options = {.size = sizeof options, .gradients = &weights};
        size_t count = 0, at = 0;
        for (int i = 0; i <= TRIAL_SLOTS; i++)
            if (leaves[i] != NULL)
                wanted[count++] = leaves[i];
        if (ps_grad(&first, 1, wanted, count, &options, found) != PS_OK)
            fail_msg("%s, again: %s", t->about, ps_last_error());
        for (int i = 0; i <= TRIAL_SLOTS; i++)
            gradients[i] = leaves[i] != NULL ? found[at++] : NULL;
        ps_tensor_release(weights);
    }
    ps_tensor_release(first);
}

bool trial_check_again(trial *t)
{
    ps_tensor *leaves[TRIAL_SLOTS + 1], *gradients[TRIAL_SLOTS + 1];
    bool curved = false;
    trial_leaves(t, true, leaves);
    second_order(t, leaves, gradients);
    for (int i = 0; i < TRIAL_SLOTS; i++)
        curved |= gradients[i] != NULL;
    trial_compare(t, trial_first, leaves, gradients);
    trial_drop(gradients);
    trial_drop(leaves);
    return curved;
}
