// y = x + 1, a thousand times: with a wait in each step, and with one at the end.
//
//     waits [--digest] [size]
//
// A wait in each step makes the program and the workers take turns. With one at the end they work at the
// same time, and what nobody can see any more when its turn comes need not be stored.
#include "support.hpp"

constexpr int steps = 1000;

int main(int argc, char **argv)
{
    arguments given(argc, argv, 2000);
    ps::generator from(1);
    auto x = ps::random::uniform({given.size, given.size}, {.generator = from});
    x.wait();

    ps::array each, once;
    double in_each_step = milliseconds([&] {
        for (int i = 0; i < steps; i++) {
            each = x + 1;
            each.wait();
        }
    });
    double at_the_end = milliseconds([&] {
        for (int i = 0; i < steps; i++)
            once = x + 1;
        ps::wait_all();
    });
    bool same = (each == once).all().item<bool>();
    std::printf("a wait in each step: %8.2f ms\n", in_each_step);
    std::printf("one wait at the end: %8.2f ms\n", at_the_end);
    std::printf("the results are %s\n", same ? "the same" : "different");
    if (given.digest) {
        print_digest("each", each);
        print_digest("once", once);
    }
    return same ? 0 : 1;
}
