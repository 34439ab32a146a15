/* Writing `.params` files.
 *
 * All that can be wrong with the arguments is found first; then all tensors are pinned and waited
 * for, so that the file has the values of the moment of the call, and a failed operation is told
 * before anything is written. */
#include "files/params.h"

#include "base/alloc.h"
#include "base/error.h"
#include "files/sink.h"
#include "tensor/tensor.h"

#include <errno.h>
#include <string.h>

#define WHAT "ps_params_save"

enum { PACK_BYTES = 1 << 16 }; /* at least one element of every type */

typedef struct saving {
    const char *const *names;
    ps_tensor *const *tensors;
    size_t count;
    ps_params_version version;
    ps__host_read *reads;
    ps__sink *sink;
    char *pack; /* PACK_BYTES for elements that do not lie side by side; NULL until needed */
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

static ps_status put_bytes(saving *s, uint64_t value, int bytes)
{
    unsigned char little[8];
    for (int i = 0; i < bytes; i++)
        little[i] = (unsigned char)(value >> 8 * i);
    return ps__sink_write(s->sink, little, (size_t)bytes);
}

static ps_status put_all(saving *s, size_t count, const uint64_t *values, int bytes)
{
    ps_status status = PS_OK;
    for (size_t i = 0; i < count && status == PS_OK; i++)
        status = put_bytes(s, values[i], bytes);
    return status;
}

#define PUT(s, bytes, ...)                                                                         \
    put_all((s), sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (uint64_t[]){__VA_ARGS__},  \
            (bytes))

/* ---- elements -------------------------------------------------------------------------- */

/* A block of elements of the given lengths, packed and written; it fits. */
static ps_status write_block(saving *s, size_t item, int ndim, const int64_t *shape,
                             const char *data, const int64_t *strides)
{
    int64_t packed[PS_DIMS_MAX];
    size_t count = 1;
    for (int i = 0; i < ndim; i++)
        count *= (size_t)shape[i];
    ps__shape_strides(ndim, shape, packed);
    ps__host_copy(item, ndim, shape, s->pack, packed, data, strides);
    ps__params_order(s->pack, count, item);
    return ps__sink_write(s->sink, s->pack, count * item);
}

/* The dimensions from `axis` on: as many positions of it at once as fit, or one after the other. */
static ps_status write_dims(saving *s, const ps_tensor *tensor, int axis, const char *data,
                            const int64_t *strides)
{
    size_t item = ps__dtype_bytes((ps_dtype)tensor->dtype), inner = item;
    int64_t shape[PS_DIMS_MAX] = {1}, length = axis < tensor->ndim ? ps__shape(tensor)[axis] : 1;
    int ndim = tensor->ndim - axis;
    for (int i = 1; i < ndim; i++) {
        shape[i] = ps__shape(tensor)[axis + i];
        inner *= (size_t)shape[i];
    }
    ps_status status = PS_OK;
    int64_t step = inner <= PACK_BYTES ? (int64_t)(PACK_BYTES / inner) : 1;
    for (int64_t i = 0; i < length && status == PS_OK; i += step) {
        const char *from = data + (ndim != 0 ? i * strides[axis] * (int64_t)item : 0);
        shape[0] = length - i < step ? length - i : step;
        status = inner <= PACK_BYTES ? write_block(s, item, ndim, shape, from, strides + axis)
                                     : write_dims(s, tensor, axis + 1, from, strides);
    }
    return status;
}

static ps_status write_elements(saving *s, const ps_tensor *tensor, const ps__host_read *read)
{
    size_t item = ps__dtype_bytes((ps_dtype)tensor->dtype);
    if (tensor->count == 0)
        return PS_OK;
    if (ps__params_same_order() &&
        ps__shape_contiguous(tensor->ndim, ps__shape(tensor), read->strides))
        return ps__sink_write(s->sink, read->data, (size_t)tensor->count * item);
    if (s->pack == NULL)
        s->pack = ps__calloc(PACK_BYTES, 1);
    if (s->pack == NULL)
        return ps__fail(PS_ERR_MEMORY, WHAT ": no memory for packing elements");
    return write_dims(s, tensor, 0, read->data, read->strides);
}

/* ---- the file -------------------------------------------------------------------------- */

static ps_status write_array(saving *s, size_t i)
{
    const ps_tensor *tensor = s->tensors[i];
    uint32_t magic = s->version == PS_PARAMS_V3 ? PS__PARAMS_V3 : PS__PARAMS_V2;
    ps_status status = PUT(s, 4, magic, 0, tensor->ndim);
    for (int axis = 0; axis < tensor->ndim && status == PS_OK; axis++)
        status = put_bytes(s, (uint64_t)ps__shape(tensor)[axis], 8);
    if (status == PS_OK)
        status = PUT(s, 4, PS__PARAMS_CPU, 0, (uint64_t)ps__params_code((ps_dtype)tensor->dtype));
    return status == PS_OK ? write_elements(s, tensor, &s->reads[i]) : status;
}

static ps_status write_names(saving *s)
{
    ps_status status = put_bytes(s, s->names != NULL ? s->count : 0, 8);
    for (size_t i = 0; i < s->count && s->names != NULL && status == PS_OK; i++) {
        size_t bytes = strlen(s->names[i]);
        status = put_bytes(s, bytes, 8);
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

static ps_status begin_reads(saving *s, size_t *begun)
{
    s->reads = ps__calloc(s->count + 1, sizeof *s->reads);
    if (s->reads == NULL)
        return ps__fail(PS_ERR_MEMORY, WHAT ": no memory for %zu arrays", s->count);
    ps_status status = PS_OK;
    for (; *begun < s->count && status == PS_OK; *begun += status == PS_OK)
        status = ps__host_begin(s->tensors[*begun], &s->reads[*begun]);
    return status;
}

ps_status ps_params_save(const char *path, const char *const *names, ps_tensor *const *tensors,
                         size_t count, ps_params_version version)
{
    saving s = {.names = names, .tensors = tensors, .count = count, .version = version};
    size_t begun = 0;
    ps_status status = check_save(path, &s);
    if (status != PS_OK)
        return status;
    status = begin_reads(&s, &begun);
    if (status == PS_OK)
        status = write_file(&s, path);
    int code = errno; /* is the answer to PS_ERR_SYSTEM */
    for (size_t i = 0; i < begun; i++)
        ps__host_end(&s.reads[i]);
    ps__free(s.pack);
    ps__free(s.reads);
    errno = code;
    return status;
}
