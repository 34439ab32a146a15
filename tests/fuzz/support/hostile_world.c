/* The objects that calls are made with. */
#include "hostile.h"

#include <stdio.h>

#include "device/late/late.h"
#include "memory/memory.h"
#include "tensor/storage.h"

hostile_world world;

static void must(ps_status status, const char *what)
{
    if (status == PS_OK)
        return;
    printf("cannot make the world: %s: %s\n", what, ps_last_error());
    exit(3);
}

#define MUST(expression) must(expression, #expression)

/* Three by four, small numbers that are positions too; then square ones, bool, complex, a scalar. */
static void create_tensors(void)
{
    static const ps_dtype dtypes[TENSORS] = {PS_FLOAT32, PS_FLOAT32, PS_FLOAT64, PS_INT64,
                                             PS_INT64,   PS_BOOL,    PS_FLOAT32, PS_COMPLEX64,
                                             PS_INT32,   PS_FLOAT16, PS_FLOAT32, PS_FLOAT32};
    static const int64_t shapes[][2] = {{3, 4}, {4, 4}, {3, 1}};
    char elements[16 * 16] = {0};
    for (size_t i = 0; i < TENSORS; i++)
        MUST(ps_tensor_from_host(dtypes[i], i == 11 ? 0 : 2,
                                 shapes[i == 6    ? 1
                                        : i == 10 ? 2
                                                  : 0],
                                 NULL, elements, NULL, &world.tensors[i]));
}

static void create_engines(void)
{
    MUST(ps_engine_default(&world.engines[0]));
    ps_engine_options options = {.size = sizeof options, .workers = 2};
    MUST(ps_engine_create(&options, &world.engines[1]));
    MUST(ps_engine_create(&options, &world.engines[2]));
    for (int i = 0; i < VARS; i++)
        MUST(ps_var_create(world.engines[i == VARS - 1 ? 2 : 1], &world.vars[i]));
    MUST(ps_engine_destroy(world.engines[2]));
    MUST(ps_completions_create(world.engines[0], &world.completions[0]));
    MUST(ps_completions_create(world.engines[1], &world.completions[1]));
}

static void create_params(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/world.params", world.folder);
    const char *names[] = {"a", "b"};
    MUST(ps_params_save(path, names, world.tensors, 2, PS_PARAMS_V2));
    MUST(ps_params_load(path, 0, &world.params[0]));
    MUST(ps_params_save(path, NULL, world.tensors, 2, PS_PARAMS_V3));
    MUST(ps_params_load(path, 0, &world.params[1]));
}

static void create_safetensors(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/world.safetensors", world.folder);
    const char *names[] = {"a", "b"};
    MUST(ps_safetensors_save(path, names, world.tensors, 2, names, 1));
    MUST(ps_safetensors_open(path, 0, &world.safetensors[0]));
    MUST(ps_safetensors_open(path, PS_SAFETENSORS_BORROW, &world.safetensors[1]));
}

/* The late device takes no more than the CPU. */
static void limit_late(void)
{
    const ps__home *home;
    ps_memory_stats stats = {.size = sizeof stats};
    MUST(ps__home_of(world.devices[3], &home));
    MUST(ps_memory_get_stats(&stats));
    ps__pool_set_limit(home->pool, stats.limit);
}

void world_create(const char *folder)
{
    world.folder = folder;
    create_tensors();
    create_engines();
    create_params();
    create_safetensors();
    MUST(ps_device_find("cpu:0", &world.devices[1]));
    MUST(ps_device_find("null:0", &world.devices[2]));
    MUST(ps__late_create(&world.devices[3]));
    limit_late();
    MUST(ps_queue_create(world.engines[1], world.devices[3], 0, &world.queues[0]));
    MUST(ps_generator_create(1, &world.generators[0]));
    MUST(ps_generator_create(2, &world.generators[1]));
}

void world_destroy(void)
{
    for (size_t i = 0; i < TENSORS; i++)
        ps_tensor_release(world.tensors[i]);
    for (size_t i = 0; i < GENERATORS; i++)
        ps_generator_release(world.generators[i]);
    for (size_t i = 0; i < PARAMS; i++)
        ps_params_free(world.params[i]);
    for (size_t i = 0; i < SAFETENSORS; i++)
        ps_safetensors_close(world.safetensors[i]);
    for (size_t i = 0; i < COMPLETIONS; i++)
        ps_completions_destroy(world.completions[i]);
    while (ps_wait_all(world.engines[0], NULL) != PS_OK)
        ;
    while (ps_wait_all(world.engines[1], NULL) != PS_OK)
        ;
    MUST(ps_queue_destroy(world.queues[0]));
    for (int i = 0; i < VARS; i++)
        ps_var_release(world.vars[i]);
    MUST(ps_engine_destroy(world.engines[1]));
}
