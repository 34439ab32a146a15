/* Numbers in the place of others: nan_to_num, round_to. */
#include "base/error.h"
#include "ops/compose.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- NaN and infinities ------------------------------------------------------------------ */

/* The largest finite number of a floating-point type. */
static double largest(ps_dtype dtype)
{
    switch (dtype) {
    case PS_FLOAT16:
        return 65504;
    case PS_BFLOAT16:
        return 0x1.fep127;
    case PS_FLOAT32:
        return (double)FLT_MAX;
    default:
        return DBL_MAX;
    }
}

/* An argument that may be left out, as a number. */
static ps_arg number_or(const ps_arg *given, double otherwise)
{
    return given->kind == PS_ARG_NONE ? ps__arg_double(otherwise) : *given;
}

/* x with a number where it equals another. */
static ps_arg instead(ps__compose *c, ps_arg x, double of, ps_arg number)
{
    return PS__MADE(c, "where", PS__MADE(c, "equal", x, ps__arg_double(of)), number, x);
}

ps_status ps__op_nan_to_num(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    ps_tensor *given = ps__compose_tensor(&c, 0);
    if (given == NULL ||
        !ps__compose_result(&c, (ps_dtype)given->dtype, given->ndim, ps__shape(given)))
        return ps__compose_end(&c);
    ps_arg x = ps__arg_tensor(given);
    if (PS__SET_FLOAT >> given->dtype & 1) {
        double most = largest((ps_dtype)given->dtype);
        ps_arg unknown = PS__MADE(&c, "isnan", x);
        x = instead(&c, x, -INFINITY, number_or(&call->args[3], -most));
        x = instead(&c, x, INFINITY, number_or(&call->args[2], most));
        PS__GIVE(&c, "where", unknown, call->args[1], x);
    } else {
        PS__GIVE(&c, "copy", x);
    }
    return ps__compose_end(&c);
}

/* ---- decimals ---------------------------------------------------------------------------- */

enum {
    MOST_DECIMALS = 308, /* powers of ten beyond that no type has, */
    INT_DECIMALS = 18    /* nor int64 beyond that */
};

/* Integers to a multiple of the unit, halves to the even multiple, in 64 bits. */
static ps_tensor *rounded_integers(ps__compose *c, ps_tensor *x, int64_t unit)
{
    bool natural = PS__SET_UNSIGNED >> x->dtype & 1;
    ps_arg wide = ps__arg_tensor(ps__compose_cast(c, x, natural ? PS_UINT64 : PS_INT64));
    ps_arg step = ps__arg_int(unit), two = ps__arg_int(2), half = ps__arg_int(unit / 2);
    ps_arg whole = PS__MADE(c, "floor_divide", wide, step);
    ps_arg rest = PS__MADE(c, "remainder", wide, step);
    ps_arg odd = PS__MADE(c, "equal", PS__MADE(c, "remainder", whole, two), ps__arg_int(1));
    ps_arg tie = PS__MADE(c, "logical_and", PS__MADE(c, "equal", rest, half), odd);
    ps_arg up = PS__MADE(c, "logical_or", PS__MADE(c, "greater", rest, half), tie);
    return PS__MAKE(c, "multiply", PS__MADE(c, "add", whole, up), step);
}

static int64_t integer_power(int exponent)
{
    int64_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* Of integers only tens and more are rounded. */
static void round_integers(ps__compose *c, ps_tensor *x, int decimals)
{
    if (decimals > 0) {
        PS__GIVE(c, "copy", ps__arg_tensor(x));
    } else if (-decimals > INT_DECIMALS) {
        PS__GIVE(c, "multiply", ps__arg_tensor(x), ps__arg_int(0));
    } else {
        ps_tensor *wide = rounded_integers(c, x, integer_power(-decimals));
        ps__compose_hand(c, ps__compose_cast(c, wide, (ps_dtype)x->dtype));
    }
}

static void round_floats(ps__compose *c, ps_tensor *x, int decimals)
{
    bool fine = decimals > 0;
    ps_arg scale = ps__arg_double(pow(10, abs(decimals)));
    ps_arg scaled = PS__MADE(c, fine ? "multiply" : "divide", ps__arg_tensor(x), scale);
    PS__GIVE(c, fine ? "divide" : "multiply", PS__MADE(c, "round", scaled), scale);
}

static bool round_begin(ps__compose *c, const ps_tensor *x, int64_t decimals)
{
    if (c->status != PS_OK)
        return false;
    if (x->dtype == PS_BOOL)
        c->status = ps__fail(PS_ERR_TYPE, "round_to: no rule for bool");
    else if (decimals < -MOST_DECIMALS || decimals > MOST_DECIMALS)
        c->status =
            ps__fail(PS_ERR_ARGUMENT, "round_to: decimals must be from -%d to %d, not %" PRId64,
                     MOST_DECIMALS, MOST_DECIMALS, decimals);
    return ps__compose_result(c, (ps_dtype)x->dtype, x->ndim, ps__shape(x));
}

ps_status ps__op_round_to(const ps__bound_call *call)
{
    ps__compose c;
    int64_t decimals = call->args[1].as.integer;
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0);
    if (round_begin(&c, x, decimals)) {
        if (decimals == 0)
            PS__GIVE(&c, "round", call->args[0]);
        else if (ps__dtype_is_integer((ps_dtype)x->dtype))
            round_integers(&c, x, (int)decimals);
        else
            round_floats(&c, x, (int)decimals);
    }
    return ps__compose_end(&c);
}
