"""Which sentences can tell that goods were sent: those with a word for sending goods from us to the customer.

Requests ("please leave it unplugged", "send it back"), the cost of shipping, the names of carriers and things that were
left as they are have words of sending, too, and tell nothing.
"""

from __future__ import annotations

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.lexicon import words

_OTHER = re.compile(
    # English
    r"\b(?:please|kindly|just|simply|you can|you may|you could|can you|could you|do|don't|to)"
    r" (?:\w+ )?(?:leave|keep|pack|post|ship|follow|hand|send)(?= (?:it|them|this|that|the|your|us|me|both|everything"
    r"|all|any|back|in|up|over|off)\b)(?! (?:you|out to you|it to you|them to you)\b)"
    r"|\bsend(?:ing)? (?:\w+ ){0,6}?back\b|\bsen[dt](?:ing)? (?:\w+ )?(?:me|us)\b"
    r"|\bleave (?:it|them|this|that|the \w+|your \w+|everything|things)\b|\b(?:you|to|we|they) leave\b"
    r"|\b(?:have |has |'ve |was |were |is |are |be )?left (?:\w+ ){0,5}?(?:alone|as (?:it|they)|untouched"
    r"|unchanged|open"
    r"|out|over|off|on the plan|in peace)\b|\bleft (?:it|them|that|everything|nothing)\b"
    r"|\b(?:canada|royal) (?:post|mail)\b|\bpost ?(?:nl|office|code|point|age)\b|\bpostnl\b|\bpostage\b"
    r"|\bshipping(?: (?:cost|fee|charge|rate|price|address|included|free)s?)?\b|\bget (?:back|in touch|into|to)\b"
    r"|\b(?:coming|come) (?:up|back|in)\b|\bfollow(?:s|ed)? (?:you|it|this|up|along|from)\b|\bi follow\b"
    r"|\bpart (?:of|from)\b|\bin part\b|\bfor (?:your|our|my) part\b|\bthat part\b|\bpacks?\b"
    r"|\bfeel free\b|\bfree (?:to|of (?:obligation|it))\b"
    # German
    r"|\b(?:bitte )?(?:schick|send)(?:en sie|e?) (?:bitte )?(?:uns|mir|es|ihn|sie|das|den|die|einfach)\b"
    r"|\bbitte (?:\w+ )?(?:schicken|senden)\b|\bzurück(?:schicken|senden|geschickt|gesandt|zuschicken|zusenden)\b"
    r"|\bcanada post\b|\bversand(?:kosten|spesen|gebühr\w*|adresse)\b|\b(?:zum|ein|einen|im|größten) teil\b"
    r"|\bteil (?:von|der)\b"
    r"|\b(?:viel )?(?:spas|spaß|freude) unterwegs\b|\bgeld (?:\w+ )?zurück\b"
    # French
    r"|\b(?:veuillez|merci de|pouvez|pourriez)(?: \w+){0,3}? (?:envoyer|renvoyer|expedier|faire parvenir)\b"
    r"|\b(?:r?envoyez|r?expediez)(?:-\w+)*\b|\ba partir\b|\bfaisait partie\b|\b(?:fait|font|en|une|la"
    r"|grande) partie\b"
    r"|\bfrais (?:d'envoi|de port|d'expedition)\b|\b(?:d'une|de ma|de votre|de notre|quelque|nulle) part\b"
    r"|\bsuit son cours\b|\bdans (?:son|l') ?emballage\b|\bbonne route\b|\bpostes? canada\b"
    # Spanish
    r"|\b(?:por favor )?(?:envi|mand)(?:e|a|en|ad)(?:nos|me|lo|la|los|las)\w*\b|\bpuede[ns]? (?:envi|mand)ar\w*\b"
    r"|\b(?:para|por|hasta el \S+ para|tienes? que|hay que|debes?|debe) (?:envi|mand)ar(?:lo|la|los|las|nos)?\b"
    r"|\b(?:gastos|costes?|direccion) de envio\b|\bcon envio\b|\benvio incluido\b|\ben cambio\b|\bbuen camino\b"
    # Dutch
    r"|\bstuur (?:ons|me|mij|het|hem|haar|ze|die|dat|de|maar|dan)\b|\b(?:kunt|kun|kan|mag) (?:u"
    r"|je) (?:\w+ ){0,4}?(?:op|terug)?sturen\b"
    r"|\bterug ?(?:te )?(?:sturen|gestuurd)\b|\bverzendkosten\b|\b(?:plezier|veilig) onderweg\b|\banderhalve\b"
)
"""Words of sending that are about something else, in sentences of a request, a price, a carrier or a wish."""

