/* How devices run operations: a kind of device with kernels of its own, and what the descriptions of
 * work promise. */
#include "backend/backend.h"
#include "device/immediate.h"
#include "tensor/tensor.h"

#include "engine_help.h"

#include <pthread.h>

#include "support/toy.h"
#include "support/workers.h"

static uint64_t groups(void)
{
    return stats().groups;
}

/* relu(x * x - 2) * x + y, in four steps and a half. */
static ps_tensor *formula(ps_tensor *x, ps_tensor *y)
{
    ps_tensor *a = CALL("multiply", T(x), T(x)), *b = CALL("subtract", T(a), F(2));
    ps_tensor *c = CALL("relu", T(b)), *d = CALL("multiply", T(c), T(x));
    ps_tensor *result = CALL("add", T(d), T(y));
    ps_tensor *made[] = {a, b, c, d};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(made[i]);
    return result;
}

static void check_equal(ps_tensor *there, ps_tensor *here)
{
    size_t bytes = (size_t)ps_tensor_count(here) * 4;
    char *a = malloc(bytes), *b = malloc(bytes);
    CHECK_OK(ps_tensor_to_host(there, a, bytes));
    CHECK_OK(ps_tensor_to_host(here, b, bytes));
    assert_memory_equal(a, b, bytes);
    free(a);
    free(b);
}

/* Small and large, dense and by strides: the same bits, by the toy's own kernels. */
static void a_device_with_its_own_kernels(void **state)
{
    (void)state;
    ps_device *toy = toy_device();
    for (int round = 0; round < 4; round++) {
        int64_t length = round < 2 ? 6 : 4000;
        ps_tensor *x = counted(PS_FLOAT32, SHAPE(length, 2)), *y = CALL("negative", T(x));
        ps_tensor *x_there = call_on(toy, "to_device", ARGS(T(x)));
        ps_tensor *y_there = call_on(toy, "to_device", ARGS(T(y)));
        if (round % 2) { /* views with gaps */
            ps_tensor *turned[4];
            ps_tensor **all[] = {&x, &y, &x_there, &y_there};
            for (int i = 0; i < 4; i++) {
                CHECK_OK(ps_tensor_permute(*all[i], NULL, 0, &turned[i]));
                ps_tensor_release(*all[i]);
                *all[i] = turned[i];
            }
        }
        ps_tensor *here = formula(x, y), *there = formula(x_there, y_there);
        check_equal(there, here);
        assert_ptr_equal(ps_tensor_device(there), toy);
        ps_tensor *all[] = {x, y, x_there, y_there, here, there};
        for (int i = 0; i < 6; i++)
            ps_tensor_release(all[i]);
    }
    assert_true(toy_counted().maps > 0);
}

/* Five steps there are one pass of the toy's kernel, as on the CPU. */
static void its_operations_are_fused(void **state)
{
    (void)state;
    ps_tensor *x = call_on(toy_device(), "full", ARGS(INTS(5000), F(3)));
    CHECK_OK(ps_tensor_wait(x, NULL));
    workers_stop();
    unsigned before = toy_counted().maps;
    uint64_t before_groups = groups();
    ps_tensor *y = formula(x, x);
    CHECK_OK(ps_tensor_wait(y, NULL));
    workers_go_on();
    assert_int_equal(toy_counted().maps - before, 1);
    assert_int_equal(groups() - before_groups, 1);
    float values[5000];
    CHECK_OK(ps_tensor_to_host(y, values, sizeof values));
    for (int i = 0; i < 5000; i++)
        assert_true(values[i] == 24);
    ps_tensor_release(x);
    ps_tensor_release(y);
}

