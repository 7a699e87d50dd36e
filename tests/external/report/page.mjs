// Opens a page in Debian's Chromium as a person would, and prints as JSON what was there; tests/external/report.rs judges.
// node page.mjs PLAYWRIGHT PAGE [SCREENSHOTS]
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [playwright, page, shots] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

const facts = { trouble: [], requests: [] };

async function open(width, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce" });
  await context.addInitScript(() => {
    window.violations = [];
    addEventListener("securitypolicyviolation", (e) => window.violations.push(`${e.violatedDirective} ${e.sample}`));
    window.shift = 0;
    const add = (entries) => entries.forEach((e) => (window.shift += e.value));
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    // What has shifted so far: a shift is told after the frame it came with, so two more are drawn before it is read.
    window.shifted = async () => {
      const frame = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 0)));
      await frame();
      await frame();
      add(observer.takeRecords());
      return window.shift;
    };
  });
  const tab = await context.newPage();
  tab.on("console", (m) => ["error", "warning"].includes(m.type()) && facts.trouble.push(`console: ${m.text()}`));
  tab.on("pageerror", (e) => facts.trouble.push(`script: ${e.message}`));
  tab.on("dialog", (d) => { facts.trouble.push(`dialog: ${d.message()}`); d.dismiss(); });
  tab.on("request", (r) => facts.requests.push(r.url()));
  await tab.goto(pathToFileURL(page).href, { waitUntil: "load" });
  return tab;
}

async function close(tab) {
  for (const v of await tab.evaluate(() => window.violations)) facts.trouble.push(`policy: ${v}`);
  if (await tab.evaluate(() => window.hacked)) facts.trouble.push("a text of the trace ran");
  await tab.context().close();
}

let tab = await open(1280, "light");
if (shots) await tab.screenshot({ path: `${shots}-light.png`, fullPage: true });
facts.sections = await tab.$$eval("main > [id]:not(#live)", (all) => all.map((e) => e.id));
facts.turns = await tab.$$eval(".turn", (all) => all.map((e) => e.id));
facts.acts = await tab.$$eval("header.act h2", (all) => all.map((e) => e.textContent));
facts.names = await tab.$$eval(".names .name", (all) => all.map((e) => e.textContent));
facts.paths = await tab.$$eval(".plot path", (all) => all.map((e) => e.getAttribute("class")));
facts.bars = await tab.$$eval(".lanes .bar", (all) => all.length);
facts.bad = await tab.$$eval(".lanes .bar.bad", (all) => all.length);
facts.programs = await tab.$$eval("pre.program", (all) => all.map((e) => e.textContent));
facts.tinted = await tab.$$eval("pre.program .f", (all) => all.length);
facts.foreign = await tab.$$eval("img, iframe, object, embed, form, base, [onclick], [onerror], [onload], [style]", (all) => all.map((e) => e.outerHTML));
facts.scripts = await tab.$$eval("script", (all) => all.length);
facts.light = await tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
facts.head = await tab.$$eval("#top h2", (all) => all.map((e) => e.textContent));
facts.columns = await tab.$$eval(".answer .result > .scroll > table > thead th", (all) => all.map((e) => e.textContent));
facts.why = await tab.$$eval(".answer", (all) => all.map((e) => e.textContent).join(" "));
facts.marks = await tab.$$eval("pre.place mark", (all) => all.map((e) => e.textContent));
facts.rows = await tab.$$eval(".lanes .bar", (all) => all.map((e) => [Math.round(e.getBoundingClientRect().left), Math.round(e.getBoundingClientRect().top)]));
facts.pages = await tab.$$eval("main a[href^='./']", (all) => all.map((e) => e.getAttribute("href")));
facts.dead = await tab.$$eval("a[href^='#']", (all) => all.filter((a) => !document.getElementById(a.getAttribute("href").slice(1))).map((a) => a.getAttribute("href")));
facts.shift = await tab.evaluate(() => window.shifted());

