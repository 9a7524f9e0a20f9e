"""What passengers ask Pier, and in which channel colleagues write down the answer."""

from collections.abc import Callable

import msgspec
from diorama.kernel import Dice


class Topic(msgspec.Struct, frozen=True):
    """A kind of question: where it is answered, how it is asked, and what an answer looks like."""

    channel: str
    subject: str
    asks: str
    noun: str
    notes: str
    """What a colleague writes down first."""
    corrects: str
    """What replaces it later."""
    value: Callable[[Dice], str]


def _time(dice: Dice) -> str:
    return f"{dice.integer(5, 22):02d}:{dice.integer(0, 11) * 5:02d}"


def _shelf(dice: Dice) -> str:
    return f"{dice.pick('ABCDEFGHKLM')}{dice.integer(100, 999)}"


def _cabin(dice: Dice) -> str:
    return str(dice.integer(2001, 9899))


def _fee(dice: Dice) -> str:
    return f"{dice.integer(21, 189)}.{dice.integer(10, 99)}"


TOPICS = {
    "departure": Topic(
        "operations",
        "When do we leave?",
        "At what time does the ferry of booking {booking} leave now? I heard that it was moved.",
        "departure time",
        "Booking {booking}: their sailing is moved, new departure {value}.",
        "Booking {booking}: forget my last note. The harbour office changed it once more, they leave at {value}.",
        _time,
    ),
    "lost": Topic(
        "lost-and-found",
        "Lost umbrella",
        "I left my umbrella on board. My booking was {booking}. Where can I pick it up?",
        "shelf",
        "Umbrella of booking {booking} is on shelf {value}.",
        "Umbrella of booking {booking}: we tidied up, it is on shelf {value} now.",
        _shelf,
    ),
    "cabin": Topic(
        "cabins",
        "Which cabin do we have?",
        "Our cabin door is broken, says your mail. Which cabin do we get? Booking {booking}.",
        "cabin number",
        "Booking {booking} gets cabin {value}.",
        "Booking {booking}: no, that one has no window. They get cabin {value}.",
        _cabin,
    ),
    "van": Topic(
        "cars",
        "Van on the car deck",
        "Our van is higher than we told you. What do we have to pay on top for booking {booking}?",
        "surcharge in EUR",
        "Booking {booking}: the van is over the limit, surcharge {value} EUR.",
        "Booking {booking}: I measured the wrong van, sorry. The surcharge is {value} EUR.",
        _fee,
    ),
    "check-in": Topic(
        "operations",
        "Check-in",
        "Until when can we check in with booking {booking}? We arrive by train.",
        "end of check-in",
        "Booking {booking}: check-in ends at {value}.",
        "Booking {booking}: the train is late, we hold check-in open until {value}.",
        _time,
    ),
}
