// Puts a prompt in its place when it is opened: each distinct message is kept once, in the block of data.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);

// The messages of the prompt before turn k: what it has in common with the one before, then its own.
function messages(k) {
  let here = [];
  for (let i = 0; i < k; i++) {
    const [common, more] = data.prompts[i];
    here = here.slice(0, common).concat(more);
  }
  return here.map((m) => data.messages[m]);
}

function element(name, className, text) {
  const e = document.createElement(name);
  e.className = className;
  e.textContent = text;
  return e;
}

// Text only ever goes in as text.
function fill(prompt) {
  const place = prompt.querySelector(".lines");
  if (place.firstChild) return;
  const parts = [];
  let whole = "";
  for (const [text, runs] of messages(Number(prompt.dataset.turn))) {
    const lines = data.texts[text].split("\n");
    whole += data.texts[text];
    let at = 0;
    for (const [count, reason] of runs) {
      const run = element("div", "run", "");
      run.append(element("span", "why", data.reasons[reason]));
      run.append(element("pre", at === 0 ? "exact role" : "exact", lines.slice(at, at + count).join("\n") + "\n"));
      parts.push(run);
      at += count;
    }
  }
  const copy = element("button", "copy", "Copy the prompt");
  copy.type = "button";
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(whole);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "The browser does not allow it";
    }
  });
  place.append(copy, ...parts);
}

// A details element tells of its opening before it is painted only if asked at the click; so both are heard.
for (const prompt of document.querySelectorAll(".prompt")) {
  prompt.querySelector("summary").addEventListener("click", () => fill(prompt));
  prompt.addEventListener("toggle", () => prompt.open && fill(prompt));
}

// A link to something folded unfolds it.
function unfold() {
  let name = location.hash.slice(1);
  try { name = decodeURIComponent(name); } catch { /* as it stands */ }
  const target = name && document.getElementById(name);
  if (!target) return;
  for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

for (const button of document.querySelectorAll("[data-all]")) {
  button.parentElement.hidden = false;
  button.addEventListener("click", () => {
    for (const turn of document.querySelectorAll(".turn")) turn.open = button.dataset.all === "open";
  });
}
