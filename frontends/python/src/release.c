/* Giving back what belongs to the interpreter.
 *
 * Memory that was imported without a copy is given back when no array and no queued operation needs
 * it any more. That is found out on whatever thread comes last, often a worker, which must not wait
 * for the interpreter. So it only puts a record on a list and wakes a thread of ours, which takes
 * the interpreter's lock and works through the list. This happens even while no Python code runs.
 *
 * Invariants
 *   1. Records are taken off the list with the interpreter's lock held only, so a fork, which
 *      happens with the lock held by the forking thread, loses none that waited.
 *   2. The thread takes the interpreter's lock only before `close_thread` has joined it. What is
 *      listed after that is left to the end of the process: the interpreter is going.
 *   3. The semaphore is posted by whoever makes the list non-empty, so it counts no more than the
 *      batches and one. */
#include "interop.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

static _Atomic(pyps_release *) listed; /* the newest in front */
static sem_t wake;
static pthread_t thread;    /* valid while `running` */
static atomic_bool running; /* the thread was started, in this process; who sets it starts it */
static atomic_bool
    closing; /* set by `close_thread`, seen by the thread after the post that wakes it */

/* ---- The thread -------------------------------------------------------------------------- */

/* Oldest first. */
static pyps_release *reversed(pyps_release *list)
{
    pyps_release *result = NULL;
    while (list != NULL) {
        pyps_release *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

static void release_listed(void)
{
    /* acquire: pairs with the release in pyps_release_later */
    pyps_release *list = atomic_exchange_explicit(&listed, NULL, memory_order_acquire);
    list = reversed(list);
    while (list != NULL) {
        pyps_release *next = list->next;
        list->run(list);
        if (PyErr_Occurred())
            PyErr_WriteUnraisable(NULL);
        list = next;
    }
}

static void *thread_main(void *unused)
{
    (void)unused;
    for (;;) {
        while (sem_wait(&wake) != 0)
            ; /* interrupted: signals are blocked here, but debuggers interrupt too */
        if (atomic_load(&closing))
            return NULL;
        PyGILState_STATE state = PyGILState_Ensure();
        release_listed();
        PyGILState_Release(state);
    }
}

/* All signals are left to the interpreter's own threads. */
static int thread_start(void)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = pthread_create(&thread, NULL, thread_main, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error;
}

/* Returns an errno. Of several callers one starts it. */
static int ensure_running(void)
{
    bool expected = false;
    if (!atomic_compare_exchange_strong(&running, &expected, true))
        return 0;
    int error = thread_start();
    if (error != 0)
        atomic_store(&running, false);
    return error;
}

/* ---- Its ends ---------------------------------------------------------------------------- */

/* The child has the list, but not the thread. */
static void forked(void)
{
    sem_init(&wake, 0, atomic_load(&listed) != NULL);
    atomic_store(&running, false);
}

/* At the interpreter's exit, before anything of it is gone. The thread may be about to take the
 * lock: it is given up while we wait. */
static PyObject *close_thread(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    atomic_store(&closing, true);
    if (atomic_load(&running)) {
        sem_post(&wake);
        Py_BEGIN_ALLOW_THREADS;
        pthread_join(thread, NULL);
        Py_END_ALLOW_THREADS;
        atomic_store(&running, false);
    }
    release_listed();
    Py_RETURN_NONE;
}

static PyMethodDef close_def = {"_close_releases", close_thread, METH_NOARGS, NULL};

/* Once: at the first import that borrows. */
static int set_up(void)
{
    static bool done;
    if (done)
        return 0;
    PyObject *atexit = PyImport_ImportModule("atexit");
    PyObject *function = atexit != NULL ? PyCFunction_New(&close_def, NULL) : NULL;
    PyObject *result = NULL;
    if (done) /* by another thread, while this one imported */
        result = Py_NewRef(Py_None);
    else if (function != NULL && sem_init(&wake, 0, 0) == 0 &&
             pthread_atfork(NULL, NULL, forked) == 0)
        result = PyObject_CallMethod(atexit, "register", "O", function);
    else if (function != NULL)
        PyErr_SetFromErrno(PyExc_OSError);
    Py_XDECREF(atexit);
    Py_XDECREF(function);
    Py_XDECREF(result);
    done = result != NULL;
    return done ? 0 : -1;
}

/* ---- What the others call ---------------------------------------------------------------- */

int pyps_release_prepare(void)
{
    if (atomic_load(&closing))
        return 0;
    if (set_up() != 0)
        return -1;
    int error = ensure_running();
    if (error != 0) {
        errno = error;
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    return 0;
}

void pyps_release_later(pyps_release *release)
{
    pyps_release *first = atomic_load_explicit(&listed, memory_order_relaxed);
    do
        release->next = first;
    while (!atomic_compare_exchange_weak_explicit(&listed, &first, release, memory_order_release,
                                                  memory_order_relaxed));
    if (atomic_load(&closing))
        return;
    ensure_running(); /* a child of fork has none yet; on failure the next one tries again */
    if (first == NULL)
        sem_post(&wake);
}
