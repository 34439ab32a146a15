/* What a tensor's elements live in.
 *
 *   handle (ps_tensor)  a view; counted by the user
 *   storage             what views share: which buffer is current
 *   buffer              memory, and the engine variable that stands for it
 *
 * A task captures buffers when it is pushed (capture.h), so a storage may move on to a fresh buffer
 * while tasks still use the old one: renaming. Memory is allocated when the first task that writes
 * the buffer starts, and freed with the last reference.
 *
 * Invariants
 *   1. storage->buffer, storage->version and storage->aside change only under the engine's lock, in
 *      a capture, so that what a task reads and the order in which tasks are registered agree.
 *   2. A buffer's references count the storage whose current buffer it is, queued tasks, and pins. A
 *      buffer that no storage holds is never handed to a new task: so when all of its references
 *      belong to tasks of one fused group, nobody else can see it.
 *   3. Its readers count unfinished tasks that read and do not write it, and pins; each has a reference.
 *      Raised under the engine's lock only. While there are some a complete overwrite renames.
 *   4. buffer->pins counts exports, snapshots and host reads under way; while it is not 0 every write
 *      renames, but for those to parts that no pin needs (parts.h). Raised under the engine's lock only.
 *   5. buffer->data is written by the one task that the variable lets write, and read by tasks that
 *      the variable orders after it.
 *   6. A cell holds a storage and its first buffer; it is recycled, with its variable, when both are
 *      gone. A variable that still has tasks about to be completed may serve the next buffer: that
 *      only adds an order that holds anyway.
 *   7. Cells and variables never go back to the system. So a thread without the lock may look at a
 *      buffer that the storage has just left, and at its variable: what it finds may be about
 *      another storage, but is there (ps__storage_is_settled).
 *   8. A storage that has an owner is used by that thread without the engine's lock (own.h). All others
 *      take the lock and claim the storage (ps__storage_enter) before they look at its version, capture
 *      or pin its buffer, or read elements. Where the text above says "under the engine's lock", "or
 *      by the owner, inside" is meant, but for storage->buffer, which changes under the lock only.
 *   9. Short operations are done at the call by the thread that calls (at_once.h). They read buffers
 *      that no unfinished task writes and write buffers that no unfinished task uses and nobody reads
 *      or has pinned. If all storages are the thread's own, or under the lock, no counts are raised:
 *      nobody can overwrite or leave a buffer before the thread is outside again, or gives the lock
 *      back. */
#ifndef PS_TENSOR_STORAGE_H
#define PS_TENSOR_STORAGE_H

#include "base/atomic.h"
#include "device/device.h"
#include "dtype/dtype.h"
#include "engine/capture.h"
#include "engine/grouping.h"
#include "engine/own.h"
#include "memory/memory.h"
#include "tensor/parts.h"

typedef struct ps__cell ps__cell;
typedef struct ps__home ps__home;

typedef struct ps__buffer {
    _Atomic uint64_t uses; /* references and readers: ps__buffer_references, ps__buffer_readers */
    _Atomic uint32_t pins;
    _Atomic uint32_t state; /* PS__BUFFER_*: see ps__buffer_orphan */
    _Atomic(ps_var *) var;  /* owned by the cell; see ps__storage_is_settled */
    void *data;             /* NULL: not yet allocated */
    uint64_t bytes;
    const ps__home *home;
    void (*release)(void *owner); /* for memory that came from outside; NULL: from the pool */
    union {
        void *owner;      /* what that is called with */
        ps__parts *parts; /* of memory from the pool: parts.h; NULL: nobody has asked for some */
        ps__cell *next;   /* of a free cell: in a list of such */
    };
} ps__buffer;

/* Bytes that only queued tasks keep alive count toward the engine's bound: those of a buffer that
 * no storage holds and that is filled. Small ones are bounded by the number of queued tasks. */
enum {
    PS__BUFFER_ORPHAN = 1,
    PS__BUFFER_FILLED = 2,
    PS__BUFFER_LEFT = 4, /* by its storage, while pinned: not tasks alone keep it */
    PS__BUFFER_COUNTED = 4096
};

