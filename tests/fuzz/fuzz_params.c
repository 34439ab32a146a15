/* Damaged `.params` files: recorded ones are cut, spliced and overwritten at random, and loaded.
 *
 * Each is loaded or refused with a text; what is loaded holds no more than the file had bytes for,
 * and can be read, saved and loaded again. A sanitizer's build sees reads and writes out of place.
 *
 *   PENSTOCK_FUZZ_FILES  how many (20000)
 *   PENSTOCK_FUZZ_SEED   another sequence of files (1) */
#include "engine/fixture.h"

#include "files/help.h"

static const char *const names[] = {"nd_types",  "nd_list", "nd_empty", "nd_sparse", "np_types",
                                    "np_shapes", "v1",      "older",    "gpu"};
enum { NAMES = sizeof names / sizeof names[0], ROOM = 4096 };

/* What headers are made of, and what breaks arithmetic. */
static const uint64_t words[] = {
    0,          1,          2,          3,          7,          12,         31,         32,
    33,         0x112,      0xF993FAC8, 0xF993FAC9, 0xF993FACA, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
    1ull << 32, 1ull << 33, 1ull << 60, 1ull << 61, 1ull << 62, 1ull << 63, -1ull,      -2ull,
};
enum { WORDS = sizeof words / sizeof words[0] };

typedef struct counts {
    uint64_t loaded, refused, again;
} counts;

static bytes corpus[NAMES];
static uint64_t random_state;

/* ---- chance ------------------------------------------------------------------------------ */

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static size_t random_below(size_t end)
{
    return end == 0 ? 0 : (size_t)(random_bits() >> 11) % end;
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

/* ---- damage ------------------------------------------------------------------------------ */

typedef struct sample {
    unsigned char data[ROOM];
    size_t size;
} sample;

static void overwrite(sample *s, size_t at, const void *data, size_t size)
{
    if (at + size <= s->size)
        memcpy(s->data + at, data, size);
}

/* Everything from `at` on replaced by a part of another file. */
static void splice(sample *s)
{
    const bytes *other = &corpus[random_below(NAMES)];
    size_t at = random_below(s->size + 1), from = random_below(other->size + 1);
    size_t size = other->size - from;
    if (at + size > ROOM)
        return;
    memcpy(s->data + at, other->data + from, size);
    s->size = at + size;
}

static void remove_some(sample *s)
{
    size_t at = random_below(s->size + 1), size = random_below(17);
    if (at + size > s->size)
        return;
    memmove(s->data + at, s->data + at + size, s->size - at - size);
    s->size -= size;
}

static void damage(sample *s)
{
    uint64_t word = words[random_below(WORDS)], bits = random_bits();
    switch (random_below(8)) {
    case 0:
        if (s->size != 0)
            s->data[random_below(s->size)] ^= (unsigned char)(1u << random_below(8));
        break;
    case 1:
        overwrite(s, random_below(s->size), &bits, 1 + random_below(8));
        break;
    case 2:
    case 3:
        overwrite(s, random_below(s->size), &word, 4);
        break;
    case 4:
        overwrite(s, 4 * random_below(s->size / 4), &word, 4);
        break;
    case 5:
        overwrite(s, 4 * random_below(s->size / 4), &word, 8);
        break;
    case 6:
        splice(s);
        break;
    default:
        if (random_below(2) != 0)
            remove_some(s);
        else
            s->size = random_below(s->size + 1);
        break;
    }
}

static void make_sample(sample *s)
{
    const bytes *from = &corpus[random_below(NAMES)];
    memcpy(s->data, from->data, from->size);
    s->size = from->size;
    for (size_t i = random_below(4); i < 4; i++)
        damage(s);
}

/* ---- what must hold ---------------------------------------------------------------------- */

/* Reads every element; false if an array has no shape. */
static bool check_tensors(const ps_params *params, size_t size)
{
    bool all = true;
    size_t total = 0;
    for (size_t i = 0; i < ps_params_count(params); i++) {
        ps_tensor *tensor;
        CHECK_OK(ps_params_tensor(params, i, &tensor));
        all = all && tensor != NULL;
        if (tensor == NULL)
            continue;
        assert_true(tensors_equal(tensor, tensor));
        total += (size_t)ps_tensor_count(tensor) * ps_dtype_bytes(ps_tensor_dtype(tensor));
        ps_tensor_release(tensor);
    }
    assert_true(total <= size);
    return all;
}

static void check_again(const ps_params *params, counts *c)
{
    ps_params *again = NULL;
    CHECK_OK(params_save_again(scratch("again"), params, PS_PARAMS_V3));
    CHECK_OK(ps_params_load(scratch("again"), PS_PARAMS_REFUSE_OLDER, &again));
    assert_true(params_equal(params, again));
    ps_params_free(again);
    c->again++;
}

/* A file gives what its bytes in memory give. */
static void check_file(const sample *s, uint32_t flags, ps_status wanted)
{
    ps_params *params = NULL;
    assert_true(bytes_write(scratch("sample"), (bytes){(unsigned char *)s->data, s->size}));
    CHECK_STATUS(ps_params_load(scratch("sample"), flags, &params), wanted);
    ps_params_free(params);
}

static void check_sample(const sample *s, counts *c)
{
    unsigned char *exact = malloc(s->size + 1); /* so that a read beyond the end is seen */
    ps_params *params = NULL;
    uint32_t flags = (uint32_t)random_below(8) < 6 ? 0 : 1 + (uint32_t)random_below(2);
    assert_non_null(exact);
    memcpy(exact + 1, s->data, s->size);
    ps_status status = ps_params_load_memory(exact + 1, s->size, flags, &params);
    free(exact);
    if (status == PS_OK) {
        c->loaded++;
        if (check_tensors(params, s->size) && random_below(16) == 0)
            check_again(params, c);
        ps_params_free(params);
    } else {
        c->refused++;
        CHECK_STATUS(status, PS_ERR_ARGUMENT);
        assert_null(params);
        assert_int_equal(strncmp(ps_last_error(), "ps_params_load_memory: ", 23), 0);
    }
    if (random_below(64) == 0)
        check_file(s, flags, status);
}

/* ---- the run ----------------------------------------------------------------------------- */

static uint64_t live_bytes(void)
{
    ps_memory_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_memory_get_stats(&stats));
    return stats.live;
}

static void damaged_files(void **state)
{
    (void)state;
    static sample s;
    counts c = {0};
    random_state = 0x9E3779B97F4A7C15u * (setting("PENSTOCK_FUZZ_SEED", 1) + 1);
    uint64_t files = setting("PENSTOCK_FUZZ_FILES", 20000);
    for (int i = 0; i < NAMES; i++)
        assert_true(bytes_read(recorded(names[i]), &corpus[i]) && corpus[i].size <= ROOM);
    uint64_t before = live_bytes();
    for (uint64_t i = 0; i < files; i++) {
        make_sample(&s);
        check_sample(&s, &c);
    }
    assert_int_equal(live_bytes(), before);
    printf("%llu loaded, %llu refused, %llu saved again\n", (unsigned long long)c.loaded,
           (unsigned long long)c.refused, (unsigned long long)c.again);
    assert_true(c.loaded > 10 && c.refused > 10 && c.again > 0);
    for (int i = 0; i < NAMES; i++)
        free(corpus[i].data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_files)};
    return FIXTURE_RUN(tests);
}
