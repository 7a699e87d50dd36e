// What the package throws.

/** All of them are one of these. */
export class PtcError extends Error {
  get name() { return this.constructor.name; }
}
/** An argument is none of those that there are. */
export class InvalidArgument extends PtcError {}
/** A value is no data: it contains itself, is too deep or has no JSON. */
export class InvalidValue extends PtcError {}
/** It is no trace, or a turn does not give what is recorded. */
export class InvalidTrace extends PtcError {}
/** A turn of this session runs or waits for an answer. */
export class SessionBusy extends PtcError {}
/** The session has ended, or has no turns left. */
export class SessionEnded extends PtcError {}
/** The record of the session takes all that it may. */
export class SessionFull extends PtcError {}
/** The turn was cancelled; what it called is kept, and nothing else of it. */
export class TurnCancelled extends PtcError {}
/** What `turn.result()` throws where the program has failed. */
export class ProgramError extends PtcError {}
/** Thrown by a tool: programs and models read its words alone. */
export class ToolError extends PtcError {}

const CLASSES = { InvalidArgument, InvalidValue, InvalidTrace, SessionBusy, SessionEnded, SessionFull, TurnCancelled };

/** What the native part threw: the name of a class, and words. */
export function thrown(text) {
  const at = text.indexOf(": ");
  const Class = CLASSES[text.slice(0, at)] ?? PtcError;
  return new Class(text.slice(at + 2));
}
