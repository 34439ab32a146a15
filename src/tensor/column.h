/* Numbers as entries of a text: how all numbers of a tensor are written, so that they align.
 *
 * A column is begun, sees all numbers that will be shown, decides between 12.5 and 1.25e+01,
 * measures them all once more, and is finished; then it writes any of them. */
#ifndef PS_TENSOR_COLUMN_H
#define PS_TENSOR_COLUMN_H

#include "tensor/decimal.h"
#include "tensor/style.h"

/* Any element: a complex one has two numbers, each with a sign, a point and an exponent. */
enum { PS__ENTRY_MAX = 2 * (PS__DIGITS_MAX + 16) };

typedef struct ps__entry {
    int length;
    char text[PS__ENTRY_MAX];
} ps__entry;

typedef struct ps__column {
    const ps__style *style;
    ps_dtype dtype; /* of these numbers: for complex elements a part's */
    int precision;  /* digits after the point, at most */
    bool plus;      /* positive numbers have a sign */
    /* What was seen: */
    double largest, smallest; /* finite, not 0, without sign */
    bool fraction;            /* one that is not whole */
    bool special;             /* infinities or NaN */
    bool minus_infinity;
    /* What follows from it: */
    bool scientific;
    bool point;   /* is written even if no digits follow */
    int left;     /* bytes before the point */
    int right;    /* digits after it; all have them if scientific or fixed, else spaces fill up */
    int exponent; /* digits of the exponent, at least */
    int width;    /* of the elements, as far as they align */
} ps__column;

void ps__entry_text(ps__entry *e, const char *text);
/* Moves what was added since the entry was `from` long to the end of `width` bytes. */
void ps__entry_align(ps__entry *e, int from, int width);

/* Of a tensor of that type, or of the real or imaginary parts of its elements. */
void ps__column_begin(ps__column *c, const ps__style *style, ps_dtype dtype, int precision,
                      bool imaginary);
void ps__column_see(ps__column *c, double value);
/* `scientific` as in ps_format_options. */
void ps__column_choose(ps__column *c, int scientific);
void ps__column_measure(ps__column *c, double value);
void ps__column_finish(ps__column *c);

/* The number without spaces before it; ps__entry_align does that. */
void ps__column_write(const ps__column *c, double value, ps__entry *e);

/* By itself, not as the others of its column: if it is `cut` without a fraction where it is whole. */
void ps__column_write_each(const ps__column *c, double value, bool cut, ps__entry *e);
/* Spaces behind it, to `width` bytes; one of them before it if it is `shifted`. */
void ps__entry_fill(ps__entry *e, int width, bool shifted);

/* A number on its own: all the digits that it needs. `whole` follows those without a fraction. */
void ps__number_write(ps_dtype dtype, double value, const char *whole, ps__entry *e);
/* Of the type of its parts. */
void ps__complex_write(ps_dtype part, const double z[2], ps__entry *e);

#endif
