/* Calls of statuses, versions, generators, BLAS and files. */
#include "hostile.h"

#include <stdio.h>

static ps_status status_name(void)
{
    return ps_status_name((ps_status)any_number()) != NULL ? PS_OK : PS_ERR_STATE;
}

static ps_status status_text(void)
{
    return ps_status_text((ps_status)any_number()) != NULL ? PS_OK : PS_ERR_STATE;
}

static ps_status status_kind(void)
{
    return ps_status_kind((ps_status)any_number()) <= PS_ERROR_TIMEOUT ? PS_OK : PS_ERR_STATE;
}

static ps_status last_error(void)
{
    return ps_last_error() != NULL ? PS_OK : PS_ERR_STATE;
}

/* Called wrongly it leaves the last text as it is, so its status says nothing about that. */
static ps_status last_error_info(void)
{
    SIZED(ps_error_info, info);
    (void)ps_last_error_info(wrong() ? NULL : &info.it);
    return PS_OK;
}

static ps_status version(void)
{
    return ps_version() != NULL ? PS_OK : PS_ERR_STATE;
}

static ps_status abi_version(void)
{
    return ps_abi_version() == PS_ABI_VERSION ? PS_OK : PS_ERR_STATE;
}

static ps_status blas_propose(void)
{
    return ps_blas_propose(below(2) ? NULL : any_text());
}

static ps_status blas_name(void)
{
    return ps_blas_name() != NULL ? PS_OK : PS_ERR_STATE;
}

static ps_status blas_get_info(void)
{
    SIZED(ps_blas_info, info);
    return ps_blas_get_info(wrong() ? NULL : &info.it);
}

/* ---- generators -------------------------------------------------------------------------- */

static ps_status generator_create(void)
{
    ps_generator *generator = NULL;
    ps_status status = ps_generator_create(chance_bits(), wrong() ? NULL : &generator);
    ps_generator_release(generator);
    return status;
}

static ps_status generator_retain(void)
{
    ps_generator *generator = world.generators[below(2)];
    ps_status status = ps_generator_retain(wrong() ? NULL : generator);
    if (status == PS_OK)
        ps_generator_release(generator);
    return status;
}

static ps_status generator_release(void)
{
    ps_generator_release(NULL);
    return PS_OK;
}

static ps_status generator_default(void)
{
    ps_generator *generator;
    return ps_generator_default(wrong() ? NULL : &generator);
}

static ps_status generator_seed(void)
{
    return ps_generator_seed(PICK(world.generators), chance_bits());
}

static ps_status generator_get_state(void)
{
    SIZED(ps_generator_state, state);
    return ps_generator_get_state(PICK(world.generators), wrong() ? NULL : &state.it);
}

static ps_status generator_set_state(void)
{
    SIZED(ps_generator_state, state);
    state.it.counter[0] = below(2) ? UINT64_MAX : 0;
    state.it.counter[1] = below(2) ? UINT64_MAX : 0;
    return ps_generator_set_state(PICK(world.generators), wrong() ? NULL : &state.it);
}

/* ---- files ------------------------------------------------------------------------------- */

static const char *any_path(char *room, size_t bytes)
{
    if (wrong())
        return any_text() == NULL ? NULL : below(2) ? "" : "/nowhere/at/all";
    snprintf(room, bytes, "%s/one.params", world.folder);
    return room;
}

static ps_status params_save(void)
{
    static const size_t counts[] = {(size_t)1 << 62, SIZE_MAX};
    char path[512];
    const char *names[2] = {"one", wrong() ? NULL : "two"};
    ps_tensor *tensors[2] = {wrong() ? any_tensor() : world.tensors[0],
                             wrong() ? any_tensor() : world.tensors[2]};
    static const int versions[] = {0, 1, 4, -1, 100};
    int version_given = wrong() ? PICK(versions) : 2 + (int)below(2);
    size_t count = below(3);
    bool none = wrong();
    return ps_params_save(any_path(path, sizeof path), below(2) ? NULL : names,
                          none ? NULL : tensors, none && below(2) ? PICK(counts) : count,
                          (ps_params_version)version_given);
}

static uint32_t any_flags(void)
{
    return wrong() ? (uint32_t)chance_bits() : 0;
}

static ps_status params_load(void)
{
    char path[512];
    ps_params *params = NULL;
    ps_status status =
        ps_params_load(any_path(path, sizeof path), any_flags(), wrong() ? NULL : &params);
    ps_params_free(params);
    return status;
}

/* A list of no arrays and no names: four words. */
static ps_status params_load_memory(void)
{
    static const uint64_t words[] = {0x112, 0xF993FAC9, 1, 2, UINT64_MAX, UINT64_C(1) << 40};
    uint64_t list[8] = {0x112};
    size_t bytes = wrong() ? below(65) : 32;
    for (size_t i = 0; i < 4; i++)
        list[i] = wrong() ? PICK(words) : list[i];
    void *data = wrong() ? NULL : exactly(list, bytes, 1);
    ps_params *params = NULL;
    ps_status status = ps_params_load_memory(data, bytes, any_flags(), wrong() ? NULL : &params);
    ps_params_free(params);
    free(data);
    return status;
}

static ps_status params_free(void)
{
    ps_params_free(NULL);
    return PS_OK;
}

static ps_status params_count(void)
{
    (void)ps_params_count(PICK_OR_NULL(world.params));
    return PS_OK;
}

static ps_status params_name(void)
{
    (void)ps_params_name(PICK_OR_NULL(world.params), (size_t)any_number());
    return PS_OK;
}

