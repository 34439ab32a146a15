/* Rows as the walks see them; elements; layouts. */
#include "table.h"

#include "dtype/dtype.h"
#include "ops/op.h" /* before help.h, which has short names of its own */

#include "ops/help.h"

/* ---- rows -------------------------------------------------------------------------------- */

typedef struct set_text {
    const char *text;
    uint32_t set;
} set_text;

/* Our own reading of what ps_op_info.dtypes says. */
static const set_text set_texts[] = {
    {"all", 0x7fff},
    {"numeric", 0x7ffe},
    {"bool or real", 0x1fff},
    {"real", 0x1ffe},
    {"floating-point", 0x7e00},
    {"real floating-point", 0x1e00},
    {"float32 or float64", 0x1800},
    {"integer", 0x01fe},
    {"bool or integer", 0x01ff},
};

static uint32_t set_of(const ps_op_info *info)
{
    for (size_t i = 0; i < sizeof set_texts / sizeof set_texts[0]; i++)
        if (strcmp(set_texts[i].text, info->dtypes) == 0)
            return set_texts[i].set;
    fail_msg("%s: dtypes \"%s\" is no set that has a name", info->name, info->dtypes);
    return 0;
}

void table_row_at(size_t index, table_row *row)
{
    *row = (table_row){.op = ps_op_at(index), .info.size = sizeof row->info};
    assert_non_null(row->op);
    CHECK_OK(ps_op_get_info(row->op, &row->info));
    row->takes = set_of(&row->info);
    row->to_float = (row->info.flags & PS_OP_TO_FLOAT) != 0;
    while (row->operands < row->info.nargs && row->info.args[row->operands].kind == PS_ARG_TENSOR)
        row->operands++;
    for (unsigned i = 0; i < row->operands && i < TABLE_OPERANDS; i++)
        row->mask[i] = row->info.args[i].role == PS_ROLE_MASK;
}

bool table_is_elementwise(const table_row *row)
{
    if (row->operands == 0 || row->operands > TABLE_OPERANDS || row->info.noutputs != 1)
        return false;
    for (unsigned i = row->operands; i < row->info.nargs; i++)
        if (row->info.args[i].kind != PS_ARG_SCALAR || row->info.args[i].required)
            return false;
    return strcmp(row->info.group, "elementwise") == 0 || strcmp(row->info.name, "copy") == 0;
}

int table_argument(const table_row *row, const char *name)
{
    for (size_t i = 0; i < row->info.nargs; i++)
        if (strcmp(row->info.args[i].name, name) == 0)
            return (int)i;
    return -1;
}

static bool only_masks(const table_row *row)
{
    for (unsigned i = 0; i < row->operands; i++)
        if (!row->mask[i])
            return false;
    return true;
}

table_answer table_answer_to(const table_row *row, ps_dtype dtype)
{
    if (row->info.expression == NULL)
        return TABLE_OPEN;
    if (only_masks(row) || row->takes >> dtype & 1)
        return TABLE_TAKES;
    bool converts = row->to_float && (table_is_integer(dtype) || dtype == PS_BOOL);
    return converts ? TABLE_CONVERTS : TABLE_REFUSES;
}

ps_dtype table_common(const table_row *row, ps_dtype dtype)
{
    if (only_masks(row))
        return PS_BOOL;
    return table_answer_to(row, dtype) == TABLE_CONVERTS ? PS_FLOAT32 : dtype;
}

int table_result(const table_row *row, ps_dtype common)
{
    if (strcmp(row->info.result, "bool") == 0)
        return PS_BOOL;
    if (strcmp(row->info.result, "same") == 0)
        return (int)common;
    if (strcmp(row->info.result, "real") != 0)
        return -1;
    return common == PS_COMPLEX64 ? PS_FLOAT32 : common == PS_COMPLEX128 ? PS_FLOAT64 : (int)common;
}

bool table_is_integer(ps_dtype dtype)
{
    return dtype > PS_BOOL && dtype < PS_FLOAT16;
}

bool table_is_complex(ps_dtype dtype)
{
    return dtype == PS_COMPLEX64 || dtype == PS_COMPLEX128;
}

