// Uses the playground in Debian's Chromium as a person would, and prints as JSON what was there; tests/external/wasm.rs judges.
// node playground.mjs PACKAGE PLAYWRIGHT PAGE TRACE [SCREENSHOTS]
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, playwright, page, trace, shots] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const facts = { trouble: [], requests: [] };

async function open(width, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce", acceptDownloads: true });
  await context.addInitScript(() => {
    window.violations = [];
    addEventListener("securitypolicyviolation", (e) => window.violations.push(`${e.violatedDirective} ${e.blockedURI}`));
  });
  const tab = await context.newPage();
  tab.on("console", (m) => ["error", "warning"].includes(m.type()) && facts.trouble.push(`console: ${m.text()}`));
  tab.on("pageerror", (e) => facts.trouble.push(`script: ${e.message}`));
  tab.on("request", (r) => facts.requests.push(r.url().slice(0, 60)));
  await tab.goto(pathToFileURL(page).href);
  await tab.waitForSelector("body[data-ready]");
  return tab;
}

async function close(tab) {
  for (const v of await tab.evaluate(() => window.violations)) facts.trouble.push(`policy: ${v}`);
  await tab.context().close();
}

const text = (tab, id) => tab.textContent(`#${id}`);
const numbers = async (tab) => ({
  full: Number((await text(tab, "tokens-full")).replace(/\D/g, "")),
  compressed: Number((await text(tab, "tokens-compressed")).replace(/\D/g, "")),
  messages: await tab.$$eval(".message", (all) => all.length),
  sum: await tab.$$eval(".message > summary span", (all) => all.reduce((sum, e) => sum + Number(e.textContent.replace(/\D/g, "")), 0)),
});
const done = (tab, n) => tab.waitForFunction((n) => !document.getElementById("run").disabled && document.querySelectorAll("#turns li").length === n, n);
const write = async (tab, program) => {
  await tab.fill("#program", program);
  await tab.press("#program", "Control+Enter");
};
const told = (tab) => tab.$$eval("#messages .message pre", (all) => all.map((e) => e.textContent).join("\n"));

// A program is run by its keys, its example goes on, the messages follow.
let tab = await open(1280, "light");
facts.trouble.push(...(await tab.$eval("#trouble", (e) => (e.hidden ? [] : [e.textContent]))));
facts.empty = await numbers(tab);
await tab.focus("#program");
await tab.keyboard.press("Control+Enter");
await done(tab, 1);
facts.first = { status: await text(tab, "status"), printed: (await text(tab, "printed")).split("\n")[0], told: (await told(tab)).includes("40 reviews"), next: (await tab.inputValue("#program")).split("\n")[0] };
// All of it, and the policies.
await tab.click("#all");
await done(tab, 5);
facts.value = await text(tab, "value");
facts.compressed = await numbers(tab);
if (shots) await tab.screenshot({ path: `${shots}-light.png`, fullPage: true });
await tab.selectOption("#policy", "full");
await tab.waitForFunction(() => document.getElementById("tokens-full").parentElement.className === "chosen");
facts.full = await numbers(tab);
await tab.selectOption("#policy", "own");
await tab.fill("#options", '{"compress_history": false, "keep_turns": "all"}');
await tab.locator("#options").blur();
await tab.waitForSelector("#trouble:not([hidden])");
facts.wrongOption = await text(tab, "trouble");
await tab.fill("#options", '{"compress_history": true}');
await tab.locator("#options").blur();
await tab.waitForFunction(() => document.getElementById("tokens-own").textContent !== "" && document.getElementById("trouble").hidden);
facts.own = await text(tab, "tokens-own");
await tab.selectOption("#policy", "full");
// Before an earlier turn.
await tab.click("#turns li:nth-child(2) button");
await tab.waitForFunction(() => document.getElementById("before").value === "2");
facts.second = { ...(await numbers(tab)), program: (await tab.inputValue("#program")).slice(0, 9) };
// Saved, and opened.
const [download] = await Promise.all([tab.waitForEvent("download"), tab.click("#save")]);
const saved = readFileSync(await download.path(), "utf8");
facts.saved = saved.split("\n").length - 1;
await tab.setInputFiles("#file", trace);
await tab.waitForFunction(() => document.getElementById("prompt").value === "How many overdue invoices?");
facts.opened = { turns: await tab.$$eval("#turns li", (all) => all.length), value: await text(tab, "value") };
await write(tab, "(inc n)");
await done(tab, facts.opened.turns + 1);
facts.wentOn = await text(tab, "value");
await tab.setInputFiles("#file", { name: "no.jsonl", mimeType: "text/plain", buffer: Buffer.from("no trace") });
await tab.waitForSelector("#trouble:not([hidden])");
facts.noTrace = await text(tab, "trouble");
await close(tab);

