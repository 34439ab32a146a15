/* Running programs tile by tile.
 *
 * For each tile the inputs are made to lie side by side: what lies so in memory is used there, a
 * single element for all stays one ("one"), the rest is gathered into a tile. Then the instructions
 * run. A value all of whose operands are one is computed once. The last instruction that makes an
 * output writes it in place where it can. Instructions that make up a run are done together, without
 * storing what lies between them.
 *
 * If the innermost dimension is long, tiles do not cross its rows: then a broadcast input is one
 * for a row, and no odometer is needed. Else tiles run through all dimensions. What is computed does
 * not depend on this: kernels do not look at positions. */
#include "backend/cpu/cpu.h"

#include "memory/memory.h"

#include <string.h>

enum {
    LONG_ROW = 128,
    STACK_BYTES = 2048, /* of tiles, on the stack of whoever calls: it may be small */
    CHOICE =
        3 /* tiles in which the operands of `where` are spread; behind them is one for a store */
};

_Static_assert(STACK_BYTES / (PS__REGISTERS + PS__INPUTS + CHOICE + 1) >= sizeof(ps__element),
               "however many tiles there are, each has room for an element");

/* ---- one tile -------------------------------------------------------------------------- */

/* How an input is fetched, or an output put. */
typedef enum access { SIDE_BY_SIDE, ONE, STRIDED, ODOMETER } access;

typedef struct pass {
    const ps__program *program;
    const ps__space *space;
    const ps__kernel_set *kernels;
    const ps__memory *inputs, *stores;
    access input_access[PS__INPUTS], store_access[PS__STORES];
    uint32_t one[(PS__VALUES + 31) / 32]; /* values that are one for all of the tile */
    const void *at[PS__VALUES];           /* where a value lies */
    void *direct[PS__INSTRUCTIONS];       /* output memory that the instruction writes, or NULL */
    char *tiles;                          /* of instructions, of gathered inputs, for spreading */
    int64_t tile;                         /* bytes of each */
    unsigned strided;                     /* inputs that are gathered */
    unsigned choice;                      /* tiles for `where` */
    bool rows;                            /* tiles stay within a row */
    bool stream;
} pass;

static inline bool is_one(const pass *p, unsigned value)
{
    return p->one[value / 32] >> value % 32 & 1;
}

static inline void set_one(pass *p, unsigned value, bool one)
{
    uint32_t bit = 1u << value % 32;
    p->one[value / 32] = one ? p->one[value / 32] | bit : p->one[value / 32] & ~bit;
}

static inline char *instruction_tile(const pass *p, unsigned index)
{
    return p->tiles + index * p->tile;
}

static inline char *gather_tile(const pass *p, unsigned index)
{
    return instruction_tile(p, p->program->tiles + index);
}

static inline char *spread_tile(const pass *p, unsigned index)
{
    return gather_tile(p, p->strided + index);
}

static inline unsigned log_bytes(unsigned dtype)
{
    return (unsigned)__builtin_ctz(ps__dtypes[dtype].bytes);
}

/* The strides, seen over the whole space, are those of elements side by side. */
static bool whole_is_dense(const ps__space *space, const int64_t *strides, int64_t bytes)
{
    for (int i = space->ndim - 1; i >= 0; i--) {
        if (strides[i] != bytes && space->shape[i] != 1)
            return false;
        bytes *= space->shape[i];
    }
    return true;
}

static access access_of(const pass *p, const ps__memory *memory, unsigned dtype)
{
    const ps__space *space = p->space;
    int64_t bytes = ps__dtypes[dtype].bytes;
    if (memory->strides == NULL || space->ndim == 0)
        return memory->strides == NULL ? ONE : SIDE_BY_SIDE;
    if (whole_is_dense(space, memory->strides, bytes))
        return SIDE_BY_SIDE;
    int64_t inner = memory->strides[space->ndim - 1];
    if (p->rows)
        return inner == bytes ? SIDE_BY_SIDE : inner == 0 ? ONE : STRIDED;
    return space->ndim == 1 ? (inner == 0 ? ONE : STRIDED) : ODOMETER;
}

/* The address of an element of the space. */
static char *address(const ps__space *space, const ps__memory *memory, int64_t element)
{
    char *at = memory->data;
    if (memory->strides == NULL)
        return at;
    for (int i = space->ndim - 1; i > 0 && element != 0; i--) {
        at += element % space->shape[i] * memory->strides[i];
        element /= space->shape[i];
    }
    return space->ndim != 0 ? at + element * memory->strides[0] : at;
}

