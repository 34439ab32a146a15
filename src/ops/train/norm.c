/* The norm of many tensors as if they were one: what clipping by a global norm needs.
 *
 * It is the norm of their norms, in one task. Where the thread records, or types differ, it is made of
 * rows, which have gradients and common types: the bits are the same. */
#include "base/alloc.h"
#include "base/error.h"
#include "ops/calls.h"

typedef struct many {
    const ps__bound_call *call;
    ps_tensor *const *tensors;
    unsigned count;
} many;

/* ---- as one task ------------------------------------------------------------------------- */

static uint64_t cost_of(const many *m)
{
    double ns = 60;
    for (unsigned i = 0; i < m->count; i++)
        ns += 60 + (double)m->tensors[i]->count *
                       (0.05 + 0.02 * (double)ps__dtype_bytes(m->tensors[i]->dtype));
    return (uint64_t)ns;
}

static ps_status submit(const many *m, const ps__home *home)
{
    ps_dtype result = (ps_dtype)ps__dtypes[m->tensors[0]->dtype].real;
    ps__work_size work = {.head = PS__WORK_HEAD(SIZE, ps__work_size),
                          .spec = {.reduce = PS__REDUCE_SUM,
                                   .accumulator = ps__dtypes[result].compute,
                                   .result = (uint8_t)result,
                                   .square = true,
                                   .root = true}};
    work.head.scratch = m->count * ps__dtype_bytes(result);
    return ps__submit_output(&(ps__job){.call = m->call,
                                        .work = &work.head,
                                        .input = m->tensors,
                                        .inputs = m->count,
                                        .cost_ns = cost_of(m)},
                             home, result, 0, NULL);
}

/* Of one type, and nothing is recorded. */
static bool is_plain(const many *m)
{
    for (unsigned i = 0; i < m->count; i++)
        if (m->tensors[i]->dtype != m->tensors[0]->dtype)
            return false;
    return ps__dtype_is_inexact((ps_dtype)m->tensors[0]->dtype) && !ps__may_record();
}

/* ---- as rows ----------------------------------------------------------------------------- */

static ps_status norm_all(const many *m, ps_tensor **norms)
{
    ps_status status = PS_OK;
    for (unsigned i = 0; i < m->count && status == PS_OK; i++) {
        ps_arg x = ps__arg_tensor(m->tensors[i]);
        status = ps__call("norm", m->call->call, &x, 1, &norms[i]);
    }
    return status;
}

static ps_status norm_together(const many *m, ps_tensor **norms)
{
    ps_tensor *line = NULL;
    ps_arg all = {.kind = PS_ARG_TENSORS, .count = m->count, .as.tensors = norms};
    ps_status status = ps__call("stack", m->call->call, &all, 1, &line);
    if (status != PS_OK)
        return status;
    ps_arg x = ps__arg_tensor(line);
    status = ps__call("norm", m->call->call, &x, 1, m->call->call->outputs);
    ps_tensor_release(line);
    return status;
}

static ps_status compose(const many *m)
{
    ps_tensor **norms = ps__calloc(m->count, sizeof norms[0]);
    if (norms == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for the norms of %u tensors", m->count);
    ps_status status = norm_all(m, norms);
    if (status == PS_OK)
        status = norm_together(m, norms);
    for (unsigned i = 0; i < m->count; i++)
        ps_tensor_release(norms[i]);
    ps__free(norms);
    return status;
}

ps_status ps__op_global_norm(const ps__bound_call *call)
{
    many m = {call, call->args[0].as.tensors, call->args[0].count};
    const ps__home *home;
    if (m.count == 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: no tensors are given", call->op->row.name);
    ps_status status = ps__common_home(call, &home);
    if (status != PS_OK)
        return status;
    return is_plain(&m) ? submit(&m, home) : compose(&m);
}
