/* The safetensors format: its limits, and what an open file is.
 *
 *   file    u64 N (little-endian), N bytes of header, data
 *   header  {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}, JSON, then
 *           spaces; "__metadata__" may be there too, with texts as values
 *
 * Offsets count from the first byte of data. Tensors lie side by side, in any order, and fill the
 * data. Elements are little-endian, the last dimension fastest. */
#ifndef PS_FILES_SAFETENSORS_H
#define PS_FILES_SAFETENSORS_H

#include "files/mapping.h"
#include "files/source.h"

#define PS__SAFETENSORS_METADATA "__metadata__"

enum {
    PS__SAFETENSORS_HEADER = 100000000, /* bytes of a header, at most */
    PS__SAFETENSORS_CLIP = 100          /* bytes of a name in a text, at most */
};

typedef struct ps__list { /* grows; zeroes are an empty one */
    void *items;
    size_t count, room;
} ps__list;

typedef struct ps__safetensors_entry {
    const char *name;
    uint64_t begin, end; /* of the data */
    int64_t count;       /* of elements */
    size_t shape;        /* where it begins in the list of lengths */
    uint8_t ndim, dtype;
} ps__safetensors_entry;

typedef struct ps__safetensors_pair {
    const char *key, *value;
} ps__safetensors_pair;

/* Constant once it is open: any number of threads may ask it for tensors. */
struct ps_safetensors {
    char *path;           /* NULL for memory */
    int file;             /* -1 for memory */
    const char *memory;   /* all of it, the caller's; or NULL */
    ps__mapping *mapping; /* what tensors borrow; or NULL */
    uint64_t data;        /* where the data begins */
    char *header;         /* its text; names and metadata are in it */
    ps__list entries, lengths, pairs;
    const ps__safetensors_entry **by_name;
};

static inline const ps__safetensors_entry *ps__safetensors_at(const ps_safetensors *file,
                                                              size_t index)
{
    return (const ps__safetensors_entry *)file->entries.items + index;
}

static inline const int64_t *ps__safetensors_lengths(const ps_safetensors *file,
                                                     const ps__safetensors_entry *entry)
{
    return (const int64_t *)file->lengths.items + entry->shape;
}

/* The format's name of an element type, NULL if it has none; and back, false if it is unknown. */
const char *ps__safetensors_type(ps_dtype dtype);
bool ps__safetensors_dtype(const char *type, ps_dtype *dtype);

/* safetensors_header.c: reads the header and checks all of it. The bytes that the source has left
 * then are the data. What was made is the file's, also on failure. */
ps_status ps__safetensors_read_header(ps__source *source, ps_safetensors *file);

#endif
