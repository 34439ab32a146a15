/* Storages and buffers: making, counting, recycling. storage.h has the picture.
 *
 * Free cells go to one list that any thread adds to, and from which a thread takes everything at
 * once into a list of its own: no cell is ever taken singly from the shared list, so a stale head
 * does no harm. A thread's own list goes back when the thread ends. */
#include "tensor/tensor.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/lock.h"

#include <pthread.h>
#include <string.h>

static _Atomic(ps__cell *) free_cells;
static __thread ps__cell *own_cells __attribute__((tls_model("initial-exec")));
static __thread bool own_listed __attribute__((tls_model("initial-exec")));

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t end_key; /* written once, before anybody uses it */
static bool have_key;         /* likewise */

/* ---- the engine ------------------------------------------------------------------------ */

static _Atomic(ps_engine *) engine_found;

static __attribute__((noinline)) ps_engine *find_engine(void)
{
    ps_engine *engine;
    if (ps__settings_check() != PS_OK || ps_engine_default(&engine) != PS_OK ||
        ps__engine_set_grouping(engine, ps__tensor_grouping, NULL) != PS_OK)
        return NULL;
    ps__store_release(&engine_found, engine); /* pairs with the acquire below */
    return engine;
}

ps_engine *ps__tensor_engine(void)
{
    /* Pairs with the release above: the engine is made. */
    ps_engine *engine = ps__load_acquire(&engine_found);
    return PS_LIKELY(engine != NULL) ? engine : find_engine();
}

/* ---- cells ----------------------------------------------------------------------------- */

static void give_list(ps__cell *first, ps__cell *last)
{
    ps__cell *head = ps__load(&free_cells);
    do
        last->buffer.next = head;
    while (!ps__cas(&free_cells, &head, first)); /* pairs with the acquire in cell_new */
}

static void end_thread(void *unused)
{
    (void)unused;
    ps__cell *first = own_cells, *last = first;
    own_cells = NULL;
    if (first == NULL)
        return;
    while (last->buffer.next != NULL)
        last = last->buffer.next;
    give_list(first, last);
}

static void make_cell_key(void)
{
    have_key = pthread_key_create(&end_key, end_thread) == 0;
}

/* So that the cells of this thread's list outlive it. If the system refuses they are lost. */
static void list_thread(void)
{
    own_listed = true;
    pthread_once(&key_once, make_cell_key);
    if (have_key)
        (void)pthread_setspecific(end_key, &own_cells);
}

static ps__cell *cell_make(void)
{
    ps_engine *engine = ps__tensor_engine();
    if (engine == NULL)
        return NULL;
    ps__cell *cell = ps__calloc_aligned(64, sizeof *cell);
    if (cell == NULL) {
        ps__fail(PS_ERR_MEMORY, "no memory for a tensor");
        return NULL;
    }
    ps_var *var;
    if (ps_var_create(engine, &var) != PS_OK) {
        ps__free(cell);
        return NULL;
    }
    ps__store(&cell->buffer.var, var); /* nobody else knows it yet */
    return cell;
}

static ps__cell *cell_new_slow(void)
{
    if (!own_listed)
        list_thread();
    /* Pairs with the release in give_list: the cells' fields are written. */
    own_cells = ps__exchange(&free_cells, NULL);
    if (own_cells == NULL)
        return cell_make();
    ps__cell *cell = own_cells;
    own_cells = cell->buffer.next;
    return cell;
}

static inline ps__cell *cell_new(void)
{
    ps__cell *cell = own_cells;
    if (PS_UNLIKELY(cell == NULL))
        return cell_new_slow();
    own_cells = cell->buffer.next;
    return cell;
}

static inline void cell_free(ps__cell *cell)
{
    if (PS_LIKELY(own_listed)) {
        cell->buffer.next = own_cells;
        own_cells = cell;
    } else {
        give_list(cell, cell);
    }
}

/* One of the two parts is gone. */
static inline void cell_leave(ps__cell *cell)
{
    if (ps__count_end(&cell->parts))
        cell_free(cell);
}

static inline void buffer_begin(ps__buffer *buffer, const ps__home *home, uint64_t bytes)
{
    /* Nobody else knows it yet. */
    ps__store(&buffer->uses, PS__BUFFER_REFERENCE);
    ps__store(&buffer->pins, 0u);
    buffer->data = NULL;
    buffer->bytes = bytes;
    buffer->home = home;
    buffer->release = NULL;
    buffer->parts = NULL;
    ps__store(&buffer->state, 0u);
}

static inline void storage_begin(ps__storage *storage, uint64_t bytes, ps__pinned pinned)
{
    storage->version = 0;
    storage->aside = 0;
    storage->bytes = bytes;
    storage->pinned = (uint8_t)pinned;
    ps__store(&storage->generation, 0u); /* nobody else knows it yet */
    storage->root = NULL;
    ps__store(&storage->owner, ps__own_new()); /* nobody else knows it yet */
}

