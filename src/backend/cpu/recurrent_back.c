/* The way back through recurrent layers: see PS__WORK_RECURRENT_BACK in work.h.
 *
 * Layers are taken from the last to the first. In one, steps go back in time (recurrent_steps.c): what
 * flows to the state, by a product of what flowed to the gates of the step after, then to the gates.
 * What has flowed to the gates of all steps is kept, so that weights and the input get theirs by one
 * product each. All sums have an order that follows from the shapes alone. */
#include "backend/cpu/recurrent.h"

#include "memory/memory.h"

#include <string.h>

typedef struct backward {
    ps__track track;
    ps__steps steps;
    const char *x, *parameters, *first, *first_cell, *mask;
    char *reserve;
    const char *dlast, *dlast_cell; /* to the last states and cells; or NULL */
    char *dx, *dparameters, *dfirst, *dfirst_cell, *dmask;
    char *dy, *dbelow;            /* scratch: to this layer's states, and below; */
    char *other;                  /* of the second direction; */
    char *dinput, *dsent;         /* to what the input and the state brought; */
    char *before;                 /* the states before each step; */
    char *masked;                 /* the input of a layer; */
    char *dstate, *carry, *dcell; /* of one step; */
    char *part;                   /* of a sum of columns */
} backward;

/* ---- steps ------------------------------------------------------------------------------- */

/* What flowed to the gates of the step after: of the last there is none. */
static ps__rows flows_after(const void *arg, int64_t index)
{
    const backward *b = arg;
    const ps__track *t = &b->track;
    if (index == 0)
        return (ps__rows){NULL, 0};
    int64_t first = ps__track_time(t, t->w->steps - index) * t->w->batch;
    return (ps__rows){b->dsent + first * t->rows * t->item, t->rows};
}

/* What flows to the state of sequence i after a step. */
static const char *flow_of(const backward *b, const ps__step *p, int64_t i)
{
    int64_t item = b->track.item;
    return p->index == 0 ? b->dstate + (i * b->track.w->hidden + p->unit) * item
                         : p->sent + (i - p->row) * p->sent_row * item;
}

/* Before the first step. */
static void to_first(const backward *b, const ps__step *p)
{
    const ps__track *t = &b->track;
    const ps__work_recurrent *w = t->w;
    ps__map_fn add = t->kernels->map[PS__PRIM_add][t->dtype][PS__FORM_ALL];
    int64_t track = (t->layer * w->directions + t->direction) * w->batch;
    for (int64_t i = p->row; i < p->row + p->rows; i++)
        add((size_t)p->units, b->dfirst + ((track + i) * w->hidden + p->unit) * t->item,
            (const void *[]){flow_of(b, p, i), b->carry + (i * w->hidden + p->unit) * t->item});
}

static void to_gates(const backward *b, const ps__step *p, int64_t s)
{
    const ps__track *t = &b->track;
    const ps__work_recurrent *w = t->w;
    int64_t item = t->item, unit = p->unit, hidden = w->hidden;
    ps__rows state = ps__track_states(t, s + 1), cell = ps__track_cells(t, s + 1);
    ps__rows from = ps__track_states(t, s);
    ps__rows before = w->cell == PS__CELL_LSTM ? ps__track_cells(t, s) : from;
    ps__cell_back_fn back = t->cells_of->back[w->cell][t->dtype];
    for (int64_t i = p->row; i < p->row + p->rows; i++) {
        int64_t point = ps__track_time(t, s) * w->batch + i, at = (i * hidden + unit) * item;
        back(&(ps__cell_back){.n = (size_t)p->units,
                              .apart = (size_t)hidden,
                              .gates = t->gates + (point * PS__CELL_SAVED * hidden + unit) * item,
                              .before = before.data + (i * before.stride + unit) * item,
                              .cell = cell.data + (i * cell.stride + unit) * item,
                              .state = state.data + (i * state.stride + unit) * item,
                              .dy = b->dy + (point * t->wide + t->direction * hidden + unit) * item,
                              .dstate = flow_of(b, p, i),
                              .carry = b->carry + at,
                              .dcell = b->dcell + at,
                              .dinput = b->dinput + (point * t->rows + unit) * item,
                              .dsent = b->dsent + (point * t->rows + unit) * item});
        memcpy(b->before + (point * hidden + unit) * item,
               from.data + (i * from.stride + unit) * item, (size_t)(p->units * item));
    }
}

static void back_part(const void *arg, const ps__step *p)
{
    const backward *b = arg;
    int64_t s = b->track.w->steps - 1 - p->index;
    if (s < 0)
        to_first(b, p);
    else
        to_gates(b, p, s);
}

/* What flows to the last state or cell of the track, for the last step; 0 if nothing does. */
static void take_last(const backward *b, char *to, const char *from)
{
    const ps__work_recurrent *w = b->track.w;
    size_t bytes = (size_t)(w->batch * w->hidden * b->track.item);
    size_t at = (size_t)(b->track.layer * w->directions + b->track.direction) * bytes;
    if (from != NULL)
        memcpy(to, from + at, bytes);
    else
        memset(to, 0, bytes);
}

