"""A session as the sandbox of FastMCP's CodeMode: its client calls tools of its server through a program of ours."""

import asyncio
from typing import Any, Callable, Optional

import ptc
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.experimental.transforms.code_mode import CodeMode

import pytest


class PtcSandbox:
    """A ``SandboxProvider``: each program has a session of its own."""

    def __init__(self, **limits: int) -> None:
        self.limits = limits

    async def run(
        self,
        code: str,
        *,
        inputs: Optional[dict[str, Any]] = None,
        external_functions: Optional[dict[str, Callable[..., Any]]] = None,
    ) -> Any:
        session = ptc.Session(tools=external_functions, inputs=inputs, limits=self.limits)
        return (await session.run_async(code)).result()


def server() -> FastMCP:
    mcp = FastMCP("shop", transforms=[CodeMode(sandbox_provider=PtcSandbox(fuel=5_000_000))])

    @mcp.tool
    def price(item: str) -> int:
        """Price of an item in cents"""
        return {"pen": 250, "cap": 990}[item]

    return mcp


async def execute(program: str) -> Any:
    async with Client(server()) as client:
        assert {"search", "execute"} <= {t.name for t in await client.list_tools()}
        return (await client.call_tool("execute", {"code": program})).content[0].text


def test_a_program_calls_the_tools_of_the_server():
    program = """
    (defn price [item] (:result (tool/call_tool {:tool_name "price" :params {:item item}})))
    (reduce + (map price ["pen" "cap" "pen"]))
    """
    assert asyncio.run(execute(program)) == "1490"


@pytest.mark.parametrize("program, words", [("(loop [] (recur))", "limit/fuel"), ("(oops)", "name"), ('(slurp "/etc/passwd")', "denied|name")])
def test_hostile_programs_end_in_words(program, words):
    with pytest.raises(ToolError, match=words):
        asyncio.run(execute(program))
