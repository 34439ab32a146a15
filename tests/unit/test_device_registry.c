/* Which devices there are and by which names they are found; and the CPU as a device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/atomic.h"
#include "device/device.h"

static ps_device *found(const char *name)
{
    ps_device *device = NULL;
    return ps_device_find(name, &device) == PS_OK ? device : NULL;
}

static void assert_says(const char *text)
{
    if (!strstr(ps_last_error(), text))
        fail_msg("\"%s\" does not say \"%s\"", ps_last_error(), text);
}

/* ---- The registry ---------------------------------------------------------------------- */

static unsigned seen;
static ps_device *last_seen;

static void count(ps_device *device)
{
    seen++;
    last_seen = device;
}

/* Runs before any device is added. */
static void the_cpu_is_always_there(void **state)
{
    (void)state;
    assert_non_null(ps__device_cpu());
    assert_ptr_equal(found("cpu"), ps__device_cpu());
    assert_ptr_equal(found("cpu:0"), ps__device_cpu());
    assert_string_equal(ps_device_name(ps__device_cpu()), "cpu:0");
    assert_string_equal(ps_device_name(NULL), "cpu:0");
    seen = 0;
    ps__device_each(count);
    assert_int_equal(seen, 1);
    assert_ptr_equal(last_seen, ps__device_cpu());
}

static void the_cpu_has_more_names(void **state)
{
    (void)state;
    ps_device *first = found("cpu:1"), *last = found("cpu:63");
    assert_string_equal(ps_device_name(first), "cpu:1");
    assert_string_equal(ps_device_name(last), "cpu:63");
    assert_ptr_equal(found("cpu:1"), first);
    assert_true(ps__device_is_host(first) && ps__device_is_host(ps__device_cpu()));
    assert_ptr_not_equal(first, ps__device_cpu());
}

static void bad_names_are_refused_with_a_list(void **state)
{
    (void)state;
    ps_device *device = ps__device_cpu();
    static const char *const unknown[] = {"gpu", "", "cpu:64", "cpu:", "cp", "cpu:00", "CPU", ":0"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        if (ps_device_find(unknown[i], &device) != PS_ERR_ARGUMENT)
            fail_msg("\"%s\" was found", unknown[i]);
        assert_says("cpu:0");
        assert_says(unknown[i]);
    }
    assert_int_equal(ps_device_find(NULL, &device), PS_ERR_ARGUMENT);
    assert_says("name");
    assert_int_equal(ps_device_find("cpu", NULL), PS_ERR_ARGUMENT);
    assert_ptr_equal(device, ps__device_cpu());
}

static void devices_of_a_kind_are_numbered(void **state)
{
    (void)state;
    static const ps__device_table table = {.kind = "loom", .queues = 1};
    static const ps__device_table similar = {.kind = "loo", .queues = PS__DEVICE_QUEUES};
    static ps_device looms[3], other;
    for (int i = 0; i < 3; i++)
        assert_int_equal(ps__device_add(&looms[i], &table), PS_OK);
    assert_int_equal(ps__device_add(&other, &similar), PS_OK);
    assert_ptr_equal(found("loom"), &looms[0]);
    assert_ptr_equal(found("loom:0"), &looms[0]);
    assert_ptr_equal(found("loom:1"), &looms[1]);
    assert_ptr_equal(found("loom:2"), &looms[2]);
    assert_null(found("loom:3"));
    assert_says("loom:2");
    assert_says("loo:0");
    assert_says("cpu:0");
    assert_ptr_equal(found("loo"), &other);
    assert_string_equal(looms[1].name, "loom:1");
    assert_ptr_equal(looms[1].table, &table);
    seen = 0;
    ps__device_each(count);
    assert_int_equal(seen, 5);
    assert_ptr_equal(found("cpu"), ps__device_cpu());
}

static void bad_devices_are_not_added(void **state)
{
    (void)state;
    static ps_device device, twice;
    const ps__device_table nameless = {.kind = NULL}, empty = {.kind = ""}, colon = {.kind = "a:b"},
                           lengthy = {.kind = "a-kind-that-is-far-too-long-for-it"},
                           broad = {.kind = "broad", .queues = PS__DEVICE_QUEUES + 1};
    static const ps__device_table good = {.kind = "good", .queues = 1};
    assert_int_equal(ps__device_add(NULL, &good), PS_ERR_ARGUMENT);
    assert_int_equal(ps__device_add(&device, NULL), PS_ERR_ARGUMENT);
    assert_int_equal(ps__device_add(&device, &nameless), PS_ERR_ARGUMENT);
    assert_int_equal(ps__device_add(&device, &empty), PS_ERR_ARGUMENT);
    assert_int_equal(ps__device_add(&device, &colon), PS_ERR_ARGUMENT);
    assert_int_equal(ps__device_add(&device, &lengthy), PS_ERR_ARGUMENT);
    assert_int_equal(ps__device_add(&device, &broad), PS_ERR_ARGUMENT);
    assert_null(found("broad"));
    assert_int_equal(ps__device_add(&twice, &good), PS_OK);
    assert_int_equal(ps__device_add(&twice, &good), PS_ERR_STATE);
    assert_null(found("good:1"));
    assert_int_equal(ps__device_add(ps__device_cpu(), &good), PS_ERR_STATE);
    assert_string_equal(ps__device_cpu()->name, "cpu:0");
}

