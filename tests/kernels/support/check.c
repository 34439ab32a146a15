/* Every row of the vectors, in one call and, for binary primitives, one element at a time with
 * either operand said to be one for all. PENSTOCK_TEST_WORST=1 prints how near to its bound each
 * row came. */
#include "kernels/support/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "kernels/support/bounds.h"
#include "kernels/support/compare.h"

enum { SHOWN = 5 }; /* wrong results printed per row */

typedef struct row_tally {
    size_t wrong;
    double worst;
} row_tally;

static const char *dtype_name(ps_dtype dtype)
{
    return ps__dtypes[dtype].name;
}

/* ---- Messages -------------------------------------------------------------------------- */

static void show(const ps__kernel_set *set, const vector_row *row, size_t i, const void *got,
                 double error)
{
    char text[100];
    print_error("%s %s %s [%zu]:", set->name, row->name, dtype_name(row->dtype), i);
    for (size_t k = 0; row->n == row->set->n && k < row->set->operands; k++) {
        ps_dtype dtype = vectors_operand_dtype(row, k);
        const char *operand = vectors_at(row->set->operand[k], dtype, i);
        print_error(" %s,", element_text(dtype, operand, text, sizeof text));
    }
    const char *expected = vectors_at(row->expected, row->result, i);
    print_error(" expected %s", element_text(row->result, expected, text, sizeof text));
    print_error(" got %s (%s), %g ulp\n", element_text(row->result, got, text, sizeof text),
                dtype_name(row->result), error);
}

/* Judges one result. */
static void judge(const ps__kernel_set *set, const vector_row *row, size_t i, const void *got,
                  double bound, row_tally *tally)
{
    const char *expected = vectors_at(row->expected, row->result, i);
    double error = error_ulp(row->result, expected, got, row->free ? row->free[i] : 0);
    if (error > tally->worst)
        tally->worst = error;
    if (error <= bound)
        return;
    if (tally->wrong++ < SHOWN)
        show(set, row, i, got, error);
}

static void report(const ps__kernel_set *set, const vector_row *row, double bound, row_tally tally)
{
    if (tally.wrong > SHOWN)
        print_error("%s %s %s: %zu of %zu wrong\n", set->name, row->name, dtype_name(row->dtype),
                    tally.wrong, row->n);
    if (getenv("PENSTOCK_TEST_WORST") && (bound > 0 || tally.worst > 0))
        print_message("%-7s %-12s %-10s %8.2f of %g\n", set->name, row->name,
                      dtype_name(row->dtype), tally.worst, bound);
}

/* ---- Primitives ------------------------------------------------------------------------ */

/* One element of each operand at a time. */
static void check_single(const ps__kernel_set *set, const vector_row *row, ps__prim prim, int form,
                         double bound, row_tally *tally)
{
    char got[16];
    for (size_t i = 0; i < row->n; i++) {
        const void *in[3] = {0};
        for (size_t k = 0; k < row->set->operands; k++)
            in[k] = vectors_at(row->set->operand[k], vectors_operand_dtype(row, k), i);
        set->map[prim][row->dtype][form](1, got, in);
        judge(set, row, i, got, bound, tally);
    }
}

static size_t check_row(const ps__kernel_set *set, const vector_row *row)
{
    ps__prim prim;
    if (!ps__prim_from_name(row->name, strlen(row->name), &prim))
        fail_msg("the vectors have %s, which is no primitive; run make.py", row->name);
    assert_int_equal(row->set->operands, ps__prims[prim].arity);
    ps__map_fn map = set->map[prim][row->dtype][PS__FORM_ALL];
    if (!map)
        fail_msg("%s has no %s of %s", set->name, row->name, dtype_name(row->dtype));
    double bound = bound_of(prim, row->dtype);
    row_tally tally = {0};
    char *out = malloc(row->n * ps__dtype_bytes(row->result));
    assert_non_null(out);
    map(row->n, out, row->set->operand);
    for (size_t i = 0; i < row->n; i++)
        judge(set, row, i, vectors_at(out, row->result, i), bound, &tally);
    free(out);
    if (ps__prims[prim].arity == 2 && !tally.wrong) {
        check_single(set, row, prim, PS__FORM_FIRST_ONE, bound, &tally);
        check_single(set, row, prim, PS__FORM_SECOND_ONE, bound, &tally);
    }
    report(set, row, bound, tally);
    return tally.wrong;
}

/* Marks what the vectors cover. */
static size_t check_group(const ps__kernel_set *set, const char *group, ps__dtype_set *covered)
{
    vector_file file = vectors_load(group);
    size_t wrong = 0;
    for (size_t i = 0; i < file.row_count; i++) {
        const vector_row *row = &file.rows[i];
        wrong += check_row(set, row);
        ps__prim prim = PS__PRIMS;
        ps__prim_from_name(row->name, strlen(row->name), &prim);
        covered[prim] |= PS__DTYPE_BIT(row->dtype);
    }
    vectors_free(&file);
    return wrong;
}

void check_primitives(const ps__kernel_set *set)
{
    ps__dtype_set covered[PS__PRIMS] = {0};
    size_t wrong = 0;
    for (const char *const *group = vector_groups; *group; group++)
        wrong += check_group(set, *group, covered);
    for (int prim = 0; prim < PS__PRIMS; prim++) {
        if (covered[prim] != ps__prims[prim].dtypes)
            fail_msg("%s: vectors for types %#x, the table has %#x; run tests/vectors/make.py",
                     ps__prims[prim].name, covered[prim], ps__prims[prim].dtypes);
    }
    assert_int_equal(wrong, 0);
}

