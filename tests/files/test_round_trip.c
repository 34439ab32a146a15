/* What is saved is loaded again, bit for bit; and what MXNet wrote is read as it meant it. */
#include "ops/help.h"

#include "device/late/late.h"
#include "files/help.h"

static const ps_dtype types[] = {PS_BOOL,    PS_INT8,     PS_INT32,   PS_INT64,  PS_UINT8,
                                 PS_FLOAT16, PS_BFLOAT16, PS_FLOAT32, PS_FLOAT64};
enum { TYPES = sizeof types / sizeof types[0] };

static ps_params *load(const char *path)
{
    ps_params *params = NULL;
    CHECK_OK(ps_params_load(path, 0, &params));
    return params;
}

static ps_tensor *tensor_at(const ps_params *params, size_t index)
{
    ps_tensor *tensor = NULL;
    CHECK_OK(ps_params_tensor(params, index, &tensor));
    return tensor;
}

/* Saves, loads and compares; releases the tensors. */
static void check_trip(size_t count, ps_tensor **tensors, const char *const *names,
                       ps_params_version version)
{
    CHECK_OK(ps_params_save(scratch("trip"), names, tensors, count, version));
    ps_params *params = load(scratch("trip"));
    assert_int_equal(ps_params_count(params), count);
    for (size_t i = 0; i < count; i++) {
        ps_tensor *loaded = tensor_at(params, i);
        assert_true(tensors_equal(loaded, tensors[i]));
        if (names == NULL)
            assert_null(ps_params_name(params, i));
        else
            assert_string_equal(ps_params_name(params, i), names[i]);
        ps_tensor_release(loaded);
        ps_tensor_release(tensors[i]);
    }
    ps_params_free(params);
    assert_int_equal(scratch_count(), 1);
}

#define TRIP(version, ...)                                                                         \
    check_trip(sizeof((ps_tensor *[]){__VA_ARGS__}) / sizeof(ps_tensor *),                         \
               (ps_tensor *[]){__VA_ARGS__}, NULL, (version))

/* ---- our own ----------------------------------------------------------------------------- */

static void all_types(void **state)
{
    (void)state;
    const char *names[TYPES];
    for (int version = 2; version <= 3; version++) {
        ps_tensor *tensors[TYPES];
        for (int i = 0; i < TYPES; i++) {
            names[i] = ps_dtype_name(types[i]);
            tensors[i] = counted(types[i], SHAPE(3, 5));
        }
        check_trip(TYPES, tensors, names, (ps_params_version)version);
    }
}

static void all_shapes(void **state)
{
    (void)state;
    TRIP(PS_PARAMS_V2, counted(PS_FLOAT32, SHAPE(1)), counted(PS_FLOAT32, SHAPE(0, 3)),
         counted(PS_INT8, SHAPE(2, 1, 3, 1, 2)), counted(PS_FLOAT64, SHAPE(100000)));
    ps_tensor *point = NULL;
    float value = 1.5f;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, 0, NULL, NULL, &value, NULL, &point));
    TRIP(PS_PARAMS_V3, point, counted(PS_FLOAT32, SHAPE(3, 0)));
    int64_t ones[PS_DIMS_MAX];
    for (int i = 0; i < PS_DIMS_MAX; i++)
        ones[i] = 1;
    TRIP(PS_PARAMS_V3, counted(PS_FLOAT32, PS_DIMS_MAX, ones));
    check_trip(0, NULL, NULL, PS_PARAMS_V2);
}

static void names_are_any_bytes(void **state)
{
    (void)state;
    const char *names[] = {"", "0.weight", "\xC3\xA9", "w", "w"};
    ps_tensor *tensors[5];
    for (int i = 0; i < 5; i++)
        tensors[i] = counted(PS_FLOAT32, SHAPE(i + 1));
    check_trip(5, tensors, names, PS_PARAMS_V2);
}

static ps_tensor *permuted(ps_tensor *base, const int *axes, int count)
{
    ps_tensor *view;
    CHECK_OK(ps_tensor_permute(base, axes, count, &view));
    ps_tensor_release(base);
    return view;
}

