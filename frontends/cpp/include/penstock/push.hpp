// Functions of the program as tasks, and operations of its own.
//
//     auto y = ps::empty({2, 3});
//     ps::push({x}, {y}, [](auto reads, auto writes) {
//         auto from = reads[0].template span<const float>();
//         ...
//     });
//
// The function runs on a worker when what it reads is there. An exception marks what it writes: who
// waits for that, or for what is computed from it, gets the text.
#ifndef PENSTOCK_PUSH_HPP
#define PENSTOCK_PUSH_HPP

#include <penstock/call.hpp>
#include <penstock/read.hpp>

namespace penstock
{

// The elements of an array in a task.
class block
{
  public:
    block(const ps_view &view, bool writable) noexcept : view_(view), writable_(writable) {}
    penstock::dtype dtype() const noexcept
    {
        return static_cast<penstock::dtype>(view_.dtype);
    }
    std::span<const int64_t> shape() const noexcept
    {
        return {view_.shape, static_cast<size_t>(view_.ndim)};
    }
    // In bytes.
    std::span<const int64_t> strides() const noexcept
    {
        return {view_.strides, static_cast<size_t>(view_.ndim)};
    }
    size_t size() const noexcept
    {
        size_t count = 1;
        for (int64_t length : shape())
            count *= static_cast<size_t>(length);
        return count;
    }
    bool is_contiguous() const noexcept
    {
        int64_t expected = static_cast<int64_t>(ps_dtype_bytes(view_.dtype));
        for (int i = view_.ndim; i-- > 0;) {
            if (view_.shape[i] != 1 && view_.strides[i] != expected && size() != 0)
                return false;
            expected *= view_.shape[i];
        }
        return true;
    }
    // All elements, the last dimension fastest: of a `const T` what is read, of a T what is written.
    // Throws if T is not the element type, or if they do not lie side by side.
    template <class T>
    requires element<T> std::span<T> span()
    const
    {
        check<T>();
        if (!is_contiguous())
            detail::raise_own(PS_ERROR_VALUE,
                              "the elements do not lie side by side: use at<T>(), or copy()");
        return {static_cast<T *>(view_.data), size()};
    }
    // One element, by its position in each dimension.
    template <class T, std::integral... Positions>
    requires element<T> T &at(Positions... positions) const
    {
        check<T>();
        const int64_t list[sizeof...(Positions) + 1] = {static_cast<int64_t>(positions)...};
        int64_t offset = 0;
        if (sizeof...(Positions) != static_cast<size_t>(view_.ndim))
            detail::raise_own(PS_ERROR_INDEX, std::to_string(sizeof...(Positions)) +
                                                  " positions for " + std::to_string(view_.ndim) +
                                                  " dimensions");
        for (int i = 0; i < view_.ndim; i++) {
            if (list[i] < 0 || list[i] >= view_.shape[i])
                detail::raise_own(PS_ERROR_INDEX, "position " + std::to_string(list[i]) +
                                                      " is out of range for a dimension of " +
                                                      std::to_string(view_.shape[i]));
            offset += list[i] * view_.strides[i];
        }
        return *reinterpret_cast<T *>(static_cast<char *>(view_.data) + offset);
    }

  private:
    template <class T> void check() const
    {
        if (dtype() != dtype_of<T>)
            detail::raise_own(PS_ERROR_TYPE, std::string("T is ") + name(dtype_of<T>) +
                                                 ", the elements are " + name(dtype()));
        if (!std::is_const_v<T> && !writable_)
            detail::raise_own(PS_ERROR_VALUE, "what is read cannot be written: T must be const");
    }

    ps_view view_;
    bool writable_;
};

namespace detail
{

// An exception as the error of the task that it was thrown in.
inline ps_status fail_with_exception() noexcept
{
    try {
        throw;
    } catch (const error &one) {
        return ps_op_fail(one.status() == PS_ERR_MEMORY ? PS_ERR_TASK : one.status(), "%s",
                          one.what());
    } catch (const std::exception &one) {
        return ps_op_fail(PS_ERR_TASK, "%s", one.what());
    } catch (...) {
        return ps_op_fail(PS_ERR_TASK, "an exception that is no std::exception");
    }
}

enum { PUSH_READS = 6 }; // an operation has eight arguments: the function, a number and these

// What one push needs while it is queued. It lives in the memory of an array, which the library gives
// back when no task needs it any more, whether the function has run or not.
struct pushed {
    virtual ~pushed() = default;
    virtual void run(std::span<const block> reads, std::span<const block> writes) = 0;

