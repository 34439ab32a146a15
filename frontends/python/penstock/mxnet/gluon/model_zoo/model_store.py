"""Files with the parameters of known networks. They are looked for, never downloaded."""

import glob
import os

from ...base import NotBuiltError

__all__ = ["get_model_file", "purge"]

ROOT = os.path.join("~", ".mxnet", "models")


def get_model_file(name, root=ROOT):
    """The path of the parameters of a network in the folder root: <name>-<digits>.params."""
    root = os.path.expanduser(root)
    known = os.path.join(glob.escape(root), glob.escape(name))
    found = sorted(glob.glob(f"{known}-????????.params")) + glob.glob(f"{known}.params")
    if found:
        return found[0]
    raise NotBuiltError(
        f"mxnet.gluon.model_zoo.model_store.get_model_file: there are no downloads; put the "
        f"parameters of {name} into {os.path.join(root, name)}.params, or use pretrained=False"
    )


def purge(root=ROOT):
    """Removes all files of parameters from the folder root."""
    for path in glob.glob(os.path.join(glob.escape(os.path.expanduser(root)), "*.params")):
        os.remove(path)


def loaded(network, name, pretrained, ctx, root):
    """The network, if pretrained with the parameters that its file in the folder root has."""
    if pretrained:
        network.load_parameters(get_model_file(name, root), ctx=ctx)
    return network
