/* Structs as a header newer than penstock.h could have them: each with two members more. Those of
 * today are here by their sizes alone, as bytes under the names that the program uses. */
#ifndef ABI_NEWER_H
#define ABI_NEWER_H

#include "common.h"

typedef struct ps_error_info {
    size_t size;
    ps_status status;
    uint64_t sequence;
    const char *operation;
    uint64_t location;
    const char *message;
    uint64_t more;
    uint32_t kind, line;
    const char *file, *function, *place, *text, *gradient_of;
    uint64_t backward;
    const char *backward_file, *backward_place;
    uint64_t backward_line;
    uint64_t added[2];
} ps_error_info;

typedef struct ps_engine_options {
    size_t size;
    unsigned workers;
    int mode;
    uint64_t added[2];
} ps_engine_options;

typedef struct ps_engine_stats {
    size_t size;
    uint64_t pushed;
    uint64_t executed;
    uint64_t others[11];
    uint64_t added[2];
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
    const char *name;
    uint64_t location;
    uint64_t cost_ns;
    uint64_t bytes;
    void *queue;
    int32_t priority;
    uint32_t kind;
    uint64_t flags;
    uint64_t added[2];
} ps_task_spec;

typedef struct ps_wait_options {
    size_t size;
    int64_t timeout_ns;
    uint64_t added[2];
} ps_wait_options;

typedef struct ps_bound {
    size_t size;
    uint64_t soft_bytes;
    uint64_t soft_ops_per_worker;
    uint64_t hard_bytes;
    uint64_t ops;
    uint64_t added[2];
} ps_bound;

typedef struct ps_hooks {
    size_t size;
    void *state;
    void (*unlock)(void *state);
    void (*relock)(void *state);
    void (*others[3])(void *state);
    uint64_t frontend;
    uint64_t added[2];
} ps_hooks;

typedef struct ps_place {
    size_t size;
    const char *file, *function, *shown;
    uint64_t line;
    uint64_t added[2];
} ps_place;

typedef struct ps_frontend {
    size_t size;
    const char *name;
    uint64_t origin;
    bool (*resolve)(void *state, uint64_t id, ps_place *place);
    void *state;
    uint64_t added[2];
} ps_frontend;

typedef struct ps_memory_stats {
    size_t size;
    uint64_t live;
    uint64_t others[4];
    uint64_t added[2];
} ps_memory_stats;

typedef struct ps_format_options {
    size_t size;
    int precision;
    int64_t threshold;
    int edge;
    int width;
    int style;
    int scientific;
    const char *prefix;
    const char *suffixes;
    uint64_t added[2];
} ps_format_options;

typedef struct ps_call {
    size_t size;
    const ps_arg *args;
    size_t nargs;
    ps_tensor **outputs;
    size_t noutputs;
    void *device;
    uint64_t location;
    uint64_t flags;
    uint64_t added[2];
} ps_call;

typedef struct ps_op_info {
    size_t size;
    const char *name;
    const char *signature;
    const char *others[6];
    bool flags[2];
    size_t nargs;
    size_t noutputs;
    const void *args;
    uint64_t op_flags;
    const char *symbol;
    uint64_t added[2];
} ps_op_info;

typedef struct ps_op_def {
    size_t size;
    const char *name;
    const char *signature;
    const char *dtypes;
    const char *result;
    const char *expression;
    const char *gradient;
    const char *doc;
    bool to_float;
    void *rule, *kernel, *context;
    uint64_t added[2];
} ps_op_def;

typedef struct ps_generator_state {
    size_t size;
    uint64_t key;
    uint64_t counter[2];
    uint64_t added[2];
} ps_generator_state;

#include "calls.h"

#endif
