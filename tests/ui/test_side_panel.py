"""Side questions: history, the answer that grows, asking, and what is done with an answer."""

from playwright.sync_api import expect

from . import traits
from .conftest import Host

REFUSED = {"ok": False, "error": "Four side questions run already.", "hint": "Wait for one."}


def test_two_views_show_one_answer_as_it_grows(host: Host) -> None:
    growing = traits.item(2, live=True, status="running", status_words="answering", answer="The")
    at = host.open(traits.panel(growing, traits.item(1), current=growing))
    host.call("show", at, "400px")
    panels = host.page.locator(".lzu-side")
    text = ""
    for word in ["The", " **first**", " step.", "\n\n- one", "\n- two"]:
        text += word
        host.push(at, current=growing | {"answer": text})
    for panel in (panels.nth(0), panels.nth(1)):
        items = panel.get_by_role("article")
        expect(items).to_have_count(2)
        expect(items.nth(1).locator("strong")).to_have_text("first")
        expect(items.nth(1).locator("li")).to_have_count(2)
    done = growing | {"answer": text, "live": False, "status": "completed"}
    host.push(at, current=None, side=traits.side(done, traits.item(1), version=4))
    expect(
        panels.nth(1).get_by_role("article").nth(1).get_by_role("button", name="Copy")
    ).to_be_visible()


def test_a_long_history_opens_at_its_newest_question(host: Host) -> None:
    host.open(traits.panel(*(traits.item(n, question=f"number {n}") for n in range(20, 0, -1))))
    expect(host.page.get_by_text("number 20")).to_be_in_viewport()
    expect(host.page.get_by_text("number 1", exact=True)).not_to_be_in_viewport()


def test_what_is_typed_in_one_view_stands_in_the_other(host: Host) -> None:
    at = host.open(traits.panel())
    host.call("show", at)
    boxes = host.page.get_by_role("textbox")
    boxes.nth(0).fill("half a quest")
    expect(boxes.nth(1)).to_have_value("half a quest")


def test_a_question_is_sent_and_its_draft_goes_only_when_it_was_taken(host: Host) -> None:
    at = host.open(traits.panel(), ask=[REFUSED, {}])
    box = host.page.get_by_role("textbox")
    box.fill("first line")
    box.press("Shift+Enter")
    box.press_sequentially("second")
    box.press("Enter")
    expect(host.page.locator(".lzu-said")).to_contain_text("Four side questions run already. Wait")
    expect(box).to_have_value("first line\nsecond")
    host.button("Ask").click()
    expect(box).to_have_value("")
    sent = host.sent(at, "ask")
    assert [one["question"] for one in sent] == ["first line\nsecond"] * 2
    assert sent[0]["client_request_id"] != sent[1]["client_request_id"]


def test_a_question_without_a_reply_is_asked_again_under_its_id(blank: Host) -> None:
    blank.page.clock.install(time=0)
    blank.load()
    at = blank.open(traits.panel(), ask=None)
    box = blank.page.get_by_role("textbox")
    box.fill("Why?")
    box.press("Enter")
    blank.page.clock.run_for(8_100)
    expect(blank.page.locator(".lzu-said")).to_contain_text("No answer from the kernel.")
    expect(box).to_have_value("Why?")
    box.press("Enter")
    first, second = blank.sent(at, "ask")
    assert first["client_request_id"] == second["client_request_id"]


def test_an_empty_question_is_not_sent(host: Host) -> None:
    at = host.open(traits.panel())
    host.page.get_by_role("textbox").fill("  \n ")
    host.page.get_by_role("textbox").press("Enter")
    assert host.sent(at, "ask") == []


def test_where_nothing_can_be_asked_it_says_why(host: Host) -> None:
    host.open(traits.panel(side=traits.side(can_ask=False, why_not="Nothing is known yet.")))
    expect(host.page.get_by_text("Nothing is known yet.")).to_be_visible()
    expect(host.page.get_by_role("textbox")).to_be_disabled()


def test_the_snapshot_says_its_age_and_how_far_behind_it_is(blank: Host) -> None:
    blank.page.clock.install(time=0)
    blank.load()
    blank.page.clock.pause_at(1_000)
    blank.open(traits.panel())
    head = blank.page.locator(".lzu-phase")
    expect(head).to_have_text("snapshot 12 s old, after a complete reply, 2 steps behind")
    blank.page.clock.run_for(60_000)
    expect(head).to_have_text("snapshot 1 min old, after a complete reply, 2 steps behind")


def test_an_answer_of_an_older_snapshot_is_asked_again(host: Host) -> None:
    at = host.open(traits.panel(traits.item(ahead=3)))
    host.button("3 steps ahead: ask again on the latest").click()
    assert [one["question"] for one in host.sent(at, "ask")] == ["Why was the audit not used?"]


