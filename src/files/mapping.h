/* A file in the address space of the process, read only, for as long as somebody needs it. */
#ifndef PS_FILES_MAPPING_H
#define PS_FILES_MAPPING_H

#include "base/atomic.h"
#include "penstock.h"

typedef struct ps__mapping {
    _Atomic uint32_t users;
    char *data;
    size_t bytes;
} ps__mapping;

/* All of an open file, of `bytes` > 0; has one user. `what` and `path` are for texts. */
ps_status ps__mapping_create(const char *what, const char *path, int file, size_t bytes,
                             ps__mapping **mapping);
void ps__mapping_retain(ps__mapping *mapping);
/* From any thread; a void pointer, for buffers that own one. NULL does nothing. */
void ps__mapping_release(void *mapping);

#endif
