"""The parts of a scenario: a staged situation, a brief, reward parts, an oracle and cheats."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

import msgspec

from diorama import rewards
from diorama.kernel import FATE, Actor, Change, Dice, Reply, Tx, World
from diorama.kernel.sources import SourceCache
from diorama.kit.damage import Cell
from diorama.kit.deeds import Owed
from diorama.kit.discovery import Catalogue, WrongDeclaration, collect
from diorama.rewards.parts import PHASES, Fact, Harm, Look, Quality, View, parts_of
from diorama.worlds import company_of

T = TypeVar("T", bound=msgspec.Struct)
X = TypeVar("X")
EVAL_SHARE = 5
"""One entity out of this many belongs to the eval split; the two pools never overlap."""
SPLITS = ("train", "eval", "eval-new")
"""`eval` has the plans of `train` with other people; `eval-new` has plans of its own, with the people of `eval`."""

PROTECTED = frozenset({"identity", "access", "evidence", "configuration", "voice"})
"""Kinds of changes that a task covers only if it asks for them."""
_CHEAT = "__cheat__"
MISTAKES_SHOWN = 5
"""How many mistakes of a declaration its error names."""


class Seen(Protocol):
    """The observation that a tool call returns."""

    @property
    def text(self) -> str: ...
    @property
    def data(self) -> Any: ...
    @property
    def is_error(self) -> bool: ...
    @property
    def ended(self) -> bool: ...


class Acting(Protocol):
    """Anything that can call tools and send requests: an agent interface, or an episode."""

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Seen: ...
    def http(
        self,
        app: str,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        *,
        seat: str = "",
        credential: str = "",
    ) -> Reply: ...


class Hands(Acting, Protocol):
    """The agent interface: everything that an agent, an oracle or a cheat can do."""

    @property
    def brief(self) -> str: ...
    @property
    def tools(self) -> list[dict[str, Any]]: ...
    @property
    def seats(self) -> tuple[str, ...]: ...
    @property
    def ended(self) -> bool: ...


class Planned(Protocol):
    """A plan that may belong to one split only."""

    @property
    def split(self) -> str: ...


Q = TypeVar("Q", bound=Planned)


class Stage:
    """Where a scenario is staged: its own world, dice for the variant, and pools split into train and eval."""

    def __init__(self, world: World, scenario: str, seed: int, split: str) -> None:
        self.world = world
        self.seed = seed
        self.split = split
        self.dice = dice_of(scenario, seed, split)
        self._before = world.fork()

    @property
    def now(self) -> datetime:
        """The world's current time."""
        return self.world.now

    def do(self, function: Callable[..., X], actor: Actor | str, *args: Any, **named: Any) -> X:
        """Run function(tx, ...) as an actor."""
        return self.world.do(function, actor, *args, boundary="reset", **named)

    def meanwhile(self, function: Callable[..., X], actor: Actor | str, *args: Any, **named: Any) -> X:
        """Run a function that is not part of the story: settlement does not wait for its consequences."""
        return self.world.do(function, actor, *args, boundary="reset", rooted=False, **named)

    def read(self, function: Callable[..., X], *args: Any) -> X:
        """Read the state."""
        return self.world.read(function, *args, boundary="reset")

    def known(self, look: Callable[..., X], *args: Any) -> X:
        """Return something that the world held before staging; cached per image, because an image never changes."""
        remembered = self.world.pages.image.known
        key = (look.__module__, look.__qualname__, args)  # so it must be a named function
        if key not in remembered:
            remembered[key] = self._before.read(look, *args, boundary="reset")
        return remembered[key]  # type: ignore[no-any-return] # what look(tx, *args) gave

    def plan(self, delay: timedelta, command: Callable[..., Any], **args: Any) -> None:
        """Schedule a command. Events record the name of this method."""
        self.do(lambda tx: tx.later(delay, command, **args), FATE)

    def wait(self, delay: timedelta) -> None:
        """Let time pass before the agent starts."""
        self.world.wait(delay)

    def schedule_fault(
        self, app: str, kind: str, *, after: timedelta, lasts: timedelta, operations: Sequence[str] = (), **args: Any
    ) -> None:
        """Schedule an outage, slowness, a rate limit or failing operations."""
        self.do(lambda tx: tx.fault(app, kind, after, lasts, ",".join(operations) or "*", **args), FATE)

    @property
    def pool(self) -> str:
        """The pool that people and things of this split come from: train or eval."""
        return "train" if self.split == "train" else "eval"

    def plan_of(self, plans: Sequence[Q]) -> Q:
        """Draw one of this split's plans: `eval-new` has those that name it, every other split the rest."""
        return drawn_plan(self.dice, plans, self.split)

    def own(self, items: Sequence[X], key: Callable[[X], Any] = lambda item: item) -> list[X]:
        """Return the items that belong to this split."""
        return [item for item in items if split_of(key(item)) == self.pool]

    def pick(self, items: Sequence[X], key: Callable[[X], Any] = lambda item: item) -> X:
        """Pick one of this split's items."""
        pool = self.own(items, key)
        if not pool:
            raise LookupError(f"no candidate of the {self.split} split among {len(items)}")
        return self.dice.pick(pool)


