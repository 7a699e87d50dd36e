//! Profiles: those of the crate, and those that are refused.

use ptc_history::tokens::profile::Match;
use ptc_history::tokens::{Api, Features, Profile, Profiles};

/// The profile for all other requests.
fn unknown() -> Profile {
    let last = Profiles::built_in().all().last().unwrap();
    (**last).clone()
}

#[test]
fn k_16_the_profiles_of_the_crate_are_read_and_asked_in_order() {
    let built_in = Profiles::from_json(include_str!("../../src/tokens/profiles.json")).unwrap();
    assert_eq!(&built_in, Profiles::built_in());
    for (provider, api, model, id) in [
        ("openai", Api::Chat, "gpt-4o-mini", "openai-chat"),
        ("openai", Api::Chat, "gpt-4", "openai-legacy"),
        ("openai", Api::Chat, "gpt-5.4", "openai-chat-5"),
        ("openai", Api::Responses, "gpt-5", "openai-responses-5"),
        ("anthropic", Api::Anthropic, "claude-opus-4-8", "claude"),
        ("anthropic", Api::Anthropic, "Claude-Sonnet-4-5", "claude-4.5"),
        ("bedrock", Api::Converse, "us.anthropic.claude-sonnet-4-20250514-v1", "claude-4"),
        ("bedrock", Api::Converse, "us.amazon.nova-lite-v1", "nova"),
        ("groq", Api::Chat, "openai/gpt-oss-120b", "gpt-oss"),
        ("google", Api::Google, "gemini-9", "gemini"),
        ("nobody", Api::Chat, "nothing", "unknown"),
    ] {
        assert_eq!(built_in.find(provider, api, model).id, id, "{provider} {model}");
    }
}

#[test]
fn k_38_profiles_that_count_nothing_are_refused() {
    let with = |change: &dyn Fn(&mut Profile)| {
        let mut p = unknown();
        change(&mut p);
        Profiles::new(vec![p]).unwrap_err().to_string()
    };
    assert!(with(&|p| p.weights = Features::default()).contains("weights of text at least 0.1"));
    assert!(with(&|p| p.error.above = f64::NAN).contains("finite"));
    assert!(with(&|p| p.ruler = "bytes".into()).contains("there are o200k, cl100k and seven"));
    let some = |p: &mut Profile| p.matches = vec![Match { models: vec!["x".into()], ..Match::default() }];
    assert!(with(&some).contains("leave its \"for\" empty"));
    assert!(Profiles::new(Vec::new()).is_err());
    let of = |text: &str| Profiles::from_json(text).unwrap_err().to_string();
    assert_eq!(of("{\"ptc_profiles\":9,\"profiles\":[]}"), "profiles of version 9 are not known; this build reads 1");
    assert!(of("[]").contains("ptc_profiles"));
    let misspelt = include_str!("../../src/tokens/profiles.json").replace("\"prose\"", "\"poetry\"");
    assert!(of(&misspelt).contains("no weight is called \"poetry\"; there are request, tools"));
    assert!(Profiles::new(vec![unknown()]).is_ok());
}
