/* Finding runs.
 *
 * An instruction goes on with a run if it takes the value of the instruction before it, and if its other
 * operand is in memory by then: an input, a literal, or what was computed before. What others need of
 * the values in between is kept, and then is in memory too. Tiles that are shared do no harm: what a
 * block of elements goes through is in the order of the instructions. */
#include "backend/program.h"

#include <string.h>

typedef struct finding {
    const ps__program *p;
    uint8_t uses[PS__VALUES]; /* instructions and stores that need a value */
} finding;

static void count_uses(finding *f)
{
    const ps__program *p = f->p;
    memset(f->uses, 0, sizeof f->uses);
    for (unsigned i = 0; i < p->instructions; i++) {
        const ps__instruction *one = &p->instruction[i];
        for (unsigned a = 0; a < one->arity; a++)
            f->uses[one->args[a]] += a == 0 || one->args[a] != one->args[a - 1];
    }
    for (unsigned s = 0; s < p->stores; s++)
        f->uses[p->store[s].value]++;
}

static bool is_literal(const ps__program *p, unsigned value)
{
    return value >= p->inputs && value < ps__program_value(p, 0);
}

static bool is_zero(const ps__program *p, unsigned value)
{
    static const ps__element zero;
    return is_literal(p, value) && p->types[value] == PS_FLOAT32 &&
           memcmp(&p->literal[value - p->inputs], &zero, sizeof zero) == 0;
}

/* ---- steps ------------------------------------------------------------------------------- */

static ps__run_code code_of_one(unsigned prim)
{
    switch (prim) {
    case PS__PRIM_negative:
        return PS__RUN_NEGATIVE;
    case PS__PRIM_abs:
        return PS__RUN_ABS;
    case PS__PRIM_square:
        return PS__RUN_SQUARE;
    case PS__PRIM_relu:
        return PS__RUN_RELU;
    case PS__PRIM_exp:
        return PS__RUN_EXP;
    default:
        return PS__RUN_NONE;
    }
}

/* v is the first operand, or the second. */
static ps__run_code code_of_two(unsigned prim, bool second)
{
    switch (prim) {
    case PS__PRIM_add:
        return PS__RUN_ADD;
    case PS__PRIM_subtract:
        return second ? PS__RUN_SUBTRACT_FROM : PS__RUN_SUBTRACT;
    case PS__PRIM_multiply:
        return PS__RUN_MULTIPLY;
    case PS__PRIM_divide:
        return second ? PS__RUN_DIVIDE_INTO : PS__RUN_DIVIDE;
    case PS__PRIM_minimum:
        return PS__RUN_MINIMUM;
    case PS__PRIM_maximum:
        return PS__RUN_MAXIMUM;
    default:
        return PS__RUN_NONE;
    }
}

/* v is -1 where a run begins: then that operand which is not the same for all elements. */
static ps__run_link link_two(const ps__program *p, const ps__instruction *i, int v)
{
    uint8_t a = i->args[0], b = i->args[1];
    if (a == b)
        return (ps__run_link){.code = i->prim == PS__PRIM_multiply ? PS__RUN_SQUARE : PS__RUN_NONE,
                              .v = a};
    bool second = v >= 0 ? v == b : is_literal(p, a);
    return (ps__run_link){.code = (uint8_t)code_of_two(i->prim, second),
                          .v = second ? b : a,
                          .o = second ? a : b};
}

/* The floor of what the test before it looks at, for nobody but the instruction after it. */
static bool is_floor_of(const finding *f, unsigned index, uint8_t value)
{
    const ps__instruction *i = &f->p->instruction[index];
    return i->prim == PS__PRIM_floor && i->dtype == PS_FLOAT32 && i->args[0] == value &&
           f->uses[ps__program_value(f->p, index)] == 1;
}

/* where(o > 0, v, 0), or where(o > 0, v, floor(o)) */
static ps__run_link link_gate(const finding *f, unsigned index)
{
    const ps__program *p = f->p;
    const ps__instruction *test = &p->instruction[index];
    ps__run_link none = {.code = PS__RUN_NONE};
    unsigned truth = ps__program_value(p, index);
    bool floor = index + 2 < p->instructions && is_floor_of(f, index + 1, test->args[0]);
    unsigned at = index + (floor ? 2 : 1);
    if (at >= p->instructions || f->uses[truth] != 1 || !is_zero(p, test->args[1]))
        return none;
    const ps__instruction *choice = &p->instruction[at];
    if (choice->prim != PS__PRIM_where || choice->dtype != PS_FLOAT32 || choice->args[0] != truth ||
        (floor ? choice->args[2] != ps__program_value(p, index + 1) : !is_zero(p, choice->args[2])))
        return none;
    return (ps__run_link){.code = floor ? PS__RUN_GATE_FLOOR : PS__RUN_GATE,
                          .v = choice->args[1],
                          .o = test->args[0],
                          .takes = (uint8_t)(at - index + 1)};
}

/* How the instruction goes on with a value, or begins with one; PS__RUN_NONE: it does not. */
static ps__run_link link_at(const finding *f, unsigned index, int v)
{
    const ps__instruction *i = &f->p->instruction[index];
    ps__run_link link = {.code = PS__RUN_NONE};
    if (i->dtype != PS_FLOAT32 || i->prim == PS__CAST)
        return link;
    if (i->prim == PS__PRIM_greater)
        link = link_gate(f, index);
    else if (i->arity == 2)
        link = link_two(f->p, i, v);
    else if (i->arity == 1)
        link = (ps__run_link){.code = (uint8_t)code_of_one(i->prim), .v = i->args[0]};
    if (v >= 0 && link.v != v)
        link.code = PS__RUN_NONE;
    link.takes = link.takes == 0 ? 1 : link.takes;
    return link;
}

/* ---- runs -------------------------------------------------------------------------------- */

/* Notes the run that begins at an instruction; returns where the next may begin. */
static unsigned find_run(const finding *f, ps__program *p, unsigned begin)
{
    unsigned at = begin, steps = 0;
    int v = -1;
    while (at < p->instructions) {
        ps__run_link link = link_at(f, at, v);
        if (link.code == PS__RUN_NONE || at - begin + link.takes > PS__RUN_MOST)
            break;
        v = ps__program_value(p, at + link.takes - 1u);
        link.keep = f->uses[v] > 1;
        p->link[at] = link;
        at += link.takes;
        steps++;
    }
    p->run[begin] = (uint8_t)(steps > 1 ? at - begin : 0);
    return steps > 1 ? at : begin + 1;
}

void ps__program_find_runs(ps__program *p)
{
    finding f = {.p = p};
    memset(p->run, 0, p->instructions);
    if (p->instructions < 2)
        return;
    count_uses(&f);
    for (unsigned i = 0; i < p->instructions;)
        i = find_run(&f, p, i);
}
