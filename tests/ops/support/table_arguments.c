/* Something for each argument of any row, so that rows which no test knows can be called. */
#include "table.h"

#include "ops/help.h"

/* ---- tensors ------------------------------------------------------------------------------- */

/* Positions below a length, in the shape. */
static ps_tensor *small_positions(int ndim, const int64_t *shape, int64_t count, int64_t length)
{
    int64_t *places = malloc((size_t)count * sizeof *places);
    for (int64_t i = 0; i < count && length > 0; i++)
        places[i] = i * 7 % length;
    ps_tensor *made = table_lay(TABLE_PLAIN, PS_INT64, ndim, shape, places);
    free(places);
    return made;
}

static ps_tensor *filled(table_layout layout, ps_dtype dtype, table_range range, uint64_t seed,
                         int ndim, const int64_t *shape, int64_t count)
{
    char *elements = malloc((size_t)count * ps_dtype_bytes(dtype));
    table_fill(dtype, range, seed, (size_t)count, elements);
    ps_tensor *made = table_lay(layout, dtype, ndim, shape, elements);
    free(elements);
    return made;
}

static ps_arg list_of(unsigned count, const int64_t *list)
{
    return (ps_arg){.kind = PS_ARG_INTS, .count = count, .as.ints = list};
}

static void give_images(table_given *given, int64_t count)
{
    for (int i = 0; i < 4; i++)
        given->image_shape[i] = i < 4 - given->ndim ? 1 : given->shape[i - 4 + given->ndim];
    for (unsigned i = 0; i < TABLE_OPERANDS; i++)
        given->images[i] = CALL("reshape", T(given->operands[i]), list_of(4, given->image_shape));
    given->tap = CALL("reshape", T(given->value), list_of(4, given->ones));
    given->strip = CALL("reshape", T(given->operands[0]), INTS(1, 1, count));
    given->strip_tap = CALL("reshape", T(given->value), list_of(3, given->ones));
}

/* 0.1, 0.2, ... as the type. */
static ps_tensor *tenths(ps_dtype dtype, int64_t count)
{
    ps_tensor *line = CALL("linspace", F(0.1), F(0.1 * (double)count), I(count));
    ps_tensor *made = CALL("cast", T(line), D(dtype));
    ps_tensor_release(line);
    return made;
}

/* For recurrent layers of one hidden unit. */
static void give_sequence(table_given *given)
{
    int64_t steps = given->shape[0], inputs = given->ndim == 2 ? given->shape[1] : 1;
    ps_tensor *const *o = given->operands;
    for (unsigned i = 0; i < 2; i++) {
        ps_tensor *parts[] = {o[0], o[1], o[2], o[0]};
        ps_arg list = {.kind = PS_ARG_TENSORS, .count = 3 + i, .as.tensors = parts};
        given->gates[i] = CALL("concatenate", list, I(-1));
    }
    given->sequence = CALL("reshape", T(o[0]), INTS(steps, 1, inputs));
    given->weights = tenths(given->dtype, inputs + 3);
    given->reserve = tenths(given->dtype, steps);
    ps_tensor *one = tenths(given->dtype, 1);
    given->first = CALL("reshape", T(one), INTS(1, 1, 1));
    ps_tensor_release(one);
}

void table_give(ps_dtype dtype, table_range range, int ndim, const int64_t *shape,
                table_given *given)
{
    *given = (table_given){.dtype = dtype, .ndim = ndim, .ones = {1, 1, 1, 1}};
    int64_t count = 1;
    for (int i = 0; i < ndim; i++)
        count *= given->shape[i] = shape[i];
    for (unsigned i = 0; i < TABLE_OPERANDS; i++)
        given->operands[i] =
            filled(i == 1 ? TABLE_TURNED : TABLE_PLAIN, dtype, range, i + 1, ndim, shape, count);
    give_sequence(given);
    given->mask = filled(TABLE_PLAIN, PS_BOOL, range, 9, ndim, shape, count);
    given->positions = small_positions(ndim, shape, count, shape[0]);
    int64_t last = shape[ndim - 1], lines = ndim > 1 ? shape[0] : 1;
    given->places = small_positions(ndim - 1, shape, lines, last);
    given->column = filled(TABLE_PLAIN, dtype, range, 6, ndim - 1, shape, lines);
    given->row = filled(TABLE_PLAIN, dtype, range, 7, 1, &last, last);
    given->squares = CALL("multiply", T(given->row), T(given->row));
    ps_tensor *line = CALL("reshape", T(given->operands[2]), INTS(-1));
    given->line = CALL("sort", T(line));
    ps_tensor_release(line);
    given->value = filled(TABLE_PLAIN, dtype, range, 5, 1, given->ones, 1);
    give_images(given, count);
}

void table_take_back(table_given *given)
{
    for (unsigned i = 0; i < TABLE_OPERANDS; i++) {
        ps_tensor_release(given->operands[i]);
        ps_tensor_release(given->images[i]);
    }
    ps_tensor_release(given->tap);
    ps_tensor_release(given->strip);
    ps_tensor_release(given->strip_tap);
    ps_tensor *sequence[] = {given->gates[0], given->gates[1], given->sequence,
                             given->first,    given->weights,  given->reserve};
    for (unsigned i = 0; i < sizeof sequence / sizeof sequence[0]; i++)
        ps_tensor_release(sequence[i]);
    ps_tensor_release(given->mask);
    ps_tensor_release(given->positions);
    ps_tensor_release(given->places);
    ps_tensor_release(given->column);
    ps_tensor_release(given->row);
    ps_tensor_release(given->squares);
    ps_tensor_release(given->line);
    ps_tensor_release(given->value);
}

