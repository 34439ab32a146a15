/* Writing `.params` files.
 *
 * All that can be wrong with the arguments is found first; then all tensors are pinned and waited
 * for, so that the file has the values of the moment of the call, and a failed operation is told
 * before anything is written. */
#include "files/params.h"

#include "base/error.h"
#include "files/elements.h"

#include <string.h>

#define WHAT "ps_params_save"

typedef struct saving {
    const char *const *names;
    ps_tensor *const *tensors;
    size_t count;
    ps_params_version version;
    ps__elements elements;
    ps__sink *sink;
} saving;

/* ---- what is written ------------------------------------------------------------------- */

static ps_status check_tensor(const saving *s, size_t i)
{
    const ps_tensor *tensor = s->tensors[i];
    if (tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": tensor %zu is NULL", i);
    if (ps__params_code((ps_dtype)tensor->dtype) < 0)
        return ps__fail(PS_ERR_TYPE, WHAT ": array %zu is of type %s, which the format lacks", i,
                        ps__dtypes[tensor->dtype].name);
    if (tensor->ndim == 0 && s->version == PS_PARAMS_V2)
        return ps__fail(PS_ERR_ARGUMENT,
                        WHAT ": array %zu has no dimensions, which only version 3 can say", i);
    if (s->names != NULL && s->names[i] == NULL)
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": name %zu is NULL", i);
    return PS_OK;
}

static ps_status check_save(const char *path, const saving *s)
{
    if (path == NULL || (s->tensors == NULL && s->count != 0))
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": %s is NULL", path == NULL ? "path" : "tensors");
    if (s->version != PS_PARAMS_V2 && s->version != PS_PARAMS_V3)
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": version %d is neither 2 nor 3", (int)s->version);
    ps_status status = PS_OK;
    for (size_t i = 0; i < s->count && status == PS_OK; i++)
        status = check_tensor(s, i);
    return status;
}

/* ---- numbers --------------------------------------------------------------------------- */

static ps_status put_all(saving *s, size_t count, const uint64_t *values, int bytes)
{
    ps_status status = PS_OK;
    for (size_t i = 0; i < count && status == PS_OK; i++)
        status = ps__sink_number(s->sink, values[i], bytes);
    return status;
}

#define PUT(s, bytes, ...)                                                                         \
    put_all((s), sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (uint64_t[]){__VA_ARGS__},  \
            (bytes))

/* ---- the file -------------------------------------------------------------------------- */

static ps_status write_array(saving *s, size_t i)
{
    const ps_tensor *tensor = s->tensors[i];
    uint32_t magic = s->version == PS_PARAMS_V3 ? PS__PARAMS_V3 : PS__PARAMS_V2;
    ps_status status = PUT(s, 4, magic, 0, tensor->ndim);
    for (int axis = 0; axis < tensor->ndim && status == PS_OK; axis++)
        status = ps__sink_number(s->sink, (uint64_t)ps__shape(tensor)[axis], 8);
    if (status == PS_OK)
        status = PUT(s, 4, PS__PARAMS_CPU, 0, (uint64_t)ps__params_code((ps_dtype)tensor->dtype));
    return status == PS_OK ? ps__elements_write(&s->elements, i, s->sink) : status;
}

static ps_status write_names(saving *s)
{
    ps_status status = ps__sink_number(s->sink, s->names != NULL ? s->count : 0, 8);
    for (size_t i = 0; i < s->count && s->names != NULL && status == PS_OK; i++) {
        size_t bytes = strlen(s->names[i]);
        status = ps__sink_number(s->sink, bytes, 8);
        if (status == PS_OK)
            status = ps__sink_write(s->sink, s->names[i], bytes);
    }
    return status;
}

static ps_status write_file(saving *s, const char *path)
{
    ps_status status = ps__sink_open(WHAT, path, &s->sink);
    if (status != PS_OK)
        return status;
    status = PUT(s, 8, PS__PARAMS_MAGIC, 0, s->count);
    for (size_t i = 0; i < s->count && status == PS_OK; i++)
        status = write_array(s, i);
    if (status == PS_OK)
        status = write_names(s);
    if (status == PS_OK)
        return ps__sink_commit(s->sink);
    ps__sink_abandon(s->sink);
    return status;
}

/* ---- the call -------------------------------------------------------------------------- */

ps_status ps_params_save(const char *path, const char *const *names, ps_tensor *const *tensors,
                         size_t count, ps_params_version version)
{
    saving s = {.names = names, .tensors = tensors, .count = count, .version = version};
    ps_status status = check_save(path, &s);
    if (status != PS_OK)
        return status;
    status = ps__elements_begin(WHAT, tensors, count, &s.elements);
    if (status == PS_OK)
        status = write_file(&s, path);
    ps__elements_end(&s.elements); /* errno is the answer to PS_ERR_SYSTEM */
    return status;
}
