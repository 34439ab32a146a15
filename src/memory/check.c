/* What debug builds know about blocks in the user's hands.
 *
 * Blocks of slabs: a bit in the slab, under the lock of its bin; every alloc and free takes that
 * lock, which only debug builds can afford. Large blocks: a hash table of a fixed size, under a
 * lock of its own; once it has overflowed, large blocks are not checked any more.
 *
 * Invariant: while not overflowed, the table holds exactly the large blocks in users' hands. */
#include "memory/check.h"

#ifdef PENSTOCK_DEBUG
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 1024, RECORDS = 8192 };

typedef struct record {
    const void *block;
    unsigned class;
    unsigned next; /* place of the next in the bucket or the vacant list; 0 is none */
} record;

static ps__lock table_lock; /* guards all that follows */
static record records[RECORDS + 1];
static unsigned buckets[BUCKETS];
static unsigned unused, vacant;
static bool overflowed;

void ps__check_failed(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: check failed: %s\n", file, line, what);
    abort();
}

static unsigned *bucket_of(const void *block)
{
    return &buckets[((uintptr_t)block >> 16) * 2654435761u % BUCKETS];
}

/* The link that names the block's record, or the end of its bucket. */
static unsigned *link_to(const void *block)
{
    unsigned *link = bucket_of(block);
    while (*link && records[*link].block != block)
        link = &records[*link].next;
    return link;
}

static void table_add(unsigned class, const void *block)
{
    unsigned *link = link_to(block);
    ps__check(!*link && "a large block was handed out twice");
    unsigned place = vacant;
    if (place)
        vacant = records[place].next;
    else if (unused < RECORDS)
        place = ++unused;
    else
        overflowed = true;
    if (!place)
        return;
    records[place] = (record){block, class, 0};
    *link = place;
}

static void table_remove(unsigned class, const void *block)
{
    unsigned *link = link_to(block);
    unsigned place = *link;
    ps__check(place && "freed a large block that is not allocated");
    ps__check(records[place].class == class && "freed a large block with a wrong size");
    *link = records[place].next;
    records[place].next = vacant;
    vacant = place;
}

static void large(unsigned class, const void *block, bool out)
{
    ps__lock_take(&table_lock);
    if (!overflowed) {
        if (out)
            table_add(class, block);
        else
            table_remove(class, block);
    }
    ps__unlock(&table_lock);
}

static void in_slab(ps__pool *pool, unsigned class, const void *block, bool out)
{
    ps__bin *bin = &pool->bins[class];
    size_t block_bytes = ps__class_bytes(class);
    ps__lock_take(&bin->lock);
    ps__slab *slab = ps__bin_find(bin, block);
    ps__check(slab && "freed a block that is not allocated, or with a wrong size");
    uint32_t index = ps__slab_index(slab, block_bytes, block);
    ps__check(slab->memory + index * block_bytes == block && "freed inside of a block");
    uint64_t bit = (uint64_t)1 << index % 64;
    ps__check(!(slab->handed[index / 64] & bit) == out && "freed twice, or handed out twice");
    slab->handed[index / 64] ^= bit;
    ps__unlock(&bin->lock);
}

void ps__check_out(ps__pool *pool, unsigned class, void *block)
{
    if (class < PS__SLAB_CLASSES)
        in_slab(pool, class, block, true);
    else
        large(class, block, true);
}

void ps__check_in(ps__pool *pool, unsigned class, void *block)
{
    if (class < PS__SLAB_CLASSES)
        in_slab(pool, class, block, false);
    else
        large(class, block, false);
}

void ps__check_fork_prepare(void)
{
    ps__lock_take(&table_lock);
}

void ps__check_fork_done(void)
{
    ps__unlock(&table_lock);
}
#else
typedef int ps__no_checks; /* a file must not be empty */
#endif