static ps_status back_steps(backward *b)
{
    const ps__track *t = &b->track;
    const ps__work_recurrent *w = t->w;
    int64_t count = w->batch * w->hidden;
    int64_t at = (t->layer * w->directions + t->direction) * count * t->item;
    take_last(b, b->dstate, b->dlast);
    take_last(b, b->dcell, b->dlast_cell);
    memset(b->carry, 0, (size_t)(count * t->item));
    ps_status status = ps__steps_run(&b->steps);
    if (w->cell == PS__CELL_LSTM)
        memcpy(b->dfirst_cell + at, b->dcell, (size_t)(count * t->item));
    return status;
}

/* ---- parameters -------------------------------------------------------------------------- */

enum {
    BLOCK = 32,
    COLUMNS = 512
}; /* rows that are added up before their sum is; columns of a piece */

typedef struct summing {
    const backward *b;
    const char *from;
    char *to;
} summing;

/* Of some columns: sums of blocks of rows, in order. */
static ps_status sum_columns(size_t begin, size_t end, void *arg)
{
    const summing *s = arg;
    const ps__track *t = &s->b->track;
    ps__map_fn add = t->kernels->map[PS__PRIM_add][t->dtype][PS__FORM_ALL];
    int64_t count = t->w->steps * t->w->batch, row = t->rows * t->item;
    size_t n = end - begin, bytes = n * (size_t)t->item, at = begin * (size_t)t->item;
    char *to = s->to + at, *part = s->b->part + at;
    memset(to, 0, bytes);
    for (int64_t i = 0; i < count; i += BLOCK) {
        memcpy(part, s->from + at + i * row, bytes);
        for (int64_t k = i + 1; k < i + BLOCK && k < count; k++)
            add(n, part, (const void *[]){part, s->from + at + k * row});
        add(n, to, (const void *[]){to, part});
    }
    return PS_OK;
}

static char *to_parameter(const backward *b, const char *parameter)
{
    return b->dparameters + (parameter - b->parameters);
}

/* Side 0 is of the input, 1 of the state. Both get the same, but for a GRU. */
static ps_status to_bias(backward *b, int side)
{
    const ps__track *t = &b->track;
    char *to = to_parameter(b, t->biases[side]);
    if (side == 1 && b->dsent == b->dinput) {
        memcpy(to, to_parameter(b, t->biases[0]), (size_t)(t->rows * t->item));
        return PS_OK;
    }
    summing sums = {b, side == 0 ? b->dinput : b->dsent, to};
    return ps__split(t->lane, (size_t)t->rows, COLUMNS, sum_columns, &sums);
}

static ps_status to_weight(backward *b, int side, const char *input, int64_t inputs)
{
    const ps__track *t = &b->track;
    ps_status status = to_bias(b, side);
    if (status != PS_OK)
        return status;
    return ps__track_multiply(t, &(ps__two){.m = t->rows,
                                            .n = inputs,
                                            .k = t->w->steps * t->w->batch,
                                            .a = side == 0 ? b->dinput : b->dsent,
                                            .b = input,
                                            .c = to_parameter(b, t->weights[side]),
                                            .a_row = 1,
                                            .a_column = t->rows,
                                            .b_row = inputs,
                                            .b_column = 1,
                                            .c_row = inputs});
}

/* ---- the input --------------------------------------------------------------------------- */

/* What flows to the input of the layer: that of the second direction is added to that of the
 * first. */
static ps_status to_input(backward *b, char *to)
{
    const ps__track *t = &b->track;
    const ps__work_recurrent *w = t->w;
    int64_t inputs = ps__recurrent_inputs(w, t->layer), points = w->steps * w->batch;
    ps_status status = ps__track_multiply(t, &(ps__two){.m = points,
                                                        .n = inputs,
                                                        .k = t->rows,
                                                        .a = b->dinput,
                                                        .b = t->weights[0],
                                                        .c = t->direction == 0 ? to : b->other,
                                                        .a_row = t->rows,
                                                        .a_column = 1,
                                                        .b_row = inputs,
                                                        .b_column = 1,
                                                        .c_row = inputs});
    if (status != PS_OK || t->direction == 0)
        return status;
    return ps__track_combine(t, PS__PRIM_add, points * inputs, to, to, b->other);
}

static ps_status back_track(backward *b)
{
    const ps__track *t = &b->track;
    const char *input;
    ps_status status = ps__track_input(t, b->x, b->reserve, b->mask, b->masked, &input);
    if (status == PS_OK)
        status = back_steps(b);
    if (status == PS_OK)
        status = to_weight(b, 0, input, ps__recurrent_inputs(t->w, t->layer));
    if (status == PS_OK)
        status = to_weight(b, 1, b->before, t->w->hidden);
    bool wanted = t->layer > 0 || t->w->bits & PS__RECURRENT_INPUT;
    if (status != PS_OK || !wanted)
        return status;
    return to_input(b, t->layer > 0 ? b->dbelow : b->dx);
}

