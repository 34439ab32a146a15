/* Damaged `.params` files: recorded ones are cut, spliced and overwritten at random, and loaded. What must
 * hold is in support/format.h. */
#include "engine/fixture.h"

#include "fuzz/support/format.h"

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

static bytes corpus[NAMES];

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

/* Reads every element; false if an array has no shape. */
static bool check_tensors(const void *file, size_t size)
{
    const ps_params *params = file;
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

static ps_status read_memory(const void *data, size_t size, uint32_t flags, void **file)
{
    ps_params *made = NULL;
    ps_status status = ps_params_load_memory(data, size, flags, &made);
    *file = made;
    return status;
}

static ps_status read_file(const char *path, uint32_t flags, void **file)
{
    ps_params *made = NULL;
    ps_status status = ps_params_load(path, flags, &made);
    *file = made;
    return status;
}

static ps_status save(const char *path, const void *file)
{
    return params_save_again(path, file, PS_PARAMS_V3);
}

static bool equal(const void *a, const void *b)
{
    return params_equal(a, b);
}

static void close_file(void *file)
{
    ps_params_free(file);
}

static void damaged_files(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; i++)
        assert_true(bytes_read(recorded(names[i]), &corpus[i]) && corpus[i].size <= SAMPLE_BYTES);
    format_run(&(format){.function = "ps_params_load_memory",
                         .flags = PS_PARAMS_REFUSE_OLDER + 1,
                         .corpus = corpus,
                         .count = NAMES,
                         .damage = damage,
                         .read_memory = read_memory,
                         .read_file = read_file,
                         .check = check_tensors,
                         .save = save,
                         .equal = equal,
                         .close = close_file});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_files)};
    return FIXTURE_RUN(tests);
}
