"""Sessions."""

from __future__ import annotations

import asyncio
import inspect
import json
from typing import Any, Callable, Mapping, Optional, Union

from . import _native
from ._errors import Error, InvalidArgument, InvalidValue, ToolError
from ._tool import Tool, tools_of
from ._turn import Definition, Turn, definition, turn

Policy = Union[None, str, Mapping[str, Any]]
"""How history is shown: ``"full"``, ``"compressed"``, options by name (docs/history.md), or ``None``: the session's own."""

MODEL = "openai/gpt-5.1"
"""As whose tokens are counted where no model is named."""


def _json(of: Any, what: str) -> str:
    return _native.Session.encode(of, what)


def _policy(policy: Policy) -> Optional[str]:
    if policy is None:
        return None
    if isinstance(policy, str):
        named = {"full": '{"compress_history":false}', "compressed": '{"compress_history":true}'}
        if policy not in named:
            raise InvalidArgument(f'there is no policy {policy!r}; pass "full", "compressed" or a dict of options')
        return named[policy]
    if not isinstance(policy, Mapping):
        raise InvalidArgument('policy: pass "full", "compressed" or a dict of options')
    return _json(dict(policy), "policy")


def _words(error: BaseException) -> str:
    """The words of a tool's error, whatever its ``__str__`` does."""
    try:
        said = str(error)
    except Exception:
        said = "its words cannot be read"
    said = said.encode("utf-8", "replace").decode()
    if isinstance(error, ToolError):
        return said or "the tool failed"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


