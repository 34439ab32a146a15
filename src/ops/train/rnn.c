/* rnn and rnn_backward: recurrent layers over whole sequences, and the way back.
 *
 * A call is one task, in which steps follow each other: a step is a small product and a pass
 * over the gates, of which the queue would know no more than their order. Tensors are brought
 * side by side and to one type before. 16-bit floats are computed as float32, by the same row. */
#include "base/error.h"
#include "kernels/blas.h"
#include "ops/train/recurrent.h"

#include <string.h>

enum { X, PARAMETERS, STATE }; /* of both rows; then */
enum { MODE = 3, CELL, MASK, BIDIRECTIONAL };
enum { BACK_RESERVE = 3, BACK_MODE, BACK_CELL, BACK_MASK, DY, DSTATE, DCELL, BACK_BOTH, INPUT };

enum { RESULTS = 4, FLOWS = 5, OPERANDS = 12 };

static const int64_t nothing = 0; /* the shape of an output that has no meaning */

typedef struct shape_of {
    int ndim;
    const int64_t *shape;
} shape_of;

static shape_of like(const ps_tensor *x)
{
    return x != NULL ? (shape_of){x->ndim, ps__shape(x)} : (shape_of){1, &nothing};
}

static ps_tensor *given(const ps__bound_call *call, unsigned index)
{
    return call->args[index].kind == PS_ARG_TENSOR ? call->args[index].as.tensor : NULL;
}

static void read_tensors(const ps__bound_call *call, unsigned cell, unsigned mask, ps__recurrent *r)
{
    r->x = call->args[X].as.tensor;
    r->parameters = call->args[PARAMETERS].as.tensor;
    r->state = call->args[STATE].as.tensor;
    r->cell = given(call, cell);
    r->mask = given(call, mask);
}

/* ---- 16-bit floats ----------------------------------------------------------------------- */

static bool is_half(ps_dtype dtype)
{
    return PS__SET_HALF >> dtype & 1;
}

/* The arguments with 16-bit floats as float32. */
static void widen(ps__compose *c, ps_arg *args)
{
    for (unsigned i = 0; i < c->call->op->nargs && ps__compose_fine(c); i++) {
        args[i] = c->call->args[i];
        if (args[i].kind == PS_ARG_TENSOR && is_half((ps_dtype)args[i].as.tensor->dtype))
            args[i].as.tensor = ps__compose_cast(c, args[i].as.tensor, PS_FLOAT32);
    }
}

/* The row on float32; all outputs but those of a bit in `wide` become the type. */
static ps_status call_wide(const ps__bound_call *call, ps_dtype dtype, uint32_t wide,
                           const shape_of *shapes)
{
    ps__compose c;
    ps_arg args[PS__ARGS];
    ps_tensor *made[PS__MAP_OUTPUTS];
    unsigned count = (unsigned)call->call->noutputs;
    ps__compose_begin(&c, call);
    for (unsigned i = 0; i < count; i++)
        (void)ps__compose_result_at(&c, i, wide >> i & 1 ? PS_FLOAT32 : dtype, shapes[i].ndim,
                                    shapes[i].shape);
    widen(&c, args);
    ps__compose_several(&c, call->op->row.name, call->op->nargs, args, count, made);
    for (unsigned i = 0; i < count; i++)
        if (!(wide >> i & 1))
            made[i] = ps__compose_cast(&c, made[i], dtype);
    ps__compose_hand_all(&c, made);
    return ps__compose_end(&c);
}

/* ---- queueing ---------------------------------------------------------------------------- */

typedef struct queueing {
    const ps__bound_call *call;
    ps__compose c;
    ps_dtype dtype;
    ps__work_recurrent *work;
    unsigned outputs, inputs;
    ps__output output[FLOWS];
    ps_tensor *input[OPERANDS];
} queueing;

/* The outputs come first: what is refused is refused before anything is queued. */
static void queueing_begin(queueing *q, const ps__bound_call *call, ps__recurrent *r,
                           const shape_of *shapes)
{
    q->call = call;
    q->dtype = r->dtype;
    q->work = &r->work;
    q->outputs = q->inputs = 0;
    ps__compose_begin(&q->c, call);
    for (unsigned i = 0; i < call->call->noutputs && ps__compose_fine(&q->c); i++) {
        q->c.status = ps__output_begin(call, i, q->c.home, r->dtype, shapes[i].ndim,
                                       shapes[i].shape, 0, &q->output[i]);
        q->outputs += ps__compose_fine(&q->c);
    }
}

/* Adds an operand, side by side and of the type; NULL: none. */
static void add_input(queueing *q, ps_tensor *x)
{
    if (x == NULL || !ps__compose_fine(&q->c))
        return;
    x = ps__compose_cast(&q->c, x, q->dtype);
    if (x != NULL && !x->contiguous)
        x = PS__MAKE(&q->c, "copy", ps__arg_tensor(x));
    q->input[q->inputs++] = x;
}

/* The products of one way, and some for the gates. */
static uint64_t cost_of(const queueing *q, int ways)
{
    const ps__work_recurrent *w = q->work;
    double points = (double)w->steps * (double)w->batch * (double)ps__recurrent_rows(w);
    double depth = (double)w->inputs + (double)w->hidden * (double)(2 * w->layers + 1);
    double ns = 1000 + ways * points * (double)w->directions * (depth / 25 + 1);
    return ns < 1e18 ? (uint64_t)ns : (uint64_t)1e18;
}

