/* Running reductions.
 *
 * Outputs are worked on in strips of up to STRIP at a time: those along the innermost kept
 * dimension if the elements to be combined lie far apart there ("columns"), else one at a time
 * ("rows"). The sequence of each output is cut into leaves; 2^k leaves, for the k that makes a
 * reasonable piece of work, make a chunk, which is a subtree of the tree of leaves. Strips and
 * chunks are spread over the pool; then the chunks of each strip are combined. */
#include "backend/cpu/cpu.h"

#include "memory/memory.h"

#include <string.h>

enum {
    STRIP = 128,
    ROWS_AT_ONCE = 16,
    CHUNK_ELEMENTS = 1 << 16,
    ROW_PLACES = 9,  /* stack_places of the leaves of a chunk of one row, at most */
    LEAVES_MADE = 4, /* of a row, by one run of the program */
    FEW_INPUTS = 2,  /* whose strides are kept on the stack */
    ROOM = 896       /* bytes of working memory on the stack; more comes from the pool */
};

typedef int64_t stride_row[PS_DIMS_MAX];

typedef struct reduction {
    const ps__lane *lane;
    const ps__reduce_spec *spec;
    const ps__program *program;
    const ps__memory *inputs;
    const ps__kernel_set *kernels;
    ps__map_fn combine;
    ps__leaf_fn leaf;
    ps__leaves_fn leaves_of_row; /* NULL: one by one */
    size_t bytes;                /* of an accumulator */

    /* Kept and reduced dimensions, collapsed; strides of each input over them. With columns, the
     * step from one to the next follows those of the reduced dimensions. */
    int kept, reduced;
    int64_t kept_shape[PS_DIMS_MAX], reduced_shape[PS_DIMS_MAX];
    stride_row *kept_strides, *reduced_strides;
    int64_t outputs, length; /* how many, and of how many elements each */
    bool columns;
    bool plain; /* the program changes nothing: elements can be used where they are */

    int64_t strip, strips_per_row, strips; /* outputs per strip */
    int64_t leaves, chunk, chunks;         /* leaves per chunk */
    char *partial;                         /* [strip][chunk][STRIP or 1] accumulators */
    char *out;
} reduction;

/* ---- layout ------------------------------------------------------------------------------ */

static void divide_dims(reduction *r, int ndim, const int64_t *shape, uint32_t reduced)
{
    r->kept = r->reduced = 0;
    r->outputs = r->length = 1;
    for (int i = 0; i < ndim; i++) {
        bool goes = reduced >> i & 1;
        int to = goes ? r->reduced++ : r->kept++;
        (goes ? r->reduced_shape : r->kept_shape)[to] = shape[i];
        *(goes ? &r->length : &r->outputs) *= shape[i];
        for (unsigned k = 0; k < r->program->inputs; k++) {
            int64_t stride = r->inputs[k].strides != NULL ? r->inputs[k].strides[i] : 0;
            (goes ? r->reduced_strides : r->kept_strides)[k][to] = stride;
        }
    }
    r->kept = ps__space_collapse(r->kept, r->kept_shape, r->program->inputs, r->kept_strides);
    r->reduced =
        ps__space_collapse(r->reduced, r->reduced_shape, r->program->inputs, r->reduced_strides);
}

/* Whether neighbours among the outputs are closer in memory than neighbours in a sequence. */
static bool prefers_columns(const reduction *r)
{
    if (r->kept == 0 || r->kept_shape[r->kept - 1] < 8 || r->reduced == 0)
        return false;
    int near = 0;
    for (unsigned k = 0; k < r->program->inputs; k++) {
        int64_t along = r->reduced_strides[k][r->reduced - 1];
        int64_t across = r->kept_strides[k][r->kept - 1];
        along = along < 0 ? -along : along;
        across = across < 0 ? -across : across;
        near += (across < along) - (along < across);
    }
    return near > 0;
}

static void plan_pieces(reduction *r)
{
    int64_t inner = r->columns ? r->kept_shape[r->kept - 1] : 1;
    r->strip = inner < STRIP ? inner : STRIP;
    r->strips_per_row = (inner + r->strip - 1) / r->strip;
    r->strips = r->outputs / inner * r->strips_per_row;
    r->leaves = (r->length + PS__LEAF - 1) / PS__LEAF;
    r->chunk = 1;
    while (r->chunk < r->leaves && r->chunk * PS__LEAF * r->strip < CHUNK_ELEMENTS)
        r->chunk *= 2;
    r->chunks = (r->leaves + r->chunk - 1) / r->chunk;
}

