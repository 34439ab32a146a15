/* Safetensors: what is saved is loaded again, bit for bit, copied or borrowed; files that others would
 * write are read as they mean them; what borrows a file's memory never writes to it. */
#include "ops/help.h"

#include "device/late/late.h"
#include "files/help.h"

static const ps_dtype types[] = {PS_BOOL,    PS_INT8,     PS_INT16,   PS_INT32,    PS_INT64,
                                 PS_UINT8,   PS_UINT16,   PS_UINT32,  PS_UINT64,   PS_FLOAT16,
                                 PS_FLOAT32, PS_BFLOAT16, PS_FLOAT64, PS_COMPLEX64};
enum { TYPES = sizeof types / sizeof types[0] };

static ps_safetensors *opened(const char *path, uint32_t flags)
{
    ps_safetensors *file = NULL;
    CHECK_OK(ps_safetensors_open(path, flags, &file));
    return file;
}

static ps_tensor *tensor_at(const ps_safetensors *file, size_t index)
{
    ps_tensor *tensor = NULL;
    CHECK_OK(ps_safetensors_tensor(file, index, &tensor));
    return tensor;
}

static void check_file(const ps_safetensors *file, size_t count, ps_tensor **tensors,
                       const char *const *names)
{
    assert_int_equal(ps_safetensors_count(file), count);
    for (size_t i = 0; i < count; i++) {
        ps_tensor *loaded = tensor_at(file, i);
        size_t found;
        assert_true(tensors_equal(loaded, tensors[i]));
        assert_string_equal(ps_safetensors_name(file, i), names[i]);
        assert_int_equal(ps_safetensors_dtype(file, i), ps_tensor_dtype(tensors[i]));
        assert_int_equal(ps_safetensors_ndim(file, i), ps_tensor_ndim(tensors[i]));
        for (int axis = 0; axis < ps_tensor_ndim(tensors[i]); axis++)
            assert_int_equal(ps_safetensors_shape(file, i)[axis],
                             ps_tensor_shape(tensors[i])[axis]);
        CHECK_OK(ps_safetensors_find(file, names[i], &found));
        assert_int_equal(found, i);
        ps_tensor_release(loaded);
    }
}

/* Saves, opens in all ways and compares; releases the tensors. */
static void check_trip(size_t count, ps_tensor **tensors, const char *const *names)
{
    bytes content;
    CHECK_OK(ps_safetensors_save(scratch("trip"), names, tensors, count, NULL, 0));
    for (uint32_t flags = 0; flags <= PS_SAFETENSORS_BORROW; flags++) {
        ps_safetensors *file = opened(scratch("trip"), flags);
        check_file(file, count, tensors, names);
        assert_null(ps_safetensors_metadata_key(file, 0));
        ps_safetensors_close(file);
    }
    ps_safetensors *file;
    assert_true(bytes_read(scratch("trip"), &content));
    CHECK_OK(ps_safetensors_open_memory(content.data, content.size, &file));
    check_file(file, count, tensors, names);
    ps_safetensors_close(file);
    free(content.data);
    for (size_t i = 0; i < count; i++)
        ps_tensor_release(tensors[i]);
    assert_int_equal(scratch_count(), 1);
}

/* ---- our own ----------------------------------------------------------------------------- */

static void all_types(void **state)
{
    (void)state;
    const char *names[TYPES];
    ps_tensor *tensors[TYPES];
    for (int i = 0; i < TYPES; i++) {
        names[i] = ps_dtype_name(types[i]);
        tensors[i] = counted(types[i], SHAPE(3, 5));
    }
    check_trip(TYPES, tensors, names);
}

static void all_shapes(void **state)
{
    (void)state;
    int64_t ones[PS_DIMS_MAX];
    const char *names[] = {"a", "b", "c", "d", "e", "f"};
    ps_tensor *tensors[6] = {counted(PS_INT8, SHAPE(3)), counted(PS_FLOAT32, SHAPE(0, 3)),
                             counted(PS_INT8, SHAPE(2, 1, 3)), counted(PS_FLOAT64, SHAPE(100000)),
                             counted(PS_COMPLEX64, SHAPE(3, 0))};
    for (int i = 0; i < PS_DIMS_MAX; i++)
        ones[i] = 1;
    tensors[5] = counted(PS_FLOAT16, PS_DIMS_MAX, ones);
    check_trip(6, tensors, names);
    float value = 1.5f;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, 0, NULL, NULL, &value, NULL, &tensors[0]));
    check_trip(1, tensors, names);
    check_trip(0, NULL, NULL);
}

