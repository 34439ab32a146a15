/* What the compiler is told about how often something happens. */
#ifndef PS_BASE_HINTS_H
#define PS_BASE_HINTS_H

#define PS_LIKELY(x) __builtin_expect(!!(x), 1)
#define PS_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* A function that calls of small operations go through. The linker lays these side by side, each from a
 * cache line of its own: together they fit the instruction cache, whose sets they fill evenly. Spread
 * over the library some lines of one call always throw out others of it, which costs a quarter of
 * its time, or not, as other code happens to push them about (docs/decisions/020). For few functions:
 * tools/check_layout.py has how many bytes they may be.*/
#define PS_HOT __attribute__((hot, aligned(64)))

#endif