class Session:
    """Runs programs in a sandbox, and keeps what they define from turn to turn.

    One turn runs at a time: another thread that begins one meanwhile gets :class:`ptc.SessionBusy`.

    Args:
        prompt: The task, for prompts (:meth:`messages`). With one the session ends by ``(return v)`` and after
            eight turns; without one it has no end.
        tools: What programs may call as ``(tool/NAME ...)``: callables or :class:`ptc.Tool`.
        inputs: Data that programs read as ``ctx/NAME``.
        limits: What a turn may use, by name (docs/language.md, "Limits"): ``{"fuel": 1_000_000}``.
        policy: How history is shown in prompts.
        system: The task's own system text; the description of the language follows it.
        max_turns: Most turns.
        open_ended: Whether it goes on after ``(return v)`` and ``(fail reason)``.
        expect: The type of what ``(return v)`` gives, as ``"[{name: string}]"``.
        seed: The seed of the programs' randomness; without one each turn has another.
    """

    def __init__(
        self,
        *,
        prompt: str = "",
        tools: Optional[Mapping[str, Union[Tool, Callable[..., Any]]]] = None,
        inputs: Optional[Mapping[str, Any]] = None,
        limits: Optional[Mapping[str, int]] = None,
        policy: Policy = None,
        system: Optional[str] = None,
        max_turns: Optional[int] = None,
        open_ended: Optional[bool] = None,
        expect: Optional[str] = None,
        seed: Optional[int] = None,
    ) -> None:
        self._tools = tools_of(tools)
        self._native = _native.Session(
            prompt=prompt,
            system=system,
            max_turns=8 if max_turns is None and prompt else max_turns,
            open_ended=not prompt if open_ended is None else open_ended,
            limits=_json(dict(limits or {}), "limits"),
            policy=_policy(policy) or "{}",
            expect=expect,
            tools=json.dumps([t.words(n) for n, t in self._tools.items()]),
            inputs=dict(inputs or {}),
            seed=seed,
        )

    @classmethod
    def load(
        cls,
        trace: Union[str, bytes],
        *,
        tools: Optional[Mapping[str, Union[Tool, Callable[..., Any]]]] = None,
        inputs: Optional[Mapping[str, Any]] = None,
        open_ended: Optional[bool] = None,
        seed: Optional[int] = None,
    ) -> Session:
        """The session of a trace: its turns run again, with the answers, times and seeds they had; no tool is called.

        Args:
            trace: What :meth:`dump` gave, or the bytes of a trace file.
            tools: The callables of its tools, which a trace does not have.
            inputs: Values of inputs that were read from files.

        Raises:
            InvalidTrace: it is no trace, or a turn does not give what is recorded.
        """
        session = cls.__new__(cls)
        session._tools = tools_of(tools)
        data = trace.encode("utf-8", "replace") if isinstance(trace, str) else bytes(trace)
        session._native = _native.Session.load(data, inputs=dict(inputs or {}), open_ended=open_ended, seed=seed)
        granted = session._native.tools()
        for name in session._tools:
            if name not in granted:
                has = ", ".join(granted) or "none"
                raise InvalidArgument(f"the trace grants no tool {name!r}; it has: {has}")
        return session

    def dump(self) -> str:
        """The trace as JSON lines (docs/trace-format.md): all that happened."""
        return self._native.dump()

    def fork(self, turn: Optional[int] = None) -> Session:
        """A copy that goes its own way: as the session is, or as it was after turn ``turn``. 0 is its beginning."""
        session = type(self).__new__(type(self))
        session._tools = dict(self._tools)
        session._native = self._native.fork(turn)
        return session

    def run(self, program: str) -> Turn:
        """Runs a program as the next turn, and its tools on this thread.

        A fence around it, or a thought in ``<think>`` before it, is no part of it.

        Errors of the program are in the turn. Ctrl-C, and what a tool raises that is no ``Exception``, end the turn: what it
        called is kept, as a turn with an error, and nothing else of it.
        """
        return self._drive(self._start(program, False))

    def reply(self, reply: str) -> Turn:
        """The same for a model's reply with a program in it, in a block of code or alone."""
        return self._drive(self._start(reply, True))

    async def run_async(self, program: str) -> Turn:
        """The same without blocking the event loop. Tools may be ``async``; those that are not run on threads.

        Tools that a program calls together run at the same time. Cancelling the task ends the turn and the tools; what it
        called is kept, as with :meth:`run`.
        """
        return await self._drive_async(self._start(program, False))

    async def reply_async(self, reply: str) -> Turn:
        """:meth:`reply`, without blocking the event loop."""
        return await self._drive_async(self._start(reply, True))

    def start(self, program: str) -> Union[Turn, ToolCall]:
        """Runs a program until its end, or until it calls a tool, which the caller answers: no callable is called.

        ``wall_ms`` goes on meanwhile; ``limits={"wall_ms": 0}`` turns it off. A call that is not answered and
        no more referred to ends the turn, of which the calls are kept if one was answered.
        """
        execution = self._start(program, False)
        return _next_step(execution)

    def cancel(self) -> bool:
        """Ends the turn that runs on another thread; whether one ran. What it called is kept, as with :meth:`run`."""
        return self._native.cancel()

    def turns(self) -> list[Turn]:
        """All turns, oldest first."""
        return [turn(r) for r in self._native.turns()]

    def defs(self) -> list[Definition]:
        """What is defined, in the order of the first definition."""
        return [definition(d["definition"], d["turn"]) for d in self._native.definitions()]

    def get(self, name: str) -> Any:
        """What a name is bound to, as data; ``None`` where nothing is. Functions are their text."""
        return self._native.get(name)

    def messages(self, policy: Policy = None, *, model: str = MODEL) -> list[dict[str, Any]]:
        """The prompt before the next turn: messages with ``role`` and ``content``, as chat completions have them."""
        messages: list[dict[str, Any]] = self.request("openai", policy, model=model)["messages"]
        return messages

    def request(self, format: str, policy: Policy = None, *, model: str = MODEL) -> dict[str, Any]:
        """The same as the request body of a provider: ``openai``, ``openai-responses``, ``anthropic``, ``gemini`` or
        ``bedrock``. ``model`` (``PROVIDER/NAME``) says how tokens are counted where the policy has a budget."""
        body: dict[str, Any] = self._native.request(format, _policy(policy), model)
        return body

    def tokens(self, policy: Policy = None, *, model: str = MODEL) -> int:
        """About how many tokens :meth:`messages` take."""
        return self._native.tokens(_policy(policy), model)

    def _start(self, text: str, reply: bool) -> _native.Execution:
        if not isinstance(text, str):
            raise InvalidArgument(f"a program is a str, not {type(text).__name__}")
        try:
            text.encode()
        except UnicodeEncodeError as e:
            raise InvalidArgument(f"the program has surrogates that are no characters, at {e.start}") from None
        return self._native.start(text, reply)

    def _drive(self, execution: _native.Execution) -> Turn:
        try:
            ended, what = execution.next()
            while not ended:
                for at, (_, name, args) in enumerate(what):
                    tool = self._tool_now(name)
                    execution.begin(at)
                    execution.answer(at, *self._answer(execution, name, tool, args))
                ended, what = execution.next()
            return turn(what)
        except BaseException:
            execution.cancel()
            execution.wait()
            raise

    def _tool(self, name: str) -> Tool:
        tool = self._tools.get(name)
        if tool is None or tool.function is None:
            raise Error(f"tool {name} has no callable here; give it one in tools, or answer its calls with start()")
        return tool

    def _tool_now(self, name: str) -> Tool:
        tool = self._tool(name)
        if tool.is_async:
            raise Error(f"tool {name} is async; await run_async() instead of run()")
        return tool

    def _answer(self, execution: _native.Execution, name: str, tool: Tool, args: dict[str, Any]) -> tuple[bool, str]:
        try:
            value = tool.call(args)
        except Exception as e:
            return False, _words(e)
        if inspect.iscoroutine(value):
            value.close()
            raise Error(f"tool {name} gave a coroutine; await run_async() instead of run()")
        return _encoded(execution, value)

    async def _drive_async(self, execution: _native.Execution) -> Turn:
        try:
            ended, what = await _in_thread(execution.next)
            while not ended:
                await _all([self._answer_async(execution, at, name, args) for at, (_, name, args) in enumerate(what)])
                ended, what = await _in_thread(execution.next)
            return turn(what)
        except BaseException:
            execution.cancel()
            await _in_thread(execution.wait)
            raise

    async def _answer_async(self, execution: _native.Execution, at: int, name: str, args: dict[str, Any]) -> None:
        tool = self._tool(name)
        execution.begin(at)
        try:
            if tool.is_async:
                value = await tool.call(args)
            else:
                value = await asyncio.to_thread(tool.call, args)
                if inspect.isawaitable(value):
                    value = await value
            answer = _encoded(execution, value)
        except Exception as e:
            answer = False, _words(e)
        execution.answer(at, *answer)


