/* Writing safetensors files.
 *
 * All that can be wrong with the arguments is found first; then all tensors are pinned and waited
 * for. The header is made twice by the same functions: once to find out how long it is, once to be
 * written. It names tensors in the order in which they were given; their elements lie in the order of
 * element sizes, the largest first, so that each is aligned: the data begins at a multiple of 64. */
#include "files/safetensors.h"

#include "base/alloc.h"
#include "base/error.h"
#include "files/elements.h"
#include "files/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHAT "ps_safetensors_save"
#define CLIPPED(text) ps__utf8_clip((text), PS__SAFETENSORS_CLIP), (text)

enum { ALIGNMENT = 64 }; /* of the data in the file */

/* Where a tensor's elements go. */
typedef struct place {
    size_t index, item; /* which tensor; bytes of an element */
    uint64_t begin, end;
} place;

typedef struct saving {
    const char *const *names;
    ps_tensor *const *tensors;
    size_t count;
    const char *const *metadata; /* keys and values in turn */
    size_t npairs;
    place *places;  /* by index */
    place **sorted; /* as they lie in the file */
    ps__elements elements;
    ps__sink *sink;  /* NULL while bytes are only counted */
    uint64_t length; /* of what was put */
} saving;

/* ---- what is written ------------------------------------------------------------------- */

static ps_status check_text(const char *kind, size_t index, const char *text)
{
    if (text == NULL)
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": %s %zu is NULL", kind, index);
    if (!ps__utf8_valid(text))
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": %s %zu is not UTF-8: \"%.*s\" is what can be read",
                        kind, index, CLIPPED(text));
    return PS_OK;
}

static ps_status check_tensor(const saving *s, size_t i)
{
    const ps_tensor *tensor = s->tensors[i];
    if (tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": tensor %zu is NULL", i);
    if (ps__safetensors_type((ps_dtype)tensor->dtype) == NULL)
        return ps__fail(PS_ERR_TYPE, WHAT ": tensor %zu is of type %s, which the format lacks", i,
                        ps__dtypes[tensor->dtype].name);
    ps_status status = check_text("name", i, s->names[i]);
    if (status == PS_OK && strcmp(s->names[i], PS__SAFETENSORS_METADATA) == 0)
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": tensor %zu cannot be called \"%s\"", i,
                        PS__SAFETENSORS_METADATA);
    return status;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(**(const char *const *const *)a, **(const char *const *const *)b);
}

/* Every text but those between steps is there once. */
static ps_status check_once(const char *kinds, const char *const *texts, size_t count, size_t step)
{
    ps_status status = PS_OK;
    const char *const **sorted = ps__calloc(count + 1, sizeof *sorted);
    if (sorted == NULL)
        return ps__fail(PS_ERR_MEMORY, WHAT ": no memory for %zu %s", count, kinds);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &texts[step * i];
    qsort(sorted, count, sizeof *sorted, compare_texts);
    for (size_t i = 1; i < count && status == PS_OK; i++)
        if (strcmp(*sorted[i - 1], *sorted[i]) == 0)
            status = ps__fail(PS_ERR_ARGUMENT, WHAT ": %s %zu and %zu are both \"%.*s\"", kinds,
                              (size_t)(sorted[i - 1] - texts) / step,
                              (size_t)(sorted[i] - texts) / step, CLIPPED(*sorted[i]));
    ps__free(sorted);
    return status;
}

static ps_status check_pairs(const saving *s)
{
    ps_status status = PS_OK;
    for (size_t i = 0; i < s->npairs && status == PS_OK; i++) {
        status = check_text("metadata key", i, s->metadata[2 * i]);
        if (status == PS_OK)
            status = check_text("metadata value", i, s->metadata[2 * i + 1]);
    }
    return status == PS_OK ? check_once("metadata keys", s->metadata, s->npairs, 2) : status;
}

static ps_status check_save(const char *path, const saving *s)
{
    const char *missing = path == NULL                            ? "path"
                          : s->names == NULL && s->count != 0     ? "names"
                          : s->tensors == NULL && s->count != 0   ? "tensors"
                          : s->metadata == NULL && s->npairs != 0 ? "metadata"
                                                                  : NULL;
    if (missing != NULL)
        return ps__fail(PS_ERR_ARGUMENT, WHAT ": %s is NULL", missing);
    ps_status status = PS_OK;
    for (size_t i = 0; i < s->count && status == PS_OK; i++)
        status = check_tensor(s, i);
    if (status == PS_OK)
        status = check_once("names", s->names, s->count, 1);
    return status == PS_OK ? check_pairs(s) : status;
}

/* ---- where it goes --------------------------------------------------------------------- */

static int compare_items(const void *a, const void *b)
{
    const place *left = *(place *const *)a, *right = *(place *const *)b;
    if (left->item != right->item)
        return left->item > right->item ? -1 : 1;
    return left->index < right->index ? -1 : 1;
}

static ps_status plan(saving *s)
{
    s->places = ps__calloc(s->count + 1, sizeof *s->places);
    s->sorted = ps__calloc(s->count + 1, sizeof *s->sorted);
    if (s->places == NULL || s->sorted == NULL)
        return ps__fail(PS_ERR_MEMORY, WHAT ": no memory for %zu tensors", s->count);
    for (size_t i = 0; i < s->count; i++) {
        size_t item = ps__dtype_bytes((ps_dtype)s->tensors[i]->dtype);
        s->places[i] = (place){.index = i, .item = item};
        s->sorted[i] = &s->places[i];
    }
    qsort(s->sorted, s->count, sizeof *s->sorted, compare_items);
    uint64_t at = 0;
    for (size_t i = 0; i < s->count; i++) {
        place *p = s->sorted[i];
        p->begin = at;
        p->end = at += (uint64_t)s->tensors[p->index]->count * p->item;
    }
    return PS_OK;
}

