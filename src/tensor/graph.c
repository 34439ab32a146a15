/* What is shared with the graph's layer: see graph.h. */
#include "tensor/graph.h"

_Atomic(const ps__graph_table *) ps__graph_hooks;
ps__lock ps__graph_lock;
