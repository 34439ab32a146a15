/* Rules of products. */
#include "autograd/rules.h"

enum { X1, X2, TRANSPOSE1, TRANSPOSE2, BIAS, ACTIVATION };

static ps_tensor *expand(ps__flow *f, ps_tensor *x, int64_t axis)
{
    return PS__MAKE(&f->c, "expand_dims", ps__arg_tensor(x), ps__arg_int(axis));
}

static ps_tensor *product(ps__flow *f, ps_tensor *a, ps_tensor *b, bool turn1, bool turn2)
{
    return PS__MAKE(&f->c, "matmul", ps__arg_tensor(a), ps__arg_tensor(b), ps__arg_bool(turn1),
                    ps__arg_bool(turn2));
}

/* There is one activation. */
static ps_tensor *before_activation(ps__flow *f)
{
    bool none = f->bound.args[ACTIVATION].kind == PS_ARG_NONE;
    return none ? f->dy : ps__expression_back(f, "relu");
}

/* Elements that repeat, as those of a spread sum do, are put into memory once for both products, which
 * would each do so by themselves. */
static ps_tensor *without_repeats(ps__flow *f, ps_tensor *x)
{
    if (x == NULL || (uint64_t)x->count * ps__dtype_bytes(x->dtype) <= x->storage->bytes)
        return x;
    return PS__MAKE(&f->c, "copy", ps__arg_tensor(x));
}

/* Operands of one dimension are a row on the left and a column on the right. */
void ps__rule_matmul(ps__flow *f)
{
    ps_tensor *x1 = f->bound.args[X1].as.tensor, *x2 = f->bound.args[X2].as.tensor;
    bool turn1 = f->bound.args[TRANSPOSE1].as.boolean, turn2 = f->bound.args[TRANSPOSE2].as.boolean;
    bool row = x1->ndim == 1, column = x2->ndim == 1;
    ps_tensor *dz = before_activation(f);
    if (f->bound.args[BIAS].kind == PS_ARG_TENSOR && ps__flow_wants(f, BIAS))
        ps__flow_give(f, BIAS, dz);
    dz = without_repeats(f, dz);
    if (column)
        dz = expand(f, dz, -1);
    if (row)
        dz = expand(f, dz, -2);
    x1 = ps__conjugate(f, row ? expand(f, x1, 0) : x1);
    x2 = ps__conjugate(f, column ? expand(f, x2, 1) : x2);
    if (ps__flow_wants(f, X1))
        ps__flow_give(f, X1,
                      turn1 ? product(f, x2, dz, turn2, true) : product(f, dz, x2, false, !turn2));
    if (!ps__flow_wants(f, X2))
        return;
    ps_tensor *dx2 = turn2 ? product(f, dz, x1, true, turn1) : product(f, x1, dz, !turn1, false);
    if (column)
        dx2 = PS__MAKE(&f->c, "squeeze", ps__arg_tensor(dx2), ps__arg_int(-1));
    ps__flow_give(f, X2, dx2);
}

/* ---- tensordot and dot --------------------------------------------------------------------- */

/* Which axes of an operand are summed over, as bits. */
typedef struct contracted {
    int ndim[2], count;
    int64_t axes[2][PS_DIMS_MAX]; /* summed, in order */
    int64_t free[2][PS_DIMS_MAX]; /* the others, in order */
} contracted;

static void find_free(contracted *t, int side)
{
    int count = 0;
    for (int i = 0; i < t->ndim[side]; i++) {
        bool summed = false;
        for (int k = 0; k < t->count; k++)
            summed |= t->axes[side][k] == i;
        if (!summed)
            t->free[side][count++] = i;
    }
}

/* dy summed with the other operand over that one's free axes has this one's free axes, and the summed
 * ones in the order that they have in the other: back to where they were. Of matrices they are there
 * already, since the operands are in that order which the summed axes of this one ask for. */
static ps_tensor *to_side(ps__flow *f, const contracted *t, int side)
{
    int other = 1 - side, own = t->ndim[side] - t->count, theirs = t->ndim[other] - t->count;
    int free = side == 0 ? 0 : t->count, summed = side == 0 ? own : 0; /* where they begin */
    int64_t range[PS_DIMS_MAX], order[PS_DIMS_MAX], sorted[PS_DIMS_MAX];
    int count = 0;
    for (int i = 0; i < theirs; i++)
        range[i] = (side == 0 ? own : 0) + i;
    ps_tensor *x = ps__conjugate(f, f->bound.args[other].as.tensor);
    ps_arg dy = ps__arg_tensor(f->dy), by = ps__arg_tensor(x), over = ps__arg_ints(theirs, range);
    ps_arg with = ps__arg_ints(theirs, t->free[other]);
    ps_tensor *made = side == 0 ? PS__MAKE(&f->c, "tensordot", dy, by, over, with)
                                : PS__MAKE(&f->c, "tensordot", by, dy, with, over);
    for (int i = 0; i < t->ndim[other]; i++)
        for (int k = 0; k < t->count; k++)
            if (t->axes[other][k] == i)
                sorted[count++] = t->axes[side][k];
    for (int i = 0; i < t->ndim[side]; i++) {
        for (int k = 0; k < own; k++)
            if (t->free[side][k] == i)
                order[i] = free + k;
        for (int k = 0; k < t->count; k++)
            if (sorted[k] == i)
                order[i] = summed + k;
    }
    return PS__MAKE(&f->c, "permute", ps__arg_tensor(made), ps__arg_ints(t->ndim[side], order));
}

