/* Calls of updates and of learning rates. */
#include "hostile.h"

enum { SETS = 4, ARGS = 6 };

static ps_arg any_update_arg(ps_tensor **list, size_t count)
{
    for (size_t i = 0; i < SETS; i++)
        list[i] = below(30) ? world.tensors[below(FRIENDLY)] : any_tensor();
    switch (below(5)) {
    case 0:
        return ps_arg_double((double)small_number(-2, 3) / 2);
    case 1:
        return ps_arg_tensor(any_tensor());
    case 2:
        return (ps_arg){.kind = below(4) ? PS_ARG_NONE : (ps_arg_kind)below(13)};
    default:
        return ps_arg_tensors(list, wrong() ? below(SETS + 1) : count);
    }
}

/* One tensor, times 2: mostly right. Of those below hardly any is. */
static ps_status double_one(void)
{
    const ps_op *op = NULL;
    ps_tensor *list[] = {world.tensors[below(FRIENDLY)]};
    ps_arg args[] = {ps_arg_tensors(list, 1), ps_arg_int(2)};
    (void)ps_op_find("multiply", &op);
    SIZED(ps_update, update);
    update.it.count = 1;
    update.it.args = args;
    update.it.nargs = 2;
    update.it.location = any_location();
    return ps_op_update(op, &update.it);
}

static ps_status op_update(void)
{
    if (below(4) == 0)
        return double_one();
    static const char *const names[] = {"multiply",       "sgd_update", "momentum_update",
                                        "rmsprop_update", "add",        "sum",
                                        "adam_update"};
    static const double halves[SETS] = {0.5, -0.5, 1, 0};
    const ps_op *op = NULL;
    ps_tensor *lists[ARGS][SETS], *copies[SETS + 1];
    ps_arg args[ARGS];
    const double *numbers[ARGS];
    size_t count = below(SETS + 1);
    for (size_t i = 0; i < ARGS; i++) {
        args[i] = any_update_arg(lists[i], count);
        numbers[i] = below(6) ? NULL : halves;
    }
    for (size_t i = 0; i <= SETS; i++)
        copies[i] = below(3) ? world.tensors[below(FRIENDLY)] : NULL;
    if (below(4))
        args[0] = ps_arg_tensors(lists[0], count);
    (void)ps_op_find(PICK(names), &op);
    SIZED(ps_update, update);
    update.it.count = wrong() ? count + 1 : count;
    update.it.args = wrong() ? NULL : args;
    update.it.nargs = below(ARGS + 1);
    update.it.numbers = below(3) ? NULL : numbers;
    update.it.location = any_location();
    update.it.copies = below(3) ? NULL : copies;
    if (update.it.count > SETS) /* the list of numbers has no more */
        update.it.numbers = NULL;
    return ps_op_update(wrong() ? NULL : op, wrong() ? NULL : &update.it);
}

static ps_status schedule_rate(void)
{
    uint64_t milestones[SETS] = {3, 5, 8, 8 + below(2)};
    double rate;
    SIZED(ps_schedule, schedule);
    schedule.it.kind = wrong() ? (uint64_t)any_number() : below(5);
    schedule.it.base = (double)small_number(-1, 3);
    schedule.it.last = wrong() ? 1 / 0.0 : 0.1;
    schedule.it.factor = schedule.it.power = (double)small_number(0, 3);
    schedule.it.period = below(20);
    schedule.it.warmup = below(10);
    schedule.it.steady = below(2);
    schedule.it.milestones = wrong() ? NULL : milestones;
    schedule.it.nmilestones = below(SETS + 1);
    return ps_schedule_rate(wrong() ? NULL : &schedule.it, (uint64_t)any_number(), RESULT(rate));
}

const hostile_call hostile_update_calls[] = {{"ps_op_update", op_update, 12},
                                             {"ps_schedule_rate", schedule_rate, 3},
                                             {NULL, NULL, 0}};
