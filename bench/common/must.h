/* Calls of the library that a benchmark cannot go on without. */
#ifndef BENCH_MUST_H
#define BENCH_MUST_H

#include <stdio.h>
#include <stdlib.h>

#include "penstock.h"

static inline void must(ps_status status)
{
    if (__builtin_expect(status == PS_OK, 1))
        return;
    fprintf(stderr, "%s: %s\n", ps_status_name(status), ps_last_error());
    exit(1);
}

#endif
