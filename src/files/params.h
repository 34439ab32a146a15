/* MXNet's `.params` format: its numbers, and what a loaded file is.
 *
 * All numbers are little-endian.
 *
 *   file      u64 0x112, u64 reserved, u64 count, the arrays, u64 how many names (0 or count), names
 *   name      u64 bytes, the bytes
 *   array V3  u32 0xF993FACA, i32 storage, u32 ndim, i64 lengths, i32 device, i32 number of the
 *             device, i32 type, elements
 *   array V2  the same with 0xF993FAC9
 *   array V1  the same with 0xF993FAC8, without storage
 *   older     as V1 without the first word, lengths as u32
 *
 * The storage is 0 for dense arrays, the only ones here. An array that had no shape ends after its
 * lengths: in V2 it has no dimensions, in V3 a length of -1. Elsewhere no dimensions means one
 * element. */
#ifndef PS_FILES_PARAMS_H
#define PS_FILES_PARAMS_H

#include "penstock.h"

#define PS__PARAMS_MAGIC UINT64_C(0x112)
#define PS__PARAMS_V1 UINT32_C(0xF993FAC8)
#define PS__PARAMS_V2 UINT32_C(0xF993FAC9)
#define PS__PARAMS_V3 UINT32_C(0xF993FACA)

enum { PS__PARAMS_CPU = 1 }; /* the device that is written */

struct ps_params {
    size_t count;
    bool named;
    ps_tensor **tensors; /* NULL where an array had no shape */
    char **names;        /* NULL until there are any */
};

/* The format's number of an element type, -1 if it has none; and back, false if it is unknown. */
int ps__params_code(ps_dtype dtype);
bool ps__params_dtype(uint32_t code, ps_dtype *dtype);

#endif
