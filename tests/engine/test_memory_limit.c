/* The hard limit inside of tasks: an allocation over it waits until its task is alone, and only
 * then fails, as an error on the task. */
#include "fixture.h"

enum { MB = 1 << 20 };

static uint64_t in_use(void)
{
    ps_memory_stats stats = {.size = sizeof stats};
    ps_memory_trim();
    CHECK_OK(ps_memory_get_stats(&stats));
    return stats.live + stats.cached;
}

/* Blocks of `bytes`, and a rendezvous: each task gets its first block before any goes on. */
typedef struct hungry {
    size_t bytes;
    unsigned blocks, company;
    tally *met;
    tally done;
} hungry;

static ps_status eat(ps_task *self, void *arg)
{
    hungry *h = arg;
    void *block[4] = {0};
    ps_status status = PS_OK;
    (void)self;
    for (unsigned i = 0; i < h->blocks && status == PS_OK; i++) {
        status = ps_memory_alloc(h->bytes, &block[i]);
        if (i == 0 && h->met != NULL) {
            tally_add(h->met);
            if (!tally_reaches(h->met, h->company))
                status = PS_ERR_STATE;
        }
    }
    for (unsigned i = 0; i < h->blocks; i++)
        if (block[i] != NULL)
            ps_memory_free(block[i], h->bytes);
    tally_add(&h->done);
    return status;
}

/* Each fits alone, no two fit together: they take turns and none fails. */
static void tasks_take_turns(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(3);
    CHECK_OK(ps_memory_set_limit(in_use() + 16 * MB));
    hungry h = {.bytes = 12 * MB, .blocks = 1};
    for (int i = 0; i < 50; i++)
        CHECK_OK(fixture_push(engine, eat, &h, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&h.done), 50);
    CHECK_OK(ps_memory_set_limit(0));
    CHECK_OK(ps_engine_destroy(engine));
}

/* More than the limit even alone: an error on the task, with the sizes, and nothing else suffers. */
static void too_much_is_an_error_on_the_task(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    CHECK_OK(ps_memory_set_limit(in_use() + 16 * MB));
    hungry big = {.bytes = 64 * MB, .blocks = 1}, small = {.bytes = MB, .blocks = 1};
    CHECK_OK(fixture_push(engine, eat, &big, NULL, x));
    CHECK_OK(fixture_push(engine, eat, &small, NULL, y));
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_MEMORY);
    CHECK_OK(ps_wait_read(y, NULL));
    CHECK_OK(ps_memory_set_limit(0));
    CHECK_OK(fixture_push(engine, eat, &big, NULL, x)); /* overwrites it: the mark goes */
    CHECK_OK(ps_wait_read(x, NULL));
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Both hold a block and want another that fits only once the other gives way: the younger does. */
static void of_two_that_block_each_other_the_older_goes_on(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    CHECK_OK(ps_memory_set_limit(in_use() + 16 * MB));
    tally met = {0};
    hungry older = {.bytes = 6 * MB, .blocks = 2, .met = &met, .company = 2}, younger = older;
    CHECK_OK(fixture_push(engine, eat, &older, NULL, x));
    CHECK_OK(fixture_push(engine, eat, &younger, NULL, y));
    tally_wait(&older.done, 1);
    tally_wait(&younger.done, 1);
    CHECK_OK(ps_wait_read(x, NULL));
    CHECK_STATUS(ps_wait_read(y, NULL), PS_ERR_MEMORY);
    CHECK_OK(ps_memory_set_limit(0));
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_take_turns),
        cmocka_unit_test(too_much_is_an_error_on_the_task),
        cmocka_unit_test(of_two_that_block_each_other_the_older_goes_on),
    };
    return FIXTURE_RUN(tests);
}
