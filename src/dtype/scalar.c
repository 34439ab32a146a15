/* Numbers of the calling language to elements and back. Elements are read and written by memcpy:
 * they may lie anywhere. */
#include <inttypes.h>

#include "base/error.h"
#include "dtype/dtype.h"

#include <math.h>
#include <string.h>

#include "dtype/convert.h"
#include "dtype/half.h"

/* ---- To an element ---------------------------------------------------------------------- */

/* The real part; integers exactly. */
static ps_scalar real_of(ps_scalar scalar)
{
    ps_scalar real = scalar;
    if (scalar.tag == PS_SCALAR_COMPLEX) {
        real.tag = PS_SCALAR_DOUBLE;
        real.as.d = scalar.as.z[0];
    } else if (scalar.tag == PS_SCALAR_BOOL) {
        real.tag = PS_SCALAR_INT64;
        real.as.i = scalar.as.b;
    }
    return real;
}

static double imaginary_of(ps_scalar scalar)
{
    return scalar.tag == PS_SCALAR_COMPLEX ? scalar.as.z[1] : 0;
}

static bool is_true(ps_scalar scalar)
{
    ps_scalar real = real_of(scalar);
    if (real.tag == PS_SCALAR_DOUBLE)
        return real.as.d != 0 || imaginary_of(scalar) != 0;
    return real.as.u != 0;
}

/* As a 64-bit pattern whose low bits are the element; saturated to the element's range if it comes
 * from a float. */
static uint64_t integer_bits(ps_scalar real, ps_dtype dtype)
{
    if (real.tag != PS_SCALAR_DOUBLE)
        return real.as.u;
    double d = real.as.d;
    switch (dtype) {
    case PS_INT8:
        return (uint64_t)ps__double_to_int8(d);
    case PS_INT16:
        return (uint64_t)ps__double_to_int16(d);
    case PS_INT32:
        return (uint64_t)ps__double_to_int32(d);
    case PS_INT64:
        return (uint64_t)ps__double_to_int64(d);
    case PS_UINT8:
        return ps__double_to_uint8(d);
    case PS_UINT16:
        return ps__double_to_uint16(d);
    case PS_UINT32:
        return ps__double_to_uint32(d);
    default:
        return ps__double_to_uint64(d);
    }
}

static void store_integer(uint64_t bits, size_t bytes, void *element)
{
    uint8_t b8 = (uint8_t)bits;
    uint16_t b16 = (uint16_t)bits;
    uint32_t b32 = (uint32_t)bits;
    const void *const from[] = {[1] = &b8, [2] = &b16, [4] = &b32, [8] = &bits};
    memcpy(element, from[bytes], bytes);
}

static double double_of(ps_scalar real)
{
    if (real.tag == PS_SCALAR_DOUBLE)
        return real.as.d;
    return real.tag == PS_SCALAR_INT64 ? (double)real.as.i : (double)real.as.u;
}

/* Integers without a double in between, which would round twice. */
static float float_of(ps_scalar real)
{
    if (real.tag == PS_SCALAR_DOUBLE)
        return (float)real.as.d;
    return real.tag == PS_SCALAR_INT64 ? (float)real.as.i : (float)real.as.u;
}

/* For rounding to 16 bits later. */
static double odd_double_of(ps_scalar real)
{
    if (real.tag == PS_SCALAR_DOUBLE)
        return real.as.d;
    return real.tag == PS_SCALAR_INT64 ? ps__int64_to_odd_double(real.as.i)
                                       : ps__uint64_to_odd_double(real.as.u);
}

static void store_float(ps_scalar real, ps_dtype dtype, void *element)
{
    if (dtype == PS_FLOAT32) {
        float f = float_of(real);
        memcpy(element, &f, sizeof f);
    } else if (dtype == PS_FLOAT64) {
        double d = double_of(real);
        memcpy(element, &d, sizeof d);
    } else {
        double odd = odd_double_of(real);
        uint16_t half =
            dtype == PS_BFLOAT16 ? ps__bfloat16_from_double(odd) : ps__float16_from_double(odd);
        memcpy(element, &half, sizeof half);
    }
}

void ps__scalar_cast(ps_scalar scalar, ps_dtype dtype, void *element)
{
    size_t bytes = ps__dtype_bytes(dtype);
    ps_scalar real = real_of(scalar);
    switch (ps__dtype_kind_of(dtype)) {
    case PS__KIND_BOOL:
        store_integer(is_true(scalar), bytes, element);
        break;
    case PS__KIND_UNSIGNED:
    case PS__KIND_SIGNED:
        store_integer(integer_bits(real, dtype), bytes, element);
        break;
    case PS__KIND_FLOAT:
        store_float(real, dtype, element);
        break;
    case PS__KIND_COMPLEX: {
        ps_dtype part = (ps_dtype)ps__dtypes[dtype].real;
        ps_scalar imaginary = {.tag = PS_SCALAR_DOUBLE, .as.d = imaginary_of(scalar)};
        store_float(real, part, element);
        store_float(imaginary, part, (char *)element + bytes / 2);
        break;
    }
    }
}

/* ---- With checks ------------------------------------------------------------------------ */

