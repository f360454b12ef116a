import pytest

from lazyboy_jupyter.adapters.sources.extraction.refresh import refresh_target

HERE = "http://a.example/docs/"


@pytest.mark.parametrize(
    ("tag", "target"),
    [
        ("<meta http-equiv='refresh' content='0; url=stable/'>", HERE + "stable/"),
        (
            "<META CONTENT=\"0;URL='/x?a=1&amp;b=2'\" HTTP-EQUIV=Refresh>",
            "http://a.example/x?a=1&b=2",
        ),
        ("<meta http-equiv=refresh content=3,http://b.example/>", "http://b.example/"),
        ("<meta http-equiv='refresh' content='600; url=/x'>", ""),
        ("<meta http-equiv='refresh' content='5'>", ""),
        ("<meta http-equiv='refresh' content='0; url=#top'>", ""),
        ("<noscript><meta http-equiv='refresh' content='0; url=/nojs'></noscript>", ""),
        ("<!-- <meta http-equiv='refresh' content='0; url=/old'> -->", ""),
        ("<meta name='refresh' content='0; url=/x'>", ""),
        ("<meta http-equiv='refresh' content='0; url=http://[bad'>", ""),
    ],
)
def test_where_a_page_sends_on_to(tag: str, target: str) -> None:
    assert refresh_target(f"<html><head>{tag}</head><body>Moved</body></html>", HERE) == target
