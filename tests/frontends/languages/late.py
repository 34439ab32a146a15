"""Failures that only values show: positions that are out of range, numbers of values that do not fit. They
are found while running, and come out of a wait, perhaps of something that was computed of the result."""

from statements import SLOTS, Call, Dtype, Get, Late, Set, Show, Slot, Wait, WaitAll


class Lateness:
    def late(self):
        """A statement that fails when it is waited for."""
        draw = self.draw
        source, value = self.certain()
        to = draw.choice([one for one in map(Slot, range(SLOTS)) if one != source])
        wrong = draw.choice([value.count + draw.randint(0, 3), -value.count - draw.randint(1, 3)])
        places = [draw.randint(0, value.shape[0] - 1) for _ in range(draw.randint(0, 3))] + [wrong]
        draw.shuffle(places)
        self.literal(to, (len(places),), "int64", iter(places).__next__)
        body = self._failing(source, to)
        self._chain(body)
        body.append(draw.choice([Wait, Wait, Show])(body[-1].to) if draw.chance(0.8) else WaitAll())
        self.add(Late(body))

    def _failing(self, source, places):
        """What fails; its result is the temporary 0."""
        to, made = Slot(0, temporary=True), Slot(1, temporary=True)
        mask = Call(made, "not_equal", (source, 0))
        copied = Call(made, "copy", (source,))
        return self.draw.choice(
            [
                [Call(to, "take", (source, places))],
                [Call(to, "take", (source, places), {"axis": 0})],
                [Get(to, source, (places,))],
                [Call(to, "put", (source, places, 1))],
                [Call(to, "put", (source, places, 1), {"axis": 0, "accumulate": True})],
                [Call(to, "embedding", (places, source))],
                [Call(to, "take_along_axis", (source, places), {"axis": -1})],
                [Call(to, "pick", (source, places), {"axis": 0})],
                [mask, Call(to, "masked_put", (source, made, places))],
                [copied, Set(made, (places,), 1), Call(to, "copy", (made,))],
            ]
        )

    def _chain(self, body):
        """Statements that cannot fail by themselves, on what is marked."""
        count = self.draw.randint(0, 3)
        if count:
            body.append(Call(Slot(1, temporary=True), "cast", (body[-1].to, Dtype("float64"))))
        for number in range(2, 1 + count):
            row, rest, form = self.draw.choice(
                [
                    ("add", (1,), "operator"),
                    ("multiply", (2,), "operator"),
                    ("sum", (), "method"),
                    ("negative", (), "function"),
                ]
            )
            body.append(Call(Slot(number, temporary=True), row, (body[-1].to, *rest), form=form))
