/* The floating-point mode: kernels assume rounding to nearest, no flushing of subnormals and no
 * traps. Threads of ours start so; on a thread of the user's the mode is set around a kernel. */
#ifndef PS_BASE_FPMODE_H
#define PS_BASE_FPMODE_H

#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#define PS__FPMODE_PLAIN 0x1f80u
static inline uint64_t ps__fpmode_get(void)
{
    return _mm_getcsr() & ~0x3fu; /* without the flags that operations leave behind */
}
static inline void ps__fpmode_set(uint64_t mode)
{
    _mm_setcsr((unsigned)mode);
}
#elif defined(__aarch64__)
#define PS__FPMODE_PLAIN 0u
static inline uint64_t ps__fpmode_get(void)
{
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}
static inline void ps__fpmode_set(uint64_t mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}
#else
#error "no floating-point mode for this processor"
#endif

/* Sets the plain mode; returns what to give to ps__fpmode_leave. */
static inline uint64_t ps__fpmode_enter(void)
{
    uint64_t mode = ps__fpmode_get();
    if (__builtin_expect(mode != PS__FPMODE_PLAIN, 0))
        ps__fpmode_set(PS__FPMODE_PLAIN);
    return mode;
}

static inline void ps__fpmode_leave(uint64_t mode)
{
    if (__builtin_expect(mode != PS__FPMODE_PLAIN, 0))
        ps__fpmode_set(mode);
}

#endif
