/* Matrix products.
 *
 * Structure: a call is read into a `product` (which matrices, of what lengths, what is done after),
 * everything is checked, operands of another element type are converted, and one task is queued.
 *
 * Invariants
 *   1. Nothing is queued before all checks are done.
 *   2. The shape of the batch that the gemm layer sees follows from the operands alone, never from
 *      the workers: so its promise about bits is ours too.
 *   3. The result of a queued task is contiguous, has the common type and shares no element with
 *      what is read. */
#include "base/error.h"
#include "kernels/blas.h"
#include "kernels/gemm.h"
#include "ops/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A shape in words, for as long as the block lasts. */
#define TEXT(tensor) ps__shape_text((tensor)->ndim, ps__shape(tensor))

enum { X1, X2, TRANSPOSE1, TRANSPOSE2, BIAS, ACTIVATION }; /* arguments */

/* ---- reading the call -------------------------------------------------------------------- */

/* An operand as matrices: the last two dimensions, perhaps swapped; a vector is a row as the first
 * operand, a column as the second. Strides in elements. */
typedef struct matrices {
    int64_t rows, columns, row, column;
    int lead; /* dimensions before the last two */
    bool vector, transposed;
} matrices;

typedef struct product {
    const ps__bound_call *call;
    const ps__home *home;
    ps_tensor *x[2], *bias; /* bias may be NULL */
    matrices matrix[2];
    ps_dtype dtype;
    ps__activation activation;
    int nbatch;
    int64_t batch[PS_DIMS_MAX];
    int ndim; /* of the result */
    int64_t shape[PS_DIMS_MAX];
} product;

static ps_status refuse_product(const product *p, const char *reason)
{
    const matrices *a = &p->matrix[0], *b = &p->matrix[1];
    return ps__fail(PS_ERR_ARGUMENT, "matmul: shapes %s%s and %s%s do not fit: %s", TEXT(p->x[0]),
                    a->transposed ? " transposed" : "", TEXT(p->x[1]),
                    b->transposed ? " transposed" : "", reason);
}

static matrices vector_of(const ps_tensor *x, int side)
{
    int64_t length = ps__shape(x)[0], stride = ps__strides(x)[0];
    if (side == 0)
        return (matrices){.rows = 1,
                          .columns = length,
                          .row = length,
                          .column = stride,
                          .vector = true};
    return (matrices){.rows = length, .columns = 1, .row = stride, .column = 1, .vector = true};
}

static matrices matrices_of(const ps_tensor *x, bool transposed)
{
    int lead = x->ndim - 2;
    int row = transposed ? lead + 1 : lead, column = transposed ? lead : lead + 1;
    return (matrices){.rows = ps__shape(x)[row],
                      .columns = ps__shape(x)[column],
                      .row = ps__strides(x)[row],
                      .column = ps__strides(x)[column],
                      .lead = lead,
                      .transposed = transposed};
}

static matrices matrices_in(const ps_tensor *x, int side, bool transposed)
{
    return x->ndim == 1 ? vector_of(x, side) : matrices_of(x, transposed);
}

static ps_status read_operand(product *p, int side)
{
    const ps_arg *arg = &p->call->args[X1 + side];
    bool transposed = p->call->args[TRANSPOSE1 + side].as.boolean;
    ps_tensor *x = p->x[side] = arg->as.tensor;
    if (x->ndim == 0)
        return ps__fail(PS_ERR_ARGUMENT,
                        "matmul: x%d has no dimensions (%s); multiply takes such tensors", side + 1,
                        ps__dtypes[x->dtype].name);
    if (x->ndim == 1 && transposed)
        return ps__fail(PS_ERR_ARGUMENT, "matmul: transpose%d of shape %s: it has one dimension",
                        side + 1, TEXT(x));
    p->matrix[side] = matrices_in(x, side, transposed);
    return PS_OK;
}

