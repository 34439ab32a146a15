// Eigen: computes at the call, on the calling thread. Its matrices lie row by row, as the others'.
#include "library.hpp"

#include <Eigen/Dense>

struct library {
    using vector = Eigen::ArrayXf;
    using matrix = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    static std::string about()
    {
        return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." +
               std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION) +
               ", " + Eigen::SimdInstructionSetsInUse();
    }
    static vector make(const float *elements, int64_t length)
    {
        return Eigen::Map<const vector>(elements, length);
    }
    static matrix make(const float *elements, int64_t rows, int64_t columns)
    {
        return Eigen::Map<const matrix>(elements, rows, columns);
    }
    template <class Array> static Array add(const Array &x)
    {
        return x + 1;
    }
    static matrix chain(const matrix &b)
    {
        matrix y = (b * b + 2).max(0.0F) * 0.5F - b;
        y = (y * 0.01F).exp() + b;
        return y;
    }
    static float index(const vector &x)
    {
        return x(0);
    }
    static auto slice(const vector &x)
    {
        return x(Eigen::seq(1, 1));
    }
    template <class Array> static void wait(const Array &y)
    {
        bench::keep(y);
    }
    template <class Array> static void finish(const Array &y)
    {
        bench::keep(y);
    }
    static std::vector<float> values(float y)
    {
        return {y};
    }
    template <class Array> static std::vector<float> values(const Array &y)
    {
        const typename Array::PlainObject made = y;
        return std::vector<float>(made.data(), made.data() + made.size());
    }
};

int main(int argc, char **argv)
{
    return bench::serve<library>(argc, argv);
}