    struct form {
        ps_dtype dtype;
        std::vector<int64_t> shape, strides; // in bytes
        size_t bytes;
    };

    dlpack_tensor tensor = {};
    pushed *self = this;
    int64_t length = 1;
    std::vector<form> forms;                // of what is written
    std::vector<std::vector<char>> results; // of all but the first, until they are copied
};

template <class Function> struct pushed_function final : pushed {
    explicit pushed_function(Function &&f) : function(static_cast<Function &&>(f)) {}
    void run(std::span<const block> reads, std::span<const block> written) override
    {
        function(reads, written);
    }
    Function function;
};

inline pushed *pushed_of(const ps_view &view)
{
    return *static_cast<pushed **>(view.data);
}

inline ps_status push_rule(void *, const ps_view *, size_t, const ps_scalar *numbers, size_t,
                           ps_dtype *type, int *ndim, int64_t *shape)
{
    ps_tensor *output = reinterpret_cast<ps_tensor *>(static_cast<intptr_t>(numbers[0].as.i));
    *type = ps_tensor_dtype(output);
    *ndim = ps_tensor_ndim(output);
    for (int i = 0; i < *ndim; i++)
        shape[i] = ps_tensor_shape(output)[i];
    return PS_OK;
}

inline ps_status push_kernel(void *, const ps_view *inputs, size_t ninputs, const ps_scalar *,
                             size_t, const ps_view *output)
{
    try {
        pushed *self = pushed_of(inputs[0]);
        std::vector<block> reads, writes;
        for (size_t i = 1; i < ninputs; i++)
            reads.emplace_back(inputs[i], false);
        writes.emplace_back(*output, true);
        self->results.resize(self->forms.size());
        for (size_t i = 1; i < self->forms.size(); i++) {
            const pushed::form &form = self->forms[i];
            ps_view view = {};
            self->results[i].resize(form.bytes);
            view.dtype = form.dtype;
            view.ndim = static_cast<int>(form.shape.size());
            view.shape = form.shape.data();
            view.strides = form.strides.data();
            view.data = self->results[i].data();
            writes.emplace_back(view, true);
        }
        self->run(reads, writes);
        return PS_OK;
    } catch (...) {
        return fail_with_exception();
    }
}

// The other results, after the first.
inline ps_status push_copy_kernel(void *, const ps_view *inputs, size_t, const ps_scalar *numbers,
                                  size_t, const ps_view *output)
{
    const std::vector<char> &result =
        pushed_of(inputs[0])->results[static_cast<size_t>(numbers[1].as.i)];
    char *to = static_cast<char *>(output->data);
    for (size_t i = 0; i < result.size(); i++)
        to[i] = result[i];
    return PS_OK;
}

inline const ps_op *find_or_register(const ps_op_def &def, location at)
{
    const ps_op *found = nullptr;
    if (ps_op_find(def.name, &found) != PS_OK && ps_op_register(&def, &found) != PS_OK)
        check(ps_op_find(def.name, &found), at.id()); // another thread was faster
    return found;
}

// The row for pushes that read so many arrays.
inline const ps_op *push_row(size_t reads, bool copies, location at)
{
    std::string name = copies ? "cpp_push_copy" : "cpp_push_" + std::to_string(reads);
    std::string signature = "function, output: scalar";
    for (size_t i = 0; i < reads; i++)
        signature += ", x" + std::to_string(i + 1);
    if (copies)
        signature = "function, output: scalar, first, number: scalar";
    ps_op_def def = {};
    def.size = sizeof def;
    def.name = name.c_str();
    def.signature = signature.c_str();
    def.gradient = "no: it is a function of the program";
    def.doc = "A function of a C++ program.";
    def.rule = push_rule;
    def.kernel = copies ? push_copy_kernel : push_kernel;
    return find_or_register(def, at);
}

inline pushed::form form_of(ps_tensor *tensor)
{
    auto step = static_cast<int64_t>(ps_dtype_bytes(ps_tensor_dtype(tensor)));
    const int64_t *lengths = ps_tensor_shape(tensor);
    auto ndim = static_cast<size_t>(ps_tensor_ndim(tensor));
    pushed::form form = {ps_tensor_dtype(tensor), std::vector<int64_t>(lengths, lengths + ndim),
                         std::vector<int64_t>(ndim), 0};
    for (size_t i = ndim; i-- > 0; step *= lengths[i])
        form.strides[i] = step;
    form.bytes = static_cast<size_t>(step);
    return form;
}

// The array that owns the function from then on.
inline array pushed_array(pushed *self, location at)
{
    static_assert(sizeof(pushed *) == 8);
    self->tensor.major = 1;
    self->tensor.context = self;
    self->tensor.deleter = [](dlpack_tensor *tensor) {
        delete static_cast<pushed *>(tensor->context);
    };
    self->tensor.data = &self->self;
    self->tensor.device_type = 1; // the CPU
    self->tensor.ndim = 1;
    self->tensor.code = 1; // unsigned
    self->tensor.bits = 64;
    self->tensor.lanes = 1;
    self->tensor.shape = &self->length;
    ps_tensor *made = nullptr;
    check(ps_tensor_from_dlpack(reinterpret_cast<DLManagedTensorVersioned *>(&self->tensor), false,
                                &made),
          at.id(), "push");
    return array::adopt(made);
}

inline void queue_pushed(const array &function, const arrays &reads, const arrays &writes,
                         location at)
{
    std::vector<ps_arg> args = {ps_arg_tensor(function.handle()), ps_arg()};
    for (const array &one : reads)
        args.push_back(ps_arg_tensor(one.checked(at)));
    for (size_t i = 0; i < writes.size(); i++) {
        ps_tensor *output = writes[i].checked(at);
        args[1] = ps_arg_int(static_cast<int64_t>(reinterpret_cast<intptr_t>(output)));
        row found{"push", push_row(reads.size(), i != 0, at)};
        if (i != 0)
            args = {args[0], args[1], ps_arg_tensor(writes[0].handle()),
                    ps_arg_int(static_cast<int64_t>(i))};
        queue_into(found, args.data(), args.size(), at.id(), &output, 1);
    }
}

} // namespace detail

// Queues function(reads, writes), with a std::span of blocks for each list. All elements of `writes`,
// which are one array or more, must be written; what is in both lists is read as it was before. At most
// six arrays can be read.
template <class Function>
void push(const arrays &reads, const arrays &writes, Function function, location at = location())
{
    if (reads.size() > detail::PUSH_READS || writes.size() == 0)
        detail::raise_own(PS_ERROR_VALUE,
                          "push: " + std::to_string(reads.size()) + " arrays to read and " +
                              std::to_string(writes.size()) +
                              " to write; there must be at most 6, and at least 1",
                          "push", at.id());
    for (const array &one : reads)
        one.checked(at);
    auto *self = new detail::pushed_function<Function>(static_cast<Function &&>(function));
    struct guard {
        detail::pushed *self;
        ~guard()
        {
            delete self;
        }
    } owner{self};
    for (const array &one : writes)
        self->forms.push_back(detail::form_of(one.checked(at)));
    array held = detail::pushed_array(self, at);
    owner.self = nullptr;
    detail::queue_pushed(held, reads, writes, at);
}

// ---- Operations of the program's own -----------------------------------------------------------

struct register_options {
    const char *dtypes = "numeric"; // which element types it takes; as in docs/operations.md
    const char *result = "same";    // "same", "bool" or "real"
    const char *gradient = nullptr;
    const char *doc = nullptr;
    bool to_float = false; // integers and bool become float32
};

// An elementwise operation by an expression over the names of the signature: it is fused like any
// other, stays for the life of the process, and is called by name, in all languages.
//
//     ps::register_op("leaky", "x, slope: scalar = 0.5", "where(x >= 0, x, slope * x)");
inline void register_op(const char *op_name, const char *signature, const char *expression,
                        const register_options &options = {}, location at = location())
{
    ps_op_def def = {};
    def.size = sizeof def;
    def.name = op_name;
    def.signature = signature;
    def.expression = expression;
    def.dtypes = options.dtypes;
    def.result = options.result;
    def.gradient = options.gradient;
    def.doc = options.doc;
    def.to_float = options.to_float;
    detail::check(ps_op_register(&def, nullptr), at.id(), "register_op");
}

// What a rule says of a result.
struct result_form {
    penstock::dtype dtype;
    ints shape;
};

namespace detail
{

// Both functions of an operation: it is called for the life of the process.
template <class Rule, class Kernel> struct own_operation {
    Rule rule;
    Kernel kernel;

    static std::vector<block> blocks(const ps_view *views, size_t count)
    {
        std::vector<block> made;
        for (size_t i = 0; i < count; i++)
            made.emplace_back(views[i], false);
        return made;
    }
    static std::vector<double> doubles(const ps_scalar *numbers, size_t count)
    {
        std::vector<double> made;
        for (size_t i = 0; i < count; i++)
            made.push_back(
                numbers[i].tag == PS_SCALAR_DOUBLE   ? numbers[i].as.d
                : numbers[i].tag == PS_SCALAR_BOOL   ? numbers[i].as.b
                : numbers[i].tag == PS_SCALAR_UINT64 ? static_cast<double>(numbers[i].as.u)
                : numbers[i].tag == PS_SCALAR_INT64  ? static_cast<double>(numbers[i].as.i)
                                                     : numbers[i].as.z[0]);
        return made;
    }
    static ps_status run_rule(void *context, const ps_view *inputs, size_t ninputs,
                              const ps_scalar *numbers, size_t nnumbers, ps_dtype *type, int *ndim,
                              int64_t *shape)
    {
        try {
            auto reads = blocks(inputs, ninputs);
            auto values = doubles(numbers, nnumbers);
            result_form form =
                static_cast<own_operation *>(context)->rule(std::span<const block>(reads),
                                                            std::span<const double>(values));
            *type = static_cast<ps_dtype>(form.dtype);
            *ndim = static_cast<int>(form.shape.size());
            for (size_t i = 0; i < form.shape.size(); i++)
                shape[i] = form.shape.data()[i];
            return PS_OK;
        } catch (...) {
            return fail_with_exception();
        }
    }
    static ps_status run_kernel(void *context, const ps_view *inputs, size_t ninputs,
                                const ps_scalar *numbers, size_t nnumbers, const ps_view *output)
    {
        try {
            auto reads = blocks(inputs, ninputs);
            auto values = doubles(numbers, nnumbers);
            static_cast<own_operation *>(context)->kernel(std::span<const block>(reads),
                                                          std::span<const double>(values),
                                                          block(*output, true));
            return PS_OK;
        } catch (...) {
            return fail_with_exception();
        }
    }
};

} // namespace detail

// An operation by two functions, over arrays and numbers in the order of the signature:
//   rule(std::span<const block> inputs, std::span<const double> numbers) -> result_form, at the call,
//     where blocks have types and shapes alone;
//   kernel(inputs, numbers, block output), when the inputs are there, on any thread.
template <class Rule, class Kernel>
requires std::is_invocable_r_v<result_form, Rule &, std::span<const block>, std::span<const double>>
void register_op(const char *op_name, const char *signature, Rule rule, Kernel kernel,
                 const char *doc = nullptr, location at = location())
{
    using operation = detail::own_operation<Rule, Kernel>;
    auto *own =
        new operation{static_cast<Rule &&>(rule), static_cast<Kernel &&>(kernel)}; // for ever
    ps_op_def def = {};
    def.size = sizeof def;
    def.name = op_name;
    def.signature = signature;
    def.doc = doc;
    def.rule = operation::run_rule;
    def.kernel = operation::run_kernel;
    def.context = own;
    ps_status status = ps_op_register(&def, nullptr);
    if (status != PS_OK) {
        delete own;
        detail::check(status, at.id(), "register_op");
    }
}

} // namespace penstock

#endif
