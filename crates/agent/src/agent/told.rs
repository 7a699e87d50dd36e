//! What observers of a run are told of its journal and of warnings.

use crate::observer::Observer;
use ptc_turns::JournalEntry;
use ptc_turns::trace::journal::JournalEvent;

/// Tells an observer what a line of the journal says of calls.
pub(super) fn tell(watch: &mut dyn Observer, entry: &JournalEntry) {
    match &entry.what {
        JournalEvent::Asked(calls) => watch.calling(calls),
        JournalEvent::Answered(answer) => watch.call_answered(answer),
        _ => {}
    }
}

/// Gives a warning that was not given before.
pub(super) fn warn(told: &mut Vec<String>, words: &str, watch: &mut dyn Observer) {
    if !told.iter().any(|t| t == words) {
        told.push(words.to_owned());
        watch.warned(words);
    }
}
