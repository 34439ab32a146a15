// Operators between arrays and numbers, and into arrays.
#include <penstock.hpp>

#include <doctest/doctest.h>
#include <complex>
#include <sstream>

using ints = std::vector<int64_t>;
using floats = std::vector<float>;

TEST_CASE("operators in every order of arrays and numbers")
{
    ps::array x{1, 2, 4}, y{3, 3, 3};
    CHECK((x + y).to_vector<int64_t>() == ints{4, 5, 7});
    CHECK((x - 1).to_vector<int64_t>() == ints{0, 1, 3});
    CHECK((2 - x).to_vector<int64_t>() == ints{1, 0, -2});
    CHECK((x * y).to_vector<int64_t>() == ints{3, 6, 12});
    CHECK((y / x).to_vector<float>() == floats{3, 1.5f, 0.75f});
    CHECK((x % 3).to_vector<int64_t>() == ints{1, 2, 1});
    CHECK((x & 6).to_vector<int64_t>() == ints{0, 2, 4});
    CHECK((x | 1).to_vector<int64_t>() == ints{1, 3, 5});
    CHECK((x ^ x).to_vector<int64_t>() == ints{0, 0, 0});
    CHECK((x << 2).to_vector<int64_t>() == ints{4, 8, 16});
    CHECK((x >> 1).to_vector<int64_t>() == ints{0, 1, 2});
    CHECK((1 << x).to_vector<int64_t>() == ints{2, 4, 16});
    CHECK((-x).to_vector<int64_t>() == ints{-1, -2, -4});
    CHECK((+x).to_vector<int64_t>() == ints{1, 2, 4});
    CHECK((~x).to_vector<int64_t>() == ints{-2, -3, -5});
    CHECK((x < 2).to_vector<bool>() == std::vector<bool>{true, false, false});
    CHECK((x <= 2).to_vector<bool>() == std::vector<bool>{true, true, false});
    CHECK((2 > x).to_vector<bool>() == std::vector<bool>{true, false, false});
    CHECK((x >= y).to_vector<bool>() == std::vector<bool>{false, false, true});
    CHECK((x == 2).to_vector<bool>() == std::vector<bool>{false, true, false});
    CHECK((2 != x).to_vector<bool>() == std::vector<bool>{true, false, true});
    CHECK(x.pow(2).to_vector<int64_t>() == ints{1, 4, 16});
    CHECK(x.matmul(y).item<int64_t>() == 21);
}

TEST_CASE("numbers are weak")
{
    ps::array x({1, 2}, ps::int8), f{1.0, 2.0};
    CHECK((x + 1).dtype() == ps::int8);
    CHECK((f + 1.5).dtype() == ps::float32);
    CHECK((f + 1u).dtype() == ps::float32);
    CHECK((f + size_t(1)).dtype() == ps::float32);
    CHECK((x + 1.5).dtype() == ps::float32);
    CHECK((f * std::complex<double>(0, 1)).dtype() == ps::complex64);
    CHECK((x + true).dtype() == ps::int8);
    CHECK_THROWS_AS(x + 1000, ps::error);
}

TEST_CASE("assignment operators write where the array is")
{
    ps::array x{{1, 2}, {3, 4}}, same = x;
    x += 1;
    x -= ps::array{1, 1};
    x *= x;
    CHECK(same.to_vector<int64_t>() == ints{1, 4, 9, 16});
    x %= 5;
    x <<= 1;
    x >>= 1;
    x |= 8;
    x &= 15;
    x ^= 1;
    CHECK(same.to_vector<int64_t>() == ints{8, 13, 13, 8});
    ps::array f{2.0, 4.0}, g = f;
    f /= 2;
    CHECK(g.to_vector<float>() == floats{1, 2});
    (f += 1) *= 2;
    CHECK(g.to_vector<float>() == floats{4, 6});
    CHECK_THROWS_AS((f += ps::ones({3})), ps::invalid);
    static_assert(!std::is_assignable_v<ps::array, ps::array>); // (x + 1) = y
}

TEST_CASE("functions, methods and their options")
{
    auto x = ps::arange(6, {.dtype = ps::float32}).reshape({2, 3});
    CHECK(ps::sum(x, {.axis = {0, 1}, .keepdims = true}).shape() == ints{1, 1});
    CHECK(x.sum({.axis = 0}).to_vector<float>() == floats{3, 5, 7});
    CHECK(x.sum({.axis = {}}).shape() == ints{2, 3});
    CHECK(x.sum().item<float>() == 15.0f);
    CHECK(x.sum({.dtype = ps::float64}).item<double>() == 15.0);
    CHECK(ps::std(x).dtype() == ps::float32);
    CHECK(x.clip({.min = 1, .max = 2.5}).to_vector<float>() == floats{1, 1, 2, 2.5f, 2.5f, 2.5f});
    CHECK(x.clip({.min = x(0)}).shape() == ints{2, 3});
    CHECK(ps::concatenate({x, x}, {.axis = 1}).shape() == ints{2, 6});
    CHECK(ps::concatenate(std::vector<ps::array>{x, x}).shape() == ints{4, 3});
    CHECK(ps::stack(std::array<ps::array, 2>{x, x}).shape() == ints{2, 2, 3});
    CHECK(ps::pad(x, {1, 0}, {0, 0}, {.mode = ps::pad_mode::edge}).shape() == ints{3, 3});
    CHECK(ps::linalg::vector_norm(ps::array{3.0, 4.0}).item<float>() == 5.0f);
    CHECK(x.T().shape() == ints{3, 2});
    CHECK(x.astype(ps::int32).dtype() == ps::int32);
    auto [next, momentum] = ps::optim::momentum_update(x, x, x, 0.1);
    CHECK(next.shape() == x.shape());
    CHECK(momentum.shape() == x.shape());
    ps::generator one(3), two(3);
    CHECK(ps::random::normal({4}, {.generator = one}).to_vector<float>() ==
          ps::random::normal({4}, {.generator = two}).to_vector<float>());
    CHECK_THROWS_AS(x.sum({.axis = 2}), ps::wrong_axis);
    CHECK_THROWS_AS(ps::nn::max_pool2d(x, {2, 2}, {.layout = static_cast<ps::layout>(9)}),
                    ps::invalid);
}

