/* Rules of rows that move elements: joins, moves, reading and writing at positions. */
#include "autograd/rules.h"

#include "base/error.h"
#include "ops/along.h"

/* dy as it is; the walk brings it into the operand's type, shape and device. */
void ps__rule_cast(ps__flow *f)
{
    ps__flow_give(f, 0, f->dy);
}

void ps__rule_assign(ps__flow *f)
{
    ps__flow_give(f, 0, f->dy);
}

void ps__rule_to_device(ps__flow *f)
{
    ps__flow_give(f, 0, f->dy);
}

/* dy times i: the gradient by the imaginary part. */
void ps__rule_imag(ps__flow *f)
{
    const ps__like *x = ps__flow_like(f, 0);
    ps_scalar i = {PS_SCALAR_COMPLEX, {.z = {0, 1}}};
    if (ps__dtype_kind_of((ps_dtype)x->dtype) != PS__KIND_COMPLEX)
        return; /* the imaginary part of a real number is 0 */
    ps_tensor *dy = ps__compose_cast(&f->c, f->dy, (ps_dtype)x->dtype);
    ps__flow_give(f, 0,
                  PS__MAKE(&f->c, "multiply", ps__arg_tensor(dy),
                           (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = i}));
}

/* ---- joins ------------------------------------------------------------------------------- */

static int joined_axis(const ps__flow *f)
{
    int64_t axis = f->bound.args[1].as.integer;
    return (int)(axis < 0 ? axis + f->dy->ndim : axis);
}

void ps__rule_concatenate(ps__flow *f)
{
    int axis = joined_axis(f);
    int64_t first = 0;
    for (unsigned i = 0; i < f->edges && f->c.status == PS_OK; i++) {
        int64_t length = f->likes[i].shape[axis];
        ps__layout to;
        if (f->wanted[i]) {
            ps__layout_narrow(f->dy, axis, first, length, &to);
            f->c.status = ps__view(f->dy, (ps_dtype)f->dy->dtype, &to, &f->to[i]);
        }
        first += length;
    }
}

void ps__rule_stack(ps__flow *f)
{
    int axis = joined_axis(f);
    for (unsigned i = 0; i < f->edges && f->c.status == PS_OK; i++) {
        ps__layout to;
        if (!f->wanted[i])
            continue;
        ps__layout_narrow(f->dy, axis, (int64_t)i, 1, &to);
        f->c.status = ps__view(f->dy, (ps_dtype)f->dy->dtype, &to, &f->to[i]);
    }
}

/* ---- moves ------------------------------------------------------------------------------- */

void ps__rule_roll(ps__flow *f)
{
    int64_t back[PS_DIMS_MAX];
    const ps_arg *shift = &f->bound.args[1];
    unsigned count = shift->count < PS_DIMS_MAX ? shift->count : PS_DIMS_MAX;
    for (unsigned i = 0; i < count; i++)
        back[i] = -shift->as.ints[i];
    ps__flow_give(f, 0,
                  PS__MAKE(&f->c, "roll", ps__arg_tensor(f->dy), ps__arg_ints((int)count, back),
                           f->bound.args[2]));
}

/* dy in a shape in which repeats are a dimension of their own, added up over that. */
static ps_tensor *add_repeats(ps__flow *f, int ndim, const int64_t *shape, unsigned count,
                              const int64_t *axes)
{
    ps_tensor *apart = PS__MAKE(&f->c, "reshape", ps__arg_tensor(f->dy), ps__arg_ints(ndim, shape));
    return PS__MAKE(&f->c, "sum", ps__arg_tensor(apart), ps__arg_ints((int)count, axes));
}

