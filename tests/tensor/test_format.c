/* Tensors as text: against the texts that NumPy writes (format_cases.inc), and what is ours alone:
 * lengths, truncation, prefixes, strides, locales, what a summary reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tensor/dlpack.h"
#include "tensor/support/text.h"
#include "tensor/tensor.h"

typedef struct format_case {
    ps_dtype dtype;
    int ndim;
    int64_t shape[5];
    int64_t options[4]; /* precision, threshold, edge, width */
    const char *elements;
    const char *text;
} format_case;

static const format_case cases[] = {
#include "format_cases.inc"
};

static ps_format_options options_of(const int64_t o[4])
{
    return (ps_format_options){.size = sizeof(ps_format_options),
                               .precision = (int)o[0],
                               .threshold = o[1],
                               .edge = (int)o[2],
                               .width = (int)o[3]};
}

/* ---- against NumPy --------------------------------------------------------------------- */

static bool case_holds(const format_case *c)
{
    ps_format_options options = options_of(c->options);
    return text_holds(c->dtype, c->ndim, c->shape, c->elements, &options, c->text);
}

static void test_numpy_texts(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        wrong += !case_holds(&cases[i]);
    assert_int_equal(wrong, 0);
}

/* ---- lengths and truncation ------------------------------------------------------------ */

static void test_truncated(void **state)
{
    (void)state;
    const char *whole = "[[1.   2.25]\n [3.   4.  ]]";
    float elements[] = {1, 2.25f, 3, 4};
    ps_tensor *tensor = tensor_of(PS_FLOAT32, 2, (int64_t[]){2, 2}, NULL, elements);
    for (size_t capacity = 0; capacity < strlen(whole) + 4; capacity++) {
        char text[64];
        size_t length = 0, kept = capacity == 0 ? 0 : capacity - 1;
        memset(text, '#', sizeof text);
        assert_int_equal(ps_tensor_format(tensor, NULL, text, capacity, &length), PS_OK);
        assert_int_equal(length, strlen(whole));
        kept = kept < length ? kept : length;
        assert_memory_equal(text, whole, kept);
        if (capacity > 0)
            assert_int_equal(text[kept], '\0');
        assert_int_equal(text[capacity], '#');
    }
    size_t length = 0;
    assert_int_equal(ps_tensor_format(tensor, NULL, NULL, 100, &length), PS_OK);
    assert_int_equal(length, strlen(whole));
    assert_int_equal(ps_tensor_format(tensor, NULL, NULL, 0, NULL), PS_OK);
    ps_tensor_release(tensor);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    size_t length;
    ps_tensor *tensor = tensor_counted(PS_INT32, 1, (int64_t[]){3});
    assert_int_equal(ps_tensor_format(NULL, NULL, NULL, 0, &length), PS_ERR_ARGUMENT);
    ps_format_options options = options_of((int64_t[]){-1, -1, -1, -1});
    options.size = 3;
    assert_int_equal(ps_tensor_format(tensor, &options, NULL, 0, &length), PS_ERR_ARGUMENT);
    assert_non_null(strstr(ps_last_error(), "size is 3"));
    for (int i = 0; i < 4; i++) {
        int64_t numbers[] = {-1, -1, -1, -1};
        numbers[i] = -7;
        options = options_of(numbers);
        assert_int_equal(ps_tensor_format(tensor, &options, NULL, 0, &length), PS_ERR_ARGUMENT);
        assert_non_null(strstr(ps_last_error(), "-7"));
    }
    options = options_of((int64_t[]){-1, -1, -1, -1});
    options.style = (ps_format_style)7;
    assert_int_equal(ps_tensor_format(tensor, &options, NULL, 0, &length), PS_ERR_ARGUMENT);
    assert_non_null(strstr(ps_last_error(), "no style 7"));
    options.style = PS_FORMAT_NUMPY;
    options.scientific = 2;
    assert_int_equal(ps_tensor_format(tensor, &options, NULL, 0, &length), PS_ERR_ARGUMENT);
    assert_non_null(strstr(ps_last_error(), "scientific is 2"));
    options = options_of((int64_t[]){INT32_MAX, INT64_MAX, INT32_MAX, INT32_MAX});
    assert_text(tensor, &options, "[0 1 2]");
    ps_tensor_release(tensor);
}

