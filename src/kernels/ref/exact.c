/* See exact.h. */
#include "kernels/ref/exact.h"

#include "kernels/ref/names.inc"

#define T ps__complex64
#define TAG c64
#define P float
#define LIBM(name) __builtin_##name##f
#include "kernels/ref/exact.inc"

#define T ps__complex128
#define TAG c128
#define P double
#define LIBM(name) __builtin_##name
#include "kernels/ref/exact.inc"
