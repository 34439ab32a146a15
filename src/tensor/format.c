/* Tensors as text, in the way that NumPy, PyTorch or PaddlePaddle writes them.
 *
 *   decimal   the digits of one number (decimal.h)
 *   column    how all numbers of a tensor are written, so that they align; complex elements have
 *             two (column.h)
 *   style     what differs between their texts, a row of settings each (style.h)
 *   table     the tensor, its columns and how its elements are laid out
 *   writer    the caller's text, and how long it is
 *
 * Three passes over the elements that are shown: how large they are (which decides between 12.5 and
 * 1.25e+01), how wide, and the text. Nothing is kept between them, so the memory used does not grow
 * with the tensor, and what a summary leaves out is never read.
 *
 * A dimension deeper is a call deeper: what is large is not in those functions' own variables. */
#include "tensor/column.h"
#include "tensor/tensor.h"

#include "base/error.h"
#include "base/fpmode.h"
#include "base/sized.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct table {
    const ps__style *style;
    ps_dtype dtype;
    ps__dtype_kind kind;
    int ndim;
    const int64_t *shape;
    const int64_t *strides;
    int64_t item;
    int precision;
    int scientific; /* as in the options */
    int64_t edge;
    int64_t width;
    int64_t indent; /* where the elements begin: behind the prefix */
    bool empty;
    bool summary;
    bool alone; /* one number, not an array */
    bool
        negative; /* some number is: numbers that are written by themselves leave room for a sign */
    bool commas;
    int64_t room;     /* how far a word of a row may go; */
    int64_t per_line; /* or how many a line has, if not 0 */
    ps__column columns[2];
    ps__entry word; /* the element that is written */
} table;

typedef struct writer {
    char *text;
    size_t capacity;
    size_t length;
    size_t spaces;  /* not yet written: a line does not end with spaces */
    int64_t column; /* characters of the last line, without those spaces */
    int64_t line;   /* how far a row has come, with its indent, */
    int64_t words;  /* and how many are in its last line */
} writer;

/* ---- elements -------------------------------------------------------------------------- */

typedef void (*look_fn)(table *t, ps_scalar value);

static void look_range(table *t, ps_scalar value)
{
    bool complex = t->kind == PS__KIND_COMPLEX;
    ps__column_see(&t->columns[0], complex ? value.as.z[0] : value.as.d);
    if (complex)
        ps__column_see(&t->columns[1], value.as.z[1]);
}

static int exact_text(ps_scalar value, char text[24])
{
    if (value.tag == PS_SCALAR_BOOL)
        return snprintf(text, 24, "%s", value.as.b ? "True" : "False");
    return value.tag == PS_SCALAR_UINT64 ? snprintf(text, 24, "%" PRIu64, value.as.u)
                                         : snprintf(text, 24, "%" PRId64, value.as.i);
}

/* An element that is written by itself. */
static void write_each(table *t, ps_scalar value)
{
    char text[24];
    ps__entry *e = &t->word;
    e->length = 0;
    if (t->kind == PS__KIND_COMPLEX) {
        ps__entry_text(e, "(");
        ps__column_write_each(&t->columns[0], value.as.z[0], false, e);
        ps__column_write_each(&t->columns[1], value.as.z[1], false, e);
        ps__entry_text(e, "j)");
    } else if (t->kind == PS__KIND_FLOAT) {
        ps__column_write_each(&t->columns[0], value.as.d, true, e);
    } else {
        exact_text(value, text);
        ps__entry_text(e, text);
    }
}

/* Complex numbers by their real parts, then by the others. */
static bool is_negative(const table *t, ps_scalar value)
{
    const double *z = value.as.z;
    if (t->kind == PS__KIND_COMPLEX)
        return (z[0] < 0 && z[1] == z[1]) || (z[0] == 0 && z[1] < 0);
    return t->kind == PS__KIND_FLOAT ? value.as.d < 0
                                     : t->kind == PS__KIND_SIGNED && value.as.i < 0;
}

