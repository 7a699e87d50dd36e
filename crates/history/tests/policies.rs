//! Policies as they are written and read, in files and from environment variables.

use ptc_history::policy::{BatchTurns, Policy, Strategy};
use serde_json::json;

#[test]
fn a_policy_comes_back_as_it_was_written() {
    let policies = [
        Policy::default(),
        Policy { batch_turns: BatchTurns::Turns(3), max_tokens: Some(9), ..Policy::with(Strategy::Auto) },
    ];
    for p in policies {
        let text = serde_json::to_string(&p).unwrap();
        assert_eq!(serde_json::from_str::<Policy>(&text).unwrap(), p);
        // No option is written that cannot be read, and none is read that is not written.
        let keys: Vec<String> = json!(p).as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys, ptc_history::policy::keys());
    }
    let p: Policy = toml::from_str("strategy = \"batch\"\nmin_preserved_pairs = 5").unwrap();
    assert_eq!((p.strategy, p.min_preserved_assistant_messages), (Strategy::Batch, 5));
}

/// no retention for all inputs at once.
#[test]
fn k_36_b_04_f_29_mistakes_are_named() {
    for (text, words) in [
        ("stratgy = \"auto\"", "did you mean strategy?"),
        ("zzz = 1", "options are strategy, when"),
        ("strategy = \"sumary\"", "strategy must be one of \"none\", \"batch\""),
        ("strategy = \"slidng_window\"", "got \"slidng_window\"; did you mean \"sliding_window\"?"),
        ("when = 5", ", \"over_budget\", got 5"),
        ("max_tokens = -1", "max_tokens must be a whole number from 0, got -1"),
        ("max_tokens = 0", "max_tokens must be a whole number from 1, got 0"),
        ("max_history_size = 1", "max_history_size must be a whole number from 2, got 1"),
        ("batch_size = 0", "batch_size must be a whole number from 1, got 0"),
        ("min_preserved_assistant_messages = 0", "min_preserved_assistant_messages must be a whole number from 1"),
        ("max_messages = 0", "max_messages must be a whole number from 1"),
        ("chunk_size = 0", "chunk_size must be a whole number from 1"),
        ("batch_turns = \"x\"", "batch_turns must be \"auto\" or a whole number from 1, got \"x\""),
        ("shrink_after = \"soon\"", "shrink_after must be \"at_once\" or a whole number from 0, got \"soon\""),
        ("when = \"over_budget\"", "needs max_tokens"),
        ("strategy = \"from_timestamp\"", "needs from_timestamp"),
        ("history_retention = \"drop\"", "stands with each input"),
        ("prices = { input = 0 }", "each above 0"),
    ] {
        let error = toml::from_str::<Policy>(text).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

fn read(vars: &[(&str, &str)]) -> Result<Policy, String> {
    let vars = vars.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
    Policy::from_vars(vars).map_err(|e| e.to_string())
}

#[test]
fn b_01_b_02_b_23_variables_stand_between_the_defaults_and_what_is_set() {
    assert_eq!(read(&[("PATH", "x")]), Ok(Policy::default()));
    assert_eq!(read(&[("LLM_COMPACTION_ENABLED", "TRUE")]), Ok(Policy::with(Strategy::Batch)));
    assert_eq!(read(&[("LLM_COMPACTION_ENABLED", " 1 ")]).unwrap().strategy, Strategy::Batch);
    let off = read(&[("LLM_COMPACTION_BATCH_SIZE", "9"), ("LLM_COMPACTION_ENABLED", "false")]).unwrap();
    assert_eq!((off.strategy, off.batch_size), (Strategy::None, 9));
    let mut policy =
        read(&[("LLM_COMPACTION_MIN_PRESERVED_ASSISTANT_MESSAGES", "5"), ("LLM_COMPACTION_BATCH_SIZE", "2")]).unwrap();
    policy.set("batch_size", &7.into()).unwrap();
    assert_eq!((policy.min_preserved_assistant_messages, policy.batch_size), (5, 7));
}

#[test]
fn b_02_b_04_a_bad_value_names_its_variable() {
    for (name, value, words) in [
        ("LLM_COMPACTION_ENABLED", "yes", "LLM_COMPACTION_ENABLED must be true, false, 1 or 0, got \"yes\""),
        ("LLM_COMPACTION_BATCH_SIZE", "0", "LLM_COMPACTION_BATCH_SIZE must be a whole number from 1, got \"0\""),
        (
            "LLM_COMPACTION_MIN_PRESERVED_ASSISTANT_MESSAGES",
            "-1",
            "LLM_COMPACTION_MIN_PRESERVED_ASSISTANT_MESSAGES must be a whole number from 1",
        ),
        ("LLM_COMPACTION_BATCH_SIZE", "4.5", "got \"4.5\""),
        ("LLM_COMPACTION_BATCHSIZE", "4", "did you mean LLM_COMPACTION_BATCH_SIZE?"),
    ] {
        let error = read(&[(name, value)]).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}
