/* Names, texts and numbers of the status codes, and the version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "penstock.h"

/* Written out a second time on purpose: compiled programs carry these numbers. */
static const struct {
    int number;
    const char *name;
} published[] = {
    {0, "PS_OK"},
    {1, "PS_ERR_ARGUMENT"},
    {2, "PS_ERR_MEMORY"},
    {3, "PS_ERR_THREAD"},
    {4, "PS_ERR_CLOSED"},
    {5, "PS_ERR_STATE"},
    {6, "PS_ERR_DEADLOCK"},
    {7, "PS_ERR_TIMEOUT"},
    {8, "PS_ERR_INTERRUPTED"},
    {9, "PS_ERR_EMPTY"},
    {10, "PS_ERR_TASK"},
    {11, "PS_ERR_FORKED"},
    {12, "PS_ERR_ENVIRONMENT"},
    {13, "PS_ERR_SYSTEM"},
    {14, "PS_ERR_DROPPED"},
    {15, "PS_ERR_MORE"},
    {16, "PS_ERR_DEVICE"},
    {17, "PS_ERR_TYPE"},
    {18, "PS_ERR_INDEX"},
    {19, "PS_ERR_UNSUPPORTED"},
};

enum { PUBLISHED = sizeof published / sizeof published[0] };

static void published_numbers_keep_their_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < PUBLISHED; i++)
        assert_string_equal(ps_status_name((ps_status)published[i].number), published[i].name);
}

static void every_status_has_a_text_of_its_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < PUBLISHED; i++) {
        const char *text = ps_status_text((ps_status)published[i].number);
        assert_true(strlen(text) > 0);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(text, ps_status_text((ps_status)published[j].number));
    }
    assert_string_equal(ps_status_text(PS_ERR_TIMEOUT), "timed out");
}

static void the_list_has_no_status_that_is_not_published(void **state)
{
    (void)state;
    size_t count = 0;
#define COUNT(name, number, text) count++;
    PS_STATUS_LIST(COUNT)
#undef COUNT
    assert_int_equal(count, PUBLISHED);
}

static void other_numbers_have_a_fixed_text(void **state)
{
    (void)state;
    const int numbers[] = {-1, PUBLISHED, 1000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        assert_string_equal(ps_status_name((ps_status)numbers[i]), "PS_UNKNOWN");
        assert_string_equal(ps_status_text((ps_status)numbers[i]), "unknown status");
    }
}

static void the_version_is_that_of_the_header(void **state)
{
    (void)state;
    char version[64];
    snprintf(version, sizeof version, "%d.%d.%d", PS_VERSION_MAJOR, PS_VERSION_MINOR,
             PS_VERSION_PATCH);
    assert_string_equal(ps_version(), version);
    assert_true(ps_abi_version() > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_numbers_keep_their_names),
        cmocka_unit_test(every_status_has_a_text_of_its_own),
        cmocka_unit_test(the_list_has_no_status_that_is_not_published),
        cmocka_unit_test(other_numbers_have_a_fixed_text),
        cmocka_unit_test(the_version_is_that_of_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
