//! Trajectories of seed 004: to messages and back, and beside the message history for the same run.

#![allow(clippy::unwrap_used, clippy::panic)]

use proptest::prelude::*;
use ptc_history::conversation::Conversation;
use ptc_history::conversation::message::{Block, Message, Role};
use ptc_history::conversation::trajectory::{
    Invocation, Observation, Step, Time, Trajectory, TrajectoryError, call_id,
};
use ptc_history::export;
use ptc_history::repair::{EventKind, Target, repair};
use ptc_history::wire::Format;
use serde_json::{Map, Value, json};

/// A run as the seed's system stores it, under the seed's names.
fn weather() -> Trajectory {
    serde_json::from_value(json!({
        "user_query": "What is the weather in Tokyo?",
        "steps": [
            {"iteration": 1, "thought": {"content": "look it up"},
             "tool_invocation": {"tool_name": "get_weather", "tool_args": {"city": "Tokyo"}},
             "observation": {"status": "SUCCESS", "result": {"temp": 22}, "error": null, "execution_time_ms": 12.5}},
            {"iteration": 2, "thought": {"content": "and the wind"},
             "tool_invocation": {"tool_name": "get_wind", "tool_args": {}},
             "observation": {"status": "TIMEOUT", "error": "took too long", "execution_time_ms": 0.0}},
            {"iteration": 3, "thought": {"content": "done"},
             "tool_invocation": {"tool_name": "finish", "tool_args": {"answer": "22 degrees"}}}
        ],
        "started_at": "2024-05-15T15:00:00", "completed_at": null, "metadata": {"session": "s1"}
    }))
    .unwrap()
}

#[test]
fn f_19_f_23_steps_become_thought_call_and_result_and_finish_an_answer() {
    let m = weather().messages(0);
    let roles: Vec<Role> = m.iter().map(|m| m.role).collect();
    use Role::{Assistant, Tool, User};
    assert_eq!(roles, [User, Assistant, Tool, Assistant, Tool, Assistant]);
    let id = call_id("What is the weather in Tokyo?", 0, 1);
    let thought = |t: &str| Block::Reasoning { text: t.into(), signature: None };
    assert_eq!(
        m[1].content,
        [thought("look it up"), Block::tool_use(id.as_str(), "get_weather", json!({"city": "Tokyo"}))]
    );
    let result = |content: &str, is_error, ms| Block::ToolResult {
        id: if is_error { call_id("What is the weather in Tokyo?", 0, 2) } else { id.clone() },
        content: content.into(),
        is_error: Some(is_error),
        ms: Some(ms),
    };
    assert_eq!(m[2].content, [result("{\"temp\":22}", false, 12.5)]);
    assert_eq!(m[4].content, [result("took too long", true, 0.0)]);
    // The seed's adapter lost the answer of `finish`.
    assert_eq!(m[5].content, [thought("done"), Block::text("22 degrees")]);
}

