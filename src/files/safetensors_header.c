/* Reading and checking the header of a safetensors file.
 *
 * Invariants
 *   1. Nothing that is read is used before it was checked, and it is read once: what lies in memory
 *      may change meanwhile.
 *   2. Memory is taken for the header that is there, and for what was found in it: a fixed number
 *      of bytes for each that it has. */
#include "files/safetensors.h"

#include "base/alloc.h"
#include "base/error.h"
#include "files/json.h"
#include "files/utf8.h"
#include "tensor/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    ps__source *source;
    ps__json json;
    ps_safetensors *file;
    bool had_metadata;
} reading;

enum { HAS_DTYPE = 1, HAS_SHAPE = 2, HAS_OFFSETS = 4, HAS_ALL = 7 }; /* what an entry has */

#define CLIPPED(text) ps__utf8_clip((text), PS__SAFETENSORS_CLIP), (text)
#define FAIL(r, entry, format, ...)                                                                \
    ps__source_fail((r)->source, "tensor \"%.*s\" " format, CLIPPED((entry)->name), __VA_ARGS__)

/* ---- lists ----------------------------------------------------------------------------- */

static ps_status no_memory(const reading *r)
{
    return ps__fail(PS_ERR_MEMORY, "%s: no memory for a header with %zu tensors", r->source->what,
                    r->file->entries.count);
}

/* A zeroed item at the end; NULL if there is no memory. */
static void *list_add(ps__list *list, size_t bytes)
{
    if (list->count == list->room) {
        size_t room = list->room != 0 ? 2 * list->room : 16;
        char *items = ps__calloc(room, bytes);
        if (items == NULL)
            return NULL;
        if (list->count != 0)
            memcpy(items, list->items, list->count * bytes);
        ps__free(list->items);
        list->items = items;
        list->room = room;
    }
    return (char *)list->items + bytes * list->count++;
}

/* ---- one tensor ------------------------------------------------------------------------ */

static ps_status read_type(reading *r, ps__safetensors_entry *entry)
{
    char *type;
    ps_dtype dtype;
    ps_status status = ps__json_text(&r->json, &type);
    if (status != PS_OK)
        return status;
    if (!ps__safetensors_dtype(type, &dtype))
        return FAIL(r, entry,
                    "is of element type \"%.*s\", which is not one of those that are read",
                    CLIPPED(type));
    entry->dtype = (uint8_t)dtype;
    return PS_OK;
}

static ps_status read_length(reading *r, ps__safetensors_entry *entry)
{
    int64_t length;
    ps_status status = ps__json_number(&r->json, &length);
    if (status != PS_OK)
        return status;
    if (length < 0)
        return FAIL(r, entry, "has the length %" PRId64, length);
    if (entry->ndim == PS_DIMS_MAX)
        return FAIL(r, entry, "has more than %d dimensions", PS_DIMS_MAX);
    int64_t *place = list_add(&r->file->lengths, sizeof *place);
    if (place == NULL)
        return no_memory(r);
    *place = length;
    entry->ndim++;
    return PS_OK;
}

static ps_status read_shape(reading *r, ps__safetensors_entry *entry)
{
    bool inside = false, more;
    ps_status status;
    entry->shape = r->file->lengths.count;
    while ((status = ps__json_item(&r->json, &inside, &more)) == PS_OK && more)
        if ((status = read_length(r, entry)) != PS_OK)
            break;
    return status;
}

static ps_status read_offsets(reading *r, ps__safetensors_entry *entry)
{
    int64_t offsets[2] = {0, 0};
    int count = 0;
    bool inside = false, more;
    ps_status status;
    while ((status = ps__json_item(&r->json, &inside, &more)) == PS_OK && more && count < 2)
        if ((status = ps__json_number(&r->json, &offsets[count++])) != PS_OK)
            break;
    if (status != PS_OK)
        return status;
    if (more || count != 2)
        return FAIL(r, entry, "has %s offsets; two are needed", more ? "more than two" : "too few");
    if (offsets[0] < 0 || offsets[1] < offsets[0])
        return FAIL(r, entry, "has the offsets %" PRId64 " and %" PRId64, offsets[0], offsets[1]);
    entry->begin = (uint64_t)offsets[0];
    entry->end = (uint64_t)offsets[1];
    return PS_OK;
}

