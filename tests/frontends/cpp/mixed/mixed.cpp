// A C++ program as other languages of the process see it: handles go in and out.
#include <penstock.hpp>

#include <cstring>

#define EXPORT extern "C" [[gnu::visibility("default")]]

// What C++ saw of an error: of which class the exception was, and its members.
struct mixed_error {
    char kind[32], text[1000], operation[64], file[500];
    unsigned line;
};

namespace
{

template <size_t N> void copy(char (&to)[N], const char *from)
{
    std::strncpy(to, from, N - 1);
}

const char *kind_of(const ps::error &error)
{
    return dynamic_cast<const std::out_of_range *>(&error) != nullptr       ? "out_of_range"
           : dynamic_cast<const std::invalid_argument *>(&error) != nullptr ? "invalid"
                                                                            : "other";
}

// Runs it; false, and what went wrong, if it throws.
template <class Call> bool guarded(mixed_error *seen, Call call)
{
    *seen = {};
    try {
        call();
        return true;
    } catch (const ps::error &error) {
        copy(seen->kind, kind_of(error));
        copy(seen->text, error.what());
        copy(seen->operation, error.operation());
        copy(seen->file, error.file());
        seen->line = error.line();
        return false;
    }
}

// The handle, which the caller owns.
ps_tensor *give(const ps::array &x)
{
    ps_tensor_retain(x.handle());
    return x.handle();
}

} // namespace

EXPORT ps_tensor *mixed_take(ps_tensor *x, ps_tensor *places, unsigned *line)
{
    *line = __LINE__ + 1;
    return give(ps::take(ps::array::share(x), ps::array::share(places)));
}

EXPORT ps_tensor *mixed_operator(ps_tensor *x, ps_tensor *places, unsigned *line)
{
    ps::array all = ps::array::share(x), some = ps::array::share(places);
    *line = __LINE__ + 1;
    return give(all(some) * 2);
}

EXPORT bool mixed_wait(ps_tensor *x, mixed_error *seen)
{
    return guarded(seen, [&] { ps::array::share(x).wait(); });
}

// A row by its name, whoever has added it.
EXPORT ps_tensor *mixed_call(const char *name, ps_tensor *x, mixed_error *seen)
{
    ps::array result;
    bool done = guarded(seen, [&] { result = ps::call(name, ps::array::share(x)); });
    return done ? give(result) : nullptr;
}

// Rows that C++ adds: by an expression, by functions.
EXPORT bool mixed_add_expression(const char *name, mixed_error *seen)
{
    return guarded(seen, [&] { ps::register_op(name, "x", "x * x + 1"); });
}

EXPORT bool mixed_add_functions(const char *name, mixed_error *seen)
{
    auto rule = [](auto inputs, auto) {
        return ps::result_form{inputs[0].dtype(), ps::ints(inputs[0].shape())};
    };
    auto kernel = [](auto inputs, auto, ps::block output) {
        auto from = inputs[0].template span<const float>();
        auto to = output.span<float>();
        for (size_t i = 0; i < to.size(); i++) {
            if (from[i] < 0)
                throw std::domain_error("negative");
            to[i] = from[i] * 3;
        }
    };
    return guarded(seen, [&] { ps::register_op(name, "x", rule, kernel); });
}