def test_clear_asks_first_in_its_place(host: Host) -> None:
    at = host.open(traits.panel(traits.item()), side_clear={"count": 1})
    host.button("Clear").click()
    expect(host.button("Keep")).to_be_focused()
    host.button("Keep").click()
    expect(host.button("Clear")).to_be_focused()
    assert host.sent(at, "side_clear") == []
    host.button("Clear").click()
    host.button("Delete").click()
    assert len(host.sent(at, "side_clear")) == 1
    host.push(at, side=traits.side(version=4))
    expect(host.page.get_by_role("article")).to_have_count(0)
    expect(host.button("Delete")).to_have_count(0)


def test_older_ones_come_by_the_cursor_and_go_with_a_clear(host: Host) -> None:
    older = {
        "items": [traits.item(2, question="two"), traits.item(1, question="one")],
        "next_cursor": 0,
    }
    at = host.open(traits.panel(side=traits.side(traits.item(3), next_cursor=3)), side_older=older)
    host.button("Show older ones").click()
    asked = host.page.locator(".lzu-asked")
    expect(asked).to_have_count(3)
    assert [text.splitlines()[-1] for text in asked.all_inner_texts()][:2] == ["one", "two"]
    assert [one["before"] for one in host.sent(at, "side_older")] == [3]
    expect(host.button("Show older ones")).to_have_count(0)
    host.push(at, side=traits.side(version=4))
    expect(asked).to_have_count(0)


def test_what_falls_out_of_sight_stays_where_older_ones_are_shown(host: Host) -> None:
    first, second, third, fourth = (traits.item(n, question=f"number {n}") for n in range(1, 5))
    older = {"items": [first], "next_cursor": 0}
    at = host.open(traits.panel(side=traits.side(third, second, next_cursor=2)), side_older=older)
    host.button("Show older ones").click()
    asked = host.page.locator(".lzu-asked")
    expect(asked).to_have_count(3)
    host.push(at, side=traits.side(fourth, third, next_cursor=3, version=4))
    expect(asked).to_have_text([f"{n}number {n}" for n in range(1, 5)])


def test_an_answer_is_given_to_the_agent_after_a_preview(host: Host) -> None:
    at = host.open(traits.panel(traits.item()), promote={"note": "The user asked: Why?"})
    host.button("Tell the agent").click()
    preview = host.page.get_by_role("group", name="What the agent would be told")
    expect(preview).to_contain_text("The user asked: Why?")
    expect(preview).to_be_focused()  # a second Enter gives nothing to anyone
    host.page.keyboard.press("Escape")
    expect(host.button("Tell the agent")).to_be_focused()
    expect(preview).to_have_count(0)
    host.button("Tell the agent").click()
    host.button("Tell it").click()
    assert [one["sure"] for one in host.sent(at, "promote")] == [False, False, True]
    host.push(at, side=traits.side(traits.item(promoted=True), version=4))
    expect(host.page.get_by_text("given to the agent")).to_be_visible()
    expect(host.button("Tell the agent")).to_have_count(0)


def test_an_answer_that_needs_a_tool_names_it_and_goes_to_the_agent_in_one_click(
    host: Host,
) -> None:
    needs = traits.item(status="needs_tools", status_words="needs a tool", tool="web_search")
    at = host.open(traits.panel(needs))
    expect(host.page.locator(".lzu-needs")).to_contain_text("web_search")
    host.button("Ask the agent itself").click()
    assert [(one["ordinal"], one["sure"]) for one in host.sent(at, "promote")] == [(1, True)]


def test_stop_ends_only_the_answer(host: Host) -> None:
    growing = traits.item(1, live=True, status="running", status_words="answering", answer="")
    at = host.open(traits.panel(growing, current=growing), side_stop=None)
    host.button("Stop").click()
    expect(host.button("stopping…")).to_be_visible()
    assert len(host.sent(at, "side_stop")) == 1
    assert host.sent(at, "stop") == []


def test_an_answer_becomes_a_cell_where_someone_makes_cells(host: Host) -> None:
    host.open(traits.panel(traits.item(answer="**a** <img src=x> ![b](https://x.test/b.png)")))
    host.page.evaluate(
        "document.addEventListener('lazyboy:insert-cell', (event) => {"
        "event.preventDefault(); window.cell = event.detail.source; }, {once: true})"
    )
    host.button("Insert as cell").click()
    expect(host.page.locator(".lzu-said")).to_have_text("Inserted as a cell")
    cell = host.page.evaluate("window.cell")
    assert cell.startswith("**Why was the audit not used?**\n\n**a** \\<img src=x\\> b")
    assert "- S3 [Audit of the barrier](<https://audit.example.com/>)" in cell
    host.button("Insert as cell").click()
    expect(host.page.locator(".lzu-said")).to_have_text("Copied: paste it into a Markdown cell")
    assert host.page.evaluate("navigator.clipboard.readText()") == cell


def test_what_an_answer_rests_on_opens(host: Host) -> None:
    host.open(traits.panel(traits.item()))
    host.button("S3: Audit of the barrier").click()
    opened = host.page.get_by_role("group", name="From S3")
    expect(opened).to_contain_text("“403 Forbidden”")
    expect(opened).to_contain_text("message 4")
