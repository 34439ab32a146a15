/* Numbers as entries of a text: see column.h.
 *
 * Invariant: an entry holds any element. Nothing has more digits than PS__DIGITS_MAX, and no number
 * is wider than the widest of its column. */
#include "tensor/column.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exponents of numbers on their own. */
#define ALONE_LARGE 1e16
#define ALONE_SMALL 1e-4

/* ---- entries --------------------------------------------------------------------------- */

static void add_character(ps__entry *e, char c)
{
    if (e->length < PS__ENTRY_MAX)
        e->text[e->length++] = c;
}

static void add_spaces(ps__entry *e, int count)
{
    for (int i = 0; i < count; i++)
        add_character(e, ' ');
}

void ps__entry_text(ps__entry *e, const char *text)
{
    while (*text != '\0')
        add_character(e, *text++);
}

void ps__entry_align(ps__entry *e, int from, int width)
{
    int length = e->length - from, missing = width - length;
    if (missing <= 0 || e->length + missing > PS__ENTRY_MAX)
        return;
    memmove(e->text + from + missing, e->text + from, (size_t)length);
    memset(e->text + from, ' ', (size_t)missing);
    e->length += missing;
}

static void add_before_point(ps__entry *e, const ps__decimal *d)
{
    for (int home = ps__decimal_before(d); home > 0; home--)
        add_character(e, ps__decimal_at(d, d->point - home));
}

static void add_after_point(ps__entry *e, const ps__decimal *d, int places)
{
    for (int home = 0; home < places; home++)
        add_character(e, ps__decimal_at(d, d->point + home));
}

static void add_exponent(ps__entry *e, int exponent, int digits)
{
    char text[16];
    snprintf(text, sizeof text, "e%c%0*d", exponent < 0 ? '-' : '+', digits, abs(exponent));
    ps__entry_text(e, text);
}

/* ---- columns --------------------------------------------------------------------------- */

static int max_of(int a, int b)
{
    return a > b ? a : b;
}

void ps__column_begin(ps__column *c, const ps__style *style, ps_dtype dtype, int precision,
                      bool imaginary)
{
    *c = (ps__column){.style = style,
                      .dtype = (ps_dtype)ps__dtypes[dtype].real,
                      .precision = precision < PS__PLACES_MAX ? precision : PS__PLACES_MAX,
                      .plus = imaginary,
                      .exponent = 2};
}

void ps__column_see(ps__column *c, double value)
{
    double size = fabs(value);
    if (!isfinite(value)) {
        c->special = true;
        c->minus_infinity |= value < 0;
    } else if (size != 0) {
        c->largest = size > c->largest ? size : c->largest;
        c->smallest = size < c->smallest || c->smallest == 0 ? size : c->smallest;
        c->fraction |= value != floor(value);
    }
}

void ps__column_choose(ps__column *c, int scientific)
{
    if (c->style->each) {
        c->scientific = scientific > 0;
        return;
    }
    if (c->largest != 0)
        c->scientific = scientific != 0 ? scientific > 0
                                        : c->style->scientific(c->dtype, c->largest, c->smallest);
    c->point = true;
    if (!c->style->fixed)
        return;
    bool whole = !c->fraction && !c->scientific;
    c->right = whole ? 0 : c->precision;
    c->point = whole || c->right > 0;
}

/* With the fewest digits, cut where there are too many. */
static void find_short(const ps__column *c, double size, ps__decimal *d)
{
    ps__decimal_shortest(c->dtype, size, d);
    if (c->scientific && d->count > c->precision + 1)
        ps__decimal_digits(size, c->precision + 1, d);
    else if (!c->scientific && ps__decimal_after(d) > c->precision)
        ps__decimal_places(size, c->precision, d);
}

static void find_fixed(const ps__column *c, double size, ps__decimal *d)
{
    if (c->scientific)
        ps__decimal_digits(size, c->right + 1, d);
    else
        ps__decimal_places(size, c->right, d);
}

/* What comes from the point on. */
static int tail(const ps__column *c, int exponent)
{
    return c->point + c->right + (c->scientific ? 2 + exponent : 0);
}

static int exponent_width(const ps__decimal *d)
{
    return abs(ps__decimal_exponent(d)) > 99 ? 3 : 2;
}

static void measure_short(ps__column *c, double value)
{
    ps__decimal d;
    find_short(c, fabs(value), &d);
    bool sign = c->plus || signbit(value);
    c->left = max_of(c->left, sign + (c->scientific ? 1 : ps__decimal_before(&d)));
    c->right = max_of(c->right, c->scientific ? d.count - 1 : ps__decimal_after(&d));
    c->exponent = max_of(c->exponent, exponent_width(&d));
}

/* The plus of an imaginary part is not counted, as PyTorch does not. */
static void measure_fixed(ps__column *c, double value)
{
    ps__decimal d;
    find_fixed(c, fabs(value), &d);
    int left = (value < 0) + (c->scientific ? 1 : ps__decimal_before(&d));
    c->width = max_of(c->width, left + tail(c, exponent_width(&d)));
}

