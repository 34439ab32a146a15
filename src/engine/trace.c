/* Tracing: what happened to each task, in a ring of events per thread.
 *
 * A thread writes to its own ring, under the ring's lock, which nobody else holds but a reader:
 * writing costs a clock read and an uncontended lock. Rings stay until the engine is destroyed;
 * starting again empties them.
 *
 * What a task reads and writes is recorded as it was pushed; dependencies are worked out when the
 * trace is read, so that none is missed and pushing stays cheap. */
#include "engine/internal.h"

#include <stdlib.h>
#include <string.h>

/* Kinds that only rings hold; `other` is the variable's id. */
enum { READS = 100, WRITES = 101 };

typedef struct ps__ring {
    struct ps__ring *next; /* engine->trace_lock */
    uint32_t thread;       /* constant */
    ps__lock lock;         /* guards the rest; a leaf */
    ps_trace_event *events;
    size_t capacity;
    uint64_t written;
} ps__ring;

/* ---- Recording ------------------------------------------------------------------------- */

static ps__ring *make_ring(ps_engine *engine, uint32_t id)
{
    ps__ring *ring = ps__calloc(1, sizeof *ring);
    if (ring == NULL)
        return NULL;
    ring->thread = id;
    ps__lock_take(&engine->trace_lock);
    ring->capacity = engine->ring_events;
    ring->events = ps__calloc(ring->capacity, sizeof *ring->events);
    if (ring->events != NULL) {
        ring->next = engine->rings;
        engine->rings = ring;
    }
    ps__unlock(&engine->trace_lock);
    if (ring->events == NULL) {
        ps__free(ring);
        return NULL;
    }
    return ring;
}

static ps__ring *find_ring(ps_engine *engine, uint32_t id)
{
    ps__lock_take(&engine->trace_lock);
    ps__ring *ring = engine->rings;
    while (ring != NULL && ring->thread != id)
        ring = ring->next;
    ps__unlock(&engine->trace_lock);
    return ring;
}

/* NULL when memory is out: the event is not recorded, the task runs all the same. */
static ps__ring *ring_of(ps_engine *engine, ps__thread *thread)
{
    if (PS_UNLIKELY(thread->ring_engine != engine)) {
        ps__ring *ring = find_ring(engine, thread->id);
        if (ring == NULL)
            ring = make_ring(engine, thread->id);
        if (ring == NULL)
            return NULL;
        thread->ring = ring;
        thread->ring_engine = engine;
    }
    return thread->ring;
}

static void record(ps_engine *engine, uint32_t kind, uint64_t sequence, const char *name,
                   uint64_t other)
{
    ps__thread *thread = ps__thread_get();
    ps__ring *ring = thread != NULL ? ring_of(engine, thread) : NULL;
    if (ring == NULL)
        return;
    ps__lock_take(&ring->lock);
    if (ring->capacity != 0)
        ring->events[ring->written++ % ring->capacity] =
            (ps_trace_event){(uint64_t)ps__now_ns(), sequence, other, name, ring->thread, kind};
    ps__unlock(&ring->lock);
}

void ps__trace_record(ps_engine *engine, ps_trace_kind kind, const ps_task *task, uint64_t other)
{
    if (task != NULL)
        record(engine, kind, task->sequence, task->name, other);
    else
        record(engine, kind, 0, NULL, other);
}

void ps__trace_loop(ps_engine *engine, ps_trace_kind kind, uint64_t sequence, const char *name,
                    uint64_t other)
{
    record(engine, kind, sequence, name, other);
}

void ps__trace_access(ps_engine *engine, const ps_task *task, const ps__access *access)
{
    uint64_t id = ps__access_var(access)->id;
    bool write = access->bits & PS__ACCESS_WRITE;
    if (!write || (access->bits & PS__ACCESS_READS))
        record(engine, READS, task->sequence, task->name, id);
    if (write)
        record(engine, WRITES, task->sequence, task->name, id);
}

/* ---- Starting and stopping ------------------------------------------------------------- */

static ps_status resize_ring(ps__ring *ring, size_t events)
{
    ps_trace_event *fresh = ps__calloc(events, sizeof *fresh);
    if (fresh == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for a trace of %zu events", events);
    ps__lock_take(&ring->lock);
    ps_trace_event *old = ring->events;
    ring->events = fresh;
    ring->capacity = events;
    ring->written = 0;
    ps__unlock(&ring->lock);
    ps__free(old);
    return PS_OK;
}

static void set_tracing(ps_engine *engine, bool on)
{
    ps__lock_take(&engine->lock);
    ps__store(&engine->tracing, on);
    ps__unlock(&engine->lock);
}

ps_status ps_trace_start(ps_engine *engine, size_t events)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    if (events == 0 || events > SIZE_MAX / (2 * sizeof(ps_trace_event)))
        return ps__fail(PS_ERR_ARGUMENT, "ps_trace_start: a ring of %zu events", events);
    ps__lock_take(&engine->trace_lock);
    engine->ring_events = events;
    for (ps__ring *ring = engine->rings; ring != NULL && status == PS_OK; ring = ring->next)
        status = resize_ring(ring, events);
    ps__unlock(&engine->trace_lock);
    if (status == PS_OK)
        set_tracing(engine, true);
    return status;
}

