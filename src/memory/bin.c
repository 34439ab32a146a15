/* Bins: the shared store of blocks of one class.
 *
 * Structure: the blocks freed most recently lie in an array, to be taken again while they are
 * warm in the processor's caches and without a look at their slab. When the array is full its
 * older half goes back to the slabs. Slabs are kept sorted by address, so that a block's slab is
 * found by halving; those with vacant blocks are also in the list `open`. A slab whose blocks are
 * all vacant leaves the bin at once: its memory goes to the raw store, which is bounded and
 * serves all classes. The first slabs of a class are small, later ones grow to 2 MB.
 *
 * Invariants (under the bin's lock):
 *   1. `slabs` is sorted by address and holds every slab of the class in this pool.
 *   2. A slab is in `open` exactly when 0 < vacant; never is vacant = blocks after an operation.
 *   3. A block is in `recent` at most once, and its slab's bit for it is then clear.
 *   4. `bytes` is the sum of the slabs' pieces. */
#include "memory/pool.h"

#include "base/alloc.h"
#include "memory/check.h"

#include <string.h>

/* How many freed blocks the bin keeps outside of their slabs. At least twice what a thread's
 * cache gives at a time, so that blocks freed by one thread and taken by another stay here. */
static unsigned recent_capacity(size_t block_bytes)
{
    size_t count = (block_bytes <= PS__SMALL_BYTES ? 128 << 10 : 512 << 10) / block_bytes;
    size_t least = block_bytes <= PS__SMALL_BYTES ? 4 : 2;
    if (count < least)
        return (unsigned)least;
    return count < PS__RECENT ? (unsigned)count : PS__RECENT;
}

/* ---- slabs of a bin; the caller holds its lock ---------------------------------------- */