/* What belongs to a key, which may be there once. */
static ps_status read_member(reading *r, ps__safetensors_entry *entry, const char *key,
                             unsigned *found)
{
    static const struct {
        const char *key;
        ps_status (*read)(reading *r, ps__safetensors_entry *entry);
    } members[] = {{"dtype", read_type}, {"shape", read_shape}, {"data_offsets", read_offsets}};
    for (unsigned i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (strcmp(members[i].key, key) != 0)
            continue;
        if (*found & 1u << i)
            return FAIL(r, entry, "has \"%s\" twice", key);
        *found |= 1u << i;
        return members[i].read(r, entry);
    }
    return FAIL(r, entry, "has \"%.*s\", which is unknown", CLIPPED(key));
}

static ps_status check_size(reading *r, ps__safetensors_entry *entry)
{
    char what[PS__SAFETENSORS_CLIP + 16];
    snprintf(what, sizeof what, "tensor \"%.*s\"", CLIPPED(entry->name));
    const int64_t *shape = ps__safetensors_lengths(r->file, entry);
    ps_status status =
        ps__shape_check(what, (ps_dtype)entry->dtype, entry->ndim, shape, &entry->count);
    if (status != PS_OK)
        return ps__source_fail(r->source, "%s", ps_last_error());
    uint64_t bytes = (uint64_t)entry->count * ps__dtype_bytes((ps_dtype)entry->dtype);
    if (bytes == entry->end - entry->begin)
        return PS_OK;
    return FAIL(r, entry,
                "of shape %s and type %s needs %" PRIu64 " bytes and has %" PRIu64 " (%" PRIu64
                " to %" PRIu64 ")",
                ps__shape_text(entry->ndim, shape), ps__dtypes[entry->dtype].name, bytes,
                entry->end - entry->begin, entry->begin, entry->end);
}

static ps_status read_entry(reading *r, const char *name)
{
    ps__safetensors_entry *entry = list_add(&r->file->entries, sizeof *entry);
    if (entry == NULL)
        return no_memory(r);
    entry->name = name;
    char *key;
    bool inside = false;
    unsigned found = 0;
    ps_status status;
    while ((status = ps__json_key(&r->json, &inside, &key)) == PS_OK && key != NULL)
        if ((status = read_member(r, entry, key, &found)) != PS_OK)
            break;
    if (status != PS_OK)
        return status;
    if (found != HAS_ALL)
        return FAIL(r, entry, "lacks \"%s\"",
                    !(found & HAS_DTYPE)   ? "dtype"
                    : !(found & HAS_SHAPE) ? "shape"
                                           : "data_offsets");
    return check_size(r, entry);
}

/* ---- metadata -------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const ps__safetensors_pair *)a)->key, ((const ps__safetensors_pair *)b)->key);
}

static ps_status check_keys(reading *r)
{
    ps__list *pairs = &r->file->pairs;
    ps__safetensors_pair *all = pairs->items;
    if (pairs->count > 1)
        qsort(all, pairs->count, sizeof *all, compare_keys);
    for (size_t i = 1; i < pairs->count; i++)
        if (strcmp(all[i - 1].key, all[i].key) == 0)
            return ps__source_fail(r->source, "its metadata has \"%.*s\" twice",
                                   CLIPPED(all[i].key));
    return PS_OK;
}

static ps_status read_metadata(reading *r)
{
    char *key, *value;
    bool inside = false;
    ps_status status = PS_OK;
    if (r->had_metadata)
        return ps__source_fail(r->source, "it has \"%s\" twice", PS__SAFETENSORS_METADATA);
    r->had_metadata = true;
    while ((status = ps__json_key(&r->json, &inside, &key)) == PS_OK && key != NULL) {
        if ((status = ps__json_text(&r->json, &value)) != PS_OK)
            return status;
        ps__safetensors_pair *pair = list_add(&r->file->pairs, sizeof *pair);
        if (pair == NULL)
            return no_memory(r);
        *pair = (ps__safetensors_pair){key, value};
    }
    return status == PS_OK ? check_keys(r) : status;
}

/* ---- all tensors ----------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    const ps__safetensors_entry *left = *(const ps__safetensors_entry *const *)a;
    const ps__safetensors_entry *right = *(const ps__safetensors_entry *const *)b;
    return strcmp(left->name, right->name);
}

/* Where two begin together one of them is empty, and comes first. */
static int compare_places(const void *a, const void *b)
{
    const ps__safetensors_entry *left = *(const ps__safetensors_entry *const *)a;
    const ps__safetensors_entry *right = *(const ps__safetensors_entry *const *)b;
    if (left->begin != right->begin)
        return left->begin < right->begin ? -1 : 1;
    return (left->end > right->end) - (left->end < right->end);
}

