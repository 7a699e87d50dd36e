// What the package promises: `node package.mjs PACKAGE`.
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ptc = await import(pathToFileURL(join(process.argv[2], "index.js")));
const { Session, ToolCall, Turn } = ptc;
let ran = 0;
async function test(name, work) {
  try {
    await work();
    ran += 1;
  } catch (e) {
    e.message = `${name}: ${e.message}`;
    throw e;
  }
}

await test("a turn tells all that happened", () => {
  const session = new Session();
  const turn = session.run('(println "a")\n(def x "Three" [1 2 3])\n{:n (count x) :s #{1}}');
  assert.ok(turn instanceof Turn && turn.ok);
  assert.deepEqual([turn.number, turn.status, turn.value, turn.text], [1, "ok", { n: 3, s: [1] }, "{:n 3, :s #{1}}"]);
  assert.deepEqual(turn.printed, ["a\n"]);
  assert.deepEqual(turn.defined, [{ name: "x", kind: "data", doc: "Three", params: null, type: "list[3]", sample: "1", turn: 1 }]);
  assert.ok(turn.feedback.includes("a") && turn.usage.fuel > 0 && turn.record.turn === 1);
  const { error } = session.run("(def y 1)\n(conut x)");
  assert.deepEqual([error.kind, error.line, error.column, error.hint], ["name", 2, 2, "did you mean count?"]);
  assert.equal(String(error), "line 2: name: unknown name conut (did you mean count?)");
  assert.deepEqual([session.get("x"), session.get("y")], [[1, 2, 3], undefined]);
  assert.deepEqual(session.defs().map((d) => [d.name, d.turn]), [["x", 1]]);
  assert.throws(() => session.run("(fail 7)").result(), ptc.ProgramError);
});

await test("a program that a model wrote into a field may have a fence and thoughts", () => {
  const session = new Session();
  assert.equal(session.run("```clj\n(+ 1 2)\n```").value, 3);
  const turn = session.run('<think>```clojure\n(draft)\n```</think>\n(str "<think>")');
  assert.deepEqual([turn.value, turn.program], ["<think>", '(str "<think>")']);
  assert.match(session.run("```python\n1\n```").error.message, /tagged python/);
});

await test("data goes in and comes out as it was", () => {
  const big = 123456789012345678901234567890n;
  const value = { big, list: [1, -0.5, true, null, "é\u2028"], "odd key": { deep: [[[]]] }, safe: 2 ** 53 - 1, exact: "1234567890123456 \\\" 5" };
  const session = new Session({ inputs: { value }, tools: { same: ({ x }) => x } });
  assert.deepEqual(session.run("ctx/value").value, value);
  assert.deepEqual(session.run("(tool/same {:x ctx/value})").value, value);
  assert.equal(session.run("(*' 3037000500 3037000500)").value, 9223372037000250000n);
  const of = (x) => new Session({ inputs: { x } }).run("ctx/x").value;
  assert.deepEqual(of(new Map([["a", new Set([1])]])), { a: [1] });
  assert.deepEqual([of(new Date(0)), of(undefined), of(new Uint8Array([1, 2]))], ["1970-01-01T00:00:00.000Z", null, [1, 2]]);
  assert.deepEqual(of({ a: undefined, b: 1 }), { b: 1 });
  assert.deepEqual(of(JSON.parse('{"__proto__": 1}')), JSON.parse('{"__proto__": 1}'));
  const round = [];
  round.push({ "a b": [round] });
  assert.throws(() => of(round), { name: "InvalidValue", message: 'input x[0]["a b"][0] contains itself' });
  assert.throws(() => of([() => 1]), { name: "InvalidValue", message: "input x[0] is a function, which is no data" });
  assert.throws(() => of({ a: NaN }), { message: "input x.a is NaN, which JSON does not have" });
  let deep = [];
  for (let i = 0; i < 5000; i++) deep = [deep];
  assert.throws(() => of(deep), { name: "InvalidValue", message: /is nested deeper than 1000$/ });
});

