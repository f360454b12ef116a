from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.errors import UsageError
from lazyboy_jupyter.notebook.arguments import ResearchOptions, parse_research, with_variables


@pytest.mark.parametrize(
    ("line", "options", "text"),
    [
        ("", {}, ""),
        ("What's \"this\" -- and --that?", {}, "What's \"this\" -- and --that?"),
        ("--pages 3 How  is   it?", {"pages": 3}, "How  is   it?"),
        ("--pages=3 -w Q", {"pages": 3, "wait": True}, "Q"),
        ("-s pydoc -s 'folder:my docs' Q", {"search": ("pydoc", "folder:my docs")}, "Q"),
        ('--name "first one" Q', {"name": "first one"}, "Q"),
        ("--time 1.5 --searches 1 --gaps 0 --max-tokens 9 Q",
         {"time": 1.5, "searches": 1, "gaps": 0, "max_tokens": 9}, "Q"),
        ("-m extractive Q --pages 3", {"model": "extractive"}, "Q --pages 3"),
        ("--debug", {"debug": True}, ""),
        ("--pages -3 Q", {"pages": -3}, "Q"),
    ],
)  # fmt: skip
def test_options_come_first_and_the_rest_is_taken_as_typed(
    line: str, options: dict[str, Any], text: str
) -> None:
    assert parse_research(line) == (ResearchOptions(**options), text)


@pytest.mark.parametrize(
    ("line", "sentence", "hint"),
    [
        ("--page 3 Q", "There is no option --page.", "Did you mean --pages?"),
        ("--zzz Q", "There is no option --zzz.", "Options are -m, --model"),
        ("--pages three", "Argument --pages: 'three' is not a whole number.", "%research?"),
        ("--time soon", "Argument --time: 'soon' is not a number.", "%research?"),
        ("--pages", "Argument --pages: expected one argument.", "%research?"),
    ],
)
def test_a_mistake_is_one_sentence_with_the_next_step(line: str, sentence: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_research(line)
    assert caught.value.sentence == sentence
    assert hint in caught.value.hint


@given(st.text())
def test_any_line_is_read_or_refused_with_a_sentence(line: str) -> None:
    try:
        _, text = parse_research(line)
    except UsageError:
        return
    assert text in line


class Loud:
    def __format__(self, spec: str) -> str:
        raise RuntimeError("no")


VARIABLES = {"city": "Hamburg", "n": 3.14159, "df": SimpleNamespace(shape=(7, 2)), "x": Loud()}


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("In {city}?", "In Hamburg?"),
        ("In $city?", "In Hamburg?"),
        ("{n:.2f} of {df.shape[0]}", "3.14 of 7"),
        ("{city!r}", "'Hamburg'"),
        ("{unknown} $unknown {} {0} {{city}} {1+1}", "{unknown} $unknown {} {0} {Hamburg} {1+1}"),
        ("{city.nothing} {df.shape[9]} {n:q}", "{city.nothing} {df.shape[9]} {n:q}"),
        ("{x}", "{x}"),
        ("100 % and {'a': 1}", "100 % and {'a': 1}"),
    ],
)
def test_variables(text: str, expanded: str) -> None:
    assert with_variables(text, VARIABLES) == expanded


@given(st.text())
def test_text_without_variables_stays(text: str) -> None:
    assert with_variables(text, {}) == text
