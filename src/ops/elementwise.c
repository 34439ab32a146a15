/* Calls of elementwise rows.
 *
 * The usual call, tensors of one shape that lie side by side, goes through without looking at
 * dimensions: the space is then one long row. */
#include "base/error.h"
#include "ops/at_once.h"
#include "ops/calls.h"
#include "ops/map.h"
#include "ops/strided.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- running ----------------------------------------------------------------------------- */

typedef struct parallel_map {
    const ps__program *program;
    const ps__space *space;
    const ps__memory *inputs, *stores;
    bool stream;
} parallel_map;

static ps_status run_piece(size_t begin, size_t end, void *arg)
{
    const parallel_map *m = arg;
    ps__program_run(m->program, m->space, m->inputs, m->stores, (int64_t)begin, (int64_t)end,
                    m->stream);
    return PS_OK;
}

/* Outputs that no cache can hold anyway had better not push everything else out. */
static bool worth_streaming(const ps__program *program, const ps__space *space)
{
    unsigned bytes = 0;
    for (unsigned i = 0; i < program->stores; i++)
        bytes += ps__dtypes[program->types[program->store[i].value]].bytes;
    return (uint64_t)space->count * bytes >= (uint64_t)256 << 20;
}

/* A multiple of every tile's length, so that pieces are made of whole tiles. */
static size_t piece_of(const ps__program *program)
{
    double ns = program->whole_cost;
    size_t piece = (size_t)(PS__MAP_PIECE_NS / (ns > 0.01 ? ns : 0.01));
    return piece < PS__TILE_BYTES ? PS__TILE_BYTES : piece & ~(size_t)(PS__TILE_BYTES - 1);
}

ps_status ps__map_run(const ps__program *program, const ps__space *space, const ps__memory *inputs,
                      const ps__memory *stores)
{
    parallel_map m = {program, space, inputs, stores, worth_streaming(program, space)};
    size_t count = (size_t)space->count, piece = piece_of(program);
    return ps__split(count, count < 2 * piece ? count : piece, run_piece, &m);
}

typedef struct single_map {
    const ps__task *task;
    const ps__map_work *work;
} single_map;

/* One step on operands that lie side by side: the kernel itself, on any range. */
static ps_status run_single(size_t begin, size_t end, void *arg)
{
    const ps__task *task = ((const single_map *)arg)->task;
    const ps__map_work *work = ((const single_map *)arg)->work;
    const ps__program *program = &work->plan->program;
    const void *in[2];
    unsigned ones = 0;
    for (unsigned a = 0; a < program->inputs; a++) {
        const ps__operand *operand = &task->operands[work->source[a] % PS__OPERANDS];
        bool constant = work->source[a] == PS__CONSTANT;
        ones |= (unsigned)constant << a;
        in[a] = constant ? (const char *)&work->constant[a]
                         : (work->source[a] == 0 ? ps__map_old(operand) : operand->data) +
                               begin * ps__dtype_bytes((ps_dtype)program->types[a]);
    }
    char *out = task->operands[0].data + begin * ps__dtype_bytes(work->plan->result);
    if (work->plan->cast != NULL)
        work->plan->cast(end - begin, out, in[0]);
    else
        work->plan->single[work->count == 1 ? 0 : ones](end - begin, out, in);
    return PS_OK;
}

/* Nothing is computed: no tiles are needed. */
static ps_status copy_elements(const ps__task *task, const ps__map_work *work,
                               const ps__memory *from, const ps__memory *to)
{
    const ps__operand *out = &task->operands[0];
    if (from->data == to->data)
        return PS_OK; /* onto itself */
    return ps__copy_strided(ps__dtype_bytes(out->dtype), work->ndim, out->shape, to->data,
                            to->strides, from->data, from->strides);
}

