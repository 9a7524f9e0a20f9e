"""Match our operations with the vendor's: which of theirs we serve, and which are only ours."""

from msgspec import Struct

from diorama.contract.spec import Operation, Spec


class Pair(Struct, frozen=True):
    """One operation as the vendor's spec has it, and as we declare it."""

    theirs: Operation
    ours: Operation


class Match(Struct, frozen=True):
    """Two specs matched by method and normalised path."""

    served: list[Pair]
    missing: list[Operation]
    extra: list[Operation]

    @property
    def total(self) -> int:
        """The number of the vendor's operations."""
        return len(self.served) + len(self.missing)

    def areas(self) -> dict[str, tuple[int, int]]:
        """Return served and total operations by resource area, in alphabetical order."""
        counts: dict[str, list[int]] = {}
        for operation, is_served in [
            *((pair.theirs, True) for pair in self.served),
            *((o, False) for o in self.missing),
        ]:
            count = counts.setdefault(operation.area, [0, 0])
            count[0] += is_served
            count[1] += 1
        return {area: (counts[area][0], counts[area][1]) for area in sorted(counts, key=str.casefold)}


def match(theirs: Spec, ours: Spec) -> Match:
    """Match our operations with the vendor's."""
    return Match(
        served=[
            Pair(theirs.operations[key], ours.operations[key]) for key in theirs.operations if key in ours.operations
        ],
        missing=[operation for key, operation in theirs.operations.items() if key not in ours.operations],
        extra=[operation for key, operation in ours.operations.items() if key not in theirs.operations],
    )
