// Sessions.

import { decode, encode } from "./data.js";
import { Engine, MODEL } from "./runtime.js";
import { InvalidArgument, PtcError, SessionBusy, ToolError, TurnCancelled } from "./errors.js";
import { Turn, definition } from "./turn.js";

const NAMED = { full: '{"compress_history":false}', compressed: '{"compress_history":true}' };

function policyText(policy) {
  if (policy === undefined || policy === null) return undefined;
  if (typeof policy === "object") return encode(policy, "policy");
  if (!Object.hasOwn(NAMED, policy)) throw new InvalidArgument(`there is no policy ${JSON.stringify(String(policy))}; pass "full", "compressed" or an object of options`);
  return NAMED[policy];
}

function known(options, names, of) {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new InvalidArgument(`${of} has no option ${name}; it has: ${names.join(", ")}`);
  }
}

/** Tools by name: functions, or objects with what programs and models are told of them. */
function toolsOf(given = {}) {
  return new Map(Object.entries(given).map(([name, tool]) => {
    const of = typeof tool === "function" ? { call: tool } : tool;
    if (typeof of !== "object" || of === null) throw new InvalidArgument(`tool ${name}: a tool is a function or an object`);
    known(of, ["call", "description", "params", "returns"], `tool ${name}`);
    return [name, of];
  }));
}

function toolWords(tools) {
  const words = (name, { description = "", params, returns = null }) => ({
    name,
    description,
    params: params ? Object.entries(params).map(([name, shape]) => ({ name, type: shape, doc: "" })) : null,
    returns,
  });
  return JSON.stringify([...tools].map(([name, tool]) => words(name, tool)));
}

function inputsText(inputs = {}) {
  return `[${Object.entries(inputs).map(([name, value]) => `[${JSON.stringify(name)},${encode(value, `input ${name}`)}]`).join(",")}]`;
}

/** The words of a tool's error. */
function wordsOf(error) {
  if (error instanceof ToolError) return error.message || "the tool failed";
  return error instanceof Error ? String(error) : `Error: ${String(error)}`;
}

function answerOf(value) {
  try {
    return { ok: encode(value, "its answer") };
  } catch (e) {
    return { error: e.message };
  }
}

/** What a seed may be: each turn adds its number. */
function checkedSeed(seed) {
  if (seed === undefined || typeof seed === "bigint" || Number.isSafeInteger(seed)) return seed;
  throw new InvalidArgument(`a seed is a whole number or a bigint, not ${typeof seed === "number" ? seed : seed === null ? "null" : `a ${typeof seed}`}`);
}

function seedOf(seed, turn) {
  if (seed !== undefined) return BigInt.asUintN(64, BigInt(seed) + BigInt(turn));
  const [low, high] = crypto.getRandomValues(new Uint32Array(2));
  return (BigInt(high) << 32n) | BigInt(low);
}

/** Runs programs in a sandbox, and keeps what they define from turn to turn. */
export class Session {
  #engine;
  #native;
  #tools;
  #seed;
  #openEnded;
  #inputs;
  /** The trace, to begin again after the instance was lost. */
  #lines;
  #turns;
  /** The turn that runs, and the calls it made. */
  #current;
  /** The group of calls that waits. */
  #waiting;