/* Sorted by their places, tensors lie side by side from the first byte of the data to the last. */
static ps_status check_places(reading *r)
{
    uint64_t at = 0;
    const ps__safetensors_entry **all = r->file->by_name;
    size_t count = r->file->entries.count;
    qsort(all, count, sizeof *all, compare_places);
    for (size_t i = 0; i < count; at = all[i++]->end) {
        if (all[i]->begin > at)
            return FAIL(r, all[i],
                        "begins at byte %" PRIu64 " and the one before it ends at %" PRIu64,
                        all[i]->begin, at);
        if (all[i]->begin < at)
            return FAIL(r, all[i],
                        "begins at byte %" PRIu64
                        ", inside of tensor \"%.*s\", which ends at %" PRIu64,
                        all[i]->begin, CLIPPED(all[i - 1]->name), at);
    }
    if (at != r->source->left)
        return ps__source_fail(r->source,
                               "its tensors take %" PRIu64 " bytes, and %" PRIu64
                               " bytes follow the header",
                               at, r->source->left);
    return PS_OK;
}

static ps_status check_names(reading *r)
{
    const ps__safetensors_entry **all = r->file->by_name;
    size_t count = r->file->entries.count;
    qsort(all, count, sizeof *all, compare_names);
    for (size_t i = 1; i < count; i++)
        if (strcmp(all[i - 1]->name, all[i]->name) == 0)
            return ps__source_fail(r->source, "it has \"%.*s\" twice", CLIPPED(all[i]->name));
    return PS_OK;
}

static ps_status check_all(reading *r)
{
    ps_safetensors *file = r->file;
    file->by_name = ps__calloc(file->entries.count + 1, sizeof *file->by_name);
    if (file->by_name == NULL)
        return no_memory(r);
    for (size_t i = 0; i < file->entries.count; i++)
        file->by_name[i] = ps__safetensors_at(file, i);
    ps_status status = check_places(r);
    return status == PS_OK ? check_names(r) : status;
}

/* ---- the header ------------------------------------------------------------------------ */

static ps_status read_text(reading *r)
{
    uint64_t bytes;
    ps_status status = ps__source_u64(r->source, "the length of the header", &bytes);
    if (status != PS_OK)
        return status;
    if (bytes > PS__SAFETENSORS_HEADER)
        return ps__source_fail(r->source,
                               "its header would have %" PRIu64
                               " bytes, at most %d are read: this is no safetensors file",
                               bytes, PS__SAFETENSORS_HEADER);
    if (bytes > r->source->left)
        return ps__source_fail(r->source,
                               "its header has %" PRIu64 " bytes and %" PRIu64 " are left", bytes,
                               r->source->left);
    char *text = r->file->header = ps__calloc(bytes + 1, 1);
    if (text == NULL)
        return ps__fail(PS_ERR_MEMORY, "%s: no memory for a header of %" PRIu64 " bytes",
                        r->source->what, bytes);
    status = ps__source_read(r->source, "the header", text, bytes);
    if (status == PS_OK && text[0] != '{')
        return ps__source_fail(r->source, "its header begins with 0x%02X, not with {",
                               (unsigned)(unsigned char)text[0]);
    r->json = (ps__json){.source = r->source, .start = text, .at = text, .end = text + bytes};
    r->file->data = sizeof bytes + bytes;
    return status;
}

ps_status ps__safetensors_read_header(ps__source *source, ps_safetensors *file)
{
    reading r = {.source = source, .file = file};
    char *name;
    bool inside = false;
    ps_status status = read_text(&r);
    if (status != PS_OK)
        return status;
    while ((status = ps__json_key(&r.json, &inside, &name)) == PS_OK && name != NULL) {
        bool metadata = strcmp(name, PS__SAFETENSORS_METADATA) == 0;
        if ((status = metadata ? read_metadata(&r) : read_entry(&r, name)) != PS_OK)
            return status;
    }
    if (status == PS_OK)
        status = ps__json_end(&r.json);
    return status == PS_OK ? check_all(&r) : status;
}