/* What has flowed to the input of a layer, to the factors and to the states of the layer below. */
static ps_status go_below(backward *b)
{
    const ps__track *t = &b->track;
    int64_t count = ps__recurrent_states(t->w, 1), at = (t->layer - 1) * count * t->item;
    char *to = b->dy;
    ps_status status = PS_OK;
    if (b->mask != NULL) {
        status = ps__track_combine(t, PS__PRIM_multiply, count, b->dmask + at, b->dbelow,
                                   b->reserve + ps__recurrent_states(t->w, t->layer - 1) * t->item);
        if (status == PS_OK)
            status =
                ps__track_combine(t, PS__PRIM_multiply, count, b->dbelow, b->dbelow, b->mask + at);
    }
    b->dy = b->dbelow;
    b->dbelow = to;
    return status;
}

static ps_status back_layers(backward *b)
{
    const ps__work_recurrent *w = b->track.w;
    ps_status status = PS_OK;
    for (int64_t layer = w->layers - 1; layer >= 0 && status == PS_OK; layer--) {
        for (int64_t direction = 0; direction < w->directions && status == PS_OK; direction++) {
            ps__track_set(&b->track, layer, direction, b->parameters, b->reserve, b->first,
                          b->first_cell);
            status = back_track(b);
        }
        if (status == PS_OK && layer > 0)
            status = go_below(b);
    }
    return status;
}

static ps_status back_packed(backward *b)
{
    ps_status status = ps__steps_begin(&b->steps, &b->track, PS__STEPS_BACK);
    if (status != PS_OK)
        return ps__track_fail(&b->track, status);
    b->steps.count = b->track.w->steps + 1;
    b->steps.from = flows_after;
    b->steps.step = back_part;
    b->steps.arg = b;
    status = back_layers(b);
    ps__steps_end(&b->steps);
    return status;
}

/* ---- the call ---------------------------------------------------------------------------- */

/* Returns what flows to y, or NULL. */
static const char *read_operands(backward *b, const ps__operand *operands)
{
    const ps__work_recurrent *w = b->track.w;
    b->dx = operands[0].data;
    b->dparameters = operands[1].data;
    b->dfirst = operands[2].data;
    b->dfirst_cell = operands[3].data;
    b->dmask = operands[4].data;
    b->x = operands[5].data;
    b->parameters = operands[6].data;
    b->first = operands[7].data;
    b->reserve = operands[8].data;
    operands += 9;
    b->first_cell = w->cell == PS__CELL_LSTM ? (operands++)->data : NULL;
    b->mask = w->bits & PS__RECURRENT_MASK ? (operands++)->data : NULL;
    const char *dy = w->bits & PS__RECURRENT_DY ? (operands++)->data : NULL;
    b->dlast = w->bits & PS__RECURRENT_DSTATE ? (operands++)->data : NULL;
    b->dlast_cell = w->bits & PS__RECURRENT_DCELL ? operands->data : NULL;
    return dy;
}

/* The next part of the scratch. */
static char *cut(char **at, int64_t bytes)
{
    char *part = *at;
    *at += bytes;
    return part;
}

/* As ps__recurrent_back_scratch counts it. */
static void divide_scratch(backward *b, char *at)
{
    const ps__track *t = &b->track;
    const ps__work_recurrent *w = t->w;
    int64_t points = w->steps * w->batch * t->item, one = w->batch * w->hidden * t->item;
    b->dy = cut(&at, points * t->wide);
    b->dbelow = cut(&at, points * t->wide);
    b->masked = cut(&at, points * t->wide);
    b->dinput = cut(&at, points * t->rows);
    b->dsent = w->cell == PS__CELL_GRU ? cut(&at, points * t->rows) : b->dinput;
    b->before = cut(&at, points * w->hidden);
    b->dstate = cut(&at, one);
    b->carry = cut(&at, one);
    b->dcell = cut(&at, one);
    b->part = cut(&at, t->rows * t->item);
    b->other = at;
}

PS__CPU_RUN(recurrent_back)
{
    (void)count;
    backward b;
    size_t room = (size_t)work->scratch;
    void *scratch;
    ps__track_begin(&b.track, lane, (const ps__work_recurrent *)work, (ps_dtype)operands[1].dtype);
    const char *dy = read_operands(&b, operands);
    if (ps_memory_alloc(room, &scratch) != PS_OK)
        return ps__track_fail(&b.track, PS_ERR_MEMORY);
    divide_scratch(&b, scratch);
    size_t bytes = (size_t)(ps__recurrent_states(b.track.w, 1) * b.track.item);
    if (dy != NULL)
        memcpy(b.dy, dy, bytes);
    else
        memset(b.dy, 0, bytes);
    ps_status status = back_packed(&b);
    ps_memory_free(scratch, room);
    return status;
}
