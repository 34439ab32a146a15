/* ps_op_update: an elementwise row on many sets of tensors, whose first arguments are replaced.
 *
 * All is checked before anything is queued. Sets of the same element types then share tasks, up to
 * TASK_BYTES of elements, so that the last layers of a network are updated while the gradients of the
 * first are computed. */
#include "base/error.h"
#include "base/fpmode.h"
#include "base/sized.h"
#include "ops/calls.h"

#include <string.h>

enum { TASK_BYTES = 16 << 20, SETS_MOST = 1 << 20 };

typedef enum given_kind { NUMBER, NUMBERS, ONE_TENSOR, LIST } given_kind;

/* One argument of all sets. */
typedef struct argument {
    given_kind kind;
    ps_scalar number;          /* NUMBER */
    const double *numbers;     /* one for each set */
    ps_tensor *tensor;         /* ONE_TENSOR: for all */
    ps_tensor *const *tensors; /* LIST: one for each set */
} argument;

enum { ALL_ARGS = PS__ARGS + 1 }; /* with the copies, which count as the last */

typedef struct updating {
    const ps_op *op;
    ps_update given;
    unsigned outputs, sets;
    unsigned nargs; /* of the row, and one if there are copies */
    const ps__home *home;
    argument args[ALL_ARGS];
    unsigned own, common, constants; /* as in ps__work_update */
    uint8_t source[PS__INPUTS];

    /* In one block: */
    const ps__plan **plans; /* of each set */
    ps__element *constant;  /* those of each set */
    ps__output *output;     /* of one task, */
    ps_tensor **input;      /* its other operands, */
    ps__work_update *work;  /* and its description */
    uint32_t *seen;         /* a table of operands by storage: see check_shared */
    uint32_t seen_mask;
    size_t bytes;
} updating;

static const char *name_of(const updating *u, unsigned arg)
{
    return arg < u->op->nargs ? u->op->args[arg].name : "copies";
}

static bool is_written(const updating *u, unsigned arg)
{
    return arg < u->outputs || arg == u->op->nargs;
}

/* ---- arguments --------------------------------------------------------------------------- */

static ps_status take_list(updating *u, unsigned index, const ps_arg *arg)
{
    if (arg->count != u->given.count)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %u tensors are given for argument %s of %zu sets",
                        u->op->row.name, (unsigned)arg->count, name_of(u, index), u->given.count);
    for (unsigned s = 0; s < arg->count; s++)
        if (arg->as.tensors == NULL || arg->as.tensors[s] == NULL)
            return ps__fail(PS_ERR_ARGUMENT, "%s: tensor %u of argument %s is NULL",
                            u->op->row.name, s, name_of(u, index));
    u->args[index] = (argument){.kind = LIST, .tensors = arg->as.tensors};
    return PS_OK;
}

static ps_status take_tensor(updating *u, unsigned index, ps_tensor *tensor)
{
    if (tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s: argument %s is NULL", u->op->row.name,
                        name_of(u, index));
    if (tensor->count != 1)
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: argument %s, one tensor for all sets, has shape %s; it must have one "
                        "element",
                        u->op->row.name, name_of(u, index),
                        ps__shape_text(tensor->ndim, ps__shape(tensor)));
    u->args[index] = (argument){.kind = ONE_TENSOR, .tensor = tensor};
    return PS_OK;
}

static ps_status take_default(updating *u, unsigned index)
{
    const ps_op_arg_info *info = &u->op->args[index];
    if (info->required)
        return ps__fail(PS_ERR_ARGUMENT, "%s: argument %s is missing", u->op->row.name, info->name);
    u->args[index] = (argument){.kind = NUMBER, .number = u->op->defaults[index]};
    return PS_OK;
}

