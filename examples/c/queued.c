/* When a call returns, and when its result is there.
 *
 *     queued [--digest] [size] */
#include "support.h"

/* dot(x, x).sum() */
static ps_tensor *sum_of_square(ps_tensor *x)
{
    ps_tensor *product = NULL, *sum = NULL;
    check(ps_dot(PS_ARG(x), PS_ARG(x), &product));
    check(ps_sum(PS_ARG(product), &sum));
    ps_tensor_release(product);
    return sum;
}

int main(int argc, char **argv)
{
    arguments given = read_arguments(argc, argv, 2000);
    ps_generator *from;
    check(ps_generator_create(1, &from));
    ps_tensor *x = uniform(given.size, given.size, 0, 1, from);
    check(ps_tensor_wait(x, NULL));

    ps_scalar value;
    double start = milliseconds();
    ps_tensor *sum = sum_of_square(x);
    double queued = milliseconds() - start;
    check(ps_tensor_item(sum, &value)); /* waits for its value */
    double finished = milliseconds() - start;
    printf("queued after   %8.3f ms\n", queued);
    printf("finished after %8.3f ms: sum = %.9g\n", finished, value.as.d);
    if (given.digest)
        print_digest("sum", sum);
    ps_tensor_release(sum);
    ps_tensor_release(x);
    ps_generator_release(from);
    return 0;
}
