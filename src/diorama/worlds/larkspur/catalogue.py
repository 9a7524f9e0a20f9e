"""What Larkspur sells, what its workshop knows, and the settings and policies of its back office."""

from datetime import UTC, datetime
from typing import Any

from diorama.apps.backoffice.schema import Carrier, Fault, Policy, Remedy, Settings
from diorama.apps.backoffice.seed.products import Good, Offer
from diorama.worlds.holidays import closed_days

OPENED = datetime(2021, 3, 15, 9, 0, tzinfo=UTC)

SETTINGS = Settings(
    name="Larkspur Coffee",
    country="NL",
    currency="EUR",
    time_zone="UTC",
    order_prefix="LK-",
    vat_percent=21,
    shipping_cents=495,
    free_shipping_from_cents=5_000,
    carriers=(
        Carrier(name="PostNL", prefix="3SLKSP", digits=9, countries=("NL",)),
        Carrier(name="DHL", prefix="JVGL", digits=18, countries=("NL",), from_grams=10_000),
        Carrier(name="UPS", prefix="1Z4LK", digits=13, countries=("US", "CA")),
        Carrier(name="DHL", prefix="JVGL", digits=18, share=2.0),
        Carrier(name="DPD", prefix="0520", digits=10),
    ),
    return_carrier="PostNL",
    transit_days={
        "NL": (1, 2), "BE": (1, 3), "DE": (2, 3), "FR": (2, 4), "GB": (3, 6), "US": (5, 9), "": (3, 6),
    },
    scan_places=("Rotterdam", "Utrecht", "Venlo", "Duisburg", "Antwerp"),
    collected_at_hour=16,
    day_begins_hour=8,
    day_ends_hour=18,
    delivery_days=(0, 1, 2, 3, 4, 5),
    holidays=closed_days(("AT", "BE", "DE", "ES", "FR", "GB", "IE", "NL"), range(2021, 2028)),
)  # fmt: skip
POLICIES = (
    Policy(
        id="agent",
        refund_limit_cents=15_000,
        credit_limit_cents=2_500,
        vip_credit_limit_cents=5_000,
        credit_window_cents=5_000,
    ),
    Policy(
        id="lead",
        refund_limit_cents=100_000,
        credit_limit_cents=15_000,
        vip_credit_limit_cents=25_000,
        credit_window_cents=40_000,
        waives_warranty=True,
        decides_approvals=True,
    ),
    Policy(
        id="manager",
        refund_limit_cents=1_000_000,
        credit_limit_cents=100_000,
        vip_credit_limit_cents=100_000,
        credit_window_cents=200_000,
        waives_warranty=True,
        decides_approvals=True,
    ),
)


def _fault(code: str, symptom: str, remedy: Remedy, part_sku: str = "", note: str = "") -> Fault:
    return Fault(code=code, symptom=symptom, remedy=remedy, part_sku=part_sku, note=note)


def _machine(sku: str, name: str, price_cents: int, description: str, prefix: str, **fields: Any) -> Good:
    kept = {"warranty_months": 24, "weight_grams": 9_500, "stock": 60} | fields
    return Good(
        sku=sku,
        name=name,
        kind="machine",
        price_cents=price_cents,
        description=description,
        serial_prefix=prefix,
        **kept,
    )


