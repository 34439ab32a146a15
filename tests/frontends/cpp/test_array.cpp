// Arrays from lists, ranges, memory; copies, moves, empty ones; what is asked without waiting.
#include <penstock.hpp>

#include <doctest/doctest.h>
#include <complex>
#include <list>

namespace
{

template <class Call> std::string text_of(Call call)
{
    try {
        call();
    } catch (const ps::invalid &error) {
        return error.what();
    }
    return "nothing was thrown";
}

} // namespace

TEST_CASE("literals are float32, int64, bool and complex64")
{
    CHECK(ps::array{1, 2}.dtype() == ps::int64);
    CHECK(ps::array{1.0, 2.0}.dtype() == ps::float32);
    CHECK(ps::array{1, 2.5f}.dtype() == ps::float32);
    CHECK(ps::array{true, false}.dtype() == ps::bool_);
    CHECK(ps::array{true, 2}.dtype() == ps::int64);
    CHECK(ps::array{std::complex<double>(1, 2), 3}.dtype() == ps::complex64);
    CHECK(ps::array(2.5).dtype() == ps::float32);
    CHECK(ps::array(2).dtype() == ps::int64);
    CHECK(ps::array(true).dtype() == ps::bool_);
    CHECK(ps::array(std::complex<float>(1, 2)).dtype() == ps::complex64);
    CHECK(ps::array(2.5).ndim() == 0);
    CHECK(ps::array({{1, 2}, {3, 4}}, ps::float64).to_vector<double>() ==
          std::vector<double>{1, 2, 3, 4});
    CHECK(ps::array({1, 255}, ps::uint8).to_vector<uint8_t>() == std::vector<uint8_t>{1, 255});
    CHECK(ps::array({0.1}, ps::float64).item<double>() == 0.1);
    CHECK(ps::array({UINT64_MAX}, ps::uint64).item<uint64_t>() == UINT64_MAX);
}

TEST_CASE("nested lists have a shape")
{
    ps::array x{{{1, 2}, {3, 4}, {5, 6}}};
    CHECK(x.shape() == std::vector<int64_t>{1, 3, 2});
    CHECK(x.to_vector<int64_t>() == std::vector<int64_t>{1, 2, 3, 4, 5, 6});
    CHECK(x.size() == 6);
    CHECK(x.ndim() == 3);
    CHECK(x.shape(-1) == 2);
    CHECK_THROWS_AS(x.shape(3), ps::wrong_axis);
}

TEST_CASE("lists that are ragged, empty or mixed")
{
    CHECK(text_of([] {
              ps::array{{1, 2}, {3}};
          }) == "lists in braces of dimension 1 have 2 and 1 elements: all must have one length");
    CHECK(text_of([] {
              ps::array{{1, 2}, 3};
          }) == "a list in braces of dimension 0 has numbers and lists beside each other");
    CHECK(text_of([] {
              ps::array{1, {2, 3}};
          }) == "a list in braces of dimension 0 has numbers and lists beside each other");
    CHECK(ps::array({{}, {}}).shape() == std::vector<int64_t>{2, 0});
    CHECK(ps::array(std::vector<float>()).shape() == std::vector<int64_t>{0});
}

TEST_CASE("numbers that do not fit")
{
    CHECK(text_of([] { ps::array({1, 300}, ps::uint8); }) == "300 does not fit uint8");
    CHECK(text_of([] { ps::array({-129}, ps::int8); }) == "-129 does not fit int8");
    CHECK(text_of([] { ps::array({-1}, ps::uint64); }) == "-1 does not fit uint64");
    CHECK(text_of([] { ps::array({1.5}, ps::int32); }) == "1.500000 does not fit int32");
    CHECK(text_of([] { ps::array{UINT64_MAX}; }) == "18446744073709551615 does not fit int64");
    CHECK(text_of([] { ps::ones({UINT64_MAX}); }) ==
          "18446744073709551615 is too large for an integer of 64 bits");
    CHECK(ps::array({-128, 127}, ps::int8).to_vector<int8_t>() == std::vector<int8_t>{-128, 127});
    CHECK_THROWS_AS(ps::ones(std::vector<int>(40, 1)), ps::invalid);
    CHECK_THROWS_AS(ps::ones({2, -3}), ps::invalid);
}

