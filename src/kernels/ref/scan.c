/* Running sums and products, for each element type. Integers are taken as unsigned ones: they wrap
 * around, and the bits are those of signed ones. */
#include "kernels/scan.h"
#include "kernels/ref/names.inc"

#define PLUS(a, b) ((a) + (b))
/* Promoted to unsigned first: two of 16 bits would be multiplied as int, which may overflow. */
#define TIMES(a, b) (1u * (a) * (b))
#define TIMES_FLOAT(a, b) ((a) * (b))

#define T uint8_t
#define TAG sum_8
#define OP PLUS
#include "kernels/ref/scan.inc"
#define T uint16_t
#define TAG sum_16
#define OP PLUS
#include "kernels/ref/scan.inc"
#define T uint32_t
#define TAG sum_32
#define OP PLUS
#include "kernels/ref/scan.inc"
#define T uint64_t
#define TAG sum_64
#define OP PLUS
#include "kernels/ref/scan.inc"
#define T float
#define TAG sum_float
#define OP PLUS
#include "kernels/ref/scan.inc"
#define T double
#define TAG sum_double
#define OP PLUS
#include "kernels/ref/scan.inc"

#define T uint8_t
#define TAG product_8
#define OP TIMES
#include "kernels/ref/scan.inc"
#define T uint16_t
#define TAG product_16
#define OP TIMES
#include "kernels/ref/scan.inc"
#define T uint32_t
#define TAG product_32
#define OP TIMES
#include "kernels/ref/scan.inc"
#define T uint64_t
#define TAG product_64
#define OP TIMES
#include "kernels/ref/scan.inc"
#define T float
#define TAG product_float
#define OP TIMES_FLOAT
#include "kernels/ref/scan.inc"
#define T double
#define TAG product_double
#define OP TIMES_FLOAT
#include "kernels/ref/scan.inc"

/* Of complex numbers each part by itself. */
static void scan_sum_complex64(size_t n, void *out, const void *in, void *carry)
{
    const ps__complex64 *a = in;
    ps__complex64 *o = out, value = *(ps__complex64 *)carry;
    for (size_t i = 0; i < n; i++) {
        value.re += a[i].re;
        value.im += a[i].im;
        o[i] = value;
    }
    *(ps__complex64 *)carry = value;
}

static void scan_sum_complex128(size_t n, void *out, const void *in, void *carry)
{
    const ps__complex128 *a = in;
    ps__complex128 *o = out, value = *(ps__complex128 *)carry;
    for (size_t i = 0; i < n; i++) {
        value.re += a[i].re;
        value.im += a[i].im;
        o[i] = value;
    }
    *(ps__complex128 *)carry = value;
}

ps__scan_fn ps__scan_get(ps__prim prim, ps_dtype dtype)
{
    static const ps__scan_fn sums[] =
        {[1] = scan_sum_8, [2] = scan_sum_16, [4] = scan_sum_32, [8] = scan_sum_64};
    static const ps__scan_fn products[] =
        {[1] = scan_product_8, [2] = scan_product_16, [4] = scan_product_32, [8] = scan_product_64};
    bool sum = prim == PS__PRIM_add;
    switch (dtype) {
    case PS_FLOAT32:
        return sum ? scan_sum_float : scan_product_float;
    case PS_FLOAT64:
        return sum ? scan_sum_double : scan_product_double;
    case PS_COMPLEX64:
        return sum ? scan_sum_complex64 : NULL;
    case PS_COMPLEX128:
        return sum ? scan_sum_complex128 : NULL;
    default:
        return (sum ? sums : products)[ps__dtype_bytes(dtype)];
    }
}
