/* Rules of reductions, scans and softmax. */
#include "autograd/rules.h"

#include "base/error.h"

#include <math.h>

/* ---- axes -------------------------------------------------------------------------------- */

static uint32_t axes_of(const ps__flow *f, unsigned index)
{
    uint32_t set;
    const ps_arg *arg = &f->bound.args[index];
    int ndim = ps__flow_like(f, 0)->ndim;
    if (arg->kind == PS_ARG_INT) {
        int64_t axis = arg->as.integer < 0 ? arg->as.integer + ndim : arg->as.integer;
        return 1u << axis;
    }
    (void)ps__axes(&f->bound, arg, ndim, &set); /* the call that was recorded has checked them */
    return set;
}

int64_t ps__reduced_count(const ps__flow *f, unsigned axes)
{
    const ps__like *x = ps__flow_like(f, 0);
    uint32_t set = axes_of(f, axes);
    int64_t count = 1;
    for (int i = 0; i < x->ndim; i++)
        count *= set >> i & 1 ? x->shape[i] : 1;
    return count;
}

ps_tensor *ps__unreduced(ps__flow *f, unsigned axes, bool kept, ps_tensor *x)
{
    const ps__like *like = ps__flow_like(f, 0);
    uint32_t set = axes_of(f, axes);
    int64_t shape[PS_DIMS_MAX];
    if (kept || x == NULL)
        return x;
    for (int i = 0; i < like->ndim; i++)
        shape[i] = set >> i & 1 ? 1 : like->shape[i];
    return PS__MAKE(&f->c, "reshape", ps__arg_tensor(x), ps__arg_ints(like->ndim, shape));
}

ps_tensor *ps__dy_spread(ps__flow *f, unsigned axes, bool kept)
{
    return ps__unreduced(f, axes, kept, f->dy);
}

/* Everywhere in the operand. */
static ps_tensor *everywhere(ps__flow *f, ps_tensor *x)
{
    return x == NULL ? NULL
                     : PS__MAKE(&f->c, "broadcast_to", ps__arg_tensor(x),
                                ps__arg_shape(ps__flow_like(f, 0)));
}

ps_tensor *ps__times(ps__flow *f, ps_tensor *a, ps_tensor *b)
{
    return PS__MAKE(&f->c, "multiply", ps__arg_tensor(a), ps__arg_tensor(b));
}

/* ---- reductions -------------------------------------------------------------------------- */

void ps__rule_sum(ps__flow *f)
{
    ps__flow_give(f, 0, everywhere(f, ps__dy_spread(f, 1, f->bound.args[2].as.boolean)));
}

void ps__rule_mean(ps__flow *f)
{
    ps_tensor *dy = ps__dy_spread(f, 1, f->bound.args[2].as.boolean);
    ps_tensor *part = PS__MAKE(&f->c, "divide", ps__arg_tensor(dy),
                               ps__arg_double((double)ps__reduced_count(f, 1)));
    ps__flow_give(f, 0, everywhere(f, part));
}

/* In the type of sums: there may be more equal elements than a 16-bit float can count. */
ps_tensor *ps__shared(ps__flow *f, ps_tensor *x, unsigned axes, bool kept)
{
    ps_arg counts = ps__arg_dtype((ps_dtype)ps__dtypes[f->dy->dtype].compute);
    ps_tensor *y = ps__unreduced(f, axes, kept, f->y), *dy = ps__dy_spread(f, axes, kept);
    ps_tensor *best = PS__MAKE(&f->c, "equal", ps__arg_tensor(x), ps__arg_tensor(y));
    ps_tensor *ones = PS__MAKE(&f->c, "cast", ps__arg_tensor(best), counts);
    ps_tensor *share = dy;
    if (!(f->node->r.policy & PS_GRAD_TIES_EACH)) {
        ps_tensor *number =
            PS__MAKE(&f->c, "sum", ps__arg_tensor(ones), f->bound.args[axes], ps__arg_bool(true));
        share = PS__MAKE(&f->c, "divide", ps__arg_tensor(dy), ps__arg_tensor(number));
    }
    return ps__times(f, ones, share);
}

/* min and max. */
void ps__rule_extreme(ps__flow *f)
{
    bool kept = f->bound.args[2].as.boolean;
    ps__flow_give(f, 0, ps__shared(f, f->bound.args[0].as.tensor, 1, kept));
}

/* ---- softmax and its kin ------------------------------------------------------------------- */

static ps_tensor *sum_along(ps__flow *f, ps_tensor *x, const ps_arg *axis)
{
    return PS__MAKE(&f->c, "sum", ps__arg_tensor(x), *axis, ps__arg_bool(true));
}

void ps__rule_softmax(ps__flow *f)
{
    ps_tensor *weighted = ps__times(f, f->dy, ps__conjugate(f, f->y));
    ps_tensor *total = weighted != NULL ? sum_along(f, weighted, &f->bound.args[1]) : NULL;
    ps_tensor *rest = PS__MAKE(&f->c, "subtract", ps__arg_tensor(f->dy), ps__arg_tensor(total));
    ps__flow_give(f, 0, ps__times(f, rest, ps__conjugate(f, f->y)));
}

