/* Locations of two lines: of what a walk over a graph queued, the line that had queued the operation
 * whose gradient it is, and the line that asked for gradients.
 *
 * Such a location is a number of a table. Programs have few: as many as lines that are recorded, times
 * lines that ask. What the table has no room for has the first line alone. */
#ifndef PS_BASE_TWOFOLD_H
#define PS_BASE_TWOFOLD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ps__twofold {
    uint64_t forward, backward; /* locations, none of them of two lines */
    const char *of;             /* the operation whose gradient it is; of static life */
} ps__twofold;

enum { PS__TWOFOLD_NUMBER = 127 }; /* in the place of a frontend's number */

/* The location of these lines, always the same for the same. */
uint64_t ps__twofold_location(const ps__twofold *lines);
/* The lines of a location; false if it is of one line, which is *lines->forward then. */
bool ps__twofold_lines(uint64_t location, ps__twofold *lines);

static inline bool ps__location_is_twofold(uint64_t location)
{
    return location >> 56 == PS__TWOFOLD_NUMBER;
}

#endif
