/* Calls of elementwise rows.
 *
 * The usual call, tensors of one shape that lie side by side, goes through without looking at
 * dimensions: the space is then one long row. */
#include "base/error.h"
#include "ops/at_once.h"
#include "ops/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { OPERANDS = PS__MAP_OUTPUTS + PS__MAP_ARGS };
enum { FEW = 4 }; /* operands whose strides are kept in less room */

/* Rows with one output, nearly all, have code of their own, in which that is a constant. */
#define INLINE static inline __attribute__((always_inline))

/* ---- describing -------------------------------------------------------------------------- */

typedef struct calling {
    const ps__bound_call *call;
    const ps__map_options *options;
    unsigned nargs;
    ps_tensor *tensors[PS__MAP_ARGS]; /* of each argument; NULL: a number */
    unsigned outputs;
    const ps__plan *plan;
    int ndim;
    int64_t shape[PS_DIMS_MAX];
    bool alike; /* all tensors have that shape and lie side by side */
    const ps__home *home;
} calling;

static ps_status collect(calling *c, ps__operand_type *types)
{
    ps_tensor *first = NULL;
    c->nargs = c->call->op->operands;
    c->outputs = (unsigned)c->call->op->row.outputs;
    c->alike = true;
    for (unsigned a = 0; a < c->nargs; a++) {
        const ps_arg *arg = &c->call->args[a];
        ps_tensor *tensor = c->tensors[a] = arg->kind == PS_ARG_TENSOR ? arg->as.tensor : NULL;
        types[a] = tensor != NULL ? (ps__operand_type){false, tensor->dtype}
                                  : (ps__operand_type){true, (uint8_t)arg->as.scalar.tag};
        if (tensor == NULL)
            continue;
        if (first == NULL)
            first = tensor;
        c->alike &= tensor->contiguous &&
                    ps__shape_equal(first->ndim, ps__shape(first), tensor->ndim, ps__shape(tensor));
        if (PS_UNLIKELY(!ps__homes_meet(tensor->home, first->home)))
            return ps__common_home(c->call, &c->home); /* words the error */
    }
    if (first == NULL) {
        c->ndim = 0;
        return ps__common_home(c->call, &c->home);
    }
    c->home = first->home;
    c->ndim = first->ndim;
    memcpy(c->shape, ps__shape(first), (size_t)first->ndim * sizeof c->shape[0]);
    return PS_OK;
}

static ps_status refuse_broadcast(const calling *c)
{
    char text[512];
    size_t at = 0;
    text[0] = '\0';
    for (unsigned a = 0; a < c->nargs; a++)
        if (c->tensors[a] != NULL && at < sizeof text - 200)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", at == 0 ? "" : " and ",
                                   ps__shape_text(c->tensors[a]->ndim, ps__shape(c->tensors[a])));
    return ps__fail(PS_ERR_ARGUMENT, "%s: shapes %s do not fit together", c->call->op->row.name,
                    text);
}

/* To the shape of the output. */
static ps_status broadcast_to_output(calling *c)
{
    const ps_tensor *into = c->call->call->outputs[0];
    int ndim = c->ndim;
    bool fits = ndim <= into->ndim;
    for (int i = 1; fits && i <= ndim; i++)
        fits = c->shape[ndim - i] == 1 || c->shape[ndim - i] == ps__shape(into)[into->ndim - i];
    if (!fits)
        return ps__fail(PS_ERR_ARGUMENT, "%s: shape %s cannot be written into shape %s",
                        c->call->op->row.name, ps__shape_text(ndim, c->shape),
                        ps__shape_text(into->ndim, ps__shape(into)));
    c->alike &= ps__shape_equal(ndim, c->shape, into->ndim, ps__shape(into));
    c->ndim = into->ndim;
    memcpy(c->shape, ps__shape(into), (size_t)into->ndim * sizeof c->shape[0]);
    return PS_OK;
}

static ps_status broadcast(calling *c)
{
    for (unsigned a = 0; a < c->nargs; a++)
        if (c->tensors[a] != NULL &&
            !ps__shape_broadcast(&c->ndim, c->shape, c->tensors[a]->ndim, ps__shape(c->tensors[a])))
            return refuse_broadcast(c);
    int64_t count;
    return ps__shape_check(c->call->op->row.name, c->plan->result, c->ndim, c->shape, &count);
}

