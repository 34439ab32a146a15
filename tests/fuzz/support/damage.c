/* Chance, and what it does to files. */
#include "fuzz/support/damage.h"

#include <stdlib.h>
#include <string.h>

static uint64_t random_state;

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

void damage_begin(uint64_t *files)
{
    random_state = 0x9E3779B97F4A7C15u * (setting("PENSTOCK_FUZZ_SEED", 1) + 1);
    *files = setting("PENSTOCK_FUZZ_FILES", 20000);
}

uint64_t damage_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

size_t damage_below(size_t end)
{
    return end == 0 ? 0 : (size_t)(damage_bits() >> 11) % end;
}

void sample_overwrite(sample *s, size_t at, const void *data, size_t size)
{
    if (at + size <= s->size)
        memcpy(s->data + at, data, size);
}

void sample_insert(sample *s, size_t at, const void *data, size_t size)
{
    if (at > s->size || s->size + size > SAMPLE_BYTES)
        return;
    memmove(s->data + at + size, s->data + at, s->size - at);
    memcpy(s->data + at, data, size);
    s->size += size;
}

void sample_remove(sample *s, size_t at, size_t size)
{
    if (at + size > s->size)
        return;
    memmove(s->data + at, s->data + at + size, s->size - at - size);
    s->size -= size;
}

void sample_flip(sample *s)
{
    if (s->size != 0)
        s->data[damage_below(s->size)] ^= (unsigned char)(1u << damage_below(8));
}

void sample_splice(sample *s, const bytes *other)
{
    size_t at = damage_below(s->size + 1), from = damage_below(other->size + 1);
    size_t size = other->size - from;
    if (at + size > SAMPLE_BYTES)
        return;
    memcpy(s->data + at, other->data + from, size);
    s->size = at + size;
}

void sample_shorten(sample *s)
{
    if (damage_below(2) != 0)
        sample_remove(s, damage_below(s->size + 1), damage_below(17));
    else
        s->size = damage_below(s->size + 1);
}

unsigned char *sample_exact(const sample *s)
{
    unsigned char *exact = malloc(s->size + 1);
    if (exact == NULL)
        abort();
    return memcpy(exact + 1, s->data, s->size);
}

uint64_t damage_live_bytes(void)
{
    ps_memory_stats stats = {.size = sizeof stats};
    return ps_memory_get_stats(&stats) == PS_OK ? stats.live : 0;
}
