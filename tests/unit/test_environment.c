/* Environment variables: what is taken, what is refused, and what a refusal says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/environment.h"

#define NAME "PENSTOCK_TEST_VALUE"

enum { UNTOUCHED = 4711 };

static void set(const char *value)
{
    assert_int_equal(value ? setenv(NAME, value, 1) : unsetenv(NAME), 0);
}

static void assert_count(const char *text, uint64_t low, uint64_t high, uint64_t expected)
{
    uint64_t value = UNTOUCHED;
    set(text);
    assert_int_equal(ps__env_count(NAME, low, high, &value), PS_OK);
    assert_true(value == expected);
}

static void assert_says(const char *text)
{
    if (!strstr(ps_last_error(), text))
        fail_msg("\"%s\" does not say \"%s\"", ps_last_error(), text);
}

static void assert_no_count(const char *text, uint64_t low, uint64_t high)
{
    uint64_t value = UNTOUCHED;
    set(text);
    assert_int_equal(ps__env_count(NAME, low, high, &value), PS_ERR_ENVIRONMENT);
    assert_int_equal(value, UNTOUCHED);
    assert_says(NAME);
    assert_says(text);
}

static void assert_bytes(const char *text, uint64_t expected)
{
    uint64_t value = UNTOUCHED;
    set(text);
    assert_int_equal(ps__env_bytes(NAME, &value), PS_OK);
    if (value != expected)
        fail_msg("%s became %ju", text, (uintmax_t)value);
}

static void assert_no_bytes(const char *text)
{
    uint64_t value = UNTOUCHED;
    set(text);
    if (ps__env_bytes(NAME, &value) != PS_ERR_ENVIRONMENT)
        fail_msg("%s was taken", text);
    assert_int_equal(value, UNTOUCHED);
    assert_says(NAME);
    assert_says(text);
}

static void unset_and_empty_leave_the_default(void **state)
{
    (void)state;
    const char *const nothing[] = {NULL, ""};
    const char *const words[] = {"async", "sync"};
    for (int i = 0; i < 2; i++) {
        unsigned index = UNTOUCHED;
        assert_count(nothing[i], 1, 2, UNTOUCHED);
        assert_bytes(nothing[i], UNTOUCHED);
        assert_int_equal(ps__env_choice(NAME, words, 2, &index), PS_OK);
        assert_int_equal(index, UNTOUCHED);
    }
}

static void whole_numbers_in_range_are_taken(void **state)
{
    (void)state;
    assert_count("1", 1, 1024, 1);
    assert_count("1024", 1, 1024, 1024);
    assert_count("007", 0, 10, 7);
    assert_count("0", 0, 0, 0);
    assert_count("18446744073709551615", 0, UINT64_MAX, UINT64_MAX);
}

static void other_counts_are_refused(void **state)
{
    (void)state;
    static const char *const malformed[] =
        {"x", "1x", " 1", "1 ", "-1", "+1", "1.5", "0x10", "1e3", "1,000", "18446744073709551616"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        assert_no_count(malformed[i], 0, UINT64_MAX);
    assert_no_count("0", 1, 1024);
    assert_no_count("1025", 1, 1024);
    assert_says("from 1 to 1024");
}

static void bytes_may_have_suffixes(void **state)
{
    (void)state;
    assert_bytes("0", 0);
    assert_bytes("12345", 12345);
    assert_bytes("512B", 512);
    assert_bytes("512b", 512);
    assert_bytes("1K", 1024);
    assert_bytes("1k", 1024);
    assert_bytes("3KB", 3072);
    assert_bytes("3kib", 3072);
    assert_bytes("48M", UINT64_C(48) << 20);
    assert_bytes("48MiB", UINT64_C(48) << 20);
    assert_bytes("2g", UINT64_C(2) << 30);
    assert_bytes("2GB", UINT64_C(2) << 30);
    assert_bytes("7T", UINT64_C(7) << 40);
    assert_bytes("7TiB", UINT64_C(7) << 40);
    assert_bytes("16777215T", UINT64_C(16777215) << 40);
    assert_bytes("18446744073709551615", UINT64_MAX);
}

static void other_bytes_are_refused(void **state)
{
    (void)state;
    static const char *const malformed[] = {"K",
                                            "1iB",
                                            "1 K",
                                            "1KiBx",
                                            "1KK",
                                            "1P",
                                            "1.5G",
                                            "-1",
                                            "M1",
                                            "1Ki",
                                            "1BB",
                                            "0x1K",
                                            "16777216T",
                                            "18014398509481984K",
                                            "18446744073709551616",
                                            "99999999999999999999999K"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        assert_no_bytes(malformed[i]);
}

static void choices_are_words_of_the_list(void **state)
{
    (void)state;
    const char *const words[] = {"async", "sync"};
    unsigned index = UNTOUCHED;
    set("sync");
    assert_int_equal(ps__env_choice(NAME, words, 2, &index), PS_OK);
    assert_int_equal(index, 1);
    set("async");
    assert_int_equal(ps__env_choice(NAME, words, 2, &index), PS_OK);
    assert_int_equal(index, 0);

    static const char *const malformed[] = {"Sync", "syn", "sync ", "asyncsync", "0"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        index = UNTOUCHED;
        set(malformed[i]);
        assert_int_equal(ps__env_choice(NAME, words, 2, &index), PS_ERR_ENVIRONMENT);
        assert_int_equal(index, UNTOUCHED);
        assert_says(NAME);
        assert_says(malformed[i]);
        assert_says("one of async, sync");
    }
}

static void endless_values_and_lists_are_survived(void **state)
{
    (void)state;
    static char value[100000];
    memset(value, '9', sizeof value - 1);
    uint64_t number = UNTOUCHED;
    set(value);
    assert_int_equal(ps__env_count(NAME, 0, UINT64_MAX, &number), PS_ERR_ENVIRONMENT);
    assert_int_equal(ps__env_bytes(NAME, &number), PS_ERR_ENVIRONMENT);
    assert_says(NAME);
    const char *words[200];
    for (size_t i = 0; i < 200; i++)
        words[i] = "a-rather-long-word";
    unsigned index = UNTOUCHED;
    assert_int_equal(ps__env_choice(NAME, words, 200, &index), PS_ERR_ENVIRONMENT);
    assert_says("a-rather-long-word, a-rather-long-word");
}

/* ---- An entry for a time --------------------------------------------------------------- */