static void look_width(table *t, ps_scalar value)
{
    char text[24];
    ps__column *c = t->columns;
    if (t->style->each) {
        write_each(t, value);
        c->width = t->word.length > c->width ? t->word.length : c->width;
        t->negative |= is_negative(t, value);
    } else if (t->kind == PS__KIND_COMPLEX) {
        ps__column_measure(&c[0], value.as.z[0]);
        ps__column_measure(&c[1], value.as.z[1]);
    } else if (t->kind == PS__KIND_FLOAT) {
        ps__column_measure(&c[0], value.as.d);
    } else {
        int width = exact_text(value, text);
        c->width = width > c->width ? width : c->width;
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

static void prepare_inexact(table *t, const char *data)
{
    int parts = t->kind == PS__KIND_COMPLEX ? 2 : 1;
    visit(t, 0, data, look_range);
    for (int i = 0; i < parts; i++)
        ps__column_choose(&t->columns[i], t->scientific);
    visit(t, 0, data, look_width);
    for (int i = 0; i < parts && !t->style->each; i++)
        ps__column_finish(&t->columns[i]);
}

static void prepare_columns(table *t, const char *data)
{
    ps__column_begin(&t->columns[0], t->style, t->dtype, t->precision, false);
    ps__column_begin(&t->columns[1], t->style, t->dtype, t->precision, true);
    if (t->alone)
        return;
    if (ps__dtype_is_inexact(t->dtype))
        prepare_inexact(t, data);
    else if (t->kind == PS__KIND_BOOL && t->style->bool_width > 0)
        t->columns[0].width = t->ndim > 0 ? t->style->bool_width : 0;
    else
        visit(t, 0, data, look_width);
}

/* The j follows the last digit. Imaginary parts of fixed digits are not aligned. */
static void add_complex(const table *t, const double z[2], ps__entry *e)
{
    ps__column_write(&t->columns[0], z[0], e);
    ps__entry_align(e, 0, t->columns[0].width);
    int from = e->length;
    ps__column_write(&t->columns[1], z[1], e);
    if (!t->style->fixed)
        ps__entry_align(e, from, t->columns[1].width);
    int end = e->length;
    while (e->text[end - 1] == ' ')
        end--;
    memmove(e->text + end + 1, e->text + end, (size_t)(e->length - end));
    e->text[end] = 'j';
    e->length++;
}

static void add_inexact(const table *t, ps_scalar value, ps__entry *e)
{
    bool complex = t->kind == PS__KIND_COMPLEX;
    if (complex && t->alone)
        ps__complex_write(t->columns[0].dtype, value.as.z, e);
    else if (complex)
        add_complex(t, value.as.z, e);
    else if (t->alone)
        ps__number_write(t->dtype, value.as.d, ".0", e);
    else
        ps__column_write(&t->columns[0], value.as.d, e);
}

static void make_word(table *t, const char *at)
{
    ps_scalar value = ps__scalar_load(t->dtype, at);
    char text[24];
    if (t->style->each) {
        write_each(t, value);
        ps__entry_fill(&t->word, t->columns[0].width, t->negative && !is_negative(t, value));
        return;
    }
    t->word.length = 0;
    if (ps__dtype_is_inexact(t->dtype)) {
        add_inexact(t, value, &t->word);
    } else {
        exact_text(value, text);
        ps__entry_text(&t->word, text);
    }
    if (t->kind != PS__KIND_COMPLEX)
        ps__entry_align(&t->word, 0, t->columns[0].width);
}

/* ---- writing --------------------------------------------------------------------------- */

/* Characters are counted, not bytes: those of UTF-8 that continue one do not count. */
static bool begins_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

static void put_byte(writer *out, char c)
{
    if (out->length < out->capacity)
        out->text[out->length] = c;
    out->length++;
    out->column = c == '\n' ? 0 : out->column + begins_character(c);
}

static void put_spaces(writer *out)
{
    for (; out->spaces > 0; out->spaces--)
        put_byte(out, ' ');
}

static void put_text(writer *out, char c)
{
    if (c == ' ') {
        out->spaces++;
        return;
    }
    if (c == '\n')
        out->spaces = 0;
    put_spaces(out);
    put_byte(out, c);
}

static void put_string(writer *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        put_text(out, text[i]);
}

static void put_indent(writer *out, int newlines, int64_t spaces)
{
    for (int i = 0; i < newlines; i++)
        put_text(out, '\n');
    out->spaces += (size_t)spaces;
}

/* ---- rows ------------------------------------------------------------------------------ */

static void prepare_layout(table *t, bool call)
{
    int64_t element = t->columns[0].width + 2;
    if (t->kind == PS__KIND_COMPLEX && !t->style->each)
        element += t->columns[1].width + 1;
    int64_t fit = (t->width - t->indent - (t->ndim - 1)) / element;
    t->per_line = !t->style->counted ? 0 : fit > 1 ? fit : 1;
    t->room = t->width - t->ndim - call; /* for the brackets that may follow */
    t->commas = t->style->commas || call;
}

/* A line is not begun for a word that fits there no better. */
static bool breaks_line(const table *t, int length, const writer *out)
{
    if (t->per_line > 0)
        return out->words == t->per_line;
    return out->line + length > t->room && out->line > t->indent + t->ndim;
}

static void begin_line(const table *t, writer *out)
{
    out->line = t->indent + t->ndim;
    out->words = 0;
}

/* A word of a row. */
static void put_word(const table *t, const char *text, int length, writer *out)
{
    if (breaks_line(t, length, out)) {
        put_indent(out, 1, t->indent + t->ndim);
        begin_line(t, out);
    }
    put_string(out, text, (size_t)length);
    out->line += length;
    out->words++;
}

static void put_between(const table *t, int axis, writer *out)
{
    if (t->commas)
        put_text(out, ',');
    if (axis + 1 < t->ndim) {
        put_indent(out, t->ndim - axis - 1, t->indent + axis + 1);
    } else {
        put_text(out, ' ');
        out->line += 1 + t->commas;
    }
}

/* For what is left out: a word of a row, or in place of rows. If nothing else is left, it is
 * alike in all styles. */
static void put_dots(const table *t, int axis, writer *out)
{
    const char *dots = t->edge > 0 ? t->style->dots : "...";
    if (axis + 1 < t->ndim)
        put_string(out, "...", 3);
    else
        put_word(t, dots, (int)strlen(dots), out);
}

static void put_element(table *t, const char *at, writer *out)
{
    make_word(t, at);
    put_word(t, t->word.text, t->word.length, out);
}

static void put_axis(table *t, int axis, const char *at, writer *out)
{
    if (axis == t->ndim) {
        put_element(t, at, out);
        return;
    }
    int64_t gap = gap_of(t, axis), length = t->shape[axis], step = t->strides[axis] * t->item;
    put_text(out, '[');
    begin_line(t, out);
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

/* ---- the whole text -------------------------------------------------------------------- */

static int64_t characters(const char *text, size_t length)
{
    int64_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += begins_character(text[i]);
    return count;
}

/* On the last line if it fits there; *used is how long that is taken to be. */
static void put_suffix(const table *t, const char *text, size_t length, int64_t *used, writer *out)
{
    int64_t needs = characters(text, length);
    put_text(out, ',');
    if (*used + needs + 2 > t->width) {
        put_indent(out, 1, t->indent);
        *used = t->indent + needs;
    } else {
        put_text(out, ' ');
        *used += needs + 2;
    }
    put_string(out, text, length);
}

static void put_suffixes(const table *t, const char *suffixes, writer *out)
{
    int64_t used = out->column + t->style->slack;
    while (suffixes != NULL && *suffixes != '\0') {
        size_t length = strcspn(suffixes, "\n");
        if (length > 0)
            put_suffix(t, suffixes, length, &used, out);
        suffixes += length + (suffixes[length] == '\n');
    }
}

static void end_text(writer *out)
{
    put_spaces(out);
    if (out->capacity > 0)
        out->text[out->length < out->capacity ? out->length : out->capacity - 1] = '\0';
}

static bool is_call(const ps_format_options *options)
{
    return options->prefix != NULL && options->prefix[0] != '\0';
}

static void put_all(table *t, const char *data, const ps_format_options *options, writer *out)
{
    bool call = is_call(options);
    for (size_t i = 0; call && options->prefix[i] != '\0'; i++)
        put_byte(out, options->prefix[i]);
    t->indent = out->column;
    if (t->empty && !t->style->nested) {
        put_string(out, "[]", 2);
    } else {
        bool summary = t->summary;
        t->summary |= t->style->edges;
        prepare_columns(t, data);
        t->summary = summary;
        prepare_layout(t, call);
        put_axis(t, 0, data, out);
    }
    put_spaces(out);
    put_suffixes(t, options->suffixes, out);
    if (call)
        put_text(out, ')');
    end_text(out);
}

/* ---- the call -------------------------------------------------------------------------- */

static ps_status read_options(const ps_format_options *given, ps_format_options *options)
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
    if ((unsigned)options->style >= PS__STYLES)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_format: there is no style %d",
                        (int)options->style);
    if (options->scientific < -1 || options->scientific > 1)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_format: scientific is %d, not -1, 0 or 1",
                        options->scientific);
    return PS_OK;
}

