/* Elements under masks.
 *
 * A mask decides the shape of a result, so masked_select and nonzero wait for it. A task turns it
 * into bits that nobody else can see or change, 64 elements a word, and counts those of every piece
 * on the way; that is what is waited for. A second task copies what is selected: it knows where in
 * the result each piece of its work begins. */
#include "base/error.h"
#include "ops/positions.h"
#include "ops/strided.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* ---- masks as bits ------------------------------------------------------------------------ */

enum { WORDS = 1024 /* of bits, in a piece of work */ };

typedef struct selection {
    ps_tensor *bits;   /* word i has elements [64 i, 64 i + 64) of the mask; what is beyond is 0 */
    ps_tensor *starts; /* for each piece what is selected before it; then the number of all */
    int64_t words, selected;
} selection;

#define ONES UINT64_C(0x0101010101010101)

/* 64 elements as bits, fewer at the end; adds their number to *found. Anything but 0 is true. */
static uint64_t pack_word(const unsigned char *mask, int64_t count, int64_t *found)
{
    uint64_t word = 0, sums = 0;
    unsigned char rest[64] = {0};
    if (count < 64)
        mask = memcpy(rest, mask, (size_t)count);
    for (int i = 0; i < 64; i += 8) {
        uint64_t eight;
        memcpy(&eight, mask + i, sizeof eight);
        eight = (((eight & 0x7f * ONES) + 0x7f * ONES) | eight) >> 7 & ONES;
        sums += eight;
        /* Byte 7 - k of the factor sends the bit of byte k to bit k of the top byte. */
        word |= (eight * 0x0102040810204080 >> 56) << i;
    }
    *found += (int64_t)(sums * ONES >> 56); /* the sum of all bytes, 64 at most */
    return word;
}

static ps_status pack_piece(size_t begin, size_t end, void *arg)
{
    const ps__task *task = arg;
    uint64_t *words = (uint64_t *)task->operands[0].data;
    const unsigned char *mask = (const unsigned char *)task->operands[2].data;
    int64_t found = 0, count = *(const int64_t *)task->extra;
    for (size_t w = begin; w < end; w++)
        words[w] = pack_word(mask + 64 * w, count - 64 * (int64_t)w, &found);
    ((int64_t *)task->operands[1].data)[begin / WORDS + 1] = found;
    return PS_OK;
}

static ps_status run_pack(ps__task *task, ps_task *self)
{
    (void)self;
    int64_t *starts = (int64_t *)task->operands[1].data, words = task->operands[0].shape[0];
    ps_status status = PS_OK;
    if (words != 0)
        status = ps__split((size_t)words, WORDS, pack_piece, task);
    starts[0] = 0;
    for (int64_t i = 1; i < task->operands[1].shape[0]; i++)
        starts[i] += starts[i - 1];
    return status;
}

/* The mask lies side by side, on the CPU. */
static ps_status queue_pack(const ps__bound_call *call, const ps_tensor *mask, const selection *s)
{
    ps__launch launch;
    int64_t *dims;
    ps_status status = ps__task_new(call->op, ps__place_cpu(), 2, 3, 4u + 2u * mask->ndim,
                                    sizeof(int64_t), &launch, &dims);
    if (status != PS_OK)
        return status;
    ps__task_operand(&launch, 0, s->bits, PS__NEW, &dims);
    ps__task_operand(&launch, 1, s->starts, PS__NEW, &dims);
    ps__task_operand(&launch, 2, mask, PS__READ, &dims);
    *(int64_t *)launch.task->extra = mask->count;
    launch.task->run = run_pack;
    launch.location = call->call->location;
    launch.cost_ns = 50 + (uint64_t)mask->count / 8;
    return ps__task_push(&launch);
}

static void selection_end(selection *s)
{
    ps_tensor_release(s->bits);
    ps_tensor_release(s->starts);
}

static ps_status read_last(ps_tensor *starts, int64_t *selected)
{
    ps__host_read read;
    ps_status status = ps__host_begin(starts, &read);
    if (status != PS_OK)
        return status;
    *selected = ((const int64_t *)read.data)[starts->count - 1];
    ps__host_end(&read);
    return PS_OK;
}

/* Waits. On failure the caller still ends the selection. */
static ps_status pack(const ps__bound_call *call, const ps_tensor *mask, selection *s)
{
    const ps__place *cpu = ps__place_cpu();
    s->words = (mask->count + 63) / 64;
    int64_t starts = (s->words + WORDS - 1) / WORDS + 1;
    ps_status status = ps__tensor_create(cpu, PS_UINT64, 1, &s->words, &s->bits);
    if (status == PS_OK)
        status = ps__tensor_create(cpu, PS_INT64, 1, &starts, &s->starts);
    if (status == PS_OK)
        status = queue_pack(call, mask, s);
    return status == PS_OK ? read_last(s->starts, &s->selected) : status;
}

