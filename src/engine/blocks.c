/* Where records and variables live: slabs of equal blocks that stay mapped while the engine is
 * open, so that a stale pointer may be looked at under the lock.
 *
 * Records move between the engine's free lists (under the lock) and each window's own (its owner
 * alone) in batches, so that a push takes neither the lock nor the system's allocator for one. Those
 * that other threads have freed are in their caches: a batch changes hands without a look at more than
 * its first. */
#include "engine/internal.h"

enum { SLAB = 64 * 1024, BATCH = 64, WINDOW_FREE_MAX = 1024 };

typedef struct slab {
    struct slab *next;
    uint32_t used; /* variables handed out once; records are all handed out at once */
} slab;

static ps_task *slab_task(slab *from, size_t index)
{
    return (ps_task *)((char *)from + index * PS__BLOCK);
}

static ps_var *slab_var(slab *from, size_t index)
{
    return (ps_var *)((char *)from + index * sizeof(ps_var));
}

/* Under the lock: links all blocks of a new slab but the first, which is its head. */
static void add_records(ps_engine *engine, slab *fresh)
{
    fresh->next = engine->record_slabs;
    engine->record_slabs = fresh;
    for (size_t i = SLAB / PS__BLOCK - 1; i > 0; i--)
        ps__record_free(engine, NULL, slab_task(fresh, i));
}

/* Under the lock; the window has none. */
static void take_batch(ps__window *window)
{
    ps_engine *engine = window->engine;
    if (engine->free_batches != NULL) {
        window->free = engine->free_batches;
        window->free_count = BATCH;
        engine->free_batches = window->free->child;
    } else {
        window->free = engine->free;
        window->free_count = engine->free_count;
        engine->free = NULL;
        engine->free_count = 0;
    }
}

/* Under the lock. */
static void free_shared(ps_engine *engine, ps_task *task)
{
    task->next = engine->free;
    engine->free = task;
    if (++engine->free_count < BATCH)
        return;
    task->child = engine->free_batches;
    engine->free_batches = task;
    engine->free = NULL;
    engine->free_count = 0;
}

ps_task *ps__record_new_slow(ps__window *window)
{
    ps_engine *engine = window->engine;
    ps__lock_take(&engine->lock);
    take_batch(window);
    ps__unlock(&engine->lock);
    if (window->free == NULL) {
        slab *fresh = ps__calloc_aligned(PS__BLOCK, SLAB);
        if (fresh == NULL)
            return NULL;
        ps__lock_take(&engine->lock);
        add_records(engine, fresh);
        take_batch(window);
        ps__unlock(&engine->lock);
    }
    return ps__record_new(window);
}

void ps__record_free(ps_engine *engine, ps__window *window, ps_task *task)
{
    task->sequence = 0;
    task->state = PS__FREE;
    if (PS_LIKELY(window != NULL && window->free_count < WINDOW_FREE_MAX)) {
        task->next = window->free;
        window->free = task;
        window->free_count++;
    } else {
        free_shared(engine, task);
    }
}

ps__extra *ps__extra_new_locked(ps_engine *engine)
{
    if (engine->free_extras == NULL) {
        slab *fresh = ps__calloc_aligned(PS__BLOCK, SLAB);
        if (fresh == NULL)
            return NULL;
        fresh->next = engine->extra_slabs;
        engine->extra_slabs = fresh;
        for (size_t i = SLAB / PS__BLOCK - 1; i > 0; i--)
            ps__extra_free_locked(engine, (ps__extra *)slab_task(fresh, i));
    }
    ps__extra *extra = engine->free_extras;
    engine->free_extras = extra->next;
    return extra;
}

void ps__extra_free_locked(ps_engine *engine, ps__extra *extra)
{
    extra->next = engine->free_extras;
    engine->free_extras = extra;
}

ps_var *ps__var_new_locked(ps_engine *engine)
{
    ps_var *var = engine->free_vars;
    if (var != NULL) {
        engine->free_vars = (ps_var *)var->head;
        return var;
    }
    slab *newest = engine->var_slabs;
    if (newest == NULL || newest->used == SLAB / sizeof(ps_var)) {
        slab *fresh = ps__calloc_aligned(sizeof(ps_var), SLAB);
        if (fresh == NULL)
            return NULL;
        fresh->next = newest;
        fresh->used = 1;
        engine->var_slabs = newest = fresh;
    }
    return slab_var(newest, newest->used++);
}

void ps__var_free_locked(ps_engine *engine, ps_var *var)
{
    ps__error *error = ps__load(&var->error);
    if (error != NULL) {
        ps__store(&var->error, NULL);
        ps__error_release(engine, error);
    }
    ps__free(var->issued);
    var->issued = NULL;
    var->magic = PS__VAR_DEAD;
    var->head = (ps__access *)engine->free_vars;
    engine->free_vars = var;
    engine->live_vars--;
}

void ps__blocks_each_task(ps_engine *engine, void (*fn)(ps_task *task, void *arg), void *arg)
{
    for (slab *at = engine->record_slabs; at != NULL; at = at->next)
        for (size_t i = 1; i < SLAB / PS__BLOCK; i++)
            if (slab_task(at, i)->state != PS__FREE) /* a free one may be its next pusher's */
                fn(slab_task(at, i), arg);
}

void ps__blocks_each_var(ps_engine *engine, void (*fn)(ps_var *var, void *arg), void *arg)
{
    for (slab *at = engine->var_slabs; at != NULL; at = at->next)
        for (uint32_t i = 1; i < at->used; i++)
            if (slab_var(at, i)->magic == PS__VAR_MAGIC)
                fn(slab_var(at, i), arg);
}

static void free_slabs(void **slabs)
{
    slab *at = *slabs;
    *slabs = NULL;
    while (at != NULL) {
        slab *next = at->next;
        ps__free(at);
        at = next;
    }
}

void ps__blocks_destroy(ps_engine *engine)
{
    engine->free = engine->free_batches = NULL;
    engine->free_count = 0;
    engine->free_extras = NULL;
    free_slabs(&engine->record_slabs);
    free_slabs(&engine->extra_slabs);
    if (engine->live_vars == 0) {
        engine->free_vars = NULL;
        free_slabs(&engine->var_slabs);
    }
}
