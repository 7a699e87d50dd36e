//! The page of a session, put together.

use super::about::About;
use super::chart::{self, Series};
use super::csp::sha256;
use super::definitions;
use super::escape::{self, count, fill, html};
use super::prompts::{Maker, Prompts, Size};
use super::related::Related;
use super::{summary, timeline, turn};
use crate::begun::begun;
use ptc_agent::Error;
use ptc_turns::reasons::Reasons;
use ptc_turns::trace::Step;
use ptc_turns::trace::record::{Call, Usage};
use ptc_turns::{Policy, Status, Trace};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The page without what is filled in.
pub const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Sessions of so many turns are shown unfolded; of longer ones the last turn.
const UNFOLDED: usize = 8;

/// The page; `related` are those beside it. Tokens are counted as those of the model that answered last, or of `openai/gpt-4o`.
///
/// # Errors
/// When there is no counter for the model.
pub fn page(trace: &Trace, about: &About<'_>, related: &Related) -> Result<String, Error> {
    // The page of a run that goes on says nothing of the one before.
    let ended = trace.run_ended().filter(|_| about.live.is_none()).map(|how| how.text());
    let about = &About { problem: about.problem.or(ended.as_deref()), ..*about };
    let model = crate::traces::recorded_model(trace);
    let counter = crate::traces::counter(&model)?;
    let mut maker = Maker { trace, counter: &counter, summaries: about.summaries, counted: HashMap::new() };
    let mut prompts = Prompts::default();
    prompts.begin("as this run sent it");
    let sizes = gather(&mut maker, &trace.header.policy, &mut prompts);
    let sizes_of_run: Vec<Option<u64>> = sizes.iter().map(|s| s.as_ref().ok().map(|s| s.tokens)).collect();
    let (series, other, name) = series(&mut maker, sizes_of_run);
    prompts.begin(name);
    gather(&mut maker, &other, &mut prompts);
    let data = serde_json::to_string(&prompts).unwrap_or_default();
    let reported: Vec<Option<u64>> = trace.turns().iter().map(|t| t.usage.input_tokens).collect();
    let usages: Vec<&Usage> = trace.turns().iter().map(|t| &t.usage).collect();
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'{}",
        sha256(SCRIPT),
        sha256(STYLE),
        if about.live.is_some() { "; connect-src 'self'" } else { "" }
    );
    Ok(fill(PAGE, |place| match place {
        "policy" => policy.clone(),
        "live" => about.live.map_or_else(String::new, |version| format!(" data-live=\"{version}\"")),
        "style" => STYLE.to_owned(),
        "script" => SCRIPT.to_owned(),
        "data" => escape::json(&data),
        "title" => html(trace.header.task.as_deref().unwrap_or("A session")),
        "head" => summary::summary(trace, about, related),
        "map" => map(trace),
        "tokens" => chart::tokens(&series, &reported),
        "reported" => chart::reported(&usages, about.price),
        "counter" => html(&model),
        "calls" => timeline::calls(trace),
        "names" => table(trace),
        "session" => summary::session(trace),
        "turns" => turns(trace, &sizes, related),
        _ => String::new(),
    }))
}

/// The page of a session that a server shows, alone: this version of it asks for the next one.
///
/// # Errors
/// As [`page`].
#[cfg(feature = "server")]
pub fn live_page(trace: &Trace, version: u64) -> Result<String, Error> {
    page(trace, &About { live: Some(version), ..About::default() }, &Related::default())
}

/// Adds the prompts of all turns, and of the one that is to come, and returns their sizes.
fn gather(maker: &mut Maker<'_>, policy: &Policy, prompts: &mut Prompts) -> Vec<Result<Size, String>> {
    let trace = maker.trace;
    let reasons = Reasons::new(trace, policy);
    let mut sizes = Vec::new();
    maker.each(policy, |maker, turn, view| match view {
        Ok(view) => {
            let size = maker.size(&view);
            prompts.push(trace, policy, &reasons.before(Some(turn)), view, size.tokens);
            sizes.push(Ok(size));
        }
        Err(words) => {
            sizes.push(Err(words));
            prompts.push_none();
        }
    });
    sizes
}

