/* Random generators: a key and a counter that calls move on. penstock.h has the contract.
 *
 * The state is guarded by the engine's lock, which is held for a few instructions here: that lock
 * is free in the child of a fork, whoever held it in the parent. Nobody counts the handles of the
 * default generator, which is part of the library. */
#include "ops/generator.h"

#include <pthread.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "tensor/storage.h"

struct ps_generator {
    _Atomic uint32_t handles;
    ps__random state; /* guarded by the engine's lock */
};

/* ---- the default one --------------------------------------------------------------------- */

static ps_generator shared;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool seeded; /* written once, before anybody uses it */

static void seed_shared(void)
{
    seeded = getentropy(&shared.state.key, sizeof shared.state.key) == 0;
}

static ps_status find_generator(ps_generator **generator)
{
    if (PS_LIKELY(*generator != NULL))
        return PS_OK;
    pthread_once(&once, seed_shared);
    if (!seeded)
        return ps__fail(PS_ERR_SYSTEM, "the system has no seed for the default random generator");
    *generator = &shared;
    return PS_OK;
}

ps_status ps_generator_default(ps_generator **generator)
{
    if (generator == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_generator_default: generator is NULL");
    ps_generator *found = NULL;
    ps_status status = find_generator(&found);
    if (status == PS_OK)
        *generator = found;
    return status;
}

/* ---- handles ----------------------------------------------------------------------------- */

ps_status ps_generator_create(uint64_t seed, ps_generator **generator)
{
    if (generator == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_generator_create: generator is NULL");
    ps_generator *made = ps__calloc(1, sizeof *made);
    if (made == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for a random generator");
    ps__store(&made->handles, 1u); /* nobody else knows it yet */
    made->state.key = seed;
    *generator = made;
    return PS_OK;
}

ps_status ps_generator_retain(ps_generator *generator)
{
    if (generator == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_generator_retain: generator is NULL");
    if (generator != &shared)
        ps__add(&generator->handles, 1u); /* the caller has one */
    return PS_OK;
}

void ps_generator_release(ps_generator *generator)
{
    if (generator == NULL || generator == &shared)
        return;
    /* Pairs with the other releases: the last one sees all uses. */
    if (ps__sub_acq_rel(&generator->handles, 1u) == 1)
        ps__free(generator);
}

/* ---- states ------------------------------------------------------------------------------ */

/* Copies the state out if `from` is not NULL, then moves it on, or sets it if `to` is not NULL. */
static ps_status exchange(ps_generator *generator, ps__random *from, uint64_t blocks,
                          const ps__random *to)
{
    ps_status status = find_generator(&generator);
    if (status != PS_OK)
        return status;
    ps_engine *engine = ps__tensor_engine();
    if (engine == NULL)
        return PS_ERR_MEMORY;
    ps__engine_lock(engine);
    if (from != NULL)
        *from = generator->state;
    if (to != NULL)
        generator->state = *to;
    else
        ps__random_advance(&generator->state, blocks);
    ps__engine_unlock(engine);
    return PS_OK;
}

ps_status ps__generator_take(ps_generator *generator, uint64_t blocks, ps__random *state)
{
    return exchange(generator, state, blocks, NULL);
}

ps_status ps_generator_seed(ps_generator *generator, uint64_t seed)
{
    return exchange(generator, NULL, 0, &(ps__random){.key = seed});
}

ps_status ps_generator_get_state(ps_generator *generator, ps_generator_state *state)
{
    ps__random now;
    ps_status status = exchange(generator, &now, 0, NULL);
    if (status != PS_OK)
        return status;
    ps_generator_state full = {.key = now.key, .counter = {now.counter[0], now.counter[1]}};
    return ps__sized_write("ps_generator_get_state: state", state, &full, sizeof full);
}

ps_status ps_generator_set_state(ps_generator *generator, const ps_generator_state *given)
{
    ps_generator_state state;
    ps_status status = ps__sized_read("ps_generator_set_state: state", &state, sizeof state, given,
                                      PS__SIZE_TO(ps_generator_state, counter));
    if (status != PS_OK)
        return status;
    ps__random to = {state.key, {state.counter[0], state.counter[1]}};
    return exchange(generator, NULL, 0, &to);
}