void ps__rule_log_softmax(ps__flow *f)
{
    ps_tensor *total = sum_along(f, f->dy, &f->bound.args[1]);
    ps_tensor *power = ps__conjugate(f, PS__MAKE(&f->c, "exp", ps__arg_tensor(f->y)));
    ps_tensor *part = ps__times(f, power, total);
    ps__flow_give(f, 0, PS__MAKE(&f->c, "subtract", ps__arg_tensor(f->dy), ps__arg_tensor(part)));
}

void ps__rule_logsumexp(ps__flow *f)
{
    bool kept = f->bound.args[2].as.boolean;
    ps_tensor *dy = ps__dy_spread(f, 1, kept), *y = ps__unreduced(f, 1, kept, f->y);
    ps_tensor *low = PS__MAKE(&f->c, "subtract", f->bound.args[0], ps__arg_tensor(y));
    ps_tensor *power = ps__conjugate(f, PS__MAKE(&f->c, "exp", ps__arg_tensor(low)));
    ps__flow_give(f, 0, ps__times(f, power, dy));
}

/* ---- scans ------------------------------------------------------------------------------- */

/* dy without what belongs to the initial element, which is constant. */
static ps_tensor *without_initial(ps__flow *f)
{
    ps_tensor *dy = f->dy;
    bool whole = f->bound.args[1].kind == PS_ARG_NONE;
    int64_t axis = whole ? 0 : f->bound.args[1].as.integer;
    axis += axis < 0 ? dy->ndim : 0;
    if (!f->bound.args[3].as.boolean)
        return dy;
    return ps__compose_narrow(&f->c, dy, (int)axis, 1, ps__shape(dy)[axis] - 1);
}

/* The sum of all that follow, along the axis, or of the elements in order. */
void ps__rule_cumulative_sum(ps__flow *f)
{
    bool whole = f->bound.args[1].kind == PS_ARG_NONE;
    ps_arg axis = whole ? ps__arg_int(0) : f->bound.args[1];
    ps_tensor *back = PS__MAKE(&f->c, "flip", ps__arg_tensor(without_initial(f)), axis);
    ps_tensor *sums = PS__MAKE(&f->c, "cumulative_sum", ps__arg_tensor(back), axis);
    ps_tensor *dx = PS__MAKE(&f->c, "flip", ps__arg_tensor(sums), axis);
    if (whole)
        dx = PS__MAKE(&f->c, "reshape", ps__arg_tensor(dx), ps__arg_shape(ps__flow_like(f, 0)));
    ps__flow_give(f, 0, dx);
}

/* ---- products of elements ------------------------------------------------------------------ */

/* Elements [first, first + length) along the last axis, as a view. */
static ps_tensor *narrow(ps__flow *f, ps_tensor *x, int64_t first, int64_t length)
{
    return x != NULL ? ps__compose_narrow(&f->c, x, x->ndim - 1, first, length) : NULL;
}

static ps_tensor *join_last(ps__flow *f, ps_tensor *a, ps_tensor *b)
{
    ps_tensor *both[] = {a, b};
    if (a == NULL || b == NULL)
        return NULL;
    return PS__MAKE(&f->c, "concatenate",
                    (ps_arg){.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = both},
                    ps__arg_int(-1));
}

/* x with a column of ones before (or behind) it, and without its last (first) one. */
static ps_tensor *shifted(ps__flow *f, ps_tensor *x, bool before)
{
    int64_t n = ps__shape(x)[x->ndim - 1];
    ps_tensor *column = narrow(f, x, 0, 1);
    ps_tensor *one = PS__MAKE(&f->c, "cast", ps__arg_bool(true), ps__arg_dtype(x->dtype));
    ps_tensor *ones = column == NULL || one == NULL
                          ? NULL
                          : PS__MAKE(&f->c, "broadcast_to", ps__arg_tensor(one),
                                     ps__arg_ints(column->ndim, ps__shape(column)));
    ps_tensor *rest = narrow(f, x, before ? 0 : 1, n - 1);
    ps_tensor *made = before ? join_last(f, ones, rest) : join_last(f, rest, ones);
    ps_tensor *done[] = {column, one, ones, rest};
    for (int i = 0; i < 4; i++)
        ps__compose_drop(&f->c, done[i]);
    return made;
}

static ps_tensor *cumulate(ps__flow *f, ps_tensor *x, bool back)
{
    ps_arg last = ps__arg_int(-1);
    if (back)
        x = PS__MAKE(&f->c, "flip", ps__arg_tensor(x), last);
    x = PS__MAKE(&f->c, "cumulative_prod", ps__arg_tensor(x), last);
    return back ? PS__MAKE(&f->c, "flip", ps__arg_tensor(x), last) : x;
}

/* The kept axes in order, then those of the set; returns how many are kept. */
static int kept_first(int ndim, uint32_t set, int64_t *order)
{
    int count = 0;
    for (int i = 0; i < ndim; i++)
        if (!(set >> i & 1))
            order[count++] = i;
    int kept = count;
    for (int i = 0; i < ndim; i++)
        if (set >> i & 1)
            order[count++] = i;
    return kept;
}

