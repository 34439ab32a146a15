/* Reductions: every row of the group, each type, several sets of axes. The same bits in every layout
 * and for every number of workers; and, for rows whose meaning is known here, against plain loops:
 * integers, extremes and places exactly, floats within a bound. */
#include "sanitized.h"
#include "table.h"

#include <complex.h>
#undef I /* help.h has another */

#include "dtype/dtype.h"
#include "ops/help.h"

enum { DIMS = 3 };

/* One call: which axes go. */
typedef struct reduction {
    const table_row *row;
    ps_dtype dtype;
    const int64_t *shape;
    const char *elements;
    unsigned axes; /* bits */
    bool all;      /* the axis argument is left out */
    bool keepdims;
} reduction;

/* ---- calling ----------------------------------------------------------------------------- */

static bool can_take(const table_row *row, unsigned axes, bool all)
{
    int axis = table_argument(row, "axis");
    if (axis < 0)
        return all;
    bool single = row->info.args[axis].kind == PS_ARG_INT;
    return all || !single || (axes & (axes - 1)) == 0;
}

static ps_status call_with(const reduction *r, ps_tensor *x, ps_tensor **out)
{
    ps_arg args[TABLE_ARGS] = {T(x)};
    int64_t list[DIMS];
    uint32_t count = 0;
    for (int i = 0; i < DIMS; i++)
        if (r->axes >> i & 1)
            list[count++] = i - (i == 2 ? DIMS : 0); /* the last one counted from the end */
    int axis = table_argument(r->row, "axis"), keepdims = table_argument(r->row, "keepdims");
    if (axis > 0 && !r->all && r->row->info.args[axis].kind == PS_ARG_INT)
        args[axis] = I(list[0]);
    else if (axis > 0 && !r->all)
        args[axis] = (ps_arg){.kind = PS_ARG_INTS, .count = count, .as.ints = list};
    if (keepdims > 0)
        args[keepdims] = B(r->keepdims);
    return table_call(r->row->op, args, r->row->info.nargs, out);
}

static ps_tensor *result_of(const reduction *r, table_layout layout)
{
    ps_tensor *x = table_lay(layout, r->dtype, DIMS, r->shape, r->elements), *out = NULL;
    ps_status status = call_with(r, x, &out);
    if (status != PS_OK &&
        strncmp(ps_last_error(), r->row->info.name, strlen(r->row->info.name)) != 0)
        fail_msg("%s of %s: %s", r->row->info.name, ps_dtype_name(r->dtype), ps_last_error());
    ps_tensor_release(x);
    return status == PS_OK ? out : NULL;
}

static void check_result_shape(const reduction *r, ps_tensor *got)
{
    int ndim = 0;
    for (int i = 0; i < DIMS; i++) {
        bool goes = r->all || r->axes >> i & 1;
        if (goes && !r->keepdims)
            continue;
        if (ndim >= ps_tensor_ndim(got) || ps_tensor_shape(got)[ndim] != (goes ? 1 : r->shape[i]))
            fail_msg("%s: another shape for axes %x", r->row->info.name, r->axes);
        ndim++;
    }
    assert_int_equal(ndim, ps_tensor_ndim(got));
}

/* ---- plain loops ------------------------------------------------------------------------- */

/* What is known of the elements that go into one output. */
typedef struct folded {
    int64_t count;
    uint64_t whole_sum, whole_product; /* of integers: wrapped */
    long double complex sum, product;
    long double sizes, squares, largest; /* sums of |x| and |x|^2; greatest |x| */
    ps_scalar least, most;
    int64_t least_at, most_at;
    bool any, all;
} folded;

static long double complex number_of(ps_scalar s)
{
    switch (s.tag) {
    case PS_SCALAR_BOOL:
        return s.as.b;
    case PS_SCALAR_INT64:
        return (long double)s.as.i;
    case PS_SCALAR_UINT64:
        return (long double)s.as.u;
    case PS_SCALAR_DOUBLE:
        return s.as.d;
    default:
        return (long double)s.as.z[0] + _Complex_I * (long double)s.as.z[1];
    }
}

