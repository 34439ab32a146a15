/* Elementwise rows, each type: the result of one element depends on nothing but the elements it is
 * made from. What the plain call gives for TABLE_ELEMENTS elements that lie side by side, any part
 * of them gives again, bit by bit: in any layout and shape, at any place, fused or not, written
 * into a given tensor, with numbers in the place of tensors. */
#include "sanitized.h"
#include "table.h"

#include "ops/help.h"

typedef struct walk {
    table_row row;
    ps_dtype dtype, result;
    size_t bytes, result_bytes; /* of an element */
    char *elements[TABLE_OPERANDS];
    char *wanted; /* the plain result */
} walk;

static const int64_t large_sizes[] = {65, 600, 2049, TABLE_ELEMENTS};
/* Of each of those: two lengths with that product. */
static const int64_t large_shapes[][2] = {{5, 13}, {24, 25}, {3, 683}, {50, 100}};
enum { LARGE = sizeof large_sizes / sizeof large_sizes[0] };

/* ---- comparing --------------------------------------------------------------------------- */

static void check_bits(const walk *w, ps_tensor *got, const char *wanted, const char *what)
{
    const char *name = w->row.info.name, *type = ps_dtype_name(w->dtype);
    if (ps_tensor_dtype(got) != w->result)
        fail_msg("%s of %s, %s: gives %s, not %s", name, type, what,
                 ps_dtype_name(ps_tensor_dtype(got)), ps_dtype_name(w->result));
    char *bits = table_read(got, name);
    int64_t count = ps_tensor_count(got);
    int64_t i = table_difference(w->result, count, bits, wanted);
    if (i >= 0) {
        uint64_t is[2] = {0}, should[2] = {0};
        memcpy(is, bits + (size_t)i * w->result_bytes, w->result_bytes);
        memcpy(should, wanted + (size_t)i * w->result_bytes, w->result_bytes);
        fail_msg("%s of %s, %s: element %lld of %lld is %llx %llx, not %llx %llx", name, type, what,
                 (long long)i, (long long)count, (unsigned long long)is[0],
                 (unsigned long long)is[1], (unsigned long long)should[0],
                 (unsigned long long)should[1]);
    }
    free(bits);
}

static void check_shape_of(const walk *w, ps_tensor *got, int ndim, const int64_t *shape,
                           const char *what)
{
    bool same = ps_tensor_ndim(got) == ndim;
    for (int i = 0; same && i < ndim; i++)
        same = ps_tensor_shape(got)[i] == shape[i];
    if (!same)
        fail_msg("%s of %s, %s: another shape", w->row.info.name, ps_dtype_name(w->dtype), what);
}

static void apply(const walk *w, ps_tensor *const *operands, ps_tensor **out, const char *what)
{
    if (table_apply(&w->row, operands, out) != PS_OK)
        fail_msg("%s of %s, %s: %s", w->row.info.name, ps_dtype_name(w->dtype), what,
                 ps_last_error());
}

static void release(ps_tensor **operands, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        ps_tensor_release(operands[i]);
}

/* ---- walking ----------------------------------------------------------------------------- */

/* False: the row takes no such tensors. */
static bool begin(walk *w, const table_row *row, ps_dtype dtype, table_range range)
{
    *w = (walk){.row = *row, .dtype = dtype, .bytes = ps_dtype_bytes(dtype)};
    if (table_answer_to(row, dtype) == TABLE_REFUSES)
        return false;
    ps_tensor *operands[TABLE_OPERANDS], *result = NULL;
    int64_t count = TABLE_ELEMENTS;
    for (unsigned i = 0; i < row->operands; i++) {
        w->elements[i] = malloc((size_t)count * w->bytes);
        table_fill(dtype, range, i + 1, (size_t)count, w->elements[i]);
        operands[i] = table_lay(TABLE_PLAIN, dtype, 1, &count, w->elements[i]);
    }
    ps_fusion_set(false);
    ps_status status = table_apply(row, operands, &result);
    ps_fusion_set(true);
    release(operands, row->operands);
    if (status != PS_OK && table_answer_to(row, dtype) == TABLE_OPEN)
        return false;
    if (status != PS_OK)
        fail_msg("%s of %s: %s", row->info.name, ps_dtype_name(dtype), ps_last_error());
    w->result = ps_tensor_dtype(result);
    w->result_bytes = ps_dtype_bytes(w->result);
    int told = table_result(row, table_common(row, dtype));
    if (told >= 0 && told != (int)w->result)
        fail_msg("%s of %s gives %s, not %s", row->info.name, ps_dtype_name(dtype),
                 ps_dtype_name(w->result), ps_dtype_name((ps_dtype)told));
    w->wanted = table_read(result, row->info.name);
    ps_tensor_release(result);
    return true;
}

