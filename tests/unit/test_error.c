/* The note of the last failed call: its fields, its limits, one per thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

static ps_error_info info_now(void)
{
    ps_error_info info = {.size = sizeof info};
    assert_int_equal(ps_last_error_info(&info), PS_OK);
    return info;
}

/* Runs before anything has failed on this thread. */
static void a_fresh_thread_has_no_error(void **state)
{
    (void)state;
    assert_string_equal(ps_last_error(), "");
    ps_error_info info = info_now();
    assert_int_equal(info.status, PS_OK);
    assert_string_equal(info.message, "");
    assert_null(info.operation);
    assert_int_equal(info.sequence, 0);
    assert_int_equal(info.location, 0);
}

static void a_failed_call_leaves_its_text(void **state)
{
    (void)state;
    assert_int_equal(ps__fail(PS_ERR_TIMEOUT, "waited %d %s", 7, "days"), PS_ERR_TIMEOUT);
    assert_string_equal(ps_last_error(), "waited 7 days");
    assert_int_equal(info_now().status, PS_ERR_TIMEOUT);
}

static void a_failed_task_leaves_all_its_fields(void **state)
{
    (void)state;
    char name[] = "matmul", text[] = "shapes differ";
    ps_error_info given = {.size = sizeof given,
                           .status = PS_ERR_TASK,
                           .sequence = UINT64_MAX - 1,
                           .operation = name,
                           .location = 99,
                           .message = text};
    assert_int_equal(ps__fail_info(&given), PS_ERR_TASK);
    memset(name, 'x', sizeof name - 1); /* the note has copies */
    memset(text, 'x', sizeof text - 1);
    ps_error_info info = info_now();
    assert_int_equal(info.status, PS_ERR_TASK);
    assert_true(info.sequence == UINT64_MAX - 1);
    assert_string_equal(info.operation, "matmul");
    assert_int_equal(info.location, 99);
    assert_string_equal(info.message, "shapes differ");
    assert_string_equal(ps_last_error(), "shapes differ");
}

static void fail_twice(void *arg)
{
    (void)ps__fail(PS_ERR_TIMEOUT, "%s", (const char *)arg);
    (void)info_now();
    (void)ps__fail(PS_ERR_DEADLOCK, "%s again", (const char *)arg);
}

static void what_fails_apart_leaves_the_last_one(void **state)
{
    (void)state;
    char text[] = "meanwhile";
    (void)ps__fail_info(&(ps_error_info){.size = sizeof(ps_error_info),
                                         .status = PS_ERR_TASK,
                                         .sequence = 5,
                                         .operation = "matmul",
                                         .message = "shapes differ"});
    ps__fail_apart(fail_twice, text);
    ps_error_info info = info_now();
    assert_int_equal(info.status, PS_ERR_TASK);
    assert_int_equal(info.sequence, 5);
    assert_string_equal(info.operation, "matmul");
    assert_string_equal(info.message, "shapes differ");
    assert_string_equal(info.text, "shapes differ (in matmul, queued operation 5)");
}

/* On a thread on which nothing has failed, nothing has after it. */
static void *fail_apart_only(void *arg)
{
    ps__fail_apart(fail_twice, arg);
    return (void *)(uintptr_t)(info_now().status == PS_OK && *ps_last_error() == '\0');
}

static void what_fails_apart_is_no_first_one(void **state)
{
    (void)state;
    pthread_t thread;
    void *nothing = NULL;
    char text[] = "meanwhile";
    assert_int_equal(pthread_create(&thread, NULL, fail_apart_only, text), 0);
    pthread_join(thread, &nothing);
    assert_non_null(nothing);
}

static void a_failed_call_is_no_failed_task(void **state)
{
    (void)state;
    ps_error_info given = {.size = sizeof given,
                           .status = PS_ERR_TASK,
                           .sequence = 5,
                           .operation = "add",
                           .location = 6,
                           .message = "m"};
    ps__fail_info(&given);
    ps__fail(PS_ERR_STATE, "not now");
    ps_error_info info = info_now();
    assert_int_equal(info.sequence, 0);
    assert_int_equal(info.location, 0);
    assert_null(info.operation);
}