/* What somebody still looks at is copied, inside the device, before a part of it is written. */
static void parts_are_renamed_inside_the_device(void **state)
{
    (void)state;
    ps_tensor *x = call_on(toy_device(), "full", ARGS(INTS(10), F(1))), *part;
    CHECK_OK(ps_tensor_wait(x, NULL));
    ps__buffer *seen = ps__storage_pin(x->storage);
    unsigned before = toy_counted().copies;
    CHECK_OK(ps_tensor_index(
        x, &(ps_index){.kind = PS_INDEX_RANGE, .start = 2, .stop = 4, .step = PS_INDEX_NONE}, 1,
        &part));
    ps_tensor *five = call_on(toy_device(), "full", ARGS(INTS(1), F(5)));
    CHECK_OK(call_into("assign", ARGS(T(five)), &part));
    float values[10];
    CHECK_OK(ps_tensor_to_host(x, values, sizeof values));
    for (int i = 0; i < 10; i++)
        assert_true(values[i] == (i == 2 || i == 3 ? 5 : 1));
    assert_int_equal(toy_counted().copies - before, 1);
    assert_ptr_not_equal(ps__load(&x->storage->buffer), seen);
    ps__buffer_unpin(seen);
    ps_tensor_release(five);
    ps_tensor_release(part);
    ps_tensor_release(x);
}

/* At the call, with the name of what is missing; nothing is queued. */
static void what_it_cannot_do_is_refused(void **state)
{
    (void)state;
    ps_tensor *x = call_on(toy_device(), "full", ARGS(INTS(4), F(1))), *out = NULL;
    CHECK_FAILS(PS_ERR_UNSUPPORTED, "sort: device toy:0 has no sorting",
                call_into("sort", ARGS(T(x)), &out));
    CHECK_FAILS(PS_ERR_UNSUPPORTED, "sum: device toy:0 has no reductions",
                call_into("sum", ARGS(T(x)), &out));
    CHECK_FAILS(PS_ERR_UNSUPPORTED, "matmul: device toy:0 has no matrix products",
                call_into("matmul", ARGS(T(x), T(x)), &out));
    assert_null(out);
    /* What it lacks inside a kind of work it has fails where it is waited for. */
    out = CALL("exp", T(x));
    CHECK_FAILS(PS_ERR_UNSUPPORTED, "exp: a toy has no such primitive", ps_tensor_wait(out, NULL));
    ps_tensor_release(out);
    ps_tensor_release(x);
}

/* ---- descriptions ------------------------------------------------------------------------- */

enum { SEEN = 4096 };

/* A CPU that writes down what it is asked for, by several threads at a time. It is looked at when all of
 * them are done. */
static pthread_mutex_t noting_lock = PTHREAD_MUTEX_INITIALIZER; /* guards the next two lines */
static uint64_t hashes[SEEN];
static unsigned seen, kinds[PS__WORK_KINDS];

static ps_status note(const ps__lane *lane, const ps__work *work, const ps__operand *operands,
                      unsigned count)
{
    assert_true(work->bytes >= sizeof *work);
    pthread_mutex_lock(&noting_lock);
    kinds[work->kind]++;
    hashes[seen++ % SEEN] = ps__work_hash(work);
    pthread_mutex_unlock(&noting_lock);
    return ps__backend_cpu.run[work->kind](lane, work, operands, count);
}

static const ps__backend noting_backend = {
    .run =
        {
#define WORK(kind, what, traits) [PS__WORK_##kind] = note,
#include "backend/work.def"
#undef WORK
        },
};

static ps_status noting_copy(ps_device *device, unsigned queue, void *to, const void *from,
                             size_t bytes)
{
    (void)device;
    (void)queue;
    memcpy(to, from, bytes);
    kinds[PS__WORK_TRANSFER]++;
    return PS_OK;
}

static const ps__device_table noting_table = {
    .kind = "noting",
    .backend = &noting_backend,
    .allocate = ps__immediate_allocate,
    .release = ps__immediate_release,
    .copy = noting_copy,
    .record = ps__immediate_record,
    .wait_event = ps__immediate_wait_event,
    .notify = ps__immediate_notify,
    .synchronise = ps__immediate_synchronise,
};

static ps_device noting;

/* Calls a row, whatever number of outputs it has, and waits. */
static void call_and_wait(const char *name, size_t nargs, const ps_arg *args)
{
    const ps_op *op;
    ps_op_info info = {.size = sizeof info};
    ps_tensor *outputs[6] = {NULL};
    CHECK_OK(ps_op_find(name, &op));
    CHECK_OK(ps_op_get_info(op, &info));
    CHECK_OK(ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                       .args = args,
                                       .nargs = nargs,
                                       .outputs = outputs,
                                       .noutputs = info.noutputs,
                                       .device = &noting}));
    for (size_t i = 0; i < info.noutputs; i++) {
        (void)ps_tensor_wait(outputs[i], NULL);
        ps_tensor_release(outputs[i]);
    }
}

