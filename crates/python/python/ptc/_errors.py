"""The exceptions of the package."""


class Error(Exception):
    """Anything that this package raises; its text says what to do next."""


class InvalidArgument(Error, ValueError):
    """A session was given something that it cannot take: a limit, a policy, a type, a name, a tool."""


class InvalidValue(Error, ValueError):
    """Python data that cannot go into a session: no data, too large, too deep, or containing itself."""


class InvalidTrace(Error, ValueError):
    """A trace that is not what was written, or whose turns do not give what is recorded."""


class SessionBusy(Error):
    """A turn of this session is running, on another thread or in another task."""


class SessionEnded(Error):
    """The session takes no further turns: it returned, failed, or is out of turns."""


class SessionFull(Error):
    """The record of the session takes all that ``session_bytes`` allows."""


class TurnCancelled(Error):
    """The turn was cancelled; what it called is kept, and nothing else of it."""


class ProgramError(Error):
    """A program ended in an error. Raised by :meth:`ptc.Turn.result`, never by running it."""


class ToolError(Exception):
    """Raised by a tool: the call ends in an error with these words, which the program can catch and the model reads."""
