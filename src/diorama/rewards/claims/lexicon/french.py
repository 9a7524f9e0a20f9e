"""French words for deeds."""

from __future__ import annotations

from diorama.rewards.claims.lexicon.form import MONEY, Frame, language

_SUM = f"{MONEY}|argent|montant|somme|paiement|prix|frais|débit|port|total|prélèvement|taxe|tva"
_CARD = "carte|visa|mastercard|amex|banque|compte bancaire|paypal|xcard|moyen de paiement|mode de paiement|carte bancaire|compte"  # noqa: E501 - one list
_CREDIT = "un avoir|en avoir|d'avoir|l'avoir|votre avoir|avoirs|crédit boutique|crédit magasin|bon d'achat|bons d'achat|crédit client|carte cadeau|solde|geste commercial|bon de|crédit d'achat|un crédit|de crédit|en crédit|code promo"  # noqa: E501 - one list
_DONE = "effectué|effectuée|émis|émise|fait|faite|traité|traitée|en route|en cours|parti|partie|lancé|lancée|versé|versée|validé|validée|exécuté|exécutée|envoyé|envoyée|réalisé|réalisée|enregistré|enregistrée|ordonné|confirmé|accordé|accordée|initié|déclenché|procédé|a quitté|est chez votre banque|sera|vient d'être|recevrez|recevez"  # noqa: E501 - one list
_SENT = "envoyé|envoyée|envoyés|envoyées|expédié|expédiée|expédiés|expédiées|parti|partie|partis|parties|en route|en chemin|posté|postée|envoyons|expédions|enverrons|expédierons|enverrai|envoie|emballé|emballée|en cours d'emballage|adressé|adressée|adressons|part|partira|recevrez|recevez|arrivera|remis au transporteur|accordé|accordée|livré|livrée|livrerons"  # noqa: E501 - one list
_MACHINE = "machine|appareil|moulin|xmachine|cafetière"
_PART = "pièce|pièces|joint|joints|interrupteur|valve|soupape|pompe|résistance|plaque|tuyau|moteur|xpart|piston|pièce détachée|pièces détachées|composant|bouton"  # noqa: E501 - one list
_PARCEL = "colis|commande|paquet|marchandise|articles|article|envoi|café|le|la|les|l'|xrecord|xproduct|sachet|sachets"
_AGAIN = "à nouveau|de nouveau|une nouvelle fois|une deuxième fois|une seconde fois|encore une fois|un nouveau colis|un autre colis|un second envoi|nouvel envoi|second envoi"  # noqa: E501 - one list
_LABEL = "étiquette|étiquettes|bon de retour|bordereau|étiquette de retour|étiquette retour"
_ADDRESS = "adresse|adresses|destination|adresse de livraison"
_ABO = "abonnement|abonnements|formule|plan|café|commande|contrat|livraisons"