void ps__rule_repeat(ps__flow *f)
{
    const ps__like *x = ps__flow_like(f, 0);
    int64_t shape[PS_DIMS_MAX + 1], repeats = f->bound.args[1].as.integer;
    int64_t count = 1, axis = 0;
    int ndim = 0;
    bool flat = f->bound.args[2].kind == PS_ARG_NONE;
    for (int i = 0; i < x->ndim; i++)
        count *= x->shape[i];
    if (!flat) {
        axis = f->bound.args[2].as.integer;
        axis += axis < 0 ? x->ndim : 0;
    }
    if (x->ndim == PS_DIMS_MAX) {
        f->c.status =
            ps__fail(PS_ERR_UNSUPPORTED, "repeat: no gradient for %d dimensions", x->ndim);
        return;
    }
    for (int i = 0; i < (flat ? 1 : x->ndim); i++) {
        shape[ndim++] = flat ? count : x->shape[i];
        if (i == axis)
            shape[ndim++] = repeats;
    }
    int64_t summed = axis + 1;
    ps_tensor *dx = add_repeats(f, ndim, shape, 1, &summed);
    ps__flow_give(f, 0, PS__MAKE(&f->c, "reshape", ps__arg_tensor(dx), ps__arg_shape(x)));
}

void ps__rule_tile(ps__flow *f)
{
    const ps__like *x = ps__flow_like(f, 0);
    const ps_arg *given = &f->bound.args[1];
    int total = f->dy->ndim, more = total - x->ndim, lead = total - (int)given->count;
    int64_t shape[2 * PS_DIMS_MAX], axes[PS_DIMS_MAX];
    if (2 * total > PS_DIMS_MAX) {
        f->c.status = ps__fail(PS_ERR_UNSUPPORTED, "tile: no gradient for %d dimensions", total);
        return;
    }
    for (int i = 0; i < total; i++) {
        axes[i] = 2 * i;
        shape[2 * i] = i < lead ? 1 : given->as.ints[i - lead];
        shape[2 * i + 1] = i < more ? 1 : x->shape[i - more];
    }
    ps__flow_give(f, 0, add_repeats(f, 2 * total, shape, (unsigned)total, axes));
}

void ps__rule_pad(ps__flow *f)
{
    const ps__like *x = ps__flow_like(f, 0);
    const ps_arg *before = &f->bound.args[1];
    ps__layout to;
    ps_tensor *view = NULL;
    ps__layout_of(f->dy, &to);
    for (int i = 0; i < x->ndim; i++) {
        int64_t first = before->as.ints[before->count == 1 ? 0 : i];
        to.offset += first * to.strides[i];
        to.shape[i] = x->shape[i];
    }
    f->c.status = ps__view(f->dy, (ps_dtype)f->dy->dtype, &to, &view);
    ps__flow_give(f, 0, ps__compose_own(&f->c, view));
}

/* ---- positions and masks ------------------------------------------------------------------ */

static ps_tensor *zeros_like(ps__flow *f, unsigned index)
{
    const ps__like *like = ps__flow_like(f, index);
    return PS__MAKE(&f->c, "zeros", ps__arg_shape(like), ps__arg_dtype(f->dy->dtype));
}

/* dy, added to zeros like argument `index`, at the positions that it was taken from. */
static void add_taken(ps__flow *f, unsigned index, ps_arg positions, ps_arg axis)
{
    ps_tensor *zeros = zeros_like(f, index);
    ps__flow_give(f, index,
                  PS__MAKE(&f->c, "put", ps__arg_tensor(zeros), positions, ps__arg_tensor(f->dy),
                           ps__arg_bool(true), axis));
}

void ps__rule_take(ps__flow *f)
{
    add_taken(f, 0, f->bound.args[1], f->bound.args[2]);
}

void ps__rule_embedding(ps__flow *f)
{
    add_taken(f, 1, f->bound.args[0], ps__arg_int(0));
}

static void add_along(ps__flow *f, ps_tensor *indices, ps_tensor *dy, int axis)
{
    const ps__like *x = ps__flow_like(f, 0);
    ps__flow_give(f, 0, ps__along_add(&f->c, x->ndim, x->shape, indices, dy, axis));
}

/* The axis that argument 2 is, which the call has checked. */
static int axis_of(const ps__flow *f)
{
    int64_t axis = f->bound.args[2].as.integer;
    return (int)(axis < 0 ? axis + ps__flow_like(f, 0)->ndim : axis);
}

