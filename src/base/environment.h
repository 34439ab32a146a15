/* Reading PENSTOCK_* variables. Unset and empty mean the default; anything malformed is
 * PS_ERR_ENVIRONMENT with a text that names the variable, its value and what was expected. */
#ifndef PS_BASE_ENVIRONMENT_H
#define PS_BASE_ENVIRONMENT_H

#include "penstock.h"

/* A whole number in [low, high]; *value is left alone when the variable is not set. */
ps_status ps__env_count(const char *name, uint64_t low, uint64_t high, uint64_t *value);

/* Bytes: a whole number with an optional suffix K, M, G or T (powers of 1024), either case, and
 * an optional B or iB after it. */
ps_status ps__env_bytes(const char *name, uint64_t *value);

/* One of `count` words; *index is left alone when the variable is not set. */
ps_status ps__env_choice(const char *name, const char *const *words, unsigned count,
                         unsigned *index);

/* Runs `body` while the environment has `entry`, "NAME=value", before all else, for code that reads
 * a variable and takes no argument. Threads that call getenv meanwhile are safe: they find an array
 * that is never written or freed by this. A thread that changes the environment at the same time
 * must not exist, as for getenv itself. `entry` must last as long as the process. PS_ERR_MEMORY:
 * `body` did not run. */
ps_status ps__env_with(const char *entry, void (*body)(void *arg), void *arg);

#endif
