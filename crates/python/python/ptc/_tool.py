"""Tools: Python callables that programs call as ``(tool/NAME ...)``."""

from __future__ import annotations

import inspect
import typing
from typing import Any, Callable, Mapping, Optional, Union

from ._errors import InvalidArgument

_NAMES = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    dict: "map",
    list: "list",
    tuple: "list",
    set: "list",
}


class Tool:
    """A callable, with what programs and models are told of it.

    Args:
        function: What is called, with the arguments by name; may be ``async``. Without one the tool is
            answered by whoever drives :meth:`ptc.Session.start`.
        description: What it does; without it the first paragraph of the docstring.
        params: Its parameters and their types, as ``{"item": "string", "count": "integer?"}``; without it what its
            signature says.
        returns: The type of its answers, which they are held to; without it what its annotation says.
    """

    def __init__(
        self,
        function: Optional[Callable[..., Any]] = None,
        *,
        description: Optional[str] = None,
        params: Optional[Mapping[str, str]] = None,
        returns: Optional[str] = None,
    ) -> None:
        if function is not None and not callable(function):
            raise InvalidArgument(f"a tool is a callable, not {type(function).__name__}")
        self.function = function
        self.description = _first_paragraph(function) if description is None else description
        self.params = None if params is None else dict(params)
        self.returns = returns
        # Names that can only be given by place, with what stands there where one is left out before another.
        self._positional: tuple[tuple[str, Any], ...] = ()
        if function is not None:
            self._read_signature(function)

    def _read_signature(self, function: Callable[..., Any]) -> None:
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            return  # builtins have none: any names are passed on
        hints = _hints(function)
        if self.returns is None and "return" in hints:
            name = _type(hints["return"])
            # What an annotation does not say, nothing is held to.
            self.returns = None if name == "any" or hints["return"] is type(None) else name
        kinds = inspect.Parameter
        every = list(signature.parameters.values())
        self._positional = tuple((p.name, p.default) for p in every if p.kind is kinds.POSITIONAL_ONLY)
        takes_any = any(p.kind is kinds.VAR_KEYWORD for p in every)
        if self.params is not None:
            named = [p for p in every if p.kind not in (kinds.VAR_KEYWORD, kinds.VAR_POSITIONAL)]
            wrong = [] if takes_any else [n for n in self.params if n not in {p.name for p in named}]
            missing = [p.name for p in named if p.default is kinds.empty and p.name not in self.params]
            if wrong or missing:
                does = f"takes no parameter {wrong[0]}" if wrong else f"needs the parameter {missing[0]}"
                raise InvalidArgument(f"params: the function {does}; its signature is {signature}")
            return
        if takes_any:
            return
        self.params = {}
        for p in every:
            if p.kind is kinds.VAR_POSITIONAL:
                continue
            name = _type(hints.get(p.name, Any))
            optional = p.default is not kinds.empty and not name.endswith("?")
            self.params[p.name] = f"{name}?" if optional else name

    @property
    def is_async(self) -> bool:
        """Whether it is a coroutine function."""
        f = self.function
        return inspect.iscoroutinefunction(f) or inspect.iscoroutinefunction(getattr(f, "__call__", None))

    def call(self, args: Mapping[str, Any]) -> Any:
        """Calls the function."""
        assert self.function is not None
        named = dict(args)
        given = [i for i, (name, _) in enumerate(self._positional) if name in named]
        first = [named.pop(name, default) for name, default in self._positional[: given[-1] + 1 if given else 0]]
        if inspect.Parameter.empty in first:
            missing = next(n for (n, _), v in zip(self._positional, first) if v is inspect.Parameter.empty)
            raise TypeError(f"missing the argument {missing}")
        return self.function(*first, **named)

    def words(self, name: str) -> dict[str, Any]:
        """What a trace says of it."""
        params = None
        if self.params is not None:
            params = [{"name": n, "type": t, "doc": ""} for n, t in self.params.items()]
        return {"name": name, "description": self.description, "params": params, "returns": self.returns}


def tools_of(given: Optional[Mapping[str, Union[Tool, Callable[..., Any]]]]) -> dict[str, Tool]:
    """The tools that a session is given, by name."""
    out: dict[str, Tool] = {}
    if given is not None and not isinstance(given, Mapping):
        raise InvalidArgument(f"tools: a dict of names and callables, not {type(given).__name__}")
    for name, tool in (given or {}).items():
        if not isinstance(name, str):
            raise InvalidArgument(f"tools: names must be str, not {type(name).__name__}")
        out[name] = tool if isinstance(tool, Tool) else Tool(tool)
    return out


def _first_paragraph(function: Optional[Callable[..., Any]]) -> str:
    doc = inspect.getdoc(function) if inspect.isroutine(function) else None
    return " ".join((doc or "").split("\n\n")[0].split())


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function)
    except Exception:  # names that are not there: no types then
        return {}


def _type(hint: Any) -> str:
    """A type as task files write it; ``any`` for what they cannot say."""
    if isinstance(hint, type) and hint in _NAMES:
        return _NAMES[hint]
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (list, set, frozenset) and len(args) == 1:
        return f"[{_type(args[0])}]"
    if origin in (dict, tuple):
        return _NAMES[origin]
    if origin is Union or type(hint).__name__ == "UnionType":
        rest = [a for a in args if a is not type(None)]
        if len(rest) == 1 and len(args) == 2:
            name = _type(rest[0])
            return name if name.endswith("?") else f"{name}?"
    return "any"
