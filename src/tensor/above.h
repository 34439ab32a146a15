/* What the layers above define: all that this layer, or one below it, needs of a later one.
 *
 * Everything else refers to its own layer and to those before it; tools/check_includes.py holds the
 * objects of a build against that, and takes the exceptions from here. So each has its reason, and
 * what could be handed down at run time, or moved to the layer that needs it, is no exception. */
#ifndef PS_TENSOR_ABOVE_H
#define PS_TENSOR_ABOVE_H

#include "tensor/storage.h"

/* What is shown the windows of the tensors' engine. Fusion is the last layer and nobody calls it, so
 * it has no moment at which to register itself: the engine is made by the first tensor, and every
 * window from then on must be shown. fuse/fuse.c. */
extern const ps__grouping_fn ps__tensor_grouping;

/* A copy on another device, queued. Elements in the caller's memory come from and go to devices
 * through it, and it is an operation: a task with a description of work. ops/transfer.c. */
ps_status ps__tensor_to_home(ps_tensor *tensor, const ps__home *home, ps_tensor **copy);

#endif
