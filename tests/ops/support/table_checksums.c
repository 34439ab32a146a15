/* One number for each row and type: of the bits of a result that is made in the same way each time.
 * Rows are called with what their signatures ask for, so that new ones take part. */
#include "table.h"

#include "dtype/dtype.h"
#include "ops/help.h"

enum { SIDE = 26 };

/* One NaN is as good as another: compilers may swap the operands of a sum, which decides its sign. */
static void make_plain(ps_dtype dtype, char *element)
{
    ps_scalar scalar = ps__scalar_load(dtype, element);
    double *parts = scalar.tag == PS_SCALAR_COMPLEX ? scalar.as.z : &scalar.as.d;
    bool nan = false;
    for (int i = 0; i < 1 + (scalar.tag == PS_SCALAR_COMPLEX); i++)
        if (scalar.tag >= PS_SCALAR_DOUBLE && isnan(parts[i])) {
            parts[i] = NAN;
            nan = true;
        }
    if (nan)
        ps__scalar_cast(scalar, dtype, element);
}

static uint64_t checksum(ps_tensor *tensor)
{
    char *bytes = table_read(tensor, "checksum");
    uint64_t sum = 0xcbf29ce484222325u;
    ps_dtype dtype = ps_tensor_dtype(tensor);
    size_t item = ps_dtype_bytes(dtype), count = (size_t)ps_tensor_count(tensor) * item;
    for (size_t i = 0; i < count; i++) {
        if (i % item == 0)
            make_plain(dtype, bytes + i);
        sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    }
    free(bytes);
    return sum;
}

/* A value for an argument that has no default; false if none comes to mind. */
static bool fill_argument(const ps_op_arg_info *info, size_t index, ps_dtype dtype, ps_arg *arg)
{
    static const int64_t lengths[] = {SIDE, SIDE};
    switch (info->kind) {
    case PS_ARG_INT:
        *arg = I((int64_t)(10 + 50 * index));
        return true;
    case PS_ARG_INTS:
        *arg = (ps_arg){.kind = PS_ARG_INTS, .count = 2, .as.ints = lengths};
        return true;
    case PS_ARG_DOUBLE:
    case PS_ARG_SCALAR:
        *arg = F(1.5 + (double)index);
        return true;
    case PS_ARG_DTYPE:
        *arg = D(dtype);
        return true;
    default:
        return false;
    }
}

/* The result, or NULL if the row takes no such arguments. */
static ps_tensor *called(const table_row *row, ps_dtype dtype, ps_tensor *const *operands)
{
    ps_arg args[TABLE_ARGS];
    size_t nargs = 0;
    for (; nargs < row->info.nargs; nargs++)
        if (nargs < row->operands && nargs < TABLE_OPERANDS)
            args[nargs] = T(operands[nargs]);
        else if (!row->info.args[nargs].required)
            args[nargs] = NONE;
        else if (!fill_argument(&row->info.args[nargs], nargs, dtype, &args[nargs]))
            return NULL;
    int type = table_argument(row, "dtype");
    if (type >= 0 && row->operands == 0)
        args[type] = D(dtype);
    ps_tensor *out = NULL;
    ps_generator_seed(NULL, 42);
    return table_call(row->op, args, nargs, &out) == PS_OK ? out : NULL;
}

static void write_line(FILE *to, const table_row *row, ps_dtype dtype, ps_tensor *result)
{
    if (ps_tensor_wait(result, NULL) == PS_OK)
        fprintf(to, "%s %s %016llx %d\n", row->info.name, ps_dtype_name(dtype),
                (unsigned long long)checksum(result), row->info.exact);
}

/* A cast goes to every type. */
static void write_casts(FILE *to, const table_row *row, ps_dtype dtype, ps_tensor *x)
{
    for (int other = 0; other < TABLE_TYPES; other++) {
        ps_tensor *out = NULL;
        if (table_call(row->op, (ps_arg[]){T(x), D((ps_dtype)other)}, 2, &out) == PS_OK)
            write_line(to, row, dtype, out);
        ps_tensor_release(out);
    }
}

static bool is_wanted(const table_row *row)
{
    static const char *const groups[] = {"elementwise", "reduction", "creation", "random", "copy"};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strcmp(row->info.group, groups[i]) == 0)
            return strcmp(row->info.name, "empty") != 0;
    return false;
}

static void write_rows(FILE *to, ps_dtype dtype, ps_tensor *const *operands)
{
    for (size_t at = 0; at < ps_op_count(); at++) {
        table_row row;
        table_row_at(at, &row);
        if (!is_wanted(&row))
            continue;
        ps_tensor *result = called(&row, dtype, operands);
        if (result != NULL)
            write_line(to, &row, dtype, result);
        ps_tensor_release(result);
        if (strcmp(row.info.name, "cast") == 0)
            write_casts(to, &row, dtype, operands[0]);
    }
}

/* With special values, and without: a reduction of those would be NaN and no more. */
void table_write_checksums(FILE *to)
{
    char *elements = malloc((size_t)SIDE * SIDE * 16);
    for (int dtype = 0; dtype < TABLE_TYPES; dtype++)
        for (int range = TABLE_SMALL; range <= TABLE_AROUND_ONE; range++) {
            ps_tensor *operands[TABLE_OPERANDS];
            for (unsigned i = 0; i < TABLE_OPERANDS; i++) {
                table_fill((ps_dtype)dtype, (table_range)range, i + 1, (size_t)SIDE * SIDE,
                           elements);
                operands[i] = table_lay(i == 1 ? TABLE_TURNED : TABLE_PLAIN, (ps_dtype)dtype, 2,
                                        (int64_t[]){SIDE, SIDE}, elements);
            }
            write_rows(to, (ps_dtype)dtype, operands);
            for (unsigned i = 0; i < TABLE_OPERANDS; i++)
                ps_tensor_release(operands[i]);
        }
    free(elements);
}
