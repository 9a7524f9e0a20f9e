"""English words for deeds."""

from __future__ import annotations

from diorama.rewards.claims.lexicon.form import MONEY, Frame, language

_SUM = f"{MONEY}|money|payment|amount|sum|price|fee|fees|total|charge|cost|costs|postage|shipping|delivery|difference|it|that|cash|tax|vat|deposit|everything"  # noqa: E501 - one list
_CARD = "card|cards|visa|mastercard|amex|bank|paypal|original payment|payment method|means of payment|way you paid|current account|bank account|where it came from|xcard|statement"  # noqa: E501 - one list
_CREDIT = "as credit|as a credit|in credit|store credit|shop credit|credit note|voucher|vouchers|gift card|goodwill|balance|credit balance|gift voucher|larkspur balance|larkspur account"  # noqa: E501 - one list
_DONE = "go through|forgotten|issued|made|processed|completed|complete|on its way|on the way|on their way|went through|gone through|gone out|went out|sent|paid|booked|initiated|arranged|triggered|executed|put through|left us|left our|under way|underway|authorised|authorized|approved|done|granted|released|is with your bank|reached your|transferred|submitted|being processed|coming|is in progress|in hand|confirmed|created|set up|opened|prepared|raised"  # noqa: E501 - one list
_SUBSCRIPTION = "subscription|subscriptions|plan|plans|coffee|renewal|renewals|deliveries|membership|contract|bags|it"
_SENT = "sent|shipped|dispatched|despatched|posted|mailed|sending|shipping|dispatching|posting|on its way|on the way|on their way|in the post|left us|left our|leaves us|leaves our|went out|gone out|going out|goes out|packed|being packed|packing|couriered|coming your way|heading your way|heading to you|headed to you|will reach you|will arrive|arranged|arranging|ordered|approved|granted|put in the mail|signed off|organised|organized|handed to"  # noqa: E501 - one list
_SEND = "getting|receiving|send|ship|dispatch|post|mail|give|provide|get|receive|arrange|deliver|organise|organize"
_MACHINE = "machine|machines|unit|appliance|device|grinder|xmachine|espresso machine|brewer|model"
_PART = "part|parts|spare|spares|seal|seals|gasket|gaskets|switch|valve|element|pump|tray|knob|hose|screen|collar|burr|burrs|sensor|thermostat|cable|plate|tank|xpart|component|kit"  # noqa: E501 - one list
_PARCEL = "parcel|parcels|package|packages|order|orders|goods|items|item|box|shipment|consignment|coffee|it|them|everything|bag|bags|xrecord|xproduct"  # noqa: E501 - one list
_AGAIN = "again|once more|second time|another time|anew|afresh|a fresh|one more time|back in the post|second try|second attempt|second dispatch"  # noqa: E501 - one list
_LABEL = "label|labels|return label|returns label|shipping label|prepaid label|return slip|return form|qr code"
_ADDRESS = "address|addresses|destination|delivery details|shipping details|delivery address"