_MOVES = words(
    "sent | send | sends | sending | resen* | re-s* | reship* | ship | ships | shipped | shipping | dispatch*"
    " | redispatch*"
    " | posted | mailed | in the post | in the mail | on its way | on the way | on their way | underway"
    " | out to you | off to you"
    " | deliver* | go out | goes out | going out | went out | gone out | leaves | leaving | left us | left today"
    " | left our | left the"
    " | left this | left yesterday | left on | left xdate | coming | comes | on order | ordered | booked"
    " | arranged | organised | made ready | ready for"
    " | packed | packing | put aside | set aside | reserved | handed | heading | bring | brings | reach*"
    " | arriv* | receive"
    " | you get | you'll get | you will get | getting | get you | replac* | exchang* | swap* | follows | will follow"
    " | enclos* | headed | you have | have for you | try again | is yours | new one | another one"
    " | verschick* | geschickt | schick* | send* | gesendet | gesandt | versand | versandt | versendet"
    " | zugesandt | zugeschickt | losgeschickt | nachge*"
    " | unterwegs | auf den weg | auf dem weg | raus | rausge* | geht | gehen | ging | gegangen | herausge*"
    " | verpackt | gepackt"
    " | packen | neuversand | aufgegeben | bekommen | bekommst | erhalten | erhältst | kommt | kommen | bestellt"
    " | beauftragt | veranlasst | angelegt | getauscht | ausgetauscht | umgetauscht | tauschen | austausch*"
    " | ersetz* | ersatz*"
    " | zugestellt | zustellen | ausgeliefert"
    " | bringt | folgt | zurückgelegt | reserviert | übergeben | geliefert | liefern | nachlieferung | sendung"
    " | erzeugt"
    " | envoi* | envoy* | renvoy* | renvoi* | réenv* | réexp* | expédi* | part | partent | partir | partira"
    " | parti | partie | partis | parties"
    " | repart* | en route | en chemin | recevrez | recevez | recevras | arriv* | livr* | command* | préparé*"
    " | emball* | rempla* | échang*"
    " | parvien* | suivra | suit | remis* | relanc* | réservé* | apport*"
    " | envi* | reenv* | mand* | camino | sale | salen | salió | salido | saldrá | va | van | llega* | recibir*"
    " | pedid* | encargad*"
    " | despach* | remit* | remes* | reexped* | preparad* | empaquet* | sustitu* | reemplaz* | cambi* | viaj*"
    " | reservad* | entreg*"
    " | gestuurd | verstuur* | toegestuurd | opgestuurd | nagestuurd | sturen | stuur | stuurt | verzend*"
    " | verzonden | onderweg | op de post"
    " | op weg | kant op | komt | komen | krijg* | ontvang* | gaat | ging | gegaan | vertrekt | vertrokken"
    " | besteld | ingepakt | inpakken"
    " | klaargelegd | klaargemaakt"
    " | klaargezet | gereserveerd | volgt | bezorg* | vervang* | omgeruild | geruild | levert"
    " | geleverd | brengt"
)
"""Words for sending, coming, ordering and exchanging, in all languages."""

AGAIN = (
    "exchang* | swap* | getauscht | tauschen | austausch* | ausgetauscht | umgetauscht | échang* | cambi*"
    " | omgeruild | geruild | again | resen* | reship* | redispatch* | re-s* | anew | afresh | fresh"
    " | once more | second | another | new | replac* | retry | try"
    " | erneut* | nochmal* | noch einmal | ein weiteres mal | wieder | zweit* | neu* | ersatz* | ersetz*"
    " | abermals | weiter* | nachge* | nachlief* | anderes | ander*"
    " | réexp* | réenv* | renvo* | nouve* | second* | deuxième | encore | autre | repart* | rempla* | relanc*"
    " | refai*"
    " | reenv* | vuelt* | vuelv* | volv* | otr* | nuev* | nuevamente | segund* | reexped* | repet* | de nuevo"
    " | sustitu*"
    " | opnieuw | nog een keer | nog eens | nogmaals | weer | tweede | alsnog | nagestuurd | nieuw* | ander"
    " | andere | vervang* | herzend*"
)
"""Words for what is sent once more, or instead of something."""


def says_again(sentence: str) -> bool:
    """Check whether the words of a sentence say that something is sent once more, or instead of something."""
    return words(AGAIN).search(sentence) is not None


def blank(found: re.Match[str]) -> str:
    """Return as many spaces as words were found."""
    return " " * len(found[0])


