/* Hooks: functions that walks call with the gradient of a value. See ps_tensor_hook.
 *
 * The hooks of all outputs of a node are a list of the node's, in the order in which they were
 * added. The list has a reference to each, the handle another, and a walk has one while it runs
 * it: so the lock is not held then, and whoever comes last drops the context. */
#ifndef PS_AUTOGRAD_HOOK_H
#define PS_AUTOGRAD_HOOK_H

#include "autograd/node.h"

ps_status ps__hooks_call(ps__recorded *node, ps_hook_kind kind, ps_tensor **values);
void ps__hooks_drop(ps__recorded *node);

static inline bool ps__hooks_any(ps__recorded *node)
{
    return PS_UNLIKELY(ps__load_acquire(&node->hooks) != NULL); /* pairs with changes of the list */
}

/* Runs those of a kind, each with the value of its output, if there is one; a replacement
 * becomes the value. */
static inline ps_status ps__hooks_run(ps__recorded *node, ps_hook_kind kind, ps_tensor **values)
{
    return ps__hooks_any(node) ? ps__hooks_call(node, kind, values) : PS_OK;
}

/* The node goes. */
static inline void ps__hooks_end(ps__recorded *node)
{
    if (ps__hooks_any(node))
        ps__hooks_drop(node);
}

#endif