static void end(walk *w)
{
    for (unsigned i = 0; i < TABLE_OPERANDS; i++)
        free(w->elements[i]);
    free(w->wanted);
}

static void walk_all(table_range range, void (*visit)(const walk *w))
{
    for (size_t i = 0; i < ps_op_count(); i++) {
        table_row row;
        table_row_at(i, &row);
        for (int dtype = 0; table_is_elementwise(&row) && dtype < TABLE_TYPES; dtype++) {
            walk w;
            if (begin(&w, &row, (ps_dtype)dtype, range))
                visit(&w);
            end(&w);
        }
    }
}

/* Another part of the elements for each size. */
static int64_t part_of(int64_t size)
{
    return size * 37 % (TABLE_ELEMENTS - size + 1);
}

static void lay_operands(const walk *w, const table_layout *layouts, int ndim, const int64_t *shape,
                         int64_t first, ps_tensor **operands)
{
    for (unsigned i = 0; i < w->row.operands; i++)
        operands[i] =
            table_lay(layouts[i], w->dtype, ndim, shape, w->elements[i] + (size_t)first * w->bytes);
}

static void check_view(const walk *w, const table_layout *layouts, int ndim, const int64_t *shape,
                       int64_t first)
{
    ps_tensor *operands[TABLE_OPERANDS], *result = NULL;
    lay_operands(w, layouts, ndim, shape, first, operands);
    const char *what = table_layout_names[layouts[0]];
    apply(w, operands, &result, what);
    release(operands, w->row.operands);
    check_shape_of(w, result, ndim, shape, what);
    check_bits(w, result, w->wanted + (size_t)first * w->result_bytes, what);
    ps_tensor_release(result);
}

/* ---- layouts of many elements ------------------------------------------------------------ */

static ps_tensor *copied(ps_tensor *from)
{
    ps_tensor *copy = NULL;
    const ps_op *op;
    CHECK_OK(ps_op_find("copy", &op));
    CHECK_OK(table_call(op, &T(from), 1, &copy));
    return copy;
}

/* Between two copies whose results nobody keeps: all of it is one group if fusion is on. */
static void check_chain(const walk *w, table_layout layout, int ndim, const int64_t *shape,
                        int64_t first)
{
    table_layout layouts[TABLE_OPERANDS] = {layout, layout, layout};
    ps_tensor *operands[TABLE_OPERANDS], *copies[TABLE_OPERANDS], *middle = NULL;
    lay_operands(w, layouts, ndim, shape, first, operands);
    for (unsigned i = 0; i < w->row.operands; i++)
        copies[i] = copied(operands[i]);
    apply(w, copies, &middle, "fused");
    ps_tensor *result = copied(middle);
    release(copies, w->row.operands);
    ps_tensor_release(middle);
    check_shape_of(w, result, ndim, shape, "fused");
    check_bits(w, result, w->wanted + (size_t)first * w->result_bytes, "fused");
    release(operands, w->row.operands);
    ps_tensor_release(result);
}

static void visit_layouts(const walk *w)
{
    for (int i = 0; i < LARGE - SANITIZED; i++) {
        int64_t first = part_of(large_sizes[i]);
        bool fuses = large_sizes[i] >= 2048;
        for (int l = 0; l < TABLE_LAYOUTS; l++) {
            table_layout same[TABLE_OPERANDS] = {l, l, l};
            table_layout mixed[TABLE_OPERANDS] = {l, (l + 2) % TABLE_LAYOUTS,
                                                  (l + 3) % TABLE_LAYOUTS};
            ps_fusion_set(!fuses || l % 2 == 0);
            check_view(w, same, 2, large_shapes[i], first);
            if (w->row.operands > 1)
                check_view(w, mixed, 2, large_shapes[i], first);
        }
        ps_fusion_set(true);
        if (fuses) {
            check_chain(w, TABLE_PLAIN, 1, &large_sizes[i], first);
            check_chain(w, TABLE_TURNED, 2, large_shapes[i], first);
        }
    }
}

void table_test_layouts(void **state)
{
    (void)state;
    walk_all(TABLE_WIDE, visit_layouts);
}

