/* Safetensors files that are cut off, malformed or of a kind that is not read; and wrong arguments.
 * Each is refused with a text, and nothing is kept. */
#include "ops/help.h"

#include "files/help.h"

#include <errno.h>
#include <sys/stat.h>

static void refuse_bytes(const void *data, size_t size, const char *text)
{
    ps_safetensors *file = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, text, ps_safetensors_open_memory(data, size, &file));
    assert_null(file);
}

/* A header, so many bytes of data, and why it is refused. */
static void refuse(const char *header, size_t data, const char *text)
{
    bytes content = safetensors_bytes(header, data);
    refuse_bytes(content.data, content.size, text);
    assert_int_equal(strncmp(ps_last_error(), "ps_safetensors_open_memory: ", 28), 0);
    free(content.data);
}

static uint64_t live_bytes(void)
{
    ps_memory_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_memory_get_stats(&stats));
    return stats.live;
}

#define ENTRY(dtype, shape, offsets)                                                               \
    "{\"dtype\":\"" dtype "\",\"shape\":[" shape "],\"data_offsets\":[" offsets "]}"

/* ---- files ------------------------------------------------------------------------------- */

/* Every beginning of a file but the whole of it is refused, from memory and from a file. */
static void every_truncation(void **state)
{
    (void)state;
    bytes all =
        safetensors_bytes("{\"__metadata__\":{\"a\":\"b\"},\"x\":" ENTRY(
                              "F32", "2,2", "0,16") ",\"y\":" ENTRY("BOOL", "", "16,17") "}",
                          17);
    ps_safetensors *file = NULL;
    uint64_t before = live_bytes();
    assert_true(bytes_write(scratch("cut"), all));
    for (size_t size = all.size; size-- > 0;) {
        unsigned char *part = malloc(size + 1); /* so that a read beyond it is seen */
        refuse_bytes(memcpy(part + 1, all.data, size), size, "ps_safetensors_open_memory: ");
        free(part);
        assert_int_equal(truncate(scratch("cut"), (off_t)size), 0);
        for (uint32_t flags = 0; flags <= PS_SAFETENSORS_BORROW; flags++)
            CHECK_FAILS(PS_ERR_ARGUMENT,
                        "/cut: ", ps_safetensors_open(scratch("cut"), flags, &file));
    }
    CHECK_OK(ps_safetensors_open_memory(all.data, all.size, &file));
    ps_safetensors_close(file);
    free(all.data);
    assert_int_equal(live_bytes(), before);
}

static void wrong_lengths(void **state)
{
    (void)state;
    static const unsigned char large[8] = {1, 0xE1, 0xF5, 5}, huge[8] = {[7] = 0xFF};
    refuse_bytes("", 0, "the length of the header needs 8 bytes and 0 are left");
    refuse_bytes(large, 8, "would have 100000001 bytes, at most 100000000 are read");
    refuse_bytes(huge, 8, "this is no safetensors file");
    refuse_bytes("\4\0\0\0\0\0\0\0{}", 10, "its header has 4 bytes and 2 are left");
    refuse("", 0, "its header begins with 0x00, not with {");
    refuse(" {}", 0, "its header begins with 0x20, not with {");
    refuse("[]", 0, "its header begins with 0x5B, not with {");
    refuse("{}", 3, "its tensors take 0 bytes, and 3 bytes follow the header");
}

