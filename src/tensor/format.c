/* Tensors as text, in the way NumPy's str() writes arrays.
 *
 *   decimal   the digits of one number
 *   column    how all numbers of a tensor are written, so that they align; complex elements have two
 *   table     the tensor and its columns
 *   writer    the caller's text, and how long it is
 *
 * Three passes over the elements that are shown: how large they are (which decides between 12.5 and
 * 1.25e+01), how wide, and the text. Nothing is kept between them, so the memory used does not grow
 * with the tensor, and what a summary leaves out is never read.
 *
 * Invariants
 *   1. The locale has no say: the C library's point is skipped when its digits are read, and what is
 *      given to it to parse has no point.
 *   2. Comparisons that choose the notation are made in the element type, as NumPy makes them.
 *   3. A word holds any element: what is written without an exponent is below 1e16, and
 *      PRECISION_MAX bounds what follows the point. */
#include "tensor/tensor.h"

#include "base/error.h"
#include "base/fpmode.h"
#include "base/sized.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGITS_MAX = 48,    /* of one number */
    WORD_MAX = 256,     /* bytes of one element */
    PRECISION_MAX = 24, /* more than any number's shortest digits have after the point */
    PRECISION = 8,
    THRESHOLD = 1000,
    EDGE = 3,
    WIDTH = 75
};

/* An array's numbers have exponents if the largest is LARGE or more, the smallest below SMALL, or
 * their ratio over RATIO. NumPy had this LARGE for all types up to 2.2; since then it is 1e6 for
 * float32 and 1e3 for float16. */
#define LARGE 1e8
#define SMALL 1e-4
#define RATIO 1e3
#define SCALAR_LARGE 1e16 /* for a number on its own */

/* ---- the digits of a number ------------------------------------------------------------ */

/* 0.DIGITS * 10^point, neither beginning nor ending with 0. Zero has no digits and point 1. */
typedef struct decimal {
    char digits[DIGITS_MAX];
    int count;
    int point;
} decimal;

/* Reads what printf wrote, up to an exponent. */
static void read_digits(const char *text, decimal *d)
{
    for (d->count = 0; *text != '\0' && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (d->count > 0 || *text != '0'))
            d->digits[d->count++] = *text;
}

static void finish_digits(decimal *d)
{
    while (d->count > 0 && d->digits[d->count - 1] == '0')
        d->count--;
    if (d->count == 0)
        d->point = 1;
}

/* Rounded to `count` digits. */
static void round_digits(double value, int count, decimal *d)
{
    char text[DIGITS_MAX];
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    read_digits(text, d);
    d->point = atoi(strchr(text, 'e') + 1) + 1;
    finish_digits(d);
}

/* Rounded to `places` after the point. */
static void round_places(double value, int places, decimal *d)
{
    char text[DIGITS_MAX];
    snprintf(text, sizeof text, "%.*f", places, value);
    read_digits(text, d);
    d->point = d->count - places;
    finish_digits(d);
}

static double in_type(ps_dtype dtype, double value)
{
    uint64_t element;
    ps__scalar_cast((ps_scalar){.tag = PS_SCALAR_DOUBLE, .as.d = value}, dtype, &element);
    return ps__scalar_load(dtype, &element).as.d;
}

static bool reads_back(ps_dtype dtype, const decimal *d, double value)
{
    char text[DIGITS_MAX + 16];
    snprintf(text, sizeof text, "%.*se%d", d->count, d->digits, d->point - d->count);
    if (dtype == PS_FLOAT32) /* rounded once */
        return (double)strtof(text, NULL) == value;
    return in_type(dtype, strtod(text, NULL)) == value;
}

/* The next larger decimal of `count` digits. */
static void step_up(decimal *d, int count)
{
    while (d->count < count)
        d->digits[d->count++] = '0';
    int i = count - 1;
    while (i >= 0 && d->digits[i] == '9')
        d->digits[i--] = '0';
    if (i >= 0) {
        d->digits[i]++;
    } else {
        d->digits[0] = '1';
        d->point++;
    }
    finish_digits(d);
}

/* How many digits of any decimal survive the way through the type. If a number has a decimal that
 * short at all, rounding to that many digits finds it. It holds for numbers of full precision. */
