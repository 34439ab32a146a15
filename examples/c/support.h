/* What first.c, queued.c, waits.c, one_or_all.c and training.c share: what is done about errors, their
 * command line, a clock, and the exact value of a tensor as text, by which programs in several languages
 * are compared. */
#ifndef EXAMPLES_SUPPORT_H
#define EXAMPLES_SUPPORT_H

#include <penstock_ops.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline void check(ps_status status)
{
    if (status == PS_OK)
        return;
    fprintf(stderr, "%s\n", ps_last_error());
    exit(1);
}

/* [--digest] [size] */
typedef struct arguments {
    int64_t size;
    bool digest;
} arguments;

static inline arguments read_arguments(int argc, char **argv, int64_t usual_size)
{
    arguments given = {.size = usual_size};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--digest") == 0) {
            given.digest = true;
        } else if ((given.size = atoll(argv[i])) < 1) {
            fprintf(stderr, "usage: %s [--digest] [size]\n", argv[0]);
            exit(2);
        }
    }
    return given;
}

static inline double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static inline ps_arg generator_arg(ps_generator *from)
{
    return (ps_arg){.kind = PS_ARG_GENERATOR, .as.generator = from};
}

/* Numbers spread evenly over [low, high), of the shape (rows, columns). */
static inline ps_tensor *uniform(int64_t rows, int64_t columns, double low, double high,
                                 ps_generator *from)
{
    ps_tensor *made = NULL;
    ps_random_uniform_options options = {.low = PS_ARG(low),
                                         .high = PS_ARG(high),
                                         .generator = generator_arg(from)};
    check(ps_random_uniform_with(PS_INTS(rows, columns), &options, &made));
    return made;
}

/* A line with the bytes of all elements, in hexadecimal. Waits. */
static inline void print_digest(const char *name, ps_tensor *x)
{
    size_t bytes = (size_t)ps_tensor_count(x) * sizeof(float);
    unsigned char *elements = malloc(bytes);
    if (elements == NULL)
        exit(1);
    check(ps_tensor_to_host(x, elements, bytes));
    printf("digest %s ", name);
    for (size_t i = 0; i < bytes; i++)
        printf("%02x", elements[i]);
    printf("\n");
    free(elements);
}

#endif
