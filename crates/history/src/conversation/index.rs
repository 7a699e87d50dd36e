//! Facts about the messages of a conversation, updated as messages are appended, so that no view has to scan all of
//! them.

use super::answered::Answered;
use super::turns::Turns;
use crate::conversation::groups::Groups;
use crate::conversation::message::{Block, Message, Role};
use std::collections::HashSet;

/// Shared by copies of a conversation, so that a copy costs no more than its list. All of it stays true when inputs are
/// shortened by their retention: that changes neither roles nor calls nor meta, and leaves nothing blank.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// The pairing of calls and results.
    pub groups: Groups,
    /// The turns of the model.
    pub turns: Turns,
    /// Ids of calls so far (F-03).
    pub ids: HashSet<String>,
    /// Messages that hold inputs with a name and a retention, by place.
    pub parts: Vec<usize>,
    /// Messages that say nothing, by place (B-26).
    pub blank: Vec<usize>,
    /// System messages, by place (K-09).
    pub systems: Vec<usize>,
    /// Texts of the user that are not summaries, by place: any of them may be a task (D5).
    pub asks: Vec<usize>,
    /// The agent's memory, by place (K-03). Messages with a tool block are not among them: keeping one would separate a
    /// pair.
    pub memory: Vec<usize>,
    /// What the model says, by place.
    pub model: Vec<usize>,
    /// Summaries that were recorded as messages, by place (F-17).
    pub summaries: Vec<usize>,
    /// Messages with results and how many each has, without system messages, which are never changed (K-09).
    pub results: Vec<(usize, usize)>,
    /// Messages with a time, and when they were said (K-06).
    pub times: Vec<(usize, i64)>,
    /// Which messages were answered (D11), after each message.
    pub answered: Vec<Answered>,
    /// Messages of frames above the first, by place (B-19).
    pub frames: Vec<usize>,
}

impl Index {
    /// Adds the next message, which is at place `at`.
    pub fn push(&mut self, m: &Message, at: usize) {
        self.groups.push(m);
        self.turns.push(self.groups.all());
        self.ids.extend(m.calls().map(|(id, _)| id.to_owned()));
        let blank = m.is_blank();
        let wordy = !m.content.iter().any(|b| matches!(b, Block::ToolUse { .. } | Block::ToolResult { .. }));
        let summary = m.summary_of().is_some();
        let meta = m.meta.as_ref();
        let note = |is: bool, places: &mut Vec<usize>| {
            if is {
                places.push(at);
            }
        };
        note(m.content.iter().any(|b| matches!(b, Block::Text { part: Some(_), .. })), &mut self.parts);
        note(blank, &mut self.blank);
        note(m.role == Role::System, &mut self.systems);
        note(m.role == Role::User && wordy && !summary && !blank, &mut self.asks);
        note(wordy && meta.is_some_and(|m| m.memory), &mut self.memory);
        note(m.role == Role::Assistant, &mut self.model);
        note(summary, &mut self.summaries);
        let results = m.answers().count();
        if results > 0 && m.role != Role::System {
            self.results.push((at, results));
        }
        let mut answered = self.answered();
        answered.push(at, m);
        self.answered.push(answered);
        self.times.extend(m.at().map(|time| (at, time)));
        note(meta.and_then(|m| m.frame).is_some_and(|frame| frame > 0), &mut self.frames);
    }

    /// Which messages were answered.
    pub fn answered(&self) -> Answered {
        self.answered.last().copied().unwrap_or_default()
    }

    /// Takes the messages from place `len` on away, which have neither calls nor results.
    pub fn truncate(&mut self, len: usize) {
        let until = |places: &mut Vec<usize>| places.truncate(places.partition_point(|at| *at < len));
        for places in [
            &mut self.parts,
            &mut self.blank,
            &mut self.systems,
            &mut self.asks,
            &mut self.memory,
            &mut self.model,
            &mut self.summaries,
            &mut self.frames,
        ] {
            until(places);
        }
        self.results.truncate(self.results.partition_point(|(at, _)| *at < len));
        self.times.truncate(self.times.partition_point(|(at, _)| *at < len));
        self.answered.truncate(len);
        self.groups.truncate(len);
        self.turns.truncate(len);
    }
}