static ps_status take_argument(updating *u, unsigned index)
{
    const ps_op_arg_info *info = &u->op->args[index];
    ps_arg arg = index < u->given.nargs ? u->given.args[index] : ps__arg_none();
    bool tensor = info->kind == PS_ARG_TENSOR, number = !tensor || info->scalar;
    ps_scalar scalar;
    if (u->given.numbers != NULL && index < u->given.nargs && u->given.numbers[index] != NULL) {
        u->args[index] = (argument){.kind = NUMBERS, .numbers = u->given.numbers[index]};
        return PS_OK;
    }
    if (arg.kind == PS_ARG_NONE)
        return take_default(u, index);
    if (arg.kind == PS_ARG_TENSORS && tensor)
        return take_list(u, index, &arg);
    if (arg.kind == PS_ARG_TENSOR && tensor)
        return take_tensor(u, index, arg.as.tensor);
    if (!number || !ps__arg_number(&arg, &scalar))
        return ps__fail(PS_ERR_TYPE, "%s: argument %s must be tensors, one for each set%s%s",
                        u->op->row.name, info->name, tensor ? ", or one for all" : "",
                        number ? ", or a number" : "");
    u->args[index] = (argument){.kind = NUMBER, .number = scalar};
    return PS_OK;
}

/* Where each input of the program comes from. */
static void find_sources(updating *u)
{
    for (unsigned a = 0; a < u->op->nargs; a++) {
        given_kind kind = u->args[a].kind;
        u->source[a] = (uint8_t)(a < u->outputs       ? a
                                 : kind == LIST       ? u->outputs + u->own++
                                 : kind == ONE_TENSOR ? PS__COMMON | u->common++
                                                      : PS__CONSTANT | u->constants++);
    }
}

static ps_status take_arguments(updating *u)
{
    for (unsigned a = 0; a < u->op->nargs; a++) {
        ps_status status = take_argument(u, a);
        if (status != PS_OK)
            return status;
        if (a < u->outputs && u->args[a].kind != LIST)
            return ps__fail(PS_ERR_TYPE,
                            "%s: argument %s is replaced: it must be tensors, one for each set",
                            u->op->row.name, name_of(u, a));
    }
    find_sources(u);
    if (u->given.copies != NULL)
        u->args[u->nargs++] = (argument){.kind = LIST, .tensors = u->given.copies};
    return PS_OK;
}

/* ---- room -------------------------------------------------------------------------------- */

static inline size_t aligned(size_t bytes)
{
    return (bytes + 15) & ~(size_t)15;
}

/* Twice as many places as there are operands, at least. */
static uint32_t table_size(const updating *u)
{
    uint32_t size = 16, operands = u->sets * (u->outputs + 1 + u->own) + u->common;
    while (size < 2 * operands)
        size *= 2;
    return size;
}

static ps_status make_room(updating *u)
{
    size_t sets = u->sets, constants = sets * u->constants * sizeof(ps__element);
    size_t plans = aligned(sets * sizeof u->plans[0]);
    size_t outputs = aligned(sets * (u->outputs + 1) * sizeof u->output[0]);
    size_t inputs = aligned((sets * u->own + u->common) * sizeof u->input[0]);
    size_t work = sizeof *u->work + constants + sets * sizeof(ps__update_set);
    uint32_t places = table_size(u);
    void *block;
    u->bytes = constants + plans + outputs + inputs + work + places * sizeof u->seen[0];
    ps_status status = ps_memory_alloc(u->bytes, &block);
    if (status != PS_OK)
        return status;
    char *at = block;
    u->constant = block;
    u->plans = (const ps__plan **)(void *)(at += constants);
    u->output = (ps__output *)(void *)(at += plans);
    u->input = (ps_tensor **)(void *)(at += outputs);
    u->work = (ps__work_update *)(void *)(at += inputs);
    u->seen = (uint32_t *)(void *)(at += work);
    u->seen_mask = places - 1;
    memset(u->seen, 0, places * sizeof u->seen[0]);
    return PS_OK;
}

/* ---- checks ------------------------------------------------------------------------------ */

/* The tensor of a set; NULL: a number, or no copy. */
static ps_tensor *tensor_of(const updating *u, unsigned arg, size_t set)
{
    const argument *a = &u->args[arg];
    return a->kind == LIST ? a->tensors[set] : a->kind == ONE_TENSOR ? a->tensor : NULL;
}

