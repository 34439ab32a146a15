/* Calls of element types, tensors and views. */
#include "hostile.h"

#include "tensor/dlpack.h"

/* ---- element types ----------------------------------------------------------------------- */

static ps_status dtype_name(void)
{
    return ps_dtype_name(any_dtype()) != NULL ? PS_OK : PS_ERR_STATE;
}

static ps_status dtype_bytes(void)
{
    return ps_dtype_bytes(any_dtype()) <= 16 ? PS_OK : PS_ERR_STATE;
}

static ps_status dtype_find(void)
{
    ps_dtype dtype;
    return ps_dtype_find(below(2) ? "int8" : any_text(), RESULT(dtype));
}

static ps_status dtype_promote(void)
{
    ps_dtype dtype;
    return ps_dtype_promote(any_dtype(), any_dtype(), RESULT(dtype));
}

/* ---- handles ----------------------------------------------------------------------------- */

static ps_status tensor_retain(void)
{
    ps_tensor *tensor = any_tensor();
    ps_status status = ps_tensor_retain(tensor);
    if (status == PS_OK)
        ps_tensor_release(tensor);
    return status;
}

static ps_status tensor_release(void)
{
    ps_tensor_release(NULL);
    return PS_OK;
}

static ps_status tensor_dtype(void)
{
    (void)ps_tensor_dtype(any_tensor());
    return PS_OK;
}

static ps_status tensor_ndim(void)
{
    (void)ps_tensor_ndim(any_tensor());
    return PS_OK;
}

static ps_status tensor_shape(void)
{
    ps_tensor *tensor = any_tensor();
    const int64_t *shape = ps_tensor_shape(tensor);
    for (int i = 0; i < ps_tensor_ndim(tensor); i++)
        if (shape[i] < 0)
            return PS_ERR_STATE;
    return PS_OK;
}

static ps_status tensor_strides(void)
{
    (void)ps_tensor_strides(any_tensor());
    return PS_OK;
}

static ps_status tensor_count(void)
{
    return ps_tensor_count(any_tensor()) >= 0 ? PS_OK : PS_ERR_STATE;
}

static ps_status tensor_device(void)
{
    (void)ps_device_name(ps_tensor_device(any_tensor()));
    return PS_OK;
}

static ps_status tensor_version(void)
{
    (void)ps_tensor_version(any_tensor());
    return PS_OK;
}

static ps_status tensor_place(void)
{
    SIZED(ps_tensor_place, place);
    return ps_tensor_get_place(any_tensor(), wrong() ? NULL : &place.it);
}

static ps_status tensor_shares(void)
{
    (void)ps_tensor_shares(any_tensor(), any_tensor());
    return PS_OK;
}

static ps_status tensor_is_ready(void)
{
    (void)ps_tensor_is_ready(any_tensor());
    return PS_OK;
}

/* ---- elements ---------------------------------------------------------------------------- */

/* How many elements from the first to the last one that the strides reach; 0: none, or too many
 * to give. */
static size_t reach(int ndim, const int64_t *shape, const int64_t *strides)
{
    size_t last = 0, count = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        if (shape[i] < 0 || shape[i] > 4096 || count > 4096)
            return 0;
        last += strides != NULL && shape[i] != 0 ? (size_t)((shape[i] - 1) * strides[i]) : 0;
        count *= (size_t)shape[i];
    }
    return count == 0 || count > 4096 ? 0 : strides == NULL ? count : last + 1;
}

static ps_status tensor_from_host(void)
{
    static const int64_t steps[][2] = {{4, 1}, {1, 3}, {0, 0}, {0, 2}};
    int ndim;
    int64_t *shape = any_ints(&ndim);
    bool fine = shape != NULL && ndim >= 0;
    int64_t *strides = fine && below(3) == 0 ? exactly(PICK(steps), (size_t)ndim, 8) : NULL;
    size_t room = fine || ndim == 0 ? reach(fine ? ndim : 0, shape, strides) : 0;
    void *elements = room == 0 || wrong() ? NULL : calloc(room, 16);
    ps_tensor *made = NULL;
    ps_status status = ps_tensor_from_host(any_dtype(), ndim, shape, strides, elements,
                                           below(4) ? NULL : PICK(world.devices), RESULT(made));
    keep(made);
    free(shape);
    free(strides);
    free(elements);
    return status;
}

