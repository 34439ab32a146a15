/* A file that is written whole or not at all. */
#ifndef PS_FILES_SINK_H
#define PS_FILES_SINK_H

#include "penstock.h"

typedef struct ps__sink ps__sink;

/* `what` begins the texts of errors; it and `path` must outlive the sink. */
ps_status ps__sink_open(const char *what, const char *path, ps__sink **sink);
ps_status ps__sink_write(ps__sink *sink, const void *data, size_t bytes);
/* The lowest bytes of a number, little-endian; at most 8. */
ps_status ps__sink_number(ps__sink *sink, uint64_t value, int bytes);
/* Makes what was written the file, and ends the sink, also on failure. */
ps_status ps__sink_commit(ps__sink *sink);
/* Ends the sink; the file stays as it was. Leaves errno alone. NULL does nothing. */
void ps__sink_abandon(ps__sink *sink);

#endif
