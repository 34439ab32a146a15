/* Copies of strided elements, and tasks made of them: see strided.h.
 *
 * The order in which elements are copied is free, so dimensions are sorted by the distance of
 * their elements in the result, and what both sides walk as one becomes one. The kernels then do
 * blocks of two dimensions: the columns, which lie closest in the result, and the rows, which lie
 * closest in the source if the columns do not. */
#include "ops/strided.h"

#include "base/error.h"

#include <string.h>

typedef struct copying {
    size_t item;
    unsigned log;
    int ndim;
    char *to;
    const char *from;
    int64_t shape[PS__COPY_DIMS], to_step[PS__COPY_DIMS], from_step[PS__COPY_DIMS];
    int64_t high, wide; /* of a block */
    int64_t row_blocks, column_blocks;
    bool stream;
} copying;

/* ---- dimensions ------------------------------------------------------------------------- */

static void put_dim(copying *c, int at, int64_t length, int64_t to_step, int64_t from_step)
{
    c->shape[at] = length;
    c->to_step[at] = to_step;
    c->from_step[at] = from_step;
}

/* Sorts dimensions in, the widest step of the result first. False if there is nothing to copy. */
static bool sort_dims(copying *c, int ndim, const int64_t *shape, const int64_t *to_strides,
                      const int64_t *from_strides)
{
    c->ndim = 0;
    for (int i = 0; i < ndim; i++) {
        int64_t to_step = to_strides[i], from_step = from_strides[i];
        if (shape[i] == 0)
            return false;
        if (shape[i] == 1)
            continue;
        if (to_step < 0) { /* from its other end */
            c->to += (shape[i] - 1) * to_step;
            c->from += (shape[i] - 1) * from_step;
            to_step = -to_step;
            from_step = -from_step;
        }
        int at = c->ndim++;
        for (; at > 0 && c->to_step[at - 1] < to_step; at--)
            put_dim(c, at, c->shape[at - 1], c->to_step[at - 1], c->from_step[at - 1]);
        put_dim(c, at, shape[i], to_step, from_step);
    }
    return true;
}

static void merge_dims(copying *c)
{
    int kept = 0;
    for (int i = 0; i < c->ndim; i++) {
        int64_t length = c->shape[i];
        if (kept > 0 && c->to_step[kept - 1] == c->to_step[i] * length &&
            c->from_step[kept - 1] == c->from_step[i] * length)
            length *= c->shape[--kept];
        put_dim(c, kept++, length, c->to_step[i], c->from_step[i]);
    }
    c->ndim = kept;
}

/* A few small elements side by side are one larger one. */
static void widen(copying *c)
{
    int last = c->ndim - 1;
    int64_t item = (int64_t)c->item;
    if (last >= 0 && c->to_step[last] == item && c->from_step[last] == item &&
        c->shape[last] * item <= 16 && (c->shape[last] & (c->shape[last] - 1)) == 0) {
        c->item *= (size_t)c->shape[last];
        c->ndim = last;
    }
    c->log = (unsigned)__builtin_ctzll(c->item);
}

static void swap_last(copying *c)
{
    int at = c->ndim - 2;
    int64_t length = c->shape[at], to_step = c->to_step[at], from_step = c->from_step[at];
    put_dim(c, at, c->shape[at + 1], c->to_step[at + 1], c->from_step[at + 1]);
    put_dim(c, at + 1, length, to_step, from_step);
}

/* Makes the last but one dimension that of the rows. */
static void choose_rows(copying *c)
{
    int rows = c->ndim - 2, last = c->ndim - 1;
    int64_t item = (int64_t)c->item;
    if (c->from_step[last] != item && c->from_step[last] != 0)
        for (int i = 0; i < last; i++)
            if (c->from_step[i] == item)
                rows = i;
    int64_t length = c->shape[rows], to_step = c->to_step[rows], from_step = c->from_step[rows];
    for (int i = rows; i < last - 1; i++)
        put_dim(c, i, c->shape[i + 1], c->to_step[i + 1], c->from_step[i + 1]);
    put_dim(c, last - 1, length, to_step, from_step);
    /* A few copies of each element: all first copies, then all second ones. */
    if (c->from_step[last] == 0 && c->shape[last] < 16 && c->from_step[last - 1] == item)
        swap_last(c);
}

/* At least two dimensions. Those added lie around the others, as kernels look at steps. */
static void pad_dims(copying *c)
{
    if (c->ndim == 0)
        put_dim(c, c->ndim++, 1, (int64_t)c->item, (int64_t)c->item);
    if (c->ndim == 1) {
        int64_t length = c->shape[0];
        put_dim(c, c->ndim++, length, c->to_step[0], c->from_step[0]);
        put_dim(c, 0, 1, (length + 1) * c->to_step[1], (length + 1) * c->from_step[1]);
    }
}