await test("what cannot be is refused with words", () => {
  assert.throws(() => new Session({ max_turns: 1 }), { name: "InvalidArgument", message: /^a session has no option max_turns; it has: / });
  assert.throws(() => new Session({ limits: { fuels: 1 } }), { name: "InvalidArgument", message: /^limits: unknown field `fuels`/ });
  assert.throws(() => new Session({ policy: "short" }), { name: "InvalidArgument", message: /pass "full", "compressed" or/ });
  assert.throws(() => new Session({ inputs: { "a b": 1 } }), { name: "InvalidArgument" });
  assert.throws(() => new Session({ tools: { f: 5 } }), { name: "InvalidArgument" });
  assert.throws(() => new Session({ tools: { f: { params: { x: "strin" } } } }), { message: /tool f, parameter x/ });
  assert.throws(() => new Session().run(5), { name: "InvalidArgument", message: "a program is a string, not number" });
  assert.throws(() => new Session().messages("full", { turn: 2 }), { name: "InvalidArgument", message: "there is no turn 2; the next one is 1" });
  assert.throws(() => new Session().fork(1), { name: "InvalidArgument" });
  assert.throws(() => Session.load("{}"), { name: "InvalidTrace" });
  const session = new Session({ prompt: "Say it", maxTurns: 1 });
  session.run("(return 1)");
  assert.throws(() => session.run("1"), (e) => e instanceof ptc.SessionEnded && e instanceof ptc.PtcError);
});

await test("tools are functions, and their errors are the call's", () => {
  const tools = {
    fail: () => { throw new ptc.ToolError("nobody is there"); },
    bug: () => null.x,
    text: { call: () => 5, returns: "string" },
    odd: () => () => 1,
    nobody: {},
    later: () => Promise.resolve(1),
  };
  const session = new Session({ tools });
  const message = (program) => session.run(program).error.message;
  assert.equal(message("(tool/fail)"), "tool/fail: nobody is there");
  assert.match(message("(tool/bug)"), /^tool\/bug: TypeError: /);
  assert.match(message("(tool/text)"), /^tool\/text: its answer/);
  assert.equal(message("(tool/odd)"), "tool/odd: its answer is a function, which is no data");
  assert.match(message("(tool/nobody)"), /has no function here/);
  assert.throws(() => session.run("(def x 1) (try (tool/later) (catch Exception e 1))"), { message: "tool later is async; await runAsync() instead of run()" });
  assert.equal(session.get("x"), undefined);
  assert.equal(session.run('(try (tool/fail) (catch Exception e (ex-message e)))').value, "nobody is there");
  const own = new Session({ tools: { again: () => own.run("1").value } });
  assert.match(own.run("(tool/again)").error.message, /SessionBusy: a turn of this session is running/);
});

await test("a call whose answer comes after the time of the turn is in its record", async () => {
  const tools = { slow: () => new Promise((done) => setTimeout(done, 300, 1)) };
  const turn = await new Session({ tools, limits: { wall_ms: 100 } }).runAsync("(tool/slow)");
  assert.deepEqual([turn.error.kind, turn.record.tool_calls.length], ["limit/time", 1]);
});

await test("a fork that breaks the memory it shares leaves what a turn that waits has called", async () => {
  const session = new Session({ tools: { later: () => new Promise((done) => setTimeout(done, 20, 1)) }, limits: { fuel: 2 ** 40, wall_ms: 0 } });
  const waiting = session.runAsync("(tool/later)");
  const deep = "(loop [i 0 v nil] (if (< i 900) (recur (inc i) [v]) v))";
  const fork = session.fork();
  let lost = false;
  const nested = (left) => {
    try {
      fork.run(deep);
    } catch {
      lost = true;
    }
    return left;
  };
  // With most of the stack used up already.
  const down = (n) => {
    try {
      return down(n + 1);
    } catch {
      return nested(n);
    }
  };
  down(0);
  const turn = await waiting;
  assert.equal(turn.record.tool_calls.length, 1, JSON.stringify([lost, turn.record]));
  assert.equal(session.run("1").value, 1);
});

