//! The whole assistant message of a turn: the model's prose and its program in a fence.

use crate::trace::record::TurnRecord;

/// The assistant message of a whole turn: the model's reply, byte for byte. For a program that did not come as a reply,
/// or a reply of just this form, the prose comes first, the program in one fence after it.
pub fn assistant(record: &TurnRecord) -> String {
    match &record.reply {
        Some(reply) => reply.clone(),
        None => rebuilt(record),
    }
}

/// The reply rebuilt from prose and program.
pub fn rebuilt(record: &TurnRecord) -> String {
    match &record.reasoning {
        Some(reasoning) if record.program.is_empty() => reasoning.clone(),
        Some(reasoning) => format!("{reasoning}\n\n{}", fenced(&record.program)),
        None => fenced(&record.program),
    }
}

/// A program in a fence that is longer than any in the program.
pub fn fenced(program: &str) -> String {
    let longest = program.split('\n').map(|l| l.trim_start().chars().take_while(|c| *c == '`').count()).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2).saturating_add(1));
    let end = if program.is_empty() || program.ends_with('\n') { "" } else { "\n" };
    format!("{fence}clojure\n{program}{end}{fence}")
}

impl TurnRecord {
    /// The reply, byte for byte; for a program that did not come as a reply, the program in a fence.
    pub fn said(&self) -> String {
        assistant(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::reply::extract;

    #[test]
    fn what_is_shown_would_be_taken_apart_the_same_way() {
        for (program, reasoning) in
            [("(a)", None), ("(a)\n(b)", Some("First.")), ("(println \"\n```\n\")", None), ("", None)]
        {
            let record =
                TurnRecord { program: program.into(), reasoning: reasoning.map(str::to_owned), ..TurnRecord::empty(1) };
            let back = extract(&assistant(&record)).unwrap();
            assert_eq!((back.program.as_str(), back.reasoning.as_deref()), (program, reasoning));
        }
    }

    #[test]
    fn a_reply_without_a_program_is_shown_as_it_was() {
        let record = TurnRecord { reasoning: Some("I do not know.".into()), ..TurnRecord::empty(1) };
        assert_eq!(assistant(&record), "I do not know.");
    }
}
