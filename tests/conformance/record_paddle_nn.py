"""Record what layers, losses, optimisers and loaders of the real PaddlePaddle give.

Run with its interpreter: python tests/conformance/record_paddle_nn.py; the tests compare with what
it writes to tests/conformance/vectors/paddle_nn.json. Each case is a Python expression; its value,
and for layers the gradients of all parameters, are recorded.
"""

import json
import os

import numpy as np

LAYERS = """
nn.Linear(3, 2) | [4, 3]
nn.Linear(3, 2, bias_attr=False) | [2, 4, 3]
nn.Conv2D(2, 3, 3) | [2, 2, 6, 5]
nn.Conv2D(2, 4, 3, stride=2, padding=1, groups=2) | [1, 2, 6, 6]
nn.Conv2D(2, 3, 3, padding='SAME', stride=2) | [1, 2, 5, 6]
nn.Conv2D(2, 3, 2, padding=[1, 0, 2, 1], dilation=2) | [1, 2, 5, 6]
nn.Conv2D(2, 3, 3, data_format='NHWC') | [1, 5, 5, 2]
nn.Conv1D(2, 3, 3, padding=1) | [2, 2, 7]
nn.Conv2DTranspose(2, 3, 4, stride=2, padding=1) | [1, 2, 3, 4]
nn.Conv2DTranspose(2, 4, 3, stride=2, output_padding=1, groups=2) | [1, 2, 3, 3]
nn.Conv1DTranspose(2, 3, 4, stride=2, padding=1) | [1, 2, 5]
nn.MaxPool2D(2) | [1, 2, 5, 6]
nn.MaxPool2D(3, stride=2, padding=1, ceil_mode=True) | [1, 2, 6, 6]
nn.MaxPool1D(2) | [1, 2, 6]
nn.AvgPool2D(2, padding=1) | [1, 2, 5, 5]
nn.AvgPool2D(3, stride=2, padding=1, exclusive=False) | [1, 2, 6, 6]
nn.AvgPool1D(3, padding=1) | [1, 2, 6]
nn.AdaptiveAvgPool2D((2, 3)) | [1, 2, 5, 7]
nn.AdaptiveAvgPool2D(1) | [1, 2, 5, 7]
nn.AdaptiveMaxPool2D((2, 3)) | [1, 2, 5, 7]
nn.AdaptiveAvgPool1D(3) | [1, 2, 7]
nn.BatchNorm1D(3) | [4, 3]
nn.BatchNorm2D(3, momentum=0.8) | [2, 3, 4, 4]
nn.BatchNorm2D(3).eval() | [2, 3, 4, 4]
nn.LayerNorm(4) | [3, 4]
nn.LayerNorm([2, 4]) | [3, 2, 4]
nn.GroupNorm(2, 4) | [2, 4, 3]
nn.InstanceNorm2D(2) | [2, 2, 3, 3]
nn.SimpleRNN(3, 4) | [2, 5, 3]
nn.SimpleRNN(3, 4, activation='relu', time_major=True) | [5, 2, 3]
nn.LSTM(3, 4, num_layers=2, direction='bidirect') | [2, 5, 3]
nn.GRU(3, 4, num_layers=2) | [2, 5, 3]
nn.RNN(nn.GRUCell(3, 4)) | [2, 5, 3]
nn.LSTMCell(3, 4) | [2, 3]
nn.PReLU(2) | [1, 2, 3]
nn.Flatten() | [2, 3, 4]
nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)) | [2, 3]
nn.Pad2D([1, 2, 0, 1], mode='reflect') | [1, 1, 4, 4]
nn.Softmax() | [2, 3]
nn.GELU() | [2, 3]
nn.GELU(approximate=True) | [2, 3]
nn.LeakyReLU(0.1) | [2, 3]
nn.ELU(0.5) | [2, 3]
nn.Silu() | [2, 3]
nn.Softplus() | [2, 3]
nn.Hardswish() | [2, 3]
nn.LogSoftmax(0) | [2, 3]
"""

