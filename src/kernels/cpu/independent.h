/* Makes clang believe INDEPENDENT (ref/names.inc) as gcc does; else it would check at run time
 * whether `out` overlaps an operand, and take the slow loop wherever `out` is one. Some of those
 * loops cannot become vectors at all; that is no news. Comes before ref/arithmetic.inc and
 * ref/casts.inc. */
#ifndef PS_KERNELS_CPU_INDEPENDENT_H
#define PS_KERNELS_CPU_INDEPENDENT_H

#include "kernels/ref/names.inc"

#ifdef __clang__
#undef INDEPENDENT
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

#endif