typedef enum ps__pinned {
    PS__PINNED_NOT,
    PS__PINNED_ALL, /* it is a snapshot */
    PS__PINNED_PART /* a snapshot that needs some of the bytes, and is counted by the parts */
} ps__pinned;

typedef struct ps__storage {
    _Atomic uint32_t handles;
    _Atomic uint32_t generation;  /* graph.h, as the root; written under ps__graph_lock */
    _Atomic(ps__buffer *) buffer; /* written under the lock */
    uint64_t version;             /* how many writes there were to what had been made */
    uint64_t bytes;               /* of all its buffers; constant */
    struct ps__node *root;        /* what made all of its elements; or NULL */
    uint32_t aside;               /* how many of the versions are of writes through aliases */
    uint16_t root_output;
    uint8_t pinned;  /* a ps__pinned: its buffer is another storage's, until it is written */
    ps__owner owner; /* own.h */
} ps__storage;

struct ps__cell {
    ps__buffer buffer; /* first: a buffer's address is its cell's */
    ps__storage storage;
    _Atomic uint32_t parts; /* of the two, how many are alive */
};

/* Programs have many, and walk over them: what an operation needs of a buffer is in one line. */
_Static_assert(sizeof(void *) != 8 || (sizeof(ps__buffer) <= 64 && sizeof(ps__cell) <= 128),
               "a cell is two cache lines");

/* Where tensors of a device live: one for each device that is used, for the process's life. */
struct ps__home {
    ps_device *device;
    ps__pool *pool;
    ps_queue *queue; /* that operations go to; NULL: the calling thread does the work */
    const ps__backend *backend;
    bool host; /* the CPU, by one of its names: they have one pool */
};

/* Whether operations take tensors of both: then the result is where the first is. */
static inline bool ps__homes_meet(const ps__home *a, const ps__home *b)
{
    return PS_LIKELY(a == b) || (a->host && b->host);
}

enum { PS__HOME_QUEUE = 0 }; /* which of the device's queues that is */

/* `device` may be NULL for the CPU. */
ps_status ps__home_of(ps_device *device, const ps__home **home);
/* For what is made new: NULL is the device that the state of the thread names, or the CPU. */
ps_status ps__home_of_new(ps_device *device, const ps__home **home);
const ps__home *ps__home_cpu(void);

/* The engine that tensors work on: the default one. NULL, with an error noted, if it cannot be
 * made. */
ps_engine *ps__tensor_engine(void);

/* A write is queued, or done at the call; under the engine's lock. Not that of the operation whose
 * result the storage is. */
static inline void ps__storage_count_write(ps__storage *storage, bool alias)
{
    storage->version++;
    storage->aside += alias;
}

/* A storage with one handle and a buffer of so many bytes, nothing allocated yet. */
ps_status ps__storage_create(const ps__home *home, uint64_t bytes, ps__storage **storage);
/* The same to be filled by the calling thread rather than by a task: its variable has no past. */
ps_status ps__storage_create_filled(const ps__home *home, uint64_t bytes, ps__storage **storage);
/* A storage that shares the buffer that another has now, pinned; only those bytes are read. */
ps_status ps__storage_snapshot(ps__storage *of, int64_t first, int64_t end, ps__storage **storage);
/* A snapshot is about to give up the buffer that it has pinned. */
static inline void ps__storage_forget_part(const ps__storage *storage, ps__buffer *buffer)
{
    if (storage->pinned == PS__PINNED_PART)
        ps__sub_acq_rel(&buffer->parts->pins, 1u); /* before the buffer's own count: parts.h */
}

/* Whether a pinned buffer may be written there. Under the engine's lock. */
bool ps__buffer_has_free(const ps__buffer *buffer, int64_t first, int64_t end);
/* Gives one storage the elements of another, which gets its own for them: a write of all of it that
 * moves nothing. Both have the same bytes and home; nobody else has `from`. */
