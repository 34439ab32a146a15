/* Calls of engines, variables, waits, the bound, threads, memory, devices and traces. */
#include "hostile.h"

static ps_status no_status(void)
{
    return PS_OK;
}

/* ---- engines ----------------------------------------------------------------------------- */

static ps_mode any_mode(void)
{
    static const int none[] = {3, 4, -1, 100, INT32_MIN};
    return (ps_mode)(wrong() ? PICK(none) : (int)below(3));
}

static ps_status engine_create(void)
{
    SIZED(ps_engine_options, options);
    static const unsigned workers[] = {0, 1, 2, 1025, UINT32_MAX};
    options.it.workers = PICK(workers);
    options.it.mode = any_mode();
    ps_engine *engine = NULL;
    if (below(4) != 0) /* engines are never freed: make few */
        options.it.workers = UINT32_MAX;
    ps_status status =
        ps_engine_create(below(8) == 0 ? NULL : &options.it, wrong() ? NULL : &engine);
    if (status == PS_OK)
        status = ps_engine_destroy(engine);
    return status;
}

static ps_status engine_default(void)
{
    ps_engine *engine;
    return ps_engine_default(wrong() ? NULL : &engine);
}

/* The one that the others use is not destroyed here. */
static ps_status engine_destroy(void)
{
    ps_engine *const some[] = {world.engines[0], world.engines[2], NULL};
    return ps_engine_destroy(PICK(some));
}

static ps_status engine_workers(void)
{
    unsigned workers;
    return ps_engine_workers(PICK(world.engines), wrong() ? NULL : &workers);
}

static ps_status engine_set_workers(void)
{
    static const unsigned workers[] = {1, 2, 3, 1025, UINT32_MAX};
    return ps_engine_set_workers(PICK(world.engines), PICK(workers));
}

static ps_status engine_get_stats(void)
{
    SIZED(ps_engine_stats, stats);
    return ps_engine_get_stats(PICK(world.engines), wrong() ? NULL : &stats.it);
}

static ps_status engine_bound(void)
{
    SIZED(ps_bound, bound);
    return ps_engine_bound(PICK(world.engines), wrong() ? NULL : &bound.it);
}

static ps_status engine_set_bound(void)
{
    static const uint64_t numbers[] = {1, 100, 1 << 20, UINT64_MAX, UINT64_C(1) << 63};
    SIZED(ps_bound, bound);
    bound.it.soft_bytes = PICK(numbers);
    bound.it.soft_ops_per_worker = PICK(numbers);
    bound.it.hard_bytes = PICK(numbers);
    bound.it.ops = wrong() ? 0 : PICK(numbers);
    return ps_engine_set_bound(PICK(world.engines), wrong() ? NULL : &bound.it);
}

/* What is held is given back, if it was taken. */
static ps_status engine_hold_bytes(void)
{
    static const int64_t deltas[] = {0, 1, 1 << 20, INT64_MIN, INT64_MIN + 1, INT64_MAX, -1, -5};
    ps_engine *engine = PICK(world.engines);
    int64_t delta = PICK(deltas);
    ps_status status = ps_engine_hold_bytes(engine, delta);
    return status == PS_OK ? ps_engine_hold_bytes(engine, -delta) : status;
}

static ps_status engine_take_error(void)
{
    return ps_engine_take_error(PICK(world.engines));
}

static ps_status engine_leave(void)
{
    return ps_engine_leave(PICK(world.engines));
}

/* ---- variables and waits ----------------------------------------------------------------- */

static ps_status var_create(void)
{
    ps_var *var = NULL;
    ps_status status = ps_var_create(PICK(world.engines), wrong() ? NULL : &var);
    ps_var_release(var);
    return status;
}

static ps_status var_retain(void)
{
    ps_var *var = PICK_OR_NULL(world.vars);
    ps_status status = ps_var_retain(var);
    if (status == PS_OK)
        ps_var_release(var);
    return status;
}

