/* Elementwise rows: operands of two types are as if both had been converted first; numbers are as
 * tensors full of them; a type that a row does not take is refused at the call, by name. */
#include "table.h"

#include "dtype/dtype.h"
#include "ops/help.h"

enum { SIZE = 70 };
static const int64_t size = SIZE;

static ps_tensor *made(ps_dtype dtype, uint64_t seed)
{
    char elements[SIZE * 16];
    table_fill(dtype, TABLE_SMALL, seed, SIZE, elements);
    return table_lay(TABLE_PLAIN, dtype, 1, &size, elements);
}

static ps_tensor *converted(ps_tensor *from, ps_dtype to)
{
    return CALL("cast", T(from), D(to));
}

static void check_same(const table_row *row, ps_tensor *got, ps_tensor *wanted, const char *what)
{
    ps_dtype is = ps_tensor_dtype(got), should = ps_tensor_dtype(wanted);
    if (is != should || ps_tensor_count(got) != ps_tensor_count(wanted))
        fail_msg("%s, %s: gives %s, not %s; or another shape", row->info.name, what,
                 ps_dtype_name(is), ps_dtype_name(should));
    char *a = table_read(got, what), *b = table_read(wanted, what);
    if (table_difference(is, ps_tensor_count(got), a, b) >= 0)
        fail_msg("%s, %s: other bits", row->info.name, what);
    free(a);
    free(b);
}

static void release(ps_tensor **operands, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        ps_tensor_release(operands[i]);
}

/* ---- two types --------------------------------------------------------------------------- */

typedef struct type_pair {
    ps_dtype a, b, common;
} type_pair;

static const type_pair pairs[] = {
    {PS_INT32, PS_FLOAT32, PS_FLOAT32},    {PS_UINT8, PS_INT8, PS_INT16},
    {PS_BOOL, PS_INT16, PS_INT16},         {PS_UINT64, PS_INT64, PS_FLOAT64},
    {PS_UINT32, PS_INT64, PS_INT64},       {PS_FLOAT16, PS_FLOAT32, PS_FLOAT32},
    {PS_FLOAT16, PS_BFLOAT16, PS_FLOAT32}, {PS_INT64, PS_FLOAT16, PS_FLOAT16},
    {PS_FLOAT32, PS_FLOAT64, PS_FLOAT64},  {PS_FLOAT64, PS_COMPLEX64, PS_COMPLEX128},
    {PS_INT8, PS_COMPLEX64, PS_COMPLEX64}, {PS_BOOL, PS_BFLOAT16, PS_BFLOAT16},
};

/* The type of operand i if the types alternate, but for masks, which have no part in it. */
static ps_dtype type_of(const table_row *row, const type_pair *pair, unsigned i, bool swap)
{
    bool second = (i + (row->mask[0] && row->operands == 3)) % 2 != 0;
    return second != swap ? pair->b : pair->a;
}

static bool only_masks(const table_row *row)
{
    bool all = true;
    for (unsigned i = 0; i < row->operands; i++)
        all &= row->mask[i];
    return all;
}

static void check_pair(const table_row *row, const type_pair *pair, bool swap)
{
    char what[96];
    snprintf(what, sizeof what, "%s with %s", ps_dtype_name(swap ? pair->b : pair->a),
             ps_dtype_name(swap ? pair->a : pair->b));
    ps_tensor *operands[TABLE_OPERANDS], *first[TABLE_OPERANDS], *got = NULL, *wanted = NULL;
    for (unsigned i = 0; i < row->operands; i++) {
        operands[i] = made(type_of(row, pair, i, swap), i + 1);
        first[i] = converted(operands[i], row->mask[i] ? PS_BOOL : pair->common);
    }
    bool takes = table_answer_to(row, pair->common) != TABLE_REFUSES || only_masks(row);
    ps_status status = table_apply(row, operands, &got);
    if (takes && status == PS_OK) {
        check_ok(table_apply(row, first, &wanted), row->info.name, __FILE__, __LINE__);
        check_same(row, got, wanted, what);
    } else if (takes && row->info.expression != NULL) {
        fail_msg("%s, %s: %s", row->info.name, what, ps_last_error());
    } else if (status == PS_OK) {
        fail_msg("%s, %s: taken, though not %s", row->info.name, what, ps_dtype_name(pair->common));
    }
    release(operands, row->operands);
    release(first, row->operands);
    release((ps_tensor *[]){got, wanted}, 2);
}

