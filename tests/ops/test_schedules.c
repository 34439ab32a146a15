/* Learning rates: what each kind gives step by step, and what is refused. */
#include "help.h"

static double rate_at(ps_schedule s, uint64_t step)
{
    double rate = NAN;
    s.size = sizeof s;
    CHECK_OK(ps_schedule_rate(&s, step, &rate));
    return rate;
}

static void check_rate(ps_schedule s, uint64_t step, double wanted)
{
    double rate = rate_at(s, step);
    if (!(fabs(rate - wanted) < 1e-12))
        fail_msg("kind %d, step %d: %.17g, not %.17g", (int)s.kind, (int)step, rate, wanted);
}

static void kinds_follow_their_formulas(void **state)
{
    (void)state;
    ps_schedule constant = {.base = 0.5};
    check_rate(constant, 0, 0.5);
    check_rate(constant, UINT64_MAX, 0.5);
    ps_schedule factor = {.kind = PS_SCHEDULE_FACTOR,
                          .base = 1,
                          .factor = 0.1,
                          .period = 3,
                          .last = 0.01};
    static const double falling[] = {1, 1, 1, 0.1, 0.1, 0.1, 0.01, 0.01, 0.01, 0.01, 0.01};
    for (uint64_t i = 0; i < 11; i++)
        check_rate(factor, i, falling[i]);
    const uint64_t milestones[] = {2, 5};
    ps_schedule multi = {.kind = PS_SCHEDULE_MULTI_FACTOR,
                         .base = 1,
                         .factor = 0.5,
                         .milestones = milestones,
                         .nmilestones = 2};
    static const double steps[] = {1, 1, 0.5, 0.5, 0.5, 0.25, 0.25};
    for (uint64_t i = 0; i < 7; i++)
        check_rate(multi, i, steps[i]);
    ps_schedule curve = {.kind = PS_SCHEDULE_POLYNOMIAL,
                         .base = 3,
                         .last = 1,
                         .period = 4,
                         .power = 2};
    static const double powers[] = {3, 2.125, 1.5, 1.125, 1, 1};
    for (uint64_t i = 0; i < 6; i++)
        check_rate(curve, i, powers[i]);
    curve.kind = PS_SCHEDULE_COSINE;
    for (uint64_t i = 0; i < 6; i++)
        check_rate(curve, i, 2 + cos(3.14159265358979323846 * fmin((double)i / 4, 1)));
}

static void warm_ups_come_first(void **state)
{
    (void)state;
    ps_schedule s = {.base = 1, .first = 0.2, .warmup = 4};
    static const double grows[] = {0.2, 0.4, 0.6, 0.8, 1, 1};
    for (uint64_t i = 0; i < 6; i++)
        check_rate(s, i, grows[i]);
    s.steady = 1;
    for (uint64_t i = 0; i < 6; i++)
        check_rate(s, i, i < 4 ? 0.2 : 1);
    s.kind = PS_SCHEDULE_POLYNOMIAL;
    s.period = 8;
    s.power = 1;
    static const double then[] = {1, 0.75, 0.5, 0.25, 0, 0};
    for (uint64_t i = 0; i < 6; i++)
        check_rate(s, 4 + i, then[i]);
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    double rate;
    const uint64_t falling[] = {5, 2};
    ps_schedule s = {.size = sizeof s, .kind = 9};
    CHECK_FAILS(PS_ERR_ARGUMENT, "9 is no kind of schedule", ps_schedule_rate(&s, 0, &rate));
    s = (ps_schedule){.size = sizeof s, .base = NAN};
    CHECK_FAILS(PS_ERR_ARGUMENT, "a rate is", ps_schedule_rate(&s, 0, &rate));
    s = (ps_schedule){.size = sizeof s, .kind = PS_SCHEDULE_FACTOR, .factor = 0, .period = 1};
    CHECK_FAILS(PS_ERR_ARGUMENT, "factor", ps_schedule_rate(&s, 0, &rate));
    s.factor = 0.5;
    s.period = 0;
    CHECK_FAILS(PS_ERR_ARGUMENT, "period", ps_schedule_rate(&s, 0, &rate));
    s = (ps_schedule){.size = sizeof s, .kind = PS_SCHEDULE_POLYNOMIAL, .power = -1, .period = 1};
    CHECK_FAILS(PS_ERR_ARGUMENT, "power", ps_schedule_rate(&s, 0, &rate));
    s = (ps_schedule){.size = sizeof s, .kind = PS_SCHEDULE_COSINE, .period = 5, .warmup = 5};
    CHECK_FAILS(PS_ERR_ARGUMENT, "5 steps, ends before the warm-up, 5",
                ps_schedule_rate(&s, 0, &rate));
    s = (ps_schedule){.size = sizeof s,
                      .kind = PS_SCHEDULE_MULTI_FACTOR,
                      .factor = 1,
                      .milestones = falling,
                      .nmilestones = 2};
    CHECK_FAILS(PS_ERR_ARGUMENT, "milestone 1, 2, does not come after 5",
                ps_schedule_rate(&s, 0, &rate));
    s.milestones = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "milestones is NULL", ps_schedule_rate(&s, 0, &rate));
    CHECK_FAILS(PS_ERR_ARGUMENT, "rate is NULL", ps_schedule_rate(&s, 0, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "NULL", ps_schedule_rate(NULL, 0, &rate));
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_follow_their_formulas),
        cmocka_unit_test(warm_ups_come_first),
        cmocka_unit_test(wrong_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