/* Calls the kernel for each run along the last dimension of [begin, begin + n). */
static void each_run(const pass *p, const ps__memory *memory, unsigned dtype, int64_t begin,
                     int64_t n, char *tile, bool put)
{
    const ps__space *space = p->space;
    int64_t length = space->shape[space->ndim - 1], stride = memory->strides[space->ndim - 1];
    unsigned log = log_bytes(dtype);
    while (n > 0) {
        int64_t within = begin % length, run = length - within < n ? length - within : n;
        char *at = address(space, memory, begin);
        if (put)
            p->kernels->scatter[log]((size_t)run, at, (ptrdiff_t)stride, tile);
        else if (stride == 0)
            p->kernels->fill[log]((size_t)run, tile, at);
        else
            p->kernels->gather[log]((size_t)run, tile, at, (ptrdiff_t)stride);
        tile += run << log;
        begin += run;
        n -= run;
    }
}

static void fetch_inputs(pass *p, int64_t begin, int64_t n)
{
    const ps__program *program = p->program;
    unsigned gathered = 0;
    for (unsigned i = 0; i < program->inputs; i++) {
        const ps__memory *memory = &p->inputs[i];
        unsigned dtype = program->types[i];
        if (p->input_access[i] <= ONE) {
            p->at[i] = address(p->space, memory, begin);
            continue;
        }
        char *tile = gather_tile(p, gathered++);
        each_run(p, memory, dtype, begin, n, tile, false);
        p->at[i] = tile;
    }
}

static void run_map(pass *p, const ps__instruction *i, size_t n, void *out)
{
    ps__map_fn(*forms)[PS__FORMS] = (ps__map_fn(*)[PS__FORMS]) & p->kernels->map[i->prim][i->dtype];
    const void *in[3];
    unsigned form = PS__FORM_ALL;
    for (unsigned a = 0; a < i->arity; a++)
        in[a] = p->at[i->args[a]];
    if (i->arity == 2 && n != 1)
        form = is_one(p, i->args[0])   ? PS__FORM_FIRST_ONE
               : is_one(p, i->args[1]) ? PS__FORM_SECOND_ONE
                                       : PS__FORM_ALL;
    (*forms)[form](n, out, in);
}

/* `where` has no forms for single elements: they are spread over a tile. */
static void run_where(pass *p, const ps__instruction *i, size_t n, void *out)
{
    const void *in[3];
    for (unsigned a = 0; a < 3; a++) {
        in[a] = p->at[i->args[a]];
        if (!is_one(p, i->args[a]) || n == 1)
            continue;
        unsigned dtype = p->program->types[i->args[a]];
        p->kernels->fill[log_bytes(dtype)](n, spread_tile(p, a), in[a]);
        in[a] = spread_tile(p, a);
    }
    p->kernels->map[i->prim][i->dtype][PS__FORM_ALL](n, out, in);
}

/* Where an instruction's value goes. */
static inline void *place_of(const pass *p, unsigned index)
{
    void *direct = p->direct[index];
    return direct != NULL ? direct : instruction_tile(p, p->program->instruction[index].tile);
}

static void run_instruction(pass *p, unsigned index, size_t n)
{
    const ps__instruction *i = &p->program->instruction[index];
    unsigned value = ps__program_value(p->program, index);
    bool one = true;
    for (unsigned a = 0; a < i->arity; a++)
        one &= is_one(p, i->args[a]);
    set_one(p, value, one);
    void *out = one ? instruction_tile(p, i->tile) : place_of(p, index);
    if (i->prim == PS__CAST)
        p->kernels->cast[i->dtype][i->result](one ? 1 : n, out, p->at[i->args[0]]);
    else if (i->arity == 3)
        run_where(p, i, one ? 1 : n, out);
    else
        run_map(p, i, one ? 1 : n, out);
    p->at[value] = out;
}

/* A step with the operand. */
static ps__run_step step_of(const pass *p, unsigned code, unsigned operand)
{
    ps__run_step step = {.o = (void *)p->at[operand], .code = (uint8_t)code};
    step.one = code > PS__RUN_ALONE && is_one(p, operand);
    if (step.one)
        memcpy(&step.same, p->at[operand], sizeof step.same);
    return step;
}