/* ---- numbers ----------------------------------------------------------------------------- */

static ps_tensor *full(ps_dtype dtype, ps_scalar number)
{
    char elements[SIZE * 16];
    for (int i = 0; i < SIZE; i++)
        ps__scalar_cast(number, dtype, elements + (size_t)i * ps_dtype_bytes(dtype));
    return table_lay(TABLE_PLAIN, dtype, 1, &size, elements);
}

/* A number that fits the type without changing it. */
static ps_scalar number_for(ps_dtype dtype)
{
    if (dtype == PS_BOOL)
        return (ps_scalar){PS_SCALAR_BOOL, {.b = true}};
    if (table_is_integer(dtype))
        return (ps_scalar){PS_SCALAR_INT64, {.i = 3}};
    if (table_is_complex(dtype))
        return (ps_scalar){PS_SCALAR_COMPLEX, {.z = {0.3, -1.7}}};
    return (ps_scalar){PS_SCALAR_DOUBLE, {.d = 1.1}};
}

/* Operand `which` as a number, the others tensors. */
static void check_number(const table_row *row, ps_dtype dtype, unsigned which)
{
    ps_scalar number = number_for(dtype);
    ps_tensor *operands[TABLE_OPERANDS], *got = NULL, *wanted = NULL;
    ps_arg args[TABLE_OPERANDS];
    for (unsigned i = 0; i < row->operands; i++) {
        operands[i] = i == which ? full(dtype, number) : made(dtype, i + 1);
        args[i] = T(operands[i]);
    }
    ps_status status = table_call(row->op, args, row->operands, &wanted);
    if (status != PS_OK && row->info.expression != NULL)
        fail_msg("%s of %s: %s", row->info.name, ps_dtype_name(dtype), ps_last_error());
    args[which] = (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = number};
    char what[96];
    snprintf(what, sizeof what, "%s with a number as %s", ps_dtype_name(dtype),
             row->info.args[which].name);
    if (status == PS_OK) {
        check_ok(table_call(row->op, args, row->operands, &got), what, __FILE__, __LINE__);
        check_same(row, got, wanted, what);
    }
    release(operands, row->operands);
    release((ps_tensor *[]){got, wanted}, 2);
}

/* The only tensors may be masks: then the number's own type does not count. */
static bool others_decide(const table_row *row, unsigned which)
{
    bool decide = only_masks(row) || row->mask[which];
    for (unsigned i = 0; i < row->operands; i++)
        decide |= i != which && !row->mask[i];
    return decide;
}

/* The scalar arguments as they are by default, but given. */
static void check_defaults(const table_row *row, ps_dtype dtype)
{
    ps_tensor *operands[TABLE_OPERANDS], *got = NULL, *wanted = NULL;
    ps_arg args[TABLE_ARGS];
    for (unsigned i = 0; i < row->operands; i++) {
        operands[i] = made(dtype, i + 1);
        args[i] = T(operands[i]);
    }
    for (size_t i = row->operands; i < row->info.nargs; i++)
        args[i] = F(strtod(row->info.args[i].default_text, NULL));
    CHECK_OK(table_call(row->op, args, row->operands, &wanted));
    CHECK_OK(table_call(row->op, args, row->info.nargs, &got));
    check_same(row, got, wanted, "defaults given");
    release(operands, row->operands);
    release((ps_tensor *[]){got, wanted}, 2);
}

