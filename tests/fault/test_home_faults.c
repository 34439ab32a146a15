/* No memory while a device is first used: what was begun is undone, and it works the next time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "device/late/late.h"
#include "memory/pool.h"
#include "tensor/storage.h"

enum { LAST_FAULT = 100 };

static unsigned refused; /* how often a failed allocation was an error */

/* The Nth allocation fails on a device that nobody has used; true if there was an Nth. It may be one
 * that can be done without: what a pool may keep is read from the system. */
static bool fail_first_use(unsigned long nth)
{
    ps_device *device;
    const ps__home *home, *again;
    assert_int_equal(ps__late_create(&device), PS_OK);
    unsigned listed = ps__pools_listed();
    ps__fault_set(nth, false);
    ps_status status = ps__home_of(device, &home);
    bool failed = ps__fault_count() >= nth;
    ps__fault_set(0, false);
    assert_true(status == PS_OK || (failed && status == PS_ERR_MEMORY));
    assert_int_equal(ps__pools_listed(), listed + (status == PS_OK));
    refused += status != PS_OK;
    assert_int_equal(ps__home_of(device, &again), PS_OK);
    assert_int_equal(ps__pools_listed(), listed + 1);
    return failed;
}

static void a_device_that_cannot_be_used_leaves_nothing(void **state)
{
    (void)state;
    ps_engine *engine;
    assert_int_equal(ps_engine_default(&engine), PS_OK);
    (void)ps__home_cpu(); /* which has a pool too */
    unsigned long nth = 1;
    while (fail_first_use(nth))
        assert_true(++nth < LAST_FAULT);
    assert_int_equal(refused, 3); /* the entry, the queue, the pool */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_that_cannot_be_used_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
