"""PTC: a sandbox that remembers, for programs that language models write.

>>> import ptc
>>> session = ptc.Session(tools={"price": lambda item: {"pen": 250}[item]})
>>> session.run('(def pens (* 2 (tool/price "pen")))').ok
True
>>> session.run("(inc pens)").value
501
"""

from ._errors import (
    Error,
    InvalidArgument,
    InvalidTrace,
    InvalidValue,
    ProgramError,
    SessionBusy,
    SessionEnded,
    SessionFull,
    ToolError,
    TurnCancelled,
)
from ._session import Policy, Session, ToolCall
from ._tool import Tool
from ._turn import Call, Definition, Turn, TurnError

__all__ = [
    "Call",
    "Definition",
    "Error",
    "InvalidArgument",
    "InvalidTrace",
    "InvalidValue",
    "Policy",
    "ProgramError",
    "Session",
    "SessionBusy",
    "SessionEnded",
    "SessionFull",
    "Tool",
    "ToolCall",
    "ToolError",
    "Turn",
    "TurnCancelled",
    "TurnError",
]