VALUES = """
F.cross_entropy(filled([3, 4]), T([0, 3, 1])).tolist()
F.cross_entropy(filled([3, 4]), T([0, 3, -100])).tolist()
F.cross_entropy(filled([3, 4]), T([0, 3, 1]), ignore_index=3).tolist()
F.cross_entropy(filled([3, 4]), T([0, 3, 1]), weight=filled([4]).abs(), reduction='mean').tolist()
F.cross_entropy(filled([3, 4]), T([0, 3, 1]), weight=filled([4]).abs(), reduction='none').tolist()
F.cross_entropy(filled([3, 4]), T([[0], [3], [1]]), reduction='none').tolist()
F.cross_entropy(filled([3, 4]), F.softmax(filled([3, 4])), soft_label=True, reduction='none').tolist()
F.cross_entropy(filled([2, 3, 4]), T([[0, 3, 2], [1, 1, 0]]), reduction='sum').tolist()
F.cross_entropy(filled([2, 4, 3]), T([[0, 3, 2], [1, 1, 0]]), axis=1, reduction='none').tolist()
F.cross_entropy(F.softmax(filled([3, 4])), T([0, 3, 1]), use_softmax=False).tolist()
F.cross_entropy(T([[1e4, 0.], [0., 1.]]), T([1, 0]), reduction='none').tolist()
F.softmax_with_cross_entropy(filled([3, 4]), T([[0], [3], [1]])).tolist()
F.nll_loss(F.log_softmax(filled([3, 4])), T([0, 3, 1])).tolist()
F.mse_loss(filled([3, 2]), filled([3, 2]) * 2, 'sum').tolist()
F.l1_loss(filled([3, 2]), filled([3, 2]) * 2).tolist()
F.smooth_l1_loss(filled([3, 2]) * 4, filled([3, 2]), delta=0.5).tolist()
F.smooth_l1_loss(filled([3, 2]) * 4, filled([3, 2]), delta=0.5, is_huber=False).tolist()
F.binary_cross_entropy(F.sigmoid(filled([4])), T([0., 1., 1., 0.])).tolist()
F.binary_cross_entropy_with_logits(filled([4]), T([0., 1., 1., 0.]), weight=filled([4]).abs(), reduction='none').tolist()
F.binary_cross_entropy_with_logits(filled([4]), T([0., 1., 1., 0.]), pos_weight=T([2., 2., 2., 2.])).tolist()
F.kl_div(F.log_softmax(filled([3, 4])), F.softmax(filled([3, 4]) * 2), 'batchmean').tolist()
F.one_hot(T([1, 0]), 3).tolist()
F.embedding(T([[1, 0]]), filled([3, 2]), padding_idx=1).tolist()
F.normalize(filled([3, 2])).tolist()
F.cosine_similarity(filled([3, 2]), filled([3, 2]) + 1).tolist()
F.label_smooth(F.one_hot(T([1, 0]), 3)).tolist()
F.pad(filled([1, 1, 2, 2]), [1, 0, 0, 2], value=3.).tolist()
F.pad(filled([2, 2]), [1, 0, 0, 2]).tolist()
repr(nn.Conv2D(2, 4, (3, 5), stride=2, padding=(1, 2), dilation=2, groups=2))
repr(nn.LSTM(2, 3, num_layers=2, direction='bidirect'))
repr(nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Flatten(), nn.Dropout(0.5), nn.BatchNorm1D(3)))
repr(nn.LayerList([nn.MaxPool2D(2), nn.AvgPool2D(2), nn.AdaptiveAvgPool2D(1), nn.Embedding(4, 2, padding_idx=1)]))
list(nn.LSTM(2, 3, num_layers=2, direction='bidirect').state_dict())
list(nn.SimpleRNN(2, 3).state_dict())
list(nn.Sequential(nn.BatchNorm2D(2), nn.InstanceNorm2D(2), nn.PReLU()).state_dict())
steps(lambda p: O.SGD(0.1, p, weight_decay=0.5))
steps(lambda p: O.Momentum(0.1, 0.9, p))
steps(lambda p: O.Momentum(0.1, 0.9, p, use_nesterov=True, weight_decay=0.1))
steps(lambda p: O.Adam(0.1, parameters=p, weight_decay=0.5))
steps(lambda p: O.AdamW(0.1, parameters=p, weight_decay=0.5))
steps(lambda p: O.Adagrad(0.1, parameters=p))
steps(lambda p: O.RMSProp(0.1, parameters=p))
steps(lambda p: O.RMSProp(0.1, epsilon=1., momentum=0.9, centered=True, parameters=p))
steps(lambda p: O.Adadelta(1.0, parameters=p))
steps(lambda p: O.SGD(0.1, p, grad_clip=nn.ClipGradByGlobalNorm(0.5)))
steps(lambda p: O.SGD(0.1, p, grad_clip=nn.ClipGradByNorm(0.5)))
steps(lambda p: O.SGD(0.1, p, grad_clip=nn.ClipGradByValue(0.3)))
steps(lambda p: O.SGD(0.1, p, weight_decay=paddle.regularizer.L1Decay(0.3)))
steps(lambda p: O.SGD(0.1, [{'params': p, 'learning_rate': 0.5}]))
rates(O.lr.StepDecay(1., 2, 0.5))
rates(O.lr.MultiStepDecay(1., [2, 4], 0.5))
rates(O.lr.ExponentialDecay(1., 0.9))
rates(O.lr.NaturalExpDecay(1., 0.1))
rates(O.lr.InverseTimeDecay(1., 0.5))
rates(O.lr.PolynomialDecay(1., 3, power=2., cycle=True))
rates(O.lr.NoamDecay(4, 3))
rates(O.lr.PiecewiseDecay([2, 4], [1., 0.5, 0.1]))
rates(O.lr.LambdaDecay(1., lambda e: 0.5 ** e))
rates(O.lr.MultiplicativeDecay(1., lambda e: 0.9))
rates(O.lr.CosineAnnealingDecay(1., 4, 0.1))
rates(O.lr.LinearWarmup(O.lr.StepDecay(1., 2, 0.5), 3, 0., 1.))
rates(O.lr.LinearLR(1., 4))
rates(O.lr.CosineAnnealingWarmRestarts(1., 3, 2))
batches(shuffle=True)
batches(shuffle=True, drop_last=True)
batches(shuffle=False)
"""


