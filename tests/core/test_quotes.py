import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lazyboy_jupyter.core.folding import FoldedText
from lazyboy_jupyter.core.quotes import facts_missing, find_quote

ALPHABET = "abc 1,.[](`*\\|)\n\t“”‘’–—\u00a0\u00adﬁé中文\u0301\u200bＡ"


@example("a\u00ad\u0301")
@example("x a\u200b\u0301 y")
@example("a\u00ad\n\u0301 b")
@given(st.text(alphabet=ALPHABET, max_size=60))
def test_a_whole_page_is_found_in_itself_with_all_its_marks(page: str) -> None:
    folded = FoldedText(page).whole.text
    place = find_quote(FoldedText(page), page)
    if not folded.strip(" \"'."):
        return
    assert place is not None
    assert FoldedText(page[place.offset : place.offset + place.length]).whole.text in folded


@given(st.text(alphabet=ALPHABET, max_size=60), st.data())
def test_what_is_cut_from_a_page_at_word_edges_is_found_there(
    page: str, data: st.DataObject
) -> None:
    words = page.split(" ")
    start = data.draw(st.integers(0, len(words) - 1))
    quote = " ".join(words[start : start + data.draw(st.integers(1, 5))])
    if not FoldedText(quote).text.strip(" \"'.") or quote.strip(" \n\t\u00a0")[0] in "\u0301\u200b":
        return

    place = find_quote(FoldedText(page), quote)

    assert place is not None
    cut = page[place.offset : place.offset + place.length]
    # A place may begin inside a link, whose rest then stands in it: the quote's words are there, in
    # their order.
    rest = iter(FoldedText(cut).text)
    assert all(char in rest for char in FoldedText(quote).text if char.isalnum())


@given(st.text(max_size=200))
def test_folding_keeps_a_way_back_for_every_character(text: str) -> None:
    folded = FoldedText(text).whole
    origins = [folded.span(position)[0] for position in range(len(folded.text))]
    assert origins == sorted(origins)
    assert all(0 <= origin < len(text) for origin in origins)


@given(
    st.text(max_size=60) | st.text(alphabet="\u1112\u1161\u11ab e\u0301\u09c7\u09be한", max_size=30)
)
def test_each_folded_character_comes_from_its_own_original(text: str) -> None:
    """Folding what a character came from gives that character, or one that it is part of."""
    folded = FoldedText(text).whole
    for position, char in enumerate(folded.text):
        start, end = folded.span(position)
        if char != " ":
            assert char in FoldedText(text[start:end]).text


def test_a_word_broken_by_a_soft_hyphen_is_one_word() -> None:
    page = "An exam\u00ad\n   ple of it."
    place = find_quote(FoldedText(page), "example of it")
    assert place is not None
    assert page[place.offset :].startswith("exam")


def test_a_quote_over_a_link_has_its_place_in_the_page() -> None:
    page = "Of old, [the *report*](http://a.example/x?y=1) said `four` gates."
    place = find_quote(FoldedText(page), "report* said four gates")
    assert place is not None
    cut = page[place.offset : place.offset + place.length]
    assert cut == "report*](http://a.example/x?y=1) said `four` gates"


def test_a_long_line_is_found_in_at_its_end() -> None:
    page = "é word " * 50_000 + "the end"
    place = find_quote(FoldedText(page), "word the end")
    assert place is not None
    assert page[place.offset : place.offset + place.length] == "word the end"


LONG = "\n\n".join(
    f"Gate {number} closed, as [report {number}](/r/{number}) said." for number in range(400)
)


@pytest.mark.parametrize("number", range(0, 398, 7))
def test_a_quote_is_found_wherever_in_a_long_page_it_stands(number: int) -> None:
    """Pages are folded in parts: a quote may begin in one and end in the next."""
    quote = f"report {number} said. Gate {number + 1} closed, as report {number + 1} said."
    place = find_quote(FoldedText(LONG), quote)
    assert place is not None
    begins = LONG.index(f"report {number}]")
    assert place.offset == begins
    ends = f"[report {number + 1}](/r/{number + 1}) said."
    assert LONG[begins : begins + place.length].endswith(ends)


def test_no_more_of_a_page_is_folded_than_a_quote_needs() -> None:
    page = FoldedText(LONG)
    find_quote(page, "Gate 3 closed")
    assert not page.part.is_whole
    assert find_quote(page, "Gate 399 closed") is not None
    assert find_quote(page, "Gate 400 closed") is None
    assert page.part == page.whole


