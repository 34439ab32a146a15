// MLX on the CPU. It builds a graph and computes what eval is asked for: of a burst whose results
// are dropped, the last one only.
#include "library.hpp"

#include <mlx/mlx.h>

namespace mx = mlx::core;

struct library {
    using vector = mx::array;
    using matrix = mx::array;

    static std::string about()
    {
        mx::set_default_device(mx::Device::cpu);
        return std::string("MLX ") + mx::version() + ", cpu";
    }
    static mx::array make_shaped(const float *elements, mx::Shape shape)
    {
        mx::array made(elements, std::move(shape));
        made.eval();
        return made;
    }
    static mx::array make(const float *elements, int64_t length)
    {
        return make_shaped(elements, {static_cast<int>(length)});
    }
    static mx::array make(const float *elements, int64_t rows, int64_t columns)
    {
        return make_shaped(elements, {static_cast<int>(rows), static_cast<int>(columns)});
    }
    static mx::array add(const mx::array &x)
    {
        return x + 1.0F;
    }
    static mx::array chain(const mx::array &b)
    {
        auto y = mx::maximum(b * b + 2.0F, mx::array(0.0F)) * 0.5F - b;
        y = mx::exp(y * 0.01F) + b;
        return y;
    }
    // What its Python does for x[0].
    static mx::array index(const mx::array &x)
    {
        return mx::squeeze(mx::slice(x, {0}, {1}), 0);
    }
    static mx::array slice(const mx::array &x)
    {
        return mx::slice(x, {1}, {2});
    }
    static void wait(mx::array y)
    {
        y.eval();
    }
    static void finish(mx::array y)
    {
        y.eval();
    }
    static std::vector<float> values(mx::array y)
    {
        y = mx::contiguous(y);
        y.eval();
        return std::vector<float>(y.data<float>(), y.data<float>() + y.size());
    }
};

int main(int argc, char **argv)
{
    return bench::serve<library>(argc, argv);
}