/* (..., m, n) without the dimensions that vectors do not have. */
static ps_status find_shape(product *p)
{
    const matrices *a = &p->matrix[0], *b = &p->matrix[1];
    char reason[2 * PS__SHAPE_ROOM + 32];
    if (a->columns != b->rows) {
        snprintf(reason, sizeof reason, "%" PRId64 " != %" PRId64, a->columns, b->rows);
        return refuse_product(p, reason);
    }
    p->nbatch = a->lead;
    memcpy(p->batch, ps__shape(p->x[0]), (size_t)a->lead * sizeof p->batch[0]);
    if (!ps__shape_broadcast(&p->nbatch, p->batch, b->lead, ps__shape(p->x[1]))) {
        snprintf(reason, sizeof reason, "batches %s and %s",
                 ps__shape_text(a->lead, ps__shape(p->x[0])),
                 ps__shape_text(b->lead, ps__shape(p->x[1])));
        return refuse_product(p, reason);
    }
    p->ndim = p->nbatch;
    memcpy(p->shape, p->batch, (size_t)p->nbatch * sizeof p->shape[0]);
    if (!a->vector)
        p->shape[p->ndim++] = a->rows;
    if (!b->vector)
        p->shape[p->ndim++] = b->columns;
    int64_t count;
    return ps__shape_check("matmul", p->dtype, p->ndim, p->shape, &count);
}

static ps_status read_bias(product *p)
{
    const ps_arg *arg = &p->call->args[BIAS];
    p->bias = NULL;
    if (arg->kind == PS_ARG_NONE)
        return PS_OK;
    ps_tensor *bias = p->bias = arg->as.tensor;
    int64_t columns = p->matrix[1].columns;
    if (p->matrix[1].vector)
        return ps__fail(PS_ERR_ARGUMENT, "matmul: bias of shape %s, but x2 is a vector %s",
                        TEXT(bias), TEXT(p->x[1]));
    if (bias->ndim != 1 || ps__shape(bias)[0] != columns)
        return ps__fail(PS_ERR_ARGUMENT, "matmul: bias has shape %s, the rows of %s @ %s need %s",
                        TEXT(bias), TEXT(p->x[0]), TEXT(p->x[1]), ps__shape_text(1, &columns));
    if (ps__promote(p->dtype, bias->dtype) != p->dtype)
        return ps__fail(PS_ERR_TYPE, "matmul: bias of %s does not fit a product of %s",
                        ps__dtypes[bias->dtype].name, ps__dtypes[p->dtype].name);
    return PS_OK;
}

static ps_status read_activation(product *p)
{
    const ps_arg *arg = &p->call->args[ACTIVATION];
    p->activation = PS__ACTIVATION_NONE;
    if (arg->kind == PS_ARG_NONE)
        return PS_OK;
    if (ps__dtype_kind_of(p->dtype) == PS__KIND_COMPLEX)
        return ps__fail(PS_ERR_TYPE, "matmul: relu of %s", ps__dtypes[p->dtype].name);
    p->activation = PS__ACTIVATION_RELU;
    return PS_OK;
}

static ps_status read_call(const ps__bound_call *call, product *p)
{
    p->call = call;
    ps_status status = read_operand(p, 0);
    if (status == PS_OK)
        status = read_operand(p, 1);
    if (status != PS_OK)
        return status;
    p->home = p->x[0]->home;
    if ((p->x[1]->home != p->home || call->args[BIAS].kind != PS_ARG_NONE) &&
        (status = ps__common_home(call, &p->home)) != PS_OK)
        return status;
    p->dtype = ps__promote(p->x[0]->dtype, p->x[1]->dtype);
    status = find_shape(p);
    if (status == PS_OK)
        status = read_bias(p);
    return status == PS_OK ? read_activation(p) : status;
}

/* ---- bringing operands into shape -------------------------------------------------------- */

/* Tensors that only the queued task needs. */
typedef struct temporaries {
    ps_tensor *tensors[6];
    unsigned count;
} temporaries;

static void keep(temporaries *t, ps_tensor *tensor)
{
    t->tensors[t->count++] = tensor;
}

