/* softmax_cross_entropy and pick: values against plain loops, gradients of labels that are integers,
 * labels out of range, the same bits everywhere, bad input. */
#include "positions_help.h"
#include "train_help.h"
#include "trial_help.h"

/* ---- values -------------------------------------------------------------------------------- */

/* What a loss is made of beside x and labels. */
typedef struct options {
    double smoothing;
    const double *weights; /* or NULL */
    int64_t ignored;       /* INT64_MIN: none */
} options;

/* Of one row. */
static double loss_of(const double *x, int64_t n, int64_t label, const options *o)
{
    double most = -INFINITY, total = 0, loss = 0;
    if (label == o->ignored)
        return 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, x[i]);
    for (int64_t i = 0; i < n; i++)
        total += exp(x[i] - most);
    for (int64_t i = 0; i < n; i++) {
        double share = (i == label) * (1 - o->smoothing) + o->smoothing / (double)n;
        loss -= share * (o->weights != NULL ? o->weights[i] : 1) * (x[i] - most - log(total));
    }
    return loss;
}

static ps_tensor *called(ps_tensor *x, ps_tensor *labels, int axis, const options *o)
{
    int64_t n = ps_tensor_shape(x)[axis < 0 ? axis + ps_tensor_ndim(x) : axis];
    ps_tensor *weights = NULL, *made;
    if (o->weights != NULL)
        CHECK_OK(ps_tensor_from_host(PS_FLOAT64, 1, &n, NULL, o->weights, NULL, &weights));
    made = CALL("softmax_cross_entropy", T(x), T(labels), I(axis),
                o->ignored == INT64_MIN ? NONE : I(o->ignored), F(o->smoothing),
                weights != NULL ? T(weights) : NONE);
    ps_tensor_release(weights);
    return made;
}

static void check_rows(ps_dtype dtype, ps_dtype label_type, int64_t rows, int64_t n,
                       const options *o)
{
    ps_tensor *x = waves(dtype, SHAPE(rows, n)), *line = CALL("arange", I(rows));
    ps_tensor *places = CALL("remainder", T(line), I(n)), *labels;
    labels = CALL("cast", T(places), D(label_type));
    ps_tensor *turned = CALL("permute", T(x)), *packed = CALL("copy", T(turned));
    ps_tensor *a = called(x, labels, -1, o), *b = called(packed, labels, 0, o);
    double *in = values_of(x), *found = values_of(a), *other = values_of(b);
    double room = dtype == PS_FLOAT64 ? 1e-12 : dtype == PS_FLOAT32 ? 2e-5 : 0.05;
    for (int64_t i = 0; i < rows; i++) {
        double wanted = loss_of(in + i * n, n, i % n, o);
        if (!(fabs(found[i] - wanted) <= room * (1 + fabs(wanted))) || other[i] != found[i])
            fail_msg("%s, row %lld of %lld: %.12g and %.12g, not %.12g", ps_dtype_name(dtype),
                     (long long)i, (long long)n, found[i], other[i], wanted);
    }
    free(in);
    free(found);
    free(other);
    RELEASE_ALL(x, line, places, labels, turned, packed, a, b);
}

static void values(void **state)
{
    (void)state;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64};
    static const int64_t lengths[] = {1, 2, 7, 64, 65, 511, 512, 513, 3000};
    for (int i = 0; i < 18; i++) {
        check_rows(dtypes[i % 2], PS_INT64, 5, lengths[i / 2], &(options){0, NULL, INT64_MIN});
        check_rows(dtypes[i % 2], PS_INT32, 5, lengths[i / 2], &(options){0.1, NULL, 1});
    }
    check_rows(PS_FLOAT32, PS_INT64, 200, 10, &(options){0.1, NULL, 3}); /* several blocks */
    check_rows(PS_FLOAT64, PS_UINT8, 7, 4, &(options){0.25, NULL, INT64_MIN});
    check_rows(PS_FLOAT16, PS_INT16, 7, 4, &(options){0, NULL, INT64_MIN});
    check_rows(PS_BFLOAT16, PS_INT16, 7, 4, &(options){0, NULL, INT64_MIN});
}

static void weights(void **state)
{
    (void)state;
    static const double numbers[] = {0.5, 2, 1.25, 3};
    check_rows(PS_FLOAT64, PS_INT64, 9, 4, &(options){0, numbers, INT64_MIN});
    check_rows(PS_FLOAT64, PS_INT64, 9, 4, &(options){0.2, numbers, INT64_MIN});
    check_rows(PS_FLOAT64, PS_INT64, 9, 4, &(options){0.2, numbers, 2});
}

