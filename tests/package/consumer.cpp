// The smallest C++ program that does something with the engine (queue a task, wait, look) and with
// tensors.
#include <penstock_ops.h>

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

// exp of twelve zeros, summed.
static bool tensors_work()
{
    const int64_t shape[] = {3, 4};
    ps_tensor *x = nullptr, *y = nullptr, *sum = nullptr;
    ps_scalar value = ps_scalar();
    bool well = ps_zeros(ps_arg_ints(shape, 2), &x) == PS_OK &&
                ps_exp(ps_arg_tensor(x), &y) == PS_OK && ps_sum(ps_arg_tensor(y), &sum) == PS_OK &&
                ps_tensor_item(sum, &value) == PS_OK;
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(sum);
    return well && value.tag == PS_SCALAR_DOUBLE && value.as.d == 12;
}

int main()
{
    if (!works() || !tensors_work()) {
        std::printf("failed: %s\n", ps_last_error());
        return 1;
    }
    return 0;
}
