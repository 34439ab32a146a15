/* Structs as a header older than penstock.h has them: shorter by their last members, down to the
 * shortest that the library takes. Where zero has another meaning than "left out" (a time limit, a
 * bound, a state) the first version is the shortest. */
#ifndef ABI_OLDER_H
#define ABI_OLDER_H

#include "common.h"

typedef struct ps_error_info {
    size_t size;
    ps_status status;
    uint64_t sequence;
} ps_error_info;

typedef struct ps_engine_options {
    size_t size;
    unsigned workers;
} ps_engine_options;

typedef struct ps_engine_stats {
    size_t size;
    uint64_t pushed;
    uint64_t executed;
} ps_engine_stats;

typedef struct ps_task_spec {
    size_t size;
    ps_task_fn run;
    void *arg;
    void (*drop)(void *arg);
    ps_var *const *reads;
    size_t nreads;
    ps_var *const *writes;
    size_t nwrites;
} ps_task_spec;

typedef struct ps_wait_options {
    size_t size;
    int64_t timeout_ns;
} ps_wait_options;

typedef struct ps_bound {
    size_t size;
    uint64_t soft_bytes;
    uint64_t soft_ops_per_worker;
    uint64_t hard_bytes;
    uint64_t ops;
} ps_bound;

typedef struct ps_hooks {
    size_t size;
    void *state;
    void (*unlock)(void *state);
    void (*relock)(void *state);
} ps_hooks;

typedef struct ps_memory_stats {
    size_t size;
    uint64_t live;
} ps_memory_stats;

typedef struct ps_format_options {
    size_t size;
    int precision;
    int64_t threshold;
    int edge;
    int width;
} ps_format_options;

typedef struct ps_call {
    size_t size;
    const ps_arg *args;
    size_t nargs;
    ps_tensor **outputs;
    size_t noutputs;
} ps_call;

typedef struct ps_op_info {
    size_t size;
    const char *name;
    const char *signature;
} ps_op_info;

typedef struct ps_op_def {
    size_t size;
    const char *name;
    const char *signature;
    const char *dtypes;
    const char *result;
    const char *expression;
} ps_op_def;

typedef struct ps_generator_state {
    size_t size;
    uint64_t key;
    uint64_t counter[2];
} ps_generator_state;

#include "calls.h"

#endif
