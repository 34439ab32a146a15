// Functions of the program as tasks.
#include <penstock.hpp>

#include <doctest/doctest.h>
#include <atomic>
#include <memory>

using floats = std::vector<float>;

namespace
{

// Adds a number to all elements.
auto adding(float number)
{
    return [number](std::span<const ps::block> reads, std::span<const ps::block> writes) {
        auto from = reads[0].span<const float>();
        auto to = writes[0].span<float>();
        for (size_t i = 0; i < to.size(); i++)
            to[i] = from[i] + number;
    };
}

} // namespace

TEST_CASE("what is read is there, what is written is used")
{
    ps::array x{1.0, 2.0};
    auto y = ps::empty({2});
    ps::push({x + 1}, {y}, adding(10));
    CHECK((y * 2).to_vector<float>() == floats{24, 26});
    ps::push({y}, {y}, adding(1)); // in place
    CHECK(y.to_vector<float>() == floats{13, 14});
}

TEST_CASE("several results, of other types")
{
    ps::array x{{3.0, 1.0}, {2.0, 5.0}};
    auto sum = ps::empty({}), where = ps::empty({2}, {.dtype = ps::int64}),
         copy = ps::empty({2, 2});
    ps::push({x}, {sum, where, copy}, [](auto reads, auto writes) {
        float total = 0;
        for (int64_t i = 0; i < 2; i++) {
            auto at = [&](int64_t k) { return reads[0].template at<const float>(i, k); };
            writes[1].template at<int64_t>(i) = at(0) < at(1);
            for (int64_t k = 0; k < 2; k++) {
                total += at(k);
                writes[2].template at<float>(k, i) = at(k);
            }
        }
        writes[0].template at<float>() = total;
    });
    CHECK(sum.item<float>() == 11.0f);
    CHECK(where.to_vector<int64_t>() == std::vector<int64_t>{0, 1});
    CHECK(copy.to_vector<float>() == floats{3, 2, 1, 5});
}

TEST_CASE("an exception marks what is written")
{
    ps::array x{1.0};
    auto y = ps::empty({1}), z = ps::empty({3});
    unsigned line = __LINE__ + 1;
    ps::push({x}, {y, z}, [](auto, auto) { throw std::logic_error("no luck"); });
    auto later = z + 1;
    for (const ps::array &one : {y, z, later})
        try {
            one.wait();
            FAIL("nothing was thrown");
        } catch (const ps::failure &error) {
            CHECK(std::string(error.what()).starts_with("no luck"));
            CHECK(error.line() == line);
        }
    ps::push({x}, {y}, [](auto, auto) { throw 7; });
    CHECK_THROWS_AS(y.wait(), std::runtime_error);
    ps::push({x}, {y}, [](auto reads, auto) { reads[0].template span<const double>(); });
    CHECK_THROWS_AS(y.wait(), ps::wrong_type);
    ps::push({x}, {y}, [](auto reads, auto) { reads[0].template span<float>(); });
    CHECK_THROWS_AS(y.wait(), ps::invalid);
    ps::push({x}, {y}, [](auto reads, auto) { reads[0].template at<const float>(4); });
    CHECK_THROWS_AS(y.wait(), ps::out_of_range);
    ps::push({z}, {y}, adding(1)); // what it reads is marked
    CHECK_THROWS_AS(y.wait(), ps::failure);
    ps::push({x}, {y}, adding(1));
    CHECK(y.item<float>() == 2.0f);
    ps::synchronous mode;
    CHECK_THROWS_AS(ps::push({x}, {y}, [](auto, auto) { throw std::logic_error("now"); }),
                    ps::failure);
}

TEST_CASE("the function lives until its task is over, and no longer")
{
    auto counted = std::make_shared<int>(0);
    std::weak_ptr<int> watch = counted;
    ps::array x{1.0}, bad = ps::take(x, ps::array{5});
    auto y = ps::empty({1});
    ps::push({x}, {y}, [counted](auto, auto writes) {
        ++*counted;
        writes[0].template span<float>()[0] = 0;
    });
    ps::push({bad}, {y}, [counted](auto, auto) { ++*counted; }); // never runs
    CHECK_THROWS_AS(y.wait(), ps::error);
    CHECK(*counted == 1);
    counted.reset();
    ps::wait_all();
    CHECK(watch.expired());
}

TEST_CASE("what cannot be pushed")
{
    ps::array x{1.0};
    auto nothing = [](auto, auto) {};
    CHECK_THROWS_AS(ps::push({x}, {}, nothing), ps::invalid);
    CHECK_THROWS_AS(ps::push({x, x, x, x, x, x, x}, {x}, nothing), ps::invalid);
    CHECK_THROWS_AS(ps::push({ps::array()}, {x}, nothing), ps::invalid);
    CHECK_THROWS_AS(ps::push({x}, {ps::array()}, nothing), ps::invalid);
    auto y = ps::empty({1});
    ps::push({x, x, x, x, x, x}, {y}, adding(0));
    CHECK(y.item<float>() == 1.0f);
    ps::push({}, {y}, [](auto, auto writes) { writes[0].template span<float>()[0] = 3; });
    CHECK(y.item<float>() == 3.0f);
}