/* A single output that is given is converted to in the same pass. */
static ps_status find_plan(calling *c, const ps__operand_type *types)
{
    const ps_op *op = c->call->op;
    const ps_tensor *into = c->call->call->outputs[0];
    if (c->options->convert)
        return ps__plan_get(op, types, into != NULL ? into->dtype : (int)c->options->dtype,
                            &c->plan);
    ps_status status = ps__plan_get(op, types, -1, &c->plan);
    if (status != PS_OK || into == NULL || into->dtype == (uint8_t)c->plan->result ||
        c->outputs != 1)
        return status;
    status = ps__output_type(c->call, c->plan->result, (ps_dtype)into->dtype);
    return status == PS_OK ? ps__plan_get(op, types, into->dtype, &c->plan) : status;
}

INLINE ps_status store_constant(const calling *c, unsigned a, ps__element *element)
{
    const ps_scalar *scalar = &c->call->args[a].as.scalar;
    if (PS_UNLIKELY(c->plan->program.types[a] != PS_FLOAT32 || c->plan->common != PS_FLOAT32 ||
                    (scalar->tag != PS_SCALAR_DOUBLE && scalar->tag != PS_SCALAR_INT64)))
        return ps__plan_constant(c->call->op, c->plan, a, *scalar, element);
    *element = (ps__element){{0}};
    float f = scalar->tag == PS_SCALAR_DOUBLE ? (float)scalar->as.d : (float)scalar->as.i;
    memcpy(element, &f, sizeof f);
    return PS_OK;
}

/* ---- spaces ------------------------------------------------------------------------------ */

/* The strides of a tensor over the space of the call, in bytes. */
static void spread_strides(const ps_tensor *tensor, int ndim, const int64_t *shape,
                           int64_t *strides)
{
    int lead = ndim - tensor->ndim;
    int64_t bytes = (int64_t)ps__dtype_bytes(tensor->dtype);
    for (int i = 0; i < ndim; i++) {
        bool broadcast_here = i < lead || (ps__shape(tensor)[i - lead] == 1 && shape[i] != 1);
        strides[i] = broadcast_here ? 0 : ps__strides(tensor)[i - lead] * bytes;
    }
}

/* ---- operands ---------------------------------------------------------------------------- */

/* The operands of the work: outputs, then inputs. An input that is the same elements as an output
 * is not there a second time. */
typedef struct operands {
    ps_tensor *tensor[OPERANDS];
    unsigned count;
} operands;

/* The output that argument `arg` is, or the number of outputs. */
INLINE unsigned same_output(unsigned outputs, const ps__output *output, unsigned arg)
{
    unsigned o = 0;
    while (o < outputs && !(output[o].same >> arg & 1))
        o++;
    return o;
}

/* Also says where each argument comes from. */
INLINE void choose_operands(const calling *c, unsigned outputs, const ps__output *output,
                            operands *q, ps__work_map *work)
{
    unsigned constants = 0;
    memset(work->source, 0, sizeof work->source);
    for (unsigned o = 0; o < outputs; o++)
        q->tensor[o] = output[o].tensor;
    q->count = outputs;
    for (unsigned a = 0; a < c->nargs; a++) {
        ps_tensor *tensor = c->tensors[a];
        if (tensor == NULL) {
            work->source[a] = (uint8_t)(PS__CONSTANT | constants++);
            continue;
        }
        unsigned o = same_output(outputs, output, a);
        work->source[a] = (uint8_t)(o < outputs ? o : q->count);
        if (o == outputs)
            q->tensor[q->count++] = tensor;
    }
    work->constants = (uint8_t)constants;
}

/* The space of a call and its operands' strides over it, unless they are all dense. */
typedef int64_t stride_row[PS_DIMS_MAX];

typedef struct spacing {
    int ndim;
    int64_t shape[PS_DIMS_MAX];
    stride_row *strides; /* of each operand */
} spacing;

static void find_space(const calling *c, const operands *q, spacing *s)
{
    memcpy(s->shape, c->shape, (size_t)c->ndim * sizeof s->shape[0]);
    for (unsigned o = 0; o < q->count; o++)
        spread_strides(q->tensor[o], c->ndim, c->shape, s->strides[o]);
    s->ndim = ps__space_collapse(c->ndim, s->shape, q->count, s->strides);
}

/* ---- work -------------------------------------------------------------------------------- */

typedef struct map_room {
    ps__work_map map;
    ps__element constants[PS__MAP_ARGS];
} map_room;