static ps_status move_tensor(ps_tensor **tensor, const ps__place *place)
{
    ps_tensor *there;
    ps_status status = ps__tensor_to_place(*tensor, place, &there);
    if (status != PS_OK)
        return status;
    ps_tensor_release(*tensor);
    *tensor = there;
    return PS_OK;
}

/* Waits for a mask of bool. If this fails nothing is left to end. */
static ps_status selection_begin(const ps__bound_call *call, ps_tensor *mask, selection *s)
{
    ps_tensor *packed;
    const ps__place *cpu = ps__place_cpu();
    *s = (selection){0};
    ps_status status = ps__contiguous(call, mask, &packed);
    if (status != PS_OK)
        return status;
    if (!mask->place->host)
        status = move_tensor(&packed, cpu);
    if (status == PS_OK)
        status = pack(call, packed, s);
    ps_tensor_release(packed);
    if (status == PS_OK && !mask->place->host) {
        status = move_tensor(&s->bits, mask->place);
        if (status == PS_OK)
            status = move_tensor(&s->starts, mask->place);
    }
    if (status != PS_OK)
        selection_end(s);
    return status;
}

/* ---- what is selected ----------------------------------------------------------------------- */

typedef struct select_work {
    int64_t count; /* of the mask's elements */
    int64_t bytes; /* of x for each element of the mask; nonzero: of a row of the result */
    int ndim;
    int64_t shape[PS_DIMS_MAX]; /* of the mask */
} select_work;

/* A task over the selection, and over x if there is one. */
static ps_status queue_selection(const ps__bound_call *call, const ps__result *result,
                                 const selection *s, const ps_tensor *x, const select_work *work,
                                 ps_status (*run)(ps__task *, ps_task *))
{
    ps__launch launch;
    int64_t *dims;
    unsigned numbers = 2u * (result->tensor->ndim + 2u + (x != NULL ? x->ndim : 0u));
    ps_status status = ps__task_new(call->op, result->tensor->place, 1, x != NULL ? 4 : 3, numbers,
                                    sizeof *work, &launch, &dims);
    if (status != PS_OK)
        return status;
    ps__task_operand(&launch, 0, result->tensor, result->use, &dims);
    ps__task_operand(&launch, 1, s->bits, PS__READ, &dims);
    ps__task_operand(&launch, 2, s->starts, PS__READ, &dims);
    if (x != NULL)
        ps__task_operand(&launch, 3, x, PS__READ, &dims);
    *(select_work *)launch.task->extra = *work;
    launch.task->run = run;
    launch.location = call->call->location;
    launch.cost_ns = ps__copy_cost(result->tensor) + (uint64_t)work->count / 4;
    return ps__task_push(&launch);
}

static ps_status run_pieces(ps__task *task, ps_loop_fn piece)
{
    const select_work *work = task->extra;
    size_t words = (size_t)task->operands[1].shape[0];
    if (words == 0 || work->bytes == 0)
        return PS_OK;
    return ps__split(words, WORDS, piece, task);
}

/* Where a piece of the result begins; and where it ends if `past` is 1. */
static int64_t start_of(const ps__task *task, size_t word, size_t past)
{
    return ((const int64_t *)task->operands[2].data)[word / WORDS + past];
}

/* Copies what the word selects of 64 elements and returns where the next one goes. Where bits are
 * many (`dense`) it writes every element, and goes on only past those that count: no branch to guess
 * wrong. That may write one element too many, so it needs room before `end`. */
INLINE char *select_word(uint64_t word, const char *from, char *to, const char *end, bool dense,
                         size_t bytes)
{
    if (word == UINT64_MAX) {
        memcpy(to, from, 64 * bytes);
        return to + 64 * bytes;
    }
    if (dense && (size_t)(end - to) > 64 * bytes) {
        for (int i = 0; i < 64; i++, word >>= 1) {
            memcpy(to, from + (size_t)i * bytes, bytes);
            to += word & 1 ? bytes : 0;
        }
        return to;
    }
    for (; word != 0; word &= word - 1, to += bytes)
        memcpy(to, from + (size_t)__builtin_ctzll(word) * bytes, bytes);
    return to;
}