static ps_status params_tensor(void)
{
    ps_tensor *tensor = NULL;
    ps_status status =
        ps_params_tensor(PICK_OR_NULL(world.params), wrong() ? (size_t)any_number() : below(2),
                         wrong() ? NULL : &tensor);
    keep(tensor);
    return status;
}

static ps_status safetensors_save(void)
{
    static const size_t counts[] = {(size_t)1 << 62, SIZE_MAX};
    char path[512];
    const char *names[2] = {"one", wrong() ? any_text() : "two"};
    const char *pairs[4] = {"a", "b", wrong() ? any_text() : "c", wrong() ? NULL : "d"};
    ps_tensor *tensors[2] = {wrong() ? any_tensor() : world.tensors[0],
                             wrong() ? any_tensor() : world.tensors[2]};
    bool none = wrong(), no_pairs = wrong();
    return ps_safetensors_save(any_path(path, sizeof path), wrong() ? NULL : names,
                               none ? NULL : tensors, none && below(2) ? PICK(counts) : below(3),
                               no_pairs ? NULL : pairs, no_pairs ? PICK(counts) : below(3));
}

static ps_status safetensors_open(void)
{
    char path[512];
    ps_safetensors *file = NULL;
    ps_status status =
        ps_safetensors_open(any_path(path, sizeof path), wrong() ? any_flags() : (uint32_t)below(2),
                            RESULT(file));
    ps_safetensors_close(file);
    return status;
}

/* A header without tensors. */
static ps_status safetensors_open_memory(void)
{
    char content[12] = {4, 0, 0, 0, 0, 0, 0, 0, '{', '}', ' ', ' '};
    size_t bytes = wrong() ? below(13) : 12;
    content[below(12)] ^= wrong() ? (char)chance_bits() : 0;
    void *data = wrong() ? NULL : exactly(content, bytes, 1);
    ps_safetensors *file = NULL;
    ps_status status = ps_safetensors_open_memory(data, bytes, RESULT(file));
    ps_safetensors_close(file);
    free(data);
    return status;
}

static ps_status safetensors_close(void)
{
    ps_safetensors_close(NULL);
    return PS_OK;
}

static size_t any_place(void)
{
    return wrong() ? (size_t)any_number() : below(2);
}

static ps_status safetensors_ask(void)
{
    const ps_safetensors *file = PICK_OR_NULL(world.safetensors);
    size_t place = any_place();
    (void)ps_safetensors_count(file);
    (void)ps_safetensors_dtype(file, place);
    (void)ps_safetensors_name(file, place);
    (void)ps_safetensors_ndim(file, place);
    (void)ps_safetensors_shape(file, place);
    (void)ps_safetensors_metadata_key(file, place);
    (void)ps_safetensors_metadata_value(file, place);
    return PS_OK;
}

static ps_status safetensors_find(void)
{
    size_t index;
    return ps_safetensors_find(PICK_OR_NULL(world.safetensors), wrong() ? any_text() : "a",
                               RESULT(index));
}

static ps_status safetensors_tensor(void)
{
    ps_tensor *tensor = NULL;
    ps_status status =
        ps_safetensors_tensor(PICK_OR_NULL(world.safetensors), any_place(), RESULT(tensor));
    keep(tensor);
    return status;
}

const hostile_call hostile_other_calls[] = {
    {"ps_status_name", status_name, 1},
    {"ps_status_text", status_text, 1},
    {"ps_status_kind", status_kind, 1},
    {"ps_last_error", last_error, 1},
    {"ps_last_error_info", last_error_info, 2},
    {"ps_version", version, 1},
    {"ps_abi_version", abi_version, 1},
    {"ps_blas_propose", blas_propose, 1},
    {"ps_blas_name", blas_name, 1},
    {"ps_blas_get_info", blas_get_info, 1},
    {"ps_generator_create", generator_create, 1},
    {"ps_generator_retain", generator_retain, 1},
    {"ps_generator_release", generator_release, 1},
    {"ps_generator_default", generator_default, 1},
    {"ps_generator_seed", generator_seed, 1},
    {"ps_generator_get_state", generator_get_state, 2},
    {"ps_generator_set_state", generator_set_state, 2},
    {"ps_params_save", params_save, 1},
    {"ps_params_load", params_load, 1},
    {"ps_params_load_memory", params_load_memory, 2},
    {"ps_params_free", params_free, 1},
    {"ps_params_count", params_count, 1},
    {"ps_params_name", params_name, 1},
    {"ps_params_tensor", params_tensor, 1},
    {"ps_safetensors_save", safetensors_save, 1},
    {"ps_safetensors_open", safetensors_open, 1},
    {"ps_safetensors_open_memory", safetensors_open_memory, 2},
    {"ps_safetensors_close", safetensors_close, 1},
    {"ps_safetensors_count", safetensors_ask, 1},
    {"ps_safetensors_name", safetensors_ask, 1},
    {"ps_safetensors_dtype", safetensors_ask, 1},
    {"ps_safetensors_ndim", safetensors_ask, 1},
    {"ps_safetensors_shape", safetensors_ask, 1},
    {"ps_safetensors_metadata_key", safetensors_ask, 1},
    {"ps_safetensors_metadata_value", safetensors_ask, 1},
    {"ps_safetensors_find", safetensors_find, 1},
    {"ps_safetensors_tensor", safetensors_tensor, 1},
    {NULL, NULL, 0},
};
