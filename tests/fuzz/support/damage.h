/* Damaged files: what fuzzers of formats share. */
#ifndef PS_TEST_DAMAGE_H
#define PS_TEST_DAMAGE_H

#include "files/help.h"

enum { SAMPLE_BYTES = 4096 };

typedef struct sample {
    unsigned char data[SAMPLE_BYTES];
    size_t size;
} sample;

/* Another sequence of chances for each PENSTOCK_FUZZ_SEED; and PENSTOCK_FUZZ_FILES, how many
 * files are made. */
void damage_begin(uint64_t *files);
uint64_t damage_bits(void);
size_t damage_below(size_t end);

/* What does not fit does nothing. */
void sample_overwrite(sample *s, size_t at, const void *data, size_t size);
void sample_insert(sample *s, size_t at, const void *data, size_t size);
void sample_remove(sample *s, size_t at, size_t size);
void sample_flip(sample *s);
/* Everything from some place on is replaced by a part of another file. */
void sample_splice(sample *s, const bytes *other);
/* Cut somewhere, or without a few bytes. */
void sample_shorten(sample *s);
/* The same in memory of exactly its size, so that a read beyond it is seen; for free(result - 1). */
unsigned char *sample_exact(const sample *s);

/* Bytes of the memory pools that are in use. */
uint64_t damage_live_bytes(void);

#endif
