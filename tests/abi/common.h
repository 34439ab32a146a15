/* What never changes: handles, numbers, structs without a size. */
#ifndef ABI_COMMON_H
#define ABI_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int ps_status;
enum { PS_OK = 0, PS_ERR_ARGUMENT = 1, PS_ERR_TASK = 10 };

typedef struct ps_engine ps_engine;
typedef struct ps_var ps_var;
typedef struct ps_task ps_task;
typedef struct ps_tensor ps_tensor;
typedef struct ps_op ps_op;
typedef struct ps_generator ps_generator;
typedef ps_status (*ps_task_fn)(ps_task *self, void *arg);

enum { PS_ARG_INT = 4, PS_ARG_DOUBLE = 5, PS_ARG_INTS = 6, PS_ARG_TENSOR = 1 };

typedef struct ps_arg {
    int kind;
    uint32_t count;
    union {
        ps_tensor *tensor;
        int64_t integer;
        double number;
        const int64_t *ints;
        uint64_t room[3];
    } as;
} ps_arg;

#endif
