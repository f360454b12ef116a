import pytest

from lazyboy_jupyter.adapters.sources.extraction.html import html_to_text

LONG = "The gates of the river barrier were closed four times last winter, more than ever. " * 4


@pytest.mark.parametrize(
    "body",
    [
        f"<table><td><b><article><h1>Gates</h1><p>{LONG}</article></table>",
        f"<table><p>{LONG}</p><tr><td>1</td><td>2</td></tr></table>",
        f"<table>{LONG}<tr><td>1</td><td>2</td></tr></table>",
        f"<table><tbody><tr><td>1</td></tr>{LONG}</tbody></table>",
        f"<table><tbody><td>{LONG}</td></tbody></table>",
        f"<table><tr><td><table><td>{LONG}</td></table></td></tr></table>",
        f"<div><table><form><tr><td>{LONG}</td></tr></form></table></div>",
    ],
)
def test_no_text_of_a_broken_table_is_lost(body: str) -> None:
    _, text = html_to_text(f"<html><body>{body}</body></html>", "http://a.example/")
    assert LONG.strip() in text


def test_stray_cells_are_one_row() -> None:
    _, text = html_to_text("<table><td>a</td><td>b</td><tr><td>c</td><td>d</td></table>", "")
    assert text == "| a | b |\n| --- | --- |\n| c | d |"