static void contract(ps__flow *f, contracted *t)
{
    f->dy = without_repeats(f, f->dy);
    for (int side = 0; side < 2; side++)
        find_free(t, side);
    for (unsigned side = 0; side < 2; side++)
        if (ps__flow_wants(f, side))
            ps__flow_give(f, side, to_side(f, t, (int)side));
}

void ps__rule_tensordot(ps__flow *f)
{
    contracted t = {.count = (int)f->bound.args[2].count};
    for (int side = 0; side < 2; side++) {
        t.ndim[side] = f->bound.args[side].as.tensor->ndim;
        for (int i = 0; i < t.count; i++) {
            int64_t axis = f->bound.args[2 + side].as.ints[i];
            t.axes[side][i] = axis < 0 ? axis + t.ndim[side] : axis;
        }
    }
    contract(f, &t);
}

static ps_arg conjugate_of(ps__flow *f, ps_arg x)
{
    if (x.kind == PS_ARG_TENSOR)
        return ps__arg_tensor(ps__conjugate(f, x.as.tensor));
    if (x.kind == PS_ARG_SCALAR && x.as.scalar.tag == PS_SCALAR_COMPLEX)
        x.as.scalar.as.z[1] = -x.as.scalar.as.z[1];
    return x;
}

/* A product with a number, or over the last axis of x1 and the last but one of x2. */
void ps__rule_dot(ps__flow *f)
{
    contracted t = {.count = 1};
    for (unsigned side = 0; side < 2; side++) {
        const ps_arg *arg = &f->bound.args[side], *other = &f->bound.args[1 - side];
        t.ndim[side] = arg->kind == PS_ARG_TENSOR ? arg->as.tensor->ndim : 0;
        int last = t.ndim[side] - 1;
        t.axes[side][0] = side == 0 || last == 0 ? last : last - 1;
        bool number =
            t.ndim[side] == 0 || other->kind != PS_ARG_TENSOR || other->as.tensor->ndim == 0;
        if (!number || !ps__flow_wants(f, side))
            continue;
        ps_arg factor = conjugate_of(f, *other);
        ps__flow_give(f, side, PS__MAKE(&f->c, "multiply", ps__arg_tensor(f->dy), factor));
    }
    if (t.ndim[0] > 0 && t.ndim[1] > 0)
        contract(f, &t);
}

/* ---- vecdot -------------------------------------------------------------------------------- */

static ps_tensor *axis_last(ps__flow *f, ps_tensor *x, int64_t axis)
{
    if (axis == -1 || axis == x->ndim - 1)
        return x;
    return PS__MAKE(&f->c, "moveaxis", ps__arg_tensor(x), ps__arg_int(axis), ps__arg_int(-1));
}

/* Each element gets the one that it was multiplied with, times what flows to the sum. The axis goes back to
 * where the operand has it, counted from behind: more dimensions may be before those. */
void ps__rule_vecdot(ps__flow *f)
{
    int64_t axis = f->bound.args[2].as.integer;
    ps_tensor *dy = expand(f, f->dy, -1);
    for (unsigned side = 0; side < 2; side++) {
        const ps_tensor *x = f->bound.args[side].as.tensor;
        if (!ps__flow_wants(f, side))
            continue;
        ps_tensor *other = axis_last(f, f->bound.args[1 - side].as.tensor, axis);
        ps_tensor *flow = side == 0 ? ps__conjugate(f, dy) : dy; /* x1 is conjugated */
        flow = PS__MAKE(&f->c, "multiply", ps__arg_tensor(flow), ps__arg_tensor(other));
        if (axis != -1 && axis != x->ndim - 1)
            flow = PS__MAKE(&f->c, "moveaxis", ps__arg_tensor(flow), ps__arg_int(-1),
                            ps__arg_int(axis < 0 ? axis : axis - x->ndim));
        ps__flow_give(f, side, flow);
    }
}