INLINE void select_words(const ps__task *task, size_t begin, size_t end, size_t bytes)
{
    const select_work *work = task->extra;
    const uint64_t *words = (const uint64_t *)task->operands[1].data;
    int64_t start = start_of(task, begin, 0), stop = start_of(task, begin, 1);
    char *to = task->operands[0].data + (size_t)start * bytes;
    const char *to_end = task->operands[0].data + (size_t)stop * bytes;
    const char *from = task->operands[3].data;
    bool dense = bytes <= 16 && stop - start > 10 * (int64_t)(end - begin);
    size_t full = (size_t)work->count / 64; /* words whose 64 elements all exist */
    for (size_t w = begin; w < end; w++)
        if (words[w] != 0)
            to = select_word(words[w], from + 64 * w * bytes, to, to_end, dense && w < full, bytes);
}

static ps_status select_piece(size_t begin, size_t end, void *arg)
{
    const ps__task *task = arg;
    const select_work *work = task->extra;
    switch (work->bytes) { /* as constants they are single moves */
    case 1:
        select_words(task, begin, end, 1);
        break;
    case 2:
        select_words(task, begin, end, 2);
        break;
    case 4:
        select_words(task, begin, end, 4);
        break;
    case 8:
        select_words(task, begin, end, 8);
        break;
    case 16:
        select_words(task, begin, end, 16);
        break;
    default:
        select_words(task, begin, end, (size_t)work->bytes);
    }
    return PS_OK;
}

static ps_status run_select(ps__task *task, ps_task *self)
{
    (void)self;
    return run_pieces(task, select_piece);
}

static ps_status select_from(const ps__bound_call *call, ps_tensor *x, const ps_tensor *mask,
                             const selection *s)
{
    int64_t shape[PS_DIMS_MAX + 1] = {s->selected};
    int ndim = 1;
    select_work work = {.count = mask->count, .bytes = (int64_t)ps__dtype_bytes(x->dtype)};
    for (int i = mask->ndim; i < x->ndim; i++) {
        shape[ndim++] = ps__shape(x)[i];
        work.bytes *= ps__shape(x)[i];
    }
    int64_t count;
    ps__result result;
    ps_tensor *packed;
    ps_status status = ps__shape_check("masked_select", (ps_dtype)x->dtype, ndim, shape, &count);
    if (status == PS_OK)
        status = ps__result_begin(call, 0, x->place, (ps_dtype)x->dtype, ndim, shape, &result);
    if (status != PS_OK)
        return status;
    status = ps__contiguous(call, x, &packed);
    if (status != PS_OK)
        return ps__result_end(&result, status);
    status = queue_selection(call, &result, s, packed, &work, run_select);
    ps_tensor_release(packed);
    return ps__result_end(&result, status);
}

ps_status ps__op_masked_select(const ps__bound_call *call)
{
    ps_tensor *x, *mask;
    selection s;
    const ps__place *place;
    const ps_tensor *out = call->call->outputs[0];
    ps_status status = ps__tensor_of(call, 0, &x);
    if (status == PS_OK)
        status = ps__mask_of(call, 1, x, &mask);
    if (status == PS_OK)
        status = ps__common_place(call, &place);
    if (status != PS_OK)
        return status;
    if (ps__needs_detour(call, (ps_dtype)x->dtype) || (out != NULL && !out->contiguous))
        return ps__detour(call);
    status = selection_begin(call, mask, &s);
    if (status != PS_OK)
        return status;
    status = select_from(call, x, mask, &s);
    selection_end(&s);
    return status;
}

/* ---- nonzero --------------------------------------------------------------------------------- */

/* The indices of all dimensions but the last, of the row that holds flat position `at`. */
static void find_row(const select_work *work, int64_t at, int64_t *row)
{
    at /= work->shape[work->ndim - 1];
    for (int i = work->ndim - 2; i >= 0; i--) {
        row[i] = at % work->shape[i];
        at /= work->shape[i];
    }
}

INLINE void put_positions(const ps__task *task, size_t begin, size_t end, int ndim)
{
    const select_work *work = task->extra;
    const uint64_t *words = (const uint64_t *)task->operands[1].data;
    int last = ndim - 1;
    int64_t *to = (int64_t *)task->operands[0].data + start_of(task, begin, 0) * ndim;
    int64_t row[PS_DIMS_MAX] = {0}, row_begin = 0, row_end = 0, length = work->shape[last];
    for (size_t w = begin; w < end; w++)
        for (uint64_t word = words[w]; word != 0; word &= word - 1) {
            int64_t at = 64 * (int64_t)w + __builtin_ctzll(word);
            if (at >= row_end) {
                row_begin = at - at % length;
                row_end = row_begin + length;
                find_row(work, at, row);
            }
            for (int i = 0; i < last; i++)
                to[i] = row[i];
            to[last] = at - row_begin;
            to += ndim;
        }
}

