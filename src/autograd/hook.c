/* Hooks: see hook.h. */
#include "autograd/hook.h"

#include "autograd/foreign.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"

struct ps_hook {
    _Atomic uint32_t references;
    uint32_t output; /* of the node; this and the rest are constant but for what says otherwise */
    uint64_t number; /* above those of all that were added before */
    ps_hook *next;   /* in the list of the node; guarded by ps__graph_lock */
    ps__recorded *node; /* NULL: it was removed, or the node is gone; guarded likewise */
    ps_hook_spec spec;
};

static uint64_t last_number; /* guarded by ps__graph_lock */

void ps_hook_release(ps_hook *hook)
{
    /* Pairs with the other releases: the last one sees all that they did. */
    if (hook == NULL || ps__sub_acq_rel(&hook->references, 1u) != 1)
        return;
    if (hook->spec.drop != NULL)
        hook->spec.drop(hook->spec.context);
    ps__free(hook);
}

/* ---- the list ---------------------------------------------------------------------------- */

static void list_lock(void)
{
    ps__lock_take(&ps__graph_lock.lock);
}

static void list_unlock(void)
{
    ps__unlock(&ps__graph_lock.lock);
}

static void append(ps__recorded *node, ps_hook *hook)
{
    list_lock();
    ps_hook *at = ps__load(&node->hooks); /* this and the others: under the lock */
    hook->number = ++last_number;
    hook->node = node;
    while (at != NULL && at->next != NULL)
        at = at->next;
    if (at != NULL)
        at->next = hook;
    else
        ps__store_release(&node->hooks, hook); /* pairs with ps__hooks_any */
    list_unlock();
}

/* True: it was in the list, whose reference is now the caller's. */
static bool unlink_hook(ps_hook *hook)
{
    list_lock();
    ps__recorded *node = hook->node;
    ps_hook *at = node != NULL ? ps__load(&node->hooks) : NULL; /* under the lock */
    if (at == hook)
        ps__store_release(&node->hooks, hook->next); /* pairs with ps__hooks_any */
    while (at != NULL && at->next != hook)
        at = at->next;
    if (at != NULL)
        at->next = hook->next;
    hook->node = NULL;
    list_unlock();
    return node != NULL;
}

void ps_hook_remove(ps_hook *hook)
{
    if (hook != NULL && unlink_hook(hook))
        ps_hook_release(hook);
    ps_hook_release(hook);
}

void ps__hooks_drop(ps__recorded *node)
{
    list_lock();
    ps_hook *list = ps__load(&node->hooks); /* under the lock */
    for (ps_hook *at = list; at != NULL; at = at->next)
        at->node = NULL;
    list_unlock();
    while (list != NULL) {
        ps_hook *next = list->next; /* nobody changes it: it is in no list any more */
        ps_hook_release(list);
        list = next;
    }
}

/* ---- adding ------------------------------------------------------------------------------ */

static ps_status check(const ps_hook_spec *spec)
{
    if (spec->kind > PS_HOOK_ACCUMULATED)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_hook: %llu is no kind of hook",
                        (unsigned long long)spec->kind);
    return spec->run != NULL ? PS_OK : ps__fail(PS_ERR_ARGUMENT, "ps_tensor_hook: run is NULL");
}

static ps_status check_node(const ps__node *node, const ps_hook_spec *spec)
{
    if (node == NULL)
        return ps__fail(PS_ERR_STATE, "ps_tensor_hook: the tensor is in no graph: no gradient "
                                      "flows to it");
    if (spec->kind == PS_HOOK_ACCUMULATED && ((const ps__recorded *)node)->kind != PS__NODE_LEAF)
        return ps__fail(PS_ERR_STATE, "ps_tensor_hook: the tensor has no gradient attached, so "
                                      "that nothing is accumulated");
    return PS_OK;
}

