"""The page on which visitors sign in. People here have API tokens and no passwords, so no password is right."""

from __future__ import annotations

from html import escape

from msgspec import Struct

from diorama.apps.zendesk.rules.account import account_of
from diorama.apps.zendesk.schema import APP
from diorama.apps.zendesk.web.help_center import visitor
from diorama.apps.zendesk.web.html import document, moved, refused_page, shown, text
from diorama.kernel import Reply, Tx

WRONG = "The email and password you entered did not match our records. Please double-check and try again."


class Person(Struct, frozen=True):
    """Who wants to sign in."""

    email: str = ""
    password: str = ""


class SignInBody(Struct, frozen=True):
    """What the form sends."""

    user: Person = Person()
    return_to: str = ""


@APP.get("/access/unauthenticated", public=True, counted=False, tags=("pages",), also=(301, 302))
def show_sign_in_page(tx: Tx, return_to: str = "") -> Reply:
    """Show the form, or lead a visitor who is signed in where they wanted to go."""
    if visitor(tx) is not None:
        return moved(_local(return_to))
    return shown(_page(tx, return_to), guide=False)


@APP.get("/access", public=True, counted=False, tags=("pages",), status=302)
def open_access(tx: Tx) -> Reply:
    """Lead to the form."""
    return moved("/access/unauthenticated")


@APP.get("/hc/{locale}/signin", public=True, counted=False, tags=("pages",), status=302)
def open_sign_in(tx: Tx, locale: str, return_to: str = "") -> Reply:
    """Lead from the Help Center to the form."""
    return moved(f"/access/unauthenticated?return_to={escape(_local(return_to))}")


@APP.post("/access/login", public=True, counted=False, tags=("pages",))
def sign_in(tx: Tx, body: SignInBody) -> Reply:
    """Refuse an address and a password."""
    raise refused_page(401, "Unauthorized", _page(tx, body.return_to, body.user.email, WRONG))


def _local(address: str) -> str:
    """Return a path of this host, whatever a visitor sent."""
    return address if address.startswith("/") and not address.startswith(("//", "/\\")) else "/"


def _page(tx: Tx, return_to: str, email: str = "", wrong: str = "") -> bytes:
    name = account_of(tx).name
    told = f'<p class="notification notification-error">{text(wrong)}</p>' if wrong else ""
    body = (
        f'<body class="login"><main class="container"><h1>Sign in to {text(name)}</h1>{told}<form id="login-form" '
        'class="form" action="/access/login" method="post" accept-charset="UTF-8"><input '
        'type="hidden" name="return_to" '
        f'value="{escape(_local(return_to))}" /><div class="form-field"><label for="user_email">Email</label><input '
        f'type="email" name="user[email]" id="user_email" value="{escape(email)}" /></div><div '
        f'class="form-field"><label '
        'for="user_password">Password</label><input type="password" name="user[password]" id="user_password" /></div>'
        '<input type="submit" name="commit" value="Sign in" /></form></main></body>'
    )
    return document(f"{name}: Sign in", body)