#[test]
fn f_20_ids_are_deterministic_legal_and_apart() {
    let long = "a query, with blanks / and \u{e9} ".repeat(40);
    let mut ids: Vec<String> =
        (0..50).flat_map(|i| [call_id(&long, 0, i), call_id(&long, 1, i), call_id("q", 0, i)]).collect();
    assert_eq!(
        ids,
        (0..50).flat_map(|i| [call_id(&long, 0, i), call_id(&long, 1, i), call_id("q", 0, i)]).collect::<Vec<_>>()
    );
    for id in &ids {
        assert!(id.len() <= 40 && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'), "{id}");
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 150);
    // An agent that counts an iteration twice.
    let twice = Trajectory { steps: vec![weather().steps[0].clone(), weather().steps[0].clone()], ..weather() };
    assert_eq!(Conversation::recorded(twice.messages(0)).pairs().orphans(), 0);
    let calls: Vec<String> =
        twice.messages(0).iter().flat_map(|m| m.calls().map(|c| c.0.to_owned()).collect::<Vec<_>>()).collect();
    assert_ne!(calls[0], calls[1]);
}

#[test]
fn f_21_a_call_without_observation_is_interrupted_on_the_way_out() {
    let mut t = weather();
    t.steps[0].observation = None;
    let m = t.messages(0);
    let repaired = repair(&m, &[], &Target::request(Format::Anthropic));
    assert_eq!(repaired.events.iter().filter(|e| e.kind == EventKind::Interrupted).count(), 1);
    let again = repair(&m, &[], &Target::request(Format::Anthropic));
    assert_eq!(repaired, again);
    assert_eq!(Trajectory::from_messages(&m).unwrap(), [t]);
}

#[test]
fn f_22_blank_thoughts_and_queries_make_no_block_and_are_not_lost() {
    let t = Trajectory {
        query: " ".into(),
        steps: vec![Step { thought: "\n".into(), ..weather().steps[0].clone() }],
        ..weather()
    };
    let m = t.messages(0);
    assert!(m[0].content.is_empty());
    assert_eq!(m[1].content.len(), 1);
    assert_eq!(Trajectory::from_messages(&m).unwrap(), [t]);
}

#[test]
fn f_24_what_no_block_says_is_kept_beside_it() {
    let t = weather();
    let m = t.messages(0);
    // Also through a file.
    let stored = Conversation::recorded(m).to_json();
    let read = Conversation::from_json(&stored).unwrap();
    let read: Vec<Message> = read.messages().map(|m| (**m).clone()).collect();
    assert_eq!(Trajectory::from_messages(&read).unwrap(), [t]);
    assert_eq!(Trajectory::from_messages(&[Message::user("u")]), Err(TrajectoryError::Foreign(0)));
}

/// F-34: the loop of the seed, kept both ways at once, gives the same requests.
#[test]
fn f_34_old_and_new_history_of_one_run_export_alike() {
    let t = weather();
    let mut new = Conversation::new();
    new.add_user_message(t.query.as_str()).unwrap();
    for step in &t.steps {
        let call = step.call.as_ref().unwrap();
        if call.name == "finish" {
            new.add_assistant_response(Some(&step.thought), Some("22 degrees"), vec![], vec![]).unwrap();
            continue;
        }
        let id = call_id(&t.query, 0, step.iteration);
        let observed = step.observation.as_ref().unwrap();
        let result = match &observed.error {
            Some(error) => Block::tool_error(id.as_str(), error.as_str()),
            None => Block::tool_result(id.as_str(), observed.result.to_string()),
        };
        let call = Block::tool_use(id, call.name.as_str(), call.args.clone());
        // Result in the model's message, as the seed's adapter has it (F-06).
        new.add_assistant_response(Some(&step.thought), None, vec![call], vec![result]).unwrap();
    }
    let new: Vec<Message> = new.messages().map(|m| (**m).clone()).collect();
    for format in Format::ALL {
        let old = export(&t.messages(0), format).unwrap();
        assert_eq!(old.to_string(), export(&new, format).unwrap().to_string(), "{format}");
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(|b| json!(b)),
        any::<i64>().prop_map(|n| json!(n)),
        any::<String>().prop_map(|s| json!(s)),
        Just(json!("")),
        Just(json!("{\"a\":1}")),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::vec((any::<String>(), inner), 0..3).prop_map(|l| Value::Object(l.into_iter().collect())),
        ]
    })
}

fn observation() -> impl Strategy<Value = Observation> {
    let status = prop::sample::select(vec!["SUCCESS", "success", "ERROR", "TIMEOUT", ""]);
    let error = prop::option::of(prop_oneof![Just(String::new()), Just(" ".to_owned()), any::<String>()]);
    (status, value(), error, 0.0..1e6f64).prop_map(|(status, result, error, ms)| Observation {
        status: status.into(),
        result,
        error,
        ms,
    })
}

fn step() -> impl Strategy<Value = Step> {
    let name = prop::sample::select(vec!["f", "finish", "", "a tool"]);
    let call = prop::option::of((name, value()).prop_map(|(name, args)| Invocation { name: name.into(), args }));
    (0i64..4, any::<String>(), call, prop::option::of(observation()))
        .prop_map(|(iteration, thought, call, observation)| Step { iteration, thought, call, observation })
}

fn trajectory() -> impl Strategy<Value = Trajectory> {
    let time = || prop::option::of(prop_oneof![any::<i64>().prop_map(Time::Ms), any::<String>().prop_map(Time::Text)]);
    (prop::option::of(any::<String>()), any::<String>(), prop::collection::vec(step(), 0..5), time(), time(), 0..2)
        .prop_map(|(id, query, steps, started, completed, n)| {
            let metadata: Map<String, Value> = (0..n).map(|i| (i.to_string(), json!(i))).collect();
            Trajectory { id, query, steps, started, completed, metadata }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// F-24: nothing is lost, whatever the steps hold; and the messages are taken by every provider.
    #[test]
    fn f_24_trajectories_come_back_as_they_were(list in prop::collection::vec(trajectory(), 0..3)) {
        let m: Vec<Message> = list.iter().enumerate().flat_map(|(i, t)| t.messages(i)).collect();
        prop_assert_eq!(Trajectory::from_messages(&m).unwrap(), list);
        prop_assert_eq!(Conversation::recorded(m.clone()).pairs().orphans(), 0);
        for format in Format::ALL {
            export(&m, format).unwrap();
        }
    }
}
