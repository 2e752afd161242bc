"""What counts as an answer, and how a wrong one is classed."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverbed_env.seats import Answer, Failure, SeatFailureError, read_answer

ASKED: dict[str, Any] = {"choices": [{"id": 3}, {"id": 12}], "talk": None}
TALKING: dict[str, Any] = {**ASKED, "talk": {"said": [], "most_characters": 10}}


@pytest.mark.parametrize(
    ("words", "choice"),
    [
        ('{"choice": 12}', 12),
        ('{"choice": "12"}', 12),
        ('{"choice": 3, "reason": "why not", "text": 7}', 3),
        ('I could take {"choice": 3}, but no: {"choice": 12}.', 12),
        ('```json\n{"choice": 12}\n```', 12),
        ('{"choice": 3} {not json} {"choice": 12}', 12),
        ('{ and then {"choice": 12}', 12),
        ('{"a": {"choice": 3}, "choice": 12}', 12),
        ('{"choice": 12.0}', 12),
        ('{"choice": 12, "why": "first\nsecond"}', 12),
        ('{"why": ", }", "choice": 12,}', 12),
        ('{"choice": 3} no: {"choice": 12,}', 12),
        ('{"choice": 3,} no: {"choice": 12}', 12),
        (" 12\n", 12),
        (r"I'd say 3, then: $\boxed{12}$", 12),
        ('say "}" {"choice": 12, "why": "a } in a string {"}', 12),
    ],
)
def test_the_last_object_is_the_answer(words: str, choice: int) -> None:
    assert read_answer(words, ASKED) == Answer(choice)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("", Failure.EMPTY),
        (" \n", Failure.EMPTY),
        ("I take 12", Failure.UNPARSABLE),
        ("[12]", Failure.UNPARSABLE),
        ('{"choice": 12', Failure.UNPARSABLE),
        ('{"action": 12}', Failure.UNPARSABLE),
        ('{"choice": 12.5}', Failure.UNPARSABLE),
        ("3 or 12", Failure.UNPARSABLE),
        ("4", Failure.ILLEGAL),
        ('{"choice": true}', Failure.UNPARSABLE),
        ('{"choice": null}', Failure.UNPARSABLE),
        ('{"choice": [12]}', Failure.UNPARSABLE),
        ('{"choice": "dive"}', Failure.UNPARSABLE),
        ('{"choice": "' + "9" * 5000 + '"}', Failure.UNPARSABLE),
        ('{"choice": 4}', Failure.ILLEGAL),
        ('{"choice": -3}', Failure.ILLEGAL),
        ('{"a":' * 5000, Failure.UNPARSABLE),
        ("{" * 5000, Failure.UNPARSABLE),
    ],
)
def test_wrong_answers_have_a_class(words: str, kind: Failure) -> None:
    with pytest.raises(SeatFailureError) as refused:
        read_answer(words, ASKED)
    assert refused.value.kind == kind
    assert len(str(refused.value)) < 200


def test_text_counts_only_where_something_may_be_said() -> None:
    assert read_answer('{"choice": 3, "text": "hello"}', ASKED).text == ""
    assert read_answer('{"choice": 3, "text": "hello"}', TALKING).text == "hello"
    assert read_answer('{"choice": 3, "text": null}', TALKING).text == ""
    for text in ('"hello, hello"', "5"):
        with pytest.raises(SeatFailureError, match='"text"'):
            read_answer(f'{{"choice": 3, "text": {text}}}', TALKING)


@given(st.text(alphabet='{}[]":, \\choie123\n', max_size=80))
def test_no_text_breaks_the_reader(words: str) -> None:
    with contextlib.suppress(SeatFailureError):
        assert read_answer(words, ASKED).choice in (3, 12)


def test_a_number_of_a_list_is_no_id() -> None:
    """ASKED offers the ids 3 and 12, as numbers 1 and 2."""
    assert [read_answer(words, ASKED, numbered=True).choice for words in ('{"choice": 1}', "2")] == [3, 12]
    for wrong in (0, 3, 12, -1):
        with pytest.raises(SeatFailureError, match=f"^{wrong} isn't among the numbers of the choices: 1 to 2$"):
            read_answer(f'{{"choice": {wrong}}}', ASKED, numbered=True)
    with pytest.raises(SeatFailureError, match=r'like \{"choice": 1\}'):
        read_answer("the first", ASKED, numbered=True)
