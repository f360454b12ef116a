"""Pages of every kind to Markdown: what is kept, how it is written."""

import pytest

from lazyboy_jupyter.adapters.sources.extraction.html import html_to_text
from tests.adapters.extraction.pages import PARAGRAPH, page, stored

URL = "https://site.example/guide/page.html"


def text_of(html: str, url: str = URL) -> str:
    return html_to_text(html, url)[1]


def test_an_api_reference_keeps_signatures_code_and_tables() -> None:
    title, text = html_to_text(stored("api_reference"), URL)
    assert title == "Queues"
    assert "class workbench.Queue(maxsize=0)\n\n: A first in, first out queue." in text
    assert (
        "    ```python3\n    async def work(queue):\n        while True:\n"
        "            item = await queue.get()\n\n            queue.task_done()\n    ```" in text
    )
    assert "| Option | Default | Meaning |\n| --- | --- | --- |\n| `maxsize` | 0 |" in text
    assert "[how long](https://site.example/guide/time.html) to wait" in text
    assert "put_nowait(item)" in text
    assert "¶" not in text
    assert "Table of Contents" not in text
    assert "Copyright" not in text


def test_questions_keep_all_answers() -> None:
    title, text = html_to_text(stored("questions"), URL)
    assert title == "How do I flush a queue?"
    assert "```py\nfor item in queue:\n    queue.remove(item)\n```" in text
    assert "Take the items out one by one" in text
    assert "while not queue.empty():\n    queue.get_nowait()" in text
    assert "Since version 3.13 there is `queue.shutdown()`" in text
    assert "Sign up" not in text


def test_a_thread_keeps_every_post_with_its_author() -> None:
    text = text_of(stored("forum"))
    for words in ("karl", "shows E4 and stops", "plumber_anna", "1.5 bar and bleed", "thank you"):
        assert words in text


def test_a_repository_page_is_its_readme() -> None:
    text = text_of(stored("readme"))
    assert "```shell\npip install quickparse\nquickparse --version\n```" in text
    assert "| TOML | 95 |" in text
    assert "- Dates, see [#4](https://site.example/acme/quickparse/issues/4)" in text
    assert "![" not in text
    assert "badge.svg" not in text


def test_a_list_of_results_keeps_each_with_its_address() -> None:
    text = text_of(stored("listing"))
    assert "### [aqueue 2.1](https://site.example/project/aqueue/)" in text
    assert "A queue that survives a restart" in text
    assert "Priorities and delays" in text


def test_a_board_made_of_tables_is_read_row_by_row() -> None:
    text = text_of(stored("link_board"))
    assert "[A faster hash join](https://db.example/fast)" in text
    assert "142 points by" in text


def test_a_product_keeps_price_and_data_and_leaves_what_no_one_sees() -> None:
    text = text_of(stored("product"))
    assert "€ 34.90" in text
    assert "| Volume | 1.7 l |" in text
    assert "hidden words" not in text
    assert "Toaster" not in text


def test_an_encyclopedia_keeps_facts_and_formulas() -> None:
    text = text_of(stored("encyclopedia"))
    assert "| Max. depth | 63 m |" in text
    assert r"$h=\frac {V}{A}$ on average" in text
    assert text.count("frac") == 1
    assert "edit" not in text


def test_a_guide_keeps_its_tabs_and_closed_parts() -> None:
    text = text_of(stored("tabbed_guide"))
    assert "```bash\npip install tool\n```" in text
    assert "conda create -n t\nconda install tool" in text
    assert "Its version is too old." in text
    assert "1\n2" not in text


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        ("<ul><li>a<ol start=3><li>b<li>c</ol><li>d</ul>", "- a\n  3. b\n  4. c\n- d"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n\n> b"),
        ("<p>un<b>broken</b> wo<i>rd</i>s</p>", "unbroken words"),
        ("<p>a<br>b</p>", "a\nb"),
        ("<p>10<sup>6</sup> H<sub>2</sub>O</p>", "10^6 H2O"),
        ("<pre>  x\n\n\ty &lt; 1\n</pre>", "```\n  x\n\n\ty < 1\n```"),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        ("<pre class='brush: js'>a<br>b</pre>", "```js\na\nb\n```"),
        ("<pre><code>a</code><code>b</code></pre>", "```\na\nb\n```"),
        ("<p>say <code>a | b</code> or <q>c</q></p>", "say `a | b` or “c”"),
        (
            "<table><tr><th>a<th>b|c</tr><tr><td colspan=2>wide</table>",
            "| a | b\\|c |\n| --- | --- |\n| wide |  |",
        ),
        ("<table role=presentation><tr><td><h2>a</h2><td>b</table>", "## a\n\nb"),
        ("<table><tr><td>1<br>2<td><pre>a\n b</pre></table>", "```\na\n b\n```"),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\n\n: b\n\nc\n\n: d"),
        ("<h2>A <a href='#a'>#</a></h2><p>b</p>", "## A\n\nb"),
        ("<figure><img src=x alt=pic><figcaption>c</figcaption></figure>", "c"),
        ("<p><math><annotation encoding='application/x-tex'>x^2</annotation></math></p>", "$x^2$"),
        ("<p>1 < 2 & 3 > 2</p>", "1 < 2 & 3 > 2"),
    ],
)
def test_how_elements_are_written(body: str, markdown: str) -> None:
    assert text_of(f"<body>{body}</body>") == markdown


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("../a b.html?x=(1)#y", "https://site.example/a%20b.html?x=%281%29#y"),
        ("//other.example/", "https://other.example/"),
        ("HTTP://other.example/x", "HTTP://other.example/x"),
        ("#here", ""),
        ("page.html#here", ""),
        ("javascript:alert(1)", ""),
        (" java\nscript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("mailto:a@b.example", ""),
        ("https://user:pw@site.example/", ""),
        ("http://[bad", ""),
        ("x" * 500, ""),
    ],
)
def test_links_lead_to_pages_or_are_text(href: str, target: str) -> None:
    text = text_of(f"<p>Read <a href='{href}'>this</a> too, please, it is worth the time.</p>")
    wanted = f"[this]({target})" if target else "this"
    assert text == f"Read {wanted} too, please, it is worth the time."