def without_requests(text: str) -> str:
    """Return the words of a clause without words of sending that are about something else."""
    return _OTHER.sub(blank, text)


def may_tell(kind: str, sentence: str) -> bool:
    """Check whether the words of a sentence can tell that goods of a kind were sent to the customer."""
    text = without_requests(sentence)
    if _MOVES.search(text) is None:
        return False
    return words(AGAIN).search(text) is not None or (kind == "part" and not _is_of_an_order(text))


def _is_of_an_order(text: str) -> bool:
    """Check whether what is sent is an order, a parcel, photos or the coffee of a plan, and no part is named."""
    return _ORDERS.search(text) is not None and _PARTS.search(text) is None


_ORDERS = words(
    "order | orders | parcel | photo | photos | picture | pictures | video | coffee | plan | bestellung | bestellungen"
    " | paket | foto | fotos | foto's | bild | bilder | kaffee | abo | commande | commandes | colis | abonnement"
    " | vidéo | pedido | pedidos | paquete | café | suscripción | bestelling | bestellingen | pakket | koffie"
)
_PARTS = words(
    "part | parts | spare | seal | seals | gasket | xpart | one | *teil | teil | teile | *dichtung | pièce | pièces"
    " | joint | joints | de rechange | pieza | piezas | junta | juntas | repuesto | recambio | onderdeel | onderdelen"
    " | pakking | afdichting"
)


_OTHER_MEANINGS = {
    "pause": re.compile(
        r"\b(?:minutes?|hours?|time|you|kept|left|were|put you) (?:\w+ )?on hold\b|\ba hold\b|\bhold (?:by|of"
        r"|on)\b|\bthe rest\b"
        r"|\bsleeping (?:mats?|bags?|pads?)\b|\b(?:coffee|lunch) break\b|\bmet rust\b|\bgerust\w*\b|\bin peace\b"
    ),
    "cancellation": re.compile(
        r"\b(?:warranty|guarantee|cover\w*|return period|period|window|deadline|time|outage|fault|disturbance"
        r"|disruption)\b"
        r"(?:\W+\w+){0,8}?\W+(?:ended|ends?|over|expire[ds]?|gone|closed|finished|stopped)\b|\bat (?:the|your) end\b"
        r"|\b(?:the|this|early|late|until|till|by) end of\b|\bswitch\w* (?:\w+ ){0,3}?off\b"
        r"|\bcard (?:\w+ ){0,3}?closed\b"
        r"|\bended? (?:in|with|up)\b|\bending (?:in|with)?\b|\b(?:handed|went|gone|looked|look|going) over\b"
        r"|\b(?:garantie|gewährleistung|frist|rückgabefrist|störung|ausfall)\b(?:\W+\w+){0,8}?\W+"
        r"(?:ende\w*|geendet|abgelaufen|ausgelaufen|vorbei|beendet|behoben)\b|\bende (?:januar|februar|märz|april"
        r"|mai|juni|juli"
        r"|august|september|oktober|november|dezember|der woche|des monats)\b"
        r"|\b(?:garantie|delai|periode|panne|incident)\b(?:\W+\w+){0,8}?\W+(?:expir\w*|fin\w*|termine\w*|clos\w*"
        r"|pris fin)\b"
        r"|\b(?:a la|en|d'ici la) fin (?:de|du|d')\b|\bfin (?:janvier|fevrier|mars|avril|mai|juin|juillet|aout)\b"
        r"|\b(?:garantia|plazo|averia|incidencia|fallo)\b(?:\W+\w+){0,8}?\W+(?:termin\w*|finaliz\w*|fin|acabad\w"
        r"|cerrad\w)\b"
        r"|\b(?:a|al|hasta el?) (?:fin|final) de\b|\bterminad[oa] en\b"
        r"|\b(?:garantie|termijn|retourtermijn|storing|veertien dagen)\b(?:\W+\w+){0,8}?\W+(?:afgelopen|voorbij"
        r"|einde|eindig\w*)\b"
        r"|\bafgelopen (?:week|maand|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)\b|\b(?:staat"
        r"|ligt|klaar voor) klaar\b"
        r"|\beind(?:igend|igt) op\b"
    ),
}
"""Weak words for a pause or an end, in what is said about something else: a warranty, an outage, a card, a call."""


def without_other_meanings(kind: str, text: str) -> str:
    """Return the words of a clause without those that have another meaning than the deed."""
    pattern = _OTHER_MEANINGS.get(kind)
    return text if pattern is None else pattern.sub(blank, text)
