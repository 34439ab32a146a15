/* For tests that fork: ThreadSanitizer would end a child that starts threads, and holds every exit up
 * for a second. */
#ifndef PS_TESTS_TSAN_FORK_H
#define PS_TESTS_TSAN_FORK_H

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#ifdef __cplusplus
extern "C"
#endif
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "die_after_fork=0:atexit_sleep_ms=0";
}
#endif
#endif

#endif
