/* The value of a row's expression for real operands: another reading of the language than the
 * library's, in long double and the C library's functions, or in integers that wrap.
 *
 * Each step of floats adds 4 units in the last place to the error, besides what the errors of its
 * operands do, which is found by moving each of them by its error. So subtracting what is nearly
 * equal, or cutting, allows as much as it must and no more. */
#include "table.h"

#include "dtype/dtype.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_ULPS = 4 };

/* ---- types ------------------------------------------------------------------------------- */

typedef struct float_format {
    int digits, least; /* bits of the fraction with its leading one; exponent of the smallest */
    long double largest;
} float_format;

static float_format format_of(ps_dtype dtype)
{
    switch (dtype) {
    case PS_FLOAT16:
        return (float_format){11, -24, 65504};
    case PS_BFLOAT16:
        return (float_format){8, -133, 0x1.fep127L};
    case PS_FLOAT32:
        return (float_format){24, -149, 0x1.fffffep127L};
    default:
        return (float_format){53, -1074, 0x1.fffffffffffffp1023L};
    }
}

long double table_ulp(ps_dtype dtype, long double number)
{
    float_format format = format_of(dtype);
    if (!isfinite(number) || number == 0)
        return ldexpl(1, format.least);
    int exponent;
    (void)frexpl(number, &exponent);
    exponent -= format.digits;
    return ldexpl(1, exponent < format.least ? format.least : exponent);
}

long double table_largest(ps_dtype dtype)
{
    return format_of(dtype).largest;
}

static bool is_signed(ps_dtype dtype)
{
    return dtype == PS_INT8 || dtype == PS_INT16 || dtype == PS_INT32 || dtype == PS_INT64;
}

static int bits_of(ps_dtype dtype)
{
    return 8 * (int)ps_dtype_bytes(dtype);
}

/* The low bits, with the sign that the type gives them. */
static int64_t wrapped(ps_dtype dtype, uint64_t bits)
{
    int unused = 64 - bits_of(dtype);
    if (dtype == PS_BOOL)
        return bits != 0;
    return is_signed(dtype) ? (int64_t)(bits << unused) >> unused
                            : (int64_t)(bits << unused >> unused);
}

static long double whole_number(ps_dtype dtype, int64_t whole)
{
    return is_signed(dtype) ? (long double)whole : (long double)(uint64_t)whole;
}

table_quantity table_quantity_of(ps_dtype dtype, const void *element)
{
    ps_scalar scalar = ps__scalar_load(dtype, element);
    table_quantity q = {.dtype = dtype};
    if (table_is_float(dtype))
        q.number = scalar.as.d;
    else
        q.whole = scalar.tag == PS_SCALAR_BOOL ? scalar.as.b : scalar.as.i;
    return q;
}

table_quantity table_quantity_from(ps_dtype dtype, double number)
{
    if (dtype == PS_FLOAT32)
        return (table_quantity){.dtype = dtype, .number = (float)number};
    if (dtype == PS_FLOAT64)
        return (table_quantity){.dtype = dtype, .number = number};
    return (table_quantity){.dtype = dtype, .whole = wrapped(dtype, (uint64_t)(int64_t)number)};
}

table_quantity table_quantity_as(table_quantity from, ps_dtype dtype)
{
    table_quantity to = {.dtype = dtype, .error = from.error};
    if (from.dtype == dtype)
        return from;
    bool floats = table_is_float(from.dtype);
    long double number = floats ? from.number : whole_number(from.dtype, from.whole);
    if (dtype == PS_BOOL)
        to.whole = number != 0;
    else if (!table_is_float(dtype))
        to.whole = floats ? (int64_t)number : wrapped(dtype, (uint64_t)from.whole);
    else
        to.number = dtype == PS_FLOAT32   ? (long double)(float)number
                    : dtype == PS_FLOAT64 ? (long double)(double)number
                                          : number; /* a small one: 16 bits hold it */
    return to;
}

/* ---- floats ------------------------------------------------------------------------------ */

static long double floored_quotient(long double a, long double b)
{
    if (b == 0)
        return a / b;
    long double rest = fmodl(a, b);
    if (rest != 0 && (rest < 0) != (b < 0))
        rest += b;
    return rintl((a - rest) / b);
}

