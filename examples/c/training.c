/* Training a network of three layers on batches that a generator makes, in two ways: reading the loss
 * of each batch at once, and reading all of them at the end. The losses are the same to the last bit.
 *
 *     training [--digest] [units of the first layer]
 *
 * Whoever reads each loss waits for each batch; whoever does not runs ahead of the workers, as far as
 * the engine lets it: memory does not fill up. mlp.c has more of learning in C. */
#include "support.h"

enum { BATCHES = 20, LAYERS = 3 };

static const double rate = 0.005;

/* ---- data ------------------------------------------------------------------------------ */

typedef struct batch {
    ps_tensor *x, *y;
} batch;

static batch next_batch(int64_t samples, int64_t inputs, ps_generator *from)
{
    batch made = {NULL, NULL};
    ps_random_normal_options options = {.generator = generator_arg(from)};
    check(ps_random_normal_with(PS_INTS(samples, inputs), &options, &made.x));
    check(ps_ones(PS_INTS(samples, 1), &made.y));
    return made;
}

static void batch_release(batch some)
{
    ps_tensor_release(some.x);
    ps_tensor_release(some.y);
}

/* ---- the network ----------------------------------------------------------------------- */

typedef struct network {
    ps_tensor *weights[LAYERS], *biases[LAYERS];
} network;

static network network_create(int64_t units, int64_t inputs)
{
    network net = {{NULL}, {NULL}};
    int64_t widths[LAYERS + 1] = {inputs, units, units / 4, 1};
    ps_generator *from;
    check(ps_generator_create(1, &from));
    for (int i = 0; i < LAYERS; i++) {
        net.weights[i] = uniform(widths[i + 1], widths[i], -0.07, 0.07, from);
        check(ps_zeros(PS_INTS(widths[i + 1]), &net.biases[i]));
        check(ps_grad_attach(net.weights[i], PS_GRAD_WRITE, NULL));
        check(ps_grad_attach(net.biases[i], PS_GRAD_WRITE, NULL));
    }
    ps_generator_release(from);
    return net;
}

static void network_release(const network *net)
{
    for (int i = 0; i < LAYERS; i++) {
        ps_tensor_release(net->weights[i]);
        ps_tensor_release(net->biases[i]);
    }
}

static ps_tensor *predict(const network *net, ps_tensor *x)
{
    ps_tensor *input = NULL, *output = x;
    for (int i = 0; i < LAYERS; i++) {
        ps_linear_options options = {.bias = PS_ARG(net->biases[i])};
        if (i < LAYERS - 1)
            options.activation = ps_arg_text("relu");
        input = output;
        output = NULL;
        check(ps_linear_with(PS_ARG(input), PS_ARG(net->weights[i]), &options, &output));
        if (input != x)
            ps_tensor_release(input);
    }
    return output;
}

/* ---- training -------------------------------------------------------------------------- */

/* The loss of each sample, recorded. */
static ps_tensor *loss_of(const network *net, const batch *some)
{
    ps_tensor *loss = NULL;
    uint64_t before = ps_thread_state();
    check(ps_thread_set_state(before | PS_STATE_RECORDING));
    ps_tensor *predicted = predict(net, some->x);
    check(ps_l2_loss(PS_ARG(predicted), PS_ARG(some->y), &loss));
    check(ps_thread_set_state(before));
    ps_tensor_release(predicted);
    return loss;
}

/* A step against the gradient, divided by the number of samples: all of `some` at once. */
static void descend(ps_tensor *const *some, int64_t samples)
{
    const ps_op *op;
    ps_tensor *gradients[LAYERS];
    for (int i = 0; i < LAYERS; i++)
        check(ps_grad_get(some[i], &gradients[i]));
    ps_arg args[] = {ps_arg_tensors(some, LAYERS), ps_arg_tensors(gradients, LAYERS), PS_ARG(rate),
                     PS_ARG(1.0 / (double)samples)};
    ps_update step = {.size = sizeof step,
                      .count = LAYERS,
                      .args = args,
                      .nargs = sizeof args / sizeof args[0],
                      .location = PS_HERE};
    check(ps_op_find("sgd_update", &op));
    check(ps_op_update(op, &step));
    for (int i = 0; i < LAYERS; i++)
        ps_tensor_release(gradients[i]);
}

/* A step of gradient descent; gives the mean loss before it. Queues, and never waits. */
static ps_tensor *step(const network *net, const batch *some)
{
    ps_tensor *mean = NULL, *loss = loss_of(net, some);
    check(ps_backward(&loss, 1, NULL));
    descend(net->weights, ps_tensor_shape(some->x)[0]);
    descend(net->biases, ps_tensor_shape(some->x)[0]);
    check(ps_mean(PS_ARG(loss), &mean));
    ps_tensor_release(loss);
    return mean;
}

static double item(ps_tensor *x)
{
    ps_scalar value;
    check(ps_tensor_item(x, &value));
    return value.as.d;
}

static void train(int64_t units, bool read_each, ps_tensor **losses)
{
    ps_engine *engine;
    ps_generator *from;
    check(ps_engine_default(&engine));
    check(ps_generator_create(2, &from));
    network net = network_create(units, units / 4);
    for (int i = 0; i < BATCHES; i++) {
        batch some = next_batch(units / 2, units / 4, from);
        losses[i] = step(&net, &some);
        if (read_each)
            printf("batch %2d: loss %.9g\n", i + 1, item(losses[i]));
        batch_release(some);
    }
    check(ps_wait_all(engine, NULL));
    network_release(&net);
    ps_generator_release(from);
}

static void measure(const char *how, int64_t units, bool read_each, ps_tensor **losses)
{
    ps_memory_stats memory = {.size = sizeof memory};
    ps_memory_reset_peak();
    double start = milliseconds();
    train(units, read_each, losses);
    double time = milliseconds() - start;
    check(ps_memory_get_stats(&memory));
    printf("%s: %.0f ms, at most %.0f MB\n", how, time, (double)memory.peak / 1e6);
}

int main(int argc, char **argv)
{
    arguments given = read_arguments(argc, argv, 2048);
    ps_tensor *losses[BATCHES], *later[BATCHES];
    bool same = true;
    measure("each loss was read at once", given.size, true, losses);
    measure("all losses are read at the end", given.size, false, later);
    for (int i = 0; i < BATCHES; i++)
        same = same && item(losses[i]) == item(later[i]);
    printf("the losses are %s\n", same ? "the same" : "different");
    for (int i = 0; i < BATCHES; i++) {
        if (given.digest)
            print_digest("loss", later[i]);
        ps_tensor_release(losses[i]);
        ps_tensor_release(later[i]);
    }
    return same ? 0 : 1;
}
