/* Tensors: operations are queued and the program goes on; it waits where it looks at a value.
 *
 *     cc tensors.c $(pkg-config --cflags --libs penstock) -o tensors && ./tensors */
#include <penstock_ops.h>

#include <stdio.h>
#include <stdlib.h>

static void check(ps_status status, const char *what)
{
    if (status == PS_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, ps_last_error());
    exit(1);
}

#define CHECK(call) check((call), #call)

static void show(const char *name, ps_tensor *tensor)
{
    char text[2000];
    CHECK(ps_tensor_format(tensor, NULL, text, sizeof text, NULL)); /* waits for the value */
    printf("%s =\n%s\n", name, text);
}

/* y = relu(x * x + 2) * 0.5 - x, one pass over x: what is in between is never stored. */
static ps_tensor *chain(ps_tensor *x)
{
    ps_tensor *y = NULL;
    CHECK(ps_multiply(PS_ARG(x), PS_ARG(x), &y));
    CHECK(ps_add(PS_ARG(y), PS_ARG(2), &y));
    CHECK(ps_relu(PS_ARG(y), &y));
    CHECK(ps_multiply(PS_ARG(y), PS_ARG(0.5), &y));
    CHECK(ps_subtract(PS_ARG(y), PS_ARG(x), &y));
    return y;
}

/* Writing through a view changes what it is a view of. */
static void views(void)
{
    ps_tensor *x = NULL, *row = NULL, *turned = NULL, *product = NULL;
    CHECK(ps_zeros(PS_INTS(3, 4), &x));
    CHECK(ps_tensor_index(x, &(ps_index){.kind = PS_INDEX_AT, .start = 1}, 1, &row));
    CHECK(ps_assign(PS_ARG(7), &row));
    show("x, its row 1 assigned 7", x);
    CHECK(ps_tensor_permute(x, NULL, 0, &turned));
    CHECK(ps_matmul(PS_ARG(x), PS_ARG(turned), &product));
    show("x times its transpose", product);
    ps_tensor_release(x);
    ps_tensor_release(row);
    ps_tensor_release(turned);
    ps_tensor_release(product);
}

/* What can be known at the call fails at the call; the rest when the value is asked for. */
static void errors(void)
{
    ps_tensor *a = NULL, *b = NULL, *sum = NULL, *places = NULL, *taken = NULL;
    CHECK(ps_ones(PS_INTS(2, 3), &a));
    CHECK(ps_ones(PS_INTS(4), &b));
    if (ps_add(PS_ARG(a), PS_ARG(b), &sum) != PS_OK)
        printf("at the call: %s\n", ps_last_error());
    CHECK(ps_full(PS_INTS(1), PS_ARG(9), &places));
    CHECK(ps_take(PS_ARG(b), PS_ARG(places), &taken)); /* queued: 9 is not looked at yet */
    if (ps_tensor_wait(taken, NULL) != PS_OK) {
        ps_error_info info = {.size = sizeof info};
        CHECK(ps_last_error_info(&info)); /* has the line that queued it */
        printf("at the wait: %s\n", info.text);
    }
    ps_tensor_release(a);
    ps_tensor_release(b);
    ps_tensor_release(places);
    ps_tensor_release(taken);
}

int main(void)
{
    ps_tensor *x = NULL, *mean = NULL;
    CHECK(ps_random_normal(PS_INTS(100000, 5), &x));
    ps_tensor *y = chain(x);
    CHECK(ps_mean_with(PS_ARG(y), &(ps_mean_options){.axis = PS_INTS(0)}, &mean));
    printf("queued; ready: %s\n", ps_tensor_is_ready(mean) ? "yes" : "not yet");
    show("mean over columns", mean);
    views();
    errors();
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(mean);
    return 0;
}
