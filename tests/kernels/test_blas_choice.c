/* Which BLAS library is used, with which kernels, and what is said about it; and what happens if
 * PENSTOCK_BLAS cannot be followed. On libraries that pass for OpenBLAS (standin/blas.c), and on the
 * real ones that are there. */
#include "test_gemm_help.h"

#include <dlfcn.h>

#include "base/alloc.h"
#include "kernels/blas_core.h"
#include "kernels/blas_library.h"
#include "kernels/kernels.h"

static char log_file[] = "/tmp/penstock-blas-XXXXXX";

/* ---- What a check may ask -------------------------------------------------------------- */

/* The core type that suits the processor that runs this, as a library of today would be told. */
static const char *best_core(void)
{
    if (ps__kernels_find("avx512") != NULL)
        return "SkylakeX";
    if (ps__kernels_find("avx2") == NULL)
        return "Prescott";
    return __builtin_cpu_is("amd") ? "Zen" : "Haswell";
}

/* Whether it is not `expected`, with a line that says so. */
static int other_text(const char *what, const char *text, const char *expected)
{
    if (text != NULL && strcmp(text, expected) == 0)
        return 0;
    printf("%s is \"%s\", not \"%s\"\n", what, text ? text : "NULL", expected);
    return 1;
}

static int lacks(const char *what, const char *text, const char *part)
{
    if (text != NULL && strstr(text, part) != NULL)
        return 0;
    printf("%s is \"%s\", without \"%s\"\n", what, text ? text : "NULL", part);
    return 1;
}

/* What the stand-in has written down, lines joined by a comma. */
static int other_log(const char *expected)
{
    char text[400] = "";
    FILE *file = fopen(log_file, "r");
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] != '\n' ? text[i] : i + 1 < length ? ',' : 0;
    return other_text("what the stand-in saw", text, expected);
}

static ps_blas_info info(void)
{
    ps_blas_info known = {.size = sizeof known};
    if (ps_blas_get_info(&known) != PS_OK)
        printf("ps_blas_get_info: %s\n", ps_last_error());
    return known;
}