PS_HOT ps_status ps__storage_create(const ps__home *home, uint64_t bytes, ps__storage **storage)
{
    ps__cell *cell = cell_new();
    if (PS_UNLIKELY(cell == NULL))
        return PS_ERR_MEMORY;
    buffer_begin(&cell->buffer, home, bytes);
    ps__store(&cell->parts, 2u); /* nobody else knows it yet */
    ps__store(&cell->storage.handles, 1u);
    ps__store_release(&cell->storage.buffer, &cell->buffer); /* pairs with is_settled */
    storage_begin(&cell->storage, bytes, PS__PINNED_NOT);
    *storage = &cell->storage;
    return PS_OK;
}

/* Whether the current buffer could have parts and has none. Memory from outside may be written by its
 * owner anywhere. */
static bool lacks_parts(ps__storage *storage)
{
    ps_engine *engine = ps__tensor_engine();
    ps__engine_lock(engine);
    const ps__buffer *buffer = ps__load(&storage->buffer); /* only changed under the lock */
    bool lacks = buffer->release == NULL && buffer->parts == NULL;
    ps__engine_unlock(engine);
    return lacks;
}

/* The current buffer, pinned for some of its bytes if it has parts, else for all. *fresh serves as such,
 * and is NULL then. */
static ps__buffer *pin_part(ps__storage *of, int64_t first, int64_t end, ps__parts **fresh,
                            ps__pinned *pinned)
{
    ps_engine *engine = ps__tensor_engine();
    ps__engine_lock(engine);
    ps__storage_enter(of);
    ps__buffer *buffer = ps__load(&of->buffer); /* only changed under the lock */
    ps__buffer_pin(buffer);
    if (buffer->release == NULL && buffer->parts == NULL) {
        buffer->parts = *fresh;
        *fresh = NULL;
    }
    if (buffer->release == NULL && buffer->parts != NULL) {
        ps__parts_add(buffer->parts, first, end);
        ps__add(&buffer->parts->pins, 1u); /* read under the lock */
        *pinned = PS__PINNED_PART;
    }
    ps__engine_unlock(engine);
    return buffer;
}

ps_status ps__storage_snapshot(ps__storage *of, int64_t first, int64_t end, ps__storage **storage)
{
    ps__cell *cell = cell_new();
    if (PS_UNLIKELY(cell == NULL))
        return PS_ERR_MEMORY;
    ps__pinned pinned = PS__PINNED_ALL;
    ps__parts *fresh = NULL; /* without memory for it a write copies, that is all */
    ps__buffer *buffer;
    if (end - first == (int64_t)of->bytes) {
        buffer = ps__storage_pin(of);
    } else {
        if (lacks_parts(of))
            fresh = ps__calloc(1, sizeof *fresh);
        buffer = pin_part(of, first, end, &fresh, &pinned);
    }
    ps__free(fresh);
    ps__store(&cell->parts, 1u); /* nobody else knows it yet: its own buffer is not used */
    ps__store(&cell->storage.handles, 1u);
    ps__store_release(&cell->storage.buffer, buffer); /* pairs with is_settled */
    storage_begin(&cell->storage, of->bytes, pinned);
    *storage = &cell->storage;
    return PS_OK;
}

bool ps__buffer_has_free(const ps__buffer *buffer, int64_t first, int64_t end)
{
    const ps__parts *parts = buffer->release == NULL ? buffer->parts : NULL;
    if (parts == NULL)
        return false;
    uint32_t pins = ps__load_acquire(&buffer->pins); /* before the other: parts.h */
    return pins == ps__load_acquire(&parts->pins) && !ps__parts_need(parts, first, end);
}

/* A recycled variable may carry the mark of a failed task, or be about to: its next task would
 * clear that, but there is none. */
ps_status ps__storage_create_filled(const ps__home *home, uint64_t bytes, ps__storage **storage)
{
    ps_status status = ps__storage_create(home, bytes, storage);
    if (status != PS_OK)
        return status;
    ps__buffer *buffer = ps__load(&(*storage)->buffer); /* our own */
    ps_var *fresh, *used = ps__load(&buffer->var);
    if (ps__var_is_clean(used))
        return PS_OK;
    status = ps_var_create(ps__tensor_engine(), &fresh);
    if (status != PS_OK) {
        ps__storage_release(*storage);
        return status;
    }
    ps__store(&buffer->var, fresh); /* pairs with is_settled: one or the other will do */
    ps_var_release(used);
    return PS_OK;
}

