/* ps_tensor_get and ps_tensor_set against what NumPy reads and writes: some thousand random indices
 * (data/keys.vec, made and described by tests/vectors/index.py), on tensors whose elements lie side
 * by side and on transposed ones. PENSTOCK_KEYS names another file. */
#include "positions_help.h"

enum { SLICE, AT, NEW, ELLIPSIS, ARRAY, MASK };                 /* kinds of items, */
enum { OUTCOME_OK, BAD_INDEX, BAD_POSITION, BAD_VALUE };        /* and what comes of them */
enum { NUMBER = 255, LEFT_OUT = -128, ITEMS = 16, MOST = 512 }; /* as index.py has them */

typedef struct reader {
    const unsigned char *at, *end;
    long record;
} reader;

typedef struct shape {
    int ndim;
    int64_t lengths[PS_DIMS_MAX];
    int64_t count;
} shape;

static unsigned next(reader *r)
{
    if (r->at == r->end)
        fail_msg("record %ld: the file ends inside of it", r->record);
    return *r->at++;
}

static int next_signed(reader *r)
{
    return (signed char)next(r);
}

static void lengths_next(reader *r, shape *s)
{
    for (int i = 0; i < s->ndim; i++) {
        s->lengths[i] = next(r);
        s->count *= s->lengths[i];
    }
    assert_in_range(s->count, 0, MOST);
}

static shape shape_next(reader *r)
{
    shape s = {.ndim = (int)next(r), .count = 1};
    assert_in_range(s.ndim, 0, PS_DIMS_MAX);
    lengths_next(r, &s);
    return s;
}

/* ---- tensors ------------------------------------------------------------------------------- */

/* Elements of int64, by their number. */
static ps_tensor *numbered(const shape *s, int64_t first)
{
    int64_t values[MOST];
    ps_tensor *tensor;
    for (int64_t i = 0; i < s->count; i++)
        values[i] = first + i;
    CHECK_OK(ps_tensor_from_host(PS_INT64, s->ndim, s->lengths, NULL, values, NULL, &tensor));
    return tensor;
}

/* The same elements in the other order in memory. */
static ps_tensor *transposed(ps_tensor *x)
{
    ps_tensor *turned = CALL("permute", T(x)), *copy = CALL("copy", T(turned));
    ps_tensor *back = CALL("permute", T(copy));
    RELEASE(x, turned, copy);
    return back;
}

static void check_elements(const reader *r, ps_tensor *tensor, const unsigned char *wanted,
                           const char *what)
{
    int64_t values[MOST], count = ps_tensor_count(tensor);
    assert_in_range(count, 0, MOST);
    CHECK_OK(ps_tensor_to_host(tensor, values, (size_t)count * sizeof values[0]));
    for (int64_t i = 0; i < count; i++)
        if (values[i] != wanted[i])
            fail_msg("record %ld: %s: element %lld is %lld, not %u", r->record, what, (long long)i,
                     (long long)values[i], wanted[i]);
}

/* ---- items --------------------------------------------------------------------------------- */

static int64_t bound_next(reader *r)
{
    int bound = next_signed(r);
    return bound == LEFT_OUT ? PS_INDEX_NONE : bound;
}

static ps_tensor *array_next(reader *r)
{
    ps_dtype dtype = (ps_dtype)next(r);
    shape s = shape_next(r);
    int64_t values[MOST];
    for (int64_t i = 0; i < s.count; i++)
        values[i] = next_signed(r);
    return indices_of(dtype, s.ndim, s.lengths, values);
}

static ps_tensor *mask_next(reader *r)
{
    shape s = shape_next(r);
    unsigned char bits[MOST];
    ps_tensor *mask;
    for (int64_t i = 0; i < s.count; i++)
        bits[i] = (unsigned char)next(r);
    CHECK_OK(ps_tensor_from_host(PS_BOOL, s.ndim, s.lengths, NULL, bits, NULL, &mask));
    return mask;
}

static ps_index item_next(reader *r)
{
    ps_index item = {.kind = next(r)};
    switch (item.kind) {
    case SLICE:
        item.start = bound_next(r);
        item.stop = bound_next(r);
        item.step = bound_next(r);
        return item;
    case AT:
        item.start = next_signed(r);
        return item;
    case ARRAY:
        return ps_index_tensor(PS_INDEX_ARRAY, array_next(r));
    case MASK:
        return ps_index_tensor(PS_INDEX_MASK, mask_next(r));
    default:
        assert_in_range(item.kind, NEW, ELLIPSIS);
        return item;
    }
}

