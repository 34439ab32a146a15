/* rnn, and the rows for single steps: values against plain loops, shapes, types, outputs that
 * are given, the same bits however it runs, what is refused. */
#include "recurrent_help.h"

/* ---- plain loops --------------------------------------------------------------------------- */

typedef struct plain {
    const sizes *s;
    const double *parameters, *mask;
    double *state, *cell; /* become the last ones */
    double *y;            /* of the layer under way; in the end that of the last */
} plain;

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* Row `row` of a weight times x, plus the bias. */
static double brought(const double *weight, const double *bias, int64_t row, const double *x,
                      int64_t count)
{
    double sum = bias[row];
    for (int64_t k = 0; k < count; k++)
        sum += weight[row * count + k] * x[k];
    return sum;
}

/* One sequence of a layer in one direction by one step. */
static void plain_step(const plain *p, const double *from_x, const double *from_h, double *h,
                       double *c)
{
    int64_t n = p->s->hidden;
    for (int64_t i = 0; i < n; i++) {
        double sum[4] = {0};
        for (int64_t g = 0; g < gates_of(p->s); g++)
            sum[g] = from_x[g * n + i] + from_h[g * n + i];
        if (gates_of(p->s) == 4) {
            c[i] = sigmoid(sum[1]) * c[i] + sigmoid(sum[0]) * tanh(sum[2]);
            h[i] = sigmoid(sum[3]) * tanh(c[i]);
        } else if (gates_of(p->s) == 3) {
            double z = sigmoid(sum[1]);
            double fresh = tanh(from_x[2 * n + i] + sigmoid(sum[0]) * from_h[2 * n + i]);
            h[i] = (1 - z) * fresh + z * h[i];
        } else {
            h[i] = strcmp(p->s->mode, "rnn_relu") == 0 ? fmax(sum[0], 0) : tanh(sum[0]);
        }
    }
}

/* All weights of a layer and direction, one behind the other. */
typedef struct weights {
    const double *input, *state, *input_bias, *state_bias;
    int64_t inputs;
} weights;

static weights weights_of(const plain *p, int64_t layer, int64_t direction)
{
    const sizes *s = p->s;
    int64_t rows = gates_of(s) * s->hidden, biases = 2 * rows * s->layers * s->directions;
    const double *at = p->parameters, *bias = p->parameters + parameters_of(s) - biases;
    for (int64_t l = 0; l < s->layers; l++)
        for (int64_t d = 0; d < s->directions; d++) {
            int64_t inputs = l == 0 ? s->inputs : s->directions * s->hidden;
            weights w = {at, at + rows * inputs, bias, bias + rows, inputs};
            if (l == layer && d == direction)
                return w;
            at = w.state + rows * s->hidden;
            bias += 2 * rows;
        }
    return (weights){0};
}

static void plain_track(plain *p, const double *x, int64_t layer, int64_t direction)
{
    const sizes *s = p->s;
    weights w = weights_of(p, layer, direction);
    int64_t rows = gates_of(s) * s->hidden, wide = s->directions * s->hidden;
    double *from_x = calloc(2 * (size_t)rows, sizeof *from_x), *from_h = from_x + rows;
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t k = 0; k < s->steps; k++) {
            int64_t t = direction == 0 ? k : s->steps - 1 - k, at = t * s->batch + n;
            int64_t track = (layer * s->directions + direction) * s->batch + n;
            double *h = p->state + track * s->hidden;
            double *c = p->cell != NULL ? p->cell + track * s->hidden : NULL;
            for (int64_t r = 0; r < rows; r++) {
                from_x[r] = brought(w.input, w.input_bias, r, x + at * w.inputs, w.inputs);
                from_h[r] = brought(w.state, w.state_bias, r, h, s->hidden);
            }
            plain_step(p, from_x, from_h, h, c);
            memcpy(p->y + at * wide + direction * s->hidden, h, (size_t)s->hidden * sizeof *h);
        }
    free(from_x);
}

static void plain_run(plain *p, const double *x)
{
    const sizes *s = p->s;
    int64_t count = s->steps * s->batch * s->directions * s->hidden;
    double *below = calloc((size_t)count + 1, sizeof *below);
    p->y = calloc((size_t)count + 1, sizeof *p->y);
    for (int64_t layer = 0; layer < s->layers; layer++) {
        for (int64_t i = 0; i < count && layer > 0; i++)
            below[i] = p->y[i] * (p->mask != NULL ? p->mask[(layer - 1) * count + i] : 1);
        for (int64_t direction = 0; direction < s->directions; direction++)
            plain_track(p, layer == 0 ? x : below, layer, direction);
    }
    free(below);
}