static void a_file_that_becomes_shorter(void **state)
{
    (void)state;
    bytes all = safetensors_bytes("{\"x\":" ENTRY("F32", "1000", "0,4000") "}", 4000);
    ps_safetensors *file = NULL;
    ps_tensor *tensor = NULL;
    assert_true(bytes_write(scratch("short"), all));
    CHECK_OK(ps_safetensors_open(scratch("short"), 0, &file));
    assert_int_equal(truncate(scratch("short"), (off_t)all.size - 1), 0);
    CHECK_FAILS(PS_ERR_ARGUMENT, "/short: it became shorter since it was opened",
                ps_safetensors_tensor(file, 0, &tensor));
    assert_null(tensor);
    ps_safetensors_close(file);
    free(all.data);
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void wrong_json(void **state)
{
    (void)state;
    static const struct {
        const char *header, *text;
    } cases[] = {
        {"{", "the header ends at byte 1 where a text should be"},
        {"{}x", "byte 2 of the header is 0x78 where its end should be"},
        {"{,}", "byte 1 of the header is 0x2C where a text should be"},
        {"{\"a\"}", "byte 4 of the header is 0x7D where a colon should be"},
        {"{\"a\":1}", "byte 5 of the header is 0x31 where an object should be"},
        {"{\"a\":[]}", "where an object should be"},
        {"{\"a\":null}", "where an object should be"},
        {"{'a':{}}", "byte 1 of the header is 0x27 where a text should be"},
        {"{\"a", "the header ends at byte 3 where a character or the end of a text should be"},
        {"{\"a\x01\":{}}", "byte 3 of the header is 0x01 where a character"},
        {"{\"a\n\":{}}", "byte 3 of the header is 0x0A where a character"},
        {"{\"\\x\":{}}", "byte 3 of the header is 0x78 where an escape should be"},
        {"{\"\\", "the header ends at byte 3 where an escape should be"},
        {"{\"\\u12g4\":{}}", "byte 6 of the header is 0x67 where a hexadecimal digit should be"},
        {"{\"\\u12", "the header ends at byte 6 where a hexadecimal digit should be"},
        {"{\"\\u0000\":{}}", "texts with a null character are not read"},
        {"{\"\\ud83d\":{}}", "\\uD83D is half of a character"},
        {"{\"\\ud83dx\":{}}", "\\uD83D is half of a character"},
        {"{\"\\ud83d\\u0041\":{}}", "\\uD83D is half of a character"},
        {"{\"\\ud83d\\ud83d\":{}}", "\\uD83D is half of a character"},
        {"{\"\\ude00\":{}}", "\\uDE00 is the second half of a character without the first"},
        {"{\"\xC3(\":{}}", "byte 2 of the header is 0xC3 where a character"},
        {"{\"\xC0\x80\":{}}", "byte 2 of the header is 0xC0 where a character"},
        {"{\"\xE0\x80\x80\":{}}", "byte 2 of the header is 0xE0 where a character"},
        {"{\"\xED\xA0\x80\":{}}", "byte 2 of the header is 0xED where a character"},
        {"{\"\xF4\x90\x80\x80\":{}}", "byte 2 of the header is 0xF4 where a character"},
        {"{\"\xF0\x9F\x98\":{}}", "byte 2 of the header is 0xF0 where a character"},
        {"{\"\x80\":{}}", "byte 2 of the header is 0x80 where a character"},
        {"{\"\xFF\":{}}", "byte 2 of the header is 0xFF where a character"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuse(cases[i].header, 0, cases[i].text);
}

static void wrong_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *number, *text;
    } cases[] = {
        {"1.0", "is 0x2E where the end of a whole number should be"},
        {"1e3", "is 0x65 where the end of a whole number should be"},
        {"01", "a number begins with 0"},
        {"-01", "a number begins with 0"},
        {"-", "where a whole number should be"},
        {"+1", "is 0x2B where a whole number should be"},
        {"\\\"1\\\"", "where a whole number should be"},
        {"true", "is 0x74 where a whole number should be"},
        {"[1]", "is 0x5B where a whole number should be"},
        {"9223372036854775808", "9223372036854775808 does not fit in 64 bits"},
        {"-9223372036854775809", "-9223372036854775809 does not fit in 64 bits"},
        {"1,", "is 0x5D where a whole number should be"},
        {"1 2", "is 0x32 where a comma or the end of the list should be"},
        {"-1", "tensor \"x\" has the length -1"},
        {"-9223372036854775808", "tensor \"x\" has the length -9223372036854775808"},
    };
    char header[200];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(header, sizeof header,
                 "{\"x\":{\"dtype\":\"U8\",\"shape\":[%s],\"data_offsets\":[0,1]}}",
                 cases[i].number);
        refuse(header, 1, cases[i].text);
    }
}

/* A hundred thousand levels: nothing is read that deep. */
static void deep_nesting(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    char *header = malloc(5 + DEPTH + 1);
    memcpy(header, "{\"x\":", 5);
    memset(header + 5, '[', DEPTH);
    header[5 + DEPTH] = 0;
    refuse(header, 0, "byte 5 of the header is 0x5B where an object should be");
    free(header);
}

/* ---- what the header says ---------------------------------------------------------------- */