bool table_is_float(ps_dtype dtype)
{
    return dtype >= PS_FLOAT16 && dtype <= PS_FLOAT64;
}

/* ---- elements ---------------------------------------------------------------------------- */

uint64_t table_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double special(uint64_t *state)
{
    static const double numbers[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 1e-40, -1e-310, 1, 7e4};
    return numbers[table_random(state) % (sizeof numbers / sizeof numbers[0])];
}

static double number_in(table_range range, uint64_t *state)
{
    double fraction = (double)(table_random(state) >> 40) / 0x1p24;
    if (range == TABLE_WIDE && table_random(state) % 16 == 0)
        return special(state);
    if (range == TABLE_AROUND_ONE)
        return (table_random(state) & 1 ? 1 : -1) * exp2(2 * fraction - 1);
    return table_random(state) % 4 == 0 ? 2 * fraction - 1 : 9 * fraction - 4.5;
}

static void make_element(ps_dtype dtype, table_range range, uint64_t *state, char *element)
{
    ps_scalar number = {.tag = PS_SCALAR_COMPLEX};
    number.as.z[0] = number_in(range, state);
    number.as.z[1] = table_is_complex(dtype) ? number_in(range, state) : 0;
    if (range == TABLE_AROUND_ONE && table_is_complex(dtype)) {
        number.as.z[0] *= M_SQRT1_2;
        number.as.z[1] *= M_SQRT1_2;
    }
    uint64_t bits = table_random(state);
    if (dtype == PS_BOOL)
        *element = (char)(bits & 1);
    else if (range == TABLE_WIDE && table_is_integer(dtype) && bits >> 62 == 0)
        memcpy(element, &bits, ps_dtype_bytes(dtype));
    else
        ps__scalar_cast(number, dtype, element);
}

void table_fill(ps_dtype dtype, table_range range, uint64_t seed, size_t count, void *elements)
{
    uint64_t state = seed * 1000003u + (uint64_t)dtype;
    for (size_t i = 0; i < count; i++)
        make_element(dtype, range, &state, (char *)elements + i * ps_dtype_bytes(dtype));
}

/* ---- layouts ----------------------------------------------------------------------------- */

const char *const table_layout_names[] = {"plain", "step 2", "step -1", "transposed", "shifted"};

static int64_t product(int ndim, const int64_t *shape)
{
    int64_t count = 1;
    for (int i = 0; i < ndim; i++)
        count *= shape[i];
    return count;
}

/* Where element `index` of the tensor goes among those of its storage. */
static int64_t place_of(table_layout layout, int64_t index, int ndim, const int64_t *shape)
{
    int64_t last = ndim > 0 ? shape[ndim - 1] : 1, place = 0, step = 1, rest = index;
    switch (layout) {
    case TABLE_STEP:
        return 2 * index;
    case TABLE_BACKWARD:
        return index - index % last + last - 1 - index % last;
    case TABLE_SHIFTED:
        return index + 1;
    case TABLE_TURNED: {
        int64_t at[TABLE_DIMS];
        for (int i = ndim - 1; i >= 0; i--) {
            at[i] = rest % shape[i];
            rest /= shape[i];
        }
        for (int i = 0; i < ndim; i++) {
            place += at[i] * step;
            step *= shape[i];
        }
        return place;
    }
    default:
        return index;
    }
}

static ps_tensor *view_of(ps_tensor *base, ps_index index, int ndim, const int64_t *shape)
{
    ps_tensor *line, *view;
    CHECK_OK(ps_tensor_index(base, (ps_index[]){{.kind = PS_INDEX_ELLIPSIS}, index}, 2, &line));
    CHECK_OK(ps_tensor_view_as(line, ndim, shape, &view));
    ps_tensor_release(line);
    return view;
}

static ps_tensor *make_view(table_layout layout, ps_tensor *base, int ndim, const int64_t *shape)
{
    ps_index range = {PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, PS_INDEX_NONE};
    ps_tensor *view;
    switch (layout) {
    case TABLE_TURNED:
        CHECK_OK(ps_tensor_permute(base, NULL, 0, &view));
        return view;
    case TABLE_STEP:
        range.step = 2;
        return view_of(base, range, ndim, shape);
    case TABLE_BACKWARD:
        range.step = -1;
        return view_of(base, range, ndim, shape);
    default:
        range.start = 1;
        return view_of(base, range, ndim, shape);
    }
}

