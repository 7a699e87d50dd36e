"""What is known of a turn that has ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional

from ._errors import ProgramError


@dataclass(frozen=True)
class TurnError:
    """Why a turn failed."""

    kind: str
    """A stable word: ``name``, ``type``, ``tool``, ``limit/fuel``..."""
    message: str
    """What was wrong."""
    line: Optional[int]
    """Line in the program, from 1."""
    column: Optional[int]
    """Column in characters, from 1."""
    hint: Optional[str]
    """What would fix it."""
    calls: tuple[str, ...]
    """Functions of the program that were running, innermost first."""

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}: "
        hint = "" if self.hint is None else f" ({self.hint})"
        return f"{place}{self.kind}: {self.message}{hint}"


@dataclass(frozen=True)
class Call:
    """A tool call that a turn made."""

    id: int
    """Its number in the session, from 1."""
    name: str
    args: Mapping[str, Any]
    result: Any
    """Its answer; ``None`` where it ended in an error."""
    error: Optional[str]
    """The words of its error."""
    ms: int
    """How long it took, in milliseconds."""
    together: Optional[int]
    """The first of the calls that it was made together with."""


@dataclass(frozen=True)
class Definition:
    """A name that a program defined."""

    name: str
    kind: str
    """``function`` or ``data``."""
    doc: Optional[str]
    params: Optional[str]
    """Parameters of a function, as ``[a b]``."""
    type: Optional[str]
    """What data is, as ``list[3]``."""
    sample: Optional[str]
    """The beginning of data."""
    turn: int
    """The turn that defined it."""


@dataclass(frozen=True, repr=False)
class Turn:
    """A turn that has ended. A turn is a transaction: one with an error has changed nothing."""

    number: int
    """Its number, from 1."""
    program: str
    """The program as it ran."""
    status: str
    """``ok``, ``error``, ``returned`` (by ``(return v)``) or ``failed`` (by ``(fail reason)``)."""
    value: Any
    """The value as JSON has it: keywords are str, sets are lists. Functions and the like are their text."""
    text: Optional[str]
    """The value as programs write it."""
    printed: tuple[str, ...]
    """What it printed, an entry a call."""
    error: Optional[TurnError]
    calls: tuple[Call, ...]
    """Its tool calls, in order; those of a failed turn too."""
    defined: tuple[Definition, ...]
    """Names that it defined; none that was taken back."""
    feedback: str
    """What a model is told of it."""
    usage: Mapping[str, Any]
    """Fuel, ``memory_bytes``, ``cpu_ms``, ``wall_ms``."""
    record: Mapping[str, Any] = field(compare=False)
    """All of it, with the keys of docs/trace-format.md."""

    @property
    def ok(self) -> bool:
        """Whether it has neither an error nor failed."""
        return self.status in ("ok", "returned")

    def result(self) -> Any:
        """The value.

        Raises:
            ProgramError: the turn has an error, or failed; its text is for a model to read.
        """
        if not self.ok:
            raise ProgramError(str(self.error) if self.error else f"the program failed: {self.text}")
        return self.value

    def __repr__(self) -> str:
        what = str(self.error) if self.error else str(self.text)
        return f"<Turn {self.number} {self.status}: {what if len(what) <= 200 else what[:200] + '...'}>"


def definition(of: Mapping[str, Any], turn: int) -> Definition:
    """A definition of a record."""
    parts = (of["doc"], of.get("params"), of.get("type"), of["sample"])
    return Definition(of["name"], of["kind"], *parts, turn)


def turn(record: Mapping[str, Any]) -> Turn:
    """A turn from its record."""
    value, text, wrong = record["value_json"], record["value"], record["error"]
    if value is None and text is not None and text != "nil" and record["status"] != "error":
        value = text
    error = None
    if wrong is not None:
        place = (wrong["line"], wrong["column"])
        error = TurnError(wrong["kind"], wrong["message"], *place, wrong["hint"], tuple(wrong["calls"]))
    calls = (
        Call(c["id"], c["name"], c["args"], c.get("result"), c.get("error"), c["ms"], c.get("together"))
        for c in record["tool_calls"]
    )
    number = record["turn"]
    return Turn(
        number=number,
        program=record["program"],
        status=record["status"],
        value=value,
        text=text,
        printed=tuple(record["printed"]),
        error=error,
        calls=tuple(calls),
        defined=tuple(definition(d, number) for d in record["definitions"] if not d["rolled_back"]),
        feedback=record["feedback"],
        usage=record["usage"],
        record=record,
    )
