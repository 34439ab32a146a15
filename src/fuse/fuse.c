/* Fusion: elementwise tasks of a window, and perhaps a reduction at their end, as one pass.
 *
 * Members are taken from the front as long as they fit:
 *   1. All work on the same elements in the same order: their spaces are divided into common
 *      dimensions, over which every operand has strides.
 *   2. A buffer that a member writes is touched by other members only through the same view; what it
 *      holds is then a value of the program and need not be read back.
 *   3. A result that nobody outside of the group can see, since all references to its buffer are the
 *      group's own, is not stored; its memory is never allocated.
 * Each member's program is appended to the group's: every value goes through the same kernels as it
 * would alone, so the bits are the same. A step that is there already is not appended again.
 *
 * A group with a reduction stores nothing else: if it would have to, it ends before. */
#include "fuse/group.h"

const ps__grouping_fn ps__tensor_grouping = ps__fuse_tasks;

static ps_status group_run(void *state)
{
    ps__fuse_group *g = state;
    unsigned outputs = g->reduce != NULL ? 1 : g->stored;
    for (unsigned i = 0; i < outputs; i++) {
        ps_status status = ps__buffer_allocate(g->held[i]->buffer);
        if (status != PS_OK)
            return status;
    }
    for (unsigned i = 0; i < g->operands; i++) {
        g->operand[i].data = (char *)g->held[i]->buffer->data + g->held[i]->offset;
        g->operand[i].old = g->operand[i].data;
    }
    const ps__work *work = g->reduce != NULL ? &g->room.reduce.work.head : &g->room.map.work.head;
    return ps__task_do_work(g->home, g->member[g->members - 1]->op->row.name, work, g->operand,
                            g->operands);
}

static void group_drop(void *state)
{
    ps_memory_free(state, sizeof(ps__fuse_group));
}

/* Puts a group together of the first tasks, `most` at most. */
static size_t gather(ps__fuse_group *g, ps_task *const *tasks, size_t most)
{
    size_t members = 0;
    ps__fuse_begin(g);
    while (members < most && ps__task_run(tasks[members]) == ps__task_main &&
           ps__fuse_add(g, ps__task_arg(tasks[members])))
        if (g->member[members++]->work->kind == PS__WORK_REDUCE)
            break;
    return members < 2 ? 0 : members;
}

size_t ps__fuse_tasks(void *context, ps_task *const *tasks, size_t count, ps__group *group)
{
    (void)context;
    void *block = ps__memory_try(sizeof(ps__fuse_group)); /* the tasks have not begun: no waiting */
    if (block == NULL)
        return 0; /* alone, then */
    size_t most = count < PS__FUSE_MEMBERS ? count : PS__FUSE_MEMBERS, members;
    while ((members = gather(block, tasks, most)) != 0) {
        size_t fitting = ps__fuse_end(block);
        if (fitting >= 2) {
            *group = (ps__group){group_run, group_drop, block};
            return fitting;
        }
        most = members / 2; /* too many values alive at once */
    }
    ps_memory_free(block, sizeof(ps__fuse_group));
    return 0;
}
