/* What the tests of the memory layer share. */
#ifndef PS_TEST_MEMORY_HELP_H
#define PS_TEST_MEMORY_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "limit.h"
#include "memory/pool.h"

static inline ps_memory_stats stats_now(void)
{
    ps_memory_stats stats = {.size = sizeof stats};
    assert_int_equal(ps_memory_get_stats(&stats), PS_OK);
    return stats;
}

static inline void *must_alloc(size_t bytes)
{
    void *block = NULL;
    assert_int_equal(ps_memory_alloc(bytes, &block), PS_OK);
    assert_non_null(block);
    return block;
}

/* What a block of this size counts for. */
static inline uint64_t counted(size_t bytes)
{
    return bytes ? ps__class_bytes(ps__class_of(bytes)) : 0;
}

/* Everything was freed: no byte is live, none stays after a trim. */
static inline void assert_nothing_left(void)
{
    ps_memory_stats before = stats_now();
    assert_int_equal(before.live, 0);
    assert_int_equal(ps_memory_trim(), before.cached);
    assert_int_equal(stats_now().cached, 0);
}

static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(0x2545F4914F6CDD1D) >> 16;
}

/* ---- a device that counts -------------------------------------------------------------- */

typedef struct counting_device {
    ps_device device;
    ps__device_table table;
    unsigned pieces;    /* out now */
    uint64_t bytes;     /* out now */
    unsigned allocated; /* ever */
    void *last_released;
    size_t last_alignment;
    bool refuse;
} counting_device;

static inline void *counting_allocate(ps_device *device, size_t bytes, size_t alignment)
{
    counting_device *self = (counting_device *)device;
    if (self->refuse)
        return NULL;
    self->last_alignment = alignment;
    self->pieces++;
    self->allocated++;
    self->bytes += bytes;
    return ps__pages_map(bytes, alignment);
}

static inline void counting_release(ps_device *device, void *memory, size_t bytes)
{
    counting_device *self = (counting_device *)device;
    self->pieces--;
    self->bytes -= bytes;
    self->last_released = memory;
    ps__pages_unmap(memory, bytes);
}

/* A pool over a new device of this kind. Pools stay: so does the device. */
static inline ps__pool *counting_pool(counting_device **device)
{
    counting_device *self = calloc(1, sizeof *self);
    ps__pool *pool = NULL;
    assert_non_null(self);
    self->table.kind = "counting";
    self->table.allocate = counting_allocate;
    self->table.release = counting_release;
    self->device.table = &self->table;
    strcpy(self->device.name, "counting:0");
    assert_int_equal(ps__pool_create(&self->device, &pool), PS_OK);
    *device = self;
    return pool;
}

#endif
