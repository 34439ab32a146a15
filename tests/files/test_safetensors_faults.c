/* Out of memory at every point of saving and opening safetensors files: the Nth call for memory fails,
 * for N = 1, 2, 3 ... until none is left to fail; once with only that call failing, once with all
 * after it too. What must hold is in test_faults.c. */
#include "engine/faults.h"

#include "files/help.h"

enum { LAST_FAULT = 500, LENGTH = 30000, TENSORS = 20 };

static char names[TENSORS][12];

/* More than lists have room for at first; every other one has strides. */
static void make_tensors(ps_tensor *tensors[TENSORS])
{
    static float values[LENGTH];
    for (int i = 0; i < TENSORS; i++) {
        ps_tensor *base;
        snprintf(names[i], sizeof names[i], "%d", i);
        CHILD_CHECK(ps_tensor_from_host(PS_FLOAT32, 2, (int64_t[]){3, LENGTH / 3}, NULL, values,
                                        NULL, &base) == PS_OK);
        tensors[i] = base;
        if (i % 2 == 0)
            continue;
        CHILD_CHECK(ps_tensor_permute(base, NULL, 0, &tensors[i]) == PS_OK);
        ps_tensor_release(base);
    }
}

static bool save(ps_tensor *tensors[TENSORS], size_t count)
{
    const char *texts[TENSORS], *metadata[] = {"k", "v"};
    for (int i = 0; i < TENSORS; i++)
        texts[i] = names[i];
    return fine(ps_safetensors_save(scratch("target"), texts, tensors, count, metadata, 1));
}

/* How many tensors the file has, all of which were read; 0 if there was no memory for that. */
static size_t load(uint32_t flags)
{
    ps_safetensors *file = NULL;
    bool made = fine(ps_safetensors_open(scratch("target"), flags, &file));
    size_t count = ps_safetensors_count(file);
    CHILD_CHECK(made == (file != NULL));
    for (size_t i = 0; i < count && made; i++) {
        ps_tensor *tensor = NULL;
        made = fine(ps_safetensors_tensor(file, i, &tensor));
        CHILD_CHECK(made == (tensor != NULL));
        ps_tensor_release(tensor);
    }
    ps_safetensors_close(file);
    return made ? count : 0;
}

static int run(void *arg)
{
    const fault *f = arg;
    ps_tensor *tensors[TENSORS];
    make_tensors(tensors);
    CHILD_CHECK(save(tensors, 1));
    fault_begin(f);
    bool saved = save(tensors, TENSORS);
    load(0);
    load(PS_SAFETENSORS_BORROW);
    int code = fault_end(f);
    CHILD_CHECK(scratch_count() == 1);
    CHILD_CHECK(load(0) == (saved ? TENSORS : 1));
    CHILD_CHECK(save(tensors, TENSORS) && load(PS_SAFETENSORS_BORROW) == TENSORS);
    for (int i = 0; i < TENSORS; i++)
        ps_tensor_release(tensors[i]);
    return code;
}

static void check_all(bool sticky)
{
    scratch(""); /* made here, not by each child */
    assert_true(faults_play("safetensors", run, NULL, sticky, LAST_FAULT) >=
                20); /* were there to fail */
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
