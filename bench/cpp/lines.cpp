// `bench_cpp_lines noted|plain N`: N times x + 1 of 2 elements with the line noted or not, in a
// function of that name. instructions.py has them counted; what a first call does is done before.
#include <penstock.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {

[[gnu::noinline]] void noted(const ps::array &x, long count)
{
    for (long i = 0; i < count; i++)
        x + 1;
}

[[gnu::noinline]] void plain(const ps::array &x, long count)
{
    for (long i = 0; i < count; i++)
        ps::operand(x, ps::location::unknown()) + 1;
}
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s noted|plain N\n", argv[0]);
        return 2;
    }
    const ps::array x = {0.5, 1.5};
    (x + 1).wait();
    (std::strcmp(argv[1], "noted") == 0 ? noted : plain)(x, std::atol(argv[2]));
    ps::wait_all();
    return 0;
}
