/* Recurrent cells in plain C: a vector is one element. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef float vf;
typedef double vd;
enum { VF_LANES = 1, VD_LANES = 1 };

#define T float
#define V(name) vf_##name
#define LIBM(name) name##f
#include "kernels/ref/vector.inc"

#define T double
#define V(name) vd_##name
#define LIBM(name) name
#include "kernels/ref/vector.inc"

#define CELLS ps__cells_ref
#include "kernels/cell_types.inc"