static ps_status run_map(ps__task *task, ps_task *self)
{
    (void)self;
    ps__map_work *work = ps__map_of(task);
    const ps__plan *plan = work->plan;
    if (work->dense && (plan->single[0] != NULL || plan->cast != NULL)) {
        single_map single = {task, work};
        size_t count = (size_t)work->count, piece = piece_of(&plan->program);
        return ps__split(count, count < 2 * piece ? count : piece, run_single, &single);
    }
    ps__memory inputs[PS__MAP_ARGS], store = {task->operands[0].data, task->operands[0].strides};
    for (unsigned a = 0; a < plan->program.inputs; a++) {
        const ps__operand *operand = &task->operands[work->source[a] % PS__OPERANDS];
        if (work->source[a] == PS__CONSTANT)
            inputs[a] = (ps__memory){(char *)&work->constant[a], NULL};
        else if (work->source[a] == 0)
            inputs[a] = (ps__memory){ps__map_old(operand), operand->strides};
        else
            inputs[a] = (ps__memory){operand->data, operand->strides};
    }
    bool plain = plan->program.instructions == 0 && plan->program.store[0].value == 0;
    if (plain && work->source[0] != PS__CONSTANT)
        return copy_elements(task, work, &inputs[0], &store);
    ps__space space = {work->ndim, task->operands[0].shape, work->count};
    return ps__map_run(&plan->program, &space, inputs, &store);
}

/* ---- describing -------------------------------------------------------------------------- */

typedef struct calling {
    const ps__bound_call *call;
    const ps__map_options *options;
    unsigned nargs;
    ps_tensor *tensors[PS__MAP_ARGS]; /* of each argument; NULL: a number */
    const ps__plan *plan;
    int ndim;
    int64_t shape[PS_DIMS_MAX];
    bool alike; /* all tensors have that shape and lie side by side */
    const ps__place *place;
} calling;

static ps_status collect(calling *c, ps__operand_type *types)
{
    ps_tensor *first = NULL;
    c->nargs = c->call->op->operands;
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
        if (PS_UNLIKELY(!ps__places_meet(tensor->place, first->place)))
            return ps__common_place(c->call, &c->place); /* words the error */
    }
    if (first == NULL) {
        c->ndim = 0;
        return ps__common_place(c->call, &c->place);
    }
    c->place = first->place;
    c->ndim = first->ndim;
    memcpy(c->shape, ps__shape(first), (size_t)first->ndim * sizeof c->shape[0]);
    return PS_OK;
}

static ps_status refuse_shapes(const calling *c)
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
            return refuse_shapes(c);
    int64_t count;
    return ps__shape_check(c->call->op->row.name, c->plan->result, c->ndim, c->shape, &count);
}

ps_status ps__check_into(const ps__bound_call *call, ps_dtype from, ps_dtype to)
{
    if (ps__dtype_kind_of(to) >= ps__dtype_kind_of(from) ||
        (ps__dtype_is_integer(from) && ps__dtype_is_integer(to)))
        return PS_OK;
    return ps__fail(PS_ERR_TYPE, "%s: a result of %s cannot be written into %s", call->op->row.name,
                    ps__dtypes[from].name, ps__dtypes[to].name);
}

static ps_status find_plan(calling *c, const ps__operand_type *types)
{
    const ps_op *op = c->call->op;
    const ps_tensor *into = c->call->call->outputs[0];
    if (c->options->convert)
        return ps__plan_get(op, types, into != NULL ? into->dtype : (int)c->options->dtype,
                            &c->plan);
    ps_status status = ps__plan_get(op, types, -1, &c->plan);
    if (status != PS_OK || into == NULL || into->dtype == (uint8_t)c->plan->result)
        return status;
    status = ps__check_into(c->call, c->plan->result, (ps_dtype)into->dtype);
    return status == PS_OK ? ps__plan_get(op, types, into->dtype, &c->plan) : status;
}

