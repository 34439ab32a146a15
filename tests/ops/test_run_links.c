/* Which instructions of a program stay in registers: counted, since results are the same either way. */
#include "backend/program.h"

#include "engine_help.h"

/* Two inputs and a zero. */
static ps__program program_of_two(void)
{
    ps__program p = {.inputs = 2, .literals = 1};
    for (int i = 0; i < 3; i++)
        p.types[i] = PS_FLOAT32;
    return p;
}

static uint8_t emit(ps__program *p, ps__prim prim, ps_dtype made, uint8_t a, uint8_t b, uint8_t c,
                    unsigned arity)
{
    int value = ps__program_emit(p, (ps__instruction){.prim = prim,
                                                      .dtype = PS_FLOAT32,
                                                      .result = made,
                                                      .arity = arity,
                                                      .args = {a, b, c}});
    assert_true(value >= 0);
    return (uint8_t)value;
}

enum { DY, Y, ZERO };

/* dy * y, and then relu's gradient at y; with the floor of `of`. */
static unsigned run_of_gate(bool floored, uint8_t of)
{
    ps__program p = program_of_two();
    uint8_t v = emit(&p, PS__PRIM_multiply, PS_FLOAT32, DY, Y, 0, 2);
    uint8_t open = emit(&p, PS__PRIM_greater, PS_BOOL, Y, ZERO, 0, 2);
    uint8_t other = floored ? emit(&p, PS__PRIM_floor, PS_FLOAT32, of, 0, 0, 1) : ZERO;
    uint8_t gate = emit(&p, PS__PRIM_where, PS_FLOAT32, open, v, other, 3);
    p.store[p.stores++] = (ps__store){.value = gate};
    ps__program_find_runs(&p);
    return p.run[0];
}

static void the_gradient_of_relu_is_one_step(void **state)
{
    (void)state;
    assert_int_equal(run_of_gate(false, Y), 3);
    assert_int_equal(run_of_gate(true, Y), 4);
    assert_int_equal(run_of_gate(true, DY), 0); /* of something else: it is no gate */
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_gradient_of_relu_is_one_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
