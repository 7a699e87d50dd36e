//! What the model sees before every turn, for each scenario of the design's first seed (tests/turns/*.md).

use insta::{assert_snapshot, with_settings};
use ptc_history::{Message, render};
use ptc_lisp::memory::Memory;
use ptc_tests::markdown::{files, folder};
use ptc_tests::scenario::{Scenario, take};
use ptc_turns::policy::Layout;
use ptc_turns::render::summary_parser::{self, ParsedDefinition};
use ptc_turns::text::sample;
use ptc_turns::trace::record::{Kind, TurnRecord};
use ptc_turns::{Policy, Session, Trace, messages};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Calls `f` with every scenario under each of its policies, and the name of that case.
fn each(f: impl Fn(&str, &Scenario, &Policy)) {
    let all = files(&folder("turns"));
    assert!(all.len() >= 8);
    for path in all {
        let scenario = Scenario::load(&path).unwrap();
        for (policy_name, policy) in &scenario.policies {
            let name =
                if policy_name.is_empty() { scenario.name.clone() } else { format!("{}-{policy_name}", scenario.name) };
            f(&name, &scenario, policy);
        }
    }
}

/// What the model saw before each turn, and last what it would see next.
fn views(trace: &Trace, policy: &Policy) -> Vec<Vec<Message>> {
    (1..=trace.turns().len() as u64 + 1).map(|k| messages(trace, policy, Some(k))).collect()
}

/// Messages as text, the long system message as one line.
fn shown(view: &[Message]) -> String {
    let (_, rest) = view.split_first().unwrap();
    format!("[SYSTEM]\n(the system message)\n\n{}", render::text(rest))
}

/// Bytes of everything but the system message.
fn size(view: &[Message]) -> usize {
    view.iter().skip(1).map(|m| m.text().len()).sum()
}

/// P-23, P-29, P-38: the whole arrays, roles and bytes, of many turns, error recovery and tools; P-13 docstrings; P-16
/// answers of tools are values; P-31 a reply without a program.
#[test]
fn messages_before_every_turn() {
    each(|name, scenario, policy| {
        let session = scenario.play(policy).unwrap();
        let trace = session.trace();
        let mut text = String::new();
        let (compressed, off) = (views(trace, policy), views(trace, &Policy::full()));
        for (i, view) in compressed.iter().enumerate() {
            assert_eq!(view[0], Message::system(&trace.header.system), "{name}");
            let title =
                if i < trace.turns().len() { format!("before turn {}", i + 1) } else { "when it had ended".into() };
            let bytes = format!("{} messages, {} bytes; off: {} bytes", view.len(), size(view), size(&off[i]));
            text.push_str(&format!("======== {title} ({bytes})\n{}", shown(view)));
        }
        assert!(session.may_run().is_err(), "{name} has not ended");
        with_settings!({ description => &scenario.title, omit_expression => true }, { assert_snapshot!(name, text) });
    });
}

/// P-01, P-22, K-34.
#[test]
fn off_is_the_full_history_byte_for_byte() {
    each(|name, scenario, policy| {
        let session = scenario.play(policy).unwrap();
        let trace = session.trace();
        // What a run without summaries sends: its system message has no words about them.
        let plain = scenario.session(&Policy::full()).trace().header.system.clone();
        let mut full = vec![Message::system(&plain), Message::user(&scenario.prompt)];
        for (k, (reply, record)) in scenario.replies.iter().zip(trace.turns()).enumerate() {
            assert_eq!(messages(trace, &Policy::full(), Some(k as u64 + 1)), full, "{name} before turn {}", k + 1);
            // The replies of the scenarios are written as the runtime would: prose, a blank line, one fence.
            full.push(Message::assistant(reply));
            full.push(Message::user(&record.feedback));
        }
        // A finished session ends with what the model said last.
        full.pop();
        assert_eq!(messages(trace, &Policy::full(), None), full, "{name}");
    });
}

#[test]
fn the_session_shows_what_the_pure_function_shows() {
    each(|name, scenario, policy| {
        let expected = views(scenario.play(policy).unwrap().trace(), policy);
        let mut session = scenario.session(policy);
        for (i, view) in expected.iter().enumerate() {
            assert_eq!(session.messages(policy), view.as_slice(), "{name} before turn {}", i + 1);
            if let Some(reply) = scenario.replies.get(i) {
                take(&mut session, reply).unwrap();
            }
        }
    });
}

/// P-22, P-25.
#[test]
fn the_trace_does_not_depend_on_the_policy() {
    each(|name, scenario, policy| {
        // But for the header, which names it, and the system message, which explains summaries.
        let turns = |p: &Policy| scenario.play(p).unwrap().trace().turns().to_vec();
        assert_eq!(turns(policy), turns(&Policy::full()), "{name}");
    });
}

