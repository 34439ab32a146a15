/* What the address sanitizer is told about pool memory: everything that is not handed out is
 * poisoned, down to the bytes between the size asked for and the end of the block, and pointers
 * inside pool memory count when leaks are searched. Nothing in other builds. */
#ifndef PS_MEMORY_GUARD_H
#define PS_MEMORY_GUARD_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define PS__GUARDED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PS__GUARDED 1
#endif
#endif

#ifdef PS__GUARDED
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>

/* Nobody may touch the memory from here on. */
static inline void ps__guard(void *memory, size_t bytes)
{
    __asan_poison_memory_region(memory, bytes);
}

static inline void ps__unguard(void *memory, size_t bytes)
{
    __asan_unpoison_memory_region(memory, bytes);
}

/* A piece of raw memory comes from the device, and goes back to it. */
static inline void ps__guard_arrive(void *memory, size_t bytes)
{
    __lsan_register_root_region(memory, bytes);
    ps__guard(memory, bytes);
}

static inline void ps__guard_leave(void *memory, size_t bytes)
{
    ps__unguard(memory, bytes);
    __lsan_unregister_root_region(memory, bytes);
}

#else
static inline void ps__guard(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

static inline void ps__unguard(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

static inline void ps__guard_arrive(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

static inline void ps__guard_leave(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}
#endif

#endif
