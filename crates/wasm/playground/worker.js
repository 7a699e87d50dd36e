// Runs the sessions of the page; one that does not answer is ended with the worker.

let session;

/** A function of a tool that is a table: what stands beside the one argument it is called with. */
function ofTable({ answers, slow, ...words }) {
  const call = (args) => {
    const key = String(Object.values(args)[0]);
    if (!Object.hasOwn(answers, key)) throw new ToolError(`there is no ${key}`);
    return answers[key];
  };
  return { ...words, call };
}

const toolsFor = (tables = {}) => Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, ofTable(table)]));

const DEEDS = {
  init(module) { init(module); },
  begin({ prompt, inputs, tools }) {
    session = new Session({ prompt, inputs, tools: toolsFor(tools), openEnded: true, maxTurns: 50, policy: "compressed" });
  },
  load({ trace, tools }) {
    session = Session.load(trace, { tools: toolsFor(tools), openEnded: true });
  },
  run(program) { session.run(program); },
  /** All that the page shows. */
  view({ policy, turn, model }) {
    const turns = session.turns().map(({ number, program, status, text, printed, error, usage }) =>
      ({ number, program, status, text, printed, error: error && { ...error, words: String(error) }, usage }));
    const before = turn && turn <= turns.length ? turn : undefined;
    const options = { model, turn: before };
    const total = (of) => session.tokens(of, options);
    const trace = session.dump();
    const { prompt, tools } = JSON.parse(trace.slice(0, trace.indexOf("\n")));
    return {
      turns, trace, prompt, before: before ?? turns.length + 1, tools: tools.map((t) => ({ name: t.name, description: t.description })),
      messages: session.messages(policy, options), each: session.tokensOfEach(policy, options),
      tokens: { full: total("full"), compressed: total("compressed"), chosen: total(policy) },
    };
  },
};

self.onmessage = ({ data: { id, what, given } }) => {
  try {
    self.postMessage({ id, done: DEEDS[what](given) });
  } catch (e) {
    self.postMessage({ id, wrong: e.message });
  }
};
