/* What goes wrong easily in an asynchronous runtime: operands that overlap what is written, writes
 * behind readers and exports, floating-point modes of the caller, vector tails. One test each. */
#include "help.h"

#include <xmmintrin.h>

#include "tensor/dlpack.h"
#include "tensor/tensor.h"

enum { LONG = 5000 }; /* elements: enough to be fused */

static void add_into(const char *name, ps_arg a, ps_arg b, ps_tensor *out)
{
    CHECK_OK(call_into(name, ARGS(a, b), &out));
}

static ps_tensor *slice(ps_tensor *x, int64_t start, int64_t stop, int64_t step)
{
    ps_tensor *view;
    CHECK_OK(ps_tensor_index(x, &(ps_index){PS_INDEX_RANGE, start, stop, step}, 1, &view));
    return view;
}

/* 1, 2, ... as floats. */
static ps_tensor *ramp(int64_t count)
{
    ps_tensor *line = CALL("arange", I(1), I(count + 1)), *x = CALL("cast", T(line), D(PS_FLOAT32));
    ps_tensor_release(line);
    return x;
}

static float *floats_of(ps_tensor *x)
{
    size_t bytes = (size_t)ps_tensor_count(x) * sizeof(float);
    float *values = malloc(bytes + 1);
    CHECK_OK(ps_tensor_to_host(x, values, bytes));
    return values;
}

static void check_floats(ps_tensor *x, const float *wanted)
{
    float *values = floats_of(x);
    for (int64_t i = 0; i < ps_tensor_count(x); i++)
        if (values[i] != wanted[i])
            fail_msg("element %lld is %g, not %g", (long long)i, (double)values[i],
                     (double)wanted[i]);
    free(values);
}

/* Runs a test's body with fusion on and off. */
static void both(void (*body)(int64_t count), int64_t count)
{
    for (int fusion = 0; fusion < 2; fusion++) {
        ps_fusion_set(fusion);
        body(count);
    }
    ps_fusion_set(true);
}

/* ---- overlap ----------------------------------------------------------------------------- */

/* Twice: straight into the view, and through a result that is then assigned. */
static void shift(int64_t count)
{
    ps_tensor *x = ramp(count), *to = slice(x, 1, count, 1), *from = slice(x, 0, count - 1, 1);
    float *wanted = floats_of(x);
    add_into("add", T(from), I(1), to);
    ps_tensor *sum = CALL("add", T(from), I(1));
    CHECK_OK(call_into("assign", ARGS(T(sum)), &to));
    for (int twice = 0; twice < 2; twice++)
        for (int64_t i = count - 1; i > 0; i--)
            wanted[i] = wanted[i - 1] + 1;
    check_floats(x, wanted);
    free(wanted);
    ps_tensor *all[] = {x, to, from, sum};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

static void a_slice_from_its_neighbour(void **state)
{
    (void)state;
    for (int64_t count = 2; count < 40; count++)
        both(shift, count);
    both(shift, 3001);
    both(shift, LONG);
}

static void transpose_onto(int64_t n)
{
    ps_tensor *line = ramp(n * n), *x = CALL("reshape", T(line), INTS(n, n));
    ps_tensor *turned = CALL("permute", T(x));
    float *before = floats_of(x), *wanted = floats_of(x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++)
            wanted[i * n + k] = before[i * n + k] + before[k * n + i];
    add_into("add", T(x), T(turned), x);
    check_floats(x, wanted);
    free(before);
    free(wanted);
    ps_tensor_release(line);
    ps_tensor_release(x);
    ps_tensor_release(turned);
}

static void a_matrix_plus_its_transpose(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 5, 16, 33, 46, 70};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        both(transpose_onto, sizes[i]);
}

