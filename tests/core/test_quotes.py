import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.core.quotes import facts_missing, find_quote, fold_text

ALPHABET = "abc 1,.\n\t“”‘’–—\u00a0\u00adﬁé中文\u0301\u200bＡ"


@given(st.text(alphabet=ALPHABET, max_size=60), st.data())
def test_what_is_cut_from_a_page_at_word_edges_is_found_there(
    page: str, data: st.DataObject
) -> None:
    words = [match for match in page.split(" ") if fold_text(match).text.strip("\"'")]
    if not words:
        return
    start = data.draw(st.integers(0, len(words) - 1))
    quote = " ".join(words[start : start + data.draw(st.integers(1, 5))])
    if not fold_text(quote).text.strip(" \"'.") or quote.strip(" \n\t\u00a0")[0] in "\u0301\u200b":
        return

    place = find_quote(fold_text(page), quote)

    assert place is not None
    cut = page[place.offset : place.offset + place.length]
    assert fold_text(cut).text.strip(" \"'.") in fold_text(quote).text


@given(st.text(max_size=200))
def test_folding_keeps_a_way_back_for_every_character(text: str) -> None:
    folded = fold_text(text)
    origins = [folded.origin(position) for position in range(len(folded.text))]
    assert origins == sorted(origins)
    assert all(0 <= origin < len(text) for origin in origins)


@given(st.text(max_size=80), st.text(max_size=20))
def test_looking_up_never_raises(page: str, quote: str) -> None:
    find_quote(fold_text(page), quote)
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
        ("ﬂuﬀy", "fluffy", True),
        ("fluffy", "ﬂuﬀy", True),
    ],
)
def test_find_quote(page: str, quote: str, found: bool) -> None:
    assert (find_quote(fold_text(page), quote) is not None) is found


@pytest.mark.parametrize(
    ("claim", "evidence", "missing"),
    [
        ("It grew to 1,200.", "1200 were counted", ()),
        ("It grew to 1.5.", "1,50 was the rate", ()),
        ("It grew to 1 200 000.", "1,200,000 people", ()),
        ("Twelve of them.", "12 in all", ()),
        ("In 1998 and 2001.", "from 1998 on", ("2001",)),
        ("The Port of Rotterdam pays.", "rotterdam's port pays", ()),
        ("They said Berlin pays.", "Hamburg pays", ("Berlin",)),
        ("Berlin pays.", "Hamburg pays", ()),  # a sentence may begin with any word
        ("No facts at all.", "", ()),
        ("one of them", "two of them", ()),
    ],
)
def test_facts_missing(claim: str, evidence: str, missing: tuple[str, ...]) -> None:
    assert facts_missing(claim, evidence) == missing