/* Control characters, quotes, and characters of one to four bytes. */
static void names_of_all_kinds(void **state)
{
    (void)state;
    const char *names[] = {"",
                           "0.weight",
                           "\xC3\xA9",
                           "\xE2\x82\xAC",
                           "\xF0\x9F\x98\x80",
                           "\"\\/",
                           "a\tb\nc\x01\x1F\x7F",
                           "W"};
    enum { NAMES = sizeof names / sizeof names[0] };
    ps_tensor *tensors[NAMES];
    for (int i = 0; i < NAMES; i++)
        tensors[i] = counted(PS_FLOAT32, SHAPE(i + 1));
    check_trip(NAMES, tensors, names);
}

static void views(void **state)
{
    (void)state;
    ps_tensor *base = counted(PS_FLOAT32, SHAPE(300, 200)), *tensors[3];
    ps_index back = {PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, -2};
    const char *names[] = {"turned", "every other", "repeated"};
    CHECK_OK(ps_tensor_permute(base, NULL, 0, &tensors[0]));
    CHECK_OK(ps_tensor_index(base, (ps_index[]){back, back}, 2, &tensors[1]));
    CHECK_OK(ps_tensor_broadcast(base, SHAPE(2, 300, 200), &tensors[2]));
    ps_tensor_release(base);
    check_trip(3, tensors, names);
}

static void metadata(void **state)
{
    (void)state;
    const char *pairs[] = {"format", "ps", "", "\"nothing\"\n", "\xC3\xA9", ""};
    CHECK_OK(ps_safetensors_save(scratch("trip"), NULL, NULL, 0, pairs, 3));
    ps_safetensors *file = opened(scratch("trip"), 0);
    assert_int_equal(ps_safetensors_count(file), 0);
    const char *sorted[] = {"", "\"nothing\"\n", "format", "ps", "\xC3\xA9", ""};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(ps_safetensors_metadata_key(file, i), sorted[2 * i]);
        assert_string_equal(ps_safetensors_metadata_value(file, i), sorted[2 * i + 1]);
    }
    assert_null(ps_safetensors_metadata_key(file, 3));
    assert_null(ps_safetensors_metadata_value(file, 3));
    ps_safetensors_close(file);
}

/* Each tensor lies at a multiple of its element size, in a file of any names. */
static void tensors_are_aligned(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "bb", "ccc"};
    ps_tensor *tensors[3] = {counted(PS_UINT8, SHAPE(3)), counted(PS_FLOAT64, SHAPE(3)),
                             counted(PS_FLOAT16, SHAPE(3))};
    bytes content;
    CHECK_OK(ps_safetensors_save(scratch("trip"), names, tensors, 3, NULL, 0));
    assert_true(bytes_read(scratch("trip"), &content));
    size_t header = content.data[0] + 256u * content.data[1];
    assert_int_equal((8 + header) % 64, 0);
    content.data[8 + header] = 0;
    const char *text = (const char *)content.data + 8;
    assert_non_null(
        strstr(text, "\"a\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[30,33]}"));
    assert_non_null(
        strstr(text, "\"bb\":{\"dtype\":\"F64\",\"shape\":[3],\"data_offsets\":[0,24]}"));
    assert_non_null(
        strstr(text, "\"ccc\":{\"dtype\":\"F16\",\"shape\":[3],\"data_offsets\":[24,30]}"));
    free(content.data);
    for (int i = 0; i < 3; i++)
        ps_tensor_release(tensors[i]);
}

static ps_status add_one(ps_tensor **x)
{
    return call_into("add", ARGS(T(*x), I(1)), x);
}

static void saving_waits_and_keeps_the_moment(void **state)
{
    (void)state;
    const char *name = "x";
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(1000));
    for (int i = 0; i < 20; i++)
        CHECK_OK(add_one(&x));
    CHECK_OK(ps_safetensors_save(scratch("trip"), &name, &x, 1, NULL, 0));
    ps_tensor *then = CALL("copy", T(x));
    CHECK_OK(add_one(&x));
    ps_safetensors *file = opened(scratch("trip"), 0);
    ps_tensor *loaded = tensor_at(file, 0);
    assert_true(tensors_equal(loaded, then));
    ps_safetensors_close(file);
    CHECK_OK(add_one(&loaded));
    assert_true(tensors_equal(loaded, x));
    ps_tensor_release(x);
    ps_tensor_release(then);
    ps_tensor_release(loaded);
}

