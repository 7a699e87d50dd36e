// Turns that have ended.

import { ProgramError } from "./errors.js";

/** Why a turn failed. */
class TurnError {
  constructor(of) {
    this.kind = of.kind;
    this.message = of.message;
    this.line = of.line;
    this.column = of.column;
    this.hint = of.hint;
    this.calls = of.calls;
  }

  toString() {
    const place = this.line === null ? "" : `line ${this.line}: `;
    return `${place}${this.kind}: ${this.message}${this.hint === null ? "" : ` (${this.hint})`}`;
  }
}

/** A definition of a record. */
export function definition(of, turn) {
  const { name, kind, doc, params = null, type = null, sample } = of;
  return { name, kind, doc, params, type, sample, turn };
}

/** A turn is a transaction: one with an error has changed nothing. */
export class Turn {
  constructor(record) {
    const { value, value_json: json, error } = record;
    this.number = record.turn;
    this.program = record.program;
    this.status = record.status;
    // What is no JSON is its text.
    this.value = json === null && value !== null && value !== "nil" && record.status !== "error" ? value : json;
    this.text = value;
    this.printed = record.printed;
    this.error = error === null ? null : new TurnError(error);
    this.calls = record.tool_calls.map((c) => {
      const { id, name, args, result = null, error = null, ms, together = null } = c;
      return { id, name, args, result, error, ms, together };
    });
    this.defined = record.definitions.filter((d) => !d.rolled_back).map((d) => definition(d, record.turn));
    this.feedback = record.feedback;
    this.usage = record.usage;
    this.record = record;
  }

  /** Whether it has neither an error nor failed. */
  get ok() {
    return this.status === "ok" || this.status === "returned";
  }

  /** The value, where there is one. */
  result() {
    if (this.ok) return this.value;
    throw new ProgramError(this.error ? String(this.error) : `the program failed: ${this.text}`);
  }
}