/// The lines of the chart: full history, compressed, and what the run did where that is neither; and the policy that each
/// prompt is compared with, with its name: full history, or of a run that sent it the compressed one.
fn series(maker: &mut Maker<'_>, mut run: Vec<Option<u64>>) -> (Vec<Series>, Policy, &'static str) {
    let policy = maker.trace.header.policy.clone();
    run.truncate(maker.trace.turns().len());
    let mut under = |policy: &Policy| -> Vec<Option<u64>> {
        let mut tokens = maker.sizes(policy);
        tokens.truncate(run.len());
        tokens
    };
    // As everything was said, inputs of acts whole in every one.
    let whole = ptc_history::Policy { retention: false, ..ptc_history::Policy::default() };
    let full_policy = Policy { history: whole, ..Policy::full() };
    let short_policy = Policy { compress_history: true, history: ptc_history::Policy::default(), ..policy };
    let (full, short) = (under(&full_policy), under(&short_policy));
    let mut out = Vec::new();
    let (full_name, short_name) = match (run == full, run == short) {
        (true, false) => ("full history (this run)", "compressed"),
        (false, true) => ("full history", "compressed (this run)"),
        // Too little has happened for a difference.
        (true, true) => ("full history (this run)", "compressed, the same"),
        _ => ("full history", "compressed"),
    };
    let other = if run == full { (short_policy, "compressed") } else { (full_policy, "full history") };
    let drawn = run != full && run != short;
    out.push(Series {
        name: full_name,
        words: "every program and every answer to it, sent again each turn",
        class: "full",
        tokens: full,
    });
    out.push(Series {
        name: short_name,
        words: "older turns as summaries: what they defined and printed",
        class: "short",
        tokens: short,
    });
    if drawn {
        out.push(Series { name: "this run", words: "by the task's own settings", class: "run", tokens: run });
    }
    (out, other.0, other.1)
}

/// The way to each turn.
fn map(trace: &Trace) -> String {
    let mut out = String::new();
    for step in trace.steps() {
        match step {
            Step::Act(a) => {
                let _ = write!(out, "<li class=\"to-act\"><a href=\"#a{}\">{}</a></li>", a.act, html(&a.name));
            }
            Step::Turn(t) => {
                let _ = write!(
                    out,
                    "<li><a class=\"{1}\" href=\"#t{0}\" title=\"Turn {0}: {1}\">{0}<span class=\"mark\">{2}</span></a></li>",
                    t.turn,
                    t.status.as_str(),
                    match t.status {
                        Status::Ok => "",
                        Status::Error | Status::Failed => "✕",
                        Status::Returned | Status::Answered => "✓",
                    }
                );
            }
        }
    }
    out
}

fn turns(trace: &Trace, sizes: &[Result<Size, String>], related: &Related) -> String {
    let mut out = String::new();
    let waits = summary::waits(trace);
    let many = trace.turns().len() > UNFOLDED;
    let last = trace.last().map_or(0, |t| t.turn);
    let none = Err("it was not computed".to_owned());
    let size = |turn: u64| usize::try_from(turn.saturating_sub(1)).ok().and_then(|i| sizes.get(i)).unwrap_or(&none);
    for step in trace.steps() {
        match step {
            Step::Act(a) => out.push_str(&turn::act(a, related)),
            Step::Turn(t) => {
                let at = usize::try_from(t.turn.saturating_sub(1)).unwrap_or(usize::MAX);
                let waited = waits.get(at).copied().flatten();
                let open = !many || t.turn == last;
                out.push_str(&turn::turn(t, &turn::Around { prompt: size(t.turn.max(1)), open, waited, related }));
            }
        }
    }
    let ahead: Vec<&Call> = trace.ahead().map(|c| &c.tool_call).collect();
    if !ahead.is_empty() {
        let name = trace.header.acts.get(trace.acts().len()).map_or("", |a| &a.name);
        out.push_str(&turn::ahead(name, &ahead, related));
    }
    let begun = begun(trace);
    if let Some(begun) = &begun {
        out.push_str(&turn::begun(begun, related));
    }
    if !trace.ended() {
        let next = (trace.turns().len() as u64).saturating_add(1);
        let (title, sent) = match begun {
            Some(_) => (format!("Turn {next} has not ended"), "What the model was sent for this turn"),
            None => (format!("Not ended: turn {next} is to come"), "What the model would be sent next"),
        };
        let _ = write!(
            out,
            "<section class=\"next\" id=\"next\"><h3>{title}</h3>{}</section>",
            turn::prompt(next, size(next), sent)
        );
    }
    out
}

