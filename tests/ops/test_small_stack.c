/* Operations run on the stack of whoever calls: short ones are done at the call, and a thread that
 * waits helps. That thread may have little. Here it has 64 KB, everything of the table is done on
 * them, and the library takes at most 16 KB.
 *
 * The stack is memory of ours. Before each call what lies below is painted; afterwards the lowest
 * word that has changed says how deep the call went. All workers stand still meanwhile, so the
 * thread does everything itself. */
#include "help.h"
#include "support/sanitized.h"
#include "support/table.h"
#include "support/workers.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum {
    STACK_BYTES = 64 << 10,
    BOUND_BYTES = 16 << 10, /* with what this file adds: arguments, their call */
    GUARD_BYTES = 64 << 10, /* below it: what goes too deep does not go on */
    OWN_BYTES = 512,        /* of the function that paints: its frame and below */
    ROWS = 512,
    OUTPUTS_MOST = 6
};

static const uint64_t PAINT = UINT64_C(0x5ca1ab1e5ca1ab1e);

/* ---- a thread with a small stack ----------------------------------------------------------- */

typedef struct stack {
    char *memory;
    size_t deepest; /* bytes below the frame that called */
    char where[128];
} stack;

/* What is unused, down to the end. */
__attribute__((noinline)) static void paint(const stack *s)
{
    char *end = (char *)__builtin_frame_address(0) - OWN_BYTES;
    for (volatile uint64_t *at = (uint64_t *)(void *)s->memory; (char *)at < end; at++)
        *at = PAINT;
}

/* Bytes below `frame` that were written since. */
__attribute__((noinline)) static size_t depth_below(const stack *s, const char *frame)
{
    const uint64_t *at = (const uint64_t *)(const void *)s->memory;
    while ((const char *)at < frame && *at == PAINT)
        at++;
    return (size_t)(frame - (const char *)at);
}

static void run_on_small_stack(stack *s, void *(*body)(void *), void *arg)
{
    pthread_attr_t attributes;
    pthread_t thread;
    char *all = mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(all != MAP_FAILED);
    assert_int_equal(mprotect(all, GUARD_BYTES, PROT_NONE), 0);
    s->memory = all + GUARD_BYTES;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, s->memory, STACK_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &attributes, body, arg), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    munmap(all, GUARD_BYTES + STACK_BYTES);
}

/* ---- the table ----------------------------------------------------------------------------- */

/* The thread has no room for the tests' own ways to fail: it notes what is wrong. */
typedef struct walk {
    stack stack;
    table_given given;
    const char *group; /* of the rows that are called; NULL: of all */
    size_t nrows;
    table_row rows[ROWS];
    bool done[ROWS];
    char error[256];
} walk;

/* All outputs of a row; the first is `out`. */
static ps_status call_outputs(const table_row *row, const ps_arg *args, ps_tensor **out)
{
    ps_tensor *outputs[OUTPUTS_MOST] = {*out};
    ps_status status = ps_op_call(row->op, &(ps_call){.size = sizeof(ps_call),
                                                      .args = args,
                                                      .nargs = row->info.nargs,
                                                      .outputs = outputs,
                                                      .noutputs = row->info.noutputs});
    *out = outputs[0];
    for (int i = 1; i < OUTPUTS_MOST; i++)
        ps_tensor_release(outputs[i]);
    return status;
}

/* Calls the row, and reads its result with another operation, which may be joined with it. False:
 * the row refuses such arguments. */
