// When a call returns, and when its result is there.
//
//     queued [--digest] [size]
#include "support.hpp"

int main(int argc, char **argv)
{
    arguments given(argc, argv, 2000);
    ps::generator from(1);
    auto x = ps::random::uniform({given.size, given.size}, {.generator = from});
    x.wait();

    ps::array y;
    float sum = 0;
    double queued = milliseconds([&] { y = ps::dot(x, x).sum(); });
    double finished = queued + milliseconds([&] { sum = y.item<float>(); }); // waits for its value
    std::printf("queued after   %8.3f ms\n", queued);
    std::printf("finished after %8.3f ms: sum = %.9g\n", finished, static_cast<double>(sum));
    if (given.digest)
        print_digest("sum", y);
}
