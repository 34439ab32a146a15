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

/* The result, or NULL if the row takes no such arguments. */
static ps_tensor *called(const table_row *row, const table_given *given)
{
    ps_arg args[TABLE_ARGS];
    ps_tensor *out = NULL;
    if (!table_arguments(row, given, args))
        return NULL;
    ps_generator_seed(NULL, 42);
    return table_call(row->op, args, row->info.nargs, &out) == PS_OK ? out : NULL;
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

static void write_rows(FILE *to, const table_given *given)
{
    for (size_t at = 0; at < ps_op_count(); at++) {
        table_row row;
        table_row_at(at, &row);
        if (!is_wanted(&row))
            continue;
        ps_tensor *result = called(&row, given);
        if (result != NULL)
            write_line(to, &row, given->dtype, result);
        ps_tensor_release(result);
        if (strcmp(row.info.name, "cast") == 0)
            write_casts(to, &row, given->dtype, given->operands[0]);
    }
}

/* With special values, and without: a reduction of those would be NaN and no more. */
void table_write_checksums(FILE *to)
{
    for (int dtype = 0; dtype < TABLE_TYPES; dtype++)
        for (int range = TABLE_SMALL; range <= TABLE_AROUND_ONE; range++) {
            table_given given;
            table_give((ps_dtype)dtype, (table_range)range, 2, (int64_t[]){SIDE, SIDE}, &given);
            write_rows(to, &given);
            table_take_back(&given);
        }
}
