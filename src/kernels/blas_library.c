/* Opens a BLAS library.
 *
 * Invariants
 *   1. A library is used with all four gemm functions or not at all.
 *   2. OpenBLAS starts no threads unless the system forbids what keeps it from that (open_alone).
 *   3. Texts of the library are copied: they go when it is closed. */
#include "kernels/blas_library.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/environment.h"
#include "base/error.h"

/* ---- Names in the library -------------------------------------------------------------- */

/* The builds of OpenBLAS for Python packages put a prefix before the names of all functions, so that
 * several of them can live in one process. */
static void *symbol(void *handle, const char *prefix, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s", prefix, name);
    return dlsym(handle, full);
}

/* NULL, or the name of the first function that is missing. */
static const char *resolve(ps__blas_library *library, const char *prefix)
{
    void *handle = library->handle;
    library->sgemm = (ps__sgemm_fn)symbol(handle, prefix, "cblas_sgemm");
    library->dgemm = (ps__dgemm_fn)symbol(handle, prefix, "cblas_dgemm");
    library->cgemm = (ps__xgemm_fn)symbol(handle, prefix, "cblas_cgemm");
    library->zgemm = (ps__xgemm_fn)symbol(handle, prefix, "cblas_zgemm");
    if (library->sgemm == NULL)
        return "cblas_sgemm";
    if (library->dgemm == NULL)
        return "cblas_dgemm";
    if (library->cgemm == NULL)
        return "cblas_cgemm";
    return library->zgemm == NULL ? "cblas_zgemm" : NULL;
}

/* The prefix of its functions; NULL with the reason if some are missing. */
static const char *resolve_all(ps__blas_library *library, char reason[PS__BLAS_TEXT])
{
    static const char *const prefixes[] = {"scipy_", ""};
    const char *missing = NULL;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        missing = resolve(library, prefixes[i]);
        if (missing == NULL)
            return prefixes[i];
    }
    snprintf(reason, PS__BLAS_TEXT, "%.400s: it has no function %s", library->file, missing);
    return NULL;
}

/* What OpenBLAS says of itself: its text of configuration begins with "OpenBLAS 0.3.21 ". */
static void identify(ps__blas_library *library, const char *prefix)
{
    void *handle = library->handle;
    char *(*config)(void) = (char *(*)(void))symbol(handle, prefix, "openblas_get_config");
    char *(*core)(void) = (char *(*)(void))symbol(handle, prefix, "openblas_get_corename");
    if (config == NULL || core == NULL ||
        sscanf(config(), "OpenBLAS %31s", library->version) != 1) {
        library->version[0] = 0;
        return;
    }
    snprintf(library->config, sizeof library->config, "%s", config());
    snprintf(library->core, sizeof library->core, "%s", core());
}

static void use_one_thread(ps__blas_library *library, const char *prefix)
{
    void *handle = library->handle;
    void (*set)(int) = (void (*)(int))symbol(handle, prefix, "openblas_set_num_threads");
    int (*get)(void) = (int (*)(void))symbol(handle, prefix, "openblas_get_num_threads");
    if (set != NULL)
        set(1);
    if (get != NULL)
        library->threads = get();
}

/* ---- Opening --------------------------------------------------------------------------- */

/* dlopen while this thread may use one processor only. OpenBLAS starts its threads when it is
 * loaded, one fewer than the processors it may use, whatever OPENBLAS_NUM_THREADS says above that;
 * so it starts none. Where the system refuses, they are started and stay asleep. */
static void *open_alone(const char *file)
{
    cpu_set_t all, one;
    int processor = sched_getcpu();
    bool alone =
        processor >= 0 && processor < CPU_SETSIZE && sched_getaffinity(0, sizeof all, &all) == 0;
    if (alone) {
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        alone = sched_setaffinity(0, sizeof one, &one) == 0;
    }
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (alone)
        sched_setaffinity(0, sizeof all, &all);
    return handle;
}

typedef struct opening {
    const char *file;
    void *handle;
    char *reason;
} opening;

static void open_body(void *arg)
{
    opening *o = arg;
    o->handle = open_alone(o->file);
    if (o->handle == NULL) {
        const char *reason = dlerror();
        snprintf(o->reason, PS__BLAS_TEXT, "%s", reason != NULL ? reason : "it cannot be opened");
    }
}

static void *open_with(const char *file, const char *entry, char reason[PS__BLAS_TEXT])
{
    opening o = {.file = file, .reason = reason};
    if (entry == NULL)
        open_body(&o);
    else if (ps__env_with(entry, open_body, &o) != PS_OK)
        snprintf(reason, PS__BLAS_TEXT, "%s", ps_last_error());
    return o.handle;
}

/* The file that a function lies in. */
static void locate(ps__blas_library *library, const char *file)
{
    Dl_info where;
    bool found = library->sgemm != NULL && dladdr((void *)library->sgemm, &where) != 0;
    snprintf(library->file, sizeof library->file, "%s", found ? where.dli_fname : file);
}

bool ps__blas_library_open(const char *file, const char *entry, ps__blas_library *library,
                           char reason[PS__BLAS_TEXT])
{
    memset(library, 0, sizeof *library);
    snprintf(library->file, sizeof library->file, "%s", file);
    library->handle = open_with(file, entry, reason);
    if (library->handle == NULL)
        return false;
    const char *prefix = resolve_all(library, reason);
    if (prefix == NULL) {
        dlclose(library->handle);
        return false;
    }
    locate(library, file);
    identify(library, prefix);
    use_one_thread(library, prefix);
    return true;
}

bool ps__blas_library_close(const char *file, ps__blas_library *library)
{
    dlclose(library->handle);
    library->handle = NULL;
    void *still = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    if (still == NULL)
        return true;
    dlclose(still);
    return false;
}