def names(paddle):
    """What the expressions may name."""
    nn = paddle.nn

    def filled(shape):
        count = int(np.prod(shape))
        made = np.sin(np.arange(1, count + 1) * 1.7).astype("float32")
        return paddle.to_tensor(made.reshape(shape))

    def steps(make):
        first = nn.initializer.Constant(1.0)
        p = paddle.create_parameter([1], "float32", default_initializer=first)
        optimizer, found = make([p]), []
        for g in (1.0, 1.0, 2.0):
            (p * g).sum().backward()
            optimizer.step()
            optimizer.clear_grad()
            found.append(p.item())
        return found

    def rates(schedule):
        found = []
        for _ in range(12):
            found.append(schedule())
            schedule.step()
        return found

    def batches(**options):
        np.random.seed(3)
        columns = [paddle.arange(10.0).reshape([10, 1]), paddle.arange(10)]
        loader = paddle.io.DataLoader(paddle.io.TensorDataset(columns), batch_size=4, **options)
        return [[one.tolist() for one in batch] for batch in loader]

    return {
        "paddle": paddle,
        "nn": nn,
        "F": nn.functional,
        "O": paddle.optimizer,
        "T": paddle.to_tensor,
        "np": np,
        "filled": filled,
        "steps": steps,
        "rates": rates,
        "batches": batches,
    }


def of_layer(case, known):
    """The output of a layer with known weights, its buffers after it, and all gradients."""
    text, shape = case.split(" | ")
    layer, x = eval(text, known), known["filled"](eval(shape))
    for one in layer.parameters():
        if one.stop_gradient:
            continue
        one.set_value(known["filled"](list(one.shape)) * 0.5)
    x.stop_gradient = False
    made = layer(x)
    out = made[0] if isinstance(made, tuple) else made
    (out * known["filled"](list(out.shape))).sum().backward()
    found = {"out": out.tolist(), "x": x.grad.tolist()}
    found["statistics"] = [one.tolist() for one in layer.parameters() if one.stop_gradient]
    gradients = [one.grad for one in layer.parameters()]
    found["gradients"] = [None if one is None else one.tolist() for one in gradients]
    return found


def main():
    import paddle

    known = names(paddle)
    layers = {case: of_layer(case, known) for case in LAYERS.strip().split("\n")}
    values = {case: eval(case, known) for case in VALUES.strip().split("\n")}
    target = os.path.join(os.path.dirname(__file__), "vectors", "paddle_nn.json")

    def short(value):
        if isinstance(value, float):
            return float(f"{value:.7g}")
        if isinstance(value, (list, tuple)):
            return [short(one) for one in value]
        return {k: short(v) for k, v in value.items()} if isinstance(value, dict) else value

    with open(target, "w") as file:
        json.dump(short({"layers": layers, "values": values}), file, separators=(",", ":"))


if __name__ == "__main__":
    main()
