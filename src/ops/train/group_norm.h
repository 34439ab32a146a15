/* What the files of group norm share. */
#ifndef PS_OPS_TRAIN_GROUP_NORM_H
#define PS_OPS_TRAIN_GROUP_NORM_H

#include "ops/compose.h"

/* Whether the channels of x, its second axis, can be divided into so many groups, each with elements. */
ps_status ps__groups_check(const char *name, const ps_tensor *x, int64_t count);
/* Elements of a channel of one place along the first axis. */
int64_t ps__groups_inner(const ps_tensor *x);
/* x as places along the first axis, groups, and the elements of a group. */
ps_arg ps__groups_rows(ps__compose *c, ps_arg x, int64_t count);
/* A number for each channel in a shape that broadcasts against x. */
ps_arg ps__groups_spread(ps__compose *c, const ps_tensor *x, ps_tensor *line);

#endif
