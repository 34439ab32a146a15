/* Recurrent layers: see PS__WORK_RECURRENT in work.h.
 *
 * What the input brings to all steps of a layer is one product, which is written to where the
 * gates are kept; to each step what its state brings is added, and the gates are applied in place.
 * Where all steps together have few rows, that is one small product for each step; otherwise the
 * weights are packed for all of them (recurrent_steps.c). */
#include "backend/cpu/recurrent.h"

#include "memory/memory.h"

#include <string.h>

enum { FEW_ROWS = 8 };

typedef struct forward {
    ps__track track;
    ps__steps steps;
    const char *x, *parameters, *first, *first_cell, *mask;
    char *y, *last, *last_cell, *reserve;
    char *sent, *masked; /* scratch */
} forward;

/* What the input brings: gates, or in their absence the states, and how far apart rows are. */
static ps__rows brought(const ps__track *t)
{
    if (ps__cell_has_gates(t->w->cell))
        return (ps__rows){t->gates, PS__CELL_SAVED * t->w->hidden};
    return (ps__rows){t->states, t->wide};
}

static ps__rows states_before(const void *arg, int64_t s)
{
    return ps__track_states(&((const forward *)arg)->track, s);
}

static void run_part(const void *arg, const ps__step *p)
{
    const forward *f = arg;
    const ps__track *t = &f->track;
    const ps__work_recurrent *w = t->w;
    ps__rows gates = brought(t), state = ps__track_states(t, p->index + 1);
    ps__rows cell = ps__track_cells(t, p->index + 1);
    ps__rows before =
        w->cell == PS__CELL_LSTM ? ps__track_cells(t, p->index) : ps__track_states(t, p->index);
    int64_t first = ps__track_time(t, p->index) * w->batch;
    ps__cell_step_fn step = t->cells_of->step[w->cell][t->dtype];
    for (int64_t i = p->row; i < p->row + p->rows; i++)
        step(
            &(ps__cell_step){.n = (size_t)p->units,
                             .apart = (size_t)w->hidden,
                             .sent_apart = (size_t)p->sent_apart,
                             .gates = gates.data + ((first + i) * gates.stride + p->unit) * t->item,
                             .sent = p->sent + (i - p->row) * p->sent_row * t->item,
                             .bias = t->biases[1] + p->unit * t->item,
                             .before = before.data + (i * before.stride + p->unit) * t->item,
                             .cell = cell.data + (i * cell.stride + p->unit) * t->item,
                             .state = state.data + (i * state.stride + p->unit) * t->item});
}

/* A step by a product of its own. */
static ps_status run_step(forward *f, int64_t s)
{
    const ps__track *t = &f->track;
    const ps__work_recurrent *w = t->w;
    ps__rows before = ps__track_states(t, s);
    ps_status status = ps__track_multiply(t, &(ps__two){.m = w->batch,
                                                        .n = t->rows,
                                                        .k = w->hidden,
                                                        .a = before.data,
                                                        .b = t->weights[1],
                                                        .c = f->sent,
                                                        .a_row = before.stride,
                                                        .a_column = 1,
                                                        .b_row = 1,
                                                        .b_column = w->hidden,
                                                        .c_row = t->rows});
    if (status == PS_OK)
        run_part(f, &(ps__step){.index = s,
                                .rows = w->batch,
                                .units = w->hidden,
                                .sent = f->sent,
                                .sent_row = t->rows,
                                .sent_apart = w->hidden});
    return status;
}

static bool has_few(const ps__work_recurrent *w)
{
    return w->steps * w->batch < FEW_ROWS;
}

static ps_status run_steps(forward *f)
{
    ps_status status = PS_OK;
    if (!has_few(f->track.w))
        return ps__steps_run(&f->steps);
    for (int64_t s = 0; s < f->track.w->steps && status == PS_OK; s++)
        status = run_step(f, s);
    return status;
}

