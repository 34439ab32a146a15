/* Size classes: every block is as large as its class says, so that what one size freed serves
 * all sizes near it.
 *
 * 64, 128, ... 512 bytes, then eight equal steps from each power of two to the next. All are
 * multiples of 64, so blocks laid side by side from an aligned start are aligned. Above 512 bytes
 * a block is less than 12.5 % larger than what was asked for.
 *
 *   class 0 ..  55   64 bytes .. 32 KB    small: cached by each thread, cut from slabs
 *   class 56 .. 87   36 KB .. 512 KB      medium: shared bins, cut from slabs
 *   class 88 .. 311  576 KB .. 128 TB     large: each block is a piece of raw memory of its own
 *
 * Raw memory, slabs and large blocks alike, also comes in these sizes, from 64 KB on. */
#ifndef PS_MEMORY_CLASSES_H
#define PS_MEMORY_CLASSES_H

#include <stddef.h>
#include <stdint.h>

enum {
    PS__ALIGNMENT = 64,
    PS__SMALL_BYTES = 32 << 10,   /* the largest small block */
    PS__MEDIUM_BYTES = 512 << 10, /* the largest medium block */
    PS__RAW_BYTES = 64 << 10,     /* the smallest piece of raw memory */
    PS__HUGE_BYTES = 2 << 20,     /* raw memory from this size on is aligned to it */

    PS__SMALL_CLASSES = 56,
    PS__SLAB_CLASSES = 88, /* small and medium */
    PS__CLASSES = 312
};

/* The size of the last class. */
#define PS__BLOCK_BYTES_MAX ((uint64_t)1 << 47)

/* For 1 .. PS__BLOCK_BYTES_MAX bytes. */
static inline unsigned ps__class_of(size_t bytes)
{
    size_t last = bytes - 1;
    if (last < 512)
        return (unsigned)(last >> 6);
    /* The step between neighbours is an eighth of the power of two below. */
    unsigned step = 63u - (unsigned)__builtin_clzll(last) - 3;
    return (step - 6) * 8 + (unsigned)(last >> step);
}

static inline size_t ps__class_bytes(unsigned class)
{
    if (class < 8)
        return ((size_t) class + 1) << 6;
    return (size_t)(class % 8 + 9) << (class / 8 + 5);
}

#endif
