/* The decimal digits of a number. The locale has no say in them. */
#ifndef PS_TENSOR_DECIMAL_H
#define PS_TENSOR_DECIMAL_H

#include "dtype/dtype.h"

enum {
    PS__PLACES_MAX = 100,                 /* after the point that can be asked for */
    PS__DIGITS_MAX = 309 + PS__PLACES_MAX /* of one number: a double has at most 309 before it */
};

/* 0.DIGITS * 10^point, neither beginning nor ending with 0. Zero has no digits and point 1. */
typedef struct ps__decimal {
    int count;
    int point;
    char digits[PS__DIGITS_MAX];
} ps__decimal;

/* Of numbers that are finite and not negative. */
/* Rounded to `count` digits, at most PS__PLACES_MAX + 1. */
void ps__decimal_digits(double value, int count, ps__decimal *d);
/* Rounded to `places` after the point, at most PS__PLACES_MAX. */
void ps__decimal_places(double value, int places, ps__decimal *d);
/* The fewest digits that read back as `value` of that type; of those the closest. */
void ps__decimal_shortest(ps_dtype dtype, double value, ps__decimal *d);

/* `value` rounded to the type. */
double ps__decimal_in_type(ps_dtype dtype, double value);

static inline char ps__decimal_at(const ps__decimal *d, int index)
{
    return index < 0 || index >= d->count ? '0' : d->digits[index];
}

/* How many digits are written before the point, and how many are needed after it. */
static inline int ps__decimal_before(const ps__decimal *d)
{
    return d->point > 1 ? d->point : 1;
}

static inline int ps__decimal_after(const ps__decimal *d)
{
    return d->count > d->point ? d->count - d->point : 0;
}

static inline int ps__decimal_exponent(const ps__decimal *d)
{
    return d->point - 1;
}

#endif
