/* Random calls of the whole public interface, half of them wrong: what the files share.
 *
 * `world` holds objects of every kind. A call takes its arguments from there and from lists of
 * numbers that are just possible or just not; each argument by itself is made wrong now and then.
 * What could not be told from a valid argument is not tried: a handle that was released, a pointer
 * to less memory than its count says. */
#ifndef PS_TEST_HOSTILE_H
#define PS_TEST_HOSTILE_H

#include <stdlib.h>
#include <string.h>

#include "penstock.h"

enum {
    TENSORS = 24,
    FRIENDLY = 12, /* of these: never replaced, so that calls keep finding what fits together */
    ENGINES = 4,
    VARS = 6,
    QUEUES = 2,
    DEVICES = 4,
    GENERATORS = 3,
    COMPLETIONS = 2,
    PARAMS = 2,
    SAFETENSORS = 2
};

typedef struct hostile_world {
    ps_tensor *tensors[TENSORS];
    ps_engine *engines[ENGINES]; /* the default one, one with workers, one that is closed, NULL */
    ps_var *vars[VARS];          /* of engines[1]; the last is of the closed one */
    ps_queue *queues[QUEUES];    /* of engines[1]; the last is NULL */
    ps_device *devices[DEVICES]; /* NULL is the CPU */
    ps_generator *generators[GENERATORS];
    ps_completions *completions[COMPLETIONS]; /* of the default engine and of engines[1] */
    ps_params *params[PARAMS];
    ps_safetensors *safetensors[SAFETENSORS]; /* copied and borrowed */
    const char *folder;                       /* for files */
} hostile_world;

extern hostile_world world;

void world_create(const char *folder);
void world_destroy(void);

/* ---- chance ------------------------------------------------------------------------------ */

void chance_seed(uint64_t seed);
uint64_t chance_bits(void);
size_t below(size_t end);
/* This argument is to be wrong: one in ten. */
bool wrong(void);
/* A number that is small, or one from the edges of what there is. */
int64_t any_number(void);
int64_t small_number(int64_t first, int64_t end);

#define PICK(array) ((array)[below(sizeof(array) / sizeof((array)[0]))])
/* One from the list, or NULL when it is to be wrong. */
#define PICK_OR_NULL(array) (wrong() ? NULL : PICK(array))
/* A place for a result, or NULL when it is to be wrong. */
#define RESULT(name) (wrong() ? NULL : &(name))

/* A size for a struct: nearly always the right one; the struct has ROOM_BEHIND zero bytes more. */
enum { ROOM_BEHIND = 64 };
size_t any_size(size_t right);
/* Declares a struct with its size, and zeroes behind it. */
#define SIZED(type, name)                                                                          \
    struct {                                                                                       \
        type it;                                                                                   \
        char behind[ROOM_BEHIND];                                                                  \
    } name;                                                                                        \
    memset(&name, 0, sizeof name);                                                                 \
    name.it.size = any_size(sizeof name.it)

/* ---- arguments --------------------------------------------------------------------------- */

/* A copy of `count` numbers in memory of exactly that size; freed by the caller. */
void *exactly(const void *from, size_t count, size_t bytes);
ps_tensor *any_tensor(void);   /* NULL when it is to be wrong */
ps_tensor *small_tensor(void); /* the same, but no view of more elements than there are */
ps_dtype any_dtype(void);
ps_scalar any_scalar(void);
ps_index any_index(void); /* no array, no mask */
ps_index any_item(void);
const char *any_text(void);  /* may be NULL */
uint64_t any_location(void); /* of nobody, of C, of a frontend that is there, gone, or neither */
/* Numbers that may be a shape or axes, in memory of their own, and how many; NULL and a wrong count
 * when it is to be wrong. */
int64_t *any_ints(int *count);

/* Puts a tensor that a call made into the world; NULL is ignored. */
void keep(ps_tensor *made);

/* ---- calls ------------------------------------------------------------------------------- */

/* Makes one call; PS_OK for functions that cannot fail. */
typedef struct hostile_call {
    const char *name;
    ps_status (*make)(void);
    unsigned weight; /* how often, compared with others */
} hostile_call;

/* Each list ends with a NULL name. */
extern const hostile_call hostile_engine_calls[];
extern const hostile_call hostile_task_calls[];
extern const hostile_call hostile_tensor_calls[];
extern const hostile_call hostile_index_calls[];
extern const hostile_call hostile_op_calls[];
extern const hostile_call hostile_other_calls[];
extern const hostile_call hostile_grad_calls[];
extern const hostile_call hostile_update_calls[];

#endif
