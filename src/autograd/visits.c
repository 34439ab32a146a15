/* The nodes that a walk has come to: see visits.h. */
#include "autograd/visits.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

/* ---- the table --------------------------------------------------------------------------- */

static size_t slot_of(const ps__visits *visits, const ps__node *node)
{
    size_t at = (size_t)((uintptr_t)node >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    at &= visits->room - 1;
    while (visits->slots[at] != NULL && visits->slots[at]->node != node)
        at = (at + 1) & (visits->room - 1);
    return at;
}

static bool no_memory(const ps__visits *visits)
{
    (void)ps__fail(PS_ERR_MEMORY, "no memory for a walk over %zu nodes", visits->count);
    return false;
}

static bool grow(ps__visits *visits)
{
    if (visits->room != 0 && 2 * visits->count < visits->room)
        return true;
    ps__visits more = *visits;
    more.room = visits->room != 0 ? 2 * visits->room : 64;
    more.slots = ps__calloc(more.room, sizeof more.slots[0]);
    more.heap = ps__calloc(more.room, sizeof more.heap[0]);
    if (more.slots == NULL || more.heap == NULL) {
        ps__free(more.slots);
        ps__free(more.heap);
        return no_memory(visits);
    }
    for (size_t i = 0; i < visits->room; i++)
        if (visits->slots[i] != NULL)
            more.slots[slot_of(&more, visits->slots[i]->node)] = visits->slots[i];
    if (visits->waiting != 0)
        memcpy(more.heap, visits->heap, visits->waiting * sizeof visits->heap[0]);
    ps__free(visits->slots);
    ps__free(visits->heap);
    *visits = more;
    return true;
}

/* ---- the heap ---------------------------------------------------------------------------- */

static bool before(const ps__visit *a, const ps__visit *b)
{
    return a->node->serial != b->node->serial ? a->node->serial > b->node->serial
                                              : a->number < b->number;
}

void ps__visits_wait(ps__visits *visits, ps__visit *v)
{
    size_t at = visits->waiting++;
    for (; at > 0 && before(v, visits->heap[(at - 1) / 2]); at = (at - 1) / 2)
        visits->heap[at] = visits->heap[(at - 1) / 2];
    visits->heap[at] = v;
}

ps__visit *ps__visits_next(ps__visits *visits)
{
    ps__visit *first = visits->heap[0], *last = visits->heap[--visits->waiting];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < visits->waiting; at = child) {
        if (child + 1 < visits->waiting && before(visits->heap[child + 1], visits->heap[child]))
            child++;
        if (!before(visits->heap[child], last))
            break;
        visits->heap[at] = visits->heap[child];
    }
    visits->heap[at] = last;
    return first;
}

ps__visit *ps__visits_find(const ps__visits *visits, const ps__node *node)
{
    return visits->room != 0 ? visits->slots[slot_of(visits, node)] : NULL;
}

ps__visit *ps__visits_add(ps__visits *visits, ps__node *node)
{
    if (!grow(visits))
        return NULL;
    size_t at = slot_of(visits, node);
    if (visits->slots[at] != NULL)
        return visits->slots[at];
    ps__visit *made = ps__calloc(1, sizeof *made + node->outputs * sizeof made->sums[0]);
    if (made == NULL) {
        (void)no_memory(visits);
        return NULL;
    }
    ps__node_retain(node);
    made->node = node;
    made->number = visits->count;
    made->sums = (ps_tensor **)(void *)(made + 1);
    visits->slots[at] = made;
    visits->count++;
    ps__visits_wait(visits, made);
    return made;
}

/* ---- the end ------------------------------------------------------------------------------ */

void ps__visits_end(ps__visits *visits)
{
    for (size_t i = 0; i < visits->room; i++) {
        ps__visit *v = visits->slots[i];
        if (v == NULL)
            continue;
        for (uint32_t k = 0; k < v->node->outputs; k++)
            ps_tensor_release(v->sums[k]);
        ps__node_release(v->node);
        ps__free(v);
    }
    ps__free(visits->slots);
    ps__free(visits->heap);
}
