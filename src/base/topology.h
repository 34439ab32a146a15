/* What this process may use of the machine. */
#ifndef PS_BASE_TOPOLOGY_H
#define PS_BASE_TOPOLOGY_H

#include <stdint.h>

/* Processors: the affinity mask, cut by the cgroup's cpu quota (v2 cpu.max or v1 cfs quota, of
 * the group and all its parents, rounded up). At least 1. */
unsigned ps__topology_processors(void);

/* Bytes of memory: physical, cut by the cgroup's memory.max (v2) or limit_in_bytes (v1). */
uint64_t ps__topology_memory(void);

/* The cgroup limits alone, for the given files in place of /proc/self/cgroup and /sys/fs/cgroup:
 * for tests on made-up trees. UINT_MAX and UINT64_MAX: no limit. */
unsigned ps__topology_quota(const char *proc_cgroup, const char *cgroup_root);
uint64_t ps__topology_memory_limit(const char *proc_cgroup, const char *cgroup_root);

#ifdef PENSTOCK_TESTING
/* From now on the given files are read in place of /proc/self/cgroup and /sys/fs/cgroup; the texts must
 * last. NULL: those again. Not while another thread is inside of the functions above. */
void ps__topology_pretend(const char *proc_cgroup, const char *cgroup_root);
#endif

#endif
