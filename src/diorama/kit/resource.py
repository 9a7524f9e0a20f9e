"""Resources: declare a plain configuration resource instead of writing five handlers.

Most settings of a product are listed, shown, created, updated and deleted in the same way; only the validation of a
record differs. A product declares the vendor's conventions once, and then each resource in one statement:

    PLAIN = Conventions(
        page=Page, list_page=page_of, part=required, located=set_location, reads="agent", writes="admin"
    )

    SHARING = Resource(
        APP, PLAIN, "/api/v2/sharing_agreements", SharingAgreement,
        singular="sharing_agreement", shape=lambda tx, one: sharing_agreement_object(one),
        request=SharingAgreementRequest, response=SharingAgreementResponse, responses=SharingAgreementsResponse,
        create=create_agreement, change=change_agreement, remove=audit_logs.remove,
    )

`create(tx, me, asked)`, `change(tx, me, record, asked)` and `remove(tx, me, record)` hold the resource's rules; `asked`
is the content of the wrapper in the body. An operation whose function is not given does not exist. Checks happen in
this order: role, record (404), wrapper, rules. Declare an operation that does not fit as an ordinary handler.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec

from diorama.kernel import Record, Tx, table_of
from diorama.kit.arguments import Caller
from diorama.kit.product import Product

R = TypeVar("R", bound=Record)
_NONE: Mapping[str, Any] = {}


class Conventions(msgspec.Struct, frozen=True):
    """How one vendor writes its plain nouns.

    `page`: the type of the paging argument. `list_page(tx, page, record, where, **ordering)` returns the records of a
    page and what the reply says around them. `part(value, name)` returns what is inside the wrapper of a body, or
    raises the vendor's refusal. `located(tx, path)` announces where a new record is. `reads` and `writes` are roles.
    """

    page: Any
    list_page: Callable[..., tuple[list[Any], dict[str, Any]]]
    part: Callable[[Any, str], Any]
    located: Callable[[Tx, str], None]
    reads: str
    writes: str
    update: Literal["PUT", "PATCH"] = "PUT"
    created: int = 201


class Resource(Generic[R]):
    """The operations of one plain noun: list, show, create, update, delete."""

    def __init__(
        self,
        product: Product,
        conventions: Conventions,
        path: str,
        record: type[R],
        *,
        singular: str,
        shape: Callable[[Tx, R], Any],
        response: type[msgspec.Struct],
        responses: type[msgspec.Struct] | None = None,
        request: type[msgspec.Struct] | None = None,
        create: Callable[[Tx, Any, Any], R] | None = None,
        change: Callable[[Tx, Any, R, Any], R] | None = None,
        remove: Callable[[Tx, Any, R], None] | None = None,
        find: Callable[[Tx, Any], R] | None = None,
        plural: str = "",
        id: str = "",
        where: str = "",
        ordering: Mapping[str, Any] = _NONE,
        names: Mapping[str, str] = _NONE,
        summaries: Mapping[str, str] = _NONE,
        reads: str = "",
        writes: str = "",
    ) -> None:
        """Declare the operations.

        `singular` and `plural`: the wrapper of one record and of a list. `id`: the name of the path parameter.
        `find(tx, id)`: how one record is found, if not by its id alone. `where` and `ordering`: which records are
        listed, and how. `names` and `summaries`: of single operations ("list", "show", ...), if not the usual ones.
        """
        if (create or change) and request is None:
            raise ValueError(f"{path}: give the type of the request, because records can be written")
        self.conventions = conventions
        self.record = record
        self.singular = singular
        self.plural = plural or f"{singular}s"
        self.shape = shape
        self.response = response
        self.where = where
        self.ordering = dict(ordering)
        self.find = find or self._get
        self._product = product
        self._path = path
        self._names = names
        self._summaries = summaries
        self._roles = (reads or conventions.reads, writes or conventions.writes)
        self._id = id or f"{singular}_id"
        if responses is not None:
            self._declare_list(responses)
        self._declare_show()
        if create is not None:
            self._declare_create(create, request)
        if change is not None:
            self._declare_update(change, request)
        if remove is not None:
            self._declare_delete(remove)

    def _get(self, tx: Tx, id: Any) -> R:
        return tx.get(self.record, id)

    def _shown(self, tx: Tx, one: R) -> Any:
        return self.response(self.shape(tx, one))

    # --- the operations

    def _declare_list(self, responses: type[msgspec.Struct]) -> None:
        def listed(tx: Tx, page: Any) -> Any:
            found, around = self.conventions.list_page(tx, page, self.record, self.where, **self.ordering)
            return responses(**{self.plural: [self.shape(tx, one) for one in found]}, **around)

        self._declare("list", "GET", self._path, listed, responses, page=self.conventions.page)

    def _declare_show(self) -> None:
        def show(tx: Tx, **given: Any) -> Any:
            return self._shown(tx, self.find(tx, given[self._id]))

        self._declare("show", "GET", self._one, show, self.response, **self._key)

    def _declare_create(self, create: Callable[[Tx, Any, Any], R], request: Any) -> None:
        def created(tx: Tx, me: Any, body: Any) -> Any:
            made = create(tx, me, self._asked(body))
            self.conventions.located(tx, f"{self._path}/{made.id}")
            return self._shown(tx, made)

        types = {"me": Annotated[Any, Caller()], "body": request}
        self._declare("create", "POST", self._path, created, self.response, create, **types)

    def _declare_update(self, change: Callable[[Tx, Any, R, Any], R], request: Any) -> None:
        def updated(tx: Tx, me: Any, body: Any, **given: Any) -> Any:
            record = self.find(tx, given[self._id])
            return self._shown(tx, change(tx, me, record, self._asked(body)))

        types = {**self._key, "me": Annotated[Any, Caller()], "body": request}
        self._declare("update", self.conventions.update, self._one, updated, self.response, change, **types)

    def _declare_delete(self, remove: Callable[[Tx, Any, R], None]) -> None:
        def deleted(tx: Tx, me: Any, **given: Any) -> None:
            remove(tx, me, self.find(tx, given[self._id]))

        types = {**self._key, "me": Annotated[Any, Caller()]}
        self._declare("delete", "DELETE", self._one, deleted, None, None, **types)

    def _asked(self, body: Any) -> Any:
        return self.conventions.part(getattr(body, self.singular), self.singular)

    @property
    def _one(self) -> str:
        return f"{self._path}/{{{self._id}}}"

    @property
    def _key(self) -> dict[str, Any]:
        return {self._id: str if table_of(self.record).text_key else int}

    def _declare(
        self,
        verb: str,
        method: str,
        path: str,
        handler: Callable[..., Any],
        answers: Any,
        rule: Callable[..., Any] | None = None,
        **types: Any,
    ) -> None:
        """Declare one operation; its summary is the rule's first line, if it has a rule of its own."""
        name = self.plural if verb == "list" else self.singular
        words = name.replace("_", " ") if verb == "list" else _a(name.replace("_", " "))
        told = inspect.getdoc(rule) if rule is not None else None
        handler.__name__ = self._names.get(verb) or f"{verb}_{name}"
        handler.__doc__ = self._summaries.get(verb) or told or f"{verb.capitalize()} {words}."
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        handler.__signature__ = inspect.Signature(  # type: ignore[attr-defined] # read by inspect.signature
            [inspect.Parameter(each, kind) for each in ("tx", *types)], return_annotation=answers
        )
        handler.__annotations__ = {"tx": Tx, **types, "return": answers}
        options: dict[str, Any] = {"role": self._roles[verb not in ("list", "show")]}
        if verb == "create":
            options["status"] = self.conventions.created
        self._product.operation(method, path, **options)(handler)


def _a(words: str) -> str:
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
