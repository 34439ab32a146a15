/* In virtual time a program does the same in every run: recorded programs come to their end on any
 * number of workers, their steps in order, and take exactly as long the second time. */
#include "fixture.h"

#include "support/recorded.h"

static void expect_equal(const recorded_program *program, unsigned workers, unsigned cores)
{
    recorded_setting setting = {.workers = workers, .cores = cores, .rounds = 1};
    recorded_times first, second;
    assert_true(recorded_run(program, &setting, &first));
    assert_true(recorded_run(program, &setting, &second));
    if (first.makespan != second.makespan)
        print_error("%s, %u workers on %u cores: %jd ns, then %jd\n", program->name, workers, cores,
                    (intmax_t)first.makespan, (intmax_t)second.makespan);
    assert_int_equal(first.makespan, second.makespan);
    assert_int_equal(first.switches, second.switches);
    assert_int_equal(first.takes, second.takes);
    assert_int_equal(first.contended, second.contended);
    assert_true(first.in_order && second.in_order);
}

static void a_core_for_each_worker(void **state)
{
    (void)state;
    static const unsigned workers[] = {1, 5, 16, 2, 64};
    size_t count = FIXTURE_SANITIZED ? 3 : sizeof workers / sizeof workers[0];
    for (size_t i = 0; i < recorded_program_count; i++)
        for (size_t k = 0; k < count; k++)
            expect_equal(&recorded_programs[i], workers[k], workers[k]);
}

static void fewer_cores_than_workers(void **state)
{
    (void)state;
    for (size_t i = 0; i < recorded_program_count; i++) {
        expect_equal(&recorded_programs[i], 2, 1);
        expect_equal(&recorded_programs[i], 16, 3);
    }
}

static void work_is_shared(void **state)
{
    (void)state;
    recorded_times one, four;
    const recorded_program *program = recorded_find("products-200");
    assert_true(recorded_run(program, &(recorded_setting){1, 16, 1, NULL}, &one));
    assert_true(recorded_run(program, &(recorded_setting){4, 16, 1, NULL}, &four));
    assert_int_equal(one.work, four.work);
    assert_true(2 * four.makespan < one.makespan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_core_for_each_worker),
        cmocka_unit_test(fewer_cores_than_workers),
        cmocka_unit_test(work_is_shared),
    };
    return FIXTURE_RUN(tests);
}
