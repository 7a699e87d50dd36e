// The package, for those who bring the bytes of ptc.wasm themselves: init(bytes) comes first.

export { init, textTokens, version } from "./runtime.js";
export { Session, ToolCall } from "./session.js";
export { Turn } from "./turn.js";
export { InvalidArgument, InvalidTrace, InvalidValue, ProgramError, PtcError, SessionBusy, SessionEnded, SessionFull, ToolError, TurnCancelled } from "./errors.js";