static uint64_t bits_of(ps_scalar s)
{
    return s.tag == PS_SCALAR_BOOL ? s.as.b : s.as.u;
}

static void fold(folded *f, ps_scalar s)
{
    long double complex x = number_of(s);
    long double size = cabsl(x);
    if (f->count == 0 || creall(x) < creall(number_of(f->least))) {
        f->least = s;
        f->least_at = f->count;
    }
    if (f->count == 0 || creall(x) > creall(number_of(f->most))) {
        f->most = s;
        f->most_at = f->count;
    }
    f->whole_sum += bits_of(s);
    f->whole_product *= bits_of(s);
    f->sum += x;
    f->product *= x;
    f->sizes += size;
    f->squares += size * size;
    f->largest = size > f->largest ? size : f->largest;
    f->any |= size != 0;
    f->all &= size != 0;
    f->count++;
}

/* All that goes into output `output`, in order; then once more for distances from the mean. */
static folded fold_output(const reduction *r, int64_t output, long double *spread)
{
    folded f = {.product = 1, .whole_product = 1, .all = true};
    long double squares = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < r->shape[0] * r->shape[1] * r->shape[2]; i++) {
            int64_t at[DIMS] = {i / (r->shape[1] * r->shape[2]), i / r->shape[2] % r->shape[1],
                                i % r->shape[2]},
                    to = 0;
            for (int d = 0; d < DIMS; d++)
                if (!(r->all || r->axes >> d & 1))
                    to = to * r->shape[d] + at[d];
            if (to != output)
                continue;
            ps_scalar s =
                ps__scalar_load(r->dtype, r->elements + (size_t)i * ps_dtype_bytes(r->dtype));
            if (pass == 0)
                fold(&f, s);
            else
                squares += powl(cabsl(number_of(s) - f.sum / f.count), 2);
        }
    *spread = f.count != 0 ? squares / f.count : 0;
    return f;
}

/* ---- bounds ------------------------------------------------------------------------------ */

static ps_dtype part_of(ps_dtype dtype)
{
    return dtype == PS_COMPLEX64 ? PS_FLOAT32 : dtype == PS_COMPLEX128 ? PS_FLOAT64 : dtype;
}

/* A unit of the type's fraction, as a share of a number. */
static long double share(ps_dtype dtype)
{
    return table_ulp(part_of(dtype), 1.0L) * 2;
}

static long double accumulator_share(ps_dtype dtype)
{
    ps_dtype part = part_of(dtype);
    return share(part == PS_FLOAT64 ? PS_FLOAT64 : PS_FLOAT32);
}

typedef struct expected {
    bool known, whole;
    uint64_t bits;
    long double complex number;
    long double room;
} expected;

static expected whole(uint64_t bits)
{
    return (expected){.known = true, .whole = true, .bits = bits};
}

static expected about(long double complex number, long double room)
{
    return (expected){.known = true, .number = number, .room = room};
}

