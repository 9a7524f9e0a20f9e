"""What Kittiwake makes, sells and rents out, and the settings and policies of its back office."""

from __future__ import annotations

from typing import Any

from diorama.apps.backoffice.schema import Carrier, Fault, Policy, Remedy, Settings
from diorama.apps.backoffice.seed.products import Good
from diorama.worlds.holidays import closed_days
from diorama.worlds.kittiwake.company import CURRENCY, NAME, ZONE

SETTINGS = Settings(
    name=NAME,
    country="CA",
    currency=CURRENCY,
    time_zone=ZONE,
    order_prefix="KW-",
    vat_percent=15,
    shipping_cents=1_200,
    free_shipping_from_cents=10_000,
    carriers=(
        Carrier(name="Canada Post", prefix="2026", digits=12, countries=("CA",)),
        Carrier(name="Purolator", prefix="JFV", digits=12, countries=("CA",), from_grams=8_000),
        Carrier(name="Canada Post", prefix="2026", digits=12),
    ),
    return_carrier="Canada Post",
    transit_days={"CA": (2, 6), "US": (5, 9), "": (9, 16)},
    scan_places=("Dartmouth", "Moncton", "Saint-Laurent", "Edmundston"),
    collected_at_hour=15,
    day_begins_hour=9,
    day_ends_hour=17,
    delivery_days=(0, 1, 2, 3, 4),
    holidays=closed_days(("CA",), range(2021, 2028)),
)
POLICIES = (
    Policy(
        id="agent",
        refund_limit_cents=25_000,
        credit_limit_cents=4_000,
        vip_credit_limit_cents=6_000,
        credit_window_cents=8_000,
    ),
    Policy(
        id="lead",
        refund_limit_cents=150_000,
        credit_limit_cents=20_000,
        vip_credit_limit_cents=30_000,
        credit_window_cents=60_000,
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


def _gear(sku: str, name: str, kind: str, price_cents: int, description: str, prefix: str, **fields: Any) -> Good:
    kept = {"warranty_months": 60, "weight_grams": 2_400, "stock": 40} | fields
    return Good(
        sku=sku,
        name=name,
        kind=kind,
        price_cents=price_cents,
        description=description,
        serial_prefix=prefix,
        **kept,
    )


TENTS = (
    _gear("TN-FUNDY2", "Fundy 2", "tent", 42_900, "Two people, three seasons, one vestibule; 1.9 kg.", "FN2",
          faults=(_fault("FN-01", "Pole split at the ferrule", "part", "PT-POLE"),
                  _fault("FN-02", "Door zipper does not close", "part", "PT-SLIDER"),
                  _fault("FN-03", "Coating of the fly peels off", "replacement"))),
    _gear("TN-FUNDY4", "Fundy 4", "tent", 64_900, "A family of four, standing room in the middle; 4.3 kg.", "FN4",
          weight_grams=4_800, stock=25,
          faults=(_fault("FN-01", "Pole split at the ferrule", "part", "PT-POLE"),
                  _fault("FN-04", "Floor seam leaks", "advice", note="Re-taped in the workshop"))),
    _gear("TN-CABOT", "Cabot Solo", "tent", 34_900, "One person, pitched with a trekking pole; 980 g.", "CB1",
          weight_grams=1_200,
          faults=(_fault("CB-01", "Mesh torn at the corner", "part", "PT-MESH"),)),
)  # fmt: skip
PACKS = (
    _gear("PK-ACADIA45", "Acadia 45", "pack", 24_900, "45 litres, sliding harness, lifetime buckles.", "AC4",
          weight_grams=1_500,
          faults=(_fault("AC-01", "Hip belt buckle broke", "part", "PT-BUCKLE"),
                  _fault("AC-02", "Shoulder strap pulls out of its seam", "replacement"))),
    _gear("PK-ACADIA65", "Acadia 65", "pack", 29_900, "65 litres with a removable lid.", "AC6", weight_grams=1_900,
          faults=(_fault("AC-01", "Hip belt buckle broke", "part", "PT-BUCKLE"),
                  _fault("AC-03", "Frame stay pokes through", "advice", note="Bent back in the workshop"))),
)  # fmt: skip
BAGS = (
    _gear("SB-EIDER0", "Eider 0", "sleeping bag", 38_900, "Down, comfortable to the freezing point.", "ED0",
          weight_grams=1_000, faults=(_fault("ED-01", "Loses down at the foot", "replacement"),)),
    _gear("SB-EIDER12", "Eider 12", "sleeping bag", 45_900, "Down, comfortable to minus twelve.", "ED2",
          weight_grams=1_350, stock=25, faults=(_fault("ED-01", "Loses down at the foot", "replacement"),)),
)  # fmt: skip
OTHER_GEAR = (
    _gear("ST-EMBER", "Ember Stove", "stove", 11_900, "Canister stove of 92 grams with igniter.", "EM1",
          warranty_months=24, weight_grams=300, stock=80,
          faults=(_fault("EM-01", "Jet clogged, yellow flame", "part", "PT-JET"),
                  _fault("EM-02", "Valve leaks", "replacement", note="Tell the customer to stop using it"))),
    _gear("PD-TIDAL", "Tidal Paddle", "paddle", 32_900, "Two-piece carbon touring paddle, 220 cm.", "TD1",
          warranty_months=36, weight_grams=1_100, stock=20,
          faults=(_fault("TD-01", "Ferrule wobbles", "part", "PT-FERRULE"),
                  _fault("TD-02", "Blade cracked", "replacement"))),
)  # fmt: skip
GEAR = (*TENTS, *PACKS, *BAGS, *OTHER_GEAR)


def _part(sku: str, name: str, price_cents: int, fits: tuple[str, ...], stock: int = 120) -> Good:
    return Good(
        sku=sku,
        name=name,
        kind="part",
        price_cents=price_cents,
        description=f"Spare part for {', '.join(fits)}.",
        warranty_months=12,
        weight_grams=120,
        fits=fits,
        stock=stock,
    )


PARTS = (
    _part("PT-POLE", "Pole section with ferrule", 1_800, ("TN-FUNDY2", "TN-FUNDY4")),
    _part("PT-SLIDER", "Zipper sliders, two", 650, ("TN-FUNDY2", "TN-FUNDY4", "TN-CABOT"), 400),
    _part("PT-MESH", "Mesh patch kit", 900, ("TN-FUNDY2", "TN-FUNDY4", "TN-CABOT"), 200),
    _part("PT-BUCKLE", "Hip belt buckle", 450, ("PK-ACADIA45", "PK-ACADIA65"), 300),
    _part("PT-JET", "Jet kit with wrench", 1_100, ("ST-EMBER",), 90),
    _part("PT-FERRULE", "Paddle ferrule", 2_400, ("PD-TIDAL",), 40),
    _part("PT-PEGS", "Tent pegs, eight", 2_200, ("TN-FUNDY2", "TN-FUNDY4", "TN-CABOT"), 250),
)


def _small(sku: str, name: str, price_cents: int, description: str) -> Good:
    return Good(
        sku=sku,
        name=name,
        kind="accessory",
        price_cents=price_cents,
        description=description,
        warranty_months=12,
        weight_grams=350,
        stock=150,
    )


SMALL = (
    _small("AX-DRY20", "Dry Bag 20 L", 3_900, "Roll top, welded seams."),
    _small("AX-PRINT2", "Footprint for Fundy 2", 6_900, "Keeps the floor dry and whole."),
    _small("AX-LAMP", "Petrel Headlamp", 5_900, "350 lumens, USB-C."),
    _small("AX-POT", "Titanium Pot 900 ml", 7_900, "With lid and bag."),
    _small("AX-MUG", "Enamel Mug", 2_400, "With the kittiwake on it."),
    _small("AX-SOCKS", "Wool Socks", 2_800, "Merino, made in Nova Scotia."),
    _small("AX-TARP", "Tarp 3 x 3 m", 11_900, "Silnylon, with guy lines."),
    _small("AX-MAT", "Sleeping Mat", 12_900, "Insulated, 520 g."),
    _small("AX-WASH", "Tech Wash", 1_650, "For tents and jackets, 300 ml."),
    _small("AX-MAP", "Map Case", 2_900, "Floats."),
)


def _rental(sku: str, name: str, price_cents: int, description: str, grams: int = 5_000) -> Good:
    return Good(
        sku=sku,
        name=name,
        kind="rental",
        price_cents=price_cents,
        description=description,
        weight_grams=grams,
        made_to_order=True,
    )


RENTED = (
    _rental("RN-KIT2W", "Tent kit for two, weekend", 8_900, "Fundy 2, two bags, two mats; sent with a return label."),
    _rental("RN-KIT2", "Tent kit for two, week", 16_900, "Fundy 2, two bags, two mats; sent with a return label."),
    _rental("RN-KIT4", "Tent kit for four, week", 24_900, "Fundy 4, four bags, four mats.", 12_000),
    _rental("RN-PACK", "Pack and bag, week", 9_900, "Acadia 65 and Eider 0."),
    _rental("RN-PADDLE", "Paddle and dry bags, weekend", 5_900, "Tidal paddle, two dry bags."),
)
DEPOSIT = Good(
    sku="RN-DEPOSIT",
    name="Rental deposit",
    kind="deposit",
    price_cents=10_000,
    description="Paid back when the kit is back.",
    weight_grams=0,
    made_to_order=True,
)
GOODS = (*GEAR, *PARTS, *SMALL, *RENTED, DEPOSIT)
BY_SKU = {good.sku: good for good in GOODS}
