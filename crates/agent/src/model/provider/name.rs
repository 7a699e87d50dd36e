//! Names of models: `PROVIDER/NAME`, as `openai/gpt-5.1`.

use crate::error::{Error, ModelErrorKind};
use ptc_history::tokens::Api;
use ptc_history::wire::Format;

/// Who is asked, and in which wire form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// OpenAI, chat completions.
    OpenAi,
    /// OpenAI, Responses.
    OpenAiResponses,
    /// Anthropic, Messages.
    Anthropic,
    /// Google's Gemini, generateContent.
    Gemini,
    /// A local Ollama, through the chat completions that it speaks too.
    Ollama,
    /// Any server that speaks chat completions.
    Compatible,
}

impl Provider {
    /// All of them, in the order in which they are named to people.
    pub const ALL: [Provider; 6] = [
        Provider::OpenAi,
        Provider::OpenAiResponses,
        Provider::Anthropic,
        Provider::Gemini,
        Provider::Ollama,
        Provider::Compatible,
    ];

    /// Its name, before the slash.
    pub fn name(self) -> &'static str {
        match self {
            Provider::OpenAi => "openai",
            Provider::OpenAiResponses => "openai-responses",
            Provider::Anthropic => "anthropic",
            Provider::Gemini => "gemini",
            Provider::Ollama => "ollama",
            Provider::Compatible => "openai-compatible",
        }
    }

    /// The variable of the environment that holds its key.
    pub fn key_variable(self) -> &'static str {
        match self {
            Provider::OpenAi | Provider::OpenAiResponses => "OPENAI_API_KEY",
            Provider::Anthropic => "ANTHROPIC_API_KEY",
            Provider::Gemini => "GEMINI_API_KEY",
            Provider::Ollama => "OLLAMA_API_KEY",
            Provider::Compatible => "OPENAI_COMPATIBLE_API_KEY",
        }
    }

    /// The model that is asked where somebody has a key of this provider and names no model: `None` where the provider
    /// has no models of its own, or its keys are another's. docs/models.md has this table.
    pub fn default_model(self) -> Option<&'static str> {
        match self {
            Provider::OpenAi => Some("openai/gpt-5.1"),
            Provider::Anthropic => Some("anthropic/claude-sonnet-4-5"),
            Provider::Gemini => Some("gemini/gemini-2.5-pro"),
            Provider::OpenAiResponses | Provider::Ollama | Provider::Compatible => None,
        }
    }

    /// The form of its conversations.
    pub fn format(self) -> Format {
        match self {
            Provider::OpenAi | Provider::Ollama | Provider::Compatible => Format::OpenAi,
            Provider::OpenAiResponses => Format::Responses,
            Provider::Anthropic => Format::Anthropic,
            Provider::Gemini => Format::Gemini,
        }
    }
}

impl std::fmt::Display for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A model by its full name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelName {
    /// Who is asked.
    pub provider: Provider,
    /// The model, as the provider names it; it may hold slashes and colons of its own.
    pub model: String,
}

impl ModelName {
    /// Whose tokens are counted: the provider's name in profiles of tokens, and the wire form.
    pub fn counted_as(&self) -> (&'static str, Api) {
        match self.provider {
            Provider::OpenAi => ("openai", Api::Chat),
            Provider::OpenAiResponses => ("openai", Api::Responses),
            Provider::Anthropic => ("anthropic", Api::Anthropic),
            Provider::Gemini => ("google", Api::Google),
            Provider::Ollama => ("ollama", Api::Chat),
            Provider::Compatible => ("openai-compatible", Api::Chat),
        }
    }
}

impl std::fmt::Display for ModelName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.provider, self.model)
    }
}

impl std::str::FromStr for ModelName {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let wrong = |why: String| {
            Error::of_model(ModelErrorKind::Name, format!("no such model: {why}")).at(&ptc_lisp::escape::line(name))
        };
        let Some((provider, model)) = name.split_once('/') else {
            return Err(wrong("a model is PROVIDER/NAME, as openai/gpt-5.1 or ollama/qwen3".into()));
        };
        let Some(provider) = Provider::ALL.into_iter().find(|p| p.name() == provider) else {
            let all = Provider::ALL.map(Provider::name);
            let near = ptc_lisp::suggest::did_you_mean(provider, all.iter().copied())
                .map(|n| format!("did you mean {n}/{model}? "))
                .unwrap_or_default();
            return Err(wrong(format!("{near}providers are {}", all.join(", "))));
        };
        if model.trim().is_empty() || model.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(wrong(format!("the name of a model follows the slash, as in {provider}/NAME")));
        }
        Ok(ModelName { provider, model: model.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for (text, provider, model) in [
            ("openai/gpt-5.1", Provider::OpenAi, "gpt-5.1"),
            ("openai-responses/gpt-5.1", Provider::OpenAiResponses, "gpt-5.1"),
            ("anthropic/claude-sonnet-4-5", Provider::Anthropic, "claude-sonnet-4-5"),
            ("gemini/gemini-3-pro", Provider::Gemini, "gemini-3-pro"),
            ("ollama/qwen3:8b", Provider::Ollama, "qwen3:8b"),
            ("openai-compatible/meta-llama/Llama-3", Provider::Compatible, "meta-llama/Llama-3"),
        ] {
            let name: ModelName = text.parse().unwrap();
            assert_eq!((name.provider, name.model.as_str(), name.to_string().as_str()), (provider, model, text));
        }
    }

    #[test]
    fn default_models_are_models_of_their_providers() {
        let defaults: Vec<Provider> = Provider::ALL.into_iter().filter(|p| p.default_model().is_some()).collect();
        assert_eq!(defaults, [Provider::OpenAi, Provider::Anthropic, Provider::Gemini]);
        for p in defaults {
            assert_eq!(p.default_model().unwrap().parse::<ModelName>().unwrap().provider, p);
        }
    }

    #[test]
    fn wrong_names_say_what_is_right() {
        for (text, words) in [
            ("gpt-5.1", "gpt-5.1: no such model: a model is PROVIDER/NAME, as openai/gpt-5.1 or ollama/qwen3"),
            (
                "opnai/x",
                "opnai/x: no such model: did you mean openai/x? providers are openai, openai-responses, anthropic, gemini, ollama, openai-compatible",
            ),
            ("openai/", "openai/: no such model: the name of a model follows the slash, as in openai/NAME"),
        ] {
            assert_eq!(text.parse::<ModelName>().unwrap_err().to_string(), words);
        }
        assert!(!"zzzzzz/x".parse::<ModelName>().unwrap_err().to_string().contains("did you mean"));
    }
}