MACHINES = (
    _machine(
        "LK-LARK",
        "Lark Compact",
        32_900,
        "Thermoblock machine of 15 cm width, 51 mm portafilter, ready in 40 seconds.",
        "LC1",
        weight_grams=4_600,
        stock=140,
        faults=(
            _fault("LC-01", "No water from the group after descaling, loud pump", "advice", note="Air lock, prime"),
            _fault("LC-02", "Water runs out under the machine from the tank seat", "part", "PT-TANKSEAL"),
            _fault("LC-03", "Display stays dark, fuse intact", "replacement", note="Board is glued, no repair"),
        ),
    ),
    _machine(
        "LK-ARIA",
        "Aria",
        44_900,
        "Single boiler, 58 mm group, three-way valve; the machine that most people begin with.",
        "AR1",
        stock=120,
        faults=(
            _fault("AR-01", "Drips from the group around the portafilter", "part", "PT-GASKET58"),
            _fault("AR-02", "No pressure, pump hums but no water comes", "part", "PT-PUMP-E5"),
            _fault("AR-03", "Steam wand drips when closed", "part", "PT-STEAMVALVE"),
            _fault("AR-04", "Trips the fuse when heating up", "replacement", note="Boiler element leaks current"),
        ),
    ),
    _machine(
        "LK-ARIA-PID",
        "Aria Plus",
        54_900,
        "The Aria with PID temperature control, shot timer and pre-infusion.",
        "ARP",
        stock=90,
        faults=(
            _fault("AP-01", "Drips from the group around the portafilter", "part", "PT-GASKET58"),
            _fault("AP-02", "Display shows E1 and does not heat", "part", "PT-NTC", note="Temperature sensor"),
            _fault("AP-03", "Display shows E4 after power-on", "replacement", note="Control board, batch 2530 to 2541"),
        ),
    ),
    _machine(
        "LK-CALLA",
        "Calla",
        114_900,
        "Heat exchanger with E61 group, rotary dial, plumbable; brews and steams at once.",
        "CA1",
        weight_grams=21_000,
        stock=45,
        faults=(
            _fault("CA-01", "Water under the machine, wet on the left side", "part", "PT-OPV"),
            _fault("CA-02", "Group lever is stiff and squeaks", "advice", note="Grease the cams, see manual page 18"),
            _fault("CA-03", "Boiler fills without end", "part", "PT-LEVELPROBE"),
            _fault("CA-04", "Boiler weld leaks steam", "replacement"),
        ),
    ),
    _machine(
        "LK-DUET",
        "Duet",
        184_900,
        "Dual boiler, both with PID, saturated group, flow control paddle.",
        "DU2",
        warranty_months=36,
        weight_grams=26_500,
        stock=30,
        faults=(
            _fault("DU-01", "Flow paddle has no effect", "part", "PT-NEEDLE"),
            _fault("DU-02", "Brew boiler stays cold, steam boiler heats", "part", "PT-SSR"),
            _fault("DU-03", "Screen freezes during a shot", "advice", note="Firmware 2.4.1 fixes it"),
            _fault("DU-04", "Gearbox of the paddle grinds and jams", "replacement"),
        ),
    ),
    _machine(
        "LK-TERN",
        "Tern Lever",
        59_900,
        "Manual lever machine without electronics; kettle water, spring of 9 bar.",
        "TL1",
        warranty_months=36,
        weight_grams=5_800,
        stock=40,
        faults=(
            _fault("TL-01", "Lever rises slowly or sticks half-way", "part", "PT-PISTONSEAL"),
            _fault("TL-02", "Base plate cracked at the column", "replacement"),
        ),
    ),
    _machine(
        "LK-ATELIER",
        "Atelier 2",
        429_000,
        "Two groups for small cafés, 11 litre boiler, volumetric dosing.",
        "AT2",
        warranty_months=12,
        weight_grams=58_000,
        stock=8,
        faults=(
            _fault("AT-01", "One group doses too little, lamp blinks five times", "part", "PT-FLOWMETER"),
            _fault("AT-02", "Main switch gets hot", "replacement", note="Recall of 2025, series AT2-25"),
        ),
    ),
    _machine(
        "LK-ARIA-S1",
        "Aria (first series)",
        39_900,
        "The Aria as it was sold until 2023; parts are kept for it.",
        "AR0",
        stock=0,
        active=False,
        faults=(_fault("A0-01", "Drips from the group around the portafilter", "part", "PT-GASKET58"),),
    ),
)
GRINDERS = (
    _machine(
        "GR-FINCH",
        "Finch Grinder",
        18_900,
        "40 mm conical burrs, 30 steps, for filter and espresso.",
        "FG4",
        weight_grams=2_900,
        stock=110,
        faults=(
            _fault("FG-01", "Motor runs but no coffee comes out", "advice", note="Clogged chute: brush and rice"),
            _fault("FG-02", "Screeching noise at fine settings", "part", "PT-BURRS40"),
        ),
    ),
    _machine(
        "GR-HERON",
        "Heron 64",
        47_900,
        "64 mm flat burrs, stepless, single dose.",
        "HG6",
        warranty_months=36,
        weight_grams=7_200,
        stock=55,
        faults=(
            _fault("HG-01", "Setting wanders during grinding", "part", "PT-COLLAR"),
            _fault("HG-02", "Stops after two seconds, red lamp", "replacement", note="Motor driver"),
        ),
    ),
)
SMALL_MACHINES = ("LK-ARIA", "LK-ARIA-PID", "LK-ARIA-S1")
E61 = ("LK-CALLA", "LK-DUET", "LK-ATELIER")


