"""Faults of machines and grinders that the workshop knows, and how customers describe them."""

from __future__ import annotations

from diorama.worlds.larkspur.catalogue import GOODS

FAULTS = tuple((good, fault) for good in GOODS if good.active for fault in good.faults)
"""Every known fault with the product that has it."""
SOLD_DAYS_AGO = {"AP-03": (100, 175)}
"""For faults of one batch: how many days ago the affected machines were sold."""
OF_ONE_BATCH = frozenset({"AP-03", "AT-02"})
"""Faults that only machines of one batch or series have."""

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