  constructor(options = {}) {
    if (options instanceof Restored) {
      [this.#engine, this.#native, this.#tools, this.#seed, this.#openEnded, this.#inputs] = options.parts;
      this.#opened();
      return;
    }
    known(options, ["prompt", "tools", "inputs", "limits", "policy", "system", "maxTurns", "openEnded", "expect", "seed"], "a session");
    const { prompt = "", tools, inputs, limits = {}, policy, system = null, maxTurns, openEnded = !prompt, expect = null, seed } = options;
    this.#tools = toolsOf(tools);
    this.#seed = checkedSeed(seed);
    this.#openEnded = openEnded;
    this.#inputs = inputsText(inputs);
    const parts = {
      prompt: JSON.stringify(String(prompt)),
      system: encode(system, "system"),
      maxTurns: encode(maxTurns ?? (prompt ? 8 : null), "maxTurns"),
      openEnded: String(Boolean(openEnded)),
      limits: encode(limits, "limits"),
      policy: policyText(policy) ?? "{}",
      tools: toolWords(this.#tools),
      inputs: this.#inputs,
      expect: encode(expect, "expect"),
    };
    const text = `{${Object.entries(parts).map(([name, json]) => `"${name}":${json}`).join(",")}}`;
    this.#engine = new Engine();
    this.#native = this.#engine.call((native) => new native.Native(text));
    this.#opened();
  }

  #opened() {
    this.#lines = [this.#engine.call(() => this.#native.dump())];
    this.#turns = this.#lines[0].split("\n").filter((line) => line.startsWith('{"turn":')).length;
  }

  /** The session of a trace: its turns run again, with the answers, times and seeds they had; no tool is called. */
  static load(trace, options = {}) {
    known(options, ["tools", "inputs", "openEnded", "seed"], "a session of a trace");
    const { tools, inputs, openEnded } = options;
    const seed = checkedSeed(options.seed);
    const bytes = typeof trace === "string" ? new TextEncoder().encode(trace) : new Uint8Array(trace);
    const values = inputsText(inputs);
    const engine = new Engine();
    const native = engine.call((native) => native.Native.load(bytes, values, openEnded));
    const granted = JSON.parse(engine.call(() => native.header())).tools.map((t) => t.name);
    const own = toolsOf(tools);
    for (const name of own.keys()) {
      if (!granted.includes(name)) throw new InvalidArgument(`the trace grants no tool ${JSON.stringify(name)}; it has: ${granted.join(", ") || "none"}`);
    }
    return new Session(new Restored([engine, native, own, seed, openEnded, values]));
  }

  /** The trace as JSON lines: all that happened. */
  dump() {
    return this.#call((native) => native.dump());
  }

  /** A copy that goes its own way: as the session is, or as it was after a turn. 0 is its beginning. */
  fork(turn) {
    const native = this.#call((native) => native.fork(turn));
    return new Session(new Restored([this.#engine, native, this.#tools, this.#seed, this.#openEnded, this.#inputs]));
  }

  /** Runs a program as the next turn. A fence around it, or a thought in `<think>` before it, is no part of it. */
  run(program) {
    return this.#drive(program, false);
  }

  /** The same for a model's reply with a program in it, in a block of code or alone. */
  reply(reply) {
    return this.#drive(reply, true);
  }

  /** The same with tools that are `async`. Those that a program calls together run at the same time. */
  runAsync(program) {
    return this.#driveAsync(program, false);
  }

  /** reply(), with tools that are `async`. */
  replyAsync(reply) {
    return this.#driveAsync(reply, true);
  }

  /** Runs a program until its end, or until it calls a tool, which the caller answers: no function is called. */
  start(program) {
    return this.#stepped(this.#begin(program, false));
  }

  /** Ends the turn that waits for an answer; whether one did. What it called has been called, and is kept with it. */
  cancel() {
    const waiting = this.#waiting;
    if (waiting === undefined) return false;
    this.#waiting = undefined;
    this.#call((native) => native.cancel());
    const { made } = this.#current;
    if (made.length > 0 || waiting.called || waiting.answers.size > 0) {
      const missing = { error: "the turn was cancelled before it was answered" };
      const ms = performance.now() - waiting.since;
      waiting.calls.forEach((call) => made.push({ ...call, answer: waiting.answers.get(call.id) ?? missing, ms }));
      waiting.kept = this.#ended(this.#current);
    }
    return true;
  }

  /** Keeps a turn that was cancelled, with what it called; its number. */
  #ended(turn) {
    return this.#kept(this.#lost(turn, "cancelled", "the turn was cancelled before it had ended")).turn.turn;
  }

  /** All turns, oldest first. */
  turns() {
    return decode(this.#call((native) => native.turns())).map((record) => new Turn(record));
  }

  /** What is defined, in the order of the first definition. */
  defs() {
    return decode(this.#call((native) => native.definitions())).map((d) => definition(d.definition, d.turn));
  }

  /** What a name is bound to, as data; `undefined` where nothing is. Functions are their text. */
  get(name) {
    const text = this.#call((native) => native.get(String(name)));
    return text === undefined ? undefined : decode(text);
  }

  /** The prompt before the next turn, or before turn `turn`: messages with `role` and `content`, as chat completions have them. */
  messages(policy, options) {
    return this.request("openai", policy, options).messages;
  }

  /** The same as the request body of a provider. */
  request(format, policy, { model = MODEL, turn } = {}) {
    return decode(this.#call((native) => native.request(String(format), policyText(policy), turn, String(model))));
  }

  /** About how many tokens messages() take. */
  tokens(policy, options) {
    return this.tokensOfEach(policy, options).reduce((sum, n) => sum + n, 0);
  }

  /** The same of each message. */
  tokensOfEach(policy, { model = MODEL, turn } = {}) {
    return [...this.#call((native) => native.tokens(policyText(policy), turn, String(model)))];
  }

  /** Calls the native part; where its instance was lost, in a new one to which the trace is given. */
  #call(work) {
    if (this.#engine.broken !== undefined) {
      const bytes = new TextEncoder().encode(this.#lines.join(""));
      this.#engine = new Engine();
      this.#native = this.#engine.call((native) => native.Native.load(bytes, this.#inputs, this.#openEnded));
    }
    return this.#engine.call(() => work(this.#native));
  }

  /** A step of a turn; one that breaks the instance ends the turn with an error. */
  #step(turn, work) {
    let step;
    try {
      step = this.#call(work);
    } catch (e) {
      if (this.#engine.broken === undefined) throw e;
      step = this.#broken(turn);
    }
    return this.#kept(step);
  }

  /** A step as data; the end of a turn is kept. */
  #kept(step) {
    // As it stands in the trace, for the case that the instance is lost.
    if (step.startsWith('{"turn":')) {
      this.#lines.push(`${step.slice('{"turn":'.length, -1)}\n`);
      this.#turns += 1;
    }
    return decode(step);
  }

  /** What becomes of a turn whose instance was lost: an error in a new one. */
  #broken(turn) {
    const { outOfStack, error } = this.#engine.broken;
    return outOfStack
      ? this.#lost(turn, "stack", "the program nests values or calls deeper than the stack of the JavaScript engine has room for")
      : this.#lost(turn, "fault", `the runtime ended with the turn: ${error}`);
  }

  /** The step of a turn that did not come to its end: an error, and what it called. */
  #lost({ text, reply, seed, now, made }, why, words) {
    const calls = `[${made.map(({ id, name, args, answer, ms }) => {
      const ended = answer.ok === undefined ? `"error":${JSON.stringify(answer.error)}` : `"result":${answer.ok}`;
      return `{"id":${id},"name":${JSON.stringify(name)},"args":${args},${ended},"ms":${Math.round(ms)}}`;
    }).join(",")}]`;
    return this.#call((native) => native.lose(text, reply, seed, now, why, words, calls));
  }

  #begin(text, reply, host, made = []) {
    if (typeof text !== "string") throw new InvalidArgument(`a program is a string, not ${text === null ? "null" : typeof text}`);
    if (this.#waiting !== undefined) {
      throw new SessionBusy("a turn of this session waits for an answer; resume() its call, cancel() it, or fork() the session before it");
    }
    const seed = seedOf(this.#seed, this.#turns + 1);
    this.#current = { text, reply, seed, now: Date.now(), made };
    return this.#step(this.#current, (native) => native.start(text, reply, seed, this.#current.now, host));
  }

  #drive(text, reply) {
    const made = [];
    let stop;
    const host = {
      answer: (calls) => {
        const answers = JSON.parse(calls).map(({ id, name, args }) => {
          const before = performance.now();
          const answer = this.#answer(name, args);
          made.push({ id, name, args, answer, ms: performance.now() - before });
          stop ??= answer.stop;
          return answer;
        });
        return JSON.stringify(stop ? null : answers);
      },
    };
    try {
      return new Turn(this.#begin(text, reply, host, made).turn);
    } catch (e) {
      if (stop === undefined) throw e;
      this.#ended(this.#current);
      throw stop;
    }
  }

  /** What a tool answers that is not `async`. */
  #answer(name, args) {
    try {
      const value = this.#function(name)(decode(args));
      if (typeof value?.then !== "function") return answerOf(value);
      value.then(undefined, () => {});
      const words = `tool ${name} is async; await runAsync() instead of run()`;
      return { error: words, stop: new PtcError(words) };
    } catch (e) {
      return { error: wordsOf(e) };
    }
  }

  #function(name) {
    const call = this.#tools.get(name)?.call;
    if (call === undefined) throw new ToolError(`${name} has no function here; give it one in tools, or answer its calls with start()`);
    return call;
  }

  async #driveAsync(text, reply) {
    let step = this.#begin(text, reply);
    while (step.calls) {
      const waiting = (this.#waiting = { calls: step.calls, answers: new Map(), since: performance.now(), called: true });
      const one = async ({ id, name, args }) => {
        let answer;
        try {
          answer = answerOf(await this.#function(name)(decode(args)));
        } catch (e) {
          answer = { error: wordsOf(e) };
        }
        waiting.answers.set(id, answer);
        return answer;
      };
      const answers = await Promise.all(step.calls.map(one));
      step = this.#answered(waiting, answers, performance.now() - waiting.since);
    }
    return new Turn(step.turn);
  }

  /** Answers calls that wait, and goes on. */
  #answered(waiting, answers, ms) {
    if (this.#waiting !== waiting) throw cancelled(waiting);
    this.#waiting = undefined;
    waiting.calls.forEach((call, i) => this.#current.made.push({ ...call, answer: answers[i], ms }));
    // A fork's fault has ended the instance meanwhile, and with it the turn: what it called is kept.
    if (this.#engine.broken !== undefined) {
      return this.#kept(this.#lost(this.#current, "fault", "the runtime ended with the turn: a fork of the session ended it"));
    }
    return this.#step(this.#current, (native) => native.answer(JSON.stringify(answers), ms));
  }

  #stepped(step) {
    if (!step.calls) return new Turn(step.turn);
    const waiting = { calls: step.calls, answers: new Map(), since: performance.now() };
    this.#waiting = waiting;
    waiting.together = step.calls.map(({ id, name, args }) => new ToolCall(id, name, decode(args), waiting, (answer) => {
      if (this.#waiting !== waiting) throw cancelled(waiting);
      if (waiting.answers.has(id)) throw new PtcError("this call has been answered");
      waiting.answers.set(id, answer);
      const next = waiting.together.find((call) => !waiting.answers.has(call.id));
      if (next) return next;
      const answers = waiting.calls.map((call) => waiting.answers.get(call.id));
      return this.#stepped(this.#answered(waiting, answers, performance.now() - waiting.since));
    }));
    return waiting.together[0];
  }
}

function cancelled({ kept }) {
  return new TurnCancelled(`the turn was cancelled; ${kept === undefined ? "nothing of it is kept" : `turn ${kept} has what it called`}`);
}

/** What a session is made of that is there already. */
class Restored {
  constructor(parts) {
    this.parts = parts;
  }
}

/** A tool call that waits for its answer. */
export class ToolCall {
  #waiting;
  #answer;

  constructor(id, name, args, waiting, answer) {
    this.id = id;
    this.name = name;
    this.args = args;
    this.#waiting = waiting;
    this.#answer = answer;
  }

  /** All calls that the program made together, this one among them. They may be answered in any order. */
  get together() {
    return [...this.#waiting.together];
  }

  /** Answers it: with the next call that waits, or the turn at its end. */
  resume(value) {
    return this.#answer({ ok: encode(value, "the answer") });
  }

  /** Answers it with an error, in words for the program and the model. */
  fail(error) {
    return this.#answer({ error: String(error) });
  }
}
