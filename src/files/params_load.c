/* Reading `.params` files.
 *
 * Invariants
 *   1. Nothing that is read is used before it was checked, and it is read once: what lies in memory
 *      may change meanwhile.
 *   2. No more memory is taken for elements and names than there are bytes left to fill it. What
 *      each array and name costs besides is bounded by their numbers, which are held against the
 *      bytes that the shortest of them take.
 *   3. Elements are read straight into the memory of a tensor that nobody else knows yet. */
#include "files/params.h"

#include "base/alloc.h"
#include "base/error.h"
#include "engine/origin.h"
#include "files/elements.h"
#include "files/source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The shortest array is one of V2 without a shape, the shortest name is empty. */
enum { ARRAY_BYTES_MIN = 12, NAME_BYTES_MIN = 8, ALL_FLAGS = 3 };

enum { OLDER = 0, V1 = 1, V2 = 2, V3 = 3 }; /* versions of arrays */

/* What comes before an array's elements. */
typedef struct header {
    int version;
    uint32_t ndim;
    bool shapeless;
    int64_t shape[PS_DIMS_MAX];
    ps_dtype dtype;
    int64_t count;
} header;

typedef struct loading {
    ps__source source;
    uint32_t flags;
    size_t index; /* of the array that is read */
    ps_params *params;
} loading;

#define FAIL(l, format, ...)                                                                       \
    ps__source_fail(&(l)->source, "array %zu " format, (l)->index, __VA_ARGS__)

/* ---- the header of an array ------------------------------------------------------------ */

/* Whether the version may be read, and how the shape follows. */
static ps_status read_version(loading *l, header *h, uint32_t *first)
{
    ps_status status = ps__source_u32(&l->source, "an array", first);
    if (status != PS_OK)
        return status;
    h->version = *first == PS__PARAMS_V3   ? V3
                 : *first == PS__PARAMS_V2 ? V2
                 : *first == PS__PARAMS_V1 ? V1
                                           : OLDER;
    if (h->version == OLDER && *first > PS_DIMS_MAX)
        return FAIL(l,
                    "begins with 0x%" PRIX32 ", which is neither a version nor a number of "
                    "dimensions up to %d",
                    *first, PS_DIMS_MAX);
    if (h->version == V3 && (l->flags & PS_PARAMS_REFUSE_V3))
        return FAIL(l, "was saved with NumPy semantics (%s), which are off here", "version 3");
    if (h->version != V3 && (l->flags & PS_PARAMS_REFUSE_OLDER))
        return FAIL(l, "was saved without NumPy semantics (version %d), which are on here",
                    h->version);
    return PS_OK;
}

static ps_status read_storage(loading *l)
{
    uint32_t storage;
    ps_status status = ps__source_u32(&l->source, "a storage type", &storage);
    if (status != PS_OK || storage == 0)
        return status;
    return FAIL(l, "has storage type %" PRId32 "%s; only dense arrays (0) can be read",
                (int32_t)storage,
                storage == 1   ? " (row_sparse)"
                : storage == 2 ? " (csr)"
                               : "");
}

static ps_status read_ndim(loading *l, header *h)
{
    ps_status status = ps__source_u32(&l->source, "a number of dimensions", &h->ndim);
    if (status == PS_OK && h->ndim > PS_DIMS_MAX)
        return FAIL(l, "has %" PRId32 " dimensions; 0 to %d can be read", (int32_t)h->ndim,
                    PS_DIMS_MAX);
    return status;
}

static ps_status read_length(loading *l, const header *h, int64_t *length)
{
    uint32_t narrow = 0;
    uint64_t wide = 0;
    ps_status status = h->version == OLDER ? ps__source_u32(&l->source, "a length", &narrow)
                                           : ps__source_u64(&l->source, "a length", &wide);
    *length = h->version == OLDER ? (int64_t)narrow : (int64_t)wide;
    return status;
}