/* The product of all others, from both sides: nothing is divided by. */
void ps__rule_prod(ps__flow *f)
{
    const ps__like *like = ps__flow_like(f, 0);
    int64_t order[PS_DIMS_MAX], back[PS_DIMS_MAX], lines[PS_DIMS_MAX + 1], moved[PS_DIMS_MAX];
    int64_t length = ps__reduced_count(f, 1);
    int kept = kept_first(like->ndim, axes_of(f, 1), order);
    for (int i = 0; i < like->ndim; i++) {
        back[order[i]] = i;
        moved[i] = like->shape[order[i]];
        if (i < kept)
            lines[i] = moved[i];
    }
    lines[kept] = length;
    if (length == 0)
        return;
    ps_tensor *turned =
        PS__MAKE(&f->c, "permute", f->bound.args[0], ps__arg_ints(like->ndim, order));
    ps_tensor *x =
        PS__MAKE(&f->c, "reshape", ps__arg_tensor(turned), ps__arg_ints(kept + 1, lines));
    if (x == NULL)
        return;
    ps_tensor *left = cumulate(f, shifted(f, x, true), false);
    ps_tensor *right = cumulate(f, shifted(f, x, false), true);
    lines[kept] = 1;
    ps_tensor *dy =
        PS__MAKE(&f->c, "reshape", ps__arg_tensor(f->dy), ps__arg_ints(kept + 1, lines));
    ps_tensor *others = ps__conjugate(f, ps__times(f, left, right));
    ps_tensor *dx = ps__times(f, others, dy);
    dx = PS__MAKE(&f->c, "reshape", ps__arg_tensor(dx), ps__arg_ints(like->ndim, moved));
    ps__flow_give(f, 0,
                  PS__MAKE(&f->c, "permute", ps__arg_tensor(dx), ps__arg_ints(like->ndim, back)));
}

/* One step of the recurrence below, by doubling: sums += factors * (sums, `by` places on), 0 beyond
 * the end. */
static ps_tensor *moved_on(ps__flow *f, ps_tensor *x, int64_t by)
{
    int64_t n = ps__shape(x)[x->ndim - 1];
    ps_tensor *rest = narrow(f, x, by, n - by), *gone = narrow(f, x, 0, by);
    ps_tensor *zeros = PS__MAKE(&f->c, "multiply", ps__arg_tensor(gone), ps__arg_int(0));
    ps_tensor *made = join_last(f, rest, zeros);
    ps__compose_drop(&f->c, zeros);
    ps__compose_drop(&f->c, rest);
    ps__compose_drop(&f->c, gone);
    return made;
}

/* dx[k] is what is before it, multiplied, times r[k] = dy[k] + x[k + 1] r[k + 1]. */
void ps__rule_cumulative_prod(ps__flow *f)
{
    const ps__like *like = ps__flow_like(f, 0);
    bool whole = f->bound.args[1].kind == PS_ARG_NONE;
    ps_arg end = ps__arg_int(-1), axis = f->bound.args[1];
    int64_t all = -1;
    ps_tensor *dy = without_initial(f), *x;
    if (whole)
        x = PS__MAKE(&f->c, "reshape", f->bound.args[0], ps__arg_ints(1, &all));
    else
        x = PS__MAKE(&f->c, "moveaxis", f->bound.args[0], axis, end);
    if (!whole)
        dy = PS__MAKE(&f->c, "moveaxis", ps__arg_tensor(dy), axis, end);
    x = x != NULL ? ps__conjugate(f, ps__compose_cast(&f->c, x, (ps_dtype)f->dy->dtype)) : NULL;
    if (x == NULL || x->count == 0)
        return;
    int64_t n = ps__shape(x)[x->ndim - 1];
    ps_tensor *before = cumulate(f, shifted(f, x, true), false);
    ps_tensor *factors = shifted(f, x, false), *sums = dy;
    for (int64_t by = 1; by < n && f->c.status == PS_OK; by *= 2) {
        ps_tensor *later = moved_on(f, sums, by), *part = ps__times(f, factors, later);
        ps_tensor *more = PS__MAKE(&f->c, "add", ps__arg_tensor(sums), ps__arg_tensor(part));
        ps_tensor *next = moved_on(f, factors, by), *both = ps__times(f, factors, next);
        ps__compose_drop(&f->c, later);
        ps__compose_drop(&f->c, part);
        ps__compose_drop(&f->c, next);
        if (sums != dy)
            ps__compose_drop(&f->c, sums);
        ps__compose_drop(&f->c, factors);
        sums = more;
        factors = both;
    }
    ps_tensor *dx = ps__times(f, before, sums);
    if (whole)
        dx = PS__MAKE(&f->c, "reshape", ps__arg_tensor(dx), ps__arg_shape(like));
    else
        dx = PS__MAKE(&f->c, "moveaxis", ps__arg_tensor(dx), end, axis);
    ps__flow_give(f, 0, dx);
}
