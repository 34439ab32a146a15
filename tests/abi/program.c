/* A program that was built with another version of the header: ABI_HEADER, older.h or newer.h. It
 * uses each struct that begins with its size, with bytes behind it that nobody may touch; whatever
 * the version, it works, and says nothing. */
#include ABI_HEADER

#include <sched.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, ps_last_error());            \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* A struct that the library is to fill in: its size is set, all else 0x5A; and a margin. */
#define MARGIN 64
#define FENCED(type, name)                                                                         \
    struct {                                                                                       \
        type it;                                                                                   \
        unsigned char margin[MARGIN];                                                              \
    } name;                                                                                        \
    memset(&name, 0x5A, sizeof name);                                                              \
    name.it.size = sizeof name.it

static bool untouched(const unsigned char *margin)
{
    for (int i = 0; i < MARGIN; i++)
        if (margin[i] != 0x5A)
            return false;
    return true;
}

#ifdef ABI_NEWER
#define UNTOUCHED UINT64_C(0x5A5A5A5A5A5A5A5A)
/* What only the program knows, the library leaves alone. */
#define FILLED(name)                                                                               \
    (name.it.size == sizeof name.it && untouched(name.margin) && name.it.added[0] == UNTOUCHED &&  \
     name.it.added[1] == UNTOUCHED)
#define LEAVE_OUT(name) memset(name.it.added, 0, sizeof name.it.added)
#else
#define FILLED(name) (name.it.size == sizeof name.it && untouched(name.margin))
#define LEAVE_OUT(name) (void)0
#endif

/* ---- the engine -------------------------------------------------------------------------- */

static ps_status increment(ps_task *self, void *arg)
{
    (void)self;
    ++*(int *)arg;
    return PS_OK;
}

static ps_status fail(ps_task *self, void *arg)
{
    (void)arg;
    return ps_task_fail(self, PS_ERR_TASK, "on purpose");
}

static void tasks(ps_engine *engine, ps_var *var)
{
    int counter = 0;
    ps_task_spec spec = {.size = sizeof spec, .run = increment, .arg = &counter};
    spec.writes = &var;
    spec.nwrites = 1;
    for (int i = 0; i < 100; i++)
        EXPECT(ps_push(engine, &spec) == PS_OK);
    ps_wait_options options = {.size = sizeof options, .timeout_ns = -1};
    EXPECT(ps_wait_read(var, &options) == PS_OK);
    EXPECT(counter == 100);
    FENCED(ps_engine_stats, stats);
    EXPECT(ps_engine_get_stats(engine, &stats.it) == PS_OK && FILLED(stats));
    EXPECT(stats.it.pushed == 100 && stats.it.executed == 100);
}

static void a_failure(ps_engine *engine, ps_var *var)
{
    ps_task_spec spec = {.size = sizeof spec, .run = fail};
    spec.writes = &var;
    spec.nwrites = 1;
    EXPECT(ps_push(engine, &spec) == PS_OK);
    EXPECT(ps_wait_read(var, NULL) == PS_ERR_TASK);
    FENCED(ps_error_info, info);
    EXPECT(ps_last_error_info(&info.it) == PS_OK && FILLED(info));
    EXPECT(info.it.status == PS_ERR_TASK && info.it.sequence == 101);
}

static void settings(ps_engine *engine)
{
    FENCED(ps_bound, bound);
    EXPECT(ps_engine_bound(engine, &bound.it) == PS_OK && FILLED(bound));
    bound.it.ops = 77;
    LEAVE_OUT(bound);
    EXPECT(ps_engine_set_bound(engine, &bound.it) == PS_OK);
    bound.it.ops = 0;
    EXPECT(ps_engine_bound(engine, &bound.it) == PS_OK && bound.it.ops == 77);
    FENCED(ps_memory_stats, memory);
    EXPECT(ps_memory_get_stats(&memory.it) == PS_OK && FILLED(memory));
}

typedef struct gate {
    int started, open;
} gate;

