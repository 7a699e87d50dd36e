//! Names that the conventions have for providers and errors.

use ptc_agent::{Error, ErrorKind, ModelErrorKind};

/// What models that do not say whose they are, recorded ones among them, are called.
pub(crate) const UNKNOWN_PROVIDER: &str = "unknown";

/// A provider as the conventions name it.
pub(crate) fn provider(name: &str) -> String {
    match name {
        "openai" | "openai-responses" => "openai".to_owned(),
        "google" | "gemini" => "gcp.gemini".to_owned(),
        other => other.to_owned(),
    }
}

/// The provider and the model of a task's `PROVIDER/MODEL`; of `replay:FILE` neither is known.
pub(crate) fn model(name: &str) -> Option<(String, &str)> {
    let (provider_name, model) = name.split_once('/').filter(|(p, _)| !p.contains(':'))?;
    Some((provider(provider_name), model))
}

/// What kind of error this is, in one word of a small set: of a provider's answer its HTTP status.
pub(crate) fn error_type(error: &Error) -> String {
    match error.kind() {
        ErrorKind::Model { status: Some(status), .. } => status.to_string(),
        ErrorKind::Model { reason, .. } => model_error(reason).to_owned(),
        kind => kind.run_error().to_owned(),
    }
}

fn model_error(reason: ModelErrorKind) -> &'static str {
    match reason {
        ModelErrorKind::Name | ModelErrorKind::Setting => "setting",
        ModelErrorKind::NoKey => "no_key",
        ModelErrorKind::Unauthorized => "unauthorized",
        ModelErrorKind::UnknownModel => "unknown_model",
        ModelErrorKind::RateLimited => "rate_limited",
        ModelErrorKind::Quota => "quota",
        ModelErrorKind::Overloaded => "overloaded",
        ModelErrorKind::Unreachable => "unreachable",
        ModelErrorKind::Timeout => "timeout",
        ModelErrorKind::Disconnected => "disconnected",
        ModelErrorKind::Malformed => "malformed",
        ModelErrorKind::TooLarge => "too_large",
        ModelErrorKind::Empty => "empty",
        ModelErrorKind::TooLong => "too_long",
        ModelErrorKind::Refused => "refused",
        ModelErrorKind::OutOfReplies => "out_of_replies",
        ModelErrorKind::OtherRequest => "other_request",
        ModelErrorKind::Object => "object",
        _ => "_OTHER",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_named_as_the_conventions_name_them() {
        assert_eq!(model("openai-responses/gpt-5.1"), Some(("openai".to_owned(), "gpt-5.1")));
        assert_eq!(model("gemini/models/x"), Some(("gcp.gemini".to_owned(), "models/x")));
        assert_eq!(model("anthropic/c"), Some(("anthropic".to_owned(), "c")));
        assert_eq!((model("replay:a/b.md"), model("x")), (None, None));
    }
}
