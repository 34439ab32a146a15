/* Short work at the call: see at_once.h. */
#include "engine/at_once.h"

#include "engine/internal.h"

bool ps__at_once_begin(ps_engine *engine)
{
    ps__thread *thread = ps__thread_get();
    /* `over` is a hint: pairs with nothing. */
    if (PS_UNLIKELY(thread == NULL || ps__thread_is_sync(thread, engine) ||
                    ps__load(&engine->over)))
        return false;
    ps__lock_take(&engine->lock);
    /* Both change under the lock only. */
    if (PS_LIKELY((ps__load(&engine->closed) | ps__load(&engine->tracing)) == 0))
        return true;
    ps__unlock(&engine->lock);
    return false;
}

void ps__at_once_end(ps_engine *engine, bool done)
{
    if (PS_LIKELY(done)) {
        /* As in ps__graph_register: read without the lock by the watching worker. */
        ps__store(&engine->sequence, ps__load(&engine->sequence) + 1);
        engine->executed++;
        engine->helped += !ps__thread_current->worker; /* it exists: ps__at_once_begin made it */
    }
    ps__unlock(&engine->lock);
}
