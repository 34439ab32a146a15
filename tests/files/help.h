/* What the tests of files share: recorded files, files of their own, bytes in memory. */
#ifndef PS_TESTS_FILES_HELP_H
#define PS_TESTS_FILES_HELP_H

#include "penstock.h"

typedef struct bytes {
    unsigned char *data; /* from malloc, never NULL */
    size_t size;
} bytes;

/* The path of data/<name>.params, which MXNet wrote; static, until the next call. */
const char *recorded(const char *name);
/* The path of a file in a folder of this process, which is emptied and removed at its end; static,
 * until the next call. The folder itself: "". */
const char *scratch(const char *name);
/* How many files are in that folder; and removes them. */
int scratch_count(void);
void scratch_empty(void);

/* All of a file; false if it cannot be read. */
bool bytes_read(const char *path, bytes *result);
bool bytes_write(const char *path, bytes content);
bool bytes_equal(bytes a, bytes b);

/* Whether two tensors have the same type, shape and bits; NULL only equals NULL. */
bool tensors_equal(ps_tensor *a, ps_tensor *b);
/* Whether two loaded files have the same arrays and names. */
bool params_equal(const ps_params *a, const ps_params *b);
/* Saves what was loaded; arrays without a shape are not allowed. */
ps_status params_save_again(const char *path, const ps_params *params, ps_params_version version);
/* Whether two open safetensors files have the same tensors and metadata. */
bool safetensors_equal(const ps_safetensors *a, const ps_safetensors *b);
/* Saves what was opened. */
ps_status safetensors_save_again(const char *path, const ps_safetensors *file);

/* A safetensors file in memory, of a header and so many bytes of data: 0, 1, 2 ... */
bytes safetensors_bytes(const char *header, size_t data);

#endif
