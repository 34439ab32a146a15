/* Losses of elements that are made of others: sigmoid_bce_loss, kl_div_loss. */
#include "ops/compose.h"

ps_status ps__op_sigmoid_bce_loss(const ps__bound_call *call)
{
    static const char *const rows[2][2] = {{"bce_logits", "bce_logits_weighted"},
                                           {"bce_probabilities", "bce_probabilities_weighted"}};
    ps__compose c;
    bool weighted = call->args[2].kind != PS_ARG_NONE;
    ps__compose_begin(&c, call);
    ps__compose_give(&c, rows[call->args[3].as.boolean][weighted], weighted ? 3 : 2, call->args);
    return ps__compose_end(&c);
}

/* Whether the loss of logits can be had, before log_softmax of them is called. Not in line: the shape
 * takes stack that what follows needs. */
static __attribute__((noinline)) bool divergence_begin(ps__compose *c)
{
    ps_tensor *x = ps__compose_tensor(c, 0), *target = ps__compose_tensor(c, 1);
    int64_t shape[PS_DIMS_MAX];
    int ndim, axis;
    ps_dtype dtype;
    if (!ps__compose_type(c, 2, (ps_tensor *[]){x, target}, &dtype))
        return false;
    c->status = ps__axis("kl_div_loss", c->call->args[3].as.integer, x->ndim, &axis);
    return ps__compose_broadcast(c, x, target, &ndim, shape) &&
           ps__compose_result(c, dtype, ndim, shape);
}

ps_status ps__op_kl_div_loss(const ps__bound_call *call)
{
    ps__compose c;
    ps_arg x = call->args[0];
    ps__compose_begin(&c, call);
    if (divergence_begin(&c)) {
        if (!call->args[2].as.boolean)
            x = PS__MADE(&c, "log_softmax", x, call->args[3]);
        PS__GIVE(&c, "kl_divergence", x, call->args[1]);
    }
    return ps__compose_end(&c);
}