/// P-26, D3.
#[test]
fn after_a_reload_the_same_bytes() {
    each(|name, scenario, policy| {
        let session = scenario.play(policy).unwrap();
        let memories = scenario.memories(policy).unwrap();
        let text = session.trace().to_text();
        let loaded = Trace::parse(text.as_bytes()).unwrap();
        assert_eq!((loaded.torn.as_ref(), loaded.trace.to_text().as_str()), (None, text.as_str()), "{name}");
        for p in [policy, &Policy::full()] {
            assert_eq!(views(&loaded.trace, p), views(session.trace(), p), "{name}");
        }
        // Left after any turn and taken up again, it continues as if it had not been left.
        for (k, memory) in memories.iter().enumerate() {
            let so_far: String = text.split_inclusive('\n').take(k + 1).collect();
            let mut restored = Session::from_trace(Trace::parse(so_far.as_bytes()).unwrap().trace, Vec::new()).unwrap();
            assert_eq!(
                restored.messages(policy),
                messages(session.trace(), policy, Some(k as u64 + 1)),
                "{name} turn {k}"
            );
            assert_eq!(bound(restored.memory()), bound(memory), "{name} after turn {k}");
            for reply in &scenario.replies[k..] {
                take(&mut restored, reply).unwrap();
            }
            assert_eq!(restored.trace().turns().len(), session.trace().turns().len(), "{name} from turn {k}");
            for (again, line) in restored.trace().to_text().lines().zip(text.lines()) {
                assert_eq!(again, line, "{name} from turn {k}");
            }
            assert_eq!(restored.messages(policy), session.messages(policy), "{name} from turn {k}");
        }
    });
}

/// What a memory holds, in words.
fn bound(memory: &Memory) -> BTreeMap<String, ParsedDefinition> {
    let shown = |b: &ptc_lisp::memory::Binding| {
        let value = b.value.clone().unwrap();
        let function = sample::is_function(&value);
        let shown = ParsedDefinition {
            name: b.name.to_string(),
            kind: if function { Kind::Function } else { Kind::Data },
            params: None,
            doc: b.doc.as_deref().map(str::to_owned),
            type_word: (!function).then(|| sample::type_word(&value)),
            sample: if function { None } else { sample::sample(&value) },
        };
        (shown.name.clone(), shown)
    };
    memory.bindings().map(shown).collect()
}

/// P-05, and P-32: a definition made before an error is shown only if memory has it.
#[test]
fn the_lines_read_back_are_what_is_in_memory() {
    each(|name, scenario, policy| {
        let session = scenario.play(policy).unwrap();
        let memories = scenario.memories(policy).unwrap();
        let turns = session.trace().turns();
        for (k, memory) in memories.iter().enumerate() {
            let place = format!("{name} before turn {}", k + 1);
            let mut expected = bound(memory);
            // Who defined a name last.
            let committed = || turns.iter().take(k).filter(|t| t.status.committed());
            let owners: BTreeMap<&str, u64> =
                committed().flat_map(|t| t.definitions.iter().map(|d| (d.name.as_str(), t.turn))).collect();
            // Who is shown with parameters has those that it was defined with.
            let params = |line: &ParsedDefinition| {
                let of = |t: &Arc<TurnRecord>| t.definitions.iter().rfind(|d| d.name == line.name)?.params.clone();
                line.params.as_ref().and(committed().filter_map(of).next_back())
            };
            let view = messages(session.trace(), policy, Some(k as u64 + 1));
            if policy.layout == Layout::Coalesced {
                if k > 0 {
                    let said = summary_parser::coalesced(&view[1].text(), &scenario.prompt).unwrap();
                    for line in said.definitions {
                        let there = expected.remove(&line.name).unwrap_or_else(|| panic!("{place}: {line:?}"));
                        let sample = line.sample.as_ref().and(there.sample.clone());
                        assert_eq!(line, ParsedDefinition { params: params(&line), sample, ..there }, "{place}");
                    }
                }
                assert!(expected.is_empty(), "{place}: not shown: {:?}", expected.keys());
                continue;
            }
            for (turn, message) in turns.iter().zip(view.iter().skip(2).step_by(2)) {
                let lines = match summary_parser::parse(&message.text()) {
                    Some(summary) => summary.definitions,
                    None => {
                        // Whole: its program speaks for what it defined last.
                        assert!(message.text().contains(&turn.program), "{place}");
                        expected.retain(|n, _| owners[n.as_str()] != turn.turn);
                        continue;
                    }
                };
                for line in lines {
                    let there =
                        expected.remove(&line.name).unwrap_or_else(|| panic!("{place}: {line:?} is not in memory"));
                    assert_eq!(owners[line.name.as_str()], turn.turn, "{place}: {line:?}");
                    // Samples are left out of turns that printed.
                    let sample = line.sample.as_ref().and(there.sample.clone());
                    assert_eq!(line, ParsedDefinition { params: params(&line), sample, ..there }, "{place}");
                }
            }
            assert!(expected.is_empty(), "{place}: not shown: {:?}", expected.keys());
        }
    });
}

/// P-21, P-23, B-26.
#[test]
fn roles_alternate_and_no_message_is_empty() {
    each(|name, scenario, policy| {
        let session = scenario.play(policy).unwrap();
        for view in views(session.trace(), policy) {
            let first = view[1].text();
            match policy.layout {
                Layout::Assistant => assert_eq!(first, scenario.prompt, "{name}"),
                Layout::Coalesced => {
                    assert!(first.starts_with(&scenario.prompt), "{name}");
                    assert!(view.len() <= 3, "{name}: system, one user message, and what a finished session said last");
                }
            }
            for (i, m) in view.iter().enumerate() {
                let role = match i {
                    0 => "system",
                    i if i % 2 == 1 => "user",
                    _ => "assistant",
                };
                assert_eq!((m.role.as_str(), m.text().is_empty()), (role, false), "{name}: message {i}");
            }
        }
    });
}