_Static_assert(offsetof(map_room, constants) == sizeof(ps__work_map), "constants follow");

INLINE bool all_dense(const calling *c, unsigned outputs, const ps__output *output)
{
    bool dense = c->alike;
    for (unsigned o = 0; o < outputs; o++)
        dense &= output[o].tensor->contiguous;
    return dense;
}

/* All that running it at the call takes. */
INLINE ps_status describe_map(const calling *c, unsigned outputs, const ps__output *output,
                              map_room *room)
{
    ps__work_map *work = &room->map;
    work->head.kind = PS__WORK_MAP;
    work->program = &c->plan->program;
    work->count = output[0].tensor->count;
    work->dense = all_dense(c, outputs, output);
    for (unsigned a = 0, at = 0; at < work->constants; a++) {
        if (c->tensors[a] != NULL)
            continue;
        ps_status status = store_constant(c, a, &room->constants[at++]);
        if (PS_UNLIKELY(status != PS_OK))
            return status;
    }
    return PS_OK;
}

/* And what a description that is kept must have. */
static void complete(ps__work_map *work)
{
    work->head.bytes = (uint32_t)(sizeof *work + work->constants * sizeof(ps__element));
    work->head.scratch = 0;
    memset(work->spare, 0, sizeof work->spare);
}

/* s is NULL for dense work. */
static ps_status submit_map(const calling *c, const ps__output *outputs, const operands *q,
                            const spacing *s, map_room *room)
{
    ps__work_map *work = &room->map;
    complete(work);
    ps__spread over = {1, &work->count, NULL};
    if (s != NULL)
        over = (ps__spread){s->ndim, s->shape, s->strides};
    return ps__submit(
        &(ps__job){.call = c->call,
                   .home = c->home,
                   .work = &work->head,
                   .output = outputs,
                   .outputs = c->outputs,
                   .input = q->tensor + c->outputs,
                   .inputs = q->count - c->outputs,
                   .spread = &over,
                   .cost_ns = 20 + (uint64_t)((float)work->count * c->plan->program.whole_cost),
                   .elements = work->count});
}

/* ---- at the call ------------------------------------------------------------------------- */

/* Strided elements of a large storage may all be out of the caches: the estimate is wrong then. */
static bool is_near(const operands *q)
{
    for (unsigned o = 0; o < q->count; o++)
        if (q->tensor[o]->storage->bytes > PS__AT_ONCE_NEAR)
            return false;
    return true;
}

INLINE float short_cost(const calling *c, const ps__work_map *work)
{
    return (float)work->count * c->plan->program.cost;
}

/* Short enough that queueing would cost more. What may be fused is not: it gains by that. */
INLINE bool is_short(const calling *c, unsigned outputs, const ps__work_map *work)
{
    return outputs == 1 && work->count < PS__FUSE_LEAST && work->count > 0 && c->home->host &&
           short_cost(c, work) <= PS__AT_ONCE_MAP_NS && ps__at_once();
}

/* One step on operands that lie side by side: the kernel itself. */
static inline void short_single(const ps__plan *plan, const map_room *room, char *const *data)
{
    const ps__work_map *work = &room->map;
    const void *in[2];
    unsigned ones = 0;
    for (unsigned a = 0; a < plan->program.inputs; a++) {
        bool constant = work->source[a] & PS__CONSTANT;
        ones |= (unsigned)constant << a;
        in[a] = constant ? (const void *)&room->constants[work->source[a] & ~PS__CONSTANT]
                         : data[work->source[a]];
    }
    if (PS_UNLIKELY(plan->cast != NULL))
        plan->cast((size_t)work->count, data[0], in[0]);
    else
        plan->single[work->count == 1 ? 0 : ones]((size_t)work->count, data[0], in);
}

/* By the table, as a task would be. */
static void short_program(const calling *c, const operands *q, const spacing *s,
                          const map_room *room, char *const *data)
{
    const ps__work_map *work = &room->map;
    int64_t bytes[1 + PS__MAP_ARGS];
    ps__operand operand[1 + PS__MAP_ARGS];
    for (unsigned o = 0; o < q->count; o++) {
        bytes[o] = (int64_t)ps__dtype_bytes(q->tensor[o]->dtype);
        operand[o] = (ps__operand){.data = data[o],
                                   .old = data[o],
                                   .shape = work->dense ? &work->count : s->shape,
                                   .strides = work->dense ? &bytes[o] : s->strides[o],
                                   .dtype = q->tensor[o]->dtype,
                                   .ndim = (uint8_t)(work->dense ? 1 : s->ndim)};
    }
    ps__lane lane = {.engine = ps__tensor_engine(), .device = c->home->device};
    /* It is so short that it is done in one piece, which cannot fail. */
    (void)c->home->backend->run[PS__WORK_MAP](&lane, &work->head, operand, q->count);
}

