/* Whether this is a build with a sanitizer: several times slower, so that tests do less and expect
 * less of timing. */
#ifndef PS_TESTS_OPS_SANITIZED_H
#define PS_TESTS_OPS_SANITIZED_H

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
