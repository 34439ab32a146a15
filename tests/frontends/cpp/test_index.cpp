// Subscripts, read and written.
#include <penstock.hpp>

#include <doctest/doctest.h>

using ints = std::vector<int64_t>;

namespace
{

ps::array numbers()
{
    return ps::arange(12).reshape({3, 4});
}

} // namespace

TEST_CASE("integers, slices, newaxis and ellipsis give views")
{
    auto x = numbers();
    CHECK(x(0).to_vector<int64_t>() == ints{0, 1, 2, 3});
    CHECK(x(-1, -1).item<int64_t>() == 11);
    CHECK(x(1, ps::slice(1, 3)).to_vector<int64_t>() == ints{5, 6});
    CHECK(x(ps::slice(1), 0).to_vector<int64_t>() == ints{4, 8});
    CHECK(x(ps::slice(), 3).to_vector<int64_t>() == ints{3, 7, 11});
    CHECK(x(0, ps::slice(ps::none, ps::none, -1)).to_vector<int64_t>() == ints{3, 2, 1, 0});
    CHECK(x(0, ps::slice(ps::none, 2)).to_vector<int64_t>() == ints{0, 1});
    CHECK(x(ps::newaxis, ps::ellipsis, 0).shape() == ints{1, 3});
    CHECK(x(ps::ellipsis, ps::newaxis).shape() == ints{3, 4, 1});
    CHECK(x().shape() == ints{3, 4});
    CHECK(x(0u, size_t(1)).item<int64_t>() == 1);
    CHECK(x[1].to_vector<int64_t>() == ints{4, 5, 6, 7});
    CHECK(x(0, 1, ps::newaxis, ps::newaxis, ps::newaxis, ps::newaxis).ndim() == 4);
    CHECK(x[ps::slice(2)].shape() == ints{1, 4});
    CHECK(x[ps::array{2, 0}].shape() == ints{2, 4});
    x[x > 10] = 11;
    x[0] += 0;
    CHECK(x(0, 1, ps::newaxis, ps::newaxis, ps::newaxis, ps::newaxis, ps::newaxis).ndim() == 5);
#if defined(__cpp_multidimensional_subscript)
    CHECK(x[1, 2].item<int64_t>() == 6);
    CHECK(x[1, ps::slice(), ps::newaxis].shape() == ints{4, 1});
#endif
    CHECK(x(0).shares(x));
}

TEST_CASE("writing through views")
{
    auto x = numbers();
    x(0) = 7;
    x(1, ps::slice(0, 2)) = ps::array{-1, -2};
    x(2) = x(0);
    x(2, 0) = 2.0;
    x(2, ps::slice(2)) += 1;
    CHECK(x.to_vector<int64_t>() == ints{7, 7, 7, 7, -1, -2, 6, 7, 2, 7, 8, 8});
    x(0) = {1, 2, 3, 4};
    CHECK(x(0).to_vector<int64_t>() == ints{1, 2, 3, 4});
    x() = 0;
    CHECK(x.sum().item<int64_t>() == 0);
    auto row = x(1);
    row += 5;
    row(0) = 9;
    CHECK(x(1).to_vector<int64_t>() == ints{9, 5, 5, 5});
    x.T()(0) -= 1;
    CHECK(x(1, 0).item<int64_t>() == 8);
}

TEST_CASE("assigning to a name rebinds it")
{
    auto x = numbers();
    auto row = x(0);
    row = ps::array{5, 5};
    CHECK(row.size() == 2);
    row = x(1);
    CHECK(row.shares(x));
    ps::array other = x(2);
    other = row;
    CHECK(other.to_vector<int64_t>() == ints{4, 5, 6, 7});
    CHECK(x(0, 0).item<int64_t>() == 0);
}

TEST_CASE("masks and places")
{
    auto x = numbers();
    ps::array big = x(x > 8);
    CHECK(big.to_vector<int64_t>() == ints{9, 10, 11});
    CHECK(x(x > 8).sum().item<int64_t>() == 30);
    CHECK((x(x > 8) + 1).to_vector<int64_t>() == ints{10, 11, 12});
    CHECK(x(ps::array{0, 2}).shape() == ints{2, 4});
    CHECK(x(ps::array{0, 2}, ps::array{1, -1}).to_vector<int64_t>() == ints{1, 11});
    CHECK(x(ps::slice(), ps::array{3, 0})(0).to_vector<int64_t>() == ints{3, 0});
    CHECK_FALSE(big.shares(x));
    x(x > 8) = 0;
    x(ps::array{0, 2}, 0) = ps::array{-1, -2};
    x(ps::array{1}) += 100;
    x(x == 0) -= 1;
    CHECK(x.to_vector<int64_t>() == ints{-1, 1, 2, 3, 104, 105, 106, 107, -2, -1, -1, -1});
    x(ps::array{0, 1}, 3) = {8, 9};
    x(ps::array{0}) = x(ps::array{1});
    CHECK(x(0, 3).item<int64_t>() == 9);
    ps::array y = ps::sum(x(ps::array{0}));
    CHECK(y.item<int64_t>() == 104 + 105 + 106 + 9);
}

