/* How the parameters and the reserve of recurrent layers are laid out, in elements.
 *
 * Parameters: for each layer, and in it for each direction, the weights of the input (gates x
 * hidden, inputs), then those of the state (gates x hidden, hidden); behind all weights, in the
 * same order, the biases of the input and of the state (gates x hidden each). This is MXNet's
 * order, and cuDNN's.
 *
 * Reserve, which only the way back reads: the states of each layer (steps, batch, directions x
 * hidden); then for each layer and direction of an LSTM or a GRU four gates (steps, batch, 4 x
 * hidden), as ps__cell_step leaves them; then of an LSTM the cells (steps, batch, hidden). */
#ifndef PS_BACKEND_RECURRENT_H
#define PS_BACKEND_RECURRENT_H

#include "backend/work.h"
#include "kernels/cells.h"

enum { PS__CELL_SAVED = 4 }; /* gates in the reserve, of cells that have some */

static inline int64_t ps__cell_gates(uint32_t cell)
{
    return cell == PS__CELL_LSTM ? 4 : cell == PS__CELL_GRU ? 3 : 1;
}

static inline bool ps__cell_has_gates(uint32_t cell)
{
    return cell == PS__CELL_LSTM || cell == PS__CELL_GRU;
}

/* Rows of a weight. */
static inline int64_t ps__recurrent_rows(const ps__work_recurrent *w)
{
    return ps__cell_gates(w->cell) * w->hidden;
}

/* What a layer gives for a step of a sequence. */
static inline int64_t ps__recurrent_width(const ps__work_recurrent *w)
{
    return w->directions * w->hidden;
}

static inline int64_t ps__recurrent_inputs(const ps__work_recurrent *w, int64_t layer)
{
    return layer == 0 ? w->inputs : ps__recurrent_width(w);
}

/* Where the weights of a layer and direction begin; those of the state are behind those of the
 * input. */
static inline int64_t ps__recurrent_weights(const ps__work_recurrent *w, int64_t layer,
                                            int64_t direction)
{
    int64_t rows = ps__recurrent_rows(w), before = 0;
    if (layer > 0)
        before = w->directions * (w->inputs + w->hidden) +
                 (layer - 1) * w->directions * (ps__recurrent_width(w) + w->hidden);
    return rows * (before + direction * (ps__recurrent_inputs(w, layer) + w->hidden));
}

/* The same of biases; those of the layer behind the last: how many parameters there are. */
static inline int64_t ps__recurrent_biases(const ps__work_recurrent *w, int64_t layer,
                                           int64_t direction)
{
    int64_t track = layer * w->directions + direction;
    return ps__recurrent_weights(w, w->layers, 0) + 2 * track * ps__recurrent_rows(w);
}

static inline int64_t ps__recurrent_parameters(const ps__work_recurrent *w)
{
    return ps__recurrent_biases(w, w->layers, 0);
}

/* Where the states of a layer begin in the reserve, and gates and cells of a layer and
 * direction. */
static inline int64_t ps__recurrent_states(const ps__work_recurrent *w, int64_t layer)
{
    return layer * w->steps * w->batch * ps__recurrent_width(w);
}

static inline int64_t ps__recurrent_gates(const ps__work_recurrent *w, int64_t track)
{
    int64_t saved = ps__cell_has_gates(w->cell) ? PS__CELL_SAVED : 0;
    return ps__recurrent_states(w, w->layers) + track * w->steps * w->batch * saved * w->hidden;
}

static inline int64_t ps__recurrent_cells(const ps__work_recurrent *w, int64_t track)
{
    int64_t cells = w->cell == PS__CELL_LSTM ? w->steps * w->batch * w->hidden : 0;
    return ps__recurrent_gates(w, w->layers * w->directions) + track * cells;
}

/* Its elements. */
static inline int64_t ps__recurrent_reserve(const ps__work_recurrent *w)
{
    return ps__recurrent_cells(w, w->layers * w->directions);
}

/* Elements of scratch, forward: what the state brings to a step; with a mask the input of a
 * layer. */
static inline int64_t ps__recurrent_scratch(const ps__work_recurrent *w)
{
    int64_t masked = w->bits & PS__RECURRENT_MASK ? ps__recurrent_states(w, 1) : 0;
    return w->batch * ps__recurrent_rows(w) + masked;
}

/* And back: what flows to a layer's states and, of the layer below it, to those; what flows to
 * what the input and the state have brought; the states before each step; three of one step; the
 * masked input. */
static inline int64_t ps__recurrent_back_scratch(const ps__work_recurrent *w)
{
    int64_t points = w->steps * w->batch, wide = ps__recurrent_width(w), most = wide;
    int64_t sides = w->cell == PS__CELL_GRU ? 2 : 1;
    if (w->bits & PS__RECURRENT_INPUT && w->inputs > most)
        most = w->inputs;
    return points * (2 * wide + most + sides * ps__recurrent_rows(w) + w->hidden + wide) +
           3 * w->batch * w->hidden + ps__recurrent_rows(w);
}

#endif
