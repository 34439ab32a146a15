"""Every form of indexing and of changing a shape, and what is seen of whether it shares elements.

`seen` does one form in a given torch: it makes a tensor, applies the form, writes through the
result and then through the source, and returns what both look like after each, and how many writes
each of them counts. record_torch_views.py writes down what the real PyTorch does;
test_torch_views.py holds ours against that.
"""

# What x is: a tensor of consecutive numbers, or of others where the form is about those.
SOURCES = {
    "one": "torch.arange(6.)",
    "two": "torch.arange(12.).reshape(3, 4)",
    "three": "torch.arange(24.).reshape(2, 3, 4)",
    "thin": "torch.arange(4.).reshape(1, 4, 1)",
    "turned": "torch.arange(12.).reshape(3, 4).T",
    "number": "torch.tensor(7.)",
    "row": "torch.arange(4.).reshape(1, 4)",
    "complex": "torch.complex(torch.arange(4.), torch.ones(4))",
    "integers": "torch.arange(6)",
}

# Indices, by the source they are for.
INDICES = {
    "one": """
        0 | -1 | 5 | 2:4 | :3 | 3: | : | ... | () | ::2 | 1::2 | -2: | 2:3 | 0:6 | 4:2 | 0:99
        None | None, 2:4 | 2:4, None | ..., None | True | False
        [0, 2] | [3] | [[0, 1], [2, 3]] | (0,) | torch.tensor(2) | torch.tensor([1, 0])
        torch.tensor([[0], [1]]) | torch.tensor([1, 0], dtype=torch.int32) | x > 2
        torch.tensor([True, False] * 3) | [True, False] * 3 | np.array([1, 2]) | np.int64(1)
        range(2) | ::-1 | 9 | 0, 0 | 1.0 | slice(torch.tensor(1), torch.tensor(3))
    """,
    "two": """
        0 | 2 | -1 | 0:2 | 1: | : | ... | () | ::2 | 1:2 | 0:3 | 3:
        :, 1 | :, -1 | :, 1:3 | :, 0:4 | :, : | :, ::2 | 1, 2 | 1, 1:3 | 1, : | 1, ... | ..., 1
        ..., 1:3 | 1:2, 1:3 | 1:2, 2 | 0:2, 0:4 | 0:2, 1:3 | 1:2, ::2 | 1, ::2 | ::2, 1 | ::2, ::2
        None | None, 1 | 1, None | :, None | ..., None | 1:2, None, 1:3 | None, None | (1, 2)
        [0, 2] | [[0], [1]] | [0, 1], [1, 2] | 1, [0, 2] | [0, 2], 1:3 | :, [0, 2] | [0, 2], None
        [[0, 1], [1, 2]] | torch.tensor([0, 2]), 1 | ..., [0, 2] | x > 3 | x[0] > 1
        torch.tensor([True, False, True]) | :, torch.tensor([True, False, True, False])
        torch.tensor([True, False, True]), 1 | torch.tensor(1), torch.tensor(2) | torch.tensor(1)
        torch.tensor(True) | 0, 0, 0 | 3 | :, 4 | ..., ... | [0, 3], [0, 4]
    """,
    "three": """
        0 | 1 | -1 | 0:1 | : | ... | ::2 | 0, 1 | 0, 1:3 | 0, : | 0, 1, 2 | 0, 1, 1:3
        0, 1:2, 1:3 | 0, 1:3, 1 | 0, :, 1 | 0:1, 1 | 0:1, 1:3 | 0:1, 1:2, 1:3 | :, 0 | :, 1:3
        :, :, 0 | :, :, 1:3 | 1, ..., 1:3 | ..., 0 | 1, ..., 0 | 1, 2, ... | 1, None, 2
        None, 1, 2 | 1, ::2 | :, ::2, ::3 | [1, 0] | [1, 0], [2, 0] | 1, [0, 2] | [1, 0], :, 1
        [1, 0], :, [2, 3] | :, [0, 1], [0, 1] | 0, :, [0, 1] | :, x[0] > 4 | [0, 1], ..., 0
        x > 20 | :, torch.tensor([[0, 1], [1, 2]]) | [1], [2], [3]
    """,
    "thin": "0 | 0, 1 | 0, 1:3 | :, 1:3 | :, 1 | 0, :, 0 | ..., 0 | 0:1, 2",
    "turned": "0 | 1:3 | :, 0 | ::2, 1: | [0, 1] | x > 5 | 1, 1 | None, 1 | ..., None",
    "number": "() | ... | None | 0 | : | True | False | ..., None | [] | torch.tensor(True)",
}

