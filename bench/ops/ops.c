/* The benchmark of operations on Penstock itself; run.py asks it, and peer.py for each peer, as
 * ../common/answer.h says. A row is KIND.SHAPE.DTYPE, such as "add.2000x2000.float32"; the kinds
 * are in the table below.
 *
 * Inputs and digests are the same in all programs (../common/inputs.h), so that each row computes
 * the same thing everywhere. Times are microseconds of one call, from its start until its value is
 * there and its handle gone: the best of as many samples as fit into the time given by --seconds. */
#include "../common/answer.h"
#include "../common/inputs.h"
#include "../common/must.h"
#include "penstock_ops.h"

enum { BURST = 10000 };

struct row {
    const struct kind *kind;
    ps_dtype dtype;
    int ndim;
    int64_t shape[3];
    ps_tensor *x, *b, *mask;
};

/* Kinds that end by returning a tensor leave the wait for it to the caller; others wait for
 * themselves and return NULL. */
struct kind {
    const char *name;
    ps_tensor *(*run)(const struct row *row);
    double low, high;   /* range of the inputs */
    int calls;          /* operations in one run: the value is for one of them */
    const char *device; /* NULL: the CPU */
};

static ps_engine *engine;

/* ---- Calls that give a new tensor ---------------------------------------------------------- */

typedef ps_status unary_fn(ps_arg, ps_tensor **);
typedef ps_status binary_fn(ps_arg, ps_arg, ps_tensor **);

static inline ps_tensor *unary(unary_fn *fn, ps_tensor *x)
{
    ps_tensor *result = NULL;
    must(fn(PS_ARG(x), &result));
    return result;
}

static inline ps_tensor *binary(binary_fn *fn, ps_arg x1, ps_arg x2)
{
    ps_tensor *result = NULL;
    must(fn(x1, x2, &result));
    return result;
}

/* A name is bound anew: the handle it had goes, as it would in a frontend. */
static inline ps_tensor *rebind(ps_tensor *old, ps_tensor *new)
{
    ps_tensor_release(old);
    return new;
}

static ps_tensor *sum_over(ps_tensor *x, int64_t axis, bool keepdims)
{
    ps_tensor *result = NULL;
    ps_sum_options options = {.axis = PS_INTS(axis), .keepdims = ps_arg_bool(keepdims)};
    must(ps_sum_with(PS_ARG(x), &options, &result));
    return result;
}

static ps_tensor *max_over(ps_tensor *x, int64_t axis)
{
    ps_tensor *result = NULL;
    ps_max_options options = {.axis = PS_INTS(axis), .keepdims = ps_arg_bool(true)};
    must(ps_max_with(PS_ARG(x), &options, &result));
    return result;
}

/* ---- What is measured ---------------------------------------------------------------------- */

static ps_tensor *run_add(const struct row *row)
{
    return binary(ps_add, PS_ARG(row->x), PS_ARG(1.0));
}

/* y = relu(b * b + 2) * 0.5 - b; y = exp(y * 0.01) + b */
static ps_tensor *run_chain(const struct row *row)
{
    ps_tensor *b = row->x, *y;
    y = binary(ps_multiply, PS_ARG(b), PS_ARG(b));
    y = rebind(y, binary(ps_add, PS_ARG(y), PS_ARG(2.0)));
    y = rebind(y, unary(ps_relu, y));
    y = rebind(y, binary(ps_multiply, PS_ARG(y), PS_ARG(0.5)));
    y = rebind(y, binary(ps_subtract, PS_ARG(y), PS_ARG(b)));
    y = rebind(y, binary(ps_multiply, PS_ARG(y), PS_ARG(0.01)));
    y = rebind(y, unary(ps_exp, y));
    return rebind(y, binary(ps_add, PS_ARG(y), PS_ARG(b)));
}

static ps_tensor *run_exp(const struct row *row)
{
    return unary(ps_exp, row->x);
}

static ps_tensor *run_log(const struct row *row)
{
    return unary(ps_log, row->x);
}

static ps_tensor *run_tanh(const struct row *row)
{
    return unary(ps_tanh, row->x);
}

static ps_tensor *run_sum(const struct row *row)
{
    return unary(ps_sum, row->x);
}

static ps_tensor *run_sum_axis0(const struct row *row)
{
    return sum_over(row->x, 0, false);
}

static ps_tensor *run_sum_axis1(const struct row *row)
{
    return sum_over(row->x, 1, false);
}

static ps_tensor *run_softmax(const struct row *row)
{
    ps_tensor *most = max_over(row->x, -1);
    ps_tensor *e = rebind(most, binary(ps_subtract, PS_ARG(row->x), PS_ARG(most)));
    e = rebind(e, unary(ps_exp, e));
    ps_tensor *total = sum_over(e, -1, true);
    ps_tensor *y = binary(ps_divide, PS_ARG(e), PS_ARG(total));
    ps_tensor_release(total);
    return rebind(e, y);
}

