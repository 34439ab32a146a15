/* Gradients in C: y = sum(2 x^2), dy/dx = 4 x; and a function with a gradient of its own. */
#include "penstock_ops.h"

#include <stdio.h>
#include <stdlib.h>

static void check(ps_status status)
{
    if (status == PS_OK)
        return;
    fprintf(stderr, "%s\n", ps_last_error());
    exit(1);
}

static void print(const char *name, ps_tensor *tensor)
{
    char text[200];
    check(ps_tensor_format(tensor, NULL, text, sizeof text, NULL)); /* waits */
    printf("%s %s\n", name, text);
}

/* Of z = exp(x), which is saved: dx = z dz. */
static ps_status exp_backward(void *context, ps_node_turn *turn)
{
    (void)context;
    return ps_multiply(PS_ARG(turn->gradients[0]), PS_ARG(turn->saved[0]), &turn->results[0]);
}

/* exp(x), computed while nothing is recorded, and then put into the graph. */
static ps_tensor *own_exp(ps_tensor *x)
{
    ps_tensor *z = NULL;
    check(ps_exp(PS_ARG(x), &z));
    ps_node_spec spec = {.size = sizeof spec,
                         .name = "own_exp",
                         .inputs = &x,
                         .ninputs = 1,
                         .outputs = &z,
                         .noutputs = 1,
                         .saved = &z,
                         .nsaved = 1,
                         .backward = exp_backward,
                         .location = PS_HERE};
    check(ps_node_create(&spec));
    return z;
}

int main(void)
{
    ps_tensor *x = NULL, *square = NULL, *twice = NULL, *y = NULL, *grad;
    check(ps_arange(PS_ARG(4.0), &x));
    check(ps_grad_attach(x, PS_GRAD_WRITE, NULL));

    uint64_t before = ps_thread_state();
    check(ps_thread_set_state(before | PS_STATE_RECORDING));
    check(ps_multiply(PS_ARG(x), PS_ARG(x), &square));
    check(ps_multiply(PS_ARG(square), PS_ARG(2), &twice));
    check(ps_sum(PS_ARG(twice), &y));
    check(ps_thread_set_state(before));

    check(ps_backward(&y, 1, NULL)); /* only queued */
    check(ps_grad_get(x, &grad));
    print("x    ", x);
    print("y    ", y);
    print("dy/dx", grad);

    ps_tensor *z = own_exp(x);
    check(ps_backward(&z, 1, NULL));
    print("dz/dx", grad); /* the same tensor, written again */

    ps_tensor *all[] = {x, square, twice, y, z, grad};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        ps_tensor_release(all[i]);
    return 0;
}
