/* What the engine knows about each thread: its windows, its hooks, what it is inside of. Made at the
 * first call of a thread, taken apart when the thread ends. */
#include "engine/internal.h"

#include "base/frontend.h"

__thread ps__thread *ps__thread_current __attribute__((tls_model("initial-exec")));

static ps__lock registry_lock; /* guards the list of threads and next_id; a leaf */
static ps__thread *registry;
static uint32_t next_id = 0x10000;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT, installed = PTHREAD_ONCE_INIT;
static int key_error;

static void at_thread_exit(void *arg)
{
    ps__thread *thread = arg;
    ps__thread_current = thread; /* other destructors may have run before */
    ps__thread_end(thread);
}

static void make_key(void)
{
    key_error = pthread_key_create(&key, at_thread_exit);
}

/* Makes `thread` the state of the calling thread. */
static void enter(ps__thread *thread)
{
    pthread_once(&installed, ps__own_install);
    ps__lock_take(&registry_lock);
    ps__own_begin(thread);
    thread->id = next_id++;
    thread->next = registry;
    thread->link = &registry;
    if (registry != NULL)
        registry->link = &thread->next;
    registry = thread;
    ps__unlock(&registry_lock);
    ps__thread_current = thread;
}

ps__thread *ps__thread_create(void)
{
    pthread_once(&once, make_key);
    ps__thread *thread = key_error == 0 ? ps__thread_prepare() : NULL;
    if (thread == NULL)
        return NULL;
    if (pthread_setspecific(key, thread) != 0) {
        ps__free(thread);
        return NULL;
    }
    enter(thread);
    return thread;
}

ps__thread *ps__thread_prepare(void)
{
    return ps__calloc_aligned(64, sizeof(ps__thread));
}

void ps__thread_enter_worker(ps__thread *thread, uint32_t id)
{
    thread->worker = true; /* before it is listed: who reads the list asks for it */
    enter(thread);
    thread->id = id;
}

/* ---- Windows --------------------------------------------------------------------------- */

static void unlink_window(ps_engine *engine, ps__window *window)
{
    ps__window *at = ps__load(&engine->windows);
    if (at == window) {
        ps__store(&engine->windows, ps__load(&window->next));
        return;
    }
    while (ps__load(&at->next) != window)
        at = ps__load(&at->next);
    ps__store(&at->next, ps__load(&window->next));
}

/* The owner gives the window up: others run what is in it. It then waits for a new owner or for
 * the end of the engine; if that has come it is freed here. */
static void abandon(ps__window *window)
{
    ps_engine *engine = window->engine;
    ps__lock_take(&engine->lock);
    bool emptied = engine->emptied;
    if (emptied)
        unlink_window(engine, window);
    else
        ps__window_flush(window);
    ps__kept_tell(engine, &window->kept);
    window->owner = NULL;
    ps__engine_unlock_and_wake(engine, true);
    if (emptied)
        ps__free(window);
}

static ps__window *adopt(ps_engine *engine, ps__thread *thread)
{
    for (ps__window *window = ps__load(&engine->windows); window != NULL;
         window = ps__load(&window->next))
        if (window->owner == NULL) {
            window->owner = thread;
            return window;
        }
    return NULL;
}

static ps__window *make_window(ps_engine *engine, ps__thread *thread)
{
    ps__lock_take(&engine->lock);
    ps__window *window = adopt(engine, thread);
    ps__unlock(&engine->lock);
    if (window != NULL)
        return window;
    window = ps__calloc_aligned(64, sizeof *window);
    if (window == NULL)
        return NULL;
    window->engine = engine;
    window->owner = thread;
    window->limit = PS__WINDOW;
    ps__store(&window->hold, PS__HOLD_SMALL);
    ps__lock_take(&engine->lock);
    ps__store(&window->next, ps__load(&engine->windows));
    /* Pairs with the acquire loads of the watching worker. */
    ps__store_release(&engine->windows, window);
    ps__unlock(&engine->lock);
    return window;
}

