/* Integer division by zero that fails, where a dialect wants that. */
#ifndef PYPS_ZEROS_H
#define PYPS_ZEROS_H

#include "core.h"

/* If the operation divides integers: a divisor that is the number 0 is an error now; an array of divisors
 * becomes one that fails, while running, if there is a 0 in it: into `owned`, as in
 * pyps_policy_operands. */
int pyps_zeros_check(const pyps_dialect *dialect, const ps_op *op, ps_arg *args, size_t nargs,
                     ps_tensor **owned);
/* Whether that is what failed. */
bool pyps_is_zero_division(const ps_error_info *info);

#endif
