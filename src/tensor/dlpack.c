/* Tensors to and from other array libraries.
 *
 * Out: a host read that lasts until the consumer calls the deleter. Its pin makes later writes go to
 * new memory. What lives on another device goes out as a copy on the CPU.
 *
 * In: nothing of the struct is believed. `examine` checks all of it and works out which bytes the
 * elements touch; only then is it used. The memory becomes a buffer that is pinned for its whole
 * life: every write renames, so foreign memory is never written.
 *
 * Invariants
 *   1. The struct of an import that fails belongs to the caller: the buffer learns of it last, when
 *      nothing can fail any more.
 *   2. A buffer over foreign memory begins at the lowest byte that an element has; the tensor's
 *      offset leads from there to its first element. */
#include "tensor/dlpack.h"
#include "tensor/tensor.h"

#include "base/alloc.h"
#include "base/error.h"

#include <inttypes.h>

#define WHAT "ps_tensor_from_dlpack"

/* ---- element types --------------------------------------------------------------------- */

static const struct {
    uint8_t code, bits;
} types[PS__DTYPES] = {
    [PS_BOOL] = {kDLBool, 8},
    [PS_INT8] = {kDLInt, 8},
    [PS_INT16] = {kDLInt, 16},
    [PS_INT32] = {kDLInt, 32},
    [PS_INT64] = {kDLInt, 64},
    [PS_UINT8] = {kDLUInt, 8},
    [PS_UINT16] = {kDLUInt, 16},
    [PS_UINT32] = {kDLUInt, 32},
    [PS_UINT64] = {kDLUInt, 64},
    [PS_FLOAT16] = {kDLFloat, 16},
    [PS_BFLOAT16] = {kDLBfloat, 16},
    [PS_FLOAT32] = {kDLFloat, 32},
    [PS_FLOAT64] = {kDLFloat, 64},
    [PS_COMPLEX64] = {kDLComplex, 64},
    [PS_COMPLEX128] = {kDLComplex, 128},
};

static bool type_find(DLDataType type, ps_dtype *dtype)
{
    for (int i = 0; i < PS__DTYPES; i++)
        if (types[i].code == type.code && types[i].bits == type.bits && type.lanes == 1) {
            *dtype = (ps_dtype)i;
            return true;
        }
    return false;
}

/* ---- out ------------------------------------------------------------------------------- */

typedef struct export
{
    DLManagedTensorVersioned managed;
    ps__host_read read;
    int64_t dims[]; /* shape, then strides */
}
export;

static void export_delete(DLManagedTensorVersioned *managed)
{
    if (managed == NULL)
        return;
    export *e = managed->manager_ctx;
    ps__host_end(&e->read);
    ps__free(e);
}

/* Copies the strides too: the handle that has them may be gone before the export. */
static void export_describe(export *e, const ps_tensor *tensor)
{
    int ndim = tensor->ndim;
    for (int i = 0; i < ndim; i++) {
        e->dims[i] = ps__shape(tensor)[i];
        e->dims[ndim + i] = e->read.strides[i];
    }
    uint64_t copied = e->read.copy != NULL ? DLPACK_FLAG_BITMASK_IS_COPIED : 0;
    e->managed = (DLManagedTensorVersioned){
        .version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
        .manager_ctx = e,
        .deleter = export_delete,
        .flags = DLPACK_FLAG_BITMASK_READ_ONLY | copied,
        .dl_tensor = {.data = (void *)(uintptr_t)e->read.data,
                      .device = {kDLCPU, 0},
                      .ndim = ndim,
                      .dtype = {types[tensor->dtype].code, types[tensor->dtype].bits, 1},
                      .shape = e->dims,
                      .strides = e->dims + ndim},
    };
}

