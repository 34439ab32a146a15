/* Results that are put together from regions of inputs: see PS__WORK_REGIONS in work.h. */
#include "backend/cpu/cpu.h"

typedef struct placing {
    const ps__lane *lane;
    const ps__work_regions *work;
    const ps__operand *operands;
} placing;

static ps_status copy_region(const placing *p, const ps__region *r)
{
    const int64_t *dims = ps__region_dims(p->work, r);
    const char *from =
        r->source == 0 ? (const char *)p->work->value.bytes : p->operands[r->source].data + r->from;
    return ps__copy_strided(p->lane, ps__dtype_bytes((ps_dtype)p->operands[0].dtype), r->ndim, dims,
                            p->operands[0].data + r->to, dims + r->ndim, from, dims + 2 * r->ndim);
}

static ps_status copy_regions(size_t begin, size_t end, void *arg)
{
    const placing *p = arg;
    ps_status status = PS_OK;
    for (size_t i = begin; i < end && status == PS_OK; i++)
        status = copy_region(p, ps__region_at(p->work, (int64_t)i));
    return status;
}

static int64_t bytes_of(const placing *p, const ps__region *r)
{
    const int64_t *shape = ps__region_dims(p->work, r);
    int64_t bytes = (int64_t)ps__dtype_bytes((ps_dtype)p->operands[0].dtype);
    for (int d = 0; d < r->ndim; d++) /* 0 first: the rest may be huge */
        if (shape[d] == 0)
            return 0;
    for (int d = 0; d < r->ndim; d++)
        bytes *= shape[d];
    return bytes;
}

/* How many regions are a piece of work: all of them if the larger ones must be divided anyway. */
static size_t regions_grain(const placing *p)
{
    int64_t largest = 1;
    for (int64_t i = 0; i < p->work->count; i++) {
        int64_t bytes = bytes_of(p, ps__region_at(p->work, i));
        largest = bytes > largest ? bytes : largest;
    }
    return largest > PS__COPY_PIECE ? (size_t)p->work->count : (size_t)(PS__COPY_PIECE / largest);
}

PS__CPU_RUN(regions)
{
    (void)count;
    placing p = {lane, (const ps__work_regions *)work, operands};
    return ps__split(lane, (size_t)p.work->count, regions_grain(&p), copy_regions, &p);
}
