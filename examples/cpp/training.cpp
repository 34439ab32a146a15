// Training a network of three layers on batches that a generator makes, in two ways: reading the loss of
// each batch at once, and reading all of them at the end. The losses are the same to the last bit.
//
//     training [--digest] [units of the first layer]
//
// Layers are plain structs of arrays. Whoever reads each loss waits for each batch; whoever does not runs
// ahead of the workers, as far as the engine lets it: memory does not fill up.
#include "support.hpp"

#include <vector>

constexpr int batch_count = 20;
constexpr double rate = 0.005;

// ---- Data ------------------------------------------------------------------------------------------

struct batch {
    ps::array x, y;
};

class batches
{
  public:
    batches(std::int64_t samples, std::int64_t inputs) : samples_(samples), inputs_(inputs) {}

    batch next()
    {
        return {ps::random::normal({samples_, inputs_}, {.generator = from_}),
                ps::ones({samples_, 1})};
    }

  private:
    std::int64_t samples_, inputs_;
    ps::generator from_{2};
};

// ---- The network -----------------------------------------------------------------------------------

struct dense {
    ps::array weight, bias;
};

dense make_dense(std::int64_t units, std::int64_t inputs, const ps::generator &from)
{
    auto weight =
        ps::random::uniform({units, inputs}, {.low = -0.07, .high = 0.07, .generator = from});
    auto bias = ps::zeros({units});
    weight.attach_grad();
    bias.attach_grad();
    return {weight, bias};
}

struct network {
    dense first, second, last;

    ps::array operator()(const ps::array &x) const
    {
        auto h = ps::nn::linear(x, first.weight, {.bias = first.bias, .activation = "relu"});
        h = ps::nn::linear(h, second.weight, {.bias = second.bias, .activation = "relu"});
        return ps::nn::linear(h, last.weight, {.bias = last.bias});
    }

    std::vector<ps::array> weights() const
    {
        return {first.weight, first.bias, second.weight, second.bias, last.weight, last.bias};
    }
};

network make_network(std::int64_t units, std::int64_t inputs)
{
    ps::generator from(1);
    auto first = make_dense(units, inputs, from);
    auto second = make_dense(units / 4, units, from);
    auto last = make_dense(1, units / 4, from);
    return {first, second, last};
}

// ---- Training --------------------------------------------------------------------------------------

// A step of gradient descent; gives the mean loss before it. Queues, and never waits.
ps::array step(const network &net, const batch &some)
{
    ps::array loss;
    {
        ps::recording on;
        loss = ps::nn::l2_loss(net(some.x), some.y);
    }
    loss.backward();
    auto weights = net.weights();
    std::vector<ps::array> gradients;
    for (const ps::array &weight : weights)
        gradients.push_back(weight.grad());
    ps::optim::update("sgd_update", weights, gradients, rate, 1.0 / double(some.x.shape(0)));
    return loss.mean();
}

std::vector<ps::array> train(std::int64_t units, bool read_each)
{
    network net = make_network(units, units / 4);
    batches data(units / 2, units / 4);
    std::vector<ps::array> losses;
    for (int i = 0; i < batch_count; i++) {
        losses.push_back(step(net, data.next()));
        if (read_each)
            std::printf("batch %2d: loss %.9g\n", i + 1, double(losses.back().item<float>()));
    }
    ps::wait_all();
    return losses;
}

std::vector<ps::array> measured(const char *how, std::int64_t units, bool read_each)
{
    std::vector<ps::array> losses;
    ps_memory_reset_peak();
    double time = milliseconds([&] { losses = train(units, read_each); });
    std::printf("%s: %.0f ms, at most %.0f MB\n", how, time,
                static_cast<double>(ps::memory_stats().peak) / 1e6);
    return losses;
}

int main(int argc, char **argv)
{
    arguments given(argc, argv, 2048);
    auto losses = measured("each loss was read at once", given.size, true);
    auto later = measured("all losses are read at the end", given.size, false);
    bool same = ps::array_equal(ps::stack(losses), ps::stack(later)).item<bool>();
    std::printf("the losses are %s\n", same ? "the same" : "different");
    if (given.digest)
        for (const ps::array &loss : later)
            print_digest("loss", loss);
    return same ? 0 : 1;
}
