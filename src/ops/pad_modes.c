/* pad with elements of the tensor itself: each axis is taken at positions that run on beyond its
 * ends. */
#include "base/alloc.h"
#include "base/error.h"
#include "engine/origin.h"
#include "ops/compose.h"
#include "ops/pad.h"

#include <inttypes.h>
#include <string.h>

typedef struct margins {
    int ndim;
    int64_t count, before[PS_DIMS_MAX], after[PS_DIMS_MAX];
    int64_t shape[PS_DIMS_MAX]; /* of the result, with `count` elements */
} margins;

/* A position along an axis that goes up and down without an end, `turn` apart. */
static int64_t folded(int64_t at, int64_t length, int64_t turn)
{
    if (turn == 0)
        return 0;
    int64_t place = at % turn;
    place += place < 0 ? turn : 0;
    return place < length ? place : (turn == 2 * length ? turn - 1 : turn) - place;
}

/* Which element stands at a position, which may be beyond the ends. */
static int64_t place_of(const char *mode, int64_t at, int64_t length)
{
    switch (mode[0]) {
    case 'e': /* edge */
        return at < 0 ? 0 : at < length ? at : length - 1;
    case 'w': /* wrap */
        return (at % length + length) % length;
    case 'r': /* reflect */
        return folded(at, length, 2 * length - 2);
    default: /* symmetric */
        return folded(at, length, 2 * length);
    }
}

/* ---- reading ----------------------------------------------------------------------------- */

static ps_status read_margins(const ps__bound_call *call, const ps_tensor *x, margins *m)
{
    m->ndim = x->ndim;
    ps_status status = ps__pad_amounts(call, 1, m->before);
    if (status == PS_OK)
        status = ps__pad_amounts(call, 2, m->after);
    if (status == PS_OK)
        status = ps__pad_shape(x, m->before, m->after, m->shape);
    for (int i = 0; status == PS_OK && i < x->ndim; i++)
        if (ps__shape(x)[i] == 0 && m->shape[i] > 0)
            status = ps__fail(PS_ERR_ARGUMENT,
                              "pad: axis %" PRId64 " is empty: mode %s has nothing to add",
                              ps__stated(i), call->args[4].as.text);
    return status;
}

static bool margins_begin(ps__compose *c, margins *m)
{
    const ps_tensor *x = ps__compose_tensor(c, 0);
    if (c->status == PS_OK)
        c->status = read_margins(c->call, x, m);
    if (c->status == PS_OK)
        c->status = ps__shape_check("pad", (ps_dtype)x->dtype, x->ndim, m->shape, &m->count);
    return c->status == PS_OK && ps__compose_result(c, (ps_dtype)x->dtype, x->ndim, m->shape);
}

/* ---- taking ------------------------------------------------------------------------------ */

/* The positions of an axis, margins and all. */
static ps_tensor *places(ps__compose *c, const margins *m, int axis, int64_t length)
{
    int64_t count = m->before[axis] + length + m->after[axis];
    const char *mode = c->call->args[4].as.text;
    ps_tensor *made = NULL;
    int64_t *at = ps__calloc((size_t)count, sizeof *at);
    if (at == NULL) {
        c->status = ps__fail(PS_ERR_MEMORY, "pad: no memory for %" PRId64 " positions", count);
        return NULL;
    }
    for (int64_t i = 0; i < count; i++)
        at[i] = place_of(mode, i - m->before[axis], length);
    c->status = ps_tensor_from_host(PS_INT64, 1, &count, NULL, at, c->home->device, &made);
    ps__free(at);
    return ps__compose_keep(c, made);
}

/* x with margins along all axes, or x itself if there are none. */
static ps_tensor *taken(ps__compose *c, ps_tensor *x, const margins *m)
{
    for (int i = 0; i < m->ndim && ps__compose_fine(c); i++) {
        ps_tensor *last = x;
        if (m->before[i] + m->after[i] == 0)
            continue;
        ps_tensor *at = places(c, m, i, ps__shape(x)[i]);
        x = PS__MAKE(c, "take", ps__arg_tensor(x), ps__arg_tensor(at), ps__arg_int(i));
        ps__compose_drop(c, last);
        ps__compose_drop(c, at);
    }
    return x;
}

ps_status ps__pad_by_places(const ps__bound_call *call)
{
    ps__compose c;
    margins m;
    ps__compose_begin(&c, call);
    if (!margins_begin(&c, &m))
        return ps__compose_end(&c);
    ps_tensor *x = call->args[0].as.tensor;
    if (m.count == 0) {
        PS__GIVE(&c, "empty", ps__arg_ints(m.ndim, m.shape), ps__arg_dtype((ps_dtype)x->dtype));
    } else {
        ps_tensor *wide = taken(&c, x, &m);
        if (wide == x)
            PS__GIVE(&c, "copy", call->args[0]);
        else
            ps__compose_hand(&c, wide);
    }
    return ps__compose_end(&c);
}