TEST_CASE("calls by name, of rows that were added")
{
    ps::array x{-1.0, 2.0};
    ps::register_op("cpp_test_leaky", "x, slope: scalar = 0.5", "where(x >= 0, x, slope * x)",
                    {.doc = "A test."});
    CHECK(ps::call("cpp_test_leaky", x).to_vector<float>() == floats{-0.5f, 2});
    CHECK(ps::call("cpp_test_leaky", x, 0.25).to_vector<float>() == floats{-0.25f, 2});
    CHECK(ps::call("sum", x, ps::none, true).shape() == ints{1});
    CHECK(ps::call("sum", x, 0).item<float>() == 1.0f);
    CHECK(ps::call("concatenate", std::vector<ps::array>{x, x}).shape() == ints{4});
    CHECK(ps::call(std::string("cast"), x, ps::int32).dtype() == ps::int32);
    CHECK(ps::call_several("lstm_gates", ps::ones({1, 8}), ps::ones({1, 2})).size() == 2);
    ps::array w{1.0, 1.0}, same = w;
    ps::call_into({w}, "sgd_update", w, ps::array{1.0, 2.0}, 0.5);
    CHECK(same.to_vector<float>() == floats{0.5f, 0});
    ps::call_into({w}, "assign", 3);
    CHECK(same.to_vector<float>() == floats{3, 3});
    CHECK_THROWS_AS(ps::call("no_such_row", x), ps::invalid);
    CHECK_THROWS_AS(ps::call("lstm_gates", x, x), ps::invalid);
    CHECK_THROWS_AS(ps::call("add", x, x, x), ps::invalid);
    CHECK_THROWS_AS(ps::call_into({w, w}, "add", x, x), ps::invalid);
    CHECK_THROWS_AS(ps::register_op("cpp_test_leaky", "x", "x"), ps::error);
    CHECK_THROWS_AS(ps::register_op("cpp_test_wrong", "x", "x +"), ps::invalid);
}

TEST_CASE("operations of the program's own, by a rule and a kernel")
{
    ps::register_op(
        "cpp_test_rows", "x, factor: scalar = 1.0",
        [](auto inputs, auto) {
            if (inputs[0].shape().size() != 2)
                throw std::invalid_argument("two dimensions are wanted");
            return ps::result_form{ps::float32, {inputs[0].shape()[0]}};
        },
        [](auto inputs, auto numbers, ps::block output) {
            if (numbers[0] < 0)
                throw std::domain_error("the factor is negative");
            auto sums = output.span<float>();
            for (size_t i = 0; i < sums.size(); i++) {
                sums[i] = 0;
                for (int64_t k = 0; k < inputs[0].shape()[1]; k++)
                    sums[i] += inputs[0].template at<const float>(i, k) * float(numbers[0]);
            }
        });
    ps::array x{{1.0, 2.0}, {3.0, 4.0}};
    CHECK(ps::call("cpp_test_rows", x).to_vector<float>() == floats{3, 7});
    CHECK(ps::call("cpp_test_rows", x.T(), 2).to_vector<float>() == floats{8, 12});
    CHECK_THROWS_WITH(ps::call("cpp_test_rows", x(0)), "two dimensions are wanted");
    auto failed = ps::call("cpp_test_rows", x, -1);
    CHECK_THROWS_AS(failed.wait(), ps::failure);
    CHECK_THROWS_AS(ps::call("cpp_test_rows", x.astype(ps::float64)).wait(), ps::wrong_type);
}

TEST_CASE("arrays as conditions")
{
    CHECK(bool(ps::array{1} > 0));
    CHECK_FALSE(bool(ps::array(0.0)));
    CHECK_THROWS_AS(static_cast<void>(bool(ps::array{1, 2})), ps::error);
}

TEST_CASE("text")
{
    std::ostringstream stream;
    stream << ps::array{{1, 2}, {3, 4}} << '\n' << ps::array(1.5) << ps::array{1, 2}(0);
    CHECK(stream.str() == "[[1 2]\n [3 4]]\n1.51");
}

TEST_CASE("what has no line of its own names none, and never one of the headers")
{
    ps::array empty;
    std::ostringstream stream;
    auto file_of = [](auto call) {
        try {
            call();
        } catch (const ps::error &error) {
            return std::string(error.file());
        }
        return std::string("nothing was thrown");
    };
    CHECK(file_of([&] { static_cast<void>(bool(empty)); }) == "");
    CHECK(file_of([&] { stream << empty; }) == "");
}
