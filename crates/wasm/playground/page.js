"use strict";
// What is seen and pressed. Sessions are in the worker.

const $ = (id) => document.getElementById(id);
const EXAMPLES = JSON.parse($("examples").textContent);
let example = EXAMPLES[0];
let worker, waiting = new Map(), asked = 0, compiled;
/** The last view, and what the worker's session is made of again when it was stopped. */
let view, running = false;

function make(tag, attributes = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

async function unpacked() {
  const bytes = Uint8Array.from(atob($("wasm").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

function ask(what, given) {
  const id = ++asked;
  return new Promise((done, failed) => {
    waiting.set(id, { done, failed });
    worker.postMessage({ id, what, given });
  });
}

async function startWorker() {
  worker?.terminate();
  for (const { failed } of waiting.values()) failed(new Error("stopped"));
  waiting = new Map();
  const url = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));
  worker = new Worker(url);
  worker.onmessage = ({ data: { id, done, wrong } }) => {
    const { done: give, failed } = waiting.get(id);
    waiting.delete(id);
    if (wrong === undefined) give(done); else failed(new Error(wrong));
  };
  compiled ??= await unpacked();
  await ask("init", compiled);
}

function trouble(words) {
  $("trouble").textContent = words ?? "";
  $("trouble").hidden = !words;
}

/** Does something, and says what went wrong. */
async function attempt(work) {
  trouble();
  try {
    await work();
  } catch (e) {
    if (e.message !== "stopped") trouble(e.message);
  }
}

function chosenPolicy() {
  const policy = $("policy").value;
  if (policy !== "own") return policy;
  try {
    return JSON.parse($("options").value);
  } catch (e) {
    throw new Error(`The options are no JSON: ${e.message}`);
  }
}

async function look(turn) {
  view = await ask("view", { policy: chosenPolicy(), turn, model: $("model").value });
  show();
}

function show() {
  const { turns, before } = view;
  $("number").textContent = turns.length + 1;
  $("before").replaceChildren(...Array.from({ length: turns.length + 1 }, (_, i) =>
    make("option", { value: i + 1 }, i === turns.length ? `${i + 1} (the next)` : `${i + 1}`)));
  $("before").value = before;
  $("none").hidden = turns.length > 0;
  $("turns").replaceChildren(...turns.map((t) => {
    const first = t.program.trim().split("\n").find((line) => !line.startsWith(";")) ?? "";
    const button = make("button", { "aria-current": t.number === before, title: "Its program, and what was sent before it" },
      make("span", {}, `${t.number}`), make("span", { class: t.status }, t.status), make("code", {}, first));
    button.onclick = () => attempt(async () => {
      await look(t.number);
      $("program").value = t.program;
      result(t);
    });
    return make("li", {}, button);
  }));
  const words = view.tools.map((t) => `tool/${t.name}: ${t.description}`);
  $("tools").textContent = words.length ? `Tools: ${words.join("; ")}` : "";
  showTokens();
  showMessages();
}

function showTokens() {
  const { full, compressed, chosen } = view.tokens;
  const most = Math.max(full, compressed, chosen, 1);
  const own = $("policy").value === "own";
  $("own-tokens").hidden = !own;
  for (const [name, n] of Object.entries({ full, compressed, own: chosen })) {
    $(`tokens-${name}`).textContent = `${n.toLocaleString("en")} tokens`;
    $(`bar-${name}`).style.width = `${(100 * n) / most}%`;
    $(`tokens-${name}`).parentElement.className = $("policy").value === name ? "chosen" : "";
  }
}

function showMessages() {
  const last = view.messages.length - 1;
  $("messages").replaceChildren(...view.messages.map(({ role, content }, i) => {
    const n = view.each[i];
    const card = make("details", { class: `message ${role}${i === last ? " last" : ""}` },
      make("summary", {}, make("b", {}, role), make("span", {}, `${n.toLocaleString("en")} tokens`)), make("pre", {}, content ?? ""));
    // The description of the language is the same at every turn.
    card.open = role !== "system";
    return card;
  }));
}

function result(turn) {
  $("result").hidden = !turn;
  if (!turn) return;
  $("turn").textContent = turn.number;
  $("status").textContent = turn.status;
  $("status").className = turn.status;
  $("printed").textContent = turn.printed.join("");
  $("value").textContent = turn.status === "error" || turn.text === null ? "" : `=> ${turn.text}`;
  $("usage").textContent = `${turn.usage.fuel.toLocaleString("en")} fuel, ${turn.usage.wall_ms} ms`;
  const { error } = turn;
  $("error").replaceChildren();
  if (!error) return;
  $("error").append(`${error.kind}: ${error.message}`);
  if (error.line !== null) {
    const place = make("button", {}, `line ${error.line}`);
    place.onclick = () => mark(turn.program, error);
    $("error").append(place);
  }
  if (error.hint) $("error").append(make("span", { class: "hint" }, error.hint));
}

/** Selects the place of an error. */
function mark(program, { line, column }) {
  const area = $("program");
  if (area.value !== program) area.value = program;
  const before = program.split("\n").slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
  // Columns are characters, places in a text area are units of UTF-16.
  const start = before + [...program.slice(before)].slice(0, (column ?? 1) - 1).join("").length;
  area.focus();
  area.setSelectionRange(start, start + Math.max(1, program.slice(start).match(/^[^\s()[\]{}]+|^./)?.[0].length ?? 1));
}

function busy(words) {
  running = Boolean(words);
  $("busy").textContent = words ?? "";
  $("stop").disabled = !running;
  for (const id of ["run", "all", "fresh", "begin", "open", "example"]) $(id).disabled = running;
}

/** Runs a program as the next turn; whether it ended well. */
async function runOne(program) {
  await ask("run", program);
  await look();
  const turn = view.turns.at(-1);
  result(turn);
  return turn.status !== "error";
}

async function run() {
  if (running || !view) return;
  const program = $("program").value;
  busy("runs…");
  await attempt(async () => {
    const good = await runOne(program);
    // Those of an example follow each other.
    const next = example?.programs[example.programs.indexOf(program) + 1];
    if (example?.programs.includes(program) && next && (good || example.errs)) $("program").value = next;
  });
  busy();
}

async function runAll() {
  if (running || !example) return;
  busy("runs…");
  await attempt(async () => {
    await begin();
    for (const program of example.programs) {
      $("program").value = program;
      await runOne(program);
    }
  });
  busy();
}

async function begin() {
  let inputs;
  try {
    inputs = JSON.parse($("inputs").value || "{}");
  } catch (e) {
    throw new Error(`The inputs are no JSON: ${e.message}`);
  }
  await ask("begin", { prompt: $("prompt").value, inputs, tools: example?.tools });
  result();
  await look();
}

async function choose(name) {
  example = EXAMPLES.find((e) => e.name === name);
  $("prompt").value = example.prompt;
  $("inputs").value = JSON.stringify(example.inputs, null, 1);
  $("program").value = example.programs[0];
  await begin();
}

async function stop() {
  const trace = view?.trace;
  await startWorker();
  await attempt(async () => {
    await ask("load", { trace, tools: example?.tools });
    await look();
    trouble("Stopped; nothing of that turn is kept.");
  });
  busy();
}

async function opened(file) {
  const trace = await file.text();
  await attempt(async () => {
    await ask("load", { trace });
    example = undefined;
    await look();
    $("prompt").value = view.prompt;
    $("inputs").value = "{}";
    $("program").value = "";
    result(view.turns.at(-1));
  });
}

function save() {
  const link = make("a", { href: URL.createObjectURL(new Blob([view.trace], { type: "application/jsonl" })), download: "session.jsonl" });
  link.click();
  URL.revokeObjectURL(link.href);
}

$("example").append(...EXAMPLES.map((e) => make("option", {}, e.name)));
$("example").onchange = () => attempt(() => choose($("example").value));
$("run").onclick = run;
$("all").onclick = runAll;
$("stop").onclick = stop;
$("begin").onclick = () => attempt(begin);
$("fresh").onclick = () => attempt(async () => {
  await begin();
  $("program").value = example?.programs[0] ?? "";
});
$("open").onclick = () => $("file").click();
$("file").onchange = () => {
  if ($("file").files[0]) opened($("file").files[0]);
  $("file").value = "";
};
$("save").onclick = save;
$("before").onchange = () => attempt(() => look(Number($("before").value)));
$("model").onchange = $("options").onchange = () => attempt(() => look(Number($("before").value)));
$("policy").onchange = () => {
  $("options").hidden = $("policy").value !== "own";
  attempt(() => look(Number($("before").value)));
};
document.addEventListener("keydown", (e) => {
  if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) {
    e.preventDefault();
    run();
  }
});

(async () => {
  busy("loads…");
  await attempt(async () => {
    await startWorker();
    await choose(EXAMPLES[0].name);
  });
  busy();
  document.body.dataset.ready = "";
})();