// The search, by keys alone, with all folded.
if (facts.turns.length > 4) {
  await tab.click("[data-all=close]");
  const said = () => tab.textContent("#found");
  const type = async (words) => {
    await tab.keyboard.press("/");
    await tab.keyboard.type(words);
    await tab.waitForFunction(() => document.getElementById("found").textContent !== "");
  };
  const search = {};
  await type("(fn [invoice] (and (not (:paid");
  search.count = (await said()).split(";")[0];
  search.map = await tab.$$eval(".map .hit-turn", (all) => all.map((e) => e.getAttribute("href")));
  search.painted = await tab.evaluate(() => CSS.highlights.get("found").size);
  await tab.keyboard.press("Enter");
  search.first = await said();
  await tab.keyboard.press("Enter");
  await tab.evaluate(() => document.activeElement.blur());
  search.next = await said();
  await tab.keyboard.press("n");
  search.around = await said();
  await tab.keyboard.press("p");
  search.back = await said();
  search.open = await tab.$$eval(".turn[open]", (all) => all.map((e) => e.id));
  await tab.keyboard.press("/");
  await tab.keyboard.press("Escape");
  search.cleared = await said();
  await type("nowhere-to-be-found");
  search.none = await said();
  await tab.keyboard.press("Escape");
  // Backwards from no place is the last one, in the field and outside it.
  await type("(fn [invoice] (and (not (:paid");
  await tab.keyboard.press("Shift+Enter");
  search.last = await said();
  await tab.keyboard.press("Escape");
  await type("(fn [invoice] (and (not (:paid");
  await tab.evaluate(() => document.activeElement.blur());
  await tab.keyboard.press("p");
  search.lastByKey = await said();
  await tab.keyboard.press("/");
  await tab.keyboard.press("Escape");
  facts.search = search;
  // What is new in a prompt, and the prompt beside the other one.
  await tab.$eval("#t5", (e) => { e.open = true; });
  await tab.click("#t5 .prompt > summary");
  facts.prompt = {
    folded: await tab.textContent("#t5 .same > summary"),
    fresh: await tab.$$eval("#t5 .run.new pre", (all) => all.map((e) => e.textContent).join("")),
  };
  await tab.click("#t5 .ways button");
  facts.prompt.sides = await tab.$$eval("#t5 .side", (all) => all.length);
  facts.prompt.only = await tab.$$eval("#t5 .side .only pre", (all) => all.map((e) => e.textContent).join(""));
  await tab.click("#t5 .ways button");
  await tab.$eval("#t5 .prompt", (e) => { e.open = false; });
}

// Fold all, then by keys alone: unfold the first turn, and its prompt.
await tab.click("[data-all=close]");
facts.folded = await tab.$$eval(".turn[open]", (all) => all.length);
if (facts.turns.length) {
  await tab.focus(".turn > summary");
  await tab.keyboard.press("Enter");
  await tab.focus(".turn .prompt > summary");
  await tab.keyboard.press("Enter");
  await tab.waitForSelector(".turn .prompt[open] .exact", { state: "attached" });
}
facts.focused = await tab.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
await tab.click("[data-all=open]");

facts.prompts = {};
facts.reasons = {};
for (const prompt of await tab.$$(".prompt")) {
  await prompt.evaluate((e) => { e.open = true; });
  const turn = await prompt.getAttribute("data-turn");
  await tab.waitForSelector(`.prompt[data-turn="${turn}"] .exact`, { state: "attached" });
  facts.prompts[turn] = await prompt.$$eval(".exact", (all) => all.map((e) => e.textContent).join(""));
  facts.reasons[turn] = await prompt.$$eval(".why", (all) => all.map((e) => e.textContent));
}
if (shots) await tab.screenshot({ path: `${shots}-prompts.png`, fullPage: true });
// A link into a folded turn unfolds it.
await tab.click("[data-all=close]");
if (facts.turns.length) {
  await tab.evaluate((id) => { location.hash = id; }, facts.turns.at(-1));
  await tab.waitForSelector(`#${facts.turns.at(-1)}[open]`);
}
await close(tab);

tab = await open(380, "dark");
await tab.$$eval("details", (all) => all.forEach((e) => { e.open = true; }));
await tab.waitForTimeout(50);
facts.dark = await tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
facts.wide = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
facts.wider = await tab.evaluate(() => [...document.querySelectorAll("main *")].filter((e) => !e.closest("svg, .scroll") && e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map((e) => `${e.tagName}.${e.className}`));
await close(tab);

// Words that are broken in two, and names of columns that have no room, on a telephone and on a wide screen.
facts.broken = [];
for (const width of [420, 1400]) {
  tab = await open(width, "light");
  await tab.$$eval("details", (all) => all.forEach((e) => { e.open = true; }));
  const broken = await tab.evaluate(() => {
    const out = [...document.querySelectorAll("th")].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => `column ${e.textContent}`);
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const at = text.parentElement;
      if (!at.getClientRects().length || at.closest("pre, svg, script")) continue;
      for (const word of text.data.matchAll(/[\p{L}\p{N}_]{1,30}/gu)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].filter((r) => r.width > 0).map((r) => Math.round(r.top)));
        if (lines.size > 1) out.push(`${word[0]} in ${at.tagName}.${at.className}`);
      }
    }
    return out.slice(0, 5);
  });
  facts.broken.push(...broken.map((words) => `${width}: ${words}`));
  await close(tab);
}
if (shots) {
  tab = await open(380, "dark");
  await tab.screenshot({ path: `${shots}-narrow.png`, fullPage: true });
  await close(tab);
  tab = await open(1280, "dark");
  await tab.screenshot({ path: `${shots}-dark.png`, fullPage: true });
  await tab.emulateMedia({ media: "print" });
  await tab.screenshot({ path: `${shots}-print.png`, fullPage: true });
  await close(tab);
}
await browser.close();
console.log(JSON.stringify(facts));