// Errors have their place and their hint; what does not end is ended, or stopped.
tab = await open(1280, "dark");
await tab.selectOption("#example", "Errors and their hints");
await tab.waitForFunction(() => document.getElementById("program").value.includes("redcue"));
await tab.click("#run");
await done(tab, 1);
facts.error = { words: await text(tab, "error"), next: (await tab.inputValue("#program")).includes("reduce") };
await tab.click("#error button");
facts.marked = await tab.$eval("#program", (e) => e.value.slice(e.selectionStart, e.selectionEnd));
if (shots) await tab.screenshot({ path: `${shots}-dark.png`, fullPage: true });
await write(tab, "(def kept 7) (loop [n 0] (recur (inc n)))");
await done(tab, 2);
facts.runaway = await text(tab, "error");
await write(tab, "(def kept 8)");
await done(tab, 3);
await tab.evaluate(() => {
  // A program that takes seconds, for someone who does not wait.
  document.getElementById("program").value = "(dotimes [i 100] (try (reduce + (iterate inc 1)) (catch Exception e nil)))";
  document.getElementById("run").click();
  document.getElementById("stop").click();
});
await tab.waitForFunction(() => document.getElementById("trouble").textContent.startsWith("Stopped"));
await write(tab, "(inc kept)");
await done(tab, 4);
facts.stopped = await text(tab, "value");
// Inputs of one's own, tools, and texts that are no markup.
await tab.selectOption("#example", "Tools");
await tab.waitForFunction(() => document.getElementById("program").value.includes("tool/price"));
await tab.click("#all");
await done(tab, 3);
facts.tools = await text(tab, "value");
await tab.click("#task > summary");
await tab.fill("#inputs", '{"evil": "<img src=x onerror=alert(1)></script>"');
await tab.click("#begin");
await tab.waitForSelector("#trouble:not([hidden])");
facts.noJson = await text(tab, "trouble");
await tab.fill("#inputs", '{"evil": "<img src=x onerror=alert(1)></script>"}');
await tab.click("#begin");
await done(tab, 0);
await write(tab, '(println ctx/evil) "<b>bold</b>"');
await done(tab, 1);
facts.markup = { images: await tab.$$eval("img, #messages b b, #value b", (all) => all.length), value: await text(tab, "value") };
facts.dark = await tab.$eval("body", (e) => getComputedStyle(e).backgroundColor);
await close(tab);

// Narrow.
tab = await open(360, "light");
await tab.click("#all");
await done(tab, 5);
facts.light = await tab.$eval("body", (e) => getComputedStyle(e).backgroundColor);
facts.wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
facts.labels = await tab.$$eval("textarea, select, input, button", (all) => all.filter((e) => !(e.labels?.length || e.ariaLabel || e.textContent.trim())).map((e) => e.id));
if (shots) await tab.screenshot({ path: `${shots}-narrow.png`, fullPage: true });
await close(tab);

await browser.close();
process.stdout.write(JSON.stringify(facts));