static void from_another_device(void **state)
{
    (void)state;
    ps_device *late, *cpu;
    ps_tensor *there;
    const char *name = "x";
    const float numbers[] = {0, 1, 2, 3, 4, 5};
    CHECK_OK(ps__late_create(&late));
    CHECK_OK(ps_device_find("cpu:0", &cpu));
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, SHAPE(2, 3), NULL, numbers, late, &there));
    CHECK_OK(ps_safetensors_save(scratch("trip"), &name, &there, 1, NULL, 0));
    ps_safetensors *file = opened(scratch("trip"), PS_SAFETENSORS_BORROW);
    ps_tensor *here = tensor_at(file, 0);
    assert_ptr_equal(ps_tensor_device(here), cpu);
    CHECK_VALUES(here, 0, 1, 2, 3, 4, 5);
    ps_safetensors_close(file);
    ps_tensor_release(there);
    ps_tensor_release(here);
}

/* ---- borrowing --------------------------------------------------------------------------- */

static uint64_t live_bytes(void)
{
    ps_memory_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_memory_get_stats(&stats));
    return stats.live;
}

enum { MANY = 100000 };

static void save_many(void)
{
    const char *name = "x";
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(MANY));
    CHECK_OK(ps_safetensors_save(scratch("many"), &name, &x, 1, NULL, 0));
    ps_tensor_release(x);
}

/* No memory of ours is taken but for handles; the tensor outlives the open file and the name of the file. */
static void what_is_borrowed_is_not_copied(void **state)
{
    (void)state;
    save_many();
    uint64_t before = live_bytes();
    ps_safetensors *file = opened(scratch("many"), PS_SAFETENSORS_BORROW);
    ps_tensor *x = tensor_at(file, 0), *again = tensor_at(file, 0);
    assert_true(live_bytes() - before < 4096);
    ps_safetensors_close(file);
    assert_int_equal(remove(scratch("many")), 0);
    ps_tensor *wanted = counted(PS_FLOAT32, SHAPE(MANY));
    assert_true(tensors_equal(x, wanted));
    assert_true(tensors_equal(again, wanted));
    ps_tensor_release(x);
    ps_tensor_release(again);
    ps_tensor_release(wanted);
    assert_int_equal(live_bytes(), before);
}

/* Of a whole tensor and of a part. */
static void writes_go_elsewhere(void **state)
{
    (void)state;
    save_many();
    ps_safetensors *file = opened(scratch("many"), PS_SAFETENSORS_BORROW);
    ps_tensor *x = tensor_at(file, 0), *y = tensor_at(file, 0), *part;
    bytes before, after;
    assert_true(bytes_read(scratch("many"), &before));
    CHECK_OK(add_one(&x));
    ps_index some = {PS_INDEX_RANGE, 1, 3, 1};
    CHECK_OK(ps_tensor_index(y, &some, 1, &part));
    CHECK_OK(add_one(&part));
    ps_tensor *z = tensor_at(file, 0);
    ps_tensor *first = CALL("subtract", T(x), T(z)), *sum = CALL("sum", T(first));
    CHECK_VALUES(sum, MANY);
    ps_tensor *changed = CALL("subtract", T(y), T(z)), *two = CALL("sum", T(changed));
    CHECK_VALUES(two, 2);
    assert_true(bytes_read(scratch("many"), &after));
    assert_true(bytes_equal(before, after));
    free(before.data);
    free(after.data);
    ps_safetensors_close(file);
    ps_tensor *all[] = {x, y, z, part, first, sum, changed, two};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        ps_tensor_release(all[i]);
}