/* ---- prefix and suffixes --------------------------------------------------------------- */

/* After a prefix as NumPy's repr. */
static void test_repr(void **state)
{
    (void)state;
    ps_tensor *tensor = tensor_counted(PS_FLOAT64, 2, (int64_t[]){2, 3});
    ps_format_options options = options_of((int64_t[]){-1, -1, -1, -1});
    options.prefix = "array(";
    assert_text(tensor, &options, "array([[0., 1., 2.],\n       [3., 4., 5.]])");
    options.prefix = "";
    assert_text(tensor, &options, "[[0. 1. 2.]\n [3. 4. 5.]]");
    options.prefix = "array(";
    options.suffixes = "dtype=float64";
    options.width = 35; /* with the bracket it is one more than there is room for */
    assert_text(tensor, &options,
                "array([[0., 1., 2.],\n       [3., 4., 5.]],\n"
                "      dtype=float64)");
    options.width = 36;
    assert_text(tensor, &options, "array([[0., 1., 2.],\n       [3., 4., 5.]], dtype=float64)");
    options.width = 17;
    assert_text(tensor, &options,
                "array([[0., 1.,\n        2.],\n       [3., 4.,\n        5.]],\n"
                "      dtype=float64)");
    ps_tensor_release(tensor);
    tensor = tensor_of(PS_FLOAT64, 0, NULL, NULL, &(double){1.0 / 3});
    options.suffixes = NULL;
    assert_text(tensor, &options, "array(0.33333333)");
    ps_tensor_release(tensor);
}

static void test_scientific(void **state)
{
    (void)state;
    double elements[] = {0.5, -12, 0, 1e300};
    ps_tensor *tensor = tensor_of(PS_FLOAT64, 1, (int64_t[]){3}, NULL, elements);
    ps_format_options options = options_of((int64_t[]){-1, -1, -1, -1});
    options.scientific = 1;
    assert_text(tensor, &options, "[ 5.0e-01 -1.2e+01  0.0e+00]");
    ps_tensor_release(tensor);
    tensor = tensor_of(PS_FLOAT64, 0, NULL, NULL, &elements[1]);
    assert_text(tensor, &options, "-1.2e+01");
    ps_tensor_release(tensor);
    tensor = tensor_of(PS_FLOAT64, 1, (int64_t[]){1}, NULL, &elements[3]);
    options.scientific = -1;
    char *text = text_of(tensor, &options), expected[400];
    snprintf(expected, sizeof expected, "[%.0f.]", 1e300);
    assert_string_equal(text, expected);
    free(text);
    ps_tensor_release(tensor);
}

/* ---- views ----------------------------------------------------------------------------- */

static void test_strided(void **state)
{
    (void)state;
    ps_tensor *view, *tensor = tensor_counted(PS_INT16, 2, (int64_t[]){3, 4});
    assert_int_equal(ps_tensor_permute(tensor, NULL, 0, &view), PS_OK);
    assert_text(view, NULL, "[[ 0  4  8]\n [ 1  5  9]\n [ 2  6 10]\n [ 3  7 11]]");
    ps_tensor_release(view);
    ps_index back[] = {{PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, -1},
                       {PS_INDEX_RANGE, 1, PS_INDEX_NONE, 2}};
    assert_int_equal(ps_tensor_index(tensor, back, 2, &view), PS_OK);
    ps_tensor_release(tensor);
    assert_text(view, NULL, "[[ 9 11]\n [ 5  7]\n [ 1  3]]");
    ps_tensor_release(view);
}

/* A length that nobody could walk through: only the ends are looked at. */
static void test_broadcast(void **state)
{
    (void)state;
    ps_tensor *view, *tensor = tensor_of(PS_FLOAT64, 0, NULL, NULL, &(double){0.5});
    int64_t shape[] = {INT64_C(1) << 40, 1, INT64_C(1) << 18};
    assert_int_equal(ps_tensor_broadcast(tensor, 3, shape, &view), PS_OK);
    ps_format_options options = options_of((int64_t[]){-1, -1, 1, -1});
    assert_text(view, &options, "[[[0.5 ... 0.5]]\n\n ...\n\n [[0.5 ... 0.5]]]");
    options.edge = 0;
    assert_text(view, &options, "[...]");
    ps_tensor_release(view);
    ps_tensor_release(tensor);
}