static long double floored_rest(long double a, long double b)
{
    long double rest = fmodl(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static long double log_of_sum(long double a, long double b)
{
    long double high = a > b ? a : b;
    return a == b ? a + logl(2) : high + log1pl(expl(-fabsl(a - b)));
}

static long double add(long double a, long double b)
{
    return a + b;
}
static long double subtract(long double a, long double b)
{
    return a - b;
}
static long double multiply(long double a, long double b)
{
    return a * b;
}
static long double divide(long double a, long double b)
{
    return a / b;
}
static long double minimum(long double a, long double b)
{
    return a < b || isnan(a) ? a : b;
}
static long double maximum(long double a, long double b)
{
    return a > b || isnan(a) ? a : b;
}
static long double equal(long double a, long double b)
{
    return a == b;
}
static long double not_equal(long double a, long double b)
{
    return a != b;
}
static long double less(long double a, long double b)
{
    return a < b;
}
static long double less_equal(long double a, long double b)
{
    return a <= b;
}
static long double greater(long double a, long double b)
{
    return a > b;
}
static long double greater_equal(long double a, long double b)
{
    return a >= b;
}
static long double negative(long double a)
{
    return -a;
}
static long double sign(long double a)
{
    return a > 0 ? 1 : a < 0 ? -1 : a;
}
static long double square(long double a)
{
    return a * a;
}
static long double reciprocal(long double a)
{
    return 1 / a;
}
static long double same(long double a)
{
    return a;
}
static long double zero(long double a)
{
    return 0 * a;
}
static long double is_nan(long double a)
{
    return isnan(a);
}
static long double is_inf(long double a)
{
    return isinf(a) != 0;
}
static long double is_finite(long double a)
{
    return isfinite(a);
}
static long double sign_bit(long double a)
{
    return signbit(a) != 0;
}
static long double relu(long double a)
{
    return a > 0 ? a : 0;
}

typedef struct function {
    const char *name;
    long double (*one)(long double a);
    long double (*two)(long double a, long double b);
    bool gives_bool;
} function;

static const function functions[] = {
    {"add", NULL, add, false},
    {"subtract", NULL, subtract, false},
    {"multiply", NULL, multiply, false},
    {"divide", NULL, divide, false},
    {"floor_divide", NULL, floored_quotient, false},
    {"remainder", NULL, floored_rest, false},
    {"fmod", NULL, fmodl, false},
    {"minimum", NULL, minimum, false},
    {"maximum", NULL, maximum, false},
    {"pow", NULL, powl, false},
    {"atan2", NULL, atan2l, false},
    {"hypot", NULL, hypotl, false},
    {"copysign", NULL, copysignl, false},
    {"nextafter", NULL, nextafterl, false},
    {"logaddexp", NULL, log_of_sum, false},
    {"equal", NULL, equal, true},
    {"not_equal", NULL, not_equal, true},
    {"less", NULL, less, true},
    {"less_equal", NULL, less_equal, true},
    {"greater", NULL, greater, true},
    {"greater_equal", NULL, greater_equal, true},
    {"negative", negative, NULL, false},
    {"abs", fabsl, NULL, false},
    {"sign", sign, NULL, false},
    {"square", square, NULL, false},
    {"sqrt", sqrtl, NULL, false},
    {"reciprocal", reciprocal, NULL, false},
    {"floor", floorl, NULL, false},
    {"ceil", ceill, NULL, false},
    {"trunc", truncl, NULL, false},
    {"round", rintl, NULL, false},
    {"exp", expl, NULL, false},
    {"exp2", exp2l, NULL, false},
    {"expm1", expm1l, NULL, false},
    {"log", logl, NULL, false},
    {"log1p", log1pl, NULL, false},
    {"log2", log2l, NULL, false},
    {"log10", log10l, NULL, false},
    {"sin", sinl, NULL, false},
    {"cos", cosl, NULL, false},
    {"tan", tanl, NULL, false},
    {"asin", asinl, NULL, false},
    {"acos", acosl, NULL, false},
    {"atan", atanl, NULL, false},
    {"sinh", sinhl, NULL, false},
    {"cosh", coshl, NULL, false},
    {"tanh", tanhl, NULL, false},
    {"asinh", asinhl, NULL, false},
    {"acosh", acoshl, NULL, false},
    {"atanh", atanhl, NULL, false},
    {"erf", erfl, NULL, false},
    {"erfc", erfcl, NULL, false},
    {"conj", same, NULL, false},
    {"real", same, NULL, false},
    {"imag", zero, NULL, false},
    {"isnan", is_nan, NULL, true},
    {"isinf", is_inf, NULL, true},
    {"isfinite", is_finite, NULL, true},
    {"signbit", sign_bit, NULL, true},
    {"relu", relu, NULL, false},
};

static const function *find_function(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0)
            return &functions[i];
    return NULL;
}

static long double call(const function *f, const long double *a)
{
    return f->one != NULL ? f->one(a[0]) : f->two(a[0], a[1]);
}

/* How far the result moves when an operand moves by its error. */
static long double moved(const function *f, const table_quantity *args, unsigned count,
                         long double centre)
{
    long double total = 0;
    for (unsigned i = 0; i < count; i++) {
        long double most = 0;
        for (int side = -1; args[i].error != 0 && side <= 1; side += 2) {
            long double a[2] = {args[0].number, count > 1 ? args[1].number : 0};
            a[i] += side * args[i].error;
            long double distance = fabsl(call(f, a) - centre);
            if (isnan(distance) != isnan(centre) || distance > most)
                most = isnan(distance) ? INFINITY : distance;
        }
        total += most;
    }
    return total;
}

static table_quantity apply_float(const function *f, ps_dtype dtype, const table_quantity *args,
                                  unsigned count)
{
    long double a[2] = {args[0].number, count > 1 ? args[1].number : 0};
    long double value = call(f, a), size = value, error = moved(f, args, count, value);
    if (f->gives_bool)
        return (table_quantity){.dtype = PS_BOOL, .whole = value != 0, .error = error};
    /* The sum inside logaddexp is as exact as its larger term, which may cancel. */
    if (f->two == log_of_sum)
        size = fmaxl(fmaxl(fabsl(a[0]), fabsl(a[1])), 1);
    error += STEP_ULPS * table_ulp(dtype, size);
    return (table_quantity){.dtype = dtype, .number = value, .error = error};
}

/* ---- integers ---------------------------------------------------------------------------- */

static bool below(ps_dtype dtype, int64_t a, int64_t b)
{
    return is_signed(dtype) ? a < b : (uint64_t)a < (uint64_t)b;
}

static int64_t quotient(ps_dtype dtype, int64_t a, int64_t b)
{
    if (b == 0)
        return 0;
    if (!is_signed(dtype))
        return (int64_t)((uint64_t)a / (uint64_t)b);
    if (b == -1)
        return (int64_t) - (uint64_t)a;
    return a / b;
}

static int64_t cut_rest(ps_dtype dtype, int64_t a, int64_t b)
{
    return b == 0 ? 0 : (int64_t)((uint64_t)a - (uint64_t)quotient(dtype, a, b) * (uint64_t)b);
}

static int64_t rest_down(ps_dtype dtype, int64_t a, int64_t b)
{
    int64_t rest = cut_rest(dtype, a, b);
    return is_signed(dtype) && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static int64_t quotient_down(ps_dtype dtype, int64_t a, int64_t b)
{
    int64_t rest = cut_rest(dtype, a, b);
    bool down = is_signed(dtype) && rest != 0 && (rest < 0) != (b < 0);
    return (int64_t)((uint64_t)quotient(dtype, a, b) - (uint64_t)down);
}

static int64_t power(ps_dtype dtype, int64_t a, int64_t b)
{
    if (is_signed(dtype) && b < 0)
        return a == 1 ? 1 : a == -1 ? (b & 1 ? -1 : 1) : 0;
    uint64_t result = 1, base = (uint64_t)a;
    for (uint64_t left = (uint64_t)b; left != 0; left >>= 1, base *= base)
        result *= left & 1 ? base : 1;
    return (int64_t)result;
}

/* By a negative count: 0. By the width or more: what is left of the sign. */
static int64_t shift(ps_dtype dtype, int64_t a, int64_t b, bool left)
{
    bool far = (uint64_t)b >= (uint64_t)bits_of(dtype);
    if (is_signed(dtype) && b < 0)
        return 0;
    if (left)
        return far ? 0 : (int64_t)((uint64_t)a << b);
    if (is_signed(dtype))
        return a >> (far ? 63 : b);
    return far ? 0 : (int64_t)((uint64_t)a >> b);
}

/* True if it is one of two operands; bool is an integer of one bit, whose sum is "or". */
static bool whole_of_two(const char *name, ps_dtype t, int64_t a, int64_t b, int64_t *value)
{
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    const struct {
        const char *name;
        int64_t value;
    } all[] = {
        {"add", (int64_t)(t == PS_BOOL ? ua | ub : ua + ub)},
        {"subtract", (int64_t)(ua - ub)},
        {"multiply", (int64_t)(ua * ub)},
        {"floor_divide", quotient_down(t, a, b)},
        {"remainder", rest_down(t, a, b)},
        {"fmod", cut_rest(t, a, b)},
        {"pow", power(t, a, b)},
        {"minimum", below(t, a, b) ? a : b},
        {"maximum", below(t, a, b) ? b : a},
        {"equal", a == b},
        {"not_equal", a != b},
        {"less", below(t, a, b)},
        {"less_equal", !below(t, b, a)},
        {"greater", below(t, b, a)},
        {"greater_equal", !below(t, a, b)},
        {"bitwise_and", a & b},
        {"bitwise_or", a | b},
        {"bitwise_xor", a ^ b},
        {"shift_left", shift(t, a, b, true)},
        {"shift_right", shift(t, a, b, false)},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, name) == 0) {
            *value = all[i].value;
            return true;
        }
    return false;
}

static bool whole_of_one(const char *name, ps_dtype t, int64_t a, int64_t *value)
{
    bool minus = is_signed(t) && a < 0;
    uint64_t ua = (uint64_t)a;
    const struct {
        const char *name;
        int64_t value;
    } all[] = {
        {"negative", (int64_t)-ua},
        {"abs", (int64_t)(minus ? -ua : ua)},
        {"sign", minus ? -1 : a != 0},
        {"square", (int64_t)(ua * ua)},
        {"bitwise_invert", t == PS_BOOL ? !a : ~a},
        {"relu", minus ? 0 : a},
        {"floor", a},
        {"ceil", a},
        {"trunc", a},
        {"round", a},
        {"conj", a},
        {"real", a},
        {"imag", 0},
        {"isnan", 0},
        {"isinf", 0},
        {"isfinite", 1},
        {"signbit", minus},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, name) == 0) {
            *value = all[i].value;
            return true;
        }
    return false;
}