static ps_status var_release(void)
{
    ps_var_release(NULL);
    return PS_OK;
}

static ps_status var_version(void)
{
    uint64_t version;
    return ps_var_version(PICK_OR_NULL(world.vars), wrong() ? NULL : &version);
}

static ps_status var_is_ready(void)
{
    (void)ps_var_is_ready(PICK_OR_NULL(world.vars));
    return PS_OK;
}

static ps_status wait_with(int which)
{
    static const int64_t times[] = {-1, 0, INT64_MIN, INT64_MAX, 1000};
    SIZED(ps_wait_options, options);
    options.it.timeout_ns = PICK(times);
    const ps_wait_options *given = below(2) == 0 ? NULL : &options.it;
    switch (which) {
    case 0:
        return ps_wait_read(PICK_OR_NULL(world.vars), given);
    case 1:
        return ps_wait_write(PICK_OR_NULL(world.vars), given);
    case 2:
        return ps_wait_all(PICK(world.engines), given);
    default:
        return ps_tensor_wait(any_tensor(), given);
    }
}

static ps_status wait_read(void)
{
    return wait_with(0);
}

static ps_status wait_write(void)
{
    return wait_with(1);
}

static ps_status wait_all(void)
{
    return wait_with(2);
}

static ps_status tensor_wait(void)
{
    return wait_with(3);
}

static void on_ready(void *arg, ps_status status)
{
    (void)arg, (void)status;
}

static ps_status var_on_ready(void)
{
    return ps_var_on_ready(PICK_OR_NULL(world.vars), wrong() ? NULL : on_ready, NULL);
}

/* ---- completions ------------------------------------------------------------------------- */

static ps_status completions_create(void)
{
    ps_completions *completions = NULL;
    ps_status status = ps_completions_create(PICK(world.engines), wrong() ? NULL : &completions);
    ps_completions_destroy(completions);
    return status;
}

static ps_status completions_destroy(void)
{
    ps_completions_destroy(NULL);
    return PS_OK;
}

static ps_status completions_fd(void)
{
    (void)ps_completions_fd(PICK_OR_NULL(world.completions));
    return PS_OK;
}

static ps_status completions_watch(void)
{
    return ps_completions_watch(PICK_OR_NULL(world.completions), PICK_OR_NULL(world.vars),
                                chance_bits());
}

static ps_status completions_watch_tensor(void)
{
    return ps_completions_watch_tensor(PICK_OR_NULL(world.completions), any_tensor(),
                                       chance_bits());
}

static ps_status completions_pop(void)
{
    uint64_t tag;
    ps_status status;
    return ps_completions_pop(PICK_OR_NULL(world.completions), wrong() ? NULL : &tag,
                              wrong() ? NULL : &status);
}

/* ---- threads and memory ------------------------------------------------------------------ */

static ps_status thread_mode(void)
{
    (void)ps_thread_mode();
    return PS_OK;
}

static ps_status thread_set_mode(void)
{
    ps_status status = ps_thread_set_mode(any_mode());
    if (below(2) == 0)
        (void)ps_thread_set_mode(PS_MODE_DEFAULT);
    return status;
}

static ps_status thread_state(void)
{
    (void)ps_thread_state();
    return PS_OK;
}

/* What it says besides is undone at once, so that the other calls mean the same. */
static ps_status thread_set_state(void)
{
    static const uint64_t parts[] =
        {1, 2, 4, 8, 0x10, 0x20, 0x10000, 0x20000, 3, 0xC, 0x40, 0xFFFF0000, UINT64_C(1) << 63};
    uint64_t before = ps_thread_state();
    ps_status status = ps_thread_set_state(PICK(parts) | PICK(parts));
    return status == PS_OK ? ps_thread_set_state(before) : status;
}

static bool resolve_nothing(void *state, uint64_t id, ps_place *place)
{
    (void)state;
    if (id % 2 == 0)
        place->file = "file";
    return id % 3 != 0;
}