PS_HOT static bool run_short(const calling *c, const operands *q, ps__use use, const spacing *s,
                             const map_room *room)
{
    const ps__plan *plan = c->plan;
    ps__opening o; /* its lists are large, and mostly unused */
    o.count = q->count;
    o.operands = (const ps_tensor *const *)q->tensor;
    o.use = use;
    o.cost_ns = short_cost(c, &room->map);
    if (!ps__at_once_open(&o))
        return false;
    if (PS_LIKELY(room->map.dense && (plan->single[0] != NULL || plan->cast != NULL)))
        short_single(plan, room, o.data);
    else
        short_program(c, q, s, room, o.data);
    ps__at_once_close(&o);
    return true;
}

/* ---- the call ---------------------------------------------------------------------------- */

static inline ps_status run_in_space(const calling *c, const ps__output *outputs, const operands *q,
                                     map_room *room, stride_row *strides)
{
    spacing s = {.strides = strides};
    find_space(c, q, &s);
    if (is_short(c, c->outputs, &room->map) && is_near(q) &&
        run_short(c, q, outputs[0].use, &s, room))
        return PS_OK;
    return submit_map(c, outputs, q, &s, room);
}

/* Not in line, and apart: the strides take much of the stack. */
static __attribute__((noinline)) ps_status run_strided(const calling *c, const ps__output *outputs,
                                                       const operands *q, map_room *room)
{
    stride_row strides[FEW];
    return run_in_space(c, outputs, q, room, strides);
}

static __attribute__((noinline)) ps_status
run_many_strided(const calling *c, const ps__output *outputs, const operands *q, map_room *room)
{
    stride_row strides[OPERANDS];
    return run_in_space(c, outputs, q, room, strides);
}

INLINE ps_status run_or_submit(const calling *c, unsigned outputs, const ps__output *output)
{
    operands q;
    map_room room;
    choose_operands(c, outputs, output, &q, &room.map);
    ps_status status = describe_map(c, outputs, output, &room);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    if (PS_UNLIKELY(!room.map.dense))
        return q.count <= FEW ? run_strided(c, output, &q, &room)
                              : run_many_strided(c, output, &q, &room);
    if (is_short(c, outputs, &room.map) && run_short(c, &q, output[0].use, NULL, &room))
        return PS_OK;
    return submit_map(c, output, &q, NULL, &room);
}

static inline ps_status begin_output(const calling *c, unsigned index, ps__output *output)
{
    return ps__output_begin(c->call, index, c->home, c->plan->result, c->ndim, c->shape,
                            PS__OUT_STRIDED | PS__OUT_IN_PLACE, output);
}

static __attribute__((noinline)) ps_status write_several(const calling *c)
{
    ps__output outputs[PS__MAP_OUTPUTS];
    unsigned begun = 0;
    do {
        ps_status status = begin_output(c, begun, &outputs[begun]);
        if (PS_UNLIKELY(status != PS_OK))
            return ps__outputs_end(c->call, outputs, begun, status);
    } while (++begun < c->outputs);
    return ps__outputs_end(c->call, outputs, c->outputs, run_or_submit(c, c->outputs, outputs));
}

PS_HOT ps_status ps__elementwise(const ps__bound_call *call, const ps__map_options *options)
{
    calling c;
    c.call = call;
    c.options = options;
    ps__operand_type types[PS__MAP_ARGS];
    ps_status status = collect(&c, types);
    if (PS_LIKELY(status == PS_OK))
        status = find_plan(&c, types);
    if (PS_LIKELY(status == PS_OK) && PS_UNLIKELY(!c.alike))
        status = broadcast(&c);
    if (PS_LIKELY(status == PS_OK) && PS_UNLIKELY(options->fill))
        status = broadcast_to_output(&c);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    if (PS_UNLIKELY(c.outputs != 1))
        return write_several(&c);
    ps__output output;
    status = begin_output(&c, 0, &output);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    return ps__output_end(call, &output, run_or_submit(&c, 1, &output));
}
