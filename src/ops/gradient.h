/* Gradients of rows: how the gradient of the result, dy, flows back to the arguments. A row states
 * one of three things:
 *
 *   "dy * x2; dy * x1"   elementwise rows: for each tensor of the signature an expression of the
 *                        arguments, the result y and dy, separated by ";"; nothing between them:
 *                        none flows there. Where arguments were broadcast what flows to them is to
 *                        be added up. For complex numbers it is the gradient of a real number by
 *                        the real part plus i times that by the imaginary part
 *   "by NAME"            the function of that name knows
 *   "no: WHY"            it is not differentiable
 *
 * Where libraries differ an expression has a parameter, a number that whoever asks may choose:
 *
 *   tie    what the first of two equal operands of `maximum` and `minimum` gets; the second gets the
 *          rest. 0.5 unless given */
#ifndef PS_OPS_GRADIENT_H
#define PS_OPS_GRADIENT_H

#include "ops/op.h"

typedef enum ps__gradient_kind {
    PS__GRADIENT_EXPRESSION,
    PS__GRADIENT_FUNCTION,
    PS__GRADIENT_NONE
} ps__gradient_kind;

ps__gradient_kind ps__gradient_kind_of(const ps_op *op);

/* The elementwise operation that computes what flows back to the wanted arguments, a bit for each: its
 * arguments are those of the row, then y, dy and the parameters; its outputs, in order, belong to the
 * arguments whose bits are set in gradient->flows, of rows with more than three tensors to all. Made
 * at the first request and kept; gradient->names has those arguments that it needs, gradient->passes
 * those that get dy as it is, for which it need not be called. *gradient is NULL if nothing flows. Fails if the row states no expression, or one that cannot be compiled. */
ps_status ps__gradient_op(const ps_op *op, uint32_t wanted, const ps_op **gradient);

/* Frees that operation, with a row that nobody can call. */
void ps__gradient_free(ps_op *op);

#endif