def _encoded(execution: _native.Execution, value: Any) -> tuple[bool, str]:
    """A tool's answer; one that is no data is an error of the call."""
    try:
        return True, execution.encode(value, "its answer")
    except Exception as e:
        return False, str(e) if isinstance(e, InvalidValue) else _words(e)


async def _in_thread(function: Callable[[], Any]) -> Any:
    """Waits on a thread. Cancelled, it is left to itself: whoever cancels ends what it waits for."""
    future = asyncio.get_running_loop().run_in_executor(None, function)
    # Nobody asks for the outcome of one that was left.
    future.add_done_callback(lambda f: f.cancelled() or f.exception())
    return await asyncio.shield(future)


async def _all(calls: list[Any]) -> None:
    """All of them at the same time; where one stops the turn, the others are cancelled and waited for."""
    tasks = [asyncio.ensure_future(c) for c in calls]
    try:
        await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


class _Group:
    """Calls that were made together, until all are answered."""

    def __init__(self, execution: _native.Execution, asked: list[tuple[int, str, dict[str, Any]]]) -> None:
        self.execution = execution
        self.answered: set[int] = set()
        self.asked = asked

    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(ToolCall(self, i, *asked) for i, asked in enumerate(self.asked))

    def answer(self, at: int, answer: tuple[bool, str]) -> Union[Turn, ToolCall]:
        if at in self.answered:
            raise Error("this call has been answered")
        self.answered.add(at)
        # Who answers one has been given the others too.
        self.begin()
        self.execution.answer(at, *answer)
        waiting = [c for c in self.calls() if c._at not in self.answered]
        return waiting[0] if waiting else _next_step(self.execution, begun=True)

    def begin(self) -> None:
        for at in range(len(self.asked)):
            self.execution.begin(at)


class ToolCall:
    """A tool call that waits for its answer."""

    def __init__(self, group: _Group, at: int, id: int, name: str, args: dict[str, Any]) -> None:
        self._group = group
        self._at = at
        self.id = id
        """Its number in the session, from 1."""
        self.name = name
        self.args = args

    @property
    def together(self) -> tuple[ToolCall, ...]:
        """All calls that the program made together, this one among them. They may be answered in any order."""
        return self._group.calls()

    def resume(self, value: Any) -> Union[Turn, ToolCall]:
        """Answers it: with the next call that waits, or the turn at its end.

        Raises:
            InvalidValue: the value is no data; the call still waits.
        """
        return self._group.answer(self._at, (True, self._group.execution.encode(value, "the answer")))

    def fail(self, error: str) -> Union[Turn, ToolCall]:
        """Answers it with an error, in words for the program and the model."""
        return self._group.answer(self._at, (False, str(error).encode("utf-8", "replace").decode()))

    def __repr__(self) -> str:
        return f"<ToolCall {self.id} tool/{self.name}>"


def _next_step(execution: _native.Execution, begun: bool = False) -> Union[Turn, ToolCall]:
    """The next call that waits, or the turn. Calls behind one that was answered count as begun by who gets them."""
    try:
        ended, what = execution.next()
    except BaseException:
        execution.cancel()
        execution.wait()
        raise
    if ended:
        return turn(what)
    group = _Group(execution, what)
    if begun:
        group.begin()
    return group.calls()[0]
