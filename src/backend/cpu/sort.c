/* Sorting: see PS__WORK_SORT in work.h.
 *
 * Rows along the axis are taken in groups of neighbours. Short rows of a group are sorted together,
 * in a tile where they lie side by side (order.h). Long ones are sorted each by itself: where it
 * lies, if its elements are side by side, else in scratch memory. Moving a whole group there uses
 * every cache line that is read or written.
 *
 * Sorting is stable: the result is one and only. Nothing depends on the way that is taken, on how
 * rows are divided among threads or on strides. */
#include "backend/cpu/cpu.h"

#include "kernels/order.h"
#include "memory/memory.h"

#include <string.h>

enum {
    LANES = PS__ORDER_LANES, /* rows of a group */
    LANES_LEAST = 4,         /* that many neighbours make a tile worth it */
    FEW_PART = 64,           /* fewer than one place of so many is few, in rows longer than: */
    FEW_LEAST = 64,
    PIECE = 1 << 13 /* elements; work is divided among threads in pieces of about these */
};

/* One operand: bytes from an element of a row to the next, and from a row to its neighbour. */
typedef struct side {
    const ps__operand *operand;
    int64_t item, along, next;
} side;

typedef struct sorting {
    side x, out;
    const ps__work_sort *work;
    size_t length, wanted; /* of a row, and of its result */
    int64_t width;         /* neighbouring rows in a line of them */
    int lane, merged;      /* neighbours are in dimensions `merged` to `lane`; none: < 0 */
    bool tiles;
    ps__lanes lanes;                /* of tiles */
    size_t in_room, out_room, room; /* bytes of scratch: for rows, for results, for the kernel */
} sorting;

/* Where line `index` of rows begins in an operand: by all dimensions but the axis and those of
 * neighbours. */
static char *line_of(const sorting *s, const ps__operand *operand, int64_t index)
{
    char *at = operand->data;
    for (int i = operand->ndim - 1; i >= 0; i--) {
        if (i == s->work->axis || (i >= s->merged && i <= s->lane))
            continue;
        at += index % operand->shape[i] * operand->strides[i];
        index /= operand->shape[i];
    }
    return at;
}

static void move_block(int64_t item, size_t rows, size_t columns, char *to, int64_t to_row,
                       int64_t to_column, const char *from, int64_t from_row, int64_t from_column)
{
    int log = __builtin_ctzll((unsigned long long)item);
    ps__kernels_get()->copy2d[log](rows, columns, to, (ptrdiff_t)to_row, (ptrdiff_t)to_column, from,
                                   (ptrdiff_t)from_row, (ptrdiff_t)from_column);
}

/* ---- in tiles ------------------------------------------------------------------------ */

static void sort_tile(const sorting *s, const char *x, char *out, size_t rows, char *scratch)
{
    char *tile = scratch, *results = scratch + s->in_room;
    int64_t item = s->x.item, out_item = s->out.item;
    if (rows < LANES)
        memset(tile, 0, s->in_room); /* lanes without a row are sorted too */
    move_block(item, s->length, rows, tile, item * LANES, item, x, s->x.along, s->x.next);
    if (s->work->positions)
        s->lanes.argsort(&s->lanes, tile, (int64_t *)(void *)results, results + s->out_room);
    else
        s->lanes.sort(&s->lanes, tile, results);
    move_block(out_item, s->wanted, rows, out, s->out.along, s->out.next, results, out_item * LANES,
               out_item);
}

/* ---- row by row ---------------------------------------------------------------------- */

static void sort_row(const sorting *s, const char *x, char *out, void *scratch)
{
    ps_dtype dtype = (ps_dtype)s->x.operand->dtype;
    if (s->work->positions)
        ps__argsort(dtype, s->work->descending, s->length, x, s->wanted, (int64_t *)(void *)out,
                    scratch);
    else
        ps__sort(dtype, s->work->descending, s->length, x, out, scratch);
}

static bool is_straight(const side *of)
{
    return of->along == of->item;
}

static void sort_rows(const sorting *s, const char *x, char *out, size_t rows, char *scratch)
{
    int64_t item = s->x.item, out_item = s->out.item;
    int64_t row = item * (int64_t)s->length, out_row = out_item * (int64_t)s->wanted;
    bool straight_in = is_straight(&s->x), straight_out = is_straight(&s->out);
    const char *from = straight_in ? x : scratch;
    char *results = straight_out ? out : scratch + s->in_room;
    int64_t step = straight_in ? s->x.next : row, out_step = straight_out ? s->out.next : out_row;
    if (!straight_in)
        move_block(item, s->length, rows, scratch, item, row, x, s->x.along, s->x.next);
    for (int64_t i = 0; i < (int64_t)rows; i++)
        sort_row(s, from + i * step, results + i * out_step, scratch + s->in_room + s->out_room);
    if (!straight_out)
        move_block(out_item, s->wanted, rows, out, s->out.along, s->out.next, results, out_item,
                   out_row);
}

/* ---- all rows ------------------------------------------------------------------------ */

