//! A session of three turns and three calls that writes down every effect, every question to its model, and every word of
//! somebody that a call may be made again.

use crate::kills::note;
use ptc_agent::journal_store::JournalStore;
use ptc_agent::{Agent, CallDecision, Error, FnModel, Reply, Request, Tool, Toolbox, arg};
use ptc_history::Role;
use ptc_turns::Config;
use std::path::{Path, PathBuf};
use std::time::Duration;

const REPLIES: [&str; 3] =
    ["(def a (tool/pay {:n 1}))", "(def b [(tool/pay {:n 2}) (tool/pay {:n 3})])", "(return [a b])"];

/// What it answers.
pub const ANSWER: &str = "[1 [2 3]]";
/// Lines of its trace: a header, of each turn the reply and the turn, of each call that it was asked (two together) and
/// answered, and how the run ended.
pub const CALLS: usize = 3;

/// Where a session writes down what it did.
#[derive(Clone, Debug)]
pub struct Diary(pub PathBuf);

impl Diary {
    /// The effects, by the keys of their calls.
    pub fn effects(&self) -> Vec<String> {
        self.of("effect ")
    }

    /// The calls that were let be made again.
    pub fn words(&self) -> Vec<String> {
        self.of("word ")
    }

    /// The turns that the model was asked for.
    pub fn asked(&self) -> Vec<String> {
        self.of("asked ")
    }

    fn of(&self, kind: &str) -> Vec<String> {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        text.lines().filter_map(|l| l.strip_prefix(kind)).map(str::to_owned).collect()
    }
}

/// The tools of the session; each call takes so long.
pub fn tools(diary: &Path, takes: Duration) -> Toolbox {
    let diary = diary.to_owned();
    let pay = Tool::with_control("pay", move |args, control| {
        note(&diary, &format!("effect {}", control.key()));
        std::thread::sleep(takes);
        Ok(arg(&args, "n").clone())
    });
    Toolbox::new().with(pay)
}

/// What the session is begun with.
pub fn config(tools: &Toolbox) -> Config {
    Config { prompt: "Pay.".into(), tools: tools.specs(), ..Config::default() }
}

/// The model's reply to a request.
pub fn reply(request: &Request<'_>, diary: &Path) -> Reply {
    let turn = request.messages.iter().filter(|m| m.role == Role::Assistant).count();
    note(diary, &format!("asked {turn}"));
    Reply::text(REPLIES.get(turn).copied().unwrap_or("(fail \"too many\")"))
}

/// Lets all calls be made again that nobody knows the end of.
///
/// # Errors
/// When a word cannot be kept.
pub fn decide(agent: &mut Agent, diary: &Path) -> Result<(), Error> {
    for call in agent.pending().calls {
        // Written down first: a word that was kept is never missing here.
        note(diary, &format!("word {}", call.key));
        agent.decide(call.id, CallDecision::Make)?;
    }
    Ok(())
}

/// Goes on with a session to its end; its answer.
///
/// # Errors
/// When it cannot be opened, or ends without an answer.
pub fn run(store: &dyn JournalStore, name: &str, diary: &Path, takes: Duration) -> Result<Option<String>, Error> {
    let tools = tools(diary, takes);
    let mut agent = Agent::in_store(store, name, config(&tools), tools)?;
    decide(&mut agent, diary)?;
    let end = agent.run(&mut FnModel(|r: Request<'_>| Ok(reply(&r, diary))), &mut ());
    match end.error {
        Some(e) if end.pending.is_none() => Err(e),
        _ => Ok(end.value),
    }
}
