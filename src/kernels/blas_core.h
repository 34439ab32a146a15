/* Which kernels of OpenBLAS suit this processor. OpenBLAS calls a set of kernels a core type, after
 * the processor that it was written for. */
#ifndef PS_KERNELS_BLAS_CORE_H
#define PS_KERNELS_BLAS_CORE_H

#include <stddef.h>

/* A core type that a library can be told. */
typedef struct ps__blas_core {
    const char *name;
    const char *entry; /* "OPENBLAS_CORETYPE=" and the name */
} ps__blas_core;

/* The core type to tell OpenBLAS of this version instead of `core`, which it has chosen itself; NULL
 * if that uses the widest vectors that the processor has, or is not known here. The same on every
 * call in every process: it follows from the processor and the two texts. */
const ps__blas_core *ps__blas_core_better(const char *version, const char *core);

#endif
