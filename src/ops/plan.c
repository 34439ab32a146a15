/* Plans: what an elementwise row means for given element types. Made once for each combination and
 * kept for the life of the process; found without a lock by the key. */
#include "ops/op.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/fork_lock.h"

#include <stdio.h>

static PS__FORK_LOCK(plans_lock, PS__RANK_PLANS) /* guards additions */

    enum {
        FIRST = 11
    }; /* operands that a word of the key has room for, with the result */

static inline uint64_t with_operand(uint64_t key, const ps__operand_type *operand)
{
    return key << 5 | (operand->scalar ? 16u + operand->type : operand->type);
}

/* What a program stores: results as they are, or as a type; and the first of them once more, as another
 * type. Types are -1 where there is none. */
typedef struct storing {
    int result, copy;
} storing;

static inline ps__plan_key key_of(const ps__operand_type *operands, unsigned count, storing to)
{
    ps__plan_key key = {(uint64_t)(to.result + 1), (uint64_t)(to.copy + 1)};
    for (; PS_UNLIKELY(count > FIRST); count--)
        key.others = with_operand(key.others, &operands[count - 1]);
    for (unsigned i = 0; i < count; i++)
        key.first = with_operand(key.first, &operands[i]);
    return key;
}

static inline bool same_key(ps__plan_key a, ps__plan_key b)
{
    return a.first == b.first && a.others == b.others;
}

/* ---- types ----------------------------------------------------------------------------- */

static ps_dtype default_type(ps_scalar_tag tag)
{
    static const ps_dtype defaults[] = {PS_BOOL, PS_INT64, PS_UINT64, PS_FLOAT32, PS_COMPLEX64};
    return defaults[tag];
}

/* Text such as "int32 and a float scalar". */
static const char *types_text(const ps__operand_type *operands, unsigned count, char *text,
                              size_t room)
{
    static const char *const scalars[] = {"a bool", "an int", "an int", "a float", "a complex"};
    size_t at = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < count && at < room - 48; i++) {
        const char *name =
            operands[i].scalar ? scalars[operands[i].type] : ps__dtypes[operands[i].type].name;
        at += (size_t)snprintf(text + at, room - at, "%s%s", i == 0 ? "" : " and ", name);
    }
    return text;
}

ps_status ps__common_type(const ps_op *op, const ps__operand_type *operands, unsigned count,
                          ps_dtype *common)
{
    int type = -1, weakest = -1;
    for (unsigned i = 0; i < count; i++) {
        if (ps__is_mask(op, i))
            continue;
        if (operands[i].scalar)
            weakest = operands[i].type > weakest ? operands[i].type : weakest;
        else
            type = type < 0 ? operands[i].type
                            : (int)ps__promote((ps_dtype)type, (ps_dtype)operands[i].type);
    }
    if (type < 0)
        type = (int)default_type((ps_scalar_tag)(weakest < 0 ? 0 : weakest));
    else if (weakest >= 0)
        type = (int)ps__promote_weak((ps_dtype)type, (ps_scalar_tag)weakest);
    if (!(op->row.takes & PS__DTYPE_BIT(type)) && (op->row.flags & PS_OP_TO_FLOAT) &&
        !ps__dtype_is_inexact((ps_dtype)type))
        type = PS_FLOAT32;
    char text[256];
    if (!(op->row.takes & PS__DTYPE_BIT(type)))
        return ps__fail(PS_ERR_TYPE, "%s: no rule for %s", op->row.name,
                        types_text(operands, count, text, sizeof text));
    *common = (ps_dtype)type;
    return PS_OK;
}

static ps_dtype result_type(const ps_op *op, ps_dtype common)
{
    switch (op->row.result) {
    case PS__GIVES_BOOL:
        return PS_BOOL;
    case PS__GIVES_REAL:
        return (ps_dtype)ps__dtypes[common].real;
    default:
        return common;
    }
}

/* ---- making ---------------------------------------------------------------------------- */

/* If the program is one step on its inputs as they are, kernels can be called without it. */
static void find_single(ps__plan *plan)
{
    const ps__instruction *only = &plan->program.instruction[0];
    if (!plan->program.single)
        return;
    const ps__kernel_set *kernels = ps__kernels_get();
    if (only->prim == PS__CAST)
        plan->cast = kernels->cast[only->dtype][only->result];
    else
        for (unsigned form = 0; form < PS__FORMS; form++)
            plan->single[form] = kernels->map[only->prim][only->dtype][form];
}

/* Numbers alone that go into a tensor are not rounded on the way there. */
static ps_dtype widened(const ps_op *op, const ps__operand_type *operands, ps_dtype common)
{
    for (unsigned i = 0; i < op->operands; i++)
        if (!operands[i].scalar)
            return common;
    return common == PS_FLOAT32 ? PS_FLOAT64 : common == PS_COMPLEX64 ? PS_COMPLEX128 : common;
}

/* One output. Where there are several an output may be what later ones read, updated in place: so
 * they are written when all is computed. */
static bool add_store(const ps_op *op, ps__plan *plan, ps_dtype compute, unsigned index, int value)
{
    ps__program *program = &plan->program;
    /* A 16-bit result is rounded to its type first, whatever it is converted to then. */
    if (program->types[value] == (uint8_t)compute && op->row.result == PS__GIVES_SAME)
        value = ps__program_cast(program, value, plan->common);
    value = ps__program_cast(program, value, plan->result);
    program->store[index] = (ps__store){.value = (uint8_t)value, .late = program->stores > 1};
    return value >= 0;
}

