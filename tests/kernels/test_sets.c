/* Elementwise kernels of every set that this processor has, the reference among them.
 *
 * The results of a primitive's vectors, each computed alone, are the base: the reference's for exact
 * primitives, the set's own for the others, whose distance from the truth the vectors bound. Then the
 * same elements at other places, in arrays of other lengths, with other neighbours, in other forms
 * and over an operand must give the base's bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "kernels/support/arena.h"
#include "kernels/support/check.h"
#include "kernels/support/compare.h"
#include "kernels/support/sets.h"

static const size_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 255, 600};
enum { SIZES = sizeof sizes / sizeof *sizes, LONGEST = 600 };

/* How the arrays of a call lie: the output's place, the operands' places. */
static const position layouts[][2] = {{{0, 1}, {0, 1}},
                                      {{0, 0}, {0, 0}},
                                      {{1, 0}, {3, 0}},
                                      {{7, 0}, {0, 1}},
                                      {{0, 1}, {5, 0}}};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static guarded arena_out, arena_in[3];

static int arenas_make(void **state)
{
    (void)state;
    arena_out = arena_make();
    for (int i = 0; i < 3; i++)
        arena_in[i] = arena_make();
    return 0;
}

static int arenas_free(void **state)
{
    (void)state;
    arena_free(&arena_out);
    for (int i = 0; i < 3; i++)
        arena_free(&arena_in[i]);
    return 0;
}

/* ---- One call -------------------------------------------------------------------------- */

/* What is called, on which elements, and what must come out. */
typedef struct map_trial {
    const ps__kernel_set *set;
    const vector_row *row;
    ps__prim prim;
    int form;
    size_t n;
    size_t start;  /* element i is the vectors' element (start + i) mod their number */
    size_t single; /* the one for all is the vectors' element of this number */
    const position *layout;
    int alias;        /* `out` is this operand; -1: none */
    const char *base; /* by (start + i) mod the number; of the forms with one for all too */
} map_trial;

static bool is_single(const map_trial *trial, size_t operand)
{
    return (trial->form == PS__FORM_FIRST_ONE && operand == 0) ||
           (trial->form == PS__FORM_SECOND_ONE && operand == 1);
}

static size_t element_of(const map_trial *trial, size_t operand, size_t i)
{
    return is_single(trial, operand) ? trial->single : (trial->start + i) % trial->row->n;
}

/* Copies an operand's elements to its arena. */
static void *lay(const map_trial *trial, size_t operand)
{
    ps_dtype dtype = vectors_operand_dtype(trial->row, operand);
    size_t bytes = ps__dtype_bytes(dtype), n = is_single(trial, operand) ? 1 : trial->n;
    char *array = arena_place(&arena_in[operand], trial->layout[1], n, bytes);
    for (size_t i = 0; i < n; i++) {
        const char *from =
            vectors_at(trial->row->set->operand[operand], dtype, element_of(trial, operand, i));
        memcpy(array + i * bytes, from, bytes);
    }
    return array;
}

static void complain(const map_trial *trial, size_t i, const char *want, const char *have)
{
    char text[3][100];
    print_error("%s %s %s form %d n %zu out+%u%s in+%u%s alias %d [%zu]:", trial->set->name,
                trial->row->name, ps__dtypes[trial->row->dtype].name, trial->form, trial->n,
                trial->layout[0].offset, trial->layout[0].at_end ? " (end)" : "",
                trial->layout[1].offset, trial->layout[1].at_end ? " (end)" : "", trial->alias, i);
    for (size_t k = 0; k < trial->row->set->operands; k++) {
        ps_dtype dtype = vectors_operand_dtype(trial->row, k);
        const char *from = vectors_at(trial->row->set->operand[k], dtype, element_of(trial, k, i));
        print_error(" %s", element_text(dtype, from, text[0], sizeof text[0]));
    }
    element_text(trial->row->result, want, text[1], sizeof text[1]);
    element_text(trial->row->result, have, text[2], sizeof text[2]);
    print_error(" want %s have %s\n", text[1], text[2]);
}

/* False after the first element that is not the base's. */
static bool trial_agrees(const map_trial *trial)
{
    size_t bytes = ps__dtype_bytes(trial->row->result);
    const void *in[3] = {0};
    for (size_t k = 0; k < trial->row->set->operands; k++)
        in[k] = lay(trial, k);
    bool own = trial->alias < 0;
    char *out = own ? arena_place(&arena_out, trial->layout[0], trial->n, bytes)
                    : (char *)(uintptr_t)in[trial->alias];
    trial->set->map[trial->prim][trial->row->dtype][trial->form](trial->n, out, in);
    arena_check(own ? &arena_out : &arena_in[trial->alias], out, trial->n * bytes);
    for (size_t i = 0; i < trial->n; i++) {
        const char *want = trial->base + (trial->start + i) % trial->row->n * bytes;
        if (!same_bits(trial->row->result, want, out + i * bytes)) {
            complain(trial, i, want, out + i * bytes);
            return false;
        }
    }
    return true;
}

/* ---- Bases ----------------------------------------------------------------------------- */

