/* Raw memory: pieces from the device, the hard limit, and the store of pieces kept for reuse.
 *
 * Structure: a table of entries, each in the list of its class (newest first), so that a piece is
 * found by class at once; the oldest piece of all is at the end of one of these lists, found by
 * comparing stamps. The table is fixed: storing a piece needs no memory and cannot fail.
 *
 * Invariants:
 *   1. held = bytes of all pieces between the device's allocate and release; never above limit
 *      through an allocation (only a lowered limit can leave it above).
 *   2. stored <= stored_max, and at most PS__STORE_ENTRIES pieces, whenever nobody is between
 *      ps__raw_give and ps__raw_settle.
 *   3. A piece is in the store at most once; a class's bit in `occupied` is set exactly when its
 *      list is not empty.
 *   4. The device is called only under device_lock. A fork that holds the lock thus finds no
 *      piece half taken or half given back. The system serialises mappings anyway.
 *
 * stored_max is an eighth of the memory that the process may use. That lets a loop over large
 * temporaries run without page faults, and bounds what an idle program keeps. */
#include "memory/pool.h"

#include "memory/guard.h"

#include <sys/mman.h>

static size_t alignment_of(size_t bytes)
{
    return bytes >= PS__HUGE_BYTES ? PS__HUGE_BYTES : PS__RAW_BYTES;
}

/* ---- the store; the caller holds raw->lock -------------------------------------------- */

static uint32_t entry_new(ps__raw *raw)
{
    uint32_t entry = raw->vacant;
    if (entry)
        raw->vacant = raw->entries[entry].older;
    else if (raw->unused < PS__STORE_ENTRIES)
        entry = ++raw->unused;
    return entry;
}

static void store_push(ps__raw *raw, unsigned class, uint32_t entry, void *memory)
{
    ps__stored *stored = &raw->entries[entry];
    stored->memory = memory;
    stored->stamp = ++raw->stamp;
    stored->newer = 0;
    stored->older = raw->newest[class];
    if (stored->older)
        raw->entries[stored->older].newer = entry;
    else
        raw->oldest[class] = entry;
    raw->newest[class] = entry;
    raw->occupied[class / 64] |= (uint64_t)1 << class % 64;
    raw->stored += ps__class_bytes(class);
}

static void *store_remove(ps__raw *raw, unsigned class, uint32_t entry)
{
    ps__stored *stored = &raw->entries[entry];
    if (stored->newer)
        raw->entries[stored->newer].older = stored->older;
    else
        raw->newest[class] = stored->older;
    if (stored->older)
        raw->entries[stored->older].newer = stored->newer;
    else
        raw->oldest[class] = stored->newer;
    if (!raw->newest[class])
        raw->occupied[class / 64] &= ~((uint64_t)1 << class % 64);
    raw->stored -= ps__class_bytes(class);
    stored->older = raw->vacant;
    raw->vacant = entry;
    return stored->memory;
}

/* The class whose list ends with the oldest piece of all; PS__CLASSES if nothing is stored. */
static unsigned store_oldest(const ps__raw *raw)
{
    unsigned best = PS__CLASSES;
    uint64_t stamp = UINT64_MAX;
    for (unsigned word = 0; word < sizeof raw->occupied / sizeof raw->occupied[0]; word++) {
        for (uint64_t bits = raw->occupied[word]; bits; bits &= bits - 1) {
            unsigned class = word * 64 + (unsigned)__builtin_ctzll(bits);
            uint64_t candidate = raw->entries[raw->oldest[class]].stamp;
            if (candidate < stamp) {
                stamp = candidate;
                best = class;
            }
        }
    }
    return best;
}

/* ---- the device; the caller holds raw->device_lock ------------------------------------ */

static bool fits(const ps__raw *raw, uint64_t held, uint64_t bytes)
{
    uint64_t limit = ps__load(&raw->limit); /* pairs with nothing: a number by itself */
    return bytes <= limit && held <= limit - bytes;
}

/* The CPU's memory is pages of this process. Huge ones spare most of the page faults and address
 * translations; where the system has none to give, nothing is lost. */
