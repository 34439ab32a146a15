"""Write files with the real PaddlePaddle's save, which the tests read: vectors/paddle_files.json.

Run with its interpreter: python tests/conformance/record_paddle_files.py.
"""

import base64
import io
import json
import os

import numpy as np
import paddle


def written(value, **options):
    file = io.BytesIO()
    paddle.save(value, file, **options)
    return base64.b64encode(file.getvalue()).decode()


def main():
    layer = paddle.nn.Linear(2, 3, weight_attr=paddle.nn.initializer.Constant(0.5))
    adam = paddle.optimizer.Adam(0.1, parameters=layer.parameters())
    layer(paddle.ones([1, 2])).sum().backward()
    adam.step()
    mixed = {"a": paddle.ones([2]), "b": [1, "x", None, 2.5], "c": np.arange(3), "d": (1, True)}
    types = {t: paddle.ones([2]).astype(t) for t in ("int32", "int64", "float64", "bool", "uint8")}
    files = {
        "layer": written(layer.state_dict()),
        "adam": written(adam.state_dict()),
        "mixed": written(mixed),
        "mixed2": written(mixed, protocol=2),
        "types": written(types),
        "tensor": written(paddle.to_tensor(1.5)),
    }
    target = os.path.join(os.path.dirname(__file__), "vectors", "paddle_files.json")
    with open(target, "w") as file:
        json.dump(files, file, indent=0)


if __name__ == "__main__":
    main()
