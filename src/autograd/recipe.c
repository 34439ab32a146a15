/* Recipes: see recipe.h. */
#include "autograd/recipe.h"

#include "base/alloc.h"
#include "base/error.h"
#include "ops/gradient.h"

#include <string.h>

/* Values of fewer bytes stay in the caches, and calls cost as much as their elements. */
enum { BYTES_LEAST = 1 << 18 };
/* Beyond that a value is kept. A store and a load of 4 bytes cost about as much; a group must have
 * room for the rows, and for those that need the value. */
enum { STEPS_MOST = 16 };
static const float cost_most = 1;

/* ---- counting ----------------------------------------------------------------------------- */

static ps__recipe *retain(ps__recipe *recipe)
{
    ps__add(&recipe->references, 1u); /* the caller has one, or the lock of a node that has */
    return recipe;
}

void ps__recipe_release(ps__recipe *recipe)
{
    /* Pairs with the other releases: the last one sees all that they did. */
    if (recipe == NULL || ps__sub_acq_rel(&recipe->references, 1u) != 1)
        return;
    for (unsigned i = 0; i < recipe->op->nargs; i++) {
        const ps__ingredient *part = &recipe->ingredients[i];
        ps__recipe_release(part->from); /* no deeper than STEPS_MOST */
        if (part->arg.kind == PS_ARG_TENSOR)
            ps__save_end(part->arg.as.tensor);
    }
    ps__free(recipe);
}

ps__recipe *ps__recipe_take(ps__op_node *node)
{
    if (node->recipe == NULL) /* nobody else changes it */
        return NULL;
    ps__lock_take(&ps__graph_lock.lock);
    ps__recipe *recipe = node->recipe;
    node->recipe = NULL;
    ps__unlock(&ps__graph_lock.lock);
    return recipe;
}

/* ---- operands ----------------------------------------------------------------------------- */

bool ps__recipe_is_cheap(const ps__recipe *recipe)
{
    return recipe->steps <= STEPS_MOST && recipe->cost <= cost_most;
}

/* That of the node at the edge, if what it made is still what the tensor has; with a reference. */
static ps__recipe *find_recipe(const ps__edge *edge, const ps_tensor *tensor)
{
    if (edge->node == NULL || ps__recorded_of(edge->node)->kind != PS__NODE_OP || edge->output != 0)
        return NULL;
    ps__lock_take(&ps__graph_lock.lock);
    ps__recipe *recipe = ((ps__op_node *)edge->node)->recipe;
    if (recipe != NULL)
        retain(recipe);
    ps__unlock(&ps__graph_lock.lock);
    if (recipe == NULL ||
        (ps__recipe_is_cheap(recipe) && ps__storage_version(tensor->storage) == recipe->version))
        return recipe;
    ps__recipe_release(recipe);
    return NULL;
}

static bool is_of_leaf(ps__node *node)
{
    while (node != NULL && ps__recorded_of(node)->kind == PS__NODE_VIEW)
        node = ps__recorded_of(node)->edges[0].node;
    return node != NULL && ps__recorded_of(node)->kind == PS__NODE_LEAF;
}

/* Whether a snapshot keeps nothing that would not be there without it. */
static bool is_kept(const ps_tensor *x, const ps__edge *edge, bool needed)
{
    return needed || x->storage->bytes < BYTES_LEAST || is_of_leaf(edge->node);
}

/* False if the operand cannot be had again. */
static bool add_operand(ps__recipe *r, unsigned index, const ps_arg *arg, const ps__edge *edge,
                        bool needed)
{
    ps__ingredient *part = &r->ingredients[index];
    ps_tensor *x = arg->as.tensor;
    *part = (ps__ingredient){.arg = *arg};
    if (arg->kind != PS_ARG_TENSOR)
        return true;
    part->arg.as.tensor = NULL;
    part->from = find_recipe(edge, x);
    if (part->from == NULL)
        return is_kept(x, edge, needed) && ps__save(x, NULL, &part->arg.as.tensor) == PS_OK;
    for (unsigned i = 0; i < index; i++)
        if (r->ingredients[i].from == part->from)
            return true; /* made once */
    r->steps += part->from->steps;
    r->cost += part->from->cost;
    return true;
}

