// doctest's own code and main, once for all tests.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

// The standard library counts references to exceptions, and is built without ThreadSanitizer: which does
// not see that the thread that drops the last one comes after those that have read the exception.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
extern "C" const char *__tsan_default_suppressions();
extern "C" const char *__tsan_default_suppressions()
{
    return "race:std::__exception_ptr::exception_ptr::_M_release\n";
}
#endif
#endif