TEST_CASE("ranges keep their type, and are copied at the call")
{
    std::vector<double> v{1, 2, 3, 4};
    ps::array x(v), y(v, {2, 2});
    v.assign(4, 0);
    CHECK(x.to_vector<double>() == std::vector<double>{1, 2, 3, 4});
    CHECK(y.shape() == std::vector<int64_t>{2, 2});
    CHECK(ps::array(std::list<int16_t>{1, 2}).dtype() == ps::int16);
    CHECK(ps::array(std::vector<bool>{true, false}).to_vector<bool>() ==
          std::vector<bool>{true, false});
    const uint32_t plain[] = {7, 8};
    CHECK(ps::array(plain).to_vector<uint32_t>() == std::vector<uint32_t>{7, 8});
    CHECK(ps::array(std::span<const uint32_t>(plain)).dtype() == ps::uint32);
    CHECK(ps::array(std::array<std::complex<double>, 1>{}).dtype() == ps::complex128);
    CHECK(text_of([&] { ps::array(v, {3, 2}); }) == "4 elements cannot have the shape (3, 2)");
    CHECK(text_of([&] { ps::array(v, {-2, -2}); }) == "4 elements cannot have the shape (-2, -2)");
}

TEST_CASE("copies share, moves are free, empty arrays say so")
{
    ps::array x{1.0, 2.0}, y = x;
    y += 1;
    CHECK(x.to_vector<float>() == std::vector<float>{2, 3});
    CHECK(x.shares(y));
    ps::array z = std::move(y);
    y = z;
    CHECK(y.shares(z));
    y = std::move(z);
    ps::array &self = y;
    y = self;
    CHECK(y.to_vector<float>() == std::vector<float>{2, 3});
}

TEST_CASE("what an operation is given up goes when it is queued, not at the end of the expression")
{
    const ps::array one{1.0, 2.0}, three{1.0, 2.0, 3.0};
    ps::array x = one + 1, y = one * 2, kept = y;
    CHECK((std::move(x) + std::move(y)).to_vector<float>() == std::vector<float>{4, 7});
    CHECK(x.is_empty_handle());
    CHECK(y.is_empty_handle());
    CHECK(kept.to_vector<float>() == std::vector<float>{2, 4});

    ps::array z = kept;
    z += std::move(kept);
    CHECK(kept.is_empty_handle());
    CHECK(ps::exp(std::move(z)).size() == 2);
    CHECK(z.is_empty_handle());

    ps::array other = three;
    CHECK_THROWS_AS(std::move(other) + one, ps::invalid);
    CHECK(other.size() == 3);
}

TEST_CASE("DLPack, out and in")
{
    ps::array x{{1.0, 2.0}, {3.0, 4.0}};
    auto y = ps::array::from_dlpack(x.to_dlpack());
    x += 1;
    CHECK(y.to_vector<float>() == std::vector<float>{1, 2, 3, 4});
    y += 10;
    CHECK(y.to_vector<float>() == std::vector<float>{11, 12, 13, 14});
    CHECK(x.to_vector<float>() == std::vector<float>{2, 3, 4, 5});
    CHECK_THROWS_AS(ps::array::from_dlpack(nullptr), ps::invalid);
}

TEST_CASE("empty arrays are refused by name")
{
    ps::array none, x{1, 2}, moved = std::move(x);
    const char *text = "the array is empty: it was never given a value, or was moved from";
    CHECK(text_of([&] { none.wait(); }) == text);
    CHECK(text_of([&] { none.shape(); }) == text);
    CHECK(text_of([&] { none.dtype(); }) == text);
    CHECK(text_of([&] { none(0); }) == text);
    CHECK(text_of([&] { none += 1; }) == text);
    CHECK(text_of([&] { moved(0) = none; }) == text);
    CHECK(text_of([&] { none.text(); }) == text);
    CHECK(text_of([&] { x.item<int64_t>(); }) == text);
    CHECK(text_of([&] { none + 1; }) == "add: x1 is an empty array: it was never given a value, "
                                        "or was moved from");
    CHECK(text_of([&] { 1 - x; }) == "subtract: x2 is an empty array: it was never given a value, "
                                     "or was moved from");
    CHECK(text_of([&] {
              ps::concatenate({moved, none});
          }) ==
          "concatenate: tensors is an empty array: it was never given a value, or was moved from");
    CHECK(text_of([&] { ps::nn::linear(moved, moved, {.bias = none}); }) ==
          "linear: bias is an empty array: it was never given a value, or was moved from");
    swap(none, moved);
    CHECK(none.size() == 2);
    CHECK(moved.is_empty_handle());
}