# Methods and functions, by the source they are for.
FORMS = {
    "one": """
        x.reshape(2, 3) | x.reshape((-1, 2)) | x.reshape(6) | x.reshape(-1) | x.view(3, 2)
        x.view((6,)) | x.T | x.flatten() | x.ravel() | x.squeeze() | x.unsqueeze(0)
        x.unsqueeze(-1) | x.clone() | list(x)[1] | x.unbind()[1] | x.expand(2, 6) | x.expand(-1)
        x.unfold(0, 2, 2) | x.unfold(0, 3, 1) | x.diag() | torch.diag_embed(x) | x.tile(1)
        x.repeat(1) | x.repeat(2) | x.narrow(0, 1, 3) | x.select(0, 2) | x.as_strided((2,), (3,))
        x.as_strided((2, 2), (2, 1), 1) | x.roll(0) | x.roll(1) | x.flip(0) | x.unflatten(0, (2, 3))
        torch.atleast_1d(x) | torch.atleast_2d(x) | torch.atleast_3d(x) | torch.cat([x])
        torch.cat((x[:3], x[3:])) | torch.stack([x])[0] | torch.hstack([x]) | torch.vstack([x])
        torch.meshgrid(x, x[:2], indexing='ij')[0] | torch.broadcast_tensors(x, x[:1])[0]
        torch.broadcast_tensors(x, x[:1])[1] | torch.split(x, 4)[1] | x.split([2, 4])[1]
        x.chunk(2)[1] | x.tensor_split(3)[1] | x.hsplit(2)[0] | torch.as_strided(x, (3,), (2,))
        x.to(torch.float32) | x.to('cpu') | x.to(torch.float64) | x.to(torch.float32, copy=True)
        x.to(x) | x.type(torch.float32) | x.type('torch.FloatTensor') | x.float() | x.double()
        x.cpu() | x.contiguous() | x.detach() | x.data | x.detach().detach() | x.requires_grad_()
        torch.tensor(x) | torch.as_tensor(x) | torch.asarray(x) | torch.asarray(x, copy=True)
        torch.as_tensor(x, dtype=torch.float64) | x.type_as(x) | x.real | x.conj() | x.positive()
        x.abs() | +x | x * 1 | torch.where(x > 2, x, x) | x.clamp(-9, 99) | x.take(torch.tensor([1]))
        x.gather(0, torch.tensor([1, 2])) | x.index_select(0, torch.tensor([1])) | x.sort().values
        x.masked_select(x > 2) | x.view(torch.float32) | x.view(torch.int32) | x.view_as(x)
        x.reshape_as(x) | x.expand_as(x) | x.squeeze_() | x.unsqueeze_(0) | x.detach_()
        copy.copy(x) | copy.deepcopy(x) | torch.clone(x) | torch.detach(x) | x.resolve_conj()
        x.new_tensor(x) | torch.zeros_like(x).copy_(x) | x.repeat_interleave(1) | x.movedim(0, 0)
        x.fill_(3) | x.add_(1) | x.zero_() | x.copy_(x + 1) | x.__iadd__(1) | x.swapaxes(0, 0)
        nn.Identity()(x) | F.relu(x) | F.relu(x, inplace=True) | F.dropout(x, 0.5, False)
        F.pad(x, (0, 0)) | nn.Flatten(0)(x) | x.relu_() | torch.squeeze(x, 0) | x.view(2, -1)
        x.view(4) | x.reshape(4) | x.reshape(2, -1, -1) | x.expand(7) | x.squeeze(1) | x.unsqueeze(3)
        x.narrow(0, 4, 3) | x.split([1, 1]) | x.transpose(0, 1) | x.permute(1) | x.unflatten(0, (4,))
    """,
    "two": """
        x.reshape(4, 3) | x.reshape(-1) | x.reshape(2, 6) | x.reshape(3, 4) | x.view(12)
        x.view(2, 3, 2) | x.T | x.T.T | x.T[1] | x.mT | x.H | x.t() | x.transpose(0, 1)
        x.transpose(0, 0) | x.permute(1, 0) | x.permute((1, 0)) | x.permute(0, 1) | x.swapaxes(0, 1)
        x.swapdims(0, 1) | x.movedim(0, 1) | x.moveaxis(0, 1) | torch.transpose(x, 0, 1)
        torch.permute(x, (1, 0)) | torch.reshape(x, (4, 3)) | torch.flatten(x) | torch.ravel(x)
        torch.unsqueeze(x, 1) | torch.squeeze(x) | torch.t(x) | torch.swapaxes(x, 0, 1)
        torch.movedim(x, 0, 1) | torch.narrow(x, 1, 1, 2) | torch.select(x, 1, 2) | torch.unbind(x)[1]
        torch.unbind(x, 1)[1] | torch.chunk(x, 2, dim=1)[1] | torch.split(x, 2, dim=1)[1]
        torch.tensor_split(x, 2, dim=1)[1] | torch.hsplit(x, 2)[1] | torch.vsplit(x, 3)[1]
        torch.diagonal(x) | x.diagonal(1) | x.diag() | torch.unflatten(x, 1, (2, 2)) | x.flatten(1)
        torch.broadcast_to(x, (3, 4)) | torch.broadcast_to(x, (2, 3, 4)) | x.expand(2, 3, 4)
        x.expand(3, 4) | x.unfold(1, 2, 2) | x[1].reshape(2, 2) | x[1:].reshape(-1)
        x[:, 1:].reshape(-1) | x[:, :2].reshape(3, 2) | x[:, ::2].view(3, 2) | x[1].view(2, 2)[1]
        x[1:][0][1:3] | x.T.reshape(-1) | x.T.flatten() | x.T.contiguous() | x.T.clone()
        x.T.reshape(2, 2, 3) | x.T.view(2, 2, 3) | x.T.view(12) | x[:, 1:].view(-1) | x.T.ravel()
        list(x)[1] | [row for row in x][2] | x.flip(0) | x.flip(0, 1) | x.fliplr() | x.flipud()
        x.rot90() | x.roll(1, 0) | x.repeat(1, 1) | x.tile((1, 1)) | x.repeat_interleave(1, dim=0)
        torch.cat([x]) | torch.stack([x])[0] | torch.vstack([x]) | x.tril() | x.triu() | x.clone().T
        x.index_select(1, torch.tensor([0, 1])) | x.gather(1, torch.tensor([[0], [1], [2]]))
        x.take(torch.tensor([0, 5])) | x.masked_select(x > 3) | x.where(x > 3, x) | x.to(x.device)
        x.contiguous() | x.T.T.contiguous() | x.detach()[1] | x.data[1] | x[1].detach() | x.data.T
        x.requires_grad_().detach() | x.squeeze(0) | x.t_() | x.transpose_(0, 1) | x.squeeze_()
        x.unsqueeze_(1) | x.swapaxes_(0, 1) | x[0].fill_(5) | x[:, 1].add_(1) | x.masked_fill(x > 3, 0)
        x.masked_fill_(x > 3, 0) | x.sort(dim=1).values | x.max(dim=1).values | torch.sum(x, 1)
        x.view_as(torch.ones(4, 3)) | x.reshape_as(torch.ones(4, 3)) | x.expand_as(torch.ones(2, 3, 4))
        x.as_strided((2, 2), (4, 1)) | nn.Flatten()(x) | nn.Sequential()(x) | nn.Unflatten(1, (2, 2))(x)
        x.reshape(torch.Size([12])) | x.view(torch.Size([12])) | x.mH | x.adjoint()
        torch.atleast_3d(x) | torch.block_diag(x) | torch.cartesian_prod(x[0], x[1])
        x.index_fill(0, torch.tensor([1]), 3) | x.index_add(0, torch.tensor([1]), x[:1])
        x.unfold(0, 4, 1) | x.diagonal(0, 0, 0) | x.movedim(0, 2) | x.expand(4) | x.expand(3, 5)
        x.unbind(2) | x.narrow(1, 3, 2) | x.select(1, 4) | x.vsplit(2) | x.permute(0) | x.permute(0, 0)
    """,
    "three": """
        x.reshape(6, 4) | x.view(2, 12) | x.view(-1, 4) | x.transpose(1, 2) | x.permute(2, 0, 1)
        x.permute(0, 2, 1).reshape(2, 12) | x.permute(1, 0, 2).reshape(3, 2, 2, 2) | x.mT | x[1].T
        x[1].reshape(4, 3) | x.flatten() | x.flatten(1) | x.flatten(0, 1) | x.flatten(start_dim=1)
        x.transpose(0, 1).flatten(1) | x.transpose(0, 1).flatten(0, 1) | x.unbind(1)[2]
        x.split(2, dim=2)[1] | x.chunk(3, 1)[0] | x.dsplit(2)[1] | x.swapaxes(0, 2) | x.diagonal()
        x.diagonal(dim1=1, dim2=2) | x.movedim((0, 1), (2, 0)) | x.select(1, 1) | x.narrow(2, 1, 2)
        x.unfold(2, 2, 1) | x.T | x.H | x.t() | x.squeeze() | x.expand(2, 3, 4) | x.view(2, 3, 2, 2)
        x[:, 1].view(2, 2, 2) | x[:, 1].view(8) | x[:, :, 1].view(6) | x[:, :, ::2].reshape(-1)
        x[:, 1:].view(2, 8) | x.transpose(1, 2).contiguous() | nn.Flatten()(x) | x[..., None].squeeze(-1)
    """,
    "thin": """
        x.squeeze() | x.squeeze(0) | x.squeeze(1) | x.squeeze(-1) | x.squeeze((0, 2)) | x.flatten()
        x.reshape(4) | x.view(4) | x.expand(3, 4, 2) | x.expand(1, 4, 1) | x.expand(-1, -1, 2)
        x.repeat(2, 1, 1) | x.permute(2, 1, 0) | x.permute(2, 1, 0).view(4) | x.T | x.squeeze_()
        x.expand(3, 4, 2).contiguous() | x.expand(1, 4, 1).contiguous() | x.expand(3, 4, 1).reshape(12)
    """,
    "turned": """
        x.contiguous() | x.reshape(-1) | x.reshape(4, 3) | x.reshape(2, 2, 3) | x.flatten() | x.T.view(12)
        x.clone() | x.to(torch.float32) | x.float() | x.data | x.detach() | x.unsqueeze(1)
        x.view(4, 3) | x.view(12) | x.split(2)[1] | x.expand(2, 4, 3) | torch.atleast_2d(x)
        torch.zeros_like(x) | torch.as_tensor(x) | x * 1 | x.double() | copy.deepcopy(x)
    """,
    "number": """
        x.reshape(1) | x.view(1, 1) | x.unsqueeze(0) | x.expand(3) | x.clone() | x.T | x.flatten()
        x.squeeze() | x.detach() | x.to(torch.float32) | torch.atleast_1d(x) | x.reshape(()) | x.ravel()
        x.repeat(2) | torch.stack([x]) | x.broadcast_to((2, 2)) | list(x) | x.unbind() | x.split(1)
    """,
    "row": """
        x.expand(3, 4) | x.expand(3, -1) | x.broadcast_to((3, 4)) | x.repeat(3, 1) | x.squeeze()
        x.expand(3, 4).T | x.expand(3, 4)[1] | x.expand(3, 4).clone() | x.expand(2, 3, 4)[:, 0]
        x.tile(3, 1) | x.T | x.T.view(4) | x.T.squeeze() | x.squeeze(0).expand(2, 4)[0] | x.view(-1)
    """,
    "complex": "x.real | x.imag | x.conj() | torch.view_as_real(x) | x.clone() | x.resolve_conj() | x[1:]",
    "integers": """
        x.long() | x.int() | x.to(torch.int64) | x.type(torch.LongTensor) | x.view(2, 3) | x.real
        x.float() | x.floor() | x.round() | x.abs() | x.clone() | torch.floor(x) | torch.trunc(x)
    """,
}


