/* Programs: what a pass over tiles computes. An elementwise operation is a program, and so is a
 * fused group of them.
 *
 * A program is in single-assignment form. Its values are numbered: first the inputs, then the
 * literals, then one for each instruction. It runs over a space of elements: a tile of it at a
 * time goes through all instructions, so intermediate values stay in the first-level cache. */
#ifndef PS_OPS_PROGRAM_H
#define PS_OPS_PROGRAM_H

#include "kernels/kernels.h"

enum {
    PS__INPUTS = 24,       /* of a program */
    PS__LITERALS = 16,     /* likewise */
    PS__INSTRUCTIONS = 96, /* likewise */
    PS__STORES = 24,       /* likewise: outputs */
    PS__VALUES = PS__INPUTS + PS__LITERALS + PS__INSTRUCTIONS,
    PS__REGISTERS = 12, /* tiles for intermediate values */
    PS__TILE_BYTES = 4096,
    PS__CAST = PS__PRIMS /* as the primitive of an instruction: a conversion */
};

/* One element of any type. */
typedef struct ps__element {
    _Alignas(16) unsigned char bytes[16];
} ps__element;

typedef struct ps__instruction {
    uint8_t prim;   /* a ps__prim, or PS__CAST */
    uint8_t dtype;  /* of the operands; of `where` of the last two */
    uint8_t result; /* type of the value */
    uint8_t arity;
    uint8_t args[3]; /* values */
    uint8_t tile;    /* which tile the value lies in */
} ps__instruction;

typedef struct ps__store {
    uint8_t value;
    bool late; /* its memory is read as an input by later instructions: write it after those */
} ps__store;

typedef struct ps__program {
    uint8_t inputs, literals, instructions, stores;
    uint8_t tiles;             /* that the instructions use */
    uint8_t item;              /* bytes of the largest element type of any value */
    uint8_t types[PS__VALUES]; /* a ps_dtype for each value */
    ps__element literal[PS__LITERALS];
    ps__instruction instruction[PS__INSTRUCTIONS];
    ps__store store[PS__STORES];
    float cost;       /* ns for each element, when data are in the cache */
    float whole_cost; /* and when they come from memory and go there */
} ps__program;

static inline uint8_t ps__program_value(const ps__program *program, unsigned instruction)
{
    return (uint8_t)(program->inputs + program->literals + instruction);
}

/* Gives each instruction a tile, sharing them where lives do not overlap; sums up the cost. False
 * if more than PS__REGISTERS would be needed. */
bool ps__program_finish(ps__program *program);

/* ---- Running --------------------------------------------------------------------------- */

/* Where an input is, or an output goes: in memory, by strides over the space. */
typedef struct ps__memory {
    char *data;
    const int64_t *strides; /* in bytes, one for each dimension of the space; NULL: one element for
                               the whole space */
} ps__memory;

typedef struct ps__space {
    int ndim;
    const int64_t *shape;
    int64_t count;
} ps__space;

/* Runs elements [begin, end) of the space, in the order of the last dimension fastest. `inputs` and
 * `stores` have as many entries as the program. With `stream`, outputs that lie side by side are
 * stored around the caches. */
void ps__program_run(const ps__program *program, const ps__space *space, const ps__memory *inputs,
                     const ps__memory *stores, int64_t begin, int64_t end, bool stream);

/* The same for a range of one row or column of a reduction: the only store goes to `out`, end -
 * begin elements side by side. */
void ps__program_tile(const ps__program *program, const ps__space *space, const ps__memory *inputs,
                      int64_t begin, int64_t end, void *out);

#endif
