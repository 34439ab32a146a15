/* Recurrent cells: kernels for one step of one sequence, by the rules of kernels.h. */
#ifndef PS_KERNELS_CELLS_H
#define PS_KERNELS_CELLS_H

#include "kernels/kernels.h"

/* A step of a cell, for n hidden units of one sequence. A unit's gates lie `apart` elements from
 * each other: input, forget, candidate, output of an LSTM; reset, update, candidate of a GRU. */
typedef enum ps__cell_kind {
    PS__CELL_RELU,
    PS__CELL_TANH,
    PS__CELL_LSTM,
    PS__CELL_GRU,
    PS__CELLS
} ps__cell_kind;

typedef struct ps__cell_step {
    size_t n, apart, sent_apart; /* sent_apart: of what the state brings */
    void *gates; /* what the input brings; of an LSTM and a GRU the gates afterwards, and of a GRU
                    behind them what the state has brought to the candidate */
    const void *sent,
        *bias;          /* what the state brings is their sum; `apart` is that of the bias too */
    const void *before; /* the cell of an LSTM, the state of a GRU; others: not read */
    void *cell, *state; /* afterwards; cell: of an LSTM */
} ps__cell_step;

/* The way back: dstate is what flows to the state afterwards, dy + dstate + carry. */
typedef struct ps__cell_back {
    size_t n, apart;
    const void *gates, *before; /* as the step left them, and read them */
    const void *cell, *state;   /* afterwards: of an LSTM; of cells without gates */
    const void *dy, *dstate;
    void *carry;  /* GRU: what flows to the state before beside the gates */
    void *dcell;  /* LSTM: what flows to the cell afterwards, then to that before */
    void *dinput; /* what flows to what the input brought, */
    void *dsent;  /* and to what the state brought; but for a GRU both are one, dinput */
} ps__cell_back;

typedef void (*ps__cell_step_fn)(const ps__cell_step *step);
typedef void (*ps__cell_back_fn)(const ps__cell_back *back);

/* Of float32 and float64, others are NULL. */
typedef struct ps__cell_set {
    ps__cell_step_fn step[PS__CELLS][PS__DTYPES];
    ps__cell_back_fn back[PS__CELLS][PS__DTYPES];
} ps__cell_set;

/* For the set of kernels that was chosen; and by the name of one, or NULL if there is none such. */
const ps__cell_set *ps__cells_get(void);
const ps__cell_set *ps__cells_find(const char *name);

extern const ps__cell_set ps__cells_ref;
#if defined __x86_64__ && defined PENSTOCK_SLEEF
extern const ps__cell_set ps__cells_avx2, ps__cells_avx512;
#endif

#endif
