//! Every name that the session defined, with its history: which turns defined, replaced or lost it.

use ptc_turns::Trace;
use ptc_turns::trace::record::Defined;

/// What a turn did to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Did {
    /// It was not bound before.
    Defined,
    /// It was.
    Replaced,
    /// The turn failed: the definition does not stand.
    RolledBack,
}

impl Did {
    /// In a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Did::Defined => "defined",
            Did::Replaced => "replaced",
            Did::RolledBack => "rolled back",
        }
    }
}

/// A name.
pub struct Name<'a> {
    /// Its last definition that stands; of a name that never stood, the last that was tried.
    pub last: &'a Defined,
    /// Whether anything stands.
    pub stands: bool,
    /// What became of it, turn by turn.
    pub history: Vec<(u64, Did)>,
}

/// The names in the order in which they first appeared.
pub fn names(trace: &Trace) -> Vec<Name<'_>> {
    let mut out: Vec<Name<'_>> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for turn in trace.turns() {
        for d in &turn.definitions {
            let did = match d {
                d if d.rolled_back => Did::RolledBack,
                d if d.replaced => Did::Replaced,
                _ => Did::Defined,
            };
            let at = *places.entry(d.name.as_str()).or_insert(out.len());
            let stands = did != Did::RolledBack;
            match out.get_mut(at) {
                Some(name) => {
                    name.history.push((turn.turn, did));
                    if stands || !name.stands {
                        name.last = d;
                    }
                    name.stands |= stands;
                }
                None => out.push(Name { last: d, stands, history: vec![(turn.turn, did)] }),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_turns::{Config, Session, TurnContext};

    #[test]
    fn a_name_has_its_history() {
        let mut s = Session::new(Config::default());
        for p in ["(def a 1) (def b 2)", "(def a \"x\") (oops)", "(def a :k)", "(def c 1) (fail 1)"] {
            s.reply(&format!("```clojure\n{p}\n```"), TurnContext::without_host()).unwrap();
        }
        let names = names(s.trace());
        let told: Vec<_> = names.iter().map(|n| (n.last.name.as_str(), n.stands, n.history.clone())).collect();
        assert_eq!(
            told,
            [
                ("a", true, vec![(1, Did::Defined), (3, Did::Replaced)]),
                ("b", true, vec![(1, Did::Defined)]),
                ("c", false, vec![(4, Did::RolledBack)])
            ]
        );
        assert_eq!(names[0].last.type_word.as_deref(), Some("keyword"));
    }
}