static bool gives_bool(const char *name)
{
    const function *f = find_function(name, strlen(name));
    return f != NULL && f->gives_bool;
}

/* ---- the language ------------------------------------------------------------------------ */

typedef struct reader {
    const char *at;
    const table_row *row;
    ps_dtype compute;
    const table_quantity *args;
    const char *why; /* set: stop */
} reader;

static table_quantity read_comparison(reader *r);

static table_quantity stop(reader *r, const char *why)
{
    if (r->why == NULL)
        r->why = why;
    return (table_quantity){.dtype = r->compute};
}

static bool accept(reader *r, const char *symbol)
{
    while (*r->at == ' ')
        r->at++;
    if (strncmp(r->at, symbol, strlen(symbol)) != 0)
        return false;
    r->at += strlen(symbol);
    return true;
}

static table_quantity choose(const table_quantity *args)
{
    table_quantity chosen = args[0].whole != 0 ? args[1] : args[2];
    if (args[0].error != 0) /* either may be right */
        chosen.error += fabsl(args[1].number - args[2].number) + args[1].error + args[2].error;
    return chosen;
}

static table_quantity apply(reader *r, const char *name, table_quantity *args, unsigned count)
{
    bool where = strcmp(name, "where") == 0;
    unsigned first = where ? 1 : 0;
    ps_dtype type = args[first].dtype;
    for (unsigned i = first; i < count; i++)
        type = args[i].dtype != PS_BOOL ? args[i].dtype : type;
    for (unsigned i = first; i < count; i++) {
        if (args[i].dtype != type && args[i].dtype != PS_BOOL)
            return stop(r, "operands of two types");
        args[i] = table_quantity_as(args[i], type);
    }
    if (where)
        return count == 3 ? choose(args) : stop(r, "where without three operands");
    if (table_is_float(type)) {
        const function *f = find_function(name, strlen(name));
        bool fits = f != NULL && count == (f->one != NULL ? 1u : 2u);
        return fits ? apply_float(f, type, args, count) : stop(r, "an unknown function of floats");
    }
    table_quantity value = {.dtype = gives_bool(name) ? PS_BOOL : type};
    bool known = count == 1   ? whole_of_one(name, type, args[0].whole, &value.whole)
                 : count == 2 ? whole_of_two(name, type, args[0].whole, args[1].whole, &value.whole)
                              : false;
    value.whole = wrapped(value.dtype, (uint64_t)value.whole);
    return known ? value : stop(r, "an unknown function of integers");
}