/* Results of one element at a time, all with PS__FORM_ALL, in memory of the caller. */
static char *base_make(const map_trial *trial)
{
    ps__map_fn map = trial->set->map[trial->prim][trial->row->dtype][PS__FORM_ALL];
    size_t bytes = ps__dtype_bytes(trial->row->result);
    char *base = malloc(trial->row->n * bytes);
    assert_non_null(base);
    for (size_t i = 0; i < trial->row->n; i++) {
        const void *in[3] = {0};
        for (size_t k = 0; k < trial->row->set->operands; k++) {
            in[k] = vectors_at(trial->row->set->operand[k], vectors_operand_dtype(trial->row, k),
                               is_single(trial, k) ? trial->single : i);
        }
        map(1, base + i * bytes, in);
    }
    return base;
}

/* ---- Walks ----------------------------------------------------------------------------- */

/* Whether `out` may be this operand: types are the same, and it is an array. */
static bool may_alias(const map_trial *trial, size_t operand)
{
    return vectors_operand_dtype(trial->row, operand) == trial->row->result &&
           !is_single(trial, operand);
}

/* All sizes, places and aliases of a form. */
static size_t walk_places(map_trial trial)
{
    for (size_t s = 0; s < SIZES; s++) {
        trial.n = sizes[s];
        for (size_t l = 0; l < LAYOUTS; l++) {
            trial.layout = layouts[l];
            trial.start = (trial.start + 29) % trial.row->n;
            trial.alias = -1;
            if (!trial_agrees(&trial))
                return 1;
        }
        for (int k = 0; k < (int)trial.row->set->operands; k++) {
            trial.alias = k;
            trial.layout = layouts[s % LAYOUTS];
            if (may_alias(&trial, (size_t)k) && !trial_agrees(&trial))
                return 1;
        }
    }
    return 0;
}

static size_t walk_form(map_trial trial, const ps__kernel_set *base_of)
{
    const ps__kernel_set *set = trial.set;
    trial.set = base_of;
    char *base = base_make(&trial);
    trial.set = set;
    trial.base = base;
    size_t wrong = walk_places(trial);
    free(base);
    return wrong;
}

static size_t walk_row(const ps__kernel_set *set, const vector_row *row)
{
    map_trial trial = {.set = set, .row = row};
    assert_true(ps__prim_from_name(row->name, strlen(row->name), &trial.prim));
    bool exact = ps__prims[trial.prim].exact || !ps__dtype_is_inexact(row->dtype);
    const ps__kernel_set *base_of = exact ? sets_reference() : set;
    size_t wrong = walk_form(trial, base_of);
    if (ps__prims[trial.prim].arity != 2)
        return wrong;
    /* Ones for all: two of the special values, which come first, and three of the random ones. */
    const size_t singles[] = {(size_t)trial.prim * 7 % row->n, (row->n / 3 + trial.prim) % row->n,
                              row->n - 1, row->n - 1 - row->n / 40, row->n - 1 - row->n / 20};
    for (trial.form = PS__FORM_FIRST_ONE; trial.form < PS__FORMS; trial.form++) {
        for (size_t k = 0; k < sizeof singles / sizeof *singles; k++) {
            trial.single = singles[k];
            wrong += walk_form(trial, base_of);
        }
    }
    return wrong;
}

static void walk_groups(const ps__kernel_set *set)
{
    size_t wrong = 0;
    for (const char *const *group = vector_groups; *group; group++) {
        vector_file file = vectors_load(*group);
        for (size_t i = 0; i < file.row_count; i++)
            wrong += walk_row(set, &file.rows[i]);
        vectors_free(&file);
    }
    assert_int_equal(wrong, 0);
}

/* ---- Tests ----------------------------------------------------------------------------- */

static void entries_are_there(void **state)
{
    check_entries(sets_of(state));
}

static void primitives_are_right(void **state)
{
    check_primitives(sets_of(state));
}

static void places_and_forms_do_not_matter(void **state)
{
    walk_groups(sets_of(state));
}

static size_t compare_sets(const vector_row *row, const ps__kernel_set *a, const ps__kernel_set *b)
{
    map_trial trial = {.set = a, .row = row, .layout = layouts[0], .alias = -1};
    assert_true(ps__prim_from_name(row->name, strlen(row->name), &trial.prim));
    char *base = base_make(&trial);
    trial.set = b;
    trial.base = base;
    size_t wrong = 0;
    for (trial.n = 1; trial.start < row->n; trial.start++)
        wrong += !trial_agrees(&trial);
    free(base);
    return wrong;
}

/* The math of the vector sets is the same code on vectors of other lengths. */
static void vector_sets_agree(void **state)
{
    (void)state;
    const ps__kernel_set *avx2 = ps__kernels_find("avx2"), *avx512 = ps__kernels_find("avx512");
    if (!avx2 || !avx512)
        skip();
    size_t wrong = 0;
    for (const char *const *group = vector_groups; *group; group++) {
        vector_file file = vectors_load(*group);
        for (size_t i = 0; i < file.row_count; i++)
            wrong += compare_sets(&file.rows[i], avx2, avx512);
        vectors_free(&file);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_VECTOR_SETS(entries_are_there, NULL, NULL),
        ON_VECTOR_SETS(primitives_are_right, NULL, NULL),
        ON_ALL_SETS(places_and_forms_do_not_matter, arenas_make, arenas_free),
        cmocka_unit_test_setup_teardown(vector_sets_agree, arenas_make, arenas_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
