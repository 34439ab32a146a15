/* Recurrent cells of every set: near the reference's, both ways; an element's bits do not depend
 * on its place; nothing beyond the arrays is touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "kernels/cells.h"
#include "kernels/support/arena.h"
#include "kernels/support/sets.h"

enum { MOST = 37, GATES = 4 };

/* What a step and the way back work on, and how many elements of it there are for each unit. */
enum { OF_GATES, SENT, BIAS, BEFORE, CELL, STATE, DY, DSTATE, CARRY, DCELL, DINPUT, DSENT, ALL };
static const size_t widths[ALL] = {4, 4, 4, 1, 1, 1, 1, 1, 1, 1, 4, 4};

static guarded memory[ALL];

static int begin(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++)
        memory[i] = arena_make();
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++)
        arena_free(&memory[i]);
    return 0;
}

static double number(int array, size_t gate, size_t unit)
{
    return sin(1.7 * array + 0.9 * (double)gate + 0.37 * (double)unit) * 2;
}

static void put(ps_dtype dtype, void *array, size_t at, double value)
{
    if (dtype == PS_FLOAT32)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

static double get(ps_dtype dtype, const void *array, size_t at)
{
    return dtype == PS_FLOAT32 ? ((const float *)array)[at] : ((const double *)array)[at];
}

/* The results of a step and the way back of it: by array, gate and unit. */
typedef double results[ALL][GATES][MOST];

/* Units [first, first + n) of the numbers, as arrays that end where memory ends. */
static void run(const ps__cell_set *set, unsigned kind, ps_dtype dtype, size_t first, size_t n,
                results found)
{
    void *array[ALL];
    for (int a = 0; a < ALL; a++) {
        array[a] =
            arena_place(&memory[a], (position){.at_end = 1}, widths[a] * n, ps__dtype_bytes(dtype));
        for (size_t g = 0; g < widths[a]; g++)
            for (size_t i = 0; i < n; i++)
                put(dtype, array[a], g * n + i, number(a, g, first + i));
    }
    set->step[kind][dtype](&(ps__cell_step){.n = n,
                                            .apart = n,
                                            .sent_apart = n,
                                            .gates = array[OF_GATES],
                                            .sent = array[SENT],
                                            .bias = array[BIAS],
                                            .before = array[BEFORE],
                                            .cell = array[CELL],
                                            .state = array[STATE]});
    set->back[kind][dtype](&(ps__cell_back){.n = n,
                                            .apart = n,
                                            .gates = array[OF_GATES],
                                            .before = array[BEFORE],
                                            .cell = array[CELL],
                                            .state = array[STATE],
                                            .dy = array[DY],
                                            .dstate = array[DSTATE],
                                            .carry = array[CARRY],
                                            .dcell = array[DCELL],
                                            .dinput = array[DINPUT],
                                            .dsent = array[DSENT]});
    for (int a = 0; a < ALL; a++) {
        for (size_t g = 0; g < widths[a]; g++)
            for (size_t i = 0; i < n; i++)
                found[a][g][first + i] = get(dtype, array[a], g * n + i);
        arena_check(&memory[a], array[a], widths[a] * n * ps__dtype_bytes(dtype));
    }
}

static void compare(unsigned kind, ps_dtype dtype, size_t n, results wanted, results found,
                    double bound)
{
    for (int a = 0; a < ALL; a++)
        for (size_t g = 0; g < widths[a]; g++)
            for (size_t i = 0; i < n; i++)
                if (!(fabs(wanted[a][g][i] - found[a][g][i]) <= bound))
                    fail_msg(
                        "kind %u, %s, %zu units: array %d, gate %zu, unit %zu: %.17g, not %.17g",
                        kind, ps__dtypes[dtype].name, n, a, g, i, found[a][g][i], wanted[a][g][i]);
}

static void near_the_reference(void **state)
{
    static results wanted, found;
    const ps__cell_set *set = ps__cells_find(sets_of(state)->name);
    if (set == NULL)
        skip();
    for (unsigned kind = 0; kind < PS__CELLS; kind++)
        for (size_t n = 1; n <= MOST; n++) {
            run(&ps__cells_ref, kind, PS_FLOAT32, 0, n, wanted);
            run(set, kind, PS_FLOAT32, 0, n, found);
            compare(kind, PS_FLOAT32, n, wanted, found, 4e-6);
            run(&ps__cells_ref, kind, PS_FLOAT64, 0, n, wanted);
            run(set, kind, PS_FLOAT64, 0, n, found);
            compare(kind, PS_FLOAT64, n, wanted, found, 1e-14);
        }
}

static void bits_do_not_depend_on_places(void **state)
{
    static results wanted, found;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64};
    const ps__cell_set *set = ps__cells_find(sets_of(state)->name);
    if (set == NULL)
        skip();
    for (unsigned kind = 0; kind < PS__CELLS; kind++)
        for (int d = 0; d < 2; d++) {
            run(set, kind, dtypes[d], 0, MOST, wanted);
            for (size_t i = 0; i < MOST; i++)
                run(set, kind, dtypes[d], i, 1, found);
            compare(kind, dtypes[d], MOST, wanted, found, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_ALL_SETS(near_the_reference, begin, end),
        ON_ALL_SETS(bits_do_not_depend_on_places, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
