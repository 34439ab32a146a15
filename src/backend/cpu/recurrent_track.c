/* Layers of recurrent cells in one direction: see recurrent.h. */
#include "backend/cpu/recurrent.h"

#include <string.h>

enum { PIECE = 1 << 14 }; /* elements that are worth a thread */

void ps__track_begin(ps__track *t, const ps__lane *lane, const ps__work_recurrent *w,
                     ps_dtype dtype)
{
    *t = (ps__track){.lane = lane,
                     .w = w,
                     .kernels = ps__kernels_get(),
                     .cells_of = ps__cells_get(),
                     .dtype = dtype,
                     .item = (int64_t)ps__dtype_bytes(dtype),
                     .rows = ps__recurrent_rows(w),
                     .wide = ps__recurrent_width(w)};
}

void ps__track_set(ps__track *t, int64_t layer, int64_t direction, const char *parameters,
                   char *reserve, const char *first, const char *first_cell)
{
    const ps__work_recurrent *w = t->w;
    int64_t track = layer * w->directions + direction, state = w->batch * w->hidden * t->item;
    t->layer = layer;
    t->direction = direction;
    t->weights[0] = parameters + ps__recurrent_weights(w, layer, direction) * t->item;
    t->weights[1] = t->weights[0] + t->rows * ps__recurrent_inputs(w, layer) * t->item;
    t->biases[0] = parameters + ps__recurrent_biases(w, layer, direction) * t->item;
    t->biases[1] = t->biases[0] + t->rows * t->item;
    t->states = reserve + (ps__recurrent_states(w, layer) + direction * w->hidden) * t->item;
    t->gates = reserve + ps__recurrent_gates(w, track) * t->item;
    t->cells = reserve + ps__recurrent_cells(w, track) * t->item;
    t->first = first + track * state;
    t->first_cell = first_cell != NULL ? first_cell + track * state : NULL;
}

ps_status ps__track_fail(const ps__track *t, ps_status status)
{
    return ps_task_fail(t->lane->self, status, "%s: %s", t->lane->name, ps_last_error());
}

ps__rows ps__track_states(const ps__track *t, int64_t s)
{
    if (s == 0)
        return (ps__rows){(char *)t->first, t->w->hidden};
    int64_t at = ps__track_time(t, s - 1) * t->w->batch * t->wide;
    return (ps__rows){t->states + at * t->item, t->wide};
}

ps__rows ps__track_cells(const ps__track *t, int64_t s)
{
    if (s == 0)
        return (ps__rows){(char *)t->first_cell, t->w->hidden};
    int64_t at = ps__track_time(t, s - 1) * t->w->batch * t->w->hidden;
    return (ps__rows){t->cells + at * t->item, t->w->hidden};
}

ps_status ps__track_multiply(const ps__track *t, const ps__two *two)
{
    ps__gemm gemm = {.dtype = t->dtype,
                     .m = two->m,
                     .n = two->n,
                     .k = two->k,
                     .a = two->a,
                     .b = two->b,
                     .c = two->c,
                     .a_row = two->a_row,
                     .a_column = two->a_column,
                     .b_row = two->b_row,
                     .b_column = two->b_column,
                     .c_row = two->c_row,
                     .bias = two->bias};
    return two->m == 0 || two->n == 0 ? PS_OK : ps__multiply(t->lane, &gemm);
}

/* ---- elements ---------------------------------------------------------------------------- */

typedef struct combining {
    ps__map_fn map;
    int64_t item;
    char *out;
    const char *a, *b;
} combining;

static ps_status combine_piece(size_t begin, size_t end, void *arg)
{
    const combining *c = arg;
    int64_t at = (int64_t)begin * c->item;
    c->map(end - begin, c->out + at, (const void *[]){c->a + at, c->b + at});
    return PS_OK;
}

ps_status ps__track_combine(const ps__track *t, ps__prim prim, int64_t count, char *out,
                            const char *a, const char *b)
{
    combining c = {t->kernels->map[prim][t->dtype][PS__FORM_ALL], t->item, out, a, b};
    return ps__split(t->lane, (size_t)count, PIECE, combine_piece, &c);
}

void ps__track_copy(const ps__track *t, ps__rows to, ps__rows from)
{
    for (int64_t i = 0; i < t->w->batch; i++)
        memcpy(to.data + i * to.stride * t->item, from.data + i * from.stride * t->item,
               (size_t)(t->w->hidden * t->item));
}

ps_status ps__track_input(const ps__track *t, const char *x, const char *reserve, const char *mask,
                          char *masked, const char **input)
{
    *input = x;
    if (t->layer == 0)
        return PS_OK;
    int64_t count = ps__recurrent_states(t->w, 1);
    const char *below = reserve + ps__recurrent_states(t->w, t->layer - 1) * t->item;
    *input = mask != NULL ? masked : below;
    if (mask == NULL || t->direction > 0) /* done for the other direction */
        return PS_OK;
    return ps__track_combine(t, PS__PRIM_multiply, count, masked, below,
                             mask + (t->layer - 1) * count * t->item);
}