ps__window *ps__thread_window_slow(ps__thread *thread, ps_engine *engine)
{
    for (ps__window **link = &thread->windows; *link != NULL;) {
        ps__window *window = *link;
        bool closed = ps__load_acquire(&window->engine->closed);
        if (!closed && window->engine != engine) {
            link = &window->next_of_thread;
            continue;
        }
        *link = window->next_of_thread;
        if (closed) {
            abandon(window);
        } else {
            window->next_of_thread = thread->windows;
            thread->windows = window;
            return window;
        }
    }
    ps__window *window = make_window(engine, thread);
    if (window != NULL) {
        window->next_of_thread = thread->windows;
        thread->windows = window;
    }
    return window;
}

void ps__thread_end(ps__thread *thread)
{
    while (thread->windows != NULL) {
        ps__window *window = thread->windows;
        thread->windows = window->next_of_thread;
        abandon(window);
    }
    ps__lock_take(&registry_lock);
    ps__own_end(thread);
    *thread->link = thread->next;
    if (thread->next != NULL)
        thread->next->link = thread->link;
    ps__unlock(&registry_lock);
    ps__thread_current = NULL;
    if (!thread->worker)
        pthread_setspecific(key, NULL);
    ps__free(thread);
}

void ps__threads_poke(uint32_t how)
{
    ps__lock_take(&registry_lock);
    for (ps__thread *at = registry; at != NULL; at = at->next)
        if (how == 2 || (ps__load(&at->running) > 1 && ps__load(&at->poke) < how))
            ps__store(&at->poke, how); /* a fork that asks is not outbid by a thread that idles */
    ps__unlock(&registry_lock);
}

/* ---- Fork ------------------------------------------------------------------------------ */

void ps__threads_lock(void)
{
    ps__lock_take(&registry_lock);
}

void ps__threads_unlock(void)
{
    ps__unlock(&registry_lock);
}

ps__thread *ps__threads_named(uint32_t name)
{
    ps__thread *at = registry;
    while (at != NULL && ps__load(&at->name) != name)
        at = at->next;
    return at;
}

ps__thread *ps__threads_all(void)
{
    return registry;
}

void ps__threads_each_gone(void (*fn)(ps__thread *gone, void *arg), void *arg)
{
    for (ps__thread *at = registry; at != NULL; at = at->next)
        if (at != ps__thread_current)
            fn(at, arg);
}

void ps__threads_fork_child(void)
{
    ps__thread *self = ps__thread_current;
    for (ps__thread *at = registry; at != NULL;) {
        ps__thread *next = at->next;
        if (at != self) {
            ps__own_end(at);
            ps__free(at);
        }
        at = next;
    }
    registry = self;
    if (self != NULL) {
        self->next = NULL;
        self->link = &registry;
    }
}

/* ---- Hooks ----------------------------------------------------------------------------- */

ps_status ps_thread_set_hooks(const ps_hooks *hooks)
{
    ps_hooks full = {0};
    ps_status status = hooks == NULL
                           ? PS_OK
                           : ps__sized_read("ps_thread_set_hooks: hooks", &full, sizeof full, hooks,
                                            PS__SIZE_TO(ps_hooks, relock));
    if (status != PS_OK)
        return status;
    if (full.frontend << 8 != 0 || (full.frontend != 0 && ps__frontend_of(full.frontend) == NULL))
        return ps__fail(PS_ERR_ARGUMENT,
                        "ps_thread_set_hooks: hooks.frontend is 0x%llx, which "
                        "ps_frontend_register has not given",
                        (unsigned long long)full.frontend);
    ps__thread *thread = ps__thread_get();
    if (thread == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for the state of this thread");
    thread->own_hooks = full;
    thread->hooks = hooks != NULL ? &thread->own_hooks : NULL;
    return PS_OK;
}
