// Prompts are put in their places when they are opened: each distinct message is kept once, in the block of data. And a
// search over what the page shows.
"use strict";
let data = JSON.parse(document.getElementById("data").textContent);

function element(name, className, text) {
  const e = document.createElement(name);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}

const count = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

// A text as it is, or lines of an earlier one and others between them.
function textOf(number) {
  const changes = [];
  let text = data.texts[number];
  while (typeof text !== "string") {
    changes.push(text);
    text = data.texts[text[0]];
  }
  for (const [, pieces] of changes.reverse()) {
    const lines = text.split("\n");
    text = pieces.map((p) => (typeof p === "string" ? p : lines.slice(p[0], p[0] + p[1]).join("\n"))).join("\n");
  }
  return text;
}

// Of a message by turns a number of lines and the reason of these lines.
function runsOf(number) {
  const changes = [];
  let message = data.messages[number];
  while (message.length > 2) {
    changes.push(message);
    message = data.messages[message[1]];
  }
  let runs = message[1];
  for (const [, , first, last, between] of changes.reverse()) runs = [...runs.slice(0, first), ...between, ...runs.slice(runs.length - last)];
  return runs;
}

// The messages of the prompt before turn k: what it has in common with the one before, then its own.
function messages(view, k) {
  let here = [];
  for (let i = 0; i < k; i++) {
    const [common, more] = view.prompts[i];
    here = here.slice(0, common).concat(more);
  }
  return here;
}

const linesOf = (message) => textOf(data.messages[message][0]).replace(/\n$/, "").split("\n");

