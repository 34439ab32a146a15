/* Distances are counted on the bits as integers in the order of the values, which also puts the
 * infinities one step beyond the largest finite values. */
#include "kernels/support/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/support/vectors.h"

typedef struct format {
    unsigned bytes, fraction_bits;
    int least; /* exponent of the smallest normal value */
} format;

static format format_of(ps_dtype dtype)
{
    switch (dtype) {
    case PS_FLOAT16:
        return (format){2, 10, -14};
    case PS_BFLOAT16:
        return (format){2, 7, -126};
    case PS_FLOAT32:
    case PS_COMPLEX64:
        return (format){4, 23, -126};
    default:
        return (format){8, 52, -1022};
    }
}

static uint64_t load(const void *at, unsigned bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, at, bytes); /* little endian, as all of x86-64 */
    return bits;
}

static uint64_t sign_of(format form)
{
    return (uint64_t)1 << (8 * form.bytes - 1);
}

static uint64_t infinity_of(format form)
{
    return (sign_of(form) - 1) >> form.fraction_bits << form.fraction_bits;
}

static bool is_nan(format form, uint64_t bits)
{
    return (bits & ~sign_of(form)) > infinity_of(form);
}

static bool is_infinite(format form, uint64_t bits)
{
    return (bits & ~sign_of(form)) == infinity_of(form);
}

/* A place on the line of all values; the two zeros are one step apart. */
static int64_t place(format form, uint64_t bits)
{
    uint64_t size = bits & ~sign_of(form);
    return bits & sign_of(form) ? -1 - (int64_t)size : (int64_t)size;
}

static bool same_part(format form, uint64_t a, uint64_t b)
{
    return a == b || (is_nan(form, a) && is_nan(form, b));
}

bool same_bits(ps_dtype dtype, const void *a, const void *b)
{
    size_t bytes = ps__dtype_bytes(dtype);
    if (memcmp(a, b, bytes) == 0)
        return true;
    if (!ps__dtype_is_inexact(dtype))
        return false;
    format form = format_of(dtype);
    for (size_t at = 0; at < bytes; at += form.bytes) {
        if (!same_part(form, load((const char *)a + at, form.bytes),
                       load((const char *)b + at, form.bytes)))
            return false;
    }
    return true;
}

/* What steps cannot say: NaN and signs of zero. Else they can. */
static bool special(format form, uint64_t expected, uint64_t got, bool any_sign, double *error)
{
    if (any_sign) {
        expected &= ~sign_of(form);
        got &= ~sign_of(form);
    }
    bool zeros = !((expected | got) & ~sign_of(form));
    if (same_part(form, expected, got))
        *error = 0;
    else if (is_nan(form, expected) || is_nan(form, got) || zeros)
        *error = INFINITY;
    else
        return false;
    return true;
}

static double real_error(format form, uint64_t expected, uint64_t got, bool any_sign)
{
    double error;
    if (special(form, expected, got, any_sign, &error))
        return error;
    double steps = (double)place(form, got) - (double)place(form, expected);
    /* Far apart, the difference of two rounded integers is as good as any. */
    if (fabs(steps) < 0x1p50)
        steps = (double)(place(form, got) - place(form, expected));
    return fabs(steps);
}

static long double value(format form, uint64_t bits)
{
    if (form.bytes == 4) {
        uint32_t narrow = (uint32_t)bits;
        float x;
        memcpy(&x, &narrow, sizeof x);
        return x;
    }
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The unit in the last place of the larger part that is finite. */
static long double unit(format form, const uint64_t *parts)
{
    uint64_t top = 0;
    for (int i = 0; i < 2; i++) {
        uint64_t size = parts[i] & ~sign_of(form);
        if (size < infinity_of(form) && size > top)
            top = size;
    }
    int exponent = top ? ilogbl(value(form, top)) : form.least;
    if (exponent < form.least)
        exponent = form.least;
    return ldexpl(1, exponent - (int)form.fraction_bits);
}

static double complex_error(ps_dtype dtype, const void *expected, const void *got, unsigned free)
{
    format form = format_of(dtype);
    uint64_t want[2], have[2];
    for (unsigned i = 0; i < 2; i++) {
        want[i] = load((const char *)expected + i * form.bytes, form.bytes);
        have[i] = load((const char *)got + i * form.bytes, form.bytes);
    }
    if (free & FREE_INFINITY)
        return is_infinite(form, have[0]) || is_infinite(form, have[1]) ? 0 : INFINITY;
    double worst = 0;
    for (int i = 0; i < 2; i++) {
        double error;
        bool any_sign = free & (i ? FREE_IMAG_SIGN : FREE_REAL_SIGN);
        if (free & (i ? FREE_IMAG : FREE_REAL))
            continue;
        if (!special(form, want[i], have[i], any_sign, &error)) {
            long double x = value(form, want[i]), y = value(form, have[i]);
            error = isinf(x) || isinf(y) ? real_error(form, want[i], have[i], any_sign)
                                         : (double)(fabsl(x - y) / unit(form, want));
        }
        worst = fmax(worst, error);
    }
    return worst;
}

double error_ulp(ps_dtype dtype, const void *expected, const void *got, unsigned free)
{
    if (!ps__dtype_is_inexact(dtype))
        return memcmp(expected, got, ps__dtype_bytes(dtype)) ? INFINITY : 0;
    if (ps__dtype_kind_of(dtype) == PS__KIND_COMPLEX)
        return complex_error(dtype, expected, got, free);
    if (free & FREE_REAL)
        return 0;
    format form = format_of(dtype);
    return real_error(form, load(expected, form.bytes), load(got, form.bytes),
                      free & FREE_REAL_SIGN);
}

const char *element_text(ps_dtype dtype, const void *element, char *text, size_t size)
{
    double parts[2];
    float narrow[2];
    int64_t whole = 0;
    size_t bytes = ps__dtype_bytes(dtype);
    switch (dtype) {
    case PS_FLOAT32:
        memcpy(narrow, element, sizeof narrow[0]);
        snprintf(text, size, "%.9g (%a)", narrow[0], narrow[0]);
        break;
    case PS_FLOAT64:
        memcpy(parts, element, sizeof parts[0]);
        snprintf(text, size, "%.17g (%a)", parts[0], parts[0]);
        break;
    case PS_COMPLEX64:
        memcpy(narrow, element, sizeof narrow);
        snprintf(text, size, "%.9g%+.9gi", narrow[0], narrow[1]);
        break;
    case PS_COMPLEX128:
        memcpy(parts, element, sizeof parts);
        snprintf(text, size, "%.17g%+.17gi", parts[0], parts[1]);
        break;
    default:
        memcpy(&whole, element, bytes);
        snprintf(text, size, "0x%llx", (unsigned long long)whole);
    }
    return text;
}
