// Gradients, and training by the optimisers' rows.
#include <penstock.hpp>

#include <doctest/doctest.h>

using floats = std::vector<float>;

TEST_CASE("gradients to what asked for them")
{
    ps::array x{1.0, 2.0, 3.0}, y;
    x.attach_grad();
    {
        ps::recording on;
        CHECK(ps::is_recording());
        y = (x * x).sum();
        ps::paused off;
        CHECK_FALSE(ps::is_recording());
    }
    CHECK_FALSE(ps::is_recording());
    y.backward();
    CHECK(x.grad().to_vector<float>() == floats{2, 4, 6});
    CHECK_THROWS_AS(y.backward(), ps::failure);
    CHECK(y.detach().shares(y));
    CHECK(ps::array{1.0}.grad().is_empty_handle());
}

TEST_CASE("heads with gradients of their own, and gradients of gradients")
{
    ps::array x{1.0, 2.0}, y, z;
    x.attach_grad();
    {
        ps::recording on;
        y = x * x * x;
    }
    ps::backward({y}, {.gradients = {ps::array{1.0, 10.0}}, .retain = true});
    CHECK(x.grad().to_vector<float>() == floats{3, 120});
    {
        ps::recording on;
        z = ps::grad({y}, {x}, {.create = true})[0];
    }
    CHECK(z.to_vector<float>() == floats{3, 12});
    CHECK(ps::grad({z}, {x})[0].to_vector<float>() == floats{6, 12});
    CHECK_THROWS_AS(ps::backward({y}, {.gradients = {x, x}}), ps::invalid);
    CHECK_THROWS_AS(ps::backward({ps::array()}), ps::invalid);
}

namespace
{

// A layer is a struct of arrays.
struct dense {
    ps::array weight, bias;

    dense(int64_t in, int64_t out, const ps::generator &from)
        : weight(ps::random::normal({out, in}, {.std = 0.3, .generator = from})),
          bias(ps::zeros(out))
    {
    }
    ps::array operator()(const ps::array &x) const
    {
        return ps::nn::linear(x, weight, {.bias = bias});
    }
};

} // namespace

TEST_CASE("two layers learn, and every run has the same bits")
{
    auto train = [] {
        ps::generator from(1);
        dense first(2, 8, from), second(8, 1, from);
        std::vector<ps::array> weights{first.weight, first.bias, second.weight, second.bias};
        std::vector<ps::array> momenta, losses;
        for (const ps::array &weight : weights) {
            weight.attach_grad();
            momenta.push_back(ps::zeros(weight.shape()));
        }
        auto x = ps::random::normal({64, 2}, {.generator = from});
        auto y = (x(ps::slice(), 0) * x(ps::slice(), 1)).reshape({64, 1});
        for (int step = 0; step < 60; step++) {
            ps::array loss;
            {
                ps::recording on;
                loss = ps::nn::l2_loss(second(ps::tanh(first(x))), y).mean();
            }
            loss.backward();
            std::vector<ps::array> gradients;
            for (const ps::array &weight : weights)
                gradients.push_back(weight.grad());
            ps::optim::update("momentum_update", weights, momenta, gradients, 0.2);
            losses.push_back(loss);
        }
        return ps::stack(losses).to_vector<float>();
    };
    floats one = train();
    CHECK(one.back() < one.front() / 3);
    ps::synchronous mode;
    CHECK(train() == one);
    CHECK_THROWS_AS(ps::optim::update("sgd_update", std::vector<ps::array>(2),
                                      std::vector<ps::array>(1), 0.1),
                    ps::invalid);
}
