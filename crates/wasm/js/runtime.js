// The module, and instances of it: each session has a memory of its own with its forks, which goes with them, and whose end harms no others.

import { PtcError, SessionBusy, thrown } from "./errors.js";
import { instance } from "./engine.js";

let compiled;

/** Sets what sessions run in: the bytes of `ptc.wasm`, or what was compiled of them. */
export function init(source) {
  compiled = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
}

let shared;

/** An instance that holds no session. */
function plain() {
  shared ??= new Engine();
  return shared;
}

/** The version of the package. */
export function version() {
  return plain().native.version();
}

/** About how many tokens a text takes, as the provider of a model counts. */
export function textTokens(text, { model = MODEL } = {}) {
  return plain().call((native) => native.textTokens(String(text), String(model)));
}

/** As whose tokens are counted where no model is named. */
export const MODEL = "openai/gpt-5.1";

/** An instance. */
export class Engine {
  constructor() {
    if (!compiled) throw new PtcError("call init() with the bytes of ptc.wasm first");
    this.native = instance(compiled);
    /** Why it cannot be used any more. */
    this.broken = undefined;
    this.busy = false;
  }

  /** Calls the native part. */
  call(work) {
    if (this.busy) throw new SessionBusy("a turn of this session is running; a tool cannot use the session that calls it");
    this.busy = true;
    try {
      return work(this.native);
    } catch (e) {
      if (typeof e === "string") throw thrown(e);
      // What happened in the middle of something left it as it was then.
      this.broken = { outOfStack: e instanceof RangeError, error: e };
      throw e;
    } finally {
      this.busy = false;
    }
  }
}