/// Every name with its history.
fn table(trace: &Trace) -> String {
    let names = definitions::names(trace);
    if names.is_empty() {
        return "<p class=\"quiet\">Nothing was defined.</p>".to_owned();
    }
    let mut out = format!(
        "<p>{} by the end.</p><ul class=\"names\">",
        count(names.iter().filter(|n| n.stands).count() as u64, "name")
    );
    for n in &names {
        let class = if n.stands { "" } else { " class=\"gone\"" };
        let _ = write!(
            out,
            "<li{class}><code class=\"name\">{}</code><div>{}</div><div class=\"history\">",
            html(&n.last.name),
            turn::what(n.last)
        );
        for (i, (turn, did)) in n.history.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            let _ = write!(
                out,
                "{comma}<span class=\"did\">{} in <a href=\"#t{turn}\">turn {turn}</a></span>",
                did.as_str()
            );
        }
        out.push_str("</div></li>");
    }
    out.push_str("</ul>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_turns::{Config, Session, TurnContext};

    fn session(programs: &[&str]) -> Session {
        let mut s = Session::new(Config { prompt: "{{script}} </script>".into(), max_turns: 60, ..Config::default() });
        for p in programs {
            s.reply(&format!("```clojure\n{p}\n```"), TurnContext::without_host()).unwrap();
        }
        s
    }

    #[test]
    fn the_page_has_one_script_one_style_and_their_policy() {
        let s = session(&["(println \"</script><img src=x onerror=alert(1)>\")", "(return 1)"]);
        let page = page(s.trace(), &About::default(), &Related::default()).unwrap();
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script>").count(), 2);
        assert_eq!(page.matches("<style>").count(), 1);
        assert!(!page.contains("<img") && !page.contains(" style=") && !page.contains(" onclick"));
        assert!(!page.contains("http:") && !page.contains("https:"), "no address");
        assert!(page.contains(&sha256(SCRIPT)) && page.contains(&sha256(STYLE)));
    }

    #[test]
    fn long_sessions_keep_each_text_once() {
        let marker = "a text that is long enough to be told from all others";
        let mut programs = vec![format!("(println \"{marker}\")")];
        programs.extend((1..50).map(|i| format!("(def x{i} {i})")));
        let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
        let page = page(session(&programs).trace(), &About::default(), &Related::default()).unwrap();
        // The program and what it printed, in its turn and in the prompts; its feedback folded.
        assert!(page.matches(marker).count() <= 6, "{}", page.matches(marker).count());
        assert!(page.len() < 400_000, "{}", page.len());
        assert!(page.contains("Not ended: turn 51"));
    }

    /// What repeats from prompt to prompt is kept once: twice as many turns are a page twice as long, under every layout.
    #[test]
    fn a_page_grows_as_its_trace_does() {
        use ptc_turns::policy::Layout;
        let sizes = |turns: usize, policy: &Policy| {
            let config = Config { prompt: "p".into(), max_turns: 999, policy: policy.clone(), ..Config::default() };
            let mut s = Session::new(config);
            for i in 0..turns {
                let said =
                    format!("Step {i}: what the earlier steps left is looked at, and the next part of it is done.");
                let program = match i % 7 {
                    3 => format!("(println \"about to fail\")\n(def broken{i} (/ {i} 0))"),
                    5 => format!(
                        "(defn step{i} \"Rows of step {i}\" [rows]\n  (->> rows (filter :ok) (map #(assoc % :step {i}))))"
                    ),
                    _ => format!(
                        "(def x{i} \"Squares of step {i}\" (mapv #(* % %) (range {i})))\n(println \"step {i}\" (count x{i}))\n(println (last x{i}))"
                    ),
                };
                s.reply(&format!("{said}\n\n```clojure\n{program}\n```"), TurnContext::without_host()).unwrap();
            }
            // A file has each reply in a line of its own as well.
            let replies: usize = s.trace().replies().iter().map(String::len).sum();
            let page = page(s.trace(), &About::default(), &Related::default()).unwrap();
            (page.len(), s.trace().to_text().len() + replies)
        };
        let together = Policy { layout: Layout::Coalesced, ..Policy::compressed() };
        for policy in [Policy::full(), Policy::compressed(), together] {
            let [a, b, c] = [40, 80, 160].map(|n| sizes(n, &policy));
            let (first, second) = (b.0 - a.0, c.0 - b.0);
            assert!(second < first * 5 / 2, "{a:?} {b:?} {c:?}");
            assert!(2 * second < 7 * (c.1 - b.1), "{a:?} {b:?} {c:?}");
        }
    }
}
