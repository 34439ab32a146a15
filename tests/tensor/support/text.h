/* Tensors to be written, and their texts; what cannot be done fails the test. */
#ifndef PS_TEST_TENSOR_TEXT_H
#define PS_TEST_TENSOR_TEXT_H

#include "penstock.h"

/* The whole text, to be freed. */
char *text_of(ps_tensor *tensor, const ps_format_options *options);
void assert_text(ps_tensor *tensor, const ps_format_options *options, const char *expected);

ps_tensor *tensor_of(ps_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides,
                     const void *elements);
/* 0, 1, 2, ... */
ps_tensor *tensor_counted(ps_dtype dtype, int ndim, const int64_t *shape);
/* Whether a recorded tensor, without elements a counted one, has the text that was recorded; says what it
 * has if not. */
bool text_holds(ps_dtype dtype, int ndim, const int64_t *shape, const void *elements,
                const ps_format_options *options, const char *expected);
/* A tensor and its text as another library wrote it, by the options that it was given. */
typedef struct text_case {
    ps_dtype dtype;
    int ndim;
    int64_t shape[4];
    int64_t options[5]; /* precision, threshold, edge, width, scientific */
    const char *prefix, *suffixes;
    const char *elements; /* NULL: counted */
    const char *text;
} text_case;

/* How many of them the library writes otherwise. */
int wrong_texts(const text_case *cases, size_t count, ps_format_style style);
/* Changes to a locale whose decimal point is a comma; false if there is none on this machine. */
bool locale_with_comma(void);

#endif
