/* Elements as they lie in memory. */
#ifndef PS_KERNELS_REF_ELEMENTS_H
#define PS_KERNELS_REF_ELEMENTS_H

#include <stdint.h>

/* Parts are aligned, a whole complex number may be at the address of any part. */
typedef struct ps__complex64 {
    float re, im;
} ps__complex64;

typedef struct ps__complex128 {
    double re, im;
} ps__complex128;

/* Of any type that has this many bits, or several smaller ones side by side: at any address. */
#define PS__ELEMENT __attribute__((may_alias, aligned(1)))
typedef uint8_t PS__ELEMENT ps__element8;
typedef uint16_t PS__ELEMENT ps__element16;
typedef uint32_t PS__ELEMENT ps__element32;
typedef uint64_t PS__ELEMENT ps__element64;
typedef struct __attribute__((packed)) ps__element128 {
    uint64_t half[2];
} PS__ELEMENT ps__element128;
#undef PS__ELEMENT

#endif