/* ---- blocks ----------------------------------------------------------------------------- */

static int64_t ceiling(int64_t count, int64_t by)
{
    return (count + by - 1) / by;
}

/* Rows of the source are columns of the result. */
static bool turns(const copying *c)
{
    int64_t item = (int64_t)c->item;
    return c->to_step[c->ndim - 1] == item && c->from_step[c->ndim - 2] == item &&
           c->from_step[c->ndim - 1] != item && c->from_step[c->ndim - 1] != 0;
}

/* A kernel that turns a block goes around the caches only if it has PS__COPY_STREAM bytes to do at
 * once and lines of the result stay whole: that is worth more than a second thread. */
static int64_t rows_to_turn(const copying *c)
{
    int64_t rows = c->shape[c->ndim - 2], columns = c->shape[c->ndim - 1];
    int64_t pieces = rows * columns * (int64_t)c->item / (PS__COPY_STREAM + PS__COPY_STREAM / 8);
    if (rows * columns * (int64_t)c->item < PS__COPY_STREAM || c->item < 4 ||
        c->to_step[c->ndim - 2] % 64 != 0)
        return 0;
    return ceiling(rows, pieces > 0 ? pieces : 1);
}

/* Elements side by side: blocks as wide as they may be. Turned ones: high, so that lines of the
 * source are used up. */
static void choose_blocks(copying *c)
{
    int64_t rows = c->shape[c->ndim - 2], columns = c->shape[c->ndim - 1];
    int64_t piece = PS__COPY_PIECE / (int64_t)c->item, large = 0;
    if (turns(c) && (large = rows_to_turn(c)) != 0) {
        c->high = large;
        c->wide = columns;
    } else if (turns(c)) {
        c->high = rows < 512 ? rows : 512;
        c->wide = piece / c->high < columns ? piece / c->high : columns;
    } else {
        c->wide = columns < piece ? columns : piece;
        c->high = piece / c->wide < rows ? piece / c->wide : rows;
    }
    c->row_blocks = ceiling(rows, c->high);
    c->column_blocks = ceiling(columns, c->wide);
}

/* One row, of which one side at least lies side by side. */
static void copy_row(const copying *c, char *to, const char *from, int64_t columns)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    int64_t item = (int64_t)c->item, to_step = c->to_step[c->ndim - 1];
    int64_t from_step = c->from_step[c->ndim - 1];
    if (to_step == item && from_step == 0)
        kernels->fill[c->log]((size_t)columns, to, from);
    else if (to_step == item && from_step == item)
        kernels->stream(to, from, (size_t)(columns * item));
    else if (to_step == item)
        kernels->gather[c->log]((size_t)columns, to, from, from_step);
    else
        kernels->scatter[c->log]((size_t)columns, to, to_step, from);
}

static bool row_by_row(const copying *c, int64_t columns)
{
    int64_t item = (int64_t)c->item;
    bool to_dense = c->to_step[c->ndim - 1] == item, from_dense = c->from_step[c->ndim - 1] == item;
    if (to_dense && from_dense)
        return c->stream && columns * item >= 4096;
    return (to_dense || from_dense) && columns >= 16 && !turns(c);
}

static void copy_block(const copying *c, char *to, const char *from, int64_t rows, int64_t columns)
{
    int last = c->ndim - 1;
    int64_t to_row = c->to_step[last - 1], from_row = c->from_step[last - 1];
    if (row_by_row(c, columns))
        for (int64_t r = 0; r < rows; r++)
            copy_row(c, to + r * to_row, from + r * from_row, columns);
    else
        ps__kernels_get()->copy2d[c->log]((size_t)rows, (size_t)columns, to, to_row,
                                          c->to_step[last], from, from_row, c->from_step[last]);
}

/* Where a block is: the index of every dimension but the last two, then of the block. */
typedef struct place {
    int64_t at[PS__COPY_DIMS];
} place;

static int64_t blocks_along(const copying *c, int dim)
{
    return dim == c->ndim - 1   ? c->column_blocks
           : dim == c->ndim - 2 ? c->row_blocks
                                : c->shape[dim];
}

static void find_place(const copying *c, size_t index, place *p)
{
    for (int i = c->ndim - 1; i >= 0; i--) {
        size_t length = (size_t)blocks_along(c, i);
        p->at[i] = (int64_t)(index % length);
        index /= length;
    }
}

