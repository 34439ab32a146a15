/* The norm of many tensors: see PS__WORK_SIZE in work.h. Each is reduced as by itself, with the pool's
 * help if it is large; then their norms are. */
#include "backend/cpu/cpu.h"

#include "memory/memory.h"

/* A reduction of all elements of an operand; its shape follows the description. */
typedef struct whole_reduction {
    ps__work_reduce work;
    int64_t shape[PS_DIMS_MAX];
} whole_reduction;

_Static_assert(offsetof(whole_reduction, shape) == sizeof(ps__work_reduce), "the shape follows");

static ps_status norm_of(const ps__lane *lane, const ps__reduce_spec *spec, const ps__operand *x,
                         char *to)
{
    whole_reduction r = {.work = {.head = PS__WORK_HEAD(REDUCE, whole_reduction),
                                  .spec = *spec,
                                  .reduced = x->ndim == 32 ? UINT32_MAX : (1u << x->ndim) - 1,
                                  .ndim = x->ndim,
                                  .source = {1}}};
    for (int i = 0; i < x->ndim; i++)
        r.shape[i] = x->shape[i];
    ps__operand pair[2] = {{.data = to, .old = to, .dtype = spec->result}, *x};
    return ps__cpu_reduce(lane, &r.work.head, pair, 2);
}

static ps_status norm_of_norms(const ps__lane *lane, const ps__reduce_spec *spec, char *norms,
                               unsigned count, char *to)
{
    int64_t shape = count, bytes = (int64_t)ps__dtype_bytes((ps_dtype)spec->result);
    ps__operand all = {.data = norms,
                       .old = norms,
                       .shape = &shape,
                       .strides = &bytes,
                       .dtype = spec->result,
                       .ndim = 1};
    return norm_of(lane, spec, &all, to);
}

PS__CPU_RUN(size)
{
    const ps__reduce_spec *spec = &((const ps__work_size *)work)->spec;
    size_t bytes = ps__dtype_bytes((ps_dtype)spec->result);
    void *norms;
    ps_status status = ps_memory_alloc(work->scratch, &norms);
    if (status != PS_OK)
        return ps_task_fail(lane->self, status, "%s", ps_last_error());
    for (unsigned i = 1; i < count && status == PS_OK; i++)
        status = norm_of(lane, spec, &operands[i], (char *)norms + (i - 1) * bytes);
    if (status == PS_OK)
        status = norm_of_norms(lane, spec, norms, count - 1, operands[0].data);
    ps_memory_free(norms, work->scratch);
    return status;
}