_FRAMES = (
    Frame("refund", "remboursé|remboursée|remboursés|remboursées|remboursons|rembourserons|rembourserai|rembourse|recrédité|recréditée|recrédités|recréditons|recréditerons|recrédite|restitué|restituée|restitués|restituons|rétrocédé|restituerons"),
    Frame("refund", "recréditer|rembourser|restituer", ("venons|viens|allons|vais|va",)),
    Frame("refund", "crédité|créditée|crédités|versé|versée|versés|viré|virée|virés|reversé|reversée|retourné|retournée|rendu|rendue|rendus|renvoyé|transféré|transférée|créditons|versons|virons|reversons|rendons|annulé|annulée|revient|reviennent|repartis|reparti|de retour",
          (_SUM, "sur votre carte|sur la carte|votre carte|sur votre visa|sur votre mastercard|sur votre compte|carte bancaire|compte bancaire|xcard|moyen de paiement|banque|carte|visa|mastercard|amex"), without=_CREDIT),
    Frame("refund", "remboursement|remboursements", (_DONE,), without="demande"),
    Frame("refund", "récupérez|récupérerez|recevez|recevrez", (f"{MONEY}|argent|montant|somme|remboursement",), without=_CREDIT),

    Frame("credit", "crédité|créditée|crédités|ajouté|ajoutée|ajoutés|accordé|accordée|accordés|octroyé|offert|offerts|versé|versés|émis|converti|convertis|déposé|mis|ajoutons|accordons|offrons|créditons|disposez|avez|bénéficiez|recevez|recevrez|attend|attendent|figure|donné|donnons|inscrit|portés|porté",
          (_CREDIT,)),
    Frame("credit", "crédité|ajouté|ajoutés|crédités", (MONEY, "sur votre compte client|à votre compte|sur votre compte larkspur|votre compte client"), without="banque|carte|bancaire"),

    Frame("cancellation", "résilié|résiliée|annulé|annulée|annulés|résilions|annulons|clôturé|clôturée|résilierons|annulerons", without="paiement|débit|prélèvement|rendez-vous"),
    Frame("cancellation", "arrêté|arrêtée|terminé|terminée|stoppé|fini|désactivé|interrompu définitivement|a pris fin|pris fin|mis fin|supprimé", ("abonnement|formule|plan|contrat",), without="garantie|délai|période"),
    Frame("cancellation", "résiliation|annulation", ("confirmée|effectuée|enregistrée|prise en compte|faite|confirmons|effective",)),

    Frame("pause", "suspendu|suspendue|en pause|mis en pause|interrompu|gelé|suspendons", (_ABO + "|il|l'",), without="remboursement"),

    Frame("address_change", "modifié|modifiée|changé|changée|mis à jour|mise à jour|corrigé|corrigée|réorienté|réorientée|redirigé|redirigée|remplacé|remplacée|modifions|changeons|redirigeons|enregistré|enregistrée", (f"{_ADDRESS}|xstreet|xpostcode",), without="adresse e-mail|adresse mail|rien|courriel"),
    Frame("address_change", "redirigé|redirigée|réorienté|réorientée"),
    Frame("address_change", "part désormais|partira désormais|sera désormais|ira désormais|désormais|partira au|partira à|sera livrée au|sera livré au|part maintenant", ("xstreet|xpostcode",)),

    Frame("replacement_machine", _SENT, ("nouvelle machine|machine neuve|nouvel appareil|appareil neuf|xmachine neuve|xmachine neuf|nouvelle xmachine|nouveau xmachine|machine de remplacement|appareil de remplacement|moulin neuf|nouveau moulin|xmachine de remplacement",), without=_PART),
    Frame("replacement_machine", "remplacé|remplacée|échangé|échangée|remplaçons|échangeons|remplacerons|échangerons", (_MACHINE,), without=_PART),

    Frame("part", _SENT, (_PART,), without="étiquette|à part"),

    Frame("reshipment", "réexpédié|réexpédiée|réexpédions|réexpédierons|réexpédie|réenvoyé|réenvoyée|renvoyons|réenvoyons|nouvel envoi|nouveau colis|renvoyé le colis|renvoyé votre", without="facture|mail|lien|confirmation|courriel"),
    Frame("reshipment", _SENT, (_AGAIN, _PARCEL), without="facture|mail|lien|confirmation"),

    Frame("label", "jointe|joint|ci-joint|ci-jointe|envoyée|envoyé|envoyons|envoie|créée|trouverez|dans votre boîte|dans votre mail|par mail|par e-mail|recevez|recevrez|en pièce jointe|utilisez|générée|préparée|émise", (_LABEL,)),

    Frame("extra", "remise|réduction|rabais|code promo|moitié prix|% sur", ("offrons|accordons|recevez|recevrez|bénéficiez|avez|donne|donnons|bénéficierez|accordé|offert|obtenez",)),
    Frame("extra", "cadeau|offert|offerte|gratuit|gratuite|offrons|offerts", ("sachet|paquet|café|livraison|port|cadeau|bienvenue|premier|première",)),
    Frame("extra", "technicien|réparateur|technicienne|monteur", ("passera|viendra|vient|passe|interviendra|va",)),
    Frame("extra", "appellera|appelle|appellerons|téléphonera|téléphone|rappellera|rappelle", ("vous",)),
    Frame("extra", "réparons|réparerons|réparé|réparée", ("gratuitement|atelier|machine|xmachine",)),
    Frame("extra", "prolongé|prolongée|prolongeons|étendu|étendue", ("garantie|délai",)),
    Frame("extra", "arrive|arrivera|arriveront|livré|livrée|chez vous|parviendra|recevrez", ("xday|xdate|24 heures|48 heures|24 h|48 h|cette semaine|semaine prochaine",), without="était|devait|est arrivé|a été|habituellement|remboursement|argent"),
    Frame("extra", "bloqué|réinitialisé|débloqué|supprimé", ("compte|passe|carte",)),
    Frame("extra", "xpercent+remise|xpercent sur|xpercent de|remise+xpercent|vous est offert|vous est offerte|vous offrons|est offert|est offerte|à moitié prix"),
)  # fmt: skip