_FRAMES = (
    Frame("refund", "refunded|reimbursed|repaid"),
    Frame("refund", "reversed", (f"{MONEY}|payment|charge|debit|money|card|transaction|booking",)),
    Frame("refund", "given+back|gave+back|paid+back|sent+back|put+back|gone back|went back|going back|goes back|coming back|come back|transferred+back|moved+back|wired|credited back|returned|is back|are back|back on|handed back|paid out|turned into cash",
          (f"{MONEY}|money|payment|amount|sum|charge|fee|tax|debit|price", _CARD)),
    Frame("refund", "given+back|gave+back|paid+back|given you back|paid you back", (f"{MONEY}|money|payment|amount|sum|charge|fee|tax|debit|price|everything|nothing|anything",)),
    Frame("refund", "credited|transferred|wired|returned|released|put|paid|sent|moved|posted|went|gone|added|booked|settled|deposited|remitted",
          (f"{MONEY}|money|payment|amount|sum|charge|fee|tax|debit|price", "to your card|on your card|onto your card|back to your card|to your visa|to your mastercard|to your amex|on your visa|on your mastercard|to your bank|to your account|your card has been|original payment|payment method|card you|card that|card ending|to the card|on the card|same card|current account|bank account"),
          without=_CREDIT + "|charged|debited|taken"),
    Frame("refund", "transferred|paid out|moved|converted|turned|wired|cashed out|cashed", (f"{MONEY}|credit|balance|it", "to your card|on your card|onto your card|to your visa|to your mastercard|to your amex|to your bank|bank account|into money|into cash")),
    Frame("refund", "card+credited|visa+credited|mastercard+credited|amex+credited"),
    Frame("refund", "refund|refunds|reimbursement|repayment", (_DONE,), without="request"),
    Frame("refund", "get|receive|have|see|got|receiving|getting", (f"{MONEY}|money|payment|amount|sum|fee|price", "back"), weak=True),
    Frame("refund", "get|receive|receiving|getting|have", ("refund|reimbursement",), weak=True),
    Frame("refund", "refund|refunding|reimburse|reimbursing|repay", weak=True),
    Frame("refund", "return|pay|give|send|transfer|wire|put|returning|paying|giving|sending|transferring|putting|reversing|reverse",
          (f"{MONEY}|money|payment|amount|sum|charge|fee|price|it", "back|to your card|on your card|to your bank|bank account|to your visa|to your mastercard"), without="store credit|voucher|parcel", weak=True),

    Frame("credit", "credited|added|granted|given|gave|put|booked|issued|applied|converted|placed|topped up|posted|transferred|moved|gifted|loaded|awarded|deposited|sits|is waiting|are waiting|there is|there's|you have|you've got|you now have|you also have|have been",
          (_CREDIT,), without="not store"),
    Frame("credit", "credited|added|topped up|put", (MONEY, "to your account|on your account|on your larkspur|to your larkspur|your account with us|customer account"), without="bank|card|visa|mastercard|charge"),
    Frame("credit", "added another|added an extra|added a further|add another|added", (MONEY,), without="vat|tax|shipping|postage|fee|price|invoice|total|order|charge|cost|basket|card|bank"),
    Frame("credit", "xamount+credit|credit of+xamount|xamount in credit|credits", ("added|on your account|in your account|there is|you have|have been|has been|waiting|granted|given|issued|as a gesture|apology|on top|is yours|for you|get|receive",)),
    Frame("credit", "add|give|grant|offer|credit|issue|put|get|receive|receives|gets|adding|giving|granting|offering|issuing|throw in",
          (f"{_CREDIT}|xamount+credit|credit of",), weak=True),

    Frame("cancellation", "cancelled|canceled|terminated|discontinued"),
    Frame("cancellation", "ended|stopped|closed|finished|switched off|switched+off|turned off|shut down|deactivated|concluded|wound up|put an end|come to an end|called off|taken+off|brought to an end|is over|has been removed|deleted",
          ("subscription|subscriptions|plan|coffee|renewals|membership|abo|order xrecord|your order",), without="warranty|guarantee|window|period|cover|days"),
    Frame("cancellation", "cancellation", ("go through|confirmed|processed|done|complete|completed|gone through|went through|in place|made|recorded|effective",)),
    Frame("cancellation", "cancel|cancelling|canceling|terminate|terminating|end|ending|stop|stopping", ("subscription|plan|coffee|membership|order",), without="anything", weak=True),

    Frame("pause", "paused|suspended|on hold|put+on hold|frozen|on pause", ("subscription|plan|coffee|deliveries|it|renewals|account|order|xrecord",), without="refund"),
    Frame("pause", "pause|pausing|suspend|freeze", ("subscription|plan|coffee|deliveries|it",), weak=True),

    Frame("address_change", "changed|updated|amended|altered|corrected|switched|redirected|rerouted|re-routed|diverted|replaced|set|moved|adjusted|modified|edited|put+xstreet|entered|saved|stored",
          (f"{_ADDRESS}|xstreet|xpostcode",), without="e-mail address|email address|nothing|login"),
    Frame("address_change", "redirected|rerouted|re-routed|diverted", (_PARCEL,)),
    Frame("address_change", "now goes to|now go to|now goes|goes now to|going to xstreet|now be delivered to|now be shipped to|now be sent to|now ships to|now shipping to|will now go|is now going|now heading|now headed|instead go|instead goes|pointed+at|now set to|now booked for",
          ("xstreet|xpostcode|address|office",)),
    Frame("address_change", "goes to|go to|going to|sent to|delivered to|shipped to|goes|deliver to|ship to|send to|xrecord to", ("xstreet|xpostcode", "from now on|now|instead|in future|new address|as of today|henceforth|this once|already")),
    Frame("address_change", "change|update|redirect|divert|amend|reroute|changing|updating|redirecting", (f"{_ADDRESS}|xstreet",), without="e-mail address|email address", weak=True),

    Frame("replacement_machine", _SENT, (f"new+machine|new+unit|new+xmachine|new+grinder|replacement machine|replacement unit|replacement xmachine|replacement device|replacement grinder|another+xmachine|another machine|brand-new+machine|replacement", ), without=_PART),
    Frame("replacement_machine", "exchanged|swapped|replaced", (f"{_MACHINE}",), without=_PART + "|you replaced"),
    Frame("replacement_machine", f"{_SEND}|replace|exchange|swap|replacing|exchanging|swapping|sending", (f"new+machine|new+unit|new+xmachine|new one|replacement machine|replacement unit|replacement xmachine|replace+machine|replace+xmachine|replace+unit|swap+machine|exchange+machine|replacing+machine|brand-new+machine", ), without=_PART, weak=True),

    Frame("part", _SENT, (_PART,), without="label|machine is|send back|take part|your part|machine back"),
    Frame("part", f"{_SEND}|sending", ("part|parts|spare|seal|seals|gasket|gaskets|valve|pump|switch|hose|burr|burrs|xpart",), without="take part|your part", weak=True),

    Frame("reshipment", "resent|re-sent|reshipped|re-shipped|redispatched|re-dispatched|resending|re-sending|reshipping|being re-sent|new parcel|replacement parcel|second parcel", without="invoice|link|mail|e-mail|email|confirmation|document"),
    Frame("reshipment", _SENT, (_AGAIN,), without="subscription|plan|write|refund|refunds|xamount|money|bank|invoice|link|e-mail|email|confirmation|write again|document|mail"),
    Frame("reshipment", "resend|reship|re-ship|redispatch|send|ship|dispatch|post|sending|shipping", (_AGAIN + "|resend|reship|re-ship|redispatch", _PARCEL), without="invoice|link|e-mail|email|confirmation|document|send back|send it back", weak=True),
    Frame("reshipment", "another one+sent|sent+another|new one+sent|replacement+parcel|replacement order", (_SENT,)),

    Frame("goods", "on its way|on the way|dispatched|shipped|in the post|sent you|sending you|posted", ("a new|another|a further|an extra|an additional|a second",), without=_PART + "|label|password|e-mail|email|message|mail|code|link|invoice|bill|card|xmachine|machine|unit|grinder|confirmation|reply|voucher|letter|document|address|order"),
    Frame("label", "attached|enclosed|sent|mailed|emailed|e-mailed|created|issued|in your mail|in your inbox|on its way|included|find|printed|generated|mailing|sending|emailing|use the|here is|here's|waiting in|prepared|below", (_LABEL,)),
    Frame("label", "send|mail|email|issue|create|get|receive", (_LABEL,), weak=True),

    Frame("extra", "discount|discounts|percent off|% off|price off|half price|reduced price|promo code|discount code|rebate|cheaper", ("get|give|given|gave|offer|offered|receive|added|you have|applied|granted|enjoy|with a|there is",)),
    Frame("extra", "free bag|extra bag|bag is free|bag free|free coffee|welcome gift|a gift|on the house|free shipping|free delivery|free postage|free of charge+bag|no shipping|shipping+waived|shipping+free|bonus|complimentary|for free+bag", without="above|over|from"),
    Frame("extra", "technician|engineer|mechanic|fitter|repairman|repairer|service partner", ("will|comes|come|visit|call|fit|fits|'ll|pick|collect|repair",)),
    Frame("extra", "call you|phone you|ring you|give you a call|give you a ring|telephone you|calls you|phones you", ("will|'ll|going to|manager|colleague|today|tomorrow|team",)),
    Frame("extra", "repair|repaired|mend|fix it for you|repairing", ("we'll|will|we|i'll|have", "free|workshop|machine|xmachine|it"), without="outage|fault was|incident|service|renewal|invoice", weak=True),
    Frame("extra", "extended|extend|extends|extending|renewed|fresh+warranty|new+warranty|prolonged", ("warranty|guarantee|cover|return period|deadline",)),
    Frame("extra", "arrive|arrives|arriving|reach you|reaches you|be with you|be delivered|is delivered|be there|at your door|on your doorstep|in your hands|in your letterbox|delivery guaranteed|guarantee delivery|have it|be at your|gets to you|get to you|deliver it", ("xday|xdate|24 hours|48 hours|next day|this week|next week|tomorrow",), without="was|were|came|arrived|had|expected|estimated|usually|normally|money|refund|bank|statement|credit|warranty"),
    Frame("extra", "blocked|locked|reset|unlocked|deleted|upgraded|waived|transferred+registration|corrected invoice|new invoice", ("account|password|registration|login|next-day|express|fee|invoice|card",)),
    Frame("extra", "extra bag|another bag|additional bag|sample|samples|spare bag|goody", ("sent|send|added|add|packed|including|include|get|receive|throw in|put",)),
    Frame("extra", "every two weeks|every eight weeks|every six weeks|every three weeks|every four weeks|to monthly|to weekly", ("moved|changed|switched|set|put",)),
    Frame("extra", "xpercent+off|xpercent+discount|discount+xpercent|xpercent+refund|half price|half the price|half off|ships free|free next|free on your next|delivered free|bags+included|bag of beans|for nothing|still be sent+free"),
)  # fmt: skip

