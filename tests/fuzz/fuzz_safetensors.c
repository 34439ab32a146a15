/* Damaged safetensors files: files of all kinds are cut, spliced and overwritten at random, with bytes
 * and with pieces of headers, and opened.
 *
 * Each is opened or refused with a text; what is opened holds no more than the file has bytes for,
 * and can be read, saved and opened again. A sanitizer's build sees reads and writes out of place.
 *
 *   PENSTOCK_FUZZ_FILES  how many (20000)
 *   PENSTOCK_FUZZ_SEED   another sequence of files (1) */
#include "engine/fixture.h"

#include "fuzz/support/damage.h"

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

typedef struct counts {
    uint64_t opened, refused, again;
} counts;

static bytes corpus[KINDS];

/* ---- damage ------------------------------------------------------------------------------ */

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

static void make_sample(sample *s)
{
    const bytes *from = &corpus[damage_below(KINDS)];
    memcpy(s->data, from->data, from->size);
    s->size = from->size;
    for (size_t i = damage_below(4); i < 4; i++)
        damage(s);
}

/* ---- what must hold ---------------------------------------------------------------------- */

/* Reads every element and text. */
static void check_tensors(const ps_safetensors *file, size_t size)
{
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
}

static void check_again(const ps_safetensors *file, counts *c)
{
    ps_safetensors *again = NULL;
    CHECK_OK(safetensors_save_again(scratch("again"), file));
    CHECK_OK(ps_safetensors_open(scratch("again"), PS_SAFETENSORS_BORROW, &again));
    assert_true(safetensors_equal(file, again));
    ps_safetensors_close(again);
    c->again++;
}

/* A file gives what its bytes in memory give. */
static void check_file(const sample *s, ps_status wanted)
{
    ps_safetensors *file = NULL;
    uint32_t flags = (uint32_t)damage_below(2);
    assert_true(bytes_write(scratch("sample"), (bytes){(unsigned char *)s->data, s->size}));
    CHECK_STATUS(ps_safetensors_open(scratch("sample"), flags, &file), wanted);
    if (file != NULL)
        check_tensors(file, s->size);
    ps_safetensors_close(file);
}

static void check_sample(const sample *s, counts *c)
{
    unsigned char *exact = sample_exact(s);
    ps_safetensors *file = NULL;
    ps_status status = ps_safetensors_open_memory(exact, s->size, &file);
    if (status == PS_OK) {
        c->opened++;
        check_tensors(file, s->size);
        if (damage_below(16) == 0)
            check_again(file, c);
        ps_safetensors_close(file);
    } else {
        c->refused++;
        CHECK_STATUS(status, PS_ERR_ARGUMENT);
        assert_null(file);
        assert_int_equal(strncmp(ps_last_error(), "ps_safetensors_open_memory: ", 28), 0);
    }
    free(exact - 1);
    if (damage_below(64) == 0)
        check_file(s, status);
}

/* ---- the run ----------------------------------------------------------------------------- */

static void damaged_files(void **state)
{
    (void)state;
    static sample s;
    counts c = {0};
    uint64_t files;
    damage_begin(&files);
    for (int i = 0; i < KINDS; i++)
        corpus[i] = safetensors_bytes(kinds[i].header, kinds[i].data);
    uint64_t before = damage_live_bytes();
    for (uint64_t i = 0; i < files; i++) {
        make_sample(&s);
        check_sample(&s, &c);
    }
    assert_int_equal(damage_live_bytes(), before);
    printf("%llu opened, %llu refused, %llu saved again\n", (unsigned long long)c.opened,
           (unsigned long long)c.refused, (unsigned long long)c.again);
    assert_true(c.opened > 10 && c.refused > 10 && c.again > 0);
    for (int i = 0; i < KINDS; i++)
        free(corpus[i].data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_files)};
    return FIXTURE_RUN(tests);
}