/* The first output as another type. */
static bool add_copy(ps__program *program, unsigned index, ps_dtype type)
{
    int value = ps__program_cast(program, program->store[0].value, type);
    program->store[index] = (ps__store){.value = (uint8_t)value, .late = true};
    return value >= 0;
}

static ps_status fill_plan(const ps_op *op, const ps__operand_type *operands, storing to,
                           ps__plan *plan)
{
    ps_status status = ps__common_type(op, operands, op->operands, &plan->common);
    if (status != PS_OK)
        return status;
    if (to.result >= 0)
        plan->common = widened(op, operands, plan->common);
    ps__program *program = &plan->program;
    ps_dtype compute = (ps_dtype)ps__dtypes[plan->common].compute;
    program->inputs = op->operands;
    for (unsigned i = 0; i < op->operands; i++)
        program->types[i] = (uint8_t)(!operands[i].scalar  ? operands[i].type
                                      : ps__is_mask(op, i) ? PS_BOOL
                                                           : compute);
    int values[PS__MAP_OUTPUTS];
    if (!ps__expression_compile(op, compute, program, values))
        return PS_ERR_ARGUMENT;
    plan->result = to.result >= 0 ? (ps_dtype)to.result : result_type(op, plan->common);
    program->stores = (uint8_t)(op->row.outputs + (to.copy >= 0));
    bool fits = true;
    for (int o = 0; o < op->row.outputs; o++)
        fits &= add_store(op, plan, compute, (unsigned)o, values[o]);
    if (fits && to.copy >= 0)
        fits = add_copy(program, (unsigned)op->row.outputs, (ps_dtype)to.copy);
    if (!fits || !ps__program_finish(program))
        return ps__fail(PS_ERR_ARGUMENT, "%s: its expression is too long", op->row.name);
    find_single(plan);
    return PS_OK;
}

static const ps__plan *find_plan(const ps_op *op, ps__plan_key key)
{
    /* Pairs with the release in ps__plan_get: a plan that is seen is written. */
    ps__plan *plan = ps__load_acquire(&op->plans[key.first % 64]);
    while (plan != NULL && !same_key(plan->key, key))
        plan = plan->next;
    return plan;
}

static ps_status make_plan(ps_op *op, const ps__operand_type *operands, storing to,
                           ps__plan_key key, const ps__plan **found)
{
    ps__plan *plan = ps__calloc_aligned(64, sizeof *plan);
    if (plan == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for a plan of %s", op->row.name);
    ps_status status = fill_plan(op, operands, to, plan);
    if (status != PS_OK) {
        ps__free(plan);
        return status;
    }
    plan->key = key;
    ps__lock_take(&plans_lock.lock);
    *found = find_plan(op, key); /* another thread may have been quicker */
    if (*found == NULL) {
        *found = plan;
        plan->next = ps__load(&op->plans[key.first % 64]);   /* changed only under the lock */
        ps__store_release(&op->plans[key.first % 64], plan); /* pairs with find */
        plan = NULL;
    }
    ps__unlock(&plans_lock.lock);
    ps__free(plan);
    return PS_OK;
}

static inline ps_status get_plan(const ps_op *op, const ps__operand_type *operands, storing to,
                                 const ps__plan **plan)
{
    ps__plan_key key = key_of(operands, op->operands, to);
    *plan = find_plan(op, key);
    if (PS_LIKELY(*plan != NULL))
        return PS_OK;
    return make_plan((ps_op *)op, operands, to, key, plan); /* rows are not constant objects */
}

PS_HOT ps_status ps__plan_get(const ps_op *op, const ps__operand_type *operands, int result,
                              const ps__plan **plan)
{
    return get_plan(op, operands, (storing){result, -1}, plan);
}

ps_status ps__plan_get_copied(const ps_op *op, const ps__operand_type *operands, ps_dtype copy,
                              const ps__plan **plan)
{
    return get_plan(op, operands, (storing){-1, (int)copy}, plan);
}

ps_status ps__plan_constant(const ps_op *op, const ps__plan *plan, unsigned input, ps_scalar scalar,
                            ps__element *element)
{
    ps_dtype dtype = (ps_dtype)plan->program.types[input];
    *element = (ps__element){{0}};
    /* Checked against the type that it stands beside; that of 16-bit floats holds more. */
    if (PS_UNLIKELY(dtype != PS_BOOL && !ps__scalar_store(scalar, dtype, element)))
        return ps__scalar_refuse(op->row.name, scalar, dtype);
    if (dtype == PS_BOOL)
        ps__scalar_cast(scalar, dtype, element);
    if (PS_UNLIKELY(plan->common != dtype && dtype == PS_FLOAT32 &&
                    (PS__DTYPE_BIT(plan->common) & PS__SET_HALF))) {
        ps__element half; /* a number is rounded as a tensor's element would be */
        ps__scalar_cast(scalar, plan->common, &half);
        ps__kernels_get()->cast[plan->common][dtype](1, element, &half);
    }
    return PS_OK;
}

void ps__plans_free(ps_op *op)
{
    for (unsigned i = 0; i < 64; i++)
        for (ps__plan *plan = ps__load(&op->plans[i]), *next; plan != NULL; plan = next) {
            next = plan->next;
            ps__free(plan);
        }
}
