/* The engine benchmark on Penstock itself, and two rows that only it has: `threads`, the default
 * number of workers, and `budget`, memory under a bound on queued bytes. */
#include "patterns.h"

#include "../common/must.h"

static ps_engine *engine;
static ps_var *variables[VARIABLES];

static bool runtime_run(unsigned threads, void (*fn)(void *), void *arg)
{
    must(ps_engine_create(&(ps_engine_options){.size = sizeof(ps_engine_options),
                                               .workers = threads},
                          &engine));
    for (unsigned i = 0; i < VARIABLES; i++)
        must(ps_var_create(engine, &variables[i]));
    fn(arg);
    for (unsigned i = 0; i < VARIABLES; i++)
        ps_var_release(variables[i]);
    must(ps_engine_destroy(engine));
    return true;
}

static ps_status run_body(ps_task *self, void *arg)
{
    (void)self;
    body((uint64_t)(uintptr_t)arg);
    return PS_OK;
}

ALWAYS_INLINE void runtime_push(struct access a, uint64_t index)
{
    ps_var *reads[READS_MAX];
    for (unsigned i = 0; i < a.nreads; i++)
        reads[i] = variables[a.reads[i]];
    must(ps_push(engine, &(ps_task_spec){.size = sizeof(ps_task_spec),
                                         .run = run_body,
                                         .arg = (void *)(uintptr_t)index,
                                         .reads = reads,
                                         .nreads = a.nreads,
                                         .writes = &variables[a.write],
                                         .nwrites = a.nwrites,
                                         .name = "bench",
                                         .cost_ns = work.cost_ns}));
}

static void runtime_wait(void)
{
    must(ps_wait_all(engine, NULL));
}

static void runtime_wait_one(void)
{
    must(ps_wait_read(variables[0], NULL));
}

static bool pushers_on_threads(unsigned pushers, void (*fn)(unsigned));

static bool runtime_pushers(enum pattern pattern, unsigned pushers, void (*fn)(unsigned))
{
    (void)pattern;
    return pushers_on_threads(pushers, fn);
}

#include "measure.inc"

/* ---- Memory under a bound ---------------------------------------------------------------- */

enum { BLOCK = 1 << 20, BLOCK_COST_NS = 40000, FREE_COST_NS = 1000 };

/* Each belongs to the variable of the same number: its tasks are ordered by that. */
static void *blocks[VARIABLES];

static ps_status block_fill(ps_task *self, void *arg)
{
    void **block = arg;
    ps_status status = ps_memory_alloc(BLOCK, block);
    if (status != PS_OK)
        return ps_task_fail(self, status, "no block");
    memset(*block, 1, BLOCK);
    return PS_OK;
}

static ps_status block_drop(ps_task *self, void *arg)
{
    (void)self;
    void **block = arg;
    ps_memory_free(*block, BLOCK);
    return PS_OK;
}

static ps_status block_fill_and_drop(ps_task *self, void *arg)
{
    ps_status status = block_fill(self, arg);
    return status == PS_OK ? block_drop(self, arg) : status;
}

/* The block lives on after its task, for the one that drops it: queued bytes until then. */
static ps_status block_fill_and_hold(ps_task *self, void *arg)
{
    ps_status status = block_fill(self, arg);
    return status == PS_OK ? ps_engine_hold_bytes(engine, BLOCK) : status;
}

static ps_status block_drop_held(ps_task *self, void *arg)
{
    block_drop(self, arg);
    return ps_engine_hold_bytes(engine, -(int64_t)BLOCK);
}

static void push_block(ps_task_fn run, unsigned i, size_t nreads, size_t nwrites, uint64_t bytes)
{
    must(ps_push(engine, &(ps_task_spec){.size = sizeof(ps_task_spec),
                                         .run = run,
                                         .arg = &blocks[i],
                                         .reads = &variables[i],
                                         .nreads = nreads,
                                         .writes = &variables[i],
                                         .nwrites = nwrites,
                                         .name = "block",
                                         .cost_ns = bytes ? BLOCK_COST_NS : FREE_COST_NS,
                                         .bytes = bytes}));
}

static void set_budget(uint64_t bytes)
{
    ps_bound bound = {.size = sizeof bound};
    must(ps_engine_bound(engine, &bound));
    bound.soft_bytes = bound.hard_bytes = bytes;
    must(ps_engine_set_bound(engine, &bound));
}

static void run_budget(void *arg)
{
    struct row *row = arg;
    bool later = strcmp(row->arguments[1], "later") == 0;
    unsigned count = (unsigned)scaled(100000);
    set_budget((uint64_t)atoll(row->arguments[0]) << 20);
    int64_t start = now_ns();
    for (unsigned i = 0; i < count; i++) {
        if (later) {
            push_block(block_fill_and_hold, i % VARIABLES, 0, 1, BLOCK);
            push_block(block_drop_held, i % VARIABLES, 1, 0, 0);
        } else {
            push_block(block_fill_and_drop, i % VARIABLES, 0, 1, BLOCK);
        }
    }
    runtime_wait();
    row->result = (double)(now_ns() - start) / count;
}

/* The most memory that this process ever had resident, in MB of 2^20 bytes. */
static double peak_resident(void)
{
    char line[256];
    double kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1)
            break;
    if (status != NULL)
        fclose(status);
    return kilobytes / 1024;
}

/* budget.<MB>.<same|later>: each of 10^5 blocks is dropped by the task that fills it, or by a
 * later one. Wants a process of its own. */
static void measure_budget(struct row *row)
{
    runtime_run(options.threads, run_budget, row);
    print_value(row->name, ".us", row->result / 1e3);
    print_value(row->name, ".mb", peak_resident());
}

static void measure_threads(struct row *row)
{
    unsigned workers = 0;
    must(ps_engine_create(NULL, &engine));
    must(ps_engine_workers(engine, &workers));
    must(ps_engine_destroy(engine));
    print_value(row->name, "", workers);
}

static const struct verb *runtime_verbs(void)
{
    static const struct verb table[] = {{"budget", measure_budget},
                                        {"threads", measure_threads},
                                        {NULL, NULL}};
    return table;
}