static void check_close(const char *what, ps_tensor *tensor, const double *wanted, double bound)
{
    double *found = values_of(tensor);
    for (int64_t i = 0; i < ps_tensor_count(tensor); i++)
        if (!(fabs(found[i] - wanted[i]) <= bound))
            fail_msg("%s: element %lld is %.17g, not %.17g", what, (long long)i, found[i],
                     wanted[i]);
    free(found);
}

static void check_values_of(const sizes *s, ps_dtype dtype, double bound)
{
    ps_tensor *o[OPERANDS], *results[RESULTS];
    operands_of(s, dtype, o);
    double *x = values_of(o[X]), *parameters = values_of(o[PARAMETERS]);
    plain p = {.s = s, .parameters = parameters, .state = values_of(o[STATE])};
    p.cell = o[CELL] != NULL ? values_of(o[CELL]) : NULL;
    p.mask = o[MASK] != NULL ? values_of(o[MASK]) : NULL;
    plain_run(&p, x);
    rnn(s, o, results);
    check_close("y", results[Y], p.y, bound);
    check_close("the last states", results[LAST], p.state, bound);
    if (p.cell != NULL)
        check_close("the last cells", results[LAST_CELL], p.cell, bound);
    else
        assert_int_equal(ps_tensor_count(results[LAST_CELL]), 0);
    release_operands(o, OPERANDS);
    release_operands(results, RESULTS);
    free(x);
    free(parameters);
    free(p.y);
    free(p.state);
    free(p.cell);
    free((void *)p.mask);
}

static void values(void **state)
{
    (void)state;
    for (int i = 0; i < ALL_SIZES; i++) {
        check_values_of(&all_sizes[i], PS_FLOAT64, 1e-12);
        check_values_of(&all_sizes[i], PS_FLOAT32, 1e-5);
        check_values_of(&all_sizes[i], PS_FLOAT16, 4e-3);
        check_values_of(&all_sizes[i], PS_BFLOAT16, 4e-2);
    }
    static const sizes longer = {"lstm", 3, 5, 17, 37, 1, 2, false};
    check_values_of(&longer, PS_FLOAT32, 1e-5);
    check_values_of(&longer, PS_FLOAT64, 1e-12);
}

/* ---- sizes at the edge --------------------------------------------------------------------- */

static void no_steps_and_no_sequences(void **state)
{
    (void)state;
    static const sizes edges[] = {{"lstm", 0, 2, 3, 4, 2, 2, true},
                                  {"gru", 3, 0, 3, 4, 1, 2, false},
                                  {"rnn_tanh", 2, 2, 0, 3, 1, 1, false}};
    for (int i = 0; i < 3; i++) {
        ps_tensor *o[OPERANDS], *results[RESULTS];
        check_values_of(&edges[i], PS_FLOAT32, 1e-5);
        operands_of(&edges[i], PS_FLOAT32, o);
        rnn(&edges[i], o, results);
        assert_int_equal(ps_tensor_shape(results[Y])[0], edges[i].steps);
        assert_int_equal(ps_tensor_shape(results[Y])[1], edges[i].batch);
        release_operands(o, OPERANDS);
        release_operands(results, RESULTS);
    }
}

/* ---- the same bits ------------------------------------------------------------------------- */

static bool same_bits(ps_tensor *a, ps_tensor *b)
{
    size_t bytes = (size_t)ps_tensor_count(a) * ps_dtype_bytes(ps_tensor_dtype(a));
    char *x = malloc(bytes + 1), *y = malloc(bytes + 1);
    CHECK_OK(ps_tensor_to_host(a, x, bytes));
    CHECK_OK(ps_tensor_to_host(b, y, bytes));
    bool same = memcmp(x, y, bytes) == 0;
    free(x);
    free(y);
    return same;
}

/* rnn and rnn_backward: all results and all that flows. */
enum { EVERYTHING = RESULTS + 5 };

static void run_both(const sizes *s, ps_tensor *const *o, ps_tensor **all)
{
    rnn(s, o, all);
    memset(all + RESULTS, 0, 5 * sizeof all[0]);
    CHECK_OK(call_several("rnn_backward",
                          ARGS(T(o[X]), T(o[PARAMETERS]), T(o[STATE]), T(all[RESERVE]), S(s->mode),
                               optional(o[CELL]), optional(o[MASK]), T(all[Y]), T(all[LAST]), NONE,
                               B(s->directions == 2)),
                          all + RESULTS, 5));
}

static void check_workers(const sizes *s)
{
    static const unsigned workers[] = {1, 2, 3, 8};
    ps_engine *engine;
    ps_tensor *o[OPERANDS], *wanted[EVERYTHING], *found[EVERYTHING];
    CHECK_OK(ps_engine_default(&engine));
    operands_of(s, PS_FLOAT32, o);
    run_both(s, o, wanted);
    for (int i = 0; i < 8; i++) {
        CHECK_OK(ps_engine_set_workers(engine, workers[i % 4]));
        CHECK_OK(ps_thread_set_mode(i < 4 ? PS_MODE_ASYNC : PS_MODE_SYNC));
        run_both(s, o, found);
        for (int k = 0; k < EVERYTHING; k++)
            if (!same_bits(wanted[k], found[k]))
                fail_msg("%s, %u workers: result %d differs", s->mode, workers[i % 4], k);
        release_operands(found, EVERYTHING);
    }
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    CHECK_OK(ps_engine_set_workers(engine, 0));
    release_operands(o, OPERANDS);
    release_operands(wanted, EVERYTHING);
}