FRENCH = language(
    "fr",
    "le la les l' un une des du de et ou est sont a ont été être vous votre vos nous notre nos je j'ai il elle on ce cette ces ne pas "
    "que qui dans pour par sur avec au aux en plus bonjour merci madame monsieur cordialement donc mais si c'est d'un d'une n'est "
    "nous-mêmes avons avez sera était chère cher y sans ni dès se son sa ses j' d' qu'il",
    _FRAMES,
    {
        "refund": "rembours*|recrédit*|crédit*|restitu*|revers*|revers*|versé*|carte|argent|rendu*|retour*|viré*|annul*|récupér*",
        "credit": "avoir|crédit|crédits|bon d'achat|solde|geste|crédité*|bons|compte",
        "cancellation": "résili*|annul*|arrêt*|terminé*|pris fin|prend fin|mis fin|fin|stopp*|clôtur*|plus aucun*|désactivé*|fini*|cess*|supprim*",
        "pause": "paus*|suspend*|suspens*|saut*|report*|interromp*|passons|laissons|gel*",
        "skip": "paus*|suspend*|saut*|report*|prochain*|suivant*|pass*|laiss*|omett*|ensuite|pas",
        "resumption": "repren*|repris*|reprend*|redémarr*|recommenc*|réactiv*|de nouveau|à nouveau|relanc*|actif|débute*|commence*",
        "plan_change": "chang*|passe*|pass*|modifi*|désormais|à partir|formule|abonnement|recevez|recevrez|dès",
        "address_change": "xstreet|xpostcode|adresse|part|partira|livré*|envoy*|expédi*|désormais|modifi*|chang*|ira|à|au|réexpédi*|chez",
        "replacement_machine": "neuve|neuf|nouvelle|nouveau|nouvel|rempla*|échang*|envoy*|expédi*|part*|route",
        "part": "pièce|pièces|joint|joints|xpart|envoy*|expédi*|parti*|route|emball*|gratuit*",
        "reshipment": "réexpédi*|renvoy*|réenvoy*|nouveau|nouvelle|seconde|deuxième|nouvel|second|encore|expédi*|envoy*",
        "label": "étiquette|étiquettes|bon de retour|bordereau|retour|rma|renvoy*",
    },
    {
        "refusal": "ne|n'|pas|impossible|aucun|aucune|refus*|ni|malheureusement|jamais|rien|n'est|n'avons|ne peut",
        "other_owner": "autre|quelqu'un|tiers|pas à votre nom|nom|propriétaire|titulaire|n'est pas enregistré*",
        "email": "e-mail|mail|adresse|courriel|messagerie|email|boîte|expéditeur",
        "account": "compte|enregistré*|associé*|rattaché*|commande|commandé|dossier|connu*|connaissons|figure|utilisé*|liée|lié|correspond*|d'origine|fichier|passée|passé",
        "included": "compris*|inclus*|incluse|contenu*|déjà|fait partie|rien|part|dont|ajouté*|intégré*|en sus|supplément",
        "payout": "versé*|argent|espèces|convert*|carte|payé*|remboursé*|retir*|virer|viré|verser|échang*|liquide|banque|bancaire",
        "works_again": "résolu*|réparé*|fonctionne*|rétabli*|nouveau|réglé*|corrigé*|terminé*|normal*|ordre|fini|marche|rétablie|opérationnel*|derrière|rentré|rentrée",
        "subscription": "abonnement|abonnements|renouvellement|renouvellements|formule|café|sachet|sachets|plan|renouvel*",
        "invoice": "facture|factures|facturation",
        "return": "retour*|renvoy*|reprendre|reprise|renvoi|retourner",
        "card": "carte|visa|mastercard|amex|moyen de paiement|mode de paiement|xcard|banque|bancaire|payé|réglé",
        "credit": "avoir|crédit|crédits|bon d'achat|solde|compte",
        "no_notice": "préavis|aujourd'hui|immédiat*|sans délai|dès|aussitôt|tout de suite|délai|obligé*|engagement|maintenant|aucun|besoin",
    },
    negation=r"\b(?:ne|pas|jamais|rien|aucun|aucune|ni|sans|impossible|au lieu|plutot que|refuse|refusons|echoue)\b|\bn'",
    aux="nous|je|j'|vous|on",
    exempt="peux|peut|pouvons|pouvez|pourrait|pourrions|pourriez|pourra|possible|voul*|voudr*|devez|devrait|devriez|devait|promis*|promesse|promettr*|proposons|si|pour que|serait|seraient|auriez|aurait|avait été promis|droit|éligible|mesure de|accepter|prévu|dû|doit|faut",
    wish="demand*|souhait*|proposé|propose|veuillez|merci de|prière|question|espér*|aimer*|afin",
    general="toujours|uniquement|seulement|habituellement|normalement|en général|règle|chaque|clients|généralement|exclusivement|jamais",
    conditional="si|s'il|s'ils|dès que|dès réception|lorsque|quand|une fois|sinon|à condition|en cas|pourvu|jusqu'à ce que|selon|serait|seraient|le cas échéant|tant que|pourrait|pourrions|pourra",
    finished="avons|ai|j'ai|a été|ont été|avez été|a|ont|été|viens|venons|est|sont",
    failed="n'a pas pu|n'ont pas pu|n'avons pas pu|n'ai pas pu|échoué|a été annulé|retiré|retirée",
    limiting="sans|avait|avaient|n'avait|deuxième|seconde|second|deux fois|nouveau|autre|autres|supplémentaire|plus|aussi|également|avant|jusque|déjà|seulement|double|premier|première|frais|port|avoir|bon|espèces|banque|xdate|alors|directement|promis|sur un autre|davantage",
    breaks=r"\s(?:(?:mais|car|parce que|puisque|tandis que|alors que|bien que|afin)\b|et (?=nous|je|vous|il|elle|le|la|les|votre|vos|un|une|avons|a |est|sont|sera|xamount|aucun|aucune|j'|rien|ne))",
)  # fmt: skip