static ps_status store_constant(const calling *c, unsigned a, ps__element *element)
{
    ps_scalar scalar = c->call->args[a].as.scalar;
    ps_dtype dtype = (ps_dtype)c->plan->program.types[a];
    if (PS_LIKELY(dtype == PS_FLOAT32 && c->plan->common == PS_FLOAT32 &&
                  (scalar.tag == PS_SCALAR_DOUBLE || scalar.tag == PS_SCALAR_INT64))) {
        *element = (ps__element){{0}};
        float f = scalar.tag == PS_SCALAR_DOUBLE ? (float)scalar.as.d : (float)scalar.as.i;
        memcpy(element, &f, sizeof f);
        return PS_OK;
    }
    *element = (ps__element){{0}};
    /* Checked against the type that it stands beside; that of 16-bit floats holds more. */
    if (PS_LIKELY(dtype == PS_BOOL || ps__scalar_store(scalar, dtype, element))) {
        if (dtype == PS_BOOL)
            ps__scalar_cast(scalar, dtype, element);
        if (PS_UNLIKELY(c->plan->common != dtype && dtype == PS_FLOAT32 &&
                        (PS__DTYPE_BIT(c->plan->common) & PS__SET_HALF))) {
            ps__element half; /* a number is rounded as a tensor's element would be */
            ps__scalar_cast(scalar, c->plan->common, &half);
            ps__kernels_get()->cast[c->plan->common][dtype](1, element, &half);
        }
        return PS_OK;
    }
    return ps__scalar_refuse(c->call->op->row.name, scalar, dtype);
}

/* ---- spaces ------------------------------------------------------------------------------ */

int ps__space_collapse(int ndim, int64_t *shape, unsigned operands, int64_t (*strides)[PS_DIMS_MAX])
{
    int kept = 0; /* dimensions [0, kept) are final but for the last, which may still grow */
    for (int i = 0; i < ndim; i++) {
        if (shape[i] == 1)
            continue;
        bool joins = kept > 0;
        for (unsigned o = 0; joins && o < operands; o++)
            joins = strides[o][kept - 1] == strides[o][i] * shape[i];
        int to = joins ? kept - 1 : kept++;
        shape[to] = joins ? shape[to] * shape[i] : shape[i];
        for (unsigned o = 0; o < operands; o++)
            strides[o][to] = strides[o][i];
    }
    return kept;
}

/* The strides of a tensor over the space of the call, in bytes. */
static void spread(const ps_tensor *tensor, int ndim, const int64_t *shape, int64_t *strides)
{
    int lead = ndim - tensor->ndim;
    int64_t bytes = (int64_t)ps__dtype_bytes(tensor->dtype);
    for (int i = 0; i < ndim; i++) {
        bool broadcast_here = i < lead || (ps__shape(tensor)[i - lead] == 1 && shape[i] != 1);
        strides[i] = broadcast_here ? 0 : ps__strides(tensor)[i - lead] * bytes;
    }
}

/* ---- queueing ---------------------------------------------------------------------------- */

typedef struct queueing {
    const ps_tensor *operands[PS__MAP_ARGS + 1]; /* the result first */
    uint8_t source[PS__MAP_ARGS];
    unsigned count;
    ps__use use;
} queueing;

/* Which tensors become operands. False: the result must go through a temporary. */
static bool choose_operands(const calling *c, const ps__result *result, queueing *q)
{
    q->operands[0] = result->tensor;
    q->count = 1;
    q->use = result->use;
    for (unsigned a = 0; a < c->nargs; a++) {
        const ps_tensor *tensor = c->tensors[a];
        q->source[a] = PS__CONSTANT;
        if (tensor == NULL)
            continue;
        if (!result->made && !ps__may_write(result->tensor, tensor, &q->use))
            return false;
        if (!result->made && ps__tensor_same_view(result->tensor, tensor)) {
            q->source[a] = 0;
        } else {
            q->source[a] = (uint8_t)q->count;
            q->operands[q->count++] = tensor;
        }
    }
    return true;
}

static void describe_dense(ps__launch *launch, const queueing *q, int64_t count, int64_t *dims)
{
    int64_t *shape = dims++;
    *shape = count;
    for (unsigned o = 0; o < q->count; o++) {
        const ps_tensor *tensor = q->operands[o];
        int64_t bytes = (int64_t)ps__dtype_bytes(tensor->dtype);
        *dims = bytes;
        launch->task->operands[o] = (ps__operand){.offset = tensor->offset * bytes,
                                                  .shape = shape,
                                                  .strides = dims++,
                                                  .dtype = tensor->dtype,
                                                  .ndim = 1,
                                                  .use = (uint8_t)(o == 0 ? q->use : PS__READ)};
        launch->storages[o] = tensor->storage;
    }
}