/* ---- making a recipe ----------------------------------------------------------------------- */

/* Whether calls of the row can be repeated within a group, and are worth it. */
static bool suits(const ps__bound_call *call)
{
    const ps_op *op = call->op;
    if (op->row.call != NULL || op->row.outputs != 1 || call->call->outputs[0] != NULL ||
        ps__gradient_kind_of(op) != PS__GRADIENT_EXPRESSION || !ps__fusion_here())
        return false;
    for (unsigned i = 0; i < op->nargs; i++) {
        const ps_arg *arg = &call->args[i];
        if (arg->kind == PS_ARG_TENSOR && arg->as.tensor->home->queue == NULL &&
            (uint64_t)arg->as.tensor->count * ps__dtype_bytes(arg->as.tensor->dtype) >= BYTES_LEAST)
            return true;
    }
    return false;
}

static ps_status cost_of(const ps__bound_call *call, float *cost)
{
    ps__operand_type types[PS__ARGS];
    const ps__plan *plan;
    for (unsigned i = 0; i < call->op->nargs; i++) {
        const ps_arg *arg = &call->args[i];
        types[i] = arg->kind == PS_ARG_TENSOR
                       ? (ps__operand_type){false, arg->as.tensor->dtype}
                       : (ps__operand_type){true, (uint8_t)arg->as.scalar.tag};
    }
    ps_status status = ps__plan_get(call->op, types, -1, &plan);
    if (status == PS_OK)
        *cost = plan->program.cost * 4 / (float)ps__dtype_bytes(plan->result);
    return status;
}

static bool add_operands(ps__recipe *r, const ps__bound_call *call, const ps__edge *edges,
                         uint32_t needs)
{
    for (unsigned i = 0, at = 0; i < call->op->nargs; i++) {
        const ps_arg *arg = &call->args[i];
        const ps__edge *edge = &edges[at];
        at += arg->kind == PS_ARG_TENSOR;
        if (!add_operand(r, i, arg, edge, needs >> i & 1))
            return false;
    }
    return true;
}

/* The call reads what is kept; what is made again for the rule is marked as wanted. */
static void read_from(const ps__recipe *r, ps__bound_call *call, uint32_t needs)
{
    for (unsigned i = 0; i < call->op->nargs; i++) {
        const ps__ingredient *part = &r->ingredients[i];
        if (part->from != NULL && needs >> i & 1)
            ps__recipe_want(part->from);
        else if (part->from == NULL)
            call->args[i] = part->arg;
    }
}