/* ---- Casts ----------------------------------------------------------------------------- */

static size_t check_cast(const ps__kernel_set *set, const vector_row *row)
{
    ps__cast_fn cast = set->cast[row->dtype][row->result];
    if (!cast)
        fail_msg("%s has no cast of %s to %s", set->name, dtype_name(row->dtype),
                 dtype_name(row->result));
    row_tally tally = {0};
    char *out = malloc(row->n * ps__dtype_bytes(row->result));
    assert_non_null(out);
    cast(row->n, out, row->set->operand[0]);
    for (size_t i = 0; i < row->n; i++)
        judge(set, row, i, vectors_at(out, row->result, i), 0, &tally);
    free(out);
    report(set, row, 0, tally);
    return tally.wrong;
}

void check_casts(const ps__kernel_set *set)
{
    vector_file file = vectors_load("cast");
    assert_int_equal(file.row_count, PS__DTYPES * PS__DTYPES);
    size_t wrong = 0;
    for (size_t i = 0; i < file.row_count; i++)
        wrong += check_cast(set, &file.rows[i]);
    vectors_free(&file);
    assert_int_equal(wrong, 0);
}

/* ---- Reductions ------------------------------------------------------------------------ */

static const char *const reduce_names[PS__REDUCES] = {"sum", "prod", "min", "max", "any", "all"};

/* Where case i of a row begins, and its length. */
static const void *case_at(const vector_row *row, size_t i, size_t *n)
{
    const int32_t *offsets = row->cases->operand[0], *lengths = row->cases->operand[1];
    *n = (size_t)lengths[i];
    return vectors_at(row->set->operand[0], row->dtype, (size_t)offsets[i]);
}

static size_t check_leaf(const ps__kernel_set *set, const vector_row *row, ps__leaf_fn leaf)
{
    if (!leaf)
        fail_msg("%s has no %s of %s", set->name, row->name, dtype_name(row->dtype));
    row_tally tally = {0};
    for (size_t i = 0; i < row->n; i++) {
        size_t n;
        char got[16];
        const void *x = case_at(row, i, &n);
        leaf(n, x, got);
        judge(set, row, i, got, 0, &tally);
    }
    report(set, row, 0, tally);
    return tally.wrong;
}

void check_leaves(const ps__kernel_set *set)
{
    vector_file file = vectors_load("reduce");
    size_t wrong = 0, rows = 0;
    for (int reduce = 0; reduce < PS__REDUCES; reduce++) {
        for (ps_dtype dtype = 0; ps__dtype_valid(dtype); dtype++) {
            const vector_row *row = vectors_find(&file, reduce_names[reduce], dtype);
            if (row)
                wrong += check_leaf(set, row, set->leaf[reduce][dtype]);
            rows += row != NULL;
        }
    }
    assert_int_equal(rows, 13 + 13 + 11 + 11 + 1 + 1);
    vectors_free(&file);
    assert_int_equal(wrong, 0);
}

static size_t check_argument(const ps__kernel_set *set, const vector_row *row, ps__arg_fn argument)
{
    if (!argument)
        fail_msg("%s has no %s of %s", set->name, row->name, dtype_name(row->dtype));
    row_tally tally = {0};
    for (size_t i = 0; i < row->n; i++) {
        size_t n;
        int64_t place = -1;
        char value[16];
        const void *x = case_at(row, i, &n);
        argument(n, x, value, &place);
        judge(set, row, i, &place, 0, &tally);
        assert_in_range(place, 0, n - 1);
        assert_true(same_bits(row->dtype, value, vectors_at(x, row->dtype, (size_t)place)));
    }
    report(set, row, 0, tally);
    return tally.wrong;
}

void check_arguments(const ps__kernel_set *set)
{
    vector_file file = vectors_load("reduce");
    size_t wrong = 0, rows = 0;
    for (ps_dtype dtype = 0; ps__dtype_valid(dtype); dtype++) {
        const vector_row *low = vectors_find(&file, "argmin", dtype);
        const vector_row *high = vectors_find(&file, "argmax", dtype);
        if (!low || !high)
            continue;
        wrong += check_argument(set, low, set->argmin[dtype]);
        wrong += check_argument(set, high, set->argmax[dtype]);
        rows += 2;
    }
    assert_int_equal(rows, 2 * 11);
    vectors_free(&file);
    assert_int_equal(wrong, 0);
}

/* ---- Entries --------------------------------------------------------------------------- */

static void check_forms(const ps__kernel_set *set, int prim, int dtype)
{
    bool listed = ps__prims[prim].dtypes & PS__DTYPE_BIT(dtype);
    for (int form = 0; form < PS__FORMS; form++) {
        bool wanted = listed && (form == PS__FORM_ALL || ps__prims[prim].arity == 2);
        bool there = set->map[prim][dtype][form] != NULL;
        if (wanted != there)
            fail_msg("%s: %s of %s, form %d: %s", set->name, ps__prims[prim].name,
                     dtype_name((ps_dtype)dtype), form, there ? "not in the table" : "missing");
    }
}

void check_entries(const ps__kernel_set *set)
{
    for (int prim = 0; prim < PS__PRIMS; prim++) {
        for (int dtype = 0; dtype < PS__DTYPES; dtype++)
            check_forms(set, prim, dtype);
    }
    for (int log = 0; log < 5; log++)
        assert_true(set->gather[log] && set->scatter[log] && set->fill[log] && set->copy2d[log]);
    assert_non_null(set->stream);
}
