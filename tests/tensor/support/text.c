/* Tensors to be written, and their texts. */
#include "tensor/support/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "dtype/dtype.h"

char *text_of(ps_tensor *tensor, const ps_format_options *options)
{
    size_t length = 0, again = 0;
    assert_int_equal(ps_tensor_format(tensor, options, NULL, 0, &length), PS_OK);
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(ps_tensor_format(tensor, options, text, length + 1, &again), PS_OK);
    assert_int_equal(again, length);
    assert_int_equal(strlen(text), length);
    return text;
}

void assert_text(ps_tensor *tensor, const ps_format_options *options, const char *expected)
{
    char *text = text_of(tensor, options);
    assert_string_equal(text, expected);
    free(text);
}

ps_tensor *tensor_of(ps_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides,
                     const void *elements)
{
    ps_tensor *tensor = NULL;
    assert_int_equal(ps_tensor_from_host(dtype, ndim, shape, strides, elements, NULL, &tensor),
                     PS_OK);
    return tensor;
}

ps_tensor *tensor_counted(ps_dtype dtype, int ndim, const int64_t *shape)
{
    int64_t count = 1;
    for (int i = 0; i < ndim; i++)
        count *= shape[i];
    size_t bytes = ps_dtype_bytes(dtype);
    char *elements = calloc((size_t)count + 1, bytes);
    assert_non_null(elements);
    for (int64_t i = 0; i < count; i++)
        ps__scalar_cast((ps_scalar){.tag = PS_SCALAR_INT64, .as.i = i}, dtype,
                        elements + (size_t)i * bytes);
    ps_tensor *tensor = tensor_of(dtype, ndim, shape, NULL, elements);
    free(elements);
    return tensor;
}

bool text_holds(ps_dtype dtype, int ndim, const int64_t *shape, const void *elements,
                const ps_format_options *options, const char *expected)
{
    ps_tensor *tensor = elements == NULL ? tensor_counted(dtype, ndim, shape)
                                         : tensor_of(dtype, ndim, shape, NULL, elements);
    char *text = text_of(tensor, options);
    bool same = strcmp(text, expected) == 0;
    if (!same)
        print_error("%s:\n%s\nexpected\n%s\n", ps_dtype_name(dtype), text, expected);
    free(text);
    ps_tensor_release(tensor);
    return same;
}

bool locale_with_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8", "pl_PL.UTF-8",
                                        "es_ES.UTF-8", "ps_AF.UTF-8", "de_DE",       "fr_FR"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++)
        found = setlocale(LC_ALL, names[i]) != NULL;
    if (found && strcmp(localeconv()->decimal_point, ".") != 0)
        return true;
    setlocale(LC_ALL, "C");
    return false;
}

int wrong_texts(const text_case *cases, size_t count, ps_format_style style)
{
    int wrong = 0;
    for (const text_case *c = cases; c < cases + count; c++) {
        ps_format_options options = {.size = sizeof options,
                                     .precision = (int)c->options[0],
                                     .threshold = c->options[1],
                                     .edge = (int)c->options[2],
                                     .width = (int)c->options[3],
                                     .style = style,
                                     .scientific = (int)c->options[4],
                                     .prefix = c->prefix,
                                     .suffixes = c->suffixes};
        wrong += !text_holds(c->dtype, c->ndim, c->shape, c->elements, &options, c->text);
    }
    return wrong;
}
