"""Violations of the rules about the directory."""

from __future__ import annotations

import msgspec

from diorama.apps.backoffice.schema import Staff
from diorama.apps.zendesk.schema import User
from diorama.kernel import Tx
from diorama.people import Account, Contact, Knows
from tests.worlds.plants import plant


@plant
def desk_accounts_have_one_person(tx: Tx) -> object:
    ana = tx.all(User, "email = 'ana@larkspur.coffee'")[0]
    tx.change(ana, name="Ana Duarte-Silva")
    return ana.id


@plant
def office_accounts_have_one_person(tx: Tx) -> object:
    piet = tx.all(Staff, "email = 'piet@larkspur.coffee'")[0]
    account = tx.get(Account, f"backoffice {piet.id}")
    tx.remove(account)
    tx.add(msgspec.structs.replace(account, contact_id="ana.duarte"))
    return piet.id


@plant
def the_directory_agrees_with_the_team(tx: Tx) -> object:
    imke = tx.get(Contact, "imke.petersen")
    tx.change(imke, shift=(12, 20), languages=("en",))
    return imke.id


@plant
def what_is_out_of_date_is_known_by_another(tx: Tx) -> object:
    known = tx.all(Knows, "until IS NULL AND topic = 'roast days'")[0]
    tx.change(known, since=tx.now)
    return "knowledge"