static int sure_digits(ps_dtype dtype, double value)
{
    switch (dtype) {
    case PS_FLOAT16:
        return value < 0x1p-14 ? 1 : 3;
    case PS_BFLOAT16:
        return value < 0x1p-126 ? 1 : 2;
    case PS_FLOAT32:
        return value < 0x1p-126 ? 1 : 6;
    default:
        return value < 0x1p-1022 ? 1 : 15;
    }
}

/* The fewest digits that read back as `value`, which is finite and not negative; of those the
 * closest. The closest decimal may lie below a power of two, where the numbers that read back end
 * sooner than above it: then the next one up is tried. */
static void shortest(ps_dtype dtype, double value, decimal *d)
{
    if (value == 0) {
        *d = (decimal){.point = 1};
        return;
    }
    for (int count = sure_digits(dtype, value); count < 18; count++) {
        round_digits(value, count, d);
        if (reads_back(dtype, d, value))
            return;
        step_up(d, count);
        if (reads_back(dtype, d, value))
            return;
    }
}

static char digit_at(const decimal *d, int index)
{
    return index < 0 || index >= d->count ? '0' : d->digits[index];
}

static int places_before(const decimal *d)
{
    return d->point > 1 ? d->point : 1;
}

static int places_after(const decimal *d)
{
    return d->count > d->point ? d->count - d->point : 0;
}

static int exponent_of(const decimal *d)
{
    return d->point - 1;
}

/* ---- words ----------------------------------------------------------------------------- */

typedef struct word {
    int length;
    char text[WORD_MAX];
} word;

static void add_character(word *w, char c)
{
    if (w->length < WORD_MAX)
        w->text[w->length++] = c;
}

static void add_spaces(word *w, int count)
{
    for (int i = 0; i < count; i++)
        add_character(w, ' ');
}

static void add_text(word *w, const char *text)
{
    while (*text != '\0')
        add_character(w, *text++);
}

static void add_before_point(word *w, const decimal *d)
{
    for (int home = places_before(d); home > 0; home--)
        add_character(w, digit_at(d, d->point - home));
}

static void add_after_point(word *w, const decimal *d, int places)
{
    for (int home = 0; home < places; home++)
        add_character(w, digit_at(d, d->point + home));
}

static void add_exponent(word *w, int exponent, int digits)
{
    char text[16];
    snprintf(text, sizeof text, "e%c%0*d", exponent < 0 ? '-' : '+', digits, abs(exponent));
    add_text(w, text);
}

/* ---- columns --------------------------------------------------------------------------- */

typedef struct column {
    ps_dtype dtype; /* of these numbers: for complex elements a part's */
    bool plus;      /* positive numbers have a sign */
    /* What was seen: */
    double largest, smallest; /* finite, not 0, without sign */
    bool special;             /* infinities or NaN */
    bool minus_infinity;
    /* What follows from it: */
    bool scientific;
    int precision; /* digits after the point, at most */
    int left;      /* bytes before the point */
    int right;     /* digits after it; all have them if scientific, else spaces fill up */
    int exponent;  /* digits of the exponent */
} column;

static int max_of(int a, int b)
{
    return a > b ? a : b;
}

static void column_range(column *c, double value)
{
    double size = fabs(value);
    if (!isfinite(value)) {
        c->special = true;
        c->minus_infinity |= value < 0;
    } else if (size != 0) {
        c->largest = size > c->largest ? size : c->largest;
        c->smallest = size < c->smallest || c->smallest == 0 ? size : c->smallest;
    }
}

static void column_choose(column *c)
{
    c->scientific = c->largest != 0 && (c->largest >= in_type(c->dtype, LARGE) ||
                                        c->smallest < in_type(c->dtype, SMALL) ||
                                        in_type(c->dtype, c->largest / c->smallest) > RATIO);
}

static void column_digits(const column *c, double value, decimal *d)
{
    shortest(c->dtype, fabs(value), d);
    if (c->scientific && d->count > c->precision + 1)
        round_digits(fabs(value), c->precision + 1, d);
    else if (!c->scientific && places_after(d) > c->precision)
        round_places(fabs(value), c->precision, d);
}

static void column_width(column *c, double value)
{
    if (!isfinite(value))
        return;
    decimal d;
    column_digits(c, value, &d);
    int sign = c->plus || signbit(value);
    c->left = max_of(c->left, sign + (c->scientific ? 1 : places_before(&d)));
    c->right = max_of(c->right, c->scientific ? d.count - 1 : places_after(&d));
    c->exponent = max_of(c->exponent, abs(exponent_of(&d)) > 99 ? 3 : 2);
}

