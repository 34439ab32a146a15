/* A completion queue across fork: parent and child each have their own, with the same contents. */
#include "fixture.h"

#include <poll.h>
#include <sys/wait.h>

static bool readable(ps_completions *completions)
{
    struct pollfd watched = {.fd = ps_completions_fd(completions), .events = POLLIN};
    return poll(&watched, 1, 0) == 1;
}

static bool pops(ps_completions *completions, uint64_t want)
{
    uint64_t tag = 0;
    ps_status status = PS_ERR_TASK;
    return ps_completions_pop(completions, &tag, &status) == PS_OK && tag == want &&
           status == PS_OK;
}

/* Exit code of a child that must find one completion, take it, and get another of its own. */
static int in_the_child(ps_engine *engine, ps_completions *completions)
{
    ps_var *x = NULL;
    if (!readable(completions) || !pops(completions, 7) || readable(completions))
        return 1;
    if (ps_var_create(engine, &x) != PS_OK || ps_completions_watch(completions, x, 8) != PS_OK ||
        ps_wait_all(engine, NULL) != PS_OK)
        return 2;
    return readable(completions) && pops(completions, 8) ? 0 : 3;
}

static void each_has_its_own(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    ps_completions *completions = NULL;
    CHECK_OK(ps_completions_create(engine, &completions));
    CHECK_OK(ps_completions_watch(completions, x, 7));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_true(readable(completions));
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(in_the_child(engine, completions));
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    assert_int_equal(WEXITSTATUS(result), 0);
    assert_true(readable(completions)); /* what the child popped is still here */
    assert_true(pops(completions, 7));
    assert_false(readable(completions));
    ps_completions_destroy(completions);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_has_its_own)};
    return FIXTURE_RUN(tests);
}
