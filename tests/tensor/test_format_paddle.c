/* Tensors as PaddlePaddle writes them: against its own texts (format_paddle_cases.inc). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tensor/support/text.h"

typedef struct paddle_case {
    ps_dtype dtype;
    int ndim;
    int64_t shape[4];
    int64_t options[5]; /* precision, threshold, edge, width, scientific */
    const char *prefix;
    const char *elements;
    const char *text;
} paddle_case;

static const paddle_case cases[] = {
#include "format_paddle_cases.inc"
};

static bool case_holds(const paddle_case *c)
{
    ps_format_options options = {.size = sizeof options,
                                 .precision = (int)c->options[0],
                                 .threshold = c->options[1],
                                 .edge = (int)c->options[2],
                                 .width = (int)c->options[3],
                                 .style = PS_FORMAT_PADDLE,
                                 .scientific = (int)c->options[4],
                                 .prefix = c->prefix};
    return text_holds(c->dtype, c->ndim, c->shape, c->elements, &options, c->text);
}

static void test_paddle_texts(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        wrong += !case_holds(&cases[i]);
    assert_int_equal(wrong, 0);
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
