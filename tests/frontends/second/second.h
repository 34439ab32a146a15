/* Second: a made-up language, and what a frontend of Penstock is made of, in its shortest form.
 *
 * It counts axes and positions from 1; there is no 0. Its scripts have names and lines. Calls return
 * NULL or false on failure, and second_last_error has the reason. docs/ARCHITECTURE.md walks through
 * the files. */
#ifndef SECOND_H
#define SECOND_H

#include <penstock.h>

/* Begins and ends the language: to be called before its first use, and before it is unloaded. */
PS_API bool second_start(void);
PS_API bool second_stop(void);

/* The calling thread is one of this language's; without it a thread is somebody else's. */
PS_API bool second_enter(void);
PS_API bool second_leave(void);

/* The line of the script that runs: what is queued from here on was queued there. */
PS_API void second_at(const char *script, unsigned line);

/* An argument: a tensor, a number, or neither if it is left out. */
typedef struct second_value {
    ps_tensor *tensor;
    int64_t number;
    bool is_number;
} second_value;

/* An operation of the table by its name. */
PS_API ps_tensor *second_call(const char *name, const second_value *values, size_t count);

/* Elements by position, one position for each of the first dimensions. */
PS_API ps_tensor *second_get(ps_tensor *x, const int64_t *positions, size_t count);
PS_API bool second_set(ps_tensor *x, const int64_t *positions, size_t count, double number);
/* Along the first dimension, by a tensor of positions. */
PS_API ps_tensor *second_get_many(ps_tensor *x, ps_tensor *positions);
PS_API bool second_set_many(ps_tensor *x, ps_tensor *positions, double number);

PS_API bool second_wait(ps_tensor *x);
/* As second_call of `take`, from a line of C. */
PS_API ps_tensor *second_take_in_c(ps_tensor *x, ps_tensor *positions);

typedef struct second_error {
    char text[2000];
    char place[500]; /* "" if it is not known */
    uint32_t kind;   /* a ps_error_kind */
    uint32_t line;
} second_error;

PS_API void second_last_error(second_error *error);

#endif
