/* Calls of the program's own functions: see foreign.h. */
#include "autograd/foreign.h"

#include "base/error.h"

ps__foreign ps__foreign_begin(void)
{
    return (ps__foreign){ps_thread_state(), ps__fail_count()};
}

ps_status ps__foreign_end(const ps__foreign *before, const char *name, ps_status status)
{
    (void)ps_thread_set_state(before->state); /* it was so before */
    return status == PS_OK ? PS_OK : ps__foreign_failed(name, "function", before->failures, status);
}

ps_status ps__foreign_value(ps_tensor *value, ps_tensor **handle)
{
    ps__edge edge;
    ps_status status = ps__edge_of(value, &edge);
    if (status != PS_OK)
        return status;
    status = ps__snapshot(value, handle);
    if (edge.node == NULL)
        return status;
    if (status == PS_OK)
        ps__edge_set(*handle, edge.node, edge.output);
    ps__node_release(edge.node);
    return status;
}

ps_status ps__foreign_check(const char *what, const ps_tensor *given, const ps__like *like)
{
    bool type = given->dtype == like->dtype;
    if (type && ps__shape_equal(given->ndim, ps__shape(given), like->ndim, like->shape))
        return PS_OK;
    return ps__fail(type ? PS_ERR_ARGUMENT : PS_ERR_TYPE,
                    "%s is of %s of shape %s, not of %s of shape %s", what,
                    ps__dtypes[given->dtype].name, ps__shape_text(given->ndim, ps__shape(given)),
                    ps__dtypes[like->dtype].name, ps__shape_text(like->ndim, like->shape));
}
