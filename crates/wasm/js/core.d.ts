/** Data as JSON has it. Integers that a number cannot hold are bigint. */
export type Data = null | boolean | number | bigint | string | readonly Data[] | { readonly [key: string]: Data };
/** What is taken as data besides: undefined is null, sets are lists, maps and what has toJSON() are what they give. */
export type Input = Data | undefined | object;

/** How history is shown: options by name (docs/history.md), or those of `full` and `compressed`. */
export type Policy = "full" | "compressed" | { readonly [option: string]: Data };

/** What programs call as `(tool/NAME ...)`. Its words in a trace are this without `call`. */
export interface Tool {
  /** Called with the arguments by name. Without it the calls are answered by who drives `start()`. */
  call?(args: any): unknown;
  description?: string;
  /** Parameters and their types, as `{item: "string", count: "integer?"}`. */
  params?: { readonly [name: string]: string };
  /** The type of its answers, which they are held to. */
  returns?: string;
}
export type Tools = { readonly [name: string]: Tool | ((args: any) => unknown) };

export interface LoadOptions {
  tools?: Tools;
  /** Values of inputs: those that a trace does not have. */
  inputs?: { readonly [name: string]: Input };
  /** Whether it goes on after `(return v)` and `(fail reason)`. */
  openEnded?: boolean;
  /** The seed of the programs' randomness; without one each turn has another. */
  seed?: number | bigint;
}

export interface SessionOptions extends LoadOptions {
  /** The task, for prompts. With one the session ends by `(return v)` and after eight turns; without one it has no end. */
  prompt?: string;
  /** What a turn may use, by name (docs/language.md, "Limits"): `{fuel: 1_000_000}`. */
  limits?: { readonly [limit: string]: number };
  policy?: Policy;
  /** The task's own system text; the description of the language follows it. */
  system?: string;
  maxTurns?: number;
  /** The type of what `(return v)` gives, as `"[{name: string}]"`. */
  expect?: string;
}

export interface RequestOptions {
  /** As whose tokens are counted: `PROVIDER/NAME`. */
  model?: string;
  /** Before this turn instead of the next one. */
  turn?: number;
}

export interface Message {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
}

export interface TurnError {
  /** A stable word: `name`, `type`, `tool`, `limit/fuel`... */
  readonly kind: string;
  readonly message: string;
  /** Line in the program, from 1. */
  readonly line: number | null;
  /** Column in characters, from 1. */
  readonly column: number | null;
  /** What would fix it. */
  readonly hint: string | null;
  /** Functions of the program that were running, innermost first. */
  readonly calls: readonly string[];
  toString(): string;
}

export interface Call {
  readonly id: number;
  readonly name: string;
  readonly args: { readonly [name: string]: any };
  /** Its answer; null where it ended in an error. */
  readonly result: any;
  readonly error: string | null;
  readonly ms: number;
  /** The first of the calls that it was made together with. */
  readonly together: number | null;
}

export interface Definition {
  readonly name: string;
  readonly kind: "function" | "data";
  readonly doc: string | null;
  readonly params: string | null;
  readonly type: string | null;
  readonly sample: string | null;
  readonly turn: number;
}

/** A turn that has ended. A turn is a transaction: one with an error has changed nothing. */
export class Turn {
  private constructor();
  readonly number: number;
  readonly program: string;
  /** `returned` is by `(return v)`, `failed` by `(fail reason)`. */
  readonly status: "ok" | "error" | "returned" | "failed" | "answered";
  /** The value as JSON has it; functions and the like are their text. */
  readonly value: any;
  /** The value as programs write it. */
  readonly text: string | null;
  readonly printed: readonly string[];
  readonly error: TurnError | null;
  readonly calls: readonly Call[];
  readonly defined: readonly Definition[];
  /** What a model is told of it. */
  readonly feedback: string;
  readonly usage: { readonly fuel: number; readonly memory_bytes: number; readonly cpu_ms: number; readonly wall_ms: number };
  /** All of it, with the keys of docs/trace-format.md. */
  readonly record: { readonly [key: string]: any };
  readonly ok: boolean;
  /** The value; throws ProgramError where the program has failed. */
  result(): any;
}

/** A tool call that waits for its answer. */
export class ToolCall {
  private constructor();
  /** Its number in the session, from 1. */
  readonly id: number;
  readonly name: string;
  readonly args: { readonly [name: string]: any };
  /** All calls that the program made together, this one among them. They may be answered in any order. */
  readonly together: readonly ToolCall[];
  /** Answers it: with the next call that waits, or the turn at its end. */
  resume(value: Input): Turn | ToolCall;
  /** Answers it with an error, in words for the program and the model. */
  fail(error: string): Turn | ToolCall;
}

/** Runs programs in a sandbox, and keeps what they define from turn to turn. */
export class Session {
  constructor(options?: SessionOptions);
  /** The session of a trace: its turns run again, with the answers, times and seeds they had; no tool is called. */
  static load(trace: string | Uint8Array | ArrayBuffer, options?: LoadOptions): Session;
  /** The trace as JSON lines: all that happened. */
  dump(): string;
  /** A copy that goes its own way: as the session is, or as it was after a turn. 0 is its beginning. */
  fork(turn?: number): Session;
  run(program: string): Turn;
  /** The same for a model's reply with a program in it. */
  reply(reply: string): Turn;
  /** run() with tools that may be `async`. A program runs again from its beginning after each answer. */
  runAsync(program: string): Promise<Turn>;
  replyAsync(reply: string): Promise<Turn>;
  /** Runs until the end, or until a tool call, which the caller answers. */
  start(program: string): Turn | ToolCall;
  /** Ends the turn that waits for an answer; whether one did. What it called is kept, as a turn with an error. */
  cancel(): boolean;
  turns(): Turn[];
  defs(): Definition[];
  /** What a name is bound to; undefined where nothing is. */
  get(name: string): any;
  /** The prompt before the next turn. */
  messages(policy?: Policy | null, options?: RequestOptions): Message[];
  /** The same as the request body of a provider. */
  request(format: "openai" | "openai-responses" | "anthropic" | "gemini" | "bedrock", policy?: Policy | null, options?: RequestOptions): any;
  /** About how many tokens messages() take. */
  tokens(policy?: Policy | null, options?: RequestOptions): number;
  /** The same of each message. */
  tokensOfEach(policy?: Policy | null, options?: RequestOptions): number[];
}

/** Sets what sessions run in: the bytes of `ptc.wasm`, or what was compiled of them. */
export function init(source: BufferSource | WebAssembly.Module): void;
/** About how many tokens a text takes. */
export function textTokens(text: string, options?: { model?: string }): number;
export function version(): string;

/** All that the package throws is one of these. */
export class PtcError extends Error {}
export class InvalidArgument extends PtcError {}
export class InvalidValue extends PtcError {}
export class InvalidTrace extends PtcError {}
export class SessionBusy extends PtcError {}
export class SessionEnded extends PtcError {}
export class SessionFull extends PtcError {}
export class TurnCancelled extends PtcError {}
export class ProgramError extends PtcError {}
/** Thrown by a tool: programs and models read its words alone. */
export class ToolError extends PtcError {}
