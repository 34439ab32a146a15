/* Elements under masks.
 *
 * A mask decides the shape of a result, so masked_select and nonzero wait for it. A task turns it
 * into bits that nobody else can see or change, and counts them; that is what is waited for. A
 * second task reads what is selected. */
#include "base/error.h"
#include "ops/positions.h"

#include <string.h>

/* ---- masks as bits ------------------------------------------------------------------------ */

typedef struct selection {
    ps_tensor *bits, *starts; /* as PS__WORK_PACK makes them */
    int64_t words, selected;
} selection;

/* The mask lies side by side, on the CPU. */
static ps_status submit_pack(const ps__bound_call *call, ps_tensor *mask, const selection *s)
{
    ps__output outputs[2] = {{.tensor = s->bits, .use = PS__NEW},
                             {.tensor = s->starts, .use = PS__NEW}};
    ps__work_pack work = {.head = PS__WORK_HEAD(PACK, ps__work_pack), .count = mask->count};
    return ps__submit(&(ps__job){.call = call,
                                 .work = &work.head,
                                 .output = outputs,
                                 .outputs = 2,
                                 .input = &mask,
                                 .inputs = 1,
                                 .cost_ns = 50 + (uint64_t)mask->count / 8});
}

static void selection_end(selection *s)
{
    ps_tensor_release(s->bits);
    ps_tensor_release(s->starts);
}

static ps_status read_last(ps_tensor *starts, int64_t *selected)
{
    ps__host_read read;
    ps_status status = ps__host_begin(starts, &read);
    if (status != PS_OK)
        return status;
    *selected = ((const int64_t *)read.data)[starts->count - 1];
    ps__host_end(&read);
    return PS_OK;
}

/* Waits. On failure the caller still ends the selection. */
static ps_status pack_mask(const ps__bound_call *call, ps_tensor *mask, selection *s)
{
    const ps__home *cpu = ps__home_cpu();
    s->words = (mask->count + 63) / 64;
    int64_t starts = (s->words + PS__MASK_WORDS - 1) / PS__MASK_WORDS + 1;
    ps_status status = ps__tensor_create(cpu, PS_UINT64, 1, &s->words, &s->bits);
    if (status == PS_OK)
        status = ps__tensor_create(cpu, PS_INT64, 1, &starts, &s->starts);
    if (status == PS_OK)
        status = submit_pack(call, mask, s);
    return status == PS_OK ? read_last(s->starts, &s->selected) : status;
}

static ps_status move_tensor(ps_tensor **tensor, const ps__home *home)
{
    ps_tensor *there;
    ps_status status = ps__tensor_to_home(*tensor, home, &there);
    if (status != PS_OK)
        return status;
    ps_tensor_release(*tensor);
    *tensor = there;
    return PS_OK;
}

/* Waits for a mask of bool. If this fails nothing is left to end. */
static ps_status selection_begin(const ps__bound_call *call, ps_tensor *mask, selection *s)
{
    ps_tensor *packed;
    const ps__home *cpu = ps__home_cpu();
    *s = (selection){0};
    ps_status status = ps__contiguous(call, mask, &packed);
    if (status != PS_OK)
        return status;
    if (!mask->home->host)
        status = move_tensor(&packed, cpu);
    if (status == PS_OK)
        status = pack_mask(call, packed, s);
    ps_tensor_release(packed);
    if (status == PS_OK && !mask->home->host) {
        status = move_tensor(&s->bits, mask->home);
        if (status == PS_OK)
            status = move_tensor(&s->starts, mask->home);
    }
    if (status != PS_OK)
        selection_end(s);
    return status;
}

/* ---- what is selected ----------------------------------------------------------------------- */

/* Work over the selection, and over x if there is one. */
static ps_status submit_select(const ps__bound_call *call, const ps__output *output,
                               const selection *s, ps_tensor *x, const ps__work_select *work)
{
    ps_tensor *inputs[3] = {s->bits, s->starts, x};
    return ps__submit(
        &(ps__job){.call = call,
                   .work = &work->head,
                   .output = output,
                   .outputs = 1,
                   .input = inputs,
                   .inputs = 3,
                   .cost_ns = ps__copy_cost(output->tensor) + (uint64_t)work->count / 4});
}