/* With all the digits that the text will have. Those beyond the shortest are the number's own, not
 * zeros: 99999992 needs only 9.999999e7 to be known as that float32, but is not written 99999990. */
static void column_fill(const column *c, double value, decimal *d)
{
    column_digits(c, value, d);
    if (c->scientific && d->count != 0 && d->count < c->right + 1)
        round_digits(fabs(value), c->right + 1, d);
    else if (!c->scientific && d->count != 0 && d->count < d->point)
        round_places(fabs(value), 0, d);
}

/* What comes from the point on. */
static int column_tail(const column *c)
{
    return 1 + c->right + (c->scientific ? 2 + c->exponent : 0);
}

static void column_finish(column *c)
{
    int need = 3 + (c->plus || c->minus_infinity); /* "nan", "-inf" */
    if (c->special)
        c->left = max_of(c->left, need - column_tail(c));
}

static void add_special(const column *c, double value, word *w)
{
    const char *text = isnan(value) ? "nan" : "inf";
    const char *sign = value < 0 ? "-" : c->plus ? "+" : "";
    add_spaces(w, c->left + column_tail(c) - (int)strlen(text) - (int)strlen(sign));
    add_text(w, sign);
    add_text(w, text);
}

static void add_number(const column *c, double value, word *w)
{
    if (!isfinite(value)) {
        add_special(c, value, w);
        return;
    }
    decimal d;
    column_fill(c, value, &d);
    bool sign = c->plus || signbit(value);
    add_spaces(w, c->left - sign - (c->scientific ? 1 : places_before(&d)));
    if (sign)
        add_character(w, signbit(value) ? '-' : '+');
    if (c->scientific) {
        int exponent = exponent_of(&d);
        d.point = 1;
        add_before_point(w, &d);
        add_character(w, '.');
        add_after_point(w, &d, c->right);
        add_exponent(w, exponent, c->exponent);
    } else {
        add_before_point(w, &d);
        add_character(w, '.');
        add_after_point(w, &d, places_after(&d));
        add_spaces(w, c->right - places_after(&d));
    }
}