/* Whether a whole number lies in the range of an integer type, or of bool: 0 and 1. */
static bool integer_fits(ps_scalar whole, ps_dtype dtype)
{
    bool negative = whole.tag == PS_SCALAR_INT64 && whole.as.i < 0;
    if (dtype == PS_BOOL)
        return whole.as.u <= 1;
    unsigned bits = 8 * (unsigned)ps__dtype_bytes(dtype);
    if (ps__dtype_kind_of(dtype) == PS__KIND_UNSIGNED)
        return !negative && whole.as.u <= UINT64_MAX >> (64 - bits);
    return negative ? whole.as.i >= INT64_MIN >> (64 - bits)
                    : whole.as.u <= (uint64_t)INT64_MAX >> (64 - bits);
}

/* A double that is a whole number, as one; false if it is not, or beyond 64 bits. */
static bool whole_of(double d, ps_scalar *whole)
{
    if (!(d >= -0x1p63 && d < 0x1p64) || d != trunc(d))
        return false;
    whole->tag = d < 0 ? PS_SCALAR_INT64 : PS_SCALAR_UINT64;
    if (d < 0)
        whole->as.i = (int64_t)d;
    else
        whole->as.u = (uint64_t)d;
    return true;
}

bool ps__scalar_store(ps_scalar scalar, ps_dtype dtype, void *element)
{
    ps__dtype_kind kind = ps__dtype_kind_of(dtype);
    double imaginary = imaginary_of(scalar);
    if (kind != PS__KIND_COMPLEX && imaginary != 0) /* NaN too */
        return false;
    if (kind < PS__KIND_FLOAT) {
        ps_scalar whole = real_of(scalar);
        if (whole.tag == PS_SCALAR_DOUBLE && !whole_of(whole.as.d, &whole))
            return false;
        if (!integer_fits(whole, dtype))
            return false;
    }
    ps__scalar_cast(scalar, dtype, element);
    return true;
}

/* ---- From an element -------------------------------------------------------------------- */

static uint64_t load_bits(size_t bytes, const void *element)
{
    uint8_t b8;
    uint16_t b16;
    uint32_t b32;
    uint64_t b64;
    switch (bytes) {
    case 1:
        memcpy(&b8, element, 1);
        return b8;
    case 2:
        memcpy(&b16, element, 2);
        return b16;
    case 4:
        memcpy(&b32, element, 4);
        return b32;
    default:
        memcpy(&b64, element, 8);
        return b64;
    }
}

static int64_t extend_sign(uint64_t bits, size_t bytes)
{
    unsigned shift = 64 - 8 * (unsigned)bytes;
    return (int64_t)(bits << shift) >> shift;
}

static double load_float(ps_dtype dtype, const void *element)
{
    uint64_t bits = load_bits(ps__dtype_bytes(dtype), element);
    double d;
    switch (dtype) {
    case PS_FLOAT16:
        return ps__float16_to_float((uint16_t)bits);
    case PS_BFLOAT16:
        return ps__bfloat16_to_float((uint16_t)bits);
    case PS_FLOAT32:
        return ps__float_of_bits((uint32_t)bits);
    default:
        memcpy(&d, &bits, sizeof d);
        return d;
    }
}

ps_scalar ps__scalar_load(ps_dtype dtype, const void *element)
{
    ps_scalar scalar = {0};
    size_t bytes = ps__dtype_bytes(dtype);
    ps_dtype part = (ps_dtype)ps__dtypes[dtype].real;
    switch (ps__dtype_kind_of(dtype)) {
    case PS__KIND_BOOL:
        scalar.tag = PS_SCALAR_BOOL;
        scalar.as.b = load_bits(1, element) != 0;
        break;
    case PS__KIND_UNSIGNED:
        scalar.tag = dtype == PS_UINT64 ? PS_SCALAR_UINT64 : PS_SCALAR_INT64;
        scalar.as.u = load_bits(bytes, element);
        break;
    case PS__KIND_SIGNED:
        scalar.tag = PS_SCALAR_INT64;
        scalar.as.i = extend_sign(load_bits(bytes, element), bytes);
        break;
    case PS__KIND_FLOAT:
        scalar.tag = PS_SCALAR_DOUBLE;
        scalar.as.d = load_float(dtype, element);
        break;
    case PS__KIND_COMPLEX:
        scalar.tag = PS_SCALAR_COMPLEX;
        scalar.as.z[0] = load_float(part, element);
        scalar.as.z[1] = load_float(part, (const char *)element + bytes / 2);
        break;
    }
    return scalar;
}

ps_status ps__scalar_refuse(const char *what, ps_scalar scalar, ps_dtype dtype)
{
    const char *to = ps__dtypes[dtype].name;
    switch (scalar.tag) {
    case PS_SCALAR_INT64:
        return ps__fail(PS_ERR_ARGUMENT, "%s: %" PRId64 " is out of range for %s", what,
                        scalar.as.i, to);
    case PS_SCALAR_UINT64:
        return ps__fail(PS_ERR_ARGUMENT, "%s: %" PRIu64 " is out of range for %s", what,
                        scalar.as.u, to);
    case PS_SCALAR_DOUBLE:
        return ps__fail(PS_ERR_ARGUMENT, "%s: %g does not fit into %s", what, scalar.as.d, to);
    case PS_SCALAR_COMPLEX:
        return ps__fail(PS_ERR_ARGUMENT, "%s: %g%+gi does not fit into %s", what, scalar.as.z[0],
                        scalar.as.z[1], to);
    default:
        return ps__fail(PS_ERR_ARGUMENT, "%s: a bool does not fit into %s", what, to);
    }
}