/* Whether all operands of a run are one element for all. */
static bool run_is_one(const pass *p, unsigned begin, unsigned length)
{
    const ps__run_link *link = p->program->link;
    bool one = is_one(p, link[begin].v);
    unsigned made = ps__program_value(p->program, begin);
    for (unsigned i = begin; one && i < begin + length; i += link[i].takes)
        one = link[i].code < PS__RUN_ALONE || link[i].o >= made || is_one(p, link[i].o);
    return one;
}

/* What a run is made of, and how many steps that is. Its values count as many while they are made: a
 * step is laid out before what it takes is there. */
static unsigned lay_steps(pass *p, unsigned begin, unsigned length, bool one, ps__run_step *steps)
{
    const ps__program *program = p->program;
    unsigned count = 0;
    for (unsigned i = begin; i < begin + length;) {
        const ps__run_link *link = &program->link[i];
        steps[count++] = step_of(p, link->code, link->o);
        i += link->takes;
        unsigned value = ps__program_value(program, i - 1);
        void *out =
            one ? instruction_tile(p, program->instruction[i - 1].tile) : place_of(p, i - 1);
        p->at[value] = out;
        set_one(p, value, false);
        if (link->keep && i < begin + length)
            steps[count++] = (ps__run_step){.o = out, .code = PS__RUN_KEEP};
    }
    return count;
}

/* Instructions [begin, begin + length) as one. What is kept or comes last has a place. Not in line: the
 * steps would take stack from maps too. */
static __attribute__((noinline)) void run_run(pass *p, unsigned begin, unsigned length, size_t n)
{
    ps__run_step steps[2 * PS__RUN_MOST];
    unsigned first = p->program->link[begin].v;
    unsigned last = ps__program_value(p->program, begin + length - 1);
    bool one = run_is_one(p, begin, length);
    unsigned count = lay_steps(p, begin, length, one, steps);
    p->kernels->run(one ? 1 : n, (void *)p->at[last], p->at[first], is_one(p, first), steps, count);
    for (unsigned i = 0; one && i < length; i++)
        set_one(p, last - i, true);
}

/* ---- outputs --------------------------------------------------------------------------- */

/* Which instructions may write their output where it belongs. */
static void aim_stores(pass *p, int64_t begin)
{
    const ps__program *program = p->program;
    unsigned first = ps__program_value(program, 0);
    for (unsigned s = 0; s < program->stores; s++) {
        const ps__store *store = &program->store[s];
        if (store->value < first || store->late || p->stream || p->store_access[s] != SIDE_BY_SIDE)
            continue;
        p->direct[store->value - first] = address(p->space, &p->stores[s], begin);
    }
}

static void put_store(pass *p, unsigned s, int64_t begin, int64_t n)
{
    unsigned value = p->program->store[s].value, dtype = p->program->types[value];
    const ps__memory *memory = &p->stores[s];
    size_t bytes = (size_t)n << log_bytes(dtype);
    if (p->store_access[s] != SIDE_BY_SIDE) {
        const void *from = p->at[value];
        if (is_one(p, value)) {
            p->kernels->fill[log_bytes(dtype)]((size_t)n, spread_tile(p, p->choice), from);
            from = spread_tile(p, p->choice);
        }
        each_run(p, memory, dtype, begin, n, (char *)from, true);
        return;
    }
    char *to = address(p->space, memory, begin);
    if (is_one(p, value))
        p->kernels->fill[log_bytes(dtype)]((size_t)n, to, p->at[value]);
    else if (p->at[value] != to && p->stream)
        p->kernels->stream(to, p->at[value], bytes);
    else if (p->at[value] != to)
        memmove(to, p->at[value], bytes);
}

static void run_tile(pass *p, int64_t begin, int64_t n)
{
    fetch_inputs(p, begin, n);
    aim_stores(p, begin);
    for (unsigned i = 0; i < p->program->instructions;) {
        unsigned length = p->kernels->run != NULL ? p->program->run[i] : 0;
        if (length != 0)
            run_run(p, i, length, (size_t)n);
        else
            run_instruction(p, i, (size_t)n);
        i += length != 0 ? length : 1;
    }
    for (unsigned s = 0; s < p->program->stores; s++)
        put_store(p, s, begin, n);
}

/* ---- ranges ---------------------------------------------------------------------------- */

