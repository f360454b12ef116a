"""The activity regression, in a real browser whose time the test moves (DESIGN §8)."""

import pytest
from playwright.sync_api import expect

from . import traits
from .conftest import Host


@pytest.fixture
def timed(blank: Host) -> Host:
    blank.page.clock.install(time=0)
    blank.load()
    blank.page.clock.pause_at(1_000)
    return blank


def passes(host: Host, seconds: float) -> None:
    host.page.clock.run_for(int(seconds * 1_000))


def phase(host: Host) -> str:
    return host.page.locator(".lzu-phase").first.inner_text()


def test_running_moves_and_its_clock_runs_on(timed: Host) -> None:
    timed.open(traits.run())
    passes(timed, 0.1)
    assert phase(timed) == "collecting, 0:41"
    assert timed.animations() > 0
    passes(timed, 5)
    assert phase(timed) == "collecting, 0:46"
    time = timed.page.get_by_role("meter", name="Time")
    assert time.get_attribute("aria-valuetext") == "46 of 120 s"
    passes(timed, 120)
    assert phase(timed) == "collecting, 2:46"
    assert time.get_attribute("aria-valuetext") == "120 of 120 s"


@pytest.mark.parametrize("name", ["queued", "waiting"])
def test_queued_and_waiting_stand_still(timed: Host, name: str) -> None:
    timed.open(traits.states()[name])
    passes(timed, 0.1)
    before = phase(timed)
    passes(timed, 6)
    assert phase(timed) == before
    assert timed.animations() == 0


def test_idle_by_its_answer_stands_still(timed: Host) -> None:
    answer = {"agent_id": "researcher", "version": 8, "activity": traits.activity()}
    timed.open(traits.run(), reconcile=answer)
    passes(timed, 3)
    assert timed.animations() == 0
    before = phase(timed)
    passes(timed, 5)
    assert phase(timed) == before


def test_an_ended_card_asks_nothing(timed: Host) -> None:
    at = timed.open(traits.states()["completed"])
    passes(timed, 30)
    assert timed.sent(at, "reconcile") == []
    assert timed.animations() == 0


def test_it_reconciles_every_two_seconds(timed: Host) -> None:
    at = timed.open(traits.run())
    passes(timed, 20)
    assert 9 <= len(timed.sent(at, "reconcile")) <= 12


def test_disconnected_is_unknown_then_comes_back_with_the_next_answer(timed: Host) -> None:
    at = timed.open(traits.run(), reconcile=None)
    passes(timed, 7)
    assert phase(timed).startswith("collecting")
    passes(timed, 2.5)
    assert phase(timed) == "unknown, reconnecting"
    assert timed.animations() == 0
    assert timed.page.get_by_role("status").inner_text() == "unknown, reconnecting"
    timed.call("replies", at, {"reconcile": [{
        "agent_id": "researcher", "version": 7, "activity": traits.activity("running"),
    }]})  # fmt: skip
    passes(timed, 10)
    assert phase(timed) == "collecting, 1:00"
    assert timed.animations() > 0


def test_a_busy_kernel_that_beats_is_not_lost(timed: Host) -> None:
    at = timed.open(traits.run(), reconcile=None)
    for _ in range(10):
        passes(timed, 2)
        timed.beat(at, 7, traits.activity("running"))
    assert phase(timed) == "collecting, 1:01"
    passes(timed, 9)
    assert phase(timed) == "unknown, reconnecting"
    timed.beat(at, 7, traits.activity("waiting_input", "Which port?"))
    passes(timed, 1)
    assert phase(timed).startswith("collecting")
    assert timed.animations() == 0
    expect(timed.page.locator(".lzu-waits")).to_have_text("Waiting for you: Which port?")


@pytest.mark.parametrize(
    "answer",
    [
        {"agent_id": "another", "version": 9, "activity": traits.activity()},
        {"agent_id": "researcher", "version": 6, "activity": traits.activity()},
    ],
    ids=["another agent's", "an older version's"],
)
def test_answers_that_do_not_count_change_nothing(timed: Host, answer: traits.Json) -> None:
    timed.open(traits.run(), reconcile=answer)
    passes(timed, 5)
    assert timed.animations() > 0
    assert phase(timed) == "collecting, 0:46"


def test_a_late_answer_changes_nothing(timed: Host) -> None:
    at = timed.open(traits.run(), reconcile=None)
    passes(timed, 9.5)
    assert phase(timed) == "unknown, reconnecting"
    first = timed.sent(at, "reconcile")[0]
    answer = {"agent_id": "researcher", "version": 9, "activity": traits.activity("running")}
    timed.say(at, type="reply", id=first["id"], ok=True, **answer)
    passes(timed, 1)
    assert phase(timed) == "unknown, reconnecting"


def test_stop_without_a_reply_comes_back_after_eight_seconds(timed: Host) -> None:
    timed.open(traits.run(), stop=None)
    timed.button("Stop").click()
    passes(timed, 7.5)
    expect(timed.button("stopping…")).to_be_visible()
    passes(timed, 1)
    expect(timed.button("Stop")).to_be_visible()
    expect(timed.page.locator(".lzu-said")).to_contain_text("No answer from the kernel.")


def test_fifty_cards_share_one_timer(timed: Host) -> None:
    timed.page.evaluate(
        "() => { const set = window.setInterval; window.timers = 0;"
        "window.setInterval = (...all) => { window.timers++; return set(...all); } }"
    )
    for _ in range(50):
        timed.open(traits.run())
    passes(timed, 2)
    phases = timed.page.locator(".lzu-phase")
    assert phases.first.inner_text() == "collecting, 0:43"
    assert timed.page.evaluate("window.timers") == 1
    assert timed.page.locator(".lzu-moving").count() == 0, "too many to move"
    phases.last.scroll_into_view_if_needed()
    timed.page.evaluate(
        "() => new Promise(seen => new IntersectionObserver(seen).observe(document.body))"
    )
    passes(timed, 1)
    expect(phases.last).to_have_text("collecting, 0:44")


def test_a_flood_of_changes_is_drawn_four_times_a_second(timed: Host) -> None:
    at = timed.open(traits.run())
    passes(timed, 1)
    timed.page.evaluate(
        """() => { window.drawn = 0; new MutationObserver(() => window.drawn++).observe(
            document.querySelector('#outputs'),
            {subtree: true, childList: true, characterData: true}) }"""
    )
    for number in range(100):
        timed.push(at, card=traits.card(version=10 + number, progress=f"step {number}"))
        passes(timed, 0.01)
    passes(timed, 0.3)
    assert timed.page.locator(".lzu-progress").inner_text() == "step 99"
    assert 3 <= timed.page.evaluate("window.drawn") <= 8  # with the clock's own ticks


def test_the_dashboard_follows_too(timed: Host) -> None:
    at = timed.open(traits.dashboard(), reconcile=None)
    passes(timed, 2)
    assert timed.animations() > 0
    assert timed.page.locator(".lzu-task .lzu-phase").first.inner_text() == "collecting, 0:43"
    passes(timed, 8)
    assert phase(timed) == "unknown, reconnecting"
    assert timed.animations() == 0
    timed.beat(at, 6, traits.activity())
    passes(timed, 1)
    assert phase(timed) == "idle"


def test_less_motion_is_respected(timed: Host) -> None:
    timed.page.emulate_media(reduced_motion="reduce")
    timed.open(traits.run())
    passes(timed, 0.5)
    assert timed.animations() == 0
