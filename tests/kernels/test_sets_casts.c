/* Casts of every set: against the vectors, and in arrays of many lengths and places against the
 * reference, bit by bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "kernels/support/arena.h"
#include "kernels/support/check.h"
#include "kernels/support/compare.h"
#include "kernels/support/sets.h"

static const size_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 255, 600};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const position places[][2] = {{{0, 1}, {0, 1}}, {{1, 0}, {3, 0}}, {{5, 0}, {0, 1}}};
enum { PLACES = sizeof places / sizeof *places };

static guarded arena_out, arena_in;

static int arenas_make(void **state)
{
    (void)state;
    arena_out = arena_make();
    arena_in = arena_make();
    return 0;
}

static int arenas_free(void **state)
{
    (void)state;
    arena_free(&arena_out);
    arena_free(&arena_in);
    return 0;
}

/* Elements from `start` on, around the end; `base` has what must come out. */
static bool cast_agrees(const ps__kernel_set *set, const vector_row *row, const char *base,
                        size_t n, size_t start, const position *place)
{
    size_t from = ps__dtype_bytes(row->dtype), to = ps__dtype_bytes(row->result);
    char *in = arena_place(&arena_in, place[1], n, from);
    char *out = arena_place(&arena_out, place[0], n, to);
    for (size_t i = 0; i < n; i++)
        memcpy(in + i * from,
               vectors_at(row->set->operand[0], row->dtype, (start + i) % row->set->n), from);
    set->cast[row->dtype][row->result](n, out, in);
    arena_check(&arena_out, out, n * to);
    for (size_t i = 0; i < n; i++) {
        size_t element = (start + i) % row->set->n;
        if (same_bits(row->result, base + element * to, out + i * to))
            continue;
        char text[3][100];
        print_error("%s cast %s to %s n %zu [%zu]: %s want %s have %s\n", set->name,
                    ps__dtypes[row->dtype].name, ps__dtypes[row->result].name, n, i,
                    element_text(row->dtype, in + i * from, text[0], sizeof text[0]),
                    element_text(row->result, base + element * to, text[1], sizeof text[1]),
                    element_text(row->result, out + i * to, text[2], sizeof text[2]));
        return false;
    }
    return true;
}

static size_t check_row(const ps__kernel_set *set, const vector_row *row)
{
    size_t to = ps__dtype_bytes(row->result), start = 0;
    char *base = malloc(row->n * to);
    assert_non_null(base);
    for (size_t i = 0; i < row->n; i++)
        sets_reference()->cast[row->dtype][row->result](1, base + i * to,
                                                        vectors_at(row->set->operand[0], row->dtype,
                                                                   i));
    size_t wrong = 0;
    for (size_t s = 0; s < SIZES && !wrong; s++) {
        for (size_t p = 0; p < PLACES && !wrong; p++, start += 31)
            wrong += !cast_agrees(set, row, base, sizes[s], start, places[p]);
    }
    free(base);
    return wrong;
}

static void check_set(const ps__kernel_set *set)
{
    vector_file file = vectors_load("cast");
    size_t wrong = 0;
    for (size_t i = 0; i < file.row_count; i++)
        wrong += check_row(set, &file.rows[i]);
    vectors_free(&file);
    assert_int_equal(wrong, 0);
}

/* ---- Any bits -------------------------------------------------------------------------- */

enum { BLOCK = 2048, BLOCKS = 32 }; /* 65,536 elements: all that 16 bits can say */

static char source[BLOCK * 16], want[BLOCK * 16], have[BLOCK * 16];

/* Of 16 bits every pattern, block by block; of other types random ones. A bool is 0 or 1. */
static void fill_source(ps_dtype dtype, size_t block, uint64_t *seed)
{
    size_t bytes = ps__dtype_bytes(dtype);
    for (size_t i = 0; i < BLOCK; i++) {
        for (size_t at = 0; at < bytes; at += 8) {
            *seed = *seed * 6364136223846793005u + 1442695040888963407u;
            uint64_t bits = bytes == 2 ? block * BLOCK + i : *seed ^ *seed >> 29;
            bits = dtype == PS_BOOL ? bits & 1 : bits;
            memcpy(source + i * bytes + at, &bits, bytes < 8 ? bytes : 8);
        }
    }
}

static void compare_block(const ps__kernel_set *set, ps_dtype from, ps_dtype to)
{
    size_t bytes = ps__dtype_bytes(to);
    sets_reference()->cast[from][to](BLOCK, want, source);
    set->cast[from][to](BLOCK, have, source);
    for (size_t i = 0; i < BLOCK; i++) {
        if (!same_bits(to, want + i * bytes, have + i * bytes)) {
            char text[100];
            fail_msg("%s cast %s to %s: %s", set->name, ps__dtypes[from].name, ps__dtypes[to].name,
                     element_text(from, source + i * ps__dtype_bytes(from), text, sizeof text));
        }
    }
}

static void any_bits_agree(void **state)
{
    const ps__kernel_set *set = sets_of(state);
    uint64_t seed = 1;
    for (ps_dtype from = 0; ps__dtype_valid(from); from++) {
        for (size_t block = 0; block < BLOCKS; block++) {
            fill_source(from, block, &seed);
            for (ps_dtype to = 0; ps__dtype_valid(to); to++)
                compare_block(set, from, to);
        }
    }
}

/* ---- Tests ----------------------------------------------------------------------------- */

static void casts_are_right(void **state)
{
    check_casts(sets_of(state));
}

static void places_do_not_matter(void **state)
{
    check_set(sets_of(state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_VECTOR_SETS(casts_are_right, NULL, NULL),
        ON_ALL_SETS(places_do_not_matter, arenas_make, arenas_free),
        ON_VECTOR_SETS(any_bits_agree, NULL, NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