ps_status ps_tensor_to_dlpack(ps_tensor *tensor, DLManagedTensorVersioned **managed)
{
    if (tensor == NULL || managed == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_to_dlpack: %s is NULL",
                        tensor == NULL ? "tensor" : "managed");
    export *e = ps__calloc(1, sizeof *e + 2 * (size_t)tensor->ndim * sizeof(int64_t));
    if (e == NULL)
        return ps__fail(PS_ERR_MEMORY, "ps_tensor_to_dlpack: no memory for %d dimensions",
                        tensor->ndim);
    ps_status status = ps__host_begin(tensor, &e->read);
    if (status != PS_OK) {
        ps__free(e);
        return status;
    }
    export_describe(e, tensor);
    *managed = &e->managed;
    return PS_OK;
}

/* ---- in: checks ------------------------------------------------------------------------ */

/* What an import has been found to hold. */
typedef struct found {
    ps_dtype dtype;
    ps__layout form; /* its offset: from the lowest element to the first */
    int64_t count;
    int64_t elements; /* from the lowest to the highest */
    char *first;      /* the first element */
} found;

static ps_status check_head(const DLManagedTensorVersioned *managed, ps_tensor **tensor)
{
    if (managed == NULL || tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": %s is NULL",
                        managed == NULL ? "managed" : "tensor");
    if (managed->version.major != DLPACK_MAJOR_VERSION)
        return ps__fail(PS_ERR_ARGUMENT,
                        WHAT ": version %" PRIu32 ".%" PRIu32 ", only 1.x is known",
                        managed->version.major, managed->version.minor);
    return PS_OK;
}

static ps_status check_kind(const DLTensor *given, found *f)
{
    int32_t device = (int32_t)given->device.device_type;
    if (device != kDLCPU && device != kDLCUDAHost)
        return ps__fail(PS_ERR_ARGUMENT,
                        WHAT ": device type %" PRId32 " (id %" PRId32
                             "), only memory of the CPU (1 or 3) can be taken",
                        device, given->device.device_id);
    if (!type_find(given->dtype, &f->dtype))
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": no element type has code %d, %d bits and %d lanes",
                        given->dtype.code, given->dtype.bits, given->dtype.lanes);
    return PS_OK;
}

/* Copies the lengths first: others may still be able to write them. */
static ps_status check_shape(const DLTensor *given, found *f)
{
    if (given->ndim < 0 || given->ndim > PS_DIMS_MAX)
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": %" PRId32 " dimensions, at most %d are possible",
                        given->ndim, PS_DIMS_MAX);
    f->form.ndim = given->ndim;
    if (f->form.ndim != 0 && given->shape == NULL)
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": shape is NULL for %d dimensions", f->form.ndim);
    for (int i = 0; i < f->form.ndim; i++)
        f->form.shape[i] = given->shape[i];
    return ps__shape_check(WHAT, f->dtype, f->form.ndim, f->form.shape, &f->count);
}

/* Strides that no element needs are replaced by harmless ones. */
static void read_strides(const DLTensor *given, found *f)
{
    ps__shape_strides(f->form.ndim, f->form.shape, f->form.strides);
    for (int i = 0; i < f->form.ndim; i++)
        if (given->strides != NULL && f->count != 0 && f->form.shape[i] > 1)
            f->form.strides[i] = given->strides[i];
}

/* How far the elements reach below and above the first one; false if that does not fit. */
static bool find_reach(const found *f, int64_t *low, int64_t *high)
{
    *low = *high = 0;
    for (int i = 0; i < f->form.ndim; i++) {
        int64_t reach;
        if (__builtin_mul_overflow(f->form.shape[i] - 1, f->form.strides[i], &reach) ||
            __builtin_add_overflow(reach, reach < 0 ? *low : *high, reach < 0 ? low : high))
            return false;
    }
    int64_t bytes = (int64_t)ps__dtype_bytes(f->dtype), most = ((int64_t)1 << 61) / bytes;
    return *low >= -most && *high < most;
}

static ps_status check_strides(const DLTensor *given, found *f)
{
    int64_t low = 0, high = 0;
    read_strides(given, f);
    if (f->count != 0 && !find_reach(f, &low, &high))
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": strides %s of shape %s of %s reach too far",
                        ps__shape_text(f->form.ndim, f->form.strides),
                        ps__shape_text(f->form.ndim, f->form.shape), ps__dtypes[f->dtype].name);
    f->form.offset = -low;
    f->elements = f->count == 0 ? 0 : high - low + 1;
    return PS_OK;
}

