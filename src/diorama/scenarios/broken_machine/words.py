"""Texts: customers' descriptions of faults, and what replies say about the remedy."""

import re
from collections.abc import Sequence

from diorama.kernel import Dice
from diorama.people.reading import reads

SYMPTOMS: dict[str, tuple[str, ...]] = {
    "LC-01": (
        "since I descaled the {product} [last weekend|the other day] no water comes, and the pump makes a racket.",
        "I ran descaler through my {product}, [as one should|like the booklet says]. Now it is LOUD but dry.",
        "after descaling, the {product} roars like a lawnmower and nothing comes out at the front.",
    ),
    "LC-02": (
        "there is a puddle under my {product} every morning, it [seems to come|comes] from where the tank sits.",
        "the {product} is leaking. Take the tank off and the seat underneath is [soaking|all wet].",
        "[I keep mopping|I am forever mopping] under the {product}, water runs out right where you push the tank in.",
    ),
    "LC-03": (
        "the {product} is dead. No display, no light, and the fuse in the plug is fine, I checked.",
        "[this morning|yesterday] the display of my {product} stayed black. I swapped the fuse, still nothing.",
        "nothing lights up on the {product} any more. [Other socket, other cable|New fuse, other socket], same thing.",
    ),
    "AR-01": (
        "my {product} drips all around the portafilter while [it brews|I pull a shot].",
        "coffee runs down the outside of the portafilter on the {product}, [half of it misses the cup|what a mess].",
        "the {product} does not seal at the group any more, water comes out round the edge of the portafilter.",
    ),
    "AR-02": (
        "the pump of the {product} hums but no water comes and there is no pressure at all.",
        "I press the button, the {product} hums [politely|to itself], and that's it. No pressure, no coffee.",
        "zero pressure on my {product}. You hear the pump humming, nothing arrives.",
    ),
    "AR-03": (
        "the steam wand of my {product} drips [all day|non-stop] even with the knob shut tight.",
        "I cannot close the steam on the {product} any more, the wand keeps dripping.",
        "drip, drip, drip: the {product}'s steam wand, with the valve closed.",
    ),
    "AR-04": (
        "every time the {product} heats up, [the kitchen lights go out|the fuse goes]. Unplugged, all is well.",
        "the {product} trips the breaker a minute after I switch it on, [in every room of the flat|every morning].",
        "as soon as my {product} starts heating we sit in the dark, it blows the fuse each time.",
    ),
    "AP-01": (
        "the {product} leaks around the portafilter, [more every week|it used to be a drop and now it is a stream].",
        "my {product} drips at the group, all round the portafilter, however hard I lock it in.",
    ),
    "AP-02": (
        "my {product} shows E1 and stays stone cold.",
        "there is an E1 on the display of the {product} and it does not heat [at all|any more].",
        "E1. That is all the {product} says, and the water is cold.",
    ),
    "AP-03": (
        "my {product} shows E4 the moment I switch it on.",
        "E4 on the display right after power-on, every single time. The {product} does nothing else.",
        "I turn the {product} on, it beeps and says E4. Off, on, E4 again.",
    ),
    "CA-01": (
        "there is water under the {product} and the left side panel is wet.",
        "the {product} is standing in a puddle. It is the left-hand side, I can feel it dripping there.",
    ),
    "CA-02": (
        "the lever on the group of my {product} squeaks like an old door and is [terribly|really] stiff.",
        "I need both hands for the group lever of the {product} by now, and it squeals.",
    ),
    "CA-03": (
        "the boiler of the {product} keeps filling and filling, it never stops.",
        "my {product} does not know when it's full: the pump fills the boiler without end until I pull the plug.",
    ),
    "CA-04": (
        "steam is coming out of the boiler of my {product} itself, along the weld.",
        "the {product} hisses. I took the lid off and the seam of the boiler is blowing steam.",
    ),
    "DU-01": (
        "the flow paddle on the {product} does nothing any more, left, right, all the same.",
        "I can move the paddle of my {product} as I like, the flow doesn't change.",
    ),
    "DU-02": (
        "the brew boiler of the {product} stays cold, the steam one heats up fine.",
        "plenty of steam from my {product} but the brew side is cold as ice.",
    ),
    "DU-03": (
        "the screen of the {product} freezes in the middle of a shot.",
        "halfway through a shot the display of my {product} hangs and I have to pull the plug.",
    ),
    "DU-04": (
        "the paddle of the {product} grinds and jams, something in the gearbox is [broken|gone].",
        "there is an awful grinding when I move the paddle on the {product}, and then it jams.",
    ),
    "TL-01": (
        "the lever of my {product} comes up ever so slowly and sticks half-way.",
        "the lever on the {product} gets stuck in the middle, I have to push it up by hand.",
    ),
    "TL-02": (
        "the base plate of the {product} has cracked, right where the column stands.",
        "I pulled the lever of my {product} this morning and the foot cracked at the column. It wobbles now.",
    ),
    "AT-01": (
        "one group of our {product} gives half a cup and the lamp blinks five times.",
        "the left group of the {product} doses far too little, then five blinks of the lamp.",
    ),
    "AT-02": (
        "the main switch of our {product} gets so hot you can't touch it.",
        "we smelt something, it is the main switch of the {product}, it gets properly hot.",
    ),
    "FG-01": (
        "my {product} runs, I hear the motor, but no coffee comes out.",
        "the {product} spins happily and nothing falls into the cup. [Full hopper|Beans are in it].",
    ),
    "FG-02": (
        "the {product} screeches as soon as I set it fine enough for espresso.",
        "a horrible screech from my {product} at the fine settings. Coarse is OK.",
    ),
    "HG-01": (
        "the setting of my {product} wanders while it grinds, I start at three and end up at five.",
        "I dial in the {product}, and by the end of the dose the ring has moved by itself.",
    ),
    "HG-02": (
        "the {product} stops after two seconds and a red lamp comes on.",
        "two seconds of grinding, then a red light and silence. That is my {product} since [Friday|Sunday].",
    ),
}
"""For each known fault, how customers describe it."""

