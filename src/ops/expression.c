/* The language of elementwise rows: names of arguments, numbers, + - * /, comparisons, unary minus,
 * parentheses, and calls of primitives, as in "x / (1 + exp(-x))"; rows with several outputs have an
 * expression for each, separated by ";". Compiled by recursive descent into a program. Operands of
 * different types are converted to the type that holds both. */
#include "ops/op.h"

#include "base/error.h"
#include "base/number.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH = 64 };

typedef struct parser {
    const char *text, *at;
    const ps_op *op;
    ps_dtype compute;
    ps__program *program;
    unsigned depth;
} parser;

static int refuse(const parser *p, const char *why)
{
    ps__fail(PS_ERR_ARGUMENT, "%s: %s in expression \"%s\" at \"%s\"", p->op->row.name, why,
             p->text, p->at);
    return -1;
}

static void skip_space(parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool accept(parser *p, const char *symbol)
{
    skip_space(p);
    size_t length = strlen(symbol);
    if (strncmp(p->at, symbol, length) != 0)
        return false;
    p->at += length;
    return true;
}

/* ---- emitting -------------------------------------------------------------------------- */

static ps_dtype result_of(ps__prim prim, ps_dtype dtype)
{
    switch ((ps__prim_result)ps__prims[prim].result) {
    case PS__RESULT_BOOL:
        return PS_BOOL;
    case PS__RESULT_REAL:
        return (ps_dtype)ps__dtypes[dtype].real;
    default:
        return dtype;
    }
}

/* The type that operands [first, arity) are brought to. */
static ps_dtype operand_type(const parser *p, const int *args, unsigned first, unsigned arity)
{
    ps_dtype type = (ps_dtype)p->program->types[args[first]];
    for (unsigned a = first + 1; a < arity; a++)
        type = ps__promote(type, (ps_dtype)p->program->types[args[a]]);
    return (ps_dtype)ps__dtypes[type].compute;
}

/* The value of an instruction that does the same; -1: there is none. Expressions of several outputs
 * have much in common. */
static int find_same(const ps__program *program, const ps__instruction *one)
{
    for (unsigned i = 0; i < program->instructions; i++) {
        const ps__instruction *other = &program->instruction[i];
        if (other->prim == one->prim && other->dtype == one->dtype &&
            memcmp(other->args, one->args, one->arity) == 0)
            return (int)ps__program_value(program, i);
    }
    return -1;
}

/* A value as another type, converted once. */
static int converted(parser *p, int value, ps_dtype to)
{
    ps__program *program = p->program;
    if (value < 0 || program->types[value] == (uint8_t)to)
        return value;
    for (unsigned i = 0; i < program->instructions; i++) {
        const ps__instruction *one = &program->instruction[i];
        if (one->prim == PS__CAST && one->args[0] == value && one->result == (uint8_t)to)
            return (int)ps__program_value(program, i);
    }
    return ps__program_cast(program, value, to);
}

static int apply(parser *p, ps__prim prim, int *args)
{
    const ps__prim_info *info = &ps__prims[prim];
    unsigned first = prim == PS__PRIM_where ? 1 : 0;
    ps_dtype type = operand_type(p, args, first, info->arity);
    if (!(info->dtypes & PS__DTYPE_BIT(type))) {
        ps__fail(PS_ERR_ARGUMENT, "%s: there is no %s of %s", p->op->row.name, info->name,
                 ps__dtypes[type].name);
        return -1;
    }
    if (prim == PS__PRIM_conj && ps__dtype_kind_of(type) != PS__KIND_COMPLEX)
        return converted(p, args[0], type); /* itself */
    ps__instruction i = {.prim = (uint8_t)prim,
                         .dtype = (uint8_t)type,
                         .result = (uint8_t)result_of(prim, type),
                         .arity = info->arity};
    for (unsigned a = 0; a < info->arity; a++) {
        int value = converted(p, args[a], a < first ? PS_BOOL : type);
        if (value < 0)
            return refuse(p, "too many steps");
        i.args[a] = (uint8_t)value;
    }
    int value = find_same(p->program, &i);
    if (value < 0)
        value = ps__program_emit(p->program, i);
    return value < 0 ? refuse(p, "too many steps") : value;
}

/* ---- parsing --------------------------------------------------------------------------- */

static int parse_comparison(parser *p);

static int parse_number(parser *p)
{
    char *end;
    double number = ps__number_parse(p->at, &end);
    ps__program *program = p->program;
    if (end == p->at)
        return refuse(p, "a point without digits");
    ps__element element = {0};
    if (!ps__scalar_store((ps_scalar){PS_SCALAR_DOUBLE, {.d = number}}, p->compute, &element)) {
        ps__fail(PS_ERR_ARGUMENT, "%s: %s cannot hold the number at \"%s\" of expression \"%s\"",
                 p->op->row.name, ps__dtypes[p->compute].name, p->at, p->text);
        return -1;
    }
    p->at = end;
    for (unsigned i = 0; i < program->literals; i++)
        if (memcmp(&element, &program->literal[i], sizeof element) == 0)
            return program->inputs + (int)i;
    return refuse(p, "a number that was not collected");
}

static int parse_call(parser *p, const char *name, size_t length)
{
    ps__prim prim;
    int args[3];
    unsigned count = 0;
    if (!ps__prim_from_name(name, length, &prim))
        return refuse(p, "an unknown function");
    do {
        if (count == 3)
            return refuse(p, "too many operands");
        args[count] = parse_comparison(p);
        if (args[count++] < 0)
            return -1;
    } while (accept(p, ","));
    if (!accept(p, ")") || count != ps__prims[prim].arity)
        return refuse(p, "a wrong number of operands");
    return apply(p, prim, args);
}

static int parse_name(parser *p)
{
    const char *name = p->at;
    while (isalnum((unsigned char)*p->at) || *p->at == '_')
        p->at++;
    size_t length = (size_t)(p->at - name);
    if (accept(p, "("))
        return parse_call(p, name, length);
    for (int i = 0; i < p->op->operands; i++)
        if (strncmp(p->op->args[i].name, name, length) == 0 && p->op->args[i].name[length] == '\0')
            return converted(p, i, ps__is_mask(p->op, (unsigned)i) ? PS_BOOL : p->compute);
    p->at = name;
    return refuse(p, "an unknown name");
}

static int parse_factor(parser *p)
{
    if (++p->depth > DEPTH)
        return refuse(p, "nesting too deep");
    int value;
    if (accept(p, "-")) {
        value = parse_factor(p);
        if (value >= 0)
            value = apply(p, PS__PRIM_negative, &value);
    } else if (accept(p, "(")) {
        value = parse_comparison(p);
        if (value >= 0 && !accept(p, ")"))
            value = refuse(p, "a missing )");
    } else {
        skip_space(p);
        value = isdigit((unsigned char)*p->at) || *p->at == '.' ? parse_number(p)
                : isalpha((unsigned char)*p->at)                ? parse_name(p)
                                                                : refuse(p, "something unexpected");
    }
    p->depth--;
    return value;
}

typedef struct infix {
    const char *symbol;
    ps__prim prim;
} infix;

/* A chain of infix operators of one level, left to right. */
static int parse_level(parser *p, const infix *table, size_t count, int (*below)(parser *p))
{
    int value = below(p);
    for (size_t i = 0; value >= 0 && i < count; i++) {
        if (!accept(p, table[i].symbol))
            continue;
        int args[2] = {value, below(p)};
        if (args[1] < 0)
            return -1;
        value = apply(p, table[i].prim, args);
        i = (size_t)-1; /* from the first operator again */
    }
    return value;
}

static int parse_term(parser *p)
{
    static const infix table[] = {{"*", PS__PRIM_multiply}, {"/", PS__PRIM_divide}};
    return parse_level(p, table, 2, parse_factor);
}

static int parse_sum(parser *p)
{
    static const infix table[] = {{"+", PS__PRIM_add}, {"-", PS__PRIM_subtract}};
    return parse_level(p, table, 2, parse_term);
}

static int parse_comparison(parser *p)
{
    static const infix table[] = {{"<=", PS__PRIM_less_equal}, {">=", PS__PRIM_greater_equal},
                                  {"==", PS__PRIM_equal},      {"!=", PS__PRIM_not_equal},
                                  {"<", PS__PRIM_less},        {">", PS__PRIM_greater}};
    return parse_level(p, table, 6, parse_sum);
}

/* Literals come before instructions in the numbering, so they are collected first. A digit inside
 * a name is none. */
static bool collect_literals(parser *p)
{
    ps__program *program = p->program;
    for (const char *at = p->text; *at != '\0';) {
        if (isalpha((unsigned char)*at)) {
            while (isalnum((unsigned char)*at) || *at == '_')
                at++;
        } else if (isdigit((unsigned char)*at) || *at == '.') {
            char *end;
            double number = ps__number_parse(at, &end);
            if (end == at) { /* a point alone: parse_number refuses it */
                at++;
                continue;
            }
            ps__element element = {0};
            ps__scalar_cast((ps_scalar){PS_SCALAR_DOUBLE, {.d = number}}, p->compute, &element);
            bool known = false;
            for (unsigned i = 0; i < program->literals; i++)
                known |= memcmp(&element, &program->literal[i], sizeof element) == 0;
            if (!known && program->literals == PS__LITERALS)
                return false;
            if (!known) {
                program->types[program->inputs + program->literals] = (uint8_t)p->compute;
                program->literal[program->literals++] = element;
            }
            at = end;
        } else {
            at++;
        }
    }
    return true;
}

bool ps__expression_compile(const ps_op *op, ps_dtype compute, ps__program *program, int *values)
{
    const char *text = op->row.expression;
    parser p = {.text = text, .at = text, .op = op, .compute = compute, .program = program};
    if (!collect_literals(&p))
        return refuse(&p, "too many numbers") >= 0;
    for (int o = 0; o < op->row.outputs; o++) {
        if (o > 0 && !accept(&p, ";"))
            return refuse(&p, "a missing ;") >= 0;
        values[o] = parse_comparison(&p);
        if (values[o] < 0)
            return false;
    }
    skip_space(&p);
    return *p.at == '\0' || refuse(&p, "something left over") >= 0;
}
