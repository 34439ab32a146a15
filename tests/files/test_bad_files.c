/* Files that are cut off, malformed or of a kind that is not read; and wrong arguments. Each is
 * refused with a text, and nothing is kept. */
#include "ops/help.h"

#include "files/help.h"

#include <errno.h>
#include <sys/stat.h>

/* ---- files put together by hand ---------------------------------------------------------- */

enum { V1 = 0xF993FAC8, V2 = 0xF993FAC9, V3 = 0xF993FACA };

typedef struct content {
    unsigned char data[4096];
    size_t size;
} content;

static void put(content *c, int width, uint64_t value)
{
    for (int i = 0; i < width; i++)
        c->data[c->size++] = (unsigned char)(value >> 8 * i);
}

static void put_all(content *c, int width, size_t count, const uint64_t *values)
{
    for (size_t i = 0; i < count; i++)
        put(c, width, values[i]);
}

#define PUT(c, width, ...)                                                                         \
    put_all((c), (width), sizeof((uint64_t[]){__VA_ARGS__}) / 8, (uint64_t[]){__VA_ARGS__})

/* The beginning of a file with so many arrays. */
static content begun(uint64_t arrays)
{
    content c = {.size = 0};
    PUT(&c, 8, 0x112, 0, arrays);
    return c;
}

static void refuse(const content *c, uint32_t flags, const char *text)
{
    ps_params *params = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, text, ps_params_load_memory(c->data, c->size, flags, &params));
    assert_null(params);
}

/* [2] of float32, complete. */
static void put_array(content *c, uint64_t magic)
{
    PUT(c, 4, magic, 0, 1);
    PUT(c, 8, 2);
    PUT(c, 4, 1, 0, 0, 0x3F800000, 0x40000000);
}

/* ---- cut off ----------------------------------------------------------------------------- */

static uint64_t live_bytes(void)
{
    ps_memory_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_memory_get_stats(&stats));
    return stats.live;
}

/* Every beginning of a file but the whole of it is refused, from memory and from a file. */
static void every_truncation(void **state)
{
    (void)state;
    static const char *const names[] = {"nd_types",  "nd_list", "nd_empty", "np_types",
                                        "np_shapes", "v1",      "older"};
    uint64_t before = live_bytes();
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        bytes all;
        ps_params *params = NULL;
        assert_true(bytes_read(recorded(names[k]), &all));
        assert_true(bytes_write(scratch("cut"), all));
        for (size_t size = all.size; size-- > 0;) {
            unsigned char *part = malloc(size + 1); /* so that a read beyond it is seen */
            unsigned char *end = memcpy(part + 1, all.data, size);
            CHECK_FAILS(PS_ERR_ARGUMENT,
                        "ps_params_load_memory: ", ps_params_load_memory(end, size, 0, &params));
            free(part);
            assert_int_equal(truncate(scratch("cut"), (off_t)size), 0);
            CHECK_FAILS(PS_ERR_ARGUMENT, "/cut: ", ps_params_load(scratch("cut"), 0, &params));
        }
        CHECK_OK(ps_params_load_memory(all.data, all.size, 0, &params));
        ps_params_free(params);
        free(all.data);
    }
    assert_int_equal(live_bytes(), before);
}

/* ---- malformed --------------------------------------------------------------------------- */

static void wrong_headers(void **state)
{
    (void)state;
    content c = begun(0);
    put(&c, 8, 0);
    c.data[0] = 0x13;
    refuse(&c, 0, "it begins with 0x113: this is no .params file");
    c = begun(UINT64_MAX);
    put(&c, 8, 0);
    refuse(&c, 0, "the number of arrays is 18446744073709551615, too many");
    c = begun(1);
    PUT(&c, 4, 33, 1, 1, 1, 1, 1, 1, 1);
    refuse(&c, 0, "array 0 begins with 0x21, which is neither a version");
    ps_params *params;
    CHECK_FAILS(PS_ERR_ARGUMENT, "0 are left", ps_params_load_memory("", 0, 0, &params));
}

static void reserved_and_trailing_bytes_are_ignored(void **state)
{
    (void)state;
    content c = begun(1);
    ps_params *params;
    put_array(&c, V2);
    put(&c, 8, 0);
    PUT(&c, 4, 1, 2, 3);
    c.data[8] = 7;
    CHECK_OK(ps_params_load_memory(c.data, c.size, 0, &params));
    assert_int_equal(ps_params_count(params), 1);
    ps_params_free(params);
}