/* Labels as shares of classes: those that are 1 at the label give what the label gives. */
static void shares(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT64, SHAPE(3, 4)), *labels = INDICES(PS_INT64, 2, 0, 3);
    ps_tensor *hot = CALL("one_hot", T(labels), I(4), I(-1), D(PS_FLOAT64));
    ps_tensor *a = CALL("softmax_cross_entropy", T(x), T(labels), I(-1), NONE, F(0.3));
    ps_tensor *b = CALL("softmax_cross_entropy", T(x), T(hot), I(-1), NONE, F(0.3));
    ps_tensor *close = CALL("allclose", T(a), T(b), F(1e-12));
    CHECK_VALUES(close, 1);
    RELEASE_ALL(x, labels, hot, a, b, close);
}

/* Rows far from 0 neither overflow nor lose their digits. */
static void large_numbers(void **state)
{
    (void)state;
    ps_tensor *x = from_floats(SHAPE(2, 2), (float[]){1e4f, 1e4f - 1, -3e38f, 3e38f});
    ps_tensor *labels = INDICES(PS_INT64, 0, 1), *y;
    y = CALL("softmax_cross_entropy", T(x), T(labels));
    double *found = values_of(y);
    assert_true(fabs(found[0] - log1p(exp(-1))) < 1e-3 && found[1] == 0);
    free(found);
    RELEASE_ALL(x, labels, y);
}

/* ---- gradients ------------------------------------------------------------------------------- */

static void gradients(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT64, SHAPE(3, 4)), *labels = INDICES(PS_INT32, 2, 0, 3);
    ps_tensor *across = INDICES(PS_INT64, 2, 0, 1, 2);
    ps_tensor *weights = CALL("arange", F(1), F(5), F(1), D(PS_FLOAT64));
    ps_arg last = I(-1);
    TRY("softmax_cross_entropy", T(x), T(labels));
    TRY("softmax_cross_entropy", T(x), T(across), I(0));
    TRY("softmax_cross_entropy", T(x), T(labels), last, I(0), F(0.3));
    TRY("softmax_cross_entropy", T(x), T(labels), last, I(-100), F(0), T(weights));
    TRY("softmax_cross_entropy", T(x), T(labels), last, I(3), F(0.3), T(weights));
    TRY("pick", T(x), T(labels));
    TRY("pick", T(x), T(across), I(0), B(true));
    RELEASE_ALL(x, labels, across, weights);
}

static ps_tensor *gradient_by(ps_tensor *values, ps_tensor *labels)
{
    ps_tensor *x = CALL("copy", T(values));
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
    record();
    ps_tensor *y = CALL("softmax_cross_entropy", T(x), T(labels), I(-1), NONE, F(0.1));
    pause_it();
    backward(y);
    ps_tensor *made = gradient_of(x);
    RELEASE_ALL(x, y);
    return made;
}

/* Many rows with few classes, and with more: as for labels that are shares, which is made of other rows. */
static void gradients_of_many_rows(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 100; n += 13) {
        ps_tensor *x = waves(PS_FLOAT32, SHAPE(150, n)), *line = CALL("arange", I(150));
        ps_tensor *labels = CALL("remainder", T(line), I(n));
        ps_tensor *shares = CALL("one_hot", T(labels), I(n));
        ps_tensor *a = gradient_by(x, labels), *b = gradient_by(x, shares);
        ps_tensor *near = CALL("allclose", T(a), T(b), F(1e-5), F(1e-6));
        CHECK_VALUES(near, 1);
        RELEASE_ALL(x, line, labels, shares, a, b, near);
    }
    nothing_is_left();
}

static void short_program(ps_tensor **results)
{
    ps_tensor *x = wavy_leaf(PS_FLOAT32, SHAPE(3000, 20)), *line = CALL("arange", I(3000));
    ps_tensor *labels = CALL("remainder", T(line), I(20));
    record();
    ps_tensor *y = CALL("softmax_cross_entropy", T(x), T(labels), I(-1), I(5), F(0.1));
    pause_it();
    backward(y);
    results[0] = y;
    results[1] = gradient_of(x);
    RELEASE_ALL(x, line, labels);
}

static void program(ps_tensor **results)
{
    ps_tensor *x = wavy_leaf(PS_FLOAT32, SHAPE(300, 700)), *line = CALL("arange", I(300));
    record();
    ps_tensor *y = CALL("softmax_cross_entropy", T(x), T(line), I(-1), I(5), F(0.1));
    pause_it();
    backward(y);
    results[0] = y;
    results[1] = gradient_of(x);
    RELEASE_ALL(x, line);
}

