/* Trials of single calls: for arguments that the walk over the table does not think of. */
#ifndef PS_TEST_OPS_TRIAL_HELP_H
#define PS_TEST_OPS_TRIAL_HELP_H

#include "support/trial.h"

#include "help.h"

/* Gradients of first and second order of a call, by each tensor of numbers, in each way to lay out
 * operands. */
static inline void try_call(const char *name, size_t nargs, const ps_arg *args)
{
    trial t = {.form = &trial_forms[TRIAL_PLAIN]};
    for (size_t i = 0; t.row.op == NULL || strcmp(t.row.info.name, name) != 0; i++)
        table_row_at(i, &t.row);
    memset(t.args, 0, sizeof t.args);
    memcpy(t.args, args, nargs * sizeof args[0]);
    snprintf(t.about, sizeof t.about, "%s", name);
    trial_slots(&t);
    for (int form = TRIAL_PLAIN; form <= TRIAL_INTO; form++) {
        t.form = &trial_forms[form];
        if (trial_check_each(&t) == 0)
            fail_msg("%s: nothing was compared: %s", t.about, ps_last_error());
    }
    t.form = &trial_forms[TRIAL_PLAIN];
    t.wanted = (1u << t.nslots) - 1;
    for (t.of = 0; t.of < t.nslots; t.of++)
        (void)trial_check_again(&t);
    trial_slots_end(&t);
    trial_nothing_is_left();
}

#define TRY(name, ...) try_call(name, ARGS(__VA_ARGS__))

#endif
