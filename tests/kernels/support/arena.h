/* Memory with pages around it that cannot be touched, so that a kernel that reads or writes beyond
 * its arrays is caught in every build. */
#ifndef PS_TESTS_KERNELS_ARENA_H
#define PS_TESTS_KERNELS_ARENA_H

#include <stddef.h>
#include <stdint.h>

enum { ARENA_BYTES = 32768, ARENA_FILL = 0xA5 };

typedef struct guarded {
    unsigned char *bytes; /* ARENA_BYTES of them */
} guarded;

/* Where an array is put. */
typedef struct position {
    unsigned offset; /* in elements from the front; not used at the end */
    int at_end;      /* the last byte is the last before the forbidden page */
} position;

guarded arena_make(void);
void arena_free(guarded *arena);
/* Fills the arena with ARENA_FILL and gives the place for n elements. */
void *arena_place(const guarded *arena, position place, size_t n, size_t element);
/* The test fails if bytes outside of those n elements are no longer ARENA_FILL. */
void arena_check(const guarded *arena, const void *array, size_t bytes);

#endif
