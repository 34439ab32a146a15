// MXNet 1.9.1 by its C interface, under a class that owns a handle.
#include "library.hpp"

#include <mxnet/c_api.h>
#include <nnvm/c_api.h>

#include <initializer_list>
#include <stdexcept>

namespace
{

void must(int status)
{
    if (status != 0)
        throw std::runtime_error(MXGetLastError());
}

class ndarray
{
  public:
    explicit ndarray(NDArrayHandle handle) : handle_(handle) {}
    ndarray(ndarray &&other) noexcept : handle_(other.handle_)
    {
        other.handle_ = nullptr;
    }
    ndarray &operator=(ndarray &&other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~ndarray()
    {
        if (handle_ != nullptr)
            MXNDArrayFree(handle_);
    }
    NDArrayHandle handle() const
    {
        return handle_;
    }

  private:
    NDArrayHandle handle_;
};

class operation
{
  public:
    explicit operation(const char *name)
    {
        must(NNGetOpHandle(name, &op_));
    }
    ndarray operator()(std::initializer_list<NDArrayHandle> inputs,
                       const char *scalar = nullptr) const
    {
        const char *key = "scalar";
        int count = 0;
        NDArrayHandle *outputs = nullptr;
        must(MXImperativeInvoke(op_, static_cast<int>(inputs.size()),
                                const_cast<NDArrayHandle *>(inputs.begin()), &count, &outputs,
                                scalar != nullptr, &key, &scalar));
        return ndarray(outputs[0]);
    }

  private:
    OpHandle op_ = nullptr;
};

} // namespace

struct library {
    using vector = ndarray;
    using matrix = ndarray;

    static std::string about()
    {
        int version = 0;
        must(MXGetVersion(&version));
        return "MXNet " + std::to_string(version / 10000) + "." +
               std::to_string(version / 100 % 100) + "." + std::to_string(version % 100) +
               ", C interface";
    }
    static ndarray make_shaped(const float *elements, std::vector<uint32_t> shape)
    {
        constexpr int cpu = 1, float32 = 0;
        size_t count = 1;
        NDArrayHandle made = nullptr;
        must(MXNDArrayCreateEx(shape.data(), static_cast<uint32_t>(shape.size()), cpu, 0, 0,
                               float32, &made));
        for (uint32_t length : shape)
            count *= length;
        must(MXNDArraySyncCopyFromCPU(made, elements, count));
        return ndarray(made);
    }
    static ndarray make(const float *elements, int64_t length)
    {
        return make_shaped(elements, {static_cast<uint32_t>(length)});
    }
    static ndarray make(const float *elements, int64_t rows, int64_t columns)
    {
        return make_shaped(elements, {static_cast<uint32_t>(rows), static_cast<uint32_t>(columns)});
    }
    static ndarray add(const ndarray &x)
    {
        static const operation plus("_plus_scalar");
        return plus({x.handle()}, "1");
    }
    static ndarray chain(const ndarray &b)
    {
        static const operation times("elemwise_mul"), plus_scalar("_plus_scalar"), relu("relu"),
            times_scalar("_mul_scalar"), minus("elemwise_sub"), exp("exp"), plus("elemwise_add");
        ndarray y = times({b.handle(), b.handle()});
        y = plus_scalar({y.handle()}, "2");
        y = relu({y.handle()});
        y = times_scalar({y.handle()}, "0.5");
        y = minus({y.handle(), b.handle()});
        y = times_scalar({y.handle()}, "0.01");
        y = exp({y.handle()});
        return plus({y.handle(), b.handle()});
    }
    static ndarray index(const ndarray &x)
    {
        NDArrayHandle made = nullptr;
        must(MXNDArrayAt(x.handle(), 0, &made));
        return ndarray(made);
    }
    static ndarray slice(const ndarray &x)
    {
        NDArrayHandle made = nullptr;
        must(MXNDArraySlice(x.handle(), 1, 2, &made));
        return ndarray(made);
    }
    static void wait(const ndarray &y)
    {
        must(MXNDArrayWaitToRead(y.handle()));
    }
    static void finish(const ndarray &)
    {
        must(MXNDArrayWaitAll());
    }
    static size_t count_of(const ndarray &y)
    {
        int ndim = 0;
        const int *shape = nullptr;
        size_t count = 1;
        must(MXNDArrayGetShapeEx(y.handle(), &ndim, &shape));
        for (int i = 0; i < ndim; i++)
            count *= static_cast<size_t>(shape[i]);
        return count;
    }
    static std::vector<float> values(const ndarray &y)
    {
        std::vector<float> elements(count_of(y));
        must(MXNDArraySyncCopyToCPU(y.handle(), elements.data(), elements.size()));
        return elements;
    }
};

int main(int argc, char **argv)
{
    return bench::serve<library>(argc, argv);
}
