/* Operations that a program adds with a rule and a kernel of its own. */
#ifndef PS_OPS_PLUGIN_H
#define PS_OPS_PLUGIN_H

#include "ops/submit.h"

ps_status ps__op_plugin(const ps__bound_call *call);
/* Whether the arguments of such an operation are of kinds that can be passed on. */
ps_status ps__plugin_check(const ps_op *op);

#endif
