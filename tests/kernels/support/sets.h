/* Tests that run once for each set of kernels. */
#ifndef PS_TESTS_KERNELS_SETS_H
#define PS_TESTS_KERNELS_SETS_H

#include "kernels/kernels.h"

/* Entries of a test group: `test` of the set of that name, which sets_of gives it. */
/* clang-format off */
#define ON_SET(set, test, setup, teardown) {set ": " #test, test, setup, teardown, set}
/* clang-format on */
#define ON_VECTOR_SETS(t, up, down) ON_SET("avx2", t, up, down), ON_SET("avx512", t, up, down)
#define ON_ALL_SETS(t, up, down) ON_SET("ref", t, up, down), ON_VECTOR_SETS(t, up, down)

/* The set; the test is skipped if this build or processor has none such. */
const ps__kernel_set *sets_of(void **state);
const ps__kernel_set *sets_reference(void);

#endif