/* One hash for all work that a call leads to. */
static uint64_t hash_of(const char *name, size_t nargs, const ps_arg *args)
{
    wait_all();
    unsigned before = seen;
    ps_generator *generator;
    CHECK_OK(ps_generator_default(&generator));
    CHECK_OK(ps_generator_seed(generator, 7));
    call_and_wait(name, nargs, args);
    wait_all();
    uint64_t all = 0;
    for (unsigned i = before; i < seen; i++)
        all += hashes[i % SEEN]; /* in whatever order they were run */
    assert_true(seen > before);
    return all;
}

#define SAME(name, ...)                                                                            \
    assert_int_equal(hash_of(name, ARGS(__VA_ARGS__)), hash_of(name, ARGS(__VA_ARGS__)))
#define OTHER(name, first, second) assert_int_not_equal(hash_of(name, first), hash_of(name, second))

static ps_status any_rule(void *context, const ps_view *inputs, size_t ninputs,
                          const ps_scalar *numbers, size_t nnumbers, ps_dtype *dtype, int *ndim,
                          int64_t *shape)
{
    (void)context;
    (void)ninputs;
    (void)numbers;
    (void)nnumbers;
    *dtype = inputs[0].dtype;
    *ndim = 1;
    shape[0] = 1;
    return PS_OK;
}

static ps_status any_kernel(void *context, const ps_view *inputs, size_t ninputs,
                            const ps_scalar *numbers, size_t nnumbers, const ps_view *output)
{
    (void)context;
    (void)inputs;
    (void)ninputs;
    (void)numbers;
    (void)nnumbers;
    memset(output->data, 0, 4);
    return PS_OK;
}

/* Of an update in place, by a rate. */
static uint64_t hash_of_update(ps_tensor *w, ps_tensor *g, double rate)
{
    const ps_op *op;
    wait_all();
    unsigned before = seen;
    CHECK_OK(ps_op_find("sgd_update", &op));
    ps_arg args[] = {ps_arg_tensors(&w, 1), ps_arg_tensors(&g, 1), F(rate)};
    CHECK_OK(ps_op_update(op, &(ps_update){.size = sizeof(ps_update),
                                           .count = 1,
                                           .args = args,
                                           .nargs = 3}));
    wait_all();
    assert_int_equal(seen - before, 1);
    return hashes[before % SEEN];
}

static void check_updates(ps_tensor *x)
{
    ps_tensor *w = CALL("copy", T(x));
    assert_int_equal(hash_of_update(w, x, 1), hash_of_update(w, x, 1));
    assert_int_not_equal(hash_of_update(w, x, 1), hash_of_update(w, x, 2));
    ps_tensor_release(w);
}

