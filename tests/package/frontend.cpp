// The smallest C++ program with arrays: queue, wait, look; and an error that names its line.
#include <penstock.hpp>

#include <cstdio>
#include <stdexcept>

int main()
{
    ps::array x{{1, 2}, {3, 4}};
    if ((x * 2 + 1).sum().item<int64_t>() != 24)
        return 1;
    try {
        auto y = x + ps::ones({3});
    } catch (const std::invalid_argument &error) {
        std::puts(error.what());
        return 0;
    }
    return 1;
}
