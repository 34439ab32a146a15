/* Gradients of elementwise rows as operations: see gradient.h. */
#include "ops/gradient.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/fork_lock.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct parameter {
    const char *name, *text; /* the text as in a signature */
} parameter;

static const parameter parameters[] = {{"tie", "tie: scalar = 0.5"}};

enum { PARAMETERS = sizeof parameters / sizeof parameters[0] };

static PS__FORK_LOCK(making, PS__RANK_GRADIENTS) /* guards that each is made once */

    ps__gradient_kind ps__gradient_kind_of(const ps_op *op)
{
    const char *text = op->row.gradient;
    if (text == NULL)
        return PS__GRADIENT_NONE;
    if (text[0] != 'n' && text[0] != 'b') /* asked at every call that may be recorded */
        return PS__GRADIENT_EXPRESSION;
    if (strncmp(text, "no: ", 4) == 0)
        return PS__GRADIENT_NONE;
    return strncmp(text, "by ", 3) == 0 ? PS__GRADIENT_FUNCTION : PS__GRADIENT_EXPRESSION;
}

/* ---- texts ------------------------------------------------------------------------------- */

/* The row's texts, one behind the other in a block that begins with the name. */
typedef struct texts {
    char *name, *signature, *expression;
} texts;

static bool texts_begin(const ps_op *op, texts *t)
{
    size_t name = strlen(op->row.name) + sizeof "gradient of ";
    size_t signature = strlen(op->row.signature) + sizeof ", y, dy";
    for (size_t i = 0; i < PARAMETERS; i++)
        signature += strlen(parameters[i].text) + 2;
    t->name = ps__calloc(1, name + signature + strlen(op->row.gradient) + 1);
    if (t->name == NULL)
        return false;
    t->signature = t->name + name;
    t->expression = t->signature + signature;
    sprintf(t->name, "gradient of %s", op->row.name);
    return true;
}

/* Whether a text has the word, as a name of its own. */
static bool mentions(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) &&
            !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    return false;
}

static void write_signature(const ps_op *op, char *to)
{
    to += sprintf(to, "%s, y, dy", op->row.signature);
    for (size_t i = 0; i < PARAMETERS; i++)
        if (mentions(op->row.gradient, parameters[i].name))
            to += sprintf(to, ", %s", parameters[i].text);
}

/* Which arguments something flows to, and to which of them dy as it is. */
typedef struct reached {
    uint32_t flows, passes;
} reached;

/* Without the empty ones and what is not wanted; which arguments the others are of; how many parts
 * there are in all. */
static unsigned write_expression(const ps_op *op, uint32_t wanted, char *to, reached *of)
{
    const char *at = op->row.gradient, *separator = "";
    unsigned parts = 0;
    *of = (reached){0, 0};
    for (; parts < 32; parts++, at++) {
        size_t length = strcspn(at, ";"), blank = strspn(at, " ");
        if (blank < length && wanted >> parts & 1) {
            to += sprintf(to, "%s%.*s", separator, (int)length, at);
            separator = ";";
            of->flows |= 1u << parts;
            bool passes = strncmp(at + blank, "dy", 2) == 0 && blank + 2 == length;
            of->passes |= (uint32_t)passes << parts;
        }
        at += length;
        if (*at == '\0')
            return parts + 1;
    }
    return parts;
}

/* ---- making ------------------------------------------------------------------------------ */

/* Arguments that are tensors come first, then numbers. */
static unsigned count_tensors(const ps_op *op)
{
    unsigned count = 0;
    while (count < op->operands && op->args[count].kind == PS_ARG_TENSOR)
        count++;
    return count;
}

/* Whether an argument has a name that means something else in gradients. */
static bool is_taken(const char *name)
{
    for (size_t i = 0; i < PARAMETERS; i++)
        if (strcmp(parameters[i].name, name) == 0)
            return true;
    return strcmp(name, "y") == 0 || strcmp(name, "dy") == 0;
}

static ps_status check_row(const ps_op *op)
{
    for (unsigned i = 0; i < op->nargs; i++)
        if (is_taken(op->args[i].name))
            return ps__fail(PS_ERR_ARGUMENT,
                            "%s: an argument called %s; in its gradient (\"%s\") that is something "
                            "else",
                            op->row.name, op->args[i].name, op->row.gradient);
    if (ps__gradient_kind_of(op) != PS__GRADIENT_EXPRESSION)
        return ps__fail(PS_ERR_ARGUMENT, "%s: its gradient is no expression: %s", op->row.name,
                        op->row.gradient != NULL ? op->row.gradient : "none is stated");
    if (op->row.expression == NULL || op->row.outputs != 1 || op->operands != op->nargs)
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: only an elementwise operation with one output has a gradient by an "
                        "expression (\"%s\")",
                        op->row.name, op->row.gradient);
    return PS_OK;
}

