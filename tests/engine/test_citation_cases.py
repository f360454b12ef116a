"""Field cases C: what may be cited, and what is proven of it, through the whole engine."""

import asyncio
from typing import Any

import pytest

from lazyboy_jupyter.core.events import PublicationRefused
from lazyboy_jupyter.engine.run import ResearchRun
from lazyboy_jupyter.store.database import Database
from lazyboy_jupyter.store.events import log_of
from tests.engine.driving import Driver
from tests.fakes import FakeWeb, ScriptedModel, call, guide, pages

PAGE = "http://example.com/a"
TEXT = (
    "The “gates” cut\u00a0losses by 17\u00adpercent—ﬁnally—\n  between 1998–2020, said Anna Berg."
)


def run_with(database: Database, model: ScriptedModel, web: FakeWeb) -> ResearchRun:
    return asyncio.run(Driver(database).finish(model, web))


def refusals(database: Database, run: ResearchRun) -> list[PublicationRefused]:
    log = log_of(database, run.spec.task_id)
    return [event for _, _, event in log if isinstance(event, PublicationRefused)]


def citations(run: ResearchRun) -> list[tuple[str, str, int | None]]:
    assert run.guide is not None
    return [(c.source, c.state, c.offset) for claim in run.guide.claims for c in claim.citations]


def test_c1_invented_addresses_are_refused_by_name_and_the_model_may_correct_itself(
    database: Database,
) -> None:
    invented = [f"https://invented.example/{n}" for n in range(3)]
    opens = [call("open_page", url=url) for url in invented]
    cited = guide(*[(url, None) for url in invented])
    honest = call("publish_research", summary="Nothing could be read.", unknowns=["All of it"])
    model = ScriptedModel([opens, [cited], [honest]])

    run = run_with(database, model, FakeWeb({}))

    (refusal,) = refusals(database, run)
    assert [url in problem for url, problem in zip(invented, refusal.problems, strict=True)] == [
        True
    ] * 3
    assert all(url in model.results(2)[0]["detail"] for url in invented)
    assert run.state.phase == "completed"
    assert run.guide is not None
    assert run.guide.sources == ()


def test_c1_a_model_that_never_corrects_itself_publishes_nothing(database: Database) -> None:
    cited = guide(("https://invented.example/", "a quote"))
    run = run_with(database, ScriptedModel([[cited]]), FakeWeb({}))

    assert run.state.error == "synthesis_exhausted"
    assert run.guide is None
    assert database.rows("SELECT * FROM publications") == []


def test_c2_a_listed_page_is_accepted_and_shown_as_not_read(database: Database) -> None:
    web = FakeWeb(pages(1))
    model = ScriptedModel([[call("web_search", query="q")], [guide(("S1", None))]])

    run = run_with(database, model, web)

    assert run.guide is not None
    assert run.guide.sources[0].state == "listed"
    view = run.view(run.state.ended_us)
    from lazyboy_jupyter.core.render_html import view_to_html
    from lazyboy_jupyter.core.render_text import view_to_markdown, view_to_text

    for shown in (view_to_text(view), view_to_html(view), view_to_markdown(view)):
        assert shown.count("listed, not read") == 2  # beside the claim, and in the sources
    assert database.rows("SELECT state FROM sources")[0]["state"] == "listed"


def test_c3_spellings_of_one_address_are_one_source(database: Database) -> None:
    web = FakeWeb({PAGE: TEXT})
    cited = guide(("HTTP://Example.com:80/a#frag", None), (PAGE, None), ("s1", None))
    model = ScriptedModel([[call("open_page", url=PAGE)], [cited]])

    run = run_with(database, model, web)

    assert citations(run) == [("S1", "unquoted", None)]
    assert run.guide is not None
    assert [source.state for source in run.guide.sources] == ["read"]


def test_c4_parameters_in_another_order_are_another_page(database: Database) -> None:
    one, two = "http://example.com/?a=1&b=2", "http://example.com/?b=2&a=1"
    web = FakeWeb({one: "First.", two: "Second."})
    opens = [call("open_page", url=url) for url in (one, two)]
    model = ScriptedModel([opens, [guide((one, "First."), (two, "Second."))]])

    run = run_with(database, model, web)

    assert [source for source, _, _ in citations(run)] == ["S1", "S2"]
    assert len(web.opened) == 2


def test_c4_two_addresses_that_redirect_to_one_are_one_source(database: Database) -> None:
    one, two, end = "http://e.com/?a=1&b=2", "http://e.com/?b=2&a=1", "http://e.com/both"
    web = FakeWeb({end: "The one page."}, redirects={one: end, two: end})
    opens = [call("open_page", url=url) for url in (one, two)]
    model = ScriptedModel([opens, [guide((one, "one page"), (two, "one page"), (end, "one page"))]])

    run = run_with(database, model, web)

    assert citations(run) == [("S1", "verbatim", 4)]


def test_a_redirects_end_is_saved_evidence_of_its_start(database: Database) -> None:
    start, end = "http://e.com/old", "http://e.com/new"
    web = FakeWeb({end: "Text."}, redirects={start: end})
    model = ScriptedModel(
        [[call("open_page", url=start)], [call("open_page", url=end)], [guide((end, "Text."))]]
    )

    run = run_with(database, model, web)

    assert web.opened == [start]
    assert run.state.pages == 1
    assert model.results(2)[0]["text"] == "Text."