def _part(sku: str, name: str, price_cents: int, fits: tuple[str, ...], stock: int = 80) -> Good:
    return Good(
        sku=sku,
        name=name,
        kind="part",
        price_cents=price_cents,
        description=f"Spare part for {', '.join(fits)}.",
        warranty_months=6,
        weight_grams=150,
        fits=fits,
        stock=stock,
    )


PARTS = (
    _part("PT-GASKET58", "Group gasket 58 mm with shower screen", 1_490, (*SMALL_MACHINES, *E61), 300),
    _part("PT-PUMP-E5", "Vibration pump E5 48 W", 3_900, (*SMALL_MACHINES, "LK-LARK")),
    _part("PT-STEAMVALVE", "Steam valve with knob", 4_450, SMALL_MACHINES),
    _part("PT-NTC", "Temperature sensor NTC", 1_950, ("LK-ARIA-PID",)),
    _part("PT-TANKSEAL", "Seal of the water tank seat", 890, ("LK-LARK",), 150),
    _part("PT-OPV", "Over-pressure valve", 2_750, ("LK-CALLA", "LK-DUET")),
    _part("PT-LEVELPROBE", "Boiler level probe", 2_350, ("LK-CALLA", "LK-ATELIER")),
    _part("PT-NEEDLE", "Flow control needle valve", 5_900, ("LK-DUET",), 25),
    _part("PT-SSR", "Solid state relay 25 A", 2_990, ("LK-DUET", "LK-CALLA")),
    _part("PT-PISTONSEAL", "Piston seals, pair", 1_250, ("LK-TERN",)),
    _part("PT-FLOWMETER", "Flow meter", 6_400, ("LK-ATELIER",), 15),
    _part("PT-BURRS40", "Conical burrs 40 mm", 3_490, ("GR-FINCH",)),
    _part("PT-BURRS64", "Flat burrs 64 mm, red speed coating", 8_900, ("GR-HERON",), 40),
    _part("PT-COLLAR", "Adjustment collar", 2_690, ("GR-HERON",), 35),
    _part("PT-TRAY", "Drip tray, steel", 2_490, SMALL_MACHINES),
    _part("PT-TANK", "Water tank 2.1 l", 2_990, SMALL_MACHINES),
)


def _accessory(sku: str, name: str, price_cents: int, description: str, stock: int = 150) -> Good:
    return Good(
        sku=sku,
        name=name,
        kind="accessory",
        price_cents=price_cents,
        description=description,
        warranty_months=12,
        weight_grams=600,
        stock=stock,
    )


