/* Out of memory at every point of saving and loading: the Nth call for memory fails, for N = 1, 2,
 * 3 ... until none is left to fail; once with only that call failing, once with all after it too.
 *
 * What must hold each time: no crash, no leak (AddressSanitizer's build looks), PS_ERR_MEMORY from
 * the call that lacked it, the old file in its place and no other beside it; and when there is memory
 * again, all works again. Each run is a child process, so that nothing is left over. */
#include "engine/faults.h"

#include "files/help.h"

enum { LAST_FAULT = 500, LENGTH = 30000 };

/* A file that is there before, and what is to be saved: the second tensor has strides. */
static void prepare(ps_params **old, ps_tensor *tensors[2])
{
    static float values[LENGTH];
    ps_tensor *base;
    CHILD_CHECK(ps_params_load(recorded("nd_types"), 0, old) == PS_OK);
    CHILD_CHECK(params_save_again(scratch("target"), *old, PS_PARAMS_V2) == PS_OK);
    CHILD_CHECK(ps_tensor_from_host(PS_FLOAT32, 2, (int64_t[]){3, LENGTH / 3}, NULL, values, NULL,
                                    &base) == PS_OK);
    CHILD_CHECK(ps_tensor_permute(base, NULL, 0, &tensors[1]) == PS_OK);
    tensors[0] = base;
}

static ps_params *load(void)
{
    ps_params *params = NULL;
    bool made = fine(ps_params_load(scratch("target"), 0, &params));
    CHILD_CHECK(made == (params != NULL));
    return params;
}

/* Under faults; true if the new file was written. */
static bool save_and_load(ps_params *old, ps_tensor *tensors[2])
{
    const char *names[] = {"a", "b"};
    ps_params *before = load();
    CHILD_CHECK(before == NULL || params_equal(before, old));
    ps_params_free(before);
    bool saved = fine(ps_params_save(scratch("target"), names, tensors, 2, PS_PARAMS_V3));
    ps_params_free(load());
    return saved;
}

static int run(void *arg)
{
    const fault *f = arg;
    ps_params *old, *now;
    ps_tensor *tensors[2];
    prepare(&old, tensors);
    fault_begin(f);
    bool saved = save_and_load(old, tensors);
    int code = fault_end(f);
    CHILD_CHECK(scratch_count() == 1);
    CHILD_CHECK((now = load()) != NULL && ps_params_count(now) == (saved ? 2 : 8));
    CHILD_CHECK(saved || params_equal(now, old));
    CHILD_CHECK(save_and_load(now, tensors));
    ps_params_free(old);
    ps_params_free(now);
    ps_tensor_release(tensors[0]);
    ps_tensor_release(tensors[1]);
    return code;
}

static void check_all(bool sticky)
{
    scratch(""); /* made here, not by each child */
    assert_true(faults_play("params", run, NULL, sticky, LAST_FAULT) >=
                10); /* were there to fail */
}

static void one_call_fails(void **state)
{
    (void)state;
    check_all(false);
}

static void all_after_it_fail_too(void **state)
{
    (void)state;
    check_all(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_call_fails),
        cmocka_unit_test(all_after_it_fail_too),
    };
    return FIXTURE_RUN(tests);
}
