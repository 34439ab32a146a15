/* Elements of tensors on their way into files and out of them. */
#ifndef PS_FILES_ELEMENTS_H
#define PS_FILES_ELEMENTS_H

#include "files/sink.h"
#include "tensor/tensor.h"

/* Whether this machine's order of bytes is that of files, which is little-endian. */
bool ps__elements_same_order(void);

/* ---- out ------------------------------------------------------------------------------- */

/* Tensors that are being saved: pinned, so that the file has the values of one moment. */
typedef struct ps__elements {
    const char *what; /* begins the texts of errors */
    ps_tensor *const *tensors;
    size_t count, begun;
    ps__host_read *reads;
    char *pack; /* for elements that do not lie side by side; NULL until needed */
} ps__elements;

/* Pins all tensors and waits for them. ps__elements_end follows, also on failure. */
ps_status ps__elements_begin(const char *what, ps_tensor *const *tensors, size_t count,
                             ps__elements *elements);
/* Writes one tensor's elements, the last dimension fastest. */
ps_status ps__elements_write(ps__elements *elements, size_t index, ps__sink *sink);
/* Leaves errno alone. */
void ps__elements_end(ps__elements *elements);

/* ---- in -------------------------------------------------------------------------------- */

/* A tensor on the CPU that nobody else knows; its memory, *data, is to be filled with a file's
 * bytes, and settled then. */
ps_status ps__elements_new(ps_dtype dtype, int ndim, const int64_t *shape, int64_t count,
                           ps_tensor **tensor, void **data);
/* Turns a file's bytes into elements: the order of bytes, and 1 for what is true. */
void ps__elements_settle(ps_tensor *tensor);

#endif