/* ---- few elements ------------------------------------------------------------------------ */

static void visit_small(const walk *w)
{
    static const int64_t empty[][2] = {{0, 0}, {3, 0}, {0, 5}};
    for (int64_t size = 1; size <= 17; size += SANITIZED ? 4 : 1)
        for (int l = 0; l < TABLE_LAYOUTS; l++)
            if (l != TABLE_TURNED) {
                table_layout layouts[TABLE_OPERANDS] = {l, TABLE_PLAIN, l};
                check_view(w, layouts, 1, &size, part_of(size));
            }
    const table_layout plain[TABLE_OPERANDS] = {TABLE_PLAIN, TABLE_PLAIN, TABLE_PLAIN};
    for (int i = 0; i < 3; i++) {
        check_view(w, plain, 0, NULL, 17 * i);
        check_view(w, plain, i == 0 ? 1 : 2, empty[i], 0);
    }
    check_view(w, plain, 3, (int64_t[]){2, 1, 3}, 9);
    check_view(w, (table_layout[]){TABLE_TURNED, TABLE_STEP, TABLE_BACKWARD}, 3,
               (int64_t[]){2, 5, 3}, 11);
}

void table_test_small_shapes(void **state)
{
    (void)state;
    walk_all(TABLE_WIDE, visit_small);
}

/* ---- broadcasting ------------------------------------------------------------------------ */

/* Elements of operand `i` spread over rows * columns: a row (0), a column (1), one number (2). */
static char *spread(const walk *w, unsigned i, int how, int64_t rows, int64_t columns)
{
    char *all = malloc((size_t)(rows * columns) * w->bytes);
    for (int64_t at = 0; at < rows * columns; at++) {
        int64_t from = how == 0 ? at % columns : how == 1 ? at / columns : 0;
        memcpy(all + (size_t)at * w->bytes, w->elements[i] + (size_t)from * w->bytes, w->bytes);
    }
    return all;
}

static ps_tensor *narrow(const walk *w, unsigned i, int how, int64_t rows, int64_t columns)
{
    const int64_t shapes[][2] = {{columns, 0}, {rows, 1}, {1, 1}};
    return table_lay(how == 2 ? TABLE_PLAIN : TABLE_STEP, w->dtype, how == 0 ? 1 : 2, shapes[how],
                     w->elements[i]);
}

/* Operand `which` is narrower than the others; or a view that repeats if `view`. */
static void check_broadcast(const walk *w, unsigned which, int how, bool view, int64_t rows,
                            int64_t columns)
{
    int64_t shape[2] = {rows, columns};
    ps_tensor *operands[TABLE_OPERANDS], *result = NULL, *plain = NULL;
    for (unsigned i = 0; i < w->row.operands; i++)
        operands[i] = table_lay(TABLE_PLAIN, w->dtype, 2, shape, w->elements[i]);
    char *full = spread(w, which, how, rows, columns);
    ps_tensor_release(operands[which]);
    operands[which] = table_lay(TABLE_PLAIN, w->dtype, 2, shape, full);
    apply(w, operands, &plain, "expanded");
    ps_tensor_release(operands[which]);
    operands[which] = narrow(w, which, how, rows, columns);
    if (view) {
        ps_tensor *wide;
        CHECK_OK(ps_tensor_broadcast(operands[which], 2, shape, &wide));
        ps_tensor_release(operands[which]);
        operands[which] = wide;
    }
    apply(w, operands, &result, "broadcast");
    char *wanted = table_read(plain, w->row.info.name);
    check_shape_of(w, result, 2, shape, "broadcast");
    check_bits(w, result, wanted, "broadcast");
    release(operands, w->row.operands);
    release((ps_tensor *[]){result, plain}, 2);
    free(wanted);
    free(full);
}

static void visit_broadcast(const walk *w)
{
    for (unsigned which = 0; which < w->row.operands; which++)
        for (int how = 0; how < 3; how++) {
            check_broadcast(w, which, how, true, 7, 13);
            if (w->row.operands > 1)
                check_broadcast(w, which, how, false, 7, 13);
            if (!SANITIZED && w->row.operands > 1)
                check_broadcast(w, which, how, false, 33, 64);
        }
}

void table_test_broadcast(void **state)
{
    (void)state;
    walk_all(TABLE_WIDE, visit_broadcast);
}

/* ---- given outputs ----------------------------------------------------------------------- */

