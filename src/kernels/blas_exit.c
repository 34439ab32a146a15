/* Exit while workers multiply.
 *
 * OpenBLAS gives its buffers back and forgets its functions when the process exits. A worker that is
 * still inside a product then crashes, and with it the process. So exit waits for the calls that are
 * under way, and no thread begins another.
 *
 * Invariants
 *   1. The handler is registered when the library is loaded, before any engine is made. Handlers run
 *      in the opposite order: the engine's own, which may run products, comes first, and OpenBLAS's,
 *      which belongs to the unloading of libraries, last.
 *   2. A child of fork has no calls but those of the thread that forked. */
#include "kernels/blas_exit.h"

#include "base/futex.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { CLOSED = 1, CALL = 2 };

static ps__word state; /* CALL for each call under way, and CLOSED once the process exits */
/* Calls of this thread: a signal handler that exits may have interrupted one. */
static __thread uint32_t own __attribute__((tls_model("initial-exec")));

static void end(void)
{
    /* Pairs with the load in wait_for_calls. */
    if (PS_UNLIKELY(ps__sub_acq_rel(&state, CALL) & CLOSED))
        ps__futex_wake(&state, 1);
}

void ps__blas_call_begin(void)
{
    /* Pairs with the one in wait_for_calls: either that sees this call, or this sees CLOSED. */
    if (PS_UNLIKELY(ps__add_acq_rel(&state, CALL) & CLOSED)) {
        end();
        for (;;)
            pause();
    }
    own += CALL;
}

void ps__blas_call_end(void)
{
    own -= CALL;
    end();
}

static void wait_for_calls(void)
{
    ps__or_acq_rel(&state, CLOSED);
    for (uint32_t now; (now = ps__load_acquire(&state)) > (own | CLOSED);)
        ps__futex_wait(&state, now, -1);
}

static void after_fork(void)
{
    ps__store(&state, (ps__load(&state) & CLOSED) | own);
}

__attribute__((constructor)) static void install(void)
{
    atexit(wait_for_calls);
    pthread_atfork(NULL, NULL, after_fork);
}