/* Backward views overlap too, and have a negative stride. */
static void backward_onto(int64_t count)
{
    ps_tensor *x = ramp(count), *backward = slice(x, PS_INDEX_NONE, PS_INDEX_NONE, -1);
    float *before = floats_of(x), *wanted = floats_of(x);
    for (int64_t i = 0; i < count; i++)
        wanted[i] = before[i] - 2 * before[count - 1 - i];
    ps_tensor *twice = CALL("multiply", T(backward), I(2));
    add_into("subtract", T(x), T(twice), x);
    add_into("multiply", T(backward), I(1), x); /* x = x[::-1] */
    for (int64_t i = 0; i < count / 2; i++) {
        float end = wanted[count - 1 - i];
        wanted[count - 1 - i] = wanted[i];
        wanted[i] = end;
    }
    check_floats(x, wanted);
    free(before);
    free(wanted);
    ps_tensor_release(x);
    ps_tensor_release(backward);
    ps_tensor_release(twice);
}

static void a_tensor_from_itself_backward(void **state)
{
    (void)state;
    both(backward_onto, 7);
    both(backward_onto, LONG);
}

/* Three views of one storage, written in turn before anything can have run. */
static void overlapping_updates(int64_t count)
{
    int64_t third = count / 3;
    ps_tensor *x = ramp(count), *low = slice(x, 0, 2 * third, 1);
    ps_tensor *high = slice(x, third, 3 * third, 1), *odd = slice(x, 1, 2 * third, 2);
    float *wanted = floats_of(x);
    add_into("multiply", T(low), I(2), low);
    add_into("add", T(high), I(5), high);
    add_into("subtract", T(low), T(high), low);
    add_into("add", T(odd), F(0.5), odd);
    add_into("multiply", T(high), I(3), high);
    for (int64_t i = 0; i < 2 * third; i++)
        wanted[i] *= 2;
    for (int64_t i = third; i < 3 * third; i++)
        wanted[i] += 5;
    float *old = malloc((size_t)count * sizeof *old);
    memcpy(old, wanted, (size_t)count * sizeof *old);
    for (int64_t i = 0; i < 2 * third; i++)
        wanted[i] = old[i] - old[third + i];
    for (int64_t i = 1; i < 2 * third; i += 2)
        wanted[i] += 0.5f;
    for (int64_t i = third; i < 3 * third; i++)
        wanted[i] *= 3;
    check_floats(x, wanted);
    free(old);
    free(wanted);
    ps_tensor *all[] = {x, low, high, odd};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

static void overlapping_slices_in_one_window(void **state)
{
    (void)state;
    both(overlapping_updates, 12);
    for (int64_t count = 6000; count < 6012; count++)
        both(overlapping_updates, count);
}

/* Columns of one row-major matrix: their extents overlap, their elements do not. */
static void columns_of_a_matrix(int64_t rows)
{
    ps_tensor *line = ramp(3 * rows), *x = CALL("reshape", T(line), INTS(rows, 3)), *column[3];
    float *wanted = floats_of(x);
    for (int i = 0; i < 3; i++)
        CHECK_OK(ps_tensor_index(x,
                                 (ps_index[]){{PS_INDEX_ELLIPSIS, 0, 0, 0}, {PS_INDEX_AT, i, 0, 0}},
                                 2, &column[i]));
    add_into("add", T(column[1]), T(column[2]), column[0]);
    add_into("multiply", T(column[0]), T(column[0]), column[1]);
    add_into("subtract", T(column[1]), T(column[0]), column[2]);
    for (int64_t i = 0; i < rows; i++) {
        float *row = wanted + 3 * i;
        row[0] = row[1] + row[2];
        row[1] = row[0] * row[0];
        row[2] = row[1] - row[0];
    }
    check_floats(x, wanted);
    free(wanted);
    ps_tensor_release(line);
    ps_tensor_release(x);
    for (int i = 0; i < 3; i++)
        ps_tensor_release(column[i]);
}

static void columns_written_from_each_other(void **state)
{
    (void)state;
    both(columns_of_a_matrix, 4);
    both(columns_of_a_matrix, 3000);
}

/* One element for all, and it is among those that are written. */
static void broadcast_onto(int64_t count)
{
    ps_tensor *x = ramp(count), *first = slice(x, 0, 1, 1);
    float *wanted = floats_of(x);
    for (int64_t i = 0; i < count; i++)
        wanted[i] += 1;
    add_into("add", T(x), T(first), x);
    check_floats(x, wanted);
    free(wanted);
    ps_tensor_release(x);
    ps_tensor_release(first);
}

static void a_tensor_plus_its_first_element(void **state)
{
    (void)state;
    both(broadcast_onto, 3);
    both(broadcast_onto, LONG);
}

/* ---- writes behind exports and reads ----------------------------------------------------- */

static void check_export(const DLManagedTensorVersioned *exported, float first)
{
    const float *data =
        (const float *)((const char *)exported->dl_tensor.data + exported->dl_tensor.byte_offset);
    for (int64_t i = 0; i < exported->dl_tensor.shape[0]; i++)
        if (data[i] != first + (float)i)
            fail_msg("element %lld of the export is %g", (long long)i, (double)data[i]);
}

static void an_export_never_changes(void **state)
{
    (void)state;
    static const int64_t counts[] = {3, LONG};
    for (int which = 0; which < 2; which++) {
        ps_tensor *x = ramp(counts[which]), *part = slice(x, 1, 3, 1);
        DLManagedTensorVersioned *exported, *later;
        CHECK_OK(ps_tensor_to_dlpack(x, &exported));
        add_into("add", T(x), I(1), x); /* an update */
        CHECK_OK(ps_tensor_to_dlpack(x, &later));
        CHECK_OK(call_into("assign", ARGS(F(-7)), &part)); /* a part */
        CHECK_OK(call_into("assign", ARGS(F(9)), &x));     /* all of it */
        CHECK_OK(call_into("assign", ARGS(F(-7)), &part));
        CHECK_OK(ps_tensor_wait(x, NULL));
        check_export(exported, 1);
        check_export(later, 2);
        float *values = floats_of(x);
        assert_true(values[0] == 9 && values[1] == -7 && values[2] == -7);
        free(values);
        exported->deleter(exported);
        ps_tensor_release(x);
        ps_tensor_release(part);
        check_export(later, 2); /* it outlives the tensor */
        later->deleter(later);
    }
}

/* Long enough to be fused: the first write must bring along what lies beside the part. */
static void a_part_behind_an_export_in_a_chain(void **state)
{
    (void)state;
    for (int fusion = 0; fusion < 2; fusion++) {
        ps_fusion_set(fusion);
        ps_tensor *x = ramp(2 * LONG), *part = slice(x, LONG, 2 * LONG, 1);
        DLManagedTensorVersioned *exported;
        CHECK_OK(ps_tensor_to_dlpack(x, &exported));
        float *wanted = floats_of(x);
        ps_tensor *junk = CALL("full", INTS(2 * LONG), I(-7), D(PS_FLOAT32));
        CHECK_OK(ps_tensor_wait(junk, NULL));
        ps_tensor_release(junk); /* what its memory is used for next finds something there */
        add_into("add", T(part), I(1), part);
        add_into("multiply", T(part), I(2), part);
        ps_tensor *after = CALL("subtract", T(part), I(1));
        for (int i = LONG; i < 2 * LONG; i++)
            wanted[i] = (wanted[i] + 1) * 2;
        check_floats(x, wanted);
        check_export(exported, 1);
        exported->deleter(exported);
        free(wanted);
        ps_tensor_release(x);
        ps_tensor_release(part);
        ps_tensor_release(after);
    }
    ps_fusion_set(true);
}

static void a_host_read_sees_no_later_write(void **state)
{
    (void)state;
    ps_tensor *x = ramp(LONG);
    for (int round = 0; round < 200; round++) {
        float *values = floats_of(x);
        add_into("add", T(x), I(1), x);
        for (int i = 0; i < LONG; i++)
            if (values[i] != (float)(i + 1 + round))
                fail_msg("round %d: element %d is %g", round, i, (double)values[i]);
        free(values);
    }
    ps_tensor_release(x);
}

/* ---- readers that are still queued ------------------------------------------------------- */

static ps_token held;

static ps_status hold(ps_task *self, void *arg)
{
    (void)arg;
    return ps_task_defer(self, &held);
}

/* A tensor that is not there until ps_complete(held, ...). */
static ps_tensor *held_tensor(int64_t count)
{
    ps_tensor *x = ramp(count);
    ps_engine *engine;
    CHECK_OK(ps_tensor_wait(x, NULL));
    CHECK_OK(ps_engine_default(&engine));
    ps_var *var = x->storage->buffer->var;
    CHECK_OK(ps_push(engine, &(ps_task_spec){.size = sizeof(ps_task_spec),
                                             .run = hold,
                                             .reads = &var,
                                             .nreads = 1,
                                             .writes = &var,
                                             .nwrites = 1}));
    while (ps_tensor_wait(x, &(ps_wait_options){sizeof(ps_wait_options), 1000000}) !=
               PS_ERR_TIMEOUT ||
           held.task == NULL)
        ;
    return x;
}

static void a_queued_reader_keeps_the_old_values(void **state)
{
    (void)state;
    static const int64_t counts[] = {10, LONG};
    for (int which = 0; which < 4; which++) {
        bool update = which % 2;
        int64_t count = counts[which / 2];
        held = (ps_token){0};
        ps_tensor *late = held_tensor(count), *x = ramp(count);
        CHECK_OK(ps_tensor_wait(x, NULL));
        ps_tensor *sum = CALL("add", T(x), T(late)); /* cannot run yet */
        if (update)
            add_into("add", T(x), I(100), x);
        else
            CHECK_OK(call_into("assign", ARGS(I(100)), &x));
        float *now = floats_of(x); /* and this does not wait for it */
        assert_false(ps_tensor_is_ready(sum));
        assert_true(now[count - 1] == (update ? 100 + (float)count : 100));
        free(now);
        CHECK_OK(ps_complete(held, PS_OK, NULL));
        float *old = floats_of(sum);
        for (int64_t i = 0; i < count; i++)
            assert_true(old[i] == 2 * (float)(i + 1));
        free(old);
        ps_tensor *all[] = {late, x, sum};
        for (int i = 0; i < 3; i++)
            ps_tensor_release(all[i]);
    }
}

/* A part is written in order: behind the reader. */
static void a_partial_write_comes_after_queued_readers(void **state)
{
    (void)state;
    held = (ps_token){0};
    ps_tensor *late = held_tensor(LONG), *x = ramp(LONG), *part = slice(x, 0, LONG, 2);
    ps_tensor *sum = CALL("add", T(x), T(late));
    add_into("multiply", T(part), I(0), part);
    CHECK_OK(ps_complete(held, PS_OK, NULL));
    float *old = floats_of(sum), *now = floats_of(x);
    for (int64_t i = 0; i < LONG; i++) {
        assert_true(old[i] == 2 * (float)(i + 1));
        assert_true(now[i] == (i % 2 ? (float)(i + 1) : 0));
    }
    free(old);
    free(now);
    ps_tensor *all[] = {late, x, part, sum};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

/* ---- tails ------------------------------------------------------------------------------- */

/* y = relu(b*b + 2) * 0.5 - b; y = exp(y * 0.01) + b */
static ps_tensor *chain(ps_tensor *b)
{
    ps_tensor *y = CALL("multiply", T(b), T(b)), *next;
    const ps_arg steps[][2] = {{F(2), S("add")},         {NONE, S("relu")},
                               {F(0.5), S("multiply")},  {T(b), S("subtract")},
                               {F(0.01), S("multiply")}, {NONE, S("exp")},
                               {T(b), S("add")}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        size_t nargs = steps[i][0].kind == PS_ARG_NONE ? 1 : 2;
        next = call(steps[i][1].as.text, nargs, (ps_arg[]){T(y), steps[i][0]});
        ps_tensor_release(y);
        y = next;
    }
    return y;
}

static float value_at(int64_t i)
{
    return (float)((i * 7919) % 1001 - 500) / 100;
}

/* `stride` elements apart in the host's order; backward if it is negative. */
static ps_tensor *strided_input(int64_t count, int64_t stride)
{
    int64_t step = stride < 0 ? -stride : stride, room = count * step;
    float *values = malloc((size_t)room * sizeof *values);
    for (int64_t i = 0; i < room; i++)
        values[i] = -77;
    for (int64_t i = 0; i < count; i++)
        values[stride < 0 ? room - 1 - i * step : i * step] = value_at(i);
    ps_tensor *whole = from_floats(1, &room, values);
    free(values);
    if (stride == 1)
        return whole;
    ps_tensor *view = slice(whole, PS_INDEX_NONE, PS_INDEX_NONE, stride);
    ps_tensor_release(whole);
    return view;
}

static void check_chain(const float *wanted, int64_t count, int64_t stride)
{
    ps_tensor *b = strided_input(count, stride), *y = chain(b);
    float *got = floats_of(y);
    if (memcmp(got, wanted, (size_t)count * sizeof *got) != 0)
        fail_msg("%lld elements, stride %lld, fusion %d", (long long)count, (long long)stride,
                 ps_fusion());
    free(got);
    ps_tensor_release(b);
    ps_tensor_release(y);
}

/* The bits of an element do not depend on how many there are nor on where they lie. */
static void a_chain_of_every_size_and_stride(void **state)
{
    (void)state;
    ps_fusion_set(false);
    enum { MOST = 2700 };
    ps_tensor *b = strided_input(MOST, 1), *y = chain(b);
    float *wanted = floats_of(y);
    for (int64_t i = 0; i < MOST; i++) {
        double x = value_at(i), r = fmax(x * x + 2, 0) * 0.5 - x;
        assert_true(fabs((double)wanted[i] - (exp(r * 0.01) + x)) < 1e-5);
    }
    for (int64_t count = 1; count < MOST; count += count == 600 ? 1440 : 1)
        for (int fusion = 0; fusion < 2; fusion++) {
            ps_fusion_set(fusion);
            check_chain(wanted, count, 1);
            check_chain(wanted, count, count % 2 ? 3 : -2);
        }
    ps_fusion_set(true);
    free(wanted);
    ps_tensor_release(b);
    ps_tensor_release(y);
}

/* ---- floating-point modes ---------------------------------------------------------------- */

static const unsigned modes[] = {0x1f80 | 0x8040, 0x1f80 | 0x4000, 0x1f80 | 0x2000,
                                 0x1f80 | 0x6000};

/* Operations that round. */
static void compute(const float *values, int64_t count, float *results)
{
    ps_tensor *x = from_floats(1, &count, values);
    ps_tensor *a = CALL("multiply", T(x), F(0.3)), *b = CALL("divide", T(a), F(7));
    ps_tensor *c = CALL("exp", T(b)), *d = CALL("add", T(b), T(x)), *s = CALL("sum", T(d));
    ps_tensor *h = CALL("cast", T(d), D(PS_FLOAT16)), *w = CALL("cast", T(h), D(PS_FLOAT32));
    CHECK_OK(ps_tensor_to_host(d, results, (size_t)count * 4));
    CHECK_OK(ps_tensor_to_host(c, results + count, (size_t)count * 4));
    CHECK_OK(ps_tensor_to_host(w, results + 2 * count, (size_t)count * 4));
    CHECK_OK(ps_tensor_to_host(s, results + 3 * count, 4));
    ps_tensor *all[] = {x, a, b, c, d, s, h, w};
    for (int i = 0; i < 8; i++)
        ps_tensor_release(all[i]);
}

static void modes_of(ps_mode mode, int64_t count)
{
    float *plain = calloc((size_t)(3 * count + 1), 4), *other = calloc((size_t)(3 * count + 1), 4);
    float *values = malloc((size_t)count * sizeof *values);
    for (int64_t i = 0; i < count; i++) /* subnormal and inexact numbers */
        values[i] = i % 3 == 0 ? 1e-40f * (float)(i + 1) : 1.0f / (float)(i + 3);
    CHECK_OK(ps_thread_set_mode(mode));
    compute(values, count, plain);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        unsigned before = _mm_getcsr();
        _mm_setcsr(modes[i]);
        compute(values, count, other);
        unsigned after = _mm_getcsr() & ~0x3fu;
        _mm_setcsr(before);
        if (after != modes[i])
            fail_msg("the mode was %x and is now %x", modes[i], after);
        if (memcmp(plain, other, (size_t)(3 * count + 1) * 4) != 0)
            fail_msg("other results in mode %x", modes[i]);
    }
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    free(values);
    free(plain);
    free(other);
}

static void the_callers_floating_point_mode(void **state)
{
    (void)state;
    for (int fusion = 0; fusion < 2; fusion++) {
        ps_fusion_set(fusion);
        modes_of(PS_MODE_SYNC, 37);
        modes_of(PS_MODE_SYNC, LONG);
        modes_of(PS_MODE_ASYNC, 37);
        modes_of(PS_MODE_ASYNC, LONG);
        modes_of(PS_MODE_ASYNC, 200000); /* in pieces, on the pool */
    }
    ps_fusion_set(true);
}

/* ---- memory ------------------------------------------------------------------------------ */

static uint64_t peak_above(uint64_t live)
{
    ps_memory_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_memory_get_stats(&stats));
    return stats.peak > live ? stats.peak - live : 0;
}