def dice_of(scenario: str, seed: int, split: str) -> Dice:
    """Return the dice of a variant."""
    return Dice(f"{scenario}/{split}/{seed}")


def plans_of(plans: Sequence[Q], split: str) -> list[Q]:
    """Return the plans of a split: `eval-new` has those that name it, every other split the rest."""
    new = "eval-new"
    return [plan for plan in plans if plan.split == (new if split == new else "")]


def drawn_plan(dice: Dice, plans: Sequence[Q], split: str) -> Q:
    """Return the plan of a split that these dice draw."""
    own = plans_of(plans, split)
    if not own:
        raise LookupError(f"no plan of the {split} split among {len(plans)}")
    return dice.child("plan").pick(own)


def split_of(key: Any) -> str:
    """Return the pool of an entity, train or eval; it never changes."""
    return "eval" if sha256(repr(key).encode()).digest()[0] % EVAL_SHARE == 0 else "train"


class AllowedSeat(msgspec.Struct, frozen=True):
    """Credentials that an episode may be started with: the person, the kinds (all if empty) and the apps.

    An empty person is the agent's own; `Scenario.seat_person` may choose the person from the truth instead.
    """

    person: str = ""
    kinds: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()


AGENT_SEAT = "agent"


def change_of(cell: Cell) -> Change:
    """Return a changed value as a change of its row."""
    before = None if cell.op == "insert" else {cell.column: cell.before} if cell.column else dict(cell.row)
    after = None if cell.op == "delete" else {cell.column: cell.after} if cell.op == "update" else dict(cell.row)
    return Change(cell.table, cell.key, cell.op, before, after)


def cheat(function: Callable[..., None]) -> Callable[..., None]:
    """Declare a cheat: a way to act that must not earn a high reward."""
    setattr(function, _CHEAT, True)
    return function


