/* Where the library's own records come from: the C allocator and the thread starter, behind
 * functions that the testing build can make fail at the Nth call. */
#ifndef PS_BASE_ALLOC_H
#define PS_BASE_ALLOC_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory or NULL. */
void *ps__calloc(size_t count, size_t bytes);
/* Zeroed memory aligned to `alignment`, a power of two; freed with ps__free. */
void *ps__calloc_aligned(size_t alignment, size_t bytes);
void ps__free(void *memory);

/* Anonymous pages straight from the system, aligned to `alignment` (a power of two, at least the
 * page size), or NULL; and back. */
void *ps__pages_map(size_t bytes, size_t alignment);
void ps__pages_unmap(void *memory, size_t bytes);

/* A detached thread with all signals blocked, except those that its own instructions raise
 * (SIGSEGV and the like). False if the system refuses. */
bool ps__thread_start(void *(*body)(void *), void *arg, const char *name);

#ifdef PENSTOCK_TESTING
/* The `nth` call from now (1 is the next) of the functions above that can fail does fail, once;
 * with `sticky` all later ones too. 0 turns it off. */
void ps__fault_set(unsigned long nth, bool sticky);
/* Calls that could have failed since ps__fault_set. */
unsigned long ps__fault_count(void);
/* The same for ps__thread_start alone; it fails when either says so. */
void ps__fault_set_threads(unsigned long nth, bool sticky);
#endif

#endif
