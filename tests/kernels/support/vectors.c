/* Reads the vectors: one allocation with the file, and tables of what points into it. */
#include "kernels/support/vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct head {
    char name[16];
    uint8_t kind, dtype, other, flags;
    uint32_t set, n, cases;
} head;

_Static_assert(sizeof(head) == 32, "as the files have it");

enum { KIND_SET, KIND_ROW };

const char *const vector_groups[] = {"arithmetic", "bits",  "choice", "comparison",
                                     "functions",  "unary", NULL};

static char *file_read(const char *name, size_t *bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.vec", PENSTOCK_VECTORS, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *bytes = (size_t)ftell(file);
    rewind(file);
    char *data = malloc(*bytes);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *bytes, file), *bytes);
    fclose(file);
    return data;
}

static size_t padded(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

static ps_dtype operand_dtype(const head *at, size_t operand)
{
    return at->kind == KIND_SET && at->flags && operand == 0 ? PS_BOOL : (ps_dtype)at->dtype;
}

/* Bytes of a block's arrays. */
static size_t block_bytes(const head *at)
{
    if (at->kind == KIND_ROW)
        return padded(at->n * ps__dtype_bytes((ps_dtype)at->other)) +
               (at->flags ? padded(at->n) : 0);
    size_t sum = 0;
    for (size_t i = 0; i < at->other; i++)
        sum += padded(at->n * ps__dtype_bytes(operand_dtype(at, i)));
    return sum;
}

static void add_set(vector_file *file, const head *at, const char *data)
{
    assert_in_range(at->other, 1, 3);
    vector_set *set = &file->sets[file->set_count++];
    *set = (vector_set){.dtype = (ps_dtype)at->dtype, .operands = at->other, .n = at->n};
    for (size_t i = 0; i < at->other; i++) {
        set->operand[i] = data;
        data += padded(at->n * ps__dtype_bytes(operand_dtype(at, i)));
    }
}

static void add_row(vector_file *file, const head *at, const char *data)
{
    assert_true(ps__dtype_valid(at->other) && at->set < file->set_count);
    assert_true(at->cases < file->set_count);
    vector_row *row = &file->rows[file->row_count++];
    *row = (vector_row){.dtype = (ps_dtype)at->dtype,
                        .result = (ps_dtype)at->other,
                        .set = &file->sets[at->set],
                        .cases = &file->sets[at->cases],
                        .n = at->n,
                        .expected = data};
    memcpy(row->name, at->name, sizeof at->name);
    if (at->flags)
        row->free = (const uint8_t *)data + padded(at->n * ps__dtype_bytes(row->result));
}

vector_file vectors_load(const char *name)
{
    size_t bytes;
    char *data = file_read(name, &bytes);
    vector_file file = {.bytes = data};
    file.sets = calloc(bytes / sizeof(head) + 1, sizeof *file.sets);
    file.rows = calloc(bytes / sizeof(head) + 1, sizeof *file.rows);
    assert_true(file.sets && file.rows);
    assert_true(bytes > 8 && memcmp(data, "PSVECT1\n", 8) == 0);
    for (size_t offset = 8; offset < bytes;) {
        head at;
        assert_true(offset + sizeof at <= bytes);
        memcpy(&at, data + offset, sizeof at);
        offset += sizeof at;
        assert_true(at.kind <= KIND_ROW && ps__dtype_valid(at.dtype));
        if (at.kind == KIND_SET)
            add_set(&file, &at, data + offset);
        else
            add_row(&file, &at, data + offset);
        offset += block_bytes(&at);
        assert_true(offset <= bytes);
    }
    return file;
}

void vectors_free(vector_file *file)
{
    free(file->bytes);
    free(file->sets);
    free(file->rows);
    *file = (vector_file){0};
}

const vector_row *vectors_find(const vector_file *file, const char *name, ps_dtype dtype)
{
    for (size_t i = 0; i < file->row_count; i++) {
        if (file->rows[i].dtype == dtype && strcmp(file->rows[i].name, name) == 0)
            return &file->rows[i];
    }
    return NULL;
}

ps_dtype vectors_operand_dtype(const vector_row *row, size_t operand)
{
    return row->set->operands == 3 && operand == 0 ? PS_BOOL : row->dtype;
}
