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

#endif
