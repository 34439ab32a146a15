// The first program: three lines are queued, the fourth waits for what it prints.
//
//     c++ -std=c++20 first.cpp $(pkg-config --cflags --libs penstock-cpp) -o first && ./first
#include "support.hpp"

#include <iostream>

int main(int argc, char **argv)
{
    arguments given(argc, argv);
    auto x = ps::ones({1, 2});
    auto y = ps::ones({1, 2});
    auto z = x * y + 2;
    std::cout << z << std::endl;
    if (given.digest)
        print_digest("z", z);
}
