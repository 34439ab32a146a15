"""A character LSTM learns the words for numbers, and then writes some of its own.

The text is generated: "twenty-seven plus four is thirty-one." and so on. Sequences are cut from it at
random places; gradients are clipped by their norm, which stays on the device.
"""

import math
import sys
from collections.abc import Iterator
from typing import Any

import penstock as ps
from penstock import autograd, data, metric, nn, optim

STEPS, BATCH, HIDDEN, EPOCHS, UPDATES = 48, 32, 128, 6, 60

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def spelled(number: int) -> str:
    if number < 20:
        return ONES[number]
    tens, ones = divmod(number, 10)
    return TENS[tens - 2] + (f"-{ONES[ones]}" if ones else "")


def text(sentences: int, rng: ps.random.Generator) -> str:
    pairs = rng.integers(0, 50, (sentences, 2)).tolist()
    return " ".join(f"{spelled(a)} plus {spelled(b)} is {spelled(a + b)}." for a, b in pairs)


class Writer(nn.Block):
    """Tells how likely each character is to come next."""

    def __init__(self, characters: int) -> None:
        self.embedding = nn.Embedding(characters, 32)
        self.lstm = nn.LSTM(HIDDEN)
        self.output = nn.Dense(characters, flatten=False)

    def forward(self, places: ps.ndarray, state: Any = None) -> tuple[ps.ndarray, Any]:
        """Of places (steps, batch); gives scores and the state after the last step."""
        y, state = self.lstm(self.embedding(places), state)
        return self.output(y), state


def batches(
    places: ps.ndarray, rng: ps.random.Generator
) -> Iterator[tuple[ps.ndarray, ps.ndarray]]:
    """Sequences from random places of the text, and each character's next."""
    window = ps.arange(STEPS + 1)[:, None]
    for _ in range(UPDATES):
        first = rng.integers(0, places.shape[0] - STEPS - 1, BATCH)
        piece = places.take(first[None, :] + window)
        yield piece[:-1], piece[1:]


def train(net: Writer, places: ps.ndarray, rng: ps.random.Generator) -> None:
    trainer = optim.Adam(net.parameters(), 0.005, clip_norm=1.0)
    loss_of, seen = nn.SoftmaxCELoss(), metric.Loss()
    for epoch in range(EPOCHS):
        steps = data.progress(
            batches(places, rng), f"epoch {epoch + 1}", total=UPDATES, file=sys.stdout
        )
        for x, y in steps:
            with autograd.record():
                loss = loss_of(net(x)[0], y).mean()
            loss.backward()
            trainer.step()
            seen.update(None, loss)
        print(f"perplexity {math.exp(seen.value):.2f}")
        seen.reset()


def write(net: Writer, characters: list[str], start: str, length: int) -> str:
    """The start of a text, continued by the likeliest characters."""
    place, state, written = 0, None, start
    for character in start:
        place = characters.index(character)
        scores, state = net(ps.array([[place]]), state)
    for _ in range(length):
        place = scores[0, 0].argmax().item()
        written += characters[place]
        scores, state = net(ps.array([[place]]), state)
    return written


def main() -> None:
    rng = ps.random.default_rng(1)
    learned = text(2000, rng)
    characters = sorted(set(learned))
    places = ps.array([characters.index(character) for character in learned])
    net = Writer(len(characters)).initialize(nn.init.Xavier(generator=rng))
    train(net, places, rng)
    print(write(net, characters, "seven plus ", 80))


if __name__ == "__main__":
    main()