static void wrong_entries(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        size_t data;
        const char *text;
    } cases[] = {
        {"{\"x\":{}}", 0, "tensor \"x\" lacks \"dtype\""},
        {"{\"x\":{\"dtype\":\"U8\"}}", 0, "tensor \"x\" lacks \"shape\""},
        {"{\"x\":{\"dtype\":\"U8\",\"shape\":[]}}", 0, "tensor \"x\" lacks \"data_offsets\""},
        {"{\"x\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 0, "tensor \"x\" has \"dtype\" twice"},
        {"{\"x\":{\"kind\":\"U8\"}}", 0, "tensor \"x\" has \"kind\", which is unknown"},
        {"{\"x\":{\"dtype\":8}}", 0, "is 0x38 where a text should be"},
        {"{\"x\":{\"shape\":8}}", 0, "is 0x38 where an array should be"},
        {"{\"x\":" ENTRY("F8_E4M3", "1", "0,1") "}", 1,
         "tensor \"x\" is of element type \"F8_E4M3\", which is not one of those that are read"},
        {"{\"x\":" ENTRY("f32", "1", "0,4") "}", 4, "element type \"f32\""},
        {"{\"x\":" ENTRY("U8", "1", "0") "}", 1, "tensor \"x\" has too few offsets"},
        {"{\"x\":" ENTRY("U8", "1", "0,1,1") "}", 1, "tensor \"x\" has more than two offsets"},
        {"{\"x\":" ENTRY("U8", "1", "1,0") "}", 1, "tensor \"x\" has the offsets 1 and 0"},
        {"{\"x\":" ENTRY("U8", "1", "-1,0") "}", 1, "tensor \"x\" has the offsets -1 and 0"},
        {"{\"x\":" ENTRY("F32", "2,3", "0,23") "}", 23,
         "tensor \"x\" of shape (2, 3) and type float32 needs 24 bytes and has 23 (0 to 23)"},
        {"{\"x\":" ENTRY("F32", "4294967296,4294967296", "0,4") "}", 4, "too large"},
        {"{\"x\":" ENTRY("U8", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
                         "0,1") "}",
         1, "tensor \"x\" has more than 32 dimensions"},
        {"{\"x\":" ENTRY("U8", "1", "0,1") ",\"x\":" ENTRY("U8", "1", "1,2") "}", 2,
         "it has \"x\" twice"},
        {"{\"x\":" ENTRY("U8", "1", "0,1") ",\"\\u0078\":" ENTRY("U8", "1", "1,2") "}", 2,
         "it has \"x\" twice"},
        {"{\"x\":" ENTRY("U8", "1", "1,2") "}", 2,
         "tensor \"x\" begins at byte 1 and the one before it ends at 0"},
        {"{\"x\":" ENTRY("U8", "2", "0,2") ",\"y\":" ENTRY("U8", "2", "1,3") "}", 3,
         "tensor \"y\" begins at byte 1, inside of tensor \"x\", which ends at 2"},
        {"{\"x\":" ENTRY("U8", "2", "0,2") ",\"y\":" ENTRY("U8", "2", "0,2") "}", 2,
         "begins at byte 0, inside of tensor"},
        {"{\"x\":" ENTRY("U8", "2", "0,2") ",\"y\":" ENTRY("U8", "0", "1,1") "}", 2,
         "tensor \"y\" begins at byte 1, inside of tensor \"x\""},
        {"{\"x\":" ENTRY("U8", "2", "0,2") "}", 1,
         "its tensors take 2 bytes, and 1 bytes follow the header"},
        {"{\"x\":" ENTRY("U8", "2", "0,2") "}", 3,
         "its tensors take 2 bytes, and 3 bytes follow the header"},
        {"{\"__metadata__\":{\"a\":1}}", 0, "is 0x31 where a text should be"},
        {"{\"__metadata__\":{\"a\":\"b\",\"a\":\"b\"}}", 0, "its metadata has \"a\" twice"},
        {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "it has \"__metadata__\" twice"},
    };
    uint64_t before = live_bytes();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuse(cases[i].header, cases[i].data, cases[i].text);
    assert_int_equal(live_bytes(), before);
}

/* ---- arguments --------------------------------------------------------------------------- */

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    ps_safetensors *file;
    CHECK_FAILS(PS_ERR_SYSTEM, "No such file", ps_safetensors_open(scratch("missing"), 0, &file));
    assert_int_equal(errno, ENOENT);
    CHECK_FAILS(PS_ERR_SYSTEM, "Is a directory", ps_safetensors_open(scratch(""), 0, &file));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(mkfifo(scratch("pipe"), 0600), 0);
    CHECK_FAILS(PS_ERR_ARGUMENT, "not an ordinary file",
                ps_safetensors_open(scratch("pipe"), 0, &file));
}

