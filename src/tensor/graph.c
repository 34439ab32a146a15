/* What is shared with the graph's layer: see graph.h. */
#include "tensor/graph.h"

_Atomic(const ps__graph_table *) ps__graph_hooks;
_Atomic uint32_t ps__graph_eager;
PS__FORK_LOCK(ps__graph_lock, PS__RANK_GRAPH)