TEST_CASE("a selection that was kept and is read after a write says so")
{
    auto x = numbers();
    auto kept = x(x > 8), read = x(x > 8);
    CHECK(read.size() == 3);
    x += 1;
    CHECK(read.to_vector<int64_t>() == ints{9, 10, 11});
    CHECK_THROWS_AS(kept.sum(), ps::failure);
    static_assert(!std::is_assignable_v<decltype(kept) &, ps::array>);
}

TEST_CASE("an update of a selection keeps the element type, as that of a view does")
{
    ps::array x{1, 2, 3};
    x(ps::array{0, 2}) += x(ps::array{0, 2});
    CHECK(x.to_vector<int64_t>() == ints{2, 2, 6});
    CHECK_THROWS_AS(x(ps::array{0}) += 0.5, ps::wrong_type);
    CHECK_THROWS_AS(x(x > 2) /= 2, ps::wrong_type);
    CHECK(x.to_vector<int64_t>() == ints{2, 2, 6});
}

TEST_CASE("what is wrong with subscripts")
{
    auto x = numbers();
    CHECK_THROWS_AS(x(3), ps::out_of_range);
    CHECK_THROWS_AS(x(0, -5), std::out_of_range);
    CHECK_THROWS_AS(x(0, 0, 0), ps::error);
    CHECK_THROWS_AS(x(ps::ellipsis, ps::ellipsis), ps::error);
    CHECK_THROWS_AS(x(ps::slice(0, 1, 0)), ps::invalid);
    CHECK_THROWS_AS((x(0) = ps::ones({3})), ps::invalid);
    CHECK_THROWS_AS((x(ps::array{0, 1}) = ps::ones({3})), ps::invalid);
    CHECK_THROWS_AS((x(0) = UINT64_MAX), ps::error);
    CHECK_THROWS_AS(x(UINT64_MAX), ps::invalid);
    CHECK_THROWS_AS(x(ps::array{1.5}).wait(), ps::error);
    CHECK_THROWS_AS(x(ps::array{true, false}).wait(), ps::error);
    auto late = ps::array(x(ps::array{0, 3}));
    CHECK_THROWS_AS(late.wait(), ps::out_of_range);
    ps::array bad{7};
    ps::array failed = x[bad];
    try {
        failed.wait();
        FAIL("nothing was thrown");
    } catch (const ps::error &error) {
        CHECK(error.line() == __LINE__ - 5);
    }
    try {
        x(0, 9);
        FAIL("nothing was thrown");
    } catch (const ps::error &error) {
        CHECK(error.line() == __LINE__ - 3);
        CHECK(std::string(error.what()).find("9") != std::string::npos);
    }
}

namespace
{

template <class Call> unsigned line_of(Call call)
{
    try {
        call();
    } catch (const ps::error &error) {
        return std::string(error.file()).ends_with("test_index.cpp") ? error.line() : 0;
    }
    return 0;
}

} // namespace

TEST_CASE("any number of subscripts has its line, at the call and at the wait")
{
    const ps::newaxis_t n;
    ps::array x = numbers(), bad{0, 7};
    CHECK(line_of([&] { x(9); }) == __LINE__);
    CHECK(line_of([&] { x(n, 9); }) == __LINE__);
    CHECK(line_of([&] { x(n, n, n, n, n, 9); }) == __LINE__);
    CHECK(line_of([&] { x(n, n, n, n, n, n, 9); }) == __LINE__);
    CHECK(line_of([&] { x(9, n, n, n, n, n, n, n); }) == __LINE__);
    CHECK(line_of([&] { x(n, n, n, n, n, bad).wait(); }) == __LINE__);
    CHECK(line_of([&] { x(n, n, n, n, n, n, bad).wait(); }) == __LINE__);
    CHECK(line_of([&] { x(bad, n, n, n, n, n, n).wait(); }) == __LINE__);
    CHECK(line_of([&] { x(bad)(n, n).wait(); }) == __LINE__);
    CHECK(line_of([&] { x[bad].wait(); }) == __LINE__);
#if defined(__cpp_multidimensional_subscript)
    CHECK(line_of([&] { x[n, 9]; }) == __LINE__);
    CHECK(line_of([&] { x[bad, n].wait(); }) == __LINE__);
#endif
}