/* The address of the first element, and whether all others have one. */
static ps_status check_data(const DLTensor *given, found *f)
{
    uintptr_t data = (uintptr_t)given->data, first, low, end;
    uintptr_t bytes = ps__dtype_bytes(f->dtype);
    uintptr_t part = ps__dtype_bytes((ps_dtype)ps__dtypes[f->dtype].real);
    f->first = NULL;
    if (f->count == 0)
        return PS_OK;
    if (data == 0)
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": data is NULL for shape %s",
                        ps__shape_text(f->form.ndim, f->form.shape));
    if (__builtin_add_overflow(data, given->byte_offset, &first) ||
        __builtin_sub_overflow(first, (uintptr_t)f->form.offset * bytes, &low) || low == 0 ||
        __builtin_add_overflow(low, (uintptr_t)f->elements * bytes, &end))
        return ps__fail(PS_ERR_ARGUMENT,
                        WHAT ": elements of data %p, byte_offset %" PRIu64
                             ", shape %s, strides %s lie outside of memory",
                        given->data, given->byte_offset,
                        ps__shape_text(f->form.ndim, f->form.shape),
                        ps__shape_text(f->form.ndim, f->form.strides));
    if (first % part != 0)
        return ps__fail(PS_ERR_ARGUMENT,
                        WHAT ": data %p with byte_offset %" PRIu64
                             " is not a multiple of %zu, as %s needs it",
                        given->data, given->byte_offset, (size_t)part, ps__dtypes[f->dtype].name);
    f->first = (char *)first;
    return PS_OK;
}

static ps_status examine(const DLTensor *given, found *f)
{
    ps_status status = check_kind(given, f);
    if (status == PS_OK)
        status = check_shape(given, f);
    if (status == PS_OK)
        status = check_strides(given, f);
    if (status == PS_OK)
        status = check_data(given, f);
    return status;
}

/* ---- in: taking over ------------------------------------------------------------------- */

static void import_release(void *owner)
{
    DLManagedTensorVersioned *managed = owner;
    if (managed->deleter != NULL)
        managed->deleter(managed);
}

/* A tensor of the right form whose buffer has no memory. */
static ps_status import_form(const found *f, ps_tensor **tensor)
{
    ps__storage *storage;
    ps_tensor *all;
    const ps__home *cpu = ps__home_cpu();
    uint64_t bytes = (uint64_t)f->elements * ps__dtype_bytes(f->dtype);
    ps_status status = ps__storage_create_filled(cpu, bytes, &storage);
    if (status == PS_OK)
        status = ps__tensor_over(storage, cpu, f->dtype, 1, &f->elements, &all);
    if (status != PS_OK)
        return status;
    status = ps__view(all, f->dtype, &f->form, tensor);
    ps_tensor_release(all);
    return status;
}

static void import_attach(ps_tensor *tensor, const found *f, DLManagedTensorVersioned *managed)
{
    char *lowest = f->first - f->form.offset * (int64_t)ps__dtype_bytes(f->dtype);
    ps__buffer_lend(tensor->storage->buffer, lowest, import_release, managed);
}

ps_status ps_tensor_from_dlpack(DLManagedTensorVersioned *managed, bool copy, ps_tensor **tensor)
{
    found f;
    ps_status status = check_head(managed, tensor);
    if (status == PS_OK)
        status = examine(&managed->dl_tensor, &f);
    if (status != PS_OK)
        return status;
    bool keep = !copy && f.count != 0; /* of no elements nothing is needed */
    if (keep)
        status = import_form(&f, tensor);
    else
        status = ps_tensor_from_host(f.dtype, f.form.ndim, f.form.shape, f.form.strides, f.first,
                                     NULL, tensor);
    if (status != PS_OK)
        return status;
    if (keep)
        import_attach(*tensor, &f, managed);
    else
        import_release(managed);
    return PS_OK;
}