static void release_all(temporaries *t)
{
    while (t->count > 0)
        ps_tensor_release(t->tensors[--t->count]);
}

/* Another tensor with the same matrices takes an operand's place. */
static void replace_operand(product *p, int side, ps_tensor *tensor, temporaries *t)
{
    keep(t, tensor);
    p->x[side] = tensor;
    p->matrix[side] = matrices_in(tensor, side, p->matrix[side].transposed);
}

static ps_status cast_operand(const product *p, ps_tensor *x, ps_tensor **result)
{
    ps_arg args[2] = {ps__arg_tensor(x), {.kind = PS_ARG_DTYPE, .as.dtype = p->dtype}};
    *result = NULL;
    return ps__call("cast", p->call->call, args, 2, result);
}

static ps_status convert_operand(product *p, int side, temporaries *t)
{
    if (p->x[side]->dtype == (uint8_t)p->dtype)
        return PS_OK;
    ps_tensor *converted;
    ps_status status = cast_operand(p, p->x[side], &converted);
    if (status == PS_OK)
        replace_operand(p, side, converted, t);
    return status;
}

static ps_status convert_bias(product *p, temporaries *t)
{
    if (p->bias == NULL || (p->bias->dtype == (uint8_t)p->dtype && p->bias->contiguous))
        return PS_OK;
    ps_status status = cast_operand(p, p->bias, &p->bias); /* also puts the elements side by side */
    if (status == PS_OK)
        keep(t, p->bias);
    return status;
}

/* The operand with its batch repeated in memory: so the batch is one dimension. */
static ps_status spread_operand(product *p, int side, temporaries *t)
{
    ps_tensor *x = p->x[side], *view, *copy;
    int lead = p->matrix[side].lead, rest = x->ndim - lead;
    int64_t shape[PS_DIMS_MAX];
    if (lead == 0)
        return PS_OK; /* it repeats along all of it */
    memcpy(shape, p->batch, (size_t)p->nbatch * sizeof shape[0]);
    memcpy(shape + p->nbatch, ps__shape(x) + lead, (size_t)rest * sizeof shape[0]);
    ps_status status = ps_tensor_broadcast(x, p->nbatch + rest, shape, &view);
    if (status != PS_OK)
        return status;
    status = ps__contiguous(p->call, view, &copy);
    ps_tensor_release(view);
    if (status == PS_OK)
        replace_operand(p, side, copy, t);
    return status;
}

static ps_status bring(product *p, temporaries *t)
{
    ps_status status = convert_bias(p, t);
    for (int side = 0; side < 2 && status == PS_OK; side++) {
        status = convert_operand(p, side, t);
        if (status == PS_OK && p->nbatch > PS__GEMM_BATCH_RANK)
            status = spread_operand(p, side, t);
    }
    return status;
}

/* ---- queueing ---------------------------------------------------------------------------- */

/* The strides of an operand over the batch; 0 where it repeats. */
static void batch_strides(const product *p, int side, int64_t *strides)
{
    const ps_tensor *x = p->x[side];
    int missing = p->nbatch - p->matrix[side].lead;
    for (int i = 0; i < p->nbatch; i++) {
        bool repeats = i < missing || ps__shape(x)[i - missing] == 1;
        strides[i] = repeats ? 0 : ps__strides(x)[i - missing];
    }
}

static void describe_batch(const product *p, ps__gemm_batch *batch)
{
    int64_t shape[PS_DIMS_MAX], strides[3][PS_DIMS_MAX];
    int64_t matrix = p->matrix[0].rows * p->matrix[1].columns;
    memcpy(shape, p->batch, (size_t)p->nbatch * sizeof shape[0]);
    batch_strides(p, 0, strides[0]);
    batch_strides(p, 1, strides[1]);
    ps__shape_strides(p->nbatch, shape, strides[2]);
    for (int i = 0; i < p->nbatch; i++)
        strides[2][i] *= matrix;
    batch->rank = ps__space_collapse(p->nbatch, shape, 3, strides);
    size_t bytes = (size_t)batch->rank * sizeof shape[0];
    memcpy(batch->shape, shape, bytes);
    memcpy(batch->a_stride, strides[0], bytes);
    memcpy(batch->b_stride, strides[1], bytes);
    memcpy(batch->c_stride, strides[2], bytes);
}

