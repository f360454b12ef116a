"""The roster: one activity for all, one for each agent."""

from lazyboy_jupyter.core.roster import TaskSeen, roster_of
from tests.core.test_card import WHOLE
from tests.core.test_render import STARTED, view


def test_a_running_and_an_ended_task() -> None:
    running = TaskSeen(view(STARTED), "agent-11111111", "openai:x", "gates", owned=True)
    ended = TaskSeen(WHOLE, "agent-22222222", "extractive")
    told = roster_of([running, ended], "Stored.")
    assert told["activity"]["state"] == "running"
    assert [(one["name"], one["state"]) for one in told["agents"]] == [
        ("gates", "running"),
        ("worker 22222222", "idle"),
    ]
    first, second = told["tasks"]
    assert (first["headline"], first["ticking"], first["model"]) == ("collecting", True, "openai:x")
    assert second["headline"] == "first guide in 1:52, complete in 2:40"
    assert (second["live"], second["read"]) == (False, 1)


def test_a_running_task_that_nobody_owns_is_not_running() -> None:
    told = roster_of([TaskSeen(view(STARTED), "a", "m")], "")
    assert told["activity"]["state"] == "idle"
    assert told["agents"][0]["state"] == "idle"


def test_nothing_at_all() -> None:
    told = roster_of([], "Stored.")
    assert (told["agents"], told["tasks"], told["activity"]["state"]) == ([], [], "idle")
