// Data between JavaScript and programs, as JSON has it. Integers of any size: those that a number cannot hold are BigInt.

import { InvalidValue } from "./errors.js";

const NAME = /^[A-Za-z_$][\w$]*$/;

function place(path) {
  return path.map((key) => (typeof key === "number" ? `[${key}]` : NAME.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join("");
}

/** Most that may be nested: as programs may here. */
const DEPTH = 1000;

/** The JSON text of data; `what` names it in errors. */
export function encode(value, what) {
  const path = [];
  const around = new Set();
  const refuse = (why) => { throw new InvalidValue(`${what}${place(path)} ${why}`); };
  const inner = (of, write) => {
    if (around.has(of)) refuse("contains itself");
    if (around.size >= DEPTH) refuse(`is nested deeper than ${DEPTH}`);
    around.add(of);
    const text = write();
    around.delete(of);
    return text;
  };
  const at = (key, item) => {
    path.push(key);
    const text = one(item);
    path.pop();
    return text;
  };
  const entries = (pairs) => {
    const parts = [];
    for (const [key, item] of pairs) {
      if (typeof key !== "string") refuse(`has a key that is no string: ${String(key)}`);
      // As JSON.stringify does it.
      if (item !== undefined) parts.push(`${JSON.stringify(key)}:${at(key, item)}`);
    }
    return `{${parts.join(",")}}`;
  };
  const list = (items) => `[${Array.from(items, (item, i) => at(i, item)).join(",")}]`;
  const one = (v) => {
    switch (typeof v) {
      case "string": return v.isWellFormed?.() === false ? refuse("has surrogates that are no characters") : JSON.stringify(v);
      case "boolean": return String(v);
      case "bigint": return String(v);
      case "number": return Number.isFinite(v) ? JSON.stringify(v) : refuse(`is ${v}, which JSON does not have`);
      case "undefined": return "null";
      case "object": break;
      default: return refuse(`is a ${typeof v}, which is no data`);
    }
    if (v === null) return "null";
    if (typeof v.toJSON === "function") return one(v.toJSON());
    if (v instanceof Map) return inner(v, () => entries(v));
    if (Array.isArray(v) || v instanceof Set || (ArrayBuffer.isView(v) && !(v instanceof DataView))) return inner(v, () => list(v));
    if (typeof v.then === "function") return refuse("is a promise, which is no data");
    return inner(v, () => entries(Object.entries(v)));
  };
  return one(value);
}

/** Data of JSON text of the native part. */
export function decode(text) {
  // A run of digits that a number may not hold; most texts have none.
  return /\d{16}/.test(text) ? exactly(text) : JSON.parse(text);
}

function exactly(text) {
  let at = 0;
  const token = /[{}[\],:]|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/gy;
  const next = () => {
    token.lastIndex = at;
    const found = token.exec(text)[0];
    at = token.lastIndex;
    return found;
  };
  const value = (word) => {
    if (word === "[") {
      const list = [];
      for (word = next(); word !== "]"; word = next()) if (word !== ",") list.push(value(word));
      return list;
    }
    if (word === "{") {
      const pairs = [];
      for (word = next(); word !== "}"; word = next()) {
        if (word === ",") continue;
        next();
        pairs.push([JSON.parse(word), value(next())]);
      }
      return Object.fromEntries(pairs);
    }
    const data = JSON.parse(word);
    return typeof data === "number" && /^-?\d+$/.test(word) && !Number.isSafeInteger(data) ? BigInt(word) : data;
  };
  return value(next());
}
