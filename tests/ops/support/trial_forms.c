/* Uses of a row: see trial.h. */
#include "trial.h"

#include "ops/help.h"

static ps_tensor *copy_of(ps_tensor *made)
{
    ps_tensor *copy = CALL("copy", T(made));
    ps_tensor_release(made);
    return copy;
}

/* ---- views --------------------------------------------------------------------------------- */

static ps_tensor *turned(ps_tensor *x)
{
    return CALL("permute", T(x));
}

static ps_tensor *turned_leaf(ps_tensor *value)
{
    return copy_of(turned(value));
}

static ps_tensor *backward(ps_tensor *x)
{
    return CALL("flip", T(x));
}

static ps_tensor *backward_leaf(ps_tensor *value)
{
    return copy_of(backward(value));
}

/* The elements `from`, `from` + 2, ... of the last dimension. */
static ps_tensor *every_second(ps_tensor *x, int64_t from)
{
    ps_tensor *part;
    ps_index items[] = {{.kind = PS_INDEX_ELLIPSIS},
                        {.kind = PS_INDEX_RANGE, .start = from, .stop = PS_INDEX_NONE, .step = 2}};
    CHECK_OK(ps_tensor_index(x, items, 2, &part));
    return part;
}

/* Each element of a leaf that has as many of others in between. */
static ps_tensor *stepping(ps_tensor *leaf)
{
    ps_tensor *part;
    ps_index items[] = {{.kind = PS_INDEX_ELLIPSIS}, {.kind = PS_INDEX_AT, .start = 1}};
    CHECK_OK(ps_tensor_index(leaf, items, 2, &part));
    return part;
}

static ps_tensor *stepping_leaf(ps_tensor *value)
{
    ps_tensor *pair[] = {value, value};
    ps_arg list = {.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = pair};
    return CALL("stack", list, I(-1));
}

/* ---- writes -------------------------------------------------------------------------------- */

static ps_tensor *made(ps_tensor *leaf)
{
    return CALL("multiply", T(leaf), I(1));
}

/* Twice the leaf, halved in place through two views that have all of it. */
static ps_tensor *written_before(ps_tensor *leaf)
{
    ps_tensor *x = CALL("multiply", T(leaf), I(2)), *line = CALL("reshape", T(x), INTS(-1));
    for (int64_t from = 0; from < 2; from++) {
        ps_tensor *part = every_second(line, from);
        CHECK_OK(call_into("multiply", ARGS(T(part), F(0.5)), &part));
        ps_tensor_release(part);
    }
    ps_tensor_release(line);
    return x;
}

/* ---- parts of complex numbers -------------------------------------------------------------- */

static ps_tensor *part_of(ps_tensor *x, bool imaginary)
{
    ps_tensor *part;
    CHECK_OK(ps_tensor_part(x, imaginary, &part));
    return part;
}

/* The imaginary part of a complex leaf, for a real operand. */
static ps_tensor *imaginary(ps_tensor *leaf)
{
    return part_of(leaf, true);
}

static ps_tensor *imaginary_leaf(ps_tensor *value)
{
    ps_scalar z = {PS_SCALAR_COMPLEX, {.z = {0.5, 1}}};
    return CALL("multiply", T(value), (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = z});
}

/* The parts of a complex operand, changed in place one after the other. */
static ps_tensor *parts_written(ps_tensor *leaf)
{
    ps_tensor *x = made(leaf);
    for (int i = 0; i < 2; i++) {
        ps_tensor *part = part_of(x, i == 1);
        CHECK_OK(call_into("multiply", ARGS(T(part), F(i == 1 ? 1.5 : 0.75)), &part));
        ps_tensor_release(part);
    }
    return x;
}

const trial_form trial_forms[TRIAL_FORMS] = {
    [TRIAL_PLAIN] = {.name = "plain"},
    [TRIAL_TURNED] = {.name = "transposed", .leaf = turned_leaf, .operand = turned},
    [TRIAL_BACKWARD] = {.name = "reversed", .leaf = backward_leaf, .operand = backward},
    [TRIAL_STEP] = {.name = "every second", .leaf = stepping_leaf, .operand = stepping},
    [TRIAL_WRITTEN_BEFORE] = {.name = "written before", .operand = written_before},
    [TRIAL_WRITTEN_AFTER] = {.name = "written after", .operand = made, .after = true},
    [TRIAL_PART] = {.name = "imaginary parts", .leaf = imaginary_leaf, .operand = imaginary},
    [TRIAL_PARTS_WRITTEN] = {.name = "parts written", .operand = parts_written},
    [TRIAL_INTO] = {.name = "into an output", .into = true},
    [TRIAL_ONTO] = {.name = "onto itself", .operand = made, .onto = true},
};