static int64_t offset_of(int ndim, const int64_t *shape, const int64_t *strides, int64_t place)
{
    int64_t offset = 0;
    for (int i = ndim - 1; i >= 0; i--) {
        offset += place % shape[i] * strides[i];
        place /= shape[i];
    }
    return offset;
}

/* The first output of a strip, and how many it has. */
static int64_t strip_first(const reduction *r, int64_t strip, int64_t *width)
{
    int64_t inner = r->columns ? r->kept_shape[r->kept - 1] : 1;
    int64_t within = strip % r->strips_per_row * r->strip;
    *width = inner - within < r->strip ? inner - within : r->strip;
    return strip / r->strips_per_row * inner + within;
}

/* ---- leaves ------------------------------------------------------------------------------ */

/* Inputs as seen from an output. */
static void aim(const reduction *r, int64_t output, ps__memory *inputs)
{
    for (unsigned k = 0; k < r->program->inputs; k++) {
        inputs[k].data =
            r->inputs[k].data + offset_of(r->kept, r->kept_shape, r->kept_strides[k], output);
        inputs[k].strides = r->reduced_strides[k];
    }
}

static bool lies_side_by_side(const reduction *r)
{
    return r->plain && r->reduced == 1 && r->reduced_strides[0][0] == (int64_t)r->bytes;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* For elements of leaves that are made before they are combined. */
static size_t leaf_room(const reduction *r)
{
    if (r->columns)
        return (size_t)((PS__LANES + ROWS_AT_ONCE) * r->strip) * r->bytes;
    return lies_side_by_side(r) ? 0 : (size_t)least(r->length, LEAVES_MADE * PS__LEAF) * r->bytes;
}

static void combine_into(const reduction *r, size_t n, char *left, const char *right)
{
    const void *in[2] = {left, right};
    r->combine(n, left, in);
}

/* Makes rows [begin, end) of the strip in `rows`, each `width` elements; returns where they are and
 * sets the distance between them. */
static const char *make_rows(const reduction *r, int64_t output, int64_t width, int64_t begin,
                             int64_t end, char *rows, int64_t *distance)
{
    int64_t shape[PS_DIMS_MAX + 1];
    ps__memory inputs[PS__INPUTS];
    aim(r, output, inputs);
    if (r->plain && r->reduced == 1 && r->kept_strides[0][r->kept - 1] == (int64_t)r->bytes) {
        *distance = r->reduced_strides[0][0];
        return inputs[0].data + begin * *distance;
    }
    memcpy(shape, r->reduced_shape, (size_t)r->reduced * sizeof shape[0]);
    shape[r->reduced] = width;
    ps__space space = {r->reduced + 1, shape, r->length * width};
    ps__program_tile(r->program, &space, inputs, begin * width, end * width, rows);
    *distance = width * (int64_t)r->bytes;
    return rows;
}

/* The lanes of a leaf of columns, combined 8 and 8, 4 and 4, ...; those from `used` on are empty. */
static void fold_lanes(const reduction *r, size_t width, char *lanes, int64_t used, char *to)
{
    size_t row = width * r->bytes;
    for (int64_t half = PS__LANES / 2; half >= 1; half /= 2)
        for (int64_t lane = 0; lane < half && lane + half < used; lane++)
            combine_into(r, width, lanes + (size_t)lane * row, lanes + (size_t)(lane + half) * row);
    memcpy(to, lanes, row);
}

static void column_leaf(const reduction *r, int64_t output, int64_t width, int64_t leaf, char *to,
                        char *room)
{
    char *lanes = room, *rows = room + (size_t)(PS__LANES * r->strip) * r->bytes;
    int64_t begin = leaf * PS__LEAF;
    int64_t end = begin + PS__LEAF < r->length ? begin + PS__LEAF : r->length;
    size_t row = (size_t)width * r->bytes;
    for (int64_t at = begin; at < end; at += ROWS_AT_ONCE) {
        int64_t stop = at + ROWS_AT_ONCE < end ? at + ROWS_AT_ONCE : end, distance;
        const char *from = make_rows(r, output, width, at, stop, rows, &distance);
        for (int64_t k = at; k < stop; k++, from += distance) {
            char *lane = lanes + (size_t)((k - begin) % PS__LANES) * row;
            if (k - begin < PS__LANES)
                memcpy(lane, from, row);
            else
                combine_into(r, (size_t)width, lane, from);
        }
    }
    int64_t used = end - begin < PS__LANES ? end - begin : PS__LANES;
    fold_lanes(r, (size_t)width, lanes, used, to);
}

/* ---- the tree ---------------------------------------------------------------------------- */

/* Sums over subtrees, the largest first, as the digits of a binary number. */
typedef struct stack {
    char *at; /* places of `row` bytes; the topmost is where the next one goes */
    size_t row, width;
    unsigned count;
    uint64_t done; /* leaves, or chunks, so far */
} stack;

static char *stack_next(stack *s)
{
    return s->at + s->count * s->row;
}

/* The next leaf's value has been put at stack_next. */
static void stack_push(const reduction *r, stack *s)
{
    s->count++;
    for (uint64_t done = ++s->done; (done & 1) == 0; done >>= 1) {
        s->count--;
        combine_into(r, s->width, s->at + (s->count - 1) * s->row, s->at + s->count * s->row);
    }
}

static const char *stack_end(const reduction *r, stack *s)
{
    while (s->count > 1) {
        s->count--;
        combine_into(r, s->width, s->at + (s->count - 1) * s->row, s->at + s->count * s->row);
    }
    return s->at;
}

/* How many places a stack for so many needs. */
static size_t stack_places(int64_t count)
{
    return (size_t)(64 - __builtin_clzll((uint64_t)count)) + 1;
}

/* Whole leaves that lie side by side, several at a time. Returns the first that is left. Its sums
 * are not on the stack while programs run. */
__attribute__((noinline)) static int64_t reduce_whole_leaves(const reduction *r,
                                                             const ps__memory *inputs, int64_t leaf,
                                                             int64_t end, stack *s)
{
    _Alignas(64) char sums[64 * 16];
    int64_t whole = r->length / PS__LEAF < end ? r->length / PS__LEAF : end;
    while (leaf < whole) {
        int64_t n = whole - leaf < 64 ? whole - leaf : 64;
        r->leaves_of_row((size_t)n, PS__LEAF, (ptrdiff_t)(PS__LEAF * r->bytes),
                         inputs[0].data + leaf * PS__LEAF * (int64_t)r->bytes, sums);
        for (int64_t i = 0; i < n; i++) {
            memcpy(stack_next(s), sums + (size_t)i * r->bytes, r->bytes);
            stack_push(r, s);
        }
        leaf += n;
    }
    return leaf;
}

/* Some leaves of a row, up to leaf `end`. Returns the first that is left. */
static int64_t reduce_leaves(const reduction *r, const ps__memory *inputs, int64_t leaf,
                             int64_t end, stack *s, char *elements)
{
    int64_t at = leaf * PS__LEAF, step = PS__LEAF * (int64_t)r->bytes;
    int64_t stop = least(least(leaf + LEAVES_MADE, end) * PS__LEAF, r->length);
    const char *from = elements;
    if (lies_side_by_side(r)) {
        from = inputs[0].data + at * (int64_t)r->bytes;
    } else {
        ps__space space = {r->reduced, r->reduced_shape, r->length};
        ps__program_tile(r->program, &space, inputs, at, stop, elements);
    }
    _Alignas(64) char sums[LEAVES_MADE * sizeof(ps__element)];
    int64_t whole = r->leaves_of_row != NULL ? (stop - at) / PS__LEAF : 0;
    if (whole > 0)
        r->leaves_of_row((size_t)whole, PS__LEAF, (ptrdiff_t)step, from, sums);
    for (int64_t i = 0; at < stop; at += PS__LEAF, leaf++, from += step, i++) {
        if (i < whole)
            memcpy(stack_next(s), sums + (size_t)i * r->bytes, r->bytes);
        else
            r->leaf((size_t)least(stop - at, PS__LEAF), from, stack_next(s));
        stack_push(r, s);
    }
    return leaf;
}

/* ---- pieces ------------------------------------------------------------------------------ */

static ps_status reduce_chunk(reduction *r, int64_t strip, int64_t chunk, char *to)
{
    int64_t width, output = strip_first(r, strip, &width);
    int64_t begin = chunk * r->chunk;
    int64_t end = begin + r->chunk < r->leaves ? begin + r->chunk : r->leaves;
    stack s = {.row = (size_t)width * r->bytes, .width = (size_t)width};
    size_t leaf_bytes = (leaf_room(r) + 63) & ~(size_t)63;
    size_t bytes = leaf_bytes + stack_places(end - begin) * s.row;
    _Alignas(64) char small[ROOM];
    void *block = small;
    if (bytes > sizeof small) {
        ps_status status = ps_memory_alloc(bytes, &block);
        if (status != PS_OK)
            return status;
    }
    s.at = (char *)block + leaf_bytes;
    ps__memory inputs[PS__INPUTS];
    if (!r->columns)
        aim(r, output, inputs);
    int64_t leaf = begin;
    if (!r->columns && r->leaves_of_row != NULL && lies_side_by_side(r))
        leaf = reduce_whole_leaves(r, inputs, begin, end, &s);
    while (!r->columns && leaf < end)
        leaf = reduce_leaves(r, inputs, leaf, end, &s, block);
    for (; leaf < end; leaf++) {
        column_leaf(r, output, width, leaf, stack_next(&s), block);
        stack_push(r, &s);
    }
    memcpy(to, stack_end(r, &s), s.row);
    if (block != small)
        ps_memory_free(block, bytes);
    return PS_OK;
}

static void finish(const reduction *r, int64_t output, size_t n, char *sums)
{
    ps__reduce_end(r->spec, n, sums,
                   r->out + (size_t)output * ps__dtype_bytes((ps_dtype)r->spec->result));
}

/* Rows at equal distances, several at a time: each leaf of all of them by one call. */
static bool takes_rows(const reduction *r)
{
    return !r->columns && r->leaves_of_row != NULL && r->kept == 1 && lies_side_by_side(r) &&
           (r->length % PS__LEAF == 0 || r->length % PS__LEAF >= PS__LANES);
}

static ps_status run_rows(size_t begin, size_t end, void *arg)
{
    reduction *r = arg;
    _Alignas(64) char places[ROW_PLACES * ROWS_AT_ONCE * 16];
    for (size_t row = begin; row < end; row += ROWS_AT_ONCE) {
        size_t count = end - row < ROWS_AT_ONCE ? end - row : ROWS_AT_ONCE;
        stack s = {.at = places, .row = count * r->bytes, .width = count};
        ps__memory inputs[PS__INPUTS];
        aim(r, (int64_t)row, inputs);
        for (int64_t leaf = 0; leaf < r->leaves; leaf++) {
            int64_t at = leaf * PS__LEAF;
            size_t n = (size_t)(r->length - at < PS__LEAF ? r->length - at : PS__LEAF);
            r->leaves_of_row(count, n, (ptrdiff_t)r->kept_strides[0][0],
                             inputs[0].data + at * (int64_t)r->bytes, stack_next(&s));
            stack_push(r, &s);
        }
        finish(r, (int64_t)row, count, (char *)stack_end(r, &s));
    }
    return PS_OK;
}

/* All of a strip at once; `sums` is room for that. */
static inline ps_status run_strips_in(reduction *r, size_t begin, size_t end, char *sums)
{
    for (size_t strip = begin; strip < end; strip++) {
        ps_status status = reduce_chunk(r, (int64_t)strip, 0, sums);
        if (status != PS_OK)
            return status;
        int64_t width, output = strip_first(r, (int64_t)strip, &width);
        finish(r, output, (size_t)width, sums);
    }
    return PS_OK;
}

static ps_status run_strips(size_t begin, size_t end, void *arg)
{
    _Alignas(64) char sums[STRIP * 16];
    return run_strips_in(arg, begin, end, sums);
}

/* Strips of one output each. */
static ps_status run_singles(size_t begin, size_t end, void *arg)
{
    ps__element sum;
    return run_strips_in(arg, begin, end, (char *)sum.bytes);
}

static char *partial_of(const reduction *r, int64_t strip, int64_t chunk)
{
    return r->partial + (size_t)((strip * r->chunks + chunk) * r->strip) * r->bytes;
}

static ps_status run_chunks(size_t begin, size_t end, void *arg)
{
    reduction *r = arg;
    for (size_t unit = begin; unit < end; unit++) {
        int64_t strip = (int64_t)unit / r->chunks, chunk = (int64_t)unit % r->chunks;
        ps_status status = reduce_chunk(r, strip, chunk, partial_of(r, strip, chunk));
        if (status != PS_OK)
            return status;
    }
    return PS_OK;
}

static ps_status combine_chunks(reduction *r, int64_t strip)
{
    int64_t width, output = strip_first(r, strip, &width);
    stack s = {.row = (size_t)width * r->bytes, .width = (size_t)width};
    size_t bytes = stack_places(r->chunks) * s.row;
    void *block;
    ps_status status = ps_memory_alloc(bytes, &block);
    if (status != PS_OK)
        return status;
    s.at = block;
    for (int64_t chunk = 0; chunk < r->chunks; chunk++) {
        memcpy(stack_next(&s), partial_of(r, strip, chunk), s.row);
        stack_push(r, &s);
    }
    finish(r, output, (size_t)width, (char *)stack_end(r, &s));
    ps_memory_free(block, bytes);
    return PS_OK;
}

static ps_status run_in_chunks(reduction *r)
{
    size_t bytes = (size_t)(r->strips * r->chunks * r->strip) * r->bytes;
    void *partial;
    ps_status status = ps_memory_alloc(bytes, &partial);
    if (status != PS_OK)
        return status;
    r->partial = partial;
    status = ps__split(r->lane, (size_t)(r->strips * r->chunks), 1, run_chunks, r);
    for (int64_t strip = 0; strip < r->strips && status == PS_OK; strip++)
        status = combine_chunks(r, strip);
    ps_memory_free(partial, bytes);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

/* Sequences without elements: the identity (0, 1, false, true), divided and rooted as others. */
static void fill_identity(reduction *r)
{
    bool one = r->spec->reduce == PS__REDUCE_PROD || r->spec->reduce == PS__REDUCE_ALL;
    for (int64_t output = 0; output < r->outputs; output++) {
        ps__element value = {{0}};
        ps__scalar_cast((ps_scalar){PS_SCALAR_BOOL, {.b = one}}, (ps_dtype)r->spec->accumulator,
                        &value);
        finish(r, output, 1, (char *)&value);
    }
}

static ps_status reduce_all(reduction *r)
{
    if (r->outputs == 0)
        return PS_OK;
    if (r->length == 0) {
        fill_identity(r);
        return PS_OK;
    }
    r->columns = prefers_columns(r);
    for (unsigned k = 0; r->columns && k < r->program->inputs; k++) /* for make_rows */
        r->reduced_strides[k][r->reduced] = r->kept_strides[k][r->kept - 1];
    plan_pieces(r);
    if (r->chunks > 1)
        return run_in_chunks(r);
    int64_t grain = CHUNK_ELEMENTS / (r->length * r->strip);
    ps_loop_fn run = takes_rows(r) ? run_rows : r->strip == 1 ? run_singles : run_strips;
    return ps__split(r->lane, (size_t)r->strips, grain < 1 ? 1 : (size_t)grain, run, r);
}

/* What the program makes of its inputs. */
static inline ps_status reduce_program(const ps__lane *lane, const ps__work_reduce *work,
                                       const ps__program *program, const ps__operand *operands,
                                       stride_row *room)
{
    const ps__reduce_spec *spec = &work->spec;
    const ps__kernel_set *kernels = ps__kernels_get();
    ps__memory inputs[PS__INPUTS];
    ps__program_inputs(program->inputs, work->source, ps__reduce_constants(work), 0, operands,
                       inputs);
    reduction r;
    r.lane = lane;
    r.spec = spec;
    r.program = program;
    r.inputs = inputs;
    r.kernels = kernels;
    r.combine = kernels->map[ps__reduce_prim((ps__reduce)spec->reduce)][spec->accumulator][0];
    r.leaf = kernels->leaf[spec->reduce][spec->accumulator];
    r.leaves_of_row = kernels->leaves[spec->reduce][spec->accumulator];
    r.bytes = ps__dtype_bytes((ps_dtype)spec->accumulator);
    r.out = operands[0].data;
    r.plain = program->instructions == 0 && program->store[0].value == 0;
    r.kept_strides = room;
    r.reduced_strides = room + program->inputs;
    divide_dims(&r, work->ndim, ps__reduce_shape(work), work->reduced);
    return reduce_all(&r);
}

static ps_status reduce_inputs(const ps__lane *lane, const ps__work_reduce *work,
                               const ps__program *program, const ps__operand *operands)
{
    stride_row few[2 * FEW_INPUTS];
    void *room = few;
    size_t bytes = 2 * program->inputs * sizeof(stride_row);
    if (program->inputs <= FEW_INPUTS)
        return reduce_program(lane, work, program, operands, few);
    ps_status status = ps_memory_alloc(bytes, &room);
    if (status != PS_OK)
        return status;
    status = reduce_program(lane, work, program, operands, room);
    ps_memory_free(room, bytes);
    return status;
}

PS__CPU_RUN(reduce)
{
    (void)count;
    const ps__work_reduce *w = (const ps__work_reduce *)work;
    ps__program own;
    const ps__program *program = w->program;
    if (program == NULL) {
        own.inputs = 1;
        own.literals = own.instructions = 0;
        own.types[0] = operands[w->source[0]].dtype;
        (void)ps__reduce_prologue(&w->spec, &own, 0); /* three steps at most: they fit */
        program = &own;
    }
    ps_status status = reduce_inputs(lane, w, program, operands);
    return status == PS_OK ? PS_OK : ps_task_fail(lane->self, status, "%s", ps_last_error());
}