class Scenario(Generic[T]):
    """A situation with a hidden truth. Subclasses state facts; the instance holds no state."""

    name: ClassVar[str]
    world: ClassVar[str]
    size: ClassVar[str] = "small"
    apps: ClassVar[tuple[str, ...]]
    person: ClassVar[str]
    turns: ClassVar[int] = 40
    settles: ClassVar[Literal["rest", "horizon"]] = "rest"
    """How the world runs after the end: `rest` runs only work that this episode caused, `horizon` runs everything."""
    hours: ClassVar[float] = 72.0
    horizon_hours: ClassVar[float] = 96.0
    think_seconds: ClassVar[float] = 20.0
    """What each turn costs in world time besides its operation, through every door; nothing under a paced clock."""
    phases: ClassVar[tuple[str, ...]] = PHASES
    tags: ClassVar[tuple[str, ...]] = ()
    truth: ClassVar[type[msgspec.Struct]]
    asks_for: ClassVar[frozenset[str]] = frozenset()
    """Protected columns, as `table.column` (`table.` for the row), that the task asks to change in allowed rows."""
    seats: ClassVar[Mapping[str, AllowedSeat]] = {AGENT_SEAT: AllowedSeat()}
    """The seats that may be requested when an episode starts, by name."""

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that this scenario has variants in."""
        return SPLITS[:2]

    def mistakes(self) -> Iterable[str]:
        """Return what is wrong with the declaration, one sentence each; such a scenario is not loaded."""
        return ()

    def stage(self, stage: Stage) -> T:
        """Stage the situation and return its hidden truth; its `plan` names the kind of variant."""
        raise NotImplementedError

    def brief(self, truth: T) -> str:
        """The task text for the agent."""
        raise NotImplementedError

    def oracle(self, hands: Hands, truth: T) -> None:
        """Solve the task correctly, in every variant."""
        raise NotImplementedError

    def seat_person(self, name: str, truth: T) -> str:
        """Return the person of a seat; override it for people that staging chooses, such as the customer."""
        return self.seats[name].person or self.person

    def allowed(self, tx: Tx, truth: T, change: Change) -> bool:
        """Check whether the task allows a change of this row; scenarios that say what they cover do not need it."""
        raise NotImplementedError

    def covers(self, tx: Tx, truth: T, cell: Cell) -> bool:
        """Check whether the task covers a changed value; what it does not cover is damage.

        By default it covers the rows that are allowed, but never identity, access, evidence, configuration or another
        person's voice: a task that asks for such a change names it in `asks_for`.
        """
        if cell.kind in PROTECTED and f"{cell.table}.{cell.column}" not in self.asks_for:
            return False
        return self.allowed(tx, truth, change_of(cell))

    def owed(self, truth: T) -> Sequence[Owed]:
        """Return the deeds that the task needs; what they change is covered, each once. By default `truth.owed`."""
        return getattr(truth, "owed", ())

    def committed(self, view: View, truth: T) -> bool:
        """Check whether the agent has committed itself now: what can be taken back is booked then and at the end."""
        return False

    def committed_values(self, view: View, truth: T) -> Mapping[str, Sequence[Any]]:
        """Return the values that were committed to each field, in order; a third one loses success."""
        return {}

    def facts_for(self, truth: T) -> Sequence[Fact]:
        """Return the facts of a variant; override it to derive facts from the truth."""
        return self.facts

    def looks_for(self, truth: T) -> Sequence[Look]:
        """Return the looks of a variant; override it to derive looks from the truth."""
        return self.looks

    # --- derived from the declaration

    @cached_property
    def story(self) -> str:
        """The description of the scenario, from its docstring."""
        return inspect.getdoc(type(self)) or ""

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that must become true."""
        return tuple(part for part in parts_of(type(self)) if isinstance(part, Fact))

    @cached_property
    def looks(self) -> tuple[Look, ...]:
        """What a good agent looks at."""
        return tuple(part for part in parts_of(type(self)) if isinstance(part, Look))

    @cached_property
    def harms(self) -> tuple[Harm, ...]:
        """The harms that must not be done."""
        return tuple(part for part in parts_of(type(self)) if isinstance(part, Harm))

    @cached_property
    def qualities(self) -> tuple[Quality, ...]:
        """The qualities of a successful outcome."""
        return tuple(part for part in parts_of(type(self)) if isinstance(part, Quality))

    @cached_property
    def cheats(self) -> dict[str, Callable[[Hands, T], None]]:
        """The cheats by name."""
        names = [
            name
            for cls in reversed(type(self).__mro__)
            for name, value in vars(cls).items()
            if getattr(value, _CHEAT, False)
        ]
        return {name: getattr(self, name) for name in dict.fromkeys(names)}

    @cached_property
    def version(self) -> str:
        """A digest of what decides the reward: the code of this scenario and of the rewards package.

        Docstrings and comments do not count, so a version survives edits of them; `wording` covers the docstrings.
        """
        known = SourceCache()
        digest = sha256(sys.implementation.cache_tag.encode())  # syntax trees differ between Pythons
        for path in [*_sources(type(self)), *sorted(Path(next(iter(rewards.__path__))).rglob("*.py"))]:
            digest.update(f"{path.name} {known.digest(str(path))}\n".encode())
        known.save()
        return digest.hexdigest()[:16]

    @cached_property
    def wording(self) -> str:
        """A digest of the docstrings in the same code: a score repeats those of facts."""
        known = SourceCache()
        digest = sha256()
        for path in [*_sources(type(self)), *sorted(Path(next(iter(rewards.__path__))).rglob("*.py"))]:
            digest.update(f"{path.name} {known.wording(str(path))}\n".encode())
        known.save()
        return digest.hexdigest()[:16]