static void next_place(const copying *c, place *p)
{
    for (int i = c->ndim - 1; i >= 0; i--) {
        if (++p->at[i] < blocks_along(c, i))
            return;
        p->at[i] = 0;
    }
}

static ps_status copy_piece(size_t begin, size_t end, void *arg)
{
    const copying *c = arg;
    int last = c->ndim - 1;
    place p;
    find_place(c, begin, &p);
    for (; begin < end; begin++, next_place(c, &p)) {
        int64_t row = p.at[last - 1] * c->high, column = p.at[last] * c->wide;
        int64_t to = row * c->to_step[last - 1] + column * c->to_step[last];
        int64_t from = row * c->from_step[last - 1] + column * c->from_step[last];
        for (int i = 0; i < last - 1; i++) {
            to += p.at[i] * c->to_step[i];
            from += p.at[i] * c->from_step[i];
        }
        int64_t rows = c->shape[last - 1] - row, columns = c->shape[last] - column;
        copy_block(c, c->to + to, c->from + from, rows < c->high ? rows : c->high,
                   columns < c->wide ? columns : c->wide);
    }
    return PS_OK;
}

ps_status ps__copy_strided(size_t item, int ndim, const int64_t *shape, void *to,
                           const int64_t *to_strides, const void *from, const int64_t *from_strides)
{
    copying c;
    c.item = item;
    c.to = to;
    c.from = from;
    if (!sort_dims(&c, ndim, shape, to_strides, from_strides))
        return PS_OK;
    merge_dims(&c);
    widen(&c);
    pad_dims(&c);
    choose_rows(&c);
    choose_blocks(&c);
    int64_t blocks = 1, elements = 1;
    for (int i = 0; i < c.ndim; i++) {
        blocks *= blocks_along(&c, i);
        elements *= c.shape[i];
    }
    c.stream = elements * (int64_t)c.item >= PS__COPY_STREAM;
    int64_t grain = PS__COPY_PIECE / (c.high * c.wide * (int64_t)c.item);
    return ps__split((size_t)blocks, grain > 1 ? (size_t)grain : 1, copy_piece, &c);
}

uint64_t ps__copy_cost(const ps_tensor *result)
{
    return 50 + (uint64_t)((double)result->count * (double)ps__dtype_bytes(result->dtype) * 0.08);
}

/* ---- regions ---------------------------------------------------------------------------- */

static ps_status copy_region(const ps__task *task, unsigned index)
{
    const ps__regions *regions = task->extra;
    const ps__region *r = &regions->region[index];
    const char *from =
        r->source == 0 ? (const char *)&regions->value : task->operands[r->source].data + r->from;
    return ps__copy_strided(ps__dtype_bytes(task->operands[0].dtype), r->ndim, r->shape,
                            task->operands[0].data + r->to, r->to_strides, from, r->from_strides);
}

static ps_status copy_regions(size_t begin, size_t end, void *arg)
{
    ps_status status = PS_OK;
    for (size_t i = begin; i < end && status == PS_OK; i++)
        status = copy_region(arg, (unsigned)i);
    return status;
}

/* How many regions are a piece of work: all of them if the larger ones must be divided anyway. */
static size_t regions_grain(const ps__task *task)
{
    const ps__regions *regions = task->extra;
    int64_t largest = 1, item = (int64_t)ps__dtype_bytes(task->operands[0].dtype);
    for (unsigned i = 0; i < regions->count; i++) {
        const ps__region *region = &regions->region[i];
        int64_t bytes = item;
        for (int d = 0; d < region->ndim && bytes != 0; d++) /* 0 first: the rest may be huge */
            bytes = region->shape[d] == 0 ? 0 : bytes;
        for (int d = 0; d < region->ndim && bytes != 0; d++)
            bytes *= region->shape[d];
        largest = bytes > largest ? bytes : largest;
    }
    return largest > PS__COPY_PIECE ? regions->count : (size_t)(PS__COPY_PIECE / largest);
}

static ps_status run_regions(ps__task *task, ps_task *self)
{
    (void)self;
    const ps__regions *regions = task->extra;
    return ps__split(regions->count, regions_grain(task), copy_regions, task);
}

