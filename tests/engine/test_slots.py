import asyncio

from lazyboy_jupyter.engine.slots import FOREGROUND, WORKER, ModelSlots, Slots


def test_so_many_at_once_in_order_and_the_foreground_first() -> None:
    async def scenario() -> list[str]:
        slots, order = Slots(1), list[str]()
        gate = asyncio.Event()

        async def hold(name: str, priority: int) -> None:
            async with slots.hold(priority):
                order.append(name)
                await gate.wait()

        tasks = []
        for name, priority in (("a", WORKER), ("b", WORKER), ("c", WORKER), ("F", FOREGROUND)):
            tasks.append(asyncio.ensure_future(hold(name, priority)))
            await asyncio.sleep(0)
        assert order == ["a"]
        gate.set()
        await asyncio.gather(*tasks)
        return order

    assert asyncio.run(scenario()) == ["a", "F", "b", "c"]


def test_a_slot_is_never_lost_to_a_cancelled_wait() -> None:
    async def scenario() -> None:
        slots = Slots(1)
        async with slots.hold():
            waiting = [asyncio.ensure_future(_held(slots)) for _ in range(3)]
            await asyncio.sleep(0)
            waiting[0].cancel()
            await asyncio.sleep(0)
        waiting[1].cancel()  # just as its turn has come
        await asyncio.gather(*waiting, return_exceptions=True)
        async with asyncio.timeout(5):
            await _held(slots)

    async def _held(slots: Slots) -> None:
        async with slots.hold():
            pass

    asyncio.run(scenario())


def test_each_provider_has_slots_of_its_own() -> None:
    slots = ModelSlots(16)
    assert slots.of("openai:a") is slots.of("openai:b")
    assert slots.of("openai:a") is not slots.of("anthropic:a")