ADVICE: dict[str, tuple[tuple[str, ...], ...]] = {
    "LC-01": (("prime", "priming", "air lock", "airlock"),),
    "CA-02": (("grease", "greasing", "lubricat"), ("page 18", "p. 18", "p.18")),
    "DU-03": (("2.4.1",),),
    "FG-01": (("brush", "rice", "clogged", "chute"),),
}
"""If the remedy is advice: for each thing that a reply must say, the ways to say it."""

NOT_YOURS = (
    "another customer",
    "other customer",
    "different customer",
    "someone else",
    "somebody else",
    "another person",
    "another owner",
    "other owner",
    "different owner",
    "original owner",
    "first owner",
    "original buyer",
    "not registered",
    "n't registered",
    "n’t registered",
)
"""The ways to say that a machine belongs to another customer."""

DAMAGES = (
    "the {product} arrived [a few days ago|the other day] with a dent the size of my fist and the side panel bent.",
    "I opened the box of the {product} and something rattled: a corner has broken off and the frame is bent.",
    "the carton looked as if it had fallen from a lorry, and the {product} inside is [bent and scratched|smashed].",
    "the {product} came with a cracked housing. [You can see daylight through it|The box had a hole in it, too].",
)
PLATES = (
    "[The serial number is|Serial number:] {serial_number}.",
    "S/N {serial_number}[, from the plate underneath|, it says on the sticker|].",
    "[The plate says|On the back it says] {serial_number}.",
    "It's the one with the serial {serial_number}.",
)
RECEIPTS = (
    "I bought it [from you|in your shop] in {purchase_date}.",
    "[Order|It was order] {order_number}, {purchase_date}.",
    "We have had it since {purchase_date}.",
    "[My order number was|The order was] {order_number}.",
)
TRIED = (
    "[I unplugged it overnight|I left it off for a day], [no change|same thing].",
    "[I cleaned everything|I gave it a good clean], it made no difference.",
    "[My neighbour, who knows about these things, had a look|My brother-in-law had a look] and shrugged.",
    "[I have not opened it|I did not dare to open it].",
    "[No coffee in this house since|We are on instant since then].",
)
WISHES = (
    "[What can you do|What happens now]?",
    "[Please help|Please sort this out], I need my coffee.",
    "[Is that covered|Does the guarantee cover this]?",
    "[Can you fix it or send something|Repair, part, new one, I don't mind], as long as it works again.",
    "[I would like it to work again|I just want it working again].",
)
SUBJECTS = (
    "{product}",
    "{product} broken",
    "machine broken",
    "No coffee!!",
    "Warranty",
    "HELP",
    "my {product}",
    "Problem with {product}",
    "Defective",
    "it's broken",
    "Re: my machine",
    "fault {product}",
    "Guarantee case?",
    "Repair",
    "Monday without coffee",
    "Question about my {product}",
)
LATE_SUBJECTS = (
    "where is my replacement",
    "still no {product}",
    "Re: Re: replacement",
    "REPLACEMENT??",
    "any news?",
    "my {product}, again",
    "2nd mail",
    "promised replacement",
)


