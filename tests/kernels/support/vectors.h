/* The reference vectors in tests/vectors, made by make.py there; formats.py describes the files. */
#ifndef PS_TESTS_KERNELS_VECTORS_H
#define PS_TESTS_KERNELS_VECTORS_H

#include "kernels/kernels.h"

/* What no standard fixes of a result: bits of vector_row.free. */
enum {
    FREE_REAL_SIGN = 1,
    FREE_IMAG_SIGN = 2,
    FREE_REAL = 4,
    FREE_IMAG = 8,
    FREE_INFINITY = 16 /* all but that a part is infinite */
};

typedef struct vector_set {
    ps_dtype dtype;
    size_t operands;
    size_t n;
    const void *operand[3];
} vector_set;

typedef struct vector_row {
    char name[17]; /* of a primitive, "cast", "sum", "argmin", ... */
    ps_dtype dtype;
    ps_dtype result;
    const vector_set *set;
    const vector_set *cases; /* of reductions: (offset, length) pairs as int32 */
    size_t n;
    const void *expected;
    const uint8_t *free; /* per result, or NULL */
} vector_row;

typedef struct vector_file {
    void *bytes;
    vector_set *sets;
    vector_row *rows;
    size_t set_count, row_count;
} vector_file;

/* The files whose rows are primitives; ends with NULL. */
extern const char *const vector_groups[];

/* A file by its name without ".vec". The test fails if it is not there or not well made. */
vector_file vectors_load(const char *name);
void vectors_free(vector_file *file);
/* The first row for it, or NULL. */
const vector_row *vectors_find(const vector_file *file, const char *name, ps_dtype dtype);
/* The type of an operand: but for the condition of `where`, the row's. */
ps_dtype vectors_operand_dtype(const vector_row *row, size_t operand);

static inline const char *vectors_at(const void *array, ps_dtype dtype, size_t i)
{
    return (const char *)array + i * ps__dtype_bytes(dtype);
}

#endif
