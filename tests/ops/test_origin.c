/* Axes and positions in the texts of errors count as the language does that called or queued. */
#include "help.h"
#include "penstock_ops.h"

#include <pthread.h>

static bool resolve(void *state, uint64_t id, ps_place *place)
{
    (void)state;
    place->file = "program.r";
    place->line = id;
    return true;
}

static uint64_t base; /* of a frontend that counts from 1 */

static int setup(void **state)
{
    (void)state;
    const ps_frontend frontend = {.size = sizeof frontend,
                                  .name = "counts from 1",
                                  .origin = 1,
                                  .resolve = resolve};
    return ps_frontend_register(&frontend, &base) == PS_OK ? 0 : -1;
}

static void enter(void)
{
    CHECK_OK(ps_thread_set_hooks(&(ps_hooks){.size = sizeof(ps_hooks), .frontend = base}));
}

static void leave(void)
{
    CHECK_OK(ps_thread_set_hooks(NULL));
}

static ps_status at_position(ps_tensor *x, int64_t position)
{
    ps_tensor *view = NULL;
    ps_index index[] = {{.kind = PS_INDEX_RANGE,
                         .start = PS_INDEX_NONE,
                         .stop = PS_INDEX_NONE,
                         .step = PS_INDEX_NONE},
                        {.kind = PS_INDEX_AT, .start = position}};
    return ps_tensor_index(x, index, 2, &view);
}

static ps_tensor *matrix(void)
{
    return CALL("zeros", INTS(2, 3));
}

static void views_count_as_the_caller(void **state)
{
    (void)state;
    ps_tensor *x = matrix(), *out = NULL;
    CHECK_FAILS(PS_ERR_INDEX, "index 5 is out of bounds for axis 1 with size 3", at_position(x, 5));
    enter();
    CHECK_FAILS(PS_ERR_INDEX, "index 6 is out of bounds for axis 2 with size 3", at_position(x, 5));
    CHECK_FAILS(PS_ERR_INDEX, "index -4 is out of bounds for axis 2 with size 3",
                at_position(x, -4));
    CHECK_FAILS(PS_ERR_INDEX, "index 9223372036854775807 is out", at_position(x, INT64_MAX));
    CHECK_FAILS(PS_ERR_ARGUMENT, "permute: axis 2 is named twice",
                ps_tensor_permute(x, (int[]){1, 1}, 2, &out));
    leave();
    CHECK_FAILS(PS_ERR_ARGUMENT, "permute: axis 1 is named twice",
                ps_tensor_permute(x, (int[]){1, 1}, 2, &out));
    ps_tensor_release(x);
}

static ps_status try_call(const char *name, size_t nargs, const ps_arg *args)
{
    ps_tensor *out = NULL;
    return call_into(name, nargs, args, &out);
}

