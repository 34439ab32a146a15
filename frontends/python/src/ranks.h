/* What policy.c asks about ranks. `values` says which arguments are operands. */
#ifndef PYPS_RANKS_H
#define PYPS_RANKS_H

#include "core.h"

/* Arrays without dimensions as the type that the rule gives, where the operation would promote them: into
 * `owned`, as in pyps_policy_operands. */
int pyps_ranks_settle(const pyps_dialect *dialect, const ps_op_info *info, ps_arg *args,
                      const bool *values, size_t nargs, ps_tensor **owned);
/* Whether the operation gives the kind of numbers that an array holds, or a lower one; else -1 and an
 * exception. */
int pyps_ranks_check_update(const pyps_dialect *dialect, const ps_op_info *info, const ps_arg *args,
                            const bool *values, size_t nargs, const ps_tensor *out);

/* policy.c: an operand as another type; `owned` is what was made of it, for the caller to release. */
int pyps_policy_convert(const pyps_dialect *dialect, ps_dtype dtype, ps_arg *arg,
                        ps_tensor **owned);

#endif