static ps_status read_shape(loading *l, header *h)
{
    ps_status status = PS_OK;
    h->shapeless = h->version == V2 && h->ndim == 0;
    for (uint32_t i = 0; i < h->ndim && status == PS_OK; i++) {
        status = read_length(l, h, &h->shape[i]);
        if (h->version == V3 && h->shape[i] == -1)
            h->shapeless = true;
        else if (status == PS_OK && h->shape[i] < 0)
            return FAIL(l, "has the length %" PRId64 " in dimension %" PRId64, h->shape[i],
                        ps__stated(i));
    }
    return status;
}

/* The device is read and forgotten. */
static ps_status read_type(loading *l, header *h)
{
    uint32_t device, number, code;
    ps_status status = ps__source_u32(&l->source, "a device", &device);
    if (status == PS_OK)
        status = ps__source_u32(&l->source, "a device", &number);
    if (status == PS_OK)
        status = ps__source_u32(&l->source, "an element type", &code);
    if (status == PS_OK && !ps__params_dtype(code, &h->dtype))
        return FAIL(l, "is of element type %" PRId32 ", which is unknown", (int32_t)code);
    return status;
}

static ps_status check_size(loading *l, header *h)
{
    char what[32];
    snprintf(what, sizeof what, "array %zu", l->index);
    ps_status status = ps__shape_check(what, h->dtype, (int)h->ndim, h->shape, &h->count);
    if (status != PS_OK)
        return ps__source_fail(&l->source, "%s", ps_last_error());
    uint64_t bytes = (uint64_t)h->count * ps__dtype_bytes(h->dtype);
    if (bytes > l->source.left)
        return FAIL(l, "of shape %s and type %s needs %" PRIu64 " bytes and %" PRIu64 " are left",
                    ps__shape_text((int)h->ndim, h->shape), ps__dtypes[h->dtype].name, bytes,
                    l->source.left);
    return PS_OK;
}

static ps_status read_header(loading *l, header *h)
{
    uint32_t first;
    ps_status status = read_version(l, h, &first);
    if (status == PS_OK && h->version >= V2)
        status = read_storage(l);
    h->ndim = first;
    if (status == PS_OK && h->version != OLDER)
        status = read_ndim(l, h);
    if (status == PS_OK)
        status = read_shape(l, h);
    if (status != PS_OK || h->shapeless)
        return status;
    status = read_type(l, h);
    return status == PS_OK ? check_size(l, h) : status;
}

/* ---- the elements ---------------------------------------------------------------------- */

static ps_status read_array(loading *l, ps_tensor **result)
{
    header h;
    ps_tensor *tensor;
    void *data;
    ps_status status = read_header(l, &h);
    if (status != PS_OK || h.shapeless)
        return status;
    status = ps__elements_new(h.dtype, (int)h.ndim, h.shape, h.count, &tensor, &data);
    if (status != PS_OK)
        return status;
    status =
        ps__source_read(&l->source, "elements", data, (size_t)h.count * ps__dtype_bytes(h.dtype));
    if (status != PS_OK) {
        ps_tensor_release(tensor);
        return status;
    }
    ps__elements_settle(tensor);
    *result = tensor;
    return PS_OK;
}

/* ---- the file -------------------------------------------------------------------------- */

/* A number of things that take at least so many bytes each. */
static ps_status read_number(loading *l, const char *part, size_t least, size_t *number)
{
    uint64_t value;
    ps_status status = ps__source_u64(&l->source, part, &value);
    *number = (size_t)value;
    if (status == PS_OK && value > l->source.left / least)
        return ps__source_fail(&l->source,
                               "%s is %" PRIu64 ", too many for the %" PRIu64
                               " bytes that are left",
                               part, value, l->source.left);
    return status;
}

static ps_status no_memory_to_load(const loading *l)
{
    return ps__fail(PS_ERR_MEMORY, "%s: no memory for %zu arrays and their names", l->source.what,
                    l->params->count);
}

