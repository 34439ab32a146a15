/* Tensors as PaddlePaddle writes them: against its own texts (format_paddle_cases.inc). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tensor/support/text.h"

static const text_case cases[] = {
#include "format_paddle_cases.inc"
};

static void test_paddle_texts(void **state)
{
    (void)state;
    size_t count = sizeof cases / sizeof cases[0];
    assert_int_equal(wrong_texts(cases, count, PS_FORMAT_PADDLE), 0);
}

/* Without a prefix the elements alone. */
static void test_without_prefix(void **state)
{
    (void)state;
    ps_tensor *tensor = tensor_counted(PS_FLOAT32, 2, (int64_t[]){2, 2});
    ps_format_options options = {.size = sizeof options,
                                 .precision = -1,
                                 .threshold = -1,
                                 .edge = -1,
                                 .width = -1,
                                 .style = PS_FORMAT_PADDLE};
    assert_text(tensor, &options, "[[0., 1.],\n [2., 3.]]");
    options.scientific = 1;
    options.precision = 1;
    assert_text(tensor, &options, "[[0.0e+00, 1.0e+00],\n [2.0e+00, 3.0e+00]]");
    ps_tensor_release(tensor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paddle_texts),
        cmocka_unit_test(test_without_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