/* Whether a number without dimensions is written by itself: only if nothing else is asked for. */
static bool is_alone(const ps_tensor *tensor, const ps_format_options *options)
{
    return ps__styles[options->style].alone && tensor->ndim == 0 && options->precision == -1 &&
           options->scientific == 0 && !is_call(options);
}

static int64_t or_usual(int64_t given, int64_t usual)
{
    return given == -1 ? usual : given;
}

/* What is known before the elements are looked at. */
static table table_of(const ps_tensor *tensor, const int64_t *strides,
                      const ps_format_options *options)
{
    const ps__style *style = &ps__styles[options->style];
    ps_dtype dtype = (ps_dtype)tensor->dtype;
    return (table){.style = style,
                   .dtype = dtype,
                   .kind = ps__dtype_kind_of(dtype),
                   .ndim = tensor->ndim,
                   .shape = ps__shape(tensor),
                   .strides = strides,
                   .item = (int64_t)ps__dtype_bytes(dtype),
                   .precision = (int)or_usual(options->precision, style->precision),
                   .scientific = options->scientific,
                   .edge = or_usual(options->edge, style->edge),
                   .width = or_usual(options->width, style->width),
                   .empty = tensor->count == 0,
                   .summary = tensor->count > or_usual(options->threshold, style->threshold),
                   .alone = is_alone(tensor, options)};
}

ps_status ps_tensor_format(ps_tensor *tensor, const ps_format_options *given, char *text,
                           size_t capacity, size_t *length)
{
    ps_format_options options;
    if (tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_format: tensor is NULL");
    ps_status status = read_options(given, &options);
    if (status != PS_OK)
        return status;
    ps__host_read read;
    status = ps__host_begin(tensor, &read);
    if (status != PS_OK)
        return status;
    uint64_t mode = ps__fpmode_enter(); /* digits are rounded too */
    table t = table_of(tensor, read.strides, &options);
    writer out = {.text = text, .capacity = text == NULL ? 0 : capacity};
    put_all(&t, read.data, &options, &out);
    ps__fpmode_leave(mode);
    ps__host_end(&read);
    if (length != NULL)
        *length = out.length;
    return PS_OK;
}
