"""What is committed is told on the loop, in order, a few at a time."""

import asyncio
import itertools
import threading
from concurrent.futures import Future

from lazyboy_jupyter.engine.acknowledgements import Acknowledgements
from lazyboy_jupyter.errors import StoreError


def settled(commits: list["Future[None]"]) -> None:
    """Settle the commits on another thread, as the writer does."""

    def settle() -> None:
        for commit in commits:
            commit.set_result(None)

    writer = threading.Thread(target=settle)
    writer.start()
    writer.join()


def test_a_commit_of_many_leaves_turns_to_others() -> None:
    async def told_between_beats() -> list[int]:
        acknowledgements = Acknowledgements()
        order: list[int] = []
        loop = asyncio.get_running_loop()
        commits: list[Future[None]] = [Future() for _ in range(50)]
        told = asyncio.Event()
        turns = [0]

        def beat() -> None:
            turns.append(len(order))
            if not told.is_set():
                loop.call_soon(beat)

        for number, commit in enumerate(commits):

            def tell(failure: BaseException | None, number: int = number) -> None:
                assert failure is None
                order.append(number)
                if number == len(commits) - 1:
                    told.set()

            acknowledgements.tell(commit, tell)
        settled(commits)
        beat()
        await told.wait()
        assert order == list(range(50))
        return turns

    turns = asyncio.run(told_between_beats())
    assert max(after - before for before, after in itertools.pairwise(turns)) < 10


def test_later_commits_are_told_too_and_failures_with_their_reason() -> None:
    async def told() -> list[BaseException | None]:
        acknowledgements = Acknowledgements()
        heard: asyncio.Queue[BaseException | None] = asyncio.Queue()
        results = []
        for failure in (None, StoreError("The disk is full."), None):
            commit: Future[None] = Future()
            acknowledgements.tell(commit, heard.put_nowait)
            if failure is None:
                settled([commit])
            else:
                commit.set_exception(failure)
            results.append(await heard.get())
        return results

    first, second, third = asyncio.run(told())
    assert (first, third) == (None, None)
    assert isinstance(second, StoreError)


def test_a_commit_that_outlives_its_loop_disturbs_nobody() -> None:
    commit: Future[None] = Future()
    told: list[object] = []

    async def leave() -> None:
        Acknowledgements().tell(commit, told.append)

    asyncio.run(leave())
    settled([commit])
    assert told == []
    assert commit.exception() is None