static void wrong_shapes(void **state)
{
    (void)state;
    static const struct {
        uint64_t ndim, a, b;
        const char *text;
    } cases[] = {
        {33, 1, 1, "array 0 has 33 dimensions; 0 to 32"},
        {UINT32_MAX, 1, 1, "array 0 has -1 dimensions"},
        {2, 1, (uint64_t)-5, "array 0 has the length -5 in dimension 1"},
        {2, UINT64_C(1) << 32, UINT64_C(1) << 32, "too large"},
        {2, UINT64_C(1) << 62, 0, "too large"},
        {2, UINT64_C(1) << 30, 1, "needs 4294967296 bytes and"},
        {2, 1, 100, "shape (1, 100) and type float32 needs 400 bytes and 100 are left"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint64_t magic = V1; magic <= V3; magic++) {
            content c = begun(1);
            put(&c, 4, magic);
            if (magic != V1)
                put(&c, 4, 0);
            put(&c, 4, cases[i].ndim);
            PUT(&c, 8, cases[i].a, cases[i].b);
            PUT(&c, 4, 1, 0, 0);
            c.size += 100;
            refuse(&c, 0, cases[i].text);
        }
}

static void unknown_types_and_storages(void **state)
{
    (void)state;
    static const uint32_t codes[] = {8, 9, 10, 11, 13, 255, UINT32_MAX};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        content c = begun(1);
        PUT(&c, 4, V2, 0, 1, 1, 0, 1, 0, codes[i], 0, 0, 0, 0);
        char text[80];
        snprintf(text, sizeof text, "array 0 is of element type %d, which is unknown",
                 (int)codes[i]);
        refuse(&c, 0, text);
    }
    content c = begun(1);
    PUT(&c, 4, V2, 7, 1, 1, 0, 1, 0, 0, 0, 0);
    refuse(&c, 0, "array 0 has storage type 7; only dense");
    ps_params *params;
    CHECK_FAILS(PS_ERR_ARGUMENT, "array 0 has storage type 1 (row_sparse); only dense",
                ps_params_load(recorded("nd_sparse"), 0, &params));
}

static void wrong_names(void **state)
{
    (void)state;
    content c = begun(1);
    put_array(&c, V2);
    size_t start = c.size;
    PUT(&c, 8, 2, 0, 0);
    refuse(&c, 0, "it has 2 names for 1 arrays");
    c.size = start;
    PUT(&c, 8, 1, 100, 0);
    refuse(&c, 0, "the length of a name is 100, too many for the 8 bytes that are left");
    c.size = start;
    PUT(&c, 8, UINT64_MAX);
    refuse(&c, 0, "the number of names is");
}

/* The second array counts too. */
static void refused_versions(void **state)
{
    (void)state;
    for (uint64_t magic = V2; magic <= V3; magic++) {
        content c = begun(2);
        put_array(&c, magic);
        put_array(&c, V2 + V3 - magic);
        put(&c, 8, 0);
        refuse(&c, PS_PARAMS_REFUSE_V3,
               magic == V3 ? "array 0 was saved with NumPy" : "array 1 was saved with NumPy");
        refuse(&c, PS_PARAMS_REFUSE_OLDER,
               magic == V3 ? "array 1 was saved without NumPy" : "array 0 was saved without NumPy");
        ps_params *params;
        CHECK_OK(ps_params_load_memory(c.data, c.size, 0, &params));
        ps_params_free(params);
    }
    ps_params *params;
    CHECK_FAILS(PS_ERR_ARGUMENT, "version 1",
                ps_params_load(recorded("v1"), PS_PARAMS_REFUSE_OLDER, &params));
    CHECK_FAILS(PS_ERR_ARGUMENT, "version 0",
                ps_params_load(recorded("older"), PS_PARAMS_REFUSE_OLDER, &params));
    CHECK_FAILS(PS_ERR_ARGUMENT, "version 3",
                ps_params_load(recorded("np_types"), PS_PARAMS_REFUSE_V3, &params));
}

/* ---- not malformed, but odd -------------------------------------------------------------- */

/* Arrays that were saved before they had a shape: nothing follows their lengths. */
static void arrays_without_a_shape(void **state)
{
    (void)state;
    content c = begun(3);
    PUT(&c, 4, V2, 0, 0);
    PUT(&c, 4, V3, 0, 2);
    PUT(&c, 8, (uint64_t)-1, 3);
    put_array(&c, V3);
    put(&c, 8, 0);
    ps_params *params;
    ps_tensor *tensor;
    CHECK_OK(ps_params_load_memory(c.data, c.size, 0, &params));
    CHECK_OK(ps_params_tensor(params, 0, &tensor));
    assert_null(tensor);
    CHECK_OK(ps_params_tensor(params, 1, &tensor));
    assert_null(tensor);
    CHECK_OK(ps_params_tensor(params, 2, &tensor));
    CHECK_VALUES(tensor, 1, 2);
    ps_tensor_release(tensor);
    ps_params_free(params);
}

