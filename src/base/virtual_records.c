/* A table of addresses with open addressing. Everything in it is guarded by the baton. */
#include "base/virtual_records.h"

#ifdef PENSTOCK_TESTING

#include <stdio.h>
#include <stdlib.h>

static ps__virtual_record *entries;
static size_t capacity; /* a power of two, or 0 */
static size_t used;     /* at most half of them */

static ps__virtual_record *place_of(uintptr_t key)
{
    size_t at = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (capacity - 1);
    while (entries[at].key != 0 && entries[at].key != key)
        at = (at + 1) & (capacity - 1);
    return &entries[at];
}

static void grow(void)
{
    ps__virtual_record *old = entries;
    size_t count = capacity;
    capacity = count != 0 ? 2 * count : 4096;
    entries = calloc(capacity, sizeof *entries);
    if (entries == NULL) {
        fputs("virtual time: no memory\n", stderr);
        abort();
    }
    for (size_t i = 0; i < count; i++)
        if (old[i].key != 0)
            *place_of(old[i].key) = old[i];
    free(old);
}

ps__virtual_record *ps__virtual_record_find(const void *record)
{
    if (2 * (used + 1) > capacity)
        grow();
    ps__virtual_record *entry = place_of((uintptr_t)record);
    if (entry->key == 0) {
        entry->key = (uintptr_t)record;
        used++;
    }
    return entry;
}

void ps__virtual_records_clear(void)
{
    free(entries);
    entries = NULL;
    capacity = used = 0;
}

#endif
