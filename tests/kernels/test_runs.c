/* Runs give, bit by bit, what a map for each step gives: random runs of every set that has them, on
 * numbers and special values, at every place of a block, ending where memory ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "kernels/support/arena.h"
#include "kernels/support/compare.h"
#include "kernels/support/sets.h"

enum { MOST = 700, STEPS = 6, RUNS = 3000, OPERANDS = STEPS + 1 };

static guarded memory;
static float operands[OPERANDS][MOST], kept[STEPS][MOST];
static uint64_t chance = 1;

static unsigned below(unsigned count)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(chance >> 33) % count;
}

static int begin(void **state)
{
    static const float special[] = {0, -0.0f, INFINITY, -INFINITY, NAN, 1e-40f, 3e38f, -1, 1};
    (void)state;
    memory = arena_make();
    for (int o = 0; o < OPERANDS; o++)
        for (int i = 0; i < MOST; i++)
            operands[o][i] = below(4) == 0 ? special[below(sizeof special / sizeof special[0])]
                                           : (float)below(2000) / 500 - 2;
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&memory);
    return 0;
}

/* The map that a step stands for; *second: the value so far is its second operand. */
static ps__prim prim_of(unsigned code, bool *second)
{
    static const ps__prim prims[] = {[PS__RUN_NEGATIVE] = PS__PRIM_negative,
                                     [PS__RUN_ABS] = PS__PRIM_abs,
                                     [PS__RUN_SQUARE] = PS__PRIM_square,
                                     [PS__RUN_RELU] = PS__PRIM_relu,
                                     [PS__RUN_EXP] = PS__PRIM_exp,
                                     [PS__RUN_ADD] = PS__PRIM_add,
                                     [PS__RUN_SUBTRACT] = PS__PRIM_subtract,
                                     [PS__RUN_SUBTRACT_FROM] = PS__PRIM_subtract,
                                     [PS__RUN_MULTIPLY] = PS__PRIM_multiply,
                                     [PS__RUN_DIVIDE] = PS__PRIM_divide,
                                     [PS__RUN_DIVIDE_INTO] = PS__PRIM_divide,
                                     [PS__RUN_MINIMUM] = PS__PRIM_minimum,
                                     [PS__RUN_MAXIMUM] = PS__PRIM_maximum};
    *second = code == PS__RUN_SUBTRACT_FROM || code == PS__RUN_DIVIDE_INTO;
    return prims[code];
}

static void spread(float *to, const float *from, bool one, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = one ? *from : from[i];
}

/* One step on all elements, by the set's maps. */
static void take_step(const ps__kernel_set *set, const ps__run_step *s, float *v, size_t n)
{
    float o[MOST];
    bool second;
    if (s->code == PS__RUN_KEEP)
        return;
    if (s->code > PS__RUN_ALONE)
        spread(o, s->one ? &s->same : s->o, s->one, n);
    if (s->code == PS__RUN_GATE || s->code == PS__RUN_GATE_FLOOR) {
        for (size_t i = 0; i < n; i++)
            v[i] = o[i] > 0 ? v[i] : s->code == PS__RUN_GATE ? 0 : floorf(o[i]);
        return;
    }
    ps__prim prim = prim_of(s->code, &second);
    const void *in[2] = {second ? o : v, second ? v : o};
    set->map[prim][PS_FLOAT32][PS__FORM_ALL](n, v, in);
}

static unsigned choose(ps__run_step *steps)
{
    unsigned count = 1 + below(STEPS);
    for (unsigned i = 0; i < count; i++) {
        unsigned code = PS__RUN_NONE;
        while (code == PS__RUN_NONE || code == PS__RUN_ALONE)
            code = below(PS__RUN_KEEP + 1);
        void *o = code == PS__RUN_KEEP ? (void *)kept[i] : (void *)operands[1 + i];
        steps[i] = (ps__run_step){o, operands[1 + i][below(MOST)], (uint8_t)code, below(3) == 0};
    }
    return count;
}

static void check_equal(const ps__kernel_set *set, unsigned run, const float *have,
                        const float *want, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!same_bits(PS_FLOAT32, &have[i], &want[i]))
            fail_msg("%s run %u: element %zu of %zu is %a, not %a", set->name, run, i, n,
                     (double)have[i], (double)want[i]);
}

static void check_run(const ps__kernel_set *set, unsigned run)
{
    ps__run_step steps[STEPS];
    unsigned count = choose(steps);
    size_t n = below(3) == 0 ? below(40) : below(MOST);
    bool one = below(4) == 0;
    float v[MOST], wanted[STEPS][MOST];
    float *out = arena_place(&memory, (position){below(5), (int)below(2)}, n, sizeof *out);
    spread(v, operands[0], one, n);
    for (unsigned i = 0; i < count; i++) {
        take_step(set, &steps[i], v, n);
        memcpy(wanted[i], v, n * sizeof v[0]);
    }
    set->run(n, out, operands[0], one, steps, count);
    check_equal(set, run, out, v, n);
    for (unsigned i = 0; i < count; i++)
        if (steps[i].code == PS__RUN_KEEP)
            check_equal(set, run, kept[i], wanted[i], n);
    arena_check(&memory, out, n * sizeof *out);
}

static void runs(void **state)
{
    static const char *const names[] = {"ref", "avx2", "avx512"};
    (void)state;
    for (size_t s = 0; s < sizeof names / sizeof names[0]; s++) {
        const ps__kernel_set *set = ps__kernels_find(names[s]);
        for (unsigned run = 0; set != NULL && set->run != NULL && run < RUNS; run++)
            check_run(set, run);
    }
}

/* A run in place: out is where it begins, be that one element, or an operand. */
static void runs_in_place(void **state)
{
    (void)state;
    const ps__kernel_set *set = ps__kernels_get();
    float v[MOST], o[MOST];
    for (int which = 0; set->run != NULL && which < 3; which++) {
        bool one = which == 2;
        memcpy(v, operands[0], sizeof v);
        memcpy(o, operands[1], sizeof o);
        ps__run_step steps[] = {{.o = o, .code = PS__RUN_ADD}, {.o = o, .code = PS__RUN_MULTIPLY}};
        set->run(MOST, which == 1 ? o : v, v, one, steps, 2);
        for (int i = 0; i < MOST; i++) {
            float sum = operands[0][one ? 0 : i] + operands[1][i], wanted = sum * operands[1][i];
            assert_true(same_bits(PS_FLOAT32, which == 1 ? &o[i] : &v[i], &wanted));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(runs, begin, end),
        cmocka_unit_test_setup_teardown(runs_in_place, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