static ps_status bring_input(forward *f)
{
    const ps__track *t = &f->track;
    const ps__work_recurrent *w = t->w;
    int64_t inputs = ps__recurrent_inputs(w, t->layer);
    ps__rows to = brought(t);
    const char *input;
    ps_status status = ps__track_input(t, f->x, f->reserve, f->mask, f->masked, &input);
    if (status != PS_OK)
        return status;
    return ps__track_multiply(t, &(ps__two){.m = w->steps * w->batch,
                                            .n = t->rows,
                                            .k = inputs,
                                            .a = input,
                                            .b = t->weights[0],
                                            .c = to.data,
                                            .bias = t->biases[0],
                                            .a_row = inputs,
                                            .a_column = 1,
                                            .b_row = 1,
                                            .b_column = inputs,
                                            .c_row = to.stride});
}

static ps_status run_track(forward *f)
{
    const ps__track *t = &f->track;
    const ps__work_recurrent *w = t->w;
    int64_t at = (t->layer * w->directions + t->direction) * w->batch * w->hidden * t->item;
    ps_status status = bring_input(f);
    if (status == PS_OK)
        status = run_steps(f);
    ps__track_copy(t, (ps__rows){f->last + at, w->hidden}, ps__track_states(t, w->steps));
    if (w->cell == PS__CELL_LSTM)
        ps__track_copy(t, (ps__rows){f->last_cell + at, w->hidden}, ps__track_cells(t, w->steps));
    return status;
}

static ps_status run_layers(forward *f)
{
    const ps__work_recurrent *w = f->track.w;
    ps_status status = PS_OK;
    for (int64_t layer = 0; layer < w->layers; layer++)
        for (int64_t direction = 0; direction < w->directions && status == PS_OK; direction++) {
            ps__track_set(&f->track, layer, direction, f->parameters, f->reserve, f->first,
                          f->first_cell);
            status = run_track(f);
        }
    int64_t item = f->track.item;
    if (status == PS_OK)
        memcpy(f->y, f->reserve + ps__recurrent_states(w, w->layers - 1) * item,
               (size_t)(ps__recurrent_states(w, 1) * item));
    return status;
}

static ps_status run_packed(forward *f)
{
    ps_status status = ps__steps_begin(&f->steps, &f->track, PS__STEPS_FORWARD);
    if (status != PS_OK)
        return ps__track_fail(&f->track, status);
    f->steps.count = f->track.w->steps;
    f->steps.from = states_before;
    f->steps.step = run_part;
    f->steps.arg = f;
    status = run_layers(f);
    ps__steps_end(&f->steps);
    return status;
}

static void read_operands(forward *f, const ps__operand *operands)
{
    const ps__work_recurrent *w = f->track.w;
    f->y = operands[0].data;
    f->last = operands[1].data;
    f->last_cell = operands[2].data;
    f->reserve = operands[3].data;
    f->x = operands[4].data;
    f->parameters = operands[5].data;
    f->first = operands[6].data;
    operands += 7;
    f->first_cell = w->cell == PS__CELL_LSTM ? (operands++)->data : NULL;
    f->mask = w->bits & PS__RECURRENT_MASK ? operands->data : NULL;
}

PS__CPU_RUN(recurrent)
{
    (void)count;
    forward f;
    size_t room = (size_t)work->scratch;
    void *scratch;
    ps__track_begin(&f.track, lane, (const ps__work_recurrent *)work, (ps_dtype)operands[0].dtype);
    read_operands(&f, operands);
    if (ps_memory_alloc(room, &scratch) != PS_OK)
        return ps__track_fail(&f.track, PS_ERR_MEMORY);
    f.sent = scratch;
    f.masked = f.sent + f.track.w->batch * f.track.rows * f.track.item;
    ps_status status = has_few(f.track.w) ? run_layers(&f) : run_packed(&f);
    ps_memory_free(scratch, room);
    return status;
}
