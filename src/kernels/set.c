/* The sets of kernels that this processor can run, made once, the better ones last. avx2 starts as
 * a copy of ref, avx512 as a copy of avx2.
 *
 * What is made in make_sets is constant afterwards; pthread_once, or having seen the one that is
 * chosen, orders it before every use. */
#include "kernels/set.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "base/atomic.h"
#include "base/error.h"

enum { SETS = 3 };

static ps__kernel_set sets[SETS];
static int set_count;
static _Atomic(const ps__kernel_set *) chosen; /* NULL until all is made */
static char refused[64]; /* the value of PENSTOCK_ISA if there is no such set */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const ps__kernel_set *find(const char *name)
{
    for (int i = 0; i < set_count; i++) {
        if (strcmp(sets[i].name, name) == 0)
            return &sets[i];
    }
    return NULL;
}

/* The next set, as a copy of the last one. */
static ps__kernel_set *add_set(const char *name)
{
    ps__kernel_set *set = &sets[set_count++];
    if (set != sets)
        *set = set[-1];
    set->name = name;
    return set;
}

#ifdef __x86_64__
/* Not every compiler's __builtin_cpu_supports knows this one. */
static bool has_f16c(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

static bool has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

static void add_vector_sets(void)
{
    if (has_avx2())
        ps__kernels_fill_avx2(add_set("avx2"));
    if (has_avx512())
        ps__kernels_fill_avx512(add_set("avx512"));
}
#else
static void add_vector_sets(void) {}
#endif

static void make_sets(void)
{
    ps__kernels_fill_ref(add_set("ref"));
    add_vector_sets();
    const char *wish = getenv("PENSTOCK_ISA");
    const ps__kernel_set *best = &sets[set_count - 1], *set = best;
    if (wish && *wish) {
        set = find(wish);
        if (!set)
            strncpy(refused, wish, sizeof refused - 1);
    }
    ps__store_release(&chosen, set ? set : best); /* pairs with ps__kernels_get */
}

const ps__kernel_set *ps__kernels_get(void)
{
    const ps__kernel_set *set = ps__load_acquire(&chosen); /* pairs with the release above */
    if (PS_LIKELY(set))
        return set;
    pthread_once(&once, make_sets);
    return ps__load(&chosen); /* ordered by pthread_once */
}

const ps__kernel_set *ps__kernels_find(const char *name)
{
    pthread_once(&once, make_sets);
    return find(name);
}

ps_status ps__kernels_check(void)
{
    pthread_once(&once, make_sets);
    if (!*refused)
        return PS_OK;
    return ps__fail(PS_ERR_ENVIRONMENT, "PENSTOCK_ISA is \"%s\": this processor has ref%s%s",
                    refused, find("avx2") ? ", avx2" : "", find("avx512") ? ", avx512" : "");
}
