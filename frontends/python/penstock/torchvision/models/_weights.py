"""Trained weights, of which there are none."""


def refuse_weights(name, weights, pretrained):
    """Raises for a network that should be trained already."""
    if weights is not None or pretrained:
        raise NotImplementedError(
            f"torchvision.models.{name}: there are no trained weights, and nothing is downloaded; "
            "make the network without, and give load_state_dict what torchvision saved"
        )
