// The smallest C++ program that does something with the engine: queue a task, wait, look.
#include <penstock.h>

#include <cstdio>

static ps_status increment(ps_task *, void *counter)
{
    ++*static_cast<int *>(counter);
    return PS_OK;
}

static bool works()
{
    int counter = 0;
    ps_engine *engine = nullptr;
    ps_var *var = nullptr;
    if (ps_engine_create(nullptr, &engine) != PS_OK || ps_var_create(engine, &var) != PS_OK)
        return false;

    ps_task_spec spec = ps_task_spec();
    spec.size = sizeof spec;
    spec.run = increment;
    spec.arg = &counter;
    spec.writes = &var;
    spec.nwrites = 1;
    for (int i = 0; i < 100; i++)
        if (ps_push(engine, &spec) != PS_OK)
            return false;

    if (ps_wait_read(var, nullptr) != PS_OK)
        return false;
    ps_var_release(var);
    return ps_engine_destroy(engine) == PS_OK && counter == 100;
}

int main()
{
    if (!works()) {
        std::printf("failed: %s\n", ps_last_error());
        return 1;
    }
    return 0;
}
