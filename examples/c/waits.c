/* y = x + 1, a thousand times: with a wait in each step, and with one at the end.
 *
 *     waits [--digest] [size]
 *
 * A wait in each step makes the program and the workers take turns. With one at the end they work at
 * the same time, and what nobody can see any more when its turn comes need not be stored. */
#include "support.h"

enum { STEPS = 1000 };

/* The last result; the others are given back as soon as there is a newer one. */
static ps_tensor *add_many_times(ps_tensor *x, bool wait_each)
{
    ps_tensor *y = NULL;
    for (int i = 0; i < STEPS; i++) {
        ps_tensor_release(y);
        y = NULL;
        check(ps_add(PS_ARG(x), PS_ARG(1), &y));
        if (wait_each)
            check(ps_tensor_wait(y, NULL));
    }
    return y;
}

static bool are_equal(ps_tensor *x, ps_tensor *y)
{
    ps_scalar answer;
    ps_tensor *equal = NULL;
    check(ps_array_equal(PS_ARG(x), PS_ARG(y), &equal));
    check(ps_tensor_item(equal, &answer));
    ps_tensor_release(equal);
    return answer.as.b;
}

int main(int argc, char **argv)
{
    arguments given = read_arguments(argc, argv, 2000);
    ps_engine *engine;
    ps_generator *from;
    check(ps_engine_default(&engine));
    check(ps_generator_create(1, &from));
    ps_tensor *x = uniform(given.size, given.size, 0, 1, from);
    check(ps_tensor_wait(x, NULL));

    double start = milliseconds();
    ps_tensor *each = add_many_times(x, true);
    double in_each_step = milliseconds() - start;

    start = milliseconds();
    ps_tensor *once = add_many_times(x, false);
    check(ps_wait_all(engine, NULL));
    double at_the_end = milliseconds() - start;

    bool same = are_equal(each, once);
    printf("a wait in each step: %8.2f ms\n", in_each_step);
    printf("one wait at the end: %8.2f ms\n", at_the_end);
    printf("the results are %s\n", same ? "the same" : "different");
    if (given.digest) {
        print_digest("each", each);
        print_digest("once", once);
    }
    ps_tensor_release(each);
    ps_tensor_release(once);
    ps_tensor_release(x);
    ps_generator_release(from);
    return same ? 0 : 1;
}
