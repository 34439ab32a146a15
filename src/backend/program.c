/* Putting programs together: see program.h. */
#include "backend/program.h"

#include "backend/work.h"

int ps__program_emit(ps__program *program, ps__instruction instruction)
{
    if (program->instructions == PS__INSTRUCTIONS)
        return -1;
    unsigned index = program->instructions++;
    program->instruction[index] = instruction;
    unsigned value = ps__program_value(program, index);
    program->types[value] = instruction.result;
    return (int)value;
}

int ps__program_cast(ps__program *program, int value, ps_dtype to)
{
    if (value < 0 || program->types[value] == (uint8_t)to)
        return value;
    return ps__program_emit(program, (ps__instruction){.prim = PS__CAST,
                                                       .dtype = program->types[value],
                                                       .result = (uint8_t)to,
                                                       .arity = 1,
                                                       .args = {(uint8_t)value}});
}

/* ---- finishing ------------------------------------------------------------------------- */

static float cost_of(const ps__instruction *i)
{
    static const float exact = 0.04f, inexact = 0.5f; /* ns for 4 bytes */
    float bytes = (float)ps__dtypes[i->dtype].bytes / 4;
    return bytes * (i->prim == PS__CAST || ps__prims[i->prim].exact ? exact : inexact);
}

/* A free tile; rather that of an operand that is used for the last time, whose elements are as large:
 * what is hot stays hot. */
static unsigned tile_for(const ps__program *p, unsigned index, const unsigned *last, uint32_t busy)
{
    const ps__instruction *i = &p->instruction[index];
    unsigned first = ps__program_value(p, 0);
    for (unsigned a = 0; a < i->arity && i->prim != PS__CAST; a++)
        if (i->args[a] >= first && last[i->args[a]] == index &&
            ps__dtypes[p->types[i->args[a]]].bytes == ps__dtypes[i->result].bytes)
            return p->instruction[i->args[a] - first].tile;
    return (unsigned)__builtin_ctz(~busy);
}

static bool is_single(const ps__program *p)
{
    const ps__instruction *only = &p->instruction[0];
    if (p->instructions != 1 || p->literals != 0 || p->stores != 1 || only->arity != p->inputs ||
        only->arity > 2)
        return false;
    for (unsigned a = 0; a < only->arity; a++)
        if (only->args[a] != a)
            return false;
    return true;
}

bool ps__program_finish(ps__program *p)
{
    unsigned last[PS__VALUES] = {0}, first = ps__program_value(p, 0);
    for (unsigned i = 0; i < p->instructions; i++)
        for (unsigned a = 0; a < p->instruction[i].arity; a++)
            last[p->instruction[i].args[a]] = i;
    for (unsigned s = 0; s < p->stores; s++)
        last[p->store[s].value] = PS__INSTRUCTIONS; /* needed until the tile is done */
    uint32_t busy = 0;
    p->tiles = 0;
    p->item = 1;
    p->cost = 0;
    p->chooses = false;
    p->single = is_single(p);
    for (unsigned v = 0; v < first + p->instructions; v++)
        if (ps__dtypes[p->types[v]].bytes > p->item)
            p->item = ps__dtypes[p->types[v]].bytes;
    for (unsigned i = 0; i < p->instructions; i++) {
        unsigned tile = tile_for(p, i, last, busy);
        if (tile >= PS__REGISTERS)
            return false;
        busy |= 1u << tile;
        p->instruction[i].tile = (uint8_t)tile;
        p->tiles = tile >= p->tiles ? (uint8_t)(tile + 1) : p->tiles;
        p->cost += cost_of(&p->instruction[i]);
        p->chooses |= p->instruction[i].arity == 3;
        /* Tiles of what was used for the last time, now that the result has another one. */
        for (unsigned v = first; v <= first + i; v++)
            if (last[v] <= i && (last[v] == i || v == first + i) &&
                (v == first + i || p->instruction[v - first].tile != tile))
                busy &= ~(1u << p->instruction[v - first].tile);
    }
    unsigned bytes = 0;
    for (unsigned i = 0; i < p->inputs; i++)
        bytes += ps__dtypes[p->types[i]].bytes;
    for (unsigned s = 0; s < p->stores; s++)
        bytes += ps__dtypes[p->types[p->store[s].value]].bytes;
    p->whole_cost = p->cost + 0.025f * (float)bytes;
    ps__program_find_runs(p);
    return true;
}

/* ---- spaces ------------------------------------------------------------------------------ */

int ps__space_collapse(int ndim, int64_t *shape, unsigned operands, int64_t (*strides)[PS_DIMS_MAX])
{
    int kept = 0; /* dimensions [0, kept) are final but for the last, which may still grow */
    for (int i = 0; i < ndim; i++) {
        if (shape[i] == 1)
            continue;
        bool merges = kept > 0;
        for (unsigned o = 0; merges && o < operands; o++)
            merges = strides[o][kept - 1] == strides[o][i] * shape[i];
        int to = merges ? kept - 1 : kept++;
        shape[to] = merges ? shape[to] * shape[i] : shape[i];
        for (unsigned o = 0; o < operands; o++)
            strides[o][to] = strides[o][i];
    }
    return kept;
}

/* ---- reductions -------------------------------------------------------------------------- */

static int emit_unary(ps__program *program, ps__prim prim, int value, ps_dtype result)
{
    if (value < 0)
        return -1;
    return ps__program_emit(program, (ps__instruction){.prim = (uint8_t)prim,
                                                       .dtype = program->types[value],
                                                       .result = (uint8_t)result,
                                                       .arity = 1,
                                                       .args = {(uint8_t)value}});
}

bool ps__reduce_prologue(const ps__reduce_spec *spec, ps__program *program, int value)
{
    ps_dtype to = (ps_dtype)spec->accumulator;
    if (spec->square && ps__dtype_kind_of((ps_dtype)program->types[value]) == PS__KIND_COMPLEX)
        value = emit_unary(program, PS__PRIM_abs, value,
                           (ps_dtype)ps__dtypes[program->types[value]].real);
    value = ps__program_cast(program, value, to);
    if (spec->square)
        value = emit_unary(program, PS__PRIM_square, value, to);
    if (value < 0)
        return false;
    program->stores = 1;
    program->store[0] = (ps__store){.value = (uint8_t)value};
    return ps__program_finish(program);
}
