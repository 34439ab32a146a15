"""Runs programs in PyTorch or ours: `python -m torch_programs.runner real|ours`."""

import json

from dialect_programs.runner import LARGE, Runner, main, plain


class TorchRunner(Runner):
    name = "torch"
    repeated = ("dtype", "device")

    def load(self, which):
        if which == "real":
            import torch

            torch.set_num_threads(1)
        else:
            import penstock.torch as torch
        return torch

    def about(self, tensor):
        if not self.is_tensor(tensor):
            return type(tensor).__name__
        flags = (tensor.requires_grad, tensor.is_leaf)
        return (type(tensor).__name__, str(tensor.dtype), tensor.shape, str(tensor.device), flags)

    def reset(self):
        torch = self.library
        torch.set_default_dtype(torch.float32)
        torch.set_printoptions(profile="default")
        torch.set_grad_enabled(True)
        torch.manual_seed(0)

    def after_step(self):
        self.library.set_grad_enabled(True)

    def encode_tensor(self, tensor):
        flat = tensor.detach().reshape(-1)
        return {
            "kind": type(tensor).__name__,
            "dtype": str(tensor.dtype).removeprefix("torch."),
            "shape": list(tensor.shape),
            "device": str(tensor.device),
            "flows": [tensor.requires_grad, tensor.is_leaf, tensor.grad_fn is not None],
            "data": plain(flat[:: 1 + flat.numel() // LARGE].tolist()),
        }

    def snapshot(self, tensor):
        return json.dumps(plain(tensor.detach().reshape(-1).tolist()))

    def overwrite(self, tensor, number):
        with self.library.no_grad():
            tensor.detach().fill_(number)

    def is_written(self, tensor):
        return tensor.numel() > 0 and tensor.dtype is not self.library.bool


if __name__ == "__main__":
    main(TorchRunner)
