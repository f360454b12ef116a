"""Files that could not be read, though nothing is wrong with them: they are read in the end."""

from pathlib import Path

import pytest

from lazyboy_jupyter.adapters.blocking_worker import BlockingWorker
from lazyboy_jupyter.adapters.sources.folder_index import sync_folder
from lazyboy_jupyter.adapters.sources.folder_reading import read_file
from lazyboy_jupyter.adapters.sources.folder_tries import is_settled, tried_stamp
from lazyboy_jupyter.adapters.sources.fts import FtsIndex
from lazyboy_jupyter.adapters.workers import WorkerTimeout

NOW = 1_800_000_000.0
MINUTE = 60


class TimedOut(BlockingWorker):
    """A worker on a machine that is too busy for any job."""

    def run(self, job: str, *args: object, timeout: float) -> object:
        raise WorkerTimeout(f"{job} took longer than {timeout:g} s")


class Failing(BlockingWorker):
    """A worker all of whose jobs fail, as they do when it dies."""

    def run(self, job: str, *args: object, timeout: float) -> object:
        return super().run("no_such_job", timeout=timeout)


class Never(BlockingWorker):
    """A worker that is not to be asked."""

    def run(self, job: str, *args: object, timeout: float) -> object:
        raise AssertionError(f"{job} was run within {timeout} s: {args[2:]}")


class Noting(BlockingWorker):
    """A worker that notes the addresses of what it takes apart."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    def run(self, job: str, *args: object, timeout: float) -> object:
        self.read.append(str(args[2]))
        return super().run(job, *args, timeout=timeout)


@pytest.mark.parametrize("worker", [TimedOut, Failing])
def test_what_was_not_the_files_fault_may_be_tried_again(
    tmp_path: Path, worker: type[BlockingWorker]
) -> None:
    page = tmp_path / "a.html"
    page.write_text("<p>The gates of the barrier closed four times.")
    with worker() as failing:
        document = read_file(page, "1", failing)
    assert document.problem
    assert document.retry_after is not None
    assert document.retry_after >= MINUTE


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.pdf", b"%PDF-1.4 broken"), ("a.html", b"\x89PNG\r\n\x1a\n"), ("a.md", b" "),
     ("a.ipynb", b"no json")],
)  # fmt: skip
def test_what_is_wrong_with_a_file_stays(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with BlockingWorker() as worker:
        document = read_file(tmp_path / name, "1", worker)
    assert document.problem
    assert document.retry_after is None


def test_a_first_try_is_due_and_a_read_file_is_not() -> None:
    assert not is_settled(None, "1-2", NOW)
    assert is_settled("1-2", "1-2", NOW)
    assert not is_settled("1-2", "1-3", NOW)


def test_a_failed_file_is_tried_again_after_a_while_and_each_time_later() -> None:
    known, waits, now = None, [], NOW
    for _ in range(4):
        known = tried_stamp(known, "1-2", now, 10 * MINUTE)
        assert is_settled(known, "1-2", now)
        wait = next(m for m in range(10_000) if not is_settled(known, "1-2", now + m * MINUTE))
        waits.append(wait)
        now += wait * MINUTE
    assert waits == [10, 40, 160, 640]
    assert not is_settled(known, "1-2", NOW - MINUTE), "a clock that was set back"
    assert not is_settled(known, "1-3", now), "a changed file is read at once"
    assert tried_stamp(known, "1-3", now, 10 * MINUTE).endswith("+600"), "and starts anew"


def test_what_costs_nothing_is_tried_at_each_look() -> None:
    known = tried_stamp(None, "1-2", NOW, 0)
    assert not is_settled(known, "1-2", NOW)
    assert tried_stamp(known, "1-2", NOW + 1, 0) == known, "which leaves the index as it is"


def test_a_file_that_cannot_be_opened_is_tried_at_each_look(tmp_path: Path) -> None:
    folder = tmp_path / "a.md"
    folder.mkdir()  # which nobody can open as a file, not even root
    with BlockingWorker() as worker:
        document = read_file(folder, "1", worker)
    assert "cannot be opened" in document.problem
    assert document.retry_after == 0


def test_a_busy_machine_costs_a_document_some_minutes_and_no_more(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    page = folder / "a.html"
    page.write_text("<p>" + "The gates of the barrier closed four times. " * 30)
    index = FtsIndex(tmp_path / "index", "k")

    def problem(worker: BlockingWorker, now: float) -> str:
        with worker:
            sync_folder(index, folder, worker, now)
        document = index.read(page.as_uri())
        assert document is not None
        return document.problem

    assert "too complex" in problem(TimedOut(), NOW)
    assert "too complex" in problem(Never(), NOW + 5 * MINUTE), "not at every search"
    assert problem(BlockingWorker(), NOW + 11 * MINUTE) == ""
    assert [hit.url for hit in index.search("gates barrier")] == [page.as_uri()]
    assert problem(Never(), NOW + 60 * MINUTE) == ""


def test_what_is_wrong_with_a_file_is_looked_at_once(tmp_path: Path) -> None:
    (tmp_path / "scan.pdf").write_bytes(b"%PDF-1.4 broken")
    index = FtsIndex(tmp_path / "index", "k")
    with BlockingWorker() as worker:
        sync_folder(index, tmp_path, worker, NOW)
    with Never() as worker:
        sync_folder(index, tmp_path, worker, NOW + 10_000 * MINUTE)


def test_new_documents_come_before_those_that_failed(tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text("<p>The gates of the barrier closed four times.")
    index = FtsIndex(tmp_path / "index", "k")
    with Failing() as worker:
        sync_folder(index, tmp_path, worker, NOW)
    (tmp_path / "c.html").write_text("<p>The gates of the barrier closed four times.")
    with Noting() as worker:
        sync_folder(index, tmp_path, worker, NOW + 11 * MINUTE)
        assert [url.rpartition("/")[2] for url in worker.read] == ["c.html", "a.html", "b.html"]