/* All that can be said against one tensor by itself. */
static ps_status check_tensor(const updating *u, unsigned arg, size_t set)
{
    const char *row = u->op->row.name;
    const ps_tensor *x = tensor_of(u, arg, set), *first = tensor_of(u, 0, set);
    bool shaped = ps__shape_equal(x->ndim, ps__shape(x), first->ndim, ps__shape(first));
    if (!ps__homes_meet(x->home, u->home))
        return ps__fail(PS_ERR_ARGUMENT, "%s: tensor %zu of %s is on device %s, others on %s", row,
                        set, name_of(u, arg), x->home->device->name, u->home->device->name);
    if (!shaped && (is_written(u, arg) || x->count != 1))
        return ps__fail(PS_ERR_ARGUMENT, "%s: tensor %zu of %s has shape %s, that of %s is %s", row,
                        set, name_of(u, arg), ps__shape_text(x->ndim, ps__shape(x)), name_of(u, 0),
                        ps__shape_text(first->ndim, ps__shape(first)));
    if (arg < u->outputs && x->dtype != (uint8_t)u->plans[set]->result)
        return ps__fail(PS_ERR_TYPE, "%s: tensor %zu of %s is %s, its new value %s", row, set,
                        name_of(u, arg), ps__dtypes[x->dtype].name,
                        ps__dtypes[u->plans[set]->result].name);
    if (arg == u->op->nargs && !(PS__DTYPE_BIT(x->dtype) & u->op->row.takes))
        return ps__fail(PS_ERR_TYPE, "%s: tensor %zu of copies is %s, which has no rule", row, set,
                        ps__dtypes[x->dtype].name);
    if (is_written(u, arg) && ps__output_repeats(x))
        return ps__fail(
            PS_ERR_ARGUMENT,
            "%s: tensor %zu of %s, of shape %s and strides %s, has elements that repeat", row, set,
            name_of(u, arg), ps__shape_text(x->ndim, ps__shape(x)),
            ps__shape_text(x->ndim, ps__strides(x)));
    return PS_OK;
}

static ps_status refuse_recorded(const updating *u, size_t set, unsigned arg)
{
    return ps__fail(PS_ERR_STATE,
                    "%s: tensor %zu of %s is part of what this thread records; updates are not "
                    "recorded: pause recording for them",
                    u->op->row.name, set, name_of(u, arg));
}

/* What is replaced must not be part of a graph that grows. */
static ps_status check_recorded(const updating *u)
{
    /* Pairs with the release where it is set. */
    const ps__graph_table *graph = ps__load_acquire(&ps__graph_hooks);
    if (graph == NULL || !ps__may_record())
        return PS_OK;
    for (size_t set = 0; set < u->sets; set++)
        for (unsigned a = 0; a < u->nargs; a++) {
            bool recorded = false;
            ps_tensor *x = is_written(u, a) ? tensor_of(u, a, set) : NULL;
            if (x != NULL && (graph->write(x, &recorded) != PS_OK || recorded))
                return refuse_recorded(u, set, a);
        }
    return PS_OK;
}

/* Looks for tensors before it that share elements with one, where either is replaced. Numbers of
 * operands, set by set, stand in a table at places that follow from their storages. */
static ps_status check_shared(updating *u, unsigned arg, size_t set)
{
    ps_tensor *x = tensor_of(u, arg, set);
    uint64_t hash = (uint64_t)(uintptr_t)x->storage * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t place = (uint32_t)(hash >> 32) & u->seen_mask;
    for (; u->seen[place] != 0; place = (place + 1) & u->seen_mask) {
        uint32_t number = u->seen[place] - 1;
        unsigned other_arg = number % ALL_ARGS;
        size_t other = number / ALL_ARGS;
        if ((is_written(u, arg) || is_written(u, other_arg)) &&
            ps__output_overlaps(x, tensor_of(u, other_arg, other)))
            return ps__fail(PS_ERR_ARGUMENT,
                            "%s: tensor %zu of %s and tensor %zu of %s share "
                            "elements",
                            u->op->row.name, other, name_of(u, other_arg), set, name_of(u, arg));
    }
    u->seen[place] = 1 + (uint32_t)set * ALL_ARGS + arg;
    return PS_OK;
}

static ps_status find_plan(updating *u, size_t set)
{
    ps__operand_type types[PS__ARGS];
    for (unsigned a = 0; a < u->op->nargs; a++) {
        const ps_tensor *x = tensor_of(u, a, set);
        uint8_t tag =
            u->args[a].kind == NUMBERS ? PS_SCALAR_DOUBLE : (uint8_t)u->args[a].number.tag;
        types[a] = x != NULL ? (ps__operand_type){false, x->dtype} : (ps__operand_type){true, tag};
    }
    const ps_tensor *copy = u->nargs > u->op->nargs ? tensor_of(u, u->op->nargs, set) : NULL;
    if (copy != NULL)
        return ps__plan_get_copied(u->op, types, (ps_dtype)copy->dtype, &u->plans[set]);
    return ps__plan_get(u->op, types, -1, &u->plans[set]);
}

