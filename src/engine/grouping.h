/* Groups: neighbouring tasks that are run as one. The engine knows nothing of what tasks do; a layer
 * above registers a hook that is shown the tasks of a window when they are taken to be run. */
#ifndef PS_ENGINE_GROUPING_H
#define PS_ENGINE_GROUPING_H

#include "penstock.h"

/* A group does the work of its members in one go. If it fails, or if an input of a member is
 * marked, the members run one by one instead, so a failed group must leave nothing behind that
 * this would not overwrite. `drop` is called exactly once. */
typedef struct ps__group {
    ps_status (*run)(void *state);
    void (*drop)(void *state); /* may be NULL */
    void *state;
} ps__group;

/* Shown `count` tasks, all PS_TASK_FUSABLE and unmarked, in the order in which they would run;
 * returns how many of the first form a group (0 or 1: none) and fills in *group. Called without
 * any lock, from the thread that will run them; it may not wait, since the tasks have not begun. */
typedef size_t (*ps__grouping_fn)(void *context, ps_task *const *tasks, size_t count,
                                  ps__group *group);

/* Windows that are taken from then on are shown to it. */
ps_status ps__engine_set_grouping(ps_engine *engine, ps__grouping_fn grouping, void *context);

/* Whether this thread is about to push tasks that had better be taken together: others then leave its
 * window alone for longer, and more of them may lie there before their bytes count toward the bound. A
 * hint, to be taken back soon. */
void ps__gathering(ps_engine *engine, bool on);

/* What a task that the hook is shown was pushed with. */
ps_task_fn ps__task_run(const ps_task *task);
void *ps__task_arg(const ps_task *task);

#endif