await test("tools that are async are awaited together, and nothing is called twice", async () => {
  let running = 0, most = 0, calls = 0;
  const fetch = async ({ n }) => {
    calls += 1;
    most = Math.max(most, ++running);
    await new Promise((done) => setTimeout(done, 5));
    running -= 1;
    if (n > 8) throw new ptc.ToolError("too large");
    return n * 2;
  };
  const session = new Session({ tools: { fetch: { call: fetch, params: { n: "integer" } } } });
  const turn = await session.runAsync("(def a (vec (pmap #(tool/fetch %) [1 2 3])))\n(println a)\n(tool/fetch (reduce + a))");
  assert.equal(turn.error.message, "tool/fetch: too large");
  assert.deepEqual([calls, most, turn.calls.length, turn.printed], [4, 3, 4, ["[2 4 6]\n"]]);
  assert.deepEqual(turn.calls.map((c) => c.together), [1, 1, 1, null]);
  assert.ok(turn.calls.every((c) => c.ms >= 4), JSON.stringify(turn.calls));
  assert.deepEqual((await session.replyAsync("```clojure\n(tool/fetch 4)\n```")).value, 8);
});

await test("what was called stays in the session, however its turn ended", async () => {
  let made = 0;
  const wait = async ({ n }) => {
    made += 1;
    if (n > 1) await new Promise((done) => setTimeout(done, 20));
    return n;
  };
  const session = new Session({ tools: { wait: { call: wait, params: { n: "integer" } }, now: () => { made += 1; return 7; } } });
  const calls = (turn) => session.turns()[turn - 1].calls.map((c) => [c.name, c.args.n, c.result ?? c.error]);
  assert.throws(() => session.run("(def x (tool/now)) (tool/wait 1)"), { message: "tool wait is async; await runAsync() instead of run()" });
  assert.deepEqual(calls(1), [["now", undefined, 7], ["wait", 1, "tool wait is async; await runAsync() instead of run()"]]);
  const waits = session.runAsync("(def x (tool/now)) (vec (pmap #(tool/wait %) [1 2]))");
  assert.throws(() => session.run("1"), { name: "SessionBusy" });
  while (made < 5) await new Promise((done) => setTimeout(done, 1));
  assert.deepEqual([session.cancel(), session.cancel()], [true, false]);
  await assert.rejects(waits, { name: "TurnCancelled", message: "the turn was cancelled; turn 2 has what it called" });
  const ended = session.turns()[1];
  assert.deepEqual([ended.status, ended.error.kind, session.get("x")], ["error", "limit/time", undefined]);
  assert.deepEqual(calls(2), [["now", undefined, 7], ["wait", 1, 1], ["wait", 2, "the turn was cancelled before it was answered"]]);
  assert.equal(Session.load(session.dump()).dump(), session.dump());
  assert.equal((await session.runAsync("(tool/wait 1)")).number, 3);
  assert.equal(made, 6);
});

await test("a seed is a whole number", () => {
  const once = (seed) => new Session({ seed }).run("(rand)").value;
  assert.deepEqual([once(3), once(3n)], [once(3), once(3)]);
  for (const seed of [1.5, NaN, 2 ** 60, "3", null, {}]) {
    assert.throws(() => new Session({ seed }), { name: "InvalidArgument", message: /^a seed is/ });
  }
  assert.throws(() => Session.load(new Session().dump(), { seed: 1.5 }), { name: "InvalidArgument" });
});

await test("calls are answered by the caller, in any order and at any time", () => {
  const session = new Session({ tools: { ask: { params: { q: "string" } } } });
  let call = session.start('(println "now") (vec (pmap #(tool/ask %) ["a" "b"]))');
  assert.ok(call instanceof ToolCall);
  const [a, b] = call.together;
  assert.deepEqual([a.id, a.name, a.args, b.args], [1, "ask", { q: "a" }, { q: "b" }]);
  assert.deepEqual([session.turns().length, session.messages().length > 0], [0, true]);
  assert.throws(() => session.run("1"), { name: "SessionBusy" });
  assert.throws(() => b.resume(() => 1), { name: "InvalidValue" });
  assert.equal(b.resume(2), a);
  assert.throws(() => b.resume(2), { message: "this call has been answered" });
  const turn = a.resume(1);
  assert.deepEqual([turn.value, turn.printed], [[1, 2], ["now\n"]]);
  call = session.start('(tool/ask "c")');
  assert.equal(call.fail("no").error.message, "tool/ask: no");
  call = session.start('(tool/ask "c")');
  assert.deepEqual([session.cancel(), session.cancel()], [true, false]);
  assert.throws(() => call.resume(1), { name: "TurnCancelled", message: "the turn was cancelled; nothing of it is kept" });
  assert.equal(session.turns().length, 2);
  session.start('(vec (pmap #(tool/ask %) ["d" "e"]))').resume(4);
  session.cancel();
  assert.deepEqual(session.turns()[2].calls.map((c) => c.result ?? c.error), [4, "the turn was cancelled before it was answered"]);
  assert.equal(session.start("1").value, 1);
});