/* By the row's name; a name that is not here is checked for equal bits only. */
static expected expect(const reduction *r, ps_dtype result, int64_t output)
{
    const char *name = r->row->info.name;
    bool inexact = table_is_float(r->dtype) || table_is_complex(r->dtype);
    long double spread;
    folded f = fold_output(r, output, &spread);
    long double unit = accumulator_share(result), n = (long double)f.count;
    if (strcmp(name, "sum") == 0)
        return inexact ? about(f.sum, unit * f.sizes * 8) : whole(f.whole_sum);
    if (strcmp(name, "prod") == 0)
        return inexact ? about(f.product, unit * cabsl(f.product) * (n + 4))
                       : whole(f.whole_product);
    if (strcmp(name, "min") == 0)
        return inexact ? about(number_of(f.least), 0) : whole(bits_of(f.least));
    if (strcmp(name, "max") == 0)
        return inexact ? about(number_of(f.most), 0) : whole(bits_of(f.most));
    if (strcmp(name, "argmin") == 0)
        return whole((uint64_t)f.least_at);
    if (strcmp(name, "argmax") == 0)
        return whole((uint64_t)f.most_at);
    if (strcmp(name, "any") == 0)
        return whole(f.any);
    if (strcmp(name, "all") == 0)
        return whole(f.all);
    if (strcmp(name, "mean") == 0)
        return about(f.sum / n, unit * f.sizes / n * 8);
    /* Distances of floats are rounded to their type. */
    if (strcmp(name, "var") == 0)
        return about(spread, 8 * share(result) * (inexact ? f.largest * f.largest : spread));
    if (strcmp(name, "std") == 0)
        return about(sqrtl(spread), 8 * share(result) * (inexact ? f.largest : sqrtl(spread)));
    if (strcmp(name, "norm") == 0)
        return about(sqrtl(f.squares), unit * sqrtl(f.squares) * 8);
    return (expected){.known = false};
}

static void check_output(const reduction *r, ps_dtype result, int64_t output, const char *bytes)
{
    expected e = expect(r, result, output);
    if (!e.known)
        return;
    ps_scalar got = ps__scalar_load(result, bytes);
    const char *name = r->row->info.name, *type = ps_dtype_name(r->dtype);
    if (e.whole) {
        if (bits_of(got) != e.bits || got.tag > PS_SCALAR_UINT64)
            fail_msg("%s of %s, axes %x: output %lld is %lld, not %lld", name, type, r->axes,
                     (long long)output, (long long)bits_of(got), (long long)e.bits);
        return;
    }
    long double complex number = number_of(got);
    long double largest = table_largest(part_of(result));
    long double rounding = table_ulp(part_of(result), cabsl(e.number));
    if (cabsl(e.number) + e.room > largest && !(cabsl(number) < largest / 2))
        return; /* infinite, or what comes of it */
    if (!(cabsl(number - e.number) <= e.room + rounding))
        fail_msg("%s of %s, axes %x: output %lld is %.20Lg, not %.20Lg (+- %Lg)", name, type,
                 r->axes, (long long)output, creall(number), creall(e.number), e.room);
}

/* ---- walking ----------------------------------------------------------------------------- */

static void check_equal(const reduction *r, ps_tensor *got, const char *wanted, size_t bytes,
                        const char *what)
{
    char *bits = table_read(got, what);
    if (memcmp(bits, wanted, bytes) != 0)
        fail_msg("%s of %s, axes %x, %s: other bits", r->row->info.name, ps_dtype_name(r->dtype),
                 r->axes, what);
    free(bits);
}

/* Returns the number of bytes of the result, or 0 if the type is refused. */
static size_t plain_result(const reduction *r, char **elements, ps_dtype *dtype)
{
    ps_tensor *plain = result_of(r, TABLE_PLAIN);
    if (plain == NULL) {
        if (strstr(ps_last_error(), ps_dtype_name(r->dtype)) == NULL)
            fail_msg("%s of %s: the error does not name the type: \"%s\"", r->row->info.name,
                     ps_dtype_name(r->dtype), ps_last_error());
        return 0;
    }
    check_result_shape(r, plain);
    *elements = table_read(plain, r->row->info.name);
    *dtype = ps_tensor_dtype(plain);
    size_t bytes = (size_t)ps_tensor_count(plain) * ps_dtype_bytes(*dtype);
    ps_tensor_release(plain);
    return bytes;
}

