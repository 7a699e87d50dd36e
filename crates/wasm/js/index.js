// The package with its ptc.wasm, read from the file beside this one or from where that was loaded from.

import { init } from "./core.js";

async function bytes(url) {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

init(await WebAssembly.compile(await bytes(new URL("./ptc.wasm", import.meta.url))));

export * from "./core.js";
