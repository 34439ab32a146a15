/* Runs a set of kernels over the vectors. Used for the reference and for every other set. */
#ifndef PS_TESTS_KERNELS_CHECK_H
#define PS_TESTS_KERNELS_CHECK_H

#include "kernels/support/vectors.h"

/* Each of these fails the test if a result is wrong, naming the first few. */
void check_primitives(const ps__kernel_set *set);
void check_casts(const ps__kernel_set *set);
void check_leaves(const ps__kernel_set *set);
void check_arguments(const ps__kernel_set *set);

/* Entries are there for what the tables list, and for nothing else. */
void check_entries(const ps__kernel_set *set);

#endif