static ps_status frontend_register(void)
{
    static const uint64_t origins[] = {0, 1, 1, 2, UINT64_MAX};
    SIZED(ps_frontend, frontend);
    uint64_t base;
    frontend.it.name = any_text();
    frontend.it.origin = PICK(origins);
    frontend.it.resolve = below(2) ? resolve_nothing : NULL;
    return ps_frontend_register(wrong() ? NULL : &frontend.it, wrong() ? NULL : &base);
}

/* Sometimes one that is not there; those that go are asked for all the same. */
static ps_status frontend_unregister(void)
{
    return ps_frontend_unregister(below(PS_FRONTENDS_MAX + 3) << 56 | wrong());
}

static ps_status location_resolve(void)
{
    SIZED(ps_place, place);
    (void)ps_location_resolve(any_location(), wrong() ? NULL : &place.it);
    return PS_OK;
}

static void do_nothing(void *state)
{
    (void)state;
}

static ps_status thread_set_hooks(void)
{
    SIZED(ps_hooks, hooks);
    hooks.it.unlock = below(2) ? do_nothing : NULL;
    hooks.it.relock = below(2) ? do_nothing : NULL;
    hooks.it.pressure = below(2) ? do_nothing : NULL;
    hooks.it.releases_pending = below(2) ? do_nothing : NULL;
    hooks.it.frontend = below(2) ? 0 : chance_bits() << 56 | wrong();
    return ps_thread_set_hooks(below(3) == 0 ? NULL : &hooks.it);
}

static ps_status releases_run(void)
{
    (void)ps_releases_run(PICK(world.engines));
    return PS_OK;
}

static ps_status memory_alloc(void)
{
    static const size_t sizes[] = {0, 1, 100, 1 << 20, (size_t)1 << 40, SIZE_MAX, SIZE_MAX / 2};
    void *block = NULL;
    size_t bytes = PICK(sizes);
    ps_status status = ps_memory_alloc(bytes, wrong() ? NULL : &block);
    if (status == PS_OK)
        ps_memory_free(block, bytes);
    return status;
}

static ps_status memory_free(void)
{
    ps_memory_free(NULL, below(100));
    return PS_OK;
}

static ps_status memory_get_stats(void)
{
    SIZED(ps_memory_stats, stats);
    return ps_memory_get_stats(wrong() ? NULL : &stats.it);
}

static ps_status memory_reset_peak(void)
{
    ps_memory_reset_peak();
    return PS_OK;
}

static ps_status memory_trim(void)
{
    (void)ps_memory_trim();
    return PS_OK;
}

/* Never more than what the machine can bear. */
static ps_status memory_set_limit(void)
{
    static const uint64_t limits[] = {1, 1 << 20, 64 << 20, 128 << 20};
    ps_status status = ps_memory_set_limit(PICK(limits));
    return status == PS_OK ? ps_memory_set_limit(128 << 20) : status;
}

/* ---- devices and traces ------------------------------------------------------------------ */

static ps_status device_find(void)
{
    static const char *const names[] = {"cpu",    "cpu:0", "cpu:4294967296",
                                        "cpu:-1", "null",  "late:0"};
    ps_device *device;
    return ps_device_find(below(2) ? PICK(names) : any_text(), wrong() ? NULL : &device);
}

static ps_status device_number(void)
{
    return (ps_device_number(PICK(world.devices)) <= 0xFFFF) ? PS_OK : PS_ERR_STATE;
}

static ps_status device_name(void)
{
    return ps_device_name(PICK(world.devices)) != NULL ? PS_OK : PS_ERR_STATE;
}

static ps_status queue_create(void)
{
    static const unsigned indices[] = {0, 1, 2, 64, UINT32_MAX};
    ps_queue *queue = NULL;
    ps_device *device = below(2) ? world.devices[3] : PICK(world.devices);
    ps_status status =
        ps_queue_create(PICK(world.engines), device, PICK(indices), wrong() ? NULL : &queue);
    return status == PS_OK ? ps_queue_destroy(queue) : status;
}