void ps__storage_take(ps__storage *to, ps__storage *from);
/* A buffer alone, with one reference. */
ps_status ps__buffer_create(const ps__home *home, uint64_t bytes, ps__buffer **buffer);

/* Under the engine's lock: this thread may use it as long as it has that. */
static inline void ps__storage_enter(ps__storage *storage)
{
    ps__own_claim(&storage->owner);
}

static inline void ps__storage_retain(ps__storage *storage)
{
    ps__add(&storage->handles, 1u); /* the caller has one */
}
void ps__storage_release(ps__storage *storage);

/* A reader is counted with its reference, by one exclusive access. */
#define PS__BUFFER_REFERENCE UINT64_C(1)
#define PS__BUFFER_READER ((UINT64_C(1) << 32) + PS__BUFFER_REFERENCE)

static inline uint32_t ps__buffer_references(const ps__buffer *buffer)
{
    return (uint32_t)ps__load_acquire(
        &buffer->uses); /* pairs with the releases of those who are gone */
}

static inline uint32_t ps__buffer_readers(const ps__buffer *buffer)
{
    /* Pairs with the releases at a task's end and in ps__buffer_unpin: what they read is read. */
    return (uint32_t)(ps__load_acquire(&buffer->uses) >> 32);
}

static inline void ps__buffer_retain(ps__buffer *buffer)
{
    ps__add(&buffer->uses, PS__BUFFER_REFERENCE); /* the caller has one, or the engine's lock */
}
static inline void ps__buffer_retain_reader(ps__buffer *buffer)
{
    ps__add(&buffer->uses, PS__BUFFER_READER); /* under the engine's lock */
}
void ps__buffer_release(ps__buffer *buffer);
void ps__buffer_release_reader(ps__buffer *buffer);
/* Releases a storage's reference. */
void ps__buffer_orphan(ps__buffer *buffer);
void ps__buffer_filled_slow(ps__buffer *buffer);
/* A task has written it. */
static inline void ps__buffer_filled(ps__buffer *buffer)
{
    if (buffer->bytes >= PS__BUFFER_COUNTED)
        ps__buffer_filled_slow(buffer);
}

/* Gives a buffer that nobody else knows memory from outside; `release` is called with `owner` when
 * the memory is needed no more. It is never written: every write renames. */
void ps__buffer_lend(ps__buffer *buffer, void *data, void (*release)(void *owner), void *owner);
/* Makes sure that there is memory; by the task that writes. */
ps_status ps__buffer_allocate(ps__buffer *buffer);
/* Gives the memory of a new buffer back that a task allocated and could not fill. */
void ps__buffer_give_back(ps__buffer *buffer);
/* The same, of the CPU's memory, for a thread that must not wait: false if there is none now. */
bool ps__buffer_try(ps__buffer *buffer);

/* Whether, at some moment during the call, the current buffer was there: no write of it unfinished
 * and no mark. Takes no lock. What this thread has queued before counts. */
static inline bool ps__storage_is_settled(ps__storage *storage)
{
    /* Pairs with the releases where a storage gets a buffer: its variable is written. */
    ps__buffer *buffer = ps__load_acquire(&storage->buffer);
    /* That it is still current then makes it an answer about this storage: invariant 7. */
    return ps__var_is_clean(ps__load(&buffer->var)) && ps__load(&storage->buffer) == buffer;
}
/* It was written once more, with what it has already: nothing is queued for that. */
void ps__storage_count_idle_write(ps__storage *storage, bool alias);
/* How often it was written. */
uint64_t ps__storage_version(ps__storage *storage);
/* Copies `bytes` of the current buffer, in CPU memory, from `offset` on if it is settled. */
bool ps__storage_peek(ps__storage *storage, int64_t offset, size_t bytes, void *to);

/* The current buffer with a reference; and so that no later write changes it. */
ps__buffer *ps__storage_hold(ps__storage *storage);
ps__buffer *ps__storage_pin(ps__storage *storage);
void ps__buffer_pin(ps__buffer *buffer); /* under the engine's lock */
void ps__buffer_unpin(ps__buffer *buffer);

#endif
