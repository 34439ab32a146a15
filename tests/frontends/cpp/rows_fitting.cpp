// Rows whose arguments must fit together, each with the option that test_rows.cpp's samples do not fit.
#include "rows.hpp"

namespace
{

using ps::ints, ps::none;

// A row's name, an option or "", the call from C++, and the arguments of the call by name.
#define ROW(name, option, call, ...)                                                               \
    rows::compare(                                                                                 \
        name, option, [&] { return rows::list(ps::call); },                                        \
        [&] { return ps::call_several(name, __VA_ARGS__); })

ps::array counted(const ints &shape)
{
    int64_t count = 1;
    for (int64_t length : shape)
        count *= length;
    return ps::sin(ps::arange(count, {.dtype = ps::float32})).reshape(shape);
}

const char *const nchw = "NCHW";
const auto NCHW = ps::layout::NCHW;

void convolutions()
{
    ps::array bias = counted({2}), line = counted({1, 2, 5}), narrow = counted({2, 2, 3}),
              halves = counted({2, 1, 3}), image = counted({1, 2, 5, 5}),
              weight = counted({2, 2, 3, 3}), grouped = counted({2, 1, 3, 3});
    ROW("conv1d", "", nn::conv1d(line, narrow), line, narrow);
    ROW("conv1d", "bias", nn::conv1d(line, narrow, {.bias = bias}), line, narrow, bias);
    ROW("conv1d", "stride", nn::conv1d(line, narrow, {.stride = 2}), line, narrow, none, 2);
    ROW("conv1d", "padding", nn::conv1d(line, narrow, {.padding = 1}), line, narrow, none, none, 1);
    ROW("conv1d", "dilation", nn::conv1d(line, narrow, {.dilation = 2}), line, narrow, none, none,
        none, 2);
    ROW("conv1d", "groups", nn::conv1d(line, halves, {.groups = 2}), line, halves, none, none, none,
        none, 2);
    ROW("conv2d", "bias", nn::conv2d(image, weight, {.bias = bias}), image, weight, bias);
    ROW("conv2d", "dilation", nn::conv2d(image, weight, {.dilation = 2}), image, weight, none, none,
        none, 2);
    ps::array flow = counted({1, 2, 3, 3}), small = counted({1, 2, 2, 2}),
              one = counted({1, 2, 1, 1});
    const ints full{1, 2, 5, 5}, shape{2, 2, 3, 3}, shape_grouped{2, 1, 3, 3};
    ROW("conv2d_data", "", nn::conv2d_data(flow, weight, full), flow, weight, full);
    ROW("conv2d_data", "stride", nn::conv2d_data(small, weight, full, {.stride = 2}), small, weight,
        full, 2);
    ROW("conv2d_data", "padding", nn::conv2d_data(image, weight, full, {.padding = {1, 1}}), image,
        weight, full, none, ints({1, 1}));
    ROW("conv2d_data", "dilation", nn::conv2d_data(one, weight, full, {.dilation = 2}), one, weight,
        full, none, none, 2);
    ROW("conv2d_data", "groups", nn::conv2d_data(flow, grouped, full, {.groups = 2}), flow, grouped,
        full, none, none, none, 2);
    ROW("conv2d_data", "layout", nn::conv2d_data(flow, weight, full, {.layout = NCHW}), flow,
        weight, full, none, none, none, none, nchw);
    ROW("conv2d_weight", "", nn::conv2d_weight(image, flow, shape), image, flow, shape);
    ROW("conv2d_weight", "stride", nn::conv2d_weight(image, small, shape, {.stride = 2}), image,
        small, shape, 2);
    ROW("conv2d_weight", "padding", nn::conv2d_weight(image, image, shape, {.padding = 1}), image,
        image, shape, none, 1);
    ROW("conv2d_weight", "dilation", nn::conv2d_weight(image, one, shape, {.dilation = 2}), image,
        one, shape, none, none, 2);
    ROW("conv2d_weight", "groups", nn::conv2d_weight(image, flow, shape_grouped, {.groups = 2}),
        image, flow, shape_grouped, none, none, none, 2);
    ROW("conv2d_weight", "layout", nn::conv2d_weight(image, flow, shape, {.layout = NCHW}), image,
        flow, shape, none, none, none, none, nchw);
}

void transposed_convolutions()
{
    ps::array x = counted({1, 2, 3, 3}), w = counted({2, 2, 2, 2}), bias = counted({2}),
              grouped = counted({2, 1, 2, 2});
    const auto n = none;
    ROW("conv2d_transpose", "", nn::conv2d_transpose(x, w), x, w);
    ROW("conv2d_transpose", "bias", nn::conv2d_transpose(x, w, {.bias = bias}), x, w, bias);
    ROW("conv2d_transpose", "stride", nn::conv2d_transpose(x, w, {.stride = 2}), x, w, n, 2);
    ROW("conv2d_transpose", "padding", nn::conv2d_transpose(x, w, {.padding = 1}), x, w, n, n, 1);
    ROW("conv2d_transpose", "output_padding",
        nn::conv2d_transpose(x, w, {.stride = 2, .output_padding = 1}), x, w, n, 2, n, 1);
    ROW("conv2d_transpose", "dilation", nn::conv2d_transpose(x, w, {.dilation = 2}), x, w, n, n, n,
        n, 2);
    ROW("conv2d_transpose", "groups", nn::conv2d_transpose(x, grouped, {.groups = 2}), x, grouped,
        n, n, n, n, n, 2);
    ROW("conv2d_transpose", "layout", nn::conv2d_transpose(x, w, {.layout = NCHW}), x, w, n, n, n,
        n, n, n, nchw);
    ROW("bilinear", "", nn::bilinear({1, 1, 3, 3}), ints({1, 1, 3, 3}));
    ROW("bilinear", "dtype", nn::bilinear({1, 1, 3, 3}, {.dtype = ps::float64}), ints({1, 1, 3, 3}),
        ps::float64);
}

void pools()
{
    ps::array x = counted({1, 1, 4, 4}), half = counted({1, 1, 2, 2}),
              three = counted({1, 1, 3, 3}), odd = counted({1, 1, 5, 5}),
              last = counted({1, 1, 3, 3});
    const ints two{2, 2}, full{1, 1, 4, 4}, larger{1, 1, 5, 5};
    const auto n = none;
    ROW("avg_pool2d", "padding", nn::avg_pool2d(x, two, {.padding = 1}), x, two, n, 1);
    ROW("max_pool2d", "padding", nn::max_pool2d(x, two, {.padding = 1}), x, two, n, 1);
    ROW("max_pool2d_pick", "padding", nn::max_pool2d_pick(x, x, two, {.padding = 1}), x, x, two, n,
        1);
    ROW("avg_pool2d_data", "", nn::avg_pool2d_data(half, full, two), half, full, two);
    ROW("avg_pool2d_data", "stride", nn::avg_pool2d_data(three, full, two, {.stride = 1}), three,
        full, two, 1);
    ROW("avg_pool2d_data", "padding", nn::avg_pool2d_data(three, full, two, {.padding = 1}), three,
        full, two, n, 1);
    ROW("avg_pool2d_data", "ceil_mode", nn::avg_pool2d_data(last, larger, two, {.ceil_mode = true}),
        last, larger, two, n, n, true);
    ROW("avg_pool2d_data", "count_include_pad",
        nn::avg_pool2d_data(half, full, two, {.count_include_pad = false}), half, full, two, n, n,
        n, false);
    ROW("avg_pool2d_data", "layout", nn::avg_pool2d_data(half, full, two, {.layout = NCHW}), half,
        full, two, n, n, n, n, nchw);
    ROW("max_pool2d_data", "", nn::max_pool2d_data(half, x, two), half, x, two);
    ROW("max_pool2d_data", "stride", nn::max_pool2d_data(three, x, two, {.stride = 1}), three, x,
        two, 1);
    ROW("max_pool2d_data", "padding", nn::max_pool2d_data(three, x, two, {.padding = 1}), three, x,
        two, n, 1);
    ROW("max_pool2d_data", "ceil_mode", nn::max_pool2d_data(last, odd, two, {.ceil_mode = true}),
        last, odd, two, n, n, true);
    ROW("max_pool2d_data", "layout", nn::max_pool2d_data(half, x, two, {.layout = NCHW}), half, x,
        two, n, n, n, nchw);
}

void norms()
{
    ps::array x = counted({2, 2, 3}), c = counted({2}), v = c * c + 1;
    const auto n = none;
    ROW("batch_norm", "gamma", nn::batch_norm(x, {.gamma = c}), x, c);
    ROW("batch_norm", "beta", nn::batch_norm(x, {.beta = c}), x, n, c);
    for (const char *both : {"running_mean", "running_var"}) // they go together
        ROW("batch_norm", both, nn::batch_norm(x, {.running_mean = c, .running_var = v}), x, n, n,
            c, v);
    ROW("batch_norm", "training",
        nn::batch_norm(x, {.running_mean = c, .running_var = v, .training = false}), x, n, n, c, v,
        n, n, n, false);
    ROW("batch_norm_train", "gamma", nn::batch_norm_train(x, {.gamma = c}), x, c);
    ROW("batch_norm_train", "beta", nn::batch_norm_train(x, {.beta = c}), x, n, c);
    ROW("batch_norm_back", "", nn::batch_norm_back(x, x, c, v), x, x, c, v);
    ROW("batch_norm_back", "gamma", nn::batch_norm_back(x, x, c, v, {.gamma = c}), x, x, c, v, c);
    ROW("batch_norm_back", "eps", nn::batch_norm_back(x, x, c, v, {.eps = 0.5}), x, x, c, v, n,
        0.5);
    ROW("group_norm", "gamma", nn::group_norm(x, {.gamma = c}), x, c);
    ROW("group_norm", "beta", nn::group_norm(x, {.beta = c}), x, n, c);
    ROW("group_norm_channels", "gamma", nn::group_norm_channels(x, {.gamma = c}), x, c);
    ROW("group_norm_channels", "beta", nn::group_norm_channels(x, {.beta = c}), x, n, c);
    ROW("group_norm_back", "gamma", nn::group_norm_back(x, x, {.gamma = c}), x, x, c);
    ROW("instance_norm", "gamma", nn::instance_norm(x, {.gamma = c}), x, c);
    ROW("instance_norm", "beta", nn::instance_norm(x, {.beta = c}), x, n, c);
}

void recurrent_cells()
{
    ps::array state = counted({1, 2}), four = counted({1, 8}), three = counted({1, 6});
    ROW("lstm_gates", "", nn::lstm_gates(four, state), four, state);
    ROW("gru_gates", "", nn::gru_gates(three, three, state), three, three, state);
}

// Three steps, one sequence, two inputs, two hidden units.
struct recurrent {
    ps::array x = counted({3, 1, 2}), one = counted({12}), two = counted({24}),
              lstm = counted({48}), state = counted({1, 1, 2}), states = counted({2, 1, 2}),
              cell = state * 2, mask = counted({1, 3, 1, 2});
};

const auto relu = ps::rnn_mode::rnn_relu, long_short = ps::rnn_mode::lstm;

void recurrent_layers()
{
    const recurrent r;
    const auto n = none;
    ROW("rnn", "", nn::rnn(r.x, r.one, r.state, relu), r.x, r.one, r.state, "rnn_relu");
    ROW("rnn", "cell", nn::rnn(r.x, r.lstm, r.state, long_short, {.cell = r.cell}), r.x, r.lstm,
        r.state, "lstm", r.cell);
    ROW("rnn", "mask", nn::rnn(r.x, r.two, r.states, relu, {.mask = r.mask}), r.x, r.two, r.states,
        "rnn_relu", n, r.mask);
    ROW("rnn", "bidirectional", nn::rnn(r.x, r.two, r.states, relu, {.bidirectional = true}), r.x,
        r.two, r.states, "rnn_relu", n, n, true);
}

void recurrent_gradients()
{
    const recurrent r;
    const auto n = none;
    const auto simple = ps::nn::rnn(r.x, r.one, r.state, relu);
    const ps::array &y = simple[0], &h = simple[1], &kept = simple[3];
    ROW("rnn_backward", "", nn::rnn_backward(r.x, r.one, r.state, kept, relu), r.x, r.one, r.state,
        kept, "rnn_relu");
    ROW("rnn_backward", "dy", nn::rnn_backward(r.x, r.one, r.state, kept, relu, {.dy = y}), r.x,
        r.one, r.state, kept, "rnn_relu", n, n, y);
    ROW("rnn_backward", "dstate", nn::rnn_backward(r.x, r.one, r.state, kept, relu, {.dstate = h}),
        r.x, r.one, r.state, kept, "rnn_relu", n, n, n, h);
    ROW("rnn_backward", "input",
        nn::rnn_backward(r.x, r.one, r.state, kept, relu, {.dy = y, .input = false}), r.x, r.one,
        r.state, kept, "rnn_relu", n, n, y, n, n, n, false);
    const auto lstm = ps::nn::rnn(r.x, r.lstm, r.state, long_short, {.cell = r.cell});
    const ps::array &ly = lstm[0], &lc = lstm[2], &lkept = lstm[3];
    ROW("rnn_backward", "cell",
        nn::rnn_backward(r.x, r.lstm, r.state, lkept, long_short, {.cell = r.cell, .dy = ly}), r.x,
        r.lstm, r.state, lkept, "lstm", r.cell, n, ly);
    ROW("rnn_backward", "dcell",
        nn::rnn_backward(r.x, r.lstm, r.state, lkept, long_short, {.cell = r.cell, .dcell = lc}),
        r.x, r.lstm, r.state, lkept, "lstm", r.cell, n, n, n, lc);
    auto masked = ps::nn::rnn(r.x, r.two, r.states, relu, {.mask = r.mask});
    ROW("rnn_backward", "mask",
        nn::rnn_backward(r.x, r.two, r.states, masked[3], relu, {.mask = r.mask, .dy = masked[0]}),
        r.x, r.two, r.states, masked[3], "rnn_relu", n, r.mask, masked[0]);
    auto both = ps::nn::rnn(r.x, r.two, r.states, relu, {.bidirectional = true});
    ROW("rnn_backward", "bidirectional",
        nn::rnn_backward(r.x, r.two, r.states, both[3], relu,
                         {.dy = both[0], .bidirectional = true}),
        r.x, r.two, r.states, both[3], "rnn_relu", n, n, both[0], n, n, true);
}

void losses_and_products()
{
    ps::array x = counted({2, 3}), labels{1, 2}, flow = counted({2}), bias = counted({2}),
              matrix = counted({2, 2});
    const auto n = none;
    ROW("cross_entropy_back", "", nn::cross_entropy_back(x, labels, flow), x, labels, flow);
    ROW("cross_entropy_back", "ignore_label",
        nn::cross_entropy_back(x, labels, flow, {.ignore_label = 1}), x, labels, flow, 1);
    ROW("cross_entropy_back", "smoothing",
        nn::cross_entropy_back(x, labels, flow, {.smoothing = 0.5}), x, labels, flow, n, 0.5);
    ROW("softmax_cross_entropy", "ignore_label",
        nn::softmax_cross_entropy(x, labels, {.ignore_label = 1}), x, labels, n, 1);
    ROW("linear", "bias", nn::linear(x, x, {.bias = bias}), x, x, bias);
    ROW("matmul", "bias", matmul(matrix, matrix, {.bias = bias}), matrix, matrix, n, n, bias);
    ROW("matrix_norm", "ord", linalg::matrix_norm(matrix, {.ord = 1}), matrix, 1.0);
}

void axes_and_random_numbers()
{
    ps::array x = counted({2, 3, 2}), places{{{0}, {2}, {1}}}, line = counted({1, 3}),
              likely{0.25, 0.5, 0.25};
    const auto n = none;
    ps::generator same(7);
    ROW("cross", "axis", linalg::cross(x, x, {.axis = 1}), x, x, 1);
    ROW("diagonal", "axis1", diagonal(x, {.axis1 = 2}), x, n, 2);
    ROW("trace", "axis1", trace(x, {.axis1 = 2}), x, n, 2);
    ROW("squeeze", "axis", squeeze(line, {.axis = 0}), line, 0);
    ROW("take_along_axis", "axis", take_along_axis(x, places, {.axis = 1}), x, places, 1);
    ROW("random_choice", "p", random::choice({4}, 3, {.p = likely}), ints({4}), 3, n, likely);
    ROW("random_integers", "", random::integers({4}, 1, 9), ints({4}), 1, 9);
    ROW("random_integers", "dtype", random::integers({4}, 1, 9, {.dtype = ps::int8}), ints({4}), 1,
        9, ps::int8);
    const auto state = same.state();
    auto again = [&]() -> const ps::generator & {
        same.set_state(state);
        return same;
    };
    ROW("random_integers", "generator", random::integers({4}, 1, 9, {.generator = again()}),
        ints({4}), 1, 9, n, again());
}

} // namespace

void call_fitting_rows()
{
    convolutions();
    transposed_convolutions();
    pools();
    norms();
    recurrent_cells();
    recurrent_layers();
    recurrent_gradients();
    losses_and_products();
    axes_and_random_numbers();
}
