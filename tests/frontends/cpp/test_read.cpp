// Reading: items, vectors, snapshots; a wrong type is an error.
#include <penstock.hpp>

#include <doctest/doctest.h>
#include <complex>

TEST_CASE("a wrong T is refused, with both types")
{
    ps::array x{1.0, 2.0};
    CHECK_THROWS_WITH_AS(x.to_vector<double>(),
                         "to_vector<T>: T is float64, the elements are float32", ps::wrong_type);
    CHECK_THROWS_WITH_AS(x(0).item<int>(), "item<T>: T is int32, the elements are float32",
                         std::invalid_argument);
    CHECK_THROWS_WITH_AS(x.read<uint32_t>(), "read<T>: T is uint32, the elements are float32",
                         ps::wrong_type);
    CHECK_THROWS_AS(x.item<float>(), ps::error);
}

TEST_CASE("every type of elements goes in and out")
{
    auto same = []<class T>(T one, T two) {
        std::vector<T> values{one, two};
        ps::array x(values);
        CHECK(x.dtype() == ps::dtype_of<T>);
        CHECK(x.to_vector<T>() == values);
        CHECK(x(1).template item<T>() == two);
        auto snapshot = x.template read<T>();
        CHECK(snapshot[1] == two);
    };
    same(true, false);
    same(int8_t(1), int8_t(-2));
    same(int16_t(1), int16_t(-2));
    same(int32_t(1), int32_t(-2));
    same(int64_t(1), int64_t(-2));
    same(uint8_t(1), uint8_t(2));
    same(uint16_t(1), uint16_t(2));
    same(uint32_t(1), uint32_t(2));
    same(uint64_t(1), UINT64_MAX);
    same(1.5f, -0.0f);
    same(1.5, 1e300);
    same(std::complex<float>(1, 2), std::complex<float>(3, 4));
    same(std::complex<double>(1, 2), std::complex<double>(3, 4));
    same(ps::half_bits{0x3c00}, ps::half_bits{0x4000});
    same(ps::bfloat_bits{0x3f80}, ps::bfloat_bits{0x4000});
    CHECK((ps::array(std::vector{ps::half_bits{0x3c00}}) + 1).item<ps::half_bits>().bits == 0x4000);
}

TEST_CASE("a snapshot never changes")
{
    ps::array x{{1.0, 2.0}, {3.0, 4.0}};
    ps::snapshot<float> now = x.read<float>();
    auto turned = x.T().read<float>();
    auto part = x(ps::slice(), 1).read<float>();
    x += 10;
    x(0, 0) = 0;
    x.wait();
    std::span<const float> span = now;
    CHECK(std::vector<float>(span.begin(), span.end()) == std::vector<float>{1, 2, 3, 4});
    CHECK(std::vector<float>(turned.begin(), turned.end()) == std::vector<float>{1, 3, 2, 4});
    CHECK(std::vector<float>(part.begin(), part.end()) == std::vector<float>{2, 4});
    CHECK(now.shape().size() == 2);
    ps::snapshot<float> moved = std::move(now);
    x = ps::array();
    CHECK(moved[3] == 4.0f);
    moved = std::move(turned);
    CHECK(moved[1] == 3.0f);
    CHECK(ps::ones({0, 3}).read<float>().size() == 0);
    CHECK(ps::array(2.5).read<float>()[0] == 2.5f);
}
