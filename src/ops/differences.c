/* diff: differences of neighbours along an axis, several times over. */
#include "base/error.h"
#include "ops/compose.h"

#include <inttypes.h>
#include <string.h>

/* What lies along the axis: x, perhaps with others before and behind it. */
typedef struct row {
    ps_tensor *parts[3];
    unsigned count;
    int axis;
    int64_t length, times; /* of all of them; how often differences are taken */
    ps_dtype dtype;
} row;

/* Whether a part has the shape of x beside the axis. */
static bool fits(const ps_tensor *x, const ps_tensor *part, int axis)
{
    bool same = part->ndim == x->ndim;
    for (int i = 0; same && i < x->ndim; i++)
        same = i == axis || ps__shape(part)[i] == ps__shape(x)[i];
    return same;
}

static ps_status add_part(row *r, const ps_tensor *x, const ps_arg *arg)
{
    if (arg->kind == PS_ARG_NONE)
        return PS_OK;
    ps_tensor *part = arg->as.tensor;
    if (!fits(x, part, r->axis))
        return ps__fail(PS_ERR_ARGUMENT, "diff: shape %s does not continue %s",
                        ps__shape_text(part->ndim, ps__shape(part)),
                        ps__shape_text(x->ndim, ps__shape(x)));
    r->parts[r->count++] = part;
    r->length += ps__shape(part)[r->axis];
    r->dtype = ps__promote(r->dtype, (ps_dtype)part->dtype);
    return PS_OK;
}

static ps_status read_row(const ps__bound_call *call, const ps_tensor *x, row *r)
{
    *r = (row){.dtype = (ps_dtype)x->dtype, .times = call->args[1].as.integer};
    if (r->times < 0)
        return ps__fail(PS_ERR_ARGUMENT, "diff: n must be at least 0, not %" PRId64, r->times);
    ps_status status = ps__axis("diff", call->args[2].as.integer, x->ndim, &r->axis);
    if (status == PS_OK)
        status = add_part(r, x, &call->args[3]);
    if (status == PS_OK)
        status = add_part(r, x, &call->args[0]);
    if (status == PS_OK)
        status = add_part(r, x, &call->args[4]);
    if (r->times > r->length) /* then nothing is left */
        r->times = r->length;
    return status;
}

/* Not in line: the shape takes stack that what follows needs. */
static __attribute__((noinline)) bool row_begin(ps__compose *c, row *r)
{
    int64_t shape[PS_DIMS_MAX];
    const ps_tensor *x = ps__compose_tensor(c, 0);
    if (c->status == PS_OK)
        c->status = read_row(c->call, x, r);
    if (c->status != PS_OK)
        return false;
    memcpy(shape, ps__shape(x), (size_t)x->ndim * sizeof shape[0]);
    shape[r->axis] = r->length - r->times;
    return ps__compose_result(c, r->dtype, x->ndim, shape);
}

/* All parts as one tensor. */
static ps_tensor *joined(ps__compose *c, const row *r)
{
    ps_arg all = {.kind = PS_ARG_TENSORS, .count = r->count, .as.tensors = r->parts};
    return r->count == 1 ? r->parts[0] : PS__MAKE(c, "concatenate", all, ps__arg_int(r->axis));
}

ps_status ps__op_diff(const ps__bound_call *call)
{
    ps__compose c;
    row r;
    ps__compose_begin(&c, call);
    if (!row_begin(&c, &r))
        return ps__compose_end(&c);
    const char *name = r.dtype == PS_BOOL ? "not_equal" : "subtract";
    ps_tensor *x = joined(&c, &r);
    if (r.times == 0)
        PS__GIVE(&c, "copy", ps__arg_tensor(x));
    for (int64_t left = r.length - 1; r.times > 0 && c.status == PS_OK; left--) {
        ps_tensor *before = ps__compose_narrow(&c, x, r.axis, 0, left);
        ps_tensor *behind = ps__compose_narrow(&c, x, r.axis, 1, left);
        ps_tensor *last = x;
        if (--r.times == 0)
            PS__GIVE(&c, name, ps__arg_tensor(behind), ps__arg_tensor(before));
        else
            x = PS__MAKE(&c, name, ps__arg_tensor(behind), ps__arg_tensor(before));
        ps__compose_drop(&c, before);
        ps__compose_drop(&c, behind);
        ps__compose_drop(&c, last);
    }
    return ps__compose_end(&c);
}