static void the_same_bits_everywhere(void **state)
{
    (void)state;
    check_everywhere(program);
    check_everywhere(short_program);
    nothing_is_left();
}

/* ---- pick -------------------------------------------------------------------------------------- */

static void picks(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(2, 3)), *places = INDICES(PS_INT64, 2, -2);
    ps_tensor *far = INDICES(PS_INT64, 7, -4), *a = CALL("pick", T(x), T(places));
    ps_tensor *clipped = CALL("pick", T(x), T(far), I(1), B(false), S("clip"));
    ps_tensor *wrapped = CALL("pick", T(x), T(far), I(1), B(true), S("wrap"));
    CHECK_VALUES(a, 2, 4);
    CHECK_VALUES(clipped, 2, 3);
    CHECK_VALUES(wrapped, 1, 5);
    CHECK_SHAPE(wrapped, 2, 1);
    ps_tensor *b = CALL("pick", T(x), T(far)), *none = NULL;
    CHECK_FAILS(PS_ERR_INDEX, "out of range", ps_tensor_wait(b, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT,
                "index of shape (2,) does not fit x of shape (2, 3) without axis 0",
                call_into("pick", ARGS(T(x), T(far), I(0)), &none));
    CHECK_FAILS(PS_ERR_TYPE, "pick: indices of float64",
                call_into("pick", ARGS(T(x), T(a = CALL("cast", T(a), D(PS_FLOAT64)))), &none));
    RELEASE_ALL(x, places, far, a, clipped, wrapped, b);
}

/* ---- bad input --------------------------------------------------------------------------------- */

static void check_label(int64_t label, const char *text)
{
    ps_tensor *x = waves(PS_FLOAT32, SHAPE(3, 4)), *labels = INDICES(PS_INT64, 1, label, 9), *y;
    y = CALL("softmax_cross_entropy", T(x), T(labels));
    CHECK_FAILS(PS_ERR_INDEX, text, ps_tensor_wait(y, NULL));
    RELEASE_ALL(x, labels, y);
}

static void labels_out_of_range(void **state)
{
    (void)state;
    check_label(4, "label 4 is out of range for 4 classes; it is number 1 of the labels");
    check_label(-1, "label -1 is out of range for 4 classes");
    check_label(INT64_MIN, "out of range for 4 classes");
    (void)ps_wait_all(engine(), NULL);
}

static void bad_input(void **state)
{
    (void)state;
    const char *name = "softmax_cross_entropy";
    ps_tensor *x = waves(PS_FLOAT32, SHAPE(3, 4)), *labels = INDICES(PS_INT64, 1, 2, 0);
    ps_tensor *few = INDICES(PS_INT64, 1, 2), *whole = CALL("cast", T(x), D(PS_INT32));
    ps_tensor *shares = waves(PS_FLOAT32, SHAPE(3)), *empty = CALL("zeros", INTS(3, 0)), *y = NULL;
    ps_arg last = I(-1);
    CHECK_FAILS(PS_ERR_ARGUMENT,
                "softmax_cross_entropy: labels of shape (2,) do not fit x of shape (3, 4)",
                call_into(name, ARGS(T(x), T(few)), &y));
    CHECK_FAILS(PS_ERR_ARGUMENT, "labels of float32 must have the shape of x, (3, 4), not (3,)",
                call_into(name, ARGS(T(x), T(shares)), &y));
    CHECK_FAILS(PS_ERR_TYPE, "no rule for int32", call_into(name, ARGS(T(whole), T(labels)), &y));
    CHECK_FAILS(PS_ERR_ARGUMENT, "smoothing is 1.5",
                call_into(name, ARGS(T(x), T(labels), last, NONE, F(1.5)), &y));
    CHECK_FAILS(PS_ERR_ARGUMENT, "weights of shape (3,) for 4 elements",
                call_into(name, ARGS(T(x), T(labels), last, NONE, F(0), T(shares)), &y));
    CHECK_FAILS(PS_ERR_ARGUMENT, "ignore_label 1 is for labels that are integers",
                call_into(name, ARGS(T(x), T(x), last, I(1)), &y));
    CHECK_FAILS(PS_ERR_ARGUMENT, "no classes along axis 1 of shape (3, 0)",
                call_into(name, ARGS(T(empty), T(labels)), &y));
    assert_null(y);
    RELEASE_ALL(x, labels, few, whole, shares, empty);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(weights),
        cmocka_unit_test(shares),
        cmocka_unit_test(large_numbers),
        cmocka_unit_test(gradients),
        cmocka_unit_test(gradients_of_many_rows),
        cmocka_unit_test(the_same_bits_everywhere),
        cmocka_unit_test(picks),
        cmocka_unit_test(labels_out_of_range),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