#define LENT "PENSTOCK_TEST_LENT"

static void assert_variable(const char *name, const char *expected)
{
    const char *value = getenv(name);
    if (expected == NULL)
        assert_null(value);
    else
        assert_string_equal(value, expected);
}

static void look(void *arg)
{
    ++*(int *)arg;
    assert_variable(LENT, "yes");
    assert_variable(NAME, "other");
}

static void an_entry_is_there_for_a_time(void **state)
{
    (void)state;
    int calls = 0;
    set("other");
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(ps__env_with(LENT "=yes", look, &calls), PS_OK);
        assert_int_equal(calls, i);
        assert_variable(LENT, NULL);
        assert_variable(NAME, "other");
    }
    assert_int_equal(setenv(LENT, "own", 1), 0); /* it comes before one that is there */
    assert_int_equal(ps__env_with(LENT "=yes", look, &calls), PS_OK);
    assert_variable(LENT, "own");
    assert_int_equal(unsetenv(LENT), 0);
}

static void change(void *arg)
{
    (void)arg;
    set("changed");
}

static void add(void *arg)
{
    (void)arg;
    assert_int_equal(setenv("PENSTOCK_TEST_ADDED", "added", 1), 0);
}

static void what_changes_meanwhile_stays(void **state)
{
    (void)state;
    set("before");
    assert_int_equal(ps__env_with(LENT "=yes", change, NULL), PS_OK);
    assert_variable(NAME, "changed");
    assert_variable(LENT, NULL);
    assert_int_equal(ps__env_with(LENT "=yes", add, NULL), PS_OK);
    assert_variable("PENSTOCK_TEST_ADDED", "added");
    assert_variable(NAME, "changed");
    assert_int_equal(unsetenv("PENSTOCK_TEST_ADDED"), 0);
    assert_int_equal(unsetenv(LENT), 0);
}

static void look_alone(void *arg)
{
    ++*(int *)arg;
    assert_variable(LENT, "yes");
    assert_null(environ[1]);
}

static void an_empty_environment(void **state)
{
    (void)state;
    char **before = environ;
    int calls = 0;
    environ = NULL;
    assert_int_equal(ps__env_with(LENT "=yes", look_alone, &calls), PS_OK);
    assert_int_equal(calls, 1);
    assert_variable(LENT, NULL);
    environ = before;
}

static void no_memory_changes_nothing(void **state)
{
    (void)state;
    int calls = 0;
    char **before = environ;
    ps__fault_set(1, false);
    assert_int_equal(ps__env_with(LENT "=yes", look, &calls), PS_ERR_MEMORY);
    ps__fault_set(0, false);
    assert_int_equal(calls, 0);
    assert_ptr_equal(environ, before);
}

static atomic_bool over;

/* How often the variable that nobody changes was not found. */
static void *read_on(void *arg)
{
    long *missed = arg;
    while (!atomic_load(&over)) {
        const char *value = getenv(NAME);
        *missed += value == NULL || strcmp(value, "other") != 0;
    }
    return NULL;
}

static void nothing(void *arg)
{
    (void)arg;
}

static void threads_read_meanwhile(void **state)
{
    (void)state;
    pthread_t reader;
    long missed = 0;
    set("other");
    assert_int_equal(pthread_create(&reader, NULL, read_on, &missed), 0);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(ps__env_with(LENT "=yes", nothing, NULL), PS_OK);
    atomic_store(&over, true);
    assert_int_equal(pthread_join(reader, NULL), 0);
    assert_int_equal(missed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unset_and_empty_leave_the_default),
        cmocka_unit_test(whole_numbers_in_range_are_taken),
        cmocka_unit_test(other_counts_are_refused),
        cmocka_unit_test(bytes_may_have_suffixes),
        cmocka_unit_test(other_bytes_are_refused),
        cmocka_unit_test(choices_are_words_of_the_list),
        cmocka_unit_test(endless_values_and_lists_are_survived),
        cmocka_unit_test(an_entry_is_there_for_a_time),
        cmocka_unit_test(what_changes_meanwhile_stays),
        cmocka_unit_test(an_empty_environment),
        cmocka_unit_test(no_memory_changes_nothing),
        cmocka_unit_test(threads_read_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
