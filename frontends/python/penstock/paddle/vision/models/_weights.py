"""Trained weights, of which there are none."""


def refuse_weights(name, pretrained):
    """Raises for a network that should be trained already."""
    if pretrained:
        raise NotImplementedError(
            f"paddle.vision.models.{name}: pretrained=True: there are no trained weights, and "
            "nothing is downloaded; make the network without, and give set_state_dict what "
            "PaddlePaddle saved"
        )
