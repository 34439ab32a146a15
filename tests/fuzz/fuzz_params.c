/* Damaged `.params` files: recorded ones are cut, spliced and overwritten at random, and loaded.
 *
 * Each is loaded or refused with a text; what is loaded holds no more than the file had bytes for,
 * and can be read, saved and loaded again. A sanitizer's build sees reads and writes out of place.
 *
 *   PENSTOCK_FUZZ_FILES  how many (20000)
 *   PENSTOCK_FUZZ_SEED   another sequence of files (1) */
#include "engine/fixture.h"

#include "fuzz/support/damage.h"

static const char *const names[] = {"nd_types",  "nd_list", "nd_empty", "nd_sparse", "np_types",
                                    "np_shapes", "v1",      "older",    "gpu"};
enum { NAMES = sizeof names / sizeof names[0] };

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

/* ---- damage ------------------------------------------------------------------------------ */

static void damage(sample *s)
{
    uint64_t word = words[damage_below(WORDS)], bits = damage_bits();
    switch (damage_below(8)) {
    case 0:
        sample_flip(s);
        break;
    case 1:
        sample_overwrite(s, damage_below(s->size), &bits, 1 + damage_below(8));
        break;
    case 2:
    case 3:
        sample_overwrite(s, damage_below(s->size), &word, 4);
        break;
    case 4:
        sample_overwrite(s, 4 * damage_below(s->size / 4), &word, 4);
        break;
    case 5:
        sample_overwrite(s, 4 * damage_below(s->size / 4), &word, 8);
        break;
    case 6:
        sample_splice(s, &corpus[damage_below(NAMES)]);
        break;
    default:
        sample_shorten(s);
        break;
    }
}

static void make_sample(sample *s)
{
    const bytes *from = &corpus[damage_below(NAMES)];
    memcpy(s->data, from->data, from->size);
    s->size = from->size;
    for (size_t i = damage_below(4); i < 4; i++)
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
    unsigned char *exact = sample_exact(s);
    ps_params *params = NULL;
    uint32_t flags = (uint32_t)damage_below(8) < 6 ? 0 : 1 + (uint32_t)damage_below(2);
    ps_status status = ps_params_load_memory(exact, s->size, flags, &params);
    free(exact - 1);
    if (status == PS_OK) {
        c->loaded++;
        if (check_tensors(params, s->size) && damage_below(16) == 0)
            check_again(params, c);
        ps_params_free(params);
    } else {
        c->refused++;
        CHECK_STATUS(status, PS_ERR_ARGUMENT);
        assert_null(params);
        assert_int_equal(strncmp(ps_last_error(), "ps_params_load_memory: ", 23), 0);
    }
    if (damage_below(64) == 0)
        check_file(s, flags, status);
}

/* ---- the run ----------------------------------------------------------------------------- */

static void damaged_files(void **state)
{
    (void)state;
    static sample s;
    counts c = {0};
    uint64_t files;
    damage_begin(&files);
    for (int i = 0; i < NAMES; i++)
        assert_true(bytes_read(recorded(names[i]), &corpus[i]) && corpus[i].size <= SAMPLE_BYTES);
    uint64_t before = damage_live_bytes();
    for (uint64_t i = 0; i < files; i++) {
        make_sample(&s);
        check_sample(&s, &c);
    }
    assert_int_equal(damage_live_bytes(), before);
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