/* A type in which it must compile: the widest that has gradients. */
static ps_status compile_once(const ps_op *gradient)
{
    ps__operand_type types[PS__ARGS];
    unsigned dtype = gradient->row.takes & PS__DTYPE_BIT(PS_FLOAT64) ? PS_FLOAT64 : PS_COMPLEX128;
    for (unsigned i = 0; i < gradient->nargs; i++)
        types[i] =
            gradient->args[i].kind == PS_ARG_SCALAR
                ? (ps__operand_type){true, PS_SCALAR_DOUBLE}
                : (ps__operand_type){false, (uint8_t)(ps__is_mask(gradient, i) ? PS_BOOL : dtype)};
    const ps__plan *plan;
    return ps__plan_get(gradient, types, -1, &plan);
}

static ps_status make_from(const ps_op *op, uint32_t wanted, const texts *t, ps_op **result)
{
    reached of;
    unsigned parts = write_expression(op, wanted, t->expression, &of);
    unsigned tensors = count_tensors(op);
    if (parts != tensors)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %u gradients in \"%s\", its tensors are %u",
                        op->row.name, parts, op->row.gradient, tensors);
    write_signature(op, t->signature);
    ps__op_row row = {.name = t->name,
                      .group = "gradient",
                      .signature = t->signature,
                      .takes = op->row.takes & (PS__SET_FLOAT | PS__SET_COMPLEX),
                      .result = PS__GIVES_SAME,
                      .expression = t->expression,
                      .outputs = __builtin_popcount(of.flows),
                      .gradient = "no: it is a gradient",
                      .doc = ""};
    ps_status status = ps__op_make(&row, result);
    if (status != PS_OK)
        return status;
    (*result)->flows = of.flows;
    (*result)->passes = of.passes;
    for (unsigned i = 0; i < (*result)->nargs; i++)
        (*result)->names |= (uint32_t)mentions(row.expression, (*result)->args[i].name) << i;
    status = of.flows != 0 && row.takes != 0 ? compile_once(*result) : PS_OK;
    if (status != PS_OK)
        ps__op_free(*result);
    return status;
}

static ps_status make_gradient(const ps_op *op, uint32_t wanted, ps_op **result)
{
    texts t;
    ps_status status = check_row(op);
    if (status != PS_OK)
        return status;
    if (!texts_begin(op, &t))
        return ps__fail(PS_ERR_MEMORY, "no memory for the gradient of %s", op->row.name);
    status = make_from(op, wanted, &t, result);
    if (status != PS_OK)
        ps__free(t.name);
    return status;
}

ps_status ps__gradient_op(const ps_op *op, uint32_t wanted, const ps_op **gradient)
{
    uint32_t all = PS__GRADIENT_SETS - 1;
    bool few = count_tensors(op) <= (unsigned)__builtin_popcount(all);
    /* As with plans: what is kept in it was not there before. */
    _Atomic(ps_op *) *slot = &((ps_op *)op)->gradient[few ? wanted & all : all];
    ps_op *made = ps__load_acquire(slot); /* pairs with the release below */
    ps_status status = PS_OK;
    if (PS_UNLIKELY(made == NULL)) {
        ps__lock_take(&making.lock);
        made = ps__load(slot); /* written under the lock only */
        if (made == NULL && (status = make_gradient(op, few ? wanted : ~0u, &made)) == PS_OK)
            ps__store_release(slot, made); /* pairs with the acquire above */
        ps__unlock(&making.lock);
    }
    if (status == PS_OK)
        *gradient = made->flows != 0 ? made : NULL;
    return status;
}

void ps__gradient_free(ps_op *op)
{
    for (unsigned i = 0; i < PS__GRADIENT_SETS; i++) {
        ps_op *gradient = ps__load(&op->gradient[i]); /* nobody else has the row */
        if (gradient == NULL)
            continue;
        char *block = (char *)gradient->row.name;
        ps__op_free(gradient);
        ps__free(block);
    }
}