def listed(text):
    """The forms of a table, in which bars and ends of lines separate."""
    return [form.strip() for line in text.splitlines() for form in line.split(" | ") if form.strip()]


def forms():
    """(name of a source, expression) for all."""
    for name in SOURCES:
        for index in listed(INDICES.get(name, "")):
            yield name, f"x[{index}]"
        for form in listed(FORMS.get(name, "")):
            yield name, form


def values(tensor):
    """The elements as lists of whole numbers, of complex ones as text."""
    found = tensor.detach().tolist()
    return str(found) if tensor.is_complex() else _whole(found)


def _whole(found):
    if isinstance(found, list):
        return [_whole(one) for one in found]
    return int(found) if found == found else None


def seen(torch, name, form):
    """What a form gives, as data: values, and those of source and result after writing to each."""
    import copy
    import importlib
    import warnings

    import numpy

    warnings.simplefilter("ignore")
    names = {"torch": torch, "np": numpy, "copy": copy}
    x = names["x"] = eval(SOURCES[name], names)
    if "nn." in form or "F." in form:
        names["nn"] = importlib.import_module(f"{torch.__name__}.nn")
        names["F"] = importlib.import_module(f"{torch.__name__}.nn.functional")
    try:
        y = eval(form, names)
        # An error about values may come as late as here.
        if not isinstance(y, torch.Tensor):
            return {"type": type(y).__name__, "values": [values(one) for one in y]}
        found = {"same": y is x, "dtype": str(y.dtype), "values": values(y)}
    except Exception as error:  # what it is called is all that is compared
        return {"raises": kinds(error)}
    with torch.no_grad():
        try:
            y[...] = -1
        except RuntimeError as error:
            found["write"] = kinds(error)
        found["source"] = values(x)
        x[...] = -2
        found["result"] = values(y)
    found["writes"] = [x._version, y._version]
    return found


def kinds(error):
    """The built-in classes that an exception is of."""
    return sorted(
        kind.__name__
        for kind in type(error).__mro__
        if kind.__module__ == "builtins" and kind not in (object, BaseException, Exception)
    )
