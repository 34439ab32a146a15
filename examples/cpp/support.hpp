// What the programs of this folder share beside penstock.hpp: their command line, a clock, and the exact
// value of an array as text, by which programs in several languages are compared.
#ifndef EXAMPLES_SUPPORT_HPP
#define EXAMPLES_SUPPORT_HPP

#include <penstock.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// [--digest] [size]
struct arguments {
    std::int64_t size;
    bool digest = false;

    arguments(int argc, char **argv, std::int64_t usual_size = 1) : size(usual_size)
    {
        for (int i = 1; i < argc; i++) {
            if (std::strcmp(argv[i], "--digest") == 0)
                digest = true;
            else if ((size = std::atoll(argv[i])) < 1)
                std::fprintf(stderr, "usage: %s [--digest] [size]\n", argv[0]), std::exit(2);
        }
    }
};

// How long a function takes.
template <class Work> double milliseconds(Work work)
{
    auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

// A line with the bytes of all elements, in hexadecimal. Waits.
inline void print_digest(const char *name, const ps::array &x)
{
    auto elements = x.read<float>();
    std::printf("digest %s ", name);
    for (std::byte byte : std::as_bytes(elements.span()))
        std::printf("%02x", static_cast<unsigned>(byte));
    std::printf("\n");
}

#endif
