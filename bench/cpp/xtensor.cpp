// xtensor: computes at the assignment, on the calling thread.
#include "library.hpp"

#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

struct library {
    using vector = xt::xarray<float>;
    using matrix = xt::xarray<float>;

    static std::string about()
    {
        return "xtensor " + std::to_string(XTENSOR_VERSION_MAJOR) + "." +
               std::to_string(XTENSOR_VERSION_MINOR) + "." + std::to_string(XTENSOR_VERSION_PATCH);
    }
    static vector make_shaped(const float *elements, std::vector<size_t> shape)
    {
        vector x(shape);
        std::copy(elements, elements + x.size(), x.begin());
        return x;
    }
    static vector make(const float *elements, int64_t length)
    {
        return make_shaped(elements, {static_cast<size_t>(length)});
    }
    static matrix make(const float *elements, int64_t rows, int64_t columns)
    {
        return make_shaped(elements, {static_cast<size_t>(rows), static_cast<size_t>(columns)});
    }
    static vector add(const vector &x)
    {
        return x + 1.0F;
    }
    static matrix chain(const matrix &b)
    {
        matrix y = xt::maximum(b * b + 2.0F, 0.0F) * 0.5F - b;
        y = xt::exp(y * 0.01F) + b;
        return y;
    }
    static auto index(const vector &x)
    {
        return xt::view(x, 0);
    }
    static auto slice(const vector &x)
    {
        return xt::view(x, xt::range(1, 2));
    }
    template <class Array> static void wait(const Array &y)
    {
        bench::keep(y);
    }
    template <class Array> static void finish(const Array &y)
    {
        bench::keep(y);
    }
    template <class Array> static std::vector<float> values(const Array &y)
    {
        return std::vector<float>(y.begin(), y.end());
    }
};

int main(int argc, char **argv)
{
    return bench::serve<library>(argc, argv);
}
