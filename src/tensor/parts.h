/* Which bytes of a buffer snapshots of parts of it need: a write to others need not copy.
 *
 * Invariants
 *   1. Ranges are added under the engine's lock, where also writes look at them. They never shrink;
 *      with `pins` at 0 they are begun anew.
 *   2. `pins` counts those of buffer->pins that are snapshots of parts. Who ends one lowers this count
 *      first, and raising is done under the lock: so a thread that has the lock, and reads the
 *      buffer's count first, finds both equal only if there are no other pins. */
#ifndef PS_TENSOR_PARTS_H
#define PS_TENSOR_PARTS_H

#include "base/atomic.h"

enum { PS__PARTS = 4 };

typedef struct ps__parts {
    _Atomic uint32_t pins;
    uint32_t count;
    struct {
        int64_t first, end;
    } range[PS__PARTS]; /* in bytes, by rising `first`; they do not touch */
} ps__parts;

/* Bytes that were copied because a part of them was written that a pin needs, or might. */
extern _Atomic uint64_t ps__parts_copied;

/* Both under the engine's lock. */
void ps__parts_add(ps__parts *parts, int64_t first, int64_t end);
bool ps__parts_need(const ps__parts *parts, int64_t first, int64_t end);

#endif