/* The space of a call and its operands' strides over it, unless they are all dense. */
typedef struct spacing {
    int ndim;
    int64_t shape[PS_DIMS_MAX], strides[PS__MAP_ARGS + 1][PS_DIMS_MAX];
} spacing;

static void find_space(const calling *c, const queueing *q, spacing *s)
{
    memcpy(s->shape, c->shape, (size_t)c->ndim * sizeof s->shape[0]);
    for (unsigned o = 0; o < q->count; o++)
        spread(q->operands[o], c->ndim, c->shape, s->strides[o]);
    s->ndim = ps__space_collapse(c->ndim, s->shape, q->count, s->strides);
}

static void describe_strided(ps__launch *launch, const queueing *q, const spacing *s, int64_t *dims)
{
    int ndim = s->ndim;
    memcpy(dims, s->shape, (size_t)ndim * sizeof dims[0]);
    int64_t *common = dims;
    for (unsigned o = 0; o < q->count; o++) {
        const ps_tensor *tensor = q->operands[o];
        dims += ndim;
        memcpy(dims, s->strides[o], (size_t)ndim * sizeof dims[0]);
        launch->task->operands[o] =
            (ps__operand){.offset = tensor->offset * (int64_t)ps__dtype_bytes(tensor->dtype),
                          .shape = common,
                          .strides = dims,
                          .dtype = tensor->dtype,
                          .ndim = (uint8_t)ndim,
                          .use = (uint8_t)(o == 0 ? q->use : PS__READ)};
        launch->storages[o] = tensor->storage;
    }
}

static ps_status fill_work(const calling *c, const queueing *q, ps__map_work *work)
{
    work->plan = c->plan;
    work->count = q->operands[0]->count;
    work->dense = c->alike && q->operands[0]->contiguous;
    for (unsigned a = 0; a < c->nargs; a++) {
        work->source[a] = q->source[a];
        ps_status status = c->tensors[a] == NULL ? store_constant(c, a, &work->constant[a]) : PS_OK;
        if (PS_UNLIKELY(status != PS_OK))
            return status;
    }
    return PS_OK;
}

static void describe(ps__launch *launch, const queueing *q, const spacing *s, int64_t *dims)
{
    const ps__map_work *work = ps__map_of(launch->task);
    launch->task->run = run_map;
    launch->task->map = true;
    if (PS_LIKELY(work->dense))
        describe_dense(launch, q, work->count, dims);
    else
        describe_strided(launch, q, s, dims);
}

static ps_status queue_map(const calling *c, const queueing *q, const spacing *s,
                           const ps__map_work *work)
{
    ps__launch launch;
    int64_t *dims;
    ps_status status =
        ps__task_new(c->call->op, c->place, 1, q->count, (unsigned)work->ndim * (q->count + 1),
                     sizeof *work, &launch, &dims);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    *ps__map_of(launch.task) = *work;
    describe(&launch, q, s, dims);
    launch.location = c->call->call->location;
    launch.cost_ns = 20 + (uint64_t)((float)work->count * c->plan->program.whole_cost);
    if (work->count >= PS__MAP_FUSE_LEAST && c->place->queue == NULL && ps_fusion())
        launch.flags = PS_TASK_FUSABLE;
    return ps__task_push(&launch);
}

/* Strided elements of a large storage may all be out of the caches, and others wait for the lock. */
static bool is_near(const queueing *q)
{
    for (unsigned o = 0; o < q->count; o++)
        if (q->operands[o]->storage->bytes > PS__MAP_NEAR_BYTES)
            return false;
    return true;
}

