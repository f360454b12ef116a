"""The conversation in a real kernel: its cells, its interrupts, what stays at work (DESIGN §19)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.loopback.gate import Gate
from tests.loopback.models import Asked, Call, ModelEndpoint, Said
from tests.loopback.world import LoopbackWorld
from tests.notebook.kernel import PATIENCE, Kernel, kernel


def call(name: str, **arguments: Any) -> Call:
    return Call(name, json.dumps(arguments))


@dataclass
class Desk:
    """A coordinator that says what a test wants, and workers who wait for the test's gate."""

    kernel: Kernel
    turns: list[Said] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    work: Gate = field(default_factory=Gate)

    def answer(self, asked: Asked) -> Said:
        if "You are the coordinator" not in asked.system:
            return Said(["Counted: 7."], before=self.work)
        self.asked.append(asked)
        return self.turns.pop(0)

    def texts(self) -> list[str]:
        """The newest text of each card."""
        return [str(data["text/plain"]) for data in self.kernel.displays.values()]

    def listen_for(self, words: str) -> None:
        self.kernel.listen_until(lambda: any(words in text for text in self.texts()))

    def begin(self, cell: str) -> str:
        """Send a cell; do not wait for it."""
        return str(self.kernel.client.execute(cell, stop_on_error=False))

    def interrupted(self, cell: str) -> str:
        """Interrupt the cell that runs; return how it ended."""
        self.kernel.manager.interrupt_kernel()
        answer = self.kernel.client.get_shell_msg(timeout=PATIENCE)
        while answer["parent_header"].get("msg_id") != cell:
            answer = self.kernel.client.get_shell_msg(timeout=PATIENCE)
        return str(answer["content"]["status"])


@pytest.fixture
def desk(tmp_path: Path, index_cache: Path, web: LoopbackWorld) -> Iterator[Desk]:
    said: list[Desk] = []
    endpoint = ModelEndpoint(web, lambda asked: said[0].answer(asked))
    model = f"openai-compatible:tiny@{endpoint.base_url('openai-chat')}"
    with kernel(tmp_path, index_cache, LAZYBOY_MODEL=model) as one:
        said.append(Desk(one))
        yield said[0]
        said[0].work.open()


DELEGATES = Said(calls=[call("delegate_task", agent="Ann", instruction="Count.")])


def test_an_answer_streams_and_work_goes_on_in_the_cell_that_began_it(desk: Desk) -> None:
    desk.turns = [DELEGATES, Said(["Ann ", "counts."]), Said(["She counted 7."])]
    ran = desk.kernel.run("%%chat\nHow many are there?")
    assert (ran.status, ran.errors) == ("ok", "")
    assert len(ran.shown) == 2, "the turn's card, and one for the task that it began"
    turn, task = desk.texts()
    assert "Ann counts." in turn
    assert "working" in task
    desk.kernel.run("6 * 7")
    desk.work.open()
    desk.listen_for("Counted: 7.")
    assert "Counted: 7." in desk.texts()[1]
    assert len(desk.asked) == 2, "what a task found causes no request of its own"
    desk.kernel.run("%chat And?")
    assert "She counted 7." in desk.texts()[-1]
    assert "Counted: 7." in str(desk.asked[-1].messages)


def test_an_interrupt_in_the_middle_of_a_turn_ends_it_and_nothing_else(desk: Desk) -> None:
    rest = Gate()
    desk.turns = [DELEGATES, Said(["Ann counts."]), Said(["Half of ", rest, "it"]), Said(["Yes."])]
    desk.kernel.run("%chat Begin.")
    cell = desk.begin("%%chat\nTell me more.")
    desk.listen_for("Half of")
    assert desk.interrupted(cell) == "ok"
    rest.open()
    desk.listen_for("stopped after")
    assert "Half of" in desk.texts()[-1], "what was read stays"
    assert "working" in desk.texts()[1]
    desk.work.open()
    desk.listen_for("Counted: 7.")
    assert desk.kernel.run("%chat Go on.").errors == ""
    told = desk.asked[-1].messages
    assert [one.role for one in told if one.role == "assistant"]
    assert "Half of" in str(told)
    assert "Tell me more." in str(told)
    assert_paired(desk.asked[-1])


