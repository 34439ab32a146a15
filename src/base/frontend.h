/* Language frontends and their locations: what they registered. */
#ifndef PS_BASE_FRONTEND_H
#define PS_BASE_FRONTEND_H

#include "penstock.h"

/* The frontend whose location it is (of two lines, the first), also one that is gone; NULL: nobody's, or a line of C. */
const ps_frontend *ps__frontend_of(uint64_t location);
/* Asks it for the place; false if it does not say, or is gone. */
bool ps__frontend_resolve(uint64_t location, ps_place *place);
/* In the child of a fork: threads that were asking are not there. */
void ps__frontends_fork_child(void);

static inline bool ps__location_is_literal(uint64_t location)
{
    return location >> 63 != 0;
}

/* What a text can say of a location: *place is filled in and true returned; or *language is who
 * queued; or that is NULL, and nothing is known. */
bool ps__place_find(uint64_t location, ps_place *place, const char **language);

/* A position or an axis, counted from 0, as a language states it that counts from `origin`. Those
 * from the end are the same in all. */
static inline int64_t ps__position_from(uint64_t origin, int64_t position)
{
    return position < 0 || position == INT64_MAX ? position : position + (int64_t)origin;
}

#endif