def test_the_base_of_a_page_counts_and_without_an_address_links_are_text() -> None:
    html = "<head><base href='/docs/'></head><p>Read <a href='a'>this</a> and nothing else.</p>"
    assert "[this](https://site.example/docs/a)" in text_of(html)
    assert text_of(html, "") == "Read this and nothing else."
    assert "](" not in text_of(html, "file:///home/me/page.html")


def test_remote_pictures_are_never_written_as_pictures() -> None:
    html = page("P", f"<p>{PARAGRAPH}<img src='https://spy.example/p.gif' alt='](x)![y](z)'></p>")
    assert "![" not in text_of(html)
    assert "spy" not in text_of(html)


def test_nested_400_deep_is_read() -> None:
    for tag in ("div", "div class='x'", "section", "span"):
        html = f"<{tag}>" * 400 + f"<p>{PARAGRAPH}</p>"
        assert PARAGRAPH.strip() in text_of(html)
    mixed = "".join(f"<div>word{number} " for number in range(400))
    assert "word399" in text_of(mixed)


def test_a_page_of_style_is_its_article() -> None:
    rules = "".join(f".c{n}{{display:none}}.d{n} .e{{color:#{n:06}}}" for n in range(20_000))
    html = page("Tides", f"<p>{PARAGRAPH * 3}</p>", f"<style>{rules}</style>")
    assert text_of(html) == (PARAGRAPH * 3).strip()


@pytest.mark.parametrize(
    "html",
    [
        f'<table width="100%"><tr><td>{PARAGRAPH}',
        f"<p>{PARAGRAPH}<div><p></b></i></div></p></div>",
        f"<p>\x00{PARAGRAPH}\ud800</p>",
        f"<p>&#2;&#0;&#x1F;&#xD800;&#3{PARAGRAPH}</p>",
        f"<p {'a' * 10_000}>{PARAGRAPH}",
        f"<?xml version='1.0' encoding='utf-16'?><html><p>{PARAGRAPH}</p></html>",
    ],
)
def test_broken_markup_is_read(html: str) -> None:
    assert PARAGRAPH.strip() in text_of(html)


def test_references_to_control_characters_cannot_forge_links() -> None:
    forged = "<p>&#2;[&#3;words&#2;](javascript:x)&#3; and &#10;lines</p>"
    assert text_of(forged) == "[words](javascript:x) and lines"


def test_a_page_inside_one_form_is_read() -> None:
    html = f"<body><form id=aspnetForm><div><h2>A</h2><p>{PARAGRAPH}</p></div></form></body>"
    assert PARAGRAPH.strip() in text_of(html)


CHINESE = "潮汐每天涨落两次，因为月亮绕着地球运行。渔民按照潮汐的时间出海。"
ARABIC = "يرتفع المد مرتين في اليوم لأن القمر يدور حول الأرض ويخرج الصيادون إلى البحر."
THAI = "น้ำขึ้นวันละสองครั้งเพราะดวงจันทร์โคจรรอบโลกชาวประมงออกทะเลตามเวลาน้ำขึ้น"


@pytest.mark.parametrize("words", [CHINESE, ARABIC, THAI])
def test_pages_in_other_scripts_are_read(words: str) -> None:
    paragraphs = "".join(f"<p>{words * 3}{number}</p>" for number in range(6))
    html = (
        "<html><body><div class='nav'><ul><li><a href='/a'>首页</a></li></ul></div>"
        f"<div class='content'><h1>{words[:8]}</h1>{paragraphs}</div>"
        "<div class='footer'>© 2024</div></body></html>"
    )
    text = text_of(html)
    for number in range(6):
        assert f"{words * 3}{number}" in text
    assert "2024" not in text


@pytest.mark.parametrize(
    ("head", "heading", "title"),
    [
        ("<title>Tides | The Shore</title>", "Tides", "Tides"),
        ("<title>Long story about tides - Shore</title>", "", "Long story about tides"),
        ("<title>OS | Tool 20 Docs</title>", "Tool 20 Docs", "OS | Tool 20 Docs"),
        ("<title>x</title><meta property='og:title' content='Tides &amp; us'>", "", "Tides & us"),
        ("", "Tides ¶", "Tides"),
        ("", "", ""),
        ("<title>a\u200bb\u202e\n c</title>", "", "ab c"),
    ],
)  # fmt: skip
def test_titles(head: str, heading: str, title: str) -> None:
    html = f"<html><head>{head}</head><body><h1>{heading}</h1><p>{PARAGRAPH}</p></body></html>"
    assert html_to_text(html, "")[0] == title


def test_bytes_are_decoded_and_nothing_gives_nothing() -> None:
    data = "<meta charset=windows-1251><p>Прилив поднимается дважды.</p>".encode("cp1251")
    assert html_to_text(data)[1] == "Прилив поднимается дважды."
    assert html_to_text("") == ("", "")
    assert html_to_text(b"") == ("", "")
