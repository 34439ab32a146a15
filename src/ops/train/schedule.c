/* Learning rates: see ps_schedule_rate in penstock.h. */
#include "base/error.h"
#include "base/sized.h"

#include <inttypes.h>
#include <math.h>

static ps_status refuse(const char *what, double value)
{
    return ps__fail(PS_ERR_ARGUMENT, "ps_schedule_rate: %s is %g", what, value);
}

static ps_status check_milestones(const ps_schedule *s)
{
    if (s->milestones == NULL && s->nmilestones != 0)
        return ps__fail(PS_ERR_ARGUMENT, "ps_schedule_rate: milestones is NULL, nmilestones %zu",
                        s->nmilestones);
    for (size_t i = 1; i < s->nmilestones; i++)
        if (s->milestones[i] <= s->milestones[i - 1])
            return ps__fail(PS_ERR_ARGUMENT,
                            "ps_schedule_rate: milestone %zu, %" PRIu64 ", does not come after "
                            "%" PRIu64,
                            i, s->milestones[i], s->milestones[i - 1]);
    return PS_OK;
}

static ps_status check(const ps_schedule *s)
{
    bool factor = s->kind == PS_SCHEDULE_FACTOR || s->kind == PS_SCHEDULE_MULTI_FACTOR;
    bool falls = s->kind == PS_SCHEDULE_POLYNOMIAL || s->kind == PS_SCHEDULE_COSINE;
    if (s->kind > PS_SCHEDULE_COSINE)
        return ps__fail(PS_ERR_ARGUMENT, "ps_schedule_rate: %" PRIu64 " is no kind of schedule",
                        s->kind);
    if (!isfinite(s->base) || !isfinite(s->last) || !isfinite(s->first))
        return refuse("a rate", !isfinite(s->base)   ? s->base
                                : !isfinite(s->last) ? s->last
                                                     : s->first);
    if (factor && !(s->factor > 0 && isfinite(s->factor)))
        return refuse("the factor, which must be above 0,", s->factor);
    if (s->kind == PS_SCHEDULE_POLYNOMIAL && !(s->power > 0 && isfinite(s->power)))
        return refuse("the power, which must be above 0,", s->power);
    if (s->kind == PS_SCHEDULE_FACTOR && s->period == 0)
        return refuse("the period, which must be above 0,", 0);
    if (falls && s->period <= s->warmup)
        return ps__fail(PS_ERR_ARGUMENT,
                        "ps_schedule_rate: the period, %" PRIu64 " steps, ends before the warm-up, "
                        "%" PRIu64,
                        s->period, s->warmup);
    return check_milestones(s);
}

static double warm_up(const ps_schedule *s, uint64_t step)
{
    if (s->steady)
        return s->first;
    return s->first + (s->base - s->first) * (double)step / (double)s->warmup;
}

static double by_factor(const ps_schedule *s, uint64_t step)
{
    double rate = s->base * pow(s->factor, (double)(step / s->period));
    return rate > s->last ? rate : s->last;
}

static double by_milestones(const ps_schedule *s, uint64_t step)
{
    double rate = s->base;
    for (size_t i = 0; i < s->nmilestones && s->milestones[i] <= step; i++)
        rate *= s->factor;
    return rate;
}

/* From 1 to 0, as a curve has it. */
static double left_of(const ps_schedule *s, uint64_t step)
{
    double t = step < s->period ? (double)(step - s->warmup) / (double)(s->period - s->warmup) : 1;
    if (s->kind == PS_SCHEDULE_POLYNOMIAL)
        return pow(1 - t, s->power);
    return (1 + cos(3.14159265358979323846 * t)) / 2;
}

static double rate_at(const ps_schedule *s, uint64_t step)
{
    if (step < s->warmup)
        return warm_up(s, step);
    switch ((ps_schedule_kind)s->kind) {
    case PS_SCHEDULE_FACTOR:
        return by_factor(s, step);
    case PS_SCHEDULE_MULTI_FACTOR:
        return by_milestones(s, step);
    case PS_SCHEDULE_POLYNOMIAL:
    case PS_SCHEDULE_COSINE:
        return s->last + (s->base - s->last) * left_of(s, step);
    default:
        return s->base;
    }
}

ps_status ps_schedule_rate(const ps_schedule *schedule, uint64_t step, double *rate)
{
    ps_schedule full;
    if (rate == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_schedule_rate: rate is NULL");
    ps_status status = ps__sized_read("ps_schedule_rate: schedule", &full, sizeof full, schedule,
                                      PS__SIZE_TO(ps_schedule, base));
    if (status == PS_OK)
        status = check(&full);
    if (status == PS_OK)
        *rate = rate_at(&full, step);
    return status;
}
