/* Waiting for one value among several that are queued, and for all of them.
 *
 *     one_or_all [--digest] [size]
 *
 * Powers of a matrix, each from the one before. Whoever needs the second does not wait for the rest. */
#include "support.h"

enum { COUNT = 8 };

int main(int argc, char **argv)
{
    arguments given = read_arguments(argc, argv, 1000);
    double high = 2.0 / (double)given.size; /* rows add up to about 1, in all powers */
    ps_engine *engine;
    ps_generator *from;
    ps_tensor *powers[COUNT] = {NULL};
    check(ps_engine_default(&engine));
    check(ps_generator_create(1, &from));
    powers[0] = uniform(given.size, given.size, 0, high, from);
    check(ps_tensor_wait(powers[0], NULL));

    double start = milliseconds();
    for (int i = 1; i < COUNT; i++)
        check(ps_dot(PS_ARG(powers[i - 1]), PS_ARG(powers[0]), &powers[i]));
    double queued = milliseconds() - start;
    check(ps_tensor_wait(powers[1], NULL));
    double second = milliseconds() - start;
    check(ps_wait_all(engine, NULL));
    double all = milliseconds() - start;

    printf("queued                %8.2f ms\n", queued);
    printf("the second power      %8.2f ms\n", second);
    printf("all powers, to the %dth %7.2f ms\n", COUNT, all);
    if (given.digest) {
        print_digest("second", powers[1]);
        print_digest("last", powers[COUNT - 1]);
    }
    for (int i = 0; i < COUNT; i++)
        ps_tensor_release(powers[i]);
    ps_generator_release(from);
    return 0;
}