ACCESSORIES = (
    _accessory("AC-TAMPER", "Tamper 58.5 mm, walnut", 4_900, "Flat base, calibrated at 12 kg."),
    _accessory("AC-SCALE", "Shot scale with timer", 7_900, "0.1 g, splash-proof, charges by USB-C."),
    _accessory("AC-JUG35", "Milk jug 350 ml", 2_400, "Steel, sharp spout."),
    _accessory("AC-JUG60", "Milk jug 600 ml", 2_900, "Steel, round spout."),
    _accessory("AC-KNOCK", "Knock box", 3_400, "Rubber bar, fits the drawer."),
    _accessory("AC-BTMLESS", "Bottomless portafilter 58 mm", 6_900, "Walnut handle, 18 g basket."),
    _accessory("AC-WDT", "Distribution needles", 1_900, "Nine needles of 0.35 mm."),
    _accessory("AC-CUPS", "Espresso cups, set of four", 3_600, "Porcelain, 65 ml, thick wall."),
    _accessory("AC-HANDGR", "Wren hand grinder", 8_900, "38 mm steel burrs, 24 g."),
    _accessory("AC-FILTER3", "Water filter cartridges, three", 2_700, "For two months each.", 400),
    _accessory("AC-CLEAN", "Group cleaner 900 g", 1_690, "For back-flushing.", 350),
    _accessory("AC-DESCALE", "Descaler, six sachets", 1_490, "Citric acid, without scent.", 350),
)


def _coffee(sku: str, name: str, price_cents: int, description: str, grams: int = 250) -> Good:
    return Good(
        sku=sku,
        name=name,
        kind="coffee",
        price_cents=price_cents,
        description=description,
        weight_grams=grams,
        made_to_order=True,
    )


COFFEES = (
    _coffee("CF-HARBOUR", "Harbour Blend 250 g", 990, "Brazil and Guatemala; chocolate, hazelnut."),
    _coffee("CF-HARBOUR1K", "Harbour Blend 1 kg", 3_290, "Brazil and Guatemala; chocolate, hazelnut.", 1_000),
    _coffee("CF-NIGHT", "Night Shift 250 g", 990, "Dark, with a little robusta; cocoa, smoke."),
    _coffee("CF-KOCHERE", "Kochere 250 g", 1_390, "Washed Ethiopian; bergamot, peach."),
    _coffee("CF-HUILA", "Huila Decaf 250 g", 1_250, "Colombian, decaffeinated with cane sugar."),
    _coffee("CF-NYERI", "Nyeri 250 g", 1_490, "Kenyan, washed; blackcurrant."),
)
GOODS = (*MACHINES, *GRINDERS, *PARTS, *ACCESSORIES, *COFFEES)
GRINDS = ("whole_bean", "espresso", "moka", "filter", "french_press")
"""How a subscriber wants the coffee ground."""


def _offer(code: str, name: str, sku: str, bags: int, price_cents: int, weeks: int, active: bool = True) -> Offer:
    return Offer(
        code=code,
        name=name,
        sku=sku,
        quantity=bags,
        price_cents=price_cents,
        interval_weeks=weeks,
        options=GRINDS,
        active=active,
    )


OFFERS = (
    _offer("harbour-2w", "Harbour Blend, two bags every 2 weeks", "CF-HARBOUR", 2, 1_790, 2),
    _offer("harbour-4w", "Harbour Blend, two bags every 4 weeks", "CF-HARBOUR", 2, 1_850, 4),
    _offer("harbour-kilo-4w", "Harbour Blend, one kilo every 4 weeks", "CF-HARBOUR1K", 1, 2_990, 4),
    _offer("night-2w", "Night Shift, two bags every 2 weeks", "CF-NIGHT", 2, 1_790, 2),
    _offer("explorer-2w", "Explorer: single origins, two bags every 2 weeks", "CF-KOCHERE", 2, 2_590, 2),
    _offer("explorer-4w", "Explorer: single origins, three bags every 4 weeks", "CF-NYERI", 3, 3_990, 4),
    _offer("decaf-4w", "Huila Decaf, two bags every 4 weeks", "CF-HUILA", 2, 2_290, 4),
    _offer("office-1w", "Office: three kilos every week", "CF-HARBOUR1K", 3, 8_700, 1),
    _offer("classic-6w", "Classic, two bags every 6 weeks", "CF-HARBOUR", 2, 1_890, 6, active=False),
)
