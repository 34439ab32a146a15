/* Binary search, in the order of sort: see PS__WORK_SEARCH in work.h. */
#include "backend/cpu/cpu.h"

#include "kernels/order.h"

enum { PIECE = 1 << 11 /* elements; work is divided among threads in pieces of these */ };

typedef struct searching {
    bool behind;
    const ps__operand *operands;
} searching;

static ps_status search_piece(size_t begin, size_t end, void *arg)
{
    const searching *s = arg;
    const ps__operand *sorted = &s->operands[1], *x = &s->operands[2];
    ps_dtype dtype = (ps_dtype)x->dtype;
    ps__search(dtype, s->behind, (size_t)sorted->shape[0], sorted->data, end - begin,
               x->data + begin * ps__dtype_bytes(dtype),
               (int64_t *)(void *)s->operands[0].data + begin);
    return PS_OK;
}

PS__CPU_RUN(search)
{
    (void)count;
    searching s = {((const ps__work_search *)work)->behind != 0, operands};
    size_t elements = 1;
    const ps__operand *x = &operands[2];
    for (int i = 0; i < x->ndim; i++)
        elements *= (size_t)x->shape[i];
    return elements == 0 ? PS_OK : ps__split(lane, elements, PIECE, search_piece, &s);
}
