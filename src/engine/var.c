/* Variables: handles to what tasks read and write. */
#include "engine/capture.h"
#include "engine/internal.h"

ps_status ps_var_create(ps_engine *engine, ps_var **out)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    if (out == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_var_create: nowhere to put the variable");
    ps__lock_take(&engine->lock);
    ps_var *var = ps__var_new_locked(engine);
    if (var != NULL) {
        var->head = NULL;
        var->tail = &var->head;
        var->writer = NULL;
        var->version = 0;
        var->reads = 0;
        var->piece = 0;
        var->flags = 0;
        var->engine = engine;
        var->waiters = NULL;
        var->stamp = var->need_any = var->need_write = 0;
        var->magic = PS__VAR_MAGIC;
        var->id = ++engine->var_ids;
        ps__store(&var->error, NULL);
        ps__store(&var->writes, 0);
        ps__store(&var->handles, 1);
        engine->live_vars++;
    }
    ps__unlock(&engine->lock);
    if (var == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for a variable");
    *out = var;
    return PS_OK;
}

ps_status ps_var_retain(ps_var *var)
{
    if (var == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_var_retain: variable is NULL");
    PS_ASSERT(var->magic == PS__VAR_MAGIC);
    ps__add(&var->handles, 1);
    return PS_OK;
}

void ps_var_release(ps_var *var)
{
    if (var == NULL)
        return;
    PS_ASSERT(var->magic == PS__VAR_MAGIC && ps__load(&var->handles) != 0);
    /* Pairs with the other releases: whoever drops the last handle has seen their uses. */
    if (ps__sub_acq_rel(&var->handles, 1) != 1)
        return;
    ps_engine *engine = var->engine;
    ps__lock_take(&engine->lock);
    if (ps__var_is_idle(var))
        ps__var_free_locked(engine, var);
    else
        var->flags |= PS__VAR_ORPHAN;
    bool last = ps__load(&engine->closed) == 1 && engine->live_vars == 0;
    ps__unlock(&engine->lock);
    if (last)
        ps__blocks_destroy(engine);
}

ps_status ps_var_version(ps_var *var, uint64_t *version)
{
    if (var == NULL || version == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_var_version: %s is NULL",
                        var == NULL ? "variable" : "version");
    ps_status status = ps__engine_check(var->engine);
    if (status != PS_OK)
        return status;
    ps__lock_take(&var->engine->lock);
    *version = var->version;
    ps__unlock(&var->engine->lock);
    return PS_OK;
}

bool ps_var_is_ready(ps_var *var)
{
    /* Acquire: pairs with the release in complete_write. */
    return var != NULL && ps__load_acquire(&var->writes) == 0;
}

bool ps__var_is_clean(ps_var *var)
{
    /* Acquire: pairs with the release in complete_write, which has set the mark before. */
    return ps__load_acquire(&var->writes) == 0 && ps__load(&var->error) == NULL;
}
