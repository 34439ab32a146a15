/* Random numbers: see ps__work_random in work.h. */
#include "backend/cpu/cpu.h"

enum { GRAIN = 1 << 15 }; /* elements: a multiple of every tile */

_Static_assert(GRAIN % PS__RANDOM_TILE_MAX == 0, "pieces are whole tiles");

typedef struct drawing {
    const ps__work_random *work;
    char *to;
} drawing;

static ps_status draw_piece(size_t begin, size_t end, void *arg)
{
    const drawing *d = arg;
    const ps__random_spec *spec = &d->work->spec;
    ps__random_fill(&d->work->state, spec, begin, end,
                    d->to + begin * ps__dtype_bytes(spec->dtype));
    return PS_OK;
}

PS__CPU_RUN(random)
{
    (void)count;
    drawing d = {(const ps__work_random *)work, operands[0].data};
    if (!d.work->permutation)
        return ps__split(lane, (size_t)d.work->count, GRAIN, draw_piece, &d);
    ps__random_permutation(&d.work->state, d.work->count, (int64_t *)(void *)d.to);
    return PS_OK;
}
