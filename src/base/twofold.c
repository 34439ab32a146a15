/* The table of locations of two lines.
 *
 * Invariants
 *   1. Entries are written under the lock, then counted; those below the count are constant and are
 *      read without it.
 *   2. Blocks of entries are never freed or moved.
 *   3. `slots` has the numbers of all entries, by what they say, and is used under the lock only. */
#include "base/twofold.h"

#include "base/alloc.h"
#include "base/fork_lock.h"

#include <string.h>

enum { BLOCK = 1024, BLOCKS = 64, SLOTS = 2 * BLOCK * BLOCKS };

static PS__FORK_LOCK(table_lock, PS__RANK_LOCATIONS) /* guards additions */
    static ps__twofold *blocks[BLOCKS];
static _Atomic uint32_t entries;
static uint32_t *slots; /* SLOTS of them: an entry's number plus one, or 0 */

static const ps__twofold *entry_at(uint32_t number)
{
    return &blocks[number / BLOCK][number % BLOCK];
}

static bool same(const ps__twofold *a, const ps__twofold *b)
{
    return a->forward == b->forward && a->backward == b->backward && a->of == b->of;
}

static uint32_t slot_of(const ps__twofold *lines)
{
    uint64_t hash = lines->forward * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ lines->backward ^ (uintptr_t)lines->of) * UINT64_C(0xD6E8FEB86659FD93);
    uint32_t at = (uint32_t)(hash >> 40) % SLOTS;
    while (slots[at] != 0 && !same(entry_at(slots[at] - 1), lines))
        at = (at + 1) % SLOTS;
    return at;
}

static bool has_room(uint32_t count)
{
    if (slots == NULL)
        slots = ps__calloc(SLOTS, sizeof slots[0]);
    if (slots == NULL || count == BLOCK * BLOCKS)
        return false;
    ps__twofold **block = &blocks[count / BLOCK];
    if (*block == NULL)
        *block = ps__calloc(BLOCK, sizeof **block);
    return *block != NULL;
}

/* The entry's number plus one; 0: there is none, and no room. */
static uint32_t find_or_add(const ps__twofold *lines)
{
    uint32_t count = ps__load(&entries); /* written under the lock */
    uint32_t at = slots != NULL ? slot_of(lines) : 0;
    if (slots != NULL && slots[at] != 0)
        return slots[at];
    if (!has_room(count))
        return 0;
    at = slot_of(lines);
    blocks[count / BLOCK][count % BLOCK] = *lines;
    slots[at] = count + 1;
    ps__store_release(&entries, count + 1); /* pairs with the acquire of ps__twofold_lines */
    return count + 1;
}

uint64_t ps__twofold_location(const ps__twofold *lines)
{
    ps__lock_take(&table_lock.lock);
    uint32_t number = find_or_add(lines);
    ps__unlock(&table_lock.lock);
    return number != 0 ? (uint64_t)PS__TWOFOLD_NUMBER << 56 | number : lines->forward;
}

bool ps__twofold_lines(uint64_t location, ps__twofold *lines)
{
    uint64_t number = location & ((UINT64_C(1) << 56) - 1);
    *lines = (ps__twofold){.forward = location};
    if (!ps__location_is_twofold(location))
        return false;
    /* Pairs with the release of find_or_add. */
    if (number == 0 || number > ps__load_acquire(&entries)) {
        lines->forward = 0;
        return false;
    }
    *lines = *entry_at((uint32_t)number - 1);
    return true;
}