/* Of the same plan as the set before it only what differs is converted. */
static ps_status store_constants(updating *u, size_t set)
{
    ps__element *to = &u->constant[set * u->constants];
    bool same = set > 0 && u->plans[set] == u->plans[set - 1];
    if (same && u->constants != 0)
        memcpy(to, to - u->constants, u->constants * sizeof to[0]);
    for (unsigned a = 0; a < u->op->nargs; a++) {
        const argument *given = &u->args[a];
        if (given->kind > NUMBERS || (same && given->kind == NUMBER))
            continue;
        ps_scalar number = given->number;
        if (given->kind == NUMBERS)
            number = (ps_scalar){PS_SCALAR_DOUBLE, {.d = given->numbers[set]}};
        ps_status status =
            ps__plan_constant(u->op, u->plans[set], a, number, &to[u->source[a] & ~PS__CONSTANT]);
        if (status != PS_OK)
            return status;
    }
    return PS_OK;
}

static ps_status check_set(updating *u, size_t set)
{
    ps_status status = find_plan(u, set);
    for (unsigned a = 0; a < u->nargs && status == PS_OK; a++) {
        if (tensor_of(u, a, set) == NULL)
            continue;
        status = check_tensor(u, a, set);
        if (status == PS_OK && (u->args[a].kind == LIST || set == 0))
            status = check_shared(u, a, set);
    }
    return status == PS_OK ? store_constants(u, set) : status;
}

/* ---- tasks ------------------------------------------------------------------------------- */

static bool is_dense(const updating *u, size_t set)
{
    for (unsigned a = 0; a < u->nargs; a++) {
        const ps_tensor *x = tensor_of(u, a, set);
        if (x != NULL && !x->contiguous && x->count != 1)
            return false;
    }
    return true;
}

/* The operands of set `set`, which is number `at` of its task. */
static void add_operands(updating *u, size_t set, size_t at)
{
    unsigned stores = u->plans[set]->program.stores;
    for (unsigned a = 0; a < u->nargs; a++) {
        ps_tensor *x = tensor_of(u, a, set);
        if (x != NULL && is_written(u, a))
            u->output[at * stores + (a < u->outputs ? a : u->outputs)] =
                (ps__output){.tensor = x, .use = x->whole ? PS__ADVANCE : PS__PART};
        else if (a < u->op->nargs && u->args[a].kind == LIST)
            u->input[at * u->own + u->source[a] - u->outputs] = x;
    }
}

/* What all sets share, behind the operands of each. */
static void add_common(updating *u, size_t sets)
{
    for (unsigned a = u->outputs; a < u->op->nargs; a++)
        if (u->args[a].kind == ONE_TENSOR)
            u->input[sets * u->own + (u->source[a] & ~PS__COMMON)] = u->args[a].tensor;
}

static void describe(updating *u, size_t begin, size_t end)
{
    ps__work_update *work = u->work;
    size_t sets = end - begin, constants = sets * u->constants * sizeof(ps__element);
    *work = (ps__work_update){.head = {.kind = PS__WORK_UPDATE,
                                       .bytes = (uint32_t)(sizeof *work + constants +
                                                           sets * sizeof(ps__update_set))},
                              .program = &u->plans[begin]->program,
                              .sets = (uint32_t)sets,
                              .own = (uint8_t)u->own,
                              .common = (uint8_t)u->common,
                              .constants = (uint8_t)u->constants};
    for (unsigned a = 0; a < u->op->nargs; a++) /* inputs are behind the copies too */
        work->source[a] = (uint8_t)(u->source[a] + (a >= u->outputs && u->args[a].kind == LIST
                                                        ? work->program->stores - u->outputs
                                                        : 0));
    if (constants != 0)
        memcpy(work + 1, &u->constant[begin * u->constants], constants);
    ps__update_set *to = (ps__update_set *)(void *)((char *)(work + 1) + constants);
    for (size_t set = begin; set < end; set++) {
        *to++ = (ps__update_set){work->count, is_dense(u, set)};
        work->count += tensor_of(u, 0, set)->count;
        add_operands(u, set, set - begin);
    }
    add_common(u, sets);
}

