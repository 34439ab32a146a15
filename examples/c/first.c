/* The first program: what it computes is queued, and waited for where it is printed.
 *
 *     cc first.c $(pkg-config --cflags --libs penstock) -o first && ./first */
#include "support.h"

int main(int argc, char **argv)
{
    arguments given = read_arguments(argc, argv, 1);
    ps_tensor *x = NULL, *y = NULL, *z = NULL;
    char text[100];
    check(ps_ones(PS_INTS(1, 2), &x));
    check(ps_ones(PS_INTS(1, 2), &y));
    check(ps_multiply(PS_ARG(x), PS_ARG(y), &z));
    check(ps_add(PS_ARG(z), PS_ARG(2), &z)); /* into z */
    check(ps_tensor_format(z, NULL, text, sizeof text, NULL));
    puts(text);
    if (given.digest)
        print_digest("z", z);
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(z);
    return 0;
}
