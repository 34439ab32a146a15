/* Chooses the BLAS library and its kernels, loads it and calls it.
 *
 * Invariants
 *   1. `wish` and `blas` are each written once, inside pthread_once, and read only after it.
 *   2. What is chosen follows from the environment, what was proposed, the files that are there and
 *      the processor; never from a measurement: the same machine gives the same bits.
 *   3. The cuts are those of the kernels that the library says it uses, whoever chose them.
 *   4. Every call is by columns: a product by rows is the product of the transposes in the other
 *      order. OpenBLAS does the same with a call by rows, except for a short cut of float32 whose
 *      results would depend on the size. */
#include "kernels/blas.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "kernels/blas_core.h"
#include "kernels/blas_exit.h"
#include "kernels/blas_library.h"

/* The values of CBLAS's enumerations. */
enum { BY_COLUMNS = 102, PLAIN = 111, TRANSPOSED = 112 };

/* What PENSTOCK_BLAS says. */
static struct {
    bool set, none;
    char file[PS__BLAS_FILE];
} wish;

static struct {
    bool present, refused; /* refused: PENSTOCK_BLAS cannot be followed, `reason` says why */
    ps__blas_library library;
    ps__blas_cuts cuts;
    char name[PS__BLAS_TEXT];
    char reason[2 * PS__BLAS_TEXT];
} blas;

/* What a frontend has proposed. */
static struct {
    pthread_mutex_t lock;
    char *file;  /* NULL: nothing; guarded by the lock */
    bool closed; /* it is too late: loading has begun; guarded by the lock */
} proposal = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- Where it may be cut --------------------------------------------------------------- */

/* The kernels of OpenBLAS whose cuts were measured, by the library's version and its name for the
 * kind of processor. `columns`: the kernels for processors with AVX2 treat the last columns of a
 * call in another order of summation, so that no cut between columns is neutral there; and 0.3.34
 * works through columns in longer pieces on processors of AMD with AVX-512, which does the same to
 * float64 with SkylakeX. */
static const struct {
    const char *version, *core;
    int rows, columns;
} measured[] = {
    {"0.3.21", "Cooperlake", 24, 192},    {"0.3.21", "SkylakeX", 24, 192},
    {"0.3.21", "Haswell", 24, 0},         {"0.3.21", "Zen", 24, 0},
    {"0.3.21", "Sandybridge", 24, 192},   {"0.3.21", "Nehalem", 24, 192},
    {"0.3.21", "Core2", 24, 192},         {"0.3.21", "Prescott", 24, 192},
    {"0.3.21", "Atom", 24, 192},          {"0.3.34.237.2", "SkylakeX", 24, 0},
    {"0.3.34.237.2", "Haswell", 24, 0},   {"0.3.34.237.2", "Sandybridge", 24, 192},
    {"0.3.34.237.2", "Nehalem", 24, 192},
};

static void cuts_find(const char *version, const char *core)
{
    /* Up to a million multiplications it may use other kernels; and it works through rows in
     * pieces, whose length depends on type and processor but is above this. */
    blas.cuts = (ps__blas_cuts){.most_rows = 3840, .work = 1e6};
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        if (strcmp(version, measured[i].version) == 0 && strcmp(core, measured[i].core) == 0) {
            blas.cuts.rows = measured[i].rows;
            blas.cuts.columns = measured[i].columns;
        }
    }
}

/* ---- Kernels --------------------------------------------------------------------------- */

/* Adds to the reason. */
__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    size_t used = strlen(blas.reason);
    if (used > 0)
        used += (size_t)snprintf(blas.reason + used, sizeof blas.reason - used, "; ");
    if (used >= sizeof blas.reason)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(blas.reason + used, sizeof blas.reason - used, format, arguments);
    va_end(arguments);
}

/* Opens the library anew, which is told a core type if it can be. OpenBLAS reads the variable in its
 * constructor only, and has no function for it. */
