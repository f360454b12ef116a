import asyncio
import threading
import uuid

from lazyboy_jupyter.adapters.clock import SystemClock, UuidV7


def test_ids_are_version_7_and_in_order_also_from_many_threads() -> None:
    ids = UuidV7()
    made: list[list[str]] = [[] for _ in range(4)]

    def make(into: list[str]) -> None:
        into.extend(ids.new() for _ in range(5_000))

    threads = [threading.Thread(target=make, args=(into,)) for into in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert all(one == sorted(one) for one in made)
    everything = [uuid.UUID(text) for one in made for text in one]
    assert len(set(everything)) == 20_000
    assert {(one.version, one.variant) for one in everything} == {(7, uuid.RFC_4122)}


def test_the_clock_never_goes_back() -> None:
    clock = SystemClock()
    times = [clock.now_us() for _ in range(1_000)]
    assert times == sorted(times)
    asyncio.run(clock.sleep(0))
    assert clock.now_us() >= times[-1]
