"""Runs programs in PaddlePaddle or ours: `python -m paddle_programs.runner real|ours`."""

from dialect_programs.runner import LARGE, Runner, main, plain

PRINTED = {
    "precision": 8,
    "threshold": 1000,
    "edgeitems": 3,
    "sci_mode": False,
    "linewidth": 80,
}


class PaddleRunner(Runner):
    name = "paddle"
    repeated = ("dtype", "CPUPlace")

    def load(self, which):
        if which == "real":
            import paddle
        else:
            from penstock import paddle
        return paddle

    def names(self):
        paddle = self.library
        return {
            **super().names(),
            "nn": paddle.nn,
            "F": paddle.nn.functional,
            "O": paddle.optimizer,
        }

    def encode(self, value):
        if isinstance(value, self.told_by_repr):
            return {"kind": "repr", "value": repr(value)}
        return super().encode(value)

    def about(self, tensor):
        if not self.is_tensor(tensor):
            return type(tensor).__name__
        flags = (tensor.stop_gradient, tensor.is_leaf)
        return (type(tensor).__name__, str(tensor.dtype), tensor.shape, str(tensor.place), flags)

    def reset(self):
        paddle = self.library
        paddle.set_default_dtype("float32")
        paddle.set_printoptions(**PRINTED)
        paddle.set_grad_enabled(True)
        paddle.seed(0)

    def after_step(self):
        self.library.set_grad_enabled(True)

    def array(self, tensor):
        """The elements, as NumPy has them; bfloat16 as float32."""
        tensor = tensor.detach()
        half = tensor.dtype == self.library.bfloat16
        return (tensor.astype("float32") if half else tensor).numpy()

    def encode_tensor(self, tensor):
        flat = self.array(tensor).ravel()
        return {
            "kind": type(tensor).__name__,
            "dtype": str(tensor.dtype).removeprefix("paddle."),
            "shape": list(tensor.shape),
            "device": str(tensor.place),
            "flows": [tensor.stop_gradient, tensor.is_leaf],
            "data": plain(flat[:: 1 + flat.size // LARGE].tolist()),
        }

    def snapshot(self, tensor):
        return self.array(tensor).tobytes()

    def overwrite(self, tensor, number):
        with self.library.no_grad():
            tensor.detach()[...] = number

    def is_written(self, tensor):
        return tensor.size > 0 and tensor.dtype != self.library.bool


if __name__ == "__main__":
    main(PaddleRunner)