static void items_release(const ps_index *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].kind == ARRAY || items[i].kind == MASK)
            ps_tensor_release((ps_tensor *)(intptr_t)items[i].start);
}

/* ---- records ------------------------------------------------------------------------------- */

typedef struct record {
    shape x;
    size_t count;
    ps_index items[ITEMS];
    unsigned read, written; /* outcomes */
    shape selected, value;
    bool number;
    const unsigned char *elements, *after;
} record;

static const unsigned char *pass_over(reader *r, int64_t count)
{
    const unsigned char *from = r->at;
    if (count > r->end - r->at)
        fail_msg("record %ld: the file ends inside of it", r->record);
    r->at += count;
    return from;
}

static void record_next(reader *r, record *c)
{
    *c = (record){.x = shape_next(r)};
    c->count = next(r);
    assert_in_range(c->count, 0, ITEMS);
    for (size_t i = 0; i < c->count; i++)
        c->items[i] = item_next(r);
    c->read = next(r);
    if (c->read == OUTCOME_OK) {
        c->selected = shape_next(r);
        c->elements = pass_over(r, c->selected.count);
    }
    c->value = (shape){.ndim = (int)next(r), .count = 1};
    c->number = c->value.ndim == NUMBER;
    if (!c->number)
        lengths_next(r, &c->value);
    c->written = next(r);
    if (c->written == OUTCOME_OK)
        c->after = pass_over(r, c->x.count);
}

static void check_status(const reader *r, ps_status status, unsigned outcome, const char *what)
{
    static const ps_status wanted[] = {PS_OK, PS_ERR_INDEX, PS_ERR_INDEX, PS_ERR_ARGUMENT};
    if (status != wanted[outcome])
        fail_msg("record %ld: %s: %s, not %s: %s", r->record, what, ps_status_name(status),
                 ps_status_name(wanted[outcome]), ps_last_error());
}

/* What is wrong with positions or the number of values may be found by the wait. */
static ps_status wait_for(ps_status status, ps_tensor *tensor, unsigned outcome)
{
    return status == PS_OK && outcome != BAD_INDEX ? ps_tensor_wait(tensor, NULL) : status;
}

static void check_read(const reader *r, const record *c, ps_tensor *x)
{
    ps_tensor *result = NULL;
    ps_status status = ps_tensor_get(x, c->items, c->count, 0, &result);
    check_status(r, wait_for(status, result, c->read), c->read, "reading");
    if (c->read == OUTCOME_OK) {
        check_shape(result, c->selected.ndim, c->selected.lengths, "reading, record",
                    (int)r->record);
        check_elements(r, result, c->elements, "reading");
    }
    ps_tensor_release(result);
}

static void check_write(const reader *r, const record *c, ps_tensor *x)
{
    ps_tensor *value = c->number ? NULL : numbered(&c->value, 128);
    ps_arg arg = c->number ? I(77) : T(value);
    ps_status status = ps_tensor_set(x, c->items, c->count, arg, 0);
    check_status(r, wait_for(status, x, c->written), c->written, "writing");
    if (c->written == OUTCOME_OK)
        check_elements(r, x, c->after, "writing");
    ps_tensor_release(value);
}

static void check_record(const reader *r, const record *c)
{
    for (int form = 0; form < 2; form++) {
        ps_tensor *x = numbered(&c->x, 0);
        if (form == 1)
            x = transposed(x);
        check_read(r, c, x);
        check_write(r, c, x);
        ps_tensor_release(x);
    }
}

/* ---- the file ------------------------------------------------------------------------------ */

static unsigned char *file_read(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    unsigned char *content = malloc(*bytes);
    assert_int_equal(fread(content, 1, *bytes, file), *bytes);
    fclose(file);
    return content;
}

static void all_keys(void **state)
{
    (void)state;
    static const char head[] = "PSKEYS1\n";
    const char *path = getenv("PENSTOCK_KEYS");
    size_t bytes;
    unsigned char *content = file_read(path != NULL ? path : PENSTOCK_KEYS_FILE, &bytes);
    assert_true(bytes > sizeof head - 1 && memcmp(content, head, sizeof head - 1) == 0);
    reader r = {.at = content + sizeof head - 1, .end = content + bytes};
    for (; r.at < r.end; r.record++) {
        record c;
        record_next(&r, &c);
        check_record(&r, &c);
        items_release(c.items, c.count);
    }
    printf("%ld indices\n", r.record);
    assert_true(r.record >= 20000 || path != NULL);
    free(content);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_keys)};
    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