ps_status ps_trace_stop(ps_engine *engine)
{
    ps_status status = ps__engine_check(engine);
    if (status == PS_OK)
        set_tracing(engine, false);
    return status;
}

void ps__trace_destroy(ps_engine *engine)
{
    while (engine->rings != NULL) {
        ps__ring *next = engine->rings->next;
        ps__free(engine->rings->events);
        ps__free(engine->rings);
        engine->rings = next;
    }
}

/* Threads that are gone may have held the locks. */
void ps__trace_fork_child(ps_engine *engine)
{
    ps__store(&engine->trace_lock.state, 0);
    for (ps__ring *ring = engine->rings; ring != NULL; ring = ring->next)
        ps__store(&ring->lock.state, 0);
}

/* ---- Reading --------------------------------------------------------------------------- */

typedef struct events {
    ps_trace_event *at;
    size_t count, capacity;
} events;

static bool append(events *list, ps_trace_event event)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity != 0 ? 2 * list->capacity : 1024;
        ps_trace_event *grown = ps__calloc(capacity, sizeof *grown);
        if (grown == NULL)
            return false;
        if (list->count != 0)
            memcpy(grown, list->at, list->count * sizeof *grown);
        ps__free(list->at);
        list->at = grown;
        list->capacity = capacity;
    }
    list->at[list->count++] = event;
    return true;
}

static bool collect(ps_engine *engine, events *accesses, events *list, uint64_t *lost)
{
    bool enough = true;
    ps__lock_take(&engine->trace_lock);
    for (ps__ring *ring = engine->rings; ring != NULL && enough; ring = ring->next) {
        ps__lock_take(&ring->lock);
        uint64_t first = ring->written > ring->capacity ? ring->written - ring->capacity : 0;
        *lost += first;
        for (uint64_t i = first; i < ring->written && enough; i++) {
            ps_trace_event event = ring->events[i % ring->capacity];
            enough = append(event.kind >= READS ? accesses : list, event);
        }
        ps__unlock(&ring->lock);
    }
    ps__unlock(&engine->trace_lock);
    return enough;
}

/* By variable, then in the order of the pushes; a task's reads before its writes. */
static int by_variable(const void *a, const void *b)
{
    const ps_trace_event *x = a, *y = b;
    if (x->other != y->other)
        return x->other < y->other ? -1 : 1;
    if (x->sequence != y->sequence)
        return x->sequence < y->sequence ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static int by_time(const void *a, const void *b)
{
    const ps_trace_event *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->sequence != y->sequence)
        return x->sequence < y->sequence ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static bool depend(events *list, const ps_trace_event *on, const ps_trace_event *task)
{
    if (on->sequence == task->sequence)
        return true;
    ps_trace_event event = *task;
    event.kind = PS_TRACE_DEPENDS;
    event.other = on->sequence;
    return append(list, event);
}

/* Accesses of one variable, in order: a read depends on the write before it; a write on the reads
 * since the last write or, if there are none, on that write. */
static bool derive(const ps_trace_event *access, size_t count, events *list)
{
    const ps_trace_event *write = NULL;
    size_t reads_from = 0;
    bool enough = true;
    for (size_t i = 0; i < count && enough; i++) {
        if (access[i].kind == READS) {
            if (write != NULL)
                enough = depend(list, write, &access[i]);
            continue;
        }
        bool others_read = false;
        for (size_t j = reads_from; j < i && enough; j++) {
            others_read |= access[j].sequence != access[i].sequence;
            enough = depend(list, &access[j], &access[i]);
        }
        bool reads_it = i > 0 && access[i - 1].sequence == access[i].sequence;
        if (enough && write != NULL && !others_read && !reads_it)
            enough = depend(list, write, &access[i]);
        write = &access[i];
        reads_from = i + 1;
    }
    return enough;
}

static bool derive_all(events *accesses, events *list)
{
    if (accesses->count == 0)
        return true;
    qsort(accesses->at, accesses->count, sizeof *accesses->at, by_variable);
    bool enough = true;
    for (size_t i = 0, j; i < accesses->count && enough; i = j) {
        for (j = i; j < accesses->count && accesses->at[j].other == accesses->at[i].other;)
            j++;
        enough = derive(accesses->at + i, j - i, list);
    }
    return enough;
}

ps_status ps_trace_read(ps_engine *engine, ps_trace_event *out, size_t capacity, size_t *count,
                        uint64_t *lost)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    if (count == NULL || (out == NULL && capacity != 0))
        return ps__fail(PS_ERR_ARGUMENT, "ps_trace_read: %s is NULL",
                        count == NULL ? "count" : "events");
    events accesses = {0}, list = {0};
    uint64_t overwritten = 0;
    if (collect(engine, &accesses, &list, &overwritten) && derive_all(&accesses, &list)) {
        if (list.count != 0)
            qsort(list.at, list.count, sizeof *list.at, by_time);
        size_t copied = list.count < capacity ? list.count : capacity;
        if (copied != 0)
            memcpy(out, list.at, copied * sizeof *out);
        *count = list.count;
        if (lost != NULL)
            *lost = overwritten;
    } else {
        status = ps__fail(PS_ERR_MEMORY, "no memory to read the trace");
    }
    ps__free(accesses.at);
    ps__free(list.at);
    return status;
}