static void operations_count_as_the_caller(void **state)
{
    (void)state;
    ps_tensor *x = matrix(), *none = CALL("zeros", INTS(2, 0));
    enter();
    CHECK_FAILS(PS_ERR_ARGUMENT, "sum: axis 8 is out of range for 2 dimensions",
                try_call("sum", ARGS(T(x), INTS(7))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "sum: axis -7 is out of range",
                try_call("sum", ARGS(T(x), INTS(-7))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "sum: axis 1 is given twice",
                try_call("sum", ARGS(T(x), INTS(0, -2))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "squeeze: axis 2 of shape (2, 3)",
                try_call("squeeze", ARGS(T(x), INTS(1))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "permute: axes (1, 2, 3) for",
                try_call("permute", ARGS(T(x), INTS(0, 1, 2))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "along axis 2 of shape (2, 0)",
                try_call("argmax", ARGS(T(none), I(1))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "the length of axis 2 of shape",
                try_call("topk", ARGS(T(x), I(4), I(1))));
    leave();
    CHECK_FAILS(PS_ERR_ARGUMENT, "sum: axis 7 is out of range",
                try_call("sum", ARGS(T(x), INTS(7))));
    ps_tensor_release(x);
    ps_tensor_release(none);
}

/* ---- while running ----------------------------------------------------------------------- */

static ps_tensor *bad_take(uint64_t location)
{
    ps_tensor *x = matrix(), *out = NULL, *indices;
    const int64_t positions[] = {0, 1, 99};
    const ps_op *take;
    CHECK_OK(ps_tensor_from_host(PS_INT64, SHAPE(3), NULL, positions, NULL, &indices));
    CHECK_OK(ps_op_find("take", &take));
    CHECK_OK(ps_op_call(take, &(ps_call){.size = sizeof(ps_call),
                                         .args = (ps_arg[]){T(x), T(indices), I(1)},
                                         .nargs = 3,
                                         .outputs = &out,
                                         .noutputs = 1,
                                         .location = location}));
    ps_tensor_release(indices);
    ps_tensor_release(x);
    return out;
}

static const char *text_of(ps_tensor *x)
{
    static ps_error_info info;
    assert_int_equal(ps_tensor_wait(x, NULL), PS_ERR_INDEX);
    info.size = sizeof info;
    CHECK_OK(ps_last_error_info(&info));
    return info.text;
}

#define FROM_1                                                                                     \
    "take: index 100 is out of range for axis 2 with length 3; it is number 3 of the indices (in " \
    "take, queued at program.r, line 12)"
#define FROM_0                                                                                     \
    "take: index 99 is out of range for axis 1 with length 3; it is number 2 of the indices"

static void *wait_elsewhere(void *x)
{
    return strcmp(text_of(x), FROM_1) == 0 ? x : NULL;
}

/* Whoever waits: this thread, one of the other frontend, and one of no frontend. */
static void tasks_count_as_who_queued(void **state)
{
    (void)state;
    enter();
    const uint64_t here = PS_HERE, line = __LINE__;
    ps_tensor *x = bad_take(base | 12), *y = bad_take(here);
    assert_string_equal(text_of(x), FROM_1);
    char wanted[1000];
    snprintf(wanted, sizeof wanted, FROM_0 " (in take, queued at %s, line %d)", __FILE__,
             (int)line);
    assert_string_equal(text_of(y), wanted);
    leave();
    assert_string_equal(text_of(x), FROM_1);
    pthread_t thread;
    void *same;
    assert_int_equal(pthread_create(&thread, NULL, wait_elsewhere, x), 0);
    pthread_join(thread, &same);
    assert_ptr_equal(same, x);
    ps_tensor_release(x);
    ps_tensor_release(y);
}

/* Those of penstock_ops.h; one whose function was named first has no line. */
static void calls_in_c_name_their_line(void **state)
{
    (void)state;
    char wanted[1000];
    ps_status (*take)(ps_arg x, ps_arg indices, ps_tensor * *result) = ps_take;
    ps_tensor *x = CALL("zeros", INTS(3)), *places = CALL("full", INTS(2), I(7));
    ps_tensor *y = NULL, *z = NULL;
    const int line = __LINE__ + 1;
    CHECK_OK(ps_take(PS_ARG(x), PS_ARG(places), &y));
    CHECK_OK(take(PS_ARG(x), PS_ARG(places), &z));
    snprintf(wanted, sizeof wanted, "(in take, queued at %s, line %d)", __FILE__, line);
    assert_non_null(strstr(text_of(y), wanted));
    assert_non_null(strstr(text_of(z), "(in take, queued operation "));
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(z);
    ps_tensor_release(places);
}

static void synchronous_tasks_too(void **state)
{
    (void)state;
    CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
    ps_tensor *x = matrix(), *out = NULL;
    const ps_op *take;
    CHECK_OK(ps_op_find("take", &take));
    CHECK_FAILS(PS_ERR_INDEX, "index 100 is out of range for axis 1",
                ps_op_call(take, &(ps_call){.size = sizeof(ps_call),
                                            .args = (ps_arg[]){T(x), I(99), I(0)},
                                            .nargs = 3,
                                            .outputs = &out,
                                            .noutputs = 1,
                                            .location = base | 1}));
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    ps_tensor_release(out);
    ps_tensor_release(x);
}

static void only_frontends_have_threads(void **state)
{
    (void)state;
    const uint64_t bad[] = {base | 1, UINT64_C(126) << 56, UINT64_MAX, 1, UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_FAILS(PS_ERR_ARGUMENT, "hooks.frontend is 0x",
                    ps_thread_set_hooks(&(ps_hooks){.size = sizeof(ps_hooks), .frontend = bad[i]}));
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_count_as_the_caller),
        cmocka_unit_test(operations_count_as_the_caller),
        cmocka_unit_test(tasks_count_as_who_queued),
        cmocka_unit_test(calls_in_c_name_their_line),
        cmocka_unit_test(synchronous_tasks_too),
        cmocka_unit_test(only_frontends_have_threads),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