/* A batch whose second operand is shared, and whose first ones follow each other as rows of one
 * matrix do, is one product. */
static void merge_rows(ps__gemm_batch *batch)
{
    ps__gemm *g = &batch->one;
    for (int last = batch->rank - 1; last >= 0; last--) {
        int64_t row = g->m == 1 ? batch->a_stride[last] : g->a_row;
        if (batch->b_stride[last] != 0 || batch->a_stride[last] != g->m * row ||
            batch->c_stride[last] != g->m * g->c_row)
            return;
        g->a_row = row;
        g->m *= batch->shape[last];
        batch->rank = last;
    }
}

/* The pointers are set when the task runs. */
static void describe_product(const product *p, ps__gemm_batch *batch)
{
    const matrices *a = &p->matrix[0], *b = &p->matrix[1];
    batch->one = (ps__gemm){.dtype = p->dtype,
                            .activation = p->activation,
                            .m = a->rows,
                            .n = b->columns,
                            .k = a->columns,
                            .a_row = a->row,
                            .a_column = a->column,
                            .b_row = b->row,
                            .b_column = b->column,
                            .c_row = b->columns};
    batch->rank = 0;
    if (p->nbatch == 0)
        return;
    describe_batch(p, batch);
    merge_rows(batch);
}

/* Multiplications that one thread does in a nanosecond, in round numbers. */
static double speed(ps_dtype dtype)
{
    bool complex = ps__dtype_kind_of(dtype) == PS__KIND_COMPLEX;
    if (!ps__dtype_is_inexact(dtype))
        return 2;
    bool wide = ps__dtypes[dtype].real == PS_FLOAT64;
    return (wide ? 12.5 : 25) / (complex ? 4 : 1);
}

static uint64_t cost_of(const product *p, int64_t count)
{
    double ns = 100 + (double)count * (double)(p->matrix[0].columns + 1) / speed(p->dtype);
    return ns < 1e18 ? (uint64_t)ns : (uint64_t)1e18;
}

static ps_status submit_product(const product *p, const ps__output *output)
{
    ps_tensor *inputs[3] = {p->x[0], p->x[1], p->bias};
    ps__work_product work;
    work.head = (ps__work)PS__WORK_HEAD(PRODUCT, ps__work_product);
    if (PS_LIKELY(p->nbatch == 0)) {
        work.head.bytes = offsetof(ps__work_product, batch.shape);
        memset(&work.batch, 0, offsetof(ps__gemm_batch, shape));
    } else {
        memset(&work.batch, 0, sizeof work.batch);
    }
    describe_product(p, &work.batch);
    return ps__submit(&(ps__job){.call = p->call,
                                 .home = p->home,
                                 .work = &work.head,
                                 .output = output,
                                 .outputs = 1,
                                 .input = inputs,
                                 .inputs = 3,
                                 .cost_ns = cost_of(p, output->tensor->count)});
}

/* ---- the call ---------------------------------------------------------------------------- */

static ps_status submit_converted(product *p, const ps__output *output)
{
    temporaries t = {.count = 0};
    ps_status status = bring(p, &t);
    if (status == PS_OK)
        status = submit_product(p, output);
    release_all(&t);
    return status;
}

ps_status ps__op_matmul(const ps__bound_call *call)
{
    product p;
    ps__output output;
    ps_status status = read_call(call, &p);
    if (status == PS_OK)
        status = ps__blas_check();
    if (status == PS_OK)
        status = ps__output_begin(call, 0, p.home, p.dtype, p.ndim, p.shape, 0, &output);
    if (status != PS_OK)
        return status;
    return ps__output_end(call, &output, submit_converted(&p, &output));
}