static ps_status read_arrays(loading *l)
{
    uint64_t magic, reserved;
    ps_params *params = l->params;
    size_t count;
    ps_status status = ps__source_u64(&l->source, "the header", &magic);
    if (status == PS_OK && magic != PS__PARAMS_MAGIC)
        return ps__source_fail(&l->source, "it begins with 0x%" PRIX64 ": this is no .params file",
                               magic);
    if (status == PS_OK)
        status = ps__source_u64(&l->source, "the header", &reserved);
    if (status == PS_OK)
        status = read_number(l, "the number of arrays", ARRAY_BYTES_MIN, &count);
    if (status != PS_OK)
        return status;
    params->count = count;
    params->tensors = ps__calloc(count + 1, sizeof *params->tensors);
    if (params->tensors == NULL)
        return no_memory_to_load(l);
    for (; l->index < count && status == PS_OK; l->index += status == PS_OK)
        status = read_array(l, &params->tensors[l->index]);
    return status;
}

static ps_status read_name(loading *l, char **name)
{
    size_t bytes;
    ps_status status = read_number(l, "the length of a name", 1, &bytes);
    if (status != PS_OK)
        return status;
    *name = ps__calloc(bytes + 1, 1);
    return *name != NULL ? ps__source_read(&l->source, "a name", *name, bytes)
                         : no_memory_to_load(l);
}

static ps_status read_names(loading *l)
{
    ps_params *params = l->params;
    size_t number;
    ps_status status = read_number(l, "the number of names", NAME_BYTES_MIN, &number);
    if (status != PS_OK || number == 0)
        return status;
    if (number != params->count)
        return ps__source_fail(&l->source, "it has %zu names for %zu arrays", number,
                               params->count);
    params->names = ps__calloc(number, sizeof *params->names);
    if (params->names == NULL)
        return no_memory_to_load(l);
    for (size_t i = 0; i < number && status == PS_OK; i++)
        status = read_name(l, &params->names[i]);
    params->named = status == PS_OK;
    return status;
}

/* ---- the calls ------------------------------------------------------------------------- */

static ps_status check_load(const char *what, const void *from, const char *from_name,
                            uint32_t flags, ps_params **result)
{
    if (from == NULL || result == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %s is NULL", what,
                        from == NULL ? from_name : "params");
    if ((flags & ~(uint32_t)ALL_FLAGS) != 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: unknown flags 0x%" PRIX32, what, flags);
    return PS_OK;
}

/* With the source set up; ends it. */
static ps_status load(loading *l, ps_params **result)
{
    ps_status status = PS_OK;
    l->params = ps__calloc(1, sizeof *l->params);
    if (l->params == NULL)
        status = ps__fail(PS_ERR_MEMORY, "%s: no memory", l->source.what);
    if (status == PS_OK)
        status = read_arrays(l);
    if (status == PS_OK)
        status = read_names(l);
    int code = errno; /* is the answer to PS_ERR_SYSTEM */
    ps__source_close(&l->source);
    if (status == PS_OK)
        *result = l->params;
    else
        ps_params_free(l->params);
    errno = code;
    return status;
}

ps_status ps_params_load(const char *path, uint32_t flags, ps_params **result)
{
    loading l;
    l.flags = flags;
    l.index = 0;
    ps_status status = check_load("ps_params_load", path, "path", flags, result);
    if (status == PS_OK)
        status = ps__source_open("ps_params_load", path, &l.source);
    return status == PS_OK ? load(&l, result) : status;
}

ps_status ps_params_load_memory(const void *data, size_t bytes, uint32_t flags, ps_params **result)
{
    loading l;
    l.flags = flags;
    l.index = 0;
    ps_status status = check_load("ps_params_load_memory", data, "data", flags, result);
    if (status != PS_OK)
        return status;
    ps__source_memory("ps_params_load_memory", data, bytes, &l.source);
    return load(&l, result);
}