static ps_status add(const ps__edge *edge, const ps_hook_spec *spec, ps_hook **hook)
{
    ps_hook *made = ps__calloc(1, sizeof *made);
    if (made == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for a hook");
    ps__store(&made->references, hook != NULL ? 2u : 1u); /* nobody else knows it yet */
    made->output = edge->output;
    made->spec = *spec;
    append(ps__recorded_of(edge->node), made);
    if (hook != NULL)
        *hook = made;
    return PS_OK;
}

ps_status ps_tensor_hook(ps_tensor *tensor, const ps_hook_spec *spec, ps_hook **hook)
{
    ps_hook_spec full;
    ps__edge edge = {NULL, 0};
    ps_status status = ps__sized_read("ps_tensor_hook: spec", &full, sizeof full, spec,
                                      PS__SIZE_TO(ps_hook_spec, drop));
    if (status != PS_OK)
        return status;
    if (tensor == NULL)
        status = ps__fail(PS_ERR_ARGUMENT, "ps_tensor_hook: tensor is NULL");
    if (status == PS_OK)
        status = check(&full);
    if (status == PS_OK)
        status = ps__edge_of(tensor, &edge);
    if (status == PS_OK)
        status = check_node(edge.node, &full);
    if (status == PS_OK)
        status = add(&edge, &full, hook);
    if (edge.node != NULL)
        ps__node_release(edge.node);
    if (status != PS_OK && full.drop != NULL)
        full.drop(full.context);
    return status;
}

/* ---- running ----------------------------------------------------------------------------- */

/* The next one of a kind, retained: those that are added meanwhile have higher numbers than
 * `most`. */
static ps_hook *next_hook(ps__recorded *node, ps_hook_kind kind, uint64_t after, uint64_t most)
{
    list_lock();
    ps_hook *at = ps__load(&node->hooks); /* under the lock */
    while (at != NULL && (at->number <= after || at->spec.kind != kind))
        at = at->next;
    if (at != NULL && at->number > most)
        at = NULL;
    if (at != NULL)
        ps__add(&at->references, 1u); /* the list has one */
    list_unlock();
    return at;
}

static ps_status check_replacement(ps__recorded *node, const ps_hook *hook,
                                   const ps_tensor *replacement)
{
    if (hook->spec.kind == PS_HOOK_ACCUMULATED)
        return ps__fail(PS_ERR_ARGUMENT, "hook: a gradient that was accumulated is not replaced");
    ps__like like = ps__output_like(&node->head, hook->output);
    ps_status status = ps__foreign_check("hook: the replacement of a gradient", replacement, &like);
    if (status == PS_OK && !ps__homes_meet(replacement->home, like.home))
        status =
            ps__fail(PS_ERR_ARGUMENT,
                     "hook: the replacement of a gradient is on %s, the value on %s",
                     ps_device_name(replacement->home->device), ps_device_name(like.home->device));
    return status;
}

/* What has not been accumulated yet is shared: the function gets a handle of its own. */
static ps_status call(const ps_hook *hook, ps_tensor *value, ps_tensor **replacement)
{
    ps_tensor *given = value;
    ps_status status = PS_OK;
    if (hook->spec.kind == PS_HOOK_GRADIENT)
        status = ps__foreign_value(value, &given);
    if (status != PS_OK)
        return status;
    ps__foreign before = ps__foreign_begin();
    status = hook->spec.run(hook->spec.context, given, replacement);
    status = ps__foreign_end(&before, "hook", status);
    if (given != value)
        ps_tensor_release(given);
    return status;
}

static ps_status run(ps__recorded *node, const ps_hook *hook, ps_tensor **value)
{
    ps_tensor *replacement = NULL;
    ps_status status = call(hook, *value, &replacement);
    if (status == PS_OK && replacement != NULL)
        status = check_replacement(node, hook, replacement);
    if (status == PS_OK && replacement != NULL) {
        ps_tensor *old = *value;
        *value = replacement;
        replacement = old;
    }
    ps_tensor_release(replacement);
    return status;
}

ps_status ps__hooks_call(ps__recorded *node, ps_hook_kind kind, ps_tensor **values)
{
    ps_status status = PS_OK;
    ps_hook *hook;
    list_lock();
    uint64_t at = 0, most = last_number;
    list_unlock();
    while (status == PS_OK && (hook = next_hook(node, kind, at, most)) != NULL) {
        at = hook->number;
        if (values[hook->output] != NULL)
            status = run(node, hook, &values[hook->output]);
        ps_hook_release(hook);
    }
    return status;
}
