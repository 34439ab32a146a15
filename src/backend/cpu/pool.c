/* Pooling: see PS__WORK_POOL in work.h.
 *
 * Each channel of each image is by itself. Where only values matter, rows of a window are combined into
 * one line first, as vectors, with what changes nothing in the margin of the line; then columns of
 * the line. What means give back goes the same way in the other direction. Where places matter:
 * pool_places.c. Orders are those of rows, columns and windows: no cut of the
 * channels among threads changes them. */
#include "backend/cpu/pool.h"

#include "memory/memory.h"

#include <math.h>
#include <string.h>

enum { PIECE = 1 << 14 }; /* elements that are worth a thread's while */

/* Memory for one channel at a time. */
typedef struct lines {
    char *line, *row, *windows, *other,
        *divisors; /* the line; one row; one element for each window */
    double *counts;
} lines;

/* ---- rows -------------------------------------------------------------------------------- */

/* n elements a stride apart: where they are if they lie side by side, else gathered. */
static const char *side_by_side(const ps__pooling *p, int64_t n, const char *from, int64_t stride,
                                char *room)
{
    if (stride == (int64_t)p->item)
        return from;
    ps__kernels_get()->gather[p->log]((size_t)n, room, from, (ptrdiff_t)stride);
    return room;
}

static void put_back(const ps__pooling *p, int64_t n, char *to, int64_t stride, const char *from)
{
    if (stride != (int64_t)p->item)
        ps__kernels_get()->scatter[p->log]((size_t)n, to, (ptrdiff_t)stride, from);
    else if (to != from)
        memcpy(to, from, (size_t)n * p->item);
}

static void map_two(ps__map_fn map, int64_t n, char *out, const char *a, const char *b)
{
    map((size_t)n, out, (const void *[]){a, b});
}

/* The part [low, high) of an axis that window `at` has. */
static void window_of(const ps__pooling *p, int axis, int64_t at, int64_t *low, int64_t *high)
{
    int64_t first = at * p->w->windows.stride[axis] - p->w->windows.padding[axis];
    *low = PS__POOL_MAX(first, 0);
    *high = PS__POOL_MIN(first + p->w->kernel[axis], p->large.shape[PS__IMAGE_H + axis]);
}

/* How many elements of an axis a mean counts. */
static int64_t counted(const ps__pooling *p, int axis, int64_t at)
{
    int64_t low, high, padding = p->w->windows.padding[axis];
    window_of(p, axis, at, &low, &high);
    if (!p->w->padded)
        return high - low;
    int64_t first = at * p->w->windows.stride[axis] - padding;
    return PS__POOL_MIN(first + p->w->kernel[axis], p->large.shape[PS__IMAGE_H + axis] + padding) -
           first;
}

/* What the sums of a row of windows are divided by. */
static void find_divisors(const ps__pooling *p, int64_t row, const lines *l)
{
    int64_t height = counted(p, 0, row);
    for (int64_t i = 0; i < p->columns; i++)
        l->counts[i] = (double)(height * counted(p, 1, i));
    ps__kernels_get()->cast[PS_FLOAT64][p->dtype]((size_t)p->columns, l->divisors, l->counts);
}

static void clear_line(const ps__pooling *p, const lines *l)
{
    ps__kernels_get()->fill[p->log]((size_t)p->line, l->line, &p->neutral);
}

/* The elements of the line that have no margin. */
static char *line_middle(const ps__pooling *p, const lines *l)
{
    return l->line + p->w->windows.padding[1] * (int64_t)p->item;
}

/* ---- one element of each window ----------------------------------------------------------- */

/* The rows of a window as one. */
static void join_rows(const ps__pooling *p, const char *plane, int64_t row, const lines *l)
{
    int64_t low, high, width = p->in.shape[PS__IMAGE_W];
    char *to = line_middle(p, l);
    window_of(p, 0, row, &low, &high);
    for (int64_t i = low; i < high; i++) {
        const char *from = side_by_side(p, width, plane + i * p->in.strides[PS__IMAGE_H],
                                        p->in.strides[PS__IMAGE_W], l->row);
        if (i == low)
            memcpy(to, from, (size_t)width * p->item);
        else
            map_two(p->combine, width, to, to, from);
    }
}

