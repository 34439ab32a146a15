/* Fuzzing a format of files: recorded or made ones are damaged at random, and read.
 *
 * Each is read or refused with a text; what is read holds no more than the file has bytes for, and can be
 * saved and read again. A sanitizer's build sees reads and writes out of place.
 *
 *   PENSTOCK_FUZZ_FILES  how many (20000)
 *   PENSTOCK_FUZZ_SEED   another sequence of files (1) */
#ifndef PS_TEST_FORMAT_H
#define PS_TEST_FORMAT_H

#include "fuzz/support/damage.h"

/* What a format has to say. `file` is what its functions give for a file that was read. */
typedef struct format {
    const char *function; /* that reads bytes in memory: refusals begin with its name */
    unsigned flags;       /* that it takes: 0 ... flags - 1 */
    bool borrows;         /* what it gives needs the bytes, until it is closed */
    bytes *corpus;        /* what samples are made of, */
    size_t count;         /* so many */
    void (*damage)(sample *s);
    ps_status (*read_memory)(const void *data, size_t size, uint32_t flags, void **file);
    ps_status (*read_file)(const char *path, uint32_t flags, void **file);
    /* Reads every element and text, which are no more bytes than `size`; whether it can be saved. */
    bool (*check)(const void *file, size_t size);
    ps_status (*save)(const char *path, const void *file);
    bool (*equal)(const void *a, const void *b);
    void (*close)(void *file);
} format;

/* All samples; the corpus is freed. */
void format_run(const format *f);

#endif