def test_what_stands_twice_is_found_where_it_stands_first() -> None:
    page = FoldedText(LONG + "\n\nGate 3 closed")
    find_quote(page, "Gate 399 closed")
    place = find_quote(page, "Gate 3 closed")
    assert place is not None
    assert place.offset == LONG.index("Gate 3 closed")


@given(st.text(max_size=80), st.text(max_size=20))
def test_looking_up_never_raises(page: str, quote: str) -> None:
    find_quote(FoldedText(page), quote)
    facts_missing(quote, page)


@pytest.mark.parametrize(
    ("page", "quote", "found"),
    [
        ("costs 17 percent", "17 percent", True),
        ("costs 117 percent", "17 percent", False),
        ("costs 17 percentage points", "17 percent", False),
        ("版本三十二修复了错误", "三十二修复", True),
        ("ราคา สิบบาท", "สิบ", True),
        ("a", "", False),
        ("a", '""', False),
        ("it’s", "it's", True),
        ("use `open()` here", "use 'open()' here", True),
        ("A non\u2011breaking hyphen", "non-breaking", True),
        ("see [the report](http://a.b/c_(d)) on costs", "see the report on costs", True),
        ("see [the report](http://a.b/c) on costs", "[the report](http://a.b/c) on", True),
        ("see [the report](http://a.b/17) on costs", "17", False),
        ("see [the report](http://a.b/17) on costs", "a.b", False),
        ("the [`lru_cache`](f.html#l) decorator", "the lru_cache decorator", True),
        ("the **bold** word and **kwargs", "the bold word and **kwargs", True),
        ("2**3 is eight", "23 is eight", False),
        ("built in 1998[2](https://a.b/2) and", "built in 1998", True),
        ("stores 45[6](https://a.b/6) million litres", "456 million litres", False),
        ("takes `10**-3` seconds", "10-3 seconds", False),
        ("call f(**options) twice", "f(options)", False),
        ("callbacks[0](event) runs the first", "callbacks[0]", True),
        ("10⁶ cells", "106 cells", False),
        ("10⁶ cells", "10^6 cells", True),
        (
            "word " * 220 + "a [linked text of words](https://a.b/c) here",
            "linked text of words here",
            True,
        ),
        ("word " * 199 + "[two words](https://a.b/c) here", "two words here", True),
        ("| a \\| b | c |", "a | b", True),
        ("[1] and [2] (see there)", "[1] and [2] (see there)", True),
        ("ﬂuﬀy", "fluffy", True),
        ("fluffy", "ﬂuﬀy", True),
    ],
)
def test_find_quote(page: str, quote: str, found: bool) -> None:
    assert (find_quote(FoldedText(page), quote) is not None) is found


@pytest.mark.parametrize(
    ("claim", "evidence", "missing"),
    [
        ("It grew to 1,200.", "1200 were counted", ()),
        ("It grew to 1.5.", "1,5 was the rate", ()),
        ("Since Python 3.1.", "since Python 3.10", ("3.1",)),
        ("It fell to -5 degrees.", "5 degrees", ("-5",)),
        ("From 1998-2020.", "from 1998 to 2020", ()),
        ("It took 1234 s.", "it took 1.234 s", ("1234",)),
        ("Version 3.12.1.", "in 3.12.1", ()),
        ("在2020年增长了。", "2020年", ()),
        ("Это меньше процентов über.", "nichts", ()),
        ("It grew to 1 200 000.", "1,200,000 people", ()),
        ("Twelve of them.", "12 in all", ()),
        ("In 1998 and 2001.", "from 1998 on", ("2001",)),
        ("The Port of Rotterdam pays.", "rotterdam's port pays", ()),
        ("The Port of Bremen pays.", "rotterdam's port pays", ("Bremen",)),
        ("They said Berlin pays.", "Hamburg pays", ("Berlin",)),
        ("Berlin pays.", "Hamburg pays", ()),  # a sentence may begin with any word
        ("No facts at all.", "", ()),
        ("one of them", "two of them", ()),
    ],
)
def test_facts_missing(claim: str, evidence: str, missing: tuple[str, ...]) -> None:
    assert facts_missing(claim, evidence) == missing