static ps_status submit(updating *u, size_t begin, size_t end)
{
    ps_call call = {.size = sizeof call, .location = u->given.location};
    ps__bound_call bound;
    bound.op = u->op;
    bound.call = &call;
    describe(u, begin, end);
    double ns = (double)u->work->count * (double)u->plans[begin]->program.whole_cost;
    return ps__submit(&(ps__job){.call = &bound,
                                 .home = u->home,
                                 .work = &u->work->head,
                                 .output = u->output,
                                 .outputs = (unsigned)(end - begin) * u->work->program->stores,
                                 .input = u->input,
                                 .inputs = (unsigned)(end - begin) * u->own + u->common,
                                 .cost_ns = 20 + (uint64_t)ns});
}

/* The bytes that a set's elements take. */
static int64_t bytes_of(const updating *u, size_t set)
{
    int64_t bytes = 0;
    for (unsigned a = 0; a < u->nargs; a++) {
        const ps_tensor *x = u->args[a].kind == LIST ? tensor_of(u, a, set) : NULL;
        bytes += x != NULL ? x->count * (int64_t)ps__dtype_bytes(x->dtype) : 0;
    }
    return bytes;
}

static ps_status submit_all(updating *u)
{
    ps_status status = PS_OK;
    for (size_t begin = 0, end; begin < u->sets && status == PS_OK; begin = end) {
        int64_t bytes = bytes_of(u, begin);
        for (end = begin + 1; end < u->sets && u->plans[end] == u->plans[begin]; end++) {
            bytes += bytes_of(u, end);
            if (bytes > TASK_BYTES)
                break;
        }
        status = submit(u, begin, end);
    }
    return status;
}

/* ---- the call ---------------------------------------------------------------------------- */

static ps_status update_sets(updating *u)
{
    ps_status status = make_room(u);
    if (status != PS_OK)
        return status;
    uint64_t mode = ps__fpmode_enter(); /* numbers are rounded here */
    for (size_t set = 0; set < u->sets && status == PS_OK; set++)
        status = check_set(u, set);
    ps__fpmode_leave(mode);
    if (status == PS_OK)
        status = check_recorded(u);
    if (status == PS_OK)
        status = submit_all(u);
    ps_memory_free(u->constant, u->bytes);
    return status;
}

static ps_status check_row(const ps_op *op, const ps_update *given)
{
    if (op->row.expression == NULL || op->operands != op->nargs)
        return ps__fail(PS_ERR_ARGUMENT, "ps_op_update: %s is not elementwise", op->row.name);
    if (op->row.outputs > op->nargs)
        return ps__fail(PS_ERR_ARGUMENT, "ps_op_update: %s has %d outputs and %d arguments",
                        op->row.name, op->row.outputs, op->nargs);
    if (given->nargs > op->nargs)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %zu arguments given, it takes %d", op->row.name,
                        given->nargs, op->nargs);
    if (given->args == NULL && given->nargs != 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: update.args is NULL, update.nargs %zu", op->row.name,
                        given->nargs);
    if (given->count > SETS_MOST)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %zu sets are more than %d", op->row.name,
                        given->count, SETS_MOST);
    return PS_OK;
}

ps_status ps_op_update(const ps_op *op, const ps_update *update)
{
    updating u;
    if (op == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_op_update: op is NULL");
    ps_status status = ps__sized_read("ps_op_update: update", &u.given, sizeof u.given, update,
                                      PS__SIZE_TO(ps_update, nargs));
    if (status == PS_OK)
        status = check_row(op, &u.given);
    if (status != PS_OK)
        return status;
    u.op = op;
    u.outputs = (unsigned)op->row.outputs;
    u.nargs = op->nargs;
    u.sets = (unsigned)u.given.count;
    u.own = u.common = u.constants = 0;
    memset(u.source, 0, sizeof u.source);
    status = take_arguments(&u);
    if (status != PS_OK || u.sets == 0)
        return status;
    u.home = tensor_of(&u, 0, 0)->home;
    return update_sets(&u);
}
