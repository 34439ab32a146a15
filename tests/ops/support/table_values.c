/* Elementwise rows against the evaluator: real types, each element by itself. Integers and bool are
 * exact; floats within the evaluator's bound and the rounding of the result. Special values are the
 * business of tests/kernels. */
#include "table.h"

#include "ops/help.h"

enum { COUNT = 257 };

typedef struct values {
    const table_row *row;
    ps_dtype dtype, common, compute;
    char elements[TABLE_OPERANDS][COUNT * 8];
    char *got;
    ps_dtype result;
} values;

static ps_dtype compute_of(ps_dtype dtype)
{
    return dtype == PS_FLOAT16 || dtype == PS_BFLOAT16 ? PS_FLOAT32 : dtype;
}

static void refuse(const values *v, int at, const table_quantity *is, const table_quantity *should)
{
    fail_msg("%s of %s: element %d is %.20Lg or %lld, not %.20Lg (+- %Lg) or %lld",
             v->row->info.name, ps_dtype_name(v->dtype), at, is->number, (long long)is->whole,
             should->number, should->error, (long long)should->whole);
}

static bool float_fits(ps_dtype dtype, long double is, const table_quantity *should)
{
    long double wanted = should->number, room = should->error + table_ulp(dtype, wanted);
    if (isnan(wanted) || isnan(is))
        return (isnan(wanted) && isnan(is)) || isinf(should->error);
    if (fabsl(wanted) + room >= table_largest(dtype)) /* may be infinite */
        return fabsl(is) >= table_largest(dtype) - room && (is > 0) == (wanted > 0);
    return fabsl(is - wanted) <= room;
}

static void check_element(const values *v, int at)
{
    table_quantity args[TABLE_ARGS], should;
    for (unsigned i = 0; i < v->row->info.nargs; i++)
        if (i < v->row->operands)
            args[i] =
                table_quantity_as(table_quantity_of(v->dtype,
                                                    v->elements[i] +
                                                        (size_t)at * ps_dtype_bytes(v->dtype)),
                                  v->row->mask[i] ? PS_BOOL : v->compute);
        else
            args[i] =
                table_quantity_from(v->compute, strtod(v->row->info.args[i].default_text, NULL));
    const char *why;
    if (!table_evaluate(v->row, v->compute, args, &should, &why))
        fail_msg("%s of %s: the evaluator in table_evaluate.c met %s in \"%s\"", v->row->info.name,
                 ps_dtype_name(v->dtype), why, v->row->info.expression);
    table_quantity is =
        table_quantity_of(v->result, v->got + (size_t)at * ps_dtype_bytes(v->result));
    if (should.dtype != compute_of(v->result)) /* a bool in the place of numbers */
        should = table_quantity_as(should, compute_of(v->result));
    bool fits = table_is_float(v->result) ? float_fits(v->result, is.number, &should)
                                          : is.whole == should.whole || should.error != 0;
    if (!fits)
        refuse(v, at, &is, &should);
}

static void check_values_of(const table_row *row, ps_dtype dtype, table_range range)
{
    values v = {.row = row, .dtype = dtype, .common = table_common(row, dtype)};
    v.compute = compute_of(v.common);
    int64_t count = COUNT;
    ps_tensor *operands[TABLE_OPERANDS], *result = NULL;
    for (unsigned i = 0; i < row->operands; i++) {
        table_fill(dtype, range, i + 7, COUNT, v.elements[i]);
        operands[i] = table_lay(TABLE_PLAIN, dtype, 1, &count, v.elements[i]);
    }
    check_ok(table_apply(row, operands, &result), row->info.name, __FILE__, __LINE__);
    v.result = ps_tensor_dtype(result);
    v.got = table_read(result, row->info.name);
    for (int at = 0; at < COUNT; at++)
        check_element(&v, at);
    free(v.got);
    ps_tensor_release(result);
    for (unsigned i = 0; i < row->operands; i++)
        ps_tensor_release(operands[i]);
}

void table_test_values(void **state)
{
    (void)state;
    for (size_t at = 0; at < ps_op_count(); at++) {
        table_row row;
        table_row_at(at, &row);
        if (!table_is_elementwise(&row) || row.info.expression == NULL)
            continue;
        for (int dtype = 0; dtype <= PS_FLOAT64; dtype++) {
            table_answer answer = table_answer_to(&row, (ps_dtype)dtype);
            if (answer == TABLE_REFUSES)
                continue;
            check_values_of(&row, (ps_dtype)dtype, TABLE_SMALL);
            if (answer == TABLE_TAKES && table_is_integer((ps_dtype)dtype))
                check_values_of(&row, (ps_dtype)dtype, TABLE_WIDE);
        }
    }
}
