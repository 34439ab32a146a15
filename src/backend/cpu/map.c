/* Elementwise programs over a space: see PS__WORK_MAP in work.h. */
#include "backend/cpu/cpu.h"

#include "base/atomic.h"

enum {
    PIECE_NS = 25000, /* work is divided among threads in pieces of about this long */
};

typedef struct mapping {
    const ps__program *program;
    ps__space space;
    ps__memory inputs[PS__INPUTS], stores[PS__STORES];
    bool stream;
} mapping;

static ps_status map_piece(size_t begin, size_t end, void *arg)
{
    const mapping *m = arg;
    ps__program_run(m->program, &m->space, m->inputs, m->stores, (int64_t)begin, (int64_t)end,
                    m->stream);
    return PS_OK;
}

/* Outputs that no cache can hold anyway had better not push everything else out. */
static bool worth_streaming(const ps__program *program, int64_t count)
{
    unsigned bytes = 0;
    for (unsigned i = 0; i < program->stores; i++)
        bytes += ps__dtypes[program->types[program->store[i].value]].bytes;
    return (uint64_t)count * bytes >= (uint64_t)256 << 20;
}

/* A multiple of every tile's length, so that pieces are made of whole tiles. */
static size_t map_grain(const ps__program *program, int64_t count)
{
    double ns = program->whole_cost > 0.01f ? (double)program->whole_cost : 0.01;
    if (PS_LIKELY((double)count * ns < 2 * PIECE_NS && count < 2 * PS__TILE_BYTES))
        return (size_t)count;
    size_t piece = (size_t)(PIECE_NS / ns);
    piece = piece < PS__TILE_BYTES ? PS__TILE_BYTES : piece & ~(size_t)(PS__TILE_BYTES - 1);
    return (size_t)count < 2 * piece ? (size_t)count : piece;
}

/* ---- one step on elements side by side: the kernel itself, on any range ----------------- */

typedef struct single {
    const ps__work_map *work;
    const ps__operand *operands;
    const ps__instruction *step;
} single;

static ps_status single_piece(size_t begin, size_t end, void *arg)
{
    const single *s = arg;
    const ps__work_map *work = s->work;
    const ps__kernel_set *kernels = ps__kernels_get();
    const void *in[2];
    unsigned ones = 0;
    for (unsigned a = 0; a < s->step->arity; a++) {
        unsigned from = work->source[a];
        bool one = from & PS__CONSTANT;
        ones |= (unsigned)one << a;
        if (one)
            in[a] = &ps__map_constants(work)[from & ~PS__CONSTANT];
        else
            in[a] = (from == 0 ? s->operands[0].old : s->operands[from].data) +
                    begin * ps__dtype_bytes((ps_dtype)work->program->types[a]);
    }
    char *out = s->operands[0].data + begin * ps__dtype_bytes((ps_dtype)s->step->result);
    if (s->step->prim == PS__CAST)
        kernels->cast[s->step->dtype][s->step->result](end - begin, out, in[0]);
    else
        kernels->map[s->step->prim][s->step->dtype][work->count == 1 ? 0 : ones](end - begin, out,
                                                                                 in);
    return PS_OK;
}

/* ---- all -------------------------------------------------------------------------------- */

/* Nothing is computed: no tiles are needed. */
static bool is_copy(const ps__work_map *work)
{
    const ps__program *program = work->program;
    unsigned value = program->store[0].value;
    return program->instructions == 0 && program->stores == 1 && value < program->inputs &&
           !(work->source[value] & PS__CONSTANT);
}

static ps_status copy_elements(const ps__lane *lane, const ps__operand *out, const ps__memory *from)
{
    if (from->data == out->data)
        return PS_OK; /* onto itself */
    return ps__copy_strided(lane, ps__dtype_bytes((ps_dtype)out->dtype), out->ndim, out->shape,
                            out->data, out->strides, from->data, from->strides);
}

PS__CPU_RUN(map)
{
    (void)count;
    const ps__work_map *w = (const ps__work_map *)work;
    const ps__program *program = w->program;
    size_t grain = map_grain(program, w->count);
    if (w->dense && program->single) {
        single s = {w, operands, &program->instruction[0]};
        return ps__split(lane, (size_t)w->count, grain, single_piece, &s);
    }
    mapping m;
    m.program = program;
    m.space = (ps__space){operands[0].ndim, operands[0].shape, w->count};
    m.stream = worth_streaming(program, w->count);
    ps__program_inputs(program->inputs, w->source, ps__map_constants(w), program->stores, operands,
                       m.inputs);
    if (is_copy(w))
        return copy_elements(lane, &operands[0], &m.inputs[program->store[0].value]);
    for (unsigned s = 0; s < program->stores; s++)
        m.stores[s] = (ps__memory){operands[s].data, operands[s].strides};
    return ps__split(lane, (size_t)w->count, grain, map_piece, &m);
}