static table_quantity read_call(reader *r, const char *name)
{
    table_quantity args[3];
    unsigned count = 0;
    do {
        if (count == 3)
            return stop(r, "more than three operands");
        args[count++] = read_comparison(r);
    } while (r->why == NULL && accept(r, ","));
    if (!accept(r, ")"))
        return stop(r, "a missing )");
    return r->why == NULL ? apply(r, name, args, count) : args[0];
}

static table_quantity read_name(reader *r)
{
    char name[32];
    size_t length = 0;
    while (length < sizeof name - 1 && (isalnum((unsigned char)*r->at) || *r->at == '_'))
        name[length++] = *r->at++;
    name[length] = '\0';
    if (accept(r, "("))
        return read_call(r, name);
    int index = table_argument(r->row, name);
    return index >= 0 ? r->args[index] : stop(r, "an unknown name");
}

static table_quantity read_factor(reader *r)
{
    if (accept(r, "-")) {
        table_quantity value = read_factor(r);
        return r->why == NULL ? apply(r, "negative", &value, 1) : value;
    }
    if (accept(r, "(")) {
        table_quantity value = read_comparison(r);
        return accept(r, ")") ? value : stop(r, "a missing )");
    }
    if (!isdigit((unsigned char)*r->at))
        return isalpha((unsigned char)*r->at) ? read_name(r) : stop(r, "something unexpected");
    char *end;
    double number = strtod(r->at, &end);
    r->at = end;
    return table_quantity_from(r->compute, number);
}