def _sources(owner: type[Any]) -> list[Path]:
    """Return the files that a scenario is written in, inherited and borrowed code included; a package counts whole."""
    own = owner.__module__.partition(".")[0]
    found: dict[Path, None] = {}
    known: set[str] = set()
    todo = [cls.__module__ for cls in owner.__mro__]
    while todo:
        name = todo.pop(0)
        module = sys.modules.get(name)
        if name in known or module is None or not _decides(name, own):
            continue
        known.add(name)
        path = Path(str(module.__file__))
        found.update(dict.fromkeys(sorted(path.parent.glob("*.py")) if path.name == "__init__.py" else [path]))
        todo += sorted(part for part in sys.modules if part.startswith(f"{name}."))
        todo += sorted({_origin_module(value) for value in vars(module).values()})
    return list(found)


def _decides(name: str, own: str) -> bool:
    """Return whether a module counts for scenarios of the package `own`: apps and worlds belong to the image."""
    top, _, rest = name.partition(".")
    if top == "diorama":
        return name.startswith("diorama.scenarios.")
    return top == own and rest.partition(".")[0] not in ("apps", "worlds")


def _origin_module(value: object) -> str:
    """Return the module that a borrowed thing comes from; "" for plain values."""
    where = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", "")
    return where if isinstance(where, str) else ""


SCENARIOS: dict[str, Scenario[Any]] = {}
"""Every registered scenario by name."""


def scenario(name: str) -> Callable[[type[Scenario[Any]]], type[Scenario[Any]]]:
    """Register a scenario under its name, in the form `app/story`."""

    def declare(cls: type[Scenario[Any]]) -> type[Scenario[Any]]:
        first = SCENARIOS.get(name)
        if first is not None:
            places = (sys.modules[one.__module__].__file__ for one in (type(first), cls))
            raise WrongDeclaration(f"two scenarios are named {name}: {' and '.join(map(str, places))}")
        missing = [fact for fact in _declarations(cls) if fact != "name" and not hasattr(cls, fact)]
        if missing:
            raise WrongDeclaration(f"the scenario {name} does not say its {', '.join(missing)}")
        cls.name = name
        SCENARIOS[name] = cls()
        return cls

    return declare


def _declarations(cls: type[Any]) -> Iterator[str]:
    """Yield what a scenario and the classes above it declare: the class attributes, with a value or without."""
    for kind in reversed(cls.__mro__):
        yield from (name for name, said in inspect.get_annotations(kind).items() if "ClassVar" in str(said))


@cache
def catalogue() -> Catalogue[Scenario[Any]]:
    """Load every scenario: import all modules in which scenarios are declared."""
    return collect("scenario", _declared, _withdraw)


def _declared(module: ModuleType) -> list[tuple[str, Scenario[Any]]]:
    """Return the scenarios that a module and the modules inside it have registered; check where they take place."""
    found = [(name, one) for name, one in SCENARIOS.items() if _within(type(one).__module__, module.__name__)]
    for name, one in found:
        try:
            company = company_of(one.world)
            for app in one.apps:
                company.app(app)
        except LookupError as error:
            raise WrongDeclaration(f"{name}: {error}") from None
        if wrong := list(one.mistakes()):
            raise WrongDeclaration(f"{name}: {_listed(wrong)}")
    return found


def _listed(wrong: Sequence[str]) -> str:
    """Return the mistakes of a declaration: the first few, and how many further ones there are."""
    if len(wrong) == 1:
        return wrong[0]
    shown = [f"({number}) {one}" for number, one in enumerate(wrong[:MISTAKES_SHOWN], 1)]
    left = len(wrong) - len(shown)
    return f"{len(wrong)} mistakes: {'; '.join(shown)}{f'; and {left} not shown here' if left else ''}"


def _withdraw(module: str) -> None:
    """Forget the scenarios of a module that could not be loaded."""
    for name in [name for name, one in SCENARIOS.items() if _within(type(one).__module__, module)]:
        del SCENARIOS[name]


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def load_all() -> dict[str, Scenario[Any]]:
    """Return every scenario by name."""
    catalogue()
    return dict(sorted(SCENARIOS.items()))


def find(name: str) -> Scenario[Any]:
    """Return the scenario of this name; raise LookupError that says why it is not there."""
    known = load_all()
    if name not in known:
        raise LookupError(catalogue().explain(name))
    return known[name]


__all__ = [
    "AGENT_SEAT",
    "SCENARIOS",
    "SPLITS",
    "AllowedSeat",
    "Hands",
    "Scenario",
    "Seen",
    "Stage",
    "View",
    "catalogue",
    "cheat",
    "find",
    "load_all",
    "scenario",
    "split_of",
]