ps_status ps__regions_begin(const ps__bound_call *call, const ps__result *result, unsigned inputs,
                            ps_tensor *const *input, unsigned count, int ndim, ps__launch *launch,
                            int64_t **dims)
{
    unsigned numbers = 2 * (unsigned)result->tensor->ndim + 3 * (unsigned)ndim * count;
    for (unsigned i = 0; i < inputs; i++)
        numbers += 2 * (unsigned)input[i]->ndim;
    ps_status status = ps__task_new(call->op, result->tensor->place, 1, 1 + inputs, numbers,
                                    sizeof(ps__regions) + count * sizeof(ps__region), launch, dims);
    if (status != PS_OK)
        return status;
    ps__task_operand(launch, 0, result->tensor, result->use, dims);
    for (unsigned i = 0; i < inputs; i++)
        ps__task_operand(launch, 1 + i, input[i], PS__READ, dims);
    ((ps__regions *)launch->task->extra)->count = 0;
    launch->task->run = run_regions;
    launch->cost_ns = ps__copy_cost(result->tensor);
    launch->location = call->call->location;
    return PS_OK;
}

ps__region *ps__regions_add(ps__launch *launch, unsigned source, int ndim, int64_t **dims)
{
    ps__regions *regions = launch->task->extra;
    ps__region *r = &regions->region[regions->count++];
    *r = (ps__region){.source = source,
                      .ndim = ndim,
                      .shape = *dims,
                      .to_strides = *dims + ndim,
                      .from_strides = *dims + 2 * ndim};
    *dims += 3 * ndim;
    return r;
}

/* ---- arguments and results -------------------------------------------------------------- */

ps_status ps__tensor_of(const ps__bound_call *call, unsigned index, ps_tensor **tensor)
{
    const ps_arg *arg = &call->args[index];
    if (arg->kind != PS_ARG_TENSOR)
        return ps__fail(PS_ERR_TYPE, "%s: argument %s must be a tensor, not a number",
                        call->op->row.name, call->op->args[index].name);
    *tensor = arg->as.tensor;
    return PS_OK;
}

ps_status ps__flattened(const ps__bound_call *call, ps_tensor *x, ps_tensor **flat)
{
    ps_arg args[2] = {ps__arg_tensor(x),
                      {.kind = PS_ARG_INTS, .count = 1, .as.ints = (int64_t[]){x->count}}};
    *flat = NULL;
    return ps__call("reshape", call->call, args, 2, flat);
}

ps_status ps__no_output(const ps__bound_call *call)
{
    if (call->call->outputs[0] == NULL)
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "%s gives a view and takes no output; use assign to write one",
                    call->op->row.name);
}

bool ps__needs_detour(const ps__bound_call *call, ps_dtype dtype)
{
    const ps_tensor *out = call->call->outputs[0];
    if (out == NULL)
        return false;
    for (unsigned i = 0; i < call->op->nargs; i++) {
        const ps_arg *arg = &call->args[i];
        unsigned count = arg->kind == PS_ARG_TENSORS ? arg->count : arg->kind == PS_ARG_TENSOR;
        for (unsigned t = 0; t < count; t++)
            if ((arg->kind == PS_ARG_TENSORS ? arg->as.tensors[t] : arg->as.tensor)->storage ==
                out->storage)
                return true;
    }
    return out->dtype != (uint8_t)dtype;
}

/* As for elementwise operations: a result may become more general, not less. */
static ps_status check_output(const ps__bound_call *call, const ps_tensor *result,
                              const ps_tensor *out)
{
    const char *name = call->op->row.name;
    ps_dtype from = (ps_dtype)result->dtype, to = (ps_dtype)out->dtype;
    if (!ps__shape_equal(out->ndim, ps__shape(out), result->ndim, ps__shape(result)))
        return ps__fail(PS_ERR_ARGUMENT, "%s: the output has shape %s, the result %s", name,
                        ps__shape_text(out->ndim, ps__shape(out)),
                        ps__shape_text(result->ndim, ps__shape(result)));
    if (ps__dtype_kind_of(to) < ps__dtype_kind_of(from) &&
        !(ps__dtype_is_integer(from) && ps__dtype_is_integer(to)))
        return ps__fail(PS_ERR_TYPE, "%s: a result of %s cannot be written into %s", name,
                        ps__dtypes[from].name, ps__dtypes[to].name);
    return PS_OK;
}

ps_status ps__detour(const ps__bound_call *call)
{
    ps_tensor *temporary = NULL, *out = call->call->outputs[0];
    ps_call inner = *call->call;
    inner.outputs = &temporary;
    ps__bound_call again = *call;
    again.call = &inner;
    ps_status status = call->op->row.call(&again);
    if (status != PS_OK)
        return status;
    status = check_output(call, temporary, out);
    if (status == PS_OK) {
        ps_arg value = ps__arg_tensor(temporary);
        status = ps__assign(call, out, &value);
    }
    ps_tensor_release(temporary);
    return status;
}