__attribute__((noinline)) static bool call_row(walk *w, const table_row *row)
{
    ps_arg args[TABLE_ARGS];
    const char *frame = __builtin_frame_address(0);
    if (!table_arguments(row, &w->given, args))
        return false;
    /* The row that only writes needs something to write to. */
    ps_tensor *out = strcmp(row->info.name, "assign") == 0 ? w->given.operands[2] : NULL;
    paint(&w->stack);
    ps_status called = call_outputs(row, args, &out), status = called;
    ps_tensor *copy = NULL;
    if (status == PS_OK)
        status = call_into("copy", 1, &T(out), &copy);
    if (status == PS_OK)
        status = ps_tensor_wait(copy, NULL);
    size_t depth = depth_below(&w->stack, frame);
    if (called == PS_OK && status != PS_OK)
        snprintf(w->error, sizeof w->error, "%s of %s: %s", row->info.name,
                 ps_dtype_name(w->given.dtype), ps_last_error());
    if (depth > w->stack.deepest) {
        w->stack.deepest = depth;
        snprintf(w->stack.where, sizeof w->stack.where, "%s of %s, %lld x %lld", row->info.name,
                 ps_dtype_name(w->given.dtype), (long long)w->given.shape[0],
                 (long long)w->given.shape[1]);
    }
    ps_tensor_release(copy);
    if (out != w->given.operands[2])
        ps_tensor_release(out);
    return called == PS_OK;
}

static void *call_rows(void *arg)
{
    walk *w = arg;
    for (size_t i = 0; i < w->nrows; i++)
        if (w->group == NULL || strcmp(w->group, w->rows[i].info.group) == 0)
            w->done[i] |= call_row(w, &w->rows[i]);
    return NULL;
}

static walk *walk_create(const char *group)
{
    walk *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->group = group;
    w->nrows = ps_op_count();
    assert_true(w->nrows <= ROWS);
    for (size_t i = 0; i < w->nrows; i++)
        table_row_at(i, &w->rows[i]);
    return w;
}

/* All rows on tensors of a type and shape, with and without fusion. */
static void walk_rows(walk *w, ps_dtype dtype, int ndim, const int64_t *shape)
{
    table_give(dtype, TABLE_AROUND_ONE, ndim, shape, &w->given);
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_wait_all(engine, NULL));
    workers_stop();
    for (int fused = 0; fused < 2; fused++) {
        ps_fusion_set(fused == 1);
        run_on_small_stack(&w->stack, call_rows, w);
    }
    workers_go_on();
    table_take_back(&w->given);
    if (w->error[0] != '\0')
        fail_msg("%s", w->error);
}

/* Small ones are done at the call, large ones are queued; in one dimension rows are long. */
static void walk_shapes(walk *w)
{
    static const ps_dtype types[] = {PS_FLOAT32, PS_FLOAT64, PS_INT64, PS_COMPLEX128};
    static const struct {
        int ndim;
        int64_t shape[2];
    } shapes[] = {{2, {3, 3}}, {1, {100}}, {2, {150, 150}}, {1, {20000}}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        for (size_t j = 0; j < sizeof shapes / sizeof shapes[0]; j++)
            walk_rows(w, types[i], shapes[j].ndim, shapes[j].shape);
}

/* ---- tests --------------------------------------------------------------------------------- */

static void test_table(void **state)
{
    (void)state;
    if (SANITIZED) {
        print_message("sanitizers take more of the stack than the code\n");
        skip();
    }
    walk *w = walk_create(NULL);
    walk_shapes(w);
    print_message("deepest: %zu bytes, %s\n", w->stack.deepest, w->stack.where);
    for (size_t i = 0; i < w->nrows; i++)
        if (!w->done[i])
            fail_msg("%s was not called: table_arguments knows nothing for it",
                     w->rows[i].info.name);
    if (w->stack.deepest > BOUND_BYTES)
        fail_msg("%s: %zu bytes of the stack", w->stack.where, w->stack.deepest);
    free(w);
}

/* Products by the BLAS library that is there: how much it takes is its own affair, but this is
 * enough. In a child, since the library is chosen once in a process. */
static void test_blas(void **state)
{
    (void)state;
    if (SANITIZED)
        skip();
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        unsetenv("PENSTOCK_BLAS");
        alarm(PART_LIMIT_S);
        walk *w = walk_create("product");
        walk_shapes(w);
        print_message("products: %zu bytes, %s\n", w->stack.deepest, w->stack.where);
        free(w);
        _exit(0);
    }
    while (waitpid(child, &status, 0) < 0)
        continue;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("products on a small stack ended with %#x", (unsigned)status);
}

int main(void)
{
    alarm(LIMIT_S);
    setenv("PENSTOCK_WORKERS", "1", 1); /* there is one to hold */
    setenv("PENSTOCK_BLAS", "none", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blas), /* before there is an engine here */
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
