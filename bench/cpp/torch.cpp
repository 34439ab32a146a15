// PyTorch's own C++: computes at the call. Nothing is recorded for gradients.
#include "library.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/headeronly/version.h>

struct library {
    using vector = at::Tensor;
    using matrix = at::Tensor;

    static std::string about()
    {
        return std::string("libtorch ") + TORCH_VERSION + ", " +
               std::to_string(at::get_num_threads()) + " threads";
    }
    static at::Tensor make_shaped(const float *elements, at::IntArrayRef shape)
    {
        return at::from_blob(const_cast<float *>(elements), shape, at::kFloat).clone();
    }
    static at::Tensor make(const float *elements, int64_t length)
    {
        return make_shaped(elements, {length});
    }
    static at::Tensor make(const float *elements, int64_t rows, int64_t columns)
    {
        return make_shaped(elements, {rows, columns});
    }
    static at::Tensor add(const at::Tensor &x)
    {
        return x + 1;
    }
    static at::Tensor chain(const at::Tensor &b)
    {
        auto y = at::relu(b * b + 2) * 0.5 - b;
        y = at::exp(y * 0.01) + b;
        return y;
    }
    static at::Tensor index(const at::Tensor &x)
    {
        return x[0];
    }
    static at::Tensor slice(const at::Tensor &x)
    {
        return x.slice(0, 1, 2);
    }
    static void wait(const at::Tensor &y)
    {
        bench::keep(y);
    }
    static void finish(const at::Tensor &y)
    {
        bench::keep(y);
    }
    static std::vector<float> values(const at::Tensor &y)
    {
        const float *elements = y.const_data_ptr<float>();
        return std::vector<float>(elements, elements + y.numel());
    }
};

int main(int argc, char **argv)
{
    c10::InferenceMode guard;
    return bench::serve<library>(argc, argv);
}
