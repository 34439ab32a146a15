/* Structs that begin with their size, from and for programs that were built with another version
 * of penstock.h. What may differ, and how, is in that header ("What may change").
 *
 * A struct that the caller fills in is read into one of the library's own; one that the library
 * fills in is written from it. Both know the size by its place: it is the first member. */
#ifndef PS_BASE_SIZED_H
#define PS_BASE_SIZED_H

#include "penstock.h"

/* No struct will ever be larger: a size beyond it was never set. */
enum { PS__SIZED_MOST = 4096 };

/* How long a struct is whose last member is `member`. */
#define PS__SIZE_TO(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/* Copies what both sides know into `to`, of `known` bytes, and zeroes the rest; its size is `known`
 * then. Refused, with a text that begins with `what`: NULL, fewer than `least` bytes or more than
 * there can be, and members that are set but not known here. */
ps_status ps__sized_read(const char *what, void *to, size_t known, const void *from, size_t least);

/* Copies what both sides know of `from`, of `known` bytes, into `to`, which keeps its size and the
 * members that only the caller knows. A struct of nothing but its size is refused. */
ps_status ps__sized_write(const char *what, void *to, const void *from, size_t known);
/* The same without a text: false if it is refused. */
bool ps__sized_fill(void *to, const void *from, size_t known);

#endif
