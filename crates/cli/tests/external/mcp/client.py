"""Drives `ptc mcp` by the client of fastmcp: `client.py stdio PTC HOME TASK` or `client.py http URL TOKEN`. It prints OK at the end."""

import asyncio
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

SLOW = "(reduce + (range 8000000))"


def transport(args):
    if args[0] == "stdio":
        _, ptc, home, task = args
        words = ["--no-config", "mcp", "--task", task, "--set", "turn_seconds=100"]
        return StdioTransport(ptc, words, env={"PTC_HOME": home}, keep_alive=False)
    _, url, token = args
    return StreamableHttpTransport(url, headers={"Authorization": f"Bearer {token}"})


async def first(client):
    names = [tool.name for tool in await client.list_tools()]
    assert names == ["run", "wait", "inspect", "tools", "fork", "shop"], names
    done = await client.call_tool("run", {"program": '(def total "Both" (+ (:pen ctx/prices) (:ink ctx/prices)))\n{:total total}'})
    assert done.content[0].text == "=> {:total 370}\nTurn 2", done
    assert done.structured_content["value"] == {"total": 370}, done
    session = done.structured_content["session"]
    wrong = await client.call_tool("run", {"program": "(coutn 1)", "session": session}, raise_on_error=False)
    assert wrong.is_error and "count" in wrong.content[0].text, wrong
    told = []

    async def progress(n, total, message):
        told.append((n, message))

    running = await client.call_tool("run", {"program": SLOW, "session": session, "wait_ms": 0})
    assert running.structured_content["status"] == "running", running
    done = await client.call_tool("wait", {"session": session}, progress_handler=progress)
    assert done.structured_content["value"] == 31999996000000, done
    assert told == sorted(told) and told, told
    many = await asyncio.gather(*[client.call_tool("run", {"program": f"(def n {n}) (* n n)"}) for n in range(8)])
    assert [m.structured_content["value"] for m in many] == [n * n for n in range(8)], many
    task = await client.call_tool("shop", {"request": "Today."})
    assert task.structured_content["value"] == {"cost": 250}, task
    uris = [str(r.uri) for r in await client.list_resources()]
    assert f"ptc://sessions/{session}/trace" in uris and "ptc://language" in uris, uris
    trace = (await client.read_resource(f"ptc://sessions/{session}/trace"))[0].text
    assert trace.startswith('{"ptc_trace":1'), trace[:100]
    return session


async def again(client, session):
    """In another connection, and over standard input and output with another server."""
    done = await client.call_tool("run", {"program": "(inc total)", "session": session})
    assert done.structured_content["value"] == 371, done
    fork = await client.call_tool("fork", {"session": session, "turn": 1})
    defs = await client.call_tool("inspect", {"what": "defs", "session": fork.structured_content["session"]})
    assert [d["name"] for d in defs.structured_content["defs"]] == ["total"], defs


async def main(args):
    async with Client(transport(args)) as client:
        session = await first(client)
    async with Client(transport(args)) as client:
        await again(client, session)
    print("OK")


asyncio.run(main(sys.argv[1:]))