ps_status ps__recipe_of(ps__bound_call *call, const ps__edge *edges, uint32_t needs,
                        ps__recipe **recipe)
{
    *recipe = NULL;
    if (!suits(call))
        return PS_OK;
    unsigned n = call->op->nargs;
    ps__recipe *made = ps__calloc(1, sizeof *made + n * sizeof made->ingredients[0]);
    if (made == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory to record %s", call->op->row.name);
    ps__store(&made->references, 1u); /* nobody else knows it yet */
    made->op = call->op;
    made->steps = 1;
    ps_status status = cost_of(call, &made->cost);
    if (status == PS_OK && add_operands(made, call, edges, needs)) {
        read_from(made, call, needs);
        *recipe = made;
        return PS_OK;
    }
    ps__recipe_release(made);
    return status;
}

void ps__recipe_made(ps__recipe *recipe, const ps_tensor *value)
{
    recipe->version = ps__storage_version(value->storage);
}

void ps__recipe_want(ps__recipe *recipe)
{
    ps__store(&recipe->wanted, 1u); /* nothing else follows from it */
}

/* ---- making again --------------------------------------------------------------------------- */

static ps_tensor *find_value(const ps__remade *remade, const ps__recipe *recipe)
{
    for (size_t i = 0; i < remade->count; i++)
        if (remade->values[i].recipe == recipe)
            return remade->values[i].value;
    return NULL;
}

static bool has_room(ps__remade *remade)
{
    if (remade->count < remade->room)
        return true;
    size_t room = remade->room != 0 ? 2 * remade->room : 8;
    struct ps__remade_value *values = ps__calloc(room, sizeof *values);
    if (values == NULL)
        return false;
    if (remade->count != 0)
        memcpy(values, remade->values, remade->count * sizeof *values);
    ps__free(remade->values);
    remade->values = values;
    remade->room = room;
    return true;
}

/* If there is no room it is made once more. */
static void remember(ps__remade *remade, ps__recipe *recipe, ps_tensor *value)
{
    if (ps__load(&recipe->wanted) /* a hint */ && has_room(remade) &&
        ps_tensor_retain(value) == PS_OK)
        remade->values[remade->count++] = (struct ps__remade_value){retain(recipe), value};
}

static ps_status call_again(const ps__recipe *recipe, const ps_arg *args, uint64_t location,
                            ps_tensor **value)
{
    ps_call call = {.size = sizeof call,
                    .args = args,
                    .nargs = recipe->op->nargs,
                    .outputs = value,
                    .noutputs = 1,
                    .location = location};
    return ps_op_call(recipe->op, &call);
}

static ps_status remake(ps__remade *remade, ps__recipe *recipe, uint64_t location,
                        ps_tensor **value);

/* With a reference; NULL if there can be none. */
static ps_status hand(ps_tensor *tensor, ps_tensor **value)
{
    ps_status status = ps_tensor_retain(tensor);
    *value = status == PS_OK ? tensor : NULL;
    return status;
}

/* All operands of a row, those that are made again with a reference. */
static ps_status gather(ps__remade *remade, const ps__recipe *recipe, uint64_t location,
                        ps_arg *args)
{
    ps_status status = PS_OK;
    for (unsigned i = 0; i < recipe->op->nargs; i++) {
        const ps__ingredient *part = &recipe->ingredients[i];
        args[i] = part->arg;
        if (part->from == NULL || status != PS_OK)
            continue;
        unsigned first = 0; /* operand that is made by it */
        while (recipe->ingredients[first].from != part->from)
            first++;
        if (first == i)
            status = remake(remade, part->from, location, &args[i].as.tensor);
        else
            status = hand(args[first].as.tensor, &args[i].as.tensor);
    }
    return status;
}

static ps_status remake(ps__remade *remade, ps__recipe *recipe, uint64_t location,
                        ps_tensor **value)
{
    ps_arg args[PS__ARGS];
    ps_tensor *known = find_value(remade, recipe);
    if (known != NULL)
        return hand(known, value);
    *value = NULL;
    ps_status status = gather(remade, recipe, location, args);
    if (status == PS_OK)
        status = call_again(recipe, args, location, value);
    for (unsigned i = 0; i < recipe->op->nargs; i++)
        if (recipe->ingredients[i].from != NULL)
            ps_tensor_release(args[i].as.tensor);
    if (status == PS_OK)
        remember(remade, recipe, *value);
    return status;
}

ps_status ps__remake(ps__remade *remade, ps__recipe *recipe, uint64_t location, ps_tensor **value)
{
    uint64_t state = ps_thread_state();
    ps_status status = ps_thread_set_state(ps__state_recording(state, false));
    if (status != PS_OK)
        return status;
    status = remake(remade, recipe, location, value);
    (void)ps_thread_set_state(state); /* it was so before */
    return status;
}

ps_status ps__remake_operand(ps__remade *remade, ps__recipe *recipe, unsigned index,
                             uint64_t location, ps_tensor **value)
{
    const ps__ingredient *part = &recipe->ingredients[index];
    if (part->from != NULL)
        return ps__remake(remade, part->from, location, value);
    return hand(part->arg.as.tensor, value);
}

void ps__remade_forget(ps__remade *remade, const ps__recipe *recipe)
{
    for (size_t i = 0; i < remade->count; i++) {
        struct ps__remade_value *one = &remade->values[i];
        if (one->recipe != recipe)
            continue;
        ps_tensor_release(one->value);
        ps__recipe_release(one->recipe);
        *one = remade->values[--remade->count];
        return;
    }
}

void ps__remade_end(ps__remade *remade)
{
    while (remade->count > 0)
        ps__remade_forget(remade, remade->values[0].recipe);
    ps__free(remade->values);
    *remade = (ps__remade){NULL, 0, 0};
}