/* A number on its own: all the digits that it needs. `whole` follows those without a fraction. */
static void add_alone(ps_dtype dtype, double value, const char *whole, word *w)
{
    if (!isfinite(value)) {
        add_text(w, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    decimal d;
    double size = fabs(value);
    shortest(dtype, size, &d);
    int exponent = exponent_of(&d);
    bool scientific = size != 0 && (size < SMALL || size >= SCALAR_LARGE);
    if (scientific) {
        d.point = 1;
        whole = "";
    }
    if (signbit(value))
        add_character(w, '-');
    add_before_point(w, &d);
    if (places_after(&d) > 0)
        add_character(w, '.');
    else
        add_text(w, whole);
    add_after_point(w, &d, places_after(&d));
    if (scientific)
        add_exponent(w, exponent, 2);
}

static void add_complex_alone(ps_dtype part, const double z[2], word *w)
{
    bool both = z[0] != 0 || signbit(z[0]); /* a NaN is not 0 */
    if (both) {
        add_character(w, '(');
        add_alone(part, z[0], "", w);
        if (isnan(z[1]) || !signbit(z[1]))
            add_character(w, '+');
    }
    add_alone(part, z[1], "", w);
    add_text(w, both ? "j)" : "j");
}

/* ---- the table ------------------------------------------------------------------------- */

typedef struct writer {
    char *text;
    size_t capacity;
    size_t length;
    size_t spaces; /* not yet written: a line does not end with spaces */
    int64_t line;  /* how far a row has come, with its indent */
} writer;

typedef struct table {
    ps_dtype dtype;
    ps__dtype_kind kind;
    int ndim;
    const int64_t *shape;
    const int64_t *strides;
    int64_t item;
    bool summary;
    bool alone; /* one number, not an array */
    int64_t edge;
    int64_t width;
    column columns[2];
} table;

typedef void (*look_fn)(table *t, ps_scalar value);

static void look_range(table *t, ps_scalar value)
{
    bool complex = t->kind == PS__KIND_COMPLEX;
    column_range(&t->columns[0], complex ? value.as.z[0] : value.as.d);
    if (complex)
        column_range(&t->columns[1], value.as.z[1]);
}

static int integer_text(ps_scalar value, char text[24])
{
    return value.tag == PS_SCALAR_UINT64 ? snprintf(text, 24, "%" PRIu64, value.as.u)
                                         : snprintf(text, 24, "%" PRId64, value.as.i);
}

static void look_width(table *t, ps_scalar value)
{
    char text[24];
    column *c = t->columns;
    if (t->kind == PS__KIND_COMPLEX) {
        column_width(&c[0], value.as.z[0]);
        column_width(&c[1], value.as.z[1]);
    } else if (t->kind == PS__KIND_FLOAT) {
        column_width(&c[0], value.as.d);
    } else {
        c[0].left = max_of(c[0].left, integer_text(value, text));
    }
}

/* Where the part of an axis that is left out begins, or -1; it ends `edge` before the end. */
static int64_t gap_of(const table *t, int axis)
{
    return t->summary && t->shape[axis] > 2 * t->edge ? t->edge : -1;
}

/* Shows `look` what the text will show. */
static void visit(table *t, int axis, const char *at, look_fn look)
{
    if (axis == t->ndim) {
        look(t, ps__scalar_load(t->dtype, at));
        return;
    }
    int64_t gap = gap_of(t, axis), length = t->shape[axis], step = t->strides[axis] * t->item;
    for (int64_t i = 0; i < length; i++) {
        if (i == gap)
            i = length - t->edge;
        if (i < length)
            visit(t, axis + 1, at + i * step, look);
    }
}

static void prepare_format(table *t, const char *data, int precision)
{
    for (int i = 0; i < 2; i++)
        t->columns[i] =
            (column){.dtype = (ps_dtype)ps__dtypes[t->dtype].real,
                     .plus = i == 1,
                     .precision = precision < PRECISION_MAX ? precision : PRECISION_MAX};
    if (t->alone || t->kind == PS__KIND_BOOL)
        return;
    if (ps__dtype_is_inexact(t->dtype)) {
        visit(t, 0, data, look_range);
        column_choose(&t->columns[0]);
        column_choose(&t->columns[1]);
    }
    visit(t, 0, data, look_width);
    column_finish(&t->columns[0]);
    column_finish(&t->columns[1]);
}

static void add_complex(const table *t, const double z[2], word *w)
{
    add_number(&t->columns[0], z[0], w);
    add_number(&t->columns[1], z[1], w);
    int end = w->length;
    while (w->text[end - 1] == ' ')
        end--;
    memmove(w->text + end + 1, w->text + end, (size_t)(w->length - end));
    w->text[end] = 'j';
    w->length++;
}

static void add_inexact(const table *t, ps_scalar value, word *w)
{
    ps_dtype part = (ps_dtype)ps__dtypes[t->dtype].real;
    bool complex = t->kind == PS__KIND_COMPLEX;
    if (complex && t->alone)
        add_complex_alone(part, value.as.z, w);
    else if (complex)
        add_complex(t, value.as.z, w);
    else if (t->alone)
        add_alone(part, value.as.d, ".0", w);
    else
        add_number(&t->columns[0], value.as.d, w);
}

static void element_word(const table *t, const char *at, word *w)
{
    ps_scalar value = ps__scalar_load(t->dtype, at);
    char text[24];
    w->length = 0;
    if (ps__dtype_is_inexact(t->dtype)) {
        add_inexact(t, value, w);
    } else if (t->kind == PS__KIND_BOOL) {
        add_text(w, !value.as.b ? "False" : t->ndim > 0 ? " True" : "True");
    } else {
        add_spaces(w, t->columns[0].left - integer_text(value, text));
        add_text(w, text);
    }
}

/* ---- writing --------------------------------------------------------------------------- */

static void put_byte(writer *out, char c)
{
    if (out->length < out->capacity)
        out->text[out->length] = c;
    out->length++;
}

static void put_text(writer *out, char c)
{
    if (c == ' ') {
        out->spaces++;
        return;
    }
    for (; c != '\n' && out->spaces > 0; out->spaces--)
        put_byte(out, ' ');
    out->spaces = 0;
    put_byte(out, c);
}

static void put_indent(writer *out, int newlines, int spaces)
{
    for (int i = 0; i < newlines; i++)
        put_text(out, '\n');
    for (int i = 0; i < spaces; i++)
        put_text(out, ' ');
}

/* A word of a row. It goes to the next line if it does not fit and that helps; there must be room
 * for the brackets that may follow. */
static void put_word(const table *t, const char *text, int length, writer *out)
{
    if (out->line + length > t->width - t->ndim && out->line > t->ndim) {
        put_indent(out, 1, t->ndim);
        out->line = t->ndim;
    }
    for (int i = 0; i < length; i++)
        put_text(out, text[i]);
    out->line += length;
}

static void put_between(const table *t, int axis, writer *out)
{
    if (axis + 1 < t->ndim) {
        put_indent(out, t->ndim - axis - 1, axis + 1);
    } else {
        put_text(out, ' ');
        out->line++;
    }
}

/* For what is left out: a word of a row, or in place of rows. */
static void put_dots(const table *t, int axis, writer *out)
{
    if (axis + 1 < t->ndim)
        out->line = 0;
    put_word(t, "...", 3, out);
}

static void put_axis(const table *t, int axis, const char *at, writer *out)
{
    if (axis == t->ndim) {
        word w;
        element_word(t, at, &w);
        put_word(t, w.text, w.length, out);
        return;
    }
    int64_t gap = gap_of(t, axis), length = t->shape[axis], step = t->strides[axis] * t->item;
    put_text(out, '[');
    out->line = t->ndim;
    for (int64_t i = 0; i < length; i++) {
        if (i > 0)
            put_between(t, axis, out);
        if (i == gap) {
            put_dots(t, axis, out);
            i = length - t->edge - 1;
        } else {
            put_axis(t, axis + 1, at + i * step, out);
        }
    }
    put_text(out, ']');
}

static void put_table(table *t, const char *data, bool empty, writer *out)
{
    if (empty) {
        put_text(out, '[');
        put_text(out, ']');
    } else {
        put_axis(t, 0, data, out);
    }
    for (; out->spaces > 0; out->spaces--)
        put_byte(out, ' ');
    if (out->capacity > 0)
        out->text[out->length < out->capacity ? out->length : out->capacity - 1] = '\0';
}

/* ---- the call -------------------------------------------------------------------------- */

static ps_status check_options(const ps_format_options *given, ps_format_options *options)
{
    *options = (ps_format_options){.precision = -1, .threshold = -1, .edge = -1, .width = -1};
    ps_status status = given == NULL
                           ? PS_OK
                           : ps__sized_read("ps_tensor_format: options", options, sizeof *options,
                                            given, PS__SIZE_TO(ps_format_options, width));
    if (status != PS_OK)
        return status;
    if (options->precision < -1 || options->threshold < -1 || options->edge < -1 ||
        options->width < -1)
        return ps__fail(PS_ERR_ARGUMENT,
                        "ps_tensor_format: precision %d, threshold %" PRId64
                        ", edge %d, width %d: none may be less than -1",
                        options->precision, options->threshold, options->edge, options->width);
    return PS_OK;
}

static table table_of(const ps_tensor *tensor, const int64_t *strides,
                      const ps_format_options *options)
{
    ps_dtype dtype = (ps_dtype)tensor->dtype;
    int64_t threshold = options->threshold == -1 ? THRESHOLD : options->threshold;
    return (table){.dtype = dtype,
                   .kind = ps__dtype_kind_of(dtype),
                   .ndim = tensor->ndim,
                   .shape = ps__shape(tensor),
                   .strides = strides,
                   .item = (int64_t)ps__dtype_bytes(dtype),
                   .summary = tensor->count > threshold,
                   .alone = tensor->ndim == 0 && options->precision == -1,
                   .edge = options->edge == -1 ? EDGE : options->edge,
                   .width = options->width == -1 ? WIDTH : options->width};
}

ps_status ps_tensor_format(ps_tensor *tensor, const ps_format_options *given, char *text,
                           size_t capacity, size_t *length)
{
    ps_format_options options;
    if (tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_format: tensor is NULL");
    ps_status status = check_options(given, &options);
    if (status != PS_OK)
        return status;
    ps__host_read read;
    status = ps__host_begin(tensor, &read);
    if (status != PS_OK)
        return status;
    uint64_t mode = ps__fpmode_enter(); /* digits are rounded too */
    table t = table_of(tensor, read.strides, &options);
    writer out = {.text = text, .capacity = text == NULL ? 0 : capacity};
    if (tensor->count != 0)
        prepare_format(&t, read.data, options.precision == -1 ? PRECISION : options.precision);
    put_table(&t, read.data, tensor->count == 0, &out);
    ps__fpmode_leave(mode);
    ps__host_end(&read);
    if (length != NULL)
        *length = out.length;
    return PS_OK;
}
