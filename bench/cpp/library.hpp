// A library in the benchmark of C++: what all programs share. A library is a struct with
//
//   vector, matrix              arrays of float32 with one dimension and with two; may be the same
//   about()                     what it is
//   make(elements, length)      a vector
//   make(elements, rows, columns)
//   add(x)                      x + 1, a new array
//   chain(b)                    y = relu(b * b + 2) * 0.5 - b; y = exp(y * 0.01) + b
//   index(x), slice(x)          x(0), x(slice(1, 2)): views where the library has them
//   wait(y)                     until y's value is there
//   finish(y)                   until all that was asked for is; y is the last
//   values(y)                   the elements of whatever the others give
//
// Rows are named as in ../ops/ops.c, and inputs, digests, samples and answers are the same.
#ifndef BENCH_CPP_LIBRARY_HPP
#define BENCH_CPP_LIBRARY_HPP

#include "../common/answer.h"
#include "../common/inputs.h"

#include <string>
#include <vector>

namespace bench
{

constexpr int burst = 10000;
constexpr int64_t small_length = 2, large_length = 2000;

// The compiler must think that somebody looks at it.
template <class T> inline void keep(const T &made)
{
    asm volatile("" : : "r"(&made) : "memory");
}

inline std::vector<float> inputs(int64_t count)
{
    std::vector<float> elements(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; i++)
        elements[static_cast<size_t>(i)] = static_cast<float>(0.5 + input_unit(0, i));
    return elements;
}

// One number that depends on every element and where it lies.
inline double digest(const std::vector<float> &elements)
{
    double total = 0;
    for (size_t i = 0; i < elements.size(); i++)
        total += static_cast<double>(elements[i]) * digest_weight(static_cast<int64_t>(i));
    return total / static_cast<double>(elements.size());
}

template <class Library> struct rows {
    using vector = typename Library::vector;
    using matrix = typename Library::matrix;

    struct row {
        const char *name;
        void (*run)(const void *x);
        double (*check)(const void *x);
        bool is_large;
        int calls; // in one run: the value is for one of them
    };

    // ---- What is called ----
    struct add {
        template <class Array> static decltype(auto) call(const Array &x)
        {
            return Library::add(x);
        }
    };
    struct chain {
        static decltype(auto) call(const matrix &x)
        {
            return Library::chain(x);
        }
    };
    struct index {
        static decltype(auto) call(const vector &x)
        {
            return Library::index(x);
        }
    };
    struct slice {
        static decltype(auto) call(const vector &x)
        {
            return Library::slice(x);
        }
    };

    // ---- How ----
    template <class Call> static void run_many(const void *from)
    {
        const vector &x = *static_cast<const vector *>(from);
        for (int i = 0; i < burst - 1; i++)
            bench::keep(Call::call(x));
        Library::finish(Call::call(x));
    }
    template <class Call, class Array> static void run_one(const void *from)
    {
        Library::wait(Call::call(*static_cast<const Array *>(from)));
    }
    template <class Call, class Array> static double check(const void *from)
    {
        return digest(Library::values(Call::call(*static_cast<const Array *>(from))));
    }

    static const row *find(const std::string &name)
    {
        static constexpr row all[] = {
            {"queue.2.float32", run_many<add>, check<add, vector>, false, burst},
            {"wait.2.float32", run_one<add, vector>, check<add, vector>, false, 1},
            {"many_index.2.float32", run_many<index>, check<index, vector>, false, burst},
            {"many_slice.2.float32", run_many<slice>, check<slice, vector>, false, burst},
            {"add.2000x2000.float32", run_one<add, matrix>, check<add, matrix>, true, 1},
            {"chain.2000x2000.float32", run_one<chain, matrix>, check<chain, matrix>, true, 1},
        };
        for (const row &one : all)
            if (name == one.name)
                return &one;
        return nullptr;
    }

    static double measure(bool checks, const row &row, const void *x)
    {
        return checks ? row.check(x) : best_run_ns(row.run, x) / row.calls / 1e3;
    }

    static bool find_value(bool checks, const char *name, double *value)
    {
        const row *row = find(name);
        if (row == nullptr)
            return false;
        if (row->is_large) {
            matrix x = Library::make(inputs(large_length * large_length).data(), large_length,
                                     large_length);
            *value = measure(checks, *row, &x);
        } else {
            vector x = Library::make(inputs(small_length).data(), small_length);
            *value = measure(checks, *row, &x);
        }
        return true;
    }
};

template <class Library> int serve(int argc, char **argv)
{
    parse_seconds(argc, argv);
    answer_lines(Library::about().c_str(), rows<Library>::find_value);
    return 0;
}

} // namespace bench

#endif