/* Whether a product is wrong: of ones, so that every sum is exact. */
static int wrong_product(void)
{
    enum { SIDE = 40 };
    static float a[SIDE * SIDE], c[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        a[i] = 1;
    matrix ones = {.data = (char *)a, .row = SIDE, .column = 1};
    ps__gemm g = gemm_of(PS_FLOAT32, SIDE, SIDE, SIDE, &ones, &ones);
    g.c = c;
    int failures = ps__gemm_run(&g) != PS_OK;
    for (int i = 0; i < SIDE * SIDE; i++)
        failures += c[i] != SIDE;
    return failures;
}

static int environment_is_as_before(void)
{
    return getenv("OPENBLAS_CORETYPE") != NULL;
}

/* ---- Kernels --------------------------------------------------------------------------- */

/* The stand-in takes every processor for a Prescott. */
static int is_told_better(void)
{
    ps_blas_info known = info();
    const char *best = best_core();
    char saw[200], why[200];
    snprintf(saw, sizeof saw, "load Prescott,unload,load %s", best);
    snprintf(why, sizeof why, "it took this processor for Prescott and was told %s", best);
    int failures = other_text("core", known.core, best) + wrong_product();
    if (strcmp(best, "Prescott") == 0)
        return failures + other_log("load Prescott");
    return failures + other_log(saw) + lacks("reason", known.reason, why) +
           environment_is_as_before();
}

static int is_left_alone(void)
{
    ps_blas_info known = info();
    return other_text("core", known.core, getenv("STANDIN_CORE")) +
           lacks("reason", known.reason, "it chose its kernels itself") + wrong_product();
}

static int is_what_the_user_says(void)
{
    ps_blas_info known = info();
    return other_text("core", known.core, getenv("OPENBLAS_CORETYPE")) +
           lacks("reason", known.reason, "OPENBLAS_CORETYPE is \"Prescott\"") + wrong_product();
}

static int is_what_the_user_says_to_the_standin(void)
{
    return is_what_the_user_says() + other_log("load Prescott");
}

/* An empty variable says nothing, as with all others. */
static int nothing_is_said(void)
{
    ps_blas_info known = info();
    return other_text("core", known.core, best_core()) + wrong_product();
}

static int does_not_listen(void)
{
    ps_blas_info known = info();
    return other_text("core", known.core, "Prescott") +
           lacks("reason", known.reason, "it uses Prescott all the same") + wrong_product();
}

static int has_one_kind(void)
{
    ps_blas_info known = info();
    return other_text("core", known.core, "Prescott") + other_log("load Prescott") +
           lacks("reason", known.reason, "one kind of processor only");
}

/* Kernels for AVX-512 of old versions are not to be trusted. */
static int is_too_old_for_avx512(void)
{
    const char *expected = __builtin_cpu_is("amd") ? "Zen" : "Haswell";
    return other_text("core", info().core, expected) + wrong_product();
}

/* A program that has opened the library itself keeps it as it is. */
static int is_in_use(void)
{
    void *own = dlopen(getenv("PENSTOCK_BLAS"), RTLD_NOW | RTLD_LOCAL);
    ps_blas_info known = info();
    int failures = (own == NULL) + other_text("core", known.core, "Prescott") +
                   lacks("reason", known.reason, "the program has it open") + wrong_product();
    return failures + other_log("load Prescott");
}

/* Not told for want of memory: it is used as it is. */
static int is_not_told(void)
{
    ps__fault_set(1, false);
    ps_blas_info known = info();
    ps__fault_set(0, false);
    return other_text("core", known.core, "Prescott") + wrong_product() +
           lacks("reason", known.reason, "it could not be told") +
           lacks("reason", known.reason, "no memory");
}

/* Kernels whose cuts are neutral along columns, and some for which that is not so, though the
 * library chose the former: the cuts are those of what runs. */
static int cuts_follow_the_kernels(void)
{
    const char *best = best_core();
    int columns = strcmp(best, "SkylakeX") == 0 || strcmp(best, "Prescott") == 0 ? 192 : 0;
    return ps__blas_cuts_get()->rows != 24 || ps__blas_cuts_get()->columns != columns;
}

/* The real library takes up what it is told when it is opened anew. */
static int the_real_one_is_told(void)
{
    static ps__blas_library library;
    char reason[PS__BLAS_TEXT];
    if (!ps__blas_library_open("libopenblas.so.0", NULL, &library, reason)) {
        printf("%s\n", reason);
        return 1;
    }
    int failures = !ps__blas_library_close("libopenblas.so.0", &library);
    static const char *const entries[] = {"OPENBLAS_CORETYPE=Prescott",
                                          "OPENBLAS_CORETYPE=Nehalem"};
    for (int i = 0; i < 2; i++) {
        failures += !ps__blas_library_open("libopenblas.so.0", entries[i], &library, reason);
        failures += other_text("core", library.core, strchr(entries[i], '=') + 1);
        failures += !ps__blas_library_close("libopenblas.so.0", &library);
    }
    return failures + environment_is_as_before();
}

static int the_real_one_is_good(void)
{
    ps_blas_info known = info();
    if (ps__blas_core_better("0.3.21", known.core) == NULL)
        return wrong_product();
    printf("%s is not the best that this processor has\n", known.core);
    return 1;
}

static int unknown_cores_are_trusted(void)
{
    return (ps__blas_core_better("0.3.99", "Novalake") != NULL) +
           (ps__blas_core_better("0.3.21", "SkylakeX") != NULL) +
           (ps__blas_core_better("0.3.21", "Cooperlake") != NULL) +
           (ps__blas_core_better("0.3.21", "ARMV8") != NULL);
}

/* ---- What is said ---------------------------------------------------------------------- */

static int all_is_said(void)
{
    ps_blas_info known = info();
    int failures = lacks("file", known.file, getenv("PENSTOCK_BLAS")) +
                   lacks("config", known.config, "OpenBLAS 0.3.21 DYNAMIC_ARCH") +
                   lacks("name", known.name, "OpenBLAS 0.3.21 ") +
                   lacks("name", known.name, known.core) + (known.threads != 1);
    return failures + lacks("reason", known.reason, "PENSTOCK_BLAS names it; ");
}

/* A caller that was compiled when the struct was shorter, and wrong ones. */
static int shorter_structs(void)
{
    ps_blas_info known = {.size = offsetof(ps_blas_info, core), .threads = 77};
    int failures = ps_blas_get_info(&known) != PS_OK || known.name == NULL || known.config == NULL;
    failures += known.core != NULL || known.threads != 77;
    known.size = 0;
    failures += ps_blas_get_info(&known) != PS_ERR_ARGUMENT;
    return failures + (ps_blas_get_info(NULL) != PS_ERR_ARGUMENT);
}

static int another_library(void)
{
    ps_blas_info known = info();
    return lacks("file", known.file, getenv("PENSTOCK_BLAS")) + (known.core != NULL) +
           (known.config != NULL) + (known.threads != 0) +
           other_text("reason", known.reason, "PENSTOCK_BLAS names it") + wrong_product() +
           (ps__blas_cuts_get()->rows != 0);
}

static int no_library(void)
{
    ps_blas_info known = info();
    return other_text("name", known.name, "reference (PENSTOCK_BLAS is none)") +
           (known.file != NULL) + (ps__blas_check() != PS_OK) + wrong_product();
}

/* The first proposal cannot be used, the system's library can. */
static int passed_over(void)
{
    int failures = ps_blas_propose("/nonexistent/proposed") != PS_OK;
    ps_blas_info known = info();
    return failures + lacks("reason", known.reason, "/nonexistent/proposed") +
           lacks("reason", known.reason, "; the system's; ") + (known.file == NULL);
}

/* ---- A setting that cannot be followed ------------------------------------------------- */

static int is_refused(const char *part)
{
    ps_blas_info known = {.size = sizeof known};
    int failures = 0;
    for (int i = 0; i < 2; i++) { /* every time, not only the first */
        failures += ps__blas_check() != PS_ERR_ENVIRONMENT;
        failures += lacks("error", ps_last_error(), getenv("PENSTOCK_BLAS"));
        failures += lacks("error", ps_last_error(), part);
    }
    failures += ps_blas_get_info(&known) != PS_ERR_ENVIRONMENT;
    return failures + ps__blas_present() + lacks("name", ps_blas_name(), "none (PENSTOCK_BLAS is");
}

static int missing_file(void)
{
    return is_refused("No such file or directory");
}

static int no_blas(void)
{
    return is_refused("cblas_sgemm");
}

static int incomplete(void)
{
    return is_refused("cblas_zgemm") + other_log("load Prescott,unload");
}

static int refused_despite_a_proposal(void)
{
    return (ps_blas_propose("libopenblas.so.0") != PS_OK) + missing_file();
}

static int long_name(void)
{
    ps_status status = ps__blas_check();
    return status != PS_ERR_ENVIRONMENT;
}

/* ---- The tests ------------------------------------------------------------------------- */

/* The check in a child that has the stand-in as its library, and another variable. */
static void with_standin(int (*check)(void), const char *file, const char *variable,
                         const char *value)
{
    assert_int_equal(truncate(log_file, 0), 0);
    assert_int_equal(setenv("PENSTOCK_BLAS", file, 1), 0);
    int failures = in_child(check, variable, value);
    assert_int_equal(unsetenv("PENSTOCK_BLAS"), 0);
    assert_int_equal(failures, 0);
}

static void better_kernels_are_told(void **state)
{
    (void)state;
    with_standin(is_told_better, BLAS_STANDIN, NULL, NULL);
    with_standin(nothing_is_said, BLAS_STANDIN, "OPENBLAS_CORETYPE", "");
    with_standin(cuts_follow_the_kernels, BLAS_STANDIN, NULL, NULL);
}

static void good_kernels_are_left_alone(void **state)
{
    (void)state;
    with_standin(is_left_alone, BLAS_STANDIN, "STANDIN_CORE", "SapphireRapids");
    with_standin(is_left_alone, BLAS_STANDIN, "STANDIN_CORE", best_core());
    with_standin(is_left_alone, BLAS_STANDIN, "STANDIN_CORE", "Novalake");
    assert_int_equal(unknown_cores_are_trusted(), 0);
}

static void the_user_decides(void **state)
{
    (void)state;
    with_standin(is_what_the_user_says_to_the_standin, BLAS_STANDIN, "OPENBLAS_CORETYPE",
                 "Prescott");
    assert_int_equal(in_child(is_what_the_user_says, "OPENBLAS_CORETYPE", "Prescott"), 0);
    if (gemm_python_library() != NULL)
        assert_int_equal(in_child(the_real_one_is_good, "PENSTOCK_BLAS", gemm_python_library()), 0);
}

static void some_cannot_be_told(void **state)
{
    (void)state;
    if (ps__kernels_find("avx2") == NULL)
        skip();
    with_standin(does_not_listen, BLAS_STANDIN, "STANDIN_STUBBORN", "1");
    with_standin(has_one_kind, BLAS_STANDIN, "STANDIN_CONFIG", "OpenBLAS 0.3.21 NO_AFFINITY");
    with_standin(is_too_old_for_avx512, BLAS_STANDIN, "STANDIN_CONFIG",
                 "OpenBLAS 0.3.13 DYNAMIC_ARCH");
    with_standin(is_in_use, BLAS_STANDIN, NULL, NULL);
    with_standin(is_not_told, BLAS_STANDIN, NULL, NULL);
}

static void real_libraries(void **state)
{
    (void)state;
    assert_int_equal(in_child(the_real_one_is_told, NULL, NULL), 0);
    assert_int_equal(in_child(the_real_one_is_good, NULL, NULL), 0);
}

static void what_is_said(void **state)
{
    (void)state;
    with_standin(all_is_said, BLAS_STANDIN, NULL, NULL);
    with_standin(shorter_structs, BLAS_STANDIN, NULL, NULL);
    with_standin(another_library, BLAS_STANDIN_PLAIN, NULL, NULL);
    assert_int_equal(in_child(no_library, "PENSTOCK_BLAS", "none"), 0);
    assert_int_equal(in_child(passed_over, NULL, NULL), 0);
}

static void a_setting_that_cannot_be_followed(void **state)
{
    (void)state;
    assert_int_equal(in_child(missing_file, "PENSTOCK_BLAS", "/nonexistent"), 0);
    assert_int_equal(in_child(no_blas, "PENSTOCK_BLAS", "libc.so.6"), 0);
    assert_int_equal(in_child(refused_despite_a_proposal, "PENSTOCK_BLAS", "/nonexistent"), 0);
    with_standin(incomplete, BLAS_STANDIN_INCOMPLETE, NULL, NULL);
    char name[5000] = "/";
    memset(name + 1, 'x', sizeof name - 2);
    assert_int_equal(in_child(long_name, "PENSTOCK_BLAS", name), 0);
}

static int begin(void **state)
{
    (void)state;
    int file = mkstemp(log_file);
    unsetenv("PENSTOCK_BLAS");
    unsetenv("OPENBLAS_CORETYPE");
    return file < 0 || close(file) != 0 || setenv("STANDIN_LOG", log_file, 1) != 0;
}

static int end(void **state)
{
    (void)state;
    return unlink(log_file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(better_kernels_are_told),
        cmocka_unit_test(good_kernels_are_left_alone),
        cmocka_unit_test(the_user_decides),
        cmocka_unit_test(some_cannot_be_told),
        cmocka_unit_test(real_libraries),
        cmocka_unit_test(what_is_said),
        cmocka_unit_test(a_setting_that_cannot_be_followed),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