void table_test_mixed(void **state)
{
    (void)state;
    for (size_t at = 0; at < ps_op_count(); at++) {
        table_row row;
        table_row_at(at, &row);
        if (!table_is_elementwise(&row))
            continue;
        for (size_t p = 0; row.operands > 1 && p < sizeof pairs / sizeof pairs[0]; p++) {
            check_pair(&row, &pairs[p], false);
            check_pair(&row, &pairs[p], true);
        }
        for (int dtype = 0; dtype < TABLE_TYPES; dtype++) {
            if (table_answer_to(&row, (ps_dtype)dtype) == TABLE_REFUSES)
                continue;
            for (unsigned i = 0; row.operands > 1 && i < row.operands; i++)
                if (others_decide(&row, i))
                    check_number(&row, (ps_dtype)dtype, i);
            if (row.info.nargs > row.operands)
                check_defaults(&row, (ps_dtype)dtype);
        }
    }
}

/* ---- refusals ---------------------------------------------------------------------------- */

static void check_refusal(const table_row *row, ps_dtype dtype, ps_status status, ps_tensor *got)
{
    const char *text = ps_last_error();
    if (status != PS_ERR_TYPE || got != NULL)
        fail_msg("%s of %s: %s, not refused", row->info.name, ps_dtype_name(dtype),
                 ps_status_name(status));
    if (strstr(text, row->info.name) == NULL || strstr(text, ps_dtype_name(dtype)) == NULL)
        fail_msg("%s of %s: the error does not name them: \"%s\"", row->info.name,
                 ps_dtype_name(dtype), text);
}

/* Taken or refused as the table says; shapes that do not fit are refused in any case. */
static void check_type(const table_row *row, ps_dtype dtype)
{
    ps_tensor *operands[TABLE_OPERANDS], *got = NULL;
    for (unsigned i = 0; i < row->operands; i++)
        operands[i] = made(dtype, i + 1);
    ps_status status = table_apply(row, operands, &got);
    table_answer answer = table_answer_to(row, dtype);
    if (answer == TABLE_REFUSES || (answer == TABLE_OPEN && status != PS_OK))
        check_refusal(row, dtype, status, got);
    else if (status != PS_OK)
        fail_msg("%s of %s: %s", row->info.name, ps_dtype_name(dtype), ps_last_error());
    ps_tensor_release(got);
    got = NULL;
    if (row->operands > 1) {
        int64_t other = SIZE - 1;
        char elements[SIZE * 16] = {0};
        ps_tensor_release(operands[1]);
        operands[1] = table_lay(TABLE_PLAIN, dtype, 1, &other, elements);
        status = table_apply(row, operands, &got);
        ps_status wanted = answer == TABLE_REFUSES ? PS_ERR_TYPE : PS_ERR_ARGUMENT;
        if ((status != wanted && answer != TABLE_OPEN) || status == PS_OK || got != NULL ||
            strncmp(ps_last_error(), row->info.name, strlen(row->info.name)) != 0)
            fail_msg("%s of shapes (70) and (69): %s: \"%s\"", row->info.name,
                     ps_status_name(status), ps_last_error());
    }
    release(operands, row->operands);
}

static void check_counts(const table_row *row)
{
    ps_arg args[TABLE_ARGS + 1];
    ps_tensor *x = made(PS_FLOAT32, 1), *got = NULL;
    for (unsigned i = 0; i <= TABLE_ARGS; i++)
        args[i] = T(x);
    const char *name = row->info.name;
    CHECK_FAILS(PS_ERR_ARGUMENT, name, table_call(row->op, args, row->info.nargs + 1, &got));
    if (row->info.args[0].required)
        CHECK_FAILS(PS_ERR_ARGUMENT, name, table_call(row->op, args, 0, &got));
    args[0] = T(NULL);
    CHECK_FAILS(PS_ERR_ARGUMENT, name, table_call(row->op, args, row->operands, &got));
    args[0] = S("text");
    CHECK_FAILS(PS_ERR_TYPE, name, table_call(row->op, args, row->operands, &got));
    assert_null(got);
    ps_tensor_release(x);
}

void table_test_refusals(void **state)
{
    (void)state;
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    for (size_t at = 0; at < ps_op_count(); at++) {
        table_row row;
        table_row_at(at, &row);
        if (!table_is_elementwise(&row))
            continue;
        for (int dtype = 0; dtype < TABLE_TYPES; dtype++)
            check_type(&row, (ps_dtype)dtype);
        check_counts(&row);
    }
    CHECK_OK(ps_wait_all(engine, NULL)); /* nothing that failed was queued */
}