static ps_status submit(queueing *q, int ways)
{
    if (ps__compose_fine(&q->c))
        q->c.status = ps__submit(&(ps__job){.call = q->call,
                                            .home = q->c.home,
                                            .work = &q->work->head,
                                            .output = q->output,
                                            .outputs = q->outputs,
                                            .input = q->input,
                                            .inputs = q->inputs,
                                            .cost_ns = cost_of(q, ways)});
    q->c.status = ps__outputs_end(q->call, q->output, q->outputs, q->c.status);
    return ps__compose_end(&q->c);
}

/* ---- the rows ---------------------------------------------------------------------------- */

ps_status ps__op_rnn(const ps__bound_call *call)
{
    ps__recurrent r;
    queueing q;
    ps__work_recurrent *w = &r.work;
    read_tensors(call, CELL, MASK, &r);
    ps_status status = ps__recurrent_read(call, call->args[MODE].as.text,
                                          call->args[BIDIRECTIONAL].as.boolean, &r);
    if (status == PS_OK)
        status = ps__blas_check();
    if (status != PS_OK)
        return status;
    int64_t y[3] = {w->steps, w->batch, ps__recurrent_width(w)};
    int64_t reserve = ps__recurrent_reserve(w);
    shape_of shapes[RESULTS] = {{3, y}, like(r.state), like(r.cell), {1, &reserve}};
    if (is_half(r.dtype))
        return call_wide(call, r.dtype, 1u << (RESULTS - 1), shapes);
    w->head.scratch = (uint64_t)ps__recurrent_scratch(w) * ps__dtype_bytes(r.dtype);
    queueing_begin(&q, call, &r, shapes);
    ps_tensor *operands[] = {r.x, r.parameters, r.state, r.cell, r.mask};
    for (unsigned i = 0; i < sizeof operands / sizeof operands[0]; i++)
        add_input(&q, operands[i]);
    return submit(&q, 1);
}

/* What flows to a result, which must be like it. */
static ps_status check_flow(const ps__bound_call *call, unsigned index, int ndim,
                            const int64_t *shape)
{
    const ps_tensor *x = given(call, index);
    if (x == NULL || ps__shape_equal(x->ndim, ps__shape(x), ndim, shape))
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "%s: %s has shape %s, it must be %s", call->op->row.name,
                    call->op->args[index].name, ps__shape_text(x->ndim, ps__shape(x)),
                    ps__shape_text(ndim, shape));
}

static ps_status check_flows(const ps__bound_call *call, const ps__recurrent *r)
{
    const ps__work_recurrent *w = &r->work;
    int64_t y[3] = {w->steps, w->batch, ps__recurrent_width(w)};
    int64_t reserve = ps__recurrent_reserve(w);
    ps_status status = check_flow(call, DY, 3, y);
    if (status == PS_OK)
        status = check_flow(call, DSTATE, 3, ps__shape(r->state));
    if (status == PS_OK && given(call, DCELL) != NULL && r->cell == NULL)
        status = ps__fail(PS_ERR_ARGUMENT, "%s: dcell is given, but mode %s has no cells",
                          call->op->row.name, call->args[BACK_MODE].as.text);
    if (status == PS_OK)
        status = check_flow(call, DCELL, 3, ps__shape(r->state));
    return status == PS_OK ? check_flow(call, BACK_RESERVE, 1, &reserve) : status;
}

static uint32_t bits_of(const ps__bound_call *call)
{
    return (call->args[INPUT].as.boolean ? PS__RECURRENT_INPUT : 0) |
           (given(call, DY) != NULL ? PS__RECURRENT_DY : 0) |
           (given(call, DSTATE) != NULL ? PS__RECURRENT_DSTATE : 0) |
           (given(call, DCELL) != NULL ? PS__RECURRENT_DCELL : 0);
}

ps_status ps__op_rnn_backward(const ps__bound_call *call)
{
    ps__recurrent r;
    queueing q;
    ps__work_recurrent *w = &r.work;
    read_tensors(call, BACK_CELL, BACK_MASK, &r);
    ps_status status = ps__recurrent_read(call, call->args[BACK_MODE].as.text,
                                          call->args[BACK_BOTH].as.boolean, &r);
    if (status == PS_OK)
        status = check_flows(call, &r);
    if (status == PS_OK)
        status = ps__blas_check();
    if (status != PS_OK)
        return status;
    w->head.kind = PS__WORK_RECURRENT_BACK;
    w->bits |= bits_of(call);
    w->head.scratch = (uint64_t)ps__recurrent_back_scratch(w) * ps__dtype_bytes(r.dtype);
    shape_of shapes[FLOWS] = {like(w->bits & PS__RECURRENT_INPUT ? r.x : NULL), like(r.parameters),
                              like(r.state), like(r.cell), like(r.mask)};
    if (is_half(r.dtype))
        return call_wide(call, r.dtype, 0, shapes);
    queueing_begin(&q, call, &r, shapes);
    static const unsigned order[] = {X,         PARAMETERS, STATE,  BACK_RESERVE, BACK_CELL,
                                     BACK_MASK, DY,         DSTATE, DCELL};
    for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
        add_input(&q, given(call, order[i]));
    return submit(&q, 2);
}
