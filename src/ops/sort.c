/* sort, argsort and topk.
 *
 * Each row along the axis is one call of a kernel, which is stable: its result is one and only, so
 * nothing depends on how rows are divided among threads or on strides. Rows that do not lie side by
 * side are brought into scratch memory, several neighbours at a time: then every cache line that is
 * read or written is used whole. */
#include "base/error.h"
#include "kernels/order.h"
#include "ops/map.h"
#include "ops/strided.h"

#include <inttypes.h>
#include <string.h>

enum {
    LANES = 16,     /* neighbouring rows that are moved together */
    PIECE = 1 << 13 /* elements; work is divided among threads in pieces of about these */
};

typedef struct sort_work {
    int axis;
    bool descending, places; /* positions are wanted, not elements */
} sort_work;

typedef struct sorting {
    const ps__operand *x, *out;
    sort_work work;
    size_t length, wanted; /* of a row, and of its result */
    size_t item, out_item;
    int64_t width; /* neighbouring rows in a line of them; 1 if the axis is the last */
    size_t in_room, out_room, room; /* bytes of scratch: for rows, for results, for the kernel */
} sorting;

/* Where line `index` of rows begins in an operand: all dimensions but the axis, and the last. */
static char *line_of(const sorting *s, const ps__operand *operand, int64_t index)
{
    char *at = operand->data;
    for (int i = operand->ndim - 1; i >= 0; i--) {
        if (i == s->work.axis || i == operand->ndim - 1)
            continue;
        at += index % operand->shape[i] * operand->strides[i];
        index /= operand->shape[i];
    }
    return at;
}

static void sort_row(const sorting *s, const char *x, char *out, void *scratch)
{
    ps_dtype dtype = (ps_dtype)s->x->dtype;
    if (s->work.places)
        ps__argsort(dtype, s->work.descending, s->length, x, s->wanted, (int64_t *)(void *)out,
                    scratch);
    else
        ps__sort(dtype, s->work.descending, s->length, x, out, scratch);
}

static void move(size_t item, size_t rows, size_t columns, char *to, int64_t to_row,
                 int64_t to_column, const char *from, int64_t from_row, int64_t from_column)
{
    ps__kernels_get()->copy2d[__builtin_ctzll(item)](rows, columns, to, (ptrdiff_t)to_row,
                                                     (ptrdiff_t)to_column, from,
                                                     (ptrdiff_t)from_row, (ptrdiff_t)from_column);
}

/* `lanes` neighbouring rows from x to out. */
static void sort_lanes(const sorting *s, const char *x, char *out, size_t lanes, char *scratch)
{
    int axis = s->work.axis, last = s->x->ndim - 1;
    int64_t item = (int64_t)s->item, out_item = (int64_t)s->out_item;
    int64_t row = item * (int64_t)s->length, out_row = out_item * (int64_t)s->wanted;
    bool straight_in = lanes == 1 && s->x->strides[axis] == item;
    bool straight_out = lanes == 1 && s->out->strides[axis] == out_item;
    char *rows = scratch, *results = straight_out ? out : scratch + s->in_room;
    const char *from = straight_in ? x : rows;
    if (!straight_in)
        move(s->item, s->length, lanes, rows, item, row, x, s->x->strides[axis],
             s->x->strides[last]);
    for (size_t i = 0; i < lanes; i++)
        sort_row(s, from + (int64_t)i * row, results + (int64_t)i * out_row,
                 scratch + s->in_room + s->out_room);
    if (!straight_out)
        move(s->out_item, s->wanted, lanes, out, s->out->strides[axis], s->out->strides[last],
             results, out_item, out_row);
}

/* Groups of neighbouring rows, `groups` in each line. */
static ps_status sort_groups(size_t begin, size_t end, void *arg)
{
    const sorting *s = arg;
    int64_t groups = (s->width + LANES - 1) / LANES;
    int last = s->x->ndim - 1;
    size_t room = s->in_room + s->out_room + s->room;
    void *scratch;
    if (ps_memory_alloc(room, &scratch) != PS_OK)
        return PS_ERR_MEMORY; /* said at the end */
    for (int64_t at = (int64_t)begin; at < (int64_t)end; at++) {
        int64_t line = at / groups, first = at % groups * LANES;
        int64_t lanes = s->width - first < LANES ? s->width - first : LANES;
        sort_lanes(s, line_of(s, s->x, line) + first * s->x->strides[last],
                   line_of(s, s->out, line) + first * s->out->strides[last], (size_t)lanes,
                   scratch);
    }
    ps_memory_free(scratch, room);
    return PS_OK;
}

