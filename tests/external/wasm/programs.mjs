// Programs in the package, each list of them in a session of its own: `node programs.mjs PACKAGE < SESSIONS`. Prints their traces, and
// of turns that the package stopped why.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Session } = await import(pathToFileURL(join(process.argv[2], "index.js")));
const { limits, sessions } = JSON.parse(readFileSync(0, "utf8"));
const ran = sessions.map((programs) => {
  const session = new Session({ limits, seed: 7 });
  const stopped = [];
  for (const program of programs) {
    try {
      session.run(program);
    } catch (e) {
      stopped.push(`${e.name}: ${e.message}`);
    }
  }
  return { trace: session.dump(), stopped };
});
process.stdout.write(JSON.stringify(ran));
