"""A guide as a file."""

import json
import re
from dataclasses import replace

from hypothesis import given

from lazyboy_jupyter.core.exports import EXPORTS, MEDIA, file_name
from lazyboy_jupyter.core.guide import guide_of
from tests.core.test_card import WHOLE
from tests.core.test_render import FIRST, SOURCES
from tests.core.test_sanitise import EVIL

ENTRY = re.compile(r"@misc\{([a-z0-9-]+),\n((?:  [a-z]+ = \{.*\},?\n)+)\}\n")


def test_each_form_has_a_media_type_and_holds_the_guide() -> None:
    assert EXPORTS.keys() == MEDIA.keys()
    for kind, write in EXPORTS.items():
        assert "Gates" in write(WHOLE), kind
    assert json.loads(EXPORTS["json"](WHOLE))["guide"]["unknowns"] == ["Effects upstream"]
    assert file_name(WHOLE, "md") == "guide-1234abcd.md"


def test_sources_as_bibtex() -> None:
    written = EXPORTS["bib"](WHOLE)
    assert written == (
        "@misc{a-example-gates,\n"
        "  title = {{Gates}},\n"
        "  howpublished = {a.example},\n"
        "  url = {https://a.example/x},\n"
        "  note = {read in full}\n"
        "}\n"
        "\n"
        "@misc{b-example-costs,\n"
        "  title = {{Costs}},\n"
        "  howpublished = {b.example},\n"
        "  url = {https://b.example/},\n"
        "  note = {listed by a search, not read}\n"
        "}\n"
    )


def test_two_sources_with_one_title_have_two_keys() -> None:
    twins = (SOURCES[0], replace(SOURCES[1], url="https://a.example/y", title="Gates"))
    guide = guide_of("Q?", (FIRST,), twins)
    keys = [key for key, _ in ENTRY.findall(EXPORTS["bib"](replace(WHOLE, guide=guide)))]
    assert keys == ["a-example-gates", "a-example-gates-2"]


@given(EVIL, EVIL)
def test_no_title_or_address_breaks_out_of_its_field(title: str, url: str) -> None:
    evil = tuple(replace(source, title=title, url=url or "x:y") for source in SOURCES)
    written = EXPORTS["bib"](replace(WHOLE, guide=guide_of("Q?", (FIRST,), evil)))
    entries = ENTRY.findall(written)
    assert len(entries) == 2
    for _, fields in entries:
        bare = re.sub(r"\\[{}]", "", fields)
        for line in bare.strip().split("\n"):
            assert line.count("{") == line.count("}")
