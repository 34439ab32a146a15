/* What saving and loading `.params` files share, and what can be asked of a loaded one. */
#include "files/params.h"

#include "base/alloc.h"
#include "base/error.h"
#include "dtype/dtype.h"

/* ---- element types --------------------------------------------------------------------- */

/* One more than the code, so that types without one are 0. */
static const uint8_t codes[PS__DTYPES] = {
    [PS_FLOAT32] = 1, [PS_FLOAT64] = 2, [PS_FLOAT16] = 3, [PS_UINT8] = 4,     [PS_INT32] = 5,
    [PS_INT8] = 6,    [PS_INT64] = 7,   [PS_BOOL] = 8,    [PS_BFLOAT16] = 13,
};

int ps__params_code(ps_dtype dtype)
{
    return codes[dtype] - 1;
}

bool ps__params_dtype(uint32_t code, ps_dtype *dtype)
{
    for (int i = 0; i < PS__DTYPES; i++)
        if (codes[i] != 0 && codes[i] - 1u == code) {
            *dtype = (ps_dtype)i;
            return true;
        }
    return false;
}

/* ---- asking ---------------------------------------------------------------------------- */

size_t ps_params_count(const ps_params *params)
{
    return params != NULL ? params->count : 0;
}

const char *ps_params_name(const ps_params *params, size_t index)
{
    return params != NULL && params->named && index < params->count ? params->names[index] : NULL;
}

ps_status ps_params_tensor(const ps_params *params, size_t index, ps_tensor **tensor)
{
    if (params == NULL || tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_params_tensor: %s is NULL",
                        params == NULL ? "params" : "tensor");
    if (index >= params->count)
        return ps__fail(PS_ERR_INDEX, "ps_params_tensor: array %zu of %zu", index, params->count);
    *tensor = params->tensors[index];
    return *tensor != NULL ? ps_tensor_retain(*tensor) : PS_OK;
}

void ps_params_free(ps_params *params)
{
    if (params == NULL)
        return;
    for (size_t i = 0; i < params->count && params->tensors != NULL; i++)
        ps_tensor_release(params->tensors[i]);
    for (size_t i = 0; i < params->count && params->names != NULL; i++)
        ps__free(params->names[i]);
    ps__free(params->tensors);
    ps__free(params->names);
    ps__free(params);
}