static void any_byte_but_zero_is_true(void **state)
{
    (void)state;
    content c = begun(1);
    PUT(&c, 4, V2, 0, 1);
    PUT(&c, 8, 4);
    PUT(&c, 4, 1, 0, 7, 0xFF800500);
    put(&c, 8, 0);
    ps_params *params;
    ps_tensor *tensor;
    unsigned char elements[4];
    CHECK_OK(ps_params_load_memory(c.data, c.size, 0, &params));
    CHECK_OK(ps_params_tensor(params, 0, &tensor));
    CHECK_OK(ps_tensor_to_host(tensor, elements, sizeof elements));
    assert_memory_equal(elements, "\0\1\1\1", 4);
    ps_tensor_release(tensor);
    ps_params_free(params);
}

/* ---- arguments --------------------------------------------------------------------------- */

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    ps_params *params;
    CHECK_FAILS(PS_ERR_SYSTEM, "No such file", ps_params_load(scratch("missing"), 0, &params));
    assert_int_equal(errno, ENOENT);
    CHECK_FAILS(PS_ERR_SYSTEM, "Is a directory", ps_params_load(scratch(""), 0, &params));
    assert_int_equal(errno, EISDIR);
    CHECK_FAILS(PS_ERR_ARGUMENT, "not an ordinary file", ps_params_load("/dev/zero", 0, &params));
    assert_int_equal(mkfifo(scratch("pipe"), 0600), 0);
    CHECK_FAILS(PS_ERR_ARGUMENT, "not an ordinary file",
                ps_params_load(scratch("pipe"), 0, &params));
}

static void wrong_arguments(void **state)
{
    (void)state;
    ps_params *params;
    ps_tensor *tensor;
    CHECK_FAILS(PS_ERR_ARGUMENT, "path is NULL", ps_params_load(NULL, 0, &params));
    CHECK_FAILS(PS_ERR_ARGUMENT, "params is NULL", ps_params_load("x", 0, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "flags 0x4", ps_params_load("x", 4, &params));
    CHECK_FAILS(PS_ERR_ARGUMENT, "data is NULL", ps_params_load_memory(NULL, 0, 0, &params));
    CHECK_OK(ps_params_load(recorded("nd_list"), 0, &params));
    CHECK_FAILS(PS_ERR_INDEX, "array 2 of 2", ps_params_tensor(params, 2, &tensor));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor is NULL", ps_params_tensor(params, 0, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "params is NULL", ps_params_tensor(NULL, 0, &tensor));
    assert_null(ps_params_name(params, 0));
    assert_null(ps_params_name(NULL, 0));
    assert_int_equal(ps_params_count(NULL), 0);
    ps_params_free(params);
    ps_params_free(NULL);
}

static void what_cannot_be_saved(void **state)
{
    (void)state;
    static const ps_dtype types[] = {PS_INT16,  PS_UINT16,    PS_UINT32,
                                     PS_UINT64, PS_COMPLEX64, PS_COMPLEX128};
    const char *path = "never-written", *no_name = NULL;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        ps_tensor *x = counted(types[i], SHAPE(2));
        CHECK_FAILS(PS_ERR_TYPE, ps_dtype_name(types[i]),
                    ps_params_save(path, NULL, &x, 1, PS_PARAMS_V3));
        ps_tensor_release(x);
    }
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2)), *point = CALL("sum", T(x)), *none = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "array 0 has no dimensions",
                ps_params_save(path, NULL, &point, 1, PS_PARAMS_V2));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor 0 is NULL",
                ps_params_save(path, NULL, &none, 1, PS_PARAMS_V2));
    CHECK_FAILS(PS_ERR_ARGUMENT, "name 0 is NULL",
                ps_params_save(path, &no_name, &x, 1, PS_PARAMS_V2));
    CHECK_FAILS(PS_ERR_ARGUMENT, "path is NULL", ps_params_save(NULL, NULL, &x, 1, PS_PARAMS_V2));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensors is NULL",
                ps_params_save(path, NULL, NULL, 1, PS_PARAMS_V2));
    CHECK_FAILS(PS_ERR_ARGUMENT, "version 1 is neither",
                ps_params_save(path, NULL, &x, 1, (ps_params_version)1));
    assert_int_not_equal(access(path, F_OK), 0);
    ps_tensor_release(x);
    ps_tensor_release(point);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_truncation),
        cmocka_unit_test(wrong_headers),
        cmocka_unit_test(reserved_and_trailing_bytes_are_ignored),
        cmocka_unit_test(wrong_shapes),
        cmocka_unit_test(unknown_types_and_storages),
        cmocka_unit_test(wrong_names),
        cmocka_unit_test(refused_versions),
        cmocka_unit_test(arrays_without_a_shape),
        cmocka_unit_test(any_byte_but_zero_is_true),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(what_cannot_be_saved),
    };
    alarm(LIMIT_S);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
