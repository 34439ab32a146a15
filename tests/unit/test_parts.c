/* Ranges of bytes that are needed, against a byte for each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tensor/parts.h"

enum { BYTES = 64, ROUNDS = 20000 };

static unsigned next;

static int64_t below(int64_t bound)
{
    next = next * 1664525u + 1013904223u;
    return (int64_t)(next >> 8) % bound;
}

static void check_order(const ps__parts *parts)
{
    assert_in_range(parts->count, 1, PS__PARTS);
    for (uint32_t i = 0; i + 1 < parts->count; i++)
        assert_true(parts->range[i].end < parts->range[i + 1].first);
}

/* What was added is needed; with no more than four ranges nothing else is. */
static void against_bytes(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        ps__parts parts = {.count = 7}; /* begun anew: nobody has a pin */
        char needed[BYTES] = {0};
        int64_t count = 1 + below(8);
        for (int64_t i = 0; i < count; i++) {
            int64_t first = below(BYTES), end = first + 1 + below(6);
            end = end < BYTES ? end : BYTES;
            ps__parts_add(&parts, first, end);
            ps__add(&parts.pins, 1u);
            for (int64_t at = first; at < end; at++)
                needed[at] = 1;
            check_order(&parts);
        }
        for (int64_t at = 0; at < BYTES; at++)
            if (needed[at] || count <= PS__PARTS)
                assert_int_equal(ps__parts_need(&parts, at, at + 1), needed[at]);
        assert_false(ps__parts_need(&parts, 3, 3));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
