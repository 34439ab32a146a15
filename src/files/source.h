/* Bytes to be read one after the other, of a file or in memory, of which it is known how many are
 * left. */
#ifndef PS_FILES_SOURCE_H
#define PS_FILES_SOURCE_H

#include "penstock.h"

enum { PS__SOURCE_BYTES = 1 << 12 }; /* on the stack of whoever loads */

typedef struct ps__source {
    const char *what, *path; /* for texts; path is NULL for memory */
    int file;                /* -1 for memory */
    uint64_t left;           /* bytes not read yet, those that are ready too */
    const char *ready;       /* bytes that are in memory already */
    size_t nready;
    char buffer[PS__SOURCE_BYTES]; /* what small reads of a file are taken from */
} ps__source;

/* `path` must outlive the source. A directory or anything else that is no ordinary file is
 * refused: how much it will give is not known. */
ps_status ps__source_open(const char *what, const char *path, ps__source *source);
void ps__source_memory(const char *what, const void *data, size_t bytes, ps__source *source);
void ps__source_close(ps__source *source);

/* Reads exactly so many bytes. `part` names what they are in the text of an error. */
ps_status ps__source_read(ps__source *source, const char *part, void *to, size_t bytes);
/* Little-endian numbers. */
ps_status ps__source_u32(ps__source *source, const char *part, uint32_t *value);
ps_status ps__source_u64(ps__source *source, const char *part, uint64_t *value);

/* Notes a text that begins with what is read: PS_ERR_ARGUMENT. */
PS_PRINTF(2, 3)
ps_status ps__source_fail(const ps__source *source, const char *format, ...);

#endif
