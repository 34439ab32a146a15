/* How threads and tasks count: see origin.h. */
#include "engine/origin.h"

#include "base/frontend.h"
#include "engine/internal.h"

static int64_t stated(uint64_t location, int64_t position)
{
    const ps_frontend *frontend = ps__frontend_of(location);
    return ps__position_from(frontend != NULL ? frontend->origin : 0, position);
}

int64_t ps__stated(int64_t position)
{
    const ps__thread *thread = ps__thread_current;
    return stated(thread != NULL && thread->hooks != NULL ? thread->hooks->frontend : 0, position);
}

int64_t ps__task_stated(const ps_task *task, int64_t position)
{
    return stated(task != NULL ? task->location : 0, position);
}