void ps__rule_take_along_axis(ps__flow *f)
{
    add_along(f, f->bound.args[1].as.tensor, f->dy, axis_of(f));
}

void ps__rule_pick(ps__flow *f)
{
    const ps__like *x = ps__flow_like(f, 0);
    int axis = axis_of(f);
    ps_tensor *dy = f->dy;
    if (!f->bound.args[3].as.boolean)
        dy = PS__MAKE(&f->c, "expand_dims", ps__arg_tensor(dy), ps__arg_int(axis));
    add_along(f, ps__pick_positions(&f->c, &f->bound, x->ndim, x->shape[axis], axis), dy, axis);
}

void ps__rule_masked_select(ps__flow *f)
{
    ps_tensor *zeros = zeros_like(f, 0);
    ps__flow_give(f, 0,
                  PS__MAKE(&f->c, "masked_put", ps__arg_tensor(zeros), f->bound.args[1],
                           ps__arg_tensor(f->dy)));
}

void ps__rule_masked_fill(ps__flow *f)
{
    ps__flow_give(f, 0,
                  PS__MAKE(&f->c, "masked_fill", ps__arg_tensor(f->dy), f->bound.args[1],
                           ps__arg_int(0)));
}

/* Which of several values for one position is the last, and so counts: true at its place among the
 * positions. In a shape that broadcasts against what is taken at them. */
static ps_tensor *last_of_equals(ps__flow *f, ps_tensor *at, int64_t length, int behind)
{
    int64_t shape[2 * PS_DIMS_MAX], count = at->count;
    for (int i = 0; i < at->ndim + behind; i++)
        shape[i] = i < at->ndim ? ps__shape(at)[i] : 1;
    ps_arg positions = ps__arg_tensor(at), axis = ps__arg_int(0);
    ps_tensor *line = PS__MAKE(&f->c, "arange", ps__arg_int(count));
    ps_tensor *numbers =
        PS__MAKE(&f->c, "reshape", ps__arg_tensor(line), ps__arg_ints(at->ndim, ps__shape(at)));
    ps_tensor *none = PS__MAKE(&f->c, "zeros", ps__arg_ints(1, &length), ps__arg_dtype(PS_INT64));
    ps_tensor *owners = PS__MAKE(&f->c, "put", ps__arg_tensor(none), positions,
                                 ps__arg_tensor(numbers), ps__arg_bool(false), axis);
    ps_tensor *winners = PS__MAKE(&f->c, "take", ps__arg_tensor(owners), positions, axis);
    ps_tensor *last = PS__MAKE(&f->c, "equal", ps__arg_tensor(winners), ps__arg_tensor(numbers));
    return PS__MAKE(&f->c, "reshape", ps__arg_tensor(last), ps__arg_ints(at->ndim + behind, shape));
}

static ps_tensor *to_values(ps__flow *f)
{
    const ps_arg *at = &f->bound.args[1], *axis = &f->bound.args[4];
    const ps__like *x = ps__flow_like(f, 0);
    bool flat = axis->kind == PS_ARG_NONE, one = at->kind != PS_ARG_TENSOR;
    ps_tensor *taken = PS__MAKE(&f->c, "take", ps__arg_tensor(f->dy), *at, *axis);
    if (one || f->bound.args[3].as.boolean)
        return taken;
    int64_t length = 1, along = flat ? 0 : axis->as.integer;
    along += along < 0 ? x->ndim : 0;
    for (int i = 0; i < x->ndim; i++)
        length *= flat || i == along ? x->shape[i] : 1;
    int behind = flat ? 0 : x->ndim - 1 - (int)along;
    ps_tensor *last = last_of_equals(f, at->as.tensor, length, behind);
    return PS__MAKE(&f->c, "where", ps__arg_tensor(last), ps__arg_tensor(taken), ps__arg_int(0));
}

