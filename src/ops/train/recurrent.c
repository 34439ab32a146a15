/* What recurrent layers are called with: sizes, and whether they fit. */
#include "ops/train/recurrent.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

#define TEXT(tensor) ps__shape_text((tensor)->ndim, ps__shape(tensor))

ps__cell_kind ps__recurrent_cell(const char *mode)
{
    static const char *const modes[PS__CELLS] = {[PS__CELL_RELU] = "rnn_relu",
                                                 [PS__CELL_TANH] = "rnn_tanh",
                                                 [PS__CELL_LSTM] = "lstm",
                                                 [PS__CELL_GRU] = "gru"};
    ps__cell_kind cell = PS__CELL_RELU;
    while (strcmp(modes[cell], mode) != 0)
        cell++;
    return cell;
}

static ps_status check_type(const ps__bound_call *call, ps__recurrent *r)
{
    const ps_tensor *all[] = {r->x, r->parameters, r->state, r->cell, r->mask};
    r->dtype = (ps_dtype)r->x->dtype;
    for (unsigned i = 1; i < sizeof all / sizeof all[0]; i++)
        if (all[i] != NULL)
            r->dtype = ps__promote(r->dtype, (ps_dtype)all[i]->dtype);
    if (PS__SET_FLOAT >> r->dtype & 1)
        return PS_OK;
    return ps__fail(PS_ERR_TYPE, "%s: no rule for %s", call->op->row.name,
                    ps__dtypes[r->dtype].name);
}

static ps_status check_ranks(const ps__bound_call *call, const ps__recurrent *r)
{
    const char *name = call->op->row.name;
    if (r->x->ndim != 3)
        return ps__fail(PS_ERR_ARGUMENT, "%s: x has shape %s, not (steps, batch, inputs)", name,
                        TEXT(r->x));
    if (r->state->ndim != 3)
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: state has shape %s, not (layers x directions, batch, hidden)", name,
                        TEXT(r->state));
    return PS_OK;
}

static ps_status check_state(const ps__bound_call *call, const ps__recurrent *r)
{
    const ps__work_recurrent *w = &r->work;
    const int64_t *state = ps__shape(r->state);
    const char *name = call->op->row.name;
    if (state[0] < 1 || state[0] % w->directions != 0 || state[2] < 1)
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: state has shape %s: no layers of %" PRId64 " directions with hidden "
                        "units",
                        name, TEXT(r->state), w->directions);
    if (state[1] != w->batch)
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: x has shape %s and state %s: batches of %" PRId64 " and %" PRId64,
                        name, TEXT(r->x), TEXT(r->state), w->batch, state[1]);
    if ((r->cell != NULL) != (w->cell == PS__CELL_LSTM))
        return ps__fail(PS_ERR_ARGUMENT, "%s: mode %s and %s cell: lstm takes one, others do not",
                        name, w->cell == PS__CELL_LSTM ? "lstm" : "other than lstm",
                        r->cell != NULL ? "a" : "no");
    if (r->cell != NULL && !ps__shape_equal(r->cell->ndim, ps__shape(r->cell), 3, state))
        return ps__fail(PS_ERR_ARGUMENT, "%s: cell has shape %s, state %s", name, TEXT(r->cell),
                        TEXT(r->state));
    return PS_OK;
}

static ps_status check_mask(const ps__bound_call *call, const ps__recurrent *r)
{
    const ps__work_recurrent *w = &r->work;
    int64_t shape[4] = {w->layers - 1, w->steps, w->batch, ps__recurrent_width(w)};
    if (r->mask == NULL || ps__shape_equal(r->mask->ndim, ps__shape(r->mask), 4, shape))
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "%s: mask has shape %s, between %" PRId64 " layers it is %s",
                    call->op->row.name, TEXT(r->mask), w->layers, ps__shape_text(4, shape));
}

/* What is computed on the way can be counted, too. */
static ps_status check_room(const ps__bound_call *call, const ps__recurrent *r)
{
    const ps__work_recurrent *w = &r->work;
    int64_t count, shape[4] = {16 * w->layers * w->directions, w->steps, w->batch, w->hidden};
    return ps__shape_check(call->op->row.name, PS_FLOAT64, 4, shape, &count);
}

static ps_status check_parameters(const ps__bound_call *call, const ps__recurrent *r)
{
    const ps__work_recurrent *w = &r->work;
    double rows = (double)ps__recurrent_rows(w);
    double most = rows * (double)w->layers * (double)w->directions *
                  ((double)w->inputs + (double)ps__recurrent_width(w) + (double)w->hidden + 2);
    int64_t count = most < 0x1p62 ? ps__recurrent_parameters(w) : INT64_MAX;
    if (r->parameters->ndim == 1 && r->parameters->count == count)
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT,
                    "%s: parameters have shape %s; %" PRId64 " layers of %" PRId64
                    " directions, %" PRId64 " inputs and %" PRId64 " hidden units need %s",
                    call->op->row.name, TEXT(r->parameters), w->layers, w->directions, w->inputs,
                    w->hidden, ps__shape_text(1, &count));
}

ps_status ps__recurrent_read(const ps__bound_call *call, const char *mode, bool both,
                             ps__recurrent *r)
{
    ps_status status = check_type(call, r);
    if (status == PS_OK)
        status = check_ranks(call, r);
    if (status != PS_OK)
        return status;
    const int64_t *x = ps__shape(r->x), *state = ps__shape(r->state);
    int64_t directions = both ? 2 : 1;
    r->work = (ps__work_recurrent){.head = PS__WORK_HEAD(RECURRENT, ps__work_recurrent),
                                   .cell = ps__recurrent_cell(mode),
                                   .bits = r->mask != NULL ? PS__RECURRENT_MASK : 0,
                                   .steps = x[0],
                                   .batch = x[1],
                                   .inputs = x[2],
                                   .hidden = state[2],
                                   .layers = state[0] / directions,
                                   .directions = directions};
    status = check_state(call, r);
    if (status == PS_OK)
        status = check_room(call, r);
    if (status == PS_OK)
        status = check_parameters(call, r);
    return status == PS_OK ? check_mask(call, r) : status;
}