static ps_status tensor_to_host(void)
{
    ps_tensor *tensor = any_tensor();
    int64_t count = tensor != NULL ? ps_tensor_count(tensor) : 0;
    size_t bytes = (size_t)count * (tensor ? ps_dtype_bytes(ps_tensor_dtype(tensor)) : 0);
    if (count > 4096)
        return PS_OK;
    void *room = wrong() ? NULL : malloc(bytes + 1);
    ps_status status = ps_tensor_to_host(tensor, room, wrong() ? bytes / 2 : bytes);
    free(room);
    return status;
}

static ps_status tensor_item(void)
{
    ps_scalar value;
    return ps_tensor_item(below(2) ? world.tensors[11] : any_tensor(), RESULT(value));
}

static ps_status tensor_format(void)
{
    static const char *const texts[] = {NULL, "", "tensor(", "\n\377 \n\302(\n"};
    SIZED(ps_format_options, options);
    options.it.precision = wrong() ? (int)any_number() : -1;
    options.it.threshold = wrong() ? any_number() : -1;
    options.it.edge = wrong() ? (int)any_number() : -1;
    options.it.width = wrong() ? (int)any_number() : -1;
    options.it.style = wrong() ? (ps_format_style)any_number() : (ps_format_style)below(2);
    options.it.scientific = wrong() ? (int)any_number() : (int)below(3) - 1;
    options.it.prefix = PICK(texts);
    options.it.suffixes = PICK(texts);
    char text[64];
    size_t length;
    ps_tensor *tensor = any_tensor();
    if (tensor != NULL && ps_tensor_count(tensor) > 4096)
        return PS_OK;
    return ps_tensor_format(tensor, below(2) ? NULL : &options.it, wrong() ? NULL : text,
                            below(sizeof text + 1), RESULT(length));
}

/* ---- views ------------------------------------------------------------------------------- */

static ps_status tensor_permute(void)
{
    static const int counts[] = {-1, 33, INT32_MAX, INT32_MIN};
    int list[2] = {(int)below(2), 0};
    list[1] = wrong() ? (int)any_number() : 1 - list[0];
    int count = (int)below(3);
    int *axes = count == 0 || wrong() ? NULL : exactly(list, (size_t)count, sizeof *list);
    ps_tensor *made = NULL;
    ps_status status =
        ps_tensor_permute(any_tensor(), axes, wrong() ? PICK(counts) : count, RESULT(made));
    keep(made);
    free(axes);
    return status;
}

typedef ps_status (*reshaping)(ps_tensor *tensor, int ndim, const int64_t *shape, ps_tensor **view);

static ps_status reshape_by(reshaping function)
{
    int ndim;
    int64_t *shape = any_ints(&ndim);
    if (shape != NULL && ndim == 2 && below(2)) {
        shape[0] = 3;
        shape[1] = 4;
    }
    ps_tensor *made = NULL;
    ps_status status = function(any_tensor(), ndim, shape, RESULT(made));
    keep(made);
    free(shape);
    return status;
}

static ps_status tensor_broadcast(void)
{
    return reshape_by(ps_tensor_broadcast);
}

static ps_status tensor_view_as(void)
{
    return reshape_by(ps_tensor_view_as);
}

static ps_status tensor_split(void)
{
    int64_t list[3] = {1, 1, 1};
    size_t count = 2 + below(2);
    if (count == 2)
        list[1] = 2;
    if (wrong())
        list[below(3)] = any_number();
    int64_t *lengths = wrong() ? NULL : exactly(list, count, sizeof *list);
    ps_tensor *made[3] = {0};
    ps_status status = ps_tensor_split(any_tensor(), wrong() ? any_number() : 0, lengths,
                                       wrong() ? SIZE_MAX : count, wrong() ? NULL : made);
    for (size_t i = 0; i < 3; i++)
        keep(made[i]);
    free(lengths);
    return status;
}