/* ---- arguments ----------------------------------------------------------------------------- */

/* Lists say something of each dimension, or name some. */
static ps_arg list_for(const char *name, const table_given *given)
{
    static const int64_t first = 0;
    if (strcmp(name, "shape") == 0)
        return list_of((unsigned)given->ndim, given->shape);
    if (strcmp(name, "axes1") == 0)
        return list_of(1, given->ones);
    if (strcmp(name, "axes2") == 0 || strcmp(name, "source") == 0 ||
        strcmp(name, "destination") == 0)
        return list_of(1, &first);
    return list_of(strcmp(name, "shift") == 0 ? 1 : (unsigned)given->ndim, given->ones);
}

static ps_tensor *tensor_for(const ps_op_arg_info *info, size_t index, const table_given *given)
{
    if (info->role == PS_ROLE_MASK)
        return given->mask;
    bool one = strcmp(info->name, "index") == 0 || strcmp(info->name, "labels") == 0;
    if (info->role == PS_ROLE_POSITIONS)
        return one ? given->places : given->positions;
    if (strcmp(info->name, "mean") == 0)
        return given->row;
    if (strcmp(info->name, "var") == 0)
        return given->squares;
    if (strcmp(info->name, "values") == 0)
        return given->value;
    return given->operands[index % TABLE_OPERANDS];
}

/* A value for an argument that has no default. */
static bool fill_argument(const ps_op_arg_info *info, size_t index, const table_given *given,
                          ps_arg *arg)
{
    switch (info->kind) {
    case PS_ARG_TENSOR:
        *arg = T(tensor_for(info, index, given));
        return true;
    case PS_ARG_TENSORS:
        *arg = (ps_arg){.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = given->operands};
        return true;
    case PS_ARG_INT:
        *arg = I(info->role == PS_ROLE_AXIS ? 0 : (int64_t)(2 + 50 * (index / 2)));
        return true;
    case PS_ARG_INTS:
        *arg = list_for(info->name, given);
        return true;
    case PS_ARG_DOUBLE:
    case PS_ARG_SCALAR:
        *arg = F(1.5 + (double)index);
        return true;
    case PS_ARG_DTYPE:
        *arg = D(given->dtype);
        return true;
    case PS_ARG_TEXT:
        *arg = S("rnn_tanh");
        return strcmp(info->name, "mode") == 0;
    default:
        return false;
    }
}

/* Rows of images: kernels have one tap, so that there are windows whatever the shape. */
static void fill_image(const table_row *row, const table_given *given, ps_arg *args)
{
    bool strip = strcmp(row->info.name, "conv1d") == 0;
    bool weight = strcmp(row->info.name, "conv2d_weight") == 0;
    for (size_t i = 0; i < row->info.nargs; i++) {
        const ps_op_arg_info *info = &row->info.args[i];
        if (!info->required)
            continue;
        if (strcmp(info->name, "weight") == 0)
            args[i] = T(strip ? given->strip_tap : given->tap);
        else if (info->kind == PS_ARG_TENSOR)
            args[i] = T(strip ? given->strip : given->images[i]);
        else if (strcmp(info->name, "shape") == 0)
            args[i] = list_of(4, weight ? given->ones : given->image_shape);
    }
}

/* Rows of recurrent layers. */
static void fill_sequence(const table_row *row, const table_given *given, ps_arg *args)
{
    if (strcmp(row->info.name, "lstm_gates") == 0)
        args[0] = T(given->gates[1]);
    else if (strcmp(row->info.name, "gru_gates") == 0)
        args[0] = args[1] = T(given->gates[0]);
    if (strncmp(row->info.name, "rnn", 3) != 0)
        return;
    args[0] = T(given->sequence);
    args[1] = T(given->weights);
    args[2] = T(given->first);
    if (strcmp(row->info.name, "rnn_backward") == 0)
        args[3] = T(given->reserve);
}

bool table_arguments(const table_row *row, const table_given *given, ps_arg *args)
{
    for (size_t i = 0; i < row->info.nargs; i++) {
        args[i] = NONE;
        if (row->info.args[i].required && !fill_argument(&row->info.args[i], i, given, &args[i]))
            return false;
    }
    int type = table_argument(row, "dtype");
    if (type >= 0 && row->operands == 0)
        args[type] = D(given->dtype);
    if (strcmp(row->info.name, "searchsorted") == 0)
        args[0] = T(given->line);                          /* the only row that asks for an order */
    if (strcmp(row->info.name, "cross_entropy_back") == 0) /* of its result */
        args[table_argument(row, "flow")] = T(given->column);
    /* The rows whose result has as many elements as the square of a line. */
    if (strcmp(row->info.name, "outer") == 0 || strcmp(row->info.name, "kron") == 0)
        args[1] = T(given->value);
    if (strcmp(row->info.name, "diag") == 0 && given->ndim == 1)
        args[0] = T(given->value);
    if (strcmp(row->info.group, "image") == 0)
        fill_image(row, given, args);
    static const int64_t pictures[] = {1, 1, 3, 4};
    if (strcmp(row->info.name, "bilinear") == 0)
        args[0] = list_of(4, pictures);
    fill_sequence(row, given, args);
    return true;
}