ps_status ps__buffer_create(const ps__home *home, uint64_t bytes, ps__buffer **buffer)
{
    ps__cell *cell = cell_new();
    if (PS_UNLIKELY(cell == NULL))
        return PS_ERR_MEMORY;
    buffer_begin(&cell->buffer, home, bytes);
    ps__store(&cell->parts, 1u); /* nobody else knows it yet */
    *buffer = &cell->buffer;
    return PS_OK;
}

/* ---- counting -------------------------------------------------------------------------- */

static void hold_bytes(int64_t bytes)
{
    ps__engine_keep(ps__tensor_engine(), bytes); /* exists: a buffer has a variable of it */
}

/* Whoever completes the pair of facts counts the buffer; he has a reference. */
static bool is_orphan(uint32_t state)
{
    uint32_t facts = PS__BUFFER_ORPHAN | PS__BUFFER_FILLED;
    return (state & facts) == facts;
}

static void note_fact(ps__buffer *buffer, uint32_t fact)
{
    /* Pairs with the other fact's: a number is counted once. */
    uint32_t before = ps__or_acq_rel(&buffer->state, fact);
    if (before != (before | fact) && is_orphan(before | fact))
        hold_bytes((int64_t)buffer->bytes);
}

void ps__buffer_filled_slow(ps__buffer *buffer)
{
    note_fact(buffer, PS__BUFFER_FILLED);
}

/* No storage has it, and nobody has pinned it. */
static void note_alone(ps__buffer *buffer)
{
    /* Pairs with the other side's: whoever comes second, the last unpin or this, sees the first. */
    if (ps__load_acquire(&buffer->pins) == 0)
        note_fact(buffer, PS__BUFFER_ORPHAN);
}

void ps__buffer_orphan(ps__buffer *buffer)
{
    /* A count of 1 is ours: nobody else is left, so it goes at once. */
    if (buffer->bytes >= PS__BUFFER_COUNTED && ps__buffer_references(buffer) != 1) {
        note_fact(buffer, PS__BUFFER_LEFT);
        note_alone(buffer);
    }
    ps__buffer_release(buffer);
}

static inline void own_data_free(ps__buffer *buffer)
{
    if (buffer->data != NULL)
        ps__pool_free(buffer->home->pool, buffer->data, buffer->bytes);
    buffer->data = NULL;
}

/* With the last reference. */
static inline void memory_free(ps__buffer *buffer)
{
    if (PS_UNLIKELY(buffer->release != NULL)) {
        buffer->release(buffer->owner);
        return;
    }
    own_data_free(buffer);
    if (PS_UNLIKELY(buffer->parts != NULL))
        ps__free(buffer->parts);
}

static void buffer_free(ps__buffer *buffer)
{
    /* The last reference: nobody changes it any more. */
    if (is_orphan(ps__load(&buffer->state)))
        hold_bytes(-(int64_t)buffer->bytes);
    memory_free(buffer);
    cell_leave((ps__cell *)buffer);
}

/* As ps__count_end. */
static inline void uses_end(ps__buffer *buffer, uint64_t use)
{
    /* Both pair with the releases of the others: the last one sees all that they did. */
    if (ps__load_acquire(&buffer->uses) == use ||
        (uint32_t)ps__sub_acq_rel(&buffer->uses, use) == PS__BUFFER_REFERENCE)
        buffer_free(buffer);
}

void ps__buffer_release(ps__buffer *buffer)
{
    uses_end(buffer, PS__BUFFER_REFERENCE);
}

void ps__buffer_release_reader(ps__buffer *buffer)
{
    uses_end(buffer, PS__BUFFER_READER);
}

PS_HOT void ps__storage_release(ps__storage *storage)
{
    if (!ps__count_end(&storage->handles))
        return;
    ps__cell *cell = (ps__cell *)((char *)storage - offsetof(ps__cell, storage));
    /* With the last handle gone nobody can capture the buffer: no lock is needed to read it. */
    ps__buffer *buffer = ps__load(&storage->buffer);
    if (PS_UNLIKELY(storage->root != NULL))
        ps__node_release(storage->root);
    if (PS_UNLIKELY(storage->pinned != PS__PINNED_NOT)) {
        ps__storage_forget_part(storage, buffer);
        ps__buffer_unpin(buffer);
        cell_leave(cell);
        return;
    }
    /* Both parts of the cell go here, unseen by anybody. */
    if (PS_LIKELY(buffer == &cell->buffer && ps__buffer_references(buffer) == 1)) {
        memory_free(buffer);
        cell_free(cell);
        return;
    }
    ps__buffer_orphan(buffer);
    cell_leave(cell);
}

void ps__buffer_lend(ps__buffer *buffer, void *data, void (*release)(void *owner), void *owner)
{
    buffer->data = data;
    buffer->release = release;
    buffer->owner = owner;
    /* A reader, by a pin that nobody takes off, beside the one reference; nobody counts yet. */
    ps__store(&buffer->uses, PS__BUFFER_READER);
    ps__store(&buffer->pins, 1u);
}