/* Whether all that lies between the elements of a step-2 output is as it was. */
static void check_gaps(const walk *w, ps_tensor *base, int64_t size)
{
    char *all = table_read(base, w->row.info.name);
    for (int64_t i = 0; i < size; i++)
        for (size_t b = 0; b < w->result_bytes; b++)
            if (all[(size_t)(2 * i + 1) * w->result_bytes + b] != 0)
                fail_msg("%s of %s: wrote beside its output", w->row.info.name,
                         ps_dtype_name(w->dtype));
    free(all);
}

static void check_into(const walk *w, ps_tensor *const *operands, int64_t size, int64_t first)
{
    const char *wanted = w->wanted + (size_t)first * w->result_bytes;
    char *zeros = calloc((size_t)(2 * size), w->result_bytes);
    int64_t twice = 2 * size;
    ps_tensor *plain = table_lay(TABLE_PLAIN, w->result, 1, &size, zeros);
    ps_tensor *base = table_lay(TABLE_PLAIN, w->result, 1, &twice, zeros), *view;
    ps_index every_second = {PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, 2};
    CHECK_OK(ps_tensor_index(base, &every_second, 1, &view));
    ps_tensor *into = plain;
    apply(w, operands, &into, "into a plain tensor");
    assert_ptr_equal(into, plain);
    check_bits(w, plain, wanted, "into a plain tensor");
    into = view;
    apply(w, operands, &into, "into a strided tensor");
    check_bits(w, view, wanted, "into a strided tensor");
    check_gaps(w, base, size);
    release((ps_tensor *[]){plain, base, view}, 3);
    free(zeros);
}

static void check_in_place(const walk *w, table_layout layout, int64_t size, int64_t first)
{
    table_layout layouts[TABLE_OPERANDS] = {layout, TABLE_PLAIN, TABLE_STEP};
    for (unsigned which = 0; which < w->row.operands; which++) {
        ps_tensor *operands[TABLE_OPERANDS];
        lay_operands(w, layouts, 1, &size, first, operands);
        ps_tensor *into = operands[which];
        apply(w, operands, &into, "in place");
        check_bits(w, into, w->wanted + (size_t)first * w->result_bytes, "in place");
        release(operands, w->row.operands);
    }
}

/* Onto the operand, one element further: what is read must not be what was just written. */
static void check_overlap(const walk *w, int64_t size, int64_t first)
{
    const table_layout plain[TABLE_OPERANDS] = {TABLE_PLAIN, TABLE_PLAIN, TABLE_PLAIN};
    ps_tensor *operands[TABLE_OPERANDS], *base, *into;
    int64_t more = size + 1;
    lay_operands(w, plain, 1, &size, first, operands);
    base = table_lay(TABLE_PLAIN, w->dtype, 1, &more, w->elements[0] + (size_t)first * w->bytes);
    ps_tensor_release(operands[0]);
    CHECK_OK(ps_tensor_index(base, &(ps_index){PS_INDEX_RANGE, 0, size, 1}, 1, &operands[0]));
    CHECK_OK(ps_tensor_index(base, &(ps_index){PS_INDEX_RANGE, 1, more, 1}, 1, &into));
    apply(w, operands, &into, "into a tensor that overlaps");
    check_bits(w, into, w->wanted + (size_t)first * w->result_bytes, "into a tensor that overlaps");
    release(operands, w->row.operands);
    release((ps_tensor *[]){base, into}, 2);
}

static void visit_outputs(const walk *w)
{
    static const int64_t sizes[] = {1, 13, 300, 2049};
    for (int i = 0; i < 4; i++) {
        int64_t first = part_of(sizes[i]);
        ps_tensor *operands[TABLE_OPERANDS];
        const table_layout plain[TABLE_OPERANDS] = {TABLE_PLAIN, TABLE_STEP, TABLE_BACKWARD};
        lay_operands(w, plain, 1, &sizes[i], first, operands);
        check_into(w, operands, sizes[i], first);
        release(operands, w->row.operands);
        if (w->result != w->dtype)
            continue;
        check_in_place(w, TABLE_PLAIN, sizes[i], first);
        check_in_place(w, TABLE_STEP, sizes[i], first);
        check_overlap(w, sizes[i], first > 0 ? first - 1 : 0);
    }
}

void table_test_outputs(void **state)
{
    (void)state;
    walk_all(TABLE_WIDE, visit_outputs);
}
