/* Writing that fails or is cut short: the target is always the old file or the new one, whole. */
#include "engine/process.h"

#include "files/help.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { LENGTH = 40000, KILLS = FIXTURE_SANITIZED ? 10 : 60, NOBODY = 65534, TAKEN = 300 };

/* ---- two files to tell apart ------------------------------------------------------------- */

static bool safetensors; /* the format that is written; else .params */

/* Two arrays: a few numbers, and as many as need several writes. */
static ps_status save(const char *path, float value)
{
    static _Thread_local float many[LENGTH]; /* too large for the stack of a thread */
    float few[3] = {value, value + 1, value + 2};
    ps_tensor *tensors[2] = {NULL, NULL};
    const char *names[] = {"few", "many"};
    for (int i = 0; i < LENGTH; i++)
        many[i] = value;
    ps_status status =
        ps_tensor_from_host(PS_FLOAT32, 1, (int64_t[]){3}, NULL, few, NULL, &tensors[0]);
    if (status == PS_OK)
        status =
            ps_tensor_from_host(PS_FLOAT32, 1, (int64_t[]){LENGTH}, NULL, many, NULL, &tensors[1]);
    if (status == PS_OK)
        status = safetensors ? ps_safetensors_save(path, names, tensors, 2, NULL, 0)
                             : ps_params_save(path, names, tensors, 2, PS_PARAMS_V2);
    int code = errno;
    ps_tensor_release(tensors[0]);
    ps_tensor_release(tensors[1]);
    errno = code;
    return status;
}

static bool file_is(const char *path, const bytes *wanted)
{
    bytes found;
    if (!bytes_read(path, &found))
        return false;
    bool same = bytes_equal(found, *wanted);
    free(found.data);
    return same;
}

static bytes saved_bytes(float value)
{
    bytes result;
    assert_int_equal(save(scratch("sample"), value), PS_OK);
    assert_true(bytes_read(scratch("sample"), &result));
    remove(scratch("sample"));
    return result;
}

/* ---- what the system refuses ------------------------------------------------------------- */

static void check_refused(const char *path, int code)
{
    errno = 0;
    ps_status status = save(path, 1);
    int got = errno;
    assert_int_equal(status, PS_ERR_SYSTEM);
    assert_int_equal(got, code);
    assert_non_null(strstr(ps_last_error(), strerror(code)));
    assert_non_null(strstr(ps_last_error(), path));
}