static void begin_pass(pass *p)
{
    const ps__program *program = p->program;
    memset(p->one, 0, sizeof p->one);
    memset(p->direct, 0, program->instructions * sizeof p->direct[0]);
    p->strided = 0;
    for (unsigned i = 0; i < program->inputs; i++) {
        p->input_access[i] = access_of(p, &p->inputs[i], program->types[i]);
        p->strided += p->input_access[i] > ONE;
        set_one(p, i, p->input_access[i] == ONE);
    }
    for (unsigned i = 0; i < program->literals; i++) {
        set_one(p, program->inputs + i, true);
        p->at[program->inputs + i] = &program->literal[i];
    }
    for (unsigned s = 0; s < program->stores; s++)
        p->store_access[s] = access_of(p, &p->stores[s], program->types[program->store[s].value]);
}

static void run_range(pass *p, int64_t begin, int64_t end)
{
    int64_t most = p->tile / p->program->item;
    int64_t row = p->rows ? p->space->shape[p->space->ndim - 1] : 0;
    while (begin < end) {
        int64_t n = end - begin < most ? end - begin : most;
        if (p->rows && row - begin % row < n)
            n = row - begin % row;
        run_tile(p, begin, n);
        begin += n;
    }
}

/* ---- tiles ----------------------------------------------------------------------------- */

/* In which single elements are spread out. */
static unsigned spread_tiles(pass *p)
{
    bool store = false;
    p->choice = p->program->chooses ? CHOICE : 0;
    for (unsigned s = 0; s < p->program->stores; s++)
        store |= p->store_access[s] != SIDE_BY_SIDE;
    return p->choice + store;
}

/* Tiles of the usual length, or as long as what there is to do. If they do not fit on the stack they
 * are in memory of the pool; if there is none now, they are shorter. */
static void run_in_tiles(pass *p, int64_t begin, int64_t end)
{
    _Alignas(64) char small[STACK_BYTES];
    int64_t count = p->program->tiles + p->strided + spread_tiles(p);
    int64_t all = (end - begin) * p->program->item;
    p->tiles = small;
    p->tile = all < PS__TILE_BYTES ? (all + 63) & -64 : PS__TILE_BYTES;
    int64_t bytes = count * p->tile;
    void *large = bytes > STACK_BYTES ? ps__memory_try((size_t)bytes) : NULL;
    if (large != NULL)
        p->tiles = large;
    else if (bytes > STACK_BYTES)
        p->tile = STACK_BYTES / count & -(int64_t)sizeof(ps__element);
    run_range(p, begin, end);
    if (large != NULL)
        ps_memory_free(large, (size_t)bytes);
}

void ps__program_run(const ps__program *program, const ps__space *space, const ps__memory *inputs,
                     const ps__memory *stores, int64_t begin, int64_t end, bool stream)
{
    pass p;
    p.program = program;
    p.space = space;
    p.kernels = ps__kernels_get();
    p.inputs = inputs;
    p.stores = stores;
    p.rows = space->ndim > 1 && space->shape[space->ndim - 1] >= LONG_ROW;
    p.stream = stream;
    begin_pass(&p);
    run_in_tiles(&p, begin, end);
}

void ps__program_tile(const ps__program *program, const ps__space *space, const ps__memory *inputs,
                      int64_t begin, int64_t end, void *out)
{
    int64_t bytes = ps__dtypes[program->types[program->store[0].value]].bytes;
    int64_t strides[PS_DIMS_MAX], step = bytes;
    for (int i = space->ndim - 1; i >= 0; i--) {
        strides[i] = step;
        step *= space->shape[i];
    }
    /* As memory of the whole space, of which element `begin` is at `out`. */
    ps__memory store = {(char *)((uintptr_t)out - (uintptr_t)(begin * bytes)), strides};
    ps__program_run(program, space, inputs, &store, begin, end, false);
}

void ps__program_inputs(unsigned inputs, const uint8_t *source, const ps__element *constants,
                        unsigned outputs, const ps__operand *operands, ps__memory *memory)
{
    for (unsigned i = 0; i < inputs; i++) {
        if (source[i] & PS__CONSTANT) {
            const ps__element *constant = &constants[source[i] & ~PS__CONSTANT];
            memory[i] = (ps__memory){(char *)constant->bytes, NULL};
            continue;
        }
        const ps__operand *operand = &operands[source[i]];
        memory[i] = (ps__memory){source[i] < outputs ? (char *)operand->old : operand->data,
                                 operand->strides};
    }
}
