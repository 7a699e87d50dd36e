//! Random programs that combine what the language has, held against Clojure and against plain code.
//!
//! [`make`] writes sessions (with `forms`, `kinds`, `tables` and [`templates`]), [`patterns`] those about regexes, [`ours`] runs them here, [`clojure`] asks Clojure, [`tree`] compares answers whatever the
//! order of maps and sets, [`shrink`] makes a session that differs small. README.md beside this package says how it is run.

pub mod clojure;
mod forms;
mod kinds;
pub mod make;
pub mod ours;
pub mod patterns;
pub mod random;
pub mod shrink;
mod tables;
pub mod templates;
pub mod tree;

/// A session: its turns, each a program.
pub type Session = Vec<String>;

/// What a turn answers: its value as readable text, or `None` when it failed.
pub type Answer = Option<String>;

/// Whether two sessions answered the same.
pub fn agree(a: &[Answer], b: &[Answer]) -> bool {
    let same = |(a, b): (&Answer, &Answer)| match (a, b) {
        (Some(a), Some(b)) => a == b || tree::canonical(a) == tree::canonical(b),
        (None, None) => true,
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// Answers as one line: a tab between turns, `!` for one that failed.
pub fn line(answers: &[Answer]) -> String {
    let text = |a: &Answer| a.clone().unwrap_or_else(|| "!".to_string());
    answers.iter().map(text).collect::<Vec<_>>().join("\t")
}

/// Answers from a line.
pub fn parse_line(line: &str) -> Vec<Answer> {
    line.split('\t').map(|t| if t == "!" { None } else { Some(t.to_string()) }).collect()
}