static ps_status position_piece(size_t begin, size_t end, void *arg)
{
    const ps__task *task = arg;
    int ndim = ((const select_work *)task->extra)->ndim;
    if (ndim == 1) /* as constants the inner loops are gone */
        put_positions(task, begin, end, 1);
    else if (ndim == 2)
        put_positions(task, begin, end, 2);
    else
        put_positions(task, begin, end, ndim);
    return PS_OK;
}

static ps_status run_positions(ps__task *task, ps_task *self)
{
    (void)self;
    return run_pieces(task, position_piece);
}

/* x itself if it is of bool, else whether its elements are not 0; retained. */
static ps_status truth_of(const ps__bound_call *call, ps_tensor *x, ps_tensor **mask)
{
    if (x->dtype == PS_BOOL) {
        *mask = x;
        return ps_tensor_retain(x);
    }
    ps_arg args[2] = {ps__arg_tensor(x),
                      {.kind = PS_ARG_SCALAR, .as.scalar = {PS_SCALAR_INT64, {.i = 0}}}};
    *mask = NULL;
    return ps__call("not_equal", call->call, args, 2, mask);
}

static ps_status positions_in(const ps__bound_call *call, const ps_tensor *x, const selection *s)
{
    int64_t shape[2] = {s->selected, x->ndim};
    select_work work = {.count = x->count, .bytes = (int64_t)sizeof(int64_t) * x->ndim};
    work.ndim = x->ndim;
    memcpy(work.shape, ps__shape(x), x->ndim * sizeof work.shape[0]);
    ps__result result;
    ps_status status = ps__result_begin(call, 0, x->place, PS_INT64, 2, shape, &result);
    if (status != PS_OK)
        return status;
    status = queue_selection(call, &result, s, NULL, &work, run_positions);
    return ps__result_end(&result, status);
}

ps_status ps__op_nonzero(const ps__bound_call *call)
{
    ps_tensor *x, *mask;
    selection s;
    const ps_tensor *out = call->call->outputs[0];
    ps_status status = ps__tensor_of(call, 0, &x);
    if (status != PS_OK)
        return status;
    if (ps__needs_detour(call, PS_INT64) || (out != NULL && !out->contiguous))
        return ps__detour(call);
    status = truth_of(call, x, &mask);
    if (status != PS_OK)
        return status;
    status = selection_begin(call, mask, &s);
    ps_tensor_release(mask);
    if (status != PS_OK)
        return status;
    status = positions_in(call, x, &s);
    selection_end(&s);
    return status;
}

/* ---- masked_fill ----------------------------------------------------------------------------- */

/* The value as x's type holds it, so that the result has that type. */
static ps_status fill_value(const ps__bound_call *call, const ps_tensor *x, ps_arg *value)
{
    ps__element element = {{0}};
    ps_dtype dtype = (ps_dtype)x->dtype;
    if (!ps__scalar_store(call->args[2].as.scalar, dtype, &element))
        return ps__scalar_refuse("masked_fill", call->args[2].as.scalar, dtype);
    *value = (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = ps__scalar_load(dtype, &element)};
    return PS_OK;
}

/* A mask over x's leading dimensions as one that broadcasts over the others; retained. */
static ps_status spread_mask(const ps_tensor *x, ps_tensor *mask, ps_tensor **spread)
{
    int64_t shape[PS_DIMS_MAX], strides[PS_DIMS_MAX];
    for (int i = 0; i < x->ndim; i++) {
        shape[i] = i < mask->ndim ? ps__shape(mask)[i] : 1;
        strides[i] = i < mask->ndim ? ps__strides(mask)[i] : 0;
    }
    return ps__tensor_view(mask, PS_BOOL, x->ndim, shape, strides, mask->offset, spread);
}

ps_status ps__op_masked_fill(const ps__bound_call *call)
{
    ps_tensor *x, *mask, *spread;
    ps_arg args[3];
    ps_status status = ps__tensor_of(call, 0, &x);
    if (status == PS_OK)
        status = ps__mask_of(call, 1, x, &mask);
    if (status == PS_OK)
        status = fill_value(call, x, &args[1]);
    if (status == PS_OK)
        status = spread_mask(x, mask, &spread);
    if (status != PS_OK)
        return status;
    args[0] = ps__arg_tensor(spread);
    args[2] = ps__arg_tensor(x);
    status = ps__call("where", call->call, args, 3, call->call->outputs);
    ps_tensor_release(spread);
    return status;
}
