/* Learning in C: a network of two layers finds out from examples what the mean of |x| is.
 *
 *     cc mlp.c $(pkg-config --cflags --libs penstock) -o mlp && ./mlp [weights.safetensors]
 *
 * The loop over the batches never waits: it queues steps, and helps with them when it is too far
 * ahead. A value is waited for where it is printed, once for each pass over the examples. */
#include <penstock_ops.h>

#include <stdio.h>
#include <stdlib.h>

enum { EXAMPLES = 1024, INPUTS = 8, HIDDEN = 32, BATCH = 64, PASSES = 40, WEIGHTS = 4 };

static const double rate = 0.1;

static void check(ps_status status)
{
    if (status == PS_OK)
        return;
    fprintf(stderr, "%s\n", ps_last_error());
    exit(1);
}

/* ---- the network ----------------------------------------------------------------------- */

typedef struct network {
    ps_tensor *weights[WEIGHTS]; /* of the hidden layer and of the output: weight, bias */
} network;

static const char *const names[WEIGHTS] = {"hidden.weight", "hidden.bias", "output.weight",
                                           "output.bias"};

static network network_create(void)
{
    network n = {{NULL}};
    ps_random_normal_options narrow = {.std = PS_ARG(0.3)};
    check(ps_random_normal_with(PS_INTS(HIDDEN, INPUTS), &narrow, &n.weights[0]));
    check(ps_zeros(PS_INTS(HIDDEN), &n.weights[1]));
    check(ps_random_normal_with(PS_INTS(1, HIDDEN), &narrow, &n.weights[2]));
    check(ps_zeros(PS_INTS(1), &n.weights[3]));
    for (int i = 0; i < WEIGHTS; i++)
        check(ps_grad_attach(n.weights[i], PS_GRAD_WRITE, NULL));
    return n;
}

static ps_tensor *predict(const network *n, ps_tensor *x)
{
    ps_tensor *hidden = NULL, *y = NULL;
    ps_linear_options first = {.bias = PS_ARG(n->weights[1]), .activation = ps_arg_text("relu")};
    ps_linear_options second = {.bias = PS_ARG(n->weights[3])};
    check(ps_linear_with(PS_ARG(x), PS_ARG(n->weights[0]), &first, &hidden));
    check(ps_linear_with(PS_ARG(hidden), PS_ARG(n->weights[2]), &second, &y));
    ps_tensor_release(hidden);
    return y;
}

/* The mean of squared differences. */
static ps_tensor *loss_of(const network *n, ps_tensor *x, ps_tensor *wanted)
{
    ps_tensor *y = predict(n, x), *missing = NULL, *square = NULL, *loss = NULL;
    check(ps_subtract(PS_ARG(y), PS_ARG(wanted), &missing));
    check(ps_multiply(PS_ARG(missing), PS_ARG(missing), &square));
    check(ps_mean(PS_ARG(square), &loss));
    ps_tensor_release(y);
    ps_tensor_release(missing);
    ps_tensor_release(square);
    return loss;
}

/* ---- learning -------------------------------------------------------------------------- */

/* A step against the gradient, of all weights as one task. */
static void descend(const network *n)
{
    const ps_op *op;
    ps_tensor *gradients[WEIGHTS];
    for (int i = 0; i < WEIGHTS; i++)
        check(ps_grad_get(n->weights[i], &gradients[i]));
    ps_arg args[] = {ps_arg_tensors(n->weights, WEIGHTS), ps_arg_tensors(gradients, WEIGHTS),
                     PS_ARG(rate)};
    ps_update step = {.size = sizeof step,
                      .count = WEIGHTS,
                      .args = args,
                      .nargs = sizeof args / sizeof args[0],
                      .location = PS_HERE};
    check(ps_op_find("sgd_update", &op));
    check(ps_op_update(op, &step));
    for (int i = 0; i < WEIGHTS; i++)
        ps_tensor_release(gradients[i]);
}

static void learn(const network *n, ps_tensor *x, ps_tensor *wanted)
{
    uint64_t before = ps_thread_state();
    check(ps_thread_set_state(before | PS_STATE_RECORDING));
    ps_tensor *loss = loss_of(n, x, wanted);
    check(ps_thread_set_state(before));
    check(ps_backward(&loss, 1, NULL));
    descend(n);
    ps_tensor_release(loss);
}

static ps_tensor *rows(ps_tensor *of, int64_t first)
{
    ps_tensor *view = NULL;
    ps_index range = {.kind = PS_INDEX_RANGE, .start = first, .stop = first + BATCH, .step = 1};
    check(ps_tensor_index(of, &range, 1, &view));
    return view;
}

static void learn_all(const network *n, ps_tensor *x, ps_tensor *wanted)
{
    for (int64_t first = 0; first < EXAMPLES; first += BATCH) {
        ps_tensor *some = rows(x, first), *theirs = rows(wanted, first);
        learn(n, some, theirs);
        ps_tensor_release(some);
        ps_tensor_release(theirs);
    }
}

/* Waits. */
static double loss_now(const network *n, ps_tensor *x, ps_tensor *wanted)
{
    ps_scalar value;
    ps_tensor *loss = loss_of(n, x, wanted);
    check(ps_tensor_item(loss, &value));
    ps_tensor_release(loss);
    return value.as.d;
}

/* ---- the program ----------------------------------------------------------------------- */

static void make_examples(ps_tensor **x, ps_tensor **wanted)
{
    ps_tensor *size = NULL;
    ps_mean_options rows_kept = {.axis = PS_INTS(1), .keepdims = PS_ARG(true)};
    check(ps_random_normal(PS_INTS(EXAMPLES, INPUTS), x));
    check(ps_abs(PS_ARG(*x), &size));
    check(ps_mean_with(PS_ARG(size), &rows_kept, wanted));
    ps_tensor_release(size);
}

int main(int argc, char **argv)
{
    ps_tensor *x = NULL, *wanted = NULL;
    check(ps_generator_seed(NULL, 1)); /* the same numbers in each run */
    make_examples(&x, &wanted);
    network n = network_create();
    double first = loss_now(&n, x, wanted), last = first;
    for (int pass = 0; pass < PASSES; pass++) {
        learn_all(&n, x, wanted);
        if (pass % 10 == 9) {
            last = loss_now(&n, x, wanted);
            printf("pass %d: loss %.5f\n", pass + 1, last);
        }
    }
    printf("the loss fell from %.5f to %.5f\n", first, last);
    if (argc > 1)
        check(ps_safetensors_save(argv[1], names, n.weights, WEIGHTS, NULL, 0));
    for (int i = 0; i < WEIGHTS; i++)
        ps_tensor_release(n.weights[i]);
    ps_tensor_release(x);
    ps_tensor_release(wanted);
    return last < 0.1 * first ? 0 : 1;
}