/* The middle of the memory cannot be read at all. */
static void test_summary_reads_the_ends(void **state)
{
    (void)state;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = 3 * page;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    assert_int_equal(mprotect(memory + page, page, PROT_NONE), 0);
    int64_t length = (int64_t)(bytes / sizeof(float));
    DLManagedTensorVersioned managed = {
        .version = {1, 0},
        .dl_tensor = {.data = memory,
                      .device = {kDLCPU, 0},
                      .ndim = 1,
                      .dtype = {kDLFloat, 32, 1},
                      .shape = &length},
    };
    ps_tensor *tensor;
    assert_int_equal(ps_tensor_from_dlpack(&managed, false, &tensor), PS_OK);
    assert_text(tensor, NULL, "[0. 0. 0. ... 0. 0. 0.]");
    ps_tensor_release(tensor);
    munmap(memory, bytes);
}

/* ---- numbers --------------------------------------------------------------------------- */

/* Every finite float16 and bfloat16 reads back from its text. */
static void check_reads_back(ps_dtype dtype)
{
    for (uint32_t i = 0; i < 65536; i += 7) {
        uint16_t bits = (uint16_t)i, again = 0;
        double value = ps__scalar_load(dtype, &bits).as.d;
        ps_tensor *tensor = tensor_of(dtype, 0, NULL, NULL, &bits);
        char text[64];
        assert_int_equal(ps_tensor_format(tensor, NULL, text, sizeof text, NULL), PS_OK);
        ps__scalar_cast((ps_scalar){.tag = PS_SCALAR_DOUBLE, .as.d = strtod(text, NULL)}, dtype,
                        &again);
        if (!isnan(value))
            assert_int_equal(again, bits);
        ps_tensor_release(tensor);
    }
}

static void test_16_bits_read_back(void **state)
{
    (void)state;
    check_reads_back(PS_FLOAT16);
    check_reads_back(PS_BFLOAT16);
}

/* So do float32 and float64 numbers of all sizes. */
static void test_random_read_back(void **state)
{
    (void)state;
    uint64_t bits = 1;
    for (int i = 0; i < 4000; i++) {
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        ps_dtype dtype = i % 2 ? PS_FLOAT32 : PS_FLOAT64;
        uint64_t element = i % 2 ? bits >> 32 : bits;
        ps_tensor *tensor = tensor_of(dtype, 0, NULL, NULL, &element);
        char text[64];
        assert_int_equal(ps_tensor_format(tensor, NULL, text, sizeof text, NULL), PS_OK);
        double value = ps__scalar_load(dtype, &element).as.d;
        double again = i % 2 ? (double)strtof(text, NULL) : strtod(text, NULL);
        assert_true(isnan(value) ? isnan(again) : value == again);
        ps_tensor_release(tensor);
    }
}

static void test_locale(void **state)
{
    (void)state;
    if (!locale_with_comma())
        skip();
    double elements[] = {0.1, 1.0 / 3, 1e-9};
    ps_tensor *tensor = tensor_of(PS_FLOAT64, 1, (int64_t[]){2}, NULL, elements);
    assert_text(tensor, NULL, "[0.1        0.33333333]");
    ps_tensor_release(tensor);
    tensor = tensor_of(PS_FLOAT64, 1, (int64_t[]){3}, NULL, elements);
    assert_text(tensor, NULL, "[1.00000000e-01 3.33333333e-01 1.00000000e-09]");
    ps_tensor_release(tensor);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numpy_texts),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_repr),
        cmocka_unit_test(test_scientific),
        cmocka_unit_test(test_strided),
        cmocka_unit_test(test_broadcast),
        cmocka_unit_test(test_summary_reads_the_ends),
        cmocka_unit_test(test_16_bits_read_back),
        cmocka_unit_test(test_random_read_back),
        cmocka_unit_test(test_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