ENGLISH = language(
    "en",
    "the a an and or of to for is are was were has have had been be you your yours we our us i it its this that with on in at by "
    "from as not no will would can so but if they them their there here please thank thanks hello dear hi sorry what which who when "
    "all any my me do does did now today just more than because about up out",
    _FRAMES,
    {
        "refund": "refund*|reimburs*|repa*|back|revers*|return*|credited|card|money|transferred|paid|gone|owe|wired",
        "credit": "credit|credits|credited|voucher|balance|goodwill|gift card|account",
        "cancellation": "cancel*|terminat*|ended|end|ends|stopped|stop|stops|over|closed|finished|switched+off|turned+off|off|discontinu*|no more|no further|called off|done with|concluded|wound up|gone|won't renew|not renew",
        "pause": "paus*|hold|suspend*|skip*|leave+out|left out|rest|resting|break|frozen|freeze|miss out|omit*|not charge*|jump",
        "skip": "paus*|skip*|leave+out|leaving+out|left+out|omit*|drop*|miss*|next one|one after|not be|won't be|no bag|pass over|jump*|next renewal|next bag|next delivery|then",
        "resumption": "resum*|start*|again|active|restart*|running|runs|back|on|reactivat*|unpaus*|begin*",
        "plan_change": "chang*|switch*|mov*|from|plan|now|get|gets|swap*|set|subscription|renewal",
        "address_change": "xstreet|xpostcode|address|goes|go|going|sent|send|ship*|deliver*|chang*|redirect*|updat*|new|destination|mov*|now|coming|set|second|to|amend*|dispatch*",
        "replacement_machine": "new|replac*|another|sent|shipp*|swap*|exchang*|on its way|on the way|dispatch*|unit|fresh",
        "part": "part|parts|spare|seal|seals|gasket|xpart|sent|post*|on its way|packed|shipp*|dispatch*|send*|get|getting|free",
        "reshipment": "again|resen*|reship*|re-s*|once more|second|sent|send*|ship*|new parcel|another|back in|on its way|dispatch*|try",
        "label": "label|labels|return|rma|send+back|sending+back|slip",
    },
    {
        "refusal": "can't|cannot|can not|won't|not able|unable|not possible|impossible|will not|not allowed|declin*|refus*|may not|not do|isn't possible|not going to|don't|do not|no|not|n't|never|nothing|must not|mustn't|aren't|isn't|neither",
        "other_owner": "another|other|different|someone|somebody|not registered|isn't registered|not yours|original owner|first owner|previous owner|isn't in your name|not in your name|else|else's|not under your|owner|isn't yours|name",
        "email": "e-mail|email|mailbox|mail|inbox|address|sender|e-mails|emails|mailboxes",
        "account": "account|accounts|file|registered|ordered with|order was placed|placed with|used|linked|on record|records|profile|know|known|match*|belong*|our books|we hold|we have|recogni*|on the order|same|original|under|associated|bought|purchas*|own",
        "included": "includ*|part of|contain*|inside|within|not on top|not added|not extra|nothing+added|nothing+top|already in|inclusive|nobody added|in the price|comprises|share of|of it|of which|not an extra|isn't an extra|built in|covers|in it|extra|top",
        "payout": "paid out|pay out|pay it out|pay+out|money|cash|cashed|withdraw*|convert*|transfer*|to your card|on your card|card|exchange*|bank|payout|pay|turned into|swap*",
        "works_again": "fixed|fix|works|working|work|resolved|repaired|normal|solved|over|restored|running|back|mended|corrected|sorted|up|put right|order|behind us|all clear|cleared|cured|rectified|remedied|stable",
        "subscription": "subscription|subscriptions|renewal|renewals|renew*|plan|plans|coffee|bag|bags|explorer|deliveries",
        "invoice": "invoice|invoices|invoicing|bill|bills|billing|receipt|receipts",
        "return": "return|returned|returns|returning|send+back|sent+back|sending+back|come back|back|take back|rma|label",
        "card": "card|cards|visa|mastercard|amex|original payment|means of payment|way you paid|payment method|how you paid|same way|bank|where it came from|paid with|xcard|account you paid",
        "credit": "credit|credits|voucher|vouchers|balance|gift card|account",
        "no_notice": "no notice|without notice|notice|today|immediately|immediate|right away|straight away|at once|now|as of|effective|already|instantly|with effect|no need|need not|don't have to|do not have to|minimum|no further|no more|not have to|three bags|any more",
    },
    negation=r"\b(?:not|no|never|nothing|neither|nor|none|nobody|cannot|without|unable|instead of|rather than|hardly|refuse|refused|decline|declined|failed|impossible)\b|n't\b|\bcant\b|\bwont\b",
    aux="will|'ll|shall|we'll|i'll|you'll|it'll|that'll|they'll|am|are|is being|going to|about to|we|i|i'm|we're|you're",
    exempt="can|can't|cannot|could|couldn't|may|might|would|wouldn't|you'd|we'd|i'd|should|must|able|unable|possible|impossible|promis*|expect*|claim*|wonder*|allowed|eligible|entitled|entitle|qualify|decid*|option|options|owe|owed|due|try|tried|attempt*|consider*|how to|why|whether|offer*|in order to|to be|having to|deserve*|forgot*|supposed|about the|about a|to cancel|to refund|to change|to pause|want to|wanted to|cancelled by|earlier refund|first refund|previous refund",
    wish="ask*|request*|want*|wish*|wanted|like|prefer*|propose*|suggest*|please|agreed|mistake|question|regarding|concerning|you send|you sent|you return*|told|said|says|let us know|your bank|need|needs|hope*|hoped|mean|means|planned",
    general="only|always|usually|normally|generally|in general|policy|rule|rules|customers|every|each|any|such|typically|as a rule|whenever|whatever|unless|anyone",
    conditional="if|unless|once|as soon as|when|whenever|provided|in case|otherwise|until you|until we|until it|until the|should you|should it|should the|would|were you|depending|subject to|assuming|after you|only after|in the event|whether",
    finished="have|has|had|i've|we've|was|were|been|did",
    failed="could not|couldn't|was not able|were not able|weren't able|wasn't able|failed|fell through|did not go|didn't go|was withdrawn|been withdrawn|been revoked|was revoked|bounced|taken back|must withdraw|have to withdraw",
    limiting="without|had|hadn't|second|twice|again|another|other|others|further|additional|additionally|more|also|than|until|before|longer|extra|only|either|any more|anymore|besides|on top|separate|separately|previous|previously|earlier|double|both|duplicate|directly|to another|different|instead|full|whole|first|failed|fee|shipping|postage|notice|why|delay|late|promised|store credit|voucher|bank|cash|there|then|at the time|back then|in time|sooner|till|initially|originally|remaining|rest|xdate",
    breaks=r"\s(?:(?:but|although|though|whereas|while|because|since|so that|which)\b|and (?=we|i|you|it|the|your|there|this|that|a |an |no |will|have|has|is|are|was|xamount|added|sent|refunded|cancelled|paid|can|nothing|our|my|shipping)|then (?=we|i|you)|so (?=we|i|you|there|it|no|this|that|the|as|your))",
)  # fmt: skip
