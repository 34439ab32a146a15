/* The engine that operations use, and calls on a device. */
#ifndef PS_TEST_OPS_ENGINE_HELP_H
#define PS_TEST_OPS_ENGINE_HELP_H

#include "help.h"

static inline ps_engine *engine(void)
{
    ps_engine *found;
    CHECK_OK(ps_engine_default(&found));
    return found;
}

static inline ps_engine_stats stats(void)
{
    ps_engine_stats result = {.size = sizeof result};
    CHECK_OK(ps_engine_get_stats(engine(), &result));
    return result;
}

static inline void wait_all(void)
{
    CHECK_OK(ps_wait_all(engine(), NULL));
}

static inline ps_tensor *call_on(ps_device *device, const char *name, size_t nargs,
                                 const ps_arg *args)
{
    const ps_op *op;
    ps_tensor *out = NULL;
    CHECK_OK(ps_op_find(name, &op));
    check_ok(ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                       .args = args,
                                       .nargs = nargs,
                                       .outputs = &out,
                                       .noutputs = 1,
                                       .device = device}),
             name, __FILE__, __LINE__);
    return out;
}

#define CALL_ON(device, name, ...) call_on(device, name, ARGS(__VA_ARGS__))

#endif