static uint64_t live_now(void)
{
    ps_engine *engine;
    ps_memory_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_wait_all(engine, NULL));
    ps_memory_reset_peak();
    CHECK_OK(ps_memory_get_stats(&stats));
    return stats.live;
}

enum { BATCH = 256 * 1024, ROUNDS = 500 };

/* Copied-in batches, work on them, nobody waits. */
static void batches_do_not_pile_up(void **state)
{
    (void)state;
    float *values = calloc(BATCH, sizeof *values);
    ps_tensor *weight = from_floats(SHAPE(BATCH), values), *total = CALL("sum", T(weight));
    uint64_t live = live_now();
    for (int round = 0; round < ROUNDS; round++) {
        values[0] = (float)round;
        ps_tensor *x = from_floats(SHAPE(BATCH), values), *y = CALL("multiply", T(x), T(weight));
        ps_tensor *z = CALL("subtract", T(x), T(y)), *s = CALL("sum", T(z));
        add_into("add", T(total), T(s), total);
        ps_tensor *all[] = {x, y, z, s};
        for (int i = 0; i < 4; i++)
            ps_tensor_release(all[i]);
    }
    uint64_t peak = peak_above(live);
    CHECK_VALUES(total, ROUNDS * (ROUNDS - 1) / 2);
    if (peak > (uint64_t)66 << 20)
        fail_msg("the peak was %ju MB", (uintmax_t)(peak >> 20));
    print_message("peak %ju MB\n", (uintmax_t)(peak >> 20));
    free(values);
    ps_tensor_release(weight);
    ps_tensor_release(total);
}

