"""Records which public names the real PaddlePaddle has.

    record_paddle_names.py > frontends/python/penstock/paddle/_names.py

Run it by a Python that has paddlepaddle 3.3.1. library_names.py says which names are public.
"""

import re

from library_names import Library, find

MODULES = """
paddle paddle.Tensor
paddle.nn paddle.nn.functional paddle.nn.initializer paddle.nn.utils
paddle.optimizer paddle.optimizer.lr
paddle.io
paddle.vision paddle.vision.datasets paddle.vision.models paddle.vision.ops
paddle.vision.transforms paddle.vision.transforms.functional
paddle.autograd paddle.device paddle.device.cuda
paddle.amp paddle.audio paddle.callbacks paddle.distributed paddle.distribution paddle.fft
paddle.framework paddle.geometric paddle.hub paddle.incubate paddle.jit paddle.linalg paddle.metric
paddle.onnx paddle.profiler paddle.quantization paddle.regularizer paddle.signal paddle.sparse
paddle.static paddle.static.nn paddle.sysconfig paddle.tensor paddle.text paddle.utils
paddle.version
""".split()

# Modules whose __all__ leaves out names that programs use.
OPEN = {
    *("paddle", "paddle.nn", "paddle.nn.functional", "paddle.vision", "paddle.autograd"),
    *("paddle.device", "paddle.device.cuda"),
}

# What modules define or import for their own use, and names with which a program's text is made.
OWN = re.compile(
    r"LayerHelper|Variable|Value|OpProtoHolder|IrGraph|Block|Program|OpResult|Operator|MmapStorage"
    r"|check_\w+|in_\w+_mode|in_dynamic_\w+|convert_np_\w+|param_\w+|deprecated|monkey_patch_\w+"
    r"|use_pir_api|fft_\w2\w|fftn_\w2\w|default_main_program|\w+_decorator|extract_\w+_id"
    r"|generate_\w+_fn|generate_control_\w+|templatedoc|dygraph_only|static_only|compat|unreached"
    r"|deprecate_stat_dict|dygraph_not_support|switch_\w+_program|is_belong_to_optimizer"
)

HEAD = '''\
"""The public names of PaddlePaddle 3.3.1.

Recorded by tests/conformance/record_paddle_names.py, never edited. For each module its classes,
functions, modules and other values.
"""

NAMES = {
'''


def is_own(path, name, thing):
    """Whether it is for the library's own use, and not listed for that of others."""
    return OWN.fullmatch(name) is not None and name not in getattr(find(path), "__all__", ())


if __name__ == "__main__":
    Library({"paddle": "3.3.1"}, MODULES, HEAD, OPEN, is_own).write()
