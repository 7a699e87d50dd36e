//! `ptc tokens`.

use clap::Args;
use std::path::PathBuf;

pub const TOKENS_HELP: &str = "\
A request is a JSON object:
  provider  openai, azure-openai, anthropic, google, bedrock, openrouter ... any name
  api       chat, responses, anthropic, google or converse; by default what the provider speaks
  model     as the provider names it
  messages  [{\"role\": \"system|user|assistant|tool\", \"content\": TEXT or [BLOCK, ...]}], a BLOCK being
            {\"type\":\"text\",\"text\"}, {\"type\":\"thought\",\"text\"}, {\"type\":\"tool_use\",\"id\",\"name\",\"input\"}
            or {\"type\":\"tool_result\",\"id\",\"content\"}
  tools     declarations in the form of any provider
  schema    what the answer has to fit: a JSON schema, or true if there is one that is not shown
  opaque    true if messages hold parts that are not shown: images, files, sealed reasoning
or the request body of OpenAI (chat, Responses), Anthropic, Gemini or Bedrock, with \"model\", and \"provider\" where it is
another's, beside it where the body does not say.
The answer is a line {\"tokens\",\"low\",\"high\",\"source\"}: the most likely number, bounds that hold for 95 % of recorded
requests, and where the number comes from. What cannot be counted is answered with a line {\"error\"}.
Exit codes: 0 all was counted, 1 a request was not, 2 usage.";

#[derive(Args)]
pub struct TokensArgs {
    /// A file with a request, or - for standard input (the default)
    pub file: Option<PathBuf>,
    /// Read a request a line, and answer each with a line, in order
    #[arg(long)]
    pub batch: bool,
}
