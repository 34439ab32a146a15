/* The rules that rules.def lists, and what they share. */
#ifndef PS_AUTOGRAD_RULES_H
#define PS_AUTOGRAD_RULES_H

#include "autograd/rule.h"

#define RULE(name, args, y, from) void ps__rule_##name(ps__flow *f);
#define RULE_WITH(name, args, y, from, with) RULE(name, args, y, from)
#include "autograd/rules.def"
#undef RULE
#undef RULE_WITH

/* The shape of an operand as an argument. */
static inline ps_arg ps__arg_shape(const ps__like *like)
{
    return ps__arg_ints(like->ndim, like->shape);
}

/* The conjugate of a complex tensor; others as they are. */
static inline ps_tensor *ps__conjugate(ps__flow *f, ps_tensor *x)
{
    bool complex = x != NULL && ps__dtype_kind_of((ps_dtype)x->dtype) == PS__KIND_COMPLEX;
    return complex ? PS__MAKE(&f->c, "conj", ps__arg_tensor(x)) : x;
}

/* Of a reduction of argument 0 over the axes of an argument: x with the reduced dimensions as length
 * 1 again, so that it broadcasts against the operand. */
ps_tensor *ps__unreduced(ps__flow *f, unsigned axes, bool kept, ps_tensor *x);
/* The same of dy. */
ps_tensor *ps__dy_spread(ps__flow *f, unsigned axes, bool kept);
/* How many elements were combined into one. */
int64_t ps__reduced_count(const ps__flow *f, unsigned axes);
/* dy for those elements of x that are equal to the result; several have equal shares of it. */
ps_tensor *ps__shared(ps__flow *f, ps_tensor *x, unsigned axes, bool kept);

ps_tensor *ps__times(ps__flow *f, ps_tensor *a, ps_tensor *b);

#endif