static bool open_anew(const char *file, const ps__blas_core *better, char why[PS__BLAS_TEXT])
{
    ps__blas_library *library = &blas.library;
    char chosen[sizeof library->core];
    memcpy(chosen, library->core, sizeof chosen);
    if (!ps__blas_library_close(file, library)) {
        note("it took this processor for %s; the program has it open, so only %s in the "
             "environment at the start can tell it better",
             chosen, better->entry);
        return ps__blas_library_open(file, NULL, library, why);
    }
    if (!ps__blas_library_open(file, better->entry, library, why)) {
        note("it took this processor for %s; it could not be told %s: %s", chosen, better->name,
             why);
        return ps__blas_library_open(file, NULL, library, why);
    }
    note("it took this processor for %s and was told %s", chosen, better->name);
    if (strcmp(library->core, better->name) != 0)
        note("it uses %s all the same", library->core);
    return true;
}

/* Has OpenBLAS use the best kernels for this processor, unless the user has chosen some. */
static bool choose_core(const char *file, char why[PS__BLAS_TEXT])
{
    const ps__blas_library *library = &blas.library;
    const char *chosen_by_user = getenv("OPENBLAS_CORETYPE");
    if (library->version[0] == 0)
        return true;
    if (chosen_by_user != NULL && chosen_by_user[0] != 0) {
        note("OPENBLAS_CORETYPE is \"%.60s\"", chosen_by_user);
        return true;
    }
    if (strstr(library->config, "DYNAMIC_ARCH") == NULL) {
        note("it has kernels for one kind of processor only");
        return true;
    }
    const ps__blas_core *better = ps__blas_core_better(library->version, library->core);
    if (better != NULL)
        return open_anew(file, better, why);
    note("it chose its kernels itself");
    return true;
}

/* ---- Loading --------------------------------------------------------------------------- */

/* Uses the library of this file, or says why not. */
static bool load_file(const char *file, const char *whose, char why[PS__BLAS_TEXT])
{
    ps__blas_library *library = &blas.library;
    size_t reason = strlen(blas.reason);
    note("%s", whose);
    blas.present = ps__blas_library_open(file, NULL, library, why) && choose_core(file, why);
    if (!blas.present) {
        blas.reason[reason] = 0;
        return false;
    }
    if (library->version[0] != 0)
        snprintf(blas.name, sizeof blas.name, "OpenBLAS %s %s", library->version, library->core);
    else
        snprintf(blas.name, sizeof blas.name, "%.500s", library->file);
    cuts_find(library->version, library->core);
    return true;
}

/* The caller frees it. */
static char *proposal_take(void)
{
    pthread_mutex_lock(&proposal.lock);
    char *file = proposal.file;
    proposal.file = NULL;
    proposal.closed = true;
    pthread_mutex_unlock(&proposal.lock);
    return file;
}

static void load_wish(void)
{
    char why[PS__BLAS_TEXT];
    if (wish.none) {
        note("PENSTOCK_BLAS is none");
    } else if (!load_file(wish.file, "PENSTOCK_BLAS names it", why)) {
        blas.refused = true;
        note("PENSTOCK_BLAS is \"%.200s\": expected the file of a BLAS library, or none: %s",
             wish.file, why);
    }
}

static void load_any(const char *proposed)
{
    char why[PS__BLAS_TEXT];
    if (proposed != NULL) {
        if (load_file(proposed, "proposed by the frontend", why))
            return;
        note("the library that the frontend proposed is passed over: %s", why);
    }
    if (!load_file("libopenblas.so.0", "the system's", why))
        note("%s", why);
}

static void read_wish(void)
{
    const char *text = getenv("PENSTOCK_BLAS");
    wish.set = text != NULL && text[0] != 0;
    if (wish.set) /* what does not fit is longer than any path */
        snprintf(wish.file, sizeof wish.file, "%s", text);
    wish.none = strcmp(wish.file, "none") == 0;
}

static bool wished(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_wish);
    return wish.set;
}

bool ps__blas_wished(void)
{
    return wished() && !wish.none;
}

