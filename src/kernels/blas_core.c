/* Which kernels of OpenBLAS suit this processor.
 *
 * OpenBLAS recognises processors by vendor, family and model. It takes every processor of Intel whose
 * family field is 15 for a Prescott, whatever that can do: those of families 18 and 19, and many
 * that a virtual machine presents; and older versions took all models that they did not know for
 * one. Prescott's kernels have vectors of two doubles. What a processor can do is known without its
 * model, and is all that the kernels need.
 *
 * A core type that the table does not have is newer than it, and left alone. */
#include "kernels/blas_core.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kernels/kernels.h"

/* Vectors, by the instructions that kernels use: each has those before it. */
typedef enum vectors { VECTORS_SSE, VECTORS_AVX, VECTORS_AVX2, VECTORS_AVX512 } vectors;

static const struct {
    const char *name;
    vectors vectors;
} cores[] = {
    {"Unknown", VECTORS_SSE},
    {"Katmai", VECTORS_SSE},
    {"Coppermine", VECTORS_SSE},
    {"Northwood", VECTORS_SSE},
    {"Prescott", VECTORS_SSE},
    {"Banias", VECTORS_SSE},
    {"Atom", VECTORS_SSE},
    {"Core2", VECTORS_SSE},
    {"Penryn", VECTORS_SSE},
    {"Dunnington", VECTORS_SSE},
    {"Nehalem", VECTORS_SSE},
    {"Athlon", VECTORS_SSE},
    {"Opteron", VECTORS_SSE},
    {"Opteron_SSE3", VECTORS_SSE},
    {"Barcelona", VECTORS_SSE},
    {"Nano", VECTORS_SSE},
    {"Bobcat", VECTORS_SSE},
    {"Sandybridge", VECTORS_AVX},
    {"Bulldozer", VECTORS_AVX},
    {"Piledriver", VECTORS_AVX},
    {"Steamroller", VECTORS_AVX},
    {"Excavator", VECTORS_AVX},
    {"Haswell", VECTORS_AVX2},
    {"Zen", VECTORS_AVX2},
    {"SkylakeX", VECTORS_AVX512},
    {"Cooperlake", VECTORS_AVX512},
    {"SapphireRapids", VECTORS_AVX512},
};

static bool vectors_of(const char *core, vectors *result)
{
    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++) {
        if (strcmp(core, cores[i].name) == 0) {
            *result = cores[i].vectors;
            return true;
        }
    }
    return false;
}

/* Before 0.3.20 the kernels for AVX-512 were at times compiled wrongly in libraries with kernels for
 * several processors; 0.3.14 had a wrong one besides. */
static bool avx512_is_sound(const char *version)
{
    int major = 0, minor = 0, patch = 0;
    if (sscanf(version, "%d.%d.%d", &major, &minor, &patch) < 2)
        return false;
    return major > 0 || minor > 3 || (minor == 3 && patch >= 20);
}

/* Vectors of AVX are not enough to look for something better: no kernels for them are told, because
 * the families of AMD that have no more each have their own. */
static vectors vectors_here(const char *version)
{
    if (ps__kernels_find("avx512") != NULL && avx512_is_sound(version))
        return VECTORS_AVX512;
    return ps__kernels_find("avx2") != NULL ? VECTORS_AVX2 : VECTORS_SSE;
}

static bool made_by_amd(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    return __builtin_cpu_is("amd");
#else
    return false;
#endif
}

const ps__blas_core *ps__blas_core_better(const char *version, const char *core)
{
    static const ps__blas_core skylakex = {"SkylakeX", "OPENBLAS_CORETYPE=SkylakeX"},
                               zen = {"Zen", "OPENBLAS_CORETYPE=Zen"},
                               haswell = {"Haswell", "OPENBLAS_CORETYPE=Haswell"};
    vectors chosen, here = vectors_here(version);
    if (!vectors_of(core, &chosen) || chosen >= here)
        return NULL;
    if (here == VECTORS_AVX512)
        return &skylakex;
    return made_by_amd() ? &zen : &haswell;
}