static ps_status queue_destroy(void)
{
    return ps_queue_destroy(NULL);
}

static ps_status queue_synchronise(void)
{
    return ps_queue_synchronise(PICK(world.queues));
}

static ps_status trace_start(void)
{
    static const size_t counts[] = {0, 1, 100, SIZE_MAX, SIZE_MAX / sizeof(ps_trace_event)};
    return ps_trace_start(PICK(world.engines), PICK(counts));
}

static ps_status trace_stop(void)
{
    return ps_trace_stop(PICK(world.engines));
}

static ps_status trace_read(void)
{
    ps_trace_event events[16];
    size_t count;
    uint64_t lost;
    bool ask = below(2) == 0;
    return ps_trace_read(PICK(world.engines), ask ? NULL : events, ask && !wrong() ? 0 : 16,
                         wrong() ? NULL : &count, wrong() ? NULL : &lost);
}

const hostile_call hostile_engine_calls[] = {
    {"ps_engine_create", engine_create, 1},
    {"ps_engine_default", engine_default, 1},
    {"ps_engine_destroy", engine_destroy, 1},
    {"ps_engine_workers", engine_workers, 1},
    {"ps_engine_set_workers", engine_set_workers, 1},
    {"ps_engine_get_stats", engine_get_stats, 2},
    {"ps_engine_bound", engine_bound, 2},
    {"ps_engine_set_bound", engine_set_bound, 2},
    {"ps_engine_hold_bytes", engine_hold_bytes, 2},
    {"ps_engine_take_error", engine_take_error, 1},
    {"ps_engine_leave", engine_leave, 1},
    {"ps_var_create", var_create, 2},
    {"ps_var_retain", var_retain, 2},
    {"ps_var_release", var_release, 1},
    {"ps_var_version", var_version, 2},
    {"ps_var_is_ready", var_is_ready, 1},
    {"ps_wait_read", wait_read, 2},
    {"ps_wait_write", wait_write, 2},
    {"ps_wait_all", wait_all, 2},
    {"ps_tensor_wait", tensor_wait, 2},
    {"ps_var_on_ready", var_on_ready, 2},
    {"ps_completions_create", completions_create, 1},
    {"ps_completions_destroy", completions_destroy, 1},
    {"ps_completions_fd", completions_fd, 1},
    {"ps_completions_watch", completions_watch, 2},
    {"ps_completions_watch_tensor", completions_watch_tensor, 2},
    {"ps_completions_pop", completions_pop, 4},
    {"ps_thread_mode", thread_mode, 1},
    {"ps_thread_set_mode", thread_set_mode, 1},
    {"ps_thread_state", thread_state, 1},
    {"ps_thread_set_state", thread_set_state, 2},
    {"ps_frontend_register", frontend_register, 2},
    {"ps_frontend_unregister", frontend_unregister, 1},
    {"ps_location_resolve", location_resolve, 2},
    {"ps_thread_set_hooks", thread_set_hooks, 1},
    {"ps_releases_run", releases_run, 1},
    {"ps_memory_alloc", memory_alloc, 2},
    {"ps_memory_free", memory_free, 1},
    {"ps_memory_get_stats", memory_get_stats, 2},
    {"ps_memory_reset_peak", memory_reset_peak, 1},
    {"ps_memory_trim", memory_trim, 1},
    {"ps_memory_set_limit", memory_set_limit, 1},
    {"ps_device_find", device_find, 2},
    {"ps_device_name", device_name, 1},
    {"ps_device_number", device_number, 1},
    {"ps_queue_create", queue_create, 2},
    {"ps_queue_destroy", queue_destroy, 1},
    {"ps_queue_synchronise", queue_synchronise, 1},
    {"ps_trace_start", trace_start, 1},
    {"ps_trace_stop", trace_stop, 1},
    {"ps_trace_read", trace_read, 1},
    {NULL, no_status, 0},
};