static void the_same_bits(void **state)
{
    (void)state;
    static const sizes large[] = {{"lstm", 5, 17, 31, 70, 2, 2, true},
                                  {"gru", 5, 40, 31, 130, 2, 1, false},
                                  {"rnn_tanh", 9, 33, 65, 257, 1, 2, false},
                                  {"lstm", 4, 5, 9, 300, 1, 1, false},
                                  {"gru", 3, 2, 9, 520, 1, 1, false}};
    for (int i = 0; i < 5; i++)
        check_workers(&large[i]);
}

/* ---- views and given outputs ---------------------------------------------------------------- */

static ps_tensor *turned(ps_tensor *x)
{
    ps_tensor *back = CALL("permute", T(x)), *copy = CALL("copy", T(back));
    ps_tensor *view = CALL("permute", T(copy));
    RELEASE_ALL(back, copy);
    return view;
}

static void operands_that_are_views(void **state)
{
    (void)state;
    const sizes *s = &all_sizes[3];
    ps_tensor *o[OPERANDS], *views[OPERANDS], *wanted[RESULTS], *found[RESULTS];
    operands_of(s, PS_FLOAT32, o);
    for (int i = 0; i < OPERANDS; i++)
        views[i] = turned(o[i]);
    rnn(s, o, wanted);
    rnn(s, views, found);
    for (int i = 0; i < RESULTS; i++)
        assert_true(same_bits(wanted[i], found[i]));
    release_operands(o, OPERANDS);
    release_operands(views, OPERANDS);
    release_operands(wanted, RESULTS);
    release_operands(found, RESULTS);
}

/* y into every second element, the last states onto the first ones. */
static void outputs_that_are_given(void **state)
{
    (void)state;
    const sizes *s = &all_sizes[2];
    ps_tensor *o[OPERANDS], *wanted[RESULTS], *found[RESULTS] = {NULL};
    operands_of(s, PS_FLOAT32, o);
    rnn(s, o, wanted);
    ps_tensor *room = CALL("zeros", INTS(s->steps, s->batch, s->hidden, 2));
    ps_index items[] = {{.kind = PS_INDEX_ELLIPSIS}, {.kind = PS_INDEX_AT, .start = 0}};
    CHECK_OK(ps_tensor_index(room, items, 2, &found[Y]));
    found[LAST] = o[STATE];
    CHECK_OK(ps_tensor_retain(o[STATE]));
    CHECK_OK(try_rnn(s, o, found));
    for (int i = 0; i < RESULTS; i++)
        assert_true(same_bits(wanted[i], found[i]));
    found[LAST] = found[Y];
    CHECK_FAILS(PS_ERR_ARGUMENT, "the output has shape", try_rnn(s, o, found));
    found[LAST] = o[STATE];
    release_operands(o, OPERANDS);
    release_operands(wanted, RESULTS);
    release_operands(found, RESULTS);
    ps_tensor_release(room);
}

/* ---- steps --------------------------------------------------------------------------------- */

/* x @ weight.T + bias, of parts of the parameters. */
static ps_tensor *part_product(ps_tensor *x, ps_tensor *parameters, int64_t weight, int64_t bias,
                               int64_t rows, int64_t columns)
{
    ps_tensor *flat, *b;
    ps_index at = {.kind = PS_INDEX_RANGE,
                   .start = weight,
                   .stop = weight + rows * columns,
                   .step = 1};
    CHECK_OK(ps_tensor_index(parameters, &at, 1, &flat));
    at.start = bias;
    at.stop = bias + rows;
    CHECK_OK(ps_tensor_index(parameters, &at, 1, &b));
    ps_tensor *w = CALL("reshape", T(flat), INTS(rows, columns));
    ps_tensor *y = CALL("linear", T(x), T(w), T(b));
    RELEASE_ALL(flat, b, w);
    return y;
}