void ps__rule_put(ps__flow *f)
{
    ps_arg at = f->bound.args[1], axis = f->bound.args[4];
    bool adds = f->bound.args[3].as.boolean;
    if (ps__flow_wants(f, 0))
        ps__flow_give(f, 0,
                      adds ? f->dy
                           : PS__MAKE(&f->c, "put", ps__arg_tensor(f->dy), at, ps__arg_int(0),
                                      ps__arg_bool(false), axis));
    if (ps__flow_wants(f, 2))
        ps__flow_give(f, 2, to_values(f));
}

/* Values: one for all, or one for each in order. */
void ps__rule_masked_put(ps__flow *f)
{
    if (ps__flow_wants(f, 0))
        ps__flow_give(f, 0,
                      PS__MAKE(&f->c, "masked_fill", ps__arg_tensor(f->dy), f->bound.args[1],
                               ps__arg_int(0)));
    if (ps__flow_wants(f, 2))
        ps__flow_give(f, 2,
                      PS__MAKE(&f->c, "masked_select", ps__arg_tensor(f->dy), f->bound.args[1]));
}

/* ---- clip -------------------------------------------------------------------------------- */

/* What flows on where x is not beyond a bound, an argument; where it is, it flows to the bound. On the
 * bound it flows on, or to nobody. */
static ps_tensor *past_bound(ps__flow *f, bool upper, ps_arg x, unsigned bound, ps_tensor *dy)
{
    static const char *const beyond[] = {"less", "greater"}, *const on[] = {"less_equal",
                                                                            "greater_equal"};
    ps_tensor *out = PS__MAKE(&f->c, beyond[upper], x, f->bound.args[bound]);
    if (ps__flow_wants(f, bound))
        ps__flow_give(f, bound,
                      PS__MAKE(&f->c, "where", ps__arg_tensor(out), ps__arg_tensor(dy),
                               ps__arg_int(0)));
    if (f->node->r.policy & PS_GRAD_BOUNDS_CUT)
        out = PS__MAKE(&f->c, on[upper], x, f->bound.args[bound]);
    return PS__MAKE(&f->c, "where", ps__arg_tensor(out), ps__arg_int(0), ps__arg_tensor(dy));
}

/* Where x is on a bound its gradient flows to it. The upper bound counts last: where it is below the
 * lower one all flows to it. */
void ps__rule_clip(ps__flow *f)
{
    ps_arg x = f->bound.args[0], low = f->bound.args[1];
    ps_tensor *dy = f->dy;
    if (f->bound.args[2].kind != PS_ARG_NONE) {
        ps_arg raised = low.kind == PS_ARG_NONE ? x : PS__MADE(&f->c, "maximum", x, low);
        dy = past_bound(f, true, raised, 2, dy);
    }
    if (low.kind != PS_ARG_NONE)
        dy = past_bound(f, false, x, 1, dy);
    if (ps__flow_wants(f, 0))
        ps__flow_give(f, 0, dy);
}

/* ---- order ------------------------------------------------------------------------------- */

/* Where each element went: the inverse of the permutation. */
void ps__rule_sort(ps__flow *f)
{
    ps_arg axis = f->bound.args[1];
    ps_tensor *order = PS__MAKE(&f->c, "argsort", f->bound.args[0], axis, f->bound.args[2]);
    ps_tensor *places = PS__MAKE(&f->c, "argsort", ps__arg_tensor(order), axis);
    ps__flow_give(f, 0,
                  PS__MAKE(&f->c, "take_along_axis", ps__arg_tensor(f->dy), ps__arg_tensor(places),
                           axis));
}

/* Each different element is where it came first. */
void ps__rule_unique_values(ps__flow *f)
{
    ps_tensor *first =
        PS__MAKE(&f->c, "unique_indices", f->bound.args[0], f->bound.args[1], f->bound.args[2]);
    ps_tensor *zeros = zeros_like(f, 0);
    ps__flow_give(f, 0,
                  PS__MAKE(&f->c, "put", ps__arg_tensor(zeros), ps__arg_tensor(first),
                           ps__arg_tensor(f->dy)));
}