enum { ADDERS = 4, EACH = 50 };

static const ps__device_table crowd_table = {.kind = "crowd", .queues = 1};
static ps_device crowd[ADDERS][EACH];

static void *add_many(void *arg)
{
    ps_device *devices = arg;
    for (int i = 0; i < EACH; i++) {
        ps_device *any;
        if (ps__device_add(&devices[i], &crowd_table) != PS_OK ||
            ps_device_find("crowd", &any) != PS_OK)
            return devices; /* not NULL: a failure */
    }
    return NULL;
}

static void devices_may_be_added_from_many_threads(void **state)
{
    (void)state;
    pthread_t threads[ADDERS];
#ifdef PENSTOCK_TESTING
    ps__step_configure(3, 1); /* otherwise they hardly meet */
#endif
    for (int i = 0; i < ADDERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, crowd[i]), 0);
    for (int i = 0; i < ADDERS; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
#ifdef PENSTOCK_TESTING
    ps__step_configure(0, 0);
#endif
    for (int i = 0; i < ADDERS * EACH; i++) { /* no number twice, none left out */
        char name[32];
        snprintf(name, sizeof name, "crowd:%d", i);
        assert_non_null(found(name));
    }
    assert_null(found("nothing")); /* a list that does not fit is cut */
    assert_says("crowd:");
}

/* ---- The CPU --------------------------------------------------------------------------- */

static void the_cpu_has_memory(void **state)
{
    (void)state;
    ps_device *cpu = ps__device_cpu();
    char *memory = cpu->table->allocate(cpu, 100000, 1 << 16);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % (1 << 16), 0);
    memset(memory, 1, 100000);
    assert_int_equal(cpu->table->copy(cpu, 0, memory + 10, "abc", 4), PS_OK);
    assert_string_equal(memory + 10, "abc");
    assert_int_equal(cpu->table->copy(cpu, 0, NULL, NULL, 0), PS_OK);
    assert_int_equal(cpu->table->copy(cpu, 0, NULL, "abc", 4), PS_ERR_ARGUMENT);
    assert_int_equal(cpu->table->copy(cpu, 0, memory, NULL, 4), PS_ERR_ARGUMENT);
    cpu->table->release(cpu, memory, 100000);
}

static void raise_count(void *arg)
{
    ++*(int *)arg;
}

static void note_status(void *arg, ps_status status)
{
    *(int *)arg = 100 + (int)status;
}

static void the_cpu_does_everything_at_once(void **state)
{
    (void)state;
    ps_device *cpu = ps__device_cpu();
    const ps__device_table *table = cpu->table;
    int done = 0, told = 0;
    uint64_t ticket = 77;
    assert_int_equal(table->queues, 0);
    assert_int_equal(table->launch(cpu, 0, raise_count, &done), PS_OK);
    assert_int_equal(done, 1);
    assert_int_equal(table->record(cpu, 0, &ticket), PS_OK);
    assert_int_equal(table->wait_event(cpu, 0, 0, ticket), PS_OK);
    assert_int_equal(table->notify(cpu, 0, ticket, note_status, &told), PS_OK);
    assert_int_equal(told, 100 + PS_OK);
    assert_int_equal(table->synchronise(cpu, 0), PS_OK);
    assert_int_equal(table->launch(cpu, 0, NULL, NULL), PS_ERR_ARGUMENT);
    assert_int_equal(table->notify(cpu, 0, ticket, NULL, NULL), PS_ERR_ARGUMENT);
    assert_int_equal(table->record(cpu, 0, NULL), PS_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cpu_is_always_there),
        cmocka_unit_test(the_cpu_has_more_names),
        cmocka_unit_test(bad_names_are_refused_with_a_list),
        cmocka_unit_test(devices_of_a_kind_are_numbered),
        cmocka_unit_test(bad_devices_are_not_added),
        cmocka_unit_test(devices_may_be_added_from_many_threads),
        cmocka_unit_test(the_cpu_has_memory),
        cmocka_unit_test(the_cpu_does_everything_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
