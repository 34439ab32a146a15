/* What is ready to run: higher priority first, then the older.
 *
 * Tasks mostly become ready in the order in which they were pushed and without a priority: those
 * are appended to a plain list. All others go to a pairing heap (adding is O(1), removing
 * O(log n) amortised, no memory of its own). In the list `where` is the task before; in the heap
 * `where` is the left sibling or the parent, `next` the right sibling, `child` the first child. */
#include "engine/internal.h"

static bool before(const ps_task *a, const ps_task *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return a->sequence < b->sequence;
}

static ps_task *meld(ps_task *a, ps_task *b)
{
    if (a == NULL)
        return b;
    if (b == NULL)
        return a;
    if (before(b, a)) {
        ps_task *other = a;
        a = b;
        b = other;
    }
    b->where = a;
    b->next = a->child;
    if (a->child != NULL)
        a->child->where = b;
    a->child = b;
    return a;
}

/* Pairs the siblings from left to right, then melds the pairs from right to left. */
static ps_task *meld_siblings(ps_task *first)
{
    ps_task *pairs = NULL;
    while (first != NULL) {
        ps_task *a = first, *b = a->next;
        first = b != NULL ? b->next : NULL;
        a->next = NULL;
        if (b != NULL)
            b->next = NULL;
        ps_task *pair = meld(a, b);
        pair->next = pairs;
        pairs = pair;
    }
    ps_task *root = NULL;
    while (pairs != NULL) {
        ps_task *next = pairs->next;
        pairs->next = NULL;
        root = meld(root, pairs);
        pairs = next;
    }
    return root;
}

static void heap_remove(ps__ready *ready, ps_task *task)
{
    ps_task *below = meld_siblings(task->child);
    if (ready->heap == task) {
        ready->heap = below;
    } else {
        ps_task *left = task->where;
        if (left->child == task)
            left->child = task->next;
        else
            left->next = task->next;
        if (task->next != NULL)
            task->next->where = left;
        ready->heap = meld(ready->heap, below);
    }
    if (ready->heap != NULL) {
        ready->heap->where = NULL;
        ready->heap->next = NULL;
    }
    task->flags &= (uint16_t)~PS__TASK_HEAPED;
}

static void list_remove(ps__ready *ready, ps_task *task)
{
    ps_task *left = task->where;
    if (left == NULL)
        ready->first = task->next;
    else
        left->next = task->next;
    if (task->next == NULL)
        ready->last = left;
    else
        task->next->where = left;
}

void ps__ready_add(ps__ready *ready, ps_task *task)
{
    ready->count++;
    ready->cost += ps__task_cost(task);
    task->next = NULL;
    if (task->priority == 0 && (ready->last == NULL || ready->last->sequence < task->sequence)) {
        task->where = ready->last;
        if (ready->last == NULL)
            ready->first = task;
        else
            ready->last->next = task;
        ready->last = task;
        return;
    }
    task->child = NULL;
    task->where = NULL;
    task->flags |= PS__TASK_HEAPED;
    ready->heap = meld(ready->heap, task);
}

ps_task *ps__ready_peek(const ps__ready *ready)
{
    if (ready->heap == NULL)
        return ready->first;
    if (ready->first == NULL || before(ready->heap, ready->first))
        return ready->heap;
    return ready->first;
}

void ps__ready_remove(ps__ready *ready, ps_task *task)
{
    ready->count--;
    ready->cost -= ps__task_cost(task);
    if (task->flags & PS__TASK_HEAPED)
        heap_remove(ready, task);
    else
        list_remove(ready, task);
    task->next = NULL;
    task->where = NULL;
}

ps_task *ps__ready_pop(ps__ready *ready)
{
    ps_task *task = ps__ready_peek(ready);
    if (task != NULL)
        ps__ready_remove(ready, task);
    return task;
}

/* A walk over the heap without recursion: first child, else next sibling, else up. `where` leads
 * to the parent through the left siblings. */
static ps_task *heap_next(const ps_task *root, ps_task *at)
{
    if (at->child != NULL)
        return at->child;
    while (at != root) {
        if (at->next != NULL)
            return at->next;
        ps_task *left = at->where;
        while (left->child != at) {
            at = left;
            left = at->where;
        }
        at = left;
    }
    return NULL;
}

ps_task *ps__ready_find(const ps__ready *ready, bool (*fits)(const ps_task *task, void *arg),
                        void *arg)
{
    ps_task *best = NULL;
    for (ps_task *at = ready->first; at != NULL && best == NULL; at = at->next)
        if (fits(at, arg))
            best = at;
    for (ps_task *at = ready->heap; at != NULL; at = heap_next(ready->heap, at))
        if (fits(at, arg) && (best == NULL || before(at, best)))
            best = at;
    return best;
}
