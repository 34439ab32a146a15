/* One mapping per arena: a forbidden page, the bytes, a forbidden page. */
#include "kernels/support/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, MARGIN = 256 };

guarded arena_make(void)
{
    size_t total = ARENA_BYTES + 2 * PAGE;
    unsigned char *base =
        mmap(NULL, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(base, MAP_FAILED);
    assert_int_equal(mprotect(base + PAGE, ARENA_BYTES, PROT_READ | PROT_WRITE), 0);
    return (guarded){base + PAGE};
}

void arena_free(guarded *arena)
{
    assert_int_equal(munmap(arena->bytes - PAGE, ARENA_BYTES + 2 * PAGE), 0);
    arena->bytes = NULL;
}

void *arena_place(const guarded *arena, position place, size_t n, size_t element)
{
    size_t start = place.at_end ? ARENA_BYTES - n * element : place.offset * element;
    assert_true(start + n * element <= ARENA_BYTES);
    size_t from = start < MARGIN ? 0 : start - MARGIN, to = start + n * element + MARGIN;
    memset(arena->bytes + from, ARENA_FILL, (to > ARENA_BYTES ? ARENA_BYTES : to) - from);
    return arena->bytes + start;
}

static void check_filled(const unsigned char *from, const unsigned char *to)
{
    for (; from < to; from++) {
        if (*from != ARENA_FILL)
            fail_msg("a byte outside of the array was written");
    }
}

void arena_check(const guarded *arena, const void *array, size_t bytes)
{
    const unsigned char *start = array, *end = start + bytes, *last = arena->bytes + ARENA_BYTES;
    check_filled(start - arena->bytes < MARGIN ? arena->bytes : start - MARGIN, start);
    check_filled(end, last - end < MARGIN ? last : end + MARGIN);
}