static ps_tensor *run_transpose(const struct row *row)
{
    ps_tensor *view = NULL;
    must(ps_tensor_permute(row->x, NULL, 0, &view));
    return rebind(view, unary(ps_copy, view));
}

static ps_tensor *run_mask(const struct row *row)
{
    return binary(ps_masked_select, PS_ARG(row->x), PS_ARG(row->mask));
}

static ps_tensor *run_normals(const struct row *row)
{
    ps_tensor *result = NULL;
    must(ps_random_normal(ps_arg_ints(row->shape, (size_t)row->ndim), &result));
    return result;
}

static ps_tensor *run_matmul(const struct row *row)
{
    return binary(ps_matmul, PS_ARG(row->x), PS_ARG(row->b));
}

static ps_tensor *run_queue(const struct row *row)
{
    for (int i = 0; i < BURST; i++)
        ps_tensor_release(binary(ps_add, PS_ARG(row->x), PS_ARG(1.0)));
    must(ps_wait_all(engine, NULL));
    return NULL;
}

static ps_tensor *run_kept(const struct row *row)
{
    static ps_tensor *kept[BURST];
    for (int i = 0; i < BURST; i++)
        kept[i] = binary(ps_add, PS_ARG(row->x), PS_ARG(1.0));
    must(ps_wait_all(engine, NULL));
    for (int i = 0; i < BURST; i++)
        ps_tensor_release(kept[i]);
    return NULL;
}

static ps_tensor *run_queue_chain(const struct row *row)
{
    for (int i = 0; i < BURST / 8; i++)
        ps_tensor_release(run_chain(row));
    must(ps_wait_all(engine, NULL));
    return NULL;
}

/* Views, which nothing has to be computed for. */
static ps_tensor *make_views(const struct row *row, const ps_index *item)
{
    for (int i = 0; i < BURST; i++) {
        ps_tensor *view = NULL;
        must(ps_tensor_index(row->x, item, 1, &view));
        ps_tensor_release(view);
    }
    must(ps_wait_all(engine, NULL));
    return NULL;
}

static ps_tensor *run_many_index(const struct row *row)
{
    return make_views(row, &(ps_index){PS_INDEX_AT, 0, 0, 0});
}

static ps_tensor *run_many_slice(const struct row *row)
{
    return make_views(row, &(ps_index){PS_INDEX_RANGE, 1, 2, PS_INDEX_NONE});
}

static const struct kind kinds[] = {
    {"add", run_add, 0.5, 1.5, 1, NULL},
    {"chain", run_chain, 0.5, 1.5, 1, NULL},
    {"exp", run_exp, -4, 4, 1, NULL},
    {"log", run_log, 0.5, 1.5, 1, NULL},
    {"tanh", run_tanh, -4, 4, 1, NULL},
    {"sum", run_sum, 0.5, 1.5, 1, NULL},
    {"sum_axis0", run_sum_axis0, 0.5, 1.5, 1, NULL},
    {"sum_axis1", run_sum_axis1, 0.5, 1.5, 1, NULL},
    {"softmax", run_softmax, -4, 4, 1, NULL},
    {"transpose", run_transpose, 0.5, 1.5, 1, NULL},
    {"mask", run_mask, 0.5, 1.5, 1, NULL},
    {"normals", run_normals, 0.5, 1.5, 1, NULL},
    {"matmul", run_matmul, -1, 1, 1, NULL},
    {"queue", run_queue, 0.5, 1.5, BURST, NULL},
    {"kept", run_kept, 0.5, 1.5, BURST, NULL},
    {"wait", run_add, 0.5, 1.5, 1, NULL},
    {"many_index", run_many_index, 0.5, 1.5, BURST, NULL},
    {"many_slice", run_many_slice, 0.5, 1.5, BURST, NULL},
    {"null_queue", run_queue, 0.5, 1.5, BURST, "null"},
    {"null_chain", run_queue_chain, 0.5, 1.5, BURST, "null"},
};

/* ---- Inputs -------------------------------------------------------------------------------- */

/* Element i of input number `which`. */
static double input(const struct kind *kind, uint32_t which, int64_t i)
{
    return kind->low + (kind->high - kind->low) * input_unit(which, i);
}

static int64_t count_of(const struct row *row)
{
    int64_t count = 1;
    for (int i = 0; i < row->ndim; i++)
        count *= row->shape[i];
    return count;
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes + 1);
    if (memory == NULL)
        must(PS_ERR_MEMORY);
    return memory;
}

