/* Tensors as PyTorch writes them: against its own texts (format_torch_cases.inc), and what is ours
 * alone: truncation, strides, locales, prefixes that no tensor of PyTorch's has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/support/text.h"

static const text_case cases[] = {
#include "format_torch_cases.inc"
};

static const ps_format_options plain = {.size = sizeof plain,
                                        .precision = -1,
                                        .threshold = -1,
                                        .edge = -1,
                                        .width = -1,
                                        .style = PS_FORMAT_TORCH,
                                        .prefix = "tensor("};

/* ---- against PyTorch ------------------------------------------------------------------- */

static void test_torch_texts(void **state)
{
    (void)state;
    size_t count = sizeof cases / sizeof cases[0];
    assert_int_equal(wrong_texts(cases, count, PS_FORMAT_TORCH), 0);
}

/* ---- prefix and suffixes --------------------------------------------------------------- */

static void test_without_prefix(void **state)
{
    (void)state;
    ps_tensor *tensor = tensor_counted(PS_FLOAT32, 2, (int64_t[]){2, 2});
    ps_format_options options = plain;
    options.prefix = NULL;
    assert_text(tensor, &options, "[[0., 1.],\n [2., 3.]]");
    options.suffixes = "requires_grad=True";
    assert_text(tensor, &options, "[[0., 1.],\n [2., 3.]], requires_grad=True");
    ps_tensor_release(tensor);
}

/* Lines are indented by the prefix's last line, and characters are counted. */
static void test_prefixes(void **state)
{
    (void)state;
    ps_tensor *tensor = tensor_counted(PS_INT64, 2, (int64_t[]){2, 2});
    ps_format_options options = plain;
    options.prefix = "Parameter containing:\ntensor(";
    options.suffixes = "requires_grad=True";
    assert_text(tensor, &options,
                "Parameter containing:\ntensor([[0, 1],\n"
                "        [2, 3]], requires_grad=True)");
    options.prefix = "\303\204\303\266(";
    options.suffixes = NULL;
    assert_text(tensor, &options, "\303\204\303\266([[0, 1],\n    [2, 3]])");
    ps_tensor_release(tensor);
}

static void test_suffixes(void **state)
{
    (void)state;
    ps_tensor *tensor = tensor_counted(PS_INT32, 1, (int64_t[]){2});
    ps_format_options options = plain;
    options.suffixes = "\ndtype=torch.int32\n\nrequires_grad=True\n";
    assert_text(tensor, &options, "tensor([0, 1], dtype=torch.int32, requires_grad=True)");
    options.width = 53;
    assert_text(tensor, &options, "tensor([0, 1], dtype=torch.int32,\n       requires_grad=True)");
    options.width = 1;
    assert_text(tensor, &options,
                "tensor([0,\n        1],\n       dtype=torch.int32,\n       requires_grad=True)");
    ps_tensor_release(tensor);
}

/* ---- what is ours ---------------------------------------------------------------------- */

static void test_truncated(void **state)
{
    (void)state;
    ps_tensor *tensor = tensor_counted(PS_FLOAT32, 2, (int64_t[]){2, 2});
    ps_format_options options = plain;
    options.suffixes = "requires_grad=True";
    const char *whole = "tensor([[0., 1.],\n        [2., 3.]], requires_grad=True)";
    for (size_t capacity = 0; capacity < strlen(whole) + 4; capacity++) {
        char text[100];
        size_t length = 0, kept = capacity == 0 ? 0 : capacity - 1;
        memset(text, '#', sizeof text);
        assert_int_equal(ps_tensor_format(tensor, &options, text, capacity, &length), PS_OK);
        assert_int_equal(length, strlen(whole));
        kept = kept < length ? kept : length;
        assert_memory_equal(text, whole, kept);
        if (capacity > 0)
            assert_int_equal(text[kept], '\0');
        assert_int_equal(text[capacity], '#');
    }
    ps_tensor_release(tensor);
}

/* Only the ends are looked at, of a length that nobody could walk through. */
static void test_views(void **state)
{
    (void)state;
    ps_tensor *view, *tensor = tensor_counted(PS_INT16, 2, (int64_t[]){3, 4});
    assert_int_equal(ps_tensor_permute(tensor, NULL, 0, &view), PS_OK);
    ps_format_options options = plain;
    assert_text(view, &options,
                "tensor([[ 0,  4,  8],\n        [ 1,  5,  9],\n"
                "        [ 2,  6, 10],\n        [ 3,  7, 11]])");
    ps_tensor_release(view);
    ps_tensor_release(tensor);
    tensor = tensor_of(PS_FLOAT64, 0, NULL, NULL, &(double){0.5});
    int64_t shape[] = {INT64_C(1) << 40, INT64_C(1) << 18};
    assert_int_equal(ps_tensor_broadcast(tensor, 2, shape, &view), PS_OK);
    options.edge = 1;
    assert_text(view, &options,
                "tensor([[0.5000,  ..., 0.5000],\n        ...,\n"
                "        [0.5000,  ..., 0.5000]])");
    ps_tensor_release(view);
    ps_tensor_release(tensor);
}

/* The widest that there are: all digits of the largest numbers, and as many after the point. */
static void test_widest(void **state)
{
    (void)state;
    double elements[] = {-1.7976931348623157e308, -1.7976931348623157e308, 0.5, 0.25};
    ps_tensor *tensor = tensor_of(PS_COMPLEX128, 1, (int64_t[]){2}, NULL, elements);
    ps_format_options options = plain;
    options.precision = options.width = INT32_MAX;
    options.scientific = -1;
    char *text = text_of(tensor, &options);
    size_t number = 1 + 309 + 1 + 100, small = 1 + 1 + 100;
    assert_int_equal(strlen(text),
                     strlen("tensor([, ])") + 2 * number + 1 + number + 1 + small + 1);
    free(text);
    options.width = 0;
    options.style = PS_FORMAT_NUMPY;
    free(text_of(tensor, &options));
    ps_tensor_release(tensor);
}

static void test_locale(void **state)
{
    (void)state;
    if (!locale_with_comma())
        skip();
    double elements[] = {0.1, 1.0 / 3, 1e-9};
    ps_tensor *tensor = tensor_of(PS_FLOAT64, 1, (int64_t[]){2}, NULL, elements);
    assert_text(tensor, &plain, "tensor([0.1000, 0.3333])");
    ps_tensor_release(tensor);
    tensor = tensor_of(PS_FLOAT64, 1, (int64_t[]){3}, NULL, elements);
    assert_text(tensor, &plain, "tensor([1.0000e-01, 3.3333e-01, 1.0000e-09])");
    ps_tensor_release(tensor);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torch_texts), cmocka_unit_test(test_without_prefix),
        cmocka_unit_test(test_prefixes),    cmocka_unit_test(test_suffixes),
        cmocka_unit_test(test_truncated),   cmocka_unit_test(test_views),
        cmocka_unit_test(test_widest),      cmocka_unit_test(test_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
