/* argmin and argmax: see PS__WORK_ARGREDUCE in work.h.
 *
 * The sequence of an output is searched in blocks; what does not lie side by side is gathered
 * first. The first best place wins, whatever the blocks. */
#include "backend/cpu/cpu.h"

enum { BLOCK_BYTES = 2048 }; /* what is looked at together, in the wider of the types */

typedef struct finding {
    ps__arg_fn find;
    unsigned log, compute; /* of the elements; the type that is compared */
    ps__cast_fn cast;      /* to that, or NULL */
    ps__map_fn better;     /* less or greater */
    const ps__operand *x;
    int axis;
    int64_t block; /* elements that are looked at together */
    int64_t length, stride;
    int64_t *out;
} finding;

typedef struct best {
    ps__element value;
    int64_t position;
    bool any, nan;
} best;

static bool is_nan(const finding *s, const void *value)
{
    bool nan = false;
    ps__map_fn test = ps__kernels_get()->map[PS__PRIM_isnan][s->compute][PS__FORM_ALL];
    if (test != NULL)
        test(1, &nan, (const void *[]){value});
    return nan;
}

/* `elements` follow what was seen so far, from place `at` on. */
static void look(const finding *s, best *b, int64_t at, size_t n, const char *elements)
{
    _Alignas(64) char converted[BLOCK_BYTES];
    if (b->nan)
        return;
    if (s->cast != NULL) {
        s->cast(n, converted, elements);
        elements = converted;
    }
    ps__element value;
    int64_t position;
    s->find(n, elements, &value, &position);
    bool wins = !b->any || is_nan(s, &value);
    if (!wins)
        s->better(1, &wins, (const void *[]){&value, &b->value});
    if (wins)
        *b = (best){value, at + position, true, is_nan(s, &value)};
}

/* Where the elements of output `index` begin: all dimensions but the axis. */
static const char *sequence_start(const finding *s, int64_t index)
{
    const char *at = s->x->data;
    for (int i = s->x->ndim - 1; i >= 0; i--) {
        if (i == s->axis)
            continue;
        at += index % s->x->shape[i] * s->x->strides[i];
        index /= s->x->shape[i];
    }
    return at;
}

static ps_status find_outputs(size_t begin, size_t end, void *arg)
{
    const finding *s = arg;
    const ps__kernel_set *kernels = ps__kernels_get();
    _Alignas(64) char gathered[BLOCK_BYTES];
    for (size_t output = begin; output < end; output++) {
        const char *from = sequence_start(s, (int64_t)output);
        best b = {.any = false};
        for (int64_t at = 0; at < s->length; at += s->block) {
            size_t n = (size_t)(s->length - at < s->block ? s->length - at : s->block);
            const char *elements = from + at * s->stride;
            if (s->stride != (int64_t)1 << s->log) {
                kernels->gather[s->log](n, gathered, elements, (ptrdiff_t)s->stride);
                elements = gathered;
            }
            look(s, &b, at, n, elements);
        }
        s->out[output] = b.position;
    }
    return PS_OK;
}

PS__CPU_RUN(argreduce)
{
    (void)count;
    const ps__work_argreduce *w = (const ps__work_argreduce *)work;
    const ps__kernel_set *kernels = ps__kernels_get();
    const ps__operand *x = &operands[1];
    unsigned compute = ps__dtypes[x->dtype].compute;
    finding f = {.find = (w->largest ? kernels->argmax : kernels->argmin)[compute],
                 .log = (unsigned)__builtin_ctz(ps__dtypes[x->dtype].bytes),
                 .compute = compute,
                 .cast = compute != x->dtype ? kernels->cast[x->dtype][compute] : NULL,
                 .better = kernels->map[w->largest ? PS__PRIM_greater : PS__PRIM_less][compute][0],
                 .x = x,
                 .axis = w->axis,
                 .block =
                     BLOCK_BYTES / (int64_t)(ps__dtypes[compute].bytes > ps__dtypes[x->dtype].bytes
                                                 ? ps__dtypes[compute].bytes
                                                 : ps__dtypes[x->dtype].bytes),
                 .length = x->shape[w->axis],
                 .stride = x->strides[w->axis],
                 .out = (int64_t *)(void *)operands[0].data};
    int64_t outputs = 1;
    for (int i = 0; i < x->ndim; i++)
        outputs *= i == w->axis ? 1 : x->shape[i];
    int64_t grain = 65536 / (f.length + 1);
    return ps__split(lane, (size_t)outputs, grain < 1 ? 1 : (size_t)grain, find_outputs, &f);
}
