"""Sentences about the state of the parcel of one order, by language and state; each is false for every other state."""

STATES: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "waiting": (
            "{n} hasn't left our warehouse yet.",
            "Order {n} is still being packed, so nothing is lost by changing it now.",
            "I looked at {n}: it has not been handed to the carrier so far.",
            "Your order {n} is still open and has not shipped yet.",
        ),
        "moving": (
            "{n} is in transit and DHL has not delivered it so far.",
            "At the moment {n} is on the road to you.",
            "The parcel of {n} is still with the carrier.",
            "The driver has {n} on the van, it is out for delivery.",
            "As for {n}, it's still on its way.",
        ),
        "arrived": (
            "{n} was delivered some days ago.",
            "According to the carrier the parcel for {n} arrived safely at your address.",
            "The tracking of {n} says that it was handed over at your front door.",
            "{n} has reached you already, according to the tracking.",
            "Parcel {n} was left with a neighbour.",
        ),
        "lost": (
            "Sadly {n} was lost by the carrier.",
            "The carrier has declared {n} lost.",
            "{n} went missing on the way to you.",
            "Your parcel {n} got lost in transit.",
            "It turns out that {n} has disappeared without a trace.",
        ),
        "back": (
            "{n} was returned to sender.",
            "The parcel of {n} came back to us because nobody opened.",
            "{n} is back at our warehouse.",
        ),
    },
    "de": {
        "waiting": (
            "{n} ist noch nicht verschickt.",
            "Die Bestellung {n} liegt noch bei uns im Lager.",
            "{n} wurde dem Paketdienst noch nicht übergeben.",
            "Ihre Bestellung {n} ist noch offen und nicht versandt worden.",
        ),
        "moving": (
            "{n} ist noch unterwegs zu Ihnen.",
            "Das Paket zu {n} ist gerade beim Paketdienst.",
            "{n} befindet sich im Transport.",
            "Die Sendung {n} ist in Zustellung.",
        ),
        "arrived": (
            "{n} wurde Ihnen bereits zugestellt.",
            "Laut DHL ist das Paket {n} bei Ihnen angekommen.",
            "{n} wurde an Ihrer Haustür übergeben.",
            "Die Bestellung {n} ist schon vor Tagen eingetroffen.",
            "{n} wurde bei Ihrem Nachbarn abgegeben.",
        ),
        "lost": (
            "{n} ist leider verloren gegangen.",
            "Der Paketdienst hat {n} als verloren gemeldet.",
            "Das Paket {n} ist verschollen.",
            "{n} ging auf dem Weg zu Ihnen verloren.",
        ),
        "back": (
            "{n} ging an den Absender zurück.",
            "Das Paket {n} kam zu uns zurück.",
            "{n} ist auf dem Rückweg zu uns.",
        ),
    },
    "fr": {
        "waiting": (
            "{n} n'est pas encore partie.",
            "La commande {n} est toujours en préparation dans notre entrepôt.",
            "{n} n'a pas encore été expédiée.",
            "Votre commande {n} n'a pas encore quitté nos locaux.",
        ),
        "moving": (
            "{n} est encore en chemin.",
            "Le colis {n} est en cours d'acheminement.",
            "{n} est toujours chez le transporteur.",
            "Votre commande {n} est en route vers vous.",
        ),
        "arrived": (
            "{n} vous a été livrée.",
            "Selon le transporteur, le colis {n} est bien arrivé chez vous.",
            "{n} a été remis à votre porte.",
            "Le colis {n} a été déposé chez votre voisin.",
        ),
        "lost": (
            "{n} s'est malheureusement perdue.",
            "Le transporteur a déclaré {n} perdu.",
            "Le colis {n} est introuvable.",
            "{n} s'est égaré en chemin.",
        ),
        "back": (
            "{n} a été retourné à l'expéditeur.",
            "Le colis {n} est revenu chez nous.",
            "{n} est sur le chemin du retour vers notre entrepôt.",
        ),
    },
    "es": {
        "waiting": (
            "{n} todavía no ha salido.",
            "El pedido {n} sigue en nuestro almacén.",
            "{n} aún no se ha enviado.",
            "Su pedido {n} está en preparación.",
        ),
        "moving": (
            "{n} sigue en camino.",
            "El paquete {n} está en tránsito.",
            "{n} está en reparto.",
            "Su pedido {n} todavía está con el transportista.",
        ),
        "arrived": (
            "{n} ya fue entregado.",
            "Según el transportista, el paquete {n} llegó a su casa.",
            "{n} se entregó en su puerta.",
            "El pedido {n} ha llegado bien.",
            "Dejaron {n} entregado a un vecino.",
        ),
        "lost": (
            "{n} se ha perdido, lo siento.",
            "El transportista ha dado {n} por perdido.",
            "El paquete {n} se extravió.",
            "{n} ha desaparecido en el camino.",
        ),
        "back": (
            "{n} fue devuelto al remitente.",
            "El paquete {n} volvió a nuestro almacén.",
            "{n} está de vuelta a nuestro almacén.",
        ),
    },
    "nl": {
        "waiting": (
            "{n} is nog niet verzonden.",
            "De bestelling {n} ligt nog bij ons in het magazijn.",
            "{n} is de deur nog niet uit.",
            "Je bestelling {n} moet nog worden ingepakt.",
        ),
        "moving": (
            "{n} is nog onderweg.",
            "Het pakket van {n} ligt nu bij de bezorger.",
            "{n} is nog steeds op weg naar je.",
            "Je bestelling {n} is in transit.",
        ),
        "arrived": (
            "{n} is al bezorgd.",
            "Volgens de vervoerder is het pakket {n} bij je aangekomen.",
            "{n} is aan de deur afgegeven.",
            "Het pakje {n} is bij de buren bezorgd.",
        ),
        "lost": (
            "{n} is helaas kwijtgeraakt.",
            "De vervoerder heeft {n} als verloren gemeld.",
            "Het pakket {n} is zoek.",
            "{n} is onderweg verloren gegaan.",
        ),
        "back": (
            "{n} is teruggestuurd naar de afzender.",
            "Het pakket {n} kwam bij ons terug.",
            "{n} is op de terugweg naar ons magazijn.",
        ),
    },
}
GREETINGS = {
    "en": "Hello, thank you for your message.",
    "de": "Guten Tag, vielen Dank für Ihre Nachricht.",
    "fr": "Bonjour, merci pour votre message.",
    "es": "Hola, gracias por su mensaje.",
    "nl": "Beste klant, bedankt voor je bericht.",
}