static void join_columns(const ps__pooling *p, const lines *l)
{
    int64_t item = (int64_t)p->item, step = p->w->windows.stride[1] * item;
    for (int64_t j = 0; j < p->w->kernel[1]; j++) {
        const char *from = side_by_side(p, p->columns, l->line + j * item, step, l->other);
        if (j == 0)
            memcpy(l->windows, from, (size_t)p->columns * p->item);
        else
            map_two(p->combine, p->columns, l->windows, l->windows, from);
    }
}

static void join_plane(const ps__pooling *p, int64_t n, int64_t c, const lines *l)
{
    const char *plane = ps__image_at(&p->in, n, c);
    char *out = ps__image_at(&p->out, n, c);
    clear_line(p, l);
    for (int64_t row = 0; row < p->rows; row++, out += p->out.strides[PS__IMAGE_H]) {
        join_rows(p, plane, row, l);
        join_columns(p, l);
        if (p->w->pass == PS__POOL_AVERAGE) {
            find_divisors(p, row, l);
            map_two(p->divide, p->columns, l->windows, l->windows, l->divisors);
        }
        put_back(p, p->columns, out, p->out.strides[PS__IMAGE_W], l->windows);
    }
}

/* ---- shares of means ----------------------------------------------------------------------- */

/* Adds the shares of a row of windows to the line. */
static void share_columns(const ps__pooling *p, const lines *l)
{
    int64_t item = (int64_t)p->item, step = p->w->windows.stride[1] * item;
    for (int64_t j = 0; j < p->w->kernel[1]; j++) {
        char *to = l->line + j * item;
        const char *before = side_by_side(p, p->columns, to, step, l->other);
        char *sums = step == item ? to : l->other;
        map_two(p->add, p->columns, sums, before, l->windows);
        put_back(p, p->columns, to, step, sums);
    }
}

static void share_rows(const ps__pooling *p, char *plane, int64_t row, const lines *l)
{
    int64_t low, high, width = p->out.shape[PS__IMAGE_W], stride = p->out.strides[PS__IMAGE_W];
    window_of(p, 0, row, &low, &high);
    for (int64_t i = low; i < high; i++) {
        char *to = plane + i * p->out.strides[PS__IMAGE_H];
        const char *before = side_by_side(p, width, to, stride, l->row);
        char *sums = stride == (int64_t)p->item ? to : l->row;
        map_two(p->add, width, sums, before, line_middle(p, l));
        put_back(p, width, to, stride, sums);
    }
}

static void clear_plane(const ps__pooling *p, char *plane, const lines *l)
{
    int64_t width = p->out.shape[PS__IMAGE_W];
    memset(l->row, 0, (size_t)width * p->item);
    for (int64_t i = 0; i < p->out.shape[PS__IMAGE_H]; i++)
        put_back(p, width, plane + i * p->out.strides[PS__IMAGE_H], p->out.strides[PS__IMAGE_W],
                 l->row);
}

static void share_plane(const ps__pooling *p, int64_t n, int64_t c, const lines *l)
{
    const char *from = ps__image_at(&p->in, n, c);
    char *plane = ps__image_at(&p->out, n, c);
    clear_plane(p, plane, l);
    for (int64_t row = 0; row < p->rows; row++, from += p->in.strides[PS__IMAGE_H]) {
        const char *dy = side_by_side(p, p->columns, from, p->in.strides[PS__IMAGE_W], l->windows);
        find_divisors(p, row, l);
        map_two(p->divide, p->columns, l->windows, dy, l->divisors);
        clear_line(p, l);
        share_columns(p, l);
        share_rows(p, plane, row, l);
    }
}

/* ---- the work ------------------------------------------------------------------------------ */

static void run_plane(const ps__pooling *p, int64_t n, int64_t c, const lines *l)
{
    switch (p->w->pass) {
    case PS__POOL_LARGEST:
    case PS__POOL_AVERAGE:
        join_plane(p, n, c, l);
        break;
    default:
        share_plane(p, n, c, l);
    }
}