static ps_status tensor_part(void)
{
    ps_tensor *made = NULL;
    ps_status status =
        ps_tensor_part(below(2) ? world.tensors[7] : any_tensor(), below(2), RESULT(made));
    keep(made);
    return status;
}

/* ---- DLPack ------------------------------------------------------------------------------ */

/* One member of what came from elsewhere is not as it should be. */
static void damage(DLManagedTensorVersioned *managed)
{
    DLTensor *tensor = &managed->dl_tensor;
    switch (below(8)) {
    case 0:
        managed->version.major = (uint32_t)any_number();
        break;
    case 1:
        tensor->ndim = PICK(((const int[]){-1, 33, INT32_MAX, INT32_MIN}));
        break;
    case 2:
        tensor->dtype.code = PICK(((const uint8_t[]){3, 7, 100, 255}));
        break;
    case 3:
        tensor->dtype.bits = PICK(((const uint8_t[]){0, 1, 7, 24, 255}));
        break;
    case 4:
        tensor->dtype.lanes = (uint16_t)below(5);
        break;
    case 5:
        tensor->shape = NULL;
        break;
    case 6:
        tensor->data = NULL;
        break;
    default:
        tensor->device.device_type = (int)any_number();
        break;
    }
}

static ps_status tensor_to_dlpack(void)
{
    DLManagedTensorVersioned *managed = NULL;
    ps_status status = ps_tensor_to_dlpack(any_tensor(), RESULT(managed));
    if (managed != NULL)
        managed->deleter(managed);
    return status;
}

/* What is exported is imported again; if that fails it still belongs to us. */
static ps_status tensor_from_dlpack(void)
{
    DLManagedTensorVersioned *managed = NULL, before;
    ps_tensor *tensor = wrong() ? NULL : world.tensors[below(FRIENDLY)], *made = NULL;
    if (tensor != NULL && ps_tensor_to_dlpack(tensor, &managed) == PS_OK) {
        before = *managed;
        if (below(3) == 0)
            damage(managed);
    }
    ps_status status = ps_tensor_from_dlpack(managed, below(2) != 0, RESULT(made));
    if (status != PS_OK && managed != NULL) {
        *managed = before;
        managed->deleter(managed);
    }
    keep(made);
    return status;
}

const hostile_call hostile_tensor_calls[] = {
    {"ps_dtype_name", dtype_name, 1},
    {"ps_dtype_bytes", dtype_bytes, 1},
    {"ps_dtype_find", dtype_find, 1},
    {"ps_dtype_promote", dtype_promote, 1},
    {"ps_tensor_retain", tensor_retain, 1},
    {"ps_tensor_release", tensor_release, 1},
    {"ps_tensor_dtype", tensor_dtype, 1},
    {"ps_tensor_ndim", tensor_ndim, 1},
    {"ps_tensor_shape", tensor_shape, 1},
    {"ps_tensor_strides", tensor_strides, 1},
    {"ps_tensor_count", tensor_count, 1},
    {"ps_tensor_device", tensor_device, 1},
    {"ps_tensor_version", tensor_version, 1},
    {"ps_tensor_get_place", tensor_place, 1},
    {"ps_tensor_shares", tensor_shares, 1},
    {"ps_tensor_is_ready", tensor_is_ready, 1},
    {"ps_tensor_from_host", tensor_from_host, 6},
    {"ps_tensor_to_host", tensor_to_host, 4},
    {"ps_tensor_item", tensor_item, 3},
    {"ps_tensor_format", tensor_format, 4},
    {"ps_tensor_permute", tensor_permute, 4},
    {"ps_tensor_broadcast", tensor_broadcast, 4},
    {"ps_tensor_view_as", tensor_view_as, 4},
    {"ps_tensor_split", tensor_split, 4},
    {"ps_tensor_part", tensor_part, 2},
    {"ps_tensor_to_dlpack", tensor_to_dlpack, 2},
    {"ps_tensor_from_dlpack", tensor_from_dlpack, 3},
    {NULL, NULL, 0},
};
