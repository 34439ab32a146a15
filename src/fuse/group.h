/* A group of tasks while it is put together and while it runs. */
#ifndef PS_FUSE_GROUP_H
#define PS_FUSE_GROUP_H

#include "ops/task.h"

enum { PS__FUSE_MEMBERS = 32, PS__FUSE_DIMS = 8 };

/* Elements of a buffer over the group's space, or a number. */
typedef struct ps__fuse_view {
    ps__buffer *buffer;             /* NULL: the constant */
    int64_t offset;                 /* in bytes */
    int64_t strides[PS__FUSE_DIMS]; /* in bytes */
    uint8_t dtype;
    ps__element constant;
} ps__fuse_view;

/* A buffer that members write. */
typedef struct ps__fuse_written {
    ps__fuse_view view;
    uint16_t value;   /* what it holds now */
    bool read_before; /* its old elements are an input of the program */
} ps__fuse_written;

/* Values while a group is put together, when it is not known yet how many inputs and literals there
 * will be: a kind and a number. */
enum { PS__FUSE_INPUT = 0x000, PS__FUSE_LITERAL = 0x100, PS__FUSE_STEP = 0x200 };

typedef struct ps__fuse_step {
    ps__instruction instruction; /* but for its operands */
    uint16_t args[3];
} ps__fuse_step;

typedef struct ps__fuse_group {
    const ps__home *home;
    int ndim;
    int64_t shape[PS__FUSE_DIMS];
    int64_t count;
    unsigned members;
    ps__task *member[PS__FUSE_MEMBERS];

    unsigned inputs, literals, steps, written;
    ps__fuse_view input[PS__INPUTS];
    ps__element literal[PS__LITERALS];
    uint8_t literal_type[PS__LITERALS];
    ps__fuse_step step[PS__INSTRUCTIONS];
    ps__fuse_written write[PS__STORES];
    ps__task *reduce; /* the last member, if it is a reduction; or NULL */
    uint32_t reduced; /* dimensions that it reduces */
    uint16_t reduce_value;

    /* Made of all that at the end. */
    ps__program program;
    unsigned stored;
    ps__fuse_view store[PS__STORES], result;
    unsigned operands; /* of the work: outputs first */
    ps__operand operand[PS__STORES + PS__INPUTS];
    const ps__fuse_view *held[PS__STORES + PS__INPUTS]; /* where each of them is */
    union {
        struct {
            ps__work_map work;
            ps__element constants[PS__INPUTS];
        } map;
        struct {
            ps__work_reduce work;
            ps__element constants[PS__INPUTS];
            int64_t shape[PS__FUSE_DIMS];
        } reduce;
    } room;
} ps__fuse_group;

void ps__fuse_begin(ps__fuse_group *g);
/* Adds a member; false, with the group as it was, if it does not fit. */
bool ps__fuse_add(ps__fuse_group *g, ps__task *task);
/* Decides what is stored and finishes the program. Returns how many members the group has; less than
 * two: none. */
size_t ps__fuse_end(ps__fuse_group *g);

size_t ps__fuse_tasks(void *context, ps_task *const *tasks, size_t count, ps__group *group);

#endif
