/* The bound: holding back those who push too far ahead of what runs. */
#include "engine/capture.h"
#include "engine/waiting.h"

enum { LIMIT_SHARE = 4 }; /* of the memory limit is for what is queued */

/* What is queued must leave room for what runs, whatever the bound says. Near the limit the bytes
 * of tasks that may be grouped count too: that may break up groups, but fails nobody. */
static bool over_limit(const ps_engine *engine)
{
    return ps__bytes_counted(engine) + engine->fresh_bytes > ps__memory_limit() / LIMIT_SHARE;
}

bool ps__bytes_over(const ps_engine *engine)
{
    const ps_bound *bound = &engine->bound;
    uint32_t free = engine->gathering != 0 ? PS__FRESH_GATHERING : PS__FRESH_FREE;
    uint64_t bytes = ps__bytes_counted(engine) + (engine->fresh > free ? engine->fresh_bytes : 0);
    if (PS_UNLIKELY(bytes > bound->hard_bytes || over_limit(engine)))
        return true;
    uint64_t few;
    return bytes > bound->soft_bytes &&
           !__builtin_mul_overflow(bound->soft_ops_per_worker, ps__load(&engine->workers_wanted),
                                   &few) &&
           engine->ops > few;
}

void ps__bound_update(ps_engine *engine)
{
    if (PS_UNLIKELY(ps__load(&engine->over)) && !ps__engine_over(engine))
        ps__store(&engine->over, 0);
    if (PS_UNLIKELY(engine->progress_waiters != 0))
        ps__progress(engine);
}

/* ---- Bytes that only queued tasks keep --------------------------------------------------- */

enum { UNTOLD = 1 << 20 }; /* bytes that a thread may know of by itself */

void ps__kept_tell_slow(ps_engine *engine, int64_t *kept)
{
    engine->kept_bytes += *kept;
    *kept = 0;
    if (ps__engine_over(engine))
        ps__store(&engine->over, 1); /* read by pushers without the lock: a hint */
    else
        ps__bound_update(engine);
}

/* Where this thread notes them: with the tasks that it runs, or else with those that it has queued. */
static int64_t *own_note(ps__thread *thread, const ps_engine *engine)
{
    ps__frame *frame = thread->frame;
    if (frame != NULL && frame->engine == engine && frame->piece != NULL)
        return &frame->kept;
    ps__window *window = thread->windows;
    return window != NULL && window->engine == engine ? &window->kept : NULL;
}

void ps__engine_keep(ps_engine *engine, int64_t delta)
{
    if (PS_UNLIKELY(ps__load(&engine->closed)))
        return; /* it counts no more */
    ps__thread *thread = ps__thread_current;
    int64_t *note = thread != NULL ? own_note(thread, engine) : NULL;
    int64_t untold = delta + (note != NULL ? *note : 0);
    if (PS_LIKELY(note != NULL && untold < UNTOLD && untold > -UNTOLD)) {
        *note = untold;
        return;
    }
    if (note != NULL)
        *note = 0;
    ps__lock_take(&engine->lock);
    ps__kept_tell_slow(engine, &untold);
    ps__engine_unlock_and_wake(engine, false);
}

bool ps__anything_moves(const ps_engine *engine, unsigned own)
{
    return engine->running > own + engine->asleep_in_tasks || engine->in_flight != 0 ||
           engine->fresh != 0 || ps__ready_moves(engine);
}

void ps__progress(ps_engine *engine)
{
    ps__store(&engine->progress, ps__load(&engine->progress) + 1);
    ps__futex_wake(&engine->progress, INT32_MAX);
}

void ps__progress_wait(ps_engine *engine, int64_t deadline)
{
    uint32_t value = ps__load(&engine->progress);
    engine->progress_waiters++;
    ps__engine_unlock_and_wake(engine, true);
    ps__futex_wait(&engine->progress, value, deadline);
    ps__lock_take(&engine->lock);
    engine->progress_waiters--;
}

static void sleep_for_progress(ps__waiting *wait)
{
    if (!wait->unlocked && wait->thread->hooks != NULL) {
        ps__unlock(&wait->engine->lock);
        ps__waiting_unlock(wait);
        ps__lock_take(&wait->engine->lock);
        return; /* things may have changed meanwhile: look again first */
    }
    ps__progress_wait(wait->engine, ps__waiting_sleep_end(wait));
}

bool ps__windows_open(ps_engine *engine)
{
    if (engine->fresh == 0)
        return false;
    ps__windows_flush(engine);
    return true;
}

ps_status ps__hold_back(ps_engine *engine, ps__thread *thread)
{
    ps__waiting wait;
    if (thread->frame != NULL || thread->callback || thread->loops != 0)
        return PS_OK;
    ps_status status = ps__waiting_begin(&wait, engine, thread, NULL);
    if (status != PS_OK)
        return status;
    const ps_hooks *hooks = thread->hooks;
    bool pressed = hooks == NULL || hooks->pressure == NULL;
    ps__waiting_enter(&wait);
    ps__lock_take(&engine->lock);
    ps__kept_tell_own(engine, thread);
    engine->held_back++;
    ps__trace_event(engine, PS_TRACE_WAIT, NULL, PS__WAIT_BOUND);
    ps__piece piece;
    while (ps__engine_over(engine)) {
        if ((status = ps__waiting_reason_to_stop(&wait)) != PS_OK) {
            break;
        } else if (ps__waiting_park(&wait)) {
            continue;
        } else if (ps__help_find_any(&wait, &piece)) {
            ps__help_run(&wait, &piece);
        } else if (!ps__anything_moves(engine, 0)) {
            break;
        } else if (!pressed) {
            pressed = true;
            ps__unlock(&engine->lock);
            ps__waiting_relock(&wait);
            hooks->pressure(hooks->state);
            ps__lock_take(&engine->lock);
        } else if (!ps__windows_open(engine)) {
            sleep_for_progress(&wait);
        }
    }
    ps__trace_event(engine, PS_TRACE_RESUME, NULL, PS__WAIT_BOUND);
    ps__engine_unlock_and_wake(engine, false);
    ps__waiting_leave(&wait);
    return status == PS_ERR_INTERRUPTED ? ps__fail(status, "interrupted at the queue's bound")
                                        : PS_OK;
}

bool ps__queue_step(ps__waiting *wait)
{
    ps_engine *engine = wait->engine;
    ps__piece piece;
    if (ps__waiting_park(wait))
        return true;
    if (ps__help_find_any(wait, &piece))
        ps__help_run(wait, &piece);
    else if (!ps__anything_moves(engine, 0))
        return false;
    else if (!ps__windows_open(engine))
        sleep_for_progress(wait);
    return true;
}

ps_status ps__drain(ps_engine *engine, ps__thread *thread)
{
    ps__waiting wait;
    ps_status status = ps__waiting_begin(&wait, engine, thread, NULL);
    if (status != PS_OK)
        return status;
    ps__waiting_enter(&wait);
    ps__lock_take(&engine->lock);
    while (engine->ops != 0 && status == PS_OK)
        if (!ps__queue_step(&wait))
            status = PS_ERR_DEADLOCK;
    ps__unlock(&engine->lock);
    ps__waiting_leave(&wait);
    return status;
}
