/* Dropout: see PS__WORK_DROPOUT in work.h. */
#include "backend/cpu/cpu.h"

enum {
    GRAIN = 1 << 15, /* elements that a thread takes: whole tiles of random bits */
    TILE = 512       /* that are worked on at a time */
};

_Static_assert(GRAIN % TILE == 0 && (int)TILE % (int)PS__RANDOM_TILE_MAX == 0,
               "pieces are whole tiles");

typedef struct dropping {
    const ps__work_dropout *work;
    const char *from;
    char *to;
    size_t item;           /* bytes of an element */
    ps__cast_fn in, out;   /* to the type that is computed in and from it, or NULL */
    ps__map_fn by, choose; /* multiply by one element for all; where */
    ps__element scale;
    ps__random_spec bits;
} dropping;

static const double zeros[TILE]; /* of any type */

static void drop_tile(const dropping *d, size_t at, size_t n)
{
    _Alignas(64) char mask[TILE], values[TILE * sizeof(double)];
    const void *x = d->from + at * d->item;
    void *to = d->to + at * d->item;
    ps__random_fill(&d->work->state, &d->bits, at, at + n, mask);
    if (d->in != NULL) {
        d->in(n, values, x);
        x = values;
    }
    d->by(n, values, (const void *[]){x, &d->scale});
    d->choose(n, d->out != NULL ? values : to, (const void *[]){mask, values, zeros});
    if (d->out != NULL)
        d->out(n, to, values);
}

static ps_status drop_piece(size_t begin, size_t end, void *arg)
{
    for (size_t at = begin; at < end; at += TILE)
        drop_tile(arg, at, end - at < TILE ? end - at : TILE);
    return PS_OK;
}

PS__CPU_RUN(dropout)
{
    (void)count;
    const ps__kernel_set *kernels = ps__kernels_get();
    const ps__work_dropout *w = (const ps__work_dropout *)work;
    ps_dtype dtype = (ps_dtype)operands[0].dtype, wide = (ps_dtype)ps__dtypes[dtype].compute;
    dropping d = {.work = w,
                  .from = operands[1].data,
                  .to = operands[0].data,
                  .item = ps__dtype_bytes(dtype),
                  .in = wide != dtype ? kernels->cast[dtype][wide] : NULL,
                  .out = wide != dtype ? kernels->cast[wide][dtype] : NULL,
                  .by = kernels->map[PS__PRIM_multiply][wide][PS__FORM_SECOND_ONE],
                  .choose = kernels->map[PS__PRIM_where][wide][PS__FORM_ALL],
                  .bits = {.distribution = PS__RANDOM_BERNOULLI,
                           .dtype = PS_BOOL,
                           .bernoulli.probability = w->keep}};
    ps__scalar_cast((ps_scalar){PS_SCALAR_DOUBLE, {.d = w->scale}}, wide, &d.scale);
    return ps__split(lane, (size_t)w->count, GRAIN, drop_piece, &d);
}
