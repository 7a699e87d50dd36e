// Opens the page of a run that waits for a file, lets it go on, and prints as JSON what was there before and after.
// node live.mjs PLAYWRIGHT ADDRESS FILE
import { createRequire } from "node:module";
import { writeFileSync } from "node:fs";

const [playwright, address, file] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const facts = { trouble: [], hosts: [] };
const context = await browser.newContext({ viewport: { width: 1280, height: 500 }, reducedMotion: "reduce" });
await context.addInitScript(() => {
  window.violations = [];
  addEventListener("securitypolicyviolation", (e) => window.violations.push(`${e.violatedDirective} ${e.blockedURI}`));
});
const tab = await context.newPage();
tab.on("pageerror", (e) => facts.trouble.push(`script: ${e.message}`));
tab.on("request", (r) => facts.hosts.push(new URL(r.url()).host));
await tab.goto(address);
await tab.waitForSelector("#t2");
await tab.waitForFunction(() => document.getElementById("live").textContent.startsWith("Turn 3"));
facts.before = {
  doing: await tab.textContent("#live"),
  answer: await tab.textContent("#h-answer"),
  turns: await tab.$$eval(".turn", (all) => all.map((e) => e.id)),
};
// What a reader does meanwhile: folds a turn, unfolds a prompt, searches, looks at a place.
await tab.click("#t1 > summary");
await tab.click("#t2 .prompt > summary");
await tab.fill("#find", "println \"second");
await tab.press("#find", "Enter");
await tab.waitForFunction(() => document.getElementById("found").textContent.includes(" of "));
facts.before.found = await tab.textContent("#found");
await tab.$eval("#t2", (e) => scrollBy(0, e.getBoundingClientRect().top - 40));
const top = await tab.$eval("#t2", (e) => e.getBoundingClientRect().top);
writeFileSync(file, "");
await tab.waitForSelector("#t3");
await tab.waitForFunction(() => document.getElementById("live").textContent.startsWith("The run has ended"));
facts.after = {
  doing: await tab.textContent("#live"),
  answer: await tab.textContent("#h-answer"),
  turns: await tab.$$eval(".turn", (all) => all.map((e) => e.id)),
  open: await tab.$$eval(".turn[open]", (all) => all.map((e) => e.id)),
  prompt: await tab.$eval("#t2 .prompt", (e) => e.open && e.querySelectorAll(".exact").length > 0),
  moved: Math.round((await tab.$eval("#t2", (e) => e.getBoundingClientRect().top)) - top),
  found: await tab.textContent("#found"),
};
// What is new can be folded all the same.
await tab.click("[data-all=close]");
facts.after.closed = await tab.$$eval(".turn[open]", (all) => all.length);
facts.trouble.push(...(await tab.evaluate(() => window.violations)));
facts.hosts = [...new Set(facts.hosts)];
await browser.close();
console.log(JSON.stringify(facts));