/* A multiple of what every element type is aligned to. */
static size_t rounded(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static void plan_scratch(sorting *s)
{
    ps_dtype dtype = (ps_dtype)s->x->dtype;
    size_t lanes = (size_t)(s->width < LANES ? s->width : LANES);
    s->in_room = rounded(lanes * s->length * s->item);
    s->out_room = rounded(lanes * s->wanted * s->out_item);
    s->room = s->work.places ? ps__argsort_room(dtype, s->length, s->wanted)
                             : ps__sort_room(dtype, s->length);
    if (s->width == 1 && s->x->strides[s->work.axis] == (int64_t)s->item)
        s->in_room = 0;
    if (s->width == 1 && s->out->strides[s->work.axis] == (int64_t)s->out_item)
        s->out_room = 0;
}

static ps_status run(ps__task *task, ps_task *self)
{
    const ps__operand *out = &task->operands[0], *x = &task->operands[1];
    sorting s = {.x = x,
                 .out = out,
                 .work = *(const sort_work *)task->extra,
                 .item = ps__dtype_bytes((ps_dtype)x->dtype),
                 .out_item = ps__dtype_bytes((ps_dtype)out->dtype)};
    int axis = s.work.axis, last = x->ndim - 1;
    int64_t lines = 1;
    s.length = (size_t)x->shape[axis];
    s.wanted = (size_t)out->shape[axis];
    s.width = axis == last ? 1 : x->shape[last];
    for (int i = 0; i < last; i++)
        lines *= i == axis ? 1 : x->shape[i];
    if (lines == 0 || s.width == 0 || s.wanted == 0)
        return PS_OK;
    plan_scratch(&s);
    size_t groups = (size_t)(lines * ((s.width + LANES - 1) / LANES));
    size_t each = s.length * (size_t)(s.width < LANES ? s.width : LANES);
    ps_status status = ps__split(groups, each >= PIECE ? 1 : PIECE / each, sort_groups, &s);
    if (status != PS_ERR_MEMORY)
        return status;
    return ps_task_fail(self, status, "%s: no memory to sort rows of %zu elements",
                        task->op->row.name, s.length);
}

/* ---- calls --------------------------------------------------------------------------- */

static ps_status queue(const ps__bound_call *call, const ps__result *result, const ps_tensor *x,
                       const sort_work *work)
{
    ps__launch launch;
    int64_t *dims;
    ps_status status =
        ps__task_new(call->op, x->place, 1, 2, 4u * x->ndim, sizeof *work, &launch, &dims);
    if (status != PS_OK)
        return status;
    ps__task_operand(&launch, 0, result->tensor, result->use, &dims);
    ps__task_operand(&launch, 1, x, PS__READ, &dims);
    *(sort_work *)launch.task->extra = *work;
    launch.task->run = run;
    launch.location = call->call->location;
    launch.cost_ns = 100 + 10 * (uint64_t)x->count;
    return ps__task_push(&launch);
}

/* `wanted` of each row, or all if it is negative. */
static ps_status sort(const ps__bound_call *call, ps_tensor *x, const sort_work *work,
                      int64_t wanted)
{
    int64_t shape[PS_DIMS_MAX], count;
    ps__result result;
    const ps_tensor *out = call->call->outputs[0];
    ps_dtype dtype = work->places ? PS_INT64 : (ps_dtype)x->dtype;
    if (ps__needs_detour(call, dtype) || (out != NULL && !out->contiguous))
        return ps__detour(call);
    memcpy(shape, ps__shape(x), x->ndim * sizeof shape[0]);
    if (wanted >= 0)
        shape[work->axis] = wanted;
    ps_status status = ps__shape_check(call->op->row.name, dtype, x->ndim, shape, &count);
    if (status == PS_OK)
        status = ps__result_begin(call, 0, x->place, dtype, x->ndim, shape, &result);
    if (status != PS_OK)
        return status;
    return ps__result_end(&result, queue(call, &result, x, work));
}

/* The tensor and the axis, which is argument `index`. */
static ps_status begin(const ps__bound_call *call, unsigned index, ps_tensor **x, int *axis)
{
    ps_status status = ps__tensor_of(call, 0, x);
    if (status != PS_OK)
        return status;
    return ps__axis(call->op->row.name, call->args[index].as.integer, (*x)->ndim, axis);
}

/* All ways to sort here are stable: what is asked for beyond the order is granted anyway. */
static ps_status sort_whole(const ps__bound_call *call, bool places)
{
    ps_tensor *x;
    sort_work work = {.descending = call->args[2].as.boolean, .places = places};
    ps_status status = begin(call, 1, &x, &work.axis);
    return status == PS_OK ? sort(call, x, &work, -1) : status;
}

ps_status ps__op_sort(const ps__bound_call *call)
{
    return sort_whole(call, false);
}

ps_status ps__op_argsort(const ps__bound_call *call)
{
    return sort_whole(call, true);
}

ps_status ps__op_topk(const ps__bound_call *call)
{
    ps_tensor *x;
    int64_t wanted = call->args[1].as.integer;
    sort_work work = {.descending = call->args[3].as.boolean, .places = true};
    ps_status status = begin(call, 2, &x, &work.axis);
    if (status != PS_OK)
        return status;
    if (wanted < 0 || wanted > ps__shape(x)[work.axis])
        return ps__fail(PS_ERR_ARGUMENT,
                        "topk: k is %" PRId64 ", must be from 0 to %" PRId64
                        ", the length of axis %d of shape %s",
                        wanted, ps__shape(x)[work.axis], work.axis,
                        ps__shape_text(x->ndim, ps__shape(x)));
    return sort(call, x, &work, wanted);
}