static void wrong_arguments(void **state)
{
    (void)state;
    ps_safetensors *file;
    ps_tensor *tensor;
    size_t index;
    bytes content = safetensors_bytes("{\"x\":" ENTRY("U8", "1", "0,1") "}", 1);
    CHECK_FAILS(PS_ERR_ARGUMENT, "path is NULL", ps_safetensors_open(NULL, 0, &file));
    CHECK_FAILS(PS_ERR_ARGUMENT, "file is NULL", ps_safetensors_open("x", 0, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "flags 0x2", ps_safetensors_open("x", 2, &file));
    CHECK_FAILS(PS_ERR_ARGUMENT, "data is NULL", ps_safetensors_open_memory(NULL, 0, &file));
    CHECK_FAILS(PS_ERR_ARGUMENT, "file is NULL", ps_safetensors_open_memory("", 0, NULL));
    CHECK_OK(ps_safetensors_open_memory(content.data, content.size, &file));
    CHECK_FAILS(PS_ERR_INDEX, "tensor 1 of 1", ps_safetensors_tensor(file, 1, &tensor));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor is NULL", ps_safetensors_tensor(file, 0, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "file is NULL", ps_safetensors_tensor(NULL, 0, &tensor));
    CHECK_FAILS(PS_ERR_INDEX, "no tensor of 1 is called \"y\"",
                ps_safetensors_find(file, "y", &index));
    CHECK_FAILS(PS_ERR_ARGUMENT, "file is NULL", ps_safetensors_find(NULL, "x", &index));
    CHECK_FAILS(PS_ERR_ARGUMENT, "name is NULL", ps_safetensors_find(file, NULL, &index));
    CHECK_FAILS(PS_ERR_ARGUMENT, "index is NULL", ps_safetensors_find(file, "x", NULL));
    assert_null(ps_safetensors_name(file, 1));
    assert_null(ps_safetensors_shape(file, 1));
    assert_int_equal(ps_safetensors_ndim(NULL, 0), 0);
    assert_int_equal(ps_safetensors_count(NULL), 0);
    ps_safetensors_close(file);
    ps_safetensors_close(NULL);
    free(content.data);
}

static void what_cannot_be_saved(void **state)
{
    (void)state;
    const char *path = "never-written", *names[] = {"a", "b"}, *no_name = NULL;
    const char *same[] = {"a", "a"}, *reserved = "__metadata__", *broken = "a\xC3";
    const char *pairs[] = {"k", "1", "k", "2"}, *half[] = {"k", NULL};
    ps_tensor *wide = counted(PS_COMPLEX128, SHAPE(2)), *none = NULL;
    ps_tensor *two[2] = {counted(PS_FLOAT32, SHAPE(2)), counted(PS_INT8, SHAPE(2))};
    CHECK_FAILS(PS_ERR_TYPE, "tensor 0 is of type complex128, which the format lacks",
                ps_safetensors_save(path, names, &wide, 1, NULL, 0));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor 0 is NULL",
                ps_safetensors_save(path, names, &none, 1, NULL, 0));
    CHECK_FAILS(PS_ERR_ARGUMENT, "name 0 is NULL",
                ps_safetensors_save(path, &no_name, two, 1, NULL, 0));
    CHECK_FAILS(PS_ERR_ARGUMENT, "name 0 is not UTF-8: \"a\" is what can be read",
                ps_safetensors_save(path, &broken, two, 1, NULL, 0));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor 0 cannot be called \"__metadata__\"",
                ps_safetensors_save(path, &reserved, two, 1, NULL, 0));
    CHECK_FAILS(PS_ERR_ARGUMENT, "are both \"a\"",
                ps_safetensors_save(path, same, two, 2, NULL, 0));
    CHECK_FAILS(PS_ERR_ARGUMENT, "metadata keys 0 and 1 are both \"k\"",
                ps_safetensors_save(path, names, two, 2, pairs, 2));
    CHECK_FAILS(PS_ERR_ARGUMENT, "metadata value 0 is NULL",
                ps_safetensors_save(path, names, two, 2, half, 1));
    CHECK_FAILS(PS_ERR_ARGUMENT, "path is NULL", ps_safetensors_save(NULL, names, two, 1, NULL, 0));
    CHECK_FAILS(PS_ERR_ARGUMENT, "names is NULL", ps_safetensors_save(path, NULL, two, 1, NULL, 0));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensors is NULL",
                ps_safetensors_save(path, names, NULL, 1, NULL, 0));
    CHECK_FAILS(PS_ERR_ARGUMENT, "metadata is NULL",
                ps_safetensors_save(path, names, two, 2, NULL, 1));
    assert_int_not_equal(access(path, F_OK), 0);
    ps_tensor_release(wide);
    ps_tensor_release(two[0]);
    ps_tensor_release(two[1]);
}

/* A header of more than 100 MB cannot be read, so it is not written. */
static void too_long_a_header(void **state)
{
    (void)state;
    enum { LENGTH = 100000000 };
    char *text = malloc(LENGTH + 1);
    const char *pair[] = {"k", text};
    memset(text, 'x', LENGTH);
    text[LENGTH] = 0;
    CHECK_FAILS(PS_ERR_ARGUMENT, "at most 100000000 are possible",
                ps_safetensors_save("never-written", NULL, NULL, 0, pair, 1));
    assert_int_not_equal(access("never-written", F_OK), 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_truncation),
        cmocka_unit_test(wrong_lengths),
        cmocka_unit_test(a_file_that_becomes_shorter),
        cmocka_unit_test(wrong_json),
        cmocka_unit_test(wrong_numbers),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(wrong_entries),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(what_cannot_be_saved),
        cmocka_unit_test(too_long_a_header),
    };
    alarm(LIMIT_S);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