await test("a trace is the session", () => {
  const session = new Session({ prompt: "Count", seed: 3, tools: { roll: () => 4 }, openEnded: true, maxTurns: 50 });
  for (const program of ["(def n (tool/roll))", "(def n (inc n))", "(oops)", "(def r (rand))"]) session.run(program);
  const other = Session.load(session.dump(), { tools: { roll: () => 6 } });
  assert.equal(other.dump(), session.dump());
  assert.deepEqual(other.messages(), session.messages());
  assert.deepEqual([other.get("n"), other.get("r")], [5, session.get("r")]);
  assert.equal(other.run("(tool/roll)").value, 6);
  assert.throws(() => Session.load(session.dump(), { tools: { other: () => 1 } }), { message: 'the trace grants no tool "other"; it has: roll' });
  const fork = session.fork(1);
  assert.deepEqual([fork.get("n"), fork.turns().length, session.get("n")], [4, 1, 5]);
  fork.run("(def n 100)");
  assert.deepEqual([fork.get("n"), session.get("n"), session.fork().get("n")], [100, 5, 5]);
  assert.throws(() => Session.load(session.dump().replace('"sample":"5"', '"sample":"6"').replace('"value_json":5', '"value_json":6').replaceAll('"#\'user/n"', '"7"')), { name: "InvalidTrace" });
});

await test("messages and tokens are those of a policy", () => {
  const session = new Session({ prompt: "Work", maxTurns: 20 });
  for (let i = 0; i < 6; i++) session.run(`(def xs${i} "Numbers" (vec (range ${i} 300)))\n(run! println xs${i})`);
  const [full, short] = [session.messages("full"), session.messages("compressed")];
  assert.notDeepEqual(full, short);
  assert.equal(full[0].role, "system");
  assert.ok(session.tokens("full") > 1.3 * session.tokens("compressed"), `${session.tokens("full")} ${session.tokens("compressed")}`);
  assert.equal(session.tokensOfEach("full").length, full.length);
  assert.deepEqual(session.messages({ compress_history: false }), full);
  assert.deepEqual(session.messages("full", { turn: 3 }), full.slice(0, session.messages("full", { turn: 3 }).length));
  assert.ok(session.request("anthropic", "full").system && session.request("gemini").contents);
  assert.throws(() => session.request("smtp"), { name: "InvalidArgument" });
  const words = ptc.textTokens("one two three four five six seven eight nine ten");
  assert.ok(words >= 8 && words <= 20 && ptc.textTokens("") === 0, `${words}`);
});

await test("a program that needs more stack than there is fails, and its session goes on", () => {
  const session = new Session({ tools: { t: () => 5 } });
  session.run("(def kept (atom 1))");
  const fork = session.fork();
  const turn = session.run("(swap! kept inc) (tool/t {:a 1})\n(defn spin [] (lazy-seq (spin)))\n(first (spin))");
  assert.equal(turn.error.kind, "limit/depth");
  assert.deepEqual(turn.calls.map((c) => [c.name, c.args, c.result]), [["t", { a: 1 }, 5]]);
  assert.deepEqual([session.run("@kept").value, session.turns().length], [1, 3]);
  assert.deepEqual([fork.run("(swap! kept inc)").value, fork.turns().length], [2, 2]);
  assert.equal(Session.load(session.dump()).turns().length, 3);
});

await test("runaway programs end", () => {
  const session = new Session({ limits: { wall_ms: 200, fuel: 1e15 } });
  assert.equal(session.run("(loop [] (recur))").error.kind, "limit/time");
  assert.equal(new Session({ limits: { fuel: 1000 } }).run("(loop [] (recur))").error.kind, "limit/fuel");
  assert.equal(session.run("1").value, 1);
});

assert.equal(ptc.version(), "0.1.0");
console.log(`${ran} tests passed`);