/* One tensor overwritten again and again behind its readers: each time with fresh memory. */
static void renamed_copies_do_not_pile_up(void **state)
{
    (void)state;
    float *values = calloc(BATCH, sizeof *values);
    ps_tensor *x = from_floats(SHAPE(BATCH), values), *total = CALL("sum", T(x));
    uint64_t live = live_now();
    for (int round = 0; round < ROUNDS; round++) {
        CHECK_OK(call_into("assign", ARGS(I(round)), &x));
        ps_tensor *s = CALL("max", T(x));
        add_into("add", T(total), T(s), total);
        ps_tensor_release(s);
    }
    uint64_t peak = peak_above(live);
    CHECK_VALUES(total, ROUNDS * (ROUNDS - 1) / 2);
    if (peak > (uint64_t)66 << 20)
        fail_msg("the peak was %ju MB", (uintmax_t)(peak >> 20));
    print_message("peak %ju MB\n", (uintmax_t)(peak >> 20));
    free(values);
    ps_tensor_release(x);
    ps_tensor_release(total);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slice_from_its_neighbour),
        cmocka_unit_test(a_matrix_plus_its_transpose),
        cmocka_unit_test(a_tensor_from_itself_backward),
        cmocka_unit_test(overlapping_slices_in_one_window),
        cmocka_unit_test(columns_written_from_each_other),
        cmocka_unit_test(a_tensor_plus_its_first_element),
        cmocka_unit_test(an_export_never_changes),
        cmocka_unit_test(a_part_behind_an_export_in_a_chain),
        cmocka_unit_test(a_host_read_sees_no_later_write),
        cmocka_unit_test(a_queued_reader_keeps_the_old_values),
        cmocka_unit_test(a_partial_write_comes_after_queued_readers),
        cmocka_unit_test(a_chain_of_every_size_and_stride),
        cmocka_unit_test(the_callers_floating_point_mode),
        cmocka_unit_test(batches_do_not_pile_up),
        cmocka_unit_test(renamed_copies_do_not_pile_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
