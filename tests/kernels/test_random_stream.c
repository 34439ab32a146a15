/* The stream of random words: the published values, the order of words in tiles, carries of the
 * counter; and that an element is the same in whatever range and by whatever instruction set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "kernels/test_random_words.h"

static const ps__random_spec bits32 = {PS__RANDOM_BITS, PS_UINT32, {{0, 0}}};
static const ps__random_spec bits64 = {PS__RANDOM_BITS, PS_UINT64, {{0, 0}}};

/* ---- Philox ---------------------------------------------------------------------------- */

typedef struct known {
    uint64_t key;
    block counter, answer;
} known;

/* The known answers that Random123 publishes for philox4x32-10. */
static const known knowns[] = {
    {0, {{0, 0, 0, 0}}, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
    {UINT64_MAX,
     {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
     {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
    {0x299f31d0a4093822,
     {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
     {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
};

static void gives_the_published_words(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof knowns / sizeof *knowns; i++) {
        const block *c = &knowns[i].counter, *answer = &knowns[i].answer;
        ps__random state = {knowns[i].key,
                            {(uint64_t)c->word[1] << 32 | c->word[0],
                             (uint64_t)c->word[3] << 32 | c->word[2]}};
        block own = philox_block(state.key, *c);
        assert_memory_equal(&own, answer, sizeof own);
        ps__random back = state_with_block(state.key, *answer);
        assert_memory_equal(&back, &state, sizeof back);
        for (int s = 0; s < SETS; s++) {
            uint32_t words[32];
            if (!ps__random_fill_with(set_names[s], &state, &bits32, 0, 32, words))
                continue;
            const uint32_t got[4] = {words[0], words[1], words[16], words[17]};
            assert_memory_equal(got, answer, sizeof got);
        }
    }
}

/* Tiles of 8 blocks; the first two words of each, then the last two of each. */
static void check_stream(const char *set, ps__random state)
{
    enum { TILES = 40 };
    uint32_t words[32 * TILES];
    if (!ps__random_fill_with(set, &state, &bits32, 0, 32 * TILES, words))
        return;
    for (int b = 0; b < 8 * TILES; b++) {
        block expected = philox_block(state.key, counter_of(&state));
        const uint32_t *tile = words + b / 8 * 32, at = (uint32_t)b % 8 * 2;
        const uint32_t got[4] = {tile[at], tile[at + 1], tile[at + 16], tile[at + 17]};
        assert_memory_equal(got, &expected, sizeof got);
        ps__random_advance(&state, 1);
    }
}

static void the_counter_carries(void **unused)
{
    (void)unused;
    for (int s = 0; s < SETS; s++) {
        for (uint64_t before = 0; before < 70; before++) {
            check_stream(set_names[s], (ps__random){before * 7919, {(uint64_t)-before, before}});
            check_stream(set_names[s], (ps__random){3, {(uint64_t)-before, UINT64_MAX}});
            check_stream(set_names[s], (ps__random){4, {0x100000000 - before, 0xFFFFFFFF}});
        }
    }
}

static void words_of_64_bits_are_pairs(void **unused)
{
    (void)unused;
    ps__random state = {11, {22, 33}};
    uint64_t wide[64];
    uint32_t narrow[128];
    ps__random_fill(&state, &bits64, 0, 64, wide);
    ps__random_fill(&state, &bits32, 0, 128, narrow);
    for (int i = 0; i < 64; i++)
        assert_true(wide[i] == ((uint64_t)narrow[2 * i + 1] << 32 | narrow[2 * i]));
}

static void fills_follow_each_other(void **unused)
{
    (void)unused;
    assert_true(ps__random_blocks(PS__RANDOM_NORMAL, PS_FLOAT32, 0) == 0);
    assert_true(ps__random_blocks(PS__RANDOM_NORMAL, PS_FLOAT32, 1) == 8);
    assert_true(ps__random_blocks(PS__RANDOM_NORMAL, PS_FLOAT16, 33) == 16);
    assert_true(ps__random_blocks(PS__RANDOM_NORMAL, PS_FLOAT64, 33) == 24);
    assert_true(ps__random_blocks(PS__RANDOM_INTEGERS, PS_INT8, 32) == 16);
    assert_true(ps__random_blocks(PS__RANDOM_INTEGERS, PS_INT64, 33) == 40);
    ps__random state = {5, {UINT64_MAX - 3, 9}};
    uint32_t all[96], rest[64];
    ps__random_fill(&state, &bits32, 0, 96, all);
    ps__random_advance(&state, ps__random_blocks(PS__RANDOM_BITS, PS_UINT32, 32));
    ps__random_fill(&state, &bits32, 0, 64, rest);
    assert_memory_equal(all + 32, rest, sizeof rest);
}

/* ---- Ranges and instruction sets ------------------------------------------------------- */

enum { COUNT = 3001 };

typedef struct filled {
    _Alignas(64) char bytes[8 * COUNT + 8];
} filled;

static void any_range_gives_the_same(void **unused)
{
    (void)unused;
    static filled whole, parts;
    ps__random_spec specs[SPECS_MAX];
    int n = all_specs(specs);
    ps__random state = {0xABCDEF0123456789, {UINT64_MAX - 100, 7}};
    uint32_t seed = 1;
    for (int i = 0; i < n; i++) {
        size_t bytes = ps__dtype_bytes(specs[i].dtype);
        ps__random_fill(&state, &specs[i], 0, COUNT, whole.bytes);
        for (int trial = 0; trial < 20; trial++) {
            memset(&parts, 0, sizeof parts);
            char *out = parts.bytes + trial % 2 * bytes; /* aligned to an element only */
            for (uint64_t begin = 0, end; begin < COUNT; begin = end) {
                seed = seed * 1664525 + 1013904223;
                end = begin + (seed >> 16) % (trial < 10 ? 70 : 1500);
                end = end < COUNT ? end : COUNT;
                ps__random_fill(&state, &specs[i], begin, end, out + begin * bytes);
            }
            assert_memory_equal(whole.bytes, out, COUNT * bytes);
        }
    }
}

static void all_sets_give_the_same(void **unused)
{
    (void)unused;
    static filled reference, other;
    ps__random_spec specs[SPECS_MAX];
    int n = all_specs(specs), compared = 0;
    for (int i = 0; i < n; i++) {
        for (uint64_t round = 0; round < 20; round++) {
            ps__random state = {round * 0x9E3779B97F4A7C15, {round << 40, round}};
            size_t bytes = COUNT * ps__dtype_bytes(specs[i].dtype);
            assert_true(ps__random_fill_with("ref", &state, &specs[i], 0, COUNT, reference.bytes));
            for (int s = 1; s < SETS; s++) {
                if (!ps__random_fill_with(set_names[s], &state, &specs[i], 0, COUNT, other.bytes))
                    continue;
                assert_memory_equal(reference.bytes, other.bytes, bytes);
                compared++;
            }
        }
    }
    print_message("%d fills compared\n", compared);
}

/* Words at the ends of every case that the functions tell apart. */
static void all_sets_give_the_same_at_the_edges(void **unused)
{
    (void)unused;
    static const uint32_t edges[] = {0,          1,          2,          0x00FFFFFF, 0x3FFFFFFF,
                                     0x40000000, 0x5A82799A, 0x7FFFFFFF, 0x80000000, 0xB504F333,
                                     0xB504F334, 0xBFFFFFFF, 0xC0000000, 0xFFFFFF7F, 0xFFFFFF80,
                                     0xFFFFFFFE, 0xFFFFFFFF};
    enum { EDGES = sizeof edges / sizeof *edges };
    ps__random_spec specs[SPECS_MAX];
    int n = all_specs(specs);
    for (int i = 0; i < n * EDGES * EDGES; i++) {
        const ps__random_spec *spec = &specs[i / (EDGES * EDGES)];
        uint32_t a = edges[i / EDGES % EDGES], b = edges[i % EDGES];
        ps__random state = state_with_block(42, (block){{a, b, b, a}});
        uint64_t reference[32] = {0}, other[32] = {0};
        assert_true(ps__random_fill_with("ref", &state, spec, 0, 32, reference));
        for (int s = 1; s < SETS; s++) {
            if (ps__random_fill_with(set_names[s], &state, spec, 0, 32, other))
                assert_memory_equal(reference, other, sizeof reference);
        }
    }
}

static void unknown_sets_and_types_are_refused(void **unused)
{
    (void)unused;
    uint32_t word;
    ps__random state = {0, {0, 0}};
    assert_false(ps__random_fill_with("mmx", &state, &bits32, 0, 1, &word));
    assert_false(ps__random_supports(PS__RANDOM_NORMAL, PS_INT32));
    assert_false(ps__random_supports(PS__RANDOM_NORMAL, PS_COMPLEX64));
    assert_false(ps__random_supports(PS__RANDOM_INTEGERS, PS_BOOL));
    assert_false(ps__random_supports(PS__DISTRIBUTIONS, PS_INT32));
    assert_true(ps__random_supports(PS__RANDOM_BERNOULLI, PS_BOOL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_published_words),
        cmocka_unit_test(the_counter_carries),
        cmocka_unit_test(words_of_64_bits_are_pairs),
        cmocka_unit_test(fills_follow_each_other),
        cmocka_unit_test(any_range_gives_the_same),
        cmocka_unit_test(all_sets_give_the_same),
        cmocka_unit_test(all_sets_give_the_same_at_the_edges),
        cmocka_unit_test(unknown_sets_and_types_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
