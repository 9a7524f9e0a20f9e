"""Regions of countries whose addresses have one: their codes, and their names in the languages of the country."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

REGIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "ca": {
        "ab": ("alberta", "alta"), "bc": ("british columbia", "colombie britannique", "cb"), "mb": ("manitoba", "man"),
        "nb": ("new brunswick", "nouveau brunswick"), "ns": ("nova scotia", "nouvelle ecosse", "ne"),
        "nl": ("newfoundland and labrador", "terre neuve et labrador", "newfoundland", "terre neuve", "nfld", "tnl"),
        "nt": ("northwest territories", "territoires du nord ouest"), "nu": ("nunavut",),
        "on": ("ontario", "ont"), "pe": ("prince edward island", "ile du prince edouard", "pei", "ipe"),
        "qc": ("quebec", "que", "pq"), "sk": ("saskatchewan", "sask"), "yt": ("yukon", "yk"),
    },
}  # fmt: skip
"""By country: the code of each region, and its other names; all in plain form, without accents and signs."""

NAMES: dict[str, str] = {
    "de": "baden württemberg, bayern, bavaria, berlin, brandenburg, bremen, hamburg, hessen, hesse, "
    "mecklenburg vorpommern, "
    "niedersachsen, lower saxony, nordrhein westfalen, nrw, north rhine westphalia, rheinland pfalz, "
    "rhineland palatinate, saarland, sachsen, saxony, sachsen anhalt, saxony anhalt, schleswig holstein, thüringen, "
    "thuringia",
    "at": "burgenland, kärnten, carinthia, niederösterreich, lower austria, oberösterreich, upper austria, salzburg, "
    "steiermark, styria, tirol, tyrol, vorarlberg, wien, vienna",
    "be": "vlaanderen, flanders, flandre, wallonie, wallonië, wallonia, bruxelles capitale, brussel, brussels, "
    "antwerpen, "
    "antwerp, anvers, limburg, limbourg, oost vlaanderen, east flanders, west vlaanderen, west flanders, "
    "vlaams brabant, "
    "flemish brabant, brabant wallon, walloon brabant, hainaut, henegouwen, liège, luik, luxembourg, luxemburg, "
    "namur, namen",
    "nl": "drenthe, flevoland, friesland, fryslân, gelderland, groningen, limburg, noord brabant, north brabant, "
    "noord holland, "
    "north holland, overijssel, utrecht, zeeland, zuid holland, south holland",
    "fr": "auvergne rhône alpes, bourgogne franche comté, burgundy, bretagne, brittany, centre val de loire, "
    "corse, corsica, "
    "grand est, alsace, hauts de france, île de france, normandie, normandy, nouvelle aquitaine, occitanie, "
    "pays de la loire, provence alpes côte d'azur, paca",
    "es": "andalucía, andalusia, aragón, asturias, principado de asturias, islas baleares, illes balears, "
    "baleares, canarias, "
    "canary islands, cantabria, castilla la mancha, castilla y león, cataluña, catalunya, catalonia, "
    "comunidad valenciana, "
    "comunitat valenciana, valencia, extremadura, galicia, la rioja, madrid, comunidad de madrid, murcia, "
    "región de murcia, navarra, país vasco, euskadi, basque country, álava, albacete, alicante, almería, ávila, "
    "badajoz, "
    "barcelona, burgos, cáceres, cádiz, castellón, ciudad real, córdoba, a coruña, la coruña, cuenca, girona, "
    "gerona, granada, "
    "guadalajara, guipúzcoa, gipuzkoa, huelva, huesca, jaén, las palmas, león, lleida, lérida, lugo, málaga, "
    "ourense, palencia, "
    "pontevedra, salamanca, santa cruz de tenerife, tenerife, segovia, sevilla, soria, tarragona, teruel, "
    "toledo, valladolid, "
    "vizcaya, bizkaia, zamora, zaragoza",
    "gb": "england, scotland, wales, cymru, northern ireland, greater london, london, greater manchester, "
    "merseyside, "
    "west midlands, east midlands, south yorkshire, west yorkshire, north yorkshire, east yorkshire, yorkshire, "
    "tyne and wear, "
    "bedfordshire, berkshire, buckinghamshire, cambridgeshire, cheshire, cornwall, cumbria, derbyshire, devon, "
    "dorset, durham, "
    "county durham, east sussex, west sussex, sussex, essex, gloucestershire, hampshire, herefordshire, "
    "hertfordshire, kent, "
    "lancashire, leicestershire, lincolnshire, norfolk, northamptonshire, northumberland, nottinghamshire, "
    "oxfordshire, "
    "rutland, shropshire, somerset, staffordshire, suffolk, surrey, warwickshire, wiltshire, worcestershire, "
    "fife, highland, "
    "lothian, midlothian, lanarkshire, antrim, county antrim, armagh, down, county down, fermanagh, tyrone, "
    "gwynedd, powys, "
    "glamorgan, bristol",
    "ie": "leinster, munster, connacht, ulster, carlow, cavan, clare, cork, donegal, dublin, galway, kerry, "
    "kildare, kilkenny, "
    "laois, leitrim, limerick, longford, louth, mayo, meath, monaghan, offaly, roscommon, sligo, tipperary, "
    "waterford, "
    "westmeath, wexford, wicklow",
}
"""By country: regions of addresses that can do without one, in the languages of the desk."""


def region_code(text: str, country: str) -> str:
    """Return the code of a region that a plain text names, or "" if the country has no such region."""
    found = REGIONS.get(country.casefold(), {})
    return next((code for code, names in found.items() if text == code or text in names), "")


def without_region(town: str, country: str) -> str:
    """Return a plain town without the region behind it: `kingston on` is kingston, `quebec` stays."""
    for code, names in REGIONS.get(country.casefold(), {}).items():
        for name in (*names, code):
            if town.endswith(f" {name}"):
                return town.removesuffix(f" {name}")
    return town


def is_region(text: str, country: str, plain: Callable[[str], str]) -> bool:
    """Check whether a plain text names a region of a country; of any country if it is not given."""
    county = text.removeprefix("co ").removeprefix("county ")
    wanted = [country.casefold()] if country else [*NAMES]
    return any({text, county} & _names_of(one, plain) for one in wanted if one in NAMES)


@lru_cache(maxsize=16)
def _names_of(country: str, plain: Callable[[str], str]) -> frozenset[str]:
    return frozenset(plain(one) for one in NAMES[country].split(", "))
