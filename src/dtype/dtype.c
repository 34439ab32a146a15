/* The table of element types, and their names. */
#include "dtype/dtype.h"

#include "base/error.h"

#include <string.h>

/* A type that is its own part and is computed in itself. */
#define PLAIN(name, text, kind, bytes)                                                             \
    [PS_##name] = {text, bytes, PS__KIND_##kind, PS_##name, PS_##name}

const ps__dtype_info ps__dtypes[PS__DTYPES] = {
    PLAIN(BOOL, "bool", BOOL, 1),
    PLAIN(INT8, "int8", SIGNED, 1),
    PLAIN(INT16, "int16", SIGNED, 2),
    PLAIN(INT32, "int32", SIGNED, 4),
    PLAIN(INT64, "int64", SIGNED, 8),
    PLAIN(UINT8, "uint8", UNSIGNED, 1),
    PLAIN(UINT16, "uint16", UNSIGNED, 2),
    PLAIN(UINT32, "uint32", UNSIGNED, 4),
    PLAIN(UINT64, "uint64", UNSIGNED, 8),
    [PS_FLOAT16] = {"float16", 2, PS__KIND_FLOAT, PS_FLOAT16, PS_FLOAT32},
    [PS_BFLOAT16] = {"bfloat16", 2, PS__KIND_FLOAT, PS_BFLOAT16, PS_FLOAT32},
    PLAIN(FLOAT32, "float32", FLOAT, 4),
    PLAIN(FLOAT64, "float64", FLOAT, 8),
    [PS_COMPLEX64] = {"complex64", 8, PS__KIND_COMPLEX, PS_FLOAT32, PS_COMPLEX64},
    [PS_COMPLEX128] = {"complex128", 16, PS__KIND_COMPLEX, PS_FLOAT64, PS_COMPLEX128},
};

const char *ps_dtype_name(ps_dtype dtype)
{
    return ps__dtype_valid((int)dtype) ? ps__dtypes[dtype].name : "unknown dtype";
}

size_t ps_dtype_bytes(ps_dtype dtype)
{
    return ps__dtype_valid((int)dtype) ? ps__dtypes[dtype].bytes : 0;
}

bool ps__dtype_from_name(const char *name, ps_dtype *dtype)
{
    for (int i = 0; i < PS__DTYPES; i++) {
        if (strcmp(ps__dtypes[i].name, name) == 0) {
            *dtype = (ps_dtype)i;
            return true;
        }
    }
    return false;
}

ps_status ps_dtype_find(const char *name, ps_dtype *dtype)
{
    if (name == NULL || dtype == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_dtype_find: %s is NULL", name ? "dtype" : "name");
    if (!ps__dtype_from_name(name, dtype))
        return ps__fail(PS_ERR_ARGUMENT, "there is no element type \"%.80s\"", name);
    return PS_OK;
}
