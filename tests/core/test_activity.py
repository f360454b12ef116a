import pytest

from lazyboy_jupyter.core.activity import Activity, TaskActivity, activity_of


def task(number: int, status: str, owned: bool = True, **more: str) -> TaskActivity:
    return TaskActivity(f"t{number}", more.get("agent", "a"), status, owned, more.get("question"))


@pytest.mark.parametrize(
    ("tasks", "expected"),
    [
        ([], Activity("idle")),
        ([task(1, "completed"), task(2, "failed")], Activity("idle")),
        ([task(1, "queued"), task(2, "running")], Activity("running", ("t2", "t1"))),
        ([task(1, "running", owned=False)], Activity("idle")),
        (
            [task(1, "waiting_input", question="Which?"), task(2, "queued")],
            Activity("waiting_input", ("t1", "t2"), "Which?"),
        ),
        (
            [task(1, "waiting_input", question="Which?"), task(2, "running")],
            Activity("running", ("t2", "t1"), "Which?"),
        ),
        ([task(1, "running"), task(2, "completed")], Activity("running", ("t1",))),
    ],
)
def test_running_goes_before_waiting_before_queued(
    tasks: list[TaskActivity], expected: Activity
) -> None:
    assert activity_of(tasks) == expected


def test_one_agents_activity_is_its_own() -> None:
    tasks = [task(1, "running", agent="a"), task(2, "queued", agent="b")]
    assert activity_of(tasks, "b") == Activity("queued", ("t2",))
    assert activity_of(tasks, "c") == Activity("idle")