static ps_tensor *make_input(const struct row *row, uint32_t which, ps_device *device)
{
    ps_tensor *tensor = NULL;
    int64_t count = count_of(row);
    void *elements = allocate((size_t)count * ps_dtype_bytes(row->dtype));
    for (int64_t i = 0; i < count; i++) {
        double value = input(row->kind, which, i);
        if (row->dtype == PS_FLOAT64)
            ((double *)elements)[i] = value;
        else
            ((float *)elements)[i] = (float)value;
    }
    must(ps_tensor_from_host(row->dtype, row->ndim, row->shape, NULL, elements, device, &tensor));
    free(elements);
    return tensor;
}

static ps_tensor *make_mask(const struct row *row)
{
    ps_tensor *tensor = NULL;
    int64_t count = count_of(row);
    bool *elements = allocate((size_t)count);
    for (int64_t i = 0; i < count; i++)
        elements[i] = input(row->kind, 2, i) >= (row->kind->low + row->kind->high) / 2;
    must(ps_tensor_from_host(PS_BOOL, row->ndim, row->shape, NULL, elements, NULL, &tensor));
    free(elements);
    return tensor;
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static bool parse_shape(struct row *row, const char *text)
{
    char *end;
    for (row->ndim = 0; row->ndim < 3; text = end + 1) {
        row->shape[row->ndim] = strtoll(text, &end, 10);
        if (row->shape[row->ndim++] < 1 || (*end != 'x' && *end != '\0'))
            return false;
        if (*end == '\0')
            return true;
    }
    return false;
}

static bool parse_row(struct row *row, const char *name)
{
    char kind[32], shape[64], dtype[16];
    if (sscanf(name, "%31[^.].%63[^.].%15s", kind, shape, dtype) != 3)
        return false;
    memset(row, 0, sizeof *row);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, kind) == 0)
            row->kind = &kinds[i];
    row->dtype = strcmp(dtype, "float64") == 0 ? PS_FLOAT64 : PS_FLOAT32;
    return row->kind != NULL && strcmp(dtype, ps_dtype_name(row->dtype)) == 0 &&
           parse_shape(row, shape);
}

/* False if the row is for a device that is not there. */
static bool prepare(struct row *row)
{
    ps_device *device = NULL;
    if (row->kind->device != NULL && ps_device_find(row->kind->device, &device) != PS_OK)
        return false;
    row->x = make_input(row, 0, device);
    if (row->kind->run == run_matmul)
        row->b = make_input(row, 1, NULL);
    if (row->kind->run == run_mask)
        row->mask = make_mask(row);
    must(ps_wait_all(engine, NULL));
    return true;
}

static void finish(struct row *row)
{
    ps_tensor_release(row->x);
    ps_tensor_release(row->b);
    ps_tensor_release(row->mask);
    must(ps_wait_all(engine, NULL));
}

/* ---- Measuring ----------------------------------------------------------------------------- */

static void run_once(const void *arg)
{
    const struct row *row = arg;
    ps_tensor *result = row->kind->run(row);
    if (result == NULL)
        return;
    must(ps_tensor_wait(result, NULL));
    ps_tensor_release(result);
}

/* One number that depends on every element and where it lies; of random numbers, their mean
 * square. */
static double digest(const struct row *row)
{
    ps_tensor *result = row->kind->run(row);
    bool is_double = ps_tensor_dtype(result) == PS_FLOAT64,
         is_random = row->kind->run == run_normals;
    int64_t count = ps_tensor_count(result);
    size_t bytes = (size_t)count * ps_dtype_bytes(ps_tensor_dtype(result));
    void *elements = allocate(bytes);
    double total = 0;
    must(ps_tensor_to_host(result, elements, bytes));
    for (int64_t i = 0; i < count; i++) {
        double value = is_double ? ((double *)elements)[i] : (double)((float *)elements)[i];
        total += value * (is_random ? value : digest_weight(i));
    }
    free(elements);
    ps_tensor_release(result);
    return total / (double)count;
}

/* ---- The answers --------------------------------------------------------------------------- */

static bool find_value(bool checks, const char *name, double *value)
{
    struct row row;
    if (!parse_row(&row, name) || (checks && row.kind->calls > 1) || !prepare(&row))
        return false;
    *value = checks ? digest(&row) : best_run_ns(run_once, &row) / row.kind->calls / 1e3;
    finish(&row);
    return true;
}

int main(int argc, char **argv)
{
    char about[128];
    unsigned workers = 0;
    parse_seconds(argc, argv);
    must(ps_engine_default(&engine));
    must(ps_engine_workers(engine, &workers));
    snprintf(about, sizeof about, "penstock %s, %u workers", ps_version(), workers);
    answer_lines(about, find_value);
    return 0;
}