static ps_tensor *indexed(ps_tensor *base, ps_index first, ps_index second)
{
    ps_tensor *view;
    CHECK_OK(ps_tensor_index(base, (ps_index[]){first, second}, 2, &view));
    ps_tensor_release(base);
    return view;
}

static ps_tensor *spread(ps_tensor *base, int ndim, const int64_t *shape)
{
    ps_tensor *view;
    CHECK_OK(ps_tensor_broadcast(base, ndim, shape, &view));
    ps_tensor_release(base);
    return view;
}

/* Shorter and longer than what is packed at once, in each dimension. */
static void all_layouts(void **state)
{
    (void)state;
    ps_index back = {PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, -2};
    ps_index some = {PS_INDEX_RANGE, 1, PS_INDEX_NONE, 3};
    TRIP(PS_PARAMS_V2, permuted(counted(PS_INT64, SHAPE(3, 5)), NULL, 0),
         permuted(counted(PS_INT32, SHAPE(300, 200)), NULL, 0),
         permuted(counted(PS_FLOAT32, SHAPE(40, 50, 60)), (int[]){1, 2, 0}, 3),
         permuted(counted(PS_UINT8, SHAPE(2, 70000)), NULL, 0),
         permuted(counted(PS_UINT8, SHAPE(70000, 2)), NULL, 0),
         indexed(counted(PS_FLOAT64, SHAPE(301, 203)), back, some),
         indexed(counted(PS_FLOAT16, SHAPE(2, 200000)), back, back),
         spread(counted(PS_FLOAT32, SHAPE(2)), SHAPE(40000, 2)),
         spread(counted(PS_FLOAT32, SHAPE(3, 1)), SHAPE(2, 3, 40000)));
}

static ps_status add_one(ps_tensor **x)
{
    return call_into("add", ARGS(T(*x), I(1)), x);
}

static void saving_waits_and_keeps_the_moment(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(1000));
    for (int i = 0; i < 20; i++)
        CHECK_OK(add_one(&x));
    CHECK_OK(ps_params_save(scratch("trip"), NULL, &x, 1, PS_PARAMS_V2));
    ps_tensor *then = CALL("copy", T(x));
    CHECK_OK(add_one(&x));
    ps_params *params = load(scratch("trip"));
    ps_tensor *loaded = tensor_at(params, 0);
    assert_true(tensors_equal(loaded, then));
    assert_false(tensors_equal(loaded, x));
    /* A loaded tensor is like any other: written in place, and kept without the file. */
    ps_params_free(params);
    CHECK_OK(add_one(&loaded));
    assert_true(tensors_equal(loaded, x));
    ps_tensor_release(x);
    ps_tensor_release(then);
    ps_tensor_release(loaded);
}

/* Whole, and a view of it; they come back on the CPU. */
static void from_another_device(void **state)
{
    (void)state;
    ps_device *late, *cpu;
    ps_tensor *there, *view, *tensors[2];
    const float numbers[] = {0, 1, 2, 3, 4, 5};
    CHECK_OK(ps__late_create(&late));
    CHECK_OK(ps_device_find("cpu:0", &cpu));
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, SHAPE(2, 3), NULL, numbers, late, &there));
    CHECK_OK(ps_tensor_permute(there, NULL, 0, &view));
    CHECK_OK(ps_params_save(scratch("trip"), NULL, (ps_tensor *[]){there, view}, 2, PS_PARAMS_V2));
    ps_params *params = load(scratch("trip"));
    for (size_t i = 0; i < 2; i++) {
        tensors[i] = tensor_at(params, i);
        assert_ptr_equal(ps_tensor_device(tensors[i]), cpu);
    }
    CHECK_VALUES(tensors[0], 0, 1, 2, 3, 4, 5);
    CHECK_VALUES(tensors[1], 0, 3, 1, 4, 2, 5);
    ps_params_free(params);
    ps_tensor_release(there);
    ps_tensor_release(view);
    ps_tensor_release(tensors[0]);
    ps_tensor_release(tensors[1]);
}

/* ---- MXNet's ----------------------------------------------------------------------------- */

static const char *const readable[] = {"nd_types",  "nd_list", "nd_empty", "np_types",
                                       "np_shapes", "v1",      "older",    "gpu"};
enum { READABLE = sizeof readable / sizeof readable[0] };

