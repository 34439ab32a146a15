/* Calls of ps_push, and of what a task may call. */
#include "hostile.h"

/* Inside a task: what is for tasks only, with the task and without. */
static ps_status call_from_inside(ps_task *self, void *arg)
{
    uint64_t bits = (uint64_t)(uintptr_t)arg;
    ps_token token;
    (void)ps_task_sequence(self);
    (void)ps_task_sequence(NULL);
    (void)ps_task_error(self);
    (void)ps_task_error(NULL);
    (void)ps_task_defer(NULL, &token);
    (void)ps_task_defer(self, NULL);
    if (bits & 1 && ps_task_defer(self, &token) == PS_OK) {
        (void)ps_task_defer(self, &token);
        (void)ps_complete(token, (ps_status)99, NULL);
        (void)ps_complete(token, bits & 2 ? PS_ERR_TASK : PS_OK, bits & 4 ? "late" : NULL);
        (void)ps_complete(token, PS_OK, NULL);
    }
    return bits & 8 ? ps_task_fail(self, bits & 16 ? (ps_status)77 : PS_ERR_TASK, "on purpose")
                    : PS_OK;
}

static void drop(void *arg)
{
    (void)arg;
}

static ps_var **any_vars(size_t *count)
{
    static const size_t counts[] = {1, (1u << 20) + 1, SIZE_MAX};
    ps_var *vars[4];
    if (wrong()) {
        *count = PICK(counts);
        return NULL;
    }
    *count = below(4);
    for (size_t i = 0; i < *count; i++)
        vars[i] = wrong() ? PICK_OR_NULL(world.vars) : world.vars[below(VARS - 1)];
    return exactly(vars, *count, sizeof *vars);
}

static ps_status push(void)
{
    SIZED(ps_task_spec, spec);
    ps_var **reads = any_vars(&spec.it.nreads), **writes = any_vars(&spec.it.nwrites);
    spec.it.run = wrong() ? NULL : call_from_inside;
    spec.it.arg = (void *)(uintptr_t)below(32);
    spec.it.drop = below(2) ? drop : NULL;
    spec.it.reads = reads;
    spec.it.writes = writes;
    spec.it.name = below(2) ? "hostile" : NULL;
    spec.it.cost_ns = below(2) ? 0 : chance_bits() >> below(64);
    spec.it.bytes = wrong() ? UINT64_MAX : below(1000);
    spec.it.queue = below(8) == 0 ? world.queues[0] : NULL;
    spec.it.priority = below(2) ? 0 : (int32_t)chance_bits();
    spec.it.kind = wrong() ? (uint32_t)any_number() : (uint32_t)below(4);
    spec.it.flags = wrong() ? chance_bits() : below(8);
    ps_engine *engine = wrong() ? PICK(world.engines) : world.engines[1];
    ps_status status = ps_push(engine, wrong() ? NULL : &spec.it);
    free(reads);
    free(writes);
    return status;
}

/* Outside of tasks there is none to give. */
static ps_status task_fail(void)
{
    return ps_task_fail(NULL, below(2) ? PS_ERR_TASK : (ps_status)99, "%s", "outside");
}

static ps_status task_sequence(void)
{
    return ps_task_sequence(NULL) == 0 ? PS_OK : PS_ERR_STATE;
}

static ps_status task_error(void)
{
    return ps_task_error(NULL);
}

static ps_status task_defer(void)
{
    ps_token token;
    return ps_task_defer(NULL, wrong() ? NULL : &token);
}

static ps_status complete(void)
{
    ps_token token = {PICK(world.engines), NULL, below(10)};
    return ps_complete(token, (ps_status)any_number(), any_text());
}

static ps_status body(size_t begin, size_t end, void *arg)
{
    (void)arg;
    return begin < end ? PS_OK : PS_ERR_STATE;
}

static ps_status parallel_for(void)
{
    size_t count = below(200), grain = wrong() ? SIZE_MAX : below(50);
    return ps_parallel_for(PICK(world.engines), count, grain, wrong() ? NULL : body, NULL);
}

const hostile_call hostile_task_calls[] = {
    {"ps_push", push, 20},
    {"ps_task_fail", task_fail, 1},
    {"ps_task_sequence", task_sequence, 1},
    {"ps_task_error", task_error, 1},
    {"ps_task_defer", task_defer, 1},
    {"ps_complete", complete, 1},
    {"ps_parallel_for", parallel_for, 3},
    {NULL, NULL, 0},
};
