// Snapshots as std::mdspan: the library's, or the stand-in's where it has none.
#include <penstock.hpp>

#include <doctest/doctest.h>

TEST_CASE("a snapshot as an mdspan")
{
    ps::array x{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};
    auto now = x.read<float>(), turned = x.T().read<float>();
    auto span = now.mdspan<2>();
    x += 1;
    static_assert(span.rank() == 2);
    CHECK(span.extent(0) == 2);
    CHECK(span.extent(1) == 3);
    CHECK(span.data_handle() == now.data());
    CHECK(span[std::array<int64_t, 2>{1, 0}] == 4.0f);
    CHECK(turned.mdspan<2>()[std::array<int64_t, 2>{0, 1}] == 4.0f);
    CHECK(ps::array(2.5).read<float>().mdspan<0>()[std::array<int64_t, 0>{}] == 2.5f);
}

TEST_CASE("of another number of dimensions it says so")
{
    auto now = ps::ones({2, 3}).read<float>();
    CHECK_THROWS_WITH_AS(now.mdspan<3>(), "mdspan of 3 dimensions: the array has 2", ps::invalid);
}