def test_an_interrupt_while_a_question_is_pending(desk: Desk) -> None:
    desk.turns = [
        Said(calls=[call("ask_user", question="Which year?")]),
        Said([Gate()]),
        Said(["All right."]),
    ]
    ran = desk.kernel.run("%%chat\nWhen was it?")
    assert ran.status == "ok", "a question does not hold the kernel up"
    assert "Waiting for you: Which year?" in desk.texts()[-1]
    assert "Which year?" in str(desk.kernel.run("%lazyboy status").shown)
    asks = "get_engine().task(get_engine().activity().task_ids[0])"
    waits = f"print('waits')\nfrom lazyboy_jupyter import get_engine\n{asks}.wait()"
    waiting = desk.kernel.begin(waits)
    assert desk.interrupted(waiting) == "error"
    pending = "get_engine().activity().pending_question"
    assert desk.kernel.run(pending).value == {"text/plain": "'Which year?'"}
    cell = desk.begin("%%chat\n1999")
    desk.kernel.listen_until(lambda: len(desk.asked) == 2)
    assert desk.interrupted(cell) == "ok"
    assert desk.kernel.run(f"{pending} is None").value == {"text/plain": "True"}
    desk.kernel.run("%chat Never mind.")
    assert "All right." in desk.texts()[-1]
    assert "1999" in str(desk.asked[-1].messages)
    assert_paired(desk.asked[-1])


def test_an_interrupt_after_a_delegation_leaves_the_task_at_work(desk: Desk) -> None:
    desk.turns = [DELEGATES, Said([Gate()]), Said(["It is 7."])]
    cell = desk.begin("%%chat\nHow many?")
    desk.listen_for("Count.")
    desk.kernel.listen_until(lambda: len(desk.asked) == 2)
    assert desk.interrupted(cell) == "ok"
    desk.listen_for("stopped after")
    desk.work.open()
    desk.listen_for("Counted: 7.")
    desk.kernel.run("%chat So?")
    assert "Counted: 7." in str(desk.asked[-1].messages)
    assert_paired(desk.asked[-1])


def test_a_task_is_answered_by_its_id_and_what_is_wrong_is_one_line(desk: Desk) -> None:
    desk.turns = [Said(calls=[call("ask_user", question="Which year?")]), Said(["In 1999."])]
    desk.kernel.run("turn = %chat When?")
    for line, said in (
        ("%lazyboy answer", "takes an ID and the answer"),
        ("%lazyboy answer zzzz 1999", "There is no task 'zzzz' here."),
        ("%chat", "There is no question."),
        ("%chat --modl x y", "Did you mean --model?"),
    ):
        ran = desk.kernel.run(line)
        assert said in ran.errors, ran.errors
        assert "Traceback" not in ran.errors
    ran = desk.kernel.run("get_ipython().run_line_magic('lazyboy', f'answer {turn.id[-8:]} 1999')")
    assert "has your answer, and goes on." in ran.text
    desk.listen_for("In 1999.")
    ran = desk.kernel.run("get_ipython().run_line_magic('lazyboy', f'answer {turn.id[-8:]} 1')")
    assert "Nothing waits for an answer there." in ran.errors
    assert "Traceback" not in ran.errors


def assert_paired(asked: Asked) -> None:
    """Every call in a request has its result, in the message behind it."""
    calls = [one.id for message in asked.messages for one in message.calls]
    assert sorted(calls) == sorted(asked.results)


def test_without_a_key_a_guide_is_known_in_the_next_turn_and_after_a_restart(
    tmp_path: Path, manual_index: Path
) -> None:
    told = "turn.children, turn.usage.rounds, '__exit__' in turn.result"
    with kernel(tmp_path, manual_index) as first:
        first.run("turn = %chat How does the with statement work?")
        first.run("from lazyboy_jupyter import get_engine\nengine = get_engine()")
        waited = first.run("[engine.task(one).wait(120).status for one in turn.children]")
        assert waited.value == {"text/plain": "['completed']"}
        first.run("turn = %chat What does __exit__ do?")
        assert first.run(told).value == {"text/plain": "((), 1, True)"}
        first.kill()
    with kernel(tmp_path, manual_index) as second:
        second.run("turn = %chat What does __exit__ do?")
        assert second.run(told).value == {"text/plain": "((), 1, True)"}
        rounds = "SELECT count(*) FROM rounds WHERE prompt_version LIKE 'coordinator%'"
        second.run("from lazyboy_jupyter import get_engine")
        counted = second.run(f'get_engine().sql("{rounds}").fetchall()[0][0]')
        assert counted.value == {"text/plain": "4"}, "two for the first turn, one for each other"
