/* Element types: what the layers above and the kernels know of them. The list itself, PS_DTYPE_LIST,
 * is in penstock.h. */
#ifndef PS_DTYPE_DTYPE_H
#define PS_DTYPE_DTYPE_H

#include "penstock.h"

enum { PS__DTYPES = PS_COMPLEX128 + 1 };

typedef enum ps__dtype_kind {
    PS__KIND_BOOL,
    PS__KIND_UNSIGNED,
    PS__KIND_SIGNED,
    PS__KIND_FLOAT,
    PS__KIND_COMPLEX
} ps__dtype_kind;

typedef struct ps__dtype_info {
    const char *name; /* "float32" */
    uint8_t bytes;
    uint8_t kind; /* a ps__dtype_kind */
    uint8_t real; /* of a complex type its parts' type, else itself */
    /* The type that arithmetic is done in: float32 for the 16-bit floats, whose values are
     * rounded after every operation; else itself. */
    uint8_t compute;
} ps__dtype_info;

extern const ps__dtype_info ps__dtypes[PS__DTYPES];

static inline bool ps__dtype_valid(int dtype)
{
    return dtype >= 0 && dtype < PS__DTYPES;
}

static inline size_t ps__dtype_bytes(ps_dtype dtype)
{
    return ps__dtypes[dtype].bytes;
}

static inline ps__dtype_kind ps__dtype_kind_of(ps_dtype dtype)
{
    return (ps__dtype_kind)ps__dtypes[dtype].kind;
}

static inline bool ps__dtype_is_integer(ps_dtype dtype)
{
    return ps__dtypes[dtype].kind == PS__KIND_SIGNED || ps__dtypes[dtype].kind == PS__KIND_UNSIGNED;
}

static inline bool ps__dtype_is_inexact(ps_dtype dtype)
{
    return ps__dtypes[dtype].kind >= PS__KIND_FLOAT;
}

/* A set of element types as bits. */
typedef uint32_t ps__dtype_set;
#define PS__DTYPE_BIT(dtype) ((ps__dtype_set)1 << (dtype))

enum {
    PS__SET_BOOL = 1 << PS_BOOL,
    PS__SET_SIGNED = 1 << PS_INT8 | 1 << PS_INT16 | 1 << PS_INT32 | 1 << PS_INT64,
    PS__SET_UNSIGNED = 1 << PS_UINT8 | 1 << PS_UINT16 | 1 << PS_UINT32 | 1 << PS_UINT64,
    PS__SET_INTEGER = PS__SET_SIGNED | PS__SET_UNSIGNED,
    PS__SET_HALF = 1 << PS_FLOAT16 | 1 << PS_BFLOAT16,
    PS__SET_FLOAT = PS__SET_HALF | 1 << PS_FLOAT32 | 1 << PS_FLOAT64,
    PS__SET_COMPLEX = 1 << PS_COMPLEX64 | 1 << PS_COMPLEX128,
    PS__SET_REAL = PS__SET_INTEGER | PS__SET_FLOAT,
    PS__SET_NUMERIC = PS__SET_REAL | PS__SET_COMPLEX,
    PS__SET_ALL = PS__SET_BOOL | PS__SET_NUMERIC
};

/* The smallest type that holds the values of both (array API standard; where that leaves it open,
 * as NumPy: uint64 with a signed integer gives float64; an integer with a float gives a float that
 * holds neither fewer bits than the float nor, for 16-bit floats, less range than asked for:
 * the float itself; float16 with bfloat16 gives float32). Total: every pair has a result. */
ps_dtype ps__promote(ps_dtype a, ps_dtype b);
/* A tensor's type with a language scalar, which is weak: the tensor's type if its kind is as high
 * as the scalar's; else the default type of the scalar's kind (int64, float32, complex64; complex
 * with float64 gives complex128). */
ps_dtype ps__promote_weak(ps_dtype tensor, ps_scalar_tag scalar);
/* The type of the complex numbers with this one's parts, at least complex64. */
ps_dtype ps__dtype_to_complex(ps_dtype dtype);
/* From a name, "float32"; false if there is none such. */
bool ps__dtype_from_name(const char *name, ps_dtype *dtype);

/* Writes a scalar as one element. False if it cannot be one: an integer out of range, a fraction
 * or NaN or infinity for an integer type, a complex value with an imaginary part for a real one. */
bool ps__scalar_store(ps_scalar scalar, ps_dtype dtype, void *element);
/* The error for that: "full: 300 is out of range for int8". */
ps_status ps__scalar_refuse(const char *what, ps_scalar scalar, ps_dtype dtype);
/* The same without that check: out-of-range values are converted as a cast converts them. */
void ps__scalar_cast(ps_scalar scalar, ps_dtype dtype, void *element);
/* Reads one element: bool, int64, uint64 (for uint64 only), double, or complex. */
ps_scalar ps__scalar_load(ps_dtype dtype, const void *element);

#endif