/* Parts of one block: its bytes, and with a block where they are. */
static size_t lay_lines(const ps__pooling *p, char *block, lines *l)
{
    size_t line = ((size_t)p->line * p->item + 63) & ~(size_t)63;
    size_t row = ((size_t)p->large.shape[PS__IMAGE_W] * p->item + 63) & ~(size_t)63;
    size_t windows = ((size_t)p->columns * p->item + 63) & ~(size_t)63;
    if (block != NULL)
        *l = (lines){.line = block,
                     .row = block + line,
                     .windows = block + line + row,
                     .other = block + line + row + windows,
                     .divisors = block + line + row + 2 * windows,
                     .counts = (double *)(void *)(block + line + row + 3 * windows)};
    return line + row + 3 * windows + (size_t)p->columns * sizeof(double);
}

static ps_status run_planes(size_t begin, size_t end, void *arg)
{
    const ps__pooling *p = arg;
    if (p->w->pass == PS__POOL_SPREAD || p->w->pass == PS__POOL_PICK)
        return ps__pool_places(p, begin, end);
    lines l;
    size_t bytes = lay_lines(p, NULL, &l);
    void *block;
    ps_status status = ps_memory_alloc(bytes, &block);
    if (status != PS_OK)
        return status;
    (void)lay_lines(p, block, &l);
    int64_t channels = p->out.shape[PS__IMAGE_C];
    for (int64_t i = (int64_t)begin; i < (int64_t)end; i++)
        run_plane(p, i / channels, i % channels, &l);
    ps_memory_free(block, bytes);
    return PS_OK;
}

static ps_status run_squares(size_t begin, size_t end, void *arg)
{
    return ps__pool_squares(arg, begin, end);
}

/* The lowest number, for the margins of maxima; 0 for those of sums. */
static ps__element neutral_of(const ps__work_pool *w, ps_dtype dtype)
{
    ps__element element = {0};
    double low = w->pass == PS__POOL_LARGEST ? -INFINITY : 0;
    ps__kernels_get()->cast[PS_FLOAT64][dtype](1, &element, &low);
    return element;
}

static void describe(const ps__work_pool *w, const ps__operand *operands, unsigned count,
                     ps__pooling *p)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    ps_dtype dtype = (ps_dtype)operands[0].dtype;
    bool back = w->pass == PS__POOL_SPREAD || w->pass == PS__POOL_SHARE;
    *p = (ps__pooling){.w = w,
                       .out = ps__image_of(&operands[0], w->channels_last),
                       .in = ps__image_of(&operands[1], w->channels_last),
                       .x = ps__image_of(&operands[count > 2 ? 2 : 1], w->channels_last),
                       .item = ps__dtype_bytes(dtype),
                       .dtype = dtype,
                       .add = kernels->map[PS__PRIM_add][dtype][PS__FORM_ALL],
                       .divide = kernels->map[PS__PRIM_divide][dtype][PS__FORM_ALL],
                       .neutral = neutral_of(w, dtype)};
    p->combine =
        w->pass == PS__POOL_LARGEST ? kernels->map[PS__PRIM_maximum][dtype][PS__FORM_ALL] : p->add;
    p->large = back ? p->out : p->in;
    p->rows = (back ? &p->in : &p->out)->shape[PS__IMAGE_H];
    p->columns = (back ? &p->in : &p->out)->shape[PS__IMAGE_W];
    p->log = (unsigned)__builtin_ctzll(p->item);
    p->line = PS__POOL_MAX(w->windows.padding[1] + p->large.shape[PS__IMAGE_W],
                           (p->columns - 1) * w->windows.stride[1] + w->kernel[1]);
}

PS__CPU_RUN(pooling)
{
    ps__pooling p;
    describe((const ps__work_pool *)work, operands, count, &p);
    if (ps__image_count(&p.out) == 0)
        return PS_OK;
    int64_t channels = p.out.shape[PS__IMAGE_N] * p.out.shape[PS__IMAGE_C];
    int64_t each = p.large.shape[PS__IMAGE_H] * p.large.shape[PS__IMAGE_W];
    size_t grain = each >= PIECE ? 1 : (size_t)(PIECE / PS__POOL_MAX(each, 1));
    ps_status status = ps__split_or_wait(lane, (size_t)channels, grain,
                                         ps__pool_is_squares(&p) ? run_squares : run_planes, &p);
    return status == PS_OK
               ? PS_OK
               : ps_task_fail(lane->self, status, "%s: %s", lane->name, ps_last_error());
}