/* ---- the header ------------------------------------------------------------------------ */

static ps_status put_bytes(saving *s, const char *bytes, size_t count)
{
    s->length += count;
    return s->sink != NULL ? ps__sink_write(s->sink, bytes, count) : PS_OK;
}

static ps_status put(saving *s, const char *text)
{
    return put_bytes(s, text, strlen(text));
}

/* As many bytes as need no escape, then one that does, if there is one. */
static ps_status put_run(saving *s, const char **text)
{
    size_t plain = 0;
    char escape[8];
    const char *from = *text;
    while ((unsigned char)from[plain] >= 0x20 && from[plain] != '"' && from[plain] != '\\')
        plain++;
    ps_status status = put_bytes(s, from, plain);
    *text += plain + (from[plain] != 0);
    if (status != PS_OK || from[plain] == 0)
        return status;
    bool control = (unsigned char)from[plain] < 0x20;
    snprintf(escape, sizeof escape, control ? "\\u%04x" : "\\%c", from[plain]);
    return put(s, escape);
}

static ps_status put_text(saving *s, const char *text)
{
    ps_status status = put(s, "\"");
    while (*text != 0 && status == PS_OK)
        status = put_run(s, &text);
    return status == PS_OK ? put(s, "\"") : status;
}

static ps_status put_metadata(saving *s)
{
    ps_status status = put_text(s, PS__SAFETENSORS_METADATA);
    for (size_t i = 0; i < 2 * s->npairs && status == PS_OK; i++) {
        status = put(s, i == 0 ? ":{" : i % 2 == 0 ? "," : ":");
        if (status == PS_OK)
            status = put_text(s, s->metadata[i]);
    }
    return status == PS_OK ? put(s, "}") : status;
}

static ps_status put_shape(saving *s, const ps_tensor *tensor)
{
    char number[32];
    ps_status status = PS_OK;
    for (int axis = 0; axis < tensor->ndim && status == PS_OK; axis++) {
        snprintf(number, sizeof number, "%s%" PRId64, axis != 0 ? "," : "",
                 ps__shape(tensor)[axis]);
        status = put(s, number);
    }
    return status;
}

static ps_status put_entry(saving *s, size_t i)
{
    char text[80];
    const ps_tensor *tensor = s->tensors[i];
    ps_status status = put_text(s, s->names[i]);
    snprintf(text, sizeof text, ":{\"dtype\":\"%s\",\"shape\":[",
             ps__safetensors_type((ps_dtype)tensor->dtype));
    if (status == PS_OK)
        status = put(s, text);
    if (status == PS_OK)
        status = put_shape(s, tensor);
    snprintf(text, sizeof text, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}", s->places[i].begin,
             s->places[i].end);
    return status == PS_OK ? put(s, text) : status;
}

static ps_status put_header(saving *s)
{
    s->length = 0;
    ps_status status = put(s, "{");
    if (status == PS_OK && s->npairs != 0)
        status = put_metadata(s);
    for (size_t i = 0; i < s->count && status == PS_OK; i++) {
        if (i != 0 || s->npairs != 0)
            status = put(s, ",");
        if (status == PS_OK)
            status = put_entry(s, i);
    }
    return status == PS_OK ? put(s, "}") : status;
}

/* ---- the file -------------------------------------------------------------------------- */

static ps_status write_header(saving *s, uint64_t padded)
{
    ps_status status = ps__sink_number(s->sink, padded, 8);
    if (status == PS_OK)
        status = put_header(s);
    while (status == PS_OK && s->length < padded)
        status = put(s, " ");
    return status;
}

static ps_status write_file(saving *s, const char *path, uint64_t padded)
{
    ps_status status = ps__sink_open(WHAT, path, &s->sink);
    if (status != PS_OK)
        return status;
    status = write_header(s, padded);
    for (size_t i = 0; i < s->count && status == PS_OK; i++)
        status = ps__elements_write(&s->elements, s->sorted[i]->index, s->sink);
    if (status == PS_OK)
        return ps__sink_commit(s->sink);
    ps__sink_abandon(s->sink);
    return status;
}

/* With all checked and planned. */
static ps_status save(saving *s, const char *path)
{
    put_header(s); /* only counted */
    uint64_t padded = (s->length + 8 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - 8;
    if (padded > PS__SAFETENSORS_HEADER)
        return ps__fail(PS_ERR_ARGUMENT,
                        WHAT
                        ": the header of %zu tensors and %zu metadata pairs would have %" PRIu64
                        " bytes, at most %d are possible",
                        s->count, s->npairs, padded, PS__SAFETENSORS_HEADER);
    ps_status status = ps__elements_begin(WHAT, s->tensors, s->count, &s->elements);
    if (status == PS_OK)
        status = write_file(s, path, padded);
    ps__elements_end(&s->elements); /* errno is the answer to PS_ERR_SYSTEM */
    return status;
}

ps_status ps_safetensors_save(const char *path, const char *const *names, ps_tensor *const *tensors,
                              size_t count, const char *const *metadata, size_t npairs)
{
    saving s = {.names = names,
                .tensors = tensors,
                .count = count,
                .metadata = metadata,
                .npairs = npairs};
    ps_status status = check_save(path, &s);
    if (status != PS_OK)
        return status;
    status = plan(&s);
    if (status == PS_OK)
        status = save(&s, path);
    int code = errno;
    ps__free(s.places);
    ps__free(s.sorted);
    errno = code;
    return status;
}