static void prefer_huge_pages(const ps__pool *pool, void *memory, size_t bytes)
{
    if (pool == &ps__cpu_pool && bytes >= PS__HUGE_BYTES)
        (void)madvise(memory, bytes, MADV_HUGEPAGE);
}

static ps__refusal device_take(ps__pool *pool, size_t bytes, void **memory)
{
    ps__raw *raw = &pool->raw;
    uint64_t held = ps__load(&raw->held); /* only written under the lock that we have */
    if (!fits(raw, held, bytes))
        return PS__OVER_LIMIT;
    *memory = pool->device->table->allocate(pool->device, bytes, alignment_of(bytes));
    if (!*memory)
        return PS__NO_MEMORY;
    prefer_huge_pages(pool, *memory, bytes);
    ps__guard_arrive(*memory, bytes);
    ps__store(&raw->held, held + bytes); /* a statistic for readers without the lock */
    return PS__GRANTED;
}

static void device_give(ps__pool *pool, size_t bytes, void *memory)
{
    ps__raw *raw = &pool->raw;
    ps__guard_leave(memory, bytes);
    pool->device->table->release(pool->device, memory, bytes);
    uint64_t held = ps__load(&raw->held); /* only written under the lock that we have */
    ps__store(&raw->held, held - bytes);  /* a statistic for readers without the lock */
}

/* ---- for the rest of the layer -------------------------------------------------------- */

void *ps__raw_reuse(ps__pool *pool, unsigned class)
{
    ps__raw *raw = &pool->raw;
    ps__lock_take(&raw->lock);
    uint32_t entry = raw->newest[class];
    void *memory = entry ? store_remove(raw, class, entry) : NULL;
    ps__unlock(&raw->lock);
    return memory;
}

ps__refusal ps__raw_take(ps__pool *pool, unsigned class, void **memory)
{
    ps__raw *raw = &pool->raw;
    *memory = ps__raw_reuse(pool, class);
    if (*memory)
        return PS__GRANTED;
    ps__lock_take(&raw->device_lock);
    ps__refusal refusal = device_take(pool, ps__class_bytes(class), memory);
    ps__unlock(&raw->device_lock);
    return refusal;
}

/* Gives the oldest piece back if that is called for; returns its size, else 0. */
static size_t evict_one(ps__pool *pool, uint64_t keep, uint64_t room)
{
    ps__raw *raw = &pool->raw;
    size_t bytes = 0;
    void *memory = NULL;
    ps__lock_take(&raw->device_lock);
    ps__lock_take(&raw->lock);
    uint64_t held = ps__load(&raw->held); /* only written under device_lock, which we have */
    unsigned class = PS__CLASSES;
    if (raw->stored > keep || !fits(raw, held, room))
        class = store_oldest(raw);
    if (class < PS__CLASSES) {
        bytes = ps__class_bytes(class);
        memory = store_remove(raw, class, raw->oldest[class]);
    }
    ps__unlock(&raw->lock);
    if (memory)
        device_give(pool, bytes, memory);
    ps__unlock(&raw->device_lock);
    return bytes;
}

uint64_t ps__raw_evict(ps__pool *pool, uint64_t keep, uint64_t room)
{
    uint64_t total = 0;
    for (size_t bytes; (bytes = evict_one(pool, keep, room)) != 0;)
        total += bytes;
    return total;
}

bool ps__raw_give(ps__pool *pool, unsigned class, void *memory)
{
    ps__raw *raw = &pool->raw;
    size_t bytes = ps__class_bytes(class);
    if (bytes > raw->stored_max) {
        ps__lock_take(&raw->device_lock);
        device_give(pool, bytes, memory);
        ps__unlock(&raw->device_lock);
        return false;
    }
    ps__guard(memory, bytes);
    ps__lock_take(&raw->lock);
    uint32_t entry;
    while (!(entry = entry_new(raw))) {
        ps__unlock(&raw->lock);
        evict_one(pool, 0, 0);
        ps__lock_take(&raw->lock);
    }
    store_push(raw, class, entry, memory);
    bool over = raw->stored > raw->stored_max;
    ps__unlock(&raw->lock);
    return over;
}

uint64_t ps__raw_settle(ps__pool *pool)
{
    return ps__raw_evict(pool, pool->raw.stored_max, 0);
}