static void load(void)
{
    char *proposed = proposal_take();
    if (wished())
        load_wish();
    else
        load_any(proposed);
    ps__free(proposed);
    if (!blas.present)
        snprintf(blas.name, sizeof blas.name, "%s (%.490s)", blas.refused ? "none" : "reference",
                 blas.reason);
}

static void load_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
}

/* ---- What others ask ------------------------------------------------------------------- */

ps_status ps_blas_propose(const char *file)
{
    char *copy = NULL;
    if (file != NULL) {
        size_t bytes = strlen(file) + 1;
        copy = ps__calloc(1, bytes);
        if (copy == NULL)
            return ps__fail(PS_ERR_MEMORY, "no memory for the name of a BLAS library");
        memcpy(copy, file, bytes);
    }
    pthread_mutex_lock(&proposal.lock);
    bool closed = proposal.closed;
    char *unused = closed ? copy : proposal.file;
    if (!closed)
        proposal.file = copy;
    pthread_mutex_unlock(&proposal.lock);
    ps__free(unused);
    if (closed)
        return ps__fail(PS_ERR_STATE, "a product was computed before a BLAS library was proposed");
    return PS_OK;
}

ps_status ps__blas_check(void)
{
    if (!wished())
        return PS_OK;
    load_once();
    return blas.refused ? ps__fail(PS_ERR_ENVIRONMENT, "%s", blas.reason) : PS_OK;
}

bool ps__blas_present(void)
{
    load_once();
    return blas.present;
}

const char *ps_blas_name(void)
{
    load_once();
    return blas.name;
}

ps_status ps_blas_get_info(ps_blas_info *info)
{
    load_once();
    ps_status status = ps__blas_check();
    if (status != PS_OK)
        return status;
    const ps__blas_library *library = &blas.library;
    bool openblas = blas.present && library->version[0] != 0;
    ps_blas_info full = {.name = blas.name,
                         .file = blas.present ? library->file : NULL,
                         .config = openblas ? library->config : NULL,
                         .core = openblas ? library->core : NULL,
                         .threads = blas.present ? (unsigned)library->threads : 0,
                         .reason = blas.reason};
    return ps__sized_write("ps_blas_get_info: info", info, &full, sizeof full);
}

const ps__blas_cuts *ps__blas_cuts_get(void)
{
    load_once();
    return &blas.cuts;
}

/* ---- Calling --------------------------------------------------------------------------- */

void ps__blas_gemm(ps_dtype dtype, int m, int n, int k, ps__blas_operand a, ps__blas_operand b,
                   bool accumulate, void *c, int c_row)
{
    static const float one_f[2] = {1, 0}, zero_f[2] = {0, 0};
    static const double one_d[2] = {1, 0}, zero_d[2] = {0, 0};
    int ta = a.transposed ? TRANSPOSED : PLAIN, tb = b.transposed ? TRANSPOSED : PLAIN;
    const float *beta_f = accumulate ? one_f : zero_f;
    const double *beta_d = accumulate ? one_d : zero_d;
    ps__blas_call_begin();
    switch (dtype) {
    case PS_FLOAT32:
        blas.library.sgemm(BY_COLUMNS, tb, ta, n, m, k, 1, b.data, b.stride, a.data, a.stride,
                           beta_f[0], c, c_row);
        break;
    case PS_FLOAT64:
        blas.library.dgemm(BY_COLUMNS, tb, ta, n, m, k, 1, b.data, b.stride, a.data, a.stride,
                           beta_d[0], c, c_row);
        break;
    case PS_COMPLEX64:
        blas.library.cgemm(BY_COLUMNS, tb, ta, n, m, k, one_f, b.data, b.stride, a.data, a.stride,
                           beta_f, c, c_row);
        break;
    default:
        blas.library.zgemm(BY_COLUMNS, tb, ta, n, m, k, one_d, b.data, b.stride, a.data, a.stride,
                           beta_d, c, c_row);
        break;
    }
    ps__blas_call_end();
}
