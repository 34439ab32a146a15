/* Programs over many sets of tensors: see PS__WORK_UPDATE in work.h.
 *
 * The elements of all sets are counted through, and dealt to the pool in pieces of PIECE: so many small
 * sets make one piece, and a large one several. What comes out for an element does not depend on
 * where a piece ends: kernels do not look at positions. */
#include "backend/cpu/cpu.h"

enum { PIECE = 1 << 14 };

typedef struct updating {
    const ps__work_update *work;
    const ps__operand *operands;
} updating;

/* The set that has an element. */
static uint32_t set_of(const ps__work_update *work, int64_t element)
{
    const ps__update_set *sets = ps__update_sets(work);
    uint32_t low = 0, high = work->sets;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (sets[middle].first <= element)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int64_t set_end(const ps__work_update *work, uint32_t set)
{
    return set + 1 < work->sets ? ps__update_sets(work)[set + 1].first : work->count;
}

static bool is_one(const ps__operand *operand)
{
    for (int i = 0; i < operand->ndim; i++)
        if (operand->shape[i] != 1)
            return false;
    return true;
}

/* Where an operand of a set lies; `dense` is by the logarithm of its elements' bytes. */
static ps__memory memory_of(const ps__operand *operand, const char *data, const int64_t *dense)
{
    unsigned log = (unsigned)__builtin_ctz(ps__dtypes[operand->dtype].bytes);
    const int64_t *strides = dense != NULL ? &dense[log] : operand->strides;
    return (ps__memory){(char *)data, is_one(operand) ? NULL : strides};
}

/* An input of the program, for a set. */
static ps__memory input_of(const updating *u, uint32_t set, unsigned source, const int64_t *dense)
{
    const ps__work_update *work = u->work;
    unsigned stores = work->program->stores;
    const ps__operand *own = u->operands + (size_t)work->sets * stores;
    if (source & PS__CONSTANT) {
        const ps__element *constants = ps__update_constants(work, set);
        return (ps__memory){(char *)constants[source & ~PS__CONSTANT].bytes, NULL};
    }
    if (source & PS__COMMON) {
        const ps__operand *common = own + (size_t)work->sets * work->own;
        return (ps__memory){common[source & ~PS__COMMON].data, NULL};
    }
    if (source < stores) {
        const ps__operand *output = &u->operands[(size_t)set * stores + source];
        return memory_of(output, output->old, dense);
    }
    const ps__operand *operand = &own[(size_t)set * work->own + source - stores];
    return memory_of(operand, operand->data, dense);
}

/* Elements [begin, end) of a set. */
static void update_set(const updating *u, uint32_t set, int64_t begin, int64_t end)
{
    static const int64_t bytes[] = {1, 2, 4, 8, 16};
    const ps__program *program = u->work->program;
    const ps__update_set *one = &ps__update_sets(u->work)[set];
    const ps__operand *output = &u->operands[(size_t)set * program->stores];
    const int64_t *dense = one->dense ? bytes : NULL;
    int64_t count = set_end(u->work, set) - one->first;
    ps__space space = {output->ndim, output->shape, count};
    ps__memory inputs[PS__INPUTS], stores[PS__STORES];
    if (one->dense)
        space = (ps__space){1, &count, count};
    for (unsigned i = 0; i < program->inputs; i++)
        inputs[i] = input_of(u, set, u->work->source[i], dense);
    for (unsigned s = 0; s < program->stores; s++) {
        unsigned log = (unsigned)__builtin_ctz(ps__dtypes[output[s].dtype].bytes);
        stores[s] = (ps__memory){output[s].data, dense != NULL ? &dense[log] : output[s].strides};
    }
    ps__program_run(program, &space, inputs, stores, begin, end, false);
}

static ps_status update_piece(size_t begin, size_t end, void *arg)
{
    const updating *u = arg;
    const ps__update_set *sets = ps__update_sets(u->work);
    int64_t at = (int64_t)begin;
    for (uint32_t set = set_of(u->work, at); at < (int64_t)end; set++) {
        int64_t last = set_end(u->work, set);
        last = last < (int64_t)end ? last : (int64_t)end;
        if (at < last)
            update_set(u, set, at - sets[set].first, last - sets[set].first);
        at = last;
    }
    return PS_OK;
}

PS__CPU_RUN(update)
{
    (void)count;
    updating u = {(const ps__work_update *)work, operands};
    return ps__split(lane, (size_t)u.work->count, PIECE, update_piece, &u);
}