static bool is_written(const char *name)
{
    return name[0] == 'n'; /* nd_ or np_; the others MXNet reads, but does not write */
}

static void recorded_types(void **state)
{
    (void)state;
    static const double numbers[] = {0, 1, 2, 3, 4, 100}, truths[] = {0, 1, 1, 1, 1, 1};
    for (int k = 0; k < 2; k++) {
        ps_params *params = load(recorded(k == 0 ? "nd_types" : "np_types"));
        assert_int_equal(ps_params_count(params), TYPES - 1);
        for (size_t i = 0; i < ps_params_count(params); i++) {
            ps_tensor *tensor = tensor_at(params, i);
            ps_dtype dtype = ps_tensor_dtype(tensor);
            assert_string_equal(ps_dtype_name(dtype), ps_params_name(params, i));
            assert_int_equal(ps_tensor_ndim(tensor), 2);
            assert_int_equal(ps_tensor_shape(tensor)[1], 3);
            check_values(tensor, 6, dtype == PS_BOOL ? truths : numbers, __FILE__, __LINE__);
            ps_tensor_release(tensor);
        }
        ps_params_free(params);
    }
}

static void recorded_old_forms(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ps_params *params = load(recorded(k == 0 ? "v1" : "older"));
        ps_tensor *a = tensor_at(params, 0), *b = tensor_at(params, 1), *c = tensor_at(params, 2);
        assert_int_equal(ps_params_count(params), 3);
        assert_string_equal(ps_params_name(params, 2), "c");
        assert_int_equal(ps_tensor_dtype(b), PS_INT64);
        assert_int_equal(ps_tensor_ndim(c), 0);
        CHECK_VALUES(a, 0, 1, 2, 3, 4, 100);
        CHECK_VALUES(b, 7, -7);
        CHECK_VALUES(c, 5);
        ps_tensor_release(a);
        ps_tensor_release(b);
        ps_tensor_release(c);
        ps_params_free(params);
    }
}

static void recorded_of_a_gpu(void **state)
{
    (void)state;
    ps_params *params = load(recorded("gpu"));
    ps_tensor *a = tensor_at(params, 0);
    ps_device *cpu;
    CHECK_OK(ps_device_find("cpu:0", &cpu));
    assert_ptr_equal(ps_tensor_device(a), cpu);
    CHECK_VALUES(a, 0, 1, 2, 3, 4, 100);
    ps_tensor_release(a);
    ps_params_free(params);
}

/* Saved again, the file has the bytes that MXNet wrote. */
static void the_same_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < READABLE; i++) {
        ps_params *params = load(recorded(readable[i]));
        ps_params_version version = readable[i][1] == 'd' ? PS_PARAMS_V2 : PS_PARAMS_V3;
        bytes ours, theirs;
        CHECK_OK(params_save_again(scratch("trip"), params, version));
        assert_true(bytes_read(scratch("trip"), &ours));
        assert_true(bytes_read(recorded(readable[i]), &theirs));
        assert_int_equal(bytes_equal(ours, theirs), is_written(readable[i]));
        free(ours.data);
        free(theirs.data);
        ps_params_free(params);
    }
}

static void from_memory(void **state)
{
    (void)state;
    for (int i = 0; i < READABLE; i++) {
        bytes content;
        ps_params *file = load(recorded(readable[i])), *memory = NULL;
        assert_true(bytes_read(recorded(readable[i]), &content));
        CHECK_OK(ps_params_load_memory(content.data, content.size, 0, &memory));
        memset(content.data, 0xAA, content.size);
        assert_true(params_equal(file, memory));
        free(content.data);
        ps_params_free(file);
        ps_params_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_types),
        cmocka_unit_test(all_shapes),
        cmocka_unit_test(names_are_any_bytes),
        cmocka_unit_test(all_layouts),
        cmocka_unit_test(saving_waits_and_keeps_the_moment),
        cmocka_unit_test(from_another_device),
        cmocka_unit_test(recorded_types),
        cmocka_unit_test(recorded_old_forms),
        cmocka_unit_test(recorded_of_a_gpu),
        cmocka_unit_test(the_same_bytes),
        cmocka_unit_test(from_memory),
    };
    alarm(LIMIT_S);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