ps_status ps__buffer_allocate(ps__buffer *buffer)
{
    if (PS_LIKELY(buffer->data != NULL))
        return PS_OK;
    if (PS_LIKELY(buffer->home->pool == ps__pool_cpu()))
        return ps_memory_alloc(buffer->bytes, &buffer->data);
    return ps__pool_alloc(buffer->home->pool, buffer->bytes, &buffer->data);
}

void ps__buffer_give_back(ps__buffer *buffer)
{
    own_data_free(buffer); /* its parts stay: snapshots have them */
}

bool ps__buffer_try(ps__buffer *buffer)
{
    if (buffer->data == NULL)
        buffer->data = ps__memory_try(buffer->bytes);
    return buffer->data != NULL;
}

/* Of a storage that this thread may use: its own, inside; or under the lock. */
static bool copy_if_there(const ps__storage *storage, int64_t offset, size_t bytes, void *to)
{
    const ps__buffer *buffer = ps__load(&storage->buffer); /* changes under the lock only */
    /* In this order: until it is clean a task may be giving it memory. */
    bool there = ps__var_is_clean(ps__load(&buffer->var)) && buffer->data != NULL;
    if (PS_LIKELY(there))
        memcpy(to, (const char *)buffer->data + offset, bytes);
    return there;
}

bool ps__storage_peek(ps__storage *storage, int64_t offset, size_t bytes, void *to)
{
    ps_engine *engine = ps__tensor_engine(); /* exists: a storage has a variable of it */
    uint32_t name;
    bool there;
    if (PS_LIKELY(ps__own_enter(engine, &name))) {
        bool own = ps__own_is(&storage->owner, name);
        there = own && copy_if_there(storage, offset, bytes, to);
        ps__own_leave(false);
        if (PS_LIKELY(own))
            return there;
    }
    ps__engine_lock(engine);
    ps__storage_enter(storage);
    there = copy_if_there(storage, offset, bytes, to);
    ps__engine_unlock(engine);
    return there;
}

void ps__storage_count_idle_write(ps__storage *storage, bool alias)
{
    ps_engine *engine = ps__tensor_engine(); /* exists: a storage has a variable of it */
    ps__engine_lock(engine);
    ps__storage_enter(storage);
    ps__storage_count_write(storage, alias);
    ps__engine_unlock(engine);
}

uint64_t ps__storage_version(ps__storage *storage)
{
    ps_engine *engine = ps__tensor_engine(); /* exists: a storage has a variable of it */
    ps__engine_lock(engine);
    ps__storage_enter(storage);
    uint64_t version = storage->version;
    ps__engine_unlock(engine);
    return version;
}

void ps__storage_take(ps__storage *to, ps__storage *from)
{
    ps_engine *engine = ps__tensor_engine();
    ps__engine_lock(engine);
    ps__storage_enter(to);
    ps__storage_enter(from);
    ps__buffer *given = ps__load(&from->buffer), *old = ps__load(&to->buffer); /* under the lock */
    ps__store_release(&to->buffer, given); /* both pair with ps__storage_is_settled */
    ps__store_release(&from->buffer, old);
    to->version++;
    ps__engine_unlock(engine);
}

ps__buffer *ps__storage_hold(ps__storage *storage)
{
    ps_engine *engine = ps__tensor_engine(); /* exists: a storage has a variable of it */
    ps__engine_lock(engine);
    ps__buffer *buffer = ps__load(&storage->buffer); /* only changed under the lock */
    ps__buffer_retain(buffer);
    ps__engine_unlock(engine);
    return buffer;
}

ps__buffer *ps__storage_pin(ps__storage *storage)
{
    ps_engine *engine = ps__tensor_engine();
    ps__engine_lock(engine);
    ps__storage_enter(storage);
    ps__buffer *buffer = ps__load(&storage->buffer); /* only changed under the lock */
    ps__buffer_pin(buffer);
    ps__engine_unlock(engine);
    return buffer;
}

void ps__buffer_pin(ps__buffer *buffer)
{
    ps__buffer_retain_reader(buffer);
    ps__add(&buffer->pins, 1u); /* read by captures, under the lock that we hold */
}

void ps__buffer_unpin(ps__buffer *buffer)
{
    /* Release: pairs with the acquire in a capture that finds no reader left and goes on to let the
     * memory be written. */
    bool last = ps__sub_acq_rel(&buffer->pins, 1u) == 1;
    /* Pairs with the other in note_fact: the storage's reference is gone, or will ask about pins. */
    if (last && ps__load_acquire(&buffer->state) & PS__BUFFER_LEFT)
        note_alone(buffer);
    ps__buffer_release_reader(buffer);
}
