"""What users write, for mypy: nothing of it is run."""

from typing import Any, Union

import ptc


def price(item: str) -> int:
    return len(item)


session: ptc.Session = ptc.Session(tools={"price": price, "ask": ptc.Tool(params={"q": "string"})}, limits={"fuel": 1})
turn: ptc.Turn = session.run("1")
step: Union[ptc.Turn, ptc.ToolCall] = session.start("1")
while isinstance(step, ptc.ToolCall):
    step = step.resume(1) if step.name == "ask" else step.fail("no")
value: Any = step.result()
kind: str = "" if turn.error is None else turn.error.kind
names: list[str] = [d.name for d in session.defs()]
trace: str = session.fork(1).dump()
messages: list[dict[str, Any]] = ptc.Session.load(trace).messages({"output_tokens": 100})


async def main() -> ptc.Turn:
    return await session.run_async("1")
