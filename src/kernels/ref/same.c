/* Kernels whose result is their operand, or the same whatever it is: floor of an integer, the real
 * part of a real number, isnan of an integer, a cast to the same type. */
#include <string.h>

#include "kernels/ref/fill.h"

/* In place there is nothing to do, and memcpy must not be asked to do it. */
static void copy(size_t bytes, void *out, const void *in)
{
    if (bytes && out != in)
        memcpy(out, in, bytes);
}

static void zero(size_t bytes, void *out)
{
    if (bytes)
        memset(out, 0, bytes);
}

/* One element of so many bytes each. */
/* clang-format off */
#define ARGS size_t n, void *out, const void *const *in
#define COPY(bytes) static void copy_##bytes(ARGS) { copy(n * bytes, out, in[0]); }
#define ZERO(bytes) static void zero_##bytes(ARGS) { (void)in, zero(n * bytes, out); }
#define CAST_ARGS size_t n, void *out, const void *in
#define CAST(bytes) static void cast_##bytes(CAST_ARGS) { copy(n * bytes, out, in); }
COPY(1) COPY(2) COPY(4) COPY(8)
ZERO(1) ZERO(2) ZERO(4) ZERO(8)
CAST(1) CAST(2) CAST(4) CAST(8) CAST(16)
    /* clang-format on */

    static const ps__map_fn copies[] = {[1] = copy_1, [2] = copy_2, [4] = copy_4, [8] = copy_8};
static const ps__map_fn zeros[] = {[1] = zero_1, [2] = zero_2, [4] = zero_4, [8] = zero_8};
static const ps__cast_fn casts[] =
    {[1] = cast_1, [2] = cast_2, [4] = cast_4, [8] = cast_8, [16] = cast_16};

static void all_true(ARGS)
{
    (void)in;
    if (n)
        memset(out, 1, n);
}

/* A primitive of all types in `dtypes`: one of `by_bytes`. */
static void enter(ps__kernel_set *set, ps__prim prim, ps__dtype_set dtypes,
                  const ps__map_fn *by_bytes)
{
    for (int dtype = 0; dtype < PS__DTYPES; dtype++) {
        if (dtypes & ps__prims[prim].dtypes & PS__DTYPE_BIT(dtype))
            set->map[prim][dtype][PS__FORM_ALL] = by_bytes[ps__dtypes[dtype].bytes];
    }
}

static void enter_one(ps__kernel_set *set, ps__prim prim, ps__dtype_set dtypes, ps__map_fn map)
{
    const ps__map_fn by_bytes[] = {[1] = map, [2] = map, [4] = map, [8] = map};
    enter(set, prim, dtypes, by_bytes);
}

void ps__fill_same_ref(ps__kernel_set *set)
{
    const ps__dtype_set integer = PS__SET_INTEGER, unsigned_ = PS__SET_UNSIGNED | PS__SET_BOOL;
    enter(set, PS__PRIM_floor, integer, copies);
    enter(set, PS__PRIM_ceil, integer, copies);
    enter(set, PS__PRIM_trunc, integer, copies);
    enter(set, PS__PRIM_round, integer, copies);
    enter(set, PS__PRIM_conj, PS__SET_REAL, copies);
    enter(set, PS__PRIM_real, PS__SET_REAL, copies);
    enter(set, PS__PRIM_imag, PS__SET_REAL, zeros);
    enter(set, PS__PRIM_abs, unsigned_, copies);
    enter(set, PS__PRIM_relu, unsigned_, copies);
    enter_one(set, PS__PRIM_signbit, unsigned_, zero_1);
    enter_one(set, PS__PRIM_isnan, integer, zero_1);
    enter_one(set, PS__PRIM_isinf, integer, zero_1);
    enter_one(set, PS__PRIM_isfinite, integer, all_true);
    for (int dtype = 0; dtype < PS__DTYPES; dtype++)
        set->cast[dtype][dtype] = casts[ps__dtypes[dtype].bytes];
}
