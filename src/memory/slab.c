/* A slab: one piece of raw memory cut into blocks of one class.
 *
 * The record lies apart from the memory and has one bit for each block, set while the block is
 * vacant: in the slab, not in a bin's recent list, a thread's cache or the user's hands.
 *
 * Invariants (under the lock of the slab's bin):
 *   1. vacant = number of set bits in map; bits past the last block are never set.
 *   2. No word before `first` has a bit set. */
#include "memory/pool.h"

#include "base/alloc.h"
#include "memory/check.h"

static void mark_all_vacant(ps__slab *slab)
{
    for (uint32_t word = 0; word < slab->blocks / 64; word++)
        slab->map[word] = UINT64_MAX;
    if (slab->blocks % 64)
        slab->map[slab->blocks / 64] = ((uint64_t)1 << slab->blocks % 64) - 1;
    slab->vacant = slab->blocks;
}

static ps__slab *slab_new(unsigned class, unsigned raw_class)
{
    uint32_t blocks = (uint32_t)(ps__class_bytes(raw_class) / ps__class_bytes(class));
    uint32_t words = (blocks + 63) / 64;
    uint32_t maps = PS__CHECKED ? 2 : 1;
    ps__slab *slab = ps__calloc(1, sizeof *slab + maps * words * sizeof slab->map[0]);
    if (!slab)
        return NULL;
    slab->raw_class = raw_class;
    slab->blocks = blocks;
    slab->handed = PS__CHECKED ? slab->map + words : NULL;
    mark_all_vacant(slab);
    return slab;
}

ps__refusal ps__slab_create(ps__pool *pool, unsigned class, size_t bytes, size_t least,
                            ps__slab **result)
{
    void *memory = NULL;
    unsigned raw_class = 0;
    for (size_t size = bytes; size >= least && !memory; size /= 2) {
        raw_class = ps__class_of(size);
        memory = ps__raw_reuse(pool, raw_class);
    }
    if (!memory) {
        raw_class = ps__class_of(bytes);
        ps__refusal refusal = ps__raw_take(pool, raw_class, &memory);
        if (refusal)
            return refusal;
    }
    ps__slab *slab = slab_new(class, raw_class);
    if (!slab) {
        /* The bin's lock is held: the bound of the store is seen to by whoever gives next. */
        ps__raw_give(pool, raw_class, memory);
        return PS__NO_MEMORY;
    }
    slab->memory = memory;
    *result = slab;
    return PS__GRANTED;
}

bool ps__slab_destroy(ps__pool *pool, ps__slab *slab)
{
    bool over = ps__raw_give(pool, slab->raw_class, slab->memory);
    ps__free(slab);
    return over;
}

unsigned ps__slab_take(ps__slab *slab, size_t block_bytes, void **blocks, unsigned count)
{
    unsigned taken = 0;
    uint32_t word = slab->first;
    if (count > slab->vacant)
        count = slab->vacant;
    while (taken < count) {
        uint64_t bits = slab->map[word];
        for (; bits && taken < count; bits &= bits - 1) {
            size_t index = word * 64 + (unsigned)__builtin_ctzll(bits);
            blocks[taken++] = slab->memory + index * block_bytes;
        }
        slab->map[word] = bits;
        if (!bits)
            word++;
    }
    slab->first = word;
    slab->vacant -= taken;
    return taken;
}

uint32_t ps__slab_index(const ps__slab *slab, size_t block_bytes, const void *block)
{
    return (uint32_t)((size_t)((const char *)block - slab->memory) / block_bytes);
}

void ps__slab_give(ps__slab *slab, size_t block_bytes, void *block)
{
    uint32_t index = ps__slab_index(slab, block_bytes, block);
    uint32_t word = index / 64;
    uint64_t bit = (uint64_t)1 << index % 64;
    /* A block that is vacant already was freed twice: counting it again would hand it out
     * twice, so it is dropped here and stops debug builds. */
    ps__check(!(slab->map[word] & bit));
    if (slab->map[word] & bit)
        return;
    slab->map[word] |= bit;
    slab->vacant++;
    if (word < slab->first)
        slab->first = word;
}
