"""The Markdown of probing policies, and which fixed answers count as one."""

from diorama.check.mutations.asks import Ask
from diorama.check.mutations.page import policy_card, policy_section
from diorama.check.mutations.probes import Probe
from diorama.check.mutations.templates import Template

FIXED = Probe(
    policy="best_fixed_answer",
    scenario="zendesk/x",
    n=60,
    solved=6,
    share=0.1,
    mean_reward=0.1,
    limit=0.05,
    says="One answer",
)
BLIND = Probe(policy="sees_both", scenario="zendesk/x", n=60, solved=30, share=0.5, mean_reward=0.4, says="Looks")


def test_a_share_above_its_limit_is_bold() -> None:
    text = policy_section({"zendesk/x": [FIXED, BLIND]}, 300, 60)
    assert "`best_fixed_answer` (at most 5 %)" in text
    assert "| `zendesk/x` | **10 %** | 50 % |" in text


def test_a_card_says_what_each_policy_does() -> None:
    assert "| `best_fixed_answer` | 6 of 60 | 5 % | One answer |" in policy_card([FIXED, BLIND])


def test_answers_that_differ_in_words_or_numbering_only_are_one() -> None:
    def answer(words: str, slots: tuple[str, ...], status: str = "solved") -> Template:
        number = slots.index("case")
        reply = {"ticket": {"status": status, "comment": {"body": words}, "field": f"[[{number}]]"}}
        ask = Ask(app="zendesk", method="PUT", path="/api/v2/tickets/1.json", body=reply)
        return Template("plan", (ask,), tuple(((name,), "text") for name in slots))

    one = answer("Hello", ("case",))
    assert one.deeds == answer("Good morning [[0]]", ("orders", "case")).deeds
    assert one.deeds != answer("Hello", ("case",), status="open").deeds
    assert answer("Hello", ("orders", "case")).places == {"orders", "case"}
