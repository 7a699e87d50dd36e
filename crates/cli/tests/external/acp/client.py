"""Drives `ptc acp` with the client of agent-client-protocol: arguments are the program and a folder."""

import asyncio
import logging
import os
import sys

import acp
from acp import schema

PTC, HOME = sys.argv[1:3]
MADE = os.path.join(HOME, "made")


class Complaints(logging.Handler):
    """What the client logs is a message that it could not take."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(self.format(record))


COMPLAINTS = Complaints()
logging.getLogger().addHandler(COMPLAINTS)


class Editor(acp.Client):
    def __init__(self):
        self.updates, self.asked, self.choice = [], [], "allow_once"
        self.called = asyncio.Event()

    async def session_update(self, session_id, update, **_):
        self.updates.append(update)
        if isinstance(update, schema.ToolCallStart) and update.tool_call_id.startswith("call-"):
            self.called.set()

    async def request_permission(self, session_id, tool_call, options, **_):
        self.asked.append(tool_call)
        assert self.choice in [o.option_id for o in options], options
        outcome = schema.AllowedOutcome(outcome="selected", option_id=self.choice)
        return schema.RequestPermissionResponse(outcome=outcome)

    def on_connect(self, conn):
        pass

    def said(self):
        return [u.content.text for u in self.updates if isinstance(u, schema.AgentMessageChunk)]


def made():
    return len(open(MADE).readlines()) if os.path.exists(MADE) else 0


async def until_made(before):
    while made() == before:
        await asyncio.sleep(0.02)


def write(name, text):
    path = os.path.join(HOME, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def agent(editor, seconds, replies, *more):
    tool = write("send.sh", f"read -r line\necho \"$line\" >> '{MADE}'\nsleep {seconds}\necho '\"sent\"'\n")
    model = write("replies.md", "".join(f"## Turn {n}\n{r}\n\n" for n, r in enumerate(replies, 1)))
    args = ["--no-config", "acp", "--tool", f"send=sh {tool}", "--model", f"replay:{model}", *more]
    # What the agent says on standard error is seen where the test fails.
    kwargs = {"stderr": None}
    return acp.spawn_agent_process(lambda _: editor, PTC, *args, env={"PTC_HOME": HOME}, cwd=HOME, transport_kwargs=kwargs)


async def begin(conn):
    is_ = await conn.initialize(protocol_version=acp.PROTOCOL_VERSION)
    assert is_.protocol_version == acp.PROTOCOL_VERSION and is_.agent_capabilities.load_session, is_
    assert is_.agent_info.name == "ptc" and is_.agent_capabilities.session_capabilities.list is not None, is_
    return (await conn.new_session(cwd=HOME, mcp_servers=[])).session_id


async def ask(conn, session, words):
    return (await conn.prompt(session_id=session, prompt=[acp.text_block(words)])).stop_reason


async def conversation():
    editor = Editor()
    replies = ["I send it.\n```clojure\n(def r (tool/send {:to \"a\"}))\n```", "(return r)", "(return [r r])"]
    async with agent(editor, 0, replies, "--set", 'tools.send.approval="always"') as (conn, _):
        session = await begin(conn)
        assert await ask(conn, session, "Send it") == "end_turn"
        assert editor.said() == ["sent"] and made() == 1 and len(editor.asked) == 1, (editor.updates, editor.asked)
        assert await ask(conn, session, "And twice?") == "end_turn"
        assert editor.said()[-1] == '["sent" "sent"]', editor.said()
        kinds = {type(u).__name__ for u in editor.updates}
        assert {"AgentThoughtChunk", "ToolCallStart", "ToolCallProgress", "AgentMessageChunk"} <= kinds, kinds
    # Another process knows it, and tells all of it.
    editor = Editor()
    async with agent(editor, 0, replies) as (conn, _):
        await begin(conn)
        listed = await conn.list_sessions(cwd=HOME)
        assert [s.session_id for s in listed.sessions] == [session] and listed.sessions[0].title == "Send it", listed
        await conn.load_session(cwd=HOME, session_id=session, mcp_servers=[])
        asked = [u.content.text for u in editor.updates if isinstance(u, schema.UserMessageChunk)]
        assert asked == ["Send it", "And twice?"] and editor.said() == ["sent", '["sent" "sent"]'], editor.updates
        await conn.close_session(session_id=session)
        try:
            await ask(conn, session, "Closed?")
            raise AssertionError("a closed session answers")
        except acp.RequestError as e:
            assert e.code == -32002, e


async def cancelled_and_two_at_once():
    editor = Editor()
    async with agent(editor, 600, ["(def x 1) (tool/send {})", "(host's)", "(return 2)"]) as (conn, _):
        session = await begin(conn)
        before = made()
        prompt = asyncio.create_task(ask(conn, session, "Send it"))
        await editor.called.wait()
        await until_made(before)
        try:
            await ask(conn, session, "And this?")
            raise AssertionError("two prompts at once")
        except acp.RequestError as e:
            assert "another prompt" in str(e), e
        await conn.cancel(session_id=session)
        assert await prompt == "cancelled"
        assert await ask(conn, session, "What else?") == "end_turn"
        assert editor.said()[-1] == "2" and made() == before + 1, editor.said()


async def gone_in_the_middle():
    replies = ["(def x 1)", "(return (tool/send {:x x}))"]
    before = made()
    editor = Editor()
    async with agent(editor, 600, replies) as (conn, process):
        session = await begin(conn)
        prompt = asyncio.create_task(ask(conn, session, "Send it"))
        await editor.called.wait()
        await until_made(before)
        # Nobody can say good-bye.
        process.kill()
        await process.wait()
        prompt.cancel()
        await asyncio.gather(prompt, return_exceptions=True)
    editor = Editor()
    async with agent(editor, 0, replies) as (conn, _):
        await begin(conn)
        await conn.load_session(cwd=HOME, session_id=session, mcp_servers=[])
        assert "was not answered yet" in editor.said()[-1], editor.said()
        assert await ask(conn, session, "Send it") == "end_turn"
        assert editor.said()[-1] == "sent" and len(editor.asked) == 1, (editor.said(), editor.asked)
        assert made() == before + 2, "the user had said that it is made again"


async def main():
    for test in (conversation, cancelled_and_two_at_once, gone_in_the_middle):
        COMPLAINTS.lines.clear()
        await asyncio.wait_for(test(), 120)
        if test is not gone_in_the_middle:
            assert COMPLAINTS.lines == [], COMPLAINTS.lines
        print(test.__name__)
    print("OK")


asyncio.run(main())