// Whether each line is known. Blank lines, headings and fences are in every prompt: they are as the line before them.
function states(lines, known) {
  const out = lines.map((l) => (/^\s*$|^\[[A-Z]+\]$|^```/.test(l) ? null : known.has(l)));
  let last = out.find((s) => s !== null) ?? true;
  return out.map((s, i) => {
    // A heading is as what it stands over.
    if (s === null && /^\[/.test(lines[i])) last = out.slice(i).find((later) => later !== null) ?? last;
    return (last = s ?? last);
  });
}

// Parts of a list that are known, and that are not, with their places: [known, first, behind the last].
function parts(list) {
  const out = [];
  list.forEach((there, i) => {
    const last = out.at(-1);
    if (last && last[0] === there) last[2] = i + 1;
    else out.push([there, i, i + 1]);
  });
  return out;
}

function fold(words) {
  const e = element("details", "same");
  e.append(element("summary", "", words));
  return e;
}

// A message line by line beside its reasons; `known` are lines that were sent before.
function message(number, known, into) {
  const runs = runsOf(number);
  const lines = textOf(data.messages[number][0]).split("\n");
  const old = known && states(lines, known);
  let at = 0;
  for (const [length, reason] of runs) {
    const mine = lines.slice(at, at + length);
    for (const [there, from, to] of old ? parts(old.slice(at, at + length)) : [[true, 0, mine.length]]) {
      const run = element("div", there ? "run" : "run new");
      const why = element("span", "why", data.reasons[reason]);
      if (!there) why.prepend(element("b", "sign", "+ new: "));
      run.append(why, element("pre", at === 0 && from === 0 ? "exact role" : "exact", mine.slice(from, to).join("\n") + "\n"));
      into.append(run);
    }
    at += length;
  }
}

// What is new since the prompt before, in its place; the rest folded.
function fillNew(turn, place) {
  const view = data.views[0];
  const here = messages(view, turn);
  const before = turn > 1 ? messages(view, turn - 1) : [];
  const old = new Set(before);
  const gone = before.filter((m) => !here.includes(m));
  // Lines of messages that were written anew: what is among them is not new.
  const known = turn > 1 ? new Set(gone.flatMap(linesOf)) : null;
  for (const [there, from, to] of parts(here.map((m) => old.has(m)))) {
    let into = place;
    if (there) {
      into = fold(`${count(to - from, "message")} as before turn ${turn - 1}`);
      place.append(into);
    }
    for (const m of here.slice(from, to)) message(m, there ? null : known, into);
  }
  const kept = new Set(here.flatMap(linesOf));
  const lost = gone.flatMap(linesOf).filter((l) => l.trim() !== "" && !kept.has(l));
  if (lost.length) {
    const e = fold(`${count(lost.length, "line")} of the prompt before turn ${turn - 1} left out or written anew`);
    e.append(element("pre", "lost", lost.join("\n")));
    place.append(e);
  }
}

// The prompt under both policies beside each other, lines that are in one of them only marked.
function fillBeside(turn, place) {
  const sides = data.views.map((view) => messages(view, turn).flatMap(linesOf));
  const sets = sides.map((lines) => new Set(lines));
  data.views.forEach((view, i) => {
    const side = element("section", "side");
    const tokens = view.tokens[turn - 1];
    side.append(element("h4", "", `${view.name}${tokens === null ? "" : `: ${count(tokens, "token")}`}`));
    for (const [both, from, to] of parts(states(sides[i], sets[1 - i]))) {
      const text = sides[i].slice(from, to).join("\n") + "\n";
      const run = element(both ? "div" : "ins", both ? "both" : "only");
      if (!both) run.append(element("b", "sign", "only here:"));
      run.append(element("pre", "", text));
      let into = side;
      if (both && to - from > 6) {
        into = fold(`${count(to - from, "line")} in both`);
        side.append(into);
      }
      into.append(run);
    }
    place.append(side);
  });
}

// Text only ever goes in as text.
function fill(prompt) {
  const place = prompt.querySelector(".lines");
  if (place.firstChild) return;
  const turn = Number(prompt.dataset.turn);
  const bar = element("p", "ways");
  const fresh = element("div", "fresh");
  const beside = element("div", "beside");
  beside.hidden = true;
  fillNew(turn, fresh);
  const way = element("button", "", `Beside ${data.views[1].name}`);
  way.type = "button";
  way.setAttribute("aria-pressed", "false");
  way.addEventListener("click", () => {
    if (!beside.firstChild) fillBeside(turn, beside);
    beside.hidden = !beside.hidden;
    fresh.hidden = !beside.hidden;
    way.setAttribute("aria-pressed", String(!beside.hidden));
  });
  const copy = element("button", "copy", "Copy the prompt");
  copy.type = "button";
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(messages(data.views[0], turn).map((m) => textOf(data.messages[m][0])).join(""));
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "The browser does not allow it";
    }
  });
  bar.append(way, copy);
  place.append(bar, fresh, beside);
}

// A details element tells of its opening before it is painted only if asked at the click; so both are heard.
addEventListener("click", (e) => {
  const prompt = e.target.closest?.(".prompt > summary")?.parentElement;
  if (prompt) fill(prompt);
});
addEventListener("toggle", (e) => e.target.matches?.(".prompt") && e.target.open && fill(e.target), true);

// A link to something folded unfolds it.
function reveal(target) {
  for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
}
function unfold() {
  let name = location.hash.slice(1);
  try { name = decodeURIComponent(name); } catch { /* as it stands */ }
  const target = name && document.getElementById(name);
  if (!target) return;
  reveal(target);
  target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();
// The same link once more: the address does not change.
addEventListener("click", (e) => {
  const link = e.target.closest?.("a[href^='#']");
  if (link && link.getAttribute("href") === location.hash) setTimeout(unfold);
});

for (const all of document.querySelectorAll(".all, .find")) all.hidden = false;
addEventListener("click", (e) => {
  const way = e.target.closest?.("[data-all]")?.dataset.all;
  if (way) for (const turn of document.querySelectorAll(".turn")) turn.open = way === "open";
});

// The search. All text of the page is one long text, with a mark between blocks; places are ranges of it.
const SHOWN = 2000;
const find = document.getElementById("find");
const found = document.getElementById("found");
let index = null;
let places = [];
let total = 0;
let at = -1;

function build() {
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest("svg, noscript, button") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const nodes = [];
  const starts = [];
  const texts = [];
  let length = 0;
  let block = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const here = node.parentElement.closest("pre, p, li, td, th, dt, dd, h1, h2, h3, h4, h5, div, summary, section");
    if (block && here !== block) {
      texts.push("\0");
      length += 1;
    }
    block = here;
    const lower = node.data.toLowerCase();
    nodes.push(node);
    starts.push(length);
    // A few letters are longer in lower case: places would move.
    texts.push(lower.length === node.data.length ? lower : node.data);
    length += node.data.length;
  }
  return { nodes, starts, text: texts.join("") };
}

function pointAt(offset, end) {
  const { starts, nodes } = index;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] < offset || (!end && starts[middle] === offset)) low = middle;
    else high = middle - 1;
  }
  return [nodes[low], Math.min(offset - starts[low], nodes[low].data.length)];
}

function paint(name, ranges) {
  if (!CSS.highlights) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}

function search() {
  const words = find.value.toLowerCase();
  places = [];
  total = 0;
  at = -1;
  if (words) {
    index ??= build();
    for (let i = index.text.indexOf(words); i >= 0; i = index.text.indexOf(words, i + words.length)) {
      total += 1;
      if (total > SHOWN) continue;
      const range = document.createRange();
      range.setStart(...pointAt(i, false));
      range.setEnd(...pointAt(i + words.length, true));
      places.push(range);
    }
  }
  paint("found", places);
  paint("here", []);
  const turns = new Set(places.map((r) => r.startContainer.parentElement.closest(".turn")?.id).filter(Boolean));
  found.textContent = !words ? "" : total === 0 ? "Not found" :
    `${count(total, "place")}${turns.size ? ` in ${count(turns.size, "turn")}` : ""}; Enter goes to the first`;
  for (const a of document.querySelectorAll(".map a")) a.classList.toggle("hit-turn", turns.has(a.getAttribute("href").slice(1)));
}

function tell() {
  const turn = places[at].startContainer.parentElement.closest(".turn");
  const of = total > SHOWN ? `the first ${count(SHOWN, "place")} of ${total.toLocaleString("en")}` : total.toLocaleString("en");
  found.textContent = `${at + 1} of ${of}${turn ? `, turn ${turn.id.slice(1)}` : ""}`;
}

function go(by) {
  if (!places.length) return;
  // With no place chosen yet there are a first and a last one.
  if (at < 0) at = by > 0 ? 0 : places.length - 1;
  else at = (at + by + places.length) % places.length;
  const range = places[at];
  const where = range.startContainer.parentElement;
  reveal(where);
  paint("here", [range]);
  if (!CSS.highlights) getSelection().setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
  where.scrollIntoView({ block: "nearest" });
  scrollBy({ top: range.getBoundingClientRect().top - innerHeight / 2, behavior: "instant" });
  tell();
}

// Of a place the marked part of the page that it is in, and its number there: what stays when the page grows.
const partOf = (range) => range.startContainer.parentElement.closest("[id]")?.id;
function chosen() {
  if (at < 0) return null;
  const part = partOf(places[at]);
  return { part, n: places.slice(0, at).filter((r) => partOf(r) === part).length };
}

function choose({ part, n }) {
  at = places.indexOf(places.filter((r) => partOf(r) === part)[n]);
  if (at < 0) return;
  paint("here", [places[at]]);
  tell();
}

let typed = 0;
find.addEventListener("input", () => {
  clearTimeout(typed);
  typed = setTimeout(search, 80);
});
find.addEventListener("focus", () => { index = null; });
find.addEventListener("keydown", (e) => {
  if (e.key === "Enter") {
    e.preventDefault();
    clearTimeout(typed);
    if (at < 0) search();
    go(e.shiftKey ? -1 : 1);
  } else if (e.key === "Escape") {
    find.value = "";
    search();
    find.blur();
  }
});
for (const button of document.querySelectorAll("[data-find]")) button.addEventListener("click", () => go(Number(button.dataset.find)));
addEventListener("keydown", (e) => {
  if (e.target.closest?.("input, textarea, select, [contenteditable]") || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "/") {
    e.preventDefault();
    find.focus();
    find.select();
  } else if (e.key === "n" || e.key === "p") {
    go(e.key === "n" ? 1 : -1);
  }
});

// The page of a session that runs asks once a second whether there is anything new, and takes it over: what was unfolded
// stays so, and what is looked at stays in its place.
const live = document.getElementById("live");

// What is folded, by the marked place that it is in and its number there.
function folds() {
  const seen = new Map();
  return [...document.querySelectorAll("main details")].map((e) => {
    const place = e.id || e.closest("[id]").id;
    const n = seen.get(place) ?? 0;
    seen.set(place, n + 1);
    return [`${place} ${e.id ? "" : n}`, e];
  });
}

async function takeOver() {
  const response = await fetch("./", { cache: "no-store" });
  if (!response.ok) throw new Error(response.statusText);
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const open = new Map(folds().map(([place, e]) => [place, e.open]));
  const focused = folds().find(([, e]) => e.firstElementChild === document.activeElement)?.[0];
  const turns = [...document.querySelectorAll(".turn")];
  const looked = turns.find((t) => t.getBoundingClientRect().bottom > 0 && scrollY > 0);
  const was = looked?.getBoundingClientRect().top;
  const atEnd = scrollY > 0 && scrollY + innerHeight > document.documentElement.scrollHeight - 40;
  const said = document.getElementById("live");
  const stood = chosen();
  data = JSON.parse(next.getElementById("data").textContent);
  document.querySelector(".map").replaceChildren(...next.querySelector(".map").children);
  const main = document.querySelector("main");
  const parts = [...next.querySelector("main").children].filter((e) => e.id !== "live");
  for (const old of [...main.children]) if (old !== said) old.remove();
  main.append(...parts);
  for (const all of main.querySelectorAll(".all")) all.hidden = false;
  for (const [place, e] of folds()) {
    if (open.has(place)) e.open = open.get(place);
    // Before it is searched, and not when its opening is told.
    if (e.open && e.matches(".prompt")) fill(e);
    if (place === focused) e.firstElementChild.focus({ preventScroll: true });
  }
  index = null;
  if (find.value) {
    search();
    if (stood) choose(stood);
  }
  const now = looked && document.getElementById(looked.id);
  if (atEnd) scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  else if (now) scrollBy({ top: now.getBoundingClientRect().top - was, behavior: "instant" });
}

async function watch(version) {
  live.hidden = false;
  for (let missed = 0; missed < 3; ) {
    try {
      const response = await fetch("state", { cache: "no-store" });
      // Too much was asked for at a time, which says nothing of the session.
      if (response.status !== 429 && !response.ok) throw new Error(response.statusText);
      const state = response.ok ? await response.json() : { version, doing: live.textContent };
      if (state.version !== version) await takeOver();
      version = state.version;
      missed = 0;
      if (live.textContent !== state.doing) live.textContent = state.doing;
      if (state.ended) return;
    } catch {
      missed += 1;
    }
    await new Promise((done) => setTimeout(done, 1000));
  }
  live.textContent = "The run is over or was stopped: this page stays as it is.";
}
if (document.documentElement.dataset.live !== undefined) watch(Number(document.documentElement.dataset.live));
