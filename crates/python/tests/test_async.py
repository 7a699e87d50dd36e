"""Turns in an event loop."""

import asyncio
import threading

import ptc
import pytest

ENDLESS = {"fuel": 10**15, "cpu_ms": 0, "wall_ms": 0}


def test_async_tools_are_awaited_together():
    async def main():
        waiting, all_there = [], asyncio.Event()

        async def fetch(n: int) -> int:
            waiting.append(n)
            if len(waiting) == 3:
                all_there.set()
            await asyncio.wait_for(all_there.wait(), 30)
            return n * 10

        session = ptc.Session(tools={"fetch": fetch, "thread": lambda: threading.current_thread().name})
        turn = await session.run_async("(pmap (fn [n] (tool/fetch n)) [1 2 3])")
        assert turn.value == [10, 20, 30]
        assert (await session.run_async("(tool/thread)")).value != threading.main_thread().name
        with pytest.raises(ptc.Error, match="async; await run_async"):
            session.run("(tool/fetch 1)")
        assert (await session.reply_async("```clojure\n(+ 1 1)\n```")).value == 2

    asyncio.run(main())


def test_the_loop_goes_on_while_a_program_runs():
    async def main():
        session, ticks = ptc.Session(limits=ENDLESS), 0
        task = asyncio.create_task(session.run_async("(def x 1) (loop [] (recur))"))
        for ticks in range(5):
            await asyncio.sleep(0.01)
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        turn = await session.run_async("(+ 1 1)")
        assert (turn.number, turn.value, session.get("x")) == (1, 2, None)

    asyncio.run(main())


def test_cancelling_ends_the_tools_too():
    async def main():
        begun, ended = asyncio.Event(), []

        async def wait() -> None:
            try:
                begun.set()
                await asyncio.sleep(600)
            finally:
                ended.append(True)

        session = ptc.Session(tools={"wait": wait})
        task = asyncio.create_task(session.run_async("(pcalls (fn [] (tool/wait)) (fn [] (tool/wait)))"))
        await asyncio.wait_for(begun.wait(), 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended == [True, True]
        missing = "the turn was cancelled before it was answered"
        assert [(c.id, c.error) for c in session.turns()[0].calls] == [(1, missing), (2, missing)]
        assert session.run("1").number == 2
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(session.run_async("(tool/wait)"), 0.05)
        before = len(session.turns())
        assert session.run("2").number == before + 1


def test_answers_that_came_before_the_end_are_kept():
    async def main():
        begun = asyncio.Event()

        async def quick(n: int) -> int:
            return n

        async def slow() -> None:
            begun.set()
            await asyncio.sleep(600)

        session = ptc.Session(tools={"quick": quick, "slow": slow})
        task = asyncio.create_task(session.run_async("(def x 1) (pcalls (fn [] (tool/quick 7)) (fn [] (tool/slow)))"))
        await asyncio.wait_for(begun.wait(), 30)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        first, second = session.turns()[0].calls
        assert (first.result, second.error) == (7, "the turn was cancelled before it was answered")
        assert session.get("x") is None

    asyncio.run(main())

    asyncio.run(main())


def test_errors_of_async_tools_are_words():
    async def bad():
        raise ptc.ToolError("not today")

    async def wrong():
        return object()

    session = ptc.Session(tools={"bad": bad, "wrong": wrong})
    assert asyncio.run(session.run_async("(tool/bad)")).error.message == "tool/bad: not today"
    assert "type object is no data" in asyncio.run(session.run_async("(tool/wrong)")).error.message


def test_many_sessions_in_one_loop():
    async def main():
        async def slow(n: int) -> int:
            await asyncio.sleep(0.01)
            return n

        async def one(n):
            session = ptc.Session(tools={"slow": slow})
            return [(await session.run_async(f"(+ {i} (tool/slow {n}))")).value for i in range(3)]

        assert await asyncio.gather(*(one(n) for n in range(50))) == [[n, n + 1, n + 2] for n in range(50)]

    asyncio.run(main())