static ps_status select_from(const ps__bound_call *call, ps_tensor *x, const ps_tensor *mask,
                             const selection *s)
{
    int64_t shape[PS_DIMS_MAX + 1] = {s->selected};
    int ndim = 1;
    ps__work_select work = {.head = PS__WORK_HEAD(SELECT, ps__work_select),
                            .count = mask->count,
                            .bytes = (int64_t)ps__dtype_bytes(x->dtype)};
    for (int i = mask->ndim; i < x->ndim; i++) {
        shape[ndim++] = ps__shape(x)[i];
        work.bytes *= ps__shape(x)[i];
    }
    int64_t count;
    ps__output output;
    ps_tensor *packed;
    ps_status status = ps__shape_check("masked_select", (ps_dtype)x->dtype, ndim, shape, &count);
    if (status == PS_OK)
        status = ps__output_begin(call, 0, x->home, (ps_dtype)x->dtype, ndim, shape, 0, &output);
    if (status != PS_OK)
        return status;
    status = ps__contiguous(call, x, &packed);
    if (status != PS_OK)
        return ps__output_end(call, &output, status);
    status = submit_select(call, &output, s, packed, &work);
    ps_tensor_release(packed);
    return ps__output_end(call, &output, status);
}

ps_status ps__op_masked_select(const ps__bound_call *call)
{
    ps_tensor *x = call->args[0].as.tensor, *mask;
    selection s;
    const ps__home *home;
    ps_status status = ps__mask_of(call, 1, x, &mask);
    if (status == PS_OK)
        status = ps__common_home(call, &home);
    if (status != PS_OK)
        return status;
    status = selection_begin(call, mask, &s);
    if (status != PS_OK)
        return status;
    status = select_from(call, x, mask, &s);
    selection_end(&s);
    return status;
}

/* ---- nonzero --------------------------------------------------------------------------------- */

/* x itself if it is of bool, else whether its elements are not 0; retained. */
static ps_status truth_of(const ps__bound_call *call, ps_tensor *x, ps_tensor **mask)
{
    if (x->dtype == PS_BOOL) {
        *mask = x;
        return ps_tensor_retain(x);
    }
    ps_arg args[2] = {ps__arg_tensor(x),
                      {.kind = PS_ARG_SCALAR, .as.scalar = {PS_SCALAR_INT64, {.i = 0}}}};
    *mask = NULL;
    return ps__call("not_equal", call->call, args, 2, mask);
}

static ps_status positions_in(const ps__bound_call *call, const ps_tensor *x, const selection *s)
{
    int64_t shape[2] = {s->selected, x->ndim};
    ps__work_select work = {.head = PS__WORK_HEAD(NONZERO, ps__work_select),
                            .count = x->count,
                            .bytes = (int64_t)sizeof(int64_t) * x->ndim,
                            .ndim = x->ndim};
    memcpy(work.shape, ps__shape(x), x->ndim * sizeof work.shape[0]);
    ps__output output;
    ps_status status = ps__output_begin(call, 0, x->home, PS_INT64, 2, shape, 0, &output);
    if (status != PS_OK)
        return status;
    status = submit_select(call, &output, s, NULL, &work);
    return ps__output_end(call, &output, status);
}

ps_status ps__op_nonzero(const ps__bound_call *call)
{
    ps_tensor *x = call->args[0].as.tensor, *mask;
    selection s;
    ps_status status = truth_of(call, x, &mask);
    if (status != PS_OK)
        return status;
    status = selection_begin(call, mask, &s);
    ps_tensor_release(mask);
    if (status != PS_OK)
        return status;
    status = positions_in(call, x, &s);
    selection_end(&s);
    return status;
}

/* ---- masked_fill ----------------------------------------------------------------------------- */

/* The value as x's type holds it, so that the result has that type. */
static ps_status fill_value(const ps__bound_call *call, const ps_tensor *x, ps_arg *value)
{
    ps__element element = {{0}};
    ps_dtype dtype = (ps_dtype)x->dtype;
    if (!ps__scalar_store(call->args[2].as.scalar, dtype, &element))
        return ps__scalar_refuse("masked_fill", call->args[2].as.scalar, dtype);
    *value = (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = ps__scalar_load(dtype, &element)};
    return PS_OK;
}

ps_status ps__op_masked_fill(const ps__bound_call *call)
{
    ps_tensor *x = call->args[0].as.tensor, *mask, *spread;
    ps_arg args[3];
    ps_status status = ps__mask_of(call, 1, x, &mask);
    if (status == PS_OK)
        status = fill_value(call, x, &args[1]);
    if (status == PS_OK)
        status = ps__mask_spread(x, mask, &spread);
    if (status != PS_OK)
        return status;
    args[0] = ps__arg_tensor(spread);
    args[2] = ps__arg_tensor(x);
    status = ps__call("where", call->call, args, 3, call->call->outputs);
    ps_tensor_release(spread);
    return status;
}