/* One step of rnn is two products and the gates. */
static void single_steps(void **state)
{
    (void)state;
    static const sizes one[] = {{"lstm", 1, 3, 4, 5, 1, 1, false},
                                {"gru", 1, 3, 4, 5, 1, 1, false}};
    for (int i = 0; i < 2; i++) {
        const sizes *s = &one[i];
        int64_t rows = gates_of(s) * s->hidden, biases = rows * (s->inputs + s->hidden);
        ps_tensor *o[OPERANDS], *results[RESULTS], *made[2] = {NULL};
        operands_of(s, PS_FLOAT64, o);
        rnn(s, o, results);
        ps_tensor *x = CALL("reshape", T(o[X]), INTS(3, 4)),
                  *h = CALL("reshape", T(o[STATE]), INTS(3, 5));
        ps_tensor *a = part_product(x, o[PARAMETERS], 0, biases, rows, s->inputs);
        ps_tensor *b =
            part_product(h, o[PARAMETERS], rows * s->inputs, biases + rows, rows, s->hidden);
        if (i == 0) {
            ps_tensor *sum = CALL("add", T(a), T(b)), *c = CALL("reshape", T(o[CELL]), INTS(3, 5));
            CHECK_OK(call_several("lstm_gates", ARGS(T(sum), T(c)), made, 2));
            RELEASE_ALL(sum, c);
        } else {
            made[0] = CALL("gru_gates", T(a), T(b), T(h));
        }
        for (int k = 0; k < 2 - i; k++) {
            double *wanted = values_of(results[LAST + k]);
            check_close(s->mode, made[k], wanted, 1e-12);
            free(wanted);
        }
        release_operands(o, OPERANDS);
        release_operands(results, RESULTS);
        RELEASE_ALL(x, h, a, b, made[0], made[1]);
    }
    ps_tensor *small = CALL("zeros", INTS(2, 7)), *cell = CALL("zeros", INTS(2, 2)),
              *none[2] = {NULL};
    CHECK_FAILS(PS_ERR_ARGUMENT, "lstm_gates: (2, 7) and (2, 2): the first must have 4 gates",
                call_several("lstm_gates", ARGS(T(small), T(cell)), none, 2));
    CHECK_FAILS(PS_ERR_ARGUMENT, "gru_gates",
                call_into("gru_gates", ARGS(T(small), T(small), T(cell)), none));
    RELEASE_ALL(small, cell);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refuse(ps_status status, const char *part, const sizes *s, ps_tensor **o, int which,
                   ps_tensor *instead)
{
    ps_tensor *results[RESULTS] = {NULL}, *before = o[which];
    o[which] = instead;
    CHECK_FAILS(status, part, try_rnn(s, o, results));
    assert_null(results[Y]);
    o[which] = before;
    ps_tensor_release(instead);
}

static void what_is_refused(void **state)
{
    (void)state;
    const sizes *s = &all_sizes[3];
    ps_tensor *o[OPERANDS];
    operands_of(s, PS_FLOAT32, o);
    refuse(PS_ERR_ARGUMENT, "rnn: x has shape (3, 2)", s, o, X, CALL("zeros", INTS(3, 2)));
    refuse(PS_ERR_ARGUMENT, "batches of 5 and 2", s, o, X, CALL("zeros", INTS(3, 5, 3)));
    refuse(PS_ERR_ARGUMENT, "need (", s, o, X, CALL("zeros", INTS(3, 2, 4)));
    refuse(PS_ERR_ARGUMENT, "rnn: parameters have shape (7,)", s, o, PARAMETERS,
           CALL("zeros", INTS(7)));
    refuse(PS_ERR_ARGUMENT, "rnn: state has shape (4,)", s, o, STATE, CALL("zeros", INTS(4)));
    refuse(PS_ERR_ARGUMENT, "rnn: state has shape (0, 2, 4)", s, o, STATE,
           CALL("zeros", INTS(0, 2, 4)));
    refuse(PS_ERR_ARGUMENT, "rnn: cell has shape (2, 2, 3)", s, o, CELL,
           CALL("zeros", INTS(2, 2, 3)));
    refuse(PS_ERR_ARGUMENT, "no cell", s, o, CELL, NULL);
    refuse(PS_ERR_ARGUMENT, "rnn: mask has shape (3,)", s, o, MASK, CALL("zeros", INTS(3)));
    ps_tensor *whole = CALL("zeros", INTS(3, 2, 3), D(PS_INT32));
    for (int i = 1; i < OPERANDS; i++) {
        ps_tensor *typed = CALL("cast", T(o[i]), D(PS_INT32));
        ps_tensor_release(o[i]);
        o[i] = typed;
    }
    refuse(PS_ERR_TYPE, "rnn: no rule for int32", s, o, X, whole);
    sizes other = *s;
    other.mode = "gru2";
    ps_tensor *results[RESULTS] = {NULL};
    CHECK_FAILS(PS_ERR_ARGUMENT, "must be one of", try_rnn(&other, o, results));
    release_operands(o, OPERANDS);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(no_steps_and_no_sequences),
        cmocka_unit_test(the_same_bits),
        cmocka_unit_test(operands_that_are_views),
        cmocka_unit_test(outputs_that_are_given),
        cmocka_unit_test(single_steps),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