/* Where digits are fixed, zeros do not count: -0. among whole numbers stands out. */
void ps__column_measure(ps__column *c, double value)
{
    if (!c->style->fixed && isfinite(value))
        measure_short(c, value);
    else if (c->style->fixed && isfinite(value) && value != 0)
        measure_fixed(c, value);
}

/* Where digits are fixed, infinities and NaN do not count either; and of zeros alone the width is
 * taken for 1, which makes for longer lines than asked for, as in PyTorch. */
void ps__column_finish(ps__column *c)
{
    if (c->style->fixed) {
        c->width = max_of(c->width, 1);
        return;
    }
    c->width = c->left + tail(c, c->exponent);
    if (c->special)
        c->width = max_of(c->width, 3 + (c->plus || c->minus_infinity)); /* "nan", "-inf" */
}

/* With all the digits that the text will have. Those beyond the shortest are the number's own, not
 * zeros: 99999992 needs only 9.999999e7 to be known as that float32, but is not written 99999990. */
static void fill_digits(const ps__column *c, double value, ps__decimal *d)
{
    double size = fabs(value);
    if (c->style->fixed) {
        find_fixed(c, size, d);
        return;
    }
    find_short(c, size, d);
    if (c->scientific && d->count != 0 && d->count < c->right + 1)
        ps__decimal_digits(size, c->right + 1, d);
    else if (!c->scientific && d->count != 0 && d->count < d->point)
        ps__decimal_places(size, 0, d);
}

static void write_finite(const ps__column *c, double value, ps__entry *e)
{
    ps__decimal d;
    fill_digits(c, value, &d);
    int exponent = ps__decimal_exponent(&d);
    int places = c->style->fixed || c->scientific ? c->right : ps__decimal_after(&d);
    if (c->scientific)
        d.point = 1;
    add_before_point(e, &d);
    if (c->point)
        add_character(e, '.');
    add_after_point(e, &d, places);
    if (c->scientific)
        add_exponent(e, exponent, c->exponent);
    add_spaces(e, c->right - places);
}

void ps__column_write(const ps__column *c, double value, ps__entry *e)
{
    bool minus = signbit(value) && !isnan(value);
    if (minus || c->plus)
        add_character(e, minus ? '-' : '+');
    if (isfinite(value))
        write_finite(c, value, e);
    else
        ps__entry_text(e, isnan(value) ? "nan" : "inf");
}

/* Infinities count as whole. */
void ps__column_write_each(const ps__column *c, double value, bool cut, ps__entry *e)
{
    bool minus = signbit(value) && !isnan(value);
    bool whole = cut && !c->scientific && !isnan(value) && value == ceil(value);
    int places = whole ? 0 : c->precision;
    if (minus || c->plus)
        add_character(e, minus ? '-' : '+');
    if (isfinite(value)) {
        ps__decimal d;
        if (c->scientific)
            ps__decimal_digits(fabs(value), places + 1, &d);
        else
            ps__decimal_places(fabs(value), places, &d);
        int exponent = ps__decimal_exponent(&d);
        if (c->scientific)
            d.point = 1;
        add_before_point(e, &d);
        if (whole || places > 0)
            add_character(e, '.');
        add_after_point(e, &d, places);
        if (c->scientific)
            add_exponent(e, exponent, 2);
    } else {
        ps__entry_text(e, isnan(value) ? "nan" : whole ? "inf." : "inf");
    }
}

void ps__entry_fill(ps__entry *e, int width, bool shifted)
{
    int missing = width - e->length;
    if (missing <= 0)
        return;
    if (shifted)
        ps__entry_align(e, 0, e->length + 1);
    add_spaces(e, width - e->length);
}

/* ---- numbers on their own -------------------------------------------------------------- */

void ps__number_write(ps_dtype dtype, double value, const char *whole, ps__entry *e)
{
    if (!isfinite(value)) {
        ps__entry_text(e, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    ps__decimal d;
    double size = fabs(value);
    ps__decimal_shortest(dtype, size, &d);
    int exponent = ps__decimal_exponent(&d);
    bool scientific = size != 0 && (size < ALONE_SMALL || size >= ALONE_LARGE);
    if (scientific) {
        d.point = 1;
        whole = "";
    }
    if (signbit(value))
        add_character(e, '-');
    add_before_point(e, &d);
    ps__entry_text(e, ps__decimal_after(&d) > 0 ? "." : whole);
    add_after_point(e, &d, ps__decimal_after(&d));
    if (scientific)
        add_exponent(e, exponent, 2);
}

void ps__complex_write(ps_dtype part, const double z[2], ps__entry *e)
{
    bool both = z[0] != 0 || signbit(z[0]); /* a NaN is not 0 */
    if (both) {
        add_character(e, '(');
        ps__number_write(part, z[0], "", e);
        if (isnan(z[1]) || !signbit(z[1]))
            add_character(e, '+');
    }
    ps__number_write(part, z[1], "", e);
    ps__entry_text(e, both ? "j)" : "j");
}
