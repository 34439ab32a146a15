/* Opening safetensors files, and tensors of them.
 *
 * Copies are read from the file straight into a tensor's memory, by a call that says so if the file
 * has become shorter: nothing is read through a mapping unless the caller asks for that. A tensor
 * that borrows has a buffer over the mapping, which it keeps alive. What the mapping does not hold as
 * our kernels need it is copied all the same: elements that are not aligned, or of another order
 * of bytes, and truth values, which may be any byte there. */
#include "files/safetensors.h"

#include "base/alloc.h"
#include "base/error.h"
#include "files/elements.h"
#include "files/system.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define TENSOR "ps_safetensors_tensor"

/* ---- opening --------------------------------------------------------------------------- */

static ps_status keep_path(ps_safetensors *file, const ps__source *source)
{
    size_t bytes = strlen(source->path) + 1;
    file->path = ps__calloc(bytes, 1);
    if (file->path == NULL)
        return ps__fail(PS_ERR_MEMORY, "%s: no memory for a path of %zu bytes", source->what,
                        bytes);
    memcpy(file->path, source->path, bytes);
    return PS_OK;
}

/* The open file goes over from the source. */
static ps_status keep_file(ps_safetensors *file, ps__source *source, bool borrow)
{
    size_t bytes = (size_t)(file->data + source->left);
    ps_status status = keep_path(file, source);
    if (status == PS_OK && borrow && source->left != 0)
        status =
            ps__mapping_create(source->what, source->path, source->file, bytes, &file->mapping);
    if (status != PS_OK)
        return status;
    file->file = source->file;
    source->file = -1;
    return PS_OK;
}

/* With the source set up; ends it. */
static ps_status open_source(ps__source *source, const void *memory, bool borrow,
                             ps_safetensors **result)
{
    ps_safetensors *file = ps__calloc(1, sizeof *file);
    ps_status status = PS_OK;
    if (file == NULL)
        status = ps__fail(PS_ERR_MEMORY, "%s: no memory", source->what);
    if (status == PS_OK) {
        file->file = -1;
        file->memory = memory;
        status = ps__safetensors_read_header(source, file);
    }
    if (status == PS_OK && memory == NULL)
        status = keep_file(file, source, borrow);
    int code = errno; /* is the answer to PS_ERR_SYSTEM */
    ps__source_close(source);
    if (status == PS_OK)
        *result = file;
    else
        ps_safetensors_close(file);
    errno = code;
    return status;
}

ps_status ps_safetensors_open(const char *path, uint32_t flags, ps_safetensors **result)
{
    static const char what[] = "ps_safetensors_open";
    ps__source source;
    if (path == NULL || result == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %s is NULL", what, path == NULL ? "path" : "file");
    if ((flags & ~(uint32_t)PS_SAFETENSORS_BORROW) != 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: unknown flags 0x%" PRIX32, what, flags);
    ps_status status = ps__source_open(what, path, &source);
    if (status != PS_OK)
        return status;
    return open_source(&source, NULL, (flags & PS_SAFETENSORS_BORROW) != 0, result);
}

ps_status ps_safetensors_open_memory(const void *data, size_t bytes, ps_safetensors **result)
{
    static const char what[] = "ps_safetensors_open_memory";
    ps__source source;
    if (data == NULL || result == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %s is NULL", what, data == NULL ? "data" : "file");
    ps__source_memory(what, data, bytes, &source);
    return open_source(&source, data, false, result);
}

/* ---- copies ---------------------------------------------------------------------------- */

static ps_status read_part(const ps_safetensors *file, uint64_t from, char *to, size_t bytes)
{
    while (bytes != 0) {
        ssize_t done = pread(file->file, to, bytes, (off_t)from);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return ps__system_fail(TENSOR, file->path, "could not be read");
        if (done == 0)
            return ps__fail(PS_ERR_ARGUMENT,
                            TENSOR ": %s: it became shorter since it was opened: it ends before "
                                   "byte %" PRIu64,
                            file->path, from + bytes);
        from += (uint64_t)done;
        to += done;
        bytes -= (size_t)done;
    }
    return PS_OK;
}

static ps_status fill(const ps_safetensors *file, const ps__safetensors_entry *entry, void *data)
{
    uint64_t from = file->data + entry->begin;
    size_t bytes = (size_t)(entry->end - entry->begin);
    if (file->memory == NULL)
        return read_part(file, from, data, bytes);
    if (bytes != 0)
        memcpy(data, file->memory + from, bytes);
    return PS_OK;
}

static ps_status copy_tensor(const ps_safetensors *file, const ps__safetensors_entry *entry,
                             ps_tensor **result)
{
    ps_tensor *tensor;
    void *data;
    ps_status status =
        ps__elements_new((ps_dtype)entry->dtype, entry->ndim, ps__safetensors_lengths(file, entry),
                         entry->count, &tensor, &data);
    if (status != PS_OK)
        return status;
    status = fill(file, entry, data);
    if (status != PS_OK) {
        int code = errno;
        ps_tensor_release(tensor);
        errno = code;
        return status;
    }
    ps__elements_settle(tensor);
    *result = tensor;
    return PS_OK;
}

/* ---- borrowing ------------------------------------------------------------------------- */

static bool can_borrow(const ps_safetensors *file, const ps__safetensors_entry *entry)
{
    ps_dtype dtype = (ps_dtype)entry->dtype;
    size_t part = ps__dtype_bytes((ps_dtype)ps__dtypes[dtype].real);
    return file->mapping != NULL && entry->count != 0 && dtype != PS_BOOL &&
           ps__elements_same_order() && (file->data + entry->begin) % part == 0;
}

static ps_status borrow_tensor(const ps_safetensors *file, const ps__safetensors_entry *entry,
                               ps_tensor **result)
{
    ps__storage *storage;
    ps_tensor *tensor;
    const ps__home *cpu = ps__home_cpu();
    ps_status status = ps__storage_create_filled(cpu, entry->end - entry->begin, &storage);
    if (status == PS_OK)
        status = ps__tensor_over(storage, cpu, (ps_dtype)entry->dtype, entry->ndim,
                                 ps__safetensors_lengths(file, entry), &tensor);
    if (status != PS_OK)
        return status;
    ps__mapping_retain(file->mapping);
    ps__buffer_lend(ps__load(&tensor->storage->buffer), /* nobody else knows it */
                    file->mapping->data + file->data + entry->begin, ps__mapping_release,
                    file->mapping);
    *result = tensor;
    return PS_OK;
}

ps_status ps_safetensors_tensor(const ps_safetensors *file, size_t index, ps_tensor **tensor)
{
    if (file == NULL || tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, TENSOR ": %s is NULL", file == NULL ? "file" : "tensor");
    if (index >= file->entries.count)
        return ps__fail(PS_ERR_INDEX, TENSOR ": tensor %zu of %zu", index, file->entries.count);
    const ps__safetensors_entry *entry = ps__safetensors_at(file, index);
    return can_borrow(file, entry) ? borrow_tensor(file, entry, tensor)
                                   : copy_tensor(file, entry, tensor);
}
