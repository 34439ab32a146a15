/* Complex products and quotients whose parts both came out as NaN: what Annex G of the C standard
 * wants instead. Compiled once, for any processor. */
#ifndef PS_KERNELS_REF_EXACT_H
#define PS_KERNELS_REF_EXACT_H

#include "kernels/ref/elements.h"

ps__complex64 ps__exact_multiply_c64(ps__complex64 a, ps__complex64 b);
ps__complex64 ps__exact_divide_c64(ps__complex64 a, ps__complex64 b);
ps__complex128 ps__exact_multiply_c128(ps__complex128 a, ps__complex128 b);
ps__complex128 ps__exact_divide_c128(ps__complex128 a, ps__complex128 b);

#endif
