/* Programs: what a pass over tiles computes. An elementwise operation is a program, and so is a
 * fused group of them.
 *
 * A program is in single-assignment form. Its values are numbered: first the inputs, then the
 * literals, then one for each instruction. It runs over a space of elements, in any order: what
 * comes out for an element depends on the inputs at that element alone. */
#ifndef PS_BACKEND_PROGRAM_H
#define PS_BACKEND_PROGRAM_H

#include "kernels/kernels.h"

enum {
    PS__INPUTS = 24,       /* of a program */
    PS__LITERALS = 16,     /* likewise */
    PS__INSTRUCTIONS = 96, /* likewise */
    PS__STORES = 24,       /* likewise: outputs */
    PS__VALUES = PS__INPUTS + PS__LITERALS + PS__INSTRUCTIONS,
    PS__REGISTERS = 12,  /* tiles for intermediate values */
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

/* How an instruction takes part in a run (run.c). */
typedef struct ps__run_link {
    uint8_t code;  /* a ps__run_code */
    uint8_t v, o;  /* values that it takes */
    uint8_t takes; /* instructions that it stands for: this one, and the next one or two */
    bool keep;     /* others need what it makes */
} ps__run_link;

typedef struct ps__store {
    uint8_t value;
    bool late; /* its memory is read as an input by later instructions: write it after those */
} ps__store;

typedef struct ps__program {
    uint8_t inputs, literals, instructions, stores;
    uint8_t tiles;             /* that the instructions use */
    uint8_t item;              /* bytes of the largest element type of any value */
    bool chooses;              /* some instruction has three operands */
    bool single;               /* one step of one or two operands, on its inputs as they are */
    uint8_t types[PS__VALUES]; /* a ps_dtype for each value */
    ps__element literal[PS__LITERALS];
    ps__instruction instruction[PS__INSTRUCTIONS];
    ps__store store[PS__STORES];
    uint8_t run[PS__INSTRUCTIONS]; /* how many instructions the run has that begins there; or 0 */
    ps__run_link link[PS__INSTRUCTIONS];
    float cost;       /* ns for each element, when data are in the cache */
    float whole_cost; /* and when they come from memory and go there */
} ps__program;

static inline uint8_t ps__program_value(const ps__program *program, unsigned instruction)
{
    return (uint8_t)(program->inputs + program->literals + instruction);
}

/* Adds an instruction, or a conversion of `value` if its type is another, and returns the value; -1
 * if the program is full, or `value` is -1 already. */
int ps__program_emit(ps__program *program, ps__instruction instruction);
int ps__program_cast(ps__program *program, int value, ps_dtype to);

/* Gives each instruction a tile, sharing them where lives do not overlap; finds runs; sums up the
 * cost. False if more than PS__REGISTERS would be needed. */
bool ps__program_finish(ps__program *program);

/* run.c: finds instructions that follow each other, each on the value of the one before, and can be
 * done while that is in registers (ps__run_fn). */
enum { PS__RUN_MOST = 24 }; /* instructions */
void ps__program_find_runs(ps__program *program);

/* Merges dimensions that all operands walk as one, and drops those of length 1. shape has ndim
 * lengths; strides[i] those of operand i. Returns the new number of dimensions. */
int ps__space_collapse(int ndim, int64_t *shape, unsigned operands,
                       int64_t (*strides)[PS_DIMS_MAX]);

#endif