/* How many rows make a group. Those that are sorted where they lie need no neighbours. */
static int64_t group_of(const sorting *s)
{
    bool alone = !s->tiles && is_straight(&s->x) && is_straight(&s->out);
    return alone ? 1 : s->width < LANES ? s->width : LANES;
}

/* Groups of neighbouring rows. */
static ps_status sort_groups(size_t begin, size_t end, void *arg)
{
    const sorting *s = arg;
    int64_t group = group_of(s), groups = (s->width + group - 1) / group;
    size_t room = s->in_room + s->out_room + s->room;
    void *scratch;
    if (ps_memory_alloc(room, &scratch) != PS_OK)
        return PS_ERR_MEMORY; /* said at the end */
    for (int64_t at = (int64_t)begin; at < (int64_t)end; at++) {
        int64_t line = at / groups, first = at % groups * group;
        size_t rows = (size_t)(s->width - first < group ? s->width - first : group);
        char *x = line_of(s, s->x.operand, line) + first * s->x.next;
        char *out = line_of(s, s->out.operand, line) + first * s->out.next;
        (s->tiles ? sort_tile : sort_rows)(s, x, out, rows, scratch);
    }
    ps_memory_free(scratch, room);
    return PS_OK;
}

/* A multiple of what every element type and tile is aligned to. */
static size_t rounded_up(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static void plan_scratch(sorting *s)
{
    ps_dtype dtype = (ps_dtype)s->x.operand->dtype;
    size_t rows = s->tiles ? LANES : (size_t)group_of(s);
    size_t out_length = s->tiles ? s->length : s->wanted;
    s->in_room = rounded_up(rows * s->length * (size_t)s->x.item);
    s->out_room = rounded_up(rows * out_length * (size_t)s->out.item);
    if (s->tiles) {
        s->room = s->work->positions ? 16 * rows * s->length : 0;
        return;
    }
    s->room = s->work->positions ? ps__argsort_room(dtype, s->length, s->wanted)
                                 : ps__sort_room(dtype, s->length);
    if (is_straight(&s->x))
        s->in_room = 0;
    if (is_straight(&s->out))
        s->out_room = 0;
}

static bool merges(const ps__operand *operand, int before, int after)
{
    return operand->strides[before] == operand->strides[after] * operand->shape[after];
}

/* Neighbours lie along the last dimension that is not the axis and has several, and along those
 * before it that go on in the same steps in both operands. */
static void plan_lines(sorting *s, int axis)
{
    const ps__operand *x = s->x.operand, *out = s->out.operand;
    int lane = x->ndim - 1;
    while (lane >= 0 && (lane == axis || x->shape[lane] == 1))
        lane--;
    s->lane = s->merged = lane;
    s->width = lane < 0 ? 1 : x->shape[lane];
    if (lane < 0)
        return;
    s->x.next = x->strides[lane];
    s->out.next = out->strides[lane];
    for (int i = lane - 1; i >= 0 && i != axis && merges(x, i, i + 1) && merges(out, i, i + 1);
         i--) {
        s->width *= x->shape[i];
        s->merged = i;
    }
}

/* Whether rows are sorted in tiles. Not long ones of which few places are wanted: those are found
 * without sorting all. */
static bool plan_tiles(sorting *s)
{
    bool few = s->length > FEW_LEAST && s->wanted < s->length / FEW_PART;
    return s->width >= LANES_LEAST && !few &&
           ps__order_lanes(ps__kernels_get(), (ps_dtype)s->x.operand->dtype, s->work->descending,
                           s->work->positions, s->length, &s->lanes);
}

/* False if there is nothing to do. */
static bool plan_sort(sorting *s, const ps__work_sort *work, const ps__operand *operands,
                      int64_t *lines)
{
    const ps__operand *out = &operands[0], *x = &operands[1];
    *s = (sorting){.work = work};
    int axis = work->axis;
    s->x = (side){x, (int64_t)ps__dtype_bytes((ps_dtype)x->dtype), x->strides[axis], 0};
    s->out = (side){out, (int64_t)ps__dtype_bytes((ps_dtype)out->dtype), out->strides[axis], 0};
    s->length = (size_t)x->shape[axis];
    s->wanted = (size_t)out->shape[axis];
    plan_lines(s, axis);
    *lines = 1;
    for (int i = 0; i < x->ndim; i++)
        *lines *= i == axis || (i >= s->merged && i <= s->lane) ? 1 : x->shape[i];
    if (*lines == 0 || s->width == 0 || s->wanted == 0)
        return false;
    s->tiles = plan_tiles(s);
    plan_scratch(s);
    return true;
}

PS__CPU_RUN(sort)
{
    (void)count;
    sorting s;
    int64_t lines;
    if (!plan_sort(&s, (const ps__work_sort *)work, operands, &lines))
        return PS_OK;
    int64_t group = group_of(&s);
    size_t groups = (size_t)(lines * ((s.width + group - 1) / group));
    size_t each = s.length * (size_t)group;
    ps_status status = ps__split(lane, groups, each >= PIECE ? 1 : PIECE / each, sort_groups, &s);
    if (status != PS_ERR_MEMORY)
        return status;
    return ps_task_fail(lane->self, status, "%s: no memory to sort rows of %zu elements",
                        lane->name, s.length);
}