/* Equal calls give equal bytes, whatever was on the stack before; every kind is reached. */
static void equal_work_has_equal_descriptions(void **state)
{
    (void)state;
    CHECK_OK(ps__device_add(&noting, &noting_table));
    CHECK_OK(ps_op_register(&(ps_op_def){.size = sizeof(ps_op_def),
                                         .name = "noted_kernel",
                                         .signature = "x, by: scalar",
                                         .rule = any_rule,
                                         .kernel = any_kernel},
                            NULL));
    ps_tensor *here = counted(PS_FLOAT32, SHAPE(6, 4));
    ps_tensor *x = call_on(&noting, "to_device", ARGS(T(here)));
    ps_tensor *places = call_on(&noting, "arange", ARGS(I(3)));
    ps_tensor *mask = CALL("greater", T(x), F(7));
    ps_tensor *steps = call_on(&noting, "ones", ARGS(INTS(2, 1, 3)));
    ps_tensor *weights = call_on(&noting, "ones", ARGS(INTS(42)));
    ps_tensor *first = call_on(&noting, "ones", ARGS(INTS(1, 1, 2)));
    ps_tensor *reserve = call_on(&noting, "ones", ARGS(INTS(20)));
    ps_tensor *two[] = {x, x};
    ps_arg both = {.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = two};
    SAME("add", T(x), F(1));
    OTHER("add", ARGS(T(x), F(1)), ARGS(T(x), F(2)));
    SAME("where", T(mask), T(x), F(0.5));
    SAME("sum", T(x), INTS(0));
    OTHER("sum", ARGS(T(x), INTS(0)), ARGS(T(x), INTS(1)));
    SAME("argmax", T(x), I(1));
    SAME("matmul", T(x), T(x), B(false), B(true));
    SAME("random_normal", INTS(5));
    SAME("random_permutation", I(5));
    SAME("orthogonal", INTS(3, 4));
    SAME("rnn", T(steps), T(weights), T(first), S("gru"));
    SAME("rnn_backward", T(steps), T(weights), T(first), T(reserve), S("gru"));
    SAME("full", INTS(3), F(2));
    SAME("empty", INTS(3));
    SAME("arange", I(9));
    SAME("linspace", F(0), F(1), I(7));
    SAME("eye", I(3));
    SAME("concatenate", both);
    SAME("pad", T(x), INTS(1), INTS(2), F(9));
    SAME("take", T(x), T(places), I(0));
    OTHER("take", ARGS(T(x), T(places), I(0)), ARGS(T(x), T(places), I(1)));
    SAME("put", T(x), T(places), F(3));
    SAME("masked_put", T(x), T(mask), F(3));
    SAME("masked_select", T(x), T(mask));
    SAME("nonzero", T(x));
    SAME("cumulative_sum", T(x), I(0));
    SAME("softmax", T(x));
    ps_tensor *line = CALL("sum", T(x), INTS(0)), *labels = CALL_ON(&noting, "arange", I(6));
    SAME("dropout", T(x), F(0.5));
    OTHER("dropout", ARGS(T(x), F(0.5)), ARGS(T(x), F(0.25)));
    SAME("softmax_cross_entropy", T(x), T(labels));
    OTHER("softmax_cross_entropy", ARGS(T(x), T(labels)), ARGS(T(x), T(labels), I(-1), I(1)));
    SAME("layer_norm", T(x), T(line));
    OTHER("layer_norm", ARGS(T(x), T(line)), ARGS(T(x), NONE, T(line)));
    SAME("layer_norm_back", T(x), T(x));
    SAME("layer_norm_back_all", T(x), T(x), T(line));
    SAME("group_norm_channels", T(x), T(line), NONE, I(2));
    OTHER("group_norm_channels", ARGS(T(x), T(line)), ARGS(T(x), T(line), NONE, I(2)));
    SAME("group_norm_back", T(x), T(x), T(line), I(2));
    SAME("batch_norm_train", T(x), T(line));
    SAME("batch_norm_back", T(x), T(x), T(line), T(line));
    ps_tensor_release(line);
    ps_tensor_release(labels);
    SAME("sort", T(x), I(0));
    OTHER("sort", ARGS(T(x), I(0)), ARGS(T(x), I(0), B(true)));
    SAME("searchsorted", T(places), F(2));
    ps_tensor *image = CALL("reshape", T(x), INTS(1, 1, 6, 4));
    SAME("conv2d", T(image), T(image), NONE, NONE, I(3));
    OTHER("conv2d", ARGS(T(image), T(image)), ARGS(T(image), T(image), NONE, NONE, I(1)));
    SAME("max_pool2d", T(image), I(2));
    OTHER("avg_pool2d", ARGS(T(image), I(2)), ARGS(T(image), I(2), I(1)));
    SAME("noted_kernel", T(x), F(2));
    SAME("global_norm", both);
    check_updates(x);
    kinds[PS__WORK_PACK]++;   /* masks are packed on the CPU */
    kinds[PS__WORK_REFUSE]++; /* says an error: see test_random.c */
    for (int i = 0; i < PS__WORK_KINDS; i++)
        if (kinds[i] == 0)
            fail_msg("no %s", ps__work_infos[i].what);
    ps_tensor *all[] = {here, x, places, mask, image, steps, weights, first, reserve};
    for (int i = 0; i < 9; i++)
        ps_tensor_release(all[i]);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_with_its_own_kernels),
        cmocka_unit_test(its_operations_are_fused),
        cmocka_unit_test(parts_are_renamed_inside_the_device),
        cmocka_unit_test(what_it_cannot_do_is_refused),
        cmocka_unit_test(equal_work_has_equal_descriptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
