// What programs in C++ share: lines about results and errors.
#ifndef LANGUAGES_SUPPORT_HPP
#define LANGUAGES_SUPPORT_HPP

#include "sha256.h"

#include <penstock.hpp>

#include <complex>
#include <cstdio>

inline int program_seed, statement; // that runs

inline void say(const char *what)
{
    std::printf("%d.%d %s", program_seed, statement, what);
}

inline void say_error(const ps::error &error)
{
    static const char *const kinds[] = {"runtime", "value",   "type", "index",
                                        "memory",  "timeout", "value"};
    say("error ");
    std::printf("%s: %s\n", kinds[error.kind()], error.what());
}

template <class T> std::string digest(const ps::array &x)
{
    char text[65];
    sha256 all;
    sha256_begin(&all);
    auto elements = x.read<T>();
    sha256_add(&all, elements.data(), elements.size() * sizeof(T));
    sha256_text(&all, text);
    return text;
}

inline std::string digest_of(const ps::array &x)
{
    switch (x.dtype()) {
    case ps::bool_:
        return digest<bool>(x);
    case ps::int8:
        return digest<std::int8_t>(x);
    case ps::int16:
        return digest<std::int16_t>(x);
    case ps::int32:
        return digest<std::int32_t>(x);
    case ps::int64:
        return digest<std::int64_t>(x);
    case ps::uint8:
        return digest<std::uint8_t>(x);
    case ps::uint16:
        return digest<std::uint16_t>(x);
    case ps::uint32:
        return digest<std::uint32_t>(x);
    case ps::uint64:
        return digest<std::uint64_t>(x);
    case ps::float16:
        return digest<ps::half_bits>(x);
    case ps::bfloat16:
        return digest<ps::bfloat_bits>(x);
    case ps::float32:
        return digest<float>(x);
    case ps::float64:
        return digest<double>(x);
    case ps::complex64:
        return digest<std::complex<float>>(x);
    default:
        return digest<std::complex<double>>(x);
    }
}

inline void show(const ps::array &x)
{
    std::string text = digest_of(x);
    say(ps::name(x.dtype()));
    std::printf(" (");
    for (auto length : x.shape())
        std::printf("%lld,", static_cast<long long>(length));
    std::printf(") %.32s\n", text.c_str());
}

inline void keep_gradient(ps::array &slot, const ps::array &gradient)
{
    if (gradient.is_empty_handle())
        say("no gradient\n");
    else
        slot = gradient;
}

// A gradient that nothing flows to is zeros.
inline ps::array zeros_if_none(const ps::array &gradient, const ps::array &like)
{
    return gradient.is_empty_handle() ? ps::zeros(like.shape(), {.dtype = like.dtype()}) : gradient;
}

#endif
