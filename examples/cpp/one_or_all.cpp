// Waiting for one value among several that are queued, and for all of them.
//
//     one_or_all [--digest] [size]
//
// Powers of a matrix, each from the one before. Whoever needs the second does not wait for the rest.
#include "support.hpp"

#include <vector>

constexpr std::size_t count = 8;

int main(int argc, char **argv)
{
    arguments given(argc, argv, 1000);
    ps::generator from(1);
    double high = 2.0 / static_cast<double>(given.size); // rows add up to about 1, in all powers
    auto x = ps::random::uniform({given.size, given.size}, {.high = high, .generator = from});
    x.wait();

    std::vector<ps::array> powers{x};
    double queued = milliseconds([&] {
        while (powers.size() < count)
            powers.push_back(ps::dot(powers.back(), x));
    });
    double second = queued + milliseconds([&] { powers[1].wait(); });
    double all = second + milliseconds([&] { ps::wait_all(); });
    std::printf("queued                %8.2f ms\n", queued);
    std::printf("the second power      %8.2f ms\n", second);
    std::printf("all powers, to the %zuth %7.2f ms\n", count, all);
    if (given.digest) {
        print_digest("second", powers[1]);
        print_digest("last", powers.back());
    }
}
