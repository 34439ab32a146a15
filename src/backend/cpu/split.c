/* Dividing work among the threads of the pool. */
#include "backend/cpu/cpu.h"

#include "base/fpmode.h"

typedef struct splitting {
    ps_loop_fn body;
    void *arg;
} splitting;

/* Pieces may run on a thread of the user's that waits for something else. */
static ps_status split_piece(size_t begin, size_t end, void *arg)
{
    const splitting *s = arg;
    uint64_t mode = ps__fpmode_enter();
    ps_status status = s->body(begin, end, s->arg);
    ps__fpmode_leave(mode);
    return status;
}

ps_status ps__split(const ps__lane *lane, size_t count, size_t grain, ps_loop_fn body, void *arg)
{
    if (count <= grain)
        return body(0, count, arg);
    splitting s = {body, arg};
    return ps_parallel_for(lane->engine, count, grain, split_piece, &s);
}

ps_status ps__split_or_wait(const ps__lane *lane, size_t count, size_t grain, ps_loop_fn body,
                            void *arg)
{
    ps_status status = ps__split(lane, count, grain, body, arg);
    return status == PS_ERR_MEMORY ? body(0, count, arg) : status;
}