static void a_missing_message_is_the_text_of_the_status(void **state)
{
    (void)state;
    ps_error_info given = {.size = sizeof given, .status = PS_ERR_DEVICE};
    ps__fail_info(&given);
    assert_string_equal(ps_last_error(), ps_status_text(PS_ERR_DEVICE));
    assert_null(info_now().operation);
}

static void a_message_may_contain_the_last_one(void **state)
{
    (void)state;
    ps__fail(PS_ERR_MEMORY, "inner");
    ps__fail(PS_ERR_MEMORY, "outer: %s (%s)", ps_last_error(), ps_last_error());
    assert_string_equal(ps_last_error(), "outer: inner (inner)");
    ps_error_info info = info_now();
    info.operation = info.message;
    ps__fail_info(&info);
    assert_string_equal(ps_last_error(), "outer: inner (inner)");
    assert_string_equal(info_now().operation, "outer: inner (inner)");
}

/* The euro sign has three bytes, so that at least one of three lengths before it would cut it. */
static void assert_well_formed(const char *text, size_t prefix)
{
    size_t length = strlen(text);
    assert_true(length > 200);
    assert_string_equal(text + length - 3, "...");
    assert_int_equal((length - 3 - prefix) % 3, 0);
}

static void long_texts_are_cut_between_characters(void **state)
{
    (void)state;
    static char longest[4000];
    for (size_t prefix = 0; prefix < 3; prefix++) {
        memset(longest, 'a', prefix);
        for (size_t i = prefix; i + 3 < sizeof longest; i += 3)
            memcpy(longest + i, "\xE2\x82\xAC", 4);
        ps__fail(PS_ERR_STATE, "%s", longest);
        assert_well_formed(ps_last_error(), prefix);
        assert_true(strlen(ps_last_error()) > 900);
        ps_error_info given = {.size = sizeof given,
                               .status = PS_ERR_TASK,
                               .operation = longest,
                               .message = longest};
        ps__fail_info(&given);
        assert_well_formed(info_now().message, prefix);
        assert_well_formed(info_now().operation, prefix);
    }
}

static void asking_wrongly_destroys_nothing(void **state)
{
    (void)state;
    ps__fail(PS_ERR_CLOSED, "kept");
    ps_error_info small = {.size = sizeof small.size};
    assert_int_equal(ps_last_error_info(NULL), PS_ERR_ARGUMENT);
    assert_int_equal(ps_last_error_info(&small), PS_ERR_ARGUMENT);
    assert_null(small.message);
    assert_string_equal(ps_last_error(), "kept");
}

static void a_larger_struct_of_the_future_is_served(void **state)
{
    (void)state;
    struct {
        ps_error_info info;
        uint64_t added;
    } grown = {.added = 0};
    grown.info.size = sizeof grown;
    ps__fail(PS_ERR_EMPTY, "nothing");
    assert_int_equal(ps_last_error_info(&grown.info), PS_OK);
    assert_int_equal(grown.info.size, sizeof grown);
    assert_int_equal(grown.added, 0);
    assert_string_equal(grown.info.message, "nothing");
}

static void *fail_elsewhere(void *arg)
{
    bool *fresh = arg;
    *fresh = ps_last_error()[0] == '\0';
    ps__fail(PS_ERR_THREAD, "elsewhere");
    return NULL;
}

static void threads_do_not_see_each_others_errors(void **state)
{
    (void)state;
    bool fresh = false;
    pthread_t thread;
    ps__fail(PS_ERR_CLOSED, "here");
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &fresh), 0);
    pthread_join(thread, NULL);
    assert_true(fresh);
    assert_string_equal(ps_last_error(), "here");
}

/* ---- Threads that come and go, and no memory --------------------------------------------- */

