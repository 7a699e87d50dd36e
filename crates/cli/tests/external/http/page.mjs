// Opens the page of a session that `ptc serve` serves, has turns run beside it, and prints as JSON what a person would see.
// node page.mjs PLAYWRIGHT SERVER FOLDER: pictures go into the folder, where one is named.
import { createRequire } from "node:module";

const [playwright, server, folder] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const facts = { trouble: [], hosts: [] };
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
await context.addInitScript(() => {
  window.violations = [];
  addEventListener("securitypolicyviolation", (e) => window.violations.push(`${e.violatedDirective} ${e.blockedURI}`));
});

async function ask(path, body) {
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  const method = body === undefined ? "GET" : "POST";
  const response = await fetch(server + path, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function open(id) {
  const tab = await context.newPage();
  tab.on("pageerror", (e) => facts.trouble.push(`script: ${e.message}`));
  tab.on("request", (r) => facts.hosts.push(new URL(r.url()).host));
  const { page } = await ask(`/sessions/${id}/page`);
  await tab.goto(server + page);
  return tab;
}

const picture = (tab, name) => folder && tab.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
const turns = (tab) => tab.$$eval(".turn", (all) => all.map((e) => e.id));
const says = (tab, words) => tab.waitForFunction((w) => document.getElementById("live").textContent.startsWith(w), words);
const ends = (tab, id) => tab.waitForFunction((t) => !document.getElementById(t).textContent.includes("not ended"), id);

// From its first turn on, and what a reader does meanwhile stays.
const { session } = await ask("/sessions", { task: "asks", context: { prices: [3, 4, 5] } });
const run = (id, program, wait_ms = 25000) => ask(`/sessions/${id}/turns`, { program, wait_ms });
const tab = await open(session);
facts.empty = { turns: await turns(tab), title: await tab.title() };
await says(tab, "The session waits for its next turn");
await run(session, '(def total "All of it" (reduce + ctx/prices)) (println "sum" total)');
await tab.waitForSelector("#t1");
await tab.click("#t1 > summary");
facts.folded = await tab.$eval("#t1", (e) => e.open);
await run(session, "(coutn ctx/prices)");
await tab.waitForSelector("#t2");
await run(session, "(tool/wait)", 0);
await says(tab, "A turn runs");
facts.running = await turns(tab);
await picture(tab, "running");
await ask(`/sessions/${session}/cancel`, {});
await ends(tab, "t3");
// What a client sends is shown and does nothing.
await run(session, '(println "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>") "</script>"');
await tab.waitForSelector("#t4");
await says(tab, "The session waits for its next turn");
facts.after = {
  turns: await turns(tab),
  still: await tab.$eval("#t1", (e) => e.open),
  hacked: await tab.evaluate(() => window.hacked ?? null),
  shown: (await tab.textContent("#t4")).includes("<script>window.hacked=1</script>"),
  names: await tab.textContent("main").then((t) => t.includes("All of it")),
};
facts.wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
await picture(tab, "after");

// A call that waits for a decision.
const { session: asks } = await ask("/sessions", { task: "asks" });
const second = await open(asks);
await run(asks, '(tool/send {:to "a"})');
await says(second, "Calls wait for a decision");
await picture(second, "waits");
const { pending } = await ask(`/sessions/${asks}/approvals`);
await ask(`/sessions/${asks}/approvals`, { call: pending[0].call, decision: "approve" });
await ask(`/sessions/${asks}/wait`, {});
await ends(second, "t1");
facts.approved = (await second.textContent("#t1")).includes("sent");

// The run of a task that ends.
const { session: ran } = await ask("/sessions", { task: "shop", run: true, request: "Now." });
await ask(`/sessions/${ran}/wait`, {});
const third = await open(ran);
await third.waitForSelector("#t1");
await says(third, "The run has ended");
facts.answer = (await third.textContent("#h-answer + *, #h-answer ~ *")).trim();
await picture(third, "ran");

// Nobody else finds it.
const { page } = await ask(`/sessions/${session}/page`);
facts.guessed = (await fetch(server + page.replace(/pages\/....../, "pages/000000"))).status;
for (const t of [tab, second, third]) facts.trouble.push(...(await t.evaluate(() => window.violations)));
await browser.close();
facts.hosts = [...new Set(facts.hosts)];
console.log(JSON.stringify(facts));