_NEW = r"(?:new|replacement|another|spare|part)"
_NOT_DENIED = r"(?:(?!\bnot\b|n['’]t\b|\bif\b|\bonce\b|\bnever\b)[^.!?\n]){0,40}?"
CLAIMS = {
    "goods are coming": re.compile(
        r"\b(?:we|i)(?:['’](?:ve|ll|re|m)| have| will| are| am)?(?: now| just| already| also| gladly)* "
        rf"(?:replaced?\b|replacing\b|exchanged?\b|(?:sen[dt]|sending|ship\w*|dispatch\w*|order\w*)\b[^.!?\n]{{0,200}}\b{_NEW}\b)"
        rf"|\b{_NEW}\b[^.!?\n]{{0,40}}\b(?:is|are|has been|have been|was|will be)(?: now| already)? "
        r"(?:on (?:its|the|their) way|sent|shipped|dispatched|ordered|coming)\b",
        re.IGNORECASE,
    ),
    "warranty is over": re.compile(
        rf"\b(?:warranty|guarantee)\b{_NOT_DENIED}\b(?:ended|expired|lapsed|ran out|run out|is over|was over)\b"
        r"|\b(?:is|are|was) (?:long |already |now |just )?out of (?:warranty|guarantee)\b",
        re.IGNORECASE,
    ),
    "somebody else owns it": re.compile(
        rf"\b(?:registered|belongs?|sold)\b{_NOT_DENIED}\b(?:another|someone else|somebody else|other|different)\b",
        re.IGNORECASE,
    ),
}
"""Statements that are true only in some cases."""


@reads
def claims(text: str) -> frozenset[str]:
    """Return the claims of a reply about warranty, owner and goods."""
    return frozenset(name for name, pattern in CLAIMS.items() if pattern.search(text))


def subject(dice: Dice, product: str, late: bool = False) -> str:
    """Return the subject of the mail."""
    return dice.pick(LATE_SUBJECTS if late else SUBJECTS).replace("{product}", product)


def mail_text(dice: Dice, code: str, *more: str, plate: bool = True, wish: Sequence[str] = WISHES) -> list[str]:
    """Return the usual mail: what is wrong, which machine, perhaps more, and what the customer wants."""
    told = [dice.pick(SYMPTOMS[code])]
    middle = [dice.pick(PLATES) if plate else dice.pick(RECEIPTS), *more]
    if dice.chance(0.5):
        middle.append(dice.pick(TRIED))
    if plate and dice.chance(0.4):
        middle.append(dice.pick(RECEIPTS))
    return [*told, *dice.shuffle(middle), dice.pick(wish)]