static void wait_for(int *flag)
{
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void set(int *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static ps_status stand_at(ps_task *self, void *arg)
{
    gate *g = arg;
    (void)self;
    set(&g->started);
    wait_for(&g->open);
    return PS_OK;
}

static void open_gate(void *state)
{
    set(&((gate *)state)->open);
}

/* A worker runs the task until the hook was called: the thread that waits must call it. */
static void hooks(ps_engine *engine, ps_var *var)
{
    gate g = {0, 0};
    {
        ps_hooks given = {.size = sizeof given, .state = &g, .unlock = open_gate};
        EXPECT(ps_thread_set_hooks(&given) == PS_OK);
        memset(&given, 0x5A, sizeof given); /* it was copied */
    }
    ps_task_spec spec = {.size = sizeof spec, .run = stand_at, .arg = &g};
    spec.writes = &var;
    spec.nwrites = 1;
    EXPECT(ps_push(engine, &spec) == PS_OK);
    wait_for(&g.started);
    EXPECT(ps_wait_read(var, NULL) == PS_OK);
    EXPECT(ps_thread_set_hooks(NULL) == PS_OK);
}

static void engine(void)
{
    ps_engine *engine;
    ps_var *var;
    ps_engine_options options = {.size = sizeof options, .workers = 2};
    EXPECT(ps_engine_create(&options, &engine) == PS_OK);
    EXPECT(ps_var_create(engine, &var) == PS_OK);
    tasks(engine, var);
    a_failure(engine, var);
    settings(engine);
    hooks(engine, var);
    ps_var_release(var);
    EXPECT(ps_engine_destroy(engine) == PS_OK);
}

/* ---- tensors ----------------------------------------------------------------------------- */

static ps_tensor *call(const ps_op *op, ps_arg first, ps_arg second)
{
    ps_tensor *result = NULL;
    ps_arg args[] = {first, second};
    ps_call c = {.size = sizeof c, .args = args, .nargs = 2, .outputs = &result, .noutputs = 1};
    EXPECT(ps_op_call(op, &c) == PS_OK);
    return result;
}

static void operations(void)
{
    const ps_op *full, *twice;
    EXPECT(ps_op_find("full", &full) == PS_OK);
    FENCED(ps_op_info, info);
    EXPECT(ps_op_get_info(full, &info.it) == PS_OK && FILLED(info));
    EXPECT(strcmp(info.it.name, "full") == 0);
    ps_op_def def = {.size = sizeof def,
                     .name = "times_and_one",
                     .signature = "x, y: scalar",
                     .dtypes = "numeric",
                     .result = "same",
                     .expression = "x * y + 1"};
    EXPECT(ps_op_register(&def, &twice) == PS_OK);
    const int64_t shape[] = {2};
    ps_tensor *x = call(full, (ps_arg){PS_ARG_INTS, 1, {.ints = shape}},
                        (ps_arg){PS_ARG_DOUBLE, 0, {.number = 1.5}});
    ps_tensor *y = call(twice, (ps_arg){PS_ARG_TENSOR, 0, {.tensor = x}},
                        (ps_arg){PS_ARG_INT, 0, {.integer = 3}});
    float elements[2];
    EXPECT(ps_tensor_to_host(y, elements, sizeof elements) == PS_OK);
    EXPECT(elements[0] == 5.5f && elements[1] == 5.5f);
    ps_format_options options = {.size = sizeof options, .precision = -1};
    options.threshold = options.edge = options.width = -1;
    char text[100];
    EXPECT(ps_tensor_format(y, &options, text, sizeof text, NULL) == PS_OK);
    EXPECT(strcmp(text, "[5.5 5.5]") == 0);
    ps_tensor_release(x);
    ps_tensor_release(y);
}

static void generators(void)
{
    ps_generator *generator;
    EXPECT(ps_generator_create(5, &generator) == PS_OK);
    FENCED(ps_generator_state, state);
    EXPECT(ps_generator_get_state(generator, &state.it) == PS_OK && FILLED(state));
    EXPECT(state.it.key == 5);
    state.it.counter[0] = 9;
    LEAVE_OUT(state);
    EXPECT(ps_generator_set_state(generator, &state.it) == PS_OK);
    state.it.counter[0] = 0;
    EXPECT(ps_generator_get_state(generator, &state.it) == PS_OK && state.it.counter[0] == 9);
    ps_generator_release(generator);
}

/* ---- what is refused --------------------------------------------------------------------- */

#ifdef ABI_NEWER
/* A member that this library does not know cannot be left out of account. */
static void unknown_members(void)
{
    ps_engine *engine;
    ps_engine_options options = {.size = sizeof options, .added = {0, 1}};
    EXPECT(ps_engine_create(&options, &engine) == PS_ERR_ARGUMENT);
    EXPECT(strstr(ps_last_error(), "does not know") != NULL);
    EXPECT(ps_engine_create(NULL, &engine) == PS_OK);
    int runs = 0;
    ps_task_spec spec = {.size = sizeof spec, .run = increment, .arg = &runs, .added = {1}};
    EXPECT(ps_push(engine, &spec) == PS_ERR_ARGUMENT);
    EXPECT(ps_engine_destroy(engine) == PS_OK && runs == 0);
    const ps_op *zeros;
    ps_tensor *result = NULL;
    const int64_t shape = 1;
    ps_arg arg = {PS_ARG_INTS, 1, {.ints = &shape}};
    ps_call c = {.size = sizeof c, .args = &arg, .nargs = 1, .outputs = &result, .noutputs = 1};
    EXPECT(ps_op_find("zeros", &zeros) == PS_OK);
    c.added[1] = 1;
    EXPECT(ps_op_call(zeros, &c) == PS_ERR_ARGUMENT && result == NULL);
}
#else
static void unknown_members(void) {}
#endif

int main(void)
{
    EXPECT(ps_abi_version() == ABI_EXPECTED);
    engine();
    operations();
    generators();
    unknown_members();
    return failures != 0;
}
