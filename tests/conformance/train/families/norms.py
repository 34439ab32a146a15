"""Layer, group, instance, RMS and batch norm, against torch.nn.functional."""

from ..case import normal
from ..gradient import gradient_case, room

DTYPES = ["float32", "float64"]


def layer_case(name, dtype, shape, inner, parameters, **options):
    """`inner` are the last lengths of the shape, those that are normalised; `parameters` says which
    of gamma and beta are given."""
    inputs = {"x": normal(1, *shape, dtype=dtype) * 2 + 1}
    inputs |= {key: normal(2 + i, *inner, dtype=dtype) for i, key in enumerate(parameters)}

    def of_ours(ps, x, gamma=None, beta=None):
        return ps.nn.layer_norm(x, gamma, beta, **options)

    def of_theirs(torch, x, gamma=None, beta=None):
        eps = options.get("eps", 1e-5)
        return torch.nn.functional.layer_norm(x, inner, gamma, beta, eps)

    return gradient_case(
        f"layer norm {name} {dtype}", inputs, list(inputs), of_ours, of_theirs, **room(dtype)
    )


def layer_cases(dtype):
    every = ["gamma", "beta"]
    yield layer_case("plain", dtype, (4, 6), (6,), [])
    yield layer_case("gamma", dtype, (4, 6), (6,), ["gamma"])
    yield layer_case("gamma and beta", dtype, (3, 2, 20), (20,), every, eps=0.01)
    yield layer_case("long", dtype, (2, 70), (70,), every)
    yield layer_case("two axes", dtype, (3, 4, 5), (4, 5), every, axis=(1, 2))
    yield layer_case("all axes", dtype, (4, 5), (4, 5), every, axis=(0, 1))


def batch_case(name, dtype, shape, axis=1, training=True, affine=True, running=True, eps=1e-5):
    channels = shape[axis]
    inputs = {"x": normal(1, *shape, dtype=dtype) * 2 + 1}
    if affine:
        inputs |= {"gamma": normal(2, channels, dtype=dtype)}
        inputs |= {"beta": normal(3, channels, dtype=dtype)}
    wanted = list(inputs)
    if running:
        inputs |= {"mean": normal(4, channels, dtype=dtype)}
        inputs |= {"var": normal(5, channels, dtype=dtype) ** 2 + 0.5}

    def of_ours(ps, x, gamma=None, beta=None, mean=None, var=None):
        made = ps.nn.batch_norm(
            x, gamma, beta, mean, var, 0.8, eps, axis, training=training, correction=1.0
        )
        return made if running else made[0]

    def of_theirs(torch, x, gamma=None, beta=None, mean=None, var=None):
        turned = x.movedim(axis, 1)
        y = torch.nn.functional.batch_norm(turned, mean, var, gamma, beta, training, 0.2, eps)
        y = y.movedim(1, axis)
        return (y, mean, var) if running else y

    return gradient_case(
        f"batch norm {name} {dtype}", inputs, wanted, of_ours, of_theirs, **room(dtype)
    )


def batch_cases(dtype):
    yield batch_case("of rows", dtype, (6, 3))
    yield batch_case("of rows of many channels", dtype, (5, 37))
    yield batch_case("of images", dtype, (3, 2, 5, 4))
    yield batch_case("of images, channels last", dtype, (3, 5, 4, 2), axis=3)
    yield batch_case("without parameters", dtype, (3, 2, 5, 4), affine=False)
    yield batch_case("without statistics", dtype, (3, 2, 5), running=False, eps=0.1)
    yield batch_case("in use", dtype, (3, 2, 5), training=False)
    yield batch_case("in use, without parameters", dtype, (3, 2, 5), training=False, affine=False)


def channel_case(name, dtype, ours, theirs):
    inputs = {"x": normal(1, 3, 4, 5, dtype=dtype) * 2 + 1}
    inputs |= {"gamma": normal(2, 4, dtype=dtype), "beta": normal(3, 4, dtype=dtype)}
    return gradient_case(f"{name} {dtype}", inputs, list(inputs), ours, theirs, **room(dtype))


def channel_cases(dtype):
    yield channel_case(
        "group norm",
        dtype,
        lambda ps, x, gamma, beta: ps.nn.group_norm(x, gamma, beta, groups=2, eps=0.01),
        lambda torch, x, gamma, beta: torch.nn.functional.group_norm(x, 2, gamma, beta, 0.01),
    )
    yield channel_case(
        "instance norm",
        dtype,
        lambda ps, x, gamma, beta: ps.nn.instance_norm(x, gamma, beta),
        lambda torch, x, gamma, beta: torch.nn.functional.instance_norm(
            x, weight=gamma, bias=beta
        ),
    )
    yield channel_case(
        "rms norm",
        dtype,
        lambda ps, x, gamma, beta: ps.nn.rms_norm(ps.swapaxes(x, 1, 2), gamma, eps=0.01) + beta,
        lambda torch, x, gamma, beta: torch.nn.functional.rms_norm(
            x.swapaxes(1, 2), (4,), gamma, 0.01
        )
        + beta,
    )


def cases():
    found = []
    for dtype in DTYPES:
        found += layer_cases(dtype)
        found += channel_cases(dtype)
        found += batch_cases(dtype)
    return found
