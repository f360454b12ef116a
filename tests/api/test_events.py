"""Lifecycle events: numbered, none lost, none twice, whatever the connection does."""

from tests.api.world import Kernel, Values

ENDED = {"completed", "failed", "cancelled", "interrupted"}


def news(one: Values) -> bool:
    return bool(one["event"] == "task")


def gone(one: Values, task_id: str) -> bool:
    return news(one) and (one["data"]["task_id"], one["data"]["status"]) == (task_id, None)


def test_the_state_first_then_each_stage_once(kernel: Kernel) -> None:
    kernel.get("/api/tasks")  # starts the engine
    with kernel.events("/api/events") as events:
        first = next(events)
        assert (first["event"], first["data"]["activity"]["state"]) == ("state", "idle")
        assert first["data"]["tasks"] == []
        task_id = kernel.begin()["task_id"]
        kernel.model.publish.open()
        seen: list[Values] = []
        while not seen or seen[-1]["data"]["status"] not in ENDED:
            seen += [one for one in [next(events)] if news(one)]
    assert {one["data"]["task_id"] for one in seen} == {task_id}
    stages = [(one["data"]["status"], one["data"]["phase"], one["data"]["publications"])
              for one in seen]  # fmt: skip
    assert len(stages) == len(set(stages))
    assert stages[-1] == ("completed", "completed", 1)
    assert {"queued", "running"} <= {status for status, _, _ in stages}
    numbers = [int(one["id"]) for one in (first, *seen)]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert seen[-1]["data"]["activity"]["state"] in {"idle", "running"}


def test_a_client_that_drops_and_returns_misses_nothing_and_gets_nothing_twice(
    kernel: Kernel,
) -> None:
    kernel.model.publish.open()
    kernel.get("/api/tasks")  # starts the engine
    with kernel.events("/api/events") as events:
        last = next(events)["id"]
    with kernel.events("/api/events", last) as whole:
        next(whole)
        dropping: list[Values] = []
        for turn in range(100):
            if turn % 4 == 0:
                kernel.begin()
            with kernel.events("/api/events", last) as events:
                state = next(events)
                assert (state["event"], state["id"]) == ("state", last)
                one = next(events)
                if one["event"] != "beat":
                    dropping.append(one)
                    last = one["id"]
        for task in kernel.get("/api/tasks", limit=200).json()["items"]:
            kernel.engine.task(task["task_id"]).wait(20)
        marker = kernel.http.delete(f"/api/tasks/{task['task_id']}").json()["deleted"][0]
        steady: list[Values] = []
        while not steady or not gone(steady[-1], marker):
            steady += [one for one in [next(whole)] if one["event"] != "beat"]
    with kernel.events("/api/events", last) as events:
        next(events)
        while last != steady[-1]["id"]:
            one = next(events)
            if one["event"] != "beat":
                dropping.append(one)
                last = one["id"]
    assert dropping == steady
    assert len(steady) >= 100


def test_a_number_of_another_life_gets_the_state_of_this_one(kernel: Kernel) -> None:
    task_id = kernel.known()["task_id"]
    for last in ("1", "99999999999999999999", "x", "-1"):
        with kernel.events("/api/events", last) as events:
            state = next(events)
            assert state["event"] == "state"
            assert int(state["id"]) > 1_000_000
            assert [one["task_id"] for one in state["data"]["tasks"]] == [task_id]


def test_a_side_question_is_told_when_it_begins_and_when_it_ends(kernel: Kernel) -> None:
    task_id = kernel.known()["task_id"]
    with kernel.events("/api/events") as events:
        next(events)
        kernel.ask(task_id)
        kernel.model.open_all()
        sides: list[Values] = []
        while len(sides) < 2:
            sides += [one for one in [next(events)] if one["event"] == "side"]
    assert {one["data"]["parent"] for one in sides} == {task_id}


def test_it_beats_where_nothing_happens(kernel: Kernel) -> None:
    kernel.known()
    with kernel.events("/api/events") as events:
        next(events)
        beat = next(one for one in events if one["event"] == "beat")
    assert beat["data"]["activity"]["state"] == "running"
    assert "id" not in beat