static void check_reduction(const reduction *r)
{
    char *elements;
    ps_dtype result;
    size_t bytes = plain_result(r, &elements, &result);
    if (bytes == 0)
        return;
    size_t outputs = bytes / ps_dtype_bytes(result);
    size_t work = outputs * (size_t)(r->shape[0] * r->shape[1] * r->shape[2]);
    size_t step = work > 100000 ? outputs / 4 + 1 : 1; /* of many only a few */
    for (size_t at = 0; at < outputs; at += step)
        check_output(r, result, (int64_t)at, elements + at * ps_dtype_bytes(result));
    for (int layout = TABLE_PLAIN + 1; layout < TABLE_LAYOUTS; layout++) {
        ps_tensor *got = result_of(r, (table_layout)layout);
        assert_non_null(got);
        check_equal(r, got, elements, bytes, table_layout_names[layout]);
        ps_tensor_release(got);
    }
    free(elements);
}

static bool is_reduction(const table_row *row)
{
    if (strcmp(row->info.group, "reduction") != 0 || row->operands == 0)
        return false;
    for (size_t i = 1; i < row->info.nargs; i++)
        if (row->info.args[i].required)
            return false;
    return true;
}

static void walk_axes(reduction *r, void (*check)(const reduction *r))
{
    r->all = true;
    r->axes = 7;
    r->keepdims = false;
    check(r);
    r->all = false;
    for (r->axes = 1; r->axes < 8; r->axes++) {
        r->keepdims = r->axes % 2 == 0;
        if (can_take(r->row, r->axes, false))
            check(r);
    }
}

static void walk_reductions(const int64_t *shape, bool few, void (*check)(const reduction *r))
{
    size_t count = (size_t)(shape[0] * shape[1] * shape[2]);
    char *elements = malloc(count * 16);
    for (size_t at = 0; at < ps_op_count(); at++) {
        table_row row;
        table_row_at(at, &row);
        for (int dtype = 0; is_reduction(&row) && dtype < TABLE_TYPES; dtype++) {
            bool common = dtype == PS_FLOAT32 || dtype == PS_FLOAT16 || dtype == PS_COMPLEX128 ||
                          dtype == PS_INT32 || dtype == PS_BOOL;
            if (few && !common)
                continue;
            reduction r = {.row = &row,
                           .dtype = (ps_dtype)dtype,
                           .shape = shape,
                           .elements = elements};
            bool product = strcmp(row.info.name, "prod") == 0;
            bool integer = table_is_integer((ps_dtype)dtype);
            table_fill((ps_dtype)dtype,
                       product && !integer ? TABLE_AROUND_ONE
                       : integer           ? TABLE_WIDE
                                           : TABLE_SMALL,
                       at, count, elements);
            walk_axes(&r, check);
        }
    }
    free(elements);
}

void table_test_reductions(void **state)
{
    (void)state;
    walk_reductions((int64_t[]){3, 5, 37}, false, check_reduction);
    walk_reductions((int64_t[]){1, 1, 1}, false, check_reduction);
    walk_reductions((int64_t[]){2, 2, 2600}, true,
                    check_reduction); /* several blocks, and leaves */
}

/* ---- workers ----------------------------------------------------------------------------- */

static ps_engine *engine;

static void check_workers(const reduction *r)
{
    char *elements;
    ps_dtype result;
    CHECK_OK(ps_engine_set_workers(engine, 1));
    size_t bytes = plain_result(r, &elements, &result);
    if (bytes == 0)
        return;
    static const unsigned workers[] = {2, 3, 8};
    for (int i = 0; i < 3; i++) {
        CHECK_OK(ps_engine_set_workers(engine, workers[i]));
        ps_tensor *got = result_of(r, (table_layout)(i == 1 ? TABLE_TURNED : TABLE_PLAIN));
        char what[32];
        snprintf(what, sizeof what, "%u workers", workers[i]);
        assert_non_null(got);
        check_equal(r, got, elements, bytes, what);
        ps_tensor_release(got);
    }
    free(elements);
}

void table_test_reduction_workers(void **state)
{
    (void)state;
    CHECK_OK(ps_engine_default(&engine));
    const int64_t large[] = {21, 50, 103}, less[] = {11, 30, 103};
    walk_reductions(SANITIZED ? less : large, true, check_workers);
    CHECK_OK(ps_engine_set_workers(engine, 0));
}
