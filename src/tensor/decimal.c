/* The decimal digits of a number, by the C library's printf and strtod.
 *
 * Invariants
 *   1. The locale has no say: the C library's point is skipped when its digits are read, and what
 *      is given to it to parse has no point.
 *   2. The rounding is that of the exact value, half to even: the caller has set the plain
 *      floating-point mode. */
#include "tensor/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What printf writes: the digits, a point of a few bytes, an exponent. */
enum { TEXT_MAX = PS__DIGITS_MAX + 32 };

/* Reads what printf wrote, up to an exponent. */
static void read_digits(const char *text, ps__decimal *d)
{
    for (d->count = 0; *text != '\0' && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (d->count > 0 || *text != '0'))
            d->digits[d->count++] = *text;
}

static void finish_digits(ps__decimal *d)
{
    while (d->count > 0 && d->digits[d->count - 1] == '0')
        d->count--;
    if (d->count == 0)
        d->point = 1;
}

void ps__decimal_digits(double value, int count, ps__decimal *d)
{
    char text[TEXT_MAX];
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    read_digits(text, d);
    d->point = atoi(strchr(text, 'e') + 1) + 1;
    finish_digits(d);
}

void ps__decimal_places(double value, int places, ps__decimal *d)
{
    char text[TEXT_MAX];
    snprintf(text, sizeof text, "%.*f", places, value);
    read_digits(text, d);
    d->point = d->count - places;
    finish_digits(d);
}

double ps__decimal_in_type(ps_dtype dtype, double value)
{
    uint64_t element;
    ps__scalar_cast((ps_scalar){.tag = PS_SCALAR_DOUBLE, .as.d = value}, dtype, &element);
    return ps__scalar_load(dtype, &element).as.d;
}

static bool reads_back(ps_dtype dtype, const ps__decimal *d, double value)
{
    char text[TEXT_MAX];
    snprintf(text, sizeof text, "%.*se%d", d->count, d->digits, d->point - d->count);
    if (dtype == PS_FLOAT32) /* rounded once */
        return (double)strtof(text, NULL) == value;
    return ps__decimal_in_type(dtype, strtod(text, NULL)) == value;
}

/* The next larger decimal of `count` digits. */
static void step_up(ps__decimal *d, int count)
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

/* The closest decimal may lie below a power of two, where the numbers that read back end sooner
 * than above it: then the next one up is tried. */
void ps__decimal_shortest(ps_dtype dtype, double value, ps__decimal *d)
{
    d->count = 0;
    d->point = 1;
    for (int count = sure_digits(dtype, value); value != 0 && count < 18; count++) {
        ps__decimal_digits(value, count, d);
        if (reads_back(dtype, d, value))
            return;
        step_up(d, count);
        if (reads_back(dtype, d, value))
            return;
    }
}
