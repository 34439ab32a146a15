/* Ranges of bytes: see parts.h. */
#include "tensor/parts.h"

#include <string.h>

_Atomic uint64_t ps__parts_copied;

static void close_gap(ps__parts *parts, uint32_t at)
{
    uint32_t behind = parts->count - at - 2;
    if (parts->range[at].end < parts->range[at + 1].end)
        parts->range[at].end = parts->range[at + 1].end;
    memmove(&parts->range[at + 1], &parts->range[at + 2], behind * sizeof parts->range[0]);
    parts->count--;
}

static uint32_t smallest_gap(const ps__parts *parts)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i + 1 < parts->count; i++)
        if (parts->range[i + 1].first - parts->range[i].end <
            parts->range[best + 1].first - parts->range[best].end)
            best = i;
    return best;
}

void ps__parts_add(ps__parts *parts, int64_t first, int64_t end)
{
    if (ps__load(&parts->pins) == 0) /* under the lock nobody raises it */
        parts->count = 0;
    if (parts->count == PS__PARTS)
        close_gap(parts, smallest_gap(parts));
    uint32_t at = 0;
    while (at < parts->count && parts->range[at].first <= first)
        at++;
    memmove(&parts->range[at + 1], &parts->range[at], (parts->count - at) * sizeof parts->range[0]);
    parts->range[at].first = first;
    parts->range[at].end = end;
    parts->count++;
    for (uint32_t i = 0; i + 1 < parts->count;)
        if (parts->range[i + 1].first <= parts->range[i].end)
            close_gap(parts, i);
        else
            i++;
}

bool ps__parts_need(const ps__parts *parts, int64_t first, int64_t end)
{
    for (uint32_t i = 0; i < parts->count; i++)
        if (first < end && first < parts->range[i].end && parts->range[i].first < end)
            return true;
    return false;
}
