/* Damaged safetensors files: files of all kinds are cut, spliced and overwritten at random, with bytes and
 * with pieces of headers, and opened. What must hold is in support/format.h. */
#include "engine/fixture.h"

#include "fuzz/support/format.h"

#define ENTRY(dtype, shape, offsets)                                                               \
    "{\"dtype\":\"" dtype "\",\"shape\":[" shape "],\"data_offsets\":[" offsets "]}"

static const struct {
    const char *header;
    size_t data;
} kinds[] = {
    {"{}", 0},
    {"{\"__metadata__\":{\"format\":\"ps\",\"k\\u00e9\":\"\\ud83d\\ude00\"}}   ", 0},
    {"{\"x\":" ENTRY("F32", "2,3", "0,24") "}", 24},
    {"{\"a\":" ENTRY("BOOL", "3", "8,11") ",\"b\":" ENTRY("I64", "", "0,8") "}", 11},
    {"{\"e\":" ENTRY("U8", "0,7", "0,0") ",\"\xC3\xA9\":" ENTRY("BF16", "2", "0,4") "}", 4},
    {"{\"c\" : {\"data_offsets\" : [ 0 , 16 ], \"dtype\" : \"C64\", \"shape\" : [2] } }", 16},
};

/* What headers are made of, and what breaks arithmetic. */
static const char *const pieces[] = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u",
    "\\ud83d",
    "\\udc00",
    "\\u0000",
    "0",
    "1",
    "-1",
    "9999999999",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "1e9",
    "0.5",
    "null",
    "true",
    " ",
    "\n",
    "\"dtype\":\"F64\"",
    "\"shape\":[0]",
    "\"data_offsets\":[0,0]",
    "\"__metadata__\":{}",
    ",\"n\":" ENTRY("U8", "1", "0,1"),
    "\xC3",
    "\xED\xA0\x80",
    "\xF0\x9F\x98\x80",
    "\x01",
};

enum { KINDS = sizeof kinds / sizeof kinds[0], PIECES = sizeof pieces / sizeof pieces[0] };

static bytes corpus[KINDS];

static size_t header_length(const sample *s)
{
    uint64_t length = 0;
    for (int i = 0; i < 8 && s->size >= 8; i++)
        length |= (uint64_t)s->data[i] << 8 * i;
    return length <= s->size ? (size_t)length : s->size;
}

/* A piece put into the header, or over a part of it; the length of the header follows. */
static void damage_header(sample *s)
{
    const char *piece = pieces[damage_below(PIECES)];
    size_t size = strlen(piece), length = header_length(s), before = s->size;
    size_t at = 8 + damage_below(length + 1), less = damage_below(3) == 0 ? 0 : damage_below(8);
    if (s->size < 8)
        return;
    sample_remove(s, at, less);
    sample_insert(s, at, piece, size);
    uint64_t now = length + s->size - before;
    sample_overwrite(s, 0, &now, 8);
}

static void damage(sample *s)
{
    uint64_t bits = damage_bits();
    switch (damage_below(8)) {
    case 0:
        sample_flip(s);
        break;
    case 1:
        sample_overwrite(s, damage_below(s->size), &bits, 1 + damage_below(8));
        break;
    case 2:
        sample_splice(s, &corpus[damage_below(KINDS)]);
        break;
    case 3:
        sample_shorten(s);
        break;
    default:
        damage_header(s);
        break;
    }
}

/* Reads every element and text. */
static bool check_tensors(const void *given, size_t size)
{
    const ps_safetensors *file = given;
    size_t total = 0;
    for (size_t i = 0; i < ps_safetensors_count(file); i++) {
        ps_tensor *tensor;
        CHECK_OK(ps_safetensors_tensor(file, i, &tensor));
        assert_true(tensors_equal(tensor, tensor));
        total += (size_t)ps_tensor_count(tensor) * ps_dtype_bytes(ps_tensor_dtype(tensor));
        total += strlen(ps_safetensors_name(file, i));
        ps_tensor_release(tensor);
    }
    for (size_t i = 0; ps_safetensors_metadata_key(file, i) != NULL; i++)
        total += strlen(ps_safetensors_metadata_key(file, i)) +
                 strlen(ps_safetensors_metadata_value(file, i));
    assert_true(total <= size);
    assert_true(safetensors_equal(file, file));
    return true;
}

static ps_status read_memory(const void *data, size_t size, uint32_t flags, void **file)
{
    (void)flags; /* of files alone */
    ps_safetensors *made = NULL;
    ps_status status = ps_safetensors_open_memory(data, size, &made);
    *file = made;
    return status;
}

static ps_status read_file(const char *path, uint32_t flags, void **file)
{
    ps_safetensors *made = NULL;
    ps_status status = ps_safetensors_open(path, flags, &made);
    *file = made;
    return status;
}

static ps_status save(const char *path, const void *file)
{
    return safetensors_save_again(path, file);
}

static bool equal(const void *a, const void *b)
{
    return safetensors_equal(a, b);
}

static void close_file(void *file)
{
    ps_safetensors_close(file);
}

static void damaged_files(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++)
        corpus[i] = safetensors_bytes(kinds[i].header, kinds[i].data);
    format_run(&(format){.function = "ps_safetensors_open_memory",
                         .flags = PS_SAFETENSORS_BORROW + 1,
                         .borrows = true,
                         .corpus = corpus,
                         .count = KINDS,
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