static void *fail_without_memory(void *arg)
{
    (void)arg;
    ps__fault_set(1, true);
    ps_status status = ps__fail(PS_ERR_DEVICE, "a text that has no room");
    const char *text = ps_last_error();
    ps_error_info info = {.size = sizeof info};
    ps_status asked = ps_last_error_info(&info);
    ps__fault_set(0, false);
    bool kept = status == PS_ERR_DEVICE && asked == PS_OK && info.status == PS_ERR_DEVICE &&
                strcmp(text, ps_status_text(PS_ERR_DEVICE)) == 0 && info.message[0] != '\0' &&
                info.operation == NULL && info.sequence == 0;
    return kept ? arg : NULL;
}

/* The next failure, which has memory, is told in full. */
static void *fail_without_memory_then_with(void *arg)
{
    if (fail_without_memory(arg) == NULL)
        return NULL;
    ps__fail(PS_ERR_STATE, "this has");
    ps_error_info info = {.size = sizeof info};
    bool told = ps_last_error_info(&info) == PS_OK && info.status == PS_ERR_STATE &&
                strcmp(info.message, "this has") == 0;
    return told ? arg : NULL;
}

static void *fail_task_without_memory(void *arg)
{
    ps_error_info given = {.size = sizeof given,
                           .status = PS_ERR_TASK,
                           .sequence = 5,
                           .operation = "add",
                           .message = "m"};
    ps__fault_set(1, true);
    ps_status status = ps__fail_info(&given);
    ps__fault_set(0, false);
    ps_error_info info = {.size = sizeof info};
    bool kept = status == PS_ERR_TASK && ps_last_error_info(&info) == PS_OK &&
                info.status == PS_ERR_TASK &&
                strcmp(info.message, ps_status_text(PS_ERR_TASK)) == 0;
    return kept ? arg : NULL;
}

static void without_memory_the_status_is_kept(void **state)
{
    void *(*const bodies[])(void *) = {fail_without_memory, fail_without_memory_then_with,
                                       fail_task_without_memory};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        pthread_t thread;
        void *passed = NULL;
        assert_int_equal(pthread_create(&thread, NULL, bodies[i], state), 0);
        pthread_join(thread, &passed);
        assert_non_null(passed);
    }
}

static pthread_key_t late_key;

/* Runs when its thread ends, perhaps after the note is gone. */
static void fail_late(void *rounds)
{
    ps__fail(PS_ERR_STATE, "at the end");
    if (rounds != (void *)1)
        pthread_setspecific(late_key, (void *)((uintptr_t)rounds - 1));
}

static void *fail_and_end(void *arg)
{
    ps__fail(PS_ERR_STATE, "in the thread");
    pthread_setspecific(late_key, arg);
    return NULL;
}

/* For the leak checker: notes end with their threads, also those that destructors make. */
static void notes_end_with_their_threads(void **state)
{
    (void)state;
    assert_int_equal(pthread_key_create(&late_key, fail_late), 0);
    for (uintptr_t i = 0; i < 100; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, fail_and_end, (void *)(i % 3)), 0);
        pthread_join(thread, NULL);
    }
    pthread_key_delete(late_key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fresh_thread_has_no_error),
        cmocka_unit_test(a_failed_call_leaves_its_text),
        cmocka_unit_test(a_failed_task_leaves_all_its_fields),
        cmocka_unit_test(what_fails_apart_leaves_the_last_one),
        cmocka_unit_test(what_fails_apart_is_no_first_one),
        cmocka_unit_test(a_failed_call_is_no_failed_task),
        cmocka_unit_test(a_missing_message_is_the_text_of_the_status),
        cmocka_unit_test(a_message_may_contain_the_last_one),
        cmocka_unit_test(long_texts_are_cut_between_characters),
        cmocka_unit_test(asking_wrongly_destroys_nothing),
        cmocka_unit_test(a_larger_struct_of_the_future_is_served),
        cmocka_unit_test(threads_do_not_see_each_others_errors),
        cmocka_unit_test(without_memory_the_status_is_kept),
        cmocka_unit_test(notes_end_with_their_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
