/* The work of the null device: none. */
#include "backend/backend.h"
#include "device/null/null.h"

static ps_status skip(const ps__lane *lane, const ps__work *work, const ps__operand *operands,
                      unsigned count)
{
    (void)lane;
    (void)work;
    (void)operands;
    (void)count;
    return PS_OK;
}

static ps_status skip_copy(const ps__lane *lane, void *to, const void *from, uint64_t bytes)
{
    (void)lane;
    (void)to;
    (void)from;
    (void)bytes;
    return PS_OK;
}

const ps__backend ps__null_backend = {
    .run =
        {
#define WORK(kind, what, traits) [PS__WORK_##kind] = skip,
#include "backend/work.def"
#undef WORK
        },
    .copy = skip_copy,
};
