/* The engine benchmark on StarPU: a codelet without data of its own, and one handle for each
 * variable. Tasks are filled in and submitted directly, which costs less than
 * starpu_task_insert's argument list. */
#include "patterns.h"

#include <starpu.h>

static starpu_data_handle_t handles[VARIABLES];

static void run_codelet(void *buffers[], void *arg)
{
    (void)buffers;
    body((uint64_t)(uintptr_t)arg);
}

static struct starpu_codelet codelet = {.cpu_funcs = {run_codelet},
                                        .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                        .name = "bench"};

static bool runtime_run(unsigned threads, void (*fn)(void *), void *arg)
{
    struct starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = (int)threads;
    conf.ncuda = conf.nopencl = 0;
    if (starpu_init(&conf) != 0)
        return false;
    bool enough = starpu_cpu_worker_get_count() == threads;
    for (unsigned i = 0; i < VARIABLES; i++)
        starpu_void_data_register(&handles[i]);
    if (enough)
        fn(arg);
    for (unsigned i = 0; i < VARIABLES; i++)
        starpu_data_unregister_no_coherency(handles[i]);
    starpu_shutdown();
    return enough;
}

ALWAYS_INLINE void use(struct starpu_task *task, uint32_t variable,
                       enum starpu_data_access_mode mode)
{
    task->handles[task->nbuffers] = handles[variable];
    task->modes[task->nbuffers++] = mode;
}

ALWAYS_INLINE void runtime_push(struct access a, uint64_t index)
{
    struct starpu_task *task = starpu_task_create();
    task->cl = &codelet;
    task->cl_arg = (void *)(uintptr_t)index;
    task->nbuffers = 0;
    if (a.nreads == 1 && a.nwrites == 1 && a.reads[0] == a.write) {
        use(task, a.write, STARPU_RW);
    } else {
        for (unsigned i = 0; i < a.nreads; i++)
            use(task, a.reads[i], STARPU_R);
        if (a.nwrites)
            use(task, a.write, STARPU_W);
    }
    if (starpu_task_submit(task) != 0)
        exit(1);
}

static void runtime_wait(void)
{
    starpu_task_wait_for_all();
}

static void runtime_wait_one(void)
{
    starpu_task_wait_for_all();
}

static bool pushers_on_threads(unsigned pushers, void (*fn)(unsigned));

static bool runtime_pushers(enum pattern pattern, unsigned pushers, void (*fn)(unsigned))
{
    (void)pattern;
    return pushers_on_threads(pushers, fn);
}

#include "measure.inc"

static const struct verb *runtime_verbs(void)
{
    static const struct verb none = {NULL, NULL};
    return &none;
}
