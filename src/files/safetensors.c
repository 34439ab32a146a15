/* What saving and loading safetensors files share, and what can be asked of an open one. */
#include "files/safetensors.h"

#include "base/alloc.h"
#include "base/error.h"
#include "dtype/dtype.h"
#include "files/system.h"
#include "files/utf8.h"

#include <string.h>

/* ---- element types --------------------------------------------------------------------- */

static const char *const types[PS__DTYPES] = {
    [PS_BOOL] = "BOOL",   [PS_INT8] = "I8",       [PS_INT16] = "I16",     [PS_INT32] = "I32",
    [PS_INT64] = "I64",   [PS_UINT8] = "U8",      [PS_UINT16] = "U16",    [PS_UINT32] = "U32",
    [PS_UINT64] = "U64",  [PS_FLOAT16] = "F16",   [PS_BFLOAT16] = "BF16", [PS_FLOAT32] = "F32",
    [PS_FLOAT64] = "F64", [PS_COMPLEX64] = "C64",
};

const char *ps__safetensors_type(ps_dtype dtype)
{
    return types[dtype];
}

bool ps__safetensors_dtype(const char *type, ps_dtype *dtype)
{
    for (int i = 0; i < PS__DTYPES; i++)
        if (types[i] != NULL && strcmp(types[i], type) == 0) {
            *dtype = (ps_dtype)i;
            return true;
        }
    return false;
}

/* ---- asking ---------------------------------------------------------------------------- */

static const ps__safetensors_entry *entry_or_null(const ps_safetensors *file, size_t index)
{
    return file != NULL && index < file->entries.count ? ps__safetensors_at(file, index) : NULL;
}

size_t ps_safetensors_count(const ps_safetensors *file)
{
    return file != NULL ? file->entries.count : 0;
}

const char *ps_safetensors_name(const ps_safetensors *file, size_t index)
{
    const ps__safetensors_entry *entry = entry_or_null(file, index);
    return entry != NULL ? entry->name : NULL;
}

ps_dtype ps_safetensors_dtype(const ps_safetensors *file, size_t index)
{
    const ps__safetensors_entry *entry = entry_or_null(file, index);
    return entry != NULL ? (ps_dtype)entry->dtype : (ps_dtype)0;
}

int ps_safetensors_ndim(const ps_safetensors *file, size_t index)
{
    const ps__safetensors_entry *entry = entry_or_null(file, index);
    return entry != NULL ? entry->ndim : 0;
}

const int64_t *ps_safetensors_shape(const ps_safetensors *file, size_t index)
{
    const ps__safetensors_entry *entry = entry_or_null(file, index);
    return entry != NULL ? ps__safetensors_lengths(file, entry) : NULL;
}

static const ps__safetensors_pair *pair_or_null(const ps_safetensors *file, size_t index)
{
    if (file == NULL || index >= file->pairs.count)
        return NULL;
    return (const ps__safetensors_pair *)file->pairs.items + index;
}

const char *ps_safetensors_metadata_key(const ps_safetensors *file, size_t index)
{
    const ps__safetensors_pair *pair = pair_or_null(file, index);
    return pair != NULL ? pair->key : NULL;
}

const char *ps_safetensors_metadata_value(const ps_safetensors *file, size_t index)
{
    const ps__safetensors_pair *pair = pair_or_null(file, index);
    return pair != NULL ? pair->value : NULL;
}

ps_status ps_safetensors_find(const ps_safetensors *file, const char *name, size_t *index)
{
    if (file == NULL || name == NULL || index == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_safetensors_find: %s is NULL",
                        file == NULL   ? "file"
                        : name == NULL ? "name"
                                       : "index");
    for (size_t low = 0, high = file->entries.count; low < high;) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, file->by_name[middle]->name);
        if (order == 0) {
            *index = (size_t)(file->by_name[middle] - ps__safetensors_at(file, 0));
            return PS_OK;
        }
        *(order < 0 ? &high : &low) = order < 0 ? middle : middle + 1;
    }
    return ps__fail(PS_ERR_INDEX, "ps_safetensors_find: %s%sno tensor of %zu is called \"%.*s\"",
                    file->path != NULL ? file->path : "", file->path != NULL ? ": " : "",
                    file->entries.count, ps__utf8_clip(name, PS__SAFETENSORS_CLIP), name);
}

void ps_safetensors_close(ps_safetensors *file)
{
    if (file == NULL)
        return;
    if (file->file >= 0)
        ps__system_close(file->file);
    ps__mapping_release(file->mapping);
    ps__free(file->path);
    ps__free(file->header);
    ps__free(file->entries.items);
    ps__free(file->lengths.items);
    ps__free(file->pairs.items);
    ps__free(file->by_name);
    ps__free(file);
}
