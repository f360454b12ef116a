"""Several texts of one page: each is searched on its own, and a citation knows which it is from."""

from lazyboy_jupyter.core.guide import Source
from lazyboy_jupyter.core.publication import Citation, GuideArgs, Publication, judge
from lazyboy_jupyter.engine.book import SourceBook

START, END = "http://a.example/start", "http://a.example/end"
FETCHED = "Short text of the page as fetched. " * 20
SHOWN = "The browser shows that gates closed four times."


def read(book: SourceBook, url: str, text: str, final_url: str | None = None) -> str:
    source_id = book.id_of(url)
    output_id = book.keep_text(source_id, text).output_id
    book.put(Source(source_id, url, "A", "read", "page", final_url=final_url, output_id=output_id))
    return source_id


def cited(book: SourceBook, source: str, quote: str) -> Citation:
    args = GuideArgs.model_validate(
        {
            "summary": "s",
            "steps": [{"text": "So.", "citations": [{"source": source, "quote": quote}]}],
        }
    )
    publication = judge(args, book.ledger("q"), max_gaps=2)
    assert isinstance(publication, Publication)
    return publication.claims[0].citations[0]


def quoted(book: SourceBook, citation: Citation) -> str:
    """What stands in the citation's output at its offset."""
    output = book.output(citation.output_id or "")
    assert output is not None
    assert citation.offset is not None
    return output.text[citation.offset : citation.offset + len(citation.quote or "")]


def test_an_offset_counts_in_the_text_where_the_quote_was_found() -> None:
    book = SourceBook()
    source = read(book, START, FETCHED)
    read(book, START, SHOWN)
    later, earlier = cited(book, source, "gates closed four times"), cited(book, source, "the page")
    assert (later.output_id, later.offset) == ("O1-2", SHOWN.index("gates"))
    assert earlier.output_id == "O1"
    assert quoted(book, later) == "gates closed four times"
    assert quoted(book, earlier) == "the page"


def test_what_stands_in_several_texts_is_cited_from_the_newest() -> None:
    book = SourceBook()
    source = read(book, START, "First: the gates closed.")
    read(book, START, "The gates closed.")
    assert cited(book, source, "gates closed").output_id == "O1-2"


def test_no_quote_is_put_together_from_two_texts() -> None:
    book = SourceBook()
    source = read(book, START, "The gates")
    read(book, START, "closed.")
    citation = cited(book, source, "The gates closed.")
    assert (citation.state, citation.offset, citation.output_id) == ("not_found", None, None)


def test_two_addresses_of_one_page_prove_with_the_texts_of_both() -> None:
    book = SourceBook()
    end = read(book, END, "Enable more.")
    start = read(book, START, SHOWN, final_url=END)
    for source in (end, start):
        for quote in ("Enable more", "gates closed four times"):
            citation = cited(book, source, quote)
            assert (citation.source, citation.state) == (end, "verbatim")
            assert quoted(book, citation) == quote


def test_addresses_that_lead_to_each_other_are_one_page() -> None:
    book = SourceBook()
    end = read(book, END, "Enable more.")
    start = read(book, START, SHOWN, final_url=END)
    read(book, END, "Now it leads back.", final_url=START)
    named = {
        cited(book, source, quote).source
        for source in (end, start)
        for quote in ("Enable more", "gates closed four times", "leads back")
    }
    assert len(named) == 1


def test_a_text_that_came_after_proves_nothing_in_an_earlier_ledger() -> None:
    book = SourceBook()
    source = read(book, START, FETCHED)
    ledger = book.ledger("q")
    read(book, START, SHOWN)
    assert [text.output_id for text in ledger.texts_of(source)] == ["O1"]


def test_a_text_that_is_there_is_found_again() -> None:
    book = SourceBook()
    source = read(book, START, FETCHED)
    other = read(book, END, SHOWN)
    known = book.output_of(source, FETCHED)
    assert known is not None
    assert known.output_id == "O1"
    assert book.output_of(other, FETCHED) is None
