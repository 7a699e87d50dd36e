// What users write, checked by the compiler and run by nobody.
import { InvalidArgument, Session, ToolCall, ToolError, Turn, textTokens, type Policy } from "ptc-runtime";
import { init } from "ptc-runtime/core";

const price = {
  call: async ({ item }: { item: string }) => {
    if (item === "") throw new ToolError("no item");
    return { cents: 250 };
  },
  description: "Price in cents",
  params: { item: "string" },
};
const session = new Session({ prompt: "What does it cost?", tools: { price, plain: () => 1 }, inputs: { when: new Date() }, seed: 7n });
const turn: Turn = await session.runAsync("(tool/price \"pen\")");
const words: string = turn.error?.message ?? turn.feedback;
const lines: readonly string[] = turn.printed;
let step: Turn | ToolCall = session.start("1");
while (step instanceof ToolCall) step = step.resume({ id: step.id });
const policy: Policy = { compress_history: true };
const total: number = session.tokens(policy, { model: "anthropic/claude-sonnet-4-5" }) + textTokens(words + lines.join());
const again: Session = Session.load(session.dump(), { tools: { price } });
for (const { role, content } of again.messages("full", { turn: 1 })) console.log(role.toUpperCase(), content.length, total);
try {
  init(new Uint8Array());
} catch (e) {
  if (e instanceof InvalidArgument) console.log(e.message);
}
// @ts-expect-error a program is text
session.run(5);
// @ts-expect-error there is no such option
new Session({ max_turns: 1 });
// @ts-expect-error a turn is not made by users
new Turn({});