static void replacing_the_file_is_harmless(void **state)
{
    (void)state;
    const char *name = "x";
    save_many();
    ps_safetensors *file = opened(scratch("many"), PS_SAFETENSORS_BORROW);
    ps_tensor *x = tensor_at(file, 0), *wanted = counted(PS_FLOAT32, SHAPE(MANY));
    ps_tensor *other = counted(PS_INT8, SHAPE(3));
    CHECK_OK(ps_safetensors_save(scratch("many"), &name, &other, 1, NULL, 0));
    assert_true(tensors_equal(x, wanted));
    CHECK_OK(ps_safetensors_save(scratch("many"), &name, &x, 1, NULL, 0)); /* onto itself */
    assert_true(tensors_equal(x, wanted));
    ps_safetensors_close(file);
    file = opened(scratch("many"), 0);
    ps_tensor *back = tensor_at(file, 0);
    assert_true(tensors_equal(back, wanted));
    ps_safetensors_close(file);
    ps_tensor_release(x);
    ps_tensor_release(wanted);
    ps_tensor_release(other);
    ps_tensor_release(back);
}

/* ---- others' ----------------------------------------------------------------------------- */

static ps_safetensors *opened_text(const char *header, size_t data, uint32_t flags)
{
    bytes content = safetensors_bytes(header, data);
    assert_true(bytes_write(scratch("text"), content));
    free(content.data);
    return opened(scratch("text"), flags);
}

/* White space, escapes, members in any order, tensors in another order than their elements. */
static void all_that_the_format_allows(void **state)
{
    (void)state;
    static const char header[] =
        "{ \"b\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\\\"\\\\\" :\n{\"data_offsets\" : [2 , 4], "
        "\"shape\":[ ] ,\t\"dtype\":\"I16\"},\r\"\":{\"dtype\":\"U8\",\"shape\":[2],"
        "\"data_offsets\":[0,2]},\"empty\":{\"shape\":[5,0],\"dtype\":\"F32\","
        "\"data_offsets\":[2,2]},\"__metadata__\":{\"k\":\"v\"}} \n ";
    ps_safetensors *file = opened_text(header, 4, 0);
    assert_int_equal(ps_safetensors_count(file), 3);
    assert_string_equal(ps_safetensors_name(file, 0), "b\xC3\xA9\xF0\x9F\x98\x80/\b\f\n\r\t\"\\");
    assert_string_equal(ps_safetensors_metadata_value(file, 0), "v");
    ps_tensor *b = tensor_at(file, 0), *a = tensor_at(file, 1), *empty = tensor_at(file, 2);
    CHECK_VALUES(b, 0x0302);
    CHECK_VALUES(a, 0, 1);
    assert_int_equal(ps_tensor_shape(empty)[0], 5);
    ps_safetensors_close(file);
    ps_tensor_release(a);
    ps_tensor_release(b);
    ps_tensor_release(empty);
    file = opened_text("{}", 0, PS_SAFETENSORS_BORROW);
    assert_int_equal(ps_safetensors_count(file), 0);
    ps_safetensors_close(file);
}

/* The header of this one makes all addresses odd; bools are any byte. */
static void unaligned_elements_and_bools_are_copied(void **state)
{
    (void)state;
    static const char header[] =
        "{\"x\":{\"dtype\":\"U32\",\"shape\":[2],\"data_offsets\":[0,8]},"
        "\"t\":{\"dtype\":\"BOOL\",\"shape\":[3],\"data_offsets\":[8,11]}}";
    assert_int_equal(strlen(header) % 2, 1);
    ps_safetensors *file = opened_text(header, 11, PS_SAFETENSORS_BORROW);
    uint64_t before = live_bytes();
    ps_tensor *x = tensor_at(file, 0), *t = tensor_at(file, 1);
    unsigned char truths[3];
    assert_true(live_bytes() > before);
    CHECK_VALUES(x, 0x03020100, 0x07060504);
    CHECK_OK(ps_tensor_to_host(t, truths, 3));
    assert_memory_equal(truths, "\1\1\1", 3);
    ps_safetensors_close(file);
    ps_tensor_release(x);
    ps_tensor_release(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_types),
        cmocka_unit_test(all_shapes),
        cmocka_unit_test(names_of_all_kinds),
        cmocka_unit_test(views),
        cmocka_unit_test(metadata),
        cmocka_unit_test(tensors_are_aligned),
        cmocka_unit_test(saving_waits_and_keeps_the_moment),
        cmocka_unit_test(from_another_device),
        cmocka_unit_test(what_is_borrowed_is_not_copied),
        cmocka_unit_test(writes_go_elsewhere),
        cmocka_unit_test(replacing_the_file_is_harmless),
        cmocka_unit_test(all_that_the_format_allows),
        cmocka_unit_test(unaligned_elements_and_bools_are_copied),
    };
    alarm(LIMIT_S);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
