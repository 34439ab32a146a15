/* Files for tests. All here is plain C: children of tests use it too. */
#include "files/help.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

const char *recorded(const char *name)
{
    static char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s.params", PENSTOCK_FILES, name);
    return path;
}

/* ---- a folder of our own ----------------------------------------------------------------- */

static char folder[PATH_BYTES / 2];
static pid_t owner;

/* Calls `visit`, if there is one, with each file; how many there are. */
static int walk(int (*visit)(const char *path))
{
    int count = 0;
    DIR *files = opendir(folder);
    struct dirent *entry;
    while (files != NULL && (entry = readdir(files)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (visit != NULL)
            visit(scratch(entry->d_name));
    }
    if (files != NULL)
        closedir(files);
    return count;
}

/* Children end too, and must leave the folder to their parent. */
static void remove_folder(void)
{
    if (getpid() != owner)
        return;
    walk(remove);
    rmdir(folder);
}

static void make_folder(void)
{
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/penstock-test-XXXXXX", where != NULL ? where : "/tmp");
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        abort();
    }
    owner = getpid();
    atexit(remove_folder);
}

const char *scratch(const char *name)
{
    static char path[PATH_BYTES];
    if (folder[0] == 0)
        make_folder();
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

int scratch_count(void)
{
    scratch("");
    return walk(NULL);
}

void scratch_empty(void)
{
    scratch("");
    walk(remove);
}

/* ---- bytes ------------------------------------------------------------------------------- */

bool bytes_read(const char *path, bytes *result)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    fseek(file, 0, SEEK_END);
    result->size = (size_t)ftell(file);
    rewind(file);
    result->data = malloc(result->size + 1);
    bool done = result->data != NULL && fread(result->data, 1, result->size, file) == result->size;
    fclose(file);
    return done;
}

bool bytes_write(const char *path, bytes content)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    bool done = fwrite(content.data, 1, content.size, file) == content.size;
    return fclose(file) == 0 && done;
}

bool bytes_equal(bytes a, bytes b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

/* ---- tensors ----------------------------------------------------------------------------- */

static bool same_elements(ps_tensor *a, ps_tensor *b)
{
    size_t size = (size_t)ps_tensor_count(a) * ps_dtype_bytes(ps_tensor_dtype(a));
    char *left = malloc(size + 1), *right = malloc(size + 1);
    bool same = left != NULL && right != NULL && ps_tensor_to_host(a, left, size) == PS_OK &&
                ps_tensor_to_host(b, right, size) == PS_OK && memcmp(left, right, size) == 0;
    free(left);
    free(right);
    return same;
}

bool tensors_equal(ps_tensor *a, ps_tensor *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    if (ps_tensor_dtype(a) != ps_tensor_dtype(b) || ps_tensor_ndim(a) != ps_tensor_ndim(b))
        return false;
    for (int i = 0; i < ps_tensor_ndim(a); i++)
        if (ps_tensor_shape(a)[i] != ps_tensor_shape(b)[i])
            return false;
    return same_elements(a, b);
}

static bool same_name(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

bool params_equal(const ps_params *a, const ps_params *b)
{
    bool same = ps_params_count(a) == ps_params_count(b);
    for (size_t i = 0; same && i < ps_params_count(a); i++) {
        ps_tensor *left = NULL, *right = NULL;
        same = ps_params_tensor(a, i, &left) == PS_OK && ps_params_tensor(b, i, &right) == PS_OK &&
               tensors_equal(left, right) && same_name(ps_params_name(a, i), ps_params_name(b, i));
        ps_tensor_release(left);
        ps_tensor_release(right);
    }
    return same;
}

ps_status params_save_again(const char *path, const ps_params *params, ps_params_version version)
{
    size_t count = ps_params_count(params);
    ps_tensor **tensors = calloc(count + 1, sizeof *tensors);
    const char **names = calloc(count + 1, sizeof *names);
    ps_status status = tensors != NULL && names != NULL ? PS_OK : PS_ERR_MEMORY;
    for (size_t i = 0; i < count && status == PS_OK; i++) {
        names[i] = ps_params_name(params, i);
        status = ps_params_tensor(params, i, &tensors[i]);
    }
    if (status == PS_OK)
        status = ps_params_save(path, count != 0 && names[0] != NULL ? names : NULL, tensors, count,
                                version);
    for (size_t i = 0; i < count && tensors != NULL; i++)
        ps_tensor_release(tensors[i]);
    free(tensors);
    free(names);
    return status;
}

/* ---- safetensors ------------------------------------------------------------------------- */

static bool same_pairs(const ps_safetensors *a, const ps_safetensors *b)
{
    bool same = true;
    for (size_t i = 0; same; i++) {
        const char *key = ps_safetensors_metadata_key(a, i);
        same = same_name(key, ps_safetensors_metadata_key(b, i)) &&
               same_name(ps_safetensors_metadata_value(a, i), ps_safetensors_metadata_value(b, i));
        if (key == NULL)
            break;
    }
    return same;
}

bool safetensors_equal(const ps_safetensors *a, const ps_safetensors *b)
{
    bool same = ps_safetensors_count(a) == ps_safetensors_count(b) && same_pairs(a, b);
    for (size_t i = 0; same && i < ps_safetensors_count(a); i++) {
        ps_tensor *left = NULL, *right = NULL;
        size_t j = 0;
        same = ps_safetensors_find(b, ps_safetensors_name(a, i), &j) == PS_OK && i == j &&
               ps_safetensors_tensor(a, i, &left) == PS_OK &&
               ps_safetensors_tensor(b, i, &right) == PS_OK && tensors_equal(left, right);
        ps_tensor_release(left);
        ps_tensor_release(right);
    }
    return same;
}

ps_status safetensors_save_again(const char *path, const ps_safetensors *file)
{
    size_t count = ps_safetensors_count(file), pairs = 0;
    while (ps_safetensors_metadata_key(file, pairs) != NULL)
        pairs++;
    ps_tensor **tensors = calloc(count + 1, sizeof *tensors);
    const char **names = calloc(count + 1, sizeof *names);
    const char **metadata = calloc(2 * pairs + 1, sizeof *metadata);
    bool made = tensors != NULL && names != NULL && metadata != NULL;
    ps_status status = made ? PS_OK : PS_ERR_MEMORY;
    for (size_t i = 0; i < pairs && status == PS_OK; i++) {
        metadata[2 * i] = ps_safetensors_metadata_key(file, i);
        metadata[2 * i + 1] = ps_safetensors_metadata_value(file, i);
    }
    for (size_t i = 0; i < count && status == PS_OK; i++) {
        names[i] = ps_safetensors_name(file, i);
        status = ps_safetensors_tensor(file, i, &tensors[i]);
    }
    if (status == PS_OK)
        status = ps_safetensors_save(path, names, tensors, count, metadata, pairs);
    for (size_t i = 0; i < count && tensors != NULL; i++)
        ps_tensor_release(tensors[i]);
    free(tensors);
    free(names);
    free(metadata);
    return status;
}

bytes safetensors_bytes(const char *header, size_t data)
{
    size_t length = strlen(header);
    bytes made = {.data = malloc(8 + length + data + 1), .size = 8 + length + data};
    if (made.data == NULL)
        abort();
    for (int i = 0; i < 8; i++)
        made.data[i] = (unsigned char)((uint64_t)length >> 8 * i);
    memcpy(made.data + 8, header, length);
    for (size_t i = 0; i < data; i++)
        made.data[8 + length + i] = (unsigned char)i;
    return made;
}