static void full_disks_and_wrong_places(void **state)
{
    (void)state;
    struct stat info;
    char name[5000];
    check_refused("/dev/full", ENOSPC);
    assert_int_equal(stat("/dev/full", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    check_refused(scratch(""), EISDIR);
    check_refused(scratch("no-such-folder/file"), ENOENT);
    memset(name, 'x', sizeof name);
    name[300] = 0;
    check_refused(scratch(name), ENAMETOOLONG);
    name[300] = 'x';
    name[sizeof name - 1] = 0;
    assert_int_equal(save(name, 1), PS_ERR_SYSTEM);
    assert_int_equal(scratch_count(), 0);
    assert_int_equal(save("/dev/null", 1), PS_OK);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

/* Root may write everywhere, so the child becomes somebody else. */
static int become_nobody_and_save(void *path)
{
    CHILD_CHECK(getuid() != 0 || setresuid(NOBODY, NOBODY, NOBODY) == 0);
    CHILD_CHECK(save(path, 2) == PS_ERR_SYSTEM && errno == EACCES);
    return 0;
}

static void without_permission(void **state)
{
    (void)state;
    char path[4096];
    bytes old = saved_bytes(1);
    snprintf(path, sizeof path, "%s", scratch("target"));
    assert_int_equal(save(path, 1), PS_OK);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(scratch(""), 0777), 0);
    assert_int_equal(child_run(become_nobody_and_save, path), 0);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(chmod(scratch(""), 0555), 0);
    assert_int_equal(child_run(become_nobody_and_save, path), 0);
    assert_int_equal(chmod(scratch(""), 0700), 0);
    assert_true(file_is(path, &old));
    assert_int_equal(scratch_count(), 1);
    remove(path);
    free(old.data);
}

/* ---- files of a limited size: a disk that is full after so many bytes -------------------- */

typedef struct limited {
    size_t limit;
    const bytes *old;
} limited;

static void limit_files(size_t size)
{
    struct rlimit limit = {.rlim_cur = size, .rlim_max = RLIM_INFINITY};
    CHILD_CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static int fail_at_byte(void *arg)
{
    const limited *l = arg;
    signal(SIGXFSZ, SIG_IGN);
    for (size_t at = 0; at < l->old->size; at += at < 200 ? 1 : 4999) {
        limit_files(at);
        CHILD_CHECK(save(scratch("target"), 2) == PS_ERR_SYSTEM && errno == EFBIG);
        CHILD_CHECK(scratch_count() == 1 && file_is(scratch("target"), l->old));
    }
    limit_files(l->old->size);
    CHILD_CHECK(save(scratch("target"), 2) == PS_OK && scratch_count() == 1);
    return 0;
}

static void a_disk_that_fills_up(void **state)
{
    (void)state;
    bytes old = saved_bytes(1), new = saved_bytes(2);
    assert_int_equal(save(scratch("target"), 1), PS_OK);
    assert_int_equal(child_run(fail_at_byte, &(limited){.old = &old}), 0);
    assert_true(file_is(scratch("target"), &new));
    remove(scratch("target"));
    free(old.data);
    free(new.data);
}

/* Here the signal ends the process in the middle of the write. */
static int die_at_byte(void *arg)
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    limit_files(((const limited *)arg)->limit);
    save(scratch("target"), 2);
    return CHILD_FAILED;
}

static void killed_at_a_byte(void **state)
{
    (void)state;
    bytes old = saved_bytes(1);
    assert_int_equal(save(scratch("target"), 1), PS_OK);
    for (size_t at = 0; at < old.size; at += at < 8 ? 1 : 20001) {
        assert_int_equal(child_run(die_at_byte, &(limited){.limit = at}), -SIGXFSZ);
        assert_true(file_is(scratch("target"), &old));
    }
    free(old.data);
}

/* ---- killed at any moment ---------------------------------------------------------------- */

static int save_for_ever(void *arg)
{
    int pipe_end = *(int *)arg;
    for (float value = 1;; value = 3 - value) {
        CHILD_CHECK(save(scratch("target"), value) == PS_OK);
        CHILD_CHECK(write(pipe_end, "x", 1) == 1);
    }
}

static void killed_at_any_moment(void **state)
{
    (void)state;
    bytes one = saved_bytes(1), two = saved_bytes(2);
    for (int round = 0; round < KILLS; round++) {
        int ends[2];
        char seen;
        assert_int_equal(pipe(ends), 0);
        pid_t child = child_start(save_for_ever, &ends[1]);
        for (int i = 0; i <= round % 5; i++)
            assert_int_equal(read(ends[0], &seen, 1), 1);
        fixture_spin(round * INT64_C(7919) % 300000); /* nanoseconds: another place each time */
        kill(child, SIGKILL);
        assert_int_equal(child_result(child), -SIGKILL);
        assert_true(file_is(scratch("target"), &one) || file_is(scratch("target"), &two));
        close(ends[0]);
        close(ends[1]);
    }
    free(one.data);
    free(two.data);
}

/* ---- what a save leaves as it was -------------------------------------------------------- */

static void links_and_permissions_stay(void **state)
{
    (void)state;
    struct stat info;
    bytes new = saved_bytes(2);
    char path[4096];
    snprintf(path, sizeof path, "%s", scratch("linked"));
    assert_int_equal(save(path, 1), PS_OK);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("linked", scratch("link")), 0);
    assert_int_equal(save(scratch("link"), 2), PS_OK);
    assert_int_equal(lstat(scratch("link"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0640);
    assert_true(file_is(path, &new));
    free(new.data);
}

/* Names that a program with the same number has left behind stay as they are. */
static void names_that_are_taken(void **state)
{
    (void)state;
    char name[64];
    bytes nothing = {(unsigned char *)"", 0}, wanted = saved_bytes(1);
    for (int i = 0; i < TAKEN; i++) {
        snprintf(name, sizeof name, ".penstock-%ld-%d.tmp", (long)getpid(), i);
        assert_true(bytes_write(scratch(name), nothing));
    }
    assert_int_equal(save(scratch("target"), 1), PS_OK);
    assert_true(file_is(scratch("target"), &wanted));
    for (int i = 0; i < TAKEN; i++) {
        snprintf(name, sizeof name, ".penstock-%ld-%d.tmp", (long)getpid(), i);
        assert_true(file_is(scratch(name), &nothing));
    }
    free(wanted.data);
}

static void *save_often(void *value)
{
    for (int i = 0; i < FIXTURE_SCALED(40); i++)
        if (save("shared-target", *(float *)value) != PS_OK)
            return value;
    return NULL;
}

/* By a name without a folder, too. */
static void threads_that_save_to_one_file(void **state)
{
    (void)state;
    pthread_t threads[2];
    float values[2] = {1, 2};
    void *failed;
    bytes one = saved_bytes(1), two = saved_bytes(2);
    int here = open(".", O_RDONLY | O_DIRECTORY);
    assert_true(here >= 0 && chdir(scratch("")) == 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, save_often, &values[i]), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_true(file_is("shared-target", &one) || file_is("shared-target", &two));
    assert_int_equal(fchdir(here), 0);
    close(here);
    free(one.data);
    free(two.data);
}

/* ---- an operation that failed ------------------------------------------------------------ */

static ps_status same_as_input(void *context, const ps_view *inputs, size_t ninputs,
                               const ps_scalar *numbers, size_t nnumbers, ps_dtype *dtype,
                               int *ndim, int64_t *shape)
{
    (void)context, (void)ninputs, (void)numbers, (void)nnumbers;
    *dtype = inputs[0].dtype;
    *ndim = inputs[0].ndim;
    memcpy(shape, inputs[0].shape, (size_t)inputs[0].ndim * sizeof shape[0]);
    return PS_OK;
}

static ps_status refuse(void *context, const ps_view *inputs, size_t ninputs,
                        const ps_scalar *numbers, size_t nnumbers, const ps_view *output)
{
    (void)context, (void)inputs, (void)ninputs, (void)numbers, (void)nnumbers, (void)output;
    return ps_op_fail(PS_ERR_TASK, "refused on purpose");
}

static void what_failed_is_not_written(void **state)
{
    (void)state;
    const ps_op *op;
    ps_tensor *tensors[2] = {NULL, NULL};
    CHECK_OK(ps_op_register(&(ps_op_def){.size = sizeof(ps_op_def),
                                         .name = "refuse",
                                         .signature = "x",
                                         .rule = same_as_input,
                                         .kernel = refuse},
                            &op));
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, 1, (int64_t[]){2}, NULL, (float[]){1, 2}, NULL,
                                 &tensors[0]));
    ps_arg arg = ps_arg_tensor(tensors[0]);
    CHECK_OK(ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                       .args = &arg,
                                       .nargs = 1,
                                       .outputs = &tensors[1],
                                       .noutputs = 1}));
    CHECK_STATUS(ps_params_save(scratch("failed"), NULL, tensors, 2, PS_PARAMS_V2), PS_ERR_TASK);
    assert_non_null(strstr(ps_last_error(), "refused on purpose"));
    assert_int_not_equal(access(scratch("failed"), F_OK), 0);
    ps_tensor_release(tensors[0]);
    ps_tensor_release(tensors[1]);
}

static int begin_safetensors(void **state)
{
    (void)state;
    safetensors = true;
    scratch_empty(); /* of what those that were killed have left */
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_disks_and_wrong_places),
        cmocka_unit_test(without_permission),
        cmocka_unit_test(a_disk_that_fills_up),
        cmocka_unit_test(killed_at_a_byte),
        cmocka_unit_test(killed_at_any_moment),
        cmocka_unit_test(links_and_permissions_stay),
        cmocka_unit_test(names_that_are_taken),
        cmocka_unit_test(threads_that_save_to_one_file),
        cmocka_unit_test(what_failed_is_not_written),
    };
    const struct CMUnitTest of_safetensors[] = {
        cmocka_unit_test(full_disks_and_wrong_places),
        cmocka_unit_test(a_disk_that_fills_up),
        cmocka_unit_test(killed_at_a_byte),
        cmocka_unit_test(killed_at_any_moment),
    };
    int failed = FIXTURE_RUN(tests);
    return failed + cmocka_run_group_tests(of_safetensors, begin_safetensors, NULL);
}
