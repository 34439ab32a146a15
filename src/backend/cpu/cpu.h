/* What the files of the CPU's backend share. */
#ifndef PS_BACKEND_CPU_H
#define PS_BACKEND_CPU_H

#include "backend/backend.h"

/* The table's entries, each in the file of its name. */
#define PS__CPU_RUN(name)                                                                          \
    ps_status ps__cpu_##name(const ps__lane *lane, const ps__work *work,                           \
                             const ps__operand *operands, unsigned count)
PS__CPU_RUN(map);
PS__CPU_RUN(update);
PS__CPU_RUN(reduce);
PS__CPU_RUN(size);
PS__CPU_RUN(argreduce);
PS__CPU_RUN(product);
PS__CPU_RUN(random);
PS__CPU_RUN(orthogonal);
PS__CPU_RUN(fill);
PS__CPU_RUN(series);
PS__CPU_RUN(eye);
PS__CPU_RUN(regions);
PS__CPU_RUN(take);
PS__CPU_RUN(put);
PS__CPU_RUN(masked_put);
PS__CPU_RUN(pack);
PS__CPU_RUN(select);
PS__CPU_RUN(nonzero);
PS__CPU_RUN(scan);
PS__CPU_RUN(softmax);
PS__CPU_RUN(dropout);
PS__CPU_RUN(cross_entropy);
PS__CPU_RUN(layer_norm);
PS__CPU_RUN(layer_norm_back);
PS__CPU_RUN(batch_norm);
PS__CPU_RUN(batch_norm_back);
PS__CPU_RUN(sort);
PS__CPU_RUN(search);
PS__CPU_RUN(convolve);
PS__CPU_RUN(pooling);
PS__CPU_RUN(kernel);
PS__CPU_RUN(recurrent);
PS__CPU_RUN(recurrent_back);

/* Runs body over [0, count) in pieces of `grain`, on the pool if there is more than one. */
ps_status ps__split(const ps__lane *lane, size_t count, size_t grain, ps_loop_fn body, void *arg);
/* The same for pieces that ask for memory. They do not wait for it inside of a loop; if one gets none
 * all is done on this thread, which does. */
ps_status ps__split_or_wait(const ps__lane *lane, size_t count, size_t grain, ps_loop_fn body,
                            void *arg);

/* product.c: one matrix product, on the pool if it is large; the pointers are set. A failure is told to
 * the task. */
ps_status ps__multiply(const ps__lane *lane, const ps__gemm *gemm);

/* ---- program.c ---------------------------------------------------------------------------- */

enum { PS__TILE_BYTES = 4096 };

/* Where an input is, or an output goes: in memory, by strides over the space. */
typedef struct ps__memory {
    char *data;
    const int64_t *strides; /* in bytes, one for each dimension of the space; NULL: one element for
                               the whole space */
} ps__memory;

typedef struct ps__space {
    int ndim;
    const int64_t *shape;
    int64_t count;
} ps__space;

/* Runs elements [begin, end) of the space, in the order of the last dimension fastest. `inputs` and
 * `stores` have as many entries as the program. With `stream`, outputs that lie side by side are
 * stored around the caches. */
void ps__program_run(const ps__program *program, const ps__space *space, const ps__memory *inputs,
                     const ps__memory *stores, int64_t begin, int64_t end, bool stream);

/* The same for a range of one row or column of a reduction: the only store goes to `out`, end -
 * begin elements side by side. */
void ps__program_tile(const ps__program *program, const ps__space *space, const ps__memory *inputs,
                      int64_t begin, int64_t end, void *out);

/* The inputs of a program, from operands and constants. */
void ps__program_inputs(unsigned inputs, const uint8_t *source, const ps__element *constants,
                        unsigned outputs, const ps__operand *operands, ps__memory *memory);

/* ---- copy.c ------------------------------------------------------------------------------- */

enum {
    PS__COPY_DIMS = 2 * PS_DIMS_MAX,
    PS__COPY_PIECE = 1 << 18,       /* bytes; copies are divided among threads in pieces of these */
    PS__COPY_STREAM = 8 * (1 << 20) /* bytes; from here on, stores go around the caches */
};

/* Copies elements of 1, 2, 4, 8 or 16 bytes, on the pool if they are many. Strides are in bytes, of
 * any sign; those of `from` may be 0. At most PS__COPY_DIMS dimensions. No overlap. */
ps_status ps__copy_strided(const ps__lane *lane, size_t item, int ndim, const int64_t *shape,
                           void *to, const int64_t *to_strides, const void *from,
                           const int64_t *from_strides);

/* ---- positions.c -------------------------------------------------------------------------- */

/* n positions of `indices`, from `first` on, along a dimension of the length, as distances: `step`
 * times the position, which counts from the end if it is negative. Returns the first of them that
 * is out of range, whose distance means nothing; -1 if none is. */
int64_t ps__positions_resolve(const ps__operand *indices, int64_t first, int64_t n, int64_t length,
                              int64_t step, int64_t *distances);
/* The error for the one at `position`, which is said to be number `number`. The axis is -1 for a tensor
 * that is taken as one dimension. */
ps_status ps__positions_fail(const ps__lane *lane, const ps__operand *indices, int64_t position,
                             int64_t number, int axis, int64_t length);

#endif
