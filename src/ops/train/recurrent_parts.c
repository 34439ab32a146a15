/* What rnn stands for, as rows: one product for what the input brings to all steps of a layer,
 * and for each step one product and the gates. */
#include "ops/train/recurrent.h"

#include "base/alloc.h"
#include "base/error.h"

/* Tensors that outlast the temporaries of a step. */
typedef struct parts {
    ps__compose *c;
    const ps__recurrent *r;
    ps_tensor **steps; /* the states of a layer in one direction, by time; */
    ps_tensor **last;  /* the last state of each layer and direction, */
    ps_tensor **cells; /* and cell */
} parts;

/* Puts a reference to x into a slot. */
static void put(parts *p, ps_tensor **slot, ps_tensor *x)
{
    if (!ps__compose_fine(p->c))
        return;
    p->c->status = ps_tensor_retain(x);
    if (ps__compose_fine(p->c)) {
        ps_tensor_release(*slot);
        *slot = x;
    }
}

static ps_arg weight_at(parts *p, int64_t at, int64_t rows, int64_t columns)
{
    ps_tensor *flat = ps__compose_narrow(p->c, p->r->parameters, 0, at, rows * columns);
    return PS__MADE(p->c, "reshape", ps__arg_tensor(flat),
                    ps__arg_ints(2, (int64_t[]){rows, columns}));
}

static ps_arg bias_at(parts *p, int64_t at, int64_t rows)
{
    return ps__arg_tensor(ps__compose_narrow(p->c, p->r->parameters, 0, at, rows));
}

static ps_tensor *product(parts *p, ps_tensor *x, ps_arg weight, ps_arg bias)
{
    return PS__MAKE(p->c, "matmul", ps__arg_tensor(x), weight, ps__arg_bool(false),
                    ps__arg_bool(true), bias);
}

/* The state after a step. *cell is that of an LSTM. */
static ps_tensor *step(parts *p, ps_tensor *brought, ps_tensor *sent, ps_tensor *state,
                       ps_tensor **cell)
{
    static const char *const plain[] = {[PS__CELL_RELU] = "relu", [PS__CELL_TANH] = "tanh"};
    ps_arg both[2] = {ps__arg_tensor(brought), ps__arg_tensor(sent)};
    uint32_t kind = p->r->work.cell;
    if (kind == PS__CELL_GRU)
        return PS__MAKE(p->c, "gru_gates", both[0], both[1], ps__arg_tensor(state));
    ps_arg sum = PS__MADE(p->c, "add", both[0], both[1]);
    if (kind != PS__CELL_LSTM)
        return PS__MAKE(p->c, plain[kind], sum);
    ps_tensor *made[2];
    ps__compose_several(p->c, "lstm_gates", PS__ARG_LIST(sum, ps__arg_tensor(*cell)), 2, made);
    *cell = made[1];
    return made[0];
}

/* All steps of a layer in one direction; the states by time, (steps, batch, hidden). */
static ps_tensor *run_track(parts *p, ps_tensor *x, int64_t layer, int64_t direction)
{
    const ps__work_recurrent *w = &p->r->work;
    int64_t rows = ps__recurrent_rows(w), inputs = ps__recurrent_inputs(w, layer);
    int64_t at = ps__recurrent_weights(w, layer, direction);
    int64_t bias = ps__recurrent_biases(w, layer, direction),
            track = layer * w->directions + direction;
    ps_arg own = weight_at(p, at + rows * inputs, rows, w->hidden);
    ps_arg own_bias = bias_at(p, bias + rows, rows);
    ps_tensor *brought = product(p, x, weight_at(p, at, rows, inputs), bias_at(p, bias, rows));
    ps_tensor **last = &p->last[track], **cell = &p->cells[track];
    put(p, last, ps__compose_at(p->c, p->r->state, 0, track));
    if (w->cell == PS__CELL_LSTM)
        put(p, cell, ps__compose_at(p->c, p->r->cell, 0, track));
    for (int64_t s = 0; s < w->steps && ps__compose_fine(p->c); s++) {
        unsigned count = p->c->count;
        int64_t time = direction == 0 ? s : w->steps - 1 - s;
        ps_tensor *sent = product(p, *last, own, own_bias), *next = *cell;
        ps_tensor *state = step(p, ps__compose_at(p->c, brought, 0, time), sent, *last, &next);
        put(p, &p->steps[time], state);
        put(p, last, state);
        if (w->cell == PS__CELL_LSTM)
            put(p, cell, next);
        ps__compose_return(p->c, count);
    }
    ps_arg list = {.kind = PS_ARG_TENSORS, .count = (uint32_t)w->steps, .as.tensors = p->steps};
    return PS__MAKE(p->c, "stack", list);
}

/* Gives up what was made since there were `count`, but for x. */
static ps_tensor *only(ps__compose *c, unsigned count, ps_tensor *x)
{
    if (x == NULL || !ps__compose_fine(c) || (c->status = ps_tensor_retain(x)) != PS_OK)
        return NULL;
    ps__compose_return(c, count);
    return ps__compose_own(c, x);
}

/* The input of the layer above. */
static ps_tensor *run_layer(parts *p, ps_tensor *x, int64_t layer)
{
    const ps__work_recurrent *w = &p->r->work;
    ps_tensor *sides[2] = {NULL, NULL};
    if (layer > 0 && p->r->mask != NULL)
        x = PS__MAKE(p->c, "multiply", ps__arg_tensor(x),
                     ps__arg_tensor(ps__compose_at(p->c, p->r->mask, 0, layer - 1)));
    for (int64_t direction = 0; direction < w->directions; direction++) {
        unsigned count = p->c->count;
        sides[direction] = only(p->c, count, run_track(p, x, layer, direction));
    }
    if (w->directions == 1)
        return sides[0];
    ps_arg list = {.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = sides};
    return PS__MAKE(p->c, "concatenate", list, ps__arg_int(2));
}

static void run(parts *p, ps_tensor *results[3])
{
    const ps__work_recurrent *w = &p->r->work;
    uint32_t tracks = (uint32_t)(w->layers * w->directions);
    ps_tensor *x = p->r->x;
    unsigned count = p->c->count;
    for (int64_t layer = 0; layer < w->layers && ps__compose_fine(p->c); layer++)
        x = only(p->c, count, run_layer(p, x, layer));
    results[0] = x;
    ps_arg last = {.kind = PS_ARG_TENSORS, .count = tracks, .as.tensors = p->last};
    results[1] = PS__MAKE(p->c, "stack", last);
    last.as.tensors = p->cells;
    results[2] = w->cell == PS__CELL_LSTM ? PS__MAKE(p->c, "stack", last) : NULL;
}

void ps__recurrent_by_parts(ps__compose *c, const ps__recurrent *r, ps_tensor *results[3])
{
    size_t steps = (size_t)r->work.steps, tracks = (size_t)(r->work.layers * r->work.directions);
    size_t all = steps + 2 * tracks;
    ps_tensor **list = ps__compose_fine(c) ? ps__calloc(all + 1, sizeof list[0]) : NULL;
    results[0] = results[1] = results[2] = NULL;
    if (list == NULL && ps__compose_fine(c))
        c->status =
            ps__fail(PS_ERR_MEMORY, "%s: no memory for %zu tensors", c->call->op->row.name, all);
    if (list == NULL)
        return;
    parts p = {c, r, list, list + steps, list + steps + tracks};
    run(&p, results);
    for (size_t i = 0; i < all; i++)
        ps_tensor_release(list[i]);
    ps__free(list);
}
