// snapshot: the elements of an array at one time, as a std::span. It owns or shares what it shows, so
// that later writes to the array do not change it.
#ifndef PENSTOCK_READ_HPP
#define PENSTOCK_READ_HPP

#include <penstock/array.hpp>

#include <iosfwd>
#include <span>
#include <vector>
#if __has_include(<version>)
#include <version>
#endif
#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif

namespace penstock
{

namespace detail
{

// DLPack's versioned struct, version 1.
struct dlpack_tensor {
    uint32_t major, minor;
    void *context;
    void (*deleter)(dlpack_tensor *self);
    uint64_t flags;
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};

// Whether the elements lie side by side, the last dimension fastest.
inline bool is_row_major(const dlpack_tensor &tensor)
{
    int64_t expected = 1;
    if (tensor.strides == nullptr)
        return true;
    for (int32_t i = tensor.ndim; i-- > 0;) {
        if (tensor.shape[i] == 0)
            return true;
        if (tensor.shape[i] != 1 && tensor.strides[i] != expected)
            return false;
        expected *= tensor.shape[i];
    }
    return true;
}

} // namespace detail

template <element T> class snapshot
{
  public:
    explicit snapshot(const array &x, location at = location())
    {
        ps_tensor *tensor = x.checked(at);
        detail::check_type<T>(tensor, "read", at);
        size_ = static_cast<size_t>(ps_tensor_count(tensor));
        const int64_t *lengths = ps_tensor_shape(tensor);
        shape_.assign(lengths, lengths + ps_tensor_ndim(tensor));
        DLManagedTensorVersioned *managed = nullptr;
        detail::check(ps_tensor_to_dlpack(tensor, &managed), at.id());
        shared_ = reinterpret_cast<detail::dlpack_tensor *>(managed);
        if (detail::is_row_major(*shared_)) {
            data_ = reinterpret_cast<const T *>(static_cast<const char *>(shared_->data) +
                                                shared_->byte_offset);
            return;
        }
        struct guard { // if there is no memory for the copy
            snapshot *self;
            ~guard()
            {
                self->release();
            }
        } owner{this};
        copy_ = new T[size_];
        data_ = copy_;
        copy_elements(copy_, static_cast<const char *>(shared_->data) + shared_->byte_offset, 0);
    }
    snapshot(snapshot &&other) noexcept
        : data_(other.data_), size_(other.size_),
          shape_(static_cast<std::vector<int64_t> &&>(other.shape_)), shared_(other.shared_),
          copy_(other.copy_)
    {
        other.forget();
    }
    snapshot &operator=(snapshot &&other) noexcept
    {
        if (this != &other) {
            release();
            delete[] copy_;
            data_ = other.data_;
            size_ = other.size_;
            shape_ = static_cast<std::vector<int64_t> &&>(other.shape_);
            shared_ = other.shared_;
            copy_ = other.copy_;
            other.forget();
        }
        return *this;
    }
    ~snapshot()
    {
        release();
        delete[] copy_;
    }

    // The last dimension fastest. It also is a range itself, of which a std::span can be made.
    std::span<const T> span() const noexcept
    {
        return {data_, size_};
    }
    std::span<const int64_t> shape() const noexcept
    {
        return shape_;
    }
    const T *data() const noexcept
    {
        return data_;
    }
    size_t size() const noexcept
    {
        return size_;
    }
    const T *begin() const noexcept
    {
        return data_;
    }
    const T *end() const noexcept
    {
        return data_ + size_;
    }
    const T &operator[](size_t i) const noexcept
    {
        return data_[i];
    }
#if defined(__cpp_lib_mdspan)
    template <size_t Rank> auto mdspan(location at = location()) const
    {
        if (shape_.size() != Rank)
            detail::raise_own(PS_ERROR_VALUE,
                              "mdspan of " + std::to_string(Rank) + " dimensions: the array has " +
                                  std::to_string(shape_.size()),
                              "read", at.id());
        std::array<int64_t, Rank> lengths;
        for (size_t i = 0; i < Rank; i++)
            lengths[i] = shape_[i];
        return std::mdspan<const T, std::dextents<int64_t, Rank>>(data_, lengths);
    }
#endif

  private:
    T *copy_elements(T *to, const char *from, int32_t axis) const
    {
        const int64_t step = static_cast<int64_t>(sizeof(T));
        if (axis == shared_->ndim) {
            *to = *reinterpret_cast<const T *>(from);
            return to + 1;
        }
        for (int64_t i = 0; i < shared_->shape[axis]; i++)
            to = copy_elements(to, from + i * shared_->strides[axis] * step, axis + 1);
        return to;
    }

    void release() noexcept
    {
        if (shared_ != nullptr)
            shared_->deleter(shared_);
        shared_ = nullptr;
    }
    void forget() noexcept
    {
        data_ = nullptr;
        size_ = 0;
        shared_ = nullptr;
        copy_ = nullptr;
    }

    const T *data_ = nullptr;
    size_t size_ = 0;
    std::vector<int64_t> shape_;
    detail::dlpack_tensor *shared_ = nullptr; // what shows the array's own memory; or
    T *copy_ = nullptr;                       // elements of our own
};

// Waits, and writes the library's text.
template <class Traits>
std::basic_ostream<char, Traits> &operator<<(std::basic_ostream<char, Traits> &stream,
                                             const array &x)
{
    return stream << x.text(location::unknown()).c_str();
}

} // namespace penstock

#endif
