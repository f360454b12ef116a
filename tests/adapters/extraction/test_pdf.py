"""PDFs: pages that can be quoted, and named failures (FIELD_CASES P3, P5)."""

import pytest

from lazyboy_jupyter.adapters.sources.documents import Failure
from lazyboy_jupyter.adapters.sources.extraction.job import extract
from lazyboy_jupyter.adapters.sources.extraction.page import PageText
from lazyboy_jupyter.adapters.sources.extraction.pdf import PdfText, pdf_to_text
from lazyboy_jupyter.adapters.sources.extraction.pdf_layout import Line, paragraphs
from tests.adapters.extraction.pdfs import Words, paragraph, pdf

LINES = [
    "The tide rises twice a day and falls twice a day, as the moon goes",
    "round the earth. Fishermen leave the harbour with the tide; the mea-",
    "surements of a year show how much the level of the water differs.",
]
WHOLE = (
    "The tide rises twice a day and falls twice a day, as the moon goes round the earth. Fishermen "
    "leave the harbour with the tide; the measurements of a year show how much the level of the "
    "water differs."
)
ENCRYPTED = (
    b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O <" + b"AB" * 32 + b"> /U <" + b"CD" * 32
    + b"> >> /ID [<00><00>]"
)  # fmt: skip


def read(data: bytes, *, truncated: bool = False) -> PdfText:
    found = pdf_to_text(data, truncated=truncated)
    assert isinstance(found, PdfText)
    return found


def failure(data: bytes, *, truncated: bool = False) -> Failure:
    found = pdf_to_text(data, truncated=truncated)
    assert isinstance(found, Failure)
    assert found.kind == "unreadable"
    return found


def test_pages_are_marked_and_their_lines_are_paragraphs() -> None:
    found = read(pdf([paragraph(LINES), paragraph(["A second page."])], title="On tides"))
    assert found.title == "On tides"
    assert found.text == f"[page 1]\n\n{WHOLE}\n\n[page 2]\n\nA second page."
    assert found.note == ""


@pytest.mark.parametrize("title", ["", "untitled", "Microsoft Word - tides.docx", "tides.indd"])
def test_a_title_that_is_none_is_replaced_by_the_largest_lines(title: str) -> None:
    page = [
        Words("Journal of Shores, volume 3", y=780, size=9),
        Words("On the tides of", y=740, size=20),
        Words("northern harbours", y=716, size=20),
        *paragraph(LINES, y=680),
    ]
    assert read(pdf([page], title=title)).title == "On the tides of northern harbours"


def test_headings_lists_and_short_lines_keep_their_own_lines() -> None:
    page = [
        Words("2. Method", y=760, size=14, font="F2"),
        *paragraph(LINES, y=730),
        *paragraph(
            ["• a gauge in the harbour, which has been read every hour since the", "  year 1850"],
            y=670,
        ),
        *paragraph(["• a second gauge"], y=643.6),
        *paragraph(["Name: Anna", "Place: Kiel", "Year: 1850"], y=600),
    ]  # fmt: skip
    text = read(pdf([page])).text
    assert text.split("\n\n")[1:] == [
        "2. Method",
        WHOLE,
        "• a gauge in the harbour, which has been read every hour since the year 1850",
        "• a second gauge",
        "Name: Anna",
        "Place: Kiel",
        "Year: 1850",
    ]


def test_two_columns_are_read_one_after_the_other() -> None:
    left = paragraph(["The tide rises twice a day and", "falls twice a day, as the moon"])
    right = paragraph(["goes round the earth once in", "some twenty-five hours."], x=320)
    text = read(pdf([[*left, *right]])).text
    assert "falls twice a day, as the moon goes round the earth once in some twenty-five" in text


def test_a_pdf_is_known_by_its_bytes_whatever_it_is_called() -> None:
    data = pdf([paragraph(LINES)])
    for header, url in (
        ("application/octet-stream", "https://site.example/download?id=1"),
        ("text/html", "https://site.example/page.html"),
        ("", ""),
    ):
        found = extract(b"\r\n" + data, header, url, False)
        assert isinstance(found, PageText)
        assert (found.kind, found.charset) == ("pdf", None)
        assert WHOLE in found.text


def test_a_protected_pdf_says_so() -> None:
    found = failure(pdf([paragraph(LINES)], extra=ENCRYPTED))
    assert "password" in found.sentence


def test_a_scan_says_that_it_holds_no_text() -> None:
    assert "no text" in failure(pdf([[], []])).sentence
    assert "scanned" in failure(pdf([[]])).sentence


def test_a_partly_scanned_pdf_says_what_is_missing() -> None:
    found = read(pdf([paragraph(LINES), [], []]))
    assert found.note == "2 of 3 pages hold no text; they may be scanned."


def test_a_damaged_pdf_says_so() -> None:
    assert "damaged" in failure(b"%PDF-1.7\nnothing").sentence
    assert "damaged" in failure(b"%PDF-1.7\n1 0 obj\n<<").sentence


def test_a_pdf_that_was_cut_off_gives_what_can_be_read() -> None:
    data = pdf([paragraph(LINES) for _ in range(20)])
    whole = read(data, truncated=True)
    assert "cut off" in whole.note
    cut = pdf_to_text(data[: len(data) * 2 // 3], truncated=True)
    if isinstance(cut, PdfText):
        assert WHOLE in cut.text
        assert cut.note
    else:
        assert cut.kind == "unreadable"
        assert "longer than" in cut.sentence


def test_one_broken_page_does_not_cost_the_others() -> None:
    data = pdf([paragraph(LINES), paragraph(["Second page."]), paragraph(["Third page."])])
    broken = data.replace(b"8 0 obj\n<< /Type /Page ", b"8 0 obj\n<< /Type /Pxge ", 1)
    text = read(broken).text
    assert WHOLE in text
    assert "Third page." in text


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("the mea-", "surement of", "the measurement of"),
        ("a well-", "known place, well-known it is", "a well-known place, well-known it is"),
        ("the North-", "South line", "the North-South line"),
        ("pages 10-", "12 of it", "pages 10- 12 of it"),
        ("the soft\u00ad", "ness of", "the softness of"),
        ("潮汐每天", "涨落两次", "潮汐每天涨落两次"),
        ("one word", "and another", "one word and another"),
    ],
)  # fmt: skip
def test_how_lines_are_joined(first: str, second: str, joined: str) -> None:
    assert paragraphs([Line(first), Line(second)]) == [joined]


def test_no_lines_make_no_paragraphs() -> None:
    assert paragraphs([]) == []