/* The place of the first slab that starts after the address. */
static uint32_t place_after(const ps__bin *bin, const void *address)
{
    uint32_t low = 0, high = bin->slab_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((uintptr_t)bin->slabs[middle]->memory <= (uintptr_t)address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

ps__slab *ps__bin_find(const ps__bin *bin, const void *block)
{
    uint32_t place = place_after(bin, block);
    if (!place)
        return NULL;
    ps__slab *slab = bin->slabs[place - 1];
    size_t offset = (uintptr_t)block - (uintptr_t)slab->memory;
    return offset < ps__class_bytes(slab->raw_class) ? slab : NULL;
}

static void open_insert(ps__bin *bin, ps__slab *slab)
{
    slab->previous = NULL;
    slab->next = bin->open;
    if (slab->next)
        slab->next->previous = slab;
    bin->open = slab;
}

static void open_remove(ps__bin *bin, ps__slab *slab)
{
    if (slab->previous)
        slab->previous->next = slab->next;
    else
        bin->open = slab->next;
    if (slab->next)
        slab->next->previous = slab->previous;
}

/* Makes sure that one more slab can be listed. */
static bool make_place(ps__bin *bin)
{
    if (bin->slab_count < bin->slab_capacity)
        return true;
    uint32_t capacity = bin->slab_capacity ? bin->slab_capacity * 2 : 8;
    ps__slab **slabs = ps__calloc(capacity, sizeof slabs[0]);
    if (!slabs)
        return false;
    if (bin->slab_count)
        memcpy(slabs, bin->slabs, bin->slab_count * sizeof slabs[0]);
    ps__free(bin->slabs);
    bin->slabs = slabs;
    bin->slab_capacity = capacity;
    return true;
}

/* Room for eight blocks, and as much as the bin has already: at most 2 MB. */
static size_t slab_bytes(size_t block_bytes, uint64_t bin_bytes)
{
    size_t bytes = PS__RAW_BYTES;
    while (bytes < PS__HUGE_BYTES && (bytes < block_bytes * 8 || bytes * 2 <= bin_bytes))
        bytes *= 2;
    return bytes;
}

static ps__refusal add_slab(ps__pool *pool, unsigned class, bool smallest)
{
    ps__bin *bin = &pool->bins[class];
    size_t block_bytes = ps__class_bytes(class);
    size_t least = slab_bytes(block_bytes, 0);
    size_t bytes = slab_bytes(block_bytes, bin->bytes);
    if (smallest)
        least = bytes = block_bytes > PS__RAW_BYTES ? block_bytes : PS__RAW_BYTES;
    ps__slab *slab;
    if (!make_place(bin))
        return PS__NO_MEMORY;
    ps__refusal refusal = ps__slab_create(pool, class, bytes, least, &slab);
    if (refusal)
        return refusal;
    uint32_t place = place_after(bin, slab->memory);
    memmove(bin->slabs + place + 1, bin->slabs + place,
            (bin->slab_count - place) * sizeof bin->slabs[0]);
    bin->slabs[place] = slab;
    bin->slab_count++;
    bin->bytes += ps__class_bytes(slab->raw_class);
    open_insert(bin, slab);
    return PS__GRANTED;
}

/* The slab's blocks are all vacant. */
static bool remove_slab(ps__pool *pool, ps__bin *bin, ps__slab *slab)
{
    uint32_t place = place_after(bin, slab->memory);
    memmove(bin->slabs + place - 1, bin->slabs + place,
            (bin->slab_count - place) * sizeof bin->slabs[0]);
    bin->slab_count--;
    bin->bytes -= ps__class_bytes(slab->raw_class);
    open_remove(bin, slab);
    return ps__slab_destroy(pool, slab);
}

/* Puts blocks into their slabs. True if ps__raw_settle is due. */
static bool return_to_slabs(ps__pool *pool, unsigned class, void *const *blocks, unsigned count)
{
    ps__bin *bin = &pool->bins[class];
    size_t block_bytes = ps__class_bytes(class);
    bool over = false;
    for (unsigned i = 0; i < count; i++) {
        ps__slab *slab = ps__bin_find(bin, blocks[i]);
        /* Not ours: freed with a wrong size. Losing the block is the harmless way out. */
        ps__check(slab);
        if (!slab)
            continue;
        if (slab->vacant == 0)
            open_insert(bin, slab);
        ps__slab_give(slab, block_bytes, blocks[i]);
        if (slab->vacant == slab->blocks)
            over |= remove_slab(pool, bin, slab);
    }
    return over;
}

/* ---- recent blocks; the caller holds the lock ----------------------------------------- */

static unsigned recent_take(ps__bin *bin, void **blocks, unsigned count)
{
    if (count > bin->recent_count)
        count = bin->recent_count;
    bin->recent_count -= count;
    memcpy(blocks, bin->recent + bin->recent_count, count * sizeof blocks[0]);
    return count;
}

/* Returns the oldest `count` to their slabs. */
static bool recent_return(ps__pool *pool, unsigned class, unsigned count)
{
    ps__bin *bin = &pool->bins[class];
    bool over = return_to_slabs(pool, class, bin->recent, count);
    bin->recent_count -= count;
    memmove(bin->recent, bin->recent + count, bin->recent_count * sizeof bin->recent[0]);
    return over;
}

/* ---- for the rest of the layer -------------------------------------------------------- */

unsigned ps__bin_take(ps__pool *pool, unsigned class, void **blocks, unsigned count, bool smallest,
                      ps__refusal *refusal)
{
    ps__bin *bin = &pool->bins[class];
    size_t block_bytes = ps__class_bytes(class);
    *refusal = PS__GRANTED;
    ps__lock_take(&bin->lock);
    unsigned taken = recent_take(bin, blocks, count);
    if (!taken && !bin->open)
        *refusal = add_slab(pool, class, smallest);
    while (taken < count && bin->open) {
        ps__slab *slab = bin->open;
        taken += ps__slab_take(slab, block_bytes, blocks + taken, count - taken);
        if (slab->vacant == 0)
            open_remove(bin, slab);
    }
    ps__unlock(&bin->lock);
    return taken;
}

uint64_t ps__bin_give(ps__pool *pool, unsigned class, void *const *blocks, unsigned count)
{
    ps__bin *bin = &pool->bins[class];
    unsigned capacity = recent_capacity(ps__class_bytes(class));
    bool over = false;
    ps__lock_take(&bin->lock);
    if (bin->recent_count + count > capacity) {
        unsigned older = bin->recent_count / 2;
        if (bin->recent_count + count > capacity + older)
            older = bin->recent_count;
        over = recent_return(pool, class, older);
    }
    if (bin->recent_count + count > capacity) {
        over |= return_to_slabs(pool, class, blocks, count);
    } else {
        memcpy(bin->recent + bin->recent_count, blocks, count * sizeof blocks[0]);
        bin->recent_count += count;
    }
    ps__unlock(&bin->lock);
    return over ? ps__raw_settle(pool) : 0;
}

void ps__bin_trim(ps__pool *pool, unsigned class)
{
    ps__bin *bin = &pool->bins[class];
    ps__lock_take(&bin->lock);
    recent_return(pool, class, bin->recent_count);
    ps__unlock(&bin->lock);
}