ps_tensor *table_lay(table_layout layout, ps_dtype dtype, int ndim, const int64_t *shape,
                     const void *elements)
{
    ps_tensor *base;
    if (ndim == 0)
        layout = TABLE_PLAIN;
    if (layout == TABLE_PLAIN) {
        CHECK_OK(ps_tensor_from_host(dtype, ndim, shape, NULL, elements, NULL, &base));
        return base;
    }
    int64_t count = product(ndim, shape), room = 2 * count + 2,
            bytes = (int64_t)ps_dtype_bytes(dtype);
    char *storage = malloc((size_t)(room * bytes));
    memset(storage, 0x5a, (size_t)(room * bytes));
    for (int64_t i = 0; i < count; i++)
        memcpy(storage + place_of(layout, i, ndim, shape) * bytes,
               (const char *)elements + i * bytes, (size_t)bytes);
    int64_t dims[TABLE_DIMS];
    int n = layout == TABLE_SHIFTED ? 1 : ndim;
    for (int i = 0; i < n; i++)
        dims[i] = layout == TABLE_TURNED ? shape[ndim - 1 - i] : shape[i];
    if (layout == TABLE_STEP)
        dims[n - 1] *= 2;
    if (layout == TABLE_SHIFTED)
        dims[0] = count + 1;
    CHECK_OK(ps_tensor_from_host(dtype, n, dims, NULL, storage, NULL, &base));
    free(storage);
    ps_tensor *view = make_view(layout, base, ndim, shape);
    ps_tensor_release(base);
    return view;
}

/* ---- calls ------------------------------------------------------------------------------- */

ps_status table_call(const ps_op *op, const ps_arg *args, size_t nargs, ps_tensor **out)
{
    ps_op_info info = {.size = sizeof info};
    ps_tensor *outputs[TABLE_OUTPUTS] = {*out};
    CHECK_OK(ps_op_get_info(op, &info));
    ps_status status = ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                                 .args = args,
                                                 .nargs = nargs,
                                                 .outputs = outputs,
                                                 .noutputs = info.noutputs});
    *out = outputs[0];
    for (size_t i = 1; i < info.noutputs; i++)
        ps_tensor_release(outputs[i]);
    return status;
}

ps_status table_apply(const table_row *row, ps_tensor *const *operands, ps_tensor **out)
{
    ps_arg args[TABLE_OPERANDS];
    for (unsigned i = 0; i < row->operands; i++)
        args[i] = T(operands[i]);
    return table_call(row->op, args, row->operands, out);
}

char *table_read(ps_tensor *tensor, const char *what)
{
    size_t bytes = (size_t)ps_tensor_count(tensor) * ps_dtype_bytes(ps_tensor_dtype(tensor));
    char *elements = malloc(bytes + 1);
    ps_status status = ps_tensor_to_host(tensor, elements, bytes);
    if (status != PS_OK)
        fail_msg("%s: %s", what, ps_last_error());
    return elements;
}

/* ---- comparing --------------------------------------------------------------------------- */

static bool part_is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool is_same(ps_dtype dtype, const char *a, const char *b)
{
    ps_scalar x = ps__scalar_load(dtype, a), y = ps__scalar_load(dtype, b);
    if (x.tag == PS_SCALAR_COMPLEX)
        return part_is_same(x.as.z[0], y.as.z[0]) && part_is_same(x.as.z[1], y.as.z[1]);
    return x.tag == PS_SCALAR_DOUBLE && part_is_same(x.as.d, y.as.d);
}

int64_t table_difference(ps_dtype dtype, int64_t count, const char *a, const char *b)
{
    size_t bytes = ps_dtype_bytes(dtype);
    if (memcmp(a, b, (size_t)count * bytes) == 0)
        return -1;
    for (int64_t i = 0; i < count; i++, a += bytes, b += bytes)
        if (memcmp(a, b, bytes) != 0 && !is_same(dtype, a, b))
            return i;
    return -1;
}