@pytest.mark.parametrize(
    ("quote", "begins"),
    [
        ('The "gates" cut losses by 17percent', "The “gates”"),
        ("“gates” cut losses", "“gates”"),
        ("17percent-finally- between 1998-2020", "17\u00adpercent"),
        ("...between 1998-2020, said Anna Berg...", "between 1998"),
        ("percent-finally", None),  # it begins inside a word
        ("17percent - finally", None),  # spaces that the page does not have
    ],
)
def test_c5_quotes_are_found_through_typography(
    database: Database, quote: str, begins: str | None
) -> None:
    model = ScriptedModel([[call("open_page", url=PAGE)], [guide(("S1", quote))]])

    run = run_with(database, model, FakeWeb({PAGE: TEXT}))

    expected = ("not_found", None) if begins is None else ("verbatim", TEXT.index(begins))
    assert [(state, offset) for _, state, offset in citations(run)] == [expected]


@pytest.mark.parametrize(
    ("claim", "quote", "state"),
    [
        ("Losses fell.", "cut losses by 18percent", "not_found"),
        ("Losses fell by 18 percent.", "The gates cut losses", "not_found"),
        ("Losses fell by 18 %.", '"gates" cut losses', "unverified"),
        ("Losses fell by seventeen points.", '"gates" cut losses', "verbatim"),
        ("Between 1998 and 2021 losses fell.", '"gates" cut losses', "unverified"),
        ("Losses fell, says Carl Berg.", '"gates" cut losses', "unverified"),
        ("Losses fell, says Anna Berg.", '"gates" cut losses', "verbatim"),
    ],
)
def test_c6_a_claims_facts_must_stand_near_its_quote(
    database: Database, claim: str, quote: str, state: str
) -> None:
    model = ScriptedModel([[call("open_page", url=PAGE)], [guide(("S1", quote), text=claim)]])

    run = run_with(database, model, FakeWeb({PAGE: TEXT.replace("17\u00adpercent", "17percent")}))

    assert [found for _, found, _ in citations(run)] == [state]
    stored = database.rows("SELECT state FROM citations")
    assert [row["state"] for row in stored] == [state]


def test_c7_a_bracketed_number_in_a_summary_is_text_and_never_a_link(database: Database) -> None:
    web = FakeWeb(pages(2))
    cited = guide(("S1", None), summary="As [3] and [S9] say. [link](javascript:alert(1))")
    model = ScriptedModel([[call("open_page", url="https://a.example/1")], [cited]])

    run = run_with(database, model, web)

    assert run.guide is not None
    html = run.guide.html
    assert "As [3] and [S9] say. [link](javascript:alert(1))" in html
    assert html.count("<a ") == 2  # the source, beside the claim and in the list
    assert "\\[3\\]" in run.guide.markdown
    assert "](javascript" not in run.guide.markdown


@pytest.mark.parametrize("where", ["summary", "unknowns", "text", "source", "gaps"])
def test_c8_a_placeholder_or_unobserved_address_is_refused_wherever_it_stands(
    database: Database, where: str
) -> None:
    url = "https://example.com/..."
    fields: dict[str, Any] = {
        "summary": {"summary": f"See {url}"},
        "unknowns": {"unknowns": [f"What {url} says"]},
        "text": {"text": f"As {url} shows"},
        "source": {},
        "gaps": {"gaps": [{"question": f"What does {url} say?", "why": ""}]},
    }
    source = (url, None) if where == "source" else ("S1", None)
    model = ScriptedModel(
        [[call("open_page", url="https://a.example/1")], [guide(source, **fields[where])]]
    )

    run = run_with(database, model, FakeWeb(pages(1)))

    assert run.guide is None
    assert len(refusals(database, run)) >= 1


def test_an_address_that_stands_in_a_page_or_in_the_question_may_be_named(
    database: Database,
) -> None:
    web = FakeWeb({PAGE: "Download it from https://files.example/x.zip today."})
    named = guide(("S1", "Download it"), text="It is at https://files.example/x.zip.")
    model = ScriptedModel([[call("open_page", url=PAGE)], [named]])

    run = run_with(database, model, web)

    assert run.guide is not None


def test_a_publication_is_judged_against_what_was_delivered_before_its_reply(
    database: Database,
) -> None:
    both = [guide(("S1", None)), call("open_page", url="https://a.example/1")]
    model = ScriptedModel([both, [guide(("S1", "Page 1 says"))]])

    run = run_with(database, model, FakeWeb(pages(1)))

    assert "S1 was not observed" in refusals(database, run)[0].problems[0]
    assert run.state.phase == "completed"


def test_one_reply_publishes_once(database: Database) -> None:
    gap = {"question": "More?", "why": ""}
    model = ScriptedModel([[guide(gaps=[gap]), guide()], [call("publish_research", additions=[])]])

    run = run_with(database, model, FakeWeb({}))

    assert len(run.publisher.publications) == 2
    assert model.results(1)[1]["error"] == "refused"