typedef struct infix {
    const char *symbol, *name;
    int level;
} infix;

static const infix infixes[] = {{"<=", "less_equal", 0}, {">=", "greater_equal", 0},
                                {"==", "equal", 0},      {"!=", "not_equal", 0},
                                {"<", "less", 0},        {">", "greater", 0},
                                {"+", "add", 1},         {"-", "subtract", 1},
                                {"*", "multiply", 2},    {"/", "divide", 2}};

static table_quantity read_level(reader *r, int level)
{
    if (level == 3)
        return read_factor(r);
    table_quantity value = read_level(r, level + 1);
    for (size_t i = 0; r->why == NULL && i < sizeof infixes / sizeof infixes[0]; i++)
        if (infixes[i].level == level && accept(r, infixes[i].symbol)) {
            table_quantity args[2] = {value, read_level(r, level + 1)};
            if (r->why == NULL)
                value = apply(r, infixes[i].name, args, 2);
            i = (size_t)-1; /* from the first again */
        }
    return value;
}

static table_quantity read_comparison(reader *r)
{
    return read_level(r, 0);
}

bool table_evaluate(const table_row *row, ps_dtype compute, const table_quantity *args,
                    table_quantity *value, const char **why)
{
    reader r = {.at = row->info.expression, .row = row, .compute = compute, .args = args};
    *value = read_comparison(&r);
    if (r.why == NULL && *r.at != '\0')
        r.why = "something left over";
    *why = r.why;
    return r.why == NULL;
}