/* Short enough that queueing would cost more. What may be joined is not: it gains by that. */
static inline bool is_short(const calling *c, const queueing *q, const ps__map_work *work)
{
    return work->count < PS__MAP_FUSE_LEAST && work->count > 0 && c->place->queue == NULL &&
           !c->place->skip && (float)work->count * c->plan->program.cost <= PS__MAP_SHORT_NS &&
           ps__at_once() && (PS_LIKELY(work->dense) || is_near(q));
}

/* One step on operands that lie side by side: the kernel itself. */
static inline void short_single(const ps__map_work *work, char *const *data)
{
    const ps__plan *plan = work->plan;
    const void *in[2];
    unsigned ones = 0;
    for (unsigned a = 0; a < plan->program.inputs; a++) {
        bool constant = work->source[a] == PS__CONSTANT;
        ones |= (unsigned)constant << a;
        in[a] = constant ? (const void *)&work->constant[a] : data[work->source[a]];
    }
    if (PS_UNLIKELY(plan->cast != NULL))
        plan->cast((size_t)work->count, data[0], in[0]);
    else
        plan->single[work->count == 1 ? 0 : ones]((size_t)work->count, data[0], in);
}

static void short_program(const queueing *q, const spacing *s, const ps__map_work *work,
                          char *const *data)
{
    const ps__program *program = &work->plan->program;
    int64_t bytes[PS__MAP_ARGS + 1];
    ps__memory memory[PS__MAP_ARGS + 1], inputs[PS__MAP_ARGS];
    for (unsigned o = 0; o < q->count; o++) {
        bytes[o] = (int64_t)ps__dtype_bytes(q->operands[o]->dtype);
        memory[o] = (ps__memory){data[o], work->dense ? &bytes[o] : s->strides[o]};
    }
    for (unsigned a = 0; a < program->inputs; a++)
        inputs[a] = work->source[a] == PS__CONSTANT ? (ps__memory){(char *)&work->constant[a], NULL}
                                                    : memory[work->source[a]];
    ps__space space = {work->ndim, work->dense ? &work->count : s->shape, work->count};
    ps__program_run(program, &space, inputs, memory, 0, work->count, false);
}

/* At the call, if everything is there. */
static bool run_short(const queueing *q, const spacing *s, const ps__map_work *work)
{
    char *data[PS__MAP_ARGS + 1];
    if (!ps__at_once_open(q->count, q->operands, q->use, data))
        return false;
    if (PS_LIKELY(work->dense && (work->plan->single[0] != NULL || work->plan->cast != NULL)))
        short_single(work, data);
    else
        short_program(q, s, work, data);
    ps__at_once_close(q->operands[0], q->use);
    return true;
}

static ps_status do_map(const calling *c, const queueing *q)
{
    ps__map_work work;
    spacing s;
    ps_status status = fill_work(c, q, &work);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    work.ndim = 1;
    if (PS_UNLIKELY(!work.dense)) {
        find_space(c, q, &s);
        work.ndim = s.ndim;
    }
    if (is_short(c, q, &work) && run_short(q, &s, &work))
        return PS_OK;
    return queue_map(c, q, &s, &work);
}

/* What is written overlaps what is read in other places: through a tensor of its own. */
static ps_status through_temporary(const calling *c, ps_tensor *into)
{
    const ps__bound_call *call = c->call;
    ps_tensor *temporary = NULL;
    ps_call inner = *call->call;
    inner.outputs = &temporary;
    ps__bound_call again = *call;
    again.call = &inner;
    ps__map_options options = {.convert = true, .dtype = c->plan->result};
    ps_status status = ps__elementwise(&again, &options);
    if (status != PS_OK)
        return status;
    ps_arg value = ps__arg_tensor(temporary);
    status = ps__assign(call, into, &value);
    ps_tensor_release(temporary);
    return status;
}

ps_status ps__elementwise(const ps__bound_call *call, const ps__map_options *options)
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
    ps__result result;
    status = ps__result_begin(call, 0, c.place, c.plan->result, c.ndim, c.shape, &result);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    queueing q;
    if (PS_UNLIKELY(!choose_operands(&c, &result, &q)))
        return through_temporary(&c, result.tensor);
    return ps__result_end(&result, do_map(&c, &q));
}
